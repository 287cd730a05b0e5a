//! The end of programs that cannot go on.

use crate::interface::Site;
use std::ffi::CStr;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// [`fatal`] was called.
static ENDS: AtomicBool = AtomicBool::new(false);

/// Whether the program ends by [`fatal`]: what is in queues may be where it comes from, and is not waited for.
pub(crate) fn is_ending() -> bool {
    ENDS.load(Ordering::Relaxed)
}

/// Ends the program with a message and the place.
pub(crate) fn fatal(site: Option<&Site>, message: &str) -> ! {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "FATAL ERROR: {message}");
    if let Some(s) = site {
        let _ = writeln!(err, " file:{} {} line:{}", text(s.file), text(s.function), s.line);
    }
    drop(err);
    ENDS.store(true, Ordering::Relaxed);
    // SAFETY: ends the process; output of the program's own streams is flushed as `exit` does.
    unsafe { libc::exit(1) }
}

/// A C string of the program's.
pub(crate) fn text(p: *const std::ffi::c_char) -> String {
    if p.is_null() {
        return String::new();
    }
    // SAFETY: the interface says that it ends in NUL.
    unsafe { CStr::from_ptr(p) }.to_string_lossy().into_owned()
}
