/* Who fills the vectors of processors: the iterations that become work-items, or the loops inside of them. */
#include <stdio.h>

enum { n = 70, m = 50 };
static double a[n][m], b[m][n], c[n][n], x[n], y[m], rows[n], flat[n * m];

int main(void) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) a[i][k] = i - k, b[k][i] = i + 2 * k, flat[i * m + k] = i * k % 7, y[k] = k;
    double total = 0;
    /* Each iteration goes along a row of its own: a group has one. */
#pragma acc parallel loop copyin(a, y) copyout(rows)
    for (int i = 0; i < n; i++) {
        rows[i] = 0;
        for (int k = 0; k < m; k++) rows[i] += a[i][k] * y[k];
    }
    /* The same with computed indices, and with a sum. */
#pragma acc parallel loop copyin(flat) copy(rows) reduction(+:total)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++) rows[i] += flat[i * m + k];
        total += rows[i];
    }
    /* Neighbours access neighbours. */
#pragma acc parallel loop copyin(b, y) copyout(x)
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        for (int k = 0; k < m; k++) x[i] += b[k][i] * y[k];
    }
    /* One of each: `b[k][j]` decides. */
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (i + 1) * (rows[i] + x[i]);
        for (int j = 0; j < n; j++) sum += c[i][j] * (i - j);
    }
    printf("%.6f %.6f\n", sum, total);
    return 0;
}
