// Written by generate.py from templates.py; change it there.

//@ fn __unspool_rsqrtf inline host
static float __unspool_rsqrtf(float x) { return __builtin_unspool_rsqrt_approx(x); }

//@ fn __unspool_norm_squaref inline host
// The sum of the squares, in double, where it neither overflows nor vanishes; infinite if an argument is.
static double __unspool_norm_squaref(float x, float y, float z, float w) {
  double a = (double)x, b = (double)y, c = (double)z, d = (double)w;
  double s = __builtin_fma(a, a, b * b) + __builtin_fma(c, c, d * d);
  s = __builtin_fabsf(x) == __builtin_inff() ? __builtin_inf() : s;
  s = __builtin_fabsf(y) == __builtin_inff() ? __builtin_inf() : s;
  s = __builtin_fabsf(z) == __builtin_inff() ? __builtin_inf() : s;
  return __builtin_fabsf(w) == __builtin_inff() ? __builtin_inf() : s;
}

//@ fn __unspool_norm4df host
static float __unspool_norm4df(float x, float y, float z, float w) {
  return (float)__builtin_sqrt(__unspool_norm_squaref(x, y, z, w));
}

//@ fn __unspool_rnorm4df host
static float __unspool_rnorm4df(float x, float y, float z, float w) {
  return (float)(1.0 / __builtin_sqrt(__unspool_norm_squaref(x, y, z, w)));
}

//@ fn __unspool_rsqrt_rnf host
// Correctly rounded: by way of double.
static float __unspool_rsqrt_rnf(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }

//@ fn __unspool_rsqrt host
static double __unspool_rsqrt(double x) {
  double y = 1.0 / __builtin_sqrt(x);
  // The rounding of the root, made good where that cannot do harm.
  double h = x * y;
  double e = __builtin_fma(-h, y, 1.0) - __builtin_fma(x, y, -h) * y;
  double r = __builtin_fma(0.5 * e, y, y);
  return x > 2.2250738585072014e-308 ? (x < __builtin_inf() ? r : y) : y;
}

//@ fn __unspool_far_fmodf host
static float __unspool_far_fmodf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  if (!(a < __builtin_inff()) || b == 0.0f || b != b) { return __builtin_nanf(""); }
  unsigned int q;
  double n = __builtin_trunc((double)a / (double)b);
  if (n < 268435456.0) { return (float)__builtin_fma(-n, (double)b, (double)a); }
  return __unspool_rem_coref(a, b, &q);
}

//@ fn __unspool_fmodf host
// A quotient below 4194304.0f is rounded by less than 1/4, and never below a whole number: what is left beside its whole part times y is
// exact, since that has no bit below the last one of y, and it is negative only where the quotient was rounded up to a whole number.
static float __unspool_fmodf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  float q = __builtin_truncf(a / b);
  float r = __builtin_fmaf(-q, b, a);
  r = r < 0.0f ? r + b : r;
  r = b == __builtin_inff() ? a : r;
  // A branch that is rarely taken: vectors skip it.
  if (!((q < 4194304.0f) & (a < __builtin_inff()))) { r = __unspool_far_fmodf(x, y); }
  return __builtin_copysignf(r, x);
}

//@ fn __unspool_far_remainderf host
static float __unspool_far_remainderf(float x, float y) {
  int q;
  return __unspool_remquof(x, y, &q);
}

//@ fn __unspool_remainderf host
// As `fmod`. Where the quotient lies next to the middle between two whole numbers, rounding may have chosen the wrong one; in the very
// middle it is exact, and the even one is chosen.
static float __unspool_remainderf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  float q = __builtin_rintf(a / b);
  float r = __builtin_fmaf(-q, b, a);
  r = __builtin_fabsf(r) + __builtin_fabsf(r) > b ? r - __builtin_copysignf(b, r) : r;
  r = b == __builtin_inff() ? a : r;
  unsigned int sign = __builtin_unspool_as_uint(x) & ((unsigned int)1 << 31);
  float v = __builtin_unspool_as_float(__builtin_unspool_as_uint(r) ^ sign);
  if (!((q < 4194304.0f) & (a < __builtin_inff()))) { v = __unspool_far_remainderf(x, y); }
  return v;
}

//@ fn __unspool_hypotf host
static float __unspool_hypotf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  float h = a > b ? a : b, l = a > b ? b : a;
  float r = __builtin_sqrtf(__builtin_fmaf(h, h, l * l));
  // A branch that is rarely taken: squares that overflow or vanish, and no numbers. Where x is none, h is y.
  if (!((h < 9.22337204e+18f) & ((h > 8.67361738e-19f) | (h == 0.0f)))) { r = __unspool_norm4df(x, y, 0.0f, 0.0f); }
  return r;
}

//@ fn __unspool_far_fmod host
static double __unspool_far_fmod(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (!(a < __builtin_inf()) || b == 0.0 || b != b) { return __builtin_nan(""); }
  unsigned int q;
  if (b == __builtin_inf()) { return a; }
  return __unspool_rem_core(a, b, &q);
}

//@ fn __unspool_fmod host
// A quotient below 2251799813685248.0 is rounded by less than 1/4, and never below a whole number: what is left beside its whole part times y is
// exact, since that has no bit below the last one of y, and it is negative only where the quotient was rounded up to a whole number.
static double __unspool_fmod(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double q = __builtin_trunc(a / b);
  double r = __builtin_fma(-q, b, a);
  r = r < 0.0 ? r + b : r;
  r = b == __builtin_inf() ? a : r;
  // A branch that is rarely taken: vectors skip it.
  if (!((q < 2251799813685248.0) & (a < __builtin_inf()))) { r = __unspool_far_fmod(x, y); }
  return __builtin_copysign(r, x);
}

//@ fn __unspool_far_remainder host
static double __unspool_far_remainder(double x, double y) {
  int q;
  return __unspool_remquo(x, y, &q);
}

//@ fn __unspool_remainder host
// As `fmod`. Where the quotient lies next to the middle between two whole numbers, rounding may have chosen the wrong one; in the very
// middle it is exact, and the even one is chosen.
static double __unspool_remainder(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double q = __builtin_rint(a / b);
  double r = __builtin_fma(-q, b, a);
  r = __builtin_fabs(r) + __builtin_fabs(r) > b ? r - __builtin_copysign(b, r) : r;
  r = b == __builtin_inf() ? a : r;
  unsigned long sign = __builtin_unspool_as_ulong(x) & ((unsigned long)1 << 63);
  double v = __builtin_unspool_as_double(__builtin_unspool_as_ulong(r) ^ sign);
  if (!((q < 2251799813685248.0) & (a < __builtin_inf()))) { v = __unspool_far_remainder(x, y); }
  return v;
}

//@ fn __unspool_hypot host
static double __unspool_hypot(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double h = a > b ? a : b, l = a > b ? b : a;
  double r = __builtin_sqrt(__builtin_fma(h, h, l * l));
  // A branch that is rarely taken: squares that overflow or vanish, and no numbers. Where x is none, h is y.
  if (!((h < 6.7039039649712985e+153) & ((h > 3.0549363634996047e-151) | (h == 0.0)))) { r = __unspool_norm4d(x, y, 0.0, 0.0); }
  return r;
}
