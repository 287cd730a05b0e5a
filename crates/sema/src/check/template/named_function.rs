//! Functions as arguments of templates.

use syntax::ast::{self, DeclKind, TypeKind};

use crate::check::{Checker, TemplateId, TemplateParam};
use crate::types::{AddrSpace, Quals, TemplateArg, Ty, TyId};

impl Checker<'_> {
    /// The function that a name is, or its address, for a parameter that is a pointer or reference to a function: of
    /// overloads the one of its type. To name it is no use of it, it may be a function of the host's.
    pub(super) fn named_function(
        &mut self,
        t: TemplateId,
        p: &TemplateParam,
        so_far: &[TemplateArg],
        e: ast::ExprId,
    ) -> Option<TemplateArg> {
        let mut at = e;
        while let ast::ExprKind::Paren(i) | ast::ExprKind::Unary(ast::UnaryOp::AddrOf, i) = self.ast[at].kind {
            at = i;
        }
        let ast::ExprKind::Name(n) = self.ast[at].kind else { return None };
        let to = self.function_taken(t, p, so_far)?;
        let f = self.overload_of_type(n, to)?;
        Some(self.function_arg(f))
    }

    /// The pointer to a function that a parameter takes.
    fn function_taken(&mut self, t: TemplateId, p: &TemplateParam, so_far: &[TemplateArg]) -> Option<TyId> {
        let DeclKind::Param { ty, .. } = self.ast[p.decl].kind else { return None };
        let ty = if let TypeKind::Pack(inner) = self.ast[ty].kind { inner } else { ty };
        if matches!(self.ast[ty].kind, TypeKind::Builtin(_)) || self.has_auto(ty) {
            return None;
        }
        let tpl = self.decls[t].clone();
        let scope = self.bind_args(&tpl.params, so_far, tpl.scope);
        let mark = self.sess.diagnostics.len();
        let to = self.beyond_blocks(scope, |c| c.resolve_ty(ty));
        self.sess.diagnostics.truncate(mark);
        let to = self.strip_reference(to);
        match *self.p.types.get(to) {
            Ty::Function(_) => Some(self.p.types.pointer(to, Quals::NONE, AddrSpace::Generic)),
            Ty::Pointer { pointee, .. } => self.p.types.is_function(pointee).then_some(to),
            _ => None,
        }
    }
}
