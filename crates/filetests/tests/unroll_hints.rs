//! Unroll hints from the source to the result: every row of the tables of spellings with its message and caret, factors
//! at their limits on loops at the limits of their types, loops that never end, hints that speak of nests.

use interp::{Arg, LaunchConfig, Limits, Machine};
use source::Severity::{self, Error, Note, Warning};
use unspool::{Compilation, Dialect, Emit, Input, OptLevel, Options};

fn compile(dialect: Dialect, level: OptLevel, text: &str, knobs: &[&str]) -> Compilation {
    let mut o = Options::new(dialect);
    o.level = level;
    o.explain = true;
    for k in knobs {
        o.knobs.assign(k).expect("a knob");
    }
    unspool::compile_with_log(&Input::text("t", text), &o, &Emit::PTX)
}

fn in_loop(dialect: Dialect, hint: &str, statement: &str) -> String {
    let head = if dialect == Dialect::OPENCL {
        "__kernel void k(__global int *a, int x)"
    } else {
        "__global__ void k(int *a, int x)"
    };
    format!("#define FOUR 4\nenum {{ THREE = 3 }};\n{head} {{\n{hint}\n{statement}\n}}\n")
}

const LOOP: &str = "for (int i = 0; i < 8; i++) a[i * 2] = x;";

/// What the compiler first says of a hint: severity, code, and what the caret points at.
type Said = Option<(Severity, &'static str, &'static str)>;

const ROWS: &[(&str, &str, Said, Said)] = &[
    // In OpenCL C as the extension's text has it, in CUDA as measured.
    ("#pragma unroll -1", LOOP, Some((Error, "E0397", "-1")), Some((Warning, "W0323", "-1"))),
    ("#pragma unroll 0", LOOP, Some((Note, "W0322", "0")), Some((Warning, "W0323", "0"))),
    ("#pragma unroll x+1", LOOP, Some((Error, "E0394", "x+1")), Some((Error, "E0394", "x+1"))),
    (
        "#pragma unroll",
        "if (x) a[0] = x;",
        Some((Error, "E0398", "#pragma unroll")),
        Some((Warning, "W0324", "#pragma unroll")),
    ),
    ("#pragma unroll 2 3", LOOP, Some((Error, "E0209", "3")), Some((Warning, "W0202", "3"))),
    ("#pragma unroll 2147483648", LOOP, Some((Error, "E0396", "2147483648")), Some((Warning, "W0321", "2147483648"))),
    ("#pragma unroll 1.5", LOOP, Some((Error, "E0395", "1.5")), Some((Error, "E0395", "1.5"))),
    ("#pragma unrol", LOOP, Some((Warning, "W0201", "unrol")), Some((Warning, "W0201", "unrol"))),
    // Every spelling.
    ("#pragma unroll", LOOP, None, None),
    ("_Pragma(\"unroll\")", LOOP, None, None),
    ("#pragma unroll 2147483647", LOOP, None, None),
    ("#pragma unroll (THREE + 1)", LOOP, None, None),
    ("#pragma unroll FOUR", LOOP, None, None),
    ("#pragma nounroll", LOOP, None, None),
    ("#pragma clang loop unroll(enable)", LOOP, None, None),
    ("#pragma clang loop unroll(disable)", LOOP, None, None),
    ("#pragma clang loop unroll(full)", LOOP, None, None),
    ("#pragma clang loop unroll_count(4)", LOOP, None, None),
    ("#pragma GCC unroll 4", LOOP, None, None),
    ("#pragma unroll_and_jam 4", LOOP, None, None),
    ("#pragma unroll_and_jam", LOOP, None, None),
    ("#pragma nounroll_and_jam", LOOP, None, None),
    ("#pragma unroll 2\n#pragma nounroll_and_jam", "while (x > 0) a[x--] = x;", None, None),
];

