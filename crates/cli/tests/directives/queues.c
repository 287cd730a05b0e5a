// Queues: work of one runs in order, queues wait for each other, transfers and kernels share them, data goes when they are done.
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
static void step(double *restrict a, const double *restrict b, int n, double f, int q) {
#pragma acc parallel loop present(a[0:n], b[0:n]) async(q)
    for (int i = 0; i < n; i++) a[i] = a[i] * f + b[i];
}
int main(void) {
    int n = 20000;
    double *a[4], *b = malloc(n * sizeof *b), sum = 0;
    for (int i = 0; i < n; i++) b[i] = i % 7;
#pragma acc enter data copyin(b[0:n])
    for (int q = 0; q < 4; q++) {
        a[q] = malloc(n * sizeof *b);
        double *x = a[q];
        for (int i = 0; i < n; i++) x[i] = i % (q + 2);
#pragma acc enter data copyin(x[0:n]) async(q)
        for (int k = 0; k < 5; k++) step(x, b, n, 0.5, q);
    }
    // Queue 0 takes what the others have left.
    for (int q = 1; q < 4; q++) {
        double *x = a[q], *y = a[0];
#pragma acc wait(q) async(0)
#pragma acc parallel loop present(x[0:n], y[0:n]) async(0)
        for (int i = 0; i < n; i++) y[i] += x[i];
    }
    double *y = a[0];
#pragma acc update self(y[0:n]) async(0)
    acc_wait(0);
    for (int i = 0; i < n; i++) sum += y[i] * (i % 5);
    printf("%.6f %d\n", sum, acc_async_test(0) && acc_async_test_all());
    for (int q = 0; q < 4; q++) {
        double *x = a[q];
#pragma acc exit data copyout(x[0:n]) async(q)
    }
#pragma acc exit data delete(b[0:n]) wait(0, 1, 2, 3)
    int queues[2] = {acc_async_sync, 3};
    int any = acc_wait_any(2, queues);
#pragma acc wait
    sum = 0;
    for (int q = 1; q < 4; q++)
        for (int i = 0; i < n; i++) sum += a[q][i];
    printf("%.6f %d\n", sum, any);
    double total = 0;
#pragma acc data copyin(b[0:n]) copy(total)
    {
        for (int k = 0; k < 3; k++) {
#pragma acc parallel loop reduction(+ : total) async
            for (int i = 0; i < n; i++) total += b[i];
        }
    }
    printf("%.1f\n", total);
    return 0;
}
