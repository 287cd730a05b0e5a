// Written by generate.py from templates.py; change it there.

//@ fn __unspool_log_pairf host
// The logarithm of x > 0, finite, with its own rounding error beside it.
static float __unspool_log_pairf(float x, float *low) {
  int e;
  float f = __unspool_log_splitf(x, &e);
  float k = (float)e;
  float d = 2.0f + f;
  float i = 1.0f / d;
  float q = f * i;
  float ql = __builtin_fmaf(-q, f, f - 2.0f * q) * i;
  float s = q * q;
  float sl = __builtin_fmaf(q, q, -s) + 2.0f * q * ql;
  float p = 0.230557397f;
  p = __builtin_fmaf(p, s, 0.285620689f);
  p = __builtin_fmaf(p, s, 0.400000155f);
  float c = q * s;
  float cl = __builtin_fmaf(q, s, -c) + __builtin_fmaf(q, sl, ql * s);
  float t = 0.666666687f * c;
  float tl = __builtin_fmaf(0.666666687f, c, -t) + __builtin_fmaf(0.666666687f, cl, (-1.98682155e-08f) * c);
  // The sum k*ln2 + 2q + t, exactly in its high part.
  float g = k * 0.693145752f;
  float q2 = 2.0f * q;
  float h = g + q2;
  float hl = q2 - (h - g);
  hl = k == 0.0f ? 0.0f : hl;
  float r = h + t;
  float v = r - h;
  float rl = (h - (r - v)) + (t - v);
  float l = rl + (hl + __builtin_fmaf(k, 1.42860677e-06f, __builtin_fmaf(c * s, p, 2.0f * ql + tl)));
  float out = r + l;
  *low = l - (out - r);
  return out;
}

