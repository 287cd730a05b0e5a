//! Expressions as arguments of templates in signatures of templates, where they have no value yet: `enable_if<is_x<T>::value>`.

use crate::check::{Checker, Entity, TemplateKind};
use crate::types::{DependentExpr, OperatorName, TemplateArg, Ty, TyId};
use source::Symbol;
use syntax::ast;

use crate::check::ops::operator_of;

/// Nesting of an expression in a signature.
const MAX_DEPTH: u32 = 64;

/// Places from here on are no parameters', but expressions' that alias templates around were given.
const FIRST_EXPRESSION: u32 = 1 << 30;

impl Checker<'_> {
    /// What stands for a value parameter in a signature: its place, if it is one of the template itself. One of an alias template
    /// around it has the expression that it was given, where that is modelled.
    pub(in crate::check) fn parameter_argument(&self, place: u32) -> TemplateArg {
        if place < FIRST_EXPRESSION {
            return TemplateArg::Param(place);
        }
        let given = self.inst.dependent.get((place - FIRST_EXPRESSION) as usize);
        TemplateArg::Dependent(given.map(|e| Box::new(e.clone())))
    }

    /// An alias template's parameter that stands for an expression.
    pub(in crate::check) fn dependent_entity(&mut self, e: &DependentExpr) -> Entity {
        let next = FIRST_EXPRESSION + self.inst.dependent.len() as u32;
        let at = *self.inst.dependent_places.entry(e.clone()).or_insert(next);
        if at == next {
            self.inst.dependent.push(e.clone());
        }
        Entity::DependentConst(at)
    }

    /// An expression without a value in a signature.
    pub(super) fn dependent_argument(&mut self, e: ast::ExprId) -> TemplateArg {
        let (found, _) = self.tried(|c| c.dependent_expr(e, 0));
        TemplateArg::Dependent(found.map(Box::new))
    }

    /// The same of one that looks like a type: `is_x<T>::value`.
    pub(super) fn dependent_member(&mut self, ty: ast::TypeId) -> TemplateArg {
        let (found, _) = self.tried(|c| match c.ast[ty].kind {
            ast::TypeKind::Name(n) => c.dependent_name(n),
            _ => None,
        });
        TemplateArg::Dependent(found.map(Box::new))
    }

    fn dependent_expr(&mut self, e: ast::ExprId, depth: u32) -> Option<DependentExpr> {
        if depth > MAX_DEPTH {
            return None;
        }
        Some(match self.ast[e].kind {
            ast::ExprKind::Paren(inner) => return self.dependent_expr(inner, depth + 1),
            ast::ExprKind::Name(n) => match self.dependent_const(e) {
                Some(param @ TemplateArg::Param(_)) => DependentExpr::Value(param),
                Some(TemplateArg::Dependent(Some(given))) => *given,
                _ => return self.dependent_name(n).or_else(|| self.settled_value(e)),
            },
            ast::ExprKind::SizeofType(t) => {
                let ty = self.resolve_ty(t);
                if !self.p.types.is_dependent(ty) {
                    return self.settled_value(e);
                }
                DependentExpr::SizeOf(ty)
            }
            ast::ExprKind::Unary(op, a) => {
                let op = match op {
                    ast::UnaryOp::Not => OperatorName::LogNot,
                    ast::UnaryOp::BitNot => OperatorName::Not,
                    ast::UnaryOp::Minus => OperatorName::Neg,
                    _ => return None,
                };
                match self.settled_value(e) {
                    Some(value) => value,
                    None => DependentExpr::Unary(op, Box::new(self.dependent_expr(a, depth + 1)?)),
                }
            }
            ast::ExprKind::Binary(op, a, b) => {
                let op = operator_of(op)?;
                let (a, b) = (self.dependent_expr(a, depth + 1)?, self.dependent_expr(b, depth + 1)?);
                DependentExpr::Binary(op, Box::new([a, b]))
            }
            ast::ExprKind::Call { callee, args } if args.is_empty() => {
                return self.settled_value(e).or_else(|| self.dependent_call(callee));
            }
            _ => return self.settled_value(e),
        })
    }

    /// `ns::f<T>()`
    fn dependent_call(&mut self, callee: ast::ExprId) -> Option<DependentExpr> {
        let ast::ExprKind::Name(n) = self.ast[callee].kind else { return None };
        let (list, name) = (self.ast[n].args?, self.last_symbol(n)?);
        let found = self.find_name(n)?;
        let Some(&Entity::Template(t)) = found.entities.first() else { return None };
        if self.decls[t].kind != TemplateKind::Function {
            return None;
        }
        let segments = self.ast.list(self.ast[n].qualifier).iter();
        let path: Option<Box<[Symbol]>> = segments
            .map(|s| match s.kind {
                ast::SegmentKind::Ident(sym) if s.args.is_none() => Some(sym),
                _ => None,
            })
            .collect();
        let args = self.template_args(t, list, self.ast[n].span)?.into_boxed_slice();
        Some(DependentExpr::Call { global: self.ast[n].global, path: path?, name, args })
    }

    /// What has a value already.
    fn settled_value(&mut self, e: ast::ExprId) -> Option<DependentExpr> {
        let (value, failed) = self.tried(|c| {
            let v = c.constant_expr(e)?;
            c.value_arg_quiet(v)
        });
        value.filter(|v| !failed && matches!(v, TemplateArg::Int { .. })).map(DependentExpr::Value)
    }

    fn dependent_name(&mut self, n: ast::NameId) -> Option<DependentExpr> {
        if let (Some(list), Some(found)) = (self.ast[n].args, self.find_name(n))
            && let Some(&Entity::Template(t)) = found.entities.first()
            && self.decls[t].kind == TemplateKind::Variable
        {
            let args = self.template_args(t, list, self.ast[n].span)?.into_boxed_slice();
            let (scope, name) = (self.decls[self.decls[t].scope].name, self.last_symbol(n)?);
            return Some(DependentExpr::Variable { scope, name, args });
        }
        let (r, failed) = self.tried(|c| c.resolve_type_name(n));
        match *self.p.types.get(r.ty) {
            Ty::DependentMember { base, name } if !failed && self.is_plain_class(base) => {
                Some(DependentExpr::Member { of: base, name })
            }
            _ => None,
        }
    }

    /// Whether a dependent class is `C<T>` or a parameter.
    fn is_plain_class(&self, ty: TyId) -> bool {
        matches!(self.p.types.get(ty), Ty::TemplateSpec { .. } | Ty::TemplateParam(_))
    }
}
