//! Approximate functions in single precision, in lanes: what PTX's `….approx` instructions promise, or better.
//!
//! The polynomials are Taylor's on intervals so small that what they leave out is below the last place; errors (relative,
//! absolute for sine and cosine) stay below 2⁻²¹. Sine and cosine reduce their argument in double precision, which is
//! good to about 2⁵³; beyond that the result is some number between -1 and 1.

use super::Cx;
use super::ll::{Fpred, Ipred, Val};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, LN_2, LOG2_E};

/// What a double leaves of π/2.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

impl Cx<'_> {
    /// `c[0] + c[1] x + c[2] x² …` in `f32` or `f64`.
    fn polynomial(&self, x: Val, bits: u32, lanes: u32, c: &[f64]) -> Val {
        let ty = self.ll.float(bits, lanes);
        let k = |n: usize| self.ll.fconst(bits, lanes, c[n]);
        let last = c.len() - 1;
        (0..last).rev().fold(k(last), |sum, n| self.ll.intrinsic("llvm.fmuladd", &[ty], &[sum, x, k(n)]))
    }

    /// 2ˣ.
    pub(super) fn exp2(&self, x: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let (float, int) = (ll.float(32, lanes), ll.int(32, lanes));
        let c = |x| ll.fconst(32, lanes, x);
        // Beyond these everything is infinite or zero. Not-a-numbers pass.
        let x = ll.select(ll.fcmp(Fpred::LLVMRealOGT, x, c(130.0)), c(130.0), x);
        let x = ll.select(ll.fcmp(Fpred::LLVMRealOLT, x, c(-160.0)), c(-160.0), x);
        let whole = ll.intrinsic("llvm.rint", &[float], &[x]);
        let rest = ll.fsub(x, whole);
        let mut coefficients = [1.0; 8];
        for n in 1..8 {
            coefficients[n] = coefficients[n - 1] * LN_2 / n as f64;
        }
        let p = self.polynomial(rest, 32, lanes, &coefficients);
        let is_number = ll.fcmp(Fpred::LLVMRealORD, x, x);
        let n = ll.fptosi(ll.select(is_number, whole, c(0.0)), int);
        // Two factors: one alone may leave the range of exponents before the product does.
        let first = ll.ashr(n, ll.iconst(32, lanes, 1));
        let power = |n: Val| {
            let biased = ll.add(n, ll.iconst(32, lanes, 127));
            ll.bitcast(ll.shl(biased, ll.iconst(32, lanes, 23)), float)
        };
        ll.fmul(ll.fmul(p, power(first)), power(ll.sub(n, first)))
    }

    /// The logarithm to base 2.
    pub(super) fn log2(&self, x: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let (float, int) = (ll.float(32, lanes), ll.int(32, lanes));
        let (c, k) = (|x| ll.fconst(32, lanes, x), |n| ll.iconst(32, lanes, n));
        let tiny = ll.fcmp(Fpred::LLVMRealOLT, x, c(f64::from(f32::MIN_POSITIVE)));
        let scaled = ll.select(tiny, ll.fmul(x, c(8_388_608.0)), x);
        let shift = ll.select(tiny, k(23), k(0));
        // Exponent and mantissa, the latter between √½ and √2.
        let raw = ll.bitcast(scaled, int);
        let exponent = ll.ashr(ll.sub(raw, k(0x3f35_04f3)), k(23));
        let m = ll.bitcast(ll.sub(raw, ll.shl(exponent, k(23))), float);
        let s = ll.fdiv(ll.fsub(m, c(1.0)), ll.fadd(m, c(1.0)));
        let f = 2.0 / LN_2;
        let p = self.polynomial(ll.fmul(s, s), 32, lanes, &[f, f / 3.0, f / 5.0, f / 7.0, f / 9.0]);
        let e = ll.sitofp(ll.sub(exponent, shift), float);
        let v = ll.intrinsic("llvm.fmuladd", &[float], &[p, s, e]);
        let infinite = c(f64::INFINITY);
        let v = ll.select(ll.fcmp(Fpred::LLVMRealOLT, x, infinite), v, x);
        let v = ll.select(ll.fcmp(Fpred::LLVMRealOEQ, x, c(0.0)), c(f64::NEG_INFINITY), v);
        ll.select(ll.fcmp(Fpred::LLVMRealOLT, x, c(0.0)), c(f64::NAN), v)
    }

    /// Sine, or cosine.
    pub(super) fn sine(&self, x: Val, lanes: u32, is_cosine: bool) -> Val {
        let ll = self.ll;
        let (double, int) = (ll.float(64, lanes), ll.int(32, lanes));
        let c = |x| ll.fconst(64, lanes, x);
        let fma = |a, b, d| ll.intrinsic("llvm.fma", &[double], &[a, b, d]);
        let x = ll.fpext(x, double);
        let turns = ll.intrinsic("llvm.rint", &[double], &[ll.fmul(x, c(FRAC_2_PI))]);
        let minus = ll.fneg(turns);
        let r = fma(minus, c(FRAC_PI_2_REST), fma(minus, c(FRAC_PI_2), x));
        // Which quarter: exact in floats; 0 for what is no number.
        let fours = ll.intrinsic("llvm.floor", &[double], &[ll.fmul(turns, c(0.25))]);
        let quarter = ll.fsub(turns, ll.fmul(fours, c(4.0)));
        let is_number = ll.fcmp(Fpred::LLVMRealORD, quarter, quarter);
        let quarter = ll.fptosi(ll.select(is_number, quarter, c(0.0)), int);
        let square = ll.fmul(r, r);
        // 1/n! with alternating signs, odd and even n.
        let series = |from: u32| -> Vec<f64> {
            let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
            (0..6).map(|k| if k % 2 == 0 { 1.0 } else { -1.0 } / factorial(from + 2 * k)).collect()
        };
        let sine = ll.fmul(r, self.polynomial(square, 64, lanes, &series(1)));
        let cosine = self.polynomial(square, 64, lanes, &series(0));
        let k = |n| ll.iconst(32, lanes, n);
        let q = if is_cosine { ll.add(quarter, k(1)) } else { quarter };
        let odd = ll.icmp(Ipred::LLVMIntNE, ll.and(q, k(1)), k(0));
        let negative = ll.icmp(Ipred::LLVMIntNE, ll.and(q, k(2)), k(0));
        let v = ll.select(odd, cosine, sine);
        let v = ll.select(negative, ll.fneg(v), v);
        let v = ll.select(ll.fcmp(Fpred::LLVMRealOGT, v, c(1.0)), c(1.0), v);
        let v = ll.select(ll.fcmp(Fpred::LLVMRealOLT, v, c(-1.0)), c(-1.0), v);
        ll.fptrunc(v, ll.float(32, lanes))
    }

    /// The hyperbolic tangent.
    pub(super) fn tanh(&self, x: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let float = ll.float(32, lanes);
        let c = |x| ll.fconst(32, lanes, x);
        let a = ll.intrinsic("llvm.fabs", &[float], &[x]);
        let e = self.exp2(ll.fmul(a, c(2.0 * LOG2_E)), lanes);
        let large = ll.fsub(c(1.0), ll.fdiv(c(2.0), ll.fadd(e, c(1.0))));
        let series = [1.0, -1.0 / 3.0, 2.0 / 15.0, -17.0 / 315.0, 62.0 / 2835.0, -1382.0 / 155_925.0];
        let small = ll.fmul(a, self.polynomial(ll.fmul(a, a), 32, lanes, &series));
        let v = ll.select(ll.fcmp(Fpred::LLVMRealOLT, a, c(0.25)), small, large);
        ll.intrinsic("llvm.copysign", &[float], &[v, x])
    }
}
