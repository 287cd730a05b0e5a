//! Choices between vectors by a condition that is the same for all lanes are no branches where a function has many of them.
//!
//! x86 has no instruction for `select i1 c, <16 x i32> a, b`: LLVM makes a branch around a move of each, after it has selected
//! instructions. A kernel with thousands of them has thousands of blocks more, and the register allocator walks through all that
//! every live range covers: its time grows with the square. So, if there are more than [`FEW`], the condition goes into all lanes
//! of a mask right where the choice stands, which is a blend then. Where there are few the branch stays: it is predicted well.
//!
//! It comes behind `held`, so that conditions that are held by the hundred stand beside their choices already, and before
//! `splat_masks`, which keeps LLVM from turning in circles over such masks.
//!
//! Cost: linear in instructions.

use super::walk;
use crate::writer::Unit;
use crate::writer::ll::{Ll, Val};
use inkwell::llvm_sys::core::{
    LLVMGetElementType, LLVMGetInstructionOpcode, LLVMGetIntTypeWidth, LLVMGetOperand, LLVMGetTypeKind,
    LLVMGetVectorSize, LLVMIsConstant, LLVMSetOperand, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};

/// Most choices of a function that stay branches.
const FEW: usize = 64;

/// Makes the choices of functions that have many of them blends.
pub(super) fn blend(unit: &Unit) {
    let ll = Ll::new(unit);
    for f in walk::functions(unit) {
        // SAFETY: `f` is a function of the unit's module, which nobody else changes; its instructions are collected first. A
        // choice is no phi, and what stands before it may use what it uses; its operand 0 may be one condition or one a lane.
        unsafe {
            let choices: Vec<LLVMValueRef> = walk::instructions(f).filter(|&i| is_choice_by_one_condition(i)).collect();
            if choices.len() <= FEW {
                continue;
            }
            for choice in choices {
                ll.before(Val(choice));
                let lanes = LLVMGetVectorSize(LLVMTypeOf(choice));
                let mask = ll.splat(Val(LLVMGetOperand(choice, 0)), lanes);
                LLVMSetOperand(choice, 0, mask.0);
            }
        }
    }
}

/// Whether an instruction chooses one of two vectors of data by one condition.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn is_choice_by_one_condition(i: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; a choice has a condition.
    unsafe {
        if LLVMGetInstructionOpcode(i) != LLVMOpcode::LLVMSelect {
            return false;
        }
        let condition = LLVMGetOperand(i, 0);
        LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMTypeKind::LLVMIntegerTypeKind
            && LLVMIsConstant(condition) == 0
            && is_vector_of_data(LLVMTypeOf(i))
    }
}

/// Whether a type is a vector of anything but conditions.
///
/// # Safety
/// `ty` is a type of a living context.
unsafe fn is_vector_of_data(ty: LLVMTypeRef) -> bool {
    // SAFETY: the caller's promise; elements are asked of vectors, widths of integers.
    unsafe {
        if LLVMGetTypeKind(ty) != LLVMTypeKind::LLVMVectorTypeKind {
            return false;
        }
        let element = LLVMGetElementType(ty);
        LLVMGetTypeKind(element) != LLVMTypeKind::LLVMIntegerTypeKind || LLVMGetIntTypeWidth(element) > 1
    }
}
