//! `unspool run`: from the command line to results.
//!
//! Nothing is written unless everything succeeded: sources compile, arguments fit, the launch ends without a fault.

pub mod argument;
mod check;
mod image;
pub mod image_argument;
mod npy;
mod report;
mod results;
mod scalar;
mod symbol;

use crate::args::{RunArgs, TimeFormat};
use crate::commands::{self, options_here};
use crate::engine::{Engine, Faults, Job, Loaded, Placement, RunOptions, become_host};
use crate::gpu;
use crate::usage;
use argument::Argument;
use indicatif::{ProgressBar, ProgressStyle};
use ir::FuncId;
use launch::kernels::KernelInfo;
use launch::{Extent, Launch, NdRange};
use source::{Diagnostic, Span};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use target::LimitExceeded;
use unspool::{Compilation, Emit, OptLevel, Options, Target, compile_with_log as compile};

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// Something else.
    Found(Vec<Diagnostic>),
    /// Said already.
    Reported,
}

impl From<Diagnostic> for Failure {
    fn from(d: Diagnostic) -> Self {
        Self::Found(vec![d])
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(d: Box<Diagnostic>) -> Self {
        Self::Found(vec![*d])
    }
}

impl From<Faults> for Failure {
    fn from(Faults(all): Faults) -> Self {
        Self::Found(all)
    }
}

/// Launches of `--time` after the first, if `--repeat` does not say.
const DEFAULT_REPEAT: u32 = 10;

/// `unspool run`
pub(crate) fn run(a: &RunArgs, engine: Option<&dyn Engine>) -> ExitCode {
    let started = Instant::now();
    let mut compilation = Compilation::default();
    match try_run(a, engine, started, &mut compilation) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(e)) => usage(&e),
        Err(Failure::Reported) => ExitCode::FAILURE,
        Err(Failure::Found(all)) => {
            commands::show_all(&compilation.session, &all, &a.common);
            ExitCode::FAILURE
        }
    }
}

fn try_run(
    a: &RunArgs,
    engine: Option<&dyn Engine>,
    started: Instant,
    compilation: &mut Compilation,
) -> Result<(), Failure> {
    let [input] = a.common.inputs.as_slice() else {
        return Err(Failure::Usage("`run` takes one source file".to_owned()));
    };
    let options = options(a, input)?;
    let extent = extent(a)?;
    // A command line that is wrong is wrong without LLVM, too.
    if !a.check && engine.is_none() {
        return Err(become_host(Target::host(), None).into());
    }
    let source = commands::read(input).map_err(Failure::Usage)?;
    *compilation = compile(&source, &options, &Emit::Nothing);
    commands::report(compilation, &a.common);
    if !compilation.succeeded() {
        return Err(Failure::Reported);
    }
    let kernels = std::mem::take(&mut compilation.kernels);
    let kernel = choose(&kernels, a.kernel.as_deref())?;
    let function = function(compilation, kernel)?;
    let shape = shape(a, &extent, compilation, function, kernel, options.target)?;
    let front = started.elapsed();
    let filling = Instant::now();
    let mut arguments = argument::arguments(kernel, &a.args)?;
    let mut plan = results::plan(kernel, &arguments, &a.out, &a.image)?;
    let (mut symbols, shown) = symbol::symbols(compilation, &a.symbols, &a.symbol_out)?;
    plan.extend(results::plan_symbols(&shown)?);
    if let Some(note) = results::lost(&plan, kernel, &arguments) {
        commands::show(&compilation.session, &note, &a.common);
    }
    let filled = filling.elapsed();
    let run_options = RunOptions {
        threads: a.threads,
        scalar: a.scalar,
        lanes: a.lanes,
        level: options.level,
        // The ledger's answers about vectors come from making them.
        cache: !a.no_cache && !a.explain,
    };
    let mut measured = report::Measured { front, ..report::Measured::default() };
    let mut snapshot = Vec::new();
    let placement = {
        let job = Job {
            compilation: &mut *compilation,
            function,
            kernel,
            target: options.target,
            dialect: options.dialect,
            shape,
            options: run_options,
        };
        let mut loaded: Box<dyn Loaded + '_> = match engine {
            Some(engine) if !a.check => engine.load(job)?,
            _ => check::load(job),
        };
        for s in &symbols {
            s.before.as_ref().map_or(Ok(()), |bytes| loaded.set_symbol(&s.variable.symbol, bytes))?;
        }
        let watch = Watch::start(a, kernel, &shape);
        measured.first = loaded.launch(&mut arguments, &watch.done)?;
        watch.stop();
        for s in symbols.iter_mut().filter(|s| s.data.role.is_output()) {
            loaded.symbol(&s.variable.symbol, &mut s.data.bytes)?;
        }
        measured.to_first_result = started.elapsed().saturating_sub(filled);
        repeat(a, loaded.as_mut(), &mut arguments, &mut snapshot, &mut measured)?;
        loaded.placement().clone()
    };
    if let Some(engine) = engine.filter(|_| a.time && !a.check) {
        measured.warm = Some(once_more(&source, &options, engine, kernel, shape, run_options, &mut arguments)?);
    }
    let ended =
        Ended { kernel, shape, arguments: &arguments, snapshot: &snapshot, placement: &placement, measured: &measured };
    results::write(&plan, &arguments, &snapshot, &symbols, picture_size(&shape))?;
    say(a, &options, compilation, &ended, plan.is_empty());
    Ok(())
}

