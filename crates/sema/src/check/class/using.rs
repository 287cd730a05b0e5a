//! `using Base::f;` in a class: of what it brings, a member function of the class hides what is called like it, with the same
//! parameters and qualifiers (C++17, 10.3.3, 15).

use source::Symbol;
use syntax::ast;
use syntax::ast::DeclKind;

use crate::check::{Checker, Entity, TemplateId, TemplateKind};
use crate::types::RecordId;

impl Checker<'_> {
    /// Hides what using-declarations of the names `brought` bring behind a class's own functions, all of which are declared.
    pub(super) fn hide_brought(&mut self, r: RecordId, mut brought: Vec<Symbol>) {
        brought.sort_unstable();
        brought.dedup();
        let scope = self.decls[r].scope;
        for name in brought {
            let all = self.decls.bound(scope, name);
            let (own, other): (Vec<Entity>, Vec<Entity>) =
                all.iter().partition(|&&e| self.class_of_function(e) == Some(r));
            if own.is_empty() || other.is_empty() {
                continue;
            }
            let kept = |e: &Entity| !other.contains(e) || !own.iter().any(|&o| self.hides(o, *e));
            let kept: Vec<Entity> = all.iter().copied().filter(kept).collect();
            if kept.len() < all.len() {
                self.decls.unbind(scope, name);
                kept.into_iter().for_each(|e| self.decls.bind(scope, name, e));
            }
        }
    }

    fn class_of_function(&self, e: Entity) -> Option<RecordId> {
        match e {
            Entity::Fn(f) => self.decls[f].record,
            Entity::Template(t) if self.decls[t].kind == TemplateKind::Function => self.decls[t].record,
            _ => None,
        }
    }

    fn hides(&self, own: Entity, other: Entity) -> bool {
        match (own, other) {
            (Entity::Fn(own), Entity::Fn(other)) => self.same_signature(other, &self.decls[own]),
            (Entity::Template(own), Entity::Template(other)) => self.same_pattern(own, other),
            _ => false,
        }
    }

    fn same_pattern(&self, a: TemplateId, b: TemplateId) -> bool {
        let (ta, tb) = (&self.decls[a], &self.decls[b]);
        let kinds = |t: TemplateId| -> Vec<_> {
            self.decls[t].params.iter().map(|p| (p.is_type, p.is_template, p.pack)).collect()
        };
        (ta.kind, tb.kind) == (TemplateKind::Function, TemplateKind::Function)
            && (&ta.pattern, ta.variadic_pattern) == (&tb.pattern, tb.variadic_pattern)
            && kinds(a) == kinds(b)
            && self.qualifiers_of(ta.decl) == self.qualifiers_of(tb.decl)
    }

    /// `const` and `&` behind a member function's parameters.
    fn qualifiers_of(&self, decl: ast::DeclId) -> Option<(ast::Quals, ast::RefQual)> {
        let DeclKind::Function(f) = self.ast[decl].kind else { return None };
        let ast::TypeKind::Function(ft) = self.ast[self.ast[f].ty].kind else { return None };
        Some((self.ast[ft].quals, self.ast[ft].ref_qual))
    }
}
