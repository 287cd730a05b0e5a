/* std::numeric_limits: written for unspool. */
namespace std {
enum float_round_style {
    round_indeterminate = -1,
    round_toward_zero = 0,
    round_to_nearest = 1,
    round_toward_infinity = 2,
    round_toward_neg_infinity = 3
};
enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };
#define __UNSPOOL_LIMITS(SPECIAL, SIGNED, INTEGER, EXACT, IEC, MODULO, DIGITS, DIGITS10, MAX_DIGITS10, RADIX)          \
    static constexpr bool is_specialized = SPECIAL, is_signed = SIGNED, is_integer = INTEGER, is_exact = EXACT;        \
    static constexpr bool has_infinity = IEC, has_quiet_NaN = IEC, has_signaling_NaN = IEC, is_iec559 = IEC;           \
    static constexpr bool is_bounded = SPECIAL, is_modulo = MODULO, has_denorm_loss = false, traps = INTEGER;          \
    static constexpr bool tinyness_before = false;                                                                     \
    static constexpr float_denorm_style has_denorm = IEC ? denorm_present : denorm_absent;                             \
    static constexpr float_round_style round_style = IEC ? round_to_nearest : round_toward_zero;                       \
    static constexpr int digits = DIGITS, digits10 = DIGITS10, max_digits10 = MAX_DIGITS10, radix = RADIX;
#define __UNSPOOL_EXPONENTS(MIN, MIN10, MAX, MAX10)                                                                    \
    static constexpr int min_exponent = MIN, min_exponent10 = MIN10, max_exponent = MAX, max_exponent10 = MAX10;
#define __UNSPOOL_VALUES(T, LOW, HIGH, LOWEST, EPSILON, ROUND, DENORM, INF, NAN)                                       \
    __host__ __device__ static constexpr T min() { return LOW; }                                                       \
    __host__ __device__ static constexpr T max() { return HIGH; }                                                      \
    __host__ __device__ static constexpr T lowest() { return LOWEST; }                                                 \
    __host__ __device__ static constexpr T epsilon() { return EPSILON; }                                               \
    __host__ __device__ static constexpr T round_error() { return ROUND; }                                             \
    __host__ __device__ static constexpr T denorm_min() { return DENORM; }                                             \
    __host__ __device__ static constexpr T infinity() { return INF; }                                                  \
    __host__ __device__ static constexpr T quiet_NaN() { return NAN; }                                                 \
    __host__ __device__ static constexpr T signaling_NaN() { return NAN; }
template <class T> struct numeric_limits {
    __UNSPOOL_LIMITS(false, false, false, false, false, false, 0, 0, 0, 0)
    __UNSPOOL_EXPONENTS(0, 0, 0, 0)
    __UNSPOOL_VALUES(T, T(), T(), T(), T(), T(), T(), T(), T())
};
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
template <class T> struct numeric_limits<volatile T> : numeric_limits<T> {};
template <class T> struct numeric_limits<const volatile T> : numeric_limits<T> {};
#define __UNSPOOL_INT_LIMITS(T, LOW, HIGH, SIGNED, DIGITS)                                                             \
    template <> struct numeric_limits<T> {                                                                             \
        __UNSPOOL_LIMITS(true, SIGNED, true, true, false, !(SIGNED) && DIGITS > 1, DIGITS, DIGITS * 643L / 2136, 0, 2) \
        __UNSPOOL_EXPONENTS(0, 0, 0, 0)                                                                                \
        __UNSPOOL_VALUES(T, LOW, HIGH, LOW, 0, 0, 0, 0, 0)                                                             \
    };
__UNSPOOL_INT_LIMITS(bool, false, true, false, 1)
__UNSPOOL_INT_LIMITS(char, -128, 127, true, 7)
__UNSPOOL_INT_LIMITS(signed char, -128, 127, true, 7)
__UNSPOOL_INT_LIMITS(unsigned char, 0, 255, false, 8)
__UNSPOOL_INT_LIMITS(short, -32768, 32767, true, 15)
__UNSPOOL_INT_LIMITS(unsigned short, 0, 65535, false, 16)
__UNSPOOL_INT_LIMITS(wchar_t, (-2147483647 - 1), 2147483647, true, 31)
__UNSPOOL_INT_LIMITS(char16_t, 0, 65535, false, 16)
__UNSPOOL_INT_LIMITS(char32_t, 0u, 4294967295u, false, 32)
#ifdef __cpp_char8_t
__UNSPOOL_INT_LIMITS(char8_t, 0, 255, false, 8)
#endif
__UNSPOOL_INT_LIMITS(int, (-2147483647 - 1), 2147483647, true, 31)
__UNSPOOL_INT_LIMITS(unsigned int, 0u, 4294967295u, false, 32)
__UNSPOOL_INT_LIMITS(long, (-9223372036854775807l - 1), 9223372036854775807l, true, 63)
__UNSPOOL_INT_LIMITS(unsigned long, 0ul, 18446744073709551615ul, false, 64)
__UNSPOOL_INT_LIMITS(long long, (-9223372036854775807ll - 1), 9223372036854775807ll, true, 63)
__UNSPOOL_INT_LIMITS(unsigned long long, 0ull, 18446744073709551615ull, false, 64)
#ifdef __SIZEOF_INT128__
__UNSPOOL_INT_LIMITS(__int128, (__int128(1) << 126) * -2, ~((__int128(1) << 126) * -2), true, 127)
__UNSPOOL_INT_LIMITS(unsigned __int128, 0, ~(unsigned __int128)0, false, 128)
#endif
#undef __UNSPOOL_INT_LIMITS
template <> struct numeric_limits<float> {
    __UNSPOOL_LIMITS(true, true, false, false, true, false, 24, 6, 9, 2)
    __UNSPOOL_EXPONENTS(-125, -37, 128, 38)
    __UNSPOOL_VALUES(float, 1.17549435e-38f, 3.40282347e+38f, -3.40282347e+38f, 1.1920929e-7f, 0.5f, 1.40129846e-45f,
                     __builtin_huge_valf(), __builtin_huge_valf() - __builtin_huge_valf())
};
template <> struct numeric_limits<double> {
    __UNSPOOL_LIMITS(true, true, false, false, true, false, 53, 15, 17, 2)
    __UNSPOOL_EXPONENTS(-1021, -307, 1024, 308)
    __UNSPOOL_VALUES(double, 2.2250738585072014e-308, 1.7976931348623157e+308, -1.7976931348623157e+308,
                     2.220446049250313e-16, 0.5, 4.9406564584124654e-324, __builtin_huge_val(),
                     __builtin_huge_val() - __builtin_huge_val())
};
// Precision and range are the host's, the values those that a device can have: a `double`'s.
template <> struct numeric_limits<long double> {
    __UNSPOOL_LIMITS(true, true, false, false, true, false, 64, 18, 21, 2)
    __UNSPOOL_EXPONENTS(-16381, -4931, 16384, 4932)
    __UNSPOOL_VALUES(long double, 2.2250738585072014e-308, 1.7976931348623157e+308, -1.7976931348623157e+308,
                     2.220446049250313e-16, 0.5, 4.9406564584124654e-324, __builtin_huge_val(),
                     __builtin_huge_val() - __builtin_huge_val())
};
#undef __UNSPOOL_LIMITS
#undef __UNSPOOL_EXPONENTS
#undef __UNSPOOL_VALUES
}
