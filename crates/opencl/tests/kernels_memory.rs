//! Kernels on memory of the program, on parts of buffers, and on shared virtual memory.

mod common;

use opencl3::command_queue as cq;
use opencl3::context::Context;
use opencl3::kernel::{Kernel, set_kernel_arg, set_kernel_arg_svm_pointer};
use opencl3::memory as mem;
use opencl3::program::Program;
use opencl3::types::{cl_command_queue, cl_event, cl_int, cl_mem};
use std::ptr::{null, null_mut};

const SOURCE: &str = "
kernel void add(global int *to, int n) { to[get_global_id(0)] += n; }

typedef struct Node { global struct Node *next; int value; } Node;
kernel void sum(global Node *first, global int *out) {
    int all = 0;
    for (global Node *n = first; n; n = n->next) { all += n->value; n->value = -1; }
    *out = all;
}
";

struct Setup {
    context: Context,
    queue: cl_command_queue,
    program: Program,
}

fn setup() -> Option<Setup> {
    let device = common::device()?;
    let context = Context::from_device(&device).expect("a context");
    // SAFETY: valid handles, no properties.
    let queue = unsafe { cq::create_command_queue_with_properties(context.get(), device.id(), null()) };
    let program = Program::create_and_build_from_source(&context, SOURCE, "").expect("it compiles");
    Some(Setup { queue: queue.expect("a queue"), program, context })
}

impl Drop for Setup {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { cq::release_command_queue(self.queue) }.expect("the queue was there");
    }
}

impl Setup {
    fn run(&self, kernel: &Kernel, size: usize) {
        // SAFETY: the arguments are set; the kernels stay within them.
        let launched = unsafe {
            cq::enqueue_nd_range_kernel(self.queue, kernel.get(), 1, null(), &raw const size, null(), 0, null())
        };
        done(launched).expect("launched");
        cq::finish(self.queue).expect("finished");
    }

    fn add(&self, buffer: cl_mem, n: i32, size: usize) {
        let kernel = Kernel::create(&self.program, "add").expect("a kernel");
        // SAFETY: a handle and a number.
        unsafe {
            set_kernel_arg(kernel.get(), 0, size_of::<cl_mem>(), (&raw const buffer).cast()).expect("a buffer");
            set_kernel_arg(kernel.get(), 1, 4, (&raw const n).cast()).expect("a number");
        }
        self.run(&kernel, size);
    }
}

/// Releases the event of a command, which is not wanted.
fn done(event: Result<cl_event, cl_int>) -> Result<(), cl_int> {
    // SAFETY: a new event.
    event.map(|e| unsafe { opencl3::event::release_event(e) }.expect("the event was there"))
}

#[test]
fn kernels_work_on_the_programs_memory_and_on_parts_of_it() {
    let Some(s) = setup() else { return };
    let mut data: Vec<i32> = (0..101).collect();
    // Not aligned to more than the type is.
    let base = data[1..].as_mut_ptr();
    let region = [128usize, 64];
    // SAFETY: the data outlive the buffers; a region is two numbers.
    let [buffer, part] = unsafe {
        let all = mem::create_buffer(s.context.get(), mem::CL_MEM_USE_HOST_PTR, 400, base.cast()).expect("a buffer");
        [all, mem::create_sub_buffer(all, 0, 0x1220, region.as_ptr().cast()).expect("a part")]
    };
    s.add(buffer, 1000, 100);
    s.add(part, 5000, 16);
    let right = |n: i32| match n {
        0 => 0,
        33..49 => n + 6000,
        _ => n + 1000,
    };
    assert!(data.iter().zip(0..).all(|(&d, n)| d == right(n)), "{data:?}");
    for object in [part, buffer] {
        // SAFETY: ours.
        unsafe { mem::release_mem_object(object) }.expect("there");
    }
}

#[test]
fn kernels_follow_pointers_in_shared_memory() {
    #[repr(C)]
    struct Node {
        next: *mut Node,
        value: i32,
    }
    let Some(s) = setup() else { return };
    let alloc = |size| {
        // SAFETY: any values may be passed.
        unsafe { mem::svm_alloc(s.context.get(), mem::CL_MEM_READ_WRITE, size, 0) }.expect("memory")
    };
    let mut first: *mut Node = null_mut();
    for value in 1..=100 {
        let node = alloc(size_of::<Node>()).cast::<Node>();
        // SAFETY: new memory that is large enough and aligned for every type.
        unsafe { node.write(Node { next: first, value }) };
        first = node;
    }
    let out = alloc(4).cast::<i32>();
    let kernel = Kernel::create(&s.program, "sum").expect("a kernel");
    // SAFETY: shared memory.
    unsafe {
        set_kernel_arg_svm_pointer(kernel.get(), 0, first.cast()).expect("a pointer");
        set_kernel_arg_svm_pointer(kernel.get(), 1, out.cast()).expect("a pointer");
    }
    s.run(&kernel, 1);
    // SAFETY: no command runs.
    assert_eq!(unsafe { *out }, 5050);
    while !first.is_null() {
        // SAFETY: as above; each is freed after it was looked at.
        let Node { next, value } = unsafe { first.read() };
        assert_eq!(value, -1);
        // SAFETY: ours, and not used further.
        unsafe { mem::svm_free(s.context.get(), first.cast()) }.expect("a function");
        first = next;
    }
    // SAFETY: ours.
    unsafe { mem::svm_free(s.context.get(), out.cast()) }.expect("a function");
}
