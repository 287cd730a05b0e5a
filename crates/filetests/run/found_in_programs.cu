// What public programs were once refused for, or understood otherwise: CUTLASS, CCCL, BGHT, GLM, gunrock.
//@ file std=20

#include <initializer_list>
#include <type_traits>

// A variable template's `auto` is deduced for each instance; each is a variable of its own.
template <class T, T v> struct Ic { static constexpr T value = v; };
template <bool B> inline constexpr auto truth = Ic<bool, B>{};
template <int N> inline constexpr auto sized = Ic<decltype(N + 0L), N>{};
template <class T> __device__ int as_int(T) { return T::value ? 2 : 3; }

BEGIN(each_instance_of_a_variable_template_has_its_type)
    I(as_int(truth<true>)); I(as_int(truth<false>)); I(sized<7>.value); I(sized<9>.value); //= 2 3 7 9
END

// Of the bases that fit a pattern the one that agrees with what was given; through pointers, too.
template <class A> struct Tc {};
template <class L, class V> struct Case : Tc<L> {};
template <class V> struct Other {};
template <class... C> struct Switch : C... {};
template <class L, class V> __device__ V chosen(Case<L, V> *, int);
template <class L, class V> __device__ V chosen(Other<V> *, long);
template <int N> struct Num {};
template <class T> struct Of { static constexpr int n = sizeof(T); };
using Table = Switch<Case<Num<1>, Of<char>>, Case<Num<2>, Of<short>>, Case<Num<4>, Of<int>>, Other<Of<long>>>;
template <int N> using pick = decltype(chosen<Num<N>>(static_cast<Table *>(nullptr), 0));
template <class V> __device__ int one_base(Other<V> *) { return V::n; }
template <class L, class V> __device__ int one_of(Case<L, V> *) { return V::n; }
__device__ int one_of(...) { return -1; }

BEGIN(pointers_to_bases_are_deduced)
    Table *t = nullptr; I(pick<1>::n); I(pick<2>::n); I(pick<4>::n); I(pick<8>::n); //= 1 2 4 8
    I(one_base(t)); I(one_of(t)); I(one_of((Case<int, Of<int>> *)nullptr)); //= 8 -1 4
END

// A class template's specialisation, and its definition, may come after an instance was named.
enum Scope { wide, narrow };
struct Done {};
template <Scope S, class F = Done> class Barrier;
namespace dev { __device__ int handle(Barrier<narrow> &); __device__ int handle(Barrier<wide> &); }
template <Scope S, class F> class Barrier { public: int q = 5; };
template <> class Barrier<narrow, Done> {
    int inner;
    __device__ friend int dev::handle(Barrier<narrow> &);

public:
    __device__ Barrier(int x) : inner(x) { static_assert(!__builtin_offsetof(Barrier<narrow>, inner), ""); }
    __device__ int own() const { return dev::handle(const_cast<Barrier &>(*this)); }
};
namespace dev {
__device__ int handle(Barrier<narrow> &b) { return b.inner; }
__device__ int handle(Barrier<wide> &b) { return b.q; }
}
template <class T> struct Twice;
template <> struct Twice<int>;
template <> struct Twice<int> { int v = 6; };

BEGIN(specialisations_after_a_mention)
    Barrier<narrow> b(3); Barrier<wide> w; I(dev::handle(b)); I(b.own()); I(dev::handle(w)); I(Twice<int>().v); //= 3 3 5 6
END

// What a class declares is known in the parameters of what is defined outside of it, whatever other things are called so.
struct value_type_names { int value_type; };
namespace tables {
int key_type = 3;
template <class K, class T> struct Map {
    using value_type = K; using key_type = T;
    __device__ int insert(value_type const &pair);
    __device__ key_type find(key_type const &pair) const;
};
}
template <class K, class T> __device__ int tables::Map<K, T>::insert(value_type const &pair) {
    value_type copy{pair}; value_type const more = copy; return more > 3;
}
template <class K, class T>
__device__ typename tables::Map<K, T>::key_type tables::Map<K, T>::find(key_type const &pair) const { return pair * 2; }

BEGIN(members_named_outside_their_class)
    tables::Map<int, short> m; I(m.insert(7)); I(m.insert(2)); I(m.find(9)); //= 1 0 18
END

// The bodies of an inner class's members wait for the class around it, and know the inner one's members.
struct scale { int v; };
template <class T> struct Layout { T v; };
template <class T> struct Kernel {
    struct Params {
        T scale; T count;
        __device__ void update(T s) { scale = s; count = scale + 1; }
    };
    template <class E> struct Storage {
        E e;
        __device__ static E Layout() { return E(4); }
        __device__ E ref() { return E{Layout()}; }
    };
};

BEGIN(members_of_inner_classes)
    Kernel<int>::Params p{}; p.update(5); I(p.scale); I(p.count); I(Kernel<int>::Storage<short>{1}.ref()); //= 5 6 4
END

// Arrays of instances that nothing has completed; `T({…})`; function templates do not count before `::`.
template <class T> struct bits { static constexpr int value = sizeof(T) * 8; };
template <class T, int N, bool R = bits<T>::value >= 32> struct Array;
template <class T, int N> struct Array<T, N, true> { T s[N]; };
template <class T, int N> struct Array<T, N, false> { unsigned s[N]; };
template <class A> struct Frag { using F = typename A::T; };
struct WarpA { using T = Array<float, 16>; };
template <class A> struct Pipe {
    struct State { typename Frag<A>::F x[2]; typename Frag<A>::F y; int z; };
    __device__ int size() { State s; s.z = sizeof s; return s.z; }
};
struct Par { int a; float s; };
struct Lse { Par p; __device__ explicit Lse(Par const &q, int g) : p(q) { p.a += g; } __device__ explicit Lse(Par const &q) : p(q) { p.a += 3; } };
struct Empty { int v; __device__ Empty() : v(8) {} };
__device__ int add(Lse m, int k) { return m.p.a + k; }
namespace gemm { struct Shape { static constexpr int k = 4; }; }
namespace thread { template <class T> __device__ int gemm(T t) { return t; } struct Mma { using S = gemm::Shape; }; }

BEGIN(arrays_lists_and_names_before_colons)
    I(Pipe<WarpA>().size()); I(add(Lse({}), 2)); I(Lse({5}).p.a); Lse n({4, 2}); I(n.p.a); //= 196 5 8 7
    Par q({6, 1}); I(q.a); Empty e({}); I(e.v); I(Empty({}).v); I(thread::Mma::S::k); I(thread::gemm(3)); //= 6 8 8 4 3
END

// Members of classes inside of class templates, defined outside.
template <class T, int N> struct Mat {
    struct Nest { T q; __device__ int f(); template <class W> __device__ int g(W w); };
    template <class U> struct In {
        U u;
        __device__ int f(); template <class W> __device__ int g(W w); __device__ In(U u); __device__ ~In();
    };
};
template <class T, int N> __device__ int Mat<T, N>::Nest::f() { return sizeof(T) + N; }
template <class T, int N> template <class W> __device__ int Mat<T, N>::Nest::g(W w) { return sizeof(T) + N + sizeof(w) * 10 + f(); }
template <class T, int N> template <class U> __device__ int Mat<T, N>::In<U>::f() { return sizeof(T) * 100 + N * 10 + sizeof(U); }
template <class T, int N> template <class U> __device__ Mat<T, N>::In<U>::In(U u) : u(u + 1) {}
template <class T, int N> template <class U> __device__ Mat<T, N>::In<U>::~In() { u = 0; }
template <class T, int N> template <class U> template <class W> __device__ int Mat<T, N>::In<U>::g(W w) { return f() * 10 + sizeof(w) + u; }

BEGIN(members_of_nested_classes_defined_outside)
    Mat<int, 3>::Nest n; I(n.f()); I(n.g('a')); Mat<short, 2>::In<char> i('b'); I(i.f()); I(i.g(2.5)); //= 7 24 221 2317
END

// Private members are none in what is substituted or required.
template <class T> concept HasX = requires(T t) { t.x; };
template <class T> concept HasT = requires { typename T::type; };
template <class T, class = void> struct hx { static constexpr int v = 0; };
template <class T> struct hx<T, decltype((void)T().x)> { static constexpr int v = 1; };
class Hidden { int x; using type = int; public: int y; __device__ static int me() { return requires(Hidden d) { d.x; }; } };
struct Open { int x; using type = int; private: int z; };
template <class T> __device__ auto calls(T t) -> decltype(t.f(), 1) { return 1; }
__device__ int calls(...) { return 2; }
class Private { __device__ int f() { return 4; } public: __device__ int h() { return f(); } };
class Mixed { public: __device__ int f() { return 3; } private: __device__ int f(int); };

