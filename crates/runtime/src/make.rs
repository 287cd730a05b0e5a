//! Makes machine code of a kernel for one local size, or any, or finds what was made before.

use crate::image::Image;
use crate::program::Compiled;
use crate::variables::Variables;
use crate::watchdog::{self, Left};
use crate::{Cache, Error, HostOptions, Prepared};
use ir::{FuncId, Module, ScalarKind};
use launch::CodeSize;
use llvm::{Denormals, Effort, Entry, HostMachine, Jit, LlvmError};
use simd::HostKernel;
use source::{Session, SourceMap};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unspool::Dialect;
use unspool::object::Hash;

/// What makes machine code: a processor, and how.
#[derive(Debug)]
pub(crate) struct Maker {
    pub(crate) machine: HostMachine,
    pub(crate) options: HostOptions,
    /// What was made before.
    pub(crate) cache: Cache,
}

/// Machine code of one kernel for one local size, or any, loaded.
#[derive(Debug)]
pub(crate) struct Made {
    /// What is known of it.
    pub(crate) prepared: Prepared,
    /// How to call it.
    pub(crate) host: HostKernel,
    /// The local sizes that it was made for.
    pub(crate) size: CodeSize,
    /// Where it begins.
    pub(crate) entry: Entry,
    /// Where all its code lies.
    pub(crate) code: Range<usize>,
    /// What the source calls the kernel.
    pub(crate) display: String,
    /// Whether threads flush subnormal numbers while they run it.
    pub(crate) flush: bool,
    /// Holds the code of `entry`.
    pub(crate) _memory: Jit,
    /// What the code refers to.
    pub(crate) _variables: Option<Arc<Variables>>,
}

impl Made {
    /// What it took to make it; little for what was found.
    pub(crate) fn cost(&self) -> Duration {
        self.prepared.stages.iter().map(|s| s.1).sum()
    }
}

