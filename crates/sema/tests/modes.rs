//! What nvcc's mode takes and clang's refuses (`-fmode`), and SCALE's words in both.
#![allow(clippy::unwrap_used)]

mod common;

use common::compiled;
use sema::{Mode, SemaOptions, check};
use source::Session;
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

/// The diagnostics of a text: code and message, errors and warnings.
fn said_in(
    dialect: Dialect,
    mode: Mode,
    text: &str,
    change: impl FnOnce(&mut SemaOptions, &mut Session),
) -> Vec<String> {
    let mut session = Session::default();
    let id = session.sources.add("t.cu", text.to_owned()).unwrap();
    let mut opts = SemaOptions { mode, ..SemaOptions::new(dialect) };
    change(&mut opts, &mut session);
    let tokens = preprocess(&mut session, &PpOptions::new(dialect), id);
    let ast = syntax::parse::parse_as(&mut session, &dialect, mode, &tokens);
    check(&mut session, &opts, &ast);
    for d in session.diagnostics.iter() {
        assert!(!d.span().is_none(), "{} has a place", d.code);
    }
    session
        .diagnostics
        .iter()
        .map(|d| format!("{}: {} / {}", d.code, d.message, d.help.as_deref().unwrap_or("")))
        .collect()
}

fn said(mode: Mode, text: &str) -> Vec<String> {
    said_in(Dialect::CUDA, mode, text, |_, _| {})
}

/// nvcc's mode says nothing, clang's an error with this code, once, and what to do.
#[track_caller]
fn only_nvcc(code: &str, text: &str) {
    assert_eq!(said(Mode::Nvcc, text), Vec::<String>::new(), "nvcc: {text}");
    let clang = said(Mode::Clang, text);
    assert!(clang.len() == 1 && clang[0].starts_with(code), "clang: {clang:?}");
    assert!(clang[0].contains("-fmode=nvcc") || code == "E0425", "what to do: {clang:?}");
}

/// Both modes say nothing.
#[track_caller]
fn both(text: &str) {
    for mode in [Mode::Nvcc, Mode::Clang] {
        assert_eq!(said(mode, text), Vec::<String>::new(), "{mode:?}: {text}");
    }
}

const V: &str = "struct V { typedef int value; template<class U> __device__ U get() { return U(3); }
    template<class U> struct In { typedef U type; }; template<class U> static __device__ U make() { return U(); } };\n";

#[test]
fn typename_may_be_missing_for_nvcc() {
    for body in [
        "template<class T> __device__ int f(T) { T::value x = 3; return x; }",
        "template<class T> __device__ T::value f(T) { return 3; }",
        "template<class T> __device__ int f(T, T::value x = 1) { return x; }",
        "template<class T> struct S { T::value m; };",
        "template<class T> struct S { typedef T::value type; };",
        "template<class T> struct P { typedef T type; }; template<class T> __device__ void f() { P<T>::type x; (void)x; }",
        "template<class T> __device__ int f(T) { return sizeof(T::value *); }",
    ] {
        only_nvcc("E0449", &format!("{V}{body}"));
    }
    both(&format!("{V}template<class T> __device__ typename T::value f(T) {{ typename T::value x = 3; return x; }}"));
    // What is known without an argument needs none, and neither do bases.
    both("template<class T> struct S { typedef T type; S::type a; S<T>::type b; struct I {}; I c; S::I d; };");
    both("template<class T> struct B { typedef int type; }; template<class T> struct D : B<T>::base {};");
}

#[test]
fn cxx20_wants_typename_in_fewer_places() {
    let cxx20 = Dialect::CudaCxx { std: 20 };
    let text = format!("{V}template<class T> __device__ T::value f(T) {{ return 3; }}");
    assert_eq!(said_in(cxx20, Mode::Clang, &text, |_, _| {}), Vec::<String>::new());
    let text = format!("{V}template<class T> __device__ int f(T) {{ T::value x = 3; return x; }}");
    assert_eq!(said_in(cxx20, Mode::Clang, &text, |_, _| {}).len(), 1);
}

#[test]
fn template_may_be_missing_for_nvcc() {
    for body in [
        "template<class T> __device__ int f(T t) { return t.get<int>(); }",
        "template<class T> __device__ int f(T *t) { return t->get<int>(); }",
        "template<class T> struct S { T m; __device__ int f() { return m.get<int>(); } };",
        "template<class T> __device__ int f() { return T::make<int>(); }",
        "template<class T> __device__ void f() { typename T::In<int>::type x = 0; (void)x; }",
    ] {
        only_nvcc("E0458", &format!("{V}{body}"));
    }
    both(&format!("{V}template<class T> __device__ int f(T t) {{ return t.template get<int>(); }}"));
    both(&format!("{V}template<class T> __device__ int f(T) {{ V v; return v.get<int>(); }}"));
    both(
        "template<class T> struct S { template<class U> __device__ U g() { return U(); } __device__ int f() { return this->g<int>() + g<int>(); } };",
    );
}

