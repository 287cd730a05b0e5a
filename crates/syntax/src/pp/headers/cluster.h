/* Clusters of blocks (sm_90): written for unspool. */
#define __unspool_dim3(name, registers)                                                                                \
    __device__ __forceinline__ dim3 name() {                                                                           \
        unsigned x, y, z;                                                                                              \
        asm("mov.u32 %0, %%" registers ".x;" : "=r"(x));                                                               \
        asm("mov.u32 %0, %%" registers ".y;" : "=r"(y));                                                               \
        asm("mov.u32 %0, %%" registers ".z;" : "=r"(z));                                                               \
        return dim3(x, y, z);                                                                                          \
    }
__unspool_dim3(__clusterDim, "cluster_nctaid")
__unspool_dim3(__clusterRelativeBlockIdx, "cluster_ctaid")
__unspool_dim3(__clusterGridDimInClusters, "nclusterid")
__unspool_dim3(__clusterIdx, "clusterid")
#undef __unspool_dim3
__device__ __forceinline__ unsigned __clusterDimIsSpecified() {
    unsigned r;
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(r));
    return r;
}
__device__ __forceinline__ unsigned __clusterRelativeBlockRank() { unsigned r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ __forceinline__ unsigned __clusterSizeInBlocks() { unsigned r; asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(r)); return r; }
__device__ __forceinline__ void __cluster_barrier_arrive() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }
__device__ __forceinline__ void __cluster_barrier_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
__device__ __forceinline__ void __cluster_barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
__device__ __forceinline__ void __threadfence_cluster() { asm volatile("fence.sc.cluster;" ::: "memory"); }
__device__ __forceinline__ void *__cluster_map_shared_rank(const void *p, unsigned rank) {
    unsigned long long r;
    asm("mapa.u64 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)p), "r"(rank));
    return (void *)r;
}
__device__ __forceinline__ unsigned __cluster_query_shared_rank(const void *p) {
    unsigned r;
    asm("getctarank.u64 %0, %1;" : "=r"(r) : "l"((unsigned long long)p));
    return r;
}
__device__ __forceinline__ uint2 __cluster_map_shared_multicast(const void *p, unsigned blocks) {
    return make_uint2((unsigned)__cvta_generic_to_shared(p), blocks);
}
