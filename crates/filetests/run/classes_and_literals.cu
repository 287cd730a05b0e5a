// What traits say of classes, which follows from their special member functions, which classes lists may fill, and literals.

struct TcPlain { int x; float y; };
struct TcCopied { int x; __device__ TcCopied(const TcCopied &o) : x(o.x) {} };
struct TcMoved { TcMoved() = default; TcMoved(TcMoved &&) = default; int x; };
struct TcFixed { const int x; };
struct TcBound { int &r; };
struct TcEnded { int x; __device__ ~TcEnded() {} };
struct TcMade { int x; __device__ TcMade() : x(1) {} };
struct TcHolds { TcCopied c; };
struct TcHoldsMoved { TcMoved m; };
struct TcKept { ~TcKept() = delete; };
struct TcMixed { int a; private: int b; };
struct TcDerived : TcPlain { int z; };
struct TcDefaulted { TcDefaulted() = default; TcDefaulted(const TcDefaulted &) = default; float x, y; };

BEGIN(copies_that_a_class_makes_or_not)
    I(__is_trivially_copyable(TcPlain)); I(__is_trivially_copyable(TcCopied)); I(__is_trivially_copyable(TcMade)); I(__is_trivially_copyable(TcHolds)); //= 1 0 1 0
    I(__is_trivially_destructible(TcCopied)); I(__is_trivially_destructible(TcEnded)); I(__is_destructible(TcKept)); //= 1 0 0
    I(__is_trivial(TcMade)); I(__is_trivial(TcPlain)); I(__is_trivially_constructible(TcMade)); //= 0 1 0
    I(__is_constructible(TcMoved, const TcMoved &)); I(__is_constructible(TcMoved, TcMoved)); I(__is_constructible(TcHoldsMoved, const TcHoldsMoved &)); //= 0 1 0
    I(__is_assignable(TcMoved &, TcMoved)); I(__is_assignable(TcFixed &, TcFixed)); I(__is_assignable(TcBound &, const TcBound &)); //= 0 0 0
    I(__is_constructible(TcFixed)); I(__is_constructible(TcBound)); I(__is_constructible(TcCopied)); //= 0 0 0
    I(__is_standard_layout(TcMixed)); I(__is_standard_layout(TcDerived)); I(__is_pod(TcPlain)); I(__is_aggregate(TcDerived)); //= 0 0 1 1
END

BEGIN(classes_with_defaulted_constructors_were_no_aggregates)
    TcDefaulted a{V(1), 2}, b = {3}, c[2] = {{4, 5}, {6}};
    struct D : TcDefaulted { int z; } d{{7, 8}, 9};
    I(a.x + a.y); I(b.x + b.y); I(c[0].y + c[1].x + c[1].y); I(d.y + d.z); I(__is_aggregate(TcDefaulted)); //= 3 3 11 17 1
END

__device__ int tc_len(char *s) { int n = 0; while (s[n]) n++; return n; }
__device__ int tc_which(char *) { return 1; }
__device__ int tc_which(const char *) { return 2; }
__device__ int tc_other(char *) { return 3; }
__device__ int tc_other(const void *) { return 4; }
__device__ int tc_other(bool) { return 5; }
__device__ char *tc_names[2] = {"ab", "cde"};

BEGIN(string_literals_were_no_char_pointers)
    char *p = "hello", *q = ("zz");
    p = V(1) ? p : q;
    I(tc_len("abc") + tc_len(p)); I(tc_which("x")); I(tc_other("x")); I(tc_len(tc_names[V(1)])); //= 8 2 3 3
END

struct TcTraced { int v; __device__ TcTraced(int a) : v(a) {} __device__ TcTraced(const TcTraced &o) : v(o.v + 100) {} __device__ TcTraced(TcTraced &&o) : v(o.v + 1000) { o.v = -1; } };
struct TcKeeps { TcTraced t; __device__ TcKeeps(int a) : t(a) {} TcKeeps(const TcKeeps &) = default; };
struct TcGives { TcTraced t; __device__ TcGives(int a) : t(a) {} };
struct TcEnds { TcTraced t; __device__ TcEnds(int a) : t(a) {} ~TcEnds() = default; };

BEGIN(classes_with_a_defaulted_copy_were_moved)
    TcKeeps a(V(1)), b(static_cast<TcKeeps &&>(a));
    TcGives c(V(1)), d(static_cast<TcGives &&>(c));
    TcEnds e(V(1)), f(static_cast<TcEnds &&>(e));
    I(b.t.v); I(a.t.v); I(d.t.v); I(c.t.v); I(f.t.v); I(e.t.v); //= 101 1 1001 -1 101 1
END

struct TcOpen { int n; int more[]; };
__device__ TcOpen tc_open = {3, {5, 6, 7}};

BEGIN(elements_of_flexible_arrays_lay_outside_their_variable)
    I(tc_open.n + tc_open.more[V(2)]); I(sizeof(TcOpen)); I(__builtin_constant_p("hi")); //= 10 4 1
END
