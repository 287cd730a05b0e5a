// Written by generate.py from templates.py; change it there.

//@ fn __unspool_splitf inline
// The mantissa of a > 0, finite, from 1 to 2, and the exponent.
static float __unspool_splitf(float a, int *e) {
  int sub = 127;
  if (a < 1.17549435e-38f) { a *= 33554432.0f; sub += 25; }
  unsigned int b = __builtin_unspool_as_uint(a);
  *e = (int)(b >> 23) - sub;
  return __builtin_unspool_as_float((b & (((unsigned int)1 << 23) - 1u)) | ((unsigned int)127 << 23));
}

//@ fn __unspool_rem_coref
// a mod b for a, b > 0, finite; the low bits of the quotient.
static float __unspool_rem_coref(float a, float b, unsigned int *quotient) {
  *quotient = 0u;
  if (a < b) { return a; }
  int ea, eb;
  float r = __unspool_splitf(a, &ea), d = __unspool_splitf(b, &eb);
  float i = __unspool_inversef(d);
  i = __builtin_fmaf(i, __builtin_fmaf(-d, i, 1.0f), i);
  unsigned int q = 0u;
  // Long division, 20 bits at a time. The nearest digit leaves between -d/2 and d/2, a little more where the reciprocal's
  // error counts: that is exact, since it has no bit below the last one of d.
  int n = ea - eb;
  do {
    int s = n < 20 ? n : 20;
    r = r * __unspool_pow2f(s);
    float m = __builtin_fmaf(r, i, 12582912.0f);
    r = __builtin_fmaf(12582912.0f - m, d, r);
    q = (q << s) + (unsigned int)__builtin_unspool_as_uint(m);
    n -= s;
  } while (n > 0);
  q = r < 0.0f ? q - 1u : q;
  r = r < 0.0f ? r + d : r;
  *quotient = q;
  return __unspool_scale2f(r, eb);
}

//@ fn __unspool_fmodf
static float __unspool_fmodf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  if (!(a < __builtin_inff()) || b == 0.0f || b != b) { return __builtin_nanf(""); }
  unsigned int q;
  float r = b == __builtin_inff() ? a : __unspool_rem_coref(a, b, &q);
  return __builtin_copysignf(r, x);
}

//@ fn __unspool_remquof
static float __unspool_remquof(float x, float y, int *quotient) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  *quotient = 0;
  if (!(a < __builtin_inff()) || b == 0.0f || b != b) { return __builtin_nanf(""); }
  if (b == __builtin_inff()) { return x; }
  unsigned int q;
  float r = __unspool_rem_coref(a, b, &q);
  // To nearest, ties to an even quotient. 2r may overflow and b - r never does.
  float rest = b - r;
  int up = r > rest || (r == rest && (q & 1u) != 0u);
  q = up ? q + 1u : q;
  r = up ? -rest : r;
  int low = (int)(q & 127u);
  int differ = (x < 0.0f) != (y < 0.0f);
  *quotient = differ ? -low : low;
  r = r == 0.0f ? 0.0f : r;
  return __builtin_unspool_as_uint(x) >> 31 != 0u ? -r : r;
}

//@ fn __unspool_remainderf
static float __unspool_remainderf(float x, float y) {
  int q;
  return __unspool_remquof(x, y, &q);
}

//@ fn __unspool_norm_coref
// The length as a value near 1 and the exponent to scale it by.
static float __unspool_norm_coref(float x, float y, float z, float w, int *scale) {
  *scale = 0;
  x = __builtin_fabsf(x); y = __builtin_fabsf(y); z = __builtin_fabsf(z); w = __builtin_fabsf(w);
  float big = __builtin_fmaxf(__builtin_fmaxf(x, y), __builtin_fmaxf(z, w));
  if (x == __builtin_inff() || y == __builtin_inff() || z == __builtin_inff() || w == __builtin_inff()) { return __builtin_inff(); }
  // A power of two that brings the largest near 1: squares neither overflow nor vanish.
  int e = big == 0.0f || big != big ? 0 : __unspool_ilogbf(big);
  float s = __unspool_pow2f(-e / 2), u = __unspool_pow2f(-e - (-e / 2));
  x = x * s * u; y = y * s * u; z = z * s * u; w = w * s * u;
  float a = x * x, b = y * y, c = z * z, d = w * w;
  float low = __builtin_fmaf(x, x, -a) + __builtin_fmaf(y, y, -b) + __builtin_fmaf(z, z, -c) + __builtin_fmaf(w, w, -d);
  float h1 = __builtin_fmaxf(a, b), l1 = __builtin_fminf(a, b), h2 = __builtin_fmaxf(c, d), l2 = __builtin_fminf(c, d);
  float p = h1 + l1, q = h2 + l2;
  low += (l1 - (p - h1)) + (l2 - (q - h2));
  float h = __builtin_fmaxf(p, q), l = __builtin_fminf(p, q), t = h + l;
  low += l - (t - h);
  float r = __builtin_sqrtf(t + low);
  *scale = e;
  return x != x || y != y || z != z || w != w ? __builtin_nanf("") : r;
}

