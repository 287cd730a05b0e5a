//! Instructions of AVX-512 on parts of floating-point numbers and on tables in registers.

use crate::writer::ll::{Ll, Val};
use ir::Intrinsic;

/// How [`Intrinsic::Significand`] is asked for: from 3/4 up to 3/2, and what is negative is no number.
const SIGNIFICAND: u64 = 2 << 2 | 3;

/// As the thread's state says.
const ROUNDING: u64 = 4;

/// One of the operations on parts of numbers.
pub(super) fn exponents(ll: &Ll<'_>, op: Intrinsic, args: &[Val], bits: u32, lanes: u32) -> Option<Val> {
    let width = [128, 256].into_iter().find(|w| lanes * bits <= *w).unwrap_or(512);
    let name = match (op, bits, width) {
        (Intrinsic::Scale, 64, 128) => "llvm.x86.avx512.mask.scalef.pd.128",
        (Intrinsic::Scale, 64, 256) => "llvm.x86.avx512.mask.scalef.pd.256",
        (Intrinsic::Scale, 64, _) => "llvm.x86.avx512.mask.scalef.pd.512",
        (Intrinsic::Scale, _, 128) => "llvm.x86.avx512.mask.scalef.ps.128",
        (Intrinsic::Scale, _, 256) => "llvm.x86.avx512.mask.scalef.ps.256",
        (Intrinsic::Scale, ..) => "llvm.x86.avx512.mask.scalef.ps.512",
        (Intrinsic::Exponent, 64, 128) => "llvm.x86.avx512.mask.getexp.pd.128",
        (Intrinsic::Exponent, 64, 256) => "llvm.x86.avx512.mask.getexp.pd.256",
        (Intrinsic::Exponent, 64, _) => "llvm.x86.avx512.mask.getexp.pd.512",
        (Intrinsic::Exponent, _, 128) => "llvm.x86.avx512.mask.getexp.ps.128",
        (Intrinsic::Exponent, _, 256) => "llvm.x86.avx512.mask.getexp.ps.256",
        (Intrinsic::Exponent, ..) => "llvm.x86.avx512.mask.getexp.ps.512",
        (Intrinsic::Significand, 64, 128) => "llvm.x86.avx512.mask.getmant.pd.128",
        (Intrinsic::Significand, 64, 256) => "llvm.x86.avx512.mask.getmant.pd.256",
        (Intrinsic::Significand, 64, _) => "llvm.x86.avx512.mask.getmant.pd.512",
        (Intrinsic::Significand, _, 128) => "llvm.x86.avx512.mask.getmant.ps.128",
        (Intrinsic::Significand, _, 256) => "llvm.x86.avx512.mask.getmant.ps.256",
        (Intrinsic::Significand, ..) => "llvm.x86.avx512.mask.getmant.ps.512",
        _ => return None,
    };
    let each = width / bits;
    let passed = ll.zero(ll.float(bits, each));
    let mask = ll.iconst(each.max(8), 1, u64::MAX);
    Some(in_parts(ll, args, lanes, each, |parts| {
        let mut operands = parts.to_vec();
        if op == Intrinsic::Significand {
            operands.push(ll.iconst(32, 1, SIGNIFICAND));
        }
        operands.extend([passed, mask]);
        if width == 512 {
            operands.push(ll.iconst(32, 1, ROUNDING));
        }
        ll.intrinsic(name, &[], &operands)
    }))
}

/// The estimate of inverse roots of doubles.
pub(super) fn estimate_inverse_root(ll: &Ll<'_>, x: Val, lanes: u32) -> Val {
    let (name, each) = match lanes {
        1 | 2 => ("llvm.x86.avx512.rsqrt14.pd.128", 2),
        3 | 4 => ("llvm.x86.avx512.rsqrt14.pd.256", 4),
        _ => ("llvm.x86.avx512.rsqrt14.pd.512", 8),
    };
    let (passed, every) = (ll.zero(ll.float(64, each)), ll.iconst(8, 1, 0xff));
    in_parts(ll, &[x], lanes, each, |parts| ll.intrinsic(name, &[], &[parts[0], passed, every]))
}

