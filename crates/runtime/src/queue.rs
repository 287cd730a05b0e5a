//! Queues of devices on this machine.
//!
//! A queue has a thread that runs its commands. Who waits for one runs those before it himself, unless somebody does: that
//! saves two wake-ups. At most one thread runs commands of a queue at a time, so they run in order.
//!
//! Nobody waits in a circle: a command waits only for events that were recorded before it was given.

use crate::memory::{Block, DevicePtr, Memory};
use crate::transfer::{Held, Transfer, fill};
use crate::{Arg, Error, Event, Kernel, Queue, Run};
use launch::Launch;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A command, and what it keeps until it has ended.
enum Command {
    Copy(Transfer, #[allow(dead_code, reason = "keeps memory")] Held),
    Fill { to: DevicePtr, pattern: SmallVec<[u8; 16]>, times: u64, _held: Option<Arc<Block>> },
    Launch { kernel: Arc<dyn Kernel>, launch: Launch, args: Vec<Argument>, _held: Vec<Arc<Block>> },
    Record(Arc<HostEvent>),
    Wait(Arc<dyn Event>),
}

/// An argument with bytes of its own.
enum Argument {
    Value(SmallVec<[u8; 16]>),
    Pointer(u64),
    Local(u64),
}

impl Argument {
    fn new(arg: &Arg<'_>) -> Self {
        match arg {
            Arg::Value(bytes) => Self::Value(SmallVec::from_slice(bytes)),
            Arg::Pointer(at) => Self::Pointer(*at as u64),
            Arg::Local(bytes) => Self::Local(*bytes),
        }
    }

    fn get(&self) -> Arg<'_> {
        match self {
            Self::Value(bytes) => Arg::Value(bytes),
            Self::Pointer(at) => Arg::Pointer(*at as *mut u8),
            Self::Local(bytes) => Arg::Local(*bytes),
        }
    }
}

/// A queue of a device on this machine.
pub(crate) struct HostQueue {
    shared: Arc<Shared>,
}

/// What callers and the queue's thread share.
struct Shared {
    memory: Arc<Memory>,
    state: Mutex<State>,
    /// Something in `state` has changed.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    commands: VecDeque<Command>,
    /// Commands given so far, and ended.
    given: u64,
    ended: u64,
    /// A thread runs a command.
    busy: bool,
    /// No more commands come.
    closed: bool,
    /// What the first command failed with since the last [`Queue::finish`].
    failed: Option<Error>,
}

impl HostQueue {
    /// A queue of a device with this memory.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub(crate) fn new(memory: &Arc<Memory>) -> Result<Self, Error> {
        let state = Mutex::default();
        let shared = Arc::new(Shared { memory: Arc::clone(memory), state, changed: Condvar::new() });
        let its = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("unspool queue".to_owned());
        thread.spawn(move || its.serve()).map_err(|e| Error::Thread { why: e.to_string() })?;
        Ok(Self { shared })
    }

    /// Takes a command; its number, from 1.
    fn give(&self, command: impl FnOnce(u64) -> Command) -> u64 {
        let mut state = self.shared.lock();
        state.given += 1;
        let number = state.given;
        state.commands.push_back(command(number));
        self.shared.changed.notify_all();
        number
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs commands until there will be no more.
    fn serve(&self) {
        let mut state = self.lock();
        loop {
            state = if state.busy || state.commands.is_empty() {
                if state.closed && state.commands.is_empty() {
                    return;
                }
                self.wait(state)
            } else {
                self.run_next(state)
            };
        }
    }

    /// Returns once so many commands have ended; runs them if nobody does.
    fn reach(&self, number: u64) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while state.ended < number {
            let can_run = !state.busy && !state.commands.is_empty();
            state = if can_run { self.run_next(state) } else { self.wait(state) };
        }
        state
    }

    /// Runs the next command, without the lock.
    fn run_next<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let Some(command) = state.commands.pop_front() else { return state };
        let failed = state.failed.clone();
        state.busy = true;
        drop(state);
        let ran = command.run(failed);
        // The memory that it keeps goes before anybody hears that it has ended.
        drop(command);
        let mut state = self.lock();
        state.busy = false;
        state.ended += 1;
        if let (Err(e), None) = (ran, &state.failed) {
            state.failed = Some(e);
        }
        self.changed.notify_all();
        state
    }
}

