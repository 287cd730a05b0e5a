//! Machine code to keep: objects, assembly, LLVM's IR.

use crate::Error;
use crate::make::vectors;
use ir::{FnKind, FuncId, Module};
use llvm::{HostMachine, LlvmError, OptLevel};
use source::Session;
use target::Target;

/// What to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// An object file.
    Object,
    /// Assembly text.
    Assembly,
    /// LLVM's IR as text.
    LlvmIr,
}

/// How to make it.
#[derive(Clone, Debug, Default)]
pub struct CodeOptions {
    /// Processor by LLVM's name; `None` for the one here.
    pub cpu: Option<String>,
    /// Work-items of a group; `None` for what each kernel requires or hints at, else 256 in x.
    pub local: Option<[u32; 3]>,
    /// Work-items one after another.
    pub scalar: bool,
    /// How hard LLVM works.
    pub level: OptLevel,
    /// Source lines for debuggers.
    pub lines: bool,
}

/// Local size where nothing says another.
const DEFAULT_LOCAL: [u32; 3] = [256, 1, 1];

/// Machine code of all kernels of a module: one work-group function each, as `launch::context` describes, named after the
/// kernel and the local size (`saxpy.wg256x1x1`). `printf` calls `unspool_rt_printf`, which the linker must be given.
///
/// # Errors
/// Something in a kernel is not covered, or LLVM does not know the processor.
pub fn machine_code(
    module: Module,
    session: &mut Session,
    what: Code,
    options: &CodeOptions,
) -> Result<Vec<u8>, Error> {
    let machine = match &options.cpu {
        Some(name) => HostMachine::named(name)?,
        None => HostMachine::detect()?,
    };
    let mut scalar: Vec<String> = Vec::new();
    loop {
        match fenv::in_default(|| attempt(module.clone(), session, what, options, &machine, &scalar)) {
            // The private memory of a vector of work-items is too much; that of one may not be.
            Err(Error::Llvm(LlvmError::StackTooLarge { function, .. }))
                if !options.scalar && !scalar.contains(&function) =>
            {
                scalar.push(function);
            }
            done => return done,
        }
    }
}

/// The same with the work-items of the kernels that are displayed as `scalar` one after another.
fn attempt(
    mut module: Module,
    session: &mut Session,
    what: Code,
    options: &CodeOptions,
    machine: &HostMachine,
    scalar: &[String],
) -> Result<Vec<u8>, Error> {
    let is_kernel = |f: &ir::Function| f.kind == FnKind::Kernel && !f.is_declaration();
    let kernels: Vec<FuncId> = module.functions.iter().filter(|(_, f)| is_kernel(f)).map(|(id, _)| id).collect();
    let mut names = Vec::new();
    for kernel in kernels {
        let attrs = &module.functions[kernel].attrs;
        let own = attrs.reqd_work_group_size;
        let local = own.or(options.local).or(attrs.work_group_size_hint).unwrap_or(DEFAULT_LOCAL);
        let simd_options = simd::Options {
            local_size: local,
            target: Target::host(),
            vectorise: !options.scalar && !scalar.contains(&module.functions[kernel].display),
            machine: vectors(machine, None),
        };
        names.push(simd::work_group(&mut module, session, kernel, &simd_options)?.name);
    }
    let entries: Vec<&str> = names.iter().map(String::as_str).collect();
    let llvm_options = llvm::Options {
        entries: &entries,
        opt: options.level,
        debug_lines: options.lines.then_some(&session.sources),
        ..llvm::Options::default()
    };
    let compiled = llvm::compile(&module, machine, &llvm_options)?;
    Ok(match what {
        Code::Object => compiled.object()?,
        Code::Assembly => compiled.assembly()?.into_bytes(),
        Code::LlvmIr => compiled.llvm_ir().into_bytes(),
    })
}
