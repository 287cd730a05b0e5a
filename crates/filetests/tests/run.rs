//! Source programs compute what they should: `run/*.cl`, `run/*.cu` and `run/*.c` (in both languages), executed by the
//! reference interpreter.
//!
//! What a file holds is said in [`filetests::corpus`]. Every file is compiled at each of -O0 and -O3 with constants that
//! the compiler sees and with constants that it does not see, for a GPU and for the host, and must compute the same.

use filetests::corpus::{self, File, Kernel, SENTINEL, Variant};
use interp::{Arg, Limits, Machine};
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
        file.check_ptx(variant)?;
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
        if let Err(e) = run(file, variant, &file.kernels[n], compilation) {
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

fn run(file: &File, variant: Variant, kernel: &Kernel, compilation: &Compilation) -> Result<(), String> {
    let mut machine = Machine::new(&compilation.module);
    machine.set_target(file.options_for(variant).target);
    let out = machine.alloc_bytes(&vec![SENTINEL; kernel.result_bytes()]).ok_or("results too large")?;
    let id = compilation.module.find(&kernel.name).ok_or("the kernel is not in the module")?;
    let args = [Arg::Pointer(out), Arg::Value(0), Arg::Value(kernel.expected.len() as u64)];
    let limits = Limits { steps: 50_000_000, races: kernel.races, ..Limits::default() };
    let ran = machine.launch(id, &kernel.config, &args, &limits);
    match (&ran, &kernel.trap) {
        (Err(t), Some(wanted)) if t.to_string().contains(wanted.as_str()) => {}
        (Err(t), _) => {
            let place = compilation.session.sources.display(t.span);
            return Err(format!("  {place}: {t}\n"));
        }
        (Ok(_), Some(wanted)) => return Err(format!("  no trap `{wanted}`\n")),
        (Ok(_), None) => {}
    }
    let mut wrong = kernel.printed(machine.output()).unwrap_or_default();
    if ran.is_ok() {
        let len = kernel.result_bytes() as u64;
        let bytes = machine.read(out, len).unwrap_or_default();
        let shadow = machine.read_shadow(out, len).unwrap_or_default();
        wrong.push_str(&file.compare(kernel, bytes, |i| shadow[i] != 0));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}
