// Written by generate.py from templates.py; change it there.

//@ fn __unspool_fast_log_unitf inline host
// log2(x) * unit to a few ulp, near 1 in relation to the result too; subnormal arguments count as zero.
static float __unspool_fast_log_unitf(float x, float unit) {
  int b = (int)__builtin_unspool_as_uint(x) - (int)0x3f3504f3u;
  float k = (float)(b >> 23);
  float f = __builtin_unspool_as_float((unsigned int)((b & 0x7fffff) + (int)0x3f3504f3u)) - 1.0f;
  float f2 = f * f;
  float f4 = f2 * f2;
  float p = __builtin_fmaf(__builtin_fmaf(__builtin_fmaf((-0.142759696f), f, 0.23265256f), f2, __builtin_fmaf((-0.249271825f), f, 0.287288874f)), f4, __builtin_fmaf(__builtin_fmaf((-0.360225171f), f, 0.480916709f), f2, __builtin_fmaf((-0.721352935f), f, 1.44269502f)));
  float r = __builtin_fmaf(p, f * unit, k * unit);
  r = x < 1.17549435e-38f ? -__builtin_inff() : r;
  r = x < __builtin_inff() ? r : x;
  return x < 0.0f ? __builtin_nanf("") : r;
}

//@ fn __unspool_fast_log2f inline host
static float __unspool_fast_log2f(float x) { return __unspool_fast_log_unitf(x, 1.0f); }

//@ fn __unspool_fast_logf inline host
static float __unspool_fast_logf(float x) { return __unspool_fast_log2f(x) * 0.693147182f; }

//@ fn __unspool_fast_log10f inline host
// Not the product of log2: its last place is up to four of those here.
static float __unspool_fast_log10f(float x) { return __unspool_fast_log_unitf(x, 0.30103001f); }

//@ fn __unspool_fast_powf inline host
static float __unspool_fast_powf(float x, float y) { return __unspool_fast_exp2f(y * __unspool_fast_log2f(x)); }

//@ fn __unspool_half_powrf inline host
// The product is at most 128 and the logarithm good to 21 bits, so that 13 bits of the power are right; other cases come out of both as they are to.
static float __unspool_half_powrf(float x, float y) { return __unspool_fast_powf(x, y); }

//@ fn __unspool_log1f inline host
// log(1 + f), split: f - the result is the smaller part.
static float __unspool_log1f(float f) {
  float f2 = f * f;
  float p = __builtin_fmaf(__builtin_fmaf(__builtin_fmaf(__builtin_fmaf(0.0767371729f, f2, __builtin_fmaf((-0.127227843f), f, 0.131275803f)), f2, __builtin_fmaf((-0.142048433f), f, 0.166266426f)), f2, __builtin_fmaf((-0.200012341f), f, 0.250007808f)), f2, __builtin_fmaf((-0.333333313f), f, 0.49999997f));
  return f2 * p;
}

//@ fn __unspool_log_splitf inline host
// x > 0 and finite: f with x = (1 + f) * 2^e, 1 + f between sqrt(1/2) and sqrt(2). Anything else gives something.
static float __unspool_log_splitf(float x, int *e) {
  int small = x < 1.17549435e-38f;
  float n = small ? x * 33554432.0f : x;
  int b = (int)__builtin_unspool_as_uint(n) - (int)0x3f3504f3u;
  *e = (int)(b >> 23) - (small ? 25 : 0);
  return __builtin_unspool_as_float((unsigned int)((b & (((int)1 << 23) - 1)) + (int)0x3f3504f3u)) - 1.0f;
}

//@ fn __unspool_log_fixf inline host
// The logarithm r of x where x is positive and finite; else what the logarithm of x is.
static float __unspool_log_fixf(float x, float r) {
  r = x < __builtin_inff() ? r : x;
  r = x == 0.0f ? -__builtin_inff() : r;
  return x < 0.0f ? __builtin_nanf("") : r;
}

//@ fn __unspool_log_partsf inline host
// x = (1 + f) * 2^k as for `log_split`. Where x is not positive and finite, k is what the logarithm of x is, and f a number.
static float __unspool_log_partsf(float x, float *k) {
  int b = (int)__builtin_unspool_as_uint(x) - (int)0x3f3504f3u;
  float e = (float)(int)(b >> 23);
  float f = __builtin_unspool_as_float((unsigned int)((b & (((int)1 << 23) - 1)) + (int)0x3f3504f3u)) - 1.0f;
  // A branch that is almost never taken: vectors skip it. One comparison for all that is not positive, normal and finite.
  if ((int)(__builtin_unspool_as_uint(x) + ((unsigned int)255 << 23)) >= -((int)2 << 23)) {
    b = (int)__builtin_unspool_as_uint(x * 33554432.0f) - (int)0x3f3504f3u;
    f = __builtin_unspool_as_float((unsigned int)((b & (((int)1 << 23) - 1)) + (int)0x3f3504f3u)) - 1.0f;
    e = (float)((int)(b >> 23) - 25);
    e = x < __builtin_inff() ? e : x;
    e = x == 0.0f ? -__builtin_inff() : e;
    e = x < 0.0f ? __builtin_nanf("") : e;
  }
  *k = e;
  return f;
}

//@ fn __unspool_logf host
static float __unspool_logf(float x) {
  float k;
  float f = __unspool_log_partsf(x, &k);
  // Where k is not 0, the result is so much larger than the sum that this may lose its last place.
  return __builtin_fmaf(k, 0.693145752f, f + __builtin_fmaf(k, 1.42860677e-06f, -__unspool_log1f(f)));
}

