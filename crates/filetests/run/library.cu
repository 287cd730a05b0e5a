// What device code may use of the C++ library with nvcc's --expt-relaxed-constexpr.
//@ file std=20

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <compare>
#include <functional>
#include <iterator>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <ratio>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

struct LiPoint {
    int x, y;
    __host__ __device__ constexpr LiPoint(int x, int y) : x(x), y(y) {}
    __host__ __device__ constexpr int sum(int a) const { return x + y + a; }
};
struct LiShape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~LiShape() {}
};
struct LiDouble {
    __host__ __device__ constexpr int operator()(int a) const noexcept { return a * 2; }
};
struct LiEmpty {};
/* Counts how many there are. */
struct LiCounted {
    int *n;
    __device__ LiCounted(int *n) : n(n) { ++*n; }
    __device__ LiCounted(const LiCounted &o) : n(o.n) { ++*n; }
    __device__ LiCounted &operator=(const LiCounted &o) {
        n = o.n;
        return *this;
    }
    __device__ ~LiCounted() { --*n; }
};

BEGIN(traits_of_types)
    I(std::is_abstract_v<LiShape>); I(std::is_polymorphic_v<LiPoint>); I(std::has_virtual_destructor_v<LiShape>); //= 1 0 1
    I(std::is_aggregate_v<LiEmpty>); I(std::is_aggregate_v<LiPoint>); I(std::is_bounded_array_v<int[3]>); //= 1 0 1
    I(std::is_invocable_v<LiDouble, int>); I(std::is_invocable_v<LiDouble, int *>); I(std::is_nothrow_invocable_v<LiDouble, int>); //= 1 0 1
    I(std::is_invocable_r_v<LiPoint, LiDouble, int>); I(std::is_invocable_v<int (LiPoint::*)(int) const, LiPoint *, int>); //= 0 1
    I(std::is_same_v<std::invoke_result_t<int LiPoint::*, LiPoint &>, int &>); I(std::is_member_object_pointer_v<int LiPoint::*>); //= 1 1
    I(std::is_same_v<std::common_type_t<char, short, float>, float>); I(std::is_same_v<std::common_reference_t<int &, const int &>, const int &>); //= 1 1
    I(std::is_swappable_v<LiPoint>); I(std::is_same_v<std::type_identity_t<int>, int>); I(sizeof(std::aligned_union_t<3, int, double>)); //= 1 1 8
    I(std::has_unique_object_representations_v<LiPoint>); I(std::is_constant_evaluated()); //= 1 0
END

BEGIN(pairs_and_tuples)
    std::pair<int, float> p(V(1), 2.5f);
    auto [a, b] = p;
    std::get<0>(p) = 4;
    I(a); F(b); I(std::get<int>(p)); I(p >= std::make_pair(4, 2.5f)); //= 1 2.5 4 1
    std::pair<long, double> q = p;
    q = std::make_pair(7, V(8));
    I(q.first); F(q.second); //= 7 8.0
    std::pair<LiPoint, LiPoint> r(std::piecewise_construct, std::make_tuple(1, 2), std::make_tuple(V(3), 4));
    I(r.first.y); I(r.second.x); //= 2 3
    std::tuple<int, float, double> t(V(1), 2.5f, 4.0);
    F(std::get<0>(t) + std::get<float>(t)); F(std::get<2>(t)); I(sizeof t); I((char *)&std::get<2>(t) - (char *)&t); //= 3.5 4.0 16 0
    I(sizeof(std::tuple<int>)); I(sizeof(std::tuple<char, int, char>)); I(sizeof(std::tuple<LiEmpty, int>)); //= 4 12 4
    int c, d;
    std::tie(c, d) = std::make_tuple(V(5), 6);
    I(c); I(d); //= 5 6
    auto all = std::tuple_cat(std::make_tuple(1, 2.5f), std::make_pair(V(3), 'a'), std::tuple<>());
    I(std::tuple_size_v<decltype(all)>); I(std::get<2>(all)); I(std::get<3>(all)); //= 4 3 97
    I(std::make_tuple(1, V(2)) < std::make_tuple(1, 3)); I(std::make_tuple(1, 2) == std::make_tuple(1L, V(2))); //= 1 1
    std::get<0>(std::forward_as_tuple(c, d)) = 9;
    I(c); I(std::make_from_tuple<LiPoint>(std::make_tuple(V(3), 4)).sum(1)); //= 9 8
    I(std::apply([](int x, int y) { return x - y; }, std::make_pair(V(5), 3))); //= 2
    std::tuple<int, double> u(1, 2.0);
    std::tuple<long, float> w(u);
    std::swap(u, u);
    w = std::make_pair(V(3), 4);
    I(std::get<0>(w)); F(std::get<1>(w)); //= 3 4.0
    I(std::cmp_less(V(-1), 1u)); I(std::in_range<unsigned char>(V(300))); I(std::exchange(c, 5)); I(c); //= 1 0 9 5
