//! What the loops of runtime unrolling hold, and what the assembler is told of them.

use unspool::{Dialect, Emit, Input, Options};

fn ptx(text: &str) -> String {
    let mut options = Options::new(Dialect::CUDA);
    options.set_arch("sm_90".parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("k.cu", text), &options, &Emit::PTX);
    out.output().expect("text").to_owned()
}

/// `i` was counted up in both loops, since the remainder asked for it.
#[test]
fn counters_that_only_end_remainders_were_kept_through_unrolled_loops() {
    let out = ptx("struct N { N *next; }; __global__ void k(N *p, unsigned n, N **o) {\n\
                   for (unsigned i = 0; i < n; i++) p = p->next; *o = p; }");
    assert_eq!(out.matches("ld.global.b64").count(), 5, "{out}");
    assert_eq!(out.matches("add.s32").count(), 3, "one before the loops, one in each: {out}");
}

/// The value that is loaded is the next one's index.
#[test]
fn what_is_loaded_for_the_next_round_was_copied() {
    let out = ptx("__global__ void k(const int *a, int *o, int x) { while (x > 0) x = a[x]; *o = x; }");
    let first = &out[out.find("ld.global.b32").expect("a load")..];
    let body = &first[..first.find("bra").expect("a branch")];
    assert!(!body.contains("mov."), "{body}");
}

/// At most fifteen iterations in rounds of four: sixteen copies of one are never done.
#[test]
fn the_assembler_copied_rounds_that_are_too_few() {
    let loops = |bound: &str| {
        ptx(&format!(
            "__global__ void k(const int *a, int *o, const unsigned long *n) {{\n\
             const int end = min((*n + 255) / 256, (unsigned long){bound}); int m = 0;\n\
             if (threadIdx.x < end) {{ m = a[threadIdx.x];\n\
             for (int i = threadIdx.x + 256; i < {bound} && i < end; i += 256) m = max(m, a[i]); }}\n\
             o[threadIdx.x] = m; }}"
        ))
        .matches("nounroll")
        .count()
    };
    assert_eq!(loops("4096"), 2);
    assert_eq!(loops("65536"), 1);
}
