/* Floating-point numbers of eight bits and fewer: written for unspool. Conversions round to nearest, ties to even. */
#define __CUDA_FP8_TYPES_EXIST__
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* A number's magnitude in a format of `bits` behind the point and exponents from `bias`, which may be larger than the
   format has room for. */
__host__ __device__ inline unsigned __nv_small_nearest(float x, int bits, int bias) {
    unsigned u = __float_as_uint(x) & 0x7fffffffu;
    if (u < (unsigned)(128 - bias) << 23) return (unsigned)rintf(__uint_as_float(u) * __uint_as_float((unsigned)(126 + bias + bits) << 23));
    return (u + ((1u << (22 - bits)) - 1) + (u >> (23 - bits) & 1) >> (23 - bits)) - ((unsigned)(127 - bias) << bits);
}
/* The number with these bits, of which none stand for infinity. */
__host__ __device__ inline float __nv_small_value(unsigned magnitude, int bits, int bias) {
    return __uint_as_float(magnitude << (23 - bits)) * __uint_as_float((unsigned)(254 - bias) << 23);
}
/* Rounded to odd, so that rounding once more gives what rounding at once would. */
__host__ __device__ inline float __nv_small_odd(double x) {
    float r = __double2float_rz(x);
    return (double)r == x || x != x ? r : __uint_as_float(__float_as_uint(r) | 1);
}

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (saturate == __NV_SATFINITE) {
        unsigned short both;
        if (format == __NV_E4M3) asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(both) : "f"(0.0f), "f"(x));
        else asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(both) : "f"(0.0f), "f"(x));
        return (__nv_fp8_storage_t)both;
    }
#endif
    const bool four = format == __NV_E4M3;
    unsigned bits = __float_as_uint(x), most = four ? 0x7e : 0x7b;
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7f;
    unsigned r = four ? __nv_small_nearest(x, 3, 7) : __nv_small_nearest(x, 2, 15);
    if (r > most) r = saturate == __NV_SATFINITE ? most : four ? 0x7f : 0x7c;
    return (__nv_fp8_storage_t)(r | (bits >> 24 & 0x80));
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
    if (x != x && format == __NV_E5M2) return (__nv_fp8_storage_t)(0x7e | (unsigned long long)__double_as_longlong(x) >> 50 & 3);
    return __nv_cvt_float_to_fp8(__nv_small_odd(x), saturate, format);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(__half2float(x.operator __half()), saturate, format);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(__bfloat162float(x.operator __nv_bfloat16()), saturate, format);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (saturate == __NV_SATFINITE) {
        unsigned short both;
        if (format == __NV_E4M3) asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(both) : "f"(x.y), "f"(x.x));
        else asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(both) : "f"(x.y), "f"(x.x));
        return both;
    }
#endif
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, saturate, format) | __nv_cvt_float_to_fp8(x.y, saturate, format) << 8);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, saturate, format) | __nv_cvt_double_to_fp8(x.y, saturate, format) << 8);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(x.operator __half2()), saturate, format);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(x.operator __nv_bfloat162()), saturate, format);
}

__host__ __device__ inline float __nv_fp8_value(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t format) {
    unsigned magnitude = x & 0x7f, bits;
    if (format == __NV_E4M3) bits = magnitude == 0x7f ? 0x7fffffffu : __float_as_uint(__nv_small_value(magnitude, 3, 7));
    else bits = magnitude > 0x7c ? 0x7fffffffu : magnitude == 0x7c ? 0x7f800000u : __float_as_uint(__nv_small_value(magnitude, 2, 15));
    return __uint_as_float(bits > 0x7f800000u ? bits : bits | (x & 0x80u) << 24);
}
__host__ __device__ inline __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t format) {
    return __half_raw(__float2half(__nv_fp8_value(x, format)));
}
__host__ __device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t format) {
    return __half2_raw(__floats2half2_rn(__nv_fp8_value((__nv_fp8_storage_t)x, format), __nv_fp8_value((__nv_fp8_storage_t)(x >> 8), format)));
}
__host__ __device__ inline __nv_bfloat16_raw __nv_cvt_fp8_to_bf16raw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t format) {
    return __nv_bfloat16_raw(__float2bfloat16(__nv_fp8_value(x, format)));
}
__host__ __device__ inline __nv_bfloat162_raw __nv_cvt_fp8x2_to_bf162raw(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t format) {
    return __nv_bfloat162_raw(__floats2bfloat162_rn(__nv_fp8_value((__nv_fp8_storage_t)x, format), __nv_fp8_value((__nv_fp8_storage_t)(x >> 8), format)));
}

