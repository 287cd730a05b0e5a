//! Loads, stores and copies; questions about addresses.

use crate::convert::memory_type;
use crate::float::{payload, round};
use crate::{Emitter, Operands};
use builtins::{Cache, MemoryOp, Space};
use ir::{AddrSpace, CacheOp, Flags, IntCC, Intrinsic, MemInfo, Opcode, Payload, Round, Type, Value};

/// Most events of one `wait_group_events` that checks look at.
const MAX_EVENTS: i64 = 1 << 12;

fn space(s: Space) -> AddrSpace {
    match s {
        Space::Generic => AddrSpace::Generic,
        Space::Global => AddrSpace::Global,
        Space::Local => AddrSpace::Shared,
        Space::Constant => AddrSpace::Constant,
        Space::Private => AddrSpace::Private,
    }
}

fn cache(c: Cache) -> CacheOp {
    match c {
        Cache::NonCoherent => CacheOp::NonCoherent,
        Cache::Global => CacheOp::Global,
        Cache::All => CacheOp::All,
        Cache::Streaming => CacheOp::Streaming,
        Cache::LastUse => CacheOp::LastUse,
        Cache::Volatile | Cache::WriteThrough => CacheOp::Volatile,
        Cache::WriteBack => CacheOp::WriteBack,
    }
}

/// Elements that one step of a half access takes and its alignment.
fn half_step(lanes: u8, aligned: bool) -> (u64, u32) {
    let step = if aligned && lanes == 3 { 4 } else { lanes };
    (u64::from(step), if aligned { u32::from(step) * 2 } else { 2 })
}

