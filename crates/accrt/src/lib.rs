//! The run-time library of accelerator directives, with C's calling convention: what code made by `unspool cc` calls
//! ([`region`]), and the functions of `openacc.h` ([`api`]).
//!
//! * [`device`] knows where things run: on the calling thread's processor, over all of them ([`pool`]), there with memory
//!   apart ([`guarded`], and [`stray`] for accesses beside it), or on a [`gpu`] through CUDA's driver ([`cuda`]).
//! * [`table`] is the present table: which of the host's memory the device has a copy of, with its reference counts.
//! * [`queue`] has a thread for each asynchronous queue; [`present`] puts data into the table and out of it, [`launch`] runs
//!   kernels, both now or in a queue.
//! * [`trace`] tells who listens what happens: lines of [`notify`], the table of [`timing`] and its [`plot`] (with [`spans`] of time), tools through [`prof`].
//!
//! What a program does wrong ends it with a message that names the variable, its extents, the place and the function
//! ([`fatal`]). Nothing here panics on what a program passes; pointers must be what the interface says they are.

pub mod api;
mod cuda;
mod device;
mod fatal;
mod gpu;
mod guarded;
pub mod heap;
pub mod interface;
pub mod launch;
pub mod managed;
pub mod managed_heap;
mod memory;
mod notify;
pub mod output;
mod pages;
mod plain;
mod plot;
mod pool;
mod present;
pub mod prof;
mod queue;
pub mod region;
mod scratch;
mod section;
mod shared;
mod spans;
mod staging;
mod stray;
mod table;
mod timing;
mod trace;

/// The text of `openacc.h`.
pub const OPENACC_H: &str = include_str!("../include/openacc.h");
/// The text of `acc_prof.h`.
pub const ACC_PROF_H: &str = include_str!("../include/acc_prof.h");
