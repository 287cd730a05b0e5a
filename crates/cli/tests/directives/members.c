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

/* Members come and go one by one, and what stands between them is left alone. */
static void one_by_one(void) {
    struct whole w = { 1, 2, 3, 0, 0, { 4, 5 } };
    #pragma acc data copy(w.count, w.inner.b)
    {
        #pragma acc serial present(w.count, w.inner.b)
        {
            w.count += 10;
            w.inner.b += 10;
        }
        w.spare = 77;
    }
    printf("%d %d %d\n", w.count, w.spare, w.inner.b);
    #pragma acc data copyin(w.count) copyout(w.inner.b)
    {
        #pragma acc serial present(w.count, w.inner.b)
        { w.inner.b = w.count + 1; }
    }
    #pragma acc data copyout(w.count) copyin(w.inner.b)
    {
        #pragma acc serial present(w.count, w.inner.b)
        { w.count = w.inner.b + 1; }
    }
    printf("%d %d %d\n", w.count, w.spare, w.inner.b);
    #pragma acc enter data copyin(w.count, w.inner.b)
    #pragma acc serial present(w.count, w.inner.b)
    {
        w.count = 300;
        w.inner.b = 400;
    }
    w.spare = 78;
    #pragma acc exit data copyout(w.count)
    w.count += 9;
    #pragma acc enter data copyin(w.count)
    #pragma acc serial present(w.count, w.inner.b)
    { w.inner.b += w.count; }
    #pragma acc exit data delete(w.count) copyout(w.inner.b)
    printf("%d %d %d\n", w.count, w.spare, w.inner.b);
}

int main(void) {
    printf("%g\n", numbers_and_pointers(50));
    a_structure_in_it();
    one_by_one();
    return 0;
}
