/* Floating-point numbers of six and four bits, and powers of two in eight: written for unspool. There are no infinities:
   what is too large becomes the largest number, and so does NaN where there is none. Roundings are numbered as in
   cudaRoundMode: to nearest (ties to even), to zero, up, down. */
#define __CUDA_FP6_TYPES_EXIST__
#define __CUDA_FP4_TYPES_EXIST__
typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

/* The code of a number with `bits` behind the point, `all` bits without the sign. */
__host__ __device__ inline unsigned __nv_tiny_code(float x, int bits, int bias, int all, int rounding) {
    unsigned u = __float_as_uint(x), most = (1u << all) - 1;
    if ((u & 0x7fffffffu) > 0x7f800000u) return most;
    unsigned r = __nv_small_nearest(x, bits, bias);
    float a = fabsf(x);
    const bool away = rounding == 2 && x > 0.0f || rounding == 3 && x < 0.0f;
    if (rounding != 0 && r <= most) {
        float v = __nv_small_value(r, bits, bias);
        if (away && v < a) r++;
        if (!away && v > a) r--;
    }
    return (r > most ? most : r) | u >> 31 << all;
}
__host__ __device__ inline float __nv_tiny_value(unsigned code, int bits, int bias, int all) {
    return __uint_as_float(__float_as_uint(__nv_small_value(code & ((1u << all) - 1), bits, bias)) | (code >> all & 1) << 31);
}
__host__ __device__ inline __nv_fp6_storage_t __nv_cvt_float_to_fp6(const float x, const __nv_fp6_interpretation_t format, const int rounding) {
    return (__nv_fp6_storage_t)(format == __NV_E3M2 ? __nv_tiny_code(x, 2, 3, 5, rounding) : __nv_tiny_code(x, 3, 1, 5, rounding));
}
__host__ __device__ inline __nv_fp6_storage_t __nv_cvt_double_to_fp6(const double x, const __nv_fp6_interpretation_t format, const int rounding) {
    return __nv_cvt_float_to_fp6(__nv_small_odd(x), format, rounding);
}
__host__ __device__ inline __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(const __half_raw x, const __nv_fp6_interpretation_t format, const int rounding) {
    return __nv_cvt_float_to_fp6(__half2float(x.operator __half()), format, rounding);
}
__host__ __device__ inline __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(const __nv_bfloat16_raw x, const __nv_fp6_interpretation_t format, const int rounding) {
    return __nv_cvt_float_to_fp6(__bfloat162float(x.operator __nv_bfloat16()), format, rounding);
}
__host__ __device__ inline float __nv_fp6_value(unsigned code, const __nv_fp6_interpretation_t format) {
    return format == __NV_E3M2 ? __nv_tiny_value(code, 2, 3, 5) : __nv_tiny_value(code, 3, 1, 5);
}
__host__ __device__ inline __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t format) {
    return __half_raw(__float2half(__nv_fp6_value(x, format)));
}
__host__ __device__ inline __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x, const __nv_fp6_interpretation_t format) {
    return __half2_raw(__floats2half2_rn(__nv_fp6_value((__nv_fp6_storage_t)x, format), __nv_fp6_value((__nv_fp6_storage_t)(x >> 8), format)));
}
__host__ __device__ inline __nv_bfloat16_raw __nv_cvt_fp6_to_bf16raw(const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t format) {
    return __nv_bfloat16_raw(__float2bfloat16(__nv_fp6_value(x, format)));
}
__host__ __device__ inline __nv_bfloat162_raw __nv_cvt_fp6x2_to_bf162raw(const __nv_fp6x2_storage_t x, const __nv_fp6_interpretation_t format) {
    return __nv_bfloat162_raw(__floats2bfloat162_rn(__nv_fp6_value((__nv_fp6_storage_t)x, format), __nv_fp6_value((__nv_fp6_storage_t)(x >> 8), format)));
}
__host__ __device__ inline __nv_fp4_storage_t __nv_cvt_float_to_fp4(const float x, const __nv_fp4_interpretation_t, const int rounding) {
    return (__nv_fp4_storage_t)__nv_tiny_code(x, 1, 1, 3, rounding);
}
__host__ __device__ inline __nv_fp4_storage_t __nv_cvt_double_to_fp4(const double x, const __nv_fp4_interpretation_t format, const int rounding) {
    return __nv_cvt_float_to_fp4(__nv_small_odd(x), format, rounding);
}
__host__ __device__ inline __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(const __half_raw x, const __nv_fp4_interpretation_t format, const int rounding) {
    return __nv_cvt_float_to_fp4(__half2float(x.operator __half()), format, rounding);
}
__host__ __device__ inline __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(const __nv_bfloat16_raw x, const __nv_fp4_interpretation_t format, const int rounding) {
    return __nv_cvt_float_to_fp4(__bfloat162float(x.operator __nv_bfloat16()), format, rounding);
}
__host__ __device__ inline float __nv_fp4_value(unsigned code, const __nv_fp4_interpretation_t) { return __nv_tiny_value(code, 1, 1, 3); }
__host__ __device__ inline __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x, const __nv_fp4_interpretation_t format) {
    return __half_raw(__float2half(__nv_fp4_value(x, format)));
}
__host__ __device__ inline __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x, const __nv_fp4_interpretation_t format) {
    return __half2_raw(__floats2half2_rn(__nv_fp4_value((__nv_fp4_storage_t)x, format), __nv_fp4_value((__nv_fp4_storage_t)(x >> 4), format)));
}
__host__ __device__ inline __nv_bfloat16_raw __nv_cvt_fp4_to_bf16raw(const __nv_fp4_storage_t x, const __nv_fp4_interpretation_t format) {
    return __nv_bfloat16_raw(__float2bfloat16(__nv_fp4_value(x, format)));
}
__host__ __device__ inline __nv_bfloat162_raw __nv_cvt_fp4x2_to_bf162raw(const __nv_fp4x2_storage_t x, const __nv_fp4_interpretation_t format) {
    return __nv_bfloat162_raw(__floats2bfloat162_rn(__nv_fp4_value((__nv_fp4_storage_t)x, format), __nv_fp4_value((__nv_fp4_storage_t)(x >> 4), format)));
}

