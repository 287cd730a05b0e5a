//! The host device: what kernels see of a launch, what they compute beside the interpreter, what launches refuse.

use interp::{Arg as Seen, LaunchConfig, Limits, Machine};
use runtime::{Arg, Device, Error, HostBackend, HostDevice, HostOptions, Kernel, Program, Run, Shape};
use source::Session;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use unspool::{Dialect, Emit, Input, Options, Product, compile_with_log as compile};

fn program(dialect: Dialect, text: &str) -> (Program, Session) {
    program_with(&Options::host(dialect), text)
}

fn program_with(options: &Options, text: &str) -> (Program, Session) {
    let mut c = compile(&Input::text("k", text), options, &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded(), "{all:?}");
    (Program::new(std::mem::take(&mut c.module), options.dialect), c.session)
}

fn device(scalar: bool, threads: usize) -> HostDevice {
    HostDevice::new(HostOptions { scalar, threads: Some(threads), ..HostOptions::default() }).expect("a host")
}

/// Vectors and none, one thread and several.
fn devices() -> Vec<HostDevice> {
    vec![device(true, 1), device(false, 1), device(false, 3)]
}

fn shape(groups: [u32; 3], local: [u32; 3]) -> Shape {
    let work_dim = (0..3).rposition(|d| groups[d] * local[d] > 1).map_or(1, |d| d as u32 + 1);
    Shape { work_dim, groups, local, offset: [0; 3], dynamic_shared: 0 }
}

fn prepared(d: &HostDevice, text: &str, dialect: Dialect, local: [u32; 3]) -> Arc<dyn Kernel> {
    let (program, mut session) = program(dialect, text);
    d.prepare(&program, "k", local, &mut session).unwrap_or_else(|e| panic!("{e}"))
}

/// Launches the kernel `k` of a text with one buffer of numbers.
fn run(d: &HostDevice, dialect: Dialect, text: &str, shape: &Shape, data: &mut [u32]) {
    let kernel = prepared(d, text, dialect, shape.local);
    // SAFETY: the tests' kernels stay within their buffers.
    unsafe { kernel.launch(shape, &[Arg::Pointer(data.as_mut_ptr().cast())], &Run::default()) }
        .unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn ids_and_sizes_in_three_dimensions() {
    let text = "kernel void k(global uint *p) {
        size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        size_t at = ((z - get_global_offset(2)) * get_global_size(1) + (y - get_global_offset(1))) * get_global_size(0)
                    + (x - get_global_offset(0));
        p[at] = x + 100 * y + 10000 * z + 1000000 * (uint)(get_group_id(0) + get_num_groups(1) + get_local_size(2))
                + 100000000 * get_work_dim();
    }";
    for d in devices() {
        let mut s = shape([2, 3, 2], [5, 2, 3]);
        s.offset = [7, 1, 2];
        let mut data = vec![0; 10 * 6 * 6];
        run(&d, Dialect::OPENCL, text, &s, &mut data);
        for (at, &got) in data.iter().enumerate() {
            let (x, y, z) = (at % 10, at / 10 % 6, at / 60);
            let want = (x + 7) + 100 * (y + 1) + 10_000 * (z + 2) + 1_000_000 * (x / 5 + 3 + 3) + 300_000_000;
            assert_eq!(got as usize, want, "{} at {x},{y},{z}", d.name());
        }
    }
}

