// Written by generate.py from templates.py; change it there.

//@ data __unspool_pow_inversef wide
static __constant const float __unspool_pow_inversef[16] = {1.0f, 0.90625f, 0.875f, 0.8125f, 0.78125f, 0.75f, 0.71875f, 0.6875f, 1.3125f, 1.25f, 1.21875f, 1.15625f, 1.125f, 1.09375f, 1.0625f, 1.0f};

//@ data __unspool_pow_highf wide
static __constant const float __unspool_pow_highf[16] = {0.0f, 0.0984344482f, 0.133529663f, 0.207641602f, 0.246856689f, 0.287689209f, 0.330245972f, 0.374694824f, -0.27192688f, -0.223144531f, -0.1978302f, -0.145187378f, -0.117782593f, -0.0896148682f, -0.0606231689f, 0.0f};

//@ data __unspool_pow_lowf wide
static __constant const float __unspool_pow_lowf[16] = {0.0f, 5.62457126e-06f, 1.72953855e-06f, -2.23678421e-06f, 3.38847849e-06f, -7.13653253e-06f, -4.28480917e-06f, -1.3747773e-06f, -6.83560074e-06f, 9.79935749e-07f, 4.45686555e-06f, 5.36808511e-06f, -4.42882936e-07f, 2.7094743e-06f, -1.45287117e-06f, 0.0f};

//@ fn __unspool_log_pairf inline wide
// The logarithm of x > 0, finite, in two parts, of which the second is no rounding error: up to some 2^-14.
static float __unspool_log_pairf(float x, float *low) {
  float m = __builtin_unspool_significandf(x);
  unsigned int n = __builtin_unspool_as_uint(m) >> 19;
  float k = __builtin_unspool_exponentf(x) - __builtin_unspool_exponentf(m);
  float r = __builtin_fmaf(m, __unspool_pow_inversef[n & 15], -1.0f);
  float g = __builtin_fmaf(k, 0.693145752f, __unspool_pow_highf[n & 15]);
  // r - r * r / 2 in two parts.
  float f = r * -0.5f;
  float h = __builtin_fmaf(f, r, r);
  float l = __builtin_fmaf(f, r, r - h);
  float p = 0.143401414f;
  p = __builtin_fmaf(p, r, (-0.167278931f));
  p = __builtin_fmaf(p, r, 0.199999467f);
  p = __builtin_fmaf(p, r, (-0.249999404f));
  p = __builtin_fmaf(p, r, 0.333333343f);
  float c = r * r;
  l = __builtin_fmaf(c * r, p, l);
  float s = g + h;
  *low = (h - (s - g)) + (l + __builtin_fmaf(k, 1.42860677e-06f, __unspool_pow_lowf[n & 15]));
  return s;
}

//@ fn __unspool_exp_pairf inline wide
// e^(x + y) as a product with 2^scale, for a small correction y. Where x is far beyond the range, what is left of it is
// anything, and the scale infinite, or so far that it counts as that.
static float __unspool_exp_pairf(float x, float y, float *scale) {
  float m = __builtin_fmaf(x, 1.44269502f, 786432.0f);
  float j = m - 786432.0f;
  float t = __builtin_fmaf(j, -0.693147182f, x);
  t = __builtin_fmaf(j, -(-1.90465421e-09f), t) + y;
  t = t < -0.0433216989f ? -0.0433216989f : t;
  t = t > 0.0433216989f ? 0.0433216989f : t;
  float p = 0.166669607f;
  p = __builtin_fmaf(p, t, 0.500014663f);
  p = __builtin_fmaf(p, t, 1.0f);
  p *= t;
  float s = __unspool_exp2_tablef[__builtin_unspool_as_uint(m) & 15];
  *scale = j;
  return __builtin_fmaf(s, p, s);
}

//@ fn __unspool_exp_partsf inline wide
// e^(x + y) * 2^k for a small correction y, |k| <= 200.
static float __unspool_exp_partsf(float x, float y, int k) {
  float j;
  float s = __unspool_exp_pairf(x, y, &j);
  return __builtin_unspool_scalef(s, k == 0 ? j : j + (float)k);
}

//@ data __unspool_pow_inverse wide
static __constant const double __unspool_pow_inverse[16] = {1.375, 1.34375, 1.28125, 1.21875, 1.1875, 1.15625, 1.09375, 1.0625, 1.03125, 1.0, 0.9375, 0.890625, 0.84375, 0.796875, 0.765625, 0.71875};

