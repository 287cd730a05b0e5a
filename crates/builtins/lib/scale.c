// Written by generate.py from templates.py; change it there.

//@ fn __unspool_pow2f inline
// 2^k for k in the normal range.
static float __unspool_pow2f(int k) { return __builtin_unspool_as_float((unsigned int)(int)(k + 127) << 23); }

//@ fn __unspool_ldexpf
static float __unspool_ldexpf(float x, int k) {
  int limit = 3 * 127;
  k = k > limit ? limit : (k < -limit ? -limit : k);
  // Up to three exact steps; only the last one that leaves the normal range rounds.
  int step = 127 - 1;
  if (k > step) { x *= __unspool_pow2f(step); k -= step; if (k > step) { x *= __unspool_pow2f(step); k -= step; } }
  int down = 100;
  if (k < -step) { x *= __unspool_pow2f(-down); k += down; if (k < -step) { x *= __unspool_pow2f(-down); k += down; } }
  k = k > step ? step : (k < -step ? -step : k);
  return x * __unspool_pow2f(k);
}

//@ fn __unspool_scalbnf inline
static float __unspool_scalbnf(float x, int k) { return __unspool_ldexpf(x, k); }

//@ fn __unspool_scale2f inline
// x * 2^k for x near 1 and any k, in two steps.
static float __unspool_scale2f(float x, int k) {
  int h = k >> 1;
  return x * __unspool_pow2f(h) * __unspool_pow2f(k - h);
}

//@ fn __unspool_frexpf
static float __unspool_frexpf(float x, int *e) {
  float a = __builtin_fabsf(x);
  int bias = 127 - 1;
  if (a == 0.0f || !(a < __builtin_inff())) { *e = 0; return x + x; }
  if (a < 1.17549435e-38f) { x *= 33554432.0f; bias += 25; }
  unsigned int b = __builtin_unspool_as_uint(x);
  *e = (int)((b >> 23) & 255u) - bias;
  return __builtin_unspool_as_float((b & ~((unsigned int)255 << 23)) | ((unsigned int)(127 - 1) << 23));
}

//@ fn __unspool_ilogbf
static int __unspool_ilogbf(float x) {
  float a = __builtin_fabsf(x);
  if (a == 0.0f || a != a) { return -2147483647 - 1; }
  if (a == __builtin_inff()) { return 2147483647; }
  int bias = 127;
  if (a < 1.17549435e-38f) { a *= 33554432.0f; bias += 25; }
  return (int)(__builtin_unspool_as_uint(a) >> 23) - bias;
}

//@ fn __unspool_logbf
static float __unspool_logbf(float x) {
  float a = __builtin_fabsf(x);
  if (a == 0.0f) { return -__builtin_inff(); }
  if (!(a < __builtin_inff())) { return a; }
  return (float)__unspool_ilogbf(a);
}

//@ fn __unspool_modff inline
static float __unspool_modff(float x, float *whole) {
  float t = __builtin_truncf(x);
  *whole = t;
  float f = __builtin_fabsf(x) == __builtin_inff() ? 0.0f : x - t;
  return __builtin_copysignf(f, x);
}

//@ fn __unspool_fractf inline
static float __unspool_fractf(float x, float *whole) {
  float t = __builtin_floorf(x);
  *whole = t;
  float f = __builtin_fabsf(x) == __builtin_inff() ? 0.0f : __builtin_fminf(x - t, 0.99999994f);
  return x != x ? x : __builtin_copysignf(f, x == 0.0f ? x : f);
}

//@ fn __unspool_roundf inline
// Halfway cases away from zero.
static float __unspool_roundf(float x) {
  float t = __builtin_truncf(x);
  float r = __builtin_fabsf(x - t) >= 0.5f ? t + __builtin_copysignf(1.0f, x) : t;
  return __builtin_copysignf(__builtin_fabsf(x) < 8388608.0f ? r : x, x);
}

//@ fn __unspool_lroundf inline
static long __unspool_lroundf(float x) { return __builtin_unspool_float2long_rz(__unspool_roundf(x)); }

//@ fn __unspool_nextafterf
static float __unspool_nextafterf(float x, float y) {
  if (x != x || y != y) { return x + y; }
  if (x == y) { return y; }
  if (x == 0.0f) { return __builtin_copysignf(__builtin_unspool_as_float(1u), y); }
  unsigned int b = __builtin_unspool_as_uint(x);
  return __builtin_unspool_as_float((x < y) == (x > 0.0f) ? b + 1u : b - 1u);
}

