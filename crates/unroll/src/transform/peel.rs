//! Peeling: iterations in front of the loop, with all their exit tests.

use super::clone::{Start, Test};
use super::{Cloner, Target, back_edge, settled_meta};
use ir::{Function, Value};
use smallvec::SmallVec;

pub(super) fn peel(func: &mut Function, target: &Target, count: u32) -> Result<(), &'static str> {
    let Some((term, _)) = target.back_edge(func) else { return Err("the loop has no single way back") };
    let md = settled_meta(func, &target.meta, true);
    func.dfg.set_loop_md(term, Some(md));
    let mut cloner = Cloner::new(func, target, target.preheader);
    let mut values: SmallVec<[Value; 8]> = target.entry_args(func);
    let mut from = Some((func.layout.terminator(target.preheader), 0));
    for _ in 0..count {
        let Some((term, edge)) = from else { break };
        let copy = cloner.copy(func, Start::Values(&values), |_| Test::Keep);
        func.dfg.set_branch_args(term, edge, &[]);
        func.dfg.set_successor(term, edge, copy.header);
        from = copy.latch.and_then(|l| back_edge(func, l, target.header));
        match copy.next {
            Some(next) => values = next,
            None => break,
        }
    }
    if from.is_none() {
        // The peeled iterations were all there are.
        super::remove_blocks(func, &target.blocks);
    }
    Ok(())
}
