// Tip 1: pointer arithmetic stays on the host, and the indexed form is parallel.
#include <stdio.h>
#include <stdlib.h>
void walk(float *restrict A, float *restrict B, int count) {
    float *ptrA = A;
    float *ptrB = B;
#pragma acc region
    {
        while (count-- > 0) {
            *ptrA++ = *ptrB++;
        }
    }
}
void copy(float *restrict A, float *restrict B, int count) {
#pragma acc region
    {
        for (int i = 0; i < count; ++i) {
            A[i] = B[i];
        }
    }
}
int main(void) {
    int n = 10000;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) b[i] = i, a[i] = -1;
    walk(a, b, n / 2);
    printf("%g %g %g\n", a[0], a[n / 2 - 1], a[n / 2]);
    copy(a, b, n);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    printf("%.0f\n", sum);
    return 0;
}
