//! Runs a program in each way that there is, and compares what it leaves in memory.

use super::print;
use super::tree::{Function, Program, Space, Ty};
use crate::Rng;
use crate::gpu::Gpu;
use interp::{Arg, LaunchConfig, Limits, Machine, Uninit};
use ir::Module;
use source::render::{Colour, diagnostics_to_text};
use source::{SourceMap, Span};
use std::panic::{AssertUnwindSafe, catch_unwind};
use target::Target;
use unspool::{Compilation, Emit, Input, OptLevel, Options, compile_with_log as compile};

#[cfg(feature = "llvm")]
mod host;
#[cfg(feature = "llvm")]
pub use host::Hosts;
mod device;

/// Most operations of a launch in the interpreter.
const STEPS: u64 = 4_000_000;

/// What code is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeFor {
    /// A GPU.
    Gpu,
    /// A GPU for which other loops are deleted, versioned, unswitched and unrolled: sm_100.
    NewerGpu,
    /// This machine's processors.
    Host,
}

/// A way to run a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The interpreter on what was not optimised, with all of its checks: what all others are compared with.
    Reference,
    /// The interpreter on optimised code.
    Interpreter(CodeFor, OptLevel),
    /// The interpreter that notes all faults: work-items side by side find and leave what they do one after another.
    SideBySide,
    /// Machine code, of work-items in vectors or one after another.
    Host {
        /// How hard our optimiser works; LLVM does at O0, too, what code needs to be run.
        level: OptLevel,
        /// One after another.
        scalar: bool,
        /// Code for any local size, not for that of the launch.
        any_size: bool,
    },
    /// To PTX for a GPU, which is read back for the interpreter.
    Ptx(CodeFor, OptLevel),
    /// To PTX, which a GPU runs, where there is one.
    Gpu(OptLevel),
}

/// What became of a program in one way to run it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It does not compile: the diagnostics.
    Rejected(String),
    /// A stage panicked.
    Panic(String),
    /// The interpreter stopped: the finding.
    Trap(String),
    /// It computes something else than the reference.
    Differs(String),
    /// It takes longer than the generator meant it to.
    TooLong,
}

impl Fault {
    /// What is the same about two faults of one cause, in words: how a reducer knows that it still looks at it.
    pub fn kind(&self) -> String {
        let words = |text: &str| -> String {
            // Of diagnostics the first line, without what is quoted or counted.
            let line = text.lines().next().unwrap_or_default();
            let line = line.split('`').step_by(2).collect::<String>();
            line.rsplit(": ").next().unwrap_or_default().chars().filter(|c| !c.is_ascii_digit()).collect()
        };
        match self {
            Self::Rejected(t) => format!("rejected: {}", words(t)),
            Self::Panic(t) => format!("panic: {}", words(t)),
            Self::Trap(t) => format!("trap: {}", words(t)),
            Self::Differs(_) => "differs".to_owned(),
            Self::TooLong => "too long".to_owned(),
        }
    }
}

/// What a program leaves behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The kernels' buffers of results, then the buffer of atomics.
    pub buffers: Vec<Vec<u8>>,
}

/// The ways to run the program of a seed, besides the reference: drawn, so that over many programs all are.
pub fn ways(seed: u64, share: &Share) -> Vec<Way> {
    use CodeFor::{Gpu, Host, NewerGpu};
    use OptLevel::{O0, O1, O2, O3};
    let mut rng = Rng::new(seed ^ 0x3a75);
    let mut list = vec![Way::Interpreter(rng.pick(&[Gpu, NewerGpu, Host]), rng.pick(&[O1, O2, O3, O3]))];
    if rng.chance(share.second_interpreter) {
        list.push(Way::Interpreter(rng.pick(&[Gpu, NewerGpu, Host]), rng.pick(&[O1, O2, O3])));
    }
    list.push(Way::SideBySide);
    if rng.chance(share.ptx) {
        list.push(Way::Ptx(rng.pick(&[Gpu, NewerGpu]), rng.pick(&[O0, O3])));
    }
    let host = |rng: &mut Rng| {
        let level = rng.pick(&[O0, O1, O2, O3, O3]);
        Way::Host { level, scalar: rng.chance(40), any_size: rng.chance(35) }
    };
    if rng.chance(share.host) {
        list.push(host(&mut rng));
    }
    if rng.chance(share.second_host) {
        list.push(host(&mut rng));
    }
    if rng.chance(share.gpu) {
        list.extend([O0, O3].map(Way::Gpu));
    }
    list
}