BEGIN(private_members_in_requirements)
    I(HasX<Hidden>); I(HasX<Open>); I(HasT<Hidden>); I(HasT<Open>); I(hx<Hidden>::v); I(hx<Open>::v); //= 0 1 0 1 0 1
    I(Hidden::me()); I(calls(Private())); I(calls(Mixed())); I(Private().h()); //= 1 2 1 4
END

// Aggregates without a guide (C++20).
template <class T = int> struct Df { T v = 4; };
template <class T, class U> struct Pr { T a; U b; };
template <class T, int N> struct Ar { T d[N]; };

BEGIN(aggregates_are_deduced)
    Df g{2.5}; I(g.v * 2); Pr p{1, 2.5f}; I(sizeof p + p.b * 2); Pr q{'a', 3L}; I(sizeof q); Ar r{{1, 2, 3}}; I(sizeof r); //= 5 13 16 12
    auto pp = Pr{2.5, 'c'}; I(sizeof pp); Df d; I(sizeof d + d.v); //= 16 8
END

// Traits of copies and assignments.
struct Plain { int a; }; struct Made { int a; __device__ Made() : a(1) {} }; struct Kept { Kept &operator=(const Kept &) = delete; };

BEGIN(traits_of_special_members)
    I(std::is_trivially_default_constructible<Plain>::value); I(std::is_trivially_default_constructible_v<Made>); //= 1 0
    I(std::is_trivially_copy_constructible_v<Made>); I(std::is_trivially_copy_assignable<Plain>::value); //= 1 1
    I(std::is_nothrow_move_constructible_v<Plain>); I(std::is_copy_assignable_v<Kept>); //= 1 0
END

// A captured lambda that captures; the members that an aggregate's default initialisers name.
struct Ag { int a = 1; int b = a + 1; int c[2] = {b, a}; struct { int q; } z{b}; };
struct Ag2 { int x; int y = x * 2; int z = y + sizeof(*this); };
struct AgIn { int n; Ag2 in{4}; int m = in.y + n; };

BEGIN(captures_and_default_members)
    int a = 7; auto f = [x = [y = a] { return y * 2; }] { return x() + 1; }; I(f()); //= 15
    auto g = [&, x = [&a](int k) { a += k; return a; }] { return x(5) + a; }; I(g()); //= 24
    auto j = [k = [z = [a] { return a; }] { return z() + 1; }](int m) mutable { return k() + m; }; I(j(4)); auto j2 = j; I(j2(1)); //= 17 14
    Ag h; I(h.b + h.c[0] + h.z.q); Ag h5{5}; I(h5.b * 100 + h5.c[1]); Ag2 k{3}; I(k.y * 100 + k.z); AgIn in{2}; I(in.m); I(AgIn{3, {1}}.m); //= 6 605 618 10 5
END

// Literal operators of characters, strings and spellings; `->*`; objects as subscripts.
__device__ constexpr long long operator""_k(unsigned long long n) { return n * 1000; }
__device__ constexpr int operator""_k(long double d) { return d * 10; }
__device__ constexpr int operator""_s(const char *s, unsigned long n) { return s[0] + n; }
__device__ constexpr int operator""_c(char c) { return c + 1; }
__device__ constexpr int operator""_r(const char *s) { return s[1]; }
template <char... C> __device__ constexpr int operator""_t() { return sizeof...(C); }
struct Str { char s[8]; int n; __device__ constexpr Str(const char *p) : s{}, n(0) { while (*p) s[n++] = *p++; } };
template <Str S> __device__ constexpr int operator""_n() { return S.n * 100 + S.s[0]; }

BEGIN(literal_operators)
    I(3_k); I(2.5_k); I("ab"_s); I("a" "bcd"_s); I('a'_c); I(12_r); I(0x1F_t); I(1.5e3_t); I("hey"_n); //= 3000 25 99 101 98 50 4 5 404
END

struct Pt { int a; };
struct Ptr { Pt p; __device__ int operator->*(int Pt::*m) { return p.*m * 10; } __device__ int operator->*(int k) { return k + p.a; } };
struct Idx { int n; __device__ operator int() const { return n; } };
struct Dev { int *p; __device__ operator int *() const { return p; } };
struct Fns { int v; __device__ int f(int x) const { return v + x; } __device__ int g(int x) { return v * x; } };
template <class C, class T> __device__ int call(C c, T C::*m) { return (c.*m)(3); }

BEGIN(member_operators_and_subscripts)
    Ptr q{{4}}; I(q->*&Pt::a); I(q->*3); int arr[4] = {1, 2, 3, 4}; Idx i{2}; Dev d{arr + 1}; //= 40 7
    I(arr[i]); I(d[2]); I(i[arr]); d[1] = 9; I(arr[2]); I(call(Fns{5}, &Fns::f)); I(call(Fns{5}, &Fns::g)); //= 3 4 3 9 8 15
END

// `goto` out of the scopes of objects; a pointer to an array of pointers to functions.
struct Ends { int *p; int by; __device__ ~Ends() { *p = *p * 10 + by; } };
__device__ int jumps(int n) {
    int r = 0, rounds = 0;
again:
    Ends outer{&r, 1};
    if (n > 2) goto out;
    r += 1;
    {
        Ends a{&r, 2};
        if (n == 2) { Ends b{&r, 3}; goto out; }
        if (rounds++ < n) goto again;
        Ends c{&r, 4};
        goto inner;
    inner:
        r += 2;
    }
out:
    return r;
}
__device__ int skips(int n) {
    int r = 0;
    for (int i = 0; i < 4; i++) {
        Ends a{&r, i};
        if (i == n) goto done;
        goto next;
    next:;
    }
done:
    return r;
}
__device__ int inc(int x) { return x + 1; }
__device__ int two(int x) { return x + 2; }
__device__ int defaulted(int a, int n = sizeof(a)) { return a + n; }
__device__ int total(std::initializer_list<int> l) { int s = 0; for (int x : l) s = s * 10 + x; return s; }

BEGIN(jumps_and_declarators)
    I(jumps(3)); I(jumps(2)); I(jumps(0)); I(jumps(1)); I(skips(2)); I(skips(9)); //= 0 132 342 12442 12 123
    int (*t[2])(int) = {inc, two}; int (*(*p)[2])(int) = &t; I((*p)[1](5)); I(defaulted(3)); //= 7 7
    auto b = {1, 2, 3}; I(total(b)); I(b.size()); //= 123 3
END

#include <limits>

BEGIN(limits)
    using std::numeric_limits; I(numeric_limits<float>::is_iec559); I(numeric_limits<int>::is_iec559); I(numeric_limits<int>::digits10); //= 1 0 9
    I(numeric_limits<double>::max_exponent); I(numeric_limits<float>::min_exponent10); I(numeric_limits<double>::max_digits10); //= 1024 -37 17
    I(numeric_limits<const unsigned>::max()); I(numeric_limits<unsigned>::is_modulo); I(numeric_limits<Plain>::is_specialized); //= 4294967295 1 0
    I(numeric_limits<float>::has_denorm == std::denorm_present); I(numeric_limits<long>::round_style); I(numeric_limits<bool>::digits10); //= 1 0 0
END

// Constructor templates are inherited, through several classes.
struct InPlace {};
template <class T> __device__ constexpr T only(T t) { return t; }
template <class T> struct Db { T v; __device__ constexpr Db() : v() {} template <class... A> __device__ constexpr explicit Db(InPlace, A &&...a) : v(only(static_cast<A &&>(a)...)) {} };
template <class T> struct Sb : Db<T> { int more = 3; using base = Db<T>; using base::base; };
template <class T> struct Mb : Sb<T> { using base = Sb<T>; using base::base; };
template <class T> struct Opt : private Mb<T> {
    using base = Mb<T>;
    constexpr Opt() = default;
    template <class U> __device__ constexpr Opt(U &&u) : base(InPlace{}, static_cast<U &&>(u)) {}
    __device__ T get() const { return this->v * 10 + this->more; }
};
struct Conv { int v; template <class T> __device__ Conv(T t) : v(t * 2) {} };
struct Inh : Conv { using Conv::Conv; };
__device__ int taken(Inh i) { return i.v; }

