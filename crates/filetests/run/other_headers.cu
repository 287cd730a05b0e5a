// What programs that nobody here wrote say, and what was refused of it: in CCCL, CUTLASS, miners.

#include <cuda_fp4.h>
#include <cinttypes>
#include <cuda_fp6.h>
#include <memory>
#include <type_traits>
#include <utility>

extern __device__ __device_builtin__ void __syncthreads(void);
typedef struct __builtin_align__(32) Wide {
    uint4 a, b;
} Wide;

// The body of a member of a class template inside of a class is read when the outer class is complete.
struct Outer {
    template <class P> struct Adapter {
        FN constexpr auto operator()(int n) const -> int {
            const auto made = P{}(n);
            return made;
        }
    };
    template <class E> struct Mapping;
};
struct AddOne {
    FN constexpr int operator()(int x) const { return x + 1; }
};
// A member class template that is defined outside, and its member.
template <class E> struct Outer::Mapping {
    E e;
    FN constexpr Mapping(E x) : e(x) {}
    FN E get() const;
};
template <class E> FN E Outer::Mapping<E>::get() const { return e * 2; }

// Between the braces enumerators have the underlying type, also by their full names.
enum class Policy : unsigned char { one = 1, two = 2, both = Policy::one | Policy::two };

// A constructor that names the template's arguments.
template <class T, class D> struct Base {
    T v;
    FN explicit Base<T, D>(float x) : v(x) {}
    FN explicit Base<T, D>(int x) : v(x + 100) {}
};

BEGIN(classes_of_others)
    I(Outer::Adapter<AddOne>{}(V(4))); I(Outer::Mapping<int>(V(21)).get()); I(int(Policy::both)); //= 5 42 3
    I(Base<int, char>(V(2.5f)).v); I(Base<int, char>(V(2)).v); I(alignof(Wide)); //= 2 102 32
END

template <class T> struct Pair {
    T a;
    int b;
};
template <class T> struct Tie {
    T &a;
    int &b;
    template <class U> FN Tie &operator=(const Pair<U> &p) {
        a = p.a;
        b = p.b;
        return *this;
    }
};
template <class T> FN Tie<T> tie(T &a, int &b) { return Tie<T>{a, b}; }

// Objects without members that constructors make are constants.
struct None {
    struct Secret {
        explicit Secret() = default;
    };
    FN constexpr explicit None(Secret, Secret) noexcept {}
};
inline constexpr None none{None::Secret{}, None::Secret{}};
template <class T> struct Maybe {
    T v;
    bool has;
    FN constexpr Maybe(None) : v(), has(false) {}
    template <class U = T> FN constexpr Maybe(U &&u) : v(static_cast<U &&>(u)), has(true) {}
};
struct Three {
    int a, b, c;
};
FN constexpr Maybe<Three> three(int x) {
    if (x) return Three{1, 2, 3};
    return none;
}

BEGIN(objects_of_others)
    int a = 0, b = 0;
    tie(a, b) = Pair<int>{V(3), V(4)};
    I(a * 10 + b); I(three(V(1)).v.c); I(three(V(1)).has); I(three(V(0)).has); //= 34 3 1 0
END

#define UNROLL #pragma unroll
BEGIN(pragmas_of_macros)
    int s = 0;
    UNROLL
    for (int i = 0; i < 4; i++) s += V(i);
    I(s); //= 6
END

BEGIN(unions_without_names)
    union {
        unsigned words[2];
        unsigned long long whole;
        struct {
            unsigned char low, next;
        };
    };
    whole = V(0x0000000500000102ull);
    I(words[0]); I(words[1]); I(low); I(next); //= 258 5 2 1
    words[1] = V(1u);
    I(whole >> 32); //= 1
END

struct Abstract {};
BEGIN(traits_of_others)
    I(std::is_trivially_copyable<int>::value); I(std::is_base_of_v<Abstract, Abstract>); I(std::is_convertible_v<int, float>); I(std::is_enum_v<Policy>); //= 1 1 1 1
    I(std::is_constructible_v<Base<int, char>, float>); I(std::is_constructible<Three, Abstract>::value); I(std::rank_v<int[2][3]>); I((std::extent_v<int[2][3], 1>)); //= 1 0 2 3
    I((std::conjunction_v<std::true_type, std::is_same<int, int>>)); I((std::disjunction_v<std::false_type, std::is_same<int, char>>)); //= 1 0
    I(sizeof(std::remove_extent_t<int[5]>)); I((std::is_same_v<std::invoke_result_t<AddOne, int>, int>)); I(std::negation_v<std::true_type>); //= 4 1 0
