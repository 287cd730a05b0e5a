//! Devices as their users see them: memory, copies, queues and events, on the host and with memory apart.

use launch::{Launch, NdRange};
use runtime::{
    Arg, Device, DevicePtr, DiscreteDevice, Error, HostDevice, HostOptions, Kernel, Place, Program, Run, Shape,
    Transfer,
};
use source::Session;
use std::sync::Arc;
use std::time::Duration;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

const TEXT: &str = "
    kernel void twice(global int *p, int by) { size_t i = get_global_id(0); p[i] = p[i] * 2 + by; }
    kernel void slow(global int *p) { for (int i = 0; i < 2000000; i++) atomic_inc(p); }
    kernel void stop(global int *p) { if (p[0] >= 0) __builtin_trap(); }
    kernel void sum(local int *t, global const int *from, global int *to) {
        t[get_local_id(0)] = from[get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0) { int s = 0; for (int i = 0; i < get_local_size(0); i++) s += t[i]; *to = s; }
    }";

fn program() -> Program {
    let mut options = Options::host(Dialect::OPENCL);
    options.kernel_info = true;
    let mut c = compile(&Input::text("k.cl", TEXT), &options, &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded(), "{all:?}");
    Program::new(std::mem::take(&mut c.module), Dialect::OPENCL).with_kernels(std::mem::take(&mut c.kernels))
}

fn options() -> HostOptions {
    HostOptions { threads: Some(2), ..HostOptions::default() }
}

fn devices() -> [Box<dyn Device>; 2] {
    let host = HostDevice::new(options()).expect("a host");
    [Box::new(host), Box::new(DiscreteDevice::new(options()).expect("a device"))]
}

