//! The value that every stage asks what it makes code for.

use crate::amd::{AmdArch, MatrixUnits};
use crate::{
    Arch, BackEnd, Description, Feature, Isa, KernelResources, Kind, LaunchLimits, Occupancy, OccupancyRules, Vendor,
    host,
};
use std::fmt;

/// What code is made for: a [`Description`], and what the compilation chose where that leaves a choice.
///
/// Two targets are equal if they are made from the same description and with the same choice.
#[derive(Clone, Copy)]
pub struct Target {
    description: &'static Description,
    warp_size: u32,
    wide: bool,
}

impl Target {
    /// The target of a description, with warps of the size that it prefers.
    pub const fn new(description: &'static Description) -> Self {
        Self { description, warp_size: description.lanes.warp, wide: false }
    }

    /// The machine that runs the compiler.
    pub const fn host() -> Self {
        Self::new(&host::HOST)
    }

    /// The machine that runs the compiler with what its processor is known to have: that of a name as LLVM has it (`--cpu`), else the
    /// one that `UNSPOOL_CPU` names, else this one.
    pub fn here(cpu: Option<&str>) -> Self {
        Self { wide: host::is_wide(cpu), ..Self::host() }
    }

    /// The same with warps of another size; `None` if the target cannot have them.
    #[must_use]
    pub fn with_warp_size(self, lanes: u32) -> Option<Self> {
        self.warp_sizes().contains(&lanes).then_some(Self { warp_size: lanes, ..self })
    }

