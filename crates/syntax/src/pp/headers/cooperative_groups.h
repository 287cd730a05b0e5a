/* Groups of threads that work together: written for unspool. */
#define _CG_HAS_CLUSTER_GROUP 1
namespace cooperative_groups {

namespace details {
enum kind { k_coalesced, k_tile, k_block, k_grid };
__device__ inline unsigned lane() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ inline cudaLaneMask_t lanes_below() { return ((cudaLaneMask_t)1 << lane()) - 1; }
__device__ inline unsigned rank_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
/* The workspace that a cooperative launch provides. */
__device__ inline unsigned long long workspace() {
    unsigned hi, lo;
    asm("mov.u32 %0, %%envreg1;" : "=r"(hi));
    asm("mov.u32 %0, %%envreg2;" : "=r"(lo));
    return ((unsigned long long)hi << 32) | lo;
}
/* One thread of each block arrives; the first block's adds what is missing to the top bit. */
__device__ inline void grid_barrier() {
    __syncthreads();
    if (rank_in_block() == 0) {
        volatile unsigned *arrived = (volatile unsigned *)(workspace() + 4);
        unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
        unsigned add = (blockIdx.x + blockIdx.y + blockIdx.z == 0) ? 0x80000000u - (blocks - 1) : 1;
        __threadfence();
        unsigned before = atomicAdd((unsigned *)(workspace() + 4), add);
        while (((before ^ *arrived) & 0x80000000u) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
}
/* The lane whose bit is the n-th of a mask. */
__device__ inline unsigned nth_lane(cudaLaneMask_t mask, unsigned n) {
    for (unsigned i = 0; i < n; i++) mask &= mask - 1;
    return __ffs(mask) - 1;
}

/* Moves a value of any type between lanes, by words. */
template <class T, class Move> __device__ inline T by_words(const T &v, Move move) {
    constexpr unsigned n = (sizeof(T) + 3) / 4;
    unsigned words[n] = {};
    memcpy(words, &v, sizeof(T));
#pragma unroll
    for (unsigned i = 0; i < n; i++) words[i] = move(words[i]);
    T r;
    memcpy(&r, words, sizeof(T));
    return r;
}
}

/* Any group: what the others convert to. */
class thread_group {
protected:
    unsigned kind_, size_, rank_;
    cudaLaneMask_t mask_;

public:
    __device__ thread_group(unsigned kind, unsigned size, unsigned rank, cudaLaneMask_t mask)
        : kind_(kind), size_(size), rank_(rank), mask_(mask) {}
    __device__ unsigned long long size() const { return kind_ == details::k_block ? details::block_threads() : size_; }
    __device__ unsigned long long num_threads() const { return size(); }
    __device__ unsigned long long thread_rank() const { return kind_ == details::k_block ? details::rank_in_block() : rank_; }
    __device__ bool is_valid() const { return true; }
    __device__ unsigned kind_of_() const { return kind_; }
    __device__ cudaLaneMask_t mask_of_() const { return mask_; }
    __device__ void sync() const {
        if (kind_ == details::k_block) __syncthreads();
        else if (kind_ == details::k_grid) details::grid_barrier();
        else __syncwarp(mask_);
    }
};

class thread_block : public thread_group {
public:
    /* What a block is everybody knows. */
    __device__ thread_block() : thread_group(details::k_block, 0, 0, ~(cudaLaneMask_t)0) {}
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned thread_rank() { return details::rank_in_block(); }
    __device__ static unsigned size() { return details::block_threads(); }
    __device__ static unsigned num_threads() { return details::block_threads(); }
    __device__ static bool is_valid() { return true; }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ cudaLaneMask_t mask_of_() const { return ~(cudaLaneMask_t)0; }
};

class grid_group {
public:
    __device__ static bool is_valid() { return details::workspace() != 0; }
    __device__ static void sync() { details::grid_barrier(); }
    __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __device__ static unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static unsigned long long thread_rank() {
        return block_rank() * details::block_threads() + details::rank_in_block();
    }
    __device__ static unsigned long long num_threads() { return num_blocks() * details::block_threads(); }
    __device__ static unsigned long long size() { return num_threads(); }
    __device__ operator thread_group() const { return thread_group(details::k_grid, size(), thread_rank(), ~(cudaLaneMask_t)0); }
};

/* The threads of a warp that reached one place together. */
class coalesced_group {
    cudaLaneMask_t mask_;
    unsigned parts_, part_;

    __device__ unsigned lane_of(unsigned rank) const {
        return size() == warpSize ? rank : details::nth_lane(mask_, rank);
    }

public:
    __device__ explicit coalesced_group(cudaLaneMask_t mask) : mask_(mask), parts_(1), part_(0) {}
    __device__ coalesced_group(cudaLaneMask_t mask, unsigned parts, unsigned part)
        : mask_(mask), parts_(parts), part_(part) {}
    __device__ unsigned size() const { return __popc(mask_); }
    __device__ unsigned num_threads() const { return __popc(mask_); }
    __device__ unsigned thread_rank() const { return __popc(mask_ & details::lanes_below()); }
    __device__ unsigned meta_group_size() const { return parts_; }
    __device__ unsigned meta_group_rank() const { return part_; }
    __device__ cudaLaneMask_t mask_of_() const { return mask_; }
    __device__ void sync() const { __syncwarp(mask_); }
    template <class T> __device__ T shfl(T v, unsigned rank) const { 
        cudaLaneMask_t m = mask_;
        unsigned from = lane_of(rank);
        return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, from); });
    }
    template <class T> __device__ T shfl_down(T v, unsigned n) const {
        unsigned to = thread_rank() + n;
        cudaLaneMask_t m = mask_;
        unsigned from = to < size() ? lane_of(to) : details::lane();
        return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, from); });
    }
    template <class T> __device__ T shfl_up(T v, unsigned n) const {
        unsigned r = thread_rank();
        cudaLaneMask_t m = mask_;
        unsigned from = r >= n ? lane_of(r - n) : details::lane();
        return details::by_words(v, [=](unsigned w) { return __shfl_sync(m, w, from); });
    }
    __device__ int any(int p) const { return __ballot_sync(mask_, p) != 0; }
    __device__ int all(int p) const { return __ballot_sync(mask_, p) == mask_; }
    __device__ cudaLaneMask_t ballot(int p) const {
        cudaLaneMask_t hits = __ballot_sync(mask_, p), packed = 0, m = mask_;
        if (size() == warpSize) return hits;
        for (unsigned i = 0; m != 0; m &= m - 1, i++) packed |= ((hits >> (__ffs(m) - 1)) & 1) << i;
        return packed;
    }
    template <class T> __device__ cudaLaneMask_t match_any(T v) const { return __match_any_sync(mask_, v); }
    template <class T> __device__ cudaLaneMask_t match_all(T v, int &p) const { return __match_all_sync(mask_, v, &p); }
    __device__ operator thread_group() const { return thread_group(details::k_coalesced, size(), thread_rank(), mask_); }
};

