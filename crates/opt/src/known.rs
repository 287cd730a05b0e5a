//! What is known about an integer value from how it is computed: bits, and an unsigned range.
//!
//! Facts that hold everywhere the value is defined. Facts that hold only under a branch or after an assumption come in
//! through an [`Overlay`]; the pass [`crate::facts`] keeps one.
//!
//! Cost: at most [`MAX_DEPTH`] levels of operands, two each.

use analysis::launch;
use ir::{Flags, Function, Opcode, Value, ValueDef};
use target::Target;

/// Deepest level of operands looked at.
pub const MAX_DEPTH: u32 = 4;

/// Bits that are known to be clear or set. For pointers and vectors too (then of every lane).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// Known to be clear, within the type's width.
    pub zeros: u64,
    /// Known to be set.
    pub ones: u64,
}

impl Bits {
    fn constant(c: u64, mask: u64) -> Self {
        Self { zeros: !c & mask, ones: c & mask }
    }

    /// Whether no value has both.
    pub fn excludes(self, other: Self) -> bool {
        (self.zeros & other.ones) | (self.ones & other.zeros) != 0
    }

    /// Number of low bits known to be clear.
    pub fn trailing_zeros(self) -> u32 {
        (!self.zeros).trailing_zeros()
    }
}

/// Smallest and largest value, unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Smallest.
    pub lo: u64,
    /// Largest.
    pub hi: u64,
}

impl Range {
    /// The value, if there is just one.
    pub fn single(self) -> Option<u64> {
        (self.lo == self.hi).then_some(self.lo)
    }
}

/// Facts about single values that hold at some place.
pub trait Overlay {
    /// What is known there about the bits of `v` alone.
    fn bits(&self, v: Value) -> Option<Bits>;
    /// What is known there about the range of `v` alone.
    fn range(&self, v: Value) -> Option<Range>;
}

impl Overlay for () {
    fn bits(&self, _: Value) -> Option<Bits> {
        None
    }
    fn range(&self, _: Value) -> Option<Range> {
        None
    }
}

/// Asks what is known about the values of a function, where the facts of an [`Overlay`] hold.
pub struct Known<'a, O = ()> {
    pub(crate) func: &'a Function,
    target: Target,
    overlay: &'a O,
}

impl<O> Clone for Known<'_, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Known<'_, O> {}

impl<'a> Known<'a> {
    /// What is known everywhere.
    pub fn new(func: &'a Function, target: Target) -> Self {
        Self::with(func, target, &())
    }
}

impl<'a, O: Overlay> Known<'a, O> {
    /// What is known where the facts of `overlay` hold.
    pub fn with(func: &'a Function, target: Target, overlay: &'a O) -> Self {
        Self { func, target, overlay }
    }

    /// What is known about the bits of `v`.
    pub fn bits(self, v: Value) -> Bits {
        self.bits_at(v, MAX_DEPTH)
    }

    /// What is known about the range of `v`.
    pub fn range(self, v: Value) -> Range {
        self.range_at(v, MAX_DEPTH)
    }

    fn bits_at(self, v: Value, depth: u32) -> Bits {
        let known = self.computed_bits(v, depth);
        match self.overlay.bits(v) {
            Some(more) => Bits { zeros: known.zeros | more.zeros, ones: known.ones | more.ones },
            None => known,
        }
    }

    pub(crate) fn range_at(self, v: Value, depth: u32) -> Range {
        let known = self.computed_range(v, depth);
        match self.overlay.range(v) {
            // Facts that contradict each other hold only where nothing is executed.
            Some(more) if more.lo.max(known.lo) <= more.hi.min(known.hi) => {
                Range { lo: known.lo.max(more.lo), hi: known.hi.min(more.hi) }
            }
            _ => known,
        }
    }

