//! The processor that runs the compiler.

use crate::space::SPACES;
use crate::{BackEnd, Description, Isa, Kind, Lanes, LaunchLimits, OccupancyRules, Vendor};

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
