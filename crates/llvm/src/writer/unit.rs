//! A module of LLVM's in a context of its own.

use crate::target_machine::TargetMachine;
use inkwell::llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler, LLVMDisposeModule,
    LLVMModuleCreateWithNameInContext, LLVMSetTarget,
};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef, LLVMModuleRef};
use std::ffi::{CString, c_void};
use std::ptr;

/// LLVM's context with a module in it.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) context: LLVMContextRef,
    pub(crate) module: LLVMModuleRef,
}

impl Unit {
    pub(crate) fn new(name: &str, triple: &str, target: &TargetMachine) -> Self {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        let triple = CString::new(triple).unwrap_or_default();
        // SAFETY: a fresh context and a module in it, which `drop` disposes of; the strings live during the calls.
        unsafe {
            let context = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(context, Some(ignore), ptr::null_mut());
            let module = LLVMModuleCreateWithNameInContext(name.as_ptr(), context);
            LLVMSetTarget(module, triple.as_ptr());
            target.lay_out(module);
            Self { context, module }
        }
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: both are this unit's, the module before its context.
        unsafe {
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}

/// LLVM's remarks and warnings are not for users of this crate.
extern "C" fn ignore(_: LLVMDiagnosticInfoRef, _: *mut c_void) {}
