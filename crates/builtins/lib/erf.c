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

//@ fn __unspool_erfcf
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

//@ fn __unspool_erfc
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
  double r = __unspool_erfinv_times(x, __builtin_fma(-x, x, 1.0));
  // A zero keeps its sign.
  r = x == 0.0 ? x : r;
  return __builtin_fabs(x) == 1.0 ? x * __builtin_inf() : r;
}

//@ fn __unspool_erfcinv
static double __unspool_erfcinv(double x) {
  double r = __unspool_erfinv_times(1.0 - x, x * (2.0 - x));
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

//@ fn __unspool_erfinv_times
// x * (erfinv(y) / y) from q = 1 - y*y. Giles, "Approximating the erfinv function", 2011: polynomials of the logarithm.
static double __unspool_erfinv_times(double x, double q) {
  double w = -__unspool_log(q);
  if (w < 6.25) {
    double t = w - 3.125;
    double p = (-3.5932028927020693e-22);
    p = __builtin_fma(p, t, 3.194015548136271e-21);
    p = __builtin_fma(p, t, 1.9992599888615348e-20);
    p = __builtin_fma(p, t, (-3.4734793888538036e-19));
    p = __builtin_fma(p, t, 6.0750507020724141e-19);
    p = __builtin_fma(p, t, 1.5510787009902526e-17);
    p = __builtin_fma(p, t, (-1.2215637192404172e-16));
    p = __builtin_fma(p, t, (-3.9401881223043202e-17));
    p = __builtin_fma(p, t, 6.5213335115022388e-15);
    p = __builtin_fma(p, t, (-4.0020031087558496e-14));
    p = __builtin_fma(p, t, (-8.0719259389900406e-14));
    p = __builtin_fma(p, t, 2.6305268312595183e-12);
    p = __builtin_fma(p, t, (-1.2978805369932565e-11));
    p = __builtin_fma(p, t, (-5.4143032839195042e-11));
    p = __builtin_fma(p, t, 1.051223377050429e-09);
    p = __builtin_fma(p, t, (-4.1126604371632185e-09));
    p = __builtin_fma(p, t, (-2.907039127564132e-08));
    p = __builtin_fma(p, t, 4.2347881682224598e-07);
    p = __builtin_fma(p, t, (-1.3654691758785656e-06));
    p = __builtin_fma(p, t, (-1.3882523393957483e-05));
    p = __builtin_fma(p, t, 0.00018673420801981186);
    p = __builtin_fma(p, t, (-0.00074070253415464314));
    p = __builtin_fma(p, t, (-0.0060336708714268513));
    p = __builtin_fma(p, t, 0.24015818242558834);
    p = __builtin_fma(p, t, (-2.3602490514133155e-17));
    return __builtin_fma(x, 1.6536545626831027, x * p);
  }
  double t = __unspool_root(w);
  if (w < 36.75) {
    t = t - 4.25;
    double p = (-3.6113103250364831e-16);
    p = __builtin_fma(p, t, 1.0777748992734493e-15);
    p = __builtin_fma(p, t, 7.2867234480037476e-15);
    p = __builtin_fma(p, t, (-2.8215240275968221e-14));
    p = __builtin_fma(p, t, (-2.9401622996214759e-14));
    p = __builtin_fma(p, t, 1.811092577008598e-13);
    p = __builtin_fma(p, t, 1.4760002860063878e-15);
    p = __builtin_fma(p, t, 3.7650546350086146e-13);
    p = __builtin_fma(p, t, (-5.0458334179371111e-12));
    p = __builtin_fma(p, t, 7.4319489328079018e-12);
    p = __builtin_fma(p, t, 3.568405047654019e-11);
    p = __builtin_fma(p, t, (-2.0003748586193319e-10));
    p = __builtin_fma(p, t, 4.6095573414863713e-10);
    p = __builtin_fma(p, t, (-1.647234104331511e-10));
    p = __builtin_fma(p, t, (-3.0677873192638228e-09));
    p = __builtin_fma(p, t, 1.3404391667390621e-08);
    p = __builtin_fma(p, t, (-3.0138466910677161e-08));
    p = __builtin_fma(p, t, 2.5643056088162049e-08);
    p = __builtin_fma(p, t, 9.3285559573400179e-08);
    p = __builtin_fma(p, t, (-5.1528022964727751e-07));
    p = __builtin_fma(p, t, 1.4901785616899596e-06);
    p = __builtin_fma(p, t, (-3.2111201830309617e-06));
    p = __builtin_fma(p, t, 5.8072668773583977e-06);
    p = __builtin_fma(p, t, (-1.0197666940025102e-05));
    p = __builtin_fma(p, t, 2.1980128463309119e-05);
    p = __builtin_fma(p, t, (-6.441975047118603e-05));
    p = __builtin_fma(p, t, 0.00021217671325044754);
    p = __builtin_fma(p, t, (-0.00060789402748118724));
    p = __builtin_fma(p, t, 0.00071274997266027344);
    p = __builtin_fma(p, t, 1.009978277161256);
    p = __builtin_fma(p, t, (-2.1829959937258341e-16));
    return __builtin_fma(x, 4.0922234236681296, x * p);
  }
  // Where only the complement gets.
  t = t - 16.5;
  double p = (-4.9988444902322511e-41);
    p = __builtin_fma(p, t, 1.1720936470609279e-39);
    p = __builtin_fma(p, t, 2.6783371572810498e-38);
    p = __builtin_fma(p, t, (-7.4120188177969052e-37));
    p = __builtin_fma(p, t, (-7.3363936029843996e-36));
    p = __builtin_fma(p, t, 2.398982709522292e-34);
    p = __builtin_fma(p, t, 1.0726897784027168e-33);
    p = __builtin_fma(p, t, (-4.6247472116027305e-32));
    p = __builtin_fma(p, t, (-1.108588830747658e-31));
    p = __builtin_fma(p, t, 6.4419007439411578e-30);
    p = __builtin_fma(p, t, 2.0740965568682545e-30);
    p = __builtin_fma(p, t, (-5.6449589829392962e-28));
    p = __builtin_fma(p, t, (-5.2962890725972128e-28));
    p = __builtin_fma(p, t, 5.2695494894026183e-26);
    p = __builtin_fma(p, t, (-1.9341939802842437e-25));
    p = __builtin_fma(p, t, 3.2140841061385255e-25);
    p = __builtin_fma(p, t, (-3.6905972588813886e-23));
    p = __builtin_fma(p, t, 6.899461319803194e-22);
    p = __builtin_fma(p, t, (-9.2694372207421644e-21));
    p = __builtin_fma(p, t, 1.33507912687113e-19);
    p = __builtin_fma(p, t, (-1.9601090470392126e-18));
    p = __builtin_fma(p, t, 2.7338184227615907e-17);
    p = __builtin_fma(p, t, (-3.5673219484066319e-16));
    p = __builtin_fma(p, t, 4.1644132588456436e-15);
    p = __builtin_fma(p, t, (-3.7000610657411565e-14));
    p = __builtin_fma(p, t, 2.1680721010675943e-14);
    p = __builtin_fma(p, t, 1.0675303337745908e-11);
    p = __builtin_fma(p, t, (-3.8560856757619383e-10));
    p = __builtin_fma(p, t, 1.0414225466430164e-08);
    p = __builtin_fma(p, t, (-2.5233443294627791e-07));
    p = __builtin_fma(p, t, 5.8282590531965872e-06);
    p = __builtin_fma(p, t, (-0.00013288218549875673));
    p = __builtin_fma(p, t, 1.0031038941897019);
    p = __builtin_fma(p, t, 1.2219801422896975e-16);
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

//@ fn __unspool_erfinvf
static float __unspool_erfinvf(float x) {
  float r = __unspool_erfinv_timesf(x, __builtin_unspool_lg2_approx_ftz(__builtin_fmaf(-x, x, 1.0f)) * (-0.693147182f));
  // A zero keeps its sign.
  r = x == 0.0f ? x : r;
  return __builtin_fabsf(x) == 1.0f ? x * __builtin_inff() : r;
}

//@ fn __unspool_erfcinvf
static float __unspool_erfcinvf(float x) {
  float r = __unspool_erfinv_timesf(1.0f - x, __builtin_unspool_lg2_approx(x * (2.0f - x)) * (-0.693147182f));
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

//@ fn __unspool_erf
// As for float. The polynomial p may err the more the closer the result is to 1.
static double __unspool_erf(double x) {
  double a = __builtin_fabs(x);
  double z = x * x;
  double s = (-4.2309458242953377e-12);
  s = __builtin_fma(s, z, 8.7090451290531062e-11);
  s = __builtin_fma(s, z, (-1.216456005728345e-09));
  s = __builtin_fma(s, z, 1.4792401209404813e-08);
  s = __builtin_fma(s, z, (-1.6364642158167616e-07));
  s = __builtin_fma(s, z, 1.6462045441468418e-06);
  s = __builtin_fma(s, z, (-1.4925647567519332e-05));
  s = __builtin_fma(s, z, 0.00012055332902888736);
  s = __builtin_fma(s, z, (-0.00085483270219348297));
  s = __builtin_fma(s, z, 0.0052239776254232985);
  s = __builtin_fma(s, z, (-0.02686617064512984));
  s = __builtin_fma(s, z, 0.11283791670955121);
  s = __builtin_fma(s, z, (-0.37612638903183754));
  s = __builtin_fma(s, z, 0.12837916709551259);
  double small = __builtin_fma(s, x, x);
  double t = (a < 5.9375 ? a : 5.9375) - 1.048828125;
  double t2 = t * t;
  double t4 = t2 * t2;
  double t8 = t4 * t4;
  double t16 = t8 * t8;
  double p = __builtin_fma(__builtin_fma((-1.4962085389707026e-12), t, 4.0187299539630075e-11), t16, __builtin_fma(__builtin_fma(__builtin_fma(__builtin_fma((-4.9661071835019065e-10), t, 3.7259299676294909e-09), t2, __builtin_fma((-1.861767138353807e-08), t, 6.1319834359952053e-08)), t4, __builtin_fma(__builtin_fma((-9.7429822392879804e-08), t, (-2.7565277812610174e-07)), t2, __builtin_fma(2.841307685480792e-06, t, (-1.2442192162744236e-05)))), t8, __builtin_fma(__builtin_fma(__builtin_fma(3.3404866861500544e-05, t, (-2.3754145023865119e-05)), t2, __builtin_fma((-0.00035285814819378591), t, 0.002751550017053989)), t4, __builtin_fma(__builtin_fma((-0.013791476298685544), t, 0.057199923957259223), t2, __builtin_fma(1.2249260746089354, t, 3.9264314061437395)))));
  p = __builtin_fma(p, t, 2.8572232670540809);
  // Between 0 and -54: no exponent leaves the range.
  double m = 6755399441055744.0 - p;
  double f = (6755399441055744.0 - m) - p;
  double f2 = f * f;
  double f4 = f2 * f2;
  double f8 = f4 * f4;
  double q = __builtin_fma(__builtin_fma(4.4549607416075015e-10, f2, __builtin_fma(7.0725859529024877e-09, f, 1.0178062445040239e-07)), f8, __builtin_fma(__builtin_fma(__builtin_fma(1.3215442587903525e-06, f, 1.5252733829837681e-05), f2, __builtin_fma(0.0001540353044173608, f, 0.0013333558146416933)), f4, __builtin_fma(__builtin_fma(0.0096181291076068882, f, 0.055504108664821597), f2, __builtin_fma(0.24022650695910097, f, 0.69314718055994529))));
  q = __builtin_fma(q, f, 1.0);
  q = __builtin_unspool_as_double(__builtin_unspool_as_ulong(q) + (__builtin_unspool_as_ulong(m) << 52));
  double r = a < 1.0 ? small : __builtin_copysign(1.0 - q, x);
  return x == x ? r : x;
}
