//! Which command of a queue is run next, and by whom: the state under a queue's lock.

use super::node::Node;
use opencl_sys as cl;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{Thread, ThreadId};

/// Commands in a queue that make a worker start although nobody has flushed.
const PILE: usize = 16;

/// Most commands in order that a thread takes at a time.
const BATCH: usize = 64;

/// Ended commands behind one that has not, that are kept before they are swept out.
const SWEEP: usize = 64;

/// Ticks without a command after which a queue is no longer watched.
const IDLE_TICKS: u32 = 200;

/// Nodes that are looked at to learn whether one waits for another.
const LOOK: u32 = 64;

/// What a thread that runs commands waits for.
#[derive(Clone)]
pub(super) enum Until {
    /// Commands with smaller numbers have ended.
    Before(u64),
    /// This command has ended.
    Ended(Arc<Node>),
    /// Nothing: it runs whatever is ready.
    Nothing,
}

/// Who is to be told of a change, once the lock is released.
#[derive(Default)]
pub(super) struct Wake {
    pub(super) threads: Vec<Thread>,
    /// How many workers to call for the queue.
    pub(super) workers: usize,
}

struct Sleeper {
    thread: Thread,
    until: Until,
}

/// What a queue's lock protects.
pub(super) struct State {
    in_order: bool,
    /// What was queued and has not ended, in order; those that have ended may still be among them, but not in front.
    order: VecDeque<Arc<Node>>,
    /// How many in `order` have not ended.
    live: usize,
    /// What may run.
    ready: VecDeque<Arc<Node>>,
    /// The number of the next command.
    next: u64,
    /// Commands with smaller numbers were flushed.
    flushed: u64,
    /// The last barrier, until it has ended.
    barrier: Option<Arc<Node>>,
    /// Threads that take commands of this queue, without those asleep. Workers count from when they are called.
    pub(super) active: usize,
    /// How many of those are running a command.
    running: usize,
    sleepers: Vec<Sleeper>,
    /// Whether the clock ticks for this queue.
    watched: bool,
    idle_ticks: u32,
    /// The number of the command that was ready at the last tick.
    seen: u64,
}

impl State {
    pub(super) fn new(in_order: bool) -> Self {
        Self {
            in_order,
            order: VecDeque::new(),
            live: 0,
            ready: VecDeque::new(),
            next: 0,
            flushed: 0,
            barrier: None,
            active: 0,
            running: 0,
            sleepers: Vec::new(),
            watched: false,
            idle_ticks: 0,
            seen: u64::MAX,
        }
    }