namespace details {
/* Lanes of a tile, the first in bit 0. */
template <bool wide> struct tile_mask { typedef unsigned type; };
template <> struct tile_mask<true> { typedef cudaLaneMask_t type; };
}

/* A tile of Size threads, a power of two of at most a warp. */
template <unsigned Size, class Parent = void> class thread_block_tile {
    static_assert(Size > 0 && (Size & (Size - 1)) == 0 && Size <= sizeof(cudaLaneMask_t) * 8,
                  "a tile has a power of two of threads, and at most as many as a warp");
    typedef typename details::tile_mask<(Size > 32)>::type lanes;

public:
    __device__ thread_block_tile() {}
    template <class Other> __device__ thread_block_tile(const thread_block_tile<Size, Other> &) {}
    __device__ static unsigned thread_rank() { return details::rank_in_block() & (Size - 1); }
    __device__ static constexpr unsigned size() { return Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ static unsigned meta_group_rank() { return details::rank_in_block() / Size; }
    __device__ static unsigned meta_group_size() { return (details::block_threads() + Size - 1) / Size; }
    __device__ static unsigned first_() { return details::lane() & ~(Size - 1); }
    __device__ static cudaLaneMask_t mask_of_() {
        return (cudaLaneMask_t)(~0ull >> (64 - Size)) << first_();
    }
    __device__ static void sync() { __syncwarp(mask_of_()); }
    template <class T> __device__ T shfl(T v, int rank) const {
        cudaLaneMask_t mask = mask_of_();
        return details::by_words(v, [=](unsigned w) { return __shfl_sync(mask, w, rank, Size); });
    }
    template <class T> __device__ T shfl_down(T v, unsigned n) const {
        cudaLaneMask_t mask = mask_of_();
        return details::by_words(v, [=](unsigned w) { return __shfl_down_sync(mask, w, n, Size); });
    }
    template <class T> __device__ T shfl_up(T v, unsigned n) const {
        cudaLaneMask_t mask = mask_of_();
        return details::by_words(v, [=](unsigned w) { return __shfl_up_sync(mask, w, n, Size); });
    }
    template <class T> __device__ T shfl_xor(T v, unsigned m) const {
        cudaLaneMask_t mask = mask_of_();
        return details::by_words(v, [=](unsigned w) { return __shfl_xor_sync(mask, w, m, Size); });
    }
    __device__ int any(int p) const { return (__ballot_sync(mask_of_(), p) & mask_of_()) != 0; }
    __device__ int all(int p) const { return (__ballot_sync(mask_of_(), p) & mask_of_()) == mask_of_(); }
    __device__ lanes ballot(int p) const {
        return (lanes)((__ballot_sync(mask_of_(), p) & mask_of_()) >> first_());
    }
    template <class T> __device__ lanes match_any(T v) const {
        return (lanes)(__match_any_sync(mask_of_(), v) >> first_());
    }
    template <class T> __device__ lanes match_all(T v, int &p) const {
        return (lanes)(__match_all_sync(mask_of_(), v, &p) >> first_());
    }
    __device__ operator thread_group() const { return thread_group(details::k_tile, Size, thread_rank(), mask_of_()); }
};

/* The blocks of a cluster. */
class cluster_group {
public:
    __device__ static void sync() {
        asm volatile("barrier.cluster.arrive;" ::: "memory");
        asm volatile("barrier.cluster.wait;" ::: "memory");
    }
    struct arrival_token {};
    __device__ static arrival_token barrier_arrive() {
        asm volatile("barrier.cluster.arrive;" ::: "memory");
        return arrival_token();
    }
    __device__ static void barrier_wait(arrival_token &&) { barrier_wait(); }
    __device__ static void barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
    __device__ static unsigned block_rank() { unsigned r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
    __device__ static unsigned num_blocks() { unsigned r; asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(r)); return r; }
    __device__ static unsigned thread_rank() { return block_rank() * details::block_threads() + details::rank_in_block(); }
    __device__ static unsigned num_threads() { return num_blocks() * details::block_threads(); }
    __device__ static unsigned size() { return num_threads(); }
    __device__ static dim3 dim_blocks() {
        unsigned x, y, z;
        asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(x));
        asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(y));
        asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(z));
        return dim3(x, y, z);
    }
    __device__ static dim3 block_index() {
        unsigned x, y, z;
        asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
        asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
        asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(z));
        return dim3(x, y, z);
    }
    __device__ static dim3 thread_index() {
        dim3 b = block_index();
        return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y, b.z * blockDim.z + threadIdx.z);
    }
    __device__ static dim3 dim_threads() {
        dim3 b = dim_blocks();
        return dim3(b.x * blockDim.x, b.y * blockDim.y, b.z * blockDim.z);
    }
    __device__ static unsigned query_shared_rank(const void *p) {
        unsigned r;
        asm("getctarank.u64 %0, %1;" : "=r"(r) : "l"((unsigned long long)p));
        return r;
    }
    template <class T> __device__ static T *map_shared_rank(T *p, int rank) {
        unsigned long long r;
        asm("mapa.u64 %0, %1, %2;" : "=l"(r) : "l"((unsigned long long)p), "r"(rank));
        return (T *)r;
    }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }
__device__ inline grid_group this_grid() { return grid_group(); }
__device__ inline cluster_group this_cluster() { return cluster_group(); }
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned Size, class Group> __device__ inline thread_block_tile<Size, Group> tiled_partition(const Group &) {
    return thread_block_tile<Size, Group>();
}
__device__ inline thread_group tiled_partition(const thread_group &g, unsigned size) {
    unsigned rank = (unsigned)g.thread_rank(), first = details::lane() & ~(size - 1);
    cudaLaneMask_t mask = size >= warpSize ? ~(cudaLaneMask_t)0 : (((cudaLaneMask_t)1 << size) - 1) << first;
    return thread_group(details::k_tile, size, rank & (size - 1), mask & g.mask_of_());
}
template <class Group> __device__ inline coalesced_group labeled_partition(const Group &g, int label) {
    return coalesced_group(__match_any_sync(g.mask_of_(), label));
}
template <class Group> __device__ inline coalesced_group binary_partition(const Group &g, bool p) {
    cudaLaneMask_t hits = __ballot_sync(g.mask_of_(), p);
    return coalesced_group(p ? hits : g.mask_of_() & ~hits, 2, p ? 0 : 1);
}
/* As they may be called with the size of the tile. */
template <unsigned Size, class Group>
__device__ inline coalesced_group labeled_partition(const thread_block_tile<Size, Group> &g, int label) {
    return labeled_partition<thread_block_tile<Size, Group>>(g, label);
}
template <unsigned Size, class Group>
__device__ inline coalesced_group binary_partition(const thread_block_tile<Size, Group> &g, bool p) {
    return binary_partition<thread_block_tile<Size, Group>>(g, p);
}
template <class Group> __device__ inline void sync(const Group &g) { g.sync(); }
template <class Group> __device__ inline unsigned thread_rank(const Group &g) { return (unsigned)g.thread_rank(); }
template <class Group> __device__ inline unsigned group_size(const Group &g) { return (unsigned)g.size(); }

