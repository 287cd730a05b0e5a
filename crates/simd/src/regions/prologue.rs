//! The entry prologue of a work-group function: it reads arguments, the place of the group, and its memory.

use super::prepare::unsupported;
use super::storage::Offset;
use crate::{Options, Unsupported};
use cranelift_entity::SecondaryMap;
use ir::{
    AddrSpace, Block, ConstKind, Flags, Function, Global, MemInfo, Module, Opcode, Param, ParamAttrs, Payload,
    SpecialReg, Type, Value, ValueDef,
};
use launch::context::{ArgSlot, GroupContext};
use launch::{CodeSize, ROOM};

/// Least alignment of the dynamic part of work-group memory.
const DYNAMIC_ALIGN: u64 = 16;

/// Where the kernel's arguments stand.
pub(super) struct Arguments {
    pub(super) slots: Vec<ArgSlot>,
    pub(super) bytes: u32,
}

/// Lays the arguments out one after the other.
///
/// # Errors
/// They take more than 2 GiB.
pub(super) fn arguments(kernel: &Function) -> Result<Arguments, Unsupported> {
    let mut at: u64 = 0;
    let mut slots = Vec::new();
    for p in &kernel.params {
        let (size, align) = match p.attrs.byval {
            Some(bytes) => (u64::from(bytes), u64::from(p.attrs.align.max(1))),
            // A 3-vector takes the room of four.
            None => (u64::from(p.ty.bytes()).next_power_of_two(), u64::from(p.ty.bytes()).next_power_of_two()),
        };
        at = at.next_multiple_of(align.next_power_of_two());
        let offset = u32::try_from(at).ok().filter(|o| *o < 1 << 31);
        let size = u32::try_from(size).ok().filter(|s| *s < 1 << 31);
        let (Some(offset), Some(size)) = (offset, size) else {
            return Err(unsupported("arguments of more than 2 GiB", kernel.span, "pass large data in buffers"));
        };
        slots.push(ArgSlot { offset, size, local: p.attrs.local });
        at += u64::from(size);
    }
    Ok(Arguments { slots, bytes: at as u32 })
}

/// Where the work-group variables stand that the kernel names.
pub(super) struct Shared {
    pub(super) offset: SecondaryMap<Global, Option<u64>>,
    /// Bytes of the static part; the dynamic part begins there.
    pub(super) bytes: u32,
}

/// Lays out the work-group variables that a function names.
///
/// # Errors
/// They take more than 2 GiB.
pub(super) fn shared(module: &Module, func: &Function) -> Result<Shared, Unsupported> {
    let mut used: SecondaryMap<Global, bool> = SecondaryMap::new();
    for b in func.layout.blocks() {
        for i in func.layout.insts(b) {
            func.dfg.for_each_use(i, |v| {
                if let ValueDef::Const(ConstKind::Global(g)) = func.dfg.values[v].def {
                    used[g] |= module.globals[g].space == AddrSpace::Shared;
                }
            });
        }
    }
    let mut out = Shared { offset: SecondaryMap::new(), bytes: 0 };
    let mut at: u64 = 0;
    let is_dynamic = |g: Global| module.globals[g].size == 0 || module.globals[g].external;
    let mut dynamic_align = 0;
    for (g, data) in module.globals.iter().filter(|(g, _)| used[*g]) {
        if is_dynamic(g) {
            dynamic_align = DYNAMIC_ALIGN.max(data.align.into()).max(dynamic_align);
            continue;
        }
        at = at.next_multiple_of(data.align.into());
        out.offset[g] = Some(at);
        at = at.saturating_add(data.size);
    }
    if dynamic_align > 0 {
        at = at.next_multiple_of(dynamic_align);
    }
    for (g, _) in module.globals.iter().filter(|(g, _)| used[*g] && is_dynamic(*g)) {
        out.offset[g] = Some(at);
    }
    out.bytes = u32::try_from(at)
        .ok()
        .filter(|b| *b < 1 << 31)
        .ok_or_else(|| unsupported("work-group variables of more than 2 GiB", func.span, "make them smaller"))?;
    Ok(out)
}

/// The entry block of the new function, to which reads are added as they are asked for.
pub(super) struct Entry {
    pub(super) block: Block,
    /// The kernel's arguments.
    pub(super) args: Vec<Value>,
    group: Value,
    /// The block of arguments, and its bytes.
    arguments: (Value, u32),
    /// How many work-items the loops of each level run.
    sizes: CodeSize,
    /// Over which dimension they run.
    dimensions: [usize; 3],
    items: Option<Value>,
    room: Option<Value>,
    special: Vec<(SpecialReg, Value)>,
    pointers: Vec<(i64, Value)>,
    globals: SecondaryMap<Global, Option<Value>>,
}

