//! `[[clang::getter(f)]] int x;`: every use of `x` is a call of `f()`.

use super::{Checker, VarId, with_scope};
use crate::program::ExprId;
use source::{Diagnostic, Span};
use syntax::ast::{self, AttrArg};

impl Checker<'_> {
    /// Enters the function that a variable stands for, if its declaration names one.
    pub(super) fn note_getter(&mut self, v: VarId, d: &ast::Decl) {
        let ast = self.ast;
        let Some(a) = ast.list(d.attrs).iter().find(|a| self.attr_name(a) == "getter") else { return };
        match ast.list(a.args) {
            [AttrArg::Expr(f)] => {
                self.decls.getters.insert(v, (*f, self.scope));
            }
            _ => self.report(
                Diagnostic::error("E0448", a.span, "`getter` needs the name of a function without parameters")
                    .help("write `[[clang::getter(f)]]`, where `f()` gives the value"),
            ),
        }
    }

    /// Says that what each object or each call has of its own cannot stand for a call.
    pub(super) fn refuse_getter(&mut self, d: &ast::Decl) {
        let ast = self.ast;
        if let Some(a) = ast.list(d.attrs).iter().find(|a| self.attr_name(a) == "getter") {
            self.report(
                Diagnostic::error(
                    "E0448",
                    a.span,
                    "`getter` is for variables outside of functions, and static members",
                )
                .help("call the function instead"),
            );
        }
    }

    /// The call that a use of the variable is. Its function is looked up where the variable was declared.
    pub(super) fn getter_call(&mut self, v: VarId, span: Span) -> Option<ExprId> {
        let &(f, scope) = self.decls.getters.get(&v)?;
        let names = std::mem::take(&mut self.cx.names);
        let call = with_scope!(self, scope, self.call_expr(f, ast::List::EMPTY, span));
        self.cx.names = names;
        Some(call)
    }
}
