// A loop of eight loads: small enough to unroll completely, and the pragma asks for it.
//
//   unspool compile examples/unroll_test.cu -arch=sm_90 -o - -Rpass=loop-unroll
//   unspool explain examples/unroll_test.cu
//
// Try it without the pragma, with `#pragma unroll 1`, and with six steps in place of eight.
__global__ void unroll_test(float *out, const float *in) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        sum += in[tid + i * 128];
    }
    out[tid] = sum;
}
