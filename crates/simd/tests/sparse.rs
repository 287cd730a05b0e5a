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

/// Rodinia's hybridsort: gathers, scatters and gathers again took longer in vectors than one after another.
#[test]
fn histograms_that_read_back_what_they_wrote_met_in_lanes() {
    let histogram = "kernel void k(global const uint *data, global uint *out, int n) {
        local uint bins[1024];
        volatile local uint *h = bins;
        uint tag = get_local_id(0) << 27;
        for (int i = get_local_id(0); i < 1024; i += get_local_size(0)) bins[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
            uint at = data[i] & 1023, count;
            do {
                count = tag | ((h[at] & 0x07ffffffu) + 1);
                h[at] = count;
            } while (h[at] != count);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = get_local_id(0); i < 1024; i += get_local_size(0)) out[i] = bins[i] & 0x07ffffffu;
    }";
    let (lanes, reason) = lanes(histogram, true);
    assert_eq!(lanes, 1);
    assert!(reason.expect("there is one").contains("read them back"));
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

/// Rows of 4096 floats took 14 times as long in vectors of 16 as in vectors of 2: their cache lines share a set.
#[test]
fn rows_of_one_length_walked_side_by_side_take_few_lanes() {
    let sum = |body: &str| {
        format!(
            "kernel void k(global const float *a, global const float *x, global float *y, int n) {{
                int i = get_global_id(0);
                float s = 0.0f;
                for (int j = 0; j < n; ++j) {{ {body} }}
                y[i] = s;
            }}"
        )
    };
    for gathers in [false, true] {
        assert_eq!(lanes(&sum("s += a[i * n + j] * x[j];"), gathers).0, 2);
        assert_eq!(lanes(&sum("s += a[i * n + (n - j - 1)];"), gathers).0, 2);
        // The columns beside them are neighbours, and more to compute hides more of the loads.
        assert_eq!(lanes(&sum("s += a[i * n + j] * x[j * n + i];"), gathers).0, 4);
        assert_eq!(
            lanes(&sum("float v = a[i * n + j]; s = (s + v * v) * (s - v) + (v + s * 0.5f) * (v - 2.0f);"), gathers).0,
            4
        );
    }
    // Neighbours, a column for each work-item; each iteration a line of its own; what is computed outweighs the loads.
    assert_eq!(lanes(&sum("s += a[j * n + i];"), true).0, 16);
    assert_eq!(lanes(&sum("s += a[i * n + j * 32];"), true).0, 16);
    assert_eq!(lanes(&sum("s += exp(sin(a[i * n + j])) * cos(s);"), true).0, 16);
}

/// A sweep along rows that it also stores to took 48 times as long in vectors: loads waited for stores to other rows.
#[test]
fn rows_that_are_stored_to_are_walked_one_after_another() {
    let sweep = "kernel void k(global const float *a, global const float *b, global float *x, int n) {
        int i = get_global_id(0);
        for (int j = 0; j < n - 2; ++j)
            x[i * n + (n - j - 2)] = (x[i * n + (n - 2 - j)] - x[i * n + (n - 3 - j)] * a[i * n + (n - j - 3)]) / b[i * n + (n - 3 - j)];
    }";
    let (lanes, reason) = lanes(sweep, true);
    assert_eq!(lanes, 1);
    assert!(reason.expect("there is one").contains("walk along rows"));
}

/// What waits at barriers under conditions, and what is volatile, hid rows from being seen: SHOC's product with several
/// work-items for a row took up to five times as long in vectors.
#[test]
fn rows_for_several_work_items_with_a_sum_in_volatile_local_memory() {
    let product = "kernel void k(global const int *starts, global const int *columns, global const float *values,
            global const float *x, global float *y, int rows, int width) {
        int t = get_local_id(0), id = t & (width - 1);
        int row = get_group_id(0) * (get_local_size(0) / width) + t / width;
        local volatile float sums[64];
        sums[t] = 0;
        if (row < rows) {
            float sum = 0;
            for (int n = starts[row] + id; n < starts[row + 1]; n += width)
                sum += values[n] * x[columns[n]];
            sums[t] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int bar = width / 2; bar > 0; bar /= 2) {
                if (id < bar) sums[t] += sums[t + bar];
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            if (id == 0) y[row] = sums[t];
        }
    }";
    assert_eq!(lanes(product, true).0, 1);
}

/// CLBlast's products of vectors in double: the gathers for increments other than 1 counted as if they were what runs.
#[test]
fn gathers_that_only_a_rare_increment_takes_kept_doubles_from_vectors() {
    let product = "kernel void k(int n, global const double *x, int x_inc, global const double *y, int y_inc, global double *out) {
        double sum = 0;
        int id = get_group_id(0) * 64 + get_local_id(0);
        while (id < n) {
            sum += x[id * x_inc] * y[id * y_inc];
            id += 64 * get_num_groups(0);
        }
        out[get_global_id(0)] = sum;
    }";
    let (mut module, mut session) = compile(Dialect::OPENCL, product);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let o = options(&Launch::line(2, 64));
    let machine = simd::VectorIsa { vector_bits: 256, gathers: false, lines_at_once: 8, rows_at_once: 2 };
    let o = simd::Options { machine, vectorise: true, ..o };
    let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((host.lanes, host.reason), (4, None));
}