#[test]
fn local_memory_of_every_kind() {
    let text = "extern \"C\" __global__ void k(unsigned *p) {
        __shared__ unsigned fixed[64];
        extern __shared__ unsigned grows[];
        unsigned t = threadIdx.x, n = blockDim.x;
        fixed[t] = blockIdx.x * n + t;
        grows[n - 1 - t] = fixed[t];
        __syncthreads();
        p[blockIdx.x * n + t] = grows[t] + fixed[(t + 1) % n];
    }";
    for d in devices() {
        let mut s = shape([40, 1, 1], [64, 1, 1]);
        s.dynamic_shared = 256;
        let mut data = vec![0; 40 * 64];
        run(&d, Dialect::CUDA, text, &s, &mut data);
        for (i, &got) in data.iter().enumerate() {
            let (b, t) = (i as u32 / 64 * 64, i as u32 % 64);
            assert_eq!(got, (b + 63 - t) + b + (t + 1) % 64, "{i}");
        }
    }
    let text = "kernel void k(global uint *p, local uint *a, local ulong *b) {
        uint t = get_local_id(0);
        a[t] = t; b[t] = 1000 * t;
        barrier(CLK_LOCAL_MEM_FENCE);
        p[get_global_id(0)] = a[15 - t] + (uint)b[15 - t];
    }";
    for d in devices() {
        let kernel = prepared(&d, text, Dialect::OPENCL, [16, 1, 1]);
        let mut data = vec![0u32; 160];
        let args = [Arg::Pointer(data.as_mut_ptr().cast()), Arg::Local(64), Arg::Local(128)];
        // SAFETY: the kernel stays within 160 elements.
        unsafe { kernel.launch(&shape([10, 1, 1], [16, 1, 1]), &args, &Run::default()) }.expect("runs");
        assert!(data.iter().enumerate().all(|(i, &v)| v == 1001 * (15 - i as u32 % 16)));
    }
}

#[test]
fn every_group_runs_once_and_is_counted() {
    let text = "kernel void k(global uint *p) { atomic_inc(p + get_group_id(0)); }";
    for threads in [1, 2, 5] {
        let d = device(false, threads);
        let kernel = prepared(&d, text, Dialect::OPENCL, [4, 1, 1]);
        for groups in [1, 2, 7, 1000, 40_000] {
            let mut data = vec![0u32; groups as usize];
            let done = AtomicU64::new(0);
            let run = Run { done: Some(&done), print: None };
            let args = [Arg::Pointer(data.as_mut_ptr().cast())];
            // SAFETY: one element for each group.
            unsafe { kernel.launch(&shape([groups, 1, 1], [4, 1, 1]), &args, &run) }.expect("runs");
            assert!(data.iter().all(|&n| n == 4), "{groups} groups, {threads} threads");
            assert_eq!(done.load(Ordering::Relaxed), u64::from(groups));
        }
    }
}

#[test]
fn several_launches_at_a_time() {
    let text = "kernel void k(global uint *p) {
        local uint t[32];
        t[get_local_id(0)] = p[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        p[get_global_id(0)] = t[31 - get_local_id(0)] + 1;
    }";
    let d = device(false, 2);
    let kernel = prepared(&d, text, Dialect::OPENCL, [32, 1, 1]);
    std::thread::scope(|s| {
        for n in 0..4u32 {
            let kernel = &kernel;
            s.spawn(move || {
                let mut data: Vec<u32> = (0..3200).map(|i| i + n).collect();
                for _ in 0..20 {
                    let args = [Arg::Pointer(data.as_mut_ptr().cast())];
                    // SAFETY: each thread has a buffer of its own.
                    unsafe { kernel.launch(&shape([100, 1, 1], [32, 1, 1]), &args, &Run::default()) }.expect("runs");
                }
                assert!(data.iter().enumerate().all(|(i, &v)| v == i as u32 + n + 20));
            });
        }
    });
}

#[test]
fn a_kernel_is_made_once_for_each_local_size() {
    let (program, mut session) =
        program(Dialect::OPENCL, "kernel void k(global uint *p) { p[0] = get_local_size(0); }");
    let d = device(false, 1);
    let mut get = |n| d.prepare(&program, "k", [n, 1, 1], &mut session).expect("supported");
    let (a, b, c) = (get(8), get(8), get(9));
    assert!(Arc::ptr_eq(&a, &b) && !Arc::ptr_eq(&a, &c));
}

#[test]
fn text_comes_in_the_order_of_the_groups() {
    let text = "kernel void k(int n) { printf(\"%d.%d \", (int)get_group_id(0), (int)get_local_id(0) + n); }";
    for d in devices() {
        let kernel = prepared(&d, text, Dialect::OPENCL, [3, 1, 1]);
        let printed = Mutex::new(Vec::new());
        let print = |t: &[u8]| printed.lock().expect("no panic").extend_from_slice(t);
        let run = Run { done: None, print: Some(&print) };
        let args = [Arg::Value(&10i32.to_le_bytes())];
        // SAFETY: no memory is accessed.
        unsafe { kernel.launch(&shape([50, 1, 1], [3, 1, 1]), &args, &run) }.expect("runs");
        let want: String = (0..150).map(|i| format!("{}.{} ", i / 3, i % 3 + 10)).collect();
        assert_eq!(String::from_utf8_lossy(&printed.into_inner().expect("no panic")), want);
    }
}

