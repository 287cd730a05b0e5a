//! A compiled source, and the kernels that devices have made of it.

use crate::memory::Memory;
use crate::variables::Variables;
use crate::{Error, Kernel};
use ir::Module;
use launch::kernels::KernelInfo;
use launch::variables::Variable;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use unspool::Dialect;
use unspool::object::{Hash, Kind, Object, ObjectError};

/// A compiled source. It remembers the kernels that devices made of it, until it is dropped.
pub struct Program {
    /// Read from the object when it is wanted.
    module: OnceLock<Result<Module, ObjectError>>,
    /// What it is stored as; programs without are not found again once they are gone.
    object: Option<Stored>,
    kernels: Vec<KernelInfo>,
    variables: Vec<Variable>,
    dialect: Dialect,
    /// Whether its kernels run groups that are smaller than the others ([`ir::FnAttrs::partial_groups`]).
    partial_groups: bool,
    ready: Mutex<FxHashMap<Box<str>, Vec<Ready>>>,
    /// Its variables on each device that has asked for them.
    placed: Mutex<Vec<(u64, Arc<Variables>)>>,
}

/// The stored form of a program.
struct Stored {
    object: Arc<Object>,
    content: Hash,
}

/// A kernel that a device has made: for which device and local size.
struct Ready {
    device: u64,
    local: [u32; 3],
    kernel: Arc<dyn Kernel>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

impl Program {
    /// A program of a module that was compiled for the device, in this dialect. Machine code of it is not kept on disk.
    pub fn new(module: Module, dialect: Dialect) -> Self {
        let partial_groups = module.functions.values().any(|f| f.attrs.partial_groups);
        Self {
            variables: launch::variables::of(&module),
            module: Ok(module).into(),
            object: None,
            kernels: Vec::new(),
            dialect,
            partial_groups,
            ready: Mutex::default(),
            placed: Mutex::default(),
        }
    }

    /// The same as [`Program::new`], with machine code that is kept on disk where the device has a cache.
    pub fn stored(module: Module, dialect: Dialect) -> Self {
        let object = Object::new(Kind::Executable, dialect, &module);
        Self::from_object(Arc::new(object)).with_module(module)
    }

    /// The same program, with its kernels as their callers see them ([`unspool::Compilation::kernels`]).
    #[must_use]
    pub fn with_kernels(self, kernels: Vec<KernelInfo>) -> Self {
        Self { kernels, ..self }
    }

    /// A program that was compiled before. Its IR is read when machine code of one of its kernels is nowhere to be found.
    pub fn from_object(object: Arc<Object>) -> Self {
        Self {
            module: OnceLock::new(),
            kernels: object.kernels.clone(),
            variables: object.variables.clone(),
            dialect: object.dialect,
            partial_groups: object.partial_groups,
            object: Some(Stored { content: object.content(), object }),
            ready: Mutex::default(),
            placed: Mutex::default(),
        }
    }

    /// The same with its IR, which is that of the object.
    #[must_use]
    pub(crate) fn with_module(self, module: Module) -> Self {
        Self { module: Ok(module).into(), ..self }
    }

    /// Its code.
    ///
    /// # Errors
    /// It comes out of an object whose IR is none.
    pub fn module(&self) -> Result<&Module, Error> {
        let read = || self.object.as_ref().map_or_else(|| Ok(Module::default()), |s| s.object.module());
        self.module.get_or_init(read).as_ref().map_err(|e| Error::Object(e.clone()))
    }

    /// What it is stored as, if it was made of that ([`Program::from_object`]) or built ([`crate::build`]).
    pub fn object(&self) -> Option<&Arc<Object>> {
        self.object.as_ref().map(|s| &s.object)
    }

    /// What its machine code depends on; `None` for programs that are not stored.
    pub fn content(&self) -> Option<&Hash> {
        self.object.as_ref().map(|s| &s.content)
    }

    /// Its kernels as their callers see them; empty if nobody said ([`Program::with_kernels`]).
    pub fn kernels(&self) -> &[KernelInfo] {
        &self.kernels
    }

    /// Its variables that outlive kernels; [`Device::variable`](crate::Device::variable) has their places.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Its variables on a device, where they stay as long as the program and its kernels do; `None` if it has none.
    ///
    /// # Errors
    /// There is no memory for them.
    pub(crate) fn variables_on(&self, device: u64, memory: &Arc<Memory>) -> Result<Option<Arc<Variables>>, Error> {
        if self.variables.is_empty() {
            return Ok(None);
        }
        let mut placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = placed.iter().find(|p| p.0 == device) {
            return Ok(Some(Arc::clone(found)));
        }
        let made = Arc::new(Variables::new(self, memory)?);
        placed.push((device, Arc::clone(&made)));
        Ok(Some(made))
    }

    /// What it was written in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether its kernels may be launched over ranges whose local size does not divide their global size.
    pub fn partial_groups(&self) -> bool {
        self.partial_groups
    }

    /// The kernel with this symbol that the device `device` made for this local size, else what `make` makes.
    pub(crate) fn kernel<K: Kernel + 'static>(
        &self,
        device: u64,
        name: &str,
        local: [u32; 3],
        make: impl FnOnce() -> Result<Arc<K>, Error>,
    ) -> Result<Arc<dyn Kernel>, Error> {
        let is_it = |r: &&Ready| r.device == device && r.local == local;
        let find = |ready: &FxHashMap<Box<str>, Vec<Ready>>| {
            ready.get(name).and_then(|all| all.iter().find(is_it)).map(|r| Arc::clone(&r.kernel))
        };
        let known = || self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = find(&known()) {
            return Ok(found);
        }
        // Not under the lock: another thread may want another kernel. Two that want the same make it twice.
        let kernel: Arc<dyn Kernel> = make()?;
        let mut known = known();
        if let Some(found) = find(&known) {
            return Ok(found);
        }
        known.entry(name.into()).or_default().push(Ready { device, local, kernel: Arc::clone(&kernel) });
        Ok(kernel)
    }
}