#[test]
fn bases_that_depend_are_searched_for_nvcc() {
    let b = "template<class T> struct B { T m; typedef T type; __device__ T g() { return m; } __device__ T h(T x) { return x; } };\n";
    for body in [
        "template<class T> struct D : B<T> { __device__ void f() { m = 3; } };",
        "template<class T> struct D : B<T> { __device__ T f() { return g(); } };",
        "template<class T> struct D : B<T> { __device__ T f(T t) { return h(t); } };",
        "template<class T> struct D : B<T> { type x; };",
        "template<class T> struct D : B<T> { __device__ T f(); }; template<class T> __device__ T D<T>::f() { return m; }",
    ] {
        only_nvcc("E0459", &format!("{b}{body}"));
    }
    both(&format!(
        "{b}template<class T> struct D : B<T> {{ __device__ T f() {{ return this->m + this->g() + B<T>::m; }} }};"
    ));
    both(&format!("{b}template<class T> struct D : B<T> {{ using B<T>::m; __device__ T f() {{ return m; }} }};"));
    both(&format!(
        "{b}__device__ int q; template<class T> struct D : B<T>, B<int> {{ __device__ T f() {{ return q + threadIdx.x + warpSize; }} }};"
    ));
    // A base that depends on nothing is searched by both.
    both(&format!("{b}template<class T> struct D : B<int> {{ T t; __device__ T f() {{ return m + t; }} }};"));
}

#[test]
fn commas_spaces_and_lists_that_only_nvcc_takes() {
    only_nvcc("E0214", "template<class A, class B = int> struct P { A a; B b; };\n__device__ P<int,> p;");
    only_nvcc(
        "E0214",
        "__global__ void k(int *o, int a, int b) { asm(\"add.s32 %0, %1, %2;\" : \"=r\"(*o) : \"r\"(a) \"r\"(b)); }",
    );
    only_nvcc(
        "E0214",
        "__global__ void k(int *o, int a) { asm(\"mov.s32 %0, %1;\" : \"=r\"(*o) : [x] \"r\"(a) [y] \"r\"(a)); }",
    );
    only_nvcc("E0214", "template<int N> __global__ void k(int *o) { *o = N; }\nint main() { k<3><< <1, 1>>>(0); }");
    only_nvcc("E0214", "template<int N> __global__ void k(int *o) { *o = N; }\nint main() { k<3><<<1, 1>> >(0); }");
    both("template<int N> __global__ void k(int *o) { *o = N; }\nint main() { k<3><<<1, 1>>>(0); }");
    // Two closing brackets and a comparison are no launch.
    both(
        "template<class T> struct S { T v; };\n__device__ bool f(S<S<int> > *a, int b) { return b >> 2 > 1 && a != 0; }",
    );
}

#[test]
fn declarations_may_differ_in_where_they_run_for_nvcc() {
    for text in [
        "__host__ __device__ int f(int); __device__ int f(int x) { return x; }",
        "__device__ int f(int); __host__ __device__ int f(int x) { return x; }",
        "template<class T> __host__ __device__ T f(T x); template<class T> __device__ T f(T x) { return x; }",
        "struct S { __host__ __device__ int f(); }; __device__ int S::f() { return 1; }",
    ] {
        only_nvcc("E0334", text);
    }
    // For clang these are two functions.
    both("__host__ int f(int); __device__ int f(int x) { return x; }");
}

#[test]
fn a_function_declared_for_the_device_and_defined_without_the_word_is_device_code_for_nvcc() {
    for text in [
        "__device__ int f(int); int f(int x) { return x + 1; } __global__ void k(int *o) { *o = f(1); }",
        "struct S { __device__ int f(); }; int S::f() { return 1; } __global__ void k(int *o) { S s; *o = s.f(); }",
    ] {
        let nvcc = said(Mode::Nvcc, text);
        assert!(nvcc.len() == 1 && nvcc[0].starts_with("W0332"), "{nvcc:?}");
    }
    let clang = said(Mode::Clang, "struct S { __device__ int f(); }; int S::f() { return 1; }");
    assert!(clang.len() == 1 && clang[0].starts_with("E0334"), "{clang:?}");
    // A host function of the same name and other parameters stays the host's.
    both("__device__ int f(int); int f(const char *s) { return printf(\"%s\", s); }");
}

