// Written by generate.py from templates.py; change it there.

//@ fn __unspool_exp_partsf inline
// e^(x + y) * 2^k for a small correction y.
static float __unspool_exp_partsf(float x, float y, int k) {
  // The whole part, with the exponent's bias, is left in the low bits of the sum.
  float bias = 12583039.0f + (float)k;
  float m = __builtin_fminf(__builtin_fmaxf(x * 1.44269502f, (float)(-126 - k)), (float)(127 - k)) + bias;
  float j = m - bias;
  float f = __builtin_fmaf(x, 1.44269502f, -j);
  f = __builtin_fmaf(y, 1.44269502f, __builtin_fmaf(x, 1.92596303e-08f, f));
  return __builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
}

//@ fn __unspool_expf
static float __unspool_expf(float x) {
  float m = __builtin_fminf(__builtin_fmaxf(x * 1.44269502f, -126.0f), 127.0f) + 12583039.0f;
  float j = m - 12583039.0f;
  float f = __builtin_fmaf(x, 1.44269502f, -j);
  f = __builtin_fmaf(x, 1.92596303e-08f, f);
  return __builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
}

//@ fn __unspool_exp2f inline
static float __unspool_exp2f(float x) { return __builtin_unspool_ex2_approx(x); }

//@ fn __unspool_exp10f
static float __unspool_exp10f(float x) {
  float m = __builtin_fminf(__builtin_fmaxf(x * 3.32192802f, -126.0f), 127.0f) + 12583039.0f;
  float j = m - 12583039.0f;
  float f = __builtin_fmaf(x, 3.32192802f, -j);
  f = __builtin_fmaf(x, 7.05953696e-08f, f);
  return __builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
}

//@ fn __unspool_fast_expf inline
static float __unspool_fast_expf(float x) { return __builtin_unspool_ex2_approx(x * 1.44269502f); }

//@ fn __unspool_fast_exp10f inline
static float __unspool_fast_exp10f(float x) { return __builtin_unspool_ex2_approx(x * 3.32192802f); }

//@ fn __unspool_fast_logf inline
static float __unspool_fast_logf(float x) { return __builtin_unspool_lg2_approx(x) * 0.693147182f; }

//@ fn __unspool_fast_log10f inline
static float __unspool_fast_log10f(float x) { return __builtin_unspool_lg2_approx(x) * 0.30103001f; }

//@ fn __unspool_fast_powf inline
static float __unspool_fast_powf(float x, float y) { return __builtin_unspool_ex2_approx(y * __builtin_unspool_lg2_approx(x)); }

//@ fn __unspool_fast_tanf inline
static float __unspool_fast_tanf(float x) { return __builtin_unspool_div_approx(__builtin_unspool_sin_approx(x), __builtin_unspool_cos_approx(x)); }

//@ fn __unspool_fast_sincosf inline
static void __unspool_fast_sincosf(float x, float *sine, float *cosine) {
  *sine = __builtin_unspool_sin_approx(x);
  *cosine = __builtin_unspool_cos_approx(x);
}

//@ fn __unspool_exp_parts inline
// e^(x + y) * 2^k for a small correction y.
static double __unspool_exp_parts(double x, double y, int k) {
  // The whole part is left in the low bits of the sum.
  double m = __builtin_fma(x, 1.4426950408889634, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -0.69314718055989033, x);
  t = __builtin_fma(j, -5.4979230187083712e-14, t) + y;
  double p = 2.5104192006974912e-08;
  p = __builtin_fma(p, t, 2.762503824543182e-07);
  p = __builtin_fma(p, t, 2.7557260142130066e-06);
  p = __builtin_fma(p, t, 2.4801510479898931e-05);
  p = __builtin_fma(p, t, 0.00019841269868620324);
  p = __builtin_fma(p, t, 0.0013888888924452234);
  p = __builtin_fma(p, t, 0.0083333333333289027);
  p = __builtin_fma(p, t, 0.041666666666609051);
  p = __builtin_fma(p, t, 0.16666666666666669);
  p = __builtin_fma(p, t, 0.50000000000000011);
  p = __builtin_fma(p, t * t, t) + 1.0;
  return __unspool_scale2(p, (int)__builtin_unspool_as_ulong(m) + k);
}

//@ fn __unspool_exp
static double __unspool_exp(double x) {
  double c = __builtin_fmin(__builtin_fmax(x, -760.0), 720.0);
  double r = __unspool_exp_parts(c, 0.0, 0);
  return x != x ? x : r;
}

//@ fn __unspool_exp2
static double __unspool_exp2(double x) {
  double c = __builtin_fmin(__builtin_fmax(x, -1100.0), 1030.0);
  double j = __builtin_rint(c);
  double t = c - j;
  double h = t * 0.69314718055994529;
  double l = __builtin_fma(t, 0.69314718055994529, -h) + t * 2.3190468138462996e-17;
  double r = __unspool_scale2(__unspool_exp_parts(h, l, 0), __builtin_unspool_double2int_rn(j));
  return x != x ? x : r;
}

