//! Sizes and alignments of types: `sizeof`, `alignof`.

use super::{Checker, Entity};
use crate::program::ExprId;
use crate::types::{Ty, TyId};
use source::Span;
use syntax::ast;

impl Checker<'_> {
    /// The type that `(decltype(e)::T)` names, which the parser cannot tell from a value: nvcc does without `typename`.
    pub(super) fn type_behind_decltype(&mut self, mut e: ast::ExprId) -> Option<TyId> {
        while let ast::ExprKind::Paren(inner) = self.ast[e].kind {
            e = inner;
        }
        let ast::ExprKind::Name(n) = self.ast[e].kind else { return None };
        let first = self.ast.list(self.ast[n].qualifier).first()?;
        let ast::SegmentKind::Decltype(_) = first.kind else { return None };
        let (found, _) = self.tried(|c| c.find_name(n));
        match found?.entities.first() {
            Some(Entity::Type(t)) => Some(t.ty),
            _ => None,
        }
    }

    pub(crate) fn sizeof(&mut self, ty: TyId, span: Span) -> ExprId {
        let ty = self.strip_reference(ty);
        if let Some(r) = self.array_record(ty) {
            self.complete_record(r);
        }
        let size = match self.p.types.get(ty) {
            Ty::Error => return self.err(span),
            Ty::Void if !self.is_opencl() => Some(1),
            Ty::Function(_) if !self.is_opencl() && !self.is_cxx() => Some(1),
            _ => self.p.types.size_of(ty),
        };
        match size {
            Some(s) => self.int(i128::from(s), TyId::ULONG, span),
            None => {
                if !self.p.types.is_dependent(ty) {
                    let name = self.show(ty);
                    self.error("E0408", span, format!("`sizeof` of an incomplete type `{name}`"));
                }
                self.err(span)
            }
        }
    }

    pub(super) fn alignof(&mut self, ty: TyId, span: Span) -> ExprId {
        if let Some(r) = self.array_record(ty) {
            self.complete_record(r);
        }
        let align = self.p.types.align_of(ty);
        self.int(i128::from(align), TyId::ULONG, span)
    }
}
