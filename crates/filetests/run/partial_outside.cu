// Members of partial specialisations that are defined outside of them, and what programs have of the C++ library without an
// `#include` of it, or by `constexpr`.
//@ file std=20

#include <algorithm>
#include <array>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <numeric>

typedef int PoLength;
enum PoQualifier { po_high, po_low };
template <PoLength L, class T, PoQualifier Q> struct PoVec;
template <class T, PoQualifier Q> struct PoVec<2, T, Q> {
    typedef PoLength length_type;
    T x, y;
    __host__ __device__ constexpr explicit PoVec(T s);
    __host__ __device__ constexpr T &operator[](length_type i);
    __host__ __device__ constexpr const T &operator[](length_type i) const;
    __host__ __device__ constexpr int size() const;
};
template <class T, PoQualifier Q> struct PoVec<3, T, Q> {
    typedef PoLength length_type;
    T x, y, z;
    __host__ __device__ constexpr explicit PoVec(T s);
    __host__ __device__ constexpr T &operator[](length_type i);
    __host__ __device__ constexpr const T &operator[](length_type i) const;
    __host__ __device__ constexpr int size() const;
};
template <class T, PoQualifier Q> struct PoVec<3, T *, Q> {
    T *x;
    __device__ int size() const;
};
template <class T, PoQualifier Q> __host__ __device__ constexpr int PoVec<3, T, Q>::size() const { return 3 * sizeof(T); }
template <class T, PoQualifier Q> __host__ __device__ constexpr int PoVec<2, T, Q>::size() const { return 2 * sizeof(T) + Q; }
template <class T, PoQualifier Q> __device__ int PoVec<3, T *, Q>::size() const { return 100 * sizeof(T); }
template <class T, PoQualifier Q> __host__ __device__ constexpr PoVec<3, T, Q>::PoVec(T s) : x(s), y(s + 1), z(s + 2) {}
template <class T, PoQualifier Q> __host__ __device__ constexpr PoVec<2, T, Q>::PoVec(T s) : x(s), y(s * 2) {}
template <class T, PoQualifier Q>
__host__ __device__ constexpr T &PoVec<3, T, Q>::operator[](typename PoVec<3, T, Q>::length_type i) {
    return i == 0 ? x : i == 1 ? y : z;
}
template <class T, PoQualifier Q>
__host__ __device__ constexpr const T &PoVec<3, T, Q>::operator[](typename PoVec<3, T, Q>::length_type i) const {
    return i == 0 ? x : i == 1 ? y : z;
}
template <class T, PoQualifier Q>
__host__ __device__ constexpr T &PoVec<2, T, Q>::operator[](typename PoVec<2, T, Q>::length_type i) {
    return i ? y : x;
}
template <class T, PoQualifier Q>
__host__ __device__ constexpr const T &PoVec<2, T, Q>::operator[](typename PoVec<2, T, Q>::length_type i) const {
    return i ? y : x;
}

// As glm has them: members of one specialisation had the bodies of another's, or none.
BEGIN(members_of_partial_specialisations_had_the_definitions_of_others)
    PoVec<2, int, po_low> a(V(5));
    const PoVec<3, short, po_high> b(V(7));
    PoVec<3, double *, po_low> c;
    a[1] += 4;
    I(a[0]); I(a[1]); I(b[0]); I(b[1]); I(b[2]); //= 5 14 7 8 9
    I(a.size()); I(b.size()); I(c.size()); //= 9 6 800
END

struct PoScale {
    int by;
    constexpr PoScale(int by) : by(by) {}
    constexpr int operator()(int x) const { return x * by; }
};
constexpr PoScale po_triple(3);
constexpr struct {
    __device__ int operator()(int x) const { return x + 10; }
} po_ten;
constexpr struct {
    __device__ int operator()(int x) const { return x - 10; }
} po_less;
template <auto Function> __device__ int po_apply(int x) { return Function(x); }

BEGIN(objects_as_arguments_for_auto_were_refused)
    I(po_apply<po_triple>(V(4))); I(po_apply<PoScale(5)>(V(4))); I(po_apply<po_ten>(V(4))); I(po_apply<po_less>(V(4))); //= 12 20 14 -6
    constexpr auto half = [](int x) { return x / 2; };
    I(po_apply<[](int x) { return x + 1; }>(V(4))); I(po_apply<half>(V(4))); I(po_apply<+[](int x) { return x * 7; }>(V(4))); //= 5 2 28
END

BEGIN(functions_of_algorithm_that_are_constexpr)
    std::array<int, 6> a{4, 1, 7, 3, 9, V(2)};
    int sum = 0;
    for (auto i = a.rbegin(); i != a.rend(); ++i) sum = sum * 10 + *i;
    I(sum); //= 293714
    std::rotate(a.begin(), a.begin() + 2, a.end());
    sum = 0;
    for (int x : a) sum = sum * 10 + x;
    I(sum); //= 739241
    std::reverse(a.begin(), a.end());
    I(*std::max_element(a.begin(), a.end())); I(std::min_element(a.begin(), a.end()) - a.begin()); //= 9 0
    I(std::gcd(V(-12), 18)); I(std::lcm(V(-12), 8u)); I(std::clamp(V(18), -3, 3)); I(std::clamp(V(1), -3, 3)); //= 6 24 3 1
    std::swap(a[0], a[1]);
    I(a[0]); I(std::exchange(a[2], 5)); I(std::accumulate(a.begin(), a.end(), 100)); //= 4 2 129
    int b[] = {1, 3, 3, 5, V(8)};
    I(std::lower_bound(b, b + 5, 3) - b); I(std::upper_bound(b, b + 5, 3) - b); I(std::binary_search(b, b + 5, 4)); //= 1 3 0
    I(std::count_if(b, b + 5, [](int x) { return x > 2; })); I(std::find(b, b + 5, 5) - b); I(std::is_sorted(b, b + 5)); //= 4 3 1
    std::transform(b, b + 5, b, [](int x) { return x * x; });
    std::partial_sum(b, b + 5, b);
    I(b[1]); I(b[4]); //= 10 108
    std::pair<int, char> p{3, 'a'}, q = std::make_pair(3, 'b');
    I(p < q); I(p == q); I(std::pair<long, int>(p).second); //= 1 0 97
