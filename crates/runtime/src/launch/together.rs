//! Launches whose groups wait for other groups: by locks, flags of predecessors, barriers of the whole grid.
//!
//! Such a kernel ends where the groups that are waited for run beside those that wait. So helpers are called before the first
//! group begins, and groups are taken one at a time, in order: who waits for earlier ones only has them running or ended
//! already. If for [`PATIENCE`] nobody takes a group though some are left, all threads may be waiting for these: then
//! there are twice as many threads, and so on, up to [`MOST`]; the system lets all of them get on.

use super::{Launch, Worker};
use crate::pool::{STACK, Slot, Work};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// How long threads may be at their groups before they are suspected to wait for those that nobody runs.
const PATIENCE: Duration = Duration::from_millis(10);

/// Most threads that are added to the pool's for one launch.
const MOST: usize = 1024;

/// Tells the thread that watches when the launch has ended.
#[derive(Default)]
struct End {
    ended: Mutex<bool>,
    tell: Condvar,
}

/// Tells it when it is dropped, however the launch ends.
struct Teller<'a>(&'a End);

impl Drop for Teller<'_> {
    fn drop(&mut self) {
        *self.0.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.tell.notify_all();
    }
}

impl End {
    /// Waits for so long at most; whether the launch has ended.
    fn within(&self, time: Duration) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        *self.tell.wait_timeout_while(ended, time, |ended| !*ended).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Launch<'_> {
    /// Runs groups on the caller's thread until none is left, with so many helpers and as many more threads as it takes.
    pub(super) fn lead_together(&self, worker: &mut Worker<'_, '_>, slot: &Slot<'_>, helpers: usize) {
        let pool = self.plan.pool;
        let _open = (helpers > 0).then(|| pool.open(slot, helpers));
        let mut work = || {
            while let Some(run) = self.groups.take(0) {
                worker.run(run);
            }
        };
        // With a thread for each group, nobody is needed who watches; unless they are at something else.
        let suffices = self.total <= helpers as u64 + 1 && pool.active() <= 1;
        if suffices {
            return work();
        }
        let end = End::default();
        std::thread::scope(|scope| {
            // Without a thread that watches, the launch does what it can.
            let _ = Builder::new().spawn_scoped(scope, || self.watch(scope, &end));
            // When nothing is left to take, nobody waits for what nobody has begun.
            let _teller = Teller(&end);
            work();
        });
    }

    /// Adds threads as long as groups are left and nobody comes to take them.
    fn watch<'s>(&'s self, scope: &'s Scope<'s, '_>, end: &End) {
        let (mut added, mut seen) = (0, self.groups.taken());
        while !end.within(PATIENCE) {
            let now = self.groups.taken();
            if std::mem::replace(&mut seen, now) != now || !self.groups.is_left() {
                continue;
            }
            let more = (added + self.plan.pool.threads()).min(MOST - added);
            for number in added + 1..=added + more {
                let builder = Builder::new().name("unspool waits".to_owned()).stack_size(STACK);
                if builder.spawn_scoped(scope, move || self.help(number, &|| false)).is_err() {
                    return;
                }
            }
            added += more;
        }
    }
}
