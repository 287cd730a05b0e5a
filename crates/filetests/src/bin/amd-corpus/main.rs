//! Writes the source programs of [`filetests::corpus`] as code objects, with what the interpreter says that they compute,
//! for `scripts/amd_emulate.py`.
//!
//! `amd-corpus DIRECTORY GPU [--warp64]` writes `FILE.co` for each file and `corpus.json`: for each kernel its code object,
//! launch, bytes of results before and after, which results are approximate, and which bytes have no value. With
//! `--random FIRST..END` it is random programs instead ([`random`]), with `--edges` mathematics at edges ([`edges`]).

mod edges;
mod random;

use filetests::corpus::{self, File, Kernel, SENTINEL, Variant};
use interp::{Arg, Limits, Machine};
use llvm::{AmdMachine, AmdOptions, CodeObject, Linked};
use source::render::{Colour, diagnostics_to_text};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use target::Target;
use target::amd::Offload;
use unspool::{Compilation, Emit, Input, OptLevel, compile_with_log as compile};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "error: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [directory, gpu, rest @ ..] = &words[..] else {
        return Err("amd-corpus DIRECTORY GPU [--warp64 | --edges | --random FIRST..END]".to_owned());
    };
    let directory = Path::new(directory);
    let offload = Offload::parse(gpu).map_err(|e| e.to_string())?;
    let mut target = offload.arch.target();
    if rest.iter().any(|w| w == "--warp64") {
        target = target.with_warp_size(64).ok_or("no warps of 64 lanes")?;
    }
    let machine = AmdMachine { offload, target, code_object: CodeObject::V5 };
    let mut json = String::new();
    if let [option, seeds] = rest
        && option == "--random"
    {
        let ends = seeds.split_once("..").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let (first, end) = ends.ok_or("--random FIRST..END")?;
        for seed in first..end {
            random::program(&mut json, seed, &machine, directory)?;
        }
        return write(directory, gpu, &json);
    }
    let edges = rest.iter().any(|w| w == "--edges");
    let files = if edges { vec![Arc::new(edges::file())] } else { corpus::files() };
    for file in files {
        let c = module(&file, target, false)?;
        // The interpreter has no matrix units and no addresses in 32 bits: it runs what is made for it.
        let other = target.matrix_units().is_some() || file.text.contains("asm");
        let reference = other.then(|| self::module(&file, target, true)).transpose()?;
        let (module, interpreted) = (&c.module, &reference.as_ref().unwrap_or(&c).module);
        for kernel in &file.kernels {
            let mut kernel = kernel.clone();
            if kernel.whole_warp {
                kernel.config.block[0] = target.warp_size();
            }
            let kernel = &kernel;
            let options = AmdOptions {
                opt: OptLevel::O2,
                entries: &[kernel.name.as_str()],
                kernels: &c.kernels,
                ..AmdOptions::default()
            };
            let name = format!("{}.{}.co", file.name.replace(['[', ']'], "_"), kernel.name);
            let made = llvm::compile_amd(module, &machine, &options).and_then(|c| c.object());
            let state = match made {
                Ok(object) => {
                    link(&object, directory, &name)?;
                    String::new()
                }
                Err(e) => e.to_string(),
            };
            entry(&mut json, &file, kernel, target, interpreted, (&name, &state))?;
        }
    }
    write(directory, gpu, &json)
}

/// Links an object, and writes it under a name.
fn link(object: &[u8], directory: &Path, name: &str) -> Result<(), String> {
    match llvm::link(object, directory).map_err(|e| e.to_string())? {
        Linked::CodeObject(bytes) => std::fs::write(directory.join(name), bytes).map_err(|e| e.to_string()),
        Linked::NoLinker => Err("there is no ld.lld here".to_owned()),
    }
}

fn write(directory: &Path, gpu: &str, json: &str) -> Result<(), String> {
    let text = format!("{{\"gpu\": \"{gpu}\", \"kernels\": [\n{}\n]}}\n", json.trim_end_matches(",\n"));
    std::fs::write(directory.join("corpus.json"), text).map_err(|e| e.to_string())
}

fn module(file: &File, target: Target, checks: bool) -> Result<Compilation, String> {
    let variant = Variant { target: Some(target), level: OptLevel::O3, known: false };
    let mut options = file.options_for(variant);
    options.kernel_info = true;
    options.checks = checks;
    let c = compile(&Input::text(&file.name, &file.text), &options, &Emit::Nothing);
    if c.succeeded() {
        return Ok(c);
    }
    let why = diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), Colour::Never);
    Err(format!("{} does not compile for {target}\n{why}", file.name))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}

/// One kernel, as JSON.
fn entry(
    json: &mut String,
    file: &File,
    kernel: &Kernel,
    target: Target,
    module: &ir::Module,
    (name, refused): (&str, &str),
) -> Result<(), String> {
    let mut m = Machine::new(module);
    m.set_target(target);
    let bytes = kernel.result_bytes();
    let out = m.alloc_bytes(&vec![SENTINEL; bytes]).ok_or("results too large")?;
    let id = module.find(&kernel.name).ok_or("the kernel is not in the module")?;
    let args = [Arg::Pointer(out), Arg::Value(0), Arg::Value(kernel.expected.len() as u64)];
    let limits = Limits { steps: 50_000_000, races: kernel.races, ..Limits::default() };
    let trap = m.launch(id, &kernel.config, &args, &limits).err().map(|t| t.to_string()).unwrap_or_default();
    let results = m.read(out, bytes as u64).unwrap_or_default();
    let shadow = m.read_shadow(out, bytes as u64).unwrap_or_default();
    let about: Vec<u8> = kernel.approximate().into_iter().map(u8::from).collect();
    let c = &kernel.config;
    let _ = writeln!(
        json,
        "{{\"file\": {:?}, \"kernel\": {:?}, \"object\": {name:?}, \"refused\": {refused:?}, \"trap\": {trap:?}, \
         \"prints\": {}, \"grid\": {:?}, \"block\": {:?}, \"shared\": {}, \"results\": {}, \"approximate\": {about:?}, \
         \"expected\": \"{}\", \"undefined\": \"{}\"}},",
        file.name,
        kernel.name,
        kernel.printf.is_some(),
        c.grid,
        c.block,
        c.dynamic_shared,
        kernel.expected.len(),
        hex(results),
        hex(shadow),
    );
    Ok(())
}
