//! Source programs compute what they should: `run/*.cl`, `run/*.cu` and `run/*.c` (in both languages), executed by the
//! reference interpreter.
//!
//! What a file holds is said in [`filetests::corpus`]. Every file is compiled at each of -O0 and -O3 with constants that
//! the compiler sees and with constants that it does not see, for a GPU and for the host, and must compute the same.

use filetests::corpus::{self, File, Kernel, Variant};
use libtest_mimic::Arguments;
use unspool::Target;
use unspool::{Compilation, OptLevel};

fn main() {
    let trials = corpus::files().iter().map(|f| corpus::trial(f, &VARIANTS, compile, run)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

const VARIANTS: [Variant; 6] = [
    Variant { target: None, level: OptLevel::O0, known: false },
    Variant { target: None, level: OptLevel::O0, known: true },
    Variant { target: None, level: OptLevel::O3, known: false },
    Variant { target: None, level: OptLevel::O3, known: true },
    Variant { target: Some(Target::host()), level: OptLevel::O0, known: false },
    Variant { target: Some(Target::host()), level: OptLevel::O3, known: false },
];

fn compile(file: &File, variant: Variant) -> Result<Compilation, String> {
    let c = file.compile(variant)?;
    if file.options_for(variant).target.ptx_arch().is_some() {
        // Whatever runs must also be code that the back end accepts.
        file.to_ptx(variant)?;
    }
    Ok(c)
}

fn run(file: &File, kernel: &Kernel, variant: Variant, made: &Compilation) -> Result<(), String> {
    let place = |span| made.session.sources.display(span);
    file.interpret(kernel, &made.module, file.options_for(variant).target, place)
}
