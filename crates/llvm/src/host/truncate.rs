//! Conversions of floating-point vectors to integers by the processor's instructions, which say what they give where the number does not fit:
//! the highest bit alone, and all bits where the result has no sign. What LLVM's `fptosi` gives there is undefined, so that operands would have to be
//! clamped first.

use super::HostMachine;
use super::wide::in_parts;
use crate::writer::ll::{Ll, Val};

/// As the thread's state says; such conversions cut off whatever that is.
const ROUNDING: u64 = 4;

/// Floats of `from` bits as integers of `to`, cut off; `None` if no instruction does that here.
pub(super) fn truncated(
    machine: &HostMachine,
    ll: &Ll<'_>,
    v: Val,
    is_signed: bool,
    (from, to, lanes): (u32, u32, u32),
) -> Option<Val> {
    if !machine.is_x86() {
        return None;
    }
    if machine.vectors().vector_bits < 512 {
        let (name, each) = match (is_signed, from, to) {
            (true, 32, 32) if machine.has("avx") && lanes > 4 => ("llvm.x86.avx.cvtt.ps2dq.256", 8),
            (true, 32, 32) => ("llvm.x86.sse2.cvttps2dq", 4),
            _ => return None,
        };
        return Some(in_parts(ll, &[v], lanes, each, |part| ll.intrinsic(name, &[], part)));
    }
    // As many lanes as the wider side has in the smallest vectors that take all.
    let widest = from.max(to);
    let vector = [128, 256].into_iter().find(|b| lanes * widest <= *b).unwrap_or(512);
    let name = match (is_signed, from, to, vector) {
        (true, 32, 32, 128) => "llvm.x86.sse2.cvttps2dq",
        (true, 32, 32, 256) => "llvm.x86.avx.cvtt.ps2dq.256",
        (true, 32, 32, _) => "llvm.x86.avx512.mask.cvttps2dq.512",
        (true, 64, 32, 256) => "llvm.x86.avx.cvtt.pd2dq.256",
        (true, 64, 32, 512) => "llvm.x86.avx512.mask.cvttpd2dq.512",
        (true, 64, 64, 128) => "llvm.x86.avx512.mask.cvttpd2qq.128",
        (true, 64, 64, 256) => "llvm.x86.avx512.mask.cvttpd2qq.256",
        (true, 64, 64, _) => "llvm.x86.avx512.mask.cvttpd2qq.512",
        (true, 32, 64, 256) => "llvm.x86.avx512.mask.cvttps2qq.256",
        (true, 32, 64, 512) => "llvm.x86.avx512.mask.cvttps2qq.512",
        (false, 32, 32, 128) => "llvm.x86.avx512.mask.cvttps2udq.128",
        (false, 32, 32, 256) => "llvm.x86.avx512.mask.cvttps2udq.256",
        (false, 32, 32, _) => "llvm.x86.avx512.mask.cvttps2udq.512",
        (false, 64, 32, 256) => "llvm.x86.avx512.mask.cvttpd2udq.256",
        (false, 64, 32, 512) => "llvm.x86.avx512.mask.cvttpd2udq.512",
        (false, 64, 64, 128) => "llvm.x86.avx512.mask.cvttpd2uqq.128",
        (false, 64, 64, 256) => "llvm.x86.avx512.mask.cvttpd2uqq.256",
        (false, 64, 64, _) => "llvm.x86.avx512.mask.cvttpd2uqq.512",
        (false, 32, 64, 256) => "llvm.x86.avx512.mask.cvttps2uqq.256",
        (false, 32, 64, 512) => "llvm.x86.avx512.mask.cvttps2uqq.512",
        // Two lanes of different widths: an instruction's operands would have lanes of no meaning.
        _ => return None,
    };
    let each = vector / widest;
    let mut passed = Vec::new();
    if name.contains("mask") {
        passed = vec![ll.zero(ll.int(to, each)), ll.iconst(each.max(8), 1, u64::MAX)];
        if vector == 512 {
            passed.push(ll.iconst(32, 1, ROUNDING));
        }
    }
    Some(in_parts(ll, &[v], lanes, each, |part| ll.intrinsic(name, &[], &[part, &passed[..]].concat())))
}
