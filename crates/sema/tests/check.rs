//! Snippets of both dialects through preprocessor, parser and checker.
#![allow(clippy::unwrap_used)]

use sema::{Mode, SemaOptions, check};
use source::{Session, Severity};
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

struct Checked {
    session: Session,
    dump: String,
    program: sema::program::Program,
}

fn run(dialect: Dialect, text: &str) -> Checked {
    run_as(Mode::Nvcc, dialect, text)
}

fn run_as(mode: Mode, dialect: Dialect, text: &str) -> Checked {
    let mut session = Session::default();
    let id = session.sources.add("t", text.to_owned()).unwrap();
    let tokens = preprocess(&mut session, &PpOptions::new(dialect), id);
    let ast = syntax::parse::parse_as(&mut session, &dialect, mode, &tokens);
    let program = check(&mut session, &SemaOptions { mode, ..SemaOptions::new(dialect) }, &ast);
    let dump =
        if session.diagnostics.has_errors() { String::new() } else { sema::dump::dump(&program, &session, dialect) };
    Checked { session, dump, program }
}

fn messages(c: &Checked) -> Vec<String> {
    c.session
        .diagnostics
        .iter()
        .map(|d| {
            let s = match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                _ => "note",
            };
            format!("{} {s}: {}", c.session.sources.display(d.span()), d.message)
        })
        .collect()
}

#[track_caller]
fn good(dialect: Dialect, text: &str) -> Checked {
    let c = run(dialect, text);
    assert_eq!(messages(&c), Vec::<String>::new(), "{text}");
    // What is C++ to the letter is taken in both modes.
    assert_eq!(messages(&run_as(Mode::Clang, dialect, text)), Vec::<String>::new(), "clang mode: {text}");
    c
}

#[track_caller]
fn says(dialect: Dialect, text: &str, wanted: &str) {
    let c = run(dialect, text);
    let m = messages(&c);
    assert!(m.iter().any(|m| m.contains(wanted)), "wanted {wanted:?} in {m:#?}");
}

const CL: Dialect = Dialect::OPENCL;
const CU: Dialect = Dialect::CUDA;

#[test]
fn a_kernel_of_each_dialect() {
    let c =
        good(CL, "__kernel void k(__global float *a, int n) { int i = get_global_id(0); if (i < n) a[i] *= 2.0f; }");
    assert!(c.dump.contains("kernel k"), "{}", c.dump);
    let c = good(
        CU,
        "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = a[i] * 2.0f; }",
    );
    assert!(c.dump.contains("kernel _Z1kPfi"), "{}", c.dump);
}

#[test]
fn templates_are_deduced_and_instantiated() {
    let c = good(
        CU,
        "template<typename T, int N> __device__ T sum(const T (&a)[N]) { T s = 0;\n#pragma unroll N\nfor (int i = 0; i < N; i++) s += a[i]; return s; }\n\
         template<int B> __global__ void k(float *p) { __shared__ float t[B]; t[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[0] = sum(t); }\n\
         template __global__ void k<32>(float *);",
    );
    assert!(c.dump.contains("_Z1kILi32EEvPf"), "{}", c.dump);
    assert!(c.dump.contains("Count(32)"), "{}", c.dump);
    assert_eq!(c.session.ledger.len(), 1);
}

#[test]
fn class_templates_members_and_operators() {
    let c = good(
        CU,
        "template<class T> struct SharedMemory { __device__ operator T*() { extern __shared__ int s[]; return (T*)s; } };\n\
         struct V { float x, y; __device__ V(float a, float b) : x(a), y(b) {} __device__ V operator+(const V &o) const { return V(x + o.x, y + o.y); } };\n\
         template<typename T, int N> struct Vec { T d[N]; __device__ T &operator[](int i) { return d[i]; } };\n\
         __global__ void k(float *p) { float *s = SharedMemory<float>(); V a(1, 2), b = a + V(3, 4); Vec<float, 4> v; v[0] = b.x; s[0] = v[0]; p[0] = s[0] + b.y; }",
    );
    assert!(c.dump.contains("_ZNK1VplERKS_"), "{}", c.dump);
}

#[test]
fn cuda_vectors() {
    good(
        CU,
        "__global__ void k(float4 *p) { float4 v = p[threadIdx.x]; v.x += 1.0f; p[0] = make_float4(v.x, v.y, 0, 1); dim3 d(2); uint3 t = threadIdx; p[1].x = d.x + t.y; }",
    );
}

