//! Programs through the functions of the interface.

use super::{
    build_program, create_program_with_source, get_program_build_info, get_program_info, release_program,
    retain_program,
};
use crate::api::testing::*;
use crate::core::program::Program;
use crate::handle::Object;
use crate::status::Status;
use opencl_sys as cl;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const TWICE: &str = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }";

fn build_status(program: cl::cl_program) -> cl::cl_build_status {
    // SAFETY: the function writes as much as it is told.
    let status = answer(|size, value, out| unsafe {
        get_program_build_info(program, device(), cl::CL_PROGRAM_BUILD_STATUS, size, value, out)
    });
    cl::cl_build_status::from_ne_bytes(status.expect("known")[..].try_into().expect("four bytes"))
}

#[test]
fn source_is_put_together_from_strings_with_and_without_lengths() {
    let context = context();
    let mut strings = [c"kernel void k(global int *p)".as_ptr(), c"{ *p = 1; }garbage".as_ptr(), c"\n".as_ptr()];
    let lengths = [0usize, 11, 0];
    let mut code = 1;
    // SAFETY: as many strings and lengths as said.
    let program =
        unsafe { create_program_with_source(context, 3, strings.as_mut_ptr(), lengths.as_ptr(), &raw mut code) };
    assert_eq!(code, cl::CL_SUCCESS);
    // SAFETY: the function writes as much as it is told.
    let source =
        answer_text(|size, value, out| unsafe { get_program_info(program, cl::CL_PROGRAM_SOURCE, size, value, out) });
    assert_eq!(source, "kernel void k(global int *p){ *p = 1; }\n");
    assert_eq!(build(program, ""), cl::CL_SUCCESS, "{}", log(program));
    strings[1] = null();
    // SAFETY: a string that is missing is what the function checks.
    let none = unsafe { create_program_with_source(context, 3, strings.as_mut_ptr(), null(), &raw mut code) };
    assert!(none.is_null());
    assert_eq!(code, cl::CL_INVALID_VALUE);
    // SAFETY: likewise without strings.
    unsafe { create_program_with_source(context, 0, strings.as_mut_ptr(), null(), &raw mut code) };
    assert_eq!(code, cl::CL_INVALID_VALUE);
    // SAFETY: a wrong handle is what the function checks.
    unsafe { create_program_with_source(null_mut(), 1, strings.as_mut_ptr(), null(), &raw mut code) };
    assert_eq!(code, cl::CL_INVALID_CONTEXT);
}

#[test]
fn terminators_that_lengths_count_are_no_part_of_the_source() {
    let context = context();
    let texts: [&[u8]; 2] = [b"kernel void k(global int *p)\0", b"{ *p = 1; }\0\0"];
    let mut strings = texts.map(|t| t.as_ptr().cast());
    let lengths = texts.map(<[u8]>::len);
    let mut code = 1;
    // SAFETY: as many strings and lengths as said.
    let program =
        unsafe { create_program_with_source(context, 2, strings.as_mut_ptr(), lengths.as_ptr(), &raw mut code) };
    assert_eq!(code, cl::CL_SUCCESS);
    assert_eq!(build(program, ""), cl::CL_SUCCESS, "{}", log(program));
    // SAFETY: the function writes as much as it is told.
    let source =
        answer_text(|size, value, out| unsafe { get_program_info(program, cl::CL_PROGRAM_SOURCE, size, value, out) });
    assert_eq!(source, "kernel void k(global int *p){ *p = 1; }");
}

#[test]
fn what_does_not_compile_leaves_a_log_and_no_executable() {
    let program = program(context(), "kernel void k(global int *p) { *p = undeclared; }");
    assert_eq!(build_status(program), cl::CL_BUILD_NONE);
    assert_eq!(build(program, ""), cl::CL_BUILD_PROGRAM_FAILURE);
    assert_eq!(build_status(program), cl::CL_BUILD_ERROR);
    assert!(log(program).contains("program.cl:1:37"), "{}", log(program));
    assert!(log(program).contains("undeclared"));
    let names = answer(|size, value, out| {
        // SAFETY: the function writes as much as it is told.
        unsafe { get_program_info(program, cl::CL_PROGRAM_KERNEL_NAMES, size, value, out) }
    });
    assert_eq!(names, Err(cl::CL_INVALID_PROGRAM_EXECUTABLE));
}