impl Emitter<'_> {
    pub(crate) fn memory(&mut self, op: MemoryOp, o: &Operands) -> Option<Value> {
        match op {
            MemoryOp::VLoad => Some(self.vload(o)),
            MemoryOp::VStore => self.vstore(o),
            MemoryOp::VLoadHalf { aligned } => Some(self.vload_half(o, aligned)),
            MemoryOp::VStoreHalf { aligned, round: r } => self.vstore_half(o, aligned, round(r)),
            MemoryOp::LoadCache(c) => Some(self.load_cache(c, o)),
            MemoryOp::StoreCache(c) => {
                let ptr = self.global_pointer(o.get(0));
                let mem = MemInfo { cache: cache(c), ..MemInfo::aligned(o.pointee(0).align) };
                let v = self.packed(o.get(1));
                self.build(|b| b.store(ptr, v, mem, Flags::NONE));
                None
            }
            MemoryOp::MemCpy => {
                let n = self.resize(o.get(2), Type::I64, false);
                self.build(|b| b.memcpy(o.get(0), o.get(1), n, MemInfo::aligned(1)));
                Some(o.get(0)).filter(|_| !o.ty.is_void())
            }
            MemoryOp::MemMove => {
                self.move_bytes(o);
                Some(o.get(0)).filter(|_| !o.ty.is_void())
            }
            MemoryOp::MemSet => {
                let byte = self.resize(o.get(1), Type::I8, false);
                let n = self.resize(o.get(2), Type::I64, false);
                self.build(|b| b.memset(o.get(0), byte, n, MemInfo::aligned(1)));
                Some(o.get(0)).filter(|_| !o.ty.is_void())
            }
            MemoryOp::Prefetch => self.effect(Intrinsic::PrefetchL2, &[o.get(0)]),
            MemoryOp::AsyncCopy => Some(self.async_copy(o, false)),
            MemoryOp::AsyncStridedCopy => Some(self.async_copy(o, true)),
            MemoryOp::WaitEvents => self.wait_events(o),
            MemoryOp::IsSpace(s) => Some(self.is_space(s, o)),
            MemoryOp::IsCluster => Some(self.asks(Intrinsic::IsCluster, o)),
            MemoryOp::IsParam => Some(self.asks(Intrinsic::IsParam, o)),
            MemoryOp::IntoSpace(s) => Some(self.null_unless_in(s, o)),
            MemoryOp::FenceOf => {
                let local = self.points_into(Space::Local, o.get(0));
                let (local_fence, global_fence) = (self.iconst(Type::I32, 1), self.iconst(Type::I32, 2));
                let flags = self.build(|b| b.select(local, local_fence, global_fence));
                Some(self.resize(flags, o.ty, false))
            }
            MemoryOp::ToSpaceAddress(s) => {
                let p = self.in_space(o.get(0), space(s));
                let n = self.build(|b| b.cast(Opcode::PtrToInt, p, Type::I64));
                Some(self.resize(n, o.ty, false))
            }
            MemoryOp::FromSpaceAddress(s) => {
                let n = self.resize(o.get(0), Type::I64, false);
                let p = self.build(|b| b.cast(Opcode::IntToPtr, n, Type::ptr(space(s))));
                Some(self.in_space(p, o.ty.space().unwrap_or(AddrSpace::Generic)))
            }
        }
    }

    /// An intrinsic without a result.
    pub(crate) fn effect(&mut self, op: Intrinsic, args: &[Value]) -> Option<Value> {
        self.build(|b| b.intrinsic(op, Type::VOID, args));
        None
    }

    fn is_space(&mut self, s: Space, o: &Operands) -> Value {
        let v = self.points_into(s, o.get(0));
        self.truth_as(v, o.ty)
    }

    fn asks(&mut self, asked: Intrinsic, o: &Operands) -> Value {
        let v = self.pointer_is(asked, o.get(0));
        self.truth_as(v, o.ty)
    }

    /// The pointer in a space, or null.
    fn null_unless_in(&mut self, s: Space, o: &Operands) -> Value {
        let there = self.points_into(s, o.get(0));
        let (p, ty) = (self.in_space(o.get(0), space(s)), Type::ptr(space(s)));
        let null = self.func.dfg.bits(ty, 0);
        self.build(|b| b.select(there, p, null))
    }

    fn points_into(&mut self, s: Space, p: Value) -> Value {
        let i = match s {
            Space::Global => Intrinsic::IsGlobal,
            Space::Local => Intrinsic::IsShared,
            Space::Constant => Intrinsic::IsConst,
            Space::Private | Space::Generic => Intrinsic::IsLocal,
        };
        self.pointer_is(i, p)
    }

    fn pointer_is(&mut self, asked: Intrinsic, p: Value) -> Value {
        let p = self.in_space(p, AddrSpace::Generic);
        self.make(Opcode::Intrinsic, Type::I1, Flags::NONE, &[p], Payload::Intrinsic(asked))
    }

    /// Cache operators are for global memory; CUDA's take generic pointers that must point there.
    fn global_pointer(&mut self, ptr: Value) -> Value {
        if self.ty(ptr).space() == Some(AddrSpace::Generic) { self.in_space(ptr, AddrSpace::Global) } else { ptr }
    }

    fn load_cache(&mut self, c: Cache, o: &Operands) -> Value {
        let pointee = o.pointee(0);
        let ptr = self.global_pointer(o.get(0));
        let mem = MemInfo { cache: cache(c), ..MemInfo::aligned(pointee.align) };
        let flags = if c == Cache::NonCoherent { Flags::INVARIANT } else { Flags::NONE };
        let ty = memory_type(if pointee.ty.is_void() { o.ty } else { pointee.ty });
        let v = self.build(|b| b.load(ty, ptr, mem, flags));
        self.reinterpret(v, o.ty)
    }

    // ---- vectors from elements --------------------------------------------------------------------------------------

    /// Address of element group `index` of `lanes` elements.
    fn group_ptr(&mut self, ptr: Value, index: Value, lanes: u64, elem: u64) -> Value {
        let index = self.resize(index, Type::I64, false);
        self.element_ptr(ptr, index, lanes * elem, false)
    }

    fn vload(&mut self, o: &Operands) -> Value {
        let size = u64::from(o.pointee(1).ty.scalar_bytes());
        let ptr = self.group_ptr(o.get(1), o.get(0), u64::from(o.ty.lanes()), size);
        self.build(|b| b.load(o.ty, ptr, MemInfo::aligned(size as u32), Flags::NONE))
    }

    fn vstore(&mut self, o: &Operands) -> Option<Value> {
        let v = o.get(0);
        let ty = self.ty(v);
        let size = u64::from(ty.scalar_bytes());
        let ptr = self.group_ptr(o.get(2), o.get(1), u64::from(ty.lanes()), size);
        self.build(|b| b.store(ptr, v, MemInfo::aligned(size as u32), Flags::NONE));
        None
    }

    fn vload_half(&mut self, o: &Operands, aligned: bool) -> Value {
        let (step, align) = half_step(o.ty.lanes(), aligned);
        // `__builtin_load_half(p)` has no offset.
        let ptr = if let [ptr] = *o.values() { ptr } else { self.group_ptr(o.get(1), o.get(0), step, 2) };
        let half = o.ty.with_scalar(Type::F16);
        let v = self.build(|b| b.load(half, ptr, MemInfo::aligned(align), Flags::NONE));
        self.float_to_float(v, o.ty)
    }

    fn vstore_half(&mut self, o: &Operands, aligned: bool, round: Round) -> Option<Value> {
        let v = o.get(0);
        let ty = self.ty(v);
        let (step, align) = half_step(ty.lanes(), aligned);
        let ptr = if let [_, ptr] = *o.values() { ptr } else { self.group_ptr(o.get(2), o.get(1), step, 2) };
        let half = ty.with_scalar(Type::F16);
        let v = self.make(Opcode::FpTrunc, half, Flags::NONE, &[v], payload(round, Round::NearestEven));
        self.build(|b| b.store(ptr, v, MemInfo::aligned(align), Flags::NONE));
        None
    }

    // ---- copies ---------------------------------------------------------------------------------------------------

    /// `memmove`: byte by byte, backwards where the destination lies above the source.
    fn move_bytes(&mut self, o: &Operands) {
        let n = self.resize(o.get(2), Type::I64, false);
        let dst = self.in_space(o.get(0), AddrSpace::Generic);
        let src = self.in_space(o.get(1), AddrSpace::Generic);
        let up = self.build(|b| b.icmp(IntCC::Ule, dst, src));
        let zero = self.iconst(Type::I64, 0);
        self.count(zero, n, |e, i| {
            let one = e.iconst(Type::I64, 1);
            let last = e.op2(Opcode::Sub, n, one);
            let back = e.op2(Opcode::Sub, last, i);
            let k = e.build(|b| b.select(up, i, back));
            let from = e.build(|b| b.ptradd(src, k, Flags::NONE));
            let to = e.build(|b| b.ptradd(dst, k, Flags::NONE));
            let v = e.build(|b| b.load(Type::I8, from, MemInfo::aligned(1), Flags::NONE));
            e.build(|b| b.store(to, v, MemInfo::aligned(1), Flags::NONE));
            one
        });
    }

    /// `async_work_group_copy`: the work-items of the group copy every n-th element each. The copy is complete at the
    /// barrier of `wait_group_events`; the event's value is never read.
    fn async_copy(&mut self, o: &Operands, strided: bool) -> Value {
        let (dst, src) = (o.get(0), o.get(1));
        let elem = o.pointee(0);
        let n = self.resize(o.get(2), Type::I64, false);
        // The stride applies to the side in global memory.
        let one = self.iconst(Type::I64, 1);
        let stride = if strided { self.resize(o.get(3), Type::I64, false) } else { one };
        let to_global = self.ty(dst).space() == Some(AddrSpace::Global);
        let event = self.context.checks.then(|| {
            let given = self.resize(o.get(if strided { 4 } else { 3 }), Type::I64, false);
            let args = [dst, src, n, stride, given];
            self.make(Opcode::Intrinsic, Type::I64, Flags::NONE, &args, Payload::Intrinsic(Intrinsic::CheckCopy))
        });
        let local = self.local_linear_id();
        let total = self.group_total();
        self.count(local, n, |e, i| {
            let far = e.op2(Opcode::Mul, i, stride);
            let (di, si) = if to_global { (far, i) } else { (i, far) };
            let from = e.element_ptr(src, si, elem.size, false);
            let to = e.element_ptr(dst, di, elem.size, false);
            let v = e.build(|b| b.load(elem.ty, from, MemInfo::aligned(elem.align), Flags::NONE));
            e.build(|b| b.store(to, v, MemInfo::aligned(elem.align), Flags::NONE));
            total
        });
        let ty = if o.ty.is_void() { Type::I64 } else { o.ty };
        match event {
            Some(event) => {
                self.effect(Intrinsic::CheckCopyEnd, &[]);
                self.resize(event, ty, false)
            }
            None => self.iconst(ty, 0),
        }
    }

    /// `wait_group_events`: the copies are complete at a barrier.
    fn wait_events(&mut self, o: &Operands) -> Option<Value> {
        if self.context.checks {
            let n = self.resize(o.get(0), Type::I64, false);
            let most = self.iconst(Type::I64, MAX_EVENTS);
            let n = self.op2(Opcode::UMin, n, most);
            let (zero, one) = (self.iconst(Type::I64, 0), self.iconst(Type::I64, 1));
            self.count(zero, n, |e, i| {
                let at = e.element_ptr(o.get(1), i, 8, false);
                let event = e.build(|b| b.load(Type::I64, at, MemInfo::aligned(8), Flags::NONE));
                e.effect(Intrinsic::CheckWait, &[event]);
                one
            });
        }
        self.barrier()
    }
}
