#include <stdio.h>

double b[40][3];

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
  double s = 0;
  for (int i = 0; i < n; i++) s += c[i] * (i % 5);
  for (int i = 0; i < 40; i++) s += b[i][i % 3] * (i % 7);
  printf("%g\n", s);
  return 0;
}
