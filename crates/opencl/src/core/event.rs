//! Events: how far a command is.

use super::context::Context;
use super::queue::Queue;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::sync::Arc;

/// An event.
pub struct Event {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
    /// The queue of its command; none for user events.
    pub queue: Option<Arc<Queue>>,
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

/// What a command waits for, from `num_events_in_wait_list` and `event_wait_list`.
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
        let mut events = Vec::with_capacity(count as usize);
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
}
