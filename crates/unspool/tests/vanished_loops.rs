//! Loops that are gone in one instance of a function and there in another: their hints are answered for both.

use source::{Fate, NO_LOOP_LEFT};
use unspool::{Compilation, Dialect, Emit, Input, Options, compile_with_log as compile};

fn explained(text: &str) -> Compilation {
    let mut o = Options { explain: true, ..Options::new(Dialect::CUDA) };
    o.set_arch(unspool::Arch::parse("sm_90").unwrap().arch);
    let c = compile(&Input::text("k.cu", text), &o, &Emit::PTX);
    assert!(c.succeeded(), "{}", c.log());
    c
}

/// The functions that have no loop left for the only hint.
fn gone(c: &Compilation) -> Vec<&str> {
    let answers = c.session.ledger.iter().flat_map(|(_, h)| &h.answers);
    let gone = answers.filter(|a| a.done == NO_LOOP_LEFT);
    gone.inspect(|a| assert_eq!(a.fate, Fate::Unused)).map(|a| a.function.as_str()).collect()
}

#[test]
fn an_instance_without_its_loop_was_passed_over() {
    let c = explained(
        "template <int R> __global__ void k(float *o) {
    float s = 0;
    if (R > 4) {
#pragma unroll
        for (int i = 0; i < R; i++) s += o[i];
    }
    o[0] = s;
}
template __global__ void k<1>(float *);
template __global__ void k<7>(float *);
",
    );
    assert_eq!(gone(&c), ["k<1>(float *)"]);
    let text = unspool::explain::to_text(c.explanation.as_ref().unwrap(), &c.session, source::render::Colour::Never);
    assert!(
        text.contains("gone   no loop is left in `k<1>(float *)`: it is never reached there, or never runs"),
        "{text}"
    );
    // What it came to elsewhere is its fate.
    assert_eq!(c.explanation.as_ref().unwrap().hints[0].fate, Fate::Honoured);
}

#[test]
fn functions_that_are_inlined_have_instances_too() {
    let c = explained(
        "template <int R> __device__ float sum(const float *a) {
    float s = 0;
    if (R > 4) {
#pragma unroll
        for (int i = 0; i < R; i++) s += a[i];
    }
    return s;
}
__global__ void k(float *o) { o[0] = sum<1>(o) + sum<9>(o) + sum<5>(o); }
",
    );
    assert_eq!(gone(&c), ["sum<1>(const float *)"]);
}

#[test]
fn a_loop_that_is_there_is_not_called_gone() {
    let c = explained(
        "__device__ float sum(const float *a, int n) {
    float s = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) s += a[i * 3 + j];
    return s;
}
__global__ void k(float *o, int n) { o[0] = sum(o, n); }
__global__ void l(float *o, int n) { o[0] = sum(o, n) + sum(o + n, 5); }
",
    );
    assert_eq!(gone(&c), Vec::<&str>::new());
}
