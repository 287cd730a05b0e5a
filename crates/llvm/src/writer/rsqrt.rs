//! Inverse square roots of singles: the processor's estimate, and one step that triples its digits.
//!
//! x86 has an estimate good to 1.5 × 2⁻¹², and with AVX-512 one good to 2⁻¹⁴, after which a step that doubles its digits does. With `e = 1 - x y²`, `y + y e (½ + ⅜ e)` leaves out a third power of about
//! 2⁻³², so that roundings decide: below 2 ulp for every normal argument. The estimate takes subnormal arguments for zeros.
//! That one is right of zeros, infinity and what has no root, and takes subnormal numbers as they are. With the other, for zeros, infinities, subnormals, negative numbers and not-a-numbers the step gives infinity or not-a-number: one
//! comparison finds them, and a branch that is almost never taken divides by the root. Where subnormals count as zero,
//! the estimate itself is right for these, and there is no branch. Processors of different makers differ in the last
//! place. Other machines divide by the root.
//!
//! Doubles: AVX-512 has an estimate good to 2⁻¹⁴, for subnormal numbers, too, from which a series in `e` of degree 4 (of degree 3 and what is
//! left of the argument beside the square, for the root itself; two steps of Goldschmidt's iteration take two operations less and miss
//! the root of 1/2) goes to the last place. The processor's own root is as quick where other work
//! hides it.

use super::func::FuncGen;
use super::ll::{Fpred, Ipred, Val};
use ir::Flags;

impl FuncGen<'_> {
    /// `1 / sqrt(x)` of singles, for the flags of the operation.
    pub(super) fn inverse_root(&self, x: Val, lanes: u32, flags: Flags) -> Val {
        let ll = self.ll;
        let float = ll.float(32, lanes);
        let by_division = || ll.fdiv(ll.fconst(32, lanes, 1.0), ll.intrinsic("llvm.sqrt", &[float], &[x]));
        let c = |v: f64| ll.fconst(32, lanes, v);
        let fma = |a, b, d| ll.intrinsic("llvm.fma", &[float], &[a, b, d]);
        let Some(y) = self.cx.target.estimate_inverse_root(ll, x, lanes) else { return by_division() };
        if flags.has(Flags::ROUGH) {
            return y;
        }
        if self.cx.target.estimates_well(lanes) {
            // Of zeros, infinity and what has no root the estimate is the result, and what is left is no number.
            let e = fma(ll.fneg(ll.fmul(x, y)), y, c(1.0));
            let step = fma(e, ll.fmul(y, c(0.5)), y);
            return ll.select(ll.fcmp(Fpred::LLVMRealORD, e, e), step, y);
        }
        let step = if self.cx.target.fuses() {
            let e = fma(ll.fneg(ll.fmul(x, y)), y, c(1.0));
            fma(ll.fmul(y, e), fma(e, c(0.375), c(0.5)), y)
        } else {
            let e = ll.fsub(c(1.0), ll.fmul(ll.fmul(x, y), y));
            ll.fadd(y, ll.fmul(ll.fmul(y, e), ll.fadd(c(0.5), ll.fmul(e, c(0.375)))))
        };
        // Subnormal arguments count as zeros.
        if flags.has(Flags::FTZ) {
            return ll.select(ll.fcmp(Fpred::LLVMRealUNO, step, step), y, step);
        }
        // Negative infinity for negative subnormals.
        let size = ll.intrinsic("llvm.fabs", &[float], &[step]);
        let odd = ll.fcmp(Fpred::LLVMRealUGE, size, c(f64::INFINITY));
        let any = if lanes == 1 {
            odd
        } else {
            ll.icmp(Ipred::LLVMIntNE, ll.bitcast(odd, ll.int(lanes, 1)), ll.iconst(lanes, 1, 0))
        };
        let (here, slow, join) = (ll.current(), self.new_block(), self.new_block());
        ll.branch_unlikely(any, slow, join);
        ll.at_end(slow);
        let divided = by_division();
        ll.jump(join);
        ll.at_end(join);
        let result = ll.phi(float);
        ll.add_incoming(result, step, here);
        ll.add_incoming(result, divided, slow);
        result
    }

    /// `1 / x` of singles to the last place or next to it, or by the estimate alone, where there is an estimate good to 2⁻¹⁴.
    pub(super) fn inverse(&self, x: Val, lanes: u32, flags: Flags) -> Option<Val> {
        let ll = self.ll;
        let y = self.cx.target.estimate_inverse(ll, x, lanes)?;
        if flags.has(Flags::ROUGH) {
            return Some(y);
        }
        let fma = |a, b, d| ll.intrinsic("llvm.fma", &[ll.float(32, lanes)], &[a, b, d]);
        let c = |v: f64| ll.fconst(32, lanes, v);
        // Of zeros, infinities and what has an infinite inverse the estimate is the result, and what is left is negative infinity or no number.
        let e = fma(ll.fneg(x), y, c(1.0));
        Some(ll.select(ll.fcmp(Fpred::LLVMRealOGT, e, c(-1.0)), fma(y, e, y), y))
    }

    /// `1 / sqrt(x)` of doubles to about 1 ulp, where the machine has an estimate, or that alone.
    pub(super) fn inverse_root_double(&self, x: Val, lanes: u32, flags: Flags) -> Option<Val> {
        let ll = self.ll;
        let y = self.cx.target.estimate_inverse_root_double(ll, x, lanes)?;
        if flags.has(Flags::ROUGH) {
            return Some(y);
        }
        let c = |v: f64| ll.fconst(64, lanes, v);
        let fma = |a, b, d| ll.intrinsic("llvm.fma", &[ll.float(64, lanes)], &[a, b, d]);
        let e = fma(ll.fneg(ll.fmul(x, y)), y, c(1.0));
        let p = fma(fma(fma(e, c(0.273_437_5), c(0.3125)), e, c(0.375)), e, c(0.5));
        let r = fma(ll.fmul(y, e), p, y);
        // Of zeros, infinities and what has no root the estimate is the result.
        Some(ll.select(ll.fcmp(Fpred::LLVMRealUNO, r, r), y, r))
    }

    /// `sqrt(x)` of doubles, correctly rounded but for rare neighbours, where the machine has an estimate of its inverse; if
    /// `positive`, of others than positive and finite ones it is any.
    pub(super) fn near_root(&self, x: Val, lanes: u32, positive: bool) -> Option<Val> {
        let ll = self.ll;
        let y = self.cx.target.estimate_inverse_root_double(ll, x, lanes)?;
        let fma = |a, b, d| ll.intrinsic("llvm.fma", &[ll.float(64, lanes)], &[a, b, d]);
        let c = |v: f64| ll.fconst(64, lanes, v);
        let g = ll.fmul(x, y);
        let e = fma(ll.fneg(g), y, c(1.0));
        let r = fma(ll.fmul(g, e), fma(fma(e, c(0.3125), c(0.375)), e, c(0.5)), g);
        let root = fma(fma(ll.fneg(r), r, x), ll.fmul(c(0.5), y), r);
        // Of what has no root the estimate is no number either.
        Some(if positive { root } else { ll.select(self.cx.target.own_roots(ll, x, lanes), x, root) })
    }
}
