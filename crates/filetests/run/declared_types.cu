// What a class template's name stands for without arguments, and the types that members were declared with.
//@ file std=20

// `W w(2.5)` was `W<int>`: defaults for all parameters went before what the initialiser says.
template <class T = int> struct W {
    T v;
    __device__ W(T x) : v(x) {}
    __device__ W() : v(3) {}
    __device__ W twice() const { W r(v); r.v *= 2; return r; }
};
template <class T = short, int N = 4> struct Agg { T v[N]; };
template <class T = long> struct One { T v = 4; };

BEGIN(initialisers_go_before_defaults)
    W w(2.5); W e; W<> f(7); W g{w}; W z{(char)1};
    I(w.v * 2); I(sizeof(w)); I(e.v); I(sizeof(e)); I(f.v); I(sizeof(g)); I(sizeof(z)); //= 5 8 3 4 7 8 1
    I(w.twice().v); I(W(1.5f).v * 2); I(sizeof(W(1.5f))); //= 5 3 4
    Agg a; One p; One q{}; a.v[0] = 5;
    I(sizeof(a)); I(a.v[0]); I(sizeof(p)); I(q.v); //= 8 5 8 4
END

// `decltype(auto)` of a member that is a reference copied it; `decltype` of a member had the qualifiers of the object.
template <class A, class B> struct same { static constexpr int v = 0; };
template <class A> struct same<A, A> { static constexpr int v = 1; };
struct R {
    int &r;
    const short c;
    int m;
    __device__ R(int &x) : r(x), c(2), m(3) {}
    __device__ decltype(auto) ref() { return r; }
    __device__ int member() const { return same<decltype(m), int>::v + 2 * same<decltype((m)), const int &>::v; }
};

BEGIN(members_have_the_types_they_were_declared_with)
    int n = 5; R r(n); r.ref()++; const R &cr = r;
    I(n); I(r.member()); //= 6 3
    I(same<decltype(cr.c), const short>::v); I(same<decltype(cr.r), int &>::v); I(same<decltype(cr.m), int>::v); //= 1 1 1
    auto l = [&n, r] { return same<decltype(n), int>::v + 2 * same<decltype(r.r), int &>::v; };
    I(l()); //= 3
END

// What a result's type behind `->` says of parameters: those that are references to `const` objects, and packs.
struct Both { int x[2]; FN constexpr int *begin() { return x; } FN constexpr const int *begin() const { return x; } };
template <class T> struct IsConstPointer { static constexpr bool v = false; };
template <class T> struct IsConstPointer<const T *> { static constexpr bool v = true; };
template <class C> FN constexpr auto begin_of(C &c) -> decltype(c.begin()) { return c.begin(); }
FN int of_parts(int a, float b) { return a * 10 + (int)b; }
FN float of_parts(float a) { return a + 1; }
FN long of_parts() { return 7; }
template <class... A> FN auto parts(A... a) -> decltype(of_parts(a...)) { return of_parts(a...); }
template <class... A> FN auto all_parts(A &&...a) -> decltype((0 + ... + a)) { return (0 + ... + a); }
template <class F, class... A> FN auto done(F f, A... a) noexcept(noexcept(f(a...))) -> decltype(f(a...)) { return f(a...); }

BEGIN(parameters_in_types_of_results)
    Both b{{V(3), 4}}; const Both c{{V(5), 6}}; I(*begin_of(b)); I(*begin_of(c)); //= 3 5
    I(IsConstPointer<decltype(begin_of(b))>::v); I(IsConstPointer<decltype(begin_of(c))>::v); I(*begin_of<const Both>(b)); //= 0 1 3
    I(parts(V(1), 2.0f)); F(parts(V(2.5f))); I(parts()); I(sizeof(parts())); I(all_parts(V(1), 2L)); I(all_parts()); //= 12 3.5 7 8 3 0
    I(done([](int x, int y) { return x - y; }, V(9), 4)); I(done([] { return 1; })); //= 5 1
END

// Names in parentheses behind `typename`, and members of parameters that nothing of that name was declared before.
template <class T> struct NpWhole { using Made = T::NpPart; static const int size = sizeof(Made); };
template <class T> struct NpArgs { using Whole = NpWhole<T>; const typename Whole::Made &g; FN NpArgs(const typename Whole::Made &g) : g(g) {} };
struct NpOf { struct NpPart { int x; }; };
struct NpRoom { int *p; template <class T, int N> FN T (&get())[N] { return *(T (*)[N])p; } };
struct NpTiles { struct Tile { int x[2]; }; using Number = int; static const int n = 2; };
template <class G, class C> FN int np_tiles(int *p) {
    NpRoom room{p};
    typename G::Tile (&a)[C::n] = room.template get<typename G::Tile, C::n>();
    typename G::Tile (*q) = &a[0], (*r)[C::n] = &a;
    typename G::Tile (own);
    own.x[0] = 100;
    decltype(own) (&same_one) = own;
    same_one.x[0] += 1000;
    return a[1].x[1] + 10 * q->x[0] + own.x[0] + 100000 * (*r)[1].x[0];
}
template <class G> FN int np_casts(int v) { typename G::Number(v) + 1; typename G::Number (*p) = &v; return *p + typename G::Number(2.5f); }
template <class R> FN int np_size() { static_assert(sizeof(R::Tile) == 8 && alignof(typename R::Tile) == 4, ""); return sizeof(R::Tile); }

BEGIN(declarations_behind_typename_were_casts)
    { NpOf::NpPart part{V(5)}; NpArgs<NpOf> a(part); I(a.g.x); I(NpWhole<NpOf>::size); } //= 5 4
    { int x[4] = {1, 2, 3, V(4)}; I((np_tiles<NpTiles, NpTiles>(x))); I(np_casts<NpTiles>(V(7))); I(np_size<NpTiles>()); } //= 301114 9 8
END
