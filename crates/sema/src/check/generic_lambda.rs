//! Generic lambdas: closures whose call operator is a template (C++17, 8.1.5.1).
//!
//! The call operator's body has a meaning only where it is called, but the closure's fields are wanted where it is made.
//! So everything is captured that the body mentions and that a capture of the lambda allows, as the standard asks of
//! names in expressions that depend on the parameters (8.1.5.2); what it does not use the optimiser removes.

use super::lambda::Outer;
use super::{Checker, Entity, FnId, with_scope};
use crate::types::RecordId;
use source::Span;
use std::rc::Rc;
use syntax::ast::{self, CaptureDefault, GenericLambda};

impl Checker<'_> {
    /// Fills the closure `r` of a generic lambda and declares its call operator.
    pub(super) fn generic_closure(
        &mut self,
        r: RecordId,
        l: ast::LambdaId,
        generic: GenericLambda,
        outer: Rc<Outer>,
        span: Span,
    ) {
        let ast = self.ast;
        let lambda = ast[l];
        self.inst.outers.push(Rc::clone(&outer));
        let level = self.inst.outers.len() - 1;
        let listed = ast.list(lambda.captures).iter().filter(|c| c.init.is_none()).filter_map(|c| c.name);
        for name in listed.chain(ast.list(generic.mentions).iter().copied()) {
            self.capture_at(level, r, name.sym);
        }
        let lists_this = ast.list(lambda.captures).iter().any(|c| c.name.is_none());
        if lists_this || lambda.default != CaptureDefault::None && self.mentions_this(&generic) {
            self.this_capture_at(level, r);
        }
        self.inst.generic_lambdas.insert(r, self.inst.outers.clone());
        self.inst.outers.pop();
        self.note_closure(r, l, &outer, span);
        let scope = self.decls[r].scope;
        let saved = std::mem::take(&mut self.cx);
        with_scope!(self, scope, self.declare_template(lambda.template_params, generic.call, Some(r)));
        self.cx = saved;
        let call = self.sess.intern("operator()");
        if let Some(&Entity::Template(t)) = self.decls.bound(scope, call).first() {
            let expansions = self.expanded_params(t).into();
            let t = &self.decls[t];
            self.name_lambda(r, t.pattern.clone().into(), expansions, t.variadic_pattern);
        }
    }

    /// Whether the body of a generic lambda may need the object around it: it says `this`, or a name of the class's.
    fn mentions_this(&mut self, generic: &GenericLambda) -> bool {
        if generic.mentions_this {
            return true;
        }
        let Some(class) = self.class_of_this() else { return false };
        let scope = self.decls[class].scope;
        self.ast.list(generic.mentions).iter().any(|m| self.lookup_in(scope, m.sym).is_some())
    }

    /// The class whose object `this` is; in a lambda that of the function around.
    pub(super) fn class_of_this(&self) -> Option<RecordId> {
        let around = self.cx.this.map(|(_, class, _)| class);
        around.and_then(|c| match self.cx.closure {
            // Inside of a lambda the object is that lambda's.
            Some(_) => self.inst.outers.iter().find_map(|o| o.class()),
            None => Some(c),
        })
    }

    /// The functions around the generic lambda whose call operator `f` is.
    pub(super) fn around_generic(&self, f: FnId) -> Option<Vec<Rc<Outer>>> {
        let d = &self.decls[f];
        d.template?;
        self.inst.generic_lambdas.get(&d.record?).cloned()
    }
}
