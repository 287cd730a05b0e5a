# Bessel functions. Read by generate.py.
#
# Up to 8 polynomials of pieces of the line, those with a zero of the function around it, so that errors stay relative there.
# Beyond, the asymptotic form: a cosine whose amplitude and phase are polynomials of 1/x^2. Its error is relative to the
# amplitude, not to the function near its zeros, as CUDA states it.

FAR = 8


def fitted(p, var, fn, a, b, least=3, relative=False):
    """Code that sets `p` to a polynomial with as many terms as its precision needs."""
    goal = mpf(2) ** (-28 if p.single else -56)
    size = (min if relative else max)(abs(fn(mpf(a) + (mpf(b) - a) * k / 16 + mpf("1e-6"))) for k in range(15))
    for n in range(least, 34):
        _, err = mp.chebyfit(fn, [mpf(a), mpf(b)], n + 1, error=True)
        if err < goal * size:
            return p.horner("p", var, fn, a, b, n)
    raise ValueError("no polynomial for %s, %s" % (a, b))


def at_plus(c, z):
    """Evaluated a little beside a place where the quotient is 0/0."""
    return c if abs(c - z) > mpf("1e-25") else c + mpf("1e-20")


def plain_piece(p, fn, a, b):
    c = mpf(p.round(mpf(a + b) / 2))
    return "@T@ t = a - %s;\n  %s\n  return p;" % (p.c(c), fitted(p, "t", lambda t: fn(t + c), a - c, b - c))


def zero_piece(p, fn, near, a, b):
    z = mp.findroot(fn, near)
    hi, lo = p.hi_lo(z)
    quotient = lambda t: fn(at_plus(t + z, z)) / at_plus(t, 0)
    return "@T@ t = (a - %s) - %s;\n  %s\n  return t * p;" % (hi, lo, fitted(p, "t", quotient, a - z, b - z))


def even_piece(p, fn, b, odd):
    """A function of x*x, or x times one, from 0 on."""
    if odd:
        body = lambda z: fn(mp.sqrt(z)) / mp.sqrt(z) if z > 0 else mpf(1) / 2
    else:
        body = lambda z: fn(mp.sqrt(abs(z)))
    return "@T@ t = a * a;\n  %s\n  return %s;" % (fitted(p, "t", body, 0, mpf(b) ** 2), "a * p" if odd else "p")


def pieces(p, list):
    """The pieces in order, each up to its end."""
    return "\n".join("  if (a < %s) {\n  %s\n  }" % (p.c(end), text) for end, text in list)


def amplitude(order, which):
    """P, or x Q, of Hankel's expansion, as functions of z = 1/x^2."""
    def value(z):
        if z <= mpf(10) ** -30:
            mu = 4 * order * order
            return mpf(1) if which == "P" else mpf(mu - 1) / 8
        x = 1 / mp.sqrt(z)
        chi = x - (2 * order + 1) * PI / 4
        r, j, y = mp.sqrt(PI * x / 2), mp.besselj(order, x), mp.bessely(order, x)
        if which == "P":
            return r * (j * mp.cos(chi) + y * mp.sin(chi))
        return x * r * (y * mp.cos(chi) - j * mp.sin(chi))
    return value


def hankel(order):
    return dict(P=lambda p: fitted(p, "z", amplitude(order, "P"), 0, mpf(1) / FAR ** 2).replace(" p ", " m ").replace("(p,", "(m,"),
                Q=lambda p: fitted(p, "z", amplitude(order, "Q"), 0, mpf(1) / FAR ** 2),
                ISQRTPI=const(1 / mp.sqrt(PI)), FAR=const(FAR))


j0 = lambda x: mp.besselj(0, x)
j1 = lambda x: mp.besselj(1, x)
y0 = lambda x: mp.bessely(0, x)
y1 = lambda x: mp.bessely(1, x)

# Where sine and cosine are added their sum is that of an angle 45 degrees off.
WAVE = """
//@ fn __unspool_bessel_wave@N@@s@
// J (second: Y) of order @N@ for a >= 8.
static @T@ __unspool_bessel_wave@N@@s@(@T@ a, int second) {
  @T@ c;
  @T@ s = __unspool_sincos@s@(a, &c);
  @T@ i = __unspool_inverse@s@(a);
  @T@ z = i * i;
  @P@
  @Q@
  p = p * i;
  @T@ r = @ISQRTPI@ * __unspool_rsqrt@s@(a);
  @T@ u = @U@;
  @T@ v = @V@;
  return r * (second != 0 ? @fma@(m, v, p * u) : @fma@(m, u, -(p * v)));
}
"""
both("bessel", WAVE, N=lambda p: "0", U=lambda p: "s + c", V=lambda p: "s - c", **hankel(0))
both("bessel", WAVE, N=lambda p: "1", U=lambda p: "s - c", V=lambda p: "-(s + c)", **hankel(1))

