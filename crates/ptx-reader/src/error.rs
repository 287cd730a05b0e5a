//! What is wrong with a text of PTX, and where.

use source::{Diagnostic, Span};
use std::fmt;

/// What kind of mistake it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The text is not PTX.
    Syntax,
    /// A name that is declared nowhere, or twice.
    Name,
    /// Operands do not fit the instruction: number, kind, type or state space.
    Operand,
    /// PTX perhaps, but not covered here.
    Unsupported,
    /// A limit is exceeded.
    Limit,
}

/// An error in a text of PTX.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PtxError {
    /// What kind of mistake it is.
    pub kind: ErrorKind,
    /// Where.
    pub span: Span,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do next, where there is something to say.
    pub help: Option<String>,
}

impl PtxError {
    /// An error at a place.
    pub(crate) fn new(kind: ErrorKind, span: Span, message: impl Into<String>) -> Self {
        Self { kind, span, message: message.into(), help: None }
    }

    /// Adds what to do next.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn syntax(span: Span, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Syntax, span, message)
    }

    pub(crate) fn name(span: Span, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Name, span, message)
    }

    pub(crate) fn operand(span: Span, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Operand, span, message)
    }

    pub(crate) fn unsupported(span: Span, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, span, message)
    }

    pub(crate) fn limit(span: Span, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Limit, span, message)
    }

    /// The error as a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self.kind {
            ErrorKind::Syntax => "E0521",
            ErrorKind::Name => "E0522",
            ErrorKind::Operand => "E0523",
            ErrorKind::Unsupported => "E0524",
            ErrorKind::Limit => "E0525",
        };
        let d = Diagnostic::error(code, self.span, self.message.clone());
        match &self.help {
            Some(h) => d.help(h.clone()),
            None => d,
        }
    }
}

impl fmt::Display for PtxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PtxError {}

/// A result whose error is in the text.
pub(crate) type Outcome<T> = Result<T, PtxError>;
