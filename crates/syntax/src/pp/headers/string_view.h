/* `std::string_view`, with the fields of GNU's, length first: written for unspool. */
#if __cplusplus >= 201703L
#define __cpp_lib_string_view 201803L
namespace std {
#define __UNSPOOL_F __host__ __device__ constexpr
template <class C> struct char_traits {
    typedef C char_type;
    typedef int int_type;
    __UNSPOOL_F static unsigned long length(const C *s) {
        unsigned long n = 0;
        while (s[n] != C()) n++;
        return n;
    }
    __UNSPOOL_F static int compare(const C *a, const C *b, unsigned long n) {
        typedef make_unsigned_t<C> U;
        for (unsigned long i = 0; i < n; i++)
            if (a[i] != b[i]) return U(a[i]) < U(b[i]) ? -1 : 1;
        return 0;
    }
    __UNSPOOL_F static bool eq(C a, C b) noexcept { return a == b; }
    __UNSPOOL_F static bool lt(C a, C b) noexcept { return make_unsigned_t<C>(a) < make_unsigned_t<C>(b); }
};
template <class C, class T = char_traits<C>> struct basic_string_view {
    typedef T traits_type;
    typedef C value_type;
    typedef const C *pointer;
    typedef const C *const_pointer;
    typedef const C &reference;
    typedef const C &const_reference;
    typedef const C *const_iterator;
    typedef const C *iterator;
    typedef unsigned long size_type;
    typedef long difference_type;
    static constexpr size_type npos = -1;
    size_type __n;
    const C *__s;
    __UNSPOOL_F basic_string_view() noexcept : __n(0), __s(nullptr) {}
    __UNSPOOL_F basic_string_view(const C *s) : __n(T::length(s)), __s(s) {}
    __UNSPOOL_F basic_string_view(const C *s, size_type n) : __n(n), __s(s) {}
    __UNSPOOL_F const C *begin() const noexcept { return __s; }
    __UNSPOOL_F const C *end() const noexcept { return __s + __n; }
    __UNSPOOL_F const C *cbegin() const noexcept { return __s; }
    __UNSPOOL_F const C *cend() const noexcept { return __s + __n; }
    __UNSPOOL_F size_type size() const noexcept { return __n; }
    __UNSPOOL_F size_type length() const noexcept { return __n; }
    __UNSPOOL_F bool empty() const noexcept { return __n == 0; }
    __UNSPOOL_F const C *data() const noexcept { return __s; }
    __UNSPOOL_F const C &operator[](size_type i) const noexcept { return __s[i]; }
    __UNSPOOL_F const C &at(size_type i) const { return __s[i]; }
    __UNSPOOL_F const C &front() const noexcept { return __s[0]; }
    __UNSPOOL_F const C &back() const noexcept { return __s[__n - 1]; }
    __UNSPOOL_F void remove_prefix(size_type n) noexcept {
        __s += n;
        __n -= n;
    }
    __UNSPOOL_F void remove_suffix(size_type n) noexcept { __n -= n; }
    __UNSPOOL_F basic_string_view substr(size_type from = 0, size_type n = npos) const {
        return basic_string_view(__s + from, n < __n - from ? n : __n - from);
    }
    __UNSPOOL_F int compare(basic_string_view o) const noexcept {
        int c = T::compare(__s, o.__s, __n < o.__n ? __n : o.__n);
        return c != 0 ? c : __n < o.__n ? -1 : __n > o.__n;
    }
    __UNSPOOL_F size_type find(basic_string_view o, size_type from = 0) const noexcept {
        for (size_type i = from; i + o.__n <= __n; i++)
            if (T::compare(__s + i, o.__s, o.__n) == 0) return i;
        return npos;
    }
    __UNSPOOL_F size_type find(C c, size_type from = 0) const noexcept {
        for (size_type i = from; i < __n; i++)
            if (__s[i] == c) return i;
        return npos;
    }
    __UNSPOOL_F size_type rfind(C c, size_type from = npos) const noexcept {
        for (size_type i = from < __n ? from + 1 : __n; i-- > 0;)
            if (__s[i] == c) return i;
        return npos;
    }
    __UNSPOOL_F size_type rfind(basic_string_view o, size_type from = npos) const noexcept {
        if (o.__n > __n) return npos;
        for (size_type i = (from < __n - o.__n ? from : __n - o.__n) + 1; i-- > 0;)
            if (T::compare(__s + i, o.__s, o.__n) == 0) return i;
        return npos;
    }
    __UNSPOOL_F size_type find_first_of(basic_string_view o, size_type from = 0) const noexcept {
        for (size_type i = from; i < __n; i++)
            if (o.find(__s[i]) != npos) return i;
        return npos;
    }
    __UNSPOOL_F size_type find_first_not_of(basic_string_view o, size_type from = 0) const noexcept {
        for (size_type i = from; i < __n; i++)
            if (o.find(__s[i]) == npos) return i;
        return npos;
    }
    __UNSPOOL_F bool starts_with(basic_string_view o) const noexcept { return __n >= o.__n && substr(0, o.__n).compare(o) == 0; }
    __UNSPOOL_F bool starts_with(C c) const noexcept { return __n > 0 && __s[0] == c; }
    __UNSPOOL_F bool ends_with(basic_string_view o) const noexcept { return __n >= o.__n && substr(__n - o.__n).compare(o) == 0; }
    __UNSPOOL_F bool ends_with(C c) const noexcept { return __n > 0 && back() == c; }
};
typedef basic_string_view<char> string_view;
typedef basic_string_view<wchar_t> wstring_view;
#define __UNSPOOL_COMPARISON(op)                                                                                       \
    template <class C, class T> __UNSPOOL_F bool operator op(basic_string_view<C, T> a, basic_string_view<C, T> b) noexcept { \
        return a.compare(b) op 0;                                                                                      \
    }                                                                                                                  \
    template <class C, class T>                                                                                        \
    __UNSPOOL_F bool operator op(basic_string_view<C, T> a, decay_t<basic_string_view<C, T>> b) noexcept {             \
        return a.compare(b) op 0;                                                                                      \
    }                                                                                                                  \
    template <class C, class T>                                                                                        \
    __UNSPOOL_F bool operator op(decay_t<basic_string_view<C, T>> a, basic_string_view<C, T> b) noexcept {             \
        return a.compare(b) op 0;                                                                                      \
    }
__UNSPOOL_COMPARISON(==)
__UNSPOOL_COMPARISON(!=)
__UNSPOOL_COMPARISON(<)
__UNSPOOL_COMPARISON(>)
__UNSPOOL_COMPARISON(<=)
__UNSPOOL_COMPARISON(>=)
#undef __UNSPOOL_COMPARISON
inline namespace literals {
inline namespace string_view_literals {
__UNSPOOL_F string_view operator""sv(const char *s, unsigned long n) noexcept { return string_view(s, n); }
}
}
#undef __UNSPOOL_F
}
#endif
