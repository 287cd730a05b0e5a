// Written by generate.py from templates.py; change it there.

//@ fn __unspool_asinf host
static float __unspool_asinf(float x) {
  float a = __builtin_fabsf(x);
  int near = a <= 0.5f;
  float z = near ? x * x : __builtin_fmaf(a, -0.5f, 0.5f);
  float p = __unspool_asin_polyf(z);
  float r = __builtin_sqrtf(z);
  // The root's rounding error, for the sum with pi/2.
  float e = r > 0.0f ? __builtin_fmaf(-r, r, z) / (2.0f * r) : 0.0f;
  float t = __builtin_fmaf(p, r, e);
  float v = 1.57079637f - (2.0f * r - ((-4.37113883e-08f) - 2.0f * t));
  v = near ? __builtin_fmaf(p, a, a) : v;
  return __builtin_copysignf(v, x);
}

//@ fn __unspool_acosf host
static float __unspool_acosf(float x) {
  float a = __builtin_fabsf(x);
  int near = a <= 0.5f;
  float z = near ? x * x : __builtin_fmaf(a, -0.5f, 0.5f);
  float p = __unspool_asin_polyf(z);
  float r = __builtin_sqrtf(z);
  float e = r > 0.0f ? __builtin_fmaf(-r, r, z) / (2.0f * r) : 0.0f;
  float t = __builtin_fmaf(p, r, e);
  float v = x > 0.0f ? 2.0f * (r + t) : 3.14159274f - 2.0f * (r + (t - 0.5f * (-8.74227766e-08f)));
  return near ? 1.57079637f - (x - ((-4.37113883e-08f) - p * x)) : v;
}

//@ fn __unspool_asin host
static double __unspool_asin(double x) {
  double a = __builtin_fabs(x);
  int near = a <= 0.5;
  double z = near ? x * x : __builtin_fma(a, -0.5, 0.5);
  double p = __unspool_asin_poly(z);
  double r = __builtin_sqrt(z);
  // The root's rounding error, for the sum with pi/2.
  double e = r > 0.0 ? __builtin_fma(-r, r, z) / (2.0 * r) : 0.0;
  double t = __builtin_fma(p, r, e);
  double v = 1.5707963267948966 - (2.0 * r - (6.123233995736766e-17 - 2.0 * t));
  v = near ? __builtin_fma(p, a, a) : v;
  return __builtin_copysign(v, x);
}

//@ fn __unspool_acos host
static double __unspool_acos(double x) {
  double a = __builtin_fabs(x);
  int near = a <= 0.5;
  double z = near ? x * x : __builtin_fma(a, -0.5, 0.5);
  double p = __unspool_asin_poly(z);
  double r = __builtin_sqrt(z);
  double e = r > 0.0 ? __builtin_fma(-r, r, z) / (2.0 * r) : 0.0;
  double t = __builtin_fma(p, r, e);
  double v = x > 0.0 ? 2.0 * (r + t) : 3.1415926535897931 - 2.0 * (r + (t - 0.5 * 1.2246467991473532e-16));
  return near ? 1.5707963267948966 - (x - (6.123233995736766e-17 - p * x)) : v;
}
