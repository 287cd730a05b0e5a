//! Executes the kernel `k(long *out, int zero, int count)` of a source file in the interpreter, at -O0 and -O3, and
//! prints the first `count` numbers that it stored, level by level: for comparing with other compilers by script.
//!
//!   cargo run -p unspool-filetests --example execute -- file.cu 100
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use interp::{Arg, LaunchConfig, Limits, Machine};
use source::render::{Colour, diagnostics_to_text};
use unspool::{Dialect, Emit, Input, OptLevel, Options, compile_with_log as compile};

fn main() {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(count)) = (args.next(), args.next().and_then(|n| n.parse::<u64>().ok())) else {
        eprintln!("usage: execute FILE COUNT");
        std::process::exit(2);
    };
    let dialect = if path.ends_with(".cl") { Dialect::OPENCL } else { Dialect::CUDA };
    for level in [OptLevel::O0, OptLevel::O3] {
        let mut options = Options::new(dialect);
        options.level = level;
        options.no_warnings = true;
        options.verify_each = true;
        let c = compile(&Input::File(path.clone().into()), &options, &Emit::Ir);
        if !c.succeeded() {
            println!("{level:?} does not compile");
            print!("{}", diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), Colour::Never));
            continue;
        }
        let mut machine = Machine::new(&c.module);
        let (Some(out), Some(kernel)) = (machine.alloc_bytes(&vec![0; count as usize * 8]), c.module.find("k")) else {
            println!("{level:?} no kernel `k`, or too many results");
            continue;
        };
        let args = [Arg::Pointer(out), Arg::Value(0), Arg::Value(count)];
        let limits = Limits { steps: 20_000_000, ..Limits::default() };
        if let Err(t) = machine.launch(kernel, &LaunchConfig::items(1), &args, &limits) {
            println!("{level:?} {}: {t}", c.session.sources.display(t.span));
            continue;
        }
        let words: Vec<String> = machine
            .read(out, count * 8)
            .unwrap_or_default()
            .chunks_exact(8)
            .map(|w| w.iter().rev().map(|b| format!("{b:02x}")).collect())
            .collect();
        println!("{level:?} {}", words.join(" "));
    }
}
