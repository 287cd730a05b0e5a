//! Kernels over index spaces: which local size, machine code for it, and the command that runs it.

use super::check;
use super::device::{Device, LOCAL_MEMORY};
use super::kernel::{Captured, Kernel};
use super::output;
use super::program::Program;
use crate::status::{Result, Status};
use launch::{LocalSizeConstraints, ShapeError};
use runtime::{Device as _, Error, FaultKind, NdRange, Run};
use source::SourceMap;
use source::render::{Colour, diagnostics_to_text};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Most local sizes of a kernel whose machine code is found without asking the program for it.
const MOST_PREPARED: usize = 16;

/// Machine code of a kernel for devices and local sizes that were used lately.
#[derive(Default)]
pub struct Prepared(Mutex<Recent>);

#[derive(Default)]
struct Recent {
    list: Vec<Entry>,
    /// What goes next when there are too many.
    oldest: usize,
}

struct Entry {
    /// Weak references keep the address from being used for another device.
    device: Weak<Device>,
    sizes: Sizes,
    code: Arc<dyn runtime::Kernel>,
}

/// What machine code depends on: the local size, and the size of the groups at the end.
type Sizes = [(u32, u32); 3];

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").finish_non_exhaustive()
    }
}

fn sizes(range: &NdRange) -> Sizes {
    std::array::from_fn(|d| {
        let rest = (range.global[d] % u64::from(range.local[d])) as u32;
        // Without whole groups the code for those is not needed; that is another set of parts.
        (if range.global[d] < range.local[d].into() { 0 } else { range.local[d] }, rest)
    })
}

impl Prepared {
    fn find(&self, device: &Arc<Device>, sizes: &Sizes) -> Option<Arc<dyn runtime::Kernel>> {
        let recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |e: &&Entry| e.sizes == *sizes && std::ptr::eq(e.device.as_ptr(), Arc::as_ptr(device));
        recent.list.iter().find(is_it).map(|e| Arc::clone(&e.code))
    }

    fn add(&self, entry: Entry) {
        let replaced = {
            let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if recent.list.len() < MOST_PREPARED {
                recent.list.push(entry);
                return;
            }
            let place = recent.oldest;
            recent.oldest = (place + 1) % MOST_PREPARED;
            std::mem::replace(&mut recent.list[place], entry)
        };
        drop(replaced);
    }
}

/// The local size where the user gives none: what the kernel requires, what it hints at, or a good one.
///
/// # Errors
/// `CL_INVALID_WORK_GROUP_SIZE`: what is required does not fit.
pub fn choose_local(kernel: &Kernel, work_dim: u32, global: [u64; 3], device: &Device) -> Result<[u32; 3]> {
    let info = &kernel.signature.info;
    let partial = kernel.executable.program.partial_groups();
    let divides = |local: [u32; 3]| (0..3).all(|d| global[d].is_multiple_of(local[d].max(1).into()));
    if let Some(required) = info.reqd_work_group_size {
        // "work_dim … if Z is one, 2 or 3; if Y and Z are one, 1, 2 or 3": else the range has too few dimensions.
        let fits = required[work_dim as usize..].iter().all(|&n| n == 1);
        return if fits && (partial || divides(required)) {
            Ok(required)
        } else {
            Err(Status::INVALID_WORK_GROUP_SIZE)
        };
    }
    if global.contains(&0) {
        return Ok([1; 3]);
    }
    let limits = device.host.target().launch_limits();
    let constraints = LocalSizeConstraints {
        required: None,
        hint: info.work_group_size_hint,
        most: limits.group_items.into(),
        sides: limits.group,
        partial_groups: partial,
        rows_in_y: info.rows_in_y,
        streams: info.streams,
    };
    Ok(launch::choose_local(global, &constraints))
}

/// A kernel that is about to be enqueued.
pub struct Launch {
    range: NdRange,
    code: Arc<dyn runtime::Kernel>,
    captured: Captured,
    program: Arc<Program>,
    device: Arc<Device>,
}

