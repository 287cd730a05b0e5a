# Logarithms, arcs and errors of float, exponentials of double, as few instructions for GPUs: what is rare is chosen, not branched
# for, where it costs less. Read by generate.py. The host has its own.


def stepped(name, var, fn, weight, lo, hi, n, first=None):
    """Code for a polynomial whose coefficients are rounded one after another, the constant one first."""
    return lambda p: p.nested(name, var, p.stepwise(fn, weight, lo, hi, n, first))


# ---- logarithms -------------------------------------------------------------------------------------------------
def log_rest(scale):
    """(scale * log(1 + f) - scale * f) / f^2."""
    return lambda f: scale * (-mpf(1) / 2 if abs(f) < 1e-12 else (mp.log1p(f) - f) / f**2)


THIRD = mpf(1) / 3
single("log", """
//@ fn __unspool_log_fractionf inline
// x = (1 + f) * 2^k for x that is positive and finite; `least` is the least 1 + f.
static float __unspool_log_fractionf(float x, float least, float *k) {
  int small = x < @MINNORM@;
  float v = small ? x * 8388608.0f : x;
  unsigned int b = (__builtin_unspool_as_uint(v) - __builtin_unspool_as_uint(least)) & 0xff800000u;
  *k = __builtin_fmaf((float)(int)b, 1.1920928955078125e-07f, small ? -23.0f : 0.0f);
  return __builtin_unspool_as_float(__builtin_unspool_as_uint(v) - b) - 1.0f;
}

//@ fn __unspool_log_endsf inline
// The logarithm r of x, unless x is not positive and finite.
static float __unspool_log_endsf(float x, float r) {
  float far = __builtin_fmaf(x, __builtin_inff(), __builtin_inff());
  r = __builtin_unspool_as_uint(x) >= 0x7f800000u ? far : r;
  return x == 0.0f ? -__builtin_inff() : r;
}

//@ fn __unspool_logf
static float __unspool_logf(float x) {
  float k;
  float f = __unspool_log_fractionf(x, 0.6666667f, &k);
  @LOG@
  float r = __builtin_fmaf(f * f, p, f);
  return __unspool_log_endsf(x, __builtin_fmaf(k, @LN2@, r));
}

//@ fn __unspool_log2f
static float __unspool_log2f(float x) {
  float k;
  float f = __unspool_log_fractionf(x, 0.70710677f, &k);
  @LOG2@
  float r = __builtin_fmaf(f * f, p, f * @E2@);
  return __unspool_log_endsf(x, k + __builtin_fmaf(f, @E1@, r));
}

//@ fn __unspool_log10f
static float __unspool_log10f(float x) {
  float k;
  float f = __unspool_log_fractionf(x, 0.70710677f, &k);
  @LOG10@
  float r = __builtin_fmaf(f * f, p, k * @G2@);
  r = __builtin_fmaf(f, @F1@, r);
  return __unspool_log_endsf(x, __builtin_fmaf(k, @G1@, r));
}
""", LN2=const(LN2), E1=part(1 / LN2, 0), E2=part(1 / LN2, 1), F1=part(1 / mp.ln(10), 0), G1=part(mp.log10(2), 0), G2=part(mp.log10(2), 1),
       LOG=stepped("p", "f", log_rest(1), lambda f: f, -THIRD, THIRD, 7),
       LOG2=stepped("p", "f", log_rest(1 / LN2), lambda f: f, mpf("-0.29290"), mpf("0.41422"), 8),
       LOG10=stepped("p", "f", log_rest(1 / mp.ln(10)), lambda f: f, mpf("-0.29290"), mpf("0.41422"), 8))

