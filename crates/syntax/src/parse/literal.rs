//! Literals: numbers, characters, strings.

use super::keywords::Kw;
use super::{PResult, Parser};
use crate::ast::{ExprId, ExprKind, StrId, TemplateArg};
use crate::literal::{Encoding, LiteralError, NumberLiteral, StringLiteral, decode_char, decode_number, decode_string};
use crate::{TokenFlags, TokenKind as T};
use smallvec::SmallVec;
use source::{Diagnostic, Span, Symbol};

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
            Err(LiteralError::BadSuffix(suffix)) if self.is_cxx() && self.is_user_suffix(&suffix) => {
                self.user_literal(t, &suffix)
            }
            Err(e) => {
                self.bad_literal(t.span, &e);
                self.make(ExprKind::Error, t.span)
            }
        }
    }

    /// Whether it is a suffix of the program's, or of the library's (`ms`) where that declares it.
    fn is_user_suffix(&self, suffix: &str) -> bool {
        suffix.starts_with('_') || self.session.strings.get(suffix).is_some_and(|s| self.suffixes.contains(&s))
    }

    /// `12_km`
    fn user_literal(&mut self, t: crate::Token, suffix: &str) -> PResult<ExprId> {
        let text = self.session.strings.str(t.sym);
        let head = text.strip_suffix(suffix).unwrap_or(text).to_owned();
        let literal = match decode_number(&head, self.dialect) {
            Ok(NumberLiteral::Int(i)) => ExprKind::Int(i),
            Ok(NumberLiteral::Float(f)) => ExprKind::Float(f),
            // It may have more digits than any type where an operator takes its spelling.
            Err(LiteralError::IntTooLarge) => ExprKind::Error,
            Err(e) => {
                self.bad_literal(t.span, &e);
                ExprKind::Error
            }
        };
        let literal = self.make(literal, t.span)?;
        let units = head.bytes().map(u32::from).collect();
        let spelt = self.ast.push_str(StringLiteral { units, encoding: Encoding::Plain });
        let spelling = self.make(ExprKind::Str(spelt), t.span)?;
        let mut args: Vec<TemplateArg> = Vec::new();
        for c in head.chars() {
            if let Ok(c) = decode_char(&format!("'{}'", c.escape_default()), self.dialect) {
                args.push(TemplateArg::Expr(self.make(ExprKind::Char(c), t.span)?));
            }
        }
        let args = self.ast.push_list(&args);
        let suffix = self.session.intern(suffix);
        self.make(ExprKind::UserLiteral { literal, suffix, spelling, args }, t.span)
    }

    /// A character or string with the suffix of the program's that follows: `'a'_c`.
    fn suffixed(&mut self, literal: ExprId, suffix: Symbol, span: Span) -> PResult<ExprId> {
        let args = self.ast.push_list(&[TemplateArg::Expr(literal)]);
        self.make(ExprKind::UserLiteral { literal, suffix, spelling: literal, args }, span)
    }

    /// The suffix directly behind a character or string that was taken.
    fn suffix(&mut self) -> Option<Symbol> {
        let t = self.tok;
        let is_suffix = self.is_cxx()
            && t.kind == T::Ident
            && !t.flags.has(TokenFlags::LEADING_SPACE)
            && !t.flags.has(TokenFlags::START_OF_LINE)
            && self.kw() == Kw::None
            && self.is_user_suffix(self.session.strings.str(t.sym));
        is_suffix.then(|| self.bump().sym)
    }

    pub(super) fn character(&mut self) -> PResult<ExprId> {
        let t = self.bump();
        match decode_char(self.session.strings.str(t.sym), self.dialect) {
            Ok(c) => {
                if c.chars > 1 {
                    let d = Diagnostic::warning("W0204", t.span, "multi-character character constant");
                    self.report(d.group("multichar"));
                }
                let c = self.make(ExprKind::Char(c), t.span)?;
                match self.suffix() {
                    Some(suffix) => self.suffixed(c, suffix, self.span_from(t.span)),
                    None => Ok(c),
                }
            }
            Err(e) => {
                self.bad_literal(t.span, &e);
                self.make(ExprKind::Error, t.span)
            }
        }
    }

    pub(super) fn string_expr(&mut self) -> PResult<ExprId> {
        let start = self.tok.span;
        let (s, suffix) = self.strings(true)?;
        let s = self.expr_from(ExprKind::Str(s), start)?;
        match suffix {
            Some(suffix) => self.suffixed(s, suffix, self.span_from(start)),
            None => Ok(s),
        }
    }

    /// Adjacent string literals, as one.
    pub(super) fn string(&mut self) -> PResult<StrId> {
        Ok(self.strings(false)?.0)
    }

    /// The same, with a suffix of the program's that one or all of them have.
    fn strings(&mut self, suffixes: bool) -> PResult<(StrId, Option<Symbol>)> {
        if !self.is(T::String) {
            return Err(self.expected("a string"));
        }
        let start = self.tok.span;
        let mut syms: SmallVec<[Symbol; 4]> = SmallVec::new();
        let mut suffix = None;
        while self.is(T::String) {
            syms.push(self.bump().sym);
            if suffixes {
                suffix = self.suffix().or(suffix);
            }
        }
        let decoded = {
            let spellings: SmallVec<[&str; 4]> = syms.iter().map(|&s| self.session.strings.str(s)).collect();
            decode_string(&spellings, self.dialect)
        };
        let s = decoded.unwrap_or_else(|e| {
            let span = self.span_from(start);
            self.bad_literal(span, &e);
            StringLiteral { units: Vec::new(), encoding: Encoding::Plain }
        });
        Ok((self.ast.push_str(s), suffix))
    }
}
