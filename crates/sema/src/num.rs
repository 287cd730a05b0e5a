//! Exact constants: integers of a width and signedness, IEEE floats, and the folding of operators on them.
//!
//! Integer results wrap to the width and say whether they overflowed; float results are correctly rounded in any
//! direction (`rustc_apfloat`). Used by the checker and by later stages that fold.

use crate::types::FloatKind;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round as ApRound, Status, StatusAnd};
use std::cmp::Ordering;

pub use builtins::Round;

/// An integer constant: `width` bits (1 to 128), kept zero-extended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConstInt {
    bits: u128,
    width: u8,
    signed: bool,
}

/// The result of folding: a value and whether the exact result did not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Folded {
    /// The wrapped result.
    pub value: ConstInt,
    /// The exact result is out of range of a signed type (unsigned arithmetic never overflows).
    pub overflow: bool,
}

/// Why an integer operator has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldError {
    /// Division or remainder by zero.
    DivisionByZero,
    /// The shift amount is negative or not less than the width.
    ShiftRange,
}

/// Operators on integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn wide_mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

impl ConstInt {
    /// The low `width` bits of `bits`, zero-extended where there are more.
    pub fn new(bits: u64, width: u8, signed: bool) -> Self {
        Self::from_bits(bits.into(), width, signed)
    }

    /// The low `width` bits of `bits`.
    pub fn from_bits(bits: u128, width: u8, signed: bool) -> Self {
        let width = width.clamp(1, 128);
        Self { bits: bits & wide_mask(width), width, signed }
    }

    /// The value wrapped to the width.
    pub fn from_i128(value: i128, width: u8, signed: bool) -> Self {
        // The same bits are the meaning here.
        Self::from_bits(value as u128, width, signed)
    }

    /// The low 64 bits, zero-extended: all there are of the integers that are not wider.
    pub const fn bits(self) -> u64 {
        self.bits as u64
    }

    /// All bits, zero-extended.
    pub const fn all_bits(self) -> u128 {
        self.bits
    }

    /// Number of bits.
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Whether the type has negative values.
    pub const fn is_signed(self) -> bool {
        self.signed
    }

    /// The bits, sign-extended if signed, zero-extended if not.
    pub fn as_i64(self) -> i64 {
        self.value() as i64
    }

    /// The mathematical value, but for unsigned integers of 128 bits: theirs modulo 2^128.
    pub fn value(self) -> i128 {
        let shift = 128 - u32::from(self.width);
        if self.signed { ((self.bits << shift) as i128) >> shift } else { self.bits as i128 }
    }

    /// Whether the value is zero.
    pub const fn is_zero(self) -> bool {
        self.bits == 0
    }

    /// Whether a mathematical value is representable.
    pub fn fits(value: i128, width: u8, signed: bool) -> bool {
        Self::from_i128(value, width, signed).value() == value
    }

    /// Converts to another width and signedness, wrapping.
    #[must_use]
    pub fn convert(self, width: u8, signed: bool) -> Self {
        Self::from_i128(self.value(), width, signed)
    }

    fn wrap(self, exact: i128) -> Folded {
        let value = Self::from_i128(exact, self.width, self.signed);
        Folded { value, overflow: self.signed && value.value() != exact }
    }

    /// Applies an operator; both operands have the type of `self` (a shift amount may have any).
    pub fn binary(self, op: IntOp, rhs: Self) -> Result<Folded, FoldError> {
        let (a, b) = (self.value(), rhs.value());
        if self.width > 64 {
            return self.binary_wide(op, rhs);
        }
        Ok(match op {
            IntOp::Add => self.wrap(a + b),
            IntOp::Sub => self.wrap(a - b),
            // 64-bit operands: the product fits 128 bits, save for the square of 2^64 - 1, whose low bits are kept.
            IntOp::Mul => {
                let exact = a.wrapping_mul(b);
                let mut f = self.wrap(exact);
                f.overflow = self.signed && a.checked_mul(b).is_none_or(|p| p != f.value.value());
                f
            }
            IntOp::Div if b == 0 => return Err(FoldError::DivisionByZero),
            IntOp::Rem if b == 0 => return Err(FoldError::DivisionByZero),
            IntOp::Div => self.wrap(a / b),
            IntOp::Rem => {
                let mut f = self.wrap(a % b);
                // `INT_MIN % -1` overflows as the division does.
                f.overflow = self.wrap(a / b).overflow;
                f
            }
            IntOp::And => self.wrap_bits(self.bits & rhs.bits),
            IntOp::Or => self.wrap_bits(self.bits | rhs.bits),
            IntOp::Xor => self.wrap_bits(self.bits ^ rhs.bits),
            IntOp::Shl | IntOp::Shr if b < 0 || b >= i128::from(self.width) => return Err(FoldError::ShiftRange),
            IntOp::Shl => self.wrap(a << b),
            IntOp::Shr => self.wrap(a >> b),
        })
    }