fn prepared(device: &dyn Device, name: &str, local: u32) -> Arc<dyn Kernel> {
    device.prepare(&program(), name, [local, 1, 1], &mut Session::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn over(items: u64, local: u32) -> Launch {
    let range = NdRange { work_dim: 1, offset: [0; 3], global: [items, 1, 1], local: [local, 1, 1] };
    Launch { range, dynamic_shared: 0 }
}

fn bytes(numbers: impl IntoIterator<Item = i32>) -> Vec<u8> {
    numbers.into_iter().flat_map(i32::to_le_bytes).collect()
}

#[test]
fn commands_of_a_queue_run_in_order() {
    for device in devices() {
        let kernel = prepared(&*device, "twice", 64);
        let queue = device.queue().expect("a queue");
        let memory = device.allocate(1024).expect("little");
        let copy = device.allocate(1024).expect("little");
        let (start, mut end) = (bytes(0..256), vec![0; 1024]);
        // SAFETY: the host's memory is not touched before `finish`, and nobody else knows the device's.
        unsafe {
            queue.copy(&Transfer::to_device(memory, &start)).expect("fits");
            for by in 0..50i32 {
                let args = [memory.argument(), Arg::Value(&(by % 2).to_le_bytes())];
                queue.launch(&kernel, &over(256, 64), &args).expect("fits");
                queue.copy(&Transfer::within(copy, memory, 1024)).expect("fits");
                queue.copy(&Transfer::within(memory, copy, 1024)).expect("fits");
            }
            queue.fill(memory, &7i32.to_le_bytes(), 3).expect("fits");
            queue.copy(&Transfer::to_host(&mut end, memory)).expect("fits");
        }
        queue.finish().unwrap_or_else(|e| panic!("{e}"));
        let want = |n: i32| (0..50).fold(n, |x, by| x.wrapping_mul(2).wrapping_add(by % 2));
        assert_eq!(end, bytes([7; 3].into_iter().chain((3..256).map(want))), "{}", device.name());
        device.free(memory).and_then(|()| device.free(copy)).expect("both");
    }
}

#[test]
fn queues_wait_for_events_of_each_other() {
    for device in devices() {
        let (slow, twice) = (prepared(&*device, "slow", 1), prepared(&*device, "twice", 1));
        let (one, two) = (device.queue().expect("a queue"), device.queue().expect("a queue"));
        let memory = device.allocate(4).expect("little");
        let mut end = [0; 4];
        // SAFETY: the host's memory is not touched before `finish`; the events keep the queues apart.
        unsafe {
            one.fill(memory, &[0; 4], 1).expect("fits");
            let before = one.record().expect("an event");
            one.launch(&slow, &over(1, 1), &[memory.argument()]).expect("fits");
            let slow_ended = one.record().expect("an event");
            two.wait_for(&slow_ended).expect("waits");
            two.launch(&twice, &over(1, 1), &[memory.argument(), Arg::Value(&[1, 0, 0, 0])]).expect("fits");
            let both = two.record().expect("an event");
            one.wait_for(&both).expect("waits");
            one.copy(&Transfer::to_host(&mut end, memory)).expect("fits");
            both.wait().expect("no failure");
            assert!(slow_ended.is_done() && before.is_done());
            let took = slow_ended.time().zip(before.time()).map(|(end, start)| end - start).expect("both happened");
            assert!(took > Duration::from_micros(50), "{took:?}");
            assert!(both.time() >= slow_ended.time());
        }
        one.finish().and_then(|()| two.finish()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(i32::from_le_bytes(end), 4_000_001);
    }
}

#[test]
fn a_queue_works_while_nobody_waits() {
    let device = HostDevice::new(options()).expect("a host");
    let queue = device.queue().expect("a queue");
    let memory = device.allocate(8).expect("little");
    // SAFETY: nobody else knows the memory.
    unsafe { queue.fill(memory, &[1], 8) }.expect("fits");
    let event = queue.record().expect("an event");
    let started = std::time::Instant::now();
    while !event.is_done() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing runs the commands");
        std::thread::yield_now();
    }
}

#[test]
fn memory_may_be_freed_while_commands_use_it() {
    for device in devices() {
        let (slow, twice) = (prepared(&*device, "slow", 1), prepared(&*device, "twice", 1));
        let queue = device.queue().expect("a queue");
        let (memory, other) = (device.allocate(4).expect("little"), device.allocate(4).expect("little"));
        // SAFETY: nobody else knows the memory.
        unsafe {
            queue.fill(other, &[0], 4).expect("fits");
            queue.fill(memory, &[0], 4).expect("fits");
            queue.launch(&slow, &over(1, 1), &[other.argument()]).expect("fits");
            queue.launch(&twice, &over(1, 1), &[memory.argument(), Arg::Value(&[1, 0, 0, 0])]).expect("fits");
        }
        device.free(memory).expect("once");
        queue.finish().unwrap_or_else(|e| panic!("{e}"));
        device.free(other).expect("once");
    }
}

#[test]
fn a_command_that_fails_is_told_once_and_those_behind_it_are_left_out() {
    for device in devices() {
        let (stop, twice) = (prepared(&*device, "stop", 1), prepared(&*device, "twice", 1));
        let queue = device.queue().expect("a queue");
        let memory = device.allocate(4).expect("little");
        let args = [memory.argument(), Arg::Value(&[1, 0, 0, 0])];
        let mut end = [0; 4];
        // SAFETY: the host's memory is not touched before `finish`.
        let event = unsafe {
            queue.fill(memory, &[0], 4).expect("fits");
            queue.launch(&stop, &over(1, 1), &args[..1]).expect("fits");
            queue.launch(&twice, &over(1, 1), &args).expect("fits");
            queue.record().expect("an event")
        };
        assert!(matches!(event.wait(), Err(Error::Trap { .. })));
        assert!(matches!(queue.finish(), Err(Error::Trap { .. })));
        // SAFETY: as above.
        unsafe {
            queue.launch(&twice, &over(1, 1), &args).expect("fits");
            queue.copy(&Transfer::to_host(&mut end, memory)).expect("fits");
        }
        queue.finish().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(i32::from_le_bytes(end), 1, "run once, after the failure was told");
    }
}

#[test]
fn host_addresses_on_a_discrete_device_name_the_argument() {
    let device = DiscreteDevice::new(options()).expect("a device");
    assert!(!device.is_unified());
    let kernel = prepared(&device, "sum", 4);
    let to = device.allocate(4).expect("little");
    let mut data = [1i32, 2, 3, 4];
    let of_host = Arg::Pointer(data.as_mut_ptr().cast());
    let args = [Arg::Local(16), of_host, to.argument()];
    let shape = Shape { work_dim: 1, groups: [1; 3], local: [4, 1, 1], offset: [0; 3], dynamic_shared: 0 };
    let queue = device.queue().expect("a queue");
    // SAFETY: nothing runs.
    let refused = unsafe {
        [
            kernel.launch(&shape, &args, &Run::default()).map(|_| ()),
            kernel.launch_range(&over(4, 4).range, &args, &Run::default()).map(|_| ()),
            queue.launch(&kernel, &over(4, 4), &args),
        ]
    };
    for e in refused.map(|r| r.expect_err("an address of the host")) {
        assert!(matches!(&e, Error::HostAddress { index: 1, name: Some(n), .. } if n == "from"), "{e}");
        assert!(e.to_string().contains("argument 1 (`from`)") && e.to_string().contains("allocate it there"), "{e}");
    }
    let from = device.allocate(16).expect("little");
    let mut sum = [0; 4];
    // SAFETY: nobody else knows the memory.
    unsafe {
        device.copy(&Transfer::to_device(from, &bytes(data))).expect("fits");
        let args = [Arg::Local(16), from.argument(), to.argument()];
        queue.launch(&kernel, &over(4, 4), &args).expect("fits");
        queue.copy(&Transfer::to_host(&mut sum, to)).expect("fits");
    }
    queue.finish().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(i32::from_le_bytes(sum), 10);
    // Freed memory is no argument, and no side of a copy.
    device.free(from).expect("once");
    let args = [Arg::Local(16), from.argument(), to.argument()];
    // SAFETY: nothing runs.
    let e = unsafe { queue.launch(&kernel, &over(4, 4), &args) }.expect_err("freed");
    assert!(matches!(e, Error::HostAddress { index: 1, .. }), "{e}");
    // SAFETY: nothing is copied.
    let e = unsafe { device.copy(&Transfer::within(to, from, 4)) }.expect_err("freed");
    assert!(matches!(e, Error::NotDeviceMemory { .. }), "{e}");
    // An image argument and the like may be null.
    let args = [Arg::Local(16), Arg::Pointer(std::ptr::null_mut()), to.argument()];
    kernel.check(&args).expect("null is no address of the host's");
}

#[test]
fn copies_know_what_is_on_which_side_of_a_discrete_device() {
    let device = DiscreteDevice::new(options()).expect("a device");
    let memory = device.allocate(64).expect("little");
    let mut host = [0u8; 64];
    let at = DevicePtr::of_host(host.as_mut_ptr());
    let refused = |t: Transfer| {
        // SAFETY: nothing is copied.
        unsafe { device.copy(&t) }.expect_err("refused").to_string()
    };
    assert!(refused(Transfer::to_device(at, &[1; 4])).contains("the destination of a copy is no memory of the device"));
    assert!(refused(Transfer::within(memory, at, 4)).contains("the source of a copy is no memory of the device"));
    let back = Transfer::bytes(Place::Host(memory.0), Place::Device(memory), 4);
    assert!(refused(back).contains("is memory of the device"));
    assert!(refused(Transfer::to_device(memory.offset(62), &[1; 4])).contains("leaves its allocation"));
    let queue = device.queue().expect("a queue");
    // SAFETY: nothing is written.
    let e = unsafe { queue.fill(memory, &[1, 2], 33) }.expect_err("66 bytes");
    assert!(matches!(e, Error::OutsideAllocation { bytes: 66, size: 64, .. }), "{e}");
    // What nobody wrote is told apart from zeros.
    // SAFETY: nobody else knows either side.
    unsafe { device.copy(&Transfer::to_host(&mut host, memory)) }.expect("fits");
    assert_eq!(host, [0xcb; 64]);
}