#[test]
fn every_row_of_the_spellings_has_its_message_and_caret() {
    for (hint, statement, cl, cuda) in ROWS {
        for (dialect, said) in [(Dialect::OPENCL, cl), (Dialect::CUDA, cuda)] {
            let c = compile(dialect, OptLevel::O3, &in_loop(dialect, hint, statement), &[]);
            let about_hints = |d: &&source::Diagnostic| d.group != Some("unroll");
            let first = c.session.diagnostics.iter().find(about_hints);
            let found = first.map(|d| (d.severity, d.code, c.session.sources.snippet(d.span())));
            assert_eq!(found, *said, "`{hint}` in {dialect:?}");
            assert_eq!(c.succeeded(), !matches!(said, Some((Error, ..))), "`{hint}` in {dialect:?}");
            // Whatever became of it, the hint has an answer.
            assert_eq!(c.session.ledger.unanswered().count(), 0, "`{hint}` in {dialect:?}");
        }
    }
}

#[test]
fn attributes_are_hints_of_one_dialect() {
    let cuda = in_loop(Dialect::CUDA, "[[clang::loop_unroll 4]]", LOOP);
    assert!(compile(Dialect::CUDA, OptLevel::O3, &cuda, &[]).succeeded());
    for hint in ["__attribute__((opencl_unroll_hint))", "__attribute__((opencl_unroll_hint(4)))"] {
        assert!(compile(Dialect::OPENCL, OptLevel::O3, &in_loop(Dialect::OPENCL, hint, LOOP), &[]).succeeded());
    }
}

/// A loop over a type near its limits, with the values that its counter takes.
struct Counted {
    ty: &'static str,
    head: String,
    values: Vec<i128>,
}

fn loops_at_the_limits() -> Vec<Counted> {
    let types = [
        ("char", 8, true),
        ("unsigned char", 8, false),
        ("short", 16, true),
        ("unsigned short", 16, false),
        ("int", 32, true),
        ("unsigned", 32, false),
        ("long long", 64, true),
        ("unsigned long long", 64, false),
    ];
    let mut out = Vec::new();
    for (ty, bits, signed) in types {
        let (min, max) =
            if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        // The smallest number has no literal of its own.
        let lit = |n: i128| {
            let suffix = if signed { "ll" } else { "ull" };
            if n == min && signed { format!("({}{suffix} - 1)", n + 1) } else { format!("{n}{suffix}") }
        };
        let mut add = |from: i128, cond: String, step: i128, values: Vec<i128>| {
            let sign = if step < 0 { "-=" } else { "+=" };
            let head = format!("for ({ty} i = ({ty})({} + z); {cond}; i {sign} {})", lit(from), step.abs());
            out.push(Counted { ty, head, values });
        };
        let cast = |n: i128| format!("({ty}){}", lit(n));
        add(max - 5, format!("i < {}", cast(max)), 1, (max - 5..max).collect());
        add(min + 5, format!("i > {}", cast(min)), -1, (min + 1..=min + 5).rev().collect());
        add(max - 10, format!("i < {}", cast(max - 2)), 3, vec![max - 10, max - 7, max - 4]);
        add(max, format!("i < {}", cast(max)), 1, Vec::new());
        add(min, format!("i < {}", cast(min + 9)), 4, vec![min, min + 4, min + 8]);
        if !signed || bits < 32 {
            // Past the end of the type: conversion wraps.
            let to_zero: Vec<i128> =
                if signed { (max - 5..=max).chain(min..0).collect() } else { (max - 5..=max).collect() };
            add(max - 5, "i != 0".to_owned(), 1, to_zero);
        }
        if !signed {
            add(4, format!("i != {}", cast(max)), -1, vec![4, 3, 2, 1, 0]);
        } else {
            add(-3, "i <= 3".to_owned(), 1, (-3..=3).collect());
        }
    }
    // Every value of a byte but one.
    let values = (1..=255).collect();
    out.push(Counted {
        ty: "unsigned char",
        head: "for (unsigned char i = (unsigned char)(1 + z); i != 0; i++)".to_owned(),
        values,
    });
    out
}

fn hash(values: &[i128]) -> u64 {
    values.iter().fold(7, |h: u64, &v| h.wrapping_mul(31).wrapping_add(v as u64))
}