/// The estimate of inverses of singles.
pub(super) fn estimate_inverse(ll: &Ll<'_>, x: Val, lanes: u32) -> Val {
    let (passed, every) = (ll.zero(ll.float(32, 16)), ll.iconst(16, 1, 0xffff));
    in_parts(ll, &[x], lanes, 16, |parts| ll.intrinsic("llvm.x86.avx512.rcp14.ps.512", &[], &[parts[0], passed, every]))
}

/// The estimate of inverses of doubles.
pub(super) fn estimate_inverse_double(ll: &Ll<'_>, x: Val, lanes: u32) -> Val {
    let (name, each) = match lanes {
        1 | 2 => ("llvm.x86.avx512.rcp14.pd.128", 2),
        3 | 4 => ("llvm.x86.avx512.rcp14.pd.256", 4),
        _ => ("llvm.x86.avx512.rcp14.pd.512", 8),
    };
    let (passed, every) = (ll.zero(ll.float(64, each)), ll.iconst(8, 1, 0xff));
    in_parts(ll, &[x], lanes, each, |parts| ll.intrinsic(name, &[], &[parts[0], passed, every]))
}

/// How zeros and infinity are asked for, by their classes.
const OWN_ROOTS: u64 = 1 << 1 | 1 << 2 | 1 << 3;

/// Which doubles are zeros or infinity.
pub(super) fn own_roots(ll: &Ll<'_>, x: Val, lanes: u32) -> Val {
    let (name, each) = match lanes {
        1 | 2 => ("llvm.x86.avx512.fpclass.pd.128", 2),
        3 | 4 => ("llvm.x86.avx512.fpclass.pd.256", 4),
        _ => ("llvm.x86.avx512.fpclass.pd.512", 8),
    };
    let classes = ll.iconst(32, 1, OWN_ROOTS);
    in_parts(ll, &[x], lanes, each, |parts| ll.intrinsic(name, &[], &[parts[0], classes]))
}

/// Entries of a table of 16 by the low four bits of whole numbers as wide as they are.
pub(super) fn pick_entries(ll: &Ll<'_>, table: &[Val], index: Val, lanes: u32) -> Val {
    let halves = table.split_at(table.len() / 2);
    if ll.type_of(table[0]) == ll.float(64, 1) {
        let (low, high) = (ll.const_vector(halves.0), ll.const_vector(halves.1));
        let pick = |i: &[Val]| ll.intrinsic("llvm.x86.avx512.vpermi2var.pd.512", &[], &[low, i[0], high]);
        return in_parts(ll, &[index], lanes, 8, pick);
    }
    let all = ll.const_vector(table);
    let pick = |i: &[Val]| ll.intrinsic("llvm.x86.avx512.permvar.sf.512", &[], &[all, i[0]]);
    in_parts(ll, &[index], lanes, 16, pick)
}

/// An operation on vectors of `each` lanes, or of one, done in as many parts as that takes; the last one is filled up.
pub(super) fn in_parts(ll: &Ll<'_>, args: &[Val], lanes: u32, each: u32, op: impl Fn(&[Val]) -> Val) -> Val {
    if lanes == each {
        return op(args);
    }
    let vector = |v: Val| if lanes == 1 { ll.splat(v, each) } else { v };
    let args: Vec<Val> = args.iter().map(|&v| vector(v)).collect();
    if lanes == 1 {
        return ll.lane(op(&args), 0);
    }
    let mut parts: Vec<Val> = (0..lanes.div_ceil(each))
        .map(|p| {
            let lane = |n: u32| Some((p * each + n).min(lanes - 1));
            let part: Vec<Val> = args.iter().map(|&v| ll.shuffle(v, v, (0..each).map(lane))).collect();
            op(&part)
        })
        .collect();
    // Put together pairwise.
    let mut width = each;
    while parts.len() > 1 {
        if parts.len() % 2 == 1 {
            parts.push(parts[parts.len() - 1]);
        }
        parts = parts.chunks(2).map(|p| ll.shuffle(p[0], p[1], (0..2 * width).map(Some))).collect();
        width *= 2;
    }
    if width == lanes { parts[0] } else { ll.shuffle(parts[0], parts[0], (0..lanes).map(Some)) }
}
