//! Programs on a GPU, from PTX.

use super::{CodeFor, Fault, Outcome, compiled, local_bytes, options, result_bytes};
use crate::gpu::{Argument, Gpu, Grid};
use crate::sourcegen::tree::Program;
use unspool::{Emit, OptLevel};

/// Compiles a program to PTX, and runs that.
///
/// # Errors
/// It does not compile, the driver does not take it, or a fault of the GPU.
pub(super) fn run(gpu: &Gpu, program: &Program, text: &str, level: OptLevel) -> Result<Outcome, Fault> {
    let c = compiled(program, text, &options(program, CodeFor::Gpu, level), &Emit::PTX)?;
    let loaded = gpu.load(c.output().unwrap_or_default()).map_err(Fault::Rejected)?;
    let launch = &program.launch;
    let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let results = vec![0; result_bytes(program)];
    let made = |b: &[u8]| gpu.buffer(b).map_err(Fault::Trap);
    let (input, acc) = (made(&bytes(&launch.input))?, made(&bytes(&launch.accumulators))?);
    let mut outs = vec![made(&results)?];
    let grid = Grid { groups: launch.groups, local: launch.local, shared: 0 };
    for k in program.kernels() {
        let out = made(&results)?;
        let args = [
            out.argument(),
            outs[outs.len() - 1].argument(),
            input.argument(),
            acc.argument(),
            Argument::Word(launch.n as u32),
            Argument::Word(launch.m),
        ];
        let args: Vec<Argument> = args.into_iter().chain(local_bytes(program, k).map(Argument::Local)).collect();
        // SAFETY: the interpreter has run the same launch on buffers of these sizes and found no access outside of them.
        unsafe { loaded.launch(&k.name, &grid, &args[..k.params.len()]) }.map_err(Fault::Trap)?;
        outs.push(out);
    }
    let buffers: Result<Vec<_>, _> = outs[1..].iter().chain([&acc]).map(|b| b.read().map_err(Fault::Trap)).collect();
    Ok(Outcome { buffers: buffers? })
}
