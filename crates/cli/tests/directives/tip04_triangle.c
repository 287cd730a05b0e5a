// Tip 4: triangular loops run in parallel, and what they do not write is left alone under `copy`.
#include <stdio.h>
#define N 60
#define M 70
float A[N][M];
int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) A[i][j] = -1;
#pragma acc region copy(A[0:N-1][0:M-1])
    {
        for (int i = 0; i < N; ++i) {
            for (int j = i; j < M; ++j) {
                A[i][j] = i + j;
            }
        }
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) sum += A[i][j] * (i + 1);
    printf("%.0f %g %g\n", sum, A[5][4], A[5][5]);
    return 0;
}
