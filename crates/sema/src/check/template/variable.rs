//! Arguments of templates that are variables, or the addresses of variables (C++17, 17.3.2): `template <const int *P>`,
//! `template <const int &R>`.

use crate::check::{Checker, Entity, TemplateParam, VarId};
use crate::program::{ExprId, ExprKind, GlobalId};
use crate::types::{TemplateArg, Ty};
use source::{Diagnostic, Span};
use syntax::ast::{self, DeclKind, TypeKind};

impl Checker<'_> {
    /// Whether a parameter is written as a reference, which is bound to a variable.
    pub(super) fn takes_reference(&self, p: &TemplateParam) -> bool {
        let DeclKind::Param { ty, .. } = self.ast[p.decl].kind else { return false };
        let ty = if let TypeKind::Pack(inner) = self.ast[ty].kind { inner } else { ty };
        matches!(self.ast[ty].kind, TypeKind::LvalueRef(to) if !matches!(self.ast[to].kind, TypeKind::Function(_)))
    }

    /// The variable that an expression names, for such a parameter.
    pub(super) fn referred_variable(&mut self, e: ast::ExprId) -> Option<TemplateArg> {
        self.cx.unevaluated += 1;
        let v = self.expr(e);
        self.cx.unevaluated -= 1;
        if self.is_err(v) {
            return None;
        }
        if let ExprKind::Global(g) = self.e(v).kind
            && let Some(arg) = self.variable_arg(g, false)
        {
            return Some(arg);
        }
        let d = Diagnostic::error("E0467", self.ast[e].span, "template argument is not a variable of static storage")
            .help("a reference among template parameters is bound to a variable of a namespace or class");
        self.report(d);
        None
    }

    /// The variable whose address a pointer is.
    pub(super) fn variable_address(&mut self, v: ExprId) -> Option<TemplateArg> {
        match self.evaluate_address(v)? {
            (g, 0) => self.variable_arg(g, true),
            _ => None,
        }
    }

    fn variable_arg(&mut self, g: GlobalId, address: bool) -> Option<TemplateArg> {
        let id = self.decls.vars.iter().position(|v| v.global == Some(g))?;
        let symbol = self.p.globals[g.index()].symbol.clone();
        let (name, symbol) = (self.decls.vars[id].name, self.sess.intern(&symbol));
        Some(TemplateArg::Variable { id: id as u32, name, symbol, address })
    }

    /// What the name of a parameter with such an argument stands for.
    pub(crate) fn argument_variable(&mut self, v: VarId, address: bool) -> Entity {
        if !address {
            return Entity::Var(v);
        }
        let place = self.var_place(v, Span::NONE);
        let pointer = match self.p.types.get(self.ty(place)) {
            Ty::Array { .. } => self.rvalue(place),
            _ => self.address(place),
        };
        Entity::Alias(pointer)
    }
}
