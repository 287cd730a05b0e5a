//! What nvcc 13.5 for sm_90 peels since loads stand in a loop's header: the test, or what the loop begins with as the code behind
//! it does. Copied in front of the loop, such a load is another value than the one that left the loop, so that what depends on it
//! settles after one iteration. Each line was measured, for sm_100, too, which peels none (`docs/unrolling.md`).

use unspool::{Dialect, Emit, Input, Options};

/// A kernel's body, what nvcc does with its innermost loop for sm_90, and its factor for sm_100.
const KERNELS: &[(&str, &str, u32)] = &[
    ("for (int i = 0; (m = p[0]), i < m; i++) a[i] = m;", "peel", 16),
    ("for (int i = 0; i < n; i++) a[i] = p[0]; a[p[0]] = n;", "peel", 16),
    ("for (int i = 0; i < n; i++) a[i] = p[t]; a[p[t]] = n;", "peel", 16),
    ("for (int i = 0; i < n; i++) a[i] = p[1] + p[0]; a[n] = p[1] * p[0];", "peel", 16),
    ("for (int i = 0; i < n; i++) a[p[0] * 7 + i] += 1; a[n] = p[0] * 7;", "peel", 16),
    ("for (int i = 0; i < n; i++) m += p[t] * a[i]; m ^= p[t];", "peel", 16),
    ("int i = 0; while (i < n) { a[i] += p[2]; i++; } a[i] = p[2];", "peel", 16),
    ("for (int k = 0; k < n; k++) { for (int i = 0; i < k; i++) a[i] += p[k]; a[p[k]] = 1; }", "peel", 16),
    // Nobody asks for the load but the test.
    ("for (int i = 0; i < p[0]; i++) a[i] = 1;", "runtime", 16),
    ("for (int i = p[t]; i < p[t + 1]; i++) m += a[i];", "runtime", 16),
    // What only computes is one value.
    ("for (int i = 0; i < n; i++) a[t * 7 + i] += 1; a[n] = t * 7;", "runtime", 16),
    // The two begin otherwise.
    ("for (int i = 0; i < n; i++) a[i] = p[0]; a[n] = p[1] + p[0];", "runtime", 16),
    // The loop is known to be entered: both loads stand in the same block.
    ("if (n > 3) { for (int i = 0; i < n; i++) a[i] = p[0]; a[p[0]] = 1; }", "runtime", 16),
];

/// What is done with the innermost loop for an architecture: the kind, and the copies.
fn fate(body: &str, arch: &str) -> (String, u32) {
    let text = format!(
        "__global__ void k(int *__restrict__ a, int *__restrict__ b, const int *__restrict__ p, int n, int t, int m) {{\n\
         {body} b[n] = m; }}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch(arch.parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("headers.cu", &text), &options, &Emit::PTX);
    let loops = out.session.ledger.loops();
    let look = loops.iter().find(|l| l.changed).unwrap_or_else(|| panic!("nothing was done for {arch}: {body}"));
    (look.kind.to_owned(), look.copies)
}

#[test]
fn a_load_in_a_header_is_peeled_off_where_nvcc_does() {
    let mut wrong = String::new();
    for &(body, old, new) in KERNELS {
        let (sm_90, sm_100) = (fate(body, "sm_90"), fate(body, "sm_100"));
        if sm_90.0 != old || sm_100 != ("runtime".to_owned(), new) {
            wrong.push_str(&format!("{body}: {sm_90:?} and {sm_100:?}, nvcc: {old} and {new} copies\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_is_left_of_a_peeled_loop_is_not_unrolled_by_the_assembler_and_keeps_its_sum_in_a_register() {
    let text = "__global__ void k(int *__restrict__ a, const int *__restrict__ p, int n, int t) {\n\
                for (int i = 0; i < n; i++) a[p[0]] += t; a[p[0]] += p[0]; }";
    let out = unspool::compile_with_log(&Input::text("peeled.cu", text), &Options::new(Dialect::CUDA), &Emit::PTX);
    let ptx = out.output().expect("PTX");
    let rest = ptx.split(".pragma \"nounroll\";").nth(1).expect("a loop that stays");
    let body = rest.split("bra").next().expect("its branch back");
    assert!(!body.contains("ld.") && !body.contains("st."), "{ptx}");
}
