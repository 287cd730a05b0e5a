//! The back end for AMD GPUs: code objects, relocatable objects, assembly, LLVM's IR.

use crate::Error;
use crate::backend::llvm_level;
use llvm::{AmdMachine, AmdOptions, CodeObject, Linked, LlvmError};
use source::{Diagnostic, Span};
use target::amd::Offload;
use target::{Isa, Target};
use unspool::{Artefact, Backend, Dialect, Product, Unit};

/// Most work-items of groups of OpenCL kernels that do not say, as the vendor's compiler has it: kernels for fewer
/// work-items may use more registers.
const OPENCL_GROUP: u32 = 256;

/// Code objects that ROCm's loaders take. `-O0` is for looking at: it is optimised a little, since nothing may be called.
#[derive(Clone, Copy, Debug)]
pub struct AmdBackend;

impl Backend for AmdBackend {
    fn name(&self) -> &'static str {
        "amdgcn"
    }

    fn products(&self, target: &Target) -> &'static [Product] {
        match target.description().isa {
            Isa::Amdgcn(_) => &[Product::CODE_OBJECT, Product::OBJECT, Product::ASSEMBLY, Product::LLVM_IR],
            _ => &[],
        }
    }

    fn emit(&self, product: Product, mut unit: Unit<'_>) -> Result<Vec<Artefact>, Box<Diagnostic>> {
        fenv::in_default(|| made(product, &mut unit)).map(|a| vec![a]).map_err(|e| Box::new(e.diagnostic()))
    }
}

/// What the notes of a code object, relocatable or linked, say of the kernel with this name.
pub fn amd_kernel(object: &[u8], name: &str) -> Option<llvm::KernelNote> {
    llvm::read_notes(object).ok()?.kernels.into_iter().find(|k| k.name == name)
}

fn machine(unit: &Unit<'_>) -> Result<AmdMachine, LlvmError> {
    let options = unit.options;
    let unknown = |message: String| LlvmError::Target { machine: options.target.to_string(), message };
    let arch = options.target.amdgcn_arch().ok_or_else(|| unknown("it is no AMD GPU".to_owned()))?;
    let plain = Offload::parse(arch.name).map_err(|e| unknown(e.to_string()))?;
    let offload = options.code.offload.filter(|o| o.arch.name == arch.name).unwrap_or(plain);
    let code_object = match options.code.code_object {
        None => CodeObject::default(),
        Some(n) => CodeObject::parse(&n.to_string())
            .ok_or_else(|| unknown(format!("there is no version {n} of code objects; 4, 5 and 6 can be made")))?,
    };
    Ok(AmdMachine { offload, target: options.target, code_object })
}

fn made(product: Product, unit: &mut Unit<'_>) -> Result<Artefact, Error> {
    let machine = machine(unit)?;
    let options = unit.options;
    let opencl = match options.dialect {
        Dialect::OpenClC { version } => Some((u32::from(version) / 100, u32::from(version) / 10 % 10)),
        _ => None,
    };
    let amd = AmdOptions {
        opt: llvm_level(options.level),
        entries: &[],
        debug_lines: options.line_info.then_some(&unit.session.sources),
        kernels: unit.kernels,
        opencl,
        max_group: if opencl.is_some() { OPENCL_GROUP } else { 0 },
    };
    let compiled = llvm::compile_amd(unit.module, &machine, &amd)?;
    let source = &unit.module.name;
    Ok(match product {
        Product::ASSEMBLY => Artefact::text(product, source, compiled.assembly()?),
        Product::LLVM_IR => Artefact::text(product, source, compiled.llvm_ir()),
        Product::OBJECT => Artefact::bytes(product, source, compiled.object()?),
        _ => Artefact::bytes(product, source, linked(compiled.object()?, unit)?),
    })
}

/// The object as loaders want it; relocatable, with a warning, where there is no linker.
fn linked(object: Vec<u8>, unit: &mut Unit<'_>) -> Result<Vec<u8>, LlvmError> {
    let fail = |e: std::io::Error| LlvmError::Target { machine: "ld.lld".to_owned(), message: e.to_string() };
    let scratch = tempfile::tempdir().map_err(fail)?;
    match llvm::link(&object, scratch.path())? {
        Linked::CodeObject(bytes) => Ok(bytes),
        Linked::NoLinker => {
            let d =
                Diagnostic::warning("W0514", Span::NONE, "there is no linker `ld.lld`: the code object is relocatable")
                    .help("install LLVM's linker (Debian: lld-19); loaders take linked code objects only");
            unit.session.report(d);
            Ok(object)
        }
    }
}
