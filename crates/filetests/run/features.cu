// What the other files leave out: half precision, more of C++, casts, records in other memories.
#include <cuda_fp16.h>
#include <cstdint>
#include <cassert>

BEGIN(half_precision)
    __half a = __float2half(V(1.5f)), b = __float2half(2.25f);
    F(__half2float(__hadd(a, b))); //= 3.75
    F(__half2float(a * b)); //= 3.375
    F(__half2float(a - b)); //= -0.75
    I(__hlt(a, b)); //= 1
    I(a > b); //= 0
    F(__half2float(__hfma(a, b, a))); //= 4.875
    F((float)__float2half(V(0.1f))); //= 0.0999755859375
    F((float)__float2half(V(1e6f))); //= inf
    I(__half_as_ushort(a)); //= 15872
    __half2 h = __floats2half2_rn(V(1.0f), 2.0f);
    h = __hadd2(h, h);
    F(__low2float(h)); //= 2.0
    F(__high2float(h)); //= 4.0
    float2 f = __half22float2(__hmul2(h, h));
    F(f.x + f.y); //= 20.0
    I(__half2int_rn(__float2half(V(2.5f)))); //= 2
    F(__half2float(__int2half_rn(V(7)))); //= 7.0
    I(sizeof(__half2)); //= 4
END

// Quotients and fused products of half precision, beside those of double precision rounded once.
BEGIN(half_precision_is_rounded_once)
    int bad = 0;
#pragma unroll 1
    for (int i = 0; i < 300; i++) {
        __half a = __ushort_as_half(0x3c00 + (i * 37 + V(0)) % 1024), b = __ushort_as_half(0x3c00 + (i * 101 + 7) % 1024);
        __half c = __ushort_as_half(0xc000 + i * 13 % 2048);
        double x = __half2float(a), y = __half2float(b), z = __half2float(c);
        bad += __half_as_ushort(__hdiv(a, b)) != __half_as_ushort(__double2half(x / y));
        bad += __half_as_ushort(__hfma(a, b, c)) != __half_as_ushort(__double2half(x * y + z));
        __half2 f = __hfma2(__halves2half2(a, b), __halves2half2(b, b), __halves2half2(c, a));
        bad += __half_as_ushort(__high2half(f)) != __half_as_ushort(__double2half(y * y + x));
    }
    I(bad); //= 0
END

__device__ struct Item { int a; float f[3]; } items[2] = {{1, {2, 3, 4}}, {5}};
__constant__ struct { short s; char name[4]; } config = {7, "abc"};
__device__ int *where = &items[1].a;
__device__ const char *const words[] = {"zero", "one"};

BEGIN(globals)
    I(items[V(1)].a); //= 5
    F(items[0].f[V(2)]); //= 4.0
    items[V(0)].f[1] = 9;
    F(items[0].f[1]); //= 9.0
    I(config.s + config.name[V(1)]); //= 105
    I(*where); //= 5
    *where = 6;
    I(items[1].a); //= 6
    I(words[V(1)][2]); //= 101
    __shared__ Item s;
    s.a = V(3);
    s.f[s.a - 1] = 2.5f;
    F(s.f[2]); //= 2.5
    Item copy = s;
    copy.a++;
    I(s.a * 10 + copy.a); //= 34
    static __device__ int calls = 3;
    calls++;
    I(calls); //= 4
END

template <typename T> struct Array {
    T data[4];
    __device__ T &operator[](int i) { return data[i]; }
    __device__ const T &operator[](int i) const { return data[i]; }
    __device__ T *begin() { return data; }
    __device__ T *end() { return data + 4; }
};
template <typename T, typename Op> __device__ T reduce(const T *p, int n, T start, Op op) {
    for (int i = 0; i < n; i++) start = op(start, p[i]);
    return start;
}
struct Plus { template <typename T> __device__ T operator()(T a, T b) const { return a + b; } };
template <int N> struct Unroller {
    template <typename F> static __device__ void run(F &&f) { Unroller<N - 1>::run(f); f(N - 1); }
};
template <> struct Unroller<0> { template <typename F> static __device__ void run(F &&) {} };
struct Complex {
    double re, im;
    friend __device__ Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
};
template <typename T> __device__ auto square(T x) -> decltype(x * x) { return x * x; }
__device__ int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
__device__ int odd(unsigned n);
__device__ int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
struct Acc { int sum = 0; __device__ void each(const int *p, int n) { auto add = [this](int v) { auto deep = [&] { sum += v; }; deep(); }; for (int i = 0; i < n; i++) add(p[i]); } };
template <class... T> struct Count { static constexpr int value = sizeof...(T); };
struct Empty {};
struct Derived : Empty { int x; };

