// test: diagnostics
// Each element is copied by itself: of a large array that took all memory there was.
__device__ int large[1000000000], rows[2][300000000], pair[2];
__global__ void k(int *o) {
    auto [a, b] = large;
    // check: error[E0341]: an array of type `int[1000000000]` is too large to be copied
    auto [c, d] = rows;
    // check: error[E0341]
    auto &[e, f] = rows;
    auto [g, h] = pair;
    *o = e[0] + f[0] + g + h;
    auto [i] = pair;
    // check: error[E0341]: type `int[2]` has 2 elements, but 1 names are bound
}
