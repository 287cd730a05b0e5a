# Templates of what the host has instead of a GPU's approximate instructions; read by generate.py behind templates.py.
#
# These functions run in the lanes of vectors, so they choose between values rather than between branches, convert by
# adding a large number where the range allows, and compare in the forms that are one instruction each:
# `a < b ? a : b` is a minimum that gives b for a NaN, `a > b ? a : b` a maximum.

MAGIC = lambda p: mpf(3) * mpf(2) ** (22 if p.single else 51)
HOST = dict(MAGIC=lambda p: p.c(MAGIC(p)), MAGICBITS=lambda p: "0x4b400000u" if p.single else "0x4338000000000000ul",
            LOG2E=const(1 / LN2), L1=lambda p: p.parts(LN2, 2)[0], L2=lambda p: p.parts(LN2, 2)[1],
            LOG210=const(mp.log(10, 2)), T1=lambda p: p.parts(mp.log10(2), 2)[0], T2=lambda p: p.parts(mp.log10(2), 2)[1],
            LN10=const(mp.ln(10)), LN2=const(LN2), LG2=const(mp.log10(2)))
exp_rest = lambda t: mpf(1) / 2 if t == 0 else (mp.exp(t) - 1 - t) / t**2
exp_ratio = lambda t: mpf(1) if t == 0 else mp.expm1(t) / t
exp2_rest = lambda t: LN2 if t == 0 else (mpf(2) ** t - 1) / t
exp10_rest = lambda t: mp.ln(10) if t == 0 else (mpf(10) ** t - 1) / t

# ---- exponentials -----------------------------------------------------------------------------------------------
EXPC = dict(ONCE=lambda p: p.c(MAGIC(p) + 127), TWICE=lambda p: p.c(MAGIC(p) + (254 if p.single else 2046)),
            FAR=lambda p: p.c(130) if p.single else p.c(900), EXP=short_poly("p", "t", exp_rest, -0.3475, 0.3475001, 4, 9), **HOST)


def clamp(low32, high32, low64, high64):
    """c, x between two numbers beyond which results are 0 and infinite, or no number as x."""
    low, high = (lambda p: p.c(low32 if p.single else low64)), (lambda p: p.c(high32 if p.single else high64))
    return lambda p: "@T@ c = x < -%s ? -%s : x;\n  c = c > %s ? %s : c;" % (low(p), low(p), high(p), high(p))


both("host_exp", """
//@ fn __unspool_scale_twice@s@ inline host
// p * 2^j for |j| < 1.2 times the bias, where m is the sum of j and TWICE: by two factors within the range, so that results
// below it round once, and what is no number stays that.
static @T@ __unspool_scale_twice@s@(@T@ p, @T@ m) {
  @U@ k = @bits@(m);
  @U@ h = (k >> 1) << @MB@;
  return p * @from@(h) * @from@((k << @MB@) - h);
}

//@ fn __unspool_exp_parts@s@ inline host
// e^(x + y) * 2^k for a small correction y, |k| <= 200.
static @T@ __unspool_exp_parts@s@(@T@ x, @T@ y, int k) {
  @T@ c = x < -@FAR@ ? -@FAR@ : x;
  c = c > @FAR@ ? @FAR@ : c;
  @T@ m = @fma@(c, @LOG2E@, @MAGIC@);
  @T@ j = m - @MAGIC@;
  @T@ t = @fma@(j, -@L1@, c);
  t = @fma@(j, -@L2@, t) + y;
  @EXP@
  p = @fma@(p, t * t, t) + 1.0@s@;
  // In two factors, of which none leaves the range.
  @I@ n = (@I@)(@bits@(m) - @MAGICBITS@) + (@I@)k;
  @I@ h = n >> 1;
  return p * @from@((@U@)(h + @BIAS@) << @MB@) * @from@((@U@)(n - h + @BIAS@) << @MB@);
}

//@ fn __unspool_exp2@s@ host
static @T@ __unspool_exp2@s@(@T@ x) {
  @CLAMPB@
  @T@ m = c + @TWICE@;
  @T@ t = c - (m - @TWICE@);
  @EXP2@
  p = @fma@(p, t, 1.0@s@);
  return __unspool_scale_twice@s@(p, m);
}
""", CLAMPB=clamp(151, 129, 1080, 1025), EXP2=lambda p: p.squares("p", "t", exp2_rest, -0.5, 0.5000001, 5) if p.single else p.horner("p", "t", exp2_rest, -0.5, 0.5000001, 11), **EXPC)
# Of float the nearest whole number is that of half the logarithm: a degree more, and the two factors are the same one.
HALFWAY = """
//@ fn __unspool_@NAME@f host
static float __unspool_@NAME@f(float x) {
  @CLAMP@
  float m = __builtin_fmaf(c, @RATE@, @ONCE@);
  float h = m - @ONCE@;
  float t = __builtin_fmaf(h, -@UNIT1@, c);
  t = __builtin_fmaf(h, -@UNIT2@, t);
  @POLY@
  p = __builtin_fmaf(p, t, 1.0f);
  float s = __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
  return p * s * s;
}
"""
WHOLE = """
//@ fn __unspool_@NAME@ host
static double __unspool_@NAME@(double x) {
  @CLAMP@
  double m = __builtin_fma(c, @RATE@, @TWICE@);
  double j = m - @TWICE@;
  double t = __builtin_fma(j, -@UNIT1@, c);
  t = __builtin_fma(j, -@UNIT2@, t);
  @POLY@
  return __unspool_scale_twice(p, m);
}
"""
for name, base, ratio, half, limits, double in (
        ("exp", mp.e, exp_ratio, 0.3468, (104, 89, 746, 710),
         P(False).estrin("p", "t", exp_rest, -0.3475, 0.3475001, 9) + "\n  p = @fma@(p, t * t, t) + 1.0;"),
        ("exp10", mpf(10), exp10_rest, 0.15055, (46, 39, 324, 309),
         P(False).horner("p", "t", exp10_rest, -0.1508, 0.15080001, 11) + "\n  p = @fma@(p, t, 1.0);")):
    for p in (P(True), P(False)):
        halves = 2 if p.single else 1
        units = p.parts(halves / mp.log(base, 2), 2)
        # The error counts in relation to the result.
        single = P(True).stepwise(ratio, lambda t: t / base**t, -2 * half, 2 * half, 6, mp.ln(base))
        emit("host_exp", p.expand(HALFWAY if p.single else WHOLE, NAME=name, CLAMP=clamp(*limits)(p), RATE=p.c(mp.log(base, 2) / halves),
                                  UNIT1=units[0], UNIT2=units[1], POLY=p.squared("p", "t", single) if p.single else double,
                                  **{k: v(p) for k, v in EXPC.items()}))
