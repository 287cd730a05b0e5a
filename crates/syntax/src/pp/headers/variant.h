/* `std::variant`, with the fields of GNU's: what one of its types is in, and which. Written for unspool. */
#if __cplusplus >= 201703L
#define __cpp_lib_variant 202102L
namespace std {
inline constexpr unsigned long variant_npos = -1;
struct monostate {};
__host__ __device__ constexpr bool operator==(monostate, monostate) noexcept { return true; }
__host__ __device__ constexpr bool operator!=(monostate, monostate) noexcept { return false; }
__host__ __device__ constexpr bool operator<(monostate, monostate) noexcept { return false; }
template <unsigned long I, class... T> struct __alternative {};
template <class T, class... R> struct __alternative<0, T, R...> { typedef T type; };
template <unsigned long I, class T, class... R> struct __alternative<I, T, R...> : __alternative<I - 1, R...> {};

template <bool trivial, class... T> union __alternatives {};
template <class T, class... R> union __alternatives<true, T, R...> {
    T __first;
    __alternatives<true, R...> __rest;
    char __none;
    __host__ __device__ constexpr __alternatives() noexcept : __none() {}
    template <class... A> __host__ __device__ constexpr __alternatives(in_place_index_t<0>, A &&...a)
        : __first(static_cast<A &&>(a)...) {}
    template <unsigned long I, class... A> __host__ __device__ constexpr __alternatives(in_place_index_t<I>, A &&...a)
        : __rest(in_place_index<I - 1>, static_cast<A &&>(a)...) {}
};
template <class T, class... R> union __alternatives<false, T, R...> {
    T __first;
    __alternatives<false, R...> __rest;
    char __none;
    __host__ __device__ constexpr __alternatives() noexcept : __none() {}
    template <class... A> __host__ __device__ constexpr __alternatives(in_place_index_t<0>, A &&...a)
        : __first(static_cast<A &&>(a)...) {}
    template <unsigned long I, class... A> __host__ __device__ constexpr __alternatives(in_place_index_t<I>, A &&...a)
        : __rest(in_place_index<I - 1>, static_cast<A &&>(a)...) {}
    __host__ __device__ ~__alternatives() {}
};
template <unsigned long I, class U> __host__ __device__ constexpr auto &__alternative_of(U &u) noexcept {
    if constexpr (I == 0) return u.__first;
    else return __alternative_of<I - 1>(u.__rest);
}
/* Calls `f` with the number of the alternative that there is. */
template <unsigned long I, unsigned long N, class F> __host__ __device__ constexpr decltype(auto) __with_index(unsigned long i, F &&f) {
    if constexpr (I + 1 < N) {
        if (i != I) return __with_index<I + 1, N>(i, static_cast<F &&>(f));
    }
    return static_cast<F &&>(f)(integral_constant<unsigned long, I>());
}
template <bool trivial, class... T> struct __variant_parts {
    __alternatives<true, T...> __u;
    conditional_t<sizeof...(T) < 256, unsigned char, unsigned short> __index;
    __host__ __device__ constexpr __variant_parts() noexcept : __u(), __index(-1) {}
    template <unsigned long I, class... A> __host__ __device__ constexpr __variant_parts(in_place_index_t<I> i, A &&...a)
        : __u(i, static_cast<A &&>(a)...), __index(I) {}
    __host__ __device__ constexpr void __end() noexcept { __index = -1; }
};
template <class... T> struct __variant_parts<false, T...> {
    __alternatives<false, T...> __u;
    conditional_t<sizeof...(T) < 256, unsigned char, unsigned short> __index;
    __host__ __device__ constexpr __variant_parts() noexcept : __u(), __index(-1) {}
    template <unsigned long I, class... A> __host__ __device__ constexpr __variant_parts(in_place_index_t<I> i, A &&...a)
        : __u(i, static_cast<A &&>(a)...), __index(I) {}
    __host__ __device__ __variant_parts(const __variant_parts &o) : __u(), __index(-1) { __copy(o); }
    __host__ __device__ __variant_parts &operator=(const __variant_parts &o) {
        if (this != &o) {
            __end();
            __copy(o);
        }
        return *this;
    }
    __host__ __device__ ~__variant_parts() { __end(); }
    __host__ __device__ void __end() noexcept {
        if (__index == decltype(__index)(-1)) return;
        __with_index<0, sizeof...(T)>(__index, [this](auto i) {
            typedef typename __alternative<decltype(i)::value, T...>::type U;
            __alternative_of<decltype(i)::value>(__u).~U();
        });
        __index = -1;
    }
    __host__ __device__ void __copy(const __variant_parts &o) {
        if (o.__index == decltype(__index)(-1)) return;
        __with_index<0, sizeof...(T)>(o.__index, [this, &o](auto i) {
            typedef typename __alternative<decltype(i)::value, T...>::type U;
            ::new (static_cast<void *>(__builtin_addressof(__u))) U(__alternative_of<decltype(i)::value>(o.__u));
        });
        __index = o.__index;
    }
};
/* Which alternative a value becomes: the one that a function of each would be chosen for, narrowing left out. */
template <class T> struct __unnarrowed { T __a[1]; };
template <unsigned long I, class T, class V, class = void> struct __choice {
    void __choose();
};
template <unsigned long I, class T, class V> struct __choice<I, T, V, void_t<decltype(__unnarrowed<T>{{declval<V>()}})>> {
    static integral_constant<unsigned long, I> __choose(T);
};
template <class V, class S, class... T> struct __choices;
template <class V, unsigned long... I, class... T>
struct __choices<V, integer_sequence<unsigned long, I...>, T...> : __choice<I, T, V>... {
    using __choice<I, T, V>::__choose...;
};
template <class V, class... T>
using __chosen_of = decltype(__choices<V, make_index_sequence<sizeof...(T)>, T...>::__choose(declval<V>()));
template <class T> struct __is_in_place : false_type {};
template <unsigned long I> struct __is_in_place<in_place_index_t<I>> : true_type {};
template <class T> struct __is_in_place<in_place_type_t<T>> : true_type {};
template <class U, class... T> __host__ __device__ constexpr unsigned long __place_of() {
    constexpr bool same[] = {is_same<U, T>::value..., true};
    unsigned long i = 0;
    while (!same[i]) i++;
    return i;
}
template <class... T> struct variant : __variant_parts<((__is_trivially_destructible(T) && __is_trivially_copyable(T)) && ...), T...> {
    typedef __variant_parts<((__is_trivially_destructible(T) && __is_trivially_copyable(T)) && ...), T...> __base;
    template <unsigned long I> using __type = typename __alternative<I, T...>::type;
    __host__ __device__ constexpr variant() : __base(in_place_index<0>) {}
    variant(const variant &) = default;
    variant(variant &&) = default;
    template <class V, enable_if_t<!is_same<remove_cvref_t<V>, variant>::value && !__is_in_place<remove_cvref_t<V>>::value, int> = 0,
              class I = __chosen_of<V, T...>>
    __host__ __device__ constexpr variant(V &&v) : __base(in_place_index<I::value>, static_cast<V &&>(v)) {}
    template <unsigned long I, class... A> __host__ __device__ constexpr explicit variant(in_place_index_t<I> i, A &&...a)
        : __base(i, static_cast<A &&>(a)...) {}
    template <class U, class... A> __host__ __device__ constexpr explicit variant(in_place_type_t<U>, A &&...a)
        : __base(in_place_index<__place_of<U, T...>()>, static_cast<A &&>(a)...) {}
    variant &operator=(const variant &) = default;
    variant &operator=(variant &&) = default;
    template <class V, enable_if_t<!is_same<remove_cvref_t<V>, variant>::value, int> = 0, class I = __chosen_of<V, T...>>
    __host__ __device__ constexpr variant &operator=(V &&v) {
        if (index() == I::value) __alternative_of<I::value>(this->__u) = static_cast<V &&>(v);
        else emplace<I::value>(static_cast<V &&>(v));
        return *this;
    }
    __host__ __device__ constexpr unsigned long index() const noexcept {
        return this->__index == decltype(this->__index)(-1) ? variant_npos : this->__index;
    }
    __host__ __device__ constexpr bool valueless_by_exception() const noexcept { return index() == variant_npos; }
    template <unsigned long I, class... A> __host__ __device__ constexpr __type<I> &emplace(A &&...a) {
        this->__end();
        ::new (static_cast<void *>(__builtin_addressof(this->__u))) __type<I>(static_cast<A &&>(a)...);
        this->__index = I;
        return __alternative_of<I>(this->__u);
    }
    template <class U, class... A> __host__ __device__ constexpr U &emplace(A &&...a) {
        return emplace<__place_of<U, T...>()>(static_cast<A &&>(a)...);
    }
    __host__ __device__ constexpr void swap(variant &o) {
        variant kept = *this;
        *this = o;
        o = kept;
    }
};
template <class T> struct variant_size;
template <class... T> struct variant_size<variant<T...>> : integral_constant<unsigned long, sizeof...(T)> {};
template <class T> struct variant_size<const T> : variant_size<T> {};
template <class T> inline constexpr unsigned long variant_size_v = variant_size<T>::value;
template <unsigned long I, class T> struct variant_alternative;
template <unsigned long I, class... T> struct variant_alternative<I, variant<T...>> : __alternative<I, T...> {};
template <unsigned long I, class T> struct variant_alternative<I, const T> {
    typedef const typename variant_alternative<I, T>::type type;
};
template <unsigned long I, class T> using variant_alternative_t = typename variant_alternative<I, T>::type;
template <class U, class... T> __host__ __device__ constexpr bool holds_alternative(const variant<T...> &v) noexcept {
    return v.index() == __place_of<U, T...>();
}
template <unsigned long I, class... T>
__host__ __device__ constexpr variant_alternative_t<I, variant<T...>> *get_if(variant<T...> *v) noexcept {
    return v && v->index() == I ? __builtin_addressof(__alternative_of<I>(v->__u)) : nullptr;
}
template <unsigned long I, class... T>
__host__ __device__ constexpr const variant_alternative_t<I, variant<T...>> *get_if(const variant<T...> *v) noexcept {
    return v && v->index() == I ? __builtin_addressof(__alternative_of<I>(v->__u)) : nullptr;
}
template <class U, class... T> __host__ __device__ constexpr U *get_if(variant<T...> *v) noexcept {
    return get_if<__place_of<U, T...>()>(v);
}
template <class U, class... T> __host__ __device__ constexpr const U *get_if(const variant<T...> *v) noexcept {
    return get_if<__place_of<U, T...>()>(v);
}
/* Another one than there is would be an exception. */
template <unsigned long I, class... T>
__host__ __device__ constexpr variant_alternative_t<I, variant<T...>> &get(variant<T...> &v) {
    if (v.index() != I) __builtin_trap();
    return __alternative_of<I>(v.__u);
}
template <unsigned long I, class... T>
__host__ __device__ constexpr const variant_alternative_t<I, variant<T...>> &get(const variant<T...> &v) {
    if (v.index() != I) __builtin_trap();
    return __alternative_of<I>(v.__u);
}
template <unsigned long I, class... T>
__host__ __device__ constexpr variant_alternative_t<I, variant<T...>> &&get(variant<T...> &&v) {
    return static_cast<variant_alternative_t<I, variant<T...>> &&>(get<I>(v));
}
template <class U, class... T> __host__ __device__ constexpr U &get(variant<T...> &v) { return get<__place_of<U, T...>()>(v); }
template <class U, class... T> __host__ __device__ constexpr const U &get(const variant<T...> &v) {
    return get<__place_of<U, T...>()>(v);
}
template <class U, class... T> __host__ __device__ constexpr U &&get(variant<T...> &&v) {
    return static_cast<U &&>(get<__place_of<U, T...>()>(v));
}
template <class F> __host__ __device__ constexpr decltype(auto) visit(F &&f) { return static_cast<F &&>(f)(); }
template <class F, class V> __host__ __device__ constexpr decltype(auto) visit(F &&f, V &&v) {
    if (v.valueless_by_exception()) __builtin_trap();
    return __with_index<0, variant_size<remove_cvref_t<V>>::value>(v.index(), [&](auto i) -> decltype(auto) {
        return std::__invoked(static_cast<F &&>(f), get<decltype(i)::value>(static_cast<V &&>(v)));
    });
}
template <class F, class V, class W, class... R> __host__ __device__ constexpr decltype(auto) visit(F &&f, V &&v, W &&w, R &&...r) {
    return std::visit(
        [&](auto &&a) -> decltype(auto) {
            return std::visit(
                [&](auto &&...b) -> decltype(auto) {
                    return std::__invoked(static_cast<F &&>(f), static_cast<decltype(a) &&>(a), static_cast<decltype(b) &&>(b)...);
                },
                static_cast<W &&>(w), static_cast<R &&>(r)...);
        },
        static_cast<V &&>(v));
}
#define __UNSPOOL_COMPARISON(op, none)                                                                                 \
    template <class... T> __host__ __device__ constexpr bool operator op(const variant<T...> &a, const variant<T...> &b) { \
        if (a.index() != b.index()) return a.index() + 1 op b.index() + 1;                                             \
        if (a.valueless_by_exception()) return none;                                                                   \
        return __with_index<0, sizeof...(T)>(a.index(), [&](auto i) -> bool {                                          \
            return get<decltype(i)::value>(a) op get<decltype(i)::value>(b);                                           \
        });                                                                                                            \
    }
__UNSPOOL_COMPARISON(==, true)
__UNSPOOL_COMPARISON(!=, false)
__UNSPOOL_COMPARISON(<, false)
__UNSPOOL_COMPARISON(>, false)
__UNSPOOL_COMPARISON(<=, true)
__UNSPOOL_COMPARISON(>=, true)
#undef __UNSPOOL_COMPARISON
}
#endif
