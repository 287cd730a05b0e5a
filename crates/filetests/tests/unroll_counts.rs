//! Which counts nvcc 13.5 for sm_100 computes in front of a loop, and what a step may be: each line was measured
//! (`docs/unrolling.md`). What a count costs matters where it is computed again and again, and where the loop is unrolled by the
//! default factor only.

use unspool::{Dialect, Emit, Input, Options};

/// Before the loop, the loop, and how many copies nvcc makes of one that only counts atomically: where it stands alone, in another
/// loop (over `m`), and in two more.
const NESTS: &[(&str, &str, [u32; 3])] = &[
    // The count is a difference, or that of a loop that starts from a constant.
    ("int e = p[m];", "int i = p[m + 1]; i < e; i++", [4, 4, 4]),
    ("int e = p[m];", "int i = p[m + 1]; i <= e; i++", [4, 4, 4]),
    ("int e = p[m];", "int i = 0; i < e; i += 4", [4, 4, 4]),
    ("int e = p[m];", "int i = 0; i < e; i += 3", [4, 4, 4]),
    ("int e = b;", "int i = m + 1; i <= e; i++", [4, 4, 4]),
    ("int e = p[m];", "int i = e - 1; i >= 0; i--", [4, 4, 4]),
    ("int e = min(p[m + 1], a);", "int i = max(p[m], b); i < e; i++", [4, 4, 4]),
    ("unsigned e = u[m];", "unsigned i = u[m + 1]; i < e; i++", [4, 4, 4]),
    // One that is divided, too, is dear.
    ("int e = p[m];", "int i = p[m + 1]; i <= e; i += 2", [4, 1, 1]),
    ("int e = b;", "int i = m; i < e; i += 2", [4, 1, 1]),
    ("int e = b;", "int i = m; i <= e; i += 2", [4, 1, 1]),
    ("int e = p[m];", "int i = threadIdx.x; i < e; i += 16", [4, 1, 1]),
    ("int e = p[m];", "int i = e; i > 0; i -= 2", [4, 1, 1]),
    // What changes in a loop around is added to its counter each time, and no part of that: the counter's multiple is there.
    ("int e = p[m];", "int i = m * s; i > e; i--", [4, 4, 4]),
    ("int e = p[m] * a;", "int i = m * s; i > e; i--", [4, 4, 4]),
    ("int e = p[m];", "int i = e; i < m * s; i++", [4, 4, 4]),
    ("int e = p[m];", "int i = m * s; i >= e; i--", [4, 4, 4]),
    ("int e = p[m];", "int i = e + m * s; i > 0; i--", [4, 4, 4]),
    ("int e = p[m];", "int i = m * s; i > e; i -= 2", [4, 1, 1]),
    ("int e = p[m], f = p[m + b];", "int i = m + f; i > e; i--", [4, 4, 4]),
    // In 64 bits a sum costs twice.
    ("long long e = q[m];", "long long i = q[m + 1]; i < e; i++", [4, 4, 4]),
    ("long long e = q[m];", "long long i = q[m + 1]; i <= e; i++", [4, 1, 1]),
    ("long long e = q[m];", "long long i = 0; i < e; i += 4", [4, 1, 1]),
    ("long long e = q[m];", "long long i = 0; i <= e; i += 4", [4, 4, 4]),
    // The test in front of the loop is about what start and bound do not share.
    ("int e = m + b;", "int i = m; i < e; i++", [4, 1, 1]),
    // Steps that are variables.
    ("int e = p[m];", "int i = threadIdx.x; i < e; i += s", [4, 1, 1]),
    ("int e = p[m];", "int i = 0; i < e; i += (int)blockDim.x", [4, 4, 4]),
    ("int e = p[m];", "int i = threadIdx.x; i < e; i += (int)blockDim.x", [4, 1, 1]),
    // What does not change in the only loop around is computed in front of that.
    ("int e = b;", "int i = threadIdx.x; i < e; i += s", [4, 4, 1]),
];

