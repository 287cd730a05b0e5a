//! The ledger with places as people name them: file, line and column.

use crate::Compilation;
use source::{Answer, Fate, Hint, HintId, HintKind, SourceMap, Span};

/// A hint of the source, and where it stands.
#[derive(Clone, Debug)]
pub struct PlacedHint<'a> {
    /// Its number in the ledger.
    pub id: HintId,
    /// What sort.
    pub kind: HintKind,
    /// What was asked, as spelt.
    pub asked: &'a str,
    /// The file that it stands in; empty where there is none.
    pub file: String,
    /// The line, from 1; 0 where there is none. What stands in a macro's expansion has the place of the macro's use.
    pub line: u32,
    /// The column in characters, from 1; 0 where there is none.
    pub column: u32,
    /// What became of it over all places that it governs.
    pub fate: Option<Fate>,
    hint: &'a Hint,
    sources: &'a SourceMap,
}

/// An answer to a hint, and the place of what it was done to.
#[derive(Clone, Debug)]
pub struct PlacedAnswer<'a> {
    /// What became of it.
    pub fate: Fate,
    /// What was done.
    pub done: &'a str,
    /// Why.
    pub reason: &'a str,
    /// The function it was done in, as the user knows it; empty if it concerns none.
    pub function: &'a str,
    /// The file, as for [`PlacedHint::file`].
    pub file: String,
    /// The line, likewise.
    pub line: u32,
    /// The column, likewise.
    pub column: u32,
    /// The whole answer.
    pub answer: &'a Answer,
}

impl<'a> PlacedHint<'a> {
    /// The answers, one for each place that it governs.
    pub fn answers(&self) -> impl Iterator<Item = PlacedAnswer<'a>> + use<'a> {
        let sources = self.sources;
        self.hint.answers.iter().map(move |a| {
            let (file, line, column) = place(sources, a.place);
            PlacedAnswer {
                fate: a.fate,
                done: &a.done,
                reason: &a.reason,
                function: &a.function,
                file,
                line,
                column,
                answer: a,
            }
        })
    }
}

impl Compilation {
    /// The hints of the source, in the order in which they were read, with their places.
    pub fn hints(&self) -> impl Iterator<Item = PlacedHint<'_>> {
        let sources = &self.session.sources;
        self.session.ledger.iter().map(move |(id, h)| {
            let (file, line, column) = place(sources, h.span);
            PlacedHint { id, kind: h.kind, asked: &h.asked, file, line, column, fate: h.fate(), hint: h, sources }
        })
    }
}

fn place(sources: &SourceMap, span: Span) -> (String, u32, u32) {
    let at = sources.call_site(span);
    match sources.presumed(at.lo).filter(|_| !at.is_none()) {
        Some((file, at)) => (file.to_string(), at.line, at.col),
        None => (String::new(), 0, 0),
    }
}
