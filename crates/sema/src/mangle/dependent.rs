//! Types and expressions that depend on template parameters: `Foo<T>`, `typename Foo<T>::type`, `is_x<T>::value && N > 2`.

use super::codes::operator_code;
use super::{Mangler, Sub};
use crate::types::{DependentExpr, NameId, NameKind, TemplateArg, Ty, TyId};
use source::Symbol;

impl Mangler<'_> {
    /// A dependent type before `::`, inside of the `N…E` of the whole.
    pub(super) fn dependent_prefix(&mut self, id: TyId) {
        let types = self.types;
        if self.substitute(&Sub::Type(id, self.level)) || self.too_deep() {
            return;
        }
        self.depth += 1;
        match types.get(id) {
            Ty::TemplateSpec { name, args } => {
                self.template_prefix(*name);
                self.template_args(args);
                self.remember(Sub::Type(id, self.level));
            }
            Ty::DependentMember { base, name } => {
                self.dependent_prefix(*base);
                self.source_name(*name);
                self.remember(Sub::Type(id, self.level));
            }
            _ => self.ty(id),
        }
        self.depth -= 1;
    }

    /// A class template with dependent arguments: `Foo<T>`.
    pub(super) fn template_spec(&mut self, id: TyId, name: NameId, args: &[TemplateArg]) {
        let node = self.types.name(name);
        let nested = node.parent != NameId::ROOT && !self.is_std(node.parent);
        if nested {
            self.out.push('N');
        }
        self.template_prefix(name);
        self.template_args(args);
        if nested {
            self.out.push('E');
        }
        self.remember(Sub::Type(id, self.level));
    }

    /// An expression with template parameters in it (Itanium C++ ABI, 5.1.6), as nvcc has them.
    pub(super) fn dependent_expr(&mut self, e: &DependentExpr) {
        if self.too_deep() {
            return;
        }
        self.depth += 1;
        match e {
            DependentExpr::Value(TemplateArg::Param(n)) => self.param_code(*n),
            DependentExpr::Value(value) => self.template_arg(value),
            DependentExpr::Member { of, name } => {
                self.out.push_str("sr");
                match self.types.get(*of) {
                    Ty::TemplateSpec { name, args } => {
                        self.qualifier_levels(*name, Some(args));
                        self.out.push('E');
                    }
                    _ => self.ty(*of),
                }
                self.source_name(*name);
            }
            DependentExpr::Variable { scope, name, .. } => self.variable_template(*scope, *name),
            DependentExpr::Call { global, path, name, args } => {
                self.out.push_str(if *global { "clgs" } else { "cl" });
                if !path.is_empty() {
                    self.out.push_str("sr");
                    path.iter().for_each(|&p| self.source_name(p));
                    self.out.push('E');
                }
                self.source_name(*name);
                self.template_args(args);
                self.out.push('E');
            }
            DependentExpr::SizeOf(ty) => {
                self.out.push_str("st");
                self.ty(*ty);
            }
            DependentExpr::Unary(op, a) => {
                self.out.push_str(operator_code(*op));
                self.dependent_expr(a);
            }
            DependentExpr::Binary(op, operands) => {
                self.out.push_str(operator_code(*op));
                operands.iter().for_each(|a| self.dependent_expr(a));
            }
        }
        self.depth -= 1;
    }

    /// The parts of a name before `::`, none of which is abbreviated.
    fn qualifier_levels(&mut self, name: NameId, args: Option<&[TemplateArg]>) {
        let node = self.types.name(name);
        if node.parent != name && node.kind != NameKind::Root {
            self.qualifier_levels(node.parent, None);
            self.unqualified(node.kind);
        }
        if let Some(args) = args.or(node.args.as_deref()) {
            self.template_args(args);
        }
    }

    /// `L_ZN2ns1vE`: the name of a variable template, without its arguments.
    fn variable_template(&mut self, scope: NameId, name: Symbol) {
        let nested = scope != NameId::ROOT && !self.is_std(scope);
        self.out.push_str(match (scope == NameId::ROOT, nested) {
            (true, _) => "L_Z",
            (_, true) => "L_ZN",
            _ => "L_ZSt",
        });
        if nested {
            self.qualifier_levels(scope, None);
        }
        self.source_name(name);
        self.out.push_str(if nested { "EE" } else { "E" });
    }
}
