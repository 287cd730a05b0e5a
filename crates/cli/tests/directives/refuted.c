// Loops that look as if their iterations might run in any order, and may not, or whose scalars are wanted later: each with `kernels`
// and without, and the results are compared.
#include <stdio.h>
#include <string.h>

enum { N = 2000 };
struct pair { int *p, *q; int a[N]; };
union both { unsigned w[N]; unsigned char b[4 * N]; };
static unsigned A[4 * N], B[4 * N];
static int X[N];
static unsigned last, total;
static int count;
static union both U;
static unsigned twice(unsigned x) { return 2 * x; }
static int second(const unsigned *p) { return (int)p[1]; }

#define CASE(name, before, loop, after)                                                                       \
    static void s_##name(int n, int m) { (void)n; (void)m; before loop after }                                \
    static void p_##name(int n, int m) { (void)n; (void)m; before _Pragma("acc kernels") loop after }
#define C ,

CASE(branch, , for (int i = 0; i < n; i++) { int u = 5; if (X[i] & 1) u = i; if (X[i] & 2) A[u] = A[u] * 3 + i; }, )
CASE(after_inner, int j;, for (int i = 0; i < n; i++) { for (j = 0; j < 4; j++) A[4 * i + j] = i; A[4 * i + j] = A[4 * i + j] * 5 + 1; }, )
CASE(two_inner, int j;, for (int i = 0; i < n / 4; i++) { for (j = 0; j < 100; j++) A[8 * i + j] = A[8 * i + j] * 3 + i; for (j = 0; j < 8; j++) B[j] = 1; }, )
CASE(two_inner2, int j;, for (int i = 0; i < n / 4; i++) { for (j = 0; j < 8; j++) B[8 * i + j] = 1; for (j = 0; j < 100; j++) A[8 * i + j] = A[8 * i + j] * 3 + i; }, )
CASE(narrow, , for (int i = 0; i < n; i++) { unsigned char u = i; A[u] = A[u] * 3 + i; }, )
CASE(narrow2, , for (int i = 0; i < n; i++) { short u; u = i * 300; A[(unsigned char)u] = A[(unsigned char)u] * 3 + i; }, )
CASE(integer_sum, count = 100;, for (int i = 0; i < n; i++) count += -0.3 * (X[i] & 7);, )
CASE(integer_product, count = 1 << 20;, for (int i = 0; i < n && i < 10; i++) count *= 0.5;, )
CASE(integer_product2, count = 1 << 20;, for (int i = 0; i < 10; i++) count *= 0.5;, )
CASE(inner_live, int j = 7;, for (int i = 0; i < n; i++) { for (j = 0; j < i % 5; j++) A[i] += j; }, last = j;)
CASE(inner_first, int j = 7;, for (int i = 0; i < n; i++) { A[i] += j; for (j = 0; j < i % 5; j++) B[i] += j; }, )
CASE(own_live, int i;, for (i = 0; i < n; i++) A[i] += i;, last = i;)
CASE(own_live_step, int i;, for (i = n; i > 0; i -= 3) A[i] += i;, last = i;)
CASE(union_bytes, , for (int i = 0; i < n; i++) U.w[i] = U.b[i] + i;, )
CASE(address, , for (int i = 0; i < n; i++) A[i] = A[i] + second(&A[i]);, )
CASE(address2, , for (int i = 0; i < n; i++) (&A[i])[1] = A[i] * 3 + 1;, )
CASE(switched, unsigned t = 9;, for (int i = 0; i < n; i++) { switch (X[i] & 3) { case 0: B[i] = 1; t = i; case 1: A[i] = t; break; default: A[i] = 0; } }, )
CASE(member, static struct pair s; s.p = (int *)A; s.q = (int *)A + 1;, for (int i = 0; i < n; i++) s.p[i] = s.q[i] * 3 + 1;, )
CASE(pointed, unsigned t = 0; unsigned *h = &t;, for (int i = 0; i < n; i++) { t = A[i] * 3; B[i] = t; }, last = *h;)
CASE(rows, unsigned *r[4]; r[0] = A; r[1] = A + 1; r[2] = A + 2; r[3] = A;, for (int i = 0; i < 4; i++) for (int j = 0; j < 100; j++) r[i][j] = r[i][j] * 3 + i;, )
CASE(comma, unsigned t = 0;, for (int i = 0; i < n; i++) { A[i] = t; B[i] = (t = i C A[i]); }, )
CASE(conditional, unsigned t = 0;, for (int i = 0; i < n; i++) { (X[i] & 1) && (t = i); A[i] = t; }, )
CASE(bool_sum, _Bool b = 0;, for (int i = 0; i < n; i++) b ^= X[i];, last = b;)
CASE(bool_minus, _Bool b = 0;, for (int i = 0; i < n; i++) b -= X[i] & 1;, last = b;)
CASE(pointer_walk, unsigned *h = A;, for (int i = 0; i < n; i++) { *h++ = i; }, last = h - A;)
CASE(volatile_scalar, volatile int v = 0;, for (int i = 0; i < n; i++) { v = i; A[i] = v; }, last = v;)
CASE(goto_back, unsigned t = 0; int k = 0; again: last += t; k++;, for (int i = 0; i < n; i++) { t = i; A[i] += t; }, if (k < 3) goto again;)
CASE(static_inside, , for (int i = 0; i < n; i++) { static unsigned t = 3; t = t * 3 + i; A[i] = t; }, )
CASE(guard, unsigned *a = A + 1;, for (int i = 0; i < n; i++) { if (i > 0) a[i] = a[i - 1] * 3 + 1; }, )
CASE(triangle, , for (int i = 0; i < 60; i++) for (int j = 0; j < i; j++) A[i * 50 + j] = A[i * 50 + j] * 3 + i;, )
CASE(last_value, unsigned t = 0;, for (int i = 0; i < n; i++) { t = A[i] * 3; B[i] = t; }, last = t;)
CASE(outer_bound, int k = n;, for (int i = 0; i < k; i++) { A[i] = i; if (i == 5) k = n / 2; }, last = k;)
CASE(exchange, unsigned t; unsigned w[4] = {0};, for (int i = 0; i < n; i++) { t = w[i & 3]; w[(i + 1) & 3] = A[i]; A[i] = t; }, last = w[1];)
CASE(while_inside, int j = 0;, for (int i = 0; i < n; i++) { while (j < i) { B[j] += 1; j += 2; } A[i] = j; }, last = j;)
CASE(walked, , for (unsigned *h = A; h < A + n; h++) *h = *h * 3 + 1;, )
CASE(steps, , for (float x = 0; x < 3; x += 0.25f) A[(int)(x * 8)] = A[(int)(x * 8)] * 3 + 1;, )
CASE(signs, unsigned u = n;, for (int i = -1; i < u; i++) A[i + 5] = i;, )
CASE(by_value, unsigned t = m;, for (int i = 0; i < n; i++) { A[i] = twice(t); A[(i + 3) % 50] = i; }, )
CASE(stmtexpr, unsigned t = 1;, for (int i = 0; i < n; i++) { A[i] = ({ unsigned x = t; t = x * 3 + i; x; }); }, last = t;)

