//! Building: one at a time for each program, with any number of programs at the same time.

use super::executable::Executable;
use super::link::Part;
use super::{Builds, Program};
use crate::core::device::Device;
use crate::core::thread;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use unspool::object::Object as Stored;

/// What a program's build for one device has come to.
#[derive(Clone, Debug)]
pub struct Build {
    /// `CL_PROGRAM_BUILD_STATUS`
    pub status: cl::cl_build_status,
    /// The options, as they were given.
    pub options: Arc<str>,
    /// What there is to tell the user.
    pub log: Arc<str>,
    /// What came of it.
    pub product: Product,
}

/// What a build makes.
#[derive(Clone, Debug)]
pub enum Product {
    /// Nothing.
    None,
    /// What can be linked.
    Part(Part),
    /// A binary that is not built yet.
    Loaded(Arc<Stored>),
    /// Code that runs.
    Executable(Arc<Executable>),
}

impl Default for Build {
    fn default() -> Self {
        Self { status: cl::CL_BUILD_NONE, options: Arc::from(""), log: Arc::from(""), product: Product::None }
    }
}

impl Product {
    /// The code, if that is what was built.
    pub fn executable(&self) -> Option<&Arc<Executable>> {
        if let Self::Executable(e) = self { Some(e) } else { None }
    }

    /// What can be linked, if it is that.
    pub fn part(&self) -> Option<&Part> {
        if let Self::Part(p) = self { Some(p) } else { None }
    }
}

/// What compiling or linking gives for a device.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Nothing if it failed.
    pub product: Product,
    /// The log.
    pub log: Arc<str>,
}

impl Outcome {
    /// What came of it, with its log.
    pub fn new(product: Product, log: impl Into<Arc<str>>) -> Self {
        Self { product, log: log.into() }
    }

    /// Nothing came of it.
    pub fn failed(log: &str) -> Self {
        Self::new(Product::None, log)
    }
}

/// The function that the user wants to be called at the end, with its data.
#[derive(Clone, Copy, Debug)]
pub struct Notify {
    function: unsafe extern "C" fn(cl::cl_program, *mut c_void),
    data: *mut c_void,
}

// SAFETY: the specification makes it the user's responsibility that the function may be called from any thread.
unsafe impl Send for Notify {}

impl Notify {
    /// # Safety
    /// The function may be called once, at any time, from any thread, with a program and this data.
    pub unsafe fn new(function: unsafe extern "C" fn(cl::cl_program, *mut c_void), data: *mut c_void) -> Self {
        Self { function, data }
    }

    /// Calls it.
    pub fn call(self, program: &Program) {
        // SAFETY: by the promise of `new`.
        unsafe { (self.function)(program.handle().raw(), self.data) };
    }
}

/// A build under way; however it ends, the program is told.
struct Job {
    program: Arc<Program>,
    devices: Vec<usize>,
    failure: Status,
    ended: bool,
}

impl Program {
    /// Builds for some of the program's devices, each of which is given once: on the caller's thread, or on another if it
    /// is to notify. The work gives what came of it for each of these devices.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` "if the build of a program executable for any of the devices listed in device_list by a
    /// previous call to clBuildProgram for program has not completed" or "if there are kernel objects attached to
    /// program"; `failure` if the work made nothing.
    pub fn build(
        self: &Arc<Self>,
        devices: &[Arc<Device>],
        options: &str,
        failure: Status,
        notify: Option<Notify>,
        work: impl FnOnce() -> Vec<Outcome> + Send + 'static,
    ) -> Result {
        let job = self.begin(devices, options, failure)?;
        match notify {
            None => job.run(work),
            Some(notify) => {
                let task = move || {
                    // What came of it is in the program's builds.
                    let program = Arc::clone(&job.program);
                    let _ = job.run(work);
                    notify.call(&program);
                };
                // Without another thread the work is lost with the closure; `Job` says so where it is dropped.
                let started = thread::start("unspool build", task);
                started.map(drop).map_err(|_| Status::OUT_OF_RESOURCES)
            }
        }
    }

    fn begin(self: &Arc<Self>, devices: &[Arc<Device>], options: &str, failure: Status) -> Result<Job> {
        let mut builds = self.builds();
        if builds.running || self.kernels.load(Ordering::Acquire) > 0 {
            return Err(Status::INVALID_OPERATION);
        }
        let devices: Vec<usize> = devices.iter().filter_map(|d| self.place(d)).collect();
        builds.running = true;
        let options: Arc<str> = Arc::from(options);
        builds.set(&devices, || Build {
            status: cl::CL_BUILD_IN_PROGRESS,
            options: Arc::clone(&options),
            ..Build::default()
        });
        drop(builds);
        Ok(Job { program: Arc::clone(self), devices, failure, ended: false })
    }
}

impl Builds {
    fn set(&mut self, devices: &[usize], make: impl Fn() -> Build) {
        for &n in devices {
            self.list[n] = make();
        }
    }
}

impl Job {
    fn run(mut self, work: impl FnOnce() -> Vec<Outcome>) -> Result {
        let bug =
            "internal error: the compiler panicked\n  this is a bug of unspool; please report it with the source\n";
        let outcomes = catch_unwind(AssertUnwindSafe(work)).unwrap_or_default();
        let failed = Outcome::failed(bug);
        let made = self.end(|n| outcomes.get(n).unwrap_or(&failed));
        if made { Ok(()) } else { Err(self.failure) }
    }

    /// Leaves in the program what came of it; whether something was made for all devices.
    fn end<'a>(&mut self, outcome: impl Fn(usize) -> &'a Outcome) -> bool {
        self.ended = true;
        let mut builds = self.program.builds();
        builds.running = false;
        let mut all = true;
        for (n, &place) in self.devices.iter().enumerate() {
            let Outcome { product, log } = outcome(n).clone();
            let made = !matches!(product, Product::None);
            all &= made;
            let status = if made { cl::CL_BUILD_SUCCESS } else { cl::CL_BUILD_ERROR };
            let options = Arc::clone(&builds.list[place].options);
            builds.list[place] = Build { status, options, log, product };
        }
        all
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.ended {
            let lost = Outcome::failed("the build was not started: there was no thread for it\n");
            self.end(|_| &lost);
        }
    }
}
