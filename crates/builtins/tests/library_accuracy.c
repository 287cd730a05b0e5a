// Measures the builtin library against long double references. The test puts this file behind the library's text.
// Prints one line per function: name, largest error in ulp, the input it occurs at, the limit.

#include <stdio.h>
#include <string.h>

static unsigned long seed = 88172645463325252ul;
static unsigned long next(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}
static double uniform(void) { return (double)(next() >> 11) * 0x1p-53; }

static long double ulp(long double ref, int digits, int emin) {
  int e;
  frexpl(ref, &e);
  if (e < emin) { e = emin; }
  return ldexpl(1.0L, e - digits);
}

static long double error(long double got, long double ref, int single) {
  if (isnan(ref)) { return isnan(got) ? 0.0L : 1e9L; }
  if (isnan(got)) { return 1e9L; }
  int digits = single ? 24 : 53, emin = single ? -125 : -1021;
  // What a correctly rounded result would be.
  long double near = single ? (long double)(float)ref : (long double)(double)ref;
  if (isinf(near) && isinf(got)) { return signbit(near) == signbit(got) ? 0.0L : 1e9L; }
  if (isinf(got)) { got = copysignl(single ? 0x1p128L : 0x1p1024L, got); }
  if (got == 0.0L && near == 0.0L) { return signbit(got) == signbit(near) ? 0.0L : 1e9L; }
  return fabsl(got - ref) / ulp(ref, digits, emin);
}

