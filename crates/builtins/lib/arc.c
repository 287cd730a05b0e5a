// Written by generate.py from templates.py; change it there.

//@ fn __unspool_asin_polyf inline
// asin(x) / x - 1 for x * x = z, |x| <= 1/2.
static float __unspool_asin_polyf(float z) {
  float p = 0.0380850248f;
  p = __builtin_fmaf(p, z, 0.0265545417f);
  p = __builtin_fmaf(p, z, 0.0450013801f);
  p = __builtin_fmaf(p, z, 0.0749885514f);
  p = __builtin_fmaf(p, z, 0.166666731f);
  return p * z;
}

//@ fn __unspool_atan_polyf inline
// atan(x) / x - 1 for x * x = z <= 1.
static float __unspool_atan_polyf(float z) {
  float p = (-0.00238699722f);
  p = __builtin_fmaf(p, z, 0.0135077713f);
  p = __builtin_fmaf(p, z, (-0.0358715393f));
  p = __builtin_fmaf(p, z, 0.0625016913f);
  p = __builtin_fmaf(p, z, (-0.0865688026f));
  p = __builtin_fmaf(p, z, 0.110337645f);
  p = __builtin_fmaf(p, z, (-0.142785683f));
  p = __builtin_fmaf(p, z, 0.199997395f);
  p = __builtin_fmaf(p, z, (-0.333333313f));
  return p * z;
}

//@ fn __unspool_atanf
static float __unspool_atanf(float x) {
  float a = __builtin_fabsf(x);
  float t = a > 1.0f ? __unspool_quotientf(1.0f, __builtin_fminf(a, 1.00000002e+30f)) : a;
  float r = __builtin_fmaf(__unspool_atan_polyf(t * t), t, t);
  r = a > 1.0f ? 1.57079637f - (r - (-4.37113883e-08f)) : r;
  return __builtin_copysignf(r, x);
}

//@ fn __unspool_octantf inline
// The angle of (x, y), y >= 0, from the nearest axis, with the sign that takes it away from there.
static float __unspool_octantf(float b, float x) {
  float a = __builtin_fabsf(x);
  float n = __builtin_fminf(a, b), d = __builtin_fmaxf(a, b);
  float t = d == 0.0f ? 0.0f : (n == d ? 1.0f : n / d);
  float r = __builtin_fmaf(__unspool_atan_polyf(t * t), t, t);
  return (b > a) != (__builtin_unspool_as_uint(x) >> 31 != 0u) ? -r : r;
}

//@ fn __unspool_atan2f
static float __unspool_atan2f(float y, float x) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  if (a != a || b != b) { return x + y; }
  int left = __builtin_unspool_as_uint(x) >> 31 != 0u;
  float axis = b > a ? 1.57079637f : left ? 3.14159274f : 0.0f, rest = b > a ? (-4.37113883e-08f) : left ? (-8.74227766e-08f) : 0.0f;
  return __builtin_copysignf(axis + (__unspool_octantf(b, x) + rest), y);
}

//@ fn __unspool_asinpif
static float __unspool_asinpif(float x) { return __unspool_asinf(x) * 0.318309873f; }

//@ fn __unspool_acospif
static float __unspool_acospif(float x) { return __unspool_acosf(x) * 0.318309873f; }

//@ fn __unspool_atanpif
static float __unspool_atanpif(float x) { return __unspool_atanf(x) * 0.318309873f; }

//@ fn __unspool_atan2pif
static float __unspool_atan2pif(float y, float x) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  if (a != a || b != b) { return x + y; }
  // Axes are exact here, so that angles on them and between them are.
  float axis = b > a ? 0.5f : __builtin_unspool_as_uint(x) >> 31 != 0u ? 1.0f : 0.0f;
  return __builtin_copysignf(__builtin_fmaf(__unspool_octantf(b, x), 0.318309873f, axis), y);
}

