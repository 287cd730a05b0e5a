//! What is removed when the command is stopped by a signal (`make` interrupted, a time limit): nothing else would remove it.
//!
//! No signal comes between the folder and who removes it: they wait while it is made, and while this process becomes another
//! program ([`hold`]), which begins without handlers and with signals that wait.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Whether a signal has come: the process ends.
static TOLD: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Has `folder` removed when the process is told to end; it ends by that signal then, as if nobody had caught it. Where signals
/// cannot be watched the folder stays. Signals wait no more.
pub(super) fn remove(folder: &Path) {
    let folder = folder.to_owned();
    // The thread has no signals of its own: who holds them back in the main thread holds back all.
    wait(true);
    if let Ok(mut signals) = Signals::new(SIGNALS) {
        for s in SIGNALS {
            // Without the flag a signal in the moment before this process becomes another program is lost.
            let _ = signal_hook::flag::register(s, Arc::clone(&TOLD));
        }
        std::thread::spawn(move || {
            for signal in signals.forever() {
                // Another process may be writing there: what it has made since goes with the second try.
                for _ in 0..2 {
                    let _ = std::fs::remove_dir_all(&folder);
                }
                wait(false);
                let _ = emulate_default_handler(signal);
            }
        });
    }
    wait(false);
}

/// Signals wait from now on, until somebody can be told of them ([`remove`]), or until they are let go. Does not return if one has come
/// already.
pub(super) fn hold() {
    wait(true);
    while TOLD.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// Signals need not wait any more.
pub(super) fn let_go() {
    wait(false);
}

/// Has the signals of this thread wait, or not. Threads that it starts have them as it has, and so has a program that it becomes.
#[cfg(unix)]
fn wait(blocked: bool) {
    let how = if blocked { libc::SIG_BLOCK } else { libc::SIG_UNBLOCK };
    let mut set = std::mem::MaybeUninit::uninit();
    // SAFETY: the set is emptied before it is used; the thread's mask is all that changes.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in SIGNALS {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        libc::pthread_sigmask(how, set.as_ptr(), std::ptr::null_mut());
    }
}

/// Processes stay what they are elsewhere.
#[cfg(not(unix))]
fn wait(_: bool) {}
