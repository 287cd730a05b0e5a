//! Preheaders: a block before each loop where code may be put that runs once per entry; and blocks behind a loop where code
//! may be put that runs once per exit.

use crate::PassContext;
use analysis::{Loop, LoopInfo, loop_simplify};
use ir::edit::{Passing, insert_in_front};
use ir::{Block, Edge, Function};

/// Gives every loop of a function a preheader, and returns its control flow as it then is. The caller leaves it so.
pub(crate) fn with_preheaders(func: &mut Function, cx: &mut PassContext<'_>) -> LoopInfo {
    let info = cx.loops(func);
    let mut changed = false;
    for l in info.loops.iter() {
        changed |= loop_simplify::insert_preheader(func, &info, l);
    }
    if !changed {
        cx.keep_graph();
        return info;
    }
    LoopInfo::new(func)
}

/// A block behind a loop that something else comes to as well.
pub(crate) fn shared_exit(func: &Function, info: &LoopInfo, l: Loop) -> Option<Block> {
    let shared = |x: &Block| info.cfg.preds(*x).iter().any(|e| !info.loops.contains(l, e.from));
    info.loops.exit_blocks(func, l).into_iter().find(shared)
}

/// Gives a loop exit blocks that nothing else comes to. The info is out of date then.
pub(crate) fn dedicate_exits(func: &mut Function, info: &LoopInfo, l: Loop) {
    for x in info.loops.exit_blocks(func, l) {
        let edges = info.cfg.preds(x).iter();
        let inside: Vec<Edge> = edges.filter(|e| info.loops.contains(l, e.from)).copied().collect();
        if inside.len() < info.cfg.preds(x).len() {
            let exit = insert_in_front(func, x, &inside, Passing::Params);
            func.layout.insert_block_before(exit, x);
        }
    }
}
