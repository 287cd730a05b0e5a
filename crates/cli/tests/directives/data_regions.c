// Unstructured data, nested regions, `if`, `update` of parts, device pointers, the functions of openacc.h.
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
float table[8][8];
#pragma acc declare create(table)
static void fill(float *a, int n, float x) {
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++) a[i] = x;
}
static void twice(float *p, int n) {
#pragma acc parallel loop deviceptr(p)
    for (int i = 0; i < n; i++) p[i] *= 2;
}
int main(void) {
    int n = 64;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = i, b[i] = 0;
#pragma acc enter data copyin(a[0:n]) create(b[0:n])
    fill(b, n, 3);
#pragma acc data copy(a[0:n]) present(b[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++) b[i] += a[i];
#pragma acc host_data use_device(b)
        twice(b, n);
    }
#pragma acc update self(b[8:8])
    printf("%g %g\n", b[8], b[15]);
#pragma acc exit data delete(a[0:n]) copyout(b[0:n])
    printf("%g %g %d\n", b[0], b[63], acc_get_device_type() == acc_device_host || !acc_is_present(b, 4) || acc_get_device_type() == acc_device_multicore);
#pragma acc parallel loop if (n > 1000) copyout(b[0:n])
    for (int i = 0; i < n; i++) b[i] = i;
    float *d = acc_malloc(n * sizeof *d);
    acc_memcpy_to_device(d, b, n * sizeof *d);
    twice(d, n);
    acc_memcpy_from_device(b, d, n * sizeof *d);
    acc_free(d);
    printf("%g\n", b[10]);
    for (int i = 0; i < 64; i++) table[i / 8][i % 8] = i;
#pragma acc update device(table)
#pragma acc parallel loop collapse(2) present(table)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) table[i][j] += 1;
#pragma acc update self(table[2:1][3:2])
    printf("%g %g\n", table[2][3], table[2][4]);
#pragma acc parallel loop copyout(b[0:n]) async(1)
    for (int i = 0; i < n; i++) b[i] = -i;
#pragma acc wait(1)
    printf("%g\n", b[5]);
    free(a);
    free(b);
    return 0;
}