//@ fn __unspool_log_pair host
// The logarithm of x > 0, finite, with its own rounding error beside it.
static double __unspool_log_pair(double x, double *low) {
  int e;
  double f = __unspool_log_split(x, &e);
  double k = (double)e;
  double d = 2.0 + f;
  double i = 1.0 / d;
  double q = f * i;
  double ql = __builtin_fma(-q, f, f - 2.0 * q) * i;
  double s = q * q;
  double sl = __builtin_fma(q, q, -s) + 2.0 * q * ql;
  double p = 0.11734446853858305;
  p = __builtin_fma(p, s, 0.11705153994004132);
  p = __builtin_fma(p, s, 0.1333484529132985);
  p = __builtin_fma(p, s, 0.15384594212748867);
  p = __builtin_fma(p, s, 0.18181818342441272);
  p = __builtin_fma(p, s, 0.22222222221624655);
  p = __builtin_fma(p, s, 0.28571428571429419);
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

//@ fn __unspool_pow_coref inline host
// x^y for x > 0, finite, and y not NaN, by way of a logarithm in double, good for the float's result without a second part.
static float __unspool_pow_coref(float x, double y) {
  int e;
  double f = (double)__unspool_log_splitf(x, &e);
  double f2 = f * f;
  double f4 = f2 * f2;
  double f8 = f4 * f4;
  double p = __builtin_fma(__builtin_fma(__builtin_fma((-0.068062838728745842), f, 0.13113741373659851), f4, __builtin_fma(__builtin_fma((-0.13478929482596433), f, 0.13062890904161514), f2, __builtin_fma((-0.14252340712518746), f, 0.16018226063101765))), f8, __builtin_fma(__builtin_fma(__builtin_fma((-0.18043268521059758), f, 0.20610869531570367), f2, __builtin_fma((-0.2404466267778437), f, 0.28853876232923964)), f4, __builtin_fma(__builtin_fma((-0.36067378977099501), f, 0.4808983490728021), f2, __builtin_fma((-0.72134752034308636), f, 1.4426950408862034))));
  double t = y * __builtin_fma(p, f, (double)e);
  // Beyond, the result is zero or infinite.
  t = t > -160.0 ? t : -160.0;
  t = t < 130.0 ? t : 130.0;
  double m = t + 6755399441055744.0;
  float r = (float)(t - (m - 6755399441055744.0));
  float r2 = r * r;
  float r4 = r2 * r2;
  float q = __builtin_fmaf(0.000154448848f, r4, __builtin_fmaf(__builtin_fmaf(0.00133813021f, r, 0.0096181035f), r2, __builtin_fmaf(0.0555038117f, r, 0.240226507f)));
  q = __builtin_fmaf(__builtin_fmaf(q, r, 0.693147182f), r, 1.0f);
  // In two factors, of which none leaves the range.
  int n = (int)(unsigned int)__builtin_unspool_as_ulong(m);
  int h = n >> 1;
  return q * __builtin_unspool_as_float((unsigned int)(h + 127) << 23) * __builtin_unspool_as_float((unsigned int)(n - h + 127) << 23);
}

//@ fn __unspool_pownf host
static float __unspool_pownf(float x, int n) {
  unsigned int m = n < 0 ? 0u - (unsigned int)n : (unsigned int)n;
  if (m < 4096u) {
    // Products in double lose nothing that the result has, and what leaves double's range left float's before.
    double b = (double)x, r = 1.0;
    while (m != 0u) {
      r = (m & 1u) != 0u ? r * b : r;
      b = b * b;
      m >>= 1;
    }
    if (n < 0) { r = 1.0 / r; }
    return (float)r;
  }
  return __unspool_pown_fixf(x, n, __unspool_pow_coref(__builtin_fabsf(x), (double)n));
}

//@ fn __unspool_far_powf host
// x^y, given what the core makes of |x| and y, where that is not the result: x is not positive or not finite, or y is not.
static float __unspool_far_powf(float x, float y, float r) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  float zero_or_inf = y < 0.0f ? __builtin_inff() : 0.0f;
  float inf_or_zero = y < 0.0f ? 0.0f : __builtin_inff();
  float h = y * 0.5f;
  // Whole numbers, and odd ones; every large number is whole and even.
  float fraction = y - __builtin_truncf(y), odd = h - __builtin_truncf(h);
  r = a == 0.0f ? zero_or_inf : r;
  r = a == __builtin_inff() ? inf_or_zero : r;
  r = b == __builtin_inff() ? (a > 1.0f ? inf_or_zero : zero_or_inf) : r;
  r = a == 1.0f ? 1.0f : r;
  float bad = a == 0.0f ? r : (a < __builtin_inff() ? __builtin_nanf("") : r);
  float n = fraction == 0.0f ? (odd == 0.0f ? r : -r) : (b < __builtin_inff() ? bad : r);
  r = __builtin_unspool_as_uint(x) >> 31 != 0u ? n : r;
  r = x != x ? x : r;
  r = y != y ? y : r;
  r = x == 1.0f ? 1.0f : r;
  return y == 0.0f ? 1.0f : r;
}

//@ fn __unspool_powf host
static float __unspool_powf(float x, float y) {
  float r = __unspool_pow_coref(__builtin_fabsf(x), y);
  // A branch that is rarely taken: vectors skip it.
  if (!((x > 0.0f) & (x < __builtin_inff()) & (__builtin_fabsf(y) < __builtin_inff()))) { r = __unspool_far_powf(x, y, r); }
  return r;
}

//@ fn __unspool_far_powrf host
// x^y for positive x where the core's result is not it.
static float __unspool_far_powrf(float x, float y, float r) {
  float b = __builtin_fabsf(y);
  float zero_or_inf = y < 0.0f ? __builtin_inff() : 0.0f;
  float inf_or_zero = y < 0.0f ? 0.0f : __builtin_inff();
  r = x == 0.0f ? zero_or_inf : r;
  r = x == __builtin_inff() ? inf_or_zero : r;
  r = b == __builtin_inff() ? (x > 1.0f ? inf_or_zero : zero_or_inf) : r;
  r = x == 1.0f ? (b < __builtin_inff() ? 1.0f : __builtin_nanf("")) : r;
  float w = x > 0.0f ? (x < __builtin_inff() ? 1.0f : __builtin_nanf("")) : __builtin_nanf("");
  r = y == 0.0f ? w : r;
  r = y != y ? y : r;
  return x >= 0.0f ? r : __builtin_nanf("");
}

