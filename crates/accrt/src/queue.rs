//! Asynchronous queues: what is put into one is done in order by a thread of its own, beside the program and other queues.
//!
//! A queue's thread begins with the first thing put into it. Queues wait for each other by events: one records, the other
//! waits. An event is recorded by what was put in earlier, so waiting ends. Where a thread cannot be had, what is put into the
//! queue is done at once. On GPUs queues are streams of the [driver's](crate::gpu), and nothing here has a thread.

use crate::device::{self, Device};
use crate::gpu::{self, Gpu};
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// `acc_async_noval`
pub(crate) const NOVAL: i64 = -1;
/// `acc_async_sync`
pub(crate) const SYNC: i64 = -2;
/// `acc_async_default`
const DEFAULT: i64 = -3;
/// Queues with threads of their own; numbers beyond share them.
const MAX_QUEUES: i64 = 64;
/// Stack of a queue's thread: kernels with private arrays run on it.
const STACK: usize = 16 << 20;

type Task = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    /// Tasks that are not done.
    pending: u64,
    /// Tasks that ever were put in.
    put: u64,
    there: bool,
}

struct All {
    queues: BTreeMap<i64, Queue>,
}

static ALL: Mutex<All> = Mutex::new(All { queues: BTreeMap::new() });
thread_local! {
    /// The queue of `async` without a number, of this thread.
    static DEFAULT_QUEUE: Cell<i64> = const { Cell::new(0) };
}

/// Something was put into a queue.
static CALLED: Condvar = Condvar::new();
/// Something was done.
static DONE: Condvar = Condvar::new();

fn all() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place to do things in order: the calling thread, or a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stream(Option<i64>);

impl Stream {
    /// The calling thread, at once.
    pub(crate) const NOW: Self = Self(None);

    /// The queue of an `async` operand.
    pub(crate) fn of(operand: i64) -> Self {
        match operand {
            SYNC => Self::NOW,
            NOVAL | DEFAULT => match DEFAULT_QUEUE.get() {
                SYNC => Self::NOW,
                q => Self(Some(slot(q))),
            },
            q => Self(Some(slot(q))),
        }
    }

    /// Whether what is put in may be done later.
    pub(crate) fn is_queue(self) -> bool {
        self.0.is_some()
    }

    /// The queue's number, as messages have it.
    pub(crate) fn number(self) -> i64 {
        self.0.unwrap_or(SYNC)
    }

    /// Does something, or puts it into the queue. What it does to memory of a GPU is put into the queue's stream there.
    pub(crate) fn put(self, task: impl FnOnce() + Send + 'static) {
        if let Some(g) = gpu_in_use() {
            return g.within(self.0, self.0.is_none(), task);
        }
        let Some(n) = self.0 else { return task() };
        let choice = device::choice();
        let task = move || {
            device::assume(choice);
            task();
        };
        let mut a = all();
        let q = a.queues.entry(n).or_default();
        if !q.there {
            let spawned = std::thread::Builder::new().name(format!("acc-queue-{n}")).stack_size(STACK);
            if spawned.spawn(move || serve(n)).is_err() {
                drop(a);
                return task();
            }
            q.there = true;
        }
        q.tasks.push_back(Box::new(task));
        q.pending += 1;
        q.put += 1;
        drop(a);
        CALLED.notify_all();
    }

    /// Launches on a GPU. What is in no queue is done when [`Stream::settle`] has returned.
    pub(crate) fn launch(self, gpu: &Gpu, f: impl FnOnce()) {
        gpu.within(self.0, false, f);
    }

    /// Waits for what was launched on a GPU by this thread, in no queue.
    pub(crate) fn settle(self) {
        if let (None, Some(g)) = (self.0, gpu_in_use()) {
            g.wait(None);
        }
    }

    /// The driver's stream on the GPU in use.
    pub(crate) fn of_driver(self) -> Option<usize> {
        gpu_in_use().map(|g| g.stream(self.0))
    }

    /// Makes a stream of the program's that of this queue; whether there is a GPU in use, and a queue.
    pub(crate) fn set_of_driver(self, stream: usize) -> bool {
        let (Some(n), Some(g)) = (self.0, gpu_in_use()) else { return false };
        g.set_stream(n, stream);
        true
    }

