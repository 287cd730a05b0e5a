//! The processors of this machine as a device.

use crate::arguments;
use crate::launch::{Arenas, Launch, LaunchSetup, Pace, Piece};
use crate::make::{Made, Maker};
use crate::memory::Memory;
use crate::output::Printer;
use crate::pool::ThreadPool;
use crate::queue::HostQueue;
use crate::{
    Arg, Cache, Device, DevicePtr, Error, Kernel, NdRange, Prepared, Program, Queue, Run, Shape, Transfer, VariableAt,
};
use ir::OptLevel;
use launch::Part;
use llvm::HostMachine;
use smallvec::SmallVec;
use source::Session;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use target::Target;

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
    memory: Arc<Memory>,
    /// Tells devices apart where a program remembers kernels.
    id: u64,
}

/// What launches need of the device.
struct Inner {
    pool: ThreadPool,
    arenas: Arenas,
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
        Self::with_cache(options, Cache::off())
    }

    /// The same, which keeps the machine code of [stored](Program::object) programs in a cache.
    ///
    /// # Errors
    /// As [`HostDevice::new`].
    pub fn with_cache(options: HostOptions, cache: Cache) -> Result<Self, Error> {
        Self::with_memory(options, cache, Memory::default())
    }

    /// The same with this memory.
    pub(crate) fn with_memory(options: HostOptions, cache: Cache, memory: Memory) -> Result<Self, Error> {
        /// More threads than this are of no use to anybody.
        const MOST: usize = 1024;
        let machine = HostMachine::detect()?;
        let threads = options.threads.unwrap_or_else(default_threads).clamp(1, MOST);
        let bits = machine.vectors().vector_bits;
        let name = format!("{} ({bits}-bit vectors)", machine.cpu());
        let inner = Arc::new(Inner { pool: ThreadPool::new(threads), arenas: Arenas::default() });
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let (maker, memory) = (Maker { machine, options, cache }, Arc::new(memory));
        Ok(Self { inner, name, maker, memory, id: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// Its threads.
    pub(crate) fn pool(&self) -> &ThreadPool {
        &self.inner.pool
    }

    /// What it has allocated.
    pub(crate) fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// The file and the line at which the processor stopped a kernel ([`Error::Fault`]), in a program that was just compiled
    /// again, with the session of that compilation. This compiles the kernel.
    pub fn place_of(
        &self,
        program: &Program,
        kernel: &str,
        fault: &Error,
        session: &mut Session,
    ) -> Option<(String, u32)> {
        let &Error::Fault { local, offset: Some(offset), .. } = fault else { return None };
        self.maker.place_of(program, kernel, local, offset, session)
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
        self.inner.pool.threads()
    }

    fn target(&self) -> Target {
        Target::host()
    }

    fn is_unified(&self) -> bool {
        true
    }

    fn allocate(&self, bytes: u64) -> Result<DevicePtr, Error> {
        self.memory.allocate(bytes)
    }

    fn free(&self, memory: DevicePtr) -> Result<(), Error> {
        self.memory.free(memory)
    }

    unsafe fn copy(&self, transfer: &Transfer) -> Result<(), Error> {
        if let Some(_held) = transfer.check(&self.memory)? {
            // SAFETY: by the caller's promise; what the device owns of it is held.
            unsafe { transfer.run() };
        }
        Ok(())
    }

    fn queue(&self) -> Result<Box<dyn Queue>, Error> {
        Ok(Box::new(HostQueue::new(&self.memory)?))
    }

    fn variable(&self, program: &Program, name: &str) -> Result<VariableAt, Error> {
        let number = program.variables().iter().position(|v| v.name == name);
        let no_variable = || Error::NoVariable { name: name.to_owned() };
        let number = number.ok_or_else(no_variable)?;
        let placed = program.variables_on(self.id, &self.memory)?.ok_or_else(no_variable)?;
        Ok(VariableAt { address: placed.address(number), bytes: program.variables()[number].bytes })
    }

    fn prepare(
        &self,
        program: &Program,
        kernel: &str,
        local: [u32; 3],
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error> {
        let limits = self.target().launch_limits();
        limits.check_group(local.map(u64::from)).map_err(|_| Error::GroupTooLarge {
            items: local.iter().fold(1u64, |n, &l| n.saturating_mul(l.into())),
            most: limits.group_items.into(),
        })?;
        program.kernel(self.id, kernel, local, || {
            let variables = program.variables_on(self.id, &self.memory)?;
            let made = self.maker.make(program, kernel, local, session, variables)?;
            Ok(Arc::new(Loaded { inner: Arc::clone(&self.inner), made, pace: Pace::default() }))
        })
    }

    fn prepare_range(
        &self,
        program: &Program,
        kernel: &str,
        range: &NdRange,
        session: &mut Session,
    ) -> Result<Arc<dyn Kernel>, Error> {
        range.check(Target::host().launch_limits())?;
        if let Some(d) = range.partial_dimension().filter(|_| !program.partial_groups()) {
            return Err(Error::NotUniform { dimension: d, global: range.global[d], local: range.local[d] });
        }
        if range.is_uniform() && !range.is_empty() {
            return self.prepare(program, kernel, range.local, session);
        }
        let mut parts = Vec::new();
        for part in range.parts() {
            parts.push(self.prepare(program, kernel, part.local, session)?);
        }
        let prepared = parts.first().map_or_else(Prepared::default, |p| p.prepared().clone());
        Ok(Arc::new(Ranged { inner: Arc::clone(&self.inner), parts, prepared, pace: Pace::default() }))
    }
}

/// Machine code of one kernel for one local size.
struct Loaded {
    inner: Arc<Inner>,
    made: Made,
    pace: Pace,
}

/// Kernels for the parts of a range.
struct Ranged {
    inner: Arc<Inner>,
    /// One for each local size; `Loaded` all of them.
    parts: Vec<Arc<dyn Kernel>>,
    /// Those of the first.
    prepared: Prepared,
    pace: Pace,
}

/// Whether vectorised code is right for a part of a range: numbers of its work-items do not wrap.
fn within_extent(range: &NdRange, part: &Part) -> Result<(), Error> {
    let most = launch::context::MAX_EXTENT;
    for dimension in 0..3 {
        // As if the last group had the size of the others.
        let size = range.groups(dimension).saturating_mul(range.local[dimension].into());
        let last = size.max(part.origin[dimension]);
        if last > most {
            return Err(Error::Extent { dimension, last, most });
        }
    }
    Ok(())
}

impl Inner {
    /// Launches the code that `made` finds for each local size over a range.
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    unsafe fn launch<'k>(
        &self,
        range: &NdRange,
        dynamic_shared: u64,
        made: impl Fn([u32; 3]) -> Result<&'k Made, Error>,
        pace: &Pace,
        args: &[Arg<'_>],
        run: &Run<'_>,
    ) -> Result<Duration, Error> {
        range.check(Target::host().launch_limits())?;
        let block;
        let mut pieces: SmallVec<[Piece<'_>; 1]> = SmallVec::new();
        let mut start = 0u64;
        for part in range.parts() {
            let made = made(part.local)?;
            if made.prepared.lanes > 1 {
                within_extent(range, &part)?;
            }
            pieces.push(Piece { made, part, start });
            start = start.saturating_add(part.group_count());
        }
        // Arguments stand at the same places whatever the local size.
        let Some(first) = pieces.first() else { return Ok(Duration::ZERO) };
        block = arguments::block(&first.made.host, args, dynamic_shared)?;
        let plan = LaunchSetup {
            range,
            pieces,
            dynamic_shared,
            block: &block,
            arenas: &self.arenas,
            pace,
            pool: &self.pool,
            done: run.done,
            printer: Printer::new(run.print),
        };
        // SAFETY: by the caller's promise; the block was laid out for this code.
        unsafe { Launch::new(plan) }.run()
    }
}

impl Loaded {
    fn with_local(&self, local: [u32; 3]) -> Result<&Made, Error> {
        if local != self.made.local {
            return Err(Error::LocalSize { made: self.made.local, asked: local });
        }
        Ok(&self.made)
    }
}

impl Kernel for Loaded {
    fn prepared(&self) -> &Prepared {
        &self.made.prepared
    }

    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        let (range, made) = (NdRange::from(shape), |l| self.with_local(l));
        // SAFETY: by the caller's promise.
        unsafe { self.inner.launch(&range, shape.dynamic_shared, made, &self.pace, args, run) }
    }

    unsafe fn launch_range(&self, range: &NdRange, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        // SAFETY: by the caller's promise.
        unsafe { self.inner.launch(range, 0, |l| self.with_local(l), &self.pace, args, run) }
    }
}

impl Ranged {
    fn with_local(&self, local: [u32; 3]) -> Result<&Made, Error> {
        let all = || self.parts.iter().filter_map(|k| (&**k as &dyn Any).downcast_ref::<Loaded>());
        let made = all().next().map_or([0; 3], |k| k.made.local);
        let found = all().find(|k| k.made.local == local);
        found.map(|k| &k.made).ok_or(Error::LocalSize { made, asked: local })
    }
}

impl Kernel for Ranged {
    fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        let (range, made) = (NdRange::from(shape), |l| self.with_local(l));
        // SAFETY: by the caller's promise.
        unsafe { self.inner.launch(&range, shape.dynamic_shared, made, &self.pace, args, run) }
    }

    unsafe fn launch_range(&self, range: &NdRange, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        // SAFETY: by the caller's promise.
        unsafe { self.inner.launch(range, 0, |l| self.with_local(l), &self.pace, args, run) }
    }
}
