// What constructs and looks into the present table cost (docs/directives.md): the best of 200.
//     unspool cc -acc -fast scripts/acc_overheads.c -o overheads && ./overheads; ACC_DEVICE_TYPE=discrete ./overheads
//     gcc -O2 -fopenacc scripts/acc_overheads.c -o overheads && ./overheads
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(void) {
    double empty = 1, loop = 1, look = 1, data = 1, present = 1;
    float *a = malloc(4000), *many[1000];
    for (int i = 0; i < 1000; i++) { many[i] = malloc(64); acc_copyin(many[i], 64); }
#pragma acc enter data copyin(a[0:1000])
    for (int r = 0; r < 200; r++) {
        double t = now();
        for (int k = 0; k < 100; k++) {
#pragma acc parallel
            { }
        }
        t = (now() - t) / 100; if (t < empty) empty = t;
        t = now();
        for (int k = 0; k < 100; k++) {
#pragma acc parallel loop present(a[0:1000])
            for (int i = 0; i < 100; i++) a[i] = i;
        }
        t = (now() - t) / 100; if (t < loop) loop = t;
        t = now();
        for (int k = 0; k < 100; k++) {
#pragma acc parallel loop present(a[0:1000])
            for (int i = 0; i < 1000; i++) a[i] = i;
        }
        t = (now() - t) / 100; if (t < present) present = t;
        t = now();
        for (int i = 0; i < 1000; i++) acc_is_present(many[i], 64);
        t = now() - t; if (t < look) look = t;
        t = now();
        for (int i = 0; i < 1000; i++) {
#pragma acc data present(a[0:1000])
            { }
        }
        t = (now() - t); if (t < data) data = t;
    }
    printf("empty parallel %.2f us, loop of 100 %.2f us, of 1000 %.2f us, 1000 acc_is_present %.1f us, 1000 data present %.1f us\n", 1e6 * empty, 1e6 * loop, 1e6 * present, 1e6 * look, 1e6 * data);
    return 0;
}
