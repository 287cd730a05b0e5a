//! Kernels through the functions of the interface.

use super::*;
use crate::api::testing::*;
use crate::core::kernel::Kernel;
use crate::core::platform::Platform;
use crate::handle::Object;
use crate::status::Status;
use opencl_sys as cl;
use runtime::{Arg, Device, Run, Shape};
use std::ffi::CString;
use std::ptr::{null, null_mut};

const SOURCE: &str = "
    kernel void scale(global int *p, int by, float4 v, local int *room) { p[get_global_id(0)] *= by + (int)v.w; }
    kernel void nothing(void) {}";

fn kernel(program: cl::cl_program, name: &str) -> Result<cl::cl_kernel, cl::cl_int> {
    let name = CString::new(name).expect("no zero");
    let mut code = 1;
    // SAFETY: a string.
    let kernel = unsafe { create_kernel(program, name.as_ptr(), &raw mut code) };
    if code == cl::CL_SUCCESS { Ok(kernel) } else { Err(code) }
}

fn set<T>(kernel: cl::cl_kernel, index: u32, value: &T) -> cl::cl_int {
    // SAFETY: the value has this size.
    unsafe { set_kernel_arg(kernel, index, size_of::<T>(), std::ptr::from_ref(value).cast()) }
}

#[test]
fn from_source_to_a_launch() {
    let kernel = kernel(built(SOURCE), "scale").expect("there");
    let object = Kernel::pool().get(kernel).expect("alive");
    let mut data: Vec<i32> = (0..64).collect();
    assert_eq!(object.capture().err(), Some(Status::INVALID_KERNEL_ARGS));
    // SAFETY: an address, and no value with a size.
    unsafe {
        assert_eq!(set_kernel_arg_svm_pointer(kernel, 0, data.as_mut_ptr().cast()), cl::CL_SUCCESS);
        assert_eq!(set_kernel_arg(kernel, 3, 64, null()), cl::CL_SUCCESS);
    }
    assert_eq!(set(kernel, 1, &5i32), cl::CL_SUCCESS);
    assert_eq!(set(kernel, 2, &[0f32, 0., 0., 2.]), cl::CL_SUCCESS);
    let captured = object.capture().expect("all set");
    // Later changes are not for what was captured.
    assert_eq!(set(kernel, 1, &100i32), cl::CL_SUCCESS);
    let args = captured.args();
    assert!(matches!(args[1], Arg::Value(&[5, 0, 0, 0])), "{args:?}");
    let shape = Shape { work_dim: 1, groups: [4, 1, 1], local: [16, 1, 1], offset: [0; 3], dynamic_shared: 0 };
    let device = &Platform::get().expect("a platform").devices[0].host;
    let program = &captured.executable.program;
    let loaded = device
        .prepare(program, captured.signature.symbol(), shape.local, &mut source::Session::default())
        .expect("covered");
    // SAFETY: 64 work-items, one for each element.
    unsafe { loaded.launch(&shape, &args, &Run::default()) }.expect("runs");
    assert!(data.iter().enumerate().all(|(n, &x)| x == n as i32 * 7), "{data:?}");
    assert!(matches!(object.capture().expect("all set").args()[1], Arg::Value(&[100, 0, 0, 0])));
}

#[test]
fn kernels_are_found_by_name() {
    let program = built(SOURCE);
    assert_eq!(kernel(program, "none"), Err(cl::CL_INVALID_KERNEL_NAME));
    let mut code = 1;
    // SAFETY: no name is what the function checks.
    assert!(unsafe { create_kernel(program, null(), &raw mut code) }.is_null());
    assert_eq!(code, cl::CL_INVALID_VALUE);
    assert_eq!(kernel(null_mut(), "scale"), Err(cl::CL_INVALID_PROGRAM));
    assert_eq!(
        kernel(crate::api::testing::program(context(), SOURCE), "scale"),
        Err(cl::CL_INVALID_PROGRAM_EXECUTABLE)
    );
    let mut kernels = [null_mut(); 3];
    let mut count = 0;
    // SAFETY: room for so many.
    unsafe {
        assert_eq!(create_kernels_in_program(program, 0, null_mut(), &raw mut count), cl::CL_SUCCESS);
        assert_eq!(count, 2);
        assert_eq!(create_kernels_in_program(program, 1, kernels.as_mut_ptr(), null_mut()), cl::CL_INVALID_VALUE);
        assert_eq!(create_kernels_in_program(program, 3, kernels.as_mut_ptr(), null_mut()), cl::CL_SUCCESS);
    }
    let name = |k| {
        // SAFETY: the function writes as much as it is told.
        answer_text(|size, value, out| unsafe { get_kernel_info(k, cl::CL_KERNEL_FUNCTION_NAME, size, value, out) })
    };
    assert_eq!((name(kernels[0]).as_str(), name(kernels[1]).as_str()), ("scale", "nothing"));
    assert!(kernels[2].is_null());
    assert_eq!(build(program, ""), cl::CL_INVALID_OPERATION, "kernels are attached");
    for k in &kernels[..2] {
        // SAFETY: its last reference.
        assert_eq!(unsafe { release_kernel(*k) }, cl::CL_SUCCESS);
        // SAFETY: a handle without an object is what the function checks.
        assert_eq!(unsafe { release_kernel(*k) }, cl::CL_INVALID_KERNEL);
    }
    assert_eq!(build(program, ""), cl::CL_SUCCESS);
}

