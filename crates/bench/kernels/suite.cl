// The sixteen kernels of suite.cu, as OpenCL C 1.2 with sub-group shuffles.

#define TILE 16
#define WARP 32

// ---------------------------------------------------------------------------------------------- dense linear algebra

/// C = A * B for square matrices whose size is a multiple of TILE; one element per work-item, tiles in local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_tiled(__global float *C, __global const float *A, __global const float *B, int n) {
    __local float a[TILE][TILE];
    __local float b[TILE][TILE];
    int lx = get_local_id(0), ly = get_local_id(1);
    int row = get_group_id(1) * TILE + ly;
    int col = get_group_id(0) * TILE + lx;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; t++) {
        a[ly][lx] = A[row * n + t * TILE + lx];
        b[ly][lx] = B[(t * TILE + ly) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum += a[ly][k] * b[k][lx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[row * n + col] = sum;
}

#define BM 64
#define BN 64
#define BK 8
#define TM 4
#define TN 4

/// C = A * B with tiles of 64 x 64 and 4 x 4 elements per work-item in registers; work-groups of 256.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void matmul_blocked(__global float *restrict C, __global const float *restrict A, __global const float *restrict B,
                    int m, int n, int k) {
    __local float As[BK][BM];
    __local float Bs[BK][BN];
    const int tid = get_local_id(0);
    const int tx = tid % (BN / TN), ty = tid / (BN / TN);
    const int rowBase = get_group_id(1) * BM, colBase = get_group_id(0) * BN;
    float acc[TM][TN];
#pragma unroll
    for (int i = 0; i < TM; i++) {
#pragma unroll
        for (int j = 0; j < TN; j++) acc[i][j] = 0.0f;
    }
    for (int k0 = 0; k0 < k; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            As[i % BK][i / BK] = A[(rowBase + i / BK) * k + k0 + i % BK];
        }
        for (int i = tid; i < BK * BN; i += 256) {
            Bs[i / BN][i % BN] = B[(k0 + i / BN) * n + colBase + i % BN];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int kk = 0; kk < BK; kk++) {
            float ra[TM], rb[TN];
#pragma unroll
            for (int i = 0; i < TM; i++) ra[i] = As[kk][ty * TM + i];
#pragma unroll
            for (int j = 0; j < TN; j++) rb[j] = Bs[kk][tx * TN + j];
#pragma unroll
            for (int i = 0; i < TM; i++) {
#pragma unroll
                for (int j = 0; j < TN; j++) acc[i][j] += ra[i] * rb[j];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int i = 0; i < TM; i++) {
#pragma unroll
        for (int j = 0; j < TN; j++) {
            C[(rowBase + ty * TM + i) * n + colBase + tx * TN + j] = acc[i][j];
        }
    }
}

/// out = transpose of in; the padding column keeps the banks of local memory apart.
__kernel void transpose(__global float *out, __global const float *in, int width, int height) {
    __local float tile[32][33];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * 32 + lx;
    int y = get_group_id(1) * 32 + ly;
    for (int j = 0; j < 32; j += 8) {
        if (x < width && y + j < height) tile[ly + j][lx] = in[(y + j) * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + lx;
    y = get_group_id(0) * 32 + ly;
    for (int j = 0; j < 32; j += 8) {
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[lx][ly + j];
    }
}

/// y = A * x for a sparse matrix in CSR form, one row per work-item.
__kernel void spmv_csr(__global float *y, __global const int *rowPtr, __global const int *colIdx,
                       __global const float *val, __global const float *x, int rows) {
    int row = get_global_id(0);
    if (row >= rows) return;
    float sum = 0.0f;
    for (int j = rowPtr[row]; j < rowPtr[row + 1]; j++) sum += val[j] * x[colIdx[j]];
    y[row] = sum;
}

// ------------------------------------------------------------------------------------------------ reductions and scans

float warp_sum(float v) {
#pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2) v += sub_group_shuffle_down(v, offset);
    return v;
}

/// One partial sum per work-group, by a tree in local memory.
__kernel void reduce_local(__global float *out, __global const float *in, uint n) {
    __local float s[256];
    uint tid = get_local_id(0);
    uint i = get_group_id(0) * 512 + tid;
    s[tid] = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = get_local_size(0) / 2; width > 0; width >>= 1) {
        if (tid < width) s[tid] += s[tid + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0) out[get_group_id(0)] = s[0];
}

/// One partial sum per work-group, by shuffles within sub-groups, over a grid-stride loop.
__kernel void reduce_warp(__global float *out, __global const float *in, int n) {
    __local float partial[WARP];
    float sum = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
    sum = warp_sum(sum);
    int tid = get_local_id(0);
    int lane = tid % WARP, warp = tid / WARP;
    if (lane == 0) partial[warp] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (warp == 0) {
        sum = lane < get_local_size(0) / WARP ? partial[lane] : 0.0f;
        sum = warp_sum(sum);
        if (lane == 0) out[get_group_id(0)] = sum;
    }
}

/// Exclusive scan of 512 elements per work-group, up and down a balanced tree.
__kernel void scan_block(__global int *out, __global int *sums, __global const int *in) {
    __local int s[512];
    int tid = get_local_id(0);
    __global const int *src = in + get_group_id(0) * 512;
    vstore2(vload2(tid, src), tid, s);
    int stride = 1;
    for (int d = 256; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < d) s[stride * (2 * tid + 2) - 1] += s[stride * (2 * tid + 1) - 1];
        stride *= 2;
    }
    if (tid == 0) {
        sums[get_group_id(0)] = s[511];
        s[511] = 0;
    }
    for (int d = 1; d < 512; d *= 2) {
        stride >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < d) {
            int left = stride * (2 * tid + 1) - 1, right = stride * (2 * tid + 2) - 1;
            int t = s[left];
            s[left] = s[right];
            s[right] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore2(vload2(tid, s), tid, out + get_group_id(0) * 512);
}

/// Numerically safe softmax of each row, one work-group of 128 per row.
__kernel void softmax_rows(__global float *out, __global const float *in, int cols) {
    __local float s[128];
    __global const float *row = in + get_group_id(0) * cols;
    int tid = get_local_id(0);
    float top = -MAXFLOAT;
    for (int c = tid; c < cols; c += 128) top = fmax(top, row[c]);
    s[tid] = top;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int w = 64; w > 0; w /= 2) {
        if (tid < w) s[tid] = fmax(s[tid], s[tid + w]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    top = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int c = tid; c < cols; c += 128) sum += native_exp(row[c] - top);
    s[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int w = 64; w > 0; w /= 2) {
        if (tid < w) s[tid] += s[tid + w];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = 1.0f / s[0];
    for (int c = tid; c < cols; c += 128) out[get_group_id(0) * cols + c] = native_exp(row[c] - top) * scale;
}

/// 256 bins, counted in local memory first.
__kernel void histogram256(__global uint *bins, __global const uint *data, uint words) {
    __local uint counts[256];
    uint tid = get_local_id(0);
    counts[tid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < words; i += get_global_size(0)) {
        uint w = data[i];
#pragma unroll
        for (int byte = 0; byte < 4; byte++) atomic_inc(&counts[(w >> (8 * byte)) & 0xff]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[tid], counts[tid]);
}

/// One compare-and-exchange step of a bitonic sort.
__kernel void bitonic_step(__global float *v, int j, int k) {
    uint i = get_global_id(0);
    uint other = i ^ j;
    if (other <= i) return;
    bool ascending = (i & k) == 0;
    float a = v[i], b = v[other];
    if (ascending ? a > b : a < b) {
        v[i] = b;
        v[other] = a;
    }
}

// ------------------------------------------------------------------------------------------- stencils and convolutions

typedef struct {
    int nx, ny, nz;
} Grid;

int at(Grid g, int x, int y, int z) { return (z * g.ny + y) * g.nx + x; }

/// One Jacobi step on a plane, five points.
__kernel void stencil2d(__global float *out, __global const float *in, int nx, int ny, float alpha) {
    int x = get_global_id(0) + 1;
    int y = get_global_id(1) + 1;
    if (x >= nx - 1 || y >= ny - 1) return;
    int c = y * nx + x;
    out[c] = in[c] + alpha * (in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] - 4.0f * in[c]);
}

/// Seven points in space; each work-item walks along z and keeps the column in registers.
__kernel void stencil3d(__global float *restrict out, __global const float *restrict in, Grid g, float c0, float c1) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 1 || y < 1 || x >= g.nx - 1 || y >= g.ny - 1) return;
    float below = in[at(g, x, y, 0)], here = in[at(g, x, y, 1)];
    for (int z = 1; z < g.nz - 1; z++) {
        float above = in[at(g, x, y, z + 1)];
        float ring = in[at(g, x - 1, y, z)] + in[at(g, x + 1, y, z)] + in[at(g, x, y - 1, z)] + in[at(g, x, y + 1, z)];
        out[at(g, x, y, z)] = c1 * (ring + above + below) - c0 * here;
        below = here;
        here = above;
    }
}

#define RADIUS 3
#define SIDE (2 * RADIUS + 1)

/// 7 x 7 convolution with weights in constant memory; the image is clamped at its border.
__kernel void conv2d(__global float *out, __global const float *in, __constant float *weights, int width, int height) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
#pragma unroll
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
#pragma unroll
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int sx = clamp(x + dx, 0, width - 1);
            int sy = clamp(y + dy, 0, height - 1);
            sum += weights[(dy + RADIUS) * SIDE + dx + RADIUS] * in[sy * width + sx];
        }
    }
    out[y * width + x] = sum;
}

