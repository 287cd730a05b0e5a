//! Accelerator directives as written: `#pragma acc` in PGI's dialect and OpenACC 3.4 for C, parsed and checked by itself.
//!
//! * Input is the line of a directive after preprocessing ([`parse()`]); output a [`Directive`] with its [`Clause`]s, each
//!   with its place, operands as ranges of the same text. What operands mean is decided by who knows the program.
//! * An unknown directive or clause is a warning with the nearest spelling, and the rest is kept; what is known but in the
//!   wrong place, lacks its operand or stands twice is an error.
//!
//! Sources: *PGI Accelerator Programming Model for C* 1.3 (2010), *The OpenACC Application Programming Interface* 3.4
//! (2025).

mod device;
mod lex;
mod parse;
mod table;

pub use device::DeviceClass;
pub use parse::parse;
pub use table::{ClauseKind, Kind};

use std::ops::Range;

/// A range of bytes in the preprocessed file.
pub type Text = Range<usize>;

/// A directive.
#[derive(Clone, Debug)]
pub struct Directive {
    /// Which.
    pub kind: Kind,
    /// From `#` to the end of the line.
    pub span: Text,
    /// The clauses in the order of the source.
    pub clauses: Vec<Clause>,
    /// Bounds of sections are `[lower:upper]`, the upper one included (PGI), not `[start:length]`.
    pub inclusive: bool,
    /// The types that its `device_type` clauses name, in their order.
    pub device_types: Vec<String>,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Which.
    pub kind: ClauseKind,
    /// From its name to its last token.
    pub span: Text,
    /// Words before a colon in front of the list: `zero`, `readonly`, `always`, `force`, an operator of `reduction`.
    pub modifiers: Vec<String>,
    /// What stands in parentheses, separated by commas.
    pub operands: Vec<Operand>,
    /// The types of the `device_type` clause that it stands behind; empty for clauses that hold everywhere.
    pub device_types: Vec<String>,
}

/// An operand of a clause: an expression, or a variable with its section.
#[derive(Clone, Debug)]
pub struct Operand {
    /// All of it, without a keyword in front.
    pub text: Text,
    /// `num`, `length`, `static`, `dim` or `devnum`, `queues` in front of a colon.
    pub keyword: Option<String>,
    /// The variable, if it is one: a name, members, and sections.
    pub variable: Option<Variable>,
}

/// A variable in a list: `a`, `a[0:n]`, `s->x.y[lo:n][0:m]`.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The first identifier.
    pub name: String,
    /// What is before the sections: `s->x.y`.
    pub base: Text,
    /// The sections, outermost first.
    pub sections: Vec<Section>,
}

/// One pair of brackets.
#[derive(Clone, Debug)]
pub struct Section {
    /// All of it, with the brackets.
    pub span: Text,
    /// The part before the colon, or the whole index if there is none; `None` for `[:n]`.
    pub lower: Option<Text>,
    /// The part behind the colon; `None` for `[lo:]`.
    pub upper: Option<Text>,
    /// Whether there is a colon.
    pub is_range: bool,
}

impl Directive {
    /// The clauses of a kind.
    pub fn all(&self, kind: ClauseKind) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(move |c| c.kind == kind)
    }

    /// The first clause of a kind.
    pub fn clause(&self, kind: ClauseKind) -> Option<&Clause> {
        self.all(kind).next()
    }

    /// Whether there is a clause of a kind.
    pub fn has(&self, kind: ClauseKind) -> bool {
        self.clause(kind).is_some()
    }
}
