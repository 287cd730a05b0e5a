//! Which values are live where blocks begin and end.
//!
//! For each value its uses are walked back to its definition, so the cost is that of the answer. A block's parameters
//! are defined at its start and not live into it; branch arguments are used at the end of the branching block.
//! Constants are never live. Out of date once instructions or blocks change.

use crate::Cfg;
use cranelift_entity::SecondaryMap;
use ir::{Block, Function, Value, ValueDef};

/// Live values at block boundaries; reachable blocks only.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: SecondaryMap<Block, Vec<Value>>,
    live_out: SecondaryMap<Block, Vec<Value>>,
}

impl Liveness {
    /// Computes the sets.
    pub fn new(func: &Function, cfg: &Cfg) -> Self {
        let mut uses = uses_elsewhere(func, cfg);
        uses.sort_unstable();
        uses.dedup();
        let mut this = Self { live_in: SecondaryMap::new(), live_out: SecondaryMap::new() };
        let mut stack = Vec::new();
        for (v, b) in uses {
            let home = def_block(func, v);
            stack.push(b);
            while let Some(b) = stack.pop() {
                // Values come in order, so the last entry tells whether this one was here before.
                if Some(b) == home || this.live_in[b].last() == Some(&v) {
                    continue;
                }
                this.live_in[b].push(v);
                for e in cfg.preds(b) {
                    if this.live_out[e.from].last() != Some(&v) {
                        this.live_out[e.from].push(v);
                        stack.push(e.from);
                    }
                }
            }
        }
        this
    }

    /// Values that are defined before `b` and used in it or later, in the order of their ids.
    pub fn live_in(&self, b: Block) -> &[Value] {
        &self.live_in[b]
    }

    /// Values that are used after `b`, in the order of their ids. Arguments of its branches are not among them, unless
    /// used otherwise.
    pub fn live_out(&self, b: Block) -> &[Value] {
        &self.live_out[b]
    }

    /// Whether `v` is live where `b` begins.
    pub fn is_live_in(&self, b: Block, v: Value) -> bool {
        self.live_in[b].binary_search(&v).is_ok()
    }
}

/// The block that defines a value; none for constants.
fn def_block(func: &Function, v: Value) -> Option<Block> {
    match func.dfg.def(v) {
        ValueDef::Inst(i) => func.layout.inst_block(i),
        ValueDef::Param(b, _) => Some(b),
        _ => None,
    }
}

/// Uses of values in another block than the one that defines them.
fn uses_elsewhere(func: &Function, cfg: &Cfg) -> Vec<(Value, Block)> {
    let mut out = Vec::new();
    for &b in cfg.rpo() {
        for i in func.layout.insts(b) {
            func.dfg.for_each_use(i, |v| {
                let v = func.dfg.resolve(v);
                if def_block(func, v).is_some_and(|d| d != b) {
                    out.push((v, b));
                }
            });
        }
    }
    out
}