BEGIN(generic_code)
    Array<int> a = {{V(1), 2, 3, 4}};
    a[2] += 10;
    I(a[2]); //= 13
    int sum = 0;
    for (auto &x : a) sum += x++;
    I(sum); //= 20
    I(a[3]); //= 5
    const Array<int> &c = a;
    I(c[0]); //= 2
    float f[3] = {1, V(2.0f), 4};
    F(reduce(f, 3, 0.5f, Plus())); //= 7.5
    I(reduce(a.data, 4, 1, [](int x, int y) { return x * y; })); //= 420
    int order = 0;
    Unroller<4>::run([&](int i) { order = order * 10 + i; });
    I(order); //= 123
    Complex z{V(1.0), 2};
    F((z * z).re); //= -3.0
    F((z * z).im); //= 4.0
    F(square(V(1.5f))); //= 2.25
    I(square(V(7))); //= 49
    I(depth(V(20))); //= 20
    I(even(V(10u)) + odd(V(10u)) * 10); //= 1
    Acc acc;
    acc.each(a.data, 4);
    I(acc.sum); //= 24
    I(Count<int, float, char>::value); //= 3
    I(sizeof(Derived)); //= 4
    I(sizeof(Empty)); //= 1
    assert(V(1) == 1);
    uint64_t big = UINT64_C(1) << V(40);
    I(big >> 38); //= 4
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int (&row)[3] = m[V(1)];
    I(row[2]); //= 6
    auto *p = m;
    I((*++p)[0]); //= 4
END

BEGIN(casts)
    int n = V(-1);
    I(static_cast<unsigned char>(n)); //= 255
    I((unsigned short)n); //= 65535
    I(reinterpret_cast<unsigned &>(n)); //= 4294967295
    const int k = 5;
    I(const_cast<int &>(k)); //= 5
    float f = V(1.0f);
    I(*reinterpret_cast<int *>(&f)); //= 1065353216
    I((long long)(char)V(200)); //= -56
    unsigned u = V(3u);
    F(u - 5); //= 4294967294.0
    F((int)u - 5); //= -2.0
    I((bool)V(0.5)); //= 1
    I(static_cast<int>(V(-1.9))); //= -1
    double d = V(1);
    F(d / 3); //= 0.3333333333333333
    I(d == 1 ? 7 : 8); //= 7
    I('a' + 1); //= 98
    I(true + V(1)); //= 2
END

template <typename T> __constant__ T weights[2] = {3, 4};
template <typename T, int N> __device__ T counters[N];

BEGIN(variable_templates)
    I(weights<int>[V(1)]); //= 4
    F(weights<float>[V(0)] / 2); //= 1.5
    counters<int, 2>[V(1)] = 5;
    counters<long long, 3>[V(1)] = 6;
    I(counters<int, 2>[1] + counters<long long, 3>[1]); //= 11
END

template <typename T> struct Adding {
    static __device__ T of(T a, T b) { return a + b; }
};
namespace ops {
template <typename T> struct Times {
    static __device__ T of(T a, T b) { return a * b; }
};
} // namespace ops
template <template <class> class Op, typename T> __device__ T fold(const T *p, int n) {
    T r = p[0];
    for (int i = 1; i < n; i++) r = Op<T>::of(r, p[i]);
    return r;
}
template <typename T, template <typename U> class Op = Adding, int N = 2> struct Folder {
    typedef T type;
    T p[4];
    __device__ T all() const { return fold<Op, T>(p, 4) * N; }
};
template <typename T, template <typename> class Op, int N> __device__ T all_of(const Folder<T, Op, N> &f) { return f.all(); }
template <class T, template <class> class A, template <class> class B> struct SameTemplate {
    static constexpr bool value = false;
};
template <class T, template <class> class A> struct SameTemplate<T, A, A> {
    static constexpr bool value = true;
};

