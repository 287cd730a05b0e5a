//! Atomic operations and fences.
//!
//! What only one thread of the target sees takes plain loads and stores. Elsewhere, integers are LLVM's atomics; floats swap
//! bits until nobody came between.

use super::func::FuncGen;
use super::ll::{Ipred, Ordering, RmwOp, Val};
use crate::LlvmError;
use ir::{AtomicOp, Flags, Inst, MemOrder, Opcode, Payload, Type};

fn ordering(order: MemOrder) -> Ordering {
    match order {
        MemOrder::Relaxed => Ordering::LLVMAtomicOrderingMonotonic,
        MemOrder::Acquire => Ordering::LLVMAtomicOrderingAcquire,
        MemOrder::Release => Ordering::LLVMAtomicOrderingRelease,
        MemOrder::AcqRel => Ordering::LLVMAtomicOrderingAcquireRelease,
        MemOrder::SeqCst => Ordering::LLVMAtomicOrderingSequentiallyConsistent,
    }
}

/// The order of a compare and swap that does not swap: it releases nothing.
fn failure_ordering(order: MemOrder) -> Ordering {
    match order {
        MemOrder::Relaxed | MemOrder::Release => Ordering::LLVMAtomicOrderingMonotonic,
        MemOrder::Acquire | MemOrder::AcqRel => Ordering::LLVMAtomicOrderingAcquire,
        MemOrder::SeqCst => Ordering::LLVMAtomicOrderingSequentiallyConsistent,
    }
}

/// How an atomic is ordered, and with whom.
#[derive(Clone, Copy)]
struct Order {
    order: MemOrder,
    /// LLVM's name of the scope.
    scope: &'static str,
}

impl Order {
    fn pair(self) -> (Ordering, &'static str) {
        (ordering(self.order), self.scope)
    }

    fn swap(self) -> (Ordering, Ordering) {
        (ordering(self.order), failure_ordering(self.order))
    }
}

fn integer_op(op: AtomicOp) -> Option<RmwOp> {
    Some(match op {
        AtomicOp::Add => RmwOp::LLVMAtomicRMWBinOpAdd,
        AtomicOp::Sub => RmwOp::LLVMAtomicRMWBinOpSub,
        AtomicOp::Xchg => RmwOp::LLVMAtomicRMWBinOpXchg,
        AtomicOp::SMin => RmwOp::LLVMAtomicRMWBinOpMin,
        AtomicOp::SMax => RmwOp::LLVMAtomicRMWBinOpMax,
        AtomicOp::UMin => RmwOp::LLVMAtomicRMWBinOpUMin,
        AtomicOp::UMax => RmwOp::LLVMAtomicRMWBinOpUMax,
        AtomicOp::And => RmwOp::LLVMAtomicRMWBinOpAnd,
        AtomicOp::Or => RmwOp::LLVMAtomicRMWBinOpOr,
        AtomicOp::Xor => RmwOp::LLVMAtomicRMWBinOpXor,
        AtomicOp::Inc => RmwOp::LLVMAtomicRMWBinOpUIncWrap,
        AtomicOp::Dec => RmwOp::LLVMAtomicRMWBinOpUDecWrap,
        AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => return None,
    })
}

