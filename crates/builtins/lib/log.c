// Written by generate.py from templates.py; change it there.

//@ fn __unspool_log_specialf inline
static float __unspool_log_specialf(float x) { return x == 0.0f ? -__builtin_inff() : (x < 0.0f ? __builtin_nanf("") : x); }

//@ fn __unspool_asinhf
static float __unspool_asinhf(float x) {
  float a = __builtin_fabsf(x);
  // Beyond, 1 does not count beside a.
  int far = !(a < 67108864.0f);
  float z = a * a;
  float r = __unspool_log1pf(far ? a : a + __unspool_quotientf(z, 1.0f + __unspool_rootf(z + 1.0f)));
  return __builtin_copysignf(far ? r + 0.693147182f : r, x);
}

//@ fn __unspool_acoshf
static float __unspool_acoshf(float x) {
  int far = x > 67108864.0f;
  float t = x - 1.0f;
  float r = __unspool_log1pf(far ? x : t + __unspool_rootf(__builtin_fmaf(t, t, 2.0f * t)));
  r = far ? r + 0.693147182f : r;
  // The root of a negative number is no number, but below -1 nothing negative is under it.
  return x < 1.0f ? __builtin_nanf("") : r;
}

//@ fn __unspool_atanhf
static float __unspool_atanhf(float x) {
  float a = __builtin_fabsf(x);
  float r = 0.5f * __unspool_log1pf(a == 1.0f ? __builtin_inff() : __unspool_quotientf(2.0f * a, 1.0f - a));
  return a > 1.0f ? __builtin_nanf("") : __builtin_copysignf(r, x);
}

//@ fn __unspool_log_special inline
static double __unspool_log_special(double x) { return x == 0.0 ? -__builtin_inf() : (x < 0.0 ? __builtin_nan("") : x); }

//@ fn __unspool_asinh
static double __unspool_asinh(double x) {
  double a = __builtin_fabs(x);
  // Beyond, 1 does not count beside a.
  int far = !(a < 72057594037927936.0);
  double z = a * a;
  double r = __unspool_log1p(far ? a : a + __unspool_quotient(z, 1.0 + __unspool_root(z + 1.0)));
  return __builtin_copysign(far ? r + 0.69314718055994529 : r, x);
}

//@ fn __unspool_acosh
static double __unspool_acosh(double x) {
  int far = x > 72057594037927936.0;
  double t = x - 1.0;
  double r = __unspool_log1p(far ? x : t + __unspool_root(__builtin_fma(t, t, 2.0 * t)));
  r = far ? r + 0.69314718055994529 : r;
  // The root of a negative number is no number, but below -1 nothing negative is under it.
  return x < 1.0 ? __builtin_nan("") : r;
}

//@ fn __unspool_atanh
static double __unspool_atanh(double x) {
  double a = __builtin_fabs(x);
  double r = 0.5 * __unspool_log1p(a == 1.0 ? __builtin_inf() : __unspool_quotient(2.0 * a, 1.0 - a));
  return a > 1.0 ? __builtin_nan("") : __builtin_copysign(r, x);
}

//@ fn __unspool_log_split inline
// x > 0 and finite: f with x = (1 + f) * 2^e, 1 + f between sqrt(1/2) and sqrt(2).
static double __unspool_log_split(double x, int *e) {
  int sub = 0;
  if (x < 2.2250738585072014e-308) { x *= 18014398509481984.0; sub = 54; }
  long b = (long)__builtin_unspool_as_ulong(x) - (long)0x3fe6a09e667f3bcdul;
  *e = (int)(b >> 52) - sub;
  return __builtin_unspool_as_double((unsigned long)((b & (((long)1 << 52) - 1)) + (long)0x3fe6a09e667f3bcdul)) - 1.0;
}