#[test]
fn arguments_that_do_not_fit() {
    let k = kernel(built(SOURCE), "scale").expect("there");
    assert_eq!(set(k, 4, &0i32), cl::CL_INVALID_ARG_INDEX);
    assert_eq!(set(k, 1, &0i64), cl::CL_INVALID_ARG_SIZE);
    assert_eq!(set(k, 3, &0i64), cl::CL_INVALID_ARG_VALUE);
    assert_eq!(set(k, 0, &0i32), cl::CL_INVALID_ARG_SIZE);
    assert_eq!(set(k, 0, &k), cl::CL_INVALID_MEM_OBJECT);
    assert_eq!(set(null_mut(), 0, &0i32), cl::CL_INVALID_KERNEL);
    // SAFETY: values that are missing are what the function checks.
    unsafe {
        assert_eq!(set_kernel_arg(k, 1, 4, null()), cl::CL_INVALID_ARG_VALUE);
        assert_eq!(set_kernel_arg(k, 3, 0, null()), cl::CL_INVALID_ARG_SIZE);
        assert_eq!(set_kernel_arg(k, 0, 8, null()), cl::CL_SUCCESS);
        assert_eq!(set_kernel_arg_svm_pointer(k, 1, null()), cl::CL_INVALID_ARG_VALUE);
        assert_eq!(set_kernel_arg_svm_pointer(k, 9, null()), cl::CL_INVALID_ARG_INDEX);
    }
    assert_eq!(set(k, 0, &null_mut::<u8>()), cl::CL_SUCCESS);
}

#[test]
fn a_clone_has_the_arguments_and_keeps_them() {
    let k = kernel(built("kernel void k(int a) {}"), "k").expect("there");
    assert_eq!(set(k, 0, &1i32), cl::CL_SUCCESS);
    let mut code = 1;
    // SAFETY: a kernel.
    let copy = unsafe { clone_kernel(k, &raw mut code) };
    assert_eq!(code, cl::CL_SUCCESS);
    assert_eq!(set(k, 0, &2i32), cl::CL_SUCCESS);
    let first = |k| match Kernel::pool().get(k).expect("alive").capture().expect("set").args()[0] {
        Arg::Value(bytes) => bytes[0],
        _ => panic!("a value"),
    };
    assert_eq!((first(k), first(copy)), (2, 1));
}

#[test]
fn arguments_set_from_several_threads() {
    let k = kernel(built("kernel void k(int a, ulong b) {}"), "k").expect("there") as usize;
    assert_eq!(set(k as cl::cl_kernel, 0, &0i32), cl::CL_SUCCESS);
    assert_eq!(set(k as cl::cl_kernel, 1, &0u64), cl::CL_SUCCESS);
    std::thread::scope(|scope| {
        for n in 0..4u64 {
            scope.spawn(move || {
                let k = k as cl::cl_kernel;
                for _ in 0..2000 {
                    assert_eq!(set(k, 1, &(n * 0x0101_0101_0101_0101)), cl::CL_SUCCESS);
                    let captured = Kernel::pool().get(k).expect("alive").capture().expect("set");
                    let args = captured.args();
                    let Arg::Value(b) = args[1] else { panic!("a value") };
                    assert!(b.iter().all(|x| *x == b[0]), "{b:?}");
                }
            });
        }
    });
}

#[test]
fn kernels_say_what_their_source_says() {
    let source = "
        typedef float real;
        __kernel __attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((vec_type_hint(float4)))
        void k(__global const real *restrict in, __local uint *room, __constant char *c, unsigned int n, volatile __global int *v)
        { local float tile[32]; tile[get_local_id(0)] = in[0]; barrier(CLK_LOCAL_MEM_FENCE); v[0] = tile[n] + room[0] + c[0]; }";
    let k = kernel(built(source), "k").expect("there");
    // SAFETY: the functions write as much as they are told.
    unsafe {
        let attributes = answer_text(|size, value, out| get_kernel_info(k, cl::CL_KERNEL_ATTRIBUTES, size, value, out));
        assert_eq!(attributes, "reqd_work_group_size(8,4,1) vec_type_hint(float4)");
        let info = |n, what| answer(|size, value, out| get_kernel_arg_info(k, n, what, size, value, out));
        let words = |n, what| answer_text(|size, value, out| get_kernel_arg_info(k, n, what, size, value, out));
        let names: Vec<String> = (0..5).map(|n| words(n, cl::CL_KERNEL_ARG_NAME)).collect();
        assert_eq!(names, ["in", "room", "c", "n", "v"]);
        let types: Vec<String> = (0..5).map(|n| words(n, cl::CL_KERNEL_ARG_TYPE_NAME)).collect();
        assert_eq!(types, ["real*", "uint*", "char*", "uint", "int*"]);
        let of = |what| (0..5).map(|n| u64::from(info(n, what).expect("known")[0])).collect::<Vec<u64>>();
        assert_eq!(of(cl::CL_KERNEL_ARG_ADDRESS_QUALIFIER), [0x9B, 0x9C, 0x9D, 0x9E, 0x9B]);
        assert_eq!(of(cl::CL_KERNEL_ARG_TYPE_QUALIFIER), [3, 0, 1, 0, 4]);
        assert_eq!(of(cl::CL_KERNEL_ARG_ACCESS_QUALIFIER), [0xA3; 5]);
        // Callers pass a `cl_kernel_arg_type_qualifier`, which is as wide as a `cl_bitfield`.
        assert_eq!(info(0, cl::CL_KERNEL_ARG_TYPE_QUALIFIER).expect("known"), 3u64.to_ne_bytes());
        assert_eq!(info(5, cl::CL_KERNEL_ARG_NAME), Err(cl::CL_INVALID_ARG_INDEX));
        assert_eq!(info(0, 0), Err(cl::CL_INVALID_VALUE));
    }
}

