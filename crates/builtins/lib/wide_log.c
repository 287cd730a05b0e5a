// Written by generate.py from templates.py; change it there.

//@ fn __unspool_log_partsf inline wide
// x = (1 + f) * 2^k, 1 + f from 3/4 up to 3/2. Where x is not positive and finite, k is what the logarithm of x is, or f no number.
static float __unspool_log_partsf(float x, float *k) {
  float m = __builtin_unspool_significandf(x);
  *k = __builtin_unspool_exponentf(x) - __builtin_unspool_exponentf(m);
  return m - 1.0f;
}

//@ fn __unspool_log1f inline wide
// log(1 + f), split: f - the result is the smaller part.
static float __unspool_log1f(float f) {
  float f2 = f * f;
  float p = __builtin_fmaf(__builtin_fmaf(__builtin_fmaf(__builtin_fmaf(__builtin_fmaf((-0.0490598492f), f, 0.10493473f), f2, __builtin_fmaf((-0.120827861f), f, 0.126190156f)), f2, __builtin_fmaf((-0.142212167f), f, 0.166557655f)), f2, __builtin_fmaf((-0.200015783f), f, 0.250002384f)), f2, __builtin_fmaf((-0.333333224f), f, 0.5f));
  return f2 * p;
}

//@ fn __unspool_fast_log_unitf inline wide
// log2(x) * unit to a few ulp, near 1 in relation to the result too.
static float __unspool_fast_log_unitf(float x, float unit) {
  float k;
  float f = __unspool_log_partsf(x, &k);
  float f2 = f * f;
  float f4 = f2 * f2;
  float f8 = f4 * f4;
  float p = __builtin_fmaf(0.0763922483f, f8, __builtin_fmaf(__builtin_fmaf(__builtin_fmaf((-0.172500536f), f, 0.216013253f), f2, __builtin_fmaf((-0.24288775f), f, 0.288236529f)), f4, __builtin_fmaf(__builtin_fmaf((-0.360571563f), f, 0.480900794f), f2, __builtin_fmaf((-0.721348524f), f, 1.44269502f))));
  return __builtin_fmaf(p, f * unit, k * unit);
}

//@ data __unspool_log_inverse wide
static __constant const double __unspool_log_inverse[16] = {1.0, 0.91428571428315242, 0.86486486485968528, 0.82051282032806894, 0.78048780487555414, 0.74418604634712771, 0.71111111110716785, 0.68085106382361771, 1.3061224489664416, 1.2549019607837566, 1.2075471698060718, 1.1636363633732378, 1.1228070172903235, 1.0847457624723795, 1.0491803276316323, 1.0};

//@ data __unspool_log_part wide
static __constant const double __unspool_log_part[16] = {0.0, 0.089612158692489174, 0.14518200985048679, 0.19782574355508586, 0.24783616390777752, 0.29546421311488302, 0.34092658697613842, 0.38441169891939353, -0.26706278523897709, -0.22705745063490212, -0.18859116980320323, -0.1515498979010772, -0.11583181529931608, -0.08134563923317728, -0.048009218960260114, 0.0};

//@ fn __unspool_log wide
static double __unspool_log(double x) {
  double m = __builtin_unspool_significand(x);
  double k = __builtin_unspool_exponent(x) - __builtin_unspool_exponent(m);
  unsigned long n = __builtin_unspool_as_ulong(m) >> 48;
  double r = __builtin_fma(m, __unspool_log_inverse[n & 15], -1.0);
  double h = __builtin_fma(k, 0.69314718055989033, __unspool_log_part[n & 15]);
  double r2 = r * r;
  double r4 = r2 * r2;
  double r8 = r4 * r4;
  double p = __builtin_fma(0.088437987998087997, r8, __builtin_fma(__builtin_fma(__builtin_fma((-0.11081912861679763), r, 0.12501839998216407), r2, __builtin_fma((-0.14285791380277271), r, 0.16666665870721806)), r4, __builtin_fma(__builtin_fma((-0.1999999995328674), r, 0.2500000000009317), r2, __builtin_fma((-0.33333333333340287), r, 0.49999999999999994))));
  return h + (r + __builtin_fma(k, 5.4979230187083712e-14, -(r2 * p)));
}

//@ data __unspool_log2_inverse wide
static __constant const double __unspool_log2_inverse[16] = {1.0, 0.91428571427329464, 0.86486486484869807, 0.8205128204235218, 0.78048780485133207, 0.74418604648807263, 0.71111111099919733, 0.68085106376433224, 1.3061224488137133, 1.2549019607284715, 1.2075471696466835, 1.163636363516122, 1.1228070174192109, 1.0847457626939208, 1.0491803278671457, 1.0};

//@ data __unspool_log2_part wide
static __constant const double __unspool_log2_part[16] = {0.0, 0.12928301696456401, 0.20945336565591788, 0.28540221901926088, 0.35755200466746828, 0.42626475474776271, 0.49185309655672427, 0.55458885181633377, -0.38529015570156844, -0.32757465796430552, -0.27207954524010347, -0.21864028632626287, -0.16710998567509705, -0.11735695061429396, -0.069262662434766753, 0.0};

