//! In how many versions of a loop nvcc 13.5 for GPUs before sm_100 tests before the loop what its branches ask
//! (`docs/unrolling.md`, `opt::unswitch`): the loops that are left are counted in the PTX.

use unspool::{Dialect, Emit, Input, Options};

/// Branches in the loop, stores besides, loops that nvcc leaves.
const LOOPS: &[(usize, usize, usize)] = &[
    (1, 20, 2),
    (1, 23, 2),
    (1, 24, 1),
    (2, 1, 3),
    (2, 9, 3),
    (2, 10, 2),
    (2, 21, 2),
    (2, 22, 1),
    (3, 1, 4),
    (3, 2, 3),
    (3, 7, 3),
    (3, 8, 2),
    (3, 20, 2),
    (3, 21, 1),
    (4, 6, 3),
    (4, 7, 2),
    (5, 4, 3),
    (5, 5, 2),
];

/// What a loop asks, and the loops that nvcc leaves: the version that has what a branch goes around stays as it is, both are looked at
/// again where a branch has two sides.
const SHAPES: &[(&str, usize)] = &[
    ("if (a0 > 3) p[i * 7] += 1.0f; if (a1 > 4) p[i * 7 + 1] += 2.0f;", 3),
    ("if (a0 != 3) p[i * 7] += 1.0f; if (a1 > 4) p[i * 7 + 1] += 2.0f;", 3),
    ("if (a0 > 3) ; else p[i * 7] += 1.0f; if (a1 > 4) p[i * 7 + 1] += 2.0f;", 3),
    ("if (a0 > 3) p[i * 7] += 1.0f; else p[i * 9] = 5.0f; if (a1 > 4) p[i * 7 + 1] += 2.0f;", 4),
    ("if (a1 > 4) p[i * 7 + 1] += 2.0f; if (a0 > 3) p[i * 7] += 1.0f; else p[i * 9] = 5.0f;", 3),
];

/// Branches backwards in the only kernel of a text.
fn loops(body: &str) -> usize {
    let text = format!(
        "__global__ void k(float *__restrict__ p, int *__restrict__ q, int n, int a0, int a1, int a2, int a3, int a4) {{\n\
         #pragma unroll 1\nfor (int i = threadIdx.x; i < n; i += blockDim.x * 3) {{ {body} }} }}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.set_arch("sm_90".parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("versions.cu", &text), &options, &Emit::PTX);
    let ptx = out.output().expect("it compiles").to_owned();
    let mut labels = Vec::new();
    let mut back = 0;
    for line in ptx.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            labels.push(label.to_owned());
        } else if line.contains("bra") {
            back += usize::from(labels.iter().any(|l| line.trim_end_matches(';').ends_with(l.as_str())));
        }
    }
    back
}

#[test]
fn as_many_versions_of_a_loop_are_made_as_its_size_allows() {
    let mut wrong = String::new();
    for &(branches, stores, expected) in LOOPS {
        let asked: String =
            (0..branches).map(|k| format!("if (a{k} > {}) p[i * 7 + {k}] += {k}.5f;\n", k + 3)).collect();
        let rest: String = (0..stores).map(|j| format!("q[i * 5 + {j}] = i * {} ^ n;\n", j + 3)).collect();
        let made = loops(&(asked + &rest));
        if made != expected {
            wrong.push_str(&format!("{branches} branches, {stores} stores: {made} loops, nvcc {expected}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_version_with_what_a_branch_goes_around_is_not_looked_at_again() {
    for &(body, expected) in SHAPES {
        assert_eq!(loops(&format!("{body} q[i * 5] = i;")), expected, "{body}");
    }
}
