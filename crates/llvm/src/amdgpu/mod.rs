//! Code objects for AMD GPUs: what a GPU is to LLVM, how kernels are called, what work-items of a wave do together,
//! LLVM's passes, and the notes in what comes out.
//!
//! # How the IR maps to AMDGCN
//!
//! * Kernels are LLVM's `amdgpu_kernel`s; aggregates by value stay in the kernel argument segment. All else is inlined.
//! * Address spaces are LLVM's (`target::space`): LDS is 3, scratch 5, constants and kernel arguments 4.
//! * Sizes of the launch come from the implicit arguments of code object version 5, at the offsets of `item`.
//! * A warp is a wave, or one half of a wave of 64 lanes ([`Target::warp_size`](target::Target::warp_size)). Operations
//!   of a warp are over its active lanes: all lanes of a mask must come to the same place together, as they do before
//!   sm_70.
//! * Atomics and fences have scopes: `workgroup`, `agent`, and the system's.
//! * Variables that outlive kernels are protected symbols under their own names, which a loader finds.

mod barrier;
mod compile;
mod convention;
mod item;
mod lanes;
mod link;
mod machine;
mod matrix;
mod notes;
mod notes_msgpack;
mod passes;
mod spaces;

pub use compile::{AmdCompiled, AmdOptions, compile_amd};
pub use link::{Linked, link, link_with_lld};
pub use machine::{AmdMachine, CodeObject};
pub use notes::{ArgumentNote, KernelNote, Notes, NotesError, read_notes};