// ---- references that C does not have ----
static long double PIL = 3.14159265358979323846264338327950288L;
static long double r_sinpi(long double x) {
  if (!isfinite(x)) { return NAN; }
  long double r = remquol(x, 0.5L, &(int){0});
  long long q = (long long)fmodl(rintl((x - r) * 2.0L), 4.0L);
  if (q < 0) { q += 4; }
  long double v = (q & 1) ? cosl(PIL * r) : sinl(PIL * r);
  if (v == 0.0L || truncl(x) == x) { return copysignl(0.0L, x); }
  return (q & 2) ? -v : v;
}
static long double r_cospi(long double x) {
  long double r = remquol(x, 0.5L, &(int){0});
  long long q = (long long)fmodl(rintl((x - r) * 2.0L), 4.0L);
  if (q < 0) { q += 4; }
  long double v = (q & 1) ? -sinl(PIL * r) : cosl(PIL * r);
  if (r == 0.0L && (q & 1)) { return 0.0L; }
  return (q & 2) ? -v : v;
}
static long double r_tanpi(long double x) {
  if (!isfinite(x)) { return NAN; }
  if (truncl(x) == x) { return copysignl(0.0L, fmodl(x, 2.0L) != 0.0L ? -x : x); }
  return r_sinpi(x) / r_cospi(x);
}
static long double r_asinpi(long double x) { return asinl(x) / PIL; }
static long double r_acospi(long double x) { return acosl(x) / PIL; }
static long double r_atanpi(long double x) { return atanl(x) / PIL; }
static long double r_exp10(long double x) { return powl(10.0L, x); }
static long double r_rsqrt(long double x) { return 1.0L / sqrtl(x); }
static long double r_rcbrt(long double x) { return 1.0L / cbrtl(x); }
static long double r_normcdf(long double x) { return 0.5L * erfcl(-x * sqrtl(0.5L)); }
static long double r_erfcx(long double x) {
  if (x < 20.0L) {
    // exp(x*x) in two factors: the square of a long double is not exact.
    double h = (double)x;
    long double l = x - h, hh = (long double)h * h;
    long double hl = fmal(h, h, -hh);
    return expl(hh) * expl(hl + 2 * h * l + l * l) * erfcl(x);
  }
  long double t = 1.0L / (2.0L * x * x), s = 1.0L, term = 1.0L;
  for (int k = 1; k < 30; k++) {
    long double n = -term * (2 * k - 1) * t;
    if (fabsl(n) >= fabsl(term)) { break; }
    s += term = n;
  }
  return s / (x * sqrtl(PIL));
}
static long double r_erfinv(long double x);
static long double r_erfcinv(long double c) {
  if (c > 0.5L && c < 1.5L) { return r_erfinv(1.0L - c); }
  if (c > 1.0L) { return -r_erfcinv(2.0L - c); }
  long double y = c > 0.5L ? (1.0L - c) * 0.886L : sqrtl(-logl(c));
  for (int i = 0; i < 60; i++) {
    long double d = (erfcl(y) - c) / (1.1283791670955125739L * expl(-y * y));
    d = d / (1.0L - y * d);
    if (!(fabsl(d) < 1.0L)) { d = copysignl(0.5L, d); }
    y += d;
    if (fabsl(d) < 1e-19L * fabsl(y)) { break; }
  }
  return y;
}
static long double r_erfinv(long double x) {
  if (fabsl(x) > 0.5L) { return copysignl(r_erfcinv(1.0L - fabsl(x)), x); }
  long double y = x * 0.886L;
  for (int i = 0; i < 60; i++) {
    long double d = (erfl(y) - x) / (1.1283791670955125739L * expl(-y * y));
    y -= d / (1.0L + y * d);
    if (fabsl(d) < 1e-20L * fabsl(y)) { break; }
  }
  return y;
}
static long double r_normcdfinv(long double p) { return -sqrtl(2.0L) * r_erfcinv(2.0L * p); }
static long double r_rhypot(long double x, long double y) { return 1.0L / hypotl(x, y); }
static long double r_atan2pi(long double y, long double x) { return atan2l(y, x) / PIL; }
static long double r_pown(long double x, long double n) { return powl(x, n); }
static long double r_rootn(long double x, long double n) {
  long double r = powl(fabsl(x), 1.0L / n);
  return x < 0.0L ? -r : r;
}
// Powers next to the ends of the range, on both sides of them, for any base: 2^(1100 t), in float 2^(150 t).
static double end_exponent(double x, double t, int single) {
  double l = log2(x);
  double y = l == 0.0 ? t : t * (single ? 150.0 : 1100.0) / l;
  return single ? (double)(float)y : y;
}
static float pow_end_f(float x, float t) { return __unspool_powf(x, (float)end_exponent(x, t, 1)); }
static double pow_end_d(double x, double t) { return __unspool_pow(x, end_exponent(x, t, 0)); }
static long double r_pow_end_f(long double x, long double t) { return powl(x, end_exponent((double)x, (double)t, 1)); }
static long double r_pow_end_d(long double x, long double t) { return powl(x, end_exponent((double)x, (double)t, 0)); }
static float pown_f(float x, float n) { return __unspool_pownf(x, (int)n); }
static double pown_d(double x, double n) { return __unspool_pown(x, (int)n); }
static float rootn_f(float x, float n) { return __unspool_rootnf(x, (int)n); }
static double rootn_d(double x, double n) { return __unspool_rootn(x, (int)n); }
static float sincos_cf(float x) { float c; __unspool_sincosf(x, &c); return c; }
static double sincos_c(double x) { double c; __unspool_sincos(x, &c); return c; }
static float sincos_sf(float x) { float c; return __unspool_sincosf(x, &c); }
static double sincos_s(double x) { double c; return __unspool_sincos(x, &c); }
static float ilogb_f(float x) { return (float)__unspool_ilogbf(x); }
static double ilogb_d(double x) { return (float)__unspool_ilogb(x); }
static long double r_ilogb(long double x) { return (long double)(float)ilogb((double)x); }
static float frexp_f(float x) { int e; float m = __unspool_frexpf(x, &e); return m * 0.5f + (float)e; }
static long double r_frexp(long double x) { int e; long double m = frexpl(x, &e); return (float)m * 0.5f + (float)e; }
static float remquo_f(float x, float y) { int q; float r = __unspool_remquof(x, y, &q); (void)r; return (float)(q & 7); }
static long double r_remquo(long double x, long double y) { int q; remquof((float)x, (float)y, &q); return (long double)(q & 7); }
static float ldexp_f(float x, float k) { return __unspool_ldexpf(x, (int)k); }
static double ldexp_d(double x, double k) { return __unspool_ldexp(x, (int)k); }
static long double r_ldexpf(long double x, long double k) { return (long double)ldexpf((float)x, (int)k); }
static long double r_ldexp(long double x, long double k) { return (long double)ldexp((double)x, (int)k); }
static long double r_nextf(long double x, long double y) { return (long double)nextafterf((float)x, (float)y); }
static long double r_next(long double x, long double y) { return (long double)nextafter((double)x, (double)y); }
static long double r_fmodf(long double x, long double y) { return (long double)fmodf((float)x, (float)y); }
static long double r_fmod(long double x, long double y) { return (long double)fmod((double)x, (double)y); }
// A zero has the sign of x; some C libraries get this wrong.
static long double zero_like(long double r, long double x) { return r == 0.0L ? copysignl(r, x) : r; }
static long double r_remf(long double x, long double y) { return zero_like(remainderf((float)x, (float)y), x); }
static long double r_rem(long double x, long double y) { return zero_like(remainder((double)x, (double)y), x); }

