#include <cstdio>
__device__ __forceinline__ int reduce(int v) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}
extern "C" __global__ void __launch_bounds__(256, 2) w(int *out, unsigned n) {
    extern __shared__ int dyn[];
    unsigned m = __ballot_sync(~0u, threadIdx.x < n);
    dyn[threadIdx.x] = reduce(threadIdx.x) + __popc(m);
    if (threadIdx.x == 0) { atomicAdd(out, dyn[0]); printf("%d %f\n", m, 1.5f); }
    switch (n % 5) { case 0: out[1] = 1; break; case 1: case 2: out[2] = 2; default: out[3] = 3; }
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(out[4]));
    if (__builtin_provable(n % 2 == 0)) out[5] = 1;
}
int main() { w<<<1, 32>>>(nullptr, 3); return 0; }
