// test: explain -arch=sm_90
// Copies that the last round leaves in its middle become straight-line code, too, where the late look would find them small
// enough: it counts whole rounds, and that what the last one leaves out folds away.
extern "C" __global__ void short_rounds(float *o, const float *in) {
    float x = 0;
    int t = threadIdx.x;
    for (int i = 0; i < 31; i++) {
        x = x * in[i * 32 + t] + in[i * 64 + t];
        x = x * x + x;
        __syncthreads();
    }
    o[t] = x;
}
// check: unrolled fully, 31 iterations
// check: size 498
extern "C" __global__ void long_rounds(float *o, const float *in) {
    float x = 0;
    int t = threadIdx.x;
    for (int i = 0; i < 31; i++) {
        x = x * in[i * 32 + t] + in[i * 64 + t];
        x = x * x + in[t], x = x * x + in[t], x = x * x + in[t], x = x * x + in[t];
        x = x * x + in[t], x = x * x + in[t], x = x * x + in[t], x = x * x + in[t];
    }
    o[t] = x;
}
// check: unrolled by 4, leaving after copy 3 in the last round