END

FN int e2m3(float x) { return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest); }
FN int e3m2(float x) { return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest); }
FN int e2m1(float x) { return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest); }
FN int e8m0(float x, int rounding) { return __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, rounding); }

BEGIN(to_fewer_bits)
    // Halfway goes to even; what is too large, and NaN, becomes the largest number.
    I(e2m3(V(1.0f))); I(e2m3(V(-1.0f))); I(e2m3(V(7.5f))); I(e2m3(V(100.0f))); I(e2m3(V(0.0625f))); I(e2m3(V(0.1875f))); //= 8 0x28 0x1f 0x1f 0 2
    I(e3m2(V(1.0f))); I(e3m2(V(-28.0f))); I(e3m2(V(INFINITY))); I(e3m2(V(NAN))); I(e3m2(V(1.125f))); //= 0x0c 0x3f 0x1f 0x1f 0x0c
    I(e2m1(V(1.0f))); I(e2m1(V(5.0f))); I(e2m1(V(2.5f))); I(e2m1(V(-6.0f))); I(e2m1(V(NAN))); //= 2 6 4 0xf 7
    I(__nv_cvt_float_to_fp4(V(5.9f), __NV_E2M1, cudaRoundZero)); I(__nv_cvt_float_to_fp4(V(-4.1f), __NV_E2M1, cudaRoundMinInf)); //= 6 0xf
    I(__nv_cvt_float_to_fp6(V(1.01f), __NV_E2M3, cudaRoundPosInf)); I(__nv_cvt_float_to_fp6(V(-1.01f), __NV_E2M3, cudaRoundPosInf)); //= 9 0x28
    I(e8m0(V(1.0f), cudaRoundPosInf)); I(e8m0(V(-3.0f), cudaRoundPosInf)); I(e8m0(V(3.0f), cudaRoundZero)); I(e8m0(V(0.0f), cudaRoundPosInf)); //= 127 129 128 0
    I(e8m0(V(INFINITY), cudaRoundPosInf)); I(e8m0(V(NAN), cudaRoundZero)); I(__nv_fp8_e8m0(V(5.0f)).__x); //= 0xfe 0xff 130
    float2 v = (float2)__nv_fp4x2_e2m1(make_float2(V(1.5f), V(-3.0f)));
    I(v.x * 2); I(v.y); I((float)__nv_fp6_e3m2(V(0.25))* 4); I((int)__nv_fp6_e2m3(V(-7))); //= 3 -3 1 -7
END

// Every number there and back.
BEGIN(from_fewer_bits)
    int bad = 0;
#pragma unroll 1
    for (int i = 0; i < 64; i++) {
        __nv_fp6_e2m3 x;
        __nv_fp6_e3m2 y;
        __nv_fp4_e2m1 z;
        x.__x = y.__x = i + V(0);
        z.__x = (i & 15) + V(0);
        bad += (e2m3((float)x) != i) + (e3m2((float)y) != i) + (e2m1((float)z) != (i & 15));
    }
#pragma unroll 1
    for (int i = 0; i < 255; i++) {
        __nv_fp8_e8m0 x;
        x.__x = i + V(0);
        bad += e8m0((float)x, cudaRoundPosInf) != i;
    }
    I(bad); //= 0
END

struct First {};
struct Count {
    int n;
    template <class... A> FN Count(First, int x, A...) : n(x + sizeof...(A)) {}
};
BEGIN(arguments_that_look_like_parameters)
    int x = V(3);
    Count c(First(), x, 5);
    I(c.n); //= 4
END

template <int N> struct Ranked {
    FN static constexpr int rank() { return N; }
};
template <bool B> struct Chosen {
    static constexpr int value = B;
};
template <class T> FN int one_ranked() { return Chosen<T::rank() == 1>::value * 10 + Chosen<T::rank() == 1 && T::rank() != 0>::value; }
BEGIN(calls_in_template_arguments)
    I(one_ranked<Ranked<1>>()); I(one_ranked<Ranked<2>>()); //= 11 0
