// Written by generate.py from templates.py; change it there.

//@ fn __unspool_half_turnf inline host
// sin(r) for |r| <= pi/2, a little more, with the sign changed if the lowest bit of n is set.
static float __unspool_half_turnf(float r, unsigned int n) {
  float z = r * r;
  float p = __builtin_fmaf(2.63445736e-06f, z, (-0.000198228532f));
  p = __builtin_fmaf(p, z, 0.0083332248f);
  p = __builtin_fmaf(p, z, (-0.166666612f));
  p = __builtin_fmaf(p * z, r, r);
  return __builtin_unspool_as_float(__builtin_unspool_as_uint(p) ^ (n << 31));
}

//@ data __unspool_inverse_pif host
// 2^(8k - 16) / pi modulo 2 for k from 0, each in three parts: two of 20 bits, and the rest.
static __constant const double __unspool_inverse_pif[48] = {3.814697265625e-06, 1.0423245839774609e-06, 1.5601843841024439e-12, 0.0012416839599609375, 1.714031895971857e-06, 1.0485229536830862e-12, 0.31830978393554688, 1.0224721336271614e-07, 1.0304338216291639e-12, 1.4873294830322266, 1.3800181477563456e-06, 3.7594822916759293e-14, 0.75670051574707031, 4.2515785025898367e-07, 5.2932764896109698e-13, 1.7154407501220703, 1.2167220120318234e-07, 9.0266227164745557e-13, 1.152862548828125, 6.3073639466892928e-07, 6.9887291424849896e-14, 1.1329727172851562, 1.2512482499005273e-06, 1.5202419728488665e-12, 0.041334152221679688, 1.7927177395904437e-06, 1.7372020940423751e-12, 0.582000732421875, 1.1725132935680449e-06, 8.9032160965905789e-13, 0.99248695373535156, 7.0989517553243786e-07, 5.4865662948676908e-13, 0.076841354370117188, 5.3518488130066544e-07, 3.9391307558192605e-13, 1.6715221405029297, 1.5856767277000472e-06, 7.9733015395095578e-13, 1.9100723266601562, 1.575535861775279e-06, 3.8970621430875996e-13, 0.97891807556152344, 8.8671731646172702e-07, 1.5393630715662995e-12, 0.60325431823730469, 2.5538611225783825e-08, 1.1752351550676867e-12};

//@ fn __unspool_far_turnf host
// For |x| >= 128: what of x / pi + shift lies beyond the nearest whole number, times pi, and that number's parity. Payne and
// Hanek's method: the bits of 1 / pi whose product with x matters are chosen by x's exponent.
static float __unspool_far_turnf(float x, double shift, unsigned int *parity) {
  unsigned int b = __builtin_unspool_as_uint(x);
  int e = (int)((b >> 23) & 255u) - 134;
  // At most 2^32; exact like its products with parts of 20 bits.
  double n = (double)(int)((b & 0x7fffffu) | 0x800000u) * (double)(1 << (e & 7));
  int k = (e >> 3) * 3;
  double h = n * __unspool_inverse_pif[k], m = n * __unspool_inverse_pif[k + 1];
  h = __builtin_fma(__builtin_floor(h * 0.5), -2.0, h);
  m = __builtin_fma(__builtin_floor(m * 0.5), -2.0, m);
  double s = h + m;
  s = x < 0.0f ? shift - s : shift + s;
  double w = s + 6755399441055744.0;
  double l = n * __unspool_inverse_pif[k + 2];
  double r = (s - (w - 6755399441055744.0)) + (x < 0.0f ? -l : l);
  *parity = (unsigned int)__builtin_unspool_as_ulong(w);
  return __builtin_fabsf(x) < __builtin_inff() ? (float)(r * 3.1415926535897931) : __builtin_nanf("");
}

