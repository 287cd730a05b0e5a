//! Work-group functions compute what kernels do: each kernel runs in the interpreter as it is, and once per group as its
//! work-group function; memory and output must be the same, bit for bit.

mod support;

use support::{A, Launch, check, f32s, float, i32s, int, zeros};
use unspool::Dialect;

fn cl(text: &str, launch: &Launch, args: &[A]) {
    check(Dialect::OPENCL, text, launch, args);
}

fn cuda(text: &str, launch: &Launch, args: &[A]) {
    check(Dialect::CUDA, text, launch, args);
}

#[test]
fn saxpy_with_early_return() {
    let text = "kernel void k(global float *y, global const float *x, float a, int n) {
        int i = get_global_id(0);
        if (i >= n) return;
        y[i] = a * x[i] + y[i];
    }";
    cl(text, &Launch::line(3, 32), &[f32s(96), f32s(96), float(1.5), int(77)]);
}

#[test]
fn ids_in_three_dimensions_with_offsets() {
    let text = "kernel void k(global uint *out) {
        uint i = get_global_linear_id();
        out[i * 8 + 0] = get_global_id(0) * 10000 + get_global_id(1) * 100 + get_global_id(2);
        out[i * 8 + 1] = get_local_id(0) * 10000 + get_local_id(1) * 100 + get_local_id(2);
        out[i * 8 + 2] = get_group_id(0) * 10000 + get_group_id(1) * 100 + get_group_id(2);
        out[i * 8 + 3] = get_global_size(0) * 10000 + get_global_size(1) * 100 + get_global_size(2);
        out[i * 8 + 4] = get_local_size(0) * 10000 + get_local_size(1) * 100 + get_local_size(2);
        out[i * 8 + 5] = get_num_groups(0) * 10000 + get_num_groups(1) * 100 + get_num_groups(2);
        out[i * 8 + 6] = get_global_offset(0) + get_global_offset(2) * 100 + get_work_dim() * 1000;
        out[i * 8 + 7] = get_local_linear_id();
    }";
    let text = text.replace("get_global_linear_id()", "(uint)((get_global_id(2) - get_global_offset(2)) * get_global_size(1) * get_global_size(0) + (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0))")
        .replace("get_local_linear_id()", "(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)");
    for block in [[5, 3, 2], [1, 3, 2], [4, 1, 3], [4, 2, 1], [1, 1, 7], [1, 1, 1], [9, 1, 1]] {
        let mut launch = Launch::new([2, 3, 2], block);
        launch.offset = [7, 1, 3];
        let items = 12 * block.iter().product::<u32>() as usize;
        cl(&text, &launch, &[zeros(items * 32)]);
    }
}

#[test]
fn barrier_keeps_what_lives_across() {
    let text = "kernel void k(global int *out, global const int *in, local int *tmp) {
        int l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
        int mine = in[g] * 3;
        char small = (char)in[g];
        int odd = in[g] & 1;
        double wide = in[g] * 0.5;
        int4 four = (int4)(mine, l, g, 7);
        tmp[l] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        int other = tmp[n - 1 - l];
        out[g] = other + mine + small + (odd ? 100 : 200) + (int)wide + four.x + four.y * four.z + four.w;
    }";
    cl(text, &Launch::line(3, 24), &[zeros(96 * 4), i32s(96), A::Local(24 * 4)]);
}

