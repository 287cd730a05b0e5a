//! Hides sixteen bits that come from masks from LLVM's selection of instructions, where they become a number of 16 bits.
//!
//! With AVX-512 a mask of 16 lanes is an integer of 16 bits, and so is `zext i1` of a comparison of floats for (un)equality, which
//! LLVM's combiner puts into such a mask. `bitcast i16 to half` of either is folded into `bitcast <16 x i1> to half`, for
//! which LLVM 19 has no instruction: it ends the process with "Cannot select". This pass, one of the last before code
//! generation, hands such an integer through an empty piece of assembly, so that it is an integer there and nothing else.
//!
//! Tried with all widths from 8 to 128 bits, masks of 1 to 64 lanes, the ways in which a mask becomes an integer, and all that
//! takes the bits: only one number of 16 bits has no instruction. Vectors of them do, and so do 32 and 64 bits.
//!
//! Cost: linear in such conversions; of what each comes from, at most [`FAR`] operations are looked at.

use super::{HostMachine, walk};
use crate::writer::Unit;
use crate::writer::ll::{Ll, Val};
use inkwell::llvm_sys::core::{
    LLVMGetElementType, LLVMGetInstructionOpcode, LLVMGetIntTypeWidth, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGetTypeKind, LLVMGetVectorSize, LLVMIsAInstruction, LLVMIsConstant, LLVMSetOperand, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};

/// Operations that are looked at, behind which bits are taken for a mask's.
const FAR: usize = 64;

/// Hides the bits of numbers of 16 bits that may be masks, where the machine has registers for masks.
pub(super) fn hide(unit: &Unit, machine: &HostMachine) {
    if !machine.is_x86() || !machine.has("avx512f") {
        return;
    }
    let ll = Ll::new(unit);
    for f in walk::functions(unit) {
        // SAFETY: `f` is a function of a living module; its instructions are collected before anything is inserted. What is
        // put in stands right before the conversion, whose operand it replaces by one that may be converted likewise.
        unsafe {
            let found: Vec<LLVMValueRef> = walk::instructions(f).filter(|&i| is_number_of_mask(i)).collect();
            for conversion in found {
                ll.before(Val(conversion));
                let bits = ll.bitcast(Val(LLVMGetOperand(conversion, 0)), ll.int(16, 1));
                LLVMSetOperand(conversion, 0, ll.assembly_identity(bits).0);
            }
        }
    }
}

/// Whether an instruction makes one number of 16 bits of bits that may be a mask's.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn is_number_of_mask(i: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; a conversion has an operand.
    unsafe {
        LLVMGetInstructionOpcode(i) == LLVMOpcode::LLVMBitCast
            && is_number(LLVMTypeOf(i))
            && may_be_mask(LLVMGetOperand(i, 0))
    }
}

/// Whether a type is one number of 16 bits.
///
/// # Safety
/// `ty` is a type of a living context.
unsafe fn is_number(ty: LLVMTypeRef) -> bool {
    let of_16 = |kind| matches!(kind, LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind);
    // SAFETY: the caller's promise; vectors are asked for elements.
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMVectorTypeKind => {
                LLVMGetVectorSize(ty) == 1 && of_16(LLVMGetTypeKind(LLVMGetElementType(ty)))
            }
            kind => of_16(kind),
        }
    }
}

/// Whether bits may come from conditions by operations that LLVM may do on masks: where they are made by others (loads,
/// calls, rounding to 16 bits), they are not.
///
/// # Safety
/// `bits` is a value of a living module.
unsafe fn may_be_mask(bits: LLVMValueRef) -> bool {
    use LLVMOpcode::*;
    let mut waiting = vec![bits];
    let mut seen = 0;
    while let Some(v) = waiting.pop() {
        seen += 1;
        // SAFETY: the caller's promise; operands are asked of instructions that have them.
        unsafe {
            if seen > FAR || is_condition(LLVMTypeOf(v)) {
                return true;
            }
            if LLVMIsAInstruction(v).is_null() {
                continue;
            }
            let operands = || (0..LLVMGetNumOperands(v) as u32).map(|n| LLVMGetOperand(v, n));
            match LLVMGetInstructionOpcode(v) {
                // Between two numbers it is a choice, with a constant logic on the condition.
                LLVMSelect if operands().skip(1).any(|o| LLVMIsConstant(o) != 0) => return true,
                LLVMSelect => waiting.extend(operands().skip(1)),
                LLVMZExt | LLVMSExt | LLVMTrunc | LLVMBitCast | LLVMFreeze | LLVMExtractElement | LLVMInsertElement
                | LLVMShuffleVector | LLVMAnd | LLVMOr | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr | LLVMAdd
                | LLVMSub | LLVMMul => waiting.extend(operands()),
                _ => {}
            }
        }
    }
    false
}

/// Whether a type is one condition, or one for each lane.
///
/// # Safety
/// `ty` is a type of a living context.
unsafe fn is_condition(ty: LLVMTypeRef) -> bool {
    // SAFETY: the caller's promise; elements are asked of vectors, widths of integers.
    unsafe {
        let vector = LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMVectorTypeKind;
        let element = if vector { LLVMGetElementType(ty) } else { ty };
        LLVMGetTypeKind(element) == LLVMTypeKind::LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 1
    }
}
