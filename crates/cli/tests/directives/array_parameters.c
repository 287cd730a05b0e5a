// Arrays whose extents nobody wrote: parameters, declarations, and pointers that clauses name without a section. Devices with memory
// of their own had no byte of them.
#include <stdio.h>
#define M 7
static void whole(int a[], int n, int *out) {
#pragma acc parallel loop copyout(out[0:n])
  for (int i = 0; i < n; i++) out[i] = a[i] * 2; }
static void rows(int n, int a[][M], int *out) {
#pragma acc kernels loop
  for (int i = 0; i < n; i++) out[i] = a[i][3] * 2; }
static void qualified(int n, int a[const restrict], int *restrict out) {
#pragma acc parallel loop
  for (int i = 0; i < n + 1; i++) out[i] = a[i] > 3 && a[i] <= 100 ? a[i] * 2 : 7; }
static void known(int n, int a[n], int *out) {
#pragma acc parallel loop copyout(out[0:n])
  for (int i = 0; i < n; i++) out[i] = a[n - 1 - i]; }
extern int later[];
static void declared(int n, int *out) {
#pragma acc parallel loop copyout(out[0:n])
  for (int i = 0; i < n; i++) out[i] = later[i]; }
int later[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static void named(int a[], int *b, int n, int *out) {
#pragma acc parallel loop copyin(a, b) copyout(out)
  for (int i = 0; i < n; i++) out[i] = a[i] + b[2 * i]; }
static void present_already(int a[], int n, int *out) {
#pragma acc data copyin(a[0:n]) copyout(out[0:n])
  {
#pragma acc data copyin(a) copy(out)
    {
#pragma acc parallel loop copyin(a) copyout(out)
      for (int i = 0; i < n; i++) out[i] = (i + 1 < n ? a[i + 1] : 0) - a[i];
    }
  } }
static void nobody_knows(int a[], int n, int *out) {
#pragma acc data copyin(a)
  {
#pragma acc parallel loop copyout(out[0:n])
    for (int i = 0; i < n; i++) out[i] = a[i] + 1;
  } }
static void show(const int *out, int n) { for (int i = 0; i < n; i++) printf(" %d", out[i]); printf("\n"); }
int main(void) {
  int a[18], b[18], t[5][M], out[9];
  for (int i = 0; i < 18; i++) a[i] = b[i] = i * i % 11;
  for (int i = 0; i < 5 * M; i++) t[0][i] = i;
  whole(a, 9, out); show(out, 9);
  rows(5, t, out); show(out, 5);
  qualified(8, a, out); show(out, 9);
  known(9, a, out); show(out, 9);
  declared(9, out); show(out, 9);
  named(a, b, 9, out); show(out, 9);
  present_already(a, 9, out); show(out, 9);
  nobody_knows(a, 9, out); show(out, 9);
  return 0; }
