//! What runs kernels and makes machine code: the interpreter, and what this library does not know.

use crate::run::argument::Argument;
use ir::FuncId;
use launch::kernels::KernelInfo;
use launch::{Launch, Prepared};
use source::Diagnostic;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use unspool::explain::Assembly;
use unspool::{Artefact, Backend, Compilation, OptLevel, Target};

/// A kernel to run.
#[derive(Debug)]
pub struct Job<'a> {
    /// The program, compiled; its session takes what is found out later.
    pub compilation: &'a mut Compilation,
    /// The kernel in [`Compilation::module`].
    pub function: FuncId,
    /// The kernel as its callers see it.
    pub kernel: &'a KernelInfo,
    /// What it was compiled for.
    pub target: Target,
    /// What it was written in.
    pub dialect: unspool::Dialect,
    /// The launch.
    pub shape: Launch,
    /// How.
    pub options: RunOptions,
}

/// How to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// Threads; `None` for the machine's.
    pub threads: Option<usize>,
    /// Work-items one after another.
    pub scalar: bool,
    /// 32-bit lanes of a vector; `None` for the machine's.
    pub lanes: Option<u32>,
    /// How hard the compiler works.
    pub level: OptLevel,
    /// Whether machine code may come from the user's cache, and go there.
    pub cache: bool,
}

/// What runs a kernel, and what is known of it.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// The device.
    pub device: String,
    /// Its threads.
    pub threads: usize,
    /// The kernel.
    pub kernel: Prepared,
}

/// A kernel ready to be launched.
pub trait Loaded {
    /// Where it runs, and what is known of it.
    fn placement(&self) -> &Placement;

    /// Gives the variable with this symbol these contents.
    ///
    /// # Errors
    /// The program has no such variable, or it has another size.
    fn set_symbol(&mut self, symbol: &str, bytes: &[u8]) -> Result<(), Box<Diagnostic>>;

    /// What the variable with this symbol holds.
    ///
    /// # Errors
    /// As [`Loaded::set_symbol`].
    fn symbol(&mut self, symbol: &str, bytes: &mut [u8]) -> Result<(), Box<Diagnostic>>;

    /// Launches it. `done` counts the work-groups that have ended. What the kernel prints goes to standard output.
    ///
    /// # Errors
    /// The launch failed or found faults; buffers hold what they held then. Variables hold what the launch before left.
    fn launch(&mut self, arguments: &mut [Argument], done: &AtomicU64) -> Result<Duration, Faults>;
}

/// Why a launch failed: one thing, or all that a check has found.
#[derive(Debug)]
pub struct Faults(pub Vec<Diagnostic>);

impl From<Box<Diagnostic>> for Faults {
    fn from(d: Box<Diagnostic>) -> Self {
        Self(vec![*d])
    }
}

/// A device that kernels run on.
pub trait Engine {
    /// Makes a kernel ready.
    ///
    /// # Errors
    /// Something in it is not covered, or the machine lacks something.
    fn load<'a>(&self, job: Job<'a>) -> Result<Box<dyn Loaded + 'a>, Box<Diagnostic>>;
}

/// What a program has that needs libraries which not every program has.
#[derive(Clone, Copy, Default)]
pub struct Equipment<'a> {
    /// What runs kernels, besides the interpreter.
    pub engine: Option<&'a dyn Engine>,
    /// What makes code, besides the back ends of the library.
    pub backends: &'a [&'static dyn Backend],
    /// Reads in an object for a GPU what the kernel with a symbol needs.
    pub registers: Option<fn(&Artefact, &str) -> Option<Assembly>>,
}

/// The program that is this command with a back end, beside this one.
fn sibling() -> Option<PathBuf> {
    let name = format!("unspool-host{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok()?.with_file_name(name);
    beside.is_file().then_some(beside)
}

/// Whether there is a sibling that has a back end.
pub(crate) fn is_there() -> bool {
    sibling().is_some()
}

/// Goes on as the sibling that has a back end, if there is one; without it what was asked for can be done, too.
pub(crate) fn become_host_if_there(target: Target) {
    if is_there() {
        become_host(target, None);
    }
}

/// Goes on as the sibling that has a back end for a target, with the same arguments, and with a variable of the environment that
/// tells it something: does not return if that succeeds.
pub(crate) fn become_host(target: Target, told: Option<(&str, OsString)>) -> Box<Diagnostic> {
    let none = |why: String| {
        Box::new(
            Diagnostic::error("E0704", source::Span::NONE, why)
                .note("machine code is made by the program `unspool-host`, which must stand beside `unspool`")
                .help("build it with `cargo build --release -p unspool-cli` on a machine with LLVM 19 (Debian: llvm-19-dev libpolly-19-dev), or use `run --check`, which needs no LLVM"),
        )
    };
    let Some(program) = sibling() else { return none(format!("this installation has no back end for `{target}`")) };
    let mut command = std::process::Command::new(&program);
    command.args(std::env::args_os().skip(1)).envs(told);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let e = command.exec();
        none(format!("cannot start `{}`: {e}", program.display()))
    }
    #[cfg(not(unix))]
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(e) => none(format!("cannot start `{}`: {e}", program.display())),
    }
}
