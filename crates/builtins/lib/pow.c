// Written by generate.py from templates.py; change it there.

//@ fn __unspool_powrf
static float __unspool_powrf(float x, float y) {
  if (x < 0.0f || x != x || y != y) { return __builtin_nanf(""); }
  if (x == 0.0f && y == 0.0f) { return __builtin_nanf(""); }
  if (x == __builtin_inff() && y == 0.0f) { return __builtin_nanf(""); }
  if (x == 1.0f && __builtin_fabsf(y) == __builtin_inff()) { return __builtin_nanf(""); }
  return __unspool_powf(__builtin_fabsf(x), y);
}

//@ fn __unspool_pownf
static float __unspool_pownf(float x, int n) {
  float a = __builtin_fabsf(x);
  if (n == 0) { return 1.0f; }
  if (x != x) { return x; }
  // An int need not fit a float: the rest goes beside.
  float y = (float)n;
  float yl = (float)(n - (int)__builtin_unspool_float2long_rz(y));
  float r = a == 0.0f || a == __builtin_inff() ? ((a == 0.0f) == (n < 0) ? __builtin_inff() : 0.0f) : __unspool_pow_coref(a, y, yl);
  return (n & 1) != 0 ? __builtin_copysignf(r, x) : r;
}

//@ fn __unspool_rootnf
static float __unspool_rootnf(float x, int n) {
  float a = __builtin_fabsf(x);
  if (n == 0 || x != x || (x < 0.0f && (n & 1) == 0)) { return __builtin_nanf(""); }
  float d = (float)n;
  float y = 1.0f / d;
  float yl = __builtin_fmaf(-y, d, 1.0f) / d;
  float r = a == 0.0f || a == __builtin_inff() ? ((a == 0.0f) == (n < 0) ? __builtin_inff() : 0.0f) : __unspool_pow_coref(a, y, yl);
  return (n & 1) != 0 ? __builtin_copysignf(r, x) : r;
}

//@ fn __unspool_cbrtf
static float __unspool_cbrtf(float x) {
  float a = __builtin_fabsf(x);
  // Small values are scaled by 2^72: the products below stay normal numbers.
  int small = a < 0x1p-60f;
  float m = small ? a * 0x1p72f : a;
  float r = __builtin_unspool_ex2_approx_ftz(__builtin_unspool_lg2_approx_ftz(m) * 0.333333343f);
  float s = r * r;
  float d = __builtin_fmaf(s, r, -m) + __builtin_fmaf(r, r, -s) * r;
  r = __builtin_fmaf(-d, __builtin_unspool_rcp_approx_ftz(3.0f * s), r);
  r = small ? r * 0x1p-24f : r;
  return a > 0.0f && a < __builtin_inff() ? __builtin_copysignf(r, x) : x + x;
}

//@ fn __unspool_rcbrtf host
static float __unspool_rcbrtf(float x) { return 1.0f / __unspool_cbrtf(x); }

//@ fn __unspool_powr
static double __unspool_powr(double x, double y) {
  if (x < 0.0 || x != x || y != y) { return __builtin_nan(""); }
  if (x == 0.0 && y == 0.0) { return __builtin_nan(""); }
  if (x == __builtin_inf() && y == 0.0) { return __builtin_nan(""); }
  if (x == 1.0 && __builtin_fabs(y) == __builtin_inf()) { return __builtin_nan(""); }
  return __unspool_pow(__builtin_fabs(x), y);
}

//@ fn __unspool_pown
static double __unspool_pown(double x, int n) {
  double a = __builtin_fabs(x);
  if (n == 0) { return 1.0; }
  if (x != x) { return x; }
  // An int need not fit a float: the rest goes beside.
  double y = (double)n;
  double yl = 0.0;
  double r = a == 0.0 || a == __builtin_inf() ? ((a == 0.0) == (n < 0) ? __builtin_inf() : 0.0) : __unspool_pow_core(a, y, yl);
  return (n & 1) != 0 ? __builtin_copysign(r, x) : r;
}

//@ fn __unspool_rootn
static double __unspool_rootn(double x, int n) {
  double a = __builtin_fabs(x);
  if (n == 0 || x != x || (x < 0.0 && (n & 1) == 0)) { return __builtin_nan(""); }
  double d = (double)n;
  double y = 1.0 / d;
  double yl = __builtin_fma(-y, d, 1.0) / d;
  double r = a == 0.0 || a == __builtin_inf() ? ((a == 0.0) == (n < 0) ? __builtin_inf() : 0.0) : __unspool_pow_core(a, y, yl);
  return (n & 1) != 0 ? __builtin_copysign(r, x) : r;
}

