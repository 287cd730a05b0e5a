//! Threads of the driver.

use fenv::{Environment, Subnormals};
use std::io;
use std::thread::{Builder, JoinHandle};

/// Starts a thread. Its floating-point environment is the default, not the one that the starting thread has and that the
/// system would hand on: it may be a caller's.
///
/// # Errors
/// The system has no more threads.
pub(super) fn start<T: Send + 'static>(
    name: &str,
    f: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.to_owned()).spawn(move || {
        let _environment = Environment::enter(Subnormals::Keep);
        f()
    })
}
