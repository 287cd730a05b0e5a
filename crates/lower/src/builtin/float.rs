//! Floating-point builtins, comparisons and conversions.

use super::Operands;
use crate::func::Fn;
use builtins::{FClass, FCmp, Op};
use ir::{Flags, FloatCC, IntCC, Intrinsic, Opcode, Payload, Round, Type, Value};

/// The IR's name of a rounding mode.
pub(super) fn round(r: builtins::Round) -> Round {
    match r {
        builtins::Round::Nearest => Round::NearestEven,
        builtins::Round::Zero => Round::Zero,
        builtins::Round::Up => Round::Up,
        builtins::Round::Down => Round::Down,
    }
}

/// Nearest even is the default and is not written.
fn payload(r: Round) -> Payload {
    if r == Round::NearestEven { Payload::None } else { Payload::Round(r) }
}

impl Fn<'_, '_> {
    pub(super) fn float_op(&mut self, op: Op, o: &Operands<'_>) -> Option<Value> {
        let ty = o.ty;
        // Rounded operations are never contracted: they carry no fast-math flags.
        let rounded = |this: &mut Self, code: Opcode, r: builtins::Round| {
            let flags = this.ftz(ty);
            this.make(code, ty, flags, &o.v, payload(round(r)))
        };
        Some(match op {
            Op::FAdd(r) => rounded(self, Opcode::FAdd, r),
            Op::FSub(r) => rounded(self, Opcode::FSub, r),
            Op::FMul(r) => rounded(self, Opcode::FMul, r),
            Op::FDiv(r) => rounded(self, Opcode::FDiv, r),
            Op::Fma(r) => rounded(self, Opcode::Fma, r),
            Op::FSqrt(r) => rounded(self, Opcode::FSqrt, r),
            Op::FRcp(r) => {
                let one = self.func.dfg.fconst(ty, 1.0);
                let flags = self.ftz(ty);
                self.make(Opcode::FDiv, ty, flags, &[one, o.get(0)], payload(round(r)))
            }
            Op::FMulAdd => {
                let flags = self.builtin_fp_flags(ty);
                let product = self.build(|b| b.op(Opcode::FMul, flags, &[o.v[0], o.v[1]]));
                self.build(|b| b.op(Opcode::FAdd, flags, &[product, o.v[2]]))
            }
            // The host divides and takes roots exactly unless the code generator knows something quicker.
            Op::FDivApprox if self.on_host() => self.make(Opcode::FDiv, ty, self.quick(ty), &o.v, Payload::None),
            Op::FRcpApprox if self.on_host() => self.quick_reciprocal(o.get(0)),
            Op::FSqrtApprox if self.on_host() => self.make(Opcode::FSqrt, ty, self.quick(ty), &o.v, Payload::None),
            Op::FDivApprox => self.lanewise(Intrinsic::DivApprox, o),
            Op::FRcpApprox => self.lanewise(Intrinsic::RcpApprox, o),
            Op::FSqrtApprox => self.lanewise(Intrinsic::SqrtApprox, o),
            Op::FRsqrtApprox => self.lanewise(Intrinsic::RsqrtApprox, o),
            Op::SinApprox => self.lanewise(Intrinsic::SinApprox, o),
            Op::CosApprox => self.lanewise(Intrinsic::CosApprox, o),
            Op::Exp2Approx => self.lanewise(Intrinsic::Ex2Approx, o),
            Op::Log2Approx => self.lanewise(Intrinsic::Lg2Approx, o),
            Op::TanhApprox => self.lanewise(Intrinsic::TanhApprox, o),
            Op::FAbs => self.op1(Opcode::FAbs, o.get(0)),
            Op::FNeg => self.op1(Opcode::FNeg, o.get(0)),
            Op::FMin => self.min_max(Opcode::FMin, o.get(0), o.get(1)),
            Op::FMax => self.min_max(Opcode::FMax, o.get(0), o.get(1)),
            Op::FMinNan => self.min_max_nan(Opcode::FMin, o.get(0), o.get(1)),
            Op::FMaxNan => self.min_max_nan(Opcode::FMax, o.get(0), o.get(1)),
            Op::CopySign => self.op2(Opcode::FCopysign, o.get(0), o.get(1)),
            Op::RoundToInt(r) => {
                let code = match round(r) {
                    Round::NearestEven => Opcode::FRint,
                    Round::Zero => Opcode::FTrunc,
                    Round::Down => Opcode::FFloor,
                    Round::Up => Opcode::FCeil,
                };
                let flags = self.ftz(ty);
                self.build(|b| b.op(code, flags, &o.v))
            }
            Op::Saturate => {
                let (zero, one) = (self.func.dfg.fconst(ty, 0.0), self.func.dfg.fconst(ty, 1.0));
                // maxNum takes the number, so a NaN becomes 0.
                let v = self.min_max(Opcode::FMax, o.get(0), zero);
                self.min_max(Opcode::FMin, v, one)
            }
            Op::FClass(class) => self.classify(class, o),
            Op::FCmp(cmp) => {
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
                };
                let v = self.build(|b| b.fcmp(cc, Flags::NONE, o.v[0], o.v[1]));
                self.truth_as(v, ty)
            }
            Op::FMaxC => self.select_if(FloatCC::Olt, o.get(0), o.get(1), o.get(1), o.get(0)),
            Op::FMinC => self.select_if(FloatCC::Olt, o.get(1), o.get(0), o.get(1), o.get(0)),
            Op::FClamp => {
                let v = self.min_max(Opcode::FMax, o.get(0), o.get(1));
                self.min_max(Opcode::FMin, v, o.get(2))
            }
            Op::Mix => {
                let flags = self.fp_flags(ty);
                let d = self.build(|b| b.op(Opcode::FSub, flags, &[o.v[1], o.v[0]]));
                let p = self.build(|b| b.op(Opcode::FMul, flags, &[d, o.v[2]]));
                self.build(|b| b.op(Opcode::FAdd, flags, &[o.v[0], p]))
            }
            Op::Step => {
                let (zero, one) = (self.func.dfg.fconst(ty, 0.0), self.func.dfg.fconst(ty, 1.0));
                self.select_if(FloatCC::Olt, o.get(1), o.get(0), zero, one)
            }
            Op::FScale(bits) => {
                let k = self.func.dfg.fconst(ty, f64::from_bits(bits));
                let flags = self.fp_flags(ty);
                self.build(|b| b.op(Opcode::FMul, flags, &[o.v[0], k]))
            }
            Op::Dot => self.dot(o.get(0), o.get(1)),
            Op::Length { fast } => self.length(o.get(0), fast),
            Op::Distance { fast } => {
                let flags = self.fp_flags(self.ty(o.get(0)));
                let d = self.build(|b| b.op(Opcode::FSub, flags, &[o.v[0], o.v[1]]));
                self.length(d, fast)
            }
            Op::Normalize { fast } => self.normalize(o.get(0), fast),
            Op::Cross => self.cross(o.get(0), o.get(1)),
            Op::Convert { round: r, saturate } => self.convert_op(r, saturate, o),
            Op::Nan => {
                let bits = match ty.scalar() {
                    Type::F16 => 0x7e00,
                    Type::BF16 => 0x7fc0,
                    Type::F32 => 0x7fc0_0000,
                    _ => 0x7ff8_0000_0000_0000,
                };
                let quiet = self.func.dfg.bits(ty, bits);
                match o.v.first() {
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
            Op::Inf => self.func.dfg.fconst(ty, f64::INFINITY),
            Op::Const(bits) => {
                let x = f64::from_bits(bits);
                if ty.is_int() { self.iconst(ty, x as i64) } else { self.func.dfg.fconst(ty, x) }
            }
            _ => return None,
        })
    }

    pub(super) fn on_host(&self) -> bool {
        self.cx.options.machine.is_host()
    }

    /// Flags of an operation that may be approximate.
    fn quick(&self, ty: Type) -> Flags {
        self.ftz(ty).with(Flags::AFN).with(Flags::ARCP)
    }

    /// `1 / v`, perhaps approximate.
    fn quick_reciprocal(&mut self, v: Value) -> Value {
        let ty = self.ty(v);
        let one = self.func.dfg.fconst(ty, 1.0);
        let flags = self.quick(ty);
        self.make(Opcode::FDiv, ty, flags, &[one, v], Payload::None)
    }

    /// An intrinsic on scalars, once per lane.
    fn lanewise(&mut self, op: Intrinsic, o: &Operands<'_>) -> Value {
        let scalar = o.ty.scalar();
        let flags = self.ftz(scalar);
        let mut lanes: smallvec::SmallVec<[Value; 16]> = smallvec::SmallVec::new();
        // Half precision has no such instructions: by way of single.
        let wide = if scalar.bits() == 16 { Type::F32 } else { scalar };
        for lane in 0..o.ty.lanes() {
            let mut args: smallvec::SmallVec<[Value; 2]> = smallvec::SmallVec::new();
            for &v in &o.v {
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

    fn classify(&mut self, class: FClass, o: &Operands<'_>) -> Value {
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

    fn dot(&mut self, a: Value, b: Value) -> Value {
        let ty = self.ty(a).scalar();
        let flags = self.builtin_fp_flags(ty);
        let mut sum = None;
        for lane in 0..self.ty(a).lanes() {
            let (x, y) = if self.ty(a).is_vector() {
                (self.build(|c| c.extract(a, lane)), self.build(|c| c.extract(b, lane)))
            } else {
                (a, b)
            };
            let p = self.build(|c| c.op(Opcode::FMul, flags, &[x, y]));
            sum = Some(match sum {
                None => p,
                Some(s) => self.build(|c| c.op(Opcode::FAdd, flags, &[s, p])),
            });
        }
        sum.unwrap_or(a)
    }

    /// The largest magnitude among the lanes.
    fn largest(&mut self, v: Value) -> Value {
        let a = self.op1(Opcode::FAbs, v);
        let mut max = if self.ty(v).is_vector() { self.build(|b| b.extract(a, 0)) } else { a };
        for lane in 1..self.ty(v).lanes() {
            let x = self.build(|b| b.extract(a, lane));
            max = self.op2(Opcode::FMax, max, x);
        }
        max
    }

    /// A power of two near the reciprocal of the largest lane, and its inverse: the exponent field negated. Vectors of
    /// zeros, infinities or NaNs are left as they are.
    fn scale(&mut self, v: Value) -> (Value, Value) {
        let max = self.largest(v);
        let ty = self.ty(max);
        let int = Type::int(ty.bits()).unwrap_or(Type::I32);
        // Mantissa bits, and twice the bias less the exponent that the scaled vector is to have (none).
        let (mantissa, bias) = match ty {
            Type::F64 => (52, 1023),
            Type::F16 => (10, 15),
            _ => (23, 127),
        };
        let bits = self.reinterpret(max, int);
        let m = self.iconst(int, mantissa);
        let e = self.op2(Opcode::LShr, bits, m);
        // Exponents at either end of the range would leave it when negated.
        let (low, high) = (self.iconst(int, 2), self.iconst(int, 2 * bias - 2));
        let e = self.op2(Opcode::SMax, e, low);
        let e = self.op2(Opcode::SMin, e, high);
        let double = self.iconst(int, 2 * bias);
        let down = self.op2(Opcode::Sub, double, e);
        let (down, up) = (self.op2(Opcode::Shl, down, m), self.op2(Opcode::Shl, e, m));
        (self.reinterpret(down, ty), self.reinterpret(up, ty))
    }

    fn scaled(&mut self, v: Value, by: Value) -> Value {
        let by = self.splat(by, self.ty(v).lanes());
        self.op2(Opcode::FMul, v, by)
    }

    /// `sqrt(dot(v, v))`; unless `fast`, of the vector scaled so that no square leaves the range.
    fn length(&mut self, v: Value, fast: bool) -> Value {
        if !self.ty(v).is_vector() {
            return self.op1(Opcode::FAbs, v);
        }
        if fast {
            let d = self.dot(v, v);
            return self.approximate(Intrinsic::SqrtApprox, d);
        }
        let (down, up) = self.scale(v);
        let small = self.scaled(v, down);
        let d = self.dot(small, small);
        let flags = self.ftz(self.ty(d));
        let root = self.build(|b| b.op(Opcode::FSqrt, flags, &[d]));
        self.op2(Opcode::FMul, root, up)
    }

    fn approximate(&mut self, op: Intrinsic, v: Value) -> Value {
        let ty = self.ty(v);
        // Doubles have no approximate square root worth the name.
        if ty == Type::F64 && op == Intrinsic::SqrtApprox {
            return self.op1(Opcode::FSqrt, v);
        }
        let wide = if ty.bits() == 16 { Type::F32 } else { ty };
        let x = self.float_to_float(v, wide);
        if self.on_host() {
            let root = self.make(Opcode::FSqrt, wide, self.quick(wide), &[x], Payload::None);
            let r = if op == Intrinsic::RsqrtApprox { self.quick_reciprocal(root) } else { root };
            return self.float_to_float(r, ty);
        }
        let flags = self.ftz(wide);
        let r = self.make(Opcode::Intrinsic, wide, flags, &[x], Payload::Intrinsic(op));
        self.float_to_float(r, ty)
    }

    fn normalize(&mut self, v: Value, fast: bool) -> Value {
        let ty = self.ty(v);
        let zero = self.func.dfg.fconst(ty.scalar(), 0.0);
        let (small, r) = if fast {
            let d = self.dot(v, v);
            (v, self.approximate(Intrinsic::RsqrtApprox, d))
        } else {
            let (down, _) = self.scale(v);
            let small = self.scaled(v, down);
            let d = self.dot(small, small);
            let flags = self.ftz(ty);
            let root = self.build(|b| b.op(Opcode::FSqrt, flags, &[d]));
            let one = self.func.dfg.fconst(ty.scalar(), 1.0);
            (small, self.build(|b| b.op(Opcode::FDiv, flags, &[one, root])))
        };
        let n = self.scaled(small, r);
        let max = self.largest(v);
        let none = self.build(|b| b.fcmp(FloatCC::Oeq, Flags::NONE, max, zero));
        self.build(|b| b.select(none, v, n))
    }

    fn cross(&mut self, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        let flags = self.fp_flags(ty.scalar());
        let lane = |this: &mut Self, v: Value, n: u8| this.build(|c| c.extract(v, n));
        let mut lanes: smallvec::SmallVec<[Value; 4]> = smallvec::SmallVec::new();
        for n in 0..3u8 {
            let (j, k) = ((n + 1) % 3, (n + 2) % 3);
            let (aj, ak, bj, bk) = (lane(self, a, j), lane(self, a, k), lane(self, b, j), lane(self, b, k));
            let p = self.build(|c| c.op(Opcode::FMul, flags, &[aj, bk]));
            let q = self.build(|c| c.op(Opcode::FMul, flags, &[ak, bj]));
            lanes.push(self.build(|c| c.op(Opcode::FSub, flags, &[p, q])));
        }
        if ty.lanes() == 4 {
            lanes.push(self.func.dfg.fconst(ty.scalar(), 0.0));
        }
        self.build(|c| c.vec_build(&lanes))
    }

    /// `convert_*` and CUDA's conversion intrinsics.
    fn convert_op(&mut self, r: Option<builtins::Round>, saturate: bool, o: &Operands<'_>) -> Value {
        let v = o.get(0);
        let (from, ty) = (self.ty(v), o.ty);
        let types = self.cx.types();
        let ret = self.cx.program.expr(o.id).ty;
        let signed_to = types.is_signed(types.scalar_of(ret));
        let mode = r.map(round);
        let pay = |default: Round| match mode {
            Some(m) if m != default => Payload::Round(m),
            _ => Payload::None,
        };
        let flags = self.ftz(Type::F32);
        match (from.is_float(), ty.is_float()) {
            // Conversions to integers saturate anyway.
            (true, false) => {
                let op = if signed_to { Opcode::FpToSi } else { Opcode::FpToUi };
                let flags = if from.scalar() == Type::F32 { flags } else { Flags::NONE };
                self.make(op, ty, flags, &[v], pay(Round::Zero))
            }
            (false, true) => {
                let v = if from.scalar() == Type::I1 { self.resize(v, Type::I32, false) } else { v };
                let op = if o.signed { Opcode::SiToFp } else { Opcode::UiToFp };
                self.make(op, ty, Flags::NONE, &[v], pay(Round::NearestEven))
            }
            (true, true) if from.bits() > ty.bits() => {
                self.make(Opcode::FpTrunc, ty, Flags::NONE, &[v], pay(Round::NearestEven))
            }
            (true, true) => self.float_to_float(v, ty),
            (false, false) if saturate => self.saturate_int(v, o.signed, ty, signed_to),
            (false, false) => self.resize(v, ty, o.signed),
        }
    }

    /// Integer to integer, clamped to the target's range.
    fn saturate_int(&mut self, v: Value, signed: bool, ty: Type, signed_to: bool) -> Value {
        let from = self.ty(v);
        let (bits, to) = (from.bits(), ty.bits());
        let mut v = v;
        // Bounds of the target that the source can exceed.
        let max = if signed_to { (1u64 << (to - 1)) - 1 } else { ty.mask() };
        let source_max = if signed { (1u64 << (bits - 1)) - 1 } else { from.mask() };
        if source_max > max {
            let limit = self.func.dfg.bits(from, max);
            v = self.op2(if signed { Opcode::SMin } else { Opcode::UMin }, v, limit);
        }
        if signed {
            if !signed_to {
                let zero = self.iconst(from, 0);
                v = self.op2(Opcode::SMax, v, zero);
            } else if bits > to {
                let least = self.iconst(from, -(1i64 << (to - 1)));
                v = self.op2(Opcode::SMax, v, least);
            }
        }
        self.resize(v, ty, signed)
    }
}
