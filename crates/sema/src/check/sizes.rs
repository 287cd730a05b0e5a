//! Sizes and alignments of types: `sizeof`, `alignof`.

use super::{Checker, Entity};
use crate::program::ExprId;
use crate::types::{Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast;

impl Checker<'_> {
    /// The type that the operand `(C::T)` of `sizeof` names where the parser took it for a value: nvcc does without `typename`.
    pub(super) fn type_as_operand(&mut self, mut e: ast::ExprId) -> Option<TyId> {
        while let ast::ExprKind::Paren(inner) = self.ast[e].kind {
            e = inner;
        }
        let ast::ExprKind::Name(n) = self.ast[e].kind else { return None };
        if !self.is_cxx() || self.ast[n].qualifier.is_empty() {
            return None;
        }
        let (found, _) = self.tried(|c| c.find_name(n));
        match found?.entities.first() {
            Some(Entity::Type(t)) => Some(t.ty),
            Some(Entity::Tag(t)) => Some(*t),
            _ => None,
        }
    }

    pub(crate) fn sizeof(&mut self, ty: TyId, span: Span) -> ExprId {
        let ty = self.strip_reference(ty);
        if let Some(r) = self.array_record(ty) {
            self.complete_record(r);
        }
        if let Some(r) = self.array_record(ty)
            && self.refuse_virtual_bases_of(r, span)
        {
            return self.err(span);
        }
        let size = match self.p.types.get(ty) {
            Ty::Error => return self.err(span),
            Ty::Void if !self.is_opencl() => Some(1),
            Ty::Function(_) if !self.is_opencl() && !self.is_cxx() => Some(1),
            _ => self.p.types.size_of(ty),
        };
        match size {
            Some(_) if self.cx.func.is_some() && !self.has_known_size(ty, span) => self.err(span),
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

    /// Whether objects of a type are as large as they are with the host's headers; reports where device code asks and only the
    /// host knows.
    pub(crate) fn has_known_size(&mut self, ty: TyId, span: Span) -> bool {
        let Some(r) = self.array_record(ty) else { return true };
        if self.refuse_virtual_bases_of(r, span) {
            return false;
        }
        if self.reads_host() {
            return true;
        }
        let Some((_, there)) = self.decls[r].unplaced else { return true };
        let class = self.p.types.intern(Ty::Record(r));
        let name = self.show(class);
        let d = Diagnostic::error("E0433", span, format!("how large `{name}` is is not known"));
        self.report(d.label(there, "only the host knows how large this is"));
        false
    }

    /// The same where the first of several is found without the size.
    pub(crate) fn is_first_or_known(&mut self, index: ExprId, ty: TyId, span: Span) -> bool {
        self.int_constant(index) == Some(0) || self.has_known_size(ty, span)
    }

    pub(super) fn alignof(&mut self, ty: TyId, span: Span) -> ExprId {
        if let Some(r) = self.array_record(ty) {
            self.complete_record(r);
        }
        if self.cx.func.is_some() && !self.has_known_size(ty, span) {
            return self.err(span);
        }
        let align = self.p.types.align_of(ty);
        self.int(i128::from(align), TyId::ULONG, span)
    }
}
