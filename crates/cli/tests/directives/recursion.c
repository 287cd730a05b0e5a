// Functions that call themselves ran on the host, and what `_Generic` chose was no function if it was one of the library's.
#include <math.h>
#include <stdio.h>
#define SIZE(x) _Generic((x), int: abs, float: fabsf, double: fabs)(x)
int abs(int);
#pragma acc routine seq
static int calls(int n) { return n < 2 ? n : calls(n - 1) + calls(n - 2); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static void turn(int *a, int i, int j) { if (i >= j) return; int t = a[i]; a[i] = a[j]; a[j] = t; turn(a, i + 1, j - 1); }
int main(void) {
  int r[100], parity = 0; double d = 0;
#pragma acc parallel loop copyout(r) reduction(+:parity)
  for (int i = 0; i < 100; i++) {
    int a[9];
    for (int k = 0; k < 9; k++) a[k] = i * k;
    turn(a, i % 3, 8);
    r[i] = calls(i % 12) + a[i % 9];
    parity += even(i);
  }
#pragma acc parallel loop reduction(+:d)
  for (int i = 0; i < 100; i++) d += SIZE(i - 50) + SIZE((double)i - 49.5) + SIZE((float)i * -0.25f);
  unsigned sum = 0; for (int i = 0; i < 100; i++) sum = sum * 7 + r[i];
  printf("%u %d %g\n", sum, parity, d);
  return 0; }
