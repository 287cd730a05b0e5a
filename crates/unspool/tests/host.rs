//! The pipeline for the host: what it does otherwise than for a GPU.

use source::Fate;
use unspool::{Compilation, Dialect, Emit, Input, Options, compile_with_log as compile};

fn host(dialect: Dialect, text: &str) -> Compilation {
    let out = compile(&Input::text("k", text), &Options::host(dialect), &Emit::Ir);
    let all: Vec<_> = out.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(out.succeeded(), "{all:?}");
    out
}

fn ir(dialect: Dialect, text: &str) -> String {
    host(dialect, text).output().expect("IR").to_owned()
}

#[test]
fn every_call_is_inlined_and_noinline_is_answered() {
    let text = "__device__ __noinline__ int f(int x) { return x * 3; }\n\
                __global__ void k(int *p) { p[threadIdx.x] = f(p[threadIdx.x]); }";
    let out = host(Dialect::CUDA, text);
    assert!(!out.output().expect("IR").contains("call"));
    let answers: Vec<_> = out.session.ledger.iter().flat_map(|(_, h)| h.answers.clone()).collect();
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].fate, Fate::Refused);
    assert!(answers[0].reason.contains("lanes of vectors"), "{}", answers[0].reason);
}

#[test]
fn recursive_functions_stay_calls() {
    let text = "__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\n\
                __global__ void k(int *p) { p[threadIdx.x] = f(p[threadIdx.x]); }";
    assert!(ir(Dialect::CUDA, text).contains("call"));
}

#[test]
fn contraction_and_division_are_left_to_llvm() {
    let text = "kernel void k(global float *p, global uint *q) { p[0] = p[1] * p[2] + p[3]; q[0] = q[1] / 7; }";
    let text = ir(Dialect::OPENCL, text);
    assert!(text.contains("contract") && text.contains("udiv") && !text.contains(" fma "), "{text}");
}

#[test]
fn contraction_that_a_pragma_forbids_is_forbidden_to_llvm() {
    let text = "kernel void k(global float *p) {\n#pragma STDC FP_CONTRACT OFF\np[0] = p[1] * p[2] + p[3]; }";
    assert!(!ir(Dialect::OPENCL, text).contains("contract"));
}

/// NVIDIA's GPUs have at most 65535 groups in y and z; this machine has more.
#[test]
fn group_ids_beyond_65534_were_folded_away_on_the_host() {
    let text = "kernel void k(global int *p) { p[0] = get_group_id(1) > 65534; p[1] = get_num_groups(2) > 65535; \
                for (uint i = 65534; i < get_group_id(2); i++) p[i] = i; }";
    let on_host = ir(Dialect::OPENCL, text);
    assert_eq!(on_host.matches("icmp ugt").count(), 3, "{on_host}");
    let on_gpu = compile(&Input::text("k.cl", text), &Options::new(Dialect::OPENCL), &Emit::Ir);
    let on_gpu = on_gpu.output().expect("IR");
    assert_eq!(on_gpu.matches("icmp ugt").count(), 0, "{on_gpu}");
}

#[test]
fn loops_unroll_when_asked_and_when_they_vanish() {
    let runtime = |hint: &str| {
        let text = format!(
            "kernel void k(global float *p, int n) {{ float s = 0; {hint}\nfor (int i = 0; i < n; i++) s += p[i]; p[0] = s; }}"
        );
        ir(Dialect::OPENCL, &text).matches("fadd").count()
    };
    assert_eq!(runtime(""), 1);
    assert!(runtime("\n#pragma unroll 4") >= 4);
    let full = "kernel void k(global float *p) { float s = 0; for (int i = 0; i < 8; i++) s += p[i]; p[0] = s; }";
    assert!(ir(Dialect::OPENCL, full).matches("fadd").count() >= 7);
    let long = "kernel void k(global float *p) { float s = 0; for (int i = 0; i < 4096; i++) s += p[i]; p[0] = s; }";
    assert_eq!(ir(Dialect::OPENCL, long).matches("fadd").count(), 1);
}

#[test]
fn a_knob_of_the_user_wins_over_the_hosts_default() {
    let text =
        "kernel void k(global float *p, int n) { float s = 0; for (int i = 0; i < n; i++) s += p[i]; p[0] = s; }";
    let mut options = Options::host(Dialect::OPENCL);
    options.knobs.assign("unroll-runtime=true").expect("a knob");
    let compiled = compile(&Input::text("k.cl", text), &options, &Emit::Ir);
    let out = compiled.output().expect("IR");
    assert!(out.matches("fadd").count() >= 4, "{out}");
}

#[test]
fn the_host_has_no_ptx() {
    let out = compile(&Input::text("k.cl", "kernel void k() {}"), &Options::host(Dialect::OPENCL), &Emit::PTX);
    assert_eq!(out.session.diagnostics.iter().next().map(|d| d.code), Some("E0703"));
    assert!(out.output().is_none());
}