    /// How many commands it holds.
    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        self.order.len()
    }

    pub(super) fn next_number(&self) -> u64 {
        self.next
    }

    /// Puts a new command at the end; whom to tell, and whether the queue is to be watched from now on.
    pub(super) fn append(&mut self, node: &Arc<Node>) -> (Wake, bool) {
        node.number.store(self.next, Ordering::Relaxed);
        self.next += 1;
        if node.after_all && !self.order.is_empty() {
            node.hold();
        }
        if !self.in_order {
            if let Some(barrier) = &self.barrier {
                node.follow(barrier, false);
            }
            if node.kind == cl::CL_COMMAND_BARRIER {
                self.barrier = Some(Arc::clone(node));
            }
        }
        self.order.push_back(Arc::clone(node));
        self.live += 1;
        if node.admit() {
            self.ready.push_back(Arc::clone(node));
        }
        let mut wake = Wake::default();
        self.staff(&mut wake);
        (wake, !std::mem::replace(&mut self.watched, true))
    }

    pub(super) fn push_ready(&mut self, node: Arc<Node>) {
        self.ready.push_back(node);
    }

    /// Marks all that was queued as submitted.
    pub(super) fn flush(&mut self) {
        let flushed = self.flushed;
        self.order.iter().rev().take_while(|n| number(n) >= flushed).for_each(|n| n.submit());
        self.flushed = self.next;
    }

    /// Whether a thread has what it waited for.
    pub(super) fn is_reached(&self, until: &Until) -> bool {
        match until {
            Until::Before(end) => self.order.front().is_none_or(|n| number(n) >= *end),
            Until::Ended(node) => node.is_ended(),
            Until::Nothing => false,
        }
    }

    /// Takes ready commands that bring a thread nearer to what it waits for, to be run by it one after another: in queues
    /// in order also those behind that wait for nothing else, so that the lock is not taken for each. Whether there are
    /// any.
    pub(super) fn take(&mut self, until: &Until, batch: &mut Vec<Arc<Node>>) -> bool {
        let Some(place) = self.useful(until) else { return false };
        let Some(first) = self.ready.remove(place) else { return false };
        let last = match until {
            Until::Before(end) => *end,
            Until::Ended(node) => number(node) + 1,
            Until::Nothing => u64::MAX,
        };
        let from = number(&first);
        batch.push(first);
        if self.in_order {
            let behind = self.order.iter().skip_while(|n| number(n) <= from);
            batch.extend(behind.take(BATCH - 1).take_while(|n| number(n) < last && n.claim()).cloned());
        }
        self.running += 1;
        true
    }

    /// Where among the ready commands is one that a thread should run that waits: not one that could keep it from
    /// returning although it does not need it.
    fn useful(&self, until: &Until) -> Option<usize> {
        if self.in_order {
            // What is ready is not behind what anybody waits for.
            return (!self.ready.is_empty()).then_some(0);
        }
        match until {
            Until::Nothing => (!self.ready.is_empty()).then_some(0),
            Until::Before(end) => self.ready.iter().position(|n| number(n) < *end),
            Until::Ended(node) if node.after_all => self.useful(&Until::Before(number(node) + 1)),
            Until::Ended(node) => self.ready.iter().position(|n| Arc::ptr_eq(n, node)).or_else(|| {
                let mut budget = LOOK;
                self.ready.iter().position(|n| node.waits_for(n, &mut budget))
            }),
        }
    }

    /// Commands that were taken have ended.
    pub(super) fn ended(&mut self, nodes: &[Arc<Node>]) {
        self.live -= nodes.len();
        if let Some(barrier) = &self.barrier
            && barrier.is_ended()
        {
            self.barrier = None;
        }
        self.sweep();
        if let Some(first) = self.order.front()
            && first.held.swap(false, Ordering::Relaxed)
            && first.admit()
        {
            self.ready.push_back(Arc::clone(first));
        }
    }

    /// A thread has run all that it took.
    pub(super) fn rest(&mut self) {
        self.running -= 1;
    }

    /// Forgets commands that have ended.
    pub(super) fn sweep(&mut self) {
        while self.order.front().is_some_and(|n| n.is_ended()) {
            self.order.pop_front();
        }
        if self.order.len() > 2 * self.live + SWEEP {
            self.order.retain(|n| !n.is_ended());
        }
    }

    /// Puts this thread to sleep until [`is_asleep`](Self::is_asleep) says otherwise.
    pub(super) fn sleep(&mut self, until: Until) -> ThreadId {
        let thread = std::thread::current();
        let me = thread.id();
        self.active -= 1;
        self.sleepers.push(Sleeper { thread, until });
        me
    }

    pub(super) fn is_asleep(&self, thread: ThreadId) -> bool {
        self.sleepers.iter().any(|s| s.thread.id() == thread)
    }

    /// Wakes those who have what they waited for, and finds threads for the ready commands.
    pub(super) fn staff(&mut self, wake: &mut Wake) {
        let mut n = 0;
        while n < self.sleepers.len() {
            if self.is_reached(&self.sleepers[n].until) { self.rouse(n, wake) } else { n += 1 }
        }
        let mut lacking = self.lacking();
        // A thread that sleeps here needs no other to be woken for it.
        while lacking > 0 {
            let helps = |s: &Sleeper| self.in_order || matches!(s.until, Until::Before(_));
            let Some(n) = self.sleepers.iter().position(|s| helps(s) && self.useful(&s.until).is_some()) else { break };
            self.rouse(n, wake);
            lacking -= 1;
        }
        let wanted = self.ready.front().is_some_and(|n| number(n) < self.flushed) || self.live > PILE;
        if lacking > 0 && wanted {
            self.active += lacking;
            wake.workers += lacking;
        }
    }

    /// Ready commands for which no thread is there.
    fn lacking(&self) -> usize {
        self.ready.len().saturating_sub(self.active - self.running)
    }

    fn rouse(&mut self, sleeper: usize, wake: &mut Wake) {
        wake.threads.push(self.sleepers.swap_remove(sleeper).thread);
        self.active += 1;
    }

    /// The clock has ticked: a command that was ready at the last tick, too, gets a worker. Whether to go on.
    pub(super) fn tick(&mut self, wake: &mut Wake) -> bool {
        if self.order.is_empty() {
            self.idle_ticks += 1;
            self.watched = self.idle_ticks <= IDLE_TICKS;
            return self.watched;
        }
        self.idle_ticks = 0;
        if self.lacking() > 0
            && let Some(first) = self.ready.front()
        {
            let number = number(first);
            if std::mem::replace(&mut self.seen, number) == number {
                self.active += 1;
                wake.workers += 1;
            }
        }
        true
    }
}

fn number(node: &Node) -> u64 {
    node.number.load(Ordering::Relaxed)
}
