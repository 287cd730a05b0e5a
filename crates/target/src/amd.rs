//! The table of AMD GPUs.

mod offload;

pub use offload::{Offload, ParseOffloadError};

use crate::space::SPACES;
use crate::{
    BackEnd, Description, Isa, KernelResources, Kind, Lanes, LaunchLimits, Limiter, Occupancy, OccupancyRules, Target,
    Vendor,
};

/// Most work-items of a group, in all and in each dimension.
const GROUP_ITEMS: u32 = 1024;

/// Addresses of the local data share and of private memory have 32 bits (LLVM's data layout).
const POINTER_BITS: [u8; SPACES.len()] = [64, 64, 64, 32, 64, 32];

/// An AMD GPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AmdArch {
    /// Name, as `--offload-arch` takes it.
    pub name: &'static str,
    /// Lanes of a wave by default.
    pub wave_size: u32,
    /// Whether both 32 and 64 lanes are possible.
    pub both_wave_sizes: bool,
    /// 32-bit vector registers of a lane that one SIMD has, at the default wave size.
    pub vgprs: u32,
    /// Most vector registers of one lane, accumulation registers included.
    pub max_vgprs: u32,
    /// Vector registers are handed out in multiples of this.
    pub vgpr_unit: u32,
    /// Scalar registers of a wave.
    pub sgprs: u32,
    /// Most waves of one SIMD.
    pub waves_per_simd: u32,
    /// SIMDs of a compute unit.
    pub simds: u32,
    /// Bytes of local data share of a compute unit.
    pub lds: u32,
    /// The local data share is handed out in multiples of this.
    pub lds_unit: u32,
    /// Most work-groups of several waves on a compute unit: each takes a barrier.
    pub groups: u32,
    /// What warps that are whole waves multiply matrices with.
    pub matrix_units: Option<MatrixUnits>,
    /// Settings of the machine that code may be made for.
    pub settings: &'static [Setting],
}

/// How the lanes of a wave hold matrices of 16×16 that units multiply (AMD, RDNA3 and RDNA4 instruction set manuals, 7.9 and
/// 7.12; CDNA3's, 7.1). Waves have 32 lanes but for those of [`MatrixUnits::QuarterRows`], which have 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixUnits {
    /// A lane has a row of the first factor and a column of the second, two lanes the same, and of the result one column and every
    /// second row (RDNA3).
    WholeRows,
    /// A lane has half of a row and half of a column, and of the result half of a column (RDNA4).
    HalfRows,
    /// A lane has four neighbours of a row, four of a column, and four of a column of the result (CDNA).
    QuarterRows(Mfma),
}

/// What the matrix units of CDNA multiply; all have products of `f32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mfma {
    /// gfx908: bytes by sixteens, `f16` by sixteens, `bf16` by eights.
    Cdna1,
    /// gfx90a: products of `f16` and `bf16` take numbers below the normal ones for zeros, those of `f32` do not.
    Cdna2,
    /// gfx942: bytes by thirty-two.
    Cdna3,
}

const WHOLE_ROWS: Option<MatrixUnits> = Some(MatrixUnits::WholeRows);
const HALF_ROWS: Option<MatrixUnits> = Some(MatrixUnits::HalfRows);
const fn quarter_rows(units: Mfma) -> Option<MatrixUnits> {
    Some(MatrixUnits::QuarterRows(units))
}

/// How a machine may be set up, where code has to know: `:xnack+` after the name of the GPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// Accesses that fault are tried again.
    Xnack,
    /// Memory on the chip has error correction, so that half a register cannot be written.
    SramEcc,
}

impl Setting {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xnack => "xnack",
            Self::SramEcc => "sramecc",
        }
    }
}

/// What generations share. Registers and waves: LLVM's `AMDGPUBaseInfo` and the vendor's instruction set manuals.
const GCN5: AmdArch = AmdArch {
    name: "",
    wave_size: 64,
    both_wave_sizes: false,
    vgprs: 256,
    max_vgprs: 256,
    vgpr_unit: 4,
    sgprs: 102,
    waves_per_simd: 10,
    simds: 4,
    lds: 64 * 1024,
    lds_unit: 512,
    groups: 16,
    matrix_units: None,
    settings: &[Setting::Xnack],
};

/// From gfx90a on, accumulation registers are half of one file.
const CDNA2: AmdArch = AmdArch {
    vgprs: 512,
    max_vgprs: 512,
    vgpr_unit: 8,
    waves_per_simd: 8,
    settings: &[Setting::Xnack, Setting::SramEcc],
    ..GCN5
};

const RDNA2: AmdArch = AmdArch {
    name: "",
    wave_size: 32,
    both_wave_sizes: true,
    vgprs: 1024,
    max_vgprs: 256,
    vgpr_unit: 16,
    sgprs: 106,
    waves_per_simd: 16,
    simds: 2,
    lds: 64 * 1024,
    lds_unit: 1024,
    groups: 16,
    matrix_units: None,
    settings: &[],
};

