//! How long each phase takes for a file of text IR: `cargo run --profile fast -p unspool-llvm --example phases -- FILE NAME…`.
//! With `-S` among the names it prints assembly instead, with `-l` LLVM IR.

#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("which file?")?;
    let (show, names): (Vec<String>, Vec<String>) = args.partition(|n| n.starts_with('-'));
    let module = ir::parse::parse_module(&std::fs::read_to_string(file)?).map_err(|e| format!("{e:?}"))?;
    let entries: Vec<&str> = names.iter().map(String::as_str).collect();
    let options = llvm::Options { entries: &entries, ..llvm::Options::default() };
    if let Some(what) = show.first() {
        let compiled = llvm::compile(&module, &llvm::HostMachine::detect()?, &options)?;
        println!("{}", if what == "-l" { compiled.llvm_ir() } else { compiled.assembly()? });
        return Ok(());
    }
    let mut best = [Duration::MAX; 4];
    for round in 0..50 {
        let mut at = [Instant::now(); 5];
        let machine = llvm::HostMachine::detect()?;
        at[1] = Instant::now();
        let compiled = llvm::compile(&module, &machine, &options)?;
        at[2] = Instant::now();
        let object = compiled.object()?;
        at[3] = Instant::now();
        let _jit = llvm::Jit::load(&object, &entries, &[])?;
        at[4] = Instant::now();
        for n in 0..4 {
            best[n] = best[n].min(at[n + 1] - at[n]);
        }
        if round == 0 {
            print_times("first", &at.map(|t| t - at[0]).windows(2).map(|w| w[1] - w[0]).collect::<Vec<_>>());
        }
    }
    print_times("least of 50", &best);
    Ok(())
}

fn print_times(what: &str, t: &[Duration]) {
    let all: Duration = t.iter().sum();
    println!(
        "{what}: machine {:?}, IR and passes {:?}, object {:?}, load {:?}, in all {all:?}",
        t[0], t[1], t[2], t[3]
    );
}
