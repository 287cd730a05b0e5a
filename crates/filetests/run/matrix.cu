// Products of matrices by a warp: nvcuda::wmma, and mma.sync in inline PTX.
//@ file arch=sm_90

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <type_traits>

using namespace nvcuda;

// Small numbers, whose sums of products are exact in every type.
FN int small(int i, int j, int seed) { return (i * 7 + j * 3 + i * j + seed) % 7 - 3; }
template <class T> FN T as(int v) { return (T)v; }
template <> FN __half as<__half>(int v) { return __float2half((float)v); }
template <> FN __nv_bfloat16 as<__nv_bfloat16>(int v) { return __float2bfloat16((float)v); }
template <class T> FN int whole(T v) { return (int)v; }
template <> FN int whole<__half>(__half v) { return (int)__half2float(v); }

// Elements of the product that are wrong, of all lanes.
template <int m, int n, int k, class T, class Stored, class LA, class LB, class TC, class TD>
FN int wrong(int zero, wmma::layout_t layout) {
    __shared__ __align__(32) Stored a[m * k], b[k * n];
    __shared__ __align__(32) TC c[m * n];
    __shared__ __align__(32) TD d[m * n];
    constexpr bool ra = std::is_same<LA, wmma::row_major>::value, rb = std::is_same<LB, wmma::row_major>::value;
    const bool rows = layout == wmma::mem_row_major;
#pragma unroll 1
    for (int i = threadIdx.x; i < m * k; i += warpSize) a[ra ? i : i % k * m + i / k] = as<Stored>(small(i / k, i % k, zero));
#pragma unroll 1
    for (int i = threadIdx.x; i < k * n; i += warpSize) b[rb ? i : i % n * k + i / n] = as<Stored>(small(i / n, i % n, zero + 2));
#pragma unroll 1
    for (int i = threadIdx.x; i < m * n; i += warpSize) c[rows ? i : i % n * m + i / n] = as<TC>(small(i / n, i % n, zero + 5));
    __syncthreads();
    wmma::fragment<wmma::matrix_a, m, n, k, T, LA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, TC> fc;
    wmma::fragment<wmma::accumulator, m, n, k, TD> fd;
    wmma::load_matrix_sync(fa, a, ra ? k : m);
    wmma::load_matrix_sync(fb, b, rb ? n : k);
    wmma::load_matrix_sync(fc, c, rows ? n : m, layout);
    wmma::mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; i++) fd.x[i] = fd.x[i] * as<TD>(2);
    wmma::store_matrix_sync(d, fd, rows ? n : m, layout);
    __syncthreads();
    int bad = 0;
#pragma unroll 1
    for (int e = threadIdx.x; e < m * n; e += warpSize) {
        int i = e / n, j = e % n, sum = small(i, j, zero + 5);
#pragma unroll 1
        for (int l = 0; l < k; l++) {
            int x = small(i, l, zero), y = small(l, j, zero + 2);
            sum += std::is_same<T, unsigned char>::value ? (x & 255) * (y & 255) : x * y;
        }
        bad += whole(d[rows ? e : j * m + i]) != 2 * sum;
    }
    bad = __reduce_add_sync(~cudaLaneMask_t(0), bad);
    __syncthreads();
    return bad;
}
template <int m, int n, int k, class T, class Stored, class LA, class TC, class TD> FN int both_layouts(int zero) {
    constexpr bool rows = std::is_same<LA, wmma::row_major>::value;
    int bad = wrong<m, n, k, T, Stored, LA, wmma::row_major, TC, TD>(zero, rows ? wmma::mem_row_major : wmma::mem_col_major);
    return bad + wrong<m, n, k, T, Stored, LA, wmma::col_major, TC, TD>(zero, rows ? wmma::mem_col_major : wmma::mem_row_major);
}

//@ block=warp
BEGIN(halves)
    I(both_layouts<16, 16, 16, __half, __half, wmma::row_major, float, float>(V(0))); //= 0
    I(both_layouts<16, 16, 16, __half, __half, wmma::col_major, float, float>(V(0))); //= 0
END

//@ block=warp
BEGIN(halves_of_other_shapes)
    I(wrong<32, 8, 16, __half, __half, wmma::col_major, wmma::row_major, float, float>(V(0), wmma::mem_row_major)); //= 0
    I(wrong<8, 32, 16, __half, __half, wmma::row_major, wmma::col_major, float, float>(V(0), wmma::mem_col_major)); //= 0
END

//@ block=warp
BEGIN(halves_of_half)
    I(wrong<16, 16, 16, __half, __half, wmma::row_major, wmma::col_major, __half, __half>(V(0), wmma::mem_row_major)); //= 0
    I(wrong<32, 8, 16, __half, __half, wmma::row_major, wmma::row_major, __half, float>(V(0), wmma::mem_col_major)); //= 0
    I(wrong<8, 32, 16, __half, __half, wmma::col_major, wmma::col_major, float, __half>(V(0), wmma::mem_row_major)); //= 0
END

