//! Rectangles within buffers: reading, writing, copying.

use super::call;
use super::transfer::{Direction, Tail, buffer_of, check_host_access, enqueue};
use crate::core::memory::Memory;
use crate::core::memory::transfer::{Address, Layout, Placed, copy_rect};
use crate::core::queue::Queue;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Three numbers: an origin or a region.
///
/// # Errors
/// "CL_INVALID_VALUE if buffer_origin, host_origin, or region is NULL".
///
/// # Safety
/// `numbers` is null or points to three.
pub(super) unsafe fn triple(numbers: *const usize) -> Result<[usize; 3]> {
    if numbers.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise; it need not be aligned.
    Ok(unsafe { numbers.cast::<[usize; 3]>().read_unaligned() })
}

/// One side of a transfer as the API gives it.
#[derive(Clone, Copy)]
struct Side {
    origin: *const usize,
    row_pitch: usize,
    slice_pitch: usize,
}

impl Side {
    /// Where its rows are.
    ///
    /// # Errors
    /// See [`Layout::new`].
    ///
    /// # Safety
    /// The origin is null or points to three numbers.
    unsafe fn layout(self, region: [usize; 3]) -> Result<Layout> {
        // SAFETY: by the caller's promise.
        let origin = unsafe { triple(self.origin) }?;
        Layout::new(origin, region, self.row_pitch, self.slice_pitch)
    }
}

/// "CL_INVALID_VALUE … if the region being read or written specified by buffer_origin, region, buffer_row_pitch, and
/// buffer_slice_pitch is out of bounds".
fn check_bounds(buffer: &Memory, layout: &Layout) -> Result {
    if layout.end > buffer.size() { Err(Status::INVALID_VALUE) } else { Ok(()) }
}

/// Reads a rectangle of a buffer.
///
/// # Safety
/// As the specification has it: origins and region are null or three numbers, `ptr` has room for the rows until the command
/// has ended, the wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_read_buffer_rect(
    command_queue: cl::cl_command_queue,
    buffer: cl::cl_mem,
    blocking_read: cl::cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    buffer_row_pitch: usize,
    buffer_slice_pitch: usize,
    host_row_pitch: usize,
    host_slice_pitch: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let inside = Side { origin: buffer_origin, row_pitch: buffer_row_pitch, slice_pitch: buffer_slice_pitch };
    let outside = Side { origin: host_origin, row_pitch: host_row_pitch, slice_pitch: host_slice_pitch };
    let transfer = Transfer { direction: Direction::Read, inside, outside, region, host: ptr };
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    // SAFETY: the caller's promises, passed on.
    call(|| unsafe { transfer.enqueue(command_queue, buffer, blocking_read != 0, tail) })
}

/// Writes a rectangle of a buffer.
///
/// # Safety
/// As the specification has it: origins and region are null or three numbers, `ptr` has the rows, which stay until the command
/// has ended, the wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_write_buffer_rect(
    command_queue: cl::cl_command_queue,
    buffer: cl::cl_mem,
    blocking_write: cl::cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    buffer_row_pitch: usize,
    buffer_slice_pitch: usize,
    host_row_pitch: usize,
    host_slice_pitch: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let inside = Side { origin: buffer_origin, row_pitch: buffer_row_pitch, slice_pitch: buffer_slice_pitch };
    let outside = Side { origin: host_origin, row_pitch: host_row_pitch, slice_pitch: host_slice_pitch };
    let transfer = Transfer { direction: Direction::Write, inside, outside, region, host: ptr.cast_mut() };
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    // SAFETY: the caller's promises, passed on.
    call(|| unsafe { transfer.enqueue(command_queue, buffer, blocking_write != 0, tail) })
}

/// A rectangle to be read or written.
struct Transfer {
    direction: Direction,
    inside: Side,
    outside: Side,
    region: *const usize,
    host: *mut c_void,
}

