//! Kernels and their arguments.

pub mod arguments;
pub mod signature;

use super::device::Device;
use super::program::Program;
use super::program::executable::Executable;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use arguments::Arguments;
pub use arguments::{Captured, Given};
use signature::Signature;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most bytes of a kernel's values.
const MAX_VALUES: usize = 1 << 16;

/// A kernel.
pub struct Kernel {
    handle: Handle<Self>,
    /// The program it is of.
    pub program: Arc<Program>,
    /// What it takes.
    pub signature: Arc<Signature>,
    /// The code that it is in.
    pub executable: Arc<Executable>,
    arguments: Mutex<Arc<Arguments>>,
}

impl Object for Kernel {
    const INVALID: Status = Status::INVALID_KERNEL;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Kernel> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

impl Kernel {
    /// A kernel of a program, without arguments.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`; `CL_OUT_OF_RESOURCES` for parameters of more than 64 KiB.
    pub fn new(program: Arc<Program>, executable: Arc<Executable>, signature: Arc<Signature>) -> Result<Arc<Self>> {
        if signature.bytes > MAX_VALUES {
            return Err(Status::OUT_OF_RESOURCES);
        }
        let arguments = Arc::new(Arguments::unset(&signature));
        Self::with(program, executable, signature, arguments)
    }

    fn with(
        program: Arc<Program>,
        executable: Arc<Executable>,
        signature: Arc<Signature>,
        arguments: Arc<Arguments>,
    ) -> Result<Arc<Self>> {
        let arguments = Mutex::new(arguments);
        Self::pool().insert(|handle| {
            program.attach();
            Self { handle, program, signature, executable, arguments }
        })
    }

    /// The same kernel again, with the arguments that this one has now.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn duplicate(&self) -> Result<Arc<Self>> {
        let arguments = Arc::clone(&self.arguments());
        Self::with(Arc::clone(&self.program), Arc::clone(&self.executable), Arc::clone(&self.signature), arguments)
    }

    fn arguments(&self) -> MutexGuard<'_, Arc<Arguments>> {
        self.arguments.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the arguments; captured ones stay as they are.
    pub fn change<T>(&self, change: impl FnOnce(&mut Arguments) -> T) -> T {
        change(Arc::make_mut(&mut self.arguments()))
    }

    /// The arguments as they are now.
    ///
    /// # Errors
    /// `CL_INVALID_KERNEL_ARGS` "if all the kernel arguments have not been set", or if a memory object among them is gone.
    pub fn capture(&self) -> Result<Captured> {
        self.capture_for(Arc::clone(&self.executable))
    }

    /// The same for the code of a device ([`Kernel::executable_for`]).
    ///
    /// # Errors
    /// As [`Kernel::capture`].
    pub fn capture_for(&self, executable: Arc<Executable>) -> Result<Captured> {
        let arguments = Arc::clone(&self.arguments());
        Captured::new(executable, Arc::clone(&self.signature), arguments)
    }

    /// Bytes of work-group memory that the local arguments set so far take.
    pub fn local_argument_bytes(&self) -> u64 {
        self.arguments().local_bytes()
    }

    /// The code for a device.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` "if there is no successfully built program executable available for device".
    pub fn executable_for(&self, device: &Device) -> Result<Arc<Executable>> {
        self.program.executable_for(device).ok_or(Status::INVALID_PROGRAM_EXECUTABLE)
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.detach();
    }
}