//@ fn __unspool_powrf host
static float __unspool_powrf(float x, float y) {
  float r = __unspool_pow_coref(x, y);
  if (!((x > 0.0f) & (x < __builtin_inff()) & (__builtin_fabsf(y) < __builtin_inff()))) { r = __unspool_far_powrf(x, y, r); }
  return r;
}

//@ fn __unspool_pown_fixf inline host
// x^n of |x|^n, which the core gives for positive, finite |x|.
static float __unspool_pown_fixf(float x, int n, float r) {
  float a = __builtin_fabsf(x);
  if (!((a > 0.0f) & (a < __builtin_inff()))) {
    r = (a == 0.0f) == (n < 0) ? __builtin_inff() : 0.0f;
    r = n == 0 ? 1.0f : (x != x ? x : r);
  }
  unsigned int sign = (__builtin_unspool_as_uint(x) >> 31) & (unsigned int)(unsigned int)n;
  return __builtin_unspool_as_float(__builtin_unspool_as_uint(r) ^ (sign << 31));
}

//@ fn __unspool_rootnf host
static float __unspool_rootnf(float x, int n) {
  double d = (double)n;
  double y = 1.0 / d;
  float a = __builtin_fabsf(x);
  float r = __unspool_pow_coref(a, y);
  if (!((a > 0.0f) & (a < __builtin_inff()))) { r = (a == 0.0f) == (n < 0) ? __builtin_inff() : 0.0f; }
  r = (n & 1) != 0 ? __builtin_copysignf(r, x) : r;
  // Of NaN, the root of order zero, and even ones of negative numbers.
  return n == 0 || x != x || (x < 0.0f && (n & 1) == 0) ? __builtin_nanf("") : r;
}

//@ fn __unspool_pow_core inline host
// x^(y + yl) for x > 0, finite.
static double __unspool_pow_core(double x, double y, double yl) {
  double l;
  double h = __unspool_log_pair(x, &l);
  double t = y * h;
  double u = __builtin_fma(y, h, -t) + __builtin_fma(y, l, yl * h);
  u = __builtin_fabs(t) < 890.0 ? u : 0.0;
  return __unspool_exp_parts(t, u, 0);
}

//@ fn __unspool_pown host
static double __unspool_pown(double x, int n) {
  if ((unsigned int)n < 8u) {
    // Six roundings at most.
    double b = x * x, c = b * b;
    double r = (n & 1) != 0 ? x : 1.0;
    r = (n & 2) != 0 ? r * b : r;
    return (n & 4) != 0 ? r * c : r;
  }
  return __unspool_pown_fix(x, n, __unspool_pow_core(__builtin_fabs(x), (double)n, 0.0));
}

//@ fn __unspool_far_pow host
// x^y, given what the core makes of |x| and y, where that is not the result: x is not positive or not finite, or y is not.
static double __unspool_far_pow(double x, double y, double r) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double zero_or_inf = y < 0.0 ? __builtin_inf() : 0.0;
  double inf_or_zero = y < 0.0 ? 0.0 : __builtin_inf();
  double h = y * 0.5;
  // Whole numbers, and odd ones; every large number is whole and even.
  double fraction = y - __builtin_trunc(y), odd = h - __builtin_trunc(h);
  r = a == 0.0 ? zero_or_inf : r;
  r = a == __builtin_inf() ? inf_or_zero : r;
  r = b == __builtin_inf() ? (a > 1.0 ? inf_or_zero : zero_or_inf) : r;
  r = a == 1.0 ? 1.0 : r;
  double bad = a == 0.0 ? r : (a < __builtin_inf() ? __builtin_nan("") : r);
  double n = fraction == 0.0 ? (odd == 0.0 ? r : -r) : (b < __builtin_inf() ? bad : r);
  r = __builtin_unspool_as_ulong(x) >> 63 != 0ul ? n : r;
  r = x != x ? x : r;
  r = y != y ? y : r;
  r = x == 1.0 ? 1.0 : r;
  return y == 0.0 ? 1.0 : r;
}

