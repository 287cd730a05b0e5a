#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define H 61
#define W 203
static float A[H][W], B[H][W];
static double C[5][H][W], D[5][H][W];
static void fill(float *a, int n) { for (int i = 0; i < n; i++) a[i] = (i * 37 % 101) / 8.f; }
static double sum(const float *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * (i % 7 + 1); return s; }
static void pointers(int n, int m, const float *restrict a, float *restrict b) {
    #pragma acc parallel loop tile(16,8) copyin(a[0:n*m]) copy(b[0:n*m])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            #pragma acc cache(a)
            b[i * m + j] = a[i * m + j] + a[(i - 1) * m + j] - a[(i + 1) * m + j] + a[i * m + j - 1] * a[i * m + j + 1];
        }
}
static void window(int n, int m, const float *restrict a, const float *restrict w, float *restrict b) {
    #pragma acc parallel loop tile(32,4) copyin(a[0:n*m], w[0:15]) copy(b[0:n*m])
    for (int i = 1; i < n - 1; i++)
        for (int j = 2; j < m - 2; j++) {
            #pragma acc cache(a)
            float t = 0;
            for (int k = -1; k <= 1; k++)
                for (int l = -2; l <= 2; l++) t += a[(i + k) * m + j + l] * w[(k + 1) * 5 + l + 2];
            b[i * m + j] = t;
        }
}
int main(void) {
    float err = 1;
    int it = 0;
    fill(A[0], H * W), fill(B[0], H * W);
    #pragma acc data copy(A, B)
    while (err > 0.05f && it++ < 20) {
        err = 0;
        #pragma acc parallel loop tile(32,4) reduction(max:err)
        for (int i = 1; i < H - 1; i++)
            for (int j = 1; j < W - 1; j++) {
                #pragma acc cache(A[i-1:3][j-1:3])
                B[i][j] = 0.25f * (A[i][j + 1] + A[i][j - 1] + A[i - 1][j] + A[i + 1][j]);
                err = fmaxf(err, fabsf(B[i][j] - A[i][j]));
            }
        #pragma acc parallel loop tile(32,4)
        for (int i = 1; i < H - 1; i++)
            for (int j = 1; j < W - 1; j++) A[i][j] = B[i][j];
    }
    printf("%d %g %.4f\n", it, err, sum(A[0], H * W));
    float *p = malloc(H * W * 4), *q = calloc(H * W, 4), w[15];
    fill(p, H * W), fill(w, 15);
    pointers(H, W, p, q);
    printf("%.4f\n", sum(q, H * W));
    window(H, W, p, w, q);
    printf("%.4f\n", sum(q, H * W));
    for (int i = 0; i < 5 * H * W; i++) C[0][0][i] = i % 11;
    double total = 0;
    #pragma acc parallel loop gang num_gangs(7) tile(8,16,2) copyin(C) copy(D) reduction(+:total)
    for (int k = 1; k < 4; k++)
        for (int i = 1; i < H - 1; i++)
            for (int j = 1; j < W - 1; j++) {
                #pragma acc cache(C[k-1:3][i-1:3][j-1:3])
                D[k][i][j] = C[k][i][j + 1] + C[k][i][j - 1] + C[k][i - 1][j] + C[k][i + 1][j] + C[k - 1][i][j] - C[k + 1][i][j] - 4 * C[k][i][j];
                total += D[k][i][j];
            }
    double s = 0;
    for (int i = 0; i < 5 * H * W; i++) s += D[0][0][i] * (i % 5);
    printf("%.1f %.1f\n", total, s);
    #pragma acc parallel loop num_gangs(5) tile(16,16) copyin(A) copyout(B)
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            #pragma acc cache(A)
            B[i][j] = j > 0 && j < W - 1 ? A[i][j - 1] + A[i][j + 1] : A[i][j];
        }
    printf("%.4f\n", sum(B[0], H * W));
    // The block's rows are a loop's that runs downwards: nothing is cached.
    #pragma acc parallel loop tile(32,4) copyin(A) copy(B)
    for (int i = H - 2; i > 0; i--)
        for (int j = 1; j < W - 1; j++) {
            #pragma acc cache(A)
            B[i][j] = A[i - 1][j] + A[i + 1][j];
        }
    printf("%.4f\n", sum(B[0], H * W));
    return 0;
}
