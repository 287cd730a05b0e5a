// Written by generate.py from templates.py; change it there.

//@ data __unspool_atan_centre wide
static __constant const double __unspool_atan_centre[16] = {0.0, 0.066666749554375807, 0.13333351959784825, 0.20000005867332221, 0.26666670391956965, 0.33333359224100906, 0.4000000633299351, 0.46666697307179372, 0.53333343764146168, 0.60000020675361154, 0.66666686131308472, 0.73333358106513813, 0.80000010244548325, 0.86666668156782789, 0.93333346651246152, 1.0000003688037395};

//@ data __unspool_atan_angle wide
static __constant const double __unspool_atan_angle[16] = {0.0, 0.066568246296772715, 0.13255171530765583, 0.19739561626653609, 0.26060242652702187, 0.32175078741353225, 0.38050643170713533, 0.43662741142356137, 0.48995740746247524, 0.54041965229528466, 0.58800273830276795, 0.63274899609943602, 0.67474100469030762, 0.7140907071217043, 0.75092913357442925, 0.78539834779928408};

//@ fn __unspool_atan_fraction inline wide
// The angle whose tangent is n / d, 0 <= n <= d; d is neither infinite nor so small that its inverse is.
static double __unspool_atan_fraction(double n, double d) {
  unsigned long k = __builtin_unspool_as_ulong(__builtin_fma(n * __builtin_unspool_rcp_rough_f64(d), 15.0, 6755399441055744.0)) & 15;
  double c = __unspool_atan_centre[k];
  double t = __builtin_fma(-c, d, n) / __builtin_fma(c, n, d);
  double z = t * t;
  double p = (-0.09057135085390533);
  p = __builtin_fma(p, z, 0.11111055316775502);
  p = __builtin_fma(p, z, (-0.14285714242881711));
  p = __builtin_fma(p, z, 0.1999999999998501);
  p = __builtin_fma(p, z, (-0.33333333333333331));
  return __unspool_atan_angle[k] + __builtin_fma(p * z, t, t);
}

//@ fn __unspool_atan wide
static double __unspool_atan(double x) {
  double a = __builtin_fabs(x);
  double r = __unspool_atan_fraction(a > 1.0 ? 1.0 : a, a > 1.0 ? (a < 1e300 ? a : 1e300) : 1.0);
  r = a > 1.0 ? 1.5707963267948966 - (r - 6.123233995736766e-17) : r;
  return __builtin_copysign(r, x);
}

//@ fn __unspool_octant inline wide
// The angle of (x, y), y >= 0, from the nearest axis, with the sign that takes it away from there.
static double __unspool_octant(double b, double x) {
  double a = __builtin_fabs(x);
  double n = __builtin_fmin(a, b), d = __builtin_fmax(a, b);
  double r = __unspool_atan_fraction(n, d);
  // A branch that is almost never taken: vectors skip it, if there is enough in it.
  if (!((d > 1e-300) & (d < 1e300))) {
    double t = d == 0.0 ? 0.0 : (n == d ? 1.0 : n / d);
    r = __builtin_fma(__unspool_atan_poly(t * t), t, t);
  }
  return (b > a) != (__builtin_unspool_as_ulong(x) >> 63 != 0ul) ? -r : r;
}

//@ fn __unspool_root_rest inline wide
// What the root r of z has lost by rounding. The estimate of its inverse is good enough for so little.
static double __unspool_root_rest(double z, double r) {
  double y = __builtin_unspool_rsqrt_rough_f64(z > 1e-300 ? z : 1e-300);
  return __builtin_fma(-r, r, z) * (0.5 * y);
}

//@ fn __unspool_asin wide
static double __unspool_asin(double x) {
  double a = __builtin_fabs(x);
  int near = a <= 0.5;
  double z = near ? x * x : __builtin_fma(a, -0.5, 0.5);
  double p = __unspool_asin_poly(z);
  double r = __builtin_sqrt(z);
  double t = __builtin_fma(p, r, __unspool_root_rest(z, r));
  double v = 1.5707963267948966 - (2.0 * r - (6.123233995736766e-17 - 2.0 * t));
  v = near ? __builtin_fma(p, a, a) : v;
  return __builtin_copysign(v, x);
}

//@ fn __unspool_acos wide
static double __unspool_acos(double x) {
  double a = __builtin_fabs(x);
  int near = a <= 0.5;
  double z = near ? x * x : __builtin_fma(a, -0.5, 0.5);
  double p = __unspool_asin_poly(z);
  double r = __builtin_sqrt(z);
  double t = __builtin_fma(p, r, __unspool_root_rest(z, r));
  double v = x > 0.0 ? 2.0 * (r + t) : 3.1415926535897931 - 2.0 * (r + (t - 0.5 * 1.2246467991473532e-16));
  return near ? 1.5707963267948966 - (x - (6.123233995736766e-17 - p * x)) : v;
}
