//! Instructions of x86 that LLVM does not choose by itself.

use super::HostMachine;
use crate::writer::ll::{Ipred, Ll, Val};

/// Most lanes of 32 bits that are put together from picks of 8; beyond, memory is quicker.
pub(super) const MAX_PICKED: u32 = 32;

/// Whether that many lanes are estimated by AVX-512's instruction, which is good to 2⁻¹⁴.
pub(super) fn is_wide_estimate(machine: &HostMachine, lanes: u32) -> bool {
    lanes >= 16 && machine.vectors().vector_bits >= 512
}

/// The processor's estimate, in as many of its vectors as the lanes take.
pub(super) fn estimate_inverse_root(machine: &HostMachine, ll: &Ll<'_>, x: Val, lanes: u32) -> Val {
    let (name, width) = match lanes {
        1 => ("llvm.x86.sse.rsqrt.ss", 4),
        n if is_wide_estimate(machine, n) => ("llvm.x86.avx512.rsqrt14.ps.512", 16),
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

/// Lanes of 32 bits by index, which is in range.
pub(super) fn pick_words(ll: &Ll<'_>, v: Val, index: Val, lanes: u32) -> Val {
    let padded = lanes.div_ceil(8) * 8;
    let pad = |v: Val| {
        if padded == lanes {
            return v;
        }
        ll.shuffle(v, v, (0..padded).map(|n| (n < lanes).then_some(n)))
    };
    let (v, index) = (pad(v), pad(index));
    let part = |v: Val, k: u32| {
        if padded == 8 { v } else { ll.shuffle(v, v, (0..8).map(|n| Some(8 * k + n))) }
    };
    let parts = padded / 8;
    let mut out: Vec<Val> = Vec::new();
    for to in 0..parts {
        let at = part(index, to);
        let group = ll.lshr(at, ll.iconst(32, 8, 3));
        // `vpermd` looks at the low three bits.
        let pick = |from| ll.intrinsic("llvm.x86.avx2.permd", &[], &[part(v, from), at]);
        let picked = (1..parts).fold(pick(0), |so_far, from| {
            let here = ll.icmp(Ipred::LLVMIntEQ, group, ll.iconst(32, 8, from.into()));
            ll.select(here, pick(from), so_far)
        });
        out.push(picked);
    }
    // Put together two by two; the number of parts is a power of two, or the last is doubled.
    let mut width = 8;
    while out.len() > 1 {
        if out.len() % 2 == 1 {
            out.extend(out.last().copied());
        }
        out = out.chunks(2).map(|p| ll.shuffle(p[0], p[1], (0..2 * width).map(Some))).collect();
        width *= 2;
    }
    if width == lanes { out[0] } else { ll.shuffle(out[0], out[0], (0..lanes).map(Some)) }
}
