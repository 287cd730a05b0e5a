/* Bits of objects as other types, and of numbers (C++20): written for unspool. */
#if __cplusplus >= 202002L
#define __cpp_lib_bit_cast 201806L
#define __cpp_lib_bitops 201907L
#define __cpp_lib_int_pow2 202002L
#define __cpp_lib_endian 201907L
namespace std {
enum class endian { little = 1234, big = 4321, native = little };
#define __UNSPOOL_F(R) template <class T> __host__ __device__ constexpr enable_if_t<is_unsigned_v<T>, R>
__UNSPOOL_F(int) popcount(T v) noexcept { return __builtin_popcountll(v); }
__UNSPOOL_F(int) countl_zero(T v) noexcept {
    constexpr int bits = sizeof(T) * 8;
    return v == 0 ? bits : bits <= 32 ? __builtin_clz((unsigned)v) - (32 - bits) : __builtin_clzll(v);
}
__UNSPOOL_F(int) countr_zero(T v) noexcept {
    constexpr int bits = sizeof(T) * 8;
    return v == 0 ? bits : bits <= 32 ? __builtin_ctz((unsigned)v) : __builtin_ctzll(v);
}
__UNSPOOL_F(int) countl_one(T v) noexcept { return countl_zero(T(~v)); }
__UNSPOOL_F(int) countr_one(T v) noexcept { return countr_zero(T(~v)); }
__UNSPOOL_F(T) rotl(T v, int n) noexcept {
    constexpr unsigned bits = sizeof(T) * 8;
    unsigned m = (unsigned)n % bits;
    return m == 0 ? v : T(v << m | v >> (bits - m));
}
__UNSPOOL_F(T) rotr(T v, int n) noexcept {
    constexpr unsigned bits = sizeof(T) * 8;
    unsigned m = (unsigned)n % bits;
    return m == 0 ? v : T(v >> m | v << (bits - m));
}
__UNSPOOL_F(bool) has_single_bit(T v) noexcept { return v != 0 && (v & (v - 1)) == 0; }
__UNSPOOL_F(int) bit_width(T v) noexcept { return sizeof(T) * 8 - countl_zero(v); }
__UNSPOOL_F(T) bit_floor(T v) noexcept { return v == 0 ? 0 : T(T(1) << (bit_width(v) - 1)); }
__UNSPOOL_F(T) bit_ceil(T v) noexcept { return v < 2 ? 1 : T(T(1) << bit_width(T(v - 1))); }
#undef __UNSPOOL_F
template <class To, class From>
__host__ __device__ constexpr enable_if_t<sizeof(To) == sizeof(From) && __is_trivially_copyable(To) && __is_trivially_copyable(From), To>
bit_cast(const From &from) noexcept {
    return __builtin_bit_cast(To, from);
}
}
#endif