// Bessel functions: beyond 8 the error counts against the amplitude, which is below 1: what is measured is 1 plus it.
#define FAR_OFF(n, ref) \
  static float far_##n##f(float x) { return (float)(1.0L + ((long double)__unspool_##n##f(x) - ref(x))); } \
  static double far_##n(double x) { return (double)(1.0L + ((long double)__unspool_##n(x) - ref(x))); }
FAR_OFF(j0, j0l) FAR_OFF(j1, j1l) FAR_OFF(y0, y0l) FAR_OFF(y1, y1l)
// C libraries err near the zeros; there, known answers.
#define NEAR(n) static double near_##n(double x) { return fabsl(n##l(x)) < 1e-4L ? (double)n##l(x) : __unspool_##n(x); }
NEAR(j0) NEAR(j1) NEAR(y0) NEAR(y1)
static int bessel_zeros(void) {
  static const struct { double (*f)(double); double x, want; } ROWS[] = {
    {__unspool_j0, 0x1.33d152e971b40p+1, -0x1.19b7921f03c8ep-54}, {__unspool_j0, 0x1.33d152ea65d83p+1, -0x1.fafb4c4dadfc9p-33},
    {__unspool_j0, 0x1.6148f5b2c2e45p+2, -0x1.fbb40985f6e34p-56}, {__unspool_j0, 0x1.6148f5b3b7088p+2, 0x1.4c4a72f73240fp-32},
    {__unspool_j1, 0x1.ea75575af6f09p+1, -0x1.1b9c1c3fb286fp-54}, {__unspool_j1, 0x1.ea75575beb14cp+1, -0x1.89522f841dd2ap-33},
    {__unspool_j1, 0x1.c0ff5f3b47250p+2, 0x1.049770ce74c2ep-55}, {__unspool_j1, 0x1.c0ff5f3c3b493p+2, 0x1.25152bd18cabfp-32},
    {__unspool_y0, 0x1.c982eb8d417eap-1, -0x1.af74bfa0f1304p-56}, {__unspool_y0, 0x1.c982eb8e35a2dp-1, 0x1.ad67e75c6e50cp-34},
    {__unspool_y0, 0x1.fa9534d98569cp+1, -0x1.8fa8956b4b481p-55}, {__unspool_y0, 0x1.fa9534da798dfp+1, -0x1.891bfe86674b4p-33},
    {__unspool_y0, 0x1.c581dc4e72103p+2, 0x1.e91b198d39ce2p-56}, {__unspool_y0, 0x1.c581dc4f66346p+2, 0x1.2510a2e1e38fap-32},
    {__unspool_y1, 0x1.193bed4dff243p+1, 0x1.cf9f8d5e1a475p-56}, {__unspool_y1, 0x1.193bed4ef3486p+1, 0x1.fc950200e06e5p-33},
    {__unspool_y1, 0x1.5b7fe4e87b02ep+2, 0x1.46a40b234169cp-53}, {__unspool_y1, 0x1.5b7fe4e96f271p+2, -0x1.4c57ba0b9612cp-32},
  };
  int bad = 0;
  for (unsigned k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
    bad += !(fabs(ROWS[k].f(ROWS[k].x) / ROWS[k].want - 1.0) < 4 * 0x1p-52);
  }
  return bad;
}
static long double one(long double x) { (void)x; return 1.0L; }
static float jn_far_f(float x, float n) { return (float)(1.0L + ((long double)__unspool_jnf((int)fabs(n), x) - jnl((int)fabs(n), x))); }
static double jn_far_d(double x, double n) { return (double)(1.0L + ((long double)__unspool_jn((int)fabs(n), x) - jnl((int)fabs(n), x))); }
// Where it is large, relative to it.
static long double yn_scale(double x, double n) { long double r = fabsl(ynl((int)fabs(n), x)); return r > 1.0L ? r : 1.0L; }
static float yn_far_f(float x, float n) {
  long double r = ynl((int)fabs(n), x);
  return fabsl(r) > 1e38L ? 1.0f : (float)(1.0L + ((long double)__unspool_ynf((int)fabs(n), x) - r) / yn_scale(x, n));
}
static double yn_far_d(double x, double n) {
  long double r = ynl((int)fabs(n), x);
  return fabsl(r) > 1e307L ? 1.0 : (double)(1.0L + ((long double)__unspool_yn((int)fabs(n), x) - r) / yn_scale(x, n));
}
static long double one2(long double x, long double y) { (void)x; (void)y; return 1.0L; }
// The power series, all of whose terms are positive.
static long double r_bessel_i(int order, long double x) {
  long double h = 0.25L * x * x, term = order ? 0.5L * x : 1.0L, sum = term;
  if (isinf(x)) { return order ? x : INFINITY; }
  for (int k = 1; k < 4000; k++) {
    term *= h / ((long double)k * (k + order));
    sum += term;
    if (fabsl(term) < fabsl(sum) * 1e-21L) { break; }
  }
  return sum;
}
static long double r_i0(long double x) { return r_bessel_i(0, x); }
static long double r_i1(long double x) { return r_bessel_i(1, x); }

