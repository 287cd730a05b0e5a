//! Switch statements.

use crate::check::convert::Why;
use crate::check::fold::Const;
use crate::check::{Checker, LabelInfo, SwitchCx};
use crate::num::ConstInt;
use crate::program::{BinaryOp, Case, CompareOp, ExprId, ExprKind, LabelId, ListId, StmtId, StmtKind};
use crate::types::{Quals, Ty, TyId};
use source::{Diagnostic, Span, Symbol};
use std::collections::BTreeMap;
use syntax::ast::{self, Condition};

/// A number in the order of the type's values.
fn order(v: ConstInt) -> i128 {
    if v.width() == 128 && !v.is_signed() { v.value() ^ i128::MIN } else { v.value() }
}

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
            Ty::Bool | Ty::Int(_) | Ty::Enum(_) => self.promote(v),
            Ty::Error => v,
            _ => {
                let name = self.show(ty);
                self.error("E0383", at, format!("switch on a value of type `{name}`: it must be an integer"));
                self.err(at)
            }
        };
        let ty = self.ty(value);
        let cx = SwitchCx { ty, cases: Vec::new(), wide: Vec::new(), taken: BTreeMap::new(), default: None };
        self.cx.switches.push(cx);
        self.cx.breakable += 1;
        self.cx.break_marks.push(self.cx.live.len());
        let body = self.scoped(body);
        self.cx.break_marks.pop();
        self.cx.breakable -= 1;
        let sw = self.cx.switches.pop();
        let s = match sw {
            Some(sw) => {
                let value = if self.p.types.is_wide(ty) { self.which_wide(value, &sw.wide, &mut pre) } else { value };
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

    /// Which of the cases a value of 128 bits is in, counted from 1, or 0: what tables of branches are about has 64.
    fn which_wide(&mut self, value: ExprId, cases: &[(ConstInt, ConstInt)], pre: &mut Vec<StmtId>) -> ExprId {
        let (ty, span) = (self.ty(value), self.span(value));
        let local = self.new_local(None, ty, Quals::NONE, span);
        pre.push(self.push_stmt(StmtKind::Decl { local, init: Some(value) }, span));
        let mut found: Vec<ExprId> = Vec::with_capacity(cases.len());
        for (n, &(lo, hi)) in cases.iter().enumerate() {
            let place = self.local_place(local, span);
            let v = self.rvalue(place);
            let one = lo == hi;
            let lo = self.const_node(Const::Int(lo), ty, span);
            let cond = if one {
                self.compare(CompareOp::Eq, v, lo, TyId::BOOL, span)
            } else {
                let hi = self.const_node(Const::Int(hi), ty, span);
                let lhs = self.compare(CompareOp::Ge, v, lo, TyId::BOOL, span);
                let rhs = self.compare(CompareOp::Le, v, hi, TyId::BOOL, span);
                self.rv(ExprKind::LogAnd { lhs, rhs }, TyId::BOOL, span)
            };
            let (then, other) = (self.int(n as i128 + 1, TyId::INT, span), self.int(0, TyId::INT, span));
            found.push(self.rv(ExprKind::Cond { cond, then, other }, TyId::INT, span));
        }
        // At most one of them is not 0. In pairs, so that many cases do not nest deeply.
        while found.len() > 1 {
            let pairs: Vec<ExprId> = found
                .chunks(2)
                .map(|c| match *c {
                    [a, b] => self.binary(BinaryOp::Or, a, b, TyId::INT, span),
                    _ => c[0],
                })
                .collect();
            found = pairs;
        }
        found.pop().unwrap_or_else(|| self.int(0, TyId::INT, span))
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
        let (a, b) = (order(lo), order(hi));
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
        if lo.width() > 64 {
            // The value that is switched on is its case's number.
            sw.wide.push((lo, hi));
            sw.cases.push(Case { lo: u64::from(n) + 1, hi: u64::from(n) + 1, span });
        } else {
            sw.cases.push(Case { lo: lo.bits(), hi: hi.bits(), span });
        }
        if let Some(there) = clash {
            let d = Diagnostic::error("E0385", span, format!("duplicate case value `{}`", lo.value()))
                .label(there, "previous case is here");
            self.report(d);
        }
        self.push_stmt(StmtKind::Case(n), span)
    }

    fn case_value(&mut self, e: ast::ExprId, ty: TyId) -> Option<ConstInt> {
        let span = self.ast[e].span;
        let v = self.constant_expr(e)?;
        if self.constant(v).is_none() {
            self.error("E0386", span, "case value is not an integer constant expression");
            return None;
        }
        let v = self.implicit(v, ty, Why::Operand);
        match self.constant(v) {
            Some(Const::Int(i)) => Some(i),
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
