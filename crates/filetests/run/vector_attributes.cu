// Vectors of clang and GCC, `ext_vector_type` and `vector_size`, wherever an attribute may stand; modes.

typedef float f4 __attribute__((ext_vector_type(4)));
typedef int i4 __attribute__((vector_size(16)));
typedef signed char c16 __attribute__((__vector_size__(16), __may_alias__));
typedef unsigned char c32 __attribute__((vector_size(32)));
typedef long long one __attribute__((vector_size(8)));
using d2 = double __attribute__((ext_vector_type(2)));
using u4 __attribute__((ext_vector_type(4))) = unsigned;
template <class T, int N> using Of = T __attribute__((ext_vector_type(N)));
template <class T> struct Four { typedef T type __attribute__((ext_vector_type(4))); };
struct Pair { float __attribute__((ext_vector_type(2))) a; int b __attribute__((mode(HI))); };
typedef unsigned int byte_t __attribute__((__mode__(__QI__)));
typedef int wide_t __attribute__((mode(DI)));
static_assert(sizeof(Pair) == 16 && sizeof(byte_t) == 1 && sizeof(wide_t) == 8, "");
static_assert(sizeof(f4) == 16 && alignof(f4) == 16 && sizeof(Of<short, 8>) == 16 && sizeof(c16) == 16, "");
static_assert(sizeof(c32) == 32 && sizeof(Of<float, 3>) == 16 && sizeof(one) == 8 && sizeof(Four<double>::type) == 32, "");
template <class T, int N> __device__ T sum(Of<T, N> v) { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; }

BEGIN(arithmetic)
    f4 x = {1, 2, 3, 4}, y = (f4)(2.0f);
    x = x * y + 1.0f;
    I((int)x.x); //= 3
    I((int)x[V(3)]); //= 9
    x.xy += y.zw;
    I((int)sum<float, 4>(x)); //= 28
    i4 a = {1, 5, 2, 7}, more = a > 3;
    I(more[1]); //= -1
    I(more[2]); //= 0
    i4 b = (more & a) | (~more & i4{9, 9, 9, 9});
    I(b[0] * 1000 + b[1] * 100 + b[2] * 10 + b[3]); //= 9597
    c16 c = {}; c[V(3)] = 100; c += c;
    I(c[3]); //= -56
    d2 d = {0.5, V(3)};
    I((int)(d * d)[1]); //= 9
    u4 u = {1u, 0xffffffffu, 2u, 3u};
    I((u >> 31)[1]); //= 1
    Four<int>::type f = {V(1), 2, 3, 4};
    f.wzyx = f;
    I(f.x * 10 + f.w); //= 41
END

BEGIN(modes)
    byte_t small = V(300);
    I(small); //= 44
    wide_t wide = V(1);
    I((int)((wide << 40) >> 38)); //= 4
    one o = V(3);
    I((int)(o * o)); //= 9
END
