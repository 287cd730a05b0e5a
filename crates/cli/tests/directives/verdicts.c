// What may run in parallel is found out, and what may not stays serial: each loop's result is the serial one.
#include <stdio.h>
#define N 500
static float a[N], b[N], c[N][N];
static int perm[N];
static void shift(float *p, float *q, int n) {
#pragma acc kernels copy(p[0:n]) copyin(q[0:n])
    for (int i = 0; i < n; i++) p[i] = 2 * q[i];
}
int main(void) {
    for (int i = 0; i < N; i++) a[i] = i, b[i] = N - i, perm[i] = (i * 7) % N;
#pragma acc kernels
    {
        for (int i = 1; i < N; i++) a[i] += a[i - 1] * 0.5f;
        for (int i = 0; i < N / 2; i++) b[i] = b[i + N / 2];
        for (int i = 0; i < N; i++)
            for (int j = 1; j < N; j++) c[i][j] = c[i][j - 1] + a[i];
        for (int i = 0; i < N - 1; i += 2) a[i] = a[i + 1];
        for (int i = 0; i < N; i++) b[perm[i]] = a[i];
    }
    int last = 0, run = 1;
    long sum = 0;
#pragma acc kernels
    for (int i = 0; i < N; i++) {
        int t = perm[i];
        last = t;
        run = run * 3 % 1001;
        sum += t;
    }
    shift(a, b, N);
#pragma acc parallel loop auto
    for (int i = 1; i < N; i++) a[i] = a[i - 1] + a[i] * 0.25f;
    double total = 0;
    for (int i = 0; i < N; i++) total += a[i] * (i % 7) + b[i] * (i % 5) + c[i][N - 1 - i % 3];
    printf("%.3f %d %d %ld\n", total, last, run, sum);
    return 0;
}
