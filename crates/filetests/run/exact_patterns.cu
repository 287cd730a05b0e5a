// Which specialisation, overload or conversion is meant: what was once taken for something near.
//@ file std=20

#include <initializer_list>

// A specialisation stands for what it names and nothing near it: `S<T &>` stood for `S<int>`, `S<const T *>` for `S<int *>`.
template <class T> struct Kind { static constexpr int v = 0; };
template <class T> struct Kind<T &> { static constexpr int v = 1; };
template <class T> struct Kind<T &&> { static constexpr int v = 2; };
template <class T> struct Kind<const T *> { static constexpr int v = 3; };
template <class T> struct Depth { static constexpr int v = 0; };
template <class T> struct Depth<T *> { static constexpr int v = 1 + Depth<T>::v; };
struct R {};

BEGIN(specialisations_are_exact)
    I(Kind<int>::v); I(Kind<R>::v); I(Kind<int &>::v); I(Kind<int &&>::v); //= 0 0 1 2
    I(Kind<int *>::v); I(Kind<const int *>::v); I(Kind<const int *const>::v); I(Depth<int **>::v); I(Depth<int *const>::v); //= 0 3 0 2 0
END

// `C<T...>` where `C` is a parameter.
template <class T, class U> struct Two {};
template <class T, int N> struct Sized {};
template <class...> struct Many {};
template <class T> struct Parts { static constexpr int v = -1; };
template <template <class...> class C, class... T> struct Parts<C<T...>> { static constexpr int v = sizeof...(T); };
template <template <class, int> class C, class T, int N> struct Parts<C<T, N>> { static constexpr int v = 100 + N; };
template <template <class...> class C, class... T> __device__ int parts(C<T...>) { return sizeof...(T); }
template <template <class...> class... C> struct Counted { static constexpr int v = sizeof...(C); };

BEGIN(templates_that_are_parameters)
    I(Parts<Two<int, char>>::v); I(Parts<Many<int, char, int>>::v); I(Parts<Sized<int, 4>>::v); I(Parts<int>::v); //= 2 3 104 -1
    I(parts(Many<>())); I(parts(Two<int, int>())); I(Counted<Two, Many>::v); //= 0 2 2
END

// Functions are places, to which references are bound; their pointers are something else.
__device__ int twice(int x) { return 2 * x; }
template <class T> __device__ int shape(T &) { return 1; }
template <class T> __device__ int shape(T *const &) { return 2; }
template <class Q, class A> __device__ int through(Q (&f)(A), A a) { return f(a); }

BEGIN(functions_are_places)
    auto &f = twice; auto g = twice; int (&h)(int) = twice; int (&&x)(int) = twice; I(f(V(3)) + h(1)); I(g(V(4)) + x(1)); //= 8 10
    I(shape(twice)); I(shape(+g)); I(through(twice, V(5))); I(through(*g, V(6))); //= 1 2 10 12
END

// What `decltype(auto)` and `auto &&` return.
struct Holder {
    int n;
    __device__ decltype(auto) place() { return (n); }
    __device__ decltype(auto) value() { return n; }
    __device__ auto &&forwarded() { return n; }
};
struct Called { __device__ int f() & { return 1; } __device__ int f() const & { return 2; } __device__ int f() && { return 3; } __device__ int f() const && { return 4; } };

BEGIN(results_that_are_places)
    Holder h{V(1)}; h.place() = 7; I(h.n); h.forwarded() += 2; I(h.n); I(h.value()); //= 7 9 9
    Called c; decltype(static_cast<Called &&>(c)) r = static_cast<Called &&>(c); I(r.f()); I(static_cast<decltype(r)>(r).f()); I(((const Called)c).f()); //= 1 3 4
END

// Rvalue references before others, constraints only between the same parameters, conversions by the object first.
template <class T> concept Small = sizeof(T) <= 2;
struct A {};
__device__ int taken(const A &) { return 1; }
template <class T> __device__ int taken(T &&) { return 2; }
template <class T> __device__ int near(T &) { return 1; }
template <class T> __device__ int near(const T &) { return 2; }
struct Both { __device__ operator long() const { return 6; } __device__ operator char() { return 7; } };
struct Any { template <class T> __device__ operator T() const { return T(5); } template <class T> __device__ explicit operator T *() const { return nullptr; } };
struct Refers { A a; int n; __device__ operator int &() { return n; } };
__device__ void set(int &n) { n = 42; }
enum Wide { wide = 5000000000, less = 2 };
__device__ int promoted(long) { return 1; }
__device__ int promoted(unsigned long) { return 2; }

BEGIN(overloads)
    const A a{}; I(taken(static_cast<const A &&>(a))); I(near(a)); //= 2 2
    Both b; const Both k; I(1 + b); I(1 + k); int n = Any(); I(n); I((int *)Any() == nullptr); Refers r{}; set(r); I(r.n); I(promoted(+wide)); //= 8 7 5 1 42 1
END

// Lists as objects, and constructors that take them before others.
struct List {
    int sum;
    __device__ List(std::initializer_list<int> l) : sum(100) { for (int x : l) sum += x; }
    __device__ List(int a, int b) : sum(a * b) {}
};
template <class T> __device__ int length(std::initializer_list<T> l) { return l.size() * sizeof(T); }
template <class T, int N> __device__ int elements(const T (&a)[N]) { return N + a[N - 1]; }
struct Pair { int a; char b = 'b'; };

BEGIN(lists)
    List l{V(3), 4}; List p(3, 4); I(l.sum); I(p.sum); I(List{5}.sum); I(length({1, 2})); I(length({'a'})); I(elements({1, 2, 9})); //= 107 12 105 8 1 12
    Pair q(V(3)); Pair s(1, 'c'); I(q.a + q.b); I(s.b); //= 101 99
END

// Functions of all bases of a pack; packs of the class in a member template.
template <class... B> struct Over : B... { using B::operator()...; };
template <class... B> Over(B...) -> Over<B...>;
template <class... P> struct Products { template <class... Q> __device__ static int go(P... p, Q... q) { return (0 + ... + (p * q)); } };

BEGIN(packs_of_bases)
    auto o = Over{[](int x) { return x; }, [](double d) { return int(d * 10); }, [](const char *) { return 7; }};
    I(o(V(3))); I(o(2.5)); I(o("x")); I(Products<int, long>::go(1, 2, 3, 4.5)); //= 3 25 7 12
END

// A class that declares its copies, be it by default, and no moves, does not move its members.
struct Counted2 {
    int n;
    __device__ Counted2(int n) : n(n) {}
    __device__ Counted2(const Counted2 &c) : n(c.n + 1) {}
    __device__ Counted2 &operator=(Counted2 &&c) { n = c.n + 1000; return *this; }
    __device__ Counted2 &operator=(const Counted2 &c) { n = c.n + 100; return *this; }
};
struct Copies { Counted2 c; __device__ Copies(int n) : c(n) {} Copies(const Copies &) = default; Copies &operator=(const Copies &) = default; };
struct Moves { Counted2 c; __device__ Moves(int n) : c(n) {} };

BEGIN(members_moved_where_the_class_moves)
    Copies a(1); a = Copies(V(5)); Moves b(1); b = Moves(V(5)); I(a.c.n); I(b.c.n); //= 105 1005
END
