//! A compilation that failed.

use crate::Compilation;
use std::fmt;

/// The source has errors. Its text is the log: every diagnostic, with its source line and what to do next.
pub struct CompileError {
    /// The compilation as far as it got: diagnostics, sources, the ledger of hints.
    pub compilation: Box<Compilation>,
}

impl CompileError {
    /// The log.
    pub fn log(&self) -> String {
        self.compilation.log()
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.log().trim_end())
    }
}

/// As [`fmt::Display`]: `main` shows an error so.
impl fmt::Debug for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for CompileError {}

impl Compilation {
    /// Every diagnostic as text, without colour; empty if there is nothing to say.
    pub fn log(&self) -> String {
        let s = &self.session;
        source::render::diagnostics_to_text(&s.sources, s.diagnostics.iter(), source::render::Colour::Never)
    }
}
