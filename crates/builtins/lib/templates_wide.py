# Templates for hosts with vectors of 512 bits (`wide`), behind templates_host.py: 16 numbers are a table in registers, which is
# asked by the low bits of a number; scales and parts of numbers are instructions, right for all that is no normal number, too.

STEPS = 16


def table(name, p, values):
    return "//@ data %s%s wide\nstatic __constant const %s %s%s[%d] = {%s};\n" % (
        name, p.f, p.ty, name, p.f, len(values), ", ".join(p.c(v).strip("()") for v in values))


# ---- exponentials -----------------------------------------------------------------------------------------------
# base^x = 2^(j/16) * base^t, where the sum of x and a large number has j in its low bits.
WIDE_EXP = """
//@ fn __unspool_@NAME@@s@ wide
static @T@ __unspool_@NAME@@s@(@T@ x) {
  @CLAMP@
  @T@ m = @SUM@;
  @T@ j = m - @STEPS@;
  @T@ t = @REST@
  @POLY@
  @T@ s = __unspool_exp2_table@s@[@bits@(m) & 15];
  return __unspool_scale@s@(@fma@(s, p, s), j);
}
""".replace("__unspool_scale@s@", "__builtin_unspool_scale@s@")


def powers(p, base, lo, hi, n, short):
    """base^t - 1 as p, without a constant term."""
    first = mp.ln(base)
    # What is left behind the first term, in pairs.
    if not short:
        fn = lambda t: first**2 / 2 if abs(t) < mpf(10) ** -20 else (mpf(base) ** t - 1 - first * t) / t**2
        rest = p.estrin("q", "t", fn, lo, hi, n - 2)
        if base == mp.e:
            return rest + "\n  %s p = @fma@(q, t2, t);" % p.ty
        return rest + "\n  %s p = @fma@(q, t2, t * %s);" % (p.ty, p.c(first))
    fn = lambda t: first if t == 0 else (mpf(base) ** t - 1) / t
    return p.horner("p", "t", fn, lo, hi, n - 1) + "\n  p *= t;"


for p in (P(True), P(False)):
    emit("wide_exp", table("__unspool_exp2_table", p, [mpf(2) ** (mpf(k) / STEPS) for k in range(STEPS)]))
    large = MAGIC(p) / STEPS
    for name, base, limits in (("exp", mp.e, (104, 89, 746, 710)), ("exp2", mpf(2), (151, 129, 1080, 1025)), ("exp10", mpf(10), (46, 39, 324, 309))):
        half = 1 / mp.log(base, 2) / STEPS / 2 * mpf("1.001")
        unit = p.parts(1 / mp.log(base, 2), 2)
        exact = base == 2
        emit("wide_exp", p.expand(
            WIDE_EXP, NAME=name, CLAMP=clamp(*limits)(p), STEPS=p.c(large), SUM="c + " + p.c(large) if exact else "@fma@(c, %s, %s)" % (p.c(mp.log(base, 2)), p.c(large)),
            REST="c - j;" if exact else "@fma@(j, -%s, c);\n  t = @fma@(j, -%s, t);" % tuple(unit), POLY=powers(p, base, -half, half, 3 if p.single else 6, p.single)))
p = P(True)
emit("wide_exp", p.expand("""
//@ fn __unspool_fast_exp2f inline wide
// 2^x to about 2 ulp.
static float __unspool_fast_exp2f(float x) {
  @CLAMP@
  float m = c + @STEPS@;
  float j = m - @STEPS@;
  float t = c - j;
  @POLY@
  float s = __unspool_exp2_tablef[__builtin_unspool_as_uint(m) & 15];
  return __builtin_unspool_scalef(__builtin_fmaf(s, p, s), j);
}
""", CLAMP=clamp(151, 129, 1080, 1025)(p), STEPS=p.c(MAGIC(p) / STEPS), POLY=powers(p, mpf(2), -mpf(1) / 32, mpf(1) / 32, 3, True)))

# ---- logarithms -------------------------------------------------------------------------------------------------
# Parts of numbers: those of 0 are 1 and an infinite exponent, of what is negative no number.
p = P(True)
emit("wide_log", p.expand("""
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
  @LOG1@
  return f2 * p;
}
""", LOG1=p.squares("p", "f", lambda f: mpf(1) / 2 if abs(f) < 1e-12 else (f - mp.log1p(f)) / f**2, -0.2929, 0.5000001, 9)))
emit("wide_log", p.expand("""
//@ fn __unspool_fast_log_unitf inline wide
// log2(x) * unit to a few ulp, near 1 in relation to the result too.
static float __unspool_fast_log_unitf(float x, float unit) {
  float k;
  float f = __unspool_log_partsf(x, &k);
  @FLOG2@
  return __builtin_fmaf(p, f * unit, k * unit);
}
""", FLOG2=short_poly("p", "f", lambda f: 1 / LN2 if f == 0 else mp.log1p(f) / f / LN2, -0.2500001, 0.5000001, 8, 0)(p)))

# log(x) = k log(2) - log(c) + log(1 + r), where c, by the highest bits of the fraction, is near its inverse; 1 on both sides of 1.
LOW_BITS = 42


