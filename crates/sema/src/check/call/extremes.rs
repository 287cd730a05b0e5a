//! `std::max` and `std::min` of what is no number: lists, and objects of classes.

use source::Span;
use syntax::ast;

use super::Arg;
use crate::check::Checker;
use crate::check::template::Explicit;
use crate::program::ExprId;

impl Checker<'_> {
    /// `std::max({a, b, c})`
    pub(in crate::check) fn extreme_of_list(
        &mut self,
        b: builtins::Builtin,
        name: &str,
        items: ast::List<ast::InitItem>,
        at: Span,
        span: Span,
    ) -> ExprId {
        let mut items = self.list_args(items).into_iter();
        let Some(Arg::Expr(first)) = items.next() else {
            self.error("E0460", span, format!("argument of `{name}` must be a value"));
            return self.err(span);
        };
        items.fold(first, |best, item| self.call_builtin(b, name, &[Arg::Expr(best), item], at, span))
    }

    /// `std::max(list)` of a `std::initializer_list`.
    pub(in crate::check) fn extreme_of_list_object(
        &mut self,
        name: &str,
        list: Arg,
        at: Span,
        span: Span,
    ) -> Option<ExprId> {
        let Arg::Expr(e) = list else { return None };
        let ty = self.value_ty(e);
        self.p.types.as_record(ty)?;
        let found = self.in_std(if name == "max" { "__largest" } else { "__smallest" })?;
        let (f, _) = self.resolve_ranked(&found.entities, None, &[list])?;
        Some(self.call_fn(f, None, &[list], at, span))
    }

    /// `std::max(a, b)` of objects, and `std::max(a, b, less)`: the library's templates, where its header is there. Of numbers they are
    /// what is built in; an object's operators decide, not what it converts to.
    pub(in crate::check) fn extreme_of_objects(
        &mut self,
        name: &str,
        n: ast::NameId,
        a: &[Arg],
        span: Span,
    ) -> Option<ExprId> {
        let objects = a.iter().any(|a| matches!(*a, Arg::Expr(e) if self.is_object(e)));
        if !self.is_cuda() || a.len() != 3 && !(a.len() == 2 && objects) || !self.is_of_std(n) {
            return None;
        }
        let found = self.in_std(if name == "max" { "__max_of" } else { "__min_of" })?;
        let explicit = self.ast[n].args.map(Explicit::Written);
        let at = self.ast[n].span;
        let f = self.resolve_overload(&found.entities, None, a, explicit, at, false)?;
        Some(self.call_fn(f, None, a, at, span))
    }

    fn is_object(&mut self, e: ExprId) -> bool {
        let ty = self.value_ty(e);
        self.p.types.as_record(ty).is_some()
    }
}
