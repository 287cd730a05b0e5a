#if __cplusplus >= 202002L
#ifndef __UNSPOOL_COMPARE
#define __UNSPOOL_COMPARE
namespace std {
struct partial_ordering {
    signed char __v;
    static const partial_ordering less, equivalent, greater, unordered;
    friend __host__ __device__ constexpr bool operator==(partial_ordering a, int) { return a.__v == 0; }
    friend __host__ __device__ constexpr bool operator==(partial_ordering a, partial_ordering b) { return a.__v == b.__v; }
    friend __host__ __device__ constexpr bool operator!=(partial_ordering a, int) { return a.__v != 0; }
    friend __host__ __device__ constexpr bool operator<(partial_ordering a, int) { return a.__v == -1; }
    friend __host__ __device__ constexpr bool operator>(partial_ordering a, int) { return a.__v == 1; }
    friend __host__ __device__ constexpr bool operator<=(partial_ordering a, int) { return a.__v == -1 || a.__v == 0; }
    friend __host__ __device__ constexpr bool operator>=(partial_ordering a, int) { return a.__v == 1 || a.__v == 0; }
    friend __host__ __device__ constexpr bool operator<(int, partial_ordering a) { return a > 0; }
    friend __host__ __device__ constexpr bool operator>(int, partial_ordering a) { return a < 0; }
    friend __host__ __device__ constexpr bool operator<=(int, partial_ordering a) { return a >= 0; }
    friend __host__ __device__ constexpr bool operator>=(int, partial_ordering a) { return a <= 0; }
};
inline constexpr partial_ordering partial_ordering::less = {-1};
inline constexpr partial_ordering partial_ordering::equivalent = {0};
inline constexpr partial_ordering partial_ordering::greater = {1};
inline constexpr partial_ordering partial_ordering::unordered = {2};
struct weak_ordering {
    signed char __v;
    static const weak_ordering less, equivalent, greater;
    __host__ __device__ constexpr operator partial_ordering() const { return {__v}; }
    friend __host__ __device__ constexpr bool operator==(weak_ordering a, int) { return a.__v == 0; }
    friend __host__ __device__ constexpr bool operator==(weak_ordering a, weak_ordering b) { return a.__v == b.__v; }
    friend __host__ __device__ constexpr bool operator!=(weak_ordering a, int) { return a.__v != 0; }
    friend __host__ __device__ constexpr bool operator<(weak_ordering a, int) { return a.__v < 0; }
    friend __host__ __device__ constexpr bool operator>(weak_ordering a, int) { return a.__v > 0; }
    friend __host__ __device__ constexpr bool operator<=(weak_ordering a, int) { return a.__v <= 0; }
    friend __host__ __device__ constexpr bool operator>=(weak_ordering a, int) { return a.__v >= 0; }
    friend __host__ __device__ constexpr bool operator<(int, weak_ordering a) { return a > 0; }
    friend __host__ __device__ constexpr bool operator>(int, weak_ordering a) { return a < 0; }
    friend __host__ __device__ constexpr bool operator<=(int, weak_ordering a) { return a >= 0; }
    friend __host__ __device__ constexpr bool operator>=(int, weak_ordering a) { return a <= 0; }
};
inline constexpr weak_ordering weak_ordering::less = {-1};
inline constexpr weak_ordering weak_ordering::equivalent = {0};
inline constexpr weak_ordering weak_ordering::greater = {1};
struct strong_ordering {
    signed char __v;
    static const strong_ordering less, equal, equivalent, greater;
    __host__ __device__ constexpr operator partial_ordering() const { return {__v}; }
    __host__ __device__ constexpr operator weak_ordering() const { return {__v}; }
    friend __host__ __device__ constexpr bool operator==(strong_ordering a, int) { return a.__v == 0; }
    friend __host__ __device__ constexpr bool operator==(strong_ordering a, strong_ordering b) { return a.__v == b.__v; }
    friend __host__ __device__ constexpr bool operator!=(strong_ordering a, int) { return a.__v != 0; }
    friend __host__ __device__ constexpr bool operator<(strong_ordering a, int) { return a.__v < 0; }
    friend __host__ __device__ constexpr bool operator>(strong_ordering a, int) { return a.__v > 0; }
    friend __host__ __device__ constexpr bool operator<=(strong_ordering a, int) { return a.__v <= 0; }
    friend __host__ __device__ constexpr bool operator>=(strong_ordering a, int) { return a.__v >= 0; }
    friend __host__ __device__ constexpr bool operator<(int, strong_ordering a) { return a > 0; }
    friend __host__ __device__ constexpr bool operator>(int, strong_ordering a) { return a < 0; }
    friend __host__ __device__ constexpr bool operator<=(int, strong_ordering a) { return a >= 0; }
    friend __host__ __device__ constexpr bool operator>=(int, strong_ordering a) { return a <= 0; }
};
inline constexpr strong_ordering strong_ordering::less = {-1};
inline constexpr strong_ordering strong_ordering::equal = {0};
inline constexpr strong_ordering strong_ordering::equivalent = {0};
inline constexpr strong_ordering strong_ordering::greater = {1};
template <class T> __host__ __device__ constexpr strong_ordering __unspool_three_way(T a, T b) {
    return {(signed char)(a < b ? -1 : a > b)};
}
__host__ __device__ constexpr partial_ordering __unspool_three_way(float a, float b) {
    return {(signed char)(a < b ? -1 : a > b ? 1 : a == b ? 0 : 2)};
}
__host__ __device__ constexpr partial_ordering __unspool_three_way(double a, double b) {
    return {(signed char)(a < b ? -1 : a > b ? 1 : a == b ? 0 : 2)};
}
template <class... T> struct __unspool_category;
template <> struct __unspool_category<> { typedef strong_ordering type; };
template <class... T> struct __unspool_category<strong_ordering, T...> { typedef typename __unspool_category<T...>::type type; };
template <class... T> struct __unspool_category<partial_ordering, T...> { typedef partial_ordering type; };
template <class A, class B> struct __unspool_weaker { typedef weak_ordering type; };
template <class A> struct __unspool_weaker<A, partial_ordering> { typedef partial_ordering type; };
template <class... T> struct __unspool_category<weak_ordering, T...> {
    typedef typename __unspool_weaker<weak_ordering, typename __unspool_category<T...>::type>::type type;
};
template <class... T> struct common_comparison_category { typedef typename __unspool_category<T...>::type type; };
template <class... T> using common_comparison_category_t = typename common_comparison_category<T...>::type;
template <class T, class U = T> struct compare_three_way_result { typedef decltype(declval<const T &>() <=> declval<const U &>()) type; };
template <class T, class U = T> using compare_three_way_result_t = typename compare_three_way_result<T, U>::type;
template <class T, class U = T>
concept three_way_comparable_with = requires(const T &t, const U &u) { t <=> u; u <=> t; };
template <class T> concept three_way_comparable = requires(const T &t) { t <=> t; };
struct compare_three_way {
    typedef void is_transparent;
    template <class T, class U> __host__ __device__ constexpr auto operator()(T &&t, U &&u) const {
        return static_cast<T &&>(t) <=> static_cast<U &&>(u);
    }
};
__host__ __device__ constexpr bool is_eq(partial_ordering a) noexcept { return a == 0; }
__host__ __device__ constexpr bool is_neq(partial_ordering a) noexcept { return a != 0; }
__host__ __device__ constexpr bool is_lt(partial_ordering a) noexcept { return a < 0; }
__host__ __device__ constexpr bool is_lteq(partial_ordering a) noexcept { return a <= 0; }
__host__ __device__ constexpr bool is_gt(partial_ordering a) noexcept { return a > 0; }
__host__ __device__ constexpr bool is_gteq(partial_ordering a) noexcept { return a >= 0; }
} // namespace std
#endif
#endif
