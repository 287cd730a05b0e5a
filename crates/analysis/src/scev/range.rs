//! What numbers an expression can be: bounds in both readings and trailing zeros.

use super::facts::Fact;
use super::{Expr, Node, Scev, mask, sext};
use crate::{Loop, launch};
use ir::{Block, Flags, IntCC, Opcode, Value, ValueDef};

/// Deepest chain of instructions looked through for a bound.
const MAX_DEPTH: u32 = 6;
/// Most branches that meet where bounds are looked for.
const MAX_INCOMING: usize = 8;
/// Most loops whose counters are looked at for the bound of one value: each may end by what the one before it left.
const MAX_COUNTERS: u32 = 8;

/// Bounds of an integer, inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Smallest, read as unsigned.
    pub umin: u64,
    /// Largest, read as unsigned.
    pub umax: u64,
    /// Smallest, read as signed.
    pub smin: i64,
    /// Largest, read as signed.
    pub smax: i64,
    /// At least so many low bits are zero; the width for the number 0.
    pub tz: u32,
}

impl Range {
    /// Every number of a width.
    pub fn full(bits: u32) -> Self {
        Self { umin: 0, umax: mask(bits), smin: i64::MIN >> (64 - bits), smax: (mask(bits) >> 1) as i64, tz: 0 }
    }

    /// One number.
    pub fn constant(n: u64, bits: u32) -> Self {
        let s = sext(n, bits);
        Self { umin: n, umax: n, smin: s, smax: s, tz: n.trailing_zeros().min(bits) }
    }

    /// Unsigned bounds.
    pub fn unsigned(lo: u64, hi: u64, bits: u32) -> Self {
        Self { umin: lo, umax: hi.min(mask(bits)), ..Self::full(bits) }.tightened(bits)
    }

    /// Signed bounds.
    pub fn signed(lo: i64, hi: i64, bits: u32) -> Self {
        let full = Self::full(bits);
        Self { smin: lo.max(full.smin), smax: hi.min(full.smax), ..full }.tightened(bits)
    }

