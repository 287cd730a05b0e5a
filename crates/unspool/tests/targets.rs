//! Kernels for a target that nobody builds, with warps of 64 lanes and limits of its own, through every stage to the
//! interpreter: what the stages know of a target comes from its description.

use interp::{Arg, LaunchConfig, Limits, Machine};
use std::sync::LazyLock;
use target::amd::AmdArch;
use target::{Description, Lanes, LaunchLimits, OccupancyRules, SmLimits};
use unspool::{Arch, Compilation, Dialect, Emit, Input, OptLevel, Options, Target, compile_with_log as compile};

/// Like no GPU that there is.
static IMAGINARY: LazyLock<Description> = LazyLock::new(|| Description {
    name: "imaginary",
    lanes: Lanes { wave: 64, warps: &[64], warp: 64 },
    launch: LaunchLimits { group_items: 2048, group: [2048, 128, 16], groups: [1 << 20, 1 << 18, 7] },
    occupancy: OccupancyRules::Multiprocessor(SmLimits {
        registers: 128 * 1024,
        registers_per_block: 128 * 1024,
        registers_per_thread: 120,
        warps: 20,
        threads: 1280,
        ..*Arch::DEFAULT.limits()
    }),
    ..*gfx90a().description()
});

fn imaginary() -> Target {
    Target::new(&IMAGINARY)
}

fn gfx90a() -> Target {
    AmdArch::parse("gfx90a").expect("a GPU").target()
}

fn compiled(target: Target, level: OptLevel, dialect: Dialect, text: &str, emit: &Emit) -> Compilation {
    let options = Options { target, level, explain: true, ..Options::new(dialect) };
    let c = compile(&Input::text("test", text), &options, emit);
    let messages: Vec<String> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded() || *emit == Emit::PTX, "{messages:?}");
    c
}

/// What kernel `k` stores into `words` words of 64 bits, at every level alike.
fn run(target: Target, dialect: Dialect, text: &str, config: &LaunchConfig, words: usize) -> Vec<u64> {
    let mut found: Option<Vec<u64>> = None;
    for level in [OptLevel::O0, OptLevel::O3] {
        let c = compiled(target, level, dialect, text, &Emit::Ir);
        let mut machine = Machine::new(&c.module);
        machine.set_target(target);
        let out = machine.alloc_bytes(&vec![0; words * 8]).expect("small");
        let kernel = c.module.find("k").expect("the kernel");
        let ran = machine.launch(kernel, config, &[Arg::Pointer(out)], &Limits::default());
        ran.unwrap_or_else(|t| panic!("{level:?}: {t}"));
        let bytes = machine.read(out, words as u64 * 8).expect("in bounds");
        let got: Vec<u64> = bytes.chunks(8).map(|w| u64::from_le_bytes(w.try_into().expect("eight"))).collect();
        if let Some(before) = &found {
            assert_eq!(*before, got, "levels differ");
        }
        found = Some(got);
    }
    found.expect("two levels")
}

const WARP_OPERATIONS: &str = r#"
extern "C" __global__ void k(unsigned long long *out) {
    out += threadIdx.x * 12;
    unsigned lane = threadIdx.x % warpSize;
    cudaLaneMask_t all = ~cudaLaneMask_t(0);
    *out++ = sizeof(cudaLaneMask_t) * 1000 + warpSize;
    *out++ = __ballot_sync(all, lane & 1);
    *out++ = __ballot(lane >= warpSize / 2);
    *out++ = __shfl_sync(all, threadIdx.x, warpSize - 1);
    *out++ = __shfl_xor_sync(all, lane, warpSize / 2);
    *out++ = __shfl_down_sync(all, lane, warpSize / 2 + 8);
    *out++ = __shfl_up_sync(all, lane, warpSize / 2 + 8);
    *out++ = __shfl_sync(all, lane, 3, 16);
    *out++ = __activemask();
    *out++ = __match_any_sync(all, lane / 16);
    *out++ = __reduce_add_sync(all, lane);
    if (lane >= warpSize - 4) *out = __ballot_sync(__activemask(), lane != warpSize - 2);
}
"#;