#[test]
fn work_groups_of_a_kernel() {
    let source = "
        __attribute__((reqd_work_group_size(8, 4, 1))) kernel void fixed(global int *p) { p[0] = 1; }
        kernel void shares(global float *p, local int *room)
        { local float tile[32]; tile[get_local_id(0)] = p[0]; barrier(CLK_LOCAL_MEM_FENCE); p[1] = tile[room[0]]; }";
    let program = built(source);
    let (fixed, shares) = (kernel(program, "fixed").expect("there"), kernel(program, "shares").expect("there"));
    let get = |k, device, what| {
        // SAFETY: the function writes as much as it is told.
        answer(|size, value, out| unsafe { get_kernel_work_group_info(k, device, what, size, value, out) })
    };
    let numbers = |k, what| -> Vec<u64> {
        let bytes = get(k, null_mut(), what).expect("known");
        bytes.chunks(8).map(|c| u64::from_le_bytes(c.try_into().expect("eight"))).collect()
    };
    assert_eq!(numbers(fixed, cl::CL_KERNEL_COMPILE_WORK_GROUP_SIZE), [8, 4, 1]);
    assert_eq!(numbers(shares, cl::CL_KERNEL_COMPILE_WORK_GROUP_SIZE), [0, 0, 0]);
    assert_eq!(numbers(shares, cl::CL_KERNEL_WORK_GROUP_SIZE), [4096]);
    assert_eq!(numbers(fixed, cl::CL_KERNEL_LOCAL_MEM_SIZE), [0]);
    assert_eq!(numbers(shares, cl::CL_KERNEL_LOCAL_MEM_SIZE), [128]);
    // SAFETY: a size without a value.
    assert_eq!(unsafe { set_kernel_arg(shares, 1, 100, null()) }, cl::CL_SUCCESS);
    assert_eq!(numbers(shares, cl::CL_KERNEL_LOCAL_MEM_SIZE), [228]);
    let multiple = numbers(shares, cl::CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)[0];
    assert!(multiple.is_power_of_two());
    // Kernels that compute with doubles run half as many lanes; programs that took as many for each row lost half of them.
    let doubles = "kernel void k(global double *p) { int i = get_global_id(0); p[i] = p[i] * p[i + 1] + 3; }";
    let doubles = kernel(built(doubles), "k").expect("there");
    assert_eq!(numbers(doubles, cl::CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), [multiple / 2]);
    assert_eq!(get(fixed, device(), cl::CL_KERNEL_GLOBAL_WORK_SIZE), Err(cl::CL_INVALID_VALUE));
    assert_eq!(get(fixed, fixed, cl::CL_KERNEL_WORK_GROUP_SIZE), Err(cl::CL_INVALID_DEVICE));
    assert_eq!(get(null_mut(), device(), cl::CL_KERNEL_WORK_GROUP_SIZE), Err(cl::CL_INVALID_KERNEL));
}

#[test]
fn execution_information() {
    let k = kernel(built(SOURCE), "nothing").expect("there");
    let set = |what, size, value: &[u64]| {
        let value = if value.is_empty() { null() } else { value.as_ptr().cast() };
        // SAFETY: as many bytes as said, or none.
        unsafe { set_kernel_exec_info(k, what, size, value) }
    };
    assert_eq!(set(cl::CL_KERNEL_EXEC_INFO_SVM_PTRS, 16, &[0, 0]), cl::CL_SUCCESS);
    assert_eq!(set(cl::CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, &[]), cl::CL_SUCCESS, "an empty set");
    assert_eq!(set(cl::CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 0, &[]), cl::CL_INVALID_VALUE);
    assert_eq!(set(cl::CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, &[0]), cl::CL_INVALID_VALUE);
    assert_eq!(set(cl::CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, &[]), cl::CL_INVALID_VALUE);
    assert_eq!(set(cl::CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4, &[0]), cl::CL_SUCCESS);
    assert_eq!(set(cl::CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4, &[1]), cl::CL_INVALID_OPERATION);
    assert_eq!(set(0, 4, &[1]), cl::CL_INVALID_VALUE);
}
