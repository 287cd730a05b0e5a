// Memory that regions allocate and free.
#include <stdio.h>
#include <stdlib.h>
static double sum_of(int n) { double *p = malloc(n * sizeof *p), s = 0; int *c = calloc(n, sizeof(int)); if (!p) return -1; for (int i = 0; i < n; i++) p[i] = i + c[i]; for (int i = 0; i < n; i++) s += p[i]; free(p); free(c); return s; }
int main(void) { double r[50]; double *kept[4];
#pragma acc parallel loop copyout(r)
  for (int i = 0; i < 50; i++) r[i] = sum_of(i);
  for (int i = 0; i < 50; i += 7) printf("%g\n", r[i]);
  return 0; }
