/* Kinds of numbers, and linear interpolation (C++20), exact at both ends and monotonic between them: written for unspool. */
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
namespace std {
template <class T> __host__ __device__ constexpr int __kind_of(T v, T least) noexcept {
    T size = v < 0 ? -v : v;
    return v != v ? FP_NAN : size - size != 0 ? FP_INFINITE : size == 0 ? FP_ZERO : size < least ? FP_SUBNORMAL : FP_NORMAL;
}
__host__ __device__ constexpr int fpclassify(float v) noexcept { return __kind_of(v, __FLT_MIN__); }
__host__ __device__ constexpr int fpclassify(double v) noexcept { return __kind_of(v, __DBL_MIN__); }
__host__ __device__ constexpr int fpclassify(long double v) noexcept { return __kind_of(v, (long double)__DBL_MIN__); }
}
using std::fpclassify;
namespace std {
}
#if __cplusplus >= 202002L
#define __cpp_lib_interpolate 201902L
namespace std {
template <class T> __host__ __device__ constexpr T __lerp(T a, T b, T t) noexcept {
    if (a <= 0 && b >= 0 || a >= 0 && b <= 0) return t * b + (1 - t) * a;
    if (t == 1) return b;
    T x = a + t * (b - a);
    return (t > 1) == (b > a) ? (b < x ? x : b) : (b > x ? x : b);
}
__host__ __device__ constexpr float lerp(float a, float b, float t) noexcept { return __lerp(a, b, t); }
__host__ __device__ constexpr double lerp(double a, double b, double t) noexcept { return __lerp(a, b, t); }
__host__ __device__ constexpr long double lerp(long double a, long double b, long double t) noexcept { return __lerp(a, b, t); }
}
#endif
