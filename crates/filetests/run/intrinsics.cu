// Intrinsics of CUDA's headers at their edges, and those of clusters, pairs of floats and small floats.
//@ file arch=sm_90,sm_100

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

namespace cg = cooperative_groups;

// Three bits of the selector choose a byte: the fourth one is `prmt`'s, which asks for a byte's sign.
BEGIN(byte_perm_with_fourth_bits)
    I(__byte_perm(V(0x83828180), V(0x47464544), V(0x89ab))); //= 0x80818283
    I(__byte_perm(V(0x11223344), V(0x55667788), V(0xfedc))); //= 0x55667788
    I(__byte_perm(V(0x11223344), V(0x55667788), 0x8888)); //= 0x44444444
END

// What is no number becomes what the conversion instruction makes of it.
BEGIN(rounded_to_integers)
    float none = __int_as_float(V(0x7fc00000));
    I(lroundf(none) == (-9223372036854775807l - 1)); I(llround((double)none) == (-9223372036854775807ll - 1)); //= 1 1
    I(lroundf(V(2.5f))); I(lround((double)V(-2.5f))); I(llroundf(V(0x1.fffffep-2f))); //= 3 -3 0
    I(llround((double)V(1e30f)) == 9223372036854775807ll); //= 1
END

// An exponent of 64 bits is not cut.
BEGIN(scaled_by_long_exponents)
    long far = V(1) * 4294967296l;
    I(__float_as_int(scalblnf(V(1.5f), far))); I(scalblnf(V(-1.5f), -far) == 0.0f); //= 0x7f800000 1
    I(scalbln((double)V(1.5f), far) > 1e308); I(scalbln((double)V(1.5f), -far) == 0.0); I(scalbln((double)V(1.5f), 4l) == 24.0); //= 1 1 1
END

//@ block=32
BEGIN(atomic_sums_of_vectors)
    __shared__ float2 two;
    __shared__ float4 four;
    if (threadIdx.x == 0) { two = make_float2(0, 1); four = make_float4(0, 1, 2, 3); }
    __syncthreads();
    float2 before = atomicAdd(&two, make_float2(1, 2));
    atomicAdd_block(&four, make_float4(1, 2, 3, 4));
    __syncthreads();
    I((int)(before.x * 2 + 1 - before.y)); //= 0
    I((int)two.x); I((int)two.y); //= 32 65
    I((int)four.x); I((int)four.y); I((int)four.z); I((int)four.w); //= 32 65 98 131
END

BEGIN(pairs_of_floats)
    float2 a = make_float2(V(1.0f), V(3.0f)), b = make_float2(V(0x1p-24f), V(0x1p-24f)), c = make_float2(V(1.5f), V(-2.0f));
    float2 up = __fadd2_ru(a, b), down = __fadd2_rd(a, b), product = __fmul2_rn(a, c), sum = __ffma2_rz(a, c, b);
    I(__float_as_int(up.x)); I(__float_as_int(up.y)); I(__float_as_int(down.x)); //= 0x3f800001 0x40400001 0x3f800000
    I((int)(product.x * 2)); I((int)product.y); I(__float_as_int(sum.x)); //= 3 -6 0x3fc00000
END

//@ grid=2 block=32
BEGIN(a_cluster_of_one_block)
    __shared__ int s[32];
    cg::cluster_group c = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x * 3 + V(0);
    cg::cluster_group::arrival_token t = c.barrier_arrive();
    c.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(t));
    int *other = c.map_shared_rank(s, 0);
    I(other[31 - threadIdx.x]); //= 93+18446744073709551613*lid
    I(c.block_index().x + c.query_shared_rank(other) + c.block_rank()); //= 0
    I(c.dim_threads().x); I(c.thread_index().x); //= 32 lid
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    s[threadIdx.x] = 7;
    __threadfence_cluster();
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
    int *same = (int *)__cluster_map_shared_rank(s, 0);
    I(same[31 - threadIdx.x] + __cluster_query_shared_rank(same)); //= 7
    I(__clusterSizeInBlocks() + __clusterDim().y + __clusterRelativeBlockRank() + __clusterRelativeBlockIdx().x); //= 2
    I(__clusterIdx().x); I(__clusterGridDimInClusters().x); //= gid 2
END

//@ block=64
BEGIN(copies_of_a_group)
    __shared__ int from[64], to[64];
    from[threadIdx.x] = threadIdx.x + V(0x01010100);
    to[threadIdx.x] = 0;
    __syncthreads();
    cg::thread_block g = cg::this_thread_block();
    // Bytes that are no whole elements, and elements by the room that there is.
    cg::memcpy_async(g, to, from, 7);
    cg::wait(g);
    I(to[0]); I(to[1]); I(to[2]); //= 0x01010100 0x010101 0
    cg::memcpy_async(g, to + 8, 4, from, 6);
    cg::wait(g);
    I(to[11]); I(to[12]); //= 0x01010103 0
