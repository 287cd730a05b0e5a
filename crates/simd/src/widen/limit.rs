//! Groups that reach behind the end of the data: `if (id < n) …` around all that a loop over work-items does.
//!
//! Under that guard each vector of each group runs under a mask, though only the last group of a row has work-items that do
//! nothing. Here the guard becomes the loop's end: full vectors up to it without masks, then what is left over. Stores without
//! masks matter most: on Zen 5 a masked one that meets a page which is not there yet takes half a microsecond more. A group
//! in which nobody does anything costs a comparison.
//!
//! What must hold: guards stand one behind the other from the loop's header on, each alone or with others of which all must
//! hold, and who fails one goes to the latch; before them nothing has an effect, and no value of an iteration is used
//! afterwards. One of them compares the local id plus numbers from outside, without wrapping; those that are the same for
//! all work-items end the loop, too. Of bodies of more than [`SMALL`] instructions there are not two in vectors: what is left over runs
//! in the loop as it was, one work-item after another ([`super::few`]), and what is too large for that stays as it is. Cost: one
//! look at [`CHAIN`] blocks and the latch.

use super::bounds::Bounds;
use super::emit::Emitter;
use super::region::Region;
use crate::regions::RegionLoop;
use ir::{Block, Flags, Function, Inst, IntCC, Opcode, Payload, Type, Value};

/// Most instructions of a body that is there twice for the sake of its masks.
pub(super) const SMALL: usize = 150;

/// Most guards one behind the other.
const CHAIN: usize = 4;

/// Most sums and conversions that make an id of a local id, and most nesting of conditions.
const DEPTH: u32 = 8;

/// A condition and what it must be.
type Wanted = (Value, bool);

/// The work-items that do something are those whose sum is below a bound, if all gates are as they should be.
pub(super) struct Limit {
    compared: Compared,
    /// Conditions that are the same for all work-items.
    gates: Vec<Wanted>,
}

/// A comparison of a local id, and numbers that are added to it, with a bound from outside.
struct Compared {
    guard: Wanted,
    sum: Sum,
    bound: Value,
    signed: bool,
}

/// The local id plus numbers from outside, without wrapping.
struct Sum {
    /// The largest that it can be, where that is known; it is not negative then.
    most: Option<u64>,
    /// What is done to the local id, in order.
    steps: Vec<(Opcode, Type, Option<Value>)>,
}

impl Sum {
    fn and(mut self, op: Opcode, ty: Type, other: Option<Value>, most: Option<u64>) -> Self {
        self.steps.push((op, ty, other));
        Self { most, ..self }
    }

    /// That of the first work-item.
    fn first(&self, e: &mut Emitter<'_>) -> Value {
        let mut sum = e.func.dfg.iconst(Type::I32, 0);
        for &(op, ty, other) in &self.steps {
            sum = match other {
                Some(other) => e.plain(op, ty, &[sum, other]),
                None => e.plain(op, ty, &[sum]),
            };
        }
        sum
    }
}

/// Whether a body may be there twice in vectors.
pub(super) fn is_small(r: &Region<'_>) -> bool {
    r.blocks.iter().map(|&b| r.func.layout.insts(b).count()).sum::<usize>() <= SMALL
}

impl Limit {
    /// The guard around all that a body does, if there is one. `most` is the largest local id.
    pub(super) fn find(r: &Region<'_>, l: &RegionLoop, bounds: &Bounds<'_>, most: u32) -> Option<Self> {
        let mut search = Search { r, l, bounds, most, all_reach: true, others: false, found: None, gates: Vec::new() };
        if l.header == l.latch || !r.live_out().is_empty() || !search.is_idle(l.latch) {
            return None;
        }
        search.follow();
        Some(Self { compared: search.found?, gates: search.gates })
    }