//@ fn __unspool_log2f host
static float __unspool_log2f(float x) {
  float k;
  float f = __unspool_log_partsf(x, &k);
  // The product with f is rounded with its sum, what is added to it first is small beside it.
  float u = __builtin_fmaf(f, 1.92596303e-08f, -__unspool_log1f(f) * 1.44269502f);
  return k + __builtin_fmaf(f, 1.44269502f, u);
}

//@ fn __unspool_log10f host
static float __unspool_log10f(float x) {
  float k;
  float f = __unspool_log_partsf(x, &k);
  float u = __builtin_fmaf(f, (-1.010305e-08f), __builtin_fmaf(k, 4.60503907e-06f, -__unspool_log1f(f) * 0.434294492f));
  return __builtin_fmaf(k, 0.301025391f, __builtin_fmaf(f, 0.434294492f, u));
}

//@ fn __unspool_log1pf host
static float __unspool_log1pf(float x) {
  float u = 1.0f + x;
  int e;
  float f = __unspool_log_splitf(u, &e);
  // What 1 + x lost, relative to u.
  float lost = __builtin_fabsf(x) < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x);
  float c = e == 0 ? 0.0f : lost / u;
  f = e == 0 ? x : f;
  float k = (float)e;
  float l = __unspool_log1f(f);
  float h = __builtin_fmaf(k, 0.693145752f, f);
  float d = f - (h - k * 0.693145752f);
  float r = __unspool_log_fixf(u, h + (d + (__builtin_fmaf(k, 1.42860677e-06f, -l) + c)));
  return x == 0.0f ? x : r;
}

//@ fn __unspool_log_split inline host
// x > 0 and finite: f with x = (1 + f) * 2^e, 1 + f between sqrt(1/2) and sqrt(2). Anything else gives something.
static double __unspool_log_split(double x, int *e) {
  int small = x < 2.2250738585072014e-308;
  double n = small ? x * 18014398509481984.0 : x;
  long b = (long)__builtin_unspool_as_ulong(n) - (long)0x3fe6a09e667f3bcdul;
  *e = (int)(b >> 52) - (small ? 54 : 0);
  return __builtin_unspool_as_double((unsigned long)((b & (((long)1 << 52) - 1)) + (long)0x3fe6a09e667f3bcdul)) - 1.0;
}

//@ fn __unspool_log_fix inline host
// The logarithm r of x where x is positive and finite; else what the logarithm of x is.
static double __unspool_log_fix(double x, double r) {
  r = x < __builtin_inf() ? r : x;
  r = x == 0.0 ? -__builtin_inf() : r;
  return x < 0.0 ? __builtin_nan("") : r;
}

//@ fn __unspool_log_parts inline host
// x = (1 + f) * 2^k as for `log_split`. Where x is not positive and finite, k is what the logarithm of x is, and f a number.
static double __unspool_log_parts(double x, double *k) {
  long b = (long)__builtin_unspool_as_ulong(x) - (long)0x3fe6a09e667f3bcdul;
  double e = (double)(int)(b >> 52);
  double f = __builtin_unspool_as_double((unsigned long)((b & (((long)1 << 52) - 1)) + (long)0x3fe6a09e667f3bcdul)) - 1.0;
  // A branch that is almost never taken: vectors skip it. One comparison for all that is not positive, normal and finite.
  if ((long)(__builtin_unspool_as_ulong(x) + ((unsigned long)2047 << 52)) >= -((long)2 << 52)) {
    b = (long)__builtin_unspool_as_ulong(x * 18014398509481984.0) - (long)0x3fe6a09e667f3bcdul;
    f = __builtin_unspool_as_double((unsigned long)((b & (((long)1 << 52) - 1)) + (long)0x3fe6a09e667f3bcdul)) - 1.0;
    e = (double)((int)(b >> 52) - 54);
    e = x < __builtin_inf() ? e : x;
    e = x == 0.0 ? -__builtin_inf() : e;
    e = x < 0.0 ? __builtin_nan("") : e;
  }
  *k = e;
  return f;
}

//@ fn __unspool_log host
static double __unspool_log(double x) {
  double k;
  double f = __unspool_log_parts(x, &k);
  // Where k is not 0, the result is so much larger than the sum that this may lose its last place.
  return __builtin_fma(k, 0.69314718055989033, f + __builtin_fma(k, 5.4979230187083712e-14, -__unspool_log1(f)));
}

//@ fn __unspool_log2 host
static double __unspool_log2(double x) {
  double k;
  double f = __unspool_log_parts(x, &k);
  // The product with f is rounded with its sum, what is added to it first is small beside it.
  double u = __builtin_fma(f, 2.0355273740931033e-17, -__unspool_log1(f) * 1.4426950408889634);
  return k + __builtin_fma(f, 1.4426950408889634, u);
}

//@ fn __unspool_log10 host
static double __unspool_log10(double x) {
  double k;
  double f = __unspool_log_parts(x, &k);
  double u = __builtin_fma(f, 1.0983196502167651e-17, __builtin_fma(k, 2.8363394551044964e-14, -__unspool_log1(f) * 0.43429448190325182));
  return __builtin_fma(k, 0.30102999566395283, __builtin_fma(f, 0.43429448190325182, u));
}

//@ fn __unspool_log1p host
static double __unspool_log1p(double x) {
  double u = 1.0 + x;
  int e;
  double f = __unspool_log_split(u, &e);
  // What 1 + x lost, relative to u.
  double lost = __builtin_fabs(x) < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  double c = e == 0 ? 0.0 : lost / u;
  f = e == 0 ? x : f;
  double k = (double)e;
  double l = __unspool_log1(f);
  double h = __builtin_fma(k, 0.69314718055989033, f);
  double d = f - (h - k * 0.69314718055989033);
  double r = __unspool_log_fix(u, h + (d + (__builtin_fma(k, 5.4979230187083712e-14, -l) + c)));
  return x == 0.0 ? x : r;
}
