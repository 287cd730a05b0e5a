//! Vectors of the kernel in the lanes of the machine's: taken apart and put together by few shuffles, and right.

mod support;

use ir::Opcode;
use support::{A, Launch, compile, difference, f32s, int, options, run_groups, run_kernel, zeros};
use unspool::Dialect;

const N: u32 = 96;

/// Shuffles in the code for vectors of 4, 8 and 16 floats, which computes what the kernel does.
fn shuffles(text: &str, args: &[A]) -> [usize; 3] {
    [128, 256, 512].map(|bits| {
        let (lanes, found) = ops(text, bits, args);
        assert_eq!(lanes, bits / 32);
        found.iter().filter(|&&op| op == Opcode::Shuffle).count()
    })
}

/// The lanes and the operations of the code for vectors of so many bits, which computes what the kernel does.
fn ops(text: &str, bits: u32, args: &[A]) -> (u32, Vec<Opcode>) {
    let (lanes, found) = made(text, bits, args);
    assert!(lanes > 1, "{text}");
    (lanes, found)
}

/// The same of code that may have one lane.
fn made(text: &str, bits: u32, args: &[A]) -> (u32, Vec<Opcode>) {
    let launch = Launch::line(2, N / 2);
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let mut functions = module.functions.iter();
    let kernel = functions.find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("a kernel");
    let expected = run_kernel(&module, kernel, &launch, args);
    assert!(expected.is_ok(), "{:?}", expected.err());
    let mut o = options(&launch);
    o.vectorise = true;
    o.machine.vector_bits = bits;
    let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    let func = &module.functions[host.func];
    if let Some(why) = difference(&expected, &run_groups(&module, &host, &launch, args)) {
        panic!("{bits} bits: {why}\n{}", ir::print::function_to_text(&module, func));
    }
    let insts = func.layout.blocks().flat_map(|b| func.layout.insts(b));
    (host.lanes, insts.map(|i| func.dfg.op(i)).collect())
}

#[test]
fn vectors_are_taken_apart_in_stages() {
    let text = "kernel void k(global float *out, global const float4 *in) {
        int i = get_global_id(0);
        float4 v = in[i];
        out[i] = v.x * v.y - v.z * v.w;
    }";
    // Two stages of four, and for vectors in halves one more shuffle of each component.
    assert_eq!(shuffles(text, &[zeros(4 * N as usize), f32s(4 * N as usize)]), [8, 12, 8]);
}

#[test]
fn vectors_are_put_together_in_stages() {
    let text = "kernel void k(global float4 *out, global const float *in) {
        int i = get_global_id(0);
        float x = in[i];
        out[i] = (float4)(x, x + 1.0f, x * x, x - 3.0f);
    }";
    assert_eq!(shuffles(text, &[zeros(16 * N as usize), f32s(N as usize)]), [8, 12, 8]);
}

#[test]
fn complex_numbers_are_taken_apart_and_put_together() {
    let text = "kernel void k(global float2 *out, global const float2 *in) {
        int i = get_global_id(0);
        float2 z = in[i];
        out[i] = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y);
    }";
    assert_eq!(shuffles(text, &[zeros(8 * N as usize), f32s(2 * N as usize)]), [4, 8, 4]);
}

/// Four loads of rows of each vector, two patterns, and no transposing there and back.
#[test]
fn sums_and_products_of_vectors_were_taken_apart_and_put_together_again() {
    let text = "kernel void k(global float4 *out, global const float4 *a, global const float4 *b, float4 s) {
        int i = get_global_id(0);
        out[i] = a[i] * s + fmax(b[i], 0.5f) * 3.0f;
    }";
    let args = |n: usize| {
        [zeros(16 * n), f32s(4 * n), f32s(4 * n), A::Val([1.0f32, -2.0, 0.5, 3.0].map(f32::to_le_bytes).concat())]
    };
    assert_eq!(shuffles(text, &args(N as usize)), [3, 3, 3]);
}

