//! What is known of images, and which formats there are.

use super::as_image;
use crate::api::call;
use crate::api::memory::flags_are_valid;
use crate::core::context::Context;
use crate::core::features;
use crate::core::image::format::formats;
use crate::core::image::shape::is_image;
use crate::core::memory::Memory;
use crate::handle::Object;
use crate::info::Reply;
use crate::status::Status;
use opencl_sys as cl;
use std::ffi::c_void;

/// The formats of images.
///
/// # Safety
/// As the specification has it: `image_formats` is null or has room for so many, `num_image_formats` is null or writable.
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
        let both = flags & cl::CL_MEM_KERNEL_READ_AND_WRITE != 0;
        let flags = if both { flags & !cl::CL_MEM_KERNEL_READ_AND_WRITE } else { flags };
        if !flags_are_valid(flags) || !is_image(image_type) || num_entries == 0 && !image_formats.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        let there = features::images() && (!both || features::read_write_images());
        let all: Vec<_> = if there { formats().collect() } else { Vec::new() };
        if !image_formats.is_null() {
            for (n, format) in all.iter().take(num_entries as usize).enumerate() {
                // SAFETY: by the caller's promise.
                unsafe { image_formats.add(n).write_unaligned(format.raw()) };
            }
        }
        if !num_image_formats.is_null() {
            // SAFETY: by the caller's promise.
            unsafe { num_image_formats.write_unaligned(all.len() as u32) };
        }
        Ok(())
    })
}

/// Tells what is known of an image.
///
/// # Safety
/// As the specification has it: `param_value` is null or has room for `param_value_size` bytes, `param_value_size_ret` is null
/// or writable.
pub unsafe extern "C" fn get_image_info(
    image: cl::cl_mem,
    param_name: cl::cl_image_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_MEM_OBJECT if image is a not a valid image object."
        let memory = Memory::pool().get(image)?;
        let image = as_image(&memory)?;
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        let shape = &image.shape;
        match param_name {
            cl::CL_IMAGE_FORMAT => reply.value([image.format.order, image.format.channel]),
            cl::CL_IMAGE_ELEMENT_SIZE => reply.value(shape.element),
            cl::CL_IMAGE_ROW_PITCH => reply.value(shape.row_pitch),
            cl::CL_IMAGE_SLICE_PITCH => reply.value(shape.slice_pitch),
            cl::CL_IMAGE_WIDTH => reply.value(shape.width),
            cl::CL_IMAGE_HEIGHT => reply.value(shape.height),
            cl::CL_IMAGE_DEPTH => reply.value(shape.depth),
            cl::CL_IMAGE_ARRAY_SIZE => reply.value(shape.layers),
            cl::CL_IMAGE_BUFFER => {
                reply.value(image.buffer.as_ref().map_or(std::ptr::null_mut(), |buffer| buffer.handle().raw()))
            }
            cl::CL_IMAGE_NUM_MIP_LEVELS | cl::CL_IMAGE_NUM_SAMPLES => reply.value(0u32),
            // "CL_INVALID_VALUE if param_name is not one of the supported values, …"
            _ => Err(Status::INVALID_VALUE),
        }
    })
}