//@ fn __unspool_sinf host
static float __unspool_sinf(float x) {
  float m = __builtin_fmaf(x, 0.318309873f, 12582912.0f);
  float k = m - 12582912.0f;
  float r = __builtin_fmaf(k, -3.14159274f, x);
  r = __builtin_fmaf(k, -(-8.74227766e-08f), r);
  r = __builtin_fmaf(k, -(-3.43024902e-15f), r);
  unsigned int n = __builtin_unspool_as_uint(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(__builtin_fabsf(x) < 105615.0f)) { r = __unspool_far_turnf(x, 0.0, &n); }
  float v = __unspool_half_turnf(r, n);
  return x == 0.0f ? x : v;
}

//@ fn __unspool_cosf host
static float __unspool_cosf(float x) {
  // The nearest zero of the cosine, and which way the function crosses it.
  float m = __builtin_fmaf(x, 0.318309873f, 0.5f) + 12582912.0f;
  float k = (m - 12582912.0f) - 0.5f;
  float r = __builtin_fmaf(k, -3.14159274f, x);
  r = __builtin_fmaf(k, -(-8.74227766e-08f), r);
  r = __builtin_fmaf(k, -(-3.43024902e-15f), r);
  unsigned int n = __builtin_unspool_as_uint(m);
  if (!(__builtin_fabsf(x) < 105615.0f)) { r = __unspool_far_turnf(x, 0.5, &n); }
  return __unspool_half_turnf(r, n);
}

//@ fn __unspool_sincosf host
static float __unspool_sincosf(float x, float *cosine) {
  *cosine = __unspool_cosf(x);
  return __unspool_sinf(x);
}

//@ fn __unspool_fast_sinf inline host
// Absolute error below 2^-21 between -pi and pi, growing with the argument, as the instruction of GPUs has it.
static float __unspool_fast_sinf(float x) {
  float m = __builtin_fmaf(x, 0.318309873f, 12582912.0f);
  float k = m - 12582912.0f;
  float r = __builtin_fmaf(k, -3.14159274f, x);
  return __unspool_half_turnf(__builtin_fmaf(k, -(-8.74227766e-08f), r), __builtin_unspool_as_uint(m));
}

//@ fn __unspool_fast_cosf inline host
static float __unspool_fast_cosf(float x) {
  float m = __builtin_fmaf(x, 0.318309873f, 0.5f) + 12582912.0f;
  float k = (m - 12582912.0f) - 0.5f;
  float r = __builtin_fmaf(k, -3.14159274f, x);
  return __unspool_half_turnf(__builtin_fmaf(k, -(-8.74227766e-08f), r), __builtin_unspool_as_uint(m));
}

//@ fn __unspool_fast_tanf inline host
// The tangent repeats every half turn, so that one reduction to a quarter does, and a fraction there: turned over in every second quarter.
static float __unspool_fast_tanf(float x) {
  float m = __builtin_fmaf(x, 0.636619747f, 12582912.0f);
  float k = m - 12582912.0f;
  float r = __builtin_fmaf(k, -1.57079637f, x);
  r = __builtin_fmaf(k, -(-4.37113883e-08f), r);
  float z = r * r;
  float n = __builtin_fmaf(z, (-0.0957891867f), 1.0f) * r;
  float d = __builtin_fmaf(__builtin_fmaf(z, 0.00971238315f, (-0.429123133f)), z, 1.0f);
  int odd = (__builtin_unspool_as_uint(m) & 1u) != 0u;
  return (odd ? d : n) / (odd ? -n : d);
}

//@ fn __unspool_fast_sincos_valuef inline host
static float __unspool_fast_sincos_valuef(float x, float *cosine) {
  *cosine = __unspool_fast_cosf(x);
  return __unspool_fast_sinf(x);
}

//@ fn __unspool_fast_sincosf inline host
static void __unspool_fast_sincosf(float x, float *sine, float *cosine) {
  *sine = __unspool_fast_sinf(x);
  *cosine = __unspool_fast_cosf(x);
}

//@ fn __unspool_fast_sin2pif inline host
static float __unspool_fast_sin2pif(float x) { return __unspool_fast_sinf(__unspool_turn(x)); }

//@ fn __unspool_fast_cos2pif inline host
static float __unspool_fast_cos2pif(float x) { return __unspool_fast_cosf(__unspool_turn(x)); }

