//! Rules for integer quotients and remainders.

use super::{Found, Simplifier, Step};
use ir::{Flags, Inst, Opcode, Value, ValueDef};
use smallvec::SmallVec;

/// Most values that a divisor is looked for powers of two in.
const MAX_SHIFTED: usize = 8;

impl Simplifier<'_> {
    pub(super) fn div(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let ty = self.ty(x);
        let signed = self.func.dfg.op(inst) == Opcode::SDiv;
        // A division by zero gives an unspecified value: these may give 1 and 0.
        if x == y {
            return self.const_step(inst, 1);
        }
        if self.is_zero(x) {
            return Some(Step::Value(x));
        }
        if signed && self.nonneg(x) && self.nonneg(y) {
            return self.rewrite2(inst, Opcode::UDiv, f, x, y);
        }
        if let Some((a, b, g)) = self.bin(x, Opcode::Mul)
            && g.has(if signed { Flags::NSW } else { Flags::NUW })
            && (a == y || b == y)
        {
            return Some(Step::Value(if a == y { b } else { a }));
        }
        if !signed && !self.is_zero(y) && self.range(x).hi < self.range(y).lo {
            return self.const_step(inst, 0);
        }
        if let Some(a) = self.whole_part_of(x, y, signed) {
            return self.rewrite2(inst, if signed { Opcode::SDiv } else { Opcode::UDiv }, Flags::NONE, a, y);
        }
        let c = self.c(y)?;
        if c == 1 {
            return Some(Step::Value(x));
        }
        if signed {
            if c == ty.mask() {
                let zero = self.zero(ty);
                return self.rewrite2(inst, Opcode::Sub, Flags::NONE, zero, x);
            }
            if c.is_power_of_two() && c <= ty.mask() >> 1 && f.has(Flags::EXACT) {
                return self.rewrite2c(inst, Opcode::AShr, Flags::EXACT, x, u64::from(c.trailing_zeros()));
            }
            return None;
        }
        if c.is_power_of_two() {
            return self.rewrite2c(inst, Opcode::LShr, f.common(Flags::EXACT), x, u64::from(c.trailing_zeros()));
        }
        if let Some((a, c1, _)) = self.bin_c(x, Opcode::UDiv)
            && c1 != 0
            && let Some(p) = c1.checked_mul(c).filter(|&p| p <= ty.mask())
        {
            return self.rewrite2c(inst, Opcode::UDiv, Flags::NONE, a, p);
        }
        None
    }

    pub(super) fn rem(&mut self, inst: Inst) -> Found {
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty = self.ty(x);
        let signed = self.func.dfg.op(inst) == Opcode::SRem;
        if x == y || self.is_zero(x) {
            return self.const_step(inst, 0);
        }
        if signed && self.nonneg(x) && self.nonneg(y) {
            return self.rewrite2(inst, Opcode::URem, Flags::NONE, x, y);
        }
        if !signed && self.range(x).hi < self.range(y).lo {
            return Some(Step::Value(x));
        }
        let Some(c) = self.c(y) else {
            if (!signed || self.nonneg(x)) && self.is_power_of_two(y) {
                let low = self.op2c(Opcode::Add, Flags::NONE, y, ty.mask());
                return self.rewrite2(inst, Opcode::And, Flags::NONE, x, low);
            }
            return None;
        };
        if c == 1 || signed && c == ty.mask() {
            return self.const_step(inst, 0);
        }
        if !signed && c.is_power_of_two() {
            return self.rewrite2c(inst, Opcode::And, Flags::NONE, x, c - 1);
        }
        // Low bits that are clear leave nothing of a power of two, whatever the sign.
        if c.is_power_of_two() && (c - 1) & !self.known().bits(x).zeros == 0 {
            return self.const_step(inst, 0);
        }
        // A multiple leaves nothing.
        let lost = if signed { Flags::NSW } else { Flags::NUW };
        if let Some((_, k, g)) = self.bin_c(x, Opcode::Mul)
            && g.has(lost)
            && c != 0
            && k <= ty.mask() >> 1
            && c <= ty.mask() >> 1
            && k % c == 0
        {
            return self.const_step(inst, 0);
        }
        None
    }

    /// Whether at most one bit of a value is set: powers of two that are shifted, also around loops (`for (s = 1; s < n; s *= 2)`).
    fn is_power_of_two(&self, v: Value) -> bool {
        let dfg = &self.func.dfg;
        let mut seen: SmallVec<[Value; MAX_SHIFTED]> = SmallVec::from_slice(&[dfg.resolve(v)]);
        let mut at = 0;
        // What is found on the way is taken to be one: it is, if all that it begins as and becomes is.
        while let Some(&v) = seen.get(at) {
            at += 1;
            if self.c(v).is_some_and(u64::is_power_of_two) {
                continue;
            }
            let mut of: SmallVec<[Value; 4]> = SmallVec::new();
            match dfg.values[v].def {
                ValueDef::Inst(i) => match dfg.op(i) {
                    Opcode::Shl | Opcode::LShr | Opcode::ZExt | Opcode::Trunc => of.push(self.arg(i, 0)),
                    Opcode::Select => of.extend([self.arg(i, 1), self.arg(i, 2)]),
                    _ => return false,
                },
                // Branches that this walk has changed are not those of the graph.
                ValueDef::Param(b, n) if !self.branches && self.cfg.rpo().first() != Some(&b) => {
                    for e in self.cfg.preds(b) {
                        of.push(dfg.resolve(dfg.branch_args(e.inst, e.index as usize)[n as usize]));
                    }
                    if of.is_empty() {
                        return false;
                    }
                }
                _ => return false,
            }
            for v in of {
                if !seen.contains(&v) {
                    if seen.len() == MAX_SHIFTED {
                        return false;
                    }
                    seen.push(v);
                }
            }
        }
        true
    }

    /// `a` for a dividend `a - a % y`: what it lacks to `a` is less than a divisor.
    fn whole_part_of(&self, dividend: Value, y: Value, signed: bool) -> Option<Value> {
        let (a, rest, _) = self.bin(dividend, Opcode::Sub)?;
        let (op, unsigned_too) = match signed {
            true => (Opcode::SRem, self.nonneg(a) && self.nonneg(y)),
            false => (Opcode::URem, false),
        };
        let (b, d, _) = self.bin(rest, op).or_else(|| self.bin(rest, Opcode::URem).filter(|_| unsigned_too))?;
        ((a, y) == (b, d)).then_some(a)
    }
}
