//! Making programs, and references to them.

use super::{devices, list};
use crate::api::{call, create};
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::program::binary::Loaded;
use crate::core::program::{Origin, Program};
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::{CStr, c_char, c_void};
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
            // "Any length value passed in that is greater than zero excludes the null terminator in its count." Programs
            // count it all the same (`sizeof source`), and no other platform minds.
            Some(&length) => {
                // SAFETY: by the caller's promise.
                let counted = unsafe { list(string.cast::<u8>(), length) };
                let end = counted.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
                text.extend_from_slice(&counted[..end]);
            }
        }
    }
    let devices = context.devices.clone();
    Program::new(context, devices, Origin::Source(text.into()))
}

/// `clCreateProgramWithBinary`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_program_with_binary(
    context: cl::cl_context,
    num_devices: cl::cl_uint,
    device_list: *const cl::cl_device_id,
    lengths: *const usize,
    binaries: *mut *const u8,
    binary_status: *mut cl::cl_int,
    code: *mut cl::cl_int,
) -> cl::cl_program {
    // SAFETY: by the caller's promise.
    unsafe {
        create(code, || with_binary(context, num_devices, device_list, (lengths, binaries.cast_const()), binary_status))
    }
}

unsafe fn with_binary(
    context: cl::cl_context,
    num_devices: cl::cl_uint,
    device_list: *const cl::cl_device_id,
    (lengths, binaries): (*const usize, *const *const u8),
    status: *mut cl::cl_int,
) -> Result<Arc<Program>> {
    // "CL_INVALID_CONTEXT if context is not a valid context."
    let context = Context::pool().get(context)?;
    // "CL_INVALID_VALUE if device_list is NULL or num_devices is zero." "CL_INVALID_DEVICE if any device in device_list is not
    // in the list of devices associated with context."
    // SAFETY: by the caller's promise.
    let devices = unsafe { all_devices(num_devices, device_list, &context.devices) }?;
    // "CL_INVALID_VALUE if lengths or binaries is NULL or if any entry in lengths[i] is zero or binaries[i] is NULL."
    if lengths.is_null() || binaries.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    let (lengths, binaries) = unsafe { (list(lengths, devices.len()), list(binaries, devices.len())) };
    let mut loaded = Vec::with_capacity(devices.len());
    let mut first = None;
    for (n, (&binary, &length)) in binaries.iter().zip(lengths).enumerate() {
        let read = if binary.is_null() || length == 0 {
            Err(Status::INVALID_VALUE)
        } else {
            // SAFETY: by the caller's promise.
            Loaded::read(unsafe { list(binary, length) })
        };
        // "binary_status returns whether the program binary for each device specified in device_list was loaded
        // successfully or not. … CL_SUCCESS …, CL_INVALID_VALUE if lengths[i] is zero or if binaries[i] is NULL,
        // CL_INVALID_BINARY if an invalid program binary was encountered for the device."
        if !status.is_null() {
            // SAFETY: by the caller's promise.
            unsafe { status.add(n).write(read.as_ref().map_or_else(|e| e.0, |_| cl::CL_SUCCESS)) };
        }
        match read {
            Ok(binary) => loaded.push(binary),
            Err(e) => first = first.or(Some(e)),
        }
    }
    // "CL_INVALID_BINARY if an invalid program binary was encountered for any device. binary_status will return specific
    // status for each device."
    match first {
        None => Program::new(context, devices, Origin::Binary(loaded)),
        Some(e) => Err(e),
    }
}

/// The devices of a list that must be there and holds each device once.
///
/// # Safety
/// `list` is null or points to `count` handles.
unsafe fn all_devices(
    count: cl::cl_uint,
    list: *const cl::cl_device_id,
    among: &[Arc<Device>],
) -> Result<Vec<Arc<Device>>> {
    if list.is_null() || count == 0 {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    let devices = unsafe { devices(count, list, among) }?;
    // Binaries belong to the devices by their places in the lists.
    if devices.len() == count as usize { Ok(devices) } else { Err(Status::INVALID_DEVICE) }
}

/// `clCreateProgramWithBuiltInKernels`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_program_with_built_in_kernels(
    context: cl::cl_context,
    num_devices: cl::cl_uint,
    device_list: *const cl::cl_device_id,
    kernel_names: *const c_char,
    code: *mut cl::cl_int,
) -> cl::cl_program {
    let make = || -> Result<Arc<Program>> {
        // "CL_INVALID_CONTEXT if context is not a valid context."
        let context = Context::pool().get(context)?;
        // "CL_INVALID_VALUE if device_list is NULL or num_devices is zero." "CL_INVALID_DEVICE if any device in device_list is
        // not in the list of devices associated with context."
        // SAFETY: by the caller's promise.
        unsafe { all_devices(num_devices, device_list, &context.devices) }?;
        // "CL_INVALID_VALUE if kernel_names is NULL or kernel_names contains a kernel name that is not supported by any of
        // the devices in device_list." There are no built-in kernels.
        let _ = kernel_names;
        Err(Status::INVALID_VALUE)
    };
    // SAFETY: by the caller's promise.
    unsafe { create(code, make) }
}

/// `clCreateProgramWithIL`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_program_with_il(
    context: cl::cl_context,
    il: *const c_void,
    length: usize,
    code: *mut cl::cl_int,
) -> cl::cl_program {
    let make = || -> Result<Arc<Program>> {
        // "CL_INVALID_CONTEXT if context is not a valid context."
        Context::pool().get(context)?;
        // "CL_INVALID_OPERATION if no devices in context support intermediate language programs": none does, so nothing
        // that follows is looked at.
        let _ = (il, length);
        Err(Status::INVALID_OPERATION)
    };
    // SAFETY: by the caller's promise.
    unsafe { create(code, make) }
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

/// `clSetProgramReleaseCallback`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn set_program_release_callback(
    program: cl::cl_program,
    pfn_notify: super::build::Function,
    user_data: *mut c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_PROGRAM if program is not a valid program object."
        Program::pool().get(program)?;
        // "CL_INVALID_OPERATION if no devices in context support program scope global constructors or destructors": none
        // does.
        let _ = (pfn_notify, user_data);
        Err(Status::INVALID_OPERATION)
    })
}

/// `clSetProgramSpecializationConstant`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn set_program_specialization_constant(
    program: cl::cl_program,
    spec_id: cl::cl_uint,
    spec_size: usize,
    spec_value: *const c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_PROGRAM if program is not a valid program object".
        Program::pool().get(program)?;
        // "CL_INVALID_OPERATION if no devices associated with program support intermediate language programs."
        let _ = (spec_id, spec_size, spec_value);
        Err(Status::INVALID_OPERATION)
    })
}
