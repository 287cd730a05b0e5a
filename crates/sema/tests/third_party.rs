//! What real programs do that small examples do not: host code around kernels, library headers, overloads beside
//! provided functions.
#![allow(clippy::unwrap_used)]

use sema::{SemaOptions, check};
use source::{Session, Severity};
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

/// What there is to say about a CUDA file; the program's text if nothing.
fn problems(text: &str) -> (Vec<String>, String) {
    let dialect = Dialect::CUDA;
    let mut session = Session::default();
    let id = session.sources.add("t.cu", text.to_owned()).unwrap();
    let tokens = preprocess(&mut session, &PpOptions::new(dialect), id);
    let ast = syntax::parse::parse(&mut session, &dialect, &tokens);
    let program = check(&mut session, &SemaOptions::new(dialect), &ast);
    let list: Vec<String> = session
        .diagnostics
        .iter()
        .filter(|d| matches!(d.severity, Severity::Error | Severity::Warning))
        .map(|d| format!("{}: {}", d.code, d.message))
        .collect();
    let dump = if list.is_empty() { sema::dump::dump(&program, &session, dialect) } else { String::new() };
    (list, dump)
}

fn clean(text: &str) -> String {
    let (list, dump) = problems(text);
    assert_eq!(list, Vec::<String>::new(), "{text}");
    dump
}

fn fails(text: &str, expected: &str) {
    let (list, _) = problems(text);
    assert!(list.iter().any(|l| l.contains(expected)), "{text}: {list:?}");
}

const KERNEL: &str = "__global__ void k(float *p) { *p = 1; }\n";

#[test]
fn host_declarations_may_be_wrong() {
    for host in [
        "struct Watch { struct timeval from, to; double seconds; };",
        "class Shape { public: virtual float area() const = 0; virtual ~Shape() {} };",
        "struct Base; struct Derived : Base { int n; };",
        "using namespace boost;",
        "namespace po = boost::program_options;",
        "using Clock = chrono::steady;",
        "template <class T> struct Table { typename T::missing x; struct tm when; };",
        "static_assert(sizeof(int) == 4, \"\"); struct W { struct tm t; }; static W watch;",
    ] {
        clean(&format!("{host}\n{KERNEL}"));
    }
}

#[test]
fn device_code_brings_the_errors_out() {
    fails(
        "struct Watch { struct timeval from; int n; };\n__global__ void k(Watch w, int *p) { *p = w.n; }",
        "incomplete type `timeval`",
    );
    fails(
        "struct Watch { struct timeval from; };\ntypedef Watch Mine;\n__global__ void k(int *p) { *p = sizeof(Mine); }",
        "incomplete type `timeval`",
    );
    fails(
        "struct S { virtual int f() { return 1; } };\n__global__ void k(int *p) { S s; *p = s.f(); }",
        "calling a __host__ function (`f`)",
    );
    fails("using namespace nowhere;\n__device__ int f() { return nowhere::x; }", "`nowhere` is not a");
}

/// Eigen's `placeholders::end`: any parameter of that name brought out what is wrong with the host's variable.
#[test]
fn what_is_wrong_with_a_host_variable_stays_where_its_name_is_hidden() {
    let host = "struct S { int n; S(int n) : n(n) {} };
        namespace e { static const S last(4); static const S past(last.n + 1);
                      namespace ph { static const S end = e::past; } }
        namespace other { __device__ int end(int v) { return v + 1; } }\n";
    clean(&format!(
        "{host} template <class T> __device__ T mid(T begin, T end) {{ return begin + (end - begin) / 2; }}
        __global__ void k(int *p) {{ int end = p[0]; p[1] = mid(end, 8) + other::end(end); }}"
    ));
    fails(&format!("{host} __global__ void k(int *p) {{ p[0] = e::ph::end.n; }}"), "`past` is host code");
}