// Between the poles, where the function is far from its zeros (beyond -2.3, magnitudes above 1/2).
static long double r_lgamma_neg(long double x) {
  long double r = lgammal(-x);
  return fabsl(r) < 0.5L || truncl(x) == x || x > 40.0L ? 1.0L : r;
}
static float lgamma_negf(float x) { return r_lgamma_neg(x) == 1.0L ? 1.0f : __unspool_lgammaf(-x); }
static double lgamma_neg(double x) { return r_lgamma_neg(x) == 1.0L ? 1.0 : __unspool_lgamma(-x); }

struct one { const char *name; float (*f)(float); double (*d)(double); long double (*ref)(long double); double lo, hi, limf, limd; };
struct two { const char *name; float (*f)(float, float); double (*d)(double, double); long double (*reff)(long double, long double), (*refd)(long double, long double); double lo, hi, lo2, hi2, limf, limd; int whole; };
#define B(n) __unspool_##n##f, __unspool_##n

// The host has one polynomial for sine and cosine, and an older one for erfinv.
#ifdef HOST
#define TURN 2.5
#define ERFINV 3.5
#else
#define TURN 2
#define ERFINV 2.2
#endif

// With parts of numbers from 3/4 to 3/2, parts of logarithms cancel next to 3/4.
#ifdef WIDE
#define LOG2 2
#define FASTLOG 6
#else
#define LOG2 1.5
#define FASTLOG 5
#endif