    /// What the target fixes.
    pub fn description(self) -> &'static Description {
        self.description
    }

    /// Name, as `-arch` or `--target` takes it.
    pub fn name(self) -> &'static str {
        self.description.name
    }

    /// Kind of machine.
    pub fn kind(self) -> Kind {
        self.description.kind
    }

    /// Vendor.
    pub fn vendor(self) -> Vendor {
        self.description.vendor
    }

    /// The NVIDIA architecture that PTX is made for, if code for the target is PTX.
    pub fn ptx_arch(self) -> Option<Arch> {
        match self.description.isa {
            Isa::Ptx(arch) => Some(arch),
            _ => None,
        }
    }

    /// The AMD GPU, if code for the target is AMDGCN.
    pub fn amdgcn_arch(self) -> Option<&'static AmdArch> {
        match self.description.isa {
            Isa::Amdgcn(arch) => Some(arch),
            _ => None,
        }
    }

    /// Whether the instruction set has `feature`.
    pub fn has(self, feature: Feature) -> bool {
        self.ptx_arch().is_some_and(|a| a.has(feature))
    }

    // ---- lanes ------------------------------------------------------------------------------------------------------

    /// Lanes of a warp as the program sees it: what `warpSize` is, votes and shuffles span, and lane masks have bits for.
    pub fn warp_size(self) -> u32 {
        self.warp_size
    }

    /// Sizes of warps that a program may be compiled for.
    pub fn warp_sizes(self) -> &'static [u32] {
        self.description.lanes.warps
    }

    /// Lanes that the hardware runs in lockstep. Several warps may share one.
    pub fn wave_size(self) -> u32 {
        self.description.lanes.wave
    }

    /// Whether lanes of a warp can be asked for the sum, minimum, maximum and so on of 32-bit integers.
    pub fn has_warp_reductions(self) -> bool {
        self.ptx_arch().is_none_or(|a| a.has(Feature::Redux))
    }

    /// What a warp multiplies matrices of 16×16 with by one operation of the IR ([`MatrixUnits`]); PTX has instructions of its own.
    pub fn matrix_units(self) -> Option<MatrixUnits> {
        let lanes = |u: &MatrixUnits| if matches!(u, MatrixUnits::QuarterRows(_)) { 64 } else { 32 };
        let whole = |u: &MatrixUnits| self.wave_size() == lanes(u) && self.warp_size() == lanes(u);
        self.amdgcn_arch()?.matrix_units.filter(whole)
    }

    /// Bits of a mask with one for each lane of a warp: 32 or 64.
    pub fn lane_mask_bits(self) -> u32 {
        if self.warp_size > 32 { 64 } else { 32 }
    }

    // ---- launches and memory ----------------------------------------------------------------------------------------

    /// How large launches can be.
    pub fn launch_limits(self) -> &'static LaunchLimits {
        &self.description.launch
    }

    /// Bits of an address in the space of this number.
    pub fn pointer_bits(self, space: u8) -> u32 {
        self.description.pointer_bits[usize::from(space)].into()
    }

    /// Whether address spaces are names for one memory.
    pub fn has_flat_memory(self) -> bool {
        self.back_end().flat_memory
    }

    // ---- occupancy --------------------------------------------------------------------------------------------------

    fn rules(self) -> &'static OccupancyRules {
        &self.description.occupancy
    }

    /// How full a multiprocessor (compute unit) gets; `None` where groups run one after another.
    pub fn occupancy(self, need: KernelResources) -> Option<Occupancy> {
        self.rules().occupancy(self.wave_size(), self.launch_limits(), need)
    }

    /// Most waves of a multiprocessor that can be resident.
    pub fn resident_waves(self) -> Option<u32> {
        self.rules().waves()
    }

    /// Most registers of one work-item.
    pub fn registers_per_item(self) -> Option<u32> {
        self.rules().registers_per_item()
    }

    /// Waves whose registers fit the register file, by arithmetic alone. Whole groups and units of allocation make
    /// [`Target::occupancy`] less.
    pub fn waves_by_registers(self, registers: u32) -> Option<u32> {
        self.rules().waves_by_registers(self.wave_size(), registers)
    }

    /// Most registers of a work-item at which `waves` waves still fit a multiprocessor: the steps that register pressure
    /// is weighed against.
    pub fn registers_for_waves(self, waves: u32) -> Option<u32> {
        self.rules().registers_for_waves(self.wave_size(), waves)
    }

    /// Whether vectors have 512 bits, parts and scales of floating-point numbers are instructions, and 16 doubles are a
    /// table in registers: functions of the library have forms for such processors. They are right on others, and slow.
    pub fn has_wide_library(self) -> bool {
        self.wide
    }

    // ---- what the back end does itself ------------------------------------------------------------------------------

    fn back_end(self) -> &'static BackEnd {
        &self.description.back_end
    }

    /// Whether there are instructions for approximate functions; functions of the library stand for them elsewhere.
    pub fn has_approximate_functions(self) -> bool {
        self.back_end().approximate_functions
    }

    /// Whether a product of 24 bits is quicker than the ordinary one.
    pub fn has_mul24(self) -> bool {
        self.back_end().mul24
    }

    /// Whether a sum of products of bytes is an operation of code for it; what is not PTX writes it as several.
    pub fn has_dot_product(self) -> bool {
        self.ptx_arch().is_none_or(|a| a.has(Feature::DotProduct))
    }

    /// Whether kernels may compute with `half`.
    pub fn has_half(self) -> bool {
        self.back_end().half
    }

    /// Whether kernels read and write images.
    pub fn has_images(self) -> bool {
        self.back_end().images
    }

    /// Whether functions can be called by work-items that run side by side.
    pub fn has_calls(self) -> bool {
        self.back_end().calls
    }

    /// Whether barriers and operations between lanes are instructions.
    pub fn has_convergent_operations(self) -> bool {
        self.back_end().convergent_operations
    }

    /// Whether the back end makes products of divisions by constants.
    pub fn has_division_by_constants(self) -> bool {
        self.back_end().division_by_constants
    }

    /// Whether the back end contracts products and sums.
    pub fn has_contraction(self) -> bool {
        self.back_end().contraction
    }

    /// Whether a sum is ready sooner than a fused operation of a product and a sum.
    pub fn has_quick_sums(self) -> bool {
        self.back_end().quick_sums
    }

    /// Whether the back end steps addresses in loops.
    pub fn has_address_reduction(self) -> bool {
        self.back_end().address_reduction
    }

    /// Whether the back end joins neighbouring accesses.
    pub fn has_access_joining(self) -> bool {
        self.back_end().access_joining
    }

    /// Whether what reads the output joins loads of neighbouring words of a group's memory. NVIDIA's assembler does, after it has
    /// unrolled loops by their number of instructions.
    pub fn has_group_load_joining(self) -> bool {
        self.back_end().group_load_joining
    }

    /// Whether neighbouring accesses to a record (a structure, one for each work-item) are to be one, whatever their alignment.
    pub fn has_record_rows(self) -> bool {
        self.back_end().record_rows
    }

    /// NVIDIA's compiler takes larger unroll factors for it, and peels no iterations.
    pub fn has_wide_unrolling(self) -> bool {
        self.ptx_arch().is_some_and(|a| a.number() >= 100)
    }

    /// NVIDIA's compiler for it decides about loops before it takes `warpSize` for a constant.
    pub fn has_late_warp_size(self) -> bool {
        self.ptx_arch().is_some() && !self.has_wide_unrolling()
    }

    /// Whether the back end makes one branch of several in a row.
    pub fn has_branch_joining(self) -> bool {
        self.back_end().branch_joining
    }

    /// Whether the iterations of a loop may go into the lanes of vectors: where a work-group has one work-item.
    pub fn has_loop_vectors(self) -> bool {
        self.back_end().loop_vectors
    }

    /// Whether it pays to unroll loops that stay loops.
    pub fn has_partial_unrolling(self) -> bool {
        self.back_end().partial_unrolling
    }

    /// Whether that pays, too, where the trip count is known only when the loop starts.
    pub fn has_runtime_unrolling(self) -> bool {
        self.back_end().runtime_unrolling
    }

    /// Whether loops pay that are there twice, with a test before them whether what they store is apart from what they load.
    pub fn has_alias_tests(self) -> bool {
        self.back_end().alias_tests
    }

    /// Whether loops that take one bit after another away become counts of bits.
    pub fn has_bit_counts(self) -> bool {
        self.back_end().bit_counts
    }

    /// Whether loops with a branch that goes the same way in every iteration are to become two.
    pub fn has_unswitching(self) -> bool {
        self.back_end().unswitching
    }

    /// Whether calls of mathematics count in the sizes of loops what they count in nvcc.
    pub fn has_measured_library(self) -> bool {
        self.back_end().measured_library
    }

    /// Whether the back end chooses which work-items of a group share a vector.
    pub fn has_row_choice(self) -> bool {
        self.back_end().row_choice
    }
}

