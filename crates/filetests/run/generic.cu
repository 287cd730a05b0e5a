// Generic lambdas, functions with `auto` parameters, deduced arguments of class templates.

#include <type_traits>
#include <utility>

struct Box {
    int k;
    __device__ int sum(int n) {
        int s = 0;
        auto add = [&](auto i) { s += k + (int)i; };
        add(n);
        add(2.5f);
        return s;
    }
    __device__ int held() const {
        auto get = [=](auto i) { return this->k * i; };
        return get(3);
    }
};
template <class F, std::size_t... I> __device__ void each(F &&f, std::index_sequence<I...>) {
    (f(std::integral_constant<int, I>{}), ...);
}
template <class T, class F> __device__ T apply(F f, T a) { return f(a); }

BEGIN(generic_lambdas)
    int n = V(10);
    const int c = 7;
    int a[4] = {1, 2, 3, V(4)};
    auto add = [=](auto x, auto y) { return x + y + n + c; };
    I(add(1, 2)); F(add(1.5f, 2)); //= 20 20.5
    I(sizeof(add(1.0, 2))); //= 8
    auto gather = [&](const auto &x, auto &&...r) {
        n += x;
        return (int)(r + ... + 0);
    };
    I(gather(3, 4, 5u, 6L)); I(n); //= 15 13
    I(Box{V(5)}.sum(3)); I(Box{V(5)}.held()); //= 15 15
    each([&](auto i) { constexpr int m = decltype(i)::value; a[m] += m * 10; }, std::make_index_sequence<4>{});
    I(a[0]); I(a[1]); I(a[2]); I(a[3]); //= 1 12 23 34
    auto total = [=, s = V(1)](auto x) mutable { s += x; return s; };
    I(total(2)); I(total(3.5f)); //= 3 6
    auto curry = [=](auto x) { return [=](auto y) { return x * 10 + y + n; }; };
    I(curry(3)(4)); //= 47
    I(apply<int>([&](auto v) { int t = 0; for (auto e : a) t += e * v; return t; }, 2)); //= 140
    auto size = []<class T>(T) { return sizeof(T); };
    I(size('a')); I(size(1.0)); //= 1 8
    auto swap = [](auto &x, auto &y) { auto t = x; x = y; y = t; };
    swap(a[0], a[1]);
    I(a[0]); I(a[1]); //= 12 1
    auto kind = [](auto x) { if constexpr (std::is_floating_point_v<decltype(x)>) return x * 2; else return x / 2; };
    I(kind(V(9))); F(kind(V(9.0f))); //= 4 18.0
END

__device__ int twice(auto x) { return (int)(x * 2); }
template <class T> __device__ T plus(T a, auto b) { return a + b; }
__device__ auto count(auto... x) { return sizeof...(x); }
__device__ void raise(auto &x) { x += 1; }
struct Adder {
    int b;
    __device__ int add(auto... x) const { return (x + ... + b); }
};

BEGIN(auto_parameters)
    int n = V(4);
    I(twice(n)); I(twice(2.5f)); //= 8 5
    I(plus(3, V(4.6f))); //= 7
    I(count(1, 2.0, 'c')); I(count()); //= 3 0
    raise(n);
    I(n); //= 5
    I(Adder{1}.add(1, n, 3)); //= 10
END

template <class T> struct Held {
    T v;
    __device__ Held(T x) : v(x) {}
    __device__ Held(T x, int n) : v(x * n) {}
};
template <class T, int N> struct Array {
    T v[N];
    __device__ T *begin() { return v; }
    __device__ T *end() { return v + N; }
    __device__ constexpr int size() const { return N; }
};
template <class T, class... U> Array(T, U...) -> Array<T, 1 + sizeof...(U)>;
template <class A, class B> struct Both {
    A a;
    B b;
    template <class C> __device__ Both(A x, B y, C z) : a(x + z), b(y) {}
    __device__ Both(const A &x, const B &y) : a(x), b(y) {}
};
template <class F> struct Guard {
    F f;
    __device__ Guard(F g) : f(g) {}
    __device__ ~Guard() { f(); }
};
template <class T> struct Text {
    T n;
    __device__ Text(const char *s) : n(s[0]) {}
};
Text(const char *) -> Text<short>;
template <class T> __device__ int through(T x) {
    Held h(x);
    return (int)sizeof(h) + (int)h.v;
}

