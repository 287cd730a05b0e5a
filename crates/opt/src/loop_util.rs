//! Preheaders: a block before each loop where code may be put that runs once per entry.

use crate::PassContext;
use analysis::{LoopInfo, loop_simplify};
use ir::Function;

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
