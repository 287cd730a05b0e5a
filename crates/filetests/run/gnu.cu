// What nvcc takes of GNU C in device code: functions with variable arguments, arithmetic that says whether it overflows,
// switches on 128 bits; casts between vectors and integers of their size, as GCC has them.

#include <cstdarg>

typedef unsigned __int128 u128;
typedef __int128 i128;
typedef int v2 __attribute__((vector_size(8)));
typedef short s4 __attribute__((vector_size(8)));
struct P { int a; double b; };
struct Big { long a[5]; };

FN int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++) s = s * 10 + va_arg(ap, int);
    va_end(ap);
    return s;
}
FN double mixed(const char *f, ...) {
    va_list ap, again;
    va_start(ap, f);
    va_copy(again, ap);
    double s = 0;
    for (; *f; f++) {
        switch (*f) {
        case 'i': s = s * 2 + va_arg(ap, int); break;
        case 'd': s = s * 2 + va_arg(ap, double); break;
        case 'l': s = s * 2 + va_arg(ap, long long); break;
        case 'p': { P p = va_arg(ap, P); s = s * 2 + p.a + p.b; break; }
        case 'w': s = s * 2 + (double)(va_arg(ap, u128) >> 64); break;
        case '4': { float4 v = va_arg(ap, float4); s = s * 2 + v.x + v.w; break; }
        case 's': s = s * 2 + *va_arg(ap, short *); break;
        case 'B': s = s * 2 + va_arg(ap, Big).a[4]; break;
        }
    }
    va_end(ap);
    s += va_arg(again, int);
    va_end(again);
    return s;
}
FN int next(va_list *ap) { return va_arg(*ap, int); }
FN int rest(int n, va_list ap) {
    int s = 0;
    while (n--) s = s * 10 + va_arg(ap, int);
    return s;
}
FN int outer(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int f = next(&ap);
    f = f * 10 + next(&ap);
    int r = rest(n - 2, ap);
    va_end(ap);
    return f * 100 + r;
}
FN constexpr int fallback(...) { return 7; }
static_assert(fallback(1, 2.0) == 7 && fallback() == 7, "");
FN constexpr long constant(int n, ...) {
    va_list ap {};
    va_start(ap, n);
    long s = 0;
    while (n--) s = s * 100 + va_arg(ap, long);
    va_end(ap);
    return s;
}
struct Many {
    int n;
    FN Many(int n, ...) : n(n) { va_list l; va_start(l, n); this->n += va_arg(l, int); va_end(l); }
    FN int add(int m, ...) const { va_list l; va_start(l, m); int r = n + m + va_arg(l, int); va_end(l); return r; }
};
struct Odd { FN Odd() {} FN Odd(const Odd &) {} };
template <class T> FN char taken(T);
FN long taken(...);
static_assert(sizeof(fallback(Odd())) == sizeof(int) && sizeof(taken(Odd())) == 1, "");
template <class T> FN T first(int, ...);
template <class T> FN T first(int n, ...) { va_list l; va_start(l, n); T t = va_arg(l, T); va_end(l); return t; }
FN int later(int n, ...);
FN int calls_later(int n) { return later(n, 4, 5); }
FN int later(int n, ...) { va_list l; va_start(l, n); int r = n * 100 + va_arg(l, int) * 10; r += va_arg(l, int); va_end(l); return r; }

BEGIN(variable_arguments)
    char c = V(3);
    float f = 4.5f;
    short s = V(9);
    Big big = {{1, 2, 3, 4, V(50)}};
    I(sum(3, 1, V(2), c)); //= 123
    I(sum(V(0))); //= 0
    I((int)(mixed("id", 3, f) * 2)); //= 27
    I((int)(mixed("ilpws4B", V(1), 2ll, P{3, 4.5}, (u128)V(5) << 64, &s, make_float4(1, 2, 3, 4), big) * 2)); //= 770
    I(outer(4, 1, 2, 3, V(4))); //= 1234
    int (*p)(int, ...) = V(1) ? sum : outer;
    I(p(2, 5, V(6))); //= 56
    I(fallback(s, "")); //= 7
    I(Many(2, V(30)).n); //= 32
    I(Many(2, 3).add(V(4), 100)); //= 109
    I(first<int>(1, V(12))); //= 12
    I((int)(first<double>(1, 0.5f) * 4)); //= 2
    I(calls_later(V(3))); //= 345
END

