// Pointers in data clauses without a section: members mean what they point to, and pointers to structures one of them.
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n; double *d; } vec;
typedef struct { vec *a, *b; } pair;

static vec *made(int n) {
    vec *v = malloc(sizeof *v);
    v->n = n;
    v->d = malloc(n * sizeof *v->d);
    #pragma acc enter data create(v, v->d[:n]) copyin(v->n)
    return v;
}

static void gone(vec *v) {
    #pragma acc exit data delete(v->d)
    #pragma acc exit data delete(v)
    free(v->d);
    free(v);
}

int main(void) {
    vec *v = malloc(sizeof *v), s;
    v->n = s.n = 100;
    v->d = malloc(800);
    s.d = malloc(800);
    for (int round = 0; round < 3; round++) {
        double sum = 0;
        for (int i = 0; i < 100; i++) v->d[i] = s.d[i] = round * i;
        #pragma acc enter data copyin(v[0:1], s) copyin(v->d[0:v->n], s.d[0:s.n])
        #pragma acc parallel loop present(v, s) reduction(+:sum)
        for (int i = 0; i < 100; i++) {
            sum += v->d[i] * s.d[i];
            s.d[i] = i + round;
        }
        #pragma acc exit data copyout(s.d) delete(v->d)
        #pragma acc exit data delete(v, s)
        printf("%g %g\n", sum, s.d[99]);
    }
    pair *p = malloc(sizeof *p);
    #pragma acc enter data create(p)
    p->a = made(50);
    p->b = made(50);
    #pragma acc parallel loop present(p, p->a, p->a->d[:50]) present(p->b, p->b->d[:50])
    for (int i = 0; i < 50; i++) {
        p->a->d[i] = i;
        p->b->d[i] = 2 * i;
    }
    vec *sum = made(50);
    #pragma acc parallel loop present(p, p->a, p->b, sum)
    for (int i = 0; i < 50; i++) sum->d[i] = p->a->d[i] + p->b->d[i];
    #pragma acc update self(sum->d[:50], p->a->d)
    printf("%g %g\n", sum->d[49], p->a->d[49]);
    gone(sum);
    gone(p->a);
    gone(p->b);
    #pragma acc exit data delete(p)
    free(p);
    return 0;
}
