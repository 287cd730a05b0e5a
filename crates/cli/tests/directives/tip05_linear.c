// Tip 5: computed indices: rows of another length than the loop's are a dependence; asserted or proved, it is parallel.
#include <stdio.h>
#include <stdlib.h>
void wrong_rows(int N, int M, float *restrict A, float B[N][M]) {
    int idx;
#pragma acc region copy(A[0:N*M-1])
    {
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < M; ++j) {
                idx = (i * N) + j;
                A[idx] = B[i][j];
            }
        }
    }
}
void asserted(int N, int M, float *restrict A, float B[N][M]) {
    int idx;
#pragma acc region copyout(A[0:N*M-1])
    {
#pragma acc for independent private(idx)
        for (int i = 0; i < N; ++i) {
#pragma acc for independent
            for (int j = 0; j < M; ++j) {
                idx = (i * M) + j;
                A[idx] = B[i][j];
            }
        }
    }
}
void proved(int N, int M, float *restrict A, float B[N][M]) {
    int idx;
#pragma acc region copyout(A[0:N*M-1])
    {
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < M; ++j) {
                idx = (i * M) + j;
                A[idx] = B[i][j];
            }
        }
    }
}
static double sum(int n, const float *a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * (i % 17);
    return s;
}
int main(void) {
    int n = 30, m = 40;
    float *a = calloc(n * m, sizeof *a), (*b)[m] = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i][j] = i * 100 + j;
    wrong_rows(n, m, a, b);
    printf("%.0f\n", sum(n * m, a));
    asserted(n, m, a, b);
    printf("%.0f\n", sum(n * m, a));
    proved(n, m, a, b);
    printf("%.0f\n", sum(n * m, a));
    return 0;
}
