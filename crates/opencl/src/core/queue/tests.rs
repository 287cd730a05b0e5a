//! Queues and events by their own functions: what runs, in which order, who learns of it.

use super::*;
use crate::core::event::Event;
use crate::core::platform::Platform;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

const IN_ORDER: cl::cl_command_queue_properties = 0;
const OUT_OF_ORDER: cl::cl_command_queue_properties = cl::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

/// How long a test waits for what must happen by itself.
const LONG: Duration = Duration::from_secs(60);

fn context() -> Arc<Context> {
    let platform = Platform::get().expect("a platform");
    Context::new(platform.devices.clone(), Vec::new(), None).expect("room")
}

fn queue_of(context: &Arc<Context>, properties: cl::cl_command_queue_properties) -> Arc<Queue> {
    let (context, device) = (Arc::clone(context), Arc::clone(&context.devices[0]));
    Queue::new(context, device, properties, Vec::new()).expect("room")
}

fn queue(properties: cl::cl_command_queue_properties) -> Arc<Queue> {
    queue_of(&context(), properties)
}

fn waits(queue: &Queue, events: &[&Arc<Event>]) -> Waits {
    let list: Vec<_> = events.iter().map(|e| e.handle().raw()).collect();
    let start = if list.is_empty() { std::ptr::null() } else { list.as_ptr() };
    // SAFETY: the list has so many handles.
    unsafe { Waits::read(&queue.context, list.len() as u32, start) }.expect("valid")
}

fn put(
    queue: &Arc<Queue>,
    kind: cl::cl_command_type,
    after: &[&Arc<Event>],
    work: impl FnOnce() -> Result + Send + 'static,
) -> Arc<Event> {
    let mut event = null_mut();
    let command = Command { kind, waits: waits(queue, after), blocking: false, work: Box::new(work) };
    // SAFETY: the event is writable.
    unsafe { queue.enqueue(command, &raw mut event) }.expect("queued");
    let event = Event::pool().get(event).expect("an event");
    Event::pool().release(event.handle().raw()).expect("the user's reference");
    event
}

fn run(queue: &Arc<Queue>, after: &[&Arc<Event>], work: impl FnOnce() -> Result + Send + 'static) -> Arc<Event> {
    put(queue, cl::CL_COMMAND_NATIVE_KERNEL, after, work)
}

#[test]
fn commands_in_order_run_in_order() {
    let queue = queue(IN_ORDER);
    let (sender, receiver) = channel();
    for n in 0..1000 {
        let sender = sender.clone();
        run(&queue, &[], move || sender.send(n).map_err(|_| Status::OUT_OF_RESOURCES));
        if n % 100 == 7 {
            queue.flush();
        }
    }
    queue.finish();
    drop(sender);
    assert_eq!(receiver.iter().collect::<Vec<_>>(), (0..1000).collect::<Vec<_>>());
}

#[test]
fn commands_that_nobody_flushes_run_all_the_same() {
    for properties in [IN_ORDER, OUT_OF_ORDER] {
        let queue = queue(properties);
        let (sender, receiver) = channel();
        run(&queue, &[], move || sender.send(()).map_err(|_| Status::OUT_OF_RESOURCES));
        receiver.recv_timeout(LONG).expect("runs");
    }
}

