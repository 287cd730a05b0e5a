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

//@ fn __unspool_fast_signed_powf inline
// OpenCL C's pow under -cl-fast-relaxed-math, which takes negative numbers to whole powers. Zero to the power of zero is
// undefined there; it is 1, as everywhere else.
static float __unspool_fast_signed_powf(float x, float y) {
  float r = y == 0.0f ? 1.0f : __unspool_fast_powf(__builtin_fabsf(x), y);
  float h = y * 0.5f;
  return x < 0.0f && __builtin_floorf(h) != h ? -r : r;
}

//@ fn __unspool_fast_tanf inline
static float __unspool_fast_tanf(float x) { return __builtin_unspool_div_approx(__builtin_unspool_sin_approx(x), __builtin_unspool_cos_approx(x)); }

//@ fn __unspool_half_tanf inline
static float __unspool_half_tanf(float x) { return __unspool_tanf(x); }

//@ fn __unspool_half_powrf inline
static float __unspool_half_powrf(float x, float y) { return __unspool_powrf(x, y); }

//@ fn __unspool_fast_sincosf inline
static void __unspool_fast_sincosf(float x, float *sine, float *cosine) {
  *sine = __builtin_unspool_sin_approx(x);
  *cosine = __builtin_unspool_cos_approx(x);
}

//@ fn __unspool_turn inline
// An angle in turns without whole ones, in radians. What has none keeps the sign of a zero.
static float __unspool_turn(float x) {
  float whole = __builtin_rintf(x);
  return 6.28318548f * (whole == 0.0f ? x : x - whole);
}

//@ fn __unspool_fast_sin2pif inline
static float __unspool_fast_sin2pif(float x) { return __builtin_unspool_sin_approx(__unspool_turn(x)); }

//@ fn __unspool_fast_cos2pif inline
static float __unspool_fast_cos2pif(float x) { return __builtin_unspool_cos_approx(__unspool_turn(x)); }

//@ fn __unspool_fast_sincos2pif inline
static void __unspool_fast_sincos2pif(float x, float *sine, float *cosine) {
  float angle = __unspool_turn(x);
  *sine = __builtin_unspool_sin_approx(angle);
  *cosine = __builtin_unspool_cos_approx(angle);
}

