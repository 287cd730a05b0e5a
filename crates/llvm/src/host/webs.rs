//! Cuts large webs of phis: values that become each other through phis and operations that overwrite an operand, and may all end
//! up in one register.
//!
//! `switch (x & 3) { case 0: x += n; break; … }` two thousand times in a row is such a web. LLVM's register coalescer joins it copy
//! by copy, and looks at all that has been joined before each time; its own limit counts by registers, of which the joined one is
//! always a new one. So the value of a phi goes through memory at every [`PIECE`] edges of a web that has more than [`LARGE`].
//!
//! Cost: near-linear in instructions and operands.

use super::walk;
use crate::writer::Unit;
use inkwell::llvm_sys::core::{
    LLVMBuildAlloca, LLVMBuildLoad2, LLVMBuildStore, LLVMCountIncoming, LLVMCreateBuilderInContext, LLVMDisposeBuilder,
    LLVMGetElementType, LLVMGetEntryBasicBlock, LLVMGetFirstInstruction, LLVMGetFirstUse, LLVMGetInstructionOpcode,
    LLVMGetIntTypeWidth, LLVMGetNextInstruction, LLVMGetNextUse, LLVMGetNumOperands, LLVMGetOperand, LLVMGetTypeKind,
    LLVMIsAInstruction, LLVMIsAPHINode, LLVMPositionBuilderBefore, LLVMReplaceAllUsesWith, LLVMSetOperand,
    LLVMSetVolatile, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use rustc_hash::FxHashMap;

/// Most edges into the phis of a web that stays whole; constants come in by none.
const LARGE: u32 = 1000;
/// Edges of a piece of a larger one.
const PIECE: u32 = 100;

/// Cuts the webs of a module.
pub(super) fn cut(unit: &Unit) {
    // SAFETY: the module and its context are alive; the builder is disposed of once, and nothing is left that it refers to.
    unsafe {
        let builder = LLVMCreateBuilderInContext(unit.context);
        for f in walk::functions(unit) {
            let phis = walk::instructions(f).filter(|&i| !LLVMIsAPHINode(i).is_null());
            if phis.map(|i| LLVMCountIncoming(i)).sum::<u32>() > LARGE {
                cut_in(f, builder);
            }
        }
        LLVMDisposeBuilder(builder);
    }
}

/// Cuts the webs of a function.
///
/// # Safety
/// `f` is a function with a body in a living module, which nobody else changes.
unsafe fn cut_in(f: LLVMValueRef, builder: LLVMBuilderRef) {
    // SAFETY: the caller's promise; phis are collected before anything is inserted.
    unsafe {
        let mut webs = Webs::default();
        let mut phis = Vec::new();
        for i in walk::instructions(f) {
            for v in joined(i) {
                webs.join(i, v);
            }
            if !LLVMIsAPHINode(i).is_null() && is_held(LLVMTypeOf(i)) {
                phis.push(i);
            }
        }
        let mut edges: FxHashMap<u32, u32> = FxHashMap::default();
        for &phi in &phis {
            *edges.entry(webs.of(phi)).or_default() += joined(phi).count() as u32;
        }
        let mut piece: FxHashMap<u32, u32> = FxHashMap::default();
        let mut slots: FxHashMap<LLVMTypeRef, LLVMValueRef> = FxHashMap::default();
        for &phi in &phis {
            let web = webs.of(phi);
            let filled = piece.entry(web).or_default();
            *filled += joined(phi).count() as u32;
            if edges[&web] > LARGE && *filled > PIECE {
                *filled = 0;
                through_memory(f, phi, builder, &mut slots);
            }
        }
    }
}

/// The operands that may share a register with an instruction's result.
///
/// # Safety
/// `i` is an instruction of a living module.
unsafe fn joined(i: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    use LLVMOpcode::*;
    // SAFETY: the caller's promise; operands are asked of instructions that have them.
    unsafe {
        let operands = match LLVMGetInstructionOpcode(i) {
            LLVMPHI => 0..LLVMGetNumOperands(i) as u32,
            LLVMSelect => 1..3,
            // Those on vectors have registers for their results.
            LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor
                if is_plain(LLVMTypeOf(i)) =>
            {
                0..2
            }
            _ => 0..0,
        };
        operands.map(move |n| LLVMGetOperand(i, n)).filter(|&v| !LLVMIsAInstruction(v).is_null() && has_few_uses(v))
    }
}

/// Whether a value is used by few: what many use is still needed behind most of them, in a register of its own.
///
/// # Safety
/// `v` is an instruction of a living module.
unsafe fn has_few_uses(v: LLVMValueRef) -> bool {
    const FEW: usize = 16;
    // SAFETY: the caller's promise; uses are followed while there are any.
    unsafe {
        let first = LLVMGetFirstUse(v);
        std::iter::successors(Some(first), |&u| (!u.is_null()).then(|| LLVMGetNextUse(u))).take(FEW + 2).count()
            <= FEW + 1
    }
}

/// Whether values of a type are neither conditions nor masks.
///
/// # Safety
/// `ty` is a type of a living context.
unsafe fn is_plain(ty: LLVMTypeRef) -> bool {
    // SAFETY: the caller's promise; widths are asked of integers.
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMIntegerTypeKind => LLVMGetIntTypeWidth(ty) > 1,
            LLVMTypeKind::LLVMPointerTypeKind | LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind => {
                true
            }
            _ => false,
        }
    }
}