#[test]
fn commands_of_a_queue_that_was_released_run() {
    let queue = queue(IN_ORDER);
    let raw = queue.handle().raw();
    let (sender, receiver) = channel();
    let gate = Event::user(Arc::clone(&queue.context)).expect("room");
    run(&queue, &[&gate], move || sender.send(()).map_err(|_| Status::OUT_OF_RESOURCES));
    Queue::pool().release(raw).expect("the user's reference");
    queue.flush();
    drop(queue);
    assert!(Queue::pool().get(raw).is_ok(), "its command keeps it");
    gate.complete(cl::CL_COMPLETE).expect("the first time");
    receiver.recv_timeout(LONG).expect("runs");
    for _ in 0..6000 {
        if Queue::pool().get(raw).is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the queue is still there");
}

#[test]
fn failure_goes_to_those_who_wait_and_no_further() {
    for properties in [IN_ORDER, OUT_OF_ORDER] {
        let queue = queue(properties);
        let gate = Event::user(Arc::clone(&queue.context)).expect("room");
        let first = run(&queue, &[&gate], || panic!("must not run"));
        let second = run(&queue, &[&first], || panic!("must not run"));
        let own = run(&queue, &[], || Err(Status::INVALID_VALUE));
        let barrier = put(&queue, cl::CL_COMMAND_BARRIER, &[&own], || Ok(()));
        let after = run(&queue, &[], || Ok(()));
        gate.complete(-77).expect("the first time");
        assert_eq!(gate.complete(0), Err(Status::INVALID_OPERATION));
        assert_eq!(
            Event::wait_all(&[Arc::clone(&after), Arc::clone(&second)]),
            Err(Status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        );
        queue.finish();
        let status = |e: &Event| e.node.status();
        let failed = cl::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        assert_eq!((status(&gate), status(&first), status(&second)), (-77, failed, failed));
        assert_eq!((status(&own), status(&barrier), status(&after)), (cl::CL_INVALID_VALUE, failed, 0));
        let late = run(&queue, &[&first], || panic!("must not run"));
        assert!(Event::wait_all(&[late]).is_err(), "also if it failed before");
    }
}

#[test]
fn a_panic_in_a_command_is_its_error() {
    let queue = queue(IN_ORDER);
    let command = Command { kind: 0, waits: Waits::default(), blocking: true, work: Box::new(|| panic!("a bug")) };
    // SAFETY: no event is asked for.
    assert_eq!(unsafe { queue.enqueue(command, null_mut()) }, Err(Status::OUT_OF_RESOURCES));
    assert!(Event::wait_all(&[run(&queue, &[], || Ok(()))]).is_ok());
}

#[test]
fn commands_out_of_order_run_at_the_same_time() {
    let queue = queue(OUT_OF_ORDER);
    for _ in 0..50 {
        let meet = Arc::new(Barrier::new(2));
        for _ in 0..2 {
            let meet = Arc::clone(&meet);
            run(&queue, &[], move || {
                meet.wait();
                Ok(())
            });
        }
        queue.finish();
    }
}

#[test]
fn waiting_runs_nothing_that_is_not_waited_for() {
    let queue = queue(OUT_OF_ORDER);
    let gate = Arc::new(Barrier::new(2));
    let inside = Arc::clone(&gate);
    run(&queue, &[], move || {
        inside.wait();
        Ok(())
    });
    let first = run(&queue, &[], || Ok(()));
    let second = run(&queue, &[&first], || Ok(()));
    // Were the first command run by this thread, nobody would open the gate.
    Event::wait_all(&[second]).expect("ends");
    gate.wait();
    queue.finish();
}

#[test]
fn markers_and_barriers_wait_for_all_before() {
    let queue = queue(OUT_OF_ORDER);
    let count = Arc::new(AtomicUsize::new(0));
    let gate = Event::user(Arc::clone(&queue.context)).expect("room");
    for n in 0..40 {
        let count = Arc::clone(&count);
        let after: &[_] = if n % 3 == 0 { &[&gate] } else { &[] };
        run(&queue, after, move || {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(())
        });
    }
    let seen = |kind, want: usize| {
        let count = Arc::clone(&count);
        let right = move || if count.load(Ordering::SeqCst) == want { Ok(()) } else { Err(Status::INVALID_VALUE) };
        put(&queue, kind, &[], right)
    };
    let marker = seen(cl::CL_COMMAND_MARKER, 40);
    let barrier = seen(cl::CL_COMMAND_BARRIER, 40);
    let behind = seen(cl::CL_COMMAND_NATIVE_KERNEL, 40);
    let gated = put(&queue, cl::CL_COMMAND_BARRIER, &[&behind], || Ok(()));
    let last = seen(cl::CL_COMMAND_NATIVE_KERNEL, 40);
    queue.flush();
    std::thread::sleep(Duration::from_millis(2));
    assert!(!behind.node.is_ended());
    gate.complete(cl::CL_COMPLETE).expect("the first time");
    Event::wait_all(&[marker, barrier, behind, gated, last]).expect("all came after the 40");
}

/// Sends what it is called with.
extern "C" fn report(event: cl::cl_event, status: cl::cl_int, data: *mut c_void) {
    assert!(Event::pool().get(event).is_ok(), "the event is alive");
    // SAFETY: the tests pass senders that live on.
    let (sender, name) = unsafe { &*data.cast::<(Sender<(usize, cl::cl_int)>, usize)>() };
    sender.send((*name, status)).expect("the test listens");
}

fn listen(event: &Arc<Event>, sender: &Sender<(usize, cl::cl_int)>, states: &[cl::cl_int]) {
    for (n, &state) in states.iter().enumerate() {
        let data = Box::leak(Box::new((sender.clone(), n)));
        event.add_callback(state, report, std::ptr::from_mut(data).cast());
    }
}

fn heard(receiver: &Receiver<(usize, cl::cl_int)>, count: usize) -> Vec<(usize, cl::cl_int)> {
    (0..count).map(|_| receiver.recv_timeout(LONG).expect("called")).collect()
}

#[test]
fn callbacks_come_once_and_in_order() {
    let states = [cl::CL_COMPLETE, cl::CL_RUNNING, cl::CL_SUBMITTED, cl::CL_RUNNING];
    for fails in [false, true] {
        let queue = queue(IN_ORDER);
        let gate = Event::user(Arc::clone(&queue.context)).expect("room");
        let (sender, receiver) = channel();
        let event = run(&queue, &[&gate], || Ok(()));
        listen(&event, &sender, &states);
        gate.complete(if fails { -5 } else { 0 }).expect("the first time");
        queue.finish();
        let error = cl::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        let want = if fails {
            [(2, cl::CL_SUBMITTED), (1, error), (3, error), (0, error)]
        } else {
            [(2, cl::CL_SUBMITTED), (1, cl::CL_RUNNING), (3, cl::CL_RUNNING), (0, cl::CL_COMPLETE)]
        };
        assert_eq!(heard(&receiver, 4), want);
        listen(&event, &sender, &states[..1]);
        assert_eq!(heard(&receiver, 1), [(0, if fails { error } else { 0 })], "also when it is late");
        assert!(receiver.recv_timeout(Duration::from_millis(5)).is_err(), "once");
    }
}

/// Completes the user event that it is given.
extern "C" fn open(_: cl::cl_event, _: cl::cl_int, data: *mut c_void) {
    Event::pool().get(data).expect("alive").complete(cl::CL_COMPLETE).expect("the first time");
}

#[test]
fn callbacks_may_complete_user_events() {
    let context = context();
    let (a, b) = (queue_of(&context, IN_ORDER), queue_of(&context, OUT_OF_ORDER));
    let gates: Vec<_> = (0..100).map(|_| Event::user(Arc::clone(&context)).expect("room")).collect();
    let mut last = run(&a, &[], || Ok(()));
    for (n, gate) in gates.iter().enumerate() {
        last.add_callback(cl::CL_COMPLETE, open, gate.handle().raw());
        last = run(if n % 2 == 0 { &b } else { &a }, &[gate], || Ok(()));
    }
    Event::wait_all(&[last]).expect("all ran");
    for gate in gates {
        Event::pool().release(gate.handle().raw()).expect("the user's reference");
    }
}

#[test]
fn times_are_in_order() {
    let queue = queue(cl::CL_QUEUE_PROFILING_ENABLE);
    for flush in [false, true] {
        let event = run(&queue, &[], || Ok(()));
        if flush {
            queue.flush();
        }
        Event::wait_all(&[Arc::clone(&event)]).expect("ends");
        let times = [cl::CL_QUEUED, cl::CL_SUBMITTED, cl::CL_RUNNING, cl::CL_COMPLETE].map(|s| event.node.time(s));
        assert!(times.is_sorted() && times[0] > 0, "{times:?}");
    }
}

#[test]
fn ended_commands_behind_one_that_waits_are_not_kept() {
    let queue = queue(OUT_OF_ORDER);
    let gate = Event::user(Arc::clone(&queue.context)).expect("room");
    let first = run(&queue, &[&gate], || Ok(()));
    for _ in 0..10_000 {
        Event::wait_all(&[run(&queue, &[], || Ok(()))]).expect("ends");
    }
    assert!(queue.state().kept() < 1000, "{}", queue.state().kept());
    gate.complete(cl::CL_COMPLETE).expect("the first time");
    Event::wait_all(&[first]).expect("ends");
}

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Threads that enqueue into queues of both kinds, with random waits on what others enqueued, and user events that yet
/// another thread completes. Each command checks that those it waits for have run.
#[test]
fn random_graphs_run_as_their_waits_say() {
    const COMMANDS: usize = 1500;
    let context = context();
    let queues: Vec<_> = (0..4).map(|n| queue_of(&context, if n % 2 == 0 { IN_ORDER } else { OUT_OF_ORDER })).collect();
    let ran = Arc::new(AtomicUsize::new(0));
    let shared: Mutex<Vec<(Arc<Event>, Arc<AtomicUsize>)>> = Mutex::default();
    let (gates, to_open) = channel::<Arc<Event>>();
    std::thread::scope(|scope| {
        scope.spawn(move || to_open.iter().for_each(|g| g.complete(cl::CL_COMPLETE).expect("the first time")));
        for thread in 0..4 {
            let (queues, ran, shared, gates) = (&queues, &ran, &shared, gates.clone());
            let context = &context;
            scope.spawn(move || {
                let mut random = Random(0x9E37_79B9 + thread);
                for _ in 0..COMMANDS {
                    let queue = &queues[random.below(queues.len())];
                    let mut after: Vec<_> = {
                        let known = shared.lock().expect("no panic");
                        let count = if known.is_empty() { 0 } else { random.below(4) };
                        let from = known.len().saturating_sub(50);
                        (0..count).map(|_| known[from + random.below(known.len() - from)].clone()).collect()
                    };
                    if random.below(8) == 0 {
                        let gate = Event::user(Arc::clone(context)).expect("room");
                        gates.send(Arc::clone(&gate)).expect("listens");
                        Event::pool().release(gate.handle().raw()).expect("the user's reference");
                        after.push((gate, Arc::new(AtomicUsize::new(1))));
                    }
                    let done = Arc::new(AtomicUsize::new(0));
                    let (mine, ran) = (Arc::clone(&done), Arc::clone(ran));
                    let flags: Vec<_> = after.iter().map(|(_, done)| Arc::clone(done)).collect();
                    let events: Vec<_> = after.iter().map(|(e, _)| e).collect();
                    let event = run(queue, &events, move || {
                        ran.fetch_add(1, Ordering::SeqCst);
                        mine.store(1, Ordering::SeqCst);
                        if flags.iter().all(|f| f.load(Ordering::SeqCst) == 1) {
                            Ok(())
                        } else {
                            Err(Status::INVALID_VALUE)
                        }
                    });
                    shared.lock().expect("no panic").push((Arc::clone(&event), done));
                    match random.below(40) {
                        0 => queue.finish(),
                        1 => Event::wait_all(&[event]).expect("ran after what it waits for"),
                        2..9 => queue.flush(),
                        _ => {}
                    }
                }
            });
        }
        drop(gates);
    });
    let all: Vec<_> = shared.into_inner().expect("no panic").into_iter().map(|(e, _)| e).collect();
    Event::wait_all(&all).expect("each ran after what it waits for");
    assert_eq!(ran.load(Ordering::SeqCst), 4 * COMMANDS);
}
