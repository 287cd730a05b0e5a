//! Programs as machine code.

use super::{CodeFor, Fault, Outcome, compiled, local_bytes, options, payload, result_bytes};
use crate::sourcegen::tree::Program;
use runtime::{Arg, Device, Error, HostDevice, HostOptions, Run, Shape, Specialise};
use std::panic::{AssertUnwindSafe, catch_unwind};
use unspool::{Emit, OptLevel};

/// The devices: work-items in vectors, and one after another, by code for one local size and for any.
#[derive(Debug)]
pub struct Hosts {
    /// By whether they are scalar, then by whether code is for any size.
    devices: [[HostDevice; 2]; 2],
}

impl Hosts {
    /// This machine's processors, of which one is used.
    ///
    /// # Errors
    /// LLVM does not know them.
    pub fn new() -> Result<Self, Error> {
        let device = |scalar, specialise| {
            let (threads, specialise) = (Some(1), Some(specialise));
            HostDevice::new(HostOptions { threads, specialise, scalar, ..HostOptions::default() })
        };
        let both = |scalar| Ok::<_, Error>([device(scalar, Specialise::Always)?, device(scalar, Specialise::Never)?]);
        Ok(Self { devices: [both(false)?, both(true)?] })
    }

    /// Compiles and runs a program; work-items one after another, with code for any local size, if that is asked for.
    ///
    /// # Errors
    /// What went wrong before there were results.
    pub fn run(
        &self,
        program: &Program,
        text: &str,
        level: OptLevel,
        (scalar, any_size): (bool, bool),
    ) -> Result<Outcome, Fault> {
        let mut c = compiled(program, text, &options(program, CodeFor::Host, level), &Emit::Ir)?;
        let made = runtime::Program::new(std::mem::take(&mut c.module), program.dialect);
        let device = &self.devices[usize::from(scalar)][usize::from(any_size)];
        // The caller's state is nothing to kernels, however odd.
        let state = STATES[text.len() % STATES.len()];
        let ran = catch_unwind(AssertUnwindSafe(|| in_state(state, || launch(device, program, &made, &mut c.session))));
        ran.map_err(|e| Fault::Panic(payload(&*e)))?.map_err(|e| Fault::Rejected(e.to_string()))
    }
}

/// Floating-point states of callers, as x86's MXCSR: as a thread begins; subnormals flushed; rounding down; both, and
/// toward zero.
const STATES: [u32; 4] = [0x1f80, 0x9fc0, 0x3f80, 0xffc0];

/// Runs something in a floating-point state, which must be the same afterwards.
#[cfg(target_arch = "x86_64")]
fn in_state<T>(state: u32, run: impl FnOnce() -> T) -> T {
    /// Sets the state, and gives what it was.
    fn swap(new: u32) -> u32 {
        let mut old = 0u32;
        // SAFETY: the register is stored to and loaded from variables of its size; exceptions stay masked.
        unsafe {
            std::arch::asm!("stmxcsr [{old}]", "ldmxcsr [{new}]", old = in(reg) &mut old, new = in(reg) &new);
        }
        old
    }
    let before = swap(state);
    let t = run();
    let after = swap(before);
    // The last six bits say what has happened.
    assert_eq!(after & !0x3f, state & !0x3f, "a launch changed its caller's floating-point state");
    t
}

#[cfg(not(target_arch = "x86_64"))]
fn in_state<T>(_: u32, run: impl FnOnce() -> T) -> T {
    run()
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
        let args: Vec<Arg<'_>> = args.into_iter().chain(local_bytes(program, k).map(Arg::Local)).collect();
        // SAFETY: the interpreter has run the same launch on buffers of these sizes and found no access outside of them.
        unsafe { kernel.launch(&shape, &args[..k.params.len()], &Run::default())? };
        buffers.push(out);
    }
    buffers.remove(0);
    buffers.push(acc);
    Ok(Outcome { buffers })
}
