//! What promises are worth, as explanations tell it: `restrict`, `const`, alignment, launch bounds, expectations,
//! inlining, contraction. Each answer comes of a compilation without the promise.

use source::{Fate, HintKind};
use unspool::{Compilation, Dialect, Emit, Input, Options, compile_with_log as compile};

fn explained(name: &str, text: &str) -> Compilation {
    let dialect = if name.ends_with(".cl") { Dialect::OPENCL } else { Dialect::CUDA };
    let mut o = Options { explain: true, ..Options::new(dialect) };
    o.set_arch(unspool::Arch::parse("sm_90").unwrap().arch);
    let c = compile(&Input::text(name, text), &o, &Emit::PTX);
    let said = source::render::diagnostics_to_text(
        &c.session.sources,
        c.session.diagnostics.iter(),
        source::render::Colour::Never,
    );
    assert!(c.succeeded(), "{said}");
    c
}

/// Each hint in a line: as asked, its fate, what was done and what was measured.
fn answers(c: &Compilation) -> String {
    let mut out = String::new();
    for h in &c.explanation.as_ref().unwrap().hints {
        for a in &h.answers {
            let place = c.session.sources.line_col(h.span.lo).map_or(0, |(_, at)| at.line);
            out.push_str(&format!("{place}: {}: {:?}: {}", h.asked, a.fate, a.done));
            for s in a.trail.iter().filter(|s| s.rule == "measured") {
                out.push_str(&format!("; measured: {}", s.finding));
            }
            out.push('\n');
        }
    }
    out
}

#[test]
fn names_and_alignments_that_no_instruction_shows_are_no_other_instructions() {
    // The kernel's symbol is part of the shared variable's name, and tells that the pointee is `const`.
    let c = explained(
        "k.cu",
        "struct __align__(16) V { float x, y, z, w; };
__global__ void tree(float *o, const float *a, const V *v) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x] + v[threadIdx.x].y;
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x ^ 1];
}
",
    );
    let said = answers(&c);
    assert!(said.contains("1: __align__(16): Unused: nothing to gain"), "{said}");
    assert!(said.contains("2: const float *a: Unused: nothing to gain"), "{said}");
    assert!(!said.contains("other instructions"), "{said}");
}

#[test]
fn what_restrict_gained_is_measured() {
    let c = explained(
        "k.cu",
        "__global__ void hoisted(float *__restrict__ o, const float *__restrict__ a, int n) {
    for (int i = 0; i < n; i++)
        o[i * 3] = a[0] * i;
}
__global__ void alone(float *__restrict__ o, int n) {
    o[threadIdx.x] = n;
}
__global__ void reused(float *o, float *__restrict__ a, int n) {
    o[n] = a[0];
    o[n + 1] = a[0];
}
__global__ void before(float *__restrict__ o, const float *a, int n) {
    for (int i = 0; i < n; i++)
        o[i * 3] = a[0] * i;
}
__device__ float unused(const float *__restrict__ a) { return *a; }
",
    );
    insta::assert_snapshot!("restrict", answers(&c));
}

#[test]
fn other_promises_of_cuda_are_measured() {
    let c = explained(
        "k.cu",
        "struct __align__(16) V { float a, b, c, d; };
struct alignas(4) W { float a; };
__device__ __noinline__ float far(float x) { return x * x; }
__device__ __forceinline__ float near(float x) { return x + 1; }
__global__ void __launch_bounds__(1024, 2) k(float *o, const V *v, W w, int n) {
    V q = v[threadIdx.x];
    o[0] = near(q.a + q.b + q.c + q.d);
    if (__builtin_expect(n > 3, 1)) o[1] = far(o[2]);
    if (n == 4) [[likely]] { o[7] = w.a; }
    float *aligned = (float *)__builtin_assume_aligned(o, 16);
    aligned[9] = 1;
    while (__builtin_expect(n-- > 0, 0)) o[n * n] += 1;
}
__global__ void contracted(float *o, float a, float b) {
#pragma clang fp contract(off)
    o[0] = a * b + o[1];
}
",
    );
    insta::assert_snapshot!("cuda", answers(&c));
}

#[test]
fn promises_of_opencl_are_measured() {
    let c = explained(
        "k.cl",
        "#pragma OPENCL FP_CONTRACT OFF
typedef struct { float x, y; } __attribute__((aligned(8))) P;
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void k(global const float *restrict a, global float *restrict o, global const P *p, int n) {
    for (int i = 0; i < n; i++)
        o[i] = a[3] * o[i] + p[i].x + p[i].y;
}
",
    );
    insta::assert_snapshot!("opencl", answers(&c));
}

#[test]
fn promises_are_not_in_ledgers_of_plain_compilations() {
    let text = "__global__ void k(float *__restrict__ o) { o[0] = 1; }";
    let c = compile(&Input::text("k.cu", text), &Options::new(Dialect::CUDA), &Emit::PTX);
    assert!(c.succeeded() && c.session.ledger.is_empty());
}

#[test]
fn a_promise_that_the_source_cannot_do_without_is_answered() {
    let c = explained(
        "k.cu",
        "template <class T> struct S;\ntemplate <> struct S<const float *> { static const int n = 1; };\n\
         __global__ void k(const float *a, float *o) { o[0] = S<decltype(a)>::n; }\n",
    );
    let (_, h) = c.session.ledger.iter().find(|(_, h)| h.kind == HintKind::Const).unwrap();
    assert_eq!(h.fate(), Some(Fate::Honoured));
    assert!(h.answers[0].reason.contains("does not compile without it"), "{:?}", h.answers);
}

#[test]
fn words_that_are_no_promises_are_left_alone() {
    // `restrict` and `aligned` are names in C++; `const` of a number promises nothing.
    let c = explained(
        "k.cu",
        "__global__ void k(float *o, const int aligned) { const int restrict = aligned; o[restrict] = 1; }",
    );
    assert_eq!(answers(&c), "");
}
