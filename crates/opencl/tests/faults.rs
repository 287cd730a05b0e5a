//! Kernels that the processor stops: an event with an error, and a program that goes on.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod common;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::error_codes::{CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_OUT_OF_RESOURCES};
use opencl3::event::{CL_COMPLETE, Event};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, cl_event, cl_ulong};
use std::arch::asm;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

const SOURCE: &str = "
kernel void wild(global int *p, ulong step) { p[get_global_id(0) * step] = 1; }
kernel void fine(global int *p, ulong step) { p[get_global_id(0)] = 2 * (int)get_global_id(0) + step; }
kernel void stops(global int *p, ulong at) { if (get_global_id(0) == at) __builtin_trap(); p[get_global_id(0)] = 3; }
kernel void over(global int *p, ulong far) {
    int own[8];
    for (ulong i = 0; i < far; ++i) own[i & 0xffffffff] = p[i & 7] + (int)i;
    p[get_global_id(0)] = own[p[0] & 7];
}
kernel void says(global int *p, ulong address) { printf(\"%s\\n\", (constant char *)address); }
";

static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

extern "C" fn notify(text: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {
    // SAFETY: the driver gives a string.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    MESSAGES.lock().expect("no panic").push(text);
}

fn messages() -> Vec<String> {
    std::mem::take(&mut *MESSAGES.lock().expect("no panic"))
}

/// One test at a time: where all run in one process, messages and handlers are everybody's.
static TURN: Mutex<()> = Mutex::new(());

struct Client {
    _turn: MutexGuard<'static, ()>,
    queue: CommandQueue,
    program: Program,
    buffer: Buffer<i32>,
}

const ITEMS: usize = 4096;

impl Client {
    fn new() -> Option<Self> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        messages();
        let device = common::device()?;
        let context = Context::from_devices(&[device.id()], &[], Some(notify), null_mut()).expect("a context");
        let queue = CommandQueue::create_default_with_properties(&context, 0, 0).expect("a queue");
        let program = Program::create_and_build_from_source(&context, SOURCE, "").expect("builds");
        // SAFETY: no memory of ours is passed.
        let buffer = unsafe { Buffer::create(&context, CL_MEM_READ_WRITE, ITEMS, null_mut()) }.expect("a buffer");
        Some(Self { _turn, queue, program, buffer })
    }

    fn enqueue(&self, kernel: &str, number: cl_ulong, after: &[cl_event]) -> Event {
        let kernel = Kernel::create(&self.program, kernel).expect("a kernel");
        let mut launch = ExecuteKernel::new(&kernel);
        launch.set_event_wait_list(after);
        // SAFETY: what the kernels do wrong is what is tested.
        unsafe {
            launch.set_arg(&self.buffer).set_arg(&number).set_global_work_size(ITEMS).enqueue_nd_range(&self.queue)
        }
        .expect("enqueued")
    }

    fn works(&self) {
        assert_eq!(self.enqueue("fine", 5, &[]).wait(), Ok(()), "the queue goes on");
        let mut out = vec![0; ITEMS];
        // SAFETY: the call returns when the values are there.
        unsafe { self.queue.enqueue_read_buffer(&self.buffer, CL_BLOCKING, 0, &mut out, &[]) }.expect("values");
        assert!(out.iter().enumerate().all(|(n, &v)| v as usize == 2 * n + 5));
    }
}

fn status(event: &Event) -> i32 {
    event.command_execution_status().expect("a state").0
}

fn environment() -> u32 {
    let mut state = 0u32;
    // SAFETY: stores the control register to the variable.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut state, options(nostack)) };
    state
}

#[test]
fn a_wild_access_is_an_error_of_its_event_and_the_queue_goes_on() {
    let Some(client) = Client::new() else { return };
    let before = environment();
    for round in 0..6 {
        let failed = client.enqueue("wild", 1 << 40, &[]);
        if round % 2 == 0 {
            // The thread that waits runs it.
            assert_eq!(failed.wait(), Err(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.into()));
        } else {
            // A thread of the driver does.
            client.queue.flush().expect("flushed");
            while status(&failed) > CL_COMPLETE {
                std::thread::yield_now();
            }
        }
        assert_eq!(status(&failed), CL_OUT_OF_RESOURCES);
        let after = client.enqueue("fine", 0, &[failed.get()]);
        assert_eq!(after.wait(), Err(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.into()));
        let said = messages();
        let [one] = &said[..] else { panic!("{said:?}") };
        assert!(one.contains("E0716") && one.contains("kernel `wild`") && one.contains("work-group"), "{one}");
        assert!(one.contains("at program.cl:2") && one.contains("UNSPOOL_CHECK=1"), "{one}");
        client.works();
    }
    assert_eq!(environment(), before);
    client.queue.finish().expect("finished");
}

/// It went over the frames of the process, which ended.
#[test]
fn who_writes_far_beyond_a_private_array_fails_its_event_and_the_queue_goes_on() {
    let Some(client) = Client::new() else { return };
    for _ in 0..3 {
        client.works();
        let failed = client.enqueue("over", 1 << 24, &[]);
        assert_eq!(failed.wait(), Err(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.into()));
        assert_eq!(status(&failed), CL_OUT_OF_RESOURCES);
        let said = messages().concat();
        for part in ["E0716", "kernel `over`", "work-group", "UNSPOOL_CHECK=1"] {
            assert!(said.contains(part), "no `{part}`: {said}");
        }
        client.works();
    }
}

#[test]
fn a_string_that_is_not_there_is_an_error_of_its_event() {
    let Some(client) = Client::new() else { return };
    let failed = client.enqueue("says", 0x10, &[]);
    assert_eq!(failed.wait(), Err(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.into()));
    assert_eq!(status(&failed), CL_OUT_OF_RESOURCES);
    assert!(messages().concat().contains("at address 0x10"));
    client.works();
}

/// Host programs' own faults are theirs.
static CAUGHT: Mutex<Vec<libc::c_int>> = Mutex::new(Vec::new());

extern "C" fn note_and_go_on(signal: libc::c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    CAUGHT.lock().expect("nobody holds it").push(signal);
    // SAFETY: the system passes it. The instruction is `ud2`, of two bytes.
    unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_RIP as usize] += 2 };
}

