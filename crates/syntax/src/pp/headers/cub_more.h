/* More of what blocks and warps do together, with CUB's names: sorts, exchanges, flags, histograms. Written for unspool. */
namespace cub {
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
struct NullType {};
struct Equality {
    template <class T, class U> __host__ __device__ bool operator()(const T &a, const U &b) const { return a == b; }
};
struct Inequality {
    template <class T, class U> __host__ __device__ bool operator()(const T &a, const U &b) const { return a != b; }
};
struct Difference {
    template <class T, class U> __host__ __device__ auto operator()(const T &a, const U &b) const { return a - b; }
};
template <class B> struct CastOp {
    template <class A> __host__ __device__ B operator()(const A &a) const { return (B)a; }
};

__device__ inline unsigned LaneId() { return details::thread() & (warpSize - 1); }
__device__ inline unsigned WarpId() { return details::thread() / warpSize; }
__device__ inline int RowMajorTid(int x, int y, int) { return (int)((threadIdx.z * y + threadIdx.y) * x + threadIdx.x); }
template <CacheLoadModifier M, class T> __device__ T ThreadLoad(const T *p) { return *p; }
template <CacheStoreModifier M, class T, class U> __device__ void ThreadStore(T *p, U v) { *p = v; }
template <int N, class T, class Op> __device__ T ThreadReduce(T (&items)[N], Op op) {
    T all = items[0];
    for (int i = 1; i < N; i++) all = op(all, items[i]);
    return all;
}
template <int N, class T, class Op> __device__ T ThreadReduce(T (&items)[N], Op op, T first) {
    for (int i = 0; i < N; i++) first = op(first, items[i]);
    return first;
}

template <class T, int N, class P> __device__ void LoadDirectBlocked(int me, P from, T (&items)[N]) {
    for (int i = 0; i < N; i++) items[i] = from[me * N + i];
}
template <class T, int N, class P> __device__ void LoadDirectBlocked(int me, P from, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
        if (me * N + i < valid) items[i] = from[me * N + i];
}
template <class T, class D, int N, class P> __device__ void LoadDirectBlocked(int me, P from, T (&items)[N], int valid, D other) {
    for (int i = 0; i < N; i++) items[i] = me * N + i < valid ? from[me * N + i] : T(other);
}
template <int X, class T, int N, class P> __device__ void LoadDirectStriped(int me, P from, T (&items)[N]) {
    for (int i = 0; i < N; i++) items[i] = from[me + i * X];
}
template <int X, class T, int N, class P> __device__ void LoadDirectStriped(int me, P from, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
        if (me + i * X < valid) items[i] = from[me + i * X];
}
template <int X, class T, class D, int N, class P> __device__ void LoadDirectStriped(int me, P from, T (&items)[N], int valid, D other) {
    for (int i = 0; i < N; i++) items[i] = me + i * X < valid ? from[me + i * X] : T(other);
}
template <class T, int N, class P> __device__ void StoreDirectBlocked(int me, P to, T (&items)[N]) {
    for (int i = 0; i < N; i++) to[me * N + i] = items[i];
}
template <class T, int N, class P> __device__ void StoreDirectBlocked(int me, P to, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
        if (me * N + i < valid) to[me * N + i] = items[i];
}
template <int X, class T, int N, class P> __device__ void StoreDirectStriped(int me, P to, T (&items)[N]) {
    for (int i = 0; i < N; i++) to[me + i * X] = items[i];
}
template <int X, class T, int N, class P> __device__ void StoreDirectStriped(int me, P to, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
        if (me + i * X < valid) to[me + i * X] = items[i];
}

/* Items change places between threads: side by side in one, or one behind the other over all. */
template <class T, int X, int Items, bool Sliced = false, int Y = 1, int Z = 1> class BlockExchange {
public:
    struct TempStorage {
        T values[X * Y * Z * Items];
    };
    __device__ explicit BlockExchange(TempStorage &t) : storage(t), me(details::thread()) {}
    template <class U> __device__ void StripedToBlocked(const T (&in)[Items], U (&out)[Items]) { move(in, out, false, true); }
    template <class U> __device__ void BlockedToStriped(const T (&in)[Items], U (&out)[Items]) { move(in, out, true, false); }
    __device__ void StripedToBlocked(T (&items)[Items]) { move(items, items, false, true); }
    __device__ void BlockedToStriped(T (&items)[Items]) { move(items, items, true, false); }
    template <class U, class R> __device__ void ScatterToBlocked(const T (&in)[Items], U (&out)[Items], R (&ranks)[Items]) {
        scatter(in, ranks);
        take(out, true);
    }
    template <class U, class R> __device__ void ScatterToStriped(const T (&in)[Items], U (&out)[Items], R (&ranks)[Items]) {
        scatter(in, ranks);
        take(out, false);
    }
    template <class R> __device__ void ScatterToBlocked(T (&items)[Items], R (&ranks)[Items]) { ScatterToBlocked(items, items, ranks); }
    template <class R> __device__ void ScatterToStriped(T (&items)[Items], R (&ranks)[Items]) { ScatterToStriped(items, items, ranks); }

private:
    TempStorage &storage;
    unsigned me;
    __device__ unsigned at(int i, bool blocked) const { return blocked ? me * Items + i : me + i * (X * Y * Z); }
    template <class U> __device__ void take(U (&out)[Items], bool blocked) {
        for (int i = 0; i < Items; i++) out[i] = storage.values[at(i, blocked)];
    }
    template <class R> __device__ void scatter(const T (&in)[Items], R (&ranks)[Items]) {
        for (int i = 0; i < Items; i++) storage.values[ranks[i]] = in[i];
        __syncthreads();
    }
    template <class U> __device__ void move(const T (&in)[Items], U (&out)[Items], bool from, bool to) {
        for (int i = 0; i < Items; i++) storage.values[at(i, from)] = in[i];
        __syncthreads();
        take(out, to);
    }
};

/* Sorts the items of all threads, which stand side by side; equal ones stay in their order. */
template <class K, int X, int Items, class V = NullType, int Bits = 4, bool Memoize = true, BlockScanAlgorithm A = BLOCK_SCAN_WARP_SCANS,
          int Config = 0, int Y = 1, int Z = 1>
class BlockRadixSort {
    static constexpr int THREADS = X * Y * Z;

public:
    struct TempStorage {
        unsigned counts[THREADS];
        K keys[THREADS * Items];
        V values[THREADS * Items];
    };
    __device__ explicit BlockRadixSort(TempStorage &t) : storage(t), me(details::thread()) {}
    __device__ void Sort(K (&keys)[Items], int begin = 0, int end = sizeof(K) * 8) {
        V none[Items];
        sort(keys, none, begin, end, false, false);
    }
    __device__ void SortDescending(K (&keys)[Items], int begin = 0, int end = sizeof(K) * 8) {
        V none[Items];
        sort(keys, none, begin, end, true, false);
    }
    __device__ void Sort(K (&keys)[Items], V (&values)[Items], int begin = 0, int end = sizeof(K) * 8) {
        sort(keys, values, begin, end, false, false);
    }
    __device__ void SortDescending(K (&keys)[Items], V (&values)[Items], int begin = 0, int end = sizeof(K) * 8) {
        sort(keys, values, begin, end, true, false);
    }
    __device__ void SortBlockedToStriped(K (&keys)[Items], int begin = 0, int end = sizeof(K) * 8) {
        V none[Items];
        sort(keys, none, begin, end, false, true);
    }
    __device__ void SortDescendingBlockedToStriped(K (&keys)[Items], int begin = 0, int end = sizeof(K) * 8) {
        V none[Items];
        sort(keys, none, begin, end, true, true);
    }
    __device__ void SortBlockedToStriped(K (&keys)[Items], V (&values)[Items], int begin = 0, int end = sizeof(K) * 8) {
        sort(keys, values, begin, end, false, true);
    }
    __device__ void SortDescendingBlockedToStriped(K (&keys)[Items], V (&values)[Items], int begin = 0, int end = sizeof(K) * 8) {
        sort(keys, values, begin, end, true, true);
    }

private:
    TempStorage &storage;
    unsigned me;
    typedef typename Traits<K>::UnsignedBits U;
    static __device__ bool bit_of(const K &key, int bit) { return Traits<K>::TwiddleIn(reinterpret_cast<const U &>(key)) >> bit & 1; }
    __device__ void sort(K (&keys)[Items], V (&values)[Items], int begin, int end, bool descending, bool striped) {
        for (int bit = begin; bit < end; bit++) split(keys, values, bit, descending);
        if (begin >= end) put(keys, values);
        for (int i = 0; i < Items; i++) {
            unsigned at = striped ? me + i * THREADS : me * Items + i;
            keys[i] = storage.keys[at];
            values[i] = storage.values[at];
        }
    }
    __device__ void put(K (&keys)[Items], V (&values)[Items]) {
        for (int i = 0; i < Items; i++) {
            storage.keys[me * Items + i] = keys[i];
            storage.values[me * Items + i] = values[i];
        }
        __syncthreads();
    }
    /* Those whose bit is `last` go behind the others. */
    __device__ void split(K (&keys)[Items], V (&values)[Items], int bit, bool descending) {
        unsigned own = 0;
        for (int i = 0; i < Items; i++) own += bit_of(keys[i], bit) == descending;
        unsigned sum = own;
        storage.counts[me] = sum;
        __syncthreads();
        for (unsigned n = 1; n < THREADS; n *= 2) {
            unsigned other = me >= n ? storage.counts[me - n] : 0;
            __syncthreads();
            sum += other;
            storage.counts[me] = sum;
            __syncthreads();
        }
        unsigned first = sum - own, last = storage.counts[THREADS - 1] + me * Items - first;
        for (int i = 0; i < Items; i++) {
            unsigned to = bit_of(keys[i], bit) == descending ? first++ : last++;
            storage.keys[to] = keys[i];
            storage.values[to] = values[i];
        }
        __syncthreads();
        for (int i = 0; i < Items; i++) {
            keys[i] = storage.keys[me * Items + i];
            values[i] = storage.values[me * Items + i];
        }
        __syncthreads();
    }
};

/* Where an item differs from the one before or behind it. */
template <class T, int X, int Y = 1, int Z = 1> class BlockDiscontinuity {
public:
    struct TempStorage {
        T first[X * Y * Z], last[X * Y * Z];
    };
    __device__ explicit BlockDiscontinuity(TempStorage &t) : storage(t), me(details::thread()) {}
    template <int N, class F, class Op> __device__ void FlagHeads(F (&flags)[N], T (&items)[N], Op op) {
        put(items);
        for (int i = 1; i < N; i++) flags[i] = op(items[i - 1], items[i]);
        flags[0] = me == 0 ? 1 : op(storage.last[me - 1], items[0]);
    }
    template <int N, class F, class Op> __device__ void FlagHeads(F (&flags)[N], T (&items)[N], Op op, T before) {
        FlagHeads(flags, items, op);
        if (me == 0) flags[0] = op(before, items[0]);
    }
    template <int N, class F, class Op> __device__ void FlagTails(F (&flags)[N], T (&items)[N], Op op) {
        put(items);
        for (int i = 0; i + 1 < N; i++) flags[i] = op(items[i], items[i + 1]);
        flags[N - 1] = me + 1 == X * Y * Z ? 1 : op(items[N - 1], storage.first[me + 1]);
    }
    template <int N, class F, class Op> __device__ void FlagTails(F (&flags)[N], T (&items)[N], Op op, T behind) {
        FlagTails(flags, items, op);
        if (me + 1 == X * Y * Z) flags[N - 1] = op(items[N - 1], behind);
    }
    template <int N, class F, class Op> __device__ void FlagHeadsAndTails(F (&heads)[N], F (&tails)[N], T (&items)[N], Op op) {
        FlagHeads(heads, items, op);
        __syncthreads();
        FlagTails(tails, items, op);
    }

private:
    TempStorage &storage;
    unsigned me;
    template <int N> __device__ void put(T (&items)[N]) {
        storage.first[me] = items[0];
        storage.last[me] = items[N - 1];
        __syncthreads();
    }
};

/* Differences of neighbours; the first or last item has none and stays. */
template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference {
public:
    struct TempStorage {
        T first[X * Y * Z], last[X * Y * Z];
    };
    __device__ explicit BlockAdjacentDifference(TempStorage &t) : storage(t), me(details::thread()) {}
    template <int N, class O, class Op> __device__ void SubtractLeft(T (&in)[N], O (&out)[N], Op op) {
        T before = left(in), own = in[0];
        for (int i = N - 1; i > 0; i--) out[i] = op(in[i], in[i - 1]);
        out[0] = me == 0 ? own : op(own, before);
    }
    template <int N, class O, class Op> __device__ void SubtractLeft(T (&in)[N], O (&out)[N], Op op, T tile) {
        T before = left(in), own = in[0];
        for (int i = N - 1; i > 0; i--) out[i] = op(in[i], in[i - 1]);
        out[0] = op(own, me == 0 ? tile : before);
    }
    template <int N, class O, class Op> __device__ void SubtractRight(T (&in)[N], O (&out)[N], Op op) {
        left(in);
        bool end = me + 1 == X * Y * Z;
        T own = in[N - 1];
        for (int i = 0; i + 1 < N; i++) out[i] = op(in[i], in[i + 1]);
        out[N - 1] = end ? own : op(own, storage.first[end ? 0 : me + 1]);
    }

private:
    TempStorage &storage;
    unsigned me;
    template <int N> __device__ T left(T (&in)[N]) {
        storage.first[me] = in[0];
        storage.last[me] = in[N - 1];
        __syncthreads();
        return storage.last[me == 0 ? 0 : me - 1];
    }
};

template <class T, int X, int Items, int Bins, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1> class BlockHistogram {
public:
    struct TempStorage {
        int unused;
    };
    __device__ explicit BlockHistogram(TempStorage &) {}
    template <class C> __device__ void InitHistogram(C *counts) {
        for (int i = details::thread(); i < Bins; i += X * Y * Z) counts[i] = 0;
    }
    template <class C> __device__ void Composite(T (&items)[Items], C *counts) {
        for (int i = 0; i < Items; i++) atomicAdd(counts + items[i], C(1));
        __syncthreads();
    }
    template <class C> __device__ void Histogram(T (&items)[Items], C *counts) {
        InitHistogram(counts);
        __syncthreads();
        Composite(items, counts);
    }
};

template <class T, int X, int Y = 1, int Z = 1> class BlockShuffle {
public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    __device__ explicit BlockShuffle(TempStorage &t) : storage(t), me(details::thread()) {}
    __device__ void Offset(T in, T &out, int distance = 1) {
        put(in);
        int from = (int)me + distance;
        if (from >= 0 && from < X * Y * Z) out = storage.values[from];
    }
    __device__ void Rotate(T in, T &out, unsigned distance = 1) {
        put(in);
        out = storage.values[(me + distance) % (X * Y * Z)];
    }
    template <int N> __device__ void Up(T (&in)[N], T (&out)[N]) {
        put(in[N - 1]);
        for (int i = N - 1; i > 0; i--) out[i] = in[i - 1];
        if (me > 0) out[0] = storage.values[me - 1];
    }
    template <int N> __device__ void Down(T (&in)[N], T (&out)[N]) {
        put(in[0]);
        for (int i = 0; i + 1 < N; i++) out[i] = in[i + 1];
        if (me + 1 < X * Y * Z) out[N - 1] = storage.values[me + 1];
    }

private:
    TempStorage &storage;
    unsigned me;
    __device__ void put(const T &v) {
        storage.values[me] = v;
        __syncthreads();
    }
};
}
