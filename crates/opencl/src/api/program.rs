//! Programs: section 5.8 of the specification.

mod build;
mod create;
mod info;
mod link;

pub use build::*;
pub use create::*;
pub use info::*;
pub use link::*;

use crate::core::device::Device;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::{CStr, c_char};
use std::sync::Arc;

/// So many elements at an address; none where there is no address.
///
/// # Safety
/// `start` is null or points to `count` elements that live long enough.
pub(super) unsafe fn list<'a, T>(start: *const T, count: usize) -> &'a [T] {
    if start.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: by the caller's promise.
    unsafe { std::slice::from_raw_parts(start, count) }
}

/// A string of C as text; what is no UTF-8 in it is replaced.
///
/// # Safety
/// `text` is null or a string.
pub(super) unsafe fn text<'a>(text: *const c_char) -> Option<std::borrow::Cow<'a, str>> {
    // SAFETY: by the caller's promise.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy())
}

/// The devices of `num_devices` and `device_list`, each once; `default` if there is no list.
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_DEVICE`: the words stand in the functions.
///
/// # Safety
/// `list` is null or points to `count` handles.
unsafe fn devices(
    count: cl::cl_uint,
    list: *const cl::cl_device_id,
    default: &[Arc<Device>],
) -> Result<Vec<Arc<Device>>> {
    // "CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or if device_list is not NULL and
    // num_devices is zero."
    if list.is_null() != (count == 0) {
        return Err(Status::INVALID_VALUE);
    }
    if list.is_null() {
        return Ok(default.to_vec());
    }
    let mut devices: Vec<Arc<Device>> = Vec::new();
    // SAFETY: by the caller's promise.
    for &raw in unsafe { self::list(list, count as usize) } {
        // "CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with …"
        let device = Device::pool().get(raw)?;
        if !default.iter().any(|d| Arc::ptr_eq(d, &device)) {
            return Err(Status::INVALID_DEVICE);
        }
        if !devices.iter().any(|d| Arc::ptr_eq(d, &device)) {
            devices.push(device);
        }
    }
    Ok(devices)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod link_tests;