#[test]
fn bytes_that_become_floats_and_bytes_again_are_not_taken_apart() {
    let text = "kernel void k(global uchar4 *out, global const uchar4 *in) {
        int i = get_global_id(0);
        float4 v = convert_float4(in[i]) * 0.5f + convert_float4(in[i + 1]) * 0.25f;
        out[i] = convert_uchar4(v < 20.0f ? v : v + 1.0f);
    }";
    assert_eq!(shuffles(text, &[zeros(4 * N as usize), f32s(N as usize + 1)]), [0, 0, 0]);
}

/// A transpose of pixels took four scatters of bytes, and a look-up four gathers.
#[test]
fn pixels_anywhere_were_accessed_byte_by_byte() {
    let text = "kernel void k(global uchar4 *out, global const uchar4 *in) {
        int i = get_global_id(0), j = i * 29 % 96;
        uchar4 v = in[j];
        short2 s = ((global const short2 *)in)[(j + 5) % 96];
        out[(j + 7) % 96] = v + (uchar4)(1, 2, 3, 250) + convert_uchar4(s.xyyx & (short)15);
    }";
    let args = [zeros(4 * N as usize), f32s(N as usize)];
    for bits in [128, 256, 512] {
        let (_, found) = ops(text, bits, &args);
        let count = |op: Opcode| found.iter().filter(|&&o| o == op).count();
        assert_eq!((count(Opcode::Gather), count(Opcode::Scatter)), (2, 1), "{bits}");
    }
}

/// Three components, whose patterns differ from row to row.
#[test]
fn patterns_of_three_components_are_each_rows_own() {
    let text = "typedef struct { float x, y, z; } P;
        kernel void k(global P *out, global const P *in, float a, float b, float c) {
        int i = get_global_id(0);
        P p = in[i];
        p.x += a; p.y += b; p.z += c;
        out[i] = p;
    }";
    let args = [
        zeros(12 * N as usize),
        f32s(3 * N as usize),
        A::Val(1.0f32.to_le_bytes().to_vec()),
        A::Val(2.5f32.to_le_bytes().to_vec()),
        A::Val(7.0f32.to_le_bytes().to_vec()),
    ];
    assert_eq!(shuffles(text, &args), [6, 12, 12]);
}

#[test]
fn copies_of_vectors_are_not_taken_apart() {
    let text = "kernel void k(global float4 *out, global const float4 *in) {
        int i = get_global_id(0);
        out[i] = in[i];
    }";
    assert_eq!(shuffles(text, &[zeros(16 * N as usize), f32s(4 * N as usize)]), [0, 0, 0]);
}

#[test]
fn vectors_that_live_across_barriers_need_no_shuffles() {
    let text = "kernel void k(global float *out, global const float *in) {
        local float t[64];
        int i = get_global_id(0), l = get_local_id(0);
        float4 v = (float4)(in[i], in[i] + 1.0f, in[i] * 2.0f, in[i] - 1.0f);
        t[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        v *= t[47 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = v.x + v.y;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = dot(v, v) + t[l ^ 1];
    }";
    // The one that turns a row around.
    assert_eq!(shuffles(text, &[zeros(4 * N as usize), f32s(N as usize)]), [1, 1, 1]);
}

#[test]
fn fields_of_a_structure_with_gaps() {
    let text = "struct P { float x, y, z, rest; };
    kernel void k(global float *out, global const struct P *p) {
        int i = get_global_id(0);
        if ((i & 3) != 1) out[i] = p[i].x + p[i].z;
    }";
    shuffles(text, &[zeros(4 * N as usize), f32s(4 * N as usize)]);
}

/// The rows of a store are as aligned as their places in it, not as the whole: those of narrow elements in few lanes were
/// claimed to be aligned to 16 bytes, 4 bytes apart.
#[test]
fn rows_claim_no_more_alignment_than_they_have() {
    for (scalar, bytes) in [("char", 1), ("short", 2), ("int", 4), ("long", 8)] {
        for count in [2, 4, 8, 16] {
            let parts: Vec<String> = (0..count).map(|n| format!("({scalar})(x * {n})")).collect();
            let text = format!(
                "kernel void k(global {scalar}{count} *out, global const int *in) {{
                    int x = in[get_global_id(0)];
                    out[get_global_id(0)] = ({scalar}{count})({});
                }}",
                parts.join(", ")
            );
            shuffles(&text, &[zeros(bytes * count * N as usize), support::i32s(N as usize)]);
        }
    }
}

