//! Braces around scalars, and more initialisers than there is room for: warnings in C, as its compilers have them; C++
//! forbids the latter.

use crate::check::Checker;
use crate::check::convert::Why;
use crate::program::ExprId;
use crate::types::{Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast;

/// Which braces are around a scalar's initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Braces {
    /// Those of the declaration: `int i = {1};`
    Outermost,
    /// Of an element of an aggregate: `int a[1] = {{1}};`
    Element,
    /// Inside of others around the same scalar, which have been warned of.
    Inner,
}

impl Checker<'_> {
    /// `x(args...)` of a type without constructors: a value from the one element that the expansion has, or from none.
    pub(super) fn init_from_pack(&mut self, pattern: ast::ExprId, ty: TyId, span: Span) -> ExprId {
        let reference = matches!(self.p.types.get(ty), Ty::Reference { .. });
        match self.pack_len_in_expr(pattern, 0) {
            Some(0) if !reference => self.zero(ty, span),
            Some(1) => self.at_element(Some(0), |c| {
                if reference {
                    let v = c.expr(pattern);
                    c.bind_reference(v, ty, Why::Init)
                } else {
                    c.init_from(pattern, ty, Why::Init)
                }
            }),
            Some(0) => {
                self.error("E0361", span, "a reference must be initialised");
                self.err(span)
            }
            Some(n) => {
                let name = self.show(ty);
                let said = format!("excess arguments in the initialiser of a `{name}`: {n} given");
                self.error("E0360", span, said);
                self.err(span)
            }
            None => {
                self.error("E0471", span, "pack expansion does not contain a parameter pack");
                self.err(span)
            }
        }
    }

    /// `{…}` for a scalar: its first element.
    pub(super) fn scalar_list(
        &mut self,
        list: ast::List<ast::InitItem>,
        ty: TyId,
        span: Span,
        braces: Braces,
    ) -> ExprId {
        let ast = self.ast;
        let items = self.items(list);
        let element = items.element();
        let Some((first, rest)) = items.items.split_first() else { return self.zero(ty, span) };
        if !first.designators.is_empty() {
            let at = ast[first.value].span;
            self.error("E0366", at, "designator in the initialiser of a scalar");
            return self.err(span);
        }
        if self.excess(rest, "scalar") {
            return self.err(span);
        }
        let inner = match ast[first.value].kind {
            ast::ExprKind::InitList(inner) => Some(inner),
            _ => None,
        };
        let problem = match (braces, inner) {
            (Braces::Outermost | Braces::Element, Some(_)) => {
                Some(("too many braces around scalar initialiser", "many-braces-around-scalar-init"))
            }
            (Braces::Element, None) if rest.is_empty() => {
                Some(("braces around scalar initialiser", "braced-scalar-init"))
            }
            _ => None,
        };
        if let Some((message, group)) = problem {
            self.warn(Diagnostic::warning("W0325", span, message).group(group));
        }
        self.at_element(element, |c| match inner {
            Some(inner) => c.scalar_list(inner, ty, ast[first.value].span, Braces::Inner),
            None => {
                if braces == Braces::Outermost
                    && let Some(v) = c.number_as_enumeration(first.value, ty)
                {
                    return v;
                }
                c.refuse_narrowing(first.value, ty);
                c.init_from(first.value, ty, Why::Init)
            }
        })
    }

    /// `E{1}`: of a number an enumeration whose underlying type was written (C++17, 11.6.4, 3.8).
    fn number_as_enumeration(&mut self, element: ast::ExprId, ty: TyId) -> Option<ExprId> {
        let Ty::Enum(e) = *self.p.types.get(ty) else { return None };
        let (of, span) = (self.p.types.enumeration(e), self.ast[element].span);
        let underlying = of.underlying;
        if !self.is_cxx() || !of.fixed || matches!(self.ast[element].kind, ast::ExprKind::Pack(_)) {
            return None;
        }
        self.refuse_narrowing(element, underlying);
        let v = self.expr(element);
        let from = self.value_ty(v);
        if !matches!(self.p.types.get(from), Ty::Bool | Ty::Int(_)) {
            self.cx.prechecked = Some((element, v));
            return None;
        }
        Some(self.explicit(v, ty, ast::CastKind::Static, span))
    }

    /// Elements for which the initialised object has no room: they are checked and dropped. Whether that is an error.
    pub(super) fn excess(&mut self, rest: &[ast::InitItem], what: &str) -> bool {
        let Some(first) = rest.first() else { return false };
        let at = self.ast[first.value].span;
        let message = format!("excess elements in {what} initialiser");
        if self.is_cxx() {
            self.error("E0360", at, message);
            return true;
        }
        self.warn(Diagnostic::warning("W0326", at, message).group("excess-initializers"));
        let errors = self.sess.diagnostics.error_count();
        self.cx.unevaluated += 1;
        for item in rest {
            if !matches!(self.ast[item.value].kind, ast::ExprKind::InitList(_)) {
                self.expr(item.value);
            }
        }
        self.cx.unevaluated -= 1;
        self.sess.diagnostics.error_count() > errors
    }
}
