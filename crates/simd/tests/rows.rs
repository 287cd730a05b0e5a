//! Which work-items share a vector: those that access neighbours.

mod support;

use ir::Opcode;
use simd::{Options, Rows};
use support::{Launch, compile};
use unspool::Dialect;

/// Whether rows of a kernel in OpenCL C are along y, and how many gathers and scatters its vectors have.
fn rows(text: &str, local: [u32; 3]) -> (Rows, usize) {
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let rows = Rows::of(&module.functions[kernel], local.into());
    let o = Options { vectorise: true, rows, ..support::options(&Launch::new([4, 4, 1], local)) };
    let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    let f = &module.functions[host.func];
    let insts = f.layout.blocks().flat_map(|b| f.layout.insts(b));
    (rows, insts.filter(|&i| matches!(f.dfg.op(i), Opcode::Gather | Opcode::Scatter)).count())
}

const PRODUCT: &str = "kernel void k(int n, global const float *a, global const float *b, global float *c) {
    int i = get_global_id(0), j = get_global_id(1);
    float sum = 0;
    if (i < n && j < n) {
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
    }
}";

/// Matrices with the first index from x took ten times as long as with the last.
#[test]
fn rows_were_along_x_where_neighbours_are_along_y() {
    assert_eq!(rows(PRODUCT, [16, 16, 1]), (Rows::Y, 0));
    assert_eq!(rows(PRODUCT, [64, 8, 1]), (Rows::Y, 0));
    let usual =
        PRODUCT.replace("i = get_global_id(0), j = get_global_id(1)", "j = get_global_id(0), i = get_global_id(1)");
    assert_eq!(rows(&usual, [16, 16, 1]), (Rows::X, 0));
    // Too few in y to fill a vector.
    assert_eq!(rows(PRODUCT, [64, 2, 1]).0, Rows::X);
    assert_eq!(rows(PRODUCT, [256, 1, 1]).0, Rows::X);
}

#[test]
fn the_boundary_of_a_grid_does_not_hide_which_way_rows_go() {
    let stencil = "kernel void k(int n, global const float *a, global float *b) {
        int i = get_global_id(1), j = get_global_id(0);
        int at = j * n + i, up = j == 0 ? at : at - n, left = i == 0 ? at : at - 1;
        b[at] = a[at] + a[up] + a[left];
    }";
    assert_eq!(rows(stencil, [16, 16, 1]).0, Rows::Y);
    let usual = stencil.replace("get_global_id(1), j = get_global_id(0)", "get_global_id(0), j = get_global_id(1)");
    assert_eq!(rows(&usual, [16, 16, 1]).0, Rows::X);
}

/// Chains of more than 32 operations were given up, and each condition in a loop doubled the ways that were followed.
#[test]
fn indices_through_many_conditions_were_not_followed() {
    let steps: String = (0..200).map(|n| format!("k = (k * {n} & q) ? k + n : k ^ {n}; ")).collect();
    let text = format!(
        "kernel void k(int n, int q, global float *c) {{
            int i = get_global_id(0), j = get_global_id(1);
            for (int k = 0; k < n; k++) {{ {steps} c[i * n + j + k] += 1; }}
        }}"
    );
    assert_eq!(rows(&text, [16, 16, 1]).0, Rows::Y);
}

/// All loops counted as eight iterations: here one that seldom runs outweighed one of 64, and rows along y took fifteen times as long.
#[test]
fn a_loop_of_64_iterations_did_not_outweigh_one_of_few() {
    let text = |times: &str| {
        format!(
            "kernel void k(int n, int m, int q, global const float *a, global const float *b, global float *c) {{
                int i = get_global_id(0), j = get_global_id(1);
                float sum = 0;
                #pragma unroll 1
                for (int k = 0; k < q; k++) sum += a[(i + k) * n + j] * a[(i + 2 * k) * n + j] + a[(i + 3 * k) * n + j];
                #pragma unroll 1
                for (int k = 0; k < {times}; k++) sum += b[(j + k) * n + i];
                c[j * n + i] = sum;
            }}"
        )
    };
    assert_eq!(rows(&text("64"), [16, 16, 1]).0, Rows::X);
    // Nothing says that one runs more often: three accesses along y are more than one along x.
    assert_eq!(rows(&text("m"), [16, 16, 1]).0, Rows::Y);
}

#[test]
fn the_smallest_stride_of_all_has_a_size() {
    let text = "kernel void k(global char *c) {
        ulong i = get_global_id(0), j = get_global_id(1);
        c[(i << 62) + ((i ^ 0) + j << 62) + j - (j << 62)] = 1;
    }";
    assert_eq!(rows(text, [16, 16, 1]).0, Rows::Y);
}

/// What an inner loop counts on from an outer one was taken to be the same for all work-items.
#[test]
fn inner_loops_go_on_from_where_outer_ones_are() {
    let text = "kernel void k(int n, global float *c) {
        int i = get_global_id(0), j = get_global_id(1);
        for (int at = i * n + j; at < n * n; at += n) {
            for (int k = at; k < n; k++) c[k] += 1;
        }
    }";
    assert_eq!(rows(text, [16, 16, 1]).0, Rows::Y);
}

/// A transposition is as bad one way as the other.
#[test]
fn what_suits_neither_way_stays_along_x() {
    let text = "kernel void k(int n, global const float *a, global float *b) {
        int i = get_global_id(0), j = get_global_id(1);
        b[i * n + j] = a[j * n + i];
    }";
    assert_eq!(rows(text, [16, 16, 1]).0, Rows::X);
}

