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


RATIO = """
//@ fn __unspool_erfinv_timesf@MACHINE@
// x * (erfinv(y) / y) from q = 1 - y*y.
static float __unspool_erfinv_timesf(float x, float q) {
  float w = @W@;
  if (w < 5.0f) {
    // Not in the middle: where the function is least, differences are small and exact.
    float t = w - 2.0f;
    @INV1@
  }
  float t = __builtin_sqrtf(w);
  if (w < 18.0f) {
    t = t - 3.25f;
    @INV2@
  }
  // Where only the complement gets.
  t = t - 7.25f;
  @INV3@
}

"""
for machine, w in (("", "__builtin_unspool_lg2_approx(q) * @NLN2@"), (" host", "-__unspool_logf(q)")):
    single("erf", RATIO, MACHINE=machine, W=w, NLN2=const(-LN2),
       INV1=times(lambda t: erfinv_ratio(t + mpf(2)), mpf(-2), 3),
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
//@ fn __unspool_erfinvf
static float __unspool_erfinvf(float x) {
  float r = __unspool_erfinv_timesf(x, __builtin_fmaf(-x, x, 1.0f));
  // A zero keeps its sign.
  r = x == 0.0f ? x : r;
  return __builtin_fabsf(x) == 1.0f ? x * __builtin_inff() : r;
}

//@ fn __unspool_erfcinvf
static float __unspool_erfcinvf(float x) {
  float r = __unspool_erfinv_timesf(1.0f - x, x * (2.0f - x));
  r = x == 0.0f ? __builtin_inff() : r;
  return x == 2.0f ? -__builtin_inff() : r;
}

//@ fn __unspool_normcdfinvf
static float __unspool_normcdfinvf(float p) { return -@SQRT2@ * __unspool_erfcinvf(2.0f * p); }

//@ fn __unspool_normcdff
static float __unspool_normcdff(float x) {
  float a = __builtin_fabsf(x);
  if (a < 0.7f) { return __builtin_fmaf(0.5f, __unspool_erf_smallf(x * @R@), 0.5f); }
  float c = __builtin_fminf(a, 14.5f);
  float h = c * c;
  float l = __builtin_fmaf(c, c, -h);
  // Scaled, so that nothing underflows before the result does.
  // 2 normcdf(-c) e^(c*c/2) (1 + 1.5c), over (1 + 1.5c); what rounding leaves of numerator and denominator goes into the quotient.
  float t = (c - 4.0f) / (c + 4.0f);
  @MILLS@
  float b = __builtin_fmaf(1.5f, c, 1.0f);
  float bl = __builtin_fmaf(1.5f, c, -b) + 1.0f;
  float i = 1.0f / b;
  float y = n * i;
  float e = __builtin_fmaf(-y, b, n);
  e += __builtin_fmaf(-y, bl, nl);
  y = __builtin_fmaf(e, i, y);
  float r = y * __unspool_exp_partsf(-0.5f * h, -0.5f * l, 60);
  r = r * @DOWN@;
  r = x > 0.0f ? 1.0f - r : r;
  return x == x ? r : x;
}
""", SQRT2=const(mp.sqrt(2)), R=const(mp.sqrt(mpf(1) / 2)), DOWN=lambda p: p.c(mpf(2) ** -61), MILLS=mills)

single("gamma", """
//@ fn __unspool_tgammaf
static float __unspool_tgammaf(float x) {
  float a = __builtin_fabsf(x);
  if (x != x || x == __builtin_inff()) { return x; }
  if (x == 0.0f) { return __builtin_copysignf(__builtin_inff(), x); }
  if (x < 0.0f && __builtin_truncf(x) == x) { return __builtin_nanf(""); }
  if (a < 10.0f) {
    // To the middle interval; the product and what its rounding left.
    float p = 1.0f, l = 0.0f, t = x;
    while (t > 2.5f) {
      t = t - 1.0f;
      float n = p * t;
      l = __builtin_fmaf(l, t, __builtin_fmaf(p, t, -n));
      p = n;
    }
    int down = 0;
    while (t < 1.5f) {
      float n = p * t;
      l = __builtin_fmaf(l, t, __builtin_fmaf(p, t, -n));
      p = n;
      t = t + 1.0f;
      down = 1;
    }
    t = t - 2.0f;
    float g;
    {
    @GAMMA@
    g = p;
    }
    if (down == 0) { return __builtin_fmaf(g, l, g * p); }
    float q = g / p;
    // Beyond the largest number there is nothing to correct.
    return __builtin_fabsf(q) < __builtin_inff() ? __builtin_fmaf(-q, l / p, q) : q;
  }
  if (a > 43.0f) { return x > 0.0f ? __builtin_inff() : (__unspool_sinpif(x) < 0.0f ? -0.0f : 0.0f); }
  float l;
  float h = __unspool_log_pairf(a, &l);
  float m = a - 0.5f;
  float t = m * h;
  float u = __builtin_fmaf(m, h, -t) + m * l;
  float s = t - a;
  u += (t - s) - a;
  float z = 1.0f / (a * a);
  @STIRLING@
  u += p / a;
  if (x > 0.0f) { return __unspool_exp_partsf(s, u, 0) * @SQRT2PI@; }
  // The product below, and what its rounding left.
  float f = __unspool_sinpif(a);
  float b = a * f;
  float q = @DOWN@ / b;
  q = __builtin_fmaf(-q, __builtin_fmaf(a, f, -b) / b, q);
  return __unspool_exp_partsf(-s, -u, 40) * q;
}

//@ fn __unspool_lgamma_posf
// log of the gamma function for a > 0.
static float __unspool_lgamma_posf(float a) {
  if (a < 8.0f) {
    float w = 1.0f, t = a;
    while (t > 2.5f) { t = t - 1.0f; w = w * t; }
    if (a < 0.5f || a > 2.5f) {
      w = __unspool_logf(a < 0.5f ? a : w);
      w = a < 0.5f ? -w : w;
    } else {
      w = 0.0f;
    }
    if (a < 1.5f) {
      t = a < 0.5f ? a : a - 1.0f;
      @LG1@
      return __builtin_fmaf(p, t, w);
    }
    t = t - 2.0f;
    @LG2@
    return __builtin_fmaf(p, t, w);
  }
  float z = 1.0f / (a * a);
  @STIRLING@
  return __builtin_fmaf(a - 0.5f, __unspool_logf(a), -a) + (@HLOG2PI@ + p / a);
}

//@ fn __unspool_lgamma_rf
static float __unspool_lgamma_rf(float x, int *sign) {
  float a = __builtin_fabsf(x);
  *sign = 1;
  if (x != x) { return x; }
  if (a == __builtin_inff()) { return a; }
  if (a == 0.0f) { *sign = __builtin_unspool_as_uint(x) >> 31 != 0u ? -1 : 1; return __builtin_inff(); }
  if (x > 0.0f) { return __unspool_lgamma_posf(x); }
  if (__builtin_truncf(x) == x) { *sign = 0; return __builtin_inff(); }
  float s = __unspool_sinpif(a);
  *sign = s > 0.0f ? -1 : 1;
  if (a < 1e-10f) { return -__unspool_logf(a); }
  return __unspool_logf(@PI@ / __builtin_fabsf(a * s)) - __unspool_lgamma_posf(a);
}

//@ fn __unspool_lgammaf
static float __unspool_lgammaf(float x) {
  int s;
  return __unspool_lgamma_rf(x, &s);
}
""", PI=const(PI), SQRT2PI=const(mp.sqrt(2 * PI)), HLOG2PI=const(mp.log(2 * PI) / 2), DOWN=lambda p: p.c(-PI / mp.sqrt(2 * PI) * mpf(2) ** -40),
       GAMMA=lambda p: fitted(p, "t", lambda t: mp.gamma(t + 2), mpf(-0.5), 0.5),
       LG1=lambda p: fitted(p, "t", limit_at(lambda t: mp.loggamma(1 + t) / t, 0, -mp.euler), mpf(-0.5), 0.5),
       LG2=lambda p: fitted(p, "t", limit_at(lambda t: mp.loggamma(2 + t) / t, 0, 1 - mp.euler), mpf(-0.5), 0.5),
       STIRLING=lambda p: fitted(p, "z", lambda z: stirling(z) if z > 0 else mpf(1) / 12, mpf("1e-9"), mpf(1) / 64, 2))
