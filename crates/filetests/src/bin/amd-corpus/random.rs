//! Random source programs ([`filetests::sourcegen`]) as code objects, with what the interpreter says of code that was not
//! optimised. All kernels of a program are in one code object and run one after another.

use super::{hex, link};
use filetests::sourcegen::execute::{self, CodeFor, Fault};
use filetests::sourcegen::tree::Program;
use filetests::sourcegen::{make, print};
use llvm::{AmdMachine, AmdOptions};
use std::fmt::Write as _;
use std::path::Path;
use unspool::OptLevel;

/// Writes the program of a seed; one that the interpreter stops or that takes too long is left out.
pub(crate) fn program(json: &mut String, seed: u64, machine: &AmdMachine, directory: &Path) -> Result<(), String> {
    let program = make::program(seed);
    let text = print::program(&program);
    let expected = match execute::interpret(&program, &text, CodeFor::Host, OptLevel::O0) {
        Ok(o) => o,
        Err(Fault::TooLong) => return Ok(()),
        Err(e) => return Err(format!("seed {seed}: {e:?}")),
    };
    // The interpreter's and the machine's levels vary together, so that LLVM's work is not always on the same code.
    let level = [OptLevel::O0, OptLevel::O1, OptLevel::O3, OptLevel::O3][seed as usize % 4];
    let object = format!("{seed}.co");
    let refused = match compiled(&program, &text, machine, level) {
        Ok(bytes) => {
            link(&bytes, directory, &object)?;
            String::new()
        }
        Err(e) => e,
    };
    let words = |w: &[u32]| hex(&w.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>());
    let l = &program.launch;
    let zero = hex(&vec![0; execute::result_bytes(&program)]);
    let kernels = program.kernels().count();
    let mut before = vec![zero; kernels + 1];
    before.push(words(&l.input));
    before.push(words(&l.accumulators));
    let after: Vec<String> = expected.buffers.iter().map(|b| hex(b)).collect();
    let mut launches = Vec::new();
    for (n, k) in program.kernels().enumerate() {
        let mut args: Vec<String> =
            [n + 1, n, kernels + 1, kernels + 2].iter().map(|b| format!("{{\"buffer\": {b}}}")).collect();
        args.push(format!("{{\"value\": {}}}", l.n as u32));
        args.push(format!("{{\"value\": {}}}", l.m));
        args.extend(execute::local_bytes(&program, k).map(|b| format!("{{\"local\": {b}}}")));
        args.truncate(k.params.len());
        launches.push(format!("{{\"kernel\": {:?}, \"args\": [{}]}}", k.name, args.join(", ")));
    }
    let _ = writeln!(
        json,
        "{{\"file\": \"random\", \"kernel\": \"{seed}\", \"object\": {object:?}, \"refused\": {refused:?}, \"trap\": \"\", \
         \"prints\": false, \"grid\": {:?}, \"block\": {:?}, \"shared\": 0, \"launches\": [{}], \
         \"before\": {before:?}, \"after\": {after:?}}},",
        l.groups,
        l.local,
        launches.join(", "),
    );
    Ok(())
}

fn compiled(program: &Program, text: &str, machine: &AmdMachine, level: OptLevel) -> Result<Vec<u8>, String> {
    let c = execute::compile_for(program, text, machine.target, level).map_err(|e| format!("{e:?}"))?;
    let names: Vec<&str> = program.kernels().map(|k| k.name.as_str()).collect();
    let opt = if level == OptLevel::O0 { OptLevel::O0 } else { OptLevel::O2 };
    let options = AmdOptions { opt, entries: &names, kernels: &c.kernels, ..AmdOptions::default() };
    llvm::compile_amd(&c.module, machine, &options).and_then(|c| c.object()).map_err(|e| e.to_string())
}
