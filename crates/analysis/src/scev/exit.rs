//! Exit counts: how often a loop goes on before a test ends it.
//!
//! With constants, every comparison of an affine recurrence is solved exactly, wraps included
//! ([`first_in_interval`]). Symbolic counts need a promise or a proof that the recurrence does not wrap. What is not
//! affine but starts from constants is executed, for at most [`super::brute::MAX_ITERATIONS`] iterations. Cost per
//! exit: the size of the expressions.

use super::facts::Fact;
use super::interval::first_in_interval;
use super::{Expr, Node, Range, Scev, Wrap, mask};
use crate::Loop;
use ir::{Block, IntCC, Opcode, Payload, Value};
use smallvec::SmallVec;

/// How often control takes a back edge before a test ends the loop, if no other test ends it earlier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExitCount {
    /// The exact count, as an unsigned number of its own width; invariant in the loop.
    pub exact: Option<Expr>,
    /// The exact count, where it is a constant.
    pub constant: Option<u64>,
    /// Never more than this.
    pub max: Option<u64>,
    /// The exact count divides by a step that is a variable: the loop counts upwards, as signed numbers, to a bound,
    /// and ends only there.
    pub strided: bool,
    /// Nothing but that the loop ends shows that this step is not negative.
    pub assumes_sign: bool,
    /// That the recurrence does not wrap, which the exact count needs, follows from bounds of the values and not from a
    /// promise.
    pub by_bounds: bool,
    /// It follows from a start that is not negative and the promise not to wrap as a signed number.
    pub climbs: bool,
    /// Where nothing shows that the recurrence does not wrap: the exact count if the loop, which may then go on for ever,
    /// is to end.
    pub if_it_ends: Option<Expr>,
}

/// How often the header of a loop is executed each time the loop is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TripCount {
    /// The exact number of back edges taken (one less than the header's executions), invariant in the loop.
    pub backedges: Option<Expr>,
    /// Executions of the header, where that is a constant.
    pub exact: Option<u64>,
    /// Executions of the header are never more than this.
    pub max: Option<u64>,
    /// Executions of the header are a multiple of this, at least 1.
    pub multiple: u64,
}

impl Default for TripCount {
    fn default() -> Self {
        Self { backedges: None, exact: None, max: None, multiple: 1 }
    }
}

impl ExitCount {
    fn at_most(max: u64) -> Self {
        Self { max: Some(max), ..Self::default() }
    }
}