/// What identifies this build of all that makes machine code.
fn build_id() -> Hash {
    let (major, minor, patch) = llvm::version();
    let text = format!("{} {} LLVM {major}.{minor}.{patch}", env!("CARGO_PKG_VERSION"), env!("UNSPOOL_BUILD"));
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// How machine code is made.
#[derive(Clone, Copy)]
struct How {
    /// In vectors.
    vectorise: bool,
    /// With a table of lines.
    lines: bool,
    /// The most that LLVM does for it.
    effort: Effort,
}

/// How long each stage took.
type Stages = Vec<(&'static str, Duration)>;

/// What `simd` must know of a machine.
pub(crate) fn vectors(machine: &HostMachine, lanes: Option<u32>) -> simd::VectorIsa {
    let v = machine.vectors();
    simd::VectorIsa {
        vector_bits: lanes.map_or(v.vector_bits, |n| n.clamp(1, 64) * 32),
        gathers: v.gathers,
        lines_at_once: v.lines_at_once,
        rows_at_once: v.rows_at_once,
    }
}

impl Maker {
    /// Makes a kernel ready, whose variables are on the device already; what becomes of hints goes to the session's ledger, unless the code was made before.
    pub(crate) fn make(
        &self,
        program: &Compiled,
        kernel: &str,
        size: CodeSize,
        session: &mut Session,
        variables: Option<Arc<Variables>>,
    ) -> Result<Made, Error> {
        if let Some(made) = self.find(program, kernel, size, variables.clone()) {
            return Ok(made);
        }
        let key = self.key_of(program, kernel, size);
        let (image, stages) = fenv::in_default(|| self.image(program, kernel, size, session, false))?;
        if let (Some(key), Some(bytes)) = (&key, image.write()) {
            self.cache.put(key, &bytes);
        }
        image.load(stages, key.map(|_| false), variables)
    }

    /// Finds in the cache what was made before.
    pub(crate) fn find(
        &self,
        program: &Compiled,
        kernel: &str,
        size: CodeSize,
        variables: Option<Arc<Variables>>,
    ) -> Option<Made> {
        let started = Instant::now();
        let key = self.key_of(program, kernel, size)?;
        let image = self.cache.get(&key, |bytes| Image::read(&bytes))?;
        image.load(vec![("cache", started.elapsed())], Some(true), variables).ok()
    }

    /// By what the cache knows code of a kernel; `None` where nothing is kept.
    fn key_of(&self, program: &Compiled, kernel: &str, size: CodeSize) -> Option<Hash> {
        program
            .content()
            .filter(|_| self.cache.is_on())
            .map(|c| self.key(c, program.target().warp_size(), kernel, size))
    }

    /// Whether work-items of a kernel exchange values with their neighbours: code for any local size does that in memory,
    /// which takes long, and may add up in another order.
    pub(crate) fn exchanges(&self, program: &Compiled, kernel: &str) -> Result<bool, Error> {
        let module = program.module()?;
        Ok(module.find(kernel).is_some_and(|f| simd::exchanges(&module.functions[f])))
    }

    /// The file and the line of an instruction of a kernel's machine code, which is made again, with lines: the session has the
    /// program's sources. `None` if that gives other code, or the line is not known.
    pub(crate) fn place_of(
        &self,
        program: &Compiled,
        kernel: &str,
        size: CodeSize,
        offset: u64,
        session: &mut Session,
    ) -> Option<(String, u32)> {
        let mut made = |lines| fenv::in_default(|| self.image(program, kernel, size, session, lines)).ok();
        let (plain, lined) = (made(false)?.0.object, made(true)?.0.object);
        let code = llvm::machine_code_of(&plain)?;
        let same = offset < code.len() as u64 && llvm::machine_code_of(&lined) == Some(code);
        if same { llvm::line_of(&lined, offset) } else { None }
    }

    /// What the code of a kernel depends on.
    fn key(&self, program: &Hash, warp: u32, kernel: &str, size: CodeSize) -> Hash {
        let HostOptions { threads: _, specialise: _, llvm_limit: _, scalar, lanes, level } = self.options;
        let how = format!("{size} {scalar} {lanes:?} {level:?} {warp}");
        let mut hasher = blake3::Hasher::new_derive_key("unspool machine code");
        hasher.update(&build_id()).update(program);
        for part in [kernel, &how, self.machine.triple(), self.machine.cpu(), self.machine.features()] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        *hasher.finalize().as_bytes()
    }

    fn image(
        &self,
        program: &Compiled,
        kernel: &str,
        size: CodeSize,
        session: &mut Session,
        lines: bool,
    ) -> Result<(Image, Stages), Error> {
        let scalar = self.options.scalar;
        let id = program.module()?.find(kernel).ok_or_else(|| Error::NoKernel { name: kernel.to_owned() })?;
        let how = How { vectorise: !scalar, lines, effort: Effort::Full };
        let made = self.image_as(program, id, size, session, how);
        let (how, reason) = match &made {
            // The private memory of a vector of work-items is too much; that of one may not be.
            Err(Error::Llvm(LlvmError::StackTooLarge { bytes, limit, .. })) if !scalar => (
                How { vectorise: false, ..how },
                format!("the private arrays of a vector of work-items take {bytes} bytes, more than {limit}"),
            ),
            Err(Error::Endless { limit, .. }) => (
                How { vectorise: false, effort: Effort::Least, ..how },
                format!("LLVM had not finished better code after {limit:?} of processor time"),
            ),
            Err(Error::Refused { reason, .. }) => (
                How { vectorise: false, effort: Effort::Least, ..how },
                format!("LLVM gave up on better code: {reason}"),
            ),
            _ => return made,
        };
        let (mut image, stages) = self.image_as(program, id, size, session, how)?;
        image.reason = Some(reason);
        Ok((image, stages))
    }

    fn image_as(
        &self,
        program: &Compiled,
        kernel: FuncId,
        size: CodeSize,
        session: &mut Session,
        how: How,
    ) -> Result<(Image, Stages), Error> {
        let mut module = program.module()?.clone();
        let started = Instant::now();
        let options = simd::Options {
            local_size: size,
            target: program.target(),
            vectorise: how.vectorise,
            machine: vectors(&self.machine, self.options.lanes),
            rows: simd::Rows::of(&module.functions[kernel], size),
        };
        let host = simd::work_group(&mut module, session, kernel, &options)?;
        let widened = started.elapsed();
        let started = Instant::now();
        let denormals = denormals(&module, program.dialect(), host.func);
        let flush = flushes(&module) && denormals == Denormals::Environment;
        let options = llvm::Options {
            opt: self.options.level,
            denormals,
            import_variables: true,
            effort: how.effort,
            packs: host.packs,
            ..llvm::Options::default()
        };
        let (object, done) = self.machine_code(module, &host.name, options, how.lines.then_some(&session.sources))?;
        let stages = vec![("vectoriser", widened), ("LLVM", started.elapsed())];
        let display = program.module()?.functions[kernel].display.clone();
        let mut image = Image::new(object, host, size, flush, display);
        if how.effort == Effort::Full {
            image.note(effort(done));
        }
        Ok((image, stages))
    }

    /// An object file with this entry point, and the least that LLVM did for one of its functions. Code with lines is only made
    /// of what was made without before, so that its time is bounded.
    fn machine_code(
        &self,
        module: Module,
        entry: &str,
        options: llvm::Options<'static>,
        lines: Option<&SourceMap>,
    ) -> Result<(Vec<u8>, Effort), Error> {
        let compile = |module: &Module, machine: &HostMachine, options: &llvm::Options<'_>| {
            let compiled = llvm::compile(module, machine, options)?;
            Ok((compiled.object()?, compiled.effort()))
        };
        if lines.is_some() {
            let options = llvm::Options { entries: &[entry], debug_lines: lines, ..options };
            return compile(&module, &self.machine, &options);
        }
        let most = HostOptions::LLVM_LIMIT;
        let asked = self.options.llvm_limit.unwrap_or(most);
        // Nothing comes after the cheapest way.
        let limit = if options.effort == Effort::Least { asked.max(most) } else { asked };
        let (machine, name) = (self.machine.clone(), entry.to_owned());
        let job = move || compile(&module, &machine, &llvm::Options { entries: &[&name], ..options });
        let kernel = || entry.to_owned();
        watchdog::within(limit, job).unwrap_or_else(|left| {
            Err(match left {
                Left::Endless => Error::Endless { kernel: kernel(), limit },
                Left::Refused(reason) => Error::Refused { kernel: kernel(), reason },
            })
        })
    }
}

/// What a user is told of how LLVM made the code.
fn effort(effort: Effort) -> Option<String> {
    let most = match effort {
        Effort::Full => return None,
        Effort::Quick => Effort::MAX_FULL,
        Effort::Least => Effort::MAX_QUICK,
    };
    Some(format!("LLVM optimises little: a function has more than {most} instructions, or thousands of branches meet"))
}

/// Whether the program asks for subnormal numbers to be flushed.
fn flushes(module: &Module) -> bool {
    module.math.ftz
}

/// The processor flushes doubles with floats. OpenCL says so, too (5.6.4.2 of the 1.2 specification); in CUDA doubles
/// keep their subnormals, so code with doubles flushes its floats itself.
fn denormals(module: &Module, dialect: Dialect, kernel: FuncId) -> Denormals {
    let function = &module.functions[kernel];
    let doubles = || {
        let is_double = |v: ir::Value| function.dfg.ty(v).kind() == ScalarKind::F64;
        let mut all = function.layout.blocks().flat_map(|b| function.layout.insts(b));
        all.any(|i| function.dfg.result(i).is_some_and(is_double))
    };
    if flushes(module) && !dialect.is_opencl() && doubles() { Denormals::Emulate } else { Denormals::Environment }
}