//@ fn __unspool_fast_sincos2pif inline host
static void __unspool_fast_sincos2pif(float x, float *sine, float *cosine) {
  float angle = __unspool_turn(x);
  *sine = __unspool_fast_sinf(angle);
  *cosine = __unspool_fast_cosf(angle);
}

//@ fn __unspool_half_turn inline host
// sin(r) for |r| <= pi/2, a little more, with the sign changed if the lowest bit of n is set.
static double __unspool_half_turn(double r, unsigned int n) {
  double z = r * r;
  double p = 2.72224765883803e-15;
  p = __builtin_fma(p, z, (-7.6430969682148744e-13));
  p = __builtin_fma(p, z, 1.6058943910232615e-10);
  p = __builtin_fma(p, z, (-2.505210695974449e-08));
  p = __builtin_fma(p, z, 2.7557319212126673e-06);
  p = __builtin_fma(p, z, (-0.00019841269841215252));
  p = __builtin_fma(p, z, 0.0083333333333332118);
  p = __builtin_fma(p, z, (-0.16666666666666666));
  // Where the sine is close to 1, whose neighbours below are half as far, the square's rounding would cost half a place.
  double c = __builtin_fma(r, z, r * __builtin_fma(r, r, -z));
  p = __builtin_fma(p, c, r);
  return __builtin_unspool_as_double(__builtin_unspool_as_ulong(p) ^ ((unsigned long)n << 63));
}

//@ fn __unspool_far_turn host
// What of x lies beyond the nearest multiple of pi, or beyond the nearest odd multiple of pi/2, and its number's parity.
static double __unspool_far_turn(double x, int odd, unsigned int *parity) {
  int q = 0;
  double r = __builtin_nan("");
  if (__builtin_fabs(x) < __builtin_inf()) { r = __unspool_trig_slow(x, &q); }
  *parity = (unsigned int)((q + odd) >> 1);
  // Beyond the other kind of multiple: from pi/4 to pi/2 before this one, or behind it, where the sine is the same.
  double a = __builtin_fabs(r), b = 1.5707963267948966 - a;
  b = b + (((1.5707963267948966 - b) - a) + 6.123233995736766e-17);
  return ((q ^ odd) & 1) != 0 ? b : r;
}

//@ fn __unspool_sin host
static double __unspool_sin(double x) {
  double m = __builtin_fma(x, 0.31830988618379069, 6755399441055744.0);
  double k = m - 6755399441055744.0;
  double r = __builtin_fma(k, -3.1415926535897931, x);
  r = __builtin_fma(k, -1.2246467991473532e-16, r);
  r = __builtin_fma(k, -(-2.9947698097183397e-33), r);
  unsigned int n = (unsigned int)__builtin_unspool_as_ulong(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(__builtin_fabs(x) < 2147483648.0)) { r = __unspool_far_turn(x, 0, &n); }
  double v = __unspool_half_turn(r, n);
  return x == 0.0 ? x : v;
}

//@ fn __unspool_cos host
static double __unspool_cos(double x) {
  // The nearest zero of the cosine, and which way the function crosses it.
  double m = __builtin_fma(x, 0.31830988618379069, 0.5) + 6755399441055744.0;
  double k = (m - 6755399441055744.0) - 0.5;
  double r = __builtin_fma(k, -3.1415926535897931, x);
  r = __builtin_fma(k, -1.2246467991473532e-16, r);
  r = __builtin_fma(k, -(-2.9947698097183397e-33), r);
  unsigned int n = (unsigned int)__builtin_unspool_as_ulong(m);
  if (!(__builtin_fabs(x) < 2147483648.0)) { r = __unspool_far_turn(x, 1, &n); }
  return __unspool_half_turn(r, n);
}

