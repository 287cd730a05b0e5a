//! `UNSPOOL_CHECK`: every launch in the reference interpreter, which says what it does wrong, and the program goes on with
//! what the launch has computed.
//!
//! Programs are compiled without optimisation then, and keep their sources. The interpreter works on copies of the memory
//! objects, each an object of its own whose limits are checked; what it changes is copied back. Bytes of memory objects
//! that nobody has written are known ([`written`]).

mod launch;
mod report;
pub mod written;

pub use launch::run;

use std::ffi::OsString;
use std::sync::OnceLock;

/// The variable that asks for checks: `1` for reports on standard error, or the name of a file for them; `0` and nothing
/// for none.
const VARIABLE: &str = "UNSPOOL_CHECK";

/// Where reports go.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Destination {
    /// Standard error.
    Error,
    /// The end of this file.
    File(OsString),
}

/// Where reports go, if there are to be any. Read once.
fn destination() -> Option<&'static Destination> {
    static DESTINATION: OnceLock<Option<Destination>> = OnceLock::new();
    let read = || match std::env::var_os(VARIABLE)? {
        off if off.is_empty() || off == "0" => None,
        on if on == "1" => Some(Destination::Error),
        file => Some(Destination::File(file)),
    };
    DESTINATION.get_or_init(read).as_ref()
}

/// Whether launches are checked.
pub fn is_on() -> bool {
    destination().is_some()
}
