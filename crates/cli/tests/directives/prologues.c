#include <math.h>
#include <stdio.h>
#define N 500

double a[N], b[N], c[N];

/* What a region begins with was a kernel of one work-item with all of its loops. */
void begins(int n, int given) {
#pragma acc kernels copyin(a) copy(b, c)
  {
    int m;
    double h, t;
    const double w[3] = { 0.25, 0.5, 0.25 };
    m = given - 2;
    h = 1.0 / sqrt(m + n);
#pragma acc loop independent
    for (int i = 1; i < m; i++) {
      t = a[i] * h;
      b[i] = w[0] * a[i - 1] + w[1] * t + w[2] * a[i + 1];
    }
#pragma acc loop independent
    for (int i = 0; i < m; i++) c[i] = b[i] * m;
  }
}

/* The clause's `n` is the function's. */
void another_name(int n) {
#pragma acc kernels copy(b[0:n])
  {
    int n = 10;
    for (int i = 0; i < n; i++) b[i] += n;
  }
}

/* The host ran the block with the second `m`. */
void named_twice(int n, int m) {
#pragma acc kernels copy(b[0:10]) if(n > 1000)
  {
    const int w = m * m;
    int m = 9;
    for (int i = 0; i < 10; i++) b[i] += w + m;
  }
}

/* Values of arrays are the device's. */
void from_memory(int n) {
#pragma acc kernels copy(b[0:n])
  {
    double first = b[0];
    for (int i = 0; i < n; i++) b[i] -= first;
  }
}

/* What its loops change is kept between them; outer variables are. */
double changed(int n) {
  double last = 1, sum;
#pragma acc kernels copyin(a)
  {
    double most = 0;
    int far = n / 2;
    sum = 0;
    for (int i = 0; i < far; i++) most = fmax(most, a[i]);
    for (int i = 0; i < n; i++) sum += a[i] / most;
    last = most + far;
  }
  return last + sum;
}

/* Declarations between loops: the block was one kernel of one work-item. */
double between(int n) {
  double sum = 0, out = 0;
#pragma acc kernels copy(b[0:n])
  {
    const double first = b[3];
    for (int i = 0; i < n; i++) sum += b[i] * b[i];
    double norm = sqrt(sum),
           twice = 2 * norm;
    unsigned char small = 300 + n;
    for (int i = 0; i < n; i++) b[i] = b[i] / norm + first;
    out = twice + small;
  }
  return out;
}

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i * 37 % 101, b[i] = i % 5, c[i] = 0;
  for (int round = 0; round < 3; round++) begins(10 + round, 300 + 40 * round);
  another_name(77);
  named_twice(3, 5);
  from_memory(N);
  double s = changed(N) + between(N - 3);
  for (int i = 0; i < N; i++) s += b[i] * (i % 7) + c[i];
  printf("%.6f\n", s);
  return 0;
}
