//! C++20 and integers of 128 bits: what is refused, and where.
#![allow(clippy::unwrap_used)]

use sema::{SemaOptions, check};
use source::Session;
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

/// What is said of a text.
fn said(text: &str) -> Vec<String> {
    let dialect = Dialect::CudaCxx { std: 20 };
    let mut session = Session::default();
    let id = session.sources.add("t", text.to_owned()).unwrap();
    let tokens = preprocess(&mut session, &PpOptions::new(dialect), id);
    let ast = syntax::parse::parse(&mut session, &dialect, &tokens);
    check(&mut session, &SemaOptions::new(dialect), &ast);
    session.diagnostics.iter().map(|d| d.message.clone()).collect()
}

#[test]
fn what_is_wrong_is_said() {
    for (text, wanted) in [
        ("template<class T> concept C = ;", "expected an expression"),
        ("concept C = true;", "a concept is a template"),
        ("template<class T> concept C = requires(T t) { { t } -> ; };", "expected a name"),
        (
            "template<class T> concept C = sizeof(T) > 4; template<C T> struct S {};\n__device__ S<char> *f();",
            "the constraints of `S` are not satisfied",
        ),
        (
            "template<class T> concept C = sizeof(T) > 4; template<C T> __device__ int f(T) { return 1; }\n\
             __device__ int g() { return f('a'); }",
            "no matching function for call to `f(char)`",
        ),
        (
            "template<class T> concept C = sizeof(T) > 4; __device__ int f();\n__device__ void g() { C auto x = f(); }",
            "the constraints of `auto` are not satisfied: it stands for `int`",
        ),
        (
            "template<class T> concept C = sizeof(T) > 4; __device__ C auto *f(int *a) { return a; }",
            "the constraints of `auto` are not satisfied: it stands for `int`",
        ),
        (
            "template<class T, int N> concept C = sizeof(T) > N;\n\
             __device__ void g(double *p) { C<4> auto *x = p; const C<8> auto &y = *p; }",
            "the constraints of `auto` are not satisfied: it stands for `double`",
        ),
        ("__device__ bool f(int a) { return (a <=> 2) < 0; }", "`<=>` of built-in types needs `#include <compare>`"),
        (
            "struct V { int a[1000]; bool operator==(const V &) const = default; };\n\
             __device__ bool f(V &v) { return v == v; }",
            "compares 256 elements at most",
        ),
        (
            "__device__ int f(unsigned __int128 x) { switch (x) { case 1: return 1; case 0 ... 2: return 2; } return 0; }",
            "duplicate case value",
        ),
        (
            "__device__ int f(int n) { __builtin_va_list l; __builtin_va_start(l, n); return 0; }",
            "without variable arguments",
        ),
        ("__device__ int f(int n, ...) { int l; return __builtin_va_arg(l, int); }", "expected a `va_list`"),
        (
            "struct A { __device__ A(const A &); }; __device__ int f(...); __device__ int g(A &a) { return f(a); }",
            "cannot be passed through `...`",
        ),
        ("__device__ bool f(int a, float *r) { return __builtin_add_overflow(a, 1, r); }", "a pointer to an integer"),
        (
            "__device__ bool f(__int128 a, long *r) { return __builtin_add_overflow(a, 1, r); }",
            "128 bits are not supported",
        ),
        (
            "struct B { __int128 a : 70; };\n__device__ int f(B b) { return b.a; }",
            "the width of a bit-field must be a constant that fits",
        ),
        ("constexpr __int128 z = (__int128)1 / 0;", "must be initialised by a constant expression"),
        (
            "template <class F, class... A> __device__ void p(F f, A... a) { (f(1, a...), ...); }\n\
             __device__ void g() { p([](int) {}); }",
            "pack expansion does not contain a parameter pack",
        ),
        // Where a kernel uses it: what only the host has is its compiler's.
        (
            "template<class T> struct A {}; template<class T> struct A { int a; };\n\
             __device__ int f() { return sizeof(A<int>); }",
            "redefinition of `A`",
        ),
        ("template<class T> struct A; struct A {};\n__device__ int f(A *p) { return p != 0; }", "redefinition of `A`"),
        (
            "struct A {}; template<class T> struct A {};\n__device__ int f(A<int> *p) { return p != 0; }",
            "redefinition of `A`",
        ),
        (
            "struct A { __device__ operator long() const; __device__ operator char() const; };\n\
             __device__ int f(A a) { return a + 1; }",
            "invalid operands to binary expression (`A` and `int`)",
        ),
        (
            "struct A { __device__ operator int() const; }; __device__ int operator+(A, long); __device__ int operator+(A, float);\n\
             __device__ int f(A a) { return a + 1; }",
            "call to `operator+` is ambiguous",
        ),
        (
            "struct A { int r() &; };\n__device__ int f(int (A::*p)() &) { return (A().*p)(); }",
            "the member function that is pointed to is for objects that last (`&`)",
        ),
        (
            "struct N {}; struct A : N { int x; };\n__device__ int f() { A a{1}; return a.x; }",
            "initializing `N` with an expression of incompatible type `int`",
        ),
    ] {
        let said = said(text);
        assert!(said.iter().any(|s| s.contains(wanted)), "{text}: wanted {wanted:?} in {said:#?}");
    }
}