/// The signature of work-group functions.
pub(super) fn signature(out: &mut Function) {
    for (name, readonly) in [("args", true), ("group", false)] {
        let attrs = ParamAttrs { noalias: true, readonly, align: if readonly { 0 } else { 8 }, ..Default::default() };
        out.params.push(Param { ty: Type::PTR, name: name.to_owned(), attrs });
    }
}

impl Entry {
    /// Begins the function and loads the arguments.
    pub(super) fn new(out: &mut Function, kernel: &Function, arguments: &Arguments, options: &Options) -> Self {
        let block = out.new_entry_block();
        let (args, group) = (out.dfg.params(block)[0], out.dfg.params(block)[1]);
        let mut this = Self {
            block,
            args: Vec::new(),
            group,
            arguments: (args, arguments.bytes),
            sizes: options.nest_size(),
            dimensions: [0, 1, 2].map(|level| options.dimension(level)),
            items: None,
            room: None,
            special: Vec::new(),
            pointers: Vec::new(),
            globals: SecondaryMap::new(),
        };
        for (p, slot) in kernel.params.iter().zip(&arguments.slots) {
            let v = match p.attrs.byval {
                Some(_) => {
                    let at = this.offset(out, args, i64::from(slot.offset));
                    if p.ty == Type::PTR { at } else { this.emit(out, Opcode::AddrSpaceCast, p.ty, &[at]) }
                }
                None if p.attrs.noalias && p.ty.is_ptr() => {
                    let flags = Flags::INVARIANT.with(Flags::NOALIAS);
                    this.load(out, args, i64::from(slot.offset), p.ty, flags)
                }
                None => this.load(out, args, i64::from(slot.offset), p.ty, Flags::INVARIANT),
            };
            this.args.push(v);
        }
        this
    }

    fn emit(&self, out: &mut Function, op: Opcode, ty: Type, args: &[Value]) -> Value {
        self.emit_with(out, op, ty, Flags::NONE, args)
    }

    fn emit_with(&self, out: &mut Function, op: Opcode, ty: Type, flags: Flags, args: &[Value]) -> Value {
        let i = out.dfg.make_inst(op, ty, flags, args, Payload::None);
        out.layout.append_inst(i, self.block);
        out.dfg.res(i)
    }

    fn offset(&self, out: &mut Function, base: Value, offset: i64) -> Value {
        if offset == 0 {
            return base;
        }
        let n = out.dfg.iconst(Type::I64, offset);
        let ty = out.dfg.ty(base);
        let i = out.dfg.make_inst(Opcode::PtrAdd, ty, Flags::INBOUNDS, &[base, n], Payload::None);
        out.layout.append_inst(i, self.block);
        out.dfg.res(i)
    }

    fn load(&self, out: &mut Function, base: Value, offset: i64, ty: Type, flags: Flags) -> Value {
        let at = self.offset(out, base, offset);
        // Elements of a 3-vector are as aligned as those of a 4-vector.
        let mem = MemInfo::aligned(ty.bytes().next_power_of_two());
        let i = out.dfg.make_inst(Opcode::Load, ty, flags, &[at], Payload::Mem(mem));
        out.layout.append_inst(i, self.block);
        out.dfg.res(i)
    }

    /// A pointer field of the group's description.
    fn pointer(&mut self, out: &mut Function, field: i64, space: AddrSpace) -> Value {
        if let Some(&(_, v)) = self.pointers.iter().find(|(f, _)| *f == field) {
            return v;
        }
        let v = self.load(out, self.group, field, Type::ptr(space), Flags::INVARIANT);
        self.pointers.push((field, v));
        v
    }

    /// The group's scratch memory.
    pub(super) fn scratch(&mut self, out: &mut Function, offset: Offset) -> Value {
        let mut base = self.pointer(out, GroupContext::OFFSET_SCRATCH, AddrSpace::Private);
        if offset.per_item > 0 {
            let (ty, room) = (out.dfg.ty(base), self.room(out));
            let each = out.dfg.iconst(Type::I64, offset.per_item as i64);
            let bytes = self.emit_with(out, Opcode::Mul, Type::I64, Flags::NUW.with(Flags::NSW), &[room, each]);
            base = self.emit_with(out, Opcode::PtrAdd, ty, Flags::INBOUNDS, &[base, bytes]);
        }
        self.offset(out, base, offset.bytes as i64)
    }

