//! What builtins come to in constant expressions: those that GCC and nvcc fold there, as libraries' `constexpr` functions
//! (`std::min`, `std::isnan`, `std::bit_width`) are written with them.

use super::Checker;
use super::memory::{Machine, Value};
use crate::check::fold::Const;
use crate::num::{self, ConstFloat, ConstInt};
use crate::program::ExprList;
use crate::types::{FloatKind, TyId};
use builtins::{FClass, FCmp, FloatOp, IntegerOp, Meaning, Op, Round, ValueOp};
use std::cmp::Ordering;

impl Checker<'_> {
    pub(super) fn eval_builtin(
        &mut self,
        m: &mut Machine,
        meaning: Meaning,
        args: ExprList,
        ty: TyId,
    ) -> Option<Value> {
        match meaning {
            Meaning::Op(Op::Value(ValueOp::IsConstantEvaluated)) => self.int_value(1, ty),
            Meaning::Op(Op::Integer(op)) => self.eval_integer(m, op, args, ty),
            Meaning::Op(Op::Float(op)) => self.eval_float(m, op, args, ty),
            _ => None,
        }
    }

    /// Builtins on integers, of one operand or two.
    fn eval_integer(&mut self, m: &mut Machine, op: IntegerOp, args: ExprList, ty: TyId) -> Option<Value> {
        if let [a] = *self.p.exprs(args) {
            let Const::Int(a) = self.eval_scalar(m, a)? else { return None };
            return bits_of(op, a, self.int_shape(ty)?).map(|r| Value::Scalar(Const::Int(r)));
        }
        let [a, b] = *self.p.exprs(args) else { return None };
        let (Const::Int(a), Const::Int(b)) = (self.eval_scalar(m, a)?, self.eval_scalar(m, b)?) else { return None };
        let less = a.value() < b.value();
        match op {
            IntegerOp::Min => Some(Value::Scalar(Const::Int(if less { a } else { b }))),
            IntegerOp::Max => Some(Value::Scalar(Const::Int(if less { b } else { a }))),
            IntegerOp::RotateLeft => rotated(a, b).map(|r| Value::Scalar(Const::Int(r))),
            _ => None,
        }
    }

    /// Builtins on floating-point numbers.
    fn eval_float(&mut self, m: &mut Machine, op: FloatOp, args: ExprList, ty: TyId) -> Option<Value> {
        if let Some(value) = self.special_number(op, args) {
            let kind = self.p.types.float_kind(ty)?;
            return Some(float(ConstFloat::from_f64(value).convert(kind, Round::Nearest).value));
        }
        let mut given = [ConstFloat::zero(FloatKind::Double); 3];
        let args = self.p.exprs(args).to_vec();
        if args.is_empty() {
            return None;
        }
        for (to, &a) in given.get_mut(..args.len())?.iter_mut().zip(&args) {
            let Const::Float(value) = self.eval_scalar(m, a)? else { return None };
            *to = value;
        }
        let [a, b, c] = given;
        match op {
            FloatOp::Class(class) => self.int_value(u64::from(is_of(a, class)), ty),
            FloatOp::Compare(how) => self.int_value(u64::from(compares(a, b, how)), ty),
            _ => computed(op, a, b, c).map(float),
        }
    }

    /// What the macros of the language are written with: `INFINITY`, `NAN`, `HUGE_VAL`.
    fn special_number(&self, op: FloatOp, args: ExprList) -> Option<f64> {
        match (op, self.p.exprs(args)) {
            (FloatOp::Inf, []) => Some(f64::INFINITY),
            (FloatOp::Const(bits), []) => Some(f64::from_bits(bits)),
            (FloatOp::Nan, []) => Some(f64::NAN),
            // The text is a payload, which is the quiet NaN's own whatever it says.
            (FloatOp::Nan, &[text]) if self.p.types.is_pointer(self.ty(text)) => Some(f64::NAN),
            _ => None,
        }
    }
}

fn float(value: ConstFloat) -> Value {
    Value::Scalar(Const::Float(value))
}

