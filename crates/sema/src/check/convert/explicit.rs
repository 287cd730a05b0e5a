//! Casts.

use super::Why;
use crate::check::convert::classify::RefTarget;
use crate::check::{Checker, RTy};
use crate::program::{CastKind, ExprId, ExprKind};
use crate::types::{AddrSpace, Quals, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast;

impl Checker<'_> {
    /// `(T)e` where `T` may be qualified: in C++ an object that it makes is what `T` says.
    pub(crate) fn explicit_object(&mut self, e: ExprId, to: RTy, how: ast::CastKind, span: Span) -> ExprId {
        if to.keeps_bits
            && self.p.types.is_vector(to.ty)
            && let from = self.value_ty(e)
            && self.p.types.is_arithmetic(from)
        {
            return self.bits_as_vector(e, from, to.ty, span);
        }
        let made = self.explicit(e, to.ty, how, span);
        if self.is_cxx() && self.p.types.as_record(to.ty).is_some() && !self.is_lv(made) {
            let quals = self.e(made).quals.with(to.quals);
            self.p.exprs[made.index()].quals = quals;
        }
        made
    }

    /// `(T)e` and the named casts, for a value target.
    pub(crate) fn explicit(&mut self, e: ExprId, to: TyId, how: ast::CastKind, span: Span) -> ExprId {
        if self.is_err(e) || to == TyId::ERROR {
            return self.err(span);
        }
        if to == TyId::VOID {
            let v = e;
            return self.rv(ExprKind::Cast { kind: CastKind::ToVoid, operand: v }, TyId::VOID, span);
        }
        if let Ty::Reference { pointee, quals, space, rvalue } = *self.p.types.get(to) {
            let place = self.explicit_reference(e, (pointee, quals, space, rvalue), how, span);
            if rvalue && self.is_lv(place) {
                self.cx.xvalues.insert(place);
            }
            return place;
        }
        if how == ast::CastKind::Dynamic {
            self.error("E0316", span, "`dynamic_cast` is not available in device code");
            return self.err(span);
        }
        if let Some(v) = self.complex_conversion(e, to, span) {
            return v;
        }
        let from = self.value_ty(e);
        if let Some(r) = self.p.types.as_record(to)
            && how != ast::CastKind::Reinterpret
        {
            if from == to {
                return self.copy_explicitly(e, to);
            }
            return self.construct(r, to, &[crate::check::call::Arg::Expr(e)], span, true);
        }
        let v = self.rvalue(e);
        if self.p.types.as_record(from).is_some() {
            if let Some(c) = self.user_convert_to_scalar(v, Some(to)) {
                return c;
            }
            return self.bad_cast(from, to, span);
        }
        // Of a bit-field's value the width would count further on; what is cast to its declared type has that.
        if from == to && self.promoted_bit_field(v).is_some() {
            return self.cast(CastKind::IntToInt, v, to, span);
        }
        if from == to {
            let x = *self.e(v);
            let same = self.push_expr(crate::program::Expr { span, ..x });
            return if self.cx.computed_zeros.contains(&v) { self.computed(same) } else { same };
        }
        self.explicit_scalar(v, from, to, how, span)
    }

    /// `(T)e` of a number and a vector of GCC's: the same bits, of an integer of its size.
    fn bits_as_vector(&mut self, e: ExprId, from: TyId, to: TyId, span: Span) -> ExprId {
        let v = self.rvalue(e);
        if !self.p.types.is_integral(from) || self.p.types.size_of(from) != self.p.types.size_of(to) {
            return self.bad_cast(from, to, span);
        }
        self.rv(ExprKind::BitCast(v), to, span)
    }

    /// A cast of a number, vector or pointer to another type of these.
    fn explicit_scalar(&mut self, v: ExprId, from: TyId, to: TyId, how: ast::CastKind, span: Span) -> ExprId {
        let (f, t) = (self.p.types.get(from).clone(), self.p.types.get(to).clone());
        let arithmetic = |t: &Ty| matches!(t, Ty::Bool | Ty::Int(_) | Ty::Float(_) | Ty::Enum(_));
        match (&f, &t) {
            (a, b) if arithmetic(a) && arithmetic(b) => {
                if how == ast::CastKind::Reinterpret {
                    return self.bad_cast(from, to, span);
                }
                let kind = self.arith_kind(from, to);
                self.cast(kind, v, to, span)
            }
            (a, Ty::Vector { elem, .. }) if arithmetic(a) => {
                let s = self.arith_cast(v, *elem);
                // OpenCL: `true` becomes all ones in a vector.
                self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s }, to, span)
            }
            (Ty::Vector { .. }, Ty::Vector { .. }) => {
                if self.is_opencl() || self.p.types.size_of(from) != self.p.types.size_of(to) {
                    return self.bad_cast(from, to, span);
                }
                self.rv(ExprKind::BitCast(v), to, span)
            }
            (Ty::Vector { .. }, Ty::Int(_)) if !self.is_opencl() => {
                if self.p.types.size_of(from) != self.p.types.size_of(to) {
                    return self.bad_cast(from, to, span);
                }
                self.rv(ExprKind::BitCast(v), to, span)
            }
            (Ty::Pointer { .. }, Ty::Pointer { .. }) => self.explicit_pointer(v, from, to, how, span),
            (Ty::Int(_), Ty::Pointer { .. }) => {
                if self.is_null_constant(v) {
                    return self.rv(ExprKind::Null, to, span);
                }
                if how == ast::CastKind::Static {
                    return self.bad_cast(from, to, span);
                }
                let wide = self.arith_cast(v, TyId::ULONG);
                self.rv(ExprKind::Cast { kind: CastKind::IntToPtr, operand: wide }, to, span)
            }
            (Ty::NullPtr, Ty::Pointer { .. }) => self.rv(ExprKind::Null, to, span),
            (Ty::NullPtr, Ty::Int(k)) if how != ast::CastKind::Static && k.bits() >= 64 => {
                let zero = self.rv(ExprKind::Int(0), TyId::ULONG, span);
                self.arith_cast(zero, to)
            }
            (Ty::NullPtr | Ty::Int(_) | Ty::MemberPointer { .. }, Ty::MemberPointer { .. })
            | (Ty::MemberPointer { .. }, Ty::Bool)
                if how != ast::CastKind::Reinterpret && self.rank(v, to).is_some() =>
            {
                self.implicit(v, to, Why::Init)
            }
            // `(event_t)0`
            (_, Ty::Opaque(_)) if how != ast::CastKind::Reinterpret && self.rank(v, to).is_some() => {
                self.implicit(v, to, Why::Init)
            }
            (Ty::Pointer { .. }, Ty::Bool) => self.cast(CastKind::PtrToBool, v, to, span),
            (Ty::Pointer { .. }, Ty::Int(k)) if how != ast::CastKind::Static => {
                let wide = self.rv(ExprKind::Cast { kind: CastKind::PtrToInt, operand: v }, TyId::ULONG, span);
                if k.bits() < 64 {
                    let (f, t) = (self.show(from), self.show(to));
                    let d = Diagnostic::warning(
                        "W0310",
                        span,
                        format!("cast from `{f}` to smaller integer type `{t}` loses bits of the address"),
                    )
                    .group("pointer-to-int-cast");
                    self.warn(d);
                }
                self.arith_cast(wide, to)
            }
            _ => self.bad_cast(from, to, span),
        }
    }

    /// A cast between pointers: the same address, or that of a base or derived object.
    fn explicit_pointer(&mut self, v: ExprId, from: TyId, to: TyId, how: ast::CastKind, span: Span) -> ExprId {
        let space = |ty| match self.p.types.get(ty) {
            Ty::Pointer { space, .. } => *space,
            _ => AddrSpace::Generic,
        };
        let (a, b) = (space(from), space(to));
        let disjoint = a != AddrSpace::Generic && b != AddrSpace::Generic;
        if a != b && (disjoint || a == AddrSpace::Constant || b == AddrSpace::Constant) {
            let (f, t) = (self.show(from), self.show(to));
            self.report(
                Diagnostic::error("E0317", span, format!("casting `{f}` to `{t}` changes the address space"))
                    .note("pointers to disjoint address spaces cannot be cast to each other"),
            );
            return self.err(span);
        }
        if matches!(how, ast::CastKind::Static | ast::CastKind::Reinterpret) && self.casts_const_away(from, to) {
            return self.bad_cast(from, to, span);
        }
        let record = |t: Option<TyId>| t.and_then(|t| self.p.types.as_record(t));
        if how != ast::CastKind::Reinterpret
            && let (Some(d), Some(b)) = (record(self.pointee(from)), record(self.pointee(to)))
            && d != b
        {
            let kind = match (self.base_offset(d, b), self.base_offset(b, d)) {
                (Some(offset), _) => Some(CastKind::DerivedToBase { offset }),
                (None, Some(offset)) => Some(CastKind::BaseToDerived { offset }),
                (None, None) => None,
            };
            if let Some(kind) = kind {
                return self.rv(ExprKind::Cast { kind, operand: v }, to, span);
            }
        }
        self.pointer_cast(v, to)
    }

    /// Whether what a pointer points to has a qualifier that what the other one points to lacks.
    fn casts_const_away(&self, from: TyId, to: TyId) -> bool {
        match (self.p.types.get(from), self.p.types.get(to)) {
            (Ty::Pointer { quals: has, .. }, Ty::Pointer { quals: keeps, .. }) => {
                !keeps.has(has.without(Quals::RESTRICT))
            }
            _ => false,
        }
    }

    pub(crate) fn pointee(&self, ty: TyId) -> Option<TyId> {
        match self.p.types.get(ty) {
            Ty::Pointer { pointee, .. } => Some(*pointee),
            _ => None,
        }
    }

    fn bad_cast(&mut self, from: TyId, to: TyId, span: Span) -> ExprId {
        let (f, t) = (self.show(from), self.show(to));
        let mut d = Diagnostic::error("E0318", span, format!("cannot cast from `{f}` to `{t}`"));
        if self.p.types.is_vector(from) && self.p.types.is_vector(to) {
            d = d.help(format!("use `convert_{t}(…)` to convert the components or `as_{t}(…)` to keep the bits"));
        }
        self.report(d);
        self.err(span)
    }

    /// Whether an expression is a place that only rvalue references and references to `const` bind to.
    pub(crate) fn is_xvalue(&self, e: ExprId) -> bool {
        self.cx.xvalues.contains(&e)
    }

    fn explicit_reference(
        &mut self,
        e: ExprId,
        (pointee, quals, space, rvalue): (TyId, Quals, AddrSpace, bool),
        how: ast::CastKind,
        span: Span,
    ) -> ExprId {
        let x = *self.e(e);
        let given = e;
        let e = if self.is_lv(e) { e } else { self.place(e) };
        if x.ty == pointee {
            return self.lv(
                ExprKind::Cast { kind: CastKind::DerivedToBase { offset: 0 }, operand: e },
                pointee,
                quals,
                x.space,
                span,
            );
        }
        if how != ast::CastKind::Reinterpret
            && let (Some(d), Some(b)) = (self.p.types.as_record(x.ty), self.p.types.as_record(pointee))
        {
            if let Some(o) = self.base_offset(d, b) {
                return self.base_place(e, pointee, o);
            }
            if let Some(offset) = self.base_offset(b, d) {
                return self.lv(
                    ExprKind::Cast { kind: CastKind::BaseToDerived { offset }, operand: e },
                    pointee,
                    quals,
                    x.space,
                    span,
                );
            }
        }
        let target = RefTarget { pointee, quals, moved: rvalue, explicitly: true };
        if how != ast::CastKind::Reinterpret
            && let Some(f) = self.reference_conversion(given, target)
        {
            let v = self.call_member_fn(f, given, &[], span);
            return match (self.p.types.as_record(self.ty(v)), self.p.types.as_record(pointee)) {
                (Some(own), Some(base)) if own != base && self.is_lv(v) => match self.base_offset(own, base) {
                    Some(offset) => self.base_place(v, pointee, offset),
                    None => v,
                },
                _ => v,
            };
        }
        if how == ast::CastKind::Static {
            let v = self.implicit(e, pointee, Why::Operand);
            return self.place(v);
        }
        let a = self.address(e);
        let to = self.p.types.pointer(pointee, quals, space);
        let p = self.pointer_cast(a, to);
        self.deref(p, span)
    }
}