# ---- arcs -------------------------------------------------------------------------------------------------------
single("arc", """
//@ fn __unspool_asinf
static float __unspool_asinf(float x) {
  float a = __builtin_fabsf(x);
  int far = a > 0.5f;
  float z = far ? __builtin_fmaf(a, -0.5f, 0.5f) : x * x;
  // Of nothing, too, so that the root of nothing is nothing.
  float y = __builtin_unspool_rsqrt_approx_ftz(z + 1e-30f);
  float r = z * y;
  // What rounding left of the root, and half of what it left of pi/2.
  float e = __builtin_fmaf(__builtin_fmaf(-r, r, z), 0.5f * y, @REST@);
  float s = far ? r : a;
  @ASIN@
  float w = __builtin_fmaf(p * z, s, far ? e : 0.0f);
  float v = far ? __builtin_fmaf(-2.0f, s, @H1@) : s;
  return __builtin_copysignf(__builtin_fmaf(far ? -2.0f : 1.0f, w, v), x);
}

//@ fn __unspool_acosf
static float __unspool_acosf(float x) {
  float a = __builtin_fabsf(x);
  int far = a > 0.5f;
  float z = far ? __builtin_fmaf(a, -0.5f, 0.5f) : x * x;
  float y = __builtin_copysignf(__builtin_unspool_rsqrt_approx_ftz(z + 1e-30f), x);
  float r = z * y;
  float e = __builtin_fmaf(-r, r, z) * (0.5f * y);
  float s = far ? r : x;
  @ASIN@
  float w = __builtin_fmaf(p * z, s, far ? e : @REST@);
  float m = far ? 2.0f : -1.0f;
  float c = far ? (x > 0.0f ? 0.0f : @PI@) : @H1@;
  return __builtin_fmaf(m, w, __builtin_fmaf(m, s, c));
}
""", ASIN=stepped("p", "z", series(lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(1) / 6), lambda z: z, 0, 0.25, 4),
       H1=part(PI / 2, 0), REST=lambda p: p.c(-(PI / 2 - mpf(f32(PI / 2))) / 2 * 1), PI=part(PI, 0))


# ---- the error function's inverses, cube roots -------------------------------------------------------------------
def remembered(fn):
    """fn, each value computed once: `stepwise` asks for every coefficient anew."""
    known = {}

    def ask(x):
        if x not in known:
            known[x] = fn(x)
        return known[x]
    return ask


def inverse_tail(i):
    """erfinv(x) / s for s * s = v = -log2(1 - x * x), i = 1 / s."""
    v = 1 / i**2
    return erfinv_ratio(v * LN2) * mp.sqrt(1 - mpf(2) ** -v) * i


def relative(name, var, fn, lo, hi, n):
    """`stepped` for the relative error."""
    fn = remembered(fn)
    return stepped(name, var, fn, lambda x: 1 / fn(x), lo, hi, n)


single("erf", """
//@ fn __unspool_erfinv_middlef inline
// x * (erfinv(y) / y) from v = -log2(1 - y * y) up to 8.
static float __unspool_erfinv_middlef(float x, float v) {
  @MIDDLE@
  return x * p;
}

//@ fn __unspool_erfinvf
static float __unspool_erfinvf(float x) {
  float v = -__builtin_unspool_lg2_approx_ftz(__builtin_fmaf(-x, x, 1.0f));
  float r = __unspool_erfinv_middlef(x, v);
  if (v > 8.0f) {
    float i = __builtin_unspool_rsqrt_approx_ftz(v);
    float s = v * i;
    s = __builtin_fmaf(__builtin_fmaf(-s, s, v), 0.5f * i, s);
    @NEAR@
    // An infinity is one.
    r = __builtin_copysignf(v == __builtin_inff() ? v : p * s, x);
  }
  return r;
}

//@ fn __unspool_erfcinvf
static float __unspool_erfcinvf(float x) {
  float v = -__builtin_unspool_lg2_approx(x * (2.0f - x));
  float y = 1.0f - x;
  float r = __unspool_erfinv_middlef(y, v);
  if (v > 8.0f) {
    float i = __builtin_unspool_rsqrt_approx_ftz(v);
    float s = v * i;
    s = __builtin_fmaf(__builtin_fmaf(-s, s, v), 0.5f * i, s);
    @FAR@
    r = __builtin_copysignf(v == __builtin_inff() ? v : p * s, y);
  }
  return r;
}

//@ fn __unspool_normcdfinvf
static float __unspool_normcdfinvf(float p) { return -@SQRT2@ * __unspool_erfcinvf(2.0f * p); }
""", SQRT2=const(mp.sqrt(2)), MIDDLE=relative("p", "v", lambda v: erfinv_ratio(v * LN2), mpf("1e-6"), 8, 9),
       NEAR=relative("p", "i", inverse_tail, 1 / mp.sqrt(mpf("23.2")), 1 / mp.sqrt(mpf(8)), 5),
       FAR=relative("p", "i", inverse_tail, 1 / mp.sqrt(mpf(149)), 1 / mp.sqrt(mpf(8)), 8))

