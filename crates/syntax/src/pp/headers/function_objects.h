/* The function objects of <functional> that are arithmetic: written for unspool. */
namespace std {
#define __UNSPOOL_OBJECT(name, result, op) \
    template <class T = void> struct name { \
        __host__ __device__ constexpr result operator()(const T &a, const T &b) const { return a op b; } \
    }; \
    template <> struct name<void> { \
        typedef int is_transparent; \
        template <class T, class U> __host__ __device__ constexpr auto operator()(T &&a, U &&b) const \
            -> decltype(static_cast<T &&>(a) op static_cast<U &&>(b)) { return static_cast<T &&>(a) op static_cast<U &&>(b); } \
    };
__UNSPOOL_OBJECT(plus, T, +)
__UNSPOOL_OBJECT(minus, T, -)
__UNSPOOL_OBJECT(multiplies, T, *)
__UNSPOOL_OBJECT(divides, T, /)
__UNSPOOL_OBJECT(modulus, T, %)
__UNSPOOL_OBJECT(bit_and, T, &)
__UNSPOOL_OBJECT(bit_or, T, |)
__UNSPOOL_OBJECT(bit_xor, T, ^)
__UNSPOOL_OBJECT(equal_to, bool, ==)
__UNSPOOL_OBJECT(not_equal_to, bool, !=)
__UNSPOOL_OBJECT(less, bool, <)
__UNSPOOL_OBJECT(greater, bool, >)
__UNSPOOL_OBJECT(less_equal, bool, <=)
__UNSPOOL_OBJECT(greater_equal, bool, >=)
__UNSPOOL_OBJECT(logical_and, bool, &&)
__UNSPOOL_OBJECT(logical_or, bool, ||)
#undef __UNSPOOL_OBJECT
#define __UNSPOOL_OBJECT(name, result, op) \
    template <class T = void> struct name { \
        __host__ __device__ constexpr result operator()(const T &a) const { return op a; } \
    }; \
    template <> struct name<void> { \
        typedef int is_transparent; \
        template <class T> __host__ __device__ constexpr auto operator()(T &&a) const -> decltype(op static_cast<T &&>(a)) { \
            return op static_cast<T &&>(a); \
        } \
    };
__UNSPOOL_OBJECT(negate, T, -)
__UNSPOOL_OBJECT(logical_not, bool, !)
__UNSPOOL_OBJECT(bit_not, T, ~)
#undef __UNSPOOL_OBJECT
}