emit("host_exp", P(True).expand("""
//@ fn __unspool_fast_exp2f inline host
// 2^x to about 2 ulp; results below the normal range are zero.
static float __unspool_fast_exp2f(float x) {
  float c = x < -126.5f ? -126.5f : x;
  float m = c + @MAGIC@;
  float t = c - (m - @MAGIC@);
  @FAST@
  p = __builtin_fmaf(p, t, 1.0f);
  float r = __builtin_unspool_as_float(__builtin_unspool_as_uint(p) + (__builtin_unspool_as_uint(m) << 23));
  r = x < -126.0f ? 0.0f : r;
  return x < 128.0f ? r : x + __builtin_inff();
}

//@ fn __unspool_fast_expf inline host
static float __unspool_fast_expf(float x) { return __unspool_fast_exp2f(x * @LOG2E@); }

//@ fn __unspool_fast_exp10f inline host
static float __unspool_fast_exp10f(float x) { return __unspool_fast_exp2f(x * @LOG210@); }
""", FAST=short_poly("p", "t", exp2_rest, -0.5, 0.5000001, 5, 0)(P(True)), **{k: v(P(True)) for k, v in HOST.items()}))

# ---- logarithms -------------------------------------------------------------------------------------------------
emit("host_log", P(True).expand("""
//@ fn __unspool_fast_log_unitf inline host
// log2(x) * unit to a few ulp, near 1 in relation to the result too; subnormal arguments count as zero.
static float __unspool_fast_log_unitf(float x, float unit) {
  int b = (int)__builtin_unspool_as_uint(x) - (int)0x3f3504f3u;
  float k = (float)(b >> 23);
  float f = __builtin_unspool_as_float((unsigned int)((b & 0x7fffff) + (int)0x3f3504f3u)) - 1.0f;
  @FLOG2@
  float r = __builtin_fmaf(p, f * unit, k * unit);
  r = x < 1.17549435e-38f ? -__builtin_inff() : r;
  r = x < __builtin_inff() ? r : x;
  return x < 0.0f ? __builtin_nanf("") : r;
}

//@ fn __unspool_fast_log2f inline host
static float __unspool_fast_log2f(float x) { return __unspool_fast_log_unitf(x, 1.0f); }

//@ fn __unspool_fast_logf inline host
static float __unspool_fast_logf(float x) { return __unspool_fast_log2f(x) * @LN2@; }

//@ fn __unspool_fast_log10f inline host
// Not the product of log2: its last place is up to four of those here.
static float __unspool_fast_log10f(float x) { return __unspool_fast_log_unitf(x, @LG2@); }

//@ fn __unspool_fast_powf inline host
static float __unspool_fast_powf(float x, float y) { return __unspool_fast_exp2f(y * __unspool_fast_log2f(x)); }

//@ fn __unspool_half_powrf inline host
// The product is at most 128 and the logarithm good to 21 bits, so that 13 bits of the power are right; other cases come out of both as they are to.
static float __unspool_half_powrf(float x, float y) { return __unspool_fast_powf(x, y); }
""", FLOG2=short_poly("p", "f", lambda f: 1 / LN2 if f == 0 else mp.log1p(f) / f / LN2, mp.sqrt(0.5) - 1, mp.sqrt(2) - 1 + mpf(10)**-7, 7, 0)(P(True)),
     **{k: v(P(True)) for k, v in HOST.items()}))
emit("host_log", P(True).expand("""
//@ fn __unspool_log1f inline host
// log(1 + f), split: f - the result is the smaller part.
static float __unspool_log1f(float f) {
  @LOG1@
  return f2 * p;
}
""", LOG1=P(True).squares("p", "f", lambda f: mpf(1) / 2 if abs(f) < 1e-12 else (f - mp.log1p(f)) / f**2, -0.2929, 0.41422, 8)))
both("host_log", """
//@ fn __unspool_log_split@s@ inline host
// x > 0 and finite: f with x = (1 + f) * 2^e, 1 + f between sqrt(1/2) and sqrt(2). Anything else gives something.
static @T@ __unspool_log_split@s@(@T@ x, int *e) {
  int small = x < @MINNORM@;
  @T@ n = small ? x * @SUBSCALE@ : x;
  @I@ b = (@I@)@bits@(n) - (@I@)@OFF@@L@;
  *e = (int)(b >> @MB@) - (small ? @SUBEXP@ : 0);
  return @from@((@U@)((b & (((@I@)1 << @MB@) - 1)) + (@I@)@OFF@@L@)) - 1.0@s@;
}

//@ fn __unspool_log_fix@s@ inline host
// The logarithm r of x where x is positive and finite; else what the logarithm of x is.
static @T@ __unspool_log_fix@s@(@T@ x, @T@ r) {
  r = x < @inf@() ? r : x;
  r = x == 0.0@s@ ? -@inf@() : r;
  return x < 0.0@s@ ? @nan@ : r;
}

//@ fn __unspool_log_parts@s@ inline host
// x = (1 + f) * 2^k as for `log_split`. Where x is not positive and finite, k is what the logarithm of x is, and f a number.
static @T@ __unspool_log_parts@s@(@T@ x, @T@ *k) {
  @I@ b = (@I@)@bits@(x) - (@I@)@OFF@@L@;
  @T@ e = (@T@)(int)(b >> @MB@);
  @T@ f = @from@((@U@)((b & (((@I@)1 << @MB@) - 1)) + (@I@)@OFF@@L@)) - 1.0@s@;
  // A branch that is almost never taken: vectors skip it. One comparison for all that is not positive, normal and finite.
  if ((@I@)(@bits@(x) + ((@U@)@EMASK@ << @MB@)) >= -((@I@)2 << @MB@)) {
    b = (@I@)@bits@(x * @SUBSCALE@) - (@I@)@OFF@@L@;
    f = @from@((@U@)((b & (((@I@)1 << @MB@) - 1)) + (@I@)@OFF@@L@)) - 1.0@s@;
    e = (@T@)((int)(b >> @MB@) - @SUBEXP@);
    e = x < @inf@() ? e : x;
    e = x == 0.0@s@ ? -@inf@() : e;
    e = x < 0.0@s@ ? @nan@ : e;
  }
  *k = e;
  return f;
}

//@ fn __unspool_log@s@ host
static @T@ __unspool_log@s@(@T@ x) {
  @T@ k;
  @T@ f = __unspool_log_parts@s@(x, &k);
  // Where k is not 0, the result is so much larger than the sum that this may lose its last place.
  return @fma@(k, @E1@, f + @fma@(k, @E2@, -__unspool_log1@s@(f)));
}

//@ fn __unspool_log2@s@ host
static @T@ __unspool_log2@s@(@T@ x) {
  @T@ k;
  @T@ f = __unspool_log_parts@s@(x, &k);
  // The product with f is rounded with its sum, what is added to it first is small beside it.
  @T@ u = @fma@(f, @LOG2EB@, -__unspool_log1@s@(f) * @LOG2EA@);
  return k + @fma@(f, @LOG2EA@, u);
}

//@ fn __unspool_log10@s@ host
static @T@ __unspool_log10@s@(@T@ x) {
  @T@ k;
  @T@ f = __unspool_log_parts@s@(x, &k);
  @T@ u = @fma@(f, @LOG10EB@, @fma@(k, @G2@, -__unspool_log1@s@(f) * @LOG10EA@));
  return @fma@(k, @G1@, @fma@(f, @LOG10EA@, u));
}

//@ fn __unspool_log1p@s@ host
static @T@ __unspool_log1p@s@(@T@ x) {
  @T@ u = 1.0@s@ + x;
  int e;
  @T@ f = __unspool_log_split@s@(u, &e);
  // What 1 + x lost, relative to u.
  @T@ lost = @fabs@(x) < 1.0@s@ ? x - (u - 1.0@s@) : 1.0@s@ - (u - x);
  @T@ c = e == 0 ? 0.0@s@ : lost / u;
  f = e == 0 ? x : f;
  @T@ k = (@T@)e;
  @T@ l = __unspool_log1@s@(f);
  @T@ h = @fma@(k, @E1@, f);
  @T@ d = f - (h - k * @E1@);
  @T@ r = __unspool_log_fix@s@(u, h + (d + (@fma@(k, @E2@, -l) + c)));
  return x == 0.0@s@ ? x : r;
}
""", **LOGC)

