//! Reading, writing, copying and filling buffers.

use super::call;
use crate::core::event::Waits;
use crate::core::memory::Memory;
use crate::core::memory::transfer::{Address, copy, fill};
use crate::core::queue::{Command, Queue, Work};
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// The arguments that all enqueueing calls end with: `num_events_in_wait_list`, `event_wait_list`, `event`.
#[derive(Clone, Copy)]
pub(super) struct Tail(pub cl::cl_uint, pub *const cl::cl_event, pub *mut cl::cl_event);

impl Tail {
    /// Reads the wait list.
    ///
    /// # Safety
    /// The list is null or has so many handles.
    pub(super) unsafe fn waits(self, queue: &Queue) -> Result<Waits> {
        // "CL_INVALID_CONTEXT if the context associated with command_queue and events in event_wait_list are not the same."
        // "CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list is greater than zero; if
        // event_wait_list is not NULL and num_events_in_wait_list is zero; if event objects in event_wait_list are not valid
        // events."
        // SAFETY: by the caller's promise.
        unsafe { Waits::read(&queue.context, self.0, self.1) }
    }
}

/// A memory object that a command of this queue works on.
pub(super) fn memory_of(queue: &Queue, raw: cl::cl_mem) -> Result<Arc<Memory>> {
    // "CL_INVALID_MEM_OBJECT if memobj is not a valid memory object."
    let memory = Memory::pool().get(raw)?;
    // "CL_INVALID_CONTEXT if the context associated with command_queue and memobj are not the same."
    if memory.context.is(&queue.context) { Ok(memory) } else { Err(Status::INVALID_CONTEXT) }
}

/// A buffer that a command of this queue works on.
pub(super) fn buffer_of(queue: &Queue, raw: cl::cl_mem) -> Result<Arc<Memory>> {
    // "CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object." "CL_INVALID_CONTEXT if the context associated with
    // command_queue and buffer are not the same."
    let memory = memory_of(queue, raw)?;
    if memory.as_image().is_none() { Ok(memory) } else { Err(Status::INVALID_MEM_OBJECT) }
}

/// "CL_INVALID_OPERATION if clEnqueueReadBuffer is called on buffer which has been created with CL_MEM_HOST_WRITE_ONLY or
/// CL_MEM_HOST_NO_ACCESS; if clEnqueueWriteBuffer is called on buffer which has been created with CL_MEM_HOST_READ_ONLY or
/// CL_MEM_HOST_NO_ACCESS."
pub(super) fn check_host_access(buffer: &Memory, reads: bool, writes: bool) -> Result {
    let refused =
        |wanted: bool, only: cl::cl_mem_flags| wanted && buffer.flags & (only | cl::CL_MEM_HOST_NO_ACCESS) != 0;
    if refused(reads, cl::CL_MEM_HOST_WRITE_ONLY) || refused(writes, cl::CL_MEM_HOST_READ_ONLY) {
        return Err(Status::INVALID_OPERATION);
    }
    Ok(())
}

/// Puts a command into a queue.
///
/// # Safety
/// The event of `tail` is null or writable.
pub(super) unsafe fn enqueue(
    queue: &Arc<Queue>,
    kind: cl::cl_command_type,
    waits: Waits,
    blocking: bool,
    tail: Tail,
    work: Work,
) -> Result {
    // SAFETY: by the caller's promise.
    unsafe { queue.enqueue(Command { kind, waits, blocking, work }, tail.2) }
}

/// Which way bytes go between a buffer and the program's memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// To the program.
    Read,
    /// From the program.
    Write,
}

/// Reads a part of a buffer.
///
/// # Safety
/// As the specification has it: `ptr` has room for `size` bytes until the command has ended, the wait list has so many handles,
/// `event` is null or writable.
pub unsafe extern "C" fn enqueue_read_buffer(
    command_queue: cl::cl_command_queue,
    buffer: cl::cl_mem,
    blocking_read: cl::cl_bool,
    offset: usize,
    size: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    // SAFETY: the caller's promises, passed on.
    call(|| unsafe { transfer(Direction::Read, command_queue, buffer, blocking_read, (offset, size), ptr, tail) })
}

/// Writes a part of a buffer.
///
/// # Safety
/// As the specification has it: `ptr` has `size` bytes that stay until the command has ended, the wait list has so many
/// handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_write_buffer(
    command_queue: cl::cl_command_queue,
    buffer: cl::cl_mem,
    blocking_write: cl::cl_bool,
    offset: usize,
    size: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    // SAFETY: the caller's promises, passed on.
    call(|| unsafe {
        transfer(Direction::Write, command_queue, buffer, blocking_write, (offset, size), ptr.cast_mut(), tail)
    })
}