    /// The same for 128 bits, where exact results have no wider type.
    fn binary_wide(self, op: IntOp, rhs: Self) -> Result<Folded, FoldError> {
        let (a, b) = (self.value(), rhs.value());
        let (x, y) = (self.bits, rhs.bits);
        let signed = |(value, overflow): (i128, bool)| Folded { overflow, ..self.wrap_bits(value as u128) };
        let shift = u32::try_from(b).ok().filter(|&n| n < u32::from(self.width)).ok_or(FoldError::ShiftRange);
        Ok(match op {
            IntOp::Div | IntOp::Rem if y == 0 => return Err(FoldError::DivisionByZero),
            IntOp::Add if self.signed => signed(a.overflowing_add(b)),
            IntOp::Sub if self.signed => signed(a.overflowing_sub(b)),
            IntOp::Mul if self.signed => signed(a.overflowing_mul(b)),
            IntOp::Div if self.signed => signed(a.overflowing_div(b)),
            IntOp::Rem if self.signed => signed(a.overflowing_rem(b)),
            IntOp::Shr if self.signed => self.wrap_bits((a >> shift?) as u128),
            IntOp::Add => self.wrap_bits(x.wrapping_add(y)),
            IntOp::Sub => self.wrap_bits(x.wrapping_sub(y)),
            IntOp::Mul => self.wrap_bits(x.wrapping_mul(y)),
            IntOp::Div => self.wrap_bits(x / y),
            IntOp::Rem => self.wrap_bits(x % y),
            IntOp::And => self.wrap_bits(x & y),
            IntOp::Or => self.wrap_bits(x | y),
            IntOp::Xor => self.wrap_bits(x ^ y),
            IntOp::Shl => self.wrap_bits(x << shift?),
            IntOp::Shr => self.wrap_bits(x >> shift?),
        })
    }

    fn wrap_bits(self, bits: u128) -> Folded {
        Folded { value: Self::from_bits(bits, self.width, self.signed), overflow: false }
    }

    /// `-self`. Not `Neg`: it also says whether it overflowed.
    #[allow(clippy::should_implement_trait)]
    pub fn neg(self) -> Folded {
        let mut f = self.wrap(self.value().wrapping_neg());
        f.overflow |= self.signed && self.width == 128 && self.value() == i128::MIN;
        f
    }

    /// `~self`. Not `Not`, to stand beside the other operators.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Self {
        Self::from_bits(!self.bits, self.width, self.signed)
    }

    /// Order by value; both operands have one type.
    pub fn compare(self, rhs: Self) -> Ordering {
        if self.signed { self.value().cmp(&rhs.value()) } else { self.bits.cmp(&rhs.bits) }
    }
}

impl std::fmt::Display for ConstInt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.signed { self.value().fmt(f) } else { self.bits.fmt(f) }
    }
}

fn range(width: u8, signed: bool) -> (i128, i128) {
    let width = u32::from(width.clamp(1, 128));
    if width == 128 {
        return (i128::MIN, i128::MAX);
    }
    if signed { (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1) } else { (0, (1i128 << width) - 1) }
}

/// A floating constant: the bits of its IEEE encoding.
///
/// Equality is of bits: `-0.0` differs from `0.0`, and a NaN equals itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConstFloat {
    bits: u64,
    kind: FloatKind,
}

