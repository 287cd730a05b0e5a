//! Memory: the work-item's window, the input, the table, arrays in stack slots, exchange between work-items.

use super::{Array, DOUBLES, FLOATS, Gen, INPUT, RECORD, WINDOW};
use ir::{AtomicOp, ConstKind, Flags, IntCC, Intrinsic, MemInfo, MemOrder, Opcode, Scope, SlotData, Type, Value};

impl Gen<'_> {
    /// An array in a stack slot, filled at once.
    pub(super) fn new_array(&mut self, elem: Type) {
        let len = self.rng.pick(&[1, 2, 4, 4, 8]);
        let size = elem.bytes() * len;
        let align = if self.rng.chance(30) { 16 } else { elem.bytes() };
        let slot = self.func.slots.push(SlotData {
            size,
            align,
            dims: if len > 1 { smallvec::smallvec![len] } else { smallvec::SmallVec::new() },
            name: String::new(),
        });
        let address = self.func.slot_addr(slot);
        if !elem.is_ptr() && self.rng.chance(50) {
            let zero = self.bits(Type::I8, 0);
            let bytes = self.bits(Type::I64, size.into());
            self.b().memset(address, zero, bytes, MemInfo::aligned(elem.bytes()));
        } else {
            for n in 0..len {
                let v = self.value(elem).v;
                let offset = self.bits(Type::I64, (n * elem.bytes()).into());
                let mut b = self.b();
                let at = b.ptradd(address, offset, Flags::INBOUNDS);
                b.store(at, v, MemInfo::aligned(elem.bytes()), Flags::NONE);
            }
        }
        self.arrays.push(Array { slot, elem, len });
    }

    /// The kernel's copy of the record that it is given: an array of integers.
    pub(super) fn copy_record(&mut self) {
        let entry = self.func.layout.entry();
        let Some(&record) = self.func.dfg.params(entry).last() else { return };
        let elem = Type::I32;
        let len = RECORD / elem.bytes();
        let slot = self.func.slots.push(SlotData {
            size: RECORD,
            align: elem.bytes(),
            dims: smallvec::smallvec![len],
            name: String::new(),
        });
        let address = self.func.slot_addr(slot);
        let bytes = self.bits(Type::I64, RECORD.into());
        self.b().memcpy(address, record, bytes, MemInfo::aligned(elem.bytes()));
        self.arrays.push(Array { slot, elem, len });
        self.record = Some(slot);
    }

    /// An `i64` offset of an element of `bytes` bytes below `limit` (a power of two), constant or computed.
    fn offset(&mut self, bytes: u32, limit: u64) -> (Value, bool) {
        let count = limit / u64::from(bytes);
        if self.rng.chance(50) {
            let n = self.rng.bits() % count;
            return (self.bits(Type::I64, n * u64::from(bytes)), true);
        }
        let index = self.value(Type::I32);
        let mask = self.bits(Type::I32, (count - 1).min(7));
        let scale = self.bits(Type::I64, bytes.ilog2().into());
        let size = self.bits(Type::I64, bytes.into());
        let by_shift = self.rng.chance(50);
        let mut b = self.b();
        let small = b.binary(Opcode::And, index.v, mask);
        let wide = b.cast(Opcode::ZExt, small, Type::I64);
        let v = if by_shift { b.binary(Opcode::Shl, wide, scale) } else { b.mul(wide, size) };
        (v, index.uniform)
    }

    pub(super) fn element(&mut self, a: Array) -> Value {
        let (offset, _) = self.offset(a.elem.bytes(), u64::from(a.elem.bytes() * a.len));
        let address = self.func.slot_addr(a.slot);
        let flags = if self.rng.chance(50) { Flags::INBOUNDS } else { Flags::NONE };
        let mut b = self.b();
        let mut p = b.ptradd(address, offset, flags);
        if self.rng.chance(10)
            && let Some(&other) = self.arrays.iter().find(|o| o.elem == a.elem && o.slot != a.slot)
        {
            // One of two arrays, chosen when it runs.
            let q = self.func.slot_addr(other.slot);
            let cond = self.value(Type::I1).v;
            p = self.b().select(cond, p, q);
        }
        if self.rng.chance(15) { self.b().space_cast(p, ir::AddrSpace::Generic) } else { p }
    }

    /// Where a value of this type may stand in the window, and whether it may at all.
    fn window_place(&mut self, ty: Type) -> Option<Value> {
        let window = self.window?;
        let (base, limit) = match ty.scalar() {
            Type::F32 => (FLOATS, DOUBLES),
            Type::F64 => (DOUBLES, WINDOW),
            t if t.is_int() && t != Type::I1 => (0, FLOATS),
            _ => return None,
        };
        let size = ty.bytes().next_power_of_two();
        let (offset, _) = self.offset(size, limit - base);
        let start = self.bits(Type::I64, base);
        let mut b = self.b();
        let p = if base == 0 { window } else { b.ptradd(window, start, Flags::NONE) };
        Some(b.ptradd(p, offset, Flags::NONE))
    }

    pub(super) fn store_at(&mut self, at: u64, v: Value) {
        let Some(window) = self.window else { return };
        let offset = self.bits(Type::I64, at);
        let align = self.func.dfg.ty(v).scalar_bytes();
        let mut b = self.b();
        let p = b.ptradd(window, offset, Flags::NONE);
        b.store(p, v, MemInfo::aligned(align), Flags::NONE);
    }

    pub(super) fn store_something(&mut self) {
        if !self.arrays.is_empty() && self.rng.chance(50) {
            let a = self.rng.pick(&self.arrays.clone());
            if Some(a.slot) == self.record && self.rng.chance(90) {
                return;
            }
            let v = self.value(a.elem).v;
            let p = self.element(a);
            self.b().store(p, v, MemInfo::aligned(a.elem.bytes()), Flags::NONE);
            return;
        }
        let ty = if self.rng.chance(70) { self.int_type() } else { self.float_type() };
        let v = self.value(ty).v;
        if let Some(p) = self.window_place(ty) {
            let volatile = if self.rng.chance(4) { Flags::VOLATILE } else { Flags::NONE };
            self.b().store(p, v, MemInfo::aligned(ty.scalar_bytes()), volatile);
        }
    }

    /// Stores the value made last, so that what a region computes matters.
    pub(super) fn store_latest(&mut self) {
        let Some(&val) = self.pool.last() else { return };
        if let Some(p) = self.window_place(val.ty) {
            self.b().store(p, val.v, MemInfo::aligned(val.ty.scalar_bytes()), Flags::NONE);
        }
    }

    pub(super) fn load_something(&mut self) -> (Value, bool) {
        if !self.arrays.is_empty() && self.rng.chance(50) {
            let a = self.rng.pick(&self.arrays.clone());
            let p = self.element(a);
            return (self.b().load(a.elem, p, MemInfo::aligned(a.elem.bytes()), Flags::NONE), false);
        }
        if self.rng.chance(40) {
            let ty = if self.rng.chance(70) { self.int_type() } else { self.float_type() };
            if let Some(p) = self.window_place(ty) {
                return (self.b().load(ty, p, MemInfo::aligned(ty.scalar_bytes()), Flags::NONE), false);
            }
        }
        let ty = self.int_type();
        let table = self.func.dfg.constant(Type::ptr(ir::AddrSpace::Constant), ConstKind::Global(self.table));
        let base = match self.input {
            Some(input) if self.rng.chance(60) => input,
            _ => table,
        };
        let size = ty.bytes().next_power_of_two();
        let (offset, uniform) = self.offset(size, INPUT);
        let flags = if self.rng.chance(40) { Flags::INVARIANT } else { Flags::NONE };
        let mut b = self.b();
        let p = b.ptradd(base, offset, Flags::NONE);
        (b.load(ty, p, MemInfo::aligned(ty.scalar_bytes()), flags), uniform)
    }

    pub(super) fn atomic(&mut self) {
        use AtomicOp::*;
        let ty = self.rng.pick(&[Type::I32, Type::I64]);
        let v = self.value(ty);
        let Some(p) = self.window_place(ty) else { return };
        let old = if self.rng.chance(25) {
            let expected = self.value(ty).v;
            self.b().atomic_cas(MemOrder::Relaxed, Scope::Device, p, expected, v.v)
        } else {
            let op = self.rng.pick(&[Add, Sub, Xchg, SMin, SMax, UMin, UMax, And, Or, Xor]);
            self.b().atomic_rmw(op, MemOrder::Relaxed, Scope::Device, p, v.v)
        };
        self.push(old, false);
    }

    /// Copies between arrays and the window, or fills.
    pub(super) fn bulk(&mut self) {
        let ints: Vec<Array> = self.arrays.iter().copied().filter(|a| a.elem.is_int()).collect();
        let Some(window) = self.window else { return };
        if ints.is_empty() {
            return;
        }
        let a = self.rng.pick(&ints);
        let address = self.func.slot_addr(a.slot);
        let bytes = self.bits(Type::I64, (a.len * a.elem.bytes()).into());
        let mem = MemInfo::aligned(a.elem.bytes());
        match self.rng.below(3) {
            0 => drop(self.b().memcpy(address, window, bytes, mem)),
            1 => drop(self.b().memcpy(window, address, bytes, mem)),
            _ => {
                let fill = self.value(Type::I8).v;
                self.b().memset(address, fill, bytes, mem);
            }
        }
    }

    /// Work-items exchange values: over work-group memory between barriers, or within the warp.
    pub(super) fn exchange(&mut self) {
        let v = self.value(Type::I32);
        let all = self.func.dfg.iconst(Type::I32, i64::from(u32::MAX >> (32 - self.items)));
        let word = self.func.dfg.iconst(Type::I32, 31);
        let one = self.func.dfg.iconst(Type::I32, self.rng.pick(&[1, 2, 3]));
        let cond = self.value(Type::I1).v;
        let (result, uniform) = match self.rng.below(5) {
            0 => (self.b().intrinsic(Intrinsic::ShflBfly, Type::I32, &[all, v.v, one, word]), false),
            1 => (self.b().intrinsic(Intrinsic::ReduxAdd, Type::I32, &[all, v.v]), true),
            2 => (self.b().intrinsic(Intrinsic::Ballot, Type::I32, &[all, cond]), true),
            3 => (self.b().intrinsic(Intrinsic::VoteAny, Type::I1, &[all, cond]), true),
            _ => (self.through_tile(v.v, one), false),
        };
        if let Some(r) = result {
            self.push(r, uniform);
        }
    }

    fn through_tile(&mut self, v: Value, distance: Value) -> Option<Value> {
        let linear = self.linear();
        let number = self.bits(Type::I32, 0);
        let items = self.func.dfg.iconst(Type::I32, self.items.into());
        let mine = self.tile_element(linear);
        let mut b = self.b();
        b.store(mine, v, MemInfo::aligned(4), Flags::NONE);
        b.intrinsic(Intrinsic::Barrier, Type::VOID, &[number]);
        // The one so much further on, around the end.
        let far = b.add(linear, distance);
        let over = b.icmp(IntCC::Uge, far, items);
        let around = b.binary(Opcode::Sub, far, items);
        let partner = b.select(over, around, far);
        let theirs = self.tile_element(partner);
        let mut b = self.b();
        let got = b.load(Type::I32, theirs, MemInfo::aligned(4), Flags::NONE);
        b.intrinsic(Intrinsic::Barrier, Type::VOID, &[number]);
        Some(got)
    }

    /// The work-item's linear id.
    pub(super) fn linear(&mut self) -> Value {
        match self.place {
            Some(place) => place.linear,
            // In a function, where it is wanted.
            None => self.find_place().linear,
        }
    }

    /// Address of an element of the work-group array.
    pub(super) fn tile_element(&mut self, index: Value) -> Value {
        let base = self.func.dfg.constant(Type::ptr(ir::AddrSpace::Shared), ConstKind::Global(self.tile));
        let two = self.bits(Type::I64, 2);
        let mut b = self.b();
        let wide = b.cast(Opcode::ZExt, index, Type::I64);
        let offset = b.binary(Opcode::Shl, wide, two);
        b.ptradd(base, offset, Flags::NONE)
    }
}
