//! The ISA that inline assembly needs: programs write instructions that are newer than what their architecture begins with.

use cranelift_entity::EntityRef;
use ir::Module;
use target::PtxVersion;

/// Parts of instructions, and the first ISA after the oldest one written that has them. An instruction has all of the parts
/// that stand together.
const NEWER: &[(&[&str], PtxVersion)] = &[
    (&["multimem."], PtxVersion::new(8, 1)),
    (&["red.async"], PtxVersion::new(8, 1)),
    (&["tensormap."], PtxVersion::new(8, 3)),
    (&["mma.sync", ".e4m3"], PtxVersion::new(8, 4)),
    (&["mma.sync", ".e5m2"], PtxVersion::new(8, 4)),
    (&["cp.async.bulk.shared::cta"], PtxVersion::new(8, 6)),
    (&["cp.async.bulk.tensor", "d.shared::cta.global"], PtxVersion::new(8, 6)),
    (&["tcgen05."], PtxVersion::new(8, 6)),
    (&[".cta_group::"], PtxVersion::new(8, 6)),
    (&["clusterlaunchcontrol"], PtxVersion::new(8, 6)),
    (&[".rn.f32x2"], PtxVersion::new(8, 6)),
    (&["ldmatrix", ".m16n16"], PtxVersion::new(8, 6)),
    (&["mma.sync", ".block_scale"], PtxVersion::new(8, 7)),
];

/// The oldest ISA that has what the inline assembly of live functions says.
pub(crate) fn asm_version(m: &Module, live: &[bool]) -> Option<PtxVersion> {
    let texts =
        m.functions.iter().filter(|(id, _)| live[id.index()]).flat_map(|(_, f)| f.dfg.asms.values().map(|a| &*a.text));
    let needed = |text: &str| {
        let has = |parts: &&(&[&str], PtxVersion)| parts.0.iter().all(|p| text.contains(p));
        NEWER.iter().filter(has).map(|row| row.1).max()
    };
    texts.filter_map(needed).max()
}