/// A loop, and how many copies nvcc makes of it.
const LOOPS: &[(&str, u32)] = &[
    // What stands in front asks about the value that is divided, `n > 0` for `(n + 15) / 16 > 0`; nothing is concluded from that.
    ("for (int t = 0; t < (n + 15) / 16; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 0; t < (n - 1) / 16 + 1; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 0; t < (n - 16) / 16; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 0; t < n * 3 / 2; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 0; t < -n / 2; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 0; t < n / 16; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < n / 16 + 1; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < n / 16 - 1; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 0; t < n / 16 + 2; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 0; t < (n + a) / 16; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < (n + a + 3) / 16; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < n * 4 / 16; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < (n + 15) / a; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < (n + 15) >> 4; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < (int)((un + 15) / 16); t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < (n + 15) / 16 - a; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 1; t < n / 16; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 1; t <= n / 2; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t <= (n + 15) / 16; t++) g[t] = h[t] + 1;", 4),
    ("for (int t = 0; t < (n + 15) / 16; t += 2) g[t] = h[t] + 1;", 16),
    ("for (int t = a; t < (n + 15) / 16; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = (n + 15) / 16; t > 0; t--) g[t] = h[t] + 1;", 16),
    ("for (unsigned t = 0; t < un + 3; t++) g[t] = h[t] + 1;", 16),
    ("for (unsigned t = 0; t < un - 3; t++) g[t] = h[t] + 1;", 16),
    ("for (unsigned t = 0; t < un * 2; t++) g[t] = h[t] + 1;", 16),
    ("for (unsigned t = 0; t < un * 3; t++) g[t] = h[t] + 1;", 4),
    ("for (unsigned t = 0; t < un / 16 - 1; t++) g[t] = h[t] + 1;", 16),
    ("for (int t = 0; t < n + 15u; t++) g[t] = h[t] + 1;", 16),
    // Pointers that come to another one.
    ("for (const float *t = h; t < h + n; t++) s += *t; g[0] = s;", 4),
    ("for (const float *t = h, *e = h + n; t != e; ++t) s += *t; g[0] = s;", 4),
    ("for (float *t = g, *e = g + n; t < e; t += 4) *t = 1;", 4),
    ("const float *t = h; for (int i = 0; i < n; i++) s += *t++; g[0] = s;", 16),
    // A step of unknown sign: the loop is one block that runs through.
    ("for (int i = threadIdx.x; i < n; i += s * 4) g[i] = h[i];", 4),
    ("for (int i = threadIdx.x; i < n; i += s * 4) { g[i] = h[i]; __syncthreads(); }", 1),
    ("for (int i = threadIdx.x; i < n; i += s * 4) g[i] = __shfl_down_sync(~0u, h[i], 1);", 1),
    ("for (int i = threadIdx.x; i < n; i += s * 4) { g[i] = h[i]; __threadfence(); }", 1),
    ("for (int i = threadIdx.x; i < n; i += s * 4) if (h[i] > 0) g[i] = h[i + 1];", 1),
    ("for (int i = threadIdx.x; i < n; i += s * 4) ((volatile float *)g)[i] = h[i];", 4),
    ("for (int i = threadIdx.x; i < n; i += s / 2) g[i] = h[i];", 4),
    ("for (int i = threadIdx.x; i < n; i += max(s, 1)) g[i] = h[i];", 4),
    // The additions of a sum are joined with the counter's, which leaves no promise.
    ("for (int i = threadIdx.x; i < n; i += s + 1) g[i] = h[i];", 1),
    ("for (int i = threadIdx.x; i < n; i += s - a) g[i] = h[i];", 1),
    ("for (int i = threadIdx.x; i < n; i += 7 - s) g[i] = h[i];", 1),
    ("for (int i = threadIdx.x; i < n; i += (int)blockDim.x + 1) g[i] = h[i];", 4),
    ("for (int i = threadIdx.x; i < n; i += (s & 7) + 1) g[i] = h[i];", 4),
    // Only steps of unknown sign are limited by the loop's instructions.
    ("for (int i = a; i < n; i += s) g[i] = h[i] * h[i+1] + h[i+2] * h[i+3] + h[i+4] * h[i+5];", 4),
    (
        "for (int i = a; i < n; i += s) g[i] = h[i] * h[i+1] + h[i+2] * h[i+3] + h[i+4] * h[i+5] + h[i+6] * h[i+7] + h[i+8] * h[i+9] \
         + h[i+10] * h[i+11];",
        1,
    ),
    (
        "for (int i = a; i < n; i += (int)blockDim.x) g[i] = h[i] * h[i+1] + h[i+2] * h[i+3] + h[i+4] * h[i+5] + h[i+6] * h[i+7] \
         + h[i+8] * h[i+9] + h[i+10] * h[i+11];",
        2,
    ),
    // Counts down, and rounded up.
    ("for (int i = n; i > 0; i -= 3) g[i] = h[i];", 16),
    ("for (int i = n; i >= 0; i--) g[i] = h[i];", 16),
    // Counts that work-items may see differently, or that a conversion makes, are not plain.
    ("int c = un; if (h[0] > s) c = n; for (int i = 0; i < c; i++) g[i] = h[i];", 16),
    ("int c = un; if (h[threadIdx.x] > s) c = n; for (int i = 0; i < c; i++) g[i] = h[i];", 4),
    ("int c = atomicAdd((int *)g, 1); for (int i = 0; i < c; i++) g[i] = h[i];", 4),
    ("int c = (int)h[0]; for (int i = 0; i < c; i++) g[i] = h[i];", 4),
    // Control goes on behind assertions and traps, which count as calls; not behind what ends the work-item.
    ("float x = 0; for (int i = 0; i < n; i++) { assert(h[i] > 0); x += h[i]; } g[0] = x;", 8),
    ("float x = 0; for (int i = 0; i < n; i++) { if (h[i] < 0) __trap(); x += h[i]; } g[0] = x;", 16),
    ("float x = 0; for (int i = 0; i < n; i++) { if (h[i] < 0) return; x += h[i]; } g[0] = x;", 1),
    // Nothing tests in front of these.
    ("int i = 0; do { g[i] = h[i]; i++; } while (i < n);", 4),
    ("int i = 3; do { g[i] = h[i]; i++; } while (i < n);", 4),
    ("int i = s; do { g[i] = h[i]; i++; } while (i < n);", 16),
    ("int e = n - a; for (int i = 0; i < e; i++) g[i] = h[i];", 16),
    ("int e = n * 2; for (int i = 0; i < e; i++) g[i] = h[i];", 4),
];