/// What it stores with warps of so many lanes.
fn warp_results(item: u64, warp: u64) -> [u64; 12] {
    let every = if warp == 64 { u64::MAX } else { 0xffff_ffff };
    let (lane, half) = (item % warp, warp / 2);
    [
        warp / 8 * 1000 + warp,
        0xaaaa_aaaa_aaaa_aaaa & every,
        every & !((1 << half) - 1),
        item - lane + warp - 1,
        lane ^ half,
        if lane + half + 8 < warp { lane + half + 8 } else { lane },
        lane.checked_sub(half + 8).unwrap_or(lane),
        (lane & !15) + 3,
        every,
        0xffff << (lane & !15),
        (0..warp).sum(),
        if lane >= warp - 4 { 0b1011 << (warp - 4) } else { 0 },
    ]
}

#[test]
fn warp_operations_span_the_warp_that_the_program_is_compiled_for() {
    let whole = gfx90a().with_warp_size(64).expect("the whole wave");
    // By default two warps of 32 share a wave.
    for (target, warp) in [(imaginary(), 64), (whole, 64), (gfx90a(), 32), (Target::default(), 32)] {
        let got = run(target, Dialect::CUDA, WARP_OPERATIONS, &LaunchConfig::items(128), 128 * 12);
        for (item, got) in got.chunks(12).enumerate() {
            assert_eq!(got, warp_results(item as u64, warp), "{target:?}, work-item {item}");
        }
    }
}

#[test]
fn sub_groups_are_as_wide_as_the_warp() {
    let text = "
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global ulong *out) {
    uint i = get_local_id(0), x = i * 3u + 1u;
    out += i * 8;
    out[0] = get_sub_group_size();
    out[1] = get_max_sub_group_size();
    out[2] = get_num_sub_groups();
    out[3] = get_sub_group_id() * 1000 + get_sub_group_local_id();
    out[4] = sub_group_reduce_add(x);
    out[5] = sub_group_scan_inclusive_add(x);
    out[6] = sub_group_scan_exclusive_max(x);
    out[7] = sub_group_broadcast(x, 50);
}";
    let got = run(imaginary(), Dialect::OPENCL, text, &LaunchConfig::items(192), 192 * 8);
    for (i, got) in got.chunks(8).enumerate() {
        let (i, x) = (i as u64, |i: u64| i * 3 + 1);
        let (first, lane) = (i - i % 64, i % 64);
        let before: u64 = if lane == 0 { 0 } else { x(i - 1) };
        let want = [
            64,
            64,
            3,
            i / 64 * 1000 + lane,
            (first..first + 64).map(x).sum(),
            (first..=i).map(x).sum(),
            before,
            x(first + 50),
        ];
        assert_eq!(got, want, "work-item {i}");
    }
    // The last sub-group has what is left.
    let sizes =
        "kernel void k(global ulong *out) { out[get_local_id(0)] = get_sub_group_size() * 10 + get_num_sub_groups(); }";
    let got = run(imaginary(), Dialect::OPENCL, sizes, &LaunchConfig::items(100), 100);
    assert_eq!((got[0], got[63], got[64], got[99]), (642, 642, 362, 362));
}

/// Comparisons in the IR after the optimiser.
fn comparisons(target: Target, text: &str) -> usize {
    let c = compiled(target, OptLevel::O3, Dialect::OPENCL, text, &Emit::Ir);
    c.output().expect("IR").matches("icmp").count()
}

#[test]
fn ids_and_sizes_have_the_ranges_of_the_target() {
    let text = "kernel void k(global ulong *out) {
        ulong r = get_group_id(1) < 262144u;
        r += 2 * (get_num_groups(2) <= 7);
        r += 4 * (get_local_id(2) < 16);
        r += 8 * (get_local_size(0) <= 2048);
        r += 16 * (get_group_id(1) < 65535);
        r += 32 * (get_local_id(0) < 1024);
        if (get_group_id(1) == get_num_groups(1) - 1) out[get_local_id(0)] = r;
    }";
    // The last two and the one around the store.
    assert_eq!(comparisons(imaginary(), text), 3);
    let tall = LaunchConfig::new([1, 65536, 1], [1, 1, 1]);
    assert_eq!(run(imaginary(), Dialect::OPENCL, text, &tall, 1), [15 + 32]);
    let wide = run(imaginary(), Dialect::OPENCL, text, &LaunchConfig::items(2048), 2048);
    assert!(wide.iter().enumerate().all(|(i, &r)| r == 15 + 16 + if i < 1024 { 32 } else { 0 }));
}