#[test]
fn a_trap_ends_the_launch_and_the_next_one_works() {
    let text = "extern \"C\" __global__ void k(unsigned *p, int bad) {
        if (blockIdx.x == bad && threadIdx.x == 7) __trap();
        p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    }";
    for d in devices() {
        let kernel = prepared(&d, text, Dialect::CUDA, [16, 1, 1]);
        let mut data = vec![0u32; 160];
        let mut launch = |bad: i32| {
            let bad = bad.to_le_bytes();
            let args = [Arg::Pointer(data.as_mut_ptr().cast()), Arg::Value(&bad)];
            // SAFETY: the kernel stays within 160 elements.
            unsafe { kernel.launch(&shape([10, 1, 1], [16, 1, 1]), &args, &Run::default()) }
        };
        assert!(matches!(launch(4), Err(Error::Trap { group: [4, 0, 0], .. })));
        assert!(launch(-1).is_ok());
        assert!(data.iter().all(|&v| v == 1));
    }
}

/// Comparisons with 1024, the most that a GPU has, were decided when the kernel was compiled.
#[test]
fn groups_may_be_larger_than_a_gpus() {
    let text = "kernel void k(global uint *p) {
        uint l = get_local_id(0) + get_local_id(2), n = get_local_size(0) * get_local_size(2);
        p[l] = (get_local_id(0) < 1024) + 2 * (get_local_id(2) < 64) + 4 * (get_local_size(0) > 1024) + 8 * (n > 64);
    }";
    for d in devices() {
        let mut data = vec![0; 4096];
        run(&d, Dialect::OPENCL, text, &shape([1; 3], [4096, 1, 1]), &mut data);
        assert!(data.iter().enumerate().all(|(i, &v)| v == u32::from(i < 1024) + 2 + 4 + 8), "{}", d.name());
        let mut data = vec![0; 128];
        run(&d, Dialect::OPENCL, text, &shape([1; 3], [1, 1, 128]), &mut data);
        assert!(data.iter().enumerate().all(|(i, &v)| v == 1 + 2 * u32::from(i < 64) + 8), "{}", d.name());
    }
}