END

BEGIN(values_that_may_be_missing)
    std::optional<int> a;
    I(a.has_value()); I(a.value_or(V(3))); //= 0 3
    a = V(5);
    std::optional<double> b(a);
    I(*a); F(*b); I(a == 5); I(a < std::optional<int>(6)); I(std::nullopt == a); I(sizeof a); //= 5 5.0 1 1 0 8
    a.reset();
    I(bool(a)); I(a < 1); I(std::make_optional<LiPoint>(V(3), 4)->sum(1)); //= 0 1 8
    int there = 0;
    {
        std::optional<LiCounted> x, y(&there);
        x = y;
        x.emplace(&there);
        std::optional<LiCounted> z(x);
        y.reset();
        I(there); //= 2
        std::variant<int, LiCounted> v(LiCounted{&there}), w = v;
        w = 3;
        I(there); I(v.index()); I(w.index()); //= 3 1 0
    }
    I(there); //= 0
    std::variant<int, float, LiPoint> v(2.5f);
    I(v.index()); F(std::get<float>(v)); I(std::get_if<int>(&v) == nullptr); I(std::holds_alternative<float>(v)); //= 1 2.5 1 1
    v = LiPoint(V(3), 4);
    I(std::visit([](const auto &x) -> int {
        if constexpr (std::is_same_v<std::decay_t<decltype(x)>, LiPoint>) return x.sum(10);
        else return x;
    }, v)); //= 17
    std::variant<int, double> w(V(4)), x(1.5);
    F(std::visit([](auto a, auto b) { return a * b * 1.0; }, w, x)); I(w == x); I(w < x); I(std::variant_size_v<decltype(w)>); //= 6.0 0 1 2
END

BEGIN(sequences)
    std::array<int, 4> a{1, 2, V(3), 4};
    I(a.size()); I(std::array<int, 0>().size()); I(std::to_array({1, 2, V(3)})[2]); I(std::get<1>(a)); I(a <= a); //= 4 0 3 2 1
    std::span<int> s(a);
    for (auto &x : s) x += 1;
    I(s.subspan(1, 2).size()); I(s.first(2)[1]); I(s.last<1>()[0]); I(std::span<const int, 4>(a).size_bytes()); I(s.back()); //= 2 3 5 16 5
    I(sizeof(std::span<int, 4>)); I(sizeof(s)); //= 8 16
    std::string_view t("hello there");
    I(t.size()); I(t.find("the")); I(t.substr(1, 3) == "ell"); I(t.starts_with("he")); I(t < "help"); //= 11 6 1 1 1
    int b[] = {3, 1, V(2)};
    I(std::distance(b, b + 3)); I(*std::next(b)); I(*std::prev(b + 3)); I(std::size(b)); I(*std::rbegin(b)); I(*(std::begin(b) + 1)); //= 3 1 2 3 2 1
END