//@ fn __unspool_exp10
static double __unspool_exp10(double x) {
  double c = __builtin_fmin(__builtin_fmax(x, -330.0), 312.0);
  double j = __builtin_rint(c * 3.3219280948873622);
  double t = __builtin_fma(j, -0.30102999566395283, c);
  t = __builtin_fma(j, -2.8363394551044964e-14, t);
  double h = t * 2.3025850929940459;
  double l = __builtin_fma(t, 2.3025850929940459, -h) + t * (-2.1707562233822494e-16);
  double r = __unspool_scale2(__unspool_exp_parts(h, l, 0), __builtin_unspool_double2int_rn(j));
  return x != x ? x : r;
}

//@ fn __unspool_expm1f
static float __unspool_expm1f(float x) {
  float c = __builtin_fminf(__builtin_fmaxf(x, -20.0f), 89.0f);
  float j = __builtin_fabsf(c) < 0.5f ? 0.0f : __builtin_rintf(c * 1.44269502f);
  float t = __builtin_fmaf(j, -0.693145752f, c);
  t = __builtin_fmaf(j, -1.42860677e-06f, t);
  float p = 0.000199448739f;
  p = __builtin_fmaf(p, t, 0.00139821856f);
  p = __builtin_fmaf(p, t, 0.00833323598f);
  p = __builtin_fmaf(p, t, 0.0416657925f);
  p = __builtin_fmaf(p, t, 0.166666672f);
  p = __builtin_fmaf(p, t, 0.5f);
  p = __builtin_fmaf(p, t * t, t);
  // 2^j could overflow where the result does not: half of it.
  float s = __unspool_pow2f(__builtin_unspool_float2int_rn(j) - 1);
  float r = __builtin_fmaf(p, s, s - 0.5f);
  r = j == 0.0f ? p : r + r;
  return x == 0.0f || x != x ? x : r;
}

//@ fn __unspool_sinhf host
static float __unspool_sinhf(float x) {
  float a = __builtin_fabsf(x);
  if (a < 1.0f) {
    float z = x * x;
    float p = 0.000202588853f;
  p = __builtin_fmaf(p, z, 0.00833176263f);
  p = __builtin_fmaf(p, z, 0.166666761f);
    return __builtin_fmaf(p * z, x, x);
  }
  float s = __unspool_exp_partsf(__builtin_fminf(a, 100.0f), 0.0f, -2);
  float r = __builtin_fmaf(2.0f, s, __unspool_quotientf(-0.125f, __builtin_fminf(s, 1.00000002e+30f)));
  return x != x ? x : __builtin_copysignf(r, x);
}

//@ fn __unspool_coshf host
static float __unspool_coshf(float x) {
  float s = __unspool_exp_partsf(__builtin_fminf(__builtin_fabsf(x), 100.0f), 0.0f, -2);
  float r = __builtin_fmaf(2.0f, s, __unspool_quotientf(0.125f, __builtin_fminf(s, 1.00000002e+30f)));
  return x != x ? x : r;
}

//@ fn __unspool_tanhf host
static float __unspool_tanhf(float x) {
  float a = __builtin_fabsf(x);
  if (a < 0.55f) {
    float z = x * x;
    float p = (-0.00660961401f);
  p = __builtin_fmaf(p, z, 0.0213090628f);
  p = __builtin_fmaf(p, z, (-0.0539093763f));
  p = __builtin_fmaf(p, z, 0.133331135f);
  p = __builtin_fmaf(p, z, (-0.333333313f));
    return __builtin_copysignf(__builtin_fmaf(p * z, x, x), x);
  }
  float e = __unspool_exp_partsf(2.0f * __builtin_fminf(a, 30.0f), 0.0f, 0);
  float r = 1.0f - __unspool_quotientf(2.0f, e + 1.0f);
  return x != x ? x : __builtin_copysignf(r, x);
}

//@ fn __unspool_expm1
static double __unspool_expm1(double x) {
  double c = __builtin_fmin(__builtin_fmax(x, -40.0), 710.0);
  double j = __builtin_fabs(c) < 0.5 ? 0.0 : __builtin_rint(c * 1.4426950408889634);
  double t = __builtin_fma(j, -0.69314718055989033, c);
  t = __builtin_fma(j, -5.4979230187083712e-14, t);
  double p = 1.6116496584598417e-10;
  p = __builtin_fma(p, t, 2.0962955817760974e-09);
  p = __builtin_fma(p, t, 2.5051946709283444e-08);
  p = __builtin_fma(p, t, 2.7557076636632682e-07);
  p = __builtin_fma(p, t, 2.7557319433621228e-06);
  p = __builtin_fma(p, t, 2.4801587616145431e-05);
  p = __builtin_fma(p, t, 0.0001984126984114699);
  p = __builtin_fma(p, t, 0.0013888888888704549);
  p = __builtin_fma(p, t, 0.0083333333333333592);
  p = __builtin_fma(p, t, 0.04166666666666706);
  p = __builtin_fma(p, t, 0.16666666666666666);
  p = __builtin_fma(p, t, 0.5);
  p = __builtin_fma(p, t * t, t);
  // 2^j could overflow where the result does not: half of it.
  double s = __unspool_pow2(__builtin_unspool_double2int_rn(j) - 1);
  double r = __builtin_fma(p, s, s - 0.5);
  r = j == 0.0 ? p : r + r;
  return x == 0.0 || x != x ? x : r;
}

