//! Folding of constants as nodes are built.

use source::{Diagnostic, Span};

use super::Checker;
use crate::num::{ConstFloat, ConstInt, FloatOp, FoldError, IntOp};
use crate::program::{BinaryOp, CastKind, CompareOp, ExprId, ExprKind, UnaryOp};
use crate::types::{IntKind, Opaque, Ty, TyId};
use builtins::Round;

/// The value of a constant node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Const {
    Int(ConstInt),
    Float(ConstFloat),
}

impl Checker<'_> {
    /// Width and signedness of an integral type, `bool` having 8 bits of which one counts.
    pub(crate) fn int_shape(&self, ty: TyId) -> Option<(u8, bool)> {
        if self.p.types.is_truth(ty) {
            return Some((8, false));
        }
        if let Ty::Opaque(Opaque::Sampler) = self.p.types.get(ty) {
            return Some((32, false));
        }
        if let Ty::MemberPointer { .. } = self.p.types.get(ty) {
            return Some((64, true));
        }
        self.p.types.int_kind(ty).map(|k: IntKind| (k.bits() as u8, k.signed()))
    }

    /// The constant that a node is.
    pub(crate) fn constant(&self, e: ExprId) -> Option<Const> {
        let x = self.e(e);
        self.kind_constant(x.kind, x.ty)
    }

    pub(crate) fn kind_constant(&self, kind: ExprKind, ty: TyId) -> Option<Const> {
        match kind {
            ExprKind::Int(bits) => {
                let (w, s) = self.int_shape(ty)?;
                Some(Const::Int(ConstInt::new(bits, w, s)))
            }
            ExprKind::Wide(n) => {
                let (w, s) = self.int_shape(ty)?;
                Some(Const::Int(ConstInt::from_bits(*self.p.wide.get(n as usize)?, w, s)))
            }
            ExprKind::Float(bits) => {
                let k = self.p.types.float_kind(ty)?;
                Some(Const::Float(ConstFloat::from_f64(f64::from_bits(bits)).convert(k, Round::Nearest).value))
            }
            _ => None,
        }
    }

    /// The integer constant that a node is, as a mathematical value.
    pub(crate) fn int_constant(&self, e: ExprId) -> Option<i128> {
        match self.constant(e)? {
            Const::Int(i) => Some(i.value()),
            Const::Float(_) => None,
        }
    }

    /// Whether a constant is zero; `None` if it is none.
    pub(crate) fn truth(&self, e: ExprId) -> Option<bool> {
        Some(match self.constant(e)? {
            Const::Int(i) => !i.is_zero(),
            Const::Float(f) => !f.is_zero(),
        })
    }

    pub(crate) fn const_node(&mut self, c: Const, ty: TyId, span: Span) -> ExprId {
        let kind = match c {
            Const::Int(i) => match u64::try_from(i.all_bits()) {
                Ok(bits) => ExprKind::Int(bits),
                Err(_) => {
                    self.p.wide.push(i.all_bits());
                    ExprKind::Wide(self.p.wide.len() as u32 - 1)
                }
            },
            Const::Float(f) => ExprKind::Float(f.to_f64().to_bits()),
        };
        self.rv(kind, ty, span)
    }

    /// An integer constant of a type.
    pub(crate) fn int(&mut self, value: i128, ty: TyId, span: Span) -> ExprId {
        let (w, s) = self.int_shape(ty).unwrap_or((32, true));
        self.const_node(Const::Int(ConstInt::from_i128(value, w, s)), ty, span)
    }

    /// Notes that a node, if it is zero, is no null pointer constant.
    pub(crate) fn computed(&mut self, e: ExprId) -> ExprId {
        if self.is_cxx() && matches!(self.e(e).kind, ExprKind::Int(0)) {
            self.cx.computed_zeros.insert(e);
        }
        e
    }

    /// A binary operator, folded where both operands are constant.
    pub(crate) fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TyId, span: Span) -> ExprId {
        if let Some(folded) = self.fold_binary(op, lhs, rhs, ty, span) {
            return folded;
        }
        self.rv(ExprKind::Binary { op, lhs, rhs }, ty, span)
    }

    fn fold_binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TyId, span: Span) -> Option<ExprId> {
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.check_shift(lhs, rhs, span),
            BinaryOp::Div | BinaryOp::Rem => self.check_division(op, rhs, ty, span),
            _ => {}
        }
        let (a, b) = (self.constant(lhs)?, self.constant(rhs)?);
        let c = match (a, b) {
            (Const::Int(a), Const::Int(b)) => {
                let b = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) && self.is_opencl() {
                    ConstInt::new(b.bits() & (u64::from(a.width()) - 1), b.width(), b.is_signed())
                } else {
                    b
                };
                match a.binary(int_op(op), b) {
                    Ok(f) => {
                        if f.overflow && op != BinaryOp::Shl {
                            self.warn_overflow(ty, f.value.value(), span);
                        }
                        Const::Int(f.value)
                    }
                    Err(FoldError::DivisionByZero | FoldError::ShiftRange) => return None,
                }
            }
            (Const::Float(a), Const::Float(b)) => {
                let op = match op {
                    BinaryOp::Add => FloatOp::Add,
                    BinaryOp::Sub => FloatOp::Sub,
                    BinaryOp::Mul => FloatOp::Mul,
                    BinaryOp::Div => FloatOp::Div,
                    _ => return None,
                };
                Const::Float(a.binary(op, b, Round::Nearest).value)
            }
            _ => return None,
        };
        let folded = self.const_node(c, ty, span);
        Some(self.computed(folded))
    }

    fn warn_overflow(&mut self, ty: TyId, value: i128, span: Span) {
        let name = self.show(ty);
        self.warn(
            Diagnostic::warning("W0301", span, format!("overflow in expression; result is {value} with type `{name}`"))
                .group("integer-overflow"),
        );
    }

    fn check_division(&mut self, op: BinaryOp, rhs: ExprId, ty: TyId, span: Span) {
        if self.int_shape(ty).is_some() && self.int_constant(rhs) == Some(0) {
            let what = if op == BinaryOp::Div { "division" } else { "remainder" };
            let at = self.span(rhs);
            self.warn(
                Diagnostic::warning("W0302", span, format!("{what} by zero is undefined"))
                    .label(at, "this is zero")
                    .group("division-by-zero"),
            );
        }
    }

    fn check_shift(&mut self, lhs: ExprId, rhs: ExprId, span: Span) {
        let Some(count) = self.int_constant(rhs) else { return };
        let elem = self.p.types.scalar_of(self.ty(lhs));
        let Some((width, _)) = self.int_shape(elem) else { return };
        let at = self.span(rhs);
        if count < 0 {
            self.warn(
                Diagnostic::warning("W0303", span, "shift count is negative")
                    .label(at, format!("{count}"))
                    .group("shift-count-negative"),
            );
        } else if count >= i128::from(width) {
            let d = Diagnostic::warning("W0304", span, "shift count >= width of type")
                .label(at, format!("{count}, the type has {width} bits"))
                .group("shift-count-overflow");
            self.warn(d);
        }
    }

    /// A unary operator, folded where its operand is constant.
    pub(crate) fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: TyId, span: Span) -> ExprId {
        let folded = match (op, self.constant(operand)) {
            (UnaryOp::Neg, Some(Const::Int(i))) => {
                let f = i.neg();
                if f.overflow {
                    self.warn_overflow(ty, f.value.value(), span);
                }
                Some(Const::Int(f.value))
            }
            (UnaryOp::Neg, Some(Const::Float(f))) => Some(Const::Float(f.neg())),
            (UnaryOp::Not, Some(Const::Int(i))) => Some(Const::Int(i.not())),
            (UnaryOp::LogNot, Some(c)) => {
                let (w, s) = self.int_shape(ty).unwrap_or((32, true));
                let zero = match c {
                    Const::Int(i) => i.is_zero(),
                    Const::Float(f) => f.is_zero(),
                };
                Some(Const::Int(ConstInt::new(u64::from(zero), w, s)))
            }
            _ => None,
        };
        match folded {
            Some(c) => {
                let folded = self.const_node(c, ty, span);
                self.computed(folded)
            }
            None => self.rv(ExprKind::Unary { op, operand }, ty, span),
        }
    }

    /// A comparison, folded where both operands are constant.
    pub(crate) fn compare(&mut self, op: CompareOp, lhs: ExprId, rhs: ExprId, ty: TyId, span: Span) -> ExprId {
        use std::cmp::Ordering;
        let order = match (self.constant(lhs), self.constant(rhs)) {
            (Some(Const::Int(a)), Some(Const::Int(b))) => Some(Some(a.compare(b))),
            (Some(Const::Float(a)), Some(Const::Float(b))) => Some(a.compare(b)),
            _ => None,
        };
        let Some(order) = order else { return self.rv(ExprKind::Compare { op, lhs, rhs }, ty, span) };
        let value = match op {
            CompareOp::Eq => order == Some(Ordering::Equal),
            CompareOp::Ne => order != Some(Ordering::Equal),
            CompareOp::Lt => order == Some(Ordering::Less),
            CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            CompareOp::Gt => order == Some(Ordering::Greater),
            CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        };
        self.int(i128::from(value), ty, span)
    }

    /// A conversion, folded where its operand is constant.
    pub(crate) fn cast(&mut self, kind: CastKind, operand: ExprId, ty: TyId, span: Span) -> ExprId {
        if kind == CastKind::NoOp && self.ty(operand) == ty {
            return operand;
        }
        if let Some(c) = self.fold_cast(kind, operand, ty) {
            let folded = self.const_node(c, ty, span);
            return if self.cx.computed_zeros.contains(&operand) { self.computed(folded) } else { folded };
        }
        self.rv(ExprKind::Cast { kind, operand }, ty, span)
    }

    fn fold_cast(&self, kind: CastKind, operand: ExprId, ty: TyId) -> Option<Const> {
        let c = self.constant(operand)?;
        Some(match (kind, c) {
            (CastKind::IntToInt | CastKind::NoOp, Const::Int(i)) => {
                let (w, s) = self.int_shape(ty)?;
                Const::Int(i.convert(w, s))
            }
            (CastKind::IntToBool, Const::Int(i)) => Const::Int(ConstInt::new(u64::from(!i.is_zero()), 8, false)),
            (CastKind::FloatToBool, Const::Float(f)) => Const::Int(ConstInt::new(u64::from(!f.is_zero()), 8, false)),
            (CastKind::IntToFloat, Const::Int(i)) => {
                Const::Float(ConstFloat::from_int(i, self.p.types.float_kind(ty)?, Round::Nearest).value)
            }
            (CastKind::FloatToFloat, Const::Float(f)) => {
                Const::Float(f.convert(self.p.types.float_kind(ty)?, Round::Nearest).value)
            }
            // What that gives, the target decides.
            (CastKind::FloatToInt, Const::Float(f)) if f.is_nan() => return None,
            (CastKind::FloatToInt, Const::Float(f)) => {
                let (w, s) = self.int_shape(ty)?;
                // As when the program runs: narrow integers are the low bits of 32.
                Const::Int(f.to_int(w.max(32), s, Round::Zero).value.convert(w, s))
            }
            _ => return None,
        })
    }
}

fn int_op(op: BinaryOp) -> IntOp {
    match op {
        BinaryOp::Add => IntOp::Add,
        BinaryOp::Sub => IntOp::Sub,
        BinaryOp::Mul => IntOp::Mul,
        BinaryOp::Div => IntOp::Div,
        BinaryOp::Rem => IntOp::Rem,
        BinaryOp::Shl => IntOp::Shl,
        BinaryOp::Shr => IntOp::Shr,
        BinaryOp::And => IntOp::And,
        BinaryOp::Or => IntOp::Or,
        BinaryOp::Xor => IntOp::Xor,
    }
}