//@ data __unspool_pow_high wide
static __constant const double __unspool_pow_high[16] = {-0.31845373111855224, -0.29546421289387581, -0.24783616390459429, -0.19782574332998593, -0.17185025692674571, -0.14518200984457508, -0.08961215868976069, -0.060624621816486979, -0.03077165866670839, 0.0, 0.064538521137592397, 0.11583181552509814, 0.16989903679541385, 0.22705745063535687, 0.26706278524898153, 0.33024168687052224};

//@ data __unspool_pow_low wide
static __constant const double __unspool_pow_low[16] = {1.7625431312172662e-14, 3.9934163843878439e-14, 1.3029797173308663e-14, 6.604544877082384e-14, 8.6492396072120709e-14, 7.7180013368280985e-14, 7.3557702194350287e-14, 5.2136206391365041e-14, -4.5298142577909288e-14, 0.0, -2.1225608044809997e-14, 2.3568822182038756e-14, -1.6376276414097503e-14, -1.078736749871691e-14, 6.3719472698156668e-14, 5.4612144489920215e-14};

//@ fn __unspool_log_pair inline wide
// The logarithm of x > 0, finite, in two parts, of which the second is no rounding error: up to some 2^-14.
static double __unspool_log_pair(double x, double *low) {
  unsigned long n = __builtin_unspool_as_ulong(__builtin_unspool_significand(x)) - 0x3fe6800000000000ul;
  double m = __builtin_unspool_as_double((n & 0xffffffffffffful) + 0x3fe6800000000000ul);
  double k = __builtin_unspool_exponent(x) - __builtin_unspool_exponent(m);
  n >>= 48;
  double r = __builtin_fma(m, __unspool_pow_inverse[n & 15], -1.0);
  double g = __builtin_fma(k, 0.69314718055989033, __unspool_pow_high[n & 15]);
  // r - r * r / 2 in two parts.
  double f = r * -0.5;
  double h = __builtin_fma(f, r, r);
  double l = __builtin_fma(f, r, r - h);
  double p = 0.091111595686978158;
  p = __builtin_fma(p, r, (-0.10021937651195381));
  p = __builtin_fma(p, r, 0.11111093359393173);
  p = __builtin_fma(p, r, (-0.12499980769394455));
  p = __builtin_fma(p, r, 0.14285714291476154);
  p = __builtin_fma(p, r, (-0.16666666672908539));
  p = __builtin_fma(p, r, 0.19999999999999496);
  p = __builtin_fma(p, r, (-0.24999999999999453));
  p = __builtin_fma(p, r, 0.33333333333333331);
  double c = r * r;
  l = __builtin_fma(c * r, p, l);
  double s = g + h;
  *low = (h - (s - g)) + (l + __builtin_fma(k, 5.4979230187083712e-14, __unspool_pow_low[n & 15]));
  return s;
}

//@ fn __unspool_exp_pair inline wide
// e^(x + y) as a product with 2^scale, for a small correction y. Where x is far beyond the range, what is left of it is
// anything, and the scale infinite, or so far that it counts as that.
static double __unspool_exp_pair(double x, double y, double *scale) {
  double m = __builtin_fma(x, 1.4426950408889634, 422212465065984.0);
  double j = m - 422212465065984.0;
  double t = __builtin_fma(j, -0.69314718055994529, x);
  t = __builtin_fma(j, -2.3190468138462996e-17, t) + y;
  t = t < -0.04332169878499658 ? -0.04332169878499658 : t;
  t = t > 0.04332169878499658 ? 0.04332169878499658 : t;
  double t2 = t * t;
  double t4 = t2 * t2;
  double q = __builtin_fma(0.0013889034639665864, t4, __builtin_fma(__builtin_fma(0.0083334499341071854, t, 0.041666666664953618), t2, __builtin_fma(0.16666666665296223, t, 0.5)));
  double p = __builtin_fma(q, t2, t);
  double s = __unspool_exp2_table[__builtin_unspool_as_ulong(m) & 15];
  *scale = j;
  return __builtin_fma(s, p, s);
}

//@ fn __unspool_exp_parts inline wide
// e^(x + y) * 2^k for a small correction y, |k| <= 200.
static double __unspool_exp_parts(double x, double y, int k) {
  double j;
  double s = __unspool_exp_pair(x, y, &j);
  return __builtin_unspool_scale(s, k == 0 ? j : j + (double)k);
}

