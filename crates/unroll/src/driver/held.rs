//! Loops that the compiler for sm_100 keeps until its late look, although they end as straight-line code.
//!
//! Measured: a hint of as many copies as a loop has iterations, or more, makes so many copies of it there, in a loop that
//! is never gone round. Only clean-up takes that loop away, so that a loop around has one inside when the early look decides:
//! no copies but the whole. In the late look the code counts one more than straight-line code; where copies were asked for that
//! never run, these are still there and count, but for loops of two iterations, which fold.
//!
//! Here such a loop becomes straight-line code at once, and the loop around it [remembers](ir::LoopMeta::held) the difference.

use super::LoopPlan;
use crate::config::Invocation;
use crate::decision::Kind;
use crate::facts::LoopFacts;
use crate::params::{Profile, UnrollParams};
use analysis::LoopInfo;
use ir::{Function, LoopMeta, UnrollRequest};

/// The branch that is left of the loop's end.
const WAY_BACK: u32 = 1;
/// What each copy may leave by where more copies were asked for than iterations run.
const BREAKOUT: u32 = 2;

/// How much larger than straight-line code a loop is that the compiler keeps until its late look; nothing for others.
fn kept_size(plan: &LoopPlan) -> Option<u32> {
    let (facts, decision) = (&plan.measured.facts, &plan.decision);
    let UnrollRequest::Count(asked) = plan.request.unroll else { return None };
    if decision.kind != Kind::Full || decision.count < 2 || asked < decision.count {
        return None;
    }
    if asked == decision.count || decision.count == 2 {
        return Some(WAY_BACK);
    }
    let straight = facts.simulated.map_or(decision.count.saturating_mul(facts.marginal()), |s| s.unrolled);
    let all = asked.saturating_mul(facts.marginal()).saturating_add(facts.fixed + BREAKOUT);
    Some(all.saturating_sub(straight))
}

/// Tells the loops around what their inner loops count more until the late look.
pub(super) fn remember(func: &mut Function, info: &LoopInfo, plans: &[LoopPlan], params: &UnrollParams, i: Invocation) {
    if params.profile != Profile::Cicc23 || i != Invocation::Early {
        return;
    }
    for plan in plans {
        let Some(parent) = info.loops.parent(plan.l) else { continue };
        let own = info.loops.meta(func, plan.l).and_then(|m| m.held);
        let copied = own.filter(|_| plan.decision.kind == Kind::Full).map(|n| n.saturating_mul(plan.decision.count));
        let Some(more) = kept_size(plan).or(copied) else { continue };
        let holder = info.loops.md_holder(func, parent);
        let Some(holder) =
            holder.or_else(|| info.loops.data(parent).latches.last().map(|&b| func.layout.terminator(b)))
        else {
            continue;
        };
        let md = func.dfg.insts[holder].loop_md().unwrap_or_else(|| func.loops.push(LoopMeta::default()));
        func.dfg.set_loop_md(holder, Some(md));
        let held = &mut func.loops[md].held;
        *held = Some(held.unwrap_or(0).saturating_add(more));
    }
}

/// Counts what a loop remembers; to the early look it is one with a loop inside.
pub(super) fn count(meta: Option<&LoopMeta>, facts: &mut LoopFacts, i: Invocation) {
    let Some(more) = meta.and_then(|m| m.held) else { return };
    facts.size = facts.size.saturating_add(more);
    facts.innermost &= i != Invocation::Early;
}
