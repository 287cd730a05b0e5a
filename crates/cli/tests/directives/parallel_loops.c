// Parallel loops: variable length arrays, reductions, collapse, data regions, updates, atomic updates.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define N 300
static double c[N][N];
void vla(int n, int m, double a[n][m], const double *restrict x) {
#pragma acc parallel loop collapse(2) copy(a[0:n][0:m]) copyin(x[0:m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += 2 * x[j] + sqrt(i);
}
int main(void) {
  int n = 100000, i, j;
  float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (i = 0; i < n; i++) b[i] = i;
#pragma acc parallel loop copyin(b[0:n]) copyout(a[0:n])
  for (i = 0; i < n; i++)
    a[i] = 2 * b[i] + 1;
  double s = 0; 
#pragma acc parallel loop reduction(+:s) copyin(a[0:n])
  for (i = 0; i < n; i++) s += a[i];
  printf("%g\n", s);
  double (*v)[30] = malloc(20 * sizeof *v), x[30];
  for (i = 0; i < 30; i++) x[i] = i;
  for (i = 0; i < 20; i++) for (j = 0; j < 30; j++) v[i][j] = 1;
  vla(20, 30, v, x);
  s = 0;
  for (i = 0; i < 20; i++) for (j = 0; j < 30; j++) s += v[i][j];
  printf("%g\n", s);
#pragma acc data create(c)
  {
#pragma acc parallel loop
  for (i = 0; i < N; i++)
#pragma acc loop
    for (j = 0; j < N; j++) c[i][j] = i + j;
    int hits = 0, m = -1;
#pragma acc parallel loop reduction(+:hits) reduction(max:m)
  for (i = 0; i < N; i++) {
    int row = 0;
    for (j = 0; j < N; j++) if (c[i][j] == 7) continue; else row++;
    hits += row; if (row > m) m = row;
  }
#pragma acc update host(c[1:2], c[250:10])
  printf("%d %d %g %g\n", hits, m, c[2][5], c[255][3]);
  }
  int hist[10] = {0};
#pragma acc parallel loop copy(hist)
  for (i = 0; i < n; i++) {
#pragma acc atomic update
    hist[i % 10]++;
  }
  printf("%d %d\n", hist[0], hist[9]);
  return 0;
}
