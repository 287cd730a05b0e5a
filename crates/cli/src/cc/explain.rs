//! `unspool explain prog.c`: each directive and clause of C programs: asked, done, why. As text or JSON.

use super::compile::Driver;
use super::options::{Options, Word};
use acc::Told;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use unspool::Backend;

/// Whether the words behind `explain` name a C source.
pub(crate) fn is_for_c(words: &[OsString]) -> bool {
    words.iter().filter_map(|w| w.to_str()).any(|w| w.ends_with(".c") && !w.starts_with('-'))
}

/// Explains the directives of C sources. Options are those of `cc`, and `--format text|json`.
pub(crate) fn explain(words: Vec<OsString>, backends: &[&'static dyn Backend]) -> ExitCode {
    let (words, json) = match format(words) {
        Ok(f) => f,
        Err(e) => return crate::usage(&e),
    };
    let mut options = match Options::parse(words) {
        Ok(o) => o,
        Err(e) => return crate::usage(&e),
    };
    options.directives = true;
    match explained(&options, backends, json) {
        Ok(code) => code,
        Err(e) => {
            crate::commands::complain(&e);
            ExitCode::FAILURE
        }
    }
}

/// Takes `--format FORM` out; whether it is JSON.
fn format(words: Vec<OsString>) -> Result<(Vec<OsString>, bool), String> {
    let (mut rest, mut json) = (Vec::new(), false);
    let mut words = words.into_iter();
    while let Some(w) = words.next() {
        let text = w.to_str().unwrap_or_default();
        let form = match text.strip_prefix("--format=") {
            Some(f) => f.to_owned(),
            None if text == "--format" => {
                words.next().and_then(|f| f.into_string().ok()).ok_or("`--format` needs `text` or `json`")?
            }
            None => {
                if text == "--html" || text.starts_with("--html=") || text.starts_with("--factors") {
                    return Err(format!(
                        "`{text}` is for kernels; of C programs the directives are explained, as text or JSON"
                    ));
                }
                rest.push(w);
                continue;
            }
        };
        json = match form.as_str() {
            "text" => false,
            "json" => true,
            f => return Err(format!("`--format {f}` is not there for C programs: `text` and `json` are")),
        };
    }
    Ok((rest, json))
}

fn explained(options: &Options, backends: &[&'static dyn Backend], json: bool) -> Result<ExitCode, String> {
    let driver = Driver::new(options, backends)?;
    let mut status = ExitCode::SUCCESS;
    let (mut text, mut files) = (String::new(), Vec::new());
    for w in &options.words {
        let Word::Source(path) = w else { continue };
        match driver.explain(path)? {
            Ok(told) if json => files.push(serde_json::json!({ "file": path, "directives": as_json(&told) })),
            Ok(told) => as_text(path, &told, &mut text),
            Err(code) => status = code,
        }
    }
    if json {
        text = serde_json::to_string_pretty(&files).map_err(|e| e.to_string())?;
        text.push('\n');
    }
    std::io::stdout().write_all(text.as_bytes()).map_err(|e| format!("cannot write the explanation: {e}"))?;
    Ok(status)
}

fn as_text(path: &str, told: &[Told], out: &mut String) {
    let _ = writeln!(out, "{path}");
    let mut function = None;
    for t in told {
        if function != Some(&t.function) {
            let name = if t.function.is_empty() { "(file)" } else { &t.function };
            let _ = writeln!(out, "\n{name}:");
            function = Some(&t.function);
        }
        let _ = writeln!(out, "{:7}, {}", t.line, t.text);
        let _ = writeln!(out, "         {}: {}", t.fate.word(), t.why);
        for c in &t.clauses {
            let _ = writeln!(out, "         `{}` {}: {}", c.text, c.fate.word(), c.why);
        }
        for i in &t.info {
            let _ = writeln!(out, "           {}: {}", i.line, i.text);
        }
    }
}

fn as_json(told: &[Told]) -> Vec<serde_json::Value> {
    let clause = |c: &acc::ToldClause| serde_json::json!({ "text": c.text, "fate": c.fate.word(), "why": c.why });
    let one = |t: &Told| {
        serde_json::json!({
            "function": t.function,
            "line": t.line,
            "text": t.text,
            "fate": t.fate.word(),
            "why": t.why,
            "clauses": t.clauses.iter().map(clause).collect::<Vec<_>>(),
            "info": t.info.iter().map(|i| serde_json::json!({ "line": i.line, "text": i.text })).collect::<Vec<_>>(),
        })
    };
    told.iter().map(one).collect()
}