//@ fn __unspool_pow2 inline
// 2^k for k in the normal range.
static double __unspool_pow2(int k) { return __builtin_unspool_as_double((unsigned long)(long)(k + 1023) << 52); }

//@ fn __unspool_ldexp
static double __unspool_ldexp(double x, int k) {
  int limit = 3 * 1023;
  k = k > limit ? limit : (k < -limit ? -limit : k);
  // Up to three exact steps; only the last one that leaves the normal range rounds.
  int step = 1023 - 1;
  if (k > step) { x *= __unspool_pow2(step); k -= step; if (k > step) { x *= __unspool_pow2(step); k -= step; } }
  int down = 968;
  if (k < -step) { x *= __unspool_pow2(-down); k += down; if (k < -step) { x *= __unspool_pow2(-down); k += down; } }
  k = k > step ? step : (k < -step ? -step : k);
  return x * __unspool_pow2(k);
}

//@ fn __unspool_scalbn inline
static double __unspool_scalbn(double x, int k) { return __unspool_ldexp(x, k); }

//@ fn __unspool_scale2 inline
// x * 2^k for x near 1 and any k, in two steps.
static double __unspool_scale2(double x, int k) {
  int h = k >> 1;
  return x * __unspool_pow2(h) * __unspool_pow2(k - h);
}

//@ fn __unspool_frexp
static double __unspool_frexp(double x, int *e) {
  double a = __builtin_fabs(x);
  int bias = 1023 - 1;
  if (a == 0.0 || !(a < __builtin_inf())) { *e = 0; return x + x; }
  if (a < 2.2250738585072014e-308) { x *= 18014398509481984.0; bias += 54; }
  unsigned long b = __builtin_unspool_as_ulong(x);
  *e = (int)((b >> 52) & 2047ul) - bias;
  return __builtin_unspool_as_double((b & ~((unsigned long)2047 << 52)) | ((unsigned long)(1023 - 1) << 52));
}

//@ fn __unspool_ilogb
static int __unspool_ilogb(double x) {
  double a = __builtin_fabs(x);
  if (a == 0.0 || a != a) { return -2147483647 - 1; }
  if (a == __builtin_inf()) { return 2147483647; }
  int bias = 1023;
  if (a < 2.2250738585072014e-308) { a *= 18014398509481984.0; bias += 54; }
  return (int)(__builtin_unspool_as_ulong(a) >> 52) - bias;
}

//@ fn __unspool_logb
static double __unspool_logb(double x) {
  double a = __builtin_fabs(x);
  if (a == 0.0) { return -__builtin_inf(); }
  if (!(a < __builtin_inf())) { return a; }
  return (double)__unspool_ilogb(a);
}

//@ fn __unspool_modf inline
static double __unspool_modf(double x, double *whole) {
  double t = __builtin_trunc(x);
  *whole = t;
  double f = __builtin_fabs(x) == __builtin_inf() ? 0.0 : x - t;
  return __builtin_copysign(f, x);
}

//@ fn __unspool_fract inline
static double __unspool_fract(double x, double *whole) {
  double t = __builtin_floor(x);
  *whole = t;
  double f = __builtin_fabs(x) == __builtin_inf() ? 0.0 : __builtin_fmin(x - t, 0.99999999999999989);
  return x != x ? x : __builtin_copysign(f, x == 0.0 ? x : f);
}

//@ fn __unspool_round inline
// Halfway cases away from zero.
static double __unspool_round(double x) {
  double t = __builtin_trunc(x);
  double r = __builtin_fabs(x - t) >= 0.5 ? t + __builtin_copysign(1.0, x) : t;
  return __builtin_copysign(__builtin_fabs(x) < 4503599627370496.0 ? r : x, x);
}

//@ fn __unspool_lround inline
static long __unspool_lround(double x) { return __builtin_unspool_double2long_rz(__unspool_round(x)); }

//@ fn __unspool_nextafter
static double __unspool_nextafter(double x, double y) {
  if (x != x || y != y) { return x + y; }
  if (x == y) { return y; }
  if (x == 0.0) { return __builtin_copysign(__builtin_unspool_as_double(1ul), y); }
  unsigned long b = __builtin_unspool_as_ulong(x);
  return __builtin_unspool_as_double((x < y) == (x > 0.0) ? b + 1ul : b - 1ul);
}
