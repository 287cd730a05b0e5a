# Templates for hosts with vectors of 512 bits: error functions of doubles, behind templates_wide.py. 16 intervals have
# polynomials of their own, whose coefficients are tables in registers: the k-th of all intervals is one.


def piecewise(name, intervals, degree):
    """Tables for polynomials about `centre` fitted to fn from low to high, and code for p of t, with the number of the interval in n.
    Of those that vanish at their centre the quotient by t is fitted."""
    p, columns = P(False), []
    for fn, centre, low, high, vanishes in intervals:
        f = (lambda t: fn(centre + t) / t) if vanishes else (lambda t: fn(centre + t))
        fitted = mp.chebyfit(f, [low - centre, high - centre], degree + (0 if vanishes else 1))[::-1]
        columns.append([mpf(0)] * vanishes + fitted)
        if fn(mpf(0)) == 1 and centre == 0:
            # Exact at zero, where it is 1.
            columns[-1][0] = mpf(1)
    for k in range(degree + 1):
        emit("wide_erf", table("__unspool_%s_part%d" % (name, k), p, [c[k] for c in columns]))
    lines = ["double p = __unspool_%s_part%d[n & 15];" % (name, degree)]
    return "\n  ".join(lines + ["p = __builtin_fma(p, t, __unspool_%s_part%d[n & 15]);" % (name, k) for k in range(degree - 1, -1, -1)])


# The intervals are around multiples of this, where the function is nearly a double for the first three: its rounding would be
# most of the error.
ERF_STEP = mpf(410107) / 2**20
erf_intervals = [(mp.erf, ERF_STEP * k, max(ERF_STEP * (k - mpf("0.5001")), mpf(10) ** -30), ERF_STEP * (k + mpf("0.5001")), int(k == 0)) for k in range(STEPS)]
p = P(False)
emit("wide_erf", p.expand("""
//@ fn __unspool_erf wide
static double __unspool_erf(double x) {
  double a = __builtin_fabs(x);
  // Beyond, the result is 1.
  a = a > 6.0 ? 6.0 : a;
  double m = __builtin_fma(a, @RATE@, @MAGIC@);
  double t = __builtin_fma(m - @MAGIC@, -@STEP@, a);
  unsigned long n = __builtin_unspool_as_ulong(m);
  @POLY@
  return __builtin_copysign(p, x);
}
""", RATE=p.c(1 / ERF_STEP), STEP=p.c(ERF_STEP), MAGIC=p.c(MAGIC(p)), POLY=piecewise("erf", erf_intervals, 12)))

# e^(a * a) * erfc(a), in four intervals from each power of two to the next of a + 2.
erfcx = lambda a: mp.exp(a * a) * mp.erfc(a)
ends = [(1 + mpf(k % 4) / 4) * 2 ** (1 + k // 4) - 2 for k in range(STEPS + 1)]
erfcx_intervals = [(erfcx, (low + high) / 2 if low > 0 else mpf(0), low, high, 0) for low, high in zip(ends, ends[1:])]
emit("wide_erf", table("__unspool_erfc_centre", p, [c for _, c, _, _, _ in erfcx_intervals]))
emit("wide_erf", p.expand("""
//@ fn __unspool_erfc wide
static double __unspool_erfc(double x) {
  double a = __builtin_fabs(x);
  // Beyond, the result is zero.
  a = a > 27.3 ? 27.3 : a;
  unsigned long n = __builtin_unspool_as_ulong(a + 2.0) >> 50;
  double t = a - __unspool_erfc_centre[n & 15];
  @POLY@
  double h = a * a;
  double l = __builtin_fma(a, a, -h);
  double k;
  double e = __unspool_exp_pair(-h, -l, &k);
  double r = __builtin_unspool_scale(e * p, k);
  return x < 0.0 ? 2.0 - r : r;
}
""", POLY=piecewise("erfc", erfcx_intervals, 13)))