/// MFEM's face restrictions: classes of the host with virtual bases, and members that launch kernels.
#[test]
fn virtual_bases_of_the_host_are_no_business_of_device_code() {
    let classes = "struct B { int b; __host__ __device__ int get() const { return b; } };
        struct L : virtual B { int l; __host__ __device__ int own() { return 1; } };
        struct D : L { int d; void go(int *p); };
        template <class F> __global__ void k(F f, int *p) { *p = f(3); }
        void D::go(int *p) { int q = d + b; k<<<1, 1>>>([=] __device__(int x) { return x + q; }, p); }\n";
    clean(classes);
    let body = |text: &str| format!("{classes} __global__ void e(int *p, L *l) {{ {text} }}");
    for text in [
        "*p = l->b;",
        "*p = l->l;",
        "*p = l->get();",
        "B &b = *l; *p = b.b;",
        "*p = static_cast<B *>(l)->b;",
        "L o; o.l = 1; *p = o.l;",
        "*p = sizeof(D);",
        "*p = alignof(D);",
        "*p = (l + 1) == nullptr;",
    ] {
        fails(&body(text), "virtual base classes are not supported");
    }
    fails(&format!("{classes} __global__ void e(int *p, L l) {{ *p = 1; }}"), "virtual base classes are not supported");
    fails(&format!("{classes} __device__ L held;"), "virtual base classes are not supported");
}

/// MFEM's vtk.hpp.
#[test]
fn specialisations_of_the_hosts_templates_are_the_hosts() {
    clean(
        "template <typename T> void write(std::ostream &os, const T &v) { os << v; }
        template <> void write<unsigned char>(std::ostream &os, const unsigned char &v);
        __global__ void k(int *p) { *p = 1; }",
    );
    fails(
        "template <> __device__ void nobody<int>(int); __global__ void k(int *p) { *p = 1; }",
        "which is not a template",
    );
}

#[test]
fn overloads_stand_beside_provided_functions() {
    let dump = clean(
        "__device__ float2 make_float2(float s) { return make_float2(s, s); }\n\
         __device__ float2 make_float2(float3 a) { return make_float2(a.x, a.y); }\n\
         __device__ float max(float2 a) { return max(a.x, a.y); }\n\
         __global__ void k(float2 *p, float3 v) { p[0] = make_float2(1.f); p[1] = make_float2(v);\n\
           p[2] = make_float2(1.f, 2.f); p[3].x = max(p[1]); p[3].y = max(2, 3); }",
    );
    assert!(dump.contains("make_float2"), "{dump}");
    fails(
        "__device__ float2 make_float2(float3 a) { return make_float2(a.x, a.y); }\n\
         __global__ void k(float2 *p) { p[0] = make_float2(1.f, 2.f, 3.f); }",
        "make_float2",
    );
}

#[test]
fn constant_variables_have_no_const() {
    clean(
        "static __constant__ unsigned table[4][8];\n\
         __global__ void k(unsigned *p) { unsigned *row = &table[threadIdx.x][0]; *p = row[1]; }",
    );
}

#[test]
fn templates_defined_after_their_use() {
    let dump = clean(
        "template <class T> __device__ T twice(T x);\n\
         __global__ void k(float *p) { *p = twice(*p); }\n\
         template <class U> __device__ U twice(U y) { return y + y; }",
    );
    assert!(dump.contains("return"), "{dump}");
    clean(
        "namespace a { namespace b { template <class T> __global__ void k(T *p); } }\n\
         template <class T> __global__ void a::b::k(T *p) { *p = 1; }\n\
         template __global__ void a::b::k<int>(int *);",
    );
}

#[test]
fn constructor_templates_convert() {
    clean(
        "template <int N, class P = void> struct Tile {\n\
           __device__ Tile() {}\n\
           template <class Q> __device__ Tile(const Tile<N, Q> &) {}\n\
           __device__ int size() const { return N; }\n\
         };\n\
         template <int N> __device__ Tile<N, float> tile() { return Tile<N, float>(); }\n\
         __device__ int of(const Tile<8> &t) { return t.size(); }\n\
         __global__ void k(int *p) { Tile<8> t = tile<8>(); *p = of(t) + of(tile<8>()); }",
    );
}

#[test]
fn half_vectors_are_constructed() {
    clean(
        "#include <cuda_fp16.h>\n__global__ void k(half2 *p) { half2 a(1.f, 2.f); p[0] = a; p[1] = half2(a.x, a.y); }",
    );
}

