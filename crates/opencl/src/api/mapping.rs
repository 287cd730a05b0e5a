//! Mapping buffers into the host's address space, and moving them to devices.

use super::transfer::{Tail, buffer_of, check_host_access, enqueue, memory_of};
use super::{call, pointer};
use crate::core::check::written;
use crate::core::memory::Memory;
use crate::core::queue::Queue;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Checks the flags of a map.
///
/// # Errors
/// "CL_INVALID_VALUE … if values specified in map_flags are not valid": "CL_MAP_READ or CL_MAP_WRITE and
/// CL_MAP_WRITE_INVALIDATE_REGION are mutually exclusive."
pub(super) fn check_map_flags(flags: cl::cl_map_flags) -> Result {
    let usual = cl::CL_MAP_READ | cl::CL_MAP_WRITE;
    if flags & !usual == 0 || flags == cl::CL_MAP_WRITE_INVALIDATE_REGION {
        return Ok(());
    }
    Err(Status::INVALID_VALUE)
}

/// Maps a part of a buffer.
///
/// # Safety
/// As the specification has it: the wait list has so many handles, `event` and `errcode_ret` are null or writable.
pub unsafe extern "C" fn enqueue_map_buffer(
    command_queue: cl::cl_command_queue,
    buffer: cl::cl_mem,
    blocking_map: cl::cl_bool,
    map_flags: cl::cl_map_flags,
    offset: usize,
    size: usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
    errcode_ret: *mut cl::cl_int,
) -> *mut c_void {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    let map = || {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        let buffer = buffer_of(&queue, buffer)?;
        // "CL_INVALID_VALUE if the region being mapped specified by offset and size is out of bounds; if size is zero;"
        if buffer.region(offset, size).is_none() || size == 0 {
            return Err(Status::INVALID_VALUE);
        }
        check_map_flags(map_flags)?;
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // "CL_INVALID_OPERATION if buffer was created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_READ is
        // set in map_flags; if buffer was created with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_WRITE or
        // CL_MAP_WRITE_INVALIDATE_REGION is set in map_flags;"
        let write = map_flags & (cl::CL_MAP_WRITE | cl::CL_MAP_WRITE_INVALIDATE_REGION) != 0;
        check_host_access(&buffer, map_flags & cl::CL_MAP_READ != 0, write)?;
        // "… if mapping would lead to overlapping regions being mapped for writing."
        let address = buffer.map(offset, size, write)?.cast();
        let held = Arc::clone(&buffer);
        // The bytes are where the host sees them; the command only has its place in the order of commands.
        let work = Box::new(move || {
            if write {
                written::wrote(held.address().wrapping_add(offset), size);
            }
            drop(held);
            Ok(())
        });
        // SAFETY: by the caller's promise.
        let enqueued = unsafe { enqueue(&queue, cl::CL_COMMAND_MAP_BUFFER, waits, blocking_map != 0, tail, work) };
        if enqueued.is_err() {
            buffer.unmap(address)?;
        }
        enqueued.map(|()| address)
    };
    // SAFETY: by the caller's promise.
    unsafe { pointer(errcode_ret, map) }
}

/// Ends a mapping.
///
/// # Safety
/// As the specification has it: the wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_unmap_mem_object(
    command_queue: cl::cl_command_queue,
    memobj: cl::cl_mem,
    mapped_ptr: *mut c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_MEM_OBJECT if memobj is not a valid memory object or is a pipe object." "CL_INVALID_CONTEXT if context
        // associated with command_queue and memobj are not the same …"
        let memory = memory_of(&queue, memobj)?;
        // "CL_INVALID_VALUE if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or clEnqueueMapImage for
        // memobj."
        let mapping = memory.unmap(mapped_ptr)?;
        // SAFETY: by the caller's promise.
        let enqueued = unsafe { tail.waits(&queue) }.and_then(|waits| {
            let held = Arc::clone(&memory);
            let work = Box::new(move || {
                drop(held);
                Ok(())
            });
            // SAFETY: by the caller's promise.
            unsafe { enqueue(&queue, cl::CL_COMMAND_UNMAP_MEM_OBJECT, waits, false, tail, work) }
        });
        if enqueued.is_err() {
            memory.remap(mapping);
        }
        enqueued
    })
}

/// The migrations of the table "Memory Migration Flags".
pub(super) const MIGRATIONS: cl::cl_mem_migration_flags =
    cl::CL_MIGRATE_MEM_OBJECT_HOST | cl::CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

/// Moves memory objects to the queue's device: a place in the order of commands, as all devices use the host's memory.
///
/// # Safety
/// As the specification has it: the lists have so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_migrate_mem_objects(
    command_queue: cl::cl_command_queue,
    num_mem_objects: cl::cl_uint,
    mem_objects: *const cl::cl_mem,
    flags: cl::cl_mem_migration_flags,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_VALUE if num_mem_objects is zero or if mem_objects is NULL." Before the next, which reads the list.
        if num_mem_objects == 0 || mem_objects.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // "CL_INVALID_CONTEXT if the context associated with command_queue and memory objects in mem_objects are not the
        // same …" "CL_INVALID_MEM_OBJECT if any of the memory objects in mem_objects is not a valid memory object."
        let held = (0..num_mem_objects as usize)
            // SAFETY: by the caller's promise.
            .map(|n| memory_of(&queue, unsafe { *mem_objects.add(n) }))
            .collect::<Result<Vec<Arc<Memory>>>>()?;
        // "CL_INVALID_VALUE if flags is not 0 or is not any of the values described in the table above."
        if flags & !MIGRATIONS != 0 {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        let work = Box::new(move || {
            drop(held);
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_MIGRATE_MEM_OBJECTS, waits, false, tail, work) }
    })
}
