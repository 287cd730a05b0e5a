// What the builtin library's text needs from a C compiler. APPROX_NOISE is the relative error, in units of 2^-24, that
// the approximate instructions are given; its sign is pseudo-random.
#include <float.h>
#include <math.h>
#define __constant
#define __generic
static float noisy(double exact) {
  float f = (float)exact;
  unsigned int b;
  __builtin_memcpy(&b, &f, 4);
  b = b * 2654435761u >> 16;
  return (float)(exact * (1.0 + ((b & 1u) ? APPROX_NOISE : -APPROX_NOISE) * 0x1p-24));
}
static float __builtin_unspool_ex2_approx(float x) { return noisy(exp2((double)x)); }
static float __builtin_unspool_lg2_approx(float x) { return (float)(log2((double)x)); }
static float __builtin_unspool_rsqrt_approx(float x) { return noisy(1.0 / sqrt((double)x)); }
static float __builtin_unspool_rcp_approx(float x) { return noisy(1.0 / (double)x); }
static float flush(float x) { return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x; }
static float __builtin_unspool_ex2_approx_ftz(float x) { return flush(__builtin_unspool_ex2_approx(flush(x))); }
static float __builtin_unspool_lg2_approx_ftz(float x) { return __builtin_unspool_lg2_approx(flush(x)); }
static float __builtin_unspool_rsqrt_approx_ftz(float x) { return __builtin_unspool_rsqrt_approx(flush(x)); }
// What fourteen bits may be: the same argument errs the same way, others the other way.
static double rough(double x, double exact) {
  unsigned long b;
  __builtin_memcpy(&b, &x, 8);
  return exact * (1.0 + ((b * 0x9e3779b97f4a7c15ul >> 63) != 0 ? 6e-5 : -6e-5));
}
static float __builtin_unspool_rcp_rough(float x) { return (float)rough((double)x, 1.0 / (double)x); }
static double __builtin_unspool_rcp_rough_f64(double x) { return rough(x, 1.0 / x); }
static double __builtin_unspool_rsqrt_rough_f64(double x) { return rough(x, 1.0 / sqrt(x)); }
static float __builtin_unspool_rcp_approx_ftz(float x) { return flush(__builtin_unspool_rcp_approx(flush(x))); }
static float __builtin_unspool_sin_approx(float x) { return (float)sin((double)x); }
static float __builtin_unspool_cos_approx(float x) { return (float)cos((double)x); }
static float __builtin_unspool_div_approx(float x, float y) { return noisy((double)x / (double)y); }
// The instructions on doubles see and give the upper word only: 20 bits of mantissa.
static double upper(double x) {
  unsigned long b;
  __builtin_memcpy(&b, &x, 8);
  b &= ~0xfffffffful;
  __builtin_memcpy(&x, &b, 8);
  return x;
}
static double __builtin_unspool_rcp_approx_f64(double x) { return upper(1.0 / upper(x)); }
static double __builtin_unspool_rsqrt_approx_f64(double x) { return upper(1.0 / sqrt(upper(x))); }
// With AVX-512: an estimate of 14 bits, and as `writer/rsqrt.rs` goes on.
static double estimate(double x) {
  double y = 1.0 / sqrt(x);
  unsigned long b;
  __builtin_memcpy(&b, &y, 8);
  b = y > 0.0 && y < INFINITY ? (b + (1ul << 38)) >> 39 << 39 : b;
  __builtin_memcpy(&y, &b, 8);
  return y;
}
static double __builtin_unspool_rsqrt_near(double x) {
  double y = estimate(x), e = fma(-(x * y), y, 1.0);
  double p = fma(fma(fma(e, 0.2734375, 0.3125), e, 0.375), e, 0.5), r = fma(y * e, p, y);
  return r != r ? y : r;
}
static double __builtin_unspool_sqrt_near(double x) {
  double y = estimate(x), g = x * y, e = fma(-g, y, 1.0);
  double r = fma(g * e, fma(fma(e, 0.3125, 0.375), e, 0.5), g);
  return fma(fma(-r, r, x), 0.5 * y, r);
}
#define CAST(name, to, from) static to name(from x) { to r; __builtin_memcpy(&r, &x, sizeof r); return r; }
CAST(__builtin_unspool_as_uint, unsigned int, float)
CAST(__builtin_unspool_as_float, float, unsigned int)
CAST(__builtin_unspool_as_ulong, unsigned long, double)
CAST(__builtin_unspool_as_double, double, unsigned long)
static unsigned long __builtin_unspool_mulhi_u64(unsigned long a, unsigned long b) {
  return (unsigned long)((unsigned __int128)a * b >> 64);
}
// What AVX-512 has as instructions, from 3/4 up to 3/2.
static double __builtin_unspool_scale(double x, double y) { return y != y ? y : y == INFINITY ? (x != x ? y : x * y) : y == -INFINITY ? (x != x ? 0.0 : x * 0.0) : ldexp(x, (int)floor(fmin(fmax(y, -3000.0), 3000.0))); }
static double __builtin_unspool_exponent(double x) { return logb(x); }
static double __builtin_unspool_significand(double x) {
  int e;
  if (x != x || x < 0.0) { return NAN; }
  if (x == 0.0 || x == INFINITY) { return copysign(1.0, x); }
  double m = 2.0 * frexp(x, &e);
  return m < 1.5 ? m : 0.5 * m;
}
static float __builtin_unspool_scalef(float x, float y) { return (float)__builtin_unspool_scale((double)x, (double)y); }
static float __builtin_unspool_exponentf(float x) { return (float)logb((double)x); }
static float __builtin_unspool_significandf(float x) { return (float)__builtin_unspool_significand((double)x); }
// Saturating, as on the device.
static int __builtin_unspool_float2int_rn(float x) { return x != x ? 0 : (int)fmin(fmax(rint((double)x), -2147483648.0), 2147483647.0); }
static int __builtin_unspool_double2int_rn(double x) { return x != x ? 0 : (int)fmin(fmax(rint(x), -2147483648.0), 2147483647.0); }
static long __builtin_unspool_double2long_rz(double x) { return x != x ? 0 : x >= 0x1p63 ? 0x7fffffffffffffff : x <= -0x1p63 ? -0x7fffffffffffffff - 1 : (long)x; }
static long __builtin_unspool_float2long_rz(float x) { return __builtin_unspool_double2long_rz((double)x); }