    /// The only number in it.
    pub fn single(self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    /// Whether bounds of this reading contradict each other (dead code).
    pub fn is_empty(self) -> bool {
        self.umin > self.umax || self.smin > self.smax
    }

    /// Each reading bounds the other where the sign is known.
    fn tightened(mut self, bits: u32) -> Self {
        let m = mask(bits);
        let top = m >> 1;
        if self.umax <= top {
            self.smin = self.smin.max(self.umin as i64);
            self.smax = self.smax.min(self.umax as i64);
        } else if self.umin > top {
            self.smin = self.smin.max(sext(self.umin, bits));
            self.smax = self.smax.min(sext(self.umax, bits));
        }
        if self.smin >= 0 || self.smax < 0 {
            self.umin = self.umin.max(self.smin as u64 & m);
            self.umax = self.umax.min(self.smax as u64 & m);
        }
        if self.tz > 0 && self.tz < bits {
            let low = mask(self.tz);
            self.umax &= !low;
            self.smax &= !(low as i64);
            // A minimum above the largest multiple is left alone: no such number exists.
            self.umin = self.umin.checked_add(low).map_or(self.umin, |x| x & !low);
            self.smin = self.smin.checked_add(low as i64).map_or(self.smin, |x| x & !(low as i64));
        }
        self
    }

    /// Every number plus `c`, in each reading in which none wraps.
    fn plus(self, c: i64, bits: u32) -> Self {
        let full = Self::full(bits);
        let mut r = full;
        let (lo, hi) = (i128::from(self.umin) + i128::from(c), i128::from(self.umax) + i128::from(c));
        if lo >= 0 && hi <= i128::from(full.umax) {
            r = r.and(Self::unsigned(lo as u64, hi as u64, bits), bits);
        }
        let (lo, hi) = (i128::from(self.smin) + i128::from(c), i128::from(self.smax) + i128::from(c));
        if lo >= i128::from(full.smin) && hi <= i128::from(full.smax) {
            r = r.and(Self::signed(lo as i64, hi as i64, bits), bits);
        }
        r
    }

    /// What both allow.
    #[must_use]
    pub fn and(self, other: Self, bits: u32) -> Self {
        let both = Self {
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
            tz: self.tz.max(other.tz),
        }
        .tightened(bits);
        if both.is_empty() { self } else { both }
    }

    /// What either allows.
    #[must_use]
    fn or(self, other: Self) -> Self {
        Self {
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
            tz: self.tz.min(other.tz),
        }
    }

    fn with_tz(mut self, tz: u32, bits: u32) -> Self {
        self.tz = self.tz.max(tz.min(bits));
        self.tightened(bits)
    }

    /// What `x cc n` says about `x`.
    pub(super) fn compared(cc: IntCC, n: u64, bits: u32) -> Self {
        let (s, full, m) = (sext(n, bits), Self::full(bits), mask(bits));
        match cc {
            IntCC::Eq => Self::constant(n, bits),
            IntCC::Ne if n == 0 => Self::unsigned(1, m, bits),
            IntCC::Ne if n == m => Self::unsigned(0, m - 1, bits),
            IntCC::Ne => full,
            IntCC::Ult if n == 0 => full,
            IntCC::Ult => Self::unsigned(0, n - 1, bits),
            IntCC::Ule => Self::unsigned(0, n, bits),
            IntCC::Ugt if n == m => full,
            IntCC::Ugt => Self::unsigned(n + 1, m, bits),
            IntCC::Uge => Self::unsigned(n, m, bits),
            IntCC::Slt if s == full.smin => full,
            IntCC::Slt => Self::signed(full.smin, s - 1, bits),
            IntCC::Sle => Self::signed(full.smin, s, bits),
            IntCC::Sgt if s == full.smax => full,
            IntCC::Sgt => Self::signed(s + 1, full.smax, bits),
            IntCC::Sge => Self::signed(s, full.smax, bits),
        }
    }
}

impl Scev<'_> {
    /// What numbers `e` can be, wherever it stands.
    pub fn range(&mut self, e: Expr) -> Range {
        if let Some(r) = self.ranges[e] {
            return r;
        }
        let before = std::mem::replace(&mut self.unfinished, false);
        let r = self.compute_range(e, &[]);
        if !self.unfinished {
            self.ranges[e] = Some(r);
        }
        self.unfinished |= before;
        r
    }

    /// Smallest and largest number that the recurrence reaches with unlimited width, in one reading of its start, as
    /// far as the loop's trip count is known. While that is being found, nothing is.
    pub(super) fn reach(&mut self, s: Range, t: Range, l: Loop, signed: bool) -> Option<(i128, i128)> {
        if self.busy.contains(&l) {
            self.unfinished = true;
            return None;
        }
        let max = i128::from(self.max_trips(l)?.checked_sub(1)?);
        let (lo, hi): (i128, i128) =
            if signed { (s.smin.into(), s.smax.into()) } else { (s.umin.into(), s.umax.into()) };
        let down = i128::from(t.smin).min(0).checked_mul(max)?;
        let up = i128::from(t.smax).max(0).checked_mul(max)?;
        Some((lo + down, hi + up))
    }

    /// What numbers `e` can be where `facts` hold.
    pub(super) fn range_with(&mut self, e: Expr, facts: &[Fact]) -> Range {
        if facts.is_empty() {
            return self.range(e);
        }
        let bits = self.exprs.bits(e);
        let mut r = self.compute_range(e, facts);
        for f in facts {
            let Fact::Range(of, known) = *f else { continue };
            if of == e {
                r = r.and(known, bits);
            } else if let Some(c) = self.constant_difference(e, of) {
                // Without facts: `of` may be a sum of `e`, whose range is being found here.
                r = r.and(known.and(self.range(of), bits).plus(c, bits), bits);
            }
        }
        r
    }

    /// `a - b`, sign-extended, if both are sums of the same terms.
    fn constant_difference(&self, a: Expr, b: Expr) -> Option<i64> {
        let bits = self.exprs.bits(a);
        let is_sum = |e: Expr| matches!(self.exprs.node(e), Node::Sum { .. });
        if self.exprs.bits(b) != bits || !is_sum(a) && !is_sum(b) {
            return None;
        }
        let ((c, x), (d, y)) = (self.exprs.terms(a), self.exprs.terms(b));
        (x == y).then(|| sext(c.wrapping_sub(d) & mask(bits), bits))
    }

