# Functions of float on GPUs, where doubles are slow. Read by generate.py. The host has those of templates.py, by way of double.


def single(file, text, **extra):
    p = P(True)
    emit(file, p.expand(text, **{k: (v(p) if callable(v) else v) for k, v in extra.items()}))


def limit_at(fn, c, value):
    """fn(t + c) with its limit where it is 0/0."""
    return lambda t: value if abs(t) < mpf("1e-25") else fn(t)


def in_parts(p, fn, a, b):
    """A polynomial of t in two parts, as coefficients of float: all but the largest one, which stands alone."""
    goal = mpf(2) ** -29 * max(abs(fn(mpf(a) + (mpf(b) - a) * k / 16 + mpf("1e-6"))) for k in range(15))
    for n in range(3, 34):
        coeffs, err = mp.chebyfit(fn, [mpf(a), mpf(b)], n + 1, error=True)
        if err < goal:
            break
    high = mpf(f32(coeffs[-1]))
    lines = ["float p = %s;" % p.c(coeffs[0])]
    for k in coeffs[1:-1] + [coeffs[-1] - high]:
        lines.append("p = __builtin_fmaf(p, t, %s);" % p.c(k))
    return "\n    ".join(lines), p.c(high)


def times(fn, a, b):
    """Code that returns x times the polynomial: rounding the largest coefficient and the sum with it costs nothing."""
    def text(p):
        lines, high = in_parts(p, fn, a, b)
        return lines + "\n    return __builtin_fmaf(x, %s, x * p);" % high
    return text


def times_double(fn, a, b, least):
    """`times` of doubles."""
    p, lo, hi = P(False), mpf(a), mpf(b)
    for n in range(least, 40):
        _, err = mp.chebyfit(fn, [lo, hi], n + 1, error=True)
        if err < mpf(2) ** -57 * abs(fn((lo + hi) / 2)):
            break
    coeffs = halves(fn, lo, hi, n, 58)[::-1]
    high = mpf(p.round(coeffs[-1]))
    lines = ["double p = %s;" % p.c(coeffs[0])]
    for k in coeffs[1:-1] + [coeffs[-1] - high]:
        lines.append("p = __builtin_fma(p, t, %s);" % p.c(k))
    return "\n    ".join(lines) + "\n    return __builtin_fma(x, %s, x * p);" % p.c(high)


emit("erf", P(False).expand("""
//@ fn __unspool_erfinv_times inline
// x * (erfinv(y) / y) from w = -log(1 - y*y) below 36.75. Giles, "Approximating the erfinv function", 2011: polynomials of the
// logarithm.
static double __unspool_erfinv_times(double x, double w) {
  if (w < 6.25) {
    double t = w - 3.125;
    @INV1@
  }
  double t = __unspool_root(w) - 4.25;
  @INV2@
}

//@ fn __unspool_erfcinv_times
// The same for every w: only the complement gets as far.
static double __unspool_erfcinv_times(double x, double w) {
  if (w < 36.75) { return __unspool_erfinv_times(x, w); }
  double t = __unspool_root(w) - 16.5;
  @INV3@
}
""", INV1=times_double(lambda t: erfinv_ratio(t + mpf("3.125")), mpf("-3.125"), mpf("3.125"), 20),
     INV2=times_double(lambda t: erfinv_ratio((t + mpf("4.25")) ** 2), mpf("-1.75"), mpf("1.8125"), 15),
     INV3=times_double(lambda t: erfinv_ratio((t + mpf("16.5")) ** 2), mpf("-10.4377"), mpf("10.8"), 15)))

