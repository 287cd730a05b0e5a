//! Floating-point expressions of operations whose results IEEE 754 defines to the bit, and ways between them and
//! integers.

use super::Gen;
use super::integers::cl_name;
use crate::sourcegen::tree::{Expr, Form, Scalar, Ty};
use Scalar::{F16, F32, F64, I16, I32, I64, U32};

impl Gen {
    /// An expression of type `half`, `float` or `double`.
    pub(super) fn float(&mut self, s: Scalar, depth: u32) -> Expr {
        if s == F16 {
            return self.half(depth);
        }
        if depth == 0 {
            return self.float_leaf(s);
        }
        let d = depth - 1;
        match self.rng.below(12) {
            0..2 => self.float_leaf(s),
            2..6 => {
                let (a, b) = (self.float(s, d), self.float(s, d));
                Expr::binary(s, self.rng.pick(&["+", "-", "*", "/"]), a, b)
            }
            6 => {
                let name = self.rng.pick(&["fabs", "floor", "ceil", "trunc", "rint"]);
                let a = self.float(s, d);
                Expr::call(s, self.function(name, s), vec![a])
            }
            7 => {
                let name = self.rng.pick(&["fmin", "fmax", "copysign"]);
                let (a, b) = (self.float(s, d), self.float(s, d));
                // Which zero is smaller is left open.
                let plain = |e: Expr| Expr::binary(s, "+", e, Expr::literal(s, 0));
                let (a, b) = (plain(a), plain(b));
                if name != "copysign" {
                    return Expr::call(s, self.function(name, s), vec![a, b]);
                }
                // The sign of a NaN is nobody's business.
                let nan = Expr::binary(I32, "!=", b.clone(), b.clone());
                let copied = Expr::call(s, self.function(name, s), vec![a.clone(), b]);
                Expr::new(s, Form::Ternary, vec![nan, a, copied])
            }
            8 => {
                let args = vec![self.float(s, d), self.float(s, 0), self.float(s, 0)];
                Expr::call(s, self.function("fma", s), args)
            }
            9 => {
                let c = self.condition(d);
                let (a, b) = (self.float(s, d), self.float(s, d));
                Expr::new(s, Form::Ternary, vec![c, a, b])
            }
            10 => {
                let e = self.int(d);
                e.cast(s)
            }
            _ => {
                let other = match s {
                    _ if self.half_here() => F16,
                    F32 => F64,
                    _ => F32,
                };
                let e = self.float(other, d);
                e.cast(s)
            }
        }
    }

    /// A function's name for a type.
    pub(super) fn function(&self, name: &str, s: Scalar) -> String {
        if self.opencl || s == F64 { name.to_owned() } else { format!("{name}f") }
    }

    fn float_leaf(&mut self, s: Scalar) -> Expr {
        if self.half_here() {
            return self.half(1).cast(s);
        }
        if self.rng.chance(60)
            && let Some(e) = self.readable_place(true)
        {
            return e.cast(s);
        }
        if self.rng.chance(50) {
            let e = self.int(0).cast(I16);
            return e.cast(s);
        }
        let v: f64 = self.rng.pick(&[0.0, 1.0, -1.0, 0.5, 2.0, 3.25, -7.75, 100.0, 1e10, 0.1]);
        let bits = if s == F32 { u64::from((v as f32).to_bits()) } else { v.to_bits() };
        Expr::literal(s, bits)
    }

    /// An integer of a float: cast, saturated, rounded in some way, or a question about it.
    pub(super) fn float_to_int(&mut self, depth: u32) -> Expr {
        let s = match () {
            () if self.half_here() => F16,
            () if self.rng.chance(60) => F32,
            () => F64,
        };
        let e = self.float(s, depth - 1);
        // What does not fit wraps or saturates, by the width, but on all targets alike.
        if self.rng.chance(25) {
            let to = self.rng.pick(&Scalar::INTEGERS);
            return Self::no_nan(e, to, |e| e.cast(to));
        }
        if !self.opencl {
            let (f, ty) = match s {
                F16 => self.rng.pick(&[("__half2int_rn", I32), ("__half2int_rz", I32), ("__half2uint_rd", U32)]),
                F32 => self.rng.pick(&[("__float2int_rn", I32), ("__float2int_rz", I32), ("__float2uint_rd", U32)]),
                _ => self.rng.pick(&[("__double2int_rn", I32), ("__double2int_rz", I32), ("__double2ll_ru", I64)]),
            };
            return Self::no_nan(e, ty, |e| Expr::call(ty, f, vec![e]));
        }
        if self.rng.chance(15) {
            let f = self.rng.pick(&["isnan", "isinf", "isfinite", "isnormal"]);
            return Expr::call(I32, f, vec![e]);
        }
        let to = self.rng.pick(&Scalar::INTEGERS);
        let mode = self.rng.pick(&["", "_rte", "_rtz", "_rtp", "_rtn"]);
        let sat = if self.rng.chance(70) { "_sat" } else { "" };
        Expr::call(to, format!("convert_{}{sat}{mode}", cl_name(to)), vec![e])
    }

    /// 7 where the float is not a number, of which the hardware makes what it likes.
    fn no_nan(e: Expr, to: Scalar, convert: impl FnOnce(Expr) -> Expr) -> Expr {
        let nan = Expr::binary(I32, "!=", e.clone(), e.clone());
        Expr::new(to, Form::Ternary, vec![nan, Expr::literal(to, 7), convert(e)])
    }

    /// A vector of floats or halves.
    pub(super) fn float_vector(&mut self, s: Scalar, n: u8, depth: u32) -> Expr {
        if s == F16 {
            return self.half_vector(n, depth);
        }
        let ty = Ty::Vector(F32, n);
        if depth > 0 && self.opencl && self.half_here() {
            return self.half_vector_as_float(n, depth - 1);
        }
        if depth > 0 && self.opencl {
            match self.rng.below(5) {
                0 | 1 => {
                    let (a, b) = (self.float_vector(s, n, depth - 1), self.float_vector(s, n, depth - 1));
                    return Expr::binary(ty, self.rng.pick(&["+", "-", "*"]), a, b);
                }
                2 => {
                    let v = self.vector(I16, n, depth - 1);
                    return Expr::call(ty, format!("convert_float{n}"), vec![v]);
                }
                3 => {
                    let c = self.vector_comparison(I32, n, depth - 1);
                    let (a, b) = (self.float_vector(s, n, depth - 1), self.float_vector(s, n, 0));
                    return Expr::call(ty, "select", vec![a, b, c]);
                }
                _ => {}
            }
        }
        if self.rng.chance(60)
            && let Some(e) = self.whole_place(&ty)
        {
            return e;
        }
        let parts = (0..n).map(|_| self.float(F32, 0)).collect();
        Expr::new(ty, Form::Construct, parts)
    }
}