/// A run that succeeded.
struct Ended<'a> {
    kernel: &'a KernelInfo,
    shape: Launch,
    arguments: &'a [Argument],
    snapshot: &'a [Option<Vec<u8>>],
    placement: &'a Placement,
    measured: &'a report::Measured,
}

/// Says what was asked for; the outputs in short if they went to no file.
fn say(a: &RunArgs, options: &Options, compilation: &Compilation, ended: &Ended<'_>, summary: bool) {
    let mut text = String::new();
    if a.explain {
        let e = unspool::explain::gather(&compilation.session, &compilation.module, options, &a.common.inputs[0]);
        let colour = commands::colour(a.common.color, std::io::stdout().is_terminal());
        text.push_str(&unspool::explain::to_text(&e, &compilation.session, colour));
    }
    if a.explain && !a.check {
        text.push_str(&report::machine(ended.kernel, &ended.placement.kernel));
    }
    if summary {
        text.push_str(&results::summary(ended.kernel, ended.arguments, ended.snapshot));
    }
    if a.verbose {
        text.push_str(&report::vectors(ended.kernel, &ended.placement.kernel));
        text.push_str(report::origin(&ended.placement.kernel));
    }
    if a.time {
        let traffic = report::traffic(ended.arguments);
        let form = match a.time_format {
            TimeFormat::Text => report::text,
            TimeFormat::Json => report::json,
        };
        text.push_str(&form(ended.kernel, &ended.shape, ended.placement, ended.measured, traffic, a.flops));
    }
    let mut out = std::io::stdout().lock();
    // A reader that has seen enough is no error.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// A kernel over two dimensions usually makes a picture of that size.
fn picture_size(shape: &Launch) -> Option<(u32, u32)> {
    let side = |d| u32::try_from(shape.range.global[d]).ok();
    (shape.range.work_dim == 2).then(|| side(0).zip(side(1))).flatten()
}

fn options(a: &RunArgs, input: &str) -> Result<Options, Failure> {
    let mut options = options_here(&a.common, input).map_err(Failure::Usage)?;
    let warp = gpu::asked_warp(&a.common).map_err(Failure::Usage)?;
    options.kernel_info = true;
    options.explain = a.explain;
    options.partial_groups = Options::has_partial_groups(options.dialect) && !a.common.math.cl_uniform_work_group_size;
    // OpenCL runs here, where no GPU is named: what kernels may use is what this machine has.
    let here = options.dialect.is_opencl() && a.common.arch.is_none() && a.common.gencode.is_empty();
    // So it is where warps are asked for that the default GPU does not have.
    let warps = warp.is_some() && gpu::offloads(&a.common).map_err(Failure::Usage)?.is_empty();
    if !a.check || here || warps {
        let host = Target::here(None);
        options.target = host.with_warp_size(warp.unwrap_or(host.warp_size())).unwrap_or(host);
    }
    if a.check && a.common.optimize.is_none() {
        // Accesses that do not matter are faults all the same; optimised away they would not be found.
        options.level = OptLevel::O0;
    }
    options.checks = a.check;
    if !matches!(a.lanes, None | Some(2 | 4 | 8 | 16 | 32 | 64)) {
        return Err(Failure::Usage("`--lanes` is 2, 4, 8, 16, 32 or 64".to_owned()));
    }
    if a.threads == Some(0) {
        return Err(Failure::Usage("`--threads` is at least 1".to_owned()));
    }
    if a.flops.is_some_and(|f| !(f >= 0.0 && f.is_finite())) {
        return Err(Failure::Usage("`--flops` is a number of operations, at least 0".to_owned()));
    }
    if a.timeout.is_some_and(|t| !(t > 0.0 && t < 1e9)) {
        return Err(Failure::Usage("`--timeout` is a number of seconds greater than 0".to_owned()));
    }
    Ok(options)
}

/// Reads the sizes that an option gives.
fn sizes(option: &str, text: &str) -> Result<Vec<u64>, Failure> {
    argument::sizes(text).map_err(|e| Failure::Usage(format!("`{option} {text}`: {e}")))
}

fn extent(a: &RunArgs) -> Result<Extent, Failure> {
    match (&a.global, &a.grid) {
        (Some(g), _) => sizes("--global", g).map(Extent::Global),
        (None, Some(g)) => sizes("--grid", g).map(Extent::Groups),
        (None, None) => Err(Failure::Usage(
            "how many work-items? give `--global X[,Y[,Z]]`, or `--grid X[,Y[,Z]]` and `--block X[,Y[,Z]]`".to_owned(),
        )),
    }
}

/// The kernel of this name: as written, with template arguments, or mangled.
fn choose<'k>(kernels: &'k [KernelInfo], wanted: Option<&str>) -> Result<&'k KernelInfo, Failure> {
    let list = |of: &[&KernelInfo]| of.iter().map(|k| format!("`{}`", k.display)).collect::<Vec<_>>().join(", ");
    let all: Vec<&KernelInfo> = kernels.iter().collect();
    let fail = |message: String, help: String| Err(Diagnostic::error("E0709", Span::NONE, message).help(help).into());
    if kernels.is_empty() {
        return fail(
            "the source has no kernel".to_owned(),
            "a kernel is a function with `__kernel` or `__global__`; a template needs an explicit instantiation"
                .to_owned(),
        );
    }
    let Some(name) = wanted else {
        return match kernels {
            [only] => Ok(only),
            _ => {
                fail("which kernel? there are several".to_owned(), format!("name one with `--kernel`: {}", list(&all)))
            }
        };
    };
    let squeeze = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let name_squeezed = squeeze(name);
    let without_params =
        |k: &KernelInfo| squeeze(k.display.rsplit_once('(').map_or(k.display.as_str(), |(head, _)| head));
    let exact = |k: &&KernelInfo| k.symbol == name || squeeze(&k.display) == name_squeezed;
    if let Some(k) = kernels.iter().find(exact) {
        return Ok(k);
    }
    let found: Vec<&KernelInfo> =
        kernels.iter().filter(|k| k.name == name || without_params(k) == name_squeezed).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => {
            let near = kernels.iter().map(|k| k.name.as_str());
            let guess = source::words::nearest(name, near).map_or(String::new(), |n| format!("did you mean `{n}`? "));
            fail(format!("there is no kernel `{name}`"), format!("{guess}kernels are {}", list(&all)))
        }
        several => fail(format!("`{name}` names several kernels"), format!("name one of them: {}", list(several))),
    }
}