static const struct one ONE[] = {
#ifdef HOST
  {"cos next to 1", 0, __unspool_cos, cosl, 0, 1e-6, 0, 1.7}, {"cos beyond 2^31", 0, __unspool_cos, cosl, 2.2e9, 1e300, 0, 1.7},
  {"fast_sin", __unspool_fast_sinf, 0, sinl, 1e-20, 100, 4, 0}, {"fast_cos", __unspool_fast_cosf, 0, cosl, 1e-20, 100, 4, 0},
  {"fast_exp2", __unspool_fast_exp2f, 0, exp2l, 1e-20, 127, 2, 0}, {"fast_exp", __unspool_fast_expf, 0, expl, 1e-20, 8, 10, 0}, {"fast_exp near 0", __unspool_fast_expf, 0, expl, 1e-20, 0.5, 2, 0},
  {"fast_log2", __unspool_fast_log2f, 0, log2l, 1.2e-38, 3e38, FASTLOG, 0}, {"fast_log", __unspool_fast_logf, 0, logl, 1.2e-38, 3e38, FASTLOG, 0},
#endif
  {"sin", B(sin), sinl, 0, 1e300, TURN, 2}, {"cos", B(cos), cosl, 0, 1e300, TURN, 2}, {"tan", B(tan), tanl, 0, 1e300, 4, 4},
  {"sincos.sin", sincos_sf, sincos_s, sinl, 0, 1e6, TURN, 2}, {"sincos.cos", sincos_cf, sincos_c, cosl, 0, 1e6, TURN, 2},
  {"sinpi", B(sinpi), r_sinpi, 0, 1e15, 2, 2}, {"cospi", B(cospi), r_cospi, 0, 1e15, 2, 2}, {"tanpi", B(tanpi), r_tanpi, 0, 1e4, 4, 4},
  {"asin", B(asin), asinl, 0, 1, 2, 2}, {"acos", B(acos), acosl, 0, 1, 2, 2}, {"atan", B(atan), atanl, 0, 1e300, 2, 2},
  {"asinpi", B(asinpi), r_asinpi, 0, 1, 3, 3}, {"acospi", B(acospi), r_acospi, 0, 1, 3, 3}, {"atanpi", B(atanpi), r_atanpi, 0, 1e300, 3, 3},
  {"exp", B(exp), expl, 0, 760, 3, 1.2}, {"exp2", B(exp2), exp2l, 0, 1100, 3, 1.2}, {"exp10", B(exp10), r_exp10, 0, 330, 3, 1.4}, {"expm1", B(expm1), expm1l, 0, 720, 1.5, 1.5},
  {"sinh", B(sinh), sinhl, 0, 720, 4, 3}, {"cosh", B(cosh), coshl, 0, 720, 4, 2}, {"tanh", B(tanh), tanhl, 0, 30, 2.5, 2},
  {"log", B(log), logl, -1, 1e300, 1.5, 1.5}, {"log2", B(log2), log2l, -1, 1e300, LOG2, 1.5}, {"log10", B(log10), log10l, -1, 1e300, 2, 2}, {"log1p", B(log1p), log1pl, -2, 1e300, 2, 2},
  {"asinh", B(asinh), asinhl, 0, 1e300, 4, 4}, {"acosh", B(acosh), acoshl, -3, 1e300, 4, 4}, {"atanh", B(atanh), atanhl, 0, 1, 4, 4},
  {"cbrt", B(cbrt), cbrtl, 0, 1e300, 1, 1}, {"rcbrt", B(rcbrt), r_rcbrt, 0, 1e300, 2, 2}, {"rsqrt", B(rsqrt), r_rsqrt, -1, 1e300, 2.6, 1.5}, {"rsqrt_rn", __unspool_rsqrt_rnf, 0, r_rsqrt, -1, 1e300, 0.5001, 0},
  {"erf", B(erf), erfl, 0, 7, 4, 4}, {"erfc", B(erfc), erfcl, -4, 27.3, 6, 6}, {"erfcx", B(erfcx), r_erfcx, -5, 100, 6, 6},
  {"erfinv", B(erfinv), r_erfinv, 0, 1, ERFINV, 5}, {"erfcinv", B(erfcinv), r_erfcinv, -6, 2, 3.5, 6},
  {"normcdf", B(normcdf), r_normcdf, -4, 37, 4.5, 6}, {"normcdfinv", B(normcdfinv), r_normcdfinv, -7, 1, 4.5, 7},
  {"tgamma", B(tgamma), tgammal, -8, 172, 5.2, 10}, {"lgamma", B(lgamma), lgammal, -9, 1e300, 6, 4},
  {"j0", __unspool_j0f, near_j0, j0l, 0, 7.99, 6, 4}, {"j1", __unspool_j1f, near_j1, j1l, 0, 7.99, 6, 4}, {"y0", __unspool_y0f, near_y0, y0l, 1e-30, 7.99, 5, 5}, {"y1", __unspool_y1f, near_y1, y1l, 1e-30, 7.99, 5, 5},
  {"j0 far", far_j0f, far_j0, one, 8, 1e5, 4, 4}, {"j1 far", far_j1f, far_j1, one, 8, 1e5, 4, 4}, {"y0 far", far_y0f, far_y0, one, 8, 1e5, 4, 4}, {"y1 far", far_y1f, far_y1, one, 8, 1e5, 4, 4},
  {"cyl_bessel_i0", B(cyl_bessel_i0), r_i0, 0, 720, 6, 6}, {"cyl_bessel_i1", B(cyl_bessel_i1), r_i1, 0, 720, 6, 6},
  {"lgamma neg", lgamma_negf, lgamma_neg, r_lgamma_neg, -9, 40, 20, 20}, {"round", B(round), roundl, 0, 1e20, 0, 0}, {"logb", B(logb), logbl, 0, 1e300, 0, 0}, {"ilogb", ilogb_f, ilogb_d, r_ilogb, 0, 1e300, 0, 0}, {"frexp", frexp_f, 0, r_frexp, 0, 1e300, 0, 0},
};
static const struct two TWO[] = {
  {"pow", B(pow), powl, powl, 0, 1e300, 0, 100, 4, 2, 0}, {"pow near 1", B(pow), powl, powl, 0.5, 2, 0, 2000, 4, 2, 0},
  {"pow at the ends", pow_end_f, pow_end_d, r_pow_end_f, r_pow_end_d, 0.5, 2, 0, 1, 4, 2, 0},
  {"powr", B(powr), powl, powl, -1, 1e300, 0, 100, 4, 2, 0},
  {"pown", pown_f, pown_d, r_pown, r_pown, 0, 1e10, 0, 50, 4, 4, 1}, {"rootn", rootn_f, rootn_d, r_rootn, r_rootn, -1, 1e300, 1, 60, 4, 2, 1},
  {"atan2", B(atan2), atan2l, atan2l, 0, 1e30, 0, 1e30, 3, 2, 0}, {"atan2pi", B(atan2pi), r_atan2pi, r_atan2pi, 0, 1e30, 0, 1e30, 4, 4, 0},
  {"hypot", B(hypot), hypotl, hypotl, 0, 1e300, 0, 1e300, 1, 1, 0}, {"rhypot", B(rhypot), r_rhypot, r_rhypot, 0, 1e30, 0, 1e30, 2, 2, 0},
  {"fmod", B(fmod), r_fmodf, r_fmod, 0, 1e300, 0, 1e100, 0, 0, 0}, {"remainder", B(remainder), r_remf, r_rem, 0, 1e300, 0, 1e100, 0, 0, 0}, {"remquo", remquo_f, 0, r_remquo, r_remquo, 0, 1e9, 0, 1e9, 0, 0, 0},
  {"fdim", B(fdim), fdiml, fdiml, 0, 1e300, 0, 1e300, 0.5, 0.5, 0}, {"nextafter", B(nextafter), r_nextf, r_next, 0, 1e300, 0, 1e300, 0, 0, 0},
  {"jn", jn_far_f, jn_far_d, one2, one2, 1e-3, 300, 0, 128, 18, 400, 1}, {"yn", yn_far_f, yn_far_d, one2, one2, 0.1, 300, 0, 128, 150, 400, 1},
  {"ldexp", ldexp_f, ldexp_d, r_ldexpf, r_ldexp, 0, 1e300, 0, 2300, 0, 0, 1},
};

