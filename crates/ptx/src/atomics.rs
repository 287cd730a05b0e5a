//! Atomics and fences.
//!
//! What the target has an instruction for is written with it (`red` when nobody reads the old value); everything else
//! is a compare-and-swap loop, on the containing word for 8 and 16 bits. Private memory has no rivals: plain accesses.

use crate::error::EmitError;
use crate::func::Fx;
use crate::memory::Access;
use crate::operand::Addr;
use crate::regs::{Class, Opnd, push_opnd};
use ir::{AddrSpace, AtomicOp, Flags, Inst, MemOrder, Opcode, Payload, Scope, Type};
use target::Feature;

/// The memory order and scope of an atomic.
#[derive(Clone, Copy)]
struct Ordering {
    order: MemOrder,
    scope: Scope,
}

fn scope_suffix(scope: Scope) -> &'static str {
    [".cta", ".gpu", ".sys"][scope as usize]
}

impl Fx<'_> {
    /// Writes an atomic.
    pub(crate) fn atomic(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let d = &f.dfg.insts[i];
        let Payload::Atomic(op, order, scope) = d.payload else { return Ok(()) };
        let args = f.dfg.args(i);
        let ord = Ordering { order, scope };
        let addr = self.addr(args[0]);
        let (ty, span) = (d.ty, f.dfg.span(i));
        if matches!(addr.space, AddrSpace::Constant | AddrSpace::Param) || addr.param {
            return Err(EmitError::unsupported(
                "an atomic operation on constant memory",
                span,
                "use a variable in global or shared memory",
            ));
        }
        if ty.is_vector() || ty == Type::I1 {
            return Err(EmitError::unsupported(
                format!("an atomic operation on `{ty}`"),
                span,
                "use a scalar of 8 to 64 bits",
            ));
        }
        let cas = d.op == Opcode::AtomicCas;
        let float = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
        if !cas && op != AtomicOp::Xchg && float != ty.is_float() {
            return Err(EmitError::unsupported(
                format!("an atomic `{}` on `{ty}`", op.name()),
                span,
                "integer operations need integers, float operations floats",
            ));
        }
        let mut o = [Opnd::None; 2];
        for (slot, &v) in o.iter_mut().zip(&args[1..]) {
            *slot = self.operand(v, 0);
        }
        let used = self.sel.is_needed(f.dfg.res(i));
        let old = match () {
            () if addr.space == AddrSpace::Private => self.private_update(op, ty, addr, o, cas),
            () if ty.bits() < 32 => self.atomic_narrow(op, ty, addr, o, cas, ord),
            () if cas => self.atomic_cas(ty, addr, o, ord),
            () => self.atomic_rmw(op, ty, addr, o[0], used, ord),
        };
        self.set(f.dfg.res(i), old);
        Ok(())
    }

    // ---- orders -------------------------------------------------------------------------------------------------

    /// What stands before the atomic for its order.
    fn fence_before(&mut self, o: Ordering) {
        let model = self.has(Feature::MemoryModel);
        match o.order {
            MemOrder::SeqCst => self.fence(MemOrder::SeqCst, o.scope),
            MemOrder::Release | MemOrder::AcqRel if !model => self.fence(MemOrder::AcqRel, o.scope),
            _ => {}
        }
    }

    /// What stands after it.
    fn fence_after(&mut self, o: Ordering) {
        let acquires = matches!(o.order, MemOrder::Acquire | MemOrder::AcqRel | MemOrder::SeqCst);
        if acquires && !self.has(Feature::MemoryModel) {
            self.fence(MemOrder::AcqRel, o.scope);
        }
    }

    /// The order and scope in the name of the instruction.
    fn order_suffix(&self, o: Ordering) -> [&'static str; 2] {
        let order = match o.order {
            _ if !self.has(Feature::MemoryModel) => "",
            MemOrder::Relaxed => "",
            MemOrder::Acquire => ".acquire",
            MemOrder::Release => ".release",
            MemOrder::AcqRel | MemOrder::SeqCst => ".acq_rel",
        };
        let plain = order.is_empty() && o.scope == Scope::Device;
        [order, if plain || !self.has(Feature::AtomScopes) { "" } else { scope_suffix(o.scope) }]
    }

    fn fence(&mut self, order: MemOrder, scope: Scope) {
        if order == MemOrder::Relaxed {
            return;
        }
        if self.has(Feature::MemoryModel) {
            let kind = if order == MemOrder::SeqCst { "fence.sc" } else { "fence.acq_rel" };
            return self.line(&[kind, scope_suffix(scope)], &[]);
        }
        self.line(&[["membar.cta", "membar.gl", "membar.sys"][scope as usize]], &[]);
    }

    /// Writes a fence.
    pub(crate) fn fence_inst(&mut self, i: Inst) -> Result<(), EmitError> {
        if let Payload::Fence(order, scope) = self.f.dfg.insts[i].payload {
            self.fence(order, scope);
        }
        Ok(())
    }

    // ---- instructions -------------------------------------------------------------------------------------------

    fn atomic_cas(&mut self, ty: Type, addr: Addr, o: [Opnd; 2], ord: Ordering) -> Opnd {
        let int = Type::int(ty.bits()).unwrap_or(Type::I32);
        let o = o.map(|x| self.reinterpret(x, ty, int));
        self.fence_before(ord);
        let old = self.cas(int, addr, o, ord);
        self.fence_after(ord);
        self.reinterpret(old, int, ty)
    }

    /// The instruction itself, on a 32- or 64-bit integer.
    fn cas(&mut self, ty: Type, addr: Addr, o: [Opnd; 2], ord: Ordering) -> Opnd {
        let [order, scope] = self.order_suffix(ord);
        let d = Opnd::Reg(self.tmp(if ty.bits() == 64 { Class::B64 } else { Class::B32 }));
        let suffix = if ty.bits() == 64 { ".b64" } else { ".b32" };
        self.memory_op(&["atom", order, scope, addr.suffix(), ".cas", suffix], Some(d), addr, &o);
        d
    }

    /// Writes `op d, [addr], args…`.
    fn memory_op(&mut self, op: &[&str], d: Option<Opnd>, addr: Addr, args: &[Opnd]) {
        let mut out = std::mem::take(&mut self.out);
        out.push('\t');
        op.iter().for_each(|p| out.push_str(p));
        out.push_str(" \t");
        if let Some(d) = d {
            push_opnd(&mut out, d);
            out.push_str(", ");
        }
        self.push_addr(&mut out, addr);
        for &a in args {
            out.push_str(", ");
            push_opnd(&mut out, a);
        }
        out.push_str(";\n");
        self.out = out;
    }

    fn atomic_rmw(&mut self, op: AtomicOp, ty: Type, addr: Addr, v: Opnd, used: bool, ord: Ordering) -> Opnd {
        let Some((name, suffix)) = self.native(op, ty) else { return self.cas_loop(op, ty, addr, v, ord) };
        let int = Type::int(ty.bits()).unwrap_or(Type::I32);
        let exchange = op == AtomicOp::Xchg;
        let v = match op {
            AtomicOp::Sub => self.scalar_int(Opcode::Sub, ty, Opnd::Int(0), v),
            AtomicOp::Xchg => self.reinterpret(v, ty, int),
            _ => v,
        };
        self.fence_before(ord);
        let [order, scope] = self.order_suffix(ord);
        let reduce = !used && !exchange && !matches!(order, ".acquire" | ".acq_rel");
        let parts = [if reduce { "red" } else { "atom" }, order, scope, addr.suffix(), name, suffix];
        if reduce {
            self.memory_op(&parts, None, addr, &[v]);
            self.fence_after(ord);
            return Opnd::constant(ty, 0);
        }
        let kind = if exchange { int } else { ty };
        let d = Opnd::Reg(self.tmp(Class::of(kind).unwrap_or(Class::B32)));
        self.memory_op(&parts, Some(d), addr, &[v]);
        self.fence_after(ord);
        if exchange { self.reinterpret(d, int, ty) } else { d }
    }

    /// Operation and type suffix, if the target has the operation on a type of 32 or 64 bits.
    fn native(&self, op: AtomicOp, ty: Type) -> Option<(&'static str, &'static str)> {
        use AtomicOp::*;
        let wide = ty.bits() == 64;
        let pick = |a, b| if wide { b } else { a };
        Some(match op {
            Add | Sub => (".add", pick(".u32", ".u64")),
            Xchg => (".exch", pick(".b32", ".b64")),
            SMin => (".min", pick(".s32", ".s64")),
            SMax => (".max", pick(".s32", ".s64")),
            UMin => (".min", pick(".u32", ".u64")),
            UMax => (".max", pick(".u32", ".u64")),
            And => (".and", pick(".b32", ".b64")),
            Or => (".or", pick(".b32", ".b64")),
            Xor => (".xor", pick(".b32", ".b64")),
            Inc if !wide => (".inc", ".u32"),
            Dec if !wide => (".dec", ".u32"),
            FAdd if !wide => (".add", ".f32"),
            FAdd if self.has(Feature::AtomAddF64) => (".add", ".f64"),
            _ => return None,
        })
    }

    // ---- loops --------------------------------------------------------------------------------------------------

    /// The new value: what `op` makes of the old one.
    fn update(&mut self, op: AtomicOp, ty: Type, old: Opnd, v: Opnd) -> Opnd {
        use AtomicOp::*;
        let int = |op| (op, false);
        let float = |op| (op, true);
        let (op, is_float) = match op {
            Xchg => return v,
            Inc | Dec => return self.wrap_count(op == Inc, ty, old, v),
            Add => int(Opcode::Add),
            Sub => int(Opcode::Sub),
            SMin => int(Opcode::SMin),
            SMax => int(Opcode::SMax),
            UMin => int(Opcode::UMin),
            UMax => int(Opcode::UMax),
            And => int(Opcode::And),
            Or => int(Opcode::Or),
            Xor => int(Opcode::Xor),
            FAdd => float(Opcode::FAdd),
            FMin => float(Opcode::FMin),
            FMax => float(Opcode::FMax),
        };
        if is_float { self.scalar_float(op, ty, old, v) } else { self.scalar_int(op, ty, old, v) }
    }

    /// CUDA's wrapping increment and decrement.
    fn wrap_count(&mut self, up: bool, ty: Type, old: Opnd, v: Opnd) -> Opnd {
        let (old, v) = (self.normalised(old, ty, false), self.normalised(v, ty, false));
        let class = Class::of(ty).unwrap_or(Class::B32);
        let suffix = [".u16", ".u32", ".u64"][(ty.bits().max(16) / 32) as usize];
        let step = Opnd::Int(if up { 1 } else { -1 });
        let next = self.scalar_int(Opcode::Add, ty, old, step);
        if up {
            let wraps = self.op_tmp(Class::Pred, &["setp.ge", suffix], &[old, v]);
            return self.op_tmp(class, &["selp", class.decl()], &[Opnd::Int(0), next, wraps]);
        }
        let zero = self.op_tmp(Class::Pred, &["setp.eq", suffix], &[old, Opnd::Int(0)]);
        let wraps = self.op_tmp(Class::Pred, &["setp.gt.or", suffix], &[old, v, zero]);
        self.op_tmp(class, &["selp", class.decl()], &[v, next, wraps])
    }

    fn cas_loop(&mut self, op: AtomicOp, ty: Type, addr: Addr, v: Opnd, ord: Ordering) -> Opnd {
        let int = Type::int(ty.bits()).unwrap_or(Type::I32);
        let suffix = if int == Type::I64 { ".s64" } else { ".s32" };
        self.fence_before(ord);
        let old = self.tmp(Class::of(int).unwrap_or(Class::B32));
        self.access("ld", addr, volatile(ty.bytes()), if int == Type::I64 { ".b64" } else { ".b32" }, &[old.into()]);
        let head = self.new_label();
        self.place_label(head);
        let before = self.reinterpret(old.into(), int, ty);
        let new = self.update(op, ty, before, v);
        let new = self.reinterpret(new, ty, int);
        let found = self.cas(int, addr, [old.into(), new], ord);
        let again = self.op_tmp(Class::Pred, &["setp.ne", suffix], &[found, old.into()]);
        self.mov(old, found);
        self.goto_label_if(again, false, head);
        self.fence_after(ord);
        self.reinterpret(old.into(), int, ty)
    }

    /// 8 and 16 bits: a loop on the word that contains them.
    fn atomic_narrow(&mut self, op: AtomicOp, ty: Type, addr: Addr, o: [Opnd; 2], cas: bool, ord: Ordering) -> Opnd {
        if let Some(d) = self.native_half_add(op, ty, addr, o[0], cas, ord) {
            return d;
        }
        let b32 = Class::B32;
        let int = Type::int(ty.bits()).unwrap_or(Type::I16);
        let mask = int.mask() as i64;
        self.fence_before(ord);
        let base = self.direct(addr.base);
        let at = self.op_tmp(Class::B64, &["add.s64"], &[base, Opnd::Int(addr.offset)]);
        let aligned = self.op_tmp(Class::B64, &["and.b64"], &[at, Opnd::Int(-4)]);
        let low = self.op_tmp(b32, &["cvt.u32.u64"], &[at]);
        let byte = self.op_tmp(b32, &["and.b32"], &[low, Opnd::Int(3)]);
        let shift = self.op_tmp(b32, &["shl.b32"], &[byte, Opnd::Int(3)]);
        let field = self.in_register(Opnd::Int(mask), Type::I32);
        let field = self.op_tmp(b32, &["shl.b32"], &[field, shift]);
        let others = self.op_tmp(b32, &["not.b32"], &[field]);
        let addr = Addr { base: aligned, offset: 0, ..addr };
        let word = self.tmp(b32);
        self.access("ld", addr, volatile(4), ".b32", &[word.into()]);
        let (head, end) = (self.new_label(), self.new_label());
        self.place_label(head);
        let moved = self.op_tmp(b32, &["shr.u32"], &[word.into(), shift]);
        let old = self.op_tmp(Class::B16, &["cvt.u16.u32"], &[moved]);
        let old = self.normalised(old, int, false);
        let before = self.reinterpret(old, int, ty);
        let new = if cas {
            let expected = self.reinterpret(o[0], ty, int);
            let expected = self.normalised(expected, int, false);
            let differs = self.op_tmp(Class::Pred, &["setp.ne.s16"], &[old, expected]);
            self.goto_label_if(differs, false, end);
            o[1]
        } else {
            self.update(op, ty, before, o[0])
        };
        let new = self.reinterpret(new, ty, int);
        let new = self.normalised(new, int, false);
        let new = self.in_register(new, Type::I16);
        let new = self.op_tmp(b32, &["cvt.u32.u16"], &[new]);
        let new = self.op_tmp(b32, &["shl.b32"], &[new, shift]);
        let kept = self.op_tmp(b32, &["and.b32"], &[word.into(), others]);
        let whole = self.op_tmp(b32, &["or.b32"], &[kept, new]);
        let found = self.cas(Type::I32, addr, [word.into(), whole], ord);
        let again = self.op_tmp(Class::Pred, &["setp.ne.s32"], &[found, word.into()]);
        self.mov(word, found);
        self.goto_label_if(again, false, head);
        self.place_label(end);
        self.fence_after(ord);
        before
    }

    fn native_half_add(
        &mut self,
        op: AtomicOp,
        ty: Type,
        addr: Addr,
        v: Opnd,
        cas: bool,
        ord: Ordering,
    ) -> Option<Opnd> {
        let feature = match ty {
            Type::F16 => Feature::AtomAddF16,
            Type::BF16 => Feature::AtomAddBf16,
            _ => return None,
        };
        if cas || op != AtomicOp::FAdd || !self.has(feature) {
            return None;
        }
        self.fence_before(ord);
        let [order, scope] = self.order_suffix(ord);
        let suffix = if ty == Type::F16 { ".f16" } else { ".bf16" };
        let d = Opnd::Reg(self.tmp(Class::H));
        let v = self.in_register(v, ty);
        self.memory_op(&["atom", order, scope, addr.suffix(), ".add.noftz", suffix], Some(d), addr, &[v]);
        Some(d)
    }

    fn private_update(&mut self, op: AtomicOp, ty: Type, addr: Addr, o: [Opnd; 2], cas: bool) -> Opnd {
        let acc = Access::aligned(ty.bytes());
        let old = self.load_lanes(addr, ty, acc)[0];
        let new = if cas {
            let int = Type::int(ty.bits()).unwrap_or(Type::I32);
            let (a, b) = (self.reinterpret(old, ty, int), self.reinterpret(o[0], ty, int));
            let (a, b) = (self.normalised(a, int, false), self.normalised(b, int, false));
            let suffix = [".s16", ".s32", ".s64"][(ty.bits().max(16) / 32) as usize];
            let equal = self.op_tmp(Class::Pred, &["setp.eq", suffix], &[a, b]);
            self.choose(ty, equal, o[1], old)
        } else {
            self.update(op, ty, old, o[0])
        };
        self.store_lanes(addr, ty, acc, &[new]);
        old
    }
}

fn volatile(align: u32) -> Access {
    Access { flags: Flags::VOLATILE, ..Access::aligned(align) }
}
