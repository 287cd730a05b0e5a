//! Command queues: section 5.1 of the specification, and flushing and finishing, section 5.15.

use super::{call, create};
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::event::Waits;
use crate::core::node::now;
use crate::core::queue::{Command, Queue};
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Properties of queues that the host works off.
const HOST_PROPERTIES: cl::cl_command_queue_properties =
    cl::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | cl::CL_QUEUE_PROFILING_ENABLE;

/// Properties of queues on devices.
const DEVICE_PROPERTIES: cl::cl_command_queue_properties = cl::CL_QUEUE_ON_DEVICE | cl::CL_QUEUE_ON_DEVICE_DEFAULT;

/// Most entries of a list of properties: beyond it is no end.
const MAX_PROPERTIES: usize = 64;

/// A queue of a context and a device.
fn new_queue(
    context: cl::cl_context,
    device: cl::cl_device_id,
    properties: impl FnOnce() -> Result<(cl::cl_command_queue_properties, Vec<cl::cl_queue_properties>)>,
) -> Result<Arc<Queue>> {
    // "CL_INVALID_CONTEXT if context is not a valid context."
    let context = Context::pool().get(context)?;
    // "CL_INVALID_DEVICE if device is not a valid device or is not associated with context."
    let device = context.device(device)?;
    let (properties, list) = properties()?;
    // "CL_INVALID_VALUE if values specified in properties are not valid": bits that nobody knows, and a default queue on
    // the device that is none on the device.
    let on_device = properties & cl::CL_QUEUE_ON_DEVICE != 0;
    if properties & !(HOST_PROPERTIES | DEVICE_PROPERTIES) != 0
        || properties & cl::CL_QUEUE_ON_DEVICE_DEFAULT != 0 && !on_device
        || on_device && properties & cl::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0
    {
        return Err(Status::INVALID_VALUE);
    }
    // "CL_INVALID_QUEUE_PROPERTIES if values specified in properties are valid but are not supported by the device":
    // there are no queues on devices.
    if on_device {
        return Err(Status::INVALID_QUEUE_PROPERTIES);
    }
    Queue::new(context, device, properties, list)
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn create_command_queue(
    context: cl::cl_context,
    device: cl::cl_device_id,
    properties: cl::cl_command_queue_properties,
    code: *mut cl::cl_int,
) -> cl::cl_command_queue {
    let checked = || {
        // "Only command-queue properties specified in this table can be used, otherwise the value specified in properties
        // is considered to be not valid."
        if properties & !HOST_PROPERTIES != 0 { Err(Status::INVALID_VALUE) } else { Ok((properties, Vec::new())) }
    };
    // SAFETY: by the caller's promise.
    unsafe { create(code, || new_queue(context, device, checked)) }
}

/// The value of `CL_QUEUE_PROPERTIES` in a list, and the list with the zero that ends it.
///
/// # Safety
/// `list` is null or ends in a zero.
unsafe fn read_properties(
    list: *const cl::cl_queue_properties,
) -> Result<(cl::cl_command_queue_properties, Vec<cl::cl_queue_properties>)> {
    let (mut value, mut sized, mut all) = (0, false, Vec::new());
    if list.is_null() {
        return Ok((value, all));
    }
    let mut names = Vec::new();
    loop {
        // SAFETY: by the caller's promise; nothing is read behind the zero.
        let name = unsafe { *list.add(all.len()) };
        all.push(name);
        if name == 0 {
            break;
        }
        // SAFETY: as above: each name is followed by a value.
        let given = unsafe { *list.add(all.len()) };
        all.push(given);
        // "CL_INVALID_VALUE if values specified in properties are not valid": names that nobody knows, or twice.
        if names.contains(&name) || all.len() > MAX_PROPERTIES {
            return Err(Status::INVALID_VALUE);
        }
        names.push(name);
        match i32::try_from(name).unwrap_or_default() as u32 {
            cl::CL_QUEUE_PROPERTIES => value = given as cl::cl_command_queue_properties,
            cl::CL_QUEUE_SIZE => sized = true,
            _ => return Err(Status::INVALID_VALUE),
        }
    }
    // CL_QUEUE_SIZE "can only be specified if CL_QUEUE_ON_DEVICE is set in CL_QUEUE_PROPERTIES".
    if sized && value & cl::CL_QUEUE_ON_DEVICE == 0 {
        return Err(Status::INVALID_VALUE);
    }
    Ok((value, all))
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn create_command_queue_with_properties(
    context: cl::cl_context,
    device: cl::cl_device_id,
    properties: *const cl::cl_queue_properties,
    code: *mut cl::cl_int,
) -> cl::cl_command_queue {
    // SAFETY: by the caller's promise.
    unsafe { create(code, || new_queue(context, device, || read_properties(properties))) }
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn retain_command_queue(queue: cl::cl_command_queue) -> cl::cl_int {
    // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue."
    call(|| Queue::pool().retain(queue))
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn release_command_queue(queue: cl::cl_command_queue) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue."
        let object = Queue::pool().get(queue)?;
        Queue::pool().release(queue)?;
        // "clReleaseCommandQueue performs an implicit flush." What is queued keeps the queue.
        object.flush();
        Ok(())
    })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn get_command_queue_info(
    queue: cl::cl_command_queue,
    name: cl::cl_command_queue_info,
    size: usize,
    value: *mut c_void,
    size_out: *mut usize,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue."
        let queue = Queue::pool().get(queue)?;
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(size, value, size_out) };
        match name {
            cl::CL_QUEUE_CONTEXT => reply.value(queue.context.handle().raw()),
            cl::CL_QUEUE_DEVICE => reply.value(queue.device.handle().raw()),
            cl::CL_QUEUE_REFERENCE_COUNT => reply.value(queue.handle().references()),
            cl::CL_QUEUE_PROPERTIES => reply.value(queue.properties),
            cl::CL_QUEUE_PROPERTIES_ARRAY => reply.slice(&queue.property_list),
            // "CL_INVALID_COMMAND_QUEUE … if command_queue is not a valid command-queue for param_name": it is none on
            // the device.
            cl::CL_QUEUE_SIZE => Err(Status::INVALID_COMMAND_QUEUE),
            // "Returns NULL if the device associated with command_queue does not support on-device queues."
            cl::CL_QUEUE_DEVICE_DEFAULT => reply.value(std::ptr::null_mut::<c_void>()),
            // "CL_INVALID_VALUE if param_name is not one of the supported values."
            _ => Err(Status::INVALID_VALUE),
        }
    })
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn set_command_queue_property(
    queue: cl::cl_command_queue,
    _properties: cl::cl_command_queue_properties,
    _enable: cl::cl_bool,
    _old: *mut cl::cl_command_queue_properties,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue."
        Queue::pool().get(queue)?;
        // "CL_INVALID_OPERATION if no devices in the context associated with command_queue support modifying the
        // properties of a command-queue": only devices of OpenCL 1.0 must.
        Err(Status::INVALID_OPERATION)
    })
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn set_default_device_command_queue(
    context: cl::cl_context,
    device: cl::cl_device_id,
    _queue: cl::cl_command_queue,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_CONTEXT if context is not a valid context."
        let context = Context::pool().get(context)?;
        // "CL_INVALID_DEVICE if device is not a valid device or is not associated with context."
        context.device(device)?;
        // "CL_INVALID_OPERATION if device does not support a replaceable default on-device queue."
        Err(Status::INVALID_OPERATION)
    })
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn flush(queue: cl::cl_command_queue) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        Queue::pool().get(queue)?.flush();
        Ok(())
    })
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn finish(queue: cl::cl_command_queue) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        Queue::pool().get(queue)?.finish();
        Ok(())
    })
}

