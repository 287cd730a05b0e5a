//! Events as programs see them through the loader: states, errors, callbacks, times, and graphs of many threads.

mod common;

use opencl3::command_queue::{
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE, CommandQueue, enqueue_barrier_with_wait_list,
    enqueue_marker_with_wait_list, enqueue_nd_range_kernel,
};
use opencl3::context::Context;
use opencl3::error_codes::{
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_CONTEXT, CL_INVALID_EVENT, CL_INVALID_EVENT_WAIT_LIST,
    CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_PROFILING_INFO_NOT_AVAILABLE,
};
use opencl3::event::{
    CL_COMMAND_MARKER, CL_COMMAND_USER, CL_COMPLETE, CL_PROFILING_COMMAND_END, CL_RUNNING, CL_SUBMITTED, Event,
    create_user_event, get_event_profiling_info, release_event, retain_event, set_event_callback,
    set_user_event_status, wait_for_events,
};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::program::Program;
use opencl3::types::{CL_TRUE, cl_event, cl_int};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

fn queue(context: &Context, properties: u64) -> CommandQueue {
    CommandQueue::create_default_with_properties(context, properties, 0).expect("a queue")
}

fn context() -> Option<Context> {
    Some(Context::from_device(&common::device()?).expect("a context"))
}

fn marker(queue: &CommandQueue, after: &[cl_event]) -> Result<Event, cl_int> {
    let start = if after.is_empty() { null() } else { after.as_ptr() };
    // SAFETY: the list has as many events.
    unsafe { enqueue_marker_with_wait_list(queue.get(), after.len() as u32, start) }.map(Event::new)
}

fn status(event: &Event) -> cl_int {
    event.command_execution_status().expect("a state").0
}

#[test]
fn user_events_complete_once() {
    let Some(context) = context() else { return };
    let queue = queue(&context, 0);
    let user = Event::new(create_user_event(context.get()).expect("an event"));
    assert_eq!(status(&user), CL_SUBMITTED);
    assert_eq!(user.command_type().expect("a type").0, CL_COMMAND_USER);
    assert_eq!(user.command_queue(), Ok(null_mut()));
    let waiting = marker(&queue, &[user.get()]).expect("enqueued");
    assert_eq!(waiting.command_type().expect("a type").0, CL_COMMAND_MARKER);
    assert_eq!(waiting.command_queue(), Ok(queue.get()));
    queue.flush().expect("flushed");
    assert_eq!(status(&waiting), CL_SUBMITTED);
    assert_eq!(set_user_event_status(waiting.get(), CL_COMPLETE), Err(CL_INVALID_EVENT));
    assert_eq!(set_user_event_status(user.get(), CL_RUNNING), Err(CL_INVALID_VALUE));
    assert_eq!(set_user_event_status(user.get(), -9999), Ok(()));
    assert_eq!(set_user_event_status(user.get(), CL_COMPLETE), Err(CL_INVALID_OPERATION));
    assert_eq!(wait_for_events(&[waiting.get()]), Err(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST));
    assert_eq!((status(&user), status(&waiting)), (-9999, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST));
    assert_eq!(queue.finish(), Ok(()), "the queue goes on");
    assert_eq!(marker(&queue, &[]).expect("enqueued").wait(), Ok(()));
}

#[test]
fn wait_lists_are_checked() {
    let (Some(one), Some(other)) = (context(), context()) else { return };
    let (queue, foreign) = (queue(&one, 0), queue(&other, 0));
    let event = marker(&queue, &[]).expect("enqueued");
    let strange = marker(&foreign, &[]).expect("enqueued");
    assert_eq!(marker(&queue, &[strange.get()]).map(drop).err(), Some(CL_INVALID_CONTEXT));
    assert_eq!(marker(&queue, &[queue.get()]).map(drop).err(), Some(CL_INVALID_EVENT_WAIT_LIST));
    let list = [event.get()];
    // SAFETY: nothing is read where there is nothing.
    unsafe {
        let barrier = |n, list| enqueue_barrier_with_wait_list(queue.get(), n, list).map(|e| drop(Event::new(e)));
        assert_eq!(barrier(1, null()), Err(CL_INVALID_EVENT_WAIT_LIST));
        assert_eq!(barrier(0, list.as_ptr()), Err(CL_INVALID_EVENT_WAIT_LIST));
        assert_eq!(barrier(1, list.as_ptr()), Ok(()));
    }
    assert_eq!(wait_for_events(&[]), Err(CL_INVALID_VALUE));
    assert_eq!(wait_for_events(&[event.get(), strange.get()]), Err(CL_INVALID_CONTEXT));
    let released = event.get();
    // SAFETY: one reference more and one less.
    unsafe {
        assert_eq!(retain_event(released), Ok(()));
        assert_eq!(event.reference_count(), Ok(2));
        assert_eq!(release_event(released), Ok(()));
    }
    queue.finish().expect("finished");
    drop(event);
    assert_eq!(wait_for_events(&[released]), Err(CL_INVALID_EVENT));
}