single("pow", """
//@ fn __unspool_rcbrtf
static float __unspool_rcbrtf(float x) {
  float a = __builtin_fabsf(x);
  float r = __builtin_unspool_ex2_approx_ftz(__builtin_unspool_lg2_approx(a) * -0.333333343f);
  float e = __builtin_fmaf(-(a * r), r * r, 1.0f);
  float q = __builtin_fmaf(r * 0.333333343f, e, r);
  // Of nothing and of infinities the instructions give what is asked for.
  return __builtin_copysignf(e == e ? q : r, x);
}
""")


def cut(name, var, fn, lo, hi, n, bits):
    """`poly` of doubles with coefficients of half a width."""
    return lambda p: p.nested(name, var, halves(fn, lo, hi, n, bits))


def double(file, text, **extra):
    p = P(False)
    emit(file, p.expand(text, **{k: (v(p) if callable(v) else v) for k, v in extra.items()}))


# ---- exponentials of double -------------------------------------------------------------------------------------
def exp_rest(base):
    """(base^t - 1) / t."""
    l = mp.ln(base)
    return lambda t: l + l * l * t / 2 if abs(t) < mpf("1e-25") else mp.expm1(l * t) / t


double("exp", """
//@ fn __unspool_exponent_added inline
// p * 2^k where that is a normal number.
static double __unspool_exponent_added(double p, int k) {
  unsigned long b = __builtin_unspool_as_ulong(p);
  unsigned int h = (unsigned int)(b >> 32) + ((unsigned int)k << 20);
  return __builtin_unspool_as_double((unsigned long)h << 32 | (b & 0xfffffffful));
}

//@ fn __unspool_upper_word inline
// |x| by its upper word: that of a double, compared as a float, has the same order, and infinities are no numbers.
static float __unspool_upper_word(double x) { return __builtin_fabsf(__builtin_unspool_as_float((unsigned int)(__builtin_unspool_as_ulong(x) >> 32))); }

//@ fn __unspool_exp_ends inline
// p * 2^k, the exponential of x: from the upper word `end` on nothing or infinite. Two factors, so that what is no normal number
// is rounded once; a branch for these costs more registers than the second factor instructions.
static double __unspool_exp_ends(double x, double p, int k, unsigned int end) {
  int h = k >> 1;
  double r = __unspool_exponent_added(p, h) * __unspool_exponent_added(1.0, k - h);
  double far = x < 0.0 ? 0.0 : x + __builtin_inf();
  return __unspool_upper_word(x) < __builtin_unspool_as_float(end) ? r : far;
}

//@ fn __unspool_exp
static double __unspool_exp(double x) {
  double m = __builtin_fma(x, @LOG2E@, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -@L1@, x);
  t = __builtin_fma(j, -@L2@, t);
  @EXP@
  p = __builtin_fma(p, t * t, t) + 1.0;
  return __unspool_exp_ends(x, p, (int)__builtin_unspool_as_ulong(m), 0x40876000u);
}

//@ fn __unspool_exp2
static double __unspool_exp2(double x) {
  double m = x + 6755399441055744.0;
  double t = x - (m - 6755399441055744.0);
  @EXP2@
  p = __builtin_fma(p, t, 1.0);
  return __unspool_exp_ends(x, p, (int)__builtin_unspool_as_ulong(m), 0x4090d000u);
}

//@ fn __unspool_exp10
static double __unspool_exp10(double x) {
  double m = __builtin_fma(x, @LOG210@, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -@T1@, x);
  t = __builtin_fma(j, -@T2@, t);
  @EXP10@
  p = __builtin_fma(p, t, 1.0);
  return __unspool_exp_ends(x, p, (int)__builtin_unspool_as_ulong(m), 0x40745000u);
}
""", LOG2E=const(1 / LN2), L1=hi(LN2, 16, 42), L2=lo(LN2, 16, 42), LOG210=const(mp.log(10, 2)), T1=hi(mp.log10(2), 16, 42), T2=lo(mp.log10(2), 16, 42),
       EXP=cut("p", "t", lambda t: mpf(1) / 2 + t / 6 if abs(t) < mpf("1e-25") else (mp.expm1(t) - t) / t**2, "-0.3466", "0.3466", 9, 56),
       EXP2=cut("p", "t", exp_rest(2), "-0.5", "0.5", 11, 56), EXP10=cut("p", "t", exp_rest(10), "-0.15052", "0.15052", 11, 56))

