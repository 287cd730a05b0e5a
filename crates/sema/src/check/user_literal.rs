//! Literals with a suffix of the program's: `4_kb` (C++17, 5.13.8).

use super::Checker;
use super::call::Arg;
use crate::num::ConstInt;
use crate::program::{ExprId, ExprKind};
use crate::types::TyId;
use source::{Diagnostic, Span, Symbol};
use syntax::ast;

impl Checker<'_> {
    /// The call of a literal operator: integers come as `unsigned long long`, floating-point numbers as `long double`,
    /// which is `double` here. Operators that take the digits as text are not looked for.
    pub(crate) fn user_literal(&mut self, literal: ast::ExprId, suffix: Symbol, span: Span) -> ExprId {
        let value = self.expr(literal);
        if self.is_err(value) {
            return value;
        }
        let value = match self.e(value).kind {
            ExprKind::Int(v) => {
                let (width, signed) = self.int_shape(self.ty(value)).unwrap_or((64, false));
                let v = ConstInt::new(v, width, signed).as_i64();
                self.int(i128::from(v as u64), TyId::ULONGLONG, span)
            }
            _ => self.explicit(value, TyId::DOUBLE, ast::CastKind::C, span),
        };
        let name = format!("operator\"\"{}", self.text(suffix));
        let sym = self.sess.intern(&name);
        let Some(found) = self.lookup(sym) else {
            let d = Diagnostic::error("E0406", span, format!("use of undeclared literal operator `{name}`"))
                .help("declare it, or bring its namespace in by `using namespace`");
            self.report(d);
            return self.err(span);
        };
        self.call_overloads(&found.entities, None, &[Arg::Expr(value)], None, span, span)
    }
}
