//! The processors of this machine as a device.

use crate::arguments::block;
use crate::launch::{Arena, Launch};
use crate::make::{Made, Maker};
use crate::output::Printer;
use crate::{Arg, Device, Error, Facts, Kernel, NdRange, Program, Run, Shape};
use llvm::{HostMachine, OptLevel};
use rayon::{ThreadPool, ThreadPoolBuilder};
use source::Session;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    maker: Maker,
    /// Tells devices apart where a program remembers kernels.
    id: u64,
}

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
        f.debug_struct("HostDevice")
            .field("name", &self.name)
            .field("options", &self.maker.options)
            .finish_non_exhaustive()
    }
}

/// Threads to use if nobody says how many.
fn default_threads() -> usize {
    let wanted = std::env::var(THREADS_VARIABLE).ok().and_then(|v| v.trim().parse().ok()).filter(|&n| n > 0);
    wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
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
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Ok(Self { inner, name, maker: Maker { machine, options }, id: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// Bits of a vector register.
    pub fn vector_bits(&self) -> u32 {
        crate::make::vectors(&self.maker.machine, self.maker.options.lanes).vector_bits
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
        kernel: &str,
        local: [u32; 3],
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error> {
        let items = local.iter().fold(1u64, |n, &l| n.saturating_mul(l.into()));
        if items == 0 || items > MAX_GROUP {
            return Err(Error::GroupTooLarge { items, most: MAX_GROUP });
        }
        program.kernel(self.id, kernel, local, || {
            let made = self.maker.make(program, kernel, local, session)?;
            Ok(Arc::new(Loaded { inner: Arc::clone(&self.inner), made }))
        })
    }

    fn prepare_range(
        &self,
        program: &Program,
        kernel: &str,
        range: &NdRange,
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error> {
        range.check()?;
        if let Some(d) = range.partial_dimension().filter(|_| !program.partial_groups()) {
            return Err(Error::NotUniform { dimension: d, global: range.global[d], local: range.local[d] });
        }
        let mut parts = Vec::new();
        for part in range.parts() {
            parts.push((part.local, self.prepare(program, kernel, part.local, session)?));
        }
        if let [(_, only)] = parts.as_slice() {
            return Ok(Arc::clone(only));
        }
        let facts = parts.first().map_or_else(Facts::default, |p| p.1.facts().clone());
        Ok(Arc::new(Ranged { parts, facts }))
    }
}

/// Kernels for the parts of a range.
struct Ranged {
    /// One for each local size.
    parts: Vec<([u32; 3], Arc<dyn Kernel>)>,
    /// Those of the first.
    facts: Facts,
}

impl Ranged {
    fn with_local(&self, local: [u32; 3]) -> Result<&Arc<dyn Kernel>, Error> {
        let made = self.parts.first().map_or([0; 3], |p| p.0);
        let found = self.parts.iter().find(|p| p.0 == local).map(|p| &p.1);
        found.ok_or(Error::LocalSize { made, asked: local })
    }
}

impl Kernel for Ranged {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        let kernel = self.with_local(shape.local)?;
        // SAFETY: by the caller's promise.
        unsafe { kernel.launch(shape, args, run) }
    }

    unsafe fn launch_range(&self, range: &NdRange, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        range.check()?;
        let mut time = Duration::ZERO;
        for part in range.parts() {
            let shape = Shape {
                work_dim: range.work_dim,
                groups: part.groups,
                local: part.local,
                offset: part.origin,
                dynamic_shared: 0,
            };
            // SAFETY: by the caller's promise.
            time += unsafe { self.with_local(part.local)?.launch(&shape, args, run)? };
        }
        Ok(time)
    }
}

/// Machine code of one kernel for one local size.
struct Loaded {
    inner: Arc<Inner>,
    made: Made,
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
        &self.made.facts
    }

    unsafe fn launch_range(&self, range: &NdRange, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        range.check()?;
        let mut parts = range.parts();
        let (Some(part), None) = (parts.next(), parts.next()) else {
            let asked = range.local;
            return if range.is_empty() {
                Ok(Duration::ZERO)
            } else {
                Err(Error::LocalSize { made: self.made.local, asked })
            };
        };
        let shape = Shape {
            work_dim: range.work_dim,
            groups: part.groups,
            local: part.local,
            offset: part.origin,
            dynamic_shared: 0,
        };
        // SAFETY: by the caller's promise.
        unsafe { self.launch(&shape, args, run) }
    }

    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        if shape.local != self.made.local {
            return Err(Error::LocalSize { made: self.made.local, asked: shape.local });
        }
        if self.made.facts.lanes > 1 {
            within_extent(shape)?;
        }
        let block = block(&self.made.host, args, shape.dynamic_shared)?;
        let launch = Launch {
            entry: self.made.entry,
            shape,
            block: &block,
            scratch_bytes: self.made.host.scratch_bytes,
            flush: self.made.flush,
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
