// Barrier objects: who arrives, who waits, bytes that are to come, pipelines between parts of a group.
//@ file arch=sm_90
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

//@ block=96
BEGIN(arrive_and_wait)
    __shared__ block_barrier bar;
    __shared__ int s[96];
    int t = threadIdx.x;
    if (t == 0) init(&bar, 96);
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < 5; round++) {
        s[t] = t * (round + 1);
        block_barrier::arrival_token token = bar.arrive();
        sum += round;
        bar.wait(static_cast<block_barrier::arrival_token &&>(token));
        sum += s[(t + 32) % 96];
        bar.arrive_and_wait();
    }
    I(sum - 15 * ((t + 32) % 96)); //= 10
END

//@ block=128
BEGIN(waits_above_in_the_code)
    // The first warp waits for what the others do further down, and they for it.
    __shared__ block_barrier full, empty;
    __shared__ int cell;
    int t = threadIdx.x, got = 0;
    if (t == 0) {
        init(&full, 96);
        init(&empty, 32);
        cell = 0;
    }
    __syncthreads();
    if (t < 32) {
        for (int n = 0; n < 3; n++) {
            full.wait_parity(n & 1);
            got = got * 10 + cell % 10;
            __syncwarp();
            (void)empty.arrive();
        }
    } else {
        for (int n = 0; n < 3; n++) {
            if (n) empty.wait_parity((n - 1) & 1);
            if (t == 77) cell = n + 4;
            (void)full.arrive();
        }
        got = 456;
    }
    I(got); //= 456
END

//@ block=64
BEGIN(one_lane_waits_for_its_warp)
    __shared__ block_barrier bar;
    __shared__ int cell;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 32);
    __syncthreads();
    int v = 0;
    if (t < 32) {
        // The other lanes are at the shuffle long before.
        if (t == 0) {
            bar.wait_parity(false);
            v = cell;
        }
        v = __shfl_sync(~0u, v, 0);
    } else {
        for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, t, d);
        if (t == 33) cell = 7;
        (void)bar.arrive();
        v = 7;
    }
    I(v); //= 7
END

//@ block=32
BEGIN(states_and_parities)
    __shared__ __mbarrier_t m;
    int t = threadIdx.x;
    if (t == 0) {
        __mbarrier_init(&m, 3);
        I(__mbarrier_test_wait_parity(&m, true)); //= 1
        I(__mbarrier_test_wait_parity(&m, false)); //= 0
        __mbarrier_token_t a = __mbarrier_arrive(&m), b = __mbarrier_arrive_and_drop(&m);
        I(__mbarrier_token_pending_count(a)); //= 3
        I(__mbarrier_token_pending_count(b)); //= 2
        I(__mbarrier_test_wait(&m, a)); //= 0
        (void)__mbarrier_arrive(&m);
        I(__mbarrier_test_wait(&m, b)); //= 1
        I(__mbarrier_test_wait_parity(&m, false)); //= 1
        // One has gone for good.
        b = __mbarrier_arrive(&m);
        I(__mbarrier_token_pending_count(b)); //= 2
        (void)__mbarrier_arrive(&m);
        I(__mbarrier_test_wait(&m, b)); //= 1
        __mbarrier_inval(&m);
    } else {
        I(1); I(0); I(3); I(2); I(0); I(1); I(1); I(2); I(1);
    }
END

//@ block=64
BEGIN(copies_of_a_block)
    __shared__ __align__(16) int s[128];
    __shared__ block_barrier bar;
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x == 0) init(&bar, block.size());
    block.sync();
    static __device__ int words[128];
    words[threadIdx.x] = threadIdx.x * 3;
    words[threadIdx.x + 64] = threadIdx.x + 1000;
    __syncthreads();
    cuda::memcpy_async(block, s, words, sizeof(int) * 128, bar);
    bar.arrive_and_wait();
    I(s[127 - threadIdx.x] + (int)threadIdx.x); //= 1063
    __syncthreads();
    s[threadIdx.x] = 0;
    block.sync();
    cg::memcpy_async(block, s, words, sizeof(int) * 64);
    cg::wait(block);
    I(s[63 - threadIdx.x] + 3 * (int)threadIdx.x); //= 189
END

