//! Assignments.

use super::{arith_op, assign_operator_of, operator_of};
use crate::check::Checker;
use crate::check::call::Arg;
use crate::check::class::Copier;
use crate::check::convert::Why;
use crate::program::{CastKind, ExprId, ExprKind};
use crate::types::{RecordId, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast::{self, BinaryOp as B};

impl Checker<'_> {
    pub(crate) fn assign_expr(&mut self, op: Option<B>, l: ast::ExprId, r: ast::ExprId, span: Span) -> ExprId {
        let lhs = self.expr(l);
        if self.is_cxx() && self.p.types.as_record(self.ty(lhs)).is_some() {
            return self.class_assign(op, lhs, r, span);
        }
        let Some(op) = op else {
            if !self.assignable(lhs, span) {
                let rhs = self.ast[r];
                if !matches!(rhs.kind, ast::ExprKind::InitList(_)) {
                    self.expr(r);
                }
                return self.err(span);
            }
            let ty = self.ty(lhs);
            let value = self.init_from(r, ty, Why::Assign);
            return self.store(lhs, value, span);
        };
        let rhs = self.expr(r);
        if (self.is_class_operand(lhs) || self.is_class_operand(rhs))
            && let Some(name) = assign_operator_of(op)
            && let Some(v) = self.user_operator(name, &[lhs, rhs], span)
        {
            return v;
        }
        self.compound_assign(op, lhs, rhs, span)
    }

    /// An assignment of what is checked already: of a fold.
    pub(crate) fn assign_checked(&mut self, op: Option<B>, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if self.is_err(rhs) || self.is_err(lhs) {
            return self.err(span);
        }
        let ty = self.ty(lhs);
        let is_record = self.p.types.as_record(ty).is_some();
        match op {
            None if is_record => self.assign_record(lhs, rhs, span),
            None if !self.assignable(lhs, span) => self.err(span),
            None => {
                let value = self.implicit(rhs, ty, Why::Assign);
                self.store(lhs, value, span)
            }
            Some(op) => {
                if (self.is_class_operand(lhs) || self.is_class_operand(rhs))
                    && let Some(name) = assign_operator_of(op)
                    && let Some(v) = self.user_operator(name, &[lhs, rhs], span)
                {
                    return v;
                }
                if is_record { self.invalid_operands(lhs, rhs, span) } else { self.compound_assign(op, lhs, rhs, span) }
            }
        }
    }

    fn class_assign(&mut self, op: Option<B>, lhs: ExprId, r: ast::ExprId, span: Span) -> ExprId {
        if let ast::ExprKind::InitList(list) = self.ast[r].kind {
            return self.assign_list(lhs, (r, list), span);
        }
        let rhs = self.expr(r);
        if self.is_err(rhs) || self.is_err(lhs) {
            return self.err(span);
        }
        match op {
            None => self.assign_record(lhs, rhs, span),
            Some(op) => {
                if let Some(name) = assign_operator_of(op)
                    && let Some(v) = self.user_operator(name, &[lhs, rhs], span)
                {
                    return v;
                }
                match self.referred_by_class(lhs) {
                    Some(place) => self.compound_assign(op, place, rhs, span),
                    None => self.invalid_operands(lhs, rhs, span),
                }
            }
        }
    }

    /// `lhs = {…}`
    fn assign_list(&mut self, lhs: ExprId, (e, list): (ast::ExprId, ast::List<ast::InitItem>), span: Span) -> ExprId {
        let ty = self.ty(lhs);
        if let Some(class) = self.p.types.as_record(ty).filter(|_| !self.is_err(lhs)) {
            let by = self.assignment(class, lhs, Arg::List(e));
            match by {
                Copier::Declared(f) => return self.call_fn(f, Some(lhs), &[Arg::List(e)], span, span),
                // What is no list for an object of the class is said where it is made.
                Copier::Missing => {}
                _ if !self.is_copied(class, by, true, span) => return self.err(span),
                _ => {}
            }
        }
        let v = self.init_list(list, ty, span);
        let v = self.place(v);
        self.cx.xvalues.insert(v);
        self.assign_provided(lhs, v, span)
    }

    pub(crate) fn assign_record(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if let Some(r) = self.p.types.as_record(self.ty(lhs)).filter(|_| self.is_cxx()) {
            let by = self.assignment(r, lhs, Arg::Expr(rhs));
            if let Copier::Declared(f) = by {
                return self.call_fn(f, Some(lhs), &[Arg::Expr(rhs)], span, span);
            }
            if !self.is_assigned(r, by, (lhs, rhs), span) {
                return self.err(span);
            }
        }
        self.assign_provided(lhs, rhs, span)
    }

    /// Reports an assignment that the class does not have. What does not fit because it is something else, or because the
    /// object is `const`, is said where it is converted and stored.
    pub(crate) fn is_assigned(&mut self, r: RecordId, by: Copier, (lhs, rhs): (ExprId, ExprId), span: Span) -> bool {
        let other = self.p.types.as_record(self.ty(rhs)) != Some(r) || self.e(lhs).quals.is_const();
        let ty = self.ty(lhs);
        by == Copier::Missing && other && (self.e(lhs).quals.is_const() || self.rank(rhs, ty).is_none())
            || self.is_copied(r, by, true, span)
    }

    /// An assignment by the operator that the compiler provides.
    pub(crate) fn assign_provided(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        // It is a member function, which any object has (C++17, 15.8.2): `*zip = *other` assigns through references.
        let object = self.is_cxx() && self.p.types.as_record(self.ty(lhs)).is_some() && !self.is_err(lhs);
        let lhs = if object { self.place(lhs) } else { lhs };
        if !self.assignable(lhs, span) {
            return self.err(span);
        }
        let mut rhs = self.part_assigned(lhs, rhs);
        let ty = self.ty(lhs);
        if self.is_cxx() && self.ty(rhs) != ty {
            // Made of something else, and of no other use.
            rhs = self.implicit(rhs, ty, Why::Assign);
            if self.is_err(rhs) {
                return self.err(span);
            }
        }
        if self.is_cxx()
            && let Some(v) = self.assign_parts(lhs, rhs, span)
        {
            return v;
        }
        let value = self.implicit(rhs, ty, Why::Assign);
        if let Some(r) = self.p.types.as_record(ty)
            && self.is_polymorphic(r)
            && !self.is_err(value)
        {
            return self.assign_polymorphic(lhs, value, r, span);
        }
        self.store(lhs, value, span)
    }

    /// Of an object of a class derived from that of `lhs` the part of that class, which its assignment refers to.
    fn part_assigned(&mut self, lhs: ExprId, rhs: ExprId) -> ExprId {
        let ty = self.ty(lhs);
        match (self.p.types.as_record(self.ty(rhs)), self.p.types.as_record(ty)) {
            (Some(own), Some(r)) if own != r && self.is_cxx() => match self.base_offset(own, r) {
                Some(offset) => {
                    let whole = self.place(rhs);
                    self.base_place(whole, ty, offset)
                }
                None => rhs,
            },
            _ => rhs,
        }
    }

    /// `place = value`.
    pub(crate) fn store(&mut self, place: ExprId, value: ExprId, span: Span) -> ExprId {
        self.set(place, value, false, span)
    }

    /// Gives a new object at `place` its value.
    pub(crate) fn store_first(&mut self, place: ExprId, value: ExprId, span: Span) -> ExprId {
        self.set(place, value, true, span)
    }

    fn set(&mut self, place: ExprId, value: ExprId, first: bool, span: Span) -> ExprId {
        if self.is_err(place) || self.is_err(value) {
            return self.err(span);
        }
        let x = *self.e(place);
        let kind = ExprKind::Assign { place, value, first };
        if self.is_cxx() && !self.is_odd_place(place) {
            return self.lv(kind, x.ty, x.quals, x.space, span);
        }
        self.rv(kind, x.ty, span)
    }

    fn compound_assign(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        // What is added is converted as beside the sum's operator (C++17, 16.6p18); no pointer is subtracted.
        let of_offset = op == B::Sub && self.p.types.is_pointer(self.ty(lhs));
        let converted = operator_of(if of_offset { B::Add } else { op })
            .map_or(Ok(None), |name| self.converted_operands(name, &[lhs, rhs]));
        let Ok(converted) = converted else { return self.invalid_operands(lhs, rhs, span) };
        let rhs = match converted.as_deref() {
            Some(&[_, to]) => self.rvalue(to),
            _ => self.scalar_operand(rhs),
        };
        if self.is_err(rhs) || !self.assignable(lhs, span) {
            return self.err(span);
        }
        if let Some(v) = self.complex_assign(op, lhs, rhs, span) {
            return v;
        }
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        let x = *self.e(lhs);
        let kind = if self.p.types.is_pointer(a) {
            if !matches!(op, B::Add | B::Sub) || !self.p.types.is_integral(b) {
                return self.invalid_operands(lhs, rhs, span);
            }
            if let Ty::Pointer { pointee, .. } = *self.p.types.get(a)
                && !(self.complete_pointee(pointee, span) && self.has_known_size(pointee, span))
            {
                return self.err(span);
            }
            let index = self.index_value(rhs);
            ExprKind::AssignPtr { place: lhs, index, negative: op == B::Sub }
        } else {
            match self.assign_op(op, lhs, rhs, a, b, span) {
                Some(k) => k,
                None => return self.err(span),
            }
        };
        if self.is_cxx() && !self.is_odd_place(lhs) {
            return self.lv(kind, a, x.quals, x.space, span);
        }
        self.rv(kind, a, span)
    }

    fn assign_op(&mut self, op: B, lhs: ExprId, rhs: ExprId, a: TyId, b: TyId, span: Span) -> Option<ExprKind> {
        let bop = arith_op(op)?;
        let scalar = self.p.types.scalar_of(a);
        let shift = matches!(op, B::Shl | B::Shr);
        let int_only = shift || matches!(op, B::Rem | B::BitAnd | B::BitXor | B::BitOr);
        let floats = self.p.types.is_float(scalar) || self.p.types.is_float(self.p.types.scalar_of(b));
        let arithmetic = self.p.types.is_arithmetic(scalar) && self.p.types.is_arithmetic(self.p.types.scalar_of(b));
        let scoped = matches!(self.p.types.get(a), Ty::Enum(_)) && self.is_cxx();
        if !arithmetic || (int_only && floats) || scoped {
            self.invalid_operands(lhs, rhs, span);
            return None;
        }
        // A probe value of the place's type gives the conversions their operand.
        if self.p.types.is_vector(a) || self.p.types.is_vector(b) {
            let value = if a == b {
                rhs
            } else if self.p.types.is_vector(b) {
                if !(shift && self.p.types.lanes(a) == self.p.types.lanes(b)) {
                    self.invalid_operands(lhs, rhs, span);
                    return None;
                }
                self.arith_cast(rhs, a)
            } else {
                if self.p.types.is_float(b) && !self.p.types.is_float(scalar) {
                    self.invalid_operands(lhs, rhs, span);
                    return None;
                }
                let s = self.arith_cast(rhs, scalar);
                self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s }, a, span)
            };
            return Some(ExprKind::AssignOp {
                op: bop,
                place: lhs,
                value,
                compute: a,
                widen: CastKind::NoOp,
                narrow: CastKind::NoOp,
            });
        }
        let rhs = self.widen_bit_field(rhs);
        let b = self.ty(rhs);
        let wide = self.promoted_bit_field(lhs).unwrap_or(a);
        let compute = if shift { self.promoted(wide) } else { self.common_arithmetic(wide, b) };
        if !shift {
            self.warn_mask_operands(lhs, rhs);
            self.warn_mask_into(a, rhs);
        }
        let value = if shift { self.promote(rhs) } else { self.arith_cast(rhs, compute) };
        let zero_divisor = matches!(op, B::Div | B::Rem) && self.int_constant(value) == Some(0);
        if zero_divisor && !self.p.types.is_float(compute) {
            let at = self.span(value);
            let what = if op == B::Div { "division" } else { "remainder" };
            self.warn(
                Diagnostic::warning("W0302", at, format!("{what} by zero is undefined")).group("division-by-zero"),
            );
        }
        let (widen, narrow) = (self.arith_kind(a, compute), self.arith_kind(compute, a));
        Some(ExprKind::AssignOp { op: bop, place: lhs, value, compute, widen, narrow })
    }
}
