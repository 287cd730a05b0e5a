//! Making programs, and references to them.

use super::list;
use crate::api::{call, create};
use crate::core::context::Context;
use crate::core::program::{Origin, Program};
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::{CStr, c_char};
use std::sync::Arc;

/// `clCreateProgramWithSource`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_program_with_source(
    context: cl::cl_context,
    count: cl::cl_uint,
    strings: *mut *const c_char,
    lengths: *const usize,
    code: *mut cl::cl_int,
) -> cl::cl_program {
    // SAFETY: by the caller's promise.
    unsafe { create(code, || with_source(context, count, strings, lengths)) }
}

unsafe fn with_source(
    context: cl::cl_context,
    count: cl::cl_uint,
    strings: *mut *const c_char,
    lengths: *const usize,
) -> Result<Arc<Program>> {
    // "CL_INVALID_CONTEXT if context is not a valid context."
    let context = Context::pool().get(context)?;
    // "CL_INVALID_VALUE if count is zero or if strings or any entry in strings is NULL."
    if count == 0 || strings.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    let strings = unsafe { list(strings.cast_const(), count as usize) };
    if strings.iter().any(|s| s.is_null()) {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    let lengths = unsafe { list(lengths, count as usize) };
    let mut text = Vec::new();
    for (n, &string) in strings.iter().enumerate() {
        match lengths.get(n) {
            // "If an element in lengths is zero, its accompanying string is null-terminated. If lengths is NULL, all
            // strings in the strings argument are considered null-terminated."
            // SAFETY: by the caller's promise.
            None | Some(0) => text.extend_from_slice(unsafe { CStr::from_ptr(string) }.to_bytes()),
            // "Any length value passed in that is greater than zero excludes the null terminator in its count."
            // SAFETY: by the caller's promise.
            Some(&length) => text.extend_from_slice(unsafe { list(string.cast::<u8>(), length) }),
        }
    }
    let devices = context.devices.clone();
    Program::new(context, devices, Origin::Source(text.into()))
}

/// `clRetainProgram`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn retain_program(program: cl::cl_program) -> cl::cl_int {
    // "CL_INVALID_PROGRAM if program is not a valid program object."
    call(|| Program::pool().retain(program))
}

/// `clReleaseProgram`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn release_program(program: cl::cl_program) -> cl::cl_int {
    // "CL_INVALID_PROGRAM if program is not a valid program object."
    call(|| Program::pool().release(program))
}