//@ fn __unspool_exp_parts inline
// e^(x + y) * 2^k for a small correction y.
static double __unspool_exp_parts(double x, double y, int k) {
  // The whole part is left in the low bits of the sum.
  double m = __builtin_fma(x, 1.4426950408889634, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -0.69314718055989033, x);
  t = __builtin_fma(j, -5.4979230187083712e-14, t) + y;
  double p = 2.5109400780820579e-08;
  p = __builtin_fma(p, t, 2.7625037546386011e-07);
  p = __builtin_fma(p, t, 2.7557244953605673e-06);
  p = __builtin_fma(p, t, 2.4801510481710904e-05);
  p = __builtin_fma(p, t, 0.00019841269883383232);
  p = __builtin_fma(p, t, 0.0013888888924450766);
  p = __builtin_fma(p, t, 0.0083333333333235875);
  p = __builtin_fma(p, t, 0.041666666666609051);
  p = __builtin_fma(p, t, 0.16666666666666674);
  p = __builtin_fma(p, t, 0.50000000000000011);
  p = __builtin_fma(p, t * t, t) + 1.0;
  return __unspool_scale2(p, (int)__builtin_unspool_as_ulong(m) + k);
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

//@ fn __unspool_expm1 host
static double __unspool_expm1(double x) {
  double c = __builtin_fmin(__builtin_fmax(x, -40.0), 710.0);
  double j = __builtin_fabs(c) < 0.5 ? 0.0 : __builtin_rint(c * 1.4426950408889634);
  double t = __builtin_fma(j, -0.69314718055989033, c);
  t = __builtin_fma(j, -5.4979230187083712e-14, t);
  double p = 1.6121293189286234e-10;
  p = __builtin_fma(p, t, 2.0962964697446296e-09);
  p = __builtin_fma(p, t, 2.5051917873497587e-08);
  p = __builtin_fma(p, t, 2.7557075554796029e-07);
  p = __builtin_fma(p, t, 2.755731949277047e-06);
  p = __builtin_fma(p, t, 2.4801587621398526e-05);
  p = __builtin_fma(p, t, 0.00019841269841100494);
  p = __builtin_fma(p, t, 0.0013888888888696422);
  p = __builtin_fma(p, t, 0.0083333333333333696);
  p = __builtin_fma(p, t, 0.041666666666667102);
  p = __builtin_fma(p, t, 0.16666666666666666);
  p = __builtin_fma(p, t, 0.5);
  p = __builtin_fma(p, t * t, t);
  // 2^j could overflow where the result does not: half of it.
  double s = __unspool_pow2(__builtin_unspool_double2int_rn(j) - 1);
  double r = __builtin_fma(p, s, s - 0.5);
  r = j == 0.0 ? p : r + r;
  return x == 0.0 || x != x ? x : r;
}

//@ fn __unspool_sinh host
static double __unspool_sinh(double x) {
  double a = __builtin_fabs(x);
  if (a < 1.0) {
    double z = x * x;
    double p = 2.84452806632602e-15;
  p = __builtin_fma(p, z, 7.6466263876362461e-13);
  p = __builtin_fma(p, z, 1.6059042984295502e-10);
  p = __builtin_fma(p, z, 2.5052108498926821e-08);
  p = __builtin_fma(p, z, 2.7557319222861511e-06);
  p = __builtin_fma(p, z, 0.0001984126984127398);
  p = __builtin_fma(p, z, 0.008333333333333328);
  p = __builtin_fma(p, z, 0.16666666666666666);
    return __builtin_fma(p * z, x, x);
  }
  double s = __unspool_exp_parts(__builtin_fmin(a, 720.0), 0.0, -2);
  double r = __builtin_fma(2.0, s, __unspool_quotient(-0.125, __builtin_fmin(s, 1e+30)));
  return x != x ? x : __builtin_copysign(r, x);
}

//@ fn __unspool_cosh host
static double __unspool_cosh(double x) {
  double s = __unspool_exp_parts(__builtin_fmin(__builtin_fabs(x), 720.0), 0.0, -2);
  double r = __builtin_fma(2.0, s, __unspool_quotient(0.125, __builtin_fmin(s, 1e+30)));
  return x != x ? x : r;
}

//@ fn __unspool_tanh host
static double __unspool_tanh(double x) {
  double a = __builtin_fabs(x);
  if (a < 0.55) {
    double z = x * x;
    double p = (-3.0112987587926909e-06);
  p = __builtin_fma(p, z, 1.3346420018933713e-05);
  p = __builtin_fma(p, z, (-3.8071797462180257e-05));
  p = __builtin_fma(p, z, 9.6538919024169445e-05);
  p = __builtin_fma(p, z, (-0.00023904861882328987));
  p = __builtin_fma(p, z, 0.00059001555727835155);
  p = __builtin_fma(p, z, (-0.0014558331946963666));
  p = __builtin_fma(p, z, 0.003592127959484809);
  p = __builtin_fma(p, z, (-0.0088632355271354591));
  p = __builtin_fma(p, z, 0.021869488536129796);
  p = __builtin_fma(p, z, (-0.053968253968255379));
  p = __builtin_fma(p, z, 0.13333333333333336);
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

//@ fn __unspool_exponent_added inline
// p * 2^k where that is a normal number.
static double __unspool_exponent_added(double p, int k) {
  unsigned long b = __builtin_unspool_as_ulong(p);
  unsigned int h = (unsigned int)(b >> 32) + ((unsigned int)k << 20);
  return __builtin_unspool_as_double((unsigned long)h << 32 | (b & 0xfffffffful));
}

//@ fn __unspool_upper_word inline
// |x| by its upper word: that of a double, compared as a float, has the same order, and infinities are no numbers.
static float __unspool_upper_word(double x) { return __builtin_fabsf(__builtin_unspool_as_float((unsigned int)(__builtin_unspool_as_ulong(x) >> 32))); }

//@ fn __unspool_exp_ends inline
// p * 2^k, the exponential of x: from the upper word `end` on nothing or infinite. Two factors, so that what is no normal number
// is rounded once; a branch for these costs more registers than the second factor instructions.
static double __unspool_exp_ends(double x, double p, int k, unsigned int end) {
  int h = k >> 1;
  double r = __unspool_exponent_added(p, h) * __unspool_exponent_added(1.0, k - h);
  double far = x < 0.0 ? 0.0 : x + __builtin_inf();
  return __unspool_upper_word(x) < __builtin_unspool_as_float(end) ? r : far;
}

//@ fn __unspool_exp
static double __unspool_exp(double x) {
  double m = __builtin_fma(x, 1.4426950408889634, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -0.69314718055989033, x);
  t = __builtin_fma(j, -5.4979230187083712e-14, t);
  double p = 2.5105208578679594e-08;
  p = __builtin_fma(p, t, 2.7620080800261348e-07);
  p = __builtin_fma(p, t, 2.7557252906262875e-06);
  p = __builtin_fma(p, t, 2.4801521313424786e-05);
  p = __builtin_fma(p, t, 0.00019841269880090782);
  p = __builtin_fma(p, t, 0.0013888888917201274);
  p = __builtin_fma(p, t, 0.0083333333333229648);
  p = __builtin_fma(p, t, 0.041666666666624157);
  p = __builtin_fma(p, t, 0.16666666666666677);
  p = __builtin_fma(p, t, 0.50000000000000011);
  p = __builtin_fma(p, t * t, t) + 1.0;
  return __unspool_exp_ends(x, p, (int)__builtin_unspool_as_ulong(m), 0x40876000u);
}

//@ fn __unspool_exp2
static double __unspool_exp2(double x) {
  double m = x + 6755399441055744.0;
  double t = x - (m - 6755399441055744.0);
  double p = 2.5733568054242539e-11;
  p = __builtin_fma(p, t, 4.4558179368436868e-10);
  p = __builtin_fma(p, t, 7.0548935582337435e-09);
  p = __builtin_fma(p, t, 1.0178058573728777e-07);
  p = __builtin_fma(p, t, 1.3215486820658669e-06);
  p = __builtin_fma(p, t, 1.5252733834126297e-05);
  p = __builtin_fma(p, t, 0.00015403530393354021);
  p = __builtin_fma(p, t, 0.001333355814641808);
  p = __builtin_fma(p, t, 0.009618129107628489);
  p = __builtin_fma(p, t, 0.055504108664821569);
  p = __builtin_fma(p, t, 0.24022650695910072);
  p = __builtin_fma(p, t, 0.69314718055994529);
  p = __builtin_fma(p, t, 1.0);
  return __unspool_exp_ends(x, p, (int)__builtin_unspool_as_ulong(m), 0x4090d000u);
}

//@ fn __unspool_exp10
static double __unspool_exp10(double x) {
  double m = __builtin_fma(x, 3.3219280948873622, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -0.30102999566395283, x);
  t = __builtin_fma(j, -2.8363394551044964e-14, t);
  double p = 4.6471075620502234e-05;
  p = __builtin_fma(p, t, 0.00024222559295594692);
  p = __builtin_fma(p, t, 0.0011544972658157349);
  p = __builtin_fma(p, t, 0.0050139129161834717);
  p = __builtin_fma(p, t, 0.019597694277763367);
  p = __builtin_fma(p, t, 0.068089365317440462);
  p = __builtin_fma(p, t, 0.20699584871160628);
  p = __builtin_fma(p, t, 0.53938292919362218);
  p = __builtin_fma(p, t, 1.1712551489120993);
  p = __builtin_fma(p, t, 2.0346785922934827);
  p = __builtin_fma(p, t, 2.6509490552391997);
  p = __builtin_fma(p, t, 2.3025850929940459);
  p = __builtin_fma(p, t, 1.0);
  return __unspool_exp_ends(x, p, (int)__builtin_unspool_as_ulong(m), 0x40745000u);
}

//@ fn __unspool_exp_within inline
// e^(x + y) * 2^k for a small correction y, where that is a normal number.
static double __unspool_exp_within(double x, double y, int k) {
  double m = __builtin_fma(x, 1.4426950408889634, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -0.69314718055989033, x);
  t = __builtin_fma(j, -5.4979230187083712e-14, t) + y;
  double p = 2.5105208578679594e-08;
  p = __builtin_fma(p, t, 2.7620080800261348e-07);
  p = __builtin_fma(p, t, 2.7557252906262875e-06);
  p = __builtin_fma(p, t, 2.4801521313424786e-05);
  p = __builtin_fma(p, t, 0.00019841269880090782);
  p = __builtin_fma(p, t, 0.0013888888917201274);
  p = __builtin_fma(p, t, 0.0083333333333229648);
  p = __builtin_fma(p, t, 0.041666666666624157);
  p = __builtin_fma(p, t, 0.16666666666666677);
  p = __builtin_fma(p, t, 0.50000000000000011);
  p = __builtin_fma(p, t * t, t) + 1.0;
  return __unspool_exponent_added(p, (int)__builtin_unspool_as_ulong(m) + k);
}

//@ fn __unspool_cosh
static double __unspool_cosh(double x) {
  double s = __unspool_exp_within(__builtin_fabs(x), 0.0, -2);
  double r = __builtin_fma(2.0, s, 0.125 * __unspool_inverse(s));
  // From 710.5 on infinite.
  return __unspool_upper_word(x) < __builtin_unspool_as_float(0x40863400u) ? r : __builtin_fabs(x) * __builtin_inf();
}

//@ fn __unspool_tanh
static double __unspool_tanh(double x) {
  double a = __builtin_fabs(x);
  double r;
  if (a < 0.55) {
    double z = x * x;
    double p = (-3.0112987587926909e-06);
  p = __builtin_fma(p, z, 1.3346420018933713e-05);
  p = __builtin_fma(p, z, (-3.8071797462180257e-05));
  p = __builtin_fma(p, z, 9.6538919024169445e-05);
  p = __builtin_fma(p, z, (-0.00023904861882328987));
  p = __builtin_fma(p, z, 0.00059001566842198372);
  p = __builtin_fma(p, z, (-0.0014558333124085874));
  p = __builtin_fma(p, z, 0.0035921280084619213);
  p = __builtin_fma(p, z, (-0.0088632355372403274));
  p = __builtin_fma(p, z, 0.021869488537200003);
  p = __builtin_fma(p, z, (-0.05396825396830935));
  p = __builtin_fma(p, z, 0.13333333333333439);
  p = __builtin_fma(p, z, (-0.33333333333333331));
    r = __builtin_fma(p * z, x, x);
  } else {
    r = __builtin_fma(-2.0, __unspool_inverse(__unspool_exp_within(2.0 * a, 0.0, 0) + 1.0), 1.0);
    // From 22 on there is no difference.
    r = __unspool_upper_word(x) < __builtin_unspool_as_float(0x40360000u) ? r : 1.0;
    r = x == x ? r : x;
  }
  return __builtin_copysign(r, x);
}

//@ fn __unspool_sinh
static double __unspool_sinh(double x) {
  double a = __builtin_fabs(x);
  double r;
  if (a < 1.0) {
    double z = x * x;
    double p = 2.84452806632602e-15;
  p = __builtin_fma(p, z, 7.6466263876362461e-13);
  p = __builtin_fma(p, z, 1.6059042984295502e-10);
  p = __builtin_fma(p, z, 2.5052108498926821e-08);
  p = __builtin_fma(p, z, 2.7557319222861511e-06);
  p = __builtin_fma(p, z, 0.0001984126984127398);
  p = __builtin_fma(p, z, 0.008333333333333328);
  p = __builtin_fma(p, z, 0.16666666666666666);
    r = __builtin_fma(p * z, x, x);
  } else {
    double s = __unspool_exp_within(a, 0.0, -2);
    r = __builtin_fma(2.0, s, -0.125 * __unspool_inverse(s));
    r = __unspool_upper_word(x) < __builtin_unspool_as_float(0x40863400u) ? r : a * __builtin_inf();
  }
  return __builtin_copysign(r, x);
}

//@ fn __unspool_expm1
static double __unspool_expm1(double x) {
  double m = __builtin_fma(__builtin_fabs(x) < 0.5 ? 0.0 : x, 1.4426950408889634, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -0.69314718055989033, x);
  t = __builtin_fma(j, -5.4979230187083712e-14, t);
  double p = 1.6121293189286234e-10;
  p = __builtin_fma(p, t, 2.0962964697446296e-09);
  p = __builtin_fma(p, t, 2.5051917873497587e-08);
  p = __builtin_fma(p, t, 2.7557075554796029e-07);
  p = __builtin_fma(p, t, 2.755731949277047e-06);
  p = __builtin_fma(p, t, 2.4801587621398526e-05);
  p = __builtin_fma(p, t, 0.00019841269841100494);
  p = __builtin_fma(p, t, 0.0013888888888696422);
  p = __builtin_fma(p, t, 0.0083333333333333696);
  p = __builtin_fma(p, t, 0.041666666666667102);
  p = __builtin_fma(p, t, 0.16666666666666666);
  p = __builtin_fma(p, t, 0.5);
  p = __builtin_fma(p, t * t, t);
  // 2^j could overflow where the result does not: half of it. Where it vanishes the result is -1.
  int k = (int)__builtin_unspool_as_ulong(m);
  double s = __unspool_exponent_added(0.5, k < -99 ? -99 : k);
  double r = __builtin_fma(p, s, s - 0.5);
  r = j == 0.0 ? p : r + r;
  if (!(__unspool_upper_word(x) < __builtin_unspool_as_float(0x40862f00u))) { r = x < 0.0 ? -1.0 : x + __builtin_inf(); }
  return __builtin_copysign(r, x);
}
