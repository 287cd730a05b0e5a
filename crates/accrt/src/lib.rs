//! The run-time library of accelerator directives, with C's calling convention: what code made by `unspool cc` calls
//! ([`region`]), and the functions of `openacc.h` ([`api`]).
//!
//! * [`device`] knows where things run: on the calling thread's processor, over all of them ([`pool`]), or there with memory
//!   apart ([`memory`]).
//! * [`table`] is the present table: which of the host's memory the device has a copy of, with its reference counts.
//! * Queues are accepted and everything is done at once, in the order of the program.
//!
//! What a program does wrong ends it with a message that names the variable, its extents, the place and the function
//! ([`fatal`]). Nothing here panics on what a program passes; pointers must be what the interface says they are.

pub mod api;
mod device;
mod fatal;
mod memory;
mod plain;
mod pool;
pub mod region;
mod section;
mod table;

/// The text of `openacc.h`.
pub const OPENACC_H: &str = include_str!("../include/openacc.h");
