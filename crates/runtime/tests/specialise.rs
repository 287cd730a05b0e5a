//! Code for any local size, and code for one that takes its place.

use runtime::{Arg, Cache, Device, HostDevice, HostOptions, Kernel, Program, Run, Shape, Specialise};
use std::time::Duration;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

/// Sums over a group in a tree, a private array that lives across barriers, work-items that leave early.
const TEXT: &str = "kernel void k(global uint *out, global const uint *in, local uint *t) {
    uint l = get_local_id(0) + get_local_size(0) * get_local_id(1);
    uint n = get_local_size(0) * get_local_size(1);
    uint g = get_global_id(0) + get_global_size(0) * get_global_id(1);
    uint own[4];
    for (int i = 0; i < 4; i++) own[i] = in[g] * (i + 1) + l;
    t[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < n; s *= 2) {
        uint v = l >= s ? t[l - s] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l % 5 == 3) { out[g] = t[n - 1]; return; }
    out[g] = t[l] + own[in[g] & 3] * 7 + (uint)get_local_size(0) * 1000;
}";

fn program(dialect: Dialect, text: &str) -> (Program, source::Session) {
    let options = Options { kernel_info: true, ..Options::host(dialect) };
    let mut c = compile(&Input::text("test", text), &options, &Emit::Nothing);
    let messages: Vec<String> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded(), "{messages:?}");
    (Program::stored(std::mem::take(&mut c.module), dialect).with_kernels(c.kernels), c.session)
}

fn device(specialise: Specialise, scalar: bool) -> HostDevice {
    let options = HostOptions { threads: Some(2), specialise: Some(specialise), scalar, ..HostOptions::default() };
    HostDevice::new(options).expect("a host")
}

fn input(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect()
}

/// Runs `k` over 2 by 2 groups of this size.
fn launched(kernel: &dyn Kernel, [x, y]: [u32; 2]) -> Vec<u32> {
    let n = (4 * x * y) as usize;
    let (mut out, mut data) = (vec![0u32; n], input(n));
    let shape = Shape { work_dim: 2, groups: [2, 2, 1], local: [x, y, 1], offset: [0; 3], dynamic_shared: 0 };
    let args = [
        Arg::Pointer(out.as_mut_ptr().cast()),
        Arg::Pointer(data.as_mut_ptr().cast()),
        Arg::Local(u64::from(x * y) * 4),
    ];
    // SAFETY: the kernel stays within as many elements as there are work-items, in the group or in all.
    unsafe { kernel.launch(&shape, &args, &Run::default()) }.expect("runs");
    out
}

/// What it computes.
fn expected([x, y]: [u32; 2]) -> Vec<u32> {
    let (n, width) = (x * y, 2 * x);
    let data = input(4 * n as usize);
    let mut out = vec![0; data.len()];
    for group in 0..4 {
        let at = |l: u32| ((group % 2) * x + l % x + width * ((group / 2) * y + l / x)) as usize;
        let sums: Vec<u32> = (0..n)
            .scan(0u32, |sum, l| {
                *sum = sum.wrapping_add(data[at(l)]);
                Some(*sum)
            })
            .collect();
        for l in 0..n {
            let v = data[at(l)];
            let own = v.wrapping_mul((v & 3) + 1).wrapping_add(l);
            let last = sums[l as usize].wrapping_add(own.wrapping_mul(7)).wrapping_add(x * 1000);
            out[at(l)] = if l % 5 == 3 { sums[n as usize - 1] } else { last };
        }
    }
    out
}

const SIZES: [[u32; 2]; 16] = [
    [1, 1],
    [2, 1],
    [3, 1],
    [7, 1],
    [16, 1],
    [17, 1],
    [64, 1],
    [100, 1],
    [256, 1],
    [1000, 1],
    [4, 4],
    [1, 9],
    [16, 16],
    [33, 3],
    [5, 13],
    [64, 2],
];

#[test]
fn one_compilation_serves_all_sizes_of_a_rank() {
    for scalar in [false, true] {
        let device = device(Specialise::Never, scalar);
        let (program, mut session) = program(Dialect::OPENCL, TEXT);
        for size in SIZES {
            let kernel = device.prepare(&program, "k", [size[0], size[1], 1], &mut session).expect("supported");
            assert!(kernel.prepared().any_size, "{size:?}");
            assert_eq!(kernel.prepared().lanes > 1, !scalar, "{:?}", kernel.prepared());
            for _ in 0..2 {
                assert_eq!(launched(&*kernel, size), expected(size), "{size:?}");
            }
        }
    }
}

