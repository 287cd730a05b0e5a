//! Smallest and largest value of an integer as a signed number, from how it is computed.
//!
//! Divisions and remainders of signed numbers have no useful unsigned range where signs are not known: `x % 8` is -7 to 7.
//! As [`crate::known`], which it asks for unsigned ranges, this looks at a bounded number of operands.

use crate::known::{Known, MAX_DEPTH, Overlay};
use ir::{Opcode, Value};

/// Smallest and largest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SignedRange {
    /// Smallest.
    pub lo: i64,
    /// Largest.
    pub hi: i64,
}

impl SignedRange {
    /// Whether every value is one of `other`.
    fn is_within(self, other: Self) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }
}

/// What a type's numbers are.
fn full(bits: u32) -> SignedRange {
    let hi = i64::MAX >> (64 - bits.clamp(1, 64));
    SignedRange { lo: !hi, hi }
}

fn sign_extended(v: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    (v << shift) as i64 >> shift
}

impl<O: Overlay> Known<'_, O> {
    /// What is known about `v` as a signed number.
    pub fn signed_range(self, v: Value) -> SignedRange {
        self.signed_at(v, MAX_DEPTH)
    }

    fn signed_at(self, v: Value, depth: u32) -> SignedRange {
        let ty = self.func.dfg.ty(v);
        let all = full(ty.bits());
        let unsigned = self.range_at(v, depth);
        let half = ty.mask() >> 1;
        let by_sign = if unsigned.hi <= half || unsigned.lo > half {
            SignedRange { lo: sign_extended(unsigned.lo, ty.bits()), hi: sign_extended(unsigned.hi, ty.bits()) }
        } else {
            all
        };
        let computed = if depth == 0 { None } else { self.computed_signed(v, depth) };
        // What does not fit the type may have wrapped.
        match computed.filter(|r| r.is_within(all)) {
            Some(r) if r.lo.max(by_sign.lo) <= r.hi.min(by_sign.hi) => {
                SignedRange { lo: r.lo.max(by_sign.lo), hi: r.hi.min(by_sign.hi) }
            }
            _ => by_sign,
        }
    }

    /// What the operation says; it may leave the type.
    fn computed_signed(self, v: Value, depth: u32) -> Option<SignedRange> {
        use Opcode::*;
        let dfg = &self.func.dfg;
        let inst = dfg.def_inst(v)?;
        let data = &dfg.insts[inst];
        let bits = data.ty.bits();
        let arg = |n: usize| self.signed_at(dfg.arg(inst, n), depth - 1);
        let constant = |n: usize| dfg.as_bits(dfg.arg(inst, n)).map(|c| sign_extended(c, bits));
        let range = |lo: Option<i64>, hi: Option<i64>| Some(SignedRange { lo: lo?, hi: hi? });
        match data.op {
            SRem => {
                let most = constant(1).filter(|&d| d != 0 && d != i64::MIN)?.abs() - 1;
                let a = arg(0);
                let lo = if a.lo >= 0 { 0 } else { a.lo.max(-most) };
                let hi = if a.hi <= 0 { 0 } else { a.hi.min(most) };
                range(Some(lo), Some(hi))
            }
            SDiv => {
                let d = constant(1).filter(|&d| d > 0)?;
                let a = arg(0);
                range(Some(a.lo / d), Some(a.hi / d))
            }
            AShr => {
                let n = dfg.as_bits(dfg.arg(inst, 1)).filter(|&n| n < u64::from(bits))?;
                let a = arg(0);
                range(Some(a.lo >> n), Some(a.hi >> n))
            }
            SExt => Some(arg(0)),
            Trunc => Some(arg(0)).filter(|r| r.is_within(full(bits))),
            Abs => {
                let a = arg(0);
                let most = a.lo.checked_abs()?.max(a.hi.checked_abs()?);
                range(Some(if a.lo > 0 { a.lo } else { 0 }), Some(most))
            }
            SMin | SMax => {
                let (a, b) = (arg(0), arg(1));
                let pick = |x: i64, y: i64| if data.op == SMin { x.min(y) } else { x.max(y) };
                range(Some(pick(a.lo, b.lo)), Some(pick(a.hi, b.hi)))
            }
            Select => {
                let (a, b) = (arg(1), arg(2));
                range(Some(a.lo.min(b.lo)), Some(a.hi.max(b.hi)))
            }
            Add => {
                let (a, b) = (arg(0), arg(1));
                range(a.lo.checked_add(b.lo), a.hi.checked_add(b.hi))
            }
            Sub => {
                let (a, b) = (arg(0), arg(1));
                range(a.lo.checked_sub(b.hi), a.hi.checked_sub(b.lo))
            }
            Mul => {
                let (a, b) = (arg(0), arg(1));
                let mut ends =
                    [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)].into_iter().map(|(x, y)| x.checked_mul(y));
                let first = ends.next()??;
                ends.try_fold(SignedRange { lo: first, hi: first }, |r, e| {
                    e.map(|e| SignedRange { lo: r.lo.min(e), hi: r.hi.max(e) })
                })
            }
            _ => None,
        }
    }
}
