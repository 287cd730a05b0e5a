/* `std::pair`: written for unspool. */
namespace std {
struct piecewise_construct_t {
    explicit piecewise_construct_t() = default;
};
inline constexpr piecewise_construct_t piecewise_construct{};
template <class... T> struct tuple;
template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    __host__ __device__ constexpr pair() : first(), second() {}
    __host__ __device__ constexpr pair(const A &a, const B &b) : first(a), second(b) {}
    template <class C, class D, enable_if_t<__is_constructible(A, C &&) && __is_constructible(B, D &&), int> = 0>
    __host__ __device__ constexpr pair(C &&a, D &&b) : first(static_cast<C &&>(a)), second(static_cast<D &&>(b)) {}
    template <class C, class D, enable_if_t<__is_constructible(A, const C &) && __is_constructible(B, const D &), int> = 0>
    __host__ __device__ constexpr pair(const pair<C, D> &p) : first(p.first), second(p.second) {}
    template <class C, class D, enable_if_t<__is_constructible(A, C &&) && __is_constructible(B, D &&), int> = 0>
    __host__ __device__ constexpr pair(pair<C, D> &&p) : first(static_cast<C &&>(p.first)), second(static_cast<D &&>(p.second)) {}
    template <class... T, class... U>
    __host__ __device__ constexpr pair(piecewise_construct_t, tuple<T...> a, tuple<U...> b)
        : pair(a, b, make_index_sequence<sizeof...(T)>(), make_index_sequence<sizeof...(U)>()) {}
    pair(const pair &) = default;
    pair(pair &&) = default;
    __host__ __device__ constexpr pair &operator=(const pair &p) {
        first = p.first;
        second = p.second;
        return *this;
    }
    __host__ __device__ constexpr pair &operator=(pair &&p) {
        first = static_cast<A &&>(p.first);
        second = static_cast<B &&>(p.second);
        return *this;
    }
    template <class C, class D> __host__ __device__ constexpr pair &operator=(const pair<C, D> &p) {
        first = p.first;
        second = p.second;
        return *this;
    }
    template <class C, class D> __host__ __device__ constexpr pair &operator=(pair<C, D> &&p) {
        first = static_cast<C &&>(p.first);
        second = static_cast<D &&>(p.second);
        return *this;
    }
    __host__ __device__ constexpr void swap(pair &p) {
        pair kept = static_cast<pair &&>(*this);
        *this = static_cast<pair &&>(p);
        p = static_cast<pair &&>(kept);
    }

private:
    template <class T, class U, unsigned long... I, unsigned long... J>
    __host__ __device__ constexpr pair(T &a, U &b, integer_sequence<unsigned long, I...>, integer_sequence<unsigned long, J...>)
        : first(static_cast<typename T::template __type<I> &&>(get<I>(a))...),
          second(static_cast<typename U::template __type<J> &&>(get<J>(b))...) {}
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> __host__ __device__ constexpr bool operator==(const pair<A, B> &p, const pair<A, B> &q) {
    return p.first == q.first && p.second == q.second;
}
template <class A, class B> __host__ __device__ constexpr bool operator!=(const pair<A, B> &p, const pair<A, B> &q) {
    return !(p == q);
}
template <class A, class B> __host__ __device__ constexpr bool operator<(const pair<A, B> &p, const pair<A, B> &q) {
    return p.first < q.first || !(q.first < p.first) && p.second < q.second;
}
template <class A, class B> __host__ __device__ constexpr bool operator>(const pair<A, B> &p, const pair<A, B> &q) {
    return q < p;
}
template <class A, class B> __host__ __device__ constexpr bool operator<=(const pair<A, B> &p, const pair<A, B> &q) {
    return !(q < p);
}
template <class A, class B> __host__ __device__ constexpr bool operator>=(const pair<A, B> &p, const pair<A, B> &q) {
    return !(p < q);
}
template <class A, class B> __host__ __device__ constexpr void swap(pair<A, B> &p, pair<A, B> &q) { p.swap(q); }
template <class A, class B>
__host__ __device__ constexpr pair<unwrap_ref_decay_t<A>, unwrap_ref_decay_t<B>> make_pair(A &&a, B &&b) {
    return pair<unwrap_ref_decay_t<A>, unwrap_ref_decay_t<B>>(static_cast<A &&>(a), static_cast<B &&>(b));
}

template <class T> struct tuple_size;
template <class T, class = void> struct __counted {};
template <class T> struct __counted<T, void_t<decltype(tuple_size<T>::value)>> : tuple_size<T> {};
template <class T> struct tuple_size<const T> : __counted<T> {};
template <class T> struct tuple_size<volatile T> : __counted<T> {};
template <class T> struct tuple_size<const volatile T> : __counted<T> {};
template <class T> inline constexpr unsigned long tuple_size_v = tuple_size<T>::value;
template <unsigned long I, class T> struct tuple_element;
template <unsigned long I, class T> struct tuple_element<I, const T> {
    typedef const typename tuple_element<I, T>::type type;
};
template <unsigned long I, class T> struct tuple_element<I, volatile T> {
    typedef volatile typename tuple_element<I, T>::type type;
};
template <unsigned long I, class T> using tuple_element_t = typename tuple_element<I, T>::type;
template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<unsigned long, 2> {};
template <class A, class B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <unsigned long I, class A, class B>
__host__ __device__ constexpr tuple_element_t<I, pair<A, B>> &get(pair<A, B> &p) noexcept {
    if constexpr (I == 0) return p.first;
    else return p.second;
}
template <unsigned long I, class A, class B>
__host__ __device__ constexpr const tuple_element_t<I, pair<A, B>> &get(const pair<A, B> &p) noexcept {
    if constexpr (I == 0) return p.first;
    else return p.second;
}
template <unsigned long I, class A, class B>
__host__ __device__ constexpr tuple_element_t<I, pair<A, B>> &&get(pair<A, B> &&p) noexcept {
    return static_cast<tuple_element_t<I, pair<A, B>> &&>(get<I>(p));
}
template <class A, class B> __host__ __device__ constexpr A &get(pair<A, B> &p) noexcept { return p.first; }
template <class A, class B> __host__ __device__ constexpr const A &get(const pair<A, B> &p) noexcept { return p.first; }
template <class B, class A> __host__ __device__ constexpr B &get(pair<A, B> &p) noexcept { return p.second; }
template <class B, class A> __host__ __device__ constexpr const B &get(const pair<A, B> &p) noexcept { return p.second; }
}
