//! What nvcc 13.5 for sm_100 does with loops around hints of as many copies as iterations, or more, with bare hints where
//! two tests in a row are one, and what narrow arithmetic counts, for sm_90, too (`docs/unrolling.md`). Each line was measured.

use unspool::{Dialect, Emit, Input, Options};

fn compiled(text: &str, arch: &str) -> unspool::Compilation {
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch(arch.parse().expect("an architecture"));
    unspool::compile_with_log(&Input::text("held.cu", text), &options, &Emit::PTX)
}

/// What was decided of the loops of one depth of a kernel, in order: how, and with how many copies; and their sizes.
fn decided(text: &str, arch: &str, depth: Option<&str>) -> (Vec<(&'static str, u32)>, Vec<u32>) {
    let out = compiled(text, arch);
    let fact = |l: &source::LoopReport, name: &str| l.facts.iter().find(|f| f.0 == name).map(|f| f.1.clone());
    let loops = out.session.ledger.loops().iter().filter(|l| fact(l, "depth").as_deref() == depth);
    let (mut made, mut sizes) = (Vec::new(), Vec::new());
    for l in loops {
        sizes.extend(fact(l, "size").and_then(|s| s.parse::<u32>().ok()));
        if l.changed {
            made.push((l.kind, l.copies));
        }
    }
    (made, sizes)
}

/// A loop of `inner` iterations with a hint in one of `outer`.
fn nest(hint: &str, inner: u32, outer: &str) -> String {
    format!(
        "__global__ void k(float *o, const float *in, int n) {{\n float x = 0;\n for (int j = 0; j < {outer}; j++) {{\n#pragma unroll {hint}\n \
         for (int i = 0; i < {inner}; i++) x += in[i * 7 + j * 64];\n }}\n o[0] = x;\n}}\n"
    )
}

/// The hint, the inner loop's iterations, and the most iterations of an outer loop that become straight-line code.
const HELD: &[(&str, u32, u32)] = &[("4", 4, 17), ("3", 3, 22), ("2", 2, 30), ("4", 3, 11), ("8", 4, 6)];

#[test]
fn loops_around_hints_of_all_their_iterations_had_copies_for_sm_100() {
    for hint in ["4", "5", "100"] {
        assert_eq!(decided(&nest(hint, 4, "n"), "sm_100", None).0, [], "{hint}");
        assert_eq!(decided(&nest(hint, 4, "64"), "sm_100", None).0, [], "{hint}");
    }
    assert_eq!(decided(&nest("", 4, "n"), "sm_100", None).0, [("runtime", 8)]);
    assert_eq!(decided(&nest("4", 4, "n"), "sm_90", None).0, [("runtime", 4)]);
    for &(hint, inner, most) in HELD {
        let at = |outer: u32| decided(&nest(hint, inner, &outer.to_string()), "sm_100", None).0;
        assert_eq!(at(most), [("full", most)], "{hint} of {inner} in {most}");
        assert_eq!(at(most + 1), [], "{hint} of {inner} in {}", most + 1);
    }
}

#[test]
fn bare_hints_of_many_iterations_with_a_break_at_their_end_were_obeyed_for_sm_100() {
    let text = |trip: u32| {
        format!(
            "__global__ void k(float *o, const float *in, float b) {{\n float x = 0;\n#pragma unroll\n \
             for (int i = 0; i < {trip}; i++) {{ x += in[i * 7]; if (x > b) break; }}\n o[0] = x;\n}}\n"
        )
    };
    assert_eq!(decided(&text(64), "sm_100", None).0, [("upper-bound", 64)]);
    assert_eq!(decided(&text(65), "sm_100", None).0, []);
    assert_eq!(decided(&text(65), "sm_90", None).0, [("full", 65)]);
}

/// What is said of the only loop, which goes over `x += in[i * 5]` or stores.
fn said(head: &str, body: &str, arch: &str) -> String {
    let text = format!(
        "__global__ void k(float *o, const float *in, int n) {{\n float x = 0;\n {head}\n {body}\n o[0] = x;\n}}\n"
    );
    let out = compiled(&text, arch);
    let said: Vec<&str> = out.session.ledger.loops().iter().filter(|l| l.changed).map(|l| &*l.done).collect();
    assert_eq!(said.len(), 1, "{head} for {arch}: {said:?}");
    said[0].to_owned()
}

#[test]
fn counts_that_fall_to_a_constant_had_four_copies_for_sm_100() {
    let body = "o[i * 3] = in[i * 5] + 1;";
    for (head, copies) in [
        ("for (int i = n * 2; i > 0; i--)", 16),
        ("for (int i = n + 3; i > 0; i--)", 16),
        ("for (int i = 0; i < n * 2; i++)", 4),
    ] {
        assert!(said(head, body, "sm_100").starts_with(&format!("unrolled by {copies}, ")), "{head}");
        assert!(said(head, body, "sm_90").starts_with("unrolled by 4, "), "{head}");
    }
}

#[test]
fn remainders_of_hints_stood_behind_for_sm_100() {
    let body = "x += in[i * 5];";
    for (head, side) in [
        ("_Pragma(\"unroll 4\") for (int i = n; i < 1000; i++)", "before"),
        ("_Pragma(\"unroll 4\") for (int i = 0; i < n; i++)", "after"),
    ] {
        for arch in ["sm_90", "sm_100"] {
            assert_eq!(said(head, body, arch), format!("unrolled by 4, a remainder loop {side} it"), "{head} {arch}");
        }
    }
}

/// What is done with a byte or a short, what it counts beside nothing done, for sm_90 and for sm_100.
const NARROW: &[(&str, &str, [u32; 2])] = &[
    ("unsigned char", "a[j] >> 4", [1, 1]),
    ("unsigned char", "a[j] & 15", [1, 1]),
    ("unsigned char", "a[j] << 2", [1, 1]),
    ("unsigned char", "a[j] * 3 + 1", [2, 2]),
    ("unsigned short", "a[j] >> 4", [1, 1]),
    ("unsigned short", "a[j] + n", [1, 1]),
];

#[test]
fn truncations_of_what_is_computed_of_extended_values_counted() {
    let size = |ty: &str, value: &str, arch: &str| {
        let text = format!(
            "__global__ void k(float *o, const {ty} *a, int n, int m) {{\n float r = 0;\n for (int j = 0; j < m; j++) {{ {ty} x = \
             {value}; r += (float)x; }}\n o[0] = r;\n}}\n"
        );
        decided(&text, arch, None).1[0]
    };
    for &(ty, value, counts) in NARROW {
        for (arch, count) in ["sm_90", "sm_100"].into_iter().zip(counts) {
            assert_eq!(size(ty, value, arch), size(ty, "a[j]", arch) + count, "{ty} {value} for {arch}");
        }
    }
    let byte_of_short = |arch| size("unsigned char", "((const unsigned short *)a)[j] >> 8", arch);
    let shifted = |arch| size("unsigned short", "a[j] >> 4", arch);
    assert_eq!(byte_of_short("sm_90"), shifted("sm_90") + 1);
    assert_eq!(byte_of_short("sm_100"), shifted("sm_100"));
}
