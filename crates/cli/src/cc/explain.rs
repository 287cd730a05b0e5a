//! `unspool explain prog.c`: each directive and clause of C programs, and each loop of their kernels: asked, done, why. As text, JSON
//! or [a page](page).

pub(super) mod loops;
mod page;

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

/// What is printed and written.
#[derive(Debug, Default)]
struct Forms {
    /// Rest of the words.
    words: Vec<OsString>,
    json: bool,
    /// Where a page goes.
    html: Option<String>,
}

/// Explains the directives of C sources. Options are those of `cc`, `--format text|json` and `--html FILE`.
pub(crate) fn explain(words: Vec<OsString>, backends: &[&'static dyn Backend]) -> ExitCode {
    let mut forms = match Forms::of(words) {
        Ok(f) => f,
        Err(e) => return crate::usage(&e),
    };
    let mut options = match Options::parse(std::mem::take(&mut forms.words)) {
        Ok(o) => o,
        Err(e) => return crate::usage(&e),
    };
    options.directives = true;
    match explained(&options, backends, &forms) {
        Ok(code) => code,
        Err(e) => {
            crate::commands::complain(&e);
            ExitCode::FAILURE
        }
    }
}

impl Forms {
    /// Takes `--format FORM` and `--html FILE` out of the words.
    fn of(words: Vec<OsString>) -> Result<Self, String> {
        let mut out = Self::default();
        let mut words = words.into_iter();
        while let Some(w) = words.next() {
            let text = w.to_str().unwrap_or_default().to_owned();
            let (name, value) = text.split_once('=').map_or((text.as_str(), None), |(n, v)| (n, Some(v.to_owned())));
            let mut argument = |wanted: &str| {
                let next = value.clone().or_else(|| words.next().and_then(|f| f.into_string().ok()));
                next.ok_or_else(|| format!("`{name}` needs {wanted}"))
            };
            match name {
                "--format" => {
                    out.json = match argument("`text` or `json`")?.as_str() {
                        "text" => false,
                        "json" => true,
                        f => return Err(format!("`--format {f}` is not there for C programs: `text` and `json` are")),
                    }
                }
                "--html" => out.html = Some(argument("the name of a file")?),
                "--factors" => {
                    return Err("`--factors` is for kernels; of C programs the directives are explained".to_owned());
                }
                _ => out.words.push(w),
            }
        }
        Ok(out)
    }
}

fn explained(options: &Options, backends: &[&'static dyn Backend], forms: &Forms) -> Result<ExitCode, String> {
    let sources = options.words.iter().filter(|w| matches!(w, Word::Source(_))).count();
    if forms.html.is_some() && sources > 1 {
        return Err("`--html` names one page and there are several sources; explain them one by one".to_owned());
    }
    let driver = Driver::new(options, backends)?;
    let mut status = ExitCode::SUCCESS;
    let (mut text, mut files) = (String::new(), Vec::new());
    for w in &options.words {
        let Word::Source(path) = w else { continue };
        match driver.explain(path)? {
            Ok(told) if forms.html.is_some() => {
                let source = std::fs::read(path).map_err(|e| format!("cannot read `{path}`: {e}"))?;
                let page = page::of(path, &String::from_utf8_lossy(&source), &told.0, &told.1);
                crate::output::write(forms.html.as_deref().unwrap_or("-"), page.as_bytes())?;
            }
            Ok((told, loops)) if forms.json => {
                files.push(serde_json::json!({ "file": path, "directives": as_json(&told), "loops": loops.as_json() }))
            }
            Ok((told, loops)) => {
                as_text(path, &told, &mut text);
                loops.as_text(&mut text);
            }
            Err(code) => status = code,
        }
    }
    if forms.json && forms.html.is_none() {
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
