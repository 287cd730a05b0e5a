// Written by generate.py from templates.py; change it there.

//@ fn __unspool_half_turnf inline host
// sin(r) for |r| <= pi/2, a little more, with the sign changed if the lowest bit of m is set.
static float __unspool_half_turnf(float r, float m) {
  float z = r * r;
  float p = __builtin_fmaf(2.63445736e-06f, z, (-0.000198228532f));
  p = __builtin_fmaf(p, z, 0.0083332248f);
  p = __builtin_fmaf(p, z, (-0.166666612f));
  p = __builtin_fmaf(p * z, r, r);
  return __builtin_unspool_as_float(__builtin_unspool_as_uint(p) ^ (__builtin_unspool_as_uint(m) << 31));
}

//@ fn __unspool_far_sinf host
// sin(x + turns * pi/2) where the quick reduction does not reach.
static float __unspool_far_sinf(float x, int turns) {
  if (!(__builtin_fabsf(x) < __builtin_inff())) { return __builtin_nanf(""); }
  int q;
  float r = __unspool_trig_slowf(x, &q);
  return __unspool_quadrant_sinf(r, q + turns);
}

//@ fn __unspool_sinf host
static float __unspool_sinf(float x) {
  float m = __builtin_fmaf(x, 0.318309873f, 12582912.0f);
  float k = m - 12582912.0f;
  float r = __builtin_fmaf(k, -3.14159274f, x);
  r = __builtin_fmaf(k, -(-8.74227766e-08f), r);
  r = __builtin_fmaf(k, -(-3.43024902e-15f), r);
  float v = __unspool_half_turnf(r, m);
  v = x == 0.0f ? x : v;
  // A branch that is almost never taken: vectors skip it.
  if (!(__builtin_fabsf(x) < 105615.0f)) { v = __unspool_far_sinf(x, 0); }
  return v;
}

//@ fn __unspool_cosf host
static float __unspool_cosf(float x) {
  // The nearest zero of the cosine, and which way the function crosses it.
  float m = __builtin_fmaf(x, 0.318309873f, 0.5f) + 12582912.0f;
  float k = (m - 12582912.0f) - 0.5f;
  float r = __builtin_fmaf(k, -3.14159274f, x);
  r = __builtin_fmaf(k, -(-8.74227766e-08f), r);
  r = __builtin_fmaf(k, -(-3.43024902e-15f), r);
  float v = __unspool_half_turnf(r, m);
  if (!(__builtin_fabsf(x) < 105615.0f)) { v = __unspool_far_sinf(x, 1); }
  return v;
}

//@ fn __unspool_sincosf host
static float __unspool_sincosf(float x, float *cosine) {
  *cosine = __unspool_cosf(x);
  return __unspool_sinf(x);
}

//@ fn __unspool_fast_sinf inline host
// Absolute error below 2^-21 between -pi and pi, growing with the argument, as the instruction of GPUs has it.
static float __unspool_fast_sinf(float x) {
  float m = __builtin_fmaf(x, 0.318309873f, 12582912.0f);
  float k = m - 12582912.0f;
  float r = __builtin_fmaf(k, -3.14159274f, x);
  return __unspool_half_turnf(__builtin_fmaf(k, -(-8.74227766e-08f), r), m);
}

//@ fn __unspool_fast_cosf inline host
static float __unspool_fast_cosf(float x) {
  float m = __builtin_fmaf(x, 0.318309873f, 0.5f) + 12582912.0f;
  float k = (m - 12582912.0f) - 0.5f;
  float r = __builtin_fmaf(k, -3.14159274f, x);
  return __unspool_half_turnf(__builtin_fmaf(k, -(-8.74227766e-08f), r), m);
}

//@ fn __unspool_fast_tanf inline host
static float __unspool_fast_tanf(float x) { return __unspool_fast_sinf(x) / __unspool_fast_cosf(x); }

//@ fn __unspool_fast_sincos_valuef inline host
static float __unspool_fast_sincos_valuef(float x, float *cosine) {
  *cosine = __unspool_fast_cosf(x);
  return __unspool_fast_sinf(x);
}

//@ fn __unspool_fast_sincosf inline host
static void __unspool_fast_sincosf(float x, float *sine, float *cosine) {
  *sine = __unspool_fast_sinf(x);
  *cosine = __unspool_fast_cosf(x);
}

//@ fn __unspool_trig_reducef host
// x minus the nearest multiple of pi/2, and which multiple (modulo 4).
static float __unspool_trig_reducef(float x, int *quadrant) {
  float m = __builtin_fmaf(x, 0.636619747f, 12582912.0f);
  float k = m - 12582912.0f;
  float r = __builtin_fmaf(k, -1.57079637f, x);
  r = __builtin_fmaf(k, -(-4.37113883e-08f), r);
  r = __builtin_fmaf(k, -(-1.71512451e-15f), r);
  int q = (int)__builtin_unspool_as_uint(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(__builtin_fabsf(x) < 105615.0f)) {
    r = __builtin_nanf("");
    if (__builtin_fabsf(x) < __builtin_inff()) { r = __unspool_trig_slowf(x, &q); }
  }
  *quadrant = q;
  return r;
}

//@ fn __unspool_quadrant_sinf inline host
static float __unspool_quadrant_sinf(float r, int q) {
  float s = __unspool_sin_polyf(r), c = __unspool_cos_polyf(r);
  float v = (q & 1) != 0 ? c : s;
  return __builtin_unspool_as_float(__builtin_unspool_as_uint(v) ^ ((unsigned int)(unsigned int)(q & 2) << 30));
}

//@ fn __unspool_tanf host
static float __unspool_tanf(float x) {
  int q;
  float r = __unspool_trig_reducef(x, &q);
  float s = __unspool_sin_polyf(r), c = __unspool_cos_polyf(r);
  float n = (q & 1) != 0 ? -c : s, d = (q & 1) != 0 ? s : c;
  float t = n / d;
  return x == 0.0f ? x : t;
}

//@ fn __unspool_trig_reduce host
// x minus the nearest multiple of pi/2, and which multiple (modulo 4).
static double __unspool_trig_reduce(double x, int *quadrant) {
  double m = __builtin_fma(x, 0.63661977236758138, 6755399441055744.0);
  double k = m - 6755399441055744.0;
  double r = __builtin_fma(k, -1.5707963267948966, x);
  r = __builtin_fma(k, -6.123233995736766e-17, r);
  r = __builtin_fma(k, -(-1.4973849048591698e-33), r);
  int q = (int)__builtin_unspool_as_ulong(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(__builtin_fabs(x) < 2147483648.0)) {
    r = __builtin_nan("");
    if (__builtin_fabs(x) < __builtin_inf()) { r = __unspool_trig_slow(x, &q); }
  }
  *quadrant = q;
  return r;
}

//@ fn __unspool_quadrant_sin inline host
static double __unspool_quadrant_sin(double r, int q) {
  double s = __unspool_sin_poly(r), c = __unspool_cos_poly(r);
  double v = (q & 1) != 0 ? c : s;
  return __builtin_unspool_as_double(__builtin_unspool_as_ulong(v) ^ ((unsigned long)(unsigned int)(q & 2) << 62));
}

//@ fn __unspool_tan host
static double __unspool_tan(double x) {
  int q;
  double r = __unspool_trig_reduce(x, &q);
  double s = __unspool_sin_poly(r), c = __unspool_cos_poly(r);
  double n = (q & 1) != 0 ? -c : s, d = (q & 1) != 0 ? s : c;
  double t = n / d;
  return x == 0.0 ? x : t;
}
