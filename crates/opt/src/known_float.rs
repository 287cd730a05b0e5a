//! Smallest and largest value of a floating-point number, from how it is computed: `(float)get_local_id(0) * 0.01f`.
//!
//! Library functions have branches for arguments that most kernels never pass: `sin` of more than 105615 takes a hundred
//! instructions. Where the argument is made of an index with known bounds, these branches go.
//!
//! What has a range is no NaN and finite. Bounds are wider than needed by far more than roundings, so that they hold in
//! every rounding mode, with subnormal numbers flushed, and after products and sums are fused or regrouped.
//!
//! Cost: at most [`DEPTH`] levels of operands; the first one without a range ends the search.

use crate::known::{Known, Overlay};
use ir::{Flags, FloatCC, Opcode, Type, Value};

/// Deepest level of operands looked at.
const DEPTH: u32 = 6;

/// Smallest and largest value, both finite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatRange {
    /// Smallest.
    pub lo: f64,
    /// Largest.
    pub hi: f64,
}

impl FloatRange {
    fn of(ends: &[f64]) -> Self {
        let lo = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { lo, hi }
    }

    fn join(self, other: Self) -> Self {
        Self::of(&[self.lo, self.hi, other.lo, other.hi])
    }

    fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// With room for the rounding of an operation of this type whose operands and results are at most `most`; `None` if
    /// it might overflow.
    fn rounded(self, ty: Type, most: f64) -> Option<Self> {
        let (relative, least, limit) = match ty {
            Type::F32 => (1e-6, 1e-37, 1e38),
            Type::F64 => (1e-14, 1e-300, 1e300),
            _ => return None,
        };
        let room = most * relative + least;
        let wide = Self { lo: self.lo - room, hi: self.hi + room };
        (wide.magnitude() < limit).then_some(wide)
    }
}

impl<O: Overlay> Known<'_, O> {
    /// What is known about `v` as a number; `None` if it may be a NaN or infinite.
    pub fn float_range(self, v: Value) -> Option<FloatRange> {
        self.float_at(v, DEPTH)
    }

    fn float_at(self, v: Value, depth: u32) -> Option<FloatRange> {
        use Opcode::*;
        let dfg = &self.func.dfg;
        let ty = dfg.ty(v);
        if !matches!(ty, Type::F32 | Type::F64) {
            return None;
        }
        if let Some(c) = dfg.as_float(v) {
            return FloatRange { lo: c, hi: c }.rounded(ty, 0.0);
        }
        let inst = dfg.def_inst(v).filter(|_| depth > 0)?;
        let data = &dfg.insts[inst];
        if data.flags.has(Flags::SAT) {
            return None;
        }
        let arg = |n: usize| self.float_at(dfg.arg(inst, n), depth - 1);
        let (exact, most) = match data.op {
            SiToFp => {
                let r = self.signed_range(dfg.arg(inst, 0));
                (FloatRange { lo: r.lo as f64, hi: r.hi as f64 }, 0.0)
            }
            UiToFp => {
                let r = self.range(dfg.arg(inst, 0));
                (FloatRange { lo: r.lo as f64, hi: r.hi as f64 }, 0.0)
            }
            FpExt | FpTrunc => (arg(0)?, 0.0),
            FNeg => {
                let a = arg(0)?;
                (FloatRange { lo: -a.hi, hi: -a.lo }, 0.0)
            }
            FAbs => {
                let a = arg(0)?;
                let lo = if a.lo <= 0.0 && a.hi >= 0.0 { 0.0 } else { a.lo.abs().min(a.hi.abs()) };
                (FloatRange { lo, hi: a.magnitude() }, 0.0)
            }
            FAdd => sum(arg(0)?, arg(1)?),
            FSub => {
                let (a, b) = (arg(0)?, arg(1)?);
                sum(a, FloatRange { lo: -b.hi, hi: -b.lo })
            }
            FMul => (product(arg(0)?, arg(1)?), 0.0),
            Fma => sum(product(arg(0)?, arg(1)?), arg(2)?),
            FDiv => {
                let c = dfg.as_float(dfg.arg(inst, 1)).filter(|c| c.abs() > 1e-30)?;
                let a = arg(0)?;
                (FloatRange::of(&[a.lo / c, a.hi / c]), 0.0)
            }
            FMin => {
                let (a, b) = (arg(0)?, arg(1)?);
                (FloatRange { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }, 0.0)
            }
            FMax => {
                let (a, b) = (arg(0)?, arg(1)?);
                (FloatRange { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) }, 0.0)
            }
            Select => (arg(1)?.join(arg(2)?), 0.0),
            _ => return None,
        };
        exact.rounded(ty, most.max(exact.magnitude()))
    }
}

/// The sum, and the largest number that is rounded on the way.
fn sum(a: FloatRange, b: FloatRange) -> (FloatRange, f64) {
    (FloatRange { lo: a.lo + b.lo, hi: a.hi + b.hi }, a.magnitude().max(b.magnitude()))
}

fn product(a: FloatRange, b: FloatRange) -> FloatRange {
    FloatRange::of(&[a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi])
}

/// What a comparison says of two ranges, if the same for all pairs.
pub(crate) fn decide(cc: FloatCC, a: FloatRange, b: FloatRange) -> Option<bool> {
    let outcomes: &[(f64, f64)] = if a.hi < b.lo {
        &[(0.0, 1.0)]
    } else if a.lo > b.hi {
        &[(1.0, 0.0)]
    } else {
        &[(0.0, 1.0), (0.0, 0.0), (1.0, 0.0)]
    };
    let first = cc.eval(outcomes[0].0, outcomes[0].1);
    outcomes.iter().all(|&(x, y)| cc.eval(x, y) == first).then_some(first)
}
