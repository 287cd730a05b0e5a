// Written by generate.py from templates.py; change it there.

//@ fn __unspool_erfcx_coref
// e^(a*a) * erfc(a) for a >= 0.
static float __unspool_erfcx_coref(float a) {
  // Beyond, the first terms of the asymptotic series are exact enough.
  if (a > 12.0f) {
    float i = 1.0f / a;
    float t = 0.5f * i * i;
    float w = __builtin_fmaf(t, __builtin_fmaf(t, __builtin_fmaf(t, __builtin_fmaf(t, 105.0f, -15.0f), 3.0f), -1.0f), 1.0f);
    return w * i * 0.564189613f;
  }
  float d = a + 4.0f;
  float n = a - 4.0f;
  float q = n / d;
  float p = (-0.000611281605f);
  p = __builtin_fmaf(p, q, (-0.00103128795f));
  p = __builtin_fmaf(p, q, 0.00516442396f);
  p = __builtin_fmaf(p, q, (-0.0159933791f));
  p = __builtin_fmaf(p, q, 0.0371849909f);
  p = __builtin_fmaf(p, q, (-0.0663773492f));
  p = __builtin_fmaf(p, q, 0.093722932f);
  p = __builtin_fmaf(p, q, (-0.101034641f));
  p = __builtin_fmaf(p, q, 0.0680980384f);
  p = __builtin_fmaf(p, q, 0.0153794969f);
  p = __builtin_fmaf(p, q, (-0.139621139f));
  p = __builtin_fmaf(p, q, 1.23299515f);
  float b = __builtin_fmaf(2.0f, a, 1.0f);
  return p / b;
}

//@ fn __unspool_erfcf
static float __unspool_erfcf(float x) {
  float a = __builtin_fabsf(x);
  if (x != x) { return x; }
  if (a < 0.5f) { return 1.0f - __unspool_erf_smallf(x); }
  float c = __builtin_fminf(a, 10.1999998f);
  float h = c * c;
  float l = __builtin_fmaf(c, c, -h);
  float r = __unspool_erfcx_coref(c) * __unspool_exp_partsf(-h, -l, 60);
  r = r * 8.67361738e-19f;
  r = a > 10.1999998f ? 0.0f : r;
  return x < 0.0f ? 2.0f - r : r;
}

//@ fn __unspool_erfcxf
static float __unspool_erfcxf(float x) {
  float a = __builtin_fabsf(x);
  if (x != x) { return x; }
  float r = a == __builtin_inff() ? 0.0f : __unspool_erfcx_coref(a);
  if (!(x < 0.0f)) { return r; }
  if (a > 10.1999998f) { return __builtin_inff(); }
  float h = a * a;
  float l = __builtin_fmaf(a, a, -h);
  return 2.0f * __unspool_exp_partsf(h, l, 0) - r;
}

//@ fn __unspool_erf_smallf
// The error function for |x| < 0.9.
static float __unspool_erf_smallf(float x) {
  float z = x * x;
  float p = 8.52940138e-05f;
  p = __builtin_fmaf(p, z, (-0.000817963213f));
  p = __builtin_fmaf(p, z, 0.00520422682f);
  p = __builtin_fmaf(p, z, (-0.0268606655f));
  p = __builtin_fmaf(p, z, 0.11283718f);
  p = __builtin_fmaf(p, z, (-0.376126349f));
  p = __builtin_fmaf(p, z, 0.128379166f);
  return __builtin_fmaf(p, x, x);
}

//@ fn __unspool_erff
static float __unspool_erff(float x) {
  float a = __builtin_fabsf(x);
  // Where it differs from 1 by less than half a unit. A value that is no number stays one.
  float c = a > 4.0f ? 4.0f : a;
  float c2 = c * c;
  float c4 = c2 * c2;
  float q = __builtin_fmaf(__builtin_fmaf((-3.02701992e-05f), c2, __builtin_fmaf(0.00062489562f, c, (-0.0060082986f))), c4, __builtin_fmaf(__builtin_fmaf(0.0362150669f, c, (-0.156176761f)), c2, __builtin_fmaf((-0.913761675f), c, (-1.62952793f))));
  q = __builtin_fmaf(q, c, 0.000248303666f);
  float r = __builtin_copysignf(1.0f - __builtin_unspool_ex2_approx(q), x);
  return a < 0.9f ? __unspool_erf_smallf(x) : r;
}

