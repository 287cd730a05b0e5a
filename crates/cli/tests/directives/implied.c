// What loops of `parallel` put together and the program reads behind them is reduced, though no clause says so; the extents of arrays
// made linear are found where only the host can compare their ends.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define AT(j, i, m) ((j) * (m) + (i))
static double step(double *restrict a, double *restrict b, int m, int n) {
    double error = 0;
#pragma acc parallel loop
    for (int j = 1; j < n - 1; j++) {
#pragma acc loop
        for (int i = 1; i < m - 1; i++) {
            b[AT(j, i, m)] = 0.25 * (a[AT(j, i + 1, m)] + a[AT(j, i - 1, m)] + a[AT(j - 1, i, m)] + a[AT(j + 1, i, m)]);
            error = fmax(error, fabs(b[AT(j, i, m)] - a[AT(j, i, m)]));
        }
    }
    return error;
}
static void back(double *restrict a, double *restrict b, int m, int n) {
#pragma acc parallel loop collapse(2)
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < m - 1; i++) a[AT(j, i, m)] = b[AT(j, i, m)];
}
int main(void) {
    enum { M = 70, N = 50 };
    double *a = malloc(M * N * sizeof *a), *b = malloc(M * N * sizeof *b), error = 0;
    for (int i = 0; i < M * N; i++) a[i] = b[i] = i < M ? 1 : 0;
    for (int k = 0; k < 20; k++) {
        error = step(a, b, M, N);
        back(a, b, M, N);
    }
    // Said to be each gang's own, and put together by `atomic`.
    int first = 5, counted = 0, sum = 1, product = 1;
#pragma acc parallel loop firstprivate(first) copy(counted)
    for (int i = 0; i < N; i++) {
        first += i;
#pragma acc atomic update
        counted += i % 3;
    }
#pragma acc parallel
    {
#pragma acc loop gang vector
        for (int i = 0; i < N; i++) sum += i;
#pragma acc loop
        for (int i = 1; i < 9; i++) product *= i;
    }
    printf("%.9f %.9f %d %d %d\n", error, a[M + 3], counted, sum, product);
    return first == 0;
}