//@ fn __unspool_pow host
static double __unspool_pow(double x, double y) {
  double r = __unspool_pow_core(__builtin_fabs(x), y, 0.0);
  // A branch that is rarely taken: vectors skip it.
  if (!((x > 0.0) & (x < __builtin_inf()) & (__builtin_fabs(y) < __builtin_inf()))) { r = __unspool_far_pow(x, y, r); }
  return r;
}

//@ fn __unspool_far_powr host
// x^y for positive x where the core's result is not it.
static double __unspool_far_powr(double x, double y, double r) {
  double b = __builtin_fabs(y);
  double zero_or_inf = y < 0.0 ? __builtin_inf() : 0.0;
  double inf_or_zero = y < 0.0 ? 0.0 : __builtin_inf();
  r = x == 0.0 ? zero_or_inf : r;
  r = x == __builtin_inf() ? inf_or_zero : r;
  r = b == __builtin_inf() ? (x > 1.0 ? inf_or_zero : zero_or_inf) : r;
  r = x == 1.0 ? (b < __builtin_inf() ? 1.0 : __builtin_nan("")) : r;
  double w = x > 0.0 ? (x < __builtin_inf() ? 1.0 : __builtin_nan("")) : __builtin_nan("");
  r = y == 0.0 ? w : r;
  r = y != y ? y : r;
  return x >= 0.0 ? r : __builtin_nan("");
}

//@ fn __unspool_powr host
static double __unspool_powr(double x, double y) {
  double r = __unspool_pow_core(x, y, 0.0);
  if (!((x > 0.0) & (x < __builtin_inf()) & (__builtin_fabs(y) < __builtin_inf()))) { r = __unspool_far_powr(x, y, r); }
  return r;
}

//@ fn __unspool_pown_fix inline host
// x^n of |x|^n, which the core gives for positive, finite |x|.
static double __unspool_pown_fix(double x, int n, double r) {
  double a = __builtin_fabs(x);
  if (!((a > 0.0) & (a < __builtin_inf()))) {
    r = (a == 0.0) == (n < 0) ? __builtin_inf() : 0.0;
    r = n == 0 ? 1.0 : (x != x ? x : r);
  }
  unsigned long sign = (__builtin_unspool_as_ulong(x) >> 63) & (unsigned long)(unsigned int)n;
  return __builtin_unspool_as_double(__builtin_unspool_as_ulong(r) ^ (sign << 63));
}

//@ fn __unspool_rootn host
static double __unspool_rootn(double x, int n) {
  double d = (double)n;
  double y = 1.0 / d;
  double a = __builtin_fabs(x);
  double r = __unspool_pow_core(a, y, __builtin_fma(-y, d, 1.0) * y);
  if (!((a > 0.0) & (a < __builtin_inf()))) { r = (a == 0.0) == (n < 0) ? __builtin_inf() : 0.0; }
  r = (n & 1) != 0 ? __builtin_copysign(r, x) : r;
  // Of NaN, the root of order zero, and even ones of negative numbers.
  return n == 0 || x != x || (x < 0.0 && (n & 1) == 0) ? __builtin_nan("") : r;
}

