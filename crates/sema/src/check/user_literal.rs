//! Literals with a suffix of the program's: `4_kb`, `"text"_s` (C++20, 5.13.8).

use super::call::Arg;
use super::template::Explicit;
use super::{Checker, Entity};
use crate::num::ConstInt;
use crate::program::{ExprId, ExprKind};
use crate::types::{Ty, TyId};
use source::{Diagnostic, Span, Symbol};
use syntax::ast;

impl Checker<'_> {
    /// The call of a literal operator: one for the value, where integers come as `unsigned long long` and floating-point
    /// numbers as `long double`; one for the spelling of a number; a template.
    pub(crate) fn user_literal(
        &mut self,
        literal: ast::ExprId,
        (suffix, spelling, args): (Symbol, ast::ExprId, ast::List<ast::TemplateArg>),
        span: Span,
    ) -> ExprId {
        let name = format!("operator\"\"{}", self.text(suffix));
        let sym = self.sess.intern(&name);
        let Some(found) = self.lookup(sym) else {
            let d = Diagnostic::error("E0406", span, format!("use of undeclared literal operator `{name}`"))
                .help("declare it, or bring its namespace in by `using namespace`");
            self.report(d);
            return self.err(span);
        };
        // A number that fits no type has its spelling only.
        let too_large = matches!(self.ast[literal].kind, ast::ExprKind::Error);
        let values = if too_large { Some(Vec::new()) } else { self.literal_values(literal, span) };
        let Some(values) = values else { return self.err(span) };
        let first = match values[..] {
            [Arg::Expr(v), ..] => self.value_ty(v),
            _ => TyId::ERROR,
        };
        let (functions, templates): (Vec<Entity>, Vec<Entity>) =
            found.entities.iter().partition(|e| matches!(e, Entity::Fn(_)));
        let takes = |c: &mut Self, ty: TyId, n: usize| {
            functions.iter().any(|e| match *e {
                Entity::Fn(f) => {
                    let params = &c.decls[f].params;
                    params.len() == n && c.p.types.get(params[0].ty) == c.p.types.get(ty)
                }
                _ => false,
            })
        };
        let text = matches!(self.p.types.get(first), Ty::Pointer { .. });
        if !too_large && (takes(self, first, values.len()) || text && templates.is_empty()) {
            return self.call_overloads(&functions, None, &values, None, span, span);
        }
        if !text && functions.iter().any(|e| matches!(*e, Entity::Fn(f) if self.takes_text(f))) {
            let spelt = self.expr(spelling);
            return self.call_overloads(&functions, None, &[Arg::Expr(spelt)], None, span, span);
        }
        if too_large && templates.is_empty() {
            self.error("E0206", span, "integer literal is too large for any integer type");
            return self.err(span);
        }
        if templates.is_empty() {
            return self.call_overloads(&functions, None, &values, None, span, span);
        }
        self.call_overloads(&templates, None, &[], Some(Explicit::Written(args)), span, span)
    }

    /// Whether a literal operator takes the spelling of numbers.
    fn takes_text(&self, f: super::FnId) -> bool {
        matches!(self.decls[f].params[..], [ref p] if self.p.types.is_pointer(p.ty))
    }

    /// What a literal operator is given of a value: of a string its first character's address and its length.
    fn literal_values(&mut self, literal: ast::ExprId, span: Span) -> Option<Vec<Arg>> {
        let value = self.expr(literal);
        if self.is_err(value) {
            return None;
        }
        if let Ty::Array { len: Some(n), .. } = *self.p.types.get(self.ty(value)) {
            let pointer = self.rvalue(value);
            let length = self.int(i128::from(n) - 1, TyId::ULONG, span);
            return Some(vec![Arg::Expr(pointer), Arg::Expr(length)]);
        }
        let value = match (self.ast[literal].kind, self.e(value).kind) {
            (ast::ExprKind::Char(_), _) => value,
            (_, ExprKind::Int(v)) => {
                let (width, signed) = self.int_shape(self.ty(value)).unwrap_or((64, false));
                let v = ConstInt::new(v, width, signed).as_i64();
                self.int(i128::from(v as u64), TyId::ULONGLONG, span)
            }
            _ if self.is_cuda() => self.explicit(value, TyId::LONG_DOUBLE, ast::CastKind::C, span),
            _ => self.explicit(value, TyId::DOUBLE, ast::CastKind::C, span),
        };
        Some(vec![Arg::Expr(value)])
    }
}
