//! Launches of one dimension over pictures: lanes that lie in one line have one quotient and count up in their remainders.

mod support;

use analysis::{Loop, LoopInfo};
use filetests::Rng;
use ir::{Function, Opcode};
use support::{A, Launch, check_levels, check_widened, check_widened_at, cl, compile, f32s, i32s, int, zeros};
use unspool::{Dialect, OptLevel};

/// The function for the work-groups of a kernel in OpenCL C, in groups of 64.
fn vectors(text: &str) -> Function {
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let o = simd::Options { vectorise: true, ..support::options(&Launch::line(4, 64)) };
    let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    module.functions[host.func].clone()
}

/// How many operations of a kind there are.
fn count(text: &str, is_one: impl Fn(Opcode) -> bool) -> usize {
    let f = vectors(text);
    f.layout.blocks().flat_map(|b| f.layout.insts(b)).filter(|&i| is_one(f.dfg.op(i))).count()
}

/// How many loops run as long as any lane is in them.
fn uneven_loops(text: &str) -> usize {
    let f = vectors(text);
    let info = LoopInfo::new(&f);
    let waits = |&l: &Loop| {
        let ends = info.loops.latch(l).map(|b| f.layout.terminator(b)).filter(|&t| f.dfg.op(t) == Opcode::Br);
        ends.is_some_and(|t| f.dfg.def_op(f.dfg.arg(t, 0), Opcode::AnyLane).is_some())
    };
    info.loops.iter().filter(waits).count()
}

/// `id % width` and `id / width` made every access a gather: a convolution of AMD's samples took three times as long as with
/// two dimensions.
#[test]
fn pixels_of_a_launch_of_one_dimension_were_gathered() {
    let forms = [
        ("uint", "uint i = get_global_id(0)"),
        ("int", "int i = get_global_id(0)"),
        ("int", "size_t i = get_global_id(0)"),
        ("ulong", "ulong i = get_global_id(0)"),
        ("uint", "uint i = get_group_id(0) * get_local_size(0) + get_local_id(0)"),
        ("int", "int i = get_local_id(0)"),
    ];
    for (ty, id) in forms {
        let text = format!(
            "kernel void k(global int *out, global const int *a, {ty} w, int n) {{
                {id}; if (i >= n) return;
                int x = i % w, y = i / w; out[get_global_id(0)] = a[y * 100 + x] + y * a[x + 3]; }}"
        );
        for w in [1, 3, 16, 20, 33, 64, 100] {
            let arg = if ty == "ulong" { A::Val(u64::to_le_bytes(w as u64).to_vec()) } else { int(w) };
            let found = cl(&text, &Launch::line(3, 32), &[zeros(96 * 4), i32s(9700), arg, int(90)]);
            assert_eq!(found.figures.gathers, 0, "{text}: {found:?}");
        }
    }
    for by in [16, 20, 24, 33, 64] {
        let text = format!(
            "__global__ void k(float *out, const float *a) {{
                int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % {by}, y = i / {by};
                out[x + {by} * y] = a[y * 100 + x]; }}"
        );
        let found = check_widened(Dialect::CUDA, &text, &Launch::line(3, 32), &[zeros(96 * 4), f32s(700)]);
        assert_eq!((found.figures.gathers, found.reason.clone()), (0, None), "{text}: {found:?}");
    }
}

#[test]
fn lines_that_begin_where_vectors_do_need_no_test() {
    let tile = |by: u32| {
        format!(
            "kernel void k(global float *out, global const float *a, int w) {{ int l = get_local_id(0);
            out[get_global_id(0)] = a[(l / {by}) * w + l % {by}]; }}"
        )
    };
    let gathers = |by: u32| count(&tile(by), |op| matches!(op, Opcode::Gather | Opcode::Scatter));
    // In vectors of 16.
    assert_eq!((gathers(16), gathers(48)), (0, 0));
    assert!(gathers(8) > 0 && gathers(24) > 0);
    for by in [4, 8, 16, 24, 48] {
        cl(&tile(by), &Launch::line(2, 64), &[zeros(128 * 4), f32s(700), int(30)]);
    }
}

