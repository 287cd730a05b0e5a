//! A module for an AMD GPU as LLVM sees it, optimised, and what can be made of it.

use super::convention::Amd;
use super::machine::AmdMachine;
use super::{notes, passes};
use crate::lasting::Lasting;
use crate::target_machine::{TargetMachine, owned};
use crate::writer::ll::Ll;
use crate::writer::{self, Request, Unit};
use crate::{LlvmError, OptLevel};
use inkwell::llvm_sys::LLVMModuleFlagBehavior;
use inkwell::llvm_sys::core::{
    LLVMAddModuleFlag, LLVMAddNamedMetadataOperand, LLVMCloneModule, LLVMDisposeModule, LLVMMetadataAsValue,
    LLVMPrintModuleToString,
};
use inkwell::llvm_sys::target_machine::LLVMCodeGenFileType;
use ir::{FnKind, Module};
use launch::kernels::KernelInfo;

/// What to compile, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct AmdOptions<'a> {
    /// How hard to work.
    pub opt: OptLevel,
    /// Names of the kernels; all of them if there are none.
    pub entries: &'a [&'a str],
    /// Source lines for debuggers and profilers, from this map.
    pub debug_lines: Option<&'a source::SourceMap>,
    /// The kernels as their callers see them: names and types of arguments for the notes of the code object.
    pub kernels: &'a [KernelInfo],
    /// The version of OpenCL C (major, minor), if that is the language.
    pub opencl: Option<(u32, u32)>,
    /// Most work-items of groups of kernels that do not say; 0 stands for what the GPU can.
    pub max_group: u32,
}

/// An optimised module.
#[derive(Debug)]
pub struct AmdCompiled {
    unit: Unit,
    target: TargetMachine,
    machine: AmdMachine,
    /// Symbol, name and place of the kernels.
    kernels: Vec<(String, String, source::Span)>,
}

/// Compiles all kernels of a module.
///
/// # Errors
/// A construct without meaning on this GPU, recursion or private memory beyond the limit.
pub fn compile_amd(module: &Module, machine: &AmdMachine, options: &AmdOptions<'_>) -> Result<AmdCompiled, LlvmError> {
    let _lasting = Lasting::begin();
    let target = machine.code_generator(options.opt)?;
    let unit = Unit::new(&module.name, AmdMachine::TRIPLE, &target);
    let limit = machine.target.launch_limits().group_items;
    let max_group = if options.max_group == 0 { limit } else { options.max_group };
    let amd = Amd { machine, ftz: module.math.ftz, max_group, kernels: options.kernels };
    let wanted = |f: &ir::Function| options.entries.is_empty() || options.entries.contains(&f.name.as_str());
    let is_kernel = |f: &&ir::Function| f.kind == FnKind::Kernel && !f.is_declaration() && wanted(f);
    let kernels: Vec<&ir::Function> = module.functions.values().filter(is_kernel).collect();
    let entries: Vec<&str> = kernels.iter().map(|f| f.name.as_str()).collect();
    let request = Request { entries: &entries, debug_lines: options.debug_lines, import_variables: false };
    describe(&unit, machine, options);
    writer::write(module, &amd, &request, &unit).map_err(|e| e.on(machine.offload.arch.name))?;
    // SAFETY: the module is alive, and of the context and target given.
    unsafe { passes::run(unit.module, &target, options.opt)? };
    unit.check()?;
    let kernels = kernels.iter().map(|f| (f.name.clone(), f.display.clone(), f.span)).collect();
    Ok(AmdCompiled { unit, target, machine: *machine, kernels })
}

/// The module's own notes: the version of the code object, the language.
fn describe(unit: &Unit, machine: &AmdMachine, options: &AmdOptions<'_>) {
    let ll = Ll::new(unit);
    let version = ll.md_constant(ll.iconst(32, 1, machine.code_object.module_flag()));
    let key = "amdhsa_code_object_version";
    // SAFETY: the module and its context are alive; names are copied.
    unsafe {
        let error = LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorError;
        LLVMAddModuleFlag(ll.module, error, key.as_ptr().cast(), key.len(), version);
        if let Some((major, minor)) = options.opencl {
            let part = |n: u32| ll.md_constant(ll.iconst(32, 1, n.into()));
            let node = LLVMMetadataAsValue(ll.context, ll.md_node(&[part(major), part(minor)]));
            LLVMAddNamedMetadataOperand(ll.module, c"opencl.ocl.version".as_ptr(), node);
        }
    }
}

impl AmdCompiled {
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
        let bytes = self.emit(LLVMCodeGenFileType::LLVMAssemblyFile)?;
        if let Err(e) = self.unit.check() {
            self.object()?;
            return Err(e);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A relocatable object; a linker makes a code object of it.
    ///
    /// # Errors
    /// LLVM has no code for something in the module, or a kernel takes more local data share than there is.
    pub fn object(&self) -> Result<Vec<u8>, LlvmError> {
        let object = self.emit(LLVMCodeGenFileType::LLVMObjectFile)?;
        // LLVM complains of too large a variable, too, but not with a place.
        self.check_resources(&object)?;
        self.unit.check()?;
        Ok(object)
    }

    fn emit(&self, kind: LLVMCodeGenFileType) -> Result<Vec<u8>, LlvmError> {
        let _lasting = Lasting::begin();
        // SAFETY: the module is alive; code generation changes its copy, which is disposed of here.
        unsafe {
            let copy = LLVMCloneModule(self.unit.module);
            let bytes = self.target.emit(copy, kind);
            LLVMDisposeModule(copy);
            bytes
        }
    }

    /// What no launch could give.
    fn check_resources(&self, object: &[u8]) -> Result<(), LlvmError> {
        let notes = notes::read_notes(object).map_err(|e| LlvmError::Internal { message: e.to_string() })?;
        let limit = u64::from(self.machine.offload.arch.lds);
        for (symbol, name, span) in &self.kernels {
            let Some(note) = notes.kernels.iter().find(|k| k.name == *symbol) else { continue };
            if note.group_segment_fixed_size > limit {
                return Err(LlvmError::unsupported(
                    format!("`{name}` with {} bytes of work-group memory", note.group_segment_fixed_size),
                    *span,
                    format!("a work-group has at most {limit} bytes on `{}`", self.machine.offload.arch.name),
                )
                .on(self.machine.offload.arch.name));
            }
        }
        Ok(())
    }
}