    /// Makes the guard what it must be in a copy of the function from which the loop is emitted; `no` and `yes` are
    /// constants of both.
    pub(super) fn take(&self, func: &mut Function, [no, yes]: [Value; 2]) {
        let (guard, wanted) = self.compared.guard;
        func.dfg.replace_value(guard, if wanted { yes } else { no });
        func.resolve_aliases();
    }

    /// How many of `trip` work-items, an `i32`, do something.
    pub(super) fn end(&self, e: &mut Emitter<'_>, trip: Value) -> Value {
        let Compared { ref sum, bound, signed, .. } = self.compared;
        let ty = e.func.dfg.ty(bound);
        let (first, zero) = (sum.first(e), e.func.dfg.iconst(Type::I32, 0));
        let below = e.icmp(if signed { IntCC::Slt } else { IntCC::Ult }, first, bound);
        let left = e.plain(Opcode::Sub, ty, &[bound, first]);
        let trip = if ty == Type::I32 { trip } else { e.plain(Opcode::ZExt, ty, &[trip]) };
        let left = e.put(Opcode::UMin, ty, Flags::NONE, &[left, trip], Payload::None);
        let left = if ty == Type::I32 { left } else { e.plain(Opcode::Trunc, Type::I32, &[left]) };
        let end = e.plain(Opcode::Select, Type::I32, &[below, left, zero]);
        self.gates.iter().fold(end, |end, &(gate, wanted)| {
            let ways = if wanted { [gate, end, zero] } else { [gate, zero, end] };
            e.plain(Opcode::Select, Type::I32, &ways)
        })
    }
}

/// A look at the guards of a loop's body.
struct Search<'a, 'b> {
    r: &'a Region<'b>,
    l: &'a RegionLoop,
    bounds: &'a Bounds<'b>,
    most: u32,
    /// Whether all work-items get to the block that is looked at, unless none does anything.
    all_reach: bool,
    /// Whether there was a condition that is neither a gate nor the limit.
    others: bool,
    found: Option<Compared>,
    gates: Vec<Wanted>,
}

impl Search<'_, '_> {
    /// Whether a block does nothing but compute.
    fn is_idle(&self, b: Block) -> bool {
        let dfg = &self.r.func.dfg;
        self.r.func.layout.insts(b).all(|i| dfg.op(i).is_terminator() || dfg.insts[i].is_pure())
    }

    /// Looks at one guard after the other, from the header on.
    fn follow(&mut self) {
        let (r, dfg) = (self.r, &self.r.func.dfg);
        let mut b = self.l.header;
        for _ in 0..CHAIN {
            let t = r.func.layout.terminator(b);
            if !self.is_idle(b) || dfg.op(t) != Opcode::Br {
                return;
            }
            let wanted = match [0, 1].map(|n| dfg.successor(t, n) == self.l.latch) {
                [false, true] => true,
                [true, false] => false,
                _ => return,
            };
            let known = self.found.is_some();
            self.among(dfg.arg(t, 0), wanted, DEPTH);
            // What wraps for those whom other conditions keep away says nothing.
            let here = self.found.as_ref().filter(|_| !known);
            if here.is_some_and(|c| c.sum.most.is_none()) && (!self.all_reach || self.others) {
                self.found = None;
                self.others = true;
            }
            self.all_reach &= !self.others && self.found.is_none();
            b = dfg.successor(t, usize::from(wanted) ^ 1);
            if r.info.cfg.preds(b).len() != 1 || !r.contains(b) {
                return;
            }
        }
    }

    /// Looks at conditions which must all be as wanted.
    fn among(&mut self, cond: Value, wanted: bool, depth: u32) {
        let dfg = &self.r.func.dfg;
        let cond = dfg.resolve(cond);
        let Some(i) = self.r.home(cond).and_then(|_| dfg.def_inst(cond)) else {
            if self.all_reach && self.r.home(cond).is_none() {
                self.gates.push((cond, wanted));
            } else {
                self.others = true;
            }
            return;
        };
        match (dfg.op(i), wanted) {
            (Opcode::And, true) | (Opcode::Or, false) if depth > 0 => {
                (0..2).for_each(|n| self.among(dfg.arg(i, n), wanted, depth - 1));
            }
            (Opcode::Icmp, _) if self.found.is_none() => match self.compared(i, wanted) {
                Some(found) => self.found = Some(found),
                None => self.others = true,
            },
            _ => self.others = true,
        }
    }

