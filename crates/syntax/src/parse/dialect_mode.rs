//! What nvcc takes and clang refuses, as far as the parser sees it: in clang's mode it is an error, and parsing goes on.

use super::Parser;
use crate::ast::{DeclSpecs, NameId, SegmentKind};
use crate::{Mode, TokenKind as T};
use source::{Diagnostic, Span};

/// Specifiers that say where a function runs.
const SPACES: DeclSpecs = DeclSpecs::HOST.with(DeclSpecs::DEVICE).with(DeclSpecs::GLOBAL);

impl Parser<'_> {
    /// Whether clang's rules hold.
    pub(super) fn is_clang(&self) -> bool {
        self.mode == Mode::Clang
    }

    /// In clang's mode, reports something that only nvcc takes, with what to write in its place.
    pub(super) fn only_nvcc(&mut self, place: Span, what: &str, instead: &str) {
        if !self.is_clang() {
            return;
        }
        let d = Diagnostic::error("E0214", place, format!("{what} is taken in nvcc's mode only"))
            .fix(place, instead)
            .help("write it as C++ has it, or compile with `-fmode=nvcc`");
        self.report(d);
    }

    /// `k<< <1, 1>> >(…)`: reported wherever it stands, because host code is not parsed.
    pub(super) fn launches_in_two_tokens(&mut self) {
        if !self.is_clang() || !self.dialect.is_cuda() {
            return;
        }
        for i in 0..self.tokens.len() {
            let (first, last) = (self.at(i), self.at(i + 1));
            let opens = first.kind == T::LessLess && last.kind == T::Less && last.has_space_before();
            let closes = first.kind == T::GreaterGreater
                && last.kind == T::Greater
                && last.has_space_before()
                && self.at(i + 2).kind == T::LParen;
            if opens || closes {
                let place = Span { hi: last.span.hi, ..first.span };
                let instead = if opens { "<<<" } else { ">>>" };
                self.only_nvcc(place, "a launch with a space inside of its brackets", instead);
            }
        }
    }

    /// The specifiers of a member function: of the class where it says nothing itself.
    pub(super) fn member_space(&self, own: DeclSpecs) -> DeclSpecs {
        match self.classes.last() {
            Some(c) if !own.any(SPACES) => own.with(c.space),
            _ => own,
        }
    }

    /// The specifiers of a function that is declared outside of a class: `int C::f() {…}` has those of `C`.
    pub(super) fn space_of_class(&self, own: DeclSpecs, name: NameId) -> DeclSpecs {
        if own.any(SPACES) || self.device_classes.is_empty() {
            return own;
        }
        let class = match self.ast.list(self.ast[name].qualifier).last().map(|s| s.kind) {
            Some(SegmentKind::Ident(sym)) => self.device_classes.get(&sym),
            _ => None,
        };
        class.map_or(own, |&space| own.with(space))
    }
}
