// What blocks and warps do together by CUB's names. The results of a longer program were those of CUB itself (CCCL 3.3).

#include <cub/cub.cuh>

//@ block=64
BEGIN(sorts_of_blocks)
    typedef cub::BlockRadixSort<int, 64, 2, short> Sort;
    __shared__ Sort::TempStorage s;
    int r = threadIdx.x, keys[2] = {(r * 2 * 37 + V(5)) % 128 - 64, ((r * 2 + 1) * 37 + 5) % 128 - 64};
    short from[2] = {short(2 * r), short(2 * r + 1)};
    Sort(s).Sort(keys, from);
    I(keys[0] == 2 * r - 64 && keys[1] == 2 * r - 63); I((from[0] * 37 + 5) % 128 - 64 == keys[0]); //= 1 1
    __syncthreads();
    Sort(s).SortDescendingBlockedToStriped(keys, from);
    I(keys[0] == 63 - r && keys[1] == -1 - r && (from[1] * 37 + 5) % 128 - 64 == keys[1]); //= 1
    __syncthreads();
    // Equal ones stay in their order.
    int some[2] = {r & 3, (r + 2) & 3};
    short at[2] = {short(2 * r), short(2 * r + 1)};
    Sort(s).Sort(some, at, 1, 2);
    I((some[0] & 2) <= (some[1] & 2) && (((some[0] ^ some[1]) & 2) || at[0] < at[1])); //= 1
END

//@ block=64
BEGIN(floats_sorted)
    typedef cub::BlockRadixSort<float, 64, 1> Sort;
    __shared__ Sort::TempStorage s;
    int r = threadIdx.x;
    float f[1] = {(float)((r * 29 + V(3)) % 64) - 31.5f};
    Sort(s).Sort(f);
    I(f[0] == r - 31.5f); //= 1
END

//@ block=64
BEGIN(exchanges_and_flags)
    typedef cub::BlockExchange<int, 64, 2> Exchange;
    typedef cub::BlockDiscontinuity<int, 64> Flags;
    __shared__ union { Exchange::TempStorage e; Flags::TempStorage f; } s;
    int r = threadIdx.x, x[2] = {V(2 * r), 2 * r + 1}, y[2];
    Exchange(s.e).BlockedToStriped(x, y);
    I(y[0] == r && y[1] == r + 64); //= 1
    __syncthreads();
    Exchange(s.e).StripedToBlocked(y);
    I(y[0] == 2 * r && y[1] == 2 * r + 1); //= 1
    __syncthreads();
    int heads[2], tails[2], z[2] = {2 * r / 5, (2 * r + 1) / 5};
    Flags(s.f).FlagHeads(heads, z, cub::Inequality());
    __syncthreads();
    Flags(s.f).FlagTails(tails, z, cub::Inequality());
    I(heads[0] == (2 * r % 5 == 0) && heads[1] == ((2 * r + 1) % 5 == 0) && tails[1] == ((2 * r + 1) % 5 == 4 || r == 63)); //= 1
END

struct Running {
    int before;
    __device__ int operator()(int total) {
        int now = before;
        before += total;
        return now;
    }
};

//@ block=64
BEGIN(scans_that_go_on)
    typedef cub::BlockScan<int, 64> Scan;
    typedef cub::BlockHistogram<int, 64, 2, 8> Histogram;
    __shared__ union { Scan::TempStorage s; Histogram::TempStorage h; } s;
    __shared__ unsigned counts[8];
    int r = threadIdx.x, out, item[2] = {r % 8, V(3)};
    Running running{V(10)};
    Scan(s.s).ExclusiveSum(1, out, running);
    I(out); //= 10+lid
    __syncthreads();
    Scan(s.s).InclusiveSum(2, out, running);
    I(out); //= 76+2*lid
    __syncthreads();
    Histogram(s.h).Histogram(item, counts);
    I(counts[r % 8] == (r % 8 == 3 ? 72 : 8)); //= 1
END

//@ block=32
BEGIN(parts_of_warps)
    typedef cub::WarpReduce<int, 32> Reduce;
    typedef cub::WarpScan<int, 32> Scan;
    __shared__ Reduce::TempStorage a;
    __shared__ Scan::TempStorage b;
    int r = threadIdx.x, out, total;
    int few = Reduce(a).Sum(r, V(11));
    int head = Reduce(a).HeadSegmentedSum(1, r % 5 == 0), tail = Reduce(a).TailSegmentedSum(1, r % 5 == 4);
    I(r > 0 || few == 55); I(head == tail && (r % 5 || head == (r == 30 ? 2 : 5))); //= 1 1
    Scan(b).ExclusiveSum(r, out, total);
    I(out == r * (r - 1) / 2 && total == 496); //= 1
    Scan(b).ExclusiveScan((r * 7) % 32, out, V(9), cub::Max());
    I(out >= 9 && (r == 0 ? out == 9 : out >= (r * 7 - 7) % 32)); //= 1
END
