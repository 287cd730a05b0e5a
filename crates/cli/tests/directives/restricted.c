// Arrays of parameters that are `restrict` in their brackets: no question is asked at run time.
void f(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
#pragma acc kernels loop copy(A[0:n][0:m]) copyin(B[0:n][0:m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) A[i][j] += B[i][j];
}
void g(int n, double A[restrict 8][16], const double B[8][16], double *restrict C, double D[restrict]) {
#pragma acc parallel loop
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 16; j++) A[i][j] += B[i][j];
#pragma acc kernels loop copy(C[0:n]) copyin(D[0:n])
  for (int i = 0; i < n; i++) C[i] += D[i];
}
#include <stdio.h>
int main(void) { double a[8][16], b[8][16], c[8], d[8]; for (int i = 0; i < 128; i++) a[i/16][i%16] = i, b[i/16][i%16] = 1; for (int i = 0; i < 8; i++) c[i] = i, d[i] = 2;
 g(8, a, b, c, d); f(8, 16, a, b); printf("%g %g %g\n", a[7][15], a[0][0], c[7]); }