/// Results of a kernel that stores 64-bit numbers, or how it ended.
fn run(c: &Compilation, results: usize, steps: u64) -> Result<Vec<u64>, String> {
    let mut machine = Machine::new(&c.module);
    let out = machine.alloc_bytes(&vec![0; results * 8]).ok_or("memory")?;
    let kernel = c.module.find("k").ok_or("no kernel")?;
    let limits = Limits { steps, ..Limits::default() };
    machine
        .launch(kernel, &LaunchConfig::items(1), &[Arg::Pointer(out), Arg::Value(0)], &limits)
        .map_err(|t| t.to_string())?;
    let bytes = machine.read(out, results as u64 * 8).ok_or("memory")?;
    Ok(bytes.chunks(8).map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default())).collect())
}

/// Every factor on every loop, with starts that the compiler knows and with starts that it does not.
#[test]
fn factors_at_their_limits_on_loops_at_the_limits_of_their_types() {
    for l in loops_at_the_limits() {
        let trip = l.values.len() as i64;
        let factors = [1, 2, 3, trip - 1, trip, trip + 1, i64::from(i32::MAX)];
        let mut hints: Vec<String> =
            factors.iter().filter(|&&n| n > 0).map(|n| format!("#pragma unroll {n}")).collect();
        hints.extend(["", "#pragma unroll", "#pragma nounroll"].map(str::to_owned));
        for known in [true, false] {
            let mut text = String::from("extern \"C\" __global__ void k(unsigned long long *out, long long arg) {\n");
            text.push_str(if known { "const long long z = 0;\n" } else { "long long z = arg;\n" });
            for (n, hint) in hints.iter().enumerate() {
                let head = &l.head;
                text.push_str(&format!(
                    "{{ unsigned long long h = 7;\n{hint}\n{head} h = h * 31 + (unsigned long long)(long long)i;\nout[{n}] = h; }}\n"
                ));
            }
            text.push_str("}\n");
            let c = compile(Dialect::CUDA, OptLevel::O3, &text, &[]);
            let said: Vec<&String> =
                c.session.diagnostics.iter().filter(|d| d.severity == Error).map(|d| &d.message).collect();
            assert!(c.succeeded(), "{}: {said:?}\n{text}", l.ty);
            let want = vec![hash(&l.values); hints.len()];
            assert_eq!(run(&c, hints.len(), 1 << 22), Ok(want), "{text}");
        }
    }
}

/// Loops without an end stay such, whatever is asked.
#[test]
fn infinite_loops_stay_infinite() {
    let heads = [
        "for (;;)",
        "while (1)",
        "for (unsigned char i = 0; i < 256; i++)",
        "for (unsigned i = 0; i >= 0; i++)",
        "for (int i = 0; i < 10; i += 0)",
    ];
    for head in heads {
        for hint in ["#pragma unroll", "#pragma unroll 4", "#pragma unroll 2147483647", "#pragma unroll_and_jam 2", ""]
        {
            let text = format!(
                "extern \"C\" __global__ void k(unsigned long long *out, long long z) {{\n{hint}\n{head} out[0] += 1;\n}}\n"
            );
            for level in [OptLevel::O0, OptLevel::O3] {
                let c = compile(Dialect::CUDA, level, &text, &[]);
                assert!(c.succeeded(), "{text}");
                let ended = run(&c, 1, 50_000);
                assert!(ended.as_ref().is_err_and(|e| e.contains("step")), "{text}{ended:?}");
            }
        }
    }
}

/// A huge factor is honoured in a program of bounded size, or refused by the limit that has a name.
#[test]
fn huge_factors_are_bounded() {
    let text = "extern \"C\" __global__ void k(float *o, const float *in, int n) { float x = 0;\n#pragma unroll 32768\n\
                for (int i = 0; i < n; i++) x += in[i * 7];\no[0] = x; }";
    let c = compile(Dialect::CUDA, OptLevel::O3, text, &[]);
    let answer = c.session.ledger.iter().flat_map(|(_, h)| &h.answers).next().map(|a| a.reason.clone());
    assert!(answer.as_ref().is_some_and(|r| r.contains("threshold 32768")), "{answer:?}");
    let fewer = text.replace("32768", "8192");
    let c = compile(Dialect::CUDA, OptLevel::O3, &fewer, &["-pragma-unroll-threshold=4000000"]);
    assert_eq!(c.output().map(|ptx| ptx.matches("ld.global").count()), Some(8193));
    let c = compile(
        Dialect::CUDA,
        OptLevel::O3,
        &text.replace("32768", "2147483647"),
        &["-pragma-unroll-threshold=4294967295"],
    );
    assert!(c.succeeded() && c.output().is_some_and(|ptx| ptx.len() < 100_000));
}

