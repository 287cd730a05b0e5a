//! Products of matrices by the units of RDNA3 and RDNA4 (WMMA) and of CDNA (MFMA).

use super::convention::Amd;
use crate::LlvmError;
use crate::writer::convention::Call;
use crate::writer::ll::{Ll, Ty, Val};
use ir::Intrinsic;
use target::{MatrixUnits, Mfma};

impl Amd<'_> {
    pub(super) fn matrix_product(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Val, LlvmError> {
        let [a, b, c] = [0, 1, 2].map(|n| (call.arg)(n));
        let bytes = matches!(call.op, Intrinsic::MatrixS8 | Intrinsic::MatrixU8);
        let units = self.machine.target.matrix_units();
        // Elements of 16 bits in a lane.
        let (row, own) = match units {
            Some(MatrixUnits::WholeRows) => (16, 8),
            Some(MatrixUnits::QuarterRows(_)) => (4, 4),
            _ => (8, 8),
        };
        let (words, sums) = if bytes { (row / 4, ll.int(32, own)) } else { (row / 2, ll.float(32, own)) };
        let fits = [a, b].iter().all(|&v| ll.type_of(v) == ll.int(32, words)) && ll.type_of(c) == sums;
        if units.is_none() || !fits {
            return Err(LlvmError::unsupported(
                format!("the operation `{}`", call.op.name()),
                call.span,
                "compile for a GPU of gfx11 or gfx12 with waves of 32 lanes, or for gfx908, gfx90a or gfx942 with `-fwarp64`",
            ));
        }
        if let Some(MatrixUnits::QuarterRows(mfma)) = units {
            return Ok(quarters(ll, mfma, call.op, [a, b, c]));
        }
        if bytes {
            let signed = ll.iconst(1, 1, u64::from(call.op == Intrinsic::MatrixS8));
            let plain = ll.iconst(1, 1, 0);
            let types = [sums, ll.int(32, words)];
            return Ok(ll.intrinsic("llvm.amdgcn.wmma.i32.16x16x16.iu8", &types, &[signed, a, signed, b, c, plain]));
        }
        let (name, row) = if call.op == Intrinsic::MatrixF16 {
            ("llvm.amdgcn.wmma.f32.16x16x16.f16", ll.half(row))
        } else {
            ("llvm.amdgcn.wmma.f32.16x16x16.bf16", ll.int(16, row))
        };
        let [a, b] = [a, b].map(|v| ll.bitcast(v, row));
        Ok(ll.intrinsic(name, &[sums, row], &[a, b, c]))
    }
}

/// A product over 64 lanes, each of which has four neighbours of a row and of a column. Which of the sixteen a unit takes first does
/// not matter to it, as long as both factors' are the same.
fn quarters(ll: &Ll<'_>, mfma: Mfma, op: Intrinsic, [a, b, c]: [Val; 3]) -> Val {
    match op {
        Intrinsic::MatrixS8 => signed_bytes(ll, mfma, a, b, c),
        Intrinsic::MatrixU8 => unsigned_bytes(ll, mfma, a, b, c),
        // Numbers below the normal ones count: the unit for single precision has them.
        op if mfma == Mfma::Cdna2 => singles(ll, op, [a, b, c]),
        Intrinsic::MatrixF16 => {
            let [a, b] = [a, b].map(|v| ll.bitcast(v, ll.half(4)));
            multiply(ll, "llvm.amdgcn.mfma.f32.16x16x16f16", [a, b, c])
        }
        _ if mfma == Mfma::Cdna1 => (0..2).fold(c, |c, n| {
            let [a, b] = [a, b].map(|v| ll.bitcast(ll.lane(v, n), ll.int(16, 2)));
            multiply(ll, "llvm.amdgcn.mfma.f32.16x16x8bf16", [a, b, c])
        }),
        _ => {
            let [a, b] = [a, b].map(|v| ll.bitcast(v, ll.int(16, 4)));
            multiply(ll, "llvm.amdgcn.mfma.f32.16x16x16bf16.1k", [a, b, c])
        }
    }
}

/// One operation, whose lanes are not permuted.
fn multiply(ll: &Ll<'_>, name: &'static str, [a, b, c]: [Val; 3]) -> Val {
    let plain = ll.iconst(32, 1, 0);
    ll.intrinsic(name, &[], &[a, b, c, plain, plain, plain])
}

/// Four products of four in single precision, in which those of shorter numbers are exact.
fn singles(ll: &Ll<'_>, op: Intrinsic, [a, b, c]: [Val; 3]) -> Val {
    let [a, b] = [a, b].map(|v| {
        if op == Intrinsic::MatrixF16 {
            return ll.fpext(ll.bitcast(v, ll.half(4)), ll.float(32, 4));
        }
        let bits = ll.zext(ll.bitcast(v, ll.int(16, 4)), ll.int(32, 4));
        ll.bitcast(ll.shl(bits, ll.iconst(32, 4, 16)), ll.float(32, 4))
    });
    (0..4).fold(c, |c, n| multiply(ll, "llvm.amdgcn.mfma.f32.16x16x4f32", [ll.lane(a, n), ll.lane(b, n), c]))
}

fn signed_bytes(ll: &Ll<'_>, mfma: Mfma, a: Val, b: Val, c: Val) -> Val {
    if mfma != Mfma::Cdna3 {
        return multiply(ll, "llvm.amdgcn.mfma.i32.16x16x16i8", [a, b, c]);
    }
    // It multiplies twice as many: the others are zero.
    let long: Ty = ll.int(64, 1);
    multiply(ll, "llvm.amdgcn.mfma.i32.16x16x32.i8", [ll.zext(a, long), ll.zext(b, long), c])
}

/// Bytes less 128 are signed. With a = a' + 128 and b = b' + 128 a sum of sixteen products is that of a' * b', plus 128 times the
/// sums of a' and of b', plus 16 * 128 * 128; -128 is a byte that a unit multiplies by.
fn unsigned_bytes(ll: &Ll<'_>, mfma: Mfma, a: Val, b: Val, c: Val) -> Val {
    let less = ll.iconst(32, 1, 0x8080_8080);
    let [a, b] = [a, b].map(|v| ll.xor(v, less));
    let sums = signed_bytes(ll, mfma, a, less, ll.zero(ll.int(32, 4)));
    let sums = signed_bytes(ll, mfma, less, b, sums);
    let begin = ll.add(c, ll.iconst(32, 4, 16 * 128 * 128));
    signed_bytes(ll, mfma, a, b, ll.sub(begin, sums))
}
