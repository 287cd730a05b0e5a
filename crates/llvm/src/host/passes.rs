//! LLVM's passes over a finished module.
//!
//! What arrives is optimised IR, vectorised where that was wanted; what is left for LLVM is to combine what lowering wrote
//! in pieces (guards, conversions, addresses) and to move loads of the group's context out of loops. A second round,
//! unrolling and packing scalars cost a quarter of LLVM's time and gave back nothing on the kernels of
//! `scripts/compare_host.py`, so they are left to [`OptLevel::O3`]. The vectoriser of loops does not run: `simd` did that.

use crate::target_machine::TargetMachine;
use crate::{LlvmError, OptLevel};
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use std::ffi::CStr;

/// The passes of a level, as LLVM's textual pipeline.
fn pipeline(level: OptLevel) -> Option<&'static CStr> {
    match level {
        OptLevel::O0 => None,
        OptLevel::O1 => Some(c"always-inline,function(instcombine<no-verify-fixpoint;max-iterations=1>,simplifycfg)"),
        OptLevel::O2 => Some(
            c"always-inline,function(early-cse<memssa>,instcombine<no-verify-fixpoint;max-iterations=1>,simplifycfg,\
              loop-mssa(licm))",
        ),
        OptLevel::O3 => Some(
            c"always-inline,function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),\
              loop-unroll<O2>,early-cse<memssa>,slp-vectorizer,instcombine<no-verify-fixpoint>,simplifycfg)",
        ),
    }
}

/// Optimises a module.
///
/// # Safety
/// The module is alive.
pub(crate) unsafe fn run(module: LLVMModuleRef, target: &TargetMachine, level: OptLevel) -> Result<(), LlvmError> {
    let Some(passes) = pipeline(level) else { return Ok(()) };
    // SAFETY: module and target are alive, the options are ours and disposed of, an error's text is copied.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module, passes.as_ptr(), target.raw(), options);
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
