//! Code for this machine: what it is, how its functions are called, LLVM's passes, object files, code that runs in this
//! process.

mod around;
mod chains;
mod choices;
mod compiled;
mod convention;
mod crowds;
mod effort;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod elf;
mod gathers;
mod halves;
mod held;
mod jit;
mod lines;
mod machine;
mod mask_chains;
mod masks;
mod offsets;
mod options;
mod orc;
mod passes;
mod repeated_lanes;
mod splat_masks;
mod ternary;
mod truncate;
mod walk;
mod webs;
mod wide;
mod x86;

pub use compiled::{Compiled, compile};
pub use effort::Effort;
pub use jit::{Entry, Jit};
pub use lines::{line_of, machine_code_of};
pub use machine::{HostMachine, Vectors};
pub use options::{Denormals, Options};
