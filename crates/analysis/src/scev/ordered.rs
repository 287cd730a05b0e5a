//! Counts of loops that go on while a recurrence is below a bound: LLVM's `howManyLessThans`.
//!
//! What must hold: a step that is known to be positive. Without a promise or a proof that the recurrence does not wrap there is no
//! count. The start is known not to be above the bound, or the bound is the larger of both. Cost: a few questions to the
//! facts that hold where the loop is entered.

use super::exit::{ExitCount, Rec};
use super::facts::Fact;
use super::{Expr, Range, Scev, Wrap, mask};
use crate::Loop;
use ir::{Flags, Inst, IntCC, Opcode};

impl Scev<'_> {
    /// Goes on while `i < r` or `i <= r`.
    pub(super) fn upwards(&mut self, l: Loop, rec: &Rec, cc: IntCC, facts: &[Fact]) -> ExitCount {
        match cc {
            IntCC::Slt | IntCC::Ult => self.less(l, rec, cc, facts),
            _ => self.less_or_equal(l, rec, cc, facts),
        }
    }

    /// Goes on while `i <= r`: while `i < r + 1`, if that does not wrap.
    pub(super) fn less_or_equal(&mut self, l: Loop, rec: &Rec, cc: IntCC, facts: &[Fact]) -> ExitCount {
        let bits = self.exprs.bits(rec.start);
        let full = Range::full(bits);
        let signed = cc == IntCC::Sle;
        let below_max = if signed { rec.r.smax < full.smax } else { rec.r.umax < full.umax };
        let promised = rec.wrap.has(if signed { Wrap::NSW } else { Wrap::NUW });
        let computable = below_max || promised && rec.sole;
        if !computable {
            return ExitCount::default();
        }
        let one = self.exprs.constant(1, bits);
        let bound = self.add(rec.bound, one);
        let r = if below_max {
            let m = mask(bits);
            Range {
                umin: if rec.r.umax < m { rec.r.umin + 1 } else { 0 },
                umax: rec.r.umax.saturating_add(1).min(m),
                smin: if rec.r.smax < full.smax { rec.r.smin + 1 } else { full.smin },
                smax: rec.r.smax.saturating_add(1).min(full.smax),
                tz: 0,
            }
        } else {
            self.range_with(bound, facts)
        };
        let rec = Rec { bound, r, raised: true, ..*rec };
        self.less(l, &rec, if signed { IntCC::Slt } else { IntCC::Ult }, facts)
    }

    /// Goes on while `i < r`, with a step that is known to be positive.
    pub(super) fn less(&mut self, l: Loop, rec: &Rec, cc: IntCC, facts: &[Fact]) -> ExitCount {
        let bits = self.exprs.bits(rec.start);
        let full = Range::full(bits);
        let (s, t, r) = (rec.s, rec.t, rec.r);
        if t.smin < 1 {
            return ExitCount::default();
        }
        let signed = cc == IntCC::Slt;
        let (tmin, tmax) = (i128::from(t.smin), i128::from(t.smax));
        let (smin, rmax, top) = if signed {
            (i128::from(s.smin), i128::from(r.smax), i128::from(full.smax))
        } else {
            (i128::from(s.umin), i128::from(r.umax), i128::from(full.umax))
        };
        // What climbs from zero or more and stays signed does not wrap as unsigned either.
        let climbs = rec.wrap.has(Wrap::NSW) && s.smin >= 0;
        let by_promise = rec.wrap.has(if signed { Wrap::NSW } else { Wrap::NUW });
        let promised = by_promise || climbs;
        let cannot_wrap = rmax + tmax - 1 <= top;
        if !promised && !cannot_wrap {
            return ExitCount::default();
        }
        let ceil = |n: i128| if n <= 0 { 0 } else { (n + tmin - 1) / tmin };
        let mut max = ceil(rmax - smin);
        if promised {
            // No iteration starts so high that it would wrap, but for the last.
            max = max.min(ceil(top - smin).max(0));
        }
        let ordered = if signed { IntCC::Sle } else { IntCC::Ule };
        let one = self.exprs.constant(1, bits);
        let below = self.sub(rec.start, one);
        // If one less than the start is below the bound, that does not wrap, and the start is at most the bound.
        // (LLVM: `howManyLessThans`.)
        let in_order = self.is_known_at_entry(ordered, rec.start, rec.bound, l)
            || self.exprs.as_const(rec.step) == Some(1) && self.is_below(l, rec, cc, below);
        let end = if in_order {
            rec.bound
        } else if let Some(before) = self.before_first(l, rec, cc) {
            // The bound less one, less what the first addition was made to, is not negative and not less than what
            // the additions that follow make up.
            let last = self.sub(rec.bound, one);
            let dist = self.sub(last, before);
            let e = self.udiv(dist, rec.step);
            let max = u64::try_from(max).ok();
            return ExitCount {
                by_bounds: !by_promise,
                climbs: climbs && !by_promise,
                ..self.counted(e, self.exprs.as_const(e).or(max))
            };
        } else {
            let op = if signed { Opcode::SMax } else { Opcode::UMax };
            self.min_max_ranged(op, (rec.bound, r), (rec.start, s))
        };
        let dist = self.sub(end, rec.start);
        let e = self.ceil_div(dist, rec.step, t, cannot_wrap || signed && s.smin >= 0, facts);
        let max = u64::try_from(max).ok();
        ExitCount {
            by_bounds: !by_promise,
            climbs: climbs && !by_promise,
            ..self.counted(e, self.exprs.as_const(e).or(max))
        }
    }

    /// Whether `before`, which is known where the loop begins, is known to be below the bound there.
    fn is_below(&mut self, l: Loop, rec: &Rec, cc: IntCC, before: Expr) -> bool {
        let one = self.exprs.constant(1, self.exprs.bits(before));
        let ordered = if cc == IntCC::Slt { IntCC::Sle } else { IntCC::Ule };
        // What is less than a number that was raised is at most what that was raised from; what one less than it is below, it is
        // at most.
        let (last, less) = (self.sub(rec.bound, one), self.sub(before, one));
        let tests = [(cc, before, rec.bound, true), (ordered, before, last, rec.raised), (cc, less, last, rec.raised)];
        tests.into_iter().filter(|t| t.3).any(|(cc, a, b, _)| {
            let (not_a, not_b) = (self.not(a), self.not(b));
            self.is_known_at_entry(cc, a, b, l) || rec.mirrored && self.is_known_at_entry(cc, not_b, not_a, l)
        })
    }

    /// What a loop variable is when the loop begins, where the recurrence is what one addition makes of it, which is
    /// promised or assumed not to wrap, and where it is known to be below the bound: `i += step` of a loop with a guard.
    fn before_first(&mut self, l: Loop, rec: &Rec, cc: IntCC) -> Option<Expr> {
        let (func, info) = (self.func, self.info);
        let flag = if cc == IntCC::Slt { Flags::NSW } else { Flags::NUW };
        let header = info.loops.header(l);
        let latch = func.layout.terminator(info.loops.latch(l)?);
        let back = (0..func.dfg.successor_count(latch)).find(|&n| func.dfg.successor(latch, n) == header)?;
        let entry = info.loops.entry_edge(&info.cfg, l)?;
        for (n, &p) in func.dfg.params(header).iter().enumerate() {
            let next = func.dfg.branch_args(latch, back)[n];
            let promised = |&i: &Inst| rec.assumed || func.dfg.insts[i].flags.has(flag);
            let Some(i) = func.dfg.def_op(next, Opcode::Add).filter(promised) else {
                continue;
            };
            let adds = func.dfg.args(i).iter().any(|&v| func.dfg.resolve(v) == p);
            if adds && Some(self.expr(next)) == rec.next {
                let before = self.expr(func.dfg.branch_args(entry.inst, entry.index as usize)[n]);
                return self.is_below(l, rec, cc, before).then_some(before);
            }
        }
        None
    }

    /// `dist / step`, rounded up; `fits` says that `dist + step - 1` does not wrap.
    fn ceil_div(&mut self, dist: Expr, step: Expr, t: Range, fits: bool, facts: &[Fact]) -> Expr {
        let bits = self.exprs.bits(dist);
        if self.exprs.as_const(step) == Some(1) {
            return dist;
        }
        let d = self.range_with(dist, facts);
        if let Some(n) = t.single()
            && n.is_power_of_two()
            && d.tz >= n.trailing_zeros()
        {
            return self.udiv(dist, step);
        }
        let one = self.exprs.constant(1, bits);
        if fits || d.umax.checked_add(t.umax - 1).is_some_and(|x| x <= mask(bits)) {
            let less = self.sub(step, one);
            let sum = self.add(dist, less);
            return self.udiv(sum, step);
        }
        // min(dist, 1) + (dist - min(dist, 1)) / step never wraps.
        let first = self.min_max(Opcode::UMin, dist, one);
        let rest = self.sub(dist, first);
        let q = self.udiv(rest, step);
        self.add(q, first)
    }
}
