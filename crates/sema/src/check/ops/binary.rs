//! Binary operators.

use super::{arith_op, operator_of};
use crate::check::Checker;
use crate::check::call::Arg;
use crate::check::convert::Why;
use crate::program::{BinaryOp, CastKind, CompareOp, ExprId, ExprKind};
use crate::types::{OperatorName, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast::{self, BinaryOp as B};

impl Checker<'_> {
    pub(crate) fn binary_expr(&mut self, op: B, l: ast::ExprId, r: ast::ExprId, span: Span) -> ExprId {
        if matches!(op, B::LogAnd | B::LogOr) {
            return self.logical(op, l, r, span);
        }
        // Long chains `a + b + c …` are left-deep: walked by a loop, not by recursion.
        let mut chain = vec![(op, r, span)];
        let mut left = l;
        while let ast::ExprKind::Binary(op, l2, r2) = self.ast[left].kind
            && !matches!(op, B::LogAnd | B::LogOr)
            && self.cx.prechecked.is_none_or(|(k, _)| k != left)
        {
            chain.push((op, r2, self.ast[left].span));
            left = l2;
        }
        let mut acc = self.expr(left);
        while let Some((op, r, span)) = chain.pop() {
            let rhs = self.expr(r);
            acc = self.built_or_user(op, acc, rhs, span);
        }
        acc
    }

    pub(crate) fn built_or_user(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if self.is_err(lhs) || self.is_err(rhs) {
            return self.err(span);
        }
        if (self.is_class_operand(lhs) || self.is_class_operand(rhs))
            && let Some(name) = operator_of(op)
            && let Some(r) = self.overloaded(op, name, lhs, rhs, span)
        {
            return r;
        }
        self.built_binary(op, lhs, rhs, span)
    }

    fn overloaded(&mut self, op: B, name: OperatorName, lhs: ExprId, rhs: ExprId, span: Span) -> Option<ExprId> {
        self.user_operator(name, &[lhs, rhs], span).or_else(|| self.rewritten_comparison(op, lhs, rhs, span))
    }

    /// An operator on built-in types.
    pub(crate) fn built_binary(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if self.is_cxx()
            && (self.p.types.as_record(self.ty(lhs)).is_some() || self.p.types.as_record(self.ty(rhs)).is_some())
            && let Some(name) = operator_of(op)
            && let Some(r) = self.overloaded(op, name, lhs, rhs, span)
        {
            return r;
        }
        if matches!(op, B::DotStar | B::ArrowStar) {
            return self.member_access(op == B::ArrowStar, lhs, rhs, span);
        }
        if let Some(v) = self.complex_binary(op, lhs, rhs, span) {
            return v;
        }
        let Some((lhs, rhs)) = self.operands(op, lhs, rhs) else { return self.invalid_operands(lhs, rhs, span) };
        if self.is_err(lhs) || self.is_err(rhs) {
            return self.err(span);
        }
        match op {
            B::Lt | B::Gt | B::Le | B::Ge | B::Eq | B::Ne => self.comparison(op, lhs, rhs, span),
            B::ThreeWay => self.three_way(lhs, rhs, span),
            B::Shl | B::Shr => self.shift(op, lhs, rhs, span),
            B::Add | B::Sub if self.p.types.is_pointer(self.ty(lhs)) || self.p.types.is_pointer(self.ty(rhs)) => {
                self.pointer_arith(op, lhs, rhs, span)
            }
            _ => self.arithmetic(op, lhs, rhs, span),
        }
    }

    /// The operands of a built-in operator as values, those of classes converted; `None` if no conversion is the best.
    fn operands(&mut self, op: B, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, ExprId)> {
        let converted = match operator_of(op) {
            Some(name) => self.converted_operands(name, &[lhs, rhs]).ok()?,
            None => None,
        };
        Some(match converted.as_deref() {
            Some(&[l, r]) => (self.rvalue(l), self.rvalue(r)),
            _ => (self.scalar_operand(lhs), self.scalar_operand(rhs)),
        })
    }

    /// A value; a class converted by its one conversion to a scalar.
    pub(crate) fn scalar_operand(&mut self, e: ExprId) -> ExprId {
        let v = self.rvalue(e);
        if self.is_cxx()
            && self.p.types.as_record(self.ty(v)).is_some()
            && let Some(c) = self.user_convert_to_scalar(v, None)
        {
            return c;
        }
        v
    }

    pub(super) fn arithmetic(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let Some((l, r, ty)) = self.usual(lhs, rhs) else { return self.invalid_operands(lhs, rhs, span) };
        let scalar = self.p.types.scalar_of(ty);
        let int_only = matches!(op, B::Rem | B::BitAnd | B::BitXor | B::BitOr);
        if int_only && self.p.types.is_float(scalar) {
            return self.invalid_operands(lhs, rhs, span);
        }
        let Some(bop) = arith_op(op) else { return self.invalid_operands(lhs, rhs, span) };
        self.binary(bop, l, r, ty, span)
    }

    /// The usual arithmetic conversions, vectors included; `None` where there are none.
    pub(crate) fn usual(&mut self, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, ExprId, TyId)> {
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        if self.p.types.is_vector(a) || self.p.types.is_vector(b) {
            return self.usual_vector(lhs, rhs);
        }
        if !self.p.types.is_arithmetic(a) || !self.p.types.is_arithmetic(b) {
            return None;
        }
        let (lhs, rhs) = (self.widen_bit_field(lhs), self.widen_bit_field(rhs));
        self.warn_mask_operands(lhs, rhs);
        let ty = self.common_arithmetic(self.ty(lhs), self.ty(rhs));
        let l = self.arith_cast(lhs, ty);
        let r = self.arith_cast(rhs, ty);
        Some((l, r, ty))
    }

    pub(super) fn usual_vector(&mut self, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, ExprId, TyId)> {
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        if a == b {
            return Some((lhs, rhs, a));
        }
        let splat = |c: &mut Self, s: ExprId, v: TyId| {
            let elem = c.p.types.scalar_of(v);
            let from = c.ty(s);
            if !c.p.types.is_arithmetic(from) {
                return None;
            }
            // A floating scalar does not narrow to an integer vector.
            if c.p.types.is_float(from) && !c.p.types.is_float(elem) {
                return None;
            }
            let s2 = c.arith_cast(s, elem);
            let span = c.span(s);
            Some(c.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s2 }, v, span))
        };
        match (self.p.types.is_vector(a), self.p.types.is_vector(b)) {
            (true, false) => splat(self, rhs, a).map(|r| (lhs, r, a)),
            (false, true) => splat(self, lhs, b).map(|l| (l, rhs, b)),
            _ => None,
        }
    }

    pub(super) fn shift(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let bop = if op == B::Shl { BinaryOp::Shl } else { BinaryOp::Shr };
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        if self.p.types.is_vector(a) || self.p.types.is_vector(b) {
            let (ea, eb) = (self.p.types.scalar_of(a), self.p.types.scalar_of(b));
            let ints = self.p.types.is_integral(ea) && self.p.types.is_integral(eb);
            let lanes = self.p.types.lanes(a) == self.p.types.lanes(b);
            if !ints || !self.p.types.is_vector(a) || (self.p.types.is_vector(b) && !lanes) {
                return self.invalid_operands(lhs, rhs, span);
            }
            let r = if self.p.types.is_vector(b) {
                self.arith_cast(rhs, a)
            } else {
                let s = self.arith_cast(rhs, ea);
                self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s }, a, span)
            };
            return self.binary(bop, lhs, r, a, span);
        }
        if !self.p.types.is_integral(a) || !self.p.types.is_integral(b) {
            return self.invalid_operands(lhs, rhs, span);
        }
        let l = self.promote(lhs);
        let r = self.promote(rhs);
        let ty = self.ty(l);
        self.warn_lane_shift(op, l, r, span);
        self.binary(bop, l, r, ty, span)
    }

    fn pointer_arith(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        let (pa, pb) = (self.p.types.is_pointer(a), self.p.types.is_pointer(b));
        if pa && pb && op == B::Sub {
            let (Ty::Pointer { pointee: x, .. }, Ty::Pointer { pointee: y, .. }) =
                (self.p.types.get(a).clone(), self.p.types.get(b).clone())
            else {
                return self.err(span);
            };
            if x != y {
                return self.invalid_operands(lhs, rhs, span);
            }
            if !(self.complete_pointee(x, span) && self.has_known_size(x, span)) {
                return self.err(span);
            }
            let rhs = self.pointer_cast(rhs, a);
            return self.rv(ExprKind::PtrDiff { lhs, rhs }, TyId::LONG, span);
        }
        let (ptr, index) = if pa { (lhs, rhs) } else { (rhs, lhs) };
        if (op == B::Sub && !pa) || (pa && pb) || !self.p.types.is_integral(self.ty(index)) {
            return self.invalid_operands(lhs, rhs, span);
        }
        self.offset_pointer(ptr, index, op == B::Sub, span)
    }

    /// `ptr ± index`.
    pub(crate) fn offset_pointer(&mut self, ptr: ExprId, index: ExprId, negative: bool, span: Span) -> ExprId {
        let ty = self.ty(ptr);
        if let Ty::Pointer { pointee, .. } = *self.p.types.get(ty)
            && !(self.complete_pointee(pointee, span) && self.is_first_or_known(index, pointee, span))
        {
            return self.err(span);
        }
        let index = self.index_value(index);
        self.rv(ExprKind::PtrOffset { ptr, index, negative }, ty, span)
    }

    /// An index, widened to 64 bits by its own signedness.
    pub(crate) fn index_value(&mut self, index: ExprId) -> ExprId {
        let i = self.promote(index);
        let to = if self.p.types.is_signed(self.ty(i)) { TyId::LONG } else { TyId::ULONG };
        self.arith_cast(i, to)
    }

    pub(super) fn comparison(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let cop = match op {
            B::Lt => CompareOp::Lt,
            B::Gt => CompareOp::Gt,
            B::Le => CompareOp::Le,
            B::Ge => CompareOp::Ge,
            B::Eq => CompareOp::Eq,
            _ => CompareOp::Ne,
        };
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        let result = self.bool_ty();
        let members = |c: &Self, t: TyId| matches!(c.p.types.get(t), Ty::MemberPointer { .. });
        if matches!(op, B::Eq | B::Ne) && (members(self, a) || members(self, b)) {
            let to = if !members(self, a) || self.member_conversion(a, b).is_some() { b } else { a };
            let (l, r) = (self.implicit(lhs, to, Why::Operand), self.implicit(rhs, to, Why::Operand));
            if self.is_err(l) || self.is_err(r) {
                return self.err(span);
            }
            return self.member_comparison(cop, l, r, result, span);
        }
        let pointerish = |c: &Self, t: TyId| c.p.types.is_pointer(t) || t == TyId::NULLPTR;
        if pointerish(self, a) || pointerish(self, b) {
            return self.compare_pointers(cop, lhs, rhs, span);
        }
        if a == b && matches!(self.p.types.get(a), Ty::Enum(_)) {
            let under = match self.p.types.get(a) {
                Ty::Enum(e) => self.p.types.enumeration(*e).underlying,
                _ => TyId::INT,
            };
            let l = self.cast(CastKind::IntToInt, lhs, under, span);
            let r = self.cast(CastKind::IntToInt, rhs, under, span);
            return self.compare(cop, l, r, result, span);
        }
        let Some((l, r, ty)) = self.usual(lhs, rhs) else { return self.invalid_operands(lhs, rhs, span) };
        if let Some(both) = self.compare_half_pairs(cop, l, r, ty, span) {
            return both;
        }
        if self.p.types.is_vector(ty) {
            let to = self.mask_ty(ty);
            return self.compare(cop, l, r, to, span);
        }
        self.warn_sign_compare(cop, l, r, span);
        self.compare(cop, l, r, result, span)
    }

    /// CUDA's operators on `half2` and `__nv_bfloat162`: whether it holds of both elements.
    fn compare_half_pairs(&mut self, op: CompareOp, l: ExprId, r: ExprId, ty: TyId, span: Span) -> Option<ExprId> {
        let Ty::Vector { elem: TyId::HALF | TyId::BFLOAT16, n: 2 } = *self.p.types.get(ty) else { return None };
        let name = match op {
            CompareOp::Eq => "__hbeq2",
            CompareOp::Ne => "__hbneu2",
            CompareOp::Lt => "__hblt2",
            CompareOp::Le => "__hble2",
            CompareOp::Gt => "__hbgt2",
            CompareOp::Ge => "__hbge2",
        };
        if !self.is_cuda() {
            return None;
        }
        let name = self.sess.intern(name);
        self.call_provided_with(name, span, &[Arg::Expr(l), Arg::Expr(r)], span)
    }

    /// `unsigned >= 0` and `unsigned < 0` do not depend on the value.
    fn warn_sign_compare(&mut self, op: CompareOp, l: ExprId, r: ExprId, span: Span) {
        let ty = self.ty(l);
        let unsigned = matches!(self.p.types.get(ty), Ty::Int(k) if !k.signed());
        if !unsigned || self.int_constant(r) != Some(0) || self.int_constant(l).is_some() {
            return;
        }
        let always = match op {
            CompareOp::Lt => "false",
            CompareOp::Ge => "true",
            _ => return,
        };
        self.warn(
            Diagnostic::warning("W0316", span, format!("comparison of an unsigned value with 0 is always {always}"))
                .group("tautological-unsigned-zero-compare"),
        );
    }

    fn compare_pointers(&mut self, cop: CompareOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let result = self.bool_ty();
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        let (pa, pb) = (self.p.types.is_pointer(a), self.p.types.is_pointer(b));
        if pa && pb {
            if a == b {
                return self.rv(ExprKind::Compare { op: cop, lhs, rhs }, result, span);
            }
            if self.rank_depth(rhs, a, false).is_some() {
                let r = self.pointer_common(rhs, a);
                return self.rv(ExprKind::Compare { op: cop, lhs, rhs: r }, result, span);
            }
            if self.rank_depth(lhs, b, false).is_some() {
                let l = self.pointer_common(lhs, b);
                return self.rv(ExprKind::Compare { op: cop, lhs: l, rhs }, result, span);
            }
            return self.invalid_operands(lhs, rhs, span);
        }
        if pa && self.compares_as_null(rhs) {
            let n = self.rv(ExprKind::Null, a, span);
            return self.rv(ExprKind::Compare { op: cop, lhs, rhs: n }, result, span);
        }
        if pb && self.compares_as_null(lhs) {
            let n = self.rv(ExprKind::Null, b, span);
            return self.rv(ExprKind::Compare { op: cop, lhs: n, rhs }, result, span);
        }
        if self.is_null_constant(lhs) && self.is_null_constant(rhs) {
            let holds = matches!(cop, CompareOp::Eq | CompareOp::Le | CompareOp::Ge);
            return self.int(i128::from(holds), result, span);
        }
        self.invalid_operands(lhs, rhs, span)
    }

    /// Whether a pointer compares with a value as with null: `false` does for nvcc, which otherwise it is not.
    fn compares_as_null(&self, e: ExprId) -> bool {
        let is_false = self.is_cxx() && self.ty(e) == TyId::BOOL && matches!(self.e(e).kind, ExprKind::Int(0));
        self.is_null_constant(e) || is_false && !self.cx.computed_zeros.contains(&e)
    }

    fn pointer_common(&mut self, e: ExprId, to: TyId) -> ExprId {
        self.implicit(e, to, Why::Operand)
    }

    pub(crate) fn invalid_operands(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (a, b) = (self.show(self.ty(lhs)), self.show(self.ty(rhs)));
        let (la, lb) = (self.span(lhs), self.span(rhs));
        let mut d =
            Diagnostic::error("E0426", span, format!("invalid operands to binary expression (`{a}` and `{b}`)"))
                .label(la, format!("this is `{a}`"))
                .label(lb, format!("this is `{b}`"));
        if self.p.types.is_vector(self.ty(lhs)) && self.p.types.is_vector(self.ty(rhs)) {
            d = d.help("convert one side: vectors of different types do not mix in one operator");
        }
        self.report(d);
        self.err(span)
    }

    pub(super) fn logical(&mut self, op: B, l: ast::ExprId, r: ast::ExprId, span: Span) -> ExprId {
        let lhs = self.expr(l);
        let of_class = self.is_class_operand(lhs);
        if of_class {
            let rhs = self.expr(r);
            if let Some(v) = self.user_logical(op, lhs, rhs, span) {
                return v;
            }
            self.cx.prechecked = Some((r, rhs));
        }
        let lv = self.rvalue(lhs);
        if self.p.types.is_vector(self.ty(lv)) {
            let rhs = self.expr(r);
            return self.vector_logical(op, lv, rhs, span);
        }
        let a = self.condition(lv);
        let known = self.truth(a);
        let skip = known == Some(op == B::LogOr);
        let (mut rhs, ends) = self.arm(r, skip);
        if ends {
            rhs = self.program_end_as(a, span);
        }
        self.cx.dead += u32::from(skip);
        if !of_class && let Some(v) = self.user_logical(op, lhs, rhs, span) {
            self.cx.dead -= u32::from(skip);
            return v;
        }
        let rv = self.rvalue(rhs);
        if self.p.types.is_vector(self.ty(rv)) {
            self.cx.dead -= u32::from(skip);
            return self.vector_logical(op, lv, rv, span);
        }
        let b = self.condition(rv);
        self.cx.dead -= u32::from(skip);
        if self.is_err(a) || self.is_err(b) {
            return self.err(span);
        }
        let ty = self.bool_ty();
        match (op, known, self.truth(b)) {
            (B::LogAnd, Some(false), _) => self.int(0, ty, span),
            (B::LogOr, Some(true), _) => self.int(1, ty, span),
            (_, Some(_), Some(v)) => self.int(i128::from(v), ty, span),
            (B::LogAnd, ..) => self.rv(ExprKind::LogAnd { lhs: a, rhs: b }, ty, span),
            _ => self.rv(ExprKind::LogOr { lhs: a, rhs: b }, ty, span),
        }
    }

    /// `&&` or `||` that a class or enumeration defines.
    pub(crate) fn user_logical(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> Option<ExprId> {
        if !self.is_class_operand(lhs) && !self.is_class_operand(rhs) {
            return None;
        }
        self.user_operator(operator_of(op)?, &[lhs, rhs], span)
    }

    /// `&&` and `||` on vectors: both sides compared with zero, then combined.
    fn vector_logical(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let rhs = self.rvalue(rhs);
        let Some((l, r, ty)) = self.usual(lhs, rhs) else { return self.invalid_operands(lhs, rhs, span) };
        let to = self.mask_ty(ty);
        let z = self.vector_zero(ty, span);
        let a = self.compare(CompareOp::Ne, l, z, to, span);
        let b = self.compare(CompareOp::Ne, r, z, to, span);
        let bop = if op == B::LogAnd { BinaryOp::And } else { BinaryOp::Or };
        self.binary(bop, a, b, to, span)
    }
}