/// Every second to fourth element under a condition was gathered and scattered, element by element, where neighbouring vectors
/// under masks are few.
#[test]
fn every_other_element_under_a_mask_is_neither_gathered_nor_scattered() {
    for (ty, apart) in [("float", 2), ("float", 3), ("float", 4), ("double", 2), ("int", 2), ("long", 3_usize)] {
        let text = format!(
            "#pragma OPENCL EXTENSION cl_khr_fp64 : enable
            kernel void k(global {ty} *out, global const {ty} *in, int n) {{
                int i = get_global_id(0);
                if (i < n) {{
                    out[{apart} * i] += in[i];
                    out[{apart} * i + 1] = out[{apart} * i + 1] * 3 + in[{apart} * i + 1];
                }}
            }}"
        );
        let size = if ty == "double" || ty == "long" { 8 } else { 4 };
        for n in [0, 1, 37, 64, 93] {
            // What lies behind the last element that is wanted is not there.
            let memory = A::Buf(
                (0..n.max(1) * apart * size).map(|b| if b % size == 0 { (b / size % 101) as u8 } else { 0 }).collect(),
            );
            let args = [memory.clone(), memory, int(n as i32)];
            for bits in [256, 512] {
                assert_eq!(gathers(&text, bits, &args), 0, "{text}, {bits} bits");
            }
        }
    }
}

/// Gathers and scatters in the code for vectors of so many bits.
fn gathers(text: &str, bits: u32, args: &[A]) -> usize {
    ops(text, bits, args).1.iter().filter(|op| matches!(op, Opcode::Gather | Opcode::Scatter)).count()
}

/// Each field of a record was loaded and stored by itself, and a row was read right behind a part of it was written.
#[test]
fn fields_of_a_record_are_loaded_and_stored_together() {
    let complex = "typedef struct { float re, im; } z;
        kernel void k(global z *a) { int i = get_global_id(0); float re = a[i].re;
            a[i].re = re * re - a[i].im * a[i].im; a[i].im = 2 * re * a[i].im; }";
    // As of `float2`.
    assert_eq!(shuffles(complex, &[f32s(2 * N as usize)]), [4, 8, 4]);
    // Records of two to four fields of which some are written, under a guard, in an order of their own.
    let fields = ["x", "y", "z", "w"];
    for ty in ["float", "double", "int", "short", "uchar", "long"] {
        for n in 2..=4usize {
            for written in 1..(1 << n) {
                let declared: String = fields[..n].iter().map(|f| format!("{ty} {f}; ")).collect();
                let update = |k: usize| format!("p[i].{} += p[i].{} + {k}; ", fields[k], fields[(k + 1) % n]);
                let body: String = (0..n).rev().filter(|k| written >> k & 1 == 1).map(update).collect();
                let text = format!(
                    "typedef struct {{ {declared} }} r;
                     kernel void k(global r *p, int m) {{ int i = get_global_id(0); if (i < m || i > 90) {{ {body} }} }}"
                );
                for bits in [128, 256, 512] {
                    let (lanes, _) = made(&text, bits, &[zeros(8 * n * N as usize), int(53)]);
                    // Without stores under masks, of 4 bytes at least, the others are scattered.
                    assert!(lanes > 1 || bits == 128 || ["short", "uchar"].contains(&ty), "{text}");
                }
            }
        }
    }
}

/// Seven numbers for each work-item were gathered and scattered one by one, three times slower than without vectors.
#[test]
fn large_records_are_gone_through_one_after_another() {
    let lanes = |text: &str| {
        let (mut module, mut session) = compile(Dialect::OPENCL, text);
        let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it");
        let mut o = options(&Launch::line(2, 64));
        o.vectorise = true;
        simd::work_group(&mut module, &mut session, kernel, &o).expect("it is made").lanes
    };
    let record = "typedef struct { double x, y, z, vx, vy, vz, m; } r;";
    let moved = "p[i].vx -= t * p[i].x; p[i].vy -= t * p[i].y; p[i].x += t * p[i].vx; p[i].y += t * p[i].vy;";
    let with = |body: &str| {
        format!(
            "{record} kernel void k(global r *p, global double *o, double t) {{ int i = get_global_id(0); {body} }}"
        )
    };
    assert_eq!(lanes(&with(moved)), 1);
    // What only reads them, or computes with them, has vectors.
    assert!(lanes(&with("o[i] = p[i].x + p[i].y;")) > 1);
    let far = "double s = p[i].x; for (int n = 0; n < 40; n++) s = s * s - sqrt(s + n) * t + exp(s) * 3; p[i].x = s;";
    assert!(lanes(&with(far)) > 1);
}

