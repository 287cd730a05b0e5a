/* Sums in memory whose arrays are the same, overlap, or lie apart: which it is only the run knows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With a == b each round doubles: b[i] is what the round before has stored. */
static void rounds(int n, int m, long *a, long *b, long *c) {
#pragma acc parallel loop copy(a[0:n]) copyin(b[0:n], c[0:m])
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) a[i] += b[i] * c[k];
}

/* Rows of two arrays, of which the second is read. */
static void product(int n, double (*c)[40], double (*a)[40], double (*b)[40], double beta) {
#pragma acc parallel loop collapse(2) copy(c[0:n]) copyin(a[0:n], b[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 40; j++) {
            c[i][j] *= beta;
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
        }
}

/* Two that are written: with p == q the second sum sees the first. */
static void both(int n, int *p, int *q, const int *r) {
#pragma acc parallel loop gang copy(p[0:n], q[0:n]) copyin(r[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc loop seq
        for (int k = 0; k < 5; k++) {
            p[i] += r[i];
            q[i] += 2 * p[i];
        }
    }
}

/* Extents that nobody knows when it is compiled. */
static void known_by_the_caller(int n, int *a, int *b) {
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) a[i] += b[i] + k;
}

/* A kernel for the device with a reduction beside the sum in memory. */
static long reduced(int n, int *a, int *b) {
    long all = 0;
#pragma acc parallel loop copy(a[0:n]) copyin(b[0:n]) reduction(+:all)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) a[i] += b[i] + 1;
        all += a[i];
    }
    return all;
}

/* Members and pointers in memory: no such kernel. */
struct pair { int *a, *b; };
static void through(int n, struct pair *s) {
    int *a = s->a, *b = s->b;
#pragma acc parallel loop copy(a[0:n]) copyin(b[0:n])
    for (int i = 0; i < n; i++) {
        int *p = a + i;
        for (int k = 0; k < 3; k++) *p += b[i];
    }
}

/* In `kernels` the loop is parallel only where the two lie apart. */
static void proved(int n, int m, int *a, int *b) {
#pragma acc kernels copy(a[0:n]) copyin(b[0:m])
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) a[i] += b[k];
}

static void print(const char *what, int n, const long *a) {
    unsigned long sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 31 + (unsigned long)a[i];
    printf("%s %ld %ld %lx\n", what, a[0], a[n - 1], sum);
}

static void print_int(const char *what, int n, const int *a) {
    unsigned long sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 31 + (unsigned)a[i];
    printf("%s %d %d %lx\n", what, a[0], a[n - 1], sum);
}

int main(void) {
    enum { n = 333, m = 7 };
    long x[2 * n], y[n], c[m];
    for (int i = 0; i < 2 * n; i++) x[i] = i + 1;
    for (int i = 0; i < n; i++) y[i] = 3 * i + 1;
    for (int k = 0; k < m; k++) c[k] = 1 + k % 2;
    rounds(n, m, x, y, c);
    print("apart", n, x);
    rounds(n, m, x, x, c);
    print("same", n, x);
    rounds(n, m, x + n, x, c);
    print("beside", 2 * n, x);

    static double p[40][40], q[40][40], r[40][40];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) p[i][j] = i + j, q[i][j] = i - j, r[i][j] = (i * j) % 5;
    product(40, p, q, r, 0.5);
    product(20, p, q + 20, r, 2);
    product(20, p, p + 20, r, 1);
    double sum = 0;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) sum += (i + 1) * p[i][j];
    printf("product %.0f\n", sum);

    int u[2 * n], v[n], w[n];
    for (int i = 0; i < 2 * n; i++) u[i] = i;
    for (int i = 0; i < n; i++) v[i] = 2 * i, w[i] = i % 7;
    both(n, u, v, w);
    print_int("two", n, v);
    both(n, v, v, w);
    print_int("one", n, v);
    both(n, u, u + n, u);
    print_int("three", 2 * n, u);

#pragma acc data copy(u[0:2*n], v[0:n])
    {
        known_by_the_caller(n, u, v);
        known_by_the_caller(n, u, u);
        known_by_the_caller(n, u + n, u);
    }
    print_int("present", 2 * n, u);
    printf("reduced %ld\n", reduced(n, v, w));
    for (int i = 0; i < n; i++) v[i] = i % 11;
    printf("reduced %ld\n", reduced(n, v, v));
    struct pair s = { v, v };
    through(n, &s);
    print_int("through", n, v);
    for (int i = 0; i < n; i++) v[i] = i % 11;
    proved(n, n, v, w);
    print_int("proved", n, v);
    proved(n / 2, 2, v, v + 1);
    print_int("in order", n, v);
    return 0;
}