#[test]
fn const_errors_in_templates_that_nothing_instantiates() {
    for body in [
        "template<class T> __device__ void f() { const int x = 1; x = 2; }",
        "template<class T> __device__ void f(const int n) { n++; }",
        "template<class T> struct S { const int m; __device__ void f() { m = 1; } };",
        "template<class T> struct S { int m; __device__ void f() const { this->m += 1; } };",
        "template<class T> __device__ void f() { for (const int i = 0; i < 3; ++i); }",
    ] {
        only_nvcc("E0425", body);
    }
    both("template<class T> __device__ void f() { const T x = 1; x = 2; }");
    both("template<class T> struct S { mutable int m; int *p; __device__ void f() const { m = 1; *p = 2; } };");
    both("template<class T> __device__ void f() { const int x = 1; { int x = 2; x = 3; } (void)x; }");
    // An instance has the error in both, once.
    let text = "template<class T> __device__ void f() { const int x = 1; x = 2; } __global__ void k() { f<int>(); }";
    for mode in [Mode::Nvcc, Mode::Clang] {
        assert_eq!(said(mode, text).len(), 1, "{mode:?}");
    }
}

#[test]
fn inputs_of_asm_may_be_written_for_nvcc() {
    only_nvcc(
        "E0335",
        "__global__ void k(int *o, int a) { asm(\"add.s32 %1, %1, 1; mov.s32 %0, %1;\" : \"=r\"(*o) : \"r\"(a)); }",
    );
    // Tied to an output it is one; addresses in brackets are read.
    both(
        "__global__ void k(int *o, int a) { asm(\"add.s32 %0, %1, 1; st.u32 [%2], %0;\" : \"=r\"(*o) : \"0\"(a), \"l\"(o)); }",
    );
}

#[test]
fn memory_may_be_read_as_another_type_in_both() {
    both("__global__ void k(float *f, int *i) { *f = 1.0f; *i = *(int *)f; *f = *(float *)i; }");
}

#[test]
fn warnings_about_ptx_have_scales_names() {
    let all = |change: fn(&mut SemaOptions, &mut Session), text: &str| said_in(Dialect::CUDA, Mode::Nvcc, text, change);
    let plain = |text: &str| all(|_, _| {}, text);
    let one = |said: &[String], code: &str| assert!(said.len() == 1 && said[0].starts_with(code), "{said:?}");
    let shared = "__global__ void k(int *o) { __shared__ int e[32]; asm(\"ld.shared.b32 %0, [%1];\" : \"=r\"(*o) : \"l\"(&e[1])); }";
    one(&plain(shared), "W0335");
    let cast = "__global__ void k(int *o) { __shared__ int e[32]; asm(\"ld.shared.b32 %0, [%1];\" : \"=r\"(*o) : \"l\"((size_t)e)); }";
    one(&plain(cast), "W0335");
    both(
        "__global__ void k(int *o) { __shared__ int e[32]; unsigned a = __cvta_generic_to_shared(e); asm(\"ld.shared.b32 %0, [%1];\" : \"=r\"(*o) : \"r\"(a)); }",
    );
    both("__global__ void k(int *o, int *p) { asm(\"ld.global.b32 %0, [%1];\" : \"=r\"(*o) : \"l\"(p)); }");
    one(&plain("__global__ void k(int *o) { asm(\"{ .reg .b32 x; mov.b32 %0, 1; }\" : \"=r\"(*o)); }"), "W0333");
    both(
        "__global__ void k(int *o) { asm(\"{ .reg .b32 x<2>; .reg .pred p; mov.b32 x1, 1; setp.ne.s32 p, x1, 0; @p mov.b32 %0, x1; }\" : \"=r\"(*o)); }",
    );
    one(&plain("__device__ void f() { asm(\".reg .b32 x; mov.b32 x, 1;\"); }"), "W0334");
    both("__global__ void k() { asm(\".reg .b32 x; mov.b32 x, 1;\"); }");
    let mask = "__global__ void k(int *o) { asm(\"shfl.sync.bfly.b32 %0, %1, 1, 31, 0xFFFFFFFF;\" : \"=r\"(*o) : \"r\"(o[1])); }";
    both(mask);
    let wide = |o: &mut SemaOptions, _: &mut Session| {
        o.target = target::amd::AmdArch::parse("gfx90a").unwrap().target().with_warp_size(64).unwrap();
    };
    one(&all(wide, mask), "W0336");
    assert_eq!(all(wide, &mask.replace("0xFFFFFFFF", "-1")), Vec::<String>::new());
    one(&all(|_, s| s.diagnostics.enabled_groups.push("ptx-wave64".to_owned()), mask), "W0336");
    // What is read in 32 bits went unnoticed.
    for text in
        ["mov.u32 %0, %%lanemask_lt;", "activemask.b32 %0;", "{ .reg .pred p; vote.sync.ballot.b32 %0, p, -1; }"]
    {
        let narrow = format!("__global__ void k(int *o) {{ asm(\"{text}\" : \"=r\"(*o)); }}");
        one(&all(wide, &narrow), "W0336");
        both(&narrow);
    }
    // Each is switched off by its name.
    let off = |_: &mut SemaOptions, s: &mut Session| {
        s.diagnostics.muted_groups = ["ptx-binding-as-address", "ptx-unused-local-variable", "ptx-local-variable-leak"]
            .map(str::to_owned)
            .to_vec();
    };
    assert_eq!(all(off, shared), Vec::<String>::new());
}

