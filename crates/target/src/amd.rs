//! AMD GPUs: what occupancy and lane masks depend on.

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
}

/// Every AMD GPU known.
pub const ARCHS: [AmdArch; 3] = [
    AmdArch {
        name: "gfx90a",
        wave_size: 64,
        both_wave_sizes: false,
        vgprs: 512,
        max_vgprs: 512,
        vgpr_unit: 8,
        sgprs: 102,
        waves_per_simd: 8,
        simds: 4,
        lds: 64 * 1024,
    },
    AmdArch {
        name: "gfx942",
        wave_size: 64,
        both_wave_sizes: false,
        vgprs: 512,
        max_vgprs: 512,
        vgpr_unit: 8,
        sgprs: 102,
        waves_per_simd: 8,
        simds: 4,
        lds: 64 * 1024,
    },
    AmdArch {
        name: "gfx1100",
        wave_size: 32,
        both_wave_sizes: true,
        vgprs: 1536,
        max_vgprs: 256,
        vgpr_unit: 24,
        sgprs: 106,
        waves_per_simd: 16,
        simds: 2,
        lds: 64 * 1024,
    },
];

impl AmdArch {
    /// The GPU with this name.
    pub fn parse(name: &str) -> Option<&'static Self> {
        ARCHS.iter().find(|a| a.name == name)
    }

    /// Resident waves of a SIMD for a kernel with so many vector registers.
    pub fn waves(&self, vgprs: u32) -> u32 {
        if vgprs > self.max_vgprs {
            return 0;
        }
        let per_wave = vgprs.max(1).div_ceil(self.vgpr_unit) * self.vgpr_unit;
        (self.vgprs / per_wave).min(self.waves_per_simd)
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
}