#[test]
fn wrong_launches_are_refused() {
    let d = device(false, 1);
    let (program, mut session) = program(Dialect::OPENCL, "kernel void k(global uint *p, int n) { p[0] = n; }");
    assert!(matches!(d.prepare(&program, "k", [8192, 1, 1], &mut session), Err(Error::GroupTooLarge { .. })));
    assert!(matches!(d.prepare(&program, "k", [0, 1, 1], &mut session), Err(Error::GroupTooLarge { .. })));
    let kernel = d.prepare(&program, "k", [8, 1, 1], &mut session).expect("supported");
    // SAFETY: none of these gets as far as the kernel's code.
    let launch = |s: &Shape, args: &[Arg<'_>]| unsafe { kernel.launch(s, args, &Run::default()) };
    let s = shape([1, 1, 1], [8, 1, 1]);
    let null = Arg::Pointer(std::ptr::null_mut());
    assert!(matches!(launch(&s, &[null]), Err(Error::ArgumentCount { given: 1, expected: 2 })));
    assert!(matches!(launch(&s, &[null, Arg::Value(&[1])]), Err(Error::Argument { index: 1, .. })));
    assert!(matches!(launch(&s, &[null, Arg::Local(8)]), Err(Error::Argument { index: 1, .. })));
    let other = shape([1, 1, 1], [4, 1, 1]);
    assert!(matches!(launch(&other, &[null, Arg::Value(&[0; 4])]), Err(Error::LocalSize { .. })));
}

#[test]
fn subnormal_numbers_as_the_options_say() {
    let text = "kernel void k(global float *p) { p[get_global_id(0)] *= 0.5f; }";
    for (ftz, zero) in [(None, false), (Some(true), true)] {
        let mut options = Options::host(Dialect::OPENCL);
        options.math.ftz = ftz;
        let (program, mut session) = program_with(&options, text);
        for d in devices() {
            let kernel = d.prepare(&program, "k", [16, 1, 1], &mut session).expect("supported");
            let mut data = vec![f32::MIN_POSITIVE; 64];
            let args = [Arg::Pointer(data.as_mut_ptr().cast())];
            // SAFETY: the kernel stays within 64 elements.
            unsafe { kernel.launch(&shape([4, 1, 1], [16, 1, 1]), &args, &Run::default()) }.expect("runs");
            assert!(data.iter().all(|&x| (x.to_bits() == 0) == zero), "{ftz:?}: {:?}", &data[..4]);
        }
    }
    // This thread's own arithmetic is as before.
    assert!(std::hint::black_box(f32::MIN_POSITIVE) * std::hint::black_box(0.5) > 0.0);
}

/// Kernels `k(in, out, n)` whose results are bits: integers, and floats without rounding to choose.
const KERNELS: &[&str] = &[
    // Divergent branches and loops.
    "kernel void k(global const uint *in, global uint *out, uint n) {
        size_t i = get_global_id(0);
        uint x = in[i], steps = 0;
        while (x > 1 && steps < 200) { x = x & 1 ? 3 * x + 1 : x / 2; steps++; if (x == 7) break; }
        if (i % 3 == 0) steps += 1000; else if (i % 5 == 0) return;
        out[i] = steps;
    }",
    // Strides, reversals, gathers, scatters, private arrays.
    "kernel void k(global const uint *in, global uint *out, uint n) {
        size_t i = get_global_id(0);
        uint t[8];
        for (int j = 0; j < 8; j++) t[j] = in[(i * 3 + j) % n] ^ in[n - 1 - (i + j) % n];
        out[n - 1 - i] = t[in[i] & 7] + t[7];
    }",
    // Prefix sums with local memory and barriers in a loop.
    "kernel void k(global const uint *in, global uint *out, uint n) {
        local uint t[1024];
        uint l = get_local_id(0), size = get_local_size(0);
        t[l] = in[get_global_id(0)];
        for (uint step = 1; step < size; step *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = l + step < size ? t[l + step] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            t[l] += other;
        }
        out[get_global_id(0)] = t[l];
    }",
    // Narrow types, vectors of the language, conversions.
    "kernel void k(global const uint *in, global uint *out, uint n) {
        size_t i = get_global_id(0);
        uchar4 b = as_uchar4(in[i]);
        short2 s = convert_short2_sat((int2)(in[i] - 70000, in[i]));
        float f = convert_float_rte(in[i] & 0xffff) * 0.25f;
        uchar4 swapped = b.wzyx + (uchar4)(1, 2, 3, 4);
        out[i] = as_uint(swapped) ^ (uint)s.x ^ ((uint)s.y << 8) ^ (uint)f ^ popcount(in[i]);
    }",
    // Atomics on both kinds of memory.
    "kernel void k(global const uint *in, global uint *out, uint n) {
        local uint bins[16];
        uint l = get_local_id(0);
        for (uint b = l; b < 16; b += get_local_size(0)) bins[b] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_inc(&bins[in[get_global_id(0)] & 15]);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint b = l; b < 16; b += get_local_size(0)) atomic_add(&out[b], bins[b]);
    }",
];

#[test]
fn the_interpreter_agrees() {
    for (which, text) in KERNELS.iter().enumerate() {
        let (program, mut session) = program(Dialect::OPENCL, text);
        let id = program.module().expect("it is there").find("k").expect("the kernel");
        for (groups, local) in [(1u32, 1u32), (5, 3), (4, 16), (3, 33), (2, 100), (3, 256)] {
            let n = groups * local;
            let mut state = 12345u32 + n;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 8
            };
            let input: Vec<u32> = (0..n).map(|_| next()).collect();
            let len = n.max(16) as usize;
            let want = interpreted(&program, id, groups, local, &input, len);
            for d in devices() {
                let s = shape([groups, 1, 1], [local, 1, 1]);
                let kernel = d.prepare(&program, "k", s.local, &mut session).unwrap_or_else(|e| panic!("{which}: {e}"));
                let (mut given, mut out) = (input.clone(), vec![0u32; len]);
                let n = n.to_le_bytes();
                let args =
                    [Arg::Pointer(given.as_mut_ptr().cast()), Arg::Pointer(out.as_mut_ptr().cast()), Arg::Value(&n)];
                // SAFETY: the interpreter has found no access outside of these buffers.
                unsafe { kernel.launch(&s, &args, &Run::default()) }.unwrap_or_else(|e| panic!("{which}: {e}"));
                let lanes = kernel.prepared().lanes;
                assert_eq!(out, want, "kernel {which}, {groups} groups of {local}, {lanes} lanes, {}", d.threads());
            }
        }
    }
}

