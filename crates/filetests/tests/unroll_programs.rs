//! Loops of public programs that were decided otherwise than nvcc 13.5 decides them, made as small as they go: what is done with
//! the loop that does not stay, or that all stay, was measured for sm_90 and for sm_100 (`docs/unrolling.md`).

use unspool::{Dialect, Emit, Input, Options};

/// What stands before the kernels.
const HEAD: &str = "#include <mma.h>\n\
    struct P { int n; float f[8]; };\n#define S1 s = s * 3 + q[s & 255];\n#define S4 S1 S1 S1 S1\n#define S16 S4 S4 S4 S4\n\
    __device__ int of(P p, const int *q, int n) {\n int s = 0; \n for (int i = 0; i < 8; i++) { s += (int)p.f[i]; S16 } return s; }\n";

/// What becomes of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Kept,
    Full,
    Copies(u32),
}
use Fate::{Copies, Full, Kept};

/// Groups of a thing, a kernel's body, and the fates for sm_90 and for sm_100.
const KERNELS: &[(&str, &str, Fate, Fate)] = &[
    (
        "a bound that changes by the step of the loop around",
        "for (int b = 0; b < n; b += blockDim.x) { int c = min((int)blockDim.x, n - b); for (int i = 0; i < c; i++) f += g[i]; }",
        Copies(4),
        Copies(16),
    ),
    (
        "names with two colons are no labels",
        "for (int i = 0; i < n; i++) asm volatile(\"mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];\" :: \"r\"(t));",
        Copies(4),
        Copies(4),
    ),
    (
        "the eight registers of a fragment leave the loop",
        "using namespace nvcuda; wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x; \
         wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y; wmma::fragment<wmma::accumulator, 16, 16, 16, float> z; \
         for (int i = 0; i < 8; i++) z.x[i] = 0; for (int i = 0; i < n; i += 16) { wmma::load_matrix_sync(x, (half *)q + i, t); \
         wmma::load_matrix_sync(y, (half *)p + i, t); wmma::mma_sync(z, x, y, z); } wmma::store_matrix_sync(g, z, t, wmma::mem_row_major);",
        Copies(4),
        Copies(4),
    ),
    ("large arguments of sines need an array of seven", "for (int i = 0; i < 20; i++) g[i] = sinf(h[i]);", Full, Full),
    ("which multiplies by six and eight", "for (int i = 0; i < 24; i++) g[i] = sinf(h[i]);", Kept, Full),
    ("which multiplies by six and eight", "for (int i = 0; i < 34; i++) g[i] = cosf(h[i]);", Kept, Kept),
    (
        "and is no array of sines of doubles",
        "for (int i = 0; i < 16; i++) g[i] = sin((double)h[i]);",
        Copies(2),
        Copies(2),
    ),
    (
        "what folds is held against the threshold without arrays",
        "double v[8]; v[t & 7] = h[0]; int s = n; \n#pragma unroll 1\nfor (int j = 0; j < n; j++) \
         for (int i = 0; i < 8; i++) { s += (int)v[i & 7]; if (i == 3) { S16 S16 S16 S4 S4 S4 } else { q[i] = s; } } g[0] = s;",
        Full,
        Full,
    ),
    (
        "and is too much for it",
        "double v[8]; v[t & 7] = h[0]; int s = n; \n#pragma unroll 1\nfor (int j = 0; j < n; j++) \n \
         for (int i = 0; i < 8; i++) { s += (int)v[i & 7]; if (i == 3) { S16 S16 S16 S16 S16 S16 } else { q[i] = s; } } g[0] = s;",
        Kept,
        Kept,
    ),
    (
        "sums with nothing, in the first round, are gone",
        "const float *a = h + t, *b = h + m; \n#pragma unroll 1\nfor (int j = 0; j < n; j++) { float s = 0; \n \
         for (int k = 0; k < 64; k++) s += a[k] * b[k]; g[j] = s; }",
        Full,
        Copies(16),
    ),
    (
        "and so are products with one and with nothing",
        "\n#pragma unroll 1\nfor (int j = 0; j < n; j++) { int s = 0; \n for (int k = 0; k < 80; k++) s += p[j * 64 + k] * k; q[j] = s; }",
        Full,
        Full,
    ),
    (
        "the array of a structure that an inlined function gets by value",
        "P a = *(const P *)h; g[1] = of(a, q, n);",
        Full,
        Full,
    ),
    (
        "a condition of a promised sum splits the loop",
        "int k = min(t, 64); for (int j = 0; j < n; j++) { if (j == t) continue; g[k - 1] = h[j]; \
         for (int i = k - 1; i > 0 && g[i] < g[i - 1]; i--) g[i] = g[i - 1]; }",
        Copies(4),
        Copies(16),
    ),
];

