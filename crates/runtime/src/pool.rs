//! The threads that run work-groups.
//!
//! Whoever launches a kernel works on it at once, on the own thread. If there is enough to do, the work is
//! [opened](ThreadPool::open) to helpers, who join it while the caller goes on, and leave it when nothing is left. The caller
//! waits only for helpers that have joined. So a small launch costs no switch of threads and takes no lock, and launches
//! from several threads run beside each other.
//!
//! # Invariants
//!
//! * [`Work`] lives on its caller's stack, in a [`Slot`]. A pointer to the slot is in `State::open` from [`ThreadPool::open`]
//!   until [`Open`] is dropped, and is put there and taken out under the lock only.
//! * A helper takes a pointer from there, and adds itself to `Slot::joined`, under one hold of the lock. It subtracts
//!   itself, its last access to the slot, under the lock as well. `Open::drop` takes the pointer out, then waits for
//!   `joined` to be 0; from then on nobody knows the slot.
//! * What a helper wrote for a work happens before its subtraction (release), which happens before the end of
//!   `Open::drop` (acquire, or the lock).
//! * A helper sleeps only if it found nothing to join under the lock that it sleeps with, and whoever opens work under
//!   that lock wakes as many as it wants and find none awake. Whoever leaves a crowd wakes one, if work is open.
//! * `active` and `opened` are advice: wrong values cost time only.
//!
//! Helpers look out for more work for [`SPIN`] before they sleep, since launches follow each other quickly.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a thread spins before it sleeps; about what it takes to be woken.
const SPIN: Duration = Duration::from_micros(40);

/// Stack of helpers: private arrays of the work-items of a vector live there ([`llvm::Options::max_stack`] bounds them).
pub(crate) const STACK: usize = 8 << 20;

/// What helpers can help with.
pub(crate) trait Work: Sync {
    /// Works until nothing is left, or `crowded` says that other threads want the processor. Helpers are numbered from 1.
    fn help(&self, number: usize, crowded: &dyn Fn() -> bool);

    /// Whether there is something left that nobody has begun.
    fn is_left(&self) -> bool;
}

/// Work that is open to helpers, or will be.
pub(crate) struct Slot<'a> {
    work: &'a dyn Work,
    /// Helpers at it.
    joined: AtomicUsize,
    /// Most helpers that are of use.
    wanted: AtomicUsize,
    /// A helper panicked.
    panicked: AtomicBool,
}

impl<'a> Slot<'a> {
    pub(crate) fn new(work: &'a dyn Work) -> Self {
        Self { work, joined: AtomicUsize::new(0), wanted: AtomicUsize::new(0), panicked: AtomicBool::new(false) }
    }
}

/// A pointer to a slot, whose lifetime the invariants above take care of.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known(NonNull<Slot<'static>>);

// SAFETY: a slot is shared (`Work` is `Sync`, the rest are atomics); the pointer is used as the invariants say.
unsafe impl Send for Known {}

#[derive(Default)]
struct State {
    open: Vec<Known>,
    /// Helpers that look out for work.
    spinning: usize,
    sleeping: usize,
    closing: bool,
}

struct Shared {
    /// Threads that may work at a time.
    threads: usize,
    /// Threads at work: callers and helpers.
    active: AtomicUsize,
    /// How often work was opened.
    opened: AtomicUsize,
    state: Mutex<State>,
    /// Where helpers sleep.
    wake: Condvar,
    /// Where callers wait for helpers.
    left: Condvar,
}

/// Threads that run work-groups.
pub(crate) struct ThreadPool {
    shared: Arc<Shared>,
    /// Started when they are wanted for the first time; fewer than wanted where the system has no more.
    helpers: OnceLock<Vec<JoinHandle<()>>>,
}

/// A caller at work.
pub(crate) struct Caller<'a> {
    pool: &'a ThreadPool,
}

/// Work that is open to helpers; when dropped, no longer, and all of them have left.
pub(crate) struct Open<'a> {
    pool: &'a ThreadPool,
    slot: &'a Slot<'a>,
}

impl ThreadPool {
    /// So many threads, callers among them.
    pub(crate) fn new(threads: usize) -> Self {
        let shared = Shared {
            threads: threads.max(1),
            active: AtomicUsize::new(0),
            opened: AtomicUsize::new(0),
            state: Mutex::default(),
            wake: Condvar::new(),
            left: Condvar::new(),
        };
        Self { shared: Arc::new(shared), helpers: OnceLock::new() }
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.shared.threads
    }

    /// How many are at work, callers among them; may be out of date.
    pub(crate) fn active(&self) -> usize {
        self.shared.active.load(Ordering::Relaxed)
    }

