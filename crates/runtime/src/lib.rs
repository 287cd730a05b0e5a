//! Runs kernels on a device of this machine.
//!
//! A [`Program`] is a compiled source. A [`Device`] makes a [`Kernel`] of one of its kernels for one local size, and
//! remembers it: asking again costs a look-up. Its code may be for [any size](Specialise). A kernel is launched over a [`Shape`] with arguments; what it prints, and
//! how many of its groups have ended, goes to a [`Run`].
//!
//! There are two devices: the [`host`](HostDevice), which runs work-groups over a pool of threads and work-items in the
//! lanes of vectors, and the same with [memory apart](DiscreteDevice). [`device`] describes what devices can do, with an
//! example of memory, queues and events.
//!
//! [`HostBackend`] makes machine code to keep, for compilations that it is registered with.
//!
//! ```no_run
//! use runtime::{Arg, Device, HostDevice, HostOptions, Program, Run, Shape};
//! use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};
//!
//! let text = "kernel void twice(global int *p) { size_t i = get_global_id(0); p[i] *= 2; }";
//! let mut compiled = compile(&Input::text("k.cl", text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
//! let program = Program::new(std::mem::take(&mut compiled.module), Dialect::OPENCL);
//! let device = HostDevice::new(HostOptions::default())?;
//! let mut data = vec![1i32; 4096];
//! let shape = Shape { work_dim: 1, groups: [16, 1, 1], local: [256, 1, 1], offset: [0; 3], dynamic_shared: 0 };
//! let loaded = device.prepare(&program, "twice", shape.local, &mut compiled.session)?;
//! // SAFETY: the kernel stays within the 4096 elements, of which nobody else knows.
//! unsafe { loaded.launch(&shape, &[Arg::Pointer(data.as_mut_ptr().cast())], &Run::default())? };
//! # Ok::<(), runtime::Error>(())
//! ```

mod arguments;
mod backend;
mod backend_amd;
mod build;
mod cache;
pub mod device;
mod discrete;
mod error;
mod fault;
mod groups;
mod heap;
mod host;
mod image;
mod launch;
mod loaded;
mod make;
mod memory;
mod output;
mod pool;
mod program;
mod queue;
mod share;
mod specialise;
mod store;
mod transfer;
mod variables;
mod watchdog;

pub use ::launch::{NdRange, Prepared, Shape};
pub use backend::{HostBackend, llvm_level};
pub use backend_amd::{AmdBackend, amd_kernel};
pub use build::{BuildOptions, Built, build, finish};
pub use cache::Cache;
pub use device::{Device, Event, Queue};
pub use discrete::DiscreteDevice;
pub use error::Error;
pub use fault::FaultKind;
pub use host::{HostDevice, HostOptions};
pub use memory::DevicePtr;
pub use program::Program;
pub use specialise::Specialise;
pub use transfer::{Place, Transfer};
pub use variables::VariableAt;

use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// A kernel ready for launches with one local size.
pub trait Kernel: Send + Sync + std::any::Any {
    /// What is known of it.
    fn prepared(&self) -> &Prepared;

    /// Whether its device reaches what the arguments point to, as far as the device knows; launches look themselves.
    ///
    /// # Errors
    /// An argument that is an address of other memory.
    fn check(&self, _args: &[Arg<'_>]) -> Result<(), Error> {
        Ok(())
    }

    /// Launches it and waits for its end; how long that took.
    ///
    /// # Errors
    /// Arguments that do not fit, no memory for local arrays, or a kernel that stopped itself.
    ///
    /// # Safety
    /// Whatever the kernel reads and writes through its arguments must be memory that nothing else writes meanwhile:
    /// kernels are not checked here (the interpreter does that).
    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error>;

    /// The same over OpenCL's index space, whose groups may be of several sizes. Nothing runs if the range is empty.
    ///
    /// # Errors
    /// As [`Kernel::launch`]; also a range with groups of sizes that the kernel was not made for
    /// ([`Device::prepare_range`]).
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    unsafe fn launch_range(&self, range: &NdRange, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error>;
}

/// An argument of a launch.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A value, as it lies in memory. Vectors of three may have three or four components.
    Value(&'a [u8]),
    /// The address of a buffer; may be null.
    Pointer(*mut u8),
    /// So many bytes of work-group memory.
    Local(u64),
}

/// What takes text that kernels print.
pub type Print<'a> = &'a (dyn Fn(&[u8]) + Sync);

/// Where a launch reports to.
#[derive(Default)]
pub struct Run<'a> {
    /// Counts the groups that have ended.
    pub done: Option<&'a AtomicU64>,
    /// Takes what the kernel prints, in the order of the groups; standard output if there is none.
    pub print: Option<Print<'a>>,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("done", &self.done).finish_non_exhaustive()
    }
}
