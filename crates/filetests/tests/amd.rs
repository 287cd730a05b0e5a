//! Code objects for AMD GPUs: every kernel of [`filetests::corpus`] becomes one for each generation, with notes that read
//! back and code that disassembles. What is computed is compared in an emulator during development (`scripts/amd_emulate.py`).
//!
//! What AMD GPUs cannot have is in [`UNSUPPORTED`], with the reason that is given; a kernel that is there and compiles is a
//! failure, too.

use filetests::corpus::{self, File};
use libtest_mimic::{Arguments, Failed, Trial};
use llvm::{AmdMachine, AmdOptions, CodeObject, Linked, LlvmError};
use source::render::{Colour, diagnostics_to_text};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use target::amd::Offload;
use unspool::{Compilation, Emit, Input, OptLevel, compile_with_log as compile};

const GPUS: [&str; 3] = ["gfx90a", "gfx942", "gfx1100"];

/// Kernels that AMD GPUs refuse, by file and name, and what is said.
const UNSUPPORTED: &[(&str, &str, &str)] = &[
    ("classes.cu", "templates", "recursion through `power(int, int)`"),
    ("device.cu", "printing", "`printf` cannot be compiled for `gfx"),
    ("features.cu", "generic_code", "recursion through `depth(int)`"),
    ("traps.cu", "recursion", "recursion through `forever(int)`"),
];

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
        return Err(diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), Colour::Never));
    }
    let machine = AmdMachine { offload, target: options.target, code_object: CodeObject::V5 };
    let refused = |name: &str| UNSUPPORTED.iter().find(|u| u.0 == file.name && u.1 == name).map(|u| u.2);
    for k in &file.kernels {
        let Some(why) = refused(&k.name) else { continue };
        match object(&c, &machine, &[&k.name]) {
            Ok(_) => return Err(format!("`{}` is no longer refused (`{why}`): take it off the list", k.name)),
            Err(e) if e.to_string().contains(why) => {}
            Err(e) => return Err(format!("`{}` is refused otherwise: {e}", k.name)),
        }
    }
    let names: Vec<&str> = file.kernels.iter().map(|k| k.name.as_str()).filter(|n| refused(n).is_none()).collect();
    let made = object(&c, &machine, &names)
        .map_err(|e| diagnostics_to_text(&c.session.sources, [&e.diagnostic()], Colour::Never))?;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let bytes = match llvm::link(&made, directory.path()).map_err(|e| e.to_string())? {
        Linked::CodeObject(bytes) => bytes,
        Linked::NoLinker => made,
    };
    disassembles(&bytes, gpu, directory.path())?;
    let notes = llvm::read_notes(&bytes).map_err(|e| e.to_string())?;
    for name in names {
        let Some(note) = notes.kernels.iter().find(|n| n.name == name) else {
            return Err(format!("there are no notes of `{name}`"));
        };
        let explicit: Vec<&str> = note.args.iter().map(|a| a.name.as_str()).filter(|n| !n.is_empty()).collect();
        if explicit != ["out_", "zero_", "count_"] || note.args[0].value_kind != "global_buffer" {
            return Err(format!("arguments of `{name}`: {:?}", note.args));
        }
        if note.uses_dynamic_stack || note.vgpr_spill_count + note.sgpr_spill_count > 0 {
            return Err(format!("`{name}` spills, or its stack has no known size: {note:?}"));
        }
    }
    Ok(())
}

/// Every byte of the code is an instruction of the GPU; not looked at where LLVM's disassembler is not installed.
fn disassembles(bytes: &[u8], gpu: &str, directory: &Path) -> Result<(), String> {
    let path = directory.join("kernel.hsaco");
    std::fs::write(&path, bytes).map_err(|e| e.to_string())?;
    let mcpu = format!("--mcpu={gpu}");
    let run = |tool: &str| Command::new(tool).args(["-d", &mcpu]).arg(&path).output().ok();
    let Some(done) = run("llvm-objdump-19").or_else(|| run("llvm-objdump")) else { return Ok(()) };
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&done.stdout);
    if !text.contains("s_endpgm") {
        return Err("the disassembly has no instruction that ends a kernel".to_owned());
    }
    match text.lines().find(|l| l.contains("<unknown>") || l.trim_start().starts_with(".long")) {
        Some(line) => Err(format!("no instruction: {line}")),
        None => Ok(()),
    }
}

/// The relocatable object of some kernels.
fn object(c: &Compilation, machine: &AmdMachine, entries: &[&str]) -> Result<Vec<u8>, LlvmError> {
    let options = AmdOptions { opt: OptLevel::O2, entries, kernels: &c.kernels, ..AmdOptions::default() };
    llvm::compile_amd(&c.module, machine, &options)?.object()
}
