//! Events: how far a command is.

use super::context::Context;
use super::node::Node;
use super::notify::{Callback, Function};
use super::queue::Queue;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// An event.
pub struct Event {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
    /// The queue of its command; none for user events.
    pub queue: Option<Arc<Queue>>,
    /// The command, or what stands for it in user events.
    pub node: Arc<Node>,
}

impl Object for Event {
    const INVALID: Status = Status::INVALID_EVENT;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Event> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

impl Event {
    /// A user event.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn user(context: Arc<Context>) -> Result<Arc<Self>> {
        Self::pool().insert(|handle| Self { handle, context, queue: None, node: Node::user() })
    }

    /// The event of a command.
    pub(super) fn of_command(queue: &Arc<Queue>, node: &Arc<Node>) -> Result<Arc<Self>> {
        let (context, queue, node) = (Arc::clone(&queue.context), Arc::clone(queue), Arc::clone(node));
        Self::pool().insert(|handle| Self { handle, context, queue: Some(queue), node })
    }

    /// Completes a user event with `CL_COMPLETE` or an error.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` "if the execution_status for event has already been changed by a previous call to
    /// clSetUserEventStatus".
    pub fn complete(&self, status: cl::cl_int) -> Result {
        if self.node.end(status) { Ok(()) } else { Err(Status::INVALID_OPERATION) }
    }

    /// Has a function called when the command reaches the state `at`.
    pub fn add_callback(self: &Arc<Self>, at: cl::cl_int, function: Function, data: *mut c_void) {
        self.node.add_callback(Callback { at, function, data, event: Arc::clone(self) });
    }

    /// Waits until all events have ended; this thread runs commands of their queues meanwhile.
    ///
    /// # Errors
    /// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST` "if the execution status of any of the events in event_list is a
    /// negative integer value".
    pub fn wait_all(events: &[Arc<Self>]) -> Result {
        // Other queues than the first get going meanwhile; in the first this thread does the work.
        let first = events.first().and_then(|e| e.queue.as_ref());
        for queue in events.iter().filter_map(|e| e.queue.as_ref()) {
            if first.is_none_or(|f| !Arc::ptr_eq(f, queue)) {
                queue.flush();
            }
        }
        for event in events {
            match &event.queue {
                Some(queue) => queue.wait_for(&event.node),
                None => event.node.wait_as_user(),
            }
        }
        let failed = events.iter().any(|e| e.node.status() < cl::CL_COMPLETE);
        if failed { Err(Status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) } else { Ok(()) }
    }
}

/// What a command waits for, from `num_events_in_wait_list` and `event_wait_list`.
#[derive(Default)]
pub struct Waits(Vec<Arc<Event>>);

impl Waits {
    /// Reads and checks a wait list.
    ///
    /// # Errors
    /// `CL_INVALID_EVENT_WAIT_LIST` "if event_wait_list is NULL and num_events_in_wait_list > 0, or event_wait_list is not
    /// NULL and num_events_in_wait_list is 0, or if event objects in event_wait_list are not valid events";
    /// `CL_INVALID_CONTEXT` "if context associated with command_queue and events in event_wait_list are not the same".
    ///
    /// # Safety
    /// `list` is null or points to `count` handles.
    pub unsafe fn read(context: &Context, count: cl::cl_uint, list: *const cl::cl_event) -> Result<Self> {
        if list.is_null() != (count == 0) {
            return Err(Status::INVALID_EVENT_WAIT_LIST);
        }
        // A count without sense must not take memory before the first bad handle is seen.
        let mut events = Vec::with_capacity(count.min(64) as usize);
        for n in 0..count as usize {
            // SAFETY: by the caller's promise.
            let raw = unsafe { *list.add(n) };
            let event = Event::pool().get(raw).map_err(|_| Status::INVALID_EVENT_WAIT_LIST)?;
            if !event.context.is(context) {
                return Err(Status::INVALID_CONTEXT);
            }
            events.push(event);
        }
        Ok(Self(events))
    }

    /// The events.
    pub fn events(&self) -> &[Arc<Event>] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