//@ fn __unspool_cbrtf host
static float __unspool_cbrtf(float x) {
  float a = __builtin_fabsf(x);
  int small = a < 1.17549435e-38f;
  float n = small ? a * 33554432.0f : a;
  int e = (int)(__builtin_unspool_as_uint(n) >> 23) - (small ? 25 : 0) - 127 + 1;
  float m = __builtin_unspool_as_float((__builtin_unspool_as_uint(n) & (((unsigned int)1 << 23) - 1u)) | ((unsigned int)(127 - 1) << 23));
  // e = 3k + j, m * 2^j between 1/2 and 4; the product divides by three.
  int k = ((e + 3072) * 43691 >> 17) - 1024;
  m = m * __unspool_pow2f(e - 3 * k);
  // m^(-1/3), so that nothing is divided: steps of third order, the error of y^3 * m cubed each time.
  float y = (-0.00435039774f);
  y = __builtin_fmaf(y, (m - 2.25f), 0.0108704772f);
  y = __builtin_fmaf(y, (m - 2.25f), (-0.00785196386f));
  y = __builtin_fmaf(y, (m - 2.25f), 0.0244349204f);
  y = __builtin_fmaf(y, (m - 2.25f), (-0.113711737f));
  y = __builtin_fmaf(y, (m - 2.25f), 0.764731109f);
  float h0 = __builtin_fmaf(-(m * y), y * y, 1.0f);
  y = __builtin_fmaf(y * h0, __builtin_fmaf(h0, 0.222222224f, 0.333333343f), y);
  float y2 = y * y;
  float r = m * y2;
  float s = r * r;
  float d = __builtin_fmaf(s, r, -m) + __builtin_fmaf(r, r, -s) * r;
  r = __builtin_fmaf(-d, y2 * 0.333333343f, r);
  r = __builtin_copysignf(r * __unspool_pow2f(k), x);
  r = a < __builtin_inff() ? r : x;
  return x == 0.0f ? x : r;
}

//@ fn __unspool_cbrt host
static double __unspool_cbrt(double x) {
  double a = __builtin_fabs(x);
  int small = a < 2.2250738585072014e-308;
  double n = small ? a * 18014398509481984.0 : a;
  int e = (int)(__builtin_unspool_as_ulong(n) >> 52) - (small ? 54 : 0) - 1023 + 1;
  double m = __builtin_unspool_as_double((__builtin_unspool_as_ulong(n) & (((unsigned long)1 << 52) - 1ul)) | ((unsigned long)(1023 - 1) << 52));
  // e = 3k + j, m * 2^j between 1/2 and 4; the product divides by three.
  int k = ((e + 3072) * 43691 >> 17) - 1024;
  m = m * __unspool_pow2(e - 3 * k);
  // m^(-1/3), so that nothing is divided: steps of third order, the error of y^3 * m cubed each time.
  double y = (-0.004350397609046824);
  y = __builtin_fma(y, (m - 2.25), 0.010870477008457823);
  y = __builtin_fma(y, (m - 2.25), (-0.0078519639618138369));
  y = __builtin_fma(y, (m - 2.25), 0.024434920752596172);
  y = __builtin_fma(y, (m - 2.25), (-0.11371173996048715));
  y = __builtin_fma(y, (m - 2.25), 0.76473109076808488);
  double h0 = __builtin_fma(-(m * y), y * y, 1.0);
  y = __builtin_fma(y * h0, __builtin_fma(h0, 0.22222222222222221, 0.33333333333333331), y);
  double h1 = __builtin_fma(-(m * y), y * y, 1.0);
  y = __builtin_fma(y * h1, __builtin_fma(h1, 0.22222222222222221, 0.33333333333333331), y);
  double y2 = y * y;
  double r = m * y2;
  double s = r * r;
  double d = __builtin_fma(s, r, -m) + __builtin_fma(r, r, -s) * r;
  r = __builtin_fma(-d, y2 * 0.33333333333333331, r);
  r = __builtin_copysign(r * __unspool_pow2(k), x);
  r = a < __builtin_inf() ? r : x;
  return x == 0.0 ? x : r;
}
