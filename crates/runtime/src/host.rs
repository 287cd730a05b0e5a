//! The processors of this machine as a device.

use crate::launch::Arenas;
use crate::loaded::{Loaded, Ranged};
use crate::make::{Made, Maker};
use crate::memory::Memory;
use crate::pool::ThreadPool;
use crate::queue::HostQueue;
use crate::specialise::{Background, Better, Request, Specialise};
use crate::{Cache, Device, DevicePtr, Error, Kernel, NdRange, Program, Queue, Transfer, VariableAt};
use ir::OptLevel;
use launch::CodeSize;
use llvm::HostMachine;
use source::Session;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use target::Target;

/// The variable that says how many threads to use.
const THREADS_VARIABLE: &str = "UNSPOOL_THREADS";

/// The variable that says for which processor code is made, by LLVM's name.
const CPU_VARIABLE: &str = "UNSPOOL_CPU";

/// How to run kernels on the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HostOptions {
    /// Threads; `None` for what `UNSPOOL_THREADS` says, else one for each processor.
    pub threads: Option<usize>,
    /// For which local sizes there is code; `None` for what `UNSPOOL_SPECIALISE` says, else [`Specialise::Always`].
    pub specialise: Option<Specialise>,
    /// Work-items one after another, not in the lanes of vectors.
    pub scalar: bool,
    /// 32-bit lanes of a vector; `None` for the machine's.
    pub lanes: Option<u32>,
    /// How hard LLVM works.
    pub level: OptLevel,
    /// The processor time that LLVM may take for a kernel, after which code is made without vectors and in the cheapest way;
    /// `None` for [`HostOptions::LLVM_LIMIT`].
    pub llvm_limit: Option<Duration>,
}

impl HostOptions {
    /// What LLVM may take if nothing else is said: a hundred times what it takes for most kernels.
    pub const LLVM_LIMIT: Duration = Duration::from_secs(15);
}

/// The processors of this machine.
pub struct HostDevice {
    inner: Arc<Inner>,
    name: String,
    maker: Arc<Maker>,
    background: Arc<Background>,
    memory: Arc<Memory>,
    vector_bits: u32,
    /// Tells devices apart where a program remembers kernels.
    id: u64,
}

/// What launches need of the device.
pub(crate) struct Inner {
    pub(crate) pool: ThreadPool,
    pub(crate) arenas: Arenas,
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

/// The processor that code is made for: one that `UNSPOOL_CPU` names, else this machine's with all that it has. A name of which
/// nothing is known is an error rather than other code than was asked for.
fn machine() -> Result<HostMachine, Error> {
    let named = std::env::var(CPU_VARIABLE).ok().filter(|n| !n.trim().is_empty());
    Ok(match named {
        Some(name) => HostMachine::named(name.trim())?,
        None => HostMachine::detect()?,
    })
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
        let machine = machine()?;
        let threads = options.threads.unwrap_or_else(default_threads).clamp(1, MOST);
        let bits = machine.vectors().vector_bits;
        let name = format!("{} ({bits}-bit vectors)", machine.cpu());
        let inner = Arc::new(Inner { pool: ThreadPool::new(threads), arenas: Arenas::default() });
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let specialise = options.specialise.or_else(Specialise::of_environment).unwrap_or_default();
        let options = HostOptions { specialise: Some(specialise), ..options };
        let vector_bits = crate::make::vectors(&machine, options.lanes).vector_bits;
        let (maker, memory) = (Arc::new(Maker { machine, options, cache }), Arc::new(memory));
        let background = Background::new(Arc::clone(&maker));
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self { inner, name, maker, background, memory, vector_bits, id })
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
        let &Error::Fault { code, offset: Some(offset), .. } = fault else { return None };
        self.maker.place_of(program.compiled(), kernel, code, offset, session)
    }

    /// Bits of a vector register.
    pub fn vector_bits(&self) -> u32 {
        self.vector_bits
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
        program.kernel(self.id, kernel, local, || Ok(Arc::new(self.load(program, kernel, local, session)?)))
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
        Ok(Arc::new(Ranged::new(Arc::clone(&self.inner), parts)))
    }
}

impl HostDevice {
    /// A kernel with the code that [`HostOptions::specialise`] wants for this local size.
    fn load(&self, program: &Program, kernel: &str, local: [u32; 3], session: &mut Session) -> Result<Loaded, Error> {
        let (compiled, exact) = (program.compiled(), CodeSize::exact(local));
        let variables = program.variables_on(self.id, &self.memory)?;
        let loaded = |made: Arc<Made>| Loaded::new(Arc::clone(&self.inner), local, made);
        let specialise = self.maker.options.specialise.unwrap_or_default();
        if specialise != Specialise::Always && program.required_size(kernel)?.is_none() {
            let any = program.any_size(self.id, kernel, local);
            // Who comes second waits for who makes the code.
            let mut made = any.made.lock().unwrap_or_else(PoisonError::into_inner);
            if made.is_none() {
                // What is on disk for this size alone is as quickly there.
                if specialise == Specialise::Recurring
                    && let Some(found) = self.maker.find(compiled, kernel, exact, variables.clone())
                {
                    return Ok(loaded(Arc::new(found)));
                }
                let found = self.maker.find(compiled, kernel, any.size, variables.clone());
                if found.is_some() || !self.maker.exchanges(compiled, kernel)? {
                    let make = || self.maker.make(compiled, kernel, any.size, session, variables.clone());
                    *made = Some(Arc::new(found.map_or_else(make, Ok)?));
                }
            }
            if let Some(first) = made.clone() {
                drop(made);
                if specialise == Specialise::Never {
                    return Ok(loaded(first));
                }
                let request = Request { program: Arc::clone(compiled), kernel: kernel.into(), local, variables };
                let better = Better::new(request, Arc::clone(&first), Arc::clone(&self.background));
                return Ok(loaded(first).with_better(better));
            }
        }
        Ok(loaded(Arc::new(self.maker.make(compiled, kernel, exact, session, variables)?)))
    }

    /// Waits until no code is made for sizes that recur ([`Specialise::Recurring`]), at most so long; whether that is so.
    pub fn settle(&self, most: Duration) -> bool {
        self.background.settle(most)
    }
}

impl Drop for HostDevice {
    fn drop(&mut self) {
        self.background.stop();
    }
}
