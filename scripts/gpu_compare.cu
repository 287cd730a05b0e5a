// How far what two codes left is apart: for gpu_kernels.py. `kind` 0: bits, 1: float, 2: double, 3: half. `out` is a count of words
// of 64 bits that differ, and the largest relative difference (as the bits of a double that is not negative).

__device__ float half(unsigned long long bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"((unsigned short)bits));
    return value;
}

__device__ double gap(double x, double y) {
    if (x == y || (x != x && y != y)) return 0.0;
    double size = fmax(fmax(fabs(x), fabs(y)), 1e-3), d = fabs(x - y) / size;
    return d == d && size < INFINITY ? d : INFINITY;
}

extern "C" __global__ void compare(const unsigned long long *a, const unsigned long long *b, unsigned long long words, int kind,
                                   unsigned long long *out) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < words; i += gridDim.x * (unsigned long long)blockDim.x) {
        unsigned long long x = a[i], y = b[i];
        if (x == y) continue;
        double worst = 0.0;
        if (kind == 0) worst = INFINITY;
        if (kind == 1)
            for (int k = 0; k < 64; k += 32)
                worst = fmax(worst, gap(__uint_as_float((unsigned)(x >> k)), __uint_as_float((unsigned)(y >> k))));
        if (kind == 2) worst = gap(__longlong_as_double(x), __longlong_as_double(y));
        if (kind == 3)
            for (int k = 0; k < 64; k += 16)
                worst = fmax(worst, gap(half(x >> k), half(y >> k)));
        if (worst > 0) {
            atomicAdd(out, 1ull);
            atomicMax(out + 1, (unsigned long long)__double_as_longlong(worst));
        }
    }
}
