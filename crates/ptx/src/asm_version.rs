//! The ISA that inline assembly needs: programs write instructions that are newer than what their architecture begins with.

use cranelift_entity::EntityRef;
use ir::Module;
use rustc_hash::FxHashSet;
use target::PtxVersion;

/// Parts of instructions, and the first ISA after the oldest one written that has them. An instruction has all of the parts
/// that stand together. CCCL's `cuda/__ptx` names the ISA of each instruction that it wraps, and ptxas says it of others.
const NEWER: &[(PtxVersion, &[&[&str]])] = &[
    (
        PtxVersion::new(8, 1),
        &[
            &["multimem."],
            &["red.async"],
            &["st.async"],
            &["cvt.", ".satfinite.bf16x2.f32"],
            &["fma.", ".oob"],
            &["%aggr_smem_size"],
        ],
    ),
    (PtxVersion::new(8, 2), &[&["lop3.and.b32"], &["lop3.or.b32"], &["wgmma.mma_async.sp"], &[".acc::f32"]]),
    (PtxVersion::new(8, 3), &[&["tensormap."], &["fence.proxy.tensormap::generic"], &[".b128"]]),
    (
        PtxVersion::new(8, 4),
        &[&["mma.sync", ".e4m3"], &["mma.sync", ".e5m2"], &["wgmma.", ".s8.u8"], &["wgmma.", ".u8.s8"]],
    ),
    (PtxVersion::new(8, 5), &[&[".sp::ordered_metadata"]]),
    (
        PtxVersion::new(8, 6),
        &[
            &["cp.async.bulk.shared::cta"],
            &["cp.async.bulk.tensor", "d.shared::cta.global"],
            &["cp.async.bulk.", ".cp_mask"],
            &["::gather4"],
            &["::scatter4"],
            &["tcgen05."],
            &[".cta_group::"],
            &["clusterlaunchcontrol"],
            &[".f32x2"],
            &["ldmatrix", ".m16n16"],
            &["ldmatrix", ".m8n16"],
            &["stmatrix", ".m16n8"],
            &["st.bulk"],
            &["fence.acquire."],
            &["fence.release."],
            &[".sync_restrict"],
            &["mbarrier.arrive", ".relaxed"],
            &["mbarrier.test_wait", ".relaxed"],
            &["mbarrier.try_wait", ".relaxed"],
            &["tensormap.replace", ".swizzle_atomicity"],
        ],
    ),
    (
        PtxVersion::new(8, 7),
        &[
            &["red.async", ".global"],
            &["st.async", ".global"],
            &["cvt.rs."],
            &["mma.sync", ".block_scale"],
            &["mma.sync", ".m16n8k16", ".e4m3"],
            &["mma.sync", ".m16n8k16", ".e5m2"],
            &[".kind::mxf4nvf4"],
            &[".scale_vec::4X"],
            &["mma.", ".f16.e4m3"],
            &["mma.", ".f16.e5m2"],
            &["enable_smem_spilling"],
        ],
    ),
    (
        PtxVersion::new(8, 8),
        &[
            &[".v4.b64"],
            &[".v4.u64"],
            &[".v4.s64"],
            &[".v4.f64"],
            &[".v8.b32"],
            &[".v8.u32"],
            &[".v8.s32"],
            &[".v8.f32"],
            &[".block16"],
            &[".block32"],
            &["tcgen05.ld.red"],
        ],
    ),
    (
        PtxVersion::new(9, 1),
        &[
            &["cvt.", ".e2m1x2.f16x2"],
            &["cvt.", ".e2m1x2.bf16x2"],
            &["cvt.", ".e2m3x2.f16x2"],
            &["cvt.", ".e2m3x2.bf16x2"],
            &["cvt.", ".e3m2x2.f16x2"],
            &["cvt.", ".e3m2x2.bf16x2"],
            &["cvt.", ".e4m3x2.bf16x2"],
            &["cvt.", ".e5m2x2.bf16x2"],
            &["cvt.", "s2f6x2"],
        ],
    ),
    (
        PtxVersion::new(9, 2),
        &[
            &["cvt.", ".bf16x2.e4m3x2"],
            &["cvt.", ".bf16x2.e5m2x2"],
            &["cvt.", ".bf16x2.e2m1x2"],
            &["cvt.", ".bf16x2.e2m3x2"],
            &["cvt.", ".bf16x2.e3m2x2"],
            &["cp.async.bulk", ".ignore_oob"],
        ],
    ),
    (PtxVersion::new(9, 3), &[&["fabric."], &["fabric::"], &["::fabric"]]),
    (
        PtxVersion::new(9, 4),
        &[
            &["fabric.try_atom"],
            &["fabric.try_pullred"],
            &["fabric.try_", ".tensor."],
            &["applypriority.async"],
            &["cp.async.bulk", ".mbarrier::report"],
            &["mbarrier::report::disabled"],
            &["mbarrier::report::validity"],
            &["::cluster::32b"],
            &["cp.async.bulk.prefetch", ".L2::evict_"],
            &[".override::"],
            &["fence.proxy.alias."],
            &["fence.proxy.async::generic", "::read"],
            &[".layout::v"],
            &[".phase_type::"],
            &[".valid_addr"],
            &["tcgen05.", "alloc.exclusive"],
            &[".spcompress"],
            &["tcgen05.commit", ".sync_restrict"],
        ],
    ),
    (
        PtxVersion::new(9, 5),
        &[
            &["fabric.submit.commit_group"],
            &["fabric.wait.sync_restrict::read "],
            &["fence.alias"],
            &["cp.async.bulk.wait_group.sync_restrict"],
        ],
    ),
];

