//! Comparisons of C++20: `<=>`, operators that are rewritten in terms of others, comparisons that a class leaves to the compiler.

use crate::check::call::Arg;
use crate::check::convert::Why;
use crate::check::{BodySource, Checker, Entity, FnId, FnKind, Found, ScopeId};
use crate::program::{ExprId, StmtId, StmtKind, UnaryOp};
use crate::types::{NameKind as TreeName, OperatorName, Quals, RecordId, Ty, TyId};
use source::Span;
use syntax::ast::BinaryOp as B;

/// Elements of arrays that a comparison left to the compiler compares one by one.
const MAX_ELEMENTS: u64 = 256;

/// The classes of results, the most telling one first.
const ORDERINGS: [&str; 3] = ["strong_ordering", "weak_ordering", "partial_ordering"];

impl Checker<'_> {
    /// What a name of the C++ library means, if a header declared it.
    pub(crate) fn in_std(&mut self, name: &str) -> Option<Found> {
        let (std, name) = (self.sess.strings.get("std")?, self.sess.strings.get(name)?);
        let Entity::Namespace(ns) = *self.lookup_in(ScopeId(0), std)?.entities.first()? else { return None };
        self.lookup_in(ns, name)
    }

    /// `a <=> b` of built-in types: a call of what `<compare>` has for it.
    pub(crate) fn three_way(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (lhs, rhs) = match self.usual(lhs, rhs) {
            Some((l, r, _)) => (l, r),
            None if self.ty(lhs) == self.ty(rhs) => (lhs, rhs),
            None => return self.invalid_operands(lhs, rhs, span),
        };
        let Some(found) = self.in_std("__unspool_three_way") else {
            self.error("E0309", span, "`<=>` of built-in types needs `#include <compare>` before it");
            return self.err(span);
        };
        let args = [Arg::Expr(lhs), Arg::Expr(rhs)];
        match self.resolve_overload(&found.entities, None, &args, None, span, true) {
            Some(f) => self.call_fn(f, None, &args, span, span),
            None => self.err(span),
        }
    }

    /// A comparison of classes that have no such operator, by `==` or `<=>` (C++20, 12.4.2.2).
    pub(crate) fn rewritten_comparison(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> Option<ExprId> {
        if !self.rewrites_comparisons() {
            return None;
        }
        if matches!(op, B::Eq | B::Ne) {
            let straight = (op == B::Ne).then(|| self.user_operator(OperatorName::Eq, &[lhs, rhs], span)).flatten();
            let equal = straight.or_else(|| self.user_operator(OperatorName::Eq, &[rhs, lhs], span))?;
            return Some(if op == B::Ne { self.negated(equal, span) } else { equal });
        }
        let mirrored = match op {
            B::Lt => B::Gt,
            B::Gt => B::Lt,
            B::Le => B::Ge,
            B::Ge => B::Le,
            _ => return None,
        };
        let zero = self.int(0, TyId::INT, span);
        if let Some(order) = self.user_operator(OperatorName::ThreeWay, &[lhs, rhs], span) {
            return Some(self.built_binary(op, order, zero, span));
        }
        let order = self.user_operator(OperatorName::ThreeWay, &[rhs, lhs], span)?;
        Some(self.built_binary(mirrored, order, zero, span))
    }

    fn negated(&mut self, e: ExprId, span: Span) -> ExprId {
        let ty = self.bool_ty();
        let v = self.implicit(e, ty, Why::Operand);
        self.unary(UnaryOp::LogNot, v, ty, span)
    }

    /// A class that leaves `<=>` to the compiler leaves `==` to it, too, if it does not declare one.
    pub(crate) fn made_equality(&mut self, r: RecordId) {
        let scope = self.decls[r].scope;
        let (Some(order), equal) = (self.sess.strings.get("operator<=>"), self.sess.intern("operator==")) else {
            return;
        };
        let order = self.decls.bound(scope, order).into_iter().find_map(|e| match e {
            Entity::Fn(f) if self.decls[f].body == BodySource::Defaulted => Some(f),
            _ => None,
        });
        let Some(order) = order.filter(|_| self.decls.bound(scope, equal).is_empty()) else { return };
        let mut d = self.decls[order].clone();
        let parent = self.p.types.name(d.path).parent;
        d.path = self.p.types.child_name(parent, TreeName::Operator(OperatorName::Eq));
        (d.name, d.kind, d.func) = (equal, FnKind::Operator(OperatorName::Eq), None);
        (d.ret, d.deduced_ret) = (self.bool_ty(), false);
        let f = self.push_fn(d);
        self.decls.bind(scope, equal, Entity::Fn(f));
    }

    /// The body of a comparison that a class leaves to the compiler; `None` for other functions.
    pub(crate) fn compared_members(&mut self, f: FnId) -> Option<StmtId> {
        let FnKind::Operator(op) = self.decls[f].kind else { return None };
        let span = self.decls[f].span;
        let mut out = Vec::new();
        match op {
            OperatorName::Eq => self.equal_members(f, &mut out, span)?,
            OperatorName::ThreeWay => self.ordered_members(f, &mut out, span)?,
            OperatorName::Ne | OperatorName::Lt | OperatorName::Gt | OperatorName::Le | OperatorName::Ge => {
                let (a, b) = self.compared_objects(f, span)?;
                let op = match op {
                    OperatorName::Ne => B::Ne,
                    OperatorName::Lt => B::Lt,
                    OperatorName::Gt => B::Gt,
                    OperatorName::Le => B::Le,
                    _ => B::Ge,
                };
                let v = self.rewritten_comparison(op, a, b, span)?;
                let ty = self.bool_ty();
                let v = self.implicit(v, ty, Why::Return);
                out.push(self.push_stmt(StmtKind::Return(Some(v)), span));
            }
            _ => return None,
        }
        Some(self.block(&out, span))
    }

    fn compared_objects(&mut self, f: FnId, span: Span) -> Option<(ExprId, ExprId)> {
        let local = |n: u32| crate::program::LocalId(n);
        if self.decls[f].record.is_some() && !self.decls[f].is_static {
            return Some((self.this_object(span)?, self.local_value_place(local(1), span)));
        }
        Some((self.local_value_place(local(0), span), self.local_value_place(local(1), span)))
    }

    /// The bases, members and elements that are compared, in order, in pairs.
    fn compared_parts(&mut self, f: FnId, span: Span) -> Option<Vec<(ExprId, ExprId)>> {
        let (a, b) = self.compared_objects(f, span)?;
        let r = self.p.types.as_record(self.ty(a))?;
        let mut out = Vec::new();
        for base in self.p.types.record(r).bases.clone() {
            let ty = self.p.types.intern(Ty::Record(base.record));
            out.push((self.base_place(a, ty, base.offset as u32), self.base_place(b, ty, base.offset as u32)));
        }
        for n in 0..self.p.types.record(r).fields.len() {
            if self.p.types.record(r).fields[n].name.is_none() {
                continue;
            }
            let pair = (self.field_place(a, r, n as u32, span), self.field_place(b, r, n as u32, span));
            self.push_elements(pair, &mut out, span)?;
        }
        Some(out)
    }

    fn push_elements(&mut self, (a, b): (ExprId, ExprId), out: &mut Vec<(ExprId, ExprId)>, span: Span) -> Option<()> {
        let Ty::Array { len, .. } = *self.p.types.get(self.ty(a)) else {
            out.push((a, b));
            return Some(());
        };
        let len = len?;
        if len > MAX_ELEMENTS || out.len() as u64 > MAX_ELEMENTS {
            let what = format!("a comparison that is left to the compiler compares {MAX_ELEMENTS} elements at most");
            self.error("E0309", span, what);
            return None;
        }
        for i in 0..len {
            let index = self.int(i.into(), TyId::LONG, span);
            let pair = (self.array_elem(a, index, span), self.array_elem(b, index, span));
            self.push_elements(pair, out, span)?;
        }
        Some(())
    }

    fn equal_members(&mut self, f: FnId, out: &mut Vec<StmtId>, span: Span) -> Option<()> {
        let bool_ty = self.bool_ty();
        for (a, b) in self.compared_parts(f, span)? {
            let equal = self.built_or_user(B::Eq, a, b, span);
            let differs = self.negated(equal, span);
            let no = self.int(0, bool_ty, span);
            out.push(self.return_if(differs, no, span));
        }
        let yes = self.int(1, bool_ty, span);
        out.push(self.push_stmt(StmtKind::Return(Some(yes)), span));
        Some(())
    }

    fn ordered_members(&mut self, f: FnId, out: &mut Vec<StmtId>, span: Span) -> Option<()> {
        let mut values = Vec::new();
        for (a, b) in self.compared_parts(f, span)? {
            values.push(self.built_or_user(B::ThreeWay, a, b, span));
        }
        let ret = if self.decls[f].deduced_ret { self.common_ordering(&values)? } else { self.decls[f].ret };
        if self.decls[f].deduced_ret {
            self.cx.deduced = Some(ret);
        }
        for v in values {
            if self.is_err(v) {
                return None;
            }
            let ty = self.ty(v);
            let local = self.new_local(None, ty, Quals::NONE, span);
            out.push(self.push_stmt(StmtKind::Decl { local, init: Some(v) }, span));
            let (asked, given) = (self.local_place(local, span), self.local_place(local, span));
            let zero = self.int(0, TyId::INT, span);
            let differs = self.built_or_user(B::Ne, asked, zero, span);
            let given = self.implicit(given, ret, Why::Return);
            out.push(self.return_if(differs, given, span));
        }
        let equal = self.zero(ret, span);
        out.push(self.push_stmt(StmtKind::Return(Some(equal)), span));
        Some(())
    }

    fn return_if(&mut self, cond: ExprId, value: ExprId, span: Span) -> StmtId {
        let then = self.push_stmt(StmtKind::Return(Some(value)), span);
        self.push_stmt(StmtKind::If { cond, then, other: None }, span)
    }

    /// The least telling of the classes of some results.
    fn common_ordering(&mut self, values: &[ExprId]) -> Option<TyId> {
        let mut all = Vec::new();
        for name in ORDERINGS {
            all.push(match *self.in_std(name)?.entities.first()? {
                Entity::Type(t) => t.ty,
                Entity::Tag(t) => t,
                _ => return None,
            });
        }
        let rank = |c: &Self, v: &ExprId| all.iter().position(|&t| t == c.ty(*v));
        let mut most = 0;
        for v in values {
            most = most.max(rank(self, v)?);
        }
        all.get(most).copied()
    }
}
