//! Loops that hand values on from one iteration to the next along rows, and records: how work-items take them.

mod support;

use support::{Launch, cl, compile, f32s, i32s, options};
use unspool::Dialect;

fn made(text: &str) -> simd::HostKernel {
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let o = options(&Launch::line(4, 256));
    let o = simd::Options {
        machine: simd::VectorIsa { rows_at_once: 8, lines_at_once: 2, ..o.machine },
        vectorise: true,
        ..o
    };
    simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"))
}

/// PolyBench's `adi` waited for a division in each iteration, one row after another.
#[test]
fn rows_whose_iterations_wait_for_divisions_were_walked_one_after_another() {
    let body = "{
            x[R + i] = x[R + i] - x[R + i - 1] * a[R + i] / b[R + i - 1];
            b[R + i] = b[R + i] - a[R + i] * a[R + i] / b[R + i - 1];
        }";
    let head = "kernel void k(global float *a, global float *b, global float *x) { int id = get_global_id(0); ";
    let as_row = format!("{head} int row = id * 1024; for (int i = 1; i < 1024; i++) {body} }}").replace('R', "row");
    let guarded = format!("{head} if (id < 1024) for (int i = 1; i < 1024; i++) {body} }}").replace('R', "id * 1024");
    for divides in [as_row, guarded] {
        assert_eq!(made(&divides).lanes, 4, "{divides} {:?}", made(&divides).reason);
        let small = divides.replace("1024", "32");
        cl(&small, &Launch::line(2, 16), &[f32s(1024), f32s(1024), f32s(1024)]);
    }
    let adds = "kernel void k(global const float *a, global float *x) {
        int row = get_global_id(0) * 1024;
        for (int i = 1; i < 1024; i++) x[row + i] = x[row + i - 1] + a[row + i];
    }";
    assert_eq!(made(adds).lanes, 1);
}

/// CLBlast's `cscal` took the sixteen floats of a record one by one.
#[test]
fn records_that_work_items_walk_one_after_another_were_not_packed() {
    let scale = "typedef struct { float2 a, b, c, d, e, f, g, h; } eight;
    kernel void k(global eight *x, float2 by) {
        eight v = x[get_global_id(0)], r;
#define DO(f) r.f.x = by.x * v.f.x - by.y * v.f.y; r.f.y = by.x * v.f.y + by.y * v.f.x;
        DO(a) DO(b) DO(c) DO(d) DO(e) DO(f) DO(g) DO(h)
        x[get_global_id(0)] = r;
    }";
    let made = made(scale);
    assert!(made.lanes == 1 && made.packs, "{} {:?}", made.lanes, made.reason);
}

/// Whether what an iteration stored is in registers or in memory is asked for each work-item: lanes part.
#[test]
fn rows_that_overlap_for_some_lanes_are_what_they_are_in_memory() {
    let apart = |x: &str, b: &str| {
        format!(
            "kernel void k(global uint *m) {{
                int id = get_local_id(0);
                global uint *x = m + {x}, *b = m + {b};
                for (int i = 1; i < 30; i++) {{
                    x[i] = x[i] - x[i - 1] * b[i - 1];
                    b[i] = b[i] + x[i];
                }}
            }}"
        )
    };
    for (x, b) in
        [("id * 256", "id * 256 + 32"), ("id * 256", "id * 256 + id * 4"), ("id * 256 + 3", "id * 256 + (id & 1) * 34")]
    {
        cl(&apart(x, b), &Launch::line(1, 16), &[i32s(4400)]);
    }
    let columns = "kernel void k(global uint *m) {
        int id = get_local_id(0);
        global uint *x = m + id, *b = m + 16 * 40 + id;
        for (int i = 1; i < 40; i++) {
            x[i * 16] = x[i * 16] - x[i * 16 - 16] * b[i * 16 - 16];
            b[i * 16] = b[i * 16] + x[i * 16];
        }
    }";
    cl(columns, &Launch::line(1, 16), &[i32s(1300)]);
}
