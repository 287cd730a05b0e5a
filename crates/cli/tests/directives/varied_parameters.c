/* Functions that regions call have parameters with computed extents. */
#include <stdio.h>
#include <stdlib.h>
#pragma acc routine seq
void smooth(int n, int m, const double a[restrict n][m], double b[restrict n][m], int i);
#pragma acc routine seq
double norm3(int, int, int, double a[*][*][*]);
static int scale = 2;
#pragma acc routine seq
static double at(int n, int m, const double (*a)[m], int i, int j) { return i >= 0 && i < n && j >= 0 && j < m ? a[i][j] : 0; }
void smooth(int n, int m, const double a[restrict n][m], double b[restrict n][m], int i) {
  for (int j = 0; j < m; j++) b[i][j] = 0.25 * (at(n, m, a, i-1, j) + at(n, m, a, i+1, j) + at(n,m,a,i,j-1) + at(n,m,a,i,j+1));
}
#pragma acc routine seq
static double row(int k, double *r) { double s = 0; for (int i = 0; i < k; i++) s += r[i]; return s; }
#pragma acc routine seq
static double plane(int m, int k, double p[m][k + 0]) { double s = 0; for (int j = 0; j < m; j++) s += row(k, p[j]) + p[j][k-1]; return s; }
double norm3(int n, int m, int k, double a[n][m][k]) { double s = 0; for (int i = 0; i < n; i++) s += plane(m, k, a[i]) + a[i][m-1][k-1]*2; return s; }
#define N 40
#pragma acc routine seq
static double trace(int n, double a[n][n]) { double s = 0; for (int i = 0; i < n; i++) s += a[i][i]; return s; }
static void step(int n, int m, double a[n][m], double b[n][m]) {
#pragma acc parallel loop copyin(a[0:n][0:m]) copy(b[0:n][0:m])
  for (int i = 0; i < n; i++) smooth(n, m, a, b, i);
}
int main(void) {
  static double c[N][N]; double d[3][N][N]; double t[3];
  int n = 30, m = 20, k = 7;
  double (*a)[m] = malloc(sizeof(double[n][m])), (*b)[m] = malloc(sizeof(double[n][m]));
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i * 0.5 + j, b[i][j] = 0;
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[i][j] = i + 2 * j, d[0][i][j] = i, d[1][i][j] = j, d[2][i][j] = i*j;
  for (int r = 0; r < 3; r++) { step(n, m, a, b); step(n, m, b, a); }
#pragma acc parallel loop
  for (int i = 0; i < 3; i++) t[i] = trace(N, d[i]) + trace(N, c);
  double e[n][m][k]; double s[4];
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int l = 0; l < k; l++) e[i][j][l] = i - j + l;
#pragma acc parallel loop copyin(e) copyout(s)
  for (int i = 0; i < 4; i++) s[i] = norm3(n, m, k, e) + i;
  double sum = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) sum += a[i][j] * (i + 1) + b[i][j];
  printf("%.12g %g %g %g %g %g\n", sum, t[0], t[1], t[2], s[0], s[3]);
}