/// Operators on floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// C's `fmod`.
    Rem,
    /// IEEE `remainder`.
    Remainder,
    /// `fmin`.
    Min,
    /// `fmax`.
    Max,
}

/// A floating result and what was raised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatFolded {
    /// The correctly rounded result.
    pub value: ConstFloat,
    /// It is not exact.
    pub inexact: bool,
    /// It overflowed to infinity (or to the largest value, by rounding direction).
    pub overflow: bool,
    /// It is below the normal range and not exact.
    pub underflow: bool,
    /// The operation was invalid (the result is a NaN).
    pub invalid: bool,
}

/// A conversion to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToInt {
    /// The result; saturated if out of range, 0 for a NaN.
    pub value: ConstInt,
    /// The value was integral.
    pub exact: bool,
    /// The value was out of range or not a number.
    pub out_of_range: bool,
}

fn ap(round: Round) -> ApRound {
    match round {
        Round::Nearest => ApRound::NearestTiesToEven,
        Round::Zero => ApRound::TowardZero,
        Round::Up => ApRound::TowardPositive,
        Round::Down => ApRound::TowardNegative,
    }
}

/// Runs `$body` with `$F` the arithmetic of `$kind`.
macro_rules! with_float {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Half => {
                type $F = Half;
                $body
            }
            FloatKind::BFloat16 => {
                type $F = BFloat;
                $body
            }
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double | FloatKind::LongDouble => {
                type $F = Double;
                $body
            }
        }
    };
}

fn folded<F: Float>(r: StatusAnd<F>, kind: FloatKind) -> FloatFolded {
    let s = r.status;
    FloatFolded {
        value: ConstFloat { bits: r.value.to_bits() as u64, kind },
        inexact: s.contains(Status::INEXACT),
        overflow: s.contains(Status::OVERFLOW),
        underflow: s.contains(Status::UNDERFLOW),
        invalid: s.contains(Status::INVALID_OP),
    }
}

impl ConstFloat {
    /// The value with this encoding.
    pub fn from_bits(bits: u64, kind: FloatKind) -> Self {
        Self { bits: bits & mask(u8::try_from(kind.bits()).unwrap_or(64)), kind }
    }

    /// A `float`.
    pub fn from_f32(value: f32) -> Self {
        Self { bits: u64::from(value.to_bits()), kind: FloatKind::Float }
    }

    /// A `double`.
    pub fn from_f64(value: f64) -> Self {
        Self { bits: value.to_bits(), kind: FloatKind::Double }
    }

    /// Zero.
    pub fn zero(kind: FloatKind) -> Self {
        Self { bits: 0, kind }
    }

    /// The encoding.
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// The format.
    pub const fn kind(self) -> FloatKind {
        self.kind
    }