#[test]
fn transpose_through_a_tile() {
    let text = "#define T 8
    kernel void k(global float *out, global const float *in, int w, int h) {
        local float tile[T][T + 1];
        int x = get_group_id(0) * T + get_local_id(0), y = get_group_id(1) * T + get_local_id(1);
        if (x < w && y < h) tile[get_local_id(1)][get_local_id(0)] = in[y * w + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        x = get_group_id(1) * T + get_local_id(0); y = get_group_id(0) * T + get_local_id(1);
        if (x < h && y < w) out[y * h + x] = tile[get_local_id(0)][get_local_id(1)];
    }";
    cl(text, &Launch::new([3, 2, 1], [8, 8, 1]), &[zeros(20 * 13 * 4), f32s(20 * 13), int(20), int(13)]);
}

#[test]
fn tiled_matrix_product() {
    let text = "#define T 4
    __global__ void k(float *c, const float *a, const float *b, int n) {
        __shared__ float sa[T][T], sb[T][T];
        int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
        float sum = 0;
        for (int t = 0; t < n / T; t++) {
            sa[threadIdx.y][threadIdx.x] = a[y * n + t * T + threadIdx.x];
            sb[threadIdx.y][threadIdx.x] = b[(t * T + threadIdx.y) * n + x];
            __syncthreads();
            for (int k = 0; k < T; k++) sum += sa[threadIdx.y][k] * sb[k][threadIdx.x];
            __syncthreads();
        }
        c[y * n + x] = sum;
    }";
    cuda(text, &Launch::new([3, 3, 1], [4, 4, 1]), &[zeros(144 * 4), f32s(144), f32s(144), int(12)]);
}

/// Pointers and numbers that start elsewhere for each work-item and move alike around loops with barriers.
const WALKS: &str =
    "kernel void k(global float *c, global const float *a, global const float *b, int n, local float *s) {
    int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), id = y * w + x;
    a += get_group_id(0) * n + id;
    b += n - 1 - id;
    long at = 1000000007l * id;
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++) {
            s[id] = a[0] * b[0];
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += s[id ^ 1] + (float)(at & 1023);
            at = j + (at - 77l * n);
            a += 2;
            barrier(CLK_LOCAL_MEM_FENCE);
            b -= i;
        }
        a += n / 16;
        sum += a[-1];
    }
    c[get_group_id(0) * get_local_size(1) * w + id] = sum + a[0] + b[0] + (float)(at % 1000);
}";

fn walks() -> [A; 5] {
    [zeros(2 * 64 * 4), f32s(400), f32s(128), int(128), A::Local(64 * 4)]
}

#[test]
fn what_all_move_alike_in_a_loop_of_barriers() {
    cl(WALKS, &Launch::new([2, 1, 1], [16, 4, 1]), &walks());
    cl(WALKS, &Launch::new([2, 1, 1], [64, 1, 1]), &walks());
}

#[test]
fn reduction_in_a_loop_of_barriers() {
    let text = "kernel void k(global int *out, global const int *in, local int *s) {
        int l = get_local_id(0);
        s[l] = in[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = get_local_size(0) / 2; d > 0; d >>= 1) {
            if (l < d) s[l] += s[l + d];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0) out[get_group_id(0)] = s[0];
    }";
    cl(text, &Launch::line(3, 32), &[zeros(12), i32s(96), A::Local(128)]);
}

#[test]
fn scan_with_two_barriers_per_round() {
    let text = "kernel void k(global int *out, global const int *in) {
        local int s[48];
        int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
        s[l] = in[g];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < n; d *= 2) {
            int v = l >= d ? s[l - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] += v;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[g] = s[l];
    }";
    cl(text, &Launch::line(2, 48), &[zeros(96 * 4), i32s(96)]);
}

#[test]
fn bitonic_sort() {
    let text = "__global__ void k(int *data) {
        extern __shared__ int s[];
        unsigned t = threadIdx.x;
        s[t] = data[blockIdx.x * blockDim.x + t];
        __syncthreads();
        for (unsigned k = 2; k <= blockDim.x; k *= 2)
            for (unsigned j = k / 2; j > 0; j /= 2) {
                unsigned o = t ^ j;
                if (o > t && ((t & k) == 0 ? s[t] > s[o] : s[t] < s[o])) { int x = s[t]; s[t] = s[o]; s[o] = x; }
                __syncthreads();
            }
        data[blockIdx.x * blockDim.x + t] = s[t];
    }";
    let mut launch = Launch::line(2, 64);
    launch.dynamic_shared = 256;
    cuda(text, &launch, &[i32s(128)]);
}

