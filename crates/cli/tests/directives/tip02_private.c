// Tip 2: an array that each iteration uses for itself keeps a loop serial until it is private.
#include <stdio.h>
#define N 40
#define M 50
float A[N][M], B[N][M];
int main(void) {
    float tmp[10], sum;
#pragma acc region
    {
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < M; ++j) {
                for (int ii = 0; ii < 10; ++ii) {
                    tmp[ii] = ii + i;
                }
                sum = 0;
                for (int ii = 0; ii < 10; ++ii) {
                    sum += tmp[ii];
                }
                A[i][j] = sum + j;
            }
        }
    }
#pragma acc region
    {
        for (int i = 0; i < N; ++i) {
#pragma acc for private(tmp[0:9])
            for (int j = 0; j < M; ++j) {
                for (int ii = 0; ii < 10; ++ii) {
                    tmp[ii] = ii + i;
                }
                sum = 0;
                for (int ii = 0; ii < 10; ++ii) {
                    sum += tmp[ii];
                }
                B[i][j] = sum + j;
            }
        }
    }
    double a = 0, b = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) a += A[i][j] * (i + 2 * j), b += B[i][j] * (i + 2 * j);
    printf("%.0f %.0f\n", a, b);
    return 0;
}
