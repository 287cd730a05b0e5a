#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CAT(a, b) a##b
#define STR(...) #__VA_ARGS__
typedef struct { char c; int i[3]; union { float f; uint u; }; } S;
constant int table[] = {1, 2, [5] = 7};
int f2(int);
int f(int x) { static constant int z = 3; return x > 0 ? f2(x - 1) : z; }
int CAT(f, 2)(int x) { return ({ int t = x * 2; t + 1; }); }
kernel void k(global S *s, global half *h, global double *d, volatile global int *a) {
    private S t = s[0];
    t.i[1] += table[t.c & 5] + f2(3);
    int j = 0;
loop:
    if (j++ < 4) goto loop;
    for (;;) { if (j-- == 0) break; else continue; }
    while (j < 10) j += 3;
    vstore_half(d[0], 1, h);
    atomic_add(a, popcount(j) + clz(j));
    s[1] = t;
    printf("%s %d\n", STR(a, b), j);
}
