//@ file std=20
// Members and bases whose constructor without arguments comes from a template kept what was in memory before: of such a class, only
// variables and temporaries were made by it. `pair` and `tuple` of libcu++ are such classes.

struct MtOne { int x; template <class U = int, class = decltype(U())> __device__ constexpr MtOne() : x(5) {} };
struct MtAsked { MtOne a; MtAsked() = default; };
struct MtPlain { MtOne a; };
struct MtDerived : MtOne { int y; };
struct MtArray { MtOne a[3]; };
struct MtWritten { MtOne a; __device__ MtWritten() {} };
struct MtInherits : MtOne { using MtOne::MtOne; int y = 8; };
template <class T> struct MtPacked { T x; template <class... A> __device__ MtPacked(A... a) : x(T(sizeof...(A) + 3)) {} };
struct MtOfPack { int n; MtPacked<int> p; };
template <class A, class B> struct MtPair {
    A first;
    B second;
    template <class C = A, bool = (sizeof(C) > 0)> __device__ constexpr MtPair() : first(), second() {}
    __device__ constexpr MtPair(A a, B b) : first(a), second(b) {}
};
struct MtPairs { MtPair<int, float> p[2]; int n; };
struct MtAnonymous { union { MtOne a; int b; }; __device__ MtAnonymous() : a() {} };

BEGIN(members_were_not_made_by_constructor_templates)
    MtAsked a; MtPlain b; MtDerived c; MtArray d; MtWritten e; MtInherits f; MtOfPack g; MtAnonymous h;
    I(a.a.x); I(b.a.x); I(c.x); I(d.a[2].x); I(e.a.x); //= 5 5 5 5 5
    I(f.x); I(f.y); I(g.p.x); I(h.a.x); //= 5 8 3 5
    MtPlain z{}; MtPlain v[2];
    I(z.a.x); I(v[V(1)].a.x); //= 5 5
    MtPairs p;
    I(p.p[V(1)].first); F(p.p[1].second); //= 0 0
    auto made = [x = MtPlain()] { return x.a.x; };
    I(made()); //= 5
END

// Of several destructors and functions that copy, those are there whose `requires` holds; the last one declared was taken.
template <class T> inline constexpr bool mt_plain = __is_trivially_copyable(T);
struct MtNoisy {
    int v;
    MtNoisy() = default;
    __device__ MtNoisy(const MtNoisy &o) : v(o.v + 1) {}
    __device__ MtNoisy &operator=(const MtNoisy &o) { v = o.v + 2; return *this; }
    __device__ ~MtNoisy() {}
};
template <class T> struct MtBox {
    T t;
    int *ends;
    __device__ MtBox(int *e) : ends(e) {}
    MtBox(const MtBox &) requires mt_plain<T> = default;
    __device__ constexpr MtBox(const MtBox &o) requires (!mt_plain<T>) : t(o.t), ends(o.ends) {}
    MtBox &operator=(const MtBox &) requires mt_plain<T> = default;
    __device__ constexpr MtBox &operator=(const MtBox &o) requires (!mt_plain<T>) { t = o.t; return *this; }
    __device__ constexpr ~MtBox() requires (!mt_plain<T>) { *ends += 1; }
    ~MtBox() requires mt_plain<T> = default;
};
static_assert(__is_trivially_destructible(MtBox<int>) && !__is_trivially_destructible(MtBox<MtNoisy>));
template <class T> struct MtEnds {
    int *ends;
    __device__ MtEnds(int *e) : ends(e) {}
    __device__ ~MtEnds() requires (sizeof(T) > 4) { *ends += 10; }
    __device__ ~MtEnds() requires (sizeof(T) <= 4) { *ends += 1; }
};

BEGIN(destructors_whose_constraints_do_not_hold_were_run)
    int ends = V(0);
    {
        MtBox<MtNoisy> a(&ends);
        a.t.v = V(4);
        MtBox<MtNoisy> b = a, c(&ends);
        c = a;
        I(b.t.v); I(c.t.v); //= 5 6
        MtBox<int> d(&ends);
        d.t = 3;
        MtBox<int> e = d;
        I(e.t); //= 3
    }
    I(ends); //= 3
    { MtEnds<int> a(&ends); MtEnds<long long> b(&ends); }
    I(ends); //= 14
END

// `->*` and `.*` take what their operands' classes convert to.
struct MtHas { int m, n; __device__ int f(int k) const { return m + k; } };
struct MtPointer { MtHas *s; __device__ constexpr operator MtHas *() const { return s; } };
struct MtMember { __device__ constexpr operator int MtHas::*() const { return &MtHas::n; } };
template <class T, class U> concept mt_same = __is_same(T, U);

BEGIN(operands_of_member_pointer_operators_were_not_converted)
    MtHas s{V(3), 4};
    MtPointer p{&s};
    p->*MtMember{} = 7;
    I(s.n); I(s.*MtMember{}); I(p->*&MtHas::m); //= 7 7 3
    int MtHas::*which = &MtHas::n;
    I(which == MtMember{}); //= 1
    mt_same<int> decltype(auto) q = s.m + 1;
    mt_same<int &> decltype(auto) r = (q);
    r += 5;
    I(q); //= 9
END