    /// The value as a double: exact for every format.
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(FloatKind::Double, Round::Nearest).value.bits)
    }

    /// Applies an operator; both operands have one format.
    pub fn binary(self, op: FloatOp, rhs: Self, round: Round) -> FloatFolded {
        with_float!(self.kind, F => {
            let (a, b) = (F::from_bits(u128::from(self.bits)), F::from_bits(u128::from(rhs.bits)));
            let r = match op {
                FloatOp::Add => a.add_r(b, ap(round)),
                FloatOp::Sub => a.sub_r(b, ap(round)),
                FloatOp::Mul => a.mul_r(b, ap(round)),
                FloatOp::Div => a.div_r(b, ap(round)),
                FloatOp::Rem => a.c_fmod(b),
                FloatOp::Remainder => a.ieee_rem(b),
                FloatOp::Min => Status::OK.and(a.min(b)),
                FloatOp::Max => Status::OK.and(a.max(b)),
            };
            folded(r, self.kind)
        })
    }

    /// `self * b + c` with one rounding.
    pub fn fma(self, b: Self, c: Self, round: Round) -> FloatFolded {
        with_float!(self.kind, F => {
            let [a, b, c] = [self, b, c].map(|v| F::from_bits(u128::from(v.bits)));
            folded(a.mul_add_r(b, c, ap(round)), self.kind)
        })
    }

    /// The correctly rounded square root.
    pub fn sqrt(self) -> Self {
        // Rounding a double's root to a format with less than half its precision is exact rounding.
        let root = match self.kind {
            FloatKind::Double | FloatKind::LongDouble => f64::from_bits(self.bits).sqrt(),
            FloatKind::Float => return Self::from_f32(f32::from_bits(self.bits as u32).sqrt()),
            FloatKind::Half | FloatKind::BFloat16 => self.to_f64().sqrt(),
        };
        Self::from_f64(root).convert(self.kind, Round::Nearest).value
    }

    /// Rounds to an integral value.
    pub fn round_to_integral(self, round: Round) -> Self {
        with_float!(self.kind, F => {
            folded(F::from_bits(u128::from(self.bits)).round_to_integral(ap(round)), self.kind).value
        })
    }

    /// `-self`: flips the sign bit, also of a NaN.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn neg(self) -> Self {
        Self { bits: self.bits ^ 1 << (self.kind.bits() - 1), kind: self.kind }
    }

    /// Clears the sign bit.
    #[must_use]
    pub fn abs(self) -> Self {
        Self { bits: self.bits & !(1 << (self.kind.bits() - 1)), kind: self.kind }
    }

    /// IEEE comparison; `None` if a NaN takes part.
    pub fn compare(self, rhs: Self) -> Option<Ordering> {
        self.to_f64().partial_cmp(&rhs.to_f64())
    }

    /// Whether the value is +0 or −0.
    pub fn is_zero(self) -> bool {
        self.abs().bits == 0
    }

    /// Whether this is a NaN.
    pub fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }

    /// Converts to another format.
    pub fn convert(self, kind: FloatKind, round: Round) -> FloatFolded {
        if kind == self.kind {
            return folded_exact(self);
        }
        with_float!(self.kind, F => {
            let a = F::from_bits(u128::from(self.bits));
            let mut lossy = false;
            match kind {
                FloatKind::Half => folded(cvt::<F, Half>(a, round, &mut lossy), kind),
                FloatKind::BFloat16 => folded(cvt::<F, BFloat>(a, round, &mut lossy), kind),
                FloatKind::Float => folded(cvt::<F, Single>(a, round, &mut lossy), kind),
                FloatKind::Double | FloatKind::LongDouble => folded(cvt::<F, Double>(a, round, &mut lossy), kind),
            }
        })
    }

    /// Converts an integer.
    pub fn from_int(value: ConstInt, kind: FloatKind, round: Round) -> FloatFolded {
        if value.signed {
            with_float!(kind, F => folded(F::from_i128_r(value.value(), ap(round)), kind))
        } else {
            with_float!(kind, F => folded(F::from_u128_r(value.bits, ap(round)), kind))
        }
    }

    /// Converts to an integer; see [`ToInt`].
    pub fn to_int(self, width: u8, signed: bool, round: Round) -> ToInt {
        if self.is_nan() {
            return ToInt { value: ConstInt::new(0, width, signed), exact: false, out_of_range: true };
        }
        let whole = self.round_to_integral(round);
        let (lo, hi) = range(width, signed);
        // A double beyond ±2^100 is out of any range; `as` saturates and is exact for integral values below.
        if width == 128 && !signed && whole.to_f64() >= 0.0 {
            let bits = whole.to_f64() as u128;
            return ToInt {
                value: ConstInt::from_bits(bits, width, signed),
                exact: whole == self && bits != u128::MAX,
                out_of_range: bits == u128::MAX,
            };
        }
        let exact_value = whole.to_f64() as i128;
        let value = ConstInt::from_i128(exact_value.clamp(lo, hi), width, signed);
        ToInt {
            value,
            exact: whole == self && value.value() == exact_value,
            out_of_range: exact_value < lo || exact_value > hi,
        }
    }
}

fn cvt<A: Float + FloatConvert<B>, B: Float>(a: A, round: Round, lossy: &mut bool) -> StatusAnd<B> {
    a.convert_r(ap(round), lossy)
}