// A sample of a range: log-uniform magnitude, or uniform. `lo` below zero names a domain of its own.
static double sample(double lo, double hi, int single, int i) {
  double top = single && hi > 3.4e38 ? 3.4e38 : hi;
  int mode = (int)(next() & 3);
  double sign = next() & 1 ? -1.0 : 1.0;
  double x;
  if (i < 40) {
    static const double SPECIAL[] = {0.0, 1.0, 2.0, 0.5, 1e-40, 1e-45, 1.5, 2.5, 3.0, 10.0, 4.0, 1e-310, 5e-324, 0.25, 100.0, 1024.0};
    x = SPECIAL[i >> 1 & 15];
    if (i >= 32) { x = i >= 36 ? NAN : INFINITY; }
    sign = i & 1 ? -1.0 : 1.0;
  } else if (mode == 0) {
    x = uniform() * top;
  } else if (mode == 1) {
    x = exp2(uniform() * 40.0 - 38.0 + fmin(log2(top), 8.0));
    if (x > top) { x = uniform() * top; }
  } else if (mode == 2) {
    double emin = single ? -149.0 : -1074.0;
    x = exp2(emin + uniform() * (log2(top) - emin));
  } else {
    x = uniform() * fmin(top, 16.0);
  }
  if (lo > 0.0) { return i < 40 && x != x ? 1.0 : (x >= lo && x <= hi ? x : lo + uniform() * (hi - lo)); }
  if (lo == 0.0 && hi == 1.0 && i >= 40) { if (mode == 1) { x = 1.0 - x * 0.003; } return sign * x; }
  if (lo == 0.0) { return sign * x; }
  if (lo == -1.0) { return mode == 0 && i >= 40 ? 1.0 + sign * 0.5 * uniform() * uniform() : x; }      // positive
  if (lo == -2.0) { return sign < 0 && x < 1.0 ? -x : x; }      // log1p
  if (lo == -3.0) { return 1.0 + x * (mode == 2 ? 1.0 : 1.0); } // acosh
  if (lo == -4.0) { return sign < 0.0 ? -fmin(x, hi) : x; }
  if (lo == -5.0) { return sign < 0.0 ? -fmin(x, 8.0) : x; }    // erfcx
  if (lo == -6.0) { return x > 2.0 ? 1.0 : x; }
  if (lo == -7.0) { return x >= 1.0 ? 0.25 : x; }
  if (lo == -8.0) { return single ? (x > 36.0 ? fmod(x, 36.0) : x) * (sign < 0.0 ? -1.0 : 1.0) : sign * x; }
  return x; // -9: lgamma, positive
}

