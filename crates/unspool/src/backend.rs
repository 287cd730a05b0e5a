//! Back ends: what makes products of the optimised IR, and where a compilation finds them.

use crate::product::{Artefact, Product};
use crate::{Options, PtxBackend};
use ir::Module;
use launch::kernels::{KernelInfo, VariableInfo};
use source::{Diagnostic, Session};
use target::Target;

/// A way from the IR to code for some targets.
///
/// A back end has no state: it is a `static`, and everything that varies is in the [`Unit`]. One that needs a library
/// that not every program has is implemented by the crate that has it, and [registered](Backends::register) by programs
/// that have that crate.
pub trait Backend: Sync {
    /// What it is called in timings and messages: `ptx`.
    fn name(&self) -> &'static str;

    /// What it makes for a target, what it makes unasked first; nothing if it makes no code for it.
    fn products(&self, target: &Target) -> &'static [Product];

    /// Makes one of its products for the target of [`Unit::options`].
    ///
    /// # Errors
    /// Something in the program is not covered, with its place.
    fn emit(&self, product: Product, unit: Unit<'_>) -> Result<Vec<Artefact>, Box<Diagnostic>>;
}

/// An optimised program, as a back end gets it.
#[derive(Debug)]
pub struct Unit<'a> {
    /// The code. It passes the verifier.
    pub module: &'a Module,
    /// Sources, and what takes warnings and the fates of hints.
    pub session: &'a mut Session,
    /// What it was compiled with.
    pub options: &'a Options,
    /// The kernels as their callers see them, with [`Options::kernel_info`].
    pub kernels: &'a [KernelInfo],
    /// The variables that kernels share, with [`Options::kernel_info`].
    pub variables: &'a [VariableInfo],
}

/// What a back end must know besides the optimiser's options.
#[derive(Clone, Debug, Default)]
pub struct CodeOptions {
    /// Processor by LLVM's name; `None` for the one here.
    pub cpu: Option<String>,
    /// Work-items of a group; `None` for what each kernel requires or hints at.
    pub local: Option<[u32; 3]>,
    /// For AMD GPUs: settings of the machine.
    pub offload: Option<target::amd::Offload>,
    /// For AMD GPUs: the version of the code object, 4, 5 or 6; `None` for 5.
    pub code_object: Option<u32>,
    /// Work-items one after another, where the back end may put several into the lanes of vectors.
    pub scalar: bool,
    /// For this machine: a call runs the groups of a rectangle, up to the context's `run_end` and `rows_end`.
    pub group_runs: bool,
}

/// The back ends that a compilation may use.
#[derive(Clone)]
pub struct Backends(Vec<&'static dyn Backend>);

impl Backends {
    /// With those of this library: PTX.
    pub fn new() -> Self {
        Self(vec![&PtxBackend])
    }

    /// Adds one. Where several make the same product for a target, the first one registered does.
    pub fn register(&mut self, backend: &'static dyn Backend) {
        self.0.push(backend);
    }

    /// What can be made for a target, what is made unasked first.
    pub fn products(&self, target: &Target) -> Vec<Product> {
        self.0.iter().flat_map(|b| b.products(target)).copied().collect()
    }

    /// Who makes a product for a target.
    pub fn find(&self, product: Product, target: &Target) -> Option<&'static dyn Backend> {
        self.0.iter().copied().find(|b| b.products(target).contains(&product))
    }
}

impl Default for Backends {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Backends {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|b| b.name())).finish()
    }
}
