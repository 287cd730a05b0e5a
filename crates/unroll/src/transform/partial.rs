//! Partial unrolling: several copies in a loop.
//!
//! Copy `j` of `n` runs the iterations `j`, `j + n`, `j + 2n`, …. An exit that ends the loop after a constant number
//! `c` of back edges can do so only in copy `c mod n`: there its test stays, elsewhere it goes. Exits without a
//! constant count keep their test everywhere.

use super::clone::{Start, Test};
use super::{Cloner, Target, back_edge, settled_meta};
use crate::decision::Decision;
use crate::measure::CountedExit;
use ir::edit::replace_by_jump;
use ir::{Block, Function, Opcode, Value};
use smallvec::SmallVec;

pub(super) fn unroll(
    func: &mut Function,
    target: &Target,
    decision: &Decision,
    counted: &[CountedExit],
) -> Result<(), &'static str> {
    let count = decision.count;
    repeat(func, target, count, decision.explicit, |copy, block| match counted.iter().find(|c| c.block == block) {
        Some(c) if c.backedges % u64::from(count) != u64::from(copy) => Test::Stay,
        _ => Test::Keep,
    })
}

/// Turns the loop into one of `count` copies. `test(copy, block)` says what each does with its exits; it must not
/// tell the original, copy 0, to leave.
pub(super) fn repeat(
    func: &mut Function,
    target: &Target,
    count: u32,
    nounroll: bool,
    test: impl Fn(u32, Block) -> Test,
) -> Result<(), &'static str> {
    let Some((term, back)) = target.back_edge(func) else { return Err("the loop has no single way back") };
    let md = settled_meta(func, &target.meta, nounroll);
    let mut cloner = Cloner::new(func, target, last_placed(func, target));
    let mut values: SmallVec<[Value; 8]> = func.dfg.branch_args(term, back).into();
    // Clone everything first: the copies are made of the original, whose own exits change last.
    let mut copies = Vec::new();
    for n in 1..count {
        let copy = cloner.copy(func, Start::Values(&values), |b| test(n, b));
        let next = copy.next.clone();
        copies.push(copy);
        match next {
            Some(v) => values = v,
            None => break,
        }
    }
    decide_original(func, target, |b| test(0, b));
    let Some(mut from) = target.back_edge(func) else { return Ok(()) };
    func.dfg.set_loop_md(from.0, None);
    for copy in &copies {
        func.dfg.set_branch_args(from.0, from.1, &[]);
        func.dfg.set_successor(from.0, from.1, copy.header);
        match copy.latch.and_then(|l| back_edge(func, l, target.header)) {
            Some(edge) => from = edge,
            None => break,
        }
    }
    if func.dfg.successor(from.0, from.1) == target.header {
        func.dfg.set_loop_md(from.0, Some(md));
    }
    Ok(())
}

/// Applies the verdicts on copy 0 to the original blocks: tests that cannot end the loop there go.
fn decide_original(func: &mut Function, target: &Target, test: impl Fn(Block) -> Test) {
    for &b in &target.blocks {
        let term = func.layout.terminator(b);
        if test(b) != Test::Stay || func.dfg.op(term) != Opcode::Br {
            continue;
        }
        let inside = func.dfg.successors(term).position(|s| target.blocks.contains(&s));
        let Some(n) = inside else { continue };
        let args: SmallVec<[Value; 8]> = func.dfg.branch_args(term, n).into();
        let to = func.dfg.successor(term, n);
        replace_by_jump(func, term, to, &args, None);
    }
}

/// The block of the loop that stands last in the layout.
pub(super) fn last_placed(func: &Function, target: &Target) -> Block {
    let mut at = target.latch;
    while let Some(next) = func.layout.next_block(at).filter(|b| target.blocks.contains(b)) {
        at = next;
    }
    at
}
