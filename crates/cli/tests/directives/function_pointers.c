// Pointers to functions at file scope, which regions call through: what they point to is no data.
#include <stdio.h>
#include <stdlib.h>
static double twice(double x) { return 2 * x; }
typedef double (*function)(double);
double (*chosen)(double) = twice;
function other = twice;
char *text = "a";
static double f(double x) { if (x < 0) { text = "b"; fprintf(stderr, "%s\n", text); } return chosen(x) + other(x); }
int main(void) {
    double a[8];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 8; i++) a[i] = f(i);
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 8; i++) a[i] += (*chosen)(i);
#pragma acc data copyin(chosen)
    for (int i = 0; i < 8; i++) printf("%g\n", a[i]);
    return 0;
}