fn interpreted(program: &Program, id: ir::FuncId, groups: u32, local: u32, input: &[u32], len: usize) -> Vec<u32> {
    let bytes = |v: &[u32]| v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let mut machine = Machine::new(program.module().expect("it is there"));
    let given = machine.alloc_bytes(&bytes(input)).expect("small");
    let out = machine.alloc_bytes(&bytes(&vec![0; len])).expect("small");
    let args = [Seen::Pointer(given), Seen::Pointer(out), Seen::Value(u64::from(groups * local))];
    let config = LaunchConfig::new([groups, 1, 1], [local, 1, 1]);
    machine.launch(id, &config, &args, &Limits::default()).unwrap_or_else(|t| panic!("{t}"));
    let words = machine.read(out, len as u64 * 4).expect("inside").chunks_exact(4);
    words.map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
}

#[test]
fn private_arrays_too_large_for_a_vector_run_one_work_item_after_another() {
    let text = "kernel void k(global uint *out) {
        uint t[20000];
        uint i = get_global_id(0);
        for (uint n = 0; n < 20000; n++) t[n * 7 % 20000] = n + i;
        out[i] = t[i * 7 % 20000];
    }";
    let shape = shape([2, 1, 1], [16, 1, 1]);
    for d in devices() {
        let kernel = prepared(&d, text, Dialect::OPENCL, shape.local);
        assert_eq!(kernel.prepared().lanes, 1, "{}", d.name());
        let mut data = vec![0; 32];
        run(&d, Dialect::OPENCL, text, &shape, &mut data);
        assert_eq!(data, (0..32).map(|i| 2 * i).collect::<Vec<u32>>());
    }
    let reason = prepared(&devices()[1], text, Dialect::OPENCL, shape.local).prepared().reason.clone();
    assert!(reason.is_some_and(|r| r.contains("private arrays")));
    // The same when code is made to keep.
    let mut options = Options::host(Dialect::OPENCL);
    options.backends.register(&HostBackend);
    let made = compile(&Input::text("k.cl", text), &options, &Emit::Product(Product::OBJECT));
    let names: Vec<&str> = made.artefacts.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["k.o"], "{:?}", made.session.diagnostics.iter().collect::<Vec<_>>());
    assert!(made.artefacts[0].as_bytes().starts_with(b"\x7fELF") || !cfg!(target_os = "linux"));
}

#[test]
fn launches_beyond_what_vectors_are_right_for_are_refused() {
    let text = "kernel void k(global uint *p) { p[get_global_id(0) & 63] = 1; }";
    let mut data = vec![0u32; 64];
    let mut far = shape([1, 1, 1], [64, 1, 1]);
    far.offset[0] = launch::context::MAX_EXTENT + 64;
    let mut wide = shape([1 << 25, 1, 1], [64, 1, 1]);
    wide.work_dim = 1;
    let vectors = prepared(&device(false, 1), text, Dialect::OPENCL, [64, 1, 1]);
    assert!(vectors.prepared().lanes > 1);
    for s in [&far, &wide] {
        // SAFETY: the kernel stays within 64 elements.
        let e = unsafe { vectors.launch(s, &[Arg::Pointer(data.as_mut_ptr().cast())], &Run::default()) };
        assert!(matches!(e, Err(Error::Extent { dimension: 0, .. })), "{e:?}");
    }
    assert_eq!(data, vec![0; 64]);
    // One work-item after another it is right.
    run(&device(true, 1), Dialect::OPENCL, text, &far, &mut data);
    assert_eq!(data, vec![1; 64]);
}
