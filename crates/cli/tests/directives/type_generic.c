/* The functions of <tgmath.h>: the arguments' types choose. */
#include <complex.h>
#include <stdio.h>
#include <tgmath.h>
int main(void) {
    double d[16], r[16];
    float f[16];
    double _Complex z[16];
    int n[16], sizes = 0;
    for (int i = 0; i < 16; i++) f[i] = d[i] = i * 0.75 + 1, n[i] = i, z[i] = i - 2 * I;
#pragma acc parallel loop copyin(n) copy(d, f, z) copyout(r) reduction(+:sizes)
    for (int i = 0; i < 16; i++) {
        sizes += sizeof(sqrt(f[i])) + 10 * sizeof(sqrt(d[i])) + 100 * sizeof(pow(f[i], n[i])) + 1000 * sizeof(fabs(z[i]));
        r[i] = fma(f[i], f[i], 0.5f) + ldexp(f[i], 3) + floor(d[i]) + exp2(n[i] & 3) + fmax(f[i], 2.5) + carg(z[i] * 0 + 1);
        f[i] = sqrt(f[i] * f[i]);
        d[i] = pow(d[i], 2) + creal(conj(z[i]));
        z[i] = z[i] * fabs(z[i] * z[i]);
    }
    printf("%d\n", sizes);
    for (int i = 0; i < 16; i++) printf("%g %g %g %.9g %.9g\n", r[i], d[i], f[i], creal(z[i]), cimag(z[i]));
    return 0;
}