//@ block=warp
BEGIN(bfloats)
    typedef __nv_bfloat16 b;
    I(both_layouts<16, 16, 16, b, b, wmma::row_major, float, float>(V(0))); //= 0
    I(wrong<32, 8, 16, b, b, wmma::row_major, wmma::col_major, float, float>(V(0), wmma::mem_row_major)); //= 0
    I(wrong<8, 32, 16, b, b, wmma::col_major, wmma::row_major, float, float>(V(0), wmma::mem_col_major)); //= 0
END

//@ block=warp
BEGIN(singles)
    I(both_layouts<16, 16, 8, wmma::precision::tf32, float, wmma::row_major, float, float>(V(0))); //= 0
    I(wrong<16, 16, 8, wmma::precision::tf32, float, wmma::col_major, wmma::col_major, float, float>(V(0), wmma::mem_row_major)); //= 0
END

//@ block=warp
BEGIN(doubles)
    I(both_layouts<8, 8, 4, double, double, wmma::row_major, double, double>(V(0))); //= 0
    I(wrong<8, 8, 4, double, double, wmma::col_major, wmma::row_major, double, double>(V(0), wmma::mem_row_major)); //= 0
END

//@ block=warp
BEGIN(bytes)
    I(both_layouts<16, 16, 16, signed char, signed char, wmma::row_major, int, int>(V(0))); //= 0
END

//@ block=warp
BEGIN(unsigned_bytes)
    I(wrong<32, 8, 16, unsigned char, unsigned char, wmma::row_major, wmma::col_major, int, int>(V(0), wmma::mem_row_major)); //= 0
    I(wrong<8, 32, 16, signed char, signed char, wmma::col_major, wmma::row_major, int, int>(V(0), wmma::mem_col_major)); //= 0
    wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, unsigned char, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
    wmma::fill_fragment(a, V(200));
    wmma::fill_fragment(b, V(100));
    wmma::fill_fragment(c, V(0x7fffff00));
    wmma::mma_sync(c, a, b, c, true);
    I(c.x[0] == 0x7fffffff && c.x[c.num_elements - 1] == 0x7fffffff); //= 1
    wmma::fill_fragment(c, V(1));
    wmma::mma_sync(c, a, b, c);
    I(c.x[3]); //= 320001
END

//@ block=32
BEGIN(parts_of_bytes)
    using namespace wmma::experimental;
    __shared__ __align__(32) uint a[8 * 4], b[8 * 4];
    __shared__ __align__(32) int d[64];
    a[threadIdx.x] = 0x9e3779b9u * (threadIdx.x + 1);
    b[threadIdx.x] = 0x85ebca6bu * (threadIdx.x + 3);
    __syncthreads();
    int bad = 0;
    wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> fc;
    wmma::fill_fragment(fc, V(3));
    wmma::load_matrix_sync(fa, a, 32);
    wmma::load_matrix_sync(fb, b, 32);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < 8; i++)
#pragma unroll 1
        for (int j = 0; j < 8; j++) {
            int sum = 3;
#pragma unroll 1
            for (int k = 0; k < 32; k++) {
                int x = (int)(a[i * 4 + k / 8] << (28 - k % 8 * 4)) >> 28, y = (int)(b[j * 4 + k / 8] << (28 - k % 8 * 4)) >> 28;
                sum += x * y;
            }
            bad += d[i * 8 + j] != sum;
        }
    I(bad); //= 0
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> ba;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> bb;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> bc, bd;
    wmma::fill_fragment(bc, V(0));
    wmma::load_matrix_sync(ba, a, 128);
    wmma::load_matrix_sync(bb, b, 128);
    wmma::bmma_sync(bd, ba, bb, bc);
    wmma::bmma_sync(bc, ba, bb, bd, bmmaBitOpAND);
    wmma::store_matrix_sync(d, bc, 8, wmma::mem_col_major);
    __syncthreads();
    bad = 0;
#pragma unroll 1
    for (int i = 0; i < 8; i++)
#pragma unroll 1
        for (int j = 0; j < 8; j++) {
            int sum = 0;
            for (int k = 0; k < 4; k++) sum += __popc(a[i * 4 + k] ^ b[j * 4 + k]) + __popc(a[i * 4 + k] & b[j * 4 + k]);
            bad += d[j * 8 + i] != sum;
        }
    I(bad); //= 0
END

// Factors below the normal numbers count.
//@ block=warp
BEGIN(subnormal_factors)
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(a, __float2half(V(0x1p-24f)));
    wmma::fill_fragment(b, __float2half(V(3.0f)));
    wmma::fill_fragment(c, V(0.0f));
    wmma::mma_sync(c, a, b, c);
    I(c.x[0] == 0x3p-20f && c.x[c.num_elements - 1] == 0x3p-20f); //= 1
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> y;
    wmma::fill_fragment(x, __float2bfloat16(V(0x1p-130f)));
    wmma::fill_fragment(y, __float2bfloat16(V(0x1p20f)));
    wmma::fill_fragment(c, V(0.0f));
    wmma::mma_sync(c, x, y, c);
    I(c.x[1] == 0x1p-106f); //= 1
