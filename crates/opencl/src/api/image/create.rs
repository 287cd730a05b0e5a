//! Making images.

use crate::api::create;
use crate::api::memory::{check_host_ptr, flags_are_valid, read_properties, sub_buffer_flags};
use crate::core::context::Context;
use crate::core::features;
use crate::core::image::format::Format;
use crate::core::image::shape::Shape;
use crate::core::memory::{ImageSpec, Memory};
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Makes an image.
///
/// # Safety
/// As the specification has it: format and description are null or readable, `host_ptr` is null or has the rows of the image,
/// for `CL_MEM_USE_HOST_PTR` as long as the image lives; `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_image(
    context: cl::cl_context,
    flags: cl::cl_mem_flags,
    image_format: *const cl::cl_image_format,
    image_desc: *const cl::cl_image_desc,
    host_ptr: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    // SAFETY: the caller's promises, passed on; no properties are as good as a null pointer.
    unsafe {
        create_image_with_properties(context, std::ptr::null(), flags, image_format, image_desc, host_ptr, errcode_ret)
    }
}

/// Makes an image.
///
/// # Safety
/// As [`create_image`]; `properties` is null or a list that ends with 0.
pub unsafe extern "C" fn create_image_with_properties(
    context: cl::cl_context,
    properties: *const cl::cl_mem_properties,
    flags: cl::cl_mem_flags,
    image_format: *const cl::cl_image_format,
    image_desc: *const cl::cl_image_desc,
    host_ptr: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    let make = || {
        let context = context_with_images(context)?;
        // SAFETY: by the caller's promise.
        let properties = unsafe { read_properties(properties) }?;
        // "CL_INVALID_VALUE if values specified in flags are not valid."
        if !flags_are_valid(flags) {
            return Err(Status::INVALID_VALUE);
        }
        // "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid or if image_format is NULL."
        // SAFETY: by the caller's promise.
        let format = unsafe { read_format(image_format) }?;
        // "CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid or if image_desc is NULL."
        if image_desc.is_null() {
            return Err(Status::INVALID_IMAGE_DESCRIPTOR);
        }
        // SAFETY: by the caller's promise.
        let desc = unsafe { image_desc.read_unaligned() };
        let (shape, buffer) = read_desc(&context, format, &desc, host_ptr)?;
        let flags = match &buffer {
            // "CL_INVALID_VALUE if an image is being created from another memory object (buffer or image) under one of the
            // following circumstances: …" They are those of sub-buffers, and so is what is inherited. "CL_INVALID_HOST_PTR if
            // host_ptr is not NULL but CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR are not set in flags."
            Some(buffer) => {
                let all = sub_buffer_flags(buffer.flags, flags)?;
                check_host_ptr(flags, host_ptr).map(|()| all)?
            }
            None => check_host_ptr(flags, host_ptr).map(|()| flags)?,
        };
        // SAFETY: by the caller's promise.
        unsafe { make_image(context, ImageSpec { flags, properties, format, shape, buffer, host_ptr }) }
    };
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, make) }
}

/// A context whose devices have images.
///
/// # Errors
/// "CL_INVALID_CONTEXT if context is not a valid context." "CL_INVALID_OPERATION if there are no devices in context that
/// support images".
fn context_with_images(raw: cl::cl_context) -> Result<Arc<Context>> {
    let context = Context::pool().get(raw)?;
    if features::images() { Ok(context) } else { Err(Status::INVALID_OPERATION) }
}

