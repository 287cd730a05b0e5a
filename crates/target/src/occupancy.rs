//! How many warps of a kernel a multiprocessor holds.

use crate::{Arch, WARP_SIZE};

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

/// Occupancy of a kernel on `arch`.
pub fn occupancy(arch: Arch, need: KernelResources) -> Occupancy {
    let l = arch.limits();
    let warps = need.block.max(1).div_ceil(WARP_SIZE);
    let none = |limiter| Occupancy { blocks: 0, warps: 0, max_warps: l.warps, limiter };
    if need.block > l.threads_per_block {
        return none(Limiter::Warps);
    }
    let per_warp = round_up(need.registers.max(1).saturating_mul(WARP_SIZE), l.register_unit);
    let block_warps = round_up(warps, l.warp_unit);
    if need.registers > l.registers_per_thread || per_warp.saturating_mul(block_warps) > l.registers_per_block {
        return none(Limiter::Registers);
    }
    if need.shared > l.shared_per_block {
        return none(Limiter::Shared);
    }
    let shared = round_up(need.shared + l.shared_reserved, l.shared_unit);
    // The register file is split evenly among the four schedulers, and each hands out whole warps.
    let warps_by_registers = l.registers / per_warp / l.warp_unit * l.warp_unit;
    let by = [
        (l.warps / warps, Limiter::Warps),
        (l.blocks, Limiter::Blocks),
        (warps_by_registers / warps, Limiter::Registers),
        (l.shared.checked_div(shared).unwrap_or(u32::MAX), Limiter::Shared),
    ];
    let (blocks, limiter) = by.into_iter().min_by_key(|&(n, _)| n).unwrap_or((0, Limiter::Warps));
    Occupancy { blocks, warps: blocks * warps, max_warps: l.warps, limiter }
}

impl Occupancy {
    /// Share of the resident warps, 0 to 1.
    pub fn fraction(self) -> f64 {
        f64::from(self.warps) / f64::from(self.max_warps)
    }
}

impl Arch {
    /// Warps whose registers fit the register file, by arithmetic alone: 64 registers leave room for 32, 96 for 21.
    /// Whole blocks and units of allocation make [`occupancy`] less.
    pub fn warps_by_registers(self, registers: u32) -> u32 {
        let l = self.limits();
        let per_warp = round_up(registers.max(1).saturating_mul(WARP_SIZE), l.register_unit);
        (l.registers / per_warp).min(l.warps)
    }

    /// Most registers of a thread at which `warps` warps still fit a multiprocessor: the steps that register pressure
    /// is weighed against.
    pub fn registers_for_warps(self, warps: u32) -> u32 {
        let l = self.limits();
        let per_warp = l.registers / warps.clamp(1, l.warps) / l.register_unit * l.register_unit;
        (per_warp / WARP_SIZE).min(l.registers_per_thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occ(sm: u32, registers: u32, shared: u32, block: u32) -> Occupancy {
        occupancy(Arch::from_number(sm).unwrap(), KernelResources { registers, shared, block })
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
            let a = Arch::from_number(sm).unwrap();
            assert_eq!([64, 96].map(|r| a.warps_by_registers(r)), [32, 21], "sm_{sm}");
            // The hardware hands out warps by fours (sm_60: by twos), so that 20 of the 21 become resident.
            assert_eq!([64, 96].map(|r| occ(sm, r, 0, 128).warps), [32, 20], "sm_{sm}");
        }
        let a = Arch::from_number(90).unwrap();
        assert_eq!([0, 32, 33, 255, u32::MAX].map(|r| a.warps_by_registers(r)), [64, 64, 51, 8, 0]);
    }

    #[test]
    fn register_steps() {
        let a = Arch::from_number(90).unwrap();
        assert_eq!([64, 48, 32, 16].map(|w| a.registers_for_warps(w)), [32, 40, 64, 128]);
    }
}