# ---- trigonometry -----------------------------------------------------------------------------------------------
# sin(r)/r in r * r between -pi/2 and pi/2; the last digits searched so that sin(pi/2) is 1, which makes cos(0) so.
SINE = ["2.63445736e-06f", "(-0.000198228532f)", "0.0083332248f", "(-0.166666612f)"]
TURN = dict(MAGIC=HOST["MAGIC"], BIG=lambda p: p.c(105615) if p.single else p.c(2147483648))


def inverse_pi_parts(k):
    """2^(8k - 16) / pi modulo 2: 20 bits, 20 bits, the rest as a double."""
    with mp.workdps(200):
        v = mp.ldexp(1 / mp.pi, 8 * k - 16)
        v -= 2 * mp.floor(v / 2)
        h = mp.ldexp(mp.floor(mp.ldexp(v, 19)), -19)
        m = mp.ldexp(mp.floor(mp.ldexp(v - h, 39)), -39)
        return [P(False).c(h), P(False).c(m), P(False).c(v - h - m)]




def tangent(above, below, name):
    """Coefficients of a fraction in z = r * r that times r is the tangent of r, up to a quarter of a turn's half and a little more."""
    count, top = above + below + 1, (mp.pi / 4 * (1 + mpf(10)**-5))**2
    rows, values = mp.matrix(count, count), mp.matrix(count, 1)
    for i in range(count):
        z = top * (1 + mp.cos(mp.pi * (i + mpf(1) / 2) / count)) / 2
        t = mp.tan(mp.sqrt(z)) / mp.sqrt(z)
        for j in range(above + 1):
            rows[i, j] = z**j
        for j in range(below):
            rows[i, above + 1 + j] = -t * z**(j + 1)
        values[i] = t
    found = [P(True).c(v) for v in mp.lu_solve(rows, values)]
    return {**{name + "N%d" % i: v for i, v in enumerate(found[:above + 1])},
            **{name + "D%d" % (i + 1): v for i, v in enumerate(found[above + 1:])}}


PART = lambda x, name: {name + str(i + 1): part(x, i) for i in range(3)}
emit("host_trig", P(True).expand("""
//@ fn __unspool_half_turnf inline host
// sin(r) for |r| <= pi/2, a little more, with the sign changed if the lowest bit of n is set.
static float __unspool_half_turnf(float r, unsigned int n) {
  float z = r * r;
  float p = __builtin_fmaf(@S0@, z, @S1@);
  p = __builtin_fmaf(p, z, @S2@);
  p = __builtin_fmaf(p, z, @S3@);
  p = __builtin_fmaf(p * z, r, r);
  return __builtin_unspool_as_float(__builtin_unspool_as_uint(p) ^ (n << 31));
}

//@ data __unspool_inverse_pif host
// 2^(8k - 16) / pi modulo 2 for k from 0, each in three parts: two of 20 bits, and the rest.
static __constant const double __unspool_inverse_pif[@COUNT@] = {@TABLE@};

//@ fn __unspool_far_turnf host
// For |x| >= 128: what of x / pi + shift lies beyond the nearest whole number, times pi, and that number's parity. Payne and
// Hanek's method: the bits of 1 / pi whose product with x matters are chosen by x's exponent.
static float __unspool_far_turnf(float x, double shift, unsigned int *parity) {
  unsigned int b = __builtin_unspool_as_uint(x);
  int e = (int)((b >> 23) & 255u) - 134;
  // At most 2^32; exact like its products with parts of 20 bits.
  double n = (double)(int)((b & 0x7fffffu) | 0x800000u) * (double)(1 << (e & 7));
  int k = (e >> 3) * 3;
  double h = n * __unspool_inverse_pif[k], m = n * __unspool_inverse_pif[k + 1];
  h = __builtin_fma(__builtin_floor(h * 0.5), -2.0, h);
  m = __builtin_fma(__builtin_floor(m * 0.5), -2.0, m);
  double s = h + m;
  s = x < 0.0f ? shift - s : shift + s;
  double w = s + 6755399441055744.0;
  double l = n * __unspool_inverse_pif[k + 2];
  double r = (s - (w - 6755399441055744.0)) + (x < 0.0f ? -l : l);
  *parity = (unsigned int)__builtin_unspool_as_ulong(w);
  return __builtin_fabsf(x) < __builtin_inff() ? (float)(r * @PI@) : __builtin_nanf("");
}

//@ fn __unspool_sinf host
static float __unspool_sinf(float x) {
  float m = __builtin_fmaf(x, @INVPI@, @MAGIC@);
  float k = m - @MAGIC@;
  float r = __builtin_fmaf(k, -@P1@, x);
  r = __builtin_fmaf(k, -@P2@, r);
  r = __builtin_fmaf(k, -@P3@, r);
  unsigned int n = __builtin_unspool_as_uint(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(__builtin_fabsf(x) < @BIG@)) { r = __unspool_far_turnf(x, 0.0, &n); }
  float v = __unspool_half_turnf(r, n);
  return x == 0.0f ? x : v;
}

//@ fn __unspool_cosf host
static float __unspool_cosf(float x) {
  // The nearest zero of the cosine, and which way the function crosses it.
  float m = __builtin_fmaf(x, @INVPI@, 0.5f) + @MAGIC@;
  float k = (m - @MAGIC@) - 0.5f;
  float r = __builtin_fmaf(k, -@P1@, x);
  r = __builtin_fmaf(k, -@P2@, r);
  r = __builtin_fmaf(k, -@P3@, r);
  unsigned int n = __builtin_unspool_as_uint(m);
  if (!(__builtin_fabsf(x) < @BIG@)) { r = __unspool_far_turnf(x, 0.5, &n); }
  return __unspool_half_turnf(r, n);
}

//@ fn __unspool_sincosf host
static float __unspool_sincosf(float x, float *cosine) {
  *cosine = __unspool_cosf(x);
  return __unspool_sinf(x);
}

//@ fn __unspool_fast_sinf inline host
// Absolute error below 2^-21 between -pi and pi, growing with the argument, as the instruction of GPUs has it.
static float __unspool_fast_sinf(float x) {
  float m = __builtin_fmaf(x, @INVPI@, @MAGIC@);
  float k = m - @MAGIC@;
  float r = __builtin_fmaf(k, -@P1@, x);
  return __unspool_half_turnf(__builtin_fmaf(k, -@P2@, r), __builtin_unspool_as_uint(m));
}

//@ fn __unspool_fast_cosf inline host
static float __unspool_fast_cosf(float x) {
  float m = __builtin_fmaf(x, @INVPI@, 0.5f) + @MAGIC@;
  float k = (m - @MAGIC@) - 0.5f;
  float r = __builtin_fmaf(k, -@P1@, x);
  return __unspool_half_turnf(__builtin_fmaf(k, -@P2@, r), __builtin_unspool_as_uint(m));
}

//@ fn __unspool_fast_tanf inline host
// The tangent repeats every half turn, so that one reduction to a quarter does, and a fraction there: turned over in every second quarter.
static float __unspool_fast_tanf(float x) {
  float m = __builtin_fmaf(x, @TWOPI@, @MAGIC@);
  float k = m - @MAGIC@;
  float r = __builtin_fmaf(k, -@Q1@, x);
  r = __builtin_fmaf(k, -@Q2@, r);
  float z = r * r;
  float n = __builtin_fmaf(z, @TANN1@, @TANN0@) * r;
  float d = __builtin_fmaf(__builtin_fmaf(z, @TAND2@, @TAND1@), z, 1.0f);
  int odd = (__builtin_unspool_as_uint(m) & 1u) != 0u;
  return (odd ? d : n) / (odd ? -n : d);
}

//@ fn __unspool_fast_sincos_valuef inline host
static float __unspool_fast_sincos_valuef(float x, float *cosine) {
  *cosine = __unspool_fast_cosf(x);
  return __unspool_fast_sinf(x);
}

//@ fn __unspool_fast_sincosf inline host
static void __unspool_fast_sincosf(float x, float *sine, float *cosine) {
  *sine = __unspool_fast_sinf(x);
  *cosine = __unspool_fast_cosf(x);
}
""", INVPI=P(True).c(1 / PI), PI=P(False).c(PI), COUNT="48", TABLE=", ".join(x for k in range(16) for x in inverse_pi_parts(k)), **{"S%d" % i: c for i, c in enumerate(SINE)},
     TWOPI=P(True).c(2 / PI), **tangent(1, 2, "TAN"),
     **{k: v(P(True)) for k, v in {**TURN, **PART(PI, "P"), **PART(PI / 2, "Q")}.items()}))
