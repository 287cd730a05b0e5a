// Written by generate.py from templates.py; change it there.

//@ fn __unspool_erfcx_nearf
// e^(a*a) * erfc(a) for a from 0 to 12.0f.
static float __unspool_erfcx_nearf(float a) {
  float d = a + 4.0f;
  float n = a - 4.0f;
  float q = __unspool_quotientf(n, d);
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
  return __unspool_quotientf(p, b);
}

//@ fn __unspool_erfcx_coref
// e^(a*a) * erfc(a) for a >= 0.
static float __unspool_erfcx_coref(float a) {
  // Beyond, the first terms of the asymptotic series are exact enough.
  if (a > 12.0f) {
    // No reciprocal is too small for a normal number.
    float i = __unspool_inversef(a * 5.42101086e-20f) * 5.42101086e-20f;
    float t = 0.5f * i * i;
    float w = __builtin_fmaf(t, __builtin_fmaf(t, __builtin_fmaf(t, __builtin_fmaf(t, 105.0f, -15.0f), 3.0f), -1.0f), 1.0f);
    return w * i * 0.564189613f;
  }
  return __unspool_erfcx_nearf(a);
}

//@ fn __unspool_erfcf host
static float __unspool_erfcf(float x) {
  float a = __builtin_fabsf(x);
  if (x != x) { return x; }
  if (a < 0.5f) { return 1.0f - __unspool_erf_smallf(x); }
  float c = __builtin_fminf(a, 10.1999998f);
  float h = c * c;
  float l = __builtin_fmaf(c, c, -h);
  float r = __unspool_erfcx_nearf(c) * __unspool_exp_partsf(-h, -l, 60);
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

//@ fn __unspool_erfcx_near
// e^(a*a) * erfc(a) for a from 0 to 50.0.
static double __unspool_erfcx_near(double a) {
  double d = a + 4.0;
  double n = a - 4.0;
  double q = __unspool_quotient(n, d);
  double p = 3.0588670485443004e-11;
  p = __builtin_fma(p, q, 5.0493942360674282e-11);
  p = __builtin_fma(p, q, (-3.3548253064452638e-10));
  p = __builtin_fma(p, q, (-5.8657834145492416e-10));
  p = __builtin_fma(p, q, 2.363295337204363e-09);
  p = __builtin_fma(p, q, 4.0727492489622819e-09);
  p = __builtin_fma(p, q, (-1.5685358789596648e-08));
  p = __builtin_fma(p, q, (-2.2045824721317331e-08));
  p = __builtin_fma(p, q, 1.1118169140900136e-07);
  p = __builtin_fma(p, q, 7.9048618317756336e-08);
  p = __builtin_fma(p, q, (-8.2574342741281725e-07));
  p = __builtin_fma(p, q, 2.9083867048029788e-07);
  p = __builtin_fma(p, q, 5.7096415002278727e-06);
  p = __builtin_fma(p, q, (-1.1220726642106092e-05));
  p = __builtin_fma(p, q, (-2.4399104634869913e-05));
  p = __builtin_fma(p, q, 0.0001506213006419682);
  p = __builtin_fma(p, q, (-0.0001992567356063718));
  p = __builtin_fma(p, q, (-0.00075777321858892246));
  p = __builtin_fma(p, q, 0.0050319699860734545);
  p = __builtin_fma(p, q, (-0.016197734065966241));
  p = __builtin_fma(p, q, 0.037167515536586579);
  p = __builtin_fma(p, q, (-0.066330365811664974));
  p = __builtin_fma(p, q, 0.093732834998403999);
  p = __builtin_fma(p, q, (-0.10103906603632287));
  p = __builtin_fma(p, q, 0.068097054254691036);
  p = __builtin_fma(p, q, 0.015379652102619957);
  p = __builtin_fma(p, q, (-0.1396211168405625));
  p = __builtin_fma(p, q, 1.2329951186255526);
  double b = __builtin_fma(2.0, a, 1.0);
  return __unspool_quotient(p, b);
}

//@ fn __unspool_erfcx_core
// e^(a*a) * erfc(a) for a >= 0.
static double __unspool_erfcx_core(double a) {
  // Beyond, the first terms of the asymptotic series are exact enough.
  if (a > 50.0) {
    // No reciprocal is too small for a normal number.
    double i = __unspool_inverse(a * 5.4210108624275222e-20) * 5.4210108624275222e-20;
    double t = 0.5 * i * i;
    double w = __builtin_fma(t, __builtin_fma(t, __builtin_fma(t, __builtin_fma(t, 105.0, -15.0), 3.0), -1.0), 1.0);
    return w * i * 0.56418958354775628;
  }
  return __unspool_erfcx_near(a);
}

//@ fn __unspool_erfc host
static double __unspool_erfc(double x) {
  double a = __builtin_fabs(x);
  if (x != x) { return x; }
  if (a < 0.5) { return 1.0 - __unspool_erf_small(x); }
  double c = __builtin_fmin(a, 27.300000000000001);
  double h = c * c;
  double l = __builtin_fma(c, c, -h);
  double r = __unspool_erfcx_near(c) * __unspool_exp_parts(-h, -l, 200);
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
  double p = 6.4962812906799172e-11;
  p = __builtin_fma(p, z, (-1.165308738393378e-09));
  p = __builtin_fma(p, z, 1.4723624985890638e-08);
  p = __builtin_fma(p, z, (-1.6358683296857635e-07));
  p = __builtin_fma(p, z, 1.6461697354329785e-06);
  p = __builtin_fma(p, z, (-1.4925633628027803e-05));
  p = __builtin_fma(p, z, 0.00012055332521384476);
  p = __builtin_fma(p, z, (-0.00085483270149491275));
  p = __builtin_fma(p, z, 0.005223977625341325);
  p = __builtin_fma(p, z, (-0.026866170645124126));
  p = __builtin_fma(p, z, 0.112837916709551);
  p = __builtin_fma(p, z, (-0.37612638903183754));
  p = __builtin_fma(p, z, 0.12837916709551259);
  return __builtin_fma(p, x, x);
}

//@ fn __unspool_erff
static float __unspool_erff(float x) {
  float a = __builtin_fabsf(x);
  int far = a >= 1.0f;
  float t = far ? a : x * x;
  float p = far ? 2.09491627e-05f : 7.84228832e-05f;
  p = __builtin_fmaf(p, t, far ? (-0.000513765845f) : (-0.000800679321f));
  p = __builtin_fmaf(p, t, far ? 0.00545295794f : 0.00518796267f);
  p = __builtin_fmaf(p, t, far ? (-0.0347064435f) : (-0.0268536434f));
  p = __builtin_fmaf(p, t, far ? 0.153769106f : 0.112835824f);
  p = __builtin_fmaf(p, t, far ? 0.916020691f : (-0.37612626f));
  p = __builtin_fmaf(p, t, far ? 0.628373206f : 0.128379166f);
  float s = far ? -a : x;
  p = __builtin_fmaf(p, s, s);
  float r = __builtin_copysignf(1.0f - __builtin_unspool_ex2_approx_ftz(p), x);
  return far ? r : p;
}

//@ fn __unspool_erfinvf host
static float __unspool_erfinvf(float x) {
  float a = __builtin_fabsf(x);
  if (!(a < 1.0f)) { return a == 1.0f ? __builtin_copysignf(__builtin_inff(), x) : __builtin_nanf(""); }
  return x == 0.0f ? x : __unspool_erfinv_timesf(x, -__unspool_logf(__builtin_fmaf(-x, x, 1.0f)));
}

//@ fn __unspool_erfcinvf host
static float __unspool_erfcinvf(float x) { return (float)__unspool_erfcinv((double)x); }

//@ fn __unspool_erfinv
static double __unspool_erfinv(double x) {
  double r = __unspool_erfinv_times(x, -__unspool_log(__builtin_fma(-x, x, 1.0)));
  // A zero keeps its sign.
  r = x == 0.0 ? x : r;
  return __builtin_fabs(x) == 1.0 ? x * __builtin_inf() : r;
}

//@ fn __unspool_erfcinv
static double __unspool_erfcinv(double x) {
  double r = __unspool_erfcinv_times(1.0 - x, -__unspool_log(x * (2.0 - x)));
  r = x == 0.0 ? __builtin_inf() : r;
  return x == 2.0 ? -__builtin_inf() : r;
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

//@ fn __unspool_erfinv_times inline
// x * (erfinv(y) / y) from w = -log(1 - y*y) below 36.75. Giles, "Approximating the erfinv function", 2011: polynomials of the
// logarithm.
static double __unspool_erfinv_times(double x, double w) {
  if (w < 6.25) {
    double t = w - 3.125;
    double p = (-3.3850326889976118e-22);
    p = __builtin_fma(p, t, 3.1905584072392036e-21);
    p = __builtin_fma(p, t, 1.8771519833395564e-20);
    p = __builtin_fma(p, t, (-3.471530206326329e-19));
    p = __builtin_fma(p, t, 6.3884440837419785e-19);
    p = __builtin_fma(p, t, 1.5506010125563836e-17);
    p = __builtin_fma(p, t, (-1.2261850114778225e-16));
    p = __builtin_fma(p, t, (-3.9335177749085242e-17));
    p = __builtin_fma(p, t, 6.5256570221279564e-15);
    p = __builtin_fma(p, t, (-4.0020615618890081e-14));
    p = __builtin_fma(p, t, (-8.0746010542469588e-14));
    p = __builtin_fma(p, t, 2.6305301684835105e-12);
    p = __builtin_fma(p, t, (-1.2978694598983325e-11));
    p = __builtin_fma(p, t, (-5.4143045316142969e-11));
    p = __builtin_fma(p, t, 1.051223072891352e-09);
    p = __builtin_fma(p, t, (-4.1126604072435283e-09));
    p = __builtin_fma(p, t, (-2.9070390737833695e-08));
    p = __builtin_fma(p, t, 4.2347881677848238e-07);
    p = __builtin_fma(p, t, (-1.3654691764576518e-06));
    p = __builtin_fma(p, t, (-1.3882523393921987e-05));
    p = __builtin_fma(p, t, 0.00018673420802015362);
    p = __builtin_fma(p, t, (-0.00074070253415465636));
    p = __builtin_fma(p, t, (-0.0060336708714269381));
    p = __builtin_fma(p, t, 0.24015818242558834);
    p = __builtin_fma(p, t, (-1.9373588263290619e-17));
    return __builtin_fma(x, 1.6536545626831027, x * p);
  }
  double t = __unspool_root(w) - 4.25;
  double p = (-3.7921050949688267e-16);
    p = __builtin_fma(p, t, 1.0921710584532729e-15);
    p = __builtin_fma(p, t, 7.7140577996528958e-15);
    p = __builtin_fma(p, t, (-2.8534683296776997e-14));
    p = __builtin_fma(p, t, (-3.3952821023447433e-14));
    p = __builtin_fma(p, t, 1.842849874436614e-13);
    p = __builtin_fma(p, t, 3.0326788172732599e-14);
    p = __builtin_fma(p, t, 3.5783528917754381e-13);
    p = __builtin_fma(p, t, (-5.1669675482646227e-12));
    p = __builtin_fma(p, t, 7.5041084457438956e-12);
    p = __builtin_fma(p, t, 3.6038727557752281e-11);
    p = __builtin_fma(p, t, (-2.0023027680338146e-10));
    p = __builtin_fma(p, t, 4.6021306856631638e-10);
    p = __builtin_fma(p, t, (-1.6435907633105456e-10));
    p = __builtin_fma(p, t, (-3.0666649705845642e-09));
    p = __builtin_fma(p, t, 1.3403902375593526e-08);
    p = __builtin_fma(p, t, (-3.0139687834260233e-08));
    p = __builtin_fma(p, t, 2.5643517146273844e-08);
    p = __builtin_fma(p, t, 9.3286503447704641e-08);
    p = __builtin_fma(p, t, (-5.1528052339866139e-07));
    p = __builtin_fma(p, t, 1.4901780546845209e-06);
    p = __builtin_fma(p, t, (-3.21112006687636e-06));
    p = __builtin_fma(p, t, 5.8072670604516666e-06);
    p = __builtin_fma(p, t, (-1.0197666962368805e-05));
    p = __builtin_fma(p, t, 2.1980128420952542e-05);
    p = __builtin_fma(p, t, (-6.4419750471597282e-05));
    p = __builtin_fma(p, t, 0.00021217671325619034);
    p = __builtin_fma(p, t, (-0.00060789402748044499));
    p = __builtin_fma(p, t, 0.00071274997265991132);
    p = __builtin_fma(p, t, 1.0099782771612558);
    p = __builtin_fma(p, t, (-2.1377068715411863e-16));
    return __builtin_fma(x, 4.0922234236681296, x * p);
}

//@ fn __unspool_erfcinv_times
// The same for every w: only the complement gets as far.
static double __unspool_erfcinv_times(double x, double w) {
  if (w < 36.75) { return __unspool_erfinv_times(x, w); }
  double t = __unspool_root(w) - 16.5;
  double p = (-5.6364384339960107e-41);
    p = __builtin_fma(p, t, 1.2216127648413744e-39);
    p = __builtin_fma(p, t, 3.2517433545125674e-38);
    p = __builtin_fma(p, t, (-7.8425002592076425e-37));
    p = __builtin_fma(p, t, (-9.681183210605236e-36));
    p = __builtin_fma(p, t, 2.5684827071955456e-34);
    p = __builtin_fma(p, t, 1.649618242282949e-33);
    p = __builtin_fma(p, t, (-5.0245236491999791e-32));
    p = __builtin_fma(p, t, (-2.0610948676131471e-31));
    p = __builtin_fma(p, t, 7.0713166061850897e-30);
    p = __builtin_fma(p, t, 1.3215141462339744e-29);
    p = __builtin_fma(p, t, (-6.3427613823477032e-28));
    p = __builtin_fma(p, t, (-1.4797258726397345e-27));
    p = __builtin_fma(p, t, 5.8295538996861788e-26);
    p = __builtin_fma(p, t, (-1.3353393669322101e-25));
    p = __builtin_fma(p, t, (-7.9184933219711859e-27));
    p = __builtin_fma(p, t, (-3.9703981459634245e-23));
    p = __builtin_fma(p, t, 7.0415317216088059e-22);
    p = __builtin_fma(p, t, (-9.1731390229962179e-21));
    p = __builtin_fma(p, t, 1.3306221848145578e-19);
    p = __builtin_fma(p, t, (-1.9625123540671765e-18));
    p = __builtin_fma(p, t, 2.7348161721686222e-17);
    p = __builtin_fma(p, t, (-3.5668986064293752e-16));
    p = __builtin_fma(p, t, 4.1642587602359899e-15);
    p = __builtin_fma(p, t, (-3.7001115005452349e-14));
    p = __builtin_fma(p, t, 2.1682298553233995e-14);
    p = __builtin_fma(p, t, 1.0675307136585165e-11);
    p = __builtin_fma(p, t, (-3.8560857744757365e-10));
    p = __builtin_fma(p, t, 1.0414225450260853e-08);
    p = __builtin_fma(p, t, (-2.5233443291268808e-07));
    p = __builtin_fma(p, t, 5.8282590532281222e-06);
    p = __builtin_fma(p, t, (-0.00013288218549880579));
    p = __builtin_fma(p, t, 1.0031038941897019);
    p = __builtin_fma(p, t, 1.3619744611150708e-16);
    return __builtin_fma(x, 16.418602892566209, x * p);
}

//@ fn __unspool_erfinv_timesf
// x * (erfinv(y) / y) from w = -log(1 - y*y).
static float __unspool_erfinv_timesf(float x, float w) {
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
  float t = __unspool_rootf(w);
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

//@ fn __unspool_normcdff
static float __unspool_normcdff(float x) {
  float a = __builtin_fabsf(x);
  if (a < 0.7f) { return __builtin_fmaf(0.5f, __unspool_erf_smallf(x * 0.707106769f), 0.5f); }
  float c = __builtin_fminf(a, 14.5f);
  float h = c * c;
  float l = __builtin_fmaf(c, c, -h);
  // Scaled, so that nothing underflows before the result does.
  // 2 normcdf(-c) e^(c*c/2) (1 + 1.5c), over (1 + 1.5c); what rounding leaves of numerator and denominator goes into the quotient.
  float t = __unspool_quotientf(c - 4.0f, c + 4.0f);
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
  float i = __unspool_inversef(b);
  float y = n * i;
  float e = __builtin_fmaf(-y, b, n);
  e += __builtin_fmaf(-y, bl, nl);
  y = __builtin_fmaf(e, i, y);
  float r = y * __unspool_exp_partsf(-0.5f * h, -0.5f * l, 60);
  r = r * 4.33680869e-19f;
  r = x > 0.0f ? 1.0f - r : r;
  return x == x ? r : x;
}

//@ fn __unspool_erfinv_middlef inline
// x * (erfinv(y) / y) from v = -log2(1 - y * y) up to 8.
static float __unspool_erfinv_middlef(float x, float v) {
  float p = (-2.68739475e-10f);
  p = __builtin_fmaf(p, v, 1.00001332e-08f);
  p = __builtin_fmaf(p, v, (-1.28517399e-07f));
  p = __builtin_fmaf(p, v, 2.76168322e-07f);
  p = __builtin_fmaf(p, v, 7.8094954e-06f);
  p = __builtin_fmaf(p, v, (-3.10556024e-05f));
  p = __builtin_fmaf(p, v, (-0.000775185588f));
  p = __builtin_fmaf(p, v, 0.00554708904f);
  p = __builtin_fmaf(p, v, 0.160820141f);
  p = __builtin_fmaf(p, v, 0.886226892f);
  return x * p;
}

//@ fn __unspool_erfinvf
static float __unspool_erfinvf(float x) {
  float v = -__builtin_unspool_lg2_approx_ftz(__builtin_fmaf(-x, x, 1.0f));
  float r = __unspool_erfinv_middlef(x, v);
  if (v > 8.0f) {
    float i = __builtin_unspool_rsqrt_approx_ftz(v);
    float s = v * i;
    s = __builtin_fmaf(__builtin_fmaf(-s, s, v), 0.5f * i, s);
    float p = (-0.576233983f);
  p = __builtin_fmaf(p, i, (-0.679714739f));
  p = __builtin_fmaf(p, i, 1.6049546f);
  p = __builtin_fmaf(p, i, (-0.677040577f));
  p = __builtin_fmaf(p, i, (-0.0950241983f));
  p = __builtin_fmaf(p, i, 0.835345149f);
    // An infinity is one.
    r = __builtin_copysignf(v == __builtin_inff() ? v : p * s, x);
  }
  return r;
}

//@ fn __unspool_erfcinvf
static float __unspool_erfcinvf(float x) {
  float v = -__builtin_unspool_lg2_approx(x * (2.0f - x));
  float y = 1.0f - x;
  float r = __unspool_erfinv_middlef(y, v);
  if (v > 8.0f) {
    float i = __builtin_unspool_rsqrt_approx_ftz(v);
    float s = v * i;
    s = __builtin_fmaf(__builtin_fmaf(-s, s, v), 0.5f * i, s);
    float p = 1.43181753f;
  p = __builtin_fmaf(p, i, 13.2505884f);
  p = __builtin_fmaf(p, i, (-30.4545212f));
  p = __builtin_fmaf(p, i, 26.7997189f);
  p = __builtin_fmaf(p, i, (-13.9737082f));
  p = __builtin_fmaf(p, i, 5.41435385f);
  p = __builtin_fmaf(p, i, (-1.32341278f));
  p = __builtin_fmaf(p, i, (-0.0348103605f));
  p = __builtin_fmaf(p, i, 0.832967997f);
    r = __builtin_copysignf(v == __builtin_inff() ? v : p * s, y);
  }
  return r;
}

//@ fn __unspool_normcdfinvf
static float __unspool_normcdfinvf(float p) { return -1.41421354f * __unspool_erfcinvf(2.0f * p); }

//@ fn __unspool_erf
// Near zero a polynomial, else 1 - 2^-p for a polynomial p, which may err the more the closer the result is to 1.
static double __unspool_erf(double x) {
  double a = __builtin_fabs(x);
  double z = x * x;
  double s = (-4.2320383308869225e-12);
  s = __builtin_fma(s, z, 8.7097551393355843e-11);
  s = __builtin_fma(s, z, (-1.2164766971523022e-09));
  s = __builtin_fma(s, z, 1.4792433944421646e-08);
  s = __builtin_fma(s, z, (-1.6364644726440087e-07));
  s = __builtin_fma(s, z, 1.6462045443491762e-06);
  s = __builtin_fma(s, z, (-1.4925647547890411e-05));
  s = __builtin_fma(s, z, 0.00012055332900925583);
  s = __builtin_fma(s, z, (-0.00085483270218366433));
  s = __builtin_fma(s, z, 0.0052239776254205004);
  s = __builtin_fma(s, z, (-0.026866170645129396));
  s = __builtin_fma(s, z, 0.11283791670955116);
  s = __builtin_fma(s, z, (-0.37612638903183754));
  s = __builtin_fma(s, z, 0.12837916709551259);
  double small = __builtin_fma(s, x, x);
  double t = (__unspool_upper_word(x) < __builtin_unspool_as_float(0x4017c000u) ? a : 5.9375) - 1.048828125;
  double p = (-1.496208539009114e-12);
  p = __builtin_fma(p, t, 4.0187020378112948e-11);
  p = __builtin_fma(p, t, (-4.9659787393352417e-10));
  p = __builtin_fma(p, t, 3.7257272822444065e-09);
  p = __builtin_fma(p, t, (-1.8616006514093897e-08));
  p = __builtin_fma(p, t, 6.1311482113524107e-08);
  p = __builtin_fma(p, t, (-9.7402107712696306e-08));
  p = __builtin_fma(p, t, (-2.7571627470024396e-07));
  p = __builtin_fma(p, t, 2.8414106054697186e-06);
  p = __builtin_fma(p, t, (-1.24423124182154e-05));
  p = __builtin_fma(p, t, 3.3404970790420017e-05);
  p = __builtin_fma(p, t, (-2.3754214009877304e-05));
  p = __builtin_fma(p, t, (-0.00035285811218060698));
  p = __builtin_fma(p, t, 0.0027515500029428679);
  p = __builtin_fma(p, t, (-0.013791476295081038));
  p = __builtin_fma(p, t, 0.057199923956790875);
  p = __builtin_fma(p, t, 1.2249260746089492);
  p = __builtin_fma(p, t, 3.9264314061437409);
  p = __builtin_fma(p, t, 2.8572232670540809);
  // Between 0 and -54: no exponent leaves the range.
  double m = 6755399441055744.0 - p;
  double f = (6755399441055744.0 - m) - p;
  double q = 2.5733568054242539e-11;
  q = __builtin_fma(q, f, 4.4558179368436868e-10);
  q = __builtin_fma(q, f, 7.0548935582337435e-09);
  q = __builtin_fma(q, f, 1.0178058573728777e-07);
  q = __builtin_fma(q, f, 1.3215485523687676e-06);
  q = __builtin_fma(q, f, 1.5252733834126297e-05);
  q = __builtin_fma(q, f, 0.00015403530399028269);
  q = __builtin_fma(q, f, 0.001333355814641808);
  q = __builtin_fma(q, f, 0.0096181291076213957);
  q = __builtin_fma(q, f, 0.055504108664821569);
  q = __builtin_fma(q, f, 0.24022650695910094);
  q = __builtin_fma(q, f, 0.69314718055994529);
  q = __builtin_fma(q, f, 1.0);
  q = __unspool_exponent_added(q, (int)__builtin_unspool_as_ulong(m));
  // What is no number is small.
  return a >= 1.0 ? __builtin_copysign(1.0 - q, x) : small;
}

//@ fn __unspool_erfc
static double __unspool_erfc(double x) {
  double a = __builtin_fabs(x);
  double h = a * a;
  double l = __builtin_fma(a, a, -h);
  // e^(a*a) erfc(a) (1 + 2a): exactly 1 at nothing.
  double s = __unspool_quotient(a + a, a + 4.0);
  double t = s - 1.0;
  double p = 4.0722381022817444e-10;
  p = __builtin_fma(p, t, 2.0814407974967253e-09);
  p = __builtin_fma(p, t, (-3.1171221159809193e-10));
  p = __builtin_fma(p, t, (-1.7294169651904667e-08));
  p = __builtin_fma(p, t, (-2.6584778822780208e-09));
  p = __builtin_fma(p, t, 1.1695993862304022e-07);
  p = __builtin_fma(p, t, (-3.856837338389596e-08));
  p = __builtin_fma(p, t, (-7.8967423178255558e-07));
  p = __builtin_fma(p, t, 1.0802286851685494e-06);
  p = __builtin_fma(p, t, 4.6305985287265492e-06);
  p = __builtin_fma(p, t, (-1.5850976989165308e-05));
  p = __builtin_fma(p, t, (-8.5484806094027377e-06));
  p = __builtin_fma(p, t, 0.00015916963221378644);
  p = __builtin_fma(p, t, (-0.00035842630110480376));
  p = __builtin_fma(p, t, (-0.00039934688146106383));
  p = __builtin_fma(p, t, 0.0054313168596786142);
  p = __builtin_fma(p, t, (-0.021629050931020417));
  p = __builtin_fma(p, t, 0.058796566468144129);
  p = __builtin_fma(p, t, (-0.12512693227930619));
  p = __builtin_fma(p, t, 0.2188597672776941);
  p = __builtin_fma(p, t, (-0.31989883331404478));
  p = __builtin_fma(p, t, 0.38799588756873565);
  p = __builtin_fma(p, t, (-0.372616235466115));
  p = __builtin_fma(p, t, 0.2329951186255525);
  p = __builtin_fma(p, s, 1.0);
  double r = __unspool_quotient(p, __builtin_fma(2.0, a, 1.0));
  // Scaled, so that nothing underflows before the result does, which is nothing from 27.25 on.
  r = r * __unspool_exp_within(-h, -l, 200) * 6.2230152778611417e-61;
  r = __unspool_upper_word(x) < __builtin_unspool_as_float(0x403b4000u) ? r : 0.0;
  r = x < 0.0 ? 2.0 - r : r;
  return x == x ? r : x;
}

//@ fn __unspool_erfcf
static float __unspool_erfcf(float x) {
  float a = __builtin_fabsf(x);
  // From here on it is nothing; what is no number stays.
  float c = a > 10.2f ? 10.2f : a;
  float h = c * c;
  float l = __builtin_fmaf(c, c, -h);
  float s = (c + c) * __builtin_unspool_rcp_approx_ftz(c + 4.0f);
  float t = s - 1.0f;
  float p = (-0.000625702203f);
  p = __builtin_fmaf(p, t, (-0.000451309461f));
  p = __builtin_fmaf(p, t, 0.00556784775f);
  p = __builtin_fmaf(p, t, (-0.0215724315f));
  p = __builtin_fmaf(p, t, 0.0587683804f);
  p = __builtin_fmaf(p, t, (-0.125139683f));
  p = __builtin_fmaf(p, t, 0.218862966f);
  p = __builtin_fmaf(p, t, (-0.319897771f));
  p = __builtin_fmaf(p, t, 0.38799569f);
  p = __builtin_fmaf(p, t, (-0.372616261f));
  p = __builtin_fmaf(p, t, 0.232995123f);
  p = __builtin_fmaf(p, s, 1.0f);
  float r = __unspool_quotientf(p, __builtin_fmaf(2.0f, c, 1.0f));
  // e^(-h - l) * 2^60: the whole part, with the exponent's bias, is left in the low bits of the sum.
  float m = __builtin_fmaf(h, -1.44269502f, 12583099.0f);
  float f = __builtin_fmaf(h, -1.44269502f, 12583099.0f - m);
  f = __builtin_fmaf(l, -1.44269502f, __builtin_fmaf(h, -1.92596303e-08f, f));
  r = r * (__builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23)) * 8.67361738e-19f;
  return x < 0.0f ? 2.0f - r : r;
}