BEGIN(overflow)
    int r; long l; unsigned long ul; unsigned char b; short h;
    long long x = V(4);
    I(__builtin_add_overflow((int)x, 0x7fffffff, &r)); I(r); //= 1 -2147483645
    I(__builtin_add_overflow((int)x, 0x7fffffff, &l)); I(l == 0x80000003); //= 0 1
    I(__builtin_mul_overflow(x, (unsigned long)-1, &ul)); I((int)ul); //= 1 -4
    I(__builtin_mul_overflow((unsigned long)-x, (unsigned long)-1, &l)); I((int)l); //= 1 4
    I(__builtin_mul_overflow(-x, 1l << 61, &l)); I(l == (long)(1ul << 63)); //= 0 1
    I(__builtin_sub_overflow(x, 5, &b)); I(b); //= 1 255
    I(__builtin_sub_overflow(x, 3u, &b)); I(b); //= 0 1
    I(__builtin_sub_overflow(3u, (unsigned)x, &h)); I(h); //= 0 -1
    I(__builtin_smull_overflow(x, 5, &l)); I(l); //= 0 20
    I(__builtin_usub_overflow(x, 5, (unsigned *)&r)); I(r); //= 1 -1
    I(__builtin_add_overflow_p(x, 124, (signed char)0)); I(__builtin_add_overflow_p(x, 123, (signed char)0)); //= 1 0
    int n = 0;
    int *p[2] = {&r, &r};
    I(__builtin_add_overflow(++n, ++n, p[n++ - 2])); I(r * 10 + n); //= 0 33
END

FN constexpr int large(int a, int b) {
    int r = 0;
    return __builtin_mul_overflow(a, b, &r) ? -1 : r;
}
static_assert(large(46341, 46341) == -1 && large(46340, 46340) == 2147395600, "");

FN int which(u128 v) {
    switch (v) {
    case 0: return 1;
    case (u128)3 << 64 ... (u128)5 << 64: return 2;
    case ~(u128)0: return 3;
    case (u128)1 << 127 ... ((u128)1 << 127) + 9: return 4;
    default: return 5;
    }
}
FN int falls(i128 v) {
    int r = 0;
    switch (v) {
        r = 1000;
    case -4: r += 1;
    default: r += 10;
    case 4: r += 100; break;
    case (i128)1 << 70: r = 7;
    }
    return r;
}

BEGIN(switch_on_128_bits)
    u128 v = V(4);
    I(which(v - 4)); I(which(v << 64)); I(which(v - 5)); I(which(v + ((u128)1 << 127))); I(which(v)); //= 1 2 3 4 5
    I(which((u128)V(6) << 64)); I(which(((u128)V(3) << 64) - 1)); //= 5 5
    i128 w = V(4);
    I(falls(-w)); I(falls(w)); I(falls(w << 68)); I(falls(w << 64)); //= 111 100 7 110
    switch ((i128)V(2)) { }
    switch ((i128)V(2)) { default: I(5); } //= 5
END

BEGIN(bits_of_vectors)
    long long x = V(5);
    v2 v = (v2)(x << 32 | 7);
    I(v[0] * 10 + v[1]); //= 75
    v[0] = 1;
    I((long long)v == (x << 32 | 1)); //= 1
    s4 s = (s4)(0x0001000200030000ull + x);
    I(s[0] * 1000 + s[1] * 100 + s[2] * 10 + s[3]); //= 5321
    s = (s4)v;
    I(s[0] * 10 + s[2]); //= 15
END

enum class Kind : bool { a, b };
enum Old : bool { x, y };
template <Kind K> struct Sub { static const int m = (int)K + 10; };
template <class T, Kind K = (sizeof(T) > 4) ? Kind::b : Kind::a> struct Chosen { static const int m = (int)K; };
struct Flags { Kind k; Old o : 1; };
FN Kind flip(Kind k) { return k == Kind::a ? Kind::b : Kind::a; }

BEGIN(enumerations_of_bool_were_no_constants)
    I(Sub<Kind::b>::m + Chosen<int>::m * 100 + Chosen<double>::m * 1000); //= 1011
    Flags s{Kind::b, y};
    s.k = flip(s.k);
    I((int)s.k * 10 + s.o); //= 1
    Kind z{(bool)V(1)};
    constexpr Kind c = Kind::b;
    I((c > Kind::a) + (int)c * 10 + (int)z * 100); //= 111
    I((int)(Kind)V(1) + (int)flip((Kind)V(0)) * 10 + sizeof(Kind) * 100); //= 111
    switch (z) { case Kind::a: I(1); break; case Kind::b: I(2); } //= 2
END

