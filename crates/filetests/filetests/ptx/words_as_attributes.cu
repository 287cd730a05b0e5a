// test: ptx
// What a CUDA toolkit's headers, and clang's, make of the language's own words: all of it was host code, and there was no kernel.
#define __global__ __attribute__((global))
#define __device__ __attribute__((__device__))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
__constant__ float c[4];
__host__ __device__ float f(float x) { return x + c[1]; }
__global__ void __launch_bounds__(128, (2)) k(float *o) {
    __shared__ float s[128];
    s[threadIdx.x] = f(o[threadIdx.x]);
    __syncthreads();
    o[threadIdx.x] = s[127 - threadIdx.x];
}
// check: .const .align 4 .f32 c[4]
// check: .shared
// check: .entry _Z1kPf(
// check: .maxntid 128
// check: .minnctapersm 2
// check: ld.const.f32
// check: bar.sync
