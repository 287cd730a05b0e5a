//! A compiled source, and the kernels that devices have made of it.

use crate::make::Made;
use crate::memory::Memory;
use crate::variables::Variables;
use crate::{Error, Kernel};
use ir::Module;
use launch::CodeSize;
use launch::kernels::KernelInfo;
use launch::variables::Variable;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use target::Target;
use unspool::Dialect;
use unspool::object::{Hash, Kind, Object, ObjectError};

/// A compiled source. It remembers the kernels that devices made of it, until it is dropped.
pub struct Program {
    compiled: Arc<Compiled>,
    kernels: Vec<KernelInfo>,
    variables: Vec<Variable>,
    /// Whether its kernels run groups that are smaller than the others ([`ir::FnAttrs::partial_groups`]).
    partial_groups: bool,
    ready: Mutex<FxHashMap<Box<str>, Ready>>,
    /// Its variables on each device that has asked for them.
    placed: Mutex<Vec<(u64, Arc<Variables>)>>,
}

/// What machine code is made of; whoever makes some may outlive the program.
pub(crate) struct Compiled {
    /// Read from the object when it is wanted.
    module: OnceLock<Result<Module, ObjectError>>,
    /// What it is stored as; programs without are not found again once they are gone.
    object: Option<Stored>,
    dialect: Dialect,
    /// Lanes of its warps.
    warp: u32,
}

/// The stored form of a program.
#[derive(Clone)]
struct Stored {
    object: Arc<Object>,
    content: Hash,
}

/// What devices have made of a kernel.
#[derive(Default)]
struct Ready {
    /// By the device's number and the local size.
    kernels: FxHashMap<(u64, [u32; 3]), Arc<dyn Kernel>>,
    /// Code for any local size of a rank, by the device's number.
    any: Vec<(u64, Arc<AnySize>)>,
}

/// A place for code that runs groups of any local size of a rank.
pub(crate) struct AnySize {
    /// Which sizes.
    pub(crate) size: CodeSize,
    /// The code, once it is made; locked while somebody makes it.
    pub(crate) made: Mutex<Option<Arc<Made>>>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("dialect", &self.compiled.dialect).finish_non_exhaustive()
    }
}

impl Program {
    /// A program of a module that was compiled for the device, in this dialect. Machine code of it is not kept on disk.
    pub fn new(module: Module, dialect: Dialect) -> Self {
        let partial_groups = module.functions.values().any(|f| f.attrs.partial_groups);
        Self {
            variables: launch::variables::of(&module),
            compiled: Arc::new(Compiled {
                module: Ok(module).into(),
                object: None,
                dialect,
                warp: Target::host().warp_size(),
            }),
            kernels: Vec::new(),
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
        let dialect = object.dialect;
        Self {
            kernels: object.kernels.clone(),
            variables: object.variables.clone(),
            partial_groups: object.partial_groups,
            compiled: Arc::new(Compiled {
                module: OnceLock::new(),
                object: Some(Stored { content: object.content(), object }),
                dialect,
                warp: Target::host().warp_size(),
            }),
            ready: Mutex::default(),
            placed: Mutex::default(),
        }
    }

    /// The same with its IR, which is that of the object.
    #[must_use]
    pub(crate) fn with_module(self, module: Module) -> Self {
        let (object, dialect, warp) = (self.compiled.object.clone(), self.compiled.dialect, self.compiled.warp);
        Self { compiled: Arc::new(Compiled { module: Ok(module).into(), object, dialect, warp }), ..self }
    }

    /// The same program where it was compiled for warps of another size than this machine's own: a power of two up to 64.
    #[must_use]
    pub fn with_warp_size(self, lanes: u32) -> Self {
        let old = &self.compiled;
        let module = old.module.get().cloned().map_or_else(OnceLock::new, OnceLock::from);
        let compiled = Compiled { module, object: old.object.clone(), dialect: old.dialect, warp: lanes };
        Self { compiled: Arc::new(compiled), ..self }
    }

    /// What machine code is made of.
    pub(crate) fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// Its code.
    ///
    /// # Errors
    /// It comes out of an object whose IR is none.
    pub fn module(&self) -> Result<&Module, Error> {
        self.compiled.module()
    }

    /// What it is stored as, if it was made of that ([`Program::from_object`]) or built ([`crate::build`]).
    pub fn object(&self) -> Option<&Arc<Object>> {
        self.compiled.object.as_ref().map(|s| &s.object)
    }

    /// What its machine code depends on; `None` for programs that are not stored.
    pub fn content(&self) -> Option<&Hash> {
        self.compiled.content()
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
        self.compiled.dialect
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
        let key = (device, local);
        let find = |ready: &FxHashMap<Box<str>, Ready>| ready.get(name)?.kernels.get(&key).cloned();
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
        known.entry(name.into()).or_default().kernels.insert(key, Arc::clone(&kernel));
        Ok(kernel)
    }

    /// The place for code of this kernel for any local size that runs groups of this one: where there is code, else an
    /// empty one for sizes of its rank, or of as many dimensions as the kernel asks about, so that it need not be compiled
    /// again when it is launched over all of them.
    pub(crate) fn any_size(&self, device: u64, name: &str, local: [u32; 3]) -> Arc<AnySize> {
        let dimensions = self.kernels.iter().find(|k| k.symbol == name).map_or(1, |k| k.dimensions as usize);
        let mut known = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let all = &mut known.entry(name.into()).or_default().any;
        let fitting = || all.iter().filter(|(d, any)| *d == device && any.size.fits(local)).map(|(_, any)| any);
        let size = CodeSize::any_like(local, dimensions);
        // One that is locked is being made.
        let has_code = |any: &&Arc<AnySize>| any.made.try_lock().is_ok_and(|made| made.is_some());
        if let Some(found) = fitting().find(has_code).or_else(|| fitting().find(|any| any.size == size)) {
            return Arc::clone(found);
        }
        let new = Arc::new(AnySize { size, made: Mutex::default() });
        all.push((device, Arc::clone(&new)));
        new
    }

    /// What `reqd_work_group_size` asks of the kernel with this symbol.
    pub(crate) fn required_size(&self, name: &str) -> Result<Option<[u32; 3]>, Error> {
        if let Some(info) = self.kernels.iter().find(|k| k.symbol == name) {
            return Ok(info.reqd_work_group_size);
        }
        let module = self.module()?;
        Ok(module.find(name).and_then(|f| module.functions[f].attrs.reqd_work_group_size))
    }
}

impl Compiled {
    /// The IR.
    ///
    /// # Errors
    /// It comes out of an object whose IR is none.
    pub(crate) fn module(&self) -> Result<&Module, Error> {
        let read = || self.object.as_ref().map_or_else(|| Ok(Module::default()), |s| s.object.module());
        self.module.get_or_init(read).as_ref().map_err(|e| Error::Object(e.clone()))
    }

    /// What machine code depends on; `None` for programs that are not stored.
    pub(crate) fn content(&self) -> Option<&Hash> {
        self.object.as_ref().map(|s| &s.content)
    }

    /// This machine, with warps of the size that the program is compiled for.
    pub(crate) fn target(&self) -> Target {
        Target::host().with_warp_size(self.warp).unwrap_or(Target::host())
    }

    /// What it was written in.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }
}
