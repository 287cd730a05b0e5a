/* The wrappers of <functional> for what may be called: written for unspool. */
namespace std {
#define __UNSPOOL_F __host__ __device__ constexpr
template <class T> struct reference_wrapper {
    typedef T type;
    T *__to;
    __UNSPOOL_F reference_wrapper(T &t) noexcept : __to(__builtin_addressof(t)) {}
    __UNSPOOL_F T &get() const noexcept { return *__to; }
    __UNSPOOL_F operator T &() const noexcept { return *__to; }
    template <class... A> __UNSPOOL_F auto operator()(A &&...a) const -> decltype(std::__invoked(get(), static_cast<A &&>(a)...)) {
        return std::__invoked(get(), static_cast<A &&>(a)...);
    }
};
template <class T> reference_wrapper(T &) -> reference_wrapper<T>;
template <class T> __UNSPOOL_F reference_wrapper<T> ref(T &t) noexcept { return reference_wrapper<T>(t); }
template <class T> __UNSPOOL_F reference_wrapper<T> ref(reference_wrapper<T> t) noexcept { return t; }
template <class T> __UNSPOOL_F reference_wrapper<const T> cref(const T &t) noexcept { return reference_wrapper<const T>(t); }
template <class T> void ref(const T &&) = delete;
template <class T> void cref(const T &&) = delete;
template <class M, class C> struct __member_function {
    M C::*__m;
    template <class... A> __UNSPOOL_F auto operator()(A &&...a) const -> decltype(std::__invoked(__m, static_cast<A &&>(a)...)) {
        return std::__invoked(__m, static_cast<A &&>(a)...);
    }
};
template <class M, class C> __UNSPOOL_F __member_function<M, C> mem_fn(M C::*m) noexcept { return {m}; }
#if __cplusplus >= 201703L
#define __cpp_lib_invoke 201411L
template <class F, class... A>
__UNSPOOL_F invoke_result_t<F, A...> invoke(F &&f, A &&...a) noexcept(is_nothrow_invocable_v<F, A...>) {
    return std::__invoked(static_cast<F &&>(f), static_cast<A &&>(a)...);
}
template <class F> struct __negated {
    F __f;
    template <class... A> __UNSPOOL_F auto operator()(A &&...a) const -> decltype(!std::__invoked(__f, static_cast<A &&>(a)...)) {
        return !std::__invoked(__f, static_cast<A &&>(a)...);
    }
};
template <class F> __UNSPOOL_F __negated<decay_t<F>> not_fn(F &&f) { return {static_cast<F &&>(f)}; }
#endif
#if __cplusplus >= 202002L
#define __cpp_lib_bind_front 201907L
struct identity {
    typedef void is_transparent;
    template <class T> __UNSPOOL_F T &&operator()(T &&t) const noexcept { return static_cast<T &&>(t); }
};
template <class F, class... B> struct __bound_front {
    F __f;
    tuple<B...> __b;
    template <class... A> __UNSPOOL_F decltype(auto) operator()(A &&...a) const {
        return __call(make_index_sequence<sizeof...(B)>(), static_cast<A &&>(a)...);
    }
    template <unsigned long... I, class... A>
    __UNSPOOL_F decltype(auto) __call(integer_sequence<unsigned long, I...>, A &&...a) const {
        return std::__invoked(__f, get<I>(__b)..., static_cast<A &&>(a)...);
    }
};
template <class F, class... B> __UNSPOOL_F __bound_front<decay_t<F>, decay_t<B>...> bind_front(F &&f, B &&...b) {
    return {static_cast<F &&>(f), tuple<decay_t<B>...>(static_cast<B &&>(b)...)};
}
#endif
#undef __UNSPOOL_F
}