double("exp", """
//@ fn __unspool_exp_within inline
// e^(x + y) * 2^k for a small correction y, where that is a normal number.
static double __unspool_exp_within(double x, double y, int k) {
  double m = __builtin_fma(x, @LOG2E@, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -@L1@, x);
  t = __builtin_fma(j, -@L2@, t) + y;
  @EXP@
  p = __builtin_fma(p, t * t, t) + 1.0;
  return __unspool_exponent_added(p, (int)__builtin_unspool_as_ulong(m) + k);
}

//@ fn __unspool_cosh
static double __unspool_cosh(double x) {
  double s = __unspool_exp_within(__builtin_fabs(x), 0.0, -2);
  double r = __builtin_fma(2.0, s, 0.125 * __unspool_inverse(s));
  // From 710.5 on infinite.
  return __unspool_upper_word(x) < __builtin_unspool_as_float(0x40863400u) ? r : __builtin_fabs(x) * __builtin_inf();
}

//@ fn __unspool_tanh
static double __unspool_tanh(double x) {
  double a = __builtin_fabs(x);
  double r;
  if (a < 0.55) {
    double z = x * x;
    @TANH@
    r = __builtin_fma(p * z, x, x);
  } else {
    r = __builtin_fma(-2.0, __unspool_inverse(__unspool_exp_within(2.0 * a, 0.0, 0) + 1.0), 1.0);
    // From 22 on there is no difference.
    r = __unspool_upper_word(x) < __builtin_unspool_as_float(0x40360000u) ? r : 1.0;
    r = x == x ? r : x;
  }
  return __builtin_copysign(r, x);
}
""", LOG2E=const(1 / LN2), L1=hi(LN2, 16, 42), L2=lo(LN2, 16, 42),
       EXP=cut("p", "t", lambda t: mpf(1) / 2 + t / 6 if abs(t) < mpf("1e-25") else (mp.expm1(t) - t) / t**2, "-0.3466", "0.3466", 9, 56),
       TANH=cut("p", "z", series(lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(-1) / 3), 0, "0.3026", 12, 54))

