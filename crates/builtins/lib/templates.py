# Templates of the builtin library, family by family; read by generate.py.

# ---- exponent and scaling ---------------------------------------------------------------------------------------
both("scale", """
//@ fn __unspool_pow2@s@ inline
// 2^k for k in the normal range.
static @T@ __unspool_pow2@s@(int k) { return @from@((@U@)(@I@)(k + @BIAS@) << @MB@); }

//@ fn __unspool_ldexp@s@
static @T@ __unspool_ldexp@s@(@T@ x, int k) {
  int limit = 3 * @BIAS@;
  k = k > limit ? limit : (k < -limit ? -limit : k);
  // Up to three exact steps; only the last one that leaves the normal range rounds.
  int step = @BIAS@ - 1;
  if (k > step) { x *= __unspool_pow2@s@(step); k -= step; if (k > step) { x *= __unspool_pow2@s@(step); k -= step; } }
  int down = @DOWN@;
  if (k < -step) { x *= __unspool_pow2@s@(-down); k += down; if (k < -step) { x *= __unspool_pow2@s@(-down); k += down; } }
  k = k > step ? step : (k < -step ? -step : k);
  return x * __unspool_pow2@s@(k);
}

//@ fn __unspool_scalbn@s@ inline
static @T@ __unspool_scalbn@s@(@T@ x, int k) { return __unspool_ldexp@s@(x, k); }

//@ fn __unspool_scalbln@s@ inline
// Exponents that do not fit 32 bits are as good as those at which everything has overflown.
static @T@ __unspool_scalbln@s@(@T@ x, long k) { return __unspool_ldexp@s@(x, k > 4096L ? 4096 : k < -4096L ? -4096 : (int)k); }

//@ fn __unspool_scale2@s@ inline
// x * 2^k for x near 1 and any k, in two steps.
static @T@ __unspool_scale2@s@(@T@ x, int k) {
  int h = k >> 1;
  return x * __unspool_pow2@s@(h) * __unspool_pow2@s@(k - h);
}

//@ fn __unspool_quotient@s@ inline
// n / d, correctly rounded or next to it, where d and the quotient are normal numbers, or n is zero.
static @T@ __unspool_quotient@s@(@T@ n, @T@ d) {
  @T@ i = __unspool_inverse@s@(d);
  @T@ q = n * i;
  return @fma@(@fma@(-q, d, n), i, q);
}

//@ fn __unspool_quotient@s@ inline host
static @T@ __unspool_quotient@s@(@T@ n, @T@ d) { return n / d; }

//@ fn __unspool_root@s@ inline
// The square root of a normal number or zero, correctly rounded or next to it.
static @T@ __unspool_root@s@(@T@ x) {
  @T@ rest;
  @T@ r = __unspool_root_parts@s@(x, &rest);
  return r + rest;
}

//@ fn __unspool_root@s@ inline host
static @T@ __unspool_root@s@(@T@ x) { return @sqrt@(x); }

//@ fn __unspool_frexp@s@
static @T@ __unspool_frexp@s@(@T@ x, int *e) {
  @T@ a = @fabs@(x);
  int bias = @BIAS@ - 1;
  if (a == 0.0@s@ || !(a < @inf@())) { *e = 0; return x + x; }
  if (a < @MINNORM@) { x *= @SUBSCALE@; bias += @SUBEXP@; }
  @U@ b = @bits@(x);
  *e = (int)((b >> @MB@) & @EMASK@@L@) - bias;
  return @from@((b & ~((@U@)@EMASK@ << @MB@)) | ((@U@)(@BIAS@ - 1) << @MB@));
}

//@ fn __unspool_ilogb@s@
static int __unspool_ilogb@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (a == 0.0@s@ || a != a) { return -2147483647 - 1; }
  if (a == @inf@()) { return 2147483647; }
  int bias = @BIAS@;
  if (a < @MINNORM@) { a *= @SUBSCALE@; bias += @SUBEXP@; }
  return (int)(@bits@(a) >> @MB@) - bias;
}

//@ fn __unspool_logb@s@
static @T@ __unspool_logb@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (a == 0.0@s@) { return -@inf@(); }
  if (!(a < @inf@())) { return a; }
  return (@T@)__unspool_ilogb@s@(a);
}

//@ fn __unspool_modf@s@ inline
static @T@ __unspool_modf@s@(@T@ x, @T@ *whole) {
  @T@ t = @trunc@(x);
  *whole = t;
  @T@ f = @fabs@(x) == @inf@() ? 0.0@s@ : x - t;
  return @copysign@(f, x);
}

//@ fn __unspool_fract@s@ inline
static @T@ __unspool_fract@s@(@T@ x, @T@ *whole) {
  @T@ t = @floor@(x);
  *whole = t;
  @T@ f = @fabs@(x) == @inf@() ? 0.0@s@ : @fmin@(x - t, @BELOW1@);
  return x != x ? x : @copysign@(f, x == 0.0@s@ ? x : f);
}

//@ fn __unspool_round@s@ inline
// Halfway cases away from zero.
static @T@ __unspool_round@s@(@T@ x) {
  // The sum with the number below 1/2 rounds up from halfway on, and where all numbers are whole it rounds back.
  return @trunc@(x + @copysign@(@BELOWHALF@, x));
}

//@ fn __unspool_nextafter@s@
static @T@ __unspool_nextafter@s@(@T@ x, @T@ y) {
  if (x != x || y != y) { return x + y; }
  if (x == y) { return y; }
  if (x == 0.0@s@) { return @copysign@(@from@(1@L@), y); }
  @U@ b = @bits@(x);
  return @from@((x < y) == (x > 0.0@s@) ? b + 1@L@ : b - 1@L@);
}
""", DOWN=lambda p: "100" if p.single else "968", BELOW1=lambda p: p.c(1 - mpf(2) ** (-24 if p.single else -53)),
     BELOWHALF=lambda p: p.c(mpf(1) / 2 - mpf(2) ** (-25 if p.single else -54)))

emit("scale", """
//@ fn __unspool_inversef inline
// 1 / d to within two units, where it is a normal number.
static float __unspool_inversef(float d) { return __builtin_unspool_rcp_approx_ftz(d); }

//@ fn __unspool_inverse inline
static double __unspool_inverse(double d) {
  double i = __builtin_unspool_rcp_approx_f64(d);
  double e = __builtin_fma(-d, i, 1.0);
  return __builtin_fma(i, __builtin_fma(e, e, e), i);
}

//@ fn __unspool_inversef inline host
static float __unspool_inversef(float d) { return 1.0f / d; }

//@ fn __unspool_inverse inline host
static double __unspool_inverse(double d) { return 1.0 / d; }

//@ fn __unspool_root_partsf inline
// The square root of a normal number or zero: a value close to it, and what is missing.
static float __unspool_root_partsf(float x, float *rest) {
  float y = __builtin_unspool_rsqrt_approx_ftz(x == 0.0f ? 1.0f : x);
  float r = x * y;
  *rest = __builtin_fmaf(-r, r, x) * (0.5f * y);
  return r;
}

//@ fn __unspool_root_partsf inline host
static float __unspool_root_partsf(float x, float *rest) {
  float r = __builtin_sqrtf(x);
  *rest = r > 0.0f ? __builtin_fmaf(-r, r, x) / (2.0f * r) : 0.0f;
  return r;
}

//@ fn __unspool_root_parts inline host
static double __unspool_root_parts(double x, double *rest) {
  double r = __builtin_sqrt(x);
  *rest = r > 0.0 ? __builtin_fma(-r, r, x) / (2.0 * r) : 0.0;
  return r;
}

//@ fn __unspool_root_parts inline
static double __unspool_root_parts(double x, double *rest) {
  double y = __builtin_unspool_rsqrt_approx_f64(x == 0.0 ? 1.0 : x);
  y = __builtin_fma(0.5 * y, __builtin_fma(-x * y, y, 1.0), y);
  double r = x * y;
  *rest = __builtin_fma(-r, r, x) * (0.5 * y);
  return r;
}
""")

# ---- small things -----------------------------------------------------------------------------------------------
both("simple", """
//@ fn __unspool_sign@s@ inline
static @T@ __unspool_sign@s@(@T@ x) { return x > 0.0@s@ ? 1.0@s@ : (x < 0.0@s@ ? -1.0@s@ : (x == 0.0@s@ ? x : 0.0@s@)); }

//@ fn __unspool_fdim@s@ inline
static @T@ __unspool_fdim@s@(@T@ x, @T@ y) { return x <= y ? 0.0@s@ : x - y; }

//@ fn __unspool_maxmag@s@ inline
static @T@ __unspool_maxmag@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  return a > b ? x : (b > a ? y : @fmax@(x, y));
}

//@ fn __unspool_minmag@s@ inline
static @T@ __unspool_minmag@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  return a < b ? x : (b < a ? y : @fmin@(x, y));
}

//@ fn __unspool_smoothstep@s@ inline
static @T@ __unspool_smoothstep@s@(@T@ lo, @T@ hi, @T@ x) {
  @T@ t = @fmin@(@fmax@((x - lo) / (hi - lo), 0.0@s@), 1.0@s@);
  return t * t * (3.0@s@ - 2.0@s@ * t);
}
""")
emit("simple", """
//@ fn __unspool_rsqrtf inline
static float __unspool_rsqrtf(float x) { return __builtin_unspool_rsqrt_approx(x); }

//@ fn __unspool_rsqrt_rnf
// Correctly rounded: the approximation, corrected by the exact residual in double.
static float __unspool_rsqrt_rnf(float x) {
  if (!(x > 0.0f) || x == __builtin_inff()) { return __builtin_unspool_rsqrt_approx(x); }
  double d = (double)x;
  double y = (double)__builtin_unspool_rsqrt_approx(x);
  y = __builtin_fma(y * 0.5, __builtin_fma(-d * y, y, 1.0), y);
  y = __builtin_fma(y * 0.5, __builtin_fma(-d * y, y, 1.0), y);
  return (float)y;
}

//@ fn __unspool_rsqrt_step inline
// Takes the 20 bits of the instruction, of a normal number, to full precision.
static double __unspool_rsqrt_step(double x, double g) {
  double e = __builtin_fma(-x * g, g, 1.0);
  return __builtin_fma(__builtin_fma(0.375, e, 0.5), e * g, g);
}

//@ fn __unspool_rsqrt
static double __unspool_rsqrt(double x) {
  double g = __builtin_unspool_rsqrt_approx_f64(x);
  unsigned int top = (unsigned int)(__builtin_unspool_as_ulong(x) >> 32);
  if (top - 0x00100000u < 0x7fe00000u) { return __unspool_rsqrt_step(x, g); }
  // What is left is subnormal, or has its value from the instruction.
  if (!(x > 0.0 && x < 2.2250738585072014e-308)) { return g; }
  double v = x * 18014398509481984.0;
  return __unspool_rsqrt_step(v, __builtin_unspool_rsqrt_approx_f64(v)) * 134217728.0;
}
""")

