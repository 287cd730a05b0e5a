//! Loops that ask for what a structure holds that is an argument: how many nvcc 13.5 unrolls, for sm_90 and sm_100. Its compiler for older GPUs
//! has such a structure in memory if it has more than 128 bytes or an index chooses something from it, and conditions in
//! memory are no reason to make two loops of one (`docs/unrolling.md`).

use unspool::{Dialect, Emit, Input, Options};

/// What a structure has besides two integers, what else is read from it, and how many loops are unrolled: the inner one of a nest, and
/// what is left of the outer one where the inner one does not run.
const ROWS: &[(&str, &str, usize, usize)] = &[
    ("float rc[1];", "", 2, 2),
    ("float rc[16];", "", 2, 2),
    ("float rc[30];", "", 2, 2),
    ("float rc[31];", "", 1, 2),
    ("float rc[94];", "", 1, 2),
    ("float rc[94];", "o[1] = a.rc[3];", 1, 2),
    ("float2 v; float4 u[2];", "", 2, 2),
];

fn unrolled(member: &str, more: &str, arch: &str) -> usize {
    let text = format!(
        "struct S {{ int nd, nn; {member} }};\n\
         __global__ void k(S a, const float *q, float *o, const float *w, int m) {{ float e = 0;\n\
         for (int n = 0; n < m; ++n) {{ float s = 0; for (int d = 0; d < a.nd; ++d) s += w[n * a.nd + d] * q[d]; e += w[n] * s; }}\n\
         o[0] = e; {more} }}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch(arch.parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("arguments.cu", &text), &options, &Emit::PTX);
    assert!(out.output().is_some(), "{member} is refused");
    out.session.ledger.loops().iter().filter(|l| l.changed).count()
}

#[test]
fn conditions_in_large_arguments_make_two_loops_of_one_only_for_sm_100() {
    let wrong: Vec<String> = ROWS
        .iter()
        .filter_map(|&(member, more, narrow, wide)| {
            let got = ["sm_90", "sm_100"].map(|arch| unrolled(member, more, arch));
            (got != [narrow, wide]).then(|| format!("{member} {more}: {got:?}, nvcc {:?}", [narrow, wide]))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nor_do_conditions_in_arguments_that_an_index_chooses_from_for_sm_90() {
    for member in ["float rc[4];", "float rc[94];"] {
        assert_eq!(unrolled(member, "o[1] = a.rc[m];", "sm_90"), 1, "{member}");
    }
}