#[test]
fn quotients_of_quotients_are_the_same_in_a_line_too() {
    let forms = [
        "int z = i / (w * h), y = i / w % h, x = i % w;",
        "int z = i / (w * h), r = i - z * (w * h), y = r / w, x = r % w;",
        "int z = i / (w * h), y = i % (w * h) / w, x = i % (w * h) % w;",
        "int y = i / w, x = i - y * w, z = y / h; y -= z * h;",
    ];
    for form in forms {
        let text = format!(
            "kernel void k(global int *out, global const int *a, int w, int h) {{ int i = get_global_id(0);
            {form} out[i] = a[z * 300 + y * 20 + x]; }}"
        );
        for (w, h) in [(20, 3), (7, 5), (64, 2), (17, 1)] {
            let found = cl(&text, &Launch::line(3, 64), &[zeros(192 * 4), i32s(9000), int(w), int(h)]);
            assert_eq!(found.figures.gathers, 0, "{text}: {found:?}");
        }
    }
}

/// Numbers below zero, divisors below zero and of zero, numbers that wrap within a vector, and widths near the largest number.
#[test]
fn lines_are_told_where_numbers_wrap_or_have_a_sign() {
    let text = "kernel void k(global int *out, global const int *a, int w, int first) {
        int i = (int)((uint)get_global_id(0) + (uint)first);
        int x = w == 0 ? 0 : i % w, y = w == 0 ? 0 : i / w;
        out[get_global_id(0)] = a[abs(y) % 50 * 100 + x + 100]; }";
    for w in [-20, -1, 0, 5, 19, 40, i32::MAX, i32::MIN] {
        for first in [0, -37, 1000] {
            if w.unsigned_abs() <= 100 || (0..100).contains(&first) {
                cl(text, &Launch::line(2, 32), &[zeros(64 * 4), i32s(5300), int(w), int(first)]);
            }
        }
    }
    let text = "kernel void k(global int *out, global const int *a, uint w, uint first) {
        uint i = (uint)get_global_id(0) + first;
        uint x = i % w, y = i / w;
        out[get_global_id(0)] = a[y % 50 * 100 + x % 100]; }";
    for w in [1, 33, 100, i32::MAX, i32::MIN, -1] {
        for first in [0, -37, -16, i32::MAX - 20] {
            cl(text, &Launch::line(2, 32), &[zeros(64 * 4), i32s(5300), int(w), int(first)]);
        }
    }
}

/// What an iteration left behind went with the edge around all vectors (random source program 4401448, unoptimised).
#[test]
fn a_loop_behind_a_limit_and_in_lines_is_left_behind() {
    let text = "kernel void k(global int *out, global const int *a, int n) {
        uint i = get_global_id(0);
        if (!(i < n * 5)) return;
        long w = n, x = i % w; int sum = 0;
        for (long j = x; j < 20; j++) sum += a[j];
        out[i] = sum; }";
    check_levels(Dialect::OPENCL, text, &Launch::line(3, 33), &[zeros(99 * 4), i32s(40), int(9)]);
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O3] {
        check_widened_at(level, Dialect::OPENCL, text, &Launch::line(3, 33), &[zeros(99 * 4), i32s(40), int(9)]);
    }
}

