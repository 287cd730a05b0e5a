//! Loops of four rounds with a `break`, loops behind conditions that bound their bounds, and sums of what a loop does not change:
//! what nvcc 13.5 does with them. Each line was measured, for sm_90 and for sm_100 (`docs/unrolling.md`).

use unspool::{Dialect, Emit, Input, Options};

/// A loop and whether nvcc makes straight-line code of it for sm_90 and for sm_100: not where its clean-up joins the two tests.
const BREAKS: &[(&str, [bool; 2])] = &[
    ("for (int i = 0; i < 4; i++) { if (i > m) break; w[i] = x[i] * f; }", [false, false]),
    ("for (int i = 0; i < 4; i++) { w[i] = x[i] * f; if (i > m) break; }", [false, false]),
    // Once the counter is below the bound it stays there: for sm_100 that is asked in front of the loop.
    ("for (int i = 3; i >= 0; i--) { if (i > m) break; w[i] = x[i] * f; }", [false, true]),
    ("for (unsigned i = 4; i-- > 0;) { if (i > m) break; w[i] = x[i] * f; }", [false, true]),
    ("for (int i = 3; i >= 0; i--) { int t = n - i; if (t < 0) break; w[i] = x[i] * f; }", [false, true]),
    ("for (int i = 3; i >= 0; i--) { if (i == m) break; w[i] = x[i] * f; }", [false, false]),
    ("for (int i = 0; i < 4; i++) { int t = n - i; if (t < 0) break; w[i] = x[i] * f; }", [false, false]),
    // For sm_90 the test of a loop that counts down stays where it is.
    ("for (int i = 3; i >= 0; i--) { w[i] = x[i] * f; if (i > m) break; }", [true, false]),
    ("for (int i = 3; i >= 0; i--) { w[i] = x[i] * f; if (i == m) break; }", [true, false]),
    ("for (int i = 3; i >= 0; i--) { int t = n - i; w[i] = x[i] * f; if (t < 0) break; }", [true, false]),
    // What is tested is used in the body, too.
    ("for (int i = 0; i < 4; i++) { int t = n - i; if (t < 0) break; w[t] = x[i] * f; }", [true, true]),
    ("for (int i = 3; i >= 0; i--) { int t = n - i; if (t < 0) break; w[t] = x[i] * f; }", [true, true]),
    ("for (unsigned i = 4; i-- > 0;) { int t = n - i; if (t < 0) break; w[t] = x[i] * f; }", [true, true]),
    ("for (int i = 0; i < 4; i++) { int t = n - i; w[t] = x[i] * f; if (t < 0) break; }", [false, false]),
];

/// A loop behind a condition, of which nvcc for sm_100 makes 8 copies: between zero and its bound is what the condition asks about.
const BOUNDED: &[&str] = &[
    "if (g >= 0 && g < n) for (int j = 0; j < n; j++) w[g * 8 + j] += f * x[g * 4096 + j] * y[j];",
    "if (g >= 0 && g < n) for (int j = 0; j < n; j += 2) w[g * 8 + j] += f * x[g * 4096 + j] * y[j];",
    "if (g > 0 && g < n) for (int j = 1; j < n; j++) w[g * 8 + j] += f * x[g * 4096 + j] * y[j];",
    "if (g >= 2 && g < n) for (int j = 1; j < n; j++) w[g * 8 + j] += f * x[g * 4096 + j] * y[j];",
    "int h = threadIdx.x; if (h > 0 && h < n) for (int j = 1; j < n; j++) w[h * 8 + j] += f * x[h * 4096 + j] * y[j];",
    "int h = p[0]; if (h >= 0 && h < n) for (int j = 0; j < n; j++) w[h * 8 + j] += f * x[h * 4096 + j] * y[j];",
];

/// A loop and its size for sm_90, where the code behind it computes what the loop computes in each round.
const SIZES: &[(&str, &str)] = &[
    ("float s = 0; for (int j = 0; j < n; j++) s += x[m] * j; w[m] = s;", "6"),
    ("float s = 0; for (int j = 0; j < n; j++) s += x[m] * j; w[0] = s;", "6"),
    ("float s = 0; for (int j = 0; j < n; j++) s += x[m] * j; w[m * 2] = s;", "6"),
    ("float s = 0; for (int j = 0; j < n; j++) s += x[m + 1] * j; w[m] = s;", "6"),
    ("float s = 0; for (int j = 0; j < n; j++) s = s * x[m] + y[j]; w[m] = s;", "8"),
];

/// Compiles a kernel of this body: of each look at a loop what was done, its copies and its size.
fn looks(body: &str, arch: &str) -> Vec<(String, u32, String)> {
    let text = format!(
        "__global__ void k(int n, int m, const int *p, float f, const float *x, const float *y, float *w) {{\n\
         int g = blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch(arch.parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("breaks.cu", &text), &options, &Emit::PTX);
    let found = out.session.ledger.loops().iter().map(|l| {
        let size = l.facts.iter().find(|f| f.0 == "size").map_or_else(String::new, |f| f.1.clone());
        (l.kind.to_owned(), l.copies, size)
    });
    found.collect()
}

#[test]
fn loops_with_breaks_are_straightened_where_nvcc_does() {
    let mut wrong = String::new();
    for &(body, nvcc) in BREAKS {
        let full = |arch| looks(body, arch).iter().any(|l| l.0 == "full" || l.0 == "upper-bound");
        let own = [full("sm_90"), full("sm_100")];
        if own != nvcc {
            wrong.push_str(&format!("{body}: {own:?}, nvcc {nvcc:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_guard_that_another_condition_implies_counts_as_one_for_sm_100() {
    for body in BOUNDED {
        let found = looks(body, "sm_100");
        assert!(found.iter().any(|l| l.0 == "runtime" && l.1 == 8), "{body}: {found:?}");
    }
}

#[test]
fn what_a_rotated_loop_computes_of_invariants_is_no_variable_of_it() {
    for &(body, size) in SIZES {
        let found = looks(body, "sm_90");
        assert_eq!(found.first().map(|l| l.2.as_str()), Some(size), "{body}: {found:?}");
    }
}
