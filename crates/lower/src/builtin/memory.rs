//! Memory builtins and atomics. `Some(None)` says: done, without a result.

use super::Operands;
use crate::func::Fn;
use builtins::{Cache, Op, Order, Rmw, Space};
use ir::{
    AddrSpace, AtomicOp, CacheOp, Flags, IntCC, Intrinsic, MemInfo, MemOrder, Opcode, Payload, Scope, Type, Value,
};

pub(super) fn scope(s: builtins::Scope) -> Scope {
    match s {
        builtins::Scope::Warp | builtins::Scope::Group => Scope::Group,
        builtins::Scope::Device => Scope::Device,
        builtins::Scope::System => Scope::System,
    }
}

pub(super) fn order(o: Order) -> MemOrder {
    match o {
        Order::Relaxed => MemOrder::Relaxed,
        Order::Acquire => MemOrder::Acquire,
        Order::Release => MemOrder::Release,
        Order::AcqRel => MemOrder::AcqRel,
        Order::SeqCst => MemOrder::SeqCst,
    }
}

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

impl Fn<'_, '_> {
    pub(super) fn memory_op(&mut self, op: Op, o: &Operands<'_>) -> Option<Option<Value>> {
        Some(match op {
            Op::VLoad => Some(self.vload(o)),
            Op::VStore => {
                self.vstore(o);
                None
            }
            Op::VLoadHalf { aligned } => Some(self.vload_half(o, aligned)),
            Op::VStoreHalf { aligned, round } => {
                self.vstore_half(o, aligned, super::float::round(round));
                None
            }
            Op::LoadCache(c) => {
                let (ptr, ty, align) = self.pointee_of(o, 0);
                let ptr = self.global_pointer(ptr);
                let mem = MemInfo { cache: cache(c), ..MemInfo::aligned(align) };
                let flags = if c == Cache::NonCoherent { Flags::INVARIANT } else { Flags::NONE };
                let ty = crate::types::memory_type(if ty.is_void() { o.ty } else { ty });
                let v = self.build(|b| b.load(ty, ptr, mem, flags));
                Some(self.reinterpret(v, o.ty))
            }
            Op::StoreCache(c) => {
                let (ptr, _, align) = self.pointee_of(o, 0);
                let ptr = self.global_pointer(ptr);
                let mem = MemInfo { cache: cache(c), ..MemInfo::aligned(align) };
                let v = self.packed(o.get(1));
                self.build(|b| b.store(ptr, v, mem, Flags::NONE));
                None
            }
            Op::MemCpy | Op::MemMove => {
                self.block_copy(o, op == Op::MemMove);
                Some(o.get(0)).filter(|_| !o.ty.is_void())
            }
            Op::MemSet => {
                let byte = self.resize(o.get(1), Type::I8, false);
                let n = self.resize(o.get(2), Type::I64, false);
                self.build(|b| b.memset(o.v[0], byte, n, MemInfo::aligned(1)));
                Some(o.get(0)).filter(|_| !o.ty.is_void())
            }
            Op::Prefetch => {
                self.build(|b| b.intrinsic(Intrinsic::PrefetchL2, Type::VOID, &[o.v[0]]));
                None
            }
            Op::IsSpace(s) => {
                let i = match s {
                    Space::Global => Intrinsic::IsGlobal,
                    Space::Local => Intrinsic::IsShared,
                    Space::Constant => Intrinsic::IsConst,
                    _ => Intrinsic::IsLocal,
                };
                let p = self.in_space(o.get(0), AddrSpace::Generic);
                let v = self.make(Opcode::Intrinsic, Type::I1, Flags::NONE, &[p], Payload::Intrinsic(i));
                Some(self.truth_as(v, o.ty))
            }
            Op::ToSpaceAddress(s) => {
                let p = self.in_space(o.get(0), space(s));
                let n = self.build(|b| b.cast(Opcode::PtrToInt, p, Type::I64));
                Some(self.resize(n, o.ty, false))
            }
            Op::FromSpaceAddress(s) => {
                let n = self.resize(o.get(0), Type::I64, false);
                let p = self.build(|b| b.cast(Opcode::IntToPtr, n, Type::ptr(space(s))));
                Some(self.in_space(p, o.ty.space().unwrap_or(AddrSpace::Generic)))
            }
            Op::Atomic { rmw, scope: sc, order: or } => Some(self.atomic(rmw, scope(sc), order(or), o)),
            Op::AtomicStep { down, scope: sc } => {
                let (ptr, ty, _) = self.pointee_of(o, 0);
                let one = self.iconst(ty, 1);
                let code = if down { AtomicOp::Sub } else { AtomicOp::Add };
                Some(self.build(|b| b.atomic_rmw(code, MemOrder::Relaxed, scope(sc), ptr, one)))
            }
            Op::AtomicCas { scope: sc, order: or } => {
                let ty = self.ty(o.get(2));
                let v = self.cas(o.get(0), o.get(1), o.get(2), order(or), scope(sc));
                debug_assert_eq!(self.ty(v), ty);
                Some(v)
            }
            Op::AtomicCasPtr { order: or } => Some(self.cas_ptr(o, order(or))),
            Op::AtomicLoad { order: or } => Some(self.atomic_load(o, order(or))),
            Op::AtomicStore { order: or } => {
                let v = o.get(1);
                let int = self.as_int_type(self.ty(v));
                let v = self.reinterpret(v, int);
                self.build(|b| b.atomic_rmw(AtomicOp::Xchg, order(or), Scope::Device, o.v[0], v));
                None
            }
            Op::AtomicFlagSet { order: or } => {
                let (ptr, ty, _) = self.pointee_of(o, 0);
                let (set, clear) = (self.iconst(ty, 1), self.iconst(ty, 0));
                let old = self.build(|b| b.atomic_rmw(AtomicOp::Xchg, order(or), Scope::Device, ptr, set));
                let was_set = self.build(|b| b.icmp(IntCC::Ne, old, clear));
                Some(self.truth_as(was_set, o.ty))
            }
            Op::AtomicFlagClear { order: or } => {
                let (ptr, ty, _) = self.pointee_of(o, 0);
                let clear = self.iconst(ty, 0);
                self.build(|b| b.atomic_rmw(AtomicOp::Xchg, order(or), Scope::Device, ptr, clear));
                None
            }
            Op::AtomicInit => {
                let v = self.packed(o.get(1));
                let align = self.ty(v).bytes();
                self.build(|b| b.store(o.v[0], v, MemInfo::aligned(align), Flags::NONE));
                None
            }
            Op::AsyncCopy | Op::AsyncStridedCopy => {
                self.async_copy(op, o);
                // Copies are complete at the barrier of `wait_group_events`; the event's value is never read.
                let ty = if o.ty.is_void() { Type::I64 } else { o.ty };
                Some(self.iconst(ty, 0))
            }
            Op::WaitEvents => {
                let zero = self.iconst(Type::I32, 0);
                self.build(|b| b.intrinsic(Intrinsic::Barrier, Type::VOID, &[zero]));
                None
            }
            _ => return None,
        })
    }

