/* Reductions and scans of blocks and warps, with CUB's names: written for unspool. */
namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE };

struct Sum {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    __host__ __device__ KeyValuePair() {}
    __host__ __device__ KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
};
struct ArgMax {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return (b.value > a.value || (a.value == b.value && b.key < a.key)) ? b : a;
    }
};
struct ArgMin {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return (b.value < a.value || (a.value == b.value && b.key < a.key)) ? b : a;
    }
};

/* Keys of a radix sort as unsigned numbers of the same order. */
template <class K, class U, int Kind> struct __keys {
    typedef U UnsignedBits;
    static constexpr U HIGH = U(1) << (sizeof(U) * 8 - 1);
    static __host__ __device__ U TwiddleIn(U key) {
        if (Kind == 1) return key ^ HIGH;
        if (Kind == 2) return key ^ (key & HIGH ? U(-1) : HIGH);
        return key;
    }
    static __host__ __device__ U TwiddleOut(U key) {
        if (Kind == 1) return key ^ HIGH;
        if (Kind == 2) return key ^ (key & HIGH ? HIGH : U(-1));
        return key;
    }
};
template <class T> struct Traits {};
template <> struct Traits<char> : __keys<char, unsigned char, 1> {};
template <> struct Traits<signed char> : __keys<signed char, unsigned char, 1> {};
template <> struct Traits<short> : __keys<short, unsigned short, 1> {};
template <> struct Traits<int> : __keys<int, unsigned int, 1> {};
template <> struct Traits<long> : __keys<long, unsigned long, 1> {};
template <> struct Traits<long long> : __keys<long long, unsigned long long, 1> {};
template <> struct Traits<bool> : __keys<bool, unsigned char, 0> {};
template <> struct Traits<unsigned char> : __keys<unsigned char, unsigned char, 0> {};
template <> struct Traits<unsigned short> : __keys<unsigned short, unsigned short, 0> {};
template <> struct Traits<unsigned int> : __keys<unsigned int, unsigned int, 0> {};
template <> struct Traits<unsigned long> : __keys<unsigned long, unsigned long, 0> {};
template <> struct Traits<unsigned long long> : __keys<unsigned long long, unsigned long long, 0> {};
template <> struct Traits<__half> : __keys<__half, unsigned short, 2> {};
template <> struct Traits<__nv_bfloat16> : __keys<__nv_bfloat16, unsigned short, 2> {};
template <> struct Traits<float> : __keys<float, unsigned int, 2> {};
template <> struct Traits<double> : __keys<double, unsigned long long, 2> {};

namespace details {
__device__ inline unsigned thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
}

/* The result is the first thread's. */
template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1> class BlockReduce {
public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    __device__ explicit BlockReduce(TempStorage &t) : storage(t) {}
    template <class Op> __device__ T Reduce(T v, Op op, int valid) {
        unsigned me = details::thread();
        unsigned count = valid < X * Y * Z ? valid : X * Y * Z;
        storage.values[me] = v;
        __syncthreads();
        while (count > 1) {
            unsigned half = (count + 1) / 2;
            if (me < count / 2) storage.values[me] = op(storage.values[me], storage.values[me + half]);
            __syncthreads();
            count = half;
        }
        return storage.values[0];
    }
    template <class Op> __device__ T Reduce(T v, Op op) { return Reduce(v, op, X * Y * Z); }
    __device__ T Sum(T v) { return Reduce(v, cub::Sum(), X * Y * Z); }
    __device__ T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
    template <int N, class Op> __device__ T Reduce(T (&items)[N], Op op) {
        T all = items[0];
        for (int i = 1; i < N; i++) all = op(all, items[i]);
        return Reduce(all, op, X * Y * Z);
    }
    template <int N> __device__ T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }

private:
    TempStorage &storage;
};

