//! Conditions that are only asked where another one holds, as in `if (a[i] > 0) { s += b[i]; if (s > m) s += c[i]; }`.
//!
//! Measured on nvcc 13.5 for sm_100 with padded loops (2026-11-23): such loops have the factors for sm_90. Not counted are
//! conditions that are gone when loops are decided there: those that only choose between values (what they guard is
//! computed anyway), and those that nothing but a comparison stands before and that go where the condition around them goes
//! (`p && q`, `p || q`).
//!
//! And conditions beside what all lanes do together (`if (a[i] > m) a[i] = 0; __syncthreads();`): barriers, shuffles, votes,
//! `asm volatile` - which accesses with a cache operator are in NVIDIA's headers -, and functions with any of these. Fences, atomics,
//! `__activemask()` and assembly that may be moved do not count (2026-11-28, `tests/unroll_conditions.rs`).

use analysis::headers::{is_assembly, is_of_halves};
use analysis::{Loop, LoopInfo};
use ir::{Block, Function, Inst, Intrinsic, Module, Opcode, Payload};
use smallvec::SmallVec;

/// Most instructions that are computed whether they are needed or not.
const MOST_SPECULATED: usize = 4;

/// Whether a loop has a nested condition. Cost: linear in its blocks and instructions.
pub(crate) fn found(func: &Function, info: &LoopInfo, l: Loop) -> bool {
    let data = info.loops.data(l);
    data.blocks.iter().any(|&b| {
        !data.latches.iter().all(|&latch| info.dom.dominates(b, latch))
            && forks(func, info, l, b)
            && !belongs_to_the_one_before(func, info, b)
    })
}

/// Whether a block of a loop ends with a condition that guards more than a choice of values.
fn forks(func: &Function, info: &LoopInfo, l: Loop, b: Block) -> bool {
    let to: SmallVec<[Block; 2]> = func.succs(b).filter(|&s| info.loops.contains(l, s)).collect();
    to.len() > 1 && !chooses_a_value(func, &to)
}

/// Whether a loop has a condition and something that all lanes do together. Cost: linear in its blocks and instructions.
pub(crate) fn beside_meetings(func: &Function, module: &Module, info: &LoopInfo, l: Loop) -> bool {
    let blocks = &info.loops.data(l).blocks;
    blocks.iter().any(|&b| func.layout.insts(b).any(|i| meets(func, module, i)))
        && blocks.iter().any(|&b| forks(func, info, l, b))
}

/// Whether an instruction is one that cicc may not make depend on another condition.
fn meets(func: &Function, module: &Module, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    match &data.payload {
        Payload::Asm(id) => func.dfg.asms[*id].volatile,
        _ if data.op == Opcode::Call => {
            data.callee().and_then(|f| module.functions.get(f)).is_none_or(|f| f.attrs.convergent)
        }
        _ => match data.intrinsic() {
            Some(Intrinsic::ActiveMask) => false,
            Some(Intrinsic::Nanosleep) => true,
            _ => data.is_convergent() || is_assembly(func, i) && !is_of_halves(func, i),
        },
    }
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
