/* `std::span` of C++20, with the fields of GNU's: written for unspool. */
#if __cplusplus >= 202002L
#define __cpp_lib_span 202002L
namespace std {
inline constexpr unsigned long dynamic_extent = -1;
#define __UNSPOOL_F __host__ __device__ constexpr
template <unsigned long N> struct __extent {
    __UNSPOOL_F __extent(unsigned long = N) noexcept {}
    __UNSPOOL_F unsigned long __get() const noexcept { return N; }
};
template <> struct __extent<dynamic_extent> {
    unsigned long __n;
    __UNSPOOL_F __extent(unsigned long n = 0) noexcept : __n(n) {}
    __UNSPOOL_F unsigned long __get() const noexcept { return __n; }
};
template <class T> struct __span_pointer {
    T *__p;
};
template <class T, unsigned long N = dynamic_extent> struct span : private __span_pointer<T>, private __extent<N> {
    typedef T element_type;
    typedef remove_cv_t<T> value_type;
    typedef unsigned long size_type;
    typedef long difference_type;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *iterator;
    typedef std::reverse_iterator<T *> reverse_iterator;
    static constexpr size_type extent = N;
    template <class U> static constexpr bool __fits = __is_convertible(U (*)[], T (*)[]);
    template <unsigned long M = N, enable_if_t<M == 0 || M == dynamic_extent, int> = 0>
    __UNSPOOL_F span() noexcept : __span_pointer<T>{nullptr}, __extent<N>(0) {}
    template <class U, enable_if_t<__fits<U>, int> = 0>
    __UNSPOOL_F explicit(N != dynamic_extent) span(U *p, size_type n) : __span_pointer<T>{p}, __extent<N>(n) {}
    template <class U, enable_if_t<__fits<U>, int> = 0>
    __UNSPOOL_F explicit(N != dynamic_extent) span(U *first, U *last) : __span_pointer<T>{first}, __extent<N>(last - first) {}
    template <unsigned long M, enable_if_t<N == dynamic_extent || N == M, int> = 0>
    __UNSPOOL_F span(type_identity_t<T> (&a)[M]) noexcept : __span_pointer<T>{a}, __extent<N>(M) {}
    template <class U, unsigned long M, enable_if_t<__fits<U> && (N == dynamic_extent || N == M), int> = 0>
    __UNSPOOL_F span(array<U, M> &a) noexcept : __span_pointer<T>{a.data()}, __extent<N>(M) {}
    template <class U, unsigned long M, enable_if_t<__fits<const U> && (N == dynamic_extent || N == M), int> = 0>
    __UNSPOOL_F span(const array<U, M> &a) noexcept : __span_pointer<T>{a.data()}, __extent<N>(M) {}
    template <class C, class D = remove_reference_t<decltype(*declval<C &>().data())>,
              enable_if_t<__fits<D> && sizeof(declval<C &>().size()) != 0 && !is_same_v<remove_cvref_t<C>, span>, int> = 0>
    __UNSPOOL_F explicit(N != dynamic_extent) span(C &&c) : __span_pointer<T>{c.data()}, __extent<N>(c.size()) {}
    template <class U, unsigned long M, enable_if_t<__fits<U> && (N == dynamic_extent || M == dynamic_extent || N == M), int> = 0>
    __UNSPOOL_F explicit(N != dynamic_extent && M == dynamic_extent) span(const span<U, M> &s) noexcept
        : __span_pointer<T>{s.data()}, __extent<N>(s.size()) {}
    span(const span &) = default;
    span &operator=(const span &) = default;
    __UNSPOOL_F size_type size() const noexcept { return this->__get(); }
    __UNSPOOL_F size_type size_bytes() const noexcept { return size() * sizeof(T); }
    [[nodiscard]] __UNSPOOL_F bool empty() const noexcept { return size() == 0; }
    __UNSPOOL_F T *data() const noexcept { return this->__p; }
    __UNSPOOL_F T &operator[](size_type i) const noexcept { return this->__p[i]; }
    __UNSPOOL_F T &front() const noexcept { return this->__p[0]; }
    __UNSPOOL_F T &back() const noexcept { return this->__p[size() - 1]; }
    __UNSPOOL_F T *begin() const noexcept { return this->__p; }
    __UNSPOOL_F T *end() const noexcept { return this->__p + size(); }
    __UNSPOOL_F reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
    __UNSPOOL_F reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
    template <unsigned long M> __UNSPOOL_F span<T, M> first() const noexcept { return span<T, M>(data(), M); }
    template <unsigned long M> __UNSPOOL_F span<T, M> last() const noexcept { return span<T, M>(data() + (size() - M), M); }
    __UNSPOOL_F span<T> first(size_type n) const noexcept { return span<T>(data(), n); }
    __UNSPOOL_F span<T> last(size_type n) const noexcept { return span<T>(data() + (size() - n), n); }
    template <unsigned long O, unsigned long M = dynamic_extent> __UNSPOOL_F auto subspan() const noexcept {
        constexpr unsigned long left = M != dynamic_extent ? M : N != dynamic_extent ? N - O : dynamic_extent;
        return span<T, left>(data() + O, M == dynamic_extent ? size() - O : M);
    }
    __UNSPOOL_F span<T> subspan(size_type from, size_type n = dynamic_extent) const noexcept {
        return span<T>(data() + from, n == dynamic_extent ? size() - from : n);
    }
};
template <class T, unsigned long M> span(T (&)[M]) -> span<T, M>;
template <class T, unsigned long M> span(array<T, M> &) -> span<T, M>;
template <class T, unsigned long M> span(const array<T, M> &) -> span<const T, M>;
template <class T> span(T *, unsigned long) -> span<T>;
template <class T> span(T *, T *) -> span<T>;
template <class C> span(C &&) -> span<remove_reference_t<decltype(*declval<C &>().data())>>;
template <class T, unsigned long N> __host__ __device__ inline auto as_bytes(span<T, N> s) noexcept {
    return span<const byte, N == dynamic_extent ? N : N * sizeof(T)>(reinterpret_cast<const byte *>(s.data()), s.size_bytes());
}
template <class T, unsigned long N> __host__ __device__ inline auto as_writable_bytes(span<T, N> s) noexcept {
    return span<byte, N == dynamic_extent ? N : N * sizeof(T)>(reinterpret_cast<byte *>(s.data()), s.size_bytes());
}
#undef __UNSPOOL_F
}
#endif