impl Transfer {
    /// # Safety
    /// As [`enqueue_read_buffer_rect`] or [`enqueue_write_buffer_rect`].
    unsafe fn enqueue(self, queue: cl::cl_command_queue, buffer: cl::cl_mem, blocking: bool, tail: Tail) -> Result {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(queue)?;
        let buffer = buffer_of(&queue, buffer)?;
        // "CL_INVALID_VALUE if buffer_origin, host_origin, or region is NULL; if the region being read or written specified by
        // buffer_origin, region, buffer_row_pitch, and buffer_slice_pitch is out of bounds; if any region array element is
        // zero; if buffer_row_pitch is not equal to zero and is less than region[0]; …" and so on for both sides.
        // SAFETY: by the caller's promise, three times.
        let (region, inside, outside) = unsafe {
            let region = triple(self.region)?;
            (region, self.inside.layout(region)?, self.outside.layout(region)?)
        };
        check_bounds(&buffer, &inside)?;
        // "… if ptr is NULL."
        if self.host.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        let reads = self.direction == Direction::Read;
        check_host_access(&buffer, reads, !reads)?;
        let store = Placed(Address(buffer.address()), inside);
        let host = Placed(Address(self.host.cast()), outside);
        let (from, to) = if reads { (store, host) } else { (host, store) };
        let device = Arc::clone(&queue.device);
        let work = Box::new(move || {
            // SAFETY: within the buffer, which is held until the end; the program's side is promised.
            unsafe { copy_rect(&device.host, from, to, region) };
            drop(buffer);
            Ok(())
        });
        let kind = if reads { cl::CL_COMMAND_READ_BUFFER_RECT } else { cl::CL_COMMAND_WRITE_BUFFER_RECT };
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, kind, waits, blocking, tail, work) }
    }
}

/// Copies a rectangle from buffer to buffer.
///
/// # Safety
/// As the specification has it: origins and region are null or three numbers, the wait list has so many handles, `event` is
/// null or writable.
pub unsafe extern "C" fn enqueue_copy_buffer_rect(
    command_queue: cl::cl_command_queue,
    src_buffer: cl::cl_mem,
    dst_buffer: cl::cl_mem,
    src_origin: *const usize,
    dst_origin: *const usize,
    region: *const usize,
    src_row_pitch: usize,
    src_slice_pitch: usize,
    dst_row_pitch: usize,
    dst_slice_pitch: usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_CONTEXT if the context associated with command_queue and src_buffer are not the same; … dst_buffer …"
        // "CL_INVALID_MEM_OBJECT if src_buffer is not a valid buffer object; if dst_buffer is not a valid buffer object."
        let (from, to) = (buffer_of(&queue, src_buffer)?, buffer_of(&queue, dst_buffer)?);
        let source = Side { origin: src_origin, row_pitch: src_row_pitch, slice_pitch: src_slice_pitch };
        let target = Side { origin: dst_origin, row_pitch: dst_row_pitch, slice_pitch: dst_slice_pitch };
        // "CL_INVALID_VALUE if src_origin, dst_origin, or region is NULL; if the region specified by src_origin, region,
        // src_row_pitch, and src_slice_pitch is out of bounds of src_buffer; …" and so on for both sides.
        // SAFETY: by the caller's promise, three times.
        let (region, source, target) = unsafe {
            let region = triple(region)?;
            (region, source.layout(region)?, target.layout(region)?)
        };
        check_bounds(&from, &source)?;
        check_bounds(&to, &target)?;
        // "… if src_buffer and dst_buffer are the same buffer object and src_row_pitch is not equal to dst_row_pitch; if
        // src_buffer and dst_buffer are the same buffer object and src_slice_pitch is not equal to dst_slice_pitch."
        let same = std::ptr::eq(&raw const *from, &raw const *to);
        if same && (source.row, source.slice) != (target.row, target.slice) {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // "CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object and the source and
        // destination regions overlap; if src_buffer and dst_buffer are different sub-buffers of the same associated buffer
        // object and they overlap."
        if from.shares_store(&to) {
            let in_store = |of: &Memory, l: Layout| l.moved(of.parent().map_or(0, |(_, offset)| offset));
            if in_store(&from, source).overlaps(&in_store(&to, target), region) {
                return Err(Status::MEM_COPY_OVERLAP);
            }
        }
        let device = Arc::clone(&queue.device);
        let (source, target) = (Placed(Address(from.address()), source), Placed(Address(to.address()), target));
        let work = Box::new(move || {
            // SAFETY: within the buffers, which are held until the end.
            unsafe { copy_rect(&device.host, source, target, region) };
            drop((from, to));
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_COPY_BUFFER_RECT, waits, false, tail, work) }
    })
}
