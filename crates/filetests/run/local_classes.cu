// Classes in blocks: what they may name of the function around them, and that those of one name are different classes.

template <class T> __device__ int lc_call(T t) { return t.f(); }

BEGIN(local_classes_of_one_name)
    { struct L { __device__ int f() { return 1; } __device__ static int s() { return 3; } }; I(L().f() + lc_call(L())); I(L::s()); } //= 2 3
    { struct L { __device__ int f() { return 10; } __device__ static int s() { return 30; } }; I(L().f() + lc_call(L())); I(L::s()); } //= 20 30
    for (int i = 0; i < 2; ++i) { struct L { int n; __device__ int f() { return n * 7; } }; I(L{i + V(1)}.f()); } //= 7 14
END

__device__ int lc_over(int v) { struct L { __device__ int f() { return 4; } }; return v * lc_call(L()) + L().f(); }
__device__ int lc_over(float v) { struct L { __device__ int f() { return 5; } }; return (int)v * lc_call(L()) + L().f(); }

BEGIN(local_classes_of_overloads)
    I(lc_over(V(10))); I(lc_over(10.0f)); //= 44 55
END

template <class U> __device__ int lc_made(U u) {
    typedef U T;
    const int k = sizeof(U);
    enum { more = k + 1 };
    struct Op { T v; __device__ T operator()(T a) const { return a + v + k + more; } };
    struct In { Op op; T w; __device__ In(T x) : op{x}, w(x) {} __device__ T get() const { return op(w); } };
    return (int)Op{u}(2) * 100 + (int)In(u).get();
}

BEGIN(local_classes_name_what_is_around_them)
    enum { q = 4 };
    struct A { int x; };
    constexpr int c = 7;
    static const int s = 8;
    typedef short T;
    struct B { A a; __device__ int m() { A z{3}; T t = 5; return z.x + q + c + s + t + a.x + (int)sizeof(A); } };
    I(B{{V(1)}}.m()); I(lc_made(V(1))); I(lc_made(2.5)); //= 32 1211 2122
    auto l = [=](int x) { const int w = 6; struct P { __device__ int m(int y) { return y * w + c; } }; return P().m(x); };
    I(l(V(2))); //= 19
    struct Outer { __device__ int m(int a) const { struct Inner { __device__ int b(int x) { return x + q; } }; return Inner().b(a); } };
    I(Outer().m(V(4))); //= 8
END

struct LcBase { int base = 50; };

BEGIN(local_classes_hide_what_is_around_them)
    typedef float T;
    struct S { typedef int T; __device__ int m(float v) { T x = v; return x; } };
    I(S().m(V(3.75f))); //= 3
    struct D : LcBase { T own; __device__ D(T o) : own(o) {} __device__ int sum() const { return base + (int)(own * 4); } };
    I(D(V(1.5f)).sum()); //= 56
    struct Later;
    struct Holds { Later *p; __device__ int get(); };
    struct Later { int v; __device__ Later(int a) : v(a) {} __device__ ~Later() {} __device__ Later operator+(const Later &o) const { return Later(v + o.v); } __device__ operator int() const { return v; } };
    Later a(V(1)), b(2);
    I(a + b); //= 3
END

__device__ float lc_float = 7.0f;
__device__ int lc_int = 9;
__device__ float lc_list[2];

BEGIN(variables_around_hide_those_outside)
    constexpr float lc_float = 2.0f;
    const int lc_int = 3;
    auto l = []() { return lc_float * lc_int; };
    struct L { __device__ float f() { return lc_float + lc_int; } };
    F(l()); F(L().f()); //= 6.0 5.0
    double wide = V(2.0), lc_list[5];
    struct S { __device__ int f() { return sizeof(lc_list) + sizeof(decltype(wide)); } };
    auto sizes = [] { return sizeof(lc_list) + sizeof(wide); };
    I(S().f()); I(sizes()); //= 48 48
END
