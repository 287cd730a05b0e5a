//! What is removed when the command is stopped by a signal (`make` interrupted, a time limit): nothing else would remove it.
//!
//! No signal comes between the folder and who removes it: they wait while it is made, and while this process becomes another
//! program ([`hold`]), which begins without handlers and with signals that wait.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// How often a folder's removal is tried.
const TRIES: usize = 20;

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
                remove_now(&folder);
                wait(false);
                let _ = emulate_default_handler(signal);
            }
        });
    }
    wait(false);
}

/// Removes a folder in which this process, and others, may be making files. Under another name first, under which nobody makes any more:
/// a file made between the look into the folder and its removal kept it.
fn remove_now(folder: &Path) {
    let mut gone = folder.as_os_str().to_owned();
    gone.push(".gone");
    let gone = Path::new(&gone);
    let is_renamed = std::fs::rename(folder, gone).is_ok();
    // Who had found the folder before it was renamed may make a file yet.
    for _ in 0..TRIES {
        if std::fs::remove_dir_all(if is_renamed { gone } else { folder })
            .map_or_else(|e| e.kind() == ErrorKind::NotFound, |()| true)
        {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
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

#[cfg(test)]
mod tests {
    use super::remove_now;

    /// A file made between the look into the folder and its removal kept the folder.
    #[test]
    fn a_folder_in_which_files_are_being_made_goes() {
        let place = tempfile::tempdir().expect("a folder");
        for n in 0..50 {
            let folder = place.path().join(format!("f{n}"));
            std::fs::create_dir(&folder).expect("a folder");
            std::thread::scope(|s| {
                s.spawn(|| (0..3000).take_while(|k| std::fs::write(folder.join(format!("{k}")), "").is_ok()).count());
                while std::fs::read_dir(&folder).expect("the folder").next().is_none() {
                    std::hint::spin_loop();
                }
                remove_now(&folder);
            });
            assert_eq!(std::fs::read_dir(place.path()).expect("the folder").count(), 0, "run {n}");
        }
    }
}