// Words of lanes: known answers.
static int video(void) {
  int bad = __unspool_vadd4(0x01ff807fu, 0x01018001u) != 0x02000080u;
  bad += __unspool_vsub2(0x00010000u, 0x00020001u) != 0xffffffffu;
  bad += __unspool_vaddss4(0x7f80017fu, 0x01ff0180u) != 0x7f8002ffu;
  bad += __unspool_vaddus2(0xffff0001u, 0x00020001u) != 0xffff0002u;
  bad += __unspool_vsubus4(0x01020304u, 0x02010203u) != 0x00010101u;
  bad += __unspool_vabsdiffu4(0x00ff1020u, 0xff002010u) != 0xffff1010u;
  bad += __unspool_vsadu4(0x00ff1020u, 0xff002010u) != 542u;
  bad += __unspool_vmaxs2(0xffff0001u, 0x00008000u) != 0x00000001u;
  bad += __unspool_vmaxu2(0xffff0001u, 0x00008000u) != 0xffff8000u;
  bad += __unspool_vcmpgts4(0x01ff7f80u, 0x00000000u) != 0xff00ff00u;
  bad += __unspool_vsetgtu4(0x01ff7f80u, 0x00000000u) != 0x01010101u;
  bad += __unspool_vabs4(0xff80017fu) != 0x0180017fu;
  bad += __unspool_vavgs2(0xffff0003u, 0xfffe0004u) != 0xfffe0004u;
  return bad;
}

// Norms of arrays: nothing overflows or vanishes on the way.
static int norms(void) {
  static const double V[4] = {3e300, 4e300, 0.0, 0.0}, S[3] = {3e-310, -4e-310, 0.0}, W[3] = {1.0, INFINITY, NAN}, Q[2] = {1.0, NAN};
  static const double M[2] = {0x1.8p1023, 0x1p1022};
  static const float F[3] = {2e38f, -1e38f, 2e38f}, G[2] = {3e-42f, 4e-42f};
  int bad = fabs(__unspool_norm(4, V) / 5e300 - 1.0) > 1e-15;
  bad += fabs(__unspool_norm(3, S) / 5e-310 - 1.0) > 1e-13;
  bad += fabs(__unspool_norm(2, M) / hypot(M[0], M[1]) - 1.0) > 1e-15;
  bad += !isinf(__unspool_norm(3, W)) || !isnan(__unspool_norm(2, Q)) || __unspool_norm(0, V) != 0.0;
  bad += fabsf(__unspool_normf(3, F) / 3e38f - 1.0f) > 1e-6f;
  bad += fabsf(__unspool_normf(2, G) / 5e-42f - 1.0f) > 1e-3f;
  bad += fabs(__unspool_rnorm(4, V) * 5e300 - 1.0) > 1e-15 || !isinf(__unspool_rnormf(0, F));
  return bad;
}

