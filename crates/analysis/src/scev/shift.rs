//! Loops that shift a value until nothing of it is left: how often at most, though the trip count is no expression.

use super::{Scev, mask, sext};
use crate::Loop;
use ir::{IntCC, Opcode, Value, ValueDef};

impl Scev<'_> {
    /// Most back edges of a loop that goes on while `a cc b`, where `a` is a value that each iteration shifts to the
    /// right or divides, and `b` a constant. None if the value that stays in the end would satisfy the test.
    pub(super) fn shift_limit(&mut self, l: Loop, cc: IntCC, a: Value, b: Value) -> Option<u64> {
        let func = self.func;
        let bound = func.dfg.as_bits(b)?;
        let a = func.dfg.resolve(a);
        let (param, before) = match func.dfg.def(a) {
            ValueDef::Param(..) => (a, 0),
            // The test is of the next value.
            ValueDef::Inst(i) => (func.dfg.resolve(*func.dfg.args(i).first()?), 1),
            _ => return None,
        };
        let ValueDef::Param(header, n) = func.dfg.def(param) else { return None };
        if self.info.loops.header_loop(header) != Some(l) {
            return None;
        }
        let (entry, back) = self.incoming(l, n)?;
        if before == 1 && back != a {
            return None;
        }
        let i = func.dfg.def_inst(back)?;
        let args = func.dfg.args(i);
        if args.first().map(|&x| func.dfg.resolve(x)) != Some(param) {
            return None;
        }
        let bits = func.dfg.ty(param).bits();
        let by = *args.get(1)?;
        let amount = func.dfg.as_bits(by)?;
        let op = func.dfg.op(i);
        let shifted = match op {
            Opcode::LShr | Opcode::AShr => amount.min(u64::from(bits)),
            Opcode::UDiv => u64::from(amount.checked_ilog2()?),
            Opcode::SDiv => u64::from(u64::try_from(sext(amount, bits)).ok()?.checked_ilog2()?),
            _ => return None,
        };
        let e = self.expr(entry);
        let start = self.range(e);
        let ends_at = |n: u64| !cc.eval(n, bound, bits);
        let negative = op == Opcode::AShr && start.smin < 0;
        if shifted == 0 || !ends_at(0) || negative && !ends_at(mask(bits)) {
            return None;
        }
        // The signed operations take as many digits from a negative number; it has no more than the width.
        let digits = u64::from(64 - start.umax.leading_zeros());
        Some(digits.div_ceil(shifted).saturating_sub(before))
    }
}
