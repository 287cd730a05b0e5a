//! What each builtin operation is in IR: from the operation, its operands as IR values and their types, and nothing of
//! the program that it stands in. A front end, and a reader of SPIR-V or PTX, hand over values and get values.
//!
//! [`Emitter::lower`] is one exhaustive match over [`builtins::Op`], a family each, and each family's file is one over its
//! operations: an operation without a meaning here does not compile. Functions of the builtin library are called by
//! [`Emitter::call_library`], once per lane, out-parameters by way of private scalars.
//!
//! What must hold: operands are as the signature of the builtin says (the checker of a language, or a reader, has seen to
//! that); too few of them panic. Most operations append to the current block. Those that need control flow (block copies
//! that may overlap, atomics on pairs, copies by a whole group) make blocks of their own and go on in another one, and
//! those that end the work-item go on in a block that nothing reaches: whoever builds SSA form over the function looks
//! into [`Emitted`].
//!
//! Cost: linear in the number of lanes.

mod atomic;
mod control;
mod convert;
mod emitter;
mod float;
mod geometric;
mod group;
mod integer;
mod item;
mod lanes;
mod library;
mod memory;
mod operands;
mod saturate;
mod sync;
mod value;
mod warp;

pub use convert::memory_type;
pub use emitter::{Context, Emitted, Emitter};
pub use group::SCRATCH_BYTES;
pub use library::Callee;
pub use operands::{OperandType, Operands, Pointee};

use builtins::Op;
use ir::Value;

impl Emitter<'_> {
    /// Lowers an operation; its result, if it has one.
    ///
    /// # Panics
    /// If there are fewer operands than the operation has.
    pub fn lower(&mut self, op: Op, o: &Operands) -> Option<Value> {
        match op {
            Op::Float(op) => Some(self.float(op, o)),
            Op::Geometric(op) => Some(self.geometric(op, o)),
            Op::Integer(op) => Some(self.integer(op, o)),
            Op::Value(op) => Some(self.value(op, o)),
            Op::Memory(op) => self.memory(op, o),
            Op::Atomic(op) => self.atomic(op, o),
            Op::Sync(op) => self.sync(op, o),
            Op::Item(op) => Some(self.item(op, o)),
            Op::Control(op) => self.control(op, o),
        }
    }
}
