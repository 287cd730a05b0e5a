//! Loops that nvcc 13.5 removes before it decides, what it knows of identities and sizes, and which branches it takes out of
//! loops: each line was measured for sm_90 and sm_100 (`docs/unrolling.md`).

use unspool::{Dialect, Emit, Input, Options};

/// A kernel's body, and the factors of its loops that nvcc unrolls for sm_90 and for sm_100.
const KERNELS: &[(&str, &[u32], &[u32])] = &[
    // Nothing uses what the loop computes.
    ("float s = 1; for (int i = 0; i < n; i++) s *= g[i];", &[], &[]),
    ("for (int i = 0; i < n; i++) g[threadIdx.x] = f;", &[], &[]),
    ("\n#pragma unroll\nfor (int i = 0; i < 8; i++) g[threadIdx.x] = f;", &[], &[]),
    ("for (int i = 0; i < n; i++) if (p[i] == 3) break;", &[], &[]),
    // What it computes is known before: the older compiler keeps it.
    ("int s = 0; for (int i = 0; i < n; i++) s += c; p[0] = s;", &[4], &[]),
    ("int s = 0; for (int i = 0; i < n; i++) s += i; p[0] = s;", &[4], &[]),
    ("int s = 0; for (int i = 0; i < n; i++) s = i * c; p[0] = s;", &[4], &[]),
    ("for (int i = 0; i < n; i++) p[threadIdx.x] += 3;", &[4], &[]),
    ("long long s = 0; for (long long i = 0; i < n; i++) s += i; q[0] = s;", &[4], &[]),
    ("int s = 0; for (int i = 0; i < n; i += 3) s += 7; p[0] = s;", &[4], &[]),
    ("int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < c; j++) s += f > 3; p[0] = s;", &[4], &[]),
    // It is not.
    ("int s = 0; for (int i = 0; i < n; i++) s ^= c; p[0] = s;", &[4], &[4]),
    ("int s = 1; for (int i = 0; i < n; i++) s *= 3; p[0] = s;", &[4], &[4]),
    ("float s = 1; for (int i = 0; i < n; i++) s += 3; g[0] = s;", &[4], &[4]),
    // Few iterations by what is known of identities and sizes.
    ("for (int j = 0; j < blockDim.x >> 5; j++) p[j * n] ^= j;", &[4], &[4]),
    ("for (int j = 0; j < blockDim.x >> 6; j++) p[j * n] ^= j;", &[4], &[]),
    ("for (int j = 0; j < (int)(blockDim.x >> 6) + 4; j++) p[j * n] ^= j;", &[4], &[]),
    ("for (int j = 0; j < (int)(blockDim.x >> 6) * 2; j++) p[j * n] ^= j;", &[4], &[4]),
    ("for (int j = 0; j < blockDim.z / 4; j++) p[j * n] ^= j;", &[4], &[]),
    ("for (int j = 0; j < blockDim.x % 10; j++) p[j * n] ^= j;", &[4], &[4]),
    ("for (int j = 0; j < u % 10; j++) p[j * n] ^= j;", &[4], &[]),
    // Shifts are not counted by bounds of what they start from.
    ("for (int s = blockDim.x >> 1; s > 0; s >>= 1) p[s] ^= s;", &[], &[]),
    (
        "for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) { if (threadIdx.x < s) p[threadIdx.x] += p[threadIdx.x + s]; \
      __syncthreads(); }",
        &[],
        &[],
    ),
    // Conditions of identities and sizes are not taken out of loops for sm_100, nor those asked together with them.
    ("for (int i = 0; i < n; i++) { p[i] = c; if (c > 3) p[i * 3 + 7] = 5; }", &[4, 4], &[8, 4]),
    ("for (int i = 0; i < n; i++) { p[i] = c; if (blockIdx.x > 3) p[i * 3 + 7] = 5; }", &[4, 4], &[4]),
    ("for (int i = 0; i < n; i++) { p[i] = c; if (threadIdx.x > 3) p[i * 3 + 7] = 5; }", &[4], &[4]),
];

#[test]
fn loops_that_are_gone_and_bounds_of_ids_are_as_nvcc_has_them() {
    let mut wrong = String::new();
    for &(body, older, newer) in KERNELS {
        for (arch, wanted) in [("sm_90", older), ("sm_100", newer)] {
            let text = format!(
                "__global__ void k(int *p, float *g, long long *q, int n, int c, float f, unsigned u) {{\n{body} }}"
            );
            let mut options = Options::new(Dialect::CUDA);
            options.explain = true;
            options.set_arch(arch.parse().expect("an architecture"));
            let out = unspool::compile_with_log(&Input::text("gone.cu", &text), &options, &Emit::PTX);
            assert!(out.succeeded(), "{text}");
            let sorted = |list: Vec<u32>| {
                let mut list = list;
                list.sort_unstable();
                list
            };
            let got = sorted(out.session.ledger.loops().iter().map(|l| l.copies).filter(|&n| n > 1).collect());
            if got != sorted(wanted.to_vec()) {
                wrong.push_str(&format!("{arch}: {body}\n  {got:?}, nvcc {wanted:?}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn hints_on_loops_that_are_gone_are_answered() {
    let text = "__global__ void k(int *p, float *g, int n, int c, float f) { int s = 0;\n\
                #pragma unroll 4\nfor (int i = 0; i < n; i++) s += c;\n p[0] = s;\n\
                #pragma unroll\nfor (int i = 0; i < 8; i++) g[threadIdx.x] = f; }";
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch("sm_100".parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("gone.cu", text), &options, &Emit::PTX);
    let ledger = &out.session.ledger;
    let reasons: Vec<&str> = (ledger.iter().flat_map(|(_, h)| h.answers.iter())).map(|a| a.reason.as_str()).collect();
    assert_eq!(reasons, ["what the loop computes is known before it begins", "nothing uses what the loop computes"]);
}