static unsigned A0[4 * N], B0[4 * N]; static union both U0; static unsigned last0, total0; static int count0;
static void start(void) {
    unsigned x = 1;
    for (int i = 0; i < 4 * N; i++) { x = x * 1664525u + 1013904223u; A[i] = x >> 8; B[i] = x >> 9; }
    for (int i = 0; i < N; i++) { x = x * 1664525u + 1013904223u; X[i] = (x >> 12) % 900; U.w[i] = x; }
    last = 0; total = 0; count = 3;
}
static struct { const char *name; void (*s)(int, int), (*p)(int, int); } all[] = {
#define E(x) { #x, s_##x, p_##x },
E(branch) E(after_inner) E(two_inner) E(two_inner2) E(narrow) E(narrow2) E(integer_sum) E(integer_product) E(integer_product2) E(inner_live) E(inner_first) E(own_live) E(own_live_step)
E(union_bytes) E(address) E(address2) E(switched) E(member) E(pointed) E(rows) E(comma) E(conditional) E(bool_sum) E(bool_minus) E(pointer_walk) E(volatile_scalar) E(goto_back) E(static_inside) E(guard)
E(triangle) E(last_value) E(outer_bound) E(exchange) E(while_inside) E(stmtexpr) E(walked) E(steps) E(signs) E(by_value)
};
int main(int argc, char **argv) {
    int bad = 0;
    for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (argc > 1 && strcmp(argv[1], all[k].name)) continue;
        start(); all[k].s(1900, 9);
        memcpy(A0, A, sizeof A); memcpy(B0, B, sizeof B); U0 = U; last0 = last; total0 = total; count0 = count;
        start(); all[k].p(1900, 9);
        int w = memcmp(A0, A, sizeof A) ? 1 : memcmp(B0, B, sizeof B) ? 2 : memcmp(&U0, &U, sizeof U) ? 3 : last0 != last ? 4 : count0 != count ? 6 : 0;
        if (w) {
            printf("%s differs (%d)\n", all[k].name, w); bad = 1;
        }
    }
    if (!bad) printf("all the same\n");
    return bad;
}
