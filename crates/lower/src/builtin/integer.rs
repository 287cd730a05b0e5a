//! Integer, bit and relational builtins, and those that rearrange bits and lanes.

use super::Operands;
use crate::func::Fn;
use builtins::Op;
use ir::{Flags, IntCC, Intrinsic, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

impl Fn<'_, '_> {
    pub(super) fn integer_op(&mut self, op: Op, o: &Operands<'_>) -> Option<Value> {
        let ty = o.ty;
        let s = o.signed;
        let pick = |a: Opcode, b: Opcode| if s { a } else { b };
        let pick_intrinsic = |a: Intrinsic, b: Intrinsic| if s { a } else { b };
        Some(match op {
            Op::IAbs => {
                let v = if s { self.op1(Opcode::Abs, o.get(0)) } else { o.get(0) };
                self.resize(v, ty, false)
            }
            Op::IAbsDiff => {
                let (a, b) = (o.get(0), o.get(1));
                let hi = self.op2(pick(Opcode::SMax, Opcode::UMax), a, b);
                let lo = self.op2(pick(Opcode::SMin, Opcode::UMin), a, b);
                self.op2(Opcode::Sub, hi, lo)
            }
            Op::IMin => self.op2(pick(Opcode::SMin, Opcode::UMin), o.get(0), o.get(1)),
            Op::IMax => self.op2(pick(Opcode::SMax, Opcode::UMax), o.get(0), o.get(1)),
            Op::IClamp => {
                let v = self.op2(pick(Opcode::SMax, Opcode::UMax), o.get(0), o.get(1));
                self.op2(pick(Opcode::SMin, Opcode::UMin), v, o.get(2))
            }
            Op::IAddSat => self.add_sat(o.get(0), o.get(1), s),
            Op::ISubSat => self.sub_sat(o.get(0), o.get(1), s),
            Op::IHadd | Op::IRhadd => self.half_add(o.get(0), o.get(1), s, op == Op::IRhadd),
            Op::IMulHi => self.mul_hi(o.get(0), o.get(1), s),
            Op::IMadHi => {
                let h = self.mul_hi(o.get(0), o.get(1), s);
                self.op2(Opcode::Add, h, o.get(2))
            }
            Op::IMadSat => self.mad_sat(o, s),
            Op::IMul24 => self.mul24(o.get(0), o.get(1), s),
            Op::IMad24 => {
                let p = self.mul24(o.get(0), o.get(1), s);
                self.op2(Opcode::Add, p, o.get(2))
            }
            Op::IMul24Hi => {
                // Bits 16 to 47 of the 48-bit product.
                let wide = ty.with_scalar(Type::I64);
                let eight = self.iconst(ty, 8);
                let low24 = |this: &mut Self, v: Value| {
                    let up = this.op2(Opcode::Shl, v, eight);
                    let v = this.op2(pick(Opcode::AShr, Opcode::LShr), up, eight);
                    this.resize(v, wide, s)
                };
                let (a, b) = (low24(self, o.get(0)), low24(self, o.get(1)));
                let p = self.op2(Opcode::Mul, a, b);
                let n = self.iconst(wide, 16);
                let p = self.op2(pick(Opcode::AShr, Opcode::LShr), p, n);
                self.resize(p, ty, false)
            }
            Op::ISad => {
                let i = pick_intrinsic(Intrinsic::SadS, Intrinsic::SadU);
                self.make(Opcode::Intrinsic, ty, Flags::NONE, &o.v, Payload::Intrinsic(i))
            }
            Op::Clz | Op::Ctz | Op::PopCount | Op::BitReverse | Op::ByteSwap => {
                let code = match op {
                    Op::Clz => Opcode::Clz,
                    Op::Ctz => Opcode::Ctz,
                    Op::PopCount => Opcode::Popcnt,
                    Op::BitReverse => Opcode::BitRev,
                    _ => Opcode::ByteSwap,
                };
                let v = self.op1(code, o.get(0));
                self.resize(v, ty, false)
            }
            Op::Ffs => {
                let v = o.get(0);
                let t = self.ty(v);
                let n = self.op1(Opcode::Ctz, v);
                let one = self.iconst(t, 1);
                let n = self.op2(Opcode::Add, n, one);
                let zero = self.iconst(t, 0);
                let none = self.build(|b| b.icmp(IntCC::Eq, v, zero));
                let n = self.build(|b| b.select(none, zero, n));
                self.resize(n, ty, false)
            }
            Op::Parity => {
                let n = self.op1(Opcode::Popcnt, o.get(0));
                let one = self.iconst(self.ty(n), 1);
                let n = self.op2(Opcode::And, n, one);
                self.resize(n, ty, false)
            }
            Op::Clrsb => {
                let v = o.get(0);
                let t = self.ty(v);
                let top = self.iconst(t, i64::from(t.bits()) - 1);
                let sign = self.op2(Opcode::AShr, v, top);
                let x = self.op2(Opcode::Xor, v, sign);
                let n = self.op1(Opcode::Clz, x);
                let one = self.iconst(t, 1);
                let n = self.op2(Opcode::Sub, n, one);
                self.resize(n, ty, false)
            }
            Op::RotateLeft => self.build(|b| b.op(Opcode::Fshl, Flags::NONE, &[o.v[0], o.v[0], o.v[1]])),
            Op::Upsample => {
                let hi = self.resize(o.get(0), ty, false);
                let lo = self.resize(o.get(1), ty, false);
                let n = self.iconst(ty, i64::from(ty.bits() / 2));
                let hi = self.op2(Opcode::Shl, hi, n);
                self.op2(Opcode::Or, hi, lo)
            }
            Op::BytePerm => self.make(Opcode::Intrinsic, ty, Flags::NONE, &o.v, Payload::Intrinsic(Intrinsic::Prmt)),
            Op::FunnelShift { left, clamp } => self.funnel(o, left, clamp),
            Op::Dp4a => {
                let i = pick_intrinsic(Intrinsic::Dp4aS, Intrinsic::Dp4aU);
                self.make(Opcode::Intrinsic, ty, Flags::NONE, &o.v, Payload::Intrinsic(i))
            }
            Op::Dp2a { hi } => {
                let i = pick_intrinsic(Intrinsic::Dp2aS, Intrinsic::Dp2aU);
                let mut v = o.v.clone();
                if hi {
                    let n = self.iconst(self.ty(v[1]), 16);
                    v[1] = self.op2(Opcode::LShr, v[1], n);
                }
                self.make(Opcode::Intrinsic, ty, Flags::NONE, &v, Payload::Intrinsic(i))
            }
            Op::BitExtract => {
                let i = pick_intrinsic(Intrinsic::BfeS, Intrinsic::BfeU);
                self.make(Opcode::Intrinsic, ty, Flags::NONE, &o.v, Payload::Intrinsic(i))
            }
            Op::BitSelect => self.bit_select(o),
            Op::Select => self.select_op(o),
            Op::Any | Op::All => self.any_all(o, op == Op::Any),
            Op::BitCast => self.reinterpret(o.get(0), ty),
            Op::PackHiLo => {
                let v = self.build(|b| b.vec_build(&[o.v[1], o.v[0]]));
                self.reinterpret(v, ty)
            }
            Op::HighWord | Op::LowWord => {
                let two = Type::I32.vector(2).unwrap_or(Type::I32);
                let v = self.reinterpret(o.get(0), two);
                self.build(|b| b.extract(v, u8::from(op == Op::HighWord)))
            }
            Op::MakeVector => self.make_vector(o),
            Op::Splat => self.splat(o.get(0), ty.lanes()),
            Op::Lane(n) => self.build(|b| b.extract(o.v[0], n)),
            Op::SplatLane(n) => {
                let v = self.build(|b| b.extract(o.v[0], n));
                self.splat(v, ty.lanes())
            }
            Op::ShuffleVector | Op::ShuffleVector2 => self.shuffle_op(o, op == Op::ShuffleVector2),
            Op::Expect => o.get(0),
            Op::ConstantP => {
                let known = self.func.dfg.as_const(o.get(0)).is_some();
                self.iconst(ty, i64::from(known))
            }
            _ => return None,
        })
    }

    fn add_sat(&mut self, a: Value, b: Value, signed: bool) -> Value {
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

    fn sub_sat(&mut self, a: Value, b: Value, signed: bool) -> Value {
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

    /// `(a + b) >> 1` or `(a + b + 1) >> 1` without overflow.
    fn half_add(&mut self, a: Value, b: Value, signed: bool, up: bool) -> Value {
        let ty = self.ty(a);
        let one = self.iconst(ty, 1);
        let common = self.op2(if up { Opcode::Or } else { Opcode::And }, a, b);
        let differ = self.op2(Opcode::Xor, a, b);
        let half = self.op2(if signed { Opcode::AShr } else { Opcode::LShr }, differ, one);
        self.op2(if up { Opcode::Sub } else { Opcode::Add }, common, half)
    }

    fn mul_hi(&mut self, a: Value, b: Value, signed: bool) -> Value {
        let ty = self.ty(a);
        if ty.bits() >= 32 {
            return self.op2(if signed { Opcode::MulHiS } else { Opcode::MulHiU }, a, b);
        }
        let wide = ty.with_scalar(Type::I32);
        let (a, b) = (self.resize(a, wide, signed), self.resize(b, wide, signed));
        let p = self.op2(Opcode::Mul, a, b);
        let n = self.iconst(wide, i64::from(ty.bits()));
        let p = self.op2(Opcode::LShr, p, n);
        self.resize(p, ty, false)
    }

    fn mul24(&mut self, a: Value, b: Value, signed: bool) -> Value {
        let ty = self.ty(a);
        if ty.is_vector() || self.on_host() && self.cx.options.opencl {
            // The operands must fit 24 bits (OpenCL leaves the rest undefined), so an ordinary product is right, and the
            // host has nothing quicker.
            return self.op2(Opcode::Mul, a, b);
        }
        let i = if signed { Intrinsic::Mul24S } else { Intrinsic::Mul24U };
        self.make(Opcode::Intrinsic, ty, Flags::NONE, &[a, b], Payload::Intrinsic(i))
    }

    fn mad_sat(&mut self, o: &Operands<'_>, signed: bool) -> Value {
        let (a, b, c) = (o.get(0), o.get(1), o.get(2));
        let ty = o.ty;
        if ty.bits() < 64 {
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
            return self.resize(v, ty, false);
        }
        let lo = self.op2(Opcode::Mul, a, b);
        let hi = self.op2(if signed { Opcode::MulHiS } else { Opcode::MulHiU }, a, b);
        let sum = self.add_sat(lo, c, signed);
        if !signed {
            let zero = self.iconst(ty, 0);
            let over = self.build(|x| x.icmp(IntCC::Ne, hi, zero));
            let max = self.iconst(ty, -1);
            return self.build(|x| x.select(over, max, sum));
        }
        // The exact 128-bit sum hi:lo + c fits if its high half is the sign of its low half.
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

    fn funnel(&mut self, o: &Operands<'_>, left: bool, clamp: bool) -> Value {
        let (lo, hi, n) = (o.get(0), o.get(1), o.get(2));
        let ty = o.ty;
        let code = if left { Opcode::Fshl } else { Opcode::Fshr };
        let n = self.resize(n, ty, false);
        let v = self.build(|b| b.op(code, Flags::NONE, &[hi, lo, n]));
        if !clamp {
            return v;
        }
        // At 32 and more the whole other word comes out.
        let width = self.iconst(ty, 32);
        let all = self.build(|b| b.icmp(IntCC::Uge, n, width));
        self.build(|b| b.select(all, if left { lo } else { hi }, v))
    }

    fn bit_select(&mut self, o: &Operands<'_>) -> Value {
        let int = o.ty.with_scalar(Type::int(o.ty.bits()).unwrap_or(Type::I32));
        let bits: SmallVec<[Value; 3]> = o.v.iter().map(|&v| self.reinterpret(v, int)).collect();
        let ones = self.iconst(int, -1);
        let not = self.op2(Opcode::Xor, bits[2], ones);
        let a = self.op2(Opcode::And, bits[0], not);
        let b = self.op2(Opcode::And, bits[1], bits[2]);
        let v = self.op2(Opcode::Or, a, b);
        self.reinterpret(v, o.ty)
    }

    fn select_op(&mut self, o: &Operands<'_>) -> Value {
        let c = o.get(2);
        let ty = self.ty(c);
        let zero = self.iconst(ty, 0);
        let cc = if ty.is_vector() { IntCC::Slt } else { IntCC::Ne };
        let c = self.build(|b| b.icmp(cc, c, zero));
        self.build(|b| b.select(c, o.v[1], o.v[0]))
    }

    fn any_all(&mut self, o: &Operands<'_>, any: bool) -> Value {
        let v = o.get(0);
        let ty = self.ty(v);
        let mut acc = v;
        if ty.is_vector() {
            acc = self.build(|b| b.extract(v, 0));
            for lane in 1..ty.lanes() {
                let x = self.build(|b| b.extract(v, lane));
                acc = self.op2(if any { Opcode::Or } else { Opcode::And }, acc, x);
            }
        }
        let zero = self.iconst(ty.scalar(), 0);
        let c = self.build(|b| b.icmp(IntCC::Slt, acc, zero));
        self.truth_as(c, o.ty)
    }

    fn make_vector(&mut self, o: &Operands<'_>) -> Value {
        let mut lanes: SmallVec<[Value; 16]> = SmallVec::new();
        for &v in &o.v {
            if self.ty(v).is_vector() {
                for l in 0..self.ty(v).lanes() {
                    lanes.push(self.build(|b| b.extract(v, l)));
                }
            } else {
                lanes.push(v);
            }
        }
        if lanes.len() == 1 { lanes[0] } else { self.build(|b| b.vec_build(&lanes)) }
    }

    /// OpenCL `shuffle` and `shuffle2`: lanes by the low bits of a mask that need not be constant.
    fn shuffle_op(&mut self, o: &Operands<'_>, two: bool) -> Value {
        let mask = o.v[if two { 2 } else { 1 }];
        let source = o.get(0);
        let n = self.ty(source).lanes();
        let lanes_in = if n == 3 { 4 } else { n };
        let elem = self.ty(source).scalar();
        let bits = i64::from(if two { lanes_in * 2 } else { lanes_in }) - 1;
        let mut lanes: SmallVec<[Value; 16]> = SmallVec::new();
        for l in 0..o.ty.lanes() {
            let m = self.build(|b| b.extract(mask, l));
            let m = self.resize(m, Type::I32, false);
            let keep = self.iconst(Type::I32, bits);
            let m = self.op2(Opcode::And, m, keep);
            let v = if two {
                let limit = self.iconst(Type::I32, i64::from(lanes_in));
                let low_bits = self.iconst(Type::I32, i64::from(lanes_in) - 1);
                let in_first = self.build(|b| b.icmp(IntCC::Ult, m, limit));
                let low = self.op2(Opcode::And, m, low_bits);
                let a = self.make(Opcode::ExtractDyn, elem, Flags::NONE, &[source, low], Payload::None);
                let b = self.make(Opcode::ExtractDyn, elem, Flags::NONE, &[o.v[1], low], Payload::None);
                self.build(|x| x.select(in_first, a, b))
            } else {
                self.make(Opcode::ExtractDyn, elem, Flags::NONE, &[source, m], Payload::None)
            };
            lanes.push(v);
        }
        self.build(|b| b.vec_build(&lanes))
    }
}
