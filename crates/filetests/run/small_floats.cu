// Floating-point numbers of eight bits: both conversions of cuda_fp8.h, in software and by the instructions of newer GPUs.
//@ file arch=sm_80,sm_90

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

FN int e4m3(float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3); }
FN int e4m3_wide(float x) { return __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3); }
FN int e5m2(float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2); }
FN int e5m2_wide(float x) { return __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2); }

BEGIN(to_eight_bits)
    I(e4m3(V(1.0f))); I(e4m3(V(-1.0f))); I(e4m3(V(448.0f))); I(e4m3(V(464.0f))); //= 0x38 0xb8 0x7e 0x7e
    I(e4m3(V(500.0f))); I(e4m3_wide(V(464.0f))); I(e4m3_wide(V(465.0f))); //= 0x7e 0x7e 0x7f
    // Halfway goes to even: 1.0625, 1.1875; subnormal: half and one and a half of the smallest.
    I(e4m3(V(1.0625f))); I(e4m3(V(1.1875f))); I(e4m3(V(0x1p-10f))); I(e4m3(V(0x1.8p-9f))); //= 0x38 0x3a 0 2
    I(e4m3(__uint_as_float(V(0x80000000u)))); I(e4m3(__uint_as_float(V(0x7f800000)))); I(e4m3(__uint_as_float(V(0x7fc00000)))); //= 0x80 0x7e 0x7f
    I(e5m2(V(1.0f))); I(e5m2(V(57344.0f))); I(e5m2(V(61440.0f))); I(e5m2_wide(V(61440.0f))); //= 0x3c 0x7b 0x7b 0x7c
    I(e5m2_wide(V(61439.0f))); I(e5m2(V(1.125f))); I(e5m2(V(1.375f))); I(e5m2(V(0x1p-17f))); //= 0x7b 0x3c 0x3e 0
    // From double precision at once: rounded to single first it would be halfway.
    I(__nv_cvt_double_to_fp8(V(1.0625) + 0x1p-50, __NV_SATFINITE, __NV_E4M3)); //= 0x39
    I(__nv_fp8_e4m3(V(3)).__x); I(__nv_fp8_e5m2(__float2half(V(0.5f))).__x); I((int)__nv_fp8_e4m3(V(-5.5f))); //= 0x44 0x38 -5
END

// Every number there and back.
BEGIN(from_eight_bits)
    int bad = 0;
#pragma unroll 1
    for (int i = 0; i < 256; i++) {
        __nv_fp8_e4m3 x;
        __nv_fp8_e5m2 y;
        x.__x = y.__x = i + V(0);
        int nan = (i & 127) == 127;
        bad += e4m3((float)x) != (nan ? 0x7f : i);
        nan = (i & 127) > 0x7c;
        bad += e5m2_wide((float)y) != (nan ? 0x7f : i);
    }
    I(bad); //= 0
    __nv_fp8x4_e4m3 v(make_float4(V(1.0f), 2, -3, 0.5f));
    I(v.__x == 0x30c44038u); //= 1
    F(((float4)v).z); F(float2(__nv_fp8x2_e5m2(make_float2(V(0.25f), -7))).y); //= -3.0 -7.0
END

// The instruction itself, where it is there.
BEGIN(two_at_once)
    ushort r;
#if __CUDA_ARCH__ >= 890
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(V(1.0f)), "f"(V(-2.0f)));
#else
    r = __nv_cvt_float2_to_fp8x2(make_float2(V(-2.0f), V(1.0f)), __NV_SATFINITE, __NV_E4M3);
#endif
    I(r); //= 0x38c0
END

BEGIN(pairs_of_halves_compared)
    __half none = __ushort_as_half(0x7e00 + V(0)), a = __float2half(V(1.5f)), b = __float2half(2.0f);
    I(__hequ(a, none)); //= 1
    I(__hequ(a, b)); //= 0
    I(__hltu(a, b)); //= 1
    I(__hgeu(a, b)); //= 0
    I(__hleu(b, a)); //= 0
    I(__hgtu(none, a)); //= 1
    I(__hneu(none, none)); //= 1
    __half2 p = __halves2half2(a, none), q = __halves2half2(b, b), r = __hltu2(p, q);
    F(__low2float(r) + 2 * __high2float(r)); //= 3.0
    r = __hequ2(p, q);
    F(__low2float(r) + 2 * __high2float(r)); //= 2.0
    r = __hisnan2(p);
    F(__low2float(r) + 2 * __high2float(r)); //= 2.0
    I(__hlt2_mask(p, q)); //= 65535
    I((int)__hltu2_mask(p, q)); //= -1
    I(__hblt2(p, q)); //= 0
    I(__hbltu2(p, q)); //= 1
    I(__hbne2(p, q)); //= 0
    I(__hbneu2(p, q)); //= 1
    __nv_bfloat162 u = __floats2bfloat162_rn(V(1.0f), 2.0f), w = __floats2bfloat162_rn(1.0f, 3.0f);
    I(__heq2_mask(u, w)); //= 65535
    I((int)__hgtu2_mask(w, u)); //= -65536
    I(__hble2(u, w)); //= 1
    I(__hbgt2(w, u)); //= 0