#[test]
fn opencl_vectors() {
    let c = good(
        CL,
        "__kernel void k(__global float4 *p, __global int4 *q) { float4 v = p[0]; v.xy = v.yx; v = v * 2.0f + (float4)(1, 2, 3, 4); p[0] = v.wzyx; q[0] = v < p[1]; q[1] = convert_int4_sat(v); p[1] = as_float4(q[0]); p[2] = q[0] ? v : p[3]; }",
    );
    assert!(c.dump.contains(".s10"), "{}", c.dump);
    says(CL, "__kernel void k(__global float4 *p, __global int4 *q) { p[0] = q[0]; }", "incompatible type");
}

#[test]
fn errors_name_what_is_wrong() {
    says(CL, "__kernel void k(__global int *a) { a[0] = cuont; int count; }", "undeclared identifier `cuont`");
    says(
        CL,
        "int f(int a, int b) { return a + b; } __kernel void k(__global int *a) { a[0] = f(1); }",
        "too few arguments",
    );
    says(
        CU,
        "__device__ void f(int); __device__ void f(float*); __global__ void k(double2 d) { f(d); }",
        "no matching function",
    );
    says(CU, "__global__ void k(const int *a) { a[0] = 1; }", "read-only variable is not assignable");
    says(CU, "__global__ int k() { return 1; }", "kernel must have void return type");
    says(CU, "void h() {} __global__ void k() { h(); }", "calling a __host__ function");
    says(CL, "__kernel void k(float *a) {}", "must reside in");
    says(CL, "__kernel void k(__global int **a) {}", "pointer to a pointer");
    says(CL, "__kernel void k(bool b) {}", "cannot be used as the type of a kernel parameter");
    says(CL, "__kernel void k(__global int *a, __local int *b) { a = b; }", "incompatible type");
    says(CU, "__device__ int f(int a) { if (a) return 1; }", "control can reach the end");
    says(
        CU,
        r#"__device__ int f() asm("x"); __device__ int f() { return 1; } __device__ int g() asm("x"); __device__ int g() { return 2; }"#,
        "`f()` and `g()` are both called `x` in the object",
    );
    says(CU, "__global__ void k(int *a) { a[0] = 1 << 40; a[1] = 1 / 0; }", "shift count");
}

#[test]
fn unroll_hints_by_dialect() {
    let lp = "for (int i = 0; i < 4; i++) a[i] = 0; }";
    let cl = |h: &str| format!("__kernel void k(__global int *a, int x) {{\n{h}\n{lp}");
    let cu = |h: &str| format!("__global__ void k(int *a, int x) {{\n{h}\n{lp}");
    says(CL, &cl("#pragma unroll -1"), "error: negative unroll factor");
    says(CU, &cu("#pragma unroll -1"), "warning: unroll factor cannot be zero or negative");
    says(CL, &cl("#pragma unroll 0"), "note: unroll factor 0");
    says(CU, &cu("#pragma unroll 0"), "warning: unroll factor cannot be zero or negative");
    says(CL, &cl("#pragma unroll x+1"), "error: unroll factor is not an integer constant");
    says(CU, &cu("#pragma unroll x+1"), "error: unroll factor is not an integer constant");
    says(CU, &cu("#pragma unroll 1.5"), "error: unroll factor must be an integer");
    says(CU, &cu("#pragma unroll 4294967296"), "warning: unroll factor 4294967296 is too large");
    says(
        CL,
        "__kernel void k(__global int *a) {\n#pragma unroll 2\nif (a[0]) a[1] = 0; }",
        "error: `#pragma unroll 2` must precede",
    );
    says(
        CU,
        "__global__ void k(int *a) {\n#pragma unroll 2\nif (a[0]) a[1] = 0; }",
        "warning: `#pragma unroll 2` must precede",
    );
    let c = good(CU, &cu("#pragma unroll"));
    assert!(c.dump.contains("loop 0: Full"), "{}", c.dump);
    let c = good(CU, &cu("[[clang::loop_unroll 2]]"));
    assert!(c.dump.contains("loop 0: Count(2)"), "{}", c.dump);
    let c = good(CL, &cl("__attribute__((opencl_unroll_hint(3)))"));
    assert!(c.dump.contains("loop 0: Count(3)"), "{}", c.dump);
    let c = good(CU, &cu("#pragma nounroll"));
    assert!(c.dump.contains("loop 0: Disable"), "{}", c.dump);
}