/// The oldest ISA that has what the inline assembly of live functions says.
pub(crate) fn asm_version(m: &Module, live: &[bool]) -> Option<PtxVersion> {
    // Inlining makes many copies of few texts.
    let texts: FxHashSet<&str> = m
        .functions
        .iter()
        .filter(|(id, _)| live[id.index()])
        .flat_map(|(_, f)| f.dfg.asms.values().map(|a| &*a.text))
        .collect();
    texts.into_iter().filter_map(needed).max()
}

/// The oldest ISA that has what a text says, if not the oldest one written has it.
fn needed(text: &str) -> Option<PtxVersion> {
    text.split(';').filter_map(needed_by).max()
}

/// The same of one instruction.
fn needed_by(instruction: &str) -> Option<PtxVersion> {
    let has = |all: &[&str]| all.iter().all(|part| instruction.contains(part));
    let newest = NEWER.iter().rev().find(|(_, any)| any.iter().any(|all| has(all))).map(|row| row.0);
    newest.max(is_of_three(instruction).then_some(PtxVersion::new(8, 8)))
}

/// Whether an instruction is the least or the greatest of three floats.
fn is_of_three(instruction: &str) -> bool {
    let mut words = instruction.split_whitespace();
    let Some(name) = words.find(|w| w.starts_with("min.") || w.starts_with("max.")) else { return false };
    name.ends_with(".f32") && words.flat_map(|w| w.matches(',')).count() == 3
}

#[cfg(test)]
mod tests {
    use super::{PtxVersion, needed};

    /// ptxas says from which ISA on there is each of them.
    #[test]
    fn instructions_that_are_newer_than_the_oldest_isa() {
        let rows = [
            ("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];", Some((8, 1))),
            ("lop3.or.b32 %0|q, %1, %2, %3, 0xe8, t;", Some((8, 2))),
            ("lop3.b32 %0, %1, %2, %3, 0xe8;", None),
            ("cvt.rn.satfinite.bf16x2.f32 %0, %1, %2;", Some((8, 1))),
            ("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%0}", Some((8, 5))),
            ("fence.acq_rel.cluster;", None),
            ("fence.acquire.cluster;", Some((8, 6))),
            ("ld.global.L1::evict_first.v4.b64 {%0, %1, %2, %3}, [%4];", Some((8, 8))),
            ("fma.rp.f32x2 %0, %1, %2, %3;", Some((8, 6))),
            ("max.ftz.f32 %0, %1, %2, %3;", Some((8, 8))),
            ("max.f32 %0, %1, %2; max.f32 %3, %0, %2;", None),
            ("red.async.release.gpu.global.add.u32 [%0], %1;", Some((8, 7))),
            ("red.async.relaxed.cluster.shared::cluster.add.u32 [%0], %1; ld.global.u32 %2, [%3];", Some((8, 1))),
            ("cvt.rn.bf16x2.e2m1x2 %0, b;", Some((9, 2))),
            ("cvt.rn.satfinite.e4m3x2.bf16x2 %0, %1;", Some((9, 1))),
            ("mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [%1], %2;", Some((8, 6))),
            ("tcgen05.ld.red.sync.aligned.32x32b.x2.u32.min {%0, %1}, %2, [%3];", Some((8, 8))),
            (".pragma \"enable_smem_spilling\";", Some((8, 7))),
            (
                "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%0], [%1], %2, %3, %4, [%5];",
                Some((9, 2)),
            ),
        ];
        for (text, version) in rows {
            assert_eq!(needed(text), version.map(|(major, minor)| PtxVersion::new(major, minor)), "{text}");
        }
    }
}
