// What work-items of a group do together as real programs write it: cooperative groups, reductions over warps,
// registers read in assembly, atomics in loops, barriers after returns, tables, records by value.
#include <cooperative_groups.h>
#include <cassert>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ int warp_sum(int v) {
    for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}
__device__ int block_sum(int v) {
    __shared__ int part[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    v = warp_sum(v);
    if (lane == 0) part[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / warpSize ? part[lane] : 0;
    if (warp == 0) v = warp_sum(v);
    if (threadIdx.x == 0) part[0] = v;
    __syncthreads();
    return part[0];
}

//@ grid=2 block=128
BEGIN(reductions)
    int t = threadIdx.x;
    I(block_sum(t)); //= 8128
    __syncthreads();
    I(block_sum(t + blockIdx.x)); //= 128*gid+8128
    float f = t % 32;
    for (int d = 16; d; d >>= 1) f = fmaxf(f, __shfl_xor_sync(~0u, f, d));
    F(f); //= 31.0
END

//@ block=64
BEGIN(groups)
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    __shared__ int s[64];
    s[block.thread_rank()] = block.thread_rank() * 2;
    block.sync();
    I(s[63 - threadIdx.x]); //= 126+18446744073709551614*lid
    int v = threadIdx.x;
    for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
    I(tile.shfl(v, 0) == threadIdx.x / 8 * 64 + 28); //= 1
    I(tile.thread_rank() == threadIdx.x % 8); //= 1
    I(tile.any(tile.thread_rank() == 3)); //= 1
    I(tile.all(tile.thread_rank() < 7)); //= 0
    I(tile.ballot(tile.thread_rank() & 1)); //= 0xaa
    I(tile.shfl_xor(v = threadIdx.x, 1) == (threadIdx.x ^ 1)); //= 1
    I(block.size()); //= 64
END

//@ block=64
BEGIN(registers_by_assembly)
    unsigned lane, below, all;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.b32 %0, %%ntid.x;" : "=r"(all));
    unsigned long long time, later;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(later));
    I(later >= time); //= 1
    I(lane == threadIdx.x % 32); //= 1
    I(below == (1u << lane) - 1); //= 1
    I(all); //= 64
END

__device__ unsigned tickets;
__constant__ float weights[3][2] = {{1, 2}, {3, 4}, {5, 6}};

//@ block=64
BEGIN(atomics_in_divergent_loops)
    __shared__ int histogram[8], best, first;
    if (threadIdx.x < 8) histogram[threadIdx.x] = 0;
    if (threadIdx.x == 0) { best = 0; first = -1; }
    __syncthreads();
    for (int i = threadIdx.x; i < 200; i += 64)
        if (i % 3 != 0) atomicAdd(&histogram[i % 8], 1);
    int seen = 0;
    while (seen < (int)threadIdx.x) {
        int old = atomicCAS(&best, seen, threadIdx.x);
        if (old == seen) break;
        seen = old;
    }
    if (threadIdx.x % 16 == 5) atomicMax(&first, (int)threadIdx.x);
    atomicAdd(&tickets, 2u);
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += histogram[i];
    I(sum); //= 133
    I(best); //= 63
    I(first); //= 53
    I(tickets); //= 128
    __syncthreads();
    I(atomicExch(&histogram[threadIdx.x % 8], 0) >= 0); //= 1
END

//@ block=96
BEGIN(barrier_results_in_a_loop)
    int t = threadIdx.x, rounds = 0, left = t;
    while (__syncthreads_or(left > 0)) {
        left /= 2;
        rounds++;
    }
    I(rounds); //= 7
    I(__syncthreads_count(t % 3 == V(0))); //= 32
    I(__syncthreads_and(t < 95)); //= 0
END

//@ block=64
BEGIN(some_return_before_a_barrier)
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    I(t); //= lid
    *out_ = 48;
    if (t >= 48 + V(0)) return;
    __syncthreads();
    I(s[47 - t] + t + 1); //= 48
END

struct Box { float lo[3], hi[3]; short tag; };
__device__ float volume(Box b) {
    float v = 1;
    for (int i = 0; i < 3; i++) v *= b.hi[i] - b.lo[i];
    b.tag = -1;
    return v;
}
__device__ Box grown(Box b, float by) {
    for (int i = 0; i < 3; i++) { b.lo[i] -= by; b.hi[i] += by; }
    b.tag++;
    return b;
}

//@ block=37
BEGIN(records_and_tables)
    Box b = {{0, 0, 0}, {1, 2, float(V(3))}, 4};
    F(volume(b)); //= 6.0
    Box g = grown(b, 0.5f);
    F(volume(g)); //= 24.0
    I(g.tag * 10 + b.tag); //= 54
    float sum = 0;
    for (int i = 0; i < 3; i++) sum += weights[i][(threadIdx.x + i) % 2 * V(0)];
    F(sum); //= 9.0
    __shared__ Box s[37];
    s[threadIdx.x] = g;
    s[threadIdx.x].tag = threadIdx.x;
    __syncthreads();
    I(s[36 - threadIdx.x].tag + threadIdx.x); //= 36
    assert(s[0].tag == 0);
END