#[test]
fn attributes_enter_the_ledger() {
    let c = good(
        CL,
        "__kernel __attribute__((reqd_work_group_size(8, 8, 1))) __attribute__((vec_type_hint(float4))) void k(__global int *a) { a[0] = 1; }",
    );
    assert_eq!(c.program.functions[0].attrs.reqd_work_group_size.unwrap().value, [8, 8, 1]);
    assert_eq!(c.session.ledger.len(), 2);
    let c = good(CU, "__global__ void __launch_bounds__(256, 2) k(int *a) { a[0] = 1; }");
    assert_eq!(c.program.functions[0].attrs.launch_bounds.unwrap().value.max_threads, 256);
    let c = good(CU, "__global__ __cluster_dims__(2) void k(int *a) { a[0] = 1; }");
    assert_eq!(c.program.functions[0].attrs.cluster_dims.unwrap().value, [2, 1, 1]);
    says(CU, "__global__ __cluster_dims__(8, 8) void k() {}", "16 blocks in all");
    says(CU, "__global__ __cluster_dims__(0) void k() {}", "positive constants");
    says(CU, "__global__ __attribute__((alwais_inline)) void k() {}", "unknown attribute `alwais_inline`");
}

#[test]
fn constants_are_evaluated() {
    let c = good(
        CU,
        "constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n\
         constexpr int sq(int n) { int r = 0; for (int i = 0; i < n; i++) r += n; return r; }\n\
         __global__ void k(int *a) { int b[fib(10)]; constexpr int s = sq(5); b[0] = s; a[0] = b[0] + sizeof(b); static_assert(fib(10) == 55, \"\"); }",
    );
    assert!(c.dump.contains("25:int"), "{}", c.dump);
}

#[test]
fn lane_masks_and_provable() {
    says(
        CU,
        "__global__ void k(unsigned *a) { unsigned m = __ballot_sync(~cudaLaneMask_t(0), a[0] > 1); a[0] = m; }",
        "implicit conversion of `cudaLaneMask_t`",
    );
    let c = good(CU, "__global__ void k(int *a, int n) { if (__builtin_provable(n % 4 == 0)) a[0] = 1; }");
    assert!(c.dump.contains("provable("), "{}", c.dump);
}