BEGIN(algorithms_and_numbers)
    int a[40], b[40];
    for (int i = 0; i < 40; i++) a[i] = i * 17 % 41 + V(0);
    std::copy(a, a + 40, b);
    std::sort(a, a + 40);
    std::sort(b, b + 8, std::greater<>());
    I(a[0]); I(a[39]); I(std::is_sorted(a, a + 40)); I(b[0]); I(b[7]); //= 0 40 1 37 0
    std::nth_element(b, b + 20, b + 40);
    I(b[20] == a[20]); I(std::unique(a, a + 40) - a); I(std::remove_if(a, a + 40, [](int x) { return x % 2; }) - a); I(a[3]); //= 1 40 20 6
    std::make_heap(b, b + 40);
    std::pop_heap(b, b + 40);
    I(b[39]); I(std::is_heap(b, b + 39)); I(std::minmax(3, V(2)).second); I(std::partition(b, b + 40, [](int x) { return x < 5; }) - b); //= 40 1 3 5
    int c[4] = {1, 2, 3, V(4)}, d[8];
    I(std::merge(c, c + 2, c + 2, c + 4, d) - d); I(d[3]); I(std::reduce(c, c + 4)); I(std::transform_reduce(c, c + 4, c, 0)); //= 4 4 10 30
    std::exclusive_scan(c, c + 4, d, 10);
    I(d[3]); I(std::midpoint(V(1), 6)); I(std::midpoint(V(6), 1)); F(std::midpoint(1.0, V(4) * 1.0)); F(std::lerp(1.0f, 3.0f, 0.5f)); //= 16 3 4 2.5 2.0
    std::next_permutation(c, c + 4);
    I(c[2]); I(c[3]); I(std::adjacent_find(c, c + 4) - c); I(std::search(c, c + 4, c + 2, c + 4) - c); //= 4 3 4 2
    I(std::popcount(V(5) + 0u)); I(std::countl_zero((unsigned char)V(1))); I(std::bit_ceil(V(5) + 0u)); I(std::rotl((unsigned short)V(0x8001), 1)); //= 2 7 8 3
    F(std::numbers::pi_v<float>); I(std::ratio<6, 4>::num); I(std::ratio_add<std::ratio<1, 2>, std::ratio<1, 3>>::den); //= 3.1415927410125732 3 6
    I(std::fpclassify(V(0) * 1.0f) == FP_ZERO); I(LDBL_DIG); I(std::numeric_limits<__int128>::digits); //= 1 18 127
END

BEGIN(calls_of_functions_as_values)
    LiPoint p(V(1), 2);
    I(std::invoke(LiDouble(), V(3))); I(std::invoke(&LiPoint::x, p)); I(std::invoke(&LiPoint::sum, &p, 4)); I(std::mem_fn(&LiPoint::y)(p)); //= 6 1 7 2
    int x = V(3);
    auto r = std::ref(x);
    r.get() = 8;
    I(x); I(std::not_fn(std::less<>())(1, x)); I(std::identity()(x)); I(std::bind_front(std::minus<>(), 10)(x)); //= 8 0 8 2
    I(std::make_tuple(std::ref(x)) == std::tuple<int &>(x)); I(std::compare_three_way()(x, 9) < 0); //= 1 1
    alignas(LiPoint) char raw[sizeof(LiPoint)];
    I(std::construct_at(reinterpret_cast<LiPoint *>(raw), 4, x)->sum(0)); I(std::addressof(x) == &x); //= 12 1
END

// A class with no `tuple_size` of its own, constant: its fields are what is bound.
struct LiResults { int a; long b; };
BEGIN(fields_of_a_constant_class_were_no_bindings)
    const LiResults r{V(3), 4};
    auto [a, b] = r;
    const std::pair<int, float> p(V(5), 2.5f);
    const auto &[c, d] = p;
    I(a); I(b); I(c); F(d); //= 3 4 5 2.5
    const int x[4] = {1, 2, V(3), 4};
    I(*(static_cast<int *>(__builtin_assume_aligned(x, 4)) + 2)); //= 3
END

namespace LiSpace { __device__ int four() { return 4; } template <class T> __device__ T twice(T t) { return t + t; } }
BEGIN(namespaces_by_another_name_in_lambdas)
    namespace space = LiSpace;
    using LiSpace::twice;
    auto l = [=] { return space::four(); };
    auto m = [&](auto x) { auto q = [&] { return space::four() + twice(x); }; return q(); };
    I(l()); I(m(V(3))); //= 4 10
END