#[test]
fn constraints_that_ask_for_themselves_end() {
    let text = "template<class T> struct W {}; template<class T> constexpr bool deep(); template<class T> concept F = deep<T>();\n\
                template<class T> constexpr bool deep() { return F<W<T>>; } __device__ bool f() { return F<int>; }";
    assert_eq!(said(text), Vec::<String>::new());
}

/// The stack ended first.
#[test]
fn functions_whose_constraints_call_them_cannot_be_called() {
    let text = "namespace n { struct S {};\n\
                template <class T> __device__ int g(T t) requires requires { g(t); g(t); } { return 1; }\n\
                template <class T> requires requires(T t) { h(t); h(t); } __device__ int h(T t) { return 2; } }\n\
                template <class T> struct W { __device__ int f() requires requires(W w) { w.f(); } { return 4; } };\n";
    let (none, unsatisfied) = ("no matching function", "the constraints of `f` are not satisfied");
    for (call, wanted) in [("g(n::S())", none), ("h(n::S())", none), ("W<int>().f()", unsatisfied)] {
        let said = said(&format!("{text}__global__ void q(int *o) {{ *o = {call}; }}"));
        assert!(said.iter().any(|s| s.contains(wanted)), "{call}: {said:#?}");
    }
}

/// Of the host's functions only the names are known, which was no answer to what requires them.
#[test]
fn what_the_host_has_was_not_there_for_requirements() {
    let asserted = |condition: &str| {
        said(&format!(
            "class B {{
                int *p;
            public:
                B(int, int, int);
                [[nodiscard]] __host__ void *alloc(unsigned long n, unsigned long a = 256) {{ if (a > 3) {{ throw 1; }} return nullptr; }}
                [[nodiscard]] __host__ __attribute__((visibility(\"hidden\"))) bool operator==(B const &r) const noexcept {{ return p == r.p; }}
                __device__ int dev() {{ return 1; }}
            }};
            int of_host(int);
            template <class T> concept Allocates = requires(T r) {{ r.alloc(3); }};
            template <class T> concept Compares = requires(const T &a, const T &b) {{ a == b; a != b; }};
            template <class T> concept Calls = requires(T r) {{ of_host(r); }};
            template <class T> concept Missing = requires(T r) {{ r.nothing(3); }};
            template <class T> concept Orders = requires(T r) {{ r < r; }};
            template <class T> concept Miscalled = requires(T r) {{ r.dev(3); }};
            static_assert({condition});"
        ))
    };
    assert_eq!(asserted("Allocates<B> && Compares<B> && Calls<int>"), Vec::<String>::new());
    assert_eq!(asserted("!Missing<B> && !Orders<B> && !Miscalled<B>"), Vec::<String>::new());
    assert_eq!(asserted("Missing<B>"), ["static assertion failed"]);
    assert_eq!(asserted("Miscalled<B>"), ["static assertion failed"]);
    // Which constructors the host has is not known.
    assert_eq!(asserted("__is_constructible(B, char *)"), Vec::<String>::new());
}

/// Found in stdexec, CUB and GROMACS: each of these was an error.
#[test]
fn names_behind_brackets_were_taken_for_members() {
    let text = "
        template <class T> struct mt { using q = T; };
        namespace st { inline namespace v1 { namespace de { template <class T> extern mt<T> dv; } } }
        template <class T> using dt = decltype(st::de::dv<T>)::q;
        namespace st::de { template <class T> inline constexpr mt<dt<T> &> dv<T &>{}; template <class T> inline constexpr mt<int> dv<T *>{}; }
        struct has_member { unsigned mt[4]; };
        template <class T> __device__ __attribute__((__always_inline__)) ::mt<T> f() { return {}; }
        template <class T> ::mt<T> g();
        struct G { static constexpr int k = 3; inline static constexpr G (*made)(int) = nullptr; };
        static_assert(sizeof(decltype(st::de::dv<char &>)) == 1 && G::k == 3 && G::made == nullptr);
        __global__ void k() { f<int>(); }";
    assert_eq!(said(text), Vec::<String>::new());
}