BEGIN(inherited_constructor_templates)
    Opt<int> a(7); I(a.get()); Opt<int> b; I(b.get()); Inh i(2.5); I(i.v); I(taken(4)); //= 73 3 5 8
END

// `[*this]` holds a copy of the object; a copy that nobody wrote copies parts as `const` objects; commas of objects.
struct Held {
    int m = 9;
    __device__ auto get() { return [*this](int a) mutable { return m++ + a; }; }
    __device__ auto both(int k) { return [=, *this] { return [&] { return m * 10 + k; }(); }; }
    __device__ auto seen() { return [this] { return m; }; }
};
struct Twofold { int n = 0; Twofold() = default; __device__ Twofold(const Twofold &c) : n(c.n + 1) {} __device__ Twofold(Twofold &c) : n(c.n + 5) {} };
struct Wrapped { Twofold c; };
struct Listed { int x; __device__ int operator,(int k) const { return x * 10 + k; } };
template <class T> constexpr bool can_step = requires(T &t) { ++t; };

BEGIN(copies_of_this_and_of_parts)
    Held s; auto f = s.get(); auto g = s.both(4); auto h = s.seen(); s.m = 20; I(f(1)); I(f(1)); I(g()); I(h()); //= 10 11 94 20
    Wrapped w, x = w; I(x.c.n); Twofold a, b = a; I(b.n); Listed l{7}; I((l, 3)); I(can_step<int>); I(can_step<bool>); //= 1 5 73 1 0
END

// `Traits<Args...>` is all arguments of a template that has others before its pack.
template <class Op, class... A> struct Traits { static constexpr int n = 1 + sizeof...(A); };
template <class... Args> struct Atom;
template <class Op, class T> struct Atom<Op, T> : Atom<Traits<Op>, T> {};
template <class... Args, class T> struct Atom<Traits<Args...>, T> { static constexpr int n = sizeof...(Args) * 10 + sizeof(T); };
template <class... Args> __device__ int count_of(Traits<Args...>) { return sizeof...(Args); }

BEGIN(a_pack_for_all_arguments)
    I((Atom<int, short>::n)); I((Atom<Traits<int, char, long>, char>::n)); I(count_of(Traits<int>())); I(count_of(Traits<int, char, int>())); //= 12 31 1 3
END

// Names for the parts of what is like a tuple, by a member `get` or one that its namespace has; for members of a base class and
// elements of an array; in lambdas (C++20).
namespace std {
template <class T> struct tuple_size;
template <decltype(sizeof 0) I, class T> struct tuple_element;
}
namespace parts {
template <class... T> struct Row;
template <> struct Row<> {};
template <class T, class... R> struct Row<T, R...> : Row<R...> { T v; __device__ constexpr Row(T t, R... r) : Row<R...>(r...), v(t) {} };
template <int I, class T, class... R> __device__ constexpr auto &get(const Row<T, R...> &r) { if constexpr (I == 0) return r.v; else return get<I - 1>(static_cast<const Row<R...> &>(r)); }
struct Own { int a[2]; bool moved = false;
    template <int I> __device__ int &get() & { return a[I]; }
    template <int I> __device__ int get() && { return a[I] + 100; } };
struct Late { int x, y; };
}
template <class... T> struct std::tuple_size<parts::Row<T...>> { static constexpr int value = sizeof...(T); };
template <class... T> struct std::tuple_size<const parts::Row<T...>> { static constexpr int value = sizeof...(T); };
template <decltype(sizeof 0) I, class T, class... R> struct std::tuple_element<I, parts::Row<T, R...>> { using type = typename std::tuple_element<I - 1, parts::Row<R...>>::type; };
template <class T, class... R> struct std::tuple_element<0, parts::Row<T, R...>> { using type = const T; };
template <decltype(sizeof 0) I, class... T> struct std::tuple_element<I, const parts::Row<T...>> { using type = typename std::tuple_element<I, parts::Row<T...>>::type; };
template <> struct std::tuple_size<parts::Own> { static constexpr unsigned value = 2; };
template <decltype(sizeof 0) I> struct std::tuple_element<I, parts::Own> { using type = int; };
struct Below : parts::Late {};

BEGIN(bindings_of_what_is_like_a_tuple)
    parts::Row<int, char, double> r(5, 'x', 2.5); const auto [a, b, c] = r; I(a + b); I(c * 2); //= 125 5
    I((std::is_same<decltype(b), const char>::value)); //= 1
    parts::Own o{{3, 4}}; auto [p, q] = o; I(p + q); auto &[s, t] = o; t = 9; I(s + o.a[1]); //= 207 12
    Below l{{7, 8}}; auto [x, y] = l; y++; I(x * 10 + y); int arr[3] = {1, 2, 3}; auto [e, f, g] = arr; e = 50; I(e + f + g + arr[0]); //= 79 56
    I([=] { return x + e; }()); I([&] { return ++f; }()); I(f); //= 57 3 3
END

// Functions found by the types of arguments: in the namespaces of base classes, of template arguments, around inline namespaces.
namespace base_ns { struct B {}; __device__ int near_base(B) { return 1; } template <class T> __device__ int named(const T &) { return 2; } }
namespace other_ns { struct D : base_ns::B {}; template <class T> struct Box {}; enum class Color { red }; inline namespace v1 { struct In {}; } __device__ int around(In) { return 3; } __device__ int paint(Color) { return 4; } }

BEGIN(look_up_by_arguments)
    I(near_base(other_ns::D())); I(named(other_ns::Box<base_ns::B>())); I(around(other_ns::In())); I(paint(other_ns::Color::red)); //= 1 2 3 4
    I(named(static_cast<other_ns::Box<base_ns::B *> *>(nullptr))); //= 2
END

// Several packs in one expansion, one of them behind another; arguments that are given before those that are deduced.
template <int N> struct Numeral { static constexpr int value = N; };
template <class S, class D> struct Shape2 { S s; D d; };
template <class... T> struct Names {};
template <class S0, class D0, class... S, class... D> __device__ int layouts(Shape2<S0, D0>, const Shape2<S, D> &...) { return 1 + (10 + ... + (S::value * 2 + D::value)); }
template <class... A, class... B> __device__ int behind(Names<A...>, B... b) { return sizeof...(A) * 100 + (0 + ... + b); }
template <class T, class... U> __device__ int share(Shape2<T, U>...) { return sizeof(T) * 10 + sizeof...(U); }
template <class... T> __device__ int some_given(T... t) { return (0 + ... + int(sizeof(t))); }
template <class A, class B, class C = Names<A, B>> struct Three { static constexpr int n = sizeof(A) + sizeof(B); };
template <class... A> __device__ int all_of(const Three<A...> &) { return sizeof...(A); }
template <int I, class... A, class S> __device__ int some_of(const Three<A...> &, S) { return I + sizeof...(A) + Three<A...>::n; }
template <bool... B> struct First { __device__ static constexpr int find() { int i = 0; (void)((B ? true : (++i, false)) || ...); return i; } };
struct One { int v; template <class... A> __device__ One(int, A &&...a) : v(static_cast<A &&>(a)...) {} };

BEGIN(packs_side_by_side)
    I(layouts(Shape2<int, int>(), Shape2<Numeral<1>, Numeral<2>>(), Shape2<Numeral<3>, Numeral<4>>())); I(layouts(Shape2<char, char>())); //= 25 11
    I(behind(Names<int, char>(), 1, 2, 3)); I(behind(Names<>())); I(share(Shape2<short, int>(), Shape2<short, char>())); //= 206 0 22
    I((some_given<char, long>(1, 2, 3.0))); I(some_given<>(1)); //= 17 4
    I(all_of(Three<char, int>())); I(all_of(Three<char, int, float>())); I((some_of<1>(Three<char, int>(), 1.0))); //= 3 3 9
    auto at = [](auto... a) { return First<decltype(a)::value...>::find(); }; I(at(Numeral<0>(), Numeral<0>(), Numeral<1>())); //= 2
    I(One(0, 5).v); I(One(0).v); //= 5 0
END

// A reference among the parameters of a `requires` expression keeps what is `const`.
template <class T> constexpr bool steps = requires(T &t) { ++t; };
template <class T> constexpr bool refers = requires(T &t, T u) { requires std::is_same_v<decltype(t), T &>; requires std::is_same_v<decltype(u), T>; };

BEGIN(references_in_requirements)
    I(steps<int>); I(steps<const int>); I(steps<const int *>); I(refers<int>); I(refers<int *>); //= 1 0 1 1 1
END

