//! Kernels on this machine's processors: from text to machine code, and launches, of the twelve kernels that
//! `scripts/compare_host.py` measures beside other runtimes; smaller inputs here.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use launch::buffer::Buffer;
use runtime::{Arg, Device, HostDevice, HostOptions, Kernel, Program, Run, Shape};
use std::sync::Arc;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

/// An argument of a case.
enum Given {
    /// A buffer of so many floats, uniform in `[0.5, 1.5)`.
    Floats(usize),
    /// A buffer of so many words, each below a bound.
    Words(usize, u32),
    /// The first rows of a matrix: words that grow by up to 63.
    Rows(usize),
    Int(i32),
    Float(f32),
    Local(u64),
}

use Given::{Float, Floats, Int, Local, Rows, Words};

struct Case {
    name: &'static str,
    text: &'static str,
    global: [u32; 2],
    local: [u32; 2],
    args: Vec<Given>,
}

macro_rules! case {
    ($name:literal, $global:expr, $local:expr, [$($arg:expr),* $(,)?]) => {
        Case {
            name: $name,
            text: include_str!(concat!("../kernels/host/", $name, ".cl")),
            global: $global,
            local: $local,
            args: vec![$($arg),*],
        }
    };
}

fn cases() -> Vec<Case> {
    const M: usize = 1 << 20;
    vec![
        case!("sgemm", [256, 256], [16, 16], [Floats(M / 16), Floats(M / 16), Floats(M / 16), Int(256)]),
        case!("saxpy", [1 << 20, 1], [256, 1], [Float(2.0), Floats(M), Floats(M)]),
        case!("nbody", [2048, 1], [256, 1], [Floats(8192), Floats(8192), Int(2048), Float(0.01)]),
        case!("nbody_local", [2048, 1], [256, 1], [Floats(8192), Floats(8192), Int(2048), Float(0.01), Local(4096)]),
        case!("mandel", [256, 256], [16, 16], [Words(M / 16, 1), Int(256), Int(256)]),
        case!("conv2d", [1024, 1024], [16, 16], [Floats(M), Floats(M), Floats(9), Int(1024), Int(1024)]),
        case!("reduce", [1 << 19, 1], [256, 1], [Floats(M), Floats(2048), Local(1024)]),
        case!("histogram", [1 << 14, 1], [256, 1], [Words(M / 4, u32::MAX), Words(256, 1), Int(64), Local(1024)]),
        case!("transpose", [1024, 1024], [16, 16], [Floats(M), Floats(M), Int(1024), Int(1024)]),
        case!(
            "spmv",
            [1 << 14, 1],
            [64, 1],
            [Rows((1 << 14) + 1), Words(M, 1 << 14), Floats(M), Floats(1 << 14), Floats(1 << 14)]
        ),
        case!(
            "black_scholes",
            [1 << 18, 1],
            [256, 1],
            [
                Floats(1 << 18),
                Floats(1 << 18),
                Floats(1 << 18),
                Floats(1 << 18),
                Floats(1 << 18),
                Float(0.02),
                Float(0.3)
            ]
        ),
        case!("bitonic", [1 << 16, 1], [256, 1], [Words(1 << 17, u32::MAX)]),
    ]
}

/// Numbers without a pattern, the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
}

/// What an argument is made of: bytes of a value, a buffer, or a size of local memory.
enum Held {
    Value([u8; 4]),
    Memory(Buffer),
    Local(u64),
}

fn hold(given: &Given, noise: &mut Noise) -> Held {
    let mut fill = |count: usize, f: &mut dyn FnMut(&mut Noise) -> u32| {
        let mut b = Buffer::zeroed(count as u64 * 4).expect("memory");
        b.chunks_exact_mut(4).for_each(|word| word.copy_from_slice(&f(noise).to_le_bytes()));
        Held::Memory(b)
    };
    match *given {
        Floats(n) => fill(n, &mut |r| (0.5 + (r.next() >> 8) as f32 / (1 << 23) as f32).to_bits()),
        Words(n, bound) => fill(n, &mut |r| r.next() % bound),
        Rows(n) => {
            let mut at = 0;
            fill(n, &mut |r| {
                let start = at;
                at += r.next() % 64;
                start
            })
        }
        Int(v) => Held::Value(v.to_le_bytes()),
        Float(v) => Held::Value(v.to_le_bytes()),
        Local(bytes) => Held::Local(bytes),
    }
}

fn prepare(device: &HostDevice, case: &Case) -> Arc<dyn Kernel> {
    let mut c = compile(&Input::text(case.name, case.text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
    let program = Program::new(std::mem::take(&mut c.module), Dialect::OPENCL);
    let local = [case.local[0], case.local[1], 1];
    device.prepare(&program, case.name, local, &mut c.session).unwrap_or_else(|e| panic!("{}: {e}", case.name))
}

fn host(c: &mut Criterion) {
    let device = HostDevice::new(HostOptions::default()).expect("a host");
    let mut group = c.benchmark_group("host/prepare");
    group.sample_size(10);
    for case in cases() {
        group.bench_function(case.name, |b| b.iter(|| prepare(&device, &case)));
    }
    group.finish();
    let mut group = c.benchmark_group("host/launch");
    group.sample_size(10);
    for case in cases() {
        let kernel = prepare(&device, &case);
        let mut noise = Noise(1);
        let mut held: Vec<Held> = case.args.iter().map(|a| hold(a, &mut noise)).collect();
        let args: Vec<Arg<'_>> = held
            .iter_mut()
            .map(|h| match h {
                Held::Value(bytes) => Arg::Value(&bytes[..]),
                Held::Memory(b) => Arg::Pointer(b.as_mut_ptr()),
                Held::Local(bytes) => Arg::Local(*bytes),
            })
            .collect();
        let groups = [case.global[0] / case.local[0], case.global[1] / case.local[1], 1];
        let local = [case.local[0], case.local[1], 1];
        let shape = Shape { work_dim: 2, groups, local, offset: [0; 3], dynamic_shared: 0 };
        group.throughput(Throughput::Elements(shape.items()));
        group.bench_function(case.name, |b| {
            // SAFETY: the buffers are as long as the kernels' indices reach, and only this launch uses them.
            b.iter(|| unsafe { kernel.launch(&shape, &args, &Run::default()) }.expect("it runs"));
        });
    }
    group.finish();
}

criterion_group!(benches, host);
criterion_main!(benches);
