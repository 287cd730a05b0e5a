//! Chapter 4.4: contexts.

use super::platform::platform;
use super::{call, create};
use crate::core::context::{Callback, Context, Destroyed, Notify};
use crate::core::device::Device;
use crate::core::platform::Platform;
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Most pairs of properties that are read: there are two names, and each may stand once.
const MAX_PROPERTIES: usize = 16;

/// The properties as given, with the zero that ends them; checked.
///
/// # Safety
/// `list` is null or ends with a zero in the place of a name.
unsafe fn properties(list: *const cl::cl_context_properties) -> Result<Vec<cl::cl_context_properties>> {
    let mut out = Vec::new();
    if list.is_null() {
        return Ok(out);
    }
    for n in 0..MAX_PROPERTIES {
        // SAFETY: the list has not ended yet.
        let name = unsafe { list.add(2 * n).read() };
        if name == 0 {
            out.push(0);
            return Ok(out);
        }
        // SAFETY: a value follows each name.
        let value = unsafe { list.add(2 * n + 1).read() };
        // "CL_INVALID_PROPERTY if context property name in properties is not a supported property name, if the value specified
        // for a supported property name is not valid, or if the same property name is specified more than once."
        if out.chunks_exact(2).any(|pair| pair[0] == name) {
            return Err(Status::INVALID_PROPERTY);
        }
        match name {
            // "CL_INVALID_PLATFORM if … platform value specified in properties is not a valid platform": null is none.
            cl::CL_CONTEXT_PLATFORM => drop(Platform::pool().get(value as *mut c_void)?),
            cl::CL_CONTEXT_INTEROP_USER_SYNC if value == 0 || value == 1 => {}
            _ => return Err(Status::INVALID_PROPERTY),
        }
        out.extend([name, value]);
    }
    Err(Status::INVALID_PROPERTY)
}

fn callback<F>(function: Option<F>, data: *mut c_void) -> Result<Option<Callback<F>>> {
    match function {
        Some(function) => Ok(Some(Callback { function, data })),
        // "CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL."
        None if !data.is_null() => Err(Status::INVALID_VALUE),
        None => Ok(None),
    }
}

/// `clCreateContext`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_context(
    list: *const cl::cl_context_properties,
    count: cl::cl_uint,
    devices: *const cl::cl_device_id,
    notify: Option<Notify>,
    data: *mut c_void,
    code: *mut cl::cl_int,
) -> cl::cl_context {
    let make = || {
        // SAFETY: by the specification.
        let properties = unsafe { properties(list)? };
        // "CL_INVALID_VALUE if devices is NULL. CL_INVALID_VALUE if num_devices is equal to zero."
        if devices.is_null() || count == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let notify = callback(notify, data)?;
        let mut all: Vec<Arc<Device>> = Vec::new();
        for n in 0..count as usize {
            // "CL_INVALID_DEVICE if any device in devices is not a valid device."
            // SAFETY: there are so many handles.
            let device = Device::pool().get(unsafe { devices.add(n).read() })?;
            // "Duplicate devices specified in devices are ignored."
            if !all.iter().any(|d| d.is(&device)) {
                all.push(device);
            }
        }
        Context::new(all, properties, notify)
    };
    // SAFETY: by the specification.
    unsafe { create(code, make) }
}

/// `clCreateContextFromType`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_context_from_type(
    list: *const cl::cl_context_properties,
    kind: cl::cl_device_type,
    notify: Option<Notify>,
    data: *mut c_void,
    code: *mut cl::cl_int,
) -> cl::cl_context {
    let make = || {
        // SAFETY: by the specification.
        let properties = unsafe { properties(list)? };
        let notify = callback(notify, data)?;
        let chosen = properties.chunks_exact(2).find(|pair| pair[0] == cl::CL_CONTEXT_PLATFORM);
        let platform = platform(chosen.map_or(std::ptr::null_mut(), |pair| pair[1] as *mut c_void))?;
        let devices = super::device::of_type(&platform, kind)?;
        // "CL_DEVICE_NOT_FOUND if no devices that match device_type and property values specified in properties were found."
        if devices.is_empty() {
            return Err(Status::DEVICE_NOT_FOUND);
        }
        Context::new(devices, properties, notify)
    };
    // SAFETY: by the specification.
    unsafe { create(code, make) }
}

/// `clRetainContext`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn retain_context(raw: cl::cl_context) -> cl::cl_int {
    call(|| Context::pool().retain(raw))
}

/// `clReleaseContext`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn release_context(raw: cl::cl_context) -> cl::cl_int {
    call(|| Context::pool().release(raw))
}

/// `clGetContextInfo`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_context_info(
    raw: cl::cl_context,
    name: cl::cl_context_info,
    size: usize,
    value: *mut c_void,
    size_out: *mut usize,
) -> cl::cl_int {
    // SAFETY: by the specification.
    let reply = unsafe { Reply::new(size, value, size_out) };
    call(|| {
        let context = Context::pool().get(raw)?;
        match name {
            cl::CL_CONTEXT_REFERENCE_COUNT => reply.value(context.handle().references()),
            cl::CL_CONTEXT_NUM_DEVICES => reply.value(context.devices.len() as u32),
            cl::CL_CONTEXT_DEVICES => {
                reply.slice(&context.devices.iter().map(|d| d.handle().raw()).collect::<Vec<_>>())
            }
            cl::CL_CONTEXT_PROPERTIES => reply.slice(&context.properties),
            // "CL_INVALID_VALUE if param_name is not one of the supported values …"
            _ => Err(Status::INVALID_VALUE),
        }
    })
}

/// `clSetContextDestructorCallback`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn set_context_destructor_callback(
    raw: cl::cl_context,
    function: Option<Destroyed>,
    data: *mut c_void,
) -> cl::cl_int {
    call(|| {
        let context = Context::pool().get(raw)?;
        // "CL_INVALID_VALUE if pfn_notify is NULL."
        let function = function.ok_or(Status::INVALID_VALUE)?;
        context.on_destruction(Callback { function, data });
        Ok(())
    })
}
