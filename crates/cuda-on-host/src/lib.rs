//! A stand-in for CUDA's driver, for tests on machines without a GPU: the functions of `cuda.h` that the run-time library of
//! accelerator directives calls, with this machine as the GPU.
//!
//! PTX is read by [`unspool`]'s reader and becomes machine code, so that what is launched is what was made for a GPU. What is put
//! into a stream is done as late as the interface allows: when somebody waits for it. So a program that forgets to wait has
//! wrong results here, too. Memory is that of [`memory`]: guarded, and filled with a pattern.
//!
//! `CUDA_ON_HOST_DEVICES` says how many GPUs there are (1), `CUDA_ON_HOST_LOG` names a file to which each call adds a line.

#![cfg(feature = "llvm")]

pub mod api;
mod memory;
mod module;
mod stream;

use std::io::Write;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// `CUresult`
pub type Status = i32;
const SUCCESS: Status = 0;
const INVALID_VALUE: Status = 1;
const OUT_OF_MEMORY: Status = 2;
const NO_DEVICE: Status = 100;
const INVALID_PTX: Status = 218;
const NOT_FOUND: Status = 500;
const NOT_READY: Status = 600;
const OUT_OF_RESOURCES: Status = 701;
const LAUNCH_FAILED: Status = 719;

/// All there is.
#[derive(Default)]
struct World {
    streams: stream::Streams,
    modules: Vec<module::Module>,
    functions: Vec<module::Function>,
    /// What a launch has failed with; all that is asked from then on says so.
    failed: Status,
}

fn world() -> MutexGuard<'static, World> {
    static WORLD: OnceLock<Mutex<World>> = OnceLock::new();
    WORLD.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a line to the log, if there is one.
fn log(line: &str) {
    static FILE: OnceLock<Option<Mutex<std::fs::File>>> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let name = std::env::var_os("CUDA_ON_HOST_LOG").filter(|n| !n.is_empty())?;
        std::fs::OpenOptions::new().create(true).append(true).open(name).ok().map(Mutex::new)
    });
    if let Some(file) = file {
        let _ = writeln!(file.lock().unwrap_or_else(PoisonError::into_inner), "{line}");
    }
}