# ---- trigonometry -----------------------------------------------------------------------------------------------
def two_over_pi(words, width):
    x = mp.floor(mp.ldexp(2 / PI, words * width)) if False else None
    with mp.workdps(500):
        n = int(mp.floor(mp.ldexp(2 / mp.pi, words * width)))
    return ["0x%0*x" % (width // 4, (n >> (width * (words - 1 - i))) & ((1 << width) - 1)) for i in range(words)]

emit("trig", """
//@ data __unspool_two_over_pif
// A zero, then the bits of 2/pi.
static __constant const unsigned int __unspool_two_over_pif[7] = {0u, %s};

//@ data __unspool_two_over_pi
static __constant const unsigned long __unspool_two_over_pi[21] = {0ul, %s};
""" % (", ".join(w + "u" for w in two_over_pi(6, 32)), ", ".join(w + "ul" for w in two_over_pi(20, 64))))
emit("trig", """
//@ fn __unspool_trig_slowf
// Payne and Hanek: multiplies the mantissa with that window of 2/pi whose product matters modulo 4.
static float __unspool_trig_slowf(float x, int *quadrant) {
  unsigned int b = __builtin_unspool_as_uint(x);
  int e = (int)((b >> 23) & 255u) - 128;
  unsigned long m = (unsigned long)((b << 8) | 0x80000000u);
  int w = e >> 5, s = e & 31;
  unsigned long t0 = __unspool_two_over_pif[w], t1 = __unspool_two_over_pif[w + 1];
  unsigned long t2 = __unspool_two_over_pif[w + 2], t3 = __unspool_two_over_pif[w + 3];
  unsigned long u0 = (((t0 << 32) | t1) << s) >> 32;
  unsigned long u1 = (((t1 << 32) | t2) << s) >> 32;
  unsigned long u2 = (((t2 << 32) | t3) << s) >> 32;
  unsigned long h = ((m * u0) << 32) + m * u1 + ((m * u2) >> 32);
  int q = (int)(h >> 62);
  long f = (long)(h << 2);
  q += f < 0 ? 1 : 0;
  float r = (float)((double)f * %s);
  *quadrant = x < 0.0f ? -q : q;
  return x < 0.0f ? -r : r;
}

//@ fn __unspool_trig_slow
static double __unspool_trig_slow(double x, int *quadrant) {
  unsigned long b = __builtin_unspool_as_ulong(x);
  int e = (int)((b >> 52) & 2047ul) - 1024;
  unsigned long m = (b << 11) | 0x8000000000000000ul;
  int w = e >> 6, s = e & 63;
  unsigned long t0 = __unspool_two_over_pi[w], t1 = __unspool_two_over_pi[w + 1];
  unsigned long t2 = __unspool_two_over_pi[w + 2], t3 = __unspool_two_over_pi[w + 3];
  unsigned long u0 = s == 0 ? t0 : (t0 << s) | (t1 >> (64 - s));
  unsigned long u1 = s == 0 ? t1 : (t1 << s) | (t2 >> (64 - s));
  unsigned long u2 = s == 0 ? t2 : (t2 << s) | (t3 >> (64 - s));
  unsigned long l = m * u1;
  unsigned long h = m * u0 + __builtin_unspool_mulhi_u64(m, u1);
  unsigned long c = __builtin_unspool_mulhi_u64(m, u2);
  l += c;
  h += l < c ? 1ul : 0ul;
  int q = (int)(h >> 62);
  h = (h << 2) | (l >> 62);
  l <<= 2;
  int negative = (long)h < 0;
  q += negative;
  if (negative) { h = ~h + (l == 0ul ? 1ul : 0ul); l = ~l + 1ul; }
  int z = h == 0ul ? 63 : __builtin_clzl(h);
  if (z > 0) { h = (h << z) | (l >> (64 - z)); l <<= z; }
  // h has its top bit set: 53 bits exactly, the other 11 beside them.
  double top = (double)(h & ~2047ul);
  double rest = (double)(h & 2047ul);
  double r = __builtin_fma(top, %s, __builtin_fma(top, %s, rest * %s));
  r *= __builtin_unspool_as_double((unsigned long)(1023 - 64 - z) << 52);
  *quadrant = x < 0.0 ? -q : q;
  return (x < 0.0) != (negative != 0) ? -r : r;
}
""" % (P(False).c(mp.ldexp(PI / 2, -64)), P(False).c(PI / 2), P(False).parts(PI / 2, 2)[1], P(False).c(PI / 2)))


def quadrant_terms(p):
    """Coefficients of (sin(r) / r - 1) / z and (cos(r) - 1) / z with z = r * r, the highest first."""
    sine = series(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(-1) / 6)
    cosine = series(lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, mpf(-1) / 2)
    ends = [mpf(0), (PI / 4) ** 2 * mpf("1.01")]
    return [[p.c(k) for k in mp.chebyfit(f, ends, 4 if p.single else 7)] for f in (sine, cosine)]


def chosen_quadrant(p):
    """Code that sets `p` to the one or the other polynomial: floats choose constants, doubles have all but the first in a table."""
    sine, cosine = quadrant_terms(p)
    lines = ["@T@ p = odd != 0 ? %s : %s;" % (cosine[0], sine[0])]
    for n in range(1, len(sine)):
        term = "odd != 0 ? %s : %s" % (cosine[n], sine[n]) if p.single else "__unspool_quadrants[6 * odd + %d]" % (n - 1)
        lines.append("p = @fma@(p, z, %s);" % term)
    return "\n  ".join(lines)


emit("trig", """
//@ data __unspool_quadrants
// Of the sine, then of the cosine, all but the first.
static __constant const double __unspool_quadrants[12] = {%s};
""" % ", ".join(t.strip("()") for terms in quadrant_terms(P(False)) for t in terms[1:]))
both("trig", """
//@ fn __unspool_trig_reduce@s@
// x minus the nearest multiple of pi/2, and which multiple (modulo 4).
static @T@ __unspool_trig_reduce@s@(@T@ x, int *quadrant) {
  @T@ a = @fabs@(x);
  if (!(a < @BIG@)) {
    if (!(a < @inf@())) { *quadrant = 0; return @nan@; }
    return __unspool_trig_slow@s@(x, quadrant);
  }
  // The whole part is left in the low bits of the sum.
  @T@ m = @fma@(x, @TWOPI@, @MAGIC@);
  @T@ k = m - @MAGIC@;
  *quadrant = (int)@bits@(m);
  @T@ r = @fma@(k, -@P1@, x);
  r = @fma@(k, -@P2@, r);
  return @fma@(k, -@P3@, r);
}

//@ fn __unspool_sin_poly@s@ inline
static @T@ __unspool_sin_poly@s@(@T@ r) {
  @T@ z = r * r;
  @SIN@
  return @fma@(p * z, r, r);
}

//@ fn __unspool_cos_poly@s@ inline
static @T@ __unspool_cos_poly@s@(@T@ r) {
  @T@ z = r * r;
  @COS@
  @T@ h = 0.5@s@ * z, w = 1.0@s@ - h;
  return w + @fma@(z * z, p, (1.0@s@ - w) - h);
}

//@ fn __unspool_quadrant_sin@s@ inline
// One polynomial for both, whose coefficients are chosen: neighbours need not take turns.
static @T@ __unspool_quadrant_sin@s@(@T@ r, int q) {
  int odd = q & 1;
  @T@ z = r * r;
  @CHOSEN@
  @T@ b = odd != 0 ? 1.0@s@ : r;
  b = @from@(@bits@(b) ^ ((@U@)(unsigned int)(q & 2) << @SIGN2@));
  return @fma@(p * z, b, b);
}

//@ fn __unspool_sin@s@
static @T@ __unspool_sin@s@(@T@ x) {
  int q;
  @T@ r = __unspool_trig_reduce@s@(x, &q);
  return x == 0.0@s@ ? x : __unspool_quadrant_sin@s@(r, q);
}

//@ fn __unspool_cos@s@
static @T@ __unspool_cos@s@(@T@ x) {
  int q;
  @T@ r = __unspool_trig_reduce@s@(x, &q);
  return __unspool_quadrant_sin@s@(r, q + 1);
}

//@ fn __unspool_sincos@s@
static @T@ __unspool_sincos@s@(@T@ x, @T@ *cosine) {
  int q;
  @T@ r = __unspool_trig_reduce@s@(x, &q);
  @T@ s = __unspool_sin_poly@s@(r), c = __unspool_cos_poly@s@(r);
  @T@ u = (q & 1) != 0 ? c : s, v = (q & 1) != 0 ? s : c;
  *cosine = ((q + 1) & 2) != 0 ? -v : v;
  return x == 0.0@s@ ? x : (q & 2) != 0 ? -u : u;
}

//@ fn __unspool_tan@s@
static @T@ __unspool_tan@s@(@T@ x) {
  int q;
  @T@ r = __unspool_trig_reduce@s@(x, &q);
  @T@ s = __unspool_sin_poly@s@(r), c = __unspool_cos_poly@s@(r);
  @T@ t = __unspool_quotient@s@((q & 1) != 0 ? -c : s, (q & 1) != 0 ? s : c);
  return x == 0.0@s@ ? x : t;
}

//@ fn __unspool_pi_reduce@s@ inline
// pi times the distance of x from the nearest multiple of 1/2, and which multiple.
static @T@ __unspool_pi_reduce@s@(@T@ x, int *quadrant) {
  @T@ n = @trunc@(x * 0.5@s@);
  @T@ f = @fabs@(x) < @EVEN@ ? @fma@(n, -2.0@s@, x) : 0.0@s@;
  @T@ m = @fma@(f, 2.0@s@, @MAGIC@);
  @T@ k = m - @MAGIC@;
  *quadrant = (int)@bits@(m);
  @T@ r = @fma@(k, -0.5@s@, f);
  r = @fma@(r, @PI1@, r * @PI2@);
  return @fabs@(x) < @inf@() ? r : @nan@;
}

//@ fn __unspool_half_turns@s@ inline
// The same of what is finite; the multiple only if it is a number of its type.
static @T@ __unspool_half_turns@s@(@T@ x, int *quadrant) {
  @T@ k = @rint@(x + x);
  *quadrant = (int)(@I@)k;
  @T@ r = @fma@(k, -0.5@s@, x);
  return @fma@(r, @PI1@, r * @PI2@);
}

//@ fn __unspool_sinpi@s@
static @T@ __unspool_sinpi@s@(@T@ x) {
  int q;
  @T@ r = __unspool_half_turns@s@(x, &q);
  @T@ v = __unspool_quadrant_sin@s@(r, q);
  return @trunc@(x) == x ? x * 0.0@s@ : v;
}

//@ fn __unspool_cospi@s@
static @T@ __unspool_cospi@s@(@T@ x) {
  int q;
  @T@ r = __unspool_half_turns@s@(@fabs@(x) < @EVEN@ ? x : x * 0.0@s@, &q);
  return __unspool_quadrant_sin@s@(r, q + 1) + 0.0@s@;
}

//@ fn __unspool_tanpi@s@
static @T@ __unspool_tanpi@s@(@T@ x) {
  int q;
  @T@ r = __unspool_pi_reduce@s@(x, &q);
  @T@ s = __unspool_sin_poly@s@(r), c = __unspool_cos_poly@s@(r);
  @T@ t = (q & 1) != 0 ? -c / s : s / c;
  // Zeros and poles have the signs that OpenCL gives them: by the parity of the whole or half number.
  if (r == 0.0@s@) {
    @T@ z = (q & 2) != 0 ? -0.0@s@ : 0.0@s@;
    @T@ zero = (q & 1) == 0 ? @copysign@(1.0@s@, x) * ((q & 2) != 0 ? -0.0@s@ : 0.0@s@) : z;
    return (q & 1) != 0 ? ((q & 2) != 0 ? -@inf@() : @inf@()) : zero;
  }
  return t;
}
""",
     MAGIC=lambda p: p.c(mpf(3) * mpf(2) ** (22 if p.single else 51)), BIG=lambda p: p.c(105615) if p.single else p.c(2147483648), TWOPI=const(2 / PI),
     P1=part(PI / 2, 0), P2=part(PI / 2, 1), P3=part(PI / 2, 2), PI1=part(PI, 0), PI2=part(PI, 1),
     EVEN=lambda p: p.c(mpf(2) ** (24 if p.single else 53)),
     SIN=poly("p", "z", series(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(-1) / 6), 0, (PI / 4) ** 2 * 1.01, 3, 6),
     CHOSEN=chosen_quadrant, SIGN2=lambda p: "30" if p.single else "62",
     COS=poly("p", "z", lambda z: mpf(1) / 24 if z == 0 else (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, mpf(10)**-6, (PI / 4) ** 2 * 1.01, 2, 6))
both("trig", """
//@ fn __unspool_sincos_out@s@
static void __unspool_sincos_out@s@(@T@ x, @T@ *sine, @T@ *cosine) {
  @T@ c;
  *sine = __unspool_sincos@s@(x, &c);
  *cosine = c;
}

//@ fn __unspool_sincospi@s@
static void __unspool_sincospi@s@(@T@ x, @T@ *sine, @T@ *cosine) {
  *sine = __unspool_sinpi@s@(x);
  *cosine = __unspool_cospi@s@(x);
}
""")

# ---- inverse trigonometry ---------------------------------------------------------------------------------------
both("arc", """
//@ fn __unspool_asin_poly@s@ inline
// asin(x) / x - 1 for x * x = z, |x| <= 1/2.
static @T@ __unspool_asin_poly@s@(@T@ z) {
  @ASIN@
  return p * z;
}

//@ fn __unspool_atan_poly@s@ inline
// atan(x) / x - 1 for x * x = z <= 1.
static @T@ __unspool_atan_poly@s@(@T@ z) {
  @ATAN@
  return p * z;
}

//@ fn __unspool_atan@s@
static @T@ __unspool_atan@s@(@T@ x) {
  @T@ a = @fabs@(x);
  @T@ t = a > 1.0@s@ ? @INVA@ : a;
  @T@ r = @fma@(__unspool_atan_poly@s@(t * t), t, t);
  r = a > 1.0@s@ ? @H1@ - (r - @H2@) : r;
  return @copysign@(r, x);
}

//@ fn __unspool_octant@s@ inline
// The angle of (x, y), y >= 0, from the nearest axis, with the sign that takes it away from there.
static @T@ __unspool_octant@s@(@T@ b, @T@ x) {
  @T@ a = @fabs@(x);
  @T@ n = @fmin@(a, b), d = @fmax@(a, b);
  @T@ t = d == 0.0@s@ ? 0.0@s@ : (n == d ? 1.0@s@ : n / d);
  @T@ r = @fma@(__unspool_atan_poly@s@(t * t), t, t);
  return (b > a) != (@bits@(x) >> @SIGN@ != 0@L@) ? -r : r;
}

//@ fn __unspool_atan2@s@
static @T@ __unspool_atan2@s@(@T@ y, @T@ x) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  if (a != a || b != b) { return x + y; }
  int left = @bits@(x) >> @SIGN@ != 0@L@;
  @T@ axis = b > a ? @H1@ : left ? @PI1@ : 0.0@s@, rest = b > a ? @H2@ : left ? @PI2@ : 0.0@s@;
  return @copysign@(axis + (__unspool_octant@s@(b, x) + rest), y);
}

//@ fn __unspool_asinpi@s@
static @T@ __unspool_asinpi@s@(@T@ x) { return __unspool_asin@s@(x) * @INVPI@; }

//@ fn __unspool_acospi@s@
static @T@ __unspool_acospi@s@(@T@ x) { return __unspool_acos@s@(x) * @INVPI@; }

//@ fn __unspool_atanpi@s@
static @T@ __unspool_atanpi@s@(@T@ x) { return __unspool_atan@s@(x) * @INVPI@; }

//@ fn __unspool_atan2pi@s@
static @T@ __unspool_atan2pi@s@(@T@ y, @T@ x) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  if (a != a || b != b) { return x + y; }
  // Axes are exact here, so that angles on them and between them are.
  @T@ axis = b > a ? 0.5@s@ : @bits@(x) >> @SIGN@ != 0@L@ ? 1.0@s@ : 0.0@s@;
  return @copysign@(@fma@(__unspool_octant@s@(b, x), @INVPI@, axis), y);
}
""",
     ASIN=poly("p", "z", series(lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(1) / 6), 0, 0.25, 4, 12),
     ATAN=poly("p", "z", series(lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(-1) / 3), 0, 1, 8, 20),
     H1=part(PI / 2, 0), H2=part(PI / 2, 1), PI1=part(PI, 0), PI2=part(PI, 1), INVPI=const(1 / PI),
     INVA=lambda p: "__unspool_quotient%s(1.0%s, %s)" % (p.f, p.f, "__builtin_fmin%s(a, %s)" % (p.f, p.c(1e30 if p.single else 1e300))),
     SIGN=lambda p: "31" if p.single else "63")

# Those of float stand with what GPUs have for them alone.
emit("arc", P(False).expand("""
//@ fn __unspool_asin@s@
static @T@ __unspool_asin@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (a <= 0.5@s@) { return @fma@(__unspool_asin_poly@s@(x * x), x, x); }
  @T@ z = @fma@(a, -0.5@s@, 0.5@s@);
  // The root's rounding error, for the sum with pi/2.
  @T@ e;
  @T@ r = __unspool_root_parts@s@(z, &e);
  @T@ p = __unspool_asin_poly@s@(z);
  @T@ t = @fma@(p, r, @fma@(p, e, e));
  @T@ v = @H1@ - (2.0@s@ * r - (@H2@ - 2.0@s@ * t));
  return @copysign@(v, x);
}

//@ fn __unspool_acos@s@
static @T@ __unspool_acos@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (a <= 0.5@s@) { return @H1@ - (x - (@H2@ - __unspool_asin_poly@s@(x * x) * x)); }
  @T@ z = @fma@(a, -0.5@s@, 0.5@s@);
  @T@ e;
  @T@ r = __unspool_root_parts@s@(z, &e);
  @T@ p = __unspool_asin_poly@s@(z);
  @T@ t = @fma@(p, r, @fma@(p, e, e));
  return x > 0.0@s@ ? 2.0@s@ * (r + t) : @PI1@ - 2.0@s@ * (r + (t - 0.5@s@ * @PI2@));
}
""", H1=P(False).parts(PI / 2, 2)[0], H2=P(False).parts(PI / 2, 2)[1], PI1=P(False).parts(PI, 2)[0], PI2=P(False).parts(PI, 2)[1]))

# ---- exponentials -----------------------------------------------------------------------------------------------
EXPC = dict(LOG2E=const(1 / LN2), LOG2EB=part(1 / LN2, 1), LOG210B=part(mp.log(10, 2), 1), L1=hi(LN2, 16, 42), L2=lo(LN2, 16, 42),
            LOG210=const(mp.log(10, 2)), T1=hi(mp.log10(2), 16, 42), T2=lo(mp.log10(2), 16, 42), LN10=const(mp.ln(10)))
emit("exp", P(True).expand("""
//@ fn __unspool_exp_partsf inline
// e^(x + y) * 2^k for a small correction y.
static float __unspool_exp_partsf(float x, float y, int k) {
  // The whole part, with the exponent's bias, is left in the low bits of the sum.
  float bias = 12583039.0f + (float)k;
  float m = __builtin_fminf(__builtin_fmaxf(x * @LOG2E@, (float)(-126 - k)), (float)(127 - k)) + bias;
  float j = m - bias;
  float f = __builtin_fmaf(x, @LOG2E@, -j);
  f = __builtin_fmaf(y, @LOG2E@, __builtin_fmaf(x, @LOG2EB@, f));
  return __builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
}

//@ fn __unspool_expf
static float __unspool_expf(float x) {
  float m = __builtin_fminf(__builtin_fmaxf(x * @LOG2E@, -126.0f), 127.0f) + 12583039.0f;
  float j = m - 12583039.0f;
  float f = __builtin_fmaf(x, @LOG2E@, -j);
  f = __builtin_fmaf(x, @LOG2EB@, f);
  return __builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
}

//@ fn __unspool_exp2f inline
static float __unspool_exp2f(float x) { return __builtin_unspool_ex2_approx(x); }

//@ fn __unspool_exp10f
static float __unspool_exp10f(float x) {
  float m = __builtin_fminf(__builtin_fmaxf(x * @LOG210@, -126.0f), 127.0f) + 12583039.0f;
  float j = m - 12583039.0f;
  float f = __builtin_fmaf(x, @LOG210@, -j);
  f = __builtin_fmaf(x, @LOG210B@, f);
  return __builtin_unspool_ex2_approx_ftz(f) * __builtin_unspool_as_float(__builtin_unspool_as_uint(m) << 23);
}

//@ fn __unspool_fast_expf inline
static float __unspool_fast_expf(float x) { return __builtin_unspool_ex2_approx(x * @LOG2E@); }

//@ fn __unspool_fast_exp10f inline
static float __unspool_fast_exp10f(float x) { return __builtin_unspool_ex2_approx(x * @LOG210@); }

//@ fn __unspool_fast_logf inline
static float __unspool_fast_logf(float x) { return __builtin_unspool_lg2_approx(x) * @LN2@; }

//@ fn __unspool_fast_log10f inline
static float __unspool_fast_log10f(float x) { return __builtin_unspool_lg2_approx(x) * @LG2@; }

//@ fn __unspool_fast_powf inline
static float __unspool_fast_powf(float x, float y) { return __builtin_unspool_ex2_approx(y * __builtin_unspool_lg2_approx(x)); }

//@ fn __unspool_fast_signed_powf inline
// OpenCL C's pow under -cl-fast-relaxed-math, which takes negative numbers to whole powers. Zero to the power of zero is
// undefined there; it is 1, as everywhere else.
static float __unspool_fast_signed_powf(float x, float y) {
  float r = y == 0.0f ? 1.0f : __unspool_fast_powf(__builtin_fabsf(x), y);
  float h = y * 0.5f;
  return x < 0.0f && __builtin_floorf(h) != h ? -r : r;
}

//@ fn __unspool_fast_tanf inline
static float __unspool_fast_tanf(float x) { return __builtin_unspool_div_approx(__builtin_unspool_sin_approx(x), __builtin_unspool_cos_approx(x)); }

//@ fn __unspool_half_tanf inline
static float __unspool_half_tanf(float x) { return __unspool_tanf(x); }

//@ fn __unspool_half_powrf inline
static float __unspool_half_powrf(float x, float y) { return __unspool_powrf(x, y); }

//@ fn __unspool_fast_sincosf inline
static void __unspool_fast_sincosf(float x, float *sine, float *cosine) {
  *sine = __builtin_unspool_sin_approx(x);
  *cosine = __builtin_unspool_cos_approx(x);
}

//@ fn __unspool_turn inline
// An angle in turns without whole ones, in radians. What has none keeps the sign of a zero.
static float __unspool_turn(float x) {
  float whole = __builtin_rintf(x);
  return 6.28318548f * (whole == 0.0f ? x : x - whole);
}

//@ fn __unspool_fast_sin2pif inline
static float __unspool_fast_sin2pif(float x) { return __builtin_unspool_sin_approx(__unspool_turn(x)); }

//@ fn __unspool_fast_cos2pif inline
static float __unspool_fast_cos2pif(float x) { return __builtin_unspool_cos_approx(__unspool_turn(x)); }

//@ fn __unspool_fast_sincos2pif inline
static void __unspool_fast_sincos2pif(float x, float *sine, float *cosine) {
  float angle = __unspool_turn(x);
  *sine = __builtin_unspool_sin_approx(angle);
  *cosine = __builtin_unspool_cos_approx(angle);
}
""", LN2=P(True).c(LN2), LG2=P(True).c(mp.log10(2)), **{k: v(P(True)) for k, v in EXPC.items()}))
emit("exp", P(False).expand("""
//@ fn __unspool_exp_parts inline
// e^(x + y) * 2^k for a small correction y.
static double __unspool_exp_parts(double x, double y, int k) {
  // The whole part is left in the low bits of the sum.
  double m = __builtin_fma(x, @LOG2E@, 6755399441055744.0);
  double j = m - 6755399441055744.0;
  double t = __builtin_fma(j, -@L1@, x);
  t = __builtin_fma(j, -@L2@, t) + y;
  @EXP@
  p = __builtin_fma(p, t * t, t) + 1.0;
  return __unspool_scale2(p, (int)__builtin_unspool_as_ulong(m) + k);
}

""", EXP=poly("p", "t", lambda t: mpf(1) / 2 if t == 0 else (mp.exp(t) - 1 - t) / t**2, -0.36, 0.36000001, 4, 9)(P(False)),
     LN2A=P(False).parts(LN2, 2)[0], LN2B=P(False).parts(LN2, 2)[1],
     LN10A=P(False).parts(mp.ln(10), 2)[0], LN10B=P(False).parts(mp.ln(10), 2)[1], **{k: v(P(False)) for k, v in EXPC.items()}))
both("exp", """
//@ fn __unspool_expm1@s@@HOSTD@
static @T@ __unspool_expm1@s@(@T@ x) {
  @T@ c = @fmin@(@fmax@(x, -@LOW@), @TOP@);
  @T@ j = @fabs@(c) < 0.5@s@ ? 0.0@s@ : @rint@(c * @LOG2E@);
  @T@ t = @fma@(j, -@L1@, c);
  t = @fma@(j, -@L2@, t);
  @EXPM1@
  p = @fma@(p, t * t, t);
  // 2^j could overflow where the result does not: half of it.
  @T@ s = __unspool_pow2@s@(@TOINT@(j) - 1);
  @T@ r = @fma@(p, s, s - 0.5@s@);
  r = j == 0.0@s@ ? p : r + r;
  return x == 0.0@s@ || x != x ? x : r;
}

//@ fn __unspool_sinh@s@ host
static @T@ __unspool_sinh@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (a < 1.0@s@) {
    @T@ z = x * x;
    @SINH@
    return @fma@(p * z, x, x);
  }
  @T@ s = __unspool_exp_parts@s@(@fmin@(a, @HIGH@), 0.0@s@, -2);
  @T@ r = @fma@(2.0@s@, s, __unspool_quotient@s@(-0.125@s@, @fmin@(s, @FLAT@)));
  return x != x ? x : @copysign@(r, x);
}

//@ fn __unspool_cosh@s@ host
static @T@ __unspool_cosh@s@(@T@ x) {
  @T@ s = __unspool_exp_parts@s@(@fmin@(@fabs@(x), @HIGH@), 0.0@s@, -2);
  @T@ r = @fma@(2.0@s@, s, __unspool_quotient@s@(0.125@s@, @fmin@(s, @FLAT@)));
  return x != x ? x : r;
}

//@ fn __unspool_tanh@s@ host
static @T@ __unspool_tanh@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (a < 0.55@s@) {
    @T@ z = x * x;
    @TANH@
    return @copysign@(@fma@(p * z, x, x), x);
  }
  @T@ e = __unspool_exp_parts@s@(2.0@s@ * @fmin@(a, 30.0@s@), 0.0@s@, 0);
  @T@ r = 1.0@s@ - __unspool_quotient@s@(2.0@s@, e + 1.0@s@);
  return x != x ? x : @copysign@(r, x);
}
""", HOSTD=lambda p: "" if p.single else " host", FLAT=const(1e30), LOW=lambda p: p.c(20) if p.single else p.c(40), HIGH=lambda p: p.c(100) if p.single else p.c(720),
     TOP=lambda p: p.c(89) if p.single else p.c(710),
     EXPM1=poly("p", "t", lambda t: mpf(1) / 2 if t == 0 else (mp.exp(t) - 1 - t) / t**2, -0.5, 0.50000001, 5, 11),
     SINH=poly("p", "z", series(lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(1) / 6), 0, 1, 2, 7),
     TANH=poly("p", "z", series(lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mpf(-1) / 3), 0, 0.3026, 4, 12), **EXPC)

# ---- logarithms -------------------------------------------------------------------------------------------------
LOGC = dict(E1=hi(LN2, 16, 42), E2=lo(LN2, 16, 42), G1=hi(mp.log10(2), 16, 42), G2=lo(mp.log10(2), 16, 42),
            LOG2EA=part(1 / LN2, 0), LOG2EB=part(1 / LN2, 1), LOG10EA=part(1 / mp.ln(10), 0), LOG10EB=part(1 / mp.ln(10), 1),
            C3A=part(mpf(2) / 3, 0), C3B=part(mpf(2) / 3, 1),
            OFF=lambda p: "0x3f3504f3" if p.single else "0x3fe6a09e667f3bcd",
            # (log(1+f) - 2q) / q as a function of s = q*q, q = f/(2+f)
            LOG1=lambda p: """double q = __unspool_quotient(f, 2.0 + f);
  double s = q * q;
  @LOG@
  // log(1+f) = f - q*(f - s*p), and f - q*f = 2q.
  return q * __builtin_fma(-s, p, f);""",
            RCP=lambda p: "__builtin_unspool_rcp_approx" + ("" if p.single else "_f64"),
            INVD=lambda p: "__builtin_unspool_rcp_approx_ftz(d)" if p.single else "__unspool_inverse(d)",
            LOG=poly("p", "s", series(lambda s: (2 * mp.atanh(mp.sqrt(s)) / mp.sqrt(s) - 2) / s, mpf(2) / 3), 0, 0.0297, 3, 7),
            TAIL=poly("p", "s", lambda s: mpf(2) / 5 if s == 0 else (2 * mp.atanh(mp.sqrt(s)) / mp.sqrt(s) - 2 - 2 * s / 3) / s**2, mpf(10)**-8, 0.0297, 2, 7))
both("log", """
//@ fn __unspool_log_special@s@ inline
static @T@ __unspool_log_special@s@(@T@ x) { return x == 0.0@s@ ? -@inf@() : (x < 0.0@s@ ? @nan@ : x); }

//@ fn __unspool_asinh@s@
static @T@ __unspool_asinh@s@(@T@ x) {
  @T@ a = @fabs@(x);
  // Beyond, 1 does not count beside a.
  int far = !(a < @HUGE@);
  @T@ z = a * a;
  @T@ r = __unspool_log1p@s@(far ? a : a + __unspool_quotient@s@(z, 1.0@s@ + __unspool_root@s@(z + 1.0@s@)));
  return @copysign@(far ? r + @LN2@ : r, x);
}

//@ fn __unspool_acosh@s@
static @T@ __unspool_acosh@s@(@T@ x) {
  int far = x > @HUGE@;
  @T@ t = x - 1.0@s@;
  @T@ r = __unspool_log1p@s@(far ? x : t + __unspool_root@s@(@fma@(t, t, 2.0@s@ * t)));
  r = far ? r + @LN2@ : r;
  // The root of a negative number is no number, but below -1 nothing negative is under it.
  return x < 1.0@s@ ? @nan@ : r;
}

//@ fn __unspool_atanh@s@
static @T@ __unspool_atanh@s@(@T@ x) {
  @T@ a = @fabs@(x);
  @T@ r = 0.5@s@ * __unspool_log1p@s@(a == 1.0@s@ ? @inf@() : __unspool_quotient@s@(2.0@s@ * a, 1.0@s@ - a));
  return a > 1.0@s@ ? @nan@ : @copysign@(r, x);
}
""", HUGE=lambda p: p.c(mpf(2) ** (26 if p.single else 56)), LN2=const(LN2), **LOGC)

# Those of float stand with what GPUs have for them alone.
emit("log", P(False).expand("""
//@ fn __unspool_log_split@s@ inline
// x > 0 and finite: f with x = (1 + f) * 2^e, 1 + f between sqrt(1/2) and sqrt(2).
static @T@ __unspool_log_split@s@(@T@ x, int *e) {
  int sub = 0;
  if (x < @MINNORM@) { x *= @SUBSCALE@; sub = @SUBEXP@; }
  @I@ b = (@I@)@bits@(x) - (@I@)@OFF@@L@;
  *e = (int)(b >> @MB@) - sub;
  return @from@((@U@)((b & (((@I@)1 << @MB@) - 1)) + (@I@)@OFF@@L@)) - 1.0@s@;
}

//@ fn __unspool_log1@s@ inline
// log(1 + f), split: f - the result is the smaller part.
static @T@ __unspool_log1@s@(@T@ f) {
  @LOG1@
}

//@ fn __unspool_log@s@
static @T@ __unspool_log@s@(@T@ x) {
  if (!(x > 0.0@s@ && x < @inf@())) { return __unspool_log_special@s@(x); }
  int e;
  @T@ f = __unspool_log_split@s@(x, &e);
  @T@ k = (@T@)e;
  @T@ l = __unspool_log1@s@(f);
  // Exact high part first; f and k * E1 lose at most one rounding.
  @T@ h = @fma@(k, @E1@, f);
  @T@ c = f - (h - k * @E1@);
  return h + (c + @fma@(k, @E2@, -l));
}

//@ fn __unspool_log2@s@
static @T@ __unspool_log2@s@(@T@ x) {
  if (!(x > 0.0@s@ && x < @inf@())) { return __unspool_log_special@s@(x); }
  int e;
  @T@ f = __unspool_log_split@s@(x, &e);
  @T@ l = __unspool_log1@s@(f);
  @T@ h = f - l, c = (f - h) - l;
  @T@ t = h * @LOG2EA@;
  @T@ u = @fma@(h, @LOG2EA@, -t) + @fma@(h, @LOG2EB@, c * @LOG2EA@);
  @T@ k = (@T@)e;
  @T@ r = k + t;
  return r + ((t - (r - k)) + u);
}

//@ fn __unspool_log10@s@
static @T@ __unspool_log10@s@(@T@ x) {
  if (!(x > 0.0@s@ && x < @inf@())) { return __unspool_log_special@s@(x); }
  int e;
  @T@ f = __unspool_log_split@s@(x, &e);
  @T@ l = __unspool_log1@s@(f);
  @T@ h = f - l, c = (f - h) - l;
  @T@ t = h * @LOG10EA@;
  @T@ u = @fma@(h, @LOG10EA@, -t) + @fma@(h, @LOG10EB@, c * @LOG10EA@);
  @T@ k = (@T@)e;
  @T@ g = k * @G1@;
  @T@ r = g + t;
  return r + ((t - (r - g)) + @fma@(k, @G2@, u));
}

//@ fn __unspool_log1p@s@
static @T@ __unspool_log1p@s@(@T@ x) {
  @T@ u = 1.0@s@ + x;
  if (!(u > 0.0@s@ && u < @inf@())) { return __unspool_log_special@s@(u); }
  int e;
  @T@ f = __unspool_log_split@s@(u, &e);
  // What 1 + x lost, relative to u.
  @T@ lost = @fabs@(x) < 1.0@s@ ? x - (u - 1.0@s@) : 1.0@s@ - (u - x);
  @T@ c = __unspool_quotient@s@(lost, u);
  if (e == 0) { f = x; c = 0.0@s@; }
  @T@ k = (@T@)e;
  @T@ l = __unspool_log1@s@(f);
  @T@ h = @fma@(k, @E1@, f);
  @T@ d = f - (h - k * @E1@);
  @T@ r = h + (d + (@fma@(k, @E2@, -l) + c));
  return x == 0.0@s@ ? x : r;
}
""", **{k: v(P(False)) for k, v in LOGC.items()}))

# ---- powers -----------------------------------------------------------------------------------------------------
CBRT_SINGLE = """// Small values are scaled by 2^72: the products below stay normal numbers.
  int small = a < 0x1p-60f;
  float m = small ? a * 0x1p72f : a;
  float r = __builtin_unspool_ex2_approx_ftz(__builtin_unspool_lg2_approx_ftz(m) * 0.333333343f);
  float s = r * r;
  float d = __builtin_fmaf(s, r, -m) + __builtin_fmaf(r, r, -s) * r;
  r = __builtin_fmaf(-d, __builtin_unspool_rcp_approx_ftz(3.0f * s), r);
  r = small ? r * 0x1p-24f : r;
  return a > 0.0f && a < __builtin_inff() ? __builtin_copysignf(r, x) : x + x;"""
CBRT_DOUBLE = """@CUBE_PARTS@
  @T@ r = m * (y * y);
  s = r * r;
  d = @fma@(s, r, -m) + @fma@(r, r, -s) * r;
  r = @fma@(-d, y * y * @THIRD@, r);
  r = r * __unspool_pow2@s@(k);
  return a > 0.0 && a < @inf@() ? @copysign@(r, x) : x + x;"""
RCBRT_DOUBLE = """@CUBE_PARTS@
  @T@ r = y * __unspool_pow2@s@(-k);
  return a > 0.0 && a < @inf@() ? @copysign@(r, x) : a == 0.0 ? @copysign@(@inf@(), x) : a != a ? x : @copysign@(0.0, x);"""

CUBE_PARTS = """// a = m * 8^k, y is one over the cube root of m.
  int small = a < @MINNORM@;
  @T@ v = small ? a * 18014398509481984.0 : a;
  unsigned long b = __builtin_unspool_as_ulong(v);
  int k = __builtin_unspool_float2int_rn((float)((int)(b >> 52) - 1023) * 0.333333343f);
  @T@ m = __builtin_unspool_as_double(b - ((unsigned long)(long)(3 * k) << 52));
  k = small ? k - 18 : k;
  @T@ y = (@T@)__builtin_unspool_ex2_approx_ftz(__builtin_unspool_lg2_approx_ftz((float)m) * -0.333333343f);
  // The series of (1 - e)^(-1/3).
  @T@ s = y * y, c = s * y;
  @T@ d = @fma@(y, y, -s) * y + @fma@(s, y, -c);
  @T@ e = @fma@(-m, d, @fma@(-m, c, 1.0));
  y = @fma@(y * e, @fma@(e, @TWO9@, @THIRD@), y);"""

both("pow", """
//@ fn __unspool_powr@s@
static @T@ __unspool_powr@s@(@T@ x, @T@ y) {
  if (x < 0.0@s@ || x != x || y != y) { return @nan@; }
  if (x == 0.0@s@ && y == 0.0@s@) { return @nan@; }
  if (x == @inf@() && y == 0.0@s@) { return @nan@; }
  if (x == 1.0@s@ && @fabs@(y) == @inf@()) { return @nan@; }
  return __unspool_pow@s@(@fabs@(x), y);
}

//@ fn __unspool_pown@s@
static @T@ __unspool_pown@s@(@T@ x, int n) {
  @T@ a = @fabs@(x);
  if (n == 0) { return 1.0@s@; }
  if (x != x) { return x; }
  // An int need not fit a float: the rest goes beside.
  @T@ y = (@T@)n;
  @T@ yl = @PRECISE@;
  @T@ r = a == 0.0@s@ || a == @inf@() ? ((a == 0.0@s@) == (n < 0) ? @inf@() : 0.0@s@) : __unspool_pow_core@s@(a, y, yl);
  return (n & 1) != 0 ? @copysign@(r, x) : r;
}

//@ fn __unspool_rootn@s@
static @T@ __unspool_rootn@s@(@T@ x, int n) {
  @T@ a = @fabs@(x);
  if (n == 0 || x != x || (x < 0.0@s@ && (n & 1) == 0)) { return @nan@; }
  @T@ d = (@T@)n;
  @T@ y = 1.0@s@ / d;
  @T@ yl = @fma@(-y, d, 1.0@s@) / d;
  @T@ r = a == 0.0@s@ || a == @inf@() ? ((a == 0.0@s@) == (n < 0) ? @inf@() : 0.0@s@) : __unspool_pow_core@s@(a, y, yl);
  return (n & 1) != 0 ? @copysign@(r, x) : r;
}

//@ fn __unspool_cbrt@s@
static @T@ __unspool_cbrt@s@(@T@ x) {
  @T@ a = @fabs@(x);
  @CBRT@
}

//@ fn __unspool_rcbrt@s@ host
static @T@ __unspool_rcbrt@s@(@T@ x) { return 1.0@s@ / __unspool_cbrt@s@(x); }
""", HIGH=lambda p: p.c(110) if p.single else p.c(760), WHOLE=lambda p: p.c(2**23 if p.single else mpf(2)**52),
     CBRT=lambda p: CBRT_SINGLE if p.single else CBRT_DOUBLE, CUBE_PARTS=lambda p: CUBE_PARTS, TWO9=const(mpf(2) / 9), THIRD=const(mpf(1) / 3),
     SIGN=lambda p: "31" if p.single else "63", PRECISE=lambda p: "(float)(n - (int)__builtin_unspool_float2long_rz(y))" if p.single else "0.0",
     **LOGC)

# Those of float stand with what GPUs have for them alone.
emit("pow", P(False).expand("""
//@ fn __unspool_log_pair@s@
// The logarithm of x > 0, finite, with its own rounding error beside it.
static @T@ __unspool_log_pair@s@(@T@ x, @T@ *low) {
  int e;
  @T@ f = __unspool_log_split@s@(x, &e);
  @T@ k = (@T@)e;
  @T@ d = 2.0@s@ + f;
  @T@ i = @INVD@;
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

//@ fn __unspool_pow_core@s@
// x^(y + yl) for x > 0, finite.
static @T@ __unspool_pow_core@s@(@T@ x, @T@ y, @T@ yl) {
  @T@ l;
  @T@ h = __unspool_log_pair@s@(x, &l);
  @T@ t = y * h;
  @T@ u = @fma@(y, h, -t) + @fma@(y, l, yl * h);
  u = @fabs@(t) < @HIGH@ ? u : 0.0@s@;
  t = @fmin@(@fmax@(t, -@HIGH@), @HIGH@);
  return __unspool_exp_parts@s@(t, u, 0);
}

//@ fn __unspool_pow@s@
static @T@ __unspool_pow@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  if (x == 1.0@s@ || y == 0.0@s@) { return 1.0@s@; }
  if (x != x || y != y) { return x + y; }
  int whole = b >= @WHOLE@ || @trunc@(y) == y;
  int odd = whole && b < 2.0@s@ * @WHOLE@ && @trunc@(y * 0.5@s@) * 2.0@s@ != y;
  int negative = @bits@(x) >> @SIGN@ != 0@L@;
  @T@ r;
  if (b == @inf@()) {
    r = a == 1.0@s@ ? 1.0@s@ : ((a > 1.0@s@) == (y > 0.0@s@) ? @inf@() : 0.0@s@);
    return r;
  }
  if (a == 0.0@s@ || a == @inf@()) {
    r = (a == 0.0@s@) == (y < 0.0@s@) ? @inf@() : 0.0@s@;
  } else {
    if (negative && !whole) { return @nan@; }
    r = __unspool_pow_core@s@(a, y, 0.0@s@);
  }
  return negative && odd ? -r : r;
}

//@ fn __unspool_rcbrt
static double __unspool_rcbrt(double x) {
  double a = __builtin_fabs(x);
  @RCBRT@
}
""", HIGH=P(False).c(760), WHOLE=P(False).c(mpf(2)**52), SIGN="63", RCBRT=RCBRT_DOUBLE, CUBE_PARTS=CUBE_PARTS, TWO9=P(False).c(mpf(2) / 9), THIRD=P(False).c(mpf(1) / 3),
     **{k: v(P(False)) for k, v in LOGC.items()}))

# ---- remainders and lengths -------------------------------------------------------------------------------------
both("remainder", """
//@ fn __unspool_split@s@ inline
// The mantissa of a > 0, finite, from 1 to 2, and the exponent.
static @T@ __unspool_split@s@(@T@ a, int *e) {
  int sub = @BIAS@;
  if (a < @MINNORM@) { a *= @SUBSCALE@; sub += @SUBEXP@; }
  @U@ b = @bits@(a);
  *e = (int)(b >> @MB@) - sub;
  return @from@((b & (((@U@)1 << @MB@) - 1@L@)) | ((@U@)@BIAS@ << @MB@));
}

//@ fn __unspool_rem_core@s@
// a mod b for a, b > 0, finite; the low bits of the quotient.
static @T@ __unspool_rem_core@s@(@T@ a, @T@ b, unsigned int *quotient) {
  *quotient = 0u;
  if (a < b) { return a; }
  int ea, eb;
  @T@ r = __unspool_split@s@(a, &ea), d = __unspool_split@s@(b, &eb);
  @T@ i = __unspool_inverse@s@(d);
  i = @fma@(i, @fma@(-d, i, 1.0@s@), i);
  unsigned int q = 0u;
  // Long division, @STEP@ bits at a time. The nearest digit leaves between -d/2 and d/2, a little more where the reciprocal's
  // error counts: that is exact, since it has no bit below the last one of d.
  int n = ea - eb;
  do {
    int s = n < @STEP@ ? n : @STEP@;
    r = r * __unspool_pow2@s@(s);
    @T@ m = @fma@(r, i, @MAGIC@);
    r = @fma@(@MAGIC@ - m, d, r);
    q = (q << s) + (unsigned int)@bits@(m);
    n -= s;
  } while (n > 0);
  q = r < 0.0@s@ ? q - 1u : q;
  r = r < 0.0@s@ ? r + d : r;
  *quotient = q;
  return __unspool_scale2@s@(r, eb);
}

//@ fn __unspool_fmod@s@
static @T@ __unspool_fmod@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  if (!(a < @inf@()) || b == 0.0@s@ || b != b) { return @nan@; }
  unsigned int q;
  @T@ r = b == @inf@() ? a : __unspool_rem_core@s@(a, b, &q);
  return @copysign@(r, x);
}

//@ fn __unspool_remquo@s@
static @T@ __unspool_remquo@s@(@T@ x, @T@ y, int *quotient) {
  @T@ a = @fabs@(x), b = @fabs@(y);
  *quotient = 0;
  if (!(a < @inf@()) || b == 0.0@s@ || b != b) { return @nan@; }
  if (b == @inf@()) { return x; }
  unsigned int q;
  @T@ r = __unspool_rem_core@s@(a, b, &q);
  // To nearest, ties to an even quotient. 2r may overflow and b - r never does.
  @T@ rest = b - r;
  int up = r > rest || (r == rest && (q & 1u) != 0u);
  q = up ? q + 1u : q;
  r = up ? -rest : r;
  int low = (int)(q & 127u);
  int differ = (x < 0.0@s@) != (y < 0.0@s@);
  *quotient = differ ? -low : low;
  r = r == 0.0@s@ ? 0.0@s@ : r;
  return @bits@(x) >> @SIGN@ != 0@L@ ? -r : r;
}

//@ fn __unspool_remainder@s@
static @T@ __unspool_remainder@s@(@T@ x, @T@ y) {
  int q;
  return __unspool_remquo@s@(x, y, &q);
}

//@ fn __unspool_norm_core@s@
// The length as a value near 1 and the exponent to scale it by.
static @T@ __unspool_norm_core@s@(@T@ x, @T@ y, @T@ z, @T@ w, int *scale) {
  *scale = 0;
  x = @fabs@(x); y = @fabs@(y); z = @fabs@(z); w = @fabs@(w);
  @T@ big = @fmax@(@fmax@(x, y), @fmax@(z, w));
  if (x == @inf@() || y == @inf@() || z == @inf@() || w == @inf@()) { return @inf@(); }
  // A power of two that brings the largest near 1: squares neither overflow nor vanish.
  int e = big == 0.0@s@ || big != big ? 0 : __unspool_ilogb@s@(big);
  @T@ s = __unspool_pow2@s@(-e / 2), u = __unspool_pow2@s@(-e - (-e / 2));
  x = x * s * u; y = y * s * u; z = z * s * u; w = w * s * u;
  @T@ a = x * x, b = y * y, c = z * z, d = w * w;
  @T@ low = @fma@(x, x, -a) + @fma@(y, y, -b) + @fma@(z, z, -c) + @fma@(w, w, -d);
  @T@ h1 = @fmax@(a, b), l1 = @fmin@(a, b), h2 = @fmax@(c, d), l2 = @fmin@(c, d);
  @T@ p = h1 + l1, q = h2 + l2;
  low += (l1 - (p - h1)) + (l2 - (q - h2));
  @T@ h = @fmax@(p, q), l = @fmin@(p, q), t = h + l;
  low += l - (t - h);
  @T@ r = @sqrt@(t + low);
  *scale = e;
  return x != x || y != y || z != z || w != w ? @nan@ : r;
}

//@ fn __unspool_norm4d@s@
static @T@ __unspool_norm4d@s@(@T@ x, @T@ y, @T@ z, @T@ w) {
  int e;
  @T@ r = __unspool_norm_core@s@(x, y, z, w, &e);
  return __unspool_ldexp@s@(r, e);
}

//@ fn __unspool_rnorm4d@s@
static @T@ __unspool_rnorm4d@s@(@T@ x, @T@ y, @T@ z, @T@ w) {
  int e;
  @T@ r = 1.0@s@ / __unspool_norm_core@s@(x, y, z, w, &e);
  return __unspool_ldexp@s@(r, -e);
}

//@ fn __unspool_norm3d@s@
static @T@ __unspool_norm3d@s@(@T@ x, @T@ y, @T@ z) { return __unspool_norm4d@s@(x, y, z, 0.0@s@); }

//@ fn __unspool_rhypot@s@
static @T@ __unspool_rhypot@s@(@T@ x, @T@ y) { return __unspool_rnorm4d@s@(x, y, 0.0@s@, 0.0@s@); }

//@ fn __unspool_rnorm3d@s@
static @T@ __unspool_rnorm3d@s@(@T@ x, @T@ y, @T@ z) { return __unspool_rnorm4d@s@(x, y, z, 0.0@s@); }
""", STEP=lambda p: "20" if p.single else "30", MAGIC=lambda p: p.c(mpf(3) * mpf(2) ** (22 if p.single else 51)),
     TOP=lambda p: "0x7f800000u" if p.single else "0x7ff0000000000000ul",
     FIRST=lambda p: "0x00800000u" if p.single else "0x0010000000000000ul",
     LAST=lambda p: "0x7e800000u" if p.single else "0x7fd0000000000000ul",
     ONE2=lambda p: "0x7f000000u" if p.single else "0x7fe0000000000000ul",
     SIGN=lambda p: "31" if p.single else "63")

HYPOT = """//@ fn __unspool_hypot@s@
static @T@ __unspool_hypot@s@(@T@ x, @T@ y) {
  @T@ a = @fabs@(x), b = @fabs@(y), n = a + b;
  @T@ big = @fmax@(a, b), small = @fmin@(a, b);
  // The power of two of the larger, and one over it: both normal numbers, and squares neither overflow nor vanish.
  @U@ e = @bits@(big) & @TOP@;
  e = e < @FIRST@ ? @FIRST@ : e;
  e = e > @LAST@ ? @LAST@ : e;
  @T@ s = @from@(@ONE2@ - e);
  @T@ u = big * s, v = small * s;
  @T@ r = __unspool_root@s@(@fma@(u, u, v * v)) * @from@(e);
  return big == @inf@() ? big : n != n ? n : r;
}
"""
emit("remainder", P(True).expand(HYPOT, TOP="0x7f800000u", FIRST="0x00800000u", LAST="0x7e800000u", ONE2="0x7f000000u"))
emit("remainder", """
//@ fn __unspool_hypot
// Sizes are compared by the upper halves, which have the exponents.
static double __unspool_hypot(double x, double y) {
  unsigned int a = (unsigned int)(__builtin_unspool_as_ulong(x) >> 32) & 0x7fffffffu;
  unsigned int b = (unsigned int)(__builtin_unspool_as_ulong(y) >> 32) & 0x7fffffffu;
  double big = a > b ? x : y, small = a > b ? y : x;
  unsigned int top = a > b ? a : b;
  // The power of two of the larger, and one over it: both normal numbers, and squares neither overflow nor vanish.
  unsigned int e = top & 0x7ff00000u;
  e = e < 0x00100000u ? 0x00100000u : e;
  e = e > 0x7fd00000u ? 0x7fd00000u : e;
  double s = __builtin_unspool_as_double((unsigned long)(0x7fe00000u - e) << 32);
  double u = big * s, v = small * s;
  double r = __unspool_root(__builtin_fma(u, u, v * v)) * __builtin_unspool_as_double((unsigned long)e << 32);
  if (top >= 0x7ff00000u) {
    double inf = __builtin_inf();
    r = __builtin_fabs(x) == inf || __builtin_fabs(y) == inf ? inf : x + y;
  }
  return r;
}
""")

# ---- error functions --------------------------------------------------------------------------------------------
def erfcx_shape(centre):
    def g(q):
        a = centre * (1 + q) / (1 - q)
        return mp.exp(a * a) * mp.erfc(a) * (1 + 2 * a)
    return g

def erf_body(p):
    """The error function by one polynomial, of |x| for the logarithm of the complement over x from 1 on and of its square for the
    ratio below. What differs is chosen: a choice costs less than a polynomial more."""
    near = p.stepwise(erf_ratio, lambda z: 1 / (1 + erf_ratio(z)), mpf("1e-6"), 1, 6)
    weight = lambda a: a * mp.erfc(a) / mp.erf(a)
    far = p.stepwise(lambda a: -mp.log(mp.erfc(a), 2) / a - 1, weight, 1, mpf("3.95"), 6)
    # It grows without end beyond: what is far is 1.
    assert far[-1] > 0
    either = ["far ? %s : %s" % (p.c(f), p.c(n)) for f, n in zip(far, near)]
    steps = ["p = @fma@(p, t, %s);" % e for e in either[-2::-1]]
    return """int far = a >= 1.0@s@;
  @T@ t = far ? a : x * x;
  @T@ p = """ + "\n  ".join([either[-1] + ";"] + steps) + """
  @T@ s = far ? -a : x;
  p = @fma@(p, s, s);
  @T@ r = @copysign@(1.0@s@ - __builtin_unspool_ex2_approx_ftz(p), x);
  return far ? r : p;"""


def erf_ratio(z):
    return mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1


both("erf", """
//@ fn __unspool_erfcx_near@s@
// e^(a*a) * erfc(a) for a from 0 to @FAR@.
static @T@ __unspool_erfcx_near@s@(@T@ a) {
  @T@ d = a + @K@;
  @T@ n = a - @K@;
  @T@ q = __unspool_quotient@s@(n, d);
  @ERFCX@
  @T@ b = @fma@(2.0@s@, a, 1.0@s@);
  return __unspool_quotient@s@(p, b);
}

//@ fn __unspool_erfcx_core@s@
// e^(a*a) * erfc(a) for a >= 0.
static @T@ __unspool_erfcx_core@s@(@T@ a) {
  // Beyond, the first terms of the asymptotic series are exact enough.
  if (a > @FAR@) {
    // No reciprocal is too small for a normal number.
    @T@ i = __unspool_inverse@s@(a * @DOWN64@) * @DOWN64@;
    @T@ t = 0.5@s@ * i * i;
    @T@ w = @fma@(t, @fma@(t, @fma@(t, @fma@(t, 105.0@s@, -15.0@s@), 3.0@s@), -1.0@s@), 1.0@s@);
    return w * i * @ISQRTPI@;
  }
  return __unspool_erfcx_near@s@(a);
}

//@ fn __unspool_erfc@s@ host
static @T@ __unspool_erfc@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (x != x) { return x; }
  if (a < 0.5@s@) { return 1.0@s@ - __unspool_erf_small@s@(x); }
  @T@ c = @fmin@(a, @CUT@);
  @T@ h = c * c;
  @T@ l = @fma@(c, c, -h);
  @T@ r = __unspool_erfcx_near@s@(c) * __unspool_exp_parts@s@(-h, -l, @UP@);
  r = r * @DOWN@;
  r = a > @CUT@ ? 0.0@s@ : r;
  return x < 0.0@s@ ? 2.0@s@ - r : r;
}

//@ fn __unspool_erfcx@s@
static @T@ __unspool_erfcx@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (x != x) { return x; }
  @T@ r = a == @inf@() ? 0.0@s@ : __unspool_erfcx_core@s@(a);
  if (!(x < 0.0@s@)) { return r; }
  if (a > @CUT@) { return @inf@(); }
  @T@ h = a * a;
  @T@ l = @fma@(a, a, -h);
  return 2.0@s@ * __unspool_exp_parts@s@(h, l, 0) - r;
}

//@ fn __unspool_erf_small@s@
// The error function for |x| < 0.9.
static @T@ __unspool_erf_small@s@(@T@ x) {
  @T@ z = x * x;
  @ERF@
  return @fma@(p, x, x);
}
""",
     ERFCX=lambda p: p.horner("p", "q", erfcx_shape(4 if p.single else mpf(4)), -1, (mpf(12) - 4) / (mpf(12) + 4) if p.single else (mpf(50) - 4) / (mpf(50) + 4), 11 if p.single else 27),
     DOWN64=const(mpf(2) ** -64), K=const(4), FAR=lambda p: p.c(12) if p.single else p.c(50), ISQRTPI=const(1 / mp.sqrt(PI)),
     CUT=lambda p: p.c(10.2) if p.single else p.c(27.3), UP=lambda p: "60" if p.single else "200",
     DOWN=lambda p: p.c(mpf(2) ** (-60 if p.single else -200)),
     ERF=poly("p", "z", series(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 2 / mp.sqrt(PI) - 1), 0, 0.81, 6, 12))


# That of doubles stands with the host's.
emit("erf", P(True).expand("""
//@ fn __unspool_erff
static float __unspool_erff(float x) {
  float a = __builtin_fabsf(x);
  @BODY@
}
""", BODY=erf_body(P(True))))


def erfinv_ratio(w):
    """erfinv(x) / x for w = -log(1 - x*x)."""
    x = mp.sqrt(-mp.expm1(-w))
    if w == 0:
        return mp.sqrt(PI) / 2
    # erfc(y) = 1 - x, by Newton from the asymptotic guess
    c = -mp.expm1(mp.log1p(-mp.exp(-w)) / 2) if w > 1 else 1 - x
    y = mp.erfinv(x) if w < 5 else mp.sqrt(w)
    for _ in range(60):
        d = (mp.erfc(y) - c) / (2 / mp.sqrt(PI) * mp.exp(-y * y))
        y += d
        if abs(d) < mp.mpf(10) ** -45 * abs(y):
            break
    return y / x


S = P(True)
emit("erf", S.expand("""
//@ fn __unspool_erfinvf host
static float __unspool_erfinvf(float x) {
  float a = __builtin_fabsf(x);
  if (!(a < 1.0f)) { return a == 1.0f ? __builtin_copysignf(__builtin_inff(), x) : __builtin_nanf(""); }
  return x == 0.0f ? x : __unspool_erfinv_timesf(x, -__unspool_logf(__builtin_fmaf(-x, x, 1.0f)));
}

//@ fn __unspool_erfcinvf host
static float __unspool_erfcinvf(float x) { return (float)__unspool_erfcinv((double)x); }

//@ fn __unspool_erfinv
static double __unspool_erfinv(double x) {
  double r = __unspool_erfinv_times(x, -__unspool_log(__builtin_fma(-x, x, 1.0)));
  // A zero keeps its sign.
  r = x == 0.0 ? x : r;
  return __builtin_fabs(x) == 1.0 ? x * __builtin_inf() : r;
}

//@ fn __unspool_erfcinv
static double __unspool_erfcinv(double x) {
  double r = __unspool_erfcinv_times(1.0 - x, -__unspool_log(x * (2.0 - x)));
  r = x == 0.0 ? __builtin_inf() : r;
  return x == 2.0 ? -__builtin_inf() : r;
}

//@ fn __unspool_normcdf
static double __unspool_normcdf(double x) {
  double h = -x * @R1@;
  // The rounding of the argument matters where erfc falls steeply: correct by its derivative.
  double e = __builtin_fma(-x, @R1@, -h) - x * @R2@;
  double r = 0.5 * __unspool_erfc(h);
  return h > 0.0 && h < 27.0 ? __builtin_fma(-2.0 * h * r, e, r) : r;
}

//@ fn __unspool_normcdff host
static float __unspool_normcdff(float x) { return (float)__unspool_normcdf((double)x); }

//@ fn __unspool_normcdfinv
static double __unspool_normcdfinv(double p) { return -@SQRT2@ * __unspool_erfcinv(2.0 * p); }

//@ fn __unspool_normcdfinvf host
static float __unspool_normcdfinvf(float p) { return (float)__unspool_normcdfinv((double)p); }
""",
     HSQRTPI=P(False).c(mp.sqrt(PI) / 2), R1=P(False).parts(mp.sqrt(mpf(1) / 2), 2)[0],
     R2=P(False).parts(mp.sqrt(mpf(1) / 2), 2)[1], SQRT2=P(False).c(mp.sqrt(2))))

# ---- gamma ------------------------------------------------------------------------------------------------------
D = P(False)


def stirling(z):
    """log of the gamma function beyond Stirling's leading terms, as a function of z = 1/x^2, times x."""
    x = 1 / mp.sqrt(z)
    return x * (mp.loggamma(x) - ((x - mpf(1) / 2) * mp.log(x) - x + mp.log(2 * PI) / 2))


emit("gamma", D.expand("""
//@ fn __unspool_gamma_mid
// The gamma function on [1.5, 2.5].
static double __unspool_gamma_mid(double x) {
  double t = x - 2.0;
  @GAMMA@
  return p;
}

//@ fn __unspool_tgamma
static double __unspool_tgamma(double x) {
  double a = __builtin_fabs(x);
  if (x != x || x == __builtin_inf()) { return x; }
  if (x == 0.0) { return __builtin_copysign(__builtin_inf(), x); }
  if (x < 0.0 && __builtin_trunc(x) == x) { return __builtin_nan(""); }
  if (a < 16.0) {
    double p = 1.0, t = x;
    // Walks to the middle interval; products of few factors.
    while (t > 2.5) { t = t - 1.0; p = p * t; }
    double d = 1.0;
    while (t < 1.5) { d = d * t; t = t + 1.0; }
    return __unspool_gamma_mid(t) * p / d;
  }
  if (a > 186.0) { return x > 0.0 ? __builtin_inf() : (__unspool_sinpi(x) < 0.0 ? -0.0 : 0.0); }
  // Stirling, half of the exponent at a time: y * y does not overflow before the result does.
  double l;
  double h = __unspool_log_pair(a, &l);
  double m = a - 0.5;
  double t = m * h;
  double u = __builtin_fma(m, h, -t) + m * l;
  double s = t - a;
  u += (t - s) - a;
  double i = __unspool_inverse(a);
  double z = i * i;
  @STIRLING@
  u = __builtin_fma(p, i, u);
  double y = __unspool_exp_parts(0.5 * s, 0.5 * u, 0);
  if (x > 0.0) { return y * @SQRT2PI@ * y; }
  double w = -@PI@ / (a * __unspool_sinpi(a));
  return w / @SQRT2PI@ / y / y;
}

//@ fn __unspool_tgammaf host
static float __unspool_tgammaf(float x) { return (float)__unspool_tgamma((double)x); }

//@ fn __unspool_lgamma_pos
// log of the gamma function for a > 0, finite.
static double __unspool_lgamma_pos(double a) {
  double w = 1.0, t = a;
  if (a < 8.0) {
    while (t > 2.5) { t = t - 1.0; w = w * t; }
  }
  // One logarithm for all: that of 1 is zero.
  double l = __unspool_log(a < 0.5 || a >= 8.0 ? a : w);
  if (a < 1.5) {
    t = a < 0.5 ? a : a - 1.0;
    @LG1@
    return __builtin_fma(p, t, a < 0.5 ? -l : l);
  }
  if (a < 8.0) {
    t = t - 2.0;
    @LG2@
    return __builtin_fma(p, t, l);
  }
  double i = __unspool_inverse(a);
  double z = i * i;
  @STIRLING@
  return __builtin_fma(a - 0.5, l, -a) + __builtin_fma(p, i, @HLOG2PI@);
}

//@ fn __unspool_lgamma_r
static double __unspool_lgamma_r(double x, int *sign) {
  double a = __builtin_fabs(x);
  *sign = 1;
  if (x != x) { return x; }
  if (a == __builtin_inf()) { return a; }
  if (a == 0.0) { *sign = __builtin_unspool_as_ulong(x) >> 63 != 0ul ? -1 : 1; return __builtin_inf(); }
  double r = __unspool_lgamma_pos(a);
  if (x > 0.0) { return r; }
  if (__builtin_trunc(x) == x) { *sign = 0; return __builtin_inf(); }
  double s = __unspool_sinpi(a);
  *sign = s > 0.0 ? -1 : 1;
  // Where -x is its own sine, the sum is -log(-x) itself.
  return a < 1e-17 ? r : -__unspool_log(__builtin_fabs(a * s) * @INVPI@) - r;
}

//@ fn __unspool_lgamma
static double __unspool_lgamma(double x) {
  int s;
  return __unspool_lgamma_r(x, &s);
}

//@ fn __unspool_lgamma_rf host
static float __unspool_lgamma_rf(float x, int *sign) {
  int s;
  float r = (float)__unspool_lgamma_r((double)x, &s);
  *sign = s;
  return r;
}

//@ fn __unspool_lgammaf host
static float __unspool_lgammaf(float x) { return (float)__unspool_lgamma((double)x); }
""", GAMMA=D.horner("p", "t", lambda t: mp.gamma(2 + t), -0.5, 0.5, 19),
     STIRLING=D.horner("p", "z", lambda z: stirling(z) if z > 0 else mpf(1) / 12, mpf(10) ** -9, mpf(1) / 64, 7),
     INVPI=D.c(1 / PI), LG1=D.horner("p", "t", lambda t: -mp.euler if t == 0 else mp.loggamma(1 + t) / t, -0.5, 0.5000001, 27),
     LG2=D.horner("p", "t", lambda t: 1 - mp.euler if t == 0 else mp.loggamma(2 + t) / t, -0.5, 0.5000001, 18),
     PI=D.c(PI), SQRT2PI=D.c(mp.sqrt(2 * PI)), HLOG2PI=D.c(mp.log(2 * PI) / 2)))

# ---- half precision, on values widened to float -----------------------------------------------------------------
emit("half", """
//@ fn __unspool_nextafter_hf
// The neighbour on the grid of binary16; x and y are halves. Every step is exact in float.
static float __unspool_nextafter_hf(float x, float y) {
  if (x != x || y != y) { return x + y; }
  if (x == y) { return y; }
  float a = __builtin_fabsf(x);
  int away = (y > x) == (x >= 0.0f) || a == 0.0f;
  if (a == 0.0f) { return __builtin_copysignf(5.9604644775390625e-8f, y); }
  if (a == __builtin_inff()) { return __builtin_copysignf(65504.0f, x); }
  int e = (int)(__builtin_unspool_as_uint(a) >> 23) - 127;
  int power = (__builtin_unspool_as_uint(a) & 0x7fffffu) == 0u;
  // Below a power of two the grid is twice as fine.
  e = !away && power ? e - 1 : e;
  e = e < -14 ? -14 : e;
  float step = __builtin_unspool_as_float((unsigned int)(e + 117) << 23);
  float r = away ? a + step : a - step;
  return __builtin_copysignf(r > 65504.0f ? __builtin_inff() : r, x);
}

//@ fn __unspool_fract_hf inline
static float __unspool_fract_hf(float x, float *whole) {
  float t = __builtin_floorf(x);
  *whole = t;
  float f = __builtin_fabsf(x) == __builtin_inff() ? 0.0f : __builtin_fminf(x - t, 0.99951171875f);
  return x != x ? x : __builtin_copysignf(f, x == 0.0f ? x : f);
}
""")
for _n, _op in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    emit("half", """
//@ fn __unspool_h%sf inline
static float __unspool_h%sf(float x, float y) { return x %s y ? 1.0f : 0.0f; }
""" % (_n, _n, _op if _n != "ne" else "== x && y == y && x !="))
for _n, _is in (("equ", "!(x < y || x > y)"), ("neu", "x != y"), ("ltu", "!(x >= y)"), ("leu", "!(x > y)"), ("gtu", "!(x <= y)"), ("geu", "!(x < y)")):
    emit("half", """
//@ fn __unspool_h%sf inline
// Also where one is no number.
static float __unspool_h%sf(float x, float y) { return %s ? 1.0f : 0.0f; }
""" % (_n, _n, _is))
emit("half", """
//@ fn __unspool_hisnanf inline
static float __unspool_hisnanf(float x) { return x != x ? 1.0f : 0.0f; }
""")
for _n, _op in (("add", "+"), ("sub", "-"), ("mul", "*")):
    emit("half", """
//@ fn __unspool_h%s_satf inline
// Clamped to [0, 1]; a NaN gives 0. The rounding to float cannot disturb the one to half.
static float __unspool_h%s_satf(float x, float y) { return __builtin_fminf(__builtin_fmaxf(x %s y, 0.0f), 1.0f); }
""" % (_n, _n, _op))