//@ fn __unspool_sinh
static double __unspool_sinh(double x) {
  double a = __builtin_fabs(x);
  if (a < 1.0) {
    double z = x * x;
    double p = 2.8445264169895285e-15;
  p = __builtin_fma(p, z, 7.6466253616566573e-13);
  p = __builtin_fma(p, z, 1.6059048396350562e-10);
  p = __builtin_fma(p, z, 2.5052108364058039e-08);
  p = __builtin_fma(p, z, 2.755731922404034e-06);
  p = __builtin_fma(p, z, 0.00019841269841269773);
  p = __builtin_fma(p, z, 0.0083333333333333332);
  p = __builtin_fma(p, z, 0.16666666666666666);
    return __builtin_fma(p * z, x, x);
  }
  double s = __unspool_exp_parts(__builtin_fmin(a, 720.0), 0.0, -2);
  double r = __builtin_fma(2.0, s, __unspool_quotient(-0.125, __builtin_fmin(s, 1e+30)));
  return x != x ? x : __builtin_copysign(r, x);
}

//@ fn __unspool_cosh
static double __unspool_cosh(double x) {
  double s = __unspool_exp_parts(__builtin_fmin(__builtin_fabs(x), 720.0), 0.0, -2);
  double r = __builtin_fma(2.0, s, __unspool_quotient(0.125, __builtin_fmin(s, 1e+30)));
  return x != x ? x : r;
}

//@ fn __unspool_tanh
static double __unspool_tanh(double x) {
  double a = __builtin_fabs(x);
  if (a < 0.55) {
    double z = x * x;
    double p = (-3.0087819063055321e-06);
  p = __builtin_fma(p, z, 1.3341844917615226e-05);
  p = __builtin_fma(p, z, (-3.8068171504597405e-05));
  p = __builtin_fma(p, z, 9.6537292080876806e-05);
  p = __builtin_fma(p, z, (-0.00023904812628545614));
  p = __builtin_fma(p, z, 0.00059001542712914558);
  p = __builtin_fma(p, z, (-0.0014558331607022348));
  p = __builtin_fma(p, z, 0.0035921279523890705);
  p = __builtin_fma(p, z, (-0.008863235526183403));
  p = __builtin_fma(p, z, 0.021869488536057247);
  p = __builtin_fma(p, z, (-0.053968253968252625));
  p = __builtin_fma(p, z, 0.13333333333333333);
  p = __builtin_fma(p, z, (-0.33333333333333331));
    return __builtin_copysign(__builtin_fma(p * z, x, x), x);
  }
  double e = __unspool_exp_parts(2.0 * __builtin_fmin(a, 30.0), 0.0, 0);
  double r = 1.0 - __unspool_quotient(2.0, e + 1.0);
  return x != x ? x : __builtin_copysign(r, x);
}

//@ fn __unspool_sinhf
static float __unspool_sinhf(float x) {
  float a = __builtin_fabsf(x);
  float z = x * x;
  float p = 0.000202588853f;
  p = __builtin_fmaf(p, z, 0.00833176263f);
  p = __builtin_fmaf(p, z, 0.166666761f);
  float s = __unspool_exp_partsf(a, 0.0f, -2);
  float r = __builtin_fmaf(2.0f, s, -0.125f * __builtin_unspool_rcp_approx_ftz(s));
  return a < 1.0f ? __builtin_fmaf(p * z, x, x) : __builtin_copysignf(r, x);
}

//@ fn __unspool_coshf
static float __unspool_coshf(float x) {
  float s = __unspool_exp_partsf(__builtin_fabsf(x), 0.0f, -2);
  return __builtin_fmaf(2.0f, s, 0.125f * __builtin_unspool_rcp_approx_ftz(s));
}

//@ fn __unspool_tanhf
static float __unspool_tanhf(float x) {
  float a = __builtin_fabsf(x);
  float z = x * x;
  float p = 0.00190950243f;
  p = __builtin_fmaf(p, z, (-0.00793380756f));
  p = __builtin_fmaf(p, z, 0.021615319f);
  p = __builtin_fmaf(p, z, (-0.0539358519f));
  p = __builtin_fmaf(p, z, 0.133331791f);
  p = __builtin_fmaf(p, z, (-0.333333313f));
  // An infinity gives 1.
  float e = __builtin_unspool_ex2_approx_ftz(a * 2.88539004f);
  float r = __builtin_fmaf(-2.0f, __builtin_unspool_rcp_approx_ftz(e + 1.0f), 1.0f);
  return __builtin_copysignf(a < 0.75f ? __builtin_fmaf(p * z, x, x) : r, x);
}
