//! What programs ask of types in constant expressions: each assertion holds with nvcc, too.
#![allow(clippy::unwrap_used)]

use sema::{SemaOptions, check};
use source::Session;
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

/// Everything before the assertions: what most of them are written with.
const COMMON: &str = "
#define HD __host__ __device__
template <class T> T &&dv() noexcept;
template <class A, class B, class = void> struct Assigns { static constexpr bool value = false; };
template <class A, class B> struct Assigns<A, B, decltype(void(dv<A>() = dv<B>()))> { static constexpr bool value = true; };
";

/// What is said of assertions that hold, behind declarations.
fn assert_all(declarations: &str, assertions: &[&str]) {
    let dialect = Dialect::CudaCxx { std: 20 };
    let asserted: String = assertions.iter().map(|a| format!("static_assert({a});\n")).collect();
    let mut session = Session::default();
    let id = session.sources.add("t", format!("{COMMON}{declarations}\n{asserted}")).unwrap();
    let tokens = preprocess(&mut session, &PpOptions::new(dialect), id);
    let ast = syntax::parse::parse(&mut session, &dialect, &tokens);
    check(&mut session, &SemaOptions::new(dialect), &ast);
    let said: Vec<String> = session.diagnostics.iter().map(|d| format!("{d:?}")).collect();
    assert!(said.is_empty(), "{said:#?}");
}

#[test]
fn types_of_functions_had_no_noexcept() {
    assert_all(
        "struct S {};
         using N = int (S::*)() noexcept; using O = int (S::*)();
         using CN = int (S::*)() const noexcept; using C = int (S::*)() const;
         using FN = int (*)() noexcept; using F = int (*)();
         HD int quiet() noexcept; HD int loud();
         template <class T> struct Which { static constexpr int value = 0; };
         template <class R, class... A> struct Which<R(A...)> { static constexpr int value = 1; };
         template <class R, class... A> struct Which<R(A...) noexcept> { static constexpr int value = 2; };
         template <class R, class... A> struct Which<R(A...) const &> { static constexpr int value = 3; };
         template <class T> struct Promises { static constexpr bool value = false; };
         template <class R, bool N> struct Promises<R() noexcept(N)> { static constexpr bool value = N; };
         template <class R, class... A> constexpr int arity(R (*)(A...)) { return sizeof...(A); }",
        &[
            "Assigns<O &, N &>::value && !Assigns<N &, O &>::value",
            "!Assigns<O &, CN &>::value && !Assigns<CN &, C &>::value && Assigns<C &, CN &>::value",
            "!Assigns<O &, C &>::value && Assigns<F &, FN &>::value && !Assigns<FN &, F &>::value",
            "!__is_same(decltype(quiet), decltype(loud)) && __is_same(decltype(quiet), int() noexcept)",
            "Which<int(int)>::value == 1 && Which<int(int) noexcept>::value == 2 && Which<int(int) const &>::value == 3",
            "Promises<int() noexcept>::value && !Promises<int()>::value",
            "arity(quiet) == 0 && noexcept(dv<FN>()()) && !noexcept(dv<F>()())",
            "__is_same(decltype(true ? &quiet : &loud), F)",
        ],
    );
}

#[test]
fn references_to_functions_with_qualifiers_were_made() {
    assert_all(
        "typedef void Member() const;
         template <class T, class = void> struct Refers { static constexpr bool value = false; };
         template <class T> struct Refers<T, decltype(void((T & (*)())0))> { static constexpr bool value = true; };
         template <class T, class = void> struct Points { static constexpr bool value = false; };
         template <class T> struct Points<T, decltype(void((T *)0))> { static constexpr bool value = true; };
         struct Of { HD void f() const; }; template <class T> struct Taken; template <class T, class C> struct Taken<T C::*> { using type = T; };",
        &[
            "!Refers<Member>::value && Refers<void()>::value && !Refers<void() &>::value",
            "!Refers<void() const volatile && noexcept>::value && !Points<Member>::value && Points<int>::value",
            "__is_same(Taken<decltype(&Of::f)>::type, Member) && __is_same(const Member, Member)",
        ],
    );
}

#[test]
fn destructors_that_throw_were_quiet() {
    assert_all(
        "struct Loud { HD ~Loud() noexcept(false) {} }; struct Virtual { virtual HD ~Virtual() {} };
         struct Holds { Loud l; }; template <class T> constexpr bool quiet = noexcept(T());",
        &[
            "!__is_nothrow_constructible(Loud) && __is_nothrow_constructible(Virtual) && __is_constructible(Loud)",
            "!quiet<Loud> && !quiet<Holds> && quiet<Virtual>",
        ],
    );
}

