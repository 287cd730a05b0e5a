//! Loops over rows of different lengths: in vectors only where that pays.

mod support;

use support::{Launch, compile, options};
use unspool::Dialect;

/// Work-items that share a vector, and why not more, of a kernel in OpenCL C.
fn lanes(text: &str, gathers: bool) -> (u32, Option<String>) {
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let o = options(&Launch::line(2, 64));
    let o = simd::Options { machine: simd::VectorIsa { gathers, ..o.machine }, vectorise: true, ..o };
    let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    (host.lanes, host.reason)
}

/// Rows read side by side defeat prefetchers: on AVX-512 a sparse product took seven times as long in vectors.
#[test]
fn rows_are_read_one_after_another_although_the_machine_gathers() {
    let product = "kernel void k(global const int *starts, global const int *columns, global const float *values,
            global const float *x, global float *y) {
        int row = get_global_id(0);
        float sum = 0.0f;
        for (int n = starts[row]; n < starts[row + 1]; ++n)
            sum += values[n] * x[columns[n]];
        y[row] = sum;
    }";
    for gathers in [false, true] {
        let (lanes, reason) = lanes(product, gathers);
        assert_eq!(lanes, 1);
        assert!(reason.expect("there is one").contains("rows of different lengths"));
    }
}

#[test]
fn chains_of_loads_stay_in_vectors_where_the_machine_gathers() {
    let chains = "kernel void k(global const int *next, global int *last) {
        int at = get_global_id(0);
        while (next[at] != at)
            at = next[at];
        last[get_global_id(0)] = at;
    }";
    assert_eq!(lanes(chains, true).0, 16);
    assert_eq!(lanes(chains, false).0, 1);
}