double("exp", """
//@ fn __unspool_sinh
static double __unspool_sinh(double x) {
  double a = __builtin_fabs(x);
  double r;
  if (a < 1.0) {
    double z = x * x;
    @SINH@
    r = __builtin_fma(p * z, x, x);
  } else {
    double s = __unspool_exp_within(a, 0.0, -2);
    r = __builtin_fma(2.0, s, -0.125 * __unspool_inverse(s));
    r = __unspool_upper_word(x) < __builtin_unspool_as_float(0x40863400u) ? r : a * __builtin_inf();
  }
  return __builtin_copysign(r, x);
}

//@ fn __unspool_expm1
static double __unspool_expm1(double x) {
  double m = __builtin_fma(__builtin_fabs(x) < 0.5 ? 0.0 : x, @LOG2E@, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -@L1@, x);
  t = __builtin_fma(j, -@L2@, t);
  @EXPM1@
  p = __builtin_fma(p, t * t, t);
  // 2^j could overflow where the result does not: half of it. Where it vanishes the result is -1.
  int k = (int)__builtin_unspool_as_ulong(m);
  double s = __unspool_exponent_added(0.5, k < -99 ? -99 : k);
  double r = __builtin_fma(p, s, s - 0.5);
  r = j == 0.0 ? p : r + r;
  if (!(__unspool_upper_word(x) < __builtin_unspool_as_float(0x40862f00u))) { r = x < 0.0 ? -1.0 : x + __builtin_inf(); }
  return __builtin_copysign(r, x);
}
""", LOG2E=const(1 / LN2), L1=hi(LN2, 16, 42), L2=lo(LN2, 16, 42),
       SINH=poly("p", "z", series(lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(1) / 6), 0, 1, 2, 7),
       EXPM1=poly("p", "t", lambda t: mpf(1) / 2 if t == 0 else (mp.exp(t) - 1 - t) / t**2, -0.5, 0.50000001, 5, 11))


# ---- error functions --------------------------------------------------------------------------------------------
def weighted_cut(name, var, fn, weight, lo, hi, n, centre, goal):
    """A polynomial for an error that counts `weight(x)` at x, with as many coefficients of half a width as keep that below
    the goal; `var` is x - centre."""
    p, top = P(False), []
    _, terms = p.weighted_terms(fn, weight, lo, hi, n, centre)
    while len(terms) > 1:
        more = top + [half_width(terms[-1])]
        left = lambda x: fn(x) - mp.fsum(c * (x - centre) ** (n - i) for i, c in enumerate(more))
        worst, rest = p.weighted_terms(left, weight, lo, hi, n - len(more), centre)
        if worst > goal:
            break
        top, terms = more, rest
    return p.nested(name, var, terms + top[::-1])


def erfcx_rest(t):
    """(erfcx_shape(t) - 1) / (1 + t)."""
    return 4 - 4 / mp.sqrt(PI) if 1 + t < mpf("1e-40") else (erfcx_shape(mpf(4))(t) - 1) / (1 + t)