#[test]
fn the_handlers_of_the_host_program_are_called_for_its_own_faults() {
    let install = || {
        // SAFETY: a handler that goes on behind the instruction.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction =
                note_and_go_on as extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut c_void) as usize;
            action.sa_flags = libc::SA_SIGINFO;
            libc::sigaction(libc::SIGILL, &raw const action, null_mut());
        }
    };
    // SAFETY: the handler goes on behind it.
    let fault = || unsafe { asm!("ud2") };
    install();
    let Some(client) = Client::new() else { return };
    for _ in 0..2 {
        let failed = client.enqueue("wild", 1 << 40, &[]);
        assert_eq!(failed.wait(), Err(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.into()));
        fault();
        client.works();
        assert_eq!(std::mem::take(&mut *CAUGHT.lock().expect("nobody holds it")), [libc::SIGILL]);
        // The second time its handler comes after ours.
        install();
    }
}

/// Nothing was said where the context has no callback, and what was said did not help.
#[test]
fn a_kernel_that_stops_itself_is_an_error_of_its_event_and_says_so() {
    let Some(client) = Client::new() else { return };
    let failed = client.enqueue("stops", 77, &[]);
    assert_eq!(failed.wait(), Err(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.into()));
    assert_eq!(status(&failed), CL_OUT_OF_RESOURCES);
    let said = messages().concat();
    for part in ["E0712", "work-group 0,0,0", "kernel `stops`", "UNSPOOL_CHECK=1"] {
        assert!(said.contains(part), "no `{part}`: {said}");
    }
    client.works();
}
