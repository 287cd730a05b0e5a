/* What CUDA's compiler knows of the C++ library without an `#include`: written for unspool. */
namespace std {
template <class T> struct __forwarded { typedef T type; };
template <class T> struct __forwarded<T &> { typedef T type; };
template <class T> struct __forwarded<T &&> { typedef T type; };
template <class T> __host__ __device__ constexpr T &&forward(typename __forwarded<T>::type &t) noexcept {
    return static_cast<T &&>(t);
}
template <class T> __host__ __device__ constexpr T &&forward(typename __forwarded<T>::type &&t) noexcept {
    return static_cast<T &&>(t);
}
}
