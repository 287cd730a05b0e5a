//! Groups that reach behind the end of the data, and several groups in one call.

mod support;

use ir::{FnKind, Opcode};
use support::{
    A, Launch, check_widened, cl, compile, difference, f32s, float, i32s, int, options, run_kernel, run_rectangles,
    zeros,
};
use unspool::Dialect;

/// Guards around all that a work-item does, in `i`, `n` and `m`.
const GUARDS: [&str; 10] = [
    "i < n",
    "n > i",
    "i < n && i < m",
    "j < m && i < n",
    "i < n / 2",
    "i <= n",
    "m < n && i < n",
    "!(i >= n || m >= n)",
    "i + 3 < n && j < m",
    "i > 7 && i - 40 < n",
];

#[test]
fn work_items_up_to_a_limit_compute_what_they_did() {
    for ty in ["int", "uint", "long", "ulong"] {
        for guard in GUARDS {
            let text = format!(
                "kernel void k(global float *y, global const float *x, int wide_n, int wide_m) {{
                    {ty} n = wide_n, m = wide_m;
                    {ty} i = get_global_id(0), j = get_global_id(1);
                    if (!({guard})) return;
                    y[j * 96 + i] = x[i] * 3 + y[j * 96 + i];
                }}"
            );
            for n in [0, 1, 15, 31, 32, 33, 63, 95, 96, 1000, -1, -33, i32::MIN, i32::MAX] {
                let args = [f32s(192), f32s(96), int(n), int(1)];
                cl(&text, &Launch::new([3, 1, 1], [32, 1, 1]), &args);
                cl(&text, &Launch::new([2, 2, 1], [45, 1, 1]), &args);
                let cuda = text.replace("kernel", "__global__").replace("global ", "");
                let cuda = cuda.replace("get_global_id(0)", "blockIdx.x * blockDim.x + threadIdx.x");
                let cuda = cuda.replace("get_global_id(1)", "blockIdx.y").replace("uint", "unsigned");
                check_widened(Dialect::CUDA, &cuda, &Launch::new([3, 1, 1], [32, 1, 1]), &args);
            }
        }
    }
}

/// The first global id is added in each group, also to ids of 64 bits: no limit was found in any kernel of OpenCL.
#[test]
fn ids_in_opencl_were_no_limits() {
    for ty in ["int", "uint", "ulong"] {
        for guard in ["i < n", "m < n && i < n", "i + 1 < (int)n"] {
            let text = format!(
                "kernel void k(global float *y, {ty} n, {ty} m) {{
                    {ty} i = get_global_id(0);
                    if ({guard}) y[i] *= 3;
                }}"
            );
            let guarded = stores(Dialect::OPENCL, &text);
            assert!(guarded == (1, 1) || guard.contains('+') && ty != "int", "{ty} {guard}: {guarded:?}");
        }
    }
}

/// Full vectors ran under the guard's mask, in all groups.
#[test]
fn full_vectors_had_masks_because_of_the_last_group() {
    let text = "__global__ void k(float *y, const float *x, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = x[i] * 3;
    }";
    // The rest has a mask.
    assert_eq!(stores(Dialect::CUDA, text), (1, 1));
}

/// How many stores of vectors a kernel for rows of 64 has without masks, and with.
fn stores(dialect: Dialect, text: &str) -> (usize, usize) {
    let (mut module, mut session) = compile(dialect, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == FnKind::Kernel).map(|(id, _)| id).expect("a kernel");
    let mut o = options(&Launch::line(2, 64));
    o.vectorise = true;
    let made = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    let f = &module.functions[made.func];
    let stores = f.layout.blocks().flat_map(|b| f.layout.insts(b));
    let stores = stores.filter(|&i| matches!(f.dfg.op(i), Opcode::Store | Opcode::MaskedStore));
    let (with, without): (Vec<_>, Vec<_>) = stores.partition(|&i| f.dfg.op(i) == Opcode::MaskedStore);
    (without.into_iter().filter(|&i| f.dfg.ty(f.dfg.arg(i, 1)).is_vector()).count(), with.len())
}

#[test]
fn runs_of_groups_are_groups_one_after_another() {
    let kernels: [(&str, &[A]); 3] = [
        (
            "kernel void k(global float *y, float a, int n) {
                int i = get_global_id(0), at = get_global_id(1) * 112 + i;
                if (i < n) y[at] = a * y[at] + get_group_id(0);
            }",
            &[f32s(256), float(1.5), int(101)],
        ),
        (
            "kernel void k(global int *y, global const int *x) {
                local int t[16];
                int l = get_local_id(0), g = get_global_id(0);
                t[l] = x[g] + get_group_id(1);
                barrier(CLK_LOCAL_MEM_FENCE);
                for (int s = 8; s > 0; s >>= 1) {
                    if (l < s) t[l] += t[l + s];
                    barrier(CLK_LOCAL_MEM_FENCE);
                }
                if (l == 0) y[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = t[0];
            }",
            &[zeros(4 * 16), i32s(128)],
        ),
        (
            "kernel void k(global int *y) {
                int g = get_group_id(0);
                if (g == 3) return;
                for (int n = 0; n < g; n++) y[get_group_id(1) * 112 + get_global_id(0)] += n ^ get_group_id(1);
            }",
            &[i32s(256)],
        ),
    ];
    for (text, args) in kernels {
        for bits in [None, Some(128), Some(512)] {
            for run in [[1, 1], [2, 1], [3, 2], [8, 2], [1, 2]] {
                let launch = Launch::new([7, 2, 1], [16, 1, 1]);
                let (mut module, mut session) = compile(Dialect::OPENCL, text);
                let kernel = module.functions.iter().find(|(_, f)| f.kind == FnKind::Kernel).map(|(id, _)| id).unwrap();
                let wanted = run_kernel(&module, kernel, &launch, args);
                assert!(wanted.is_ok(), "{:?}", wanted.err());
                let mut o = options(&launch);
                o.vectorise = bits.is_some();
                o.machine.vector_bits = bits.unwrap_or(512);
                let made = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
                simd::group_runs::loop_over_groups(&mut module, made.func);
                ir::verify::verify_module(&module).unwrap_or_else(|e| panic!("{e:?}"));
                let found = run_rectangles(&module, &made, &launch, args, run);
                if let Some(why) = difference(&wanted, &found) {
                    let text = ir::print::function_to_text(&module, &module.functions[made.func]);
                    panic!("{bits:?} bits, runs of {run:?}: {why}\n{text}");
                }
            }
        }
    }
}