/* Powers of two: exponents alone, of the number's magnitude. */
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x, const __nv_saturation_t saturate, const int rounding) {
    unsigned u = __float_as_uint(x) & 0x7fffffffu, most = saturate == __NV_SATFINITE ? 0xfe : 0xff;
    if (u > 0x7f800000u) return 0xff;
    unsigned e = u >> 23, rest = u & 0x7fffffu;
    /* A subnormal lies above the least power of two if its first bit is set and another one. */
    const bool above = e ? rest != 0 : rest > 0x400000u;
    const bool half = e ? rest >= 0x400000u : rest > 0x600000u;
    if (rounding == 2 ? above : rounding == 0 && half) e++;
    return (__nv_fp8_storage_t)(e < most ? e : most);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x, const __nv_saturation_t saturate, const int rounding) {
    return __nv_cvt_float_to_e8m0(__nv_small_odd(x), saturate, rounding);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x, const __nv_saturation_t saturate, const int rounding) {
    return __nv_cvt_float_to_e8m0(__bfloat162float(x.operator __nv_bfloat16()), saturate, rounding);
}
__host__ __device__ inline float __nv_e8m0_value(unsigned code) {
    return __uint_as_float(code == 0xff ? 0x7fffffffu : code ? code << 23 : 0x400000u);
}
__host__ __device__ inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
    return __nv_bfloat16_raw(__float2bfloat16(__nv_e8m0_value(x)));
}
__host__ __device__ inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
    return __nv_bfloat162_raw(__floats2bfloat162_rn(__nv_e8m0_value(x & 0xff), __nv_e8m0_value(x >> 8)));
}

