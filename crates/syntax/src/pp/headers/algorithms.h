/* The functions of <algorithm>, <numeric> and <utility> that are constants' functions, which device code calls with nvcc's
   --expt-relaxed-constexpr: written for unspool from C++17 and C++20's own descriptions. */
namespace std {
#define __UNSPOOL_F __host__ __device__ constexpr
/* std::max and std::min of objects, which are called so where no number is meant. */
template <class T> __UNSPOOL_F const T &__max_of(const T &a, const T &b) { return a < b ? b : a; }
template <class T> __UNSPOOL_F const T &__min_of(const T &a, const T &b) { return b < a ? b : a; }
template <class T, class C> __UNSPOOL_F const T &__max_of(const T &a, const T &b, C less) { return less(a, b) ? b : a; }
template <class T, class C> __UNSPOOL_F const T &__min_of(const T &a, const T &b, C less) { return less(b, a) ? b : a; }
#if __cplusplus >= 201703L
#define __cpp_lib_clamp 201603L
#define __cpp_lib_gcd_lcm 201606L
template <class T> __UNSPOOL_F const T &clamp(const T &v, const T &lo, const T &hi) { return v < lo ? lo : hi < v ? hi : v; }
template <class T, class C> __UNSPOOL_F const T &clamp(const T &v, const T &lo, const T &hi, C less) {
    return less(v, lo) ? lo : less(hi, v) ? hi : v;
}
template <class T, class U> __UNSPOOL_F auto gcd(T m, U n) -> decltype(m % n) {
    typedef decltype(m % n) R;
    R a = m > 0 ? R(m) : R(0) - R(m);
    R b = n > 0 ? R(n) : R(0) - R(n);
    while (b != 0) {
        R r = a % b;
        a = b;
        b = r;
    }
    return a;
}
template <class T, class U> __UNSPOOL_F auto lcm(T m, U n) -> decltype(m % n) {
    typedef decltype(m % n) R;
    if (m == 0 || n == 0) return 0;
    R a = m > 0 ? R(m) : R(0) - R(m);
    R b = n > 0 ? R(n) : R(0) - R(n);
    return a / gcd(a, b) * b;
}
#endif
#if __cplusplus >= 202002L
template <class A, class B> __UNSPOOL_F void iter_swap(A a, B b) { swap(*a, *b); }
template <class A, class B> __UNSPOOL_F B swap_ranges(A first, A last, B other) {
    for (; first != last; ++first, ++other) iter_swap(first, other);
    return other;
}
template <class I, class T> __UNSPOOL_F I find(I first, I last, const T &value) {
    while (first != last && !(*first == value)) ++first;
    return first;
}
template <class I, class P> __UNSPOOL_F I find_if(I first, I last, P holds) {
    while (first != last && !holds(*first)) ++first;
    return first;
}
template <class I, class P> __UNSPOOL_F I find_if_not(I first, I last, P holds) {
    while (first != last && holds(*first)) ++first;
    return first;
}
template <class I, class T> __UNSPOOL_F long count(I first, I last, const T &value) {
    long n = 0;
    for (; first != last; ++first) n += *first == value ? 1 : 0;
    return n;
}
template <class I, class P> __UNSPOOL_F long count_if(I first, I last, P holds) {
    long n = 0;
    for (; first != last; ++first) n += holds(*first) ? 1 : 0;
    return n;
}
template <class I, class P> __UNSPOOL_F bool all_of(I first, I last, P holds) { return find_if_not(first, last, holds) == last; }
template <class I, class P> __UNSPOOL_F bool any_of(I first, I last, P holds) { return find_if(first, last, holds) != last; }
template <class I, class P> __UNSPOOL_F bool none_of(I first, I last, P holds) { return find_if(first, last, holds) == last; }
template <class I, class F> __UNSPOOL_F F for_each(I first, I last, F f) {
    for (; first != last; ++first) f(*first);
    return f;
}
template <class I, class N, class F> __UNSPOOL_F I for_each_n(I first, N n, F f) {
    for (N i = 0; i < n; ++i, ++first) f(*first);
    return first;
}
template <class I, class O> __UNSPOOL_F O copy(I first, I last, O to) {
    for (; first != last; ++first, ++to) *to = *first;
    return to;
}
template <class I, class O> __UNSPOOL_F O copy_backward(I first, I last, O end) {
    while (first != last) *--end = *--last;
    return end;
}
template <class I, class N, class O> __UNSPOOL_F O copy_n(I first, N n, O to) {
    for (N i = 0; i < n; ++i, ++first, ++to) *to = *first;
    return to;
}
template <class I, class O, class P> __UNSPOOL_F O copy_if(I first, I last, O to, P holds) {
    for (; first != last; ++first)
        if (holds(*first)) {
            *to = *first;
            ++to;
        }
    return to;
}
template <class I, class T> __UNSPOOL_F void fill(I first, I last, const T &value) {
    for (; first != last; ++first) *first = value;
}
template <class I, class N, class T> __UNSPOOL_F I fill_n(I first, N n, const T &value) {
    for (N i = 0; i < n; ++i, ++first) *first = value;
    return first;
}
template <class I, class F> __UNSPOOL_F void generate(I first, I last, F f) {
    for (; first != last; ++first) *first = f();
}
template <class I, class O, class F> __UNSPOOL_F O transform(I first, I last, O to, F f) {
    for (; first != last; ++first, ++to) *to = f(*first);
    return to;
}
template <class I, class J, class O, class F> __UNSPOOL_F O transform(I first, I last, J other, O to, F f) {
    for (; first != last; ++first, ++other, ++to) *to = f(*first, *other);
    return to;
}
template <class I, class T> __UNSPOOL_F void replace(I first, I last, const T &old, const T &now) {
    for (; first != last; ++first)
        if (*first == old) *first = now;
}
template <class I> __UNSPOOL_F void reverse(I first, I last) {
    for (; first != last && first != --last; ++first) iter_swap(first, last);
}
template <class I> __UNSPOOL_F I rotate(I first, I middle, I last) {
    if (first == middle) return last;
    if (middle == last) return first;
    I result = first;
    for (bool once = true; first != middle && middle != last; once = false) {
        // What stands from `middle` on comes before the rest; that is rotated by what is left of it then.
        I at = first, left = first;
        for (I from = middle; from != last; ++at, ++from) {
            if (at == left) left = from;
            iter_swap(at, from);
        }
        if (once) result = at;
        first = at;
        middle = left;
    }
    return result;
}
template <class I, class J> __UNSPOOL_F bool equal(I first, I last, J other) {
    for (; first != last; ++first, ++other)
        if (!(*first == *other)) return false;
    return true;
}
template <class I, class J, class P> __UNSPOOL_F bool equal(I first, I last, J other, P same) {
    for (; first != last; ++first, ++other)
        if (!same(*first, *other)) return false;
    return true;
}
template <class I, class J> __UNSPOOL_F bool lexicographical_compare(I first, I last, J other, J end) {
    for (; first != last && other != end; ++first, ++other) {
        if (*first < *other) return true;
        if (*other < *first) return false;
    }
    return first == last && other != end;
}
template <class I, class T, class C> __UNSPOOL_F I lower_bound(I first, I last, const T &value, C less) {
    for (auto n = last - first; n > 0;) {
        auto half = n >> 1;
        I middle = first + half;
        if (less(*middle, value)) {
            first = middle;
            ++first;
            n = n - half - 1;
        } else
            n = half;
    }
    return first;
}
template <class I, class T, class C> __UNSPOOL_F I upper_bound(I first, I last, const T &value, C less) {
    for (auto n = last - first; n > 0;) {
        auto half = n >> 1;
        I middle = first + half;
        if (less(value, *middle))
            n = half;
        else {
            first = middle;
            ++first;
            n = n - half - 1;
        }
    }
    return first;
}
struct __lesser {
    template <class A, class B> __UNSPOOL_F bool operator()(const A &a, const B &b) const { return a < b; }
};
template <class I, class T> __UNSPOOL_F I lower_bound(I first, I last, const T &value) {
    return lower_bound(first, last, value, __lesser());
}
template <class I, class T> __UNSPOOL_F I upper_bound(I first, I last, const T &value) {
    return upper_bound(first, last, value, __lesser());
}
template <class I, class T> __UNSPOOL_F bool binary_search(I first, I last, const T &value) {
    I at = lower_bound(first, last, value);
    return at != last && !(value < *at);
}
template <class I, class C> __UNSPOOL_F I min_element(I first, I last, C less) {
    if (first == last) return first;
    I best = first;
    while (++first != last)
        if (less(*first, *best)) best = first;
    return best;
}
template <class I, class C> __UNSPOOL_F I max_element(I first, I last, C less) {
    if (first == last) return first;
    I best = first;
    while (++first != last)
        if (less(*best, *first)) best = first;
    return best;
}
template <class I> __UNSPOOL_F I min_element(I first, I last) { return min_element(first, last, __lesser()); }
template <class I> __UNSPOOL_F I max_element(I first, I last) { return max_element(first, last, __lesser()); }
template <class I> __UNSPOOL_F bool is_sorted(I first, I last) {
    if (first == last) return true;
    for (I next = first; ++next != last; first = next)
        if (*next < *first) return false;
    return true;
}
template <class I, class T> __UNSPOOL_F T accumulate(I first, I last, T sum) {
    for (; first != last; ++first) sum = sum + *first;
    return sum;
}
template <class I, class T, class F> __UNSPOOL_F T accumulate(I first, I last, T sum, F f) {
    for (; first != last; ++first) sum = f(sum, *first);
    return sum;
}
template <class I, class J, class T> __UNSPOOL_F T inner_product(I first, I last, J other, T sum) {
    for (; first != last; ++first, ++other) sum = sum + *first * *other;
    return sum;
}
template <class I, class T> __UNSPOOL_F void iota(I first, I last, T value) {
    for (; first != last; ++first, ++value) *first = value;
}
template <class I, class O> __UNSPOOL_F O partial_sum(I first, I last, O to) {
    if (first == last) return to;
    auto sum = *first;
    *to = sum;
    while (++first != last) {
        sum = sum + *first;
        *++to = sum;
    }
    return ++to;
}
#endif
#undef __UNSPOOL_F
}
