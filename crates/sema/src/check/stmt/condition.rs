//! Conditions of statements.

use super::Block;
use crate::check::{Checker, Entity};
use crate::program::{ExprId, StmtId, StmtKind};
use smallvec::SmallVec;
use source::{Diagnostic, Span};
use syntax::ast::{self, Condition, DeclKind, StmtKind as A};

impl Checker<'_> {
    /// The condition of a statement; a declared variable's statements go to `pre`.
    pub(super) fn cond(&mut self, c: Condition, pre: &mut Vec<StmtId>) -> ExprId {
        match c {
            Condition::Expr(e) => {
                let v = self.expr(e);
                self.warn_assign_condition(e);
                self.condition(v)
            }
            Condition::Decl(d) => {
                let v = self.cond_decl(d, pre);
                self.condition(v)
            }
        }
    }

    pub(super) fn cond_decl(&mut self, d: ast::DeclId, pre: &mut Vec<StmtId>) -> ExprId {
        let decl = self.ast[d];
        let mut stmts: SmallVec<[StmtId; 2]> = SmallVec::new();
        let DeclKind::Var { ty, init, .. } = decl.kind else { return self.err(decl.span) };
        self.local_var(d, ty, init, &mut stmts);
        pre.extend(stmts);
        match self.cx.names.last() {
            Some((_, Entity::Local(l))) => {
                let l = *l;
                self.local_value_place(l, decl.span)
            }
            _ => self.err(decl.span),
        }
    }

    fn warn_assign_condition(&mut self, e: ast::ExprId) {
        let x = self.ast[e];
        if let ast::ExprKind::Assign(None, ..) = x.kind {
            self.warn(
                Diagnostic::warning(
                    "W0312",
                    x.span,
                    "using the result of an assignment as a condition without parentheses",
                )
                .help("write `==` to compare, or put parentheses around the assignment")
                .group("parentheses"),
            );
        }
    }

    pub(super) fn if_stmt(
        &mut self,
        is_constexpr: bool,
        init: Option<ast::StmtId>,
        cond: Condition,
        then: ast::StmtId,
        els: Option<ast::StmtId>,
        span: Span,
    ) -> StmtId {
        let b = self.open_block();
        let mut pre = Vec::new();
        if let Some(i) = init {
            let s = self.stmt_in_scope(i);
            pre.extend(s);
        }
        let mut c = self.cond(cond, &mut pre);
        let result = if is_constexpr {
            if self.constant(c).is_none()
                && let Some(v) = self.evaluate(c)
            {
                c = v;
            }
            match self.truth(c) {
                // The branch not taken is not instantiated.
                Some(true) => self.stmt(then),
                Some(false) => match els {
                    Some(e) => self.stmt(e),
                    None => self.push_stmt(StmtKind::Empty, span),
                },
                None if self.reads_host() => {
                    // Either may be what is compiled.
                    let then = self.stmt(then);
                    els.map_or(then, |e| self.stmt(e))
                }
                None => {
                    if !self.is_err(c) {
                        let at = self.span(c);
                        self.error("E0380", at, "the condition of `if constexpr` is not a constant expression");
                    }
                    self.push_stmt(StmtKind::Empty, span)
                }
            }
        } else {
            let known = self.truth(c);
            self.cx.dead += u32::from(known == Some(false));
            let t = self.scoped(then);
            self.cx.dead -= u32::from(known == Some(false));
            self.cx.dead += u32::from(known == Some(true));
            let o = els.map(|e| self.scoped(e));
            self.cx.dead -= u32::from(known == Some(true));
            self.push_stmt(StmtKind::If { cond: c, then: t, other: o }, span)
        };
        self.wrap(pre, result, &b, span)
    }

    /// A statement in a block of its own, as substatements are.
    pub(super) fn scoped(&mut self, s: ast::StmtId) -> StmtId {
        if matches!(self.ast[s].kind, A::Compound(_)) {
            return self.stmt(s);
        }
        let span = self.ast[s].span;
        let b = self.open_block();
        let st = self.stmt(s);
        let mut out = vec![st];
        self.close_block(&b, &mut out, span);
        match out[..] {
            [one] => one,
            _ => self.block(&out, span),
        }
    }

    /// A statement whose names stay in the block around it.
    pub(super) fn stmt_in_scope(&mut self, s: ast::StmtId) -> Vec<StmtId> {
        let mut out = Vec::new();
        if let A::Decl(list) = self.ast[s].kind {
            self.decl_stmt(list, &mut out);
        } else {
            let st = self.stmt(s);
            out.push(st);
        }
        out
    }

    /// Puts `pre` before a statement and ends the block that holds both.
    pub(super) fn wrap(&mut self, mut pre: Vec<StmtId>, s: StmtId, b: &Block, span: Span) -> StmtId {
        pre.push(s);
        self.close_block(b, &mut pre, span);
        match pre[..] {
            [one] => one,
            _ => self.block(&pre, span),
        }
    }
}