/* Two numbers at once, the first in the lower bits. */
#define __nv_tiny_words(word, t, x2, format_t, width, half_raw)                                                        \
    __host__ __device__ inline word __nv_cvt_float2_to_##x2(const float2 x, const format_t format, const int rounding) { \
        return (word)(__nv_cvt_float_to_##t(x.x, format, rounding) | (unsigned)__nv_cvt_float_to_##t(x.y, format, rounding) << width); \
    }                                                                                                                  \
    __host__ __device__ inline word __nv_cvt_double2_to_##x2(const double2 x, const format_t format, const int rounding) { \
        return (word)(__nv_cvt_double_to_##t(x.x, format, rounding) | (unsigned)__nv_cvt_double_to_##t(x.y, format, rounding) << width); \
    }                                                                                                                  \
    half_raw(word, x2, format_t)
#define __nv_tiny_half_words(word, x2, format_t)                                                                       \
    __host__ __device__ inline word __nv_cvt_halfraw2_to_##x2(const __half2_raw x, const format_t format, const int rounding) { \
        return __nv_cvt_float2_to_##x2(__half22float2(x.operator __half2()), format, rounding);                        \
    }                                                                                                                  \
    __host__ __device__ inline word __nv_cvt_bfloat16raw2_to_##x2(const __nv_bfloat162_raw x, const format_t format, const int rounding) { \
        return __nv_cvt_float2_to_##x2(__bfloat1622float2(x.operator __nv_bfloat162()), format, rounding);             \
    }
#define __nv_power_words(word, x2, format_t)                                                                           \
    __host__ __device__ inline word __nv_cvt_bfloat162raw_to_##x2(const __nv_bfloat162_raw x, const format_t format, const int rounding) { \
        return __nv_cvt_float2_to_##x2(__bfloat1622float2(x.operator __nv_bfloat162()), format, rounding);             \
    }
__nv_tiny_words(__nv_fp6x2_storage_t, fp6, fp6x2, __nv_fp6_interpretation_t, 8, __nv_tiny_half_words)
__nv_tiny_words(__nv_fp4x2_storage_t, fp4, fp4x2, __nv_fp4_interpretation_t, 4, __nv_tiny_half_words)
__nv_tiny_words(__nv_fp8x2_storage_t, e8m0, e8m0x2, __nv_saturation_t, 8, __nv_power_words)
#undef __nv_tiny_words
#undef __nv_tiny_half_words
#undef __nv_power_words

