/* What CUDA's compiler knows of the C++ library without an `#include`: written for unspool. */
namespace std {
template <class T> struct __moved { typedef T type; };
template <class T> struct __moved<T &> { typedef T type; };
template <class T> struct __moved<T &&> { typedef T type; };
template <class T> __host__ __device__ constexpr typename __moved<T>::type &&move(T &&t) noexcept {
    return static_cast<typename __moved<T>::type &&>(t);
}
}