ERFC_LOG2 = remembered(lambda t: -mp.log(mp.erfc(t), 2))
GPU_CENTRE = min((1 + mpf(k) / 1024 for k in range(64)), key=lambda c: abs(ERFC_LOG2(c) - mpf(float(ERFC_LOG2(c)))))
double("erf", """
//@ fn __unspool_erf
// Near zero a polynomial, else 1 - 2^-p for a polynomial p, which may err the more the closer the result is to 1.
static double __unspool_erf(double x) {
  double a = __builtin_fabs(x);
  double z = x * x;
  @SMALL@
  double small = __builtin_fma(s, x, x);
  double t = (__unspool_upper_word(x) < __builtin_unspool_as_float(0x4017c000u) ? a : 5.9375) - @CENTRE@;
  @TAIL@
  // Between 0 and -54: no exponent leaves the range.
  double m = 6755399441055744.0 - p;
  double f = (6755399441055744.0 - m) - p;
  @EXP2@
  q = __builtin_fma(q, f, 1.0);
  q = __unspool_exponent_added(q, (int)__builtin_unspool_as_ulong(m));
  // What is no number is small.
  return a >= 1.0 ? __builtin_copysign(1.0 - q, x) : small;
}

//@ fn __unspool_erfc
static double __unspool_erfc(double x) {
  double a = __builtin_fabs(x);
  double h = a * a;
  double l = __builtin_fma(a, a, -h);
  // e^(a*a) erfc(a) (1 + 2a): exactly 1 at nothing.
  double s = __unspool_quotient(a + a, a + 4.0);
  double t = s - 1.0;
  @ERFCX@
  p = __builtin_fma(p, s, 1.0);
  double r = __unspool_quotient(p, __builtin_fma(2.0, a, 1.0));
  // Scaled, so that nothing underflows before the result does, which is nothing from 27.25 on.
  r = r * __unspool_exp_within(-h, -l, 200) * @DOWN@;
  r = __unspool_upper_word(x) < __builtin_unspool_as_float(0x403b4000u) ? r : 0.0;
  r = x < 0.0 ? 2.0 - r : r;
  return x == x ? r : x;
}
""", CENTRE=const(GPU_CENTRE), DOWN=const(mpf(2) ** -200),
       SMALL=poly("s", "z", series(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 2 / mp.sqrt(PI) - 1), 0, 1, 6, 13),
       TAIL=weighted_cut("p", "t", ERFC_LOG2, mp.erfc, 1, mpf("5.9376"), 18, GPU_CENTRE, mpf(2) ** -55),
       EXP2=cut("q", "f", exp_rest(2), "-0.5", "0.5", 11, 55),
       ERFCX=cut("p", "t", erfcx_rest, -1, (mpf("27.25") - 4) / (mpf("27.25") + 4), 23, 54))

single("erf", """
//@ fn __unspool_erfcf
static float __unspool_erfcf(float x) {
  float a = __builtin_fabsf(x);
  // From here on it is nothing; what is no number stays.
  float c = a > 10.2f ? 10.2f : a;
  float h = c * c;
  float l = __builtin_fmaf(c, c, -h);
  float s = (c + c) * __builtin_unspool_rcp_approx_ftz(c + 4.0f);
  float t = s - 1.0f;
  @ERFCX@
  p = __builtin_fmaf(p, s, 1.0f);
  float r = __unspool_quotientf(p, __builtin_fmaf(2.0f, c, 1.0f));
  // e^(-h - l) * 2^60: the whole part, with the exponent's bias, is left in the low bits of the sum.
  float m = __builtin_fmaf(h, -@LOG2E@, 12583099.0f);
  float f = __builtin_fmaf(h, -@LOG2E@, 12583099.0f - m);
  f = __builtin_fmaf(l, -@LOG2E@, __builtin_fmaf(h, -@LOG2EB@, f));
  r = r * (__builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23)) * @DOWN@;
  return x < 0.0f ? 2.0f - r : r;
}
""", LOG2E=const(1 / LN2), LOG2EB=part(1 / LN2, 1), DOWN=const(mpf(2) ** -60),
       ERFCX=stepped("p", "t", remembered(erfcx_rest), lambda t: 1 + t, -1, (mpf("10.2") - 4) / (mpf("10.2") + 4), 10))


# ---- powers of float --------------------------------------------------------------------------------------------
def log2_rest(s):
    """(log2((1 + u) / (1 - u)) - 2 u / ln 2) / u^3 for s = u * u."""
    u = mp.sqrt(s)
    return 2 / (3 * LN2) if s < mpf("1e-30") else (2 * mp.atanh(u) - 2 * u) / (LN2 * u**3)


