//! Hides masks that are made of integers from LLVM's selection of instructions, which may turn in circles over them.
//!
//! With AVX-512 a mask of 8 to 64 lanes is an integer, too. `or` of two masks that are all on or all off, as uniform
//! conditions say, becomes `or` of integers by one rule of LLVM 19's combiner and of masks by another, for ever
//! (<https://github.com/llvm/llvm-project/issues/123333>, mended for 20, is a near relative). Where such a mask goes into
//! logic, this pass, one of the last before code generation, hands it through an empty piece of assembly, so that it is
//! a mask there and nothing else.
//!
//! Cost: linear in instructions and uses.

use super::mask_chains::mask_lanes;
use super::{HostMachine, walk};
use crate::writer::Unit;
use crate::writer::ll::{Ll, Val};
use inkwell::llvm_sys::core::{
    LLVMGetFirstUse, LLVMGetInstructionOpcode, LLVMGetInstructionParent, LLVMGetMaskValue, LLVMGetNextInstruction,
    LLVMGetNextUse, LLVMGetNumMaskElements, LLVMGetNumOperands, LLVMGetOperand, LLVMGetTypeKind, LLVMGetUser,
    LLVMSetOperand, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};

/// Hides the masks of a module, where the machine has registers for masks.
pub(super) fn hide(unit: &Unit, machine: &HostMachine) {
    if !machine.is_x86() || !machine.has("avx512f") {
        return;
    }
    let ll = Ll::new(unit);
    for (mask, users) in candidates(unit) {
        // SAFETY: `mask` is an instruction that is no phi and not the last of its block; its users come behind it, and
        // are given a value of the same type that stands right behind it.
        unsafe {
            ll.before(Val(LLVMGetNextInstruction(mask)));
            let hidden = ll.assembly_identity(Val(mask));
            for user in users {
                for n in 0..LLVMGetNumOperands(user) as u32 {
                    if LLVMGetOperand(user, n) == mask {
                        LLVMSetOperand(user, n, hidden.0);
                    }
                }
            }
        }
    }
}

/// Masks made of integers, with the logic that uses them.
fn candidates(unit: &Unit) -> Vec<(LLVMValueRef, Vec<LLVMValueRef>)> {
    let mut found = Vec::new();
    // SAFETY: the module is alive, and nobody changes it meanwhile.
    unsafe {
        for i in walk::functions(unit).flat_map(|f| walk::instructions(f)) {
            let in_register = mask_lanes(LLVMTypeOf(i)).is_some_and(|lanes| matches!(lanes, 8 | 16 | 32 | 64));
            if in_register && is_of_integer(i) {
                let users = logic_on(i);
                if !users.is_empty() {
                    found.push((i, users));
                }
            }
        }
    }
    found
}

/// Whether a mask is one of two by a scalar condition, the same bit in each lane, or the bits of an integer.
///
/// # Safety
/// `i` is an instruction of a living module that makes a mask.
unsafe fn is_of_integer(i: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; operands are asked of instructions that have them.
    unsafe {
        let scalar = |v| LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMTypeKind::LLVMIntegerTypeKind;
        match LLVMGetInstructionOpcode(i) {
            LLVMOpcode::LLVMSelect | LLVMOpcode::LLVMBitCast => scalar(LLVMGetOperand(i, 0)),
            LLVMOpcode::LLVMShuffleVector => (0..LLVMGetNumMaskElements(i)).all(|n| LLVMGetMaskValue(i, n) == 0),
            _ => false,
        }
    }
}

/// The logic of the same block that has a value as an operand: instructions are selected block by block.
///
/// # Safety
/// `v` is an instruction of a living module.
unsafe fn logic_on(v: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut users = Vec::new();
    // SAFETY: the caller's promise; users of instructions are instructions.
    unsafe {
        let mut u = LLVMGetFirstUse(v);
        while !u.is_null() {
            let user = LLVMGetUser(u);
            let op = LLVMGetInstructionOpcode(user);
            let logic =
                matches!(op, LLVMOpcode::LLVMAnd | LLVMOpcode::LLVMOr | LLVMOpcode::LLVMXor | LLVMOpcode::LLVMSelect);
            if logic && LLVMGetInstructionParent(user) == LLVMGetInstructionParent(v) {
                users.push(user);
            }
            u = LLVMGetNextUse(u);
        }
    }
    users
}
