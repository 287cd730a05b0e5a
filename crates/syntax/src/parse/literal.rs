//! Literals: numbers, characters, strings.

use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{ExprId, ExprKind, StrId};
use crate::literal::{LiteralError, NumberLiteral, decode_char, decode_number, decode_string};
use smallvec::SmallVec;
use source::{Diagnostic, Span};

impl Parser<'_> {
    fn bad_literal(&mut self, span: Span, e: &LiteralError) {
        let d = Diagnostic::error("E0206", span, e.to_string());
        self.report(d);
    }

    pub(super) fn number(&mut self) -> PResult<ExprId> {
        let t = self.bump();
        match decode_number(self.session.strings.str(t.sym), self.dialect) {
            Ok(NumberLiteral::Int(i)) => self.make(ExprKind::Int(i), t.span),
            Ok(NumberLiteral::Float(f)) => self.make(ExprKind::Float(f), t.span),
            Err(LiteralError::BadSuffix(suffix)) if self.is_cxx() && suffix.starts_with('_') => {
                self.user_literal(t, &suffix)
            }
            Err(e) => {
                self.bad_literal(t.span, &e);
                self.make(ExprKind::Error, t.span)
            }
        }
    }

    /// `12_km`
    fn user_literal(&mut self, t: crate::Token, suffix: &str) -> PResult<ExprId> {
        let text = self.session.strings.str(t.sym);
        let head = text.strip_suffix(suffix).unwrap_or(text);
        let literal = match decode_number(head, self.dialect) {
            Ok(NumberLiteral::Int(i)) => ExprKind::Int(i),
            Ok(NumberLiteral::Float(f)) => ExprKind::Float(f),
            Err(e) => {
                self.bad_literal(t.span, &e);
                ExprKind::Error
            }
        };
        let literal = self.make(literal, t.span)?;
        let suffix = self.session.intern(suffix);
        self.make(ExprKind::UserLiteral { literal, suffix }, t.span)
    }

    pub(super) fn character(&mut self) -> PResult<ExprId> {
        let t = self.bump();
        match decode_char(self.session.strings.str(t.sym), self.dialect) {
            Ok(c) => {
                if c.chars > 1 {
                    let d = Diagnostic::warning("W0204", t.span, "multi-character character constant");
                    self.report(d.group("multichar"));
                }
                self.make(ExprKind::Char(c), t.span)
            }
            Err(e) => {
                self.bad_literal(t.span, &e);
                self.make(ExprKind::Error, t.span)
            }
        }
    }

    pub(super) fn string_expr(&mut self) -> PResult<ExprId> {
        let start = self.tok.span;
        let s = self.string()?;
        self.expr_from(ExprKind::Str(s), start)
    }

    /// Adjacent string literals, as one.
    pub(super) fn string(&mut self) -> PResult<StrId> {
        if !self.is(T::String) {
            return Err(self.expected("a string"));
        }
        let start = self.tok.span;
        let mut syms: SmallVec<[source::Symbol; 4]> = SmallVec::new();
        while self.is(T::String) {
            syms.push(self.bump().sym);
        }
        let decoded = {
            let spellings: SmallVec<[&str; 4]> = syms.iter().map(|&s| self.session.strings.str(s)).collect();
            decode_string(&spellings, self.dialect)
        };
        match decoded {
            Ok(s) => Ok(self.ast.push_str(s)),
            Err(e) => {
                let span = self.span_from(start);
                self.bad_literal(span, &e);
                Ok(self.ast.push_str(crate::literal::StringLiteral {
                    units: Vec::new(),
                    encoding: crate::literal::Encoding::Plain,
                }))
            }
        }
    }
}