both("bessel", """
//@ fn __unspool_j0@s@
static @T@ __unspool_j0@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (a == @inf@()) { return 0.0@s@; }
  if (!(a < @FAR@)) { return __unspool_bessel_wave0@s@(a, 0); }
@PIECES@
  return 0.0@s@;
}
""", FAR=const(FAR), PIECES=lambda p: pieces(p, [
    (1.6, even_piece(p, j0, 1.6, False)), (3.2, zero_piece(p, j0, 2.4, 1.6, 3.2)), (4.7, plain_piece(p, j0, 3.2, 4.7)),
    (6.4, zero_piece(p, j0, 5.5, 4.7, 6.4)), (FAR, plain_piece(p, j0, 6.4, FAR))]))

both("bessel", """
//@ fn __unspool_bessel_j1@s@
// J of order 1 from 0 to 8.
static @T@ __unspool_bessel_j1@s@(@T@ a) {
@PIECES@
  return 0.0@s@;
}

//@ fn __unspool_j1@s@
static @T@ __unspool_j1@s@(@T@ x) {
  @T@ a = @fabs@(x);
  if (a == @inf@()) { return @copysign@(0.0@s@, x); }
  @T@ r = a < @FAR@ ? __unspool_bessel_j1@s@(a) : __unspool_bessel_wave1@s@(a, 0);
  return x < 0.0@s@ ? -r : (x == 0.0@s@ ? x : r);
}
""", FAR=const(FAR), PIECES=lambda p: pieces(p, [
    (1.6, even_piece(p, j1, 1.6, True)), (2.9, plain_piece(p, j1, 1.6, 2.9)), (4.7, zero_piece(p, j1, 3.8, 2.9, 4.7)), (6.2, plain_piece(p, j1, 4.7, 6.2)),
    (FAR, zero_piece(p, j1, 7.0, 6.2, FAR))]))

Y0_ZERO = mp.findroot(y0, 0.9)


def y0_rest(z):
    """Y0 without its logarithm, over x*x - zero*zero."""
    if z <= mpf(10) ** -30:
        return 2 / PI * (mp.euler - LN2 + mp.log(Y0_ZERO)) / -(Y0_ZERO ** 2)
    x = at_plus(mp.sqrt(z), Y0_ZERO)
    return (y0(x) - 2 / PI * j0(x) * mp.log(x / Y0_ZERO)) / (x * x - Y0_ZERO ** 2)


def y1_rest(z):
    """Y1 without its logarithm and its pole, over x."""
    if z <= mpf(10) ** -30:
        return (2 * mp.euler - 1) / (2 * PI) - LN2 / PI
    x = mp.sqrt(z)
    return (y1(x) + 2 / (PI * x) - 2 / PI * j1(x) * mp.log(x)) / x


both("bessel", """
//@ fn __unspool_y0@s@
static @T@ __unspool_y0@s@(@T@ x) {
  @T@ a = x;
  if (!(x > 0.0@s@)) { return x == 0.0@s@ ? -@inf@() : @nan@; }
  if (x == @inf@()) { return 0.0@s@; }
  if (!(a < @FAR@)) { return __unspool_bessel_wave0@s@(a, 1); }
  if (a < @NEAR@) {
    // The logarithm of the quotient by the first zero, and what vanishes there, too.
    @T@ t = (a - @HI@) - @LO@;
    @T@ l = a < 0.45@s@ ? __unspool_log@s@(a * @INV@) : __unspool_log1p@s@(t * @INV@);
    @T@ z = a * a;
    @REST@
    p = p * (a + @HI@);
    return @fma@(@TWOPI@ * __unspool_j0@s@(a), l, t * p);
  }
@PIECES@
  return 0.0@s@;
}

//@ fn __unspool_y1@s@
static @T@ __unspool_y1@s@(@T@ x) {
  @T@ a = x;
  if (!(x > 0.0@s@)) { return x == 0.0@s@ ? -@inf@() : @nan@; }
  if (x == @inf@()) { return 0.0@s@; }
  if (!(a < @FAR@)) { return __unspool_bessel_wave1@s@(a, 1); }
  if (a < @NEAR1@) {
    @T@ z = a * a;
    @REST1@
    p = p * a;
    p = @fma@(@TWOPI@ * __unspool_j1@s@(a), __unspool_log@s@(a), p);
    return p - @TWOPI@ / a;
  }
@PIECES1@
  return 0.0@s@;
}
""", FAR=const(FAR), NEAR=const(1.9), NEAR1=const(1.6), HI=hi(Y0_ZERO), LO=lo(Y0_ZERO), INV=const(1 / Y0_ZERO), TWOPI=const(2 / PI),
     REST=lambda p: fitted(p, "z", y0_rest, 0, mpf(1.9) ** 2), REST1=lambda p: fitted(p, "z", y1_rest, 0, mpf(1.6) ** 2),
     PIECES=lambda p: pieces(p, [
         (3.0, plain_piece(p, y0, 1.9, 3.0)), (4.9, zero_piece(p, y0, 3.96, 3.0, 4.9)), (6.2, plain_piece(p, y0, 4.9, 6.2)),
         (FAR, zero_piece(p, y0, 7.09, 6.2, FAR))]),
     PIECES1=lambda p: pieces(p, [
         (2.9, zero_piece(p, y1, 2.2, 1.6, 2.9)), (4.6, plain_piece(p, y1, 2.9, 4.6)), (6.3, zero_piece(p, y1, 5.43, 4.6, 6.3)),
         (FAR, plain_piece(p, y1, 6.3, FAR))]))

