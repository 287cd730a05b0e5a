//! Cuts long chains of masks for LLVM's passes, which ask of each mask what all that it is made of implies.
//!
//! Each `else if` narrows the mask of the one before. `instcombine` finds that `x == 9` implies `x != 6`, `x != 3` and so on
//! back to the first, tries the same where nothing follows, and does so again for each mask that it has changed: 250 `else if`s
//! took seven seconds, 500 four times as many. So in functions with a chain of more than [`WHOLE`] operations a mask goes
//! through an empty piece of assembly behind every [`LONGEST`] of them.
//!
//! Cost: linear in instructions and uses.

use super::{HostMachine, walk};
use crate::writer::Unit;
use crate::writer::ll::{Ll, Ty, Val};
use inkwell::llvm_sys::core::{
    LLVMGetElementType, LLVMGetInstructionOpcode, LLVMGetIntTypeWidth, LLVMGetNextInstruction, LLVMGetNumOperands,
    LLVMGetOperand, LLVMGetTypeKind, LLVMGetVectorSize, LLVMReplaceAllUsesWith, LLVMSetOperand, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use rustc_hash::FxHashMap;

/// Most operations of a chain in a function that stays as it is.
const WHOLE: u32 = 16;

/// Most operations of a chain that LLVM sees at once elsewhere.
const LONGEST: u32 = 8;

/// Cuts the chains of a module.
pub(super) fn cut(unit: &Unit, machine: &HostMachine) {
    let ll = Ll::new(unit);
    let for_masks = machine.is_x86() && machine.has("avx512bw") && machine.has("avx512dq");
    for (mask, lanes) in walk::functions(unit).flat_map(ends) {
        // SAFETY: `mask` is an instruction of the living module, no phi and not the last of its block: there is one behind it.
        // What hides it is made of it alone, and takes it as its operand again once all uses are replaced.
        unsafe {
            ll.before(Val(LLVMGetNextInstruction(mask)));
            let (first, hidden) = if for_masks && matches!(lanes, 8 | 16 | 32 | 64) {
                let hidden = ll.assembly_identity(Val(mask));
                (hidden, hidden)
            } else {
                let bits = ll.bitcast(Val(mask), ll.int(lanes, 1));
                (bits, through_integer(&ll, bits, lanes, mask))
            };
            LLVMReplaceAllUsesWith(mask, hidden.0);
            LLVMSetOperand(first.0, 0, mask);
        }
    }
}

/// The mask whose bits are an integer, which goes through a general register.
///
/// # Safety
/// `mask` is a value of a living module.
unsafe fn through_integer(ll: &Ll<'_>, bits: Val, lanes: u32, mask: LLVMValueRef) -> Val {
    let wide = lanes.next_power_of_two().max(32);
    let bits = if lanes == wide { bits } else { ll.zext(bits, ll.int(wide, 1)) };
    let hidden = ll.assembly_identity(bits);
    let bits = if lanes == wide { hidden } else { ll.trunc(hidden, ll.int(lanes, 1)) };
    // SAFETY: the caller's promise.
    ll.bitcast(bits, Ty(unsafe { LLVMTypeOf(mask) }))
}

/// The masks of a function behind which its chains are cut, with their lanes.
fn ends(f: LLVMValueRef) -> Vec<(LLVMValueRef, u32)> {
    let (mut found, mut longest) = (Vec::new(), 0);
    let mut lengths: FxHashMap<LLVMValueRef, u32> = FxHashMap::default();
    let mut whole: FxHashMap<LLVMValueRef, u32> = FxHashMap::default();
    // SAFETY: `f` is a function of a living module, which nobody changes meanwhile.
    unsafe {
        for i in walk::instructions(f) {
            let Some(lanes) = mask_lanes(LLVMTypeOf(i)).filter(|&n| n <= 64 && is_logic(i)) else { continue };
            let before = |lengths: &FxHashMap<LLVMValueRef, u32>| {
                let operands = (0..LLVMGetNumOperands(i) as u32).map(|n| LLVMGetOperand(i, n));
                operands.filter_map(|v| lengths.get(&v)).max().copied().unwrap_or(0)
            };
            let all = before(&whole) + 1;
            longest = longest.max(all);
            whole.insert(i, all);
            let length = before(&lengths) + 1;
            if length >= LONGEST {
                found.push((i, lanes));
            }
            lengths.insert(i, length % LONGEST);
        }
    }
    if longest > WHOLE { found } else { Vec::new() }
}

/// How many lanes a mask has, if a type is one.
///
/// # Safety
/// `ty` is a type of a living context.
pub(super) unsafe fn mask_lanes(ty: LLVMTypeRef) -> Option<u32> {
    // SAFETY: the caller's promise; elements are asked of vectors.
    unsafe {
        (LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMVectorTypeKind
            && LLVMGetTypeKind(LLVMGetElementType(ty)) == LLVMTypeKind::LLVMIntegerTypeKind
            && LLVMGetIntTypeWidth(LLVMGetElementType(ty)) == 1)
            .then(|| LLVMGetVectorSize(ty))
    }
}

/// Whether an instruction joins masks. The negation of a comparison is one, too, and adds nothing: it is no operand of a chain.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn is_logic(i: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise.
    let op = unsafe { LLVMGetInstructionOpcode(i) };
    matches!(op, LLVMOpcode::LLVMAnd | LLVMOpcode::LLVMOr | LLVMOpcode::LLVMSelect)
}
