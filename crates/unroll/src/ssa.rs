//! Repairs SSA form after a value got several definitions.
//!
//! Given blocks at whose start the value is known, every use gets the definition that reaches it; where several
//! meet, a block parameter is made. Parameters that turn out to join only one value are removed again. Cost: the
//! blocks between definitions and uses.

use analysis::{Cfg, Edge};
use ir::{Block, Function, Inst, Type, Value};
use rustc_hash::FxHashMap;

/// The repair of one value.
pub(crate) struct Repair {
    cfg: Cfg,
    ty: Type,
    /// The value at the start of a block, where known.
    at_start: FxHashMap<Block, Value>,
}

impl Repair {
    /// The value is `defs[n].1` from the start of block `defs[n].0` on.
    pub(crate) fn new(func: &Function, ty: Type, defs: &[(Block, Value)]) -> Self {
        Self { cfg: Cfg::new(func), ty, at_start: defs.iter().copied().collect() }
    }

    /// Rewrites `old` in the instructions `uses`, each with its block.
    pub(crate) fn rewrite(mut self, func: &mut Function, old: Value, uses: &[(Inst, Block)]) {
        for &(inst, block) in uses {
            if !self.cfg.is_reachable(block) {
                continue;
            }
            let new = self.reaching(func, block);
            func.dfg.for_each_use_mut(inst, |v| {
                if *v == old {
                    *v = new;
                }
            });
        }
    }

    /// The value at the start of `block`. Walks backwards with a stack of its own: chains of blocks may be long.
    fn reaching(&mut self, func: &mut Function, block: Block) -> Value {
        // Straight up while there is one way; then a parameter stands for the join, and its arguments are found in
        // turn, so that cycles end at parameters.
        let mut pending: Vec<(Block, Value)> = Vec::new();
        let found = self.up(func, block, &mut pending);
        while let Some((join, _)) = pending.pop() {
            let edges: Vec<Edge> = self.cfg.preds(join).to_vec();
            for e in edges {
                let v = self.up(func, e.from, &mut pending);
                func.dfg.push_branch_arg(e.inst, e.index as usize, v);
            }
        }
        found
    }

    /// The value at the start of `block` if it is known or one way leads to where it is; otherwise a new parameter of
    /// the join, which `pending` remembers.
    fn up(&mut self, func: &mut Function, block: Block, pending: &mut Vec<(Block, Value)>) -> Value {
        let mut path = Vec::new();
        let mut at = block;
        let value = loop {
            if let Some(&v) = self.at_start.get(&at) {
                break v;
            }
            path.push(at);
            match self.cfg.preds(at) {
                [only] => at = only.from,
                // No definition reaches this block: nothing that is executed uses the value here.
                [] => break func.dfg.undef(self.ty),
                _ => {
                    let p = func.dfg.add_param(at, self.ty);
                    pending.push((at, p));
                    break p;
                }
            }
        };
        for b in path {
            self.at_start.insert(b, value);
        }
        value
    }
}
