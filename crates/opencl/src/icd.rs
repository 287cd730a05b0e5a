//! What the loader finds by name: `cl_khr_icd` in its versions 1 and 2.

use crate::api::launch::get_kernel_suggested_local_work_size;
use crate::api::{call, platform};
use crate::core::platform::Platform;
use crate::handle::{self, Object};
use crate::status::Status;
use opencl_sys as cl;
use std::ffi::{CStr, c_char, c_void};

/// Lists the platforms, as `clGetPlatformIDs` does.
///
/// # Safety
/// As the specification has it: `platforms` is null or has room for `entries`, `count` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clIcdGetPlatformIDsKHR(
    entries: cl::cl_uint,
    platforms: *mut cl::cl_platform_id,
    count: *mut cl::cl_uint,
) -> cl::cl_int {
    // SAFETY: by the caller's promise.
    unsafe { platform::get_platform_ids(entries, platforms, count) }
}

/// Loaders ask the platform for its suffix before they have a table.
///
/// # Safety
/// As the specification has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetPlatformInfo(
    raw: cl::cl_platform_id,
    name: cl::cl_platform_info,
    size: usize,
    value: *mut c_void,
    size_out: *mut usize,
) -> cl::cl_int {
    // SAFETY: by the caller's promise.
    unsafe { platform::get_platform_info(raw, name, size, value, size_out) }
}

/// The address of a function that is no part of the core API, or that loaders look for; null for names that are not known.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    // SAFETY: by the caller's promise.
    unsafe { extension_function_address(name) }
}

/// The same by a name that the loader does not have: the loader's own function comes first wherever the exported names of
/// the API are used, also in this library.
///
/// # Safety
/// `name` is null or a string.
pub(crate) unsafe extern "C" fn extension_function_address(name: *const c_char) -> *mut c_void {
    if name.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: by the caller's promise.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"clIcdGetPlatformIDsKHR" => clIcdGetPlatformIDsKHR as *mut c_void,
        b"clGetPlatformInfo" => platform::get_platform_info as *mut c_void,
        b"clIcdGetFunctionAddressForPlatformKHR" => clIcdGetFunctionAddressForPlatformKHR as *mut c_void,
        b"clGetKernelSuggestedLocalWorkSizeKHR" => get_kernel_suggested_local_work_size as *mut c_void,
        b"clIcdSetPlatformDispatchDataKHR" => clIcdSetPlatformDispatchDataKHR as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}

/// The address of any function of the API by its name: a loader of version 2 fills a table of its own with them.
///
/// # Safety
/// `raw` is a platform's handle, `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clIcdGetFunctionAddressForPlatformKHR(
    raw: cl::cl_platform_id,
    name: *const c_char,
) -> *mut c_void {
    if name.is_null() || Platform::pool().get(raw).is_err() {
        return std::ptr::null_mut();
    }
    // SAFETY: by the caller's promise.
    let wanted = unsafe { CStr::from_ptr(name) };
    match crate::dispatch::find(wanted.to_bytes()) {
        Some(found) => found,
        // SAFETY: as above.
        None => unsafe { extension_function_address(name) },
    }
}

/// Takes what a loader of version 2 wants to find behind the second word of each object: those that are there, and those
/// to come.
///
/// # Safety
/// `raw` is a platform's handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clIcdSetPlatformDispatchDataKHR(raw: cl::cl_platform_id, data: *mut c_void) -> cl::cl_int {
    call(|| {
        let platform = Platform::pool().get(raw).map_err(|_| Status::INVALID_PLATFORM)?;
        handle::set_loader_data(data);
        platform.handle().set_loader_data(data);
        for device in &platform.devices {
            device.handle().set_loader_data(data);
        }
        Ok(())
    })
}