    fn pointee_of(&mut self, o: &Operands<'_>, n: usize) -> (Value, Type, u32) {
        let program = self.cx.program;
        match program.types.get(program.expr(o.exprs[n]).ty) {
            sema::types::Ty::Pointer { pointee, .. } => {
                let ty = crate::types::value_type(&program.types, *pointee);
                (o.get(n), ty, program.types.align_of(*pointee))
            }
            _ => (o.get(n), Type::I8, 1),
        }
    }

    /// Cache operators are for global memory; CUDA's take generic pointers that must point there.
    fn global_pointer(&mut self, ptr: Value) -> Value {
        if self.ty(ptr).space() == Some(AddrSpace::Generic) { self.in_space(ptr, AddrSpace::Global) } else { ptr }
    }

    fn as_int_type(&self, ty: Type) -> Type {
        if ty.is_int() { ty } else { Type::int(ty.bits() * u32::from(ty.lanes())).unwrap_or(Type::I32) }
    }

    /// Address of element group `index` of `lanes` elements.
    fn group_ptr(&mut self, ptr: Value, index: Value, lanes: u64, elem: u64) -> Value {
        let index = self.resize(index, Type::I64, false);
        self.element_ptr(ptr, index, lanes * elem, false)
    }

    fn vload(&mut self, o: &Operands<'_>) -> Value {
        let (ptr, elem, _) = self.pointee_of(o, 1);
        let size = u64::from(elem.scalar_bytes());
        let ptr = self.group_ptr(ptr, o.get(0), u64::from(o.ty.lanes()), size);
        self.build(|b| b.load(o.ty, ptr, MemInfo::aligned(size as u32), Flags::NONE))
    }

    fn vstore(&mut self, o: &Operands<'_>) {
        let v = o.get(0);
        let ty = self.ty(v);
        let size = u64::from(ty.scalar_bytes());
        let ptr = self.group_ptr(o.get(2), o.get(1), u64::from(ty.lanes()), size);
        self.build(|b| b.store(ptr, v, MemInfo::aligned(size as u32), Flags::NONE));
    }

    /// Elements that one step of a half access takes and its alignment.
    fn half_step(lanes: u8, aligned: bool) -> (u64, u32) {
        let step = if aligned && lanes == 3 { 4 } else { lanes };
        (u64::from(step), if aligned { u32::from(step) * 2 } else { 2 })
    }

