//! Command queues.

use super::context::Context;
use super::device::Device;
use super::event::Waits;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::sync::Arc;

/// A command queue.
pub struct Queue {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
    /// What its commands run on.
    pub device: Arc<Device>,
    /// `CL_QUEUE_PROPERTIES`.
    pub properties: cl::cl_command_queue_properties,
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
/// references to the objects it needs.
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
    /// Puts a command at the end of the queue; its event goes to `event` unless that is null.
    ///
    /// # Errors
    /// No memory; for blocking commands `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST` and what the command itself fails with.
    ///
    /// # Safety
    /// `event` is null or points to a writable handle.
    pub unsafe fn enqueue(self: &Arc<Self>, command: Command, event: *mut cl::cl_event) -> Result {
        // TODO(engineer queue): the real thing.
        let _ = event;
        (command.work)()
    }
}