emit("host_trig", P(False).expand("""
//@ fn __unspool_fast_sin2pif inline host
static float __unspool_fast_sin2pif(float x) { return __unspool_fast_sinf(__unspool_turn(x)); }

//@ fn __unspool_fast_cos2pif inline host
static float __unspool_fast_cos2pif(float x) { return __unspool_fast_cosf(__unspool_turn(x)); }

//@ fn __unspool_fast_sincos2pif inline host
static void __unspool_fast_sincos2pif(float x, float *sine, float *cosine) {
  float angle = __unspool_turn(x);
  *sine = __unspool_fast_sinf(angle);
  *cosine = __unspool_fast_cosf(angle);
}

//@ fn __unspool_half_turn inline host
// sin(r) for |r| <= pi/2, a little more, with the sign changed if the lowest bit of n is set.
static double __unspool_half_turn(double r, unsigned int n) {
  double z = r * r;
  @SINE@
  // Where the sine is close to 1, whose neighbours below are half as far, the square's rounding would cost half a place.
  double c = @fma@(r, z, r * @fma@(r, r, -z));
  p = @fma@(p, c, r);
  return @from@(@bits@(p) ^ ((unsigned long)n << 63));
}

//@ fn __unspool_far_turn host
// What of x lies beyond the nearest multiple of pi, or beyond the nearest odd multiple of pi/2, and its number's parity.
static double __unspool_far_turn(double x, int odd, unsigned int *parity) {
  int q = 0;
  double r = @nan@;
  if (@fabs@(x) < @inf@()) { r = __unspool_trig_slow(x, &q); }
  *parity = (unsigned int)((q + odd) >> 1);
  // Beyond the other kind of multiple: from pi/4 to pi/2 before this one, or behind it, where the sine is the same.
  double a = @fabs@(r), b = @QUARTER@ - a;
  b = b + (((@QUARTER@ - b) - a) + @QUARTERREST@);
  return ((q ^ odd) & 1) != 0 ? b : r;
}

//@ fn __unspool_sin host
static double __unspool_sin(double x) {
  double m = @fma@(x, @INVPI@, @MAGIC@);
  double k = m - @MAGIC@;
  double r = @fma@(k, -@P1@, x);
  r = @fma@(k, -@P2@, r);
  r = @fma@(k, -@P3@, r);
  unsigned int n = (unsigned int)@bits@(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(@fabs@(x) < @BIG@)) { r = __unspool_far_turn(x, 0, &n); }
  double v = __unspool_half_turn(r, n);
  return x == 0.0 ? x : v;
}

//@ fn __unspool_cos host
static double __unspool_cos(double x) {
  // The nearest zero of the cosine, and which way the function crosses it.
  double m = @fma@(x, @INVPI@, 0.5) + @MAGIC@;
  double k = (m - @MAGIC@) - 0.5;
  double r = @fma@(k, -@P1@, x);
  r = @fma@(k, -@P2@, r);
  r = @fma@(k, -@P3@, r);
  unsigned int n = (unsigned int)@bits@(m);
  if (!(@fabs@(x) < @BIG@)) { r = __unspool_far_turn(x, 1, &n); }
  return __unspool_half_turn(r, n);
}
""", INVPI=P(False).c(1 / PI), QUARTER=P(False).parts(PI / 2, 2)[0], QUARTERREST=P(False).parts(PI / 2, 2)[1],
     SINE=P(False).nested("p", "z", P(False).stepwise(series(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(-1) / 6), lambda z: z,
                                                      0, (PI / 2) ** 2 * mpf("1.0001"), 7)),
     **{k: v(P(False)) for k, v in {**TURN, **PART(PI, "P")}.items()}))