// A pack that others stand behind takes all arguments that are written (CuTe's `size<0, 1>(tensor)`).
template <class S, class D> struct Extents2 { S s; D d; };
template <int... I, class A, class B> __device__ int picked(const Extents2<A, B> &) { return (0 + ... + (I * 10)) + sizeof...(I); }
template <int... I, class A> __device__ int picked(const A &) { return -int(sizeof...(I)); }

BEGIN(written_for_a_pack_before_others)
    I((picked<1, 2, 3>(Extents2<int, char>()))); I((picked<7>(Extents2<int, char>()))); I(picked(Extents2<int, char>())); I((picked<4, 5>(1))); //= 63 71 0 -2
END

// Elements of constants among template arguments (CuTe's `SortByKey`), and `decltype(a)::value` alone.
template <int N> struct Whole { static constexpr int value = N; };
template <int... I> struct Digits { static constexpr int sum = (0 + ... + I); };
struct KeyAndVal { int key, val; };
template <class T, unsigned long N> struct HeldInOrder { T e[N]; constexpr const T &operator[](unsigned long i) const { return e[i]; } };
template <class I> struct SortedBy;
template <int... Is> struct SortedBy<Digits<Is...>> {
    static constexpr HeldInOrder<KeyAndVal, 3> of = {KeyAndVal{1, 20}, KeyAndVal{3, 40}, KeyAndVal{5, 60}};
    static constexpr KeyAndVal plain[3] = {KeyAndVal{1, 2}, KeyAndVal{3, 4}, KeyAndVal{5, 6}};
    using Vals = Digits<of[Is].val...>;
    using Keys = Digits<plain[Is].key...>;
};
template <auto N, class T> struct Agrees { static constexpr bool value = N == T::value; };

BEGIN(elements_as_template_arguments)
    using S = SortedBy<Digits<2, 0, 1>>;
    I(S::Vals::sum); I(S::Keys::sum); I((std::is_same_v<S::Vals, Digits<60, 20, 40>>)); //= 120 9 1
    Whole<4> four; I((Agrees<decltype(four)::value, Whole<4>>::value)); I((Agrees<decltype(four)::value, Whole<5>>::value)); //= 1 0
END

// Variables and their addresses as template arguments (sppark's `mont_t<381, P, M0, …>`).
namespace field_ns {
__device__ __constant__ const unsigned P[4] = {11, 12, 13, 14};
static __device__ __constant__ const unsigned M0 = 7;
__device__ int counter = 5;
}
__device__ int other_counter = 6;
template <const unsigned long N, const unsigned MOD[(N + 31) / 32], const unsigned &M, const unsigned MODX[(N + 31) / 32] = MOD> struct Mont {
    __device__ static unsigned sum() { unsigned s = 0; for (unsigned i = 0; i < N / 32; i++) s += MOD[i] * M + MODX[i]; return s; }
    __device__ static bool same() { return MOD == MODX && &M == &field_ns::M0; }
};
template <int *P, int &R> struct Counts { __device__ static int next() { R += 1; return *P * 10 + R; } };
template <class T> struct CountsOf { static constexpr int value = 0; };
template <int *P, int &R> struct CountsOf<Counts<P, R>> { static constexpr int value = 1; __device__ static int *at() { return P; } };
template <auto V> __device__ int pointed() { return *V; }

BEGIN(variables_as_template_arguments)
    I((Mont<128, field_ns::P, field_ns::M0>::sum())); I((Mont<128, field_ns::P, field_ns::M0>::same())); //= 400 1
    using C = Counts<&field_ns::counter, other_counter>; using D = Counts<&other_counter, field_ns::counter>;
    I(C::next()); I(D::next()); I(C::next()); I((std::is_same_v<C, D>)); I(CountsOf<C>::value); I(CountsOf<C>::at() == &field_ns::counter); //= 57 76 68 0 1 1
    I(pointed<&other_counter>()); //= 8
END

// What may throw: functions promise it, and `noexcept(e)`, requirements and traits ask (they said that nothing does).
struct Careless { int v; __device__ Careless(); __device__ Careless(const Careless &); __device__ Careless(Careless &&) noexcept; __device__ Careless &operator=(const Careless &) noexcept(false); __device__ ~Careless(); };
struct HoldsCareless { Careless a; };
__device__ int throws(int); __device__ int never(int) noexcept;
template <class T> __device__ T by_size(T t) noexcept(sizeof(T) > 4);
template <class T> struct WrapsOne { __device__ WrapsOne(T t) noexcept(noexcept(T(std::declval<T>()))); };

template <class... T> __device__ int all_quiet(T... x) noexcept((noexcept(by_size(x)) && ...));
template <class... T> struct Quiets { static constexpr bool v = (true && ... && noexcept(T())); static constexpr int align = (0 + ... + alignof(T)); };

BEGIN(what_may_throw)
    I(noexcept(all_quiet())); I(noexcept(all_quiet(1.0, 2L))); I(noexcept(all_quiet(1.0, 2))); I(Quiets<int, Careless>::v); I(Quiets<int>::v); I(Quiets<int, char>::align); //= 1 1 0 0 1 5
    auto quiet = [](int) noexcept { return 1; }; auto loud = [](int) { return 1; };
    I(noexcept(throws(1))); I(noexcept(never(1))); I(noexcept(by_size(1))); I(noexcept(by_size(1.0))); I(noexcept(quiet(1))); I(noexcept(loud(1))); I(noexcept(1 + 1)); //= 0 1 0 1 1 0 1
    I(noexcept(Careless())); I(noexcept(Careless(std::declval<const Careless &>()))); I(noexcept(Careless(std::declval<Careless>()))); I(noexcept(HoldsCareless())); I(noexcept(WrapsOne<int>(1))); //= 0 0 1 0 1
    I(std::is_nothrow_copy_constructible<Careless>::value); I(std::is_nothrow_move_constructible<Careless>::value); I(std::is_nothrow_copy_assignable<Careless>::value); //= 0 1 0
    I(std::is_nothrow_default_constructible<HoldsCareless>::value); I(std::is_nothrow_move_constructible<HoldsCareless>::value); I((std::is_nothrow_constructible<int, Careless>::value)); //= 0 1 0
    I(requires(int v) { { never(v) } noexcept; }); I(requires(int v) { { throws(v) } noexcept; }); //= 1 0
END

// Null pointers to members, cast.
struct Membered { int a, b; __device__ int f() { return 1; } };

BEGIN(null_pointers_to_members_cast)
    int Membered::*p = static_cast<int Membered::*>(nullptr); I(p == nullptr); I(static_cast<bool>(p)); I(static_cast<bool>(&Membered::a)); //= 1 0 1
    auto q = static_cast<int (Membered::*)()>(nullptr); I(q == nullptr); I(((int Membered::*)0) == nullptr); I(static_cast<bool>(&Membered::f)); //= 1 1 1
END

// Bases without members are initialised in aggregates (CuTe's `TiledCopy{atom}`): the list had one element too many.
template <class... A> struct Charge;
template <class T> struct Charge<T> { using Thr = T; __device__ int f() const { return 5; } };
template <class O, class T> struct Charge<O, T> : Charge<O> {};
template <class A, class L> struct Tiled : A { using Thr = typename A::Thr; __device__ int g() const { return this->f(); } };
template <class... A, class L> __device__ auto constexpr tiled(const Charge<A...> &a, const L &) { return Tiled<Charge<A...>, L>{a}; }
struct Nothing {}; struct Tinted : Nothing { int x, y; };

BEGIN(empty_bases_take_initialisers)
    I(tiled(Charge<Nothing>{}, 1).g()); I((tiled(Charge<Nothing, int>{}, 1).g())); //= 5 5
    Tinted d{{}, 3, 4}; I(d.x); I(d.y); Tinted e{Nothing(), 5}; I(e.x); I(e.y); Tinted f{{}}; I(f.x + f.y); //= 3 4 5 0 0
END

// A class in a class template whose members are objects of the class around it (sppark's `mont_t::wide_t`).
template <int N> struct Field {
    unsigned v[N];
    class Wide {
        union { unsigned even[2 * N]; Field s[2]; };
    public:
        __device__ unsigned &operator[](int i) { return even[i]; }
        __device__ Field sum() { Field r; for (int i = 0; i < N; i++) r.v[i] = s[0].v[i] + s[1].v[i]; return r; }
        __device__ Wide() {}
    };
    struct Pair { Field a, b; int n = 2; };
    __device__ static Field both(unsigned x) { Wide w; for (int i = 0; i < 2 * N; i++) w[i] = x + i; return w.sum(); }
};

