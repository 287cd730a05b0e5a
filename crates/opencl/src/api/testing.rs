//! What tests of the functions share.

use crate::api::program::{build_program, create_program_with_source, get_program_build_info};
use crate::core::context::Context;
use crate::core::platform::Platform;
use crate::handle::Object;
use opencl_sys as cl;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

/// A context of the platform's devices.
pub(crate) fn context() -> cl::cl_context {
    let platform = Platform::get().expect("a platform");
    Context::new(platform.devices.clone(), Vec::new(), None).expect("room").handle().raw()
}

/// The platform's first device.
pub(crate) fn device() -> cl::cl_device_id {
    Platform::get().expect("a platform").devices[0].handle().raw()
}

/// A program of a source, not built.
pub(crate) fn program(context: cl::cl_context, source: &str) -> cl::cl_program {
    let mut code = 1;
    let mut start = source.as_ptr().cast();
    // SAFETY: one string with its length.
    let program = unsafe { create_program_with_source(context, 1, &raw mut start, &source.len(), &raw mut code) };
    assert_eq!(code, cl::CL_SUCCESS);
    program
}

/// Builds a program for all its devices.
pub(crate) fn build(program: cl::cl_program, options: &str) -> cl::cl_int {
    let options = CString::new(options).expect("no zero");
    // SAFETY: the options are a string.
    unsafe { build_program(program, 0, null(), options.as_ptr(), None, null_mut()) }
}

/// A program of a source, built.
pub(crate) fn built(source: &str) -> cl::cl_program {
    let program = program(context(), source);
    assert_eq!(build(program, ""), cl::CL_SUCCESS, "{}", log(program));
    program
}

/// The build log.
pub(crate) fn log(program: cl::cl_program) -> String {
    // SAFETY: the function writes as much as it is told.
    answer_text(|size, value, size_out| unsafe {
        get_program_build_info(program, device(), cl::CL_PROGRAM_BUILD_LOG, size, value, size_out)
    })
}

/// The bytes that an information function gives; its error code if that is not success.
pub(crate) fn answer(get: impl Fn(usize, *mut c_void, *mut usize) -> cl::cl_int) -> Result<Vec<u8>, cl::cl_int> {
    let mut size = 0;
    let code = get(0, null_mut(), &raw mut size);
    let mut bytes = vec![0u8; size];
    let again = get(size, bytes.as_mut_ptr().cast(), null_mut());
    assert_eq!(code, again);
    if size > 0 {
        assert_eq!(
            get(size - 1, bytes.as_mut_ptr().cast(), null_mut()),
            if code == 0 { cl::CL_INVALID_VALUE } else { code }
        );
    }
    if code == cl::CL_SUCCESS { Ok(bytes) } else { Err(code) }
}

/// The string that an information function gives.
pub(crate) fn answer_text(get: impl Fn(usize, *mut c_void, *mut usize) -> cl::cl_int) -> String {
    let mut bytes = answer(get).expect("success");
    assert_eq!(bytes.pop(), Some(0));
    String::from_utf8(bytes).expect("text")
}
