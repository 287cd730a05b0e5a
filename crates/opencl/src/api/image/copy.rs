//! Copying between images, and between images and buffers.

use super::{as_image, image_of, place};
use crate::api::call;
use crate::api::rect::triple;
use crate::api::transfer::{Tail, buffer_of, enqueue};
use crate::core::event::Waits;
use crate::core::memory::Memory;
use crate::core::memory::transfer::{Address, Placed, copy_rect};
use crate::core::queue::Queue;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::sync::Arc;

/// Copies a region from image to image.
///
/// # Safety
/// As the specification has it: origins and region are null or three numbers, the wait list has so many handles, `event` is
/// null or writable.
pub unsafe extern "C" fn enqueue_copy_image(
    command_queue: cl::cl_command_queue,
    src_image: cl::cl_mem,
    dst_image: cl::cl_mem,
    src_origin: *const usize,
    dst_origin: *const usize,
    region: *const usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        let (from, to) = (image_of(&queue, src_image)?, image_of(&queue, dst_image)?);
        // "CL_IMAGE_FORMAT_MISMATCH if src_image and dst_image do not use the same image format."
        if as_image(&from)?.format != as_image(&to)?.format {
            return Err(Status::IMAGE_FORMAT_MISMATCH);
        }
        // "CL_INVALID_VALUE if src_origin, dst_origin, or region is NULL; if the 2D or 3D rectangular region specified by
        // src_origin and src_origin + region refers to a region outside src_image, or … outside dst_image; if values in
        // src_origin, dst_origin and region do not follow rules described in the argument description".
        // SAFETY: by the caller's promise, three times.
        let (region, source, target) = unsafe { (triple(region)?, triple(src_origin)?, triple(dst_origin)?) };
        let (source, bytes) = place(&from, source, region)?;
        let (target, _) = place(&to, target, region)?;
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // "CL_MEM_COPY_OVERLAP if src_image and dst_image are the same image object and the source and destination regions
        // overlap."
        if std::ptr::eq(&raw const *from, &raw const *to) && source.1.overlaps(&target.1, bytes) {
            return Err(Status::MEM_COPY_OVERLAP);
        }
        let copy = Copy { kind: cl::CL_COMMAND_COPY_IMAGE, from: source, to: target, bytes, held: [from, to] };
        // SAFETY: by the caller's promise.
        unsafe { copy.enqueue(&queue, waits, tail) }
    })
}

/// Copies a region of an image to a buffer, without gaps.
///
/// # Safety
/// As the specification has it: origin and region are null or three numbers, the wait list has so many handles, `event` is null
/// or writable.
pub unsafe extern "C" fn enqueue_copy_image_to_buffer(
    command_queue: cl::cl_command_queue,
    src_image: cl::cl_mem,
    dst_buffer: cl::cl_mem,
    src_origin: *const usize,
    region: *const usize,
    dst_offset: usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // SAFETY: by the caller's promise.
        let sides = unsafe { Sides::read(command_queue, src_image, dst_buffer, src_origin, region, dst_offset, tail) }?;
        let Sides { queue, waits, image, buffer, inside, packed, bytes } = sides;
        let kind = cl::CL_COMMAND_COPY_IMAGE_TO_BUFFER;
        let copy = Copy { kind, from: inside, to: packed, bytes, held: [image, buffer] };
        // SAFETY: by the caller's promise.
        unsafe { copy.enqueue(&queue, waits, tail) }
    })
}

/// Copies a buffer to a region of an image, without gaps.
///
/// # Safety
/// As [`enqueue_copy_image_to_buffer`].
pub unsafe extern "C" fn enqueue_copy_buffer_to_image(
    command_queue: cl::cl_command_queue,
    src_buffer: cl::cl_mem,
    dst_image: cl::cl_mem,
    src_offset: usize,
    dst_origin: *const usize,
    region: *const usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // SAFETY: by the caller's promise.
        let sides = unsafe { Sides::read(command_queue, dst_image, src_buffer, dst_origin, region, src_offset, tail) }?;
        let Sides { queue, waits, image, buffer, inside, packed, bytes } = sides;
        let kind = cl::CL_COMMAND_COPY_BUFFER_TO_IMAGE;
        let copy = Copy { kind, from: packed, to: inside, bytes, held: [image, buffer] };
        // SAFETY: by the caller's promise.
        unsafe { copy.enqueue(&queue, waits, tail) }
    })
}

/// What the two calls above have in common.
struct Sides {
    queue: Arc<Queue>,
    waits: Waits,
    image: Arc<Memory>,
    buffer: Arc<Memory>,
    inside: Placed,
    packed: Placed,
    bytes: [usize; 3],
}

impl Sides {
    /// # Safety
    /// As [`enqueue_copy_image_to_buffer`].
    unsafe fn read(
        queue: cl::cl_command_queue,
        image: cl::cl_mem,
        buffer: cl::cl_mem,
        origin: *const usize,
        region: *const usize,
        offset: usize,
        tail: Tail,
    ) -> Result<Self> {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(queue)?;
        // "CL_INVALID_MEM_OBJECT if src_image is not a valid image object or dst_buffer is not a valid buffer object or if
        // src_image is a 1D image buffer object created from dst_buffer."
        let (image, buffer) = (image_of(&queue, image)?, buffer_of(&queue, buffer)?);
        let shape = {
            let inner = as_image(&image)?;
            if inner.buffer.as_ref().is_some_and(|of| Arc::ptr_eq(of, &buffer)) {
                return Err(Status::INVALID_MEM_OBJECT);
            }
            inner.shape
        };
        // "CL_INVALID_VALUE if src_origin or region is NULL; if the 1D, 2D or 3D rectangular region … refers to a region
        // outside src_image, or if the region specified by dst_offset and dst_cb to a region outside dst_buffer; if values in
        // src_origin and region do not follow rules described in the argument description".
        // SAFETY: by the caller's promise, twice.
        let (origin, region) = unsafe { (triple(origin)?, triple(region)?) };
        let (inside, bytes) = place(&image, origin, region)?;
        let packed = shape.packed(region, offset)?;
        if packed.end > buffer.size() {
            return Err(Status::INVALID_VALUE);
        }
        let packed = Placed(Address(buffer.address()), packed);
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        Ok(Self { queue, waits, image, buffer, inside, packed, bytes })
    }
}

/// A copy that was checked.
struct Copy {
    kind: cl::cl_command_type,
    from: Placed,
    to: Placed,
    bytes: [usize; 3],
    held: [Arc<Memory>; 2],
}

impl Copy {
    /// # Safety
    /// The event of `tail` is null or writable.
    unsafe fn enqueue(self, queue: &Arc<Queue>, waits: Waits, tail: Tail) -> Result {
        let Self { kind, from, to, bytes, held } = self;
        let device = Arc::clone(&queue.device);
        let work = Box::new(move || {
            // SAFETY: within the objects, which are held until the end.
            unsafe { copy_rect(&device.host, from, to, bytes) };
            drop(held);
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(queue, kind, waits, false, tail, work) }
    }
}