impl Scev<'_> {
    /// How often the loop goes on before the exit test at the end of `block` ends it. Nothing is known if `block` is
    /// not executed exactly once per iteration, or has no exit.
    pub fn exit_count(&mut self, l: Loop, block: Block) -> ExitCount {
        if let Some(&c) = self.exits.get(&(l, block)) {
            return c;
        }
        if self.busy.contains(&l) {
            self.unfinished = true;
            return ExitCount::default();
        }
        self.busy.push(l);
        let before = std::mem::replace(&mut self.unfinished, false);
        let c = self.compute_exit(l, block);
        self.busy.pop();
        // What the loop itself was not ready to tell does not spoil its own count; what another was, does.
        let spoilt = self.unfinished && !self.busy.is_empty();
        self.unfinished = before || spoilt;
        if !spoilt {
            self.exits.insert((l, block), c);
        }
        c
    }

    fn compute_exit(&mut self, l: Loop, block: Block) -> ExitCount {
        let loops = &self.info.loops;
        let every = loops.data(l).latches.iter().all(|&x| self.info.dom.dominates(block, x));
        if !every || loops.innermost(block) != Some(l) {
            return ExitCount::default();
        }
        let inst = self.func.layout.terminator(block);
        let Payload::Br(calls, _) = &self.func.dfg.insts[inst].payload else { return ExitCount::default() };
        let stays = [loops.contains(l, calls[0].block), loops.contains(l, calls[1].block)];
        if stays[0] == stays[1] {
            return ExitCount::default();
        }
        let cond = self.func.dfg.arg(inst, 0);
        let mut c = self.condition(l, cond, stays[0], Extent::Whole, 0);
        if c.exact.is_none()
            && let Some(n) = self.brute_force(l, cond, stays[0])
        {
            c = self.constant_count(n, 64);
        }
        c.max = match (c.constant, c.max) {
            (Some(n), _) => Some(n),
            (None, max) => max,
        };
        c
    }

    fn constant_count(&mut self, n: u64, bits: u32) -> ExitCount {
        let e = self.exprs.constant(n, bits);
        ExitCount { exact: Some(e), constant: Some(n), max: Some(n), ..ExitCount::default() }
    }

    pub(super) fn counted(&self, exact: Expr, max: Option<u64>) -> ExitCount {
        ExitCount { exact: Some(exact), constant: self.exprs.as_const(exact), max, ..ExitCount::default() }
    }

    /// The loop goes on while `cond == stay`, and while other conditions hold if that is a part of its test.
    fn condition(&mut self, l: Loop, cond: Value, stay: bool, extent: Extent, depth: u32) -> ExitCount {
        if let Some(b) = self.func.dfg.as_bits(cond) {
            return if (b != 0) == stay { ExitCount::default() } else { self.constant_count(0, 32) };
        }
        let Some(i) = self.func.dfg.def_inst(cond) else { return ExitCount::default() };
        if depth > 8 {
            return ExitCount::default();
        }
        let args = self.func.dfg.args(i);
        match self.func.dfg.op(i) {
            Opcode::Icmp if Self::has_expr(self.func.dfg.ty(args[0])) => {
                let Some(cc) = self.func.dfg.insts[i].int_cc() else { return ExitCount::default() };
                let cc = if stay { cc } else { cc.inverse() };
                let (a, b) = (self.expr(args[0]), self.expr(args[1]));
                let c = self.comparison(l, cc, a, b, extent);
                let by_shifts = |s: &mut Self| {
                    s.shift_limit(l, cc, args[0], args[1]).or_else(|| s.shift_limit(l, cc.swapped(), args[1], args[0]))
                };
                let max = if c.max.is_none() { by_shifts(self) } else { c.max };
                ExitCount { max, ..c }
            }
            Opcode::Xor if self.func.dfg.as_bits(args[1]) == Some(1) => {
                self.condition(l, args[0], !stay, extent, depth + 1)
            }
            op @ (Opcode::And | Opcode::Or) => {
                let a = self.condition(l, args[0], stay, Extent::Part, depth + 1);
                let b = self.condition(l, args[1], stay, Extent::Part, depth + 1);
                // Both must hold to go on: whichever fails first ends the loop.
                if (op == Opcode::And) == stay { self.either(a, b) } else { self.both(a, b) }
            }
            Opcode::Select if self.func.dfg.as_bits(args[if stay { 2 } else { 1 }]) == Some(u64::from(!stay)) => {
                let other = args[if stay { 1 } else { 2 }];
                let a = self.condition(l, args[0], stay, Extent::Part, depth + 1);
                let b = self.condition(l, other, stay, Extent::Part, depth + 1);
                self.either(a, b)
            }
            _ => ExitCount::default(),
        }
    }

    /// The loop ends when either test fails.
    fn either(&mut self, a: ExitCount, b: ExitCount) -> ExitCount {
        let max = match (a.max, b.max) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (x, y) => x.or(y),
        };
        let exact = match (a.exact, b.exact) {
            (Some(x), Some(y)) => Some(self.umin_widened(x, y)),
            _ => None,
        };
        ExitCount { exact, constant: exact.and_then(|e| self.exprs.as_const(e)), max, ..ExitCount::default() }
    }

    /// The loop goes on while either test holds. That both fail once does not make them fail together, so only equal
    /// counts say something.
    fn both(&mut self, a: ExitCount, b: ExitCount) -> ExitCount {
        if a.exact.is_some() && a.exact == b.exact { a } else { ExitCount::default() }
    }

    fn umin_widened(&mut self, a: Expr, b: Expr) -> Expr {
        let bits = self.exprs.bits(a).max(self.exprs.bits(b));
        let (a, b) = (self.zext(a, bits), self.zext(b, bits));
        self.min_max(Opcode::UMin, a, b)
    }

    /// The loop goes on while `a cc b`.
    fn comparison(&mut self, l: Loop, cc: IntCC, a: Expr, b: Expr, extent: Extent) -> ExitCount {
        let is_rec = |s: &Self, e: Expr| matches!(s.exprs.node(e), Node::AddRec { l: of, .. } if of == l);
        let (mut a, mut b, mut cc) = (a, b, cc);
        if !is_rec(self, a) {
            (a, b, cc) = (b, a, cc.swapped());
        }
        if is_rec(self, a) && is_rec(self, b) && matches!(cc, IntCC::Eq | IntCC::Ne) {
            // Equal when the difference is zero.
            let bits = self.exprs.bits(a);
            a = self.sub(a, b);
            b = self.exprs.constant(0, bits);
        }
        let Node::AddRec { start, step, l: of, wrap } = self.exprs.node(a) else {
            return self.invariant_test(l, cc, a, b);
        };
        if of != l || !self.is_invariant(b, l) {
            return ExitCount::default();
        }
        let facts = self.facts(l);
        let (s, t, r) = (self.range_with(start, &facts), self.range_with(step, &facts), self.range_with(b, &facts));
        if let (Some(s), Some(t), Some(r)) = (s.single(), t.single(), r.single()) {
            let bits = self.exprs.bits(a);
            return match constant_exit(cc, s, t, r, bits) {
                Some(k) => self.constant_count(k, bits),
                None => ExitCount::default(),
            };
        }
        let sole = extent == Extent::Whole && self.info.loops.leaving_edges(self.func, l).len() == 1;
        let rec = Rec {
            next: Some(a),
            start,
            step,
            wrap,
            bound: b,
            s,
            t,
            r,
            sole,
            assumed: false,
            mirrored: false,
            raised: false,
        };
        match cc {
            IntCC::Eq => {
                if t.umin == 0 {
                    ExitCount::default()
                } else {
                    ExitCount::at_most(1)
                }
            }
            IntCC::Ne => self.not_equal(l, &rec, &facts),
            IntCC::Slt if sole && self.may_assume_positive(l, step, &t, wrap) => {
                let assumes_sign = t.smin < 0;
                let step = self.assumed_positive(step);
                let t = self.range_with(step, &facts);
                ExitCount { strided: true, assumes_sign, ..self.less(l, &Rec { step, t, ..rec }, cc, &facts) }
            }
            IntCC::Ult if sole && self.steps_to_bound(l, step, &t, &r) => {
                let one = self.exprs.constant(1, self.exprs.bits(step));
                let step = self.min_max(Opcode::UMax, step, one);
                let t = self.range_with(step, &facts);
                let wrap = wrap.with(Wrap::NUW);
                ExitCount { strided: true, ..self.less(l, &Rec { step, t, wrap, ..rec }, cc, &facts) }
            }
            // What climbs from zero or above as a signed number does so as an unsigned one.
            IntCC::Ult
                if sole
                    && self.is_natural(rec.start)
                    && self.is_natural(step)
                    && self.may_assume_positive(l, step, &t, wrap) =>
            {
                let step = self.assumed_positive(step);
                let t = self.range_with(step, &facts);
                let wrap = wrap.with(Wrap::NUW);
                ExitCount { strided: true, ..self.less(l, &Rec { step, t, wrap, ..rec }, cc, &facts) }
            }
            IntCC::Slt | IntCC::Sle | IntCC::Ult | IntCC::Ule => {
                let c = self.upwards(l, &rec, cc, &facts);
                let if_it_ends = if c.exact.is_none() { self.count_if_it_ends(l, &rec, cc, &facts) } else { None };
                ExitCount { if_it_ends, ..c }
            }
            IntCC::Sgt | IntCC::Ugt | IntCC::Sge | IntCC::Uge => self.downwards(l, &rec, cc, &facts),
        }
    }

    /// `i > r` is `~i < ~r` in either reading.
    fn downwards(&mut self, l: Loop, rec: &Rec, cc: IntCC, facts: &[Fact]) -> ExitCount {
        let bits = self.exprs.bits(rec.start);
        let wrap = rec.mirrored_wrap();
        let start = self.not(rec.start);
        let step = self.neg(rec.step);
        let bound = self.not(rec.bound);
        let mirror = Rec {
            next: None,
            start,
            step,
            wrap,
            bound,
            s: complement(rec.s, bits),
            t: self.range_with(step, facts),
            r: complement(rec.r, bits),
            sole: rec.sole,
            assumed: false,
            mirrored: true,
            raised: false,
        };
        match cc {
            IntCC::Sgt => self.less(l, &mirror, IntCC::Slt, facts),
            IntCC::Ugt => self.less(l, &mirror, IntCC::Ult, facts),
            IntCC::Sge => self.less_or_equal(l, &mirror, IntCC::Sle, facts),
            _ => self.less_or_equal(l, &mirror, IntCC::Ule, facts),
        }
    }

    /// The count of a loop that only one test ends, if it ends: a recurrence whose step divides two to its width and that
    /// wraps comes to the same values again, none of which has ended the loop. (LLVM: `canAssumeNoSelfWrap`.) One that
    /// climbs as a signed number, and wraps as an unsigned one, is below an unsigned bound then until it wraps as a signed one.
    fn count_if_it_ends(&mut self, l: Loop, rec: &Rec, cc: IntCC, facts: &[Fact]) -> Option<Expr> {
        let step = rec.t.single().unwrap_or(0);
        let divides = match cc {
            IntCC::Ult | IntCC::Slt => step.is_power_of_two(),
            IntCC::Ule => step == 1,
            _ => false,
        };
        let climbs = cc == IntCC::Ult && rec.wrap.has(Wrap::NSW) && rec.t.smin >= 1;
        if !rec.sole || !(climbs || divides && (self.returns && self.is_promised(l) || self.ends_by_assumption(l))) {
            return None;
        }
        let kept = if cc == IntCC::Slt { Wrap::NSW } else { Wrap::NUW };
        self.upwards(l, &Rec { wrap: rec.wrap.with(kept), assumed: true, ..*rec }, cc, facts).exact
    }

    /// A test that does not change: it ends the loop in the first iteration or never.
    fn invariant_test(&mut self, l: Loop, cc: IntCC, a: Expr, b: Expr) -> ExitCount {
        if self.is_invariant(a, l) && self.is_invariant(b, l) && self.is_known_at_entry(cc.inverse(), a, b, l) {
            return self.constant_count(0, 32);
        }
        ExitCount::default()
    }

    /// Goes on while `i != r`.
    fn not_equal(&mut self, l: Loop, rec: &Rec, facts: &[Fact]) -> ExitCount {
        let bits = self.exprs.bits(rec.start);
        let Some(step) = rec.t.single().filter(|&t| t != 0) else { return ExitCount::default() };
        let positive = step <= mask(bits) >> 1;
        // Count upwards: a negative step is mirrored.
        let (dist, stride) = if positive {
            (self.sub(rec.bound, rec.start), step)
        } else {
            (self.sub(rec.start, rec.bound), step.wrapping_neg() & mask(bits))
        };
        let max_dist = self.max_distance(l, rec, dist, positive, facts);
        if stride == 1 {
            return self.counted(dist, Some(max_dist));
        }
        let tz = stride.trailing_zeros();
        let d = self.exprs.constant(stride, bits);
        let divisible = self.range_with(dist, facts).tz >= tz;
        if divisible && stride.is_power_of_two() || Self::may_assume_end(rec, positive) {
            let e = self.udiv(dist, d);
            return self.counted(e, Some(max_dist / stride));
        }
        if divisible {
            // stride = odd × 2^tz: multiply by the inverse of the odd part, modulo 2^(bits - tz).
            let power = self.exprs.constant(1 << tz, bits);
            let q = self.udiv(dist, power);
            let inverse = inverse(stride >> tz);
            let e = if tz == 0 {
                self.scale(q, inverse)
            } else {
                let narrowed = self.scale(q, inverse.wrapping_shl(tz));
                self.udiv(narrowed, power)
            };
            return self.counted(e, Some(mask(bits) >> tz));
        }
        ExitCount::default()
    }

    /// The loop has no other exit and its recurrence promises not to wrap: then it must reach the bound.
    fn may_assume_end(rec: &Rec, positive: bool) -> bool {
        let promised = rec.wrap.has(Wrap::NSW) || rec.wrap.has(if positive { Wrap::NUW } else { Wrap::NUB });
        promised && rec.sole
    }

    /// Largest value of `dist`, using the order of start and bound where it is known.
    fn max_distance(&mut self, l: Loop, rec: &Rec, dist: Expr, positive: bool, facts: &[Fact]) -> u64 {
        let mut max = self.range_with(dist, facts).umax;
        let (lo, hi, lo_r, hi_r) =
            if positive { (rec.start, rec.bound, rec.s, rec.r) } else { (rec.bound, rec.start, rec.r, rec.s) };
        if self.is_known_at_entry(IntCC::Ule, lo, hi, l) {
            max = max.min(hi_r.umax.saturating_sub(lo_r.umin));
        }
        if self.is_known_at_entry(IntCC::Sle, lo, hi, l) {
            max = max.min(hi_r.smax.wrapping_sub(lo_r.smin) as u64);
        }
        max
    }

    // ---- trip counts --------------------------------------------------------------------------------------------

    /// The trip count if the test at the end of `block` were the only exit.
    pub fn exit_trip_count(&mut self, l: Loop, block: Block) -> TripCount {
        let c = self.exit_count(l, block);
        self.trip_of(l, c)
    }

    /// The trip count: exact if every exit's is, and the smallest bound of those that have one.
    pub fn trip_count(&mut self, l: Loop) -> TripCount {
        let blocks: SmallVec<[Block; 4]> = self.info.loops.exiting_blocks(self.func, l);
        let Some((&first, rest)) = blocks.split_first() else { return TripCount::default() };
        let mut all = self.exit_count(l, first);
        for &b in rest {
            let c = self.exit_count(l, b);
            all = self.either(all, c);
        }
        self.trip_of(l, all)
    }

    /// The bound of [`Scev::trip_count`] alone, for ranges of recurrences: they ask for it again and again.
    pub(super) fn max_trips(&mut self, l: Loop) -> Option<u64> {
        if let Some(known) = self.max_trips.get(l) {
            return known;
        }
        let before = std::mem::replace(&mut self.unfinished, false);
        let mut max: Option<u64> = None;
        for b in self.info.loops.exiting_blocks(self.func, l) {
            let own = self.exit_count(l, b).max;
            max = max.zip(own).map(|(x, y)| x.min(y)).or(max).or(own);
        }
        let trips = max.and_then(|n| n.checked_add(1));
        if !self.unfinished {
            self.max_trips.set(l, Some(trips));
        }
        self.unfinished |= before;
        trips
    }

    fn trip_of(&mut self, l: Loop, c: ExitCount) -> TripCount {
        let mut trip = TripCount {
            backedges: c.exact,
            exact: c.constant.and_then(|n| n.checked_add(1)),
            max: c.max.and_then(|n| n.checked_add(1)),
            multiple: 1,
        };
        if let Some(n) = trip.exact {
            trip.multiple = n;
        } else if let Some(e) = c.exact {
            trip.multiple = self.trip_multiple(l, e);
        }
        trip
    }

    /// The largest number found that divides the count of back edges plus one.
    fn trip_multiple(&mut self, l: Loop, backedges: Expr) -> u64 {
        let facts = self.facts(l);
        let bits = self.exprs.bits(backedges);
        let one = self.exprs.constant(1, bits);
        let trips = self.add(backedges, one);
        let r = self.range_with(trips, &facts);
        let mut multiple = 1u64 << r.tz.min(31);
        let mut inner = trips;
        while let Node::ZExt(x) | Node::SExt(x) = self.exprs.node(inner) {
            inner = x;
        }
        if let Node::UDiv(x, d) = self.exprs.node(backedges)
            && let Some(n) = self.exprs.as_const(d).filter(|d| d.is_power_of_two())
            && self.range_with(x, &facts).umax <= mask(bits) - n
        {
            // One more than a quotient is the quotient of so much more.
            let more = self.add(x, d);
            let tz = self.range_with(more, &facts).tz.saturating_sub(n.trailing_zeros());
            multiple = multiple.max(1 << tz.min(31));
        }
        for f in facts.iter() {
            match *f {
                // The sum may have wrapped to zero only if zero is among its values.
                Fact::Multiple(e, n) if (e == trips || e == inner) && r.umin > 0 => {
                    multiple = lcm(multiple, n).unwrap_or(multiple.max(n));
                }
                _ => {}
            }
        }
        multiple
    }
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).checked_mul(b)
}

