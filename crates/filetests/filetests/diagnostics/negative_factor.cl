// test: diagnostics
kernel void k(global int *p) {
#pragma unroll -1
    for (int i = 0; i < 8; i++)
        p[i] = i;
}
// check: error
// check: #pragma unroll -1
