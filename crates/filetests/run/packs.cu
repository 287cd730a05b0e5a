// Packs expanded in braced lists, bases and member initialisers, and other text of libcu++ and CUB that was misread.

#include <cuda_fp16.h>
#include <iterator>

template <class... A> __device__ int listed(A... a) {
    int x[] = {int(a)...};
    int y[sizeof...(A) + 2] = {5, a..., 6};
    int s = 0;
    for (int v : x) s = s * 10 + v;
    for (int v : y) s = s * 10 + v;
    return s;
}
struct Wrap {
    int v;
    __device__ constexpr explicit Wrap(int x) : v(x) {}
};
template <class T, unsigned long N> struct Array {
    T d[N];
};
template <class T, class... U> Array(T, U...) -> Array<T, 1 + sizeof...(U)>;
template <int... V> __device__ constexpr auto wrapped() { return Array{Wrap{V / 10}...}; }
template <class... A> __device__ int scalar(A... a) { return int{a...}; }

BEGIN(packs_in_lists)
    I(listed(V(1), V(2), V(3))); I(wrapped<10, 20, 30>().d[2].v); I(sizeof(wrapped<10, 20, 30>())); I(scalar(V(7))); I(scalar()); //= 12351236 3 12 7 0
END

template <unsigned long... I> struct Indices {};
template <unsigned long I, class T> struct Leaf {
    T v;
    __device__ Leaf() : v() {}
    template <class U> __device__ explicit Leaf(U u) : v(u) {}
};
template <bool B> struct Other {};
template <class I, class... T> struct Tuple;
template <unsigned long... I, class... T> struct Tuple<Indices<I...>, T...> : public Leaf<I, T>..., public Other<true> {
    Tuple() = default;
    template <class... U> __device__ explicit Tuple(int, U... u) : Leaf<I, T>(u)... {}
};
template <unsigned long I, class T> __device__ T &get(Leaf<I, T> &l) { return l.v; }

BEGIN(packs_of_bases)
    Tuple<Indices<0, 1, 2>, int, float, long> t(0, V(4), V(2.5f), V(9)), z;
    // The base that fits is not the first one.
    I(get<0>(t)); I(get<1>(t) * 2); I(get<2>(t)); I(get<1>(z)); I(sizeof(get<2>(t))); //= 4 5 9 0 8
END

namespace lib {
template <int N> struct Parity;
template <int N> struct Made : Parity<N % 8>::template Inner<N> {};
template <> struct Made<0> {
    static constexpr int v = 100;
};
template <> struct Parity<1> {
    template <int N> struct Inner {
        static constexpr int v = N + 3;
    };
};
}

BEGIN(bases_that_a_specialisation_declares_later)
    I(lib::Made<9>::v); I(lib::Made<0>::v); //= 12 100
END

template <class T> struct complex {
    T re;
};
namespace inner {
namespace complex {
using ::complex;
}
}
namespace inner {
namespace complex {
__device__ inline complex<float> half_of(complex<float> z) { return complex<float>{z.re / 2}; }
}
}
template <class T> struct is_plain {
    static constexpr bool value = sizeof(T) > 4;
};
struct Category {
    static constexpr bool is_plain = true;
};
template <bool B> struct Constant {
    static constexpr int value = B ? 5 : 6;
};
namespace detail {
template <class T> struct is_plain : ::is_plain<T> {};
template <bool B> inline constexpr auto constant_v = Constant<B>{};
template <int N> struct Log {
    enum { VALUE = N * 2 };
};
}
template <class T> struct conditional {};
enum class phase { primary, conditional };
template <phase P> struct Phase {
    static constexpr int value = int(P);
};
template <class T> __device__ int pick(T) { return detail::constant_v<detail::is_plain<T>::value>.value; }
template <unsigned M> struct Bits {
    static constexpr unsigned value = (M == 0U) ? 1U : detail::Log<static_cast<int>(M + 1U)>::VALUE;
};

BEGIN(names_with_two_meanings)
    I(inner::complex::half_of(complex<float>{V(8.0f)}).re); I(pick(V(1))); I(pick(V(1.0))); //= 4 6 5
    I(Phase<phase::conditional>::value); I(Bits<3>::value); //= 1 8
END

template <class F> constexpr int arity = 0;
template <class R, class C, class A, class B> constexpr int arity<R (C::*)(A, B)> = 2;
template <class R, class C, class A> constexpr int arity<R (C::*)(A) const> = 11;
struct Methods {
    __device__ int f(int, int);
    __device__ int g(int) const;
    float x;
    __device__ float real() const volatile { return x + 1; }
    __device__ float real() const { return x; }
};
struct Last final {};