//@ fn __unspool_log2 wide
static double __unspool_log2(double x) {
  double m = __builtin_unspool_significand(x);
  double k = __builtin_unspool_exponent(x) - __builtin_unspool_exponent(m);
  unsigned long n = __builtin_unspool_as_ulong(m) >> 48;
  double r = __builtin_fma(m, __unspool_log2_inverse[n & 15], -1.0);
  double h = k + __unspool_log2_part[n & 15];
  double r2 = r * r;
  double r4 = r2 * r2;
  double r8 = r4 * r4;
  double p = __builtin_fma(0.088437987998087997, r8, __builtin_fma(__builtin_fma(__builtin_fma((-0.11081912861679763), r, 0.12501839998216407), r2, __builtin_fma((-0.14285791380277271), r, 0.16666665870721806)), r4, __builtin_fma(__builtin_fma((-0.1999999995328674), r, 0.2500000000009317), r2, __builtin_fma((-0.33333333333340287), r, 0.49999999999999994))));
  return h + __builtin_fma(r, 1.4426950408889634, __builtin_fma(r, 2.0355273740931033e-17, -(r2 * p) * 1.4426950408889634));
}

//@ data __unspool_log10_inverse wide
static __constant const double __unspool_log10_inverse[16] = {1.0, 0.91428571387108037, 0.86486486474396851, 0.8205128201222609, 0.78048780464021528, 0.744186046476218, 0.71111111088140189, 0.68085106378898363, 1.3061224485578911, 1.2549019601595217, 1.2075471693079678, 1.1636363631020696, 1.122807017122313, 1.0847457621504706, 1.0491803273548412, 1.0};

//@ data __unspool_log10_part wide
static __constant const double __unspool_log10_part[16] = {0.0, 0.038918066227324744, 0.063051745807797488, 0.085914628913315028, 0.10763387853216955, 0.12831847728034518, 0.14806253559572724, 0.16694787964183888, -0.11598389381515517, -0.098609797669723775, -0.081904104202067174, -0.065817284290233147, -0.050305118148344263, -0.035327962116980416, -0.020850138760351911, 0.0};

//@ fn __unspool_log10 wide
static double __unspool_log10(double x) {
  double m = __builtin_unspool_significand(x);
  double k = __builtin_unspool_exponent(x) - __builtin_unspool_exponent(m);
  unsigned long n = __builtin_unspool_as_ulong(m) >> 48;
  double r = __builtin_fma(m, __unspool_log10_inverse[n & 15], -1.0);
  double h = __builtin_fma(k, 0.30102999566383914, __unspool_log10_part[n & 15]);
  double r2 = r * r;
  double r4 = r2 * r2;
  double r8 = r4 * r4;
  double p = __builtin_fma(0.088437987998087997, r8, __builtin_fma(__builtin_fma(__builtin_fma((-0.11081912861679763), r, 0.12501839998216407), r2, __builtin_fma((-0.14285791380277271), r, 0.16666665870721806)), r4, __builtin_fma(__builtin_fma((-0.1999999995328674), r, 0.2500000000009317), r2, __builtin_fma((-0.33333333333340287), r, 0.49999999999999994))));
  return h + __builtin_fma(r, 0.43429448190325182, __builtin_fma(r, 1.0983196502167651e-17, __builtin_fma(k, 1.4205023227266099e-13, -(r2 * p) * 0.43429448190325182)));
}

//@ fn __unspool_log1pf wide
static float __unspool_log1pf(float x) {
  float u = 1.0f + x;
  float lost = __builtin_fabsf(x) < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x);
  float m = __builtin_unspool_significandf(u);
  float k = __builtin_unspool_exponentf(u) - __builtin_unspool_exponentf(m);
  // Nothing to add to the logarithm of zero and of what is infinite.
  lost = __builtin_fabsf(k) < __builtin_inff() ? __builtin_unspool_scalef(lost, -k) : 0.0f;
  float f = (m - 1.0f) + lost;
  float v = __builtin_fmaf(k, 0.693145752f, f + __builtin_fmaf(k, 1.42860677e-06f, -__unspool_log1f(f)));
  return x == 0.0f ? x : v;
}

//@ fn __unspool_log1p wide
static double __unspool_log1p(double x) {
  double u = 1.0 + x;
  double lost = __builtin_fabs(x) < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  double m = __builtin_unspool_significand(u);
  double k = __builtin_unspool_exponent(u) - __builtin_unspool_exponent(m);
  // Nothing to add to the logarithm of zero and of what is infinite.
  lost = __builtin_fabs(k) < __builtin_inf() ? __builtin_unspool_scale(lost, -k) : 0.0;
  unsigned long n = __builtin_unspool_as_ulong(m) >> 48;
  double c = __unspool_log_inverse[n & 15];
  double r = __builtin_fma(lost, c, __builtin_fma(m, c, -1.0));
  double h = __builtin_fma(k, 0.69314718055989033, __unspool_log_part[n & 15]);
  double r2 = r * r;
  double r4 = r2 * r2;
  double r8 = r4 * r4;
  double p = __builtin_fma(0.088437987998087997, r8, __builtin_fma(__builtin_fma(__builtin_fma((-0.11081912861679763), r, 0.12501839998216407), r2, __builtin_fma((-0.14285791380277271), r, 0.16666665870721806)), r4, __builtin_fma(__builtin_fma((-0.1999999995328674), r, 0.2500000000009317), r2, __builtin_fma((-0.33333333333340287), r, 0.49999999999999994))));
  double v = h + (r + __builtin_fma(k, 5.4979230187083712e-14, -(r2 * p)));
  return x == 0.0 ? x : v;
}

//@ fn __unspool_logbf inline wide
static float __unspool_logbf(float x) { return __builtin_unspool_exponentf(x); }

//@ fn __unspool_logb inline wide
static double __unspool_logb(double x) { return __builtin_unspool_exponent(x); }
