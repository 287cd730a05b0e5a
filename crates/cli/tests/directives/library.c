// What macros of the C library's headers become, assertions, constants that a region declares, and jumps within an iteration.
#include <assert.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    double x[8] = { 0.0, -1.5, INFINITY, -INFINITY, NAN, 1e-310, -0.0, 3 };
    float f[8];
    int r[8], k[8] = { 0 };
    for (int i = 0; i < 8; i++) f[i] = x[i];
    #pragma acc parallel loop
    for (int i = 0; i < 8; i++)
        r[i] = (isinf(x[i]) != 0) + 2 * (isnan(x[i]) != 0) + 4 * (isfinite(x[i]) != 0) + 8 * (signbit(x[i]) != 0)
            + 16 * (isnormal(x[i]) != 0) + 32 * fpclassify(x[i]) + (isinf(f[i]) ? 1000 : 0);
    #pragma acc kernels
    for (int i = 0; i < 8; i++) {
        assert(i >= 0 && "counts up");
        static const int table[4] = { 3, 1, 4, 1 };
        k[i] += table[i & 3];
    }
    #pragma acc parallel loop
    for (int i = 0; i < 8; i++) {
        if (i == 3) goto skip;
        k[i] *= 2;
    skip:
        k[i]++;
    }
    for (int i = 0; i < 8; i++) printf("%d %d\n", r[i], k[i]);
    return 0;
}
