//! Operators.

mod assign;
mod binary;
mod conditional;
mod unary;

use source::{Diagnostic, Span};
use syntax::ast::{self, BinaryOp as B};

use super::Checker;
use crate::program::{BinaryOp, ExprId, ExprKind};
use crate::types::{OperatorName, Ty};

impl Checker<'_> {
    pub(super) fn is_class_operand(&self, e: ExprId) -> bool {
        self.is_cxx() && matches!(self.p.types.get(self.ty(e)), Ty::Record(_) | Ty::Enum(_))
    }

    // ---- places ------------------------------------------------------------------------------------------------

    pub(crate) fn index_expr(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> ExprId {
        let b = self.expr(base);
        if matches!(self.ast[index].kind, ast::ExprKind::InitList(_))
            && self.is_cxx()
            && let Some(r) = self.subscript_list(b, index, span)
        {
            return r;
        }
        let i = self.expr(index);
        if self.is_err(b) || self.is_err(i) {
            return self.err(span);
        }
        if self.is_cxx()
            && self.p.types.as_record(self.ty(b)).is_some()
            && let Some(r) = self.user_operator(OperatorName::Subscript, &[b, i], span)
        {
            return r;
        }
        self.built_index(b, i, span)
    }

    /// An object as the number or pointer that its class converts it to, if it does.
    fn converted_operand(&mut self, e: ExprId) -> ExprId {
        match self.p.types.as_record(self.ty(e)) {
            Some(_) => self.user_convert_to_scalar(e, None).unwrap_or(e),
            None => e,
        }
    }

    fn built_index(&mut self, b: ExprId, i: ExprId, span: Span) -> ExprId {
        let i = self.converted_operand(i);
        let b = self.converted_operand(b);
        let i = self.scalar_operand(i);
        let (bt, it) = (self.ty(b), self.ty(i));
        if let Ty::Array { len, .. } = *self.p.types.get(bt)
            && (self.is_lv(b) || self.is_cxx())
            && self.p.types.is_integral(it)
        {
            self.warn_bounds(i, len, span);
            let index = self.index_value(i);
            if !self.is_first_or_known(i, bt, span) {
                return self.err(span);
            }
            let whole = self.place(b);
            let elem = self.array_elem(whole, index, span);
            return self.part_of(b, elem);
        }
        if let Ty::Vector { elem, n } = *self.p.types.get(bt)
            && self.p.types.is_integral(it)
        {
            self.warn_bounds(i, Some(u64::from(n)), span);
            let index = self.index_value(i);
            let kind = ExprKind::VectorElem { base: b, index };
            if self.is_lv(b) {
                let x = *self.e(b);
                return self.lv(kind, elem, x.quals, x.space, span);
            }
            return self.rv(kind, elem, span);
        }
        let b = self.rvalue(b);
        let (ptr, index) = if self.p.types.is_pointer(self.ty(b)) { (b, i) } else { (i, b) };
        if !self.p.types.is_pointer(self.ty(ptr)) {
            let name = self.show(bt);
            self.error("E0429", span, format!("subscripted value of type `{name}` is not an array, pointer or vector"));
            return self.err(span);
        }
        if !self.p.types.is_integral(self.ty(index)) {
            let name = self.show(self.ty(index));
            let at = self.span(index);
            self.error("E0430", at, format!("array subscript is not an integer but `{name}`"));
            return self.err(span);
        }
        let p = self.offset_pointer(ptr, index, false, span);
        if self.is_err(p) {
            return p;
        }
        self.deref(p, span)
    }

    fn warn_bounds(&mut self, i: ExprId, len: Option<u64>, span: Span) {
        let (Some(v), Some(n)) = (self.int_constant(i), len) else { return };
        if v < 0 || v > i128::from(n) || (v == i128::from(n) && n > 0) {
            self.warn(
                Diagnostic::warning("W0317", span, format!("array index {v} is outside the array of {n} elements"))
                    .group("array-bounds"),
            );
        }
    }

    /// An element of an array place; `index` is a 64-bit value.
    pub(crate) fn array_elem(&mut self, base: ExprId, index: ExprId, span: Span) -> ExprId {
        let x = *self.e(base);
        let Ty::Array { elem, .. } = *self.p.types.get(x.ty) else { return self.err(span) };
        self.lv(ExprKind::ArrayElem { base, index }, elem, x.quals, x.space, span)
    }
}

pub(super) fn arith_op(op: B) -> Option<BinaryOp> {
    Some(match op {
        B::Add => BinaryOp::Add,
        B::Sub => BinaryOp::Sub,
        B::Mul => BinaryOp::Mul,
        B::Div => BinaryOp::Div,
        B::Rem => BinaryOp::Rem,
        B::Shl => BinaryOp::Shl,
        B::Shr => BinaryOp::Shr,
        B::BitAnd => BinaryOp::And,
        B::BitXor => BinaryOp::Xor,
        B::BitOr => BinaryOp::Or,
        _ => return None,
    })
}

pub(crate) fn operator_of(op: B) -> Option<OperatorName> {
    Some(match op {
        B::Add => OperatorName::Add,
        B::Sub => OperatorName::Sub,
        B::Mul => OperatorName::Mul,
        B::Div => OperatorName::Div,
        B::Rem => OperatorName::Rem,
        B::Shl => OperatorName::Shl,
        B::Shr => OperatorName::Shr,
        B::BitAnd => OperatorName::And,
        B::BitXor => OperatorName::Xor,
        B::BitOr => OperatorName::Or,
        B::Lt => OperatorName::Lt,
        B::Gt => OperatorName::Gt,
        B::Le => OperatorName::Le,
        B::ThreeWay => OperatorName::ThreeWay,
        B::Ge => OperatorName::Ge,
        B::Eq => OperatorName::Eq,
        B::Ne => OperatorName::Ne,
        B::LogAnd => OperatorName::LogAnd,
        B::LogOr => OperatorName::LogOr,
        B::ArrowStar => OperatorName::ArrowStar,
        B::DotStar => return None,
    })
}

fn assign_operator_of(op: B) -> Option<OperatorName> {
    Some(match op {
        B::Add => OperatorName::AddAssign,
        B::Sub => OperatorName::SubAssign,
        B::Mul => OperatorName::MulAssign,
        B::Div => OperatorName::DivAssign,
        B::Rem => OperatorName::RemAssign,
        B::Shl => OperatorName::ShlAssign,
        B::Shr => OperatorName::ShrAssign,
        B::BitAnd => OperatorName::AndAssign,
        B::BitXor => OperatorName::XorAssign,
        B::BitOr => OperatorName::OrAssign,
        _ => return None,
    })
}