    fn vload_half(&mut self, o: &Operands<'_>, aligned: bool) -> Value {
        let lanes = o.ty.lanes();
        let (step, align) = Self::half_step(lanes, aligned);
        let ptr = self.group_ptr(o.get(1), o.get(0), step, 2);
        let half = o.ty.with_scalar(Type::F16);
        let v = self.build(|b| b.load(half, ptr, MemInfo::aligned(align), Flags::NONE));
        self.float_to_float(v, o.ty)
    }

    fn vstore_half(&mut self, o: &Operands<'_>, aligned: bool, round: ir::Round) {
        let v = o.get(0);
        let ty = self.ty(v);
        let (step, align) = Self::half_step(ty.lanes(), aligned);
        let ptr = self.group_ptr(o.get(2), o.get(1), step, 2);
        let half = ty.with_scalar(Type::F16);
        let pay = if round == ir::Round::NearestEven { Payload::None } else { Payload::Round(round) };
        let v = self.make(Opcode::FpTrunc, half, Flags::NONE, &[v], pay);
        self.build(|b| b.store(ptr, v, MemInfo::aligned(align), Flags::NONE));
    }

    fn block_copy(&mut self, o: &Operands<'_>, overlapping: bool) {
        let n = self.resize(o.get(2), Type::I64, false);
        if !overlapping {
            self.build(|b| b.memcpy(o.v[0], o.v[1], n, MemInfo::aligned(1)));
            return;
        }
        // memmove: byte by byte, backwards where the destination lies above the source.
        let generic = |this: &mut Self, p: Value| this.in_space(p, AddrSpace::Generic);
        let (dst, src) = (generic(self, o.get(0)), generic(self, o.get(1)));
        let up = self.build(|b| b.icmp(IntCC::Ule, dst, src));
        let var = self.ssa.declare(Type::I64);
        let zero = self.iconst(Type::I64, 0);
        self.ssa.write(self.block, var, zero);
        let (head, body, end) = (self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        let i = self.ssa.read(&mut self.func, self.block, var);
        let more = self.build(|b| b.icmp(IntCC::Ult, i, n));
        self.br(more, body, end, None);
        self.start_sealed(body);
        let one = self.iconst(Type::I64, 1);
        let last = self.op2(Opcode::Sub, n, one);
        let back = self.op2(Opcode::Sub, last, i);
        let k = self.build(|b| b.select(up, i, back));
        let from = self.build(|b| b.ptradd(src, k, Flags::NONE));
        let to = self.build(|b| b.ptradd(dst, k, Flags::NONE));
        let v = self.build(|b| b.load(Type::I8, from, MemInfo::aligned(1), Flags::NONE));
        self.build(|b| b.store(to, v, MemInfo::aligned(1), Flags::NONE));
        let next = self.op2(Opcode::Add, i, one);
        self.ssa.write(self.block, var, next);
        self.jump(head);
        self.ssa.seal(&mut self.func, head);
        self.start_sealed(end);
    }

    fn atomic(&mut self, rmw: Rmw, scope: Scope, order: MemOrder, o: &Operands<'_>) -> Value {
        let (ptr, v) = (o.get(0), o.get(1));
        let ty = self.ty(v);
        let program = self.cx.program;
        let signed = program.types.is_signed(program.types.scalar_of(program.expr(o.exprs[1]).ty));
        let (code, v) = match rmw {
            Rmw::Add if ty.is_float() => (AtomicOp::FAdd, v),
            Rmw::Sub if ty.is_float() => (AtomicOp::FAdd, self.op1(Opcode::FNeg, v)),
            Rmw::Add => (AtomicOp::Add, v),
            Rmw::Sub => (AtomicOp::Sub, v),
            Rmw::Exchange => {
                // Exchanges move bits: floats go as integers.
                let int = self.as_int_type(ty);
                let bits = self.reinterpret(v, int);
                let old = self.build(|b| b.atomic_rmw(AtomicOp::Xchg, order, scope, ptr, bits));
                return self.reinterpret(old, ty);
            }
            Rmw::Min if ty.is_float() => (AtomicOp::FMin, v),
            Rmw::Max if ty.is_float() => (AtomicOp::FMax, v),
            Rmw::Min => (if signed { AtomicOp::SMin } else { AtomicOp::UMin }, v),
            Rmw::Max => (if signed { AtomicOp::SMax } else { AtomicOp::UMax }, v),
            Rmw::And => (AtomicOp::And, v),
            Rmw::Or => (AtomicOp::Or, v),
            Rmw::Xor => (AtomicOp::Xor, v),
            Rmw::IncWrap => (AtomicOp::Inc, v),
            Rmw::DecWrap => (AtomicOp::Dec, v),
        };
        if ty.is_vector() {
            return self.packed_atomic(code, order, scope, ptr, v);
        }
        self.build(|b| b.atomic_rmw(code, order, scope, ptr, v))
    }

    /// An atomic on a packed pair (`half2`): a loop of compare and swap on its 32 bits.
    fn packed_atomic(&mut self, code: AtomicOp, order: MemOrder, scope: Scope, ptr: Value, v: Value) -> Value {
        let ty = self.ty(v);
        let int = self.as_int_type(ty);
        let first = self.build(|b| b.load(int, ptr, MemInfo::aligned(int.bytes()), Flags::VOLATILE));
        let var = self.ssa.declare(int);
        self.ssa.write(self.block, var, first);
        let (head, end) = (self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        let expected = self.ssa.read(&mut self.func, self.block, var);
        let old = self.reinterpret(expected, ty);
        let op = match code {
            AtomicOp::FMin => Opcode::FMin,
            AtomicOp::FMax => Opcode::FMax,
            _ => Opcode::FAdd,
        };
        let new = self.op2(op, old, v);
        let new = self.reinterpret(new, int);
        let found = self.build(|b| b.atomic_cas(order, scope, ptr, expected, new));
        self.ssa.write(self.block, var, found);
        let done = self.build(|b| b.icmp(IntCC::Eq, found, expected));
        self.br(done, end, head, None);
        self.ssa.seal(&mut self.func, head);
        self.start_sealed(end);
        self.reinterpret(found, ty)
    }

    fn cas(&mut self, ptr: Value, expected: Value, new: Value, order: MemOrder, scope: Scope) -> Value {
        let ty = self.ty(new);
        let int = self.as_int_type(ty);
        let (e, n) = (self.reinterpret(expected, int), self.reinterpret(new, int));
        let old = self.build(|b| b.atomic_cas(order, scope, ptr, e, n));
        self.reinterpret(old, ty)
    }

    fn cas_ptr(&mut self, o: &Operands<'_>, order: MemOrder) -> Value {
        let ty = self.ty(o.get(2));
        let align = ty.bytes();
        let expected = self.build(|b| b.load(ty, o.v[1], MemInfo::aligned(align), Flags::NONE));
        let old = self.cas(o.get(0), expected, o.get(2), order, Scope::Device);
        self.build(|b| b.store(o.v[1], old, MemInfo::aligned(align), Flags::NONE));
        let int = self.as_int_type(ty);
        let (a, b) = (self.reinterpret(old, int), self.reinterpret(expected, int));
        let same = self.build(|x| x.icmp(IntCC::Eq, a, b));
        self.truth_as(same, o.ty)
    }

    /// An atomic load: an `or` with zero, which every target has for 32 and 64 bits.
    fn atomic_load(&mut self, o: &Operands<'_>, order: MemOrder) -> Value {
        let int = self.as_int_type(o.ty);
        let zero = self.iconst(int, 0);
        let v = self.build(|b| b.atomic_rmw(AtomicOp::Or, order, Scope::Device, o.v[0], zero));
        self.reinterpret(v, o.ty)
    }

    /// `async_work_group_copy`: the work-items of the group copy every n-th element each.
    fn async_copy(&mut self, op: Op, o: &Operands<'_>) {
        let (dst, elem, align) = self.pointee_of(o, 0);
        let src = o.get(1);
        let n = self.resize(o.get(2), Type::I64, false);
        let program = self.cx.program;
        let size = match program.types.get(program.expr(o.exprs[0]).ty) {
            sema::types::Ty::Pointer { pointee, .. } => self.cx.size_of(*pointee),
            _ => u64::from(elem.bytes()),
        };
        // The stride applies to the side in global memory.
        let one = self.iconst(Type::I64, 1);
        let stride = if op == Op::AsyncStridedCopy { self.resize(o.get(3), Type::I64, false) } else { one };
        let to_global = self.ty(dst).space() == Some(AddrSpace::Global);
        let local = self.local_linear_id();
        let total = self.group_total();
        let var = self.ssa.declare(Type::I64);
        self.ssa.write(self.block, var, local);
        let (head, body, end) = (self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        let i = self.ssa.read(&mut self.func, self.block, var);
        let more = self.build(|b| b.icmp(IntCC::Ult, i, n));
        self.br(more, body, end, None);
        self.start_sealed(body);
        let far = self.op2(Opcode::Mul, i, stride);
        let (di, si) = if to_global { (far, i) } else { (i, far) };
        let from = self.element_ptr(src, si, size, false);
        let to = self.element_ptr(dst, di, size, false);
        let v = self.build(|b| b.load(elem, from, MemInfo::aligned(align), Flags::NONE));
        self.build(|b| b.store(to, v, MemInfo::aligned(align), Flags::NONE));
        let next = self.op2(Opcode::Add, i, total);
        self.ssa.write(self.block, var, next);
        self.jump(head);
        self.ssa.seal(&mut self.func, head);
        self.start_sealed(end);
    }
}
