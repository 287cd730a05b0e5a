# Templates for hosts with vectors of 512 bits: inverse trigonometric functions of doubles, behind templates_wide.py.
#
# The tangent of a difference is (y - c) / (1 + c y): one division, which is needed for quotients anyway, leads to an angle of at most a thirtieth, whose
# polynomial is short. Angles and their tangents c are tables in registers.


def centre(k):
    """A number next to k / 15 whose arctangent is nearly a double: its rounding would be most of the error."""
    c, best = mpf(k) / (STEPS - 1), None
    if k == 0:
        return mpf(0)
    for i in range(400):
        near = mpf(float(c + i * mpf(2) ** -30))
        angle = mp.atan(near)
        rest = abs(angle - mpf(float(angle))) / angle
        if best is None or rest < best[0]:
            best = (rest, near)
    return best[1]


CENTRES = [centre(k) for k in range(STEPS)]
# The number of the interval comes from an estimate of the quotient.
FARTHEST = mpf(1) / (2 * (STEPS - 1)) * mpf("1.01")
p = P(False)
emit("wide_arc", table("__unspool_atan_centre", p, CENTRES))
emit("wide_arc", table("__unspool_atan_angle", p, [mp.atan(c) for c in CENTRES]))
emit("wide_arc", p.expand("""
//@ fn __unspool_atan_fraction inline wide
// The angle whose tangent is n / d, 0 <= n <= d; d is neither infinite nor so small that its inverse is.
static double __unspool_atan_fraction(double n, double d) {
  unsigned long k = __builtin_unspool_as_ulong(__builtin_fma(n * __builtin_unspool_rcp_rough_f64(d), @STEPS@, @MAGIC@)) & 15;
  double c = __unspool_atan_centre[k];
  double t = __builtin_fma(-c, d, n) / __builtin_fma(c, n, d);
  double z = t * t;
  @POLY@
  return __unspool_atan_angle[k] + __builtin_fma(p * z, t, t);
}

//@ fn __unspool_atan wide
static double __unspool_atan(double x) {
  double a = __builtin_fabs(x);
  double r = __unspool_atan_fraction(a > 1.0 ? 1.0 : a, a > 1.0 ? (a < 1e300 ? a : 1e300) : 1.0);
  r = a > 1.0 ? @HALFPI@ - (r - @REST@) : r;
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
  double v = @HALFPI@ - (2.0 * r - (@REST@ - 2.0 * t));
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
  double v = x > 0.0 ? 2.0 * (r + t) : @PI@ - 2.0 * (r + (t - 0.5 * @PIREST@));
  return near ? @HALFPI@ - (x - (@REST@ - p * x)) : v;
}
""", STEPS=p.c(STEPS - 1), MAGIC=p.c(MAGIC(p)), HALFPI=p.parts(PI / 2, 2)[0], REST=p.parts(PI / 2, 2)[1], PI=p.parts(PI, 2)[0], PIREST=p.parts(PI, 2)[1],
     POLY=p.nested("p", "z", p.stepwise(series(lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(-1) / 3), lambda z: z, 0, FARTHEST ** 2, 4))))
