//! The processors of this machine as a device.

use crate::arguments::block;
use crate::launch::{Arena, Launch};
use crate::output::{Printer, unspool_rt_printf};
use crate::{Arg, Device, Error, Facts, Kernel, Program, Run, Shape};
use ir::{FuncId, Function, Module, ScalarKind};
use llvm::{Denormals, Entry, HostMachine, Jit, OptLevel};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::FxHashMap;
use simd::HostKernel;
use source::Session;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Most work-items of a group.
pub const MAX_GROUP: u64 = 4096;

/// Stack of the pool's threads: private arrays of the work-items of a vector live there ([`llvm::Options::max_stack`]
/// bounds them).
const STACK: usize = 8 << 20;

/// The variable that says how many threads to use.
const THREADS_VARIABLE: &str = "UNSPOOL_THREADS";

/// How to run kernels on the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HostOptions {
    /// Threads; `None` for what `UNSPOOL_THREADS` says, else one for each processor.
    pub threads: Option<usize>,
    /// Work-items one after another, not in the lanes of vectors.
    pub scalar: bool,
    /// 32-bit lanes of a vector; `None` for the machine's.
    pub lanes: Option<u32>,
    /// How hard LLVM works.
    pub level: OptLevel,
}

/// The processors of this machine.
pub struct HostDevice {
    inner: Arc<Inner>,
    name: String,
    machine: HostMachine,
    options: HostOptions,
    kernels: Mutex<FxHashMap<Key, Arc<Loaded>>>,
}

/// What tells kernels apart; the device's options are the same for all of them.
type Key = (u64, FuncId, [u32; 3]);

/// What launches need of the device.
struct Inner {
    threads: usize,
    /// Made by the first launch that needs it.
    pool: OnceLock<Result<ThreadPool, String>>,
    /// One for each thread, and one for launches on the caller's thread.
    arenas: Vec<Mutex<Arena>>,
}

impl std::fmt::Debug for HostDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostDevice").field("name", &self.name).field("options", &self.options).finish_non_exhaustive()
    }
}

/// Threads to use if nobody says how many.
fn default_threads() -> usize {
    let wanted = std::env::var(THREADS_VARIABLE).ok().and_then(|v| v.trim().parse().ok()).filter(|&n| n > 0);
    wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// What `simd` must know of a machine.
pub(crate) fn vectors(machine: &HostMachine, lanes: Option<u32>) -> simd::Machine {
    let v = machine.vectors();
    simd::Machine { vector_bits: lanes.map_or(v.vector_bits, |n| n.clamp(1, 64) * 32), gathers: v.gathers }
}

impl HostDevice {
    /// The machine's processors.
    ///
    /// # Errors
    /// LLVM does not know them.
    pub fn new(options: HostOptions) -> Result<Self, Error> {
        /// More threads than this are of no use to anybody.
        const MOST: usize = 1024;
        let machine = HostMachine::detect()?;
        let threads = options.threads.unwrap_or_else(default_threads).clamp(1, MOST);
        let bits = machine.vectors().vector_bits;
        let name = format!("{} ({bits}-bit vectors)", machine.cpu());
        let arenas = (0..=threads).map(|_| Mutex::default()).collect();
        let inner = Arc::new(Inner { threads, pool: OnceLock::new(), arenas });
        Ok(Self { inner, name, machine, options, kernels: Mutex::default() })
    }

    fn make(&self, program: &Program, kernel: FuncId, local: [u32; 3], session: &mut Session) -> Result<Loaded, Error> {
        let scalar = self.options.scalar;
        let made = self.make_as(program, kernel, local, session, !scalar);
        // The private memory of a vector of work-items is too much; that of one may not be.
        let Err(Error::Llvm(llvm::LlvmError::StackTooLarge { bytes, limit, .. })) = &made else { return made };
        if scalar {
            return made;
        }
        let reason = format!("the private arrays of a vector of work-items take {bytes} bytes, more than {limit}");
        let mut made = self.make_as(program, kernel, local, session, false)?;
        made.facts.reason = Some(reason);
        Ok(made)
    }

    fn make_as(
        &self,
        program: &Program,
        kernel: FuncId,
        local: [u32; 3],
        session: &mut Session,
        vectorise: bool,
    ) -> Result<Loaded, Error> {
        let mut module = program.module.clone();
        let started = Instant::now();
        let options = simd::Options {
            local_size: local,
            warp_size: target::WARP_SIZE,
            vectorise,
            machine: vectors(&self.machine, self.options.lanes),
        };
        let host = simd::work_group(&mut module, session, kernel, &options)?;
        let widened = started.elapsed();
        let started = Instant::now();
        let denormals = denormals(program, &module.functions[host.func]);
        let options =
            llvm::Options { entries: &[&host.name], opt: self.options.level, denormals, ..llvm::Options::default() };
        let compiled = llvm::compile(&module, &self.machine, &options)?;
        let printf = ("unspool_rt_printf", unspool_rt_printf as *const () as usize);
        let jit = compiled.jit(&[printf])?;
        let entry = jit.entry(&host.name).ok_or_else(|| llvm::LlvmError::NoEntry { name: host.name.clone() })?;
        let facts = Facts {
            lanes: host.lanes,
            reason: host.reason.clone(),
            shared_bytes: host.shared_bytes.into(),
            stages: vec![("vectoriser", widened), ("LLVM", started.elapsed())],
        };
        let flush = flushes(&module) && denormals == Denormals::Environment;
        Ok(Loaded { inner: Arc::clone(&self.inner), facts, host, local, entry, flush, _code: jit })
    }
}

/// Whether the program asks for subnormal numbers to be flushed.
fn flushes(module: &Module) -> bool {
    module.math.ftz
}

/// The processor flushes doubles with floats. OpenCL says so, too (5.6.4.2 of the 1.2 specification); in CUDA doubles
/// keep their subnormals, so code with doubles flushes its floats itself.
fn denormals(program: &Program, function: &Function) -> Denormals {
    let doubles = || {
        let is_double = |v: ir::Value| function.dfg.ty(v).kind() == ScalarKind::F64;
        let mut all = function.layout.blocks().flat_map(|b| function.layout.insts(b));
        all.any(|i| function.dfg.result(i).is_some_and(is_double))
    };
    if flushes(&program.module) && !program.dialect.is_opencl() && doubles() {
        Denormals::Emulate
    } else {
        Denormals::Environment
    }
}

impl Device for HostDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn threads(&self) -> usize {
        self.inner.threads
    }

    fn max_group(&self) -> u64 {
        MAX_GROUP
    }

    fn prepare(
        &self,
        program: &Program,
        kernel: FuncId,
        local: [u32; 3],
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error> {
        let items = local.iter().fold(1u64, |n, &l| n.saturating_mul(l.into()));
        if items == 0 || items > MAX_GROUP {
            return Err(Error::GroupTooLarge { items, most: MAX_GROUP });
        }
        let key = (program.id, kernel, local);
        let known = || self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&key) {
            return Ok(Arc::clone(found) as Arc<dyn Kernel>);
        }
        // Not under the lock: another thread may want another kernel. Two that want the same make it twice.
        let made = Arc::new(self.make(program, kernel, local, session)?);
        Ok(Arc::clone(known().entry(key).or_insert(made)) as Arc<dyn Kernel>)
    }
}

