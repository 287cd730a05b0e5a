//! Remarks about memory and divergence, `-Rpass-analysis=memory`: programs, and what is said of each line.

use unspool::{Dialect, Emit, Input, Options, Remarks, compile_with_log};

/// Line and beginning of each remark.
fn said(name: &str, text: &str) -> String {
    let dialect = if name.ends_with(".cl") { Dialect::OPENCL } else { Dialect::CUDA };
    let mut o = Options { remarks: Remarks { memory: true, ..Remarks::default() }, ..Options::new(dialect) };
    o.set_arch("sm_90".parse().unwrap());
    let c = compile_with_log(&Input::text(name, text), &o, &Emit::PTX);
    assert!(c.succeeded(), "{}", c.log());
    let mut lines: Vec<String> = Vec::new();
    for d in c.session.diagnostics.iter().filter(|d| d.code == "R0604") {
        let line = c.session.sources.line_col(d.span().lo).map_or(0, |(_, at)| at.line);
        lines.push(format!("{line}: {}", d.message));
    }
    lines.join("\n")
}

#[test]
fn arrays_accesses_banks_branches_and_barriers() {
    let text = "\
__global__ void k(float *__restrict__ o, const float *__restrict__ a, int n, int w) {
    __shared__ float t[32][32];
    __shared__ float p[32][33];
    float acc[8], other[4];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = 0; i < n; i++) acc[i & 7] = a[i];
    for (int i = 0; i < n; i++) other[i & 3] = a[i];
    t[x][y] = a[y * 32 + x];
    p[x][y] = a[(blockIdx.x * blockDim.x + x) * 4];
    if (x < n) __syncthreads();
    __syncthreads();
    o[y * 32 + x] = t[y][x] + p[y][x] + acc[w & 7] + other[2];
    for (int i = x; i < n; i += 256) o[i * 2] = 1;
    o[x * 3 + n] = 2;
    o[x * w] = 3;
}
";
    insta::assert_snapshot!("all", said("k.cu", text));
}

#[test]
fn lanes_and_warps_are_numbers_of_work_items() {
    let text = "\
__global__ void k(float *o, const float *a) {
    __shared__ float t[32][32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    t[lane][warp] = a[threadIdx.x];
    __syncthreads();
    o[threadIdx.x] = t[warp][lane] + t[0][threadIdx.x & 7];
}
";
    let said = said("lanes.cu", text);
    assert!(said.starts_with("4: this store has bank conflicts") && said.lines().count() == 1, "{said}");
}

#[test]
fn what_is_right_is_not_remarked_on() {
    let cuda = "\
__global__ void k(float *o, const float *a, int n) {
    __shared__ float t[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = a[i];
    __syncthreads();
    for (int h = 128; h > 0; h >>= 1) {
        t[threadIdx.x] += t[threadIdx.x ^ h];
        __syncthreads();
    }
    float4 v = ((const float4 *)a)[i];
    float r[4] = {v.x, v.y, v.z, v.w};
    for (int j = 0; j < 4; j++) t[threadIdx.x] += r[j];
    o[i] = t[threadIdx.x] + a[n];
}
";
    assert_eq!(said("k.cu", cuda), "");
    let opencl =
        "kernel void k(global float *o, global const float *a) { o[get_global_id(0)] = a[get_global_id(0) + 1]; }";
    assert_eq!(said("k.cl", opencl), "");
}

#[test]
fn calls_keep_arrays_in_memory() {
    let text = "\
__device__ __noinline__ float sum(const float *v, int n) { float s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
__global__ void k(float *o, int n) {
    float v[4] = {1, 2, 3, 4};
    o[0] = sum(v, n);
}
";
    let said = said("k.cu", text);
    assert!(said.starts_with("4: `v[4]` (16 bytes) stays in memory of the thread: a call takes its address"), "{said}");
}

#[test]
fn branches_on_whole_warps_were_called_divergent() {
    let body = |condition: &str| {
        let text = format!(
            "__global__ void k(float *o, const float *a, int n) {{\n\
             int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
             if ({condition})\n o[i] = a[i] * a[i + 1] + a[i + 2] + a[i + 3]; }}\n"
        );
        said("k.cu", &text).contains("may go different ways")
    };
    for whole in
        ["threadIdx.x / 32 == 3", "threadIdx.x >> 5", "threadIdx.x < 128", "threadIdx.x > 63", "threadIdx.y == 0"]
    {
        assert!(!body(whole), "{whole}");
    }
    for whole in ["(unsigned(i) / 32) % 2", "i < 4096", "(threadIdx.x & ~31) == n"] {
        assert!(!body(whole), "{whole}");
    }
    for parted in
        ["threadIdx.x < 100", "threadIdx.x == 32", "threadIdx.x > 64", "i < n", "threadIdx.x >> 4", "threadIdx.x % 2"]
    {
        assert!(body(parted), "{parted}");
    }
}

#[test]
fn rows_that_are_no_whole_warps_share_them() {
    let text = "\
__attribute__((reqd_work_group_size(16, 16, 1))) kernel void k(global float *o, global const float *a) {
    int x = get_local_id(0), y = get_local_id(1);
    if (y == 3) o[x] = a[x * 16] + a[x * 16 + 1] * a[x];
}
";
    assert!(said("k.cl", text).starts_with("3: work-items of a warp may go different ways"));
    assert!(!said("k.cl", text).contains("coalesced"), "rows of 16 are not the first dimension of a warp");
}

#[test]
fn fields_of_records_are_told_to_have_arrays_of_their_own() {
    let text = "struct P { float x, y, z; };\n__global__ void k(P *p) { p[threadIdx.x].x += p[threadIdx.x].z; }\n";
    assert!(said("k.cu", text).contains("keep the fields of records in arrays of their own"));
}