//@ fn __unspool_erfcx_core
// e^(a*a) * erfc(a) for a >= 0.
static double __unspool_erfcx_core(double a) {
  // Beyond, the first terms of the asymptotic series are exact enough.
  if (a > 50.0) {
    double i = 1.0 / a;
    double t = 0.5 * i * i;
    double w = __builtin_fma(t, __builtin_fma(t, __builtin_fma(t, __builtin_fma(t, 105.0, -15.0), 3.0), -1.0), 1.0);
    return w * i * 0.56418958354775628;
  }
  double d = a + 4.0;
  double n = a - 4.0;
  double q = n / d;
  double p = 3.1608134645066419e-11;
  p = __builtin_fma(p, q, 5.258115447765911e-11);
  p = __builtin_fma(p, q, (-3.3933267480805866e-10));
  p = __builtin_fma(p, q, (-5.9648796977600211e-10));
  p = __builtin_fma(p, q, 2.3688935140488305e-09);
  p = __builtin_fma(p, q, 4.0936039301800441e-09);
  p = __builtin_fma(p, q, (-1.568851565843273e-08));
  p = __builtin_fma(p, q, (-2.2071438717263341e-08));
  p = __builtin_fma(p, q, 1.1118058065096227e-07);
  p = __builtin_fma(p, q, 7.9068935898281796e-08);
  p = __builtin_fma(p, q, (-8.2574054559962203e-07));
  p = __builtin_fma(p, q, 2.9082767291628889e-07);
  p = __builtin_fma(p, q, 5.7096397064819577e-06);
  p = __builtin_fma(p, q, (-1.1220722262591758e-05));
  p = __builtin_fma(p, q, (-2.439910433460625e-05));
  p = __builtin_fma(p, q, 0.00015062129913880989);
  p = __builtin_fma(p, q, (-0.0001992567353613906));
  p = __builtin_fma(p, q, (-0.00075777321808462653));
  p = __builtin_fma(p, q, 0.0050319699858954589);
  p = __builtin_fma(p, q, (-0.016197734066108194));
  p = __builtin_fma(p, q, 0.037167515536638995);
  p = __builtin_fma(p, q, (-0.066330365811639244));
  p = __builtin_fma(p, q, 0.093732834998396283);
  p = __builtin_fma(p, q, (-0.10103906603632529));
  p = __builtin_fma(p, q, 0.06809705425469155);
  p = __builtin_fma(p, q, 0.015379652102620043);
  p = __builtin_fma(p, q, (-0.1396211168405625));
  p = __builtin_fma(p, q, 1.2329951186255526);
  double b = __builtin_fma(2.0, a, 1.0);
  return p / b;
}

//@ fn __unspool_erfc
static double __unspool_erfc(double x) {
  double a = __builtin_fabs(x);
  if (x != x) { return x; }
  if (a < 0.5) { return 1.0 - __unspool_erf_small(x); }
  double c = __builtin_fmin(a, 27.300000000000001);
  double h = c * c;
  double l = __builtin_fma(c, c, -h);
  double r = __unspool_erfcx_core(c) * __unspool_exp_parts(-h, -l, 200);
  r = r * 6.2230152778611417e-61;
  r = a > 27.300000000000001 ? 0.0 : r;
  return x < 0.0 ? 2.0 - r : r;
}

//@ fn __unspool_erfcx
static double __unspool_erfcx(double x) {
  double a = __builtin_fabs(x);
  if (x != x) { return x; }
  double r = a == __builtin_inf() ? 0.0 : __unspool_erfcx_core(a);
  if (!(x < 0.0)) { return r; }
  if (a > 27.300000000000001) { return __builtin_inf(); }
  double h = a * a;
  double l = __builtin_fma(a, a, -h);
  return 2.0 * __unspool_exp_parts(h, l, 0) - r;
}

