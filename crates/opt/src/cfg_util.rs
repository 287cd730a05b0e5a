//! Small changes to control flow that several passes make.

use analysis::Cfg;
use ir::{Block, Function, Inst, Value};
use smallvec::SmallVec;

/// Takes out the blocks that the entry does not reach. Whether there were any.
pub fn remove_unreachable(func: &mut Function, cfg: &Cfg) -> bool {
    if !cfg.has_unreachable() {
        return false;
    }
    let mut next = func.layout.first_block();
    while let Some(b) = next {
        next = func.layout.next_block(b);
        if !cfg.is_reachable(b) {
            func.layout.remove_block(b);
        }
    }
    true
}

/// Makes block parameter `n` of `block` go, with the argument in every branch of `preds`.
pub fn remove_params(func: &mut Function, cfg: &Cfg, block: Block, keep: &[bool]) {
    for e in cfg.preds(block) {
        let args: SmallVec<[Value; 8]> = func
            .dfg
            .branch_args(e.inst, e.index as usize)
            .iter()
            .zip(keep)
            .filter(|(_, k)| **k)
            .map(|(v, _)| *v)
            .collect();
        func.dfg.set_branch_args(e.inst, e.index as usize, &args);
    }
    func.dfg.retain_params(block, keep);
}

/// The only instruction of a block, if it has just one.
pub fn only_inst(func: &Function, block: Block) -> Option<Inst> {
    let i = func.layout.first_inst(block)?;
    (func.layout.last_inst(block) == Some(i)).then_some(i)
}
