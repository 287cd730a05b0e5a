//! Kernels and their arguments.

use super::program::Program;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use std::sync::Arc;

/// A kernel.
pub struct Kernel {
    handle: Handle<Self>,
    /// The program it is of.
    pub program: Arc<Program>,
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

/// The arguments of a kernel as they were when it was enqueued, with references to the objects among them.
pub struct Captured {
    // engineer program: what runtime::Arg needs, owned
}

impl Kernel {
    /// The arguments as they are now.
    ///
    /// # Errors
    /// `CL_INVALID_KERNEL_ARGS` "if all the kernel arguments have not been set".
    pub fn capture(&self) -> Result<Captured> {
        Err(Status::INVALID_KERNEL_ARGS)
    }
}
