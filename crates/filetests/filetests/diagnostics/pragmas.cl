// test: diagnostics
// check: a pragma means nothing here
// check: #pragma omp critical
#pragma acc data copy(x)
// check: W0205
// sameln: directives of OpenACC have no effect
#pragma OPENCL EXTENSION cl_khr_nonsense : enable
// check: there is no extension `cl_khr_nonsense`
#pragma OPENCL EXTENSION cl_khr_fp64 : require
// check: expected `enable` or `disable`
#pragma OPENCL EXTENSION all : enable
// check: expected `disable`
#pragma OPENCL EXTENSION cl_khr_fp64
// check: expected `:` behind `cl_khr_fp64`
#pragma OPENCL NOTHING ON
// check: unknown pragma `OPENCL NOTHING` ignored
#pragma STDC FENV_ACCESS ON
// check: kernels cannot read or set the floating-point environment
#pragma STDC FENV_ACCESS OFF
#pragma clang optimize off
// check: #pragma clang optimize off
// check: optimisation is chosen by options
constant int x[] = {
#pragma unroll
    1,
    2,
};
// check: a pragma means nothing here
kernel void k(global float *p) {
    p[0] = max(1,
#pragma omp critical
               2);
}