    fn compute_range(&mut self, e: Expr, facts: &[Fact]) -> Range {
        let bits = self.exprs.bits(e);
        let of = |s: &mut Self, x: Expr| s.range_with(x, facts);
        match self.exprs.node(e) {
            Node::Const(n) => Range::constant(n, bits),
            Node::Unknown(v) => self.value_range(v, 0),
            Node::Sum { .. } => self.sum_range(e, facts),
            Node::Mul(a, b) => {
                let (x, y) = (of(self, a), of(self, b));
                let mut r = Range::full(bits);
                if let Some(top) = x.umax.checked_mul(y.umax).filter(|&t| t <= mask(bits)) {
                    r = Range::unsigned(x.umin * y.umin, top, bits);
                }
                r.with_tz(x.tz + y.tz, bits)
            }
            Node::UDiv(a, b) => {
                let (x, y) = (of(self, a), of(self, b));
                let r = Range::unsigned(x.umin / y.umax.max(1), x.umax / y.umin.max(1), bits);
                match y.single() {
                    Some(d) if d.is_power_of_two() => r.with_tz(x.tz.saturating_sub(d.trailing_zeros()), bits),
                    _ => r,
                }
            }
            Node::AddRec { start, step, wrap, l } => {
                let (s, t) = (of(self, start), of(self, step));
                let full = Range::full(bits);
                let mut r = full;
                if wrap.has(super::Wrap::NUW) {
                    r = r.and(Range::unsigned(s.umin, full.umax, bits), bits);
                }
                if wrap.has(super::Wrap::NUB) {
                    r = r.and(Range::unsigned(0, s.umax, bits), bits);
                }
                if wrap.has(super::Wrap::NSW) && t.smin >= 0 {
                    r = r.and(Range::signed(s.smin, full.smax, bits), bits);
                }
                if wrap.has(super::Wrap::NSW) && t.smax <= 0 {
                    r = r.and(Range::signed(full.smin, s.smax, bits), bits);
                }
                if let Some((lo, hi)) = self.reach(s, t, l, false)
                    && lo >= 0
                    && hi <= i128::from(full.umax)
                {
                    r = r.and(Range::unsigned(lo as u64, hi as u64, bits), bits);
                }
                if let Some((lo, hi)) = self.reach(s, t, l, true)
                    && lo >= i128::from(full.smin)
                    && hi <= i128::from(full.smax)
                {
                    r = r.and(Range::signed(lo as i64, hi as i64, bits), bits);
                }
                r.with_tz(s.tz.min(t.tz), bits)
            }
            Node::ZExt(a) => {
                let r = of(self, a);
                Range::unsigned(r.umin, r.umax, bits).with_tz(zero_tz(r.tz, self.exprs.bits(a), bits), bits)
            }
            Node::SExt(a) => {
                let r = of(self, a);
                Range::signed(r.smin, r.smax, bits).with_tz(zero_tz(r.tz, self.exprs.bits(a), bits), bits)
            }
            Node::Trunc(a) => {
                let r = of(self, a);
                let full = Range::full(bits);
                let mut out = full;
                if r.umax <= full.umax {
                    out = Range::unsigned(r.umin, r.umax, bits);
                }
                if r.smin >= full.smin && r.smax <= full.smax {
                    out = out.and(Range::signed(r.smin, r.smax, bits), bits);
                }
                out.with_tz(r.tz, bits)
            }
            Node::UMin(a, b) => extremum(Opcode::UMin, of(self, a), of(self, b), bits),
            Node::UMax(a, b) => extremum(Opcode::UMax, of(self, a), of(self, b), bits),
            Node::SMin(a, b) => extremum(Opcode::SMin, of(self, a), of(self, b), bits),
            Node::SMax(a, b) => extremum(Opcode::SMax, of(self, a), of(self, b), bits),
        }
    }