#define __nv_fp8_types(e, format)                                                                                      \
    struct __nv_fp8_##e {                                                                                              \
        __nv_fp8_storage_t __x;                                                                                        \
        __nv_fp8_##e() = default;                                                                                      \
        __host__ __device__ explicit __nv_fp8_##e(const __half v) : __x(__nv_cvt_float_to_fp8(__half2float(v), __NV_SATFINITE, format)) {} \
        __host__ __device__ explicit __nv_fp8_##e(const __nv_bfloat16 v) : __x(__nv_cvt_float_to_fp8(__bfloat162float(v), __NV_SATFINITE, format)) {} \
        __host__ __device__ explicit __nv_fp8_##e(const float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, format)) {} \
        __host__ __device__ explicit __nv_fp8_##e(const double v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, format)) {} \
        __host__ __device__ explicit __nv_fp8_##e(const unsigned short v) : __nv_fp8_##e((float)v) {}                   \
        __host__ __device__ explicit __nv_fp8_##e(const short v) : __nv_fp8_##e((float)v) {}                            \
        __host__ __device__ explicit __nv_fp8_##e(const unsigned v) : __nv_fp8_##e((double)v) {}                        \
        __host__ __device__ explicit __nv_fp8_##e(const int v) : __nv_fp8_##e((double)v) {}                             \
        __host__ __device__ explicit __nv_fp8_##e(const unsigned long v) : __nv_fp8_##e((double)v) {}                   \
        __host__ __device__ explicit __nv_fp8_##e(const long v) : __nv_fp8_##e((double)v) {}                            \
        __host__ __device__ explicit __nv_fp8_##e(const unsigned long long v) : __nv_fp8_##e((double)v) {}              \
        __host__ __device__ explicit __nv_fp8_##e(const long long v) : __nv_fp8_##e((double)v) {}                       \
        __host__ __device__ explicit operator float() const { return __nv_fp8_value(__x, format); }                    \
        __host__ __device__ explicit operator double() const { return (double)__nv_fp8_value(__x, format); }           \
        __host__ __device__ explicit operator __half() const { return __float2half(__nv_fp8_value(__x, format)); }     \
        __host__ __device__ explicit operator __nv_bfloat16() const { return __float2bfloat16(__nv_fp8_value(__x, format)); } \
        __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }                               \
        __host__ __device__ explicit operator int() const { return __float2int_rz(__nv_fp8_value(__x, format)); }      \
        __host__ __device__ explicit operator unsigned() const { return __float2uint_rz(__nv_fp8_value(__x, format)); } \
        __host__ __device__ explicit operator unsigned long() const { return (unsigned long)__float2ull_rz(__nv_fp8_value(__x, format)); }\
        __host__ __device__ explicit operator unsigned long long() const { return __float2ull_rz(__nv_fp8_value(__x, format)); }\
        __host__ __device__ explicit operator unsigned short() const { return (unsigned short)max(0, min(65535, (int)*this)); }\
        __host__ __device__ explicit operator long() const { return (long)__float2ll_rz(__nv_fp8_value(__x, format)); } \
        __host__ __device__ explicit operator long long() const { return __float2ll_rz(__nv_fp8_value(__x, format)); } \
        __host__ __device__ explicit operator short() const { return (short)max(-32768, min(32767, (int)*this)); }      \
        __host__ __device__ explicit operator signed char() const { return (signed char)max(-128, min(127, (int)*this)); } \
        __host__ __device__ explicit operator char() const { return (char)(signed char)*this; }                        \
        __host__ __device__ explicit operator unsigned char() const { return (unsigned char)max(0, min(255, (int)*this)); } \
    };                                                                                                                 \
    struct __nv_fp8x2_##e {                                                                                            \
        __nv_fp8x2_storage_t __x;                                                                                      \
        __nv_fp8x2_##e() = default;                                                                                    \
        __host__ __device__ explicit __nv_fp8x2_##e(const float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, format)) {} \
        __host__ __device__ explicit __nv_fp8x2_##e(const double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, format)) {} \
        __host__ __device__ explicit __nv_fp8x2_##e(const __half2 v) : __x(__nv_cvt_float2_to_fp8x2(__half22float2(v), __NV_SATFINITE, format)) {} \
        __host__ __device__ explicit __nv_fp8x2_##e(const __nv_bfloat162 v) : __x(__nv_cvt_float2_to_fp8x2(__bfloat1622float2(v), __NV_SATFINITE, format)) {} \
        __host__ __device__ explicit operator float2() const {                                                         \
            return make_float2(__nv_fp8_value((__nv_fp8_storage_t)__x, format), __nv_fp8_value((__nv_fp8_storage_t)(__x >> 8), format)); \
        }                                                                                                              \
        __host__ __device__ explicit operator __half2() const {                                                        \
            float2 v = operator float2();                                                                                  \
            return __floats2half2_rn(v.x, v.y);                                                                        \
        }                                                                                                              \
    };                                                                                                                 \
    struct __nv_fp8x4_##e {                                                                                            \
        __nv_fp8x4_storage_t __x;                                                                                      \
        __nv_fp8x4_##e() = default;                                                                                    \
        __host__ __device__ explicit __nv_fp8x4_##e(const float4 v)                                                    \
            : __x(__nv_cvt_float2_to_fp8x2(make_float2(v.x, v.y), __NV_SATFINITE, format) | (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(v.z, v.w), __NV_SATFINITE, format) << 16) {} \
        __host__ __device__ explicit __nv_fp8x4_##e(const double4 v)                                                   \
            : __x(__nv_cvt_double2_to_fp8x2(make_double2(v.x, v.y), __NV_SATFINITE, format) | (unsigned)__nv_cvt_double2_to_fp8x2(make_double2(v.z, v.w), __NV_SATFINITE, format) << 16) {} \
        __host__ __device__ explicit __nv_fp8x4_##e(const __half2 lo, const __half2 hi) : __x(__nv_fp8x2_##e(lo).__x | (unsigned)__nv_fp8x2_##e(hi).__x << 16) {} \
        __host__ __device__ explicit __nv_fp8x4_##e(const __nv_bfloat162 lo, const __nv_bfloat162 hi) : __x(__nv_fp8x2_##e(lo).__x | (unsigned)__nv_fp8x2_##e(hi).__x << 16) {} \
        __host__ __device__ explicit operator float4() const {                                                         \
            return make_float4(__nv_fp8_value((__nv_fp8_storage_t)__x, format), __nv_fp8_value((__nv_fp8_storage_t)(__x >> 8), format), \
                               __nv_fp8_value((__nv_fp8_storage_t)(__x >> 16), format), __nv_fp8_value((__nv_fp8_storage_t)(__x >> 24), format)); \
        }                                                                                                              \
    };
__nv_fp8_types(e4m3, __NV_E4M3)
__nv_fp8_types(e5m2, __NV_E5M2)
#undef __nv_fp8_types
