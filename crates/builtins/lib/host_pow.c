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

//@ fn __unspool_pow_coref inline host
// x^(y + yl) for x > 0, finite.
static float __unspool_pow_coref(float x, float y, float yl) {
  float l;
  float h = __unspool_log_pairf(x, &l);
  float t = y * h;
  float u = __builtin_fmaf(y, h, -t) + __builtin_fmaf(y, l, yl * h);
  u = __builtin_fabsf(t) < 125.0f ? u : 0.0f;
  return __unspool_exp_partsf(t, u, 0);
}

//@ fn __unspool_powf host
static float __unspool_powf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  float zero_or_inf = y < 0.0f ? __builtin_inff() : 0.0f;
  float inf_or_zero = y < 0.0f ? 0.0f : __builtin_inff();
  float h = y * 0.5f;
  // Whole numbers, and odd ones; every large number is whole and even.
  float fraction = y - __builtin_truncf(y), odd = h - __builtin_truncf(h);
  float r = __unspool_pow_coref(a, y, 0.0f);
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

//@ fn __unspool_powrf host
static float __unspool_powrf(float x, float y) {
  float b = __builtin_fabsf(y);
  float zero_or_inf = y < 0.0f ? __builtin_inff() : 0.0f;
  float inf_or_zero = y < 0.0f ? 0.0f : __builtin_inff();
  float r = __unspool_pow_coref(x, y, 0.0f);
  r = x == 0.0f ? zero_or_inf : r;
  r = x == __builtin_inff() ? inf_or_zero : r;
  r = b == __builtin_inff() ? (x > 1.0f ? inf_or_zero : zero_or_inf) : r;
  r = x == 1.0f ? (b < __builtin_inff() ? 1.0f : __builtin_nanf("")) : r;
  float w = x > 0.0f ? (x < __builtin_inff() ? 1.0f : __builtin_nanf("")) : __builtin_nanf("");
  r = y == 0.0f ? w : r;
  r = y != y ? y : r;
  return x >= 0.0f ? r : __builtin_nanf("");
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
  float p = 0.00143634516f;
  p = __builtin_fmaf(p, (m - 2.25f), (-0.00412032148f));
  p = __builtin_fmaf(p, (m - 2.25f), 0.00609292649f);
  p = __builtin_fmaf(p, (m - 2.25f), (-0.0260684341f));
  p = __builtin_fmaf(p, (m - 2.25f), 0.194305003f);
  p = __builtin_fmaf(p, (m - 2.25f), 1.30990136f);
  float r = p;
  r = __builtin_fmaf(-__builtin_fmaf(r * r, r, -m), 1.0f / (3.0f * r * r), r);
  float s = r * r;
  float d = __builtin_fmaf(s, r, -m) + __builtin_fmaf(r, r, -s) * r;
  r = __builtin_fmaf(-d, 1.0f / (3.0f * s), r);
  r = __builtin_copysignf(r * __unspool_pow2f(k), x);
  r = a < __builtin_inff() ? r : x;
  return x == 0.0f ? x : r;
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

//@ fn __unspool_pow host
static double __unspool_pow(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double zero_or_inf = y < 0.0 ? __builtin_inf() : 0.0;
  double inf_or_zero = y < 0.0 ? 0.0 : __builtin_inf();
  double h = y * 0.5;
  // Whole numbers, and odd ones; every large number is whole and even.
  double fraction = y - __builtin_trunc(y), odd = h - __builtin_trunc(h);
  double r = __unspool_pow_core(a, y, 0.0);
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

//@ fn __unspool_powr host
static double __unspool_powr(double x, double y) {
  double b = __builtin_fabs(y);
  double zero_or_inf = y < 0.0 ? __builtin_inf() : 0.0;
  double inf_or_zero = y < 0.0 ? 0.0 : __builtin_inf();
  double r = __unspool_pow_core(x, y, 0.0);
  r = x == 0.0 ? zero_or_inf : r;
  r = x == __builtin_inf() ? inf_or_zero : r;
  r = b == __builtin_inf() ? (x > 1.0 ? inf_or_zero : zero_or_inf) : r;
  r = x == 1.0 ? (b < __builtin_inf() ? 1.0 : __builtin_nan("")) : r;
  double w = x > 0.0 ? (x < __builtin_inf() ? 1.0 : __builtin_nan("")) : __builtin_nan("");
  r = y == 0.0 ? w : r;
  r = y != y ? y : r;
  return x >= 0.0 ? r : __builtin_nan("");
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
  double p = 0.0014363452109175817;
  p = __builtin_fma(p, (m - 2.25), (-0.0041203214902228794));
  p = __builtin_fma(p, (m - 2.25), 0.0060929264021582098);
  p = __builtin_fma(p, (m - 2.25), (-0.026068435028230464));
  p = __builtin_fma(p, (m - 2.25), 0.19430500706354581);
  p = __builtin_fma(p, (m - 2.25), 1.3099013088991942);
  double r = p;
  r = __builtin_fma(-__builtin_fma(r * r, r, -m), 1.0 / (3.0 * r * r), r);
  r = __builtin_fma(-__builtin_fma(r * r, r, -m), 1.0 / (3.0 * r * r), r);
  double s = r * r;
  double d = __builtin_fma(s, r, -m) + __builtin_fma(r, r, -s) * r;
  r = __builtin_fma(-d, 1.0 / (3.0 * s), r);
  r = __builtin_copysign(r * __unspool_pow2(k), x);
  r = a < __builtin_inf() ? r : x;
  return x == 0.0 ? x : r;
}
