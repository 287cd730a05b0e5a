//! Kernels: their arguments, and what there is to know of them.

mod common;

use common::launch::setup;
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::kernel::{ExecuteKernel, Kernel, clone_kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::types::{cl_int, cl_mem};
use std::ptr::null_mut;

const INVALID_MEM_OBJECT: cl_int = -38;
const INVALID_KERNEL_ARGS: cl_int = -52;
const INVALID_WORK_GROUP_SIZE: cl_int = -54;

#[derive(Clone, Copy)]
#[repr(C)]
struct Pair {
    small: i8,
    large: f64,
}

#[test]
fn values_of_all_shapes_arrive() {
    let Some(s) = setup() else { return };
    let program = s.built(
        "typedef struct { char small; double large; } pair;
        kernel void k(global float *out, char c, float3 v, pair p, ulong n, local int *room, uchar16 many) {
            room[get_local_id(0)] = many.sf;
            barrier(CLK_LOCAL_MEM_FENCE);
            out[0] = c; out[1] = v.x + v.y * 10 + v.z * 100; out[2] = p.small; out[3] = p.large; out[4] = n; out[5] = room[0];
        }",
        "",
    );
    let kernel = Kernel::create(&program, "k").expect("a kernel");
    let out = s.holding(&mut [0f32; 6]);
    let mut many = [0u8; 16];
    many[15] = 77;
    let mut launch = ExecuteKernel::new(&kernel);
    // SAFETY: the arguments are those of the kernel, which writes six numbers.
    let done = unsafe {
        launch
            .set_arg(&out)
            .set_arg(&-5i8)
            .set_arg(&[1f32, 2., 3., 0.])
            .set_arg(&Pair { small: -9, large: 0.25 })
            .set_arg(&(1u64 << 40))
            .set_arg_local_buffer(64)
            .set_arg(&many)
            .set_global_work_size(1)
            .enqueue_nd_range(&s.queue)
    };
    done.expect("a launch");
    assert_eq!(s.read(&out, 6), [-5., 321., -9., 0.25, (1u64 << 40) as f32, 77.]);
}

#[test]
fn an_enqueued_launch_keeps_the_arguments_that_it_was_given() {
    let Some(s) = setup() else { return };
    let program = s.built("kernel void add(global int *p, int by) { p[0] += by; }", "");
    let kernel = Kernel::create(&program, "add").expect("a kernel");
    let total = s.holding(&mut [0]);
    for n in 1..=100 {
        let mut launch = ExecuteKernel::new(&kernel);
        // SAFETY: one work-item adds to one number, in order.
        unsafe { launch.set_arg(&total).set_arg(&n).set_global_work_size(1).enqueue_nd_range(&s.queue) }
            .expect("a launch");
    }
    assert_eq!(s.read(&total, 1), [5050]);
}

#[test]
fn a_kernel_does_not_keep_its_buffers_but_launches_do() {
    let Some(s) = setup() else { return };
    let program = s.built("kernel void one(global int *p) { p[0] = 1; }", "");
    let kernel = Kernel::create(&program, "one").expect("a kernel");
    let launch = |queue: &CommandQueue| {
        // SAFETY: the kernel takes the buffer that was set before.
        unsafe { queue.enqueue_nd_range_kernel(kernel.get(), 1, std::ptr::null(), [1].as_ptr(), std::ptr::null(), &[]) }
    };
    assert_eq!(launch(&s.queue).map(drop).map_err(|e| e.0), Err(INVALID_KERNEL_ARGS));
    // SAFETY: no memory of ours is used.
    let buffer =
        unsafe { Buffer::<i32>::create(&s.context, CL_MEM_READ_WRITE, 1 << 20, null_mut()) }.expect("a buffer");
    // SAFETY: the kernel takes a buffer.
    unsafe { kernel.set_arg(0, &buffer.get()) }.expect("it fits");
    launch(&s.queue).expect("a launch");
    drop(buffer);
    s.queue.finish().expect("the launch ends");
    assert_eq!(launch(&s.queue).map(drop).map_err(|e| e.0), Err(INVALID_KERNEL_ARGS), "the buffer is gone");
}

#[test]
fn buffers_of_other_contexts_are_no_arguments() {
    let Some(s) = setup() else { return };
    let program = s.built("kernel void one(global int *p) { p[0] = 1; }", "");
    let kernel = Kernel::create(&program, "one").expect("a kernel");
    let other = Context::from_device(&s.device).expect("a context");
    // SAFETY: no memory of ours is used.
    let buffer = unsafe { Buffer::<i32>::create(&other, CL_MEM_READ_WRITE, 4, null_mut()) }.expect("a buffer");
    // SAFETY: a wrong argument is what the function checks.
    let set = |m: cl_mem| unsafe { kernel.set_arg(0, &m) }.map_err(|e| e.0);
    assert_eq!(set(buffer.get()), Err(INVALID_MEM_OBJECT));
    assert_eq!(set(kernel.get()), Err(INVALID_MEM_OBJECT));
    assert_eq!(set(null_mut()), Ok(()));
}

#[test]
fn required_sizes_are_kept() {
    let Some(s) = setup() else { return };
    let program = s.built(
        "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(global int *p)
        { p[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1); }",
        "",
    );
    let kernel = Kernel::create(&program, "k").expect("a kernel");
    assert_eq!(kernel.attributes().expect("attributes"), "reqd_work_group_size(4,2,1)");
    let sizes = kernel.get_compile_work_group_size(s.device.id()).expect("sizes");
    assert_eq!(sizes, [4, 2, 1]);
    let out = s.holding(&mut [0; 32]);
    let launch = |local: &[usize]| {
        let mut launch = ExecuteKernel::new(&kernel);
        // SAFETY: 32 work-items, one for each number.
        unsafe {
            launch.set_arg(&out).set_global_work_sizes(&[8, 4]);
            if !local.is_empty() {
                launch.set_local_work_sizes(local);
            }
            launch.enqueue_nd_range(&s.queue).map(drop).map_err(|e| e.0)
        }
    };
    assert_eq!(launch(&[8, 1]), Err(INVALID_WORK_GROUP_SIZE));
    assert_eq!(launch(&[4, 2]), Ok(()));
    assert_eq!(s.read(&out, 32), [42; 32]);
}

#[test]
fn clones_and_programs_that_are_released_first() {
    let Some(s) = setup() else { return };
    let program = s.built("kernel void set(global int *p, int x) { p[0] = x; }", "");
    let kernel = Kernel::create(&program, "set").expect("a kernel");
    let out = s.holding(&mut [0]);
    // SAFETY: the arguments are those of the kernel.
    unsafe { kernel.set_arg(0, &out.get()).and_then(|()| kernel.set_arg(1, &3)) }.expect("they fit");
    let copy = clone_kernel(kernel.get()).expect("a copy");
    // SAFETY: likewise.
    unsafe { kernel.set_arg(1, &4) }.expect("it fits");
    drop(program);
    for (kernel, what) in [(copy, 3), (kernel.get(), 4)] {
        // SAFETY: the kernel writes one number.
        unsafe { s.queue.enqueue_nd_range_kernel(kernel, 1, std::ptr::null(), [1].as_ptr(), std::ptr::null(), &[]) }
            .expect("a launch");
        assert_eq!(s.read(&out, 1), [what]);
    }
    // SAFETY: ours.
    unsafe { opencl3::kernel::release_kernel(copy) }.expect("it was there");
}