BEGIN(classes_in_class_templates_hold_the_class_around_them)
    auto f = Field<3>::both(10); I(f.v[0]); I(f.v[2]); Field<2>::Pair p{}; I(p.n); I(sizeof(p)); I(sizeof(Field<2>::Wide)); //= 23 27 2 20 16
END

// Numbers are destroyed by a name for their type (libcu++'s `optional`).
template <class T> struct Slot { using value_type = T; union { T v; char none; }; __device__ Slot(T t) : v(t) {} __device__ int drop() { int n = (int)v; v.~value_type(); return n; } __device__ void drop(T *p) { p->~T(); } };
template <class T> __device__ void ended_by_name(T &t) { t.~T(); }
template <class T> __device__ auto destroys(T *t, int) -> decltype(t->~T(), 1) { return 1; }
template <class T> __device__ int destroys(T *, long) { return 0; }

BEGIN(numbers_are_destroyed_by_a_name_for_their_type)
    float f = 2.5f; Slot<int> s(4); I(s.drop()); I(Slot<float>(f).drop()); Slot<float>(f).drop(&f); I(destroys(&f, 0)); I(destroys(&s, 0)); I(f * 2);  float *pf = &f; ended_by_name(pf); F(*pf); //= 4 2 1 1 5 2.5
END

// Zeros that operators compute or names stand for are no null pointers; literals and casts of them are.
__device__ int nulled(int *) { return 1; }
template <class T> concept TakesNull = requires { nulled((T)0); };
template <int N> constexpr bool null_of_number = requires { nulled(N); };
enum Nought { nought };
constexpr int named_zero = 0;
template <class T> concept BelowNull = requires(T t) { t < nullptr; };
template <class T> __device__ int null_size(T) { return sizeof(T); }

template <class A, class B> concept ChosenFrom = requires(A a, B b) { true ? a : b; };

BEGIN(computed_zeros_are_no_null_pointers)
    int n = V(3), *p = &n;
    I(TakesNull<int>); I(null_of_number<0>); I(requires { nulled(1 - 1); }); I(requires { nulled(-0); }); //= 1 0 0 0
    I(requires { nulled(named_zero); }); I(requires { nulled((int)nought); }); I(requires { nulled((0)); }); //= 0 1 1
    I(p == false); I(p != 0); I(nullptr == 0); I(null_size(NULL)); I(BelowNull<int *>); decltype(nullptr) z = 0; I(z == p); I(ChosenFrom<bool, int *>); I(ChosenFrom<int *, const void *>); //= 0 1 1 8 1 0 0 1
END

// Functions of an inline namespace are overloads of those of the namespace around it.
namespace versions {
inline namespace v1 { template <class T> __device__ int version(T) { return 1; } }
template <> __device__ int version<char>(char) { return 2; }
__device__ int version(long) { return 3; }
}
namespace versions { inline namespace v2 { __device__ int version(float *) { return 4; } } }

BEGIN(functions_of_inline_namespaces_are_overloads_of_the_outer_ones)
    using namespace versions;
    I(version(V(1))); I(version('a')); I(version(V(1L))); I(versions::version((float *)nullptr)); I(versions::version(2)); //= 1 2 3 4 1
END

// The type of a member function that is `const` is neither `const T` nor one without it.
template <class T> struct WhichFunction { static constexpr int v = 0; };
template <class T> struct WhichFunction<const T> { static constexpr int v = 1; };
template <class R, class... A> struct WhichFunction<R(A...)> { static constexpr int v = 2; };
template <class R, class K> __device__ int which_member(R K::*) { return WhichFunction<R>::v; }
struct Pinned { int x = 1; const int y = 2; __device__ int f(int) { return 1; } __device__ int g(int) const { return 2; } };
struct HeldObject { const Pinned c; __device__ decltype(auto) held() { return c; } };
template <class T> __device__ int is_const_object(T &&) { return WhichFunction<T>::v; }

BEGIN(const_member_functions_are_no_const_types)
    I(which_member(&Pinned::f)); I(which_member(&Pinned::g)); I(which_member(&Pinned::x)); I(which_member(&Pinned::y)); //= 2 0 0 1
    HeldObject h; I(WhichFunction<decltype(h.held())>::v); I(is_const_object(h.held())); //= 1 1
END

// An array as an argument is as good for a pointer as for a reference to it; none is converted to.
struct Anything { template <class T> __device__ operator T() const { return T(); } };
enum Small3 : unsigned char { small3 = 3 };
__device__ int of_array(int *const &) { return 1; }
template <class T, int N> __device__ int of_array(T (&)[N]) { return 2; }
__device__ int of_anything(const int (&)[3]) { return 1; }
__device__ int of_anything(Small3) { return 2; }

BEGIN(arrays_decay_as_well_as_they_are_referred_to)
    int a[3] = {}; Anything any; I(of_array(a)); I(of_anything(any)); I(of_anything(a)); //= 1 2 1
END

// Lambdas in initialisers of variables of namespaces.
constexpr auto squared = [](int x) { return x * x; };
template <class T, int N> struct FilledTable {
    T at[N];
    template <class F> __host__ __device__ constexpr FilledTable(F f) : at() { for (int i = 0; i < N; i++) at[i] = f(i); }
};
__device__ constexpr FilledTable<int, 8> filled{[](int i) { return i * 3; }};
template <class T> constexpr auto plus_one = [](T x) { return x + 1; };
struct WithDefault { int (*f)(int) = [](int x) { return x + 5; }; };

BEGIN(lambdas_initialise_variables_of_namespaces)
    I(squared(V(5))); I(filled.at[V(4)]); I(plus_one<int>(V(6))); WithDefault w; I(w.f(V(1))); //= 25 12 7 6
END

// The n-th bit that is set, from some bit on.
BEGIN(bits_of_masks_are_found_by_their_rank)
    unsigned m = V(0xb2u);
    I(__fns(m, 0, 1)); I(__fns(m, 0, 2)); I(__fns(m, V(2), 1)); I(__fns(m, 31, -1)); I(__fns(m, 4, V(-2))); //= 1 4 4 7 1
    I(__fns(m, 4, 0)); I((int)__fns(m, 3, 0)); I((int)__fns(m, 0, 5)); I((int)__fns(m, 0, -1)); I((int)__fns(0, 5, 1)); //= 4 -1 -1 -1 -1
END

// A name that is a value in one class and a class template in another (libcu++'s `mdspan` and `layout_left`).
namespace layouts { struct seen { int m; FN int mapping() const { return m; } }; struct left { template <class E> class mapping; }; template <class E> class left::mapping { public: E e; FN constexpr mapping() : e() {} FN constexpr mapping(const mapping &o) : e(o.e) {} FN constexpr mapping(E x) : e(x) {} FN E get() const { return e; } }; }
struct MappedView { int m; FN int mapping() const { return m; } template <class T> struct value { T t; }; };
struct ValueThree { static constexpr int value = 3; };
struct ValueFour { static constexpr int value = 4; };
template <bool B> struct Truth { static constexpr bool v = B; };
template <class L, class R> FN constexpr auto is_less(L, R) -> Truth<static_cast<bool>(L::value < R::value)> { return {}; }
template <class E> FN E mapped(E e) {
    using M = layouts::left::mapping<E>;
    M m(e);
    return m.get() + layouts::left::mapping<E>{}.get() + layouts::left::mapping<E>(e).get() + sizeof(layouts::left::mapping<E>);
}

BEGIN(members_that_are_values_here_and_templates_there)
    I(mapped(V(3))); I(is_less(ValueThree(), ValueFour()).v); I(is_less(ValueFour(), ValueThree()).v); MappedView v{V(9)}; I(v.mapping()); //= 10 1 0 9
END

// With some arguments written and others deduced nothing is converted (CUTLASS's `make_fragment_like<T>(tensor)`).
template <class E, class L> struct Fragment { using iterator = typename E::iterator; L l; };
struct FragmentEngine { using iterator = int; };
template <class New, class L> FN int fragment_like(const L &) { return sizeof(New); }
template <class New, class E, class L> FN int fragment_like(const Fragment<E, L> &) { return 10 + sizeof(New); }
template <class E, class L> FN int fragment_like(const Fragment<E, L> &) { return 20; }
template <class T> FN int converted_to(T a, T b) { return sizeof(a) + (int)b; }