//@ fn __unspool_asin_poly inline
// asin(x) / x - 1 for x * x = z, |x| <= 1/2.
static double __unspool_asin_poly(double z) {
  double p = 0.028878360986709595;
  p = __builtin_fma(p, z, (-0.015032157301902771));
  p = __builtin_fma(p, z, 0.01751883327960968);
  p = __builtin_fma(p, z, 0.0054131820797920227);
  p = __builtin_fma(p, z, 0.01033337414264679);
  p = __builtin_fma(p, z, 0.011477516127403557);
  p = __builtin_fma(p, z, 0.013971387330511792);
  p = __builtin_fma(p, z, 0.017352380665696582);
  p = __builtin_fma(p, z, 0.022372173471821952);
  p = __builtin_fma(p, z, 0.030381944124715385);
  p = __builtin_fma(p, z, 0.044642857146544264);
  p = __builtin_fma(p, z, 0.074999999999983288);
  p = __builtin_fma(p, z, 0.16666666666666669);
  return p * z;
}

//@ fn __unspool_atan_poly inline
// atan(x) / x - 1 for x * x = z <= 1.
static double __unspool_atan_poly(double z) {
  double p = (-1.2160729966126382e-05);
  p = __builtin_fma(p, z, 0.00014016823843121529);
  p = __builtin_fma(p, z, (-0.00076715648174285889));
  p = __builtin_fma(p, z, 0.0026666242629289627);
  p = __builtin_fma(p, z, (-0.0066611245274543762));
  p = __builtin_fma(p, z, 0.012877902896183235);
  p = __builtin_fma(p, z, (-0.020369247282705255));
  p = __builtin_fma(p, z, 0.027675429225251885);
  p = __builtin_fma(p, z, (-0.033818843140558406));
  p = __builtin_fma(p, z, 0.038760657263020366);
  p = __builtin_fma(p, z, (-0.043094503038488871));
  p = __builtin_fma(p, z, 0.047524871247688179);
  p = __builtin_fma(p, z, (-0.052613579767884888));
  p = __builtin_fma(p, z, 0.058820909460576096);
  p = __builtin_fma(p, z, (-0.06666638468071652));
  p = __builtin_fma(p, z, 0.07692305537154949);
  p = __builtin_fma(p, z, (-0.090909089805155843));
  p = __builtin_fma(p, z, 0.11111111107639281);
  p = __builtin_fma(p, z, (-0.14285714285656362));
  p = __builtin_fma(p, z, 0.19999999999999615);
  p = __builtin_fma(p, z, (-0.33333333333333331));
  return p * z;
}

//@ fn __unspool_atan
static double __unspool_atan(double x) {
  double a = __builtin_fabs(x);
  double t = a > 1.0 ? __unspool_quotient(1.0, __builtin_fmin(a, 1.0000000000000001e+300)) : a;
  double r = __builtin_fma(__unspool_atan_poly(t * t), t, t);
  r = a > 1.0 ? 1.5707963267948966 - (r - 6.123233995736766e-17) : r;
  return __builtin_copysign(r, x);
}

//@ fn __unspool_octant inline
// The angle of (x, y), y >= 0, from the nearest axis, with the sign that takes it away from there.
static double __unspool_octant(double b, double x) {
  double a = __builtin_fabs(x);
  double n = __builtin_fmin(a, b), d = __builtin_fmax(a, b);
  double t = d == 0.0 ? 0.0 : (n == d ? 1.0 : n / d);
  double r = __builtin_fma(__unspool_atan_poly(t * t), t, t);
  return (b > a) != (__builtin_unspool_as_ulong(x) >> 63 != 0ul) ? -r : r;
}

//@ fn __unspool_atan2
static double __unspool_atan2(double y, double x) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (a != a || b != b) { return x + y; }
  int left = __builtin_unspool_as_ulong(x) >> 63 != 0ul;
  double axis = b > a ? 1.5707963267948966 : left ? 3.1415926535897931 : 0.0, rest = b > a ? 6.123233995736766e-17 : left ? 1.2246467991473532e-16 : 0.0;
  return __builtin_copysign(axis + (__unspool_octant(b, x) + rest), y);
}

//@ fn __unspool_asinpi
static double __unspool_asinpi(double x) { return __unspool_asin(x) * 0.31830988618379069; }

//@ fn __unspool_acospi
static double __unspool_acospi(double x) { return __unspool_acos(x) * 0.31830988618379069; }

//@ fn __unspool_atanpi
static double __unspool_atanpi(double x) { return __unspool_atan(x) * 0.31830988618379069; }

