//! How many warps of a kernel a multiprocessor holds. AMD's words for the same are wave, work-group, compute unit and local
//! data share.

use crate::amd::AmdArch;
use crate::{LaunchLimits, SmLimits};

/// What a launch of a kernel needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelResources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block, static and dynamic.
    pub shared: u32,
    /// Threads of a block.
    pub block: u32,
}

/// What keeps more blocks from being resident.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Limiter {
    /// Resident warps.
    Warps,
    /// Resident blocks.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

/// How full a multiprocessor gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// Resident blocks; 0 if the kernel cannot be launched so.
    pub blocks: u32,
    /// Resident warps.
    pub warps: u32,
    /// Most resident warps that the architecture allows.
    pub max_warps: u32,
    /// What limits it.
    pub limiter: Limiter,
}

/// Rounds up to a multiple of `unit`, saturating.
fn round_up(n: u32, unit: u32) -> u32 {
    n.div_ceil(unit).saturating_mul(unit)
}

/// What the number of resident groups follows from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OccupancyRules {
    /// Groups run one after another, each on a thread of the processor.
    None,
    /// The resources of an NVIDIA multiprocessor.
    Multiprocessor(SmLimits),
    /// The resources of an AMD compute unit.
    ComputeUnit(&'static AmdArch),
}

impl OccupancyRules {
    pub(crate) fn occupancy(&self, wave: u32, launch: &LaunchLimits, need: KernelResources) -> Option<Occupancy> {
        match self {
            Self::None => None,
            Self::Multiprocessor(l) => Some(l.occupancy(wave, launch, need)),
            Self::ComputeUnit(a) => Some(a.occupancy(launch, need)),
        }
    }

    pub(crate) fn waves(&self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Multiprocessor(l) => Some(l.warps),
            Self::ComputeUnit(a) => Some(a.max_waves()),
        }
    }

    pub(crate) fn registers_per_item(&self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Multiprocessor(l) => Some(l.registers_per_thread),
            Self::ComputeUnit(a) => Some(a.max_vgprs),
        }
    }

    /// On a multiprocessor 64 registers leave room for 32 warps, 96 for 21.
    pub(crate) fn waves_by_registers(&self, wave: u32, registers: u32) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Multiprocessor(l) => Some((l.registers / l.registers_of_warp(wave, registers)).min(l.warps)),
            Self::ComputeUnit(a) => Some(a.waves(registers) * a.simds),
        }
    }

    pub(crate) fn registers_for_waves(&self, wave: u32, waves: u32) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Multiprocessor(l) => {
                let per_warp = l.registers / waves.clamp(1, l.warps) / l.register_unit * l.register_unit;
                Some((per_warp / wave).min(l.registers_per_thread))
            }
            Self::ComputeUnit(a) => Some(a.registers_for_waves(waves)),
        }
    }
}

impl SmLimits {
    /// Registers that a warp takes of the file, in units of allocation.
    fn registers_of_warp(&self, lanes: u32, registers: u32) -> u32 {
        round_up(registers.max(1).saturating_mul(lanes), self.register_unit)
    }

    fn occupancy(&self, lanes: u32, launch: &LaunchLimits, need: KernelResources) -> Occupancy {
        let warps = need.block.max(1).div_ceil(lanes);
        let none = |limiter| Occupancy { blocks: 0, warps: 0, max_warps: self.warps, limiter };
        if need.block > launch.group_items {
            return none(Limiter::Warps);
        }
        let per_warp = self.registers_of_warp(lanes, need.registers);
        let block_warps = round_up(warps, self.warp_unit);
        if need.registers > self.registers_per_thread || per_warp.saturating_mul(block_warps) > self.registers_per_block
        {
            return none(Limiter::Registers);
        }
        if need.shared > self.shared_per_block {
            return none(Limiter::Shared);
        }
        let shared = round_up(need.shared + self.shared_reserved, self.shared_unit);
        // The register file is split evenly among the four schedulers, and each hands out whole warps.
        let warps_by_registers = self.registers / per_warp / self.warp_unit * self.warp_unit;
        let by = [
            (self.warps / warps, Limiter::Warps),
            (self.blocks, Limiter::Blocks),
            (warps_by_registers / warps, Limiter::Registers),
            (self.shared.checked_div(shared).unwrap_or(u32::MAX), Limiter::Shared),
        ];
        let (blocks, limiter) = by.into_iter().min_by_key(|&(n, _)| n).unwrap_or((0, Limiter::Warps));
        Occupancy { blocks, warps: blocks * warps, max_warps: self.warps, limiter }
    }
}

impl Occupancy {
    /// Share of the resident warps, 0 to 1.
    pub fn fraction(self) -> f64 {
        f64::from(self.warps) / f64::from(self.max_warps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arch, Target};

    fn on(sm: u32) -> Target {
        Arch::from_number(sm).unwrap().target()
    }

    fn occ(sm: u32, registers: u32, shared: u32, block: u32) -> Occupancy {
        on(sm).occupancy(KernelResources { registers, shared, block }).unwrap()
    }

    #[test]
    fn known_points() {
        assert_eq!(occ(90, 32, 0, 256).warps, 64);
        assert_eq!(occ(80, 64, 0, 256).warps, 32);
        assert_eq!(occ(80, 255, 0, 256).blocks, 1);
        assert_eq!(occ(86, 40, 0, 128).warps, 48);
        assert_eq!(occ(90, 16, 0, 32), Occupancy { blocks: 32, warps: 32, max_warps: 64, limiter: Limiter::Blocks });
        assert_eq!(occ(80, 16, 50 * 1024, 256).limiter, Limiter::Shared);
        assert_eq!(occ(80, 16, 50 * 1024, 256).blocks, 3);
    }

    #[test]
    fn impossible_launches() {
        assert_eq!(occ(80, 256, 0, 32).blocks, 0);
        assert_eq!(occ(80, 32, u32::MAX, 32).blocks, 0);
        assert_eq!(occ(80, 32, 0, u32::MAX).blocks, 0);
        assert_eq!(occ(80, 128, 0, 1024).blocks, 0);
        assert_eq!(occ(80, 0, 0, 0).blocks, 32);
    }

    #[test]
    fn more_registers_leave_fewer_warps() {
        // The source document's example: 64 to 96 registers take a multiprocessor from 32 to 21 warps.
        for sm in [50, 60, 70, 80, 86, 90, 100, 120] {
            assert_eq!([64, 96].map(|r| on(sm).waves_by_registers(r)), [32, 21].map(Some), "sm_{sm}");
            // The hardware hands out warps by fours (sm_60: by twos), so that 20 of the 21 become resident.
            assert_eq!([64, 96].map(|r| occ(sm, r, 0, 128).warps), [32, 20], "sm_{sm}");
        }
        let by = [0, 32, 33, 255, u32::MAX].map(|r| on(90).waves_by_registers(r));
        assert_eq!(by, [64, 64, 51, 8, 0].map(Some));
    }

    #[test]
    fn register_steps() {
        assert_eq!([64, 48, 32, 16].map(|w| on(90).registers_for_waves(w)), [32, 40, 64, 128].map(Some));
    }
}
