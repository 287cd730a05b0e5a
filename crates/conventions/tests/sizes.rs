//! Files and functions that fit into a head: no file of `src` over 700 lines, no function over 100, but tables.

use conventions::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a file, with its unit tests.
const MAX_FILE: usize = 700;

/// Most lines of a function, from its `fn` to its closing brace.
const MAX_FUNCTION: usize = 100;

/// Functions that are tables in the form of one `match`: a row for each operation, and nothing else to understand. By the
/// end of the path and the function's name.
const TABLES: &[(&str, &str)] = &[
    // What each finding of the unroller is called.
    ("unroll/src/decision.rs", "fmt"),
];

/// Files that are tables: a row for each builtin.
const TABLE_FILES: &[&str] = &["builtins/src/table_cuda.rs"];

/// Rust sources under a folder.
fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// All files of all crates' `src`, with their texts.
fn all_sources() -> Vec<(String, String)> {
    let crates = root().join("crates");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).expect("the crates").flatten() {
        sources(&entry.path().join("src"), &mut files);
    }
    files.sort();
    let shown = |f: &PathBuf| f.strip_prefix(&crates).unwrap_or(f).display().to_string();
    files.iter().map(|f| (shown(f), fs::read_to_string(f).expect("a source"))).collect()
}

/// The name in a line that begins a function.
fn function_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    for word in words.by_ref() {
        match word {
            "fn" => return words.next()?.split(['(', '<']).next(),
            "pub" | "const" | "unsafe" | "async" | "extern" | "\"C\"" | "\"system\"" | "default" => {}
            w if w.starts_with("pub(") => {}
            _ => return None,
        }
    }
    None
}

/// The functions of a formatted source: name and number of lines.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        // rustfmt: the brace that ends a function stands under its first word.
        let ends = |l: &&str| indent(l) == indent(line) && (l.ends_with('}') || l.ends_with(';'));
        let length = match lines[i..].iter().position(ends) {
            Some(n) => n + 1,
            None => lines.len() - i,
        };
        found.push((name, length));
    }
    found
}

#[test]
fn files_have_at_most_so_many_lines() {
    let long: Vec<String> = all_sources()
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(path, lines)| *lines > MAX_FILE && !TABLE_FILES.contains(&path.as_str()))
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "files over {MAX_FILE} lines; a file has one subject:\n{}", long.join("\n"));
}

#[test]
fn functions_have_at_most_so_many_lines() {
    let mut long = Vec::new();
    let mut tables: Vec<&(&str, &str)> = TABLES.iter().collect();
    for (path, text) in &all_sources() {
        for (name, lines) in functions(text) {
            if lines <= MAX_FUNCTION {
                continue;
            }
            let is_row = |t: &&(&str, &str)| path.ends_with(t.0) && t.1 == name;
            if TABLES.iter().any(|t| is_row(&t)) {
                tables.retain(|t| !is_row(t));
            } else {
                long.push(format!("{path}: {name} has {lines}"));
            }
        }
    }
    assert!(long.is_empty(), "functions over {MAX_FUNCTION} lines:\n{}", long.join("\n"));
    assert!(tables.is_empty(), "listed as tables and not too long: {tables:?}");
}

#[test]
fn lengths_are_counted_as_rustfmt_leaves_them() {
    let text = "impl A {\n    pub(crate) fn a<T>(\n        x: T,\n    ) -> T {\n        x\n    }\n    fn b();\n}\nconst fn c() {}\nfn d() {\n    fn e() {\n    }\n}\n";
    assert_eq!(functions(text), [("a", 5), ("b", 1), ("c", 1), ("d", 4), ("e", 2)]);
}
