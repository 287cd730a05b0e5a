//! Reading and writing images.

use super::{as_image, image_of, place};
use crate::api::call;
use crate::api::rect::triple;
use crate::api::transfer::{Direction, Tail, check_host_access, enqueue};
use crate::core::memory::transfer::{Address, Placed, copy_rect};
use crate::core::queue::Queue;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Reads a region of an image.
///
/// # Safety
/// As the specification has it: origin and region are null or three numbers, `ptr` has room for the rows until the command has
/// ended, the wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_read_image(
    command_queue: cl::cl_command_queue,
    image: cl::cl_mem,
    blocking_read: cl::cl_bool,
    origin: *const usize,
    region: *const usize,
    row_pitch: usize,
    slice_pitch: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let transfer =
        Transfer { direction: Direction::Read, origin, region, row_pitch, slice_pitch, host: Address(ptr.cast()) };
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    // SAFETY: the caller's promises, passed on.
    call(|| unsafe { transfer.enqueue(command_queue, image, blocking_read != 0, tail) })
}

/// Writes a region of an image.
///
/// # Safety
/// As the specification has it: origin and region are null or three numbers, `ptr` has the rows, which stay until the command
/// has ended, the wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_write_image(
    command_queue: cl::cl_command_queue,
    image: cl::cl_mem,
    blocking_write: cl::cl_bool,
    origin: *const usize,
    region: *const usize,
    input_row_pitch: usize,
    input_slice_pitch: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let (row_pitch, slice_pitch) = (input_row_pitch, input_slice_pitch);
    let host = Address(ptr.cast_mut().cast());
    let transfer = Transfer { direction: Direction::Write, origin, region, row_pitch, slice_pitch, host };
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    // SAFETY: the caller's promises, passed on.
    call(|| unsafe { transfer.enqueue(command_queue, image, blocking_write != 0, tail) })
}

/// A region to be read or written.
struct Transfer {
    direction: Direction,
    origin: *const usize,
    region: *const usize,
    row_pitch: usize,
    slice_pitch: usize,
    host: Address,
}

impl Transfer {
    /// # Safety
    /// As [`enqueue_read_image`] or [`enqueue_write_image`].
    unsafe fn enqueue(self, queue: cl::cl_command_queue, image: cl::cl_mem, blocking: bool, tail: Tail) -> Result {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(queue)?;
        let image = image_of(&queue, image)?;
        // "CL_INVALID_VALUE if origin or region is NULL." "CL_INVALID_VALUE if the region being read or written specified by
        // origin and region is out of bounds." "CL_INVALID_VALUE if values in origin and region do not follow rules described
        // in the argument description for origin and region." "CL_INVALID_VALUE if image is a 1D or 2D image and slice_pitch
        // or input_slice_pitch is not 0." "CL_INVALID_VALUE if ptr is NULL."
        // SAFETY: by the caller's promise, twice.
        let (origin, region) = unsafe { (triple(self.origin)?, triple(self.region)?) };
        let (inside, bytes) = place(&image, origin, region)?;
        let outside = as_image(&image)?.shape.host_layout(region, self.row_pitch, self.slice_pitch)?;
        if self.host.0.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // "CL_INVALID_OPERATION if clEnqueueReadImage is called on image which has been created with CL_MEM_HOST_WRITE_ONLY or
        // CL_MEM_HOST_NO_ACCESS; if clEnqueueWriteImage …"
        let reads = self.direction == Direction::Read;
        check_host_access(&image, reads, !reads)?;
        let host = Placed(self.host, outside);
        let (from, to) = if reads { (inside, host) } else { (host, inside) };
        let device = Arc::clone(&queue.device);
        let work = Box::new(move || {
            // SAFETY: within the image, which is held until the end; the program's side is promised.
            unsafe { copy_rect(&device.host, from, to, bytes) };
            drop(image);
            Ok(())
        });
        let kind = if reads { cl::CL_COMMAND_READ_IMAGE } else { cl::CL_COMMAND_WRITE_IMAGE };
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, kind, waits, blocking, tail, work) }
    }
}
