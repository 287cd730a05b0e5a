/* `std::tuple`: written for unspool, with its elements where GNU's library has them, the last one first, since hosts pass
   tuples to kernels. */
namespace std {
template <unsigned long I, class T, bool = __is_empty(T) && !__is_final(T)> struct __tuple_head {
    T __v;
    __host__ __device__ constexpr __tuple_head() : __v() {}
    template <class U> __host__ __device__ constexpr __tuple_head(int, U &&u) : __v(static_cast<U &&>(u)) {}
    __host__ __device__ constexpr T &__at() noexcept { return __v; }
    __host__ __device__ constexpr const T &__at() const noexcept { return __v; }
};
template <unsigned long I, class T> struct __tuple_head<I, T, true> : T {
    __host__ __device__ constexpr __tuple_head() : T() {}
    template <class U> __host__ __device__ constexpr __tuple_head(int, U &&u) : T(static_cast<U &&>(u)) {}
    __host__ __device__ constexpr T &__at() noexcept { return *this; }
    __host__ __device__ constexpr const T &__at() const noexcept { return *this; }
};
struct __each {};
template <unsigned long I, class... T> struct __tuple_parts {
    constexpr __tuple_parts() = default;
    __host__ __device__ constexpr __tuple_parts(__each) {}
};
template <unsigned long I, class T, class... R>
struct __tuple_parts<I, T, R...> : __tuple_parts<I + 1, R...>, __tuple_head<I, T> {
    typedef __tuple_parts<I + 1, R...> __rest;
    typedef __tuple_head<I, T> __head;
    __host__ __device__ constexpr __tuple_parts() : __rest(), __head() {}
    template <class U, class... V>
    __host__ __device__ constexpr __tuple_parts(__each, U &&u, V &&...v)
        : __rest(__each(), static_cast<V &&>(v)...), __head(0, static_cast<U &&>(u)) {}
};
template <unsigned long I, class... T> struct __nth {};
template <class T, class... R> struct __nth<0, T, R...> { typedef T type; };
template <unsigned long I, class T, class... R> struct __nth<I, T, R...> : __nth<I - 1, R...> {};

template <class... T> struct tuple : __tuple_parts<0, T...> {
    template <unsigned long I> using __type = typename __nth<I, T...>::type;
    typedef __tuple_parts<0, T...> __parts;
    template <bool B, class... U> struct __makes : bool_constant<(__is_constructible(T, U) && ...)> {};
    template <class... U> struct __makes<false, U...> : false_type {};
    __host__ __device__ constexpr tuple() : __parts() {}
    template <bool C = (sizeof...(T) > 0), enable_if_t<C && __makes<C, const T &...>::value, int> = 0>
    __host__ __device__ constexpr tuple(const T &...v) : __parts(__each(), v...) {}
    template <class U, class... V,
              enable_if_t<__makes<sizeof...(V) + 1 == sizeof...(T) && !is_same<tuple, remove_cvref_t<U>>::value, U, V...>::value, int> = 0>
    __host__ __device__ constexpr tuple(U &&u, V &&...v) : __parts(__each(), static_cast<U &&>(u), static_cast<V &&>(v)...) {}
    tuple(const tuple &) = default;
    tuple(tuple &&) = default;
    template <class... U, enable_if_t<__makes<sizeof...(U) == sizeof...(T) && !is_same<tuple, tuple<U...>>::value, const U &...>::value, int> = 0>
    __host__ __device__ constexpr tuple(const tuple<U...> &t) : tuple(t, make_index_sequence<sizeof...(U)>()) {}
    template <class... U, enable_if_t<__makes<sizeof...(U) == sizeof...(T) && !is_same<tuple, tuple<U...>>::value, U &&...>::value, int> = 0>
    __host__ __device__ constexpr tuple(tuple<U...> &&t)
        : tuple(static_cast<tuple<U...> &&>(t), make_index_sequence<sizeof...(U)>()) {}
    template <class A, class B, enable_if_t<__makes<sizeof...(T) == 2, const A &, const B &>::value, int> = 0>
    __host__ __device__ constexpr tuple(const pair<A, B> &p) : __parts(__each(), p.first, p.second) {}
    template <class A, class B, enable_if_t<__makes<sizeof...(T) == 2, A &&, B &&>::value, int> = 0>
    __host__ __device__ constexpr tuple(pair<A, B> &&p)
        : __parts(__each(), static_cast<A &&>(p.first), static_cast<B &&>(p.second)) {}
    __host__ __device__ constexpr tuple &operator=(const tuple &t) { return __assign(t, make_index_sequence<sizeof...(T)>()); }
    __host__ __device__ constexpr tuple &operator=(tuple &&t) {
        return __assign(static_cast<tuple &&>(t), make_index_sequence<sizeof...(T)>());
    }
    template <class... U, enable_if_t<sizeof...(U) == sizeof...(T), int> = 0>
    __host__ __device__ constexpr tuple &operator=(const tuple<U...> &t) {
        return __assign(t, make_index_sequence<sizeof...(T)>());
    }
    template <class... U, enable_if_t<sizeof...(U) == sizeof...(T), int> = 0>
    __host__ __device__ constexpr tuple &operator=(tuple<U...> &&t) {
        return __assign(static_cast<tuple<U...> &&>(t), make_index_sequence<sizeof...(T)>());
    }
    template <class A, class B, enable_if_t<sizeof...(T) == 2 && sizeof(A *) && sizeof(B *), int> = 0>
    __host__ __device__ constexpr tuple &operator=(const pair<A, B> &p) {
        return __assign(p, make_index_sequence<sizeof...(T)>());
    }
    __host__ __device__ constexpr void swap(tuple &t) { __swap(t, make_index_sequence<sizeof...(T)>()); }
    template <unsigned long I> __host__ __device__ constexpr __type<I> &__at() noexcept {
        return static_cast<__tuple_head<I, __type<I>> &>(*this).__at();
    }
    template <unsigned long I> __host__ __device__ constexpr const __type<I> &__at() const noexcept {
        return static_cast<const __tuple_head<I, __type<I>> &>(*this).__at();
    }

private:
    template <class S, unsigned long... I>
    __host__ __device__ constexpr tuple(S &&s, integer_sequence<unsigned long, I...>)
        : __parts(__each(), get<I>(static_cast<S &&>(s))...) {}
    template <class S, unsigned long... I>
    __host__ __device__ constexpr tuple &__assign(S &&s, integer_sequence<unsigned long, I...>) {
        (void(this->template __at<I>() = get<I>(static_cast<S &&>(s))), ...);
        return *this;
    }
    template <unsigned long... I> __host__ __device__ constexpr void __swap(tuple &t, integer_sequence<unsigned long, I...>) {
        (__swap_two(this->template __at<I>(), t.template __at<I>()), ...);
    }
    template <class U> __host__ __device__ static constexpr void __swap_two(U &a, U &b) {
        U kept = static_cast<U &&>(a);
        a = static_cast<U &&>(b);
        b = static_cast<U &&>(kept);
    }
};
template <> struct tuple<> {
    __host__ __device__ constexpr void swap(tuple &) {}
};
template <class... T> tuple(T...) -> tuple<T...>;
template <class A, class B> tuple(pair<A, B>) -> tuple<A, B>;

template <class... T> struct tuple_size<tuple<T...>> : integral_constant<unsigned long, sizeof...(T)> {};
template <unsigned long I, class... T> struct tuple_element<I, tuple<T...>> : __nth<I, T...> {};
template <unsigned long I, class... T>
__host__ __device__ constexpr tuple_element_t<I, tuple<T...>> &get(tuple<T...> &t) noexcept {
    return t.template __at<I>();
}
template <unsigned long I, class... T>
__host__ __device__ constexpr const tuple_element_t<I, tuple<T...>> &get(const tuple<T...> &t) noexcept {
    return t.template __at<I>();
}
template <unsigned long I, class... T>
__host__ __device__ constexpr tuple_element_t<I, tuple<T...>> &&get(tuple<T...> &&t) noexcept {
    return static_cast<tuple_element_t<I, tuple<T...>> &&>(t.template __at<I>());
}
template <unsigned long I, class... T>
__host__ __device__ constexpr const tuple_element_t<I, tuple<T...>> &&get(const tuple<T...> &&t) noexcept {
    return static_cast<const tuple_element_t<I, tuple<T...>> &&>(t.template __at<I>());
}
template <class U, class... T> __host__ __device__ constexpr unsigned long __index_of() {
    constexpr bool same[] = {is_same<U, T>::value..., false};
    unsigned long i = 0;
    while (i < sizeof...(T) && !same[i]) i++;
    return i;
}
template <class U, class... T> __host__ __device__ constexpr U &get(tuple<T...> &t) noexcept {
    return t.template __at<__index_of<U, T...>()>();
}
template <class U, class... T> __host__ __device__ constexpr const U &get(const tuple<T...> &t) noexcept {
    return t.template __at<__index_of<U, T...>()>();
}
template <class U, class... T> __host__ __device__ constexpr U &&get(tuple<T...> &&t) noexcept {
    return static_cast<U &&>(t.template __at<__index_of<U, T...>()>());
}

template <class A, class B, unsigned long... I>
__host__ __device__ constexpr bool __equal(const A &a, const B &b, integer_sequence<unsigned long, I...>) {
    return ((get<I>(a) == get<I>(b)) && ...);
}
template <unsigned long I, class A, class B> __host__ __device__ constexpr bool __before(const A &a, const B &b) {
    if constexpr (I < tuple_size<A>::value) {
        if (get<I>(a) < get<I>(b)) return true;
        if (get<I>(b) < get<I>(a)) return false;
        return __before<I + 1>(a, b);
    } else
        return false;
}
template <class... T, class... U> __host__ __device__ constexpr bool operator==(const tuple<T...> &a, const tuple<U...> &b) {
    return __equal(a, b, make_index_sequence<sizeof...(T)>());
}
template <class... T, class... U> __host__ __device__ constexpr bool operator!=(const tuple<T...> &a, const tuple<U...> &b) {
    return !(a == b);
}
template <class... T, class... U> __host__ __device__ constexpr bool operator<(const tuple<T...> &a, const tuple<U...> &b) {
    return __before<0>(a, b);
}
template <class... T, class... U> __host__ __device__ constexpr bool operator>(const tuple<T...> &a, const tuple<U...> &b) {
    return b < a;
}
template <class... T, class... U> __host__ __device__ constexpr bool operator<=(const tuple<T...> &a, const tuple<U...> &b) {
    return !(b < a);
}
template <class... T, class... U> __host__ __device__ constexpr bool operator>=(const tuple<T...> &a, const tuple<U...> &b) {
    return !(a < b);
}
template <class... T> __host__ __device__ constexpr void swap(tuple<T...> &a, tuple<T...> &b) { a.swap(b); }

template <class... T> __host__ __device__ constexpr tuple<unwrap_ref_decay_t<T>...> make_tuple(T &&...v) {
    return tuple<unwrap_ref_decay_t<T>...>(static_cast<T &&>(v)...);
}
template <class... T> __host__ __device__ constexpr tuple<T &...> tie(T &...v) noexcept { return tuple<T &...>(v...); }
template <class... T> __host__ __device__ constexpr tuple<T &&...> forward_as_tuple(T &&...v) noexcept {
    return tuple<T &&...>(static_cast<T &&>(v)...);
}
struct __ignored {
    template <class T> __host__ __device__ constexpr const __ignored &operator=(const T &) const { return *this; }
};
inline constexpr __ignored ignore{};

template <class T, unsigned long... I>
__host__ __device__ constexpr auto __elements_of(T &&t, integer_sequence<unsigned long, I...>) {
    return tuple<tuple_element_t<I, remove_cvref_t<T>>...>(get<I>(static_cast<T &&>(t))...);
}
template <class A, class B, unsigned long... I, unsigned long... J>
__host__ __device__ constexpr auto __joined(A &&a, B &&b, integer_sequence<unsigned long, I...>, integer_sequence<unsigned long, J...>) {
    return tuple<tuple_element_t<I, remove_cvref_t<A>>..., tuple_element_t<J, remove_cvref_t<B>>...>(
        get<I>(static_cast<A &&>(a))..., get<J>(static_cast<B &&>(b))...);
}
template <class T> using __indices_of = make_index_sequence<tuple_size<remove_cvref_t<T>>::value>;
__host__ __device__ constexpr inline tuple<> tuple_cat() { return tuple<>(); }
template <class A> __host__ __device__ constexpr auto tuple_cat(A &&a) {
    return __elements_of(static_cast<A &&>(a), __indices_of<A>());
}
template <class A, class B, class... R> __host__ __device__ constexpr auto tuple_cat(A &&a, B &&b, R &&...rest) {
    if constexpr (sizeof...(R) == 0)
        return __joined(static_cast<A &&>(a), static_cast<B &&>(b), __indices_of<A>(), __indices_of<B>());
    else
        return std::tuple_cat(__joined(static_cast<A &&>(a), static_cast<B &&>(b), __indices_of<A>(), __indices_of<B>()),
                              static_cast<R &&>(rest)...);
}
template <class F, class T, unsigned long... I>
__host__ __device__ constexpr decltype(auto) __apply(F &&f, T &&t, integer_sequence<unsigned long, I...>) {
    return std::__invoked(static_cast<F &&>(f), get<I>(static_cast<T &&>(t))...);
}
template <class F, class T> __host__ __device__ constexpr decltype(auto) apply(F &&f, T &&t) {
    return std::__apply(static_cast<F &&>(f), static_cast<T &&>(t), __indices_of<T>());
}
template <class S, class T, unsigned long... I>
__host__ __device__ constexpr S __made_from(T &&t, integer_sequence<unsigned long, I...>) {
    return S(get<I>(static_cast<T &&>(t))...);
}
template <class S, class T> __host__ __device__ constexpr S make_from_tuple(T &&t) {
    return std::__made_from<S>(static_cast<T &&>(t), __indices_of<T>());
}
}
