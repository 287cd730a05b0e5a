// Functions that regions call and that use variables at file scope: constants with values, scalars, arrays, structures and pointers,
// with `declare` and without, read and written, through functions that they call.
#include <stdio.h>

struct pair { double a, b; int n; };
enum { N = 400, M = 20 };
static const double coefficients[3] = { 1.0, 0.5, 0.25 };
const int shift = 3, other = 2;
static const struct pair fixed = { 4, 5, 6 };
static struct pair both = { 1, 2, 3 };
static double dx = 0.1, table[N], matrix[N][M];
static int hits[N];
static double *pointer, y[N], z[N];
#pragma acc declare copyin(dx) create(table)

static double f(double x);
static double f(double x) { return coefficients[0] + coefficients[1] * x + coefficients[2] * x * x + shift; }
static double zero(void) { return dx + f(fixed.a) * other; }
#pragma acc routine seq
double g(int i) { return table[i] * dx + zero() + matrix[i][i % M] * both.b; }
#pragma acc routine seq
static void note(int i) { if (i % 3 == 0) hits[i] = g(i) > 5 ? i : -both.n; }
static double at(int i) { return pointer[i]; }

int main(void) {
    static double store[N];
    pointer = store;
    for (int i = 0; i < N; i++) {
        store[i] = i * 0.5;
        for (int j = 0; j < M; j++) matrix[i][j] = i + j;
    }
    #pragma acc parallel loop
    for (int i = 0; i < N; i++) y[i] = f(i) + f(f(2));
    for (int i = 0; i < N; i++) table[i] = i;
    #pragma acc update device(table)
    #pragma acc parallel loop
    for (int i = 0; i < N; i++) {
        z[i] = g(i) + dx;
        note(i);
    }
    #pragma acc kernels
    for (int i = 0; i < N; i++) y[i] += f(i);
    dx = 7;
    both.b = 9;
    #pragma acc update device(dx)
    double s = 0;
    #pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < N; i++) s += g(i) * zero();
    #pragma acc parallel loop copyin(pointer[0:N])
    for (int i = 0; i < N; i++) y[i] += at(i);
    double q = 0;
    for (int i = 0; i < N; i++) q += y[i] + z[i] * 2 + hits[i];
    printf("%.10g %.10g\n", s, q);
    return 0;
}
