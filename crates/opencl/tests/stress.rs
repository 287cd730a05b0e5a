//! Random calls from several threads, half of them wrong: the right codes, no crash, nothing left behind.
//!
//! The calls go to the driver's own table, as a loader makes them, so that handles may be any garbage (a loader itself reads
//! the first word of a handle). The test suite runs a few; the full run is
//!
//! ```text
//! UNSPOOL_STRESS_THREADS=8 UNSPOOL_STRESS_CALLS=10000 cargo test -p unspool-opencl --test stress
//! ```
//!
//! and the same test executable may be started under valgrind. `UNSPOOL_STRESS_SEED` chooses other calls.

use opencl_sys as cl;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use unspool_opencl::core::{
    context::Context, event::Event, kernel::Kernel, memory::Memory, program::Program, queue::Queue,
};
use unspool_opencl::dispatch::DISPATCH;
use unspool_opencl::handle::Object;

/// Calls a function of the table.
macro_rules! call {
    ($name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: what is wrong with the arguments is for the driver to find; what it may write to is there.
        unsafe { (DISPATCH.$name.expect(stringify!($name)))($($arg),*) }
    };
}

/// Numbers that look random; the same for the same seed (xorshift64*).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
}

/// Handles that all threads have seen; any of them may be released by now.
static SEEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

const SOURCE: &str = "kernel void fill(global uint *p, uint v, uint n) {
    size_t i = get_global_id(0);
    if (i < n) p[i] = v + (uint)i;
}";

/// What all threads share.
struct Shared {
    device: usize,
    context: usize,
    program: usize,
}

/// A buffer and what should be in it.
struct Buffer {
    raw: cl::cl_mem,
    model: Vec<u32>,
}

struct Worker<'a> {
    dice: Dice,
    shared: &'a Shared,
    queue: cl::cl_command_queue,
    kernel: cl::cl_kernel,
    buffers: Vec<Buffer>,
    released: Vec<usize>,
}

