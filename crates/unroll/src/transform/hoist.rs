//! What the first copy of a loop in a loop leaves to be computed before the outer one.
//!
//! Once the inner loop is straight-line code, what its first iteration computes of values that the outer loop does not
//! change is the same in all iterations of that. cicc computes it before the outer loop at once, what the other copies
//! compute not: its motion of invariant code still knows the blocks of the loop, and those are the first copy now
//! (measured for sm_90, on sizes: `tests/unroll_nests.rs`).

use analysis::{Loop, LoopInfo};
use ir::{Block, Function, Inst, Opcode, Value, ValueDef};

/// The loop around the one that becomes straight-line code.
#[derive(Clone, Copy)]
pub(crate) struct Outer<'a> {
    /// As things were before loops of this depth changed.
    info: &'a LoopInfo,
    l: Loop,
    preheader: Block,
}

impl<'a> Outer<'a> {
    /// The loop around `l`, if there is one with a preheader.
    pub(crate) fn new(func: &Function, info: &'a LoopInfo, l: Loop) -> Option<Self> {
        let l = info.loops.parent(l)?;
        let preheader = info.loops.preheader(func, &info.cfg, l)?;
        Some(Self { info, l, preheader })
    }

    /// Moves what is the same in all iterations out of the blocks from `first` to `last`, as they are laid out.
    pub(super) fn hoist(&self, func: &mut Function, first: Block, last: Block) {
        let before = func.layout.terminator(self.preheader);
        let mut at = Some(first);
        while let Some(b) = at {
            let mut next = func.layout.first_inst(b);
            while let Some(i) = next {
                next = func.layout.next_inst(i);
                if may_move(func, i) && func.dfg.args(i).iter().all(|&v| self.is_invariant(func, v)) {
                    func.layout.remove_inst(i);
                    func.layout.insert_inst_before(i, before);
                }
            }
            at = func.layout.next_block(b).filter(|_| b != last);
        }
    }

    fn is_invariant(&self, func: &Function, v: Value) -> bool {
        let block = match func.dfg.def(v) {
            ValueDef::Inst(i) => func.layout.inst_block(i),
            ValueDef::Param(b, _) => Some(b),
            _ => return true,
        };
        // A block that is not known was made of a loop inside.
        block.is_some_and(|b| self.info.cfg.rpo_number(b).is_some() && !self.info.loops.contains(self.l, b))
    }
}

/// Whether an instruction may be executed where nobody asks for its result.
fn may_move(func: &Function, i: Inst) -> bool {
    let dfg = &func.dfg;
    let division = matches!(dfg.op(i), Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem);
    let by = || dfg.as_int(dfg.arg(i, 1)).is_some_and(|n| n != 0 && n != -1);
    dfg.insts[i].is_pure() && (!division || by())
}
