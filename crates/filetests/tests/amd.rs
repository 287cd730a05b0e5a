//! Code objects for AMD GPUs: every file of [`filetests::corpus`] compiles for each generation.

use filetests::corpus::{self, File};
use libtest_mimic::{Arguments, Failed, Trial};
use llvm::{AmdMachine, AmdOptions, CodeObject};
use std::sync::Arc;
use target::amd::Offload;
use unspool::{Emit, Input, OptLevel, compile};

const GPUS: [&str; 3] = ["gfx90a", "gfx942", "gfx1100"];

fn main() {
    let mut trials = Vec::new();
    for file in corpus::files() {
        for gpu in GPUS {
            let file = Arc::clone(&file);
            trials.push(Trial::test(format!("{}::{gpu}", file.name), move || check(&file, gpu).map_err(Failed::from)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn check(file: &File, gpu: &str) -> Result<(), String> {
    let offload = Offload::parse(gpu).map_err(|e| e.to_string())?;
    let mut options = file.options.clone();
    options.level = OptLevel::O3;
    options.target = offload.arch.target();
    options.kernel_info = true;
    let c = compile(&Input::text(&file.name, &file.text), &options, &Emit::Nothing);
    if !c.succeeded() {
        let all = c.session.diagnostics.iter();
        return Err(source::render::diagnostics_to_text(&c.session.sources, all, source::render::Colour::Never));
    }
    let machine = AmdMachine { offload, target: options.target, code_object: CodeObject::V5 };
    let amd = AmdOptions { opt: llvm::OptLevel::O2, kernels: &c.kernels, ..AmdOptions::default() };
    let say = |e: llvm::LlvmError| {
        let d = e.diagnostic();
        source::render::diagnostics_to_text(&c.session.sources, [&d], source::render::Colour::Never)
    };
    let compiled = llvm::compile_amd(&c.module, &machine, &amd).map_err(say)?;
    if let Ok(dir) = std::env::var("AMD_DUMP") {
        let _ = std::fs::write(format!("{dir}/{}.{gpu}.ll", file.name), compiled.llvm_ir());
    }
    let object = compiled.object().map_err(say)?;
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let linked = llvm::link(&object, dir.path()).map_err(|e| e.to_string())?;
    let bytes = match linked {
        llvm::Linked::CodeObject(bytes) => bytes,
        llvm::Linked::NoLinker => object,
    };
    if let Ok(dir) = std::env::var("AMD_DUMP") {
        let _ = std::fs::write(format!("{dir}/{}.{gpu}.co", file.name), &bytes);
    }
    let notes = llvm::read_notes(&bytes).map_err(|e| e.to_string())?;
    for k in &file.kernels {
        if !notes.kernels.iter().any(|n| n.name == k.name) {
            return Err(format!("no notes of `{}`", k.name));
        }
    }
    Ok(())
}
