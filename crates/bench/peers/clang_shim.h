// What clang needs to compile the benchmark's CUDA files for the device without CUDA's own headers
// (-nocudainc -nocudalib): qualifiers as attributes, the vector types, and the device functions that the files use,
// each as the one instruction that it is. Only for comparing compilers; unspool never reads it.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include <__clang_cuda_builtin_vars.h>

struct float3 {
    float x, y, z;
};
struct __attribute__((aligned(16))) float4 {
    float x, y, z, w;
};

#define SHIM static __device__ __forceinline__

SHIM float3 make_float3(float x, float y, float z) { return {x, y, z}; }
SHIM float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
SHIM int min(int a, int b) { return a < b ? a : b; }
SHIM int max(int a, int b) { return a > b ? a : b; }
SHIM float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
SHIM float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
SHIM float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
SHIM float __shfl_down_sync(unsigned mask, float v, unsigned delta) {
    return __nvvm_shfl_sync_down_f32(mask, v, delta, 31);
}
SHIM float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
SHIM unsigned atomicAdd(unsigned *p, unsigned v) { return __nvvm_atom_add_gen_i((int *)p, (int)v); }
