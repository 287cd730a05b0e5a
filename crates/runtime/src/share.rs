//! Work other than kernels on a device's threads.

use crate::HostDevice;
use crate::pool::{Slot, Work};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls with consecutive numbers.
struct Parts<'a> {
    count: usize,
    next: AtomicUsize,
    part: &'a (dyn Fn(usize) + Sync),
}

impl Parts<'_> {
    /// The next number that nobody has.
    fn take(&self) -> Option<usize> {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        (n < self.count).then_some(n)
    }
}

impl Work for Parts<'_> {
    fn help(&self, _: usize, crowded: &dyn Fn() -> bool) {
        while !crowded()
            && let Some(n) = self.take()
        {
            (self.part)(n);
        }
    }

    fn is_left(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.count
    }
}

impl HostDevice {
    /// Calls a function once with each number below `count`: on the calling thread, and on others of the device that have
    /// nothing else to do. Returns when all calls have ended.
    ///
    /// A call should take some ten microseconds at least, or it is not worth the waking of a thread.
    ///
    /// # Panics
    /// If a call does.
    pub fn share(&self, count: usize, part: &(dyn Fn(usize) + Sync)) {
        let pool = self.pool();
        let parts = Parts { count, next: AtomicUsize::new(0), part };
        let _caller = pool.enter();
        let slot = Slot::new(&parts);
        let open = (count > 1).then(|| pool.open(&slot, count - 1));
        while let Some(n) = parts.take() {
            part(n);
        }
        drop(open);
    }
}

#[cfg(test)]
mod tests {
    use crate::{HostDevice, HostOptions};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_part_is_done_once() {
        let device = HostDevice::new(HostOptions { threads: Some(3), ..HostOptions::default() }).expect("a device");
        for count in [0, 1, 2, 1000] {
            let done: Vec<_> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            device.share(count, &|n| {
                done[n].fetch_add(1, Ordering::Relaxed);
            });
            assert!(done.iter().all(|d| d.load(Ordering::Relaxed) == 1));
        }
    }
}