//@ fn __unspool_cbrt
static double __unspool_cbrt(double x) {
  double a = __builtin_fabs(x);
  // a = m * 8^k, y is one over the cube root of m.
  int small = a < 2.2250738585072014e-308;
  double v = small ? a * 18014398509481984.0 : a;
  unsigned long b = __builtin_unspool_as_ulong(v);
  int k = __builtin_unspool_float2int_rn((float)((int)(b >> 52) - 1023) * 0.333333343f);
  double m = __builtin_unspool_as_double(b - ((unsigned long)(long)(3 * k) << 52));
  k = small ? k - 18 : k;
  double y = (double)__builtin_unspool_ex2_approx_ftz(__builtin_unspool_lg2_approx_ftz((float)m) * -0.333333343f);
  // The series of (1 - e)^(-1/3).
  double s = y * y, c = s * y;
  double d = __builtin_fma(y, y, -s) * y + __builtin_fma(s, y, -c);
  double e = __builtin_fma(-m, d, __builtin_fma(-m, c, 1.0));
  y = __builtin_fma(y * e, __builtin_fma(e, 0.22222222222222221, 0.33333333333333331), y);
  double r = m * (y * y);
  s = r * r;
  d = __builtin_fma(s, r, -m) + __builtin_fma(r, r, -s) * r;
  r = __builtin_fma(-d, y * y * 0.33333333333333331, r);
  r = r * __unspool_pow2(k);
  return a > 0.0 && a < __builtin_inf() ? __builtin_copysign(r, x) : x + x;
}

//@ fn __unspool_rcbrt host
static double __unspool_rcbrt(double x) { return 1.0 / __unspool_cbrt(x); }

//@ fn __unspool_log_pair
// The logarithm of x > 0, finite, with its own rounding error beside it.
static double __unspool_log_pair(double x, double *low) {
  int e;
  double f = __unspool_log_split(x, &e);
  double k = (double)e;
  double d = 2.0 + f;
  double i = __unspool_inverse(d);
  double q = f * i;
  double ql = __builtin_fma(-q, f, f - 2.0 * q) * i;
  double s = q * q;
  double sl = __builtin_fma(q, q, -s) + 2.0 * q * ql;
  double p = 0.11734998226165771;
  p = __builtin_fma(p, s, 0.11705094575881958);
  p = __builtin_fma(p, s, 0.13334846496582031);
  p = __builtin_fma(p, s, 0.15384594257303644);
  p = __builtin_fma(p, s, 0.18181818340478076);
  p = __builtin_fma(p, s, 0.22222222221648616);
  p = __builtin_fma(p, s, 0.28571428571429325);
  p = __builtin_fma(p, s, 0.40000000000000002);
  double c = q * s;
  double cl = __builtin_fma(q, s, -c) + __builtin_fma(q, sl, ql * s);
  double t = 0.66666666666666663 * c;
  double tl = __builtin_fma(0.66666666666666663, c, -t) + __builtin_fma(0.66666666666666663, cl, 3.7007434154171883e-17 * c);
  // The sum k*ln2 + 2q + t, exactly in its high part.
  double g = k * 0.69314718055989033;
  double q2 = 2.0 * q;
  double h = g + q2;
  double hl = q2 - (h - g);
  hl = k == 0.0 ? 0.0 : hl;
  double r = h + t;
  double v = r - h;
  double rl = (h - (r - v)) + (t - v);
  double l = rl + (hl + __builtin_fma(k, 5.4979230187083712e-14, __builtin_fma(c * s, p, 2.0 * ql + tl)));
  double out = r + l;
  *low = l - (out - r);
  return out;
}

//@ fn __unspool_pow_core
// x^(y + yl) for x > 0, finite.
static double __unspool_pow_core(double x, double y, double yl) {
  double l;
  double h = __unspool_log_pair(x, &l);
  double t = y * h;
  double u = __builtin_fma(y, h, -t) + __builtin_fma(y, l, yl * h);
  u = __builtin_fabs(t) < 760.0 ? u : 0.0;
  t = __builtin_fmin(__builtin_fmax(t, -760.0), 760.0);
  return __unspool_exp_parts(t, u, 0);
}

//@ fn __unspool_pow
static double __unspool_pow(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (x == 1.0 || y == 0.0) { return 1.0; }
  if (x != x || y != y) { return x + y; }
  int whole = b >= 4503599627370496.0 || __builtin_trunc(y) == y;
  int odd = whole && b < 2.0 * 4503599627370496.0 && __builtin_trunc(y * 0.5) * 2.0 != y;
  int negative = __builtin_unspool_as_ulong(x) >> 63 != 0ul;
  double r;
  if (b == __builtin_inf()) {
    r = a == 1.0 ? 1.0 : ((a > 1.0) == (y > 0.0) ? __builtin_inf() : 0.0);
    return r;
  }
  if (a == 0.0 || a == __builtin_inf()) {
    r = (a == 0.0) == (y < 0.0) ? __builtin_inf() : 0.0;
  } else {
    if (negative && !whole) { return __builtin_nan(""); }
    r = __unspool_pow_core(a, y, 0.0);
  }
  return negative && odd ? -r : r;
}

