//! What a device can do: memory, queues of commands, events, kernels.
//!
//! The interface is what CUDA's driver and AMD's offer, in their words where they agree: memory is [allocated](Device::allocate)
//! and [freed](Device::free) by address, commands go to [`Queue`]s (streams) that run them in order, [`Event`]s mark
//! places in queues, tell the time and let one queue wait for another, a [`Program`] (module) has kernels and variables
//! by symbol.
//!
//! ```
//! use runtime::{Device, DiscreteDevice, HostOptions, Program, Queue, Transfer};
//! use launch::{Extent, Launch, NdRange};
//! use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};
//!
//! let text = "__device__ float factor; extern \"C\" __global__ void scale(float *p) { p[threadIdx.x] *= factor; }";
//! let mut compiled = compile(&Input::text("k.cu", text), &Options::host(Dialect::CUDA), &Emit::Nothing);
//! let program = Program::new(std::mem::take(&mut compiled.module), Dialect::CUDA);
//!
//! // A device that does not see the host's memory.
//! let device = DiscreteDevice::new(HostOptions::default())?;
//! let mut data: Vec<u8> = (0..8).flat_map(|n| (n as f32).to_le_bytes()).collect();
//! let memory = device.allocate(data.len() as u64)?;
//! let factor = device.variable(&program, "factor")?;
//! let kernel = device.prepare(&program, "scale", [8, 1, 1], &mut compiled.session)?;
//! let range = NdRange { work_dim: 1, offset: [0; 3], global: [8, 1, 1], local: [8, 1, 1] };
//!
//! let queue = device.queue()?;
//! let two = 2f32.to_le_bytes();
//! // SAFETY: `two` and `data` are not touched before `finish`; the kernel stays within the eight numbers.
//! let (before, after) = unsafe {
//!     queue.copy(&Transfer::to_device(factor.address, &two))?;
//!     queue.copy(&Transfer::to_device(memory, &data))?;
//!     let before = queue.record()?;
//!     queue.launch(&kernel, &Launch { range, dynamic_shared: 0 }, &[memory.argument()])?;
//!     let after = queue.record()?;
//!     queue.copy(&Transfer::to_host(&mut data, memory))?;
//!     (before, after)
//! };
//! queue.finish()?;
//! assert_eq!(data[4..8], 2f32.to_le_bytes());
//! assert_eq!(data[28..32], 14f32.to_le_bytes());
//! assert!(after.time() >= before.time());
//! device.free(memory)?;
//! # Ok::<(), runtime::Error>(())
//! ```

use crate::{Arg, DevicePtr, Error, Kernel, NdRange, Program, Transfer, VariableAt};
use launch::Launch;
use source::Session;
use std::sync::Arc;
use std::time::Duration;
use target::Target;

/// What runs kernels.
pub trait Device: Send + Sync {
    /// What it is called, with what matters of it.
    fn name(&self) -> &str;

    /// How many threads run work-groups.
    fn threads(&self) -> usize;

    /// What it runs code for: how large launches and groups can be, how many lanes a warp has.
    fn target(&self) -> Target;

    /// Whether it reaches the host's memory: then addresses of the host are addresses of the device, and copies between
    /// the two are never needed.
    fn is_unified(&self) -> bool;

    /// Memory for so many bytes (also none), which hold anything; on a multiple of 128.
    ///
    /// # Errors
    /// There is not so much.
    fn allocate(&self, bytes: u64) -> Result<DevicePtr, Error>;

    /// Gives memory back that [`Device::allocate`] gave, or nothing for [`DevicePtr::NULL`]. What queues hold that uses it
    /// as an argument or in a copy still runs.
    ///
    /// # Errors
    /// The address is not that of an allocation.
    fn free(&self, memory: DevicePtr) -> Result<(), Error>;

    /// Copies at once, on the caller's thread, behind nothing.
    ///
    /// # Errors
    /// A side is not where the copy says, or leaves its allocation.
    ///
    /// # Safety
    /// Sides in the host's memory are memory that may be read or written. Nothing else writes to either side until the
    /// copy has ended, or reads what it writes.
    unsafe fn copy(&self, transfer: &Transfer) -> Result<(), Error>;

