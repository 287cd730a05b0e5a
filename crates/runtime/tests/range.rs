//! OpenCL's ranges with groups of several sizes: what kernels see of them, in the interpreter, one work-item after another,
//! and in vectors.

use interp::{Arg as Seen, LaunchConfig, Limits, Machine, Whole};
use runtime::{Arg, Device, Error, HostDevice, HostOptions, NdRange, Program, Run};
use source::Session;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

const CL2: Dialect = Dialect::OpenClC { version: 200 };

fn program(options: &Options, text: &str) -> (Program, Session) {
    let mut c = compile(&Input::text("k", text), options, &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded(), "{all:?}");
    (Program::new(std::mem::take(&mut c.module), options.dialect), c.session)
}

fn device(scalar: bool, threads: usize) -> HostDevice {
    HostDevice::new(HostOptions { scalar, threads: Some(threads), ..HostOptions::default() }).expect("a host")
}

fn range(offset: [u64; 3], global: [u64; 3], local: [u32; 3]) -> NdRange {
    let work_dim = (0..3).rposition(|d| global[d] > 1).map_or(1, |d| d as u32 + 1);
    NdRange { work_dim, offset, global, local }
}

/// What the kernel `k` leaves in a buffer of so many numbers, in the interpreter.
fn interpreted(program: &Program, range: &NdRange, count: usize) -> Vec<u32> {
    let module = program.module().expect("code");
    let mut machine = Machine::new(module);
    let buffer = machine.alloc_bytes(&vec![0; count * 4]).expect("little memory");
    let groups = [0, 1, 2].map(|d| range.groups(d) as u32);
    for part in range.parts() {
        let whole = Whole { first: part.first, groups, local: range.local, global: range.global, offset: range.offset };
        let config = LaunchConfig {
            offset: part.origin,
            work_dim: range.work_dim,
            whole: Some(whole),
            ..LaunchConfig::new(part.groups, part.local)
        };
        let kernel = module.find("k").expect("the kernel");
        let args = [Seen::Pointer(buffer)];
        machine.launch(kernel, &config, &args, &Limits::default()).unwrap_or_else(|t| panic!("{t}"));
    }
    let bytes = machine.read(buffer, count as u64 * 4).expect("the buffer");
    bytes.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// Runs the kernel `k` everywhere; what it left, which is the same.
fn everywhere(options: &Options, text: &str, range: &NdRange, count: usize) -> Vec<u32> {
    let (program, mut session) = program(options, text);
    let want = interpreted(&program, range, count);
    for (scalar, threads) in [(true, 1), (false, 1), (false, 3)] {
        let d = device(scalar, threads);
        let kernel = d.prepare_range(&program, "k", range, &mut session).unwrap_or_else(|e| panic!("{e}"));
        let mut data = vec![0u32; count];
        let args = [Arg::Pointer(data.as_mut_ptr().cast())];
        // SAFETY: the tests' kernels stay within their buffers.
        unsafe { kernel.launch_range(range, &args, &Run::default()) }.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(data, want, "{range:?}, scalar: {scalar}, {threads} threads");
    }
    want
}

/// Writes everything that a work-item can ask for.
const ALL: &str = "kernel void k(global uint *p) {
    size_t at = get_global_linear_id();
    uint s = 0;
    for (int d = 0; d < 3; d++)
        s = s * 31 + get_global_id(d) + 7 * get_local_id(d) + 11 * get_group_id(d) + 13 * get_local_size(d)
            + 17 * get_enqueued_local_size(d) + 19 * get_num_groups(d) + 23 * get_global_size(d) + 29 * get_global_offset(d);
    p[8 * at] = s;
    p[8 * at + 1] = get_local_linear_id();
    p[8 * at + 2] = get_group_id(0) + 100 * get_group_id(1) + 10000 * get_group_id(2);
    p[8 * at + 3] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2);
    p[8 * at + 4] = get_num_groups(0) + 100 * get_num_groups(1) + 10000 * get_num_groups(2);
    p[8 * at + 5] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
    p[8 * at + 6] = get_num_sub_groups() + 100 * get_enqueued_num_sub_groups() + 10000 * get_work_dim();
    p[8 * at + 7] = get_enqueued_local_size(0) + (uint)get_global_size(0) * 100;
}";

#[test]
fn work_items_see_what_the_specification_says() {
    for r in [
        range([0; 3], [10, 1, 1], [4, 1, 1]),
        range([5, 0, 0], [3, 1, 1], [64, 1, 1]),
        range([0; 3], [1009, 1, 1], [64, 1, 1]),
        range([3, 20, 0], [37, 11, 1], [16, 4, 1]),
        range([1, 2, 3], [10, 7, 5], [4, 3, 2]),
        range([0; 3], [64, 6, 1], [32, 4, 1]),
        range([0; 3], [12, 6, 2], [4, 3, 2]),
    ] {
        let items = r.items() as usize;
        let data = everywhere(&Options::host(CL2), ALL, &r, 8 * items);
        for at in 0..items {
            let g =
                [at as u64 % r.global[0], at as u64 / r.global[0] % r.global[1], at as u64 / r.global[0] / r.global[1]];
            let l = r.local.map(u64::from);
            let group = [0, 1, 2].map(|d| g[d] / l[d]);
            let size = [0, 1, 2].map(|d| l[d].min(r.global[d] - group[d] * l[d]));
            let local = [0, 1, 2].map(|d| g[d] % l[d]);
            let id = [0, 1, 2].map(|d| g[d] + r.offset[d]);
            let groups = [0, 1, 2].map(|d| r.groups(d));
            let mix = |v: [u64; 3]| v[0] + 100 * v[1] + 10_000 * v[2];
            let warps = |v: [u64; 3]| v.iter().product::<u64>().div_ceil(32);
            let want = [
                (local[2] * size[1] + local[1]) * size[0] + local[0],
                mix(group),
                mix(size),
                mix(groups),
                mix(id),
                warps(size) + 100 * warps(l) + 10_000 * u64::from(r.work_dim),
                l[0] + 100 * r.global[0],
            ];
            let got: Vec<u64> = data[8 * at + 1..8 * at + 8].iter().map(|&n| n.into()).collect();
            assert_eq!(got, want, "{r:?} at {g:?}");
        }
    }
}