#[test]
fn early_return_before_barriers() {
    let text = "__global__ void k(int *out, const int *in, int n) {
        __shared__ int s[64];
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        s[threadIdx.x] = in[i];
        __syncthreads();
        int v = threadIdx.x > 0 ? s[threadIdx.x - 1] : 0;
        __syncthreads();
        if (in[i] & 1) return;
        s[threadIdx.x] = v;
        __syncthreads();
        out[i] = s[threadIdx.x] + v;
    }";
    cuda(text, &Launch::line(3, 32), &[zeros(96 * 4), i32s(96), int(77)]);
    cuda(text, &Launch::line(3, 32), &[zeros(96 * 4), i32s(96), int(0)]);
    cuda(text, &Launch::line(3, 32), &[zeros(96 * 4), i32s(96), int(40)]);
}

#[test]
fn barrier_under_a_uniform_condition() {
    let text = "kernel void k(global int *out, global const int *in, int flag) {
        local int s[32];
        int l = get_local_id(0), g = get_global_id(0);
        int v = in[g];
        if (flag > 1) {
            s[l] = v;
            barrier(CLK_LOCAL_MEM_FENCE);
            v += s[31 - l];
            if (in[0] > 5) { barrier(CLK_LOCAL_MEM_FENCE); s[l] = v * 2; barrier(CLK_LOCAL_MEM_FENCE); v ^= s[l ^ 1]; }
        } else if (l & 1) v = -v;
        out[g] = v;
    }";
    for flag in 0..4 {
        cl(text, &Launch::line(2, 32), &[zeros(256), i32s(64), int(flag)]);
    }
}

#[test]
fn barrier_first_and_last() {
    let text = "kernel void k(global int *out) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[get_global_id(0)] = get_local_id(0);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }";
    cl(text, &Launch::line(2, 5), &[zeros(40)]);
    cl("kernel void k(global int *out) { barrier(CLK_GLOBAL_MEM_FENCE); }", &Launch::line(2, 5), &[zeros(40)]);
    cl("kernel void k(global int *out) { }", &Launch::line(2, 5), &[zeros(40)]);
}

#[test]
fn loop_bound_from_shared_memory() {
    let text = "kernel void k(global int *out, global const int *in) {
        local int s[16]; local int rounds;
        int l = get_local_id(0), g = get_global_id(0);
        if (l == 3) rounds = in[0] % 5 + 1;
        s[l] = in[g];
        barrier(CLK_LOCAL_MEM_FENCE);
        int acc = 0;
        for (int r = 0; r < rounds; r++) {
            acc += s[(l + r) % 16] * (r + l);
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] = acc;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[g] = acc;
    }";
    cl(text, &Launch::line(2, 16), &[zeros(128), i32s(32)]);
}

#[test]
fn private_arrays_across_barriers() {
    let text = "kernel void k(global int *out, global const int *in, int at) {
        int mine[5];
        local int s[20];
        int l = get_local_id(0), g = get_global_id(0);
        for (int i = 0; i < 5; i++) mine[(i + at) % 5] = in[g] * i + l;
        s[l] = mine[at % 5];
        barrier(CLK_LOCAL_MEM_FENCE);
        mine[(at + l) % 5] += s[19 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        int sum = 0;
        for (int i = 0; i < 5; i++) sum = sum * 7 + mine[(i * at + l) % 5];
        out[g] = sum;
    }";
    cl(text, &Launch::line(2, 20), &[zeros(160), i32s(40), int(3)]);
}