/// Half as many registers again.
const RDNA3_LARGE: AmdArch = AmdArch { vgprs: 1536, vgpr_unit: 24, ..RDNA2 };

/// Every AMD GPU known, with waves of the size that it prefers.
pub static ARCHS: [AmdArch; COUNT] = TABLE;

const COUNT: usize = 12;

const TABLE: [AmdArch; COUNT] = [
    AmdArch { name: "gfx900", ..GCN5 },
    AmdArch { name: "gfx906", settings: CDNA2.settings, ..GCN5 },
    AmdArch { name: "gfx908", settings: CDNA2.settings, matrix_units: quarter_rows(Mfma::Cdna1), ..GCN5 },
    AmdArch { name: "gfx90a", matrix_units: quarter_rows(Mfma::Cdna2), ..CDNA2 },
    AmdArch { name: "gfx942", matrix_units: quarter_rows(Mfma::Cdna3), ..CDNA2 },
    AmdArch { name: "gfx1030", ..RDNA2 },
    AmdArch { name: "gfx1100", matrix_units: WHOLE_ROWS, ..RDNA3_LARGE },
    AmdArch { name: "gfx1101", matrix_units: WHOLE_ROWS, ..RDNA3_LARGE },
    AmdArch { name: "gfx1102", matrix_units: WHOLE_ROWS, ..RDNA2 },
    AmdArch { name: "gfx1151", matrix_units: WHOLE_ROWS, ..RDNA3_LARGE },
    AmdArch { name: "gfx1200", matrix_units: HALF_ROWS, ..RDNA3_LARGE },
    AmdArch { name: "gfx1201", matrix_units: HALF_ROWS, ..RDNA3_LARGE },
];

/// The same with waves of 64 lanes: each takes two of the registers for 32 lanes.
static WIDE: [AmdArch; COUNT] = {
    let mut wide = TABLE;
    let mut n = 0;
    while n < COUNT {
        if wide[n].wave_size == 32 {
            wide[n].wave_size = 64;
            wide[n].vgprs /= 2;
            wide[n].vgpr_unit /= 2;
        }
        n += 1;
    }
    wide
};

/// AMDGCN is finished by LLVM, which steps addresses itself. The hardware's approximate sine and
/// cosine are too coarse, so that the library's functions are used.
const AMDGCN: BackEnd = BackEnd {
    approximate_functions: false,
    mul24: true,
    half: true,
    images: false,
    // A call makes the stack's size one that the hardware must be told at run time.
    calls: false,
    convergent_operations: true,
    // LLVM divides 64 bits by a constant as by anything else.
    division_by_constants: false,
    contraction: true,
    quick_sums: false,
    address_reduction: true,
    access_joining: true,
    group_load_joining: false,
    record_rows: false,
    branch_joining: true,
    loop_vectors: false,
    partial_unrolling: true,
    // As LLVM has it for these GPUs: copies of a body keep the registers of each alive, and waves are what hides latency.
    runtime_unrolling: false,
    alias_tests: false,
    bit_counts: true,
    unswitching: false,
    measured_library: false,
    row_choice: false,
    flat_memory: false,
};

const fn describe(arch: &'static AmdArch) -> Description {
    // Programs are written for warps of 32 lanes; two of them share a wave of 64 unless the whole wave is asked for.
    let warps: &'static [u32] = if arch.wave_size == 64 { &[32, 64] } else { &[32] };
    Description {
        name: arch.name,
        kind: Kind::Gpu,
        vendor: Vendor::Amd,
        isa: Isa::Amdgcn(arch),
        lanes: Lanes { wave: arch.wave_size, warps, warp: 32 },
        // Packets of the queue have 32 bits for the work-items of each dimension.
        launch: LaunchLimits { group_items: GROUP_ITEMS, group: [GROUP_ITEMS; 3], groups: [u32::MAX; 3] },
        pointer_bits: POINTER_BITS,
        occupancy: OccupancyRules::ComputeUnit(arch),
        back_end: AMDGCN,
    }
}

const fn describe_all(archs: &'static [AmdArch; COUNT]) -> [Description; COUNT] {
    let mut all = [describe(&archs[0]); COUNT];
    let mut n = 1;
    while n < COUNT {
        all[n] = describe(&archs[n]);
        n += 1;
    }
    all
}

/// The description of each GPU.
static DESCRIPTIONS: [Description; COUNT] = describe_all(&ARCHS);

/// The same with waves of 64 lanes.
static WIDE_DESCRIPTIONS: [Description; COUNT] = describe_all(&WIDE);