    /// How many work-items the loops of one level run, `i32`.
    pub(super) fn size(&mut self, out: &mut Function, level: usize) -> Value {
        use SpecialReg::{NtidX, NtidY, NtidZ};
        if let Some(n) = self.sizes.0[level] {
            return out.dfg.iconst(Type::I32, n.into());
        }
        let dimension = self.dimensions[level];
        let reg = [NtidX, NtidY, NtidZ][dimension];
        if let Some(&(_, v)) = self.special.iter().find(|(r, _)| *r == reg) {
            return v;
        }
        let field = GroupContext::OFFSET_LOCAL_SIZE + 4 * dimension as i64;
        let v = self.load(out, self.group, field, Type::I32, Flags::INVARIANT);
        self.special.push((reg, v));
        v
    }

    /// Work-items of the group, `i32`.
    pub(super) fn items(&mut self, out: &mut Function) -> Value {
        if let Some(n) = self.sizes.items() {
            return out.dfg.iconst(Type::I32, n as i64);
        }
        if let Some(v) = self.items {
            return v;
        }
        let flags = Flags::NUW.with(Flags::NSW);
        let sizes = [0, 1, 2].map(|d| self.size(out, d));
        let v = sizes.into_iter().reduce(|a, b| self.emit_with(out, Opcode::Mul, Type::I32, flags, &[a, b]));
        let v = v.unwrap_or(sizes[0]);
        self.items = Some(v);
        v
    }

    /// What [`launch::room_for`] makes of them, `i64`.
    pub(super) fn room(&mut self, out: &mut Function) -> Value {
        if let Some(v) = self.room {
            return v;
        }
        let items = self.items(out);
        let wide = self.emit(out, Opcode::ZExt, Type::I64, &[items]);
        let most = out.dfg.iconst(Type::I64, ROOM as i64 - 1);
        let flags = Flags::NUW.with(Flags::NSW);
        let up = self.emit_with(out, Opcode::Add, Type::I64, flags, &[wide, most]);
        let whole = out.dfg.iconst(Type::I64, -(ROOM as i64));
        let v = self.emit(out, Opcode::And, Type::I64, &[up, whole]);
        self.room = Some(v);
        v
    }

    /// The group's work-group memory.
    pub(super) fn shared_base(&mut self, out: &mut Function) -> Value {
        self.pointer(out, GroupContext::OFFSET_SHARED, AddrSpace::Shared)
    }

    /// Bytes of work-group memory, `i64`.
    pub(super) fn shared_bytes(&mut self, out: &mut Function) -> Value {
        self.load(out, self.group, GroupContext::OFFSET_SHARED_BYTES, Type::I64, Flags::INVARIANT)
    }

    /// The address of the group's description, `i64`.
    pub(super) fn group_address(&mut self, out: &mut Function) -> Value {
        self.emit(out, Opcode::PtrToInt, Type::I64, &[self.group])
    }

    /// Scratch memory up to a place in it, and how many bytes that are, `i64`.
    pub(super) fn scratch_range(&mut self, out: &mut Function, end: Offset) -> (Value, Value) {
        let base = self.scratch(out, Offset::default());
        let mut bytes = out.dfg.iconst(Type::I64, end.bytes as i64);
        if end.per_item > 0 {
            let room = self.room(out);
            let each = out.dfg.iconst(Type::I64, end.per_item as i64);
            let all = self.emit(out, Opcode::Mul, Type::I64, &[room, each]);
            bytes = self.emit(out, Opcode::Add, Type::I64, &[all, bytes]);
        }
        (base, bytes)
    }

    /// The block of arguments, and its bytes, `i64`.
    pub(super) fn args_range(&self, out: &mut Function) -> (Value, Value) {
        let (base, bytes) = self.arguments;
        (base, out.dfg.iconst(Type::I64, bytes.into()))
    }

    /// Address of a work-group variable.
    pub(super) fn global(&mut self, out: &mut Function, shared: &Shared, g: Global) -> Value {
        if let Some(v) = self.globals[g] {
            return v;
        }
        let base = self.shared_base(out);
        let v = self.offset(out, base, shared.offset[g].unwrap_or(0) as i64);
        self.globals[g] = Some(v);
        v
    }

    /// Where the group notes that a work-item has stopped the kernel.
    pub(super) fn trap_place(&mut self, out: &mut Function) -> Value {
        self.offset(out, self.group, GroupContext::OFFSET_TRAP)
    }

