//! Rules for floating-point arithmetic. Values change only as the flags allow.

use super::{Found, Simplifier, Step};
use ir::{Flags, Inst, Opcode, Payload, Round, Type, Value};

impl Simplifier<'_> {
    fn fc(&self, v: Value) -> Option<f64> {
        self.func.dfg.as_float(v)
    }

    fn is_fconst(&self, v: Value, x: f64) -> bool {
        self.fc(v).is_some_and(|y| y.to_bits() == x.to_bits())
    }

    /// Whether the operation may be dropped when it would give its operand unchanged: it neither saturates nor, unless
    /// approximation is allowed, flushes subnormals.
    fn droppable(&self, f: Flags) -> bool {
        !f.has(Flags::SAT) && (!f.has(Flags::FTZ) || f.has(Flags::AFN))
    }

    fn unchanged(&mut self, inst: Inst, v: Value) -> Found {
        if self.droppable(self.flags(inst)) { Some(Step::Value(v)) } else { None }
    }

    /// Rewrites keeping flags and rounding mode.
    fn refloat(&mut self, inst: Inst, op: Opcode, args: &[Value]) -> Found {
        let data = &self.func.dfg.insts[inst];
        let (f, payload) = (data.flags, data.payload.clone());
        self.rewrite(inst, op, f, args, payload)
    }

    pub(super) fn fadd(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let sub = self.func.dfg.op(inst) == Opcode::FSub;
        let down = self.func.dfg.insts[inst].round() == Some(Round::Down);
        let neutral = if sub != down { 0.0 } else { -0.0 };
        if (self.is_fconst(y, neutral) || f.has(Flags::NSZ) && self.fc(y) == Some(0.0))
            && let Some(step) = self.unchanged(inst, x)
        {
            return Some(step);
        }
        if !sub {
            if let Some(b) = self.un(y, Opcode::FNeg) {
                return self.refloat(inst, Opcode::FSub, &[x, b]);
            }
            if let Some(a) = self.un(x, Opcode::FNeg) {
                return self.refloat(inst, Opcode::FSub, &[y, a]);
            }
            return self.reassociate(inst, x, y);
        }
        if let Some(b) = self.un(y, Opcode::FNeg) {
            return self.refloat(inst, Opcode::FAdd, &[x, b]);
        }
        if self.rounds_to_nearest(inst)
            && (self.is_fconst(x, -0.0) || f.has(Flags::NSZ) && self.fc(x) == Some(0.0))
            && self.droppable(f)
        {
            return self.rewrite(inst, Opcode::FNeg, f, &[y], Payload::None);
        }
        if x == y && f.has(Flags::NNAN) {
            return self.const_step(inst, 0);
        }
        // x - c is x + -c
        if let Some(c) = self.c(y) {
            let sign = sign_bit(self.ty(y));
            let k = self.bits(self.ty(y), c ^ sign);
            return self.refloat(inst, Opcode::FAdd, &[x, k]);
        }
        None
    }

    /// `(a op c1) op c2` where both may be reassociated.
    fn reassociate(&mut self, inst: Inst, x: Value, y: Value) -> Found {
        let (op, f) = (self.func.dfg.op(inst), self.flags(inst));
        self.c(y)?;
        let (a, b, g) = self.bin(x, op)?;
        self.c(b)?;
        let both = f.common(g);
        let plain =
            self.rounds_to_nearest(inst) && self.func.dfg.def_inst(x).is_some_and(|d| self.rounds_to_nearest(d));
        if !both.has(Flags::REASSOC) || !plain || f.with(g).has(Flags::SAT) {
            return None;
        }
        let c = self.op2(op, Flags::NONE, b, y);
        self.rewrite2(inst, op, both, a, c)
    }

    pub(super) fn fmul(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let symmetric = self.symmetric_rounding(inst);
        if let Some(c) = self.fc(y) {
            if c == 1.0
                && let Some(step) = self.unchanged(inst, x)
            {
                return Some(step);
            }
            if c == -1.0 && self.droppable(f) {
                return self.rewrite(inst, Opcode::FNeg, f, &[x], Payload::None);
            }
            if c == 0.0 && f.has(Flags::NNAN) && f.has(Flags::NSZ) {
                return self.const_step(inst, 0);
            }
            if symmetric && let Some(a) = self.un(x, Opcode::FNeg) {
                let k = self.func.dfg.fconst(self.ty(y), -c);
                return self.refloat(inst, Opcode::FMul, &[a, k]);
            }
            return self.reassociate(inst, x, y);
        }
        if let (Some(a), Some(b)) = (self.un(x, Opcode::FNeg), self.un(y, Opcode::FNeg)) {
            return self.refloat(inst, Opcode::FMul, &[a, b]);
        }
        None
    }

    /// Whether rounding is the same for a number and its negation.
    fn symmetric_rounding(&self, inst: Inst) -> bool {
        !matches!(self.func.dfg.insts[inst].round(), Some(Round::Down | Round::Up))
    }

    pub(super) fn fdiv(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let ty = self.ty(x);
        if let Some(c) = self.fc(y) {
            if c == 1.0
                && let Some(step) = self.unchanged(inst, x)
            {
                return Some(step);
            }
            if let Some(r) = exact_reciprocal(ty, c) {
                let k = self.func.dfg.fconst(ty, r);
                return self.refloat(inst, Opcode::FMul, &[x, k]);
            }
            if f.has(Flags::ARCP) && c != 0.0 && self.rounds_to_nearest(inst) {
                let k = self.func.dfg.fconst(ty, 1.0 / c);
                let r = self.fc(k).unwrap_or(0.0);
                if r.is_finite() && r.abs() >= smallest_normal(ty) {
                    return self.rewrite2(inst, Opcode::FMul, f, x, k);
                }
            }
        }
        if x == y && f.has(Flags::NNAN) {
            let one = self.func.dfg.fconst(ty, 1.0);
            return Some(Step::Value(one));
        }
        if let (Some(a), Some(b)) = (self.un(x, Opcode::FNeg), self.un(y, Opcode::FNeg)) {
            return self.refloat(inst, Opcode::FDiv, &[a, b]);
        }
        None
    }

    pub(super) fn fma(&mut self, inst: Inst) -> Found {
        let (x, y, z, f) = (self.arg(inst, 0), self.arg(inst, 1), self.arg(inst, 2), self.flags(inst));
        let ty = self.ty(x);
        if self.fc(y) == Some(1.0) {
            return self.refloat(inst, Opcode::FAdd, &[x, z]);
        }
        if self.fc(y) == Some(-1.0) {
            return self.refloat(inst, Opcode::FSub, &[z, x]);
        }
        // A sum with -0 is the product itself (with +0 it loses the sign of a zero product).
        if self.rounds_to_nearest(inst) && (self.is_fconst(z, -0.0) || f.has(Flags::NSZ) && self.fc(z) == Some(0.0)) {
            return self.refloat(inst, Opcode::FMul, &[x, y]);
        }
        if self.fc(y) == Some(0.0)
            && f.has(Flags::NNAN)
            && f.has(Flags::NSZ)
            && let Some(step) = self.unchanged(inst, z)
        {
            return Some(step);
        }
        if let Some(a) = self.un(x, Opcode::FNeg) {
            if let Some(b) = self.un(y, Opcode::FNeg) {
                return self.refloat(inst, Opcode::Fma, &[a, b, z]);
            }
            if let Some(c) = self.fc(y) {
                let k = self.func.dfg.fconst(ty, -c);
                return self.refloat(inst, Opcode::Fma, &[a, k, z]);
            }
        }
        None
    }

    pub(super) fn fneg(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let f = self.flags(inst);
        if let Some(a) = self.un(x, Opcode::FNeg) {
            return Some(Step::Value(a));
        }
        let d = self.func.dfg.def_inst(x).filter(|_| self.one_use(x))?;
        let op = self.func.dfg.op(d);
        let data = &self.func.dfg.insts[d];
        let (g, payload) = (data.flags, data.payload.clone());
        if g.has(Flags::SAT) {
            return None;
        }
        let (a, b) = (self.arg(d, 0), self.func.dfg.args(d).get(1).copied());
        match (op, b) {
            (Opcode::FSub, Some(b)) if f.with(g).has(Flags::NSZ) && self.symmetric_rounding(d) => {
                self.rewrite(inst, Opcode::FSub, g, &[b, a], payload)
            }
            (Opcode::FMul | Opcode::FDiv, Some(b)) if self.symmetric_rounding(d) => {
                let c = self.c(b)?;
                let k = self.bits(self.ty(b), c ^ sign_bit(self.ty(b)));
                self.rewrite(inst, op, g, &[a, k], payload)
            }
            _ => None,
        }
    }

    pub(super) fn fabs(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        if self.un(x, Opcode::FAbs).is_some() {
            return Some(Step::Value(x));
        }
        let inner = self.un(x, Opcode::FNeg).or_else(|| self.bin(x, Opcode::FCopysign).map(|(a, ..)| a))?;
        let f = self.flags(inst);
        self.rewrite(inst, Opcode::FAbs, f, &[inner], Payload::None)
    }

    pub(super) fn fminmax(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let op = self.func.dfg.op(inst);
        if x == y {
            return self.unchanged(inst, x);
        }
        let c = self.fc(y)?;
        if c.is_nan() {
            return self.unchanged(inst, x);
        }
        let (a, b, g) = self.bin(x, op)?;
        self.fc(b)?;
        if f.with(g).has(Flags::SAT) {
            return None;
        }
        let k = self.op2(op, Flags::NONE, b, y);
        self.rewrite2(inst, op, f.common(g), a, k)
    }

    pub(super) fn round(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let d = self.func.dfg.def_inst(x)?;
        let integral = matches!(
            self.func.dfg.op(d),
            Opcode::FFloor | Opcode::FCeil | Opcode::FTrunc | Opcode::FRint | Opcode::SiToFp | Opcode::UiToFp
        );
        if integral { self.unchanged(inst, x) } else { None }
    }
}

fn sign_bit(ty: Type) -> u64 {
    ty.mask() ^ ty.mask() >> 1
}

fn smallest_normal(ty: Type) -> f64 {
    match ty.scalar() {
        Type::F16 => 6.103_515_625e-5,
        Type::BF16 | Type::F32 => f64::from(f32::MIN_POSITIVE),
        _ => f64::MIN_POSITIVE,
    }
}

/// `1 / c` if it is exact, and neither is subnormal, so that the product is the quotient in every rounding mode.
fn exact_reciprocal(ty: Type, c: f64) -> Option<f64> {
    if !c.is_normal() || c.to_bits() & ((1 << 52) - 1) != 0 {
        return None;
    }
    let r = 1.0 / c;
    let (low, high) = (
        smallest_normal(ty),
        match ty.scalar() {
            Type::F16 => 32768.0,
            Type::BF16 | Type::F32 => 2f64.powi(127),
            _ => 2f64.powi(1023),
        },
    );
    [c, r].iter().all(|v| v.abs() >= low && v.abs() <= high).then_some(r)
}