template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> class BlockScan {
public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    __device__ explicit BlockScan(TempStorage &t) : storage(t) {}
    template <class Op> __device__ void InclusiveScan(T in, T &out, Op op) {
        unsigned me = details::thread();
        T v = in;
        storage.values[me] = v;
        __syncthreads();
        for (unsigned n = 1; n < X * Y * Z; n *= 2) {
            T other = me >= n ? storage.values[me - n] : v;
            __syncthreads();
            if (me >= n) v = op(other, v);
            storage.values[me] = v;
            __syncthreads();
        }
        out = v;
    }
    template <class Op> __device__ void InclusiveScan(T in, T &out, Op op, T &total) {
        InclusiveScan(in, out, op);
        total = storage.values[X * Y * Z - 1];
    }
    template <class Op> __device__ void ExclusiveScan(T in, T &out, T first, Op op) {
        T v;
        InclusiveScan(in, v, op);
        unsigned me = details::thread();
        out = me == 0 ? first : op(first, storage.values[me - 1]);
    }
    template <class Op> __device__ void ExclusiveScan(T in, T &out, T first, Op op, T &total) {
        ExclusiveScan(in, out, first, op);
        total = op(first, storage.values[X * Y * Z - 1]);
    }
    /* Items of a thread stand side by side. */
    template <int N, class Op> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
        out[0] = in[0];
        for (int i = 1; i < N; i++) out[i] = op(out[i - 1], in[i]);
        T all;
        InclusiveScan(out[N - 1], all, op);
        unsigned me = details::thread();
        if (me > 0)
            for (int i = 0; i < N; i++) out[i] = op(storage.values[me - 1], out[i]);
    }
    template <int N, class Op> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &total) {
        InclusiveScan(in, out, op);
        total = storage.values[X * Y * Z - 1];
    }
    template <int N, class Op> __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], T first, Op op) {
        T own = in[0], all;
        for (int i = 1; i < N; i++) own = op(own, in[i]);
        InclusiveScan(own, all, op);
        unsigned me = details::thread();
        T before = me == 0 ? first : op(first, storage.values[me - 1]);
        for (int i = 0; i < N; i++) {
            T item = in[i];
            out[i] = before;
            before = op(before, item);
        }
    }
    template <int N> __device__ void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, cub::Sum()); }
    template <int N> __device__ void InclusiveSum(T (&in)[N], T (&out)[N], T &total) {
        InclusiveScan(in, out, cub::Sum(), total);
    }
    template <int N> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N]) { ExclusiveScan(in, out, T(0), cub::Sum()); }
    template <int N> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N], T &total) {
        ExclusiveSum(in, out);
        total = storage.values[X * Y * Z - 1];
    }
    __device__ void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
    __device__ void InclusiveSum(T in, T &out, T &total) { InclusiveScan(in, out, cub::Sum(), total); }
    __device__ void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(0), cub::Sum()); }
    __device__ void ExclusiveSum(T in, T &out, T &total) {
        ExclusiveSum(in, out);
        total = storage.values[X * Y * Z - 1];
    }
    /* A function that the first warp calls with the block's total says what comes before the block; that of lane 0 counts. */
    template <class P> __device__ void ExclusiveSum(T in, T &out, P &prefix) {
        T total;
        ExclusiveSum(in, out, total);
        out = before(prefix, total) + out;
    }
    template <class P> __device__ void InclusiveSum(T in, T &out, P &prefix) {
        T total;
        InclusiveSum(in, out, total);
        out = before(prefix, total) + out;
    }
    template <int N, class P> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N], P &prefix) {
        T total;
        ExclusiveSum(in, out, total);
        T first = before(prefix, total);
        for (int i = 0; i < N; i++) out[i] = first + out[i];
    }
    template <int N, class P> __device__ void InclusiveSum(T (&in)[N], T (&out)[N], P &prefix) {
        T total;
        InclusiveSum(in, out, total);
        T first = before(prefix, total);
        for (int i = 0; i < N; i++) out[i] = first + out[i];
    }
    /* Without a first value the first thread's result is its own, which nobody may use. */
    template <class Op> __device__ void ExclusiveScan(T in, T &out, Op op) {
        T v;
        InclusiveScan(in, v, op);
        unsigned me = details::thread();
        out = me == 0 ? in : storage.values[me - 1];
    }

