// Structures with pointers, members with sections, arrays of pointers.
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int n;
    double scale;
    double *x;
} Vec;
static double norm(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}
int main(void) {
    Vec v = { 100, 2.5, malloc(100 * sizeof(double)) };
    for (int i = 0; i < v.n; i++) v.x[i] = i;
#pragma acc data copyin(v) copy(v.x[0:v.n])
    {
#pragma acc parallel loop
        for (int i = 0; i < v.n; i++) v.x[i] *= v.scale;
    }
    printf("%g\n", norm(v.x, v.n));
    double **rows = malloc(10 * sizeof *rows);
    for (int i = 0; i < 10; i++) {
        rows[i] = malloc((i + 1) * 8 * sizeof **rows);
        for (int j = 0; j < 8; j++) rows[i][j] = i * j;
    }
#pragma acc parallel loop copy(rows[0:10][0:8])
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 8; j++) rows[i][j] += 1;
    double s = 0;
    for (int i = 0; i < 10; i++) s += norm(rows[i], 8);
    printf("%g %p\n", s, (void *)(v.x == NULL ? v.x : NULL));
    Vec *p = &v;
#pragma acc enter data copyin(p[0:1])
#pragma acc enter data copyin(p->x[0:p->n])
#pragma acc parallel loop present(p[0:1])
    for (int i = 0; i < p->n; i++) p->x[i] += 1;
#pragma acc exit data copyout(p->x[0:p->n])
#pragma acc exit data delete(p[0:1])
    printf("%g\n", norm(v.x, v.n));
    return 0;
}