impl AmdArch {
    /// The GPU with this name.
    pub fn parse(name: &str) -> Option<&'static Self> {
        ARCHS.iter().find(|a| a.name == name)
    }

    /// Code for it, with waves of the default size.
    pub fn target(&self) -> Target {
        Target::new(&DESCRIPTIONS[self.row()])
    }

    /// Code for it with waves of so many lanes; `None` if it has no such waves.
    pub fn target_with_waves(&self, lanes: u32) -> Option<Target> {
        let row = self.row();
        match lanes {
            32 if ARCHS[row].wave_size == 32 => Some(Target::new(&DESCRIPTIONS[row])),
            64 => Some(Target::new(&WIDE_DESCRIPTIONS[row])),
            _ => None,
        }
    }

    fn row(&self) -> usize {
        ARCHS.iter().position(|a| a.name == self.name).unwrap_or_default()
    }

    /// Resident waves of a SIMD for a kernel with so many vector registers.
    pub fn waves(&self, vgprs: u32) -> u32 {
        if vgprs > self.max_vgprs {
            return 0;
        }
        let per_wave = vgprs.max(1).div_ceil(self.vgpr_unit) * self.vgpr_unit;
        (self.vgprs / per_wave).min(self.waves_per_simd)
    }

    /// Most resident waves of a compute unit.
    pub fn max_waves(&self) -> u32 {
        self.waves_per_simd * self.simds
    }

    /// Most vector registers of a lane at which `waves` waves still fit a compute unit.
    pub(crate) fn registers_for_waves(&self, waves: u32) -> u32 {
        let per_simd = waves.clamp(1, self.max_waves()).div_ceil(self.simds);
        (self.vgprs / per_simd / self.vgpr_unit * self.vgpr_unit).min(self.max_vgprs)
    }

    /// Occupancy of a compute unit: registers are vector registers of a lane, shared memory is the local data share.
    pub(crate) fn occupancy(&self, launch: &LaunchLimits, need: KernelResources) -> Occupancy {
        let max_warps = self.max_waves();
        let waves = need.block.max(1).div_ceil(self.wave_size);
        let none = |limiter| Occupancy { blocks: 0, warps: 0, max_warps, limiter };
        if need.block > launch.group_items {
            return none(Limiter::Warps);
        }
        if need.shared > self.lds {
            return none(Limiter::Shared);
        }
        // The waves of a group are spread over the SIMDs.
        let by_registers = self.waves(need.registers) * self.simds / waves;
        if by_registers == 0 {
            return none(Limiter::Registers);
        }
        let lds = need.shared.div_ceil(self.lds_unit) * self.lds_unit;
        let by = [
            (max_warps / waves, Limiter::Warps),
            (by_registers, Limiter::Registers),
            (self.lds.checked_div(lds).unwrap_or(u32::MAX), Limiter::Shared),
            (if waves == 1 { u32::MAX } else { self.groups }, Limiter::Blocks),
        ];
        let (blocks, limiter) = by.into_iter().min_by_key(|&(n, _)| n).unwrap_or((0, Limiter::Warps));
        Occupancy { blocks, warps: blocks * waves, max_warps, limiter }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves() {
        let a = AmdArch::parse("gfx90a").unwrap();
        assert_eq!([64, 65, 128, 256, 513].map(|r| a.waves(r)), [8, 7, 4, 2, 0]);
        assert_eq!(AmdArch::parse("gfx1100").unwrap().waves(96), 16);
        assert!(AmdArch::parse("gfx").is_none());
    }

    #[test]
    fn occupancy_of_a_compute_unit() {
        let a = AmdArch::parse("gfx90a").unwrap();
        let on = |a: &'static AmdArch, registers, shared, block| {
            a.target().occupancy(KernelResources { registers, shared, block }).unwrap()
        };
        let o = |r, lds, n| on(a, r, lds, n);
        let full = |blocks, warps, limiter| Occupancy { blocks, warps, max_warps: 32, limiter };
        assert_eq!(o(64, 0, 256), full(8, 32, Limiter::Warps));
        assert_eq!(o(128, 0, 256), full(4, 16, Limiter::Registers));
        assert_eq!(o(32, 20_000, 256), full(3, 12, Limiter::Shared));
        assert_eq!(o(32, 0, 128).limiter, Limiter::Warps);
        for impossible in [o(513, 0, 64), o(512, 0, 1024), o(8, u32::MAX, 64), o(8, 0, u32::MAX)] {
            assert_eq!(impossible.blocks, 0);
        }
        let b = AmdArch::parse("gfx1100").unwrap();
        // 96 registers: 1536 / 96 = 16 waves of each of two SIMDs; 97 take 120: 12 waves.
        assert_eq!([96, 97].map(|r| on(b, r, 0, 32).warps), [32, 24]);
        assert_eq!([32, 16, 8].map(|w| a.target().registers_for_waves(w)), [64, 128, 256].map(Some));
    }
}
