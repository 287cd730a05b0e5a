//! A sign of life on terminals: what takes longer than a second says so.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often what is shown changes.
const TICK: Duration = Duration::from_millis(100);

/// Does the work. Where standard error is a terminal, work of more than a second shows `what` and the time it takes; the
/// line is gone when the work is done.
pub(crate) fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    during_on(std::io::stderr().is_terminal(), what, work)
}

fn during_on<T>(terminal: bool, what: &str, work: impl FnOnce() -> T) -> T {
    if !terminal {
        return work();
    }
    let (done, wait) = channel::<()>();
    std::thread::scope(|s| {
        s.spawn(move || {
            // The work is done where nobody sends any more.
            if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.set_elapsed(PATIENCE);
            bar.set_message(what.to_owned());
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::during_on;

    #[test]
    fn work_is_done_with_and_without_a_terminal() {
        assert_eq!(during_on(false, "compiling", || 7), 7);
        let start = std::time::Instant::now();
        assert_eq!(during_on(true, "compiling", || 7), 7);
        assert!(start.elapsed() < std::time::Duration::from_secs(1), "short work waits for nobody");
    }
}
