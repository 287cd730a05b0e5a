//! What tests of the functions share.

use crate::api::program::*;
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

/// A number that an information function gives.
pub(crate) fn number(get: impl Fn(usize, *mut c_void, *mut usize) -> cl::cl_int) -> u64 {
    let bytes = answer(get).expect("success");
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(&bytes);
    u64::from_le_bytes(wide)
}

/// The binary of a program's first device.
pub(crate) fn binary(program: cl::cl_program) -> Vec<u8> {
    // SAFETY: the function writes as much as it is told.
    let size =
        number(|size, value, out| unsafe { get_program_info(program, cl::CL_PROGRAM_BINARY_SIZES, size, value, out) });
    let mut bytes = vec![0u8; size as usize];
    let mut start = bytes.as_mut_ptr();
    let (place, room) = ((&raw mut start).cast(), size_of::<*mut u8>());
    // SAFETY: one device, whose binary has this size.
    let code = unsafe { get_program_info(program, cl::CL_PROGRAM_BINARIES, room, place, null_mut()) };
    assert_eq!(code, cl::CL_SUCCESS);
    bytes
}

/// A program of a binary for the first device, or the error and the status of the device.
pub(crate) fn from_binary(context: cl::cl_context, bytes: &[u8]) -> Result<cl::cl_program, (cl::cl_int, cl::cl_int)> {
    let (mut code, mut status) = (1, 1);
    let (list, mut start, length) = ([device()], bytes.as_ptr(), bytes.len());
    // SAFETY: one device and one binary of this length.
    let program = unsafe {
        create_program_with_binary(
            context,
            1,
            list.as_ptr(),
            &raw const length,
            &raw mut start,
            &raw mut status,
            &raw mut code,
        )
    };
    assert_eq!(program.is_null(), code != cl::CL_SUCCESS);
    if program.is_null() { Err((code, status)) } else { Ok(program) }
}

/// `CL_PROGRAM_BINARY_TYPE` for the first device.
pub(crate) fn binary_type(program: cl::cl_program) -> cl::cl_program_binary_type {
    // SAFETY: the function writes as much as it is told.
    let kind = number(|size, value, out| unsafe {
        get_program_build_info(program, device(), cl::CL_PROGRAM_BINARY_TYPE, size, value, out)
    });
    kind as cl::cl_program_binary_type
}

/// Compiles a program with headers.
pub(crate) fn compile(program: cl::cl_program, options: &str, headers: &[(&str, cl::cl_program)]) -> cl::cl_int {
    let options = CString::new(options).expect("no zero");
    let names: Vec<CString> = headers.iter().map(|h| CString::new(h.0).expect("no zero")).collect();
    let mut names: Vec<*const std::ffi::c_char> = names.iter().map(|n| n.as_ptr()).collect();
    let programs: Vec<cl::cl_program> = headers.iter().map(|h| h.1).collect();
    let (names, list) = if headers.is_empty() { (null_mut(), null()) } else { (names.as_mut_ptr(), programs.as_ptr()) };
    // SAFETY: as many names and programs as said.
    unsafe {
        let count = headers.len() as u32;
        compile_program(program, 0, null(), options.as_ptr(), count, list, names, None, null_mut())
    }
}

/// Links programs; the new program with the error code.
pub(crate) fn link(
    context: cl::cl_context,
    options: &str,
    programs: &[cl::cl_program],
) -> (cl::cl_program, cl::cl_int) {
    let options = CString::new(options).expect("no zero");
    let mut code = 1;
    // SAFETY: as many programs as said.
    let program = unsafe {
        let (count, list) = (programs.len() as u32, programs.as_ptr());
        link_program(context, 0, null(), options.as_ptr(), count, list, None, null_mut(), &raw mut code)
    };
    (program, code)
}
