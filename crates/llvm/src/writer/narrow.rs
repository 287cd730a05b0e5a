//! Values of 16-bit float formats, which are integers between operations, and conversions among formats.
//!
//! LLVM's own conversions of `half` call library functions where the processor has none, and those of `bfloat` flush
//! subnormals on some; both round twice from `f64`. So only what processors do exactly is left to them. A double goes to
//! 16 bits through a single that is *rounded to odd* (an inexact result has an odd last bit), from which a second
//! rounding, to at most 22 bits, gives what one rounding would have given.

use super::Cx;
use super::ll::{Fpred, Ipred, Val};
use ir::{Round, ScalarKind};

/// Exponent bits of a 16-bit format: all ones, as in infinities.
pub(super) fn exponent_16(kind: ScalarKind) -> u64 {
    if kind == ScalarKind::F16 { 0x7c00 } else { 0x7f80 }
}

/// Whether values of this format are held as integers.
pub(super) fn is_16(kind: ScalarKind) -> bool {
    matches!(kind, ScalarKind::F16 | ScalarKind::BF16)
}

/// Bits of the mantissa, without the leading one.
fn fraction_bits(kind: ScalarKind) -> u32 {
    match kind {
        ScalarKind::F16 => 10,
        ScalarKind::BF16 => 7,
        ScalarKind::F32 => 23,
        _ => 52,
    }
}

