/* Bits of objects as other types (C++20): written for unspool. */
namespace std {
template <class To, class From> __host__ __device__ constexpr To bit_cast(const From &from) noexcept {
    return __builtin_bit_cast(To, from);
}
}