    /// Waits until all that was put in so far is done.
    pub(crate) fn wait(self) {
        let Some(n) = self.0 else { return };
        if let Some(g) = gpu_in_use() {
            return g.wait(Some(n));
        }
        let mut a = all();
        let Some(upto) = a.queues.get(&n).map(|q| q.put) else { return };
        while a.queues.get(&n).is_some_and(|q| q.put - q.pending < upto) {
            a = DONE.wait(a).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets what is put in later wait for what another queue has now.
    pub(crate) fn wait_for(self, other: Self) {
        if self == other {
            return;
        }
        match self.0 {
            None => other.wait(),
            Some(_) => {
                let Some(n) = other.0 else { return };
                if let (Some(g), Some(later)) = (gpu_in_use(), self.0) {
                    return g.wait_between(later, n);
                }
                let Some(upto) = all().queues.get(&n).map(|q| q.put) else { return };
                self.put(move || {
                    let mut a = all();
                    while a.queues.get(&n).is_some_and(|q| q.put - q.pending < upto) {
                        a = DONE.wait(a).unwrap_or_else(PoisonError::into_inner);
                    }
                });
            }
        }
    }

    /// Lets what is put in later wait for all that other queues have now.
    pub(crate) fn wait_for_all(self) {
        let numbers = numbers();
        numbers.into_iter().for_each(|n| self.wait_for(Self(Some(n))));
    }

    /// Whether all that was put in is done.
    pub(crate) fn is_idle(self) -> bool {
        let Some(n) = self.0 else { return true };
        if let Some(g) = gpu_in_use() {
            return g.is_idle(n);
        }
        all().queues.get(&n).is_none_or(|q| q.pending == 0)
    }
}

/// The GPU whose streams are the queues, if it is one that is in use.
pub(crate) fn gpu_in_use() -> Option<&'static Gpu> {
    match device::current(None) {
        Device::Nvidia(n) => gpu::gpu(n),
        _ => None,
    }
}

/// The queues that the device in use has.
fn numbers() -> Vec<i64> {
    gpu_in_use().map_or_else(|| all().queues.keys().copied().collect(), Gpu::queues)
}

fn slot(q: i64) -> i64 {
    q.rem_euclid(MAX_QUEUES)
}

/// The life of a queue's thread.
fn serve(n: i64) {
    let mut a = all();
    loop {
        let Some(task) = a.queues.get_mut(&n).and_then(|q| q.tasks.pop_front()) else {
            a = CALLED.wait(a).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(a);
        task();
        a = all();
        if let Some(q) = a.queues.get_mut(&n) {
            q.pending -= 1;
        }
        DONE.notify_all();
    }
}

/// Whether all queues are idle.
pub(crate) fn all_idle() -> bool {
    numbers().into_iter().all(|n| Stream(Some(n)).is_idle())
}

/// Waits until one of the queues is idle: its index. `None` if none of them is a queue.
pub(crate) fn wait_any(numbers: &[i64]) -> Option<usize> {
    let streams: Vec<Option<i64>> = numbers.iter().map(|&n| Stream::of(n).0).collect();
    if streams.iter().all(Option::is_none) {
        return None;
    }
    if let Some(g) = gpu_in_use() {
        loop {
            if let Some(i) = streams.iter().position(|s| s.is_some_and(|n| g.is_idle(n))) {
                return Some(i);
            }
            std::thread::yield_now();
        }
    }
    let mut a = all();
    loop {
        let idle = |s: &Option<i64>| s.is_some_and(|n| a.queues.get(&n).is_none_or(|q| q.pending == 0));
        if let Some(i) = streams.iter().position(idle) {
            return Some(i);
        }
        a = DONE.wait(a).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The queue of `async` without a number.
pub(crate) fn default_queue() -> i64 {
    DEFAULT_QUEUE.get()
}

/// Sets the queue of `async` without a number; `acc_async_default` is the one that programs begin with.
pub(crate) fn set_default_queue(q: i64) {
    DEFAULT_QUEUE.set(match q {
        NOVAL | DEFAULT => 0,
        q => q,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Arc, Barrier};

    #[test]
    fn queues_run_beside_each_other_and_wait_for_each_other() {
        let (a, b) = (Stream::of(40), Stream::of(41));
        // Both must be at the barrier at the same time.
        let meet = Arc::new(Barrier::new(2));
        let order = Arc::new(AtomicU32::new(0));
        for s in [a, b] {
            let meet = Arc::clone(&meet);
            s.put(move || {
                meet.wait();
            });
        }
        let (first, second) = (Arc::clone(&order), Arc::clone(&order));
        a.put(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            first.store(1, Ordering::SeqCst);
        });
        b.wait_for(a);
        b.put(move || {
            let _ = second.compare_exchange(1, 2, Ordering::SeqCst, Ordering::SeqCst);
        });
        b.wait();
        assert_eq!(order.load(Ordering::SeqCst), 2);
        assert!(a.is_idle() && b.is_idle());
        assert_eq!(wait_any(&[SYNC, 41]), Some(1));
        assert_eq!(wait_any(&[SYNC]), None);
    }
}
