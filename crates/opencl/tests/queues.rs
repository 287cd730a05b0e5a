//! Kernels in queues as programs enqueue them: sizes, tasks, native kernels, errors, output.

mod common;

#[allow(deprecated, reason = "it is what is tested")]
use opencl3::command_queue::enqueue_task;
use opencl3::command_queue::{CommandQueue, enqueue_native_kernel, enqueue_nd_range_kernel};
use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::error_codes::{
    CL_INVALID_GLOBAL_OFFSET, CL_INVALID_KERNEL_ARGS, CL_INVALID_VALUE, CL_INVALID_WORK_DIMENSION,
    CL_INVALID_WORK_GROUP_SIZE,
};
use opencl3::event::{CL_COMPLETE, Event};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::program::Program;
use opencl3::types::{CL_TRUE, cl_command_queue, cl_event, cl_int, cl_kernel, cl_platform_id};
use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

/// A device with an out-of-order or in-order queue and a program.
struct Setup {
    context: Context,
    queue: CommandQueue,
    program: Program,
}

const SOURCE: &str = "
kernel void ids(global uint *out) {
    out[get_global_linear_id()] = get_local_size(0) * 1000 + get_global_id(0);
}
kernel void where_am_i(global uint *out) {
    uint n = (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
    out[n] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_local_size(0) + 1000000 * get_group_id(0);
}
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void flat(global uint *out) {
    out[get_global_linear_id()] = get_local_size(0) * 100 + get_local_size(1);
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void one(global uint *out) { out[0] += 1; }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void row(global uint *out) { out[get_global_id(0)] = 8; }
kernel __attribute__((work_group_size_hint(16, 1, 1))) void hinted(global uint *out) {
    out[get_global_id(0)] = get_local_size(0);
}
kernel void twice(global uint *out) { out[get_global_id(0)] *= 2; }
kernel void plus(global uint *out, uint n) { out[get_global_id(0)] += n; }
";

fn setup(options: &str) -> Option<Setup> {
    let device: Device = common::device()?;
    let context = Context::from_device(&device).expect("a context");
    let queue = CommandQueue::create_default_with_properties(&context, 0, 0).expect("a queue");
    let program = Program::create_and_build_from_source(&context, SOURCE, options).expect("builds");
    Some(Setup { context, queue, program })
}

impl Setup {
    fn buffer(&self, values: &[u32]) -> Buffer<u32> {
        // SAFETY: no memory of ours is used.
        let mut buffer =
            unsafe { Buffer::create(&self.context, CL_MEM_READ_WRITE, values.len(), null_mut()) }.expect("a buffer");
        // SAFETY: it is as long.
        unsafe { self.queue.enqueue_write_buffer(&mut buffer, CL_TRUE, 0, values, &[]) }.expect("written");
        buffer
    }

    fn read(&self, buffer: &Buffer<u32>, count: usize) -> Vec<u32> {
        let mut values = vec![0; count];
        // SAFETY: it is as long.
        unsafe { self.queue.enqueue_read_buffer(buffer, CL_TRUE, 0, &mut values, &[]) }.expect("read");
        values
    }

    fn kernel(&self, name: &str, buffer: &Buffer<u32>) -> Kernel {
        let kernel = Kernel::create(&self.program, name).expect("a kernel");
        // SAFETY: all kernels take a buffer first.
        unsafe { kernel.set_arg(0, &buffer.get()) }.expect("set");
        kernel
    }

    /// Enqueues over a range; the error code.
    fn run(&self, kernel: &Kernel, offset: &[usize], global: &[usize], local: &[usize]) -> Result<Event, cl_int> {
        let start = |s: &[usize]| if s.is_empty() { null() } else { s.as_ptr() };
        let (work_dim, offset, global, local) = (global.len() as u32, start(offset), start(global), start(local));
        // SAFETY: the arrays have as many numbers.
        unsafe { enqueue_nd_range_kernel(self.queue.get(), kernel.get(), work_dim, offset, global, local, 0, null()) }
            .map(Event::new)
    }
}

#[test]
fn sizes_are_checked() {
    let Some(s) = setup("-cl-std=CL1.2") else { return };
    let buffer = s.buffer(&[0; 64]);
    let (ids, flat, row) = (s.kernel("where_am_i", &buffer), s.kernel("flat", &buffer), s.kernel("row", &buffer));
    let code = |k, offset: &[usize], global: &[usize], local: &[usize]| s.run(k, offset, global, local).map(drop).err();
    assert_eq!(code(&ids, &[], &[], &[]), Some(CL_INVALID_WORK_DIMENSION));
    assert_eq!(code(&ids, &[], &[1; 4], &[]), Some(CL_INVALID_WORK_DIMENSION));
    assert_eq!(code(&ids, &[usize::MAX], &[8], &[]), Some(CL_INVALID_GLOBAL_OFFSET));
    assert_eq!(code(&ids, &[], &[10], &[4]), Some(CL_INVALID_WORK_GROUP_SIZE), "1.2 has only whole groups");
    assert_eq!(code(&ids, &[], &[8], &[0]), Some(CL_INVALID_WORK_GROUP_SIZE));
    assert_eq!(code(&ids, &[], &[1 << 20], &[1 << 20]), Some(CL_INVALID_WORK_GROUP_SIZE));
    assert_eq!(code(&ids, &[], &[usize::MAX & !7, 8], &[usize::MAX & !7, 8]), Some(CL_INVALID_WORK_GROUP_SIZE));
    // `reqd_work_group_size`: with Z of one two dimensions do, with Y of one, too, one does.
    assert_eq!(code(&flat, &[], &[8, 4], &[8, 4]), None);
    assert_eq!(code(&flat, &[], &[8, 4, 1], &[8, 4, 1]), None);
    assert_eq!(code(&flat, &[], &[8, 4], &[]), None);
    assert_eq!(code(&flat, &[], &[8, 4], &[4, 8]), Some(CL_INVALID_WORK_GROUP_SIZE));
    assert_eq!(code(&flat, &[], &[8], &[8]), Some(CL_INVALID_WORK_GROUP_SIZE));
    assert_eq!(code(&flat, &[], &[8], &[]), Some(CL_INVALID_WORK_GROUP_SIZE));
    assert_eq!(code(&flat, &[], &[8, 6], &[]), Some(CL_INVALID_WORK_GROUP_SIZE), "it does not divide");
    for global in [&[64][..], &[64, 1], &[64, 1, 1]] {
        assert_eq!(code(&row, &[], global, &[]), None, "{global:?}");
    }
    let unset = Kernel::create(&s.program, "plus").expect("a kernel");
    assert_eq!(code(&unset, &[], &[8], &[]), Some(CL_INVALID_KERNEL_ARGS));
    s.queue.finish().expect("finished");
    assert_eq!(s.read(&buffer, 8), [8; 8]);
}

#[test]
fn ranges_with_offsets_and_without_work_items() {
    let Some(s) = setup("") else { return };
    let buffer = s.buffer(&[7; 24]);
    let kernel = s.kernel("where_am_i", &buffer);
    for (global, local) in [(&[0][..], &[][..]), (&[4, 0], &[2, 2]), (&[0, 0, 0], &[])] {
        let event = s.run(&kernel, &[], global, local).expect("runs nothing");
        event.wait().expect("ends");
        assert_eq!(event.command_execution_status().expect("a state").0, CL_COMPLETE);
    }
    assert_eq!(s.read(&buffer, 24), [7; 24]);
    s.run(&kernel, &[5, 3], &[6, 4], &[3, 2]).expect("enqueued");
    let want: Vec<u32> = (0..24).map(|n| n % 6 + 5 + 100 * (n / 6 + 3) + 30_000 + 1_000_000 * (n % 6 / 3)).collect();
    assert_eq!(s.read(&buffer, 24), want);
}

#[test]
fn groups_at_the_end_are_smaller_from_2_0_on() {
    for (options, fits) in [("-cl-std=CL2.0", true), ("-cl-std=CL2.0 -cl-uniform-work-group-size", false)] {
        let Some(s) = setup(options) else { return };
        let buffer = s.buffer(&[0; 1003]);
        let kernel = s.kernel("ids", &buffer);
        let done = s.run(&kernel, &[], &[1003], &[64]).map(drop);
        assert_eq!(done.err(), (!fits).then_some(CL_INVALID_WORK_GROUP_SIZE));
        if fits {
            let want: Vec<u32> = (0..1003).map(|n| n + if n < 960 { 64_000 } else { 43_000 }).collect();
            assert_eq!(s.read(&buffer, 1003), want);
        }
        // 1009 is prime: without a local size it must still run.
        let buffer = s.buffer(&[3; 1009]);
        let kernel = s.kernel("twice", &buffer);
        s.run(&kernel, &[], &[1009], &[]).expect("enqueued");
        assert_eq!(s.read(&buffer, 1009), [6; 1009]);
    }
}

#[test]
fn hints_are_the_default_local_size() {
    let Some(s) = setup("-cl-std=CL1.2") else { return };
    let buffer = s.buffer(&[0; 64]);
    let kernel = s.kernel("hinted", &buffer);
    s.run(&kernel, &[], &[64], &[]).expect("enqueued");
    assert_eq!(s.read(&buffer, 64), [16; 64]);
}

#[test]
fn tasks_are_groups_of_one() {
    let Some(s) = setup("") else { return };
    let buffer = s.buffer(&[5]);
    #[allow(deprecated, reason = "it is what is tested")]
    let task = |name| {
        let kernel = s.kernel(name, &buffer);
        // SAFETY: no wait list.
        unsafe { enqueue_task(s.queue.get(), kernel.get(), 0, null()) }.map(Event::new).map(drop)
    };
    assert_eq!(task("one"), Ok(()));
    assert_eq!(task("twice"), Ok(()));
    assert_eq!(task("row"), Err(CL_INVALID_WORK_GROUP_SIZE));
    assert_eq!(s.read(&buffer, 1), [12]);
}

#[test]
fn arguments_are_those_of_the_enqueue() {
    let Some(s) = setup("") else { return };
    let buffer = s.buffer(&[0; 8]);
    let kernel = s.kernel("plus", &buffer);
    for n in 1..=100u32 {
        // SAFETY: the second argument is a `uint`.
        unsafe { kernel.set_arg(1, &n) }.expect("set");
        s.run(&kernel, &[], &[8], &[]).expect("enqueued");
    }
    drop((kernel, s.program));
    let mut values = [0; 8];
    // SAFETY: it is as long.
    unsafe { s.queue.enqueue_read_buffer(&buffer, CL_TRUE, 0, &mut values, &[]) }.expect("read");
    assert_eq!(values, [5050; 8]);
}

#[repr(C)]
struct Arguments {
    buffer: *mut c_void,
    factor: u32,
}

/// A native kernel: multiplies the eight numbers of a buffer.
unsafe extern "C" fn multiply(arguments: *mut c_void) {
    // SAFETY: the tests pass these.
    let Arguments { buffer, factor } = unsafe { arguments.cast::<Arguments>().read() };
    for n in 0..8 {
        // SAFETY: the buffer has eight numbers.
        unsafe { *buffer.cast::<u32>().add(n) *= factor };
    }
}

#[test]
fn native_kernels_get_addresses_for_buffers() {
    let Some(s) = setup("") else { return };
    let buffer = s.buffer(&[3; 8]);
    let twice = s.kernel("twice", &buffer);
    s.run(&twice, &[], &[8], &[]).expect("enqueued");
    let mut arguments = Arguments { buffer: buffer.get(), factor: 7 };
    let (memory, place) = ([buffer.get()], [(&raw const arguments.buffer).cast::<c_void>()]);
    let bytes = size_of::<Arguments>();
    let mut enqueue = |function, bytes, count, place: *const *const c_void| {
        let start = (&raw mut arguments).cast();
        // SAFETY: the function takes these arguments.
        unsafe {
            enqueue_native_kernel(s.queue.get(), function, start, bytes, count, memory.as_ptr(), place, 0, null())
        }
        .map(|e| drop(Event::new(e)))
    };
    assert_eq!(enqueue(Some(multiply), bytes, 1, place.as_ptr()), Ok(()));
    assert_eq!(enqueue(None, bytes, 1, place.as_ptr()), Err(CL_INVALID_VALUE));
    assert_eq!(enqueue(Some(multiply), 0, 1, place.as_ptr()), Err(CL_INVALID_VALUE));
    assert_eq!(enqueue(Some(multiply), bytes, 0, place.as_ptr()), Err(CL_INVALID_VALUE));
    assert_eq!(enqueue(Some(multiply), bytes, 1, null()), Err(CL_INVALID_VALUE));
    let outside = [memory.as_ptr().cast::<c_void>()];
    assert_eq!(enqueue(Some(multiply), bytes, 1, outside.as_ptr()), Err(CL_INVALID_VALUE));
    // The arguments were copied.
    std::hint::black_box(&mut arguments).factor = 1000;
    s.run(&twice, &[], &[8], &[]).expect("enqueued");
    assert_eq!(s.read(&buffer, 8), [3 * 2 * 7 * 2; 8]);
}

#[test]
fn queues_wait_for_each_other() {
    let Some(s) = setup("") else { return };
    let other = CommandQueue::create_default_with_properties(&s.context, 1, 0).expect("a queue");
    let buffer = s.buffer(&[1; 64]);
    let (twice, plus) = (s.kernel("twice", &buffer), s.kernel("plus", &buffer));
    // SAFETY: the second argument is a `uint`.
    unsafe { plus.set_arg(1, &1u32) }.expect("set");
    let mut last: Option<Event> = None;
    let mut want = 1u32;
    for n in 0..200 {
        let (queue, kernel) = if n % 2 == 0 { (&s.queue, &twice) } else { (&other, &plus) };
        want = if n % 2 == 0 { want.wrapping_mul(2) } else { want.wrapping_add(1) };
        let list: Vec<cl_event> = last.iter().map(Event::get).collect();
        let start = if list.is_empty() { null() } else { list.as_ptr() };
        let global = [64usize];
        // SAFETY: the arrays have as many entries as are said.
        let event = unsafe {
            let count = list.len() as u32;
            enqueue_nd_range_kernel(queue.get(), kernel.get(), 1, null(), global.as_ptr(), null(), count, start)
        };
        last = Some(Event::new(event.expect("enqueued")));
        if n % 17 == 0 {
            queue.flush().expect("flushed");
        }
    }
    last.expect("an event").wait().expect("ends");
    assert_eq!(s.read(&buffer, 64), [want; 64]);
}

/// `clGetKernelSuggestedLocalWorkSizeKHR`
type Suggested =
    unsafe extern "C" fn(cl_command_queue, cl_kernel, u32, *const usize, *const usize, *mut usize) -> cl_int;

/// The driver's own exports have names that the loader has, too: they must not be used within the driver.
#[test]
fn functions_of_extensions_are_found_through_the_loader() {
    let Some(s) = setup("-cl-std=CL1.2") else { return };
    let platform = common::platform().expect("it is there").id();
    // SAFETY: the loader is there, and has the function.
    let find = unsafe {
        let loader = libc::dlopen(c"libOpenCL.so.1".as_ptr(), libc::RTLD_NOW);
        let function = libc::dlsym(loader, c"clGetExtensionFunctionAddressForPlatform".as_ptr());
        assert!(!function.is_null());
        std::mem::transmute::<*mut c_void, unsafe extern "C" fn(cl_platform_id, *const c_char) -> *mut c_void>(function)
    };
    // SAFETY: strings.
    let (found, none) = unsafe {
        (find(platform, c"clGetKernelSuggestedLocalWorkSizeKHR".as_ptr()), find(platform, c"clNobodyHasThis".as_ptr()))
    };
    assert!(!found.is_null() && none.is_null());
    // SAFETY: that is its type.
    let suggested = unsafe { std::mem::transmute::<*mut c_void, Suggested>(found) };
    let buffer = s.buffer(&[0; 64]);
    let (hinted, global, mut local) = (s.kernel("hinted", &buffer), [64usize, 1], [0usize; 2]);
    // SAFETY: the arrays have as many numbers.
    let code = unsafe { suggested(s.queue.get(), hinted.get(), 2, null(), global.as_ptr(), local.as_mut_ptr()) };
    assert_eq!((code, local), (0, [16, 1]));
}