def inverses(unit):
    """Numbers c with -log(c) * unit that have few bits and are nearly exact."""
    found = []
    for k in range(STEPS):
        m = 1 + (mpf(k) + mpf(1) / 2) / STEPS
        if k >= STEPS // 2:
            m /= 2
        if k in (0, STEPS - 1):
            found.append((mpf(1), mpf(0)))
            continue
        start, best = mp.nint(mp.ldexp(mp.log(m) * unit, LOW_BITS)), None
        for n in range(1000):
            value = mp.ldexp(start + n, -LOW_BITS)
            c = mpf(P(False).round(mp.exp(-value / unit)))
            wrong = abs(mp.log(c) * unit + value)
            best = min(best or (wrong, c, value), (wrong, c, value))
        found.append(best[1:])
    return found


p = P(False)
rest = lambda r: mpf(1) / 2 if abs(r) < mpf(10) ** -15 else (r - mp.log1p(r)) / r**2
for name, unit in (("log", mpf(1)), ("log2", 1 / LN2), ("log10", 1 / mp.ln(10))):
    with mp.workdps(34):
        pairs = inverses(unit)
    for what, values in (("inverse", [c for c, _ in pairs]), ("part", [v for _, v in pairs])):
        emit("wide_log", table("__unspool_%s_%s" % (name, what), p, values))
    two = LN2 * unit
    # Rounded down: the sum of both products with an infinite exponent is that.
    high = mp.ldexp(mp.floor(mp.ldexp(two, LOW_BITS)), -LOW_BITS)
    emit("wide_log", p.expand("""
//@ fn __unspool_@NAME@ wide
static double __unspool_@NAME@(double x) {
  double m = __builtin_unspool_significand(x);
  double k = __builtin_unspool_exponent(x) - __builtin_unspool_exponent(m);
  unsigned long n = __builtin_unspool_as_ulong(m) >> 48;
  double r = @fma@(m, __unspool_@NAME@_inverse[n & 15], -1.0);
  double h = @WHOLE@;
  @POLY@
  return @SUM@;
}
""", NAME=name, WHOLE="k + __unspool_log2_part[n & 15]" if name == "log2" else "@fma@(k, %s, __unspool_@NAME@_part[n & 15])" % p.c(high),
        POLY=p.estrin("p", "r", rest, -mpf(1) / 32, mpf(1) / 16, 8),
        SUM={"log": "h + (r + @fma@(k, %s, -(r2 * p)))" % p.c(two - high),
             "log2": "h + @fma@(r, %s, @fma@(r, %s, -(r2 * p) * %s))" % (*p.parts(unit, 2), p.c(unit)),
             "log10": "h + @fma@(r, %s, @fma@(r, %s, @fma@(k, %s, -(r2 * p) * %s)))" % (*p.parts(unit, 2), p.c(two - high), p.c(unit))}[name]))

# log(1 + x): what 1 + x loses is added to what is left of the significand, scaled as it.
LOST = """  @T@ u = 1.0@s@ + x;
  @T@ lost = @fabs@(x) < 1.0@s@ ? x - (u - 1.0@s@) : 1.0@s@ - (u - x);
  @T@ m = __builtin_unspool_significand@s@(u);
  @T@ k = __builtin_unspool_exponent@s@(u) - __builtin_unspool_exponent@s@(m);
  // Nothing to add to the logarithm of zero and of what is infinite.
  lost = @fabs@(k) < @inf@() ? __builtin_unspool_scale@s@(lost, -k) : 0.0@s@;
"""
both("wide_log", """
//@ fn __unspool_log1p@s@ wide
static @T@ __unspool_log1p@s@(@T@ x) {
@LOST@@SUM@
  return x == 0.0@s@ ? x : v;
}
""", LOST=LOST, SUM=lambda p: """  float f = (m - 1.0f) + lost;
  float v = __builtin_fmaf(k, @E1@, f + __builtin_fmaf(k, @E2@, -__unspool_log1f(f)));""" if p.single else """  unsigned long n = __builtin_unspool_as_ulong(m) >> 48;
  double c = __unspool_log_inverse[n & 15];
  double r = __builtin_fma(lost, c, __builtin_fma(m, c, -1.0));
  double h = __builtin_fma(k, @HIGH@, __unspool_log_part[n & 15]);
  @POLY@
  double v = h + (r + __builtin_fma(k, @LOW@, -(r2 * p)));""", POLY=lambda p: p.estrin("p", "r", rest, -mpf(1) / 32, mpf(1) / 16, 8),
     HIGH=lambda p: p.c(mp.ldexp(mp.floor(mp.ldexp(LN2, LOW_BITS)), -LOW_BITS)), LOW=lambda p: p.c(LN2 - mp.ldexp(mp.floor(mp.ldexp(LN2, LOW_BITS)), -LOW_BITS)),
     **LOGC)

# The instruction is this function, with zeros, infinities and subnormal numbers.
both("wide_log", """
//@ fn __unspool_logb@s@ inline wide
static @T@ __unspool_logb@s@(@T@ x) { return __builtin_unspool_exponent@s@(x); }
""")