//@ fn __unspool_powf wide
static float __unspool_powf(float x, float y) {
  float r = __unspool_power_off(__builtin_fabsf(x), y, 0.0f);
  // A branch that is rarely taken: vectors skip it.
  if (!((x > 0.0f) & (x < __builtin_inff()) & (__builtin_fabsf(y) < __builtin_inff()))) { r = __unspool_far_powf(x, y, r); }
  return r;
}

//@ fn __unspool_pow wide
static double __unspool_pow(double x, double y) {
  double r = __unspool_power_of(__builtin_fabs(x), y, 0.0);
  // A branch that is rarely taken: vectors skip it.
  if (!((x > 0.0) & (x < __builtin_inf()) & (__builtin_fabs(y) < __builtin_inf()))) { r = __unspool_far_pow(x, y, r); }
  return r;
}

//@ fn __unspool_powrf wide
static float __unspool_powrf(float x, float y) {
  float r = __unspool_power_off(x, y, 0.0f);
  if (!((x > 0.0f) & (x < __builtin_inff()) & (__builtin_fabsf(y) < __builtin_inff()))) { r = __unspool_far_powrf(x, y, r); }
  return r;
}

//@ fn __unspool_powr wide
static double __unspool_powr(double x, double y) {
  double r = __unspool_power_of(x, y, 0.0);
  if (!((x > 0.0) & (x < __builtin_inf()) & (__builtin_fabs(y) < __builtin_inf()))) { r = __unspool_far_powr(x, y, r); }
  return r;
}

//@ fn __unspool_power_off inline wide
// x^(y + z) for x > 0, finite, and a small z.
static float __unspool_power_off(float x, float y, float z) {
  float l;
  float h = __unspool_log_pairf(x, &l);
  float t = y * (h + l);
  float u = __builtin_fmaf(y, l, __builtin_fmaf(y, h, -t));
  u = z == 0.0f ? u : __builtin_fmaf(z, h, u);
  return __unspool_exp_partsf(t, u, 0);
}

//@ fn __unspool_power_of inline wide
// x^(y + z) for x > 0, finite, and a small z.
static double __unspool_power_of(double x, double y, double z) {
  double l;
  double h = __unspool_log_pair(x, &l);
  double t = y * (h + l);
  double u = __builtin_fma(y, l, __builtin_fma(y, h, -t));
  u = z == 0.0 ? u : __builtin_fma(z, h, u);
  return __unspool_exp_parts(t, u, 0);
}

//@ fn __unspool_pow_coref inline wide
static float __unspool_pow_coref(float x, double y) {
  float h = (float)y;
  return __unspool_power_off(x, h, (float)(y - (double)h));
}

//@ fn __unspool_pow_core inline wide
static double __unspool_pow_core(double x, double y, double z) { return __unspool_power_of(x, y, z); }

//@ data __unspool_cbrt_inversef wide
static __constant const float __unspool_cbrt_inversef[16] = {1.0f, 0.906656682f, 0.880189717f, 0.817819595f, 0.784050763f, 0.732427895f, 0.722841263f, 0.680833519f, 1.29275525f, 1.26831305f, 1.2023226f, 1.14608645f, 1.10660923f, 1.0769695f, 1.03907382f, 1.0f};

//@ data __unspool_cbrt_rootf wide
static __constant const float __unspool_cbrt_rootf[16] = {1.0f, 1.03320312f, 1.04345703f, 1.06933594f, 1.08447266f, 1.109375f, 1.11425781f, 1.13671875f, 0.91796875f, 0.923828125f, 0.940429688f, 0.955566406f, 0.966796875f, 0.975585938f, 0.987304688f, 1.0f};

//@ data __unspool_cbrt_twof wide
static __constant const float __unspool_cbrt_twof[16] = {1.0f, 1.25976562f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 0.793457031f};

//@ data __unspool_cbrt_restf wide
static __constant const float __unspool_cbrt_restf[16] = {0.0f, 0.000123376041f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.000306878297f};

