//! Pipes, which no device has (`CL_DEVICE_PIPE_SUPPORT` is false): what the specification has the calls answer then.

use super::create;
use crate::core::context::Context;
use crate::core::memory::Memory;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

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
    let absent = || -> Result<Arc<Memory>> {
        // "CL_INVALID_CONTEXT if context is not a valid context."
        Context::pool().get(context)?;
        // "CL_INVALID_OPERATION if no devices in context support pipes."
        Err(Status::INVALID_OPERATION)
    };
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, absent) }
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
