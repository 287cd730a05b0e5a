// What traits say of classes, which follows from their special member functions, and which classes lists may fill.

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
