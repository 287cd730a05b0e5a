/* Variable length arrays that a region declares: each work-item has its own. */
#include <stdio.h>
static double dot(int m, const double *x, const double *y) {
    double s = 0;
    for (int k = 0; k < m; k++) s += x[k] * y[k];
    return s;
}
int main(void) {
    int n = 100, m = 7, r = 3;
    double a[100], t = 0;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i++) {
        double tmp[m];
        for (int k = 0; k < m; k++) tmp[k] = i * k;
        double s = 0;
        for (int k = 0; k < m; k++) s += tmp[m - 1 - k] * k;
        a[i] = s;
    }
#pragma acc parallel loop copy(a) reduction(+:t)
    for (int i = 0; i < n; i++) {
        double w[m][r + 1][2];
        for (int k = 0; k < m; k++)
            for (int j = 0; j < r; j++) w[k][j][0] = a[i] + k * j, w[k][j][1] = j;
        for (int k = 0; k < m; k++) t += w[k][k % r][0] * dot(2, w[k][1], w[k][2]);
    }
    /* In loops that are proved, in gangs that run more than their loops, and one after another. */
#pragma acc kernels
    for (int i = 0; i < n; i++) {
        double tmp[m + 2];
        for (int k = 0; k < m; k++) tmp[k] = i * k;
        a[i] += tmp[m / 2];
    }
#pragma acc parallel num_gangs(5) copy(a)
    {
        float weights[r];
        for (int k = 0; k < r; k++) weights[k] = k + 1;
#pragma acc loop gang
        for (int i = 0; i < n; i++) {
            int both[2 * r];
            for (int k = 0; k < 2 * r; k++) both[k] = k + i;
            for (int k = 0; k < r; k++) a[i] += both[r + k] * weights[k];
        }
    }
#pragma acc serial copy(a)
    {
        double before[n];
        for (int i = 0; i < n; i++) before[i] = a[i];
        for (int i = 1; i < n; i++) a[i] += before[n - i];
    }
    /* The host runs these: an extent that differs from iteration to iteration, and the size of an array. */
#pragma acc parallel loop copy(a)
    for (int i = 0; i < n; i++) {
        double upto[i + 1];
        for (int k = 0; k <= i; k++) upto[k] = k;
        a[i] += upto[i / 2];
    }
#pragma acc parallel loop copy(a)
    for (int i = 0; i < n; i++) {
        double some[m];
        some[0] = sizeof some;
        a[i] += some[0];
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += (i + 1) * a[i];
    printf("%.3f %.3f\n", s, t);
    return 0;
}
