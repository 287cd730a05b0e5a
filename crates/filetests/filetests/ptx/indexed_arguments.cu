// test: ptx -arch=sm_90
// A structure that is an argument is read where it is, also by an index that nothing knows before the kernel runs: each work-item
// made a copy of it in its own memory.
struct Table {
    float weights[94];
    int first, last;
};
struct Nested {
    int before;
    Table table;
};
// not: .local
// check: ld.param.f32
__global__ void direct(Table p, const int *at, float *out) {
    int i = threadIdx.x;
    out[i] = p.weights[at[i]] * p.first;
}
__device__ float by_reference(const Table &t, int n) {
    return t.weights[n] - t.last;
}
__global__ void through_functions(Nested p, const int *at, float *out) {
    int i = threadIdx.x;
    for (int k = 0; k < p.table.last; k++) out[i] += by_reference(p.table, at[k + i]);
}
// check: .visible .entry _Z17through_functions6NestedPKiPf(
// not: .local
// check: ld.param.f32
// not: .local
// check: ret;
