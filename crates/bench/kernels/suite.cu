// Sixteen kernels of the sort that real programs are made of: the large input of the benchmarks. It compiles with
// unspool, nvcc, NVRTC, and clang with `peers/clang_shim.h` in front.

#define TILE 16
#define WARP 32
#define FULL_MASK 0xffffffffu

// ---------------------------------------------------------------------------------------------- dense linear algebra

/// C = A * B for square matrices whose size is a multiple of TILE; one element per thread, tiles in shared memory.
__global__ void matmul_tiled(float *C, const float *A, const float *B, int n) {
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; t++) {
        a[threadIdx.y][threadIdx.x] = A[row * n + t * TILE + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        }
        __syncthreads();
    }
    C[row * n + col] = sum;
}

/// C = A * B with tiles of 64 x 64 and 4 x 4 elements per thread in registers; blocks of 16 x 16 threads.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__(256) matmul_blocked(float *__restrict__ C, const float *__restrict__ A,
                                                      const float *__restrict__ B, int m, int n, int k) {
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];
    const int tid = threadIdx.x;
    const int tx = tid % (BN / TN), ty = tid / (BN / TN);
    const int rowBase = blockIdx.y * BM, colBase = blockIdx.x * BN;
    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < k; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            As[i % BK][i / BK] = A[(rowBase + i / BK) * k + k0 + i % BK];
        }
        for (int i = tid; i < BK * BN; i += 256) {
            Bs[i / BN][i % BN] = B[(k0 + i / BN) * n + colBase + i % BN];
        }
        __syncthreads();
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
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; i++) {
#pragma unroll
        for (int j = 0; j < TN; j++) {
            C[(rowBase + ty * TM + i) * n + colBase + tx * TN + j] = acc[i][j];
        }
    }
}
template __global__ void matmul_blocked<64, 64, 8, 4, 4>(float *, const float *, const float *, int, int, int);

/// out = transpose of in; the padding column keeps the banks of shared memory apart.
__global__ void transpose(float *out, const float *in, int width, int height) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

/// y = A * x for a sparse matrix in CSR form, one row per thread.
__global__ void spmv_csr(float *y, const int *rowPtr, const int *colIdx, const float *val, const float *x, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int j = rowPtr[row]; j < rowPtr[row + 1]; j++) sum += val[j] * x[colIdx[j]];
    y[row] = sum;
}

// ------------------------------------------------------------------------------------------------ reductions and scans

template <typename T> __device__ __forceinline__ T warp_sum(T v) {
#pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2) v += __shfl_down_sync(FULL_MASK, v, offset);
    return v;
}

/// One partial sum per block, by a tree in shared memory.
__global__ void reduce_shared(float *out, const float *in, unsigned n) {
    __shared__ float s[256];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * 512 + tid;
    s[tid] = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
    __syncthreads();
    for (unsigned width = blockDim.x / 2; width > 0; width >>= 1) {
        if (tid < width) s[tid] += s[tid + width];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = s[0];
}

/// One partial sum per block, by shuffles within warps, over a grid-stride loop.
__global__ void reduce_warp(float *out, const float *in, int n) {
    __shared__ float partial[WARP];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sum = warp_sum(sum);
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / WARP ? partial[lane] : 0.0f;
        sum = warp_sum(sum);
        if (lane == 0) atomicAdd(out, sum);
    }
}

/// Exclusive scan of 512 elements per block, up and down a balanced tree.
__global__ void scan_block(int *out, int *sums, const int *in) {
    __shared__ int s[512];
    int tid = threadIdx.x;
    const int *src = in + blockIdx.x * 512;
    s[2 * tid] = src[2 * tid];
    s[2 * tid + 1] = src[2 * tid + 1];
    int stride = 1;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) s[stride * (2 * tid + 2) - 1] += s[stride * (2 * tid + 1) - 1];
        stride *= 2;
    }
    if (tid == 0) {
        sums[blockIdx.x] = s[511];
        s[511] = 0;
    }
    for (int d = 1; d < 512; d *= 2) {
        stride >>= 1;
        __syncthreads();
        if (tid < d) {
            int left = stride * (2 * tid + 1) - 1, right = stride * (2 * tid + 2) - 1;
            int t = s[left];
            s[left] = s[right];
            s[right] += t;
        }
    }
    __syncthreads();
    out[blockIdx.x * 512 + 2 * tid] = s[2 * tid];
    out[blockIdx.x * 512 + 2 * tid + 1] = s[2 * tid + 1];
}

