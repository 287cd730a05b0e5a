//! Saturating integer arithmetic.

use crate::{Emitter, Operands};
use ir::{IntCC, Opcode, Type, Value};

impl Emitter<'_> {
    pub(crate) fn add_sat(&mut self, a: Value, b: Value, signed: bool) -> Value {
        let ty = self.ty(a);
        let sum = self.op2(Opcode::Add, a, b);
        if !signed {
            let over = self.build(|x| x.icmp(IntCC::Ult, sum, a));
            let max = self.iconst(ty, -1);
            return self.build(|x| x.select(over, max, sum));
        }
        // Overflow where both operands differ in sign from the sum.
        let (p, q) = (self.op2(Opcode::Xor, a, sum), self.op2(Opcode::Xor, b, sum));
        let both = self.op2(Opcode::And, p, q);
        self.saturated(both, a, sum)
    }

    pub(crate) fn sub_sat(&mut self, a: Value, b: Value, signed: bool) -> Value {
        let ty = self.ty(a);
        let d = self.op2(Opcode::Sub, a, b);
        if !signed {
            let under = self.build(|x| x.icmp(IntCC::Ult, a, b));
            let zero = self.iconst(ty, 0);
            return self.build(|x| x.select(under, zero, d));
        }
        let (p, q) = (self.op2(Opcode::Xor, a, b), self.op2(Opcode::Xor, a, d));
        let both = self.op2(Opcode::And, p, q);
        self.saturated(both, a, d)
    }

    /// `value`, or the limit on `a`'s side where the sign bit of `overflow` is set.
    fn saturated(&mut self, overflow: Value, a: Value, value: Value) -> Value {
        let ty = self.ty(value);
        let zero = self.iconst(ty, 0);
        let over = self.build(|x| x.icmp(IntCC::Slt, overflow, zero));
        let top = self.iconst(ty, i64::from(ty.bits()) - 1);
        let sign = self.op2(Opcode::AShr, a, top);
        let max = self.func.dfg.bits(ty, ty.mask() >> 1);
        let limit = self.op2(Opcode::Xor, sign, max);
        self.build(|x| x.select(over, limit, value))
    }

    /// Saturating `a * b + c`.
    pub(crate) fn mad_sat(&mut self, o: &Operands) -> Value {
        let signed = o.is_signed(0);
        if o.ty.bits() < 64 {
            return self.mad_sat_narrow(o, signed);
        }
        let (a, b, c) = (o.get(0), o.get(1), o.get(2));
        let lo = self.op2(Opcode::Mul, a, b);
        let hi = self.op2(if signed { Opcode::MulHiS } else { Opcode::MulHiU }, a, b);
        let sum = self.add_sat(lo, c, signed);
        if !signed {
            let zero = self.iconst(o.ty, 0);
            let over = self.build(|x| x.icmp(IntCC::Ne, hi, zero));
            let max = self.iconst(o.ty, -1);
            return self.build(|x| x.select(over, max, sum));
        }
        self.fitting_sum(hi, lo, c)
    }

    /// `a * b + c` of up to 32 bits, computed in 64.
    fn mad_sat_narrow(&mut self, o: &Operands, signed: bool) -> Value {
        let (a, b, c) = (o.get(0), o.get(1), o.get(2));
        let ty = o.ty;
        let wide = ty.with_scalar(Type::I64);
        let (x, y, z) = (self.resize(a, wide, signed), self.resize(b, wide, signed), self.resize(c, wide, signed));
        let p = self.op2(Opcode::Mul, x, y);
        let sum = self.op2(Opcode::Add, p, z);
        let max = if signed { ty.mask() >> 1 } else { ty.mask() };
        let max = self.func.dfg.bits(wide, max);
        let v = if signed {
            let least = self.iconst(wide, -(1i64 << (ty.bits() - 1)));
            let v = self.op2(Opcode::SMax, sum, least);
            self.op2(Opcode::SMin, v, max)
        } else {
            // The 64-bit sum of unsigned operands below 2³² cannot wrap.
            self.op2(Opcode::UMin, sum, max)
        };
        self.resize(v, ty, false)
    }

    /// The exact 128-bit sum `hi:lo + c`, all signed, or the limit that it exceeds. It fits if its high half is the sign of
    /// its low half.
    fn fitting_sum(&mut self, hi: Value, lo: Value, c: Value) -> Value {
        let ty = self.ty(lo);
        let top = self.iconst(ty, 63);
        let low = self.op2(Opcode::Add, lo, c);
        let carry = self.build(|x| x.icmp(IntCC::Ult, low, lo));
        let carry = self.build(|x| x.cast(Opcode::ZExt, carry, ty));
        let c_hi = self.op2(Opcode::AShr, c, top);
        let high = self.op2(Opcode::Add, hi, c_hi);
        let high = self.op2(Opcode::Add, high, carry);
        let expected = self.op2(Opcode::AShr, low, top);
        let fits = self.build(|x| x.icmp(IntCC::Eq, high, expected));
        let sign = self.op2(Opcode::AShr, high, top);
        let max = self.func.dfg.bits(ty, ty.mask() >> 1);
        let limit = self.op2(Opcode::Xor, sign, max);
        self.build(|x| x.select(fits, low, limit))
    }
}