/// Each lane counted from its own pixel to the end of its own filter: the loop ran under masks.
#[test]
fn loops_that_begin_at_an_id_ran_under_masks() {
    let forms = [
        "for (uint j = x; j < x + n; j++) sum += a[j] * b[j - x];",
        "for (int j = (int)x; j < (int)x + (int)n; j++) sum += a[j] * b[j - x];",
        "for (int j = (int)x - 2; j <= (int)x + 2; j++) sum += a[j + 3];",
        "for (int j = x + n; j > (int)x; j--) sum += a[j];",
    ];
    for form in forms {
        let text = format!(
            "kernel void k(global float *out, global const float *a, global const float *b, uint n) {{
                uint x = get_global_id(0); float sum = 0; {form} out[get_global_id(0)] = sum; }}"
        );
        assert_eq!(uneven_loops(&text), 0, "{text}");
        for n in [0, 1, 5] {
            cl(&text, &Launch::line(3, 32), &[zeros(96 * 4), f32s(200), f32s(20), int(n)]);
        }
    }
    let differs = "kernel void k(global int *out, global const int *a) { int x = get_global_id(0), n = 0;
        for (int j = x; j < 20; j++) n += a[j]; out[x] = n; }";
    assert!(uneven_loops(differs) > 0);
    // The end wraps around for some, who do nothing.
    let text = "kernel void k(global uint *out, uint first, uint n) {
        uint x = get_global_id(0) + first, sum = 0; for (uint j = x; j < x + n; j++) sum += j * 3;
        out[get_global_id(0)] = sum; }";
    for (first, n) in [(-40, 10), (-60, 33), (0, 0), (-5, 0)] {
        cl(text, &Launch::line(3, 32), &[zeros(96 * 4), int(first), int(n)]);
    }
}

/// Pixels were taken apart by shuffles of bytes, and byte by byte where a lane was off: a box filter of AMD's samples took four times
/// as long along rows as along columns.
#[test]
fn pixels_were_loaded_byte_by_byte_under_masks() {
    let text = "kernel void k(global uchar4 *out, global const uchar4 *a, int n) {
        int i = get_global_id(0), w = get_global_size(0);
        if (i < n || i >= w - n) { out[i] = (uchar4)0; return; }
        int4 sum = 0;
        for (int j = -n; j <= n; j++) sum += convert_int4(a[i + j]);
        out[i] = convert_uchar4(sum / (2 * n + 1)); }";
    assert_eq!(count(text, |op| matches!(op, Opcode::Shuffle)), 0);
    for n in [0, 1, 7] {
        cl(text, &Launch::line(3, 32), &[zeros(96 * 4), i32s(96), int(n)]);
    }
}

/// Vectors of small elements of every size, as they are, converted and put together anew, all lanes or some.
#[test]
fn vectors_of_small_elements_are_words_and_rows() {
    let mut rng = Rng::new(52);
    for (ty, wide) in [("uchar", "uint"), ("char", "int"), ("ushort", "float"), ("short", "int")] {
        for n in [2, 4, 8, 16] {
            let forms = [
                "out[i] = a[i];".to_owned(),
                "out[i] = a[i] + b[i];".to_owned(),
                format!("out[i] = convert_{ty}{n}(convert_{wide}{n}(a[i]) / ({wide}{n})3);"),
                format!("out[i] = convert_{ty}{n}_sat(convert_{wide}{n}(a[i]) + convert_{wide}{n}(b[i]) * ({wide})2);"),
                format!("out[i] = ({ty}{n})(a[i].hi, b[i].lo);"),
                format!("{ty}{n} v = a[i]; v.s0 = b[i].s1; out[i] = v.s1 > 5 ? v : a[i];"),
            ];
            for form in forms {
                let guard = rng.pick(&["", "if (i % 3) ", "if (i > 5 && i < 77) "]);
                let text = format!(
                    "kernel void k(global {ty}{n} *out, global const {ty}{n} *a, global const {ty}{n} *b) {{
                        int i = get_global_id(0); {guard}{{ {form} }} }}"
                );
                let found = check_widened(
                    Dialect::OPENCL,
                    &text,
                    &Launch::line(2, 40),
                    &[zeros(80 * 32), i32s(80 * 8), i32s(80 * 8)],
                );
                assert_eq!(found.figures.serial, 0, "{text}: {found:?}");
            }
        }
    }
}
