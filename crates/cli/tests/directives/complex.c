// Complex numbers: operators, parts, conversions, initialisers, structures of them, reductions, and functions of <complex.h>.
#include <complex.h>
#include <math.h>
#include <stdio.h>

typedef double complex dc;
typedef struct { dc c0, c1, c2; } vector;
typedef struct { dc m[3][3]; } matrix;
enum { N = 200 };

static const dc table[3] = { 1.0, 2.0 + 3.0 * I, -I };
static dc a[N], b[N], c[N], q[N];
static float complex f[N];
static vector v[N], w[N];
static matrix u[N];
static int flags[N];
static double worst[12];

static void apply(const matrix *m, const vector *x, vector *y) {
    y->c0 = m->m[0][0] * x->c0 + m->m[0][1] * x->c1 + m->m[0][2] * x->c2;
    y->c1 = m->m[1][0] * x->c0 + m->m[1][1] * x->c1 + m->m[1][2] * x->c2;
    y->c2 = conj(m->m[2][0]) * x->c0 + m->m[2][1] * x->c1 - m->m[2][2] * x->c2;
}

static void print(const char *what, dc z) { printf("%s %.9g %.9g\n", what, creal(z), cimag(z)); }

int main(void) {
    dc alpha = 0.5 - 0.25 * I, sum = 0, product = 1;
    double norm = 0;
    for (int i = 0; i < N; i++) {
        a[i] = sin(i) + cos(i) * I;
        b[i] = i - 2.0 * I * i;
        f[i] = i * 0.1f - 1.0fi;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) u[i].m[j][k] = cexp(I * (i + j * k));
        v[i] = (vector){ a[i], b[i], 1 };
    }
    #pragma acc parallel loop reduction(+:sum, norm) reduction(*:product)
    for (int i = 0; i < N; i++) {
        dc t = a[i] * b[i] + alpha, pair[2] = { 1, [1] = { 2 - I } };
        t /= 1 + a[i];
        t = 2 * t - f[i] + table[i % 3] + pair[i & 1];
        if (i % 7 == 0) t = ~t;
        c[i] = i & 1 ? t : creal(t) + 2 * cimag(t) * I;
        dc old = c[i]++;
        --c[i];
        __real__ c[i] += 2;
        __imag__ c[i] = __imag__ c[i] * 3 + __imag__ creal(old) + __real__ i;
        q[i] = i == 3 ? t / 4 : 1.0f / t;
        apply(&u[i], &v[i], &w[i]);
        flags[i] = (w[i].c0 != 0) + 2 * (w[i].c1 == w[i].c2) + 4 * (b[i] ? 1 : 0) + 8 * !b[i] + 16 * (_Bool)(0 * I)
            + 32 * (creal(t) > 0 && t) + 64 * (int)sizeof(f[i]) + (int)(3.7 + 9 * I);
        norm += creal(w[i].c0 * conj(w[i].c0)) + cabs(w[i].c1);
        sum += t;
        product *= a[i] * cexp(0.01 * I);
        float complex narrow = t;
        double real = t;
        c[i] += narrow + real - CMPLX(1, 2) * -I;
    }
    print("sum", sum);
    print("product", product);
    printf("norm %.9g\n", norm);
    for (int i = 0; i < N; i += 33) {
        print("c", c[i]);
        print("q", q[i]);
        print("w", w[i].c2);
        printf("%d\n", flags[i]);
    }
    // Beside the host's own functions.
    #pragma acc parallel loop collapse(2) reduction(max:worst)
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 12; k++) {
            dc z = a[i] * (1 + k), r = 0;
            switch (k) {
            case 0: r = csqrt(z) * csqrt(z) - z; break;
            case 1: r = cexp(clog(z)) - z; break;
            case 2: r = csin(casin(z)) - z; break;
            case 3: r = ccos(cacos(z)) - z; break;
            case 4: r = ctan(catan(z)) - z; break;
            case 5: r = csinh(casinh(z)) - z; break;
            case 6: r = ccosh(cacosh(z)) - z; break;
            case 7: r = ctanh(catanh(z)) - z; break;
            case 8: r = cpow(z, 2) - z * z; break;
            case 9: r = cproj(z) - z; break;
            case 10: r = cabs(z) * cexp(I * carg(z)) - z; break;
            case 11: r = z * conj(z) - creal(z) * creal(z) - cimag(z) * cimag(z); break;
            }
            worst[k] = fmax(worst[k], cabs(r) / cabs(z));
        }
    for (int k = 0; k < 12; k++) printf("%d\n", worst[k] < 1e-13);
    return 0;
}