/// # Safety
/// As [`enqueue_read_buffer`] or [`enqueue_write_buffer`].
unsafe fn transfer(
    direction: Direction,
    queue: cl::cl_command_queue,
    buffer: cl::cl_mem,
    blocking: cl::cl_bool,
    (offset, size): (usize, usize),
    host: *mut c_void,
    tail: Tail,
) -> Result {
    // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
    let queue = Queue::pool().get(queue)?;
    let buffer = buffer_of(&queue, buffer)?;
    // "CL_INVALID_VALUE if the region being read or written specified by offset and size is out of bounds; if ptr is NULL."
    let inside = buffer.region(offset, size).ok_or(Status::INVALID_VALUE)?;
    if host.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    let waits = unsafe { tail.waits(&queue) }?;
    let reads = direction == Direction::Read;
    check_host_access(&buffer, reads, !reads)?;
    let (inside, host) = (Address(inside), Address(host.cast()));
    let (kind, from, to) = match direction {
        Direction::Read => (cl::CL_COMMAND_READ_BUFFER, inside, host),
        Direction::Write => (cl::CL_COMMAND_WRITE_BUFFER, host, inside),
    };
    let device = Arc::clone(&queue.device);
    let work = Box::new(move || {
        // SAFETY: within the buffer, which is held until the end; the program's side is promised.
        unsafe { copy(&device.host, from, to, size) };
        drop(buffer);
        Ok(())
    });
    // SAFETY: by the caller's promise.
    unsafe { enqueue(&queue, kind, waits, blocking != 0, tail, work) }
}

/// Copies from buffer to buffer.
///
/// # Safety
/// As the specification has it: the wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_copy_buffer(
    command_queue: cl::cl_command_queue,
    src_buffer: cl::cl_mem,
    dst_buffer: cl::cl_mem,
    src_offset: usize,
    dst_offset: usize,
    size: usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_CONTEXT if the context associated with command_queue and src_buffer are not the same; if the context
        // associated with command_queue and dst_buffer are not the same." "CL_INVALID_MEM_OBJECT if src_buffer is not a valid
        // buffer object; if dst_buffer is not a valid buffer object."
        let (from, to) = (buffer_of(&queue, src_buffer)?, buffer_of(&queue, dst_buffer)?);
        // "CL_INVALID_VALUE if the region specified by src_offset and size is out of bounds of src_buffer; if the region
        // specified by dst_offset and size is out of bounds of dst_buffer."
        let source = from.region(src_offset, size).ok_or(Status::INVALID_VALUE)?;
        let target = to.region(dst_offset, size).ok_or(Status::INVALID_VALUE)?;
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // "CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object and the source and
        // destination regions overlap; if src_buffer and dst_buffer are different sub-buffers of the same associated buffer
        // object and they overlap."
        if from.shares_store(&to) && (source as usize).abs_diff(target as usize) < size {
            return Err(Status::MEM_COPY_OVERLAP);
        }
        let (source, target) = (Address(source), Address(target));
        let device = Arc::clone(&queue.device);
        let work = Box::new(move || {
            // SAFETY: within the buffers, which are held until the end.
            unsafe { copy(&device.host, source, target, size) };
            drop((from, to));
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_COPY_BUFFER, waits, false, tail, work) }
    })
}

/// The largest vector type has 128 bytes.
pub(super) const MAX_PATTERN: usize = 128;

/// A pattern to fill with.
///
/// # Errors
/// "CL_INVALID_VALUE … if pattern is NULL; if pattern_size is zero; if pattern_size is not a power of two; if pattern_size is
/// greater than 128".
///
/// # Safety
/// `pattern` is null or has `size` bytes.
pub(super) unsafe fn read_pattern(pattern: *const c_void, size: usize) -> Result<Vec<u8>> {
    if pattern.is_null() || !size.is_power_of_two() || size > MAX_PATTERN {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(pattern.cast::<u8>(), size) }.to_vec())
}

/// Fills a part of a buffer with a pattern.
///
/// # Safety
/// As the specification has it: `pattern` has `pattern_size` bytes, the wait list has so many handles, `event` is null or
/// writable.
pub unsafe extern "C" fn enqueue_fill_buffer(
    command_queue: cl::cl_command_queue,
    buffer: cl::cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        let buffer = buffer_of(&queue, buffer)?;
        // "CL_INVALID_VALUE if the region being filled specified by offset and size is out of bounds;"
        let target = Address(buffer.region(offset, size).ok_or(Status::INVALID_VALUE)?);
        // SAFETY: by the caller's promise.
        let pattern = unsafe { read_pattern(pattern, pattern_size) }?;
        // "… if offset is not a multiple of pattern_size; if size is not a multiple of pattern_size."
        if !offset.is_multiple_of(pattern_size) || !size.is_multiple_of(pattern_size) {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        let device = Arc::clone(&queue.device);
        let work = Box::new(move || {
            // SAFETY: within the buffer, which is held until the end.
            unsafe { fill(&device.host, target, size, &pattern) };
            drop(buffer);
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_FILL_BUFFER, waits, false, tail, work) }
    })
}
