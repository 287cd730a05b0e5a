//! Filling images with a colour.

use super::{as_image, image_of, place};
use crate::api::call;
use crate::api::rect::triple;
use crate::api::transfer::{Tail, enqueue};
use crate::core::image::format::Colour;
use crate::core::memory::transfer::fill_rect;
use crate::core::queue::Queue;
use crate::handle::Object;
use crate::status::Status;
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Fills a region of an image with a colour.
///
/// # Safety
/// As the specification has it: `fill_color` is null or has four numbers, origin and region are null or have three, the wait
/// list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_fill_image(
    command_queue: cl::cl_command_queue,
    image: cl::cl_mem,
    fill_color: *const c_void,
    origin: *const usize,
    region: *const usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        let image = image_of(&queue, image)?;
        // "CL_INVALID_VALUE if fill_color is NULL; if origin or region is NULL; if the region being filled as specified by
        // origin and region is out of bounds; if values in origin and region do not follow rules described in the argument
        // description for origin and region."
        if fill_color.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise; they need not be aligned.
        let (colour, origin, region) =
            unsafe { (fill_color.cast::<Colour>().read_unaligned(), triple(origin)?, triple(region)?) };
        let (inside, bytes) = place(&image, origin, region)?;
        let element = as_image(&image)?.format.encode(&colour);
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        let device = Arc::clone(&queue.device);
        let work = Box::new(move || {
            // SAFETY: within the image, which is held until the end.
            unsafe { fill_rect(&device.host, inside, bytes, &element) };
            drop(image);
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_FILL_IMAGE, waits, false, tail, work) }
    })
}
