// Accesses through computed pointers are accesses: `*(a + i)`, `(a + 1)[i]`, and what functions are given.
#include <math.h>
#include <stdio.h>
#define N 400
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static double get(double *p) { return p[0]; }
static double twice(double x) { return sqrt(x) + sqrt(x); }
static void through_a_function(double *a, int n) {
#pragma acc kernels copy(a[0:n])
    for (int i = 1; i < n; i++) a[i] = get(a + i - 1) + 1;
}
static void through_a_sum(double *a, int n) {
#pragma acc kernels
    for (int i = 1; i < n; i++) *(a + i) = *(a + i - 1) + 2;
}
static void from_a_later_one(double *a, int n) {
#pragma acc kernels
    for (int i = 1; i < n; i++) a[i] = (a + 1)[i - 2] + 3;
}
static void through_a_step(double *restrict a, double *restrict b, int n) {
#pragma acc kernels copy(a[0:n]) copyin(b[0:n])
    for (int i = 0; i < n; i++) {
        double *p = a;
        *p++ = b[i];
        *p++ += 1;
    }
}
static void through_a_copy(double *restrict a, int n) {
    double *b = a - 1;
#pragma acc kernels copy(a[0:n])
    for (int i = 1; i < n; i++) a[i] = b[i] + 4;
}
static void apart(double *restrict a, double *restrict b, int n) {
#pragma acc kernels
    for (int i = 0; i < n; i++) *(a + i) = *(b + i) + (a + i)[0];
}
static void rows(double a[N][N], double *restrict b) {
#pragma acc kernels
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) *(*(a + i) + j) = b[i] + j;
}
// What functions are given by value stays as it is.
static void by_value(double *restrict a, double *restrict b, int n) {
#pragma acc kernels
    for (int i = 1; i < n; i++) a[i] = sqrt(b[0]) + twice(b[i]);
}
// What is beside an element whose address is taken is wanted on the device, too: only the element itself was brought there.
static void beside_an_element(double *a, double *b, int n) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) a[i] = (&b[i])[3] + 2 * *(&(b[i]) + 1) + *&b[i];
}
static double extremes(double *restrict a, double *restrict b, int n) {
    double most = 0, least = 1000, error = 0;
    float small = 9;
    int count = 3;
#pragma acc kernels
    for (int i = 1; i < n; i++) {
        error = fmax(error, fabs(a[i] - b[i]));
        most = MAX(most, a[i]);
        if (a[i] < least) least = a[i];
        small = small < b[i] ? small : b[i];
    }
    // Cut off, and wanted for something else: neither is put together.
    char narrow = 0;
    int where = 0;
    double best = 0;
#pragma acc kernels
    for (int i = 1; i < n; i++) {
        int x = a[i];
        if (x > narrow) narrow = x;
        if (a[i] > best) {
            best = a[i];
            where = i;
        }
        if (count < i % 7) count = i % 7;
    }
    return error + 3 * most + 5 * least + 7 * small + 11 * narrow + 13 * where + 17 * best + 19 * count;
}
int main(void) {
    static double a[N], b[N], c[N][N];
    for (int i = 0; i < N; i++) a[i] = i % 5, b[i] = 1 + (i * 7) % 11;
    through_a_function(a, N);
    through_a_sum(a, N);
    from_a_later_one(a, N);
    through_a_step(a, b, N);
    through_a_copy(a, N);
    apart(a, b, N);
    by_value(a, b, N);
    rows(c, b);
    beside_an_element(a, b, N - 3);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += a[i] * (i % 7 + 1) + c[i][N - 1 - i];
    printf("%.9g %.9g\n", sum, extremes(a, b, N));
    return 0;
}
