//! What is removed when the command is stopped by a signal (`make` interrupted, a time limit): nothing else would remove it.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::path::Path;

/// Has `folder` removed when the process is told to end; it ends by that signal then, as if nobody had caught it. Where signals
/// cannot be watched the folder stays.
pub(super) fn remove(folder: &Path) {
    let folder = folder.to_owned();
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // Another process may be writing there: what it has made since goes with the second try.
            for _ in 0..2 {
                let _ = std::fs::remove_dir_all(&folder);
            }
            let _ = emulate_default_handler(signal);
        }
    });
}
