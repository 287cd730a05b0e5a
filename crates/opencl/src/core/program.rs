//! Programs: a source or a binary, and what was built of it for each device.
//!
//! All devices are processors of one machine, so a build compiles once and each device that it was asked for gets the
//! same product. What a device's build is, is under one lock, which nobody holds while compiling.

pub mod build;
pub mod compile;
pub mod executable;

use super::context::Context;
use super::device::Device;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use build::Build;
use executable::Executable;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A program.
pub struct Program {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
    /// The devices that it is for.
    pub devices: Vec<Arc<Device>>,
    /// What it was made of.
    pub origin: Origin,
    builds: Mutex<Builds>,
    /// Kernels that there are of it.
    kernels: AtomicUsize,
}

/// What a program was made of.
#[derive(Debug)]
pub enum Origin {
    /// A source text.
    Source(Arc<[u8]>),
    /// `clLinkProgram`.
    Link,
}

/// The builds of a program.
struct Builds {
    /// One is under way.
    running: bool,
    /// One for each of the program's devices.
    list: Vec<Build>,
}

impl Object for Program {
    const INVALID: Status = Status::INVALID_PROGRAM;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Program> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

impl Program {
    /// A program that is not built.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(context: Arc<Context>, devices: Vec<Arc<Device>>, origin: Origin) -> Result<Arc<Self>> {
        let builds = Mutex::new(Builds { running: false, list: devices.iter().map(|_| Build::default()).collect() });
        Self::pool().insert(|handle| Self { handle, context, devices, origin, builds, kernels: AtomicUsize::new(0) })
    }

    fn builds(&self) -> MutexGuard<'_, Builds> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a device is one of the program's.
    pub fn has_device(&self, device: &Device) -> bool {
        self.devices.iter().any(|d| std::ptr::eq(&raw const **d, device))
    }

    /// What was built for a device.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` "if device is not in the list of devices associated with program".
    pub fn build_of(&self, device: &Device) -> Result<Build> {
        let n = self.devices.iter().position(|d| std::ptr::eq(&raw const **d, device));
        let builds = self.builds();
        n.and_then(|n| builds.list.get(n)).cloned().ok_or(Status::INVALID_DEVICE)
    }

    /// The executable of a device, or of the device that it is a part of.
    pub fn executable_for(&self, device: &Device) -> Option<Arc<Executable>> {
        let mut device = device;
        loop {
            if let Ok(build) = self.build_of(device) {
                return build.executable().cloned();
            }
            device = device.parent.as_deref()?;
        }
    }

    /// The executable of the first device that has one.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` "if there is no successfully built executable for program".
    pub fn executable(&self) -> Result<Arc<Executable>> {
        let found = self.builds().list.iter().find_map(|b| b.executable().cloned());
        found.ok_or(Status::INVALID_PROGRAM_EXECUTABLE)
    }

    /// All builds, in the order of the devices.
    pub fn all_builds(&self) -> Vec<Build> {
        self.builds().list.clone()
    }

    /// A kernel of the program was made.
    pub(super) fn attach(&self) {
        self.kernels.fetch_add(1, Ordering::AcqRel);
    }

    /// A kernel of the program is gone.
    pub(super) fn detach(&self) {
        self.kernels.fetch_sub(1, Ordering::AcqRel);
    }
}