#[test]
fn tags_without_names_in_functions() {
    clean(
        "__device__ float f(int n) { union { float f; int i; } u; u.i = n; enum { MAX = 3 }; return u.f + MAX; }\n\
         __global__ void k(float *p) { *p = f(1); }",
    );
}

#[test]
fn operators_in_words() {
    clean("__global__ void k(int *p, int n) { if (not (n < 1) and n not_eq 7 or p[1]) p[0] = compl n xor 3; }");
}

#[test]
fn stand_ins_of_library_headers() {
    clean(
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n\
         namespace cg = cooperative_groups;\n\
         struct Pair { double a; int b; };\n\
         __global__ void k(float *p, Pair *q) {\n\
           cg::thread_block b = cg::this_thread_block();\n\
           cg::thread_block_tile<32> w = cg::tiled_partition<32>(b);\n\
           auto t = cg::tiled_partition<16>(b);\n\
           float v = cg::reduce(w, p[b.thread_rank()], cg::plus<float>());\n\
           v += t.shfl_down(v, 1); b.sync(); cg::sync(t);\n\
           auto a = cg::coalesced_threads(); if (a.thread_rank() == 0) p[0] = v;\n\
           cg::thread_group g = cg::tiled_partition(b, 8); g.sync();\n\
           q[0] = w.shfl(q[1], 0); cg::this_grid().sync(); }",
    );
    clean(
        "#include <limits>\n#include <type_traits>\n#include <cuComplex.h>\n\
         template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0> __device__ T low(T) {\n\
           return std::numeric_limits<T>::lowest(); }\n\
         __global__ void k(float *p, cuFloatComplex *c) { p[0] = std::numeric_limits<float>::max() + low(1);\n\
           std::conditional_t<true, float, int> z = 1; p[1] = z; c[0] = cuCmulf(c[1], c[2]); }",
    );
    clean(
        "#include <cub/cub.cuh>\n\
         __global__ void k(float *p) { typedef cub::BlockReduce<float, 128> R; __shared__ typename R::TempStorage t;\n\
           float s = R(t).Sum(p[threadIdx.x]); __syncthreads(); float m = R(t).Reduce(s, cub::Max());\n\
           if (threadIdx.x == 0) p[0] = s + m; }",
    );
    clean(
        "#include <sys/time.h>\n#include <thrust/sort.h>\n#include <mpi.h>\n#include <GL/gl.h>\n__device__ clock_t c;",
    );
    // cuSZ and Parboil: with nvcc what they ask for is there whatever they include.
    clean("#include <numeric>\n__device__ float f = std::numeric_limits<float>::lowest();");
    clean("#include <unistd.h>\n#if _POSIX_VERSION < 200112L\n#error none\n#endif\n__device__ int c;");
    // AMGX: 83 of its files.
    clean("#include <cxxabi.h>\n#include <cuchar>\n#include <syscall.h>\n__device__ int c;");
}

/// What lies behind a member whose size nobody here knows is no place to read from; what lies before it is.
#[test]
fn members_behind_one_of_unknown_size_have_no_place() {
    let class = "struct Q { int n; cv::Mat image; int m; __device__ int front() { return n; } ";
    clean(&format!("{class}}};\n__global__ void k(Q *q, int *r) {{ *r = q->front(); }}\n"));
    fails(&format!("{class}}};\n__global__ void k(Q *q, int *r) {{ *r = q->m; }}\n"), "E0433: where `m` lies");
    fails(&format!("{class}__device__ int back() {{ return m; }} }};\n{KERNEL}"), "E0433: where `m` lies");
    let more = format!("{class}}};\nstruct R : Q {{ int k; }}; struct S {{ int a; Q q; int b; }};\n");
    fails(&format!("{more}__global__ void k(R *p, int *r) {{ *r = p->k; }}\n"), "E0433: where `k` lies");
    fails(&format!("{more}__global__ void k(S *p, int *r) {{ *r = p->b; }}\n"), "E0433: where `b` lies");
    clean(&format!("{more}__global__ void k(S *p, int *r) {{ *r = p->a; }}\n"));
}

