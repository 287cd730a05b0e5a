//! Barriers of the work-group.

use super::convention::Amd;
use crate::LlvmError;
use crate::writer::convention::Call;
use crate::writer::ll::{Ipred, LLVMLinkage, Ll, Ordering, RmwOp, Val, c_string};
use inkwell::llvm_sys::core::{LLVMAddGlobalInAddressSpace, LLVMGetNamedGlobal, LLVMSetAlignment, LLVMSetInitializer};
use ir::Intrinsic;

/// The word of the local data share in which barriers count.
const COUNTER: &str = "unspool.barrier.count";

/// LLVM's number of the local data share's address space.
const LDS: u32 = 3;

impl Amd<'_> {
    /// A barrier, with its fence.
    pub(super) fn barrier(&self, ll: &Ll<'_>) {
        ll.fence(Ordering::LLVMAtomicOrderingRelease, "workgroup");
        ll.intrinsic("llvm.amdgcn.s.barrier", &[], &[]);
        ll.fence(Ordering::LLVMAtomicOrderingAcquire, "workgroup");
    }

    /// A barrier that asks every work-item: each adds what it says to a word of the local data share.
    pub(super) fn counting_barrier(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Val, LlvmError> {
        let counter = self.counter(ll);
        let word = ll.int(32, 1);
        let p = (call.arg)(0);
        let counted = if call.op == Intrinsic::BarrierAnd { ll.not(p) } else { p };
        // All write the same; nobody still reads what the barrier before counted.
        ll.store(counter, ll.zero(word), 4);
        self.barrier(ll);
        let order = (Ordering::LLVMAtomicOrderingMonotonic, "workgroup");
        ll.rmw(RmwOp::LLVMAtomicRMWBinOpAdd, counter, ll.zext(counted, word), order);
        self.barrier(ll);
        let count = ll.load(word, counter, 4);
        self.barrier(ll);
        let none = ll.icmp(Ipred::LLVMIntEQ, count, ll.zero(word));
        Ok(match call.op {
            Intrinsic::BarrierAnd => none,
            Intrinsic::BarrierOr => ll.not(none),
            _ => count,
        })
    }

    fn counter(&self, ll: &Ll<'_>) -> Val {
        let name = c_string(COUNTER);
        let word = ll.int(32, 1);
        // SAFETY: module and types are alive; the variable is of the type that its initialiser has.
        unsafe {
            let there = LLVMGetNamedGlobal(ll.module, name.as_ptr());
            if !there.is_null() {
                return Val(there);
            }
            let v = LLVMAddGlobalInAddressSpace(ll.module, word.0, name.as_ptr(), LDS);
            LLVMSetAlignment(v, 4);
            LLVMSetInitializer(v, ll.poison(word).0);
            ll.set_linkage(Val(v), LLVMLinkage::LLVMInternalLinkage);
            Val(v)
        }
    }
}