both("host_trig", """
//@ fn __unspool_trig_reduce@s@ host
// x minus the nearest multiple of pi/2, and which multiple (modulo 4).
static @T@ __unspool_trig_reduce@s@(@T@ x, int *quadrant) {
  @T@ m = @fma@(x, @TWOPI@, @MAGIC@);
  @T@ k = m - @MAGIC@;
  @T@ r = @fma@(k, -@P1@, x);
  r = @fma@(k, -@P2@, r);
  r = @fma@(k, -@P3@, r);
  int q = (int)@bits@(m);
  // A branch that is almost never taken: vectors skip it.
  if (!(@fabs@(x) < @BIG@)) {
    r = @nan@;
    if (@fabs@(x) < @inf@()) { r = __unspool_trig_slow@s@(x, &q); }
  }
  *quadrant = q;
  return r;
}

//@ fn __unspool_quadrant_sin@s@ inline host
static @T@ __unspool_quadrant_sin@s@(@T@ r, int q) {
  @T@ s = __unspool_sin_poly@s@(r), c = __unspool_cos_poly@s@(r);
  @T@ v = (q & 1) != 0 ? c : s;
  return @from@(@bits@(v) ^ ((@U@)(unsigned int)(q & 2) << @TOP@));
}

//@ fn __unspool_tan@s@ host
static @T@ __unspool_tan@s@(@T@ x) {
  int q;
  @T@ r = __unspool_trig_reduce@s@(x, &q);
  @T@ s = __unspool_sin_poly@s@(r), c = __unspool_cos_poly@s@(r);
  @T@ n = (q & 1) != 0 ? -c : s, d = (q & 1) != 0 ? s : c;
  @T@ t = n / d;
  return x == 0.0@s@ ? x : t;
}
""", TWOPI=const(2 / PI), TOP=lambda p: "30" if p.single else "62", **TURN, **PART(PI / 2, "P"))
emit("host_trig", P(True).expand("""
//@ fn __unspool_half_tanf host
// To 12 bits.
static float __unspool_half_tanf(float x) {
  int q;
  float r = __unspool_trig_reducef(x, &q);
  float z = r * r;
  float n = __builtin_fmaf(z, @ROUGHN1@, @ROUGHN0@) * r;
  float d = __builtin_fmaf(z, @ROUGHD1@, 1.0f);
  return ((q & 1) != 0 ? d : n) * __builtin_unspool_rcp_rough((q & 1) != 0 ? -n : d);
}
""", **tangent(1, 1, "ROUGH")))

def half_turns(p):
    """(sin(pi r) / r - 2) / (1 - 4 z) in z = r * r, which has no pole: both are 0 where r is 1/2."""
    def fn(z):
        if z < mpf(10) ** -30:
            return PI - 2
        d = 1 - 4 * z
        # Next to 1/2 by the derivative.
        return (mp.sin(PI * mp.sqrt(z)) / mp.sqrt(z) - 2) / d if abs(d) > mpf(10) ** -20 else mpf(1)

    return p.nested("p", "z", p.stepwise(fn, lambda z: 1 - 4 * z, 0, mpf(1) / 4, 4 if p.single else 8))


both("host_trig", """
//@ fn __unspool_turn_sin@s@ inline host
// sin(pi r) for |r| <= 1/2: 2r, and what vanishes at 1/2 as it does at 0, so that it counts little where the sine is close to 1.
static @T@ __unspool_turn_sin@s@(@T@ r) {
  @T@ z = r * r;
  @TURNS@
  return @fma@(r * @fma@(z, -4.0@s@, 1.0@s@), p, r + r);
}

//@ fn __unspool_sinpi@s@ host
static @T@ __unspool_sinpi@s@(@T@ x) {
  // All exact: the nearest whole number, what is left, and half of the number, which is whole if it is even.
  @T@ n = @rint@(x), r = x - n, h = n * 0.5@s@;
  @T@ v = __unspool_turn_sin@s@(r);
  v = @rint@(h) != h ? -v : v;
  return r == 0.0@s@ ? @copysign@(0.0@s@, x) : v;
}

//@ fn __unspool_cospi@s@ host
static @T@ __unspool_cospi@s@(@T@ x) {
  // Exact but for the last difference: whole turns taken off, and the sine from half a turn on either side of zero; where that is rounded,
  // the result is next to 1. That of zero is a zero without a sign.
  @T@ n = @rint@(x * 0.5@s@), r = 0.5@s@ - @fabs@(@fma@(n, -2.0@s@, x));
  return __unspool_turn_sin@s@(r);
}

//@ fn __unspool_tanpi@s@ host
static @T@ __unspool_tanpi@s@(@T@ x) {
  @T@ n = @rint@(x), r = x - n, h = n * 0.5@s@;
  @T@ v = __unspool_turn_sin@s@(r) / __unspool_turn_sin@s@(0.5@s@ - @fabs@(r));
  // Zeros have the sign that OpenCL gives them, by the parity of the whole number; that of poles comes out of the division.
  @T@ sign = @rint@(h) != h ? -x : x;
  return r == 0.0@s@ ? @copysign@(0.0@s@, sign) : v;
}
""", TURNS=half_turns)

# ---- inverse trigonometry ---------------------------------------------------------------------------------------
both("host_arc", """
//@ fn __unspool_asin@s@ host
static @T@ __unspool_asin@s@(@T@ x) {
  @T@ a = @fabs@(x);
  int near = a <= 0.5@s@;
  @T@ z = near ? x * x : @fma@(a, -0.5@s@, 0.5@s@);
  @T@ p = __unspool_asin_poly@s@(z);
  @T@ r = @sqrt@(z);
  // The root's rounding error, for the sum with pi/2.
  @T@ e = r > 0.0@s@ ? @fma@(-r, r, z) / (2.0@s@ * r) : 0.0@s@;
  @T@ t = @fma@(p, r, e);
  @T@ v = @H1@ - (2.0@s@ * r - (@H2@ - 2.0@s@ * t));
  v = near ? @fma@(p, a, a) : v;
  return @copysign@(v, x);
}

//@ fn __unspool_acos@s@ host
static @T@ __unspool_acos@s@(@T@ x) {
  @T@ a = @fabs@(x);
  int near = a <= 0.5@s@;
  @T@ z = near ? x * x : @fma@(a, -0.5@s@, 0.5@s@);
  @T@ p = __unspool_asin_poly@s@(z);
  @T@ r = @sqrt@(z);
  @T@ e = r > 0.0@s@ ? @fma@(-r, r, z) / (2.0@s@ * r) : 0.0@s@;
  @T@ t = @fma@(p, r, e);
  @T@ v = x > 0.0@s@ ? 2.0@s@ * (r + t) : @PI1@ - 2.0@s@ * (r + (t - 0.5@s@ * @PI2@));
  return near ? @H1@ - (x - (@H2@ - p * x)) : v;
}
""", H1=part(PI / 2, 0), H2=part(PI / 2, 1), PI1=part(PI, 0), PI2=part(PI, 1))

