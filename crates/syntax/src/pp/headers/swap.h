/* The functions of <utility> that exchange, pass on and compare: written for unspool. */
namespace std {
#define __UNSPOOL_F __host__ __device__ constexpr
template <class T> __UNSPOOL_F void swap(T &a, T &b) noexcept {
    T kept = static_cast<T &&>(a);
    a = static_cast<T &&>(b);
    b = static_cast<T &&>(kept);
}
template <class T, unsigned long N> __UNSPOOL_F void swap(T (&a)[N], T (&b)[N]) noexcept {
    for (unsigned long i = 0; i < N; i++) swap(a[i], b[i]);
}
template <class T, class U = T> __UNSPOOL_F T exchange(T &object, U &&value) {
    T old = static_cast<T &&>(object);
    object = static_cast<U &&>(value);
    return old;
}
template <class T> __UNSPOOL_F const T &as_const(T &t) noexcept { return t; }
template <class T> void as_const(const T &&) = delete;
template <class T>
__UNSPOOL_F conditional_t<!__is_nothrow_constructible(T, T &&) && __is_constructible(T, const T &), const T &, T &&>
move_if_noexcept(T &t) noexcept {
    return static_cast<T &&>(t);
}
template <class T> __UNSPOOL_F T *addressof(T &t) noexcept { return __builtin_addressof(t); }
template <class T> const T *addressof(const T &&) = delete;
#if __cplusplus >= 201703L
struct in_place_t {
    explicit in_place_t() = default;
};
inline constexpr in_place_t in_place{};
template <class T> struct in_place_type_t {
    explicit in_place_type_t() = default;
};
template <class T> inline constexpr in_place_type_t<T> in_place_type{};
template <unsigned long I> struct in_place_index_t {
    explicit in_place_index_t() = default;
};
template <unsigned long I> inline constexpr in_place_index_t<I> in_place_index{};
#endif
#if __cplusplus >= 202002L
#define __cpp_lib_integer_comparison_functions 202002L
template <class T, class U> __UNSPOOL_F bool cmp_equal(T t, U u) noexcept {
    if constexpr (is_signed_v<T> == is_signed_v<U>) return t == u;
    else if constexpr (is_signed_v<T>) return t >= 0 && make_unsigned_t<T>(t) == u;
    else return u >= 0 && t == make_unsigned_t<U>(u);
}
template <class T, class U> __UNSPOOL_F bool cmp_less(T t, U u) noexcept {
    if constexpr (is_signed_v<T> == is_signed_v<U>) return t < u;
    else if constexpr (is_signed_v<T>) return t < 0 || make_unsigned_t<T>(t) < u;
    else return u >= 0 && t < make_unsigned_t<U>(u);
}
template <class T, class U> __UNSPOOL_F bool cmp_not_equal(T t, U u) noexcept { return !cmp_equal(t, u); }
template <class T, class U> __UNSPOOL_F bool cmp_greater(T t, U u) noexcept { return cmp_less(u, t); }
template <class T, class U> __UNSPOOL_F bool cmp_less_equal(T t, U u) noexcept { return !cmp_less(u, t); }
template <class T, class U> __UNSPOOL_F bool cmp_greater_equal(T t, U u) noexcept { return !cmp_less(t, u); }
template <class R, class T> __UNSPOOL_F bool in_range(T t) noexcept {
    constexpr R most = is_signed_v<R> ? R((make_unsigned_t<R>(1) << (sizeof(R) * 8 - 1)) - 1) : R(-1);
    constexpr R least = is_signed_v<R> ? R(-most - 1) : R(0);
    return cmp_greater_equal(t, least) && cmp_less_equal(t, most);
}
#endif
#if __cplusplus > 202002L
template <class E> __UNSPOOL_F underlying_type_t<E> to_underlying(E e) noexcept { return static_cast<underlying_type_t<E>>(e); }
[[noreturn]] __host__ __device__ inline void unreachable() { __builtin_unreachable(); }
#endif
#undef __UNSPOOL_F
}
