//! Images and pipes, which no device has (`CL_DEVICE_IMAGE_SUPPORT` and `CL_DEVICE_PIPE_SUPPORT` are false): what the
//! specification has the calls answer then. As no image can be made, "image is not a valid image object" whatever is passed.

use super::{call, create};
use crate::core::context::Context;
use crate::core::memory::Memory;
use crate::core::queue::Queue;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// What the calls that make images or pipes answer.
fn absent(context: cl::cl_context) -> Result<Arc<Memory>> {
    // "CL_INVALID_CONTEXT if context is not a valid context."
    Context::pool().get(context)?;
    // "CL_INVALID_OPERATION if there are no devices in context that support images (i.e. CL_DEVICE_IMAGE_SUPPORT … is
    // CL_FALSE)." "CL_INVALID_OPERATION if no devices in context support pipes." It is the next in both lists.
    Err(Status::INVALID_OPERATION)
}

/// What the calls that enqueue commands on images answer.
fn no_image(queue: cl::cl_command_queue) -> Result {
    // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
    Queue::pool().get(queue)?;
    // "CL_INVALID_MEM_OBJECT if image is not a valid image object."
    Err(Status::INVALID_MEM_OBJECT)
}

/// Makes no 2D image.
///
/// # Safety
/// `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_image_2d(
    context: cl::cl_context,
    _: cl::cl_mem_flags,
    _: *const cl::cl_image_format,
    _: usize,
    _: usize,
    _: usize,
    _: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || absent(context)) }
}

/// Makes no 3D image.
///
/// # Safety
/// `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_image_3d(
    context: cl::cl_context,
    _: cl::cl_mem_flags,
    _: *const cl::cl_image_format,
    _: usize,
    _: usize,
    _: usize,
    _: usize,
    _: usize,
    _: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || absent(context)) }
}

/// Makes no image.
///
/// # Safety
/// `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_image(
    context: cl::cl_context,
    _: cl::cl_mem_flags,
    _: *const cl::cl_image_format,
    _: *const cl::cl_image_desc,
    _: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || absent(context)) }
}

/// Makes no image.
///
/// # Safety
/// `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_image_with_properties(
    context: cl::cl_context,
    _: *const cl::cl_mem_properties,
    _: cl::cl_mem_flags,
    _: *const cl::cl_image_format,
    _: *const cl::cl_image_desc,
    _: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || absent(context)) }
}

/// Makes no pipe.
///
/// # Safety
/// `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_pipe(
    context: cl::cl_context,
    _: cl::cl_mem_flags,
    _: cl::cl_uint,
    _: cl::cl_uint,
    _: *const cl::cl_pipe_properties,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || absent(context)) }
}

/// The formats of images: none.
///
/// # Safety
/// As the specification has it: `num_image_formats` is null or writable.
pub unsafe extern "C" fn get_supported_image_formats(
    context: cl::cl_context,
    flags: cl::cl_mem_flags,
    image_type: cl::cl_mem_object_type,
    num_entries: cl::cl_uint,
    image_formats: *mut cl::cl_image_format,
    num_image_formats: *mut cl::cl_uint,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_CONTEXT if context is not a valid context."
        Context::pool().get(context)?;
        // "CL_INVALID_VALUE if flags is not valid; if image_type is not valid; if num_entries is zero and image_formats is
        // not NULL." "CL_MEM_KERNEL_READ_AND_WRITE … is only used by clGetSupportedImageFormats".
        let kernel_access = flags & cl::CL_MEM_KERNEL_READ_AND_WRITE != 0;
        let flags = if kernel_access { flags & !cl::CL_MEM_KERNEL_READ_AND_WRITE } else { flags };
        let known = matches!(
            image_type,
            cl::CL_MEM_OBJECT_IMAGE1D
                | cl::CL_MEM_OBJECT_IMAGE1D_BUFFER
                | cl::CL_MEM_OBJECT_IMAGE2D
                | cl::CL_MEM_OBJECT_IMAGE3D
                | cl::CL_MEM_OBJECT_IMAGE1D_ARRAY
                | cl::CL_MEM_OBJECT_IMAGE2D_ARRAY
        );
        if !super::memory::flags_are_valid(flags) || !known || num_entries == 0 && !image_formats.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        if !num_image_formats.is_null() {
            // SAFETY: by the caller's promise.
            unsafe { num_image_formats.write(0) };
        }
        Ok(())
    })
}

/// Tells nothing of images.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn get_image_info(
    _: cl::cl_mem,
    _: cl::cl_image_info,
    _: usize,
    _: *mut c_void,
    _: *mut usize,
) -> cl::cl_int {
    // "CL_INVALID_MEM_OBJECT if image is a not a valid image object."
    cl::CL_INVALID_MEM_OBJECT
}

