//! LLVM's passes over a module for an AMD GPU.
//!
//! The whole of LLVM's pipeline runs: some of it is the target's own (the attributor that drops what a kernel does not
//! need, scratch memory that becomes registers), and without it kernels ask for every implicit argument. What it would
//! decide about loops does not run: those decisions are our unroller's, and `explain` tells them.
//!
//! Vectors are taken apart first: these GPUs compute with scalars, and LLVM 19's instruction selection loses lanes of
//! vectors that are put together (`x | -1` became `x` in one lane of a `long16`; llvm-project #180727). What it pairs for
//! packed instructions itself comes after.

use crate::target_machine::TargetMachine;
use crate::{LlvmError, OptLevel};
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMPassBuilderOptionsSetLoopUnrolling,
    LLVMPassBuilderOptionsSetLoopVectorization, LLVMRunPasses,
};
use std::ffi::CStr;

/// Optimises a module.
///
/// # Safety
/// The module is alive.
pub(super) unsafe fn run(module: LLVMModuleRef, target: &TargetMachine, level: OptLevel) -> Result<(), LlvmError> {
    let pipeline = match level {
        OptLevel::O0 => c"default<O0>",
        OptLevel::O1 => c"function(scalarizer),default<O1>",
        OptLevel::O2 => c"function(scalarizer),default<O2>",
        OptLevel::O3 => c"function(scalarizer),default<O3>",
    };
    // SAFETY: module and target are alive, the options are ours and disposed of, an error's text is copied.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
        LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
        let error = LLVMRunPasses(module, pipeline.as_ptr(), target.raw(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let text = LLVMGetErrorMessage(error);
        let message = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(text);
        Err(LlvmError::Internal { message })
    }
}