#[test]
fn smaller_groups_meet_at_barriers() {
    let text = "kernel void k(global uint *p) {
        local uint t[64];
        uint l = get_local_id(0), n = get_local_size(0);
        t[l] = get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint most = 0;
        for (uint i = 0; i < n; i++) most = max(most, t[i]);
        p[get_global_id(0)] = t[n - 1 - l] + 1000 * most;
    }";
    let data = everywhere(&Options::host(CL2), text, &range([0; 3], [150, 1, 1], [64, 1, 1]), 150);
    for (i, &got) in data.iter().enumerate() {
        let (first, n) = (i / 64 * 64, if i < 128 { 64 } else { 22 });
        assert_eq!(got as usize, first + n - 1 - (i - first) + 1000 * (first + n - 1), "{i}");
    }
}

/// The last group is smaller than the attribute says: loops over the group's size must not be folded to it.
#[test]
fn a_required_size_is_not_that_of_the_last_group() {
    let text = "kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(global uint *p) {
        uint s = 0;
        for (uint i = 0; i < get_local_size(0); i++) s += i + 1;
        p[get_global_id(0)] = s + 1000 * get_enqueued_local_size(0) + 100000 * get_local_size(1);
    }";
    let data = everywhere(&Options::host(CL2), text, &range([0; 3], [39, 1, 1], [16, 1, 1]), 39);
    for (i, &got) in data.iter().enumerate() {
        assert_eq!(got, if i < 32 { 136 } else { 28 } + 116_000, "{i}");
    }
}

#[test]
fn two_ranges_with_the_same_last_group_differ_in_the_others() {
    let options = Options::host(CL2);
    let (program, mut session) = program(&options, ALL);
    let d = device(false, 2);
    for r in
        [range([0; 3], [10, 1, 1], [4, 1, 1]), range([0; 3], [8, 1, 1], [3, 1, 1]), range([0; 3], [2, 1, 1], [2, 1, 1])]
    {
        let want = interpreted(&program, &r, 8 * r.items() as usize);
        let kernel = d.prepare_range(&program, "k", &r, &mut session).expect("fits");
        let mut data = vec![0u32; want.len()];
        // SAFETY: eight elements for each work-item.
        unsafe { kernel.launch_range(&r, &[Arg::Pointer(data.as_mut_ptr().cast())], &Run::default()) }.expect("runs");
        assert_eq!(data, want, "{r:?}");
    }
}

#[test]
fn an_empty_range_runs_nothing() {
    let (program, mut session) = program(&Options::host(CL2), ALL);
    let d = device(false, 2);
    for global in [[0, 1, 1], [5, 0, 1]] {
        let r = range([0; 3], global, [4, 1, 1]);
        let kernel = d.prepare_range(&program, "k", &r, &mut session).expect("nothing to make");
        // SAFETY: nothing runs.
        unsafe { kernel.launch_range(&r, &[Arg::Pointer(std::ptr::null_mut())], &Run::default()) }.expect("nothing");
    }
}

#[test]
fn groups_of_one_size_are_demanded_where_the_language_does() {
    let text = "kernel void k(global uint *p) { p[get_global_id(0)] = get_local_size(0); }";
    let r = range([0; 3], [10, 1, 1], [4, 1, 1]);
    let uniform = Options { partial_groups: false, ..Options::host(CL2) };
    for options in [Options::host(Dialect::OPENCL), uniform] {
        let (program, mut session) = program(&options, text);
        let e = device(false, 1).prepare_range(&program, "k", &r, &mut session).err().expect("refused");
        assert!(matches!(e, Error::NotUniform { dimension: 0, global: 10, local: 4 }), "{e}");
        let even = range([0; 3], [12, 1, 1], [4, 1, 1]);
        everywhere(&options, text, &even, 12);
    }
}

#[test]
fn groups_are_counted_and_print_in_order() {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};
    let text = "kernel void k(global uint *p) { if (get_local_id(0) == 0) printf(\"%u \", (uint)get_group_id(0)); }";
    let (program, mut session) = program(&Options::host(CL2), text);
    let d = device(false, 3);
    let r = range([0; 3], [1001, 1, 1], [10, 1, 1]);
    let kernel = d.prepare_range(&program, "k", &r, &mut session).expect("fits");
    let (printed, done) = (Mutex::new(Vec::new()), AtomicU64::new(0));
    let print = |text: &[u8]| printed.lock().expect("whole").extend_from_slice(text);
    let run = Run { done: Some(&done), print: Some(&print) };
    // SAFETY: the buffer is not touched.
    unsafe { kernel.launch_range(&r, &[Arg::Pointer(std::ptr::null_mut())], &run) }.expect("runs");
    assert_eq!(done.load(Ordering::Relaxed), 101);
    let want: String = (0..101).map(|n| format!("{n} ")).collect();
    assert_eq!(String::from_utf8_lossy(&printed.lock().expect("whole")), want);
}