/// The fates of `for (int i = a; i < b; i += s)` in a loop around: `a`, `b`, `s`, what is done for sm_90 and for sm_100.
const STEPS: &[(&str, &str, &str, Fate, Fate)] = &[
    ("t", "n", "m", Copies(4), Copies(4)),
    ("t", "q[j]", "m", Kept, Kept),
    ("t", "n", "q[j]", Kept, Kept),
    ("t", "n - j", "m", Kept, Kept),
    ("j + t", "n", "m", Kept, Kept),
    ("p[2]", "n", "p[1]", Kept, Copies(4)),
    ("p[2]", "n", "m", Copies(4), Copies(4)),
    ("t", "p[2]", "p[1]", Copies(4), Copies(4)),
    ("(int)threadIdx.x", "n", "(int)blockDim.x", Copies(4), Copies(4)),
    ("(int)(threadIdx.x / 16)", "n", "(int)(blockDim.x / 16)", Kept, Copies(4)),
    ("(int)(threadIdx.x / 32)", "n", "(int)(blockDim.x / 16)", Copies(4), Copies(4)),
    ("(int)(threadIdx.x * 4)", "n", "(int)(blockDim.x * 4)", Kept, Copies(4)),
    ("t / 16", "n", "m / 16", Copies(4), Copies(4)),
];

fn fate(body: &str, arch: &str) -> Fate {
    let text = format!(
        "{HEAD}__global__ void k(float *g, const float *h, int *__restrict__ q, const int *__restrict__ p, int n, int t, int m) {{\n\
         float f = 0; {body} g[n] = f; }}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch(arch.parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("programs.cu", &text), &options, &Emit::PTX);
    assert!(out.output().is_some(), "{body} is refused");
    let loops = out.session.ledger.loops();
    let changed = || loops.iter().filter(|l| l.changed);
    // What fills a fragment is straight-line code.
    match changed().find(|l| l.kind != "full") {
        Some(l) => Copies(l.copies),
        None if changed().next().is_some() => Full,
        None => Kept,
    }
}

#[test]
fn loops_of_public_programs_are_decided_as_nvcc_decides_them() {
    let mut wrong = String::new();
    for &(what, body, narrow, wide) in KERNELS {
        let got = ["sm_90", "sm_100"].map(|arch| fate(body, arch));
        if got != [narrow, wide] {
            wrong.push_str(&format!("{what}: {got:?} for sm_90 and sm_100, nvcc {:?}\n", [narrow, wide]));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn loops_with_variable_steps_have_no_remainder_where_nvcc_makes_none() {
    let mut wrong = String::new();
    for &(start, bound, step, narrow, wide) in STEPS {
        let body = format!(
            "int a0 = {start}, b0 = {bound}, s0 = {step};",
            start = if start.contains('j') { "0" } else { start },
            bound = if bound.contains('j') { "0" } else { bound },
            step = if step.contains('j') { "0" } else { step },
        );
        let of = |text: &str, name: &str| if text.contains('j') { text.to_owned() } else { name.to_owned() };
        let body = format!(
            "{body} for (int j = 0; j < m; j++) {{ for (int i = {}; i < {}; i += {}) g[i] = g[i + n] * 2; __syncthreads(); }}",
            of(start, "a0"),
            of(bound, "b0"),
            of(step, "s0"),
        );
        let got = ["sm_90", "sm_100"].map(|arch| fate(&body, arch));
        if got != [narrow, wide] {
            wrong.push_str(&format!("from {start} to {bound} by {step}: {got:?}, nvcc {:?}\n", [narrow, wide]));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
