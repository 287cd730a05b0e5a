/* Loops in the order in which memory is, whatever the order of the text. */
#include <stdio.h>

enum { n = 90, m = 70, few = 3 };
static double a[n][m], b[m][n], c[m][n], points[n][few], cube[n][m][20], flat[n * m];

/* Each iteration of the inner loop was a row away from the last one. */
void neighbours(void) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j][i] = c[j][i] * 2 + i;
#pragma acc kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) flat[j * n + i] += c[j][i] * i;
    /* One way or the other a line is for one element: it stays as it is written. */
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = b[j][i];
}

/* Planes of rows with computed indices: which of them is outside says nothing about what they write. */
void computed(int r, int s, int t, double *restrict p, const double *restrict q) {
#pragma acc kernels copy(p[0:r * s * t]) copyin(q[0:r * s * t])
    {
        for (int i = 0; i < t; i++)
            for (int j = 0; j < s; j++)
                for (int k = 0; k < r; k++) p[(k * s + j) * t + i] += q[(k * s + j) * t + i] * i;
        /* One more in a row than there is room for. */
        for (int i = 0; i <= t; i++)
            for (int j = 0; j < s - 1; j++) p[j * t + i] = p[j * t + i] * 0.5 + i;
    }
}

/* Three iterations fill no vector. */
void short_loops(void) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < few; k++) points[i][k] += i - k;
}

/* All of what a loop inside reads counts more than what is written once. */
void product(void) {
#pragma acc parallel loop collapse(2)
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double s = 0;
            for (int k = 0; k < m; k++) s += a[i][k] * b[k][j];
            c[i][j] += s;
        }
}

/* What depends on the iteration before runs inside of what does not: the host launched a kernel for each `j`. */
void along_rows(void) {
    int j;
#pragma acc kernels
    {
        for (j = 1; j < m; j++)
            for (int i = 0; i < n; i++) {
                if (i % 5 == 2) continue;
                double h = a[i][j - 1];
                a[i][j] += h * 0.5;
            }
        for (int k = 18; k >= 0; k--)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) cube[i][j][k] += cube[i][j][k + 1] * 0.25;
    }
}

/* Work-items share what is reduced: each group has parts of rows. */
double differences(int rows, int columns, const int *starts) {
    double most = 0;
    long sum = 0;
#pragma acc parallel loop collapse(2) reduction(max:most)
    for (int j = 1; j < columns; j++)
        for (int i = 1; i < rows; i++) {
            if ((i + j) % 7 == 3) continue;
            double d = c[j][i] - b[j][i];
            most = d > most ? d : most;
        }
    /* Rows that are shorter than a group, and as long as only the kernel knows. */
#pragma acc parallel loop collapse(2) reduction(+:sum) copyin(starts[0:2])
    for (int i = starts[0]; i < rows; i++)
        for (int k = starts[1]; k < few; k += 2) sum += (long)points[i][k] + i * k;
    return most + sum;
}

/* The order means something here. */
void as_it_stands(void) {
#pragma acc kernels
    {
        for (int j = 1; j < m; j++)
            for (int i = 1; i < n; i++) a[i][j] += a[i - 1][j - 1] * 0.5;
        for (int j = 1; j < m; j++)
            for (int i = 0; i < j; i++) b[i][j] += b[i][j - 1];
        /* Rows one after another are better on processors than columns side by side. */
        for (int j = 1; j < m; j++)
            for (int i = 0; i < n; i++) b[j][i] += b[j - 1][i];
    }
}

int main(void) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[j][i] = i * 3 % 7 + j, flat[i * m + j] = i - j;
            for (int k = 0; k < 20; k++) cube[i][j][k] = (i + j * k) % 11;
            for (int k = 0; k < few; k++) points[i][k] = k;
        }
    neighbours();
    computed(10, n, m, &cube[0][0][0], &cube[0][0][0] + n * m * 10);
    short_loops();
    product();
    along_rows();
    as_it_stands();
    double sum = differences(n, m, (int[]){ 2, 0 }) * 1e-3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            sum = sum * 0.999 + a[i][j] + 2 * b[j][i] + 3 * c[j][i] + flat[i * m + j] + points[i][j % few];
            for (int k = 0; k < 20; k++) sum += cube[i][j][k] * (k + 1);
        }
    printf("%.10g\n", sum);
    return 0;
}
