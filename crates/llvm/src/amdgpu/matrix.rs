//! Products of matrices by the units of RDNA3 and RDNA4.

use super::convention::Amd;
use crate::LlvmError;
use crate::writer::convention::Call;
use crate::writer::ll::{Ll, Val};
use ir::Intrinsic;
use target::MatrixUnits;

impl Amd<'_> {
    pub(super) fn matrix_product(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Val, LlvmError> {
        let [a, b, c] = [0, 1, 2].map(|n| (call.arg)(n));
        let bytes = matches!(call.op, Intrinsic::MatrixS8 | Intrinsic::MatrixU8);
        let units = self.machine.target.matrix_units();
        // Elements of 16 bits in a lane.
        let row = if units == Some(MatrixUnits::WholeRows) { 16 } else { 8 };
        let (words, sums) = if bytes { (row / 4, ll.int(32, 8)) } else { (row / 2, ll.float(32, 8)) };
        let fits = [a, b].iter().all(|&v| ll.type_of(v) == ll.int(32, words)) && ll.type_of(c) == sums;
        if units.is_none() || !fits {
            return Err(LlvmError::unsupported(
                format!("the operation `{}`", call.op.name()),
                call.span,
                "compile for a GPU of gfx11 or gfx12 with waves of 32 lanes",
            ));
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