    /// Bounds of a sum, in each reading in which it cannot wrap.
    fn sum_range(&mut self, e: Expr, facts: &[Fact]) -> Range {
        let bits = self.exprs.bits(e);
        let (c, terms) = self.exprs.terms(e);
        let mut signed = (i128::from(sext(c, bits)), i128::from(sext(c, bits)));
        // For unsigned bounds a coefficient is read as whichever of its signs is nearer to zero.
        let mut unsigned = signed;
        let mut upward = (i128::from(c), i128::from(c));
        let mut tz = if c == 0 { bits } else { c.trailing_zeros() };
        for (atom, coef) in terms {
            let r = self.range_with(atom, facts);
            let k = i128::from(sext(coef, bits));
            let grow = |acc: &mut (i128, i128), k: i128, lo: i128, hi: i128| {
                let (a, b) = (k.saturating_mul(lo), k.saturating_mul(hi));
                acc.0 = acc.0.saturating_add(a.min(b));
                acc.1 = acc.1.saturating_add(a.max(b));
            };
            grow(&mut signed, k, i128::from(r.smin), i128::from(r.smax));
            grow(&mut unsigned, k, i128::from(r.umin), i128::from(r.umax));
            grow(&mut upward, i128::from(coef), i128::from(r.umin), i128::from(r.umax));
            tz = tz.min(coef.trailing_zeros() + r.tz);
        }
        let mut r = Range::full(bits);
        for (lo, hi) in [unsigned, upward] {
            if lo >= 0 && hi <= i128::from(mask(bits)) {
                r = r.and(Range::unsigned(lo as u64, hi as u64, bits), bits);
            }
        }
        for (lo, hi) in [signed, unsigned] {
            let full = Range::full(bits);
            if lo >= i128::from(full.smin) && hi <= i128::from(full.smax) {
                r = r.and(Range::signed(lo as i64, hi as i64, bits), bits);
            }
        }
        r.with_tz(tz, bits)
    }

    /// Whether a sum, computed with unlimited width from its extended terms, is the extended sum.
    pub(super) fn sum_is_exact(&mut self, e: Expr, signed: bool) -> bool {
        let bits = self.exprs.bits(e);
        let (c, terms) = self.exprs.terms(e);
        let first = i128::from(sext(c, bits));
        let (mut lo, mut hi) = (first, first);
        for (atom, coef) in terms {
            let r = self.range(atom);
            let k = i128::from(sext(coef, bits));
            let (a, b) = if signed { (r.smin.into(), r.smax.into()) } else { (r.umin.into(), i128::from(r.umax)) };
            let (x, y) = (k.saturating_mul(a), k.saturating_mul(b));
            lo = lo.saturating_add(x.min(y));
            hi = hi.saturating_add(x.max(y));
        }
        let full = Range::full(bits);
        if signed {
            lo >= i128::from(full.smin) && hi <= i128::from(full.smax)
        } else {
            lo >= 0 && hi <= i128::from(full.umax)
        }
    }

    /// Bounds of a counter that starts at a constant and has a constant step, wherever it is used.
    fn counter_range(&mut self, v: Value) -> Range {
        let full = Range::full(self.func.dfg.ty(v).bits());
        if self.counters >= MAX_COUNTERS {
            self.unfinished = true;
            return full;
        }
        if !Self::has_expr(self.func.dfg.ty(v)) {
            return full;
        }
        self.counters += 1;
        let e = self.expr(v);
        let range = match self.exprs.node(e) {
            Node::AddRec { start, step, .. } if [start, step].iter().all(|&x| self.exprs.as_const(x).is_some()) => {
                self.range(e)
            }
            _ => full,
        };
        self.counters -= 1;
        range
    }

    /// Bounds of what comes together where branches meet; of what changes in loops only counters have any.
    fn param_range(&mut self, block: Block, n: u32, bits: u32, depth: u32) -> Range {
        let (func, info) = (self.func, self.info);
        let full = Range::full(bits);
        let preds = info.cfg.preds(block);
        if info.loops.header_loop(block).is_some() {
            return self.counter_range(func.dfg.params(block)[n as usize]);
        }
        if preds.is_empty() || preds.len() > MAX_INCOMING {
            return full;
        }
        let mut all: Option<Range> = None;
        for e in preds {
            let Some(&v) = func.dfg.branch_args(e.inst, e.index as usize).get(n as usize) else { return full };
            let r = self.value_range(func.dfg.resolve(v), depth + 1);
            all = Some(all.map_or(r, |x| x.or(r)));
        }
        all.unwrap_or(full)
    }

