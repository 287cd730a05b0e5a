//! unspool's intermediate representation.
//!
//! A [`Module`] holds [`Function`]s and global variables. A function is a control-flow graph of blocks of
//! instructions in SSA form, with **block parameters** in place of phi nodes. What exists ([`Dfg`]) is kept apart from
//! where it stands ([`Layout`]); all names are dense `u32` entities, so side tables are plain vectors.
//!
//! # What the IR means
//!
//! * A function describes what *one work-item* (thread) does. Entry-block parameters are the function's arguments.
//! * Constants, addresses of globals and addresses of stack slots are values without a defining instruction: they are
//!   available everywhere and interned per function, so equal constants are equal values.
//! * Aggregates exist in memory only. Pointers are untyped and carry an address space; [`Opcode::PtrAdd`] adds a byte
//!   offset. Pointers have 64 bits in every space.
//! * Integer arithmetic wraps. Shift amounts of at least the width clamp: `shl` and `lshr` give 0, `ashr` the sign.
//!   Integer division by zero and `MIN / -1` give an unspecified value. Float-to-integer conversions saturate, NaN
//!   gives 0. `undef` is an arbitrary value of its type.
//! * Floating-point operations are IEEE 754, round to nearest even unless a rounding mode says otherwise, and may be
//!   changed in value only as their fast-math [`Flags`] allow.
//! * A loop's hints hang on its back edge: the terminator that branches to the header carries a [`LoopMd`].
//!
//! If the verifier accepts a module, no back end panics on it: it emits code or returns an error.

mod branch;
pub mod builder;
mod compact;
mod compare;
pub mod copy;
mod dfg;
pub mod edit;
mod entities;
pub mod exponent;
mod flags;
mod function;
mod inst;
mod intrinsics;
mod layout;
mod level;
pub mod link;
mod memory;
mod module;
mod opcode;
mod order;
mod pages;
pub mod parse;
pub mod print;
mod types;
pub mod verify;

pub use branch::{Branch, BranchKind};
pub use builder::Builder;
pub use compare::{FloatCC, IntCC};
pub use dfg::{BlockData, ConstKind, Dfg, Inlined, ValueData, ValueDef};
pub use edit::Edge;
pub use entities::{AsmId, Block, FuncId, Global, Inst, LoopMd, Slot, Switch, Value, side_table};
pub use flags::Flags;
pub use function::{
    FnAttrs, FnKind, Function, InlineHint, Linkage, LoopMeta, Param, ParamAttrs, SlotData, UnrollRequest,
};
pub use inst::{AsmData, BlockCall, InstData, Payload, SwitchData, UNDEF_LANE};
pub use intrinsics::{Effects, Intrinsic, SpecialReg};
pub use layout::Layout;
pub use level::OptLevel;
pub use memory::{AtomicOp, CacheOp, MemInfo, MemOrder, Round, Scope};
pub use module::{GlobalData, GlobalInit, MathMode, Module, Reloc};
pub use opcode::Opcode;
pub use order::ReversePostOrder;
pub use pages::Pages;
pub use types::{AddrSpace, ScalarKind, Type};
