// Tip 6: a scalar whose last value is wanted keeps the loop serial until it is private.
#include <stdio.h>
#define N 30
#define M 40
float A[N][M], B[N][M];
int main(void) {
    int idx = 0;
#pragma acc region
    {
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < M; ++j) {
                idx = i + j;
                A[i][j] = idx;
            }
        }
    }
    printf("%d %g %g\n", idx, A[1][1], A[2][1]);
#pragma acc region
    {
#pragma acc for private(idx)
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < M; ++j) {
                idx = i + j;
                B[i][j] = idx;
            }
        }
    }
    printf("%g %g\n", B[1][1], B[29][39]);
    return 0;
}