#[test]
fn arguments_of_every_kind() {
    let text = "typedef struct { char c; double d; int a[3]; } S;
    kernel void k(char c, global double *out, S s, float3 v, short h, local int *tmp, int2 p) {
        int l = get_local_id(0);
        tmp[l] = s.a[l % 3];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = c + s.c * s.d + tmp[(l + 1) % 4] + v.x * v.y - v.z + h * p.x + p.y;
    }";
    let mut s = vec![3u8, 0, 0, 0, 0, 0, 0, 0];
    s.extend(2.5f64.to_le_bytes());
    [11i32, -5, 9].iter().for_each(|n| s.extend(n.to_le_bytes()));
    s.extend([0; 4]);
    let v: Vec<u8> = [1.5f32, 2.0, 0.25].iter().flat_map(|x| x.to_le_bytes()).collect();
    let p: Vec<u8> = [7i32, -2].iter().flat_map(|x| x.to_le_bytes()).collect();
    let args = [A::Val(vec![5]), zeros(64), A::Val(s), A::Val(v), A::Val(vec![0xfe, 0xff]), A::Local(16), A::Val(p)];
    cl(text, &Launch::line(2, 4), &args);
}

#[test]
fn barriers_that_count() {
    let text = "__global__ void k(int *out, const int *in) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        int n = __syncthreads_count(in[i] & 1);
        int a = __syncthreads_and(in[i] < 60000), o = __syncthreads_or(in[i] > 65000);
        out[i] = n * 100 + a * 10 + o;
    }";
    cuda(text, &Launch::line(4, 16), &[zeros(256), i32s(64)]);
}

#[test]
fn atomics_and_printf() {
    let text = "kernel void k(global int *out, global const int *in) {
        local int bins[8];
        int l = get_local_id(0);
        if (l < 8) bins[l] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_add(&bins[in[get_global_id(0)] & 7], 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 8) { atomic_add(&out[l], bins[l]); printf(\"%d: %d\\n\", l, bins[l]); }
    }";
    cl(text, &Launch::line(2, 32), &[zeros(32), i32s(64)]);
}

#[test]
fn warp_reduction_of_a_group() {
    let text = "__global__ void k(int *out, const int *in) {
        __shared__ int s[32];
        int t = threadIdx.x, lane = t & 31, warp = t >> 5;
        int v = in[blockIdx.x * blockDim.x + t];
        for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
        if (lane == 0) s[warp] = v;
        __syncthreads();
        v = t < blockDim.x / 32 ? s[lane] : 0;
        if (warp == 0) for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
        if (t == 0) out[blockIdx.x] = v;
    }";
    cuda(text, &Launch::line(2, 96), &[zeros(8), i32s(192)]);
}

#[test]
fn warp_operations_in_uniform_code() {
    let text = "__global__ void k(unsigned *out, const int *in) {
        int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        i += blockIdx.x * blockDim.x * blockDim.y * blockDim.z;
        int v = in[i];
        unsigned r = __ballot_sync(~0u, v & 1);
        r = r * 3 + __any_sync(~0u, v == 5) + 2 * __all_sync(~0u, v >= 0);
        r = r * 5 + __shfl_up_sync(~0u, v, 3) + __shfl_sync(~0u, v, v & 31) + __shfl_xor_sync(~0u, v, 5, 8);
        r = r * 7 + __shfl_down_sync(~0u, v, 2, 16) + __popc(__activemask());
        out[i] = r;
    }";
    cuda(text, &Launch::line(2, 64), &[zeros(512), i32s(128)]);
    cuda(text, &Launch::new([2, 1, 1], [8, 4, 2]), &[zeros(512), i32s(128)]);
}

#[test]
fn warp_operations_some_lanes_reach() {
    let text = "__global__ void k(unsigned *out, const int *in, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
        if (i >= n) return;
        int v = in[i];
        unsigned r = 0;
        if (lane < 16) r = __ballot_sync(0xffffu, v & 1) + __shfl_xor_sync(0xffffu, v, 1);
        else r = __ballot_sync(0xffff0000u, v & 2);
        __syncwarp();
        for (int k = 0; k < 3; k++) if (threadIdx.x / 32 == k) r += __shfl_sync(~0u, v, k);
        __syncthreads();
        out[i] = r;
    }";
    cuda(text, &Launch::line(2, 64), &[zeros(512), i32s(128), int(128)]);
    cuda(text, &Launch::line(2, 64), &[zeros(512), i32s(128), int(96)]);
}

