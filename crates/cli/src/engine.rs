//! What runs kernels: the interpreter, or the machine through a back end that this library does not know.

use crate::run::argument::Argument;
use ir::FuncId;
use launch::Launch;
use launch::kernels::KernelInfo;
use source::Diagnostic;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use unspool::{Compilation, Target};

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
    /// The optimisation level, 0 to 3.
    pub level: u8,
    /// Whether machine code may come from the user's cache, and go there.
    pub cache: bool,
}

/// What is known of a loaded kernel.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// What runs it.
    pub device: String,
    /// Threads.
    pub threads: usize,
    /// Work-items that share a vector.
    pub lanes: u32,
    /// Why there are not more of them.
    pub reason: Option<String>,
    /// How long each stage of making it took.
    pub stages: Vec<(&'static str, Duration)>,
    /// Whether its machine code was there already; `None` if nobody looked.
    pub cached: Option<bool>,
}

/// A kernel ready to be launched.
pub trait Loaded {
    /// What is known of it.
    fn facts(&self) -> &Facts;

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
    /// The launch failed or found a fault; buffers hold what they held then. Variables hold what the launch before left.
    fn launch(&mut self, arguments: &mut [Argument], done: &AtomicU64) -> Result<Duration, Box<Diagnostic>>;
}

/// Machine code to make of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachineCode {
    /// An object file.
    Object,
    /// Assembly text.
    Assembly,
    /// LLVM's IR as text.
    LlvmIr,
}

/// How to make machine code.
#[derive(Clone, Debug, Default)]
pub struct CodeOptions {
    /// Processor by LLVM's name; `None` for the one here.
    pub cpu: Option<String>,
    /// Work-items of a group; `None` for what each kernel requires or hints at.
    pub local: Option<[u32; 3]>,
    /// Work-items one after another.
    pub scalar: bool,
    /// The optimisation level, 0 to 3.
    pub level: u8,
    /// Source lines for debuggers.
    pub lines: bool,
}

/// A way from the IR to this machine's processors.
pub trait HostBackEnd {
    /// Makes a kernel ready.
    ///
    /// # Errors
    /// Something in it is not covered, or the machine lacks something.
    fn load<'a>(&self, job: Job<'a>) -> Result<Box<dyn Loaded + 'a>, Box<Diagnostic>>;

    /// Makes machine code of all kernels of a program.
    ///
    /// # Errors
    /// Something in it is not covered.
    fn code(
        &self,
        compilation: &mut Compilation,
        what: MachineCode,
        options: &CodeOptions,
    ) -> Result<Vec<u8>, Box<Diagnostic>>;
}

/// The program that is this command with a back end, beside this one.
fn sibling() -> Option<PathBuf> {
    let name = format!("unspool-host{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok()?.with_file_name(name);
    beside.is_file().then_some(beside)
}

/// Goes on as the sibling that has a back end, with the same arguments: does not return if that succeeds.
pub(crate) fn become_host() -> Box<Diagnostic> {
    let none = |why: String| {
        Box::new(
            Diagnostic::error("E0704", source::Span::NONE, why)
                .note("machine code is made by the program `unspool-host`, which must stand beside `unspool`")
                .help("build it with `cargo build --release -p unspool-cli` on a machine with LLVM 19 (Debian: llvm-19-dev libpolly-19-dev), or use `run --check`, which needs no LLVM"),
        )
    };
    let Some(program) = sibling() else { return none("this installation has no back end for the host".to_owned()) };
    let mut command = std::process::Command::new(&program);
    command.args(std::env::args_os().skip(1));
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
