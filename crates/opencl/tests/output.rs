//! What kernels print, and what they say when they stop: alone in its file, as it moves the process's standard output.

mod common;

use opencl3::command_queue::{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CommandQueue, enqueue_nd_range_kernel};
use opencl3::context::Context;
use opencl3::error_codes::{CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_OUT_OF_RESOURCES};
use opencl3::event::Event;
use opencl3::kernel::Kernel;
use opencl3::program::Program;
use std::ffi::{CStr, c_char, c_void};
use std::io::{Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::ptr::null;
use std::sync::Mutex;

const SOURCE: &str = "
kernel void hello(int n) { if (get_local_id(0) == 0) printf(\"%d from %d\\n\", n, (int)get_group_id(0)); }
kernel void stops(int n) { if (get_global_id(0) == n) __builtin_trap(); }
";

static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The context's `pfn_notify`.
extern "C" fn notify(text: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {
    // SAFETY: the driver gives a string.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    MESSAGES.lock().expect("no panic").push(text);
}

fn run(queue: &CommandQueue, kernel: &Kernel, n: i32, items: usize) -> Event {
    // SAFETY: both kernels take an `int`.
    unsafe { kernel.set_arg(0, &n) }.expect("set");
    let (global, local) = ([items], [16usize]);
    let (global, local) = (global.as_ptr(), local.as_ptr());
    // SAFETY: one number each.
    Event::new(
        unsafe { enqueue_nd_range_kernel(queue.get(), kernel.get(), 1, null(), global, local, 0, null()) }
            .expect("enqueued"),
    )
}

/// What the process prints meanwhile, by whatever way.
fn printed(work: impl FnOnce()) -> String {
    let mut file = std::env::temp_dir();
    file.push(format!("unspool-printed-{}", std::process::id()));
    let mut kept =
        std::fs::File::options().create(true).truncate(true).read(true).write(true).open(&file).expect("a file");
    std::io::stdout().flush().expect("flushed");
    // SAFETY: descriptors of this process, put back below.
    let before = unsafe { libc::dup(1) };
    // SAFETY: as above.
    assert!(before >= 0 && unsafe { libc::dup2(kept.as_raw_fd(), 1) } == 1);
    work();
    // SAFETY: as above.
    unsafe {
        libc::dup2(before, 1);
        libc::close(before);
    }
    let mut text = String::new();
    kept.rewind().expect("to the start");
    kept.read_to_string(&mut text).expect("text");
    std::fs::remove_file(&file).expect("removed");
    text
}

#[test]
fn text_comes_in_order_and_failures_in_words() {
    let Some(device) = common::device() else { return };
    let context = Context::from_devices(&[device.id()], &[], Some(notify), std::ptr::null_mut()).expect("a context");
    let program = Program::create_and_build_from_source(&context, SOURCE, "").expect("builds");
    let kernel = |name| Kernel::create(&program, name).expect("a kernel");
    let (hello, stops) = (kernel("hello"), kernel("stops"));
    for properties in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
        let queue = CommandQueue::create_default_with_properties(&context, properties, 0).expect("a queue");
        let in_order = properties == 0;
        let got = printed(|| {
            for n in 0..if in_order { 50 } else { 1 } {
                run(&queue, &hello, n, 64);
            }
            queue.finish().expect("finished");
        });
        let line = |n: i32| format!("{} from {}\n", n / 4, n % 4);
        assert_eq!(got, (0..if in_order { 200 } else { 4 }).map(line).collect::<String>());

        let failed = run(&queue, &stops, 40, 64);
        let fine = run(&queue, &stops, 64, 64);
        assert_eq!(failed.wait(), Err(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.into()));
        assert_eq!(failed.command_execution_status().expect("a state").0, CL_OUT_OF_RESOURCES);
        assert_eq!(fine.wait(), Ok(()), "the queue goes on");
        let said = std::mem::take(&mut *MESSAGES.lock().expect("no panic"));
        assert!(matches!(&said[..], [one] if one.contains("`stops`") && one.contains("work-group 2,0,0")), "{said:?}");
    }
}
