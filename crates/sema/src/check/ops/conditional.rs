//! The conditional operator.

use crate::check::Checker;
use crate::check::convert::classify::RefTarget;
use crate::check::convert::{Rank, Why};
use crate::program::{CastKind, Category, ExprId, ExprKind};
use crate::types::{AddrSpace, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast;

impl Checker<'_> {
    /// An arm, and whether it calls a host function of which only the name is known.
    pub(super) fn arm(&mut self, e: ast::ExprId, is_dead: bool) -> (ExprId, bool) {
        let mark = self.sess.diagnostics.len();
        let before = std::mem::take(&mut self.cx.ends_here);
        self.cx.dead += u32::from(is_dead);
        let v = self.expr(e);
        self.cx.dead -= u32::from(is_dead);
        let ends = self.ended_since(mark);
        self.cx.ends_here = before;
        (v, ends)
    }

    pub(crate) fn conditional(
        &mut self,
        cond: ast::ExprId,
        then: Option<ast::ExprId>,
        els: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let c = self.expr(cond);
        let cv = self.rvalue(c);
        if self.p.types.is_vector(self.ty(cv)) {
            let t = match then {
                Some(t) => self.expr(t),
                None => cv,
            };
            let e = self.expr(els);
            return self.vector_select(cv, t, e, span);
        }
        let (cv, then_value) = match then {
            Some(_) => (cv, None),
            None => {
                // GNU `c ?: f` evaluates `c` once.
                let p = self.place(cv);
                let ty = self.ty(p);
                let v = self.rv(ExprKind::Load(p), ty, span);
                let again = match self.e(p).kind {
                    ExprKind::Materialize { local, .. } => self.local_place(local, span),
                    _ => p,
                };
                (v, Some(again))
            }
        };
        let b = self.condition(cv);
        let known = self.truth(b);
        let (mut t, then_ends) = match (then, then_value) {
            (Some(t), _) => self.arm(t, known == Some(false)),
            (None, Some(v)) => (v, false),
            (None, None) => (self.err(span), false),
        };
        let (mut e, else_ends) = self.arm(els, known == Some(true));
        match (then_ends, else_ends) {
            (true, true) => self.cx.ends_here = true,
            (true, false) => t = self.program_end_as(e, span),
            (false, true) => e = self.program_end_as(t, span),
            (false, false) => {}
        }
        if self.is_err(b) || self.is_err(t) || self.is_err(e) {
            return self.err(span);
        }
        self.select(b, t, e, span)
    }

    fn select(&mut self, cond: ExprId, t: ExprId, e: ExprId, span: Span) -> ExprId {
        let (xt, xe) = (*self.e(t), *self.e(e));
        if self.is_cxx()
            && xt.cat == Category::LValue
            && xe.cat == Category::LValue
            && xt.ty == xe.ty
            && !self.is_odd_place(t)
            && !self.is_odd_place(e)
            && self.is_xvalue(t) == self.is_xvalue(e)
            && (xt.quals.has(xe.quals) || xe.quals.has(xt.quals))
        {
            // Of a condition that is known the arm stands for the whole.
            if let Some(truth) = self.truth(cond).filter(|_| xt.quals == xe.quals) {
                return if truth { t } else { e };
            }
            let quals = xt.quals.with(xe.quals);
            let space = if xt.space == xe.space { xt.space } else { AddrSpace::Generic };
            let v = self.lv(ExprKind::Cond { cond, then: t, other: e }, xt.ty, quals, space, span);
            return self.part_of(t, v);
        }
        if self.is_cxx() && xt.ty != xe.ty {
            match (self.bound_like(t, e), self.bound_like(e, t)) {
                (Some(t), None) => return self.select(cond, t, e, span),
                (None, Some(e)) => return self.select(cond, t, e, span),
                _ => {}
            }
        }
        let (a, b) = (self.value_ty(t), self.value_ty(e));
        if self.refuse_opaque(a, span, "choice of a value of type") {
            return self.err(span);
        }
        if a == TyId::VOID || b == TyId::VOID {
            if a == b {
                return self.rv(ExprKind::Cond { cond, then: t, other: e }, TyId::VOID, span);
            }
            self.error("E0427", span, "one arm of the conditional is `void`, the other is not");
            return self.err(span);
        }
        let Some(ty) = self.common_type(t, e) else {
            if let Some((t, e)) = self.converted_arms(t, e) {
                return self.select(cond, t, e, span);
            }
            let (x, y) = (self.show(a), self.show(b));
            self.error("E0427", span, format!("incompatible operand types in conditional (`{x}` and `{y}`)"));
            return self.err(span);
        };
        let t = self.implicit(t, ty, Why::Operand);
        let e = self.implicit(e, ty, Why::Operand);
        match self.truth(cond) {
            Some(true) if self.constant(t).is_some() => return t,
            Some(false) if self.constant(e).is_some() => return e,
            _ => {}
        }
        if self.is_err(t) || self.is_err(e) {
            return self.err(span);
        }
        let v = self.rv(ExprKind::Cond { cond, then: t, other: e }, ty, span);
        if !self.is_cxx() || self.p.types.as_record(ty).is_none() {
            return v;
        }
        // The value of a class is as `const` as the arm whose type it is of.
        let quals = match (xt.ty == ty, xe.ty == ty) {
            (true, true) => xt.quals.with(xe.quals),
            (true, false) => xt.quals,
            _ => xe.quals,
        };
        let x = *self.e(v);
        self.push_expr(crate::program::Expr { quals, ..x })
    }

    /// One arm as a place of the type of the other, which is one: what a reference to that is bound to, without a copy
    /// (C++17, 8.16, 4.1 and 4.2).
    fn bound_like(&mut self, arm: ExprId, other: ExprId) -> Option<ExprId> {
        let (x, to) = (*self.e(arm), *self.e(other));
        let from = self.p.types.as_record(x.ty)?;
        if to.cat != Category::LValue || self.is_odd_place(other) {
            return None;
        }
        let moved = self.is_xvalue(other);
        if let Some(base) = self.p.types.as_record(to.ty)
            && let Some(offset) = self.base_offset(from, base)
        {
            let fits = x.cat == Category::LValue && self.is_xvalue(arm) == moved && to.quals.has(x.quals);
            return fits.then(|| self.base_place(arm, to.ty, offset));
        }
        let by = self.reference_conversion(arm, RefTarget::of(to.ty, to.quals, moved))?;
        let v = self.call_member_fn(by, arm, &[], x.span);
        (self.ty(v) == to.ty && self.is_lv(v)).then_some(v)
    }

    fn common_type(&mut self, t: ExprId, e: ExprId) -> Option<TyId> {
        let (mut a, mut b) = (self.value_ty(t), self.value_ty(e));
        if self.p.types.is_arithmetic(a) && self.p.types.is_arithmetic(b) {
            a = self.promoted_bit_field(t).unwrap_or(a);
            b = self.promoted_bit_field(e).unwrap_or(b);
        }
        if a == b {
            return Some(a);
        }
        if let Some(ty) = self.complex_common(a, b) {
            return Some(ty);
        }
        let types = &self.p.types;
        if types.is_arithmetic(a) && types.is_arithmetic(b) {
            return Some(self.common_arithmetic(a, b));
        }
        if types.is_vector(a) && types.is_arithmetic(b) {
            return Some(a);
        }
        if types.is_vector(b) && types.is_arithmetic(a) {
            return Some(b);
        }
        if types.is_pointer(a) && self.is_null_constant(e) {
            return Some(a);
        }
        if self.p.types.is_pointer(b) && self.is_null_constant(t) {
            return Some(b);
        }
        // A pointer and a number have nothing in common, though the one converts to `bool`.
        let number = |c: &Self, t: TyId| c.p.types.is_arithmetic(t);
        let pointer = |c: &Self, t: TyId| c.p.types.is_pointer(t);
        if self.is_cxx() && (number(self, a) && pointer(self, b) || pointer(self, a) && number(self, b)) {
            return None;
        }
        let (ab, ba) = (self.arm_rank(t, e), self.arm_rank(e, t));
        // Each of two unrelated classes, or a class and another type, may not convert to the other (C++17, 8.16p4).
        let class = |c: &Self, t: TyId| c.p.types.as_record(t);
        let (ra, rb) = (class(self, a), class(self, b));
        let related = match (ra, rb) {
            (Some(x), Some(y)) => self.base_offset(x, y).is_some() || self.base_offset(y, x).is_some(),
            _ => false,
        };
        if self.is_cxx() && (ra.is_some() || rb.is_some()) && !related && ab.is_some() && ba.is_some() {
            return None;
        }
        match (ab, ba) {
            (Some(x), Some(y)) => Some(if !x.against(y).is_gt() { b } else { a }),
            (Some(_), None) => Some(b),
            (None, Some(_)) => Some(a),
            (None, None) => self.composite_pointer(t, e),
        }
    }

    /// The arms as the numbers or pointers that their classes convert to, where neither arm converts to the type of the other:
    /// built-in operators are looked for then (C++17, 8.16p6).
    fn converted_arms(&mut self, t: ExprId, e: ExprId) -> Option<(ExprId, ExprId)> {
        let (a, b) = (self.value_ty(t), self.value_ty(e));
        let is_class = |c: &Self, ty: TyId| c.p.types.as_record(ty).is_some();
        if !self.is_cxx() || a == b || !is_class(self, a) && !is_class(self, b) {
            return None;
        }
        if self.arm_rank(t, e).is_some() || self.arm_rank(e, t).is_some() {
            return None;
        }
        let [t, e] = self.converted_choice([t, e])?;
        Some((self.rvalue(t), self.rvalue(e)))
    }

    /// How well an arm converts to the type of another. An object of a derived class does not to its base where that would drop
    /// a `const` (C++17, 8.16, 4.3).
    fn arm_rank(&mut self, arm: ExprId, other: ExprId) -> Option<Rank> {
        let (from, to) = (self.value_ty(arm), self.value_ty(other));
        if let (Some(d), Some(b)) = (self.p.types.as_record(from), self.p.types.as_record(to))
            && d != b
            && self.base_offset(d, b).is_some()
            && !self.e(other).quals.has(self.e(arm).quals)
        {
            return None;
        }
        self.rank(arm, to)
    }

    /// The type that two pointers, of which neither converts to the type of the other, are both converted to: to what either
    /// points to, as qualified as both say (C++17, 8.14).
    fn composite_pointer(&mut self, t: ExprId, e: ExprId) -> Option<TyId> {
        let (a, b) = (self.value_ty(t), self.value_ty(e));
        let Ty::Pointer { pointee: p, quals: pq, space } = *self.p.types.get(a) else { return None };
        let Ty::Pointer { pointee: q, quals: qq, .. } = *self.p.types.get(b) else { return None };
        let kinds = [TyId::VOID, p, q];
        kinds.into_iter().filter(|&k| k == p || k == q).find_map(|k| {
            let both = self.p.types.pointer(k, pq.with(qq), space);
            (self.is_cxx() && self.rank(t, both).is_some() && self.rank(e, both).is_some()).then_some(both)
        })
    }

    fn vector_select(&mut self, cond: ExprId, t: ExprId, e: ExprId, span: Span) -> ExprId {
        let t = self.rvalue(t);
        let e = self.rvalue(e);
        let ct = self.ty(cond);
        let Ty::Vector { elem, n } = *self.p.types.get(ct) else { return self.err(span) };
        if self.p.types.is_float(elem) {
            self.error("E0428", span, "the condition of a vector conditional must be an integer vector");
            return self.err(span);
        }
        if self.is_err(t) || self.is_err(e) {
            return self.err(span);
        }
        let scalars = !self.p.types.is_vector(self.ty(t)) && !self.p.types.is_vector(self.ty(e));
        let arms = if !scalars {
            self.usual_vector(t, e)
        } else {
            self.unpromoted(t, e).map(|(l, r, s)| {
                let v = self.p.types.vector(s, n);
                let l = self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: l }, v, span);
                let r = self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: r }, v, span);
                (l, r, v)
            })
        };
        let Some((l, r, ty)) = arms else {
            return self.invalid_operands(t, e, span);
        };
        let sizes = self.p.types.size_of(self.p.types.scalar_of(ty)) == self.p.types.size_of(elem);
        if self.p.types.lanes(ty) != n || !sizes {
            let (c, a) = (self.show(ct), self.show(ty));
            let d = Diagnostic::error("E0428", span, format!("vector condition `{c}` does not fit arms of type `{a}`"))
                .note("condition and arms must have the same number of components of the same size");
            let elem = self.show(elem);
            let d =
                if scalars { d.help(format!("cast scalar arms to the condition's element: `({elem})1`")) } else { d };
            self.report(d);
            return self.err(span);
        }
        self.rv(ExprKind::VectorSelect { cond, then: l, other: r }, ty, span)
    }

    /// The arms as a common scalar type. They are widened to vectors, whose elements are never promoted, so the arms
    /// are not either (OpenCL C 6.3.i, as clang reads it).
    fn unpromoted(&mut self, t: ExprId, e: ExprId) -> Option<(ExprId, ExprId, TyId)> {
        let (a, b) = (self.ty(t), self.ty(e));
        if !self.p.types.is_arithmetic(a) || !self.p.types.is_arithmetic(b) {
            return None;
        }
        let ty = self.common_unpromoted(a, b);
        Some((self.arith_cast(t, ty), self.arith_cast(e, ty), ty))
    }
}