/// Puts a command without work in a queue.
///
/// # Safety
/// `list` is null or points to `count` handles, `event` is null or points to a writable one.
unsafe fn enqueue_point(
    queue: cl::cl_command_queue,
    kind: cl::cl_command_type,
    count: cl::cl_uint,
    list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> Result {
    // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
    let queue = Queue::pool().get(queue)?;
    // SAFETY: by the caller's promise.
    let waits = unsafe { Waits::read(&queue.context, count, list) }?;
    let command = Command { kind, waits, blocking: false, work: Box::new(|| Ok(())) };
    // SAFETY: by the caller's promise.
    unsafe { queue.enqueue(command, event) }
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn enqueue_marker_with_wait_list(
    queue: cl::cl_command_queue,
    count: cl::cl_uint,
    list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    // SAFETY: by the caller's promise.
    call(|| unsafe { enqueue_point(queue, cl::CL_COMMAND_MARKER, count, list, event) })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn enqueue_barrier_with_wait_list(
    queue: cl::cl_command_queue,
    count: cl::cl_uint,
    list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    // SAFETY: by the caller's promise.
    call(|| unsafe { enqueue_point(queue, cl::CL_COMMAND_BARRIER, count, list, event) })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn enqueue_marker(queue: cl::cl_command_queue, event: *mut cl::cl_event) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue."
        Queue::pool().get(queue)?;
        // "CL_INVALID_VALUE if event is a NULL value."
        if event.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        unsafe { enqueue_point(queue, cl::CL_COMMAND_MARKER, 0, std::ptr::null(), event) }
    })
}

/// # Safety
/// None is needed.
pub(crate) unsafe extern "C" fn enqueue_barrier(queue: cl::cl_command_queue) -> cl::cl_int {
    let none = std::ptr::null_mut();
    // SAFETY: neither a list nor an event.
    call(|| unsafe { enqueue_point(queue, cl::CL_COMMAND_BARRIER, 0, none, none) })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn enqueue_wait_for_events(
    queue: cl::cl_command_queue,
    count: cl::cl_uint,
    list: *const cl::cl_event,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue."
        Queue::pool().get(queue)?;
        // "CL_INVALID_VALUE if num_events is 0 or event_list is NULL."
        if count == 0 || list.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // "CL_INVALID_EVENT if event objects specified in event_list are not valid events": its own name for it.
        // SAFETY: by the caller's promise.
        let done = unsafe { enqueue_point(queue, cl::CL_COMMAND_BARRIER, count, list, std::ptr::null_mut()) };
        done.map_err(|e| if e == Status::INVALID_EVENT_WAIT_LIST { Status::INVALID_EVENT } else { e })
    })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn get_device_and_host_timer(
    device: cl::cl_device_id,
    device_time: *mut cl::cl_ulong,
    host_time: *mut cl::cl_ulong,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_DEVICE if device is not a valid device."
        Device::pool().get(device)?;
        // "CL_INVALID_VALUE if host_timestamp or device_timestamp is NULL."
        if device_time.is_null() || host_time.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        let time = now();
        // SAFETY: by the caller's promise. The device is the host: it has the same clock.
        unsafe {
            device_time.write(time);
            host_time.write(time);
        }
        Ok(())
    })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn get_host_timer(device: cl::cl_device_id, host_time: *mut cl::cl_ulong) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_DEVICE if device is not a valid device."
        Device::pool().get(device)?;
        // "CL_INVALID_VALUE if host_timestamp is NULL."
        if host_time.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        unsafe { host_time.write(now()) };
        Ok(())
    })
}
