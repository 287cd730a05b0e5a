//! LLVM's passes over a finished module.
//!
//! What arrives is optimised IR, vectorised where that was wanted; what is left for LLVM is to combine what lowering wrote
//! in pieces (guards, conversions, addresses) and to move loads of the group's context out of loops. A second round,
//! unrolling and packing scalars cost a quarter of LLVM's time and gave back nothing on the kernels of
//! `scripts/compare_host.py`, so they are left to [`OptLevel::O3`]. The vectoriser of loops runs only where a work-group has
//! one work-item: elsewhere `simd` has filled the lanes of vectors with work-items.

use crate::target_machine::TargetMachine;
use crate::{LlvmError, OptLevel, Options};
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

/// What fills vectors with the iterations of loops; in the others, what one iteration writes and the next reads goes there in a
/// register. Where pointers may point to the same, a question before the loop decides.
/// `loop-versioning-licm` is left out: with it random nests of directives came out wrong, whose first iteration writes what the
/// later ones read (`directives_random.rs` of `unspool-cli`, its generator with seed 700001 and 120 nests).
const LOOPS: &CStr = c"function(loop-simplify,lcssa,loop(loop-rotate,indvars),loop-mssa(licm),\
      early-cse<memssa>,loop-vectorize,loop-load-elim,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),\
      early-cse<memssa>)";

/// What packs the scalars of a work-item: LLVM's costs decide.
const SCALARS: &CStr = c"function(slp-vectorizer,instcombine<no-verify-fixpoint;max-iterations=1>,early-cse)";

/// What fills vectors with the iterations of loops that say they are to be in vectors.
const FILLS: &CStr = c"function(loop-vectorize<no-interleave-forced-only;vectorize-forced-only>)";

/// Optimises a module, which has `fills` where loops are to be in vectors; what goes into the lanes of vectors besides, the options say.
///
/// # Safety
/// The module is alive.
pub(crate) unsafe fn run(
    module: LLVMModuleRef,
    target: &TargetMachine,
    level: OptLevel,
    options: &Options<'_>,
    fills: bool,
) -> Result<(), LlvmError> {
    let Some(passes) = pipeline(level) else { return Ok(()) };
    // SAFETY: the caller's.
    unsafe { run_all(module, target, passes)? };
    for (wanted, passes) in [(options.loops, LOOPS), (options.packs, SCALARS), (fills && !options.loops, FILLS)] {
        if wanted && level >= OptLevel::O2 {
            // SAFETY: the caller's.
            unsafe { run_all(module, target, passes)? };
        }
    }
    Ok(())
}

/// Runs the passes of a pipeline.
///
/// # Safety
/// The module is alive.
unsafe fn run_all(module: LLVMModuleRef, target: &TargetMachine, passes: &CStr) -> Result<(), LlvmError> {
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
