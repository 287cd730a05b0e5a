//! What one compilation shares among its stages.

use crate::{Diagnostic, Diagnostics, Interner, Ledger, SourceMap, Symbol};

/// The shared state of one compilation: sources, strings, diagnostics, hints.
#[derive(Default, Debug)]
pub struct Session {
    /// Files and macro expansions.
    pub sources: SourceMap,
    /// Interned strings.
    pub strings: Interner,
    /// What there is to tell the user.
    pub diagnostics: Diagnostics,
    /// The book of hints.
    pub ledger: Ledger,
}

impl Session {
    /// Reports a diagnostic.
    pub fn report(&mut self, d: Diagnostic) {
        self.diagnostics.report(d);
    }

    /// Interns a string.
    pub fn intern(&mut self, s: &str) -> Symbol {
        self.strings.intern(s)
    }

    /// The text of a symbol.
    pub fn str(&self, s: Symbol) -> &str {
        self.strings.str(s)
    }
}