//@ fn __unspool_trig_reducef host
// x minus the nearest multiple of pi/2, and which multiple (modulo 4).
static float __unspool_trig_reducef(float x, int *quadrant) {
  float m = __builtin_fmaf(x, 0.636619747f, 12582912.0f);
  float k = m - 12582912.0f;
  float r = __builtin_fmaf(k, -1.57079637f, x);
  r = __builtin_fmaf(k, -(-4.37113883e-08f), r);
  r = __builtin_fmaf(k, -(-1.71512451e-15f), r);
  int q = (int)__builtin_unspool_as_uint(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(__builtin_fabsf(x) < 105615.0f)) {
    r = __builtin_nanf("");
    if (__builtin_fabsf(x) < __builtin_inff()) { r = __unspool_trig_slowf(x, &q); }
  }
  *quadrant = q;
  return r;
}

//@ fn __unspool_quadrant_sinf inline host
static float __unspool_quadrant_sinf(float r, int q) {
  float s = __unspool_sin_polyf(r), c = __unspool_cos_polyf(r);
  float v = (q & 1) != 0 ? c : s;
  return __builtin_unspool_as_float(__builtin_unspool_as_uint(v) ^ ((unsigned int)(unsigned int)(q & 2) << 30));
}

//@ fn __unspool_tanf host
static float __unspool_tanf(float x) {
  int q;
  float r = __unspool_trig_reducef(x, &q);
  float s = __unspool_sin_polyf(r), c = __unspool_cos_polyf(r);
  float n = (q & 1) != 0 ? -c : s, d = (q & 1) != 0 ? s : c;
  float t = n / d;
  return x == 0.0f ? x : t;
}

//@ fn __unspool_trig_reduce host
// x minus the nearest multiple of pi/2, and which multiple (modulo 4).
static double __unspool_trig_reduce(double x, int *quadrant) {
  double m = __builtin_fma(x, 0.63661977236758138, 6755399441055744.0);
  double k = m - 6755399441055744.0;
  double r = __builtin_fma(k, -1.5707963267948966, x);
  r = __builtin_fma(k, -6.123233995736766e-17, r);
  r = __builtin_fma(k, -(-1.4973849048591698e-33), r);
  int q = (int)__builtin_unspool_as_ulong(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(__builtin_fabs(x) < 2147483648.0)) {
    r = __builtin_nan("");
    if (__builtin_fabs(x) < __builtin_inf()) { r = __unspool_trig_slow(x, &q); }
  }
  *quadrant = q;
  return r;
}

//@ fn __unspool_quadrant_sin inline host
static double __unspool_quadrant_sin(double r, int q) {
  double s = __unspool_sin_poly(r), c = __unspool_cos_poly(r);
  double v = (q & 1) != 0 ? c : s;
  return __builtin_unspool_as_double(__builtin_unspool_as_ulong(v) ^ ((unsigned long)(unsigned int)(q & 2) << 62));
}

//@ fn __unspool_tan host
static double __unspool_tan(double x) {
  int q;
  double r = __unspool_trig_reduce(x, &q);
  double s = __unspool_sin_poly(r), c = __unspool_cos_poly(r);
  double n = (q & 1) != 0 ? -c : s, d = (q & 1) != 0 ? s : c;
  double t = n / d;
  return x == 0.0 ? x : t;
}

//@ fn __unspool_half_tanf host
// To 12 bits.
static float __unspool_half_tanf(float x) {
  int q;
  float r = __unspool_trig_reducef(x, &q);
  float z = r * r;
  float n = __builtin_fmaf(z, (-0.0684565604f), 1.00000489f) * r;
  float d = __builtin_fmaf(z, (-0.401650429f), 1.0f);
  return ((q & 1) != 0 ? d : n) * __builtin_unspool_rcp_rough((q & 1) != 0 ? -n : d);
}

//@ fn __unspool_turn_sinf inline host
// sin(pi r) for |r| <= 1/2: 2r, and what vanishes at 1/2 as it does at 0, so that it counts little where the sine is close to 1.
static float __unspool_turn_sinf(float r) {
  float z = r * r;
  float p = 0.0010506633f;
  p = __builtin_fmaf(p, z, (-0.0197560489f));
  p = __builtin_fmaf(p, z, 0.144748569f);
  p = __builtin_fmaf(p, z, (-0.601339757f));
  p = __builtin_fmaf(p, z, 1.14159262f);
  return __builtin_fmaf(r * __builtin_fmaf(z, -4.0f, 1.0f), p, r + r);
}

