// Tips 10 to 12: pointer arrays go row by row, variable length arrays at once, data regions keep both on the device.
#include <stdio.h>
#include <stdlib.h>
void rows(int N, int M, float **b, float *restrict a, int **ix, const int niter) {
    for (int it = 1; it <= niter; ++it) {
#pragma acc parallel loop copy(b[0:N][0:M]) copyin(a[0:N*M], ix[0:N][0:M])
        for (int i = 1; i < N - 1; ++i) {
            for (int j = 1; j < M - 1; ++j) {
                b[i][j] += 0.5f * (a[ix[i - 1][j - 1]] + a[i * M + j]);
            }
        }
    }
}
void testgpu1(int N, int M, float b[N][M], float *restrict a, int ix[N][M], const int niter) {
    int i, j;
    for (int it = 1; it <= niter; ++it) {
#pragma acc region copyin(a[0:(N*M)-1])
        {
            for (i = 1; i < N - 1; ++i) {
                for (j = 1; j < M - 1; ++j) {
                    b[i][j] += 0.5f * (a[ix[i - 1][j - 1]] + a[i * M + j]);
                }
            }
        }
    }
}
void kept(int N, int M, float b[N][M], float *restrict a, int ix[N][M], const int niter) {
    int i, j;
#pragma acc data region copyin(a[0:(N*M)-1]), copy(b[0:N-1][0:M-1]), copyin(ix[0:N-1][0:M-1])
    {
        for (int it = 1; it <= niter; ++it) {
#pragma acc region
            {
                for (i = 1; i < N - 1; ++i) {
                    for (j = 1; j < M - 1; ++j) {
                        b[i][j] += 0.5f * (a[ix[i - 1][j - 1]] + a[i * M + j]);
                    }
                }
            }
        }
    }
}
int main(void) {
    int n = 30, m = 50;
    float *a = malloc(n * m * sizeof *a), (*b)[m] = calloc(n, sizeof *b), **r = malloc(n * sizeof *r);
    int(*ix)[m] = malloc(n * sizeof *ix), **rx = malloc(n * sizeof *rx);
    for (int i = 0; i < n; i++) {
        r[i] = calloc(m, sizeof *r[i]), rx[i] = malloc(m * sizeof *rx[i]);
        for (int j = 0; j < m; j++) a[i * m + j] = i + j, ix[i][j] = rx[i][j] = (i * 7 + j * 3) % (n * m);
    }
    rows(n, m, r, a, rx, 3);
    testgpu1(n, m, b, a, ix, 3);
    kept(n, m, b, a, ix, 4);
    double s = 0, t = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += b[i][j] * (i + j), t += r[i][j] * (i + j);
    printf("%.1f %.1f\n", s, t);
    return 0;
}
