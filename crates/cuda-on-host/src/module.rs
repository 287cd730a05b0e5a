//! PTX as machine code of this machine, and launches of its kernels.

use crate::{LAUNCH_FAILED, Status, log};
use ir::{Module as Ir, Param};
use runtime::{Arg, Device, HostDevice, HostOptions, Program, Run, Shape};
use source::Session;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

/// A module that was loaded.
pub(crate) struct Module {
    program: Arc<Program>,
    session: Arc<Mutex<Session>>,
}

/// A kernel.
#[derive(Clone)]
pub(crate) struct Function {
    program: Arc<Program>,
    session: Arc<Mutex<Session>>,
    name: String,
    /// Where each parameter lies in the arguments.
    places: Vec<(Kind, usize, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Value,
    Pointer,
}

fn device() -> Option<&'static HostDevice> {
    static DEVICE: OnceLock<Option<HostDevice>> = OnceLock::new();
    DEVICE.get_or_init(|| HostDevice::new(HostOptions::default()).ok()).as_ref()
}

impl Module {
    /// Loads PTX; the error is the first of the compiler's.
    pub(crate) fn load(text: &str) -> Result<Self, String> {
        let mut options = Options::host(Dialect::CUDA);
        options.no_warnings = true;
        options.math.fmad = Some(false);
        let mut made = compile(&Input::text("module.ptx", text), &options, &Emit::Nothing);
        if !made.succeeded() {
            let first = made.session.diagnostics.iter().find(|d| d.severity == source::Severity::Error);
            return Err(first.map_or_else(|| "it does not compile".to_owned(), |d| d.message.clone()));
        }
        let program = Program::new(std::mem::take(&mut made.module), Dialect::CUDA);
        Ok(Self { program: Arc::new(program), session: Arc::new(Mutex::new(made.session)) })
    }

    /// Where a variable of it lies, and its bytes.
    pub(crate) fn variable(&self, name: &str) -> Option<(usize, usize)> {
        let found = device()?.variable(&self.program, name).ok()?;
        Some((usize::try_from(found.address.0).ok()?, usize::try_from(found.bytes).ok()?))
    }

    /// A kernel of it.
    pub(crate) fn function(&self, name: &str) -> Option<Function> {
        let module: &Ir = self.program.module().ok()?;
        let f = module.functions.values().find(|f| f.name == name)?;
        let mut at = 0;
        let place = |p: &Param| {
            let pointer = p.ty.is_ptr();
            let (size, align) = match p.attrs.byval {
                Some(bytes) => (bytes as usize, p.attrs.align.max(1) as usize),
                None => (p.ty.bytes() as usize, p.ty.bytes() as usize),
            };
            at = usize::next_multiple_of(at, align.max(1));
            let here = (if pointer && p.attrs.byval.is_none() { Kind::Pointer } else { Kind::Value }, at, size);
            at += size;
            here
        };
        let places = f.params.iter().map(place).collect();
        Some(Function {
            program: Arc::clone(&self.program),
            session: Arc::clone(&self.session),
            name: name.to_owned(),
            places,
        })
    }
}

impl Function {
    /// Bytes of its arguments.
    pub(crate) fn bytes(&self) -> usize {
        self.places.last().map_or(0, |(_, at, size)| at + size)
    }

    /// Runs it, with so many bytes of shared memory beyond its own.
    pub(crate) fn launch(&self, grid: [u32; 3], block: [u32; 3], shared: u32, args: &[u8]) -> Status {
        match self.try_launch(grid, block, shared, args) {
            Ok(()) => 0,
            Err(e) => {
                log(&format!("launch of {} failed: {e}", self.name));
                LAUNCH_FAILED
            }
        }
    }

    fn try_launch(&self, grid: [u32; 3], block: [u32; 3], shared: u32, args: &[u8]) -> Result<(), String> {
        let device = device().ok_or("there is no device")?;
        let kernel = {
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            device.prepare(&self.program, &self.name, block, &mut session).map_err(|e| e.to_string())?
        };
        let arguments: Vec<Arg<'_>> = self
            .places
            .iter()
            .map(|&(kind, at, size)| {
                let bytes = &args[at..at + size];
                match (kind, <[u8; 8]>::try_from(bytes)) {
                    (Kind::Pointer, Ok(address)) => Arg::Pointer(usize::from_le_bytes(address) as *mut u8),
                    _ => Arg::Value(bytes),
                }
            })
            .collect();
        let shape =
            Shape { work_dim: 3, groups: grid, local: block, offset: [0; 3], dynamic_shared: u64::from(shared) };
        // SAFETY: what the program passes is what it would pass to a GPU.
        unsafe { kernel.launch(&shape, &arguments, &Run::default()) }.map_err(|e| e.to_string())?;
        Ok(())
    }
}
