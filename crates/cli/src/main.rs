//! The `unspool` command.
//!
//! Exit status: 0 on success, 1 if the source or an output has an error, 2 if the command line has one.

mod args;
mod commands;
mod normalise;
mod output;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
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
        Command::Compile(a) => commands::compile(&a),
        Command::Explain(a) => commands::explain(&a),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "unspool", &mut std::io::stdout());
            ExitCode::SUCCESS
        }
    }
}

/// An error on the command line.
fn usage(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "error: {message}");
    ExitCode::from(2)
}