/// Tells nothing of pipes.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn get_pipe_info(
    _: cl::cl_mem,
    _: cl::cl_pipe_info,
    _: usize,
    _: *mut c_void,
    _: *mut usize,
) -> cl::cl_int {
    // "Returns CL_INVALID_MEM_OBJECT since pipe cannot be a valid pipe object."
    cl::CL_INVALID_MEM_OBJECT
}

/// Reads no image.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn enqueue_read_image(
    command_queue: cl::cl_command_queue,
    _: cl::cl_mem,
    _: cl::cl_bool,
    _: *const usize,
    _: *const usize,
    _: usize,
    _: usize,
    _: *mut c_void,
    _: cl::cl_uint,
    _: *const cl::cl_event,
    _: *mut cl::cl_event,
) -> cl::cl_int {
    call(|| no_image(command_queue))
}

/// Writes no image.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn enqueue_write_image(
    command_queue: cl::cl_command_queue,
    _: cl::cl_mem,
    _: cl::cl_bool,
    _: *const usize,
    _: *const usize,
    _: usize,
    _: usize,
    _: *const c_void,
    _: cl::cl_uint,
    _: *const cl::cl_event,
    _: *mut cl::cl_event,
) -> cl::cl_int {
    call(|| no_image(command_queue))
}

/// Fills no image.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn enqueue_fill_image(
    command_queue: cl::cl_command_queue,
    _: cl::cl_mem,
    _: *const c_void,
    _: *const usize,
    _: *const usize,
    _: cl::cl_uint,
    _: *const cl::cl_event,
    _: *mut cl::cl_event,
) -> cl::cl_int {
    call(|| no_image(command_queue))
}

/// Copies no image.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn enqueue_copy_image(
    command_queue: cl::cl_command_queue,
    _: cl::cl_mem,
    _: cl::cl_mem,
    _: *const usize,
    _: *const usize,
    _: *const usize,
    _: cl::cl_uint,
    _: *const cl::cl_event,
    _: *mut cl::cl_event,
) -> cl::cl_int {
    call(|| no_image(command_queue))
}

/// Copies no image to a buffer.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn enqueue_copy_image_to_buffer(
    command_queue: cl::cl_command_queue,
    _: cl::cl_mem,
    _: cl::cl_mem,
    _: *const usize,
    _: *const usize,
    _: usize,
    _: cl::cl_uint,
    _: *const cl::cl_event,
    _: *mut cl::cl_event,
) -> cl::cl_int {
    call(|| no_image(command_queue))
}

/// Copies no buffer to an image.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn enqueue_copy_buffer_to_image(
    command_queue: cl::cl_command_queue,
    _: cl::cl_mem,
    _: cl::cl_mem,
    _: usize,
    _: *const usize,
    _: *const usize,
    _: cl::cl_uint,
    _: *const cl::cl_event,
    _: *mut cl::cl_event,
) -> cl::cl_int {
    call(|| no_image(command_queue))
}

/// Maps no image.
///
/// # Safety
/// `errcode_ret` is null or writable.
pub unsafe extern "C" fn enqueue_map_image(
    command_queue: cl::cl_command_queue,
    _: cl::cl_mem,
    _: cl::cl_bool,
    _: cl::cl_map_flags,
    _: *const usize,
    _: *const usize,
    _: *mut usize,
    _: *mut usize,
    _: cl::cl_uint,
    _: *const cl::cl_event,
    _: *mut cl::cl_event,
    errcode_ret: *mut cl::cl_int,
) -> *mut c_void {
    let refuse = || no_image(command_queue).map(|()| std::ptr::null_mut());
    // SAFETY: by the caller's promise.
    unsafe { super::pointer(errcode_ret, refuse) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::platform::Platform;
    use std::ptr::null_mut;

    #[test]
    fn there_are_no_formats() {
        let platform = Platform::get().expect("a platform");
        let context = Context::new(platform.devices.clone(), Vec::new(), None).expect("room");
        let ask = |flags, kind, entries| {
            let mut count = 7;
            let mut format = cl::cl_image_format { image_channel_order: 0, image_channel_data_type: 0 };
            let to = if entries == 0 { null_mut() } else { &raw mut format };
            let handle = context.handle().raw();
            // SAFETY: the places are as large as the call says.
            let code = unsafe { get_supported_image_formats(handle, flags, kind, entries, to, &raw mut count) };
            (code, count)
        };
        for kind in cl::CL_MEM_OBJECT_IMAGE2D..=cl::CL_MEM_OBJECT_IMAGE1D_BUFFER {
            for flags in [0, cl::CL_MEM_READ_ONLY, cl::CL_MEM_KERNEL_READ_AND_WRITE] {
                assert_eq!((ask(flags, kind, 0), ask(flags, kind, 1)), ((0, 0), (0, 0)));
            }
        }
        assert_eq!(ask(0, cl::CL_MEM_OBJECT_PIPE, 0), (cl::CL_INVALID_VALUE, 7));
    }
}