single("erf", """
//@ fn __unspool_erfinv_timesf
// x * (erfinv(y) / y) from w = -log(1 - y*y).
static float __unspool_erfinv_timesf(float x, float w) {
  if (w < 5.0f) {
    // Not in the middle: where the function is least, differences are small and exact.
    float t = w - 2.0f;
    @INV1@
  }
  float t = __unspool_rootf(w);
  if (w < 18.0f) {
    t = t - 3.25f;
    @INV2@
  }
  // Where only the complement gets.
  t = t - 7.25f;
  @INV3@
}
""", INV1=times(lambda t: erfinv_ratio(t + mpf(2)), mpf(-2), 3),
       INV2=times(lambda t: erfinv_ratio((t + mpf("3.25")) ** 2), mp.sqrt(5) - mpf("3.25"), mp.sqrt(18) - mpf("3.25")),
       INV3=times(lambda t: erfinv_ratio((t + mpf("7.25")) ** 2), mp.sqrt(18) - mpf("7.25"), mp.sqrt(105) - mpf("7.25")))


def mills(p):
    """Sets n and nl to the numerator and what its rounding left."""
    def fn(t):
        c = 4 * (1 + t) / (1 - t)
        return mp.erfc(c / mp.sqrt(2)) * mp.exp(c * c / 2) * (1 + mpf(3) / 2 * c)
    lines, high = in_parts(p, fn, mpf("-0.71"), mpf("0.57"))
    return lines.replace("\n    ", "\n  ") + "\n  float n = p + %s;\n  float nl = p - (n - %s);" % (high, high)


single("erf", """
//@ fn __unspool_normcdff
static float __unspool_normcdff(float x) {
  float a = __builtin_fabsf(x);
  if (a < 0.7f) { return __builtin_fmaf(0.5f, __unspool_erf_smallf(x * @R@), 0.5f); }
  float c = __builtin_fminf(a, 14.5f);
  float h = c * c;
  float l = __builtin_fmaf(c, c, -h);
  // Scaled, so that nothing underflows before the result does.
  // 2 normcdf(-c) e^(c*c/2) (1 + 1.5c), over (1 + 1.5c); what rounding leaves of numerator and denominator goes into the quotient.
  float t = __unspool_quotientf(c - 4.0f, c + 4.0f);
  @MILLS@
  float b = __builtin_fmaf(1.5f, c, 1.0f);
  float bl = __builtin_fmaf(1.5f, c, -b) + 1.0f;
  float i = __unspool_inversef(b);
  float y = n * i;
  float e = __builtin_fmaf(-y, b, n);
  e += __builtin_fmaf(-y, bl, nl);
  y = __builtin_fmaf(e, i, y);
  float r = y * __unspool_exp_partsf(-0.5f * h, -0.5f * l, 60);
  r = r * @DOWN@;
  r = x > 0.0f ? 1.0f - r : r;
  return x == x ? r : x;
}
""", R=const(mp.sqrt(mpf(1) / 2)), DOWN=lambda p: p.c(mpf(2) ** -61), MILLS=mills)

single("gamma", """
//@ fn __unspool_lgamma_posf
// log of the gamma function for a > 0, finite.
static float __unspool_lgamma_posf(float a) {
  float w = 1.0f, t = a;
  if (a < 8.0f) {
    while (t > 2.5f) { t = t - 1.0f; w = w * t; }
  }
  // One logarithm for all: that of 1 is zero.
  float l = __unspool_logf(a < 0.5f || a >= 8.0f ? a : w);
  if (a < 1.5f) {
    t = a < 0.5f ? a : a - 1.0f;
    @LG1@
    return __builtin_fmaf(p, t, a < 0.5f ? -l : l);
  }
  if (a < 8.0f) {
    t = t - 2.0f;
    @LG2@
    return __builtin_fmaf(p, t, l);
  }
  float i = __unspool_inversef(a);
  float z = i * i;
  @STIRLING@
  return __builtin_fmaf(a - 0.5f, l, -a) + __builtin_fmaf(p, i, @HLOG2PI@);
}

//@ fn __unspool_lgamma_rf
static float __unspool_lgamma_rf(float x, int *sign) {
  float a = __builtin_fabsf(x);
  *sign = 1;
  if (x != x) { return x; }
  if (a == __builtin_inff()) { return a; }
  if (a == 0.0f) { *sign = __builtin_unspool_as_uint(x) >> 31 != 0u ? -1 : 1; return __builtin_inff(); }
  float r = __unspool_lgamma_posf(a);
  if (x > 0.0f) { return r; }
  if (__builtin_truncf(x) == x) { *sign = 0; return __builtin_inff(); }
  float s = __unspool_sinpif(a);
  *sign = s > 0.0f ? -1 : 1;
  // Where -x is its own sine, the sum is -log(-x) itself.
  return a < 1e-10f ? r : -__unspool_logf(__builtin_fabsf(a * s) * @INVPI@) - r;
}

//@ fn __unspool_lgammaf
static float __unspool_lgammaf(float x) {
  int s;
  return __unspool_lgamma_rf(x, &s);
}
""", INVPI=const(1 / PI), HLOG2PI=const(mp.log(2 * PI) / 2),
       LG1=lambda p: fitted(p, "t", limit_at(lambda t: mp.loggamma(1 + t) / t, 0, -mp.euler), mpf(-0.5), 0.5),
       LG2=lambda p: fitted(p, "t", limit_at(lambda t: mp.loggamma(2 + t) / t, 0, 1 - mp.euler), mpf(-0.5), 0.5),
       STIRLING=lambda p: fitted(p, "z", lambda z: stirling(z) if z > 0 else mpf(1) / 12, mpf("1e-9"), mpf(1) / 64, 2))

