//! Runs a program in the reference interpreter, and compares two runs.

use crate::Rng;
use crate::program::{DOUBLES, FLOATS, INPUT, ITEMS, RECORD, WINDOW};
use interp::{Arg, LaunchConfig, Limits, Machine, Trap, Uninit};
use ir::Module;

/// Work-groups per run.
const GROUPS: u32 = 2;

/// Operations that a program may take; its optimised form may take [`SLACK`] times as many.
const STEPS: u64 = 400_000;
const SLACK: u64 = 4;

/// What a run left: memory, and which bytes of it are undefined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    bytes: Vec<u8>,
    shadow: Vec<u8>,
}

/// Arguments of a run.
#[derive(Clone, Debug)]
pub struct Inputs {
    out: Vec<u8>,
    input: Vec<u8>,
    n: u32,
    m: u64,
    x: f32,
}

impl Inputs {
    /// From a seed; every fourth seed gives small numbers only.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed ^ 0x0dd5_ba11);
        let window = |rng: &mut Rng| {
            let mut w: Vec<u8> = (0..FLOATS).map(|_| if rng.chance(30) { 0 } else { rng.bits() as u8 }).collect();
            for _ in 0..(DOUBLES - FLOATS) / 4 {
                w.extend_from_slice(&(rng.range(-100, 100) as f32 / 4.0).to_le_bytes());
            }
            for _ in 0..(WINDOW - DOUBLES) / 8 {
                w.extend_from_slice(&(rng.range(-100, 100) as f64 / 4.0).to_le_bytes());
            }
            w
        };
        let out = (0..ITEMS * GROUPS).flat_map(|_| window(&mut rng)).collect();
        let input = (0..INPUT).map(|_| rng.bits() as u8).collect();
        let small = seed.is_multiple_of(4);
        Self {
            out,
            input,
            n: if small { rng.below(20) as u32 } else { rng.bits() as u32 },
            m: if small { rng.below(20) as u64 } else { rng.bits() },
            x: rng.range(-50, 50) as f32 / 4.0,
        }
    }
}

/// Runs the kernel `@k` of a generated program.
///
/// # Errors
/// What stopped it.
pub fn run(module: &Module, inputs: &Inputs) -> Result<Outcome, Box<Trap>> {
    run_limited(module, inputs, STEPS)
}

/// Runs a transformed program, which may take somewhat longer.
///
/// # Errors
/// What stopped it.
pub fn run_transformed(module: &Module, inputs: &Inputs) -> Result<Outcome, Box<Trap>> {
    run_limited(module, inputs, STEPS * SLACK)
}

fn run_limited(module: &Module, inputs: &Inputs, steps: u64) -> Result<Outcome, Box<Trap>> {
    let mut machine = Machine::new(module);
    // Buffers of a few hundred bytes always fit.
    let out = machine.alloc_bytes(&inputs.out).unwrap_or(0);
    let input = machine.alloc_bytes(&inputs.input).unwrap_or(0);
    let record = inputs.input.iter().copied().cycle().take(RECORD as usize).collect();
    let args = [
        Arg::Pointer(out),
        Arg::Pointer(input),
        Arg::Value(inputs.n.into()),
        Arg::Value(inputs.m),
        Arg::Value(inputs.x.to_bits().into()),
        Arg::Bytes(record),
    ];
    let config = LaunchConfig::new([GROUPS, 1, 1], [ITEMS, 1, 1]);
    let limits = Limits { steps, uninit: Uninit::OnUse, races: true, ..Limits::default() };
    let kernel = module.find("k").unwrap_or(ir::FuncId::from_u32(0));
    machine.launch(kernel, &config, &args, &limits)?;
    let len = inputs.out.len() as u64;
    let bytes = machine.read(out, len).map(<[u8]>::to_vec).unwrap_or_default();
    let shadow = machine.read_shadow(out, len).map(<[u8]>::to_vec).unwrap_or_default();
    Ok(Outcome { bytes, shadow })
}

/// Where a transformed program's outcome differs from what the original's allows, in words. Undefined bytes may become
/// anything; any NaN may stand for another.
pub fn difference(original: &Outcome, transformed: &Outcome) -> Option<String> {
    for (n, window) in original.bytes.chunks(WINDOW as usize).enumerate() {
        let start = n * WINDOW as usize;
        let other = &transformed.bytes[start..start + window.len()];
        let mut at = 0;
        while at < window.len() {
            let size = if at < FLOATS as usize {
                1
            } else if at < DOUBLES as usize {
                4
            } else {
                8
            };
            let (a, b) = (&window[at..at + size], &other[at..at + size]);
            let undefined = original.shadow[start + at..start + at + size].iter().any(|&s| s != 0);
            let became = transformed.shadow[start + at..start + at + size].iter().any(|&s| s != 0);
            if !undefined && (a != b && !(is_nan(a) && is_nan(b)) || became) {
                let what = if became { "undefined" } else { "other" };
                return Some(format!("work-item {n}, offset {at}: {a:02x?} became {what}: {b:02x?}"));
            }
            at += size;
        }
    }
    None
}

fn is_nan(bytes: &[u8]) -> bool {
    match bytes {
        [a, b, c, d] => f32::from_le_bytes([*a, *b, *c, *d]).is_nan(),
        [a, b, c, d, e, f, g, h] => f64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]).is_nan(),
        _ => false,
    }
}