# ---- powers -----------------------------------------------------------------------------------------------------
both("host_pow", """
//@ fn __unspool_log_pair@s@ host
// The logarithm of x > 0, finite, with its own rounding error beside it.
static @T@ __unspool_log_pair@s@(@T@ x, @T@ *low) {
  int e;
  @T@ f = __unspool_log_split@s@(x, &e);
  @T@ k = (@T@)e;
  @T@ d = 2.0@s@ + f;
  @T@ i = 1.0@s@ / d;
  @T@ q = f * i;
  @T@ ql = @fma@(-q, f, f - 2.0@s@ * q) * i;
  @T@ s = q * q;
  @T@ sl = @fma@(q, q, -s) + 2.0@s@ * q * ql;
  @TAIL@
  @T@ c = q * s;
  @T@ cl = @fma@(q, s, -c) + @fma@(q, sl, ql * s);
  @T@ t = @C3A@ * c;
  @T@ tl = @fma@(@C3A@, c, -t) + @fma@(@C3A@, cl, @C3B@ * c);
  // The sum k*ln2 + 2q + t, exactly in its high part.
  @T@ g = k * @E1@;
  @T@ q2 = 2.0@s@ * q;
  @T@ h = g + q2;
  @T@ hl = q2 - (h - g);
  hl = k == 0.0@s@ ? 0.0@s@ : hl;
  @T@ r = h + t;
  @T@ v = r - h;
  @T@ rl = (h - (r - v)) + (t - v);
  @T@ l = rl + (hl + @fma@(k, @E2@, @fma@(c * s, p, 2.0@s@ * ql + tl)));
  @T@ out = r + l;
  *low = l - (out - r);
  return out;
}
""", **LOGC)
POW_FIX = """
//@ fn __unspool_far_pow@s@ host
// x^y, given what the core makes of |x| and y, where that is not the result: x is not positive or not finite, or y is not.
static @T@ __unspool_far_pow@s@(@T@ x, @T@ y, @T@ r) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  @T@ zero_or_inf = y < 0.0@s@ ? @inf@() : 0.0@s@;
  @T@ inf_or_zero = y < 0.0@s@ ? 0.0@s@ : @inf@();
  @T@ h = y * 0.5@s@;
  // Whole numbers, and odd ones; every large number is whole and even.
  @T@ fraction = y - @trunc@(y), odd = h - @trunc@(h);
  r = a == 0.0@s@ ? zero_or_inf : r;
  r = a == @inf@() ? inf_or_zero : r;
  r = b == @inf@() ? (a > 1.0@s@ ? inf_or_zero : zero_or_inf) : r;
  r = a == 1.0@s@ ? 1.0@s@ : r;
  @T@ bad = a == 0.0@s@ ? r : (a < @inf@() ? @nan@ : r);
  @T@ n = fraction == 0.0@s@ ? (odd == 0.0@s@ ? r : -r) : (b < @inf@() ? bad : r);
  r = @bits@(x) >> @SIGN@ != 0@L@ ? n : r;
  r = x != x ? x : r;
  r = y != y ? y : r;
  r = x == 1.0@s@ ? 1.0@s@ : r;
  return y == 0.0@s@ ? 1.0@s@ : r;
}

//@ fn __unspool_pow@s@ host
static @T@ __unspool_pow@s@(@T@ x, @T@ y) {
  @T@ r = __unspool_pow_core@s@(@fabs@(x), y@CORR@);
  // A branch that is rarely taken: vectors skip it.
  if (!((x > 0.0@s@) & (x < @inf@()) & (@fabs@(y) < @inf@()))) { r = __unspool_far_pow@s@(x, y, r); }
  return r;
}

//@ fn __unspool_far_powr@s@ host
// x^y for positive x where the core's result is not it.
static @T@ __unspool_far_powr@s@(@T@ x, @T@ y, @T@ r) {
  @T@ b = @fabs@(y);
  @T@ zero_or_inf = y < 0.0@s@ ? @inf@() : 0.0@s@;
  @T@ inf_or_zero = y < 0.0@s@ ? 0.0@s@ : @inf@();
  r = x == 0.0@s@ ? zero_or_inf : r;
  r = x == @inf@() ? inf_or_zero : r;
  r = b == @inf@() ? (x > 1.0@s@ ? inf_or_zero : zero_or_inf) : r;
  r = x == 1.0@s@ ? (b < @inf@() ? 1.0@s@ : @nan@) : r;
  @T@ w = x > 0.0@s@ ? (x < @inf@() ? 1.0@s@ : @nan@) : @nan@;
  r = y == 0.0@s@ ? w : r;
  r = y != y ? y : r;
  return x >= 0.0@s@ ? r : @nan@;
}

//@ fn __unspool_powr@s@ host
static @T@ __unspool_powr@s@(@T@ x, @T@ y) {
  @T@ r = __unspool_pow_core@s@(x, y@CORR@);
  if (!((x > 0.0@s@) & (x < @inf@()) & (@fabs@(y) < @inf@()))) { r = __unspool_far_powr@s@(x, y, r); }
  return r;
}

//@ fn __unspool_pown_fix@s@ inline host
// x^n of |x|^n, which the core gives for positive, finite |x|.
static @T@ __unspool_pown_fix@s@(@T@ x, int n, @T@ r) {
  @T@ a = @fabs@(x);
  if (!((a > 0.0@s@) & (a < @inf@()))) {
    r = (a == 0.0@s@) == (n < 0) ? @inf@() : 0.0@s@;
    r = n == 0 ? 1.0@s@ : (x != x ? x : r);
  }
  @U@ sign = (@bits@(x) >> @SIGN@) & (@U@)(unsigned int)n;
  return @from@(@bits@(r) ^ (sign << @SIGN@));
}

//@ fn __unspool_rootn@s@ host
static @T@ __unspool_rootn@s@(@T@ x, int n) {
  double d = (double)n;
  double y = 1.0 / d;
  @T@ a = @fabs@(x);
  @T@ r = __unspool_pow_core@s@(a, y@ROOTCORR@);
  if (!((a > 0.0@s@) & (a < @inf@()))) { r = (a == 0.0@s@) == (n < 0) ? @inf@() : 0.0@s@; }
  r = (n & 1) != 0 ? @copysign@(r, x) : r;
  // Of NaN, the root of order zero, and even ones of negative numbers.
  return n == 0 || x != x || (x < 0.0@s@ && (n & 1) == 0) ? @nan@ : r;
}
"""
SIGN = lambda p: "31" if p.single else "63"
emit("host_pow", P(True).expand("""
//@ fn __unspool_pow_coref inline host
// x^y for x > 0, finite, and y not NaN, by way of a logarithm in double, good for the float's result without a second part.
static float __unspool_pow_coref(float x, double y) {
  int e;
  double f = (double)__unspool_log_splitf(x, &e);
  @POWLOG@
  double t = y * __builtin_fma(p, f, (double)e);
  // Beyond, the result is zero or infinite.
  t = t > -160.0 ? t : -160.0;
  t = t < 130.0 ? t : 130.0;
  double m = t + @MAGIC64@;
  float r = (float)(t - (m - @MAGIC64@));
  @POWEXP@
  q = __builtin_fmaf(__builtin_fmaf(q, r, @LN2@), r, 1.0f);
  // In two factors, of which none leaves the range.
  int n = (int)(unsigned int)__builtin_unspool_as_ulong(m);
  int h = n >> 1;
  return q * __builtin_unspool_as_float((unsigned int)(h + 127) << 23) * __builtin_unspool_as_float((unsigned int)(n - h + 127) << 23);
}

//@ fn __unspool_pownf host
static float __unspool_pownf(float x, int n) {
  unsigned int m = n < 0 ? 0u - (unsigned int)n : (unsigned int)n;
  if (m < 4096u) {
    // Products in double lose nothing that the result has, and what leaves double's range left float's before.
    double b = (double)x, r = 1.0;
    while (m != 0u) {
      r = (m & 1u) != 0u ? r * b : r;
      b = b * b;
      m >>= 1;
    }
    if (n < 0) { r = 1.0 / r; }
    return (float)r;
  }
  return __unspool_pown_fixf(x, n, __unspool_pow_coref(__builtin_fabsf(x), (double)n));
}
""", POWLOG=P(False).estrin("p", "f", lambda f: 1 / LN2 if f == 0 else mp.log1p(f) / f / LN2, mp.sqrt(0.5) - 1, mp.sqrt(2) - 1 + mpf(10)**-7, 13).replace("@fma@", "__builtin_fma"),
     POWEXP=P(True).estrin("q", "r", lambda t: LN2**2 / 2 if t == 0 else (mpf(2) ** t - 1 - LN2 * t) / t**2, -0.5, 0.5000001, 4),
     LN2=P(True).c(LN2), MAGIC64=P(False).c(MAGIC(P(False)))))