//@ fn __unspool_erf_small
// The error function for |x| < 0.9.
static double __unspool_erf_small(double x) {
  double z = x * x;
  double p = 6.4950256103025809e-11;
  p = __builtin_fma(p, z, (-1.1652473945294949e-09));
  p = __builtin_fma(p, z, 1.4723494823392752e-08);
  p = __builtin_fma(p, z, (-1.6358667560670729e-07));
  p = __builtin_fma(p, z, 1.6461696158782459e-06);
  p = __builtin_fma(p, z, (-1.4925633568608262e-05));
  p = __builtin_fma(p, z, 0.00012055332519432235);
  p = __builtin_fma(p, z, (-0.00085483270149071505));
  p = __builtin_fma(p, z, 0.0052239776253407508);
  p = __builtin_fma(p, z, (-0.026866170645124077));
  p = __builtin_fma(p, z, 0.112837916709551);
  p = __builtin_fma(p, z, (-0.37612638903183754));
  p = __builtin_fma(p, z, 0.12837916709551259);
  return __builtin_fma(p, x, x);
}

//@ fn __unspool_erf
static double __unspool_erf(double x) {
  double a = __builtin_fabs(x);
  if (a < 0.9) { return __unspool_erf_small(x); }
  double r = 1.0 - __unspool_erfc(__builtin_fmin(a, 7.0));
  return x != x ? x : __builtin_copysign(r, x);
}

//@ fn __unspool_erfinv_guess
// erfinv(x) / x to single precision, from w = -log(1 - x*x).
static float __unspool_erfinv_guess(float w) {
  if (w < 5.0f) {
    float t = w - 2.5f;
    float p = 1.23465765e-10f;
  p = __builtin_fmaf(p, t, 4.34062675e-10f);
  p = __builtin_fmaf(p, t, (-1.08617613e-08f));
  p = __builtin_fmaf(p, t, 1.65036447e-08f);
  p = __builtin_fmaf(p, t, 4.78689685e-07f);
  p = __builtin_fmaf(p, t, (-3.42626618e-06f));
  p = __builtin_fmaf(p, t, (-4.99599992e-06f));
  p = __builtin_fmaf(p, t, 0.000218264118f);
  p = __builtin_fmaf(p, t, (-0.00125270791f));
  p = __builtin_fmaf(p, t, (-0.00417732494f));
  p = __builtin_fmaf(p, t, 0.24664028f);
  p = __builtin_fmaf(p, t, 1.50140929f);
    return p;
  }
  if (w < 18.0f) {
    float t = __builtin_sqrtf(w) - 3.0f;
    float p = (-3.38082173e-05f);
  p = __builtin_fmaf(p, t, 0.000168327926f);
  p = __builtin_fmaf(p, t, (-0.000274648541f));
  p = __builtin_fmaf(p, t, (-0.000130520144f));
  p = __builtin_fmaf(p, t, 0.00147597445f);
  p = __builtin_fmaf(p, t, (-0.00356230396f));
  p = __builtin_fmaf(p, t, 0.00568686659f);
  p = __builtin_fmaf(p, t, (-0.0076435958f));
  p = __builtin_fmaf(p, t, 0.00944542885f);
  p = __builtin_fmaf(p, t, 1.00167525f);
  p = __builtin_fmaf(p, t, 2.83297682f);
    return p;
  }
  // Tails that only doubles and the complement reach.
  float t = __builtin_sqrtf(w) - 15.0f;
  float p = (-6.81593053e-17f);
  p = __builtin_fmaf(p, t, 1.70692142e-15f);
  p = __builtin_fmaf(p, t, 3.80712002e-15f);
  p = __builtin_fmaf(p, t, (-3.42089773e-13f));
  p = __builtin_fmaf(p, t, 4.14668652e-13f);
  p = __builtin_fmaf(p, t, 3.43881416e-11f);
  p = __builtin_fmaf(p, t, (-9.72107186e-11f));
  p = __builtin_fmaf(p, t, (-1.9360491e-09f));
  p = __builtin_fmaf(p, t, 1.92439913e-08f);
  p = __builtin_fmaf(p, t, (-3.15435244e-07f));
  p = __builtin_fmaf(p, t, 7.51885636e-06f);
  p = __builtin_fmaf(p, t, (-0.000163112316f));
  p = __builtin_fmaf(p, t, 1.003546f);
  p = __builtin_fmaf(p, t, 14.9136276f);
  return p;
}

