//! The table of NVIDIA architectures.

use crate::space::SPACES;
use crate::{BackEnd, Description, Isa, Kind, Lanes, LaunchLimits, OccupancyRules, Target, Vendor};
use std::fmt;

/// Lanes of a warp, the same since there are warps.
const WARP_SIZE: u32 = 32;

/// Most threads of a block in each dimension, and as many in all as in x (CUDA C++ Programming Guide, technical specifications per compute capability).
const BLOCK: [u32; 3] = [1024, 1024, 64];

/// Most blocks of a grid in each dimension (the same table).
const GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];

/// Addresses of shared and private memory have 32 bits.
const POINTER_BITS: [u8; SPACES.len()] = [64, 64, 64, 32, 64, 32];

/// A version of the PTX ISA.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PtxVersion {
    /// Before the dot.
    pub major: u8,
    /// After the dot.
    pub minor: u8,
}

impl PtxVersion {
    /// `major.minor`
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// What stands after the number of an architecture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArchVariant {
    /// Nothing: code runs on every later architecture too.
    Base,
    /// `f`: code runs on the architectures of the same family.
    Family,
    /// `a`: code runs on this architecture only.
    Specific,
}

/// Resources of one multiprocessor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmLimits {
    /// 32-bit registers of a multiprocessor.
    pub registers: u32,
    /// Most registers of one block.
    pub registers_per_block: u32,
    /// Most registers of one thread.
    pub registers_per_thread: u32,
    /// Registers are handed to warps in multiples of this.
    pub register_unit: u32,
    /// Warps are allocated in multiples of this.
    pub warp_unit: u32,
    /// Resident warps.
    pub warps: u32,
    /// Resident blocks.
    pub blocks: u32,
    /// Resident threads.
    pub threads: u32,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Most bytes of shared memory for one block, opted in.
    pub shared_per_block: u32,
    /// Most bytes of statically declared shared memory for one block.
    pub shared_static: u32,
    /// Shared memory is handed out in multiples of this.
    pub shared_unit: u32,
    /// Bytes of shared memory that the system keeps per block.
    pub shared_reserved: u32,
}

/// An NVIDIA architecture: a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arch(u8);

struct Row {
    name: &'static str,
    number: u16,
    variant: ArchVariant,
    ptx: PtxVersion,
    limits: u8,
}

/// Limits by generation; rows name them by index.
const LIMITS: [SmLimits; 14] = [
    limits(64, 32, 2048, 64, 48, 256, 0, 4, 64),      // 0: 5.0
    limits(64, 32, 2048, 96, 48, 256, 0, 4, 64),      // 1: 5.2, 6.1
    limits(64, 32, 2048, 64, 48, 256, 0, 4, 32),      // 2: 5.3, 6.2
    limits(64, 32, 2048, 64, 48, 256, 0, 2, 64),      // 3: 6.0
    limits(64, 32, 2048, 96, 96, 256, 0, 4, 64),      // 4: 7.0, 7.2
    limits(32, 16, 1024, 64, 64, 256, 0, 4, 64),      // 5: 7.5
    limits(64, 32, 2048, 164, 163, 128, 1024, 4, 64), // 6: 8.0
    limits(48, 16, 1536, 100, 99, 128, 1024, 4, 64),  // 7: 8.6
    limits(48, 16, 1536, 164, 163, 128, 1024, 4, 64), // 8: 8.7
    limits(48, 24, 1536, 100, 99, 128, 1024, 4, 64),  // 9: 8.9, 12.0, 12.1
    limits(64, 32, 2048, 228, 227, 128, 1024, 4, 64), // 10: 9.0, 10.0, 10.3
    limits(48, 24, 1536, 228, 227, 128, 1024, 4, 64), // 11: 11.0
    limits(48, 16, 1536, 100, 99, 128, 1024, 4, 64),  // 12: 8.8
    limits(64, 32, 2048, 228, 227, 128, 1024, 4, 64), // 13: 10.7
];

#[allow(clippy::too_many_arguments)]
const fn limits(
    warps: u32,
    blocks: u32,
    threads: u32,
    shared_kib: u32,
    block_kib: u32,
    shared_unit: u32,
    shared_reserved: u32,
    warp_unit: u32,
    block_kiregs: u32,
) -> SmLimits {
    SmLimits {
        registers: 65536,
        registers_per_block: block_kiregs * 1024,
        registers_per_thread: 255,
        register_unit: 256,
        warp_unit,
        warps,
        blocks,
        threads,
        shared: shared_kib * 1024,
        shared_per_block: block_kib * 1024,
        shared_static: 48 * 1024,
        shared_unit,
        shared_reserved,
    }
}

const fn row(name: &'static str, number: u16, variant: ArchVariant, ptx: (u8, u8), limits: u8) -> Row {
    Row { name, number, variant, ptx: PtxVersion::new(ptx.0, ptx.1), limits }
}

use ArchVariant::{Base, Family, Specific};

