// test: ptx -arch=sm_100
// Stores to group memory that nobody reads are gone; what assembly, a volatile access, an atomic, a neighbour of the cluster or
// a pointer may see stays.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ __noinline__ int first(const int *p) { return *p; }
__global__ void k(int *out, int n) {
    __shared__ int unread[32];
    __shared__ int by_assembly, by_function, by_neighbour, counter;
    __shared__ volatile int told;
    for (int i = 0; i < 32; i++) unread[i] = n + 1001;
    by_assembly = n + 1002;
    by_function = n + 1003;
    by_neighbour = n + 1004;
    told = n + 1005;
    counter = n + 1006;
    atomicAdd(&counter, 1);
    int v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"((unsigned)__cvta_generic_to_shared(&by_assembly)) : "memory");
    cg::this_cluster().sync();
    v += *cg::this_cluster().map_shared_rank(&by_neighbour, 0);
    out[threadIdx.x] = v + first(&by_function);
}
// check: .entry
// not: 1001
// check: 1002
// check: 1003
// check: 1004
// check: 1005
// check: 1006
