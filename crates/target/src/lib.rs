//! Facts about GPUs: plain tables and arithmetic over them, nothing else.
//!
//! * [`Arch`] names an NVIDIA architecture (`sm_90a`); [`Arch::parse`] reads what users write after `-arch=`;
//!   [`Arch::has`] answers for a [`Feature`]; [`Arch::limits`] gives the multiprocessor's resources and
//!   [`occupancy`] computes with them.
//! * [`amd`] has wave sizes and register files of AMD GPUs.
//! * [`Machine`] says whether code is for a GPU or for the host.
//! * [`space`] has address-space facts that both vendors share.

pub mod amd;
mod arch;
mod feature;
mod machine;
mod occupancy;
mod parse;
pub mod space;

pub use arch::{Arch, ArchVariant, PtxVersion, SmLimits, WARP_SIZE};
pub use feature::Feature;
pub use machine::Machine;
pub use occupancy::{KernelResources, Limiter, Occupancy, occupancy};
pub use parse::{ParseArchError, ParsedArch};