const NEST: &str = "extern \"C\" __global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int n, int m) {
#pragma unroll_and_jam 4
for (int i = 0; i < n; i++) {
  float s = 0;
  for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
  y[i] = s;
}
}";

/// What became of the only hint, and why.
fn fate(text: &str, knobs: &[&str]) -> (source::Fate, String) {
    let c = compile(Dialect::CUDA, OptLevel::O3, text, knobs);
    assert!(c.succeeded(), "{text}");
    let (_, hint) = c.session.ledger.iter().next().expect("a hint");
    let answer = hint.answers.first().expect("an answer");
    (answer.fate, format!("{}: {}", answer.done, answer.reason))
}

#[test]
fn nests_are_jammed_or_the_deciding_fact_is_named() {
    use source::Fate::{Adjusted, Honoured, Refused};
    let says = |text: &str, want: source::Fate, part: &str| {
        let (found, why) = fate(text, &[]);
        assert!(found == want && why.contains(part), "{found:?}, {why}\n{text}");
    };
    says(NEST, Honoured, "unrolled by 4 and jammed");
    says(&NEST.replace("__restrict__ ", ""), Refused, "may touch the same memory (lines 6 and 5)");
    says(&NEST.replace("float s = 0;", "float s = y[n];"), Refused, "may touch the same memory");
    says(&NEST.replace("y[i] = s;", "y[i] = s; __syncthreads();"), Refused, "barriers");
    says(&NEST.replace("j < m", "j < i"), Refused, "equally often");
    says(&NEST.replace("y[i] = s;", "for (int j = 0; j < m; j++) y[i] += j;"), Refused, "exactly one loop");
    says(&NEST.replace("4\nfor (int i", "\nfor (int i"), Honoured, "unrolled by 4 and jammed");
    says(&NEST.replace("unroll_and_jam 4", "nounroll_and_jam"), Honoured, "");
    let stencil = "extern \"C\" __global__ void k(float *a) {\n#pragma unroll_and_jam 8\nfor (int i = 4; i < 100; i++)\n\
                   for (int j = 0; j < 99; j++) a[i * 100 + j] = a[(i - 4) * 100 + j + 1];\n}";
    says(stencil, Adjusted, "iterations that are 4 apart may touch the same memory (line 4)");
    let square = "extern \"C\" __global__ void k(float *a, int n) {\n#pragma unroll_and_jam 2\nfor (int i = 0; i < n; i++)\n\
                  for (int j = 0; j < n; j++) a[i * n + j] = a[i * n + j] * 2;\n}";
    says(square, Honoured, "unrolled by 2 and jammed");
    let carried = "extern \"C\" __global__ void k(float *a, int n) {\nfloat s = 0;\n#pragma unroll_and_jam 2\n\
                   for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++) s += a[i * n + j];\na[0] = s;\n}";
    says(carried, Refused, "an iteration starts from what the inner loop of the one before computed");
}

/// Found by random programs (seed 4009925): the inner loop was looked for after the outer one had been jammed.
#[test]
fn both_loops_of_a_nest_ask_to_be_jammed() {
    let text = "extern \"C\" __global__ void k(float *a) {\n#pragma unroll_and_jam 2\nfor (int i = 0; i < 8; i++)\n\
                #pragma unroll_and_jam 2\nfor (int j = 0; j < 1000; j++) a[i * 1000 + j] = j;\n}";
    let c = compile(Dialect::CUDA, OptLevel::O3, text, &[]);
    assert!(c.succeeded());
    let fates: Vec<_> = c.session.ledger.iter().map(|(_, h)| h.answers.first().map(|a| a.fate)).collect();
    assert_eq!(fates, [Some(source::Fate::Honoured), Some(source::Fate::Refused)]);
}