private:
    TempStorage &storage;
    template <class P> __device__ T before(P &prefix, T total) {
        unsigned me = details::thread();
        __syncthreads();
        if (me < warpSize) {
            T first = prefix(total);
            if (me == 0) storage.values[0] = first;
        }
        __syncthreads();
        return storage.values[0];
    }
};

namespace details {
/* The lanes that work together where W do: they may come here without the others of their warp. */
template <int W> __device__ inline cudaLaneMask_t lanes() {
    static_assert(W > 0 && W <= (int)sizeof(cudaLaneMask_t) * 8, "at most as many threads as a warp has");
    if ((W & (W - 1)) != 0) return ~(cudaLaneMask_t)0;
    return (cudaLaneMask_t)(~0ull >> (64 - W)) << (thread() & (warpSize - 1) & ~(W - 1));
}
}

template <class T, int W = sizeof(cudaLaneMask_t) * 8> class WarpReduce {
public:
    struct TempStorage {
        int unused;
    };
    __device__ explicit WarpReduce(TempStorage &) {}
    template <class Op> __device__ T Reduce(T v, Op op) {
        const cudaLaneMask_t mask = details::lanes<W>();
        for (int n = W / 2; n > 0; n /= 2) v = op(v, __shfl_down_sync(mask, v, n, W));
        return v;
    }
    __device__ T Sum(T v) { return Reduce(v, cub::Sum()); }
    /* Only the first lanes have a value. */
    template <class Op> __device__ T Reduce(T v, Op op, int valid) {
        const cudaLaneMask_t mask = details::lanes<W>();
        int me = details::thread() & (W - 1);
        for (int n = 1; n < W; n *= 2) {
            T other = __shfl_down_sync(mask, v, n, W);
            if ((me & (2 * n - 1)) == 0 && me + n < valid) v = op(v, other);
        }
        return v;
    }
    __device__ T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
    /* Segments begin where a flag is set: the result is that of each one's first lane. */
    template <class F, class Op> __device__ T HeadSegmentedReduce(T v, F head, Op op) {
        const cudaLaneMask_t mask = details::lanes<W>();
        int me = details::thread() & (W - 1);
        cudaLaneMask_t heads = __ballot_sync(mask, head) >> (details::thread() & (warpSize - 1) & ~(W - 1));
        return segmented(v, me, me + 1 < W ? heads >> (me + 1) : 0, op);
    }
    /* They end where one is set. */
    template <class F, class Op> __device__ T TailSegmentedReduce(T v, F tail, Op op) {
        const cudaLaneMask_t mask = details::lanes<W>();
        int me = details::thread() & (W - 1);
        cudaLaneMask_t tails = __ballot_sync(mask, tail) >> (details::thread() & (warpSize - 1) & ~(W - 1));
        return segmented(v, me, tails >> me, op);
    }
    template <class F> __device__ T HeadSegmentedSum(T v, F head) { return HeadSegmentedReduce(v, head, cub::Sum()); }
    template <class F> __device__ T TailSegmentedSum(T v, F tail) { return TailSegmentedReduce(v, tail, cub::Sum()); }

private:
    /* `ends`: its lowest bit says how many lanes further on the segment's last one is. */
    template <class Op> static __device__ T segmented(T v, int me, cudaLaneMask_t ends, Op op) {
        const cudaLaneMask_t mask = details::lanes<W>();
        int count = ends ? __ffsll((long long)ends) : W;
        if (count > W - me) count = W - me;
        for (int n = 1; n < W; n *= 2) {
            T other = __shfl_down_sync(mask, v, n, W);
            if (n < count) v = op(v, other);
        }
        return v;
    }
};

