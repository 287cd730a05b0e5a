/* The bits of numbers of two bytes, and of two such: written for unspool. The numbers are types of the compiler's, so the conversions
   from them are the classes' own; nothing but them converts. */
template <class T, class U> struct __nv_raw_of {};
template <class T> struct __nv_raw_of<T, T> { typedef int type; };
#define __nv_raw_type(raw, number)                                                                                     \
    struct raw {                                                                                                       \
        unsigned short x;                                                                                              \
        raw() = default;                                                                                               \
        __host__ __device__ constexpr raw(unsigned short bits) : x(bits) {}                                            \
        template <class T, typename __nv_raw_of<T, number>::type = 0>                                                  \
        __host__ __device__ constexpr raw(const T &v) : x(__builtin_bit_cast(unsigned short, v)) {}                    \
        __host__ __device__ constexpr operator number() const { return __builtin_bit_cast(number, x); }                \
    };
__nv_raw_type(__half_raw, __half)
__nv_raw_type(__nv_bfloat16_raw, __nv_bfloat16)
#undef __nv_raw_type
#define __nv_raw_type(raw, number)                                                                                     \
    struct __align__(4) raw {                                                                                          \
        unsigned short x, y;                                                                                           \
        raw() = default;                                                                                               \
        __host__ __device__ constexpr raw(unsigned short first, unsigned short second) : x(first), y(second) {}        \
        template <class T, typename __nv_raw_of<T, number>::type = 0>                                                  \
        __host__ __device__ constexpr raw(const T &v)                                                                  \
            : x(__builtin_bit_cast(unsigned int, v) & 0xffff), y(__builtin_bit_cast(unsigned int, v) >> 16) {}         \
        __host__ __device__ constexpr operator number() const {                                                        \
            return __builtin_bit_cast(number, x | (unsigned int)y << 16);                                              \
        }                                                                                                              \
    };
__nv_raw_type(__half2_raw, __half2)
__nv_raw_type(__nv_bfloat162_raw, __nv_bfloat162)
#undef __nv_raw_type
