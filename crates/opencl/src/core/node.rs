//! Commands as nodes of a graph: what each waits for, who waits for it, how far it is.
//!
//! A node counts what must happen before its command may run: the events of its wait list, and what its queue adds.
//! Whoever takes the last of them away puts the node among those of its queue that are ready. Its state changes under its
//! own lock, under which no lock of a queue is taken.

use super::event::Waits;
use super::notify::{self, Callback};
use super::queue::{Queue, Work};
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

/// Private memory of a kernel that runs on the calling thread, with what calls it: below that, it gets a stack of its own.
const STACK_NEEDED: usize = (1 << 20) + (256 << 10);

/// Size of such a stack.
const STACK: usize = 4 << 20;

/// A command or a user event.
pub struct Node {
    /// `CL_COMMAND_…`
    pub kind: cl::cl_command_type,
    /// Where the command is queued; none for user events.
    pub(super) queue: Option<Arc<Queue>>,
    /// Its number in the queue.
    pub(super) number: AtomicU64,
    /// Whether it must be the first of its queue that has not ended.
    pub(super) after_all: bool,
    /// Whether it still waits for that.
    pub(super) held: AtomicBool,
    /// What must happen before it is ready.
    waiting: AtomicU32,
    /// Something that it waits for has failed.
    failed: AtomicBool,
    /// `CL_QUEUED` to `CL_COMPLETE`, or an error.
    status: AtomicI32,
    /// When it was queued, submitted, started, ended; 0 where nobody asked.
    times: [AtomicU64; 4],
    links: Mutex<Links>,
}

#[derive(Default)]
struct Links {
    work: Option<Work>,
    /// What it waits for. User events stay settable as long as somebody waits.
    waits: Waits,
    dependents: Vec<Dependent>,
    callbacks: Vec<Callback>,
    /// Threads that wait for a user event.
    waiters: Vec<Thread>,
}

/// Who waits for a node.
struct Dependent {
    node: Arc<Node>,
    /// Whether it fails if the node fails; what is merely behind a barrier does not.
    inherits: bool,
}

/// The clock of profiling and of `clGetHostTimer`, in nanoseconds.
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

impl Node {
    fn new(kind: cl::cl_command_type, queue: Option<Arc<Queue>>, after_all: bool, status: cl::cl_int) -> Self {
        Self {
            kind,
            queue,
            number: AtomicU64::new(0),
            after_all,
            held: AtomicBool::new(false),
            waiting: AtomicU32::new(1),
            failed: AtomicBool::new(false),
            status: AtomicI32::new(status),
            times: Default::default(),
            links: Mutex::default(),
        }
    }

    /// A user event.
    pub(super) fn user() -> Arc<Self> {
        Arc::new(Self::new(cl::CL_COMMAND_USER, None, false, cl::CL_SUBMITTED))
    }

    /// A command that is not queued yet.
    pub(super) fn command(queue: &Arc<Queue>, kind: cl::cl_command_type, work: Work, after_all: bool) -> Arc<Self> {
        let mut node = Self::new(kind, Some(Arc::clone(queue)), after_all, cl::CL_QUEUED);
        node.links.get_mut().unwrap_or_else(PoisonError::into_inner).work = Some(work);
        node.note_time(cl::CL_QUEUED);
        Arc::new(node)
    }

    /// Makes a command that is not queued yet wait for events.
    pub(super) fn follow_events(self: &Arc<Self>, waits: Waits) {
        if !waits.is_empty() {
            waits.events().iter().for_each(|event| self.follow(&event.node, true));
            self.links().waits = waits;
        }
    }

    fn links(&self) -> MutexGuard<'_, Links> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `CL_QUEUED` to `CL_COMPLETE`, or an error.
    pub fn status(&self) -> cl::cl_int {
        self.status.load(Ordering::Acquire)
    }

    /// Whether nothing more will happen to it.
    pub fn is_ended(&self) -> bool {
        self.status() <= cl::CL_COMPLETE
    }

    /// When the command reached a state: `CL_QUEUED` to `CL_COMPLETE`.
    pub fn time(&self, status: cl::cl_int) -> u64 {
        self.times[status.max(0) as usize].load(Ordering::Relaxed)
    }

    fn note_time(&self, status: cl::cl_int) {
        if self.queue.as_ref().is_some_and(|q| q.is_profiling()) {
            self.times[status.max(0) as usize].store(now(), Ordering::Relaxed);
        }
    }

    /// Makes this node, which is not ready yet, wait for another; `inherits`: it fails if that fails.
    pub(super) fn follow(self: &Arc<Self>, other: &Self, inherits: bool) {
        let mut links = other.links();
        let status = other.status();
        if status > cl::CL_COMPLETE {
            self.waiting.fetch_add(1, Ordering::Relaxed);
            links.dependents.push(Dependent { node: Arc::clone(self), inherits });
        } else if status < cl::CL_COMPLETE && inherits {
            self.failed.store(true, Ordering::Relaxed);
        }
    }