/// A kernel that computes with vectors component by component, and loads and stores them here and there.
fn random_kernel(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed;
    let mut pick = |of: &[&str]| -> String {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        of[(state >> 33) as usize % of.len()].to_owned()
    };
    let element = pick(&["uchar", "char", "short", "ushort", "int", "float"]);
    let count = pick(&["2", "4", "4", "8"]);
    let places = ["i", "i", "i + 1", "i * 29 % 96", "95 - i", "i / 2", "(i ^ 3)"];
    let ops: &[&str] = if element == "float" { &["+", "-", "*"] } else { &["+", "-", "*", "&", "|", "^"] };
    let ty = format!("{element}{count}");
    let n: usize = count.parse().expect("a number");
    let pattern: Vec<String> = (0..n).map(|k| format!("({element}){}", k * 5 % 7 + 1)).collect();
    let pattern = format!("({ty})({})", pattern.join(", "));
    let varying = format!("({ty})(({element})i)");
    let mut body = format!("{ty} v = a[{}], w = b[{}];\n", pick(&places), pick(&places));
    for _ in 0..pick(&["1", "2", "4", "9", "30"]).parse().expect("a number") {
        let turned = format!("v.{}", ["yx", "wzyx", "s76543210"][n.ilog2() as usize - 1]);
        let operand = pick(&["w", "w", "v", "s", &pattern, &varying, &turned]);
        body += &format!("v = v {} {operand};\n", pick(ops));
    }
    let guard = pick(&["", "", "if (i % 5 != 2) ", "if (i < 77) "]);
    let store = pick(&["i", "i", "(i * 29 + 7) % 96", "95 - i"]);
    format!(
        "kernel void k(global {ty} *out, global const {ty} *a, global const {ty} *b, {element} s) {{
        int i = get_global_id(0);
        {body} {guard} out[{store}] = v;
    }}"
    )
}

#[test]
fn vectors_here_and_there_compute_what_the_kernel_does() {
    for seed in 0..60 {
        let text = random_kernel(seed);
        let bytes = 32 * (N as usize + 1);
        let s = if text.contains("float s") { 0.75f32.to_le_bytes() } else { 3i32.to_le_bytes() };
        let sizes = [("char s", 1), ("short s", 2), ("", 4)];
        let (_, size) = sizes.iter().find(|(of, _)| text.contains(of)).expect("the last");
        let args = [zeros(bytes), f32s(bytes / 4), f32s(bytes / 4 + 1), A::Val(s[..*size].to_vec())];
        for bits in [128, 256, 512] {
            made(&text, bits, &args);
        }
    }
}

/// Sums of `uint4`s took three times as long in eight lanes as one work-item after another.
#[test]
fn loops_that_only_take_vectors_apart_ran_in_lanes() {
    let sum = |step: &str| {
        format!(
            "kernel void k(global uint4 *out, global const uint4 *in, int n) {{
                int i = get_global_id(0);
                uint4 s = 0;
                for (int j = 0; j < n; j++) {step}
                out[i] = s;
            }}"
        )
    };
    let args = [zeros(16 * N as usize), f32s(4 * (N as usize + 16)), int(9)];
    let lanes = |step: &str, bits: u32| made(&sum(step), bits, &args).0;
    assert_eq!([256, 512].map(|bits| lanes("{ if (i < j * 5) break; s += in[i + j]; }", bits)), [1, 16]);
    assert_eq!(lanes("s += in[i + j];", 256), 8);
    assert_eq!(lanes("s = (s + in[i + j]) * 5u ^ in[i + j] >> 3;", 256), 8);
}