#[test]
fn swapped_values_around_a_loop_of_barriers() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        local int s[16];
        int l = get_local_id(0), g = get_global_id(0);
        int a = in[g], b = l, ua = n, ub = 1;
        for (int i = 0; i < n; i++) {
            s[l] = a;
            barrier(CLK_LOCAL_MEM_FENCE);
            int t = a; a = b + s[15 - l]; b = t;
            int u = ua; ua = ub; ub = u + 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (b & 1) continue;
            a ^= ua;
        }
        out[g] = a * 31 + b + ua * 7 + ub;
    }";
    cl(text, &Launch::line(2, 16), &[zeros(128), i32s(32), int(5)]);
}

#[test]
fn trap_ends_the_group() {
    let text = "__global__ void k(int *out, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i == n) __trap();
        __syncthreads();
        out[i] = i;
    }";
    let (mut module, mut session) = support::compile(Dialect::CUDA, text);
    let launch = Launch::line(2, 8);
    let kernel = module.find("_Z1kPii").expect("the kernel");
    let host = simd::work_group(&mut module, &mut session, kernel, &support::options(&launch)).expect("covered");
    let run = |n| support::run_groups(&module, &host, &launch, &[zeros(64), int(n)]);
    assert!(matches!(run(3), Err(interp::TrapKind::Trap)));
    assert!(run(99).is_ok());
}

#[test]
fn recursion_that_asks_for_ids_is_refused() {
    let text = "__device__ int f(int n) { return n < 2 ? threadIdx.x : f(n - 1) + f(n - 2); }
        __global__ void k(int *out) { out[threadIdx.x] = f(out[0]); }";
    let (mut module, mut session) = support::compile(Dialect::CUDA, text);
    let kernel = module.find("_Z1kPi").expect("the kernel");
    let options = support::options(&Launch::line(1, 8));
    let e = simd::work_group(&mut module, &mut session, kernel, &options).expect_err("refused");
    assert!(e.what.contains("`f`") || e.what.contains("f("), "{e}");
}

#[test]
fn values_that_share_an_array_are_not_overwritten() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        local int s[16];
        int l = get_local_id(0), g = get_global_id(0);
        int x = in[g];
        for (int i = 0; i < n; i++) {
            s[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            int v = s[15 - l] * 3 + s[(l + 1) % 16], w = v ^ s[l / 2];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (w & 1) x = v; else if (w & 2) x = w;
        }
        out[g] = x;
    }";
    cl(text, &Launch::line(2, 16), &[zeros(128), i32s(32), int(6)]);
}

#[test]
fn loops_over_x_are_found() {
    let text = "kernel void k(global int *out, global const int *in) {
        local int s[64];
        int l = get_local_id(1) * get_local_size(0) + get_local_id(0), g = get_group_id(0) * 64 + l;
        s[l] = in[g];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = s[63 - l];
    }";
    let (mut module, mut session) = support::compile(Dialect::OPENCL, text);
    let launch = Launch::new([1, 1, 1], [16, 4, 1]);
    let kernel = module.find("k").expect("the kernel");
    let options = support::options(&launch);
    let made =
        simd::regions::run(&mut module, &mut session, kernel, &options, simd::regions::Warps::Keep).expect("covered");
    assert_eq!(made.loops.len(), 2);
    for l in &made.loops {
        assert_eq!((l.trip, l.outer.len()), (simd::regions::Trip::Known(16), 1));
        assert!(module.functions[made.func].dfg.params(l.header).contains(&l.x));
    }
}

