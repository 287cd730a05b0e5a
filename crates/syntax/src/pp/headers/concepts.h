#if __cplusplus >= 202002L
#ifndef __UNSPOOL_CONCEPTS
#define __UNSPOOL_CONCEPTS
#define __cpp_lib_concepts 202002L
namespace std {
template <class T, class U> concept __unspool_same = __is_same(T, U);
template <class T, class U> concept same_as = __unspool_same<T, U> && __unspool_same<U, T>;
template <class D, class B>
concept derived_from = __is_base_of(B, D) && __is_convertible(const volatile D *, const volatile B *);
template <class From, class To>
concept convertible_to = __is_convertible(From, To) && requires { static_cast<To>(declval<From>()); };
template <class T> concept integral = is_integral_v<T>;
template <class T> concept signed_integral = integral<T> && is_signed_v<T>;
template <class T> concept unsigned_integral = integral<T> && !signed_integral<T>;
template <class T> concept floating_point = is_floating_point_v<T>;
template <class L, class R>
concept assignable_from = is_lvalue_reference_v<L> && requires(L l, R &&r) {
    { l = static_cast<R &&>(r) } -> same_as<L>;
};
template <class T> concept destructible = __is_destructible(T);
template <class T, class... A> concept constructible_from = destructible<T> && __is_constructible(T, A...);
template <class T> concept default_initializable = constructible_from<T> && requires { T{}; };
template <class T> concept move_constructible = constructible_from<T, T> && convertible_to<T, T>;
template <class T>
concept copy_constructible = move_constructible<T> && constructible_from<T, T &> && convertible_to<T &, T> &&
                             constructible_from<T, const T &> && convertible_to<const T &, T>;
template <class T> concept movable = is_object_v<T> && move_constructible<T> && assignable_from<T &, T>;
template <class T>
concept copyable = copy_constructible<T> && movable<T> && assignable_from<T &, T &> && assignable_from<T &, const T &>;
template <class T> concept semiregular = copyable<T> && default_initializable<T>;
template <class B>
concept __unspool_truth = convertible_to<B, bool>;
template <class T, class U>
concept __unspool_equality = requires(const T &t, const U &u) {
    { t == u } -> __unspool_truth;
    { t != u } -> __unspool_truth;
    { u == t } -> __unspool_truth;
    { u != t } -> __unspool_truth;
};
template <class T> concept equality_comparable = __unspool_equality<T, T>;
template <class T, class U>
concept equality_comparable_with = equality_comparable<T> && equality_comparable<U> && __unspool_equality<T, U>;
template <class T, class U>
concept __unspool_order = requires(const T &t, const U &u) {
    { t < u } -> __unspool_truth;
    { t > u } -> __unspool_truth;
    { t <= u } -> __unspool_truth;
    { t >= u } -> __unspool_truth;
};
template <class T> concept totally_ordered = equality_comparable<T> && __unspool_order<T, T>;
template <class T, class U>
concept totally_ordered_with = totally_ordered<T> && totally_ordered<U> && equality_comparable_with<T, U> &&
                               __unspool_order<T, U> && __unspool_order<U, T>;
template <class T> concept regular = semiregular<T> && equality_comparable<T>;
template <class F, class... A> concept invocable = requires { declval<F>()(declval<A>()...); };
template <class F, class... A> concept regular_invocable = invocable<F, A...>;
template <class F, class... A>
concept predicate = regular_invocable<F, A...> && __unspool_truth<invoke_result_t<F, A...>>;
template <class F, class T, class U>
concept relation = predicate<F, T, T> && predicate<F, U, U> && predicate<F, T, U> && predicate<F, U, T>;
} // namespace std
#endif
#endif
