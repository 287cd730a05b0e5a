//! Where the work-item stands and how large the launch is: ids, sizes, special registers.

use crate::{Emitter, Operands};
use builtins::{Axis, ItemOp, Special, WorkItem};
use ir::{IntCC, Opcode, SpecialReg, Type, Value};

/// The axis of a constant dimension argument.
fn axis(n: u64) -> Option<Axis> {
    [Axis::X, Axis::Y, Axis::Z].get(usize::try_from(n).ok()?).copied()
}

/// The register that holds the global offset of an axis.
fn offset_register(a: Axis) -> SpecialReg {
    match a {
        Axis::X => SpecialReg::OffsetX,
        Axis::Y => SpecialReg::OffsetY,
        Axis::Z => SpecialReg::OffsetZ,
    }
}

/// The registers of one quantity, of an axis each.
type Axes = [SpecialReg; 3];

const ENQUEUED: Axes = [SpecialReg::EnqueuedX, SpecialReg::EnqueuedY, SpecialReg::EnqueuedZ];
const GLOBAL_SIZE: Axes = [SpecialReg::GlobalSizeX, SpecialReg::GlobalSizeY, SpecialReg::GlobalSizeZ];
const GROUP_BASE: Axes = [SpecialReg::GroupBaseX, SpecialReg::GroupBaseY, SpecialReg::GroupBaseZ];
const RANGE_OFFSET: Axes = [SpecialReg::RangeOffsetX, SpecialReg::RangeOffsetY, SpecialReg::RangeOffsetZ];

/// The register behind a special value; `None` for those that are computed.
fn register(s: Special) -> Option<SpecialReg> {
    use SpecialReg::*;
    let pick = |a: Axis, r: [SpecialReg; 3]| r[a as usize];
    Some(match s {
        Special::ThreadId(a) => pick(a, [TidX, TidY, TidZ]),
        Special::GroupSize(a) => pick(a, [NtidX, NtidY, NtidZ]),
        Special::GroupId(a) => pick(a, [CtaidX, CtaidY, CtaidZ]),
        Special::NumGroups(a) => pick(a, [NctaidX, NctaidY, NctaidZ]),
        Special::LaneId => LaneId,
        Special::WarpId => WarpId,
        Special::SmId => SmId,
        Special::Clock32 => Clock,
        Special::Clock64 => Clock64,
        Special::GlobalTimer => GlobalTimer,
        Special::LaneMaskLt => LaneMaskLt,
        Special::LaneMaskLe => LaneMaskLe,
        Special::LaneMaskEq => LaneMaskEq,
        Special::LaneMaskGe => LaneMaskGe,
        Special::LaneMaskGt => LaneMaskGt,
        Special::DynamicSharedSize => DynamicSharedSize,
        Special::WarpSize | Special::NumWarps => return None,
    })
}

