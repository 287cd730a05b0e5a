//! Operators that classes define.

use super::Arg;
use crate::check::overload::Operator;
use crate::check::scope::new_among;
use crate::check::{BodySource, Checker, Entity, Found, ScopeKind};
use crate::program::ExprId;
use crate::types::{OperatorName, RecordId, Ty};
use source::{Span, Symbol};
use syntax::ast;

impl Checker<'_> {
    /// The members of the operand's class that are operators of the name `sym`, and the part of the object that is theirs.
    fn operator_members(&mut self, first: ExprId, sym: Symbol) -> (Vec<Entity>, ExprId) {
        let Some(r) = self.p.types.as_record(self.ty(first)) else { return (Vec::new(), first) };
        self.complete_record(r);
        let scope = self.decls[r].scope;
        let Some(found) = self.lookup_in(scope, sym) else { return (Vec::new(), first) };
        let mut obj = first;
        if let Some(owner) = found.record
            && owner != r
            && let Some(o) = self.base_offset(r, owner)
        {
            let p = self.place(first);
            let bt = self.p.types.intern(Ty::Record(owner));
            obj = self.base_place(p, bt, o);
            self.part_of(first, obj);
        }
        (found.entities.to_vec(), obj)
    }

    /// `object[{…}]`, which only an operator of the class takes; `None` if it has none.
    pub(crate) fn subscript_list(&mut self, object: ExprId, list: ast::ExprId, span: Span) -> Option<ExprId> {
        let sym = self.sess.strings.get("operator[]")?;
        let (members, obj) = self.operator_members(object, sym);
        let made = (!members.is_empty()).then_some(Arg::List(list))?;
        Some(self.call_overloads(&members, Some(obj), &[made], None, span, span))
    }

    /// An overloaded operator, if one fits.
    pub(crate) fn user_operator(&mut self, op: OperatorName, operands: &[ExprId], span: Span) -> Option<ExprId> {
        // The name may stand in the body of a class template alone, which is read now.
        for &e in operands {
            if let Some(r) = self.p.types.as_record(self.ty(e)) {
                self.complete_record(r);
            }
        }
        let text = format!("operator{}", crate::display::operator_spelling(op));
        let sym = self.sess.strings.get(&text)?;
        let first = *operands.first()?;
        let args: Vec<Arg> = operands.iter().map(|&e| Arg::Expr(e)).collect();
        let (members, obj) = self.operator_members(first, sym);
        let mut free: Vec<Entity> = Vec::new();
        if let Some(found) = self.lookup_nonmember(sym) {
            free.extend(found.entities);
        }
        let associated = self.adl(sym, &args);
        free.extend(new_among(&free, associated));
        let classes: Vec<RecordId> = operands.iter().filter_map(|&e| self.p.types.as_record(self.ty(e))).collect();
        let (f, member) = match self.resolve_operator(op, (&members, obj), &free, operands, span) {
            Operator::Function(f, member) => (f, member),
            Operator::BuiltIn => {
                for r in classes {
                    self.note_host_missed(Some(r), sym);
                    self.note_host_class(r);
                }
                return None;
            }
            Operator::Ambiguous => return Some(self.err(span)),
        };
        Some(if member {
            self.call_fn(f, Some(obj), &args[1..], span, span)
        } else {
            self.call_fn(f, None, &args, span, span)
        })
    }

    fn lookup_nonmember(&mut self, sym: Symbol) -> Option<Found> {
        self.lookup_outward(sym, |c, s, _| c.decls[s].kind == ScopeKind::Namespace)
    }

    /// Whether a class has an assignment that the program defines.
    pub(crate) fn has_assignment(&mut self, r: RecordId) -> bool {
        let Some(sym) = self.sess.strings.get("operator=") else { return false };
        let own = self.decls.bound(self.decls[r].scope, sym);
        own.iter().any(|e| match *e {
            Entity::Fn(f) => {
                let d = &self.decls[f];
                let own = d.params.first().map(|p| self.strip_reference(p.ty));
                !matches!(d.body, BodySource::Defaulted | BodySource::Deleted)
                    && own.is_some_and(|t| self.p.types.as_record(t) == Some(r))
            }
            _ => false,
        })
    }
}
