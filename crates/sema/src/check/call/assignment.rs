//! Assignments called by their name: `Base::operator=(other)`, `a.operator=(b)`.

use super::Arg;
use crate::check::class::Copier;
use crate::check::convert::Why;
use crate::check::names::Qualifier;
use crate::check::{Checker, ScopeKind};
use crate::program::ExprId;
use crate::types::{RecordId, Ty};
use source::Span;
use syntax::ast;

impl Checker<'_> {
    /// A call of an `operator=` by name, be it one that the compiler provides; `None` if that is not what `callee` is.
    pub(super) fn named_assignment(
        &mut self,
        callee: ast::ExprId,
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        let is_assignment = |c: &Self, n: ast::NameId| {
            matches!(c.ast[n].kind, ast::NameKind::Operator(ast::Operator::Assign)) && c.ast[n].args.is_none()
        };
        let at = self.ast[callee].span;
        let (object, name) = match self.ast[callee].kind {
            ast::ExprKind::Name(n) if self.is_cxx() && is_assignment(self, n) => (self.this_object(at)?, n),
            ast::ExprKind::Member { base, arrow, name } if self.is_cxx() && is_assignment(self, name) => {
                match self.member_object_of(base, arrow, at) {
                    Some(o) => (o, name),
                    None => {
                        self.args(args);
                        return Some(self.err(span));
                    }
                }
            }
            _ => return None,
        };
        let a = self.args(args);
        if self.bad_arg(&a) || self.is_err(object) {
            return Some(self.err(span));
        }
        let Some(own) = self.p.types.as_record(self.ty(object)) else {
            let t = self.show(self.ty(object));
            self.error("E0432", at, format!("member reference base type `{t}` is not a structure or vector"));
            return Some(self.err(span));
        };
        let &[arg] = &a[..] else {
            self.error("E0438", at, format!("`operator=` takes one argument, {} given", a.len()));
            return Some(self.err(span));
        };
        let qualified = !self.ast[name].qualifier.is_empty();
        Some(match self.assigned_part(object, own, name, at) {
            Some((r, part)) => self.assign_by_name((r, part), arg, qualified, span),
            None => self.err(span),
        })
    }

    /// The part of an object whose class is named before `::operator=`: it itself, or that of a base.
    fn assigned_part(
        &mut self,
        object: ExprId,
        own: RecordId,
        name: ast::NameId,
        at: Span,
    ) -> Option<(RecordId, ExprId)> {
        let scope = match self.qualifier(name) {
            Qualifier::None => return Some((own, object)),
            Qualifier::Scope(s) => s,
            Qualifier::Error => return None,
            Qualifier::Type(_) | Qualifier::Std => self.decls[own].scope,
        };
        let r = match self.decls[scope].kind {
            ScopeKind::Record(r) if r == own => return Some((own, object)),
            ScopeKind::Record(r) => r,
            _ => own,
        };
        let Some(offset) = self.base_offset(own, r) else {
            let (of, base) = (self.p.types.intern(Ty::Record(own)), self.name_text(name));
            let of = self.show(of);
            self.error("E0411", at, format!("`{base}` is no member of `{of}` or its bases"));
            return None;
        };
        let ty = self.p.types.intern(Ty::Record(r));
        let place = self.place(object);
        let part = self.base_place(place, ty, offset);
        Some((r, part))
    }

    /// `part = arg`, and just by the class's own operator if that was `qualified`.
    fn assign_by_name(&mut self, (r, part): (RecordId, ExprId), arg: Arg, qualified: bool, span: Span) -> ExprId {
        let by = self.assignment(r, part, arg);
        if let Copier::Declared(f) = by {
            return if qualified {
                self.call_direct((f, f), Some(part), &[arg], span, span)
            } else {
                self.call_fn(f, Some(part), &[arg], span, span)
            };
        }
        let value = match arg {
            Arg::Expr(e) => e,
            Arg::List(e) | Arg::Overload(e) => {
                let ty = self.ty(part);
                let v = self.init_from(e, ty, Why::Assign);
                self.place(v)
            }
        };
        if self.is_err(value) || matches!(arg, Arg::Expr(_)) && !self.is_assigned(r, by, (part, value), span) {
            return self.err(span);
        }
        self.assign_provided(part, value, span)
    }
}