/// How many of 100 programs are run in the ways that cost most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Once more in the interpreter.
    pub second_interpreter: u64,
    /// To PTX.
    pub ptx: u64,
    /// As machine code.
    pub host: u64,
    /// As machine code once more.
    pub second_host: u64,
    /// On a GPU, at two levels.
    pub gpu: u64,
}

impl Share {
    /// What long runs do.
    pub const DEFAULT: Self = Self { second_interpreter: 25, ptx: 10, host: 85, second_host: 15, gpu: 0 };
}

fn options(program: &Program, machine: CodeFor, level: OptLevel) -> Options {
    let base = match machine {
        CodeFor::Gpu => Options::new(program.dialect),
        CodeFor::NewerGpu => {
            let mut options = Options::new(program.dialect);
            options.set_arch("sm_100".parse().expect("an architecture"));
            options
        }
        CodeFor::Host => Options::host(program.dialect),
    };
    let mut options = Options { level, no_warnings: true, ..base };
    // Results to the bit: nothing is contracted, quotients are rounded exactly.
    options.math.fmad = Some(false);
    options.math.prec_div = Some(true);
    options.math.prec_sqrt = Some(true);
    options
}

/// A program compiled for a target.
///
/// # Errors
/// It does not compile.
pub fn compile_for(program: &Program, text: &str, target: Target, level: OptLevel) -> Result<Compilation, Fault> {
    let options = Options { target, kernel_info: true, ..options(program, CodeFor::Gpu, level) };
    compiled(program, text, &options, &Emit::Nothing)
}

fn compiled(program: &Program, text: &str, options: &Options, emit: &Emit) -> Result<Compilation, Fault> {
    let name = if program.dialect.is_opencl() { "program.cl" } else { "program.cu" };
    let made = catch_unwind(AssertUnwindSafe(|| compile(&Input::text(name, text), options, emit)));
    let c = made.map_err(|e| Fault::Panic(payload(&*e)))?;
    if c.succeeded() {
        return Ok(c);
    }
    Err(Fault::Rejected(diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), Colour::Never)))
}

fn payload(e: &(dyn std::any::Any + Send)) -> String {
    let text = e.downcast_ref::<String>().map(String::as_str).or_else(|| e.downcast_ref::<&str>().copied());
    text.unwrap_or("panic").to_owned()
}

/// Runs the interpreter on a program compiled for a machine at a level.
///
/// # Errors
/// It does not compile, or does what it may not.
pub fn interpret(program: &Program, text: &str, machine: CodeFor, level: OptLevel) -> Result<Outcome, Fault> {
    let reference = level == OptLevel::O0;
    let c = compiled(program, text, &options(program, machine, level), &Emit::Ir)?;
    let place = |span| c.session.sources.display(span);
    let ran = catch_unwind(AssertUnwindSafe(|| strictly(program, &c.module, STEPS, reference, place)));
    ran.map_err(|e| Fault::Panic(payload(&*e)))?
}

/// Compiles a program to PTX, reads that back, and runs the interpreter on it.
///
/// # Errors
/// As [`interpret`].
fn read_back(program: &Program, text: &str, gpu: CodeFor, level: OptLevel) -> Result<Outcome, Fault> {
    /// What PTX takes of operations, at most, where the IR takes one.
    const STEPS_OF_PTX: u64 = 8;
    let c = compiled(program, text, &options(program, gpu, level), &Emit::PTX)?;
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut sources = SourceMap::default();
        let ptx = c.output().unwrap_or_default().to_owned();
        let id = sources.add("program.ptx", ptx).map_err(|e| Fault::Rejected(e.to_string()))?;
        let file = sources.file(id);
        let read = ptx_reader::read(&file.text, file.span().lo, &file.name).map_err(|errors| {
            let lines = errors.iter().map(|e| format!("{}: error: {e}\n", sources.display(e.span)));
            Fault::Rejected(lines.collect())
        })?;
        strictly(program, &read.module, STEPS_OF_PTX * STEPS, false, |span| sources.display(span))
    }));
    ran.map_err(|e| Fault::Panic(payload(&*e)))?
}

