//! Values that are cheap to compute are computed where they are used, if a function would hold too many of them meanwhile.
//!
//! What is the same for all work-items stands before the loops over them: `n + 1`, `n + 2`, … for hundreds of calls with `n + j`,
//! all alive through all that the calls have become. LLVM's register allocator then splits and spills each of them around each
//! of hundreds of blocks, and takes time that grows with the square of the program; and what it writes in the end is a load
//! where an addition would do. So: of the values that are a few operations away from one number (`n`), and that blocks other
//! than their own use, a function may hold [`HELD`]. If there are more, each is computed again in the blocks that use it, and
//! no longer where it stood; only the number that they are made of stays alive.
//!
//! LLVM's code motion out of loops, which runs before this, does not look at registers; the one behind it, on machine
//! instructions, takes out of loops again what there are registers for.
//!
//! Cost: linear in instructions and uses.

use super::walk;
use crate::writer::Unit;
use inkwell::llvm_sys::core::{
    LLVMCreateBuilderInContext, LLVMDisposeBuilder, LLVMGetBasicBlockTerminator, LLVMGetElementType, LLVMGetFirstUse,
    LLVMGetIncomingBlock, LLVMGetInstructionOpcode, LLVMGetInstructionParent, LLVMGetIntTypeWidth, LLVMGetNextUse,
    LLVMGetNumOperands, LLVMGetOperand, LLVMGetTypeKind, LLVMGetUser, LLVMInsertIntoBuilder, LLVMInstructionClone,
    LLVMInstructionEraseFromParent, LLVMIsAAllocaInst, LLVMIsAPHINode, LLVMIsConstant, LLVMPositionBuilderBefore,
    LLVMSetOperand, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Most values made of one number that are held for other blocks: twice the registers of the machine.
const HELD: u32 = 32;
/// Most operations between a number and what is made of it: about what a load from the stack takes.
const OPERATIONS: u32 = 3;
/// Most blocks in which a value is computed again.
const PLACES: usize = 8;

/// Sinks what the functions of a module hold.
pub(super) fn sink(unit: &Unit) {
    // SAFETY: the module and its context are alive; the builder is disposed of once, and nothing is left that it refers to.
    unsafe {
        let builder = LLVMCreateBuilderInContext(unit.context);
        for f in walk::functions(unit) {
            sink_in(f, builder);
        }
        LLVMDisposeBuilder(builder);
    }
}

/// What a cheap value is made of.
#[derive(Clone, Copy)]
struct Cheap {
    /// The number at the beginning.
    root: LLVMValueRef,
    /// Operations from there.
    operations: u32,
}

/// Sinks what a function holds.
///
/// # Safety
/// `f` is a function of a living module, which nobody else changes.
unsafe fn sink_in(f: LLVMValueRef, builder: LLVMBuilderRef) {
    // SAFETY: the caller's promise; instructions are collected before any is inserted or removed.
    unsafe {
        let mut order: FxHashMap<LLVMValueRef, u32> = FxHashMap::default();
        let mut cheap: FxHashMap<LLVMValueRef, Cheap> = FxHashMap::default();
        let mut held: FxHashMap<LLVMValueRef, u32> = FxHashMap::default();
        let mut candidates: Vec<(LLVMValueRef, LLVMValueRef)> = Vec::new();
        for (n, i) in walk::instructions(f).enumerate() {
            order.insert(i, n as u32);
            let Some(made) = made_of(i, &cheap, f) else { continue };
            cheap.insert(i, made);
            candidates.push((i, made.root));
            let home = LLVMGetInstructionParent(i);
            if uses(i).iter().any(|u| u.block != home) {
                *held.entry(made.root).or_default() += 1;
            }
        }
        // From the last to the first: what a value is made of is asked for where that value has gone.
        for &(i, root) in candidates.iter().rev() {
            if held.get(&root).is_some_and(|&n| n > HELD) {
                compute_where_used(i, builder, &mut order);
            }
        }
    }
}

/// What `i` is made of, if it is cheap: one value that is no constant, by few operations. `frame` stands for the pointer to the
/// function's stack frame.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn made_of(i: LLVMValueRef, cheap: &FxHashMap<LLVMValueRef, Cheap>, frame: LLVMValueRef) -> Option<Cheap> {
    use LLVMOpcode::*;
    // SAFETY: the caller's promise; operands are asked of instructions that have them.
    unsafe {
        let operations = match LLVMGetInstructionOpcode(i) {
            // With the shuffle behind it one instruction.
            LLVMInsertElement => 0,
            LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMICmp
            | LLVMZExt | LLVMSExt | LLVMTrunc | LLVMGetElementPtr | LLVMShuffleVector => 1,
            _ => return None,
        };
        if !is_of_whole_numbers(LLVMTypeOf(i)) {
            return None;
        }
        let mut operand = None;
        for v in (0..LLVMGetNumOperands(i) as u32).map(|n| LLVMGetOperand(i, n)) {
            if LLVMIsConstant(v) == 0 && operand.replace(v).is_some_and(|before| before != v) {
                return None;
            }
        }
        let operand = operand.filter(|&v| is_of_whole_numbers(LLVMTypeOf(v)))?;
        // Addresses within the stack frame are all made of its pointer.
        let root = if LLVMIsAAllocaInst(operand).is_null() { operand } else { frame };
        let of = Cheap { root, operations };
        Some(match cheap.get(&operand) {
            Some(c) if c.operations + operations <= OPERATIONS => Cheap { operations: c.operations + operations, ..*c },
            _ => of,
        })
    }
}

