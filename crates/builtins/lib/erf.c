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
