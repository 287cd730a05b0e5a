//! Switch statements.

use crate::check::convert::Why;
use crate::check::{Checker, LabelInfo, SwitchCx};
use crate::program::{Case, LabelId, ListId, StmtId, StmtKind};
use crate::types::{Ty, TyId};
use source::{Diagnostic, Span, Symbol};
use std::collections::BTreeMap;
use syntax::ast::{self, Condition};

impl Checker<'_> {
    pub(super) fn switch(
        &mut self,
        init: Option<ast::StmtId>,
        cond: Condition,
        body: ast::StmtId,
        span: Span,
    ) -> StmtId {
        let b = self.open_block();
        let mut pre = Vec::new();
        if let Some(i) = init {
            let s = self.stmt_in_scope(i);
            pre.extend(s);
        }
        let v = match cond {
            Condition::Expr(e) => self.expr(e),
            Condition::Decl(d) => self.cond_decl(d, &mut pre),
        };
        let mut v = self.rvalue(v);
        if self.p.types.as_record(self.ty(v)).is_some()
            && let Some(c) = self.user_convert_to_scalar(v, None)
        {
            v = c;
        }
        let at = self.span(v);
        let ty = self.ty(v);
        let value = match self.p.types.get(ty) {
            Ty::Enum(e) if self.p.types.enumeration(*e).scoped => v,
            Ty::Bool | Ty::Int(_) | Ty::Enum(_) if self.p.types.is_wide(ty) => {
                let name = self.show(ty);
                self.error("E0383", at, format!("switch on a value of type `{name}`: it may have 64 bits at most"));
                self.err(at)
            }
            Ty::Bool | Ty::Int(_) | Ty::Enum(_) => self.promote(v),
            Ty::Error => v,
            _ => {
                let name = self.show(ty);
                self.error("E0383", at, format!("switch on a value of type `{name}`: it must be an integer"));
                self.err(at)
            }
        };
        let ty = self.ty(value);
        self.cx.switches.push(SwitchCx { ty, cases: Vec::new(), taken: BTreeMap::new(), default: None });
        self.cx.breakable += 1;
        self.cx.break_marks.push(self.cx.live.len());
        let body = self.scoped(body);
        self.cx.break_marks.pop();
        self.cx.breakable -= 1;
        let sw = self.cx.switches.pop();
        let s = match sw {
            Some(sw) => {
                let start = self.p.case_pool.len() as u32;
                let len = sw.cases.len() as u32;
                self.p.case_pool.extend(sw.cases);
                let has_default = sw.default.is_some();
                self.renumber_default(body, len);
                self.push_stmt(StmtKind::Switch { value, cases: ListId { start, len }, has_default, body }, span)
            }
            None => self.push_stmt(StmtKind::Empty, span),
        };
        self.wrap(pre, s, &b, span)
    }

    /// The default's mark is numbered after the last case; until then it is `u32::MAX`.
    fn renumber_default(&mut self, s: StmtId, number: u32) {
        match self.p.stmt(s).kind {
            StmtKind::Case(u32::MAX) => self.p.stmts[s.index()].kind = StmtKind::Case(number),
            StmtKind::Block(list) => {
                for i in list.range() {
                    let inner = self.p.stmt_pool[i];
                    self.renumber_default(inner, number);
                }
            }
            StmtKind::If { then, other, .. } => {
                self.renumber_default(then, number);
                if let Some(o) = other {
                    self.renumber_default(o, number);
                }
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
                self.renumber_default(body, number);
            }
            _ => {}
        }
    }

    pub(super) fn case(&mut self, lo: ast::ExprId, hi: Option<ast::ExprId>, span: Span) -> StmtId {
        let Some(ty) = self.cx.switches.last().map(|s| s.ty) else {
            self.error("E0384", span, "`case` statement not in a switch");
            return self.push_stmt(StmtKind::Empty, span);
        };
        let low = self.case_value(lo, ty);
        let high = match hi {
            Some(h) => self.case_value(h, ty),
            None => low,
        };
        let (Some(lo), Some(hi)) = (low, high) else { return self.push_stmt(StmtKind::Empty, span) };
        let (a, b) = (lo.value(), hi.value());
        if a > b {
            self.warn(Diagnostic::warning("W0313", span, "empty case range").group("case-range"));
            return self.push_stmt(StmtKind::Empty, span);
        }
        let Some(sw) = self.cx.switches.last_mut() else { return self.push_stmt(StmtKind::Empty, span) };
        // Of ranges that do not overlap, the last that begins before the end of this one reaches furthest.
        let clash = sw.taken.range(..=b).next_back().filter(|(_, (last, _))| a <= *last).map(|(_, (_, there))| *there);
        if clash.is_none() {
            sw.taken.insert(a, (b, span));
        }
        let n = sw.cases.len() as u32;
        sw.cases.push(Case { lo: lo.bits(), hi: hi.bits(), span });
        if let Some(there) = clash {
            let d = Diagnostic::error("E0385", span, format!("duplicate case value `{a}`"))
                .label(there, "previous case is here");
            self.report(d);
        }
        self.push_stmt(StmtKind::Case(n), span)
    }

    fn case_value(&mut self, e: ast::ExprId, ty: TyId) -> Option<crate::num::ConstInt> {
        let span = self.ast[e].span;
        let v = self.constant_expr(e)?;
        if self.constant(v).is_none() {
            self.error("E0386", span, "case value is not an integer constant expression");
            return None;
        }
        let v = self.implicit(v, ty, Why::Operand);
        match self.constant(v) {
            Some(crate::check::fold::Const::Int(i)) => Some(i),
            _ => {
                if !self.is_err(v) {
                    self.error("E0386", span, "case value is not an integer constant expression");
                }
                None
            }
        }
    }

    pub(super) fn default_case(&mut self, span: Span) -> StmtId {
        match self.cx.switches.last_mut() {
            Some(sw) => {
                if let Some(there) = sw.default.replace(span) {
                    let d = Diagnostic::error("E0387", span, "multiple default labels in one switch")
                        .label(there, "previous default is here");
                    self.report(d);
                }
                self.push_stmt(StmtKind::Case(u32::MAX), span)
            }
            None => {
                self.error("E0384", span, "`default` statement not in a switch");
                self.push_stmt(StmtKind::Empty, span)
            }
        }
    }

    pub(super) fn label(&mut self, name: Symbol) -> LabelId {
        let fresh = LabelId(self.cx.labels.len() as u32);
        let id = *self.cx.label_ids.entry(name).or_insert(fresh);
        if id == fresh {
            self.cx.labels.push(LabelInfo { name, defined: None, used: None });
        }
        id
    }
}