emit("host_pow", P(True).expand(POW_FIX, CORR="", ROOTCORR="", SIGN="31"))
emit("host_pow", P(False).expand("""
//@ fn __unspool_pow_core inline host
// x^(y + yl) for x > 0, finite.
static double __unspool_pow_core(double x, double y, double yl) {
  double l;
  double h = __unspool_log_pair(x, &l);
  double t = y * h;
  double u = __builtin_fma(y, h, -t) + __builtin_fma(y, l, yl * h);
  u = __builtin_fabs(t) < 890.0 ? u : 0.0;
  return __unspool_exp_parts(t, u, 0);
}

//@ fn __unspool_pown host
static double __unspool_pown(double x, int n) {
  if ((unsigned int)n < 8u) {
    // Six roundings at most.
    double b = x * x, c = b * b;
    double r = (n & 1) != 0 ? x : 1.0;
    r = (n & 2) != 0 ? r * b : r;
    return (n & 4) != 0 ? r * c : r;
  }
  return __unspool_pown_fix(x, n, __unspool_pow_core(__builtin_fabs(x), (double)n, 0.0));
}
"""))
emit("host_pow", P(False).expand(POW_FIX, CORR=", 0.0", ROOTCORR=", __builtin_fma(-y, d, 1.0) * y", SIGN="63"))
both("host_pow", """
//@ fn __unspool_cbrt@s@ host
static @T@ __unspool_cbrt@s@(@T@ x) {
  @T@ a = @fabs@(x);
  int small = a < @MINNORM@;
  @T@ n = small ? a * @SUBSCALE@ : a;
  int e = (int)(@bits@(n) >> @MB@) - (small ? @SUBEXP@ : 0) - @BIAS@ + 1;
  @T@ m = @from@((@bits@(n) & (((@U@)1 << @MB@) - 1@L@)) | ((@U@)(@BIAS@ - 1) << @MB@));
  // e = 3k + j, m * 2^j between 1/2 and 4; the product divides by three.
  int k = ((e + 3072) * 43691 >> 17) - 1024;
  m = m * __unspool_pow2@s@(e - 3 * k);
  // m^(-1/3), so that nothing is divided: steps of third order, the error of y^3 * m cubed each time.
  @CUBE@
  @STEPS@
  @T@ y2 = y * y;
  @T@ r = m * y2;
  @T@ s = r * r;
  @T@ d = @fma@(s, r, -m) + @fma@(r, r, -s) * r;
  r = @fma@(-d, y2 * @THIRD@, r);
  r = @copysign@(r * __unspool_pow2@s@(k), x);
  r = a < @inf@() ? r : x;
  return x == 0.0@s@ ? x : r;
}
""", **{**LOGC, "THIRD": const(mpf(1) / 3),
        "CUBE": lambda p: p.horner("y", "(m - %s)" % p.c(2.25), lambda t: 1 / mp.cbrt(t + mpf(9) / 4), -1.75, 1.75, 5),
        "STEPS": lambda p: "\n  ".join(["@T@ h%d = @fma@(-(m * y), y * y, 1.0@s@);\n  y = @fma@(y * h%d, @fma@(h%d, %s, %s), y);" % (i, i, i, p.c(mpf(2) / 9), p.c(mpf(1) / 3)) for i in range(1 if p.single else 2)])})

# ---- error function ---------------------------------------------------------------------------------------------
erfc_log2 = lambda t: -mp.log(mp.erfc(t), 2)
emit("host_erf", P(True).expand("""
//@ fn __unspool_erff host
// Near zero a polynomial, else 1 - 2^-p for a polynomial p.
static float __unspool_erff(float x) {
  float a = __builtin_fabsf(x);
  float small = __unspool_erf_smallf(x);
  float t = (a < 3.9375f ? a : 3.9375f) - 2.4f;
  @TAIL@
  // Between 0 and -26: no exponent leaves the range.
  float m = @MAGIC@ - p;
  float f = (@MAGIC@ - m) - p;
  @FAST2@
  q = __builtin_fmaf(q, f, 1.0f);
  q = __builtin_unspool_as_float(__builtin_unspool_as_uint(q) + (__builtin_unspool_as_uint(m) << 23));
  float r = a < 0.9f ? small : __builtin_copysignf(1.0f - q, x);
  return x == x ? r : x;
}
""", MAGIC=P(True).c(MAGIC(P(True))), TAIL=P(True).horner("p", "t", lambda t: erfc_log2(t + mpf(12) / 5), -1.5, 1.5376, 9),
     FAST2=P(True).horner("q", "f", exp2_rest, -0.5, 0.5000001, 4)))
