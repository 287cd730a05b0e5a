//! Loads that the program writes twice, as the newer of the compilers whose loops are followed has them when it counts what a
//! loop holds.
//!
//! `(a[i] - x) * (a[i] - x)` reads `a[i]` once there, but subtracts twice: the second load goes only after all that would have
//! become equal with it. That was measured of loads whose index is extended for each of them, an `int`'s, so not of shared
//! memory, which has addresses of 32 bits, nor of `*p` with a pointer that was computed once; and not where the index is known
//! before all loops. Such loads are [marked](Flags::AGAIN) here; they count as nothing, and the first numbering after loops were
//! decided removes them.

use super::Gvn;
use cranelift_entity::SecondaryMap;
use ir::{AddrSpace, Flags, Function, Inst, Opcode, Type, Value, ValueDef};

/// Values that would be equal to others but for an extension of their own.
#[derive(Default)]
pub(super) struct OwnExtensions {
    of: SecondaryMap<Value, bool>,
}

impl OwnExtensions {
    /// Whether an instruction, whose operands have not been resolved, computes with an extension of its own; to be asked in
    /// the order of the code.
    pub(super) fn reach(&mut self, func: &Function, i: Inst) -> bool {
        let data = &func.dfg.insts[i];
        let part = matches!(data.op, Opcode::PtrAdd | Opcode::Add | Opcode::Shl | Opcode::Mul | Opcode::Load);
        let own = part && func.dfg.args(i).iter().any(|&a| self.of[a]);
        if own && data.op != Opcode::Load {
            self.of[func.dfg.res(i)] = true;
        }
        own
    }

    /// Takes note that an instruction is found to be equal to another one.
    pub(super) fn merged(&mut self, func: &Function, i: Inst) {
        let data = &func.dfg.insts[i];
        if !matches!(data.op, Opcode::SExt | Opcode::ZExt) || data.ty != Type::I64 {
            return;
        }
        let index = func.dfg.resolve(func.dfg.arg(i, 0));
        let block = match func.dfg.def(index) {
            ValueDef::Inst(d) => func.layout.inst_block(d),
            ValueDef::Param(b, _) => Some(b),
            _ => None,
        };
        self.of[func.dfg.res(i)] = block.is_some_and(|b| b != func.layout.entry());
    }
}

impl Gvn<'_> {
    /// Marks a load of what is known from another load, and returns whether it stays for now.
    pub(super) fn stays_for_now(&mut self, i: Inst, own: bool, from: Inst) -> bool {
        let func = &mut self.func;
        let space = func.dfg.ty(func.dfg.arg(i, 0));
        let shared = space == Type::ptr(AddrSpace::Shared);
        let marked = func.dfg.insts[i].flags.has(Flags::AGAIN);
        if func.dfg.op(from) != Opcode::Load || shared || !(own || marked) {
            return false;
        }
        let flags = func.dfg.insts[i].flags.with(Flags::AGAIN);
        self.changed |= !marked;
        self.func.dfg.insts[i].flags = flags;
        true
    }
}
