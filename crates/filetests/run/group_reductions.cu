// Reductions of cooperative groups into memory, and what one thread finds for all.
//@ block=32

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
namespace gr = cooperative_groups;

BEGIN(reductions_into_memory)
    auto w = gr::tiled_partition<32>(gr::this_thread_block());
    __shared__ int s, t;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> a, b, c;
    if (threadIdx.x == 0) {
        t = 3;
        b = 5;
        c = 64;
    }
    w.sync();
    gr::reduce_store_async(w, &s, threadIdx.x, gr::plus<int>{});
    gr::reduce_store_async(w, a, threadIdx.x, gr::greater<int>{});
    gr::reduce_update_async(w, b, threadIdx.x, gr::plus<int>{});
    gr::reduce_update_async(w, c, threadIdx.x, gr::bit_or<int>{});
    w.sync();
    cuda::atomic_ref<int, cuda::thread_scope_block> r(t);
    gr::reduce_update_async(w, r, threadIdx.x, gr::less<int>{});
    int one = gr::invoke_one_broadcast(w, [&] { return s + 1; });
    w.sync();
    I(s); I(a.load()); I(b.load()); I(c.load()); I(t); I(one); //= 496 31 501 95 0 497
END

// As cuCollections calls them.
//@ block=32
BEGIN(partitions_by_the_size_of_the_tile)
    auto w = gr::tiled_partition<32>(gr::this_thread_block());
    bool p = threadIdx.x < 20;
    auto h = gr::binary_partition<32>(w, p), g = gr::binary_partition(w, p);
    auto l = gr::labeled_partition<32>(w, p ? 1 : 2);
    I(h.size() + (p ? 0 : 8)); I(g.size() == h.size()); I(l.size() == h.size()); //= 20 1 1
END
