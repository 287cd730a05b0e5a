/* What device code uses of CUDA's C++ standard library: written for unspool. */
namespace std {
template <class I> struct reverse_iterator {
    typedef I iterator_type;
    typedef typename iterator_traits<I>::iterator_category iterator_category;
    typedef typename iterator_traits<I>::value_type value_type;
    typedef typename iterator_traits<I>::difference_type difference_type;
    typedef typename iterator_traits<I>::pointer pointer;
    typedef typename iterator_traits<I>::reference reference;
    I current;
    __host__ __device__ constexpr reverse_iterator() : current() {}
    __host__ __device__ constexpr explicit reverse_iterator(I end) : current(end) {}
    template <class J> __host__ __device__ constexpr reverse_iterator(const reverse_iterator<J> &o) : current(o.base()) {}
    __host__ __device__ constexpr I base() const { return current; }
    __host__ __device__ constexpr reference operator*() const {
        I at = current;
        return *--at;
    }
    __host__ __device__ constexpr pointer operator->() const { return &**this; }
    __host__ __device__ constexpr reference operator[](difference_type n) const { return *(*this + n); }
    __host__ __device__ constexpr reverse_iterator &operator++() {
        --current;
        return *this;
    }
    __host__ __device__ constexpr reverse_iterator operator++(int) {
        reverse_iterator old = *this;
        --current;
        return old;
    }
    __host__ __device__ constexpr reverse_iterator &operator--() {
        ++current;
        return *this;
    }
    __host__ __device__ constexpr reverse_iterator operator--(int) {
        reverse_iterator old = *this;
        ++current;
        return old;
    }
    __host__ __device__ constexpr reverse_iterator operator+(difference_type n) const { return reverse_iterator(current - n); }
    __host__ __device__ constexpr reverse_iterator operator-(difference_type n) const { return reverse_iterator(current + n); }
    __host__ __device__ constexpr reverse_iterator &operator+=(difference_type n) {
        current -= n;
        return *this;
    }
    __host__ __device__ constexpr reverse_iterator &operator-=(difference_type n) {
        current += n;
        return *this;
    }
};
template <class I, class J> __host__ __device__ constexpr bool operator==(const reverse_iterator<I> &a, const reverse_iterator<J> &b) {
    return a.base() == b.base();
}
template <class I, class J> __host__ __device__ constexpr bool operator!=(const reverse_iterator<I> &a, const reverse_iterator<J> &b) {
    return a.base() != b.base();
}
template <class I, class J> __host__ __device__ constexpr bool operator<(const reverse_iterator<I> &a, const reverse_iterator<J> &b) {
    return b.base() < a.base();
}
template <class I, class J> __host__ __device__ constexpr auto operator-(const reverse_iterator<I> &a, const reverse_iterator<J> &b)
    -> decltype(b.base() - a.base()) {
    return b.base() - a.base();
}

template <class T, unsigned long N> struct array {
    typedef T value_type;
    typedef unsigned long size_type;
    typedef long difference_type;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T *iterator;
    typedef const T *const_iterator;
    typedef std::reverse_iterator<T *> reverse_iterator;
    typedef std::reverse_iterator<const T *> const_reverse_iterator;
    T __elems[N];
    __host__ __device__ constexpr T &operator[](unsigned long i) { return __elems[i]; }
    __host__ __device__ constexpr const T &operator[](unsigned long i) const { return __elems[i]; }
    __host__ __device__ constexpr T &at(unsigned long i) { return __elems[i]; }
    __host__ __device__ constexpr const T &at(unsigned long i) const { return __elems[i]; }
    __host__ __device__ constexpr T &front() { return __elems[0]; }
    __host__ __device__ constexpr const T &front() const { return __elems[0]; }
    __host__ __device__ constexpr T &back() { return __elems[N - 1]; }
    __host__ __device__ constexpr const T &back() const { return __elems[N - 1]; }
    __host__ __device__ constexpr T *data() { return __elems; }
    __host__ __device__ constexpr const T *data() const { return __elems; }
    __host__ __device__ constexpr T *begin() { return __elems; }
    __host__ __device__ constexpr const T *begin() const { return __elems; }
    __host__ __device__ constexpr T *end() { return __elems + N; }
    __host__ __device__ constexpr const T *end() const { return __elems + N; }
    __host__ __device__ constexpr const T *cbegin() const { return __elems; }
    __host__ __device__ constexpr const T *cend() const { return __elems + N; }
    __host__ __device__ constexpr reverse_iterator rbegin() { return reverse_iterator(end()); }
    __host__ __device__ constexpr const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    __host__ __device__ constexpr reverse_iterator rend() { return reverse_iterator(begin()); }
    __host__ __device__ constexpr const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    __host__ __device__ constexpr const_reverse_iterator crbegin() const { return const_reverse_iterator(end()); }
    __host__ __device__ constexpr const_reverse_iterator crend() const { return const_reverse_iterator(begin()); }
    __host__ __device__ constexpr unsigned long size() const { return N; }
    __host__ __device__ constexpr unsigned long max_size() const { return N; }
    __host__ __device__ constexpr bool empty() const { return N == 0; }
    __host__ __device__ constexpr void fill(const T &v) {
        for (unsigned long i = 0; i < N; i++) __elems[i] = v;
    }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <class T, unsigned long N>
__host__ __device__ constexpr bool operator==(const array<T, N> &a, const array<T, N> &b) {
    for (unsigned long i = 0; i < N; i++)
        if (!(a[i] == b[i])) return false;
    return true;
}
template <class T, unsigned long N>
__host__ __device__ constexpr bool operator!=(const array<T, N> &a, const array<T, N> &b) {
    return !(a == b);
}

template <class T, unsigned long N>
__host__ __device__ constexpr bool operator<(const array<T, N> &a, const array<T, N> &b) {
    for (unsigned long i = 0; i < N; i++) {
        if (a[i] < b[i]) return true;
        if (b[i] < a[i]) return false;
    }
    return false;
}

template <class... T> struct tuple;
template <> struct tuple<> {};
template <class T, class... R> struct tuple<T, R...> {
    T __head;
    tuple<R...> __tail;
    __host__ __device__ constexpr tuple() : __head(), __tail() {}
    __host__ __device__ constexpr tuple(const T &head, const R &...rest) : __head(head), __tail(rest...) {}
};
template <class... T> tuple(T...) -> tuple<T...>;
template <class T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<unsigned long, sizeof...(T)> {};
template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<unsigned long, 2> {};
template <class T, unsigned long N> struct tuple_size<array<T, N>> : integral_constant<unsigned long, N> {};
template <class... T> struct tuple_size<const tuple<T...>> : integral_constant<unsigned long, sizeof...(T)> {};
template <class A, class B> struct tuple_size<const pair<A, B>> : integral_constant<unsigned long, 2> {};
template <class T, unsigned long N> struct tuple_size<const array<T, N>> : integral_constant<unsigned long, N> {};
template <class T> inline constexpr unsigned long tuple_size_v = tuple_size<T>::value;
template <unsigned long I, class T> struct tuple_element;
template <class T, class... R> struct tuple_element<0, tuple<T, R...>> { typedef T type; };
template <unsigned long I, class T, class... R> struct tuple_element<I, tuple<T, R...>> {
    typedef typename tuple_element<I - 1, tuple<R...>>::type type;
};
template <class A, class B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <unsigned long I, class T, unsigned long N> struct tuple_element<I, array<T, N>> { typedef T type; };
template <unsigned long I, class T> struct tuple_element<I, const T> {
    typedef const typename tuple_element<I, T>::type type;
};
template <unsigned long I, class T> using tuple_element_t = typename tuple_element<I, T>::type;
template <unsigned long I, class T, class... R>
__host__ __device__ constexpr tuple_element_t<I, tuple<T, R...>> &get(tuple<T, R...> &t) {
    if constexpr (I == 0) return t.__head;
    else return get<I - 1>(t.__tail);
}
template <unsigned long I, class T, class... R>
__host__ __device__ constexpr const tuple_element_t<I, tuple<T, R...>> &get(const tuple<T, R...> &t) {
    if constexpr (I == 0) return t.__head;
    else return get<I - 1>(t.__tail);
}
template <unsigned long I, class A, class B>
__host__ __device__ constexpr tuple_element_t<I, pair<A, B>> &get(pair<A, B> &p) {
    if constexpr (I == 0) return p.first;
    else return p.second;
}
template <unsigned long I, class A, class B>
__host__ __device__ constexpr const tuple_element_t<I, pair<A, B>> &get(const pair<A, B> &p) {
    if constexpr (I == 0) return p.first;
    else return p.second;
}
template <unsigned long I, class T, unsigned long N> __host__ __device__ constexpr T &get(array<T, N> &a) { return a[I]; }
template <unsigned long I, class T, unsigned long N> __host__ __device__ constexpr const T &get(const array<T, N> &a) {
    return a[I];
}
template <unsigned long I, class T, class... R>
__host__ __device__ constexpr tuple_element_t<I, tuple<T, R...>> &&get(tuple<T, R...> &&t) {
    return static_cast<tuple_element_t<I, tuple<T, R...>> &&>(get<I>(t));
}
template <unsigned long I, class A, class B>
__host__ __device__ constexpr tuple_element_t<I, pair<A, B>> &&get(pair<A, B> &&p) {
    return static_cast<tuple_element_t<I, pair<A, B>> &&>(get<I>(p));
}
template <unsigned long I, class T, unsigned long N> __host__ __device__ constexpr T &&get(array<T, N> &&a) {
    return static_cast<T &&>(a[I]);
}
template <class... T> __host__ __device__ constexpr tuple<decay_t<T>...> make_tuple(T &&...v) {
    return tuple<decay_t<T>...>(v...);
}
template <class F, class T, unsigned long... I>
__host__ __device__ constexpr decltype(auto) __apply(F &&f, T &&t, index_sequence<I...>) {
    return static_cast<F &&>(f)(get<I>(static_cast<T &&>(t))...);
}
template <class F, class T> __host__ __device__ constexpr decltype(auto) apply(F &&f, T &&t) {
    return __apply(static_cast<F &&>(f), static_cast<T &&>(t), make_index_sequence<tuple_size<remove_reference_t<T>>::value>());
}

struct nullopt_t {};
inline constexpr nullopt_t nullopt{};
template <class T> struct optional {
    typedef T value_type;
    T __value;
    bool __engaged;
    __host__ __device__ constexpr optional() : __value(), __engaged(false) {}
    __host__ __device__ constexpr optional(nullopt_t) : __value(), __engaged(false) {}
    __host__ __device__ constexpr optional(const T &v) : __value(v), __engaged(true) {}
    __host__ __device__ constexpr explicit operator bool() const { return __engaged; }
    __host__ __device__ constexpr bool has_value() const { return __engaged; }
    __host__ __device__ constexpr T &operator*() { return __value; }
    __host__ __device__ constexpr const T &operator*() const { return __value; }
    __host__ __device__ constexpr T *operator->() { return &__value; }
    __host__ __device__ constexpr const T *operator->() const { return &__value; }
    __host__ __device__ constexpr T &value() { return __value; }
    __host__ __device__ constexpr const T &value() const { return __value; }
    template <class U> __host__ __device__ constexpr T value_or(U &&v) const {
        return __engaged ? __value : static_cast<T>(v);
    }
    __host__ __device__ constexpr void reset() { __engaged = false; }
};

#ifndef __UNSPOOL_SWAP
#define __UNSPOOL_SWAP
template <class T> __host__ __device__ constexpr void swap(T &a, T &b) {
    T t = a;
    a = b;
    b = t;
}
template <class T, class U = T> __host__ __device__ constexpr T exchange(T &place, U &&v) {
    T old = place;
    place = static_cast<T>(v);
    return old;
}
#endif
}
