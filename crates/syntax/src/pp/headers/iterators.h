/* What <iterator> has for device code: written for unspool. */
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
template <class I, class J> __host__ __device__ constexpr bool operator>(const reverse_iterator<I> &a, const reverse_iterator<J> &b) {
    return b < a;
}
template <class I, class J> __host__ __device__ constexpr bool operator<=(const reverse_iterator<I> &a, const reverse_iterator<J> &b) {
    return !(b < a);
}
template <class I, class J> __host__ __device__ constexpr bool operator>=(const reverse_iterator<I> &a, const reverse_iterator<J> &b) {
    return !(a < b);
}
template <class I>
__host__ __device__ constexpr reverse_iterator<I> operator+(typename reverse_iterator<I>::difference_type n, const reverse_iterator<I> &a) {
    return a + n;
}
template <class I> __host__ __device__ constexpr reverse_iterator<I> make_reverse_iterator(I i) { return reverse_iterator<I>(i); }

#define __UNSPOOL_F __host__ __device__ constexpr
template <class I> constexpr bool __jumps = is_base_of_v<random_access_iterator_tag, typename iterator_traits<I>::iterator_category>;
template <class I> __UNSPOOL_F typename iterator_traits<I>::difference_type distance(I first, I last) {
    if constexpr (__jumps<I>) return last - first;
    else {
        typename iterator_traits<I>::difference_type n = 0;
        for (; first != last; ++first) ++n;
        return n;
    }
}
template <class I, class N> __UNSPOOL_F void advance(I &i, N n) {
    if constexpr (__jumps<I>) i += n;
    else {
        for (; n > 0; --n) ++i;
        if constexpr (is_base_of_v<bidirectional_iterator_tag, typename iterator_traits<I>::iterator_category>)
            for (; n < 0; ++n) --i;
    }
}
template <class I> __UNSPOOL_F I next(I i, typename iterator_traits<I>::difference_type n = 1) {
    std::advance(i, n);
    return i;
}
template <class I> __UNSPOOL_F I prev(I i, typename iterator_traits<I>::difference_type n = 1) {
    std::advance(i, -n);
    return i;
}
template <class C> __UNSPOOL_F auto begin(C &c) -> decltype(c.begin()) { return c.begin(); }
template <class C> __UNSPOOL_F auto begin(const C &c) -> decltype(c.begin()) { return c.begin(); }
template <class C> __UNSPOOL_F auto end(C &c) -> decltype(c.end()) { return c.end(); }
template <class C> __UNSPOOL_F auto end(const C &c) -> decltype(c.end()) { return c.end(); }
template <class T, unsigned long N> __UNSPOOL_F T *begin(T (&a)[N]) noexcept { return a; }
template <class T, unsigned long N> __UNSPOOL_F T *end(T (&a)[N]) noexcept { return a + N; }
template <class C> __UNSPOOL_F auto cbegin(const C &c) -> decltype(std::begin(c)) { return std::begin(c); }
template <class C> __UNSPOOL_F auto cend(const C &c) -> decltype(std::end(c)) { return std::end(c); }
template <class C> __UNSPOOL_F auto rbegin(C &c) -> decltype(c.rbegin()) { return c.rbegin(); }
template <class C> __UNSPOOL_F auto rend(C &c) -> decltype(c.rend()) { return c.rend(); }
template <class T, unsigned long N> __UNSPOOL_F reverse_iterator<T *> rbegin(T (&a)[N]) noexcept {
    return reverse_iterator<T *>(a + N);
}
template <class T, unsigned long N> __UNSPOOL_F reverse_iterator<T *> rend(T (&a)[N]) noexcept { return reverse_iterator<T *>(a); }
#if __cplusplus >= 201703L
template <class C> __UNSPOOL_F auto size(const C &c) -> decltype(c.size()) { return c.size(); }
template <class T, unsigned long N> __UNSPOOL_F unsigned long size(const T (&)[N]) noexcept { return N; }
template <class C> __UNSPOOL_F auto empty(const C &c) -> decltype(c.empty()) { return c.empty(); }
template <class T, unsigned long N> __UNSPOOL_F bool empty(const T (&)[N]) noexcept { return false; }
template <class C> __UNSPOOL_F auto data(C &c) -> decltype(c.data()) { return c.data(); }
template <class C> __UNSPOOL_F auto data(const C &c) -> decltype(c.data()) { return c.data(); }
template <class T, unsigned long N> __UNSPOOL_F T *data(T (&a)[N]) noexcept { return a; }
#endif
#if __cplusplus >= 202002L
template <class C> __UNSPOOL_F auto ssize(const C &c) -> common_type_t<long, make_signed_t<decltype(c.size())>> { return c.size(); }
template <class T, long N> __UNSPOOL_F long ssize(const T (&)[N]) noexcept { return N; }
template <class T> using iter_reference_t = decltype(*declval<T &>());
template <class T> using iter_value_t = typename iterator_traits<remove_cvref_t<T>>::value_type;
template <class T> using iter_difference_t = typename iterator_traits<remove_cvref_t<T>>::difference_type;
struct contiguous_iterator_tag : random_access_iterator_tag {};
#endif
#undef __UNSPOOL_F
}
