//! `unspool cc`: C programs with accelerator directives.
//!
//! The host's C compiler preprocesses, compiles what stands outside of regions and links; regions become kernels here. Options
//! that are not about directives go to it as they are.

mod arithmetic;
mod compat;
mod compile;
mod dependencies;
mod explain;
mod folder;
mod foreign;
mod gpu;
mod host_run;
mod in_source;
mod joined;
mod late;
mod layouts;
mod managed;
mod options;
mod pgi;
mod preprocess;
mod records;
mod stopped;
mod workshop;

pub(crate) use explain::{explain, is_for_c};

use crate::engine::{become_host, is_there};
use compile::Driver;
use options::{Options, Step};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use unspool::Backend;

/// Runs the command with the words behind `cc`.
pub(crate) fn cc(words: Vec<OsString>, backends: &[&'static dyn Backend]) -> ExitCode {
    let options = match Options::parse(words) {
        Ok(o) => o,
        Err(e) => return crate::usage(&e),
    };
    if options.help {
        let _ = std::io::stdout().write_all(options.helped().as_bytes());
        return ExitCode::SUCCESS;
    }
    let makes_code = options.directives && options.step != Step::Preprocess && options.has_sources();
    if makes_code && backends.is_empty() {
        // As the program starts, the preprocessor works. Its folder is this run's until then, and removed if there is no such program.
        let driver = is_there().then(|| Driver::new(&options, backends).ok()).flatten();
        let early = driver.as_ref().and_then(Driver::start_early);
        let _kept = driver.filter(|_| early.is_some());
        stopped::hold();
        let d = become_host(unspool::Target::host(), early);
        stopped::let_go();
        crate::commands::complain(&d.message);
        return ExitCode::FAILURE;
    }
    match Driver::new(&options, backends).and_then(|mut d| d.run()) {
        Ok(code) => code,
        Err(e) => {
            crate::commands::complain(&e);
            ExitCode::FAILURE
        }
    }
}