//@ fn __unspool_cbrtf wide
static float __unspool_cbrtf(float x) {
  float a = __builtin_fabsf(x);
  float m = __builtin_unspool_significandf(a);
  float e = __builtin_unspool_exponentf(a) - __builtin_unspool_exponentf(m);
  float w = __builtin_fmaf(e, 0.333333343f, 12582912.0f);
  float k = w - 12582912.0f;
  // From -1 to 1; what is zero or infinite has an infinite k, and its j is no number.
  unsigned int j = __builtin_unspool_as_uint(__builtin_fmaf(k, -3.0f, e) + 12582912.0f);
  unsigned int n = __builtin_unspool_as_uint(m) >> 19;
  float r = __builtin_fmaf(m, __unspool_cbrt_inversef[n & 15], -1.0f);
  float p = 0.0302713644f;
  p = __builtin_fmaf(p, r, (-0.0412671752f));
  p = __builtin_fmaf(p, r, 0.0617283024f);
  p = __builtin_fmaf(p, r, (-0.111111f));
  p = __builtin_fmaf(p, r, 0.333333343f);
  float h = __unspool_cbrt_rootf[n & 15] * __unspool_cbrt_twof[j & 15];
  float d = __unspool_cbrt_restf[j & 15];
  float l = __builtin_fmaf(p, __builtin_fmaf(r, d, r), d);
  return __builtin_copysignf(__builtin_unspool_scalef(__builtin_fmaf(h, l, h), k), x);
}

//@ data __unspool_cbrt_inverse wide
static __constant const double __unspool_cbrt_inverse[16] = {1.0, 0.91506452724870446, 0.8655566276294373, 0.82107629393755521, 0.78095392624616289, 0.74464232350269999, 0.71142086122216674, 0.68113777356039784, 1.306593605729556, 1.2554748699778044, 1.2080146039161836, 1.1640541973217255, 1.1231070837876449, 1.0850254152439947, 1.0494679299173837, 1.0};

//@ data __unspool_cbrt_root wide
static __constant const double __unspool_cbrt_root[16] = {1.0, 1.0300289392471313, 1.0493044257164001, 1.0679202675819397, 1.0859042406082153, 1.1032758057117462, 1.1201885640621185, 1.1365494728088379, 0.9147164523601532, 0.92696639895439148, 0.9389503002166748, 0.95062434673309326, 0.96203958988189697, 0.97316548228263855, 0.98403438925743103, 1.0};

//@ data __unspool_cbrt_two wide
static __constant const double __unspool_cbrt_two[16] = {1.0, 1.2599210441112518, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.79370051622390747};

//@ data __unspool_cbrt_rest wide
static __constant const double __unspool_cbrt_rest[16] = {0.0, 4.5904633157328434e-09, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.2297071839020099e-08};

//@ fn __unspool_cbrt wide
static double __unspool_cbrt(double x) {
  double a = __builtin_fabs(x);
  double m = __builtin_unspool_significand(a);
  double e = __builtin_unspool_exponent(a) - __builtin_unspool_exponent(m);
  double w = __builtin_fma(e, 0.33333333333333331, 6755399441055744.0);
  double k = w - 6755399441055744.0;
  // From -1 to 1; what is zero or infinite has an infinite k, and its j is no number.
  unsigned long j = __builtin_unspool_as_ulong(__builtin_fma(k, -3.0, e) + 6755399441055744.0);
  unsigned long n = __builtin_unspool_as_ulong(m) >> 48;
  double r = __builtin_fma(m, __unspool_cbrt_inverse[n & 15], -1.0);
  double p = (-0.011779656719785529);
  p = __builtin_fma(p, r, 0.013589316764815581);
  p = __builtin_fma(p, r, (-0.015834000219148263));
  p = __builtin_fma(p, r, 0.019000823320342378);
  p = __builtin_fma(p, r, (-0.023472032130927269));
  p = __builtin_fma(p, r, 0.030178326956557235);
  p = __builtin_fma(p, r, (-0.041152263374276327));
  p = __builtin_fma(p, r, 0.061728395061492997);
  p = __builtin_fma(p, r, (-0.11111111111111113));
  p = __builtin_fma(p, r, 0.33333333333333337);
  double h = __unspool_cbrt_root[n & 15] * __unspool_cbrt_two[j & 15];
  double d = __unspool_cbrt_rest[j & 15];
  double l = __builtin_fma(p, __builtin_fma(r, d, r), d);
  return __builtin_copysign(__builtin_unspool_scale(__builtin_fma(h, l, h), k), x);
}

//@ fn __unspool_rsqrt inline wide
static double __unspool_rsqrt(double x) { return __builtin_unspool_rsqrt_near(x); }

//@ fn __unspool_hypot wide
static double __unspool_hypot(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double h = a > b ? a : b, l = a > b ? b : a;
  double r = __builtin_unspool_sqrt_near(__builtin_fma(h, h, l * l));
  // A branch that is rarely taken: squares that overflow or vanish, zeros, and no numbers. Where x is none, h is y.
  if (__builtin_unspool_as_ulong(h) - 2355382605114769408ul > 4553139223271571456ul) { r = __unspool_norm4d(x, y, 0.0, 0.0); }
  return r;
}
