//! Where a generic pointer points. Work-group and private memory have apertures of their own; constants lie in global
//! memory, and are what the module's variables there cover. What callers pass as constant memory is no variable, and counts
//! as global: no generic pointer can be made of it in OpenCL C.
//!
//! Cost: a comparison for each constant variable of the module.

use crate::writer::ll::{Ipred, Ll, Val};
use inkwell::llvm_sys::core::{
    LLVMGetFirstGlobal, LLVMGetNextGlobal, LLVMGetPointerAddressSpace, LLVMGlobalGetValueType, LLVMTypeOf,
};
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout};
use ir::{Function, Intrinsic};

/// LLVM's number of the constant address space.
const CONSTANT: u32 = 4;

/// Whether a function asks where a generic pointer points.
pub(super) fn are_asked_for(f: &Function) -> bool {
    use Intrinsic::{IsCluster, IsGlobal, IsLocal, IsShared};
    let mut insts = f.layout.blocks().flat_map(|b| f.layout.insts(b));
    insts.any(|i| matches!(f.dfg.insts[i].intrinsic(), Some(IsCluster | IsGlobal | IsLocal | IsShared)))
}

/// Whether `p` points into the group's memory.
pub(super) fn is_shared(ll: &Ll<'_>, p: Val) -> Val {
    ll.intrinsic("llvm.amdgcn.is.shared", &[], &[p])
}

/// Whether `p` points into private memory.
pub(super) fn is_private(ll: &Ll<'_>, p: Val) -> Val {
    ll.intrinsic("llvm.amdgcn.is.private", &[], &[p])
}

/// Whether `p` points into none of the others.
pub(super) fn is_global(ll: &Ll<'_>, p: Val) -> Val {
    ll.not(ll.or(ll.or(is_shared(ll, p), is_private(ll, p)), is_constant(ll, p)))
}

/// Whether `p` points into a variable in constant memory.
pub(super) fn is_constant(ll: &Ll<'_>, p: Val) -> Val {
    let word = ll.int(64, 1);
    let at = ll.ptrtoint(p, word);
    let mut inside = ll.iconst(1, 1, 0);
    for (variable, bytes) in constants(ll) {
        let from = ll.sub(at, ll.ptrtoint(variable, word));
        inside = ll.or(inside, ll.icmp(Ipred::LLVMIntULT, from, ll.iconst(64, 1, bytes)));
    }
    inside
}

/// The module's variables in constant memory, and their sizes in bytes.
fn constants(ll: &Ll<'_>) -> Vec<(Val, u64)> {
    let mut out = Vec::new();
    // SAFETY: the module is alive, the globals and their types are its own.
    unsafe {
        let layout = LLVMGetModuleDataLayout(ll.module);
        let mut at = LLVMGetFirstGlobal(ll.module);
        while !at.is_null() {
            if LLVMGetPointerAddressSpace(LLVMTypeOf(at)) == CONSTANT {
                out.push((Val(at), LLVMABISizeOfType(layout, LLVMGlobalGetValueType(at))));
            }
            at = LLVMGetNextGlobal(at);
        }
    }
    out
}
