//! The `unspool` command.
//!
//! Two programs are made of this library. `unspool` knows no LLVM, so that it starts in no time; where machine code is
//! needed it becomes `unspool-host`, its sibling, which is the same command with more [`engine::Equipment`].
//!
//! Exit status: 0 on success, 1 if the source, an argument of a kernel, its execution or an output fails, 2 if the
//! command line is wrong.

mod args;
mod cc;
mod commands;
mod compile;
pub mod engine;
mod explain;
mod gpu;
mod normalise;
mod nvcc;
mod opencl;
mod output;
mod progress;
mod remarks;
pub mod run;
mod warnings;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use engine::Equipment;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command of this process's arguments.
///
/// `equipment` runs kernels and makes machine code, where this program can.
pub fn main(equipment: Equipment<'_>) -> ExitCode {
    // Its words are those of C compilers.
    let mut raw = std::env::args_os().skip(1);
    let first = raw.next();
    if first.as_ref().is_some_and(|w| w == "cc") {
        return cc::cc(raw.collect(), equipment.backends);
    }
    let rest: Vec<std::ffi::OsString> = raw.collect();
    if first.is_some_and(|w| w == "explain") && cc::is_for_c(&rest) {
        return cc::explain(rest, equipment.backends);
    }
    let words = match normalise::normalise(std::env::args_os().collect()) {
        Ok(words) => words,
        Err(e) => return usage(&e),
    };
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(e) => {
            // A broken pipe while printing help is nobody's concern.
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() { 2 } else { 0 });
        }
    };
    match cli.command {
        Command::Compile(a) => compile::compile(&a, equipment.backends),
        Command::Explain(a) => explain::explain(&a, equipment),
        Command::Run(a) => run::run(&a, equipment.engine),
        Command::Cc { words } => cc::cc(words, equipment.backends),
        Command::OpenCl(c) => opencl::opencl(&c),
        Command::Man { folder } => man(&folder),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "unspool", &mut std::io::stdout());
            ExitCode::SUCCESS
        }
    }
}

/// Writes `unspool.1`, `unspool-compile.1`, … into a folder.
fn man(folder: &std::path::Path) -> ExitCode {
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "error: {}: {e}", folder.display());
            ExitCode::FAILURE
        }
    }
}

/// An error on the command line.
fn usage(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "error: {message}");
    ExitCode::from(2)
}