#[test]
fn times_are_told_where_they_were_taken() {
    let Some(context) = context() else { return };
    let (plain, profiled) = (queue(&context, 0), queue(&context, CL_QUEUE_PROFILING_ENABLE));
    let time = |e: cl_event| get_event_profiling_info(e, CL_PROFILING_COMMAND_END).map(|_| ());
    let event = marker(&plain, &[]).expect("enqueued");
    event.wait().expect("ends");
    assert_eq!(time(event.get()), Err(CL_PROFILING_INFO_NOT_AVAILABLE));
    let user = create_user_event(context.get()).expect("an event");
    let event = marker(&profiled, &[user]).expect("enqueued");
    assert_eq!(time(event.get()), Err(CL_PROFILING_INFO_NOT_AVAILABLE), "not complete");
    set_user_event_status(user, CL_COMPLETE).expect("the first time");
    event.wait().expect("ends");
    assert_eq!(time(user), Err(CL_PROFILING_INFO_NOT_AVAILABLE));
    let times = [
        event.profiling_command_queued(),
        event.profiling_command_submit(),
        event.profiling_command_start(),
        event.profiling_command_end(),
        event.profiling_command_complete(),
    ]
    .map(|t| t.expect("a time"));
    assert!(times.is_sorted() && times[0] > 0 && times[3] == times[4], "{times:?}");
    drop(Event::new(user));
}

extern "C" fn report(_: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: the tests pass senders that live on.
    unsafe { &*data.cast::<Sender<cl_int>>() }.send(status).expect("the test listens");
}

#[test]
fn callbacks_are_called() {
    let Some(context) = context() else { return };
    let queue = queue(&context, 0);
    let user = Event::new(create_user_event(context.get()).expect("an event"));
    let event = marker(&queue, &[user.get()]).expect("enqueued");
    let (sender, receiver) = channel();
    let data: *mut Sender<cl_int> = Box::leak(Box::new(sender));
    for state in [CL_COMPLETE, CL_RUNNING, CL_SUBMITTED] {
        assert_eq!(set_event_callback(event.get(), state, report, data.cast()), Ok(()));
    }
    assert_eq!(set_event_callback(event.get(), 3, report, data.cast()), Err(CL_INVALID_VALUE));
    assert_eq!(set_event_callback(queue.get(), CL_COMPLETE, report, data.cast()), Err(CL_INVALID_EVENT));
    // The program's last reference goes before the callbacks are called.
    drop(event);
    set_user_event_status(user.get(), CL_COMPLETE).expect("the first time");
    queue.flush().expect("flushed");
    let heard: Vec<cl_int> = (0..3).map(|_| receiver.recv_timeout(LONG).expect("called")).collect();
    assert_eq!(heard, [CL_SUBMITTED, CL_RUNNING, CL_COMPLETE]);
}

/// Each thread has a buffer and enqueues steps of a calculation on it in queues that all threads use, in order only by
/// events, now and then behind a user event that another thread completes.
#[test]
fn threads_share_queues() {
    const STEPS: u32 = 300;
    let Some(context) = context() else { return };
    let source = "kernel void step(global uint *p, uint n) { size_t i = get_global_id(0); p[i] = p[i] * 3 + n + i; }";
    let program = Program::create_and_build_from_source(&context, source, "").expect("builds");
    let queues = [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE]
        .map(|properties| queue(&context, properties));
    let (gates, to_open) = channel::<usize>();
    std::thread::scope(|scope| {
        let (context, program, queues) = (&context, &program, &queues);
        scope.spawn(move || {
            to_open.iter().for_each(|e| set_user_event_status(e as cl_event, CL_COMPLETE).expect("the first time"));
        });
        for thread in 0..4u32 {
            let gates = gates.clone();
            scope.spawn(move || {
                // SAFETY: no memory of ours is used.
                let mut buffer =
                    unsafe { Buffer::<u32>::create(context, CL_MEM_READ_WRITE, 64, null_mut()) }.expect("a buffer");
                // SAFETY: it is as long.
                unsafe { queues[0].enqueue_write_buffer(&mut buffer, CL_TRUE, 0, &[thread; 64], &[]) }
                    .expect("written");
                let kernel = Kernel::create(program, "step").expect("a kernel");
                let mut last: Option<Event> = None;
                let mut want: Vec<u32> = vec![thread; 64];
                for n in 0..STEPS {
                    // SAFETY: a buffer and a `uint`.
                    unsafe {
                        kernel.set_arg(0, &buffer.get()).expect("set");
                        kernel.set_arg(1, &n).expect("set");
                    }
                    let gate =
                        (n % 13 == thread).then(|| Event::new(create_user_event(context.get()).expect("an event")));
                    let after: Vec<cl_event> = last.iter().chain(&gate).map(Event::get).collect();
                    let start = if after.is_empty() { null() } else { after.as_ptr() };
                    let queue = &queues[((n * 7 + thread) % 3) as usize];
                    let global = [64usize];
                    let count = after.len() as u32;
                    // SAFETY: the arrays have as many entries as are said.
                    let event = unsafe {
                        enqueue_nd_range_kernel(
                            queue.get(),
                            kernel.get(),
                            1,
                            null(),
                            global.as_ptr(),
                            null(),
                            count,
                            start,
                        )
                    };
                    last = Some(Event::new(event.expect("enqueued")));
                    if let Some(gate) = &gate {
                        gates.send(gate.get() as usize).expect("it listens");
                        // The event must live until it was completed.
                        gate.wait().expect("completed");
                    }
                    match n % 29 {
                        3 => queue.finish().expect("finished"),
                        5..9 => queue.flush().expect("flushed"),
                        _ => {}
                    }
                    want.iter_mut().zip(0..).for_each(|(w, i)| *w = w.wrapping_mul(3).wrapping_add(n).wrapping_add(i));
                }
                last.expect("an event").wait().expect("ends");
                let mut got = [0u32; 64];
                // SAFETY: it is as long.
                unsafe { queues[0].enqueue_read_buffer(&buffer, CL_TRUE, 0, &mut got, &[]) }.expect("read");
                assert_eq!(got[..], want[..], "thread {thread}");
            });
        }
        drop(gates);
    });
}