END

BEGIN(vectors_by_alignment)
    I(alignof(double4_32a)); I(alignof(ulonglong4_16a)); I(sizeof(longlong4_32a)); //= 32 16 32
END

namespace outer {
template <class T> struct plus {
    FN T operator()(T a, T b) const { return a + b; }
};
}
struct HasMember {
    int plus;
};
template <class F, class T> struct Folded;
namespace outer {
template <class T> struct Folded {
    static constexpr int value = 1;
};
// Here `plus` was a member of a class last.
template <class T> struct Folded<plus<T>> {
    static constexpr int value = 2;
};
template <class T> FN T added(T a, T b) {
    plus<T> add;
    return add(a, plus<T>{}(b, T(1)));
}
}

BEGIN(templates_that_are_members_elsewhere)
    typedef outer::plus<int> Sum;
    I(outer::added(V(3), V(4))); I(outer::Folded<Sum>::value); //= 8 2
END

// Names that are a variable in one namespace and a class template in another, brought together by `using`.
namespace lib {
template <class T> struct extent {
    static constexpr int value = sizeof(T);
};
template <class T> struct bits {
    static constexpr int value = 8 * sizeof(T);
};
template <class T> struct has {
    template <int N> static constexpr int value = N;
};
struct __fn {
    FN constexpr int operator()(int x) const noexcept { return x + 1; }
};
}
struct OfExtent {
    int extent;
    int __fn;
};
FN constexpr bool __is_wide_enough(int n) noexcept { return n > 4; }
template <class T> struct Named {
    typedef T type;
};
namespace user {
using lib::extent;
template <class T> FN constexpr bool small() {
    static_assert((lib::bits<T>::value >= 8 && !(lib::bits<T>::value % 8)) ||
                  (lib::bits<T>::value < 8 && !(8 % lib::bits<T>::value)), "");
    return lib::bits<T>::value < 64 && extent<typename Named<T>::type>::value > 2;
}
}
template <int N> struct Nth {
    static constexpr int value = N;
};
template <class F, class T> FN int chosen(F f, T t) { return Nth<decltype(f(t))::value ? 10 : 20>::value; }

BEGIN(values_that_look_like_templates)
    I(noexcept(lib::__fn{}(3))); I(lib::__fn{}(V(3))); I(__is_wide_enough(alignof(double))); I(user::extent<short>::value); I(user::small<int>()); I(user::small<double>()); //= 1 4 1 2 1 0
    I(chosen([](int) { return Nth<1>(); }, 3)); I(chosen([](int) { return Nth<0>(); }, 3)); //= 10 20
END

// Headers that other compilers read, too: they ask for the words, and declare the types that they do not need.
#ifndef __host__
#define __host__
#define __device__
#endif
#if !defined __global__ || !defined(__forceinline__)
#error nvcc defines them
#endif
struct float4;
struct Second {
    __device__ static int of(float4 v);
};
__device__ int Second::of(float4 v) { return v.y; }

BEGIN(words_and_types_of_headers)
    I(Second::of(make_float4(1, V(2), 3, 4))); //= 2
END

// A member type that is a value elsewhere, without `typename`. A `forward` of the program's own hid the library's. Formats and traits
// of pointers were in no header.
struct HasValueKind {
    static const int value_kind = 3;
};
template <class K> struct OfKind {
    using value_kind = K;
    FN int get(const value_kind &v);
};
template <class K> FN int OfKind<K>::get(const OfKind<K>::value_kind &v) { return v + HasValueKind::value_kind; }
namespace own_library {
template <class T> FN T &&forward(T &t) { return (T &&)t; }
}

BEGIN(members_and_functions_of_other_libraries)
    int x = V(4);
    I(OfKind<int>().get(V(3))); I(std::forward<int>(x) + own_library::forward<int>(x)); //= 6 8
    I(sizeof(std::pointer_traits<int *>::rebind<short>()[0])); I(sizeof(PRId32) * 10 + sizeof(PRIxFAST16)); //= 2 23
END