//@ fn __unspool_norm4df
static float __unspool_norm4df(float x, float y, float z, float w) {
  int e;
  float r = __unspool_norm_coref(x, y, z, w, &e);
  return __unspool_ldexpf(r, e);
}

//@ fn __unspool_rnorm4df
static float __unspool_rnorm4df(float x, float y, float z, float w) {
  int e;
  float r = 1.0f / __unspool_norm_coref(x, y, z, w, &e);
  return __unspool_ldexpf(r, -e);
}

//@ fn __unspool_norm3df
static float __unspool_norm3df(float x, float y, float z) { return __unspool_norm4df(x, y, z, 0.0f); }

//@ fn __unspool_rhypotf
static float __unspool_rhypotf(float x, float y) { return __unspool_rnorm4df(x, y, 0.0f, 0.0f); }

//@ fn __unspool_rnorm3df
static float __unspool_rnorm3df(float x, float y, float z) { return __unspool_rnorm4df(x, y, z, 0.0f); }

//@ fn __unspool_split inline
// The mantissa of a > 0, finite, from 1 to 2, and the exponent.
static double __unspool_split(double a, int *e) {
  int sub = 1023;
  if (a < 2.2250738585072014e-308) { a *= 18014398509481984.0; sub += 54; }
  unsigned long b = __builtin_unspool_as_ulong(a);
  *e = (int)(b >> 52) - sub;
  return __builtin_unspool_as_double((b & (((unsigned long)1 << 52) - 1ul)) | ((unsigned long)1023 << 52));
}

//@ fn __unspool_rem_core
// a mod b for a, b > 0, finite; the low bits of the quotient.
static double __unspool_rem_core(double a, double b, unsigned int *quotient) {
  *quotient = 0u;
  if (a < b) { return a; }
  int ea, eb;
  double r = __unspool_split(a, &ea), d = __unspool_split(b, &eb);
  double i = __unspool_inverse(d);
  i = __builtin_fma(i, __builtin_fma(-d, i, 1.0), i);
  unsigned int q = 0u;
  // Long division, 30 bits at a time. The nearest digit leaves between -d/2 and d/2, a little more where the reciprocal's
  // error counts: that is exact, since it has no bit below the last one of d.
  int n = ea - eb;
  do {
    int s = n < 30 ? n : 30;
    r = r * __unspool_pow2(s);
    double m = __builtin_fma(r, i, 6755399441055744.0);
    r = __builtin_fma(6755399441055744.0 - m, d, r);
    q = (q << s) + (unsigned int)__builtin_unspool_as_ulong(m);
    n -= s;
  } while (n > 0);
  q = r < 0.0 ? q - 1u : q;
  r = r < 0.0 ? r + d : r;
  *quotient = q;
  return __unspool_scale2(r, eb);
}

//@ fn __unspool_fmod
static double __unspool_fmod(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (!(a < __builtin_inf()) || b == 0.0 || b != b) { return __builtin_nan(""); }
  unsigned int q;
  double r = b == __builtin_inf() ? a : __unspool_rem_core(a, b, &q);
  return __builtin_copysign(r, x);
}

//@ fn __unspool_remquo
static double __unspool_remquo(double x, double y, int *quotient) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  *quotient = 0;
  if (!(a < __builtin_inf()) || b == 0.0 || b != b) { return __builtin_nan(""); }
  if (b == __builtin_inf()) { return x; }
  unsigned int q;
  double r = __unspool_rem_core(a, b, &q);
  // To nearest, ties to an even quotient. 2r may overflow and b - r never does.
  double rest = b - r;
  int up = r > rest || (r == rest && (q & 1u) != 0u);
  q = up ? q + 1u : q;
  r = up ? -rest : r;
  int low = (int)(q & 127u);
  int differ = (x < 0.0) != (y < 0.0);
  *quotient = differ ? -low : low;
  r = r == 0.0 ? 0.0 : r;
  return __builtin_unspool_as_ulong(x) >> 63 != 0ul ? -r : r;
}

//@ fn __unspool_remainder
static double __unspool_remainder(double x, double y) {
  int q;
  return __unspool_remquo(x, y, &q);
}

