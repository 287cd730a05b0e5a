//! What a program can run: its code, and its kernels as their callers see them.

use crate::core::kernel::signature::Signature;
use std::sync::Arc;

/// The code of a program.
#[derive(Debug)]
pub struct Executable {
    /// The code, and what devices have made of it.
    pub program: runtime::Program,
    /// Its kernels, in the order of the source.
    pub kernels: Vec<Arc<Signature>>,
}

impl Executable {
    /// The executable of a compiled program.
    pub fn new(program: runtime::Program) -> Self {
        let kernels = program.kernels().iter().map(|info| Arc::new(Signature::new(info.clone()))).collect();
        Self { program, kernels }
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&Arc<Signature>> {
        self.kernels.iter().find(|k| k.info.name == name)
    }

    /// Bytes of the program's variables in global memory; 0 if its code cannot be read.
    pub fn global_variable_bytes(&self) -> usize {
        let Ok(module) = self.program.module() else { return 0 };
        let global = module.globals.values().filter(|g| g.space == ir::AddrSpace::Global && !g.constant);
        global.map(|g| usize::try_from(g.size).unwrap_or(usize::MAX)).fold(0, usize::saturating_add)
    }
}
