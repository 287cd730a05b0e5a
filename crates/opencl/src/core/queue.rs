//! Command queues.
//!
//! A command that nothing keeps waiting is *ready*, and run by whoever is there first: a thread that waits for it in
//! `clFinish`, `clWaitForEvents` or a blocking call runs it itself; else a thread of [`workers`] does, which is woken
//! by `clFlush`, when commands pile up, and by the clock for programs that never flush but look at the status of events.
//!
//! In queues in order each command waits until it is the first that has not ended ([`Node::hold`]). In queues out of
//! order, markers and barriers do, and commands behind a barrier wait for it.

use super::context::Context;
use super::device::Device;
use super::event::{Event, Waits};
use super::node::Node;
use super::schedule::{State, Until, Wake};
use super::workers;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A command queue.
pub struct Queue {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
    /// What its commands run on.
    pub device: Arc<Device>,
    /// `CL_QUEUE_PROPERTIES`.
    pub properties: cl::cl_command_queue_properties,
    /// `CL_QUEUE_PROPERTIES_ARRAY`: as given, with the zero that ends it; empty if there was none.
    pub property_list: Vec<cl::cl_queue_properties>,
    state: Mutex<State>,
    /// Threads that sleep or are about to: they are told of each command's end, others only when a batch has ended.
    listeners: AtomicUsize,
}

impl Object for Queue {
    const INVALID: Status = Status::INVALID_COMMAND_QUEUE;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Queue> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

/// What a command does when its turn has come, on whatever thread; an error becomes the status of its event. It holds
/// references to the objects it needs, which are dropped before the command counts as ended.
pub type Work = Box<dyn FnOnce() -> Result + Send>;

/// A command, checked and ready to be put in a queue.
pub struct Command {
    /// `CL_COMMAND_…`
    pub kind: cl::cl_command_type,
    /// What must end before.
    pub waits: Waits,
    /// Whether the call returns only when it has ended (`blocking_read` and the like).
    pub blocking: bool,
    /// What it does.
    pub work: Work,
}

impl Queue {
    /// A queue.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        context: Arc<Context>,
        device: Arc<Device>,
        properties: cl::cl_command_queue_properties,
        property_list: Vec<cl::cl_queue_properties>,
    ) -> Result<Arc<Self>> {
        let state = Mutex::new(State::new(properties & cl::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0));
        Self::pool().insert(|handle| Self {
            handle,
            context,
            device,
            properties,
            property_list,
            state,
            listeners: AtomicUsize::new(0),
        })
    }

    /// Whether times are taken.
    pub fn is_profiling(&self) -> bool {
        self.properties & cl::CL_QUEUE_PROFILING_ENABLE != 0
    }