/* A type `t` with numbers made by `from(float)` and `from_double(double)`, and their value. */
#define __nv_tiny_type(t, from, from_double, value)                                                                    \
    struct t {                                                                                                         \
        unsigned char __x;                                                                                             \
        t() = default;                                                                                                 \
        __host__ __device__ explicit t(const float v) : __x(from(v)) {}                                                \
        __host__ __device__ explicit t(const double v) : __x(from_double(v)) {}                                        \
        __host__ __device__ explicit t(const __half v) : t(__half2float(v)) {}                                         \
        __host__ __device__ explicit t(const __nv_bfloat16 v) : t(__bfloat162float(v)) {}                              \
        __host__ __device__ explicit t(const unsigned short v) : t((float)v) {}                                        \
        __host__ __device__ explicit t(const short v) : t((float)v) {}                                                 \
        __host__ __device__ explicit t(const unsigned v) : t((double)v) {}                                             \
        __host__ __device__ explicit t(const int v) : t((double)v) {}                                                  \
        __host__ __device__ explicit t(const unsigned long v) : t((double)v) {}                                        \
        __host__ __device__ explicit t(const long v) : t((double)v) {}                                                 \
        __host__ __device__ explicit t(const unsigned long long v) : t((double)v) {}                                   \
        __host__ __device__ explicit t(const long long v) : t((double)v) {}                                            \
        __host__ __device__ explicit operator float() const { return value(__x); }                                     \
        __host__ __device__ explicit operator double() const { return (double)value(__x); }                            \
        __host__ __device__ explicit operator __half() const { return __float2half(value(__x)); }                      \
        __host__ __device__ explicit operator __nv_bfloat16() const { return __float2bfloat16(value(__x)); }           \
        __host__ __device__ explicit operator bool() const { return value(__x) != 0.0f; }                              \
        __host__ __device__ explicit operator int() const { return __float2int_rz(value(__x)); }                       \
        __host__ __device__ explicit operator unsigned() const { return __float2uint_rz(value(__x)); }                 \
        __host__ __device__ explicit operator unsigned long() const { return (unsigned long)__float2ull_rz(value(__x)); }\
        __host__ __device__ explicit operator unsigned long long() const { return __float2ull_rz(value(__x)); }        \
        __host__ __device__ explicit operator unsigned short() const { return (unsigned short)max(0, min(65535, (int)*this)); }\
        __host__ __device__ explicit operator long() const { return (long)__float2ll_rz(value(__x)); }                 \
        __host__ __device__ explicit operator long long() const { return __float2ll_rz(value(__x)); }                  \
        __host__ __device__ explicit operator short() const { return (short)max(-32768, min(32767, (int)*this)); }      \
        __host__ __device__ explicit operator signed char() const { return (signed char)max(-128, min(127, (int)*this)); } \
        __host__ __device__ explicit operator char() const { return (char)(signed char)*this; }                        \
        __host__ __device__ explicit operator unsigned char() const { return (unsigned char)max(0, min(255, (int)*this)); } \
    };
#define __nv_from(v) __nv_cvt_float_to_fp6(v, __NV_E2M3, 0)
#define __nv_from_double(v) __nv_cvt_double_to_fp6(v, __NV_E2M3, 0)
#define __nv_value(x) __nv_fp6_value(x, __NV_E2M3)
__nv_tiny_type(__nv_fp6_e2m3, __nv_from, __nv_from_double, __nv_value)
#undef __nv_from
#undef __nv_from_double
#undef __nv_value
#define __nv_from(v) __nv_cvt_float_to_fp6(v, __NV_E3M2, 0)
#define __nv_from_double(v) __nv_cvt_double_to_fp6(v, __NV_E3M2, 0)
#define __nv_value(x) __nv_fp6_value(x, __NV_E3M2)
__nv_tiny_type(__nv_fp6_e3m2, __nv_from, __nv_from_double, __nv_value)
#undef __nv_from
#undef __nv_from_double
#undef __nv_value
#define __nv_from(v) __nv_cvt_float_to_fp4(v, __NV_E2M1, 0)
#define __nv_from_double(v) __nv_cvt_double_to_fp4(v, __NV_E2M1, 0)
#define __nv_value(x) __nv_fp4_value(x, __NV_E2M1)
__nv_tiny_type(__nv_fp4_e2m1, __nv_from, __nv_from_double, __nv_value)
#undef __nv_from
#undef __nv_from_double
#undef __nv_value
#define __nv_from(v) __nv_cvt_float_to_e8m0(v, __NV_SATFINITE, 2)
#define __nv_from_double(v) __nv_cvt_double_to_e8m0(v, __NV_SATFINITE, 2)
__nv_tiny_type(__nv_fp8_e8m0, __nv_from, __nv_from_double, __nv_e8m0_value)
#undef __nv_from
#undef __nv_from_double
#undef __nv_tiny_type