//@ fn __unspool_norm_core
// The length as a value near 1 and the exponent to scale it by.
static double __unspool_norm_core(double x, double y, double z, double w, int *scale) {
  *scale = 0;
  x = __builtin_fabs(x); y = __builtin_fabs(y); z = __builtin_fabs(z); w = __builtin_fabs(w);
  double big = __builtin_fmax(__builtin_fmax(x, y), __builtin_fmax(z, w));
  if (x == __builtin_inf() || y == __builtin_inf() || z == __builtin_inf() || w == __builtin_inf()) { return __builtin_inf(); }
  // A power of two that brings the largest near 1: squares neither overflow nor vanish.
  int e = big == 0.0 || big != big ? 0 : __unspool_ilogb(big);
  double s = __unspool_pow2(-e / 2), u = __unspool_pow2(-e - (-e / 2));
  x = x * s * u; y = y * s * u; z = z * s * u; w = w * s * u;
  double a = x * x, b = y * y, c = z * z, d = w * w;
  double low = __builtin_fma(x, x, -a) + __builtin_fma(y, y, -b) + __builtin_fma(z, z, -c) + __builtin_fma(w, w, -d);
  double h1 = __builtin_fmax(a, b), l1 = __builtin_fmin(a, b), h2 = __builtin_fmax(c, d), l2 = __builtin_fmin(c, d);
  double p = h1 + l1, q = h2 + l2;
  low += (l1 - (p - h1)) + (l2 - (q - h2));
  double h = __builtin_fmax(p, q), l = __builtin_fmin(p, q), t = h + l;
  low += l - (t - h);
  double r = __builtin_sqrt(t + low);
  *scale = e;
  return x != x || y != y || z != z || w != w ? __builtin_nan("") : r;
}

//@ fn __unspool_norm4d
static double __unspool_norm4d(double x, double y, double z, double w) {
  int e;
  double r = __unspool_norm_core(x, y, z, w, &e);
  return __unspool_ldexp(r, e);
}

//@ fn __unspool_rnorm4d
static double __unspool_rnorm4d(double x, double y, double z, double w) {
  int e;
  double r = 1.0 / __unspool_norm_core(x, y, z, w, &e);
  return __unspool_ldexp(r, -e);
}

//@ fn __unspool_norm3d
static double __unspool_norm3d(double x, double y, double z) { return __unspool_norm4d(x, y, z, 0.0); }

//@ fn __unspool_rhypot
static double __unspool_rhypot(double x, double y) { return __unspool_rnorm4d(x, y, 0.0, 0.0); }

//@ fn __unspool_rnorm3d
static double __unspool_rnorm3d(double x, double y, double z) { return __unspool_rnorm4d(x, y, z, 0.0); }

//@ fn __unspool_hypotf
static float __unspool_hypotf(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y), n = a + b;
  float big = __builtin_fmaxf(a, b), small = __builtin_fminf(a, b);
  // The power of two of the larger, and one over it: both normal numbers, and squares neither overflow nor vanish.
  unsigned int e = __builtin_unspool_as_uint(big) & 0x7f800000u;
  e = e < 0x00800000u ? 0x00800000u : e;
  e = e > 0x7e800000u ? 0x7e800000u : e;
  float s = __builtin_unspool_as_float(0x7f000000u - e);
  float u = big * s, v = small * s;
  float r = __unspool_rootf(__builtin_fmaf(u, u, v * v)) * __builtin_unspool_as_float(e);
  return big == __builtin_inff() ? big : n != n ? n : r;
}

//@ fn __unspool_hypot
// Sizes are compared by the upper halves, which have the exponents.
static double __unspool_hypot(double x, double y) {
  unsigned int a = (unsigned int)(__builtin_unspool_as_ulong(x) >> 32) & 0x7fffffffu;
  unsigned int b = (unsigned int)(__builtin_unspool_as_ulong(y) >> 32) & 0x7fffffffu;
  double big = a > b ? x : y, small = a > b ? y : x;
  unsigned int top = a > b ? a : b;
  // The power of two of the larger, and one over it: both normal numbers, and squares neither overflow nor vanish.
  unsigned int e = top & 0x7ff00000u;
  e = e < 0x00100000u ? 0x00100000u : e;
  e = e > 0x7fd00000u ? 0x7fd00000u : e;
  double s = __builtin_unspool_as_double((unsigned long)(0x7fe00000u - e) << 32);
  double u = big * s, v = small * s;
  double r = __unspool_root(__builtin_fma(u, u, v * v)) * __builtin_unspool_as_double((unsigned long)e << 32);
  if (top >= 0x7ff00000u) {
    double inf = __builtin_inf();
    r = __builtin_fabs(x) == inf || __builtin_fabs(y) == inf ? inf : x + y;
  }
  return r;
}