/// Fast-code mode: hints do nothing, and say why.
#[test]
fn skipped_hints_are_refused() {
    let hinted = "extern \"C\" __global__ void k(float *o, const float *in, int n) { float x = 0;\n#pragma unroll 3\n\
                  for (int i = 0; i < n; i++) x += in[i];\no[0] = x; }";
    for text in [hinted, NEST] {
        let (fate, why) = fate(text, &["-unroll-skip-pragmas"]);
        assert!(fate != source::Fate::Honoured && why.contains("skipped"), "{fate:?}, {why}");
    }
}

#[test]
fn knobs_about_nests_and_left_over_iterations() {
    let plain = NEST.replace("#pragma unroll_and_jam 4\n", "");
    let copies = |text: &str, knobs: &[&str]| {
        let compiled = compile(Dialect::CUDA, OptLevel::O3, text, knobs);
        let ptx = compiled.output().expect("PTX");
        (ptx.matches("ld.global").count(), ptx.matches("bra").count())
    };
    let untouched = copies(&plain, &["-unroll-runtime=false"]);
    assert_ne!(copies(&plain, &["-unroll-runtime=false", "-enable-unroll-and-jam"]), untouched);
    assert_ne!(copies(&plain, &["-unroll-runtime=false", "-unroll-and-jam-count=2"]), untouched);
    assert_eq!(fate(NEST, &["-allow-unroll-and-jam=false"]).0, source::Fate::Refused);
    let by_eight = "extern \"C\" __global__ void k(float *o, const float *in, int n) { float x = 0;\n#pragma unroll 8\n\
                    for (int i = 0; i < n; i++) x += in[i];\no[0] = x; }";
    // Eight copies, and blocks of four, two and one instead of a loop.
    assert_eq!(copies(by_eight, &["-unroll-remainder-binary"]).0, 8 + 4 + 2 + 1);
    assert_eq!(copies(by_eight, &["-unroll-remainder"]).0, 8 + 7);
    assert_eq!(copies(by_eight, &[]).0, 8 + 1);
}

/// Both invocations and what switches them, from the outside.
#[test]
fn invocations_levels_and_functions() {
    let text = |attribute: &str| {
        format!(
            "extern \"C\" __global__ void {attribute} k(float *o, const float *in, int n) {{ float x = 0;\n\
         for (int i = 0; i < 37; i++) {{ x += in[i * 7]; x = x * 3 + 1; }}\no[0] = x; }}"
        )
    };
    let loads = |text: &str, level: OptLevel, knobs: &[&str]| {
        compile(Dialect::CUDA, level, text, knobs).output().map(|ptx| ptx.matches("ld.global").count())
    };
    let straight = Some(37);
    assert_eq!(loads(&text(""), OptLevel::O3, &[]), straight);
    for (what, attribute, level, knobs) in [
        ("-O1", "", OptLevel::O1, &[][..]),
        ("minsize", "__attribute__((minsize))", OptLevel::O3, &[]),
        ("optsize", "__attribute__((optsize))", OptLevel::O3, &[]),
        ("a knob", "", OptLevel::O3, &["-unroll-threshold=150"]),
        ("a knob for the function", "", OptLevel::O3, &["-unroll-threshold@k=150"]),
        ("an attribute", "__attribute__((unspool_unroll(threshold=150)))", OptLevel::O3, &[]),
    ] {
        assert_ne!(loads(&text(attribute), level, knobs), straight, "{what}");
    }
    assert_eq!(loads(&text(""), OptLevel::O3, &["-unroll-threshold@other=150"]), straight);
    // Sixty-four iterations: by sixteen early, the rest late, unless the late invocation is off.
    let twice = text("").replace("i < 37", "i < 64").replace("x = x * 3 + 1;", "x = x * 3;");
    assert_eq!(loads(&twice, OptLevel::O3, &[]), Some(64));
    for off in ["-nv-disable-loop-unrolling", "-disable-LoopUnrollPass", "-disable-loop-unrolling"] {
        assert!(loads(&twice, OptLevel::O3, &[off]).is_some_and(|n| n < 64), "{off}");
    }
}