template <class T = void> struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T = void> struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void> struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T = void> struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T = void> struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned Size, class Parent, class T, class Op>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &g, T v, Op op) {
#pragma unroll
    for (unsigned n = Size / 2; n > 0; n /= 2) v = op(v, g.shfl_xor(v, n));
    return v;
}
template <class T, class Op> __device__ inline T reduce(const coalesced_group &g, T v, Op op) {
    T all = g.shfl(v, 0);
    for (unsigned i = 1; i < g.size(); i++) all = op(all, g.shfl(v, i));
    return all;
}
/* They are done when the call returns. */
template <class Group, class T, class V, class Op>
__device__ inline void reduce_store_async(const Group &g, T *to, V v, Op op) {
    T all = reduce(g, (T)v, op);
    if (g.thread_rank() == 0) *to = all;
}
template <class Group, class Atomic, class V, class Op>
__device__ inline auto reduce_store_async(const Group &g, Atomic &&to, V v, Op op) -> decltype(to.store(to.load())) {
    decltype(to.load()) all = reduce(g, (decltype(to.load()))v, op);
    if (g.thread_rank() == 0) to.store(all);
}
namespace details {
template <class Atomic, class T, class Op> __device__ inline void update(Atomic &to, T v, Op op) {
    T old = to.load();
    while (!to.compare_exchange_weak(old, op(old, v))) {}
}
template <class Atomic, class T> __device__ inline void update(Atomic &to, T v, plus<T>) { to.fetch_add(v); }
template <class Atomic, class T> __device__ inline void update(Atomic &to, T v, less<T>) { to.fetch_min(v); }
template <class Atomic, class T> __device__ inline void update(Atomic &to, T v, greater<T>) { to.fetch_max(v); }
}
template <class Group, class Atomic, class V, class Op>
__device__ inline auto reduce_update_async(const Group &g, Atomic &&to, V v, Op op) -> decltype(to.store(to.load())) {
    decltype(to.load()) all = reduce(g, (decltype(to.load()))v, op);
    if (g.thread_rank() == 0) details::update(to, all, op);
}
template <class Group, class T, class Op> __device__ inline T inclusive_scan(const Group &g, T v, Op op) {
    for (unsigned n = 1; n < g.size(); n *= 2) {
        T other = g.shfl_up(v, n);
        if (g.thread_rank() >= n) v = op(other, v);
    }
    return v;
}
template <class Group, class T> __device__ inline T inclusive_scan(const Group &g, T v) {
    return inclusive_scan(g, v, plus<T>());
}
template <class Group, class T, class Op> __device__ inline T exclusive_scan(const Group &g, T v, Op op) {
    T all = inclusive_scan(g, v, op), before = g.shfl_up(all, 1);
    return g.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> __device__ inline T exclusive_scan(const Group &g, T v) {
    return exclusive_scan(g, v, plus<T>());
}

/* Copies are done when the call returns; waiting is only for the other threads' copies. */
template <class Group, class T>
__device__ inline void memcpy_async(const Group &g, T *to, const T *from, unsigned long long bytes) {
    const unsigned long long whole = bytes / sizeof(T);
    for (unsigned long long i = g.thread_rank(); i < whole; i += g.size()) to[i] = from[i];
    if (sizeof(T) > 1)
        for (unsigned long long i = whole * sizeof(T) + g.thread_rank(); i < bytes; i += g.size()) ((char *)to)[i] = ((const char *)from)[i];
}
/* So many elements as there is room for. */
template <class Group, class T, class Room, class Count>
__device__ inline void memcpy_async(const Group &g, T *to, const Room &room, const T *from, const Count &count) {
    const unsigned long long r = room, n = count;
    memcpy_async(g, to, from, (r < n ? r : n) * sizeof(T));
}
template <class Group> __device__ inline void wait(const Group &g) { g.sync(); }
template <unsigned Stages, class Group> __device__ inline void wait_prior(const Group &g) { g.sync(); }
template <class Group, class Work> __device__ inline void invoke_one(const Group &g, Work work) {
    if (g.thread_rank() == 0) work();
}
template <class Group, class Work> __device__ inline auto invoke_one_broadcast(const Group &g, Work work) -> decltype(work()) {
    decltype(work()) v{};
    if (g.thread_rank() == 0) v = work();
    return g.shfl(v, 0);
}
}
