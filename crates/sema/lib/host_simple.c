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
