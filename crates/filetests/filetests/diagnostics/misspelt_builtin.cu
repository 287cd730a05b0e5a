// test: diagnostics
__global__ void k(float *p, float4 *q) {
    p[0] = sinff(p[1]);
    // check: did you mean `sinf`?
    __syncthread();
    // check: did you mean `__syncthreads`?
    q[0] = make_flaot4(1, 2, 3, 4);
    // check: did you mean `make_float4`?
}
