//! Source programs compute what they should: `run/*.cl`, `run/*.cu` and `run/*.c` (in both languages), executed by the
//! reference interpreter.
//!
//! What a file holds is said in [`filetests::corpus`]. Every file is compiled at each of -O0 and -O3 with constants that
//! the compiler sees and with constants that it does not see, for a GPU and for the host, and must compute the same.

use filetests::corpus::{self, File, Variant};
use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::{Arc, Mutex, PoisonError};
use unspool::Target;
use unspool::{Compilation, OptLevel};

fn main() {
    let trials = corpus::files().into_iter().flat_map(trials_of).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

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

const VARIANTS: [Variant; 6] = [
    Variant { target: None, level: OptLevel::O0, known: false },
    Variant { target: None, level: OptLevel::O0, known: true },
    Variant { target: None, level: OptLevel::O3, known: false },
    Variant { target: None, level: OptLevel::O3, known: true },
    Variant { target: Some(Target::host()), level: OptLevel::O0, known: false },
    Variant { target: Some(Target::host()), level: OptLevel::O3, known: false },
];

/// What became of a file, variant by variant.
type Compiled = Mutex<[Option<Result<Compilation, String>>; VARIANTS.len()]>;

fn compile(file: &File, variant: Variant) -> Result<Compilation, String> {
    let c = file.compile(variant)?;
    if file.options_for(variant).target.ptx_arch().is_some() {
        // Whatever runs must also be code that the back end accepts.
        file.to_ptx(variant)?;
    }
    Ok(c)
}

/// Runs kernel `n` of every variant.
fn check(file: &File, compiled: &Compiled, n: usize) -> Result<(), String> {
    let mut wrong = String::new();
    let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
    for (v, &variant) in VARIANTS.iter().enumerate() {
        let compilation = match compiled[v].get_or_insert_with(|| compile(file, variant)) {
            Ok(c) => c,
            // Why is said once per file.
            Err(e) => return Err(format!("{variant:?}: the file does not compile\n{}", std::mem::take(e))),
        };
        let place = |span| compilation.session.sources.display(span);
        let target = file.options_for(variant).target;
        if let Err(e) = file.interpret(&file.kernels[n], &compilation.module, target, place) {
            wrong.push_str(&format!(
                "{:?}, {:?}, constants {}:\n{e}",
                file.options_for(variant).target,
                variant.level,
                ["unknown", "known"][usize::from(variant.known)]
            ));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}
