/* Iterations fill records from others, in place or elsewhere. */
#include <stdio.h>
enum { n = 1000 };
static void blend(unsigned char *a, unsigned char *b, unsigned char *o, int t) {
#pragma acc parallel loop copyin(b[0:4 * n]) copy(a[0:4 * n], o[0:4 * n])
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 4; c++) o[4 * i + c] = (a[4 * i + c] * t + b[4 * i + c] * (256 - t)) >> 8;
}
static void turn(float *v, float *w) {
#pragma acc parallel loop copy(w[0:3 * n], v[0:3 * n])
    for (int i = 0; i < n; i++) {
        v[3 * i] = w[3 * i + 1] - w[3 * i + 2];
        v[3 * i + 1] = w[3 * i + 2] - w[3 * i];
        v[3 * i + 2] = w[3 * i] - w[3 * i + 1];
    }
}
int main(void) {
    static unsigned char a[4 * n], b[4 * n], o[4 * n];
    static float v[3 * n], w[3 * n];
    for (int i = 0; i < 4 * n; i++) a[i] = i * 7, b[i] = i * 13;
    for (int i = 0; i < 3 * n; i++) w[i] = i * 0.5f * (i % 5), v[i] = i;
    blend(a, b, o, 100);
    blend(a, b, a, 50);
    turn(v, w);
    turn(w, w);
    long sum = 0;
    double s = 0;
    for (int i = 0; i < 4 * n; i++) sum += (i % 11 + 1) * (a[i] + 3 * o[i]);
    for (int i = 0; i < 3 * n; i++) s += (i % 7 + 1) * (v[i] + 2 * w[i]);
    printf("%ld %.9g\n", sum, s);
    return 0;
}
