//! Counters that are compared in a wider type, and inline assembly: in which of these loops nvcc 13.5 makes how many copies, for
//! sm_90 and for sm_100 (`docs/unrolling.md`). Each line was measured.

use unspool::{Dialect, Emit, Input, Options};

/// The loop over `g[i] = h[i] + 1`, and how many copies nvcc makes for sm_90 and for sm_100. The scalar evolution of the former's
/// compiler does not carry into 64 bits that a counter does not wrap.
const WIDER: &[(&str, u32, u32)] = &[
    // A signed bound: from a constant by one, or from below zero over it in one step.
    ("int i = 0; i < ln; i++", 4, 16),
    ("int i = 0; i < ln; i += 2", 1, 16),
    ("int i = 0; i < ln; i += 1024", 1, 16),
    ("int i = 1; i < ln; i++", 4, 16),
    ("int i = 1; i < ln; i += 2", 1, 16),
    ("int i = 1; i < ln; i += 1024", 1, 16),
    ("int i = threadIdx.x; i < ln; i++", 1, 4),
    ("int i = threadIdx.x; i < ln; i += 2", 1, 4),
    ("int i = threadIdx.x; i < ln; i += 1024", 1, 4),
    ("int i = s; i < ln; i++", 1, 4),
    ("int i = s; i < ln; i += 2", 1, 4),
    ("int i = s; i < ln; i += 1024", 1, 4),
    ("int i = -1; i < ln; i++", 4, 16),
    ("int i = -1; i < ln; i += 4", 4, 16),
    ("int i = -1; i < ln; i += 3", 4, 16),
    ("int i = 3; i < ln; i++", 4, 16),
    ("int i = 3; i < ln; i += 4", 1, 16),
    ("int i = 3; i < ln; i += 3", 1, 16),
    ("int i = -5; i < ln; i++", 1, 16),
    ("int i = -5; i < ln; i += 4", 1, 16),
    ("int i = -5; i < ln; i += 3", 1, 16),
    ("int i = 1000000; i < ln; i++", 4, 16),
    ("int i = 1000000; i < ln; i += 4", 1, 16),
    ("int i = 1000000; i < ln; i += 3", 1, 16),
    ("int i = 0; i < ln; i += t", 1, 4),
    ("int i = 0; i < ln; i += blockDim.x", 1, 1),
    ("int i = 1; i < ln; i += t", 1, 4),
    ("int i = 1; i < ln; i += blockDim.x", 1, 1),
    ("int i = s; i < ln; i += t", 1, 4),
    ("int i = s; i < ln; i += blockDim.x", 1, 1),
    ("int i = -1; i < ln; i += 2", 4, 16),
    ("int i = -2; i < ln; i += 3", 4, 16),
    ("int i = -2; i < ln; i += 2", 4, 16),
    ("int i = -3; i < ln; i += 4", 4, 16),
    ("int i = -2; i < ln; i++", 1, 16),
    ("int i = 0; i < ln; i += 3", 1, 16),
    ("int i = -1; i < ln; i += 1024", 4, 16),
    ("int i = -1000; i < ln; i += 1024", 4, 16),
    ("int i = -1024; i < ln; i += 1024", 4, 16),
    ("int i = -1025; i < ln; i += 1024", 1, 16),
    ("int i = 0; i < ln; i += 5", 1, 16),
    ("int i = (s < 0 ? 0 : s); i < ln; i++", 4, 4),
    // An unsigned bound: from what is known not to be negative.
    ("int i = 0; i < ul; i++", 4, 16),
    ("int i = 0; i < ul; i += 2", 4, 16),
    ("int i = 0; i < ul; i += 1024", 4, 16),
    ("int i = 1; i < ul; i++", 4, 16),
    ("int i = 1; i < ul; i += 2", 4, 16),
    ("int i = 1; i < ul; i += 1024", 4, 16),
    ("int i = threadIdx.x; i < ul; i++", 1, 4),
    ("int i = threadIdx.x; i < ul; i += 2", 1, 4),
    ("int i = threadIdx.x; i < ul; i += 1024", 1, 4),
    ("int i = s; i < ul; i++", 1, 4),
    ("int i = s; i < ul; i += 2", 1, 4),
    ("int i = s; i < ul; i += 1024", 1, 4),
    ("int i = 0; i != ul; i++", 4, 16),
    ("int i = 1; i != ul; i++", 4, 16),
    ("int i = s; i <= ul; i++", 1, 4),
    ("int i = s; i != ul; i++", 1, 4),
    ("int i = 3; i < ul; i += 3", 4, 16),
    ("int i = 7; i < ul; i += 2", 4, 16),
    ("int i = 1000000; i < ul; i++", 4, 16),
    ("int i = 1000000; i < ul; i += 5", 4, 16),
    ("int i = -5; i < ul; i += 4", 1, 16),
    ("int i = s; i > ul; i--", 1, 4),
    ("int i = 100; i > ul; i--", 1, 16),
    ("int i = max(s, 0); i < ul; i++", 4, 4),
    ("int i = s & 1023; i < ul; i++", 4, 16),
    ("int i = s & 1023; i < ul; i += 2", 4, 16),
    ("int i = blockIdx.x * 256 + threadIdx.x; i < ul; i++", 1, 4),
    // Counters of 64 bits. One that ids and sizes keep small is made narrow for sm_90.
    ("long i = threadIdx.x; i < ln; i += blockDim.x", 1, 4),
    ("long i = blockIdx.x; i < ln; i += gridDim.x", 1, 4),
    ("long i = threadIdx.x / 32; i < ln; i += blockDim.x / 32", 1, 4),
    ("long i = threadIdx.x; i < n; i += blockDim.x", 1, 4),
    ("long i = threadIdx.x; i < ln; i += 32", 4, 4),
    ("long i = threadIdx.x + 1; i < ln; i += blockDim.x", 4, 4),
    ("long i = threadIdx.x + blockIdx.x * blockDim.x; i < ln; i += blockDim.x * gridDim.x", 4, 4),
    // What climbs from zero or above as a signed number does so as an unsigned one.
    ("long i = threadIdx.x + blockIdx.x * blockDim.x; i < ul; i += blockDim.x * gridDim.x", 4, 4),
    ("long i = 0; i < ul; i += blockDim.x", 4, 4),
    ("long i = 0; i < ul; i += s & 15", 4, 4),
    ("long i = 0; i < ul; i += s", 1, 1),
    ("int i = threadIdx.x; i < (unsigned)n; i += (int)blockDim.x", 1, 4),
    // Other comparisons.
    ("int i = 0; i <= ln; i++", 1, 16),
    ("int i = 0; i != ln; i++", 4, 16),
    ("int i = 0; i > ln; i--", 1, 16),
    ("int i = 0; i >= ln; i--", 1, 16),
    ("int i = 0; i + 1 < ln; i++", 4, 4),
    ("int i = 0; (long long)i < (long long)n * 3; i++", 4, 16),
    ("int i = 0; i < (int)ln; i++", 4, 16),
    ("int i = 0; i < n * sizeof(int); i++", 4, 16),
    ("int i = 1; i <= ln; i++", 1, 16),
    ("int i = 1; i != ln; i++", 4, 16),
    ("int i = 1; i > ln; i--", 1, 16),
    ("int i = 1; i >= ln; i--", 1, 16),
    ("int i = 1; i + 1LL < ln; i++", 1, 4),
    ("int i = 1; (long long)i < (long long)n * 3; i++", 4, 16),
    ("int i = 1; i < (int)ln; i++", 4, 16),
    ("int i = 1; i < n * sizeof(int); i++", 4, 16),
    ("int i = s; i <= ln; i++", 1, 4),
    ("int i = s; i != ln; i++", 1, 4),
    ("int i = s; i > ln; i--", 1, 4),
    ("int i = s; i >= ln; i--", 1, 4),
    ("int i = s; i + 1 < ln; i++", 1, 4),
    ("int i = s; i + 1LL < ln; i++", 1, 4),
    ("int i = s; (long long)i < (long long)n * 3; i++", 1, 4),
    ("int i = s; i < (int)ln; i++", 4, 16),
    ("int i = s; i < n * sizeof(int); i++", 1, 4),
    ("int i = 5; i <= ln; i++", 1, 16),
    ("int i = -5; i <= ln; i++", 1, 16),
    ("int i = -1; i <= ln; i++", 4, 16),
    ("int i = -1; i <= ln; i += 2", 4, 16),
];

