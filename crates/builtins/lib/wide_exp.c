// Written by generate.py from templates.py; change it there.

//@ data __unspool_exp2_tablef wide
static __constant const float __unspool_exp2_tablef[16] = {1.0f, 1.04427373f, 1.09050775f, 1.13878858f, 1.18920708f, 1.24185777f, 1.29683959f, 1.35425556f, 1.41421354f, 1.47682619f, 1.54221082f, 1.61049032f, 1.68179286f, 1.75625217f, 1.8340081f, 1.91520655f};

//@ fn __unspool_expf wide
static float __unspool_expf(float x) {
  float c = x < -104.0f ? -104.0f : x;
  c = c > 89.0f ? 89.0f : c;
  float m = __builtin_fmaf(c, 1.44269502f, 786432.0f);
  float j = m - 786432.0f;
  float t = __builtin_fmaf(j, -0.693147182f, c);
  t = __builtin_fmaf(j, -(-1.90465421e-09f), t);
  float p = 0.166669607f;
  p = __builtin_fmaf(p, t, 0.500014663f);
  p = __builtin_fmaf(p, t, 1.0f);
  p *= t;
  float s = __unspool_exp2_tablef[__builtin_unspool_as_uint(m) & 15];
  return __builtin_unspool_scalef(__builtin_fmaf(s, p, s), j);
}

//@ fn __unspool_exp2f wide
static float __unspool_exp2f(float x) {
  float c = x < -151.0f ? -151.0f : x;
  c = c > 129.0f ? 129.0f : c;
  float m = c + 786432.0f;
  float j = m - 786432.0f;
  float t = c - j;
  float p = 0.0555050857f;
  p = __builtin_fmaf(p, t, 0.24023357f);
  p = __builtin_fmaf(p, t, 0.693147182f);
  p *= t;
  float s = __unspool_exp2_tablef[__builtin_unspool_as_uint(m) & 15];
  return __builtin_unspool_scalef(__builtin_fmaf(s, p, s), j);
}

//@ fn __unspool_exp10f wide
static float __unspool_exp10f(float x) {
  float c = x < -46.0f ? -46.0f : x;
  c = c > 39.0f ? 39.0f : c;
  float m = __builtin_fmaf(c, 3.32192802f, 786432.0f);
  float j = m - 786432.0f;
  float t = __builtin_fmaf(j, -0.30103001f, c);
  t = __builtin_fmaf(j, -(-1.43209888e-08f), t);
  float p = 2.03471446f;
  p = __builtin_fmaf(p, t, 2.65102696f);
  p = __builtin_fmaf(p, t, 2.30258512f);
  p *= t;
  float s = __unspool_exp2_tablef[__builtin_unspool_as_uint(m) & 15];
  return __builtin_unspool_scalef(__builtin_fmaf(s, p, s), j);
}

//@ data __unspool_exp2_table wide
static __constant const double __unspool_exp2_table[16] = {1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916, 1.189207115002721, 1.241857812073484, 1.2968395546510096, 1.3542555469368927, 1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543, 1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474};

//@ fn __unspool_exp wide
static double __unspool_exp(double x) {
  double c = x < -746.0 ? -746.0 : x;
  c = c > 710.0 ? 710.0 : c;
  double m = __builtin_fma(c, 1.4426950408889634, 422212465065984.0);
  double j = m - 422212465065984.0;
  double t = __builtin_fma(j, -0.69314718055994529, c);
  t = __builtin_fma(j, -2.3190468138462996e-17, t);
  double t2 = t * t;
  double t4 = t2 * t2;
  double q = __builtin_fma(0.0013889034639665864, t4, __builtin_fma(__builtin_fma(0.0083334499341071854, t, 0.041666666664953618), t2, __builtin_fma(0.16666666665296223, t, 0.5)));
  double p = __builtin_fma(q, t2, t);
  double s = __unspool_exp2_table[__builtin_unspool_as_ulong(m) & 15];
  return __builtin_unspool_scale(__builtin_fma(s, p, s), j);
}

//@ fn __unspool_exp2 wide
static double __unspool_exp2(double x) {
  double c = x < -1080.0 ? -1080.0 : x;
  c = c > 1025.0 ? 1025.0 : c;
  double m = c + 422212465065984.0;
  double j = m - 422212465065984.0;
  double t = c - j;
  double t2 = t * t;
  double t4 = t2 * t2;
  double q = __builtin_fma(0.00015403692038891265, t4, __builtin_fma(__builtin_fma(0.0013333744710812211, t, 0.0096181291072330449), t2, __builtin_fma(0.055504108660257664, t, 0.24022650695910072)));
  double p = __builtin_fma(q, t2, t * 0.69314718055994529);
  double s = __unspool_exp2_table[__builtin_unspool_as_ulong(m) & 15];
  return __builtin_unspool_scale(__builtin_fma(s, p, s), j);
}

//@ fn __unspool_exp10 wide
static double __unspool_exp10(double x) {
  double c = x < -324.0 ? -324.0 : x;
  c = c > 309.0 ? 309.0 : c;
  double m = __builtin_fma(c, 3.3219280948873622, 422212465065984.0);
  double j = m - 422212465065984.0;
  double t = __builtin_fma(j, -0.3010299956639812, c);
  t = __builtin_fma(j, -(-2.8037281277851704e-18), t);
  double t2 = t * t;
  double t4 = t2 * t2;
  double q = __builtin_fma(0.20699802092288414, t4, __builtin_fma(__builtin_fma(0.53939047629161507, t, 1.1712551488641127), t2, __builtin_fma(2.0346785921261716, t, 2.6509490552391992)));
  double p = __builtin_fma(q, t2, t * 2.3025850929940459);
  double s = __unspool_exp2_table[__builtin_unspool_as_ulong(m) & 15];
  return __builtin_unspool_scale(__builtin_fma(s, p, s), j);
}

//@ fn __unspool_fast_exp2f inline wide
// 2^x to about 2 ulp.
static float __unspool_fast_exp2f(float x) {
  float c = x < -151.0f ? -151.0f : x;
  c = c > 129.0f ? 129.0f : c;
  float m = c + 786432.0f;
  float j = m - 786432.0f;
  float t = c - j;
  float p = 0.0555050857f;
  p = __builtin_fmaf(p, t, 0.240233555f);
  p = __builtin_fmaf(p, t, 0.693147182f);
  p *= t;
  float s = __unspool_exp2_tablef[__builtin_unspool_as_uint(m) & 15];
  return __builtin_unspool_scalef(__builtin_fmaf(s, p, s), j);
}
