// Pointers that may point to the same: the parallel kernel runs where they do not, the serial one where they do.
#include <stdio.h>
#include <stdlib.h>
static void add(int n, float a, float *x, float *y) {
#pragma acc kernels
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
static float dot(int n, float *x, float *y, float *z) {
    float sum = 0;
#pragma acc data copyin(x[0:n], y[0:n]) copyout(z[0:n])
#pragma acc kernels
    for (int i = 0; i < n; i++) {
        z[i] = x[i] * y[i];
        sum += z[i];
    }
    return sum;
}
int main(void) {
    int n = 3000;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    for (int i = 0; i < n; i++) x[i] = i % 10, y[i] = 1;
    add(n, 2, x, y);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += y[i] * (i % 3);
    printf("%.0f %.0f\n", sum, dot(n, x, y, z));
    // Here they are one.
    add(n, 0.5f, z, z);
    printf("%g %g\n", z[5], z[2999]);
    return 0;
}
