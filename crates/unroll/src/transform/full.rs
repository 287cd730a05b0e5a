//! Full unrolling: one copy per iteration, no loop left.

use super::clone::{Start, Test};
use super::{Cloner, Outer, Target, back_edge, cut_back_edge, remove_blocks};
use crate::measure::CountedExit;
use ir::{Block, Function};

/// What is known about the last copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LastCopy {
    /// The loop ends there exactly: an exit with a constant count says so.
    Exits,
    /// The loop does not go on after it: a bound says so.
    Bounded,
}

/// Replaces the loop by `count` copies.
pub(super) fn unroll(
    func: &mut Function,
    target: &Target,
    count: u32,
    counted: &[CountedExit],
    last: LastCopy,
    outer: Option<Outer<'_>>,
) -> Result<(), &'static str> {
    let last_backedges = u64::from(count).saturating_sub(1);
    if last == LastCopy::Exits && !counted.iter().any(|c| c.backedges == last_backedges) {
        return Err("no exit of the loop has the expected trip count");
    }
    straighten(func, target, count, outer, |copy, block| {
        let Some(exit) = counted.iter().find(|c| c.block == block) else { return Test::Keep };
        match exit.backedges.cmp(&u64::from(copy)) {
            std::cmp::Ordering::Greater => Test::Stay,
            std::cmp::Ordering::Equal => Test::Leave,
            std::cmp::Ordering::Less => Test::Keep,
        }
    });
    Ok(())
}

/// Replaces the loop by copies in a row; `test(copy, block)` says what each does with its exits. The way back from
/// the last one is never taken.
pub(super) fn straighten(
    func: &mut Function,
    target: &Target,
    count: u32,
    outer: Option<Outer<'_>>,
    test: impl Fn(u32, Block) -> Test,
) {
    // Folding makes the copies smaller than the loop; what is reserved in vain is little.
    let expected = u64::from(count).saturating_mul(target.inst_count(func)).min(1 << 14);
    func.dfg.reserve(expected as usize);
    let mut cloner = Cloner::new(func, target, target.preheader);
    let mut values = target.entry_args(func);
    let enter = func.layout.terminator(target.preheader);
    let mut from = Some((enter, 0));
    for n in 0..count {
        let Some((term, edge)) = from else { break };
        let copy = cloner.copy(func, Start::Values(&values), |b| test(n, b));
        if let Some(outer) = outer.filter(|_| n == 0) {
            outer.hoist(func, copy.header, cloner.place);
        }
        func.dfg.set_branch_args(term, edge, &[]);
        func.dfg.set_successor(term, edge, copy.header);
        from = copy.latch.and_then(|l| back_edge(func, l, target.header));
        match copy.next {
            Some(next) => values = next,
            None => break,
        }
    }
    if let Some((term, back)) = from {
        cut_back_edge(func, term, back);
    }
    remove_blocks(func, &target.blocks);
}