/// The size of a class with such a member, and what is computed with it, was that of what is known of it.
#[test]
fn classes_of_unknown_size_were_as_large_as_what_is_known() {
    let class = "struct Q { int n; cv::Mat image; __device__ int front() { return n; } };\nstruct S { Q q[2]; };\n";
    for (used, said) in [
        ("(Q *q, int *r) { *r = sizeof(Q); }", "E0433: how large `Q` is"),
        ("(S *q, int *r) { *r = sizeof *q; }", "E0433: how large `S` is"),
        ("(Q *q, int *r) { *r = q[1].front(); }", "E0433: how large `Q` is"),
        ("(Q *q, int *r) { *r = (q + 1)->front(); }", "E0433: how large `Q` is"),
        ("(Q *q, int *r) { ++q; *r = q->front(); }", "E0433: how large `Q` is"),
        ("(Q *q, Q *p, int *r) { *r = q - p; }", "E0433: how large `Q` is"),
        ("(S *q, int *r) { *r = q->q[1].front(); }", "E0433: how large `Q` is"),
        ("(Q q, int *r) { *r = q.front(); }", "E0433: how large `Q` is"),
    ] {
        fails(&format!("{class}__global__ void k{used}\n"), said);
    }
    clean(&format!("{class}__global__ void k(Q *q, int *r) {{ *r = q->front(); }}\n"));
}

/// Each class doubles the empty ones in it, and arrays of arrays multiply them: their places were all remembered.
#[test]
fn empty_classes_in_doubled_classes_took_forever() {
    let mut text = "struct E {}; struct S0 { E e; int x; };\n".to_owned();
    for n in 1..34 {
        text += &format!("struct S{n} {{ S{m} a; S{m} b; }};\n", m = n - 1);
    }
    text += "struct A { S0 a[32][32][32][32][32]; };\n";
    let many: String = (0..3000).map(|n| format!("  [[no_unique_address]] E m{n};\n")).collect();
    text += &format!("struct M {{\n{many}}};\n__global__ void k(int *o) {{ o[0] = sizeof(M); }}\n");
    clean(&text);
}

/// Whatever a class leaves to the compiler, or deletes, is not copied byte by byte all the same; clang refuses each.
#[test]
fn objects_that_are_not_copied_were_copied_as_bytes() {
    let classes = "struct A { int x; A() = default; A(const A &) = delete; A &operator=(const A &) = delete; };
        struct N { int x; __device__ N() {} __device__ N(N &o) : x(o.x) {} };
        struct M { int x; __device__ M() {} __device__ M(M &&o) : x(o.x) {} __device__ M &operator=(M &&) { return *this; } };
        struct H { A a; };
        struct R { int &r; const int c; };
        struct U { int x; template <class T> __device__ U &operator=(T) { return *this; } template <class T> __device__ U &operator=(const T &) { return *this; } };
        __device__ int take(A a) { return a.x; }
        __device__ M made() { M m; return m; }
        __device__ auto given() { M m; return m; }\n";
    let refused = [
        ("A a; A b = a;", "call to deleted function"),
        ("A a, b; a = b;", "call to deleted function"),
        ("A a; *p = take(a);", "call to deleted function"),
        ("const N a; N b = a;", "does not take this object"),
        ("M a; M b = a;", "the constructor for copies of `M` is deleted"),
        ("M a, b; a = b;", "the assignment of `M` is deleted"),
        ("H a; H b = a;", "the constructor for copies of `H` is deleted"),
        ("H a, b; b = a;", "the assignment of `H` is deleted"),
        ("R a{*p, 3}, b{*p, 4}; a = b;", "the assignment of `R` is deleted"),
        ("A a; auto l = [a] { return a.x; };", "call to deleted function"),
        ("U u; u = 3;", "is ambiguous"),
    ];
    for (text, expected) in refused {
        fails(&format!("{classes}__global__ void k(int *p) {{ {text} }}"), expected);
    }
    clean(&format!(
        "{classes}__global__ void k(int *p) {{ M a = made(), b = given(), c = M(); a = made(); M d = static_cast<M &&>(a); H h{{}}; N n; N o = n; *p = b.x + c.x + d.x + h.a.x + o.x; }}"
    ));
}
