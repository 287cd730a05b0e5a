// test: explain
// No pragma vanishes without a word.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma STDC FP_CONTRACT OFF
#pragma GCC diagnostic ignored "-Wunused"
#pragma acc routine
#pragma nonsense
kernel void k(global float *p) {
#pragma unroll 4
#pragma omp parallel for
    for (int i = 0; i < 64; i++)
        p[i] = p[i] * p[i] + 1;
}
// check: 7 hints
// check: `#pragma unroll 4` (9:1): honoured
// check: done   unrolled by 4
// check: `#pragma OPENCL EXTENSION cl_khr_fp64 : enable` (3:1): unused
// check: `#pragma STDC FP_CONTRACT OFF` (4:1): honoured: products and sums are not contracted
// check: `#pragma GCC diagnostic ignored "-Wunused"` (5:1): unused
// check: `#pragma acc routine` (6:1): unused
// check: `#pragma nonsense` (7:1): refused
// check: `#pragma omp parallel for` (10:1): unused