#[test]
fn whether_classes_made_of_classes_by_threes_throw_took_forever() {
    let classes: String = (1..20).map(|i| format!("struct C{i} {{ C{} a[1], b, c; }};\n", i - 1)).collect();
    let first = "struct C0 { HD C0() noexcept {} HD ~C0() {} };\n";
    assert_all(&format!("{first}{classes}"), &["__is_nothrow_destructible(C19)", "noexcept(C19())"]);
}

#[test]
fn objects_that_are_only_moved_were_assigned() {
    assert_all(
        "struct Moved { HD Moved(Moved &&); HD Moved &operator=(Moved &&); }; struct Of { Moved m; };
         template <class T> struct W { W() = default; template <class V> HD W &operator=(W<V> &&); HD W &operator=(W &&);
           template <class V> HD W(W<V> &&); HD W(W &&); HD W &operator=(decltype(nullptr)); };
         struct Plain { int i; };",
        &[
            "Assigns<Moved &, Moved &&>::value && !Assigns<Moved &, const Moved &&>::value",
            "!Assigns<Moved, Moved &>::value && !__is_assignable(Moved &, const Moved &&)",
            "!__is_assignable(Of &, const Of &&) && Assigns<Of &, Of &&>::value",
            "!__is_assignable(W<int> &, W<int> &) && !__is_assignable(W<int>, const W<int> &&)",
            "__is_assignable(W<int>, W<int>) && __is_assignable(W<int>, W<short>)",
            "!__is_constructible(W<int>, W<int> &) && __is_constructible(W<int>, W<int>)",
            "!__is_assignable(volatile Plain &, Plain) && __is_assignable(Plain &, Plain)",
            "!__is_assignable(int, int) && !__is_assignable(int &&, int) && __is_assignable(int &, int)",
        ],
    );
}

#[test]
fn what_is_not_for_everybody_was() {
    assert_all(
        "struct P1 { protected: P1() = default; }; struct P2 { protected: HD P2() {} public: HD P2(int) {} };
         class P3 { HD P3(); }; class P4 { HD ~P4(); };
         struct P5 { P5(const P5 &) = default; HD P5(int); private: HD P5(P5 &&); };
         class P6 { HD P6 &operator=(const P6 &); public: HD P6 &operator=(int); };
         struct B {}; struct D : private B {}; class E : B {}; struct F : B {};
         template <class T, class = void> constexpr bool ends = false;
         template <class T> constexpr bool ends<T, decltype(void(dv<T &>().~T()))> = true;
         struct V { virtual HD ~V() = 0; };
         template <class T> struct Hides : private B { T t;
           template <class O> HD friend bool operator==(const Hides &, const Hides<O> &) requires(sizeof(O) == sizeof(T)) { return true; } };
         HD bool operator==(const B &, const B &);
         template <class X, class Y> concept Equal = requires(X x, Y y) { x == y; };",
        &[
            "!__is_constructible(P1) && !__is_constructible(P2) && !__is_constructible(P3) && !__is_constructible(P4)",
            "__is_constructible(P2, int) && !__is_constructible(P5, P5) && __is_constructible(P5, const P5 &)",
            "!__is_assignable(P6 &, P6 &) && __is_assignable(P6 &, int)",
            "!__is_constructible(B &, D &) && !__is_constructible(B *, E *) && !__is_constructible(B, D)",
            "__is_constructible(B *, F *) && __is_constructible(B &, F &)",
            "ends<V> && ends<volatile V> && ends<const volatile V> && !ends<P4> && ends<const int>",
            "__is_destructible(const volatile V) && !__is_destructible(P4)",
            "Equal<Hides<int>, Hides<float>> && !Equal<Hides<int>, Hides<char>>",
        ],
    );
}

#[test]
fn conditionals_were_values() {
    assert_all(
        "struct S {}; struct V { HD operator S volatile &() volatile; }; struct C { HD operator S const &() const; };
         struct M { HD operator S &&() &&; }; struct R { HD operator S &() const; }; struct B {}; struct D : B {};",
        &[
            "__is_same(decltype(false ? dv<V volatile &>() : dv<S volatile &>()), S volatile &)",
            "__is_same(decltype(false ? dv<C const &>() : dv<S const &>()), S const &)",
            "__is_same(decltype(false ? dv<M &&>() : dv<S &&>()), S &&)",
            "__is_same(decltype(true ? dv<D &>() : dv<const B &>()), const B &)",
            "__is_same(decltype(false ? dv<const int *&>() : dv<void *&>()), const void *)",
            "__is_same(decltype(false ? dv<volatile int *>() : dv<const int *>()), const volatile int *)",
            "__is_same(decltype(false ? dv<const B *>() : dv<volatile D *>()), const volatile B *)",
            "requires { static_cast<S volatile &>(dv<V volatile &>()); static_cast<S &>(dv<R>()); }",
        ],
    );
}