impl Emitter<'_> {
    pub(crate) fn item(&mut self, op: ItemOp, o: &Operands) -> Value {
        let v = match op {
            ItemOp::Special(s) => {
                let v = self.special_value(s);
                return if self.ty(v) == o.ty { v } else { self.resize(v, o.ty, false) };
            }
            ItemOp::WorkDim => return self.build(|b| b.special(SpecialReg::WorkDim)),
            ItemOp::Query(what) => self.work_item(what, o),
            ItemOp::LocalLinearId => self.local_linear_id(),
            ItemOp::GlobalLinearId => self.global_linear_id(),
            ItemOp::SubGroupCount => self.special_value(Special::NumWarps),
            ItemOp::EnqueuedSubGroupCount => {
                let sizes = [Axis::X, Axis::Y, Axis::Z].map(|a| self.enqueued_size(a));
                let plane = self.op2(Opcode::Mul, sizes[0], sizes[1]);
                let total = self.op2(Opcode::Mul, plane, sizes[2]);
                self.warps(total)
            }
            ItemOp::SubGroupId => self.sub_group_id(),
            ItemOp::SubGroupSize => self.sub_group_size(),
        };
        self.resize(v, o.ty, false)
    }

    /// The number of the own sub-group in the group, in 64 bits.
    pub(crate) fn sub_group_id(&mut self) -> Value {
        let warp = i64::from(self.context.target.warp_size().ilog2());
        let id = self.local_linear_id();
        let shift = self.iconst(Type::I64, warp);
        self.op2(Opcode::LShr, id, shift)
    }

    /// How many sub-groups the group has, in 64 bits.
    pub(crate) fn sub_group_count(&mut self) -> Value {
        let count = self.special_value(Special::NumWarps);
        self.resize(count, Type::I64, false)
    }

    /// What is left of the group where the own sub-group starts, at most a warp, in 64 bits.
    pub(crate) fn sub_group_size(&mut self) -> Value {
        let warp = i64::from(self.context.target.warp_size());
        let id = self.local_linear_id();
        let start_mask = self.iconst(Type::I64, -warp);
        let start = self.op2(Opcode::And, id, start_mask);
        let total = self.group_total();
        let left = self.op2(Opcode::Sub, total, start);
        let most = self.iconst(Type::I64, warp);
        self.op2(Opcode::UMin, left, most)
    }

    /// A 64-bit query as 32 bits from the start: the low half of a sum or product is that of the low halves. `None` where
    /// that is not how the query is computed, or the dimension is out of range.
    pub fn narrow_query(&mut self, what: WorkItem, dimension: u64) -> Option<Value> {
        let count: fn(Axis) -> Special = match what {
            WorkItem::GlobalId => Special::GroupId,
            WorkItem::GlobalSize if !self.context.partial_groups => Special::NumGroups,
            _ => return None,
        };
        let axis = axis(dimension)?;
        let size = register(Special::GroupSize(axis))?;
        let size = self.build(|b| b.special(size));
        let count = register(count(axis))?;
        let count = self.build(|b| b.special(count));
        let product = self.build(|b| b.mul(count, size));
        if what == WorkItem::GlobalSize {
            return Some(product);
        }
        let local = register(Special::ThreadId(axis))?;
        let local = self.build(|b| b.special(local));
        let sum = self.build(|b| b.add(product, local));
        if !self.context.global_offset {
            return Some(sum);
        }
        let offset = self.build(|b| b.special(offset_register(axis)));
        let offset = self.build(|b| b.cast(Opcode::Trunc, offset, Type::I32));
        Some(self.build(|b| b.add(sum, offset)))
    }

    fn special_value(&mut self, s: Special) -> Value {
        match (register(s), s) {
            // A required work-group size makes its sizes constants.
            (_, Special::GroupSize(a)) if self.required_size(a).is_some_and(|n| n == 1 || !self.partial()) => {
                let size = self.required_size(a).unwrap_or(1);
                self.iconst(Type::I32, i64::from(size))
            }
            (Some(r), _) => self.build(|b| b.special(r)),
            (None, Special::NumWarps) => {
                let total = self.group_total();
                self.warps(total)
            }
            (None, _) if self.context.target.has_late_warp_size() => self.build(|b| b.special(SpecialReg::WarpSize)),
            (None, _) => self.iconst(Type::I32, i64::from(self.context.target.warp_size())),
        }
    }

    /// Whether groups at the end of the launch may be smaller.
    fn partial(&self) -> bool {
        self.context.partial_groups
    }

    fn required_size(&self, a: Axis) -> Option<u32> {
        self.func.attrs.reqd_work_group_size.map(|r| r[a as usize])
    }

    /// Warps in so many work-items, 32 bits.
    fn warps(&mut self, items: Value) -> Value {
        let warp = i64::from(self.context.target.warp_size());
        let round = self.iconst(Type::I64, warp - 1);
        let shift = self.iconst(Type::I64, warp.ilog2().into());
        let v = self.op2(Opcode::Add, items, round);
        let v = self.op2(Opcode::LShr, v, shift);
        self.resize(v, Type::I32, false)
    }

    fn register_of(&mut self, axes: Axes, a: Axis) -> Value {
        let v = self.build(|b| b.special(axes[a as usize]));
        self.resize(v, Type::I64, false)
    }

    /// A work-item function: by constant axis, or selected by a computed one.
    fn work_item(&mut self, what: WorkItem, o: &Operands) -> Value {
        if let Some(n) = self.func.dfg.as_bits(o.get(0)) {
            return match axis(n) {
                Some(a) => self.on_axis(what, a),
                None => self.out_of_range(what),
            };
        }
        let dim = self.resize(o.get(0), Type::I32, false);
        let mut v = self.out_of_range(what);
        for (n, a) in [Axis::Z, Axis::Y, Axis::X].into_iter().enumerate() {
            let here = self.on_axis(what, a);
            let k = self.iconst(Type::I32, 2 - n as i64);
            let is = self.build(|b| b.icmp(IntCC::Eq, dim, k));
            v = self.build(|b| b.select(is, here, v));
        }
        v
    }

    /// What a dimension beyond the third gives (OpenCL C 6.15.1).
    fn out_of_range(&mut self, what: WorkItem) -> Value {
        let n = match what {
            WorkItem::GlobalId | WorkItem::LocalId | WorkItem::GroupId | WorkItem::GlobalOffset => 0,
            WorkItem::GlobalSize | WorkItem::LocalSize | WorkItem::EnqueuedLocalSize | WorkItem::NumGroups => 1,
        };
        self.iconst(Type::I64, n)
    }

    fn wide(&mut self, s: Special) -> Value {
        let v = self.special_value(s);
        self.resize(v, Type::I64, false)
    }

    fn on_axis(&mut self, what: WorkItem, a: Axis) -> Value {
        match what {
            WorkItem::LocalId => self.wide(Special::ThreadId(a)),
            WorkItem::GroupId if self.partial() => {
                let (first, group) = (self.register_of(GROUP_BASE, a), self.wide(Special::GroupId(a)));
                self.op2(Opcode::Add, first, group)
            }
            WorkItem::GroupId => self.wide(Special::GroupId(a)),
            WorkItem::EnqueuedLocalSize => self.enqueued_size(a),
            WorkItem::LocalSize => self.wide(Special::GroupSize(a)),
            WorkItem::NumGroups => self.wide(Special::NumGroups(a)),
            WorkItem::GlobalOffset if self.partial() => self.register_of(RANGE_OFFSET, a),
            WorkItem::GlobalOffset if self.context.global_offset => self.build(|b| b.special(offset_register(a))),
            WorkItem::GlobalOffset => self.iconst(Type::I64, 0),
            WorkItem::GlobalSize if self.partial() => self.register_of(GLOBAL_SIZE, a),
            WorkItem::GlobalSize => {
                let (n, size) = (self.wide(Special::NumGroups(a)), self.wide(Special::GroupSize(a)));
                self.op2(Opcode::Mul, n, size)
            }
            WorkItem::GlobalId => {
                let (group, size) = (self.wide(Special::GroupId(a)), self.wide(Special::GroupSize(a)));
                let base = self.op2(Opcode::Mul, group, size);
                let local = self.wide(Special::ThreadId(a));
                let id = self.op2(Opcode::Add, base, local);
                if !self.context.global_offset {
                    return id;
                }
                let offset = self.build(|b| b.special(offset_register(a)));
                self.op2(Opcode::Add, id, offset)
            }
        }
    }

    /// The local size that was asked for, 64 bits.
    fn enqueued_size(&mut self, a: Axis) -> Value {
        match self.required_size(a) {
            Some(n) => self.iconst(Type::I64, n.into()),
            None if self.partial() => self.register_of(ENQUEUED, a),
            None => self.wide(Special::GroupSize(a)),
        }
    }

    /// The work-item's number in its group, x fastest, 64 bits.
    pub(crate) fn local_linear_id(&mut self) -> Value {
        let (x, y, z) = (
            self.wide(Special::ThreadId(Axis::X)),
            self.wide(Special::ThreadId(Axis::Y)),
            self.wide(Special::ThreadId(Axis::Z)),
        );
        let (nx, ny) = (self.wide(Special::GroupSize(Axis::X)), self.wide(Special::GroupSize(Axis::Y)));
        self.linear(x, y, z, nx, ny)
    }

    fn linear(&mut self, x: Value, y: Value, z: Value, nx: Value, ny: Value) -> Value {
        let v = self.op2(Opcode::Mul, z, ny);
        let v = self.op2(Opcode::Add, v, y);
        let v = self.op2(Opcode::Mul, v, nx);
        self.op2(Opcode::Add, v, x)
    }

    fn global_linear_id(&mut self) -> Value {
        // Offsets do not count (OpenCL C 6.15.1), so ids are built without them.
        let mut ids = Vec::new();
        let mut sizes = Vec::new();
        for a in [Axis::X, Axis::Y, Axis::Z] {
            let (group, size) = (self.wide(Special::GroupId(a)), self.wide(Special::GroupSize(a)));
            let base = self.op2(Opcode::Mul, group, size);
            let local = self.wide(Special::ThreadId(a));
            let mut id = self.op2(Opcode::Add, base, local);
            if self.partial() {
                // From where the groups of this size begin to where the range does.
                let (here, start) = (self.build(|b| b.special(offset_register(a))), self.register_of(RANGE_OFFSET, a));
                let before = self.op2(Opcode::Sub, here, start);
                id = self.op2(Opcode::Add, id, before);
            }
            ids.push(id);
            sizes.push(self.on_axis(WorkItem::GlobalSize, a));
        }
        self.linear(ids[0], ids[1], ids[2], sizes[0], sizes[1])
    }

    /// Work-items in the group, 64 bits.
    pub(crate) fn group_total(&mut self) -> Value {
        let (x, y, z) = (
            self.wide(Special::GroupSize(Axis::X)),
            self.wide(Special::GroupSize(Axis::Y)),
            self.wide(Special::GroupSize(Axis::Z)),
        );
        let v = self.op2(Opcode::Mul, x, y);
        self.op2(Opcode::Mul, v, z)
    }
}