BEGIN(members)
    I((arity<int (Methods::*)(int, int)>)); I(arity<decltype(&Methods::g)>); I(__is_final(Last)); I(__is_final(Methods)); //= 2 11 1 0
    Methods a{V(3.0f)};
    volatile Methods b{V(5.0f)};
    I(a.real()); I(b.real()); //= 3 6
END

using ::std::forward;
template <class T> __device__ T through(T &&x) { return ::forward<T>(x); }
__device__ constexpr int when() { return __builtin_is_constant_evaluated() ? 1 : 2; }
template <int N> struct At {
    static constexpr int value = N;
};
struct Tag : std::bidirectional_iterator_tag {};

BEGIN(library)
    I(through(V(3))); I(std::move(V(4))); I(std::max({V(16), V(3), V(21)})); I(std::min({V(1.5), V(0.5)}) * 2); //= 3 4 21 1
    I(At<when()>::value); I(when()); I(cudaSuccess); I(cudaErrorInvalidValue); I(__is_base_of(std::input_iterator_tag, Tag)); //= 1 2 0 1 1
END

BEGIN(complex_products_of_halves)
    // (2 + 3i)(4 + 5i) + (1 + i)
    __half2 r = __hcmadd(__floats2half2_rn(V(2.0f), V(3.0f)), __floats2half2_rn(V(4.0f), V(5.0f)), __floats2half2_rn(V(1.0f), V(1.0f)));
    I(__low2float(r)); I(__high2float(r)); //= -6 23
END

// A pack that a lambda captures had no elements in it.
template <class F> __device__ void called(F f, int n) {
    for (int i = 0; i < n; i++) f(i);
}
template <class F, class... A> __device__ void passed(F f, int n, A... a) {
    called([=](int i) { f(i, a...); }, n);
    called([&](int i) { called([=](int j) { f(i + j + int(sizeof...(a)), a...); }, 1); }, n);
    auto generic = [&](auto i) { f(i, a...); };
    generic(n);
    called([&](int) { ((void)a, ...); }, sizeof...(a) == 0);
}
template <class... A> __device__ int changed(A... a) {
    auto add = [&](int n) { ((a += n), ...); };
    add(10);
    return (a * ... * 1);
}
__device__ void nothing_more(int) {}

BEGIN(captured_packs)
    int sum[12] = {};
    passed([](int i, int *p, int v) { p[i] += v; }, 4, sum, V(5));
    I(sum[0]); I(sum[2]); I(sum[4]); I(sum[5]); I(changed(V(1), V(2))); I(changed()); //= 5 10 10 5 132 1
    passed([&](int i) { sum[i] = 7; }, 2);
    I(sum[0]); I(sum[1]); I(sum[2]); I(sum[3]); //= 7 7 7 10
END

struct Sum {
    __device__ int operator()(int a, int b) const { return a + b; }
    __device__ int operator()(int a, int b) { return a - b; }
};

// What a closure holds is `const` in its body, and so is a reference to it from a lambda inside.
BEGIN(captures_of_captures)
    Sum op;
    int x = V(3);
    auto outer = [=](int n) {
        int r = 0;
        auto inner = [&](int i) { r = op(r, i * x); };
        for (int i = 0; i < n; i++) inner(i);
        return r;
    };
    auto changing = [=](int n) mutable { auto inner = [&] { return op(n, x); }; return inner(); };
    I(outer(4)); I(changing(V(5))); //= 18 2
END

template <class... A> struct Traits : std::iterator_traits<A>... {};
struct Walk {
    typedef std::forward_iterator_tag iterator_category;
    typedef short value_type;
    typedef int difference_type;
    typedef short *pointer;
    typedef short &reference;
};

BEGIN(iterators)
    I(sizeof(Traits<const double *>::value_type)); I(sizeof(Traits<Walk>::value_type)); //= 8 2
    I(std::is_same_v<std::iterator_traits<int *>::reference, int &>); //= 1
END

// Packs among the template arguments of a member, and in traits.
template <class... T> struct TypesOf {};
template <class... T> FN void swallowed(T...) {}
struct Sizes {
    int *p;
    template <class T> FN void operator()() { *p += sizeof(T); }
    template <class T> FN int get() { return sizeof(T); }
    template <int N> FN int num() { return N; }
};
template <class... T, class F> FN void each_type(TypesOf<T...>, F f) { swallowed((f.template operator()<T>(), 0)...); swallowed(f.template get<T>()...); }
template <int... N> FN int added(Sizes *f) { return (f->template num<N>() + ...); }
template <class... T> FN int integers() { return (__is_integral(T) + ...); }

BEGIN(packs_of_member_templates)
    int n = V(0); each_type(TypesOf<int, char, double>(), Sizes{&n}); I(n); //= 13
    Sizes s{&n}; I((added<1, 2, 3>(&s))); I((integers<int, float, char>())); //= 6 2
END
