// Goes through the floats in steps and measures unary functions of the library. The test puts this file behind the
// library's text. Arguments: function, first encoding, last encoding, step. Prints the largest error in ulp and the
// encoding it occurs at. References are double (long double where C has none): errors of 2^-29 ulp and less.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long double PIL = 3.14159265358979323846264338327950288L;
static double r_sinpi(double x) {
  if (!isfinite(x)) { return NAN; }
  double t = fabs(fmod(x, 2.0));
  double s = t >= 1.0 ? -1.0 : 1.0;
  t = t >= 1.0 ? t - 1.0 : t;
  t = t > 0.5 ? 1.0 - t : t;
  double v = t > 0.25 ? (double)cosl(PIL * (0.5L - t)) : (double)sinl(PIL * t);
  return v == 0.0 ? copysign(0.0, x) : copysign(1.0, x) * s * v;
}
static double r_cospi(double x) {
  if (!isfinite(x)) { return NAN; }
  double t = fabs(fmod(x, 2.0));
  t = t > 1.0 ? 2.0 - t : t;
  double s = t > 0.5 ? -1.0 : 1.0;
  t = t > 0.5 ? 1.0 - t : t;
  double v = t > 0.25 ? (double)sinl(PIL * (0.5L - t)) : (double)cosl(PIL * t);
  return v == 0.0 ? 0.0 : s * v;
}
static double r_tanpi(double x) {
  if (!isfinite(x)) { return NAN; }
  if (trunc(x) == x) { return copysign(0.0, fmod(x, 2.0) != 0.0 ? -x : x); }
  return r_sinpi(x) / r_cospi(x);
}
static double r_asinpi(double x) { return (double)(asinl(x) / PIL); }
static double r_acospi(double x) { return (double)(acosl(x) / PIL); }
static double r_atanpi(double x) { return (double)(atanl(x) / PIL); }
static double r_exp10(double x) { return (double)powl(10.0L, x); }
static double r_rsqrt(double x) { return (double)(1.0L / sqrtl(x)); }

struct row { const char *name; float (*f)(float); double (*ref)(double); };
#define ROW(n) {#n, __unspool_##n##f, n}
#define OWN(n) {#n, __unspool_##n##f, r_##n}
static const struct row ROWS[] = {
  ROW(sin), ROW(cos), ROW(tan), OWN(sinpi), OWN(cospi), OWN(tanpi), ROW(asin), ROW(acos), ROW(atan), OWN(asinpi),
  OWN(acospi), OWN(atanpi), ROW(exp), ROW(exp2), OWN(exp10), ROW(expm1), ROW(sinh), ROW(cosh), ROW(tanh), ROW(log),
  ROW(log2), ROW(log10), ROW(log1p), ROW(asinh), ROW(acosh), ROW(atanh), ROW(cbrt), OWN(rsqrt), ROW(erf), ROW(erfc),
  ROW(tgamma), {"fast_log", __unspool_fast_logf, log}, {"fast_log2", __unspool_fast_log2f, log2}, {"fast_log10", __unspool_fast_log10f, log10},
};

static double error(float got, double ref) {
  if (ref != ref) { return got != got ? 0.0 : 1e9; }
  if (got != got) { return 1e9; }
  float near = (float)ref;
  if (near == got) { if (near == 0.0f && signbit(near) != signbit(got)) { return 1e9; } }
  if (isinf(near) && isinf(got)) { return near == got ? 0.0 : 1e9; }
  double g = isinf(got) ? copysign(0x1p128, got) : (double)got;
  unsigned long b;
  memcpy(&b, &ref, 8);
  int e = (int)(b >> 52 & 2047) - 1022;
  if (e < -125) { e = -125; }
  unsigned long u = (unsigned long)(1023 + 24 - e) << 52;
  double per_ulp;
  memcpy(&per_ulp, &u, 8);
  return fabs(g - ref) * per_ulp;
}

int main(int count, char **arg) {
  if (count != 5) { return 2; }
  unsigned long first = strtoul(arg[2], 0, 0), last = strtoul(arg[3], 0, 0), step = strtoul(arg[4], 0, 0);
  for (unsigned k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
    if (strcmp(ROWS[k].name, arg[1])) { continue; }
    double worst = 0.0;
    unsigned int at = 0;
    for (unsigned long i = first; i <= last; i += step) {
      unsigned int b = (unsigned int)i;
      float x;
      memcpy(&x, &b, 4);
      double e = error(ROWS[k].f(x), ROWS[k].ref((double)x));
      if (e > worst) { worst = e; at = b; }
    }
    printf("%.3f %#x\n", worst, at);
    return 0;
  }
  return 3;
}