/// Numbers of groups in y and z were taken to be below 65535, a limit of NVIDIA's, on the host as well.
#[test]
fn group_ids_in_y_and_z_beyond_65534_compare_right_on_the_host() {
    let text = "kernel void k(global ulong *out) {
        ulong y = get_group_id(1), z = get_group_id(2);
        if (y >= 65535) out[y - 65535] = y;
        if (z > 65534) out[z - 65533] = z;
        if (get_num_groups(1) > 65535 || get_num_groups(2) > 65535) out[4] += 1;
    }";
    for (grid, want) in [([1, 65537, 1], [65535, 65536, 0, 0, 65537]), ([1, 1, 65537], [0, 0, 65535, 65536, 65537])] {
        let config = LaunchConfig::new(grid, [1, 1, 1]);
        assert_eq!(run(Target::host(), Dialect::OPENCL, text, &config, 5), want, "{grid:?}");
    }
}

#[test]
fn loops_over_the_warp_unroll_by_its_size() {
    let text = r#"extern "C" __global__ void k(unsigned long long *out) {
        unsigned v = threadIdx.x;
        for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(~cudaLaneMask_t(0), v, d);
        out[threadIdx.x] = v;
    }"#;
    for (target, steps, sum) in [(imaginary(), 6, 2016), (gfx90a(), 5, 496)] {
        let c = compiled(target, OptLevel::O3, Dialect::CUDA, text, &Emit::Ir);
        assert_eq!(c.output().expect("IR").matches("shfl.bfly").count(), steps, "{target}");
        assert_eq!(run(target, Dialect::CUDA, text, &LaunchConfig::items(64), 64)[0], sum, "{target}");
    }
}

#[test]
fn occupancy_is_that_of_the_target() {
    let text = "kernel void k(global ulong *out) { out[get_global_id(0)] = 1; }";
    let usage = |target| {
        let c = compiled(target, OptLevel::O3, Dialect::OPENCL, text, &Emit::Ir);
        let e = c.explanation.expect("asked for");
        (e.arch, e.kernels.first().map(|k| (k.occupancy.warps, k.occupancy.max_warps)))
    };
    // Blocks of 256 are 4 waves of 64, of which 20 are resident.
    assert_eq!(usage(imaginary()), ("imaginary".to_owned(), Some((20, 20))));
    assert_eq!(usage(Target::default()), ("sm_75".to_owned(), Some((32, 32))));
    assert_eq!(usage(Target::host()), ("host".to_owned(), None));
}

#[test]
fn what_a_target_cannot_do_is_said() {
    let text = "kernel void k(global ulong *out) { out[get_global_id(0)] = 1; }";
    let c = compiled(imaginary(), OptLevel::O3, Dialect::OPENCL, text, &Emit::PTX);
    let said: Vec<&str> = c.session.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(said, ["there is no PTX of code for `imaginary`"]);
    let mut machine = Machine::new(&c.module);
    machine.set_target(imaginary());
    let kernel = c.module.find("k").expect("the kernel");
    for (config, why) in [
        (LaunchConfig::items(2049), "a group has 1 to 2048 work-items, not 2049 x 1 x 1 on `imaginary`"),
        (LaunchConfig::new([1; 3], [1, 1, 17]), "1 to 16 work-items in dimension 2"),
        (LaunchConfig::new([1, 1, 8], [1; 3]), "1 to 7 groups in dimension 2"),
    ] {
        let trap = machine.launch(kernel, &config, &[Arg::Pointer(0)], &Limits::default()).expect_err("too large");
        assert!(trap.to_string().contains(why), "{trap}");
    }
}
