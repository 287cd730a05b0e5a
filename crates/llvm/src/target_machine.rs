//! LLVM's generator of code for a processor.

use crate::{LlvmError, OptLevel};
use inkwell::llvm_sys::core::{LLVMDisposeMemoryBuffer, LLVMDisposeMessage, LLVMGetBufferSize, LLVMGetBufferStart};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::target::{LLVMDisposeTargetData, LLVMSetModuleDataLayout};
use inkwell::llvm_sys::target_machine as tm;
use std::ffi::{CStr, CString};
use std::ptr;

/// Version of LLVM: major, minor, patch.
pub fn version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: the three are written.
    unsafe { inkwell::llvm_sys::core::LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    (major, minor, patch)
}

/// A string that LLVM made, which is freed.
///
/// # Safety
/// `s` is null, or a string that LLVM gave away and that is used no more.
pub(crate) unsafe fn owned(s: *mut std::ffi::c_char) -> String {
    if s.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe {
        let text = CStr::from_ptr(s).to_string_lossy().into_owned();
        LLVMDisposeMessage(s);
        text
    }
}

/// LLVM's generator of code for a machine; not to be used by two threads at once.
#[derive(Debug)]
pub(crate) struct TargetMachine(tm::LLVMTargetMachineRef);

impl TargetMachine {
    /// For a target, processor and features as LLVM calls them; the target is one that LLVM has been made to know.
    pub(crate) fn new(triple: &str, cpu: &str, features: &str, level: OptLevel) -> Result<Self, LlvmError> {
        let fail = |message: String| LlvmError::Target { machine: cpu.to_owned(), message };
        let c = |s: &str| CString::new(s).map_err(|_| fail("a NUL in a name".to_owned()));
        let (triple, cpu_name, features) = (c(triple)?, c(cpu)?, c(features)?);
        let level = match level {
            OptLevel::O0 => tm::LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            OptLevel::O1 => tm::LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            OptLevel::O2 => tm::LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            OptLevel::O3 => tm::LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        };
        let mut target = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: the strings live until the end of this function; `target` and `message` are written by LLVM, and
        // `target` is valid if it reports success.
        unsafe {
            if tm::LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut message) != 0 {
                return Err(fail(owned(message)));
            }
            let made = tm::LLVMCreateTargetMachine(
                target,
                triple.as_ptr(),
                cpu_name.as_ptr(),
                features.as_ptr(),
                level,
                tm::LLVMRelocMode::LLVMRelocPIC,
                tm::LLVMCodeModel::LLVMCodeModelDefault,
            );
            if made.is_null() { Err(fail("no code generator".to_owned())) } else { Ok(Self(made)) }
        }
    }

    pub(crate) fn raw(&self) -> tm::LLVMTargetMachineRef {
        self.0
    }

    /// Assembly or an object of a module, which the code generator changes.
    ///
    /// # Safety
    /// `module` is alive.
    pub(crate) unsafe fn emit(
        &self,
        module: LLVMModuleRef,
        kind: tm::LLVMCodeGenFileType,
    ) -> Result<Vec<u8>, LlvmError> {
        let mut message = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        // SAFETY: `buffer` is valid on success and disposed of after its bytes are copied; `message` is ours on failure.
        unsafe {
            if tm::LLVMTargetMachineEmitToMemoryBuffer(self.0, module, kind, &mut message, &mut buffer) != 0 {
                return Err(LlvmError::Internal { message: owned(message) });
            }
            let (start, size) = (LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer));
            let bytes = std::slice::from_raw_parts(start, size).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            Ok(bytes)
        }
    }

    /// Tells a module how the machine lays out data.
    ///
    /// # Safety
    /// `module` is alive.
    pub(crate) unsafe fn lay_out(&self, module: LLVMModuleRef) {
        // SAFETY: the module is alive by the caller's promise; the data layout is ours and disposed of once.
        unsafe {
            let data = tm::LLVMCreateTargetDataLayout(self.0);
            LLVMSetModuleDataLayout(module, data);
            LLVMDisposeTargetData(data);
        }
    }
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        // SAFETY: made by `LLVMCreateTargetMachine`, disposed of once.
        unsafe { tm::LLVMDisposeTargetMachine(self.0) }
    }
}
