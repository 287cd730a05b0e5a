//! Scalar replacement of stack slots: variables, arrays with constant indices and aggregates become SSA values.
//!
//! A slot is replaced if every use of its address is a plain load or store at a constant offset, or a copy or fill of
//! constant size. The bytes of the slot are divided into *elements*: vectors count as their lanes; accesses that
//! overlap share an integer element from which each picks its bits (type punning through unions works). Each element
//! becomes a variable; block parameters are placed at the iterated dominance frontier of its stores where it is live.
//! Copies to and from other memory become loads and stores element by element, copies between replaced slots vanish.
//!
//! What must hold: verified IR. What is read before it is written is `undef`. Slots that stay keep all their accesses.
//!
//! Runs after inlining (by-value aggregates) and again after unrolling (constant indices).
//!
//! Limits: [`MAX_ELEMENTS`] elements per slot; [`MAX_COPIED`] elements made only to carry copied bytes;
//! [`MAX_COPY_ROUNDS`] rounds of matching the elements of slots that are copied into each other.
//!
//! Cost: linear in instructions and elements, plus the dominance frontiers.

mod chosen;
mod collect;
mod elements;
mod promote;

use crate::PassContext;
use ir::Function;
use ir::edit;

/// Most elements of one slot.
const MAX_ELEMENTS: usize = 1024;
/// Most elements of one slot that no load or store names.
const MAX_COPIED: usize = 64;
/// Most rounds of matching copies.
const MAX_COPY_ROUNDS: u32 = 4;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    replace(func, cx, false)
}

/// Runs the pass on a function that may be inlined: slots that are only copied to or from memory which a caller may know more of
/// stay.
pub fn run_before_inlining(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    replace(func, cx, true)
}

fn replace(func: &mut Function, cx: &mut PassContext<'_>, inlined: bool) -> bool {
    if func.slots.is_empty() {
        cx.keep_graph();
        return false;
    }
    let cfg = cx.cfg(func);
    if !edit::remove_unreachable(func, cfg.order()) {
        cx.keep_graph();
    }
    let dom = cx.dom(func);
    let chosen = chosen::run(func, &cfg, &dom);
    let uses = collect::collect(func, &cfg);
    let plan = elements::divide(func, &uses, inlined);
    let promoted = |p: &collect::Place| plan.slots[p.slot].promoted;
    let used = uses.accesses.iter().any(|a| promoted(&a.place))
        || uses.blocks.iter().any(|b| b.dst.iter().chain(&b.src).any(promoted));
    if !used {
        return chosen;
    }
    promote::promote(func, &cfg, &dom, &uses, &plan);
    func.resolve_aliases();
    true
}

#[cfg(test)]
mod tests;