BEGIN(nothing_is_converted_where_something_is_deduced)
    Fragment<FragmentEngine, long> f{}; I(fragment_like<float>(f)); I(fragment_like<short>(V(3))); I(converted_to<long>(V(2), 2.5f)); //= 14 2 10
END

// Functions of a program that have the names of the compiler's and are found by their arguments.
namespace algebra {
struct Dual { float v; };
FN Dual sinh(const Dual &d) { return {d.v + 1}; }
template <class T> struct Jet { T v; };
template <class T> FN Jet<T> fmax(const Jet<T> &a, const Jet<T> &b) { return {a.v > b.v ? a.v : b.v}; }
}

BEGIN(functions_named_like_provided_ones_are_found_by_their_arguments)
    algebra::Dual d{V(2.0f)}, two[2] = {{1}, {2}}; F(sinh(d).v); F(sinh(two[V(1)]).v); //= 3.0 3.0
    algebra::Jet<float> a{V(1.0f)}, b{2}; F(fmax(a, fmax(b, a)).v); F(fmax(V(1.0f), 3.0f)); //= 2.0 3.0
END

// Two conversions to one type in a base, for objects that are `volatile` and others (libcu++'s `atomic`).
template <class T> struct Watched { T v; FN operator T() const { return v; } FN operator T() const volatile { return v + 1; } };
template <class T> struct WatchedMore : Watched<T> {};

BEGIN(conversions_to_one_type_in_a_base)
    WatchedMore<int> a{V(1)}; volatile WatchedMore<int> b{V(2)}; I(a == 1); I(b == 3); I(a + b); //= 1 1 4
END

// A pack as what a number is made of; lists for parameters whose type is written.
template <class T, class... A> FN T made_of(A... a) { return T(a...); }
template <class T, unsigned long N> FN int listed(T (&&a)[N]) { return N * 10 + (int)a[0] + (int)sizeof(T) * 100; }
struct Assigned { int x; };
template <class T> struct AssignedMore : T { using Base = T; using Base::operator=; int y; };

BEGIN(packs_make_numbers_and_lists_fit_what_is_written)
    I(made_of<int>(V(3.5f))); I(made_of<int>()); I(listed<long>({V(1), 2, 3})); I(listed({V(4), 2})); //= 3 0 831 424
    AssignedMore<Assigned> m{{1}, 2}, n{{V(3)}, 4}; m = n; I(m.x + m.y); //= 7
END

// Null pointers without a type in constants.
struct Nothing2 { decltype(nullptr) none; int k; };
FN constexpr bool null_in_constant() { decltype(nullptr) n{}; Nothing2 s{nullptr, 2}; void *p = s.none; return p == n && s.k == 2; }
static_assert(null_in_constant());

// Defaults of a member template's parameters stand in its class, its body outside (libcu++'s `layout_stride_relaxed::mapping`).
struct RelaxedLayout { template <class E, class S = E *, class O = long> class mapping; };
template <class E, class S, class O> class RelaxedLayout::mapping { public: using offset = O; E e; FN mapping(E x) : e(x) {} FN int sizes() const { return sizeof(S) * 10 + sizeof(O); } };

BEGIN(defaults_of_member_templates_defined_outside)
    RelaxedLayout::mapping<int> m(V(4)); I(m.e); I(m.sizes()); RelaxedLayout::mapping<int, short, char> n(V(5)); I(n.e + n.sizes()); //= 4 88 26
END

// What a base defines takes its operand as an object of that base: a function for the class itself is nearer (CudaTracerLib's `-normalized`).
struct Vec2 { float x, y; FN Vec2 operator-() const { return {-x, -y}; } FN int operator+(Vec2) const { return 1; } };
template <class T> struct Unit : T { FN explicit Unit(const T &v) : T(v) {} };
template <class T> FN Unit<T> operator-(const Unit<T> &u) { return Unit<T>(T{u.x + 10, u.y}); }
FN int operator+(const Unit<Vec2> &, Vec2) { return 2; }
struct Known : Vec2 { using Vec2::operator+; }; 
template <class T> FN int operator+(const T &, Vec2) { return 3; }

BEGIN(operators_of_a_base_are_farther_than_those_for_the_class)
    Vec2 v{V(1.0f), 2}; Unit<Vec2> u(v); Known k{v};
    F((-u).x); F((-v).x); I(u + v); I(v + v); I(k + v); //= 11.0 -1.0 2 1 1
END

// A null pointer is cast to a number as pointers are (alien's `atomicCAS` of pointers).
BEGIN(nullptr_is_cast_to_numbers)
    int one = V(1); unsigned long long slot = reinterpret_cast<unsigned long long>(nullptr);
    atomicCAS(&slot, reinterpret_cast<unsigned long long>(nullptr), reinterpret_cast<unsigned long long>(&one));
    I(*reinterpret_cast<int *>(slot)); I((long long)nullptr == 0); I(RAND_MAX / one); //= 1 1 2147483647
END

// An alias template's argument may be computed of what is deduced elsewhere; `forward` of values; `std::byte` (CV-CUDA).
template <class T, int M, int N = M> struct Grid2 { T d[M][N]; };
template <class T, int M, int N> using Grid = Grid2<T, M, N>;
template <class T, int N> FN int affine(const Grid<T, N, N + 1> g) { return N * 10 + int(g.d[N - 1][N]); }
template <class S, S... P> FN S forwarded() { constexpr S all[] = {std::forward<S>(P)...}; return (0 + ... + P) + all[sizeof...(P) - 1]; }
struct Strided { const std::byte *at; FN int next(long bytes) const { return *reinterpret_cast<const int *>(at + bytes); } };

BEGIN(aliases_with_computed_arguments_and_forwarded_values)
    Grid2<float, 2, 3> g{{{1, 2, 3}, {4, 5, V(6.0f)}}}; I(affine(g)); I(forwarded<long, 1, 2, 5>()); //= 26 13
    int two[2] = {7, V(8)}; Strided s{reinterpret_cast<const std::byte *>(two)}; I(s.next(4)); //= 8
    std::byte b = std::byte(0x81); b |= std::byte(V(2)); I(std::to_integer<int>(b << 1)); I(int(~b & std::byte(0xf0))); I(sizeof b); //= 6 112 1
END

// Members of the host's types take their room in classes that device code reads (CudaTracerLib's buffers): they were left out, and what
// lies behind them was read elsewhere.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include <tuple>
struct Log;
struct HeldFile { char n; FILE *log; short m; FN long at() const { return (const char *)&m - &n; } };
struct HeldVector { char n; std::vector<int> v; short m; FN long at() const { return (const char *)&m - &n; } };
struct HeldBits { char n; std::vector<bool> v; short m; FN long at() const { return (const char *)&m - &n; } };
struct HeldPointers { char n; std::vector<int> *v, **w; const std::string &s; short m; FN long at() const { return (const char *)&m - &n; } };
struct HeldArray { char n; const std::vector<float> v[2]; short m; FN long at() const { return (const char *)&m - &n; } };
struct HeldNames { char n; mutable std::map<std::string, std::vector<int>> a, b; std::string s = "x,y"; short m; FN long at() const { return (const char *)&m - &n; } };
struct HeldCalls { char n; std::function<void(int, int)> f; std::shared_ptr<float> p = nullptr; std::unique_ptr<int[]> q{}; short m; FN long at() const { return (const char *)&m - &n; } };
struct HeldOnce { char n; static std::vector<int> all; short m; FN long at() const { return (const char *)&m - &n; } };
template <class T> struct HeldOf { T n; std::vector<T> v; T m; FN long at() const { return (const char *)&m - (const char *)&n; } };
struct HeldMore : HeldVector { int k; FN long behind() const { return (const char *)&k - &n; } };
template <class T> FN long placed() { alignas(8) char room[sizeof(T)] = {}; return ((T *)room)->at() * 1000 + sizeof(T); }

BEGIN(members_of_the_hosts_types_take_their_room)
    I(placed<HeldFile>()); I(placed<HeldVector>()); I(placed<HeldBits>()); I(placed<HeldPointers>()); //= 16024 32040 48056 32040
    alignas(8) char space[48] = {}; HeldMore *more = (HeldMore *)space; I((char *)&more->k - space); I(sizeof(HeldMore)); //= 36 40
    I(placed<HeldArray>()); I(placed<HeldNames>()); I(placed<HeldCalls>()); I(placed<HeldOnce>()); I(placed<HeldOf<double>>()); //= 56064 136144 64072 2004 32040
END

