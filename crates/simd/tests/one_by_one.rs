//! Iterations of several vectors with lanes that are off: each vector by itself, by code that is there once.

mod support;

use support::{Launch, check, compile, f32s, i32s, int, options, zeros};
use unspool::Dialect;

/// Sizes of a launch's data: none, a few, some vectors and a part of one, all.
const ENDS: [i32; 6] = [0, 3, 17, 37, 61, 64];

/// Instructions of the function of work-groups.
fn size(text: &str, launch: &Launch) -> usize {
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id);
    let mut options = options(launch);
    (options.vectorise, options.machine.vector_bits) = (true, 256);
    let made = simd::work_group(&mut module, &mut session, kernel.expect("a kernel"), &options).expect("a function");
    module.functions[made.func].inst_count()
}

/// Each of eight vectors had a copy of the loops behind the guard, for when some of its lanes are off.
#[test]
fn code_for_lanes_that_are_off_is_there_once() {
    let kernel = |guard: &str| {
        format!(
            "kernel void k(global float *out, global const float *a, int n) {{
                int i = get_global_id(0);
                {guard} {{
                    float s = 0;
                    for (int k = 0; k < n; k++) s += a[k * 64 + i] * a[k];
                    out[i] = s;
                }}
            }}"
        )
    };
    let launch = Launch::line(1, 64);
    let (free, guarded) = (size(&kernel(""), &launch), size(&kernel("if (i * i < n)"), &launch));
    assert!(guarded < free * 2, "{guarded} instructions with a guard, {free} without one");
    for n in ENDS {
        check(Dialect::OPENCL, &kernel("if (i * i < n)"), &launch, &[zeros(4 * 256), f32s(64 * 64 + 64), int(n)]);
    }
}

/// Rows and columns, with a part of the last vector off in both.
#[test]
fn rows_and_columns_go_one_by_one() {
    let text = "kernel void k(global float *out, global const float *a, global const float *b, int n, int m) {
        int x = get_global_id(0), y = get_global_id(1);
        int start = y * 3 - n;
        if (x < n && y < m) {
            float s = start;
            for (int k = 0; k < 8; k++) s += a[y * 8 + k] * b[k * 64 + x];
            for (int k = x; k < n; k++) s += b[k];
            out[y * 64 + x] = s;
        }
    }";
    for (n, m) in [(0, 5), (5, 0), (33, 7), (64, 3), (50, 8), (64, 16)] {
        for block in [[64, 8, 1], [32, 16, 1], [64, 4, 1], [45, 4, 1]] {
            let grid = [64_u32.div_ceil(block[0]), 16 / block[1], 1];
            let launch = Launch::new(grid, block);
            let args = [zeros(4 * 64 * 16), f32s(16 * 8), f32s(64 * 8), int(n), int(m)];
            check(Dialect::OPENCL, text, &launch, &args);
        }
    }
}

/// What private arrays, loads before the guard, and ways that meet behind it hold stays each vector's own.
#[test]
fn private_arrays_and_loads_before_the_guard() {
    let bodies = [
        "int t[8]; for (int k = 0; k < 8; k++) t[k] = in[i] >> k; int s = 0;
         for (int k = 0; k < 8; k++) s += t[(in[i] + k) & 7] * k; out[i] = s;",
        "int s = i; for (int k = in[i] & 3; k < 9; k++) s = s * 3 + in[k]; out[i] = s; if (s & 1) out[i] += 5;",
        "int s = 0; for (int k = 0; k < in[i] % 7; k++) { if (in[k] & 1) continue; s += in[k + i % 4]; } out[i] = s;",
    ];
    for body in bodies {
        for guard in [
            "if (i < n)",
            "if (in[i] % 100 < n)",
            "if (n > 4 && i * 2 != n)",
            "if (i >= n)",
            "int e = in[i] & 63; if (e < n)",
        ] {
            let text = format!(
                "kernel void k(global int *out, global const int *in, int n) {{
                    int i = get_global_id(0);
                    {guard} {{ {body} }}
                }}"
            );
            for n in ENDS {
                check(Dialect::OPENCL, &text, &Launch::line(1, 64), &[zeros(4 * 64), i32s(80), int(n)]);
            }
            check(Dialect::OPENCL, &text, &Launch::line(2, 40), &[zeros(4 * 80), i32s(80), int(50)]);
        }
    }
}

/// Effects before and behind the guard happen once.
#[test]
fn effects_outside_of_the_guard_happen_once() {
    for (before, behind) in
        [("out[64 + i] += 3;", ""), ("", "out[64 + i] += 5;"), ("atomic_add(out + 128, 1);", "out[64 + i] += 1;")]
    {
        let text = format!(
            "kernel void k(global int *out, global const int *in, int n) {{
                int i = get_global_id(0), s = 1;
                {before}
                if (i < n) {{ for (int k = i & 1; k < 5; k++) s += in[k + i]; out[i] = s; }}
                {behind}
            }}"
        );
        for n in ENDS {
            check(Dialect::OPENCL, &text, &Launch::line(1, 64), &[zeros(4 * 129), i32s(80), int(n)]);
        }
    }
}