#[test]
fn switches_decide_about_barriers() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        local int s[16];
        int l = get_local_id(0), g = get_global_id(0), x = in[g];
        for (int i = 0; i < 5; i++) {
            switch ((n + i) % 4) {
            case 0: s[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x += s[15 - l]; barrier(CLK_LOCAL_MEM_FENCE); break;
            case 1: x ^= l; // falls through
            case 2: s[l] = x + i; barrier(CLK_LOCAL_MEM_FENCE); x -= s[(l + i) % 16]; barrier(CLK_LOCAL_MEM_FENCE); break;
            default: x = l & 1 ? x * 3 : x - 1;
            }
        }
        out[g] = x;
    }";
    for n in 0..4 {
        cl(text, &Launch::line(2, 16), &[zeros(128), i32s(32), int(n)]);
    }
}

/// A switch whose default returned was taken to be the same for all, since a barrier lies behind it.
#[test]
fn ways_that_meet_before_a_barrier_are_each_work_items_though_another_returns() {
    let text = "kernel void k(global int *out, int most) {
        int g = get_global_id(0);
        barrier(CLK_GLOBAL_MEM_FENCE);
        switch (g % 5) {
            case 0: out[g] += 1; break;
            case 1: out[g] += 2; break;
            case 2: out[g] += 3; break;
            case 3: out[g] += 4; break;
            case 4: out[g] += 5; break;
            default: return;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        int other = out[g ^ 1];
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (int i = 0; i < 3; i++) {
            if (g % 3 == i) out[g] += other;
            else if (g % 7 <= most) out[g] += 10 * i;
            else return;
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
    }";
    for most in [6, 9] {
        cl(text, &Launch::line(2, 64), &[zeros(512), int(most)]);
    }
    let unreachable = text.replace("default: return;", "default: __builtin_unreachable();");
    cl(&unreachable, &Launch::line(2, 64), &[zeros(512), int(6)]);
}

/// What a part of the work-items asks was taken for the end of the whole group, since all who ask get the same answer.
#[test]
fn an_end_that_some_work_items_come_by_is_not_the_groups() {
    let first = "if (g & 1) { a += 5; } else { if (most) a >>= 1; else return; }";
    let deeper = "if (g & 1) { a += 5; } else if (most == 3) { if (other) return; a >>= 1; } else { a ^= 9; }";
    let rounds = "for (int i = 0; i < (g & 3); i++) { if (most > 100) return; a += i; }";
    for part in [first, deeper, rounds] {
        for around in [
            "PART barrier(CLK_GLOBAL_MEM_FENCE);",
            "for (int j = 0; j < 3; j++) { PART barrier(CLK_GLOBAL_MEM_FENCE); }",
        ] {
            let text = "kernel void k(global int *out, int most, int other) {
                int g = get_global_id(0), a = 1000 + g;
                WHOLE
                out[g] = a;
            }";
            let text = text.replace("WHOLE", &around.replace("PART", part));
            for most in [0, 1, 3, 200] {
                cl(&text, &Launch::line(2, 64), &[zeros(512), int(most), int(0)]);
            }
        }
    }
}

#[test]
fn vectors_and_truth_values_across_barriers() {
    let text = "kernel void k(global float *out, global const float *in, global const int *ints) {
        int l = get_local_id(0), g = get_global_id(0);
        float3 v = vload3(g, in);
        uchar4 c = convert_uchar4((int4)(ints[g], ints[g] >> 3, l, 1));
        bool b = ints[g] > 30000, e = isless(v.x, v.y);
        int2 m = v.xy < v.yz;
        long wide = (long)ints[g] << 20;
        barrier(CLK_GLOBAL_MEM_FENCE);
        float r = dot(v, (float3)(1.0f, 2.0f, 3.0f)) + c.x + c.y * 2 + c.z + c.w;
        if (b) r += 1.0f;
        if (e) r *= 2.0f;
        out[g] = r + m.x - m.y + (float)(wide >> 18);
    }";
    cl(text, &Launch::line(2, 24), &[zeros(192), f32s(144), i32s(48)]);
}

