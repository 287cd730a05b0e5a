/* std::numeric_limits: written for unspool. */
namespace std {
enum float_round_style {
    round_indeterminate = -1,
    round_toward_zero = 0,
    round_to_nearest = 1,
    round_toward_infinity = 2,
    round_toward_neg_infinity = 3
};
template <class T> struct numeric_limits {
    static constexpr bool is_specialized = false;
};
#define __UNSPOOL_INT_LIMITS(T, LOW, HIGH, SIGNED, DIGITS)                                                             \
    template <> struct numeric_limits<T> {                                                                             \
        static constexpr bool is_specialized = true, is_signed = SIGNED, is_integer = true, is_exact = true;           \
        static constexpr bool has_infinity = false, has_quiet_NaN = false;                                             \
        static constexpr int digits = DIGITS, radix = 2;                                                               \
        __host__ __device__ static constexpr T min() { return LOW; }                                                   \
        __host__ __device__ static constexpr T max() { return HIGH; }                                                  \
        __host__ __device__ static constexpr T lowest() { return LOW; }                                                \
        __host__ __device__ static constexpr T epsilon() { return 0; }                                                 \
        __host__ __device__ static constexpr T infinity() { return 0; }                                                \
    };
__UNSPOOL_INT_LIMITS(bool, false, true, false, 1)
__UNSPOOL_INT_LIMITS(char, -128, 127, true, 7)
__UNSPOOL_INT_LIMITS(signed char, -128, 127, true, 7)
__UNSPOOL_INT_LIMITS(unsigned char, 0, 255, false, 8)
__UNSPOOL_INT_LIMITS(short, -32768, 32767, true, 15)
__UNSPOOL_INT_LIMITS(unsigned short, 0, 65535, false, 16)
__UNSPOOL_INT_LIMITS(int, (-2147483647 - 1), 2147483647, true, 31)
__UNSPOOL_INT_LIMITS(unsigned int, 0u, 4294967295u, false, 32)
__UNSPOOL_INT_LIMITS(long, (-9223372036854775807l - 1), 9223372036854775807l, true, 63)
__UNSPOOL_INT_LIMITS(unsigned long, 0ul, 18446744073709551615ul, false, 64)
__UNSPOOL_INT_LIMITS(long long, (-9223372036854775807ll - 1), 9223372036854775807ll, true, 63)
__UNSPOOL_INT_LIMITS(unsigned long long, 0ull, 18446744073709551615ull, false, 64)
#undef __UNSPOOL_INT_LIMITS
#define __UNSPOOL_FLOAT_LIMITS(T, MIN, MAX, EPSILON, DENORM, INF, DIGITS)                                              \
    template <> struct numeric_limits<T> {                                                                             \
        static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;           \
        static constexpr bool has_infinity = true, has_quiet_NaN = true;                                               \
        static constexpr int digits = DIGITS, radix = 2;                                                               \
        __host__ __device__ static constexpr T min() { return MIN; }                                                   \
        __host__ __device__ static constexpr T max() { return MAX; }                                                   \
        __host__ __device__ static constexpr T lowest() { return -MAX; }                                               \
        __host__ __device__ static constexpr T epsilon() { return EPSILON; }                                           \
        __host__ __device__ static constexpr T round_error() { return (T)0.5; }                                        \
        __host__ __device__ static constexpr T denorm_min() { return DENORM; }                                         \
        __host__ __device__ static constexpr T infinity() { return INF; }                                              \
        __host__ __device__ static constexpr T quiet_NaN() { return INF - INF; }                                       \
        __host__ __device__ static constexpr T signaling_NaN() { return INF - INF; }                                   \
    };
__UNSPOOL_FLOAT_LIMITS(float, 1.17549435e-38f, 3.40282347e+38f, 1.1920929e-7f, 1.40129846e-45f, __builtin_huge_valf(), 24)
__UNSPOOL_FLOAT_LIMITS(double, 2.2250738585072014e-308, 1.7976931348623157e+308, 2.220446049250313e-16,
                       4.9406564584124654e-324, __builtin_huge_val(), 53)
#undef __UNSPOOL_FLOAT_LIMITS
}
