//! LLVM gives up: what it cannot do it says in an error that is not handed to its caller but ends the process.
//!
//! [`on_fatal`] has it told to somebody before. LLVM is not to be returned to then, nor may its frames be left by a panic: who wants
//! the process to go on keeps the thread for ever, with all that LLVM has made on it.

use std::ffi::{CStr, c_char};
use std::io::Write as _;
use std::sync::OnceLock;

use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;

/// Who is told.
static TOLD: OnceLock<fn(&str)> = OnceLock::new();

/// Has `tell` called, on the thread in question, with the first line of what LLVM says before it ends the process; where it
/// returns, the process ends. The first one to be given stays.
pub fn on_fatal(tell: fn(&str)) {
    TOLD.get_or_init(|| {
        // SAFETY: the function lasts as long as the process, and so does what it reads.
        unsafe { LLVMInstallFatalErrorHandler(Some(told)) };
        tell
    });
}

extern "C" fn told(reason: *const c_char) {
    // SAFETY: LLVM gives a C string, or nothing.
    let reason = if reason.is_null() { c"no reason given" } else { unsafe { CStr::from_ptr(reason) } };
    let text = reason.to_string_lossy();
    if let Some(tell) = TOLD.get() {
        tell(text.lines().next().unwrap_or_default());
    }
    // As LLVM itself, if there is nobody.
    let _ = writeln!(std::io::stderr(), "LLVM ERROR: {text}");
}

#[cfg(test)]
mod tests {
    use super::on_fatal;
    use inkwell::llvm_sys::target::LLVMCreateTargetData;
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    #[test]
    fn who_is_told_may_keep_the_thread_and_the_process_goes_on() {
        static SAID: Mutex<Option<String>> = Mutex::new(None);
        on_fatal(|reason| {
            *SAID.lock().unwrap() = Some(reason.to_owned());
            loop {
                std::thread::park();
            }
        });
        // SAFETY: a C string; LLVM does not accept it, and the thread ends there.
        std::thread::spawn(|| _ = unsafe { LLVMCreateTargetData(c"nonsense".as_ptr()) });
        let begun = Instant::now();
        while SAID.lock().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nobody was told");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(SAID.lock().unwrap().as_ref().is_some_and(|s| !s.is_empty()));
    }
}