/// A recurrence that is compared with a bound, with the ranges that hold at the loop's entry.
#[derive(Clone, Copy)]
pub(super) struct Rec {
    /// The recurrence itself, if it is not the complement of another one.
    pub(super) next: Option<Expr>,
    pub(super) start: Expr,
    pub(super) step: Expr,
    pub(super) wrap: Wrap,
    pub(super) bound: Expr,
    pub(super) s: Range,
    pub(super) t: Range,
    pub(super) r: Range,
    /// Nothing else ends the loop.
    pub(super) sole: bool,
    /// That it does not wrap is assumed, since the loop would not end then.
    pub(super) assumed: bool,
    /// The recurrence and the bound are complements of those of the test.
    pub(super) mirrored: bool,
    /// The bound is one more than that of the test, and did not wrap.
    pub(super) raised: bool,
}

/// What a condition is of an exit's test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Whole,
    /// Others may end the loop at the same exit.
    Part,
}

impl Rec {
    /// What the complement of the recurrence does not do.
    fn mirrored_wrap(&self) -> Wrap {
        let mut w = Wrap::NONE;
        if self.wrap.has(Wrap::NSW) {
            w = w.with(Wrap::NSW);
        }
        if self.wrap.has(Wrap::NUB) {
            w = w.with(Wrap::NUW);
        }
        w
    }
}

