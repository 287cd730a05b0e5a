# Templates for hosts with vectors of 512 bits: powers and roots, behind templates_wide.py.
#
# A logarithm in two parts takes x = m * 2^k and a number c of few bits near 1 / m, so that r = m * c - 1 is exact:
# log(x) = k log(2) - log(c) + log(1 + r). Sums of the first two are exact in their first part, too.

WHOLE_BITS = {True: 16, False: 42}


def short_inverses(bins, exact):
    """For each of these intervals the number of few bits whose product with it is closest to 1, where `exact` says how many
    bits a number may have for an interval and a largest rest; 1 for the intervals next to 1."""
    found = []
    for low, high in bins:
        best = None
        for bits in range(4, 8):
            for k in range(2**bits // 2, 2 * 2**bits):
                c = mpf(k) / 2**bits
                rest = max(abs(low * c - 1), abs(high * c - 1))
                if exact(low, bits, rest) and (best is None or rest < best[0]):
                    best = (rest, c)
        found.append(best if not low <= 1 <= high else (max(1 - low, high - 1), mpf(1)))
    return found


def rest_is_exact(p):
    # Numbers below 1 have places half as large.
    digits = 24 if p.single else 53
    return lambda low, bits, rest: rest <= mpf(2) ** (digits - (digits - (1 if low >= 1 else 0)) - bits)


# Intervals by the highest bits of the fraction of what is from 3/4 up to 3/2; those of double are shifted by half of one, so
# that 1 is inside of its own, and begin at 45/64.
SINGLE_BINS = [((1 + mpf(k) / STEPS) / (1 if k < STEPS // 2 else 2), (1 + mpf(k + 1) / STEPS) / (1 if k < STEPS // 2 else 2)) for k in range(STEPS)]
edge = lambda k: mpf(45) / 64 + mpf(k) / 32 if k < 10 else 1 + mpf(2 * k - 19) / 32
DOUBLE_BINS = [(edge(k), edge(k + 1)) for k in range(STEPS)]

for p in (P(True), P(False)):
    inverse = short_inverses(SINGLE_BINS if p.single else DOUBLE_BINS, rest_is_exact(p))
    parts = [-mp.log(c) for _, c in inverse]
    coarse = [mp.ldexp(mp.nint(mp.ldexp(v, WHOLE_BITS[p.single])), -WHOLE_BITS[p.single]) for v in parts]
    for what, values in (("inverse", [c for _, c in inverse]), ("high", coarse), ("low", [v - h for v, h in zip(parts, coarse)])):
        emit("wide_pow", table("__unspool_pow_" + what, p, values))
    high = mp.ldexp(mp.floor(mp.ldexp(LN2, WHOLE_BITS[p.single])), -WHOLE_BITS[p.single])
    widest = max(r for r, _ in inverse)
    tail = lambda r: mpf(1) / 3 if abs(r) < mpf(10) ** -14 else (mp.log1p(r) - r + r * r / 2) / r**3
    degree = 4 if p.single else 8
    emit("wide_pow", p.expand("""
//@ fn __unspool_log_pair@s@ inline wide
// The logarithm of x > 0, finite, in two parts, of which the second is no rounding error: up to some 2^-14.
static @T@ __unspool_log_pair@s@(@T@ x, @T@ *low) {
  @SPLIT@
  @T@ r = @fma@(m, __unspool_pow_inverse@s@[n & 15], -1.0@s@);
  @T@ g = @fma@(k, @HIGH@, __unspool_pow_high@s@[n & 15]);
  // r - r * r / 2 in two parts.
  @T@ f = r * -0.5@s@;
  @T@ h = @fma@(f, r, r);
  @T@ l = @fma@(f, r, r - h);
  @POLY@
  @T@ c = r * r;
  l = @fma@(c * r, p, l);
  @T@ s = g + h;
  *low = (h - (s - g)) + (l + @fma@(k, @LOW@, __unspool_pow_low@s@[n & 15]));
  return s;
}
""", HIGH=p.c(high), LOW=p.c(LN2 - high), POLY=p.horner("p", "r", tail, -widest, widest, degree),
        SPLIT="""float m = __builtin_unspool_significandf(x);
  unsigned int n = __builtin_unspool_as_uint(m) >> 19;
  float k = __builtin_unspool_exponentf(x) - __builtin_unspool_exponentf(m);""" if p.single else """unsigned long n = __builtin_unspool_as_ulong(__builtin_unspool_significand(x)) - 0x3fe6800000000000ul;
  double m = __builtin_unspool_as_double((n & 0xffffffffffffful) + 0x3fe6800000000000ul);
  double k = __builtin_unspool_exponent(x) - __builtin_unspool_exponent(m);
  n >>= 48;"""))
    bound = p.c(LN2 / STEPS)
    unit = p.parts(LN2, 2)
    half = LN2 / STEPS / 2 * mpf("1.001")
    emit("wide_pow", p.expand("""
//@ fn __unspool_exp_pair@s@ inline wide
// e^(x + y) as a product with 2^scale, for a small correction y. Where x is far beyond the range, what is left of it is
// anything, and the scale infinite, or so far that it counts as that.
static @T@ __unspool_exp_pair@s@(@T@ x, @T@ y, @T@ *scale) {
  @T@ m = @fma@(x, @LOG2E@, @STEPS@);
  @T@ j = m - @STEPS@;
  @T@ t = @fma@(j, -@UNIT1@, x);
  t = @fma@(j, -@UNIT2@, t) + y;
  t = t < -@BOUND@ ? -@BOUND@ : t;
  t = t > @BOUND@ ? @BOUND@ : t;
  @POLY@
  @T@ s = __unspool_exp2_table@s@[@bits@(m) & 15];
  *scale = j;
  return @fma@(s, p, s);
}

//@ fn __unspool_exp_parts@s@ inline wide
// e^(x + y) * 2^k for a small correction y, |k| <= 200.
static @T@ __unspool_exp_parts@s@(@T@ x, @T@ y, int k) {
  @T@ j;
  @T@ s = __unspool_exp_pair@s@(x, y, &j);
  return __builtin_unspool_scale@s@(s, k == 0 ? j : j + (@T@)k);
}
""", LOG2E=p.c(1 / LN2), STEPS=p.c(MAGIC(p) / STEPS), UNIT1=unit[0], UNIT2=unit[1], BOUND=bound, POLY=powers(p, mp.e, -half, half, 3 if p.single else 6, p.single)))


# Powers as for other hosts, but of two parts.
for name, positive in (("pow", "@fabs@(x)"), ("powr", "x")):
    for p in (P(True), P(False)):
        text = "//@ fn" + next(section for section in POW_FIX.split("//@ fn") if section.startswith(" __unspool_%s@s@ " % name))
        emit("wide_pow", p.expand(text.replace(" host\n", " wide\n").replace("__unspool_pow_core", "__unspool_power_of"), CORR=", 0.0@s@"))
both("wide_pow", """
//@ fn __unspool_power_of@s@ inline wide
// x^(y + z) for x > 0, finite, and a small z.
static @T@ __unspool_power_of@s@(@T@ x, @T@ y, @T@ z) {
  @T@ l;
  @T@ h = __unspool_log_pair@s@(x, &l);
  @T@ t = y * (h + l);
  @T@ u = @fma@(y, l, @fma@(y, h, -t));
  u = z == 0.0@s@ ? u : @fma@(z, h, u);
  return __unspool_exp_parts@s@(t, u, 0);
}
""")
emit("wide_pow", """
//@ fn __unspool_pow_coref inline wide
static float __unspool_pow_coref(float x, double y) {
  float h = (float)y;
  return __unspool_power_off(x, h, (float)(y - (double)h));
}

//@ fn __unspool_pow_core inline wide
static double __unspool_pow_core(double x, double y, double z) { return __unspool_power_of(x, y, z); }
""")

# ---- cube roots -------------------------------------------------------------------------------------------------
# x = m * 2^(3k + j), m * c = 1 + r for a c near 1 / m that is the inverse cube of a number of half of the bits; so has the
# root of 2^j, and their product is exact. The latter lacks a factor of 1 + d.
def short_roots(p, bins):
    digits = 12 if p.single else 26
    found = []
    for low, high in bins:
        start, best = mp.nint(mp.ldexp(mp.cbrt(2 * low * high / (low + high)), digits - 1)), None
        for n in range(-12 if p.single else -1000, 13 if p.single else 1000):
            root = mp.ldexp(start + n, 1 - digits) if not low <= 1 <= high else mpf(1)
            c = 1 / root**3
            wrong = abs(mpf(p.round(c)) / c - 1)
            best = min(best or (wrong, c, root), (wrong, c, root))
        found.append(best)
    return found


for p in (P(True), P(False)):
    roots = short_roots(p, SINGLE_BINS)
    widest = max(max(abs(low * c - 1), abs(high * c - 1)) for (low, high), (_, c, _) in zip(SINGLE_BINS, roots))
    digits = 12 if p.single else 26
    twos = [mpf(1)] * STEPS
    for j in (1, -1):
        twos[j % STEPS] = mp.ldexp(mp.nint(mp.ldexp(mp.cbrt(mpf(2) ** j), digits - 1)), 1 - digits)
    lacks = [mpf(0)] * STEPS
    for j in (1, -1):
        lacks[j % STEPS] = mp.cbrt(mpf(2) ** j) / twos[j % STEPS] - 1
    for what, values in (("inverse", [c for _, c, _ in roots]), ("root", [r for _, _, r in roots]), ("two", twos), ("rest", lacks)):
        emit("wide_pow", table("__unspool_cbrt_" + what, p, values))
    fn = lambda r: mpf(1) / 3 if abs(r) < mpf(10) ** -20 else (mp.cbrt(1 + r) - 1) / r
    emit("wide_pow", p.expand("""
//@ fn __unspool_cbrt@s@ wide
static @T@ __unspool_cbrt@s@(@T@ x) {
  @T@ a = @fabs@(x);
  @T@ m = __builtin_unspool_significand@s@(a);
  @T@ e = __builtin_unspool_exponent@s@(a) - __builtin_unspool_exponent@s@(m);
  @T@ w = @fma@(e, @THIRD@, @MAGIC@);
  @T@ k = w - @MAGIC@;
  // From -1 to 1; what is zero or infinite has an infinite k, and its j is no number.
  @U@ j = @bits@(@fma@(k, -3.0@s@, e) + @MAGIC@);
  @U@ n = @bits@(m) >> @SHIFT@;
  @T@ r = @fma@(m, __unspool_cbrt_inverse@s@[n & 15], -1.0@s@);
  @POLY@
  @T@ h = __unspool_cbrt_root@s@[n & 15] * __unspool_cbrt_two@s@[j & 15];
  @T@ d = __unspool_cbrt_rest@s@[j & 15];
  @T@ l = @fma@(p, @fma@(r, d, r), d);
  return @copysign@(__builtin_unspool_scale@s@(@fma@(h, l, h), k), x);
}
""", THIRD=p.c(mpf(1) / 3), MAGIC=p.c(MAGIC(p)), SHIFT="19" if p.single else "48", POLY=p.horner("p", "r", fn, -widest, widest, 4 if p.single else 9)))

# ---- roots ------------------------------------------------------------------------------------------------------
# By the processor's estimate of the inverse. Where a function has other work, which hides it, the processor's own root is quicker.
emit("wide_pow", P(False).expand("""
//@ fn __unspool_rsqrt inline wide
static double __unspool_rsqrt(double x) { return __builtin_unspool_rsqrt_near(x); }

//@ fn __unspool_hypot wide
static double __unspool_hypot(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double h = a > b ? a : b, l = a > b ? b : a;
  double r = __builtin_unspool_sqrt_near(__builtin_fma(h, h, l * l));
  // A branch that is rarely taken: squares that overflow or vanish, zeros, and no numbers. Where x is none, h is y.
  if (@bits@(h) - @LEAST@ > @RANGE@) { r = __unspool_norm4d(x, y, 0.0, 0.0); }
  return r;
}
""", LEAST="%uul" % (1023 - 500 << 52), RANGE="%uul" % (1011 << 52)))
