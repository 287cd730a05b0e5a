//! What variables with static storage have in common, in functions and outside: initialised when the module is loaded.

use crate::check::Checker;
use crate::program::{ExprKind, GlobalInit};
use crate::types::{Quals, Ty, TyId};
use source::{Diagnostic, Span, Symbol};
use syntax::ast::Init;

/// What an initialiser makes of a variable.
pub(super) struct StaticValue {
    /// Its type, complete: `int[3]` of `int a[] = {1, 2, 3}`.
    pub(super) ty: TyId,
    /// The value, if the variable is a scalar constant.
    pub(super) known: Option<ExprKind>,
    /// The bytes; `None` if the initialiser is not constant.
    pub(super) contents: Option<GlobalInit>,
    /// Where the initialiser stands.
    pub(super) at: Span,
}

impl Checker<'_> {
    /// Evaluates an initialiser; `None` if there is none, or an error was reported.
    pub(super) fn static_value(&mut self, ty: TyId, quals: Quals, init: Init, span: Span) -> Option<StaticValue> {
        let e = self.init_value(ty, init, span).filter(|&e| !self.is_err(e))?;
        let is_reference = matches!(self.p.types.get(ty), Ty::Reference { .. });
        let ty = if is_reference { ty } else { self.ty(e) };
        let folded = self.evaluate(e).unwrap_or(e);
        let is_constant = quals.is_const() && self.constant(folded).is_some();
        let known = is_constant.then(|| self.e(folded).kind);
        Some(StaticValue { ty, known, contents: self.contents(folded), at: self.span(e) })
    }

    pub(super) fn not_constant(&mut self, name: Symbol, at: Span) {
        let name = self.text(name).to_owned();
        let d = Diagnostic::error("E0351", at, format!("initialiser of `{name}` is not constant"))
            .note("static and global variables are initialised when the module is loaded");
        self.report(d);
    }

    pub(super) fn incomplete_variable(&mut self, ty: TyId, at: Span) {
        let name = self.show(ty);
        self.error("E0353", at, format!("variable has incomplete type `{name}`"));
    }
}