//@ fn __unspool_erfinvf host
static float __unspool_erfinvf(float x) {
  float a = __builtin_fabsf(x);
  if (!(a < 1.0f)) { return a == 1.0f ? __builtin_copysignf(__builtin_inff(), x) : __builtin_nanf(""); }
  float w = -__unspool_log1pf(-a * a);
  // 1 - a*a near 1 without cancellation.
  w = a > 0.7f ? -__unspool_logf((1.0f - a) * (1.0f + a)) : w;
  return x * __unspool_erfinv_guess(w);
}

//@ fn __unspool_erfcinvf host
static float __unspool_erfcinvf(float x) { return (float)__unspool_erfcinv((double)x); }

//@ fn __unspool_erfinv
static double __unspool_erfinv(double x) {
  double a = __builtin_fabs(x);
  if (!(a < 1.0)) { return a == 1.0 ? __builtin_copysign(__builtin_inf(), x) : __builtin_nan(""); }
  if (a > 0.5) { return __builtin_copysign(__unspool_erfcinv(1.0 - a), x); }
  double y = x * (double)__unspool_erfinv_guess(-__unspool_log1pf((float)(-x * x)));
  // Newton with the second-order term, on erf, which is small here.
  double d = (__unspool_erf(y) - x) * 0.88622692545275805 * __unspool_exp(y * y);
  d = d / __builtin_fma(y, d, 1.0);
  return y - d;
}

//@ fn __unspool_erfcinv
static double __unspool_erfcinv(double x) {
  if (!(x > 0.0 && x < 2.0)) { return x == 0.0 ? __builtin_inf() : (x == 2.0 ? -__builtin_inf() : __builtin_nan("")); }
  if (x > 0.5 && x < 1.5) { return __unspool_erfinv_small(1.0 - x); }
  double c = x > 1.0 ? 2.0 - x : x;
  double w = -__unspool_log(c * (2.0 - c));
  double y = (1.0 - c) * (double)__unspool_erfinv_guess((float)w);
  // Newton on the scaled complement: relative errors in c. The exponential alone could overflow.
  double s = c * 1.6069380442589903e60;
  for (int i = 0; i < 2; i++) {
    double h = y * y;
    double l = __builtin_fma(y, y, -h);
    double d = __builtin_fma(-s, __unspool_exp_parts(h, l, -200), __unspool_erfcx_core(y)) * 0.88622692545275805;
    y = y + d / __builtin_fma(y, -d, 1.0);
  }
  return x > 1.0 ? -y : y;
}

//@ fn __unspool_erfinv_small
static double __unspool_erfinv_small(double x) {
  double y = x * (double)__unspool_erfinv_guess(-__unspool_log1pf((float)(-x * x)));
  double d = (__unspool_erf(y) - x) * 0.88622692545275805 * __unspool_exp(y * y);
  d = d / __builtin_fma(y, d, 1.0);
  return y - d;
}

//@ fn __unspool_normcdf
static double __unspool_normcdf(double x) {
  double h = -x * 0.70710678118654757;
  // The rounding of the argument matters where erfc falls steeply: correct by its derivative.
  double e = __builtin_fma(-x, 0.70710678118654757, -h) - x * (-4.8336466567264567e-17);
  double r = 0.5 * __unspool_erfc(h);
  return h > 0.0 && h < 27.0 ? __builtin_fma(-2.0 * h * r, e, r) : r;
}

//@ fn __unspool_normcdff host
static float __unspool_normcdff(float x) { return (float)__unspool_normcdf((double)x); }

//@ fn __unspool_normcdfinv
static double __unspool_normcdfinv(double p) { return -1.4142135623730951 * __unspool_erfcinv(2.0 * p); }

//@ fn __unspool_normcdfinvf host
static float __unspool_normcdfinvf(float p) { return (float)__unspool_normcdfinv((double)p); }