/// What a loop does, and how many additions may stand behind that so that nvcc still makes two copies, which it does up to a size
/// of 95. What is left of loops that are gone counts: the jump in front of each that became straight-line code, and those
/// between the blocks of a version in which a condition is decided.
const ADDITIONS: &[(&str, usize)] = &[
    ("s += dq[d];", 86),
    ("for (int j = 0; j < 3; j++) s += dq[d + j];", 71),
    ("for (int j = 0; j < 3; j++) s += dq[d + j]; for (int j = 0; j < 3; j++) s *= dq[d + j + 9];", 49),
    ("if (dq[d] > 0) for (int j = 0; j < 3; j++) s += dq[d + j];", 65),
    ("float z[4]; for (int j = 0; j < 4; j++) z[j] = dq[d + j]; for (int j = 0; j < 4; j++) s += z[j] * z[3 - j];", 63),
    ("s += dq[d]; for (int k = 0; k < X; k++) s *= dp[k];", 85),
    ("s += dq[d]; if (X > 3) dp[d] = s;", 85),
    ("if (X > 3) s += dq[d]; else dp[d] = s;", 86),
];

fn compile(text: &str) -> unspool::Compilation {
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch("sm_100".parse().expect("an architecture"));
    unspool::compile_with_log(&Input::text("counts.cu", text), &options, &Emit::PTX)
}

#[test]
fn counts_that_are_dear_keep_loops_in_nests_for_sm_100() {
    let mut wrong = String::new();
    for &(before, header, copies) in NESTS {
        let nests = [
            "int m = a; {",
            "for (int m = 0; m < a; m++) {",
            "for (int m = 0; m < a; m++) for (int w = 0; w < b * 3; w++) {",
        ];
        for (nest, wanted) in nests.iter().zip(copies) {
            let text = format!(
                "__global__ void k(float *__restrict__ o, const int *__restrict__ p, const long long *__restrict__ q,\n\
                 const unsigned *__restrict__ u, int a, int b, int s) {{ {nest} {before}\n\
                 for ({header}) atomicAdd(o + i, 1.f); }} }}"
            );
            let out = compile(&text);
            let looks = out.session.ledger.loops();
            let inner = looks.iter().filter(|l| l.facts.iter().any(|f| f.0 == "size" && f.1 == "6"));
            let got = inner.map(|l| l.copies.max(1)).max();
            if got != Some(wanted) {
                wrong.push_str(&format!("{nest} {before} for ({header}): {got:?} copies, nvcc makes {wanted}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn steps_and_counts_are_those_that_nvcc_takes_for_sm_100() {
    let mut wrong = String::new();
    for &(body, wanted) in LOOPS {
        let text = format!(
            "#include <assert.h>\n__global__ void k(float *g, const float *__restrict__ h, int n, unsigned un, int a, int s) {{\n {body} }}"
        );
        let out = compile(&text);
        let look = out.session.ledger.loops().first().unwrap_or_else(|| panic!("no loop in {body}"));
        if look.copies.max(1) != wanted {
            wrong.push_str(&format!("{body}: {} copies, nvcc makes {wanted}\n", look.copies.max(1)));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_is_left_of_loops_that_are_gone_counts_for_the_loops_around() {
    let mut wrong = String::new();
    for &(body, most) in ADDITIONS {
        for (additions, wanted) in [(most, true), (most + 1, false)] {
            let text = format!(
                "__global__ void k(int n, int X, float s, float t, float *__restrict__ w, double *__restrict__ dp,\n\
                 const double *__restrict__ dq) {{ for (int d = 0; d < n; d++) {{ {body} {} }} w[0] = s; }}",
                "s = s + t; ".repeat(additions)
            );
            let out = compile(&text);
            if out.session.ledger.loops().iter().any(|l| l.copies == 2) != wanted {
                wrong.push_str(&format!(
                    "{body} with {additions} additions: nvcc {}\n",
                    if wanted { "makes two copies" } else { "makes none" }
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