impl FuncGen<'_> {
    pub(super) fn atomic(&mut self, i: Inst) -> Result<Option<Val>, LlvmError> {
        let data = &self.f.dfg.insts[i];
        let (op, order) = match data.payload {
            Payload::Atomic(op, order, scope) => (op, Order { order, scope: self.cx.target.scope(scope) }),
            Payload::Fence(order, scope) => {
                if self.cx.target.fences(scope) && order != MemOrder::Relaxed {
                    self.ll.fence(ordering(order), self.cx.target.scope(scope));
                }
                return Ok(None);
            }
            _ => return Ok(None),
        };
        let ty = data.ty;
        let is_float = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
        if is_float != ty.is_float() && !(ty.is_float() && op == AtomicOp::Xchg) {
            return Err(self.unsupported(
                i,
                format!("atomic `{}` of {ty}", op.name()),
                "use an operation that fits the type",
            ));
        }
        let own = self.arg_ty(i, 0).space().is_some_and(|s| self.cx.target.is_unshared(s));
        let old = if data.op == Opcode::AtomicCas {
            self.compare_and_swap(i, ty, order, own)
        } else if own {
            self.plain_update(i, ty, op)
        } else if let Some(rmw) = integer_op(op) {
            let v = self.bits_of(self.arg(i, 1), ty);
            self.ll.rmw(rmw, self.arg(i, 0), v, order.pair())
        } else if op == AtomicOp::FAdd && !super::narrow::is_16(ty.kind()) && self.cx.target.adds_floats() {
            return Ok(Some(self.ll.rmw(RmwOp::LLVMAtomicRMWBinOpFAdd, self.arg(i, 0), self.arg(i, 1), order.pair())));
        } else {
            self.swap_loop(i, ty, op, order)
        };
        Ok(Some(self.typed(old, ty)))
    }

    /// A value as an integer of its width.
    fn bits_of(&self, v: Val, ty: Type) -> Val {
        let int = self.ll.int(ty.bits(), 1);
        if ty.is_ptr() { self.ll.ptrtoint(v, int) } else { self.ll.bitcast(v, int) }
    }

    fn typed(&self, v: Val, ty: Type) -> Val {
        if ty.is_ptr() { self.ll.inttoptr(v, self.cx.ty(ty)) } else { self.ll.bitcast(v, self.cx.ty(ty)) }
    }

    fn compare_and_swap(&mut self, i: Inst, ty: Type, order: Order, own: bool) -> Val {
        let ll = self.ll;
        let (ptr, expected, new) = (self.arg(i, 0), self.bits_of(self.arg(i, 1), ty), self.bits_of(self.arg(i, 2), ty));
        if !own {
            return ll.cmpxchg(ptr, expected, new, order.swap(), order.scope).0;
        }
        let align = ty.bits() / 8;
        let old = ll.load(ll.int(ty.bits(), 1), ptr, align);
        let equal = ll.icmp(Ipred::LLVMIntEQ, old, expected);
        ll.store(ptr, ll.select(equal, new, old), align);
        old
    }

    fn plain_update(&mut self, i: Inst, ty: Type, op: AtomicOp) -> Val {
        let ll = self.ll;
        let align = ty.bits() / 8;
        let ptr = self.arg(i, 0);
        let old = ll.load(ll.int(ty.bits(), 1), ptr, align);
        let new = self.updated(i, ty, op, old);
        ll.store(ptr, new, align);
        old
    }

    /// Reads, computes, and swaps if nothing changed meanwhile; otherwise again.
    fn swap_loop(&mut self, i: Inst, ty: Type, op: AtomicOp, order: Order) -> Val {
        let ll = self.ll;
        let int = ll.int(ty.bits(), 1);
        let ptr = self.arg(i, 0);
        let before = ll.current();
        // A stale first value does no harm: the swap finds out.
        let first = ll.load_atomic(int, ptr, ty.bits() / 8);
        let (again, done) = (self.new_block(), self.new_block());
        ll.jump(again);
        ll.at_end(again);
        let old = ll.phi(int);
        ll.add_incoming(old, first, before);
        let new = self.updated(i, ty, op, old);
        let (found, swapped) = ll.cmpxchg(ptr, old, new, order.swap(), order.scope);
        let end = ll.current();
        ll.add_incoming(old, found, end);
        ll.branch(swapped, done, again);
        ll.at_end(done);
        old
    }

    /// What an operation leaves in memory, as bits.
    fn updated(&self, i: Inst, ty: Type, op: AtomicOp, old: Val) -> Val {
        let ll = self.ll;
        let int = ll.int(ty.bits(), 1);
        let float = |code: Opcode| {
            let flags: Flags = self.f.dfg.insts[i].flags;
            let args = [self.flush(self.typed(old, ty), ty, flags), self.flush(self.arg(i, 1), ty, flags)];
            let v = self.arithmetic(code, flags, ty, &args);
            self.bits_of(self.finish_float(v, ty, flags), ty)
        };
        match op {
            AtomicOp::FAdd => return float(Opcode::FAdd),
            AtomicOp::FMin => return float(Opcode::FMin),
            AtomicOp::FMax => return float(Opcode::FMax),
            _ => {}
        }
        let v = self.bits_of(self.arg(i, 1), ty);
        match op {
            AtomicOp::Add => ll.add(old, v),
            AtomicOp::Sub => ll.sub(old, v),
            AtomicOp::SMin => ll.intrinsic("llvm.smin", &[int], &[old, v]),
            AtomicOp::SMax => ll.intrinsic("llvm.smax", &[int], &[old, v]),
            AtomicOp::UMin => ll.intrinsic("llvm.umin", &[int], &[old, v]),
            AtomicOp::UMax => ll.intrinsic("llvm.umax", &[int], &[old, v]),
            AtomicOp::And => ll.and(old, v),
            AtomicOp::Or => ll.or(old, v),
            AtomicOp::Xor => ll.xor(old, v),
            AtomicOp::Inc => {
                let wraps = ll.icmp(Ipred::LLVMIntUGE, old, v);
                ll.select(wraps, ll.zero(int), ll.add(old, ll.iconst(ty.bits(), 1, 1)))
            }
            AtomicOp::Dec => {
                let wraps = ll.or(ll.icmp(Ipred::LLVMIntEQ, old, ll.zero(int)), ll.icmp(Ipred::LLVMIntUGT, old, v));
                ll.select(wraps, v, ll.sub(old, ll.iconst(ty.bits(), 1, 1)))
            }
            _ => v,
        }
    }
}
