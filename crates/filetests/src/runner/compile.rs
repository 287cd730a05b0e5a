//! Tests that compile source.

use source::render::{Colour, diagnostics_to_text};
use unspool::{Arch, Compilation, Define, Dialect, Emit, Input, OptLevel, Options};

/// What the compiler says of a source.
pub(super) fn output(name: &str, text: &str, kind: &str, words: &[&str]) -> Result<String, String> {
    let dialect = if name.ends_with(".cl") { Dialect::OPENCL } else { Dialect::CUDA };
    let options = options(dialect, kind, words)?;
    let emit = match kind {
        "ptx" => Emit::PTX,
        "ir" => Emit::Ir,
        "lowered" => Emit::LoweredIr,
        "ast" => Emit::Ast,
        "explain" | "diagnostics" => Emit::Nothing,
        _ => return Err(format!("no such kind of test: `{kind}`")),
    };
    // Explanations and remarks need the optimiser to run.
    let emit = if kind == "explain" || wants_remarks(&options) { Emit::PTX } else { emit };
    let result = unspool::compile_with_log(&Input::text(name, text), &options, &emit);
    let diagnostics = diagnostics_to_text(&result.session.sources, result.session.diagnostics.iter(), Colour::Never);
    match kind {
        "diagnostics" => Ok(diagnostics),
        "explain" => explanation(&result, &diagnostics),
        _ => result.output().map(str::to_owned).ok_or_else(|| format!("does not compile:\n{diagnostics}")),
    }
}

fn wants_remarks(o: &Options) -> bool {
    o.remarks.passed || o.remarks.missed || o.remarks.analysis
}

fn explanation(result: &Compilation, diagnostics: &str) -> Result<String, String> {
    match &result.explanation {
        Some(e) if result.succeeded() => Ok(unspool::explain::to_text(e, &result.session, Colour::Never)),
        _ => Err(format!("does not compile:\n{diagnostics}")),
    }
}

fn options(dialect: Dialect, kind: &str, words: &[&str]) -> Result<Options, String> {
    let mut o = Options::new(dialect);
    o.verify_each = true;
    o.explain = kind == "explain";
    for word in words {
        match *word {
            "-O0" => o.level = OptLevel::O0,
            "-O1" => o.level = OptLevel::O1,
            "-O2" => o.level = OptLevel::O2,
            "-O3" => o.level = OptLevel::O3,
            "-w" => o.no_warnings = true,
            "-Werror" => o.warnings_are_errors = true,
            "-lineinfo" => o.line_info = true,
            "-Rpass=loop-unroll" => o.remarks.passed = true,
            "-Rpass-missed=loop-unroll" => o.remarks.missed = true,
            "-Rpass-analysis=loop-unroll" => o.remarks.analysis = true,
            w => other(&mut o, w)?,
        }
    }
    Ok(o)
}

fn other(o: &mut Options, word: &str) -> Result<(), String> {
    if let Some(arch) = word.strip_prefix("-arch=") {
        o.set_arch(Arch::parse(arch).map_err(|e| e.to_string())?.arch);
    } else if let Some(define) = word.strip_prefix("-D") {
        let (name, body) = match define.split_once('=') {
            Some((name, body)) => (name, Some(body.to_owned())),
            None => (define, None),
        };
        o.defines.push(Define::Define(name.to_owned(), body));
    } else if let Some(group) = word.strip_prefix("-Wno-") {
        o.muted_groups.push(group.to_owned());
    } else {
        o.knobs.assign(word).map_err(|e| e.to_string())?;
    }
    Ok(())
}
