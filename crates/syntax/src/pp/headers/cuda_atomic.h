/* Atomic objects with the names of CUDA's C++ library, sequentially consistent throughout: written for unspool. */
namespace cuda {
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
}
namespace std {
typedef cuda::memory_order memory_order;
inline constexpr cuda::memory_order memory_order_relaxed = cuda::memory_order_relaxed;
inline constexpr cuda::memory_order memory_order_acquire = cuda::memory_order_acquire;
inline constexpr cuda::memory_order memory_order_release = cuda::memory_order_release;
inline constexpr cuda::memory_order memory_order_acq_rel = cuda::memory_order_acq_rel;
inline constexpr cuda::memory_order memory_order_seq_cst = cuda::memory_order_seq_cst;
}
namespace cuda {
namespace std = ::std;
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
template <class T> struct __atomic_operations {
    static __device__ T load(const T *p) {
        __threadfence();
        T v = *(const volatile T *)p;
        __threadfence();
        return v;
    }
    static __device__ void store(T *p, T v) {
        __threadfence();
        *(volatile T *)p = v;
        __threadfence();
    }
    static __device__ bool compare(T *p, T &expected, T desired) {
        T seen = atomicCAS(p, expected, desired);
        bool same = seen == expected;
        expected = seen;
        return same;
    }
};
template <class T, thread_scope Scope = thread_scope_system> struct atomic_ref {
    T *__at;
    __device__ explicit atomic_ref(T &v) : __at(&v) {}
    __device__ T load(memory_order = memory_order_seq_cst) const { return __atomic_operations<T>::load(__at); }
    __device__ void store(T v, memory_order = memory_order_seq_cst) const { __atomic_operations<T>::store(__at, v); }
    __device__ T exchange(T v, memory_order = memory_order_seq_cst) const { return atomicExch(__at, v); }
    __device__ bool compare_exchange_strong(T &e, T d, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst) const {
        return __atomic_operations<T>::compare(__at, e, d);
    }
    __device__ bool compare_exchange_weak(T &e, T d, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst) const {
        return __atomic_operations<T>::compare(__at, e, d);
    }
    __device__ T fetch_add(T v, memory_order = memory_order_seq_cst) const { return atomicAdd(__at, v); }
    __device__ T fetch_sub(T v, memory_order = memory_order_seq_cst) const { return atomicAdd(__at, (T)-v); }
    __device__ T fetch_and(T v, memory_order = memory_order_seq_cst) const { return atomicAnd(__at, v); }
    __device__ T fetch_or(T v, memory_order = memory_order_seq_cst) const { return atomicOr(__at, v); }
    __device__ T fetch_xor(T v, memory_order = memory_order_seq_cst) const { return atomicXor(__at, v); }
    __device__ T fetch_min(T v, memory_order = memory_order_seq_cst) const { return atomicMin(__at, v); }
    __device__ T fetch_max(T v, memory_order = memory_order_seq_cst) const { return atomicMax(__at, v); }
};
template <class T, thread_scope Scope = thread_scope_system> struct atomic {
    T __v;
    atomic() = default;
    __host__ __device__ constexpr atomic(T v) : __v(v) {}
    __device__ T load(memory_order = memory_order_seq_cst) const { return __atomic_operations<T>::load(&__v); }
    __device__ void store(T v, memory_order = memory_order_seq_cst) { __atomic_operations<T>::store(&__v, v); }
    __device__ operator T() const { return load(); }
    __device__ T operator=(T v) {
        store(v);
        return v;
    }
    __device__ T exchange(T v, memory_order = memory_order_seq_cst) { return atomicExch(&__v, v); }
    __device__ bool compare_exchange_strong(T &e, T d, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst) {
        return __atomic_operations<T>::compare(&__v, e, d);
    }
    __device__ bool compare_exchange_weak(T &e, T d, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst) {
        return __atomic_operations<T>::compare(&__v, e, d);
    }
    __device__ T fetch_add(T v, memory_order = memory_order_seq_cst) { return atomicAdd(&__v, v); }
    __device__ T fetch_sub(T v, memory_order = memory_order_seq_cst) { return atomicAdd(&__v, (T)-v); }
    __device__ T fetch_and(T v, memory_order = memory_order_seq_cst) { return atomicAnd(&__v, v); }
    __device__ T fetch_or(T v, memory_order = memory_order_seq_cst) { return atomicOr(&__v, v); }
    __device__ T fetch_xor(T v, memory_order = memory_order_seq_cst) { return atomicXor(&__v, v); }
    __device__ T fetch_min(T v, memory_order = memory_order_seq_cst) { return atomicMin(&__v, v); }
    __device__ T fetch_max(T v, memory_order = memory_order_seq_cst) { return atomicMax(&__v, v); }
    __device__ T operator++(int) { return atomicAdd(&__v, (T)1); }
    __device__ T operator++() { return atomicAdd(&__v, (T)1) + 1; }
    __device__ T operator+=(T v) { return atomicAdd(&__v, v) + v; }
};
}