    /// Counts the calling thread among those at work.
    pub(crate) fn enter(&self) -> Caller<'_> {
        self.shared.active.fetch_add(1, Ordering::Relaxed);
        Caller { pool: self }
    }

    /// Lets up to `wanted` helpers join.
    pub(crate) fn open<'a>(&'a self, slot: &'a Slot<'a>, wanted: usize) -> Open<'a> {
        let shared = &*self.shared;
        let helpers = self.helpers.get_or_init(|| self.start());
        let wanted = wanted.min(helpers.len());
        slot.wanted.store(wanted, Ordering::Relaxed);
        let known = Known(NonNull::from(slot).cast());
        let mut state = shared.lock();
        state.open.push(known);
        shared.opened.fetch_add(1, Ordering::Relaxed);
        let free = shared.threads.saturating_sub(shared.active.load(Ordering::Relaxed));
        let wake = wanted.min(free).saturating_sub(state.spinning).min(state.sleeping);
        drop(state);
        for _ in 0..wake {
            shared.wake.notify_one();
        }
        Open { pool: self, slot }
    }

    fn start(&self) -> Vec<JoinHandle<()>> {
        let one = |n: usize| {
            let shared = Arc::clone(&self.shared);
            let builder = std::thread::Builder::new().name(format!("unspool {n}")).stack_size(STACK);
            builder.spawn(move || shared.helper(n)).ok()
        };
        (1..self.shared.threads).map_while(one).collect()
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.wake.notify_all();
        for h in self.helpers.take().unwrap_or_default() {
            // Helpers catch panics of the work.
            let _ = h.join();
        }
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        let shared = &*self.pool.shared;
        let before = shared.active.fetch_sub(1, Ordering::Relaxed);
        // Who opened work while there was a crowd found nobody to help.
        if before == shared.threads && shared.threads > 1 {
            let state = shared.lock();
            if !state.open.is_empty() && state.sleeping > 0 {
                shared.wake.notify_one();
            }
        }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let shared = &*self.pool.shared;
        let known = Known(NonNull::from(self.slot).cast());
        shared.lock().open.retain(|k| *k != known);
        let joined = || self.slot.joined.load(Ordering::Acquire);
        if joined() > 0 {
            spin_until(|| joined() == 0);
        }
        if joined() > 0 {
            let mut state = shared.lock();
            while joined() > 0 {
                state = shared.left.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        if self.slot.panicked.load(Ordering::Relaxed) && !std::thread::panicking() {
            panic!("a thread that ran work-groups panicked");
        }
    }
}

/// Waits for [`SPIN`] at most until something is so.
fn spin_until(is_so: impl Fn() -> bool) {
    /// Looks between looks at the clock.
    const LOOKS: u32 = 16;
    let begun = Instant::now();
    while begun.elapsed() < SPIN {
        for _ in 0..LOOKS {
            if is_so() {
                return;
            }
            std::hint::spin_loop();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_crowded(&self) -> bool {
        self.active.load(Ordering::Relaxed) > self.threads
    }

    /// The open work with the fewest helpers that wants more.
    fn choose(&self, state: &State) -> Option<Known> {
        if self.active.load(Ordering::Relaxed) >= self.threads {
            return None;
        }
        // SAFETY: under the lock, slots whose pointers are in the list live.
        let helpers = |k: &Known| unsafe { k.0.as_ref() }.joined.load(Ordering::Relaxed);
        let wants = |k: &&Known| {
            // SAFETY: as above.
            let slot = unsafe { k.0.as_ref() };
            helpers(k) < slot.wanted.load(Ordering::Relaxed) && slot.work.is_left()
        };
        state.open.iter().filter(wants).min_by_key(|k| helpers(k)).copied()
    }

    /// What a helper does all its life.
    fn helper(&self, number: usize) {
        let mut state = self.lock();
        let mut rested = true;
        while !state.closing {
            if let Some(known) = self.choose(&state) {
                state = self.join(state, known, number);
                rested = false;
                continue;
            }
            if rested {
                state.sleeping += 1;
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.sleeping -= 1;
                continue;
            }
            let seen = self.opened.load(Ordering::Relaxed);
            state.spinning += 1;
            drop(state);
            spin_until(|| self.opened.load(Ordering::Relaxed) != seen);
            state = self.lock();
            state.spinning -= 1;
            rested = self.opened.load(Ordering::Relaxed) == seen;
        }
    }

    /// Helps with a work that `choose` found under this hold of the lock.
    fn join<'s>(&'s self, state: MutexGuard<'s, State>, known: Known, number: usize) -> MutexGuard<'s, State> {
        // SAFETY: in the list under the lock; from here on `joined` keeps it alive.
        let slot = unsafe { known.0.as_ref() };
        slot.joined.fetch_add(1, Ordering::Relaxed);
        self.active.fetch_add(1, Ordering::Relaxed);
        // Whoever opened this may have counted on a helper that is now at something else.
        if state.sleeping > 0 && self.choose(&state).is_some() {
            self.wake.notify_one();
        }
        drop(state);
        let helped = catch_unwind(AssertUnwindSafe(|| slot.work.help(number, &|| self.is_crowded())));
        self.active.fetch_sub(1, Ordering::Relaxed);
        let state = self.lock();
        if helped.is_err() {
            slot.panicked.store(true, Ordering::Relaxed);
        }
        // The last access to the slot.
        if slot.joined.fetch_sub(1, Ordering::Release) == 1 {
            self.left.notify_all();
        }
        state
    }
}

#[cfg(test)]
mod tests;