/// Numerically safe softmax of each row, one block of 128 threads per row.
__global__ void softmax_rows(float *out, const float *in, int cols) {
    __shared__ float s[128];
    const float *row = in + blockIdx.x * cols;
    int tid = threadIdx.x;
    float top = -3.402823466e+38f;
    for (int c = tid; c < cols; c += 128) top = fmaxf(top, row[c]);
    s[tid] = top;
    __syncthreads();
    for (int w = 64; w > 0; w /= 2) {
        if (tid < w) s[tid] = fmaxf(s[tid], s[tid + w]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0.0f;
    for (int c = tid; c < cols; c += 128) sum += __expf(row[c] - top);
    s[tid] = sum;
    __syncthreads();
    for (int w = 64; w > 0; w /= 2) {
        if (tid < w) s[tid] += s[tid + w];
        __syncthreads();
    }
    float scale = 1.0f / s[0];
    for (int c = tid; c < cols; c += 128) out[blockIdx.x * cols + c] = __expf(row[c] - top) * scale;
}

/// 256 bins, counted in shared memory first.
__global__ void histogram256(unsigned *bins, const unsigned *data, unsigned words) {
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += blockDim.x * gridDim.x) {
        unsigned w = data[i];
#pragma unroll
        for (int byte = 0; byte < 4; byte++) atomicAdd(&local[(w >> (8 * byte)) & 0xff], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

/// One compare-and-exchange step of a bitonic sort.
__global__ void bitonic_step(float *v, int j, int k) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned other = i ^ j;
    if (other <= i) return;
    bool ascending = (i & k) == 0;
    float a = v[i], b = v[other];
    if (ascending ? a > b : a < b) {
        v[i] = b;
        v[other] = a;
    }
}

// ------------------------------------------------------------------------------------------- stencils and convolutions

struct Grid {
    int nx, ny, nz;
    __device__ int at(int x, int y, int z) const { return (z * ny + y) * nx + x; }
};

/// One Jacobi step on a plane, five points.
__global__ void stencil2d(float *out, const float *in, int nx, int ny, float alpha) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1) return;
    int c = y * nx + x;
    out[c] = in[c] + alpha * (in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] - 4.0f * in[c]);
}

/// Seven points in space; each thread walks along z and keeps the column in registers.
__global__ void stencil3d(float *__restrict__ out, const float *__restrict__ in, Grid g, float c0, float c1) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= g.nx - 1 || y >= g.ny - 1) return;
    float below = in[g.at(x, y, 0)], here = in[g.at(x, y, 1)];
    for (int z = 1; z < g.nz - 1; z++) {
        float above = in[g.at(x, y, z + 1)];
        float ring = in[g.at(x - 1, y, z)] + in[g.at(x + 1, y, z)] + in[g.at(x, y - 1, z)] + in[g.at(x, y + 1, z)];
        out[g.at(x, y, z)] = c1 * (ring + above + below) - c0 * here;
        below = here;
        here = above;
    }
}

#define RADIUS 3
#define SIDE (2 * RADIUS + 1)
__constant__ float weights[SIDE][SIDE];

/// 7 x 7 convolution with weights in constant memory; the image is clamped at its border.
__global__ void conv2d(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
#pragma unroll
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
#pragma unroll
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int sx = min(max(x + dx, 0), width - 1);
            int sy = min(max(y + dy, 0), height - 1);
            sum += weights[dy + RADIUS][dx + RADIUS] * in[sy * width + sx];
        }
    }
    out[y * width + x] = sum;
}

/// A filter of 32 taps over samples staged in shared memory; blocks of 256 threads.
__global__ void fir32(float *out, const float *in, const float *taps, int n) {
    __shared__ float window[256 + 31];
    int i = blockIdx.x * 256 + threadIdx.x;
    window[threadIdx.x] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < 31) window[256 + threadIdx.x] = i + 256 < n ? in[i + 256] : 0.0f;
    __syncthreads();
    float acc = 0.0f;
#pragma unroll 8
    for (int t = 0; t < 32; t++) acc = taps[t] * window[threadIdx.x + t] + acc;
    if (i < n) out[i] = acc;
}

// --------------------------------------------------------------------------------------------------------- simulations

__device__ float3 body_force(float3 acc, float4 self, float4 other, float softening) {
    float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
    float s = other.w * inv * inv * inv;
    acc.x += dx * s;
    acc.y += dy * s;
    acc.z += dz * s;
    return acc;
}

/// All pairs, bodies staged through shared memory in tiles of 128.
__global__ void nbody(float4 *accel, const float4 *bodies, int n, float softening) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 self = bodies[i];
    float3 acc = make_float3(0.0f, 0.0f, 0.0f);
    for (int t = 0; t < n / 128; t++) {
        tile[threadIdx.x] = bodies[t * 128 + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < 128; j++) acc = body_force(acc, self, tile[j], softening);
        __syncthreads();
    }
    accel[i] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}

/// Iterations until each point of a grid escapes.
__global__ void mandelbrot(int *out, int width, int height, float x0, float y0, float step, int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float cx = x0 + px * step, cy = y0 + py * step, x = 0.0f, y = 0.0f;
    int i = 0;
    while (i < limit && x * x + y * y <= 4.0f) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        i++;
    }
    out[py * width + px] = i;
}
