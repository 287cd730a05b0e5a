//! Parts and scales of floating-point numbers ([`ir::exponent`]), by the target's instructions or in the usual operations. The
//! latter are for machines that meet code of others: the builtin library asks for them where they are instructions.

use super::func::FuncGen;
use super::ll::{Fpred, Ipred, Val};
use ir::{Inst, Intrinsic, ScalarKind};

/// Bits of a fraction of doubles.
const FRACTION: u64 = (1 << 52) - 1;

impl FuncGen<'_> {
    pub(super) fn exponents(&self, i: Inst, op: Intrinsic) -> Val {
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let (ty, flags, lanes) = (data.ty, data.flags, u32::from(data.ty.lanes()));
        let args: Vec<Val> = (0..self.f.dfg.args(i).len()).map(|n| self.flush(self.arg(i, n), ty, flags)).collect();
        let bits = if ty.kind() == ScalarKind::F64 { 64 } else { 32 };
        if let Some(v) = self.cx.target.exponents(ll, op, &args, bits, lanes) {
            return self.finish_float(v, ty, flags);
        }
        // In doubles, which hold what is made of singles exactly until it is rounded.
        let double = ll.float(64, lanes);
        let wide = |v: Val| if bits == 32 { ll.fpext(v, double) } else { v };
        let v = match op {
            Intrinsic::Scale => self.scaled(wide(args[0]), wide(args[1]), lanes),
            Intrinsic::Exponent => self.exponent(wide(args[0]), lanes),
            _ => self.significand(wide(args[0]), lanes),
        };
        let v = if bits == 32 { ll.fptrunc(v, ll.float(32, lanes)) } else { v };
        self.finish_float(v, ty, flags)
    }

    /// `x * 2^floor(y)`.
    fn scaled(&self, x: Val, y: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let (double, int) = (ll.float(64, lanes), ll.int(64, lanes));
        let (c, n) = (|x| ll.fconst(64, lanes, x), |n: i64| ll.iconst(64, lanes, n as u64));
        let number = ll.fcmp(Fpred::LLVMRealORD, y, y);
        let b = ll.select(ll.fcmp(Fpred::LLVMRealOGT, y, c(-2200.0)), y, c(-2200.0));
        let b = ll.select(ll.fcmp(Fpred::LLVMRealOLT, b, c(2200.0)), b, c(2200.0));
        let mut k = ll.fptosi(ll.intrinsic("llvm.floor", &[double], &[b]), int);
        let power = |k: Val| ll.bitcast(ll.shl(ll.add(k, n(1023)), n(52)), double);
        let mut r = x;
        // Only the last step may leave the normal numbers.
        for _ in 0..2 {
            let down = ll.icmp(Ipred::LLVMIntSLT, k, n(-1022));
            let up = ll.icmp(Ipred::LLVMIntSGT, k, n(1023));
            let step = ll.select(down, n(-968), ll.select(up, n(1023), n(0)));
            r = ll.fmul(r, power(step));
            k = ll.sub(k, step);
        }
        r = ll.fmul(r, power(k));
        // Infinite scales are infinite, whatever they scale; also of what is no number.
        let above = ll.fcmp(Fpred::LLVMRealOEQ, y, c(f64::INFINITY));
        let below = ll.fcmp(Fpred::LLVMRealOEQ, y, c(f64::NEG_INFINITY));
        let nan = ll.fcmp(Fpred::LLVMRealUNO, x, x);
        let up = ll.select(nan, c(f64::INFINITY), ll.fmul(x, c(f64::INFINITY)));
        let down = ll.select(nan, c(0.0), ll.fmul(x, c(0.0)));
        r = ll.select(above, up, ll.select(below, down, r));
        ll.select(number, r, y)
    }

    /// A size as a normal number, and how many powers of two that took.
    fn normal(&self, size: Val, lanes: u32) -> (Val, Val) {
        let ll = self.ll;
        let c = |x| ll.fconst(64, lanes, x);
        let small = ll.fcmp(Fpred::LLVMRealOLT, size, c(f64::MIN_POSITIVE));
        let up = ll.select(small, ll.fmul(size, c(18_014_398_509_481_984.0)), size);
        (up, ll.select(small, ll.iconst(64, lanes, 54), ll.iconst(64, lanes, 0)))
    }

    fn exponent(&self, x: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let (double, int) = (ll.float(64, lanes), ll.int(64, lanes));
        let (c, n) = (|x| ll.fconst(64, lanes, x), |n: u64| ll.iconst(64, lanes, n));
        let size = ll.intrinsic("llvm.fabs", &[double], &[x]);
        let (normal, down) = self.normal(size, lanes);
        let biased = ll.lshr(ll.bitcast(normal, int), n(52));
        let e = ll.sitofp(ll.sub(ll.sub(biased, n(1023)), down), double);
        let e = ll.select(ll.fcmp(Fpred::LLVMRealOLT, size, c(f64::INFINITY)), e, size);
        ll.select(ll.fcmp(Fpred::LLVMRealOEQ, size, c(0.0)), c(f64::NEG_INFINITY), e)
    }

    fn significand(&self, x: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let (double, int) = (ll.float(64, lanes), ll.int(64, lanes));
        let (c, n) = (|x| ll.fconst(64, lanes, x), |n: u64| ll.iconst(64, lanes, n));
        let size = ll.intrinsic("llvm.fabs", &[double], &[x]);
        let (normal, _) = self.normal(size, lanes);
        let fraction = ll.and(ll.bitcast(normal, int), n(FRACTION));
        let exponent = ll.sub(n(1023), ll.lshr(fraction, n(51)));
        let m = ll.bitcast(ll.or(ll.shl(exponent, n(52)), fraction), double);
        // Not-a-numbers pass.
        let m = ll.select(ll.fcmp(Fpred::LLVMRealUNO, x, x), x, m);
        let m = ll.select(ll.fcmp(Fpred::LLVMRealOLT, x, c(0.0)), c(f64::NAN), m);
        let one = ll.intrinsic("llvm.copysign", &[double], &[c(1.0), x]);
        let m = ll.select(ll.fcmp(Fpred::LLVMRealOEQ, x, c(0.0)), one, m);
        ll.select(ll.fcmp(Fpred::LLVMRealOEQ, x, c(f64::INFINITY)), c(1.0), m)
    }
}