impl Cx<'_> {
    /// A value of any format as `f32` or `f64` of at least its width; exact.
    pub(super) fn widen(&self, v: Val, kind: ScalarKind, lanes: u32, bits: u32) -> Val {
        let to = self.ll.float(bits, lanes);
        match kind {
            ScalarKind::F16 => self.to_bits(self.half_to_single(v, lanes), 32, bits, lanes),
            ScalarKind::BF16 => self.to_bits(self.bfloat_to_single(v, lanes), 32, bits, lanes),
            ScalarKind::F32 if bits == 64 => self.ll.fpext(v, to),
            _ => v,
        }
    }

    fn to_bits(&self, v: Val, from: u32, to: u32, lanes: u32) -> Val {
        if from < to { self.ll.fpext(v, self.ll.float(to, lanes)) } else { v }
    }

    /// An `f32` or `f64` (`bits`) as a value of a format of at most its width, rounded to nearest.
    pub(super) fn narrow(&self, v: Val, bits: u32, kind: ScalarKind, lanes: u32) -> Val {
        match kind {
            ScalarKind::F16 | ScalarKind::BF16 => {
                let single = if bits == 64 { self.double_to_odd_single(v, lanes) } else { v };
                if kind == ScalarKind::F16 {
                    self.single_to_half(single, lanes)
                } else {
                    self.single_to_bfloat(single, lanes)
                }
            }
            ScalarKind::F32 if bits == 64 => self.ll.fptrunc(v, self.ll.float(32, lanes)),
            _ => v,
        }
    }

    /// An `f32` or `f64` as a value of a format, rounded in any mode: to nearest first, then repaired by comparing what
    /// came out with what went in.
    pub(super) fn narrow_directed(&self, v: Val, bits: u32, kind: ScalarKind, lanes: u32, round: Round) -> Val {
        let near = self.narrow(v, bits, kind, lanes);
        let width = if is_16(kind) { 16 } else { 32 };
        if round == Round::NearestEven || width == bits {
            return near;
        }
        let ll = self.ll;
        let back = self.widen(near, kind, lanes, bits);
        let (fabs, ty) = ("llvm.fabs", ll.float(bits, lanes));
        let (magnitude, was) = (ll.intrinsic(fabs, &[ty], &[back]), ll.intrinsic(fabs, &[ty], &[v]));
        let above = ll.fcmp(Fpred::LLVMRealOGT, magnitude, was);
        let below = ll.fcmp(Fpred::LLVMRealOLT, magnitude, was);
        let int = ll.int(bits, lanes);
        let negative = ll.icmp(Ipred::LLVMIntSLT, ll.bitcast(v, int), ll.zero(int));
        let raw = if is_16(kind) { near } else { ll.bitcast(near, ll.int(32, lanes)) };
        let fixed = self.step(raw, width, lanes, round, negative, above, below);
        if is_16(kind) { fixed } else { ll.bitcast(fixed, ll.float(32, lanes)) }
    }

    /// Moves the magnitude of a result that was rounded to nearest by one place if `round` wants that. `above` and
    /// `below` tell on which side of the exact magnitude it is.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn step(
        &self,
        raw: Val,
        bits: u32,
        lanes: u32,
        round: Round,
        negative: Val,
        above: Val,
        below: Val,
    ) -> Val {
        let ll = self.ll;
        let int = ll.int(bits, lanes);
        let no = ll.zero(ll.int(1, lanes));
        // Where magnitudes are cut off, and where they grow.
        let (cut, grow) = match round {
            Round::Zero => (above, no),
            Round::Down => (ll.and(above, ll.not(negative)), ll.and(below, negative)),
            _ => (ll.and(above, negative), ll.and(below, ll.not(negative))),
        };
        ll.sub(ll.add(raw, ll.zext(grow, int)), ll.zext(cut, int))
    }

    /// A double as a single whose last bit is odd unless it is exact.
    pub(super) fn double_to_odd_single(&self, v: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let (single, double) = (ll.float(32, lanes), ll.float(64, lanes));
        let near = ll.fptrunc(v, single);
        let back = ll.fpext(near, double);
        let (magnitude, was) =
            (ll.intrinsic("llvm.fabs", &[double], &[back]), ll.intrinsic("llvm.fabs", &[double], &[v]));
        let above = ll.fcmp(Fpred::LLVMRealOGT, magnitude, was);
        let below = ll.fcmp(Fpred::LLVMRealOLT, magnitude, was);
        ll.bitcast(self.make_odd(ll.bitcast(near, ll.int(32, lanes)), 32, lanes, above, below), single)
    }

    /// The odd neighbour of a result that is even and not exact.
    pub(super) fn make_odd(&self, raw: Val, bits: u32, lanes: u32, above: Val, below: Val) -> Val {
        let ll = self.ll;
        let int = ll.int(bits, lanes);
        let even = ll.icmp(Ipred::LLVMIntEQ, ll.and(raw, ll.iconst(bits, lanes, 1)), ll.zero(int));
        let up = ll.zext(ll.and(even, below), int);
        let down = ll.zext(ll.and(even, above), int);
        ll.sub(ll.add(raw, up), down)
    }

    fn half_to_single(&self, v: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let (int, single) = (ll.int(32, lanes), ll.float(32, lanes));
        if self.target.converts_half() {
            return ll.fpext(ll.bitcast(v, ll.half(lanes)), single);
        }
        let c = |n| ll.iconst(32, lanes, n);
        let x = ll.zext(v, int);
        let sign = ll.shl(ll.and(x, c(0x8000)), c(16));
        let magnitude = ll.and(x, c(0x7fff));
        let moved = ll.shl(magnitude, c(13));
        let normal = ll.add(moved, c(112 << 23));
        let special = ll.or(moved, c(0x7f80_0000));
        let tiny = ll.fmul(ll.sitofp(magnitude, single), ll.fconst(32, lanes, 2f64.powi(-24)));
        let is_tiny = ll.icmp(Ipred::LLVMIntULT, magnitude, c(0x400));
        let is_special = ll.icmp(Ipred::LLVMIntUGE, magnitude, c(0x7c00));
        let bits = ll.select(is_special, special, ll.select(is_tiny, ll.bitcast(tiny, int), normal));
        ll.bitcast(ll.or(bits, sign), single)
    }

    fn single_to_half(&self, v: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let (int, short) = (ll.int(32, lanes), ll.int(16, lanes));
        if self.target.converts_half() {
            return ll.bitcast(ll.fptrunc(v, ll.half(lanes)), short);
        }
        let c = |n| ll.iconst(32, lanes, n);
        let x = ll.bitcast(v, int);
        let sign = ll.and(ll.lshr(x, c(16)), c(0x8000));
        let magnitude = ll.and(x, c(0x7fff_ffff));
        let last = ll.and(ll.lshr(magnitude, c(13)), c(1));
        let rounded = ll.add(ll.add(magnitude, c(0xfff)), last);
        let normal = ll.lshr(ll.sub(rounded, c(112 << 23)), c(13));
        // Adding one half puts the last place of a subnormal at the end of the mantissa.
        let shifted = ll.fadd(ll.bitcast(magnitude, ll.float(32, lanes)), ll.fconst(32, lanes, 0.5));
        let tiny = ll.sub(ll.bitcast(shifted, int), c(0x3f00_0000));
        let is_tiny = ll.icmp(Ipred::LLVMIntULT, magnitude, c(0x3880_0000));
        let overflows = ll.icmp(Ipred::LLVMIntUGE, magnitude, c(0x4780_0000));
        let is_nan = ll.icmp(Ipred::LLVMIntUGT, magnitude, c(0x7f80_0000));
        let special = ll.select(is_nan, c(0x7e00), c(0x7c00));
        let bits = ll.select(overflows, special, ll.select(is_tiny, tiny, normal));
        ll.trunc(ll.or(bits, sign), short)
    }

    fn bfloat_to_single(&self, v: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let moved = ll.shl(ll.zext(v, ll.int(32, lanes)), ll.iconst(32, lanes, 16));
        ll.bitcast(moved, ll.float(32, lanes))
    }

    fn single_to_bfloat(&self, v: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let c = |n| ll.iconst(32, lanes, n);
        let x = ll.bitcast(v, ll.int(32, lanes));
        let last = ll.and(ll.lshr(x, c(16)), c(1));
        let rounded = ll.add(ll.add(x, c(0x7fff)), last);
        let is_nan = ll.icmp(Ipred::LLVMIntUGT, ll.and(x, c(0x7fff_ffff)), c(0x7f80_0000));
        ll.trunc(ll.lshr(ll.select(is_nan, c(0x7fc0_0000), rounded), c(16)), ll.int(16, lanes))
    }

    /// Largest number of a format's mantissa bits, its leading one counted.
    pub(super) fn precision(kind: ScalarKind) -> u32 {
        fraction_bits(kind) + 1
    }
}
