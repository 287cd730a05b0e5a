/* The type traits that programs ask for less often: written for unspool. */
namespace std {
#define __UNSPOOL_TRAIT(name)                                                                                          \
    template <class T> struct name : bool_constant<__##name(T)> {};                                                    \
    template <class T> inline constexpr bool name##_v = __##name(T);
__UNSPOOL_TRAIT(is_abstract)
__UNSPOOL_TRAIT(is_polymorphic)
__UNSPOOL_TRAIT(has_virtual_destructor)
__UNSPOOL_TRAIT(has_unique_object_representations)
__UNSPOOL_TRAIT(is_aggregate)
__UNSPOOL_TRAIT(is_literal_type)
__UNSPOOL_TRAIT(is_member_pointer)
__UNSPOOL_TRAIT(is_member_function_pointer)
__UNSPOOL_TRAIT(is_member_object_pointer)
__UNSPOOL_TRAIT(is_bounded_array)
__UNSPOOL_TRAIT(is_unbounded_array)
#if __cplusplus > 202002L
__UNSPOOL_TRAIT(is_scoped_enum)
#endif
#undef __UNSPOOL_TRAIT

template <class T> using type_identity_t = T;
template <unsigned long S, class... T> struct aligned_union {
    static constexpr unsigned long __largest(unsigned long a) { return a; }
    template <class... R> static constexpr unsigned long __largest(unsigned long a, unsigned long b, R... rest) {
        return __largest(a > b ? a : b, rest...);
    }
    static constexpr unsigned long alignment_value = __largest(alignof(T)...);
    struct type {
        alignas(__largest(alignof(T)...)) unsigned char __bytes[__largest(S, sizeof(T)...)];
    };
};
template <unsigned long S, class... T> using aligned_union_t = typename aligned_union<S, T...>::type;

/* The type that several convert to: pairwise from the left. */
template <class... T> struct common_type {};
template <class T> struct common_type<T> : common_type<T, T> {};
template <class D, class E> using __chosen = decay_t<decltype(true ? declval<D>() : declval<E>())>;
template <class D, class E, class = void> struct __common_type_of_two {};
template <class D, class E> struct __common_type_of_two<D, E, void_t<__chosen<D, E>>> { typedef __chosen<D, E> type; };
template <class T, class U, class D = decay_t<T>, class E = decay_t<U>> struct __decayed_common_type : common_type<D, E> {};
template <class D, class E> struct __decayed_common_type<D, E, D, E> : __common_type_of_two<D, E> {};
template <class T, class U> struct common_type<T, U> : __decayed_common_type<T, U> {};
template <class V, class... R> struct __common_type_of_rest {};
template <class T, class U, class... R>
struct __common_type_of_rest<void_t<typename common_type<T, U>::type>, T, U, R...>
    : common_type<typename common_type<T, U>::type, R...> {};
template <class T, class U, class V, class... R>
struct common_type<T, U, V, R...> : __common_type_of_rest<void, T, U, V, R...> {};
template <class... T> using common_type_t = typename common_type<T...>::type;

/* The reference that two convert to; for others than references to lvalues, what the conditional operator makes of them. */
template <class From, class To> struct __copied_cv { typedef To type; };
template <class From, class To> struct __copied_cv<const From, To> { typedef const To type; };
template <class From, class To> struct __copied_cv<volatile From, To> { typedef volatile To type; };
template <class From, class To> struct __copied_cv<const volatile From, To> { typedef const volatile To type; };
template <class A, class B>
using __common_lvalue = decltype(false ? declval<typename __copied_cv<A, B>::type &>() : declval<typename __copied_cv<B, A>::type &>());
template <class... T> struct common_reference {};
template <class T> struct common_reference<T> { typedef T type; };
template <class A, class B, class = void> struct __common_value : common_type<A, B> {};
template <class A, class B>
struct __common_value<A, B, void_t<decltype(false ? declval<A (&)()>()() : declval<B (&)()>()())>> {
    typedef decltype(false ? declval<A (&)()>()() : declval<B (&)()>()()) type;
};
template <class A, class B, class = void> struct __common_reference_of_two : __common_value<A, B> {};
template <class A, class B> struct __common_reference_of_two<A &, B &, void_t<__common_lvalue<A, B>>> {
    typedef __common_lvalue<A, B> type;
};
template <class A, class B> struct common_reference<A, B> : __common_reference_of_two<A, B> {};
template <class A, class B, class C, class... R>
struct common_reference<A, B, C, R...> : common_reference<typename common_reference<A, B>::type, C, R...> {};
template <class... T> using common_reference_t = typename common_reference<T...>::type;
template <class T, class U, template <class> class Q, template <class> class R> struct basic_common_reference {};

/* What may be called, a pointer to a member among it, and what comes back (C++17, 23.14.3). */
template <class T> struct reference_wrapper;
template <class T> struct __is_wrapper : false_type {};
template <class T> struct __is_wrapper<reference_wrapper<T>> : true_type {};
template <class C, class T> constexpr bool __holds = is_same_v<C, decay_t<T>> || is_base_of_v<C, decay_t<T>>;
template <class C, class T> __host__ __device__ constexpr decltype(auto) __object_of(T &&t) noexcept {
    if constexpr (__holds<C, T>) return static_cast<T &&>(t);
    else if constexpr (__is_wrapper<decay_t<T>>::value) return t.get();
    else return *static_cast<T &&>(t);
}
template <class M, class C, class T, class = enable_if_t<!is_function<M>::value>>
__host__ __device__ constexpr decltype(auto) __invoked(M C::*m, T &&t) noexcept {
    return (__object_of<C>(static_cast<T &&>(t)).*m);
}
template <class M, class C, class T, class... A, class = enable_if_t<is_function<M>::value>>
__host__ __device__ constexpr auto __invoked(M C::*m, T &&t, A &&...a)
    noexcept(noexcept((__object_of<C>(static_cast<T &&>(t)).*m)(static_cast<A &&>(a)...)))
        -> decltype((__object_of<C>(static_cast<T &&>(t)).*m)(static_cast<A &&>(a)...)) {
    return (__object_of<C>(static_cast<T &&>(t)).*m)(static_cast<A &&>(a)...);
}
template <class F, class... A>
__host__ __device__ constexpr auto __invoked(F &&f, A &&...a) noexcept(noexcept(static_cast<F &&>(f)(static_cast<A &&>(a)...)))
    -> decltype(static_cast<F &&>(f)(static_cast<A &&>(a)...)) {
    return static_cast<F &&>(f)(static_cast<A &&>(a)...);
}
template <class V, class F, class... A> struct __invoke_result {};
template <class F, class... A>
struct __invoke_result<void_t<decltype(std::__invoked(declval<F>(), declval<A>()...))>, F, A...> {
    typedef decltype(std::__invoked(declval<F>(), declval<A>()...)) type;
    static constexpr bool __quiet = noexcept(std::__invoked(declval<F>(), declval<A>()...));
};
template <class F, class... A> struct invoke_result : __invoke_result<void, F, A...> {};
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class F> struct result_of;
template <class F, class... A> struct result_of<F(A...)> : invoke_result<F, A...> {};
template <class F> using result_of_t = typename result_of<F>::type;
template <class V, class R, class F, class... A> struct __is_invocable : false_type {
    static constexpr bool __quiet = false;
};
template <class R, class F, class... A>
struct __is_invocable<void_t<typename invoke_result<F, A...>::type>, R, F, A...>
    : bool_constant<is_void<R>::value || is_convertible<invoke_result_t<F, A...>, R>::value> {
    static constexpr bool __quiet = invoke_result<F, A...>::__quiet &&
                                    (is_void<R>::value || is_nothrow_convertible<invoke_result_t<F, A...>, R>::value);
};
template <class F, class... A> struct is_invocable : bool_constant<__is_invocable<void, void, F, A...>::value> {};
template <class F, class... A> inline constexpr bool is_invocable_v = is_invocable<F, A...>::value;
template <class R, class F, class... A> struct is_invocable_r : bool_constant<__is_invocable<void, R, F, A...>::value> {};
template <class R, class F, class... A> inline constexpr bool is_invocable_r_v = is_invocable_r<R, F, A...>::value;
template <class F, class... A> struct is_nothrow_invocable : bool_constant<__is_invocable<void, void, F, A...>::__quiet> {};
template <class F, class... A> inline constexpr bool is_nothrow_invocable_v = is_nothrow_invocable<F, A...>::value;
template <class R, class F, class... A>
struct is_nothrow_invocable_r
    : bool_constant<__is_invocable<void, R, F, A...>::value && __is_invocable<void, R, F, A...>::__quiet> {};
template <class R, class F, class... A> inline constexpr bool is_nothrow_invocable_r_v = is_nothrow_invocable_r<R, F, A...>::value;

/* Exchange: what can be moved twice, unless the class says another way. */
template <class T, class U, class = void> struct is_swappable_with : false_type {};
template <class T>
struct is_swappable
    : bool_constant<is_reference<T>::value ||
                    is_move_constructible<remove_all_extents_t<T>>::value && is_move_assignable<remove_all_extents_t<T>>::value> {};
template <> struct is_swappable<void> : false_type {};
template <class T> struct is_swappable_with<T &, T &> : is_swappable<T> {};
template <class T>
struct is_nothrow_swappable : bool_constant<is_nothrow_move_constructible<remove_all_extents_t<T>>::value &&
                                            is_nothrow_move_assignable<remove_all_extents_t<T>>::value> {};
template <> struct is_nothrow_swappable<void> : false_type {};
template <class T, class U> struct is_nothrow_swappable_with : false_type {};
template <class T> struct is_nothrow_swappable_with<T &, T &> : is_nothrow_swappable<T> {};
template <class T> inline constexpr bool is_swappable_v = is_swappable<T>::value;
template <class T, class U> inline constexpr bool is_swappable_with_v = is_swappable_with<T, U>::value;
template <class T> inline constexpr bool is_nothrow_swappable_v = is_nothrow_swappable<T>::value;
template <class T, class U> inline constexpr bool is_nothrow_swappable_with_v = is_nothrow_swappable_with<T, U>::value;

template <class T> struct unwrap_reference { typedef T type; };
template <class T> struct unwrap_reference<reference_wrapper<T>> { typedef T &type; };
template <class T> using unwrap_reference_t = typename unwrap_reference<T>::type;
template <class T> struct unwrap_ref_decay : unwrap_reference<decay_t<T>> {};
template <class T> using unwrap_ref_decay_t = typename unwrap_ref_decay<T>::type;
#if __cplusplus >= 202002L
#define __cpp_lib_is_constant_evaluated 201811L
__host__ __device__ constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }
#endif
}
