// Written by generate.py from templates.py; change it there.

//@ fn __unspool_signf inline
static float __unspool_signf(float x) { return x > 0.0f ? 1.0f : (x < 0.0f ? -1.0f : (x == 0.0f ? x : 0.0f)); }

//@ fn __unspool_fdimf inline
static float __unspool_fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }

//@ fn __unspool_maxmagf inline
static float __unspool_maxmagf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  return a > b ? x : (b > a ? y : __builtin_fmaxf(x, y));
}

//@ fn __unspool_minmagf inline
static float __unspool_minmagf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  return a < b ? x : (b < a ? y : __builtin_fminf(x, y));
}

//@ fn __unspool_smoothstepf inline
static float __unspool_smoothstepf(float lo, float hi, float x) {
  float t = __builtin_fminf(__builtin_fmaxf((x - lo) / (hi - lo), 0.0f), 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

//@ fn __unspool_sign inline
static double __unspool_sign(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : (x == 0.0 ? x : 0.0)); }

//@ fn __unspool_fdim inline
static double __unspool_fdim(double x, double y) { return x <= y ? 0.0 : x - y; }

//@ fn __unspool_maxmag inline
static double __unspool_maxmag(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  return a > b ? x : (b > a ? y : __builtin_fmax(x, y));
}

//@ fn __unspool_minmag inline
static double __unspool_minmag(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  return a < b ? x : (b < a ? y : __builtin_fmin(x, y));
}

//@ fn __unspool_smoothstep inline
static double __unspool_smoothstep(double lo, double hi, double x) {
  double t = __builtin_fmin(__builtin_fmax((x - lo) / (hi - lo), 0.0), 1.0);
  return t * t * (3.0 - 2.0 * t);
}

//@ fn __unspool_rsqrtf inline
static float __unspool_rsqrtf(float x) { return __builtin_unspool_rsqrt_approx(x); }

//@ fn __unspool_rsqrt_rnf
// Correctly rounded: the approximation, corrected by the exact residual in double.
static float __unspool_rsqrt_rnf(float x) {
  if (!(x > 0.0f) || x == __builtin_inff()) { return __builtin_unspool_rsqrt_approx(x); }
  double d = (double)x;
  double y = (double)__builtin_unspool_rsqrt_approx(x);
  y = __builtin_fma(y * 0.5, __builtin_fma(-d * y, y, 1.0), y);
  y = __builtin_fma(y * 0.5, __builtin_fma(-d * y, y, 1.0), y);
  return (float)y;
}

//@ fn __unspool_rsqrt_step inline
// Takes the 20 bits of the instruction, of a normal number, to full precision.
static double __unspool_rsqrt_step(double x, double g) {
  double e = __builtin_fma(-x * g, g, 1.0);
  return __builtin_fma(__builtin_fma(0.375, e, 0.5), e * g, g);
}

//@ fn __unspool_rsqrt
static double __unspool_rsqrt(double x) {
  double g = __builtin_unspool_rsqrt_approx_f64(x);
  unsigned int top = (unsigned int)(__builtin_unspool_as_ulong(x) >> 32);
  if (top - 0x00100000u < 0x7fe00000u) { return __unspool_rsqrt_step(x, g); }
  // What is left is subnormal, or has its value from the instruction.
  if (!(x > 0.0 && x < 2.2250738585072014e-308)) { return g; }
  double v = x * 18014398509481984.0;
  return __unspool_rsqrt_step(v, __builtin_unspool_rsqrt_approx_f64(v)) * 134217728.0;
}
