//! Atomic operations.

use crate::{Emitter, Operands};
use builtins::{AtomicOp, Order, Rmw};
use ir::{Flags, IntCC, MemInfo, MemOrder, Opcode, Scope, Type, Value};
use smallvec::SmallVec;

pub(crate) fn scope(s: builtins::Scope) -> Scope {
    match s {
        builtins::Scope::Warp | builtins::Scope::Group => Scope::Group,
        builtins::Scope::Device => Scope::Device,
        builtins::Scope::System => Scope::System,
    }
}

pub(crate) fn order(o: Order) -> MemOrder {
    match o {
        Order::Relaxed => MemOrder::Relaxed,
        Order::Acquire => MemOrder::Acquire,
        Order::Release => MemOrder::Release,
        Order::AcqRel => MemOrder::AcqRel,
        Order::SeqCst => MemOrder::SeqCst,
    }
}

/// The integer type of a value's bits.
fn int_type(ty: Type) -> Type {
    if ty.is_int() { ty } else { Type::int(ty.bits() * u32::from(ty.lanes())).unwrap_or(Type::I32) }
}

impl Emitter<'_> {
    pub(crate) fn atomic(&mut self, op: AtomicOp, o: &Operands) -> Option<Value> {
        match op {
            AtomicOp::Rmw { rmw, scope: s, order: r } => Some(self.read_modify_write(rmw, scope(s), order(r), o)),
            AtomicOp::Step { down, scope: s } => {
                let one = self.iconst(o.pointee(0).ty, 1);
                let code = if down { ir::AtomicOp::Sub } else { ir::AtomicOp::Add };
                Some(self.build(|b| b.atomic_rmw(code, MemOrder::Relaxed, scope(s), o.get(0), one)))
            }
            AtomicOp::Cas { scope: s, order: r } => Some(self.cas(o.get(0), o.get(1), o.get(2), order(r), scope(s))),
            AtomicOp::CasPtr { order: r } => Some(self.cas_ptr(o, order(r))),
            AtomicOp::Load { order: r } => Some(self.atomic_load(o, order(r))),
            AtomicOp::Store { order: r } => {
                let v = o.get(1);
                let int = int_type(self.ty(v));
                let v = self.reinterpret(v, int);
                self.exchange(o.get(0), v, r);
                None
            }
            AtomicOp::Init => {
                let v = self.packed(o.get(1));
                let align = self.ty(v).bytes();
                self.build(|b| b.store(o.get(0), v, MemInfo::aligned(align), Flags::NONE));
                None
            }
            AtomicOp::FlagSet { order: r } => {
                let ty = o.pointee(0).ty;
                let (set, clear) = (self.iconst(ty, 1), self.iconst(ty, 0));
                let old = self.exchange(o.get(0), set, r);
                let was_set = self.build(|b| b.icmp(IntCC::Ne, old, clear));
                Some(self.truth_as(was_set, o.ty))
            }
            AtomicOp::FlagClear { order: r } => {
                let clear = self.iconst(o.pointee(0).ty, 0);
                self.exchange(o.get(0), clear, r);
                None
            }
        }
    }

    /// Exchanges an integer, for the device.
    fn exchange(&mut self, ptr: Value, v: Value, r: Order) -> Value {
        self.build(|b| b.atomic_rmw(ir::AtomicOp::Xchg, order(r), Scope::Device, ptr, v))
    }

    fn read_modify_write(&mut self, rmw: Rmw, scope: Scope, order: MemOrder, o: &Operands) -> Value {
        use ir::AtomicOp as Code;
        let (ptr, v) = (o.get(0), o.get(1));
        let ty = self.ty(v);
        let signed = o.is_signed(1);
        let (code, v) = match rmw {
            Rmw::Add if ty.is_float() => (Code::FAdd, v),
            Rmw::Sub if ty.is_float() => (Code::FAdd, self.op1(Opcode::FNeg, v)),
            Rmw::Add => (Code::Add, v),
            Rmw::Sub => (Code::Sub, v),
            Rmw::Exchange => {
                // Exchanges move bits: floats go as integers.
                let bits = self.reinterpret(v, int_type(ty));
                let old = self.build(|b| b.atomic_rmw(Code::Xchg, order, scope, ptr, bits));
                return self.reinterpret(old, ty);
            }
            Rmw::Min if ty.is_float() => (Code::FMin, v),
            Rmw::Max if ty.is_float() => (Code::FMax, v),
            Rmw::Min => (if signed { Code::SMin } else { Code::UMin }, v),
            Rmw::Max => (if signed { Code::SMax } else { Code::UMax }, v),
            Rmw::And => (Code::And, v),
            Rmw::Or => (Code::Or, v),
            Rmw::Xor => (Code::Xor, v),
            Rmw::IncWrap => (Code::Inc, v),
            Rmw::DecWrap => (Code::Dec, v),
        };
        if ty.is_vector() && ty.scalar().bits() >= 32 {
            return self.each_atomic(code, order, scope, ptr, v);
        }
        if ty.is_vector() {
            return self.packed_atomic(code, order, scope, ptr, v);
        }
        self.build(|b| b.atomic_rmw(code, order, scope, ptr, v))
    }

    /// An atomic on `float2` or `float4`: each element by itself, which is all that CUDA promises of it.
    fn each_atomic(&mut self, code: ir::AtomicOp, order: MemOrder, scope: Scope, ptr: Value, v: Value) -> Value {
        let ty = self.ty(v);
        let old: SmallVec<[Value; 4]> = (0..ty.lanes())
            .map(|n| {
                let by = i64::from(n) * i64::from(ty.scalar().bytes());
                let by = self.iconst(Type::I64, by);
                let at = self.build(|b| b.ptradd(ptr, by, Flags::NONE));
                let element = self.build(|b| b.extract(v, n));
                self.build(|b| b.atomic_rmw(code, order, scope, at, element))
            })
            .collect();
        self.build(|b| b.vec_build(&old))
    }

    /// An atomic on a packed pair (`half2`): a loop of compare and swap on its 32 bits.
    fn packed_atomic(&mut self, code: ir::AtomicOp, order: MemOrder, scope: Scope, ptr: Value, v: Value) -> Value {
        let ty = self.ty(v);
        let int = int_type(ty);
        let first = self.build(|b| b.load(int, ptr, MemInfo::aligned(int.bytes()), Flags::VOLATILE));
        let op = match code {
            ir::AtomicOp::FMin => Opcode::FMin,
            ir::AtomicOp::FMax => Opcode::FMax,
            _ => Opcode::FAdd,
        };
        let found = self.repeat(first, |e, expected| {
            let old = e.reinterpret(expected, ty);
            let new = e.op2(op, old, v);
            let new = e.reinterpret(new, int);
            let found = e.build(|b| b.atomic_cas(order, scope, ptr, expected, new));
            let done = e.build(|b| b.icmp(IntCC::Eq, found, expected));
            (found, done)
        });
        self.reinterpret(found, ty)
    }

    fn cas(&mut self, ptr: Value, expected: Value, new: Value, order: MemOrder, scope: Scope) -> Value {
        let ty = self.ty(new);
        let int = int_type(ty);
        let (e, n) = (self.reinterpret(expected, int), self.reinterpret(new, int));
        let old = self.build(|b| b.atomic_cas(order, scope, ptr, e, n));
        self.reinterpret(old, ty)
    }

    fn cas_ptr(&mut self, o: &Operands, order: MemOrder) -> Value {
        let ty = self.ty(o.get(2));
        let align = ty.bytes();
        let expected = self.build(|b| b.load(ty, o.get(1), MemInfo::aligned(align), Flags::NONE));
        let old = self.cas(o.get(0), expected, o.get(2), order, Scope::Device);
        self.build(|b| b.store(o.get(1), old, MemInfo::aligned(align), Flags::NONE));
        let int = int_type(ty);
        let (a, b) = (self.reinterpret(old, int), self.reinterpret(expected, int));
        let same = self.build(|x| x.icmp(IntCC::Eq, a, b));
        self.truth_as(same, o.ty)
    }

    /// An atomic load: an `or` with zero, which every target has for 32 and 64 bits. Where the caller asks for no order (0 in
    /// both languages) a volatile load does, which is not cached and writes nothing.
    fn atomic_load(&mut self, o: &Operands, order: MemOrder) -> Value {
        let int = int_type(o.ty);
        let relaxed = o.values().get(1).is_some_and(|&asked| self.func.dfg.as_int(asked) == Some(0));
        if relaxed {
            let v = self.build(|b| b.load(int, o.get(0), MemInfo::aligned(int.bytes()), Flags::VOLATILE));
            return self.reinterpret(v, o.ty);
        }
        let zero = self.iconst(int, 0);
        let v = self.build(|b| b.atomic_rmw(ir::AtomicOp::Or, order, Scope::Device, o.get(0), zero));
        self.reinterpret(v, o.ty)
    }
}
