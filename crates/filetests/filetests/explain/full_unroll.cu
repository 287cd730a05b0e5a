// test: explain -arch=sm_90
extern "C" __global__ void k(int *p) {
#pragma unroll
    for (int i = 0; i < 8; i++)
        p[i] = i;
}
// check: full_unroll.cu for sm_90: 1 loop, 1 hint
// check: honoured
