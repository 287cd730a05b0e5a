// Written by generate.py from templates.py; change it there.

//@ fn __unspool_erff host
// Near zero a polynomial, else 1 - 2^-p for a polynomial p.
static float __unspool_erff(float x) {
  float a = __builtin_fabsf(x);
  float small = __unspool_erf_smallf(x);
  float t = (a < 3.9375f ? a : 3.9375f) - 2.4f;
  float p = 4.60008209e-08f;
  p = __builtin_fmaf(p, t, (-2.35855782e-06f));
  p = __builtin_fmaf(p, t, 2.08082674e-05f);
  p = __builtin_fmaf(p, t, (-0.000125620296f));
  p = __builtin_fmaf(p, t, 0.000677773147f);
  p = __builtin_fmaf(p, t, (-0.00344434427f));
  p = __builtin_fmaf(p, t, 0.0169775821f);
  p = __builtin_fmaf(p, t, 1.35685742f);
  p = __builtin_fmaf(p, t, 7.45041847f);
  p = __builtin_fmaf(p, t, 10.5042267f);
  // Between 0 and -26: no exponent leaves the range.
  float m = 12582912.0f - p;
  float f = (12582912.0f - m) - p;
  float q = 0.00133813033f;
  q = __builtin_fmaf(q, f, 0.00966636837f);
  q = __builtin_fmaf(q, f, 0.0555038117f);
  q = __builtin_fmaf(q, f, 0.240223497f);
  q = __builtin_fmaf(q, f, 0.693147182f);
  q = __builtin_fmaf(q, f, 1.0f);
  q = __builtin_unspool_as_float(__builtin_unspool_as_uint(q) + (__builtin_unspool_as_uint(m) << 23));
  float r = a < 0.9f ? small : __builtin_copysignf(1.0f - q, x);
  return x == x ? r : x;
}