    /// Makes it wait until it is the first of its queue.
    pub(super) fn hold(&self) {
        self.held.store(true, Ordering::Relaxed);
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes away one thing that it waits for; whether that was the last.
    pub(super) fn admit(&self) -> bool {
        self.waiting.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Takes the node, which waits only to be the first of its queue, for a thread that runs what is before it; whether it
    /// could. Under the queue's lock.
    pub(super) fn claim(&self) -> bool {
        let free = self.held.load(Ordering::Relaxed) && self.waiting.load(Ordering::Acquire) == 1;
        if free {
            self.held.store(false, Ordering::Relaxed);
            self.waiting.store(0, Ordering::Relaxed);
        }
        free
    }

    /// Notes that the queue was flushed.
    pub(super) fn submit(&self) {
        let mut links = self.links();
        if self.status() == cl::CL_QUEUED {
            self.reach(&mut links, cl::CL_SUBMITTED);
        }
    }

    /// A new state; the callbacks that wait for it go to those that are to be called, in order.
    fn reach(&self, links: &mut Links, status: cl::cl_int) {
        self.note_time(status);
        self.status.store(status, Ordering::Release);
        if !links.callbacks.is_empty() {
            self.notify(links);
        }
    }

    fn notify(&self, links: &mut Links) {
        let status = self.status();
        let mut due: Vec<Callback> = links.callbacks.extract_if(.., |c| status <= c.at).collect();
        // States count downwards; those who wait for the same are called in the order in which they came.
        due.sort_by_key(|c| -c.at);
        for callback in due {
            let said = if status < cl::CL_COMPLETE { status } else { callback.at };
            notify::call(callback, said);
        }
    }

    /// Has a function called when the command reaches a state, or soon if it has reached it.
    pub(super) fn add_callback(&self, callback: Callback) {
        let mut links = self.links();
        links.callbacks.push(callback);
        self.notify(&mut links);
    }

    /// Runs the command, which is ready, on this thread.
    pub(super) fn run(&self) {
        let mut links = self.links();
        if self.status() == cl::CL_QUEUED {
            self.reach(&mut links, cl::CL_SUBMITTED);
        }
        let (work, waits) = (links.work.take(), std::mem::take(&mut links.waits));
        let failed = self.failed.load(Ordering::Relaxed);
        if !failed {
            self.reach(&mut links, cl::CL_RUNNING);
        }
        drop(links);
        // What the command holds goes before anybody learns that it has ended.
        drop(waits);
        let done = match work {
            Some(work) if !failed => run_guarded(work),
            _ => Err(Status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        };
        self.end(done.map_or_else(|Status(code)| code, |()| cl::CL_COMPLETE));
    }

    /// Ends it with `CL_COMPLETE` or an error, unless it has ended; whether it had not.
    pub(super) fn end(&self, status: cl::cl_int) -> bool {
        let mut links = self.links();
        if self.is_ended() {
            return false;
        }
        self.reach(&mut links, status);
        let (dependents, waiters) = (std::mem::take(&mut links.dependents), std::mem::take(&mut links.waiters));
        drop(links);
        for Dependent { node, inherits } in dependents {
            if status < cl::CL_COMPLETE && inherits {
                node.failed.store(true, Ordering::Relaxed);
            }
            if node.admit()
                && let Some(queue) = &node.queue
            {
                queue.make_ready(&node);
            }
        }
        waiters.iter().for_each(Thread::unpark);
        true
    }

    /// Waits for a user event.
    pub(super) fn wait_as_user(&self) {
        loop {
            {
                let mut links = self.links();
                if self.is_ended() {
                    return;
                }
                let me = std::thread::current();
                if links.waiters.iter().all(|t| t.id() != me.id()) {
                    links.waiters.push(me);
                }
            }
            std::thread::park();
        }
    }

    /// Whether this node waits for another, directly or through others; `budget` bounds how many are looked at.
    pub(super) fn waits_for(&self, other: &Self, budget: &mut u32) -> bool {
        if *budget == 0 || self.is_ended() {
            return false;
        }
        *budget -= 1;
        // Locks are taken from those that wait to those that they wait for, and there are no circles.
        let links = self.links();
        let events = links.waits.events();
        events.iter().any(|e| std::ptr::eq(&*e.node, other)) || events.iter().any(|e| e.node.waits_for(other, budget))
    }
}

/// Does the work; a panic, which is a bug of ours, is an error.
fn run_guarded(work: Work) -> Result {
    let guarded = || catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Status::OUT_OF_RESOURCES));
    stacker::maybe_grow(STACK_NEEDED, STACK, guarded)
}
