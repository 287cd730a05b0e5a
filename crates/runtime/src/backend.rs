//! The back end for this machine's processors: objects, assembly, LLVM's IR.

use crate::Error;
use crate::make::vectors;
use ir::{FnKind, FuncId, OptLevel};
use llvm::{HostMachine, LlvmError};
use source::Diagnostic;
use target::{Isa, Target};
use unspool::{Artefact, Backend, Product, Unit};

/// Machine code to keep: of all kernels of a program one work-group function each, as `launch::context` describes, named
/// after the kernel and the local size (`saxpy.wg256x1x1`). `printf` calls `unspool_rt_printf`, loops that wait for other
/// groups call `unspool_rt_yield`; the linker must be given these.
#[derive(Clone, Copy, Debug)]
pub struct HostBackend;

/// Local size where nothing says another.
const DEFAULT_LOCAL: [u32; 3] = [256, 1, 1];

impl Backend for HostBackend {
    fn name(&self) -> &'static str {
        "host"
    }

    fn products(&self, target: &Target) -> &'static [Product] {
        match target.description().isa {
            Isa::Host => &[Product::OBJECT, Product::ASSEMBLY, Product::LLVM_IR],
            _ => &[],
        }
    }

    fn emit(&self, product: Product, mut unit: Unit<'_>) -> Result<Vec<Artefact>, Box<Diagnostic>> {
        made(product, &mut unit).map(|a| vec![a]).map_err(|e| Box::new(e.diagnostic()))
    }
}

/// How hard LLVM works at our optimisation levels. Its own -O3 costs more time than it gives back: vectors and unrolling
/// are decided before it.
pub fn llvm_level(level: OptLevel) -> OptLevel {
    level.min(OptLevel::O2)
}

fn made(product: Product, unit: &mut Unit<'_>) -> Result<Artefact, Error> {
    let machine = match &unit.options.code.cpu {
        Some(name) => HostMachine::named(name)?,
        None => HostMachine::detect()?,
    };
    let mut scalar: Vec<String> = Vec::new();
    loop {
        match fenv::in_default(|| attempt(product, unit, &machine, &scalar)) {
            // The private memory of a vector of work-items is too much; that of one may not be.
            Err(Error::Llvm(LlvmError::StackTooLarge { function, .. }))
                if !unit.options.code.scalar && !scalar.contains(&function) =>
            {
                scalar.push(function);
            }
            done => return done,
        }
    }
}

/// The same with the work-items of the kernels that are displayed as `scalar` one after another.
fn attempt(product: Product, unit: &mut Unit<'_>, machine: &HostMachine, scalar: &[String]) -> Result<Artefact, Error> {
    let mut module = unit.module.clone();
    let options = unit.options;
    let is_kernel = |f: &ir::Function| f.kind == FnKind::Kernel && !f.is_declaration();
    let kernels: Vec<FuncId> = module.functions.iter().filter(|(_, f)| is_kernel(f)).map(|(id, _)| id).collect();
    let (mut names, mut loops, mut packs) = (Vec::new(), false, false);
    for kernel in kernels {
        let attrs = &module.functions[kernel].attrs;
        let own = attrs.reqd_work_group_size;
        let local = own.or(options.code.local).or(attrs.work_group_size_hint).unwrap_or(DEFAULT_LOCAL);
        loops |= local == [1, 1, 1];
        let simd_options = simd::Options {
            local_size: local.into(),
            target: options.target,
            vectorise: !options.code.scalar && !scalar.contains(&module.functions[kernel].display),
            machine: vectors(machine, None),
            rows: simd::Rows::of(&module.functions[kernel], local.into()),
        };
        let made = simd::work_group(&mut module, unit.session, kernel, &simd_options)?;
        if options.code.group_runs {
            simd::group_runs::loop_over_groups(&mut module, made.func);
        }
        packs |= made.packs;
        names.push(made.name);
    }
    let entries: Vec<&str> = names.iter().map(String::as_str).collect();
    let llvm_options = llvm::Options {
        entries: &entries,
        opt: llvm_level(options.level),
        loops: loops && !options.code.scalar,
        packs,
        debug_lines: options.line_info.then_some(&unit.session.sources),
        ..llvm::Options::default()
    };
    let compiled = llvm::compile(&module, machine, &llvm_options)?;
    let source = &unit.module.name;
    Ok(match product {
        Product::ASSEMBLY => Artefact::text(product, source, compiled.assembly()?),
        Product::LLVM_IR => Artefact::text(product, source, compiled.llvm_ir()),
        _ => Artefact::bytes(product, source, compiled.object()?),
    })
}
