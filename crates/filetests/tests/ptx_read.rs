//! PTX computes what its source says: the files of `run/` are compiled to PTX, which is read back and executed by the
//! reference interpreter. Reader and writer share no table, so a mistake of either shows.
//!
//! What a file holds is said in [`filetests::corpus`].

use filetests::corpus::{self, File, Variant};
use ir::Module;
use libtest_mimic::{Arguments, Failed, Trial};
use source::{SourceMap, Span};
use std::sync::{Arc, Mutex, PoisonError};
use unspool::OptLevel;

fn main() {
    let trials = corpus::files().into_iter().flat_map(trials_of).collect();
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

type Compiled = Mutex<[Option<Result<Back, String>>; VARIANTS.len()]>;

/// One trial a kernel; the file is compiled when the first of them runs.
fn trials_of(file: Arc<File>) -> Vec<Trial> {
    let compiled: Arc<Compiled> = Arc::default();
    (0..file.kernels.len())
        .map(|n| {
            let (file, compiled) = (Arc::clone(&file), Arc::clone(&compiled));
            let name = format!("{}::{}", file.name, file.kernels[n].name);
            Trial::test(name, move || check(&file, &compiled, n).map_err(Failed::from))
        })
        .collect()
}

fn compile(file: &File, variant: Variant) -> Result<Back, String> {
    let text = file.to_ptx(variant)?;
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

/// Runs kernel `n` of every variant.
fn check(file: &File, compiled: &Compiled, n: usize) -> Result<(), String> {
    let mut wrong = String::new();
    let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
    for (v, &variant) in VARIANTS.iter().enumerate() {
        let back = match compiled[v].get_or_insert_with(|| compile(file, variant)) {
            Ok(b) => b,
            // Why is said once per file.
            Err(e) => return Err(format!("{variant:?}: the PTX is not read\n{}", std::mem::take(e))),
        };
        let place = |span| format!("{} {}", back.sources.display(span), line(&back.sources, span));
        let target = file.options_for(variant).target;
        if let Err(e) = file.interpret(&file.kernels[n], &back.module, target, place) {
            wrong.push_str(&format!(
                "{:?}, constants {}:\n{e}",
                variant.level,
                ["unknown", "known"][usize::from(variant.known)]
            ));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}
