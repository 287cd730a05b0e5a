//! Programs: a source or a binary, and what was built of it for each device.
//!
//! What a device's build is, is under one lock, which nobody holds while compiling. All devices are processors of one
//! machine, so what is compiled for several of them is compiled once.

pub mod binary;
pub mod build;
pub mod compile;
pub mod executable;
pub mod link;
mod place;

use super::context::Context;
use super::device::Device;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use build::{Build, Product};
use executable::Executable;
use launch::Prepared;
use opencl_sys as cl;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Nothing is added to a log of so many bytes.
const MAX_LOG: usize = 1 << 20;

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
    /// A binary for each of its devices.
    Binary(Vec<binary::Loaded>),
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
        let list = match &origin {
            Origin::Binary(loaded) => loaded.iter().map(binary::Loaded::build).collect(),
            Origin::Source(_) | Origin::Link => devices.iter().map(|_| Build::default()).collect(),
        };
        let builds = Mutex::new(Builds { running: false, list });
        Self::pool().insert(|handle| Self { handle, context, devices, origin, builds, kernels: AtomicUsize::new(0) })
    }

    fn builds(&self) -> MutexGuard<'_, Builds> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where a device stands among the program's.
    fn place(&self, device: &Device) -> Option<usize> {
        self.devices.iter().position(|d| d.is(device))
    }

    /// Whether a build, compilation or link of it has not ended.
    pub fn is_building(&self) -> bool {
        self.builds().running
    }

    /// What was built for a device, or if nothing was, for the device that it is a part of: that serves its parts, too.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` "if device is not in the list of devices associated with program".
    pub fn build_of(&self, device: &Device) -> Result<Build> {
        let place = self.place(device).ok_or(Status::INVALID_DEVICE)?;
        let builds = self.builds();
        let whole = || self.whole_of(device.parent.as_deref(), |n| builds.list[n].status != cl::CL_BUILD_NONE);
        let place = if builds.list[place].status == cl::CL_BUILD_NONE { whole().unwrap_or(place) } else { place };
        builds.list.get(place).cloned().ok_or(Status::INVALID_DEVICE)
    }

    /// The executable of a device, or of the device that it is a part of.
    pub fn executable_for(&self, device: &Device) -> Option<Arc<Executable>> {
        let builds = self.builds();
        let place = self.whole_of(Some(device), |n| builds.list[n].product.executable().is_some())?;
        builds.list[place].product.executable().cloned()
    }

    /// The place of the first in a row of devices, each a part of the next, that will do.
    fn whole_of(&self, mut device: Option<&Device>, will_do: impl Fn(usize) -> bool) -> Option<usize> {
        while let Some(d) = device {
            if let Some(place) = self.place(d).filter(|&n| will_do(n)) {
                return Some(place);
            }
            device = d.parent.as_deref();
        }
        None
    }

    /// The executables, one after the other, each once.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` "if there is no successfully built executable for program".
    pub fn executables(&self) -> Result<Vec<Arc<Executable>>> {
        let mut found: Vec<Arc<Executable>> = Vec::new();
        for executable in self.builds().list.iter().filter_map(|b| b.product.executable()) {
            if !found.iter().any(|e| Arc::ptr_eq(e, executable)) {
                found.push(Arc::clone(executable));
            }
        }
        if found.is_empty() { Err(Status::INVALID_PROGRAM_EXECUTABLE) } else { Ok(found) }
    }

    /// What was made for each device.
    pub fn products(&self) -> Vec<Product> {
        self.builds().list.iter().map(|b| b.product.clone()).collect()
    }

    /// Leaves a word in the log of devices whose build could not begin.
    pub fn note(&self, devices: &[Arc<Device>], text: &str) {
        let log: Arc<str> = Arc::from(text);
        let places: Vec<usize> = devices.iter().filter_map(|d| self.place(d)).collect();
        let mut builds = self.builds();
        if !builds.running {
            places.into_iter().for_each(|n| builds.list[n].log = Arc::clone(&log));
        }
    }

    /// Adds to the log what machine code came to that was made for groups of this size, if the program was built with the
    /// ledger.
    pub fn explain_code(&self, device: &Device, kernel: &str, local: [u32; 3], prepared: &Prepared) {
        let Some(place) = self.place(device) else { return };
        let is_explained = |build: &Build| compile::is_explained(&build.options) && build.log.len() < MAX_LOG;
        if !is_explained(&self.builds().list[place]) {
            return;
        }
        let lines = prepared.explain().into_iter().map(|l| format!("    {l}\n")).collect::<String>();
        let [x, y, z] = local;
        let text = format!("\nkernel `{kernel}` for groups of {x} x {y} x {z} work-items\n{lines}");
        let build = &mut self.builds().list[place];
        build.log = Arc::from(format!("{}{text}", build.log));
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
