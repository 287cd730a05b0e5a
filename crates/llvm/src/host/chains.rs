//! Cuts long chains of sums and products of integers for LLVM's strength reduction, which writes each of them as one sum of
//! all that the chain begins with.
//!
//! `s += x * i + j * k` in five nested loops, the inner ones unrolled a thousand times, is such a chain: its time grew with the
//! square of the length and more (minutes for 12,000 operations). What it is for, addresses of loops, are sums of a few. So
//! behind [`LONGEST`] operations a value is frozen, which it does not look through, and which is no instruction.
//!
//! Cost: linear in instructions and uses.

use super::walk;
use crate::writer::Unit;
use crate::writer::ll::{Ll, Val};
use inkwell::llvm_sys::core::{
    LLVMGetInstructionOpcode, LLVMGetNextInstruction, LLVMGetNumOperands, LLVMGetOperand, LLVMGetTypeKind,
    LLVMReplaceAllUsesWith, LLVMSetOperand, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use rustc_hash::FxHashMap;

/// Most operations of a chain that stays whole.
const LONGEST: u32 = 32;

/// Cuts the chains of a module.
pub(super) fn cut(unit: &Unit) {
    let ll = Ll::new(unit);
    for v in ends(unit) {
        // SAFETY: `v` is an instruction of the living module, no phi and not the last of its block: there is one behind it.
        unsafe {
            ll.before(Val(LLVMGetNextInstruction(v)));
            let frozen = ll.freeze(Val(v));
            LLVMReplaceAllUsesWith(v, frozen.0);
            LLVMSetOperand(frozen.0, 0, v);
        }
    }
}

/// The last operations of chains that are as long as may be.
fn ends(unit: &Unit) -> Vec<LLVMValueRef> {
    let mut found = Vec::new();
    let mut lengths: FxHashMap<LLVMValueRef, u32> = FxHashMap::default();
    // SAFETY: the module is alive, and nobody changes it meanwhile.
    unsafe {
        for i in walk::functions(unit).flat_map(|f| walk::instructions(f)) {
            let Some(adds) = length_added(i) else { continue };
            let operands = (0..LLVMGetNumOperands(i) as u32).map(|n| LLVMGetOperand(i, n));
            let before = operands.filter_map(|v| lengths.get(&v)).max().copied().unwrap_or(0);
            let mut length = before + adds;
            if length >= LONGEST && adds > 0 {
                found.push(i);
                length = 0;
            }
            lengths.insert(i, length);
        }
    }
    found
}

/// What an instruction adds to a chain; `None` for what ends it.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn length_added(i: LLVMValueRef) -> Option<u32> {
    // SAFETY: the caller's promise.
    let (op, kind) = unsafe { (LLVMGetInstructionOpcode(i), LLVMGetTypeKind(LLVMTypeOf(i))) };
    if kind != LLVMTypeKind::LLVMIntegerTypeKind {
        return None;
    }
    match op {
        LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMMul | LLVMOpcode::LLVMShl => Some(1),
        LLVMOpcode::LLVMSExt | LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMTrunc => Some(0),
        _ => None,
    }
}