single("exp", """
//@ fn __unspool_sinhf
static float __unspool_sinhf(float x) {
  float a = __builtin_fabsf(x);
  float z = x * x;
  @SINH@
  float s = __unspool_exp_partsf(a, 0.0f, -2);
  float r = __builtin_fmaf(2.0f, s, -0.125f * __builtin_unspool_rcp_approx_ftz(s));
  return a < 1.0f ? __builtin_fmaf(p * z, x, x) : __builtin_copysignf(r, x);
}

//@ fn __unspool_coshf
static float __unspool_coshf(float x) {
  float s = __unspool_exp_partsf(__builtin_fabsf(x), 0.0f, -2);
  return __builtin_fmaf(2.0f, s, 0.125f * __builtin_unspool_rcp_approx_ftz(s));
}

//@ fn __unspool_tanhf
static float __unspool_tanhf(float x) {
  float a = __builtin_fabsf(x);
  float z = x * x;
  @TANH@
  // An infinity gives 1.
  float e = __builtin_unspool_ex2_approx_ftz(a * @TWOLOG2E@);
  float r = __builtin_fmaf(-2.0f, __builtin_unspool_rcp_approx_ftz(e + 1.0f), 1.0f);
  return __builtin_copysignf(a < 0.75f ? __builtin_fmaf(p * z, x, x) : r, x);
}
""", TWOLOG2E=const(2 / LN2),
       SINH=poly("p", "z", series(lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(1) / 6), 0, 1, 2, 7),
       TANH=poly("p", "z", series(lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(-1) / 3), 0, 0.5625, 5, 12))

single("log", """
//@ fn __unspool_log1pf
static float __unspool_log1pf(float x) {
  float u = 1.0f + x;
  // 1 + x = (1 + f) * 2^e, f from -1/4 to 1/2; a fourth of 2^-e, as 2^-128 is no normal number.
  unsigned int b = (__builtin_unspool_as_uint(u) - 0x3f400000u) & 0xff800000u;
  float s = 0.25f * __builtin_unspool_as_float(0x40800000u - b);
  float f = __builtin_fmaf(x, s, s - 1.0f);
  @LOG@
  float r = __builtin_fmaf(p, f * f, f);
  r = __builtin_fmaf((float)(int)b, @LN2@, r);
  if (!(u > 0.0f && u < __builtin_inff())) { return __unspool_log_specialf(u); }
  // A zero keeps its sign.
  return x == 0.0f ? x : r;
}
""", LN2=const(mp.ldexp(LN2, -23)), LOG=poly("p", "f", lambda f: mpf(-1) / 2 if abs(f) < 1e-12 else (mp.log1p(f) - f) / f**2, -0.25, 0.5, 8, 8))
