//! A module as LLVM sees it, optimised, and what can be made of it.

use super::convention::Host;
use super::{
    Effort, HostMachine, Jit, Options, around, chains, choices, crowds, gathers, halves, held, mask_chains, masks,
    passes, repeated_lanes, splat_masks, ternary, webs,
};
use crate::lasting::Lasting;
use crate::target_machine::{TargetMachine, owned};
use crate::writer::{self, Request, Unit};
use crate::{LlvmError, OptLevel};
use inkwell::llvm_sys::core::{
    LLVMCloneModule, LLVMDisposeMemoryBuffer, LLVMDisposeModule, LLVMGetBufferSize, LLVMGetBufferStart,
    LLVMPrintModuleToString,
};
use inkwell::llvm_sys::target_machine::{LLVMCodeGenFileType, LLVMTargetMachineEmitToMemoryBuffer};
use std::cell::RefCell;
use std::ptr;
use std::rc::Rc;

thread_local! {
    /// The last target machine that this thread used: making one costs more than compiling a small kernel.
    static TARGET: RefCell<Option<(HostMachine, OptLevel, Rc<TargetMachine>)>> = const { RefCell::new(None) };
}

/// This thread's target machine for a processor and level.
fn target_machine(machine: &HostMachine, level: OptLevel) -> Result<Rc<TargetMachine>, LlvmError> {
    TARGET.with_borrow_mut(|cached| {
        if let Some((m, l, target)) = cached
            && *l == level
            && m == machine
        {
            return Ok(Rc::clone(target));
        }
        let target = Rc::new(machine.code_generator(level)?);
        *cached = Some((machine.clone(), level, Rc::clone(&target)));
        Ok(target)
    })
}

/// An optimised module.
#[derive(Debug)]
pub struct Compiled {
    unit: Unit,
    machine: HostMachine,
    level: OptLevel,
    effort: Effort,
    entries: Vec<String>,
}

// SAFETY: the context, and all in it, belongs to this object alone; LLVM's contexts may move between threads.
unsafe impl Send for Compiled {}

/// Compiles what the entry points of `options` reach.
///
/// # Errors
/// A construct without meaning on a host, an entry point that is not there or has another signature than
/// `void (ptr, ptr)`, recursion or private memory beyond the limit, or a target that LLVM does not know.
pub fn compile(module: &ir::Module, machine: &HostMachine, options: &Options<'_>) -> Result<Compiled, LlvmError> {
    let _lasting = Lasting::begin();
    let effort = Effort::least(module, options.entries).min(options.effort);
    let level = if effort == Effort::Least { OptLevel::O0 } else { options.opt };
    let target = target_machine(machine, level)?;
    let unit = Unit::new(&module.name, machine.triple(), &target);
    let host = Host { machine, denormals: options.denormals, max_stack: options.max_stack, effort };
    let request = Request {
        entries: options.entries,
        debug_lines: options.debug_lines,
        import_variables: options.import_variables,
    };
    writer::write(module, &host, &request, &unit)?;
    if level != OptLevel::O0 && !options.loops {
        around::hide(&unit);
    }
    if level != OptLevel::O0 {
        mask_chains::cut(&unit, machine);
    }
    // SAFETY: the module is alive, and of the context and target given.
    unsafe { passes::run(unit.module, &target, level, options, writer::loops::has_fills(module))? };
    if level != OptLevel::O0 {
        held::sink(&unit);
        choices::blend(&unit);
        gathers::take_apart(&unit, machine);
        masks::widen(&unit, machine);
        splat_masks::hide(&unit, machine);
        repeated_lanes::hide(&unit, machine);
        ternary::separate(&unit, machine);
        chains::cut(&unit);
        webs::cut(&unit);
        crowds::disperse(&unit);
    }
    halves::hide(&unit, machine);
    let entries = options.entries.iter().map(|&n| n.to_owned()).collect();
    Ok(Compiled { unit, machine: machine.clone(), level, effort, entries })
}

impl Compiled {
    /// The least that LLVM has done for one of the functions.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The text of LLVM's IR.
    pub fn llvm_ir(&self) -> String {
        // SAFETY: the module is alive; the string is ours.
        unsafe { owned(LLVMPrintModuleToString(self.unit.module)) }
    }

    /// Assembly text.
    ///
    /// # Errors
    /// LLVM has none for something in the module.
    pub fn assembly(&self) -> Result<String, LlvmError> {
        let bytes = self.emit(LLVMCodeGenFileType::LLVMAssemblyFile, self.safe_level()?)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// An object file.
    ///
    /// # Errors
    /// LLVM has no code for something in the module.
    pub fn object(&self) -> Result<Vec<u8>, LlvmError> {
        Ok(self.object_at_level()?.0)
    }

    /// The level whose code is right, which is the module's in all but rare cases.
    fn safe_level(&self) -> Result<OptLevel, LlvmError> {
        if self.level == OptLevel::O0 || !ternary::has_ternary_logic(&self.machine) {
            return Ok(self.level);
        }
        Ok(self.object_at_level()?.1)
    }

    /// An object file, and the level that it was generated at: at `O0` no memory operands are folded, so that the
    /// instruction that LLVM gets wrong does not arise ([`ternary`]).
    fn object_at_level(&self) -> Result<(Vec<u8>, OptLevel), LlvmError> {
        let object = self.emit(LLVMCodeGenFileType::LLVMObjectFile, self.level)?;
        if self.level == OptLevel::O0
            || !ternary::has_ternary_logic(&self.machine)
            || !ternary::merges_from_memory(&object)
        {
            return Ok((object, self.level));
        }
        Ok((self.emit(LLVMCodeGenFileType::LLVMObjectFile, OptLevel::O0)?, OptLevel::O0))
    }

    fn emit(&self, kind: LLVMCodeGenFileType, level: OptLevel) -> Result<Vec<u8>, LlvmError> {
        let _lasting = Lasting::begin();
        let target = target_machine(&self.machine, level)?;
        let mut message = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        // SAFETY: code generation changes the module, so it gets a copy, disposed of here; `buffer` is valid on success
        // and disposed of after its bytes are copied.
        unsafe {
            let copy = LLVMCloneModule(self.unit.module);
            let failed = LLVMTargetMachineEmitToMemoryBuffer(target.raw(), copy, kind, &mut message, &mut buffer);
            LLVMDisposeModule(copy);
            if failed != 0 {
                return Err(LlvmError::Internal { message: owned(message) });
            }
            let (start, size) = (LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer));
            let bytes = std::slice::from_raw_parts(start, size).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            Ok(bytes)
        }
    }

    /// Loads the code into this process. `symbols` are addresses of external functions that it calls, by name
    /// (`unspool_rt_printf`).
    ///
    /// # Errors
    /// A symbol is missing, or the code is not for this machine.
    pub fn jit(&self, symbols: &[(&str, usize)]) -> Result<Jit, LlvmError> {
        let entries: Vec<&str> = self.entries.iter().map(String::as_str).collect();
        Jit::load(&self.object()?, &entries, symbols)
    }
}
