//! What the constructors of a class template may name when they serve as deduction guides: the class itself, by its injected
//! name, and its member types (C++17, 16.3.1.8: a guide's signature is the constructor's). The class is not instantiated for
//! that: member types are read as aliases of the template's parameters.

use syntax::ast::DeclKind;

use crate::check::{Checker, Entity, RTy, ScopeId, Template, TemplateId, TemplateParam, with_scope};
use crate::types::{QualTy, TemplateArg, Ty, TyId};

impl Checker<'_> {
    /// The scope around the parameters of a function template whose arguments are these, or the first of them.
    pub(super) fn around_template(&mut self, tpl: &Template, args: &[TemplateArg]) -> ScopeId {
        let Some(class) = tpl.guide_of else { return tpl.scope };
        let of = self.decls[class].clone();
        let Some(own) = args.get(..of.params.len()) else { return tpl.scope };
        let key = (class, own.to_vec().into_boxed_slice());
        if let Some(&known) = self.inst.guide_scopes.get(&key) {
            return known;
        }
        let scope = self.bind_args(&of.params, own, of.scope);
        // A constructor that is read for its own class's sake finds nothing more.
        self.inst.guide_scopes.insert(key, scope);
        let itself = self.tried(|c| c.class_instance(class, own.to_vec(), of.span)).0;
        self.declare_members(class, scope, itself.unwrap_or(TyId::ERROR));
        scope
    }

    /// The same while the signature's pattern is built.
    pub(super) fn pattern_around(&mut self, tpl: &Template) -> ScopeId {
        let Some(class) = tpl.guide_of else { return tpl.scope };
        let of = self.decls[class].clone();
        let scope = self.pattern_scope(&of.params, of.scope);
        let args = of.params.iter().enumerate().map(|(i, p)| self.parameter_itself(i as u32, p)).collect();
        let itself = self.p.types.intern(Ty::TemplateSpec { name: of.path, args });
        self.declare_members(class, scope, itself);
        scope
    }

    /// A template's parameter as the argument for itself.
    fn parameter_itself(&mut self, place: u32, p: &TemplateParam) -> TemplateArg {
        let one = if p.is_type {
            TemplateArg::Type(QualTy::plain(self.p.types.intern(Ty::TemplateParam(place))))
        } else {
            TemplateArg::Param(place)
        };
        if !p.pack {
            return one;
        }
        TemplateArg::Expansion { pattern: Box::new(one), packs: Box::new([place]) }
    }

    /// Declares the class's injected name and its member types in `scope`. Those that mean nothing are left out.
    fn declare_members(&mut self, class: TemplateId, scope: ScopeId, itself: TyId) {
        let ast = self.ast;
        let tpl = self.decls[class].clone();
        if itself != TyId::ERROR {
            self.decls.bind(scope, tpl.name, Entity::Type(RTy::plain(itself)));
        }
        let DeclKind::Record(r) = ast[tpl.decl].kind else { return };
        for &m in ast.list(ast[r].members) {
            let d = ast[m];
            let DeclKind::Typedef { ty } = d.kind else { continue };
            let Some(name) = ast.plain_name(d.name) else { continue };
            let saved = std::mem::take(&mut self.cx);
            let (named, failed) = self.tried(|c| with_scope!(c, scope, c.resolve(ty)));
            self.cx = saved;
            if !failed && named.ty != TyId::ERROR {
                self.decls.bind(scope, name, Entity::Type(named));
            } else if self.inst.in_pattern {
                self.decls.bind(scope, name, Entity::Type(RTy::plain(TyId::DEPENDENT)));
            }
        }
    }
}