/// A filter of 32 taps over samples staged in local memory; work-groups of 256.
__kernel void fir32(__global float *out, __global const float *in, __constant float *taps, int n) {
    __local float window[256 + 31];
    int tid = get_local_id(0);
    int i = get_group_id(0) * 256 + tid;
    window[tid] = i < n ? in[i] : 0.0f;
    if (tid < 31) window[256 + tid] = i + 256 < n ? in[i + 256] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float acc = 0.0f;
    __attribute__((opencl_unroll_hint(8)))
    for (int t = 0; t < 32; t++) acc = mad(taps[t], window[tid + t], acc);
    if (i < n) out[i] = acc;
}

// --------------------------------------------------------------------------------------------------------- simulations

float3 body_force(float3 acc, float4 self, float4 other, float softening) {
    float3 d = other.xyz - self.xyz;
    float inv = native_rsqrt(dot(d, d) + softening);
    return acc + d * (other.w * inv * inv * inv);
}

/// All pairs, bodies staged through local memory in tiles of 128.
__kernel void nbody(__global float4 *accel, __global const float4 *bodies, int n, float softening) {
    __local float4 tile[128];
    int tid = get_local_id(0);
    int i = get_group_id(0) * 128 + tid;
    float4 self = bodies[i];
    float3 acc = (float3)(0.0f);
    for (int t = 0; t < n / 128; t++) {
        tile[tid] = bodies[t * 128 + tid];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
        for (int j = 0; j < 128; j++) acc = body_force(acc, self, tile[j], softening);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    accel[i] = (float4)(acc, 0.0f);
}

/// Iterations until each point of a grid escapes.
__kernel void mandelbrot(__global int *out, int width, int height, float2 origin, float step, int limit) {
    int px = get_global_id(0);
    int py = get_global_id(1);
    if (px >= width || py >= height) return;
    float2 c = origin + (float2)(px, py) * step, z = (float2)(0.0f);
    int i = 0;
    while (i < limit && dot(z, z) <= 4.0f) {
        z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
        i++;
    }
    out[py * width + px] = i;
}