END

BEGIN(lanes_of_pairs_and_clamped_products_of_halves)
    __half none = __ushort_as_half(0x7e00 + V(0)), a = __float2half(V(1.5f)), b = __float2half(2.0f);
    __half2 x = __floats2half2_rn(V(3.0f), 4.0f), y = __floats2half2_rn(V(5.0f), 6.0f);
    __half2 l = __lows2half2(x, y), h = __highs2half2(x, y), s = __lowhigh2highlow(x);
    F(__low2float(l) * 10 + __high2float(l)); //= 35.0
    F(__low2float(h) * 10 + __high2float(h)); //= 46.0
    F(__low2float(s) * 10 + __high2float(s)); //= 43.0
    __nv_bfloat162 u = __floats2bfloat162_rn(V(1.0f), 2.0f), w = __floats2bfloat162_rn(1.0f, 3.0f);
    F(__high2float(__highs2bfloat162(u, w))); //= 3.0
    F(__half2float(__hfma_sat(a, b, a))); //= 1.0
    F(__half2float(__hfma_sat(none, b, a))); //= 0.0
    F(__half2float(__hfma_relu(a, b, a))); //= 4.5
    F(__half2float(__hfma_relu(a, __hneg(b), a))); //= 0.0
    I(__hisnan(__hfma_relu(none, a, b))); //= 1
    F(__high2float(__hfma2_relu(x, y, x))); //= 28.0
    I(__half2char_rz(__float2half(V(-300.0f)))); //= -128
    I(__half2uchar_rz(__float2half(V(3.7f)))); //= 3
    I(__bfloat162char_rz(__float2bfloat16(V(-5.9f)))); //= -5
END

BEGIN(tangents_of_halves)
    I(__half2float(htanh_approx(__float2half(V(0.5f)))) * 1000); I(__half2float(htanh_approx(__float2half(V(-2.0f)))) * 1000); //= 462 -963
    I(__half_as_ushort(htanh_approx(__float2half(V(0.0f))))); I(__half_as_ushort(htanh_approx(__ushort_as_half(V(0x8000))))); //= 0 0x8000
    I(__half_as_ushort(htanh_approx(__float2half(INFINITY * V(1.0f))))); I(__half_as_ushort(htanh_approx(__float2half(V(-20.0f))))); //= 0x3c00 0xbc00
    I(__hisnan(htanh_approx(__ushort_as_half(V(0x7e00))))); //= 1
END

BEGIN(pairs_of_four_and_six_bits_were_not_there)
    { float2 f = make_float2(V(1.5f), V(-6)); I(__nv_cvt_float2_to_fp4x2(f, __NV_E2M1, cudaRoundNearest)); I(__nv_cvt_double2_to_fp4x2(make_double2(V(0.5), V(9)), __NV_E2M1, cudaRoundNearest)); } //= 243 113
    { I(__nv_cvt_halfraw2_to_fp4x2(__floats2half2_rn(V(2), V(3)), __NV_E2M1, cudaRoundNearest)); I(__nv_cvt_bfloat16raw2_to_fp4x2(__floats2bfloat162_rn(V(-4), V(1)), __NV_E2M1, cudaRoundNearest)); } //= 84 46
    { I(__nv_cvt_float2_to_fp6x2(make_float2(V(1), V(28)), __NV_E3M2, cudaRoundNearest)); I(__nv_cvt_float2_to_e8m0x2(make_float2(V(1), V(4)), __NV_SATFINITE, cudaRoundPosInf)); } //= 7948 33151
    { __nv_fp4x4_e2m1 four(__floats2half2_rn(V(1), V(2)), __floats2half2_rn(V(3), V(4))); float4 f = (float4)four; F(f.x + 10 * f.y + 100 * f.z + 1000 * f.w); } //= 4321.0
END
