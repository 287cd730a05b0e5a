//! The library as its callers see it: errors that carry the log, hints with places, the programs of `examples`.

use unspool::{CompileError, Dialect, Emit, Input, Options, compile};

#[path = "../examples/compile.rs"]
mod compile_example;
#[path = "../examples/factors.rs"]
mod factors_example;
#[path = "../examples/hints.rs"]
mod hints_example;

#[test]
fn an_error_carries_the_log() {
    let text = "__global__ void k(float *p) {\n    p[0] = undeclared;\n}\n";
    let e: CompileError = compile(&Input::text("k.cu", text), &Options::new(Dialect::CUDA), &Emit::PTX).unwrap_err();
    let log = e.to_string();
    assert!(log.contains("error[") && log.contains("k.cu:2:12") && log.contains("p[0] = undeclared;"), "{log}");
    assert_eq!(log, e.log().trim_end());
    assert_eq!(log, format!("{e:?}"));
    assert!(!e.compilation.succeeded() && e.compilation.artefacts.is_empty());
    // It goes where errors go.
    let _: Box<dyn std::error::Error + Send + Sync> = e.into();
}

#[test]
fn hints_have_lines_and_columns() {
    let text =
        "__global__ void k(float *p, int n) {\n    #pragma unroll 4\n    for (int i = 0; i < n; i++) p[i] = i;\n}\n";
    let c = compile(&Input::text("k.cu", text), &Options::new(Dialect::CUDA), &Emit::PTX).unwrap();
    let hints: Vec<_> = c.hints().collect();
    assert_eq!(hints.len(), 1);
    assert_eq!((hints[0].file.as_str(), hints[0].line, hints[0].column), ("k.cu", 2, 5));
    let answer = hints[0].answers().next().unwrap();
    assert_eq!((answer.file.as_str(), answer.line, answer.column), ("k.cu", 3, 5));
    assert_eq!(answer.fate, unspool::Fate::Honoured);
}

#[test]
fn architectures_are_parsed() {
    let arch: unspool::Arch = "sm_90".parse().unwrap();
    assert_eq!(arch.name(), "sm_90");
    assert_eq!("compute_80".parse::<unspool::Arch>().unwrap().name(), "sm_80");
    let e: unspool::ParseArchError = "sm90".parse::<unspool::Arch>().unwrap_err();
    assert!(e.to_string().contains("did you mean `sm_90`?"), "{e}");
}

#[test]
fn the_examples_run() {
    let text = compile_example::example().unwrap();
    assert!(text.contains("saxpy.ptx: ") && text.contains(".entry"), "{text}");
    assert!(text.contains("wrong.cu:4:") && text.contains("`z`"), "{text}");
    let text = hints_example::example().unwrap();
    assert!(text.contains("sums.cl:4:5: `#pragma unroll 4` is Honoured"), "{text}");
    assert!(text.contains("`*restrict in`"), "{text}");
    let text = factors_example::example().unwrap();
    assert!(text.contains("factors for the loop of line 3") && text.contains("line 3: `#pragma unroll "), "{text}");
}
