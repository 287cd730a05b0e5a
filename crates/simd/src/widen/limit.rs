//! Groups that reach behind the end of the data: `if (id < n) …` around all that a loop over work-items does.
//!
//! Under that guard each vector of each group runs under a mask, though only the last group of a row has work-items that do
//! nothing. Here the guard becomes the loop's end: full vectors up to it without masks, then what is left over. Stores without
//! masks matter most: on Zen 5 a masked one that meets a page which is not there yet takes half a microsecond more.
//!
//! What must hold: the guard stands in the loop's header, alone or with others of which all must be true; what it compares is
//! the local id plus a number from outside, without wrapping; before it nothing has an effect, and no value of an iteration is
//! used afterwards. A limit: bodies of more than [`SMALL`] instructions stay as they are, since there would be two of them. Cost:
//! one look at the header and the latch.

use super::bounds::Bounds;
use super::emit::Emitter;
use super::region::Region;
use crate::regions::RegionLoop;
use ir::{Flags, Function, Inst, IntCC, Opcode, Payload, Type, Value};

/// Most instructions of a body that is there twice for the sake of its masks.
const SMALL: usize = 150;

/// Most guards of which all must be true, as a depth.
const DEPTH: u32 = 4;

/// The work-items that do something are those below `bound`, counted from `base`.
pub(super) struct Limit {
    /// The guard.
    compare: Inst,
    base: Value,
    bound: Value,
    signed: bool,
}

impl Limit {
    /// The guard around all that a body does, if there is one. `most` is the largest local id.
    pub(super) fn find(r: &Region<'_>, l: &RegionLoop, bounds: &Bounds<'_>, most: u32) -> Option<Self> {
        let dfg = &r.func.dfg;
        if l.header == l.latch || !r.live_out().is_empty() {
            return None;
        }
        let idle = |b| r.func.layout.insts(b).all(|i| dfg.op(i).is_terminator() || dfg.insts[i].is_pure());
        let size = r.blocks.iter().map(|&b| r.func.layout.insts(b).count()).sum::<usize>();
        if size > SMALL || !idle(l.header) || !idle(l.latch) {
            return None;
        }
        let t = r.func.layout.terminator(l.header);
        if dfg.op(t) != Opcode::Br || dfg.successor(t, 1) != l.latch || dfg.successor(t, 0) == l.latch {
            return None;
        }
        Self::among(r, l, bounds, most, dfg.arg(t, 0), DEPTH)
    }

    /// A limit among conditions of which all must be true.
    fn among(r: &Region<'_>, l: &RegionLoop, bounds: &Bounds<'_>, most: u32, cond: Value, depth: u32) -> Option<Self> {
        let dfg = &r.func.dfg;
        let i = dfg.def_inst(dfg.resolve(cond))?;
        match dfg.op(i) {
            Opcode::And if depth > 0 => (0..2).find_map(|n| Self::among(r, l, bounds, most, dfg.arg(i, n), depth - 1)),
            Opcode::Icmp => Self::of(r, l, bounds, most, i),
            _ => None,
        }
    }

    fn of(r: &Region<'_>, l: &RegionLoop, bounds: &Bounds<'_>, most: u32, compare: Inst) -> Option<Self> {
        let dfg = &r.func.dfg;
        let Payload::IntCC(cc) = dfg.insts[compare].payload else { return None };
        let (a, b) = (dfg.resolve(dfg.arg(compare, 0)), dfg.resolve(dfg.arg(compare, 1)));
        let (id, bound, cc) = if r.home(b).is_none() { (a, b, cc) } else { (b, a, cc.swapped()) };
        let signed = match cc {
            IntCC::Slt => true,
            IntCC::Ult => false,
            _ => return None,
        };
        if r.home(bound).is_some() || dfg.ty(id) != Type::I32 {
            return None;
        }
        let sum = dfg.def_inst(id)?;
        let (x, base) = (dfg.resolve(dfg.arg(sum, 0)), dfg.resolve(*dfg.args(sum).get(1)?));
        let (x, base) = if x == l.x { (x, base) } else { (base, x) };
        if x != l.x || r.home(base).is_some() {
            return None;
        }
        let steady = match dfg.op(sum) {
            Opcode::Or => bounds.trailing_zeros(base) >= u32::BITS - most.leading_zeros(),
            // The largest sum is below 2^31, so that it is the same with a sign and without.
            Opcode::Add => bounds.max(base).saturating_add(most.into()) <= i32::MAX as u64,
            _ => false,
        };
        steady.then_some(Self { compare, base, bound, signed })
    }

    /// Makes the guard true in a copy of the function from which the loop is emitted; `yes` is a constant of both.
    pub(super) fn take(&self, func: &mut Function, yes: Value) {
        let guard = func.dfg.res(self.compare);
        func.dfg.replace_value(guard, yes);
        func.resolve_aliases();
    }

    /// How many of `trip` work-items do something.
    pub(super) fn end(&self, e: &mut Emitter<'_>, trip: u32) -> Value {
        let (trip, zero) = (e.func.dfg.iconst(Type::I32, trip.into()), e.func.dfg.iconst(Type::I32, 0));
        let below = e.icmp(if self.signed { IntCC::Slt } else { IntCC::Ult }, self.base, self.bound);
        let left = e.plain(Opcode::Sub, Type::I32, &[self.bound, self.base]);
        let left = e.put(Opcode::UMin, Type::I32, Flags::NONE, &[left, trip], Payload::None);
        e.plain(Opcode::Select, Type::I32, &[below, left, zero])
    }
}
