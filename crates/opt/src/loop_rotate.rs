//! Rotates loops: a loop that tests before its body (`while`, `for`) becomes a test and a loop that tests after it.
//!
//! Then the body is executed on every entry into the loop, so that loads may be moved out of it, one branch per
//! iteration is saved, and the unroller finds the exit where it wants it. Loops get a preheader and a single latch on
//! the way. The work is [`unroll::rotate`]'s; this pass applies it to every loop, deepest first.
//!
//! What must hold: verified IR. Metadata stays on the back edge. Loops whose test is larger than
//! [`unroll::rotate::MAX_ROTATED`] instructions stay as they are.
//!
//! Cost: linear for each nesting depth at which something changes.

use crate::PassContext;
use analysis::{Cfg, DomTree, Loop, LoopInfo, loop_simplify};
use ir::Function;
use ir::edit;
use std::rc::Rc;
use unroll::{lcssa, rotate};

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let mut info = cx.loops(func);
    let at_depth = |info: &LoopInfo, depth: u32| -> Vec<Loop> {
        info.loops.iter().filter(|&l| info.loops.data(l).depth == depth).collect()
    };
    let deepest = info.loops.iter().map(|l| info.loops.data(l).depth).max().unwrap_or(0);
    let mut changed = false;
    for depth in (1..=deepest).rev() {
        let mut moved = false;
        for l in at_depth(&info, depth) {
            moved |= loop_simplify::simplify(func, &info, l);
        }
        if moved {
            info = refresh(func);
        }
        let mut rotated = at_depth(&info, depth);
        rotated.retain(|&l| rotate::wants_rotation(func, &info, l));
        changed |= moved || !rotated.is_empty();
        if rotated.is_empty() {
            continue;
        }
        lcssa::close(func, &info, &rotated);
        for &l in &rotated {
            rotate::rotate(func, &info, l);
        }
        info = refresh(func);
    }
    cx.leave_graph(info.cfg);
    changed
}

/// The control flow as it is now, without unreachable blocks.
fn refresh(func: &mut Function) -> LoopInfo {
    let cfg = Cfg::new(func);
    let cfg = if edit::remove_unreachable(func, cfg.order()) { Cfg::new(func) } else { cfg };
    let dom = DomTree::new(&cfg);
    LoopInfo::of(Rc::new(cfg), Rc::new(dom))
}