/// Every architecture, by number, then base before family before specific.
const ROWS: &[Row] = &[
    row("sm_50", 50, Base, (4, 0), 0),
    row("sm_52", 52, Base, (4, 1), 1),
    row("sm_53", 53, Base, (4, 2), 2),
    row("sm_60", 60, Base, (5, 0), 3),
    row("sm_61", 61, Base, (5, 0), 1),
    row("sm_62", 62, Base, (5, 0), 2),
    row("sm_70", 70, Base, (6, 0), 4),
    row("sm_72", 72, Base, (6, 1), 4),
    row("sm_75", 75, Base, (6, 3), 5),
    row("sm_80", 80, Base, (7, 0), 6),
    row("sm_86", 86, Base, (7, 1), 7),
    row("sm_87", 87, Base, (7, 4), 8),
    row("sm_88", 88, Base, (9, 0), 12),
    row("sm_89", 89, Base, (7, 8), 9),
    row("sm_90", 90, Base, (7, 8), 10),
    row("sm_90a", 90, Specific, (8, 0), 10),
    row("sm_100", 100, Base, (8, 6), 10),
    row("sm_100f", 100, Family, (8, 8), 10),
    row("sm_100a", 100, Specific, (8, 6), 10),
    row("sm_103", 103, Base, (8, 8), 10),
    row("sm_103f", 103, Family, (8, 8), 10),
    row("sm_103a", 103, Specific, (8, 8), 10),
    row("sm_107", 107, Base, (9, 3), 13),
    row("sm_107f", 107, Family, (9, 3), 13),
    row("sm_107a", 107, Specific, (9, 3), 13),
    row("sm_110", 110, Base, (9, 0), 11),
    row("sm_110f", 110, Family, (9, 0), 11),
    row("sm_110a", 110, Specific, (9, 0), 11),
    row("sm_120", 120, Base, (8, 7), 9),
    row("sm_120f", 120, Family, (8, 8), 9),
    row("sm_120a", 120, Specific, (8, 7), 9),
    row("sm_121", 121, Base, (8, 8), 9),
    row("sm_121f", 121, Family, (8, 8), 9),
    row("sm_121a", 121, Specific, (8, 8), 9),
];

/// PTX is text for an assembler that takes instructions as they are.
const PTX: BackEnd = BackEnd {
    approximate_functions: true,
    mul24: true,
    half: true,
    images: false,
    calls: true,
    convergent_operations: true,
    division_by_constants: false,
    contraction: false,
    quick_sums: false,
    address_reduction: false,
    access_joining: false,
    group_load_joining: true,
    record_rows: false,
    branch_joining: false,
    loop_vectors: false,
    partial_unrolling: true,
    runtime_unrolling: true,
    alias_tests: false,
    bit_counts: false,
    unswitching: true,
    measured_library: true,
    row_choice: false,
    flat_memory: false,
};

const fn describe(n: usize) -> Description {
    let limits = LIMITS[ROWS[n].limits as usize];
    Description {
        name: ROWS[n].name,
        kind: Kind::Gpu,
        vendor: Vendor::Nvidia,
        isa: Isa::Ptx(Arch(n as u8)),
        lanes: Lanes { wave: WARP_SIZE, warps: &[WARP_SIZE], warp: WARP_SIZE },
        launch: LaunchLimits { group_items: BLOCK[0], group: BLOCK, groups: GRID },
        pointer_bits: POINTER_BITS,
        occupancy: OccupancyRules::Multiprocessor(limits),
        back_end: PTX,
    }
}

/// The description of each row.
static DESCRIPTIONS: [Description; ROWS.len()] = {
    let mut all = [describe(0); ROWS.len()];
    let mut n = 1;
    while n < ROWS.len() {
        all[n] = describe(n);
        n += 1;
    }
    all
};

impl Arch {
    /// What is compiled for when nothing is said: the oldest architecture that current toolkits assemble.
    pub const DEFAULT: Self = Self(8);

    /// Every architecture, oldest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ROWS.len() as u8).map(Self)
    }

    /// The base architecture with this number (`90` for `sm_90`).
    pub fn from_number(number: u32) -> Option<Self> {
        Self::all().find(|a| a.number() == number && a.variant() == Base)
    }

    fn row(self) -> &'static Row {
        &ROWS[self.0 as usize]
    }

    /// `sm_90a`
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// `90` for `sm_90` and `sm_90a`: ten times the compute capability.
    pub fn number(self) -> u32 {
        u32::from(self.row().number)
    }

    /// Whether code for it runs elsewhere.
    pub fn variant(self) -> ArchVariant {
        self.row().variant
    }

    /// Value of `__CUDA_ARCH__`.
    pub fn cuda_arch(self) -> u32 {
        self.number() * 10
    }

    /// The first PTX ISA that knows it.
    pub fn ptx_version(self) -> PtxVersion {
        self.row().ptx
    }

    /// Code for it.
    pub fn target(self) -> Target {
        Target::new(&DESCRIPTIONS[usize::from(self.0)])
    }

    /// Resources of a multiprocessor.
    pub fn limits(self) -> &'static SmLimits {
        &LIMITS[self.row().limits as usize]
    }
}

impl Default for Arch {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_consistent() {
        assert_eq!(Arch::DEFAULT.name(), "sm_75");
        for a in Arch::all() {
            let suffix = ["", "f", "a"][a.variant() as usize];
            assert_eq!(a.name(), format!("sm_{}{suffix}", a.number()));
            let l = a.limits();
            assert_eq!(l.threads, l.warps * a.target().warp_size());
            assert_eq!((a.target().name(), a.target().ptx_arch()), (a.name(), Some(a)));
            assert!(l.shared_per_block + l.shared_reserved <= l.shared);
        }
        assert!(Arch::all().zip(Arch::all().skip(1)).all(|(a, b)| a.number() <= b.number()));
        assert_eq!(Arch::from_number(90).unwrap().cuda_arch(), 900);
        assert_eq!(Arch::from_number(91), None);
    }
}
