//! Source programs compute on this machine what they compute in the interpreter: every kernel of [`filetests::corpus`]
//! as machine code, its work-items one after another and in the lanes of vectors, with code for the local size and for any
//! (that in vectors only), at -O0 and at -O3.

use filetests::corpus::{self, File, Kernel, SENTINEL, Variant};
use libtest_mimic::{Arguments, Failed, Trial};
use runtime::{Arg, Device, Error, HostDevice, HostOptions, Program, Run, Shape, Specialise};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use unspool::{Compilation, OptLevel, Target};

/// Faults that only the interpreter finds: on the host such a kernel computes anything.
const FOUND_BY_THE_INTERPRETER: &[&str] = &["data race", "barrier reached by"];

fn main() {
    let trials = corpus::files().into_iter().flat_map(trials_of).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// One trial a level and way to run all kernels of the file.
fn trials_of(file: Arc<File>) -> impl Iterator<Item = Trial> {
    let levels = [OptLevel::O0, OptLevel::O3].into_iter();
    levels.flat_map(|level| How::ALL.map(|how| (level, how))).map(move |(level, how)| {
        let name = format!("{} {level:?} {how}", file.name);
        let file = Arc::clone(&file);
        Trial::test(name, move || all_kernels(&file, level, how).map_err(Failed::from))
    })
}

fn all_kernels(file: &File, level: OptLevel, how: How) -> Result<(), String> {
    let ready = Ready::new(file, level)?;
    let wrong: String =
        file.asked().filter_map(|k| check(file, k, &ready, how).err().map(|e| format!("`{}`:\n{e}", k.name))).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// A compiled file.
struct Ready {
    program: Program,
    /// What became of the rest of the compilation; its session takes what the vectoriser finds.
    rest: Mutex<Compilation>,
}

impl Ready {
    fn new(file: &File, level: OptLevel) -> Result<Self, String> {
        let mut c = file.compile(Variant { target: Some(Target::host()), level, known: false })?;
        let program = Program::new(std::mem::take(&mut c.module), file.options.dialect);
        Ok(Self { program, rest: Mutex::new(c) })
    }
}

/// A way to run kernels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// Work-items one after another.
    Scalar,
    /// In vectors.
    Vector,
    /// In vectors, with code for any local size.
    AnySize,
}

impl How {
    const ALL: [Self; 3] = [Self::Scalar, Self::Vector, Self::AnySize];

    /// The device that runs them in this way.
    fn device(self) -> Result<&'static HostDevice, String> {
        static DEVICES: [OnceLock<Result<HostDevice, Error>>; 3] = [const { OnceLock::new() }; 3];
        let specialise = Some(if self == Self::AnySize { Specialise::Never } else { Specialise::Always });
        let scalar = self == Self::Scalar;
        let options = HostOptions { threads: Some(2), specialise, scalar, ..HostOptions::default() };
        let made = DEVICES[self as usize].get_or_init(|| HostDevice::new(options));
        made.as_ref().map_err(ToString::to_string)
    }
}

impl std::fmt::Display for How {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Scalar => "scalar",
            Self::Vector => "vector",
            Self::AnySize => "any size",
        })
    }
}

fn check(file: &File, kernel: &Kernel, ready: &Ready, how: How) -> Result<(), String> {
    if kernel.trap.as_ref().is_some_and(|t| FOUND_BY_THE_INTERPRETER.contains(&t.as_str())) {
        return Ok(());
    }
    run(file, kernel, ready, how)
}

fn run(file: &File, kernel: &Kernel, ready: &Ready, how: How) -> Result<(), String> {
    let config = &kernel.config;
    let loaded = {
        let mut rest = ready.rest.lock().unwrap_or_else(PoisonError::into_inner);
        let device = how.device()?;
        device.prepare(&ready.program, &kernel.name, config.block, &mut rest.session)
    };
    let loaded = loaded.map_err(|e| format!("  the host refuses: {e}\n"))?;
    let shape = Shape {
        work_dim: config.work_dim,
        groups: config.grid,
        local: config.block,
        offset: config.offset,
        dynamic_shared: config.dynamic_shared,
    };
    let mut out = vec![SENTINEL; kernel.result_bytes()];
    let count = (kernel.expected.len() as u32).to_le_bytes();
    let args = [Arg::Pointer(out.as_mut_ptr()), Arg::Value(&[0; 4]), Arg::Value(&count)];
    let printed = Mutex::new(Vec::new());
    let print = |text: &[u8]| printed.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(text);
    // SAFETY: the kernels of the corpus store as many results as they say, which the interpreter has seen.
    let ran = unsafe { loaded.launch(&shape, &args, &Run { done: None, print: Some(&print) }) };
    match (&ran, &kernel.trap) {
        (Err(Error::Trap { .. }), Some(_)) | (Ok(_), None) => {}
        (Err(e), _) => return Err(format!("  {e}\n")),
        (Ok(_), Some(wanted)) => return Err(format!("  no trap `{wanted}`\n")),
    }
    let printed = printed.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut differences = kernel.printed(&printed).unwrap_or_default();
    if ran.is_ok() {
        differences.push_str(&file.compare(kernel, &out, |_| false));
    }
    if differences.is_empty() { Ok(()) } else { Err(differences) }
}
