//! Chapter 4.1: platforms.

use super::call;
use super::device::with_version;
use crate::core::platform::Platform;
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// The version of OpenCL that the platform and its devices have.
pub(crate) const VERSION: cl::cl_version = version(3, 0, 0);

/// That version in words; what stands behind the number is ours to say.
pub(crate) const VERSION_TEXT: &str = concat!("OpenCL 3.0 unspool ", env!("CARGO_PKG_VERSION"));

/// Extensions of the platform itself, beside those of its devices.
const EXTENSIONS: [(&str, cl::cl_version); 1] = [("cl_khr_icd", version(2, 0, 0))];

/// `CL_MAKE_VERSION`.
pub(crate) const fn version(major: u32, minor: u32, patch: u32) -> cl::cl_version {
    (major << 22) | (minor << 12) | patch
}

/// The platform of a handle; null means the default one, as the specification leaves to implementations.
pub(crate) fn platform(raw: cl::cl_platform_id) -> Result<Arc<Platform>> {
    if raw.is_null() { Platform::get().cloned() } else { Platform::pool().get(raw) }
}

/// `clGetPlatformIDs`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_platform_ids(
    entries: cl::cl_uint,
    platforms: *mut cl::cl_platform_id,
    count: *mut cl::cl_uint,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_VALUE if num_entries is equal to zero and platforms is not NULL or if both num_platforms and platforms
        // are NULL."
        if entries == 0 && !platforms.is_null() || platforms.is_null() && count.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        let platform = Platform::get()?;
        if !platforms.is_null() {
            // SAFETY: there is room for at least one.
            unsafe { platforms.write(platform.handle().raw()) };
        }
        if !count.is_null() {
            // SAFETY: not null, so writable.
            unsafe { count.write(1) };
        }
        Ok(())
    })
}

/// `clGetPlatformInfo`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_platform_info(
    raw: cl::cl_platform_id,
    name: cl::cl_platform_info,
    size: usize,
    value: *mut c_void,
    size_out: *mut usize,
) -> cl::cl_int {
    // SAFETY: by the specification.
    let reply = unsafe { Reply::new(size, value, size_out) };
    call(|| {
        // "CL_INVALID_PLATFORM if platform is not a valid platform."
        platform(raw)?;
        info(name, reply)
    })
}

fn info(name: cl::cl_platform_info, reply: Reply) -> Result {
    match name {
        cl::CL_PLATFORM_PROFILE => reply.text("FULL_PROFILE"),
        cl::CL_PLATFORM_VERSION => reply.text(VERSION_TEXT),
        cl::CL_PLATFORM_NUMERIC_VERSION => reply.value(VERSION),
        cl::CL_PLATFORM_NAME | cl::CL_PLATFORM_VENDOR => reply.text("unspool"),
        cl::CL_PLATFORM_EXTENSIONS => {
            let names: Vec<&str> = EXTENSIONS.iter().map(|e| e.0).chain(super::device::extensions()).collect();
            reply.text(&names.join(" "))
        }
        cl::CL_PLATFORM_EXTENSIONS_WITH_VERSION => {
            let mut all: Vec<u8> = EXTENSIONS.iter().flat_map(|&(name, v)| with_version(name, v)).collect();
            all.extend(super::device::extensions().flat_map(|name| with_version(name, version(1, 0, 0))));
            reply.bytes(&all)
        }
        // Nanoseconds: the clock is the system's monotonic one.
        cl::CL_PLATFORM_HOST_TIMER_RESOLUTION => reply.value(1u64),
        cl::CL_PLATFORM_ICD_SUFFIX_KHR => reply.text("UNSPOOL"),
        // "CL_INVALID_VALUE if param_name is not one of the supported values …"
        _ => Err(Status::INVALID_VALUE),
    }
}

/// `clGetExtensionFunctionAddressForPlatform`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_extension_function_address_for_platform(
    raw: cl::cl_platform_id,
    name: *const c_char,
) -> *mut c_void {
    let known = std::panic::catch_unwind(|| platform(raw).is_ok()).unwrap_or(false);
    // SAFETY: by the specification.
    if known { unsafe { crate::icd::extension_function_address(name) } } else { std::ptr::null_mut() }
}

/// `clUnloadPlatformCompiler`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn unload_platform_compiler(raw: cl::cl_platform_id) -> cl::cl_int {
    // "CL_INVALID_PLATFORM if platform is not a valid platform." It is a hint that nothing need be done about.
    call(|| Platform::pool().get(raw).map(drop))
}

/// `clUnloadCompiler`, of OpenCL 1.1.
///
/// # Safety
/// None is needed.
pub unsafe extern "C" fn unload_compiler() -> cl::cl_int {
    cl::CL_SUCCESS
}