    /// A comparison that is a limit.
    fn compared(&self, compare: Inst, wanted: bool) -> Option<Compared> {
        let dfg = &self.r.func.dfg;
        let Payload::IntCC(cc) = dfg.insts[compare].payload else { return None };
        let cc = if wanted { cc } else { cc.inverse() };
        let (a, b) = (dfg.resolve(dfg.arg(compare, 0)), dfg.resolve(dfg.arg(compare, 1)));
        let (id, bound, cc) = if self.r.home(b).is_none() { (a, b, cc) } else { (b, a, cc.swapped()) };
        let signed = match cc {
            IntCC::Slt => true,
            IntCC::Ult => false,
            _ => return None,
        };
        let ty = dfg.ty(id);
        if self.r.home(bound).is_some() || !matches!(ty, Type::I32 | Type::I64) {
            return None;
        }
        let sum = self.sum(id, DEPTH)?;
        let fits = sum.most.map_or(signed, |most| most <= ty.mask() >> u32::from(signed));
        fits.then(|| Compared { guard: (dfg.res(compare), wanted), sum, bound, signed })
    }

    /// `v` as the local id plus numbers from outside.
    fn sum(&self, v: Value, depth: u32) -> Option<Sum> {
        let dfg = &self.r.func.dfg;
        let v = dfg.resolve(v);
        if v == self.l.x {
            return Some(Sum { most: Some(self.most.into()), steps: Vec::new() });
        }
        let i = dfg.def_inst(v).filter(|_| depth > 0 && self.r.home(v).is_some())?;
        match dfg.op(i) {
            Opcode::ZExt | Opcode::SExt | Opcode::Trunc => self.converted(i, depth),
            Opcode::Add | Opcode::Or => self.added(i, depth),
            _ => None,
        }
    }

    fn converted(&self, i: Inst, depth: u32) -> Option<Sum> {
        let dfg = &self.r.func.dfg;
        let (op, from, to) = (dfg.op(i), dfg.ty(dfg.arg(i, 0)), dfg.insts[i].ty);
        let sum = self.sum(dfg.arg(i, 0), depth - 1)?;
        let most = sum.most;
        let kept = match op {
            Opcode::Trunc => most.is_some_and(|n| n <= to.mask()),
            Opcode::ZExt => most.is_some(),
            _ => most.is_none_or(|n| n <= from.mask() >> 1),
        };
        kept.then(|| sum.and(op, to, None, most))
    }

    fn added(&self, i: Inst, depth: u32) -> Option<Sum> {
        let dfg = &self.r.func.dfg;
        let (op, ty) = (dfg.op(i), dfg.insts[i].ty);
        let (a, b) = (dfg.resolve(dfg.arg(i, 0)), dfg.resolve(dfg.arg(i, 1)));
        let (id, other) = if self.r.home(b).is_none() { (a, b) } else { (b, a) };
        if self.r.home(other).is_some() {
            return None;
        }
        let sum = self.sum(id, depth - 1)?;
        let most = sum.most.and_then(|m| m.checked_add(self.bounds.max(other))).filter(|&m| m <= ty.mask());
        let kept = match op {
            Opcode::Or => sum.most.is_some_and(|m| self.bounds.trailing_zeros(other) >= u64::BITS - m.leading_zeros()),
            _ => most.is_some() || dfg.insts[i].flags.has(Flags::NSW),
        };
        // A sum that fits without a sign may be too large for one with it.
        let signed = sum.most.is_none_or(|m| m <= ty.mask() >> 1);
        (kept && (most.is_some() || signed)).then(|| sum.and(op, ty, Some(other), most))
    }
}
