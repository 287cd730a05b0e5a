/* Pairs of floats (sm_100 has instructions for them): written for unspool. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define __unspool_bits(v) "l"((unsigned long long)__float_as_uint(v.y) << 32 | __float_as_uint(v.x))
#define __unspool_pair(r) make_float2(__uint_as_float((unsigned)r), __uint_as_float((unsigned)(r >> 32)))
#define __unspool_pairs(suffix, round)                                                                                 \
    __device__ __forceinline__ float2 __fadd2_##suffix(float2 a, float2 b) {                                           \
        unsigned long long r;                                                                                          \
        asm("add." round ".f32x2 %0, %1, %2;" : "=l"(r) : __unspool_bits(a), __unspool_bits(b));                       \
        return __unspool_pair(r);                                                                                      \
    }                                                                                                                  \
    __device__ __forceinline__ float2 __fmul2_##suffix(float2 a, float2 b) {                                           \
        unsigned long long r;                                                                                          \
        asm("mul." round ".f32x2 %0, %1, %2;" : "=l"(r) : __unspool_bits(a), __unspool_bits(b));                       \
        return __unspool_pair(r);                                                                                      \
    }                                                                                                                  \
    __device__ __forceinline__ float2 __ffma2_##suffix(float2 a, float2 b, float2 c) {                                 \
        unsigned long long r;                                                                                          \
        asm("fma." round ".f32x2 %0, %1, %2, %3;" : "=l"(r) : __unspool_bits(a), __unspool_bits(b), __unspool_bits(c)); \
        return __unspool_pair(r);                                                                                      \
    }
#else
#define __unspool_pairs(suffix, round)                                                                                 \
    __device__ __forceinline__ float2 __fadd2_##suffix(float2 a, float2 b) {                                           \
        return make_float2(__fadd_##suffix(a.x, b.x), __fadd_##suffix(a.y, b.y));                                      \
    }                                                                                                                  \
    __device__ __forceinline__ float2 __fmul2_##suffix(float2 a, float2 b) {                                           \
        return make_float2(__fmul_##suffix(a.x, b.x), __fmul_##suffix(a.y, b.y));                                      \
    }                                                                                                                  \
    __device__ __forceinline__ float2 __ffma2_##suffix(float2 a, float2 b, float2 c) {                                 \
        return make_float2(__fmaf_##suffix(a.x, b.x, c.x), __fmaf_##suffix(a.y, b.y, c.y));                            \
    }
#endif
__unspool_pairs(rn, "rn")
__unspool_pairs(rz, "rz")
__unspool_pairs(rd, "rm")
__unspool_pairs(ru, "rp")