/// `__ballot_sync` and others give masks, which are `unsigned int` to overloads, templates and references where warps have 32
/// lanes: each line was an error.
#[test]
fn masks_of_32_lanes_are_unsigned_int() {
    // What loses lanes where warps have 64 is said.
    let c = run(
        CU,
        "template <class T> __device__ T larger(T a, T b) { return a > b ? a : b; }
         template <class T> struct Width; template <> struct Width<unsigned> { static constexpr int of = 4; };
         template <class T> __device__ int width(T) { return Width<T>::of; }
         template <class A, class B> struct Same { static constexpr bool is = false; };
         template <class A> struct Same<A, A> { static constexpr bool is = true; };
         __device__ int sign(int) { return 1; } __device__ int sign(unsigned) { return 2; }
         __device__ int wide(unsigned long long) { return 1; } __device__ int wide(unsigned) { return 2; }
         __device__ void next(unsigned &r) { r += 1; }
         __device__ int late(unsigned m); __device__ int late(cudaLaneMask_t m) { return m; }
         struct Masks { cudaLaneMask_t m; __device__ cudaLaneMask_t get() const { return m; } };
         __global__ void k(int *o, unsigned *u) {
             o[0] = larger(__ballot_sync(~0u, o[1]), 3u) + width(__activemask()) + sign(__activemask());
             o[1] = wide(__activemask()) + sign(__match_any_sync(~0u, o[3])) + late(__activemask()) + late(3u);
             auto m = __ballot_sync(~0u, o[2]);
             next(m);
             unsigned *p = &m; const unsigned &c = m; cudaLaneMask_t &r = *u; cudaLaneMask_t *q = u;
             static_assert(Same<decltype(__activemask()), unsigned>::is && Same<cudaLaneMask_t *, unsigned *>::is, \"\");
             static_assert(__is_same(decltype(m), unsigned), \"\");
             Masks s{m}; unsigned &&made = s.get(); unsigned Masks::*member = &Masks::m;
             unsigned (*f)(unsigned) = [](cudaLaneMask_t x) { return x; };
             o[2] = larger(c, s.get()) + r + *(p != q ? p : q) + made + s.*member + f(2);
             cudaLaneMask_t a[2] = {1, 2}; unsigned (&array)[2] = a; unsigned *first = a;
             o[3] = array[0] + first[1] + [](auto x) { return larger(x, 4u); }(__activemask());
         }",
    );
    assert!(!c.session.diagnostics.has_errors(), "{:#?}", messages(&c));
}

#[test]
fn statements() {
    good(
        CU,
        "__device__ int f(int x) { switch (x) { case 1: case 2 ... 5: return 1; default: break; } do { x--; if (x == 3) continue; } while (x > 0); again: if (x < 9) { x++; goto again; } return x; }\n\
         __global__ void k(int *a) { int t[4] = {1, 2, 3}; for (int &v : t) v += 1; for (auto v : t) a[v] = f(v); int x = a[0]; a[1] = x ?: 3; }",
    );
}

#[test]
fn bad_input_does_not_panic() {
    for t in [
        "struct S; __global__ void k(S s) {}",
        "template<int N> struct F { static const int v = F<N - 1>::v; }; __global__ void k(int *a) { a[0] = F<9999>::v; }",
        "template<class T> __device__ void f(T t) { f(&t); } __global__ void k() { f(1); }",
        "__global__ void k(int *a) { int x[] = ; a[0] = x; }",
        "struct S { S s; }; __global__ void k() { S a; a.b.c(); }",
        "__global__ void k() { auto x = x; auto y = {}; return 1; }",
        "__global__ void k(int *a) { a.x = 1; a->y = 2; 3 = 4; &5; *6; k(); }",
    ] {
        let _ = run(CU, t);
    }
}

#[test]
fn lambdas_capture() {
    let c = good(
        CU,
        "struct S { int m; __device__ int f(int a) { auto g = [=](int b) { return a + b + m; }; return g(1); } };\n\
         enum class E { A = 1, B = A + 1 };\n\
         __global__ void k(int *p, int n) { int s = 0; auto add = [&](int v) { s += v * n; }; add(2); add(3); S o; o.m = 1; p[0] = s + o.f(2) + int(E::B); }",
    );
    assert!(c.dump.contains("operator()"), "{}", c.dump);
}

#[test]
fn substitution_failure_drops_the_candidate() {
    good(
        CU,
        "template<typename T> struct is_float { static constexpr bool value = false; }; template<> struct is_float<float> { static constexpr bool value = true; };\n\
         template<bool B, class T = void> struct enable_if {}; template<class T> struct enable_if<true, T> { typedef T type; };\n\
         template<class T> __device__ typename enable_if<is_float<T>::value, T>::type half_(T x) { return x * 0.5f; }\n\
         template<class T> __device__ typename enable_if<!is_float<T>::value, T>::type half_(T x) { return x / 2; }\n\
         __global__ void k(float *p) { p[0] = half_(3.f) + half_(3); }",
    );
}

#[test]
fn host_launches_instantiate_kernel_templates() {
    let c = good(
        CU,
        "namespace n { template <class T> struct V { T x, y; }; }
template <typename T, int N> __global__ void scale(T *p, T s) { for (int i = 0; i < N; ++i) p[i] *= s; }
template <typename T> __global__ void flat(T v, int *p) { *p = v.x; }
template <typename T> __global__ void later(T *p);
namespace q { template <bool B> __global__ void flag(int *p) { *p = B; } }
enum { WIDTH = 8 };
// Nobody calls it.
template <typename T> void host(T *p) { scale<T, 2><<<1, 1>>>(p, T(1)); }
int main() {
  float *p; const int local = 3;
  scale<float, 4><<<1, 32>>>(p, 2.0f);
  scale<float, 4><<<1, 64>>>(p, 2.0f);
  scale<double, WIDTH><<<dim3(1, 2), dim3(32)>>>((double *)p, 2.0);
  flat<n::V<int>><<<1, 1>>>({}, 0);
  scale<float, local><<<1, 1>>>(p, 1.f);
  later<n::V<float>><<<1, 1>>>(0);
  q::flag<(3 > 2)><<<1, 1>>>(0);
  return p < p && 1 << 2 < 3;
}
template <typename T> __global__ void later(T *p) { p->x += p->y; }",
    );
    for symbol in [
        "_Z5scaleIfLi4EEvPT_S0_",
        "_Z5scaleIdLi8EEvPT_S0_",
        "_Z4flatIN1n1VIiEEEvT_Pi",
        "_Z5laterIN1n1VIfEEEvPT_",
        "_ZN1q4flagILb1EEEvPi",
        "_Z5scaleIfLi3EEvPT_S0_",
    ] {
        assert!(c.dump.contains(symbol), "{symbol} in {}", c.dump);
    }
    assert!(!c.dump.contains("Li2E"), "{}", c.dump);
}

/// TransformerEngine's `DType`, an enumeration, which a `switch` over types hides: a launch was read twice, once as if it stood
/// outside of its function, and a kernel for 16 bits made with an `enum`.
#[test]
fn launches_meant_what_their_names_mean_outside_of_the_function() {
    let c = good(
        CU,
        "enum class DType { kHalf, kFloat }; template <class T> __global__ void k(T *p) { static_assert(sizeof(T) == 2, \"\"); }
template <int N> __global__ void sized(int *p) { static_assert(N < 9, \"\"); } constexpr int n = 100;
template <class T> __global__ void later(T *p);
void f(DType d, void *p) {
  switch (d) { case DType::kHalf: { using DType = short; k<DType><<<1, 1>>>((DType *)p); break; } default: break; }
  { constexpr int n = 8; sized<n><<<1, 1>>>((int *)p); }
  later<<<1, 1>>>((float *)p);
}
template <class T> __global__ void later(T *p) {}",
    );
    assert_eq!(kernels(&c), ["_Z1kIsEvPT_", "_Z5sizedILi8EEvPi", "_Z5laterIfEvPT_"]);
}

/// The kernels in a program's dump.
fn kernels(c: &Checked) -> Vec<&str> {
    c.dump.lines().filter_map(|l| l.strip_prefix("kernel ")).filter_map(|l| l.split([' ', ':', '(']).next()).collect()
}

#[test]
fn launches_are_followed_through_host_templates() {
    let c = good(
        CU,
        "#include <vector>\n#include <iostream>
template <typename T, int N> __global__ void k(T *p) { *p = N; }
template <class T> struct Owner {
  std::vector<T> host; T *device;
  Owner(int n) { cudaMalloc(&device, n); }
  void go();
  virtual ~Owner() { delete[] device; }
};
template <class T> void Owner<T>::go() { std::cout << host << std::endl; k<T, 1><<<1, 1>>>(device); }
template <class T> void run(const std::vector<T> &v) { for (auto &x : v) k<T, 2><<<1, 1>>>(const_cast<T *>(&x)); }
template <class K, class... A> void start(K kernel, A &&...a) { kernel<<<1, 1>>>(std::forward<A>(a)...); }
int main(int n, char **) {
  Owner<float> o(4); o.go();
  auto p = new Owner<short>(n); p->go();
  run<int>(something());
  start(k<char, 3>, nullptr);
  constexpr int N = 2 * 2;
  auto f = [&] { [&] { k<double, N><<<1, 1>>>(nullptr); }(); };
  if (n > 3) throw std::runtime_error(\"\");
  void *args[] = {&n}; cudaLaunchKernel(reinterpret_cast<void *>(&k<long, 5>), 1, 1, args);
}",
    );
    let mut all = kernels(&c);
    all.sort_unstable();
    assert_eq!(
        all,
        [
            "_Z1kIcLi3EEvPT_",
            "_Z1kIdLi4EEvPT_",
            "_Z1kIfLi1EEvPT_",
            "_Z1kIiLi2EEvPT_",
            "_Z1kIlLi5EEvPT_",
            "_Z1kIsLi1EEvPT_"
        ]
    );
}

#[test]
fn launches_that_cannot_be_followed_are_named() {
    let text = "template <class T> __global__ void k(T *p) { *p = 1; }
template <class T> void run(T *p) { k<<<1, 1>>>(p); }
struct S;
int main() {
  k<Unknown><<<1, 1>>>(0);
  k<<<1, 1>>>(thrust::raw_pointer_cast(v.data()));
  run(library());
  { struct Local { int x; }; Local l; k<<<1, 1>>>(&l); }
}";
    let c = run(CU, text);
    let said = "warning: no instance of";
    assert_eq!(
        messages(&c),
        [
            format!("t:1:36 {said} `k` is compiled for this use by host code: device code has no type `main::Local`"),
            format!(
                "t:5:3 {said} `k` is compiled for this use by host code: it has unsuitable explicit template arguments"
            ),
            format!("t:6:3 {said} `k` is compiled for this use by host code: cannot deduce template argument `T`"),
            format!("t:7:3 {said} `run` is compiled for this use by host code: cannot deduce template argument `T`"),
        ]
    );
    assert_eq!(kernels(&c), [""; 0]);
}

#[test]
fn host_code_of_any_shape_does_no_harm() {
    for text in [
        "int main() { k<",
        "int main() { k<3><<<1, 1>>>(",
        "template <class T> void f(T x) { f(&x); } int main() { f(1); }",
        "template <int N> void f() { f<N + 1>(); } int main() { f<0>(); }",
        "class C { class D { class E { std::x y; void f() { k<1><<<1,1>>>(0); } }; std::x z; }; std::x w; };",
        "int main() { auto f = [](auto x) { return x(x); }; f(f); }",
        "struct S { S(); ~S(); std::string s; S operator+(S) { return *this + *this; } }; int main() { S a, b; a + b; }",
    ] {
        run(CU, &format!("template <int N> __global__ void k(int *p) {{ *p = N; }}\n{text}"));
    }
}

#[test]
fn mistakes_in_a_launched_kernel_template_are_reported() {
    let text = "struct V { int x; }; template <class T> __global__ void k(T *p) { *p *= 2; }
int main() { k<V><<<1, 1>>>(0); }";
    says(CU, text, "invalid operands");
}

#[test]
fn a_class_template_passed_by_value_is_complete() {
    good(CU, "template <class T> struct V { T x; }; __global__ void k(V<int> v, int *p) { *p = v.x; }");
}

#[test]
fn kernel_arguments_of_device_dependent_size_are_refused() {
    for bad in ["size_t", "const ptrdiff_t", "intptr_t", "uintptr_t", "mine", "bool", "half", "event_t"] {
        let text =
            format!("typedef size_t own; typedef own mine; __kernel void k({bad} n, __global int *p) {{ p[0] = 1; }}");
        says(CL, &text, "cannot be used as the type of a kernel parameter");
    }
    says(CL, "__kernel void k(__global int **p) {}", "pointer to a pointer");
    good(CL, "__kernel void k(__global size_t *p, ulong n) { p[0] = n; }");
    good(CL, "void f(size_t n, __global int *p) { p[n] = 1; } __kernel void k(__global int *p) { f(3, p); }");
    good(CU, "__global__ void k(size_t n, int *p) { p[n] = 1; }");
}

#[test]
fn each_function_and_variable_is_of_the_host_of_the_device_or_of_both() {
    use sema::program::Side;
    let text = "
        __device__ int of_device; __managed__ int of_both; const int host_constant = 3; int of_host;
        __device__ int f() { return of_device; }
        __host__ __device__ int g() { return of_both + host_constant; }
        constexpr int h() { return 4; }
        __host__ int only_host() { return of_host; }
        int unmarked(int x) { return x; }
        struct S { int a; __device__ S() : a(1) {} };
        __global__ void k(int *p) { S s; *p = f() + g() + h() + s.a; }";
    let c = good(CU, text);
    let name = |s| c.session.str(s).to_owned();
    let functions = c.program.functions.iter().map(|f| (name(f.name), f.side));
    let variables = c.program.globals.iter().filter_map(|g| Some((name(g.name?), g.side)));
    let found: Vec<(String, Side)> = functions.chain(variables).collect();
    for (wanted, side) in [
        ("k", Side::Device),
        ("f", Side::Device),
        ("S", Side::Device),
        ("g", Side::Both),
        ("of_device", Side::Device),
        ("of_both", Side::Both),
        ("host_constant", Side::Both),
    ] {
        assert!(found.contains(&(wanted.to_owned(), side)), "{wanted} {side:?}: {found:?}");
    }
    let host: Vec<(String, bool)> = c.program.host.iter().map(|e| (name(e.name), e.is_function)).collect();
    let host: Vec<(&str, bool)> = host.iter().map(|(n, f)| (n.as_str(), *f)).collect();
    assert_eq!(host, [("of_host", false), ("only_host", true), ("unmarked", true)]);
    let in_opencl = good(CL, "constant int c = 1; kernel void k(global int *p) { *p = c; }").program;
    assert!(in_opencl.functions.iter().all(|f| f.side == Side::Device && f.side.on_device() && !f.side.on_host()));
    assert!(in_opencl.globals.iter().all(|g| g.side == Side::Device) && in_opencl.host.is_empty());
    let in_c = good(Dialect::C11, "int v; int f(void) { return v; }").program;
    assert!(in_c.functions.iter().map(|f| f.side).chain(in_c.globals.iter().map(|g| g.side)).all(|s| s == Side::Both));
}

#[test]
fn template_template_arguments_are_named_and_mangled() {
    let c = good(
        CU,
        "template <class T> struct Op { static __device__ T of(T a) { return a; } };
namespace n { template <class T> using Alias = Op<T>; template <class T> struct In : Op<T> {}; }
template <template <class> class F, class T> __global__ void k(T *p) { *p = F<T>::of(*p); }
template __global__ void k<Op, float>(float *);
template __global__ void k<n::In, int>(int *);
template <template <class> class F, template <class> class G> __global__ void two(F<int> *, G<int> *) {}
int main() { k<n::Alias, short><<<1, 1>>>(0); two<Op, n::In><<<1, 1>>>(0, 0); }",
    );
    let mut all = kernels(&c);
    all.sort_unstable();
    // As nvcc names them.
    let wanted = ["_Z1kI2OpfEvPT0_", "_Z1kI2OpsEvPT0_", "_Z1kIN1n2InEiEvPT0_"];
    assert_eq!(all[..3], wanted);
    for (text, wanted) in [
        ("k<3, float>(float *)", "no function template matches"),
        ("k<int, float>(float *)", "no function template matches"),
    ] {
        let text = format!(
            "template <template <class> class F, class T> __global__ void k(T *p) {{ }}
template __global__ void {text};"
        );
        says(CU, &text, wanted);
    }
    let text = "template <class T, template <class> class F> struct S { F<T> f; }; __device__ S<int, int> s;";
    says(CU, text, "template argument must be a class or alias template");
}

#[test]
fn instances_of_variable_templates_are_variables_of_their_own() {
    let c = good(
        CU,
        "template <class T> __constant__ T mask[4]; template <class T, int N> __device__ T count = N;
template <class T> __global__ void k(T *p) { *p = mask<T>[1] + count<T, 2>; count<T, 3> = 1; }
template __global__ void k<float>(float *); template __global__ void k<int>(int *);",
    );
    for symbol in ["_Z4maskIfE", "_Z4maskIiE", "_Z5countIfLi2EE", "_Z5countIiLi3EE"] {
        assert!(c.dump.contains(symbol), "{symbol} in {}", c.dump);
    }
}

#[test]
fn what_generic_code_leaves_open_is_named() {
    says(
        CU,
        "template <class T> struct P { __device__ P() {} T v; };\n__global__ void k(float *o) { P p{o[0]}; }",
        "t:2:31",
    );
    says(
        CU,
        "template <class T> struct P { __device__ P() {} T v; };\n__global__ void k(float *o) { P p{o[0]}; }",
        "cannot deduce the template arguments of `P`",
    );
    says(CU, "__global__ void k(int *o) { o[0] = 3_mm; }", "use of undeclared literal operator `operator\"\"_mm`");
    says(CU, "__global__ void k(int *o) { int n = 1; auto f = [](auto x) { return x + n; }; o[0] = f(2); }", "`n`");
    says(
        CU,
        "__global__ void k(int *o) { auto f = [](auto x, auto *y) { return x + *y; }; o[0] = f(2, 3); }",
        "no matching function",
    );
    says(
        CU,
        "struct B { __device__ B(int) {} }; struct D : B { using B::B; };\n__global__ void k() { D d; }",
        "too few arguments to function call `D`",
    );
    good(CU, "struct B { __device__ B(int) {} }; struct D : B { using B::B; };\n__global__ void k() { D d(1); }");
    good(
        CU,
        "template <class F> __global__ void k(F f, int *p) { *p = f(*p); }
void go(int *p) { int n = 3; k<<<1, 1>>>([=] __device__(auto x) { return x + n; }, p); }",
    );
}

/// nvcc takes it: the argument is an object in managed memory.
#[test]
fn kernels_take_references_but_not_to_temporaries() {
    let kernel = |reference: &str| format!("struct D {{ int a; }}; __global__ void k(D {reference}d) {{ d.a = 1; }}");
    says(
        Dialect::CUDA,
        &kernel("&"),
        "t:1:40 warning: a kernel's reference must be to memory that the device can reach",
    );
    says(Dialect::CUDA, &kernel("&&"), "t:1:40 error: a __global__ function parameter cannot be an rvalue reference");
}

/// Also ranges that hold, or are held by, what was there before.
#[test]
fn cases_that_overlap_are_found_in_any_order() {
    let said = |cases: &str| {
        let text = format!("__global__ void k(int *p) {{ switch (*p) {{ {cases} *p = 1; }} }}");
        messages(&run(Dialect::CUDA, &text)).len()
    };
    for cases in
        ["case 5: case 1 ... 9:", "case 1 ... 9: case 9:", "case -3: case -9 ... -3:", "case 7: case 8: case 7:"]
    {
        assert_eq!(said(cases), 1, "{cases}");
    }
    for cases in ["case 9: case 1 ... 8: case 0: case 10 ... 12:", "case -1: case 1:", "case 1: case 3: case 2:"] {
        assert_eq!(said(cases), 0, "{cases}");
    }
}

/// It was a member that the class does not have: that of the host is not kept.
#[test]
fn members_of_the_host_may_be_defaulted_outside_of_their_class() {
    good(
        CU,
        "struct C { C(); virtual ~C(); C(const C &); C &operator=(C &&); int n; };
C::C() = default; C::~C() = default; C::C(const C &) = default; C &C::operator=(C &&) = default;
__global__ void k(int *o) { o[0] = 1; }",
    );
    says(CU, "struct C { int n; };\n__device__ int C::f() { return n; }", "does not match any declaration");
}

#[test]
fn default_arguments_ask_parameters_for_no_more_than_their_types() {
    let with = |default: &str| {
        format!(
            "__device__ int f(int a, int b = {default}) {{ return a + b; }}\n__global__ void k(int *o) {{ o[0] = f(1); }}"
        )
    };
    good(CU, &with("sizeof(a)"));
    good(CU, &with("decltype(a)(3)"));
    says(CU, &with("a"), "a default argument cannot use the parameter `a`");
    says(CU, &with("2 * (a + 1)"), "a default argument cannot use");
}

#[test]
fn a_kernel_takes_a_pointer_to_bool() {
    good(CL, "kernel void k(global bool *stop, global const bool *mask, int n) { *stop = mask[n]; }");
    says(CL, "kernel void k(bool stop) {}", "cannot be used as the type of a kernel parameter");
}

#[test]
fn zero_is_cast_to_an_event() {
    good(
        CL,
        "kernel void k(local uchar *to, global const uchar *from) {
           event_t e = async_work_group_copy(to, from, 16, (event_t) 0);
           e = async_work_group_copy(to, from, 16, (event_t)(0));
           wait_group_events(1, &e);
         }",
    );
    says(CL, "kernel void k(int n) { event_t e = (event_t)n; }", "cannot cast from `int` to `event_t`");
}

#[test]
fn a_qualified_declaration_without_a_type_is_one_of_an_int() {
    let text = "kernel void k(__global * p, __global int *q) { const n = 4; q = p; *p = *q * n; }";
    let warning = "warning: a declaration without a type is one of an `int`";
    assert_eq!(messages(&run(CL, text)), [format!("t:1:15 {warning}"), format!("t:1:48 {warning}")]);
    assert!(run(CL, "kernel void k(__global Pixel *p) {}").session.diagnostics.has_errors());
}

/// As nvcc's warning 20054: the variable is there, and nobody constructs it.
#[test]
fn a_shared_variable_whose_class_has_a_constructor_is_not_refused() {
    let c = run(
        Dialect::CUDA,
        "struct C { float a; __device__ C() : a(1) {} }; struct D { float a = 2; };\n\
         __global__ void k(float *p) { __shared__ C c[4]; __shared__ D d; c[threadIdx.x].a = p[threadIdx.x]; d.a = 1;\n\
           p[0] = c[1].a + d.a; }",
    );
    let m = messages(&c);
    assert_eq!(m.len(), 2, "{m:#?}");
    assert!(m.iter().all(|m| m.contains("warning: shared variable of type")), "{m:#?}");
    says(
        Dialect::CUDA,
        "__global__ void k(int *p) { __shared__ int q = 3; p[0] = q; }",
        "error: a shared variable cannot be initialised",
    );
    for constructor in ["__device__ C(int x) : a(x) {}", "C() = delete;"] {
        let text =
            format!("struct C {{ int a; {constructor} }}; __global__ void k(int *p) {{ __shared__ C c; p[0] = c.a; }}");
        says(Dialect::CUDA, &text, "error: no matching constructor of `C` for 0 arguments");
    }
}

/// XGBoost's `Span<CatBitField::value_type const>`: `value_type` is also a variable in some class of a header.
#[test]
fn members_that_are_variables_elsewhere_were_no_types_in_front_of_const() {
    good(
        CU,
        "struct Other { int value_type; enum { other }; };
        template <class T> struct Span { T *p; };
        template <class T> struct Bits { using value_type = T; using other = T; };
        using Field = Bits<unsigned>;
        template <bool B> struct Flag {};
        __global__ void k(Span<Field::value_type const> s, Span<Field::value_type *> t, Span<Field::other volatile> u) {
            Span<Field::value_type const> q = s;
            Span<Field::value_type &> *z;
            Flag<(Other::other > 3)> f;
            Flag<Other::other & 1> g;
        }",
    );
}
