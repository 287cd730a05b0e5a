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

//@ fn __unspool_scalblnf inline
// Exponents that do not fit 32 bits are as good as those at which everything has overflown.
static float __unspool_scalblnf(float x, long k) { return __unspool_ldexpf(x, k > 4096L ? 4096 : k < -4096L ? -4096 : (int)k); }

//@ fn __unspool_scale2f inline
// x * 2^k for x near 1 and any k, in two steps.
static float __unspool_scale2f(float x, int k) {
  int h = k >> 1;
  return x * __unspool_pow2f(h) * __unspool_pow2f(k - h);
}

//@ fn __unspool_quotientf inline
// n / d, correctly rounded or next to it, where d and the quotient are normal numbers, or n is zero.
static float __unspool_quotientf(float n, float d) {
  float i = __unspool_inversef(d);
  float q = n * i;
  return __builtin_fmaf(__builtin_fmaf(-q, d, n), i, q);
}

//@ fn __unspool_quotientf inline host
static float __unspool_quotientf(float n, float d) { return n / d; }

//@ fn __unspool_rootf inline
// The square root of a normal number or zero, correctly rounded or next to it.
static float __unspool_rootf(float x) {
  float rest;
  float r = __unspool_root_partsf(x, &rest);
  return r + rest;
}

//@ fn __unspool_rootf inline host
static float __unspool_rootf(float x) { return __builtin_sqrtf(x); }

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
  // The sum with the number below 1/2 rounds up from halfway on, and where all numbers are whole it rounds back.
  return __builtin_truncf(x + __builtin_copysignf(0.49999997f, x));
}

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

//@ fn __unspool_scalbln inline
// Exponents that do not fit 32 bits are as good as those at which everything has overflown.
static double __unspool_scalbln(double x, long k) { return __unspool_ldexp(x, k > 4096L ? 4096 : k < -4096L ? -4096 : (int)k); }

//@ fn __unspool_scale2 inline
// x * 2^k for x near 1 and any k, in two steps.
static double __unspool_scale2(double x, int k) {
  int h = k >> 1;
  return x * __unspool_pow2(h) * __unspool_pow2(k - h);
}

//@ fn __unspool_quotient inline
// n / d, correctly rounded or next to it, where d and the quotient are normal numbers, or n is zero.
static double __unspool_quotient(double n, double d) {
  double i = __unspool_inverse(d);
  double q = n * i;
  return __builtin_fma(__builtin_fma(-q, d, n), i, q);
}

//@ fn __unspool_quotient inline host
static double __unspool_quotient(double n, double d) { return n / d; }

//@ fn __unspool_root inline
// The square root of a normal number or zero, correctly rounded or next to it.
static double __unspool_root(double x) {
  double rest;
  double r = __unspool_root_parts(x, &rest);
  return r + rest;
}

//@ fn __unspool_root inline host
static double __unspool_root(double x) { return __builtin_sqrt(x); }

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
  // The sum with the number below 1/2 rounds up from halfway on, and where all numbers are whole it rounds back.
  return __builtin_trunc(x + __builtin_copysign(0.49999999999999994, x));
}

//@ fn __unspool_nextafter
static double __unspool_nextafter(double x, double y) {
  if (x != x || y != y) { return x + y; }
  if (x == y) { return y; }
  if (x == 0.0) { return __builtin_copysign(__builtin_unspool_as_double(1ul), y); }
  unsigned long b = __builtin_unspool_as_ulong(x);
  return __builtin_unspool_as_double((x < y) == (x > 0.0) ? b + 1ul : b - 1ul);
}

//@ fn __unspool_inversef inline
// 1 / d to within two units, where it is a normal number.
static float __unspool_inversef(float d) { return __builtin_unspool_rcp_approx_ftz(d); }

//@ fn __unspool_inverse inline
static double __unspool_inverse(double d) {
  double i = __builtin_unspool_rcp_approx_f64(d);
  double e = __builtin_fma(-d, i, 1.0);
  return __builtin_fma(i, __builtin_fma(e, e, e), i);
}

//@ fn __unspool_inversef inline host
static float __unspool_inversef(float d) { return 1.0f / d; }

//@ fn __unspool_inverse inline host
static double __unspool_inverse(double d) { return 1.0 / d; }

//@ fn __unspool_root_partsf inline
// The square root of a normal number or zero: a value close to it, and what is missing.
static float __unspool_root_partsf(float x, float *rest) {
  float y = __builtin_unspool_rsqrt_approx_ftz(x == 0.0f ? 1.0f : x);
  float r = x * y;
  *rest = __builtin_fmaf(-r, r, x) * (0.5f * y);
  return r;
}

//@ fn __unspool_root_partsf inline host
static float __unspool_root_partsf(float x, float *rest) {
  float r = __builtin_sqrtf(x);
  *rest = r > 0.0f ? __builtin_fmaf(-r, r, x) / (2.0f * r) : 0.0f;
  return r;
}

//@ fn __unspool_root_parts inline host
static double __unspool_root_parts(double x, double *rest) {
  double r = __builtin_sqrt(x);
  *rest = r > 0.0 ? __builtin_fma(-r, r, x) / (2.0 * r) : 0.0;
  return r;
}

//@ fn __unspool_root_parts inline
static double __unspool_root_parts(double x, double *rest) {
  double y = __builtin_unspool_rsqrt_approx_f64(x == 0.0 ? 1.0 : x);
  y = __builtin_fma(0.5 * y, __builtin_fma(-x * y, y, 1.0), y);
  double r = x * y;
  *rest = __builtin_fma(-r, r, x) * (0.5 * y);
  return r;
}
