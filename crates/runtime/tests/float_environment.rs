//! Kernels do not see the floating-point environment of the thread that launches them, and leave it as it was: nor do the
//! compiler and the interpreter.
#![cfg(target_arch = "x86_64")]

use interp::{Arg as Seen, LaunchConfig, Limits, Machine};
use runtime::{Arg, Device, Error, HostDevice, HostOptions, Program, Run, Shape};
use std::arch::asm;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

/// All exceptions masked, rounding to nearest.
const DEFAULT: u32 = 0x1f80;
/// Flush to zero and denormals are zero.
const FLUSH: u32 = 0x8040;
/// Inexact and underflow have been raised.
const RAISED: u32 = 0x30;

/// Environments that programs have come with: subnormal numbers flushed, each rounding mode, exceptions that trap, and
/// exceptions that were raised before.
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

/// Does something in an environment; what it gives, and the environment that it leaves.
fn within<T>(state: u32, f: impl FnOnce() -> T) -> (T, u32) {
    let before = read();
    write(state);
    let out = f();
    let after = read();
    write(before);
    (out, after)
}

/// Arithmetic that shows rounding, subnormal numbers and exceptions: on values, and on constants that are folded.
const ARITHMETIC: &str = "kernel void k(global float *p) {
    size_t i = get_global_id(0);
    float x = p[i], sum = 0;
    for (int n = 1; n < 40; ++n) sum += x / n;
    p[i] = i % 4 == 0 ? sum : i % 4 == 1 ? x * 1e-38f * 0.25f : i % 4 == 2 ? 1.0f / (x - x) : sqrt(x) + 1.0f / 3.0f * 0.1f;
}";

const ITEMS: usize = 64 * 600;

fn options(flush: bool) -> Options {
    let host = Options::host(Dialect::OPENCL);
    if flush { unspool::cl::BuildOptions::parse("-cl-denorms-are-zero").expect("options").compiler() } else { host }
}

/// Compiles the kernel, makes it ready on this device and runs it; the bits of its results.
fn run(device: &HostDevice, flush: bool) -> Vec<u32> {
    let mut c = compile(&Input::text("k", ARITHMETIC), &options(flush), &Emit::Nothing);
    assert!(c.succeeded());
    let program = Program::new(std::mem::take(&mut c.module), Dialect::OPENCL);
    let kernel = device.prepare(&program, "k", [64, 1, 1], &mut c.session).unwrap_or_else(|e| panic!("{e}"));
    let mut data: Vec<f32> = (0..ITEMS as u32).map(|n| f32::from_bits(0x3f80_0001 + n)).collect();
    let groups = [(ITEMS / 64) as u32, 1, 1];
    let shape = Shape { work_dim: 1, groups, local: [64, 1, 1], offset: [0; 3], dynamic_shared: 0 };
    // SAFETY: the kernel stays within its buffer.
    unsafe { kernel.launch(&shape, &[Arg::Pointer(data.as_mut_ptr().cast())], &Run::default()) }
        .unwrap_or_else(|e| panic!("{e}"));
    data.into_iter().map(f32::to_bits).collect()
}

/// Vectors and none, one thread and several.
fn devices() -> impl Iterator<Item = HostDevice> {
    let make = |(scalar, threads)| {
        HostDevice::new(HostOptions { scalar, threads: Some(threads), ..HostOptions::default() }).expect("a host")
    };
    [(true, 1), (false, 1), (false, 4)].into_iter().map(make)
}

#[test]
fn a_callers_environment_changes_no_result_and_comes_back() {
    let device = || devices().next().expect("a device");
    let kept = run(&device(), false);
    assert!(kept.iter().any(|b| f32::from_bits(*b).is_subnormal()), "there is something to flush");
    let flushed = run(&device(), true);
    assert!(!flushed.iter().any(|b| f32::from_bits(*b).is_subnormal()));
    for (name, state) in ENVIRONMENTS {
        for device in devices() {
            for (flush, want) in [(false, &kept), (true, &flushed)] {
                let (got, after) = within(state, || run(&device, flush));
                assert!(got == *want, "{name}, flush {flush}, on {} with {} threads", device.name(), device.threads());
                assert_eq!(after, state, "{name}, flush {flush}: what the caller has afterwards");
            }
        }
    }
}

#[test]
fn a_kernel_that_stops_itself_leaves_the_callers_environment() {
    let text = "extern \"C\" __global__ void k(float *p) { p[0] = 1.0f / (p[0] - p[0]); __trap(); }";
    let mut options = Options::host(Dialect::CUDA);
    options.math.ftz = Some(true);
    let mut c = compile(&Input::text("k", text), &options, &Emit::Nothing);
    assert!(c.succeeded());
    let program = Program::new(std::mem::take(&mut c.module), Dialect::CUDA);
    let shape = Shape { work_dim: 1, groups: [1; 3], local: [1; 3], offset: [0; 3], dynamic_shared: 0 };
    for (name, state) in ENVIRONMENTS {
        for device in devices() {
            let kernel = device.prepare(&program, "k", [1; 3], &mut c.session).unwrap_or_else(|e| panic!("{e}"));
            let mut data = [1f32];
            let args = [Arg::Pointer(data.as_mut_ptr().cast())];
            // SAFETY: the kernel stays within its buffer.
            let (stopped, after) = within(state, || unsafe { kernel.launch(&shape, &args, &Run::default()) });
            assert!(matches!(stopped, Err(Error::Trap { .. })), "{name}: {stopped:?}");
            assert_eq!(after, state, "{name}");
        }
    }
}

#[test]
fn compiler_and_interpreter_compute_alike_in_every_environment() {
    // Folded constants, decimal numbers in the text of stored programs, the interpreter's arithmetic.
    let text = "constant float third = 1.0f / 3.0f, tiny = 1e-38f * 0.1f;
    kernel void k(global float *p) {
        size_t i = get_global_id(0);
        p[i] = p[i] * third + tiny + convert_float_rte(0.1) + (float)(1.0 / 3.0 * 1e-310) + exp(p[i]) + (float)(0.1 + 0.2);
        p[i] += tiny / 3.0f + 1.0f / (p[i] - p[i]);
    }";
    let values: Vec<u8> = (0..64u32).flat_map(|n| (n as f32 * 0.37).to_le_bytes()).collect();
    let both = || {
        let mut c = compile(&Input::text("k", text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
        assert!(c.succeeded());
        let module = std::mem::take(&mut c.module);
        let printed = ir::print::module_to_text(&module);
        let again = unspool::object::Object::new(unspool::object::Kind::Executable, Dialect::OPENCL, &module);
        let module = again.module().expect("the same module");
        let mut machine = Machine::new(&module);
        let kernel = module.find("k").expect("the kernel");
        let buffer = machine.alloc_bytes(&values).expect("a buffer");
        let config = LaunchConfig::items(64);
        machine.launch(kernel, &config, &[Seen::Pointer(buffer)], &Limits::default()).expect("no trap");
        (printed, machine.read(buffer, values.len() as u64).expect("results").to_vec())
    };
    let want = both();
    for (name, state) in ENVIRONMENTS {
        let (got, after) = within(state, both);
        assert!(got.0 == want.0, "{name}: the compiled program");
        assert!(got.1 == want.1, "{name}: the interpreter's results");
        assert_eq!(after, state, "{name}");
    }
}
