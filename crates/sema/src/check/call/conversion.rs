//! Conversion functions that are called by their names: `x.operator int()`, and `operator int()` in a member of the class.

use crate::check::{Checker, Entity};
use crate::program::ExprId;
use source::{Diagnostic, Span};
use syntax::ast;

impl Checker<'_> {
    /// The call of the conversion function that `callee` names, if it names one: of the object before it, or of `*this`.
    pub(super) fn named_conversion(
        &mut self,
        callee: ast::ExprId,
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        let (object, name) = match self.ast[callee].kind {
            ast::ExprKind::Name(n) => (None, n),
            ast::ExprKind::Member { base, arrow, name } => (Some((base, arrow)), name),
            _ => return None,
        };
        let ast::NameKind::Conversion(to) = self.ast[name].kind else { return None };
        let at = self.ast[callee].span;
        let object = match object {
            None => self.this_object(at),
            Some((base, arrow)) => self.member_object_of(base, arrow, at),
        };
        let to = self.resolve_ty(to);
        let given = self.args(args);
        let Some(object) = object else { return Some(self.err(span)) };
        let functions: Vec<Entity> = match self.p.types.as_record(self.ty(object)) {
            Some(r) => {
                let all = self.conversions_to(r, to).into_iter().map(|(f, _)| f);
                all.filter(|&f| self.decls[f].ret == to).map(Entity::Fn).collect()
            }
            None => Vec::new(),
        };
        if functions.is_empty() {
            let (class, to) = (self.show(self.ty(object)), self.show(to));
            self.report(Diagnostic::error("E0411", at, format!("no conversion function to `{to}` in `{class}`")));
            return Some(self.err(span));
        }
        Some(self.call_overloads(&functions, Some(object), &given, None, at, span))
    }
}