/// Machine code of one kernel for one local size.
struct Loaded {
    inner: Arc<Inner>,
    facts: Facts,
    host: HostKernel,
    local: [u32; 3],
    entry: Entry,
    /// Whether threads flush subnormal numbers while they run it.
    flush: bool,
    /// Holds the code of `entry`.
    _code: Jit,
}

/// Whether vectorised code is right for a launch: numbers of its work-items do not wrap.
fn within_extent(shape: &Shape) -> Result<(), Error> {
    let most = simd::abi::MAX_EXTENT;
    for dimension in 0..3 {
        let size = u64::from(shape.groups[dimension]) * u64::from(shape.local[dimension]);
        let last = size.max(shape.offset[dimension]);
        if last > most {
            return Err(Error::Extent { dimension, last, most });
        }
    }
    Ok(())
}

impl Kernel for Loaded {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        if shape.local != self.local {
            return Err(Error::LocalSize { made: self.local, asked: shape.local });
        }
        if self.facts.lanes > 1 {
            within_extent(shape)?;
        }
        let block = block(&self.host, args, shape.dynamic_shared)?;
        let launch = Launch {
            entry: self.entry,
            shape,
            block: &block,
            scratch_bytes: self.host.scratch_bytes,
            flush: self.flush,
            threads: self.inner.threads as u64,
            done: run.done,
            printer: Printer::new(run.print),
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            failed: Mutex::new(None),
        };
        // Waking threads takes longer than a single group.
        let alone = self.inner.threads == 1 || shape.group_count() == 1;
        let pool = if alone { None } else { Some(self.inner.pool()?) };
        let started = Instant::now();
        match pool {
            // SAFETY: by the caller's promise; the block was laid out for this code.
            None => unsafe { self.inner.with_arena(self.inner.threads, |a| launch.work(a)) },
            Some(pool) => {
                pool.broadcast(|thread| {
                    // SAFETY: as above.
                    self.inner.with_arena(thread.index(), |a| unsafe { launch.work(a) });
                });
            }
        }
        let time = started.elapsed();
        launch.printer.finish();
        match launch.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, e)) => Err(e),
            None => Ok(time),
        }
    }
}

impl Inner {
    fn pool(&self) -> Result<&ThreadPool, Error> {
        let make = || {
            let builder = ThreadPoolBuilder::new().num_threads(self.threads).stack_size(STACK);
            builder.thread_name(|n| format!("unspool {n}")).build().map_err(|e| e.to_string())
        };
        self.pool.get_or_init(make).as_ref().map_err(|e| Error::Threads(e.clone()))
    }

    /// Runs with the arena of a thread; with a fresh one where another launch has it.
    fn with_arena(&self, n: usize, work: impl FnOnce(&mut Arena)) {
        match self.arenas.get(n).map(Mutex::try_lock) {
            Some(Ok(mut arena)) => work(&mut arena),
            Some(Err(std::sync::TryLockError::Poisoned(p))) => work(&mut p.into_inner()),
            _ => work(&mut Arena::default()),
        }
    }
}
