//! The functions and instructions of a module, in order.

use crate::writer::Unit;
use inkwell::llvm_sys::core::{
    LLVMGetFirstBasicBlock, LLVMGetFirstFunction, LLVMGetFirstInstruction, LLVMGetNextBasicBlock, LLVMGetNextFunction,
    LLVMGetNextInstruction,
};
use inkwell::llvm_sys::prelude::LLVMBasicBlockRef;
use inkwell::llvm_sys::prelude::LLVMValueRef;

/// Each item from the first on, until there is no next one.
///
/// # Safety
/// `first` is null or an item of a list in a living module, and `next` gives the next of such a list. What follows
/// an item is read before the item is handed out: the caller may remove the item, but not the one after it.
unsafe fn list<T>(first: *mut T, next: unsafe extern "C" fn(*mut T) -> *mut T) -> impl Iterator<Item = *mut T> {
    let there = |p: *mut T| (!p.is_null()).then_some(p);
    // SAFETY: the caller's promise.
    std::iter::successors(there(first), move |&p| there(unsafe { next(p) }))
}

/// The functions of a module. None may be removed meanwhile.
pub(super) fn functions(unit: &Unit) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: the module is alive as long as the unit.
    unsafe { list(LLVMGetFirstFunction(unit.module), LLVMGetNextFunction) }
}

/// The instructions of a function.
///
/// # Safety
/// `f` is a function of a living module, which nobody changes meanwhile.
pub(super) unsafe fn instructions(f: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: the caller's promise.
    unsafe {
        list(LLVMGetFirstBasicBlock(f), LLVMGetNextBasicBlock)
            .flat_map(|block| list(LLVMGetFirstInstruction(block), LLVMGetNextInstruction))
    }
}

/// The instructions of a block.
///
/// # Safety
/// `b` is a block of a living module, which nobody changes meanwhile but by what [`list`] allows.
pub(super) unsafe fn instructions_of(b: LLVMBasicBlockRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: the caller's promise.
    unsafe { list(LLVMGetFirstInstruction(b), LLVMGetNextInstruction) }
}
