//! Sizes of outer loops as nvcc 13.5 counts them for sm_90 once the loop inside is straight-line code: what the first copy
//! computes of values that the outer loop does not change is computed before that, and what begins with nothing folds
//! (`docs/unrolling.md`). Between the two looks nothing that the copies have in common becomes one.

use unspool::{Dialect, Emit, Input, Options};

/// Before the inner loop, its body, its bounds, what is behind it, and the size of an iteration of the outer loop (8 of them)
/// without its test.
const ROWS: &[(&str, &str, [u32; 2], &str, u32)] = &[
    ("", "x = x * (k ^ n);", [0, 4], "C[j] = x;", 12),
    ("", "x = x * (k ^ n);", [1, 5], "C[j] = x;", 12),
    ("", "x = x * (k ^ n);", [0, 3], "C[j] = x;", 10),
    // What the outer loop changes stays; nothing is left of `0 ^ j`.
    ("", "x = x * (k ^ j);", [0, 4], "C[j] = x;", 12),
    ("", "x = x * (k ^ j);", [1, 5], "C[j] = x;", 13),
    // Addresses go, loads do not.
    ("", "x = x * B[k];", [0, 4], "C[j] = x;", 13),
    ("", "x = x * B[k + n];", [0, 4], "C[j] = x;", 22),
    ("", "x = x * B[k + n];", [1, 5], "C[j] = x;", 22),
    ("", "x = x * B[k + j];", [0, 4], "C[j] = x;", 24),
    ("", "x = x * B[k + j];", [1, 5], "C[j] = x;", 25),
    ("int s = 0;", "s ^= x * B[k + j];", [0, 4], "C[j] = s;", 27),
    ("int s = 0;", "s |= x * B[k + j];", [0, 4], "C[j] = s;", 27),
    ("int s = x;", "s |= x * B[k + j];", [0, 4], "C[j] = s;", 28),
    ("int s = 1;", "s *= x ^ B[k + j];", [0, 4], "C[j] = s;", 27),
    ("int s = -1;", "s &= x ^ B[k + j];", [0, 4], "C[j] = s;", 27),
    ("", "C[j * 4 + k] = B[k ^ n];", [0, 4], "", 31),
    ("", "C[j * 4 + k] = B[n << k];", [0, 4], "", 31),
    ("", "C[j * 4 + k] = B[n - k];", [0, 4], "", 31),
    ("", "C[j * 4 + k] = (x >> k) & 1;", [0, 4], "", 24),
    ("", "C[j * 4 + k] = k * n;", [0, 4], "", 20),
    ("", "C[j * 4 + k] = k + n;", [0, 4], "", 21),
    // A division by a constant cannot fail, one by a variable may.
    ("", "x = x * (n / (k + 2));", [0, 4], "C[j] = x;", 21),
    ("", "x = x * (77 / (n + k));", [0, 4], "C[j] = x;", 28),
    ("", "if (x > j) x = x * (k ^ n);", [0, 4], "C[j] = x;", 20),
];

/// The size of the loop that holds the other one.
fn size_of(before: &str, body: &str, [from, to]: [u32; 2], behind: &str) -> Option<u32> {
    let text = format!(
        "__global__ void k(int *C, int n, int x, int *B) {{\n for (int j = 0; j < 8; j++) {{\n {before}\n#pragma unroll\n\
         for (int k = {from}; k < {to}; k++) {body}\n {behind}\n }}\n}}\n"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch("sm_90".parse().expect("an architecture"));
    options.knobs.assign("unroll-threshold=2").expect("a knob");
    let out = unspool::compile_with_log(&Input::text("nests.cu", &text), &options, &Emit::PTX);
    let sizes = out.session.ledger.loops().iter().flat_map(|l| l.facts.iter().filter(|f| f.0 == "size"));
    sizes.filter_map(|f| f.1.parse().ok()).max()
}

#[test]
fn what_first_copies_compute_of_invariants_counts_before_the_outer_loop() {
    let wrong: Vec<String> = ROWS
        .iter()
        .filter_map(|&(before, body, bounds, behind, size)| {
            let ours = size_of(before, body, bounds, behind);
            (ours != Some(size + 2)).then(|| format!("{body} {bounds:?} counts {ours:?}, not {}", size + 2))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Sixty-four products of eight by eight numbers, whose factors the copies have in common, are too large for both looks.
#[test]
fn what_copies_have_in_common_counts_as_often_in_the_second_look() {
    let text = "__global__ void k(const double *x, double *y, int m, int q) {
          double A[64], B[64], C[64];
          for (int i = 0; i < 64; i++) { A[i] = x[i + threadIdx.x * 64]; B[i] = x[i + 5000]; C[i] = 0; }
          for (int r = 0; r < m; r++) {
            for (int i = 0; i < 8; i++)
              for (int j = 0; j < 8; j++) {
                double sum = 0.0;
                for (int k = 0; k < 8; k++) sum += A[i + k * 8] * B[k + j * 8];
                C[i + j * 8] = sum;
              }
            for (int i = 0; i < 64; i++) A[i] += C[i];
          }
          y[threadIdx.x] = A[q];
        }";
    let mut options = Options::new(Dialect::CUDA);
    options.set_arch("sm_90".parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("k.cu", text), &options, &Emit::PTX);
    let ptx = out.output().expect("text");
    assert_eq!(ptx.matches("fma.rn.f64").count() + ptx.matches("mul.rn.f64").count(), 64, "nvcc 13.5 has as many");
}
