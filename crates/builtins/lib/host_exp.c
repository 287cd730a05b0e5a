// Written by generate.py from templates.py; change it there.

//@ fn __unspool_scale_twicef inline host
// p * 2^j for |j| < 1.2 times the bias, where m is the sum of j and TWICE: by two factors within the range, so that results
// below it round once, and what is no number stays that.
static float __unspool_scale_twicef(float p, float m) {
  unsigned int k = __builtin_unspool_as_uint(m);
  unsigned int h = (k >> 1) << 23;
  return p * __builtin_unspool_as_float(h) * __builtin_unspool_as_float((k << 23) - h);
}

//@ fn __unspool_exp_partsf inline host
// e^(x + y) * 2^k for a small correction y, |k| <= 200.
static float __unspool_exp_partsf(float x, float y, int k) {
  float c = x < -130.0f ? -130.0f : x;
  c = c > 130.0f ? 130.0f : c;
  float m = __builtin_fmaf(c, 1.44269502f, 12582912.0f);
  float j = m - 12582912.0f;
  float t = __builtin_fmaf(j, -0.693147182f, c);
  t = __builtin_fmaf(j, -(-1.90465421e-09f), t) + y;
  float t2 = t * t;
  float t4 = t2 * t2;
  float p = __builtin_fmaf(0.00139263761f, t4, __builtin_fmaf(__builtin_fmaf(0.00836333353f, t, 0.0416665524f), t2, __builtin_fmaf(0.166665763f, t, 0.5f)));
  p = __builtin_fmaf(p, t * t, t) + 1.0f;
  // In two factors, of which none leaves the range.
  int n = (int)(__builtin_unspool_as_uint(m) - 0x4b400000u) + (int)k;
  int h = n >> 1;
  return p * __builtin_unspool_as_float((unsigned int)(h + 127) << 23) * __builtin_unspool_as_float((unsigned int)(n - h + 127) << 23);
}

//@ fn __unspool_exp2f host
static float __unspool_exp2f(float x) {
  float c = x < -151.0f ? -151.0f : x;
  c = c > 129.0f ? 129.0f : c;
  float m = c + 12583166.0f;
  float t = c - (m - 12583166.0f);
  float t2 = t * t;
  float p = __builtin_fmaf(__builtin_fmaf(__builtin_fmaf(0.000154531634f, t, 0.00133908633f), t2, __builtin_fmaf(0.00961808302f, t, 0.0555035695f)), t2, __builtin_fmaf(0.240226507f, t, 0.693147182f));
  p = __builtin_fmaf(p, t, 1.0f);
  return __unspool_scale_twicef(p, m);
}

//@ fn __unspool_scale_twice inline host
// p * 2^j for |j| < 1.2 times the bias, where m is the sum of j and TWICE: by two factors within the range, so that results
// below it round once, and what is no number stays that.
static double __unspool_scale_twice(double p, double m) {
  unsigned long k = __builtin_unspool_as_ulong(m);
  unsigned long h = (k >> 1) << 52;
  return p * __builtin_unspool_as_double(h) * __builtin_unspool_as_double((k << 52) - h);
}

//@ fn __unspool_exp_parts inline host
// e^(x + y) * 2^k for a small correction y, |k| <= 200.
static double __unspool_exp_parts(double x, double y, int k) {
  double c = x < -900.0 ? -900.0 : x;
  c = c > 900.0 ? 900.0 : c;
  double m = __builtin_fma(c, 1.4426950408889634, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -0.69314718055994529, c);
  t = __builtin_fma(j, -2.3190468138462996e-17, t) + y;
  double t2 = t * t;
  double t4 = t2 * t2;
  double t8 = t4 * t4;
  double p = __builtin_fma(__builtin_fma(2.510063552177349e-08, t, 2.7620412213160374e-07), t8, __builtin_fma(__builtin_fma(__builtin_fma(2.7557267932676474e-06, t, 2.4801520613526785e-05), t2, __builtin_fma(0.00019841269863394233, t, 0.0013888888917654042)), t4, __builtin_fma(__builtin_fma(0.0083333333333299939, t, 0.041666666666623241), t2, __builtin_fma(0.16666666666666669, t, 0.50000000000000011))));
  p = __builtin_fma(p, t * t, t) + 1.0;
  // In two factors, of which none leaves the range.
  long n = (long)(__builtin_unspool_as_ulong(m) - 0x4338000000000000ul) + (long)k;
  long h = n >> 1;
  return p * __builtin_unspool_as_double((unsigned long)(h + 1023) << 52) * __builtin_unspool_as_double((unsigned long)(n - h + 1023) << 52);
}

//@ fn __unspool_exp2 host
static double __unspool_exp2(double x) {
  double c = x < -1080.0 ? -1080.0 : x;
  c = c > 1025.0 ? 1025.0 : c;
  double m = c + 6755399441057790.0;
  double t = c - (m - 6755399441057790.0);
  double p = 2.5729325010684924e-11;
  p = __builtin_fma(p, t, 4.455817910445131e-10);
  p = __builtin_fma(p, t, 7.0548973036353236e-09);
  p = __builtin_fma(p, t, 1.0178057087722078e-07);
  p = __builtin_fma(p, t, 1.3215486808706732e-06);
  p = __builtin_fma(p, t, 1.5252733841556795e-05);
  p = __builtin_fma(p, t, 0.00015403530393370732);
  p = __builtin_fma(p, t, 0.0013333558146406471);
  p = __builtin_fma(p, t, 0.0096181291076284803);
  p = __builtin_fma(p, t, 0.055504108664821625);
  p = __builtin_fma(p, t, 0.24022650695910072);
  p = __builtin_fma(p, t, 0.69314718055994529);
  p = __builtin_fma(p, t, 1.0);
  return __unspool_scale_twice(p, m);
}

