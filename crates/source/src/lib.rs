//! Where things stand in the source and what is said about them.
//!
//! * [`SourceMap`] owns the text of every file; a [`Span`] names a stretch of it and, through [`ExpnId`], the macro
//!   expansion it came out of.
//! * [`Diagnostic`]s are data: a stable code, a severity, one terse message, labelled spans, notes, a fix. Renderers
//!   ([`render`]) turn them into text or JSON; nothing else prints.
//! * [`Ledger`] is the book of hints: every hint of the source is entered once and must be answered before the
//!   compilation ends.
//! * [`Session`] bundles the four, with the string [`Interner`], for one compilation.

mod diagnostic;
mod encoding;
pub mod groups;
mod intern;
mod ledger;
mod read;
pub mod render;
mod session;
mod span;
pub mod words;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Fix, Label, Severity};
pub use intern::{Interner, Symbol};
pub use ledger::{
    Advice, Answer, Attempt, Fate, Hint, HintId, HintKind, Instance, Ledger, LoopReport, NO_LOOP_LEFT, TrailStep,
};
pub use read::read_source;
pub use session::Session;
pub use span::{Expansion, ExpnId, FileId, LineCol, LineDirective, Shift, SourceError, SourceFile, SourceMap, Span};