//@ fn __unspool_erfinv_timesf
// x * (erfinv(y) / y) from q = 1 - y*y.
static float __unspool_erfinv_timesf(float x, float q) {
  float w = __builtin_unspool_lg2_approx(q) * (-0.693147182f);
  if (w < 5.0f) {
    // Not in the middle: where the function is least, differences are small and exact.
    float t = w - 2.0f;
    float p = 1.23465765e-10f;
    p = __builtin_fmaf(p, t, (-2.44999049e-10f));
    p = __builtin_fmaf(p, t, (-1.13344205e-08f));
    p = __builtin_fmaf(p, t, 6.77182967e-08f);
    p = __builtin_fmaf(p, t, 3.10954817e-07f);
    p = __builtin_fmaf(p, t, (-4.86819181e-06f));
    p = __builtin_fmaf(p, t, 7.5923308e-06f);
    p = __builtin_fmaf(p, t, 0.000215927445f);
    p = __builtin_fmaf(p, t, (-0.00169215689f));
    p = __builtin_fmaf(p, t, (-0.00196813792f));
    p = __builtin_fmaf(p, t, 0.249768078f);
    p = __builtin_fmaf(p, t, (-5.51855805e-08f));
    return __builtin_fmaf(x, 1.37721527f, x * p);
  }
  float t = __builtin_sqrtf(w);
  if (w < 18.0f) {
    t = t - 3.25f;
    float p = 4.1889237e-07f;
    p = __builtin_fmaf(p, t, (-3.21232619e-05f));
    p = __builtin_fmaf(p, t, 8.26127216e-05f);
    p = __builtin_fmaf(p, t, 4.77088906e-06f);
    p = __builtin_fmaf(p, t, (-0.000363176485f));
    p = __builtin_fmaf(p, t, 0.000963847793f);
    p = __builtin_fmaf(p, t, (-0.00168608327f));
    p = __builtin_fmaf(p, t, 0.00248887902f);
    p = __builtin_fmaf(p, t, (-0.00375144836f));
    p = __builtin_fmaf(p, t, 0.00537113985f);
    p = __builtin_fmaf(p, t, 1.00525892f);
    p = __builtin_fmaf(p, t, (-6.24091143e-08f));
    return __builtin_fmaf(x, 3.08388567f, x * p);
  }
  // Where only the complement gets.
  t = t - 7.25f;
  float p = 2.27353247e-10f;
    p = __builtin_fmaf(p, t, (-1.5787216e-09f));
    p = __builtin_fmaf(p, t, 5.18644061e-09f);
    p = __builtin_fmaf(p, t, (-3.26838254e-08f));
    p = __builtin_fmaf(p, t, 2.37549372e-07f);
    p = __builtin_fmaf(p, t, (-1.23903294e-06f));
    p = __builtin_fmaf(p, t, 4.290775e-06f);
    p = __builtin_fmaf(p, t, 1.14634313e-05f);
    p = __builtin_fmaf(p, t, (-0.000505902804f));
    p = __builtin_fmaf(p, t, 1.00834084f);
    p = __builtin_fmaf(p, t, (-2.88505557e-08f));
    return __builtin_fmaf(x, 7.12113667f, x * p);
}

//@ fn __unspool_erfinv_timesf host
// x * (erfinv(y) / y) from q = 1 - y*y.
static float __unspool_erfinv_timesf(float x, float q) {
  float w = -__unspool_logf(q);
  if (w < 5.0f) {
    // Not in the middle: where the function is least, differences are small and exact.
    float t = w - 2.0f;
    float p = 1.23465765e-10f;
    p = __builtin_fmaf(p, t, (-2.44999049e-10f));
    p = __builtin_fmaf(p, t, (-1.13344205e-08f));
    p = __builtin_fmaf(p, t, 6.77182967e-08f);
    p = __builtin_fmaf(p, t, 3.10954817e-07f);
    p = __builtin_fmaf(p, t, (-4.86819181e-06f));
    p = __builtin_fmaf(p, t, 7.5923308e-06f);
    p = __builtin_fmaf(p, t, 0.000215927445f);
    p = __builtin_fmaf(p, t, (-0.00169215689f));
    p = __builtin_fmaf(p, t, (-0.00196813792f));
    p = __builtin_fmaf(p, t, 0.249768078f);
    p = __builtin_fmaf(p, t, (-5.51855805e-08f));
    return __builtin_fmaf(x, 1.37721527f, x * p);
  }
  float t = __builtin_sqrtf(w);
  if (w < 18.0f) {
    t = t - 3.25f;
    float p = 4.1889237e-07f;
    p = __builtin_fmaf(p, t, (-3.21232619e-05f));
    p = __builtin_fmaf(p, t, 8.26127216e-05f);
    p = __builtin_fmaf(p, t, 4.77088906e-06f);
    p = __builtin_fmaf(p, t, (-0.000363176485f));
    p = __builtin_fmaf(p, t, 0.000963847793f);
    p = __builtin_fmaf(p, t, (-0.00168608327f));
    p = __builtin_fmaf(p, t, 0.00248887902f);
    p = __builtin_fmaf(p, t, (-0.00375144836f));
    p = __builtin_fmaf(p, t, 0.00537113985f);
    p = __builtin_fmaf(p, t, 1.00525892f);
    p = __builtin_fmaf(p, t, (-6.24091143e-08f));
    return __builtin_fmaf(x, 3.08388567f, x * p);
  }
  // Where only the complement gets.
  t = t - 7.25f;
  float p = 2.27353247e-10f;
    p = __builtin_fmaf(p, t, (-1.5787216e-09f));
    p = __builtin_fmaf(p, t, 5.18644061e-09f);
    p = __builtin_fmaf(p, t, (-3.26838254e-08f));
    p = __builtin_fmaf(p, t, 2.37549372e-07f);
    p = __builtin_fmaf(p, t, (-1.23903294e-06f));
    p = __builtin_fmaf(p, t, 4.290775e-06f);
    p = __builtin_fmaf(p, t, 1.14634313e-05f);
    p = __builtin_fmaf(p, t, (-0.000505902804f));
    p = __builtin_fmaf(p, t, 1.00834084f);
    p = __builtin_fmaf(p, t, (-2.88505557e-08f));
    return __builtin_fmaf(x, 7.12113667f, x * p);
}

