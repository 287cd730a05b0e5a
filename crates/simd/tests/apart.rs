//! Kernels without loops that do little but access vectors which lie apart from lane to lane: one work-item after another.

mod support;

use support::{Launch, compile, options};
use unspool::Dialect;

/// Work-items that share a vector, and why not more, of a kernel in OpenCL C.
fn lanes(text: &str) -> (u32, Option<String>) {
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let o = options(&Launch::line(2, 64));
    let o = simd::Options { vectorise: true, ..o };
    let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    (host.lanes, host.reason)
}

/// CLBlast's transposition in tiles of `float8` took 1.3 to 1.6 times as long in vectors, rows of `float4` by index 2.7 times.
#[test]
fn vectors_apart_were_taken_to_pieces_for_lanes() {
    for body in [
        "local float8 tile[64 * 4]; int l = get_local_id(0);
         for (int k = 0; k < 4; k++) tile[l * 4 + k] = a[k * n + get_global_id(0)];
         barrier(CLK_LOCAL_MEM_FENCE);
         for (int k = 0; k < 4; k++) o[k * n + get_global_id(0)] = tile[k * 64 + l] * 2.0f;",
        "o[get_global_id(0)] = a[x[get_global_id(0)]] * 2.0f;",
        "o[x[get_global_id(0)]] = a[get_global_id(0)];",
    ] {
        let text =
            format!("kernel void k(global const float8 *a, global const int *x, global float8 *o, int n) {{ {body} }}");
        let (lanes, reason) = lanes(&text);
        assert_eq!(lanes, 1, "{body}");
        assert!(reason.expect("there is one").contains("apart from lane to lane"), "{body}");
    }
}

#[test]
fn what_computes_or_lies_together_is_in_vectors() {
    for body in [
        // Neighbours.
        "o[get_global_id(0)] = a[get_global_id(0)].wzyx;",
        "o[get_global_id(0)] = a[get_global_id(0)] * 2.0f;",
        // Much is done with what is gathered.
        "o[get_global_id(0)] = exp(a[x[get_global_id(0)]]) + log(a[get_global_id(0)]);",
        // A loop of the kernel's own.
        "float4 s = 0; for (int k = 0; k < n; k++) s = s * a[k] + a[x[get_global_id(0)]]; o[get_global_id(0)] = s;",
    ] {
        let text =
            format!("kernel void k(global const float4 *a, global const int *x, global float4 *o, int n) {{ {body} }}");
        assert!(lanes(&text).0 > 1, "{body}");
    }
    // Vectors narrower than the machine has.
    let narrow = "kernel void k(global const float2 *a, global const int *x, global float2 *o) {
        o[get_global_id(0)] = a[x[get_global_id(0)]]; }";
    assert!(lanes(narrow).0 > 1);
}
