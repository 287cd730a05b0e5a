//! Tests of the preprocessor, by table: source in, text out.

mod bad;
mod directives;
mod expansion;
mod pathological;
mod pragmas;

use super::{Define, FileLoader, PpOptions, preprocess_with};
use crate::{Dialect, TokenKind};
use source::{Session, SourceError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files in memory.
#[derive(Default)]
struct Memory(BTreeMap<PathBuf, String>);

impl Memory {
    fn with(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(n, t)| (PathBuf::from(n), (*t).to_owned())).collect())
    }
}

impl FileLoader for Memory {
    fn load(&self, path: &Path) -> Option<Result<Vec<u8>, SourceError>> {
        self.0.get(path).map(|t| Ok(t.as_bytes().to_vec()))
    }
    fn exists(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }
    /// `link` is a symbolic link to `real`.
    fn identity(&self, path: &Path) -> PathBuf {
        path.strip_prefix("link").map_or_else(|_| path.to_owned(), |rest| Path::new("real").join(rest))
    }
}

/// What came out: the tokens joined by blanks, and the diagnostics as `code: message`.
struct Out {
    text: String,
    problems: Vec<String>,
    session: Session,
}

fn run_with(opts: &PpOptions, files: &[(&str, &str)], source: &str) -> Out {
    let mut session = Session::default();
    let main = session.sources.add("main.cu", source.to_owned()).expect("small");
    let stream = preprocess_with(&mut session, opts, main, &Memory::with(files));
    assert_eq!(stream.last().map(|t| t.kind), Some(TokenKind::Eof));
    assert_eq!(stream.iter().filter(|t| t.kind == TokenKind::Eof).count(), 1);
    let mut text = String::new();
    for t in stream.iter() {
        let piece = match t.kind {
            TokenKind::Eof => continue,
            TokenKind::Pragma => "{",
            TokenKind::EndPragma => "}",
            _ => t.text(&session.strings),
        };
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(piece);
    }
    let problems = session.diagnostics.iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
    Out { text, problems, session }
}

fn run(source: &str) -> Out {
    run_with(&PpOptions::new(Dialect::CUDA), &[], source)
}

/// The tokens of a source that has nothing wrong with it.
#[track_caller]
fn clean(source: &str) -> String {
    let out = run(source);
    assert_eq!(out.problems, Vec::<String>::new(), "{source}");
    out.text
}

/// Checks a table of sources and their tokens; blanks in the expectation only separate tokens.
#[track_caller]
fn table(rows: &[(&str, &str)]) {
    for (source, expected) in rows {
        let words = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&clean(source)), words(expected), "{source}");
    }
}

fn defines(list: &[Define]) -> PpOptions {
    PpOptions { defines: list.to_vec(), ..PpOptions::new(Dialect::CUDA) }
}
