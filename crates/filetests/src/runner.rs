//! Test files.
//!
//! The first line of a file says what it tests, in a comment (`;` in `*.uir`, `//` in `*.cl` and `*.cu`):
//!
//! | line | the test |
//! |---|---|
//! | `; test: verify` | the module verifies; the output is `ok`, or the broken rules |
//! | `; test: print` | printing gives a text that reads back and prints the same; the output is that text |
//! | `; test: interp` | nothing but the `run:` lines |
//! | `; test: PASS …` | passes by name ([`crate::passes`]), in order; the output is the module after them |
//! | `// test: KIND OPTIONS` | compiles: `ptx`, `ir`, `lowered`, `ast`, `explain`, `diagnostics` |
//!
//! Directives of the `filecheck` crate in any comment (`check:`, `nextln:`, `sameln:`, `not:`, `unordered:`, `regex:`)
//! are checked against the output. Options: `-arch=`, `-O0` … `-O3`, `-D`, `-W…`, `-Rpass…=loop-unroll`, knobs of the
//! unroller.
//!
//! A `run:` line launches a kernel before and after the passes and compares its buffers with what is expected:
//!
//! ```text
//! ; run: k([0 0 0 0], i32:3) block=4 == [3 4 5 6]
//! ; run: k([0], local:16) grid=2 == traps out-of-bounds
//! ; run: k(f32[1.5 2]) prints "hello"
//! ```
//!
//! Buffers hold `i32` unless a type stands before the bracket; `local:N` is work-group memory. After `==` stand the
//! buffers' contents, in the order of the arguments, `undef` for undefined elements. Other settings: `grid=`, `shared=`,
//! `warp=`.

mod compile;
mod launch;

use crate::passes;
use filecheck::{CheckerBuilder, NO_VARIABLES};
use ir::Module;
use std::path::{Path, PathBuf};

/// All test files under a directory, sorted.
pub fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(d) = pending.pop() {
        for entry in std::fs::read_dir(&d).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "uir" || e == "cu" || e == "cl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Runs a test file.
///
/// # Errors
/// What is wrong, in words.
pub fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let first = text.lines().next().unwrap_or_default();
    let words = comment(first).and_then(|c| c.trim().strip_prefix("test:"));
    let Some(words) = words else { return Err("the first line must be `; test: …` or `// test: …`".to_owned()) };
    let words: Vec<&str> = words.split_whitespace().collect();
    let Some((&kind, options)) = words.split_first() else { return Err("no kind of test given".to_owned()) };
    let output = if path.extension().is_some_and(|e| e == "uir") {
        of_ir(&text, kind, &words)?
    } else {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        compile::output(&name, &text, kind, options)?
    };
    check(&text, &output)
}

/// The text of a line's comment, if it has one.
fn comment(line: &str) -> Option<&str> {
    let at = line.find("//").map(|n| n + 2).or_else(|| line.find(';').map(|n| n + 1))?;
    Some(&line[at..])
}

/// Checks the directives in the file's comments against the output.
fn check(text: &str, output: &str) -> Result<(), String> {
    let mut builder = CheckerBuilder::new();
    for c in text.lines().filter_map(comment) {
        let c = c.trim();
        let known = ["check:", "nextln:", "sameln:", "not:", "unordered:", "regex:"];
        if known.iter().any(|k| c.starts_with(k)) {
            builder.directive(c).map_err(|e| e.to_string())?;
        }
    }
    let checker = builder.finish();
    if checker.check(output, NO_VARIABLES).map_err(|e| e.to_string())? {
        return Ok(());
    }
    let (_, explanation) = checker.explain(output, NO_VARIABLES).map_err(|e| e.to_string())?;
    Err(format!("the directives do not match the output:\n{explanation}"))
}

fn parse(text: &str) -> Result<Module, String> {
    ir::parse::parse_module(text).map_err(|e| e.to_string())
}

fn verify(module: &Module) -> Result<(), String> {
    ir::verify::verify_module(module).map_err(|e| e.iter().map(|e| format!("{e}\n")).collect())
}

fn of_ir(text: &str, kind: &str, passes: &[&str]) -> Result<String, String> {
    let mut module = parse(text)?;
    if kind == "verify" {
        return Ok(verify(&module).map_or_else(|e| e, |()| "ok\n".to_owned()));
    }
    verify(&module)?;
    let printed = ir::print::module_to_text(&module);
    match kind {
        "print" => {
            let again = ir::print::module_to_text(&parse(&printed)?);
            if again != printed {
                return Err(format!("prints differently when read back:\n{printed}\n{again}"));
            }
            launch::run_lines(text, &module)?;
        }
        "interp" => launch::run_lines(text, &module)?,
        _ => {
            launch::run_lines(text, &module).map_err(|e| format!("before the passes: {e}"))?;
            for pass in passes {
                passes::apply(pass, &mut module, 0)?;
            }
            launch::run_lines(text, &module).map_err(|e| format!("after the passes: {e}"))?;
        }
    }
    Ok(ir::print::module_to_text(&module))
}
