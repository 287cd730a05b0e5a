//! Changes loops as decided.
//!
//! Entry guards, established by [`analysis::loop_simplify`] and [`crate::lcssa`]: a preheader, one latch, closed form; for runtime unrolling also the
//! only exit at the latch. Every transformation is correct for any factor: what a copy may assume about an exit is
//! exactly what its exit count says, and everything else keeps its test.
//!
//! * [`full`]: straight-line code, for exact trip counts and for upper bounds.
//! * [`partial`]: several copies in a loop; exits with constant counts are tested only in the copy where they can end
//!   the loop, the others in every copy.
//! * [`runtime`]: several copies for a multiple of the factor, left-over iterations before or after.
//! * [`leftover`]: those iterations, as a loop or as straight-line code.
//! * [`peel`]: iterations in front.
//! * [`jam`]: copies of an outer loop's body with their inner loops fused.
//!
//! Code growth is bounded by [`MAX_CLONED`] instructions per loop.

mod clone;
mod full;
mod hoist;
mod jam;
mod leftover;
mod partial;
mod peel;
mod runtime;

use crate::decision::{Decision, Kind, Leftover};
use crate::measure::CountedExit;
use crate::nest::Nest;
use analysis::{Loop, LoopInfo};
use clone::Cloner;
pub(crate) use hoist::Outer;
use ir::edit::replace_by_jump;
use ir::{Block, Builder, Function, Inst, LoopMd, LoopMeta, Opcode, UnrollRequest, Value};
use smallvec::SmallVec;

/// Instructions that one loop may be copied into. The pragma threshold keeps hints below this; knobs may not.
pub(crate) const MAX_CLONED: u64 = 1 << 20;

/// A loop in canonical form, with what the transformations ask about it.
pub(crate) struct Target {
    /// Jumps to the header.
    pub(crate) preheader: Block,
    /// Heads the loop.
    pub(crate) header: Block,
    /// Branches back.
    pub(crate) latch: Block,
    /// All blocks in reverse post-order, the header first.
    pub(crate) blocks: Vec<Block>,
    /// The metadata, if there is some.
    pub(crate) meta: LoopMeta,
}

impl Target {
    /// The loop, if it is in canonical form.
    pub(crate) fn new(func: &Function, info: &LoopInfo, l: Loop) -> Option<Self> {
        let data = info.loops.data(l);
        let latch = info.loops.latch(l)?;
        // A latch may branch back twice; such a loop is left alone.
        let backs = func.succs(latch).filter(|&s| s == data.header).count();
        (backs == 1).then_some(())?;
        Some(Self {
            preheader: info.loops.preheader(func, &info.cfg, l)?,
            header: data.header,
            latch,
            blocks: data.blocks.clone(),
            meta: info.loops.meta(func, l).cloned().unwrap_or_default(),
        })
    }

    /// Instructions in it.
    pub(crate) fn inst_count(&self, func: &Function) -> u64 {
        self.blocks.iter().map(|&b| func.layout.insts(b).count() as u64).sum()
    }

    /// The values that the preheader passes.
    pub(crate) fn entry_args(&self, func: &Function) -> SmallVec<[Value; 8]> {
        func.dfg.branch_args(func.layout.terminator(self.preheader), 0).into()
    }

    /// The back edge: the latch's terminator and which of its successors.
    pub(crate) fn back_edge(&self, func: &Function) -> Option<(Inst, usize)> {
        back_edge(func, self.latch, self.header)
    }
}

/// The successor of `latch` that is `header`.
pub(crate) fn back_edge(func: &Function, latch: Block, header: Block) -> Option<(Inst, usize)> {
    let term = func.layout.terminator(latch);
    let n = func.dfg.successors(term).position(|s| s == header)?;
    Some((term, n))
}

/// Applies a decision. `backedges` computes in the preheader how many back edges a loop that is runtime-unrolled takes;
/// `outer` is the loop around, if what the first copy computes of what that does not change is to go out of it.
///
/// # Errors
/// Why it cannot be applied; then the function is as it was.
pub(crate) fn apply(
    func: &mut Function,
    target: &Target,
    decision: &Decision,
    counted: &[CountedExit],
    backedges: Option<Inst>,
    outer: Option<Outer<'_>>,
) -> Result<(), &'static str> {
    check_growth(func, target, decision)?;
    match decision.kind {
        Kind::Keep | Kind::Forbidden => Ok(()),
        Kind::Full => full::unroll(func, target, decision.count, counted, full::LastCopy::Exits, outer),
        Kind::UpperBound => full::unroll(func, target, decision.count, counted, full::LastCopy::Bounded, None),
        Kind::Partial | Kind::SideExits => partial::unroll(func, target, decision, counted),
        Kind::Runtime => runtime::unroll(func, target, decision, backedges),
        Kind::Peel => peel::peel(func, target, decision.peel),
        Kind::Jam => Err("the loop is not a nest"),
    }
}

/// Applies a decision to jam a nest.
///
/// # Errors
/// Why it cannot be applied; then the function is as it was.
pub(crate) fn apply_jam(
    func: &mut Function,
    target: &Target,
    nest: &Nest,
    decision: &Decision,
    backedges: Option<Inst>,
) -> Result<(), &'static str> {
    check_growth(func, target, decision)?;
    jam::unroll(func, target, nest, decision, backedges)
}

fn check_growth(func: &Function, target: &Target, decision: &Decision) -> Result<(), &'static str> {
    // By binary digits fewer than twice as many iterations are left over.
    let leftover = match (decision.kind, decision.leftover) {
        (Kind::Runtime | Kind::Jam, Leftover::Loop) => 1,
        (Kind::Runtime | Kind::Jam, _) => 2 * u64::from(decision.count),
        _ => 0,
    };
    let copies = u64::from(decision.count.max(decision.peel)) + leftover;
    if copies.saturating_mul(target.inst_count(func)) > MAX_CLONED {
        return Err("the copies would exceed the limit on code growth");
    }
    Ok(())
}

/// Metadata of a loop that an unroller made: nobody unrolls it again.
pub(crate) fn settled_meta(func: &mut Function, meta: &LoopMeta, nounroll: bool) -> LoopMd {
    func.loops.push(LoopMeta {
        unroll: UnrollRequest::None,
        jam: UnrollRequest::None,
        expected: None,
        done: true,
        nounroll: nounroll || meta.nounroll,
        ..meta.clone()
    })
}

/// Takes blocks that nothing reaches any more out of the function.
pub(crate) fn remove_blocks(func: &mut Function, blocks: &[Block]) {
    for &b in blocks {
        func.layout.remove_block(b);
    }
}

/// Makes a terminator that is never reached out of one whose way back is never taken: the other way if there is one.
pub(crate) fn cut_back_edge(func: &mut Function, term: Inst, back: usize) {
    if func.dfg.op(term) == Opcode::Br {
        let other = 1 - back;
        let (to, args) =
            (func.dfg.successor(term, other), SmallVec::<[Value; 8]>::from(func.dfg.branch_args(term, other)));
        replace_by_jump(func, term, to, &args, None);
    } else if func.dfg.op(term) == Opcode::Jump {
        Builder::before(func, term).unreachable();
        func.layout.remove_inst(term);
    } else {
        let dead = func.new_block();
        Builder::at_end(func, dead).unreachable();
        func.dfg.set_branch_args(term, back, &[]);
        func.dfg.set_successor(term, back, dead);
    }
}
