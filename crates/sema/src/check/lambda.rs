//! Lambdas: refused for now, with the name look-up for captures in place.

use source::{Diagnostic, Span};
use syntax::ast;

use super::{Checker, FnDecl};
use crate::program::ExprId;

impl Checker<'_> {
    pub(crate) fn lambda_expr(&mut self, _l: ast::LambdaId, span: Span) -> ExprId {
        self.report(
            Diagnostic::error("E0480", span, "lambdas are not supported yet")
                .help("write a struct with `operator()` and pass an object of it"),
        );
        self.err(span)
    }

    /// The place of a captured variable.
    pub(crate) fn capture_place(&mut self, _field: u32, span: Span) -> ExprId {
        self.err(span)
    }

    /// `this` inside a lambda that captured it.
    pub(crate) fn captured_this(&mut self, _span: Span) -> Option<ExprId> {
        None
    }

    /// Makes a closure's captures visible in its body.
    pub(crate) fn enter_closure(&mut self, _d: &FnDecl) {}
}
