// test: ptx -arch=sm_90
// A call of a function that only computes is merged with its like and leaves the loop; a square written as a power is a product;
// what is left of a power of doubles is called, as nvcc calls its own, and not copied for each.
extern "C" __noinline__ __device__ int mix(int x) { return (x * x ^ x >> 3) * 7 + (x & 12); }
extern "C" __global__ void hoisted(int *d, int n, int x) {
    for (int i = 0; i < n; i++) {
        d[i] += mix(x) + mix(x);
    }
}
extern "C" __global__ void square(double *d, float *f) {
    d[0] = pow(d[0], 2.0);
    f[0] = powf(f[0], 2.0f);
}
extern "C" __global__ void powers(double *d) { d[0] = pow(d[0], d[1]) + pow(d[2], d[3]); }
// check: .entry hoisted(
// check: mix, (param0)
// not: mix, (param0)
// check: st.global
// not: mix, (param0)
// check: .entry square(
// not: call
// check: mul.rn.f64
// not: call
// check: mul.rn.f32
// not: call
// check: .entry powers(
// check: __unspool_pow_core, (
// check: __unspool_pow_core, (
