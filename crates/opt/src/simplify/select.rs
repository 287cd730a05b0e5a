//! Rules for `select`.

use super::{Found, Simplifier, Step};
use ir::{Flags, FloatCC, Inst, IntCC, Opcode, Payload, Type, Value};

impl Simplifier<'_> {
    pub(super) fn select(&mut self, inst: Inst) -> Found {
        let (cond, a, b) = (self.arg(inst, 0), self.arg(inst, 1), self.arg(inst, 2));
        let ty = self.func.dfg.insts[inst].ty;
        if a == b {
            return Some(Step::Value(a));
        }
        if let Some(x) = self.not_of(cond) {
            return self.rewrite(inst, Opcode::Select, Flags::NONE, &[x, b, a], Payload::None);
        }
        // A value that one arm leaves arbitrary may be the other one.
        if self.func.dfg.as_const(a) == Some(ir::ConstKind::Undef) {
            return Some(Step::Value(b));
        }
        if self.func.dfg.as_const(b) == Some(ir::ConstKind::Undef) {
            return Some(Step::Value(a));
        }
        let same_shape = self.ty(cond) == ty.with_scalar(Type::I1);
        if ty.is_int() && same_shape {
            if ty.bits() == 1 {
                if let Some(step) = self.select_bool(inst, cond, a, b) {
                    return Some(step);
                }
            } else if let (Some(p), Some(q)) = (self.c(a), self.c(b))
                && let Some(step) = self.select_constants(inst, cond, p, q)
            {
                return Some(step);
            }
        }
        // An arm that asks the same again.
        for (n, arm) in [(1, a), (2, b)] {
            if let Some(d) = self.func.dfg.def_op(arm, Opcode::Select)
                && self.arg(d, 0) == cond
            {
                let inner = self.arg(d, n);
                let args = if n == 1 { [cond, inner, b] } else { [cond, a, inner] };
                return self.rewrite(inst, Opcode::Select, Flags::NONE, &args, Payload::None);
            }
        }
        if same_shape && let Some((cc, x, y)) = self.icmp_of(cond) {
            return self.select_icmp(inst, (cc, x, y), a, b);
        }
        if same_shape && let Some((cc, x, y, f)) = self.fcmp_of(cond) {
            return self.select_fcmp(inst, (cc, x, y), f, a, b);
        }
        None
    }

    fn select_bool(&mut self, inst: Inst, cond: Value, a: Value, b: Value) -> Found {
        match (self.c(a), self.c(b)) {
            (Some(1), Some(0)) => Some(Step::Value(cond)),
            (Some(0), Some(1)) => Some(Step::Value(self.not(cond))),
            (Some(1), _) => self.rewrite2(inst, Opcode::Or, Flags::NONE, cond, b),
            (_, Some(0)) => self.rewrite2(inst, Opcode::And, Flags::NONE, cond, a),
            (Some(0), _) => {
                let n = self.not(cond);
                self.rewrite2(inst, Opcode::And, Flags::NONE, n, b)
            }
            (_, Some(1)) => {
                let n = self.not(cond);
                self.rewrite2(inst, Opcode::Or, Flags::NONE, n, a)
            }
            _ if a == cond => self.rewrite2(inst, Opcode::Or, Flags::NONE, cond, b),
            _ if b == cond => self.rewrite2(inst, Opcode::And, Flags::NONE, cond, a),
            _ => None,
        }
    }

    fn select_constants(&mut self, inst: Inst, cond: Value, p: u64, q: u64) -> Found {
        let mask = self.func.dfg.insts[inst].ty.mask();
        let (op, negate) = match (p, q) {
            (1, 0) => (Opcode::ZExt, false),
            (0, 1) => (Opcode::ZExt, true),
            (m, 0) if m == mask => (Opcode::SExt, false),
            (0, m) if m == mask => (Opcode::SExt, true),
            _ => return None,
        };
        let c = if negate { self.not(cond) } else { cond };
        self.rewrite(inst, op, Flags::NONE, &[c], Payload::None)
    }

    fn select_icmp(&mut self, inst: Inst, (cc, x, y): (IntCC, Value, Value), a: Value, b: Value) -> Found {
        // Equal or not, the answer is the same value.
        if cc == IntCC::Eq && (a == x && b == y || a == y && b == x) {
            return Some(Step::Value(b));
        }
        if cc == IntCC::Ne && (a == x && b == y || a == y && b == x) {
            return Some(Step::Value(a));
        }
        let ty = self.func.dfg.insts[inst].ty;
        if !ty.is_int() {
            return None;
        }
        if a == x && b == y {
            return self.rewrite2(inst, minmax_of(cc)?, Flags::NONE, x, y);
        }
        if a == y && b == x {
            return self.rewrite2(inst, minmax_of(cc.swapped())?, Flags::NONE, x, y);
        }
        // x < c ? x : c-1 and the like, from strict forms: x < c+1 ? x : c.
        if let (Some(c), Some(k)) = (self.c(y), self.c(b))
            && a == x
            && self.near(cc, c, k, ty)
        {
            return self.rewrite2(inst, minmax_of(cc)?, Flags::NONE, x, b);
        }
        if let (Some(c), Some(k)) = (self.c(y), self.c(a))
            && b == x
            && self.near(cc.inverse(), c, k, ty)
        {
            return self.rewrite2(inst, minmax_of(cc.inverse())?, Flags::NONE, x, a);
        }
        // |x|
        let negates = |s: &Self, n: Value, p: Value| s.neg_of(n) == Some(p);
        let limit = self.c(y)?;
        let below = cc == IntCC::Slt && limit <= 1;
        let above = cc == IntCC::Sgt && (limit == 0 || limit == ty.mask());
        if below && b == x && negates(self, a, x) || above && a == x && negates(self, b, x) {
            // The smallest number stays what it is, unless negating it was promised not to happen.
            let minus = if below { a } else { b };
            let promised = self.func.dfg.def_op(minus, Opcode::Sub).map_or(Flags::NONE, |i| self.flags(i));
            return self.rewrite(inst, Opcode::Abs, promised.common(Flags::NSW), &[x], Payload::None);
        }
        None
    }

    /// Whether `x cc c ? x : k` is a minimum or maximum of `x` and `k`: `k` is `c` or the last number that `cc c` lets
    /// through.
    fn near(&self, cc: IntCC, c: u64, k: u64, ty: Type) -> bool {
        use IntCC::*;
        let (smax, smin) = (ty.mask() >> 1, ty.mask() ^ ty.mask() >> 1);
        let (below, above) = (c.wrapping_sub(1) & ty.mask(), c.wrapping_add(1) & ty.mask());
        match cc {
            Slt => k == c || c != smin && k == below,
            Ult => k == c || c != 0 && k == below,
            Sgt => k == c || c != smax && k == above,
            Ugt => k == c || c != ty.mask() && k == above,
            Sle => k == c || c != smax && k == above,
            Ule => k == c || c != ty.mask() && k == above,
            Sge => k == c || c != smin && k == below,
            Uge => k == c || c != 0 && k == below,
            Eq | Ne => false,
        }
    }

    /// A minimum or maximum of floats, where neither NaN nor the sign of zero can tell the difference.
    fn select_fcmp(&mut self, inst: Inst, c: (FloatCC, Value, Value), f: Flags, a: Value, b: Value) -> Found {
        use FloatCC::*;
        let (cc, x, y) = c;
        if !self.ty(a).is_float() || !f.has(Flags::NNAN) || !f.has(Flags::NSZ) || f.has(Flags::FTZ) {
            return None;
        }
        let cc = if a == x && b == y {
            cc
        } else if a == y && b == x {
            cc.swapped()
        } else {
            return None;
        };
        let op = match cc {
            Olt | Ole | Ult | Ule => Opcode::FMin,
            Ogt | Oge | Ugt | Uge => Opcode::FMax,
            _ => return None,
        };
        self.rewrite2(inst, op, f, x, y)
    }
}

/// `x cc y ? x : y`
fn minmax_of(cc: IntCC) -> Option<Opcode> {
    use IntCC::*;
    Some(match cc {
        Slt | Sle => Opcode::SMin,
        Sgt | Sge => Opcode::SMax,
        Ult | Ule => Opcode::UMin,
        Ugt | Uge => Opcode::UMax,
        Eq | Ne => return None,
    })
}
