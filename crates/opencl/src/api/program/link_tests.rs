//! Compiling, linking and binaries through the functions of the interface.

use super::*;
use crate::api::kernel::create_kernel;
use crate::api::testing::*;
use crate::handle::Object;
use opencl_sys as cl;
use std::ffi::CString;
use std::ptr::{null, null_mut};

const CALLER: &str = "#include <twice.h>\nkernel void k(global int *p) { *p = twice(*p) + EXTRA; }";
const TWICE: &str = "int twice(int x) { return 2 * x; }";

fn has_kernel(program: cl::cl_program, name: &str) -> cl::cl_int {
    let (name, mut code) = (CString::new(name).expect("no zero"), 1);
    // SAFETY: a string.
    unsafe { create_kernel(program, name.as_ptr(), &raw mut code) };
    code
}

fn compiled(context: cl::cl_context, source: &str) -> cl::cl_program {
    let program = program(context, source);
    assert_eq!(compile(program, "", &[]), cl::CL_SUCCESS, "{}", log(program));
    program
}

#[test]
fn headers_are_programs() {
    let context = context();
    let (caller, header) = (program(context, CALLER), program(context, "int twice(int);"));
    assert_eq!(compile(caller, "-DEXTRA=1", &[]), cl::CL_COMPILE_PROGRAM_FAILURE);
    assert!(log(caller).contains("twice.h"), "{}", log(caller));
    assert_eq!(compile(caller, "-DEXTRA=1", &[("twice.h", header)]), cl::CL_SUCCESS, "{}", log(caller));
    assert_eq!(binary_type(caller), cl::CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    assert_eq!(has_kernel(caller, "k"), cl::CL_INVALID_PROGRAM_EXECUTABLE);
    let (linked, code) = link(context, "", &[caller, compiled(context, TWICE)]);
    assert_eq!(code, cl::CL_SUCCESS, "{}", log(linked));
    assert_eq!(binary_type(linked), cl::CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_eq!(has_kernel(linked, "k"), cl::CL_SUCCESS);
    assert_eq!(build(linked, ""), cl::CL_INVALID_OPERATION);
    // SAFETY: a count without headers is what the function checks.
    let code = unsafe { compile_program(caller, 0, null(), null(), 1, null(), null_mut(), None, null_mut()) };
    assert_eq!(code, cl::CL_INVALID_VALUE);
}

#[test]
fn what_is_missing_fails_the_link_and_leaves_a_program_with_a_log() {
    let context = context();
    let caller = compiled(context, "int twice(int); kernel void k(global int *p) { *p = twice(*p); }");
    let (linked, code) = link(context, "", &[caller]);
    assert_eq!(code, cl::CL_LINK_PROGRAM_FAILURE);
    assert!(log(linked).contains("twice"), "{}", log(linked));
    assert_eq!(link(context, "", &[]), (null_mut(), cl::CL_INVALID_VALUE));
    assert_eq!(link(context, "", &[null_mut()]), (null_mut(), cl::CL_INVALID_PROGRAM));
    assert_eq!(link(context, "-no-such-option", &[caller]), (null_mut(), cl::CL_INVALID_LINKER_OPTIONS));
    assert_eq!(link(context, "-enable-link-options", &[caller]), (null_mut(), cl::CL_INVALID_LINKER_OPTIONS));
    let uncompiled = program(context, TWICE);
    assert_eq!(link(context, "", &[caller, uncompiled]), (null_mut(), cl::CL_INVALID_OPERATION));
    assert_eq!(link(null_mut(), "", &[caller]), (null_mut(), cl::CL_INVALID_CONTEXT));
}

#[test]
fn libraries_and_objects_go_through_binaries() {
    let context = context();
    let (library, code) = link(context, "-create-library", &[compiled(context, TWICE)]);
    assert_eq!((code, binary_type(library)), (cl::CL_SUCCESS, cl::CL_PROGRAM_BINARY_TYPE_LIBRARY));
    let caller = compiled(context, "int twice(int); kernel void k(global int *p) { *p = twice(*p); }");
    let (library, caller) = (binary(library), binary(caller));
    let parts = [&library, &caller].map(|b| from_binary(context, b).expect("ours"));
    assert_eq!(binary_type(parts[0]), cl::CL_PROGRAM_BINARY_TYPE_LIBRARY);
    assert_eq!(build(parts[0], ""), cl::CL_INVALID_BINARY);
    let (linked, code) = link(context, "", &parts);
    assert_eq!(code, cl::CL_SUCCESS, "{}", log(linked));
    let again = from_binary(context, &binary(linked)).expect("ours");
    assert_eq!(has_kernel(again, "k"), cl::CL_INVALID_PROGRAM_EXECUTABLE, "it is not built");
    assert_eq!(build(again, ""), cl::CL_SUCCESS);
    assert_eq!(has_kernel(again, "k"), cl::CL_SUCCESS);
    assert_eq!(binary(again), binary(linked));
}

#[test]
fn foreign_and_damaged_binaries_are_refused() {
    let context = context();
    let good = binary(built("kernel void k(global int *p) { *p = 1; }"));
    let refused = Err((cl::CL_INVALID_BINARY, cl::CL_INVALID_BINARY));
    assert_eq!(from_binary(context, b"\x7fELF, or whatever"), refused);
    assert_eq!(from_binary(context, &good[..good.len() - 1]), refused);
    for n in [0, 9, 20, 60, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[n] ^= 1;
        assert_eq!(from_binary(context, &bad), refused, "byte {n}");
    }
    assert_eq!(from_binary(context, &[]), Err((cl::CL_INVALID_VALUE, cl::CL_INVALID_VALUE)));
    assert_eq!(from_binary(null_mut(), &good).map_err(|e| e.0), Err(cl::CL_INVALID_CONTEXT));
}

#[test]
fn options_are_read_and_kept() {
    let program = program(context(), "kernel void k(global int *p) { *p = WHAT; }");
    assert_eq!(build(program, "-DWHAT=3 -cl-mad-enable"), cl::CL_SUCCESS, "{}", log(program));
    // SAFETY: the function writes as much as it is told.
    let options = answer_text(|size, value, out| unsafe {
        get_program_build_info(program, device(), cl::CL_PROGRAM_BUILD_OPTIONS, size, value, out)
    });
    assert_eq!(options, "-DWHAT=3 -cl-mad-enable");
    assert_eq!(build(program, "-cl-no-such-option"), cl::CL_INVALID_BUILD_OPTIONS);
    assert!(log(program).contains("-cl-no-such-option"), "{}", log(program));
    assert_eq!(compile(program, "-create-library", &[]), cl::CL_INVALID_COMPILER_OPTIONS);
}

#[test]
fn what_there_is_not() {
    let (context, mut code) = (context(), 1);
    let list = [device()];
    let program = program(context, TWICE);
    // SAFETY: sources of programs that are never taken.
    unsafe {
        assert!(create_program_with_il(context, [0u32; 5].as_ptr().cast(), 20, &raw mut code).is_null());
        assert_eq!(code, cl::CL_INVALID_OPERATION);
        let name = c"k".as_ptr();
        assert!(create_program_with_built_in_kernels(context, 1, list.as_ptr(), name, &raw mut code).is_null());
        assert_eq!(code, cl::CL_INVALID_VALUE);
        assert_eq!(set_program_release_callback(program, None, null_mut()), cl::CL_INVALID_OPERATION);
        let four = [0u8; 4];
        let set = |p| set_program_specialization_constant(p, 0, 4, four.as_ptr().cast());
        assert_eq!(set(program), cl::CL_INVALID_OPERATION);
        assert_eq!(set(null_mut()), cl::CL_INVALID_PROGRAM);
    }
}

#[test]
fn what_became_of_hints_is_in_the_log_on_demand() {
    let source = "kernel void k(global int *p) {
        #pragma unroll 4
        for (int i = 0; i < 100; i++) p[i] += i; }";
    let program = program(context(), source);
    assert_eq!(build(program, ""), cl::CL_SUCCESS);
    assert_eq!(log(program), "");
    assert_eq!(build(program, "-cl-unspool-ledger"), cl::CL_SUCCESS);
    assert!(log(program).contains("#pragma unroll 4") && log(program).contains("honoured"), "{}", log(program));
    assert_eq!(compile(program, "-cl-unspool-ledger", &[]), cl::CL_SUCCESS);
    let (linked, code) = link(context_of(program), "", &[program]);
    assert_eq!(code, cl::CL_SUCCESS, "{}", log(linked));
    assert!(log(linked).contains("honoured"), "{}", log(linked));
}

fn context_of(program: cl::cl_program) -> cl::cl_context {
    crate::core::program::Program::pool().get(program).expect("alive").context.handle().raw()
}
