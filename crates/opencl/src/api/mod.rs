//! The functions of the API: each checks its arguments in the order of the specification, whose sentence stands above each
//! check, and hands over to [`core`](crate::core).
//!
//! Each function of C is a thin wrapper over one that gives a [`Result`]; [`call`] and [`create`] make what C expects of
//! it, and keep panics from crossing into C, and the caller's floating-point environment from what happens here: building,
//! converting colours, native kernels, callbacks.

pub mod context;
pub mod device;
pub mod device_info;
pub mod event;
pub mod image;
pub mod kernel;
pub mod launch;
pub mod mapping;
pub mod memory;
pub mod pipe;
pub mod platform;
pub mod program;
pub mod queue;
pub mod rect;
pub mod sampler;
pub mod svm;
#[cfg(test)]
pub(crate) mod testing;
pub mod transfer;

use crate::handle::Object;
use crate::status::{Result, Status};
use fenv::{Environment, Subnormals};
use opencl_sys as cl;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Does what a function of C does, in the default floating-point environment; an error if it panics.
pub(crate) fn guarded<T>(f: impl FnOnce() -> T) -> std::thread::Result<T> {
    let _environment = Environment::enter(Subnormals::Keep);
    catch_unwind(AssertUnwindSafe(f))
}

/// What the function answers: the error code, or success. A panic, which is a bug of ours, is `CL_OUT_OF_RESOURCES`.
pub(crate) fn call(f: impl FnOnce() -> Result) -> cl::cl_int {
    match guarded(f) {
        Ok(Ok(())) => cl::CL_SUCCESS,
        Ok(Err(Status(code))) => code,
        Err(_) => cl::CL_OUT_OF_RESOURCES,
    }
}

/// The handle of a new object, or null; the error code goes to `code` unless that is null.
///
/// # Safety
/// `code` is null or points to a writable `cl_int`.
pub(crate) unsafe fn create<T: Object>(code: *mut cl::cl_int, f: impl FnOnce() -> Result<Arc<T>>) -> *mut c_void {
    // SAFETY: by the caller's promise.
    unsafe { pointer(code, || f().map(|object| object.handle().raw())) }
}

/// An address or null; the error code goes to `code` unless that is null.
///
/// # Safety
/// As [`create`].
pub(crate) unsafe fn pointer(code: *mut cl::cl_int, f: impl FnOnce() -> Result<*mut c_void>) -> *mut c_void {
    let (status, made) = match guarded(f) {
        Ok(Ok(made)) => (cl::CL_SUCCESS, made),
        Ok(Err(Status(status))) => (status, std::ptr::null_mut()),
        Err(_) => (cl::CL_OUT_OF_RESOURCES, std::ptr::null_mut()),
    };
    if !code.is_null() {
        // SAFETY: by the caller's promise.
        unsafe { code.write(status) };
    }
    made
}
