//! PTX computes what its source says: the files of `run/` are compiled to PTX, which is read back and executed by the
//! reference interpreter. Reader and writer share no table, so a mistake of either shows.
//!
//! What a file holds is said in [`filetests::corpus`]. With `UNSPOOL_NVCC=PATH/nvcc` the PTX that nvcc makes of the CUDA
//! files is read and executed, too: two compilers, one result.

use filetests::corpus::{self, File, Kernel, Variant};
use ir::Module;
use libtest_mimic::{Arguments, Failed, Trial};
use source::{SourceMap, Span};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use unspool::OptLevel;

fn main() {
    let files = corpus::files();
    let mut trials: Vec<Trial> = files.iter().map(|f| corpus::trial(f, &VARIANTS, compile, run)).collect();
    if let Some(nvcc) = std::env::var_os("UNSPOOL_NVCC") {
        let cuda = files.iter().filter(|f| f.options.dialect.is_cuda());
        trials.extend(cuda.map(|f| {
            let (file, nvcc) = (Arc::clone(f), PathBuf::from(&nvcc));
            Trial::test(format!("nvcc::{}", file.name), move || by_nvcc(&file, &nvcc).map_err(Failed::from))
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

const VARIANTS: [Variant; 4] = [
    Variant { target: None, level: OptLevel::O0, known: false },
    Variant { target: None, level: OptLevel::O0, known: true },
    Variant { target: None, level: OptLevel::O3, known: false },
    Variant { target: None, level: OptLevel::O3, known: true },
];

/// What was read of a variant, and its text.
struct Back {
    module: Module,
    sources: SourceMap,
}

fn compile(file: &File, variant: Variant) -> Result<Back, String> {
    read(file, file.to_ptx(variant)?)
}

fn read(file: &File, text: String) -> Result<Back, String> {
    let mut sources = SourceMap::default();
    let id = sources.add(format!("{}.ptx", file.name), text).map_err(|e| e.to_string())?;
    let ptx = sources.file(id);
    let read = ptx_reader::read(&ptx.text, ptx.span().lo, &ptx.name).map_err(|errors| {
        errors
            .iter()
            .map(|e| format!("  {}: {e}\n    {}\n", sources.display(e.span), line(&sources, e.span)))
            .collect::<String>()
    })?;
    Ok(Back { module: read.module, sources })
}

/// The line of a place.
fn line(sources: &SourceMap, span: Span) -> String {
    let Some((id, at)) = sources.line_col(span.lo) else { return String::new() };
    sources.file(id).text.lines().nth(at.line as usize - 1).unwrap_or_default().trim().to_owned()
}

fn run(file: &File, kernel: &Kernel, variant: Variant, back: &Back) -> Result<(), String> {
    let place = |span| format!("{} {}", back.sources.display(span), line(&back.sources, span));
    file.interpret(kernel, &back.module, file.options_for(variant).target, place)
}

/// Kernels of which nvcc's code does something else, and why.
const NVCC_DIFFERS: [(&str, &str); 3] = [
    // Of `case -5 ... -2` nvcc 13 sees the first value only.
    ("control.c[cu]", "switches"),
    // It inserts fields into a register that has no value yet, which the interpreter takes as one undefined value.
    ("data.c[cu]", "bit_fields_of_an_object_without_initialiser"),
    // Its `<=>` of floating-point numbers takes what is no number for equal to everything.
    ("concepts.cu", "comparisons_of_no_numbers"),
];

/// Runs the kernels of a file that nvcc compiled. What it does not compile is ours alone.
fn by_nvcc(file: &File, nvcc: &Path) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (source, ptx) = (dir.path().join("k.cu"), dir.path().join("k.ptx"));
    std::fs::write(&source, &file.text).map_err(|e| e.to_string())?;
    let std = match file.options.dialect {
        unspool::Dialect::CudaCxx { std } => std,
        _ => 17,
    };
    let made = std::process::Command::new(nvcc)
        .args(["-ptx", "-arch=sm_90", "-fmad=false", "--expt-relaxed-constexpr"])
        .arg(format!("-std=c++{std}"))
        .arg("-o")
        .args([&ptx, &source])
        .output()
        .map_err(|e| format!("{}: {e}", nvcc.display()))?;
    if !made.status.success() {
        let why = String::from_utf8_lossy(&made.stderr);
        let why = why.lines().find(|l| l.contains("error")).unwrap_or_default();
        let _ = writeln!(std::io::stderr(), "SKIPPED: {}: nvcc does not compile it: {why}", file.name);
        return Ok(());
    }
    let back = read(file, std::fs::read_to_string(&ptx).map_err(|e| e.to_string())?)?;
    let mut wrong = String::new();
    // What ends a launch is optimised away, or does something else there.
    let differs = |k: &&Kernel| k.trap.is_some() || NVCC_DIFFERS.contains(&(&file.name, &k.name));
    for kernel in file.kernels.iter().filter(|k| !differs(k)) {
        if let Err(e) = run(file, kernel, VARIANTS[0], &back) {
            wrong.push_str(&format!("`{}`:\n{e}", kernel.name));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}
