//! What a target fixes.

use crate::amd::AmdArch;
use crate::space::SPACES;
use crate::{Arch, LaunchLimits, OccupancyRules};

/// What kind of machine runs the work-items.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Each work-item is a thread of the hardware, many of which run in lockstep.
    Gpu,
    /// A processor with vectors: the compiler puts work-items into their lanes.
    Cpu,
}

/// Whose machine it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Vendor {
    /// NVIDIA.
    Nvidia,
    /// AMD.
    Amd,
    /// Whoever made the processor that runs the compiler; LLVM knows.
    Host,
}

/// The instruction set, by the row of its vendor's table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Isa {
    /// PTX for an NVIDIA architecture.
    Ptx(Arch),
    /// AMDGCN for an AMD GPU.
    Amdgcn(&'static AmdArch),
    /// Whatever the processor that runs the compiler has.
    Host,
}

/// Lanes that run together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// Lanes of a wave, the unit that the hardware runs in lockstep; of a warp, where the compiler makes them.
    pub wave: u32,
    /// Sizes of the warps that programs may be compiled for. Smaller ones than the wave are parts of it.
    pub warps: &'static [u32],
    /// The size of the warps of programs that ask for none.
    pub warp: u32,
}

/// What the code generator, or what runs behind it, does itself, so that the stages before need not or must not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackEnd {
    /// There are instructions for approximate functions (sine, power of two, reciprocal …).
    pub approximate_functions: bool,
    /// There is a product of the low 24 bits that is quicker than the ordinary one.
    pub mul24: bool,
    /// Kernels may compute with `half`.
    pub half: bool,
    /// Images are read and written, by functions of the builtin library over descriptors in memory.
    pub images: bool,
    /// A function may be called by work-items that run side by side; otherwise every call must be replaced by a body.
    pub calls: bool,
    /// Barriers and operations between lanes are instructions, of which a copy costs no more than that of another;
    /// otherwise each cuts the kernel into loops over the work-items.
    pub convergent_operations: bool,
    /// Divisions by constants become products.
    pub division_by_constants: bool,
    /// Products and sums that may be contracted are.
    pub contraction: bool,
    /// A sum is ready sooner than a fused operation.
    pub quick_sums: bool,
    /// Addresses in loops are stepped instead of computed anew.
    pub address_reduction: bool,
    /// Neighbouring accesses of a work-item are joined to those of vectors.
    pub access_joining: bool,
    /// What reads the output joins loads of neighbouring words of a group's memory.
    pub group_load_joining: bool,
    /// Work-items share vectors, and those of their accesses to records are put together from rows of memory.
    pub record_rows: bool,
    /// Branches in a row to the same place become one.
    pub branch_joining: bool,
    /// [`crate::Target::has_loop_vectors`].
    pub loop_vectors: bool,
    /// Fewer branches around the body of a loop pay even if the loop stays.
    pub partial_unrolling: bool,
    /// So they do where the trip count is known only when the loop starts, though that takes a second loop for what is left.
    pub runtime_unrolling: bool,
    /// Loops pay that are there twice, with a test before them whether what they store is apart from what they load.
    pub alias_tests: bool,
    /// Loops that take one bit after another away are counts of bits; NVIDIA's compiler leaves them.
    pub bit_counts: bool,
    /// Whether loops are copied for the ways of a branch that goes the same way in every iteration.
    pub unswitching: bool,
    /// Calls of mathematics count in the sizes of loops what they count in nvcc, whose decisions are followed.
    pub measured_library: bool,
    /// Which work-items of a group share a vector is chosen for each kernel.
    pub row_choice: bool,
    /// Address spaces are names for one memory: a pointer to one may point into another.
    pub flat_memory: bool,
}

/// What a target fixes: all that differs between code for it and code for another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Description {
    /// Name, as `-arch` or `--target` takes it: `sm_90`, `gfx90a`, `host`.
    pub name: &'static str,
    /// Kind of machine.
    pub kind: Kind,
    /// Vendor.
    pub vendor: Vendor,
    /// Instruction set.
    pub isa: Isa,
    /// Lanes that run together.
    pub lanes: Lanes,
    /// How large launches can be.
    pub launch: LaunchLimits,
    /// Bits of an address in each space, by the space's number.
    pub pointer_bits: [u8; SPACES.len()],
    /// Registers, and how many groups share them.
    pub occupancy: OccupancyRules,
    /// What the code generator does itself.
    pub back_end: BackEnd,
}