/// Range of `~x`.
fn complement(r: Range, bits: u32) -> Range {
    let m = mask(bits);
    Range { umin: m - r.umax, umax: m - r.umin, smin: !r.smax, smax: !r.smin, tz: 0 }
}

/// The inverse of an odd number modulo 2^64.
fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..6 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

/// The first `k` for which `s + k × t cc r` is false, modulo 2 to the width; `None` if it always holds.
fn constant_exit(cc: IntCC, s: u64, t: u64, r: u64, bits: u32) -> Option<u64> {
    let m = mask(bits);
    // Signed order is unsigned order with the sign bit flipped, and flipping it commutes with addition.
    let flip = if cc.is_signed() { 1 << (bits - 1) } else { 0 };
    let (s, r) = (s ^ flip, r ^ flip);
    let size = u128::from(m) + 1;
    let (lo, len) = match cc {
        IntCC::Ne => (r, 1),
        IntCC::Eq => (r.wrapping_add(1) & m, size - 1),
        IntCC::Ult | IntCC::Slt => (r, size - u128::from(r)),
        IntCC::Ule | IntCC::Sle => (r.wrapping_add(1) & m, size - 1 - u128::from(r)),
        IntCC::Ugt | IntCC::Sgt => (0, u128::from(r) + 1),
        IntCC::Uge | IntCC::Sge => (0, u128::from(r)),
    };
    first_in_interval(s, t, lo, len, bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every 8-bit comparison, with starts, steps and bounds sampled densely, against execution.
    #[test]
    fn constant_exits_agree_with_execution() {
        for cc in IntCC::ALL {
            for t in (0..256u64).step_by(3) {
                for s in (0..256u64).step_by(11) {
                    for r in (0..256u64).step_by(5) {
                        let slow = (0..256u64).find(|k| !cc.eval((s + k * t) & 255, r, 8));
                        assert_eq!(constant_exit(cc, s, t, r, 8), slow, "{cc:?} {s} {t} {r}");
                    }
                }
            }
        }
    }

    #[test]
    fn inverses() {
        for odd in [1u64, 3, 5, 7, 0xdead_beef, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