/// # Safety
/// `format` is null or readable.
unsafe fn read_format(format: *const cl::cl_image_format) -> Result<Format> {
    if format.is_null() {
        return Err(Status::INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
    // SAFETY: by the caller's promise.
    Format::new(unsafe { format.read_unaligned() })
}

/// The shape that a description means, and the buffer that it names.
///
/// # Errors
/// `CL_INVALID_IMAGE_DESCRIPTOR`, `CL_INVALID_IMAGE_SIZE`
fn read_desc(
    context: &Context,
    format: Format,
    desc: &cl::cl_image_desc,
    host_ptr: *mut c_void,
) -> Result<(Shape, Option<Arc<Memory>>)> {
    const WRONG: Status = Status::INVALID_IMAGE_DESCRIPTOR;
    // SAFETY: both fields of the union are handles.
    let object = unsafe { desc.__bindgen_anon_1.mem_object };
    let sides = [desc.image_width, desc.image_height, desc.image_depth];
    let shape = Shape::new(desc.image_type, sides, desc.image_array_size, format.bytes())?;
    // "num_mip_levels and num_samples must be 0."
    if desc.num_mip_levels != 0 || desc.num_samples != 0 {
        return Err(WRONG);
    }
    // "clCreateImage or clCreateImageWithProperties, passing image_type equal to CL_MEM_OBJECT_IMAGE2D and mem_object not equal
    // to NULL: returns CL_INVALID_OPERATION if no devices in context support creating a 2D image from a buffer."
    if desc.image_type == cl::CL_MEM_OBJECT_IMAGE2D && !object.is_null() {
        return Err(Status::INVALID_OPERATION);
    }
    // "mem_object … must be a buffer object if image_type is CL_MEM_OBJECT_IMAGE1D_BUFFER … Otherwise it must be NULL".
    if desc.image_type != cl::CL_MEM_OBJECT_IMAGE1D_BUFFER {
        if !object.is_null() {
            return Err(WRONG);
        }
        // "image_row_pitch … must be 0 if host_ptr is NULL", and so must image_slice_pitch.
        if host_ptr.is_null() && (desc.image_row_pitch != 0 || desc.image_slice_pitch != 0) {
            return Err(WRONG);
        }
        return Ok((shape.with_pitches(desc.image_row_pitch, desc.image_slice_pitch)?, None));
    }
    let buffer = Memory::pool().get(object).map_err(|_| WRONG)?;
    if buffer.as_image().is_some() || !buffer.context.is(context) {
        return Err(WRONG);
    }
    // The one row has the bytes of the buffer, so that a pitch could say nothing.
    let shape = shape.with_pitches(0, 0)?;
    // "For a 1D image buffer created from a buffer object, the image_width × size of element in bytes must be ≤ size of the
    // buffer object data store."
    if shape.bytes().is_none_or(|size| size > buffer.size()) {
        return Err(Status::INVALID_IMAGE_SIZE);
    }
    Ok((shape, Some(buffer)))
}

/// # Safety
/// As [`Memory::image`].
unsafe fn make_image(context: Arc<Context>, spec: ImageSpec) -> Result<Arc<Memory>> {
    // "CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for image object."
    let fits = |size: usize| context.devices.iter().any(|device| size as u64 <= device.max_allocation());
    if !spec.shape.bytes().is_some_and(fits) {
        return Err(Status::MEM_OBJECT_ALLOCATION_FAILURE);
    }
    // SAFETY: by the caller's promise.
    unsafe { Memory::image(context, spec) }
}

/// `clCreateImage2D`, of OpenCL 1.1.
///
/// # Safety
/// As [`create_image`].
pub unsafe extern "C" fn create_image_2d(
    context: cl::cl_context,
    flags: cl::cl_mem_flags,
    image_format: *const cl::cl_image_format,
    image_width: usize,
    image_height: usize,
    image_row_pitch: usize,
    host_ptr: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    let (sides, pitches) = ([image_width, image_height, 0], [image_row_pitch, 0]);
    let old = Old { kind: cl::CL_MEM_OBJECT_IMAGE2D, sides, pitches };
    // SAFETY: the caller's promises, passed on.
    unsafe { create(errcode_ret, || old.make(context, flags, image_format, host_ptr)) }
}

/// `clCreateImage3D`, of OpenCL 1.1.
///
/// # Safety
/// As [`create_image`].
pub unsafe extern "C" fn create_image_3d(
    context: cl::cl_context,
    flags: cl::cl_mem_flags,
    image_format: *const cl::cl_image_format,
    image_width: usize,
    image_height: usize,
    image_depth: usize,
    image_row_pitch: usize,
    image_slice_pitch: usize,
    host_ptr: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    let (sides, pitches) = ([image_width, image_height, image_depth], [image_row_pitch, image_slice_pitch]);
    let old = Old { kind: cl::CL_MEM_OBJECT_IMAGE3D, sides, pitches };
    // SAFETY: the caller's promises, passed on.
    unsafe { create(errcode_ret, || old.make(context, flags, image_format, host_ptr)) }
}

/// What OpenCL 1.1 describes an image by.
struct Old {
    kind: cl::cl_mem_object_type,
    sides: [usize; 3],
    pitches: [usize; 2],
}

impl Old {
    /// # Safety
    /// As [`create_image`].
    unsafe fn make(
        self,
        context: cl::cl_context,
        flags: cl::cl_mem_flags,
        format: *const cl::cl_image_format,
        host_ptr: *mut c_void,
    ) -> Result<Arc<Memory>> {
        let context = context_with_images(context)?;
        // "CL_INVALID_VALUE if values specified in flags are not valid."
        if !flags_are_valid(flags) {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let format = unsafe { read_format(format) }?;
        // "CL_INVALID_IMAGE_SIZE if image_width or image_height are 0 or if they exceed values specified in … for all devices
        // in context or if values specified by image_row_pitch do not follow rules described in the argument description".
        // OpenCL 1.1 wants at least two slices of a 3D image; later versions, whose calls these are too, want one.
        let [row, slice] = self.pitches;
        let pitched = host_ptr.is_null() && (row != 0 || slice != 0);
        let shape = Shape::new(self.kind, self.sides, 0, format.bytes()).and_then(|s| s.with_pitches(row, slice));
        let shape = shape.ok().filter(|_| !pitched).ok_or(Status::INVALID_IMAGE_SIZE)?;
        check_host_ptr(flags, host_ptr)?;
        let spec = ImageSpec { flags, properties: Vec::new(), format, shape, buffer: None, host_ptr };
        // SAFETY: by the caller's promise.
        unsafe { make_image(context, spec) }
    }
}
