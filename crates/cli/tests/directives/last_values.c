// A scalar whose last value the condition of a loop around reads: what the loops around begin with is not done again.
#include <stdio.h>
int main(void) {
    enum { N = 50, M = 30 };
    static int a[M], b[N], c[M]; int x = 0, r = 0;
    for (int j = 0; j < M; j++) a[j] = (j * 7) % 5 - 1;
    for (int i = 0; i < N; i++) {
        x = i % 3 + 1;
        int n = 0;
        while (x > 0 && n < 6) {
            #pragma acc kernels copyin(a) copy(c)
            for (int j = 0; j < M; j++) { x = a[j] + n - 3; c[j] += x; }
            n++;
        }
        b[i] = n; r += n * i;
    }
    int s = 0; for (int j = 0; j < M; j++) s += c[j] * j;
    printf("%d %d %d\n", r, s, b[7]);
    return 0;
}
