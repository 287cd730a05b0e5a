// test: diagnostics
kernel void k(global int *p) {
#pragma unroll 4
    p[0] = 1;
}
// check: error
