//! Programs: what is compiled, linked and stored runs as its source says.

mod common;

use common::launch::setup;
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::CL_DEVICE_PARTITION_EQUALLY;
use opencl3::kernel::{ExecuteKernel, Kernel, create_kernel};
use opencl3::memory::{Buffer, CL_MEM_USE_HOST_PTR};
use opencl3::program::{
    CL_BUILD_NONE, CL_BUILD_SUCCESS, CL_PROGRAM_BINARY_TYPE, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
    CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_PROGRAM_BINARY_TYPE_LIBRARY, Program, get_program_build_info, link_program,
    release_program,
};
use opencl3::types::{cl_int, cl_program, cl_uint};
use std::ffi::CStr;
use std::ptr::null_mut;

const BUILD_PROGRAM_FAILURE: cl_int = -11;
const INVALID_OPERATION: cl_int = -59;

const TRIPLE: &str = "kernel void triple(global int *p) { p[get_global_id(0)] *= 3; }";

#[test]
fn a_source_is_built_and_run() {
    let Some(s) = setup() else { return };
    let program =
        s.built("kernel void k(global int *p) { p[get_global_id(0)] = p[get_global_id(0)] * BY + 1; }", "-DBY=4");
    assert_eq!(s.run(&program, "k", &[1, 2, 3, -4]), [5, 9, 13, -15]);
    assert_eq!(program.get_build_options(s.device.id()).expect("options"), "-DBY=4");
    assert_eq!(program.get_num_kernels().expect("a count"), 1);
}

#[test]
fn the_ledger_says_how_kernels_run_on_processors() {
    let Some(s) = setup() else { return };
    let source = "kernel void k(global int *p) {
  local int t[64];
  t[get_local_id(0)] = p[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = t[get_local_id(0)] * 2;
}";
    let program = s.built(source, "-cl-unspool-ledger");
    assert_eq!(s.run(&program, "k", &[1; 64])[0], 2);
    let log = s.log(&program);
    let words = ["kernel `k` for groups of 64 x 1 x 1", "work-items share a vector", "256 bytes of work-group memory"];
    assert!(words.iter().all(|w| log.contains(w)), "{log}");
    assert!(!log.contains("warp") && !log.contains("sm_"), "{log}");
    assert_eq!(s.run(&program, "k", &[1; 64])[0], 2);
    assert_eq!(s.log(&program), log, "once for each size");
    assert_eq!(s.log(&s.built(source, "")), "");
}

/// Features of 3.0 that the device says it has, as macros say it, too.
#[test]
fn variables_of_a_program_live_as_long_as_it_and_groups_compute_together() {
    let Some(s) = setup() else { return };
    let source = "#if !defined(__opencl_c_program_scope_global_variables) || !defined(__opencl_c_subgroups) \\
    || !defined(__opencl_c_work_group_collective_functions)
#error a feature is missing
#endif
global volatile atomic_int counted = ATOMIC_VAR_INIT(5);
global atomic_flag raised = ATOMIC_FLAG_INIT;
global int table[3] = {1, -2, 40};
global int *global entry = &table[1];
kernel void k(global int *p) {
  static global int calls;
  size_t i = get_global_id(0);
  int sum = work_group_reduce_add(p[i]);
  if (i == 0) {
    p[0] = sum; p[1] = atomic_fetch_add(&counted, 3); p[2] = atomic_flag_test_and_set(&raised);
    p[3] = *entry + entry[1]; p[4] = ++calls; entry = table; p[5] = get_max_sub_group_size();
  }
}";
    let program = s.built(source, "-cl-std=CL3.0");
    assert_eq!(s.run(&program, "k", &[7; 6]), [42, 5, 0, 38, 1, 32]);
    assert_eq!(s.run(&program, "k", &[7; 6]), [42, 8, 1, -1, 2, 32]);
    assert!(s.device.work_group_collective_functions_support().expect("an answer"));
    assert!(s.device.max_num_sub_groups().expect("a number") >= 32);
    assert!(s.device.max_global_variable_size().expect("a size") >= 64 << 10);
}

