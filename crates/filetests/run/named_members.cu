// Members that are called by names which are no plain ones, or which something else has: conversion functions, destructors, `half`.
#include <cuda_fp16.h>

struct NmPair { int x; __device__ explicit operator float2() const { return make_float2(x, 1); } __device__ explicit operator int() const { float2 v = operator float2(); return v.x + v.y; } };
struct NmBase { int b; __device__ operator int() const { return b * 2; } __device__ operator int() { return b * 3; } template <class T> __device__ explicit operator T *() const { return nullptr; } };
struct NmDerived : NmBase { float f; __device__ NmDerived(int i) : NmBase{i}, f(i) {} __device__ operator float() const { return f; } __device__ float both() const { return operator float() + operator int(); } };
template <class T> __device__ int nm_convert(T t) { return t.operator int(); }

BEGIN(conversion_functions_by_their_names)
    NmPair p{V(3)};
    I((int)p); I(p.operator float2().y); //= 4 1
    NmDerived d(V(5));
    const NmDerived c(V(7));
    NmDerived *q = &d;
    I(d.operator int()); I(c.operator int()); I(q->operator float()); I(d.both()); I(nm_convert(c)); //= 15 14 5 15 21
END

template <class T> struct NmEnds { int *p; __device__ NmEnds(int *q) : p(q) {} __device__ ~NmEnds() { *p += 10; } };
template <class T> __device__ void nm_end(NmEnds<T> *s) { s->~NmEnds<T>(); s->template ~NmEnds<T>(); s->~NmEnds(); }

BEGIN(destructors_with_the_arguments_of_their_class)
    alignas(8) char place[sizeof(NmEnds<int>)];
    int n = V(1);
    nm_end(new (place) NmEnds<int>(&n));
    I(n); //= 31
END

template <int N> struct NmBits { NmBits<N / 2> half[2]; };
template <> struct NmBits<1> { unsigned char u; };
struct NmHalf { int half; __device__ int twice() { return half * 2; } __device__ int times(int); };
__device__ int NmHalf::times(int x) { return half * x; }
template <class T> struct NmTraits { static constexpr int v = 1; };
template <> struct NmTraits<half> { static constexpr int v = 2; };

BEGIN(members_called_half)
    half h = __float2half(V(2.0f));
    NmBits<2> b;
    b.half[1].u = V(4);
    NmHalf n{V(5)};
    I(NmTraits<half>::v); I(b.half[1].u); I(n.twice() + n.times(3)); F(__half2float(h)); //= 2 4 25 2.0
END

// A function of the host that only `decltype` names.
namespace nm { template <class T> T &&declval() noexcept { static_assert(sizeof(T) != sizeof(T), "only its type"); } }
template <int U, class E, class F> __device__ auto nm_apply(int a, F f) -> decltype(f(nm::declval<E>())) { return f(E(a)) + U; }
template <class T> __device__ int nm_sizes(T p) { return sizeof(decltype(p)::Element) + sizeof(typename decltype(p)::Element); }
struct NmElement { typedef double Element; };

BEGIN(types_of_what_only_the_host_has)
    F(nm_apply<3, int>(V(2), [](int x) { return x + 0.5f; })); I(nm_sizes(NmElement())); //= 5.5 16
    typeof(V(2) + 1.0f) t = 2.5f;
    F(t); //= 2.5
END

template <int F, class T, int A> struct NmRun;
template <class T> struct NmRun<3, T, 1>;
template <int F, class T, int A> struct NmRun { static constexpr int v = 1; };
template <class T> struct NmRun<3, T, 1> { static constexpr int v = 2; };
template <class T> struct NmRun<3, T, 1>;

BEGIN(partial_specialisations_declared_before_they_are_defined)
    I(NmRun<3, int, 1>::v * 10 + NmRun<2, int, 1>::v); //= 21
END