#[test]
fn static_and_dynamic_shared_memory_stand_side_by_side() {
    let text = "__global__ void k(int *out, const int *in) {
        __shared__ char small[3];
        __shared__ int fixed[16];
        extern __shared__ double dynamic[];
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
        if (t < 3) small[t] = t + 1;
        fixed[t] = in[i];
        dynamic[t] = in[i] * 0.5;
        __syncthreads();
        out[i] = small[t % 3] + fixed[15 - t] + (int)dynamic[(t + 1) % 16];
    }";
    let mut launch = Launch::line(2, 16);
    launch.dynamic_shared = 128;
    let (_, host) = check(Dialect::CUDA, text, &launch, &[zeros(128), i32s(32)]);
    assert!(host.shared_bytes >= 67 && host.shared_bytes.is_multiple_of(16), "{}", host.shared_bytes);
}

#[test]
fn loops_without_end_are_no_obstacle() {
    let texts = [
        "kernel void k(global int *out) { while (1) { barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] += 1; } }",
        "kernel void k(global int *out) { if (out[0]) while (1) out[get_global_id(0)] += 1; barrier(CLK_LOCAL_MEM_FENCE); out[1] = 2; }",
        "kernel void k(global int *out) { while (1) if (out[get_global_id(0)]) { barrier(CLK_LOCAL_MEM_FENCE); out[2] = 1; } }",
    ];
    for text in texts {
        let (mut module, mut session) = support::compile(Dialect::OPENCL, text);
        let kernel = module.find("k").expect("the kernel");
        let options = support::options(&Launch::line(1, 8));
        let host = simd::work_group(&mut module, &mut session, kernel, &options).expect("covered");
        ir::verify::verify_function(&module, host.func).expect("valid");
    }
}

#[test]
fn impossible_sizes_are_refused() {
    let (mut module, mut session) = support::compile(Dialect::OPENCL, "kernel void k(global int *out) { *out = 1; }");
    let kernel = module.find("k").expect("the kernel");
    for block in [[0, 1, 1], [1 << 20, 1, 1], [u32::MAX, u32::MAX, 2]] {
        let options = support::options(&Launch::new([1, 1, 1], block));
        assert!(simd::work_group(&mut module, &mut session, kernel, &options).is_err());
    }
}

/// Cycles with two entries are no loops, but work-items leave them in different rounds, too.
#[test]
fn what_lives_on_from_a_cycle_with_two_entries_differs() {
    let text = "kernel void k(global int *out, int n) {
        int l = get_local_id(0), i = 0, j = n;
        if (n & 1) goto second;
        first: i++;
        second: i += 2; j ^= i;
        if (i < l * 3) goto first;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = i * 100 + j;
    }";
    for n in [2, 3] {
        support::check_levels(Dialect::OPENCL, text, &Launch::line(2, 16), &[zeros(128), int(n)]);
    }
}

#[test]
fn more_shared_loads_than_registers_stay_in_the_loops_over_work_items() {
    let product = |k: u32| {
        let terms: String = (0..k).map(|i| format!("sum += a[{i}] * tile[{i}];")).collect();
        format!(
            "kernel void k(global float *c, global const float *in, local float *tile) {{
                int l = get_local_id(0), id = get_local_id(1) * 16 + l;
                float a[{k}], sum = 0;
                tile[id] = in[id];
                barrier(CLK_LOCAL_MEM_FENCE);
                for (int i = 0; i < {k}; i++) a[i] = in[id + i];
                {terms}
                c[id] = sum;
            }}"
        )
    };
    let launch = Launch::new([1, 1, 1], [16, 4, 1]);
    let args = [zeros(64 * 4), f32s(128), A::Local(64 * 4)];
    for (k, stay) in [(8, false), (48, true)] {
        let text = product(k);
        let (module, host) = check(Dialect::OPENCL, &text, &launch, &args);
        assert_eq!(module.functions[host.func].loops.values().any(|m| m.keeps_loads), stay, "{k}");
    }
}
