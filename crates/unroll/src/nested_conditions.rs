//! Conditions that are only asked where another one holds, as in `if (a[i] > 0) { s += b[i]; if (s > m) s += c[i]; }`.
//!
//! Measured on nvcc 13.5 for sm_100 with padded loops (2026-11-23): such loops have the factors for sm_90. Not counted are
//! conditions that are gone when loops are decided there: those that only choose between values (what they guard is
//! computed anyway), and those that nothing but a comparison stands before and that go where the condition around them goes
//! (`p && q`, `p || q`).

use analysis::{Loop, LoopInfo};
use ir::{Block, Function, Inst, Opcode};
use smallvec::SmallVec;

/// Most instructions that are computed whether they are needed or not.
const MOST_SPECULATED: usize = 4;

/// Whether a loop has a nested condition. Cost: linear in its blocks and instructions.
pub(crate) fn found(func: &Function, info: &LoopInfo, l: Loop) -> bool {
    let data = info.loops.data(l);
    data.blocks.iter().any(|&b| {
        let to: SmallVec<[Block; 2]> = func.succs(b).filter(|&s| info.loops.contains(l, s)).collect();
        to.len() > 1
            && !data.latches.iter().all(|&latch| info.dom.dominates(b, latch))
            && !chooses_a_value(func, &to)
            && !belongs_to_the_one_before(func, info, b)
    })
}

/// Whether a branch's ways meet at once, with nothing on them but what may be computed in any case.
fn chooses_a_value(func: &Function, to: &[Block]) -> bool {
    let arm = |b: Block| {
        let last = func.layout.terminator(b);
        let cheap = |i: Inst| func.dfg.insts[i].is_pure() && func.dfg.op(i) != Opcode::Load;
        let body = || func.layout.insts(b).filter(|&i| i != last);
        let small = body().count() <= MOST_SPECULATED && body().all(cheap);
        (small && func.dfg.op(last) == Opcode::Jump).then(|| func.dfg.successor(last, 0))
    };
    let [a, b] = *to else { return false };
    arm(a) == Some(b) || arm(b) == Some(a) || arm(a).is_some() && arm(a) == arm(b)
}

/// Whether a block only asks a question, for one of the places that the only block before it goes to.
fn belongs_to_the_one_before(func: &Function, info: &LoopInfo, b: Block) -> bool {
    let Some(before) = info.cfg.single_pred(b) else { return false };
    if func.dfg.op(before.inst) != Opcode::Br {
        return false;
    }
    let last = func.layout.terminator(b);
    let mut rest =
        func.layout.insts(b).filter(|&i| i != last && !matches!(func.dfg.op(i), Opcode::Icmp | Opcode::Fcmp));
    let alone = rest.next().is_none_or(|i| func.dfg.insts[i].is_pure()) && rest.next().is_none();
    alone && func.dfg.successors(last).any(|s| func.dfg.successors(before.inst).any(|p| p == s))
}
