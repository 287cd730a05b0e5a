// test: ptx -arch=sm_90
// What a `__grid_constant__` parameter's address is asked of is the argument: each work-item made a copy of it in its own memory,
// from where the hardware takes no tensor map.
struct alignas(64) Map {
    unsigned long long opaque[16];
};
struct Maps {
    int rounds;
    Map first, second;
};
__device__ void prefetch(const Map *m) {
    asm volatile("prefetch.tensormap [%0];" ::"l"((unsigned long long)m) : "memory");
}
template <class T> __device__ void body(const T &maps) {
    const Map *second = &maps.second;
    if (threadIdx.x == 0) prefetch(&maps.first);
    prefetch(second);
}
// not: .local
// check: cvta.param.u64
// check: prefetch.tensormap
// not: .local
// check: cvta.param.u64
// check: prefetch.tensormap
__global__ void in_a_structure(const __grid_constant__ Maps maps) {
    body(maps);
}
// check: .visible .entry _Z5alone3Map(
// not: .local
// check: cvta.param.u64
// check: prefetch.tensormap
__global__ void alone(const Map __grid_constant__ map) {
    auto *p = &map;
    prefetch(p);
}
__device__ __noinline__ int called(const Map &m, int i) {
    return m.opaque[i];
}
// check: .visible .entry _Z6called4MapsPi(
// not: .local
// check: ld.param
// check: cvta.param.u64
// not: .local
// check: ret;
__global__ void called(__grid_constant__ const Maps maps, int *out) {
    out[threadIdx.x] = called(maps.second, threadIdx.x % 16) + maps.first.opaque[threadIdx.x % 16];
}
// A copy of it is each work-item's own.
// check: .visible .entry _Z6copied4MapsPi(
// check: st.local
// check: st.local
// check: ret;
__global__ void copied(__grid_constant__ const Maps maps, int *out) {
    Maps own = maps;
    own.first.opaque[threadIdx.x % 16] += out[threadIdx.x];
    out[threadIdx.x] = own.first.opaque[out[0] % 16];
}