fn function(compilation: &Compilation, kernel: &KernelInfo) -> Result<FuncId, Failure> {
    compilation.module.find(&kernel.symbol).ok_or_else(|| {
        Diagnostic::error("E0709", kernel.span, format!("kernel `{}` was not compiled", kernel.display)).into()
    })
}

fn shape(
    a: &RunArgs,
    extent: &Extent,
    compilation: &Compilation,
    function: FuncId,
    kernel: &KernelInfo,
    target: Target,
) -> Result<Launch, Failure> {
    let local = a.local.as_deref().map(|t| sizes("--local", t)).transpose()?;
    let offset = a.offset.as_deref().map(|t| sizes("--offset", t)).transpose()?.unwrap_or_default();
    let attrs = &compilation.module.functions[function].attrs;
    let made = NdRange::new(extent, local.as_deref(), &offset, attrs, target.launch_limits());
    let range = made.map_err(|e| {
        use launch::ShapeError as E;
        let help = match &e {
            E::Indivisible { .. } => "choose a local size that divides it, round the global size up and test the id in the kernel, leave `--local` out, or say `-cl-std=CL2.0`, which has smaller groups at the end",
            E::Required { .. } => "leave `--local` out",
            E::Zero { .. } | E::Dimensions { .. } => "give one to three sizes, each at least 1",
            E::GroupTooLarge { .. } | E::Device(LimitExceeded::Group { .. } | LimitExceeded::GroupItems { .. }) => {
                "use smaller groups, and more of them"
            }
            E::Device(LimitExceeded::Groups { .. }) | E::Offset => "use fewer work-items, and a loop in the kernel",
        };
        Failure::from(Diagnostic::error("E0710", kernel.span, format!("kernel `{}`: {e}", kernel.name)).help(help))
    })?;
    let shared = sizes("--shared", &a.shared)?;
    Ok(Launch { range, dynamic_shared: shared.iter().product() })
}