#[test]
fn nesting_without_end_is_an_error_and_no_crash() {
    let deep = format!("kernel void k(global int *p) {{ *p = {}1{}; }}", "(".repeat(200_000), ")".repeat(200_000));
    let program = program(context(), &deep);
    assert_eq!(build(program, ""), cl::CL_BUILD_PROGRAM_FAILURE);
    assert!(log(program).contains("error"));
}

#[test]
fn the_function_given_is_called_when_the_build_has_ended() {
    unsafe extern "C" fn ended(program: cl::cl_program, data: *mut c_void) {
        assert_ne!(build_status(program), cl::CL_BUILD_IN_PROGRESS);
        // SAFETY: the test's channel, which outlives the build.
        unsafe { &*data.cast::<std::sync::mpsc::SyncSender<usize>>() }.send(program as usize).expect("the test waits");
    }
    for (source, status) in [(TWICE, cl::CL_BUILD_SUCCESS), ("nonsense", cl::CL_BUILD_ERROR)] {
        let program = program(context(), source);
        let (send, receive) = std::sync::mpsc::sync_channel::<usize>(1);
        // Never freed: the function may still be in `send` when the message has arrived.
        let data: *mut c_void = Box::into_raw(Box::new(send)).cast();
        // SAFETY: the function and its data go together.
        assert_eq!(unsafe { build_program(program, 0, null(), null(), Some(ended), data) }, cl::CL_SUCCESS);
        assert_eq!(receive.recv(), Ok(program as usize));
        assert_eq!(build_status(program), status);
        // SAFETY: data without a function is what the function checks.
        assert_eq!(unsafe { build_program(program, 0, null(), null(), None, data) }, cl::CL_INVALID_VALUE);
    }
}

#[test]
fn many_programs_are_built_at_the_same_time() {
    let context = context() as usize;
    std::thread::scope(|scope| {
        for n in 0..8 {
            scope.spawn(move || {
                let source = format!("kernel void k{n}(global float *p) {{ p[get_global_id(0)] = {n}; }}");
                let program = program(context as cl::cl_context, &source);
                assert_eq!(build(program, ""), cl::CL_SUCCESS);
                // SAFETY: the function writes as much as it is told.
                let names = answer_text(|size, value, out| unsafe {
                    get_program_info(program, cl::CL_PROGRAM_KERNEL_NAMES, size, value, out)
                });
                assert_eq!(names, format!("k{n}"));
                // SAFETY: its last reference.
                assert_eq!(unsafe { release_program(program) }, cl::CL_SUCCESS);
            });
        }
    });
}

#[test]
fn devices_are_those_of_the_program() {
    let program = program(context(), TWICE);
    // SAFETY: lists and counts that do not fit are what the function checks.
    unsafe {
        let mut list = device();
        assert_eq!(build_program(program, 1, null(), null(), None, null_mut()), cl::CL_INVALID_VALUE);
        assert_eq!(build_program(program, 0, &raw const list, null(), None, null_mut()), cl::CL_INVALID_VALUE);
        assert_eq!(build_program(program, 1, &raw const list, null(), None, null_mut()), cl::CL_SUCCESS);
        list = null_mut();
        assert_eq!(build_program(program, 1, &raw const list, null(), None, null_mut()), cl::CL_INVALID_DEVICE);
        assert_eq!(build_program(null_mut(), 0, null(), null(), None, null_mut()), cl::CL_INVALID_PROGRAM);
        assert_eq!(retain_program(program), cl::CL_SUCCESS);
        assert_eq!(release_program(program), cl::CL_SUCCESS);
        assert_eq!(release_program(program), cl::CL_SUCCESS);
        assert_eq!(release_program(program), cl::CL_INVALID_PROGRAM);
    }
    assert_eq!(Program::pool().get(program).err(), Some(Status::INVALID_PROGRAM));
}
