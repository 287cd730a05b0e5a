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

//@ fn __unspool_far_fmodf host
static float __unspool_far_fmodf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  if (!(a < __builtin_inff()) || b == 0.0f || b != b) { return __builtin_nanf(""); }
  unsigned int q;
  return __builtin_copysignf(__unspool_rem_coref(a, b, &q), x);
}

//@ fn __unspool_fmodf host
// By a quotient in double, exact where it is below 2^28: then its product with y is, and the nearest number to the quotient
// is a whole one only if the quotient is.
static float __unspool_fmodf(float x, float y) {
  double a = __builtin_fabs((double)x), b = __builtin_fabs((double)y);
  double q = __builtin_trunc(a / b);
  float v = __builtin_copysignf((float)__builtin_fma(-q, b, a), x);
  v = b == __builtin_inf() ? x : v;
  // A branch that is almost never taken: vectors skip it.
  if (!(q < 268435456.0) || a == __builtin_inf()) { v = __unspool_far_fmodf(x, y); }
  return v;
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

//@ fn __unspool_hypotf host
static float __unspool_hypotf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  float h = a > b ? a : b, l = a > b ? b : a;
  float r = __builtin_sqrtf(__builtin_fmaf(h, h, l * l));
  // A branch that is rarely taken: squares that overflow or vanish, and no numbers. Where x is none, h is y.
  if (!((h < 9.22337204e+18f) & ((h > 8.67361738e-19f) | (h == 0.0f)))) { r = __unspool_norm4df(x, y, 0.0f, 0.0f); }
  return r;
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