/// Runs the interpreter on a program that is not optimised, with work-items side by side and one after another.
///
/// # Errors
/// As [`interpret`], and where the two differ.
pub fn side_by_side(program: &Program, text: &str) -> Result<Outcome, Fault> {
    let mut options = options(program, CodeFor::Host, OptLevel::O0);
    options.checks = program.dialect.is_opencl();
    let c = compiled(program, text, &options, &Emit::Nothing)?;
    let limits = Limits { steps: u64::MAX, uninit: Uninit::OnRead, ..Limits::default() };
    let survey = |from: u64| {
        let mut all = Vec::new();
        let mut machine = Machine::new(&c.module);
        machine.set_target(options.target);
        machine.set_stray_pointers(true);
        machine.set_side_by_side(from);
        machine.set_threads(2);
        machine.set_divisions_checked(true);
        let outcome = run(program, &c.module, machine, |machine, id, config, args| {
            let mut survey = interp::Survey::new(64);
            let stats = machine.survey(id, config, args, &limits, &mut survey);
            let stats = stats.map_err(|t| Fault::Trap(t.to_string()))?;
            // Who is the first of several, and how many there are, depends on the order.
            let mut found: Vec<_> = survey.findings().iter().map(interp::Finding::identity).collect();
            found.sort();
            all.extend(found);
            Ok(stats)
        });
        (outcome, all)
    };
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let (alone, beside) = (survey(u64::MAX), survey(1));
        if alone != beside {
            return Err(Fault::Differs(format!("one after another {:?}, side by side {:?}", alone.1, beside.1)));
        }
        beside.0
    }));
    ran.map_err(|e| Fault::Panic(payload(&*e)))?
}

/// Runs the interpreter up to the first fault.
fn strictly(
    program: &Program,
    module: &Module,
    steps: u64,
    reference: bool,
    place_of: impl Fn(Span) -> String,
) -> Result<Outcome, Fault> {
    let mut machine = Machine::new(module);
    machine.set_divisions_checked(reference);
    let limits = Limits { steps, uninit: Uninit::OnUse, ..Limits::default() };
    run(program, module, machine, |machine, id, config, args| {
        machine.launch(id, config, args, &limits).map_err(|t| match t.kind {
            interp::TrapKind::StepLimit => Fault::TooLong,
            _ => Fault::Trap(format!("{}: {t}", place_of(t.span))),
        })
    })
}

fn run(
    program: &Program,
    module: &Module,
    mut machine: Machine,
    mut start: impl FnMut(&mut Machine, ir::FuncId, &LaunchConfig, &[Arg]) -> Result<interp::Stats, Fault>,
) -> Result<Outcome, Fault> {
    let launch = &program.launch;
    machine.set_barriers_for_everybody(program.dialect.is_opencl());
    let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let alloc = |m: &mut Machine, data: &[u8]| m.alloc_bytes(data).ok_or_else(|| Fault::Trap("no memory".into()));
    let results = vec![0; result_bytes(program)];
    let mut outs = vec![alloc(&mut machine, &results)?];
    let input = alloc(&mut machine, &bytes(&launch.input))?;
    let acc = alloc(&mut machine, &bytes(&launch.accumulators))?;
    let config = LaunchConfig::new(launch.groups, launch.local);
    for k in program.kernels() {
        let out = alloc(&mut machine, &results)?;
        let prev = outs[outs.len() - 1];
        outs.push(out);
        let Some(id) = module.find(&k.name) else { return Err(Fault::Trap(format!("no kernel `{}`", k.name))) };
        let args = [
            Arg::Pointer(out),
            Arg::Pointer(prev),
            Arg::Pointer(input),
            Arg::Pointer(acc),
            Arg::Value(u64::from(launch.n as u32)),
            Arg::Value(launch.m.into()),
        ];
        let args: Vec<Arg> = args.into_iter().chain(local_bytes(program, k).map(Arg::Local)).collect();
        start(&mut machine, id, &config, &args[..k.params.len()])?;
    }
    let mut outcome = Outcome { buffers: Vec::new() };
    outs.push(acc);
    for (n, &at) in outs[1..].iter().enumerate() {
        let len = if at == acc { launch.accumulators.len() * 4 } else { results.len() } as u64;
        let shadow = machine.read_shadow(at, len).unwrap_or_default();
        if let Some(i) = shadow.iter().position(|&s| s != 0) {
            return Err(Fault::Trap(format!("undefined result: {}", place(program, n, i))));
        }
        outcome.buffers.push(machine.read(at, len).unwrap_or_default().to_vec());
    }
    Ok(outcome)
}