impl Command {
    /// Runs it, if no command before it has failed.
    fn run(&self, failed: Option<Error>) -> Result<(), Error> {
        match (self, failed) {
            (Self::Record(event), failed) => event.happen(failed),
            (_, Some(_)) => {}
            (Self::Wait(event), None) => return event.wait(),
            // SAFETY: checked when it was given, by whose promise the memory is nobody else's; `Held` keeps what the
            // device owns of it.
            (Self::Copy(transfer, _), None) => unsafe { transfer.run() },
            // SAFETY: as above.
            (Self::Fill { to, pattern, times, .. }, None) => unsafe { fill(*to, pattern, *times) },
            (Self::Launch { kernel, launch, args, .. }, None) => {
                let args: SmallVec<[Arg<'_>; 8]> = args.iter().map(Argument::get).collect();
                // SAFETY: as above.
                return unsafe {
                    match launch.shape() {
                        Some(shape) => kernel.launch(&shape, &args, &Run::default()),
                        None => kernel.launch_range(&launch.range, &args, &Run::default()),
                    }
                }
                .map(|_| ());
            }
        }
        Ok(())
    }
}

impl Queue for HostQueue {
    unsafe fn copy(&self, transfer: &Transfer) -> Result<(), Error> {
        if let Some(held) = transfer.check(&self.shared.memory)? {
            let transfer = *transfer;
            self.give(|_| Command::Copy(transfer, held));
        }
        Ok(())
    }

    unsafe fn fill(&self, to: DevicePtr, pattern: &[u8], times: u64) -> Result<(), Error> {
        let bytes = times.saturating_mul(pattern.len() as u64);
        if bytes > 0 {
            let _held = self.shared.memory.range("what is filled", to, bytes)?;
            let pattern = SmallVec::from_slice(pattern);
            self.give(|_| Command::Fill { to, pattern, times, _held });
        }
        Ok(())
    }

    unsafe fn launch(&self, kernel: &Arc<dyn Kernel>, launch: &Launch, args: &[Arg<'_>]) -> Result<(), Error> {
        kernel.check(args)?;
        let pointers = args.iter().filter_map(|a| if let Arg::Pointer(at) = a { Some(*at as u64) } else { None });
        let _held = pointers.filter_map(|at| self.shared.memory.find(at)).collect();
        let args = args.iter().map(Argument::new).collect();
        let (kernel, launch) = (Arc::clone(kernel), *launch);
        self.give(|_| Command::Launch { kernel, launch, args, _held });
        Ok(())
    }

    fn record(&self) -> Result<Arc<dyn Event>, Error> {
        let mut made = None;
        self.give(|number| {
            let event = Arc::new(HostEvent {
                queue: Arc::downgrade(&self.shared),
                number,
                happened: Mutex::default(),
                changed: Condvar::new(),
            });
            made = Some(Arc::clone(&event));
            Command::Record(event)
        });
        made.map(|e| e as Arc<dyn Event>).ok_or(Error::Thread { why: "no event was made".to_owned() })
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<(), Error> {
        if !event.is_done() {
            let event = Arc::clone(event);
            self.give(|_| Command::Wait(event));
        }
        Ok(())
    }

    fn finish(&self) -> Result<(), Error> {
        let all = self.shared.lock().given;
        match self.shared.reach(all).failed.take() {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }
}

impl Drop for HostQueue {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.finish();
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

/// A place in a queue.
struct HostEvent {
    queue: Weak<Shared>,
    /// The number of its command.
    number: u64,
    happened: Mutex<Option<(Option<Error>, Duration)>>,
    changed: Condvar,
}

/// What times of events count from.
fn origin() -> Instant {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    *ORIGIN.get_or_init(Instant::now)
}

impl HostEvent {
    fn happened(&self) -> MutexGuard<'_, Option<(Option<Error>, Duration)>> {
        self.happened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn happen(&self, failed: Option<Error>) {
        *self.happened() = Some((failed, origin().elapsed()));
        self.changed.notify_all();
    }
}

impl Event for HostEvent {
    fn is_done(&self) -> bool {
        self.happened().is_some()
    }

    fn wait(&self) -> Result<(), Error> {
        if let Some(queue) = self.queue.upgrade() {
            drop(queue.reach(self.number));
        }
        let mut happened = self.happened();
        loop {
            match &*happened {
                Some((None, _)) => return Ok(()),
                Some((Some(e), _)) => return Err(e.clone()),
                None => happened = self.changed.wait(happened).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn time(&self) -> Option<Duration> {
        self.happened().as_ref().map(|h| h.1)
    }
}
