// Clauses that need constants take what C calls one: enumerators, of the file and of blocks, `sizeof`, characters, conditions.
#include <stdio.h>
enum { LOOPS = 2, WIDTH = 1 << 4, LAST = WIDTH + LOOPS, NEXT };
typedef struct { char c; double d; int v[3]; } record;
#define TILE (LAST - 10)
static int a[20][30];

static void fill(int n, int m, int seed) {
    enum { INNER = LOOPS, NEXT = 7 };
    char two[2];
    (void)two;
#pragma acc parallel loop collapse(LOOPS)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = i * 3 + j + seed;
#pragma acc parallel loop collapse(sizeof(record) / 16)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] += i;
#pragma acc parallel loop collapse(INNER > 1 ? 2u : 0x1) vector_length(WIDTH)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] ^= j;
#pragma acc parallel loop collapse(force: sizeof two)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] += 5;
#pragma acc parallel loop collapse(NEXT - 5)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] -= seed;
#pragma acc parallel loop tile(TILE, '\4')
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] *= 2;
}

int main(void) {
    fill(20, 30, 11);
    long sum = 0;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++) sum = sum * 31 % 1000003 + a[i][j];
    printf("%ld\n", sum);
    return 0;
}
