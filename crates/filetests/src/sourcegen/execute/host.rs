//! Programs as machine code.

use super::{CodeFor, Fault, Outcome, compiled, options, payload, result_bytes};
use crate::sourcegen::tree::Program;
use runtime::{Arg, Device, Error, HostDevice, HostOptions, Run, Shape};
use std::panic::{AssertUnwindSafe, catch_unwind};
use unspool::{Emit, OptLevel};

/// The devices: work-items in vectors, and one after another.
#[derive(Debug)]
pub struct Hosts {
    vectors: HostDevice,
    scalars: HostDevice,
}

impl Hosts {
    /// This machine's processors, of which one is used.
    ///
    /// # Errors
    /// LLVM does not know them.
    pub fn new() -> Result<Self, Error> {
        let device = |scalar| HostDevice::new(HostOptions { threads: Some(1), scalar, ..HostOptions::default() });
        Ok(Self { vectors: device(false)?, scalars: device(true)? })
    }

    /// Compiles and runs a program.
    ///
    /// # Errors
    /// What went wrong before there were results.
    pub fn run(&self, program: &Program, text: &str, level: OptLevel, scalar: bool) -> Result<Outcome, Fault> {
        let mut c = compiled(program, text, &options(program, CodeFor::Host, level), &Emit::Ir)?;
        let made = runtime::Program::new(std::mem::take(&mut c.module), program.dialect);
        let device = if scalar { &self.scalars } else { &self.vectors };
        let ran = catch_unwind(AssertUnwindSafe(|| launch(device, program, &made, &mut c.session)));
        ran.map_err(|e| Fault::Panic(payload(&*e)))?.map_err(|e| Fault::Rejected(e.to_string()))
    }
}

fn launch(
    device: &HostDevice,
    program: &Program,
    made: &runtime::Program,
    session: &mut source::Session,
) -> Result<Outcome, Error> {
    let launch = &program.launch;
    let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let mut buffers = vec![vec![0; result_bytes(program)]];
    let (mut input, mut acc) = (bytes(&launch.input), bytes(&launch.accumulators));
    let two = launch.local[1] > 1 || launch.groups[1] > 1;
    let shape = Shape {
        work_dim: if two { 2 } else { 1 },
        groups: launch.groups,
        local: launch.local,
        offset: [0; 3],
        dynamic_shared: 0,
    };
    let (n, m) = (launch.n.to_le_bytes(), launch.m.to_le_bytes());
    for k in program.kernels() {
        let kernel = device.prepare(made, &k.name, launch.local, session)?;
        let mut out = vec![0; result_bytes(program)];
        let last = buffers.len() - 1;
        let args = [
            Arg::Pointer(out.as_mut_ptr()),
            Arg::Pointer(buffers[last].as_mut_ptr()),
            Arg::Pointer(input.as_mut_ptr()),
            Arg::Pointer(acc.as_mut_ptr()),
            Arg::Value(&n),
            Arg::Value(&m),
        ];
        // SAFETY: the interpreter has run the same launch on buffers of these sizes and found no access outside of them.
        unsafe { kernel.launch(&shape, &args[..k.params.len()], &Run::default())? };
        buffers.push(out);
    }
    buffers.remove(0);
    buffers.push(acc);
    Ok(Outcome { buffers })
}