    /// A new queue.
    ///
    /// # Errors
    /// The system lacks something for it.
    fn queue(&self) -> Result<Box<dyn Queue>, Error>;

    /// The variable of a program with this symbol (CUDA's `__device__` and `__constant__`, OpenCL's program-scope
    /// `global`): one per program and device, which all kernels of the program share. It stays as long as the program.
    ///
    /// # Errors
    /// The program has no such variable, no kernel needs it, or it is `const`, hence a part of the code; or there is no
    /// memory for the program's variables.
    fn variable(&self, program: &Program, symbol: &str) -> Result<VariableAt, Error>;

    /// Makes the kernel with this symbol ready for groups of this size, or finds it where that was done before. What
    /// becomes of hints goes to the session's ledger.
    ///
    /// # Errors
    /// There is no such kernel, or something in it is not covered.
    fn prepare(
        &self,
        program: &Program,
        kernel: &str,
        local: [u32; 3],
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error>;

    /// Makes the kernel with this symbol ready for launches over this range with [`Kernel::launch_range`]: for the
    /// size of each of its [parts](NdRange::parts), or finds it where that was done before. Ranges with other global
    /// sizes and offsets may be launched with the same kernel if their parts have the same sizes.
    ///
    /// # Errors
    /// As [`Device::prepare`]; also a range that no device runs, or one with groups of several sizes for a kernel that
    /// was not compiled for such (OpenCL C before 2.0, `-cl-uniform-work-group-size`).
    fn prepare_range(
        &self,
        program: &Program,
        kernel: &str,
        range: &NdRange,
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error>;
}

/// Commands for a device, which run one after another in the order in which they were given, while the caller goes on.
/// What is wrong with a command by itself is told at once. What goes wrong when it runs is told by [`Queue::finish`] and
/// by the events behind it; the commands between are left out. A queue that is dropped ends its commands first.
pub trait Queue: Send + Sync {
    /// Copies.
    ///
    /// # Errors
    /// A side is not where the copy says, or leaves its allocation.
    ///
    /// # Safety
    /// As [`Device::copy`], until the command has ended.
    unsafe fn copy(&self, transfer: &Transfer) -> Result<(), Error>;

    /// Writes a pattern so many times, one after the other.
    ///
    /// # Errors
    /// The bytes are no memory of the device's, or leave their allocation.
    ///
    /// # Safety
    /// Nothing else accesses the bytes until the command has ended.
    unsafe fn fill(&self, to: DevicePtr, pattern: &[u8], times: u64) -> Result<(), Error>;

    /// Launches a kernel that this device has prepared; the argument's bytes are copied.
    ///
    /// # Errors
    /// An argument that the device does not reach.
    ///
    /// # Safety
    /// As [`Kernel::launch`], until the command has ended.
    unsafe fn launch(&self, kernel: &Arc<dyn Kernel>, launch: &Launch, args: &[Arg<'_>]) -> Result<(), Error>;

    /// An event that happens when the commands before it have ended.
    ///
    /// # Errors
    /// The system lacks something for it.
    fn record(&self) -> Result<Arc<dyn Event>, Error>;

    /// Lets the commands behind wait for an event, of any queue. If that fails, so does this.
    ///
    /// # Errors
    /// The device cannot wait for events of that one.
    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<(), Error>;

    /// Waits until all commands have ended. What they hold afterwards starts anew.
    ///
    /// # Errors
    /// What the first command failed with that failed since the last call.
    fn finish(&self) -> Result<(), Error>;
}

/// A place in a queue that is reached when the commands before it have ended.
pub trait Event: Send + Sync {
    /// Whether it has happened.
    fn is_done(&self) -> bool;

    /// Waits until it has happened.
    ///
    /// # Errors
    /// What a command before it failed with.
    fn wait(&self) -> Result<(), Error>;

    /// When it happened, by a clock of the device; `None` before. The difference between two events is the time between
    /// them.
    fn time(&self) -> Option<Duration>;
}