template <class T, int W = sizeof(cudaLaneMask_t) * 8> class WarpScan {
public:
    struct TempStorage {
        int unused;
    };
    __device__ explicit WarpScan(TempStorage &) {}
    template <class Op> __device__ void InclusiveScan(T in, T &out, Op op) {
        const cudaLaneMask_t mask = details::lanes<W>();
        int me = details::thread() & (W - 1);
        T v = in;
        for (int n = 1; n < W; n *= 2) {
            T other = __shfl_up_sync(mask, v, n, W);
            if (me >= n) v = op(other, v);
        }
        out = v;
    }
    __device__ void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
    __device__ void ExclusiveSum(T in, T &out) {
        T v;
        InclusiveSum(in, v);
        out = v - in;
    }
    template <class Op> __device__ void InclusiveScan(T in, T &out, Op op, T &total) {
        InclusiveScan(in, out, op);
        total = __shfl_sync(details::lanes<W>(), out, W - 1, W);
    }
    __device__ void InclusiveSum(T in, T &out, T &total) { InclusiveScan(in, out, cub::Sum(), total); }
    __device__ void ExclusiveSum(T in, T &out, T &total) {
        T v;
        InclusiveSum(in, v, total);
        out = v - in;
    }
    template <class Op> __device__ void ExclusiveScan(T in, T &out, T first, Op op) {
        T v;
        InclusiveScan(in, v, op);
        T before = __shfl_up_sync(details::lanes<W>(), v, 1, W);
        out = (details::thread() & (W - 1)) == 0 ? first : op(first, before);
    }
    template <class Op> __device__ void ExclusiveScan(T in, T &out, T first, Op op, T &total) {
        ExclusiveScan(in, out, first, op);
        total = __shfl_sync(details::lanes<W>(), op(out, in), W - 1, W);
    }
    template <class Op> __device__ void ExclusiveScan(T in, T &out, Op op) {
        T v;
        InclusiveScan(in, v, op);
        T before = __shfl_up_sync(details::lanes<W>(), v, 1, W);
        out = (details::thread() & (W - 1)) == 0 ? in : before;
    }
    __device__ T Broadcast(T v, unsigned lane) { return __shfl_sync(details::lanes<W>(), v, lane, W); }
};

/* Items of a thread stand side by side. */
template <class T, int X, int Items, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1> class BlockLoad {
public:
    struct TempStorage {
        int unused;
    };
    __device__ BlockLoad() {}
    __device__ explicit BlockLoad(TempStorage &) {}
    template <class P> __device__ void Load(P from, T (&items)[Items]) {
        for (int i = 0; i < Items; i++) items[i] = from[at(i)];
    }
    template <class P> __device__ void Load(P from, T (&items)[Items], int valid) {
        for (int i = 0; i < Items; i++)
            if (at(i) < valid) items[i] = from[at(i)];
    }
    template <class P> __device__ void Load(P from, T (&items)[Items], int valid, T other) {
        for (int i = 0; i < Items; i++) items[i] = at(i) < valid ? from[at(i)] : other;
    }

private:
    __device__ static int at(int i) {
        return A == BLOCK_LOAD_STRIPED ? i * X * Y * Z + details::thread() : details::thread() * Items + i;
    }
};
template <class T, int X, int Items, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1> class BlockStore {
public:
    struct TempStorage {
        int unused;
    };
    __device__ BlockStore() {}
    __device__ explicit BlockStore(TempStorage &) {}
    template <class P> __device__ void Store(P to, T (&items)[Items]) {
        for (int i = 0; i < Items; i++) to[at(i)] = items[i];
    }
    template <class P> __device__ void Store(P to, T (&items)[Items], int valid) {
        for (int i = 0; i < Items; i++)
            if (at(i) < valid) to[at(i)] = items[i];
    }

private:
    __device__ static int at(int i) {
        return A == BLOCK_STORE_STRIPED ? i * X * Y * Z + details::thread() : details::thread() * Items + i;
    }
};
}
