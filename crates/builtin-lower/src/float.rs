//! Floating-point operations: on scalars, and on vectors lane by lane.

use crate::{Emitter, Operands};
use builtins::{FClass, FCmp, FloatOp, Flushed};
use ir::{Flags, FloatCC, IntCC, Intrinsic, Opcode, Payload, Round, Type, Value};
use smallvec::SmallVec;

/// The IR's name of a rounding mode.
pub(crate) fn round(r: builtins::Round) -> Round {
    match r {
        builtins::Round::Nearest => Round::NearestEven,
        builtins::Round::Zero => Round::Zero,
        builtins::Round::Up => Round::Up,
        builtins::Round::Down => Round::Down,
    }
}

/// The payload of a rounding mode where `default` is not written.
pub(crate) fn payload(r: Round, default: Round) -> Payload {
    if r == default { Payload::None } else { Payload::Round(r) }
}

impl Emitter<'_> {
    pub(crate) fn float(&mut self, op: FloatOp, o: &Operands) -> Value {
        let ty = o.ty;
        match op {
            FloatOp::Add(r) => self.rounded(Opcode::FAdd, r, o),
            FloatOp::Sub(r) => self.rounded(Opcode::FSub, r, o),
            FloatOp::Mul(r) => self.rounded(Opcode::FMul, r, o),
            FloatOp::Div(r) => self.rounded(Opcode::FDiv, r, o),
            FloatOp::Fma(r) => self.rounded(Opcode::Fma, r, o),
            FloatOp::Sqrt(r) => self.rounded(Opcode::FSqrt, r, o),
            FloatOp::Rcp(r) => {
                let one = self.func.dfg.fconst(ty, 1.0);
                let flags = self.ftz(ty);
                self.make(Opcode::FDiv, ty, flags, &[one, o.get(0)], payload(round(r), Round::NearestEven))
            }
            FloatOp::MulAdd => self.mul_add(o),
            FloatOp::DivApprox => self.approximate_op(Opcode::FDiv, Intrinsic::DivApprox, o),
            FloatOp::SqrtApprox => self.approximate_op(Opcode::FSqrt, Intrinsic::SqrtApprox, o),
            // Without an instruction for it the quotient is exact unless the code generator knows something quicker.
            FloatOp::RcpApprox if !self.has_approximate() => self.quick_reciprocal(o.get(0), Flags::NONE),
            FloatOp::RcpRough if !self.has_approximate() => self.quick_reciprocal(o.get(0), Flags::ROUGH),
            FloatOp::RcpApprox | FloatOp::RcpRough => self.lanewise(Intrinsic::RcpApprox, o),
            FloatOp::RsqrtRough if !self.has_approximate() => {
                self.lanewise_with(Intrinsic::RsqrtApprox, Flags::ROUGH, o)
            }
            FloatOp::RsqrtApprox | FloatOp::RsqrtRough => self.lanewise(Intrinsic::RsqrtApprox, o),
            FloatOp::RootOfPositive => self.lanewise_with(Intrinsic::SqrtApprox, Flags::OF_POSITIVE, o),
            FloatOp::SinApprox => self.lanewise(Intrinsic::SinApprox, o),
            FloatOp::CosApprox => self.lanewise(Intrinsic::CosApprox, o),
            FloatOp::Exp2Approx => self.lanewise(Intrinsic::Ex2Approx, o),
            FloatOp::Log2Approx => self.lanewise(Intrinsic::Lg2Approx, o),
            FloatOp::ScaleBy => self.lanewise(Intrinsic::Scale, o),
            FloatOp::Exponent => self.lanewise(Intrinsic::Exponent, o),
            FloatOp::Significand => self.lanewise(Intrinsic::Significand, o),
            FloatOp::TanhApprox => self.lanewise(Intrinsic::TanhApprox, o),
            FloatOp::Flushed(Flushed::Rcp) if !self.has_approximate() => self.quick_reciprocal(o.get(0), Flags::NONE),
            FloatOp::Flushed(op) => self.flushed(op, o.get(0)),
            FloatOp::Abs => self.op1(Opcode::FAbs, o.get(0)),
            FloatOp::Neg => self.op1(Opcode::FNeg, o.get(0)),
            FloatOp::Min => self.min_max(Opcode::FMin, o.get(0), o.get(1)),
            FloatOp::Max => self.min_max(Opcode::FMax, o.get(0), o.get(1)),
            FloatOp::MinNan => self.min_max_nan(Opcode::FMin, o.get(0), o.get(1)),
            FloatOp::MaxNan => self.min_max_nan(Opcode::FMax, o.get(0), o.get(1)),
            FloatOp::CopySign => self.op2(Opcode::FCopysign, o.get(0), o.get(1)),
            FloatOp::RoundToInt(r) => self.round_to_int(r, o),
            FloatOp::Saturate => self.saturate(o.get(0)),
            FloatOp::FmaSaturated => {
                let v = self.rounded(Opcode::Fma, builtins::Round::Nearest, o);
                self.saturate(v)
            }
            FloatOp::FmaRelu => {
                let v = self.rounded(Opcode::Fma, builtins::Round::Nearest, o);
                let zero = self.func.dfg.fconst(ty, 0.0);
                self.min_max_nan(Opcode::FMax, v, zero)
            }
            FloatOp::ComplexFma => self.complex_fma(o.get(0), o.get(1), o.get(2)),
            FloatOp::Class(class) => self.classify(class, o),
            FloatOp::Compare(cmp) => {
                let v = self.compare_floats(cmp, o);
                self.truth_as(v, ty)
            }
            FloatOp::CompareAll(cmp) => {
                let v = self.compare_floats(cmp, o);
                let first = self.build(|b| b.extract(v, 0));
                let all = (1..self.ty(v).lanes()).fold(first, |all, n| {
                    let lane = self.build(|b| b.extract(v, n));
                    self.op2(Opcode::And, all, lane)
                });
                self.truth_as(all, ty)
            }
            FloatOp::CompareMask(cmp) => {
                let v = self.compare_floats(cmp, o);
                let of = self.ty(o.get(0));
                let lanes = self.truth_as(v, of.with_scalar(Type::int(of.scalar().bits()).unwrap_or(Type::I32)));
                self.reinterpret(lanes, ty)
            }
            FloatOp::MaxC => self.select_if(FloatCC::Olt, o.get(0), o.get(1), o.get(1), o.get(0)),
            FloatOp::MinC => self.select_if(FloatCC::Olt, o.get(1), o.get(0), o.get(1), o.get(0)),
            FloatOp::Clamp => {
                let v = self.min_max(Opcode::FMax, o.get(0), o.get(1));
                self.min_max(Opcode::FMin, v, o.get(2))
            }
            FloatOp::Mix => self.mix(o),
            FloatOp::Step => {
                let (zero, one) = (self.func.dfg.fconst(ty, 0.0), self.func.dfg.fconst(ty, 1.0));
                self.select_if(FloatCC::Olt, o.get(1), o.get(0), zero, one)
            }
            FloatOp::Scale(bits) => {
                let k = self.func.dfg.fconst(ty, f64::from_bits(bits));
                let flags = self.fp_flags(ty);
                self.build(|b| b.op(Opcode::FMul, flags, &[o.get(0), k]))
            }
            FloatOp::Nan => self.nan(o),
            FloatOp::Inf => self.func.dfg.fconst(ty, f64::INFINITY),
            FloatOp::Const(bits) => {
                let x = f64::from_bits(bits);
                if ty.is_int() { self.iconst(ty, x as i64) } else { self.func.dfg.fconst(ty, x) }
            }
        }
    }

    /// An operation with a rounding direction: never contracted, so without fast-math flags.
    fn rounded(&mut self, code: Opcode, r: builtins::Round, o: &Operands) -> Value {
        let flags = self.ftz(o.ty);
        self.make(code, o.ty, flags, o.values(), payload(round(r), Round::NearestEven))
    }

    fn mul_add(&mut self, o: &Operands) -> Value {
        let flags = self.builtin_fp_flags(o.ty);
        let product = self.build(|b| b.op(Opcode::FMul, flags, &[o.get(0), o.get(1)]));
        self.build(|b| b.op(Opcode::FAdd, flags, &[product, o.get(2)]))
    }

    fn mix(&mut self, o: &Operands) -> Value {
        let flags = self.fp_flags(o.ty);
        let d = self.build(|b| b.op(Opcode::FSub, flags, &[o.get(1), o.get(0)]));
        let p = self.build(|b| b.op(Opcode::FMul, flags, &[d, o.get(2)]));
        self.build(|b| b.op(Opcode::FAdd, flags, &[o.get(0), p]))
    }

    fn round_to_int(&mut self, r: builtins::Round, o: &Operands) -> Value {
        let code = match round(r) {
            Round::NearestEven => Opcode::FRint,
            Round::Zero => Opcode::FTrunc,
            Round::Down => Opcode::FFloor,
            Round::Up => Opcode::FCeil,
        };
        let flags = self.ftz(o.ty);
        self.build(|b| b.op(code, flags, o.values()))
    }

    // ---- approximations -------------------------------------------------------------------------------------------

    /// Flags of an operation that may be approximate.
    pub(crate) fn quick(&self, ty: Type) -> Flags {
        self.ftz(ty).with(Flags::AFN).with(Flags::ARCP)
    }

    /// An approximate instruction, where there is one; else the operation, with flags that let the code generator be quick.
    fn approximate_op(&mut self, code: Opcode, i: Intrinsic, o: &Operands) -> Value {
        if !self.has_approximate() {
            let flags = self.quick(o.ty);
            return self.make(code, o.ty, flags, o.values(), Payload::None);
        }
        self.lanewise(i, o)
    }

    /// `1 / v`, perhaps approximate.
    pub(crate) fn quick_reciprocal(&mut self, v: Value, more: Flags) -> Value {
        let ty = self.ty(v);
        let one = self.func.dfg.fconst(ty, 1.0);
        let flags = self.quick(ty).with(more);
        self.make(Opcode::FDiv, ty, flags, &[one, v], Payload::None)
    }

    /// An approximation of normal numbers.
    fn flushed(&mut self, op: Flushed, v: Value) -> Value {
        let op = match op {
            Flushed::Exp2 => Intrinsic::Ex2Approx,
            Flushed::Log2 => Intrinsic::Lg2Approx,
            Flushed::Rcp => Intrinsic::RcpApprox,
            Flushed::Rsqrt => Intrinsic::RsqrtApprox,
        };
        let ty = self.ty(v);
        self.make(Opcode::Intrinsic, ty, Flags::FTZ, &[v], Payload::Intrinsic(op))
    }

    /// An intrinsic on scalars, once per lane.
    fn lanewise(&mut self, op: Intrinsic, o: &Operands) -> Value {
        self.lanewise_with(op, Flags::NONE, o)
    }

    fn lanewise_with(&mut self, op: Intrinsic, flags: Flags, o: &Operands) -> Value {
        let scalar = o.ty.scalar();
        let flags = self.ftz(scalar).with(flags);
        let mut lanes: SmallVec<[Value; 16]> = SmallVec::new();
        // Half precision has no such instructions: by way of single.
        let wide = if scalar.bits() == 16 { Type::F32 } else { scalar };
        for lane in 0..o.ty.lanes() {
            let mut args: SmallVec<[Value; 2]> = SmallVec::new();
            for &v in o.values() {
                let v = if self.ty(v).is_vector() { self.build(|b| b.extract(v, lane)) } else { v };
                args.push(self.float_to_float(v, wide));
            }
            let v = self.make(Opcode::Intrinsic, wide, flags, &args, Payload::Intrinsic(op));
            lanes.push(self.float_to_float(v, scalar));
        }
        match lanes.as_slice() {
            [v] => *v,
            _ => self.build(|b| b.vec_build(&lanes)),
        }
    }

    // ---- comparisons and classes ----------------------------------------------------------------------------------

    fn min_max(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        let flags = self.ftz(self.ty(a));
        self.build(|x| x.op(op, flags, &[a, b]))
    }

    /// Minimum or maximum where a NaN wins.
    fn min_max_nan(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        let m = self.min_max(op, a, b);
        let sum = self.op2(Opcode::FAdd, a, b);
        self.select_if(FloatCC::Uno, a, b, sum, m)
    }

    fn select_if(&mut self, cc: FloatCC, a: Value, b: Value, yes: Value, no: Value) -> Value {
        let flags = self.ftz(self.ty(a));
        let c = self.build(|x| x.fcmp(cc, flags, a, b));
        self.build(|x| x.select(c, yes, no))
    }

    fn compare_floats(&mut self, cmp: FCmp, o: &Operands) -> Value {
        let cc = match cmp {
            FCmp::Eq => FloatCC::Oeq,
            FCmp::Ne => FloatCC::Une,
            FCmp::Lt => FloatCC::Olt,
            FCmp::Le => FloatCC::Ole,
            FCmp::Gt => FloatCC::Ogt,
            FCmp::Ge => FloatCC::Oge,
            FCmp::LtGt => FloatCC::One,
            FCmp::Ordered => FloatCC::Ord,
            FCmp::Unordered => FloatCC::Uno,
            FCmp::EqOrNan => FloatCC::Ueq,
            FCmp::LtOrNan => FloatCC::Ult,
            FCmp::LeOrNan => FloatCC::Ule,
            FCmp::GtOrNan => FloatCC::Ugt,
            FCmp::GeOrNan => FloatCC::Uge,
        };
        self.build(|b| b.fcmp(cc, Flags::NONE, o.get(0), o.get(1)))
    }

    /// `a * b + c` of complex numbers: `(c + re(a) * b) + im(a) * i * b`, fused.
    fn complex_fma(&mut self, a: Value, b: Value, c: Value) -> Value {
        let ty = self.ty(a);
        let flags = self.ftz(ty);
        let fma = |this: &mut Self, x: &[Value], y: Value, z: Value| {
            let x = this.build(|b| b.vec_build(x));
            this.make(Opcode::Fma, ty, flags, &[x, y, z], Payload::None)
        };
        let [re, im] = [0, 1].map(|n| self.build(|b| b.extract(a, n)));
        let sum = fma(self, &[re, re], b, c);
        let [x, y] = [0, 1].map(|n| self.build(|x| x.extract(b, n)));
        let turned = self.build(|b| b.vec_build(&[y, x]));
        let minus = self.op1(Opcode::FNeg, im);
        fma(self, &[minus, im], turned, sum)
    }

    /// Clamped to `[0, 1]`: maxNum takes the number, so a NaN becomes 0.
    fn saturate(&mut self, v: Value) -> Value {
        let ty = self.ty(v);
        let (zero, one) = (self.func.dfg.fconst(ty, 0.0), self.func.dfg.fconst(ty, 1.0));
        let v = self.min_max(Opcode::FMax, v, zero);
        self.min_max(Opcode::FMin, v, one)
    }

    fn classify(&mut self, class: FClass, o: &Operands) -> Value {
        let x = o.get(0);
        let ty = self.ty(x);
        let v = match class {
            FClass::Nan => self.build(|b| b.fcmp(FloatCC::Uno, Flags::NONE, x, x)),
            FClass::SignBit => {
                let int = ty.with_scalar(Type::int(ty.bits()).unwrap_or(Type::I32));
                let bits = self.reinterpret(x, int);
                let zero = self.iconst(int, 0);
                self.build(|b| b.icmp(IntCC::Slt, bits, zero))
            }
            FClass::Inf | FClass::Finite => {
                let a = self.op1(Opcode::FAbs, x);
                let inf = self.func.dfg.fconst(ty, f64::INFINITY);
                let cc = if class == FClass::Inf { FloatCC::Oeq } else { FloatCC::Olt };
                self.build(|b| b.fcmp(cc, Flags::NONE, a, inf))
            }
            FClass::Normal => {
                let a = self.op1(Opcode::FAbs, x);
                let inf = self.func.dfg.fconst(ty, f64::INFINITY);
                let least = match ty.scalar() {
                    Type::F16 => 2f64.powi(-14),
                    Type::F64 => f64::MIN_POSITIVE,
                    _ => f64::from(f32::MIN_POSITIVE),
                };
                let least = self.func.dfg.fconst(ty, least);
                let below = self.build(|b| b.fcmp(FloatCC::Olt, Flags::NONE, a, inf));
                let above = self.build(|b| b.fcmp(FloatCC::Oge, Flags::NONE, a, least));
                self.op2(Opcode::And, below, above)
            }
        };
        self.truth_as(v, o.ty)
    }

    /// The quiet NaN of the result's type; an integer operand of its size is the payload.
    fn nan(&mut self, o: &Operands) -> Value {
        let ty = o.ty;
        let bits = match ty.scalar() {
            Type::F16 => 0x7e00,
            Type::BF16 => 0x7fc0,
            Type::F32 => 0x7fc0_0000,
            _ => 0x7ff8_0000_0000_0000,
        };
        let quiet = self.func.dfg.bits(ty, bits);
        match o.values().first() {
            // The payload goes below the quiet bit.
            Some(&p) if self.ty(p).is_int() && self.ty(p).bits() == ty.bits() => {
                let int = self.ty(p);
                let q = self.func.dfg.bits(int, bits);
                let v = self.op2(Opcode::Or, p, q);
                self.reinterpret(v, ty)
            }
            _ => quiet,
        }
    }
}
