//! Initialisers in braces, with designators.

use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{Designator, ExprId, ExprKind, Ident, InitItem, List};
use smallvec::SmallVec;

impl Parser<'_> {
    /// An expression or a braced list.
    pub(super) fn init_clause(&mut self) -> PResult<ExprId> {
        if self.is(T::LBrace) { self.braced_init() } else { self.nested(Self::assign_expr) }
    }

    /// `{ [designators =] init, … }`
    pub(super) fn braced_init(&mut self) -> PResult<ExprId> {
        let open = self.tok.span;
        let items = self.in_parens(|p| {
            p.expect(T::LBrace)?;
            let items = p.init_items()?;
            p.expect_closer(T::RBrace, open)?;
            Ok(items)
        })?;
        self.expr_from(ExprKind::InitList(items), open)
    }

    fn init_items(&mut self) -> PResult<List<InitItem>> {
        let mut items: SmallVec<[InitItem; 8]> = SmallVec::new();
        self.skip_pragmas();
        while !self.is(T::RBrace) {
            let designators = self.designation()?;
            let mut value = self.init_clause()?;
            if self.is_cxx() && self.is(T::Ellipsis) {
                let span = self.bump().span;
                let whole = self.session.sources.join(self.ast[value].span, span);
                value = self.make(ExprKind::Pack(value), whole)?;
            }
            items.push(InitItem { designators, value });
            self.skip_pragmas();
            if !self.eat(T::Comma) {
                break;
            }
            self.skip_pragmas();
        }
        Ok(self.ast.push_list(&items))
    }

    /// `.x[3] =`, `[1 ... 4] =`, `x:`
    fn designation(&mut self) -> PResult<List<Designator>> {
        let mut path: SmallVec<[Designator; 2]> = SmallVec::new();
        if self.is_ident(self.tok) && self.peek(1).kind == T::Colon {
            let t = self.bump();
            self.bump();
            path.push(Designator::Field(Ident { sym: t.sym, span: t.span }));
            return Ok(self.ast.push_list(&path));
        }
        loop {
            match self.tok.kind {
                T::Dot => {
                    self.bump();
                    let (sym, span) = self.ident("a member")?;
                    path.push(Designator::Field(Ident { sym, span }));
                }
                // In C++ a `[` starts a lambda.
                T::LBracket if !self.is_cxx() || !path.is_empty() || self.index_designator_ahead() => {
                    let d = self.index_designator()?;
                    path.push(d);
                }
                _ => break,
            }
        }
        if !path.is_empty() && !self.eat(T::Eq) && !self.is(T::LBrace) {
            // Old GNU: `[3] 7` without `=`.
            let index_only = path.iter().all(|d| !matches!(d, Designator::Field(_)));
            if !index_only {
                return Err(self.expected("`=`"));
            }
        }
        Ok(self.ast.push_list(&path))
    }

    fn index_designator_ahead(&self) -> bool {
        self.after_group(self.pos).is_some_and(|end| matches!(self.at(end).kind, T::Eq | T::Dot))
    }

    /// `[i]`, `[lo ... hi]`
    pub(super) fn index_designator(&mut self) -> PResult<Designator> {
        let open = self.expect(T::LBracket)?;
        let lo = self.in_parens(Self::constant_expr)?;
        let d = if self.eat(T::Ellipsis) {
            Designator::Range(lo, self.in_parens(Self::constant_expr)?)
        } else {
            Designator::Index(lo)
        };
        self.expect_closer(T::RBracket, open)?;
        Ok(d)
    }
}
