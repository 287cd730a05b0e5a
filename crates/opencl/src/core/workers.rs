//! Threads that run commands of queues for which nobody waits, and the clock that finds commands which nobody flushed.

use super::queue::Queue;
use super::thread;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::Thread;
use std::time::Duration;

/// How often the clock ticks while there are queues in use.
const TICK: Duration = Duration::from_micros(500);

/// Threads besides one for each processor: commands that wait for others outside of our sight (native kernels) must not
/// keep all others from running.
const SPARE: usize = 2;

struct ThreadPool {
    state: Mutex<PoolState>,
    work: Condvar,
}

#[derive(Default)]
struct PoolState {
    /// Queues that want a worker, once for each worker wanted.
    calls: VecDeque<Arc<Queue>>,
    threads: usize,
    idle: usize,
}

static POOL: ThreadPool =
    ThreadPool { state: Mutex::new(PoolState { calls: VecDeque::new(), threads: 0, idle: 0 }), work: Condvar::new() };

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn most_threads() -> usize {
    static MOST: OnceLock<usize> = OnceLock::new();
    *MOST.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from) + SPARE)
}

/// Has a worker run what is ready in a queue.
pub(super) fn call(queue: &Arc<Queue>) {
    let mut state = lock(&POOL.state);
    state.calls.push_back(Arc::clone(queue));
    if state.idle >= state.calls.len() {
        drop(state);
        POOL.work.notify_one();
    } else if state.threads < most_threads() {
        state.threads += 1;
        drop(state);
        if thread::start("unspool worker", work).is_err() {
            // Those who wait for commands run them; and other workers may come.
            lock(&POOL.state).threads -= 1;
        }
    }
}

fn work() {
    loop {
        let queue = {
            let mut state = lock(&POOL.state);
            loop {
                if let Some(queue) = state.calls.pop_front() {
                    break queue;
                }
                state.idle += 1;
                state = POOL.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
            }
        };
        queue.serve();
    }
}

static WATCHED: Mutex<Vec<Weak<Queue>>> = Mutex::new(Vec::new());

/// Has the clock tick for a queue until it says that it is no longer in use.
pub(super) fn watch(queue: &Arc<Queue>) {
    static CLOCK: OnceLock<Option<Thread>> = OnceLock::new();
    let first = {
        let mut watched = lock(&WATCHED);
        watched.push(Arc::downgrade(queue));
        watched.len() == 1
    };
    let start = || thread::start("unspool clock", tick).ok().map(|t| t.thread().clone());
    let clock = CLOCK.get_or_init(start);
    if first && let Some(clock) = clock {
        clock.unpark();
    }
}

fn tick() {
    loop {
        let queues = std::mem::take(&mut *lock(&WATCHED));
        if queues.is_empty() {
            std::thread::park();
            continue;
        }
        // Not under the lock: this may hold the last reference to a queue, whose end may call the user's functions.
        let still: Vec<_> = queues.into_iter().filter(|q| q.upgrade().is_some_and(|q| q.tick())).collect();
        lock(&WATCHED).extend(still);
        std::thread::sleep(TICK);
    }
}