/// Further launches, for their times; the first one's outputs are kept, since the kernel may change what it reads.
fn repeat(
    a: &RunArgs,
    loaded: &mut dyn Loaded,
    arguments: &mut [Argument],
    snapshot: &mut Vec<Option<Vec<u8>>>,
    measured: &mut report::Measured,
) -> Result<(), Failure> {
    let times = a.repeat.unwrap_or(if a.time { DEFAULT_REPEAT } else { 0 });
    if times == 0 {
        return Ok(());
    }
    *snapshot =
        arguments.iter().map(|arg| arg.data().filter(|d| d.role.is_output()).map(|d| d.bytes.to_vec())).collect();
    let done = AtomicU64::new(0);
    for _ in 0..times {
        measured.repeats.push(loaded.launch(arguments, &done)?);
    }
    Ok(())
}

/// From the source's text to the end of a launch, in a process that has done it before: what a program pays that
/// compiles kernels as it runs.
fn once_more(
    source: &unspool::Input,
    options: &Options,
    engine: &dyn Engine,
    kernel: &KernelInfo,
    shape: Launch,
    run_options: RunOptions,
    arguments: &mut [Argument],
) -> Result<Duration, Failure> {
    let started = Instant::now();
    let mut compilation = compile(source, options, &Emit::Nothing);
    let function = function(&compilation, kernel)?;
    let run_options = RunOptions { cache: false, ..run_options };
    let job = Job {
        compilation: &mut compilation,
        function,
        kernel,
        target: options.target,
        dialect: options.dialect,
        shape,
        options: run_options,
    };
    engine.load(job)?.launch(arguments, &AtomicU64::new(0))?;
    Ok(started.elapsed())
}

/// Watches a launch: ends the process when its time is up, shows a bar on a terminal when it takes long.
struct Watch {
    done: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
}

/// The code of a launch that did not end in time: the kernel did not end within `--timeout`.
const TIMEOUT: source::Code = "E0713";

/// How long a launch runs before a bar appears.
const BAR_AFTER: Duration = Duration::from_secs(1);

impl Watch {
    fn start(a: &RunArgs, kernel: &KernelInfo, shape: &Launch) -> Self {
        let watch = Self { done: Arc::default(), ended: Arc::default() };
        let bar = std::io::stderr().is_terminal();
        if a.timeout.is_none() && !bar {
            return watch;
        }
        let (done, ended) = (Arc::clone(&watch.done), Arc::clone(&watch.ended));
        let limit = a.timeout.map(Duration::from_secs_f64);
        let (name, total) = (kernel.name.clone(), shape.range.group_count());
        // Detached: it ends by itself, or with the process.
        std::thread::spawn(move || watch_over(&done, &ended, limit, bar, &name, total));
        watch
    }

    fn stop(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

fn watch_over(done: &AtomicU64, ended: &AtomicBool, limit: Option<Duration>, bar: bool, name: &str, total: u64) {
    let started = Instant::now();
    let mut shown: Option<ProgressBar> = None;
    while !ended.load(Ordering::Relaxed) {
        if let Some(limit) = limit
            && started.elapsed() >= limit
        {
            let groups = done.load(Ordering::Relaxed);
            let _ = writeln!(
                std::io::stderr(),
                "error[{TIMEOUT}]: kernel `{name}` did not end within {} s ({groups} of {total} work-groups did)\n  = help: look for a loop that never ends, or raise `--timeout`",
                limit.as_secs_f64()
            );
            // The kernel's threads cannot be stopped; nothing has been written.
            std::process::exit(1);
        }
        if bar && started.elapsed() >= BAR_AFTER {
            shown.get_or_insert_with(|| progress_bar(name, total)).set_position(done.load(Ordering::Relaxed));
        }
        let rest = limit.map_or(Duration::MAX, |l| l.saturating_sub(started.elapsed()));
        std::thread::sleep(rest.clamp(Duration::from_millis(1), Duration::from_millis(100)));
    }
    if let Some(b) = shown {
        b.finish_and_clear();
    }
}

fn progress_bar(name: &str, total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} [{wide_bar}] {pos}/{len} work-groups, {eta} left");
    let bar = ProgressBar::new(total).with_message(name.to_owned());
    match style {
        Ok(s) => bar.with_style(s),
        Err(_) => bar,
    }
}
