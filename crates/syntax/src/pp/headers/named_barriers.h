/* Barriers with a number (PTX `barrier.sync`): written for unspool. */
__device__ __forceinline__ void __barrier_sync(unsigned id) {
    asm volatile("barrier.sync %0;" ::"r"(id) : "memory");
}
__device__ __forceinline__ void __barrier_sync_count(unsigned id, unsigned count) {
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}
