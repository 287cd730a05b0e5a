// Written by generate.py from templates.py; change it there.

//@ fn __unspool_erff host
// Near zero a polynomial, else 1 - 2^-p for a polynomial p.
static float __unspool_erff(float x) {
  float a = __builtin_fabsf(x);
  float small = __unspool_erf_smallf(x);
  float t = (a < 3.9375f ? a : 3.9375f) - 2.4f;
  float p = 4.60008209e-08f;
  p = __builtin_fmaf(p, t, (-2.35855782e-06f));
  p = __builtin_fmaf(p, t, 2.08082674e-05f);
  p = __builtin_fmaf(p, t, (-0.000125620296f));
  p = __builtin_fmaf(p, t, 0.000677773147f);
  p = __builtin_fmaf(p, t, (-0.00344434427f));
  p = __builtin_fmaf(p, t, 0.0169775821f);
  p = __builtin_fmaf(p, t, 1.35685742f);
  p = __builtin_fmaf(p, t, 7.45041847f);
  p = __builtin_fmaf(p, t, 10.5042267f);
  // Between 0 and -26: no exponent leaves the range.
  float m = 12582912.0f - p;
  float f = (12582912.0f - m) - p;
  float q = 0.00133813033f;
  q = __builtin_fmaf(q, f, 0.00966636837f);
  q = __builtin_fmaf(q, f, 0.0555038117f);
  q = __builtin_fmaf(q, f, 0.240223497f);
  q = __builtin_fmaf(q, f, 0.693147182f);
  q = __builtin_fmaf(q, f, 1.0f);
  q = __builtin_unspool_as_float(__builtin_unspool_as_uint(q) + (__builtin_unspool_as_uint(m) << 23));
  float r = a < 0.9f ? small : __builtin_copysignf(1.0f - q, x);
  return x == x ? r : x;
}

//@ fn __unspool_erf host
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