/// A kernel that reads an image by rows and columns was compiled again at its first launch over a rectangle, which took half a second.
#[test]
fn code_of_a_first_row_runs_rectangles_where_the_kernel_asks_for_their_ids() {
    let text = "kernel void flat(global uint *p) { p[get_global_id(0)]++; }
        kernel void plane(global uint *p) { p[get_global_id(1) * get_global_size(0) + get_global_id(0)]++; }";
    let device = device(Specialise::Never, false);
    let (program, mut session) = program(Dialect::OPENCL, text);
    for (name, same) in [("flat", false), ("plane", true)] {
        let mut code = |local| {
            let kernel = device.prepare(&program, name, local, &mut session).expect("supported");
            kernel.prepared().stages.clone()
        };
        let (row, rectangle) = (code([64, 1, 1]), code([8, 8, 1]));
        assert_eq!(row == rectangle, same, "{name}: one compilation has one list of times");
    }
}

#[test]
fn code_for_a_size_that_recurs_takes_over() {
    let device = device(Specialise::Recurring, false);
    let (program, mut session) = program(Dialect::OPENCL, TEXT);
    let mut prepare = |[x, y]: [u32; 2]| device.prepare(&program, "k", [x, y, 1], &mut session).expect("supported");
    let once = prepare([24, 1]);
    assert_eq!(launched(&*once, [24, 1]), expected([24, 1]));
    let often = prepare([40, 2]);
    for n in 0..3 {
        assert_eq!(launched(&*often, [40, 2]), expected([40, 2]), "{n}");
    }
    assert!(device.settle(Duration::from_secs(120)), "it takes two minutes to compile a kernel");
    assert!(once.prepared().any_size);
    assert!(!often.prepared().any_size, "{:?}", often.prepared());
    assert_eq!(launched(&*often, [40, 2]), expected([40, 2]));
}

#[test]
fn kernels_that_require_a_size_or_exchange_values_are_made_for_it_at_once() {
    let text = "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void r(global int *p) { p[get_global_id(0)]++; }
        kernel void s(global int *p) { p[get_global_id(0)] = sub_group_reduce_add(p[get_global_id(0)]); }";
    let (program, mut session) = program(Dialect::OpenClC { version: 300 }, text);
    for specialise in [Specialise::Never, Specialise::Recurring] {
        let device = device(specialise, false);
        for (name, size) in [("r", 8), ("s", 64)] {
            let kernel = device.prepare(&program, name, [size, 1, 1], &mut session).expect("supported");
            assert!(!kernel.prepared().any_size, "{name}");
        }
    }
}

#[test]
fn many_sizes_from_several_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..2 {
        let options =
            HostOptions { threads: Some(2), specialise: Some(Specialise::Recurring), ..HostOptions::default() };
        let device = HostDevice::with_cache(options, Cache::at(folder.path(), 64 << 20)).expect("a host");
        let (program, _) = program(Dialect::OPENCL, TEXT);
        std::thread::scope(|s| {
            for t in 0..4usize {
                let (device, program) = (&device, &program);
                s.spawn(move || {
                    for n in 0..150 {
                        let size = SIZES[(n * (2 * t + 1) + t) % SIZES.len()];
                        let mut session = source::Session::default();
                        let local = [size[0], size[1], 1];
                        let kernel = device.prepare(program, "k", local, &mut session).expect("supported");
                        assert_eq!(launched(&*kernel, size), expected(size), "round {round}, thread {t}, {size:?}");
                    }
                });
            }
        });
        // Both go while code is being made.
        drop(program);
        drop(device);
    }
}

/// A size that is launched once, for long: its later groups run better code.
#[test]
fn a_long_launch_changes_over() {
    let text = "kernel void k(global uint *out, uint n) {
        uint s = get_global_id(0);
        for (uint i = 0; i < n; i++) s = s * 1664525u + 1013904223u;
        out[get_global_id(0)] = s;
    }";
    let device = device(Specialise::Recurring, false);
    let (program, mut session) = program(Dialect::OPENCL, text);
    // How long a launch must be depends on how long compiling took, hence on what else the machine does.
    for (round, local) in [8u32, 16, 32, 64, 128].into_iter().enumerate() {
        let n = 1u32 << (14 + 2 * round);
        let kernel = device.prepare(&program, "k", [local, 1, 1], &mut session).expect("supported");
        let groups = 8192 / local;
        let mut out = vec![0u32; 8192];
        let shape =
            Shape { work_dim: 1, groups: [groups, 1, 1], local: [local, 1, 1], offset: [0; 3], dynamic_shared: 0 };
        let args = [Arg::Pointer(out.as_mut_ptr().cast()), Arg::Value(&n.to_le_bytes())];
        // SAFETY: the kernel stays within as many elements as there are work-items.
        unsafe { kernel.launch(&shape, &args, &Run::default()) }.expect("runs");
        let expected = |i: u32| (0..n).fold(i, |s, _| s.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        for i in [0, 1, 4097, 8191] {
            assert_eq!(out[i as usize], expected(i), "{i}");
        }
        assert!(device.settle(Duration::from_secs(120)), "it takes two minutes to compile a kernel");
        if !kernel.prepared().any_size {
            return;
        }
    }
    panic!("no launch was long enough");
}