    fn in_order(&self) -> bool {
        self.properties & cl::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a command at the end of the queue; its event goes to `event` unless that is null.
    ///
    /// # Errors
    /// No memory; for blocking commands `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST` and what the command itself fails
    /// with. The event is there all the same where the command itself failed.
    ///
    /// # Safety
    /// `event` is null or points to a writable handle.
    pub unsafe fn enqueue(self: &Arc<Self>, command: Command, event: *mut cl::cl_event) -> Result {
        let gathers = matches!(command.kind, cl::CL_COMMAND_MARKER | cl::CL_COMMAND_BARRIER);
        let after_all = self.in_order() || gathers && command.waits.is_empty();
        let node = Node::command(self, command.kind, command.work, after_all);
        if !event.is_null() {
            let made = Event::of_command(self, &node)?;
            // SAFETY: by the caller's promise.
            unsafe { event.write(made.handle().raw()) };
        }
        node.follow_events(command.waits);
        let (wake, watch) = self.state().append(&node);
        if watch {
            workers::watch(self);
        }
        self.wake(wake);
        if command.blocking {
            self.wait_for(&node);
            let status = node.status();
            if status < cl::CL_COMPLETE {
                return Err(Status(status));
            }
        }
        Ok(())
    }

    /// `clFlush`: what was queued is run soon.
    pub fn flush(self: &Arc<Self>) {
        let mut wake = Wake::default();
        {
            let mut state = self.state();
            state.flush();
            state.staff(&mut wake);
        }
        self.wake(wake);
    }

    /// `clFinish`: runs and waits until all that was queued has ended.
    pub fn finish(self: &Arc<Self>) {
        self.help(|state| Until::Before(state.next_number()));
    }

    /// Runs and waits until a command of this queue has ended.
    pub fn wait_for(self: &Arc<Self>, node: &Arc<Node>) {
        if !node.is_ended() {
            self.help(|_| Until::Ended(Arc::clone(node)));
        }
    }

    fn help(self: &Arc<Self>, until: impl FnOnce(&State) -> Until) {
        let mut state = self.state();
        let until = until(&state);
        let mut batch = Vec::new();
        state.active += 1;
        state.flush();
        while !state.is_reached(&until) {
            let mut wake = Wake::default();
            if state.take(&until, &mut batch) {
                state.staff(&mut wake);
                drop(state);
                self.wake(wake);
                self.run(&mut batch);
                state = self.state();
                continue;
            }
            state = self.sleep(state, &until);
        }
        self.leave(state);
    }

    /// Sleeps until there is something to do, or the thread has what it waits for.
    fn sleep<'a>(self: &'a Arc<Self>, mut state: MutexGuard<'a, State>, until: &Until) -> MutexGuard<'a, State> {
        self.listeners.fetch_add(1, Ordering::SeqCst);
        // Whoever runs commands has either seen that somebody listens, or its commands are seen to have ended here.
        fence(Ordering::SeqCst);
        state.sweep();
        if !state.is_reached(until) {
            let mut wake = Wake::default();
            let me = state.sleep(until.clone());
            state.staff(&mut wake);
            drop(state);
            self.wake(wake);
            loop {
                std::thread::park();
                state = self.state();
                if !state.is_asleep(me) {
                    break;
                }
                drop(state);
            }
        }
        self.listeners.fetch_sub(1, Ordering::SeqCst);
        state
    }

    /// A thread goes that took commands.
    fn leave(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        let mut wake = Wake::default();
        state.active -= 1;
        state.staff(&mut wake);
        drop(state);
        self.wake(wake);
    }

    /// Runs what is ready until nothing is: what a worker does that was called.
    pub(super) fn serve(self: &Arc<Self>) {
        let mut batch = Vec::new();
        loop {
            let mut state = self.state();
            if !state.take(&Until::Nothing, &mut batch) {
                return self.leave(state);
            }
            drop(state);
            self.run(&mut batch);
        }
    }

    /// Runs commands that were taken.
    fn run(self: &Arc<Self>, batch: &mut Vec<Arc<Node>>) {
        let mut told = 0;
        for n in 0..batch.len() {
            batch[n].run();
            let last = n + 1 == batch.len();
            fence(Ordering::SeqCst);
            if last || self.listeners.load(Ordering::SeqCst) > 0 {
                let mut wake = Wake::default();
                {
                    let mut state = self.state();
                    state.ended(&batch[told..=n]);
                    if last {
                        state.rest();
                    }
                    state.staff(&mut wake);
                }
                self.wake(wake);
                told = n + 1;
            }
        }
        batch.clear();
    }

    /// A command has nothing to wait for any more.
    pub(super) fn make_ready(self: &Arc<Self>, node: &Arc<Node>) {
        let mut wake = Wake::default();
        {
            let mut state = self.state();
            state.push_ready(Arc::clone(node));
            state.staff(&mut wake);
        }
        self.wake(wake);
    }

    /// The clock ticks: runs what has been ready since the last time. Whether the queue wants to be asked again.
    pub(super) fn tick(self: &Arc<Self>) -> bool {
        let mut wake = Wake::default();
        let again = self.state().tick(&mut wake);
        self.wake(wake);
        again
    }

    fn wake(self: &Arc<Self>, wake: Wake) {
        wake.threads.iter().for_each(std::thread::Thread::unpark);
        for _ in 0..wake.workers {
            workers::call(self);
        }
    }
}

#[cfg(test)]
mod tests;