fn folded_exact(value: ConstFloat) -> FloatFolded {
    FloatFolded { value, inexact: false, overflow: false, underflow: false, invalid: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(v: i128) -> ConstInt {
        ConstInt::from_i128(v, 32, true)
    }

    #[test]
    fn signed_overflow_is_seen_and_unsigned_wraps() {
        let max = int(i128::from(i32::MAX));
        let r = max.binary(IntOp::Add, int(1)).unwrap();
        assert!(r.overflow);
        assert_eq!(r.value.value(), i128::from(i32::MIN));
        let u = ConstInt::new(u64::from(u32::MAX), 32, false);
        let r = u.binary(IntOp::Add, ConstInt::new(1, 32, false)).unwrap();
        assert!(!r.overflow && r.value.is_zero());
        let m = ConstInt::new(u64::MAX, 64, false);
        assert_eq!(m.binary(IntOp::Mul, m).unwrap().value.bits(), 1);
        let min = ConstInt::from_i128(i128::from(i64::MIN), 64, true);
        assert!(min.binary(IntOp::Div, ConstInt::from_i128(-1, 64, true)).unwrap().overflow);
        assert!(min.neg().overflow);
    }

    #[test]
    fn division_and_shift_errors() {
        assert_eq!(int(1).binary(IntOp::Div, int(0)), Err(FoldError::DivisionByZero));
        assert_eq!(int(1).binary(IntOp::Rem, int(0)), Err(FoldError::DivisionByZero));
        assert_eq!(int(1).binary(IntOp::Shl, int(32)), Err(FoldError::ShiftRange));
        assert_eq!(int(1).binary(IntOp::Shr, int(-1)), Err(FoldError::ShiftRange));
        assert_eq!(int(-7).binary(IntOp::Div, int(2)).unwrap().value.value(), -3);
        assert_eq!(int(-7).binary(IntOp::Rem, int(2)).unwrap().value.value(), -1);
        assert_eq!(int(-8).binary(IntOp::Shr, int(1)).unwrap().value.value(), -4);
    }

    #[test]
    fn conversions_between_formats_round_as_told() {
        let third = ConstFloat::from_f64(1.0 / 3.0);
        assert_eq!(third.convert(FloatKind::Float, Round::Nearest).value.bits(), u64::from((1.0f32 / 3.0).to_bits()));
        let up = third.convert(FloatKind::Half, Round::Up).value;
        let down = third.convert(FloatKind::Half, Round::Down).value;
        assert_eq!(up.bits(), down.bits() + 1);
        assert_eq!(ConstFloat::from_f32(65520.0).convert(FloatKind::Half, Round::Nearest).value.bits(), 0x7c00);
        assert_eq!(ConstFloat::from_f32(1.0).convert(FloatKind::BFloat16, Round::Nearest).value.bits(), 0x3f80);
    }

    #[test]
    fn to_int_saturates_and_says_so() {
        let r = ConstFloat::from_f32(300.7).to_int(8, false, Round::Zero);
        assert_eq!((r.value.value(), r.out_of_range), (255, true));
        let r = ConstFloat::from_f32(f32::NAN).to_int(32, true, Round::Zero);
        assert!(r.out_of_range && r.value.is_zero());
        let r = ConstFloat::from_f64(-2.5).to_int(32, true, Round::Nearest);
        assert_eq!((r.value.value(), r.exact), (-2, false));
        let r = ConstFloat::from_f64(f64::INFINITY).to_int(64, true, Round::Zero);
        assert_eq!(r.value.value(), i128::from(i64::MAX));
        let big = ConstInt::new(u64::MAX, 64, false);
        assert_eq!(ConstFloat::from_int(big, FloatKind::Float, Round::Nearest).value.to_f64(), 18446744073709551616.0);
    }

    #[test]
    fn roots_and_remainders_are_exact() {
        assert_eq!(ConstFloat::from_f32(2.0).sqrt().bits(), u64::from(2.0f32.sqrt().to_bits()));
        let r = ConstFloat::from_f32(5.5).binary(FloatOp::Rem, ConstFloat::from_f32(-2.0), Round::Nearest);
        assert_eq!(r.value.to_f64(), 1.5);
    }
}
