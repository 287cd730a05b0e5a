//! Random programs as machine code leave the memory that the interpreter leaves: `UNSPOOL_FUZZ_PROGRAMS` sets another
//! number of them, `UNSPOOL_FUZZ_SEED` the first seed.

use filetests::Rng;
use filetests::program::{DOUBLES, FLOATS, INPUT, WINDOW, generate_for};
use runtime::{Arg, Device, HostDevice, HostOptions, Program, Run, Shape, Specialise};
use source::Session;

const GROUPS: u32 = 2;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// What a program gets.
struct Inputs {
    out: Vec<u8>,
    input: Vec<u8>,
    n: u32,
    m: u64,
    x: f32,
}

impl Inputs {
    /// Small numbers for every second seed.
    fn new(seed: u64, items: u32) -> Self {
        let mut rng = Rng::new(seed ^ 0x7e57);
        let mut out = Vec::new();
        for _ in 0..items {
            out.extend((0..FLOATS).map(|_| if rng.chance(30) { 0 } else { rng.bits() as u8 }));
            (0..(DOUBLES - FLOATS) / 4).for_each(|_| out.extend((rng.range(-100, 100) as f32 / 4.0).to_le_bytes()));
            (0..(WINDOW - DOUBLES) / 8).for_each(|_| out.extend((rng.range(-100, 100) as f64 / 4.0).to_le_bytes()));
        }
        let input = (0..INPUT).map(|_| rng.bits() as u8).collect();
        let number = |rng: &mut Rng| if seed.is_multiple_of(2) { rng.below(20) as u64 } else { rng.bits() };
        let (n, m) = (number(&mut rng) as u32, number(&mut rng));
        Self { out, input, n, m, x: rng.range(-50, 50) as f32 / 4.0 }
    }
}

/// What the interpreter leaves in `out`, and which bytes of it are undefined; none for programs that do what is
/// undefined, or take long.
fn interpreted(module: &ir::Module, kernel: ir::FuncId, local: [u32; 3], i: &Inputs) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut m = interp::Machine::new(module);
    let (out, input) = (m.alloc_bytes(&i.out)?, m.alloc_bytes(&i.input)?);
    let value = |v: u64| interp::Arg::Value(v);
    let args = [
        interp::Arg::Pointer(out),
        interp::Arg::Pointer(input),
        value(i.n.into()),
        value(i.m),
        value(i.x.to_bits().into()),
    ];
    let config = interp::LaunchConfig::new([GROUPS, 1, 1], local);
    let limits = interp::Limits { steps: 1 << 21, ..interp::Limits::default() };
    m.launch(kernel, &config, &args, &limits).ok()?;
    let len = i.out.len() as u64;
    Some((m.read(out, len)?.to_vec(), m.read_shadow(out, len)?.to_vec()))
}

/// Where results differ; any NaN may stand for another, and anything for what is undefined.
fn difference(expected: &[u8], undefined: &[u8], found: &[u8]) -> Option<String> {
    let mut at = 0;
    while at < expected.len() {
        let size = match at as u64 % WINDOW {
            0..FLOATS => 1,
            FLOATS..DOUBLES => 4,
            _ => 8,
        };
        let range = at..at + size;
        at += size;
        let (a, b) = (&expected[range.clone()], &found[range.clone()]);
        let nan = |v: &[u8]| match v.len() {
            4 => f32::from_le_bytes(v.try_into().expect("four")).is_nan(),
            8 => f64::from_le_bytes(v.try_into().expect("eight")).is_nan(),
            _ => false,
        };
        if a != b && undefined[range.clone()].iter().all(|&u| u == 0) && !(nan(a) && nan(b)) {
            return Some(format!("byte {}: {a:02x?} became {b:02x?}", range.start));
        }
    }
    None
}

/// Runs a program on all devices; whether it could be compared.
fn check(seed: u64, devices: &[HostDevice]) -> Result<bool, String> {
    let local = [[13, 1, 1], [8, 2, 1], [16, 1, 1], [5, 2, 2]][seed as usize % 4];
    let items = local.iter().product::<u32>();
    let mut module = generate_for(seed, items);
    let mut session = Session::default();
    let level = [opt::OptLevel::O0, opt::OptLevel::O3][(seed / 4) as usize % 2];
    let options = opt::Options { target: target::Target::host(), level, ..opt::Options::default() };
    opt::optimise(&mut module, &mut session, &options, None).map_err(|e| e.to_string())?;
    let kernel = module.find("k").ok_or("no kernel")?;
    let inputs = Inputs::new(seed, GROUPS * items);
    let Some((expected, undefined)) = interpreted(&module, kernel, local, &inputs) else { return Ok(false) };
    let program = Program::new(module, unspool::Dialect::CUDA);
    for (device, how) in devices.iter().zip(["scalar", "vector", "vector, any size", "scalar, any size"]) {
        let failed = |e: String| format!("seed {seed}, {how}: {e}");
        let loaded = device.prepare(&program, "k", local, &mut session).map_err(|e| failed(e.to_string()))?;
        let (mut out, mut input) = (inputs.out.clone(), inputs.input.clone());
        let args = [
            Arg::Pointer(out.as_mut_ptr()),
            Arg::Pointer(input.as_mut_ptr()),
            Arg::Value(&inputs.n.to_le_bytes()),
            Arg::Value(&inputs.m.to_le_bytes()),
            Arg::Value(&inputs.x.to_le_bytes()),
        ];
        let shape = Shape { work_dim: 3, groups: [GROUPS, 1, 1], local, offset: [0; 3], dynamic_shared: 0 };
        // SAFETY: the interpreter has seen that the program stays within its buffers, which nobody else knows.
        unsafe { loaded.launch(&shape, &args, &Run::default()) }.map_err(|e| failed(e.to_string()))?;
        if let Some(why) = difference(&expected, &undefined, &out) {
            return Err(failed(why));
        }
    }
    Ok(true)
}

#[test]
fn random_programs_as_machine_code() {
    let device = |scalar, specialise| {
        let (threads, specialise) = (Some(1), Some(specialise));
        let options = HostOptions { threads, specialise, scalar, ..HostOptions::default() };
        HostDevice::new(options).expect("this machine's processor")
    };
    let (one, any) = (Specialise::Always, Specialise::Never);
    let devices = [device(true, one), device(false, one), device(false, any), device(true, any)];
    let first = setting("UNSPOOL_FUZZ_SEED", 0);
    let count = setting("UNSPOOL_FUZZ_PROGRAMS", 12);
    let mut compared = 0;
    let mut failures = Vec::new();
    for seed in first..first + count {
        match check(seed, &devices) {
            Ok(yes) => compared += u64::from(yes),
            Err(e) => failures.push(e),
        }
    }
    assert!(failures.is_empty(), "{} of {count} programs fail\n{}", failures.len(), failures.join("\n"));
    assert!(compared * 3 > count, "only {compared} of {count} programs could be compared");
}
