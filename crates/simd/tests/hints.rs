//! `vec_type_hint` sets how many work-items share a vector, and is answered in the ledger.

mod support;

use source::{Fate, HintKind};
use support::{A, Launch, compile, difference, f32s, options, run_groups, run_kernel, zeros};
use unspool::Dialect;

/// Makes a kernel with a hint for vectors of 512 bits, and checks what it computes; the lanes and the hint's answer.
fn made(hint: &str, local: u32, vectorise: bool) -> (u32, Fate, String, String) {
    let text = format!(
        "{hint} kernel void k(global float *out, global const float *in) {{
            int i = get_global_id(0);
            out[i] = in[i] > 0.0f ? in[i] * 2.0f : in[i ^ 1];
        }}"
    );
    let launch = Launch::line(2, local);
    let bytes = 8 * local as usize;
    let args: [A; 2] = [zeros(bytes), f32s(bytes / 4 + 1)];
    let (mut module, mut session) = compile(Dialect::OPENCL, &text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let expected = run_kernel(&module, kernel, &launch, &args);
    let o = simd::Options { vectorise, ..options(&launch) };
    let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(difference(&expected, &run_groups(&module, &host, &launch, &args)), None);
    assert!(expected.is_ok());
    let found = session.ledger.iter().map(|(_, h)| h).find(|h| h.kind == HintKind::VecTypeHint).expect("entered");
    let last = found.answers.last().expect("answered");
    (host.lanes, found.fate().expect("answered"), last.done.clone(), last.reason.clone())
}

#[test]
fn every_form_sets_the_lanes() {
    for (ty, lanes) in
        [("int", 16), ("float", 16), ("float4", 4), ("double", 8), ("float3", 4), ("char", 64), ("int8", 2)]
    {
        for hint in [
            format!("__attribute__((vec_type_hint({ty})))"),
            format!("__attribute__((__vec_type_hint__({ty})))"),
            format!("__attribute__((vec_type_hint({ty}), work_group_size_hint(64, 1, 1)))"),
        ] {
            let (got, fate, done, reason) = made(&hint, 64, true);
            assert_eq!((got, fate), (lanes, Fate::Honoured), "{hint}: {done}: {reason}");
            assert!(done.contains(&format!("{lanes} work-items")) && reason.contains("512 bits"), "{done}: {reason}");
        }
    }
}

/// A vector of the hint fills the machine's: one work-item at a time is what is asked for.
#[test]
fn a_vector_that_fills_the_machines() {
    let (lanes, fate, done, _) = made("__attribute__((vec_type_hint(float16)))", 64, true);
    assert_eq!((lanes, fate, done.as_str()), (1, Fate::Honoured, "one work-item at a time"));
}

#[test]
fn groups_that_are_smaller_adjust_it() {
    let (lanes, fate, _, reason) = made("__attribute__((vec_type_hint(char)))", 12, true);
    assert_eq!((lanes, fate), (16, Fate::Adjusted));
    assert!(reason.contains("12x1x1"), "{reason}");
}

/// Code for several work-items at once is larger; where the lanes of a warp exchange values there is no other.
#[test]
fn minsize_wants_no_vectors_unless_lanes_exchange_values() {
    let lanes = |statement: &str| {
        let text = format!(
            "__attribute__((minsize)) __global__ void k(int *a) {{ int i = threadIdx.x, x = a[i]; {statement} a[i] = x; }}"
        );
        let launch = Launch::line(1, 64);
        let (mut module, mut session) = compile(Dialect::CUDA, &text);
        let kernel =
            module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
        let args: [A; 1] = [zeros(4 * 64)];
        let expected = run_kernel(&module, kernel, &launch, &args);
        let o = simd::Options { vectorise: true, ..options(&launch) };
        let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(difference(&expected, &run_groups(&module, &host, &launch, &args)), None);
        (host.lanes, host.reason.unwrap_or_default())
    };
    let (one, reason) = lanes("x += 3 * i;");
    assert!(one == 1 && reason.contains("`minsize`"), "{one}: {reason}");
    assert_eq!(lanes("x += __shfl_xor_sync(0xffffffff, i, 1);").0, 32);
}

#[test]
fn it_is_refused_with_the_reason() {
    let hint = "__attribute__((vec_type_hint(int)))";
    let (lanes, fate, _, reason) = made(hint, 64, false);
    assert_eq!((lanes, fate), (1, Fate::Refused));
    assert!(reason.contains("switched off"), "{reason}");
    let (lanes, fate, _, reason) = made(hint, 1, true);
    assert_eq!((lanes, fate), (1, Fate::Refused));
    assert!(reason.contains("local size in x is 1"), "{reason}");
}