/// One lane of sixteen took as long as all: pictures one pixel wide ten times as long as work-items one after another.
#[test]
fn few_work_items_ran_as_a_vector_under_a_mask() {
    let text = "kernel void k(global float *y, global const float *x, int n) {
        int i = get_global_id(0);
        if (i < n) { float s = 0; for (int j = 0; j < 5; j++) s += x[i + j] * j; y[i] = s; }
    }";
    // What is more than a few has a mask, still.
    assert_eq!(stores(Dialect::OPENCL, text), (1, 1));
    for n in 0..100 {
        cl(text, &Launch::line(3, 32), &[zeros(96 * 4), f32s(110), int(n)]);
    }
    // A larger body is there once in vectors: without a mask.
    let terms: String = (0..60).map(|n| format!("s += x[i + {n}] * s + x[i + 2 * {n}];")).collect();
    let large = text.replace("for (int j = 0; j < 5; j++) s += x[i + j] * j;", &terms);
    assert_eq!(stores(Dialect::OPENCL, &large), (1, 0));
    for n in (0..100).step_by(7) {
        cl(&large, &Launch::line(3, 32), &[zeros(96 * 4), f32s(240), int(n)]);
    }
    // Groups of a size that is no multiple of a vector.
    let all = "kernel void k(global float *y, global const float *x) { int i = get_global_id(0); y[i] = x[i] * 3; }";
    for items in [5, 9, 17, 18, 19, 20, 21, 33, 63] {
        cl(all, &Launch::line(2, items), &[zeros(140 * 4), f32s(140)]);
    }
}

/// CLBlast's tiles: whether a tile is whole was asked for each lane, so that the kernel was there under masks, too, and too large for
/// vectors.
#[test]
fn whole_tiles_were_asked_about_lane_by_lane() {
    let text = |limit: &str| {
        format!(
            "kernel void k(global float *y, global const float *x, int n) {{
                int i = get_local_id(0) * 2 + get_group_id(0) * 64;
                if (i < {limit}) {{ float s = 0; for (int j = 0; j < 5; j++) s += x[i + j] * j; y[get_global_id(0)] = s; }}
            }}"
        )
    };
    assert_eq!(stores(Dialect::OPENCL, &text("n / 64 * 64")), (1, 0));
    assert_eq!(stores(Dialect::OPENCL, &text("(n & ~31)")), (1, 0));
    // Two of the vectors' 32 elements are beyond some multiples of 16.
    assert_eq!(stores(Dialect::OPENCL, &text("n / 16 * 16")).1, 1);
    assert_eq!(stores(Dialect::OPENCL, &text("n")).1, 1);
}

/// Comparisons of what goes up from lane to lane with multiples of powers of two, which all lanes answer alike or do not.
#[test]
fn comparisons_with_multiples_of_powers_of_two() {
    // Steps that wrap, but for `int`, where that has no meaning.
    let steps = [("int", "1"), ("int", "2"), ("int", "-4"), ("uint", "3"), ("uint", "(1 << 28)"), ("long", "4")];
    for (ty, step) in steps {
        for limit in ["n / 32 * 32", "(n & ~15)", "((uint)n << 30)", "31", "-1", "n"] {
            let tests: String = ["<", "<=", ">", ">=", "==", "!="]
                .iter()
                .enumerate()
                .map(|(at, op)| {
                    format!(
                        "if (i {op} limit) r |= {} + (x[id] & 0xff00); if (limit {op} i) r ^= {};",
                        1 << (2 * at),
                        1 << (2 * at + 1)
                    )
                })
                .collect();
            let text = format!(
                "kernel void k(global int *y, global const int *x, int wide_n) {{
                    {ty} n = wide_n, id = get_global_id(0);
                    {ty} i = ({ty})get_local_id(0) * {step} + ({ty})get_group_id(0) * 32, limit = ({ty})({limit});
                    int r = 0;
                    {tests}
                    y[id] = r;
                }}"
            );
            for n in [40, -33] {
                cl(&text, &Launch::line(3, 32), &[zeros(96 * 4), i32s(96), int(n)]);
            }
            cl(&text, &Launch::line(2, 21), &[zeros(96 * 4), i32s(96), int(45)]);
        }
    }
}