fn environment(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

fn build(context: cl::cl_context, device: cl::cl_device_id, text: &str) -> (cl::cl_program, cl::cl_int) {
    let mut code = 1;
    let mut start = text.as_ptr().cast();
    let length = text.len();
    let program = call!(clCreateProgramWithSource(context, 1, &raw mut start, &raw const length, &raw mut code));
    assert_eq!(code, 0);
    (program, call!(clBuildProgram(program, 1, &raw const device, null(), None, null_mut())))
}

impl Shared {
    fn new() -> Self {
        let (mut platform, mut device, mut code) = (null_mut(), null_mut(), 1);
        // SAFETY: there is room for one platform.
        assert_eq!(unsafe { unspool_opencl::icd::clIcdGetPlatformIDsKHR(1, &raw mut platform, null_mut()) }, 0);
        assert_eq!(call!(clGetDeviceIDs(platform, cl::CL_DEVICE_TYPE_ALL, 1, &raw mut device, null_mut())), 0);
        let context = call!(clCreateContext(null(), 1, &raw const device, None, null_mut(), &raw mut code));
        assert_eq!(code, 0);
        let (program, code) = build(context, device, SOURCE);
        assert_eq!(code, 0);
        Self { device: device as usize, context: context as usize, program: program as usize }
    }

    fn context(&self) -> cl::cl_context {
        self.context as _
    }

    fn release(self) {
        assert_eq!(call!(clReleaseProgram(self.program as _)), 0);
        assert_eq!(call!(clReleaseContext(self.context as _)), 0);
    }
}

impl<'a> Worker<'a> {
    fn new(shared: &'a Shared, seed: u64) -> Self {
        let mut code = 1;
        let properties = if seed.is_multiple_of(2) { cl::CL_QUEUE_PROFILING_ENABLE } else { 0 };
        let queue = call!(clCreateCommandQueue(shared.context(), shared.device as _, properties, &raw mut code));
        assert_eq!(code, 0);
        let kernel = call!(clCreateKernel(shared.program as _, c"fill".as_ptr(), &raw mut code));
        assert_eq!(code, 0);
        let dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        Self { dice, shared, queue, kernel, buffers: Vec::new(), released: Vec::new() }
    }

    /// A handle that is none of the wanted kind: null, garbage, of another kind, or released.
    fn wrong(&mut self) -> *mut c_void {
        match self.dice.below(5) {
            0 => null_mut(),
            1 => self.dice.next() as *mut c_void,
            2 => (self as *mut Self).cast(),
            3 => self.shared.device as _,
            // A handle of another object, and not at its beginning.
            _ => self.queue.wrapping_byte_add(4),
        }
    }

    fn wrong_buffer(&mut self) -> *mut c_void {
        match self.released.last() {
            Some(&raw) if self.dice.below(2) == 0 => raw as _,
            _ => self.wrong(),
        }
    }

    fn pick(&mut self) -> usize {
        if self.buffers.is_empty() {
            self.create();
        }
        self.dice.below(self.buffers.len())
    }

    fn create(&mut self) {
        let words = 1 + self.dice.below(4096);
        let model: Vec<u32> = (0..words as u32).collect();
        let mut code = 1;
        let flags = cl::CL_MEM_READ_WRITE | cl::CL_MEM_COPY_HOST_PTR;
        let host = model.as_ptr().cast_mut().cast();
        let raw = call!(clCreateBuffer(self.shared.context(), flags, 4 * words, host, &raw mut code));
        assert_eq!(code, 0);
        SEEN.lock().unwrap().push(raw as usize);
        self.buffers.push(Buffer { raw, model });
    }

    fn create_wrong(&mut self) {
        let context = self.shared.context();
        let wrong = self.wrong();
        let mut word = 0u32;
        let host = (&raw mut word).cast::<c_void>();
        let (context, flags, size, host, want) = match self.dice.below(6) {
            0 => (wrong, cl::CL_MEM_READ_WRITE, 4, null_mut(), cl::CL_INVALID_CONTEXT),
            1 => (context, cl::CL_MEM_READ_WRITE, 0, null_mut(), cl::CL_INVALID_BUFFER_SIZE),
            2 => (context, cl::CL_MEM_READ_ONLY | cl::CL_MEM_WRITE_ONLY, 4, null_mut(), cl::CL_INVALID_VALUE),
            3 => (context, cl::CL_MEM_USE_HOST_PTR, 4, null_mut(), cl::CL_INVALID_HOST_PTR),
            4 => (context, cl::CL_MEM_READ_WRITE, 4, host, cl::CL_INVALID_HOST_PTR),
            _ => (context, cl::CL_MEM_READ_WRITE, usize::MAX / 2, null_mut(), cl::CL_INVALID_BUFFER_SIZE),
        };
        let mut code = 1;
        let raw = call!(clCreateBuffer(context, flags, size, host, &raw mut code));
        assert_eq!((raw, code), (null_mut(), want));
    }

    fn release(&mut self) {
        if self.buffers.len() < 8 {
            return self.create();
        }
        let n = self.pick();
        let gone = self.buffers.swap_remove(n);
        assert_eq!(call!(clFinish(self.queue)), 0);
        assert_eq!(call!(clReleaseMemObject(gone.raw)), 0);
        self.released.push(gone.raw as usize);
    }

    fn write(&mut self) {
        let n = self.pick();
        let value = self.dice.next() as u32;
        let at = self.dice.below(self.buffers[n].model.len());
        self.buffers[n].model[at] = value;
        let (raw, from) = (self.buffers[n].raw, (&raw const value).cast());
        assert_eq!(call!(clEnqueueWriteBuffer(self.queue, raw, 1, 4 * at, 4, from, 0, null(), null_mut())), 0);
    }

    fn write_wrong(&mut self) {
        let n = self.pick();
        let (raw, size) = (self.buffers[n].raw, 4 * self.buffers[n].model.len());
        let (handle, buffer) = (self.wrong(), self.wrong_buffer());
        let word = 7u32;
        let from: *const c_void = (&raw const word).cast();
        let event = self.wrong();
        let (queue, raw, at, size, from, waits, want) = match self.dice.below(6) {
            0 => (handle, raw, 0, 4, from, (0, null()), cl::CL_INVALID_COMMAND_QUEUE),
            1 => (self.queue, buffer, 0, 4, from, (0, null()), cl::CL_INVALID_MEM_OBJECT),
            2 => (self.queue, raw, size, 4, from, (0, null()), cl::CL_INVALID_VALUE),
            3 => (self.queue, raw, usize::MAX - 1, 4, from, (0, null()), cl::CL_INVALID_VALUE),
            4 => (self.queue, raw, 0, 4, null(), (0, null()), cl::CL_INVALID_VALUE),
            _ => (self.queue, raw, 0, 4, from, (1, &raw const event), cl::CL_INVALID_EVENT_WAIT_LIST),
        };
        let code = call!(clEnqueueWriteBuffer(queue, raw, 1, at, size, from, waits.0, waits.1, null_mut()));
        assert_eq!(code, want);
    }

    fn read(&mut self) {
        let n = self.pick();
        let words = self.buffers[n].model.len();
        let mut got = vec![0u32; words];
        let to = got.as_mut_ptr().cast();
        let raw = self.buffers[n].raw;
        assert_eq!(call!(clEnqueueReadBuffer(self.queue, raw, 1, 0, 4 * words, to, 0, null(), null_mut())), 0);
        assert_eq!(got, self.buffers[n].model);
    }

    fn fill(&mut self) {
        let n = self.pick();
        let value = self.dice.next() as u32;
        let size = 4 * self.buffers[n].model.len();
        self.buffers[n].model.fill(value);
        let (raw, pattern) = (self.buffers[n].raw, (&raw const value).cast());
        assert_eq!(call!(clEnqueueFillBuffer(self.queue, raw, pattern, 4, 0, size, 0, null(), null_mut())), 0);
    }

    fn fill_wrong(&mut self) {
        let n = self.pick();
        let raw = self.buffers[n].raw;
        let word = 7u32;
        let pattern = (&raw const word).cast();
        let (pattern, width, at, size) = match self.dice.below(4) {
            0 => (pattern, 3, 0, 3),
            1 => (null(), 4, 0, 4),
            2 => (pattern, 4, 2, 4),
            _ => (pattern, 4, 0, 1 << 20),
        };
        let code = call!(clEnqueueFillBuffer(self.queue, raw, pattern, width, at, size, 0, null(), null_mut()));
        assert_eq!(code, cl::CL_INVALID_VALUE);
    }

    fn copy(&mut self) {
        let (from, to) = (self.pick(), self.pick());
        let words = self.buffers[from].model.len().min(self.buffers[to].model.len());
        let (a, b) = (self.buffers[from].raw, self.buffers[to].raw);
        let code = call!(clEnqueueCopyBuffer(self.queue, a, b, 0, 0, 4 * words, 0, null(), null_mut()));
        if from == to {
            return assert_eq!(code, cl::CL_MEM_COPY_OVERLAP);
        }
        assert_eq!(code, 0);
        let copied = self.buffers[from].model[..words].to_vec();
        self.buffers[to].model[..words].copy_from_slice(&copied);
    }

    fn launch(&mut self) {
        let n = self.pick();
        let (raw, value, words) = (self.buffers[n].raw, self.dice.next() as u32, self.buffers[n].model.len());
        for (index, size, from) in [
            (0, size_of_val(&raw), (&raw const raw).cast()),
            (1, 4, (&raw const value).cast()),
            (2, 4, (&raw const words).cast()),
        ] {
            assert_eq!(call!(clSetKernelArg(self.kernel, index, size, from)), 0);
        }
        let (global, local) = (4096usize, [64usize, 128, 256][self.dice.below(3)]);
        let with_event = self.dice.below(2) == 0;
        let mut event = null_mut();
        let out = if with_event { &raw mut event } else { null_mut() };
        let local = if self.dice.below(4) == 0 { null() } else { &raw const local };
        let queue = self.queue;
        let code =
            call!(clEnqueueNDRangeKernel(queue, self.kernel, 1, null(), &raw const global, local, 0, null(), out));
        assert_eq!(code, 0);
        for (i, word) in self.buffers[n].model.iter_mut().enumerate() {
            *word = value.wrapping_add(i as u32);
        }
        if with_event {
            SEEN.lock().unwrap().push(event as usize);
            assert_eq!(call!(clWaitForEvents(1, &raw const event)), 0);
            assert_eq!(call!(clReleaseEvent(event)), 0);
        }
    }

    fn launch_wrong(&mut self) {
        let n = self.pick();
        let (raw, word) = (self.buffers[n].raw, 1u32);
        for (index, from) in
            [(0, (&raw const raw).cast::<c_void>()), (1, (&raw const word).cast()), (2, (&raw const word).cast())]
        {
            let size = if index == 0 { 8 } else { 4 };
            assert_eq!(call!(clSetKernelArg(self.kernel, index, size, from)), 0);
        }
        let (handle, other) = (self.wrong(), self.wrong());
        let (mut global, mut local) = (64usize, 64usize);
        let (mut queue, mut kernel, mut dimensions, mut waits) = (self.queue, self.kernel, 1, 0);
        let want = match self.dice.below(7) {
            0 => (queue = handle, cl::CL_INVALID_COMMAND_QUEUE).1,
            1 => (kernel = other, cl::CL_INVALID_KERNEL).1,
            2 => (dimensions = 4, cl::CL_INVALID_WORK_DIMENSION).1,
            3 => (local = 48, cl::CL_INVALID_WORK_GROUP_SIZE).1,
            4 => (local = 0, cl::CL_INVALID_WORK_GROUP_SIZE).1,
            5 => {
                (global, local) = (1 << 20, 1 << 20);
                cl::CL_INVALID_WORK_ITEM_SIZE
            }
            _ => (waits = 1, cl::CL_INVALID_EVENT_WAIT_LIST).1,
        };
        let code = call!(clEnqueueNDRangeKernel(
            queue,
            kernel,
            dimensions,
            null(),
            &raw const global,
            &raw const local,
            waits,
            null(),
            null_mut()
        ));
        let also = want == cl::CL_INVALID_WORK_ITEM_SIZE && code == cl::CL_INVALID_WORK_GROUP_SIZE;
        assert!(code == want || also, "{code} instead of {want}");
    }

    fn argument_wrong(&mut self) {
        let (handle, dead) = (self.wrong(), self.wrong_buffer());
        let word = 7u64;
        let value: *const c_void = (&raw const word).cast();
        let (kernel, index, size, value, want) = match self.dice.below(5) {
            0 => (handle, 0, 8, value, cl::CL_INVALID_KERNEL),
            1 => (self.kernel, 3, 4, value, cl::CL_INVALID_ARG_INDEX),
            2 => (self.kernel, 1, 3, value, cl::CL_INVALID_ARG_SIZE),
            3 => (self.kernel, 1, 4, null(), cl::CL_INVALID_ARG_VALUE),
            // Null is a good argument for a pointer.
            _ if dead.is_null() => return,
            _ => (self.kernel, 0, 8, (&raw const dead).cast(), cl::CL_INVALID_MEM_OBJECT),
        };
        assert_eq!(call!(clSetKernelArg(kernel, index, size, value)), want);
    }

    /// A command that waits for an event of ours, which ends well or badly.
    fn user_event(&mut self) {
        let n = self.pick();
        let mut code = 1;
        let event = call!(clCreateUserEvent(self.shared.context(), &raw mut code));
        assert_eq!(code, 0);
        SEEN.lock().unwrap().push(event as usize);
        let words = self.buffers[n].model.len();
        let mut got = vec![0u32; words];
        let (raw, to) = (self.buffers[n].raw, got.as_mut_ptr().cast());
        let mut done = null_mut();
        let queue = self.queue;
        let code = call!(clEnqueueReadBuffer(queue, raw, 0, 0, 4 * words, to, 1, &raw const event, &raw mut done));
        assert_eq!(code, 0);
        let fails = self.dice.below(4) == 0;
        assert_eq!(call!(clSetUserEventStatus(event, 1)), cl::CL_INVALID_VALUE);
        assert_eq!(call!(clSetUserEventStatus(event, if fails { -7 } else { 0 })), 0);
        assert_eq!(call!(clSetUserEventStatus(event, 0)), cl::CL_INVALID_OPERATION);
        let waited = call!(clWaitForEvents(1, &raw const done));
        if fails {
            assert_eq!(waited, cl::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        } else {
            assert_eq!(waited, 0);
            assert_eq!(got, self.buffers[n].model);
        }
        assert_eq!(call!(clReleaseEvent(event)), 0);
        assert_eq!(call!(clReleaseEvent(done)), 0);
        assert_eq!(call!(clSetUserEventStatus(event, 0)), cl::CL_INVALID_EVENT);
    }

    fn event_wrong(&mut self) {
        let wrong = self.wrong();
        let code = match self.dice.below(4) {
            0 => call!(clReleaseEvent(wrong)),
            1 => call!(clSetUserEventStatus(wrong, 0)),
            2 => call!(clGetEventInfo(wrong, cl::CL_EVENT_REFERENCE_COUNT, 0, null_mut(), null_mut())),
            _ => call!(clWaitForEvents(1, &raw const wrong)),
        };
        assert_eq!(code, cl::CL_INVALID_EVENT);
    }

    fn map(&mut self) {
        let n = self.pick();
        let (raw, words) = (self.buffers[n].raw, self.buffers[n].model.len());
        let mut code = 1;
        let flags = cl::CL_MAP_READ | cl::CL_MAP_WRITE;
        let queue = self.queue;
        let at = call!(clEnqueueMapBuffer(queue, raw, 1, flags, 0, 4 * words, 0, null(), null_mut(), &raw mut code));
        assert_eq!(code, 0);
        let value = self.dice.next() as u32;
        // SAFETY: the whole buffer is mapped, and no command of this queue is under way.
        unsafe { at.cast::<u32>().write(value) };
        self.buffers[n].model[0] = value;
        let nowhere = at.wrapping_byte_sub(1 << 12);
        assert_eq!(call!(clEnqueueUnmapMemObject(queue, raw, nowhere, 0, null(), null_mut())), cl::CL_INVALID_VALUE);
        assert_eq!(call!(clEnqueueUnmapMemObject(queue, raw, at, 0, null(), null_mut())), 0);
    }

    fn program(&mut self) {
        let good = self.dice.below(2) == 0;
        let text = if good { "kernel void k(global int *p) { *p = 1; }" } else { "kernel void k( { }" };
        let (program, code) = build(self.shared.context(), self.shared.device as _, text);
        assert_eq!(code, if good { 0 } else { cl::CL_BUILD_PROGRAM_FAILURE });
        let mut code = 1;
        let kernel = call!(clCreateKernel(program, c"none".as_ptr(), &raw mut code));
        assert!(kernel.is_null());
        let kernel = call!(clCreateKernel(program, c"k".as_ptr(), &raw mut code));
        assert_eq!(kernel.is_null(), !good, "{code}");
        assert_eq!(call!(clReleaseProgram(program)), 0);
        if good {
            // The kernel keeps its program.
            let mut owner: cl::cl_program = null_mut();
            let to = (&raw mut owner).cast();
            assert_eq!(call!(clGetKernelInfo(kernel, cl::CL_KERNEL_PROGRAM, 8, to, null_mut())), 0);
            assert_eq!(owner, program);
            assert_eq!(call!(clReleaseKernel(kernel)), 0);
        }
    }

    /// Calls with whatever handle some thread had once: any answer will do.
    fn strange(&mut self) {
        let all = SEEN.lock().unwrap();
        if all.is_empty() {
            return;
        }
        let raw = all[self.dice.below(all.len())] as *mut c_void;
        drop(all);
        let mut room = [0u8; 64];
        let to = room.as_mut_ptr().cast();
        match self.dice.below(4) {
            0 => drop(call!(clGetMemObjectInfo(raw, cl::CL_MEM_SIZE, 64, to, null_mut()))),
            1 => drop(call!(clGetEventInfo(raw, cl::CL_EVENT_COMMAND_EXECUTION_STATUS, 64, to, null_mut()))),
            2 => drop(call!(clGetKernelInfo(raw, cl::CL_KERNEL_NUM_ARGS, 64, to, null_mut()))),
            _ => {
                if call!(clRetainMemObject(raw)) == 0 {
                    assert_eq!(call!(clReleaseMemObject(raw)), 0);
                }
            }
        }
    }

    fn step(&mut self) {
        match self.dice.below(64) {
            0..4 => self.create(),
            4..10 => self.create_wrong(),
            10..13 => self.release(),
            13..17 => self.write(),
            17..24 => self.write_wrong(),
            24..28 => self.read(),
            28..31 => self.fill(),
            31..35 => self.fill_wrong(),
            35..37 => self.copy(),
            37..43 => self.launch(),
            43..48 => self.launch_wrong(),
            48..53 => self.argument_wrong(),
            53..55 => self.user_event(),
            55..58 => self.event_wrong(),
            58..60 => self.map(),
            60..63 => self.strange(),
            _ if self.dice.below(8) == 0 => self.program(),
            _ => assert_eq!(call!(clFinish(self.queue)), 0),
        }
    }

    fn end(self) {
        for buffer in &self.buffers {
            assert_eq!(call!(clReleaseMemObject(buffer.raw)), 0);
        }
        assert_eq!(call!(clReleaseKernel(self.kernel)), 0);
        assert_eq!(call!(clFinish(self.queue)), 0);
        assert_eq!(call!(clReleaseCommandQueue(self.queue)), 0);
    }
}

/// How long objects may be there after they were released.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

#[test]
fn random_calls_from_several_threads() {
    let threads = environment("UNSPOOL_STRESS_THREADS", 4);
    let calls = environment("UNSPOOL_STRESS_CALLS", 400);
    let seed = environment("UNSPOOL_STRESS_SEED", 1) as u64;
    let shared = Shared::new();
    std::thread::scope(|scope| {
        for n in 0..threads as u64 {
            let shared = &shared;
            scope.spawn(move || {
                let mut worker = Worker::new(shared, 1000 * seed + n);
                for _ in 0..calls {
                    worker.step();
                }
                worker.end();
            });
        }
    });
    shared.release();
    let left = || {
        [
            ("contexts", Context::pool().live()),
            ("queues", Queue::pool().live()),
            ("memory objects", Memory::pool().live()),
            ("programs", Program::pool().live()),
            ("kernels", Kernel::pool().live()),
            ("events", Event::pool().live()),
        ]
    };
    // The driver's own threads let go of what they worked with a moment after its owner has.
    let begun = std::time::Instant::now();
    while left().iter().any(|l| l.1 > 0) && begun.elapsed() < PATIENCE {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    for (what, count) in left() {
        assert_eq!(count, 0, "{what} are left");
    }
}