single("pow", """
//@ fn __unspool_pow_coref
// x^(y + yl) for x >= 0, y not 0; what is no number stays.
static float __unspool_pow_coref(float x, float y, float yl) {
  float k;
  float f = __unspool_log_fractionf(x, 0.70710677f, &k);
  // log2(x) and what rounding leaves of it: log2(1 + f) = 2 atanh(u + ul) / ln 2, u = f / (2 + f).
  float i = __builtin_unspool_rcp_approx_ftz(2.0f + f);
  float u = f * i;
  float ul = __builtin_fmaf(-u, f, __builtin_fmaf(-2.0f, u, f)) * i;
  float s = u * u;
  @LOG2@
  p = p * s;
  float h = __builtin_fmaf(u, @A1@, k);
  float l = __builtin_fmaf(u, @A1@, k - h);
  l = __builtin_fmaf(u, @A2@, l);
  l = __builtin_fmaf(ul, __builtin_fmaf(3.0f, p, @A1@), l);
  l = __builtin_fmaf(u, p, l);
  float g = h + l;
  l = l - (g - h);
  // Of what is not positive and finite the instruction's.
  g = __builtin_unspool_as_uint(x) - 1u < 0x7f7fffffu ? g : __builtin_unspool_lg2_approx_ftz(x);
  float t = y * g;
  float e = __builtin_fmaf(yl, g, __builtin_fmaf(y, l, __builtin_fmaf(y, g, -t)));
  // The whole part, with the exponent's bias, is left in the low bits of the sum. Further out there is no other part.
  float m = __builtin_fminf(__builtin_fmaxf(t, -126.0f), 127.0f) + 12583039.0f;
  f = t - (m - 12583039.0f);
  f = __builtin_fabsf(t) < 200.0f ? f + e : f;
  return __builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
}

//@ fn __unspool_powf
static float __unspool_powf(float x, float y) {
  float a = __builtin_fabsf(x);
  float r = __unspool_pow_coref(a, y, 0.0f);
  // From 2^24 on every number is even.
  float odd = __builtin_fabsf(__builtin_fmaf(__builtin_truncf(y * 0.5f), -2.0f, y));
  r = (int)__builtin_unspool_as_uint(x) < 0 && odd == 1.0f ? -r : r;
  r = x < 0.0f && a < __builtin_inff() && __builtin_truncf(y) != y ? __builtin_nanf("") : r;
  int one = x == 1.0f || y == 0.0f || (x == -1.0f && __builtin_fabsf(y) == __builtin_inff());
  return one ? 1.0f : r;
}
""", A1=part(2 / LN2, 0), A2=part(2 / LN2, 1), LOG2=stepped("p", "s", log2_rest, lambda s: s, 0, mpf("0.02945"), 3))


# ---- the gamma function -----------------------------------------------------------------------------------------
def stirling2(z):
    """`stirling` for base 2."""
    return (stirling(z) if z > 0 else mpf(1) / 12) / LN2


