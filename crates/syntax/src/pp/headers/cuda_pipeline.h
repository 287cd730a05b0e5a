/* Copies that go on while a thread does something else, and waiting for them: written for unspool. */
__device__ inline void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define __pipeline_wait_prior(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#else
#define __pipeline_wait_prior(n) ((void)0)
#endif
/* `Bytes` at once, of which all but the last `zeros` are copied. */
template <int Bytes> __device__ inline void __copy_piece(void *to, const void *from, unsigned zeros = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (__isShared(to) && __isGlobal(from)) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"l"(__cvta_generic_to_shared(to)),
                     "l"(__cvta_generic_to_global(from)), "n"(Bytes), "r"(Bytes - zeros) : "memory");
        return;
    }
#endif
    for (unsigned i = 0; i < Bytes / 4; i++) ((unsigned *)to)[i] = i < (Bytes - zeros) / 4 ? ((const unsigned *)from)[i] : 0;
}
__device__ inline void __pipeline_memcpy_async(void *to, const void *from, unsigned long bytes, unsigned long zeros = 0) {
    if (bytes == 16) __copy_piece<16>(to, from, (unsigned)zeros);
    else if (bytes == 8) __copy_piece<8>(to, from, (unsigned)zeros);
    else __copy_piece<4>(to, from, (unsigned)zeros);
}
namespace cuda {
template <unsigned long Alignment> struct aligned_size_t {
    static constexpr unsigned long align = Alignment;
    unsigned long value;
    __host__ __device__ explicit constexpr aligned_size_t(unsigned long n) : value(n) {}
    __host__ __device__ constexpr operator unsigned long() const { return value; }
};
/* What threads `rank`, `rank + count`, … of a group copy. */
template <int Piece> __device__ inline void __copy_share(char *to, const char *from, unsigned long bytes, unsigned long rank, unsigned long count) {
    unsigned long i = rank * Piece;
    for (; i + Piece <= bytes; i += count * Piece) {
        if constexpr (Piece >= 4) __copy_piece<Piece>(to + i, from + i);
        else to[i] = from[i];
    }
    if constexpr (Piece > 1) {
        if (rank == 0)
            for (i = bytes / Piece * Piece; i < bytes; i++) to[i] = from[i];
    }
}
template <unsigned long Alignment> constexpr int __piece = Alignment >= 16 ? 16 : Alignment >= 8 ? 8 : Alignment >= 4 ? 4 : 1;
/* Those of a block are with the barrier objects. */
template <thread_scope Scope> class pipeline {
    static_assert(Scope == thread_scope_thread, "pipelines are cuda::pipeline<cuda::thread_scope_thread> or <cuda::thread_scope_block>");

public:
    __device__ void producer_acquire() {}
    __device__ void producer_commit() { __pipeline_commit(); }
    __device__ void consumer_wait() { __pipeline_wait_prior(0); }
    __device__ void consumer_release() {}
    __device__ bool quit() { return true; }
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
template <unsigned char Prior> __device__ inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) { __pipeline_wait_prior(Prior); }
template <class T, unsigned long Alignment>
__device__ inline void memcpy_async(T *to, const T *from, aligned_size_t<Alignment> bytes, pipeline<thread_scope_thread> &) {
    __copy_share<__piece<Alignment>>((char *)to, (const char *)from, bytes, 0, 1);
}
template <class T> __device__ inline void memcpy_async(T *to, const T *from, unsigned long bytes, pipeline<thread_scope_thread> &) {
    __copy_share<__piece<alignof(T)>>((char *)to, (const char *)from, bytes, 0, 1);
}
template <class Group, class T, unsigned long Alignment>
__device__ inline void memcpy_async(const Group &g, T *to, const T *from, aligned_size_t<Alignment> bytes, pipeline<thread_scope_thread> &) {
    __copy_share<__piece<Alignment>>((char *)to, (const char *)from, bytes, g.thread_rank(), g.size());
}
template <class Group, class T>
__device__ inline void memcpy_async(const Group &g, T *to, const T *from, unsigned long bytes, pipeline<thread_scope_thread> &) {
    __copy_share<__piece<alignof(T)>>((char *)to, (const char *)from, bytes, g.thread_rank(), g.size());
}
}