both("bessel", """
//@ fn __unspool_bessel_series@s@
// J of order n where a*a/4 is below half of n + 1: its power series.
static @T@ __unspool_bessel_series@s@(int n, @T@ a) {
  @T@ h = 0.5@s@ * a;
  @T@ r = 1.0@s@;
  // The small factors first: products do not overflow.
  for (int k = n; k > 0 && r != 0.0@s@; k--) { r = r * (h / (@T@)k); }
  @T@ q = h * h;
  @T@ term = 1.0@s@;
  @T@ sum = 1.0@s@;
  for (int k = 1; k < 40; k++) {
    term = -term * q / ((@T@)k * ((@T@)n + (@T@)k));
    sum = sum + term;
    if (@fabs@(term) < @EPS@) { return r * sum; }
  }
  return r * sum;
}

//@ fn __unspool_bessel_down@s@
// J of order n > a: the recurrence from orders down where all are small, scaled so that J0 + 2 J2 + 2 J4 + ... is 1.
static @T@ __unspool_bessel_down@s@(int n, @T@ a) {
  @T@ m = (@T@)n;
  int more = (int)@sqrt@(@STEPS@ * m);
  int top = n < 2000000000 - more ? (n + more) / 2 * 2 : 2000000000;
  @T@ w = 2.0@s@ / a;
  @T@ above = 0.0@s@;
  @T@ here = 1.0@s@;
  @T@ sum = 0.0@s@;
  @T@ found = 0.0@s@;
  for (int k = top; k > 0; k--) {
    @T@ below = @fma@((@T@)k * w, here, -above);
    above = here;
    here = below;
    if (@fabs@(here) > @BIG@) {
      here = here * @SMALL@;
      above = above * @SMALL@;
      sum = sum * @SMALL@;
      found = found * @SMALL@;
    }
    // `here` has order k - 1 now.
    if (k == n + 1) { found = here; }
    if ((k & 1) != 0 && k > 1) { sum = sum + here; }
  }
  return found / @fma@(2.0@s@, sum, here);
}

//@ fn __unspool_jn@s@
static @T@ __unspool_jn@s@(int n, @T@ x) {
  if (n < 0 || x != x) { return @nan@; }
  if (n == 0) { return __unspool_j0@s@(x); }
  if (n == 1) { return __unspool_j1@s@(x); }
  @T@ a = @fabs@(x);
  @T@ m = (@T@)n;
  if (a == @inf@()) { return 0.0@s@; }
  @T@ r;
  if (0.25@s@ * a * a < 0.5@s@ * (m + 1.0@s@)) {
    r = __unspool_bessel_series@s@(n, a);
  } else if (m < a) {
    @T@ before = __unspool_j0@s@(a);
    r = __unspool_j1@s@(a);
    @T@ w = 2.0@s@ / a;
    for (int k = 1; k < n; k++) {
      @T@ next = @fma@((@T@)k * w, r, -before);
      before = r;
      r = next;
    }
  } else {
    r = __unspool_bessel_down@s@(n, a);
  }
  return x < 0.0@s@ && (n & 1) != 0 ? -r : r;
}

//@ fn __unspool_yn@s@
static @T@ __unspool_yn@s@(int n, @T@ x) {
  if (n < 0) { return @nan@; }
  if (n == 0) { return __unspool_y0@s@(x); }
  @T@ r = __unspool_y1@s@(x);
  if (n == 1 || !(x > 0.0@s@) || x == @inf@()) { return r; }
  @T@ before = __unspool_y0@s@(x);
  @T@ w = 2.0@s@ / x;
  for (int k = 1; k < n && r > -@inf@(); k++) {
    @T@ next = @fma@((@T@)k * w, r, -before);
    before = r;
    r = next;
  }
  return r;
}
""", EPS=lambda p: p.c(mpf(2) ** (-26 if p.single else -55)), STEPS=lambda p: p.c(60 if p.single else 200),
     BIG=lambda p: p.c(mpf(2) ** (60 if p.single else 500)), SMALL=lambda p: p.c(mpf(2) ** (-60 if p.single else -500)))