//@ fn __unspool_log1 inline
// log(1 + f), split: f - the result is the smaller part.
static double __unspool_log1(double f) {
  double q = __unspool_quotient(f, 2.0 + f);
  double s = q * q;
  double p = 0.13099813461303711;
  p = __builtin_fma(p, s, 0.13267505168914795);
  p = __builtin_fma(p, s, 0.15386283397674561);
  p = __builtin_fma(p, s, 0.18181795050482819);
  p = __builtin_fma(p, s, 0.22222222392449786);
  p = __builtin_fma(p, s, 0.28571428570846891);
  p = __builtin_fma(p, s, 0.40000000000000641);
  p = __builtin_fma(p, s, 0.66666666666666663);
  // log(1+f) = f - q*(f - s*p), and f - q*f = 2q.
  return q * __builtin_fma(-s, p, f);
}

//@ fn __unspool_log
static double __unspool_log(double x) {
  if (!(x > 0.0 && x < __builtin_inf())) { return __unspool_log_special(x); }
  int e;
  double f = __unspool_log_split(x, &e);
  double k = (double)e;
  double l = __unspool_log1(f);
  // Exact high part first; f and k * E1 lose at most one rounding.
  double h = __builtin_fma(k, 0.69314718055989033, f);
  double c = f - (h - k * 0.69314718055989033);
  return h + (c + __builtin_fma(k, 5.4979230187083712e-14, -l));
}

//@ fn __unspool_log2
static double __unspool_log2(double x) {
  if (!(x > 0.0 && x < __builtin_inf())) { return __unspool_log_special(x); }
  int e;
  double f = __unspool_log_split(x, &e);
  double l = __unspool_log1(f);
  double h = f - l, c = (f - h) - l;
  double t = h * 1.4426950408889634;
  double u = __builtin_fma(h, 1.4426950408889634, -t) + __builtin_fma(h, 2.0355273740931033e-17, c * 1.4426950408889634);
  double k = (double)e;
  double r = k + t;
  return r + ((t - (r - k)) + u);
}

//@ fn __unspool_log10
static double __unspool_log10(double x) {
  if (!(x > 0.0 && x < __builtin_inf())) { return __unspool_log_special(x); }
  int e;
  double f = __unspool_log_split(x, &e);
  double l = __unspool_log1(f);
  double h = f - l, c = (f - h) - l;
  double t = h * 0.43429448190325182;
  double u = __builtin_fma(h, 0.43429448190325182, -t) + __builtin_fma(h, 1.0983196502167651e-17, c * 0.43429448190325182);
  double k = (double)e;
  double g = k * 0.30102999566395283;
  double r = g + t;
  return r + ((t - (r - g)) + __builtin_fma(k, 2.8363394551044964e-14, u));
}

//@ fn __unspool_log1p
static double __unspool_log1p(double x) {
  double u = 1.0 + x;
  if (!(u > 0.0 && u < __builtin_inf())) { return __unspool_log_special(u); }
  int e;
  double f = __unspool_log_split(u, &e);
  // What 1 + x lost, relative to u.
  double lost = __builtin_fabs(x) < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  double c = __unspool_quotient(lost, u);
  if (e == 0) { f = x; c = 0.0; }
  double k = (double)e;
  double l = __unspool_log1(f);
  double h = __builtin_fma(k, 0.69314718055989033, f);
  double d = f - (h - k * 0.69314718055989033);
  double r = h + (d + (__builtin_fma(k, 5.4979230187083712e-14, -l) + c));
  return x == 0.0 ? x : r;
}

//@ fn __unspool_log1pf
static float __unspool_log1pf(float x) {
  float u = 1.0f + x;
  // 1 + x = (1 + f) * 2^e, f from -1/4 to 1/2; a fourth of 2^-e, as 2^-128 is no normal number.
  unsigned int b = (__builtin_unspool_as_uint(u) - 0x3f400000u) & 0xff800000u;
  float s = 0.25f * __builtin_unspool_as_float(0x40800000u - b);
  float f = __builtin_fmaf(x, s, s - 1.0f);
  float p = (-0.0473824255f);
  p = __builtin_fmaf(p, f, 0.106256291f);
  p = __builtin_fmaf(p, f, (-0.131228775f));
  p = __builtin_fmaf(p, f, 0.144384563f);
  p = __builtin_fmaf(p, f, (-0.166476443f));
  p = __builtin_fmaf(p, f, 0.199935928f);
  p = __builtin_fmaf(p, f, (-0.25000155f));
  p = __builtin_fmaf(p, f, 0.333333969f);
  p = __builtin_fmaf(p, f, (-0.5f));
  float r = __builtin_fmaf(p, f * f, f);
  r = __builtin_fmaf((float)(int)b, 8.26295832e-08f, r);
  if (!(u > 0.0f && u < __builtin_inff())) { return __unspool_log_specialf(u); }
  // A zero keeps its sign.
  return x == 0.0f ? x : r;
}

