#define N 8
template <int U, typename T> __device__ T sum(const T *p, int n) {
    T s = 0;
    [[clang::loop_unroll U]] for (int i = 0; i < n; i++) s += p[i];
    return s;
}
__global__ void a(float *o, const float *__restrict__ in, int n) {
    float x = 0;
#pragma unroll
    for (int i = 0; i < N; i++) x += in[i * 7];
#pragma unroll N / 2
    for (int i = 0; i < n; ++i) { if (in[i] < 0) break; x *= in[i]; }
    _Pragma("unroll 1") for (int j = 3; j > 0; j--) x -= j;
    int k = 0;
    do { x += k; } while (++k < (n & 7));
    o[threadIdx.x] = x + sum<4>(in, n) + sum<2, float>(in + 1, 3);
}