//@ fn __unspool_sinpif host
static float __unspool_sinpif(float x) {
  // All exact: the nearest whole number, what is left, and half of the number, which is whole if it is even.
  float n = __builtin_rintf(x), r = x - n, h = n * 0.5f;
  float v = __unspool_turn_sinf(r);
  v = __builtin_rintf(h) != h ? -v : v;
  return r == 0.0f ? __builtin_copysignf(0.0f, x) : v;
}

//@ fn __unspool_cospif host
static float __unspool_cospif(float x) {
  // Exact but for the last difference: whole turns taken off, and the sine from half a turn on either side of zero; where that is rounded,
  // the result is next to 1. That of zero is a zero without a sign.
  float n = __builtin_rintf(x * 0.5f), r = 0.5f - __builtin_fabsf(__builtin_fmaf(n, -2.0f, x));
  return __unspool_turn_sinf(r);
}

//@ fn __unspool_tanpif host
static float __unspool_tanpif(float x) {
  float n = __builtin_rintf(x), r = x - n, h = n * 0.5f;
  float v = __unspool_turn_sinf(r) / __unspool_turn_sinf(0.5f - __builtin_fabsf(r));
  // Zeros have the sign that OpenCL gives them, by the parity of the whole number; that of poles comes out of the division.
  float sign = __builtin_rintf(h) != h ? -x : x;
  return r == 0.0f ? __builtin_copysignf(0.0f, sign) : v;
}

//@ fn __unspool_turn_sin inline host
// sin(pi r) for |r| <= 1/2: 2r, and what vanishes at 1/2 as it does at 0, so that it counts little where the sine is close to 1.
static double __unspool_turn_sin(double r) {
  double z = r * r;
  double p = 9.1089912960158567e-08;
  p = __builtin_fma(p, z, (-2.7808922217135017e-07));
  p = __builtin_fma(p, z, 5.4606616503073981e-06);
  p = __builtin_fma(p, z, (-0.00011522465961858269));
  p = __builtin_fma(p, z, 0.0018138038800646708);
  p = __builtin_fma(p, z, (-0.020083020910812099));
  p = __builtin_fma(p, z, 0.14479537711572715);
  p = __builtin_fma(p, z, (-0.60134216569082044));
  p = __builtin_fma(p, z, 1.1415926535897933);
  return __builtin_fma(r * __builtin_fma(z, -4.0, 1.0), p, r + r);
}

//@ fn __unspool_sinpi host
static double __unspool_sinpi(double x) {
  // All exact: the nearest whole number, what is left, and half of the number, which is whole if it is even.
  double n = __builtin_rint(x), r = x - n, h = n * 0.5;
  double v = __unspool_turn_sin(r);
  v = __builtin_rint(h) != h ? -v : v;
  return r == 0.0 ? __builtin_copysign(0.0, x) : v;
}

//@ fn __unspool_cospi host
static double __unspool_cospi(double x) {
  // Exact but for the last difference: whole turns taken off, and the sine from half a turn on either side of zero; where that is rounded,
  // the result is next to 1. That of zero is a zero without a sign.
  double n = __builtin_rint(x * 0.5), r = 0.5 - __builtin_fabs(__builtin_fma(n, -2.0, x));
  return __unspool_turn_sin(r);
}

//@ fn __unspool_tanpi host
static double __unspool_tanpi(double x) {
  double n = __builtin_rint(x), r = x - n, h = n * 0.5;
  double v = __unspool_turn_sin(r) / __unspool_turn_sin(0.5 - __builtin_fabs(r));
  // Zeros have the sign that OpenCL gives them, by the parity of the whole number; that of poles comes out of the division.
  double sign = __builtin_rint(h) != h ? -x : x;
  return r == 0.0 ? __builtin_copysign(0.0, sign) : v;
}
