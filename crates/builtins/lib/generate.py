#!/usr/bin/env python3
"""Writes the builtin library's sources (*.c beside this file) from templates and fitted polynomials.

Needs mpmath. Machine-dependent texts, `templates_host.py`, Bessel functions, `templates_bessel.py`, and SIMD within a word, `templates_lanes.py`,
stand in files of their own. The .c files are committed; run this after changing a template here, then the accuracy test of the crate.
A template is written once for both precisions: names in @...@ are replaced by what the precision needs.
"""
import functools
import os
import struct
import mpmath as mp

mp.mp.dps = 60
mpf = mp.mpf
HERE = os.path.dirname(os.path.abspath(__file__))


def f32(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def half_width(x):
    """x in so few bits that its lower word is zero: NVIDIA's GPUs have such doubles in the instruction, others take two more."""
    m, e = mp.frexp(x)
    return mp.ldexp(mp.nint(m * 2**21), e - 21)


@functools.cache
def cosine(k, count):
    """That of k halves of a turn's 2 * count-th part."""
    return mp.cos(mp.pi * k / (2 * count))


def projected(values, lo, hi, n):
    """Coefficients, the constant one first, of what is left of degree n of a function whose values at the nodes these are."""
    mid, half, count = (lo + hi) / 2, (hi - lo) / 2, len(values)
    out = [mpf(0)] * (n + 1)
    before, now = [mpf(0)], [mpf(1)]
    for k in range(n + 1):
        a = 2 * mp.fsum(v * cosine(k * (2 * i + 1) % (4 * count), count) for i, v in enumerate(values)) / count
        for i, c in enumerate(now):
            out[i] += c * a / (2 if k == 0 else 1)
        # The next polynomial of Chebyshev's, in x.
        times = [mpf(0)] * (k + 2)
        for i, c in enumerate(now):
            times[i + 1] += c / half
            times[i] -= c * mid / half
        after = [t * (1 if k == 0 else 2) for t in times]
        for i, c in enumerate(before if k else []):
            after[i] -= c
        before, now = now, after
    return out


def halves(fn, lo, hi, n, bits):
    """Coefficients for doubles, the constant one first. The highest are of half a width where the lower ones, fitted to what
    is left, make that good to 2^-bits of the least value."""
    lo, hi, count = mpf(lo), mpf(hi), 3 * n + 8
    nodes = [(lo + hi) / 2 + (hi - lo) / 2 * mp.cos(mp.pi * (i + mpf(1) / 2) / count) for i in range(count)]
    values = [fn(x) for x in nodes]
    least, top = min(abs(v) for v in values), []
    for k in range(n, 0, -1):
        c = projected(values, lo, hi, k)[k]
        short = half_width(c)
        if abs(c - short) * 2 * ((hi - lo) / 4) ** k > least * mpf(2) ** -bits:
            break
        top.append(short)
        values = [v - short * x**k for v, x in zip(values, nodes)]
    return projected(values, lo, hi, n - len(top)) + top[::-1]


class P:
    """A precision: how to write its constants and names."""

    def __init__(self, single):
        self.single = single
        self.f = "f" if single else ""
        self.ty = "float" if single else "double"

    def round(self, x):
        x = mp.mpf(x)
        if not self.single:
            return float(x)
        # to nearest, directly from the exact value
        m, e = mp.frexp(x)
        return f32(mp.ldexp(mp.nint(m * 2**24), e - 24))

    def c(self, x):
        x = self.round(x)
        s = "%.9g" % x if self.single else "%.17g" % x
        if "." not in s and "e" not in s:
            s += ".0"
        s += self.f
        return "(%s)" % s if s[0] == "-" else s

    def hi_lo(self, x, bits=None):
        """x in two parts; the first with few bits so that small multiples are exact."""
        x = mp.mpf(x)
        if bits is None:
            hi = mp.mpf(self.round(x))
        else:
            m, e = mp.frexp(x)
            hi = mp.ldexp(mp.floor(m * 2**bits), e - bits)
        return self.c(hi), self.c(x - hi)

    def parts(self, x, n):
        out, x = [], mp.mpf(x)
        for _ in range(n):
            p = mp.mpf(self.round(x))
            out.append(self.c(p))
            x -= p
        return out

    def horner(self, out, var, fn, lo, hi, n):
        """Code that sets `out` to a polynomial of degree n fitted to fn on [lo, hi]."""
        if HALVES and not self.single:
            return self.nested(out, var, halves(fn, lo, hi, n, 57))
        coeffs = mp.chebyfit(fn, [mp.mpf(lo), mp.mpf(hi)], n + 1)
        lines = ["%s %s = %s;" % (self.ty, out, self.c(coeffs[0]))]
        for k in coeffs[1:]:
            lines.append("%s = @fma@(%s, %s, %s);" % (out, out, var, self.c(k)))
        return "\n  ".join(lines)

    def estrin(self, out, var, fn, lo, hi, n):
        """The same in pairs, pairs of pairs and so on: a shorter chain of operations, a few more of them."""
        return self.pairs(out, var, [self.c(k) for k in reversed(mp.chebyfit(fn, [mp.mpf(lo), mp.mpf(hi)], n + 1))])

    def pairs(self, out, var, terms):
        """Code that sets `out` to the polynomial with these coefficients, the constant one first."""
        lines, power, degree = [], var, 1
        while len(terms) > 1:
            pairs = [terms[i : i + 2] for i in range(0, len(terms), 2)]
            terms = ["@fma@(%s, %s, %s)" % (t[1], power, t[0]) if len(t) == 2 else t[0] for t in pairs]
            if len(terms) > 1:
                degree *= 2
                lines.append("%s %s%d = %s * %s;" % (self.ty, var, degree, power, power))
                power = "%s%d" % (var, degree)
        lines.append("%s %s = %s;" % (self.ty, out, terms[0]))
        return "\n  ".join(lines)

    def squares(self, out, var, fn, lo, hi, n):
        """The same in pairs, of which powers of the square are then taken one after another: fewer operations than pairs of
        pairs, a longer chain."""
        return self.squared(out, var, list(reversed(mp.chebyfit(fn, [mp.mpf(lo), mp.mpf(hi)], n + 1))))

    def squared(self, out, var, coeffs):
        """Code for `squares` with these coefficients, the constant one first."""
        terms = [self.c(k) for k in coeffs]
        pairs = [terms[i : i + 2] for i in range(0, len(terms), 2)]
        pairs = ["@fma@(%s, %s, %s)" % (t[1], var, t[0]) if len(t) == 2 else t[0] for t in pairs]
        text = pairs.pop()
        while pairs:
            text = "@fma@(%s, %s2, %s)" % (text, var, pairs.pop())
        return "%s %s2 = %s * %s;\n  %s %s = %s;" % (self.ty, var, var, var, self.ty, out, text)

    def stepwise(self, fn, weight, lo, hi, n, first=None):
        """Coefficients for `horner` and `squared`, the constant one (or `first`) first, for an error that counts `weight(x)` at
        x. Each is rounded before those of higher powers are fitted, which make good what that has cost."""
        lo, hi = mp.mpf(lo), mp.mpf(hi)
        nodes = [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(mp.pi * (k + mp.mpf(1) / 2) / (8 * n)) for k in range(8 * n)]
        fixed = [] if first is None else [mp.mpf(self.round(first))]
        for m in range(len(fixed), n + 1):
            rest = mp.matrix([weight(x) * (fn(x) - mp.polyval(fixed[::-1] or [0], x)) for x in nodes])
            basis = mp.matrix([[weight(x) * x**j for j in range(m, n + 1)] for x in nodes])
            fixed.append(mp.mpf(self.round(mp.lu_solve(basis, rest)[0])))
        return fixed

    def nested(self, out, var, coeffs):
        """Code for `horner` with these coefficients, the constant one first."""
        lines = ["%s %s = %s;" % (self.ty, out, self.c(coeffs[-1]))]
        return "\n  ".join(lines + ["%s = @fma@(%s, %s, %s);" % (out, out, var, self.c(k)) for k in coeffs[-2::-1]])

    def weighted(self, out, var, fn, weight, lo, hi, n, centre):
        """The same for an error that counts `weight(x)` at x; `var` is x - centre."""
        _, terms = self.weighted_terms(fn, weight, lo, hi, n, centre)
        rest = self.pairs(out, var, [self.c(v) for v in terms[1:]])
        # Apart, so that sums with the largest term are rounded once.
        return rest + "\n  %s = @fma@(%s, %s, %s);" % (out, out, var, self.c(terms[0]))

    def weighted_terms(self, fn, weight, lo, hi, n, centre):
        """The largest error that counts so, and the coefficients, the constant one first: least squares whose weights grow
        where the error is largest."""
        lo, hi, points, basis = mp.mpf(lo), mp.mpf(hi), 4 * n, range(n + 1)
        mid, half = (lo + hi) / 2, (hi - lo) / 2
        u = [-mp.cos(mp.pi * (k + mp.mpf(1) / 2) / points) for k in range(points)]
        f, w, grow = [fn(mid + half * v) for v in u], [weight(mid + half * v) for v in u], [mp.mpf(1)] * points
        rows = []
        for v in u:
            t = [mp.mpf(1), v]
            while len(t) <= n:
                t.append(2 * v * t[-1] - t[-2])
            rows.append(t)
        best = None
        for _ in range(6):
            k = [g * x * x for g, x in zip(grow, w)]
            a = mp.matrix(n + 1, n + 1)
            for r in basis:
                for c in range(r + 1):
                    a[r, c] = a[c, r] = mp.fsum(k[i] * rows[i][r] * rows[i][c] for i in range(points))
            b = mp.matrix([mp.fsum(k[i] * rows[i][r] * f[i] for i in range(points)) for r in basis])
            x = mp.lu_solve(a, b)
            e = [abs(mp.fsum(x[j] * t[j] for j in basis) - y) * z for t, y, z in zip(rows, f, w)]
            worst = max(e)
            best = min(best or (worst, x), (worst, x), key=lambda v: v[0])
            grow = [g * (v / worst + mp.mpf("0.02")) for g, v in zip(grow, e)]
            grow = [g / max(grow) for g in grow]
        # A polynomial of this degree through as many of its values is itself.
        nodes = [mid - half * mp.cos(mp.pi * (k + mp.mpf(1) / 2) / (n + 1)) for k in basis]
        values = [mp.fsum(best[1][j] * mp.chebyt(j, (v - mid) / half) for j in basis) for v in nodes]
        terms = mp.lu_solve(mp.matrix([[(v - centre) ** j for j in basis] for v in nodes]), mp.matrix(values))
        return best[0], list(terms)

    def expand(self, text, **extra):
        table = {"T": self.ty, "s": self.f}
        for n in "fma rint fabs sqrt copysign floor ceil trunc fmin fmax inf".split():
            table[n] = "__builtin_" + n + self.f
        table["nan"] = '__builtin_nan%s("")' % self.f
        table["bits"] = "__builtin_unspool_as_" + ("uint" if self.single else "ulong")
        table["from"] = "__builtin_unspool_as_" + ("float" if self.single else "double")
        table["U"] = "unsigned int" if self.single else "unsigned long"
        table["I"] = "int" if self.single else "long"
        table["L"] = "u" if self.single else "ul"
        table["MB"] = "23" if self.single else "52"
        table["BIAS"] = "127" if self.single else "1023"
        table["EMASK"] = "255" if self.single else "2047"
        table["SUBSCALE"] = self.c(2**25 if self.single else 2**54)
        table["SUBEXP"] = "25" if self.single else "54"
        table["MINNORM"] = self.c(mp.ldexp(1, -126 if self.single else -1022))
        table["TOINT"] = "__builtin_unspool_%s2int_rn" % self.ty
        for k, v in extra.items():
            table[k] = v
        for _ in range(4):
            for k, v in table.items():
                text = text.replace("@" + k + "@", v)
        assert "@" not in text.replace("//@", ""), text[text.replace("//@", "..").index("@") - 30 :][:80]
        return text


FILES = {}


def emit(file, text):
    FILES.setdefault(file, []).append(text.strip("\n") + "\n")


def both(file, template, **extra):
    for p in (P(True), P(False)):
        values = {k: (v(p) if callable(v) else v) for k, v in extra.items()}
        emit(file, p.expand(template, **values))


def poly(name, var, fn, lo, hi, n32, n64):
    return lambda p: p.horner(name, var, fn, lo, hi, n32 if p.single else n64)


def short_poly(name, var, fn, lo, hi, n32, n64, exact64=False):
    """`poly` for vectors: processors wait for chains of operations, not for their number. It rounds a little worse, so
    doubles may be exempt."""
    return lambda p: (p.horner if exact64 and not p.single else p.estrin)(name, var, fn, lo, hi, n32 if p.single else n64)


def const(x):
    return lambda p: p.c(x)


def hi(x, b32=None, b64=None):
    return lambda p: p.hi_lo(x, b32 if p.single else b64)[0]


def lo(x, b32=None, b64=None):
    return lambda p: p.hi_lo(x, b32 if p.single else b64)[1]


def part(x, i):
    return lambda p: p.parts(x, 3)[i]


def series(fn, at0):
    """fn, with its limit at 0."""
    return lambda s: at0 if s == 0 else fn(s)


LN2, PI = mp.ln(2), mp.pi

for part_of in ("templates.py", "templates_lanes.py", "templates_bessel.py", "templates_single.py", "templates_gpu.py", "templates_host.py", "templates_wide.py", "templates_wide_pow.py", "templates_wide_erf.py", "templates_wide_arc.py"):
    HALVES = not part_of.startswith(("templates_host", "templates_wide"))
    exec(open(os.path.join(HERE, part_of)).read())

for name, sections in FILES.items():
    with open(os.path.join(HERE, name + ".c"), "w") as out:
        out.write("// Written by generate.py from templates.py; change it there.\n\n" + "\n".join(sections))