/// Integers and pointers, conditions among them, and vectors of integers; masks of vectors have rules of their own.
///
/// # Safety
/// `ty` is a type of a living context.
unsafe fn is_of_whole_numbers(ty: LLVMTypeRef) -> bool {
    // SAFETY: the caller's promise; elements are asked of vectors, widths of integers.
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMIntegerTypeKind | LLVMTypeKind::LLVMPointerTypeKind => true,
            LLVMTypeKind::LLVMVectorTypeKind => {
                let element = LLVMGetElementType(ty);
                LLVMGetTypeKind(element) == LLVMTypeKind::LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) > 1
            }
            _ => false,
        }
    }
}

/// A use of a value.
struct Use {
    user: LLVMValueRef,
    operand: u32,
    /// Where the value must be.
    block: LLVMBasicBlockRef,
    /// In front of what.
    before: LLVMValueRef,
}

/// The uses of an instruction.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn uses(i: LLVMValueRef) -> SmallVec<[Use; 4]> {
    let mut out = SmallVec::new();
    // SAFETY: the caller's promise; users of instructions are instructions, and blocks have terminators.
    unsafe {
        // A phi may use a value as often as branches lead to it.
        let mut seen: FxHashSet<LLVMValueRef> = FxHashSet::default();
        let mut u = LLVMGetFirstUse(i);
        while !u.is_null() {
            let user = LLVMGetUser(u);
            u = LLVMGetNextUse(u);
            if !seen.insert(user) {
                continue;
            }
            for operand in (0..LLVMGetNumOperands(user) as u32).filter(|&n| LLVMGetOperand(user, n) == i) {
                let (block, before) = if LLVMIsAPHINode(user).is_null() {
                    (LLVMGetInstructionParent(user), user)
                } else {
                    let from = LLVMGetIncomingBlock(user, operand);
                    (from, LLVMGetBasicBlockTerminator(from))
                };
                out.push(Use { user, operand, block, before });
            }
        }
    }
    out
}

/// Computes `i` again in the other blocks that use it, and no longer where it stands if nothing there does.
///
/// # Safety
/// `i` is an instruction of a living module without effects, which nobody else changes; `order` has the places of all
/// instructions of the function.
unsafe fn compute_where_used(i: LLVMValueRef, builder: LLVMBuilderRef, order: &mut FxHashMap<LLVMValueRef, u32>) {
    // SAFETY: the caller's promise. A copy stands in front of the first use in a block, which what `i` is made of dominates.
    unsafe {
        let home = LLVMGetInstructionParent(i);
        let all = uses(i);
        let mut first: SmallVec<[(LLVMBasicBlockRef, LLVMValueRef); 8]> = SmallVec::new();
        for u in all.iter().filter(|u| u.block != home) {
            match first.iter().position(|f| f.0 == u.block) {
                Some(n) if order[&u.before] < order[&first[n].1] => first[n].1 = u.before,
                Some(_) => {}
                None if first.len() == PLACES => return,
                None => first.push((u.block, u.before)),
            }
        }
        for &(block, before) in &first {
            let copy = LLVMInstructionClone(i);
            LLVMPositionBuilderBefore(builder, before);
            LLVMInsertIntoBuilder(builder, copy);
            order.insert(copy, order[&before]);
            for u in all.iter().filter(|u| u.block == block) {
                LLVMSetOperand(u.user, u.operand, copy);
            }
        }
        if all.iter().all(|u| u.block != home) {
            LLVMInstructionEraseFromParent(i);
        }
    }
}
