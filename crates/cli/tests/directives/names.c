// Members and variables of the names of functions: what kernels do not call they do not need.
#include <stdio.h>
void sum(float *x) { FILE *f = fopen("/dev/null", "w"); if (f) { fprintf(f, "%g", *x); fclose(f); } }
void dump(void) { puts("never"); }
static int twice(int x) { return 2 * x; }
struct s { int sum; int dump; };
typedef struct s limits;
static int both(int k) { limits dump = { k, 1 }; int sum = dump.sum; return twice(sum) + dump.dump; }
int main(void) {
    struct s v = { 3, 0 };
    int a[20];
    long total = 0;
    #pragma acc parallel loop copyout(a) copyin(v)
    for (int i = 0; i < 20; i++) {
        int sum = i + v.sum;
        a[i] = both(sum);
    }
    #pragma acc parallel loop reduction(+:total) copyin(a)
    for (int i = 0; i < 20; i++) {
        int dump = a[i];
        total += dump;
    }
    printf("%ld\n", total);
    return 0;
}
