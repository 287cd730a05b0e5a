//! This machine as a device with memory of its own: what a GPU across a bus is to programs, without one.
//!
//! It is there for tests, and for programs that want to know whether their copies are right: kernels run as on the
//! [host's device](HostDevice), but pointer arguments must be memory that was allocated on the device, copies know what is
//! on which side, memory holds bytes of 0xcb until something is written to it, and what leaves an allocation or uses one that
//! was freed is stopped by the processor. Addresses inside of structures that are passed by value, and those that kernels
//! read from memory, are not looked at.

use crate::memory::Memory;
use crate::{
    Arg, Cache, Device, DevicePtr, Error, HostDevice, HostOptions, Kernel, NdRange, Prepared, Program, Queue, Run,
    Shape, Transfer, VariableAt,
};
use source::Session;
use std::sync::Arc;
use std::time::Duration;
use target::Target;

/// This machine's processors, with memory apart from the host's.
#[derive(Debug)]
pub struct DiscreteDevice {
    host: HostDevice,
    name: String,
}

impl DiscreteDevice {
    /// A device with no memory in use yet.
    ///
    /// # Errors
    /// As [`HostDevice::new`].
    pub fn new(options: HostOptions) -> Result<Self, Error> {
        Self::with_cache(options, Cache::off())
    }

    /// The same, which keeps the machine code of [stored](Program::object) programs in a cache.
    ///
    /// # Errors
    /// As [`HostDevice::new`].
    pub fn with_cache(options: HostOptions, cache: Cache) -> Result<Self, Error> {
        let host = HostDevice::with_memory(options, cache, Memory::apart())?;
        let name = format!("{}, memory apart", host.name());
        Ok(Self { host, name })
    }

    /// The kernel, with a look at its arguments.
    fn watched(&self, program: &Program, symbol: &str, kernel: Arc<dyn Kernel>) -> Arc<dyn Kernel> {
        let info = program.kernels().iter().find(|k| k.symbol == symbol);
        let names = info.map_or_else(Vec::new, |k| k.params.iter().map(|p| p.name.clone()).collect());
        Arc::new(Watched { kernel, memory: Arc::clone(self.host.memory()), names })
    }
}

impl Device for DiscreteDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn threads(&self) -> usize {
        self.host.threads()
    }

    fn target(&self) -> Target {
        self.host.target()
    }

    fn is_unified(&self) -> bool {
        false
    }

    fn allocate(&self, bytes: u64) -> Result<DevicePtr, Error> {
        self.host.allocate(bytes)
    }

    fn free(&self, memory: DevicePtr) -> Result<(), Error> {
        self.host.free(memory)
    }

    unsafe fn copy(&self, transfer: &Transfer) -> Result<(), Error> {
        // SAFETY: by the caller's promise.
        unsafe { self.host.copy(transfer) }
    }

    fn queue(&self) -> Result<Box<dyn Queue>, Error> {
        self.host.queue()
    }

    fn variable(&self, program: &Program, symbol: &str) -> Result<VariableAt, Error> {
        self.host.variable(program, symbol)
    }

    fn prepare(
        &self,
        program: &Program,
        kernel: &str,
        local: [u32; 3],
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error> {
        Ok(self.watched(program, kernel, self.host.prepare(program, kernel, local, session)?))
    }

    fn prepare_range(
        &self,
        program: &Program,
        kernel: &str,
        range: &NdRange,
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error> {
        Ok(self.watched(program, kernel, self.host.prepare_range(program, kernel, range, session)?))
    }
}

/// A kernel whose pointer arguments must be memory of the device.
struct Watched {
    kernel: Arc<dyn Kernel>,
    memory: Arc<Memory>,
    /// Names of its parameters, if they are known.
    names: Vec<String>,
}

impl Kernel for Watched {
    fn prepared(&self) -> &Prepared {
        self.kernel.prepared()
    }

    fn check(&self, args: &[Arg<'_>]) -> Result<(), Error> {
        for (index, arg) in args.iter().enumerate() {
            if let Arg::Pointer(at) = arg
                && !at.is_null()
                && self.memory.find(*at as u64).is_none()
            {
                let name = self.names.get(index).filter(|n| !n.is_empty()).cloned();
                return Err(Error::HostAddress { index, name, address: *at as u64 });
            }
        }
        Ok(())
    }

    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        self.check(args)?;
        // SAFETY: by the caller's promise.
        unsafe { self.kernel.launch(shape, args, run) }
    }

    unsafe fn launch_range(&self, range: &NdRange, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        self.check(args)?;
        // SAFETY: by the caller's promise.
        unsafe { self.kernel.launch_range(range, args, run) }
    }
}
