//! The end of temporary objects: whose class has a destructor is destroyed when the full expression that made it has been
//! evaluated (C++17, 15.2p4), the last one first.
//!
//! A walk over the finished body. Temporaries are what places in an expression stand for without a name:
//! [`ExprKind::Materialize`], objects made by a constructor and used as places, and results that nobody uses. What is a value
//! becomes another object (a variable, a parameter, a result), which ends otherwise. Where a temporary is made on one way of a
//! `&&`, `||` or `?:` only, a variable says whether it was. What a reference is bound to where it is declared lives as long
//! (15.2p6): it is one of the block's objects. Cost: a look at each expression, once a class has a destructor.

use super::Checker;
use super::walk;
use crate::program::{ExprId, ExprKind, LocalId, StmtId, StmtKind};
use crate::types::{Quals, TyId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use source::Span;

/// A temporary object.
struct Temporary {
    /// The expression that makes it.
    made: ExprId,
    local: LocalId,
    /// It is made on some way only.
    perhaps: bool,
}

/// What becomes of an expression's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Dropped,
    Value,
    /// It is the address that a reference begins with, or that a loop or a list of bindings keeps.
    Reference,
}

impl Checker<'_> {
    /// Destroys the temporaries of a body's full expressions.
    pub(crate) fn end_temporaries(&mut self, body: StmtId) {
        if !self.decls.any_destructor {
            return;
        }
        let mut stmts = vec![body];
        let mut seen = FxHashSet::default();
        while let Some(s) = stmts.pop() {
            let mut roots: SmallVec<[(ExprId, Use); 2]> = SmallVec::new();
            match self.p.stmt(s).kind {
                StmtKind::Expr(e) => roots.push((e, Use::Dropped)),
                StmtKind::Decl { local, init } => {
                    let l = self.cx.locals[local.index()];
                    let to = if l.is_reference || l.name.is_none() { Use::Reference } else { Use::Value };
                    roots.extend(init.map(|e| (e, to)));
                }
                StmtKind::If { cond, .. } | StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => {
                    roots.push((cond, Use::Value));
                }
                StmtKind::For { cond, step, .. } => {
                    roots.extend(cond.map(|e| (e, Use::Value)));
                    roots.extend(step.map(|e| (e, Use::Dropped)));
                }
                StmtKind::Switch { value, .. } => roots.push((value, Use::Value)),
                StmtKind::Return(v) => roots.extend(v.map(|e| (e, Use::Value))),
                _ => {}
            }
            walk::statements(&self.p, s, &mut stmts);
            for (e, to) in roots {
                if !seen.insert(e) {
                    continue;
                }
                self.statements_within(e, &mut stmts);
                if let Some(new) = self.full_expression(e, to) {
                    walk::replace_root(&mut self.p, s, e, new);
                }
            }
        }
    }

    /// Statements in expressions: their expressions are full ones of their own.
    fn statements_within(&self, root: ExprId, stmts: &mut Vec<StmtId>) {
        let mut work = vec![root];
        while let Some(e) = work.pop() {
            if let ExprKind::StmtExpr { body, .. } = self.p.expr(e).kind {
                stmts.push(body);
            }
            walk::children(&self.p, e, &mut work);
        }
    }

    /// The expression with the end of its temporaries behind it; nothing if there are none.
    fn full_expression(&mut self, root: ExprId, to: Use) -> Option<ExprId> {
        let span = self.span(root);
        let mut root = root;
        if to == Use::Dropped {
            root = self.dropped(root);
        }
        let kept = if to == Use::Reference { self.bound(root) } else { None };
        let mut found = Vec::new();
        self.temporaries(root, false, kept, &mut found, &mut FxHashSet::default());
        if found.is_empty() {
            return None;
        }
        let mut before: Option<ExprId> = None;
        let mut ends: Vec<ExprId> = Vec::new();
        for t in found.iter().rev() {
            let place = self.local_place(t.local, span);
            let mut out = Vec::new();
            self.destroy(place, span, &mut out);
            let calls: Vec<ExprId> = out
                .into_iter()
                .filter_map(|s| if let StmtKind::Expr(e) = self.p.stmt(s).kind { Some(e) } else { None })
                .collect();
            if !t.perhaps {
                ends.extend(calls);
                continue;
            }
            let flag = self.new_local(None, TyId::BOOL, Quals::NONE, span);
            let clear = self.set_flag(flag, false, span);
            before = Some(match before {
                Some(b) => self.then(b, clear, span),
                None => clear,
            });
            self.notice(t, flag, span);
            let place = self.local_place(flag, span);
            let made = self.rvalue(place);
            let one = self.int(1, TyId::BOOL, span);
            let all = calls.into_iter().rev().fold(one, |all, call| self.then(call, all, span));
            ends.push(self.rv(ExprKind::LogAnd { lhs: made, rhs: all }, TyId::BOOL, span));
        }
        Some(self.with_ends(root, to, before, &ends, span))
    }

    /// `before`, the expression, `ends`; its value, if it is used.
    fn with_ends(&mut self, root: ExprId, to: Use, before: Option<ExprId>, ends: &[ExprId], span: Span) -> ExprId {
        let ty = self.ty(root);
        let mut all: Vec<ExprId> = before.into_iter().collect();
        let value = (to != Use::Dropped && ty != TyId::VOID).then(|| {
            let local = self.new_local(None, ty, Quals::NONE, span);
            let place = self.local_place(local, span);
            let space = self.e(place).space;
            (self.lv(ExprKind::Materialize { local, init: root }, ty, Quals::NONE, space, span), place)
        });
        all.push(value.map_or(root, |v| v.0));
        all.extend(ends);
        let mut all = all.into_iter();
        let Some(first) = all.next() else { return root };
        let done = all.fold(first, |done, next| self.then(done, next, span));
        match value {
            Some((_, place)) => {
                let read = self.rv(ExprKind::Load(place), ty, span);
                self.then(done, read, span)
            }
            None => done,
        }
    }

    /// One expression after another.
    pub(crate) fn then(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let x = *self.e(rhs);
        match self.is_lv(rhs) {
            true => self.lv(ExprKind::Comma { lhs, rhs }, x.ty, x.quals, x.space, span),
            false => self.rv(ExprKind::Comma { lhs, rhs }, x.ty, span),
        }
    }

    fn set_flag(&mut self, flag: LocalId, value: bool, span: Span) -> ExprId {
        let place = self.local_place(flag, span);
        let value = self.int(i128::from(value), TyId::BOOL, span);
        self.store(place, value, span)
    }

    /// Notes in a variable that a temporary is made.
    fn notice(&mut self, t: &Temporary, flag: LocalId, span: Span) {
        let set = self.set_flag(flag, true, span);
        match self.e(t.made).kind {
            ExprKind::Materialize { local, init } => {
                let init = self.then(set, init, span);
                self.p.exprs[t.made.index()].kind = ExprKind::Materialize { local, init };
            }
            ExprKind::Comma { lhs, rhs } => {
                let lhs = self.then(set, lhs, span);
                self.p.exprs[t.made.index()].kind = ExprKind::Comma { lhs, rhs };
            }
            _ => {}
        }
    }

    /// The local that an expression makes as a temporary object, if it is one that has to end.
    fn temporary(&mut self, e: ExprId) -> Option<LocalId> {
        let kind = self.e(e).kind;
        let local = match kind {
            ExprKind::Materialize { local, init } if self.is_made(init) => local,
            ExprKind::Comma { rhs, .. } if self.is_lv(e) => match self.e(rhs).kind {
                ExprKind::Local(l) => l,
                _ => return None,
            },
            _ => return None,
        };
        let l = self.cx.locals[local.index()];
        (l.name.is_none() && self.p.types.as_record(l.ty).is_some() && self.needs_destruction(l.ty)).then_some(local)
    }

    /// A temporary that a reference is bound to in its declaration ends with the block.
    pub(crate) fn outlive(&mut self, value: ExprId) {
        if let Some(e) = self.bound(value)
            && let Some(local) = self.temporary(e)
            && let Some(record) = self.p.types.as_record(self.cx.locals[local.index()].ty)
        {
            self.cx.live.push((local, record));
        }
    }

    /// Whether a value is an object that is made here; what is read of another one is that.
    fn is_made(&mut self, value: ExprId) -> bool {
        let kind = self.e(value).kind;
        match kind {
            ExprKind::Load(place) => self.temporary(place).is_some(),
            ExprKind::Comma { rhs, .. } => self.is_made(rhs),
            ExprKind::Cond { then, other, .. } => self.is_made(then) && self.is_made(other),
            _ => true,
        }
    }

    /// What a reference's initialiser binds it to, if that is a temporary or a part of one.
    fn bound(&mut self, e: ExprId) -> Option<ExprId> {
        if self.temporary(e).is_some() {
            return Some(e);
        }
        let kind = self.e(e).kind;
        match kind {
            ExprKind::AddrOf(a) | ExprKind::BitCast(a) => self.bound(a),
            ExprKind::Cast { operand, .. } => self.bound(operand),
            ExprKind::Field { base, .. } | ExprKind::ArrayElem { base, .. } => self.bound(base),
            ExprKind::Comma { rhs, .. } => self.bound(rhs),
            _ => None,
        }
    }

    /// An expression whose value nobody uses: if that is an object, it is a temporary, too.
    fn dropped(&mut self, e: ExprId) -> ExprId {
        let ty = self.ty(e);
        let ends = !self.is_lv(e) && self.p.types.as_record(ty).is_some() && self.needs_destruction(ty);
        if ends { self.place(e) } else { e }
    }

    /// The temporaries of an expression, in the order in which they are made, but `kept`.
    fn temporaries(
        &mut self,
        e: ExprId,
        perhaps: bool,
        kept: Option<ExprId>,
        out: &mut Vec<Temporary>,
        seen: &mut FxHashSet<ExprId>,
    ) {
        if !seen.insert(e) {
            return;
        }
        match self.e(e).kind {
            ExprKind::Comma { lhs, rhs } => {
                let lhs = self.dropped(lhs);
                self.p.exprs[e.index()].kind = ExprKind::Comma { lhs, rhs };
            }
            ExprKind::Cast { kind, operand } if self.ty(e) == TyId::VOID => {
                let operand = self.dropped(operand);
                self.p.exprs[e.index()].kind = ExprKind::Cast { kind, operand };
            }
            _ => {}
        }
        let mut parts = Vec::new();
        let kind = self.e(e).kind;
        match kind {
            ExprKind::LogAnd { lhs, rhs } | ExprKind::LogOr { lhs, rhs } => {
                self.temporaries(lhs, perhaps, kept, out, seen);
                self.temporaries(rhs, true, kept, out, seen);
            }
            ExprKind::Cond { cond, then, other } => {
                self.temporaries(cond, perhaps, kept, out, seen);
                self.temporaries(then, true, kept, out, seen);
                self.temporaries(other, true, kept, out, seen);
            }
            // The object is the value.
            ExprKind::Load(a) if self.temporary(a).is_some() => {
                walk::children(&self.p, a, &mut parts);
                parts.into_iter().for_each(|p| self.temporaries(p, perhaps, kept, out, seen));
            }
            _ => {
                walk::children(&self.p, e, &mut parts);
                parts.into_iter().for_each(|p| self.temporaries(p, perhaps, kept, out, seen));
                if Some(e) != kept
                    && let Some(local) = self.temporary(e)
                {
                    out.push(Temporary { made: e, local, perhaps });
                }
            }
        }
    }
}