BEGIN(deduced_class_arguments)
    Held a(V(1.5f));
    Held b{V(1)};
    const Held c = V(2.5);
    Held d = a;
    F(a.v); I(b.v); F((float)c.v); F(d.v); //= 1.5 1 2.5 1.5
    I(sizeof(a)); I(sizeof(c)); //= 4 8
    auto e = Held((char)V(7));
    auto f = Held{V(2), 3};
    I(sizeof(e)); I(f.v); //= 1 6
    Array g{V(1), 2, 3};
    int s = 0;
    for (int x : g) s += x;
    I(s); I(g.size()); //= 6 3
    Both h(V(1), 2.0);
    Both i(V(1), 2.f, 3);
    I(sizeof(h)); I(sizeof(i)); I(i.a); //= 16 8 4
    int n = V(1);
    {
        Guard later([&] { n *= 10; });
        n += 1;
    }
    I(n); //= 20
    Text t("A");
    I(sizeof(t)); I(t.n); //= 2 65
    I(through(V(3))); I(through(V(3.0))); //= 7 11
END

struct Point {
    int x, y;
    __device__ Point(int a) : x(a), y(-1) {}
    __device__ Point(int a, int b) : x(a), y(b) {}
    __device__ explicit Point(const float &f) : x((int)f * 2), y(0) {}
};
struct Named : Point {
    using Point::Point;
    int z = 7;
    __device__ Named(int a, int b) : Point(b, a) {}
    __device__ int sum() const { return x * 100 + y * 10 + z; }
};
template <class T> struct Outer : Point {
    using Base = Point;
    using Base::Base;
    T t{};
};
struct Defaulted {
    int v = 5;
    __device__ Defaulted() {}
    __device__ Defaulted(int w) : v(w) {}
};
struct Below : Defaulted {
    using Defaulted::Defaulted;
};
struct Further : Named {
    using Named::Named;
};
__device__ int taken(Named n) { return n.sum(); }

BEGIN(inherited_constructors)
    Named a(V(3));
    Named b{V(3), 4};
    Named c(V(2.5f));
    I(a.sum()); I(b.sum()); I(c.sum()); //= 297 437 407
    I(taken(V(1))); //= 97
    Outer<double> d(V(1), 2);
    I(d.x); I(d.y); I((int)d.t); //= 1 2 0
    Below e;
    Below f(V(9));
    I(e.v); I(f.v); //= 5 9
    Further g(V(3)), h(V(1), 2);
    I(g.sum()); I(h.sum()); //= 297 217
END

constexpr __device__ unsigned long long operator""_kb(unsigned long long v) { return v * 1024; }
namespace units {
constexpr __device__ double operator"" _deg(long double v) { return v / 180; }
}

BEGIN(user_literals)
    using namespace units;
    I(4_kb); //= 4096
    constexpr int n = 1_kb / 256;
    I(n); F((float)90.0_deg); //= 4 0.5
END

// Functions of neither side that are declared for `decltype` to ask which one would be called.
struct with_f { int f; };
struct without_f {};
template <class T> struct has_f {
    template <class U> static std::true_type test(decltype(&U::f));
    template <class U> static std::false_type test(...);
    static constexpr bool v = decltype(test<T>(nullptr))::value;
};
template <class T> struct names_f {
    template <class U> static auto test(int) -> decltype(U::f, std::true_type{});
    template <class> static auto test(...) -> std::false_type;
    static constexpr bool v = decltype(test<T>(0))::value;
};
template <class T> struct small_f {
    typedef char yes;
    typedef long no;
    template <class U> static yes test(decltype(&U::f));
    template <class U> static no test(...);
    enum { v = sizeof(test<T>(0)) == 1 };
};
BEGIN(functions_that_are_only_declared)
    I(has_f<with_f>::v * 10 + has_f<without_f>::v); I(names_f<with_f>::v * 10 + names_f<without_f>::v); //= 10 10
    I(small_f<with_f>::v * 10 + small_f<without_f>::v); //= 10
END
