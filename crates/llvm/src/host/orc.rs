//! Loads object files by LLVM's ORC: whatever LLVM makes, in milliseconds.

use crate::LlvmError;
use inkwell::llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcCreateLLJITBuilder, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile,
    LLVMOrcLLJITGetExecutionSession, LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup, LLVMOrcLLJITMangleAndIntern,
    LLVMOrcLLJITRef,
};
use inkwell::llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
    LLVMOrcCSymbolMapPair, LLVMOrcDisposeMaterializationUnit, LLVMOrcExecutionSessionSetErrorReporter,
    LLVMOrcJITDylibDefine,
};
use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::Mutex;

/// Machine code that ORC has loaded.
#[derive(Debug)]
pub(crate) struct Orc {
    jit: LLVMOrcLLJITRef,
    /// What ORC reports besides the errors that its functions return; it has the address.
    reports: Box<Mutex<Vec<String>>>,
}

// SAFETY: after loading nothing in it changes; the code is executable memory that stays where it is, and ORC may be
// taken down by another thread than the one that set it up.
unsafe impl Send for Orc {}
// SAFETY: as above; shared references allow nothing.
unsafe impl Sync for Orc {}

impl Orc {
    /// Loads an object file. All `symbols` that it lacks must be given, or be found in this process.
    pub(crate) fn load(object: &[u8], symbols: &[(&str, usize)]) -> Result<Self, LlvmError> {
        // LLVM must know the target.
        super::HostMachine::detect()?;
        let mut jit = ptr::null_mut();
        // SAFETY: the builder is given to `LLVMOrcCreateLLJIT`, which owns it from then on; `jit` is valid on success.
        unsafe { check(LLVMOrcCreateLLJIT(&mut jit, LLVMOrcCreateLLJITBuilder()))? };
        let this = Self { jit, reports: Box::default() };
        // SAFETY: the address of `reports` stays until after the session is gone (`drop`).
        unsafe {
            let session = LLVMOrcLLJITGetExecutionSession(jit);
            LLVMOrcExecutionSessionSetErrorReporter(session, report, (&raw const *this.reports).cast_mut().cast());
        }
        this.define(symbols)?;
        // SAFETY: the bytes are copied; ORC owns the buffer from the call of `AddObjectFile` on.
        unsafe {
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(object.as_ptr().cast(), object.len(), c"kernel".as_ptr());
            check(LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), buffer))?;
        }
        Ok(this)
    }

    fn define(&self, symbols: &[(&str, usize)]) -> Result<(), LlvmError> {
        let mut pairs = Vec::with_capacity(symbols.len());
        for &(name, address) in symbols {
            let name = c_string(name)?;
            let flags = LLVMJITSymbolFlags {
                GenericFlags: LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8
                    | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8,
                TargetFlags: 0,
            };
            pairs.push(LLVMOrcCSymbolMapPair {
                // SAFETY: the session lives; the reference that this makes is given to `AbsoluteSymbols`.
                Name: unsafe { LLVMOrcLLJITMangleAndIntern(self.jit, name.as_ptr()) },
                Sym: LLVMJITEvaluatedSymbol { Address: address as u64, Flags: flags },
            });
        }
        // SAFETY: `pairs` lives during the call; the unit is owned by the library after a successful definition, and
        // disposed of here after a failed one.
        unsafe {
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            check(LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.jit), unit))
                .inspect_err(|_| LLVMOrcDisposeMaterializationUnit(unit))
        }
    }

    /// The address of the function of this name. This links what it needs.
    pub(crate) fn symbol(&self, name: &str) -> Result<usize, LlvmError> {
        let c = c_string(name)?;
        let mut address = 0;
        // SAFETY: the session and the string live; `address` is written on success.
        let found = unsafe { check(LLVMOrcLLJITLookup(self.jit, &mut address, c.as_ptr())) };
        found.map_err(|e| match (self.reports.lock().map(|r| r.join("; ")), e) {
            (Ok(more), LlvmError::Load { message }) if !more.is_empty() => {
                LlvmError::Load { message: format!("{message}: {more}") }
            }
            (_, e) => e,
        })?;
        Ok(address as usize)
    }
}

impl Drop for Orc {
    fn drop(&mut self) {
        // SAFETY: made by `LLVMOrcCreateLLJIT`, disposed of once; nobody calls its code any more, by `entry`'s contract.
        // There is nothing to do about an error.
        let _ = unsafe { check(LLVMOrcDisposeLLJIT(self.jit)) };
    }
}

fn c_string(name: &str) -> Result<CString, LlvmError> {
    CString::new(name).map_err(|_| LlvmError::Load { message: format!("`{name}` contains a NUL") })
}

/// Takes an error of LLVM's.
///
/// # Safety
/// `error` is null or an error that is used no more.
unsafe fn check(error: LLVMErrorRef) -> Result<(), LlvmError> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's promise; the message is copied, then disposed of.
    let message = unsafe {
        let text = LLVMGetErrorMessage(error);
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(text);
        copy
    };
    Err(LlvmError::Load { message })
}

extern "C" fn report(context: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: ORC gives away the error; `context` is the `Mutex` of the `Orc` whose session this is, and alive.
    unsafe {
        if let (Err(e), Ok(mut list)) = (check(error), (*context.cast::<Mutex<Vec<String>>>()).lock()) {
            list.push(e.to_string());
        }
    }
}
