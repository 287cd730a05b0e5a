#include <stdio.h>

double b[40][3];
static const int known[] = { 1, 2, 3 };

/* The size of an array that is data kept regions on the host. */
int main(void) {
  float c[100];
  int n = 100;
  for (int i = 0; i < n; i++) c[i] = i;
#pragma acc parallel loop
  for (int i = 0; i < (int)(sizeof(c) / sizeof(c[0])); i++) c[i] += sizeof c + sizeof(b) + sizeof b[1] + sizeof(((b)));
#pragma acc kernels
  {
    for (int i = 0; i < 40; i++)
      for (int j = 0; j < 3; j++) b[i][j] = i * j + sizeof(c);
    unsigned long wide = sizeof b / sizeof *b;
    for (int i = 0; i < 40; i++) b[i][1] += wide;
  }
  /* Bounds that are sizes are numbers to what tells iterations apart. */
#pragma acc kernels
  for (int i = 0; i < (int)(sizeof c / sizeof *c / 2); i++) c[i] += c[i + sizeof c / sizeof c[0] / 2] + c[i + 50];
  int m = n / 2;
  double computed[m];
#pragma acc parallel loop copyout(computed)
  for (int i = 0; i < m; i++) computed[i] = sizeof known / sizeof *known + sizeof(computed) + known[i % 3];
  double s = 0;
  for (int i = 0; i < m; i++) s += computed[i];
  for (int i = 0; i < n; i++) s += c[i] * (i % 5);
  for (int i = 0; i < 40; i++) s += b[i][i % 3] * (i % 7);
  printf("%g\n", s);
  return 0;
}
