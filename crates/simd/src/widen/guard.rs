//! Iterations in which nothing happens: `if (l < s) …` around all that a loop over work-items does.
//!
//! A tree in local memory halves the work-items that do something from step to step; without this all of them would be looked
//! at in each. The loop ends as soon as its base has passed the guard's bound. What must hold: the guard stands in the
//! loop's header and leads to the latch, before it nothing has an effect, and no value of an iteration is used afterwards.
//! Rows that run together end where the last of them does. A limit: the compared value is the local id in x itself, at
//! most widened. Cost: one look at the header and the latch.

use super::emit::Emitter;
use super::region::Region;
use crate::regions::RegionLoop;
use ir::{Flags, IntCC, Opcode, Payload, Type, Value};

/// From which work-item on an iteration does nothing.
pub(super) struct Guard {
    /// A value from outside of the loop.
    bound: Value,
    /// Whether the work-item of that number itself does something.
    inclusive: bool,
}

impl Guard {
    /// The guard around all that the loop's body does, if there is one.
    pub(super) fn find(r: &Region<'_>, l: &RegionLoop) -> Option<Self> {
        let dfg = &r.func.dfg;
        if l.header == l.latch || !r.live_out().is_empty() {
            return None;
        }
        let idle = |b| r.func.layout.insts(b).all(|i| dfg.op(i).is_terminator() || dfg.insts[i].is_pure());
        if !idle(l.header) || !idle(l.latch) {
            return None;
        }
        let t = r.func.layout.terminator(l.header);
        if dfg.op(t) != Opcode::Br {
            return None;
        }
        let skips = [0, 1].map(|n| dfg.successor(t, n) == l.latch);
        let compare = dfg.def_op(dfg.arg(t, 0), Opcode::Icmp)?;
        let Payload::IntCC(cc) = dfg.insts[compare].payload else { return None };
        let (a, b) = (dfg.resolve(dfg.arg(compare, 0)), dfg.resolve(dfg.arg(compare, 1)));
        let is_x =
            |v: Value| v == l.x || dfg.def_op(v, Opcode::ZExt).is_some_and(|i| dfg.resolve(dfg.arg(i, 0)) == l.x);
        let (bound, cc) = if is_x(a) { (b, cc) } else { (a, cc.swapped()) };
        if !(is_x(a) || is_x(b)) || r.home(bound).is_some() {
            return None;
        }
        let works = match skips {
            [false, true] => cc,
            [true, false] => cc.inverse(),
            _ => return None,
        };
        // The local id is not negative: a negative bound, read without its sign, is one that no id reaches.
        match works {
            IntCC::Ult | IntCC::Slt => Some(Self { bound, inclusive: false }),
            IntCC::Ule | IntCC::Sle | IntCC::Eq => Some(Self { bound, inclusive: true }),
            _ => None,
        }
    }

    /// The number of work-items after which nothing happens, at most `end`, an `i32`, which is not 0.
    pub(super) fn end(&self, e: &mut Emitter<'_>, end: Value) -> Value {
        let ty = e.func.dfg.ty(self.bound);
        let most = match (e.func.dfg.as_int(end), self.inclusive) {
            (Some(n), inclusive) => e.func.dfg.iconst(ty, n - i64::from(inclusive)),
            (None, inclusive) => {
                let less = e.func.dfg.iconst(Type::I32, -i64::from(inclusive));
                let most = e.plain(Opcode::Add, Type::I32, &[end, less]);
                if ty == Type::I32 { most } else { e.plain(Opcode::ZExt, ty, &[most]) }
            }
        };
        let mut bound = self.bound;
        for row in 1..e.grid.rows {
            let other = e.in_row(self.bound, row);
            if other != self.bound {
                bound = e.put(Opcode::UMax, ty, Flags::NONE, &[bound, other], Payload::None);
            }
        }
        let bound = e.put(Opcode::UMin, ty, Flags::NONE, &[bound, most], Payload::None);
        let bound = if ty == Type::I32 { bound } else { e.plain(Opcode::Trunc, Type::I32, &[bound]) };
        if !self.inclusive {
            return bound;
        }
        let one = e.func.dfg.iconst(Type::I32, 1);
        e.plain(Opcode::Add, Type::I32, &[bound, one])
    }
}