single("gamma", """
//@ fn __unspool_tgammaf
static float __unspool_tgammaf(float x) {
  // Below -1/2 by the sine's product with the function of -x.
  int mirrored = x < -0.5f;
  float w = mirrored ? -x : x;
  float n = __builtin_rintf(w);
  float t = w - n;
  // What is asked for is top / (bottom + rest) * down.
  float top, bottom, rest = 0.0f, down = 1.0f;
  if (w < 4.5f) {
    @GAMMA@
    float g = __builtin_fmaf(p, t, 1.0f);
    float d = n < 1.5f ? w : 1.0f;
    bottom = n < 0.5f ? d * (w + 1.0f) : d;
    g = n > 2.5f ? g * (w - 1.0f) : g;
    top = n > 3.5f ? g * (w - 2.0f) : g;
    if (mirrored) {
      float b = bottom;
      bottom = top;
      top = b;
    }
  } else {
    // Stirling's, to base 2. Beyond 44 everything has overflown.
    float c = w > 44.0f ? 44.0f : w;
    unsigned int b = (__builtin_unspool_as_uint(c) - 0x3f3504f3u) & 0xff800000u;
    float k = (float)(int)b * 1.1920928955078125e-07f;
    float f = __builtin_unspool_as_float(__builtin_unspool_as_uint(c) - b) - 1.0f;
    float i = __builtin_unspool_rcp_approx_ftz(2.0f + f);
    float u = f * i;
    float ul = __builtin_fmaf(-u, f, __builtin_fmaf(-2.0f, u, f)) * i;
    float s = u * u;
    float q;
    {
    @LOG2@
    q = p * s;
    }
    float h = __builtin_fmaf(u, @A1@, k);
    float l = __builtin_fmaf(u, @A1@, k - h);
    l = __builtin_fmaf(u, @A2@, l);
    l = __builtin_fmaf(ul, __builtin_fmaf(3.0f, q, @A1@), l);
    l = __builtin_fmaf(u, q, l);
    float m = c - 0.5f;
    float v = m * h;
    float y = c * @LOG2E@;
    float e = v - y;
    float z = __builtin_unspool_rcp_approx_ftz(c);
    l = __builtin_fmaf(m, l, __builtin_fmaf(m, h, -v)) + ((v - e) - y);
    l = l - __builtin_fmaf(c, @LOG2EB@, __builtin_fmaf(c, @LOG2E@, -y));
    s = z * z;
    @STIRLING@
    l = __builtin_fmaf(p, z, l);
    // Inverted, and scaled so that nothing vanishes before the result does.
    e = mirrored ? -e : e;
    l = mirrored ? -l : l;
    down = mirrored ? @DOWN@ : down;
    float a = mirrored ? @ISQRT2PI@ : @SQRT2PI@;
    float bias = mirrored ? 12583079.0f : 12583039.0f;
    float j = __builtin_fminf(__builtin_fmaxf(e, -166.0f), 127.0f) + bias;
    l = (e - (j - bias)) + l;
    top = __builtin_unspool_ex2_approx_ftz(l) * a * __builtin_unspool_as_float(__builtin_unspool_as_uint(j) << 23);
    bottom = 1.0f;
  }
  if (mirrored) {
    float z = t * t;
    @SIN@
    float s = __builtin_fmaf(p * z, t, t);
    // Every other time positive; at whole numbers there is no value.
    s = (__builtin_unspool_as_uint(n + 12582912.0f) & 1u) != 0u ? s : -s;
    float v = s * w;
    float b = v * bottom;
    // What rounding left of the product.
    rest = __builtin_fmaf(v, bottom, -b) + __builtin_fmaf(s, w, -v) * bottom;
    bottom = v == 0.0f ? __builtin_nanf("") : b;
  }
  float i = __builtin_unspool_rcp_approx(bottom);
  float q = top * i;
  float r = __builtin_fmaf(__builtin_fmaf(-q, rest, __builtin_fmaf(-q, bottom, top)), i, q);
  r = __builtin_fabsf(q) < __builtin_inff() ? r : q;
  return r * down;
}
""", SQRT2PI=const(mp.sqrt(2 * PI)), LOG2E=const(1 / LN2), LOG2EB=part(1 / LN2, 1), A1=part(2 / LN2, 0), A2=part(2 / LN2, 1),
       DOWN=const(mpf(2) ** -40), ISQRT2PI=const(1 / mp.sqrt(2 * PI)), LOG2=stepped("p", "s", log2_rest, lambda s: s, 0, mpf("0.02945"), 3),
       GAMMA=stepped("p", "t", remembered(lambda t: (mp.gamma(t + 2) - 1) / t if t != 0 else 1 - mp.euler), lambda t: t, mpf(-0.5), 0.5, 10),
       STIRLING=stepped("p", "s", remembered(stirling2), lambda s: 1, mpf("1e-9"), mpf(1) / 20, 2),
       SIN=stepped("p", "z", remembered(lambda z: (mp.sin(PI * mp.sqrt(z)) / (PI * mp.sqrt(z)) - 1) / z if z > 0 else -PI**2 / 6), lambda z: z, 0, 0.25, 3))
