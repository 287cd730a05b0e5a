//! What a program can run: its code, and its kernels as their callers see them.

use crate::core::kernel::signature::Signature;
use ir::{AddrSpace, ConstKind, Function, Module, ValueDef};
use source::SourceMap;
use std::sync::Arc;

/// The code of a program.
#[derive(Debug)]
pub struct Executable {
    /// The code, and what devices have made of it.
    pub program: Arc<runtime::Program>,
    /// Its kernels, in the order of the source.
    pub kernels: Vec<Arc<Signature>>,
    /// What it was compiled of, without optimisation, where launches are checked and the sources were at hand.
    pub sources: Option<SourceMap>,
}

/// Memory that a kernel takes, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Footprint {
    /// Work-group variables that it declares.
    pub local: u64,
    /// Private variables of a work-item that are kept in memory.
    pub private: u64,
}

impl Executable {
    /// The executable of a compiled program.
    pub fn new(program: Arc<runtime::Program>) -> Self {
        let kernels = program.kernels().iter().map(|info| Arc::new(Signature::new(info.clone()))).collect();
        Self { program, kernels, sources: None }
    }

    /// The same with what it was compiled of.
    #[must_use]
    pub fn with_sources(self, sources: Option<SourceMap>) -> Self {
        Self { sources, ..self }
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&Arc<Signature>> {
        self.kernels.iter().find(|k| k.info.name == name)
    }

    /// Bytes of the program's variables in global memory; 0 if its code cannot be read.
    pub fn global_variable_bytes(&self) -> usize {
        let Ok(module) = self.program.module() else { return 0 };
        let global = module.globals.values().filter(|g| g.space == AddrSpace::Global && !g.constant);
        global.map(|g| usize::try_from(g.size).unwrap_or(usize::MAX)).fold(0, usize::saturating_add)
    }

    /// What one of its kernels takes; nothing if the code cannot be read.
    pub fn footprint(&self, kernel: &Signature) -> Footprint {
        *kernel.footprint.get_or_init(|| self.count_footprint(kernel.symbol()))
    }

    fn count_footprint(&self, symbol: &str) -> Footprint {
        let Ok(module) = self.program.module() else { return Footprint::default() };
        let Some(id) = module.find(symbol) else { return Footprint::default() };
        let function = &module.functions[id];
        let private = function.slots.values().map(|s| u64::from(s.size)).sum();
        Footprint { local: local_bytes(module, function), private }
    }
}

/// Bytes of the work-group variables that a function names. Calls are inlined before, so it names all that it uses.
fn local_bytes(module: &Module, function: &Function) -> u64 {
    let mut used = std::collections::BTreeSet::new();
    for inst in function.layout.blocks().flat_map(|b| function.layout.insts(b)) {
        function.dfg.for_each_use(inst, |v| {
            if let ValueDef::Const(ConstKind::Global(g)) = function.dfg.values[v].def {
                used.insert(g.as_u32());
            }
        });
    }
    let named = module.globals.iter().filter(|(g, data)| used.contains(&g.as_u32()) && data.space == AddrSpace::Shared);
    let add = |at: u64, align: u32, size: u64| at.next_multiple_of(u64::from(align.max(1))).saturating_add(size);
    named.fold(0, |at, (_, data)| add(at, data.align, data.size))
}
