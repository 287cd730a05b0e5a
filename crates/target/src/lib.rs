//! Facts about what code is made for: plain tables and arithmetic over them, nothing else.
//!
//! * [`Target`] is the value that every stage asks: what differs between code for one GPU, another and this machine. Each
//!   question is a method with the name of the property; nobody asks which target it is.
//! * [`Description`] is what stands behind it, one for each row of a table: [`Arch`] for NVIDIA (`sm_90a`),
//!   [`amd`] for AMD (`gfx90a`), [`Target::host`] for this machine. [`Arch::parse`] reads what users write after `-arch=`;
//!   [`Arch::has`] answers for a [`Feature`].
//! * [`space`] has address-space facts that both vendors share.
//!
//! Four things are kept apart: what a target *fixes* ([`Description`]); what a compilation *chooses* where a target leaves
//! it open ([`Target::with_warp_size`]); what a kernel *promises* about its launches (attributes in the IR); and what a
//! launch *asks for*, which is checked against [`LaunchLimits`].

pub mod amd;
mod arch;
mod description;
mod feature;
mod host;
mod limits;
mod occupancy;
mod parse;
pub mod space;
mod target;

pub use amd::{MatrixUnits, Mfma};
pub use arch::{Arch, ArchVariant, PtxVersion, SmLimits};
pub use description::{BackEnd, Description, Isa, Kind, Lanes, Vendor};
pub use feature::Feature;
pub use limits::{LaunchLimits, LimitExceeded};
pub use occupancy::{KernelResources, Limiter, Occupancy, OccupancyRules};
pub use parse::{ParseArchError, ParsedArch};
pub use target::Target;
