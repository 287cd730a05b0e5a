/* Loops whose iterations work-items share, of sizes about those of groups: each iteration is done once, in the right place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 70000 };
static int hits[MOST];
static long sum;
static unsigned mixed;

static int one(int n, int from, int step)
{
    int s = 0;
    #pragma acc parallel loop reduction(+: s) copy(hits)
    for (int i = from; i < n; i += step) { hits[i] += i + 1; s += i; }
    return s;
}
static long down(long n)
{
    long s = 0;
    #pragma acc parallel loop reduction(+: s) copy(hits)
    for (long i = n - 1; i >= 0; i--) { hits[i] += 3; s += i; }
    return s;
}
static unsigned of_unsigned(unsigned n)
{
    unsigned s = 0;
    #pragma acc parallel loop reduction(^: s) copy(hits)
    for (unsigned i = 0; i < n; ++i) { hits[i] ^= 5; s ^= i * 2654435761u; }
    return s;
}
static double two(int rows, int cols, int skip)
{
    double s = 0;
    #pragma acc parallel loop collapse(2) reduction(+: s) copy(hits)
    for (int i = 0; i < rows; i++)
        for (int j = skip; j < cols; j++) {
            if ((i + j) % 5 == 4) continue;
            hits[i * cols + j] += i - j;
            s += i * 3 + j;
        }
    return s;
}
static float most(int a, int b, int c)
{
    float m = -1e30f;
    #pragma acc parallel loop collapse(3) reduction(max: m) copyin(hits)
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) {
                float v = hits[(i * b + j) * c + k] * 0.5f;
                m = v > m ? v : m;
            }
    return m;
}
static int short_rows(int n)
{
    int s = 0;
    #pragma acc parallel loop collapse(2) reduction(+: s) copy(hits)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) { hits[i * 3 + j] += j; s += hits[i * 3 + j] & 7; }
    return s;
}
static void own_arrays(int n, int m)
{
    #pragma acc parallel loop copy(hits)
    for (int i = 0; i < n; i++) {
        int a[m];
        for (int k = 0; k < m; k++) a[k] = i * k;
        for (int k = m - 1; k > 0; k--) a[k - 1] += a[k] & 15;
        hits[i] += a[0];
    }
}
static void look(const char *what)
{
    unsigned h = 0;
    for (int i = 0; i < MOST; i++) h = h * 31 + (unsigned)hits[i];
    mixed = mixed * 17 + h + (unsigned)sum;
    printf("%s %u %ld\n", what, h, sum);
}

int main(void)
{
    const int sizes[] = { 0, 1, 3, 15, 16, 17, 63, 64, 65, 1000, 1023, 1024, 1025, 16383, 16401, 65537 };
    const int shapes[][2] = { { 1, 1 }, { 1, 70000 }, { 2, 33333 }, { 3, 17 }, { 63, 1000 }, { 64, 15 }, { 65, 1030 },
        { 1000, 16 }, { 1000, 63 }, { 70000, 1 }, { 0, 9 }, { 9, 0 }, { 200, 333 } };
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k];
        sum = one(n, 0, 1); look("one");
        sum = one(n, n / 3, 1); look("from");
        sum = one(n, 2, 7); look("step");
        sum = down(n); look("down");
        sum = of_unsigned((unsigned)n); look("unsigned");
        sum = n <= MOST / 3 ? short_rows(n) : 0; look("short");
        own_arrays(n < 2000 ? n : 2000, n % 13 + 1); look("own");
    }
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        int r = shapes[k][0], c = shapes[k][1];
        sum = (long)two(r, c, 0); look("two");
        sum = (long)two(r, c, 1); look("skip");
        sum = r * c ? (long)(most(r, c, 1) * 2 + most(1, r, c) * 4 + most(c, 1, r)) : 0; look("most");
    }
    printf("%u\n", mixed);
    return 0;
}
