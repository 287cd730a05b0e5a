//! Machine code in this process.
//!
//! An object file is linked into memory by LLVM's ORC. Symbols that it lacks are taken from the caller's list, then
//! from this process (`memcpy`, `fmodf`, …).

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

/// A work-group function: block of arguments, context of the group.
pub type Entry = unsafe extern "C" fn(args: *const u8, group: *mut u8);

/// Loaded machine code. Its entry points may be called from any thread for as long as it lives.
#[derive(Debug)]
pub struct Jit {
    jit: LLVMOrcLLJITRef,
    entries: Vec<(String, Entry)>,
    /// What ORC reports besides the errors that its functions return; it has the address.
    reports: Box<Mutex<Vec<String>>>,
}

// SAFETY: after loading nothing in it changes; the code is executable memory that stays where it is, and ORC may be
// taken down by another thread than the one that set it up.
unsafe impl Send for Jit {}
// SAFETY: as above; shared references only read `entries`.
unsafe impl Sync for Jit {}

impl Jit {
    /// Loads an object file. `entries` are the functions that [`Jit::entry`] knows; `symbols` are addresses of functions
    /// that the code calls, which must have the signatures that the crate's description gives for their names.
    ///
    /// # Errors
    /// It is no object file for this machine, or a symbol is missing.
    pub fn load(object: &[u8], entries: &[&str], symbols: &[(&str, usize)]) -> Result<Self, LlvmError> {
        // LLVM must know the target.
        crate::HostMachine::detect()?;
        let mut jit = ptr::null_mut();
        // SAFETY: the builder is given to `LLVMOrcCreateLLJIT`, which owns it from then on; `jit` is valid on success.
        unsafe { check(LLVMOrcCreateLLJIT(&mut jit, LLVMOrcCreateLLJITBuilder()))? };
        let mut this = Self { jit, entries: Vec::new(), reports: Box::default() };
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
        for &name in entries {
            let entry = this.look_up(name)?;
            this.entries.push((name.to_owned(), entry));
        }
        Ok(this)
    }

    fn define(&self, symbols: &[(&str, usize)]) -> Result<(), LlvmError> {
        let own = ("unspool_rt_nanoseconds", unspool_rt_nanoseconds as *const () as usize);
        let given = symbols.iter().any(|s| s.0 == own.0);
        let mut pairs = Vec::with_capacity(symbols.len() + 1);
        for &(name, address) in symbols.iter().chain((!given).then_some(&own)) {
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

    fn look_up(&self, name: &str) -> Result<Entry, LlvmError> {
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
        // SAFETY: a nonzero address of a function that this crate compiled: entry points have this signature.
        unsafe { std::mem::transmute::<usize, Option<Entry>>(address as usize) }
            .ok_or_else(|| LlvmError::Load { message: format!("`{name}` has no address") })
    }

    /// The work-group function of this name.
    ///
    /// Calling it is unsafe: its arguments must be what the function's code reads and writes there, it must not be
    /// called after this object is gone.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        self.entries.iter().find(|(n, _)| n == name).map(|&(_, e)| e)
    }
}

impl Drop for Jit {
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
    // SAFETY: ORC gives away the error; `context` is the `Mutex` of the `Jit` whose session this is, and alive.
    unsafe {
        if let (Err(e), Ok(mut list)) = (check(error), (*context.cast::<Mutex<Vec<String>>>()).lock()) {
            list.push(e.to_string());
        }
    }
}

/// What `globaltimer` reads: nanoseconds since some point before the process's first read.
extern "C" fn unspool_rt_nanoseconds() -> u64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
}
