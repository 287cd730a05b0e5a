//! OpenCL's geometric functions: on vectors as wholes, or scalars.

use crate::Emitter;
use crate::Operands;
use builtins::GeometricOp;
use ir::{Flags, FloatCC, Intrinsic, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

impl Emitter<'_> {
    pub(crate) fn geometric(&mut self, op: GeometricOp, o: &Operands) -> Value {
        match op {
            GeometricOp::Dot => self.dot(o.get(0), o.get(1)),
            GeometricOp::Length { fast } => self.length(o.get(0), fast),
            GeometricOp::Distance { fast } => {
                let flags = self.fp_flags(self.ty(o.get(0)));
                let d = self.build(|b| b.op(Opcode::FSub, flags, &[o.get(0), o.get(1)]));
                self.length(d, fast)
            }
            GeometricOp::Normalize { fast } => self.normalize(o.get(0), fast),
            GeometricOp::Cross => self.cross(o.get(0), o.get(1)),
        }
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
        if !self.has_approximate() {
            let root = self.make(Opcode::FSqrt, wide, self.quick(wide), &[x], Payload::None);
            let r = if op == Intrinsic::RsqrtApprox { self.quick_reciprocal(root, Flags::NONE) } else { root };
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
        let mut lanes: SmallVec<[Value; 4]> = SmallVec::new();
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
}