    /// The one of two values that the other is a constant more than, and how much.
    fn raised(&self, a: Value, b: Value) -> Option<(Value, i64)> {
        let dfg = &self.func.dfg;
        let of = |a: Value, b: Value| {
            let i = dfg.def_op(dfg.resolve(a), Opcode::Add)?;
            (dfg.resolve(dfg.arg(i, 0)) == dfg.resolve(b)).then(|| Some((b, dfg.as_int(dfg.arg(i, 1))?))).flatten()
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// Bounds of what is one of two values.
    fn chosen_range(&mut self, a: Value, b: Value, depth: u32) -> Range {
        let bits = self.func.dfg.ty(a).bits();
        match self.raised(a, b).filter(|_| self.counts) {
            Some((x, by)) => {
                let r = self.value_range(x, depth + 1);
                r.or(r.plus(by, bits))
            }
            None => self.value_range(a, depth + 1).or(self.value_range(b, depth + 1)),
        }
    }

    /// Bounds of an opaque value from the instruction that computes it.
    fn value_range(&mut self, v: Value, depth: u32) -> Range {
        let func = self.func;
        let bits = func.dfg.ty(v).bits();
        let full = Range::full(bits);
        if let Some(n) = func.dfg.as_bits(v) {
            return Range::constant(n, bits);
        }
        if depth >= MAX_DEPTH || func.dfg.ty(v).is_vector() {
            return full;
        }
        let i = match func.dfg.def(v) {
            ValueDef::Inst(i) => i,
            ValueDef::Param(b, n) => return self.param_range(b, n, bits, depth),
            _ => return full,
        };
        let args = func.dfg.args(i);
        let of = |s: &mut Self, n: usize| s.value_range(args[n], depth + 1);
        match func.dfg.op(i) {
            Opcode::And => {
                let (x, y) = (of(self, 0), of(self, 1));
                Range::unsigned(0, x.umax.min(y.umax), bits).with_tz(x.tz.max(y.tz), bits)
            }
            Opcode::Or => {
                let (x, y) = (of(self, 0), of(self, 1));
                let top = (x.umax | y.umax)
                    .checked_add(1)
                    .map_or(u64::MAX, |n| n.checked_next_power_of_two().map_or(u64::MAX, |p| p - 1));
                Range::unsigned(x.umin.max(y.umin), top, bits).with_tz(x.tz.min(y.tz), bits)
            }
            Opcode::URem => {
                let (x, y) = (of(self, 0), of(self, 1));
                // A multiple of the divisor is taken away: as a sum, it has no bound. The newer compiler sees that only of
                // what it computes in 16 bits.
                let sum = self.bare && depth == 0 && !is_power_of_two(func.dfg.as_bits(args[1]));
                if sum && (self.any_ids || x.umax <= u64::from(u16::MAX)) {
                    return full;
                }
                Range::unsigned(0, x.umax.min(y.umax.saturating_sub(1)), bits).with_tz(x.tz.min(y.tz), bits)
            }
            Opcode::SRem => {
                let (x, y) = (of(self, 0), of(self, 1));
                remainder(x, y, bits)
            }
            Opcode::UDiv => {
                let (x, y) = (of(self, 0), of(self, 1));
                Range::unsigned(x.umin / y.umax.max(1), x.umax / y.umin.max(1), bits)
            }
            Opcode::SDiv => {
                let (x, y) = (of(self, 0), of(self, 1));
                quotient(x, y, bits)
            }
            Opcode::LShr => match func.dfg.as_bits(args[1]) {
                Some(n) if n < u64::from(bits) => {
                    let x = of(self, 0);
                    Range::unsigned(x.umin >> n, x.umax >> n, bits)
                }
                _ => Range::unsigned(0, of(self, 0).umax, bits),
            },
            Opcode::AShr => {
                let n = func.dfg.as_bits(args[1]).map_or(0, |n| n.min(u64::from(bits) - 1));
                let x = of(self, 0);
                if n == 0 { full } else { Range::signed(x.smin >> n, x.smax >> n, bits) }
            }
            Opcode::Shl => {
                // An unknown amount may be 0.
                let n = func.dfg.as_bits(args[1]).map_or(0, |n| n.min(64) as u32);
                full.with_tz(of(self, 0).tz + n, bits)
            }
            Opcode::Mul => full.with_tz(of(self, 0).tz + of(self, 1).tz, bits),
            // No opaque value is a sum, but what comes together in one may be: a counter's next value.
            Opcode::Add | Opcode::Sub => {
                let tz = of(self, 0).tz.min(of(self, 1).tz);
                self.counter_range(v).with_tz(tz, bits)
            }
            Opcode::Xor => full.with_tz(of(self, 0).tz.min(of(self, 1).tz), bits),
            Opcode::ZExt => {
                let (r, from) = (of(self, 0), func.dfg.ty(args[0]).bits());
                Range::unsigned(r.umin, r.umax, bits).with_tz(zero_tz(r.tz, from, bits), bits)
            }
            Opcode::SExt => {
                let (r, from) = (of(self, 0), func.dfg.ty(args[0]).bits());
                Range::signed(r.smin, r.smax, bits).with_tz(zero_tz(r.tz, from, bits), bits)
            }
            op @ (Opcode::UMin | Opcode::UMax | Opcode::SMin | Opcode::SMax) => {
                let (x, y) = (of(self, 0), of(self, 1));
                extremum(op, x, y, bits)
            }
            Opcode::Select => self.chosen_range(args[1], args[2], depth),
            Opcode::Popcnt | Opcode::Clz | Opcode::Ctz => Range::unsigned(0, u64::from(bits), bits),
            Opcode::Abs if func.dfg.insts[i].flags.has(Flags::NSW) => Range::signed(0, full.smax, bits),
            Opcode::Special if self.any_ids => full,
            Opcode::Special => {
                let known = func.dfg.insts[i].special().and_then(|reg| launch::register_range(func, self.target, reg));
                known.map_or(full, |(lo, hi)| Range::unsigned(lo, hi, bits))
            }
            _ => full,
        }
    }
}

/// Signed remainders: smaller than the divisor, with the dividend's sign.
fn remainder(x: Range, y: Range, bits: u32) -> Range {
    let most = y.smin.unsigned_abs().max(y.smax.unsigned_abs()).saturating_sub(1).min(i64::MAX as u64) as i64;
    let lo = if x.smin >= 0 { 0 } else { (-most).max(x.smin) };
    let hi = if x.smax <= 0 { 0 } else { most.min(x.smax) };
    Range::signed(lo, hi, bits).with_tz(x.tz.min(y.tz), bits)
}

/// Signed quotients by what is known to be positive.
fn quotient(x: Range, y: Range, bits: u32) -> Range {
    if y.smin < 1 {
        return Range::full(bits);
    }
    let lo = x.smin / if x.smin < 0 { y.smin } else { y.smax };
    let hi = x.smax / if x.smax > 0 { y.smin } else { y.smax };
    Range::signed(lo, hi, bits)
}

fn is_power_of_two(n: Option<u64>) -> bool {
    n.is_some_and(u64::is_power_of_two)
}

/// Trailing zeros after an extension: all of them if the number was zero.
fn zero_tz(tz: u32, from: u32, to: u32) -> u32 {
    if tz >= from { to } else { tz }
}

fn extremum(op: Opcode, x: Range, y: Range, bits: u32) -> Range {
    let r = match op {
        Opcode::UMin => Range::unsigned(x.umin.min(y.umin), x.umax.min(y.umax), bits),
        Opcode::UMax => Range::unsigned(x.umin.max(y.umin), x.umax.max(y.umax), bits),
        Opcode::SMin => Range::signed(x.smin.min(y.smin), x.smax.min(y.smax), bits),
        _ => Range::signed(x.smin.max(y.smin), x.smax.max(y.smax), bits),
    };
    let r = r.and(x.or(y), bits);
    r.with_tz(x.tz.min(y.tz), bits)
}
