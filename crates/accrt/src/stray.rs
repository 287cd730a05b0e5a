//! Accesses of kernels that leave the device's memory, where that is this machine's with [guards](crate::guarded): the processor stops
//! them, and the program ends with the name of the array, how far beside it the access was, and the construct.

use crate::fatal::fatal;
use crate::guarded;
use crate::interface::Site;
use crate::table;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

thread_local! {
    /// The construct whose kernel this thread runs; null between kernels.
    static RUNNING: Cell<*const Site> = const { Cell::new(std::ptr::null()) };
}

/// What was there before, for faults that are none of ours: of SIGSEGV and of SIGBUS.
static BEFORE: OnceLock<[libc::sigaction; 2]> = OnceLock::new();

/// From now on this thread runs kernels of a construct, until [`done`].
pub(crate) fn running(site: &'static Site) {
    RUNNING.set(site);
}

/// The opposite of [`running`].
pub(crate) fn done() {
    RUNNING.set(std::ptr::null());
}

/// Looks out for faults from now on. The first allocation calls it, so that programs without memory apart keep their handlers.
pub(crate) fn watch() {
    BEFORE.get_or_init(|| {
        [libc::SIGSEGV, libc::SIGBUS].map(|signal| {
            // SAFETY: zeroed structures are valid, and filled before they are used; the handler has the signature of SA_SIGINFO.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                let mut before: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handler as extern "C" fn(c_int, *const libc::siginfo_t, *const c_void) as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&raw mut action.sa_mask);
                libc::sigaction(signal, &raw const action, &raw mut before);
                before
            }
        })
    });
}

extern "C" fn handler(signal: c_int, info: *const libc::siginfo_t, _context: *const c_void) {
    let site = RUNNING.get();
    if site.is_null() {
        // Somebody else's: as it would have been, when the instruction is tried again.
        let before = BEFORE.get().map(|b| b[usize::from(signal == libc::SIGBUS)]);
        // SAFETY: what the system gave, or zeros, which are the default action.
        unsafe {
            let action = before.unwrap_or_else(|| std::mem::zeroed());
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
        return;
    }
    // SAFETY: the system's record of the fault.
    let address = unsafe { (*info).si_addr() } as usize;
    // The thread was in a kernel's code, which holds no lock: what follows may take them, if nobody else has them for good.
    let what = match guarded::beside(address) {
        Some((start, bytes)) => {
            let (n, where_) = match address.checked_sub(start + bytes) {
                Some(n) => (n, "behind the last byte"),
                None => (start.saturating_sub(address), "before the first byte"),
            };
            let of = table::named(start).unwrap_or_else(|| format!("private or reduced data, size:{bytes}"));
            format!("{n} bytes {where_} of {of}")
        }
        None => format!("{address:#x}, which is no memory of the device: it was freed, or never allocated"),
    };
    let message = format!(
        "a kernel left the device's memory: {what}; compiled with -Mbounds the program names the subscript and its line"
    );
    // SAFETY: a constant of the program.
    fatal(Some(unsafe { &*site }), &message)
}