//@ fn __unspool_rcbrt
static double __unspool_rcbrt(double x) {
  double a = __builtin_fabs(x);
  // a = m * 8^k, y is one over the cube root of m.
  int small = a < 2.2250738585072014e-308;
  double v = small ? a * 18014398509481984.0 : a;
  unsigned long b = __builtin_unspool_as_ulong(v);
  int k = __builtin_unspool_float2int_rn((float)((int)(b >> 52) - 1023) * 0.333333343f);
  double m = __builtin_unspool_as_double(b - ((unsigned long)(long)(3 * k) << 52));
  k = small ? k - 18 : k;
  double y = (double)__builtin_unspool_ex2_approx_ftz(__builtin_unspool_lg2_approx_ftz((float)m) * -0.333333343f);
  // The series of (1 - e)^(-1/3).
  double s = y * y, c = s * y;
  double d = __builtin_fma(y, y, -s) * y + __builtin_fma(s, y, -c);
  double e = __builtin_fma(-m, d, __builtin_fma(-m, c, 1.0));
  y = __builtin_fma(y * e, __builtin_fma(e, 0.22222222222222221, 0.33333333333333331), y);
  double r = y * __unspool_pow2(-k);
  return a > 0.0 && a < __builtin_inf() ? __builtin_copysign(r, x) : a == 0.0 ? __builtin_copysign(__builtin_inf(), x) : a != a ? x : __builtin_copysign(0.0, x);
}

//@ fn __unspool_rcbrtf
static float __unspool_rcbrtf(float x) {
  float a = __builtin_fabsf(x);
  float r = __builtin_unspool_ex2_approx_ftz(__builtin_unspool_lg2_approx(a) * -0.333333343f);
  float e = __builtin_fmaf(-(a * r), r * r, 1.0f);
  float q = __builtin_fmaf(r * 0.333333343f, e, r);
  // Of nothing and of infinities the instructions give what is asked for.
  return __builtin_copysignf(e == e ? q : r, x);
}

//@ fn __unspool_pow_coref
// x^(y + yl) for x >= 0, y not 0; what is no number stays.
static float __unspool_pow_coref(float x, float y, float yl) {
  float k;
  float f = __unspool_log_fractionf(x, 0.70710677f, &k);
  // log2(x) and what rounding leaves of it: log2(1 + f) = 2 atanh(u + ul) / ln 2, u = f / (2 + f).
  float i = __builtin_unspool_rcp_approx_ftz(2.0f + f);
  float u = f * i;
  float ul = __builtin_fmaf(-u, f, __builtin_fmaf(-2.0f, u, f)) * i;
  float s = u * u;
  float p = 0.336925358f;
  p = __builtin_fmaf(p, s, 0.41190654f);
  p = __builtin_fmaf(p, s, 0.577079058f);
  p = __builtin_fmaf(p, s, 0.961796701f);
  p = p * s;
  float h = __builtin_fmaf(u, 2.88539004f, k);
  float l = __builtin_fmaf(u, 2.88539004f, k - h);
  l = __builtin_fmaf(u, 3.85192607e-08f, l);
  l = __builtin_fmaf(ul, __builtin_fmaf(3.0f, p, 2.88539004f), l);
  l = __builtin_fmaf(u, p, l);
  float g = h + l;
  l = l - (g - h);
  // Of what is not positive and finite the instruction's.
  g = __builtin_unspool_as_uint(x) - 1u < 0x7f7fffffu ? g : __builtin_unspool_lg2_approx_ftz(x);
  float t = y * g;
  float e = __builtin_fmaf(yl, g, __builtin_fmaf(y, l, __builtin_fmaf(y, g, -t)));
  // The whole part, with the exponent's bias, is left in the low bits of the sum. Further out there is no other part.
  float m = __builtin_fminf(__builtin_fmaxf(t, -126.0f), 127.0f) + 12583039.0f;
  f = t - (m - 12583039.0f);
  f = __builtin_fabsf(t) < 200.0f ? f + e : f;
  return __builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
}

//@ fn __unspool_powf
static float __unspool_powf(float x, float y) {
  float a = __builtin_fabsf(x);
  float r = __unspool_pow_coref(a, y, 0.0f);
  // From 2^24 on every number is even.
  float odd = __builtin_fabsf(__builtin_fmaf(__builtin_truncf(y * 0.5f), -2.0f, y));
  r = (int)__builtin_unspool_as_uint(x) < 0 && odd == 1.0f ? -r : r;
  r = x < 0.0f && a < __builtin_inff() && __builtin_truncf(y) != y ? __builtin_nanf("") : r;
  int one = x == 1.0f || y == 0.0f || (x == -1.0f && __builtin_fabsf(y) == __builtin_inff());
  return one ? 1.0f : r;
}