END

int po_of_host(int a);
struct PoMade {
    int v;
    PoMade(int v) : v(v) {}
};
template <class T> __host__ __device__ T po_both(T a) {
    if (a > 1000) a = po_of_host(a) + 1;
    if (a > 2000) {
        PoMade m(a);
        a += m.v;
    }
    return a > 3000 ? po_of_host(a) : a + (a > 4000 && po_of_host(a));
}
// The warnings say that a kernel which comes there ends: this one does not.
BEGIN(calls_of_the_host_where_nothing_comes)
    I(po_both(V(7))); I(po_both((long)V(-7))); //= 7 -7
END

// As `<mdspan>` has it: a function of the name of another class's member template.
struct PoNamed {
    int m;
    __device__ constexpr const int &mapping() const noexcept { return m; }
};
struct PoStride {
    template <class E> class mapping {
    public:
        int v;
    };
};
struct PoLeft {
    template <class E> class mapping;
};
template <class E> class PoLeft::mapping {
public:
    int v;
    template <class O> inline __host__ __device__ constexpr mapping(PoStride::mapping<O> const &other) noexcept : v(other.v) {}
};
// A namespace that is opened behind a specialisation means nothing in it.
namespace po { namespace exp { template <unsigned long P = 5> struct Padded { static constexpr int v = P; }; } constexpr unsigned long dynamic = 7; }
namespace po::impl {
template <class A> struct From { using type = void; };
template <> struct From<int> { using type = exp::Padded<dynamic>; };
}
namespace po { namespace impl { namespace exp { struct Other {}; } } }
// As FlashInfer's divisors are: to the language these calls are ambiguous, to g++ and nvcc not.
struct PoDivisor {
    int d;
    __host__ __device__ operator int() const { return d; }
};
__device__ int operator%(int a, const PoDivisor &b) { return a % b.d + 100; }
__device__ int operator<(int a, const PoDivisor &b) { return 200; }
__device__ int po_f(int, const PoDivisor &) { return 1; }
__device__ int po_f(long, int) { return 2; }
template <class T> constexpr bool po_takes = requires(T t, PoDivisor d) { t % d; };

BEGIN(names_and_calls_that_were_refused)
    PoStride::mapping<int> a;
    a.v = V(5);
    I(PoLeft::mapping<char>(a).v); I(po::impl::From<int>::type::v); //= 5 7
    PoDivisor d{V(7)};
    long wide = V(17);
    I(wide % d); I(V(17) % d); I(wide < d); I(po_f(wide, d)); I(po_takes<int>); I(po_takes<long>); //= 103 103 200 1 1 0
END

constexpr __half po_half = __half_raw{0x3c00};
struct PoZero { static constexpr unsigned short bits = 0x8000; static constexpr __nv_bfloat16 value = __nv_bfloat16_raw{bits}; };

// They are instructions of their own, which keep to the range; the low bits were taken.
BEGIN(numbers_of_two_bytes_as_small_integers)
    nv_half h = __int2half_rn(V(60000));
    __nv_bfloat16 b = __int2bfloat16_rn(V(-70000));
    I((short)h); I((unsigned short)h); I((signed char)h); I((unsigned char)h); I((char)-h); //= 32767 60000 127 255 -128
    I((short)b); I((unsigned short)b); I((signed char)b); I((unsigned char)b); I((int)b); //= -32768 0 -128 0 -70144
    F(__half2float(po_half)); I(__bfloat16_as_ushort(PoZero::value)); I(__half_raw(po_half).x); //= 1.0 0x8000 0x3c00
    nv_half2 two = __half2half2(po_half);
    I(__half2_raw(two).x + __half2_raw(two).y); I(std::alignment_of_v<nv_half2>); //= 0x7800 4
END

// As Kokkos' conversions of halves: declared first, told apart by the condition in their result.
struct PoHalf { float v; };
template <class T> __host__ __device__ std::enable_if_t<std::is_same_v<T, float>, T> po_from(PoHalf);
template <class T> __host__ __device__ std::enable_if_t<std::is_same_v<T, double>, T> po_from(PoHalf);
template <class T> __host__ __device__ std::enable_if_t<std::is_same_v<T, int>, T> po_from(PoHalf);
template <class T> __host__ __device__ T po_use(PoHalf h) { return ::po_from<T>(h); }
template <class U> __host__ __device__ std::enable_if_t<std::is_same_v<U, float>, U> po_from(PoHalf h) { return h.v; }
template <class T> __host__ __device__ std::enable_if_t<std::is_same_v<T, double>, T> po_from(PoHalf h) { return h.v * 2; }
template <class U> __host__ __device__ std::enable_if_t<std::is_same_v<U, int>, U> po_from(PoHalf h) { return h.v * 3; }
BEGIN(functions_that_differ_in_the_condition_of_their_result)
    PoHalf h{V(5) / 2.0f};
    F(po_use<float>(h)); F(po_use<double>(h)); I(po_use<int>(h)); F(po_from<double>(h)); //= 2.5 5.0 7 5.0
END