#[test]
fn calls_were_ambiguous_or_not_found() {
    assert_all(
        "struct Begin { template <class T> HD constexpr int operator()(T (&)[]) const { return 1; }
           template <class T, int N> HD constexpr int operator()(T (&)[N]) const { return 2; } };
         template <class C> struct View { const C *p; HD constexpr View(const C *p) : p(p) {} };
         template <class C, class T, class V> HD constexpr int compare(View<C> a, V v, View<C> b) { return sizeof(T) + v + (a.p == b.p); }
         struct Yes { HD explicit(true) Yes(int); }; struct No { HD explicit(false) No(int); };
         template <bool B> struct If { HD explicit(B) If(int); };
         constexpr int list[3] = {};
         struct Pair { int a; HD constexpr Pair(int x, int y) : a(x + y) {} }; struct Of { Pair p; HD constexpr Of(Pair p) : p(p) {} };
         template <class T, class P> HD constexpr int made() { Of o(P(T(1), T(2))); return o.p.a; }",
        &[
            "made<int, Pair>() == 3",
            "Begin{}(list) == 2",
            "compare<char, int>(\"a\", 3, \"b\") == 7",
            "__is_convertible_to(int, No) && !__is_convertible_to(int, Yes)",
            "__is_convertible_to(int, If<false>) && !__is_convertible_to(int, If<true>)",
        ],
    );
}

#[test]
fn floating_point_builtins_had_no_value_in_constants() {
    assert_all(
        "HD constexpr bool g(float x) { return __builtin_isnan(x); } HD constexpr float h(float x) { return __builtin_fabsf(x); }
         HD constexpr float step(float x) { ++x; x--; return x++; }",
        &[
            "!g(1.f) && g(__builtin_nanf(\"\")) && h(-2.f) == 2.f && step(3.f) == 3.f",
            "__builtin_isinf(__builtin_huge_valf()) && __builtin_fabs(-2.0) == 2.0 && __builtin_signbit(-1.0f)",
            "__builtin_copysign(2.0, -1.0) == -2.0 && __builtin_isfinite(1.0)",
        ],
    );
}

#[test]
fn constructors_as_guides_did_not_know_their_class() {
    assert_all(
        "template <class E> struct Ext { int n; };
         struct L { template <class E> class Mapping { public: using extents_type = E; int s;
           HD constexpr Mapping(const extents_type &e) : s(e.n) {} }; };
         template <class T> struct Vec { using value_type = T; using pointer = value_type *; pointer p; int n;
           HD constexpr Vec(pointer p, int n) : p(p), n(n) {} HD constexpr Vec(Vec<T> *o, char) : p(o->p), n(1) {} };
         template <class A> struct Args { int n; };
         template <class O, class C> struct Ctx { O o; Args<Ctx> a; HD constexpr explicit Ctx(O o, Args<Ctx> a) : o(o), a(a) {} };
         HD constexpr int all() { int x = 3; L::Mapping m{Ext<int>{6}}; Vec v(&x, 2); Vec w(&v, 'c'); Args<Ctx<int, char>> a{4};
           Ctx c{5, a}; return m.s + v.n + w.n + c.o + c.a.n; }",
        &["all() == 18"],
    );
}