//@ block=64
BEGIN(pipeline_of_a_block)
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ __align__(16) int s[2][64];
    static __device__ int words[5 * 64];
    cg::thread_block block = cg::this_thread_block();
    for (int n = 0; n < 5; n++) words[n * 64 + threadIdx.x] = n * 100 + threadIdx.x;
    __syncthreads();
    cuda::pipeline<cuda::thread_scope_block> pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int n = 0, ahead = 0; n < 5; n++) {
        for (; ahead < 5 && ahead < n + 2; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[ahead % 2], words + ahead * 64, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[n % 2][63 - threadIdx.x];
        pipe.consumer_release();
    }
    I(sum - 5 * (63 - (int)threadIdx.x)); //= 1000
END

//@ block=96
BEGIN(producers_and_consumers)
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][32];
    cg::thread_block block = cg::this_thread_block();
    const bool makes = threadIdx.x < 32;
    cuda::pipeline<cuda::thread_scope_block> pipe =
        cuda::make_pipeline(block, &state, makes ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    if (makes) {
        for (int n = 0; n < 7; n++) {
            pipe.producer_acquire();
            s[n % 2][threadIdx.x] = n * 1000 + threadIdx.x;
            pipe.producer_commit();
        }
        sum = 21000 + 7 * (threadIdx.x % 32);
    } else {
        for (int n = 0; n < 7; n++) {
            pipe.consumer_wait();
            sum += s[n % 2][threadIdx.x % 32];
            pipe.consumer_release();
        }
    }
    I(sum - 7 * ((int)threadIdx.x % 32)); //= 21000
END

//@ block=64
BEGIN(bytes_to_come)
    __shared__ __align__(16) int s[64];
    __shared__ __mbarrier_t m;
    static __device__ __align__(16) int words[64];
    words[threadIdx.x] = threadIdx.x * 5;
    if (threadIdx.x == 0) __mbarrier_init(&m, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned b = __cvta_generic_to_shared(&m), to = __cvta_generic_to_shared(s);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(256) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(to),
                     "l"(__cvta_generic_to_global(words)), "r"(b) : "memory");
    }
    asm volatile("{\n\t.reg .pred p;\n\tW:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0, 1000;\n\t@p bra D;\n\tbra W;\n\tD:\n\t}" ::"r"(
        (unsigned)__cvta_generic_to_shared(&m)) : "memory");
    I(s[63 - threadIdx.x] + 5 * (int)threadIdx.x); //= 315
END

//@ block=128
BEGIN(barriers_of_parts)
    // Two warps meet at one barrier, often; the other two hand over at two others.
    __shared__ int s[64], cell;
    int t = threadIdx.x, sum = 0;
    if (t < 64) {
        for (int n = 0; n < 4; n++) {
            s[t] = n * 10 + t;
            asm volatile("bar.sync %0, 64;" ::"r"(1) : "memory");
            sum += s[63 - t] - (63 - t);
            asm volatile("barrier.sync.aligned 1, 64;" ::: "memory");
        }
    } else if (t < 96) {
        for (int n = 0; n < 4; n++) {
            asm volatile("bar.sync 2, 64;" ::: "memory");
            sum += cell;
            asm volatile("barrier.arrive 3, %0;" ::"r"(64) : "memory");
        }
    } else {
        for (int n = 0; n < 4; n++) {
            if (t == 99) cell = n * 10;
            asm volatile("bar.arrive 2, 64;" ::: "memory");
            asm volatile("bar.sync 3, 64;" ::: "memory");
        }
        sum = 60;
    }
    __syncthreads();
    I(sum); //= 60
END

// RXMesh's `reset(cooperative_groups::thread_group &g)`.
__device__ int of_any_group(cooperative_groups::thread_group &g, int *all) {
    all[g.thread_rank()] = g.thread_rank() * 2;
    __syncthreads();
    return all[(g.thread_rank() + 33) % g.size()];
}

//@ block=96
BEGIN(a_block_is_a_group)
    __shared__ int all[96];
    cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    cooperative_groups::thread_group copy = block;
    int other = of_any_group(block, all);
    I(other - 2 * ((threadIdx.x + 33) % 96)); I(copy.size()); I(copy.thread_rank() - threadIdx.x); //= 0 96 0
END
