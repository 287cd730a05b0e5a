/* What every header of the C++17 library knows as a type, and <cstddef> as one to count with: written for unspool. */
#if __cplusplus >= 201703L
namespace std {
enum class byte : unsigned char {};
template <class I, int = sizeof(I(0) << 1)> __host__ __device__ constexpr byte operator<<(byte b, I n) noexcept {
    return static_cast<byte>(static_cast<unsigned char>(static_cast<unsigned>(b) << n));
}
template <class I, int = sizeof(I(0) << 1)> __host__ __device__ constexpr byte operator>>(byte b, I n) noexcept {
    return static_cast<byte>(static_cast<unsigned char>(static_cast<unsigned>(b) >> n));
}
template <class I> __host__ __device__ constexpr byte &operator<<=(byte &b, I n) noexcept { return b = b << n; }
template <class I> __host__ __device__ constexpr byte &operator>>=(byte &b, I n) noexcept { return b = b >> n; }
__host__ __device__ constexpr inline byte operator|(byte a, byte b) noexcept {
    return static_cast<byte>(static_cast<unsigned char>(static_cast<unsigned>(a) | static_cast<unsigned>(b)));
}
__host__ __device__ constexpr inline byte operator&(byte a, byte b) noexcept {
    return static_cast<byte>(static_cast<unsigned char>(static_cast<unsigned>(a) & static_cast<unsigned>(b)));
}
__host__ __device__ constexpr inline byte operator^(byte a, byte b) noexcept {
    return static_cast<byte>(static_cast<unsigned char>(static_cast<unsigned>(a) ^ static_cast<unsigned>(b)));
}
__host__ __device__ constexpr inline byte operator~(byte a) noexcept {
    return static_cast<byte>(static_cast<unsigned char>(~static_cast<unsigned>(a)));
}
__host__ __device__ constexpr inline byte &operator|=(byte &a, byte b) noexcept { return a = a | b; }
__host__ __device__ constexpr inline byte &operator&=(byte &a, byte b) noexcept { return a = a & b; }
__host__ __device__ constexpr inline byte &operator^=(byte &a, byte b) noexcept { return a = a ^ b; }
template <class I> __host__ __device__ constexpr I to_integer(byte b) noexcept { return I(b); }
}
#endif
