//! Gathers that are loads of a whole vector most of the time.
//!
//! Of `a[clamp(x + dx, 0, width - 1)]` nobody knows when the code is made that lanes read neighbours; but nearly all do, all
//! but those at the edges. Where an index is made by minimum, maximum or selection, the code asks whether the lanes'
//! indices follow each other, and loads the vector at once if so. Asking costs four instructions, a gather lane by lane
//! some thirty; those of processors count as many and more.

use super::func::FuncGen;
use super::ll::{Ipred, Val};
use ir::{Inst, Opcode, Type, Value};

/// How many operations back from an index a minimum, maximum or selection is looked for.
const DEPTH: u32 = 4;

impl FuncGen<'_> {
    /// Whether the addresses of a gather of this element follow each other, as a condition of the program, and the first
    /// lane's index; `None` where asking is not worth while.
    pub(super) fn consecutive(&self, i: Inst, element: Type) -> Option<(Val, Val)> {
        let ll = self.ll;
        let index = self.index_of(self.f.dfg.arg(i, 1), u64::from(element.bits() / 8))?;
        let ty = self.f.dfg.ty(index);
        if ty.scalar() != Type::I32 || !self.is_clamped(index, DEPTH) {
            return None;
        }
        let lanes = u32::from(ty.lanes());
        // What is added to all lanes does not matter, and without it the question may be asked before a loop over rows.
        let (x, bent) = (self.value(index), self.value(self.without_uniform(index)));
        let each: Vec<Val> = (0..lanes).map(|n| ll.iconst(32, 1, n.into())).collect();
        let first = ll.lane(x, 0);
        let starts = ll.sub(bent, ll.const_vector(&each));
        let follow = ll.icmp(Ipred::LLVMIntEQ, starts, ll.splat(ll.lane(bent, 0), lanes));
        let all = ll.icmp(Ipred::LLVMIntEQ, ll.bitcast(follow, ll.int(lanes, 1)), ll.iconst(lanes, 1, u64::MAX));
        // Indices that wrap follow each other in 32 bits only.
        let last_start = u64::from(i32::MAX as u32 - lanes);
        Some((ll.and(all, ll.icmp(Ipred::LLVMIntSLT, first, ll.iconst(32, 1, last_start))), first))
    }

    /// The 32-bit index, if these 64-bit offsets are its product with the element's size.
    pub(super) fn index_of(&self, offsets: Value, size: u64) -> Option<Value> {
        let dfg = &self.f.dfg;
        let (mut v, mut scale) = (dfg.resolve(offsets), 1u64);
        loop {
            let inst = dfg.def_inst(v)?;
            let constant = || dfg.as_bits(dfg.arg(inst, 1));
            match dfg.op(inst) {
                Opcode::Shl if dfg.ty(v).bits() == 64 => scale = scale.checked_shl(constant()?.try_into().ok()?)?,
                Opcode::Mul if dfg.ty(v).bits() == 64 => scale = scale.checked_mul(constant()?)?,
                Opcode::SExt if scale == size => return Some(dfg.resolve(dfg.arg(inst, 0))),
                _ => return None,
            }
            v = dfg.resolve(dfg.arg(inst, 0));
        }
    }

    /// A sum without what is the same for all lanes.
    fn without_uniform(&self, v: Value) -> Value {
        let dfg = &self.f.dfg;
        let mut v = dfg.resolve(v);
        for _ in 0..DEPTH {
            let Some(add) = dfg.def_op(v, Opcode::Add) else { break };
            let (a, b) = (dfg.resolve(dfg.arg(add, 0)), dfg.resolve(dfg.arg(add, 1)));
            let same = |v: Value| dfg.def_op(v, Opcode::Splat).is_some();
            match (same(a), same(b)) {
                (true, false) => v = b,
                (false, true) => v = a,
                _ => break,
            }
        }
        v
    }

    fn is_clamped(&self, v: Value, depth: u32) -> bool {
        let dfg = &self.f.dfg;
        let Some(inst) = dfg.def_inst(dfg.resolve(v)) else { return false };
        match dfg.op(inst) {
            Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax | Opcode::Select => true,
            Opcode::Add | Opcode::Sub if depth > 0 => dfg.args(inst).iter().any(|&a| self.is_clamped(a, depth - 1)),
            _ => false,
        }
    }
}