# Where the polynomial's first coefficient is nearly a double: its rounding would be a quarter of the error.
ERF_CENTRE = min((1 + mpf(k) / 1024 for k in range(64)), key=lambda c: abs(erfc_log2(c) - mpf(float(erfc_log2(c)))))
emit("host_erf", P(False).expand("""
//@ fn __unspool_erf host
// As for float. The polynomial p may err the more the closer the result is to 1.
static double __unspool_erf(double x) {
  double a = __builtin_fabs(x);
  double z = x * x;
  @SMALL@
  double small = __builtin_fma(s, x, x);
  double t = (a < 5.9375 ? a : 5.9375) - @CENTRE@;
  @TAIL@
  // Between 0 and -54: no exponent leaves the range.
  double m = @MAGIC@ - p;
  double f = (@MAGIC@ - m) - p;
  @FAST2@
  q = __builtin_fma(q, f, 1.0);
  q = __builtin_unspool_as_double(__builtin_unspool_as_ulong(q) + (__builtin_unspool_as_ulong(m) << 52));
  double r = a < 1.0 ? small : __builtin_copysign(1.0 - q, x);
  return x == x ? r : x;
}
""", MAGIC=P(False).c(MAGIC(P(False))),
     SMALL=P(False).horner("s", "z", series(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 2 / mp.sqrt(PI) - 1), 0, 1, 13),
     CENTRE=P(False).c(ERF_CENTRE), TAIL=P(False).weighted("p", "t", erfc_log2, mp.erfc, 1, 5.9376, 18, ERF_CENTRE),
     FAST2=P(False).estrin("q", "f", exp2_rest, -0.5, 0.5000001, 10)))

# ---- small things -----------------------------------------------------------------------------------------------
RSQRT = """//@ fn __unspool_@NAME@
static double __unspool_@FN@(double x) {
  double y = 1.0 / __builtin_sqrt(x);
  // The rounding of the root, made good where that cannot do harm.
  double h = x * y;
  double e = __builtin_fma(-h, y, 1.0) - __builtin_fma(x, y, -h) * y;
  double r = __builtin_fma(0.5 * e, y, y);
  return x > 2.2250738585072014e-308 ? (x < __builtin_inf() ? r : y) : y;
}
"""
emit("host_simple", """
//@ fn __unspool_rsqrtf inline host
static float __unspool_rsqrtf(float x) { return __builtin_unspool_rsqrt_approx(x); }

//@ fn __unspool_norm_squaref inline host
// The sum of the squares, in double, where it neither overflows nor vanishes; infinite if an argument is.
static double __unspool_norm_squaref(float x, float y, float z, float w) {
  double a = (double)x, b = (double)y, c = (double)z, d = (double)w;
  double s = __builtin_fma(a, a, b * b) + __builtin_fma(c, c, d * d);
  s = __builtin_fabsf(x) == __builtin_inff() ? __builtin_inf() : s;
  s = __builtin_fabsf(y) == __builtin_inff() ? __builtin_inf() : s;
  s = __builtin_fabsf(z) == __builtin_inff() ? __builtin_inf() : s;
  return __builtin_fabsf(w) == __builtin_inff() ? __builtin_inf() : s;
}

//@ fn __unspool_norm4df host
static float __unspool_norm4df(float x, float y, float z, float w) {
  return (float)__builtin_sqrt(__unspool_norm_squaref(x, y, z, w));
}

//@ fn __unspool_rnorm4df host
static float __unspool_rnorm4df(float x, float y, float z, float w) {
  return (float)(1.0 / __builtin_sqrt(__unspool_norm_squaref(x, y, z, w)));
}

//@ fn __unspool_rsqrt_rnf host
// Correctly rounded: by way of double.
static float __unspool_rsqrt_rnf(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }

""" + RSQRT.replace("@NAME@", "rsqrt host").replace("@FN@", "rsqrt"))
both("host_simple", """
//@ fn __unspool_far_fmod@s@ host
static @T@ __unspool_far_fmod@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  if (!(a < @inf@()) || b == 0.0@s@ || b != b) { return @nan@; }
  unsigned int q;
  @FARQUOTIENT@
  return __unspool_rem_core@s@(a, b, &q);
}

//@ fn __unspool_fmod@s@ host
// A quotient below @LIMIT@ is rounded by less than 1/4, and never below a whole number: what is left beside its whole part times y is
// exact, since that has no bit below the last one of y, and it is negative only where the quotient was rounded up to a whole number.
static @T@ __unspool_fmod@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  @T@ q = @trunc@(a / b);
  @T@ r = @fma@(-q, b, a);
  r = r < 0.0@s@ ? r + b : r;
  r = b == @inf@() ? a : r;
  // A branch that is rarely taken: vectors skip it.
  if (!((q < @LIMIT@) & (a < @inf@()))) { r = __unspool_far_fmod@s@(x, y); }
  return @copysign@(r, x);
}

//@ fn __unspool_far_remainder@s@ host
static @T@ __unspool_far_remainder@s@(@T@ x, @T@ y) {
  int q;
  return __unspool_remquo@s@(x, y, &q);
}

//@ fn __unspool_remainder@s@ host
// As `fmod`. Where the quotient lies next to the middle between two whole numbers, rounding may have chosen the wrong one; in the very
// middle it is exact, and the even one is chosen.
static @T@ __unspool_remainder@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  @T@ q = @rint@(a / b);
  @T@ r = @fma@(-q, b, a);
  r = @fabs@(r) + @fabs@(r) > b ? r - @copysign@(b, r) : r;
  r = b == @inf@() ? a : r;
  @U@ sign = @bits@(x) & ((@U@)1 << @SIGN@);
  @T@ v = @from@(@bits@(r) ^ sign);
  if (!((q < @LIMIT@) & (a < @inf@()))) { v = __unspool_far_remainder@s@(x, y); }
  return v;
}

//@ fn __unspool_hypot@s@ host
static @T@ __unspool_hypot@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  @T@ h = a > b ? a : b, l = a > b ? b : a;
  @T@ r = @sqrt@(@fma@(h, h, l * l));
  // A branch that is rarely taken: squares that overflow or vanish, and no numbers. Where x is none, h is y.
  if (!((h < @SQUARETOP@) & ((h > @SQUARELEAST@) | (h == 0.0@s@)))) { r = __unspool_norm4d@s@(x, y, 0.0@s@, 0.0@s@); }
  return r;
}
""", SQUARETOP=lambda p: p.c(mpf(2) ** (63 if p.single else 511)),
     SQUARELEAST=lambda p: p.c(mpf(2) ** (-60 if p.single else -500)), LIMIT=lambda p: p.c(mpf(2) ** (22 if p.single else 51)), SIGN=SIGN,
     # Of float, by a quotient in double: exact where it is below 2^28, and the nearest number to it is a whole one only if it is.
     FARQUOTIENT=lambda p: """double n = __builtin_trunc((double)a / (double)b);
  if (n < 268435456.0) { return (float)__builtin_fma(-n, (double)b, (double)a); }""" if p.single else "if (b == @inf@()) { return a; }")