// Every binary16 value: its neighbours, by the encoding.
static float half_value(unsigned int h) {
  unsigned int e = h >> 10 & 31u, m = h & 1023u;
  float a = e == 0u ? ldexpf((float)m, -24) : e == 31u ? (m ? NAN : INFINITY) : ldexpf((float)(m + 1024u), (int)e - 25);
  return h & 32768u ? -a : a;
}
static int half_neighbours(void) {
  int bad = 0;
  for (unsigned int h = 0; h < 0x7c00u; h++) {
    float x = half_value(h), up = half_value(h + 1u);
    bad += __unspool_nextafter_hf(x, INFINITY) != up;
    bad += __unspool_nextafter_hf(up, -INFINITY) != x;
    bad += __unspool_nextafter_hf(-x, -INFINITY) != -up;
  }
  return bad;
}

int main(void) {
  int n = SAMPLES, bad = video() + half_neighbours() + norms() + bessel_zeros(), wide = LDBL_MANT_DIG >= 64;
  if (bad) { printf("known answers: %d FAILED\n", bad); }
  for (unsigned k = 0; k < sizeof ONE / sizeof *ONE; k++) {
    const struct one *t = &ONE[k];
    for (int single = 1; single >= 0; single--) {
      if (single ? !t->f : !t->d || !wide) { continue; }
      long double worst = 0.0L;
      double at = 0.0;
      for (int i = 0; i < n; i++) {
        double x = sample(t->lo, t->hi, single, i);
        if (single) { x = (double)(float)x; }
        long double got = single ? (long double)t->f((float)x) : (long double)t->d(x);
        long double e = error(got, t->ref((long double)x), single);
        if (e > worst) { worst = e; at = x; }
      }
      double limit = single ? t->limf : t->limd;
      printf("%s%s %.3Lf at %a (limit %g)%s\n", t->name, single ? "f" : "", worst, at, limit, worst > limit ? " FAILED" : "");
      bad += worst > limit;
    }
  }
  for (unsigned k = 0; k < sizeof TWO / sizeof *TWO; k++) {
    const struct two *t = &TWO[k];
    for (int single = 1; single >= 0; single--) {
      if (single ? !t->f : !t->d || !wide) { continue; }
      long double worst = 0.0L;
      double at = 0.0, at2 = 0.0;
      for (int i = 0; i < n; i++) {
        double x = sample(t->lo, t->hi, single, i), y = sample(t->lo2, t->hi2, single, i < 1600 ? (i % 40) : i);
        if (i < 1600) { x = sample(t->lo, t->hi, single, i / 40); }
        if (t->whole) { y = rint(fmod(y, t->hi2 + 1.0)); }
        if (t->whole && (y != y || (t->lo2 > 0.0 && y == 0.0))) { y = 3.0; }
        if (single) { x = (double)(float)x; y = (double)(float)y; }
        if (!strcmp(t->name, "powr") && (x < 0 || x != x || y != y || (y == 0 && (x == 0 || isinf(x))) || (x == 1 && isinf(y)))) { continue; }
        if (!strcmp(t->name, "rootn") && (x < 0 || x != x)) { continue; }
        if (!strcmp(t->name, "hypot") && (isinf(x) || isinf(y))) { continue; }
        if (!strcmp(t->name, "remquo") && (y == 0.0 || isinf(x) || x != x || y != y)) { continue; }
        if (!strcmp(t->name, "rhypot") && x == 0.0 && y == 0.0) { continue; }
        long double got = single ? (long double)t->f((float)x, (float)y) : (long double)t->d(x, y);
        long double ref = (single ? t->reff : t->refd)((long double)x, (long double)y);
        long double e = error(got, ref, single);
        if (e > worst) { worst = e; at = x; at2 = y; }
      }
      double limit = single ? t->limf : t->limd;
      printf("%s%s %.3Lf at %a %a (limit %g)%s\n", t->name, single ? "f" : "", worst, at, at2, limit, worst > limit ? " FAILED" : "");
      bad += worst > limit;
    }
  }
  return bad != 0;
}