#[test]
fn strings_and_structures_as_operands_of_asm() {
    let text = "constexpr const char *s(int n) { switch (n) { case 0: return \"\"; case 1: return \".sat\"; } return \"?\"; }
        static constexpr char a[] = \".ftz\";
        template<int N> __device__ float add(float x) { float r; asm(\"add.f32%1 %0, %2, %2;\" : \"=f\"(r) : \"C\"(s(N)), \"f\"(x)); return r; }
        struct P { short x, y; };
        __global__ void k(float *o, P *p) { o[0] = add<0>(o[1]) + add<1>(o[2]);
            asm(\"add%1.f32 %0, %2, %2;\" : \"=f\"(o[3]) : \"C\"(a), \"f\"(o[4]));
            asm(\"mov.b32 %0, %1;\" : \"=r\"(p[0]) : \"r\"(p[1])); }";
    both(text);
    let bad = said(Mode::Nvcc, "__global__ void k(const char *s) { asm(\"bar%0.sync 0;\" :: \"C\"(s)); }");
    assert!(bad.len() == 1 && bad[0].starts_with("E0337"), "{bad:?}");
    let bad =
        said(Mode::Nvcc, "struct S { int a[3]; }; __global__ void k(S *s) { asm(\"mov.b32 %0, 1;\" : \"=r\"(*s)); }");
    assert!(bad.len() == 1 && bad[0].starts_with("E0336") && bad[0].contains("12 bytes"), "{bad:?}");
}

#[test]
fn classes_of_a_side_and_getters() {
    both(
        "struct __device__ D { int f() { return 1; } static int g(); __host__ int h(); template<class T> T t(T x) { return x; } };
        int D::g() { return 2; }
        class __host__ __device__ B { public: B() : m(3) {} int f() const; int m; };
        int B::f() const { return m; }
        __global__ void k(int *o) { D d; B b; *o = d.f() + D::g() + b.f() + d.t(4); }",
    );
    let bad =
        said(Mode::Nvcc, "struct __host__ H { int f() { return 1; } }; __global__ void k(int *o) { H h; *o = h.f(); }");
    assert_eq!(bad.len(), 1, "{bad:?}");
    both(
        "__device__ int tid() { return threadIdx.x; } [[clang::getter(tid)]] int example;
        struct S { [[clang::getter(tid)]] static int member; };
        __global__ void k(int *o) { int tid = 0; o[example] = example * S::member + tid; }",
    );
    let bad = said(Mode::Nvcc, "[[clang::getter]] int x; __global__ void k(int *o) { *o = x; }");
    assert!(bad.iter().any(|m| m.starts_with("E0448")), "{bad:?}");
    // Where it is nothing it was taken and forgotten.
    for text in [
        "struct S { [[clang::getter(f)]] int x; }; __global__ void k(int *o) { S s; *o = s.x; }",
        "__global__ void k(int *o) { [[clang::getter(f)]] int x; *o = x; }",
    ] {
        let bad = said(Mode::Nvcc, &format!("__device__ int f() {{ return 1; }} {text}"));
        assert!(bad.iter().any(|m| m.starts_with("E0448")), "{text}: {bad:?}");
    }
}

const EACH: &str = "template<class F> __global__ void each(int *o, F f) { o[threadIdx.x] = f(threadIdx.x); }
    __device__ int twice(int x) { return 2 * x; } int only_host(int x) { return x; } namespace n { __device__ int off = 3; }\n";

#[test]
fn lambdas_of_host_code_are_for_the_device_where_they_can_be() {
    for lambda in [
        "[=](int i) { return i * a + N; }",
        "[a](int i) { return twice(i) + a; }",
        "[b = a + 1](int i) { return i + b; }",
        "[](int i) { return i * 2; }",
        "[=] __device__ (int i) { return a - i; }",
        "[=] __host__ __device__ (int i) { return a - i; }",
        "[=](int i) { auto inner = [=](int j) { return j + a; }; return inner(i); }",
    ] {
        let (kernels, said) =
            compiled(&format!("{EACH}void go(int *p, int a) {{ const int N = 7; each<<<1, 32>>>(p, {lambda}); }}"));
        assert_eq!((kernels.len(), said.len()), (1, 0), "{lambda}: {kernels:?} {said:?}");
    }
    let (kernels, said) = compiled(&format!(
        "{EACH}namespace n {{ void go(int *p) {{ each<<<1, 32>>>(p, [](int i) {{ return i + off; }}); }} }}"
    ));
    assert_eq!((kernels.len(), said.len()), (1, 0), "{kernels:?} {said:?}");
    // Two launches with two lambdas are two instances.
    let two =
        "void go(int *p) { each<<<1, 1>>>(p, [](int i) { return i; }); each<<<1, 1>>>(p, [](int i) { return -i; }); }";
    let (kernels, said) = compiled(&format!("{EACH}{two}"));
    assert_eq!((kernels.len(), said.len()), (2, 0), "{kernels:?} {said:?}");
    assert_ne!(kernels[0], kernels[1]);
}

#[test]
fn lambdas_could_not_name_template_parameters_around_them() {
    for (body, instances) in [
        // A type and a value; two instances of the function are two of the kernel.
        ("template<class T, int N> void go(T *p) { each<<<1, 32>>>(p, [=](int i) { T t = p[i]; return int(t * N + sizeof(T)); }); }
          void all(int *p) { go<int, 3>(p); go<int, 5>(p); }", 2),
        // A pack; a lambda in a lambda.
        ("template<class... Ts> void go(int *p) { each<<<1, 32>>>(p, [=](int i) { return i + int(sizeof...(Ts)); }); }
          void all(int *p) { go<int, char>(p); }", 1),
        ("template<class T> void go(int *p) { each<<<1, 32>>>(p, [=](int i) { auto f = [=](T x) { return x + T(i); }; return int(f(2)); }); }
          void all(int *p) { go<short>(p); }", 1),
        // Those of a class are the class's.
        ("template<class T> struct S { template<int N> void go(int *p) { each<<<1, 32>>>(p, [=](int i) { return int(T(i)) + N; }); } };
          void all(int *p) { S<char> s; s.go<4>(p); }", 1),
    ] {
        let (kernels, said) = compiled(&format!("{EACH}{body}"));
        assert_eq!((kernels.len(), said.len()), (instances, 0), "{body}: {kernels:?} {said:?}");
    }
}

#[test]
fn lambdas_could_not_name_types_constants_and_packs_of_the_function_around_them() {
    for (body, instances) in [
        ("template<class T> void go(T *p) { typedef T V; using W = V *; each<<<1, 32>>>(p, [=](int i) { W q = p; V v = q[i]; return int(v); }); }
          void all(int *p) { go<int>(p); }", 1),
        // Of one lambda in another, from the function around both.
        ("void go(int *p) { typedef short S; each<<<1, 32>>>(p, [=](int i) { auto f = [=](int j) { return int(S(j)) + i; }; return f(2); }); }", 1),
        // An enumeration of the function has no name on the device.
        ("void go(int *p) { enum { nt = 8 }; each<<<1, 32>>>(p, [=](int i) { int a[nt] = {}; return a[i % nt] - nt; }); }", 1),
        ("template<class... A> void go(int *p, A... a) { each<<<1, 32>>>(p, [=](int i) { return (a + ... + i) + int(sizeof...(a)); }); }
          void all(int *p) { go(p); go(p, 1); go(p, 2, 3.0f); }", 3),
        // The types of variables that they do not hold (MFEM): also where a parameter has the variable's name.
        ("void go(int *p) { const int Q = p[0]; auto get = [] __device__(const decltype(Q) &Q, int i) { return Q + i; };
          each<<<1, 32>>>(p, [=](int i) { return get(Q, i); }); }", 1),
        ("struct T { short s; }; void go(int *p) { T t{3}; each<<<1, 32>>>(p, [](decltype(t.s) i) -> decltype(sizeof(t)) { return i; }); }", 1),
        ("void go(int *p) { long z = 1; each<<<1, 32>>>(p, [=](int i) { auto f = [](decltype(z) j) { return int(j); }; return f(i); }); }", 1),
    ] {
        let (kernels, said) = compiled(&format!("{EACH}{body}"));
        assert_eq!((kernels.len(), said.len()), (instances, 0), "{body}: {kernels:?} {said:?}");
    }
}

/// MFEM's `NCL2FaceRestriction`: members of classes with virtual bases launch kernels with what the class and its bases hold.
#[test]
fn members_of_classes_with_virtual_bases_launch_kernels() {
    let classes = "struct Root { virtual ~Root() {} int h; };
        struct Base : Root { int y; virtual void go(int *p) const; };
        struct Own : virtual public Base { const int *q; int z; void go(int *p) const override; };";
    for (lambda, instances) in [
        ("auto held = q; const int n = y; each<<<1, 32>>>(p, [=] __device__(int i) { return held[i] + n; });", 1),
        ("auto held = z + h; each<<<1, 32>>>(p, [=] __host__ __device__(int i) { return held + i; });", 1),
        // Where a base of the object lies is asked in device code.
        ("auto o = this; each<<<1, 32>>>(p, [=] __device__(int i) { return o->y + i; });", 0),
        ("auto o = this; each<<<1, 32>>>(p, [=] __device__(int i) { return o->z + i; });", 0),
        ("Own o = *this; each<<<1, 32>>>(p, [=] __device__(int i) { return o.z + i; });", 0),
    ] {
        let (kernels, said) = compiled(&format!("{EACH}{classes} void Own::go(int *p) const {{ {lambda} }}"));
        assert_eq!((kernels.len(), said.len()), (instances, 1 - instances), "{lambda}: {kernels:?} {said:?}");
    }
}

#[test]
fn what_extern_template_leaves_to_others_was_instantiated() {
    let file = "template<int N> __global__ void k(int *p) { p[0] = N; }
        template<int N> void go(int *p) { k<N><<<1, 1>>>(p); }
        extern template void go<3>(int *);
        extern template void go<4>(int *);
        template void go<4>(int *);
        extern template __global__ void k<7>(int *);
        void all(int *p) { go<3>(p); go<5>(p); }";
    let (kernels, said) = compiled(file);
    assert_eq!((kernels.len(), said.len()), (2, 0), "{kernels:?} {said:?}");
    assert!(kernels.iter().all(|k| k.contains("Li4E") || k.contains("Li5E")), "{kernels:?}");
}

/// Ginkgo's kernels, whose host functions take a `std::shared_ptr`.
#[test]
fn explicit_instantiations_with_types_that_no_header_says_were_passed_over() {
    let file = "template <class T> __global__ void k(const T *p) {}
        struct X { int s; };
        template <class T> struct Dense { const T *at() const { return v; } T *v; std::unique_ptr<int> q; };
        template <class T> void go(std::shared_ptr<const X> e, const Dense<T> *d, bool b) { k<<<1, 1, 0, e->s>>>(d->at()); }
        template void go(std::shared_ptr<const X> e, const Dense<float> *d, bool b);
        template void go<double>(std::shared_ptr<const X> e, const Dense<double> *d, bool b);
        extern template void go<char>(std::shared_ptr<const X> e, const Dense<char> *d, bool b);";
    let (mut kernels, _) = compiled(file);
    kernels.sort();
    assert_eq!(kernels, ["_Z1kIdEvPKT_", "_Z1kIfEvPKT_"]);
}

/// As LightGBM's metrics are.
#[test]
fn members_of_class_templates_were_not_instantiated_explicitly() {
    let file = "template <class T> __global__ void k(T *p) { p[0] = T(1); }
        template <class T> class C { int n; protected: void go(T *p) const; void go(T *p, int); static void all(T *p) { k<<<1, 1>>>(p); } };
        template <class T> void C<T>::go(T *p) const { k<T><<<1, 1>>>(p); }
        template <class T> void C<T>::go(T *p, int) { k<T *><<<1, 1>>>(&p); }
        template void C<int>::go(int *) const;
        template void C<float>::go(float *, int);
        extern template void C<char>::go(char *) const;
        template void C<short>::all(short *);
        template <class T> struct D { struct In { T v; }; __device__ static T get(In i); };
        template <class T> __device__ T D<T>::get(In i) { return i.v; }
        template __device__ int D<int>::get(In i);";
    let (mut kernels, said) = compiled(file);
    kernels.sort();
    assert_eq!((kernels, said.len()), (vec!["_Z1kIPfEvPT_".into(), "_Z1kIiEvPT_".into(), "_Z1kIsEvPT_".into()], 0));
}

/// The kernels of nvcc for the same text.
#[test]
fn functions_and_variables_as_arguments_of_kernels_had_no_instance() {
    let (kernels, said) = compiled(
        "__device__ float sq(float x) { return x * x; }
        __device__ int table[4];
        namespace n {
        __device__ float half_of(float x) { return x / 2; }
        __device__ double half_of(double x) { return x / 2; }
        struct S { __device__ static float st(float x) { return x + 1; } __device__ float mem(float x) { return x; } };
        }
        template <float (*F)(float)> __global__ void k(float *p) { *p = F(*p); }
        template <int *P> __global__ void kp(int *p) { *p = P[1]; }
        template <float (n::S::*M)(float)> __global__ void km(float *p) { n::S s; *p = (s.*M)(*p); }
        template <class F, F f> struct W { __device__ float operator()(float x) const { return f(x); } };
        template <class G> __global__ void kw(float *p, G g) { *p = g(*p); }
        template <float (*F)(float)> void launch(float *p) { k<F><<<1, 1>>>(p); }
        void go(float *p) {
            k<sq><<<1, 1>>>(p); k<n::S::st><<<1, 1>>>(p); launch<n::half_of>(p); kp<table><<<1, 1>>>(nullptr);
            km<&n::S::mem><<<1, 1>>>(p); kw<<<1, 1>>>(p, W<float (*)(float), sq>());
        }",
    );
    let mut kernels = kernels;
    kernels.sort();
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(
        kernels,
        [
            "_Z1kIXadL_Z2sqfEEEvPf",
            "_Z1kIXadL_ZN1n1S2stEfEEEvPf",
            "_Z1kIXadL_ZN1n7half_ofEfEEEvPf",
            "_Z2kmIXadL_ZN1n1S3memEfEEEvPf",
            "_Z2kpIXadL_Z5tableEEEvPi",
            "_Z2kwI1WIPFffEXadL_Z2sqfEEEEvPfT_",
        ]
    );
}

#[test]
fn launches_in_templates_for_host_and_device_were_passed_over() {
    let (kernels, said) = compiled(
        "template <class T> __global__ void k(T *p) { *p = 1; }
        template <class T> __host__ __device__ void both(T *p) { k<<<1, 1>>>(p); }
        void go(float *p) { both(p); }",
    );
    assert_eq!((kernels, said), (vec!["_Z1kIfEvPT_".to_owned()], Vec::new()));
}

/// A template of the host that is only declared where it is called had no body ever after.
#[test]
fn launches_in_host_templates_that_are_defined_after_their_calls_were_passed_over() {
    let (kernels, said) = compiled(
        "template <class T> __global__ void k(T *p) { *p = 1; }
        template <class T> void run(T *p, int times = 1);
        void go(float *f, short *s) { run<float>(f); run(s); }
        template <class T> void run(T *p, int times) { while (times--) k<T><<<1, 1>>>(p); }",
    );
    let names = ["_Z1kIfEvPT_", "_Z1kIsEvPT_"].map(str::to_owned).to_vec();
    assert_eq!((kernels, said), (names, Vec::new()));
}

/// Of templates without parameters it was taken that only `decltype` names them, as it does `declval`.
#[test]
fn launches_in_host_templates_without_parameters_were_passed_over() {
    let (kernels, said) = compiled(
        "template <class T> __global__ void k(T *p) { *p = 1; }
        template <class T> T &&make() { static_assert(sizeof(T) != sizeof(T), \"no\"); }
        template <class T> void run() { T *p = nullptr; k<T><<<1, 1>>>(p); }
        template <int N> int count() { k<<<N, 1>>>((decltype(make<short>() + 1) *)nullptr); return N; }
        int main() { run<float>(); return count<3>(); }",
    );
    let names = ["_Z1kIfEvPT_", "_Z1kIiEvPT_"].map(str::to_owned).to_vec();
    assert_eq!((kernels, said), (names, Vec::new()));
}

/// Packs that others follow took all arguments.
#[test]
fn packs_of_parameters_that_others_follow_are_as_long_as_what_is_written() {
    let (kernels, said) = compiled(
        "template <class R, class... A> __global__ void k(R *r, const A *...a, long n, R *t, const A *...b) {
            int i = threadIdx.x;
            if (i < n) r[i] = (a[i] + ...); else t[i] = (b[i] * ...);
        }
        template <class... A> __device__ int front(A... a, long last) { return (last + ... + int(a)); }
        template <class... A, class T> __device__ T behind(A... a, T t) { return t + sizeof...(A); }
        static_assert(sizeof(behind(1.5)) == 8 && sizeof(behind<int, char>(1, 2, 2.5f)) == 4 && sizeof(front<>(4)) == 4);
        template <class R, class... A> void run(R *r, long n, const A *...a) {
            k<R, A...><<<1, 32>>>(r, (a)..., n, r + n, (a + n)...);
        }
        void go(float *r, const float *a, const short *b) { run(r, 9, a, b); run(r, 9, b); }",
    );
    let names = vec!["_Z1kIfJfsEEvPT_DpPKT0_lS1_S5_".to_owned(), "_Z1kIfJsEEvPT_DpPKT0_lS1_S5_".to_owned()];
    assert_eq!((kernels, said), (names, Vec::new()));
}

/// A member of the host's that names what the host alone knows made the class around it the host's.
#[test]
fn host_members_of_device_classes_depended_on_other_kernels() {
    let class = "namespace t { class only_host : std::runtime_error { std::string what_; };
        template <class P> struct res { typedef P pointer; P get() { throw t::only_host(3); } }; }
        __global__ void use(int *p) { t::res<int *>::pointer q = p; *q = 1; }";
    for before in ["", "template <class T> __global__ void other(T *p) { *p = 1; }"] {
        let (kernels, said) = compiled(&format!("{before}{class}"));
        assert_eq!((kernels.len(), said.len()), (1, 0), "{kernels:?} {said:?}");
    }
}

#[test]
fn enumerations_that_a_typedef_names_had_numbers_in_symbols() {
    let (kernels, _) = compiled(
        "typedef enum { low, high } level; typedef struct { int x; } later; extern \"C\" { typedef enum { one } other; }
        __global__ void k(int *p, level a, later b, other c) { p[0] = a + b.x + c; }",
    );
    assert_eq!(kernels, ["_Z1kPi5level5later5other"]);
}

#[test]
fn lambdas_that_only_the_host_can_run_are_named() {
    for lambda in [
        "[=](int i) { return only_host(i) + a; }",
        "[&](int i) { return i * a; }",
        "[=] __host__ (int i) { return i * a; }",
    ] {
        let (kernels, said) = compiled(&format!("{EACH}void go(int *p, int a) {{ each<<<1, 32>>>(p, {lambda}); }}"));
        assert!(
            kernels.is_empty() && said.len() == 1 && said[0].starts_with("W0331"),
            "{lambda}: {kernels:?} {said:?}"
        );
    }
}

/// The names are clang's and nvcc's.
#[test]
fn members_of_dependent_classes_in_namespaces_had_names_of_their_own() {
    let (mut kernels, said) = compiled(
        "namespace a { template <class T> struct tr { typedef T v; }; }
        template <class T> struct g { typedef T v; struct q { typedef T z; }; };
        template <class T> __global__ void f1(T, typename a::tr<T>::v *) {}
        template <class T> __global__ void f2(T, typename g<T>::v *, typename a::tr<T>::v) {}
        template <class T> __global__ void f3(T, typename g<T>::q::z *) {}
        template <class T> __global__ void f5(T, typename T::v *, typename T::v) {}
        template <class T> __global__ void f6(T, typename a::tr<T>::v *, typename a::tr<T>::v *, a::tr<T>) {}
        template __global__ void f1<int>(int, int *);
        template __global__ void f2<int>(int, int *, int);
        template __global__ void f3<int>(int, int *);
        template __global__ void f5<g<int>>(g<int>, int *, int);
        template __global__ void f6<int>(int, int *, int *, a::tr<int>);",
    );
    kernels.sort();
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(
        kernels,
        [
            "_Z2f1IiEvT_PN1a2trIS0_E1vE",
            "_Z2f2IiEvT_PN1gIS0_E1vEN1a2trIS0_E1vE",
            "_Z2f3IiEvT_PN1gIS0_E1q1zE",
            "_Z2f5I1gIiEEvT_PNS2_1vES3_",
            "_Z2f6IiEvT_PN1a2trIS0_E1vES5_S3_",
        ]
    );
}

#[test]
fn generic_lambdas_with_a_result_type_were_not_followed() {
    let (kernels, said) = compiled(
        "template <class T> __global__ void k(T t) {}
        template <class S> S go(S n) { auto l = [&](auto m) -> S { k<<<1, 1>>>(m); return n; }; return l(n) + l('a'); }
        void all() { go(3ll); }",
    );
    assert_eq!((kernels, said), (vec!["_Z1kIxEvT_".to_owned(), "_Z1kIcEvT_".to_owned()], Vec::new()));
}