//@ fn __unspool_atan2pi
static double __unspool_atan2pi(double y, double x) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (a != a || b != b) { return x + y; }
  // Axes are exact here, so that angles on them and between them are.
  double axis = b > a ? 0.5 : __builtin_unspool_as_ulong(x) >> 63 != 0ul ? 1.0 : 0.0;
  return __builtin_copysign(__builtin_fma(__unspool_octant(b, x), 0.31830988618379069, axis), y);
}

//@ fn __unspool_asin
static double __unspool_asin(double x) {
  double a = __builtin_fabs(x);
  if (a <= 0.5) { return __builtin_fma(__unspool_asin_poly(x * x), x, x); }
  double z = __builtin_fma(a, -0.5, 0.5);
  // The root's rounding error, for the sum with pi/2.
  double e;
  double r = __unspool_root_parts(z, &e);
  double p = __unspool_asin_poly(z);
  double t = __builtin_fma(p, r, __builtin_fma(p, e, e));
  double v = 1.5707963267948966 - (2.0 * r - (6.123233995736766e-17 - 2.0 * t));
  return __builtin_copysign(v, x);
}

//@ fn __unspool_acos
static double __unspool_acos(double x) {
  double a = __builtin_fabs(x);
  if (a <= 0.5) { return 1.5707963267948966 - (x - (6.123233995736766e-17 - __unspool_asin_poly(x * x) * x)); }
  double z = __builtin_fma(a, -0.5, 0.5);
  double e;
  double r = __unspool_root_parts(z, &e);
  double p = __unspool_asin_poly(z);
  double t = __builtin_fma(p, r, __builtin_fma(p, e, e));
  return x > 0.0 ? 2.0 * (r + t) : 3.1415926535897931 - 2.0 * (r + (t - 0.5 * 1.2246467991473532e-16));
}

//@ fn __unspool_asinf
static float __unspool_asinf(float x) {
  float a = __builtin_fabsf(x);
  int far = a > 0.5f;
  float z = far ? __builtin_fmaf(a, -0.5f, 0.5f) : x * x;
  // Of nothing, too, so that the root of nothing is nothing.
  float y = __builtin_unspool_rsqrt_approx_ftz(z + 1e-30f);
  float r = z * y;
  // What rounding left of the root, and half of what it left of pi/2.
  float e = __builtin_fmaf(__builtin_fmaf(-r, r, z), 0.5f * y, 2.18556941e-08f);
  float s = far ? r : a;
  float p = 0.0421625003f;
  p = __builtin_fmaf(p, z, 0.0241787955f);
  p = __builtin_fmaf(p, z, 0.0454714522f);
  p = __builtin_fmaf(p, z, 0.0749527663f);
  p = __builtin_fmaf(p, z, 0.166667536f);
  float w = __builtin_fmaf(p * z, s, far ? e : 0.0f);
  float v = far ? __builtin_fmaf(-2.0f, s, 1.57079637f) : s;
  return __builtin_copysignf(__builtin_fmaf(far ? -2.0f : 1.0f, w, v), x);
}

//@ fn __unspool_acosf
static float __unspool_acosf(float x) {
  float a = __builtin_fabsf(x);
  int far = a > 0.5f;
  float z = far ? __builtin_fmaf(a, -0.5f, 0.5f) : x * x;
  float y = __builtin_copysignf(__builtin_unspool_rsqrt_approx_ftz(z + 1e-30f), x);
  float r = z * y;
  float e = __builtin_fmaf(-r, r, z) * (0.5f * y);
  float s = far ? r : x;
  float p = 0.0421625003f;
  p = __builtin_fmaf(p, z, 0.0241787955f);
  p = __builtin_fmaf(p, z, 0.0454714522f);
  p = __builtin_fmaf(p, z, 0.0749527663f);
  p = __builtin_fmaf(p, z, 0.166667536f);
  float w = __builtin_fmaf(p * z, s, far ? e : 2.18556941e-08f);
  float m = far ? 2.0f : -1.0f;
  float c = far ? (x > 0.0f ? 0.0f : 3.14159274f) : 1.57079637f;
  return __builtin_fmaf(m, w, __builtin_fmaf(m, s, c));
}
