// Builtins become instructions and intrinsics, registers special values.
__global__ void builtins(float *out, const float *__restrict__ in, int *hits, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = __ldg(in + i);
    float s = __fmaf_rn(x, x, 1.0f);
    s += __shfl_xor_sync(0xffffffff, s, 16);
    __syncthreads();
    atomicAdd(hits, __popc(i) + max(i, 3));
    out[i] = fminf(s, fabsf(x));
}
