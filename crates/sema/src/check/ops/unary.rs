//! Unary operators.

use crate::check::Checker;
use crate::program::{CastKind, Category, CompareOp, Expr, ExprId, ExprKind, UnaryOp};
use crate::types::{OperatorName, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast::{self, UnaryOp as U};

impl Checker<'_> {
    pub(crate) fn unary_expr(&mut self, op: U, operand: ast::ExprId, span: Span) -> ExprId {
        match op {
            U::Extension => return self.expr(operand),
            U::AddrOf => return self.address_of(operand, span),
            U::Real | U::Imag => {
                let e = self.expr(operand);
                return self.complex_part(op, e, span);
            }
            _ => {}
        }
        let e = self.expr(operand);
        if self.is_err(e) {
            return self.err(span);
        }
        if self.is_class_operand(e) {
            let name = match op {
                U::Plus => OperatorName::Plus,
                U::Minus => OperatorName::Neg,
                U::Not => OperatorName::LogNot,
                U::BitNot => OperatorName::Not,
                U::Deref => OperatorName::Deref,
                U::PreInc | U::PostInc => OperatorName::Inc,
                _ => OperatorName::Dec,
            };
            let postfix = matches!(op, U::PostInc | U::PostDec);
            let mut args = vec![e];
            if postfix {
                let z = self.int(0, TyId::INT, span);
                args.push(z);
            }
            if let Some(r) = self.user_operator(name, &args, span) {
                return r;
            }
        }
        match op {
            U::Deref => self.built_deref(e, span),
            U::Not => self.logical_not(e, span),
            U::PreInc => self.built_incdec(e, true, true, span),
            U::PreDec => self.built_incdec(e, false, true, span),
            U::PostInc => self.built_incdec(e, true, false, span),
            U::PostDec => self.built_incdec(e, false, false, span),
            _ => self.arith_unary(op, e, span),
        }
    }

    fn arith_unary(&mut self, op: U, e: ExprId, span: Span) -> ExprId {
        if let Some(v) = self.complex_unary(op, e, span) {
            return v;
        }
        let name = match op {
            U::BitNot => OperatorName::Not,
            U::Plus => OperatorName::Plus,
            _ => OperatorName::Neg,
        };
        let e = match self.converted_operands(name, &[e]) {
            Ok(converted) => converted.map_or(e, |all| all[0]),
            Err(()) => return self.bad_unary(op, e, span),
        };
        let mut v = self.promote(e);
        if self.p.types.as_record(self.ty(v)).is_some() {
            match self.user_convert_to_scalar(v, None) {
                Some(c) => v = self.promote(c),
                None => return self.bad_unary(op, v, span),
            }
        }
        let ty = self.ty(v);
        let scalar = self.p.types.scalar_of(ty);
        let arithmetic = self.p.types.is_arithmetic(scalar);
        let ok = match op {
            U::BitNot => arithmetic && !self.p.types.is_float(scalar),
            U::Plus => arithmetic || self.p.types.is_pointer(ty),
            _ => arithmetic,
        };
        if !ok {
            return self.bad_unary(op, v, span);
        }
        match op {
            U::Plus => {
                let x = *self.e(v);
                self.push_expr(Expr { span, ..x })
            }
            U::BitNot => self.unary(UnaryOp::Not, v, ty, span),
            _ => self.unary(UnaryOp::Neg, v, ty, span),
        }
    }

    fn bad_unary(&mut self, op: U, v: ExprId, span: Span) -> ExprId {
        let name = self.show(self.ty(v));
        let text = op.as_str().trim_start_matches('x').to_owned();
        self.error("E0415", span, format!("invalid argument type `{name}` to unary `{text}`"));
        self.err(span)
    }

    fn logical_not(&mut self, e: ExprId, span: Span) -> ExprId {
        let v = self.rvalue(e);
        let ty = self.ty(v);
        if self.p.types.is_vector(ty) {
            let z = self.vector_zero(ty, span);
            let to = self.mask_ty(ty);
            return self.compare(CompareOp::Eq, v, z, to, span);
        }
        let c = self.condition(v);
        if self.is_err(c) {
            return c;
        }
        let ty = self.bool_ty();
        self.unary(UnaryOp::LogNot, c, ty, span)
    }

    pub(super) fn vector_zero(&mut self, ty: TyId, span: Span) -> ExprId {
        let elem = self.p.types.scalar_of(ty);
        let z = self.zero(elem, span);
        self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: z }, ty, span)
    }

    /// The integer vector that comparisons of a vector type give.
    pub(super) fn mask_ty(&mut self, ty: TyId) -> TyId {
        let Ty::Vector { elem, n } = *self.p.types.get(ty) else { return self.bool_ty() };
        let int = match self.p.types.size_of(elem) {
            Some(1) => TyId::CHAR,
            Some(2) => TyId::SHORT,
            Some(4) => TyId::INT,
            _ => TyId::LONG,
        };
        self.p.types.vector(int, n)
    }

    pub(crate) fn built_deref(&mut self, e: ExprId, span: Span) -> ExprId {
        if self.is_cxx()
            && self.p.types.as_record(self.ty(e)).is_some()
            && let Some(r) = self.user_operator(OperatorName::Deref, &[e], span)
        {
            return r;
        }
        // An object as the pointer that it converts to, whatever else it converts to.
        let e = match self.converted_operands(OperatorName::Deref, &[e]) {
            Ok(converted) => converted.map_or(e, |all| all[0]),
            Err(()) => e,
        };
        let v = self.rvalue(e);
        if self.is_err(v) {
            return v;
        }
        match *self.p.types.get(self.ty(v)) {
            Ty::Pointer { pointee, .. } if pointee == TyId::VOID => {
                self.error("E0416", span, "dereferencing a `void` pointer");
                self.err(span)
            }
            Ty::Pointer { pointee, .. } if self.p.types.is_function(pointee) && !self.is_cxx() => v,
            Ty::Pointer { .. } => self.deref(v, span),
            _ => {
                let name = self.show(self.ty(v));
                self.error("E0417", span, format!("indirection requires a pointer operand (`{name}` given)"));
                self.err(span)
            }
        }
    }

    fn address_of(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
        if self.is_cxx()
            && let Some(v) = self.member_address(operand, span)
        {
            return v;
        }
        let e = self.expr(operand);
        if !self.is_err(e)
            && self.is_class_operand(e)
            && let Some(r) = self.user_operator(OperatorName::AddrOf, &[e], span)
        {
            return r;
        }
        self.built_address(e, span)
    }

    /// `&` as it is for built-in types, of whatever type: `__builtin_addressof`.
    pub(crate) fn built_address(&mut self, e: ExprId, span: Span) -> ExprId {
        if self.is_err(e) || matches!(self.e(e).kind, ExprKind::FuncAddr(_)) {
            return e;
        }
        if !self.is_lv(e) {
            let name = self.show(self.ty(e));
            self.error("E0418", span, format!("cannot take the address of an rvalue of type `{name}`"));
            return self.err(span);
        }
        if self.refuse_opaque(self.ty(e), span, "address of a value of type") {
            return self.err(span);
        }
        match self.e(e).kind {
            ExprKind::Field { .. } if self.is_odd_place(e) => {
                self.error("E0419", span, "address of bit-field requested");
                return self.err(span);
            }
            ExprKind::Swizzle { comps, .. } if comps.len > 1 || self.is_opencl() => {
                self.error("E0419", span, "address of vector element requested");
                return self.err(span);
            }
            _ => {}
        }
        self.address(e)
    }

    /// `++` and `--` on built-in types.
    pub(crate) fn built_incdec(&mut self, mut e: ExprId, increment: bool, prefix: bool, span: Span) -> ExprId {
        if self.is_class_operand(e) && self.p.types.as_record(self.ty(e)).is_some() {
            let name = if increment { OperatorName::Inc } else { OperatorName::Dec };
            if prefix && let Some(r) = self.user_operator(name, &[e], span) {
                return r;
            }
            if let Some(place) = self.referred_by_class(e) {
                e = place;
            }
        }
        if !self.assignable(e, span) {
            return self.err(span);
        }
        if let Some(v) = self.complex_step(e, increment, prefix, span) {
            return v;
        }
        let ty = self.ty(e);
        let scalar = self.p.types.scalar_of(ty);
        // C++17 has no `++` of a `bool`, which older programs have; `--` none did.
        let flag = self.is_cxx() && ty == TyId::BOOL && (!increment || self.inst.substituting);
        let ok = !flag
            && (self.p.types.is_arithmetic(scalar) && !(self.is_cxx() && matches!(self.p.types.get(ty), Ty::Enum(_))))
            || self.p.types.is_pointer(ty);
        if !ok {
            let name = self.show(ty);
            self.error("E0420", span, format!("cannot increment or decrement a value of type `{name}`"));
            return self.err(span);
        }
        if let Ty::Pointer { pointee, .. } = *self.p.types.get(ty)
            && !(self.complete_pointee(pointee, span) && self.has_known_size(pointee, span))
        {
            return self.err(span);
        }
        let x = *self.e(e);
        let kind = ExprKind::IncDec { place: e, increment, prefix };
        if prefix && self.is_cxx() {
            return self.lv(kind, ty, x.quals, x.space, span);
        }
        self.rv(kind, ty, span)
    }

    pub(super) fn complete_pointee(&mut self, ty: TyId, span: Span) -> bool {
        if let Some(r) = self.p.types.as_record(ty) {
            self.complete_record(r);
        }
        // Bytes, as for GCC and clang.
        if ty == TyId::VOID && !self.is_cxx() {
            return true;
        }
        if self.p.types.size_of(ty).is_none() {
            let name = self.show(ty);
            self.error("E0421", span, format!("arithmetic on a pointer to incomplete type `{name}`"));
            return false;
        }
        true
    }

    /// Whether a place may be written to; reports if not.
    pub(crate) fn assignable(&mut self, e: ExprId, span: Span) -> bool {
        if self.is_err(e) {
            return false;
        }
        let x = *self.e(e);
        if x.cat != Category::LValue {
            self.error("E0422", span, "expression is not assignable");
            return false;
        }
        if x.quals.is_const() {
            self.report_const(e, span);
            return false;
        }
        if let ExprKind::Swizzle { comps, .. } = x.kind
            && comps.has_duplicates()
        {
            self.error("E0423", span, "vector is not assignable: it contains duplicate components");
            return false;
        }
        if self.refuse_opaque(x.ty, span, "assignment to a variable of type") {
            return false;
        }
        if let Ty::Array { .. } = self.p.types.get(x.ty) {
            let name = self.show(x.ty);
            self.error("E0424", span, format!("array type `{name}` is not assignable"));
            return false;
        }
        true
    }

    fn report_const(&mut self, e: ExprId, span: Span) {
        let mut at = e;
        while let ExprKind::Field { base, .. } | ExprKind::ArrayElem { base, .. } | ExprKind::Swizzle { base, .. } =
            self.e(at).kind
        {
            at = base;
        }
        let ty = self.e(e).ty;
        let name = self.show_q(ty, self.e(e).quals);
        let d = match self.e(at).kind {
            ExprKind::Local(l) => {
                let local = self.cx.locals[l.index()];
                let n = local.name.map(|n| self.text(n).to_owned()).unwrap_or_default();
                Diagnostic::error(
                    "E0425",
                    span,
                    format!("cannot assign to variable `{n}` with const-qualified type `{name}`"),
                )
                .label(local.span, "declared const here")
            }
            ExprKind::Global(g) => {
                let g = &self.p.globals[g.index()];
                let (n, there) = (g.name.map(|n| self.text(n).to_owned()).unwrap_or_default(), g.span);
                Diagnostic::error(
                    "E0425",
                    span,
                    format!("cannot assign to variable `{n}` with const-qualified type `{name}`"),
                )
                .label(there, "declared here")
            }
            ExprKind::Deref(_) => {
                Diagnostic::error("E0425", span, format!("read-only variable is not assignable: its type is `{name}`"))
            }
            _ => Diagnostic::error("E0425", span, format!("cannot assign to a value of const-qualified type `{name}`")),
        };
        self.report(d);
    }
}
