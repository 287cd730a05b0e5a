// Scalars in loops that the program calls independent. What both branches of an `if` set was not seen as set, and all iterations
// wrote it into each other's hands; so they did with what one branch sets.
#include <stdio.h>
enum { N = 1000 };
static int a[N], b[N], c[N];
static void greatest(int n, int penalty) {
    int x, y, k;
#pragma acc kernels loop gang worker independent
    for (int i = 1; i < n; i++) {
        x = a[i - 1] + a[i];
        y = a[i] - penalty;
        if (x <= y)
            k = y;
        else {
            if (x & 1) { k = x; } else k = x + 1;
        }
        if (k <= penalty)
            b[i] = penalty;
        else
            b[i] = k;
    }
}
static void sometimes(int n) {
    int k = -5;
#pragma acc kernels loop independent
    for (int i = 0; i < n; i++) {
        k = k > 0 ? -1 : k;
        if (a[i] & 1) k = i;
        c[i] = k;
    }
}
// A jump comes into the branch behind the assignment.
static void jumped(int n) {
    int k = 3;
#pragma acc kernels loop
    for (int i = 0; i < n; i++) {
        if (a[i] & 4) goto in;
        if (a[i] & 2) {
            k = i;
        in:
            b[i] += k;
        } else
            k = 7;
        c[i] += k;
    }
}
int main(void) {
    for (int i = 0; i < N; i++) a[i] = (i * 37 + 11) % 101 - 40;
    greatest(N, 10);
    sometimes(N);
    jumped(N);
    unsigned sum = 0;
    for (int i = 0; i < N; i++) sum = sum * 31 + b[i] * 7 + c[i];
    printf("%u\n", sum);
    return 0;
}
