//! Blocks that only lead into a loop go: what comes there goes to the loop's header directly.
//!
//! Passes over loops want such a block; for code generation it means that the values that loop variables begin with are
//! copied twice, into the block's parameters and from there. An assembler does not always see that one copy is enough.
//!
//! What must hold: verified IR. Runs last: loops have no preheaders afterwards. Left alone are blocks that many lead to
//! and that pass on more than they get (each would have to). Cost: linear.

use crate::PassContext;
use analysis::Cfg;
use cranelift_entity::SecondaryMap;
use ir::{Block, Function, Opcode, Value, edit};
use smallvec::SmallVec;

/// Most values that a block adds to what it passes on, for each branch to it but one.
const MAX_ADDED: usize = 2;

/// Runs the pass.
pub(crate) fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.cfg(func);
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        let passed = (0..func.dfg.successor_count(i)).flat_map(|n| func.dfg.branch_args(i, n));
        func.dfg.args(i).iter().chain(passed).for_each(|&v| uses[func.dfg.resolve(v)] += 1);
    }
    let mut changed = false;
    // The last one of a row first: where those before it lead is known then.
    for &b in cfg.rpo().iter().rev() {
        if b != cfg.entry() && may_go(func, &cfg, &uses, b) {
            skip(func, &cfg, b);
            changed = true;
        }
    }
    if !changed {
        cx.keep_graph();
    }
    changed
}

/// Whether a block does nothing but to go on, and nothing else uses its parameters.
fn may_go(func: &Function, cfg: &Cfg, uses: &SecondaryMap<Value, u32>, b: Block) -> bool {
    let Some(jump) = edit::only_inst(func, b).filter(|&i| func.dfg.op(i) == Opcode::Jump) else { return false };
    let (params, args) = (func.dfg.params(b), func.dfg.branch_args(jump, 0));
    let passes = |p: &Value| args.iter().filter(|a| *a == p).count();
    let added = args.iter().filter(|a| !params.contains(a)).count();
    // What is known of a loop hangs on its latch.
    func.dfg.insts[jump].loop_md().is_none()
        && cfg.rpo_number(func.dfg.successor(jump, 0)) > cfg.rpo_number(b)
        && !params.is_empty()
        && params.iter().all(|p| passes(p) >= uses[*p] as usize)
        && added * cfg.preds(b).len().saturating_sub(1) <= MAX_ADDED
}

fn skip(func: &mut Function, cfg: &Cfg, b: Block) {
    let jump = func.layout.terminator(b);
    let to = func.dfg.successor(jump, 0);
    let params: SmallVec<[Value; 8]> = func.dfg.params(b).into();
    let args: SmallVec<[Value; 8]> = func.dfg.branch_args(jump, 0).into();
    for e in cfg.preds(b) {
        let n = e.index as usize;
        let given: SmallVec<[Value; 8]> = func.dfg.branch_args(e.inst, n).into();
        let passed: SmallVec<[Value; 8]> =
            args.iter().map(|a| params.iter().position(|p| p == a).map_or(*a, |k| given[k])).collect();
        func.dfg.set_branch_args(e.inst, n, &passed);
        func.dfg.set_successor(e.inst, n, to);
    }
    func.layout.remove_block(b);
}
