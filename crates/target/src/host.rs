//! The processor that runs the compiler.

use crate::space::SPACES;
use crate::{BackEnd, Description, Isa, Kind, Lanes, LaunchLimits, OccupancyRules, Vendor};
use std::sync::OnceLock;

/// Most work-items of a group. What lives across a barrier is kept in memory once for each work-item, so this bounds a
/// group's memory.
const GROUP_ITEMS: u32 = 4096;

/// Most groups in a dimension: numbers of groups are positive numbers of 32 bits.
const GROUPS: u32 = i32::MAX as u32;

/// Code for the host is vectorised by us and finished by LLVM.
pub(crate) static HOST: Description = Description {
    name: "host",
    kind: Kind::Cpu,
    vendor: Vendor::Host,
    isa: Isa::Host,
    // Warps are made, so that any power of two could be had; 32 is what CUDA's programs count on.
    lanes: Lanes { wave: 32, warps: &[1, 2, 4, 8, 16, 32, 64], warp: 32 },
    launch: LaunchLimits { group_items: GROUP_ITEMS, group: [GROUP_ITEMS; 3], groups: [GROUPS; 3] },
    pointer_bits: [64; SPACES.len()],
    occupancy: OccupancyRules::None,
    back_end: BackEnd {
        approximate_functions: false,
        mul24: false,
        half: false,
        images: true,
        calls: false,
        convergent_operations: false,
        division_by_constants: true,
        contraction: true,
        // Two or three cycles, and four.
        quick_sums: true,
        address_reduction: true,
        access_joining: true,
        group_load_joining: false,
        record_rows: true,
        branch_joining: true,
        loop_vectors: true,
        // Bodies run in vectors, several side by side: fewer branches around them gain nothing that could be measured,
        // and copies cost LLVM's time.
        partial_unrolling: false,
        runtime_unrolling: false,
        alias_tests: true,
        bit_counts: true,
        unswitching: false,
        measured_library: false,
        row_choice: true,
        flat_memory: true,
    },
};

/// The variable that names the processor that code is made for.
const CPU_VARIABLE: &str = "UNSPOOL_CPU";

/// Names of processors with AVX-512 as all of them have it since Skylake, as LLVM spells them.
const WIDE: [&str; 9] = [
    "x86-64-v4",
    "skylake-avx512",
    "cascadelake",
    "cooperlake",
    "icelake-server",
    "sapphirerapids",
    "emeraldrapids",
    "znver4",
    "znver5",
];

/// Whether a processor has AVX-512: a named one, that of [`CPU_VARIABLE`], or this machine's.
pub(crate) fn is_wide(named: Option<&str>) -> bool {
    static HERE: OnceLock<bool> = OnceLock::new();
    if let Some(name) = named {
        return WIDE.contains(&name);
    }
    *HERE.get_or_init(|| match std::env::var(CPU_VARIABLE) {
        Ok(name) if !name.trim().is_empty() => WIDE.contains(&name.trim()),
        _ => detect(),
    })
}

#[cfg(target_arch = "x86_64")]
fn detect() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx512f") && has!("avx512vl") && has!("avx512bw") && has!("avx512dq")
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_wide_by_their_names() {
        assert!(is_wide(Some("znver4")) && is_wide(Some("x86-64-v4")));
        assert!(!is_wide(Some("znver3")) && !is_wide(Some("x86-64-v3")));
        assert_eq!(is_wide(None), is_wide(None));
    }
}