// What only the host has of a class says where its members lie: the pointer of virtual functions, and what makes it no POD, whose tail is used again.
struct HostVirtual { virtual void draw() {} long i; char c; FN long at() const { return (const char *)&c - (const char *)this; } };
struct HostPure { virtual void draw() = 0; virtual ~HostPure(); long i; char c; FN long at() const { return (const char *)&c - (const char *)this; } };
struct HostOverrides : HostPure { void draw() override; char d; FN long at() const { return (const char *)&d - (const char *)this; } };
struct HostVirtualLater : HeldFile { virtual int size() const { return 1; } FN long at() const { return (const char *)&m - (const char *)this; } };
struct HostBuilt { HostBuilt(int x) : i(x) {} long i; char c; }; struct HostBuiltMore : HostBuilt { char d; FN long at() const { return &d - (const char *)this; } };
struct HostEnded { ~HostEnded() { i = 0; } long i; char c; }; struct HostEndedMore : HostEnded { char d; FN long at() const { return &d - (const char *)this; } };
struct HostAssigned { HostAssigned &operator=(const HostAssigned &o) { i = o.i; return *this; } long i; char c; };
struct HostAssignedMore : HostAssigned { char d; FN long at() const { return &d - (const char *)this; } };
struct HostMade { template <class T> HostMade(T t); long i; char c; }; struct HostMadeMore : HostMade { char d; FN long at() const { return &d - (const char *)this; } };
struct HostCompared { bool operator==(const HostCompared &o) const { return i == o.i; } long i; char c; };
struct HostComparedMore : HostCompared { char d; FN long at() const { return &d - (const char *)this; } };

BEGIN(what_only_the_host_has_of_a_class_says_where_members_lie)
    I(placed<HostVirtual>()); I(placed<HostPure>()); I(placed<HostOverrides>()); I(placed<HostVirtualLater>()); //= 16024 16024 17024 24032
    I(placed<HostBuiltMore>()); I(placed<HostEndedMore>()); I(placed<HostAssignedMore>()); I(placed<HostMadeMore>()); I(placed<HostComparedMore>()); //= 9016 9016 9016 9016 16024
END

namespace fp_group { __device__ int ballot(int g, bool b) { return g * 10 + b; } }
template <class G, class F> __device__ void fp_match(G fp_group, F f) { f(1, fp_group::ballot(fp_group, true)); }
template <class G> __device__ int fp_matched(G fp_group) {
    int r = 0;
    fp_match(fp_group, [&](int a, int b) { r += fp_group::ballot(fp_group, a > b) + b; });
    return r;
}
template <class... Ts> __device__ int fp_all(Ts... fp_group) { return (fp_group::ballot(fp_group, true) + ...); }

BEGIN(captures_constants_and_packs_hid_namespaces_of_their_name)
    I(fp_matched(V(3))); I(fp_all(1, 2)); //= 61 32
    constexpr int fp_group = 3;
    auto l = [=](int q) { return fp_group::ballot(fp_group, q); };
    auto m = [fp_group = 5](int q) { return fp_group::ballot(fp_group, q); };
    I(fp_group::ballot(fp_group, false)); I(l(1)); I(m(1)); //= 30 31 51
END

__device__ void fp_inc(int &x) { x++; }
__device__ auto fp_auto(int &x) { return fp_inc(x); }
__device__ decltype(auto) fp_exact(int &x) { return fp_inc(x); }
template <class T> __device__ auto fp_either(T &x) { if (x > 100) return; return fp_inc(x); }
template <class F, class T> __device__ decltype(auto) fp_applied(F &&f, T &&x) { return static_cast<F &&>(f)(x); }

BEGIN(calls_that_return_nothing_were_left_out_of_functions_whose_result_is_deduced)
    int a = V(1);
    fp_auto(a); I(a); fp_exact(a); I(a); fp_either(a); I(a); //= 2 3 4
    auto l = [&] { return fp_inc(a); };
    auto m = [](auto &q) -> decltype(auto) { return fp_inc(q); };
    l(); I(a); m(a); I(a); fp_applied(m, a); fp_applied(fp_inc, a); I(a); //= 5 6 8
    auto v = [&](int z) { return (void)(a += z); };
    auto w = [&](int z) { if (z) return z > 5 ? fp_inc(a) : (void)0; return fp_inc(a); };
    v(10); I(a); w(0); I(a); w(3); I(a); w(9); I(a); //= 18 19 19 20
    std::tuple<int, int> t{4, 5};
    std::apply([](int &x, int &y) { x += y; }, t);
    I(std::get<0>(t)); I(std::apply([](int x, int y) { return x * 10 + y; }, std::make_tuple(V(1), 2))); //= 9 12
END

// Catch2's macros: a string with a suffix is one token, so that `##` may make it.
#define FP_SUFFIXED(text, by) text##by
#define FP_STRING(text) FP_SUFFIXED(#text, _s)
#define _c fp_suffixes_are_not_macros

BEGIN(strings_were_not_pasted_with_suffixes)
    I(FP_STRING(CHECK)); I(FP_SUFFIXED('a', _c)); I(FP_SUFFIXED("b", _s)); //= 72 98 99
END

// NVIDIA Aerial: CUDA's own classes by `struct`, arrays of `auto`, kinds of data, the bits of pairs.
#include <cuda_fp16.h>
struct fp_vectors { struct float4 f; const struct int2 *i; };
template <class T> struct fp_shared { __device__ int size() { return 1; } };
template <> struct fp_shared<struct __half> { __device__ int size() { struct __half h[3]; return sizeof(h); } };
enum fp_kind { fp_bytes = CUDA_R_8I, fp_pairs = CUDA_C_16F };
__device__ int fp_sum(struct dim3 d, class __half2 h) { return d.x * 100 + d.z * 10 + (int)__high2float(h); }

BEGIN(struct_before_the_names_of_vectors_declared_others)
    struct int2 i = make_int2(V(3), 4);
    fp_vectors v{make_float4(1, 2, 3, V(4)), &i};
    I(v.f.w + v.i->y); I(fp_shared<__half>().size() + fp_shared<int>().size()); I(fp_sum(dim3(V(5)), __floats2half2_rn(1, 2))); //= 8 7 512
    cudaDataType kind = V(1) ? CUDA_R_32I : CUDA_R_64F;
    I(kind); I(fp_bytes * 10 + fp_pairs); I(sizeof(libraryPropertyType)); //= 10 36 4
    __half2_raw bits(0x3c00, 0x4000);
    I(__high2float(__hadd2(bits, bits))); //= 4
END

BEGIN(references_to_arrays_of_auto_were_to_arrays_of_arrays)
    int a[2] = {V(1), 2}, m[2][3] = {{1, 2, 3}, {4, 5, V(6)}};
    const int c[2] = {V(7), 8};
    int *p[2] = {a, m[1]};
    const auto (&ra)[2] = a;
    auto (&rc)[2] = c;
    auto (&rm)[2][3] = m;
    auto (*pm)[3] = m;
    auto *(&rp)[2] = p;
    rm[0][1] = 20; pm[1][0] = 40; *rp[0] = 10;
    I(ra[0]); I(rc[1]); I(m[0][1]); I(rp[1][0]); I(sizeof(rm) + sizeof(*pm)); //= 10 8 20 40 36
    I(std::is_same<decltype(rc), const int (&)[2]>::value); I(std::is_same<decltype(rp), int *(&)[2]>::value); //= 1 1
END

// fmt's `enum type { none, minus, plus }` beside `plus<T>` of an opened namespace.
namespace fp_opened {
template <class T> struct fp_both { __device__ T operator()(T a, T b) { return a + b; } };
template <class F> __device__ int fp_twice(int a, F f) { return f(a, a); }
}
namespace fp_named = fp_opened;
namespace fp_signs { enum type { fp_none, fp_both }; }
namespace fp_block { template <class T> __device__ int in_a_block(T a) { using namespace fp_opened; return fp_twice(a, fp_both<T>()) + fp_named::fp_both<T>()(a, 1); } }
using namespace fp_opened;
// CUTLASS opens `cute`, which has a class `plus`, beside its own `plus<T>`.
namespace fp_others { struct fp_own { int v; }; }
namespace fp_outer {
template <class T> struct fp_own { T v[3]; };
namespace deep { using namespace fp_others; template <class T> __device__ int size() { fp_own<T> o; return sizeof(o); } }
template <class T> __device__ int in_block() { using namespace fp_others; return sizeof(fp_own<T>); }
}
__device__ int fp_hidden(int fp_both) { using namespace fp_opened; return fp_both < 3 ? fp_both : 3; }
namespace fp_inner { template <class T> __device__ int outside(T a) { return fp_twice(a, fp_both<T>()); } }