BEGIN(template_template_parameters)
    int p[4] = {V(1), 2, 3, 4};
    I(fold<Adding>(p, 4)); //= 10
    I(fold<ops::Times, int>(p, 4)); //= 24
    Folder<int> f = {{V(1), 2, 3, 4}};
    Folder<float, ops::Times, 3> g = {{1, 2, 3, V(5)}};
    I(f.all()); //= 20
    F(all_of(g)); //= 90.0
    I(SameTemplate<int, Adding, Adding>::value + 10 * SameTemplate<int, Adding, ops::Times>::value); //= 1
END

#include <type_traits>
struct Limits {
    static constexpr int N = 1 << 10;
    static constexpr int BYTES = std::min(N * 4, 32 * 1024);
    static constexpr unsigned ROUNDS = std::max(3u, 2u);
};

BEGIN(constant_minima)
    int a[Limits::BYTES / 1024];
    a[3] = V(7);
    I(a[3] + sizeof(a)); //= 23
    I(Limits::ROUNDS); //= 3
    std::pair<int, float> both(V(2), 2.5f);
    F(both.first + both.second); //= 4.5
END

#include <cub/block/block_scan.cuh>
template <typename T> struct alignas(16) Shared {
    T value;
    typename cub::Traits<T>::UnsignedBits bits;
};
template <typename T> __device__ unsigned in_shared(T v) {
    __shared__ Shared<T> s[2];
    s[1].bits = cub::Traits<T>::TwiddleIn(__float_as_uint(v));
    return s[1].bits ^ (unsigned)sizeof(s);
}

//@ block=4
BEGIN(scans_of_items)
    __shared__ typename cub::BlockScan<int, 4>::TempStorage storage;
    int lane = threadIdx.x, items[2] = {2 * lane, V(2 * lane + 1)}, total;
    cub::BlockScan<int, 4>(storage).InclusiveSum(items, items, total);
    I(items[0] - lane * (2 * lane + 1)); //= 0
    I(items[1] - (lane + 1) * (2 * lane + 1)); //= 0
    I(total); //= 28
    __syncthreads();
    int more[2] = {V(1), 1};
    cub::BlockScan<int, 4>(storage).ExclusiveSum(more, more);
    I(more[0]); //= 2*lid
    I(more[1]); //= 2*lid+1
END

BEGIN(shared_class_templates)
    I(in_shared(V(1.0f))); //= 3212836896
    I(cub::Traits<int>::TwiddleOut(cub::Traits<int>::TwiddleIn(V(5u)))); //= 5
END

#include <nv/target>
namespace on_the_host {
struct Set { unsigned long long bits; constexpr Set(unsigned long long b) : bits(b) {} };
// Made by a constructor: the host's affair as long as no kernel reads it.
constexpr Set everything = Set(~0ull);
}
__device__ int by_target(int x) {
    NV_IF_ELSE_TARGET(NV_IS_DEVICE, (const int pair[2] = {1, 2}; x += pair[1];), x += 100;)
    NV_IF_TARGET(NV_IS_HOST, x += 1000;)
    NV_IF_TARGET(NV_ANY_TARGET,
        const int pair = 5;
        x += pair;
    )
    NV_IF_TARGET(NV_PROVIDES_SM_50, (x += 10;), (x += 20;))
    return x;
}
BEGIN(code_for_a_side)
    I(by_target(V(0))); //= 17
END

// What is no number, as NVIDIA's instructions convert it: the highest bit alone where one side has 64 bits.
BEGIN(no_numbers_as_integers)
    float f = __int_as_float(V(0x7fc00000)); double d = __longlong_as_double(V(0x7ff8000000000000ll));
    I((long long)f); I((long long)d); I((unsigned long long)f); I((unsigned long long)d); //= 0x8000000000000000 0x8000000000000000 0x8000000000000000 0x8000000000000000
    I((int)f); I((unsigned)f); I((int)d); I((unsigned)d); I((short)f); //= 0 0 -2147483648 2147483648 0
    I(__double2ll_rn(d)); I(__float2ll_rz(f)); I(__double2int_rz(d)); I(__float2int_rn(f)); //= 0x8000000000000000 0x8000000000000000 -2147483648 0
END

BEGIN(limits_of_integers)
    I(UINTPTR_MAX / 255 % 255); I(INTMAX_MAX == INT64_MAX); I(PTRDIFF_MIN < 0); //= 8 1 1
    I(UINT_LEAST16_MAX); I(INT_FAST8_MIN); I(UINTMAX_C(3) << V(40)); //= 65535 -128 3298534883328
END
