//! Attributes: GNU, `[[…]]`, `__declspec`, and keywords with arguments.

use super::keywords::Kw;
use super::spec::Attrs;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{Attr, AttrArg, AttrSyntax, ExprId, Ident, List, LoopHint, LoopHintKind};
use smallvec::SmallVec;
use source::Symbol;

impl Parser<'_> {
    /// Whether `[[` stands here, in a dialect that has it.
    pub(super) fn at_cxx_attribute(&self) -> bool {
        self.is_cxx() && self.is(T::LBracket) && {
            let next = self.peek(1);
            next.kind == T::LBracket && next.span.lo == self.tok.span.hi
        }
    }

    /// Attributes in any syntax, as long as there are some.
    pub(super) fn attributes_if_any(&mut self, out: &mut Attrs) -> PResult<()> {
        loop {
            if self.at_cxx_attribute() {
                self.cxx_attributes(out)?;
            } else if matches!(self.kw(), Kw::Attribute | Kw::Declspec) {
                self.gnu_attributes(out)?;
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn gnu_attributes_if_any(&mut self, out: &mut Attrs) -> PResult<()> {
        while matches!(self.kw(), Kw::Attribute | Kw::Declspec) {
            self.gnu_attributes(out)?;
        }
        Ok(())
    }

    /// `__attribute__((a, b(c)))`, `__declspec(a)`
    pub(super) fn gnu_attributes(&mut self, out: &mut Attrs) -> PResult<()> {
        let declspec = self.is_kw(Kw::Declspec);
        self.bump();
        let outer = self.expect(T::LParen)?;
        let inner = if declspec { outer } else { self.expect(T::LParen)? };
        let syntax = if declspec { AttrSyntax::Declspec } else { AttrSyntax::Gnu };
        self.in_parens(|p| {
            while !p.is(T::RParen) {
                if p.is(T::Ident) {
                    p.attribute(syntax, None, out)?;
                }
                if !p.eat(T::Comma) {
                    break;
                }
            }
            p.expect_closer(T::RParen, inner)
        })?;
        if !declspec {
            self.expect_closer(T::RParen, outer)?;
        }
        Ok(())
    }

    /// `[[a, ns::b(c)]]`, `[[using ns: a]]`
    pub(super) fn cxx_attributes(&mut self, out: &mut Attrs) -> PResult<()> {
        let open = self.bump().span;
        self.bump();
        self.in_parens(|p| {
            let mut using = None;
            if p.eat_kw(Kw::Using) {
                using = Some(p.any_word()?);
                p.expect(T::Colon)?;
            }
            while !p.is(T::RBracket) {
                if p.is(T::Ident) {
                    let scoped = p.peek(1).kind == T::ColonColon;
                    let scope = if scoped {
                        let word = p.any_word()?;
                        p.bump();
                        Some(word)
                    } else {
                        using
                    };
                    p.attribute(AttrSyntax::Cxx, scope, out)?;
                    p.eat(T::Ellipsis);
                } else if !p.is(T::Comma) {
                    return Err(p.expected("an attribute"));
                }
                if !p.eat(T::Comma) {
                    break;
                }
            }
            p.expect_closer(T::RBracket, open)
        })?;
        self.expect_closer(T::RBracket, open)?;
        Ok(())
    }

    /// An identifier or keyword.
    fn any_word(&mut self) -> PResult<Symbol> {
        if self.is(T::Ident) { Ok(self.bump().sym) } else { Err(self.expected("an attribute's name")) }
    }

    /// `name`, `name(args)`; in C++ brackets also `loop_unroll N`.
    fn attribute(&mut self, syntax: AttrSyntax, scope: Option<Symbol>, out: &mut Attrs) -> PResult<()> {
        let start = self.tok.span;
        let name = self.any_word()?;
        let parens = self.is(T::LParen);
        let args = if parens {
            self.attribute_args()?
        } else if syntax == AttrSyntax::Cxx && !matches!(self.tok.kind, T::Comma | T::RBracket | T::Ellipsis) {
            let e = self.nested(Self::constant_expr)?;
            self.ast.push_list(&[AttrArg::Expr(e)])
        } else {
            List::EMPTY
        };
        let span = self.span_from(start);
        out.push(Attr { syntax, scope, name, parens, args, span });
        Ok(())
    }

    /// `( types, expressions, name = e )`
    fn attribute_args(&mut self) -> PResult<List<AttrArg>> {
        let open = self.bump().span;
        self.in_parens(|p| {
            let mut args: SmallVec<[AttrArg; 4]> = SmallVec::new();
            while !p.is(T::RParen) {
                let arg = p.attribute_arg()?;
                args.push(arg);
                if !p.eat(T::Comma) {
                    break;
                }
            }
            p.expect_closer(T::RParen, open)?;
            Ok(p.ast.push_list(&args))
        })
    }

    fn attribute_arg(&mut self) -> PResult<AttrArg> {
        if self.is(T::Ident) && self.peek(1).kind == T::Eq {
            let t = self.bump();
            self.bump();
            let e = self.constant_expr()?;
            return Ok(AttrArg::Named(Ident { sym: t.sym, span: t.span }, e));
        }
        if self.type_at(self.pos) && !matches!(self.peek(1).kind, T::LBrace) {
            let functional = self.is_cxx() && self.peek(1).kind == T::LParen;
            if !functional {
                return Ok(AttrArg::Type(self.type_id()?));
            }
        }
        let lone = self.is(T::Ident) && matches!(self.peek(1).kind, T::Comma | T::RParen);
        if lone && !matches!(self.kw(), Kw::True | Kw::False | Kw::Nullptr | Kw::This) {
            // A word of the attribute's own, keyword or not.
            let t = self.bump();
            let name = self.plain_name(t.sym, t.span);
            return Ok(AttrArg::Expr(self.make(crate::ast::ExprKind::Name(name), t.span)?));
        }
        Ok(AttrArg::Expr(self.assign_expr()?))
    }

    /// `__launch_bounds__(256, 2)` and other keywords with arguments.
    pub(super) fn keyword_attribute(&mut self, out: &mut Attrs) -> PResult<()> {
        let t = self.bump();
        if !self.is(T::LParen) {
            return Err(self.expected("`(`"));
        }
        let args = self.attribute_args()?;
        let span = self.span_from(t.span);
        out.push(Attr { syntax: AttrSyntax::Keyword, scope: None, name: t.sym, parens: true, args, span });
        Ok(())
    }

    /// `_Alignas(T)`, `alignas(n)`
    pub(super) fn alignas(&mut self, out: &mut Attrs) -> PResult<()> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let arg = self.in_parens(|p| {
            let arg = if p.type_at(p.pos) { AttrArg::Type(p.type_id()?) } else { AttrArg::Expr(p.constant_expr()?) };
            p.eat(T::Ellipsis);
            p.expect_closer(T::RParen, open)?;
            Ok(arg)
        })?;
        let args = self.ast.push_list(&[arg]);
        let name = self.session.intern("alignas");
        let span = self.span_from(start);
        out.push(Attr { syntax: AttrSyntax::Keyword, scope: None, name, parens: true, args, span });
        Ok(())
    }

    /// Attributes before a statement: those about loops go to `attr_hints`, in source order.
    pub(super) fn loop_attributes(&mut self, out: &mut Attrs) -> PResult<()> {
        let first = self.pos;
        let mut all = Attrs::new();
        if self.at_cxx_attribute() {
            self.cxx_attributes(&mut all)?
        } else {
            self.gnu_attributes(&mut all)?
        }
        for a in all {
            let Some(kind) = self.loop_attribute(&a) else {
                out.push(a);
                continue;
            };
            let operand: Option<ExprId> = match self.ast.list(a.args).first() {
                Some(&AttrArg::Expr(e)) => Some(e),
                _ => None,
            };
            let text = self.tokens_text(first, self.pos);
            let text = self.session.intern(&text);
            self.attr_hints.push(LoopHint { kind, span: a.span, text, operand, problem: None });
        }
        Ok(())
    }

    fn loop_attribute(&self, a: &Attr) -> Option<LoopHintKind> {
        let name = self.session.str(a.name);
        match (a.syntax, name.trim_matches('_')) {
            (AttrSyntax::Cxx, "loop_unroll") => {
                a.scope.is_some_and(|s| self.session.str(s) == "clang").then_some(LoopHintKind::ClangLoopUnrollAttr)
            }
            (AttrSyntax::Gnu | AttrSyntax::Cxx, "opencl_unroll_hint") => {
                Some(LoopHintKind::OpenclUnrollHintAttr(a.syntax))
            }
            _ => None,
        }
    }

    /// The tokens from index `first` to before `end`, as written.
    pub(super) fn tokens_text(&self, first: usize, end: usize) -> String {
        let mut text = String::new();
        for i in first..end.min(first.saturating_add(64)) {
            let t = self.at(i);
            if !text.is_empty() && t.has_space_before() {
                text.push(' ');
            }
            text.push_str(t.text(&self.session.strings));
        }
        text
    }
}
