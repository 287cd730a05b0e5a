//! A module of LLVM's in a context of its own.

use crate::LlvmError;
use crate::target_machine::{TargetMachine, owned};
use inkwell::llvm_sys::LLVMDiagnosticSeverity;
use inkwell::llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler, LLVMDisposeModule,
    LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity, LLVMModuleCreateWithNameInContext, LLVMSetTarget,
};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef, LLVMModuleRef};
use std::cell::RefCell;
use std::ffi::{CString, c_void};
use std::ptr;

/// LLVM's context with a module in it.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) context: LLVMContextRef,
    pub(crate) module: LLVMModuleRef,
    /// What LLVM said against the module.
    errors: Box<RefCell<Vec<String>>>,
}

impl Unit {
    pub(crate) fn new(name: &str, triple: &str, target: &TargetMachine) -> Self {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        let triple = CString::new(triple).unwrap_or_default();
        // SAFETY: a fresh context and a module in it, which `drop` disposes of; the strings live during the calls.
        unsafe {
            let context = LLVMContextCreate();
            let errors = Box::<RefCell<Vec<String>>>::default();
            LLVMContextSetDiagnosticHandler(context, Some(note), ptr::from_ref(&*errors).cast_mut().cast());
            let module = LLVMModuleCreateWithNameInContext(name.as_ptr(), context);
            LLVMSetTarget(module, triple.as_ptr());
            target.lay_out(module);
            Self { context, module, errors }
        }
    }

    /// The first error that LLVM has reported so far.
    ///
    /// # Errors
    /// It, if there is one.
    pub(crate) fn check(&self) -> Result<(), LlvmError> {
        match self.errors.borrow().first() {
            Some(message) => Err(LlvmError::Internal { message: message.clone() }),
            None => Ok(()),
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

/// Keeps errors: LLVM goes on after them, and what it makes is not to be used. Its remarks and warnings are not for users
/// of this crate.
extern "C" fn note(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM passes a diagnostic that lives during the call, and what `Unit::new` gave it, which lives as long as
    // the context; nobody else borrows it meanwhile.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) == LLVMDiagnosticSeverity::LLVMDSError {
            let text = owned(LLVMGetDiagInfoDescription(info));
            (*errors.cast::<RefCell<Vec<String>>>()).borrow_mut().push(text);
        }
    }
}
