//! Faults that `runtime` does not make an error of the launch: on systems where it cannot, and of this program's own code,
//! whose memory a kernel's stray store may have damaged. They end the process, as they would end any program; this says
//! what happened, and what to do, before they do.

use std::sync::OnceLock;

/// What to print; made beforehand, since little is allowed in a signal handler.
static MESSAGE: OnceLock<String> = OnceLock::new();

/// The code of a fault.
const FAULT: source::Code = "E0716";

/// From now on, faults of the processor are taken to be this kernel's.
pub(crate) fn explain_faults(kernel: &str) {
    let text = format!(
        "error[{FAULT}]: kernel `{kernel}` accessed memory outside of its buffers, and the processor stopped it\n  \
         = help: run with `--check` to see the line, the buffer, the index and the work-item\n"
    );
    // A process runs one kernel.
    if MESSAGE.set(text).is_ok() {
        #[cfg(unix)]
        install();
    }
}

#[cfg(unix)]
fn install() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
        // SAFETY: the structure is zeroed, which is valid for it, and then filled; the handler only calls functions
        // that are allowed in one (write, _exit).
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

#[cfg(unix)]
extern "C" fn handler(_signal: libc::c_int) {
    if let Some(text) = MESSAGE.get() {
        // SAFETY: the text is there and does not change; `write` and `_exit` are safe in a signal handler.
        unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
    }
    // SAFETY: as above. Nothing has been written to files yet, so there is nothing to clean up.
    unsafe { libc::_exit(1) };
}
