//! Masks that live across blocks are kept in lanes as wide as the data, where the machine has no registers for masks.
//!
//! A comparison of 8 singles leaves 8 × 32 bits of ones and zeros on machines before AVX-512. Within a block LLVM keeps
//! them so; a value of type `<8 x i1>` that leaves its block, or a phi of that type, it packs into 8 × 16 bits and unpacks
//! at each use: in every round of every loop with a mask. This pass, the last before code generation (instruction
//! combining would undo it), extends such values where they are made and compares with zero where they are used.
//!
//! Cost: linear in instructions and uses.

use super::{HostMachine, walk};
use crate::writer::Unit;
use crate::writer::ll::{Bb, Ipred, Ll, Val};
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::{
    LLVMCountIncoming, LLVMGetBasicBlockParent, LLVMGetElementType, LLVMGetFirstBasicBlock, LLVMGetFirstInstruction,
    LLVMGetFirstUse, LLVMGetIncomingBlock, LLVMGetIncomingValue, LLVMGetInstructionParent, LLVMGetIntTypeWidth,
    LLVMGetNextInstruction, LLVMGetNextUse, LLVMGetNumOperands, LLVMGetOperand, LLVMGetTypeKind, LLVMGetUser,
    LLVMGetVectorSize, LLVMInstructionEraseFromParent, LLVMIsAInstruction, LLVMIsAPHINode, LLVMReplaceAllUsesWith,
    LLVMSetOperand, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use rustc_hash::FxHashMap;

/// Bits that an element of a mask of so many lanes takes: those of the data that it most likely belongs to.
fn width(lanes: u32) -> u32 {
    if lanes <= 16 { 32 } else { 8 }
}

/// A mask and its lanes.
type Mask = (LLVMValueRef, u32);

/// Widens the masks of a module.
pub(crate) fn widen(unit: &Unit, machine: &HostMachine) {
    if machine.has("avx512vl") {
        return;
    }
    let mut pass = Pass { ll: Ll::new(unit), wide: FxHashMap::default() };
    walk::functions(unit).for_each(|f| pass.function(f));
}

struct Pass<'u> {
    ll: Ll<'u>,
    /// The wide form of a mask.
    wide: FxHashMap<LLVMValueRef, Val>,
}

// In all of this the values are instructions of a function that nobody else changes; lists are collected before anything
// is inserted or removed.
impl Pass<'_> {
    fn function(&mut self, f: LLVMValueRef) {
        self.wide.clear();
        let (phis, others) = masks_of(f);
        for &(phi, lanes) in &phis {
            self.ll.before(Val(phi));
            let wide = self.ll.phi(self.ll.int(width(lanes), lanes));
            self.wide.insert(phi, wide);
        }
        for &(phi, lanes) in &phis {
            // SAFETY: `phi` is a phi.
            for n in 0..unsafe { LLVMCountIncoming(phi) } {
                // SAFETY: there are more than `n` incoming values.
                let (v, from) = unsafe { (LLVMGetIncomingValue(phi, n), LLVMGetIncomingBlock(phi, n)) };
                let wide = self.widened(v, lanes, phi);
                self.ll.add_incoming(self.wide[&phi], wide, Bb(from));
            }
        }
        for &(phi, lanes) in &phis {
            let wide = self.wide[&phi];
            // SAFETY: `phi` stands in a block; its uses are replaced before it is erased.
            let narrow = unsafe {
                let narrow = self.narrowed(wide, lanes, LLVMGetInstructionParent(phi));
                LLVMReplaceAllUsesWith(phi, narrow);
                LLVMInstructionEraseFromParent(phi);
                narrow
            };
            self.wide.insert(narrow, wide);
            self.localise((narrow, lanes));
        }
        for &mask in &others {
            self.localise(mask);
        }
    }

    /// The wide form of a mask, made right behind it; constants fold. `phi` is where a constant's builder may stand.
    fn widened(&mut self, v: LLVMValueRef, lanes: u32, phi: LLVMValueRef) -> Val {
        if let Some(&wide) = self.wide.get(&v) {
            return wide;
        }
        // SAFETY: as above; an instruction that has a value is not the last of its block.
        unsafe {
            if LLVMIsAInstruction(v).is_null() {
                // An argument or constant: at the start of the function.
                let entry = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(phi)));
                self.ll.before(Val(first_after_phis(entry)));
            } else {
                self.ll.before(Val(LLVMGetNextInstruction(v)));
            }
        }
        let wide = self.ll.sext(Val(v), self.ll.int(width(lanes), lanes));
        self.wide.insert(v, wide);
        wide
    }

    /// The mask from its wide form, at the start of a block.
    fn narrowed(&self, wide: Val, lanes: u32, block: LLVMBasicBlockRef) -> LLVMValueRef {
        // SAFETY: blocks are not empty.
        self.ll.before(Val(unsafe { first_after_phis(block) }));
        let zero = self.ll.zero(self.ll.int(width(lanes), lanes));
        self.ll.icmp(Ipred::LLVMIntSLT, wide, zero).0
    }

    /// Makes the uses of a mask in other blocks than its own use the wide form.
    fn localise(&mut self, (mask, lanes): Mask) {
        let mut uses = Vec::new();
        // SAFETY: `mask` is an instruction in a block; its users are instructions.
        unsafe {
            let home = LLVMGetInstructionParent(mask);
            let mut u = LLVMGetFirstUse(mask);
            while !u.is_null() {
                let user = LLVMGetUser(u);
                let block = LLVMGetInstructionParent(user);
                if block != home && LLVMIsAPHINode(user).is_null() {
                    uses.push((user, block));
                }
                u = LLVMGetNextUse(u);
            }
        }
        if uses.is_empty() {
            return;
        }
        let wide = self.widened(mask, lanes, mask);
        let mut made: FxHashMap<LLVMBasicBlockRef, LLVMValueRef> = FxHashMap::default();
        for (user, block) in uses {
            let narrow = *made.entry(block).or_insert_with(|| self.narrowed(wide, lanes, block));
            // SAFETY: operands that there are, replaced by one of the same type whose definition comes before.
            unsafe {
                for n in 0..LLVMGetNumOperands(user) as u32 {
                    if LLVMGetOperand(user, n) == mask {
                        LLVMSetOperand(user, n, narrow);
                    }
                }
            }
        }
    }
}

/// The first instruction of a block that is no phi.
///
/// # Safety
/// The block is complete.
unsafe fn first_after_phis(block: LLVMBasicBlockRef) -> LLVMValueRef {
    // SAFETY: the caller's promise: a terminator ends the walk.
    unsafe {
        let mut i = LLVMGetFirstInstruction(block);
        while !LLVMIsAPHINode(i).is_null() {
            i = LLVMGetNextInstruction(i);
        }
        i
    }
}

/// The masks of a function: phis, and others.
fn masks_of(f: LLVMValueRef) -> (Vec<Mask>, Vec<Mask>) {
    let (mut phis, mut others) = (Vec::new(), Vec::new());
    // SAFETY: `f` is a function of a living module, which nobody changes meanwhile.
    unsafe {
        for i in walk::instructions(f) {
            let ty = LLVMTypeOf(i);
            if LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMVectorTypeKind
                && LLVMGetTypeKind(LLVMGetElementType(ty)) == LLVMTypeKind::LLVMIntegerTypeKind
                && LLVMGetIntTypeWidth(LLVMGetElementType(ty)) == 1
            {
                let list = if LLVMIsAPHINode(i).is_null() { &mut others } else { &mut phis };
                list.push((i, LLVMGetVectorSize(ty)));
            }
        }
    }
    (phis, others)
}
