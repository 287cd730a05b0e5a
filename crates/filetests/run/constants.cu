// Constant evaluation in memory: references, pointers, objects that constructors and functions make; and what else was
// refused of libcu++ and CUTLASS: reference qualifiers, classes derived from half-precision types.

#include <cuda_fp16.h>

template <class T> FN constexpr const T &least(const T &a, const T &b) { return b < a ? b : a; }
template <int N, int M> struct Shape {
    static constexpr int both = least(N, M);
    static constexpr int more = least(N + 1, both);
    int data[both];
};
struct Sizes {
    static constexpr int a = 3, b = 9;
};
struct OfSizes {
    static constexpr int w = least(Sizes::a, Sizes::b);
    int data[w];
};
template <int N> struct Is {
    static constexpr int v = N;
};

FN constexpr void exchange(int &a, int &b) {
    int t = a;
    a = b;
    b = t;
}
FN constexpr int exchanged(int a, int b) {
    exchange(a, b);
    return a * 100 + b;
}
FN constexpr int sum(const int *p, int n) {
    int s = 0;
    for (const int *q = p; q != p + n; ++q) s += *q;
    return s;
}

BEGIN(constants_by_reference)
    I((Shape<64, 32>::both)); I((Shape<3, 8>::more)); I((sizeof(Shape<3, 8>))); I(sizeof(OfSizes)); //= 32 3 12 12
    const int n = 9;
    constexpr int m = least(n, 4);
    constexpr int given[] = {4, 5, 6};
    I(Is<m>::v); I(Is<exchanged(3, 4)>::v); I(Is<sum(given, 3)>::v); I(Is<sum(given + 1, 2)>::v); //= 4 403 15 11
    static_assert(least(2, 9) == 2, "");
END

struct Point {
    int x, y;
    FN constexpr Point(int a, int b) : x(a), y(b) {}
    FN constexpr int area() const { return x * y; }
    FN constexpr Point operator+(const Point &o) const { return Point(x + o.x, y + o.y); }
    FN constexpr Point &operator+=(int n) {
        x += n;
        return *this;
    }
};
struct Base {
    int b = 7;
};
struct Derived : Base {
    int d;
    FN constexpr Derived(int n) : d(n) { b += n; }
};
template <class T, int N> struct Array {
    T d[N];
    FN constexpr const T &operator[](int i) const { return d[i]; }
    FN constexpr T &operator[](int i) { return d[i]; }
};
template <int N> FN constexpr Array<int, N> primes() {
    Array<int, N> r{};
    int n = 0;
    for (int c = 2; n < N; c++) {
        bool prime = true;
        for (int d = 2; d * d <= c; d++)
            if (c % d == 0) {
                prime = false;
                break;
            }
        if (prime) r[n++] = c;
    }
    return r;
}
FN constexpr Point grown(int n) {
    Point p(1, 2);
    (p += n) += n;
    return p;
}
static constexpr Point outside = Point(2, 3) + Point(1, 1);

BEGIN(objects_in_constants)
    constexpr Point l(4, 5);
    constexpr auto p = primes<10>();
    constexpr auto triple = [](int a) { return a * 3; };
    constexpr Derived d(5);
    I(Is<l.area()>::v); I(Is<outside.area()>::v); I(Is<(Point(1, 2) + l).area()>::v); I(Is<grown(3).x>::v); //= 20 12 35 7
    I(Is<p[9]>::v); I(p[V(3)]); I(Is<triple(5)>::v); I(Is<d.b * 10 + d.d>::v); //= 29 7 15 125
    if constexpr (p[1] == 3) { I(1); } else { I(2); } //= 1
END

struct Qualified {
    int v;
    FN int get() & { return 1; }
    FN int get() const & { return 2; }
    FN int get() && { return 3; }
    FN int get() const && { return 4; }
    template <int N> FN int with() & { return 10 + N; }
    template <int N> FN int with() const & { return 20 + N; }
    template <int N> FN int with() && { return 30 + N; }
    FN int &ref() & { return v; }
    FN int ref() && { return -v; }
    FN int only() const & { return 5; }
};
struct Inherits : Qualified {};
struct Holds {
    Qualified q;
};
template <class T> FN T &&as_temporary(T &x) { return static_cast<T &&>(x); }
FN Qualified made(int n) {
    Qualified q;
    q.v = n;
    return q;
}

BEGIN(reference_qualifiers)
    Qualified q{8};
    const Qualified c{9};
    Inherits i;
    Holds h;
    I(q.get()); I(c.get()); I(Qualified{}.get()); I(static_cast<Qualified &&>(q).get()); I(as_temporary(c).get()); //= 1 2 3 3 4
    I(q.with<4>()); I(c.with<4>()); I(Qualified{}.with<4>()); I(as_temporary(q).with<5>()); //= 14 24 34 35
    q.ref() = 6;
    I(q.v); I(made(V(3)).ref()); I(made(1).only()); I((&q)->get()); I((V(1) ? q : q).get()); //= 6 -3 5 1 1
    I(i.get()); I(as_temporary(i).get()); I(Inherits().get()); I(h.q.get()); I(as_temporary(h).q.get()); //= 1 3 3 1 3
END

struct OwnHalf : public __half {
    FN OwnHalf(float f) : __half(f) {}
    FN float f() const { return float(*this); }
};
template <class T> struct Bits : T {
    using T::__x;
};
template <class T> FN unsigned short bits_of(T v) { return Bits<T>{v}.__x; }
template <class T> FN T of_bits(unsigned short b) {
    Bits<T> h{};
    h.__x = b;
    return h;
}

BEGIN(classes_derived_from_half)
    OwnHalf h(V(2.5f));
    __half g = h;
    I(h.f() * 2); I(__half2float(g * g) * 100); I(sizeof(OwnHalf)); I(bits_of(g)); I(__half2float(of_bits<__half>(0x4500))); //= 5 625 2 16640 5
END
