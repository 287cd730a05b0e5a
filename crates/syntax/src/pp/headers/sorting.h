/* The functions of <algorithm> that sort, merge, take out and search, which are constants' functions since C++20: written for
   unspool. Where equal elements come to lie is not that of GNU's. */
#if __cplusplus >= 202002L
namespace std {
#define __UNSPOOL_F __host__ __device__ constexpr
/* Each with `<` where no order is given. */
#define __UNSPOOL_ORDERED(result, name, ...)                                                                           \
    template <class I> __UNSPOOL_F result name(I first, I last) { return std::name(first, last, __lesser()); }
template <class I, class D, class C> __UNSPOOL_F void __sift_down(I first, D at, D n, C less) {
    for (;;) {
        D child = 2 * at + 1;
        if (child >= n) return;
        if (child + 1 < n && less(first[child], first[child + 1])) ++child;
        if (!less(first[at], first[child])) return;
        std::iter_swap(first + at, first + child);
        at = child;
    }
}
template <class I, class C> __UNSPOOL_F void make_heap(I first, I last, C less) {
    auto n = last - first;
    for (auto i = n / 2; i-- > 0;) std::__sift_down(first, i, n, less);
}
template <class I, class C> __UNSPOOL_F void push_heap(I first, I last, C less) {
    auto at = last - first - 1;
    while (at > 0 && less(first[(at - 1) / 2], first[at])) {
        std::iter_swap(first + at, first + (at - 1) / 2);
        at = (at - 1) / 2;
    }
}
template <class I, class C> __UNSPOOL_F void pop_heap(I first, I last, C less) {
    auto n = last - first;
    if (n < 2) return;
    std::iter_swap(first, last - 1);
    std::__sift_down(first, n - n, n - 1, less);
}
template <class I, class C> __UNSPOOL_F void sort_heap(I first, I last, C less) {
    for (; last - first > 1; --last) std::pop_heap(first, last, less);
}
template <class I, class C> __UNSPOOL_F bool is_heap(I first, I last, C less) {
    auto n = last - first;
    for (auto i = n - n + 1; i < n; ++i)
        if (less(first[(i - 1) / 2], first[i])) return false;
    return true;
}
/* Few by insertion, many by a heap: never more than n log n comparisons, and no recursion. */
template <class I, class C> __UNSPOOL_F void sort(I first, I last, C less) {
    if (last - first > 32) {
        std::make_heap(first, last, less);
        std::sort_heap(first, last, less);
        return;
    }
    for (I i = first; i != last; ++i) {
        auto value = static_cast<typename iterator_traits<I>::value_type &&>(*i);
        I at = i;
        for (; at != first && less(value, *(at - 1)); --at) *at = static_cast<typename iterator_traits<I>::value_type &&>(*(at - 1));
        *at = static_cast<typename iterator_traits<I>::value_type &&>(value);
    }
}
template <class I, class C> __UNSPOOL_F void partial_sort(I first, I middle, I last, C less) {
    std::make_heap(first, middle, less);
    for (I i = middle; i != last; ++i)
        if (less(*i, *first)) {
            std::iter_swap(i, first);
            std::__sift_down(first, middle - middle, middle - first, less);
        }
    std::sort_heap(first, middle, less);
}
template <class I> __UNSPOOL_F void partial_sort(I first, I middle, I last) { std::partial_sort(first, middle, last, __lesser()); }
template <class I, class C> __UNSPOOL_F void nth_element(I first, I nth, I last, C less) {
    if (nth != last) std::partial_sort(first, nth + 1, last, less);
}
template <class I> __UNSPOOL_F void nth_element(I first, I nth, I last) { std::nth_element(first, nth, last, __lesser()); }
template <class I, class C> __UNSPOOL_F bool is_sorted(I first, I last, C less) {
    if (first == last) return true;
    for (I next = first; ++next != last; first = next)
        if (less(*next, *first)) return false;
    return true;
}
template <class I, class C> __UNSPOOL_F I is_sorted_until(I first, I last, C less) {
    if (first == last) return last;
    for (I next = first; ++next != last; first = next)
        if (less(*next, *first)) return next;
    return last;
}
template <class I, class C> __UNSPOOL_F pair<I, I> minmax_element(I first, I last, C less) {
    I least = first, most = first;
    if (first != last)
        while (++first != last) {
            if (less(*first, *least)) least = first;
            if (!less(*first, *most)) most = first;
        }
    return pair<I, I>(least, most);
}
template <class I, class C> __UNSPOOL_F bool next_permutation(I first, I last, C less) {
    if (first == last) return false;
    I i = last;
    if (first == --i) return false;
    for (;;) {
        I after = i--;
        if (less(*i, *after)) {
            I j = last;
            while (!less(*i, *--j)) {}
            std::iter_swap(i, j);
            std::reverse(after, last);
            return true;
        }
        if (i == first) {
            std::reverse(first, last);
            return false;
        }
    }
}
template <class I, class C> __UNSPOOL_F bool prev_permutation(I first, I last, C less) {
    return std::next_permutation(first, last, [&](const auto &a, const auto &b) { return less(b, a); });
}
__UNSPOOL_ORDERED(void, make_heap)
__UNSPOOL_ORDERED(void, push_heap)
__UNSPOOL_ORDERED(void, pop_heap)
__UNSPOOL_ORDERED(void, sort_heap)
__UNSPOOL_ORDERED(bool, is_heap)
__UNSPOOL_ORDERED(void, sort)
__UNSPOOL_ORDERED(I, is_sorted_until)
__UNSPOOL_ORDERED(auto, minmax_element)
__UNSPOOL_ORDERED(bool, next_permutation)
__UNSPOOL_ORDERED(bool, prev_permutation)
#undef __UNSPOOL_ORDERED
template <class T> __UNSPOOL_F pair<const T &, const T &> minmax(const T &a, const T &b) {
    return b < a ? pair<const T &, const T &>(b, a) : pair<const T &, const T &>(a, b);
}
template <class T, class C> __UNSPOOL_F pair<const T &, const T &> minmax(const T &a, const T &b, C less) {
    return less(b, a) ? pair<const T &, const T &>(b, a) : pair<const T &, const T &>(a, b);
}

template <class I, class T, class C> __UNSPOOL_F pair<I, I> equal_range(I first, I last, const T &v, C less) {
    return pair<I, I>(std::lower_bound(first, last, v, less), std::upper_bound(first, last, v, less));
}
template <class I, class T> __UNSPOOL_F pair<I, I> equal_range(I first, I last, const T &v) {
    return std::equal_range(first, last, v, __lesser());
}
template <class I, class T, class C> __UNSPOOL_F bool binary_search(I first, I last, const T &v, C less) {
    I at = std::lower_bound(first, last, v, less);
    return at != last && !less(v, *at);
}
template <class I, class P> __UNSPOOL_F I remove_if(I first, I last, P out) {
    first = std::find_if(first, last, out);
    if (first != last)
        for (I i = first; ++i != last;)
            if (!out(*i)) {
                *first = static_cast<typename iterator_traits<I>::value_type &&>(*i);
                ++first;
            }
    return first;
}
template <class I, class T> __UNSPOOL_F I remove(I first, I last, const T &v) {
    return std::remove_if(first, last, [&](const auto &x) { return x == v; });
}
template <class I, class O, class P> __UNSPOOL_F O remove_copy_if(I first, I last, O to, P out) {
    return std::copy_if(first, last, to, [&](const auto &x) { return !out(x); });
}
template <class I, class O, class T> __UNSPOOL_F O remove_copy(I first, I last, O to, const T &v) {
    return std::copy_if(first, last, to, [&](const auto &x) { return !(x == v); });
}
template <class I, class P> __UNSPOOL_F I unique(I first, I last, P same) {
    if (first == last) return last;
    I kept = first;
    while (++first != last)
        if (!same(*kept, *first)) *++kept = static_cast<typename iterator_traits<I>::value_type &&>(*first);
    return ++kept;
}
template <class I> __UNSPOOL_F I unique(I first, I last) {
    return std::unique(first, last, [](const auto &a, const auto &b) { return a == b; });
}
template <class I, class P, class T> __UNSPOOL_F void replace_if(I first, I last, P holds, const T &now) {
    for (; first != last; ++first)
        if (holds(*first)) *first = now;
}
template <class I, class O> __UNSPOOL_F O move(I first, I last, O to) {
    for (; first != last; ++first, ++to) *to = static_cast<typename iterator_traits<I>::value_type &&>(*first);
    return to;
}
template <class I, class O> __UNSPOOL_F O move_backward(I first, I last, O end) {
    while (first != last) *--end = static_cast<typename iterator_traits<I>::value_type &&>(*--last);
    return end;
}
template <class I, class O> __UNSPOOL_F O reverse_copy(I first, I last, O to) {
    for (; first != last; ++to) *to = *--last;
    return to;
}
template <class I, class O> __UNSPOOL_F O rotate_copy(I first, I middle, I last, O to) {
    return std::copy(first, middle, std::copy(middle, last, to));
}
template <class I, class N, class F> __UNSPOOL_F I generate_n(I first, N n, F f) {
    for (N i = 0; i < n; ++i, ++first) *first = f();
    return first;
}
template <class I, class P> __UNSPOOL_F I partition(I first, I last, P holds) {
    first = std::find_if_not(first, last, holds);
    if (first != last)
        for (I i = first; ++i != last;)
            if (holds(*i)) {
                std::iter_swap(i, first);
                ++first;
            }
    return first;
}
template <class I, class P> __UNSPOOL_F bool is_partitioned(I first, I last, P holds) {
    return std::none_of(std::find_if_not(first, last, holds), last, holds);
}
template <class I, class P> __UNSPOOL_F I partition_point(I first, I last, P holds) {
    return std::lower_bound(first, last, 0, [&](const auto &x, int) { return bool(holds(x)); });
}
template <class I, class J, class O, class C> __UNSPOOL_F O merge(I a, I a_end, J b, J b_end, O to, C less) {
    for (; a != a_end && b != b_end; ++to) {
        if (less(*b, *a)) *to = *b, ++b;
        else *to = *a, ++a;
    }
    return std::copy(b, b_end, std::copy(a, a_end, to));
}
template <class I, class J, class O, class C> __UNSPOOL_F O set_union(I a, I a_end, J b, J b_end, O to, C less) {
    for (; a != a_end && b != b_end; ++to) {
        if (less(*b, *a)) *to = *b, ++b;
        else {
            if (!less(*a, *b)) ++b;
            *to = *a, ++a;
        }
    }
    return std::copy(b, b_end, std::copy(a, a_end, to));
}
template <class I, class J, class O, class C> __UNSPOOL_F O set_intersection(I a, I a_end, J b, J b_end, O to, C less) {
    while (a != a_end && b != b_end) {
        if (less(*a, *b)) ++a;
        else if (less(*b, *a)) ++b;
        else *to = *a, ++to, ++a, ++b;
    }
    return to;
}
template <class I, class J, class O, class C> __UNSPOOL_F O set_difference(I a, I a_end, J b, J b_end, O to, C less) {
    while (a != a_end && b != b_end) {
        if (less(*a, *b)) *to = *a, ++to, ++a;
        else {
            if (!less(*b, *a)) ++a;
            ++b;
        }
    }
    return std::copy(a, a_end, to);
}
template <class I, class J, class C> __UNSPOOL_F bool includes(I a, I a_end, J b, J b_end, C less) {
    for (; b != b_end; ++a) {
        if (a == a_end || less(*b, *a)) return false;
        if (!less(*a, *b)) ++b;
    }
    return true;
}
#define __UNSPOOL_ORDERED(name)                                                                                        \
    template <class I, class J, class O> __UNSPOOL_F O name(I a, I a_end, J b, J b_end, O to) {                        \
        return std::name(a, a_end, b, b_end, to, __lesser());                                                          \
    }
__UNSPOOL_ORDERED(merge)
__UNSPOOL_ORDERED(set_union)
__UNSPOOL_ORDERED(set_intersection)
__UNSPOOL_ORDERED(set_difference)
#undef __UNSPOOL_ORDERED
template <class I, class J> __UNSPOOL_F bool includes(I a, I a_end, J b, J b_end) {
    return std::includes(a, a_end, b, b_end, __lesser());
}
struct __same {
    template <class A, class B> __UNSPOOL_F bool operator()(const A &a, const B &b) const { return a == b; }
};
template <class I, class P> __UNSPOOL_F I adjacent_find(I first, I last, P same) {
    if (first == last) return last;
    for (I next = first; ++next != last; first = next)
        if (same(*first, *next)) return first;
    return last;
}
template <class I> __UNSPOOL_F I adjacent_find(I first, I last) { return std::adjacent_find(first, last, __same()); }
template <class I, class J, class P> __UNSPOOL_F pair<I, J> mismatch(I a, I a_end, J b, P same) {
    while (a != a_end && same(*a, *b)) ++a, ++b;
    return pair<I, J>(a, b);
}
template <class I, class J> __UNSPOOL_F pair<I, J> mismatch(I a, I a_end, J b) { return std::mismatch(a, a_end, b, __same()); }
template <class I, class J, class P> __UNSPOOL_F I search(I a, I a_end, J b, J b_end, P same) {
    for (;; ++a) {
        I i = a;
        for (J j = b;; ++i, ++j) {
            if (j == b_end) return a;
            if (i == a_end) return a_end;
            if (!same(*i, *j)) break;
        }
    }
}
template <class I, class J> __UNSPOOL_F I search(I a, I a_end, J b, J b_end) { return std::search(a, a_end, b, b_end, __same()); }
template <class I, class J> __UNSPOOL_F I find_first_of(I first, I last, J b, J b_end) {
    return std::find_if(first, last, [&](const auto &x) { return std::find(b, b_end, x) != b_end; });
}

template <class I, class T, class F> __UNSPOOL_F T reduce(I first, I last, T sum, F f) { return std::accumulate(first, last, sum, f); }
template <class I, class T> __UNSPOOL_F T reduce(I first, I last, T sum) { return std::accumulate(first, last, sum); }
template <class I> __UNSPOOL_F auto reduce(I first, I last) {
    return std::accumulate(first, last, typename iterator_traits<I>::value_type());
}
template <class I, class J, class T, class F, class G> __UNSPOOL_F T inner_product(I first, I last, J other, T sum, F f, G g) {
    for (; first != last; ++first, ++other) sum = f(sum, g(*first, *other));
    return sum;
}
template <class I, class J, class T> __UNSPOOL_F T transform_reduce(I first, I last, J other, T sum) {
    return std::inner_product(first, last, other, sum);
}
template <class I, class T, class F, class G> __UNSPOOL_F T transform_reduce(I first, I last, T sum, F f, G g) {
    for (; first != last; ++first) sum = f(sum, g(*first));
    return sum;
}
template <class I, class J, class T, class F, class G> __UNSPOOL_F T transform_reduce(I first, I last, J other, T sum, F f, G g) {
    return std::inner_product(first, last, other, sum, f, g);
}
template <class I, class O, class F> __UNSPOOL_F O partial_sum(I first, I last, O to, F f) {
    if (first == last) return to;
    auto sum = *first;
    *to = sum;
    while (++first != last) {
        sum = f(sum, *first);
        *++to = sum;
    }
    return ++to;
}
template <class I, class O> __UNSPOOL_F O inclusive_scan(I first, I last, O to) { return std::partial_sum(first, last, to); }
template <class I, class O, class F> __UNSPOOL_F O inclusive_scan(I first, I last, O to, F f) {
    return std::partial_sum(first, last, to, f);
}
template <class I, class O, class T, class F> __UNSPOOL_F O exclusive_scan(I first, I last, O to, T sum, F f) {
    for (; first != last; ++first, ++to) {
        T before = sum;
        sum = f(sum, *first);
        *to = before;
    }
    return to;
}
template <class I, class O, class T> __UNSPOOL_F O exclusive_scan(I first, I last, O to, T sum) {
    return std::exclusive_scan(first, last, to, sum, [](const auto &a, const auto &b) { return a + b; });
}
template <class I, class O, class F> __UNSPOOL_F O adjacent_difference(I first, I last, O to, F f) {
    if (first == last) return to;
    auto before = *first;
    *to = before;
    while (++first != last) {
        auto value = *first;
        *++to = f(value, before);
        before = value;
    }
    return ++to;
}
template <class I, class O> __UNSPOOL_F O adjacent_difference(I first, I last, O to) {
    return std::adjacent_difference(first, last, to, [](const auto &a, const auto &b) { return a - b; });
}
template <class T> __UNSPOOL_F enable_if_t<is_arithmetic_v<T>, T> midpoint(T a, T b) noexcept {
    if constexpr (is_integral_v<T>) {
        typedef make_unsigned_t<T> U;
        return a <= b ? T(a + T(U(U(b) - U(a)) / 2)) : T(a - T(U(U(a) - U(b)) / 2));
    } else {
        constexpr T low = numeric_limits<T>::min() * 2, high = numeric_limits<T>::max() / 2;
        T x = a < 0 ? -a : a, y = b < 0 ? -b : b;
        if (x <= high && y <= high) return (a + b) / 2;
        return x < low ? a + b / 2 : y < low ? a / 2 + b : a / 2 + b / 2;
    }
}
template <class T> __UNSPOOL_F T *midpoint(T *a, T *b) noexcept { return a + (b - a) / 2; }
#undef __UNSPOOL_F
}
#endif