impl Default for Target {
    /// That of [`Arch::DEFAULT`].
    fn default() -> Self {
        Arch::DEFAULT.target()
    }
}

impl PartialEq for Target {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.description, other.description)
            && (self.warp_size, self.wide) == (other.warp_size, other.wide)
    }
}

impl Eq for Target {}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = if self.wide { ", wide" } else { "" };
        write!(f, "{} with warps of {}{wide}", self.name(), self.warp_size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amd;

    fn every() -> impl Iterator<Item = Target> {
        let gpus = Arch::all().map(Arch::target);
        gpus.chain(amd::ARCHS.iter().map(AmdArch::target)).chain([Target::host()])
    }

    #[test]
    fn descriptions_are_consistent() {
        for t in every() {
            let d = t.description();
            assert!(d.lanes.warps.contains(&d.lanes.warp) && d.lanes.wave.is_power_of_two(), "{t}");
            assert!(d.lanes.warps.iter().all(|w| w.is_power_of_two() && *w <= 64), "{t}");
            let l = t.launch_limits();
            assert!(l.group.iter().all(|&n| (1..=l.group_items).contains(&n)), "{t}");
            assert!(l.groups.iter().all(|&n| n > 0), "{t}");
            assert!(d.pointer_bits.iter().all(|b| matches!(b, 32 | 64)), "{t}");
            assert_eq!(t.registers_per_item().is_some(), t.kind() == Kind::Gpu, "{t}");
            let empty = t.occupancy(KernelResources { registers: 1, shared: 0, block: 256 });
            assert_eq!(empty.map(|o| o.max_warps), t.resident_waves(), "{t}");
        }
    }

    #[test]
    fn a_compilation_chooses_the_warp_and_the_target_fixes_the_wave() {
        let gfx90a = AmdArch::parse("gfx90a").unwrap().target();
        assert_eq!((gfx90a.wave_size(), gfx90a.warp_size(), gfx90a.lane_mask_bits()), (64, 32, 32));
        let whole = gfx90a.with_warp_size(64).unwrap();
        assert_eq!((whole.wave_size(), whole.warp_size(), whole.lane_mask_bits()), (64, 64, 64));
        assert!(whole != gfx90a && whole.with_warp_size(32) == Some(gfx90a));
        assert_eq!(gfx90a.with_warp_size(16), None);
        assert_eq!(Target::default().with_warp_size(64), None);
        assert_eq!(AmdArch::parse("gfx1100").unwrap().target().wave_size(), 32);
    }

    #[test]
    fn what_targets_share_and_what_not() {
        let (sm, gfx, host) = (Target::default(), AmdArch::parse("gfx942").unwrap().target(), Target::host());
        assert_eq!([sm, gfx, host].map(|t| t.pointer_bits(3)), [32, 32, 64]);
        assert_eq!([sm, gfx, host].map(Target::has_flat_memory), [false, false, true]);
        assert_eq!([sm, gfx, host].map(|t| t.launch_limits().groups[1]), [65535, u32::MAX, i32::MAX as u32]);
        assert_eq!([sm, gfx, host].map(|t| t.ptx_arch().is_some()), [true, false, false]);
        assert!(Arch::from_number(90).unwrap().target().has(Feature::Redux) && !gfx.has(Feature::Redux));
    }
}