BEGIN(templates_of_opened_namespaces_were_values_of_others)
    I(fp_inner::outside(V(4))); I(fp_block::in_a_block(V(5))); I(fp_signs::fp_both); //= 8 16 1
    I(fp_outer::deep::size<int>()); I(fp_outer::in_block<char>()); I(sizeof(fp_others::fp_own)); I(fp_hidden(V(2))); //= 12 3 4 2
END

// cuDF: words of CUDA's behind a function's name, and templates beside functions that the compiler provides.
struct fp_iterator {
    int *c;
    fp_iterator operator+ __host__ __device__(int i) { return {c + i}; }
    int &operator[] __device__(int i) { return at(c + i); }
    int get __device__ __host__ () const { return *c; }
  private:
    int & __device__ at(int *p) { return *p; }
};
int fp_word __device__(int x) { return 2 * x; }
namespace fp_times {
template <class Unit, class Rep> struct span { Rep n; };
struct days { int n; };
template <class To, class Rep> __device__ To floor(span<days, Rep> d) { return To{d.n + 1}; }
template <class To, class Unit, class Rep> __device__ int round(span<Unit, Rep> d) { return (int)(To)d.n + 7; }
}
template <class T> struct fp_formatter {
    __device__ int operator()(T t) const {
        auto whole = [t]() { return floor<fp_times::days>(typename T::span{t.n}).n * 100 + round<int>(typename T::span{t.n}); };
        return whole();
    }
};
struct fp_stamp { using span = fp_times::span<fp_times::days, int>; int n; };

BEGIN(words_behind_names_and_templates_named_like_functions)
    int a[3] = {V(1), 2, 3};
    fp_iterator it{a};
    (it + 1)[1] = 30;
    I(a[2]); I(it.get()); I(fp_word(V(4))); I(fp_formatter<fp_stamp>()(fp_stamp{V(3)})); I(floor(2.5f) + round(1.5)); //= 30 1 8 410 4
END

// vLLM's `vec_conversion<Tout, Tin>(x, kind = E4M3)`.
template <class A, class B> __device__ A fp_converted(const B &x, int kind = sizeof(A) + 1);
template <class A, class B> __device__ A fp_converted(const B &x, int kind) { return x + 100 * kind; }
template <> __device__ int fp_converted<int, float>(const float &x, int kind) { return x + kind; }
template <class A> struct fp_converters { template <class B> __device__ static A from(B x, A more = A(7)) { return x; } };
template <> template <> __device__ int fp_converters<int>::from<float>(float x, int more) { return x * more; }

BEGIN(specialisations_had_no_default_arguments)
    I(fp_converted<int>(V(2.0f))); I(fp_converted<int>(V(3))); I(fp_converted<int>(2.0f, 9)); I(fp_converters<int>::from(V(3.0f))); //= 7 503 11 21
END

// vLLM's `ScalarType`, PyTorch's checks: constant functions of the host's that throw.
#include <stdexcept>
constexpr int fp_checked(int x) { if (x < 0) throw std::runtime_error("negative"); return x * 2; }
constexpr int fp_or_throw(int x) { return x < 0 ? throw 1 : x + 1; }
template <int N> struct fp_sized { static constexpr int n = fp_checked(N); constexpr fp_sized() { if (N > 9) throw "large"; } int m = fp_or_throw(N); };

// What a lambda does is constant where it can be, by `auto` parameters, too.
constexpr int fp_by_lambda(int n) { return [](auto x, int y) -> int { return x + y; }(n, 1); }
template <class F> constexpr int fp_reduced(F f, int v) { return v; }
template <class F, class M, class... R> constexpr int fp_reduced(F f, int v, M m, R... r) { return fp_reduced(f, f(v, m), r...); }
constexpr int fp_bytes_of() { return fp_reduced([](int n, auto m) -> int { return n + (int)sizeof(m); }, 0, 'a', 1, 2.0); }

BEGIN(constant_functions_that_throw_were_refused)
    constexpr int c = fp_or_throw(3);
    constexpr fp_sized<4> s;
    int a[fp_checked(2)] = {V(6)};
    I(c); I(s.n); I(s.m); I(sizeof(a)); I(fp_checked(V(5)) + a[0]); I(fp_or_throw(V(7))); //= 4 8 5 16 16 8
    static_assert(fp_by_lambda(3) == 4, "");
    constexpr int bytes = fp_bytes_of();
    I(bytes); //= 13
END

// lmdeploy's attention: a class calls a template of its parameter's by a name that its own functions have; the parameter's
// class is declared after it.
template <class Impl> struct fp_attention {
    __device__ int store(int x, int y) { return Impl::store<true>(x, [&](int i, const auto &v) { return i < y && y > 1 ? i + v : 0; }); }
    __device__ int other(int x) { return Impl::store<false>(x, [](int i, int v) { return i * v; }); }
};
struct fp_attended {
    template <bool Twice, class F> __device__ static int store(int x, F &&f) { return f(x, 3) * (Twice ? 2 : 1); }
};

// CuTe's `shape<1>(layout)`: of functions of one name some take a pack of types behind the first argument, some one of numbers.
template <class First, class... Rest> static constexpr bool fp_first_empty = __is_empty(First);
template <bool E, class... T> struct fp_stored { int v = sizeof...(T) + E; };
template <class... T> using fp_stored_t = fp_stored<fp_first_empty<T...>, T...>;
template <class... T> struct fp_pack : fp_stored_t<T...> {};
template <size_t I, class... T> __device__ int fp_get(const fp_pack<T...> &t) { return t.v + I; }
template <size_t I, class... T> __device__ int fp_get(fp_pack<T...> &t) { return t.v + I; }
template <int I, int J, int... Is, class T> __device__ int fp_get(T &&t) { return 100 * I + 10 * J + (int)sizeof...(Is) + t.v; }
template <class T> struct fp_layout : fp_pack<T, T> {
    template <int... I> __device__ decltype(auto) shape() const { return fp_get<0, I...>(static_cast<const fp_pack<T, T> &>(*this)); }
};

// lmdeploy's linear attention: an index is a lambda's parameter, whose class converts to a constant; a lambda in that one names it.
template <auto V> struct fp_constant { __host__ __device__ constexpr operator decltype(V)() const { return V; } };
template <size_t I> __device__ int fp_at(const int (&a)[4]) { return a[I]; }
template <class F> __device__ void fp_each(F f) { f(fp_constant<0>{}); f(fp_constant<2>{}); }

BEGIN(templates_of_classes_that_come_later_and_constants_that_lambdas_hold)
    fp_attention<fp_attended> a;
    I(a.store(V(4), V(9))); I(a.other(V(5))); //= 14 15
    fp_layout<int> l;
    I(l.shape<1>()); I(l.template shape<>()); I((l.shape<2, 3>())); //= 12 2 23
    int v[4] = {V(1), 2, 3, 4}, sum = 0;
    fp_each([&](auto i) { fp_each([&](auto j) { sum = 10 * sum + fp_at<i>(v) + fp_at<j>(v); }); });
    fp_each([&](auto i) { fp_constant<1> c; auto by_copy = [=] { int room[i + 1] = {}; return fp_at<c>(v) + fp_at<i>(v) + (int)sizeof(room); }; sum += 10000 * by_copy(); });
    I(sum); //= 242446
    int x = V(1), &r = x;
    auto same = [&] { const bool one = &r == &x, none = &r == nullptr; return one * 10 + none; };
    I(same()); //= 10
END

// lmdeploy's quantisation: `float` beside `half`; OpenCV's connected components: an alignment behind the name.
BEGIN(numbers_beside_half_precision_and_alignments_behind_names)
    float low = V(2.5f);
    __half h = __float2half(V(1.5f));
    __nv_bfloat16 b = __float2bfloat16(V(4.5f));
    low = __hmin(low, h);
    F(low); F((float)__hmax(V(2), h)); F((float)__hmax(b, 1.0)); F((float)__hdiv(h, 0.5f)); //= 1.5 2.0 4.5 3.0
    char buffer alignas(int)[4] = {}, wide alignas(16) = 1;
    *reinterpret_cast<int *>(buffer) = V(258);
    I(buffer[0] + buffer[1] + wide); I((size_t)&wide % 16); //= 4 0
END