//@ fn __unspool_expf host
static float __unspool_expf(float x) {
  float c = x < -104.0f ? -104.0f : x;
  c = c > 89.0f ? 89.0f : c;
  float m = __builtin_fmaf(c, 0.721347511f, 12583039.0f);
  float h = m - 12583039.0f;
  float t = __builtin_fmaf(h, -1.38629436f, c);
  t = __builtin_fmaf(h, -(-3.80930842e-09f), t);
  float t2 = t * t;
  float p = __builtin_fmaf(__builtin_fmaf(__builtin_fmaf(0.000197770249f, t2, __builtin_fmaf(0.00141156104f, t, 0.00833490677f)), t2, __builtin_fmaf(0.0416604765f, t, 0.166666344f)), t2, __builtin_fmaf(0.500000477f, t, 1.0f));
  p = __builtin_fmaf(p, t, 1.0f);
  float s = __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
  return p * s * s;
}

//@ fn __unspool_exp host
static double __unspool_exp(double x) {
  double c = x < -746.0 ? -746.0 : x;
  c = c > 710.0 ? 710.0 : c;
  double m = __builtin_fma(c, 1.4426950408889634, 6755399441057790.0);
  double j = m - 6755399441057790.0;
  double t = __builtin_fma(j, -0.69314718055994529, c);
  t = __builtin_fma(j, -2.3190468138462996e-17, t);
  double t2 = t * t;
  double t4 = t2 * t2;
  double t8 = t4 * t4;
  double p = __builtin_fma(__builtin_fma(2.510063552177349e-08, t, 2.7620412213160374e-07), t8, __builtin_fma(__builtin_fma(__builtin_fma(2.7557267932676474e-06, t, 2.4801520613526785e-05), t2, __builtin_fma(0.00019841269863394233, t, 0.0013888888917654042)), t4, __builtin_fma(__builtin_fma(0.0083333333333299939, t, 0.041666666666623241), t2, __builtin_fma(0.16666666666666669, t, 0.50000000000000011))));
  p = __builtin_fma(p, t * t, t) + 1.0;
  return __unspool_scale_twice(p, m);
}

//@ fn __unspool_exp10f host
static float __unspool_exp10f(float x) {
  float c = x < -46.0f ? -46.0f : x;
  c = c > 39.0f ? 39.0f : c;
  float m = __builtin_fmaf(c, 1.66096401f, 12583039.0f);
  float h = m - 12583039.0f;
  float t = __builtin_fmaf(h, -0.60206002f, c);
  t = __builtin_fmaf(h, -(-2.86419777e-08f), t);
  float t2 = t * t;
  float p = __builtin_fmaf(__builtin_fmaf(__builtin_fmaf(0.067514956f, t2, __builtin_fmaf(0.210325718f, t, 0.539541423f)), t2, __builtin_fmaf(1.17108762f, t, 2.03467202f)), t2, __builtin_fmaf(2.65095139f, t, 2.30258512f));
  p = __builtin_fmaf(p, t, 1.0f);
  float s = __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
  return p * s * s;
}

//@ fn __unspool_exp10 host
static double __unspool_exp10(double x) {
  double c = x < -324.0 ? -324.0 : x;
  c = c > 309.0 ? 309.0 : c;
  double m = __builtin_fma(c, 3.3219280948873622, 6755399441057790.0);
  double j = m - 6755399441057790.0;
  double t = __builtin_fma(j, -0.3010299956639812, c);
  t = __builtin_fma(j, -(-2.8037281277851704e-18), t);
  double p = 4.6463762466055651e-05;
  p = __builtin_fma(p, t, 0.00024222766396272461);
  p = __builtin_fma(p, t, 0.0011544974183186675);
  p = __builtin_fma(p, t, 0.005013914478166996);
  p = __builtin_fma(p, t, 0.019597694654318563);
  p = __builtin_fma(p, t, 0.068089365243738015);
  p = __builtin_fma(p, t, 0.20699584869671969);
  p = __builtin_fma(p, t, 0.53938292919467901);
  p = __builtin_fma(p, t, 1.1712551489122673);
  p = __builtin_fma(p, t, 2.0346785922934778);
  p = __builtin_fma(p, t, 2.6509490552391992);
  p = __builtin_fma(p, t, 2.3025850929940459);
  p = __builtin_fma(p, t, 1.0);
  return __unspool_scale_twice(p, m);
}

//@ fn __unspool_fast_exp2f inline host
// 2^x to about 2 ulp; results below the normal range are zero.
static float __unspool_fast_exp2f(float x) {
  float c = x < -126.5f ? -126.5f : x;
  float m = c + 12582912.0f;
  float t = c - (m - 12582912.0f);
  float t2 = t * t;
  float t4 = t2 * t2;
  float p = __builtin_fmaf(__builtin_fmaf(0.000154531634f, t, 0.00133908633f), t4, __builtin_fmaf(__builtin_fmaf(0.00961808302f, t, 0.0555035695f), t2, __builtin_fmaf(0.240226507f, t, 0.693147182f)));
  p = __builtin_fmaf(p, t, 1.0f);
  float r = __builtin_unspool_as_float(__builtin_unspool_as_uint(p) + (__builtin_unspool_as_uint(m) << 23));
  r = x < -126.0f ? 0.0f : r;
  return x < 128.0f ? r : x + __builtin_inff();
}

//@ fn __unspool_fast_expf inline host
static float __unspool_fast_expf(float x) { return __unspool_fast_exp2f(x * 1.44269502f); }

//@ fn __unspool_fast_exp10f inline host
static float __unspool_fast_exp10f(float x) { return __unspool_fast_exp2f(x * 3.32192802f); }
