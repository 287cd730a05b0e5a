//! Default arguments.

use crate::check::convert::Why;
use crate::check::{BodySource, Checker, Entity, FnDecl, with_scope};
use crate::program::{ExprId, ExprKind};
use crate::types::{AddrSpace, Ty};
use source::{Diagnostic, Span};
use syntax::ast;

impl Checker<'_> {
    /// The default `e` of the parameter `index` of a function that is called.
    pub(super) fn default_value(&mut self, d: &FnDecl, index: usize, e: ast::ExprId, span: Span) -> ExprId {
        let local = matches!(d.body, BodySource::Lambda(_)) || d.record.is_some_and(|r| self.in_block(r));
        let scope = d.default_scope.unwrap_or(d.scope);
        let outer = self.cx.default_of;
        self.cx.default_of = outer.or(Some(span));
        let v = self.as_declared(scope, d.params[index].decl, |c| {
            if local {
                with_scope!(c, scope, c.default_among(d, index, e, span))
            } else {
                c.beyond_blocks(scope, |c| c.default_among(d, index, e, span))
            }
        });
        self.cx.default_of = outer;
        v
    }

    /// A default argument that uses the value of a parameter before it.
    pub(crate) fn parameter_without_value(&mut self, span: Span) -> ExprId {
        let name = self.sess.sources.snippet(span).to_owned();
        let d = Diagnostic::error("E0500", span, format!("a default argument cannot use the parameter `{name}`"))
            .note("only its type may be asked: `sizeof`, `decltype`")
            .help("declare another overload without the parameter, which calls this one");
        self.report(d);
        self.err(span)
    }

    /// The same where the names of the parameters before it are known, of which only types may be asked (C++20, 9.3.3.6, 9).
    fn default_among(&mut self, d: &FnDecl, index: usize, e: ast::ExprId, span: Span) -> ExprId {
        use ast::ExprKind as A;
        let to = d.params[index].ty;
        let plain = matches!(self.ast[e].kind, A::Int(_) | A::Float(_) | A::Bool(_) | A::Char(_) | A::Nullptr);
        if plain || !self.is_cxx() {
            return self.init_from(e, to, Why::Arg);
        }
        let before = self.cx.names.len();
        for p in &d.params[..index] {
            let Some(name) = p.name else { continue };
            let (ty, quals) = match *self.p.types.get(p.ty) {
                Ty::Reference { pointee, quals, .. } => (pointee, quals),
                _ => (p.ty, p.quals),
            };
            let place = self.lv(ExprKind::Error, ty, quals, AddrSpace::Generic, span);
            self.cx.names.push((name, Entity::Alias(place)));
        }
        let v = self.init_from(e, to, Why::Arg);
        self.cx.names.truncate(before);
        v
    }
}