//@ fn __unspool_erfinvf
static float __unspool_erfinvf(float x) {
  float r = __unspool_erfinv_timesf(x, __builtin_fmaf(-x, x, 1.0f));
  // A zero keeps its sign.
  r = x == 0.0f ? x : r;
  return __builtin_fabsf(x) == 1.0f ? x * __builtin_inff() : r;
}

//@ fn __unspool_erfcinvf
static float __unspool_erfcinvf(float x) {
  float r = __unspool_erfinv_timesf(1.0f - x, x * (2.0f - x));
  r = x == 0.0f ? __builtin_inff() : r;
  return x == 2.0f ? -__builtin_inff() : r;
}

//@ fn __unspool_normcdfinvf
static float __unspool_normcdfinvf(float p) { return -1.41421354f * __unspool_erfcinvf(2.0f * p); }

//@ fn __unspool_normcdff
static float __unspool_normcdff(float x) {
  float a = __builtin_fabsf(x);
  if (a < 0.7f) { return __builtin_fmaf(0.5f, __unspool_erf_smallf(x * 0.707106769f), 0.5f); }
  float c = __builtin_fminf(a, 14.5f);
  float h = c * c;
  float l = __builtin_fmaf(c, c, -h);
  // Scaled, so that nothing underflows before the result does.
  // 2 normcdf(-c) e^(c*c/2) (1 + 1.5c), over (1 + 1.5c); what rounding leaves of numerator and denominator goes into the quotient.
  float t = (c - 4.0f) / (c + 4.0f);
  float p = (-0.000272435864f);
  p = __builtin_fmaf(p, t, (-0.000191591491f));
  p = __builtin_fmaf(p, t, 0.00227411999f);
  p = __builtin_fmaf(p, t, (-0.00150934607f));
  p = __builtin_fmaf(p, t, (-0.0155170495f));
  p = __builtin_fmaf(p, t, 0.0623021424f);
  p = __builtin_fmaf(p, t, (-0.127457947f));
  p = __builtin_fmaf(p, t, 0.157508418f);
  p = __builtin_fmaf(p, t, (-0.0823803693f));
  p = __builtin_fmaf(p, t, (-0.11971271f));
  p = __builtin_fmaf(p, t, 6.4227148e-09f);
  float n = p + 1.32174897f;
  float nl = p - (n - 1.32174897f);
  float b = __builtin_fmaf(1.5f, c, 1.0f);
  float bl = __builtin_fmaf(1.5f, c, -b) + 1.0f;
  float i = 1.0f / b;
  float y = n * i;
  float e = __builtin_fmaf(-y, b, n);
  e += __builtin_fmaf(-y, bl, nl);
  y = __builtin_fmaf(e, i, y);
  float r = y * __unspool_exp_partsf(-0.5f * h, -0.5f * l, 60);
  r = r * 4.33680869e-19f;
  r = x > 0.0f ? 1.0f - r : r;
  return x == x ? r : x;
}
