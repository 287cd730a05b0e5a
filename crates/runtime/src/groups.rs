//! Which thread takes which groups of a launch.
//!
//! As long as the caller is alone it takes one run after another. When helpers are called, what is left is
//! [divided](Groups::divide) into one share for each thread, and each takes runs from the front of its own: the longer the
//! more are left, so that long runs cost little and short ones at the end let all threads end together. Whose share is
//! empty takes from the others'. A kernel that is launched again finds the memory of most groups in the caches of the
//! processor that had them before.
//!
//! # What groups may count on
//!
//! Groups of kernels that are known to [wait](Groups::in_order) for each other are taken one at a time, in order. Elsewhere, too,
//! a group that waits for groups before it ends: shares are taken from the front only, and who has none left takes from
//! the first share that has something. So among the groups that have not ended the first is either running or the next
//! one of a share that somebody comes to, who has no earlier group to wait for.
//!
//! If groups fail, the first of them in their order is found however many threads there are: from
//! [`Groups::stop_at`] on those behind the one that failed are not taken, and those before it are.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Parts of what is left of a share that are taken at a time.
const PARTS: u64 = 8;

/// Most groups that a thread takes at a time, so that progress is seen and traps stop a launch.
pub(crate) const MAX_RUN: u64 = 1 << 12;

/// Consecutive groups. Shares of different threads lie in different lines of the cache.
#[repr(align(128))]
struct Share {
    next: AtomicU64,
    end: u64,
}

impl Share {
    /// The next run of at most so many groups, or of a part of those before `end`.
    fn take(&self, end: u64, length: Option<u64>) -> Option<Range<u64>> {
        let end = self.end.min(end);
        let mut start = self.next.load(Ordering::Relaxed);
        loop {
            let left = end.checked_sub(start).filter(|&l| l > 0)?;
            let run = length.map_or_else(|| (left / PARTS).clamp(1, MAX_RUN), |n| n.min(left));
            match self.next.compare_exchange_weak(start, start + run, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(start..start + run),
                Err(now) => start = now,
            }
        }
    }
}

/// The groups of a launch.
pub(crate) struct Groups {
    /// All of them, from which the caller takes until they are divided.
    all: Share,
    shares: OnceLock<Box<[Share]>>,
    /// Nobody takes a group while an earlier one is left, or more than one.
    in_order: bool,
    /// From this group on none is taken any more.
    stop: AtomicU64,
}

impl Groups {
    pub(crate) fn new(total: u64) -> Self {
        let all = Share { next: AtomicU64::new(0), end: total };
        Self { all, shares: OnceLock::new(), in_order: false, stop: AtomicU64::new(u64::MAX) }
    }

    /// Groups that may wait for each other: each thread that has come has one at a time, the first that is left.
    pub(crate) fn in_order(total: u64) -> Self {
        Self { in_order: true, ..Self::new(total) }
    }

    /// How many have been taken of groups in order.
    pub(crate) fn taken(&self) -> u64 {
        self.all.next.load(Ordering::Relaxed)
    }

    /// Divides what nobody has taken among so many threads. Before helpers are called, by who calls them; once.
    pub(crate) fn divide(&self, threads: usize) {
        let first = self.all.next.load(Ordering::Relaxed);
        let left = u128::from(self.all.end.saturating_sub(first));
        let cut = |n: usize| first + (left * n as u128 / threads as u128) as u64;
        let share = |n| Share { next: AtomicU64::new(cut(n)), end: cut(n + 1) };
        let new = self.shares.set((0..threads).map(share).collect());
        debug_assert!(new.is_ok(), "groups are divided once");
    }

    /// The caller's next run of this length, before the groups are divided.
    pub(crate) fn take_alone(&self, length: u64) -> Option<Range<u64>> {
        self.all.take(self.stop.load(Ordering::Relaxed), Some(length))
    }

    /// The next run for a thread; the caller is 0, helpers count from 1. None when all are taken.
    pub(crate) fn take(&self, thread: usize) -> Option<Range<u64>> {
        let stop = self.stop.load(Ordering::Relaxed);
        if self.in_order {
            return self.all.take(stop, Some(1));
        }
        let shares = self.shares.get()?;
        // Fewer helpers may have been called than there are: whoever comes takes the place of one.
        let own = if thread == 0 || shares.len() == 1 { 0 } else { (thread - 1) % (shares.len() - 1) + 1 };
        shares[own].take(stop, None).or_else(|| shares.iter().find_map(|s| s.take(stop, None)))
    }

    /// No group from this one on is taken any more.
    pub(crate) fn stop_at(&self, group: u64) {
        self.stop.fetch_min(group, Ordering::Relaxed);
    }

    /// Whether there is a group that nobody has taken.
    pub(crate) fn is_left(&self) -> bool {
        let stop = self.stop.load(Ordering::Relaxed);
        let left = |s: &Share| s.next.load(Ordering::Relaxed) < s.end.min(stop);
        self.shares.get().map_or_else(|| left(&self.all), |shares| shares.iter().any(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All groups that these threads get, in turns, each once.
    fn taken(groups: &Groups, threads: &[usize]) -> Vec<u64> {
        let mut all = Vec::new();
        for &thread in threads.iter().cycle() {
            match groups.take(thread) {
                Some(run) => all.extend(run),
                None => break,
            }
        }
        all
    }

    #[test]
    fn each_group_is_taken_once() {
        for total in [1, 2, 3, 7, 100, 54321] {
            for threads in 1..6 {
                let groups = Groups::new(total);
                let mut all: Vec<u64> = groups.take_alone(1).into_iter().flatten().collect();
                assert_eq!(groups.is_left(), total > 1);
                groups.divide(threads);
                let callers: Vec<usize> = (0..threads).collect();
                all.extend(taken(&groups, &callers));
                assert!(!groups.is_left());
                all.sort_unstable();
                assert!(all.into_iter().eq(0..total), "{total} groups, {threads} threads");
            }
        }
    }

    #[test]
    fn threads_find_their_groups_again() {
        let runs = || {
            let groups = Groups::new(1000);
            groups.divide(2);
            // The helper comes first one time, and later the other time.
            [groups.take(1), groups.take(0)]
        };
        let [helper, caller] = runs();
        assert_eq!(helper.map(|r| r.start), Some(500));
        assert_eq!(caller.map(|r| r.start), Some(0));
    }

    #[test]
    fn without_helpers_the_caller_takes_all_in_order() {
        let groups = Groups::new(1000);
        groups.divide(4);
        assert!(taken(&groups, &[0]).into_iter().eq(0..1000));
    }

    #[test]
    fn what_stops_a_launch_leaves_the_groups_before_it() {
        let groups = Groups::new(100);
        groups.divide(2);
        let failed = groups.take(1).expect("a run of the second half").start;
        assert_eq!(failed, 50);
        groups.stop_at(failed);
        assert!(groups.is_left());
        assert!(taken(&groups, &[1]).into_iter().eq(0..50));
        assert!(!groups.is_left());
    }

    #[test]
    fn groups_that_wait_are_taken_one_by_one_in_order() {
        let groups = Groups::in_order(100);
        assert!(taken(&groups, &[0, 3, 1]).into_iter().eq(0..100));
        assert_eq!((groups.taken(), groups.is_left()), (100, false));
    }

    #[test]
    fn helpers_that_were_not_counted_on_find_a_share() {
        let groups = Groups::new(90);
        groups.divide(3);
        assert_eq!(groups.take(7).map(|r| r.start), Some(30));
        assert_eq!(groups.take(8).map(|r| r.start), Some(60));
    }
}