    fn computed_bits(self, v: Value, depth: u32) -> Bits {
        use Opcode::*;
        let dfg = &self.func.dfg;
        let mask = dfg.ty(v).mask();
        if let Some(c) = dfg.as_bits(v) {
            return Bits::constant(c, mask);
        }
        let Some(inst) = dfg.def_inst(v).filter(|_| depth > 0) else { return Bits::default() };
        let data = &dfg.insts[inst];
        let arg = |n: usize| self.bits_at(dfg.arg(inst, n), depth - 1);
        let shift = || dfg.as_bits(dfg.arg(inst, 1)).filter(|&n| n < u64::from(data.ty.bits())).map(|n| n as u32);
        let width = u64::from(data.ty.bits());
        match data.op {
            And => {
                let (a, b) = (arg(0), arg(1));
                Bits { zeros: a.zeros | b.zeros, ones: a.ones & b.ones }
            }
            Or => {
                let (a, b) = (arg(0), arg(1));
                Bits { zeros: a.zeros & b.zeros, ones: a.ones | b.ones }
            }
            Xor => {
                let (a, b) = (arg(0), arg(1));
                Bits { zeros: a.zeros & b.zeros | a.ones & b.ones, ones: a.zeros & b.ones | a.ones & b.zeros }
            }
            Shl => shift().map_or(Bits::default(), |n| {
                let a = arg(0);
                Bits { zeros: (a.zeros << n | ((1 << n) - 1)) & mask, ones: a.ones << n & mask }
            }),
            LShr => shift().map_or(Bits::default(), |n| {
                let a = arg(0);
                Bits { zeros: a.zeros >> n | mask & !(mask >> n), ones: a.ones >> n }
            }),
            ZExt => {
                let a = arg(0);
                Bits { zeros: a.zeros | mask & !dfg.ty(dfg.arg(inst, 0)).mask(), ones: a.ones }
            }
            SExt => {
                let (a, from) = (arg(0), dfg.ty(dfg.arg(inst, 0)).mask());
                let sign = from ^ from >> 1;
                let high = mask & !from;
                Bits {
                    zeros: a.zeros | if a.zeros & sign != 0 { high } else { 0 },
                    ones: a.ones | if a.ones & sign != 0 { high } else { 0 },
                }
            }
            Trunc => {
                let a = arg(0);
                Bits { zeros: a.zeros & mask, ones: a.ones & mask }
            }
            Add | Sub => {
                let n = arg(0).trailing_zeros().min(arg(1).trailing_zeros()).min(63);
                let mut known = Bits { zeros: ((1 << n) - 1) & mask, ones: 0 };
                if data.op == Add {
                    known.zeros |= high_zeros(self.range_at(v, depth - 1).hi) & mask;
                }
                known
            }
            Mul => {
                let n = (arg(0).trailing_zeros() + arg(1).trailing_zeros()).min(63);
                Bits { zeros: ((1 << n) - 1) & mask | high_zeros(self.range_at(v, depth - 1).hi) & mask, ones: 0 }
            }
            Select => {
                let (a, b) = (arg(1), arg(2));
                Bits { zeros: a.zeros & b.zeros, ones: a.ones & b.ones }
            }
            SRem | URem => {
                // The remainder differs from the dividend by a multiple of the divisor, which leaves as many low bits alone
                // as the divisor has zeros at its end.
                let low = match dfg.as_bits(dfg.arg(inst, 1)) {
                    Some(d) if d != 0 => (1u64 << d.trailing_zeros()) - 1,
                    _ => 0,
                };
                let a = arg(0);
                let high = if data.op == URem { high_zeros(self.range_at(v, depth - 1).hi) } else { 0 };
                Bits { zeros: (a.zeros & low | high) & mask, ones: a.ones & low }
            }
            Clz | Ctz | Popcnt => Bits { zeros: high_zeros(width) & mask, ones: 0 },
            UDiv | UMin | Special => Bits { zeros: high_zeros(self.range_at(v, depth - 1).hi) & mask, ones: 0 },
            _ => Bits::default(),
        }
    }