END

// Several warps, and what is computed is at the places that NVIDIA documents for `mma`.
//@ grid=2 block=64
BEGIN(documented_places)
    const int lane = threadIdx.x % 32, row = lane / 4, pair = lane % 4 * 2;
    uint a[4], b[2];
    float c[4];
    for (int r = 0; r < 4; r++) {
        int i = row + r % 2 * 8, k = pair + r / 2 * 8;
        __half2 v = __halves2half2(as<__half>(small(i, k, V(0))), as<__half>(small(i, k + 1, 0)));
        a[r] = *(uint *)&v;
    }
    for (int r = 0; r < 2; r++) {
        __half2 v = __halves2half2(as<__half>(small(pair + r * 8, row, 2)), as<__half>(small(pair + r * 8 + 1, row, 2)));
        b[r] = *(uint *)&v;
    }
    for (int r = 0; r < 4; r++) c[r] = r;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    int bad = 0;
    for (int r = 0; r < 4; r++) {
        int i = row + r / 2 * 8, j = pair + r % 2, sum = r;
        for (int k = 0; k < 16; k++) sum += small(i, k, 0) * small(k, j, 2);
        bad += c[r] != sum;
    }
    I(bad); //= 0
    uint d[2] = {0, 0};
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
        : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int r = 0; r < 4; r++) {
        int i = row + r / 2 * 8, j = pair + r % 2, sum = 0;
        for (int k = 0; k < 8; k++) sum += small(i, k, 0) * small(k, j, 2);
        ushort bits = d[r / 2] >> r % 2 * 16;
        bad += whole(*(__half *)&bits) != sum;
    }
    I(bad); //= 0
    int s[4] = {1, 2, 3, 4};
    uint x[4], y[2];
    for (int r = 0; r < 4; r++) {
        x[r] = 0;
        for (int e = 0; e < 4; e++) x[r] |= (small(row + r % 2 * 8, lane % 4 * 4 + e + r / 2 * 16, V(0)) & 255) << 8 * e;
    }
    for (int r = 0; r < 2; r++) {
        y[r] = 0;
        for (int e = 0; e < 4; e++) y[r] |= (small(lane % 4 * 4 + e + r * 16, row, 2) & 255) << 8 * e;
    }
    asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int r = 0; r < 4; r++) {
        int i = row + r / 2 * 8, j = pair + r % 2, sum = r + 1;
        for (int k = 0; k < 32; k++) sum += small(i, k, 0) * (small(k, j, 2) & 255);
        bad += s[r] != sum;
    }
    I(bad); //= 0
    double q[4] = {1, 2, 3, 4}, u[2], w;
    for (int r = 0; r < 2; r++) u[r] = small(row + r * 8, lane % 4, V(0)) + 0.25;
    w = small(lane % 4, row, V(2)) + 0.5;
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+d"(q[0]), "+d"(q[1]), "+d"(q[2]), "+d"(q[3]) : "d"(u[0]), "d"(u[1]), "d"(w));
    for (int r = 0; r < 4; r++) {
        int i = row + r / 2 * 8, j = pair + r % 2;
        double sum = r + 1;
        for (int k = 0; k < 4; k++) sum += (small(i, k, 0) + 0.25) * (small(k, j, 2) + 0.5);
        bad += q[r] != sum;
    }
    I(bad); //= 0
END

// Tiles whose rows' addresses the lanes give, as they lie and transposed.
//@ block=32
BEGIN(tiles)
    __shared__ __align__(16) ushort s[32 * 8];
    const int lane = threadIdx.x;
    for (int i = 0; i < 8; i++) s[lane * 8 + i] = lane * 8 + i + V(0);
    __syncthreads();
    // Tile n has the rows 8 n to 8 n + 7, the last first.
    const ushort *row = s + (lane ^ 7) * 8;
    uint r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(__cvta_generic_to_shared(row)) : "memory");
    int bad = 0;
    for (int n = 0; n < 4; n++) {
        uint first = (n * 8 + (lane / 4 ^ 7)) * 8 + lane % 4 * 2;
        bad += r[n] != (first | first + 1 << 16);
    }
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1]) : "l"(__cvta_generic_to_shared(row)) : "memory");
    for (int n = 0; n < 2; n++) {
        uint first = (n * 8 + (lane % 4 * 2 ^ 7)) * 8 + lane / 4, second = (n * 8 + (lane % 4 * 2 + 1 ^ 7)) * 8 + lane / 4;
        bad += r[n] != (first | second << 16);
    }
    I(bad); //= 0
END

// Ten bits behind the point, halfway away from zero.
BEGIN(rounded_for_tensor_cores)
    F(wmma::__float_to_tf32(V(1.0f) + 0x1p-11f) - 1); //= 0.0009765625
    F(wmma::__float_to_tf32(V(-1.0f) - 0x1p-11f) + 1); //= -0.0009765625
    F(wmma::__float_to_tf32(V(1.0f) + 0x1p-12f)); //= 1.0
END
