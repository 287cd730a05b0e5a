// Data clauses that name members of a structure, and constructs that use more of it than they name: members stand on the device as
// far apart as on the host, and kernels reach those that are there though others are not.
#include <stdio.h>
#include <stdlib.h>

struct part { int a, b; };
struct whole {
    int count, spare;
    double factor;
    double *x, *y;
    struct part inner;
};

static double numbers_and_pointers(int n) {
    struct whole w = { n, 1, 1.5, malloc(n * sizeof(double)), malloc(n * sizeof(double)), { 3, 4 } };
    for (int i = 0; i < n; i++) w.x[i] = i;
    #pragma acc parallel loop copyin(w.x[0:n], w.count, w.factor) copyout(w.y[0:n])
    for (int i = 0; i < w.count; i++) w.y[i] = w.x[i] * w.factor;
    double s = 0;
    for (int i = 0; i < n; i++) s += w.y[i] * i;
    for (int round = 0; round < 3; round++) {
        #pragma acc enter data copyin(w.count, w.x[0:n])
        #pragma acc parallel loop present(w.count, w.x)
        for (int i = 0; i < n; i++) w.x[i] += w.count;
        #pragma acc exit data copyout(w.x[0:n])
        #pragma acc exit data delete(w.count)
    }
    for (int i = 0; i < n; i++) s += w.x[i];
    printf("%d %d %g\n", w.count, w.spare, w.factor);
    free(w.x);
    free(w.y);
    return s;
}

static void a_structure_in_it(void) {
    struct whole w = { 1, 2, 3, 0, 0, { 4, 5 } };
    #pragma acc enter data copyin(w.inner)
    #pragma acc serial present(w.inner)
    {
        w.inner.a += 10;
        w.inner.b += 20;
    }
    #pragma acc exit data copyout(w.inner)
    printf("%d %d %d\n", w.count, w.inner.a, w.inner.b);
}

int main(void) {
    printf("%g\n", numbers_and_pointers(50));
    a_structure_in_it();
    return 0;
}
