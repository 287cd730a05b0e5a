//! What a program has made of its floating-point environment is not seen by kernels, and is as it was after each call.
#![cfg(target_arch = "x86_64")]

mod common;

use common::image::{Kind, done};
use common::launch::{Setup, setup};
use opencl3::command_queue::{enqueue_fill_image, enqueue_native_kernel};
use opencl3::event::{CL_COMPLETE, Event};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::types::cl_int;
use std::arch::asm;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

/// All exceptions masked, rounding to nearest.
const DEFAULT: u32 = 0x1f80;
/// Flush to zero and denormals are zero.
const FLUSH: u32 = 0x8040;
/// Inexact and underflow have been raised.
const RAISED: u32 = 0x30;

/// Environments that programs come with.
const ENVIRONMENTS: [(&str, u32); 7] = [
    ("flushed", DEFAULT | FLUSH),
    ("down", DEFAULT | 0x2000),
    ("up", DEFAULT | 0x4000),
    ("to zero", DEFAULT | 0x6000),
    ("trapping", 0x0000),
    ("all of it", 0x6000 | FLUSH | RAISED),
    ("raised", DEFAULT | RAISED),
];

fn read() -> u32 {
    let mut state = 0u32;
    // SAFETY: stores the control register to the variable.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut state, options(nostack)) };
    state
}

fn write(state: u32) {
    // SAFETY: one of the states above, which have no reserved bits.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const state, options(nostack)) };
}

/// Does something in an environment, which is to be the same afterwards.
fn within<T>(name: &str, state: u32, f: impl FnOnce() -> T) -> T {
    let before = read();
    write(state);
    let out = f();
    let after = read();
    write(before);
    assert_eq!(after, state, "{name}: what the program has afterwards");
    out
}

const SOURCE: &str = "kernel void k(global float *p) {
    size_t i = get_global_id(0);
    float x = p[i], sum = 0;
    for (int n = 1; n < 40; ++n) sum += x / n;
    p[i] = i % 4 == 0 ? sum : i % 4 == 1 ? x * 1e-38f * 0.25f : i % 4 == 2 ? 1.0f / (x - x) : sqrt(x) + 1.0f / 3.0f * 0.1f;
}";

const ITEMS: usize = 1 << 16;

/// Who runs the kernel.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Runner {
    /// The thread that waits.
    Waiting,
    /// A thread of the driver.
    Driver,
}

/// Builds the program and runs it; the bits of its results.
fn bits(s: &Setup, runner: Runner, options: &str) -> Vec<u32> {
    let program = s.built(SOURCE, options);
    let kernel = Kernel::create(&program, "k").expect("a kernel");
    let mut data: Vec<f32> = (0..ITEMS as u32).map(|n| f32::from_bits(0x3f80_0001 + n)).collect();
    let buffer = s.holding(&mut data);
    let mut launch = ExecuteKernel::new(&kernel);
    // SAFETY: the kernel takes this buffer, and has one work-item for each number.
    let event =
        unsafe { launch.set_arg(&buffer).set_global_work_size(ITEMS).enqueue_nd_range(&s.queue) }.expect("a launch");
    if runner == Runner::Driver {
        s.queue.flush().expect("flushed");
        while event.command_execution_status().expect("a status").0 > CL_COMPLETE {
            std::thread::yield_now();
        }
    }
    s.read(&buffer, ITEMS).into_iter().map(f32::to_bits).collect()
}

#[test]
fn a_programs_environment_changes_no_result_of_a_kernel() {
    let Some(s) = setup() else { return };
    let kept = bits(&s, Runner::Waiting, "");
    assert!(kept.iter().any(|b| f32::from_bits(*b).is_subnormal()), "there is something to flush");
    let flushed = bits(&s, Runner::Waiting, "-cl-denorms-are-zero");
    assert!(!flushed.iter().any(|b| f32::from_bits(*b).is_subnormal()));
    for (name, state) in ENVIRONMENTS {
        for runner in [Runner::Waiting, Runner::Driver] {
            for (options, want) in [("", &kept), ("-cl-denorms-are-zero", &flushed)] {
                // The context is new, too, so that threads are started from within.
                let got = within(name, state, || bits(&setup().expect("a loader"), runner, options));
                assert!(got == *want, "{name}, {runner:?}, `{options}`");
            }
        }
    }
}

#[test]
fn images_are_filled_alike_in_every_environment() {
    const RGBA_UNORM8: (u32, u32) = (0x10B5, 0x10D2);
    let Some(s) = setup() else { return };
    let image = s.image(Kind::flat(3, 2, RGBA_UNORM8, 4), null_mut());
    let fill = || {
        let (colour, origin, region) = ([0.1f32, 0.5, 0.9, 0.3], [0usize; 3], [3usize, 2, 1]);
        let (colour, at, size) = (colour.as_ptr().cast(), origin.as_ptr(), region.as_ptr());
        // SAFETY: a colour and places for it.
        done(unsafe { enqueue_fill_image(s.queue.get(), image.raw, colour, at, size, 0, null()) }).expect("filled");
        s.read_image(&image)
    };
    let want = fill();
    assert_eq!(want[..4], [26, 128, 230, 76], "multiplied by 255, to the nearest even");
    for (name, state) in ENVIRONMENTS {
        assert_eq!(within(name, state, fill), want, "{name}");
    }
}

/// Where native kernels and callbacks tell what they found.
static TOLD: Mutex<Option<Sender<u32>>> = Mutex::new(None);

fn tell() {
    // Without what was raised so far.
    let state = read() & !0x3f;
    TOLD.lock().expect("no panic").as_ref().expect("somebody asks").send(state).expect("somebody listens");
}

unsafe extern "C" fn native(_: *mut c_void) {
    tell();
}

extern "C" fn called_back(_: opencl3::types::cl_event, _: cl_int, _: *mut c_void) {
    tell();
}

#[test]
fn native_kernels_and_callbacks_run_in_the_default_environment() {
    let Some(s) = setup() else { return };
    let (sender, told) = channel();
    *TOLD.lock().expect("no panic") = Some(sender);
    for (name, state) in ENVIRONMENTS {
        for runner in [Runner::Waiting, Runner::Driver] {
            within(name, state, || {
                let queue = s.queue.get();
                // SAFETY: the function takes no arguments.
                let event =
                    unsafe { enqueue_native_kernel(queue, Some(native), null_mut(), 0, 0, null(), null(), 0, null()) }
                        .map(Event::new)
                        .expect("enqueued");
                event.set_callback(CL_COMPLETE, called_back, null_mut()).expect("a callback");
                match runner {
                    Runner::Waiting => s.queue.finish().expect("finished"),
                    Runner::Driver => s.queue.flush().expect("flushed"),
                }
                let found = [told.recv().expect("the native kernel"), told.recv().expect("the callback")];
                assert_eq!(found, [DEFAULT; 2], "{name}, {runner:?}");
            });
        }
    }
}
