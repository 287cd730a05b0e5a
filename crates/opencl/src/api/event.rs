//! Events: sections 5.11 to 5.14 of the specification.

use super::{call, create};
use crate::core::context::Context;
use crate::core::event::Event;
use crate::core::notify::Function;
use crate::handle::Object;
use crate::info::Reply;
use crate::status::Status;
use opencl_sys as cl;
use std::ffi::c_void;

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn create_user_event(context: cl::cl_context, code: *mut cl::cl_int) -> cl::cl_event {
    // "CL_INVALID_CONTEXT if context is not a valid context."
    // SAFETY: by the caller's promise.
    unsafe { create(code, || Event::user(Context::pool().get(context)?)) }
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn set_user_event_status(event: cl::cl_event, status: cl::cl_int) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_EVENT if event is not a valid user event object."
        let event = Event::pool().get(event)?;
        if event.queue.is_some() {
            return Err(Status::INVALID_EVENT);
        }
        // "CL_INVALID_VALUE if the execution_status is not CL_COMPLETE or a negative integer value."
        if status > cl::CL_COMPLETE {
            return Err(Status::INVALID_VALUE);
        }
        // "CL_INVALID_OPERATION if the execution_status for event has already been changed by a previous call to
        // clSetUserEventStatus."
        event.complete(status)
    })
}

/// # Safety
/// `list` is null or points to `count` handles.
pub(crate) unsafe extern "C" fn wait_for_events(count: cl::cl_uint, list: *const cl::cl_event) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_VALUE if num_events is zero or event_list is NULL."
        if count == 0 || list.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // "CL_INVALID_EVENT if event objects specified in event_list are not valid event objects."
        let mut events = Vec::with_capacity(count.min(64) as usize);
        for n in 0..count as usize {
            // SAFETY: by the caller's promise.
            events.push(Event::pool().get(unsafe { *list.add(n) })?);
        }
        // "CL_INVALID_CONTEXT if events specified in event_list do not belong to the same context."
        if events.iter().any(|e| !e.context.is(&events[0].context)) {
            return Err(Status::INVALID_CONTEXT);
        }
        Event::wait_all(&events)
    })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn get_event_info(
    event: cl::cl_event,
    name: cl::cl_event_info,
    size: usize,
    value: *mut c_void,
    size_out: *mut usize,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_EVENT if event is a not a valid event object."
        let event = Event::pool().get(event)?;
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(size, value, size_out) };
        match name {
            cl::CL_EVENT_COMMAND_QUEUE => {
                // "For user event objects, a NULL value is returned."
                reply.value(event.queue.as_ref().map_or(std::ptr::null_mut(), |q| q.handle().raw()))
            }
            cl::CL_EVENT_CONTEXT => reply.value(event.context.handle().raw()),
            cl::CL_EVENT_COMMAND_TYPE => reply.value(event.node.kind),
            cl::CL_EVENT_REFERENCE_COUNT => reply.value(event.handle().references()),
            cl::CL_EVENT_COMMAND_EXECUTION_STATUS => {
                let status = event.node.status();
                // Who asks again and again without a flush would wait for the clock.
                if let Some(queue) = event.queue.as_ref().filter(|_| status == cl::CL_QUEUED) {
                    queue.flush();
                }
                reply.value(status)
            }
            // "CL_INVALID_VALUE if param_name is not one of the supported values."
            _ => Err(Status::INVALID_VALUE),
        }
    })
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn retain_event(event: cl::cl_event) -> cl::cl_int {
    // "CL_INVALID_EVENT if event is not a valid event object."
    call(|| Event::pool().retain(event))
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn release_event(event: cl::cl_event) -> cl::cl_int {
    // "CL_INVALID_EVENT if event is not a valid event object."
    call(|| Event::pool().release(event))
}

/// # Safety
/// `function` may be called by any thread, with `data`.
pub(crate) unsafe extern "C" fn set_event_callback(
    event: cl::cl_event,
    at: cl::cl_int,
    function: Option<Function>,
    data: *mut c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_EVENT if event is not a valid event object."
        let event = Event::pool().get(event)?;
        // "CL_INVALID_VALUE if pfn_event_notify is NULL or if command_exec_callback_type is not CL_SUBMITTED, CL_RUNNING,
        // or CL_COMPLETE."
        let function = function.ok_or(Status::INVALID_VALUE)?;
        if !matches!(at, cl::CL_SUBMITTED | cl::CL_RUNNING | cl::CL_COMPLETE) {
            return Err(Status::INVALID_VALUE);
        }
        event.add_callback(at, function, data);
        Ok(())
    })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn get_event_profiling_info(
    event: cl::cl_event,
    name: cl::cl_profiling_info,
    size: usize,
    value: *mut c_void,
    size_out: *mut usize,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_EVENT if event is a not a valid event object."
        let event = Event::pool().get(event)?;
        // "CL_PROFILING_INFO_NOT_AVAILABLE if the CL_QUEUE_PROFILING_ENABLE flag is not set for the command-queue, if the
        // execution status of the command identified by event is not CL_COMPLETE or if event is a user event object."
        let profiled = event.queue.as_ref().is_some_and(|q| q.is_profiling());
        if !profiled || event.node.status() != cl::CL_COMPLETE {
            return Err(Status::PROFILING_INFO_NOT_AVAILABLE);
        }
        let state = match name {
            cl::CL_PROFILING_COMMAND_QUEUED => cl::CL_QUEUED,
            cl::CL_PROFILING_COMMAND_SUBMIT => cl::CL_SUBMITTED,
            cl::CL_PROFILING_COMMAND_START => cl::CL_RUNNING,
            // "Returns a value equivalent to passing CL_PROFILING_COMMAND_END if the device associated with event does
            // not support device-side enqueue."
            cl::CL_PROFILING_COMMAND_END | cl::CL_PROFILING_COMMAND_COMPLETE => cl::CL_COMPLETE,
            // "CL_INVALID_VALUE if param_name is not one of the supported values."
            _ => return Err(Status::INVALID_VALUE),
        };
        // SAFETY: by the caller's promise.
        unsafe { Reply::new(size, value, size_out) }.value(event.node.time(state))
    })
}
