//! The ISA that inline assembly needs: programs write instructions that are newer than what their architecture begins with.

use cranelift_entity::EntityRef;
use ir::Module;
use target::PtxVersion;

/// Parts of instructions, and the first ISA after the oldest one written that has them. An instruction has all of the parts
/// that stand together.
const NEWER: &[(&[&str], PtxVersion)] = &[
    (&["multimem."], PtxVersion::new(8, 1)),
    (&["red.async"], PtxVersion::new(8, 1)),
    (&["st.async"], PtxVersion::new(8, 1)),
    (&["cvt.", ".satfinite.bf16x2.f32"], PtxVersion::new(8, 1)),
    (&["fma.", ".oob"], PtxVersion::new(8, 1)),
    (&["%aggr_smem_size"], PtxVersion::new(8, 1)),
    (&["lop3.and.b32"], PtxVersion::new(8, 2)),
    (&["lop3.or.b32"], PtxVersion::new(8, 2)),
    (&["wgmma.mma_async.sp"], PtxVersion::new(8, 2)),
    (&[".acc::f32"], PtxVersion::new(8, 2)),
    (&["tensormap."], PtxVersion::new(8, 3)),
    (&["fence.proxy.tensormap::generic"], PtxVersion::new(8, 3)),
    (&[".b128"], PtxVersion::new(8, 3)),
    (&["mma.sync", ".e4m3"], PtxVersion::new(8, 4)),
    (&["mma.sync", ".e5m2"], PtxVersion::new(8, 4)),
    (&["wgmma.", ".s8.u8"], PtxVersion::new(8, 4)),
    (&["wgmma.", ".u8.s8"], PtxVersion::new(8, 4)),
    (&[".sp::ordered_metadata"], PtxVersion::new(8, 5)),
    (&["cp.async.bulk.shared::cta"], PtxVersion::new(8, 6)),
    (&["cp.async.bulk.tensor", "d.shared::cta.global"], PtxVersion::new(8, 6)),
    (&["tcgen05."], PtxVersion::new(8, 6)),
    (&[".cta_group::"], PtxVersion::new(8, 6)),
    (&["clusterlaunchcontrol"], PtxVersion::new(8, 6)),
    (&[".f32x2"], PtxVersion::new(8, 6)),
    (&["ldmatrix", ".m16n16"], PtxVersion::new(8, 6)),
    (&["fence.acquire."], PtxVersion::new(8, 6)),
    (&["fence.release."], PtxVersion::new(8, 6)),
    (&[".sync_restrict"], PtxVersion::new(8, 6)),
    (&["mbarrier.arrive", ".relaxed"], PtxVersion::new(8, 6)),
    (&["mma.sync", ".block_scale"], PtxVersion::new(8, 7)),
    (&[".kind::mxf4nvf4"], PtxVersion::new(8, 7)),
    (&[".scale_vec::4X"], PtxVersion::new(8, 7)),
    (&["mma.", ".f16.e4m3"], PtxVersion::new(8, 7)),
    (&["mma.", ".f16.e5m2"], PtxVersion::new(8, 7)),
    (&["enable_smem_spilling"], PtxVersion::new(8, 7)),
    (&[".v4.b64"], PtxVersion::new(8, 8)),
    (&[".v4.u64"], PtxVersion::new(8, 8)),
    (&[".v4.s64"], PtxVersion::new(8, 8)),
    (&[".v4.f64"], PtxVersion::new(8, 8)),
    (&[".v8.b32"], PtxVersion::new(8, 8)),
    (&[".v8.u32"], PtxVersion::new(8, 8)),
    (&[".v8.s32"], PtxVersion::new(8, 8)),
    (&[".v8.f32"], PtxVersion::new(8, 8)),
    (&[".block16"], PtxVersion::new(8, 8)),
    (&[".block32"], PtxVersion::new(8, 8)),
    (&["cvt.", ".bf16x2.e4m3x2"], PtxVersion::new(9, 2)),
    (&["cvt.", ".bf16x2.e5m2x2"], PtxVersion::new(9, 2)),
    (&["cp.async.bulk", ".ignore_oob"], PtxVersion::new(9, 2)),
    (&["fabric"], PtxVersion::new(9, 3)),
    (&[".layout::v"], PtxVersion::new(9, 3)),
];

/// The oldest ISA that has what the inline assembly of live functions says.
pub(crate) fn asm_version(m: &Module, live: &[bool]) -> Option<PtxVersion> {
    let texts =
        m.functions.iter().filter(|(id, _)| live[id.index()]).flat_map(|(_, f)| f.dfg.asms.values().map(|a| &*a.text));
    texts.filter_map(needed).max()
}

/// The oldest ISA that has what a text says, if not the oldest one written has it.
fn needed(text: &str) -> Option<PtxVersion> {
    let has = |parts: &&(&[&str], PtxVersion)| parts.0.iter().all(|p| text.contains(p));
    NEWER.iter().filter(has).map(|row| row.1).max()
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