/// What 1024 iterations do with `a`, `b` and `c` (`unsigned`), `p` and `q` (`half`), `v` and `w` (`half2`), and how many copies nvcc
/// makes for sm_90 and for sm_100.
const ASSEMBLY: &[(&str, u32, u32)] = &[
    // Statements count, by letters and `@` behind blanks; for sm_100 none does.
    (r#"asm("add.u32 %0, %1, %2;" : "=r"(a) : "r"(a), "r"(b));"#, 64, 1024),
    (r#"asm("" : "+r"(a));"#, 1024, 1024),
    (r#"asm("{add.u32 %0, %1, %2;\n}" : "=r"(a) : "r"(a), "r"(b));"#, 1024, 1024),
    (r#"asm("add.u32 %0, %1, %2;\n\tadd.u32 %0, %1, %2;" : "=r"(a) : "r"(a), "r"(b));"#, 64, 1024),
    (r#"asm("add.u32 %0, %1, %2;add.u32 %0, %1, %2; add.u32 %0, %1, %2;" : "=r"(a) : "r"(a), "r"(b));"#, 32, 1024),
    (r#"asm("{.reg .u32 t; add.u32 t, %1, %2; mov.u32 %0, t;}" : "=r"(a) : "r"(a), "r"(b));"#, 64, 1024),
    // The arithmetic of `cuda_fp16.h` is assembly in braces.
    ("p = p + q;", 1024, 1024),
    ("p = __hfma(p, q, p);", 1024, 1024),
    ("v = __hmul2(v, w);", 1024, 1024),
    ("v = __hmin2(__habs2(v), w);", 1024, 1024),
    ("p = __hgt(p, q) ? q : p;", 32, 64),
    ("p = hsqrt(p);", 32, 1024),
];

/// What a loop does with `i`, `a`, `b` (`float *`), and how many copies nvcc makes for sm_90 and for sm_100.
const CACHED: &[(&str, u32, u32)] = &[
    ("s += a[i];", 4, 16),
    ("s += __ldcs(a + i);", 4, 4),
    ("s += __ldlu(a + i);", 4, 4),
    ("s += __ldg(a + i);", 4, 16),
    ("b[i] = a[i];", 4, 4),
    ("b[i] = __ldcs(a + i);", 4, 8),
    ("b[i] = __ldg(a + i);", 4, 4),
    ("__stcs(b + i, a[i]);", 4, 16),
    ("__stcs(b + i, __ldcs(a + i));", 4, 4),
];

/// What a loop does with `c`, `A` and `B` (`float4 *`), `a` and `b` (`float *`), and the size that nvcc counts for sm_90.
const WHOLE: &[(&str, u64)] = &[
    ("A[c] = make_float4(n, 2, 3, 4);", 12),
    ("*(float4 *)(a + c) = make_float4(n, 2, 3, 4);", 15),
    ("float2 v; v.x = n; v.y = 2; *(float2 *)(a + c) = v;", 9),
    ("float4 *p = (float4 *)(a + c); p->x = 1; p->y = n; p->z = 3; p->w = 4;", 15),
    ("A[c] = B[c];", 8),
    ("float4 v = B[c]; A[c] = v;", 8),
    ("int4 v = *(int4 *)(b + c); *(int4 *)(a + c) = v;", 8),
    ("float4 v = B[c]; v.x += 1; A[c] = v;", 15),
    ("float4 v = B[c]; v.x += 1; v.y += 1; v.z += 1; v.w += 1; A[c] = v;", 18),
    ("float4 v = *(float4 *)(b + c); *(float4 *)(a + c) = make_float4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);", 21),
    ("float4 v = *(float4 *)(b + c); o[0] += v.x + v.y + v.z + v.w;", 12),
    ("int4 v; v.x = n; v.y = n; v.z = 3; v.w = c; int4 d; memcpy(&d, &v, 16); *(int4 *)(a + c) = d;", 15),
    ("P v; v.p[0] = n; v.p[1] = n; v.p[2] = 3; v.p[3] = o[1]; int4 d; memcpy(&d, &v, 16); *(int4 *)(a + c) = d;", 16),
    ("float d[4]; for (int k = 0; k < 4; k++) d[k] = o[k]; *(int4 *)(a + c) = *(int4 *)&d;", 11),
    (
        "float4 d = *(float4 *)(b + c); for (int k = 0; k < 4; k++) ((float *)&d)[k] += o[k]; *(float4 *)(a + c) = d;",
        17,
    ),
    ("P v; for (int k = 0; k < 4; k++) v.p[k] = o[k]; int4 d; memcpy(&d, v.p, 16); *(int4 *)(a + c) = d;", 20),
];

fn copies(text: &str) -> [u32; 2] {
    ["sm_90", "sm_100"].map(|arch| {
        let mut options = Options::new(Dialect::CUDA);
        options.explain = true;
        options.set_arch(arch.parse().expect("an architecture"));
        let out = unspool::compile_with_log(&Input::text("widths.cu", text), &options, &Emit::PTX);
        let look = out.session.ledger.loops().first().unwrap_or_else(|| panic!("no loop in {text}"));
        look.copies.max(1)
    })
}

/// That all of these have the copies that nvcc makes.
fn agree(rows: &[(&str, u32, u32)], around: impl Fn(&str) -> String) {
    let mut wrong = String::new();
    for &(body, narrow, wide) in rows {
        let got = copies(&around(body));
        if got != [narrow, wide] {
            wrong.push_str(&format!("{body}: {got:?} copies for sm_90 and sm_100, nvcc makes {narrow} and {wide}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn counters_that_are_compared_in_a_wider_type_are_counted_where_nvcc_counts_them() {
    agree(WIDER, |header| {
        format!(
            "__global__ void k(float *g, const float *h, int n, long long ln, unsigned long long ul, int s, int t) {{\n\
             for ({header}) g[i] = h[i] + 1; }}"
        )
    });
}

#[test]
fn assembly_counts_its_statements_and_halves_count_as_assembly() {
    agree(ASSEMBLY, |body| {
        format!(
            "#include <cuda_fp16.h>\n__global__ void k(unsigned *g, half *h, half2 *h2, unsigned b, unsigned c, half q, half2 w) {{\n\
             unsigned a = g[1]; half p = h[1]; half2 v = h2[1];\n\
             for (int i = 0; i < 1024; i++) {{ {body} }}\n\
             g[0] = a; h[0] = p; h2[0] = v; }}"
        )
    });
}

/// A loop with a step of unknown sign is counted if nothing could keep it from its end, which assembly could.
#[test]
fn variable_steps_past_what_is_assembly_in_nvccs_headers_are_not_counted() {
    let wanted = [("h[i] + h[i + 1]", 4), ("__ldcg(h + i)", 1), ("__float2half(h[i])", 1), ("__ldg(h + i)", 4)];
    for (value, copies_of_it) in wanted {
        let got = copies(&format!(
            "#include <cuda_fp16.h>\n__global__ void k(float *g, const float *h, int n, int s) {{\n\
             for (int i = threadIdx.x; i < n; i += s) g[i] = {value}; }}"
        ));
        assert_eq!(got[0], copies_of_it, "{value}");
    }
}

#[test]
fn accesses_with_a_cache_operator_are_assembly_for_factors() {
    agree(CACHED, |body| {
        format!(
            "__global__ void k(float *a, float *b, int n) {{ float s = 0;\n\
             for (int i = threadIdx.x; i < n; i += 32) {{ {body} }} b[n] = s; }}"
        )
    });
}

#[test]
fn copies_of_vectors_count_one_access_or_their_members() {
    let mut wrong = String::new();
    for &(body, size) in WHOLE {
        let text = format!(
            "struct __align__(16) P {{ float p[4]; }};\n\
             __global__ void k(float4 *A, float4 *B, float *a, float *b, int n, float *o) {{\n\
             for (int c = threadIdx.x; c < n; c += 128) {{ {body} }} }}"
        );
        let mut options = Options::new(Dialect::CUDA);
        options.explain = true;
        options.set_arch("sm_90".parse().expect("an architecture"));
        let out = unspool::compile_with_log(&Input::text("whole.cu", text), &options, &Emit::PTX);
        let looks = out.session.ledger.loops();
        let outer = looks.iter().find(|l| l.facts.iter().all(|(name, _)| *name != "depth")).expect("the loop");
        let got = outer.facts.iter().find(|(name, _)| *name == "size").and_then(|(_, v)| v.parse().ok());
        if got != Some(size) {
            wrong.push_str(&format!("{body}: {got:?}, nvcc counts {size}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
