//! Code objects for AMD GPUs: every kernel of [`filetests::corpus`] becomes one for each generation, with notes that read
//! back and code that disassembles. What is computed is compared in an emulator during development (`scripts/amd_emulate.py`).
//!
//! What AMD GPUs cannot have is in [`UNSUPPORTED`], with the reason that is given; a kernel that is there and compiles is a
//! failure, too.

use filetests::corpus::{self, File, Variant};
use libtest_mimic::{Arguments, Failed, Trial};
use llvm::{AmdMachine, AmdOptions, CodeObject, Linked, LlvmError};
use object::elf::{
    FileHeader64, PT_LOAD, ProgramHeader64, Rela64, SHF_ALLOC, SHF_EXECINSTR, SHT_DYNSYM, SHT_NOBITS, SHT_RELA,
};
use object::read::elf::{FileHeader as _, ProgramHeader as _, Rela as _, SectionHeader as _, Sym as _};
use object::{LittleEndian as LE, SectionIndex};
use source::render::{Colour, diagnostics_to_text};
use std::collections::BTreeMap;
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
    ("heap.cu", "objects_made", "a call of `malloc(unsigned long)`"),
    ("heap.cu", "new_objects_of_deduced_types", "a call of `malloc(unsigned long)`"),
    ("lists_20.cu", "objects_that_convert_themselves", "a call of `malloc(unsigned long)`"),
    ("overloads.cl", "provided_functions_declared_once_more", "`printf` cannot be compiled for `gfx"),
    ("recursion.cu", "recursion", "recursion through `"),
    ("recursion.cu", "recursion_of_numbers", "recursion through `average(double, double, int)`"),
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
    // Inline PTX in the interpreter: addresses of shared memory in 32 bits were no pointers there.
    for file in corpus::files().into_iter().filter(|f| f.text.contains("asm(") || f.text.contains("asm volatile(")) {
        let name = format!("{}::interpreted for gfx90a", file.name);
        trials.push(Trial::test(name, move || interpreted(&file, "gfx90a").map_err(Failed::from)));
    }
    for file in corpus::files().into_iter().filter(|f| f.kernels.iter().any(|k| k.whole_warp)) {
        let name = format!("{}::interpreted in warps of 64 lanes", file.name);
        trials.push(Trial::test(name, move || in_warps_of_64(&file, "gfx90a").map_err(Failed::from)));
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
    if names.is_empty() {
        return Ok(());
    }
    let made = object(&c, &machine, &names)
        .map_err(|e| diagnostics_to_text(&c.session.sources, [&e.diagnostic()], Colour::Never))?;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let bytes = match llvm::link(&made, directory.path()).map_err(|e| e.to_string())? {
        Linked::CodeObject(bytes) => bytes,
        Linked::NoLinker => made.clone(),
    };
    disassembles(&bytes, gpu, directory.path())?;
    descriptors_lead_to_kernels(&bytes)?;
    if let Linked::CodeObject(theirs) = llvm::link_with_lld(&made, directory.path()).map_err(|e| e.to_string())? {
        let (ours, theirs) = (what_loaders_see(&bytes)?, what_loaders_see(&theirs)?);
        if ours != theirs {
            return Err(format!("linked otherwise than by LLVM's linker:\n{ours:?}\n{theirs:?}"));
        }
    }
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

/// What the interpreter makes of kernels that are compiled for a GPU.
fn interpreted(file: &File, gpu: &str) -> Result<(), String> {
    let target = Offload::parse(gpu).map_err(|e| e.to_string())?.arch.target();
    let variant = Variant { target: Some(target), level: OptLevel::O3, known: false };
    let made = file.compile(variant)?;
    for k in &file.kernels {
        file.interpret(k, &made.module, target, |_| k.name.clone())?;
    }
    Ok(())
}

/// What the interpreter makes of groups that are one warp, where it has 64 lanes.
fn in_warps_of_64(file: &File, gpu: &str) -> Result<(), String> {
    let target = Offload::parse(gpu).map_err(|e| e.to_string())?.arch.target();
    let target = target.with_warp_size(64).ok_or("no warps of 64 lanes")?;
    for level in [OptLevel::O0, OptLevel::O3] {
        let made = file.compile(Variant { target: Some(target), level, known: false })?;
        for k in file.kernels.iter().filter(|k| k.whole_warp) {
            let mut k = k.clone();
            k.config.block[0] = 64;
            file.interpret(&k, &made.module, target, |_| k.name.clone())?;
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

/// What a loader sees of a code object besides addresses.
#[derive(PartialEq, Debug)]
struct Seen {
    /// Symbols with size, kind and binding.
    symbols: BTreeMap<String, (u64, u8, u8)>,
    /// Of each symbol in constants and data the bytes, but for addresses: those of variables.
    variables: BTreeMap<String, Vec<u8>>,
    /// What a loader adds its address to, from the symbol before it, and where that leads.
    addresses: Vec<(String, String)>,
    flags: u32,
    ident: [u8; 16],
}

fn what_loaders_see(elf: &[u8]) -> Result<Seen, String> {
    let fail = |e: object::Error| e.to_string();
    let header = FileHeader64::<LE>::parse(elf).map_err(fail)?;
    let sections = header.sections(LE, elf).map_err(fail)?;
    let table = sections.symbols(LE, elf, SHT_DYNSYM).map_err(fail)?;
    let mut seen = Seen {
        symbols: BTreeMap::new(),
        variables: BTreeMap::new(),
        addresses: Vec::new(),
        flags: header.e_flags(LE),
        ident: elf[..16].try_into().map_err(|_| "too short".to_owned())?,
    };
    let mut places: Vec<(u64, String)> = Vec::new();
    for (_, s) in table.enumerate().skip(1) {
        let name = String::from_utf8_lossy(table.symbol_name(LE, s).map_err(fail)?).into_owned();
        let section = sections.section(SectionIndex(s.st_shndx(LE).into())).map_err(fail)?;
        let from = (s.st_value(LE) - section.sh_addr(LE)) as usize;
        let bytes = section.data(LE, elf).map_err(fail)?.get(from..from + s.st_size(LE) as usize);
        if section.sh_flags(LE) as u32 & SHF_EXECINSTR == 0 && !name.ends_with(".kd") {
            seen.variables.insert(name.clone(), bytes.unwrap_or_default().to_vec());
        }
        places.push((s.st_value(LE), name.clone()));
        seen.symbols.insert(name, (s.st_size(LE), s.st_info(), s.st_other()));
    }
    places.sort();
    let named = |address: u64| {
        let before = places.iter().rev().find(|(at, _)| *at <= address);
        before.map_or_else(String::new, |(at, name)| format!("{name}+{}", address - at))
    };
    let all = sections.iter().filter(|s| s.sh_type(LE) == SHT_RELA);
    for s in all {
        let list: &[Rela64<LE>] = s.data_as_array(LE, elf).map_err(fail)?;
        // Where strings without names of their own stand is the linker's affair.
        let kept = list.iter().filter(|r| places.iter().any(|(at, _)| *at as i64 == r.r_addend(LE)));
        seen.addresses.extend(kept.map(|r| (named(r.r_offset(LE)), named(r.r_addend(LE) as u64))));
    }
    seen.addresses.sort();
    Ok(seen)
}

/// Sections are loaded to the addresses that they say, and the descriptor of each kernel says how far away its first
/// instruction is.
fn descriptors_lead_to_kernels(elf: &[u8]) -> Result<(), String> {
    let fail = |e: object::Error| e.to_string();
    let header = FileHeader64::<LE>::parse(elf).map_err(fail)?;
    let sections = header.sections(LE, elf).map_err(fail)?;
    let table = sections.symbols(LE, elf, SHT_DYNSYM).map_err(fail)?;
    let segments = header.program_headers(LE, elf).map_err(fail)?;
    for s in sections.iter().filter(|s| s.sh_flags(LE) as u32 & SHF_ALLOC != 0 && s.sh_type(LE) != SHT_NOBITS) {
        let (at, from, size) = (s.sh_addr(LE), s.sh_offset(LE), s.sh_size(LE));
        let holds = |p: &ProgramHeader64<LE>| {
            p.p_type(LE) == PT_LOAD
                && p.p_vaddr(LE) <= at
                && at + size <= p.p_vaddr(LE) + p.p_filesz(LE)
                && at - p.p_vaddr(LE) == from.wrapping_sub(p.p_offset(LE))
        };
        if !segments.iter().any(holds) {
            return Err(format!("a section at {at:#x} is not loaded from {from:#x}"));
        }
    }
    let find = |wanted: &[u8]| table.iter().find(|s| table.symbol_name(LE, *s).is_ok_and(|n| n == wanted));
    for s in table.iter() {
        let name = table.symbol_name(LE, s).map_err(fail)?;
        let Some(kernel) = name.strip_suffix(b".kd") else { continue };
        let Some(code) = find(kernel) else { return Err(format!("no kernel of {name:?}")) };
        let section = sections.section(SectionIndex(s.st_shndx(LE).into())).map_err(fail)?;
        let from = (s.st_value(LE) - section.sh_addr(LE)) as usize + 16;
        let offset = section.data(LE, elf).map_err(fail)?.get(from..from + 8).and_then(|b| b.try_into().ok());
        let offset = i64::from_le_bytes(offset.ok_or("a descriptor is cut off")?);
        if s.st_value(LE).wrapping_add_signed(offset) != code.st_value(LE) {
            return Err(format!("the descriptor of {} leads elsewhere", String::from_utf8_lossy(kernel)));
        }
    }
    Ok(())
}

/// The relocatable object of some kernels.
fn object(c: &Compilation, machine: &AmdMachine, entries: &[&str]) -> Result<Vec<u8>, LlvmError> {
    let options = AmdOptions { opt: OptLevel::O2, entries, kernels: &c.kernels, ..AmdOptions::default() };
    llvm::compile_amd(&c.module, machine, &options)?.object()
}
