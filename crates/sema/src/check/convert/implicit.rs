//! Implicit conversions.

use super::{PtrFit, Std, Why};
use crate::check::Checker;
use crate::check::class::Copier;
use crate::check::convert::classify::RefTarget;
use crate::program::{CastKind, ExprId, ExprKind};
use crate::types::{Quals, Ty, TyId};
use source::Diagnostic;

impl Checker<'_> {
    /// Converts to a value of type `to`, or reports why it can't be.
    pub(crate) fn implicit(&mut self, e: ExprId, to: TyId, why: Why) -> ExprId {
        if self.is_err(e) || to == TyId::ERROR {
            let span = self.span(e);
            return self.err(span);
        }
        if let Ty::Reference { .. } = self.p.types.get(to) {
            return self.bind_reference(e, to, why);
        }
        let span = self.span(e);
        if let Some(v) = self.complex_conversion(e, to, span) {
            return v;
        }
        let from = self.value_ty(e);
        let null = self.is_null_constant(e);
        let Some((_, std)) = self.standard(from, to, null) else {
            if self.drops_const_of_literal(e, to) {
                return self.writable_literal(e, to);
            }
            if let Some(v) = self.apply_user_conversion(e, to) {
                return v;
            }
            return self.mismatch(e, from, to, why);
        };
        if std == Std::Same && self.p.types.as_record(to).is_some() {
            return self.copy_record(e, to);
        }
        let v = self.rvalue(e);
        let span = self.span(v);
        self.warn_conversion(v, from, to, why);
        match std {
            Std::Same => v,
            Std::Cast(_) if self.is_sampler(to) => self.sampler(v, to, span),
            Std::Cast(kind) => self.cast(kind, v, to, span),
            Std::Null if matches!(self.p.types.get(to), Ty::MemberPointer { .. }) => self.null_member(to, span),
            Std::Member(offset) => self.member_of_derived(v, offset, to),
            Std::MemberToBool => self.member_condition(v),
            Std::Null => self.rv(ExprKind::Null, to, span),
            Std::Pointer => self.pointer_cast(v, to),
            Std::Base(offset) => self.derived_to_base(e, to, offset),
            Std::Splat => {
                let elem = self.p.types.scalar_of(to);
                let s = self.arith_cast(v, elem);
                self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s }, to, span)
            }
        }
    }

    /// Whether a string literal becomes a pointer to characters that are not `const`, as in C and in C++ before C++11, and with
    /// a warning ever since.
    pub(super) fn drops_const_of_literal(&self, e: ExprId, to: TyId) -> bool {
        let Ty::Array { elem, .. } = self.p.types.get(self.ty(e)) else { return false };
        let (Ty::Pointer { pointee, quals, .. }, true) = (self.p.types.get(to), self.is_cuda()) else { return false };
        self.is_string_literal(e)
            && !quals.is_const()
            && self.p.types.canonical(*pointee) == self.p.types.canonical(*elem)
    }

    pub(crate) fn is_string_literal(&self, e: ExprId) -> bool {
        let ExprKind::Global(g) = self.e(e).kind else { return false };
        let literal = &self.p.globals[g.index()];
        literal.name.is_none() && literal.symbol.starts_with("$str")
    }

    fn writable_literal(&mut self, e: ExprId, to: TyId) -> ExprId {
        let (span, t) = (self.span(e), self.show(to));
        self.warn(
            Diagnostic::warning(
                "W0341",
                span,
                format!("a string literal becomes a `{t}`, to which nothing may be written"),
            )
            .help(format!("declare a `const {t}`"))
            .group("writable-strings"),
        );
        let v = self.rvalue(e);
        self.pointer_cast(v, to)
    }

    fn derived_to_base(&mut self, e: ExprId, to: TyId, offset: u32) -> ExprId {
        let span = self.span(e);
        if self.p.types.is_pointer(to) {
            let v = self.rvalue(e);
            let b = self.rv(ExprKind::Cast { kind: CastKind::DerivedToBase { offset }, operand: v }, to, span);
            return b;
        }
        let p = self.place(e);
        let Some(r) = self.p.types.as_record(to) else { return self.err(span) };
        let by = self.copier(r, p, false);
        if let Copier::Declared(f) = by {
            return self.construct_with(f, r, &[p], span);
        }
        if !self.is_copied(r, by, false, span) {
            return self.err(span);
        }
        let base = self.base_place(p, to, offset);
        self.copy_provided(base, r, to)
    }

    /// A place of a class as a place of its base class.
    pub(crate) fn base_place(&mut self, p: ExprId, base: TyId, offset: u32) -> ExprId {
        let x = *self.e(p);
        let kind = ExprKind::Cast { kind: CastKind::DerivedToBase { offset }, operand: p };
        let part = self.lv(kind, base, x.quals, x.space, x.span);
        self.part_of(p, part)
    }

    /// A part of an object that rvalue references bind to is one, too.
    pub(crate) fn part_of(&mut self, whole: ExprId, part: ExprId) -> ExprId {
        if !self.is_lv(whole) || self.is_xvalue(whole) {
            self.cx.xvalues.insert(part);
        }
        part
    }

    /// A pointer value as another pointer type.
    pub(crate) fn pointer_cast(&mut self, v: ExprId, to: TyId) -> ExprId {
        let (from, span) = (self.ty(v), self.span(v));
        if from == to {
            return v;
        }
        if matches!(self.e(v).kind, ExprKind::Null) {
            return self.rv(ExprKind::Null, to, span);
        }
        let space = |c: &Self, t: TyId| match c.p.types.get(t) {
            Ty::Pointer { space, .. } => Some(*space),
            _ => None,
        };
        let kind = if space(self, from) == space(self, to) { CastKind::PtrToPtr } else { CastKind::AddrSpace };
        self.rv(ExprKind::Cast { kind, operand: v }, to, span)
    }

    fn apply_user_conversion(&mut self, e: ExprId, to: TyId) -> Option<ExprId> {
        if !self.is_cxx() {
            return None;
        }
        if let Some(v) = self.cuda_vec_conversion(e, to) {
            return Some(v);
        }
        let f = self.find_user_conversion(e, to)?;
        let span = self.span(e);
        if self.decls[f].kind == crate::check::FnKind::Constructor {
            let r = self.p.types.as_record(to)?;
            return Some(self.construct_with(f, r, &[e], span));
        }
        let v = self.call_member_fn(f, e, &[], span);
        Some(self.implicit(v, to, Why::Operand))
    }

    /// The address that a reference of type `to` shall hold.
    pub(crate) fn bind_reference(&mut self, e: ExprId, to: TyId, why: Why) -> ExprId {
        let Ty::Reference { pointee, quals, space, rvalue } = *self.p.types.get(to) else { return e };
        let span = self.span(e);
        let ptr_ty = self.p.types.pointer(pointee, quals, space);
        let x = *self.e(e);
        let same = self.is_same_place(x.ty, pointee);
        if self.is_lv(e) && (!rvalue || self.is_xvalue(e) || self.p.types.is_function(x.ty)) {
            let base = match (self.p.types.as_record(x.ty), self.p.types.as_record(pointee)) {
                (Some(d), Some(b)) if !same => self.base_offset(d, b),
                _ => None,
            };
            if same || base.is_some() {
                if !quals.has(x.quals.without(Quals::RESTRICT)) {
                    let (from, want) = (self.show_q(x.ty, x.quals), self.show(to));
                    self.error(
                        "E0311",
                        span,
                        format!("binding reference of type `{want}` to a value of type `{from}` drops qualifiers"),
                    );
                    return self.err(span);
                }
                if self.is_odd_place(e) {
                    if !quals.lets_bind_temporaries() {
                        self.error("E0312", span, "non-const reference cannot bind to a bit-field or vector element");
                        return self.err(span);
                    }
                } else {
                    let p = match base {
                        Some(o) => self.base_place(e, pointee, o),
                        None => e,
                    };
                    let a = self.address(p);
                    return self.pointer_cast(a, ptr_ty);
                }
            }
        }
        if !same && let Some(f) = self.reference_conversion(e, RefTarget::of(pointee, quals, rvalue)) {
            let v = self.call_member_fn(f, e, &[], span);
            return self.bind_reference(v, to, why);
        }
        if !rvalue && !quals.lets_bind_temporaries() {
            let want = self.show(to);
            let from = self.show(x.ty);
            let kind = if quals.is_const() { "volatile" } else { "non-const" };
            let d = if self.is_lv(e) {
                Diagnostic::error(
                    "E0313",
                    span,
                    format!("{kind} lvalue reference `{want}` cannot bind to a value of unrelated type `{from}`"),
                )
            } else {
                Diagnostic::error(
                    "E0313",
                    span,
                    format!("{kind} lvalue reference `{want}` cannot bind to a temporary of type `{from}`"),
                )
                .help("make the parameter a `const` reference, or pass a variable")
            };
            self.report(d);
            return self.err(span);
        }
        if rvalue && self.is_lv(e) && same {
            let (want, from) = (self.show(to), self.show(x.ty));
            self.error("E0314", span, format!("rvalue reference `{want}` cannot bind to an lvalue of type `{from}`"));
            return self.err(span);
        }
        // Of a temporary object of a derived class it is a part, not a copy of that (C++17, 11.6.3, 5.2).
        if !self.is_lv(e)
            && !same
            && let (Some(d), Some(b)) = (self.p.types.as_record(x.ty), self.p.types.as_record(pointee))
            && let Some(o) = self.base_offset(d, b)
        {
            let object = self.place(e);
            let part = self.base_place(object, pointee, o);
            let a = self.address(part);
            return self.pointer_cast(a, ptr_ty);
        }
        // `{1, 2, 3}` for an array stays one.
        let array = same && !self.is_lv(e) && matches!(self.p.types.get(pointee), Ty::Array { .. });
        let v = if array { e } else { self.implicit(e, pointee, why) };
        if self.is_err(v) {
            return v;
        }
        let p = if rvalue && self.is_lv(v) { v } else { self.place(v) };
        let a = self.address(p);
        self.pointer_cast(a, ptr_ty)
    }

    fn mismatch(&mut self, e: ExprId, from: TyId, to: TyId, why: Why) -> ExprId {
        let span = self.span(e);
        let (f, t) = (self.show(from), self.show(to));
        let both_pointers = self.p.types.is_pointer(from) && self.p.types.is_pointer(to);
        let mut d = match why {
            Why::Init => Diagnostic::error(
                "E0315",
                span,
                format!("initializing `{t}` with an expression of incompatible type `{f}`"),
            ),
            Why::Assign => Diagnostic::error("E0315", span, format!("assigning to `{t}` from incompatible type `{f}`")),
            Why::Arg => {
                Diagnostic::error("E0315", span, format!("passing `{f}` to parameter of incompatible type `{t}`"))
            }
            Why::Return => Diagnostic::error(
                "E0315",
                span,
                format!("returning `{f}` from a function with incompatible result type `{t}`"),
            ),
            Why::Operand => Diagnostic::error("E0315", span, format!("cannot convert `{f}` to `{t}`")),
        };
        if both_pointers {
            match self.pointer_fit(from, to) {
                PtrFit::Space => {
                    d = d.note("pointers to different address spaces do not convert implicitly");
                    d = d.help("declare both pointers with the same address space qualifier");
                }
                PtrFit::Discards => d = d.note("the conversion would discard qualifiers"),
                _ => {}
            }
        } else if self.p.types.is_vector(from) && self.p.types.is_vector(to) {
            d = d.note("vectors do not convert implicitly");
            if self.p.types.lanes(from) == self.p.types.lanes(to) {
                d = d.help(format!("use `convert_{t}(…)` to convert the components"));
            }
        }
        self.report(d);
        self.err(span)
    }

    fn warn_conversion(&mut self, v: ExprId, from: TyId, to: TyId, why: Why) {
        if from == to {
            return;
        }
        let span = self.span(v);
        match (self.p.types.get(from).clone(), self.p.types.get(to).clone()) {
            (Ty::Pointer { .. }, Ty::Pointer { .. }) if !self.is_cxx() => {
                let (f, t) = (self.show(from), self.show(to));
                match self.pointer_fit(from, to) {
                    PtrFit::Unrelated => self.warn(
                        Diagnostic::warning("W0305", span, format!("incompatible pointer types: `{f}` to `{t}`"))
                            .group("incompatible-pointer-types"),
                    ),
                    PtrFit::Discards => self.warn(
                        Diagnostic::warning(
                            "W0306",
                            span,
                            format!("conversion from `{f}` to `{t}` discards qualifiers"),
                        )
                        .group("incompatible-pointer-types-discards-qualifiers"),
                    ),
                    _ => {}
                }
            }
            (Ty::Int(a), Ty::Int(b)) => {
                self.warn_lane_mask(Some(v), a, b, span);
                if self.is_lane_mask(to) {
                    self.warn_mask_source(v);
                }
                self.warn_constant(v, to, why);
            }
            (Ty::Float(_), Ty::Int(_)) => self.warn_float_constant(v, to),
            _ => {}
        }
    }

    fn warn_constant(&mut self, v: ExprId, to: TyId, why: Why) {
        if why == Why::Operand {
            return;
        }
        let Some(value) = self.int_constant(v) else { return };
        let Some((w, s)) = self.int_shape(to).filter(|&(w, _)| w <= 64) else { return };
        // Either reading of the bits is what people mean by `0xff` or `-1`.
        if value >= (1i128 << w) || value < -(1i128 << (w - 1)) {
            let changed = crate::num::ConstInt::from_i128(value, w, s).value();
            let (from, to) = (self.show(self.ty(v)), self.show(to));
            let span = self.span(v);
            self.warn(
                Diagnostic::warning(
                    "W0308",
                    span,
                    format!("implicit conversion from `{from}` to `{to}` changes value from {value} to {changed}"),
                )
                .group("constant-conversion"),
            );
        }
    }

    fn warn_float_constant(&mut self, v: ExprId, to: TyId) {
        let ExprKind::Float(bits) = self.e(v).kind else { return };
        let f = f64::from_bits(bits);
        if f.fract() != 0.0 || !f.is_finite() {
            let (from, name) = (self.show(self.ty(v)), self.show(to));
            let span = self.span(v);
            self.warn(
                Diagnostic::warning(
                    "W0309",
                    span,
                    format!("implicit conversion from `{from}` to `{name}` changes value from {f} to {}", f.trunc()),
                )
                .group("literal-conversion"),
            );
        }
    }
}
