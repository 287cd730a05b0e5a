//! Arguments of templates that are objects of classes, or floating-point numbers (C++20, 13.4.3).

use crate::check::convert::Why;
use crate::check::{Checker, TemplateId, TemplateParam, VarDecl, VarId};
use crate::program::{ExprKind, Global, GlobalInit, Linkage, Side};
use crate::types::{AddrSpace, NameKind, Quals, TemplateArg, Ty, TyId, TypeTable};
use source::{Diagnostic, Span};
use syntax::ast::{self, DeclKind, Init, TypeKind};

/// Largest object that is an argument.
const MAX_BYTES: u64 = 4096;

impl Checker<'_> {
    /// The type of a parameter whose arguments are objects, for the arguments before it and this one.
    pub(super) fn object_type(
        &mut self,
        t: TemplateId,
        p: &TemplateParam,
        so_far: &[TemplateArg],
        e: ast::ExprId,
    ) -> Option<TyId> {
        let DeclKind::Param { ty, .. } = self.ast[p.decl].kind else { return None };
        let ty = if let TypeKind::Pack(inner) = self.ast[ty].kind { inner } else { ty };
        let named = matches!(self.ast[ty].kind, TypeKind::Name(_) | TypeKind::Builtin(_));
        if !named {
            return None;
        }
        let is_object = |types: &TypeTable, ty| matches!(types.get(ty), Ty::Record(_) | Ty::Float(_));
        if self.has_auto(ty) {
            // What the expression is says what the parameter takes. A lambda would be another one each time it is looked at.
            use ast::ExprKind as E;
            let kind = self.ast[e].kind;
            if !self.is_20() || !matches!(kind, E::Name(_) | E::Member { .. } | E::Construct { .. } | E::Call { .. }) {
                return None;
            }
            let (v, failed) = self.tried(|c| c.expr(e));
            let ty = self.value_ty(v);
            let of = |r| self.p.types.name(self.p.types.record(r).name).kind;
            let closure = self.p.types.as_record(ty).is_some_and(|r| matches!(of(r), NameKind::Lambda(_)));
            return Some(ty).filter(|&ty| !failed && !closure && is_object(&self.p.types, ty));
        }
        let tpl = self.decls[t].clone();
        let scope = self.bind_args(&tpl.params, so_far, tpl.scope);
        let mark = self.sess.diagnostics.len();
        let placeholder = self.beyond_blocks(scope, |c| c.placeholder_class(ty));
        let found = match placeholder {
            Some(class) => self.deduce_class_from(class, Init::Copy(e), self.ast[e].span),
            None => Some(self.beyond_blocks(scope, |c| c.resolve_ty(ty))),
        };
        self.sess.diagnostics.truncate(mark);
        found.filter(|&ty| is_object(&self.p.types, ty))
    }

    /// An expression as an argument of such a type.
    pub(super) fn object_argument(&mut self, e: ast::ExprId, ty: TyId) -> Option<TemplateArg> {
        let v = self.init_from(e, ty, Why::Init);
        if self.is_err(v) {
            return None;
        }
        let size = self.p.types.size_of(ty).filter(|&n| n <= MAX_BYTES);
        if let Some(r) = self.p.types.as_record(ty)
            && self.p.types.record(r).empty
        {
            return Some(TemplateArg::Object { bytes: vec![0; size.unwrap_or(1) as usize].into_boxed_slice(), ty });
        }
        let contents = self.contents(v).filter(|c| c.relocs.is_empty());
        let Some((size, mut contents)) = size.zip(contents) else {
            let d = Diagnostic::error("E0467", self.ast[e].span, "template argument is not a constant expression")
                .help("template arguments must be known when the kernel is compiled");
            self.report(d);
            return None;
        };
        contents.bytes.resize(size as usize, 0);
        Some(TemplateArg::Object { bytes: contents.bytes.into_boxed_slice(), ty })
    }

    /// The constant that such an argument is.
    pub(crate) fn argument_object(&mut self, bytes: &[u8], ty: TyId) -> VarId {
        let key = (ty, Box::from(bytes));
        if let Some(&v) = self.inst.objects.get(&key) {
            return v;
        }
        let number = self.inst.objects.len();
        let name = self.sess.intern(&format!("template argument {number}"));
        let g = self.push_global(Global {
            symbol: format!("__unspool_argument_{number}"),
            name: Some(name),
            ty,
            quals: Quals::CONST,
            space: AddrSpace::Global,
            align: self.p.types.align_of(ty),
            linkage: Linkage::Internal,
            side: Side::Both,
            dynamic_shared: false,
            managed: false,
            is_extern: false,
            init: Some(GlobalInit { bytes: bytes.to_vec(), relocs: Vec::new() }),
            owner: None,
            span: Span::NONE,
        });
        let value = self.p.types.float_kind(ty).map(|k| {
            let mut raw = [0; 8];
            raw.iter_mut().zip(bytes).for_each(|(r, b)| *r = *b);
            ExprKind::Float(crate::num::ConstFloat::from_bits(u64::from_le_bytes(raw), k).to_f64().to_bits())
        });
        self.decls.global_values[g.index()] = value;
        let v = VarId(self.decls.vars.len() as u32);
        self.decls.vars.push(VarDecl {
            align: None,
            name,
            ty,
            quals: Quals::CONST,
            span: Span::NONE,
            global: Some(g),
            space: AddrSpace::Global,
            value,
            side: Side::Both,
            args: None,
            is_reference: false,
            pending: None,
        });
        self.inst.objects.insert(key, v);
        v
    }
}
