// Definitions as C had them before prototypes: directives in such functions vanished without a word, and what stands behind them could
// not be used in regions.
#include <stdio.h>
static double product(x, y, n) double *x, y[]; int n; {
  double s = 0; int i;
#pragma acc parallel loop reduction(+:s) copyin(x[0:n], y[0:n])
  for (i = 0; i < n; i++) s += x[i] * y[i];
  return s; }
struct range { char name[8]; double low, high; } ranges[3] = { { "one", 1, 2 }, { "two", 3, 4 }, { "three", 5, 6 } };
static float half(a) float a; { return a / 2; }
static int next(n) { return n + 1; }
int main(argc, argv) int argc; char **argv; {
  double x[50], y[50], sum = 0; int r[50];
  for (int i = 0; i < 50; i++) { x[i] = i; y[i] = i * i; }
  printf("%g\n", product(x, y, 50));
#pragma acc parallel loop reduction(+:sum) copyin(ranges)
  for (int i = 0; i < 3; i++) { sum += ranges[i].low * ranges[i].high; for (int c = 0; ranges[i].name[c]; c++) sum += ranges[i].name[c]; }
#pragma acc parallel loop copyout(r)
  for (int i = 0; i < 50; i++) r[i] = next(i) * 2 + (int)half((float)i) + argc;
  printf("%g %d %d\n", sum, r[7], r[49]);
  return 0; }
