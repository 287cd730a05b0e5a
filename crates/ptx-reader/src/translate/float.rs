//! Floating-point arithmetic.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::Instruction;
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{Flags, FloatCC, Intrinsic, Opcode, Payload, Round, Type, Value};

/// The words for rounding.
pub(super) const ROUNDS: [(&str, Round); 4] =
    [("rn", Round::NearestEven), ("rz", Round::Zero), ("rm", Round::Down), ("rp", Round::Up)];

impl<'a> Fx<'a, '_> {
    /// `.ftz` and `.sat`.
    fn float_flags(&self, m: &mut Mods<'_, 'a>) -> Flags {
        let ftz = if m.take("ftz") { Flags::FTZ } else { Flags::NONE };
        if m.take("sat") { ftz.with(Flags::SAT) } else { ftz }
    }

    /// How arithmetic is rounded; nearest even is what the IR does without a word.
    fn rounding(round: Option<Round>) -> Payload {
        match round {
            None | Some(Round::NearestEven) => Payload::None,
            Some(r) => Payload::Round(r),
        }
    }

    /// `add`, `sub`, `mul`: without a rounding mode they may be fused.
    pub(super) fn float_binary(
        &mut self,
        i: &'a Instruction<'a>,
        m: &mut Mods<'_, 'a>,
        ty: PtxType,
        op: Opcode,
    ) -> Outcome<()> {
        let round = m.one_of(&ROUNDS);
        let mut flags = self.float_flags(m);
        if round.is_none() {
            flags = flags.with(Flags::CONTRACT);
        }
        let [d, a, b] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let v = self.op_with(op, flags, Self::rounding(round), &[a, b]);
        self.set(d, v, ty)
    }

    /// `fma`, and `mad` of floats.
    pub(super) fn fused(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>, ty: PtxType) -> Outcome<()> {
        let round = m.one_of(&ROUNDS);
        let flags = self.float_flags(m);
        let relu = m.take("relu");
        let [d, a, b, c] = self.operands(i)?;
        let (a, b, c) = (self.value(a, ty)?, self.value(b, ty)?, self.value(c, ty)?);
        let v = self.op_with(Opcode::Fma, flags, Self::rounding(round), &[a, b, c]);
        let v = if relu { self.relu(v) } else { v };
        self.set(d, v, ty)
    }

    /// Negative numbers become zero; NaN stays.
    pub(super) fn relu(&mut self, v: Value) -> Value {
        let own = self.ty(v);
        let zero = self.func.dfg.fconst(own, 0.0);
        let below = self.builder().fcmp(FloatCC::Olt, Flags::NONE, v, zero);
        self.select(below, zero, v)
    }

    /// `div` of floats.
    pub(super) fn float_quotient(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>, ty: PtxType) -> Outcome<()> {
        let round = m.one_of(&ROUNDS);
        let about = m.one_of(&[("approx", Intrinsic::DivApprox), ("full", Intrinsic::DivFull)]);
        let flags = self.float_flags(m);
        let [d, a, b] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let v = match about {
            Some(op) if ty == PtxType::F32 => {
                self.make(Opcode::Intrinsic, Type::F32, flags, Payload::Intrinsic(op), &[a, b])
            }
            None if round.is_some() => self.op_with(Opcode::FDiv, flags, Self::rounding(round), &[a, b]),
            _ => return Err(PtxError::operand(i.span, format!("`{}` lacks how to round", i.full_name()))),
        };
        self.set(d, v, ty)
    }

    /// `rcp`, `sqrt`, `rsqrt`, `sin`, `cos`, `ex2`, `lg2`, `tanh`
    pub(super) fn function(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let round = m.one_of(&ROUNDS);
        let about = m.take("approx");
        let turns = m.take("2pi") && matches!(i.name, "sin" | "cos");
        let flags = self.float_flags(m);
        let ty = m.ty()?;
        let own = ty.ir().filter(|_| ty.is_float());
        let Some(own) = own else {
            return Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, ty.name())));
        };
        let [d, a] = self.operands(i)?;
        let mut a = self.value(a, ty)?;
        if turns {
            // Whole turns are taken away, which is exact; what has none keeps the sign of a zero.
            let (whole, tau) = (self.op(Opcode::FRint, &[a]), self.func.dfg.fconst(own, std::f64::consts::TAU));
            let part = self.op(Opcode::FSub, &[a, whole]);
            let zero = self.func.dfg.fconst(own, 0.0);
            let small = self.builder().fcmp(FloatCC::Oeq, Flags::NONE, whole, zero);
            let part = self.select(small, a, part);
            a = self.op_with(Opcode::FMul, flags, Payload::None, &[part, tau]);
        }
        let approximate = match i.name {
            "rcp" => Intrinsic::RcpApprox,
            "sqrt" => Intrinsic::SqrtApprox,
            "rsqrt" => Intrinsic::RsqrtApprox,
            "sin" => Intrinsic::SinApprox,
            "cos" => Intrinsic::CosApprox,
            "ex2" => Intrinsic::Ex2Approx,
            "lg2" => Intrinsic::Lg2Approx,
            _ => Intrinsic::TanhApprox,
        };
        let v = match (i.name, round) {
            (_, None) if about => self.approximate(approximate, flags, a),
            ("rcp", Some(_)) => {
                let one = self.func.dfg.fconst(own, 1.0);
                self.op_with(Opcode::FDiv, flags, Self::rounding(round), &[one, a])
            }
            ("sqrt", Some(_)) => self.op_with(Opcode::FSqrt, flags, Self::rounding(round), &[a]),
            _ => return Err(PtxError::operand(i.span, format!("`{}` lacks how to round", i.full_name()))),
        };
        self.set(d, v, ty)
    }

    /// An approximate function, of pairs element by element, of `bf16` by way of single precision.
    fn approximate(&mut self, op: Intrinsic, flags: Flags, a: Value) -> Value {
        let ty = self.ty(a);
        if ty.is_vector() {
            let each = |fx: &mut Self, n| {
                let v = fx.builder().extract(a, n);
                fx.approximate(op, flags, v)
            };
            let pair = [each(self, 0), each(self, 1)];
            return self.builder().vec_build(&pair);
        }
        if ty != Type::BF16 {
            return self.make(Opcode::Intrinsic, ty, flags, Payload::Intrinsic(op), &[a]);
        }
        let wide = self.make(Opcode::FpExt, Type::F32, Flags::NONE, Payload::None, &[a]);
        let v = self.make(Opcode::Intrinsic, Type::F32, flags, Payload::Intrinsic(op), &[wide]);
        self.make(Opcode::FpTrunc, ty, Flags::NONE, Payload::None, &[v])
    }

    /// `abs`, `neg` of floats.
    pub(super) fn float_sign(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>, ty: PtxType) -> Outcome<()> {
        let flags = self.float_flags(m);
        let [d, a] = self.operands(i)?;
        let a = self.value(a, ty)?;
        let op = if i.name == "abs" { Opcode::FAbs } else { Opcode::FNeg };
        let mut v = self.op_with(op, Flags::NONE, Payload::None, &[a]);
        if flags.has(Flags::FTZ) {
            // The sign operations of the IR leave subnormals alone; a product with one flushes them.
            let one = self.func.dfg.fconst(self.ty(v), 1.0);
            v = self.op_with(Opcode::FMul, flags, Payload::None, &[v, one]);
        }
        self.set(d, v, ty)
    }

    /// `min`, `max` of floats.
    pub(super) fn float_extremum(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>, ty: PtxType) -> Outcome<()> {
        let flags = self.float_flags(m);
        let nan = m.take("NaN");
        let xorsign = m.take("xorsign");
        if xorsign && !m.take("abs") {
            return Err(PtxError::operand(i.span, "`.xorsign` goes with `.abs`"));
        }
        let op = if i.name == "min" { Opcode::FMin } else { Opcode::FMax };
        let [d, a, b] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let (mut x, mut y) = (a, b);
        if xorsign {
            (x, y) = (self.op(Opcode::FAbs, &[a]), self.op(Opcode::FAbs, &[b]));
        }
        let mut v = self.op_with(op, flags, Payload::None, &[x, y]);
        if nan {
            // The sum of a NaN and anything is one.
            let sum = self.op_with(Opcode::FAdd, flags, Payload::None, &[x, y]);
            let any = self.builder().fcmp(FloatCC::Uno, Flags::NONE, x, y);
            v = self.select(any, sum, v);
        }
        if xorsign {
            let bits = Type::int(self.ty(a).bits()).unwrap_or(Type::I32);
            let bits = self.ty(a).with_scalar(bits);
            let (p, q) = (self.reinterpret(a, bits), self.reinterpret(b, bits));
            let sign = self.op(Opcode::Xor, &[p, q]);
            let sign = self.reinterpret(sign, self.ty(a));
            v = self.op(Opcode::FCopysign, &[v, sign]);
        }
        self.set(d, v, ty)
    }

    /// `copysign`, `testp`
    pub(super) fn classify(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        const TESTS: [(&str, &str); 6] = [
            ("finite", "finite"),
            ("infinite", "infinite"),
            ("number", "number"),
            ("notanumber", "notanumber"),
            ("normal", "normal"),
            ("subnormal", "subnormal"),
        ];
        let test = m.one_of(&TESTS);
        let ty = m.ty()?;
        if !matches!(ty, PtxType::F32 | PtxType::F64) {
            return Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, ty.name())));
        }
        if i.name == "copysign" {
            let [d, a, b] = self.operands(i)?;
            let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
            // The sign comes from the first operand.
            let v = self.op(Opcode::FCopysign, &[b, a]);
            return self.set(d, v, ty);
        }
        let Some(test) = test else { return Err(PtxError::operand(i.span, "`testp` lacks what to test")) };
        let [d, a] = self.operands(i)?;
        let a = self.value(a, ty)?;
        let x = self.op(Opcode::FAbs, &[a]);
        let own = self.ty(x);
        let infinity = self.func.dfg.fconst(own, f64::INFINITY);
        let least =
            self.func.dfg.fconst(own, if own == Type::F32 { f32::MIN_POSITIVE.into() } else { f64::MIN_POSITIVE });
        let zero = self.func.dfg.fconst(own, 0.0);
        let mut cmp = |cc, y| self.builder().fcmp(cc, Flags::NONE, x, y);
        let v = match test {
            "finite" => cmp(FloatCC::Olt, infinity),
            "infinite" => cmp(FloatCC::Oeq, infinity),
            "number" => cmp(FloatCC::Ord, x),
            "notanumber" => cmp(FloatCC::Uno, x),
            _ => {
                let (low, high) = if test == "normal" {
                    (cmp(FloatCC::Oge, least), cmp(FloatCC::Olt, infinity))
                } else {
                    (cmp(FloatCC::Ogt, zero), cmp(FloatCC::Olt, least))
                };
                self.op(Opcode::And, &[low, high])
            }
        };
        self.set(d, v, PtxType::Pred)
    }
}
