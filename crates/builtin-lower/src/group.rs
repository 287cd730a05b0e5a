//! What the work-items of a whole group compute together: reductions, scans, broadcasts (OpenCL C 3.0, 6.15.16).
//!
//! Sub-groups reduce among themselves, one work-item of each writes what they have to work-group memory, and everybody
//! combines these few. That memory, eight bytes for each sub-group that a group may have, is the last operand. Barriers
//! stand before it is read and before it can be written again.

use crate::{Emitter, Operands};
use builtins::Reduce;
use ir::{Flags, IntCC, MemInfo, Opcode, SpecialReg, Type, Value};

/// Bytes of the memory for each sub-group: those of the largest scalar.
pub const SCRATCH_BYTES: u64 = 8;

impl Emitter<'_> {
    /// `work_group_reduce_*`.
    pub(crate) fn group_reduce(&mut self, r: Reduce, o: &Operands) -> Value {
        let (v, signed, scratch) = (o.get(0), o.is_signed(0), o.get(1));
        let ty = self.ty(v);
        let mine = self.sub_group_reduce(r, v, signed);
        let (first, at) = (self.is_lane(0), self.own_slot(scratch));
        self.publish(first, at, mine);
        let (count, identity) = (self.sub_group_count(), self.identity(r, ty, signed));
        let all = self.combine_published(r, scratch, count, identity, signed);
        self.barrier();
        all
    }

    /// `work_group_scan_*`.
    pub(crate) fn group_scan(&mut self, r: Reduce, inclusive: bool, o: &Operands) -> Value {
        let (v, signed, scratch) = (o.get(0), o.is_signed(0), o.get(1));
        let ty = self.ty(v);
        let sums = self.sub_group_scan(r, true, v, signed);
        let size = self.sub_group_size();
        let size = self.resize(size, Type::I32, false);
        let (me, one) = (self.build(|b| b.special(SpecialReg::LaneId)), self.iconst(Type::I32, 1));
        let end = self.op2(Opcode::Sub, size, one);
        let last = self.build(|b| b.icmp(IntCC::Eq, me, end));
        let at = self.own_slot(scratch);
        self.publish(last, at, sums);
        let (before, identity) = (self.sub_group_id(), self.identity(r, ty, signed));
        let before = self.combine_published(r, scratch, before, identity, signed);
        self.barrier();
        let mine = if inclusive { sums } else { self.excluding_own(r, sums, signed) };
        self.combine(r, before, mine, signed)
    }

    /// `work_group_broadcast`: a value, up to three local ids, and the memory.
    pub(crate) fn group_broadcast(&mut self, o: &Operands) -> Value {
        let last = o.values().len() - 1;
        let (v, scratch) = (o.get(0), o.get(last));
        let from = (1..last).map(|n| self.resize(o.get(n), Type::I64, false)).collect::<Vec<_>>();
        let it = self.is_at(&from);
        self.publish(it, scratch, v);
        let ty = self.ty(v);
        let v = self.build(|b| b.load(ty, scratch, MemInfo::aligned(ty.bytes()), Flags::NONE));
        self.barrier();
        v
    }

    /// Whether this is the lane of that number.
    fn is_lane(&mut self, lane: i64) -> Value {
        let (me, lane) = (self.build(|b| b.special(SpecialReg::LaneId)), self.iconst(Type::I32, lane));
        self.build(|b| b.icmp(IntCC::Eq, me, lane))
    }

    /// Whether this is the work-item with these local ids.
    fn is_at(&mut self, ids: &[Value]) -> Value {
        let registers = [SpecialReg::TidX, SpecialReg::TidY, SpecialReg::TidZ];
        let mut all = None;
        for (&id, r) in ids.iter().zip(registers) {
            let mine = self.build(|b| b.special(r));
            let mine = self.resize(mine, Type::I64, false);
            let same = self.build(|b| b.icmp(IntCC::Eq, mine, id));
            all = Some(all.map_or(same, |a| self.op2(Opcode::And, a, same)));
        }
        all.unwrap_or_else(|| self.iconst(Type::I1, -1))
    }

    /// Where the own sub-group writes.
    fn own_slot(&mut self, scratch: Value) -> Value {
        let id = self.sub_group_id();
        self.element_ptr(scratch, id, SCRATCH_BYTES, false)
    }

    /// Work-items for which `chosen` holds, one for each place, write their values for all to read.
    fn publish(&mut self, chosen: Value, at: Value, v: Value) {
        let bytes = self.ty(v).bytes();
        self.when(chosen, |e| {
            e.build(|b| b.store(at, v, MemInfo::aligned(bytes), Flags::NONE));
        });
        self.barrier();
    }

    /// What the first so many sub-groups have published, combined in their order.
    fn combine_published(&mut self, r: Reduce, scratch: Value, count: Value, identity: Value, signed: bool) -> Value {
        let ty = self.ty(identity);
        self.fold(count, identity, |e, i, all| {
            let at = e.element_ptr(scratch, i, SCRATCH_BYTES, false);
            let part = e.build(|b| b.load(ty, at, MemInfo::aligned(ty.bytes()), Flags::NONE));
            e.combine(r, all, part, signed)
        })
    }
}
