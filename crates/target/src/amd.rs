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
    /// The local data share is handed out in multiples of this.
    pub lds_unit: u32,
    /// Most work-groups of several waves on a compute unit: each takes a barrier.
    pub groups: u32,
}

/// What keeps more waves from being resident.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AmdLimiter {
    /// Waves of a SIMD.
    Waves,
    /// Vector registers.
    Registers,
    /// The local data share.
    Lds,
    /// Work-groups of a compute unit.
    Groups,
}

/// How full a compute unit gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AmdOccupancy {
    /// Resident work-groups of a compute unit; 0 if the kernel cannot be launched so.
    pub groups: u32,
    /// Resident waves of a compute unit.
    pub waves: u32,
    /// Most resident waves of a compute unit.
    pub max_waves: u32,
    /// What limits them.
    pub limiter: AmdLimiter,
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
        lds_unit: 512,
        groups: 16,
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
        lds_unit: 512,
        groups: 16,
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
        lds_unit: 1024,
        groups: 16,
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

    /// Occupancy of a compute unit by a kernel with so many vector registers a lane, bytes of the local data share and
    /// work-items a group.
    pub fn occupancy(&self, vgprs: u32, lds: u32, group: u32) -> AmdOccupancy {
        /// Most work-items of a group.
        const MAX_GROUP: u32 = 1024;
        let max_waves = self.waves_per_simd * self.simds;
        let waves = group.max(1).div_ceil(self.wave_size);
        let none = |limiter| AmdOccupancy { groups: 0, waves: 0, max_waves, limiter };
        if group > MAX_GROUP {
            return none(AmdLimiter::Waves);
        }
        if lds > self.lds {
            return none(AmdLimiter::Lds);
        }
        // The waves of a group are spread over the SIMDs.
        let by_registers = self.waves(vgprs) * self.simds / waves;
        if by_registers == 0 {
            return none(AmdLimiter::Registers);
        }
        let by = [
            (max_waves / waves, AmdLimiter::Waves),
            (by_registers, AmdLimiter::Registers),
            (
                if lds == 0 { u32::MAX } else { self.lds / (lds.div_ceil(self.lds_unit) * self.lds_unit) },
                AmdLimiter::Lds,
            ),
            (if waves == 1 { u32::MAX } else { self.groups }, AmdLimiter::Groups),
        ];
        let (groups, limiter) = by.into_iter().min_by_key(|&(n, _)| n).unwrap_or((0, AmdLimiter::Waves));
        AmdOccupancy { groups, waves: groups * waves, max_waves, limiter }
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
        let o = |r, lds, n| a.occupancy(r, lds, n);
        assert_eq!(o(64, 0, 256), AmdOccupancy { groups: 8, waves: 32, max_waves: 32, limiter: AmdLimiter::Waves });
        assert_eq!(
            o(128, 0, 256),
            AmdOccupancy { groups: 4, waves: 16, max_waves: 32, limiter: AmdLimiter::Registers }
        );
        assert_eq!(o(32, 20_000, 256), AmdOccupancy { groups: 3, waves: 12, max_waves: 32, limiter: AmdLimiter::Lds });
        assert_eq!(o(32, 0, 128).limiter, AmdLimiter::Waves);
        for impossible in [o(513, 0, 64), o(512, 0, 1024), o(8, u32::MAX, 64), o(8, 0, u32::MAX)] {
            assert_eq!(impossible.groups, 0);
        }
        let b = AmdArch::parse("gfx1100").unwrap();
        // 96 registers: 1536 / 96 = 16 waves of each of two SIMDs; 97 take 120: 12 waves.
        assert_eq!([96, 97].map(|r| b.occupancy(r, 0, 32).waves), [32, 24]);
    }
}
