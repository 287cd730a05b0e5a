//! Integer operations: on scalars, and on vectors lane by lane.

use crate::{Emitter, Operands};
use builtins::IntegerOp;
use ir::{Flags, IntCC, Intrinsic, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

impl Emitter<'_> {
    pub(crate) fn integer(&mut self, op: IntegerOp, o: &Operands) -> Value {
        let s = o.is_signed(0);
        let (min, max) = if s { (Opcode::SMin, Opcode::SMax) } else { (Opcode::UMin, Opcode::UMax) };
        match op {
            IntegerOp::Abs => {
                let v = if s { self.op1(Opcode::Abs, o.get(0)) } else { o.get(0) };
                self.resize(v, o.ty, false)
            }
            IntegerOp::AbsDiff => {
                let hi = self.op2(max, o.get(0), o.get(1));
                let lo = self.op2(min, o.get(0), o.get(1));
                self.op2(Opcode::Sub, hi, lo)
            }
            IntegerOp::Min => self.op2(min, o.get(0), o.get(1)),
            IntegerOp::Max => self.op2(max, o.get(0), o.get(1)),
            IntegerOp::Clamp => {
                let v = self.op2(max, o.get(0), o.get(1));
                self.op2(min, v, o.get(2))
            }
            IntegerOp::AddSat => self.add_sat(o.get(0), o.get(1), s),
            IntegerOp::SubSat => self.sub_sat(o.get(0), o.get(1), s),
            IntegerOp::HalfAdd => self.half_add(o.get(0), o.get(1), s, false),
            IntegerOp::RoundedHalfAdd => self.half_add(o.get(0), o.get(1), s, true),
            IntegerOp::MulHi => self.mul_hi(o.get(0), o.get(1), s),
            IntegerOp::MadHi => {
                let h = self.mul_hi(o.get(0), o.get(1), s);
                self.op2(Opcode::Add, h, o.get(2))
            }
            IntegerOp::MadSat => self.mad_sat(o),
            IntegerOp::Mul24 { in_range } => self.mul24(o.get(0), o.get(1), s, in_range),
            IntegerOp::Mad24 { in_range } => {
                let p = self.mul24(o.get(0), o.get(1), s, in_range);
                self.op2(Opcode::Add, p, o.get(2))
            }
            IntegerOp::Mul24Hi => self.mul24_hi(o),
            IntegerOp::Sad => self.signed_intrinsic(Intrinsic::SadS, Intrinsic::SadU, o),
            IntegerOp::Clz => self.bits_op(Opcode::Clz, o),
            IntegerOp::Ctz => self.bits_op(Opcode::Ctz, o),
            IntegerOp::PopCount => self.bits_op(Opcode::Popcnt, o),
            IntegerOp::BitReverse => self.bits_op(Opcode::BitRev, o),
            IntegerOp::ByteSwap => self.bits_op(Opcode::ByteSwap, o),
            IntegerOp::Ffs => self.find_first_set(o),
            IntegerOp::Parity => {
                let n = self.op1(Opcode::Popcnt, o.get(0));
                let one = self.iconst(self.ty(n), 1);
                let n = self.op2(Opcode::And, n, one);
                self.resize(n, o.ty, false)
            }
            IntegerOp::Clrsb => self.redundant_sign_bits(o),
            IntegerOp::RotateLeft => self.build(|b| b.op(Opcode::Fshl, Flags::NONE, &[o.get(0), o.get(0), o.get(1)])),
            IntegerOp::Upsample => {
                let hi = self.resize(o.get(0), o.ty, false);
                let lo = self.resize(o.get(1), o.ty, false);
                let n = self.iconst(o.ty, i64::from(o.ty.bits() / 2));
                let hi = self.op2(Opcode::Shl, hi, n);
                self.op2(Opcode::Or, hi, lo)
            }
            IntegerOp::BytePerm => self.byte_perm(o),
            IntegerOp::FunnelShift { left, clamp } => self.funnel(o, left, clamp),
            IntegerOp::Dp4a => {
                let i = if o.is_signed(0) { Intrinsic::Dp4aS } else { Intrinsic::Dp4aU };
                let words = self.words(o);
                self.make(Opcode::Intrinsic, o.ty, Flags::NONE, &words, Payload::Intrinsic(i))
            }
            IntegerOp::Dp2a { hi } => self.dot_of_pairs(o, hi),
            IntegerOp::DotBytes { a, b, accumulate } => {
                let sum = self.dot_of_bytes(o, a, b);
                if accumulate { self.add_sat(sum, o.get(2), a || b) } else { sum }
            }
            IntegerOp::BitExtract => self.signed_intrinsic(Intrinsic::BfeS, Intrinsic::BfeU, o),
        }
    }

    /// An intrinsic on the operands as they are, by the first one's signedness.
    fn signed_intrinsic(&mut self, signed: Intrinsic, unsigned: Intrinsic, o: &Operands) -> Value {
        let i = if o.is_signed(0) { signed } else { unsigned };
        self.make(Opcode::Intrinsic, o.ty, Flags::NONE, o.values(), Payload::Intrinsic(i))
    }

    /// `__byte_perm`: three bits choose a byte. The fourth one, which in PTX asks for the byte's sign, does not count.
    fn byte_perm(&mut self, o: &Operands) -> Value {
        let chosen = self.iconst(o.ty, 0x7777);
        let selector = self.op2(Opcode::And, o.get(2), chosen);
        self.make(
            Opcode::Intrinsic,
            o.ty,
            Flags::NONE,
            &[o.get(0), o.get(1), selector],
            Payload::Intrinsic(Intrinsic::Prmt),
        )
    }

    /// An operation on bits whose result may have another width.
    fn bits_op(&mut self, code: Opcode, o: &Operands) -> Value {
        let v = self.op1(code, o.get(0));
        self.resize(v, o.ty, false)
    }

    /// 1 + index of the lowest set bit, 0 for 0.
    fn find_first_set(&mut self, o: &Operands) -> Value {
        let v = o.get(0);
        let t = self.ty(v);
        let n = self.op1(Opcode::Ctz, v);
        let one = self.iconst(t, 1);
        let n = self.op2(Opcode::Add, n, one);
        let zero = self.iconst(t, 0);
        let none = self.build(|b| b.icmp(IntCC::Eq, v, zero));
        let n = self.build(|b| b.select(none, zero, n));
        self.resize(n, o.ty, false)
    }

    fn redundant_sign_bits(&mut self, o: &Operands) -> Value {
        let v = o.get(0);
        let t = self.ty(v);
        let top = self.iconst(t, i64::from(t.bits()) - 1);
        let sign = self.op2(Opcode::AShr, v, top);
        let x = self.op2(Opcode::Xor, v, sign);
        let n = self.op1(Opcode::Clz, x);
        let one = self.iconst(t, 1);
        let n = self.op2(Opcode::Sub, n, one);
        self.resize(n, o.ty, false)
    }

    /// Operands as words: `char4` and `short2` are the same bits.
    fn words(&mut self, o: &Operands) -> SmallVec<[Value; 3]> {
        o.values().iter().map(|&v| if self.ty(v).is_vector() { self.reinterpret(v, Type::I32) } else { v }).collect()
    }

    /// `__dp2a_lo`, `__dp2a_hi`: the intrinsic takes the lower bytes.
    fn dot_of_pairs(&mut self, o: &Operands, hi: bool) -> Value {
        let i = if o.is_signed(0) { Intrinsic::Dp2aS } else { Intrinsic::Dp2aU };
        let mut v = self.words(o);
        if hi {
            let n = self.iconst(self.ty(v[1]), 16);
            v[1] = self.op2(Opcode::LShr, v[1], n);
        }
        self.make(Opcode::Intrinsic, o.ty, Flags::NONE, &v, Payload::Intrinsic(i))
    }

    /// The sum of the products of four bytes, which fits a word whatever their signs.
    fn dot_of_bytes(&mut self, o: &Operands, a: bool, b: bool) -> Value {
        let words = self.words(o);
        if a == b && self.context.target.has_dot_product() {
            let i = if a { Intrinsic::Dp4aS } else { Intrinsic::Dp4aU };
            let zero = self.iconst(Type::I32, 0);
            return self.make(Opcode::Intrinsic, o.ty, Flags::NONE, &[words[0], words[1], zero], Payload::Intrinsic(i));
        }
        let product = |e: &mut Self, n| {
            let (x, y) = (e.byte_of(words[0], n, a), e.byte_of(words[1], n, b));
            e.op2(Opcode::Mul, x, y)
        };
        let first = product(self, 0);
        (1..4).fold(first, |sum, n| {
            let p = product(self, n);
            self.op2(Opcode::Add, sum, p)
        })
    }

    /// A byte of a word as a word; 0 is the lowest.
    fn byte_of(&mut self, word: Value, n: i64, signed: bool) -> Value {
        let up = self.iconst(Type::I32, 24 - 8 * n);
        let down = self.iconst(Type::I32, 24);
        let top = self.op2(Opcode::Shl, word, up);
        self.op2(if signed { Opcode::AShr } else { Opcode::LShr }, top, down)
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

    /// Product of the low 24 bits.
    fn mul24(&mut self, a: Value, b: Value, signed: bool, in_range: bool) -> Value {
        let ty = self.ty(a);
        if in_range && (ty.is_vector() || !self.context.target.has_mul24()) {
            // An ordinary product is right, and nothing is quicker.
            return self.op2(Opcode::Mul, a, b);
        }
        if ty.is_vector() {
            let (a, b) = (self.low24(a, signed), self.low24(b, signed));
            return self.op2(Opcode::Mul, a, b);
        }
        let i = if signed { Intrinsic::Mul24S } else { Intrinsic::Mul24U };
        self.make(Opcode::Intrinsic, ty, Flags::NONE, &[a, b], Payload::Intrinsic(i))
    }

    /// The low 24 of 32 bits, extended.
    fn low24(&mut self, v: Value, signed: bool) -> Value {
        let ty = self.ty(v);
        let eight = self.iconst(ty, 8);
        let up = self.op2(Opcode::Shl, v, eight);
        self.op2(if signed { Opcode::AShr } else { Opcode::LShr }, up, eight)
    }

    /// Bits 16 to 47 of the 48-bit product of the low 24 bits.
    fn mul24_hi(&mut self, o: &Operands) -> Value {
        let signed = o.is_signed(0);
        let wide = o.ty.with_scalar(Type::I64);
        let a = self.low24(o.get(0), signed);
        let a = self.resize(a, wide, signed);
        let b = self.low24(o.get(1), signed);
        let b = self.resize(b, wide, signed);
        let p = self.op2(Opcode::Mul, a, b);
        let n = self.iconst(wide, 16);
        let p = self.op2(if signed { Opcode::AShr } else { Opcode::LShr }, p, n);
        self.resize(p, o.ty, false)
    }

    fn funnel(&mut self, o: &Operands, left: bool, clamp: bool) -> Value {
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
}