//@ fn __unspool_log_fractionf inline
// x = (1 + f) * 2^k for x that is positive and finite; `least` is the least 1 + f.
static float __unspool_log_fractionf(float x, float least, float *k) {
  int small = x < 1.17549435e-38f;
  float v = small ? x * 8388608.0f : x;
  unsigned int b = (__builtin_unspool_as_uint(v) - __builtin_unspool_as_uint(least)) & 0xff800000u;
  *k = __builtin_fmaf((float)(int)b, 1.1920928955078125e-07f, small ? -23.0f : 0.0f);
  return __builtin_unspool_as_float(__builtin_unspool_as_uint(v) - b) - 1.0f;
}

//@ fn __unspool_log_endsf inline
// The logarithm r of x, unless x is not positive and finite.
static float __unspool_log_endsf(float x, float r) {
  float far = __builtin_fmaf(x, __builtin_inff(), __builtin_inff());
  r = __builtin_unspool_as_uint(x) >= 0x7f800000u ? far : r;
  return x == 0.0f ? -__builtin_inff() : r;
}

//@ fn __unspool_logf
static float __unspool_logf(float x) {
  float k;
  float f = __unspool_log_fractionf(x, 0.6666667f, &k);
  float p = 0.14011097f;
  p = __builtin_fmaf(p, f, (-0.154059589f));
  p = __builtin_fmaf(p, f, 0.13999708f);
  p = __builtin_fmaf(p, f, (-0.16412206f));
  p = __builtin_fmaf(p, f, 0.200108513f);
  p = __builtin_fmaf(p, f, (-0.250080645f));
  p = __builtin_fmaf(p, f, 0.333332062f);
  p = __builtin_fmaf(p, f, (-0.499999315f));
  float r = __builtin_fmaf(f * f, p, f);
  return __unspool_log_endsf(x, __builtin_fmaf(k, 0.693147182f, r));
}

//@ fn __unspool_log2f
static float __unspool_log2f(float x) {
  float k;
  float f = __unspool_log_fractionf(x, 0.70710677f, &k);
  float p = (-0.110206097f);
  p = __builtin_fmaf(p, f, 0.186550215f);
  p = __builtin_fmaf(p, f, (-0.191152185f));
  p = __builtin_fmaf(p, f, 0.204541251f);
  p = __builtin_fmaf(p, f, (-0.239596397f));
  p = __builtin_fmaf(p, f, 0.288570225f);
  p = __builtin_fmaf(p, f, (-0.360697865f));
  p = __builtin_fmaf(p, f, 0.480898201f);
  p = __builtin_fmaf(p, f, (-0.721347332f));
  float r = __builtin_fmaf(f * f, p, f * 1.92596303e-08f);
  return __unspool_log_endsf(x, k + __builtin_fmaf(f, 1.44269502f, r));
}

//@ fn __unspool_log10f
static float __unspool_log10f(float x) {
  float k;
  float f = __unspool_log_fractionf(x, 0.70710677f, &k);
  float p = (-0.0332071073f);
  p = __builtin_fmaf(p, f, 0.0561491102f);
  p = __builtin_fmaf(p, f, (-0.0575236976f));
  p = __builtin_fmaf(p, f, 0.0615733676f);
  p = __builtin_fmaf(p, f, (-0.0721284002f));
  p = __builtin_fmaf(p, f, 0.0868683532f);
  p = __builtin_fmaf(p, f, (-0.108580738f));
  p = __builtin_fmaf(p, f, 0.144764781f);
  p = __builtin_fmaf(p, f, (-0.217147186f));
  float r = __builtin_fmaf(f * f, p, k * (-1.43209888e-08f));
  r = __builtin_fmaf(f, 0.434294492f, r);
  return __unspool_log_endsf(x, __builtin_fmaf(k, 0.30103001f, r));
}
