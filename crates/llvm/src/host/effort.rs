//! How hard LLVM works on a function, by its size: its register allocator, coalescer and passes take time that grows faster
//! than a function, so that the code of large ones is made in cheaper ways.

use cranelift_entity::SecondaryMap;
use ir::{Block, FuncId, Function};

/// How hard LLVM works on a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Effort {
    /// Selection one instruction after another, registers within blocks: for functions of more than
    /// [`Effort::MAX_QUICK`] instructions. All of the module is compiled so.
    Least,
    /// No passes, selection one instruction after another, but registers across the function: for more than
    /// [`Effort::MAX_FULL`].
    Quick,
    /// As the level says.
    #[default]
    Full,
}

impl Effort {
    /// Most instructions of a function on which LLVM works as the level says.
    pub const MAX_FULL: usize = 25_000;
    /// Most instructions of a function whose registers are chosen with the whole function in view.
    pub const MAX_QUICK: usize = 100_000;

    /// Most edges that lead to one block with parameters, in a function on which LLVM works as the level says: passes take
    /// time that grows with their square.
    pub const MAX_MEETING: u32 = 2_000;

    /// What a function gets.
    pub fn of(f: &Function) -> Self {
        match f.inst_count() {
            n if n <= Self::MAX_FULL && meeting(f) > Self::MAX_MEETING => Self::Quick,
            n if n > Self::MAX_QUICK => Self::Least,
            n if n > Self::MAX_FULL => Self::Quick,
            _ => Self::Full,
        }
    }

    /// The least of those that the functions of these names get, and those that they call.
    pub(crate) fn least(module: &ir::Module, entries: &[&str]) -> Self {
        let mut seen: SecondaryMap<FuncId, bool> = SecondaryMap::new();
        let mut todo: Vec<FuncId> = entries.iter().filter_map(|n| module.find(n)).collect();
        let mut least = Self::Full;
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut seen[id], true) {
                continue;
            }
            let f = &module.functions[id];
            least = least.min(Self::of(f));
            let insts = f.layout.blocks().flat_map(|b| f.layout.insts(b));
            todo.extend(insts.filter_map(|i| f.dfg.insts[i].callee()));
        }
        least
    }
}

/// The most edges that lead to a block with parameters.
fn meeting(f: &Function) -> u32 {
    let mut edges: SecondaryMap<Block, u32> = SecondaryMap::new();
    for b in f.layout.blocks() {
        for s in f.succs(b) {
            edges[s] += 1;
        }
    }
    f.layout.blocks().filter(|&b| !f.dfg.params(b).is_empty()).map(|b| edges[b]).max().unwrap_or(0)
}
