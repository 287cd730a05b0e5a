// Groups of one whole warp, of 32 lanes or of 64.
//@ file arch=sm_80
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
namespace cg = cooperative_groups;

// Tiles of 64 lanes had empty masks.
//@ block=warp
BEGIN(tiles)
    int r = threadIdx.x, n = warpSize;
    auto all = cg::tiled_partition<__SCALE_WARP_SIZE__>(cg::this_thread_block());
    I(cg::reduce(all, r, cg::plus<int>()) == n * (n - 1) / 2); //= 1
    I(__popc(all.ballot(r & 1)) == n / 2); //= 1
    I(all.all(r < n) && all.any(r == n - 1)); //= 1
    I(all.shfl(r, n - 1) == n - 1 && all.shfl_xor(r, n / 2) == (r ^ n / 2)); //= 1
    I(__popc(all.match_any(r / 16))); //= 16
    auto half = cg::tiled_partition<__SCALE_WARP_SIZE__ / 2>(all);
    I(half.ballot(1) == (n == 64 ? 0xffffffffu : 0xffffu)); //= 1
    I(half.shfl(r, 1) == (r & n / 2) + 1); //= 1
    auto odd = cg::labeled_partition(all, r & 1);
    I(odd.size() == n / 2 && odd.thread_rank() == r / 2 && odd.shfl(r, n / 2 - 1) == n - 2 + (r & 1)); //= 1
END

// CUB's warps are those of the machine: masks named the lower half only.
//@ block=warp
BEGIN(warps_of_cub)
    int r = threadIdx.x, n = warpSize, before, after;
    typename cub::WarpReduce<int>::TempStorage a;
    int sum = cub::WarpReduce<int>(a).Sum(r);
    I(__shfl_sync(~cudaLaneMask_t(0), sum, 0) == n * (n - 1) / 2); //= 1
    typename cub::WarpScan<int>::TempStorage b;
    cub::WarpScan<int>(b).ExclusiveSum(r, before);
    cub::WarpScan<int>(b).InclusiveSum(r, after);
    I(before == r * (r - 1) / 2 && after == before + r); //= 1
    typename cub::WarpReduce<int, 8>::TempStorage c;
    int part = cub::WarpReduce<int, 8>(c).Sum(1);
    I(r % 8 != 0 || part == 8); //= 1
END

//@ block=warp
BEGIN(masks)
    int r = threadIdx.x, n = warpSize;
    cudaLaneMask_t all = __activemask(), odd = __ballot_sync(all, r & 1), below;
    I(__popc(all) == n && __popc(odd) == n / 2 && __ffs(odd) == 2 && __clz(odd) == 0 && __brev(odd) == odd >> 1); //= 1
    I(__ffs(__match_any_sync(all, r >> 3)) == r / 8 * 8 + 1); //= 1
    I(__reduce_add_sync(all, r) == n * (n - 1) / 2 && __reduce_max_sync(all, r) == n - 1); //= 1
    int up = __shfl_up_sync(all, r, 1), down = __shfl_down_sync(all, r, 1, n / 2);
    I(up == (r ? r - 1 : 0) && down == (r % (n / 2) == n / 2 - 1 ? r : r + 1)); //= 1
    int size, lane;
    asm("mov.u32 %0, WARP_SZ;" : "=r"(size));
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    I(size == n && lane == r && __SCALE_WARP_SIZE__ == n && sizeof(cudaLaneMask_t) * 8 == n); //= 1
#if __SCALE_WARP_SIZE__ == 64
    asm("mov.u64 %0, %%lanemask_lt;" : "=l"(below));
#else
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
#endif
    I(below == ((cudaLaneMask_t)1 << r) - 1); //= 1
    I(__any_sync(all, r == n - 1) && __all_sync(all, r < n) && !__all_sync(all, r)); //= 1
END
