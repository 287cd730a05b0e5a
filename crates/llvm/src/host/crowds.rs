//! Values that thousands of instructions in many blocks use.
//!
//! LLVM's coalescer, when it joins a register with a copy of it, walks all uses of the register; common subexpressions do, too. A kernel of
//! a thousand loops to `n` makes a thousand copies of `n`, and spends the square of that. So each block loads such a value from memory
//! before its first use there, and a block that is all of a loop before that loop: what changes from one iteration to the next tells LLVM
//! nothing about the loop's end, which it then seeks among all conditions before. Uses by phis stay: there are few, and none makes a copy more.
//!
//! Cost: linear in instructions and operands.

use super::walk;
use super::webs::is_held;
use crate::writer::Unit;
use inkwell::llvm_sys::core::{
    LLVMBasicBlockAsValue, LLVMBuildAlloca, LLVMBuildLoad2, LLVMBuildStore, LLVMCreateBuilderInContext,
    LLVMDisposeBuilder, LLVMGetBasicBlockTerminator, LLVMGetEntryBasicBlock, LLVMGetFirstInstruction, LLVMGetFirstUse,
    LLVMGetInstructionParent, LLVMGetNextInstruction, LLVMGetNextUse, LLVMGetNumOperands, LLVMGetOperand, LLVMGetUser,
    LLVMIsAAllocaInst, LLVMIsAPHINode, LLVMIsATerminatorInst, LLVMPositionBuilderBefore, LLVMSetOperand,
    LLVMSetVolatile, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMBuilderRef, LLVMUseRef, LLVMValueRef};
use rustc_hash::FxHashMap;

/// Most uses in other blocks of a value that stays where it is.
const CROWD: usize = 1000;

/// Has the blocks of a module load what more than [`CROWD`] use.
pub(super) fn disperse(unit: &Unit) {
    // SAFETY: the module and its context are alive; the builder is disposed of once, and nothing is left that it refers to.
    unsafe {
        let builder = LLVMCreateBuilderInContext(unit.context);
        for f in walk::functions(unit) {
            let wide: Vec<LLVMValueRef> = walk::instructions(f).filter(|&i| is_used_by_a_crowd(i)).collect();
            if !wide.is_empty() {
                disperse_in(f, &wide, builder);
            }
        }
        LLVMDisposeBuilder(builder);
    }
}

/// Whether a crowd in other blocks uses the result of `i`, which may go through memory.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn is_used_by_a_crowd(i: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; uses are followed while there are any.
    unsafe {
        let kind = LLVMIsATerminatorInst(i).is_null() && LLVMIsAAllocaInst(i).is_null() && is_held(LLVMTypeOf(i));
        let home = LLVMGetInstructionParent(i);
        let there = |u: LLVMUseRef| (!u.is_null()).then_some(u);
        kind && std::iter::successors(there(LLVMGetFirstUse(i)), |&u| there(LLVMGetNextUse(u)))
            .map(|u| LLVMGetUser(u))
            .filter(|&user| LLVMGetInstructionParent(user) != home && LLVMIsAPHINode(user).is_null())
            .nth(CROWD)
            .is_some()
    }
}

/// Stores each of `wide` where it is made, and loads it in each other block before its first use there.
///
/// # Safety
/// `wide` are instructions of the function `f` of a living module, which nobody else changes.
unsafe fn disperse_in(f: LLVMValueRef, wide: &[LLVMValueRef], builder: LLVMBuilderRef) {
    // SAFETY: the caller's promise. Instructions are collected before any is inserted; behind one that ends no block stands another.
    unsafe {
        let all: Vec<LLVMValueRef> = walk::instructions(f).collect();
        let entry = LLVMGetEntryBasicBlock(f);
        let mut slots: FxHashMap<LLVMValueRef, LLVMValueRef> = FxHashMap::default();
        for &v in wide {
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
            let slot = LLVMBuildAlloca(builder, LLVMTypeOf(v), c"".as_ptr());
            let mut at = LLVMGetNextInstruction(v);
            while !LLVMIsAPHINode(at).is_null() {
                at = LLVMGetNextInstruction(at);
            }
            LLVMPositionBuilderBefore(builder, at);
            // Volatile, so that nothing puts the loads together again.
            LLVMSetVolatile(LLVMBuildStore(builder, v, slot), 1);
            slots.insert(v, slot);
        }
        let mut loaded: FxHashMap<(LLVMBasicBlockRef, LLVMValueRef), LLVMValueRef> = FxHashMap::default();
        for &i in all.iter().filter(|&&i| LLVMIsAPHINode(i).is_null()) {
            let block = LLVMGetInstructionParent(i);
            let mut before = None;
            for n in 0..LLVMGetNumOperands(i) as u32 {
                let v = LLVMGetOperand(i, n);
                let Some(&slot) = slots.get(&v).filter(|_| LLVMGetInstructionParent(v) != block) else { continue };
                let before = *before.get_or_insert_with(|| before_loop(block));
                let load = *loaded.entry((block, v)).or_insert_with(|| {
                    LLVMPositionBuilderBefore(builder, before.map_or(i, |b| LLVMGetBasicBlockTerminator(b)));
                    let load = LLVMBuildLoad2(builder, LLVMTypeOf(v), slot, c"".as_ptr());
                    LLVMSetVolatile(load, 1);
                    load
                });
                LLVMSetOperand(i, n, load);
            }
        }
    }
}

/// The block before a loop that is all of `block`, if it comes from only one.
///
/// # Safety
/// `block` is a block of a living module, which ends with a terminator.
unsafe fn before_loop(block: LLVMBasicBlockRef) -> Option<LLVMBasicBlockRef> {
    // SAFETY: the caller's promise; uses of a block are followed while there are any.
    unsafe {
        let there = |u: LLVMUseRef| (!u.is_null()).then_some(u);
        let mut own = false;
        let mut other = None;
        for u in
            std::iter::successors(there(LLVMGetFirstUse(LLVMBasicBlockAsValue(block))), |&u| there(LLVMGetNextUse(u)))
        {
            let user = LLVMGetUser(u);
            if LLVMIsATerminatorInst(user).is_null() {
                return None;
            }
            match LLVMGetInstructionParent(user) {
                from if from == block => own = true,
                from if other.is_none() => other = Some(from),
                _ => return None,
            }
        }
        other.filter(|_| own)
    }
}
