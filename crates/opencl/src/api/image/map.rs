//! Mapping images into the host's address space, where they are already.

use super::{as_image, image_of};
use crate::api::mapping::check_map_flags;
use crate::api::pointer;
use crate::api::rect::triple;
use crate::api::transfer::{Tail, check_host_access, enqueue};
use crate::core::check::written;
use crate::core::queue::Queue;
use crate::handle::Object;
use crate::status::Status;
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Maps a region of an image.
///
/// # Safety
/// As the specification has it: origin and region are null or three numbers, the pitches, `event` and `errcode_ret` are null or
/// writable, the wait list has so many handles.
pub unsafe extern "C" fn enqueue_map_image(
    command_queue: cl::cl_command_queue,
    image: cl::cl_mem,
    blocking_map: cl::cl_bool,
    map_flags: cl::cl_map_flags,
    origin: *const usize,
    region: *const usize,
    image_row_pitch: *mut usize,
    image_slice_pitch: *mut usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
    errcode_ret: *mut cl::cl_int,
) -> *mut c_void {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    let map = || {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        let image = image_of(&queue, image)?;
        let shape = as_image(&image)?.shape;
        // "CL_INVALID_VALUE if origin or region is NULL; if region being mapped given by (origin, origin + region) is out of
        // bounds or if values specified in map_flags are not valid; if values in origin and region do not follow rules …"
        // SAFETY: by the caller's promise, twice.
        let (origin, region) = unsafe { (triple(origin)?, triple(region)?) };
        let layout = shape.layout(origin, region)?;
        check_map_flags(map_flags)?;
        // "CL_INVALID_VALUE if image_row_pitch is NULL; if image is a 3D image, 1D or 2D image array object and
        // image_slice_pitch is NULL."
        if image_row_pitch.is_null() || shape.has_slices() && image_slice_pitch.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // "CL_INVALID_OPERATION if image has been created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_READ
        // is set in map_flags or if image has been created with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS and
        // CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION is set in map_flags."
        let write = map_flags & (cl::CL_MAP_WRITE | cl::CL_MAP_WRITE_INVALIDATE_REGION) != 0;
        check_host_access(&image, map_flags & cl::CL_MAP_READ != 0, write)?;
        let part = Some(std::array::from_fn(|d| (origin[d], region[d])));
        let address = image.map_box(layout.offset, layout.end - layout.offset, part, write)?.cast();
        let held = Arc::clone(&image);
        // The bytes are where the host sees them; the command only has its place in the order of commands.
        let work = Box::new(move || {
            if write {
                written::wrote(held.address().wrapping_add(layout.offset), layout.end - layout.offset);
            }
            drop(held);
            Ok(())
        });
        // SAFETY: by the caller's promise.
        let enqueued = unsafe { enqueue(&queue, cl::CL_COMMAND_MAP_IMAGE, waits, blocking_map != 0, tail, work) };
        if enqueued.is_err() {
            image.unmap(address)?;
        }
        enqueued?;
        // SAFETY: by the caller's promise.
        unsafe {
            image_row_pitch.write_unaligned(shape.row_pitch);
            // "For a 1D image or a 2D image, zero is returned if this argument is not NULL."
            if !image_slice_pitch.is_null() {
                image_slice_pitch.write_unaligned(shape.slice_pitch);
            }
        }
        Ok(address)
    };
    // SAFETY: by the caller's promise.
    unsafe { pointer(errcode_ret, map) }
}