#[test]
fn a_binary_runs_in_another_context() {
    let Some(s) = setup() else { return };
    let binary = s.built(TRIPLE, "").get_binaries().expect("a binary");
    let other = setup().expect("there was one");
    let device = [other.device.id()];
    // SAFETY: the binary is one of ours.
    let mut again = unsafe { Program::create_from_binary(&other.context, &device, &[&binary[0]]) }.expect("a program");
    assert!(Kernel::create(&again, "triple").is_err(), "it is not built");
    again.build(&device, "").expect("it is complete");
    assert_eq!(other.run(&again, "triple", &[1, 2, -3]), [3, 6, -9]);
    assert_eq!(again.get_build_binary_type(device[0]), Ok(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
}

#[test]
fn parts_are_compiled_and_linked() {
    let Some(s) = setup() else { return };
    let device = [s.device.id()];
    let type_of = |p: cl_program| {
        let info = get_program_build_info(p, device[0], CL_PROGRAM_BINARY_TYPE).expect("a type");
        cl_uint::from(info)
    };
    let header = s.program("int shared_function(int);");
    let mut user = s.program("#include \"a/header.h\"\nkernel void k(global int *p) { p[get_global_id(0)] = shared_function(p[get_global_id(0)]); }");
    let mut provider = s.program("int shared_function(int x) { return x * x; }");
    user.compile(&device, "", &[header.get()], &[c"a/header.h"]).unwrap_or_else(|e| panic!("{e}: {}", s.log(&user)));
    provider.compile(&device, "", &[], &[]).expect("it compiles");
    assert_eq!(type_of(user.get()), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    let link = |parts: &[cl_program], options: &CStr| {
        // SAFETY: programs of this context.
        unsafe { link_program(s.context.get(), &device, options, parts, None, null_mut()) }
    };
    let runs = |program: cl_program, numbers: &[i32]| {
        let kernel = Kernel::new(create_kernel(program, c"k").expect("a kernel"));
        let made = s.run_kernel(&kernel, numbers);
        drop(kernel);
        // SAFETY: ours.
        unsafe { release_program(program) }.expect("it was there");
        made
    };
    let linked = link(&[user.get(), provider.get()], c"").expect("a program");
    assert_eq!(type_of(linked), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_eq!(runs(linked, &[2, 3, -4]), [4, 9, 16]);
    let library = link(&[provider.get()], c"-create-library").expect("a library");
    assert_eq!(type_of(library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    assert_eq!(runs(link(&[user.get(), library], c"").expect("a program"), &[5]), [25]);
    // SAFETY: ours.
    unsafe { release_program(library) }.expect("it was there");
}

#[test]
fn errors_of_a_source_are_in_the_log_and_the_program_may_be_built_again() {
    let Some(s) = setup() else { return };
    let device = [s.device.id()];
    let mut program = s.program("kernel void k(global int *p) { p[get_global_id(0)] = VALUE; }");
    assert_eq!(program.build(&device, "").map_err(|e| e.0), Err(BUILD_PROGRAM_FAILURE));
    let log = s.log(&program);
    assert!(log.contains("`VALUE`") && log.contains("program.cl:1:"), "{log}");
    program.build(&device, "-D VALUE=7").expect("it compiles now");
    assert_eq!(s.log(&program), "");
    assert_eq!(s.run(&program, "k", &[0, 0]), [7, 7]);
    let kernel = Kernel::create(&program, "k").expect("a kernel");
    assert_eq!(program.build(&device, "-D VALUE=8").map_err(|e| e.0), Err(INVALID_OPERATION), "a kernel is attached");
    drop(kernel);
    program.build(&device, "-D VALUE=8").expect("none is");
    assert_eq!(s.run(&program, "k", &[0]), [8]);
}

#[test]
fn programs_are_built_and_run_from_several_threads() {
    let Some(s) = setup() else { return };
    std::thread::scope(|scope| {
        for n in 0..4 {
            let s = &s;
            scope.spawn(move || {
                for round in 0..3 {
                    let by = n * 10 + round;
                    let program = s.built(&TRIPLE.replace("*= 3", &format!("*= {by}")), "");
                    assert_eq!(s.run(&program, "triple", &[1, 2]), [by, 2 * by]);
                }
            });
        }
    });
}

/// Found by Khronos' `partition_equally`: a program that was built for a device alone was not built for its parts in the
/// same context.
#[test]
fn what_is_built_for_a_device_serves_its_parts() {
    let Some(s) = setup() else { return };
    let Ok(parts) = s.device.create_sub_devices(&[CL_DEVICE_PARTITION_EQUALLY, 1, 0]) else { return };
    let part = parts[0].id();
    let context = Context::from_devices(&[s.device.id(), part], &[], None, null_mut()).expect("a context");
    let mut program = Program::create_from_source(&context, TRIPLE).expect("a program");
    assert_eq!(program.get_build_status(part), Ok(CL_BUILD_NONE));
    program.build(&[s.device.id()], "").expect("it builds");
    assert_eq!(program.get_build_status(part), Ok(CL_BUILD_SUCCESS));
    let kernel = Kernel::create(&program, "triple").expect("a kernel");
    // SAFETY: the part is one of the context's devices.
    let queue = unsafe { CommandQueue::create_with_properties(&context, part, 0, 0) }.expect("a queue");
    let mut data = [1, 2, 3];
    // SAFETY: the buffer uses the array, which outlives it; the kernel stays within both.
    unsafe {
        let buffer =
            Buffer::<cl_int>::create(&context, CL_MEM_USE_HOST_PTR, 3, data.as_mut_ptr().cast()).expect("a buffer");
        ExecuteKernel::new(&kernel).set_arg(&buffer).set_global_work_size(3).enqueue_nd_range(&queue).expect("it runs");
        queue.finish().expect("it ends");
    }
    assert_eq!(data, [3, 6, 9]);
}

/// OpenCL C's table of errors under unsafe mathematics leaves them defined; Rodinia's particlefilter squares differences.
#[test]
fn negative_numbers_had_no_powers_under_fast_relaxed_math() {
    let Some(s) = setup() else { return };
    let source = "kernel void k(global float *p, float2 y) {
        size_t i = get_global_id(0);
        p[i] = pow(p[i], y.x);
        vstore2(pow(vload2(i, p + 4), y), i, p + 4); }";
    for options in ["", "-cl-fast-relaxed-math"] {
        let program = s.built(source, options);
        let k = Kernel::create(&program, "k").expect("a kernel");
        for (y, wanted) in [([2f32, 3.0], [9f32, 6.25, 0.0, 16.0]), ([3.0, -1.0], [-27.0, 15.625, 0.0, -64.0])] {
            let p = s.holding(&mut [-3f32, 2.5, 0.0, -4.0, -2.0, -2.0, 4.0, 4.0, -5.0, -8.0, -1.5, 2.0]);
            // SAFETY: the kernel takes these; four numbers and four pairs are there.
            unsafe {
                ExecuteKernel::new(&k).set_arg(&p).set_arg(&y).set_global_work_size(4).enqueue_nd_range(&s.queue)
            }
            .expect("a launch");
            let got = s.read(&p, 12);
            let pairs = [(-2f32, -2f32), (4.0, 4.0), (-5.0, -8.0), (-1.5, 2.0)];
            let all = wanted.into_iter().chain(pairs.iter().flat_map(|&(a, b)| [a.powf(y[0]), b.powf(y[1])]));
            for (got, wanted) in got.iter().zip(all) {
                assert!((got - wanted).abs() <= wanted.abs() * 1e-5, "{options} {y:?}: {got}, not {wanted}");
            }
        }
    }
}