    fn computed_range(self, v: Value, depth: u32) -> Range {
        use Opcode::*;
        let dfg = &self.func.dfg;
        let mask = dfg.ty(v).mask();
        let full = Range { lo: 0, hi: mask };
        if let Some(c) = dfg.as_bits(v) {
            return Range { lo: c, hi: c };
        }
        let ValueDef::Inst(inst) = dfg.def(v) else { return full };
        if depth == 0 {
            return full;
        }
        let data = &dfg.insts[inst];
        let arg = |n: usize| self.range_at(dfg.arg(inst, n), depth - 1);
        let within = |lo: Option<u64>, hi: Option<u64>| match (lo, hi) {
            (Some(lo), Some(hi)) if hi <= mask && lo <= hi => Range { lo, hi },
            _ => full,
        };
        let shift = || dfg.as_bits(dfg.arg(inst, 1)).filter(|&n| n < u64::from(data.ty.bits()));
        match data.op {
            Add => {
                let (a, b) = (arg(0), arg(1));
                // Adding a negative constant to something at least as large.
                if let Some(c) = dfg.as_bits(dfg.arg(inst, 1)).filter(|&c| c > mask >> 1) {
                    let down = mask - c + 1;
                    return within(a.lo.checked_sub(down), a.hi.checked_sub(down));
                }
                within(a.lo.checked_add(b.lo), a.hi.checked_add(b.hi))
            }
            Sub => {
                let (a, b) = (arg(0), arg(1));
                within(a.lo.checked_sub(b.hi), a.hi.checked_sub(b.lo))
            }
            Mul => {
                let (a, b) = (arg(0), arg(1));
                within(a.lo.checked_mul(b.lo), a.hi.checked_mul(b.hi))
            }
            And => Range { lo: 0, hi: arg(0).hi.min(arg(1).hi) },
            Or | Xor => {
                let (a, b) = (arg(0), arg(1));
                let lo = if data.op == Or { a.lo.max(b.lo) } else { 0 };
                Range { lo, hi: !high_zeros(a.hi | b.hi) & mask }
            }
            Shl => shift().map_or(full, |n| {
                let a = arg(0);
                if a.hi <= mask >> n { Range { lo: a.lo << n, hi: a.hi << n } } else { full }
            }),
            LShr => shift().map_or(Range { lo: 0, hi: arg(0).hi }, |n| {
                let a = arg(0);
                Range { lo: a.lo >> n, hi: a.hi >> n }
            }),
            UDiv => match dfg.as_bits(dfg.arg(inst, 1)) {
                Some(c) if c > 0 => Range { lo: arg(0).lo / c, hi: arg(0).hi / c },
                // A division by zero may give anything.
                _ => full,
            },
            URem => match dfg.as_bits(dfg.arg(inst, 1)) {
                Some(c) if c > 0 => Range { lo: 0, hi: arg(0).hi.min(c - 1) },
                _ => full,
            },
            UMin => Range { lo: arg(0).lo.min(arg(1).lo), hi: arg(0).hi.min(arg(1).hi) },
            UMax => Range { lo: arg(0).lo.max(arg(1).lo), hi: arg(0).hi.max(arg(1).hi) },
            SMin | SMax => {
                let (a, b) = (arg(0), arg(1));
                let positive = |r: Range| r.hi <= mask >> 1;
                match (data.op, positive(a), positive(b)) {
                    (SMin, true, true) => Range { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
                    (SMax, true, true) => Range { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
                    // A maximum with something nonnegative is nonnegative.
                    (SMax, true, false) => Range { lo: a.lo, hi: mask >> 1 },
                    (SMax, false, true) => Range { lo: b.lo, hi: mask >> 1 },
                    _ => full,
                }
            }
            ZExt => arg(0),
            SExt => {
                let (a, from) = (arg(0), dfg.ty(dfg.arg(inst, 0)).mask());
                if a.hi <= from >> 1 { a } else { full }
            }
            Trunc => {
                let a = arg(0);
                if a.hi <= mask { a } else { full }
            }
            Select => {
                let (a, b) = (arg(1), arg(2));
                Range { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) }
            }
            Clz | Ctz | Popcnt => Range { lo: 0, hi: u64::from(data.ty.bits()) },
            Special => data
                .special()
                .and_then(|r| launch::register_range(self.func, self.target, r))
                .map_or(full, |(lo, hi)| Range { lo, hi }),
            _ => full,
        }
    }

    /// Whether `a + b` cannot wrap as an unsigned addition of the type of `a`.
    pub fn add_fits_unsigned(self, a: Value, b: Value) -> bool {
        self.range(a).hi.checked_add(self.range(b).hi).is_some_and(|s| s <= self.func.dfg.ty(a).mask())
    }

    /// Whether the addition `v = a + b` cannot wrap as a signed one: by flag, or by the ranges of nonnegative operands.
    pub fn add_fits_signed(self, flags: Flags, a: Value, b: Value) -> bool {
        if flags.has(Flags::NSW) {
            return true;
        }
        let most = self.func.dfg.ty(a).mask() >> 1;
        let (a, b) = (self.range(a), self.range(b));
        if a.hi <= most && b.lo > most {
            // A nonnegative and a negative number.
            return true;
        }
        a.hi <= most && b.hi <= most && a.hi.checked_add(b.hi).is_some_and(|s| s <= most)
    }
}

fn high_zeros(max: u64) -> u64 {
    if max == 0 { u64::MAX } else { !(u64::MAX >> max.leading_zeros()) }
}