/// Lanes of warps are numbered along x, whatever suits memory.
#[test]
fn kernels_that_name_lanes_keep_their_rows() {
    let text = "__global__ void k(float *o, int n) {
        int i = threadIdx.x, j = threadIdx.y;
        o[i * n + j] += __shfl_down_sync(~0u, o[i * n + j], 1);
    }";
    let launch = Launch::new([1, 1, 1], [8, 16, 1]);
    let args = [support::zeros(8 * 16 * 4), support::int(16)];
    support::check(Dialect::CUDA, text, &launch, &args);
}

/// Work-group memory, barriers and ids of all dimensions.
#[test]
fn turned_groups_compute_the_same() {
    let text = "kernel void k(global int *o, int n) {
        local int s[12 * 9 * 2];
        int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
        int t = (z * 9 + y) * 12 + x;
        s[t] = x * 100 + y * 10 + z + (int)get_group_id(0) + (int)get_local_size(1) * 1000;
        barrier(CLK_LOCAL_MEM_FENCE);
        int other = s[(t * 7 + 3) % (12 * 9 * 2)];
        if (x > y) other += (int)get_global_id(0) * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[t] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
        int i = get_global_id(0), j = get_global_id(1) + get_global_size(1) * get_global_id(2);
        o[i * n + j] = s[t] ^ s[(t + 11) % (12 * 9 * 2)];
    }";
    let launch = Launch::new([2, 1, 1], [12, 9, 2]);
    support::check(Dialect::OPENCL, text, &launch, &[support::zeros(24 * 18 * 4), support::int(18)]);
}

/// Whether work-items of a kernel in OpenCL C stream through memory.
fn streams(text: &str) -> bool {
    let (module, _) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.values().find(|f| f.kind == ir::FnKind::Kernel).expect("it is");
    kernel.attrs.streams
}

/// Copies in groups of 32 by 8 took twice as long as in rows.
#[test]
fn kernels_that_stream_were_given_short_rows() {
    let kernel = |body: &str| {
        format!(
            "kernel void k(int n, global float *a, global float *b, local float *l) {{
                int j = get_global_id(0), i = get_global_id(1); {body}
            }}"
        )
    };
    for (body, expected) in [
        ("b[i * n + j] = a[i * n + j] * 2 + 1;", true),
        ("if (i < n && j < n) b[i * n + j] += a[i * n + j] * a[0];", true),
        // Rows share what is near.
        ("b[i * n + j] = a[i * n + j] + a[(i + 1) * n + j] + a[j] + a[i];", true),
        // The first index from x: rows are along y.
        ("b[j * n + i] = a[j * n + i];", true),
        // Rows share columns.
        ("float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k]; b[i * n + j] = s;", false),
        // Not along rows.
        ("b[j * n + i] = a[i * n + j];", false),
        ("b[i * n + j] = a[(int)a[i * n + j]];", false),
        // Groups wait.
        ("l[get_local_id(0)] = a[i * n + j]; barrier(CLK_LOCAL_MEM_FENCE); b[i * n + j] = l[0];", false),
        ("atomic_inc((global int *)b + i * n + j);", false),
    ] {
        assert_eq!(streams(&kernel(body)), expected, "{body}");
    }
    assert!(streams("kernel void k(global float *a, global float *b) { int i = get_global_id(0); b[i] = a[i]; }"));
}

/// How many work-items share a vector.
fn lanes(text: &str) -> u32 {
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let o = Options { vectorise: true, ..support::options(&Launch::new([4, 1, 1], [64, 1, 1])) };
    simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}")).lanes
}

/// Rodinia's particlefilter fills a row for each particle from what it computes.
#[test]
fn rows_that_were_only_stored_to_were_walked_one_after_another() {
    let rows = |body: &str| {
        lanes(&format!(
            "kernel void k(int n, global float *a, global const float *b, global float *out) {{
                int i = get_global_id(0); float sum = 0, x = out[i];
                for (int j = 0; j < n; j++) {{ {body} }}
                out[i] = sum;
            }}"
        ))
    };
    let (loaded, stored) = ("sum += b[i * n + j];", "x = x * 3.5f + 1.0f; a[i * n + j] = x;");
    let both = "a[i * n + j] = a[i * n + j] * x + 2.0f;";
    assert_eq!((rows(loaded), rows(stored), rows(both)), (2, 4, 1));
}

/// SHOC's reads and writes of memory in units: 16 accesses an iteration, wrapped by a mask of bits, ran in vectors of 16.
#[test]
fn rows_that_wrap_and_are_read_in_whole_lines_were_walked_side_by_side() {
    let unrolled = |n: usize, what: &dyn Fn(usize) -> String| {
        let body: String = (0..n).map(what).collect();
        lanes(&format!(
            "kernel void k(global float *d, global float *out, int size) {{
                int gid = get_global_id(0), s = gid * 1024;
                float sum = 0;
                for (int j = 0; j < 512; j++) {{ {body} s = (s + {n}) & (size - 1); }}
                out[gid] = sum;
            }}"
        ))
    };
    let read = |u| format!("sum += d[(s + {u}) & (size - 1)];");
    let write = |u| format!("d[(s + {u}) & (size - 1)] = gid;");
    assert_eq!((unrolled(16, &read), unrolled(16, &write)), (1, 1));
    assert_eq!((unrolled(2, &read), unrolled(2, &write)), (2, 4));
}