    /// A register that is the same for the whole group; `None` for those that depend on the work-item or are the
    /// machine's.
    pub(super) fn special(&mut self, out: &mut Function, options: &Options, reg: SpecialReg) -> Option<Value> {
        use SpecialReg::*;
        if let Some(&(_, v)) = self.special.iter().find(|(r, _)| *r == reg) {
            return Some(v);
        }
        let field = |base: i64, n: i64, bytes: i64| base + n * bytes;
        let (id, groups, origin) =
            (GroupContext::OFFSET_GROUP_ID, GroupContext::OFFSET_NUM_GROUPS, GroupContext::OFFSET_ORIGIN);
        let (first, enqueued) = (GroupContext::OFFSET_FIRST_GROUP, GroupContext::OFFSET_ENQUEUED_LOCAL);
        let (global, start) = (GroupContext::OFFSET_GLOBAL_SIZE, GroupContext::OFFSET_RANGE_OFFSET);
        let (field, ty) = match reg {
            NtidX => return Some(self.size(out, options.dimension(0))),
            NtidY => return Some(self.size(out, options.dimension(1))),
            NtidZ => return Some(self.size(out, 2)),
            WarpSize => return Some(out.dfg.iconst(Type::I32, options.target.warp_size().into())),
            // There is one grid at a time, and no multiprocessors to tell apart.
            SmId => return Some(out.dfg.iconst(Type::I32, 0)),
            NsmId => return Some(out.dfg.iconst(Type::I32, 1)),
            GridId => return Some(out.dfg.iconst(Type::I64, 1)),
            CtaidX => (field(id, 0, 4), Type::I32),
            CtaidY => (field(id, 1, 4), Type::I32),
            CtaidZ => (field(id, 2, 4), Type::I32),
            NctaidX => (field(groups, 0, 4), Type::I32),
            NctaidY => (field(groups, 1, 4), Type::I32),
            NctaidZ => (field(groups, 2, 4), Type::I32),
            OffsetX => (field(origin, 0, 8), Type::I64),
            OffsetY => (field(origin, 1, 8), Type::I64),
            OffsetZ => (field(origin, 2, 8), Type::I64),
            GroupBaseX => (field(first, 0, 4), Type::I32),
            GroupBaseY => (field(first, 1, 4), Type::I32),
            GroupBaseZ => (field(first, 2, 4), Type::I32),
            EnqueuedX => (field(enqueued, 0, 4), Type::I32),
            EnqueuedY => (field(enqueued, 1, 4), Type::I32),
            EnqueuedZ => (field(enqueued, 2, 4), Type::I32),
            GlobalSizeX => (field(global, 0, 8), Type::I64),
            GlobalSizeY => (field(global, 1, 8), Type::I64),
            GlobalSizeZ => (field(global, 2, 8), Type::I64),
            RangeOffsetX => (field(start, 0, 8), Type::I64),
            RangeOffsetY => (field(start, 1, 8), Type::I64),
            RangeOffsetZ => (field(start, 2, 8), Type::I64),
            WorkDim => (GroupContext::OFFSET_WORK_DIM, Type::I32),
            DynamicSharedSize => (GroupContext::OFFSET_DYNAMIC_SHARED, Type::I64),
            _ => return None,
        };
        let mut v = self.load(out, self.group, field, ty, Flags::INVARIANT);
        if reg == DynamicSharedSize {
            v = self.emit(out, Opcode::Trunc, Type::I32, &[v]);
        }
        self.special.push((reg, v));
        Some(v)
    }

    /// Stores a byte over an array in scratch memory, also where it has room for more work-items than there are.
    pub(super) fn fill(&mut self, out: &mut Function, offset: Offset, element: u64, byte: i64) {
        let to = self.scratch(out, offset);
        let bytes = match self.sizes.items() {
            Some(n) => out.dfg.iconst(Type::I64, (launch::room_for(n) * element) as i64),
            None => {
                let (room, element) = (self.room(out), out.dfg.iconst(Type::I64, element as i64));
                let flags = Flags::NUW.with(Flags::NSW);
                self.emit_with(out, Opcode::Mul, Type::I64, flags, &[room, element])
            }
        };
        let byte = out.dfg.iconst(Type::I8, byte);
        let mem = Payload::Mem(MemInfo::aligned(64));
        let i = out.dfg.make_inst(Opcode::MemSet, Type::VOID, Flags::NONE, &[to, byte, bytes], mem);
        out.layout.append_inst(i, self.block);
    }
}
