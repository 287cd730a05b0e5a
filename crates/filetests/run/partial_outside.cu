// Members of partial specialisations that are defined outside of them, and what programs have of the C++ library without an
// `#include` of it, or by `constexpr`.
//@ file std=20

#include <algorithm>
#include <array>
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
