//! Vectors from their components: literals and initialiser lists.

use crate::check::Checker;
use crate::check::convert::Why;
use crate::program::{CastKind, ExprId, ExprKind};
use crate::types::{Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast;

impl Checker<'_> {
    /// `(float4)(a, b, …)`, `{a, b, …}` for a vector: components of the elements in order.
    pub(crate) fn vector_from(&mut self, args: &[ast::ExprId], ty: TyId, span: Span, list: bool) -> ExprId {
        let values: Vec<ExprId> = args.iter().map(|&a| self.expr(a)).collect();
        self.vector_of(&values, ty, span, list)
    }

    /// [`Checker::vector_from`], with values.
    pub(crate) fn vector_of(&mut self, values: &[ExprId], ty: TyId, span: Span, list: bool) -> ExprId {
        let Ty::Vector { elem, n } = *self.p.types.get(ty) else { return self.err(span) };
        let mut parts = Vec::with_capacity(values.len());
        let mut have = 0u32;
        for &v in values {
            let v = self.rvalue(v);
            if self.is_err(v) {
                return self.err(span);
            }
            let vt = self.ty(v);
            let at = self.span(v);
            match *self.p.types.get(vt) {
                Ty::Vector { elem: ve, n: vn } => {
                    if ve != elem {
                        let (f, t) = (self.show(vt), self.show(ty));
                        self.report(
                            Diagnostic::error(
                                "E0368",
                                at,
                                format!("vector element of type `{f}` in a literal of type `{t}`"),
                            )
                            .note("vectors in a vector literal must have its element type"),
                        );
                        return self.err(span);
                    }
                    have += u32::from(vn);
                    parts.push(v);
                }
                _ => {
                    let v = self.implicit(v, elem, Why::Init);
                    have += 1;
                    parts.push(v);
                }
            }
        }
        if parts.iter().any(|&p| self.is_err(p)) {
            return self.err(span);
        }
        if have == 1 && !list {
            return self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: parts[0] }, ty, span);
        }
        if list && have < u32::from(n) {
            for _ in have..u32::from(n) {
                let z = self.zero(elem, span);
                parts.push(z);
            }
            have = u32::from(n);
        }
        if have != u32::from(n) {
            let name = self.show(ty);
            let what = if have < u32::from(n) { "too few" } else { "too many" };
            self.error(
                "E0369",
                span,
                format!("{what} elements in vector literal: `{name}` has {n} components, {have} given"),
            );
            return self.err(span);
        }
        if let [one] = parts[..] {
            return one;
        }
        let list = self.expr_list(&parts);
        self.rv(ExprKind::VectorBuild(list), ty, span)
    }
}
