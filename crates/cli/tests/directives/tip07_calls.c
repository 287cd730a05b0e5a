// Tip 7: what a region calls is part of its kernel, with `switch` and more than one caller.
#include <stdio.h>
#define N 1000
static float shape(int i) {
    switch (i % 3) {
    case 0: return 1.5f;
    case 1: return i;
    default: return -i;
    }
}
float twice(float x) { return 2 * x; }
float A[N];
int main(void) {
#pragma acc region
    {
        for (int i = 0; i < N; ++i) {
            A[i] = twice(shape(i));
        }
    }
    double sum = 0;
    for (int i = 0; i < N; i++) sum += A[i] * i;
    printf("%.1f %g\n", sum, twice(shape(4)));
    return 0;
}
