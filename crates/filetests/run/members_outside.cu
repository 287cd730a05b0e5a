// Classes, enumerations and templates that are defined outside of the class or namespace that declares them.

// As PyTorch has it: otherwise nvcc finds two operators for a class that converts to both.
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF_CONVERSIONS__
#include <algorithm>
#include <cuda_fp16.h>
#include <initializer_list>

struct MoOuter {
    struct Inner;
    class Later;
    enum class Level : unsigned char;
    enum Plain : int;
    template <class U> struct Box;
    typedef int Word;
    template <unsigned N> static __device__ uint hash(const char (&s)[N], uint seed = 7);
    template <class T, unsigned N> static __device__ T times(T v);
    template <class T> __device__ T add(T v, T more = 3) const;
    template <class T, unsigned N = 4, unsigned M> static __device__ T scaled(const char (&s)[M], T v, int more = 2);
    int own;
};
enum class MoOuter::Level : unsigned char { low = 3, high = low + 4 };
enum MoOuter::Plain : int { mo_first = 11, mo_second };
struct MoOuter::Inner {
    struct Deep;
    Word word;
    Level level;
    __device__ int get() const;
};
struct MoOuter::Inner::Deep {
    Inner in;
    Word more;
};
class MoOuter::Later : public MoOuter::Inner {
public:
    int tail;
    __device__ int sum() const { return get() + tail; }
};
__device__ int MoOuter::Inner::get() const { return word * 2 + (int)level; }
template <class U> struct MoOuter::Box {
    U u;
    Word w;
};
template <> struct MoOuter::Box<char> {
    int other;
};
template <unsigned N> __device__ uint MoOuter::hash(const char (&s)[N], uint seed) { return N * 100 + s[0] + seed; }
template <class T, unsigned N> __device__ T MoOuter::times(T v) { return v * N; }
template <class T> __device__ T MoOuter::add(T v, T more) const { return v + more + own; }

template <class T, unsigned N, unsigned M> __device__ T MoOuter::scaled(const char (&s)[M], T v, int more) {
    return v * N + M * 100 + more;
}
template <class T> __device__ T mo_later(T a, T b = 5, int c = 6);
template <class T> __device__ T mo_later(T a, T b, int c) { return a + b * c; }

// A second class with members of the same names.
struct MoOther {
    struct Inner;
    class Later;
};
struct MoOther::Inner {
    char c[3];
};
class MoOther::Later : public MoOuter::Later {
public:
    MoOther::Inner last;
};

template <class T> struct MoTemplate {
    struct Inner;
    enum class Level : int;
    enum Plain : int;
    template <class U> struct Pair;
    T t;
};
template <class A> struct MoTemplate<A>::Inner {
    A a;
    MoTemplate *up;
    __device__ A both() const { return a + up->t; }
};
template <class T> enum class MoTemplate<T>::Level : int { size = sizeof(T), next };
template <class T> enum MoTemplate<T>::Plain : int { mo_size = sizeof(T) * 2 };
template <class A> template <class B> struct MoTemplate<A>::Pair {
    A a;
    B b;
    Inner in;
};

namespace mo_space {
struct Declared;
enum class Kind : short;
}
struct mo_space::Declared {
    Kind kind;
};
enum class mo_space::Kind : short { some = 300 };

BEGIN(members_outside)
    MoOuter::Inner in{V(4), MoOuter::Level::high};
    I(in.get()); //= 15
    MoOuter::Inner::Deep deep{in, V(6)};
    I(deep.in.get() + deep.more + sizeof(deep)); //= 33
    MoOuter::Later later;
    later.word = V(5);
    later.level = MoOuter::Level::low;
    later.tail = 100;
    I(later.sum()); //= 113
    I(MoOuter::mo_second + MoTemplate<short>::mo_size); //= 16
    MoOuter::Box<long> box{V(7), 1};
    MoOuter::Box<char> special{V(8)};
    I(box.u + box.w + special.other); //= 16
    MoOther::Later twice;
    twice.word = V(1);
    twice.level = MoOuter::Level::low;
    twice.tail = 2;
    twice.last.c[1] = 9;
    I(twice.sum() + twice.last.c[1] + sizeof(MoOther::Inner)); //= 19
END

BEGIN(static_member_templates_outside)
    I(MoOuter::hash("abc")); //= 504
    I(MoOuter::hash("b", V(1))); //= 299
    I(MoOuter::times<int, 3>(V(5))); //= 15
    I(MoOuter::scaled("abcd", V(6))); //= 526
    I(MoOuter::scaled<int, 2>("abc", V(6), 0)); //= 412
    I(mo_later(V(2))); //= 32
    MoOuter o{V(10)};
    I(o.add(V(1)) + o.add<long>(V(1), 20)); //= 45
END

BEGIN(members_of_templates_outside)
    MoTemplate<int> t{V(30)};
    MoTemplate<int>::Inner in{V(4), &t};
    I(in.both()); //= 34
    I((int)MoTemplate<double>::Level::next + (int)MoTemplate<char>::Level::size); //= 10
    MoTemplate<int>::Pair<long> pair{1, V(2), in};
    I(pair.a + pair.b + pair.in.both() + sizeof(pair)); //= 69
    mo_space::Declared d{mo_space::Kind::some};
    I((int)d.kind); //= 300
END

// A class of another namespace has the name of a function.
namespace mo_ops { struct min { int v; }; struct max { int v; }; }

BEGIN(functions_named_like_classes_elsewhere)
    size_t a = V(7), b = 9;
    size_t least = min(a + 1, b);
    I(least + max(V(3), 0)); //= 11
END

// A class that converts to a number and to a half, as PyTorch's does.
struct MoHalf {
    unsigned short x;
    __device__ MoHalf(float f) : x((unsigned short)(f * 4)) {}
    __device__ operator float() const { return x / 4.0f; }
    __device__ operator __half() const { return __float2half(x / 4.0f); }
};

BEGIN(classes_that_convert_to_float_and_half)
    MoHalf a(V(2.5f)), b(1.25f);
    I(a == b); I(a > b); I((int)a); F(max(b, a)); F(a * b); //= 0 1 2 2.5 3.125
    F(__half2float(__hneg(a))); F(fabsf(b) + a); //= -2.5 3.75
END

BEGIN(extremes_of_a_list)
    auto most = [](std::initializer_list<int> all) { return std::max(all) * 100 + std::min(all); };
    I(most({V(3), 9, 4})); //= 903
END

// Each conversion of a class is one of its own: the second that was defined outside was the first one again, and an error in a file, left
// out without a word in a header (PyTorch's `Half`).
namespace mo_converts {
struct H {
    short x;
    __device__ operator float() const;
    __device__ operator int() const;
    __device__ operator const short *() const;
};
__device__ H::operator float() const { return x + 0.5f; }
__device__ inline H::operator int() const { return x + 1; }
__device__ H::operator const short *() const { return &x; }
template <class T> struct C { T x; __device__ operator T() const; __device__ explicit operator bool() const; };
template <class T> __device__ C<T>::operator T() const { return x * 2; }
template <class T> __device__ C<T>::operator bool() const { return x > 3; }
}

BEGIN(the_second_conversion_outside_was_the_first_again)
    mo_converts::H h{short(V(4))};
    float f = h; int i = h; const short *p = h;
    F(f); I(i); I(*p); //= 4.5 5 4
    mo_converts::C<int> c{V(4)}; int d = c;
    I(d); I(bool(c) ? 1 : 0); //= 8 1
END