END

BEGIN(small_floats_as_bfloat16)
    I(__nv_cvt_fp8_to_bf16raw(V(0x38), __NV_E4M3).x); I(__nv_cvt_fp8_to_bf16raw(V(0xbc), __NV_E5M2).x); //= 0x3f80 0xbf80
    __nv_bfloat162_raw two = __nv_cvt_fp8x2_to_bf162raw(V(0x3840), __NV_E4M3);
    I(two.x); I(two.y); //= 0x4000 0x3f80
    two = __nv_cvt_e8m0x2_to_bf162raw(V(0xff00));
    // Not a number: which bits it has besides is the machine's.
    I(two.x); I(two.y & 0x7fc0); //= 0x40 0x7fc0
    two = __nv_cvt_fp4x2_to_bf162raw(V(0x2a), __NV_E2M1);
    I(two.x); I(two.y); //= 0xbf80 0x3f80
    __half2_raw halves = __nv_cvt_fp6x2_to_halfraw2(V(0x0828), __NV_E2M3);
    I(halves.x); I(halves.y); //= 0xbc00 0x3c00
    I(__nv_cvt_double_to_fp8(__longlong_as_double(0x7ff4000000000000ll | V(1)), __NV_NOSAT, __NV_E5M2)); //= 0x7f
    I(__nv_cvt_double_to_fp8(__longlong_as_double(0x7ff8000000000000ll | V(1)), __NV_NOSAT, __NV_E5M2)); //= 0x7e
END

// The operators compare both elements; they gave a vector of masks.
BEGIN(pairs_of_halves_compared)
    __half2 a = __floats2half2_rn(V(1.0f), V(2.0f)), b = __floats2half2_rn(V(1.0f), V(3.0f)), none = __floats2half2_rn(__int_as_float(V(0x7fc00000)), V(2.0f));
    I((a == a) + (a == b) * 2 + (a != b) * 4 + (a < b) * 8 + (a <= b) * 16 + (b >= a) * 32 + (b > a) * 64); //= 49
    I((none == none) + (none != none) * 2 + (none != b) * 4); //= 4
    __nv_bfloat162 c = __floats2bfloat162_rn(V(1.0f), V(2.0f)), d = __floats2bfloat162_rn(V(2.0f), V(3.0f));
    if (c < d && c != d && !(c == d)) I(5); else I(6); //= 5
END

//@ block=32
BEGIN(tiles_stored)
    __shared__ alignas(16) unsigned s[32];
    unsigned t = threadIdx.x, at = (unsigned)__cvta_generic_to_shared(&s[t % 8 * 4]), word = (t * 2 + 1) << 16 | t * 2;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(word + V(0)) : "memory");
    __syncthreads();
    I(s[t] == word); //= 1
    __syncthreads();
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at), "r"(word + V(0)) : "memory");
    __syncthreads();
    // Row r, column c of what is stored is element (c, r).
    unsigned row = t / 4, column = t % 4 * 2;
    I(s[t] == ((column + 1) * 8 + row << 16 | column * 8 + row)); //= 1
END

//@ block=32
BEGIN(stores_that_an_object_counts)
    __shared__ unsigned s[64];
    __shared__ alignas(8) unsigned long long object;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&object), at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x * 2]), there = 0;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(256) : "memory");
    asm("mapa.shared::cluster.u32 %0, %0, 0;" : "+r"(at));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, [%3];" ::"r"(at), "r"(threadIdx.x * 3 + V(0)), "r"(7), "r"(bar) : "memory");
    while (!there) asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(there) : "r"(bar) : "memory");
    I(s[62 - threadIdx.x * 2] + s[63]); //= 100+18446744073709551613*lid
END

BEGIN(bytes_in_the_other_order)
    I(__nv_bswap16(V(0x1234))); I(__nv_bswap32(V(0x12345678))); I(__nv_bswap64(V(0x11223344) + 0LL) >> 32); //= 13330 2018915346 1144201745
END

BEGIN(sines_of_turns)
    float s, c;
    __sincos2pif(V(16777217.0f) * 0.125f, &s, &c);
    I(__float2int_rn(__sin2pif(V(3.25f)) * 1024)); I(__float2int_rn(__cos2pif(V(-7.5f)) * 1024)); I(__float2int_rn(s * 1024)); I(__float2int_rn(c * 1024)); //= 1024 18446744073709550592 0 1024
END