/* Several in one word, the first in the lowest bits: `width` bits each. */
#define __nv_tiny_pair(t, one, word, width)                                                                            \
    struct t {                                                                                                         \
        word __x;                                                                                                      \
        t() = default;                                                                                                 \
        __host__ __device__ explicit t(const float2 v) : __x((word)(one(v.x).__x | (unsigned)one(v.y).__x << width)) {} \
        __host__ __device__ explicit t(const double2 v) : __x((word)(one(v.x).__x | (unsigned)one(v.y).__x << width)) {} \
        __host__ __device__ explicit t(const __half2 v) : t(__half22float2(v)) {}                                      \
        __host__ __device__ explicit t(const __nv_bfloat162 v) : t(__bfloat1622float2(v)) {}                           \
        __host__ __device__ explicit operator float2() const { return make_float2(at(0), at(1)); }                     \
        __host__ __device__ explicit operator __half2() const { return __floats2half2_rn(at(0), at(1)); }              \
        __host__ __device__ explicit operator __nv_bfloat162() const { return __floats2bfloat162_rn(at(0), at(1)); }   \
        __host__ __device__ float at(int i) const {                                                                    \
            one v;                                                                                                     \
            v.__x = (unsigned char)(__x >> i * width & (1u << width) - 1);                                             \
            return (float)v;                                                                                           \
        }                                                                                                              \
    };
#define __nv_tiny_four(t, one, word, width)                                                                            \
    struct t {                                                                                                         \
        word __x;                                                                                                      \
        t() = default;                                                                                                 \
        __host__ __device__ explicit t(const float4 v)                                                                 \
            : __x((word)(one(v.x).__x | (unsigned)one(v.y).__x << width | (unsigned)one(v.z).__x << 2 * width | (unsigned)one(v.w).__x << 3 * width)) {} \
        __host__ __device__ explicit t(const double4 v)                                                                \
            : __x((word)(one(v.x).__x | (unsigned)one(v.y).__x << width | (unsigned)one(v.z).__x << 2 * width | (unsigned)one(v.w).__x << 3 * width)) {} \
        __host__ __device__ explicit t(const __half2 a, const __half2 b) : t(of(__half22float2(a), __half22float2(b))) {} \
        __host__ __device__ explicit t(const __nv_bfloat162 a, const __nv_bfloat162 b)                                 \
            : t(of(__bfloat1622float2(a), __bfloat1622float2(b))) {}                                                   \
        __host__ __device__ explicit operator float4() const { return make_float4(at(0), at(1), at(2), at(3)); }       \
        __host__ __device__ static float4 of(float2 a, float2 b) { return make_float4(a.x, a.y, b.x, b.y); }           \
        __host__ __device__ float at(int i) const {                                                                    \
            one v;                                                                                                     \
            v.__x = (unsigned char)(__x >> i * width & (1u << width) - 1);                                             \
            return (float)v;                                                                                           \
        }                                                                                                              \
    };
__nv_tiny_pair(__nv_fp6x2_e2m3, __nv_fp6_e2m3, __nv_fp6x2_storage_t, 8)
__nv_tiny_pair(__nv_fp6x2_e3m2, __nv_fp6_e3m2, __nv_fp6x2_storage_t, 8)
__nv_tiny_pair(__nv_fp4x2_e2m1, __nv_fp4_e2m1, __nv_fp4x2_storage_t, 4)
__nv_tiny_pair(__nv_fp8x2_e8m0, __nv_fp8_e8m0, __nv_fp8x2_storage_t, 8)
__nv_tiny_four(__nv_fp6x4_e2m3, __nv_fp6_e2m3, __nv_fp6x4_storage_t, 8)
__nv_tiny_four(__nv_fp6x4_e3m2, __nv_fp6_e3m2, __nv_fp6x4_storage_t, 8)
__nv_tiny_four(__nv_fp4x4_e2m1, __nv_fp4_e2m1, __nv_fp4x4_storage_t, 4)
__nv_tiny_four(__nv_fp8x4_e8m0, __nv_fp8_e8m0, __nv_fp8x4_storage_t, 8)
#undef __nv_tiny_pair
#undef __nv_tiny_four
