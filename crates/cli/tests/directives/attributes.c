// Attributes before the name of a function that `routine` is about, functions that give up in regions, `data` that names nothing.
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

#pragma acc routine seq
static int __attribute__((noinline)) twice(int x) { return 2 * x; }

#pragma acc routine worker
__attribute__((noinline, unused)) static void all(int *p, int n) {
    #pragma acc loop worker
    for (int i = 0; i < n; i++) p[i] = twice(p[i]) + 1;
}

int main(void) {
    int p[40], n = 40;
    for (int i = 0; i < n; i++) p[i] = i;
    #pragma acc data
    {
        #pragma acc parallel copy(p) num_gangs(1)
        all(p, n);
        #pragma acc parallel loop copy(p)
        for (int i = 0; i < n; i++) {
            if (p[i] < 0) abort();
            if (p[i] > 1000) __builtin_abort();
            p[i] = twice(p[i]);
        }
    }
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i] * i;
    printf("%d\n", s);
    return 0;
}
