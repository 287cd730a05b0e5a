/* Complex numbers in kernels: what the front end's operators call (sema's `complex.rs`), and the functions of <complex.h>.
   Infinities are those of C11, annex G, of products only with `-fno-cx-limited-range`: a kernel of many products would be mostly
   branches. */

#define __CX(re, im) __builtin_complex(re, im)
#define __UNSPOOL_COMPLEX(T, S) \
    /* An infinity as 1, all else as 0, with their signs. */ \
    static T __unspool_boxed##S(T x) { return copysign##S(__builtin_isinf(x) ? (T)1 : (T)0, x); } \
    static T __unspool_known##S(T x) { return x != x ? copysign##S((T)0, x) : x; } \
    /* A quotient that came out as not a number. */ \
    static T _Complex __unspool_complex_limit##S(T a, T b, T c, T d, T re, T im) { \
        const T inf = (T)__builtin_inf(); \
        const int finite = __builtin_isfinite(a) && __builtin_isfinite(b); \
        if (c == 0 && d == 0 && (a == a || b == b)) return __CX(copysign##S(inf, c) * a, copysign##S(inf, c) * b); \
        if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) { \
            a = __unspool_boxed##S(a); b = __unspool_boxed##S(b); \
            return __CX(inf * (a * c + b * d), inf * (b * c - a * d)); \
        } \
        if ((__builtin_isinf(c) || __builtin_isinf(d)) && finite) { \
            c = __unspool_boxed##S(c); d = __unspool_boxed##S(d); \
            return __CX(0 * (a * c + b * d), 0 * (b * c - a * d)); \
        } \
        return __CX(re, im); \
    } \
    static T creal##S(T _Complex z) { return __real__ z; } \
    static T cimag##S(T _Complex z) { return __imag__ z; } \
    static T cabs##S(T _Complex z) { return hypot##S(__real__ z, __imag__ z); } \
    static T carg##S(T _Complex z) { return atan2##S(__imag__ z, __real__ z); } \
    static T _Complex conj##S(T _Complex z) { return ~z; } \
    static T _Complex cproj##S(T _Complex z) { \
        if (__builtin_isinf(__real__ z) || __builtin_isinf(__imag__ z)) \
            return __CX((T)__builtin_inf(), copysign##S((T)0, __imag__ z)); \
        return z; \
    } \
    static T _Complex cexp##S(T _Complex z) { \
        T x = __real__ z, y = __imag__ z; \
        if (y == 0) return __CX(exp##S(x), y); \
        if (x < 0 && __builtin_isinf(x) && !__builtin_isfinite(y)) return __CX((T)0, (T)0); \
        /* In two steps the parts overflow no sooner than they must. */ \
        T e = exp##S(x / 2); \
        return __CX(e * cos##S(y) * e, e * sin##S(y) * e); \
    } \
    static T _Complex clog##S(T _Complex z) { \
        T x = fabs##S(__real__ z), y = fabs##S(__imag__ z), h = hypot##S(x, y); \
        T big = fmax##S(x, y), small = fmin##S(x, y); \
        T re = h > (T)0.5 && h < 2 ? log1p##S((big - 1) * (big + 1) + small * small) / 2 : log##S(h); \
        return __CX(re, atan2##S(__imag__ z, __real__ z)); \
    } \
    static T _Complex csqrt##S(T _Complex z) { \
        T x = __real__ z, y = __imag__ z; \
        if (x == 0 && y == 0) return __CX((T)0, y); \
        if (__builtin_isinf(y)) return __CX(fabs##S(y), y); \
        if (__builtin_isinf(x)) return x > 0 ? __CX(x, 0 * y) : __CX(0 * y * y, copysign##S(x, y)); \
        T scale = fmax##S(fabs##S(x), fabs##S(y)) > (sizeof(T) == 8 ? (T)1e300 : (T)1e37) ? (T)4 : (T)1; \
        x /= scale; y /= scale; \
        T t = sqrt##S((fabs##S(x) + hypot##S(x, y)) / 2), s = sqrt##S(scale); \
        return x >= 0 ? __CX(s * t, s * (y / (2 * t))) : __CX(s * (fabs##S(y) / (2 * t)), copysign##S(s * t, y)); \
    } \
    static T _Complex cpow##S(T _Complex z, T _Complex w) { \
        if (z == 0) return w == 0 ? __CX((T)1, (T)0) : __CX((T)0, (T)0); \
        return cexp##S(w * clog##S(z)); \
    } \
    static T _Complex csinh##S(T _Complex z) { \
        T x = __real__ z, y = __imag__ z; \
        return __CX(sinh##S(x) * cos##S(y), cosh##S(x) * sin##S(y)); \
    } \
    static T _Complex ccosh##S(T _Complex z) { \
        T x = __real__ z, y = __imag__ z; \
        return __CX(cosh##S(x) * cos##S(y), sinh##S(x) * sin##S(y)); \
    } \
    static T _Complex ctanh##S(T _Complex z) { \
        T x = __real__ z, y = __imag__ z; \
        if (fabs##S(x) > 20) return __CX(copysign##S((T)1, x), 4 * sin##S(y) * cos##S(y) * exp##S(-2 * fabs##S(x))); \
        T s = sinh##S(x), c = cos##S(y), d = c * c + s * s; \
        return __CX(s * cosh##S(x) / d, sin##S(y) * c / d); \
    } \
    static T _Complex csin##S(T _Complex z) { T _Complex w = csinh##S(__CX(-__imag__ z, __real__ z)); return __CX(__imag__ w, -__real__ w); } \
    static T _Complex ccos##S(T _Complex z) { return ccosh##S(__CX(-__imag__ z, __real__ z)); } \
    static T _Complex ctan##S(T _Complex z) { T _Complex w = ctanh##S(__CX(-__imag__ z, __real__ z)); return __CX(__imag__ w, -__real__ w); } \
    /* Kahan, "Branch cuts for complex elementary functions" (1987). */ \
    static T _Complex casin##S(T _Complex z) { \
        T _Complex p = csqrt##S(__CX(1 - __real__ z, -__imag__ z)), q = csqrt##S(__CX(1 + __real__ z, __imag__ z)); \
        return __CX(atan2##S(__real__ z, __real__ (p * q)), asinh##S(__imag__ (~p * q))); \
    } \
    static T _Complex cacos##S(T _Complex z) { \
        T _Complex p = csqrt##S(__CX(1 - __real__ z, -__imag__ z)), q = csqrt##S(__CX(1 + __real__ z, __imag__ z)); \
        return __CX(2 * atan2##S(__real__ p, __real__ q), asinh##S(__imag__ (~q * p))); \
    } \
    static T _Complex cacosh##S(T _Complex z) { \
        T _Complex p = csqrt##S(__CX(__real__ z - 1, __imag__ z)), q = csqrt##S(__CX(__real__ z + 1, __imag__ z)); \
        return __CX(asinh##S(__real__ (~p * q)), 2 * atan2##S(__imag__ p, __real__ q)); \
    } \
    static T _Complex casinh##S(T _Complex z) { T _Complex w = casin##S(__CX(__imag__ z, -__real__ z)); return __CX(-__imag__ w, __real__ w); } \
    static T _Complex catanh##S(T _Complex z) { \
        T x = __real__ z, y = __imag__ z, near = 1 - fabs##S(x), d = near * near + y * y; \
        return __CX(copysign##S(log1p##S(4 * fabs##S(x) / d) / 4, x), atan2##S(2 * y, (1 - x) * (1 + x) - y * y) / 2); \
    } \
    static T _Complex catan##S(T _Complex z) { T _Complex w = catanh##S(__CX(-__imag__ z, __real__ z)); return __CX(__imag__ w, -__real__ w); }
__UNSPOOL_COMPLEX(double, )
__UNSPOOL_COMPLEX(float, f)
#undef __UNSPOOL_COMPLEX

#ifdef __UNSPOOL_ANNEX_G
/* A product that came out as not a number. */
#define __UNSPOOL_PRODUCT(T, S) \
    static T _Complex __unspool_complex_product##S(T a, T b, T c, T d) { \
        const T inf = (T)__builtin_inf(); \
        const T ac = a * c, bd = b * d, ad = a * d, bc = b * c; \
        int infinite = 0; \
        if (__builtin_isinf(a) || __builtin_isinf(b)) { \
            a = __unspool_boxed##S(a); b = __unspool_boxed##S(b); \
            c = __unspool_known##S(c); d = __unspool_known##S(d); \
            infinite = 1; \
        } \
        if (__builtin_isinf(c) || __builtin_isinf(d)) { \
            c = __unspool_boxed##S(c); d = __unspool_boxed##S(d); \
            a = __unspool_known##S(a); b = __unspool_known##S(b); \
            infinite = 1; \
        } \
        if (!infinite && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) { \
            a = __unspool_known##S(a); b = __unspool_known##S(b); \
            c = __unspool_known##S(c); d = __unspool_known##S(d); \
            infinite = 1; \
        } \
        if (infinite) return __CX(inf * (a * c - b * d), inf * (a * d + b * c)); \
        return __CX(ac - bd, ad + bc); \
    }
__UNSPOOL_PRODUCT(double, )
__UNSPOOL_PRODUCT(float, f)
#undef __UNSPOOL_PRODUCT
#endif

/* (x + y (s / t)) / n, where the ratio may underflow: Baudin and Smith, "A robust complex division in Scilab" (2012). */
static double __unspool_complex_step(double x, double y, double s, double t, double n) {
    double ratio = s / t;
    return (fabs(ratio) > 0x1p-1022 ? x + y * ratio : x + s * (y / t)) / n;
}

/* Smith's quotient; very large divisors and subnormal operands are scaled, unless that would overflow. */
static double _Complex __unspool_complex_quotient(double a, double b, double c, double d) {
    double norm = fmax(fabs(c), fabs(d)), top = fmax(fabs(a), fabs(b)), bottom = fmin(fabs(a), fabs(b));
    int grows = norm < 0x1p-1022 || (bottom < 0x1p-1022 && top < 0x1p970 && norm < 0x1p970);
    double scale = norm >= 0x1p1023 ? 0.5 : grows ? 0x1p52 : 1.0;
    double p = a * scale, q = b * scale, u = c * scale, v = d * scale, re, im;
    if (fabs(u) < fabs(v)) {
        double n = u * (u / v) + v;
        re = __unspool_complex_step(q, p, u, v, n);
        im = __unspool_complex_step(-p, q, u, v, n);
    } else {
        double n = v * (v / u) + u;
        re = __unspool_complex_step(p, q, v, u, n);
        im = __unspool_complex_step(q, -p, v, u, n);
    }
    return re != re && im != im ? __unspool_complex_limit(a, b, c, d, re, im) : __CX(re, im);
}

/* Of `float` the squares stand in a `double`. */
static float _Complex __unspool_complex_quotientf(float a, float b, float c, float d) {
    double n = (double)c * c + (double)d * d;
    float re = (float)(((double)a * c + (double)b * d) / n), im = (float)(((double)b * c - (double)a * d) / n);
    return re != re && im != im ? __unspool_complex_limitf(a, b, c, d, re, im) : __CX(re, im);
}
#undef __CX
