/* Barrier objects in shared memory, pipelines of several threads, copies that they wait for: written for unspool. */
typedef unsigned long __mbarrier_t;
typedef unsigned long __mbarrier_token_t;
__device__ inline unsigned __mbarrier_place(const void *b) { return (unsigned)__cvta_generic_to_shared(b); }
__host__ __device__ inline constexpr unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }
__device__ inline void __mbarrier_init(__mbarrier_t *b, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__mbarrier_place(b)), "r"(count) : "memory");
}
__device__ inline void __mbarrier_inval(__mbarrier_t *b) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__mbarrier_place(b)) : "memory");
}
__device__ inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) {
    __mbarrier_token_t t;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(__mbarrier_place(b)) : "memory");
    return t;
}
__device__ inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) {
    __mbarrier_token_t t;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(t) : "r"(__mbarrier_place(b)) : "memory");
    return t;
}
__device__ inline unsigned __mbarrier_token_pending_count(__mbarrier_token_t t) {
    unsigned n;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(t));
    return n;
}
__device__ inline bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t t) {
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(__mbarrier_place(b)), "l"(t) : "memory");
    return done;
}
__device__ inline bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity) {
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(__mbarrier_place(b)), "r"((unsigned)parity) : "memory");
    return done;
}
__device__ inline bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t t, unsigned) { return __mbarrier_test_wait(b, t); }
__device__ inline bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity, unsigned) { return __mbarrier_test_wait_parity(b, parity); }
__device__ inline void __pipeline_arrive_on(__mbarrier_t *b) {
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(__mbarrier_place(b)) : "memory");
}
namespace cuda {
struct __no_completion {};
/* Of threads of one block, and in shared memory. */
template <thread_scope Scope, class Completion = __no_completion> class barrier {
    static_assert(Scope != thread_scope_thread, "barriers of one thread are not there: cuda::barrier<cuda::thread_scope_block>");
    __mbarrier_t word_;

public:
    typedef __mbarrier_token_t arrival_token;
    barrier() = default;
    __device__ barrier(long count) { __begin(count); }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    __device__ void __begin(long count) {
        if (!__isShared(this)) __trap();
        __mbarrier_init(&word_, (unsigned)count);
    }
    __device__ __mbarrier_t *__native() { return &word_; }
    __device__ arrival_token arrive(long count = 1) {
        if (count > 1) {
            arrival_token t;
            asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                         : "=l"(t) : "r"(__mbarrier_place(&word_)), "r"((unsigned)count - 1) : "memory");
        }
        return __mbarrier_arrive(&word_);
    }
    __device__ void wait(arrival_token t) {
        while (!__mbarrier_test_wait(&word_, t)) {}
    }
    __device__ void wait_parity(bool parity) {
        while (!__mbarrier_test_wait_parity(&word_, parity)) {}
    }
    __device__ bool try_wait(arrival_token t) { return __mbarrier_test_wait(&word_, t); }
    __device__ bool try_wait_parity(bool parity) { return __mbarrier_test_wait_parity(&word_, parity); }
    __device__ void arrive_and_wait() { wait(__mbarrier_arrive(&word_)); }
    __device__ void arrive_and_drop() { __mbarrier_arrive_and_drop(&word_); }
    __host__ __device__ static constexpr long max() { return (1 << 20) - 1; }
};
template <thread_scope Scope> __device__ inline void init(barrier<Scope> *b, long count) { b->__begin(count); }
namespace device {
template <thread_scope Scope> __device__ inline __mbarrier_t *barrier_native_handle(barrier<Scope> &b) { return b.__native(); }
template <thread_scope Scope> __device__ inline void barrier_expect_tx(barrier<Scope> &b, long bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(__mbarrier_place(b.__native())), "r"((unsigned)bytes) : "memory");
}
template <thread_scope Scope>
__device__ inline __mbarrier_token_t barrier_arrive_tx(barrier<Scope> &b, long count, long bytes) {
    barrier_expect_tx(b, bytes);
    return b.arrive(count);
}
template <class T, thread_scope Scope, unsigned long Alignment>
__device__ inline void memcpy_async_tx(T *to, const T *from, aligned_size_t<Alignment> bytes, barrier<Scope> &b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(__mbarrier_place(to)),
                 "l"(__cvta_generic_to_global(from)), "r"((unsigned)bytes.value), "r"(__mbarrier_place(b.__native())) : "memory");
}
}
/* The object also waits for what this thread copies. */
template <class T, unsigned long Alignment, thread_scope Scope>
__device__ inline void memcpy_async(T *to, const T *from, aligned_size_t<Alignment> bytes, barrier<Scope> &b) {
    __copy_share<__piece<Alignment>>((char *)to, (const char *)from, bytes, 0, 1);
    __pipeline_arrive_on(b.__native());
}
template <class T, thread_scope Scope> __device__ inline void memcpy_async(T *to, const T *from, unsigned long bytes, barrier<Scope> &b) {
    __copy_share<__piece<alignof(T)>>((char *)to, (const char *)from, bytes, 0, 1);
    __pipeline_arrive_on(b.__native());
}
template <class Group, class T, unsigned long Alignment, thread_scope Scope>
__device__ inline void memcpy_async(const Group &g, T *to, const T *from, aligned_size_t<Alignment> bytes, barrier<Scope> &b) {
    __copy_share<__piece<Alignment>>((char *)to, (const char *)from, bytes, g.thread_rank(), g.size());
    __pipeline_arrive_on(b.__native());
}
template <class Group, class T, thread_scope Scope>
__device__ inline void memcpy_async(const Group &g, T *to, const T *from, unsigned long bytes, barrier<Scope> &b) {
    __copy_share<__piece<alignof(T)>>((char *)to, (const char *)from, bytes, g.thread_rank(), g.size());
    __pipeline_arrive_on(b.__native());
}
enum class pipeline_role { producer, consumer };
/* For each stage who has filled it, and who has emptied it. */
template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {
    __mbarrier_t full_[Stages], empty_[Stages];
};
/* Pipelines of a block, or of a part of it. */
template <> class pipeline<thread_scope_block> {
    __mbarrier_t *full_, *empty_;
    unsigned stages_, head_, tail_;
    bool full_parity_, empty_parity_;

public:
    __device__ pipeline(__mbarrier_t *full, __mbarrier_t *empty, unsigned stages)
        : full_(full), empty_(empty), stages_(stages), head_(0), tail_(0), full_parity_(false), empty_parity_(true) {}
    __device__ void producer_acquire() {
        while (!__mbarrier_test_wait_parity(empty_ + head_, empty_parity_)) {}
    }
    __device__ void producer_commit() {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(__mbarrier_place(full_ + head_)) : "memory");
        if (++head_ == stages_) {
            head_ = 0;
            empty_parity_ = !empty_parity_;
        }
    }
    __device__ void consumer_wait() {
        while (!__mbarrier_test_wait_parity(full_ + tail_, full_parity_)) {}
    }
    __device__ void consumer_release() {
        __mbarrier_arrive(empty_ + tail_);
        if (++tail_ == stages_) {
            tail_ = 0;
            full_parity_ = !full_parity_;
        }
    }
    __device__ bool quit() { return true; }
};
template <class Group, unsigned char Stages>
__device__ inline pipeline<thread_scope_block> __make_pipeline(const Group &g, pipeline_shared_state<thread_scope_block, Stages> *state,
                                                               unsigned producers, unsigned consumers) {
    if (g.thread_rank() == 0)
        for (unsigned i = 0; i < Stages; i++) {
            __mbarrier_init(state->full_ + i, producers);
            __mbarrier_init(state->empty_ + i, consumers);
        }
    g.sync();
    return pipeline<thread_scope_block>(state->full_, state->empty_, Stages);
}
template <class Group, unsigned char Stages>
__device__ inline pipeline<thread_scope_block> make_pipeline(const Group &g, pipeline_shared_state<thread_scope_block, Stages> *state) {
    return __make_pipeline(g, state, (unsigned)g.size(), (unsigned)g.size());
}
template <class Group, unsigned char Stages>
__device__ inline pipeline<thread_scope_block> make_pipeline(const Group &g, pipeline_shared_state<thread_scope_block, Stages> *state,
                                                             unsigned long producers) {
    return __make_pipeline(g, state, (unsigned)producers, (unsigned)(g.size() - producers));
}
template <class Group, unsigned char Stages>
__device__ inline pipeline<thread_scope_block> make_pipeline(const Group &g, pipeline_shared_state<thread_scope_block, Stages> *state,
                                                             pipeline_role role) {
    unsigned producers = __syncthreads_count(role == pipeline_role::producer);
    return __make_pipeline(g, state, producers, (unsigned)g.size() - producers);
}
template <class T, unsigned long Alignment>
__device__ inline void memcpy_async(T *to, const T *from, aligned_size_t<Alignment> bytes, pipeline<thread_scope_block> &) {
    __copy_share<__piece<Alignment>>((char *)to, (const char *)from, bytes, 0, 1);
}
template <class T> __device__ inline void memcpy_async(T *to, const T *from, unsigned long bytes, pipeline<thread_scope_block> &) {
    __copy_share<__piece<alignof(T)>>((char *)to, (const char *)from, bytes, 0, 1);
}
template <class Group, class T, unsigned long Alignment>
__device__ inline void memcpy_async(const Group &g, T *to, const T *from, aligned_size_t<Alignment> bytes, pipeline<thread_scope_block> &) {
    __copy_share<__piece<Alignment>>((char *)to, (const char *)from, bytes, g.thread_rank(), g.size());
}
template <class Group, class T>
__device__ inline void memcpy_async(const Group &g, T *to, const T *from, unsigned long bytes, pipeline<thread_scope_block> &) {
    __copy_share<__piece<alignof(T)>>((char *)to, (const char *)from, bytes, g.thread_rank(), g.size());
}
}