/// Whether phis of a type may go through memory: numbers, pointers and vectors of numbers.
///
/// # Safety
/// `ty` is a type of a living context.
pub(super) unsafe fn is_held(ty: LLVMTypeRef) -> bool {
    // SAFETY: the caller's promise; elements are asked of vectors.
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMVectorTypeKind => is_plain(LLVMGetElementType(ty)),
            _ => is_plain(ty),
        }
    }
}

/// Stores the value of a phi where its block begins, and loads it for all that use it.
///
/// # Safety
/// `phi` is a phi of the function `f` of a living module, which nobody else changes.
unsafe fn through_memory(
    f: LLVMValueRef,
    phi: LLVMValueRef,
    builder: LLVMBuilderRef,
    slots: &mut FxHashMap<LLVMTypeRef, LLVMValueRef>,
) {
    // SAFETY: the caller's promise. Behind a phi stands an instruction, and a block that has one is not the entry.
    unsafe {
        let ty = LLVMTypeOf(phi);
        let slot = *slots.entry(ty).or_insert_with(|| {
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
            LLVMBuildAlloca(builder, ty, c"".as_ptr())
        });
        let mut at = phi;
        while !LLVMIsAPHINode(at).is_null() {
            at = LLVMGetNextInstruction(at);
        }
        LLVMPositionBuilderBefore(builder, at);
        let store = LLVMBuildStore(builder, phi, slot);
        LLVMSetVolatile(store, 1);
        let load = LLVMBuildLoad2(builder, ty, slot, c"".as_ptr());
        LLVMSetVolatile(load, 1);
        LLVMReplaceAllUsesWith(phi, load);
        LLVMSetOperand(store, 0, phi);
    }
}

/// Sets of values, each with a number.
#[derive(Default)]
struct Webs {
    numbers: FxHashMap<LLVMValueRef, u32>,
    up: Vec<u32>,
}

impl Webs {
    /// The number of a value's set.
    fn of(&mut self, v: LLVMValueRef) -> u32 {
        let next = self.up.len() as u32;
        let mut n = *self.numbers.entry(v).or_insert(next);
        if n == next {
            self.up.push(n);
        }
        while self.up[n as usize] != n {
            let above = self.up[self.up[n as usize] as usize];
            self.up[n as usize] = above;
            n = above;
        }
        n
    }

    fn join(&mut self, a: LLVMValueRef, b: LLVMValueRef) {
        let (a, b) = (self.of(a), self.of(b));
        self.up[a.max(b) as usize] = a.min(b);
    }
}
