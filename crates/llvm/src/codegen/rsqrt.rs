//! Inverse square roots of singles: the processor's estimate, and one step that triples its digits.
//!
//! x86 has an estimate good to 1.5 × 2⁻¹². With `e = 1 - x y²`, `y + y e (½ + ⅜ e)` leaves out a third power of about
//! 2⁻³², so that roundings decide: below 2 ulp for every normal argument. The estimate takes subnormal arguments for zeros.
//! For zeros, infinities, subnormals, negative numbers and not-a-numbers the step gives infinity or not-a-number: one
//! comparison finds them, and a branch that is almost never taken divides by the root. Where subnormals count as zero,
//! the estimate itself is right for these, and there is no branch. Processors of different makers differ in the last
//! place. Other machines divide by the root.

use super::func::FuncGen;
use crate::ll::{Fpred, Ipred, Val};

impl FuncGen<'_> {
    /// `1 / sqrt(x)` of singles; `flushed` if subnormal arguments count as zeros.
    pub(super) fn inverse_root(&self, x: Val, lanes: u32, flushed: bool) -> Val {
        let ll = self.ll;
        let float = ll.float(32, lanes);
        let by_division = || ll.fdiv(ll.fconst(32, lanes, 1.0), ll.intrinsic("llvm.sqrt", &[float], &[x]));
        if !self.cx.machine.is_x86() {
            return by_division();
        }
        let c = |v: f64| ll.fconst(32, lanes, v);
        let fma = |a, b, d| ll.intrinsic("llvm.fma", &[float], &[a, b, d]);
        let y = self.estimate(x, lanes);
        let step = if self.cx.machine.has("fma") {
            let e = fma(ll.fneg(ll.fmul(x, y)), y, c(1.0));
            fma(ll.fmul(y, e), fma(e, c(0.375), c(0.5)), y)
        } else {
            let e = ll.fsub(c(1.0), ll.fmul(ll.fmul(x, y), y));
            ll.fadd(y, ll.fmul(ll.fmul(y, e), ll.fadd(c(0.5), ll.fmul(e, c(0.375)))))
        };
        if flushed {
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

    /// The processor's estimate, in as many of its vectors as the lanes take.
    fn estimate(&self, x: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let machine = self.cx.machine;
        let (name, width) = match lanes {
            1 => ("llvm.x86.sse.rsqrt.ss", 4),
            n if n >= 16 && machine.vectors().vector_bits >= 512 => ("llvm.x86.avx512.rsqrt14.ps.512", 16),
            n if n > 4 && machine.has("avx") => ("llvm.x86.avx.rsqrt.ps.256", 8),
            _ => ("llvm.x86.sse.rsqrt.ps", 4),
        };
        let one = |part: Val| match width {
            16 => {
                let every = ll.iconst(16, 1, 0xffff);
                ll.intrinsic(name, &[], &[part, ll.zero(ll.float(32, 16)), every])
            }
            _ => ll.intrinsic(name, &[], &[part]),
        };
        if lanes == 1 {
            return ll.lane(one(ll.set_lane(ll.zero(ll.float(32, 4)), x, 0)), 0);
        }
        // Parts of the processor's width, the last one filled up with what is arbitrary, put together pairwise.
        let mut parts: Vec<Val> = (0..lanes.div_ceil(width))
            .map(|p| {
                let lane = |n: u32| Some(p * width + n).filter(|&l| l < lanes);
                one(if lanes == width { x } else { ll.shuffle(x, x, (0..width).map(lane)) })
            })
            .collect();
        let mut each = width;
        while parts.len() > 1 {
            if parts.len() % 2 == 1 {
                parts.push(parts[parts.len() - 1]);
            }
            parts = parts.chunks(2).map(|p| ll.shuffle(p[0], p[1], (0..2 * each).map(Some))).collect();
            each *= 2;
        }
        if each == lanes { parts[0] } else { ll.shuffle(parts[0], parts[0], (0..lanes).map(Some)) }
    }
}