/// Operations that IEEE 754 defines to the last bit; the rest is not constant.
fn computed(op: FloatOp, a: ConstFloat, b: ConstFloat, c: ConstFloat) -> Option<ConstFloat> {
    let binary = |op, round| Some(a.binary(op, b, round).value);
    match op {
        FloatOp::Add(round) => binary(num::FloatOp::Add, round),
        FloatOp::Sub(round) => binary(num::FloatOp::Sub, round),
        FloatOp::Mul(round) => binary(num::FloatOp::Mul, round),
        FloatOp::Div(round) => binary(num::FloatOp::Div, round),
        FloatOp::Min => binary(num::FloatOp::Min, Round::Nearest),
        FloatOp::Max => binary(num::FloatOp::Max, Round::Nearest),
        FloatOp::Sqrt(Round::Nearest) => Some(a.sqrt()),
        FloatOp::Fma(round) => Some(a.fma(b, c, round).value),
        FloatOp::Abs => Some(a.abs()),
        FloatOp::Neg => Some(a.neg()),
        FloatOp::CopySign if is_of(b, FClass::SignBit) => Some(a.abs().neg()),
        FloatOp::CopySign => Some(a.abs()),
        FloatOp::RoundToInt(round) => Some(a.round_to_integral(round)),
        _ => None,
    }
}

fn is_of(a: ConstFloat, class: FClass) -> bool {
    let value = a.to_f64();
    match class {
        FClass::Nan => value.is_nan(),
        FClass::Inf => value.is_infinite(),
        FClass::Finite => value.is_finite(),
        FClass::Normal => {
            let least = match a.kind() {
                FloatKind::Half => 2f64.powi(-14),
                FloatKind::BFloat16 | FloatKind::Float => f64::from(f32::MIN_POSITIVE),
                FloatKind::Double | FloatKind::LongDouble => f64::MIN_POSITIVE,
            };
            value.is_finite() && value.abs() >= least
        }
        FClass::SignBit => a.bits() >> (a.kind().bits() - 1) & 1 != 0,
    }
}

fn compares(a: ConstFloat, b: ConstFloat, how: FCmp) -> bool {
    let order = a.compare(b);
    let equal = order == Some(Ordering::Equal);
    let less = order == Some(Ordering::Less);
    let greater = order == Some(Ordering::Greater);
    let unordered = order.is_none();
    match how {
        FCmp::Eq => equal,
        FCmp::Ne => !equal,
        FCmp::Lt => less,
        FCmp::Le => less || equal,
        FCmp::Gt => greater,
        FCmp::Ge => greater || equal,
        FCmp::LtGt => less || greater,
        FCmp::Ordered => !unordered,
        FCmp::Unordered => unordered,
        FCmp::EqOrNan => equal || unordered,
        FCmp::LtOrNan => less || unordered,
        FCmp::LeOrNan => !greater,
        FCmp::GtOrNan => greater || unordered,
        FCmp::GeOrNan => !less,
    }
}

/// `a` with its bits moved round to the left.
fn rotated(a: ConstInt, by: ConstInt) -> Option<ConstInt> {
    let width = u32::from(a.width());
    if width > 64 {
        return None;
    }
    let by = by.value().rem_euclid(i128::from(width)) as u32;
    let bits = u128::from(a.bits());
    Some(ConstInt::new((bits << by | bits >> (width - by)) as u64, a.width(), a.is_signed()))
}

/// Builtins that count or move the bits of one integer, in the type of their result.
fn bits_of(op: IntegerOp, a: ConstInt, (width, signed): (u8, bool)) -> Option<ConstInt> {
    let (bits, w) = (a.bits(), u32::from(a.width()));
    // Operands are converted to a builtin's parameters, none of which is wider.
    let unused = 64u32.checked_sub(w)?;
    let r = match op {
        IntegerOp::PopCount => u64::from(bits.count_ones()),
        IntegerOp::Parity => u64::from(bits.count_ones() & 1),
        IntegerOp::Clz => u64::from(bits.leading_zeros() - unused),
        IntegerOp::Ctz => u64::from(bits.trailing_zeros().min(w)),
        IntegerOp::Ffs => {
            if bits == 0 {
                0
            } else {
                u64::from(bits.trailing_zeros() + 1)
            }
        }
        IntegerOp::Clrsb => {
            let same = if a.value() < 0 { !bits << unused } else { bits << unused };
            u64::from(same.leading_zeros().min(w) - 1)
        }
        IntegerOp::BitReverse => bits.reverse_bits() >> unused,
        IntegerOp::ByteSwap if w % 8 == 0 => bits.swap_bytes() >> unused,
        IntegerOp::Abs if width <= 64 => a.value().unsigned_abs() as u64,
        _ => return None,
    };
    Some(ConstInt::new(r, width, signed))
}