/// Bytes of the work-group arrays that are a kernel's last parameters: an element for each work-item.
pub fn local_bytes<'a>(program: &'a Program, k: &'a Function) -> impl Iterator<Item = u64> + 'a {
    let items = u64::from(program.launch.group_items());
    k.params.iter().filter_map(move |p| match &p.ty {
        Ty::Pointer(Space::Local, t) => t.scalar().map(|s| items * u64::from(s.bits() / 8)),
        _ => None,
    })
}

/// Bytes of a kernel's results.
pub fn result_bytes(program: &Program) -> usize {
    (program.launch.items() * program.launch.results) as usize * 8
}

/// What a byte of a buffer belongs to.
fn place(program: &Program, buffer: usize, byte: usize) -> String {
    match program.kernels().nth(buffer) {
        Some(k) => {
            let word = byte / 8;
            let results = program.launch.results as usize;
            format!("`{}`, work-item {}, result {}", k.name, word / results, word % results)
        }
        None => format!("word {} of the atomics", byte / 4),
    }
}

/// The first difference between two outcomes.
pub fn difference(program: &Program, expected: &Outcome, got: &Outcome) -> Option<String> {
    for (n, (a, b)) in expected.buffers.iter().zip(&got.buffers).enumerate() {
        if let Some(i) = (0..a.len().min(b.len())).find(|&i| a[i] != b[i]) {
            let size = if program.kernels().nth(n).is_some() { 8 } else { 4 };
            let at = i / size * size;
            let hex = |x: &[u8]| x[at..at + size].iter().rev().map(|v| format!("{v:02x}")).collect::<String>();
            return Some(format!("{}: 0x{}, not 0x{}", place(program, n, i), hex(b), hex(a)));
        }
    }
    None
}

/// What runs programs; keeps the devices.
#[derive(Debug)]
pub struct Executor {
    #[cfg(feature = "llvm")]
    hosts: Option<Hosts>,
    gpu: std::sync::OnceLock<Result<Gpu, String>>,
}

impl Executor {
    /// With machine code, where this build has LLVM.
    pub fn new() -> Self {
        Self {
            #[cfg(feature = "llvm")]
            hosts: Hosts::new().ok(),
            gpu: std::sync::OnceLock::new(),
        }
    }

    /// Whether programs run as machine code.
    pub fn has_host(&self) -> bool {
        #[cfg(feature = "llvm")]
        return self.hosts.is_some();
        #[cfg(not(feature = "llvm"))]
        return false;
    }

    /// Runs the reference.
    ///
    /// # Errors
    /// As [`interpret`]: either the generator's fault, or the front end's or the interpreter's.
    pub fn reference(&self, program: &Program) -> Result<Outcome, Fault> {
        interpret(program, &print::program(program), CodeFor::Host, OptLevel::O0)
    }

    /// Runs a program in one way, and compares; whether it ran.
    ///
    /// # Errors
    /// What went wrong.
    pub fn check(&self, program: &Program, expected: &Outcome, way: Way) -> Result<bool, Fault> {
        let text = print::program(program);
        let got = match way {
            Way::Reference => self.reference(program)?,
            Way::Interpreter(machine, level) => interpret(program, &text, machine, level)?,
            Way::SideBySide => side_by_side(program, &text)?,
            Way::Ptx(gpu, level) => read_back(program, &text, gpu, level)?,
            Way::Gpu(level) => match self.gpu.get_or_init(Gpu::open) {
                Ok(gpu) => device::run(gpu, program, &text, level)?,
                Err(e) => return Err(Fault::Rejected(e.clone())),
            },
            #[cfg(feature = "llvm")]
            Way::Host { level, scalar, any_size } => match &self.hosts {
                Some(h) => h.run(program, &text, level, (scalar, any_size))?,
                None => return Ok(false),
            },
            #[cfg(not(feature = "llvm"))]
            Way::Host { .. } => return Ok(false),
        };
        difference(program, expected, &got).map_or(Ok(true), |d| Err(Fault::Differs(d)))
    }
}

impl Default for Executor {
    fn default() -> Self {
        Self::new()
    }
}