impl Launch {
    /// Makes machine code for the groups of a range, or finds it.
    ///
    /// # Errors
    /// What the range or the kernel is too large for; the context's maker gets it in words, too.
    pub fn new(kernel: &Kernel, captured: Captured, device: &Arc<Device>, range: NdRange) -> Result<Self> {
        let context = &kernel.program.context;
        let (code, new) = prepare(&captured, device, &range).map_err(|e| {
            context.notify(&format!("kernel `{}` was not enqueued: {e}", captured.signature.info.name));
            refusal(&e)
        })?;
        if new {
            kernel.program.explain_code(device, &captured.signature.info.name, range.local, code.prepared());
        }
        // "CL_OUT_OF_RESOURCES if there is a failure to queue the execution instance of kernel on the command-queue because
        // of insufficient resources needed to execute the kernel."
        let local = code.prepared().shared_bytes.saturating_add(kernel.local_argument_bytes());
        if local > LOCAL_MEMORY {
            let name = &captured.signature.info.name;
            context.notify(&format!(
                "kernel `{name}` was not enqueued: it uses {local} bytes of local memory, of which there are {LOCAL_MEMORY}"
            ));
            return Err(Status::OUT_OF_RESOURCES);
        }
        let (program, device) = (Arc::clone(&kernel.program), Arc::clone(device));
        Ok(Self { range, code, captured, program, device })
    }

    /// Runs it.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES`: the kernel stopped itself or was stopped, or there is no memory. The context's maker gets it
    /// in words.
    pub fn run(self) -> Result {
        if check::is_on()
            && let Some(done) = check::run(&self.captured, &self.program, &self.device, &self.range)
        {
            return done;
        }
        let run = Run { print: Some(&output::print), ..Run::default() };
        // SAFETY: what the kernel may access is up to the program, as everywhere in OpenCL; the memory objects among the
        // arguments are held.
        let done = unsafe { self.code.launch_range(&self.range, &self.captured.args(), &run) };
        done.map(|_| ()).map_err(|e| {
            let context = &self.program.context;
            match e {
                // Whoever made this would have seen the process end.
                Error::Fault { .. } | Error::Trap { .. } => {
                    let kernel = &self.captured.signature;
                    let e = self.program.locate(&self.device, kernel.symbol(), e);
                    context.notify_or_print(&text(&e, &kernel.info.name));
                }
                _ => context.notify(&format!("kernel `{}`: {e}", self.captured.signature.info.name)),
            }
            Status::OUT_OF_RESOURCES
        })
    }
}

/// What stopped a kernel, as the compiler's errors are written.
fn text(error: &Error, kernel: &str) -> String {
    let mut diagnostic = error.diagnostic();
    match error {
        Error::Fault { kind: FaultKind::Stack, .. } => {}
        Error::Trap { .. } => diagnostic = diagnostic.note(format!("kernel `{kernel}`")).help(CHECK),
        _ => diagnostic = diagnostic.help(CHECK),
    }
    let text = diagnostics_to_text(&SourceMap::default(), [&diagnostic], Colour::Never);
    text.trim_end().to_owned()
}

/// How programs find what their kernels do wrong.
const CHECK: &str = "run the program with `UNSPOOL_CHECK=1` to see the line, the buffer, the index and the work-item";

/// Machine code for the groups of a range, and whether it was made or read just now.
fn prepare(
    captured: &Captured,
    device: &Arc<Device>,
    range: &NdRange,
) -> std::result::Result<(Arc<dyn runtime::Kernel>, bool), Error> {
    range.check(device.host.target().launch_limits())?;
    let (prepared, sizes) = (&captured.signature.prepared, sizes(range));
    if let Some(code) = prepared.find(device, &sizes) {
        return Ok((code, false));
    }
    let program = &captured.executable.program;
    let code =
        device.host.prepare_range(program, captured.signature.symbol(), range, &mut source::Session::default())?;
    prepared.add(Entry { device: Arc::downgrade(device), sizes, code: Arc::clone(&code) });
    Ok((code, true))
}

/// The error code of what cannot be made ready.
fn refusal(error: &Error) -> Status {
    match error {
        Error::NotUniform { .. } | Error::GroupTooLarge { .. } | Error::LocalSize { .. } => {
            Status::INVALID_WORK_GROUP_SIZE
        }
        Error::Range(ShapeError::Offset) => Status::INVALID_GLOBAL_OFFSET,
        Error::NoKernel { .. } | Error::Object(_) => Status::INVALID_PROGRAM_EXECUTABLE,
        Error::Memory(_) => Status::OUT_OF_HOST_MEMORY,
        _ => Status::OUT_OF_RESOURCES,
    }
}
