/* The functions of <memory> that device code may call: written for unspool. */
namespace std {
#if __cplusplus >= 201703L
template <class T> __host__ __device__ constexpr void destroy_at(T *p) { p->~T(); }
template <class I> __host__ __device__ constexpr void destroy(I first, I last) {
    for (; first != last; ++first) destroy_at(__builtin_addressof(*first));
}
#endif
#if __cplusplus >= 202002L
#define __cpp_lib_constexpr_dynamic_alloc 201907L
template <class T, class... A, class = decltype(::new(static_cast<void *>(nullptr)) T(declval<A>()...))>
__host__ __device__ constexpr T *construct_at(T *p, A &&...a) {
    return ::new (static_cast<void *>(p)) T(static_cast<A &&>(a)...);
}
template <class T> __host__ __device__ constexpr T *to_address(T *p) noexcept { return p; }
template <class P> __host__ __device__ constexpr auto to_address(const P &p) noexcept { return std::to_address(p.operator->()); }
template <unsigned long N, class T> [[nodiscard]] __host__ __device__ constexpr T *assume_aligned(T *p) {
    return static_cast<T *>(__builtin_assume_aligned(p, N));
}
#endif
}
