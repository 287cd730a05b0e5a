//! What the loader finds by name: `cl_khr_icd`.

use crate::api::call;
use crate::core::platform::Platform;
use crate::handle::Object;
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
    call(|| {
        // "CL_INVALID_VALUE if num_entries is equal to zero and platforms is not NULL or if both num_platforms and platforms
        // are NULL."
        if (entries == 0) != platforms.is_null() || platforms.is_null() && count.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        let platform = Platform::get()?;
        if !platforms.is_null() {
            // SAFETY: there is room for at least one.
            unsafe { platforms.write(platform.handle().raw()) };
        }
        if !count.is_null() {
            // SAFETY: by the caller's promise.
            unsafe { count.write(1) };
        }
        Ok(())
    })
}

/// The address of a function that is no part of the core API; null for names that are not known.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    if name.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: by the caller's promise.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"clIcdGetPlatformIDsKHR" => clIcdGetPlatformIDsKHR as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}