#[test]
fn names_of_the_library_and_of_the_compiler_were_unknown() {
    assert_all(
        "#include <charconv>
         struct Hours { double v; };
         HD constexpr Hours operator\"\"_h(long double v) { return Hours{(double)v}; }
         namespace std { HD constexpr Hours operator\"\"h(long double v) { return Hours{(double)v}; } }
         using namespace std;
         HD constexpr int which(uint3) { return 1; } HD constexpr int which(const char *) { return 2; }
         template <class T> HD int at(uint3, T);
         HD inline void lambdas() {
           auto a = [] __device__(int x) { return x; }; auto b = [](int x) { return x; };
           auto c = [] __host__ __device__(int x) { return x; };
           static_assert(__nv_is_extended_device_lambda_closure_type(decltype(a)));
           static_assert(!__nv_is_extended_device_lambda_closure_type(decltype(b)));
           static_assert(!__nv_is_extended_device_lambda_closure_type(decltype(c)));
           static_assert(__nv_is_extended_host_device_lambda_closure_type(decltype(c)));
         }",
        &[
            "(int)std::errc::invalid_argument == 22 && (int)std::errc::value_too_large == 75",
            "(4.0h).v == 4.0 && (4.5_h).v == 4.5",
            "__is_same(decltype(which(dv<dim3>())), int) && __is_same(decltype(at(dv<dim3>(), 1)), int)",
        ],
    );
}

#[test]
fn constructors_that_move_const_objects_were_not_asked() {
    assert_all(
        "struct C { HD C(const C &&) noexcept; HD C(C &&) = delete; };
         struct D { HD D(D &&) = delete; HD D(const D &&) noexcept; };
         struct E { C c; };
         template <class T> struct Box { T v; HD explicit operator T &() noexcept; HD explicit operator const T &() const noexcept; };",
        &[
            "__is_constructible(C, const C &&) && !__is_constructible(C, C &&)",
            "!__is_constructible(C, C &) && !__is_constructible(C, const C &)",
            "__is_constructible(D, const D &&) && !__is_constructible(D, D &&)",
            "!__is_constructible(E, E) && !__is_constructible(E, const E &)",
            "__is_constructible(int &, Box<int> &) && __is_constructible(const int &, const Box<int> &)",
            "__is_constructible(const int &, Box<int> &) && !__is_constructible(int &, const Box<int> &)",
        ],
    );
}

#[test]
fn special_members_whose_constraints_do_not_hold_were_there() {
    assert_all(
        "template <class T> struct R { T t; HD R(T) {} R() requires (sizeof(T) > 4) = default; };
         template <class T> struct Q { Q() = default; Q(const Q &) requires (sizeof(T) > 4) = default; Q(Q &&) requires (sizeof(T) > 8) = default; };
         template <class T> struct S { T t; HD ~S() requires (sizeof(T) > 4) {} ~S() requires (sizeof(T) <= 4) = default; };
         struct W { template <class U = int> HD W(); }; struct V { W w; V() = default; };
         template <class T> struct N { template <class U = T, class = decltype(U::none)> HD N(); }; struct M { N<int> n; };",
        &[
            "!__is_constructible(R<int>) && __is_constructible(R<long long>)",
            "!__is_constructible(Q<int>, const Q<int> &) && __is_constructible(Q<long long>, const Q<long long> &)",
            "__is_trivially_destructible(S<int>) && !__is_trivially_destructible(S<long long>)",
            "__is_constructible(W) && __is_constructible(V) && !__is_trivially_constructible(V)",
            "!__is_constructible(N<int>) && !__is_constructible(M)",
        ],
    );
}

#[test]
fn members_of_temporaries_by_pointers_were_lvalues() {
    assert_all(
        "template <class A, class B> concept conv = requires { dv<void (&)(B)>()(dv<A>()); };
         template <class T> concept post = requires(T t) { t++; }; struct NI { HD NI &operator++(); };
         class NC { HD NC(NC &); }; union EU {};
         struct G { char m; }; using PM = char G::*; class E { public: HD E(E &); };",
        &[
            "__is_same(decltype(dv<G>().*dv<PM>()), char &&) && __is_same(decltype(dv<G &>().*dv<PM>()), char &)",
            "__is_same(decltype(dv<const G>().*dv<PM>()), const char &&) && __is_same(decltype((*dv<G *>()).*dv<PM>()), char &)",
            "!__is_constructible(E, const E &) && !__is_constructible(E, E) && __is_constructible(E, E &)",
            "!conv<NC &, NC> && !__is_constructible(NC, NC &) && !post<NI> && !__has_unique_object_representations(EU)",
            "!__is_pod(void) && !__is_trivial(void) && !__is_standard_layout(void) && !__is_trivially_copyable(void)",
        ],
    );
}

#[test]
fn aggregates_of_classes_were_made_trivially_of_numbers() {
    assert_all(
        "struct C { HD C(int); }; struct A { C m; }; struct B { int m; }; struct K { const int k; }; struct D { int a = 3; };
         struct P { A c; }; struct H { int k; C m{1}; };",
        &[
            "!__is_trivially_constructible(A, int) && !__is_trivially_constructible(P, int)",
            "__is_trivially_constructible(B, int) && __is_trivially_constructible(K, int)",
            "__is_trivially_constructible(D, int) && !__is_trivially_constructible(H, int)",
        ],
    );
}
