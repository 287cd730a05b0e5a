// Written by generate.py from templates.py; change it there.

//@ fn __unspool_rsqrt_coref inline host
// The inverse root of a positive normal number: an integer guess, and two steps of which each triples the digits. The first
// one has constants (Moroz and others, 2018) that even out its error.
static float __unspool_rsqrt_coref(float x) {
  float y = __builtin_unspool_as_float(0x5f1ffff9u - (__builtin_unspool_as_uint(x) >> 1));
  y = y * 0.703952253f * __builtin_fmaf(-x * y, y, 2.38924456f);
  float h = __builtin_fmaf(-x * y, y, 1.0f);
  return __builtin_fmaf(y * h, __builtin_fmaf(0.375f, h, 0.5f), y);
}

//@ fn __unspool_fast_rsqrtf inline host
// Subnormal arguments count as zero.
static float __unspool_fast_rsqrtf(float x) {
  float r = __unspool_rsqrt_coref(x);
  r = x < 1.17549435e-38f ? __builtin_copysignf(__builtin_inff(), x) : r;
  r = x == __builtin_inff() ? 0.0f : r;
  return x < 0.0f ? __builtin_nanf("") : r;
}

//@ fn __unspool_rsqrtf host
static float __unspool_rsqrtf(float x) {
  int small = x < 1.17549435e-38f;
  float n = small ? x * 16777216.0f : x;
  float r = __unspool_rsqrt_coref(n);
  r = small ? r * 4096.0f : r;
  r = x == __builtin_inff() ? 0.0f : r;
  r = x == 0.0f ? __builtin_copysignf(__builtin_inff(), x) : r;
  return x >= 0.0f ? r : __builtin_nanf("");
}

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