def bessel_i(order):
    fn = lambda x: mp.besseli(order, x)
    def body(z):
        x = mp.sqrt(z)
        if x < mpf(10) ** -15:
            return mpf(1) if order == 0 else mpf(1) / 2
        return fn(x) / (x if order else 1)
    def far(w):
        """Times exp(8 - x) and the root of x."""
        if w <= mpf(10) ** -30:
            return mp.exp(8) / mp.sqrt(2 * PI)
        x = 1 / w
        return fn(x) * mp.exp(8 - x) * mp.sqrt(x)
    def middle(p):
        # From its lower end on all terms are positive.
        return "@T@ t = a * a - 16.0@s@;\n  %s" % fitted(p, "t", lambda t: body(t + 16), 0, 48, relative=True)
    return dict(N=lambda p: str(order), NEAR=lambda p: "@T@ t = a * a;\n  " + fitted(p, "t", body, 0, 16), MIDDLE=middle,
                FARA=lambda p: "@T@ t = 1.0@s@ / a - %s;\n  " % p.c(mpf("0.09375")) + fitted(p, "t", lambda w: far(w + mpf("0.09375")), -mpf(1) / 32, mpf(1) / 32),
                FARB=lambda p: "@T@ t = 1.0@s@ / a;\n  " + fitted(p, "t", far, 0, mpf(1) / 16),
                TIMES=lambda p: " * a" if order else "", SIGN=lambda p: "x < 0.0@s@ ? -r : (x == 0.0@s@ ? x : r)" if order else "r")


BESSEL_I = """
//@ fn __unspool_bessel_i@N@_far@s@
// exp(8 - a) sqrt(a) I@N@(a) from 8 on.
static @T@ __unspool_bessel_i@N@_far@s@(@T@ a) {
  if (a < 16.0@s@) {
  @FARA@
  return p;
  }
  @FARB@
  return p;
}

//@ fn __unspool_cyl_bessel_i@N@@s@
static @T@ __unspool_cyl_bessel_i@N@@s@(@T@ x) {
  @T@ a = @fabs@(x);
  @T@ r;
  if (a < 4.0@s@) {
  @NEAR@
  r = p@TIMES@;
  } else if (a < 8.0@s@) {
  @MIDDLE@
  r = p@TIMES@;
  } else if (a < @HUGE@) {
    r = __unspool_exp@s@(a - 8.0@s@) * (__unspool_bessel_i@N@_far@s@(a) / @sqrt@(a));
  } else {
    r = a == a ? @inf@() : a;
  }
  return @SIGN@;
}
"""
both("bessel", BESSEL_I, HUGE=lambda p: p.c(95 if p.single else 717), **bessel_i(0))
both("bessel", BESSEL_I, HUGE=lambda p: p.c(95 if p.single else 717), **bessel_i(1))

both("bessel", """
//@ fn __unspool_norm@s@
// The root of the sum of squares of n numbers, as large as the largest of them can be.
static @T@ __unspool_norm@s@(int n, const @T@ *v) {
  @T@ most = 0.0@s@;
  @T@ sum = 0.0@s@;
  int odd = 0;
  for (int k = 0; k < n; k++) {
    @T@ a = @fabs@(v[k]);
    odd = odd | (a != a ? 1 : 0);
    most = a > most ? a : most;
  }
  if (most == @inf@()) { return most; }
  if (odd != 0) { return @nan@; }
  if (most == 0.0@s@) { return most; }
  // By a power of two, so that nothing is lost.
  @U@ e = @bits@(most) >> @MB@;
  e = e > @MOST@ ? @MOST@ : e;
  @T@ scale = @from@((e < @TINY@ ? @HIGH@ : @DOUBLED@ - e) << @MB@);
  @T@ back = @from@((e < @TINY@ ? @LOW@ : e) << @MB@);
  @T@ rest = 0.0@s@;
  for (int k = 0; k < n; k++) {
    @T@ a = v[k] * scale;
    // The sum in two parts.
    @T@ square = @fma@(a, a, rest);
    @T@ total = sum + square;
    rest = (sum - total) + square;
    sum = total;
  }
  return @sqrt@(sum + rest) * back;
}

//@ fn __unspool_rnorm@s@
static @T@ __unspool_rnorm@s@(int n, const @T@ *v) {
  @T@ r = __unspool_norm@s@(n, v);
  return 1.0@s@ / r;
}
""", MOST=lambda p: "253u" if p.single else "2045ul", TINY=lambda p: "24u" if p.single else "53ul", HIGH=lambda p: "230u" if p.single else "1993ul",
     LOW=lambda p: "24u" if p.single else "53ul", DOUBLED=lambda p: "254u" if p.single else "2046ul")
