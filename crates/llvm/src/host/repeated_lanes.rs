//! Hides from LLVM's selection of instructions that some lanes of a vector are the same where others are not.
//!
//! LLVM 19 asks whether the lanes that a shuffle takes of a vector are all the same (`SelectionDAG::isSplatValue` with the
//! lanes demanded), and then takes the vector itself for the result, or broadcasts wider elements of it, although other lanes are
//! in those places: of `<x + 1, 1, 1, 1>` lanes 2 and 3 in places 0 and 2 became `x + 1` in place 0. Where a work-group's size is
//! known, conditions on work-items' numbers make such vectors: `!get_local_id(0)` is `<1, 0, 0, 0>`. So each shuffle of what
//! constants with repeated elements, operators and vectors of one value are made of is given that value shifted by a
//! zero that LLVM does not see: it does not look for equal lanes through shifts.
//!
//! Cost: linear in instructions, times [`DEEPEST`] operands for a shuffle.

use super::{HostMachine, walk};
use crate::writer::Unit;
use crate::writer::ll::{Ll, Val};
use inkwell::llvm_sys::core::{
    LLVMGetAggregateElement, LLVMGetElementType, LLVMGetInstructionOpcode, LLVMGetIntTypeWidth, LLVMGetMaskValue,
    LLVMGetNumMaskElements, LLVMGetOperand, LLVMGetTypeKind, LLVMGetVectorSize, LLVMIsAInstruction, LLVMIsConstant,
    LLVMIsUndef, LLVMSetOperand, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};

/// Operators around one another that are looked through: LLVM looks as far.
const DEEPEST: u32 = 6;

/// What is known of the lanes of a vector.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lanes {
    /// All are the same.
    Same,
    /// Some are, in a way that LLVM sees.
    Repeated,
    /// Nothing that LLVM sees.
    Open,
}

/// Hides repeated lanes where they are shuffled.
pub(super) fn hide(unit: &Unit, machine: &HostMachine) {
    if !machine.is_x86() {
        return;
    }
    let ll = Ll::new(unit);
    // SAFETY: the module is alive. Operands of shuffles are replaced by values of the same type, which are made right before them.
    unsafe {
        let shuffles: Vec<LLVMValueRef> =
            walk::functions(unit).flat_map(|f| walk::instructions(f)).filter(|&i| is_shuffle(i)).collect();
        for shuffle in shuffles {
            for n in 0..2 {
                let v = LLVMGetOperand(shuffle, n);
                if LLVMIsAInstruction(v).is_null() || lanes_of(v, 0) != Lanes::Repeated {
                    continue;
                }
                let ty = LLVMTypeOf(v);
                let (bits, lanes) = (LLVMGetIntTypeWidth(LLVMGetElementType(ty)), LLVMGetVectorSize(ty));
                ll.before(Val(shuffle));
                let zero = ll.assembly_identity(ll.iconst(bits, 1, 0));
                let hidden = ll.shl(Val(v), ll.splat(zero, lanes));
                LLVMSetOperand(shuffle, n, hidden.0);
            }
        }
    }
}

/// Whether an instruction shuffles integers of a register's size, and not one lane into all places.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn is_shuffle(i: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; masks are asked of shuffles, elements of vectors, widths of integers.
    unsafe {
        if LLVMGetInstructionOpcode(i) != LLVMOpcode::LLVMShuffleVector {
            return false;
        }
        let element = LLVMGetElementType(LLVMTypeOf(i));
        let is_integer = LLVMGetTypeKind(element) == LLVMTypeKind::LLVMIntegerTypeKind;
        let mut taken = (0..LLVMGetNumMaskElements(i)).map(|n| LLVMGetMaskValue(i, n)).filter(|&n| n >= 0);
        let first = taken.next();
        is_integer && matches!(LLVMGetIntTypeWidth(element), 8 | 16 | 32 | 64) && taken.any(|n| Some(n) != first)
    }
}

/// What LLVM may see of a vector's lanes.
///
/// # Safety
/// `v` is a value of a living module.
unsafe fn lanes_of(v: LLVMValueRef, depth: u32) -> Lanes {
    // SAFETY: the caller's promise; operands are asked of instructions that have them.
    unsafe {
        if LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMTypeKind::LLVMVectorTypeKind {
            return Lanes::Same;
        }
        if LLVMIsConstant(v) != 0 {
            return lanes_of_constant(v);
        }
        if LLVMIsAInstruction(v).is_null() || depth > DEEPEST {
            return Lanes::Open;
        }
        let operand = |n| lanes_of(LLVMGetOperand(v, n), depth + 1);
        match LLVMGetInstructionOpcode(v) {
            LLVMOpcode::LLVMShuffleVector => {
                let mut taken = (0..LLVMGetNumMaskElements(v)).map(|n| LLVMGetMaskValue(v, n)).filter(|&n| n >= 0);
                let first = taken.next();
                if taken.all(|n| Some(n) == first) { Lanes::Same } else { either(operand(0), operand(1)) }
            }
            LLVMOpcode::LLVMInsertElement => either(operand(0), Lanes::Open),
            LLVMOpcode::LLVMMul | LLVMOpcode::LLVMAnd => match (operand(0), operand(1)) {
                // Lanes that are zero, whatever the other operand is.
                (Lanes::Repeated, _) | (_, Lanes::Repeated) => Lanes::Repeated,
                (a, b) => both(a, b),
            },
            LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMOr | LLVMOpcode::LLVMXor => {
                both(operand(0), operand(1))
            }
            LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMSExt | LLVMOpcode::LLVMTrunc | LLVMOpcode::LLVMBitCast => operand(0),
            LLVMOpcode::LLVMSelect if LLVMIsConstant(LLVMGetOperand(v, 0)) != 0 => either(operand(1), operand(2)),
            _ => Lanes::Open,
        }
    }
}

/// Some lanes of one vector and some of another.
fn either(a: Lanes, b: Lanes) -> Lanes {
    if (a, b) == (Lanes::Open, Lanes::Open) { Lanes::Open } else { Lanes::Repeated }
}

/// What an operator makes of two vectors, lane by lane.
fn both(a: Lanes, b: Lanes) -> Lanes {
    match (a, b) {
        (Lanes::Same, Lanes::Same) => Lanes::Same,
        (Lanes::Open, _) | (_, Lanes::Open) => Lanes::Open,
        _ => Lanes::Repeated,
    }
}

/// # Safety
/// `v` is a constant vector of a living module.
unsafe fn lanes_of_constant(v: LLVMValueRef) -> Lanes {
    // SAFETY: the caller's promise. Constants are each there once: equal ones are the same.
    unsafe {
        let all: Vec<LLVMValueRef> =
            (0..LLVMGetVectorSize(LLVMTypeOf(v))).map(|n| LLVMGetAggregateElement(v, n)).collect();
        let mut known: Vec<LLVMValueRef> = all.into_iter().filter(|&e| !e.is_null() && LLVMIsUndef(e) == 0).collect();
        let count = known.len();
        known.sort_unstable();
        known.dedup();
        match known.len() {
            // Of nothing there is nothing to see.
            0 => Lanes::Open,
            1 => Lanes::Same,
            n if n < count => Lanes::Repeated,
            _ => Lanes::Open,
        }
    }
}