enum class Byte : unsigned char {};
template <class T> struct Code { static const int v = 0; };
template <> struct Code<char16_t> { static const int v = 16; };
template <> struct Code<char32_t> { static const int v = 32; };
template <> struct Code<unsigned short> { static const int v = 1; };
FN int kind(char16_t) { return 1; }
FN int kind(char32_t) { return 2; }
FN int kind(wchar_t) { return 3; }
FN int kind(unsigned short) { return 4; }
FN int kind(unsigned) { return 5; }
struct Named { enum E { x = 3, y }; };

BEGIN(characters_of_utf_were_integers)
    I(kind(u'a') * 10000 + kind(U'a') * 1000 + kind(L'a') * 100 + kind((unsigned short)1) * 10 + kind(1u)); //= 12345
    I(Code<char16_t>::v + Code<char32_t>::v + Code<unsigned short>::v); //= 49
    I(kind(u"ab"[V(1)]) * 10 + kind(U"ab"[0])); I(sizeof(u"ab") * 100 + sizeof(U"ab")); //= 12 612
    char16_t c = V(0x10041);
    I(c + 1); I(kind(U'b' + 0)); //= 66 5
    Byte b{1}, d{(unsigned char)V(2)};
    I((int)b * 10 + (int)d); //= 12
    Named p;
    decltype(p)::E e;
    e = Named::y;
    I(e); //= 4
END

struct Empty {};
struct Made { constexpr FN Made() {} constexpr FN Made(const Made &) {} };
struct Int { int i; constexpr FN Int(int i) : i(i) {} };
template <class T> struct Holds : T { constexpr FN Holds(T t) : T(t) {} };
struct X1 : Int, Holds<Made> { constexpr FN X1(int i) : Int(i), Holds<Made>(Made()) {} };
struct X2 : Int, Holds<Empty> { constexpr FN X2(int i) : Int(i), Holds<Empty>(Empty()) {} };
struct X3 : Int, Empty { constexpr FN X3(int i) : Int(i), Empty(Empty{}) {} };
struct X4 { int i; [[no_unique_address]] Empty e; constexpr FN X4(int i) : i(i), e(Empty{}) {} };
struct Tail { int i; char c; constexpr FN Tail() : i(1), c(2) {} };
struct Behind : Tail { char d; constexpr FN Behind() : d(5) {} };
FN constexpr int over_empty() { X3 z(1000); Empty &e = z; e = Empty{}; return z.i; }
FN constexpr int over_tail() { Behind b; Tail t; Tail &r = b; r = t; return b.d; }

BEGIN(constants_lost_what_lies_in_empty_classes)
    constexpr int a = X1(1000).i, b = X2(1000).i, c = X3(1000).i, d = X4(1000).i, e = over_empty(), f = over_tail();
    I(a); I(b); I(c); I(d); I(e); I(f); //= 1000 1000 1000 1000 1000 5
    static constexpr X3 z(77);
    I(z.i + V(0)); //= 77
END

enum class Accuracy { low, high };
template <class T, Accuracy A> struct Emulated {
    T v;
    FN Emulated(T v) : v(v) {}
    FN operator double() const noexcept;
    FN explicit operator float() const;
};
template <class T, Accuracy A> FN inline Emulated<T, A>::operator double() const noexcept { return v * 2; }
template <class T, Accuracy A> FN inline Emulated<T, A>::operator float() const { return v * 3; }

template <class T> struct Text { const T *s; int n; template <int N> FN constexpr Text(const T (&a)[N]) : s(a), n(N) {} };
template <class T> struct Same { using type = T; };
template <class C, class... A> FN int check(const C *, Text<typename Same<C>::type> f, A &&...) { return f.n; }
FN int check(...) { return -1; }

BEGIN(functions_that_had_no_body)
    Emulated<double, Accuracy::high> e(1.5);
    double d = e;
    I((int)d * 10 + (int)((float)e * 2)); //= 39
    I(check("ab", "cdef", 1)); //= 5
END

struct Copied { int data; Copied() = default; FN Copied(int v) : data(v) {} Copied(const Copied &) = default; Copied &operator=(const Copied &) = default; FN ~Copied() {} };

BEGIN(objects_copied_backwards_were_read_behind_the_next_step)
    Copied a[1000] = {0}, b[1000] = {0};
    for (int i = 0; i < 1000; i++) a[i] = i * 3;
    const Copied *f = a, *l = a + 1000;
    Copied *r = b + 1000;
    while (f != l) *--r = *--l;
    int wrong = 0;
    for (int i = 0; i < 1000; i++) wrong += b[i].data != i * 3;
    I(wrong + (r != b)); //= 0
END
