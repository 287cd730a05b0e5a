// Gangs with code of their own around loops that threads of a block share on GPUs: sums, arrays of the gang, what one thread writes
// and others read, branches and loops around such loops, an array that is private to a loop inside of the construct.
#include <stdio.h>

enum { N = 90, M = 50 };
static double a[N][M], x[M], y[N], z[N][M];
static int rows[N + 1], columns[N * M];

static void rows_of_sums(void) {
    #pragma acc parallel loop gang copyin(a, x) copyout(y, z)
    for (int i = 0; i < N; i++) {
        double s = 0;
        #pragma acc loop vector reduction(+:s)
        for (int j = 0; j < M; j++) s += a[i][j] * x[j];
        y[i] = s;
        #pragma acc loop vector
        for (int j = 0; j < M; j++) z[i][j] = a[i][j] * s + y[i];
    }
}

static double sparse(void) {
    double total = 0;
    #pragma acc parallel loop gang reduction(+:total) vector_length(64) copyin(rows, columns, a, x) copy(y)
    for (int i = 0; i < N; i++) {
        double s = 0;
        int k;
        #pragma acc loop vector reduction(+:s)
        for (k = rows[i]; k < rows[i + 1]; k++) s += a[i][columns[k]] * x[columns[k]];
        total += s;
        if (s > 0) y[i] += s;
    }
    return total;
}

static void arrays_of_gangs(int n) {
    double own[M];
    #pragma acc parallel num_gangs(7) vector_length(96) copyin(a) copy(z, y)
    {
        int first = n > 3 ? 1 : 0;
        #pragma acc loop gang private(own)
        for (int i = 0; i < n; i++) {
            #pragma acc loop vector
            for (int j = 0; j < M; j++) own[j] = a[i][j] + j;
            double most = -1e9;
            #pragma acc loop vector reduction(max:most)
            for (int j = 0; j < M; j++) if (own[M - 1 - j] * (j % 3) > most) most = own[M - 1 - j] * (j % 3);
            for (int step = 0; step < 2; step++) {
                z[i][first] = most + step;
                if (i % 2) {
                    #pragma acc loop worker vector
                    for (int j = 2; j < M; j++) z[i][j] += z[i][first] * own[j];
                } else {
                    z[i][2] += own[3];
                }
            }
        }
        #pragma acc loop gang vector
        for (int i = 0; i < n; i++) y[i] *= 2;
    }
}

int main(void) {
    int nonzero = 0;
    for (int i = 0; i < N; i++) {
        rows[i] = nonzero;
        for (int j = 0; j < M; j++) a[i][j] = (i * 7 + j * 3) % 11 - 5;
        for (int j = i % 7; j < M; j += 1 + i % 5) columns[nonzero++] = j;
    }
    rows[N] = nonzero;
    for (int j = 0; j < M; j++) x[j] = j % 5 - 2;
    rows_of_sums();
    double total = sparse();
    arrays_of_gangs(N);
    double s = 0, q = 0;
    for (int i = 0; i < N; i++) {
        s += y[i] * (i % 13);
        for (int j = 0; j < M; j++) q += z[i][j] * (j % 7);
    }
    printf("%g %g %g\n", s, q, total);
    return 0;
}
