/* Pairs of floats (sm_100 has instructions for them): written for unspool. */
__device__ __forceinline__ float2 __fadd2_rn(float2 a, float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("add.rn.f32x2 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fadd_rn(a.x, b.x), __fadd_rn(a.y, b.y));
#endif
}
__device__ __forceinline__ float2 __fmul2_rn(float2 a, float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("mul.rn.f32x2 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fmul_rn(a.x, b.x), __fmul_rn(a.y, b.y));
#endif
}
__device__ __forceinline__ float2 __ffma2_rn(float2 a, float2 b, float2 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("fma.rn.f32x2 %0, %1, %2, %3;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)), "l"((unsigned long long)__float_as_uint(c.y) << 32 | __float_as_uint(c.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fmaf_rn(a.x, b.x, c.x), __fmaf_rn(a.y, b.y, c.y));
#endif
}
__device__ __forceinline__ float2 __fadd2_rz(float2 a, float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("add.rz.f32x2 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fadd_rz(a.x, b.x), __fadd_rz(a.y, b.y));
#endif
}
__device__ __forceinline__ float2 __fmul2_rz(float2 a, float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("mul.rz.f32x2 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fmul_rz(a.x, b.x), __fmul_rz(a.y, b.y));
#endif
}
__device__ __forceinline__ float2 __ffma2_rz(float2 a, float2 b, float2 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("fma.rz.f32x2 %0, %1, %2, %3;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)), "l"((unsigned long long)__float_as_uint(c.y) << 32 | __float_as_uint(c.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fmaf_rz(a.x, b.x, c.x), __fmaf_rz(a.y, b.y, c.y));
#endif
}
__device__ __forceinline__ float2 __fadd2_rd(float2 a, float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("add.rm.f32x2 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fadd_rd(a.x, b.x), __fadd_rd(a.y, b.y));
#endif
}
__device__ __forceinline__ float2 __fmul2_rd(float2 a, float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("mul.rm.f32x2 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fmul_rd(a.x, b.x), __fmul_rd(a.y, b.y));
#endif
}
__device__ __forceinline__ float2 __ffma2_rd(float2 a, float2 b, float2 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("fma.rm.f32x2 %0, %1, %2, %3;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)), "l"((unsigned long long)__float_as_uint(c.y) << 32 | __float_as_uint(c.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fmaf_rd(a.x, b.x, c.x), __fmaf_rd(a.y, b.y, c.y));
#endif
}
__device__ __forceinline__ float2 __fadd2_ru(float2 a, float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("add.rp.f32x2 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fadd_ru(a.x, b.x), __fadd_ru(a.y, b.y));
#endif
}
__device__ __forceinline__ float2 __fmul2_ru(float2 a, float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("mul.rp.f32x2 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fmul_ru(a.x, b.x), __fmul_ru(a.y, b.y));
#endif
}
__device__ __forceinline__ float2 __ffma2_ru(float2 a, float2 b, float2 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    unsigned long long r;
    asm("fma.rp.f32x2 %0, %1, %2, %3;" : "=l"(r) : "l"((unsigned long long)__float_as_uint(a.y) << 32 | __float_as_uint(a.x)), "l"((unsigned long long)__float_as_uint(b.y) << 32 | __float_as_uint(b.x)), "l"((unsigned long long)__float_as_uint(c.y) << 32 | __float_as_uint(c.x)));
    return make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)));
#else
    return make_float2(__fmaf_ru(a.x, b.x, c.x), __fmaf_ru(a.y, b.y, c.y));
#endif
}
