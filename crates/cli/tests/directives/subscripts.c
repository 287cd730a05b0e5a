/* Subscripts that are not the same multiple of a loop's variable, and those that stand in variables of the loop's body. */
#include <stdio.h>

enum { n = 96 };
static double pairs[2 * n], halves[2 * n], far[5 * n], fixed[n], mirrored[n], steps[n], grid[n][n];

/* Real and imaginary parts: one is even, the other odd. */
static void even_and_odd(void) {
#pragma acc kernels
    for (int i = 0; i < n; i++) pairs[2 * i] = pairs[2 * i + 1] * 0.5 + i;
#pragma acc kernels
    for (int i = 0; i < n / 8; i++)
        for (int k = 0; k < 8; k++) pairs[2 * (8 * i + k)] += pairs[2 * (k + 3) + 1];
}

/* The upper half from the lower one, whose length is not known. */
static void two_halves(int m) {
#pragma acc kernels
    for (int i = 0; i < m; i++) halves[i] = halves[i + m] + 1;
#pragma acc kernels
    for (int i = 0; i < m; i++) far[i] = far[2 * i + m] + far[3 * m - i];
}

/* Each iteration tried. */
static void few(void) {
#pragma acc kernels
    for (int i = 0; i < 10; i++) fixed[i] = fixed[3 * i + 30];
#pragma acc kernels
    for (int i = 40; i < 50; i++) mirrored[i] = mirrored[99 - i] + 1;
#pragma acc kernels
    for (int i = 1; i < 9; i++) fixed[i] = fixed[0] + i;
}

/* These do meet. */
static void meeting(int m) {
#pragma acc kernels
    for (int i = 0; i < m; i++) halves[i] += halves[2 * i];
#pragma acc kernels
    for (int i = 0; i < 10; i++) fixed[i] = fixed[3 * i + 3];
#pragma acc kernels
    for (int i = 1; i < m; i++)
        for (int j = 0; j < i; j++) halves[i + j] += halves[2 * i + j];
#pragma acc kernels
    for (int i = 0; i < 9; i++) fixed[i] = fixed[4] + i;
}

/* Steps of two never reach what stands between. */
static void stepping(void) {
#pragma acc kernels
    for (int i = 0; i < n - 1; i += 2) steps[i] = steps[i + 1] + i;
#pragma acc kernels
    for (int i = 0; i < n - 3; i += 2) steps[i + 2] = steps[i] + i;
}

/* The extents of what pointers point to, where the index stands in a variable. */
static void computed(unsigned nx, unsigned ny, const double *a, double *c) {
#pragma acc kernels
    for (unsigned j = 0; j < ny; j++)
        for (unsigned i = 0; i < nx; i++) {
            const int ix = i + j * nx;
            c[ix] += a[ix];
        }
}

/* A section of an array, by a clause around: the construct uses that, and no more. */
static void part(int low, int count) {
#pragma acc data copy(grid[low:count])
    {
#pragma acc kernels
        for (int i = low; i < low + count; i++)
            for (int j = 0; j < n; j++) grid[i][j] += i - j;
#pragma acc parallel loop default(present)
        for (int i = low; i < low + count; i++) grid[i][0] *= 2;
    }
}

int main(void) {
    for (int i = 0; i < 2 * n; i++) pairs[i] = i, halves[i] = 3 * i % 17;
    for (int i = 0; i < 5 * n; i++) far[i] = i % 13;
    for (int i = 0; i < n; i++) fixed[i] = i * i % 19, mirrored[i] = i % 7, steps[i] = i % 5;
    even_and_odd();
    two_halves(n);
    few();
    meeting(n / 2);
    stepping();
    computed(12, 8, pairs, halves);
    part(5, 40);
    double sum = 0;
    for (int i = 0; i < 2 * n; i++) sum += (i + 1) * (pairs[i] - 2 * halves[i]);
    printf("%.3f\n", sum);
    for (int i = 0; i < 5 * n; i++) sum += i * far[i];
    for (int i = 0; i < n; i++) sum += i * fixed[i] - mirrored[i] * (i + 2) + steps[i] * (i + 3) + grid[i][i] + grid[i][0];
    printf("%.3f\n", sum);
    return 0;
}
