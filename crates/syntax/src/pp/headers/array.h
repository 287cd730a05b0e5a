/* `std::array`: written for unspool. */
namespace std {
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
    __host__ __device__ constexpr void swap(array &a) {
        for (unsigned long i = 0; i < N; i++) {
            T kept = static_cast<T &&>(__elems[i]);
            __elems[i] = static_cast<T &&>(a.__elems[i]);
            a.__elems[i] = static_cast<T &&>(kept);
        }
    }
};
template <class T> struct array<T, 0> {
    typedef T value_type;
    typedef unsigned long size_type;
    typedef long difference_type;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T *iterator;
    typedef const T *const_iterator;
    __host__ __device__ constexpr T *data() const { return nullptr; }
    __host__ __device__ constexpr T *begin() const { return nullptr; }
    __host__ __device__ constexpr T *end() const { return nullptr; }
    __host__ __device__ constexpr unsigned long size() const { return 0; }
    __host__ __device__ constexpr unsigned long max_size() const { return 0; }
    __host__ __device__ constexpr bool empty() const { return true; }
    __host__ __device__ constexpr T &operator[](unsigned long i) const { return data()[i]; }
    __host__ __device__ constexpr void fill(const T &) {}
    __host__ __device__ constexpr void swap(array &) {}
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

template <class T, unsigned long N>
__host__ __device__ constexpr bool operator>(const array<T, N> &a, const array<T, N> &b) {
    return b < a;
}
template <class T, unsigned long N>
__host__ __device__ constexpr bool operator<=(const array<T, N> &a, const array<T, N> &b) {
    return !(b < a);
}
template <class T, unsigned long N>
__host__ __device__ constexpr bool operator>=(const array<T, N> &a, const array<T, N> &b) {
    return !(a < b);
}
template <class T, unsigned long N> __host__ __device__ constexpr void swap(array<T, N> &a, array<T, N> &b) { a.swap(b); }
template <class T, unsigned long N> struct tuple_size<array<T, N>> : integral_constant<unsigned long, N> {};
template <unsigned long I, class T, unsigned long N> struct tuple_element<I, array<T, N>> { typedef T type; };
template <unsigned long I, class T, unsigned long N> __host__ __device__ constexpr T &get(array<T, N> &a) noexcept {
    return a[I];
}
template <unsigned long I, class T, unsigned long N> __host__ __device__ constexpr const T &get(const array<T, N> &a) noexcept {
    return a[I];
}
template <unsigned long I, class T, unsigned long N> __host__ __device__ constexpr T &&get(array<T, N> &&a) noexcept {
    return static_cast<T &&>(a[I]);
}
#if __cplusplus >= 202002L
#define __cpp_lib_to_array 201907L
template <class T, unsigned long N, unsigned long... I>
__host__ __device__ constexpr array<remove_cv_t<T>, N> __to_array(T *a, integer_sequence<unsigned long, I...>) {
    return {{a[I]...}};
}
template <class T, unsigned long N> __host__ __device__ constexpr array<remove_cv_t<T>, N> to_array(T (&a)[N]) {
    return __to_array<T, N>(a, make_index_sequence<N>());
}
template <class T, unsigned long N> __host__ __device__ constexpr array<remove_cv_t<T>, N> to_array(T (&&a)[N]) {
    return __to_array<T, N>(a, make_index_sequence<N>());
}
#endif
}
