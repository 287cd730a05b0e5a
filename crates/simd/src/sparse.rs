//! Loops over rows of different lengths that do little but gather.
//!
//! A sparse product has a row for each work-item: in vectors every load is a gather under a mask, and the loop runs as
//! long as the longest of the rows. On a machine that gathers lane by lane, that is slower than work-items one after
//! another. Compared are the innermost loops of the finished function, by numbers of instructions; a limit is that how
//! often each of them runs is not known. Linear in the function.

use crate::Machine;
use analysis::LoopInfo;
use ir::{Function, Opcode};

/// Instructions of a gather for each lane, done lane by lane: take out the address, load, put the element in its place.
const PER_LANE: u64 = 3;

/// How many times as long as the mean row the longest row of a vector is taken to be.
const UNEVEN: u64 = 2;

/// Whether work-items one after another need fewer instructions than the vectors of this function, in innermost loops with
/// gathers under masks.
pub(crate) fn gathers_too_much(func: &Function, machine: Machine) -> bool {
    if machine.gathers {
        return false;
    }
    let info = LoopInfo::new(func);
    let (mut vector, mut scalar, mut lanes) = (0, 0, 0);
    for l in info.loops.iter().map(|l| info.loops.data(l)).filter(|l| l.children.is_empty()) {
        for &b in &l.blocks {
            for i in func.layout.insts(b) {
                let data = &func.dfg.insts[i];
                let masked = data.op == Opcode::Gather && func.dfg.as_const(func.dfg.arg(i, 2)).is_none();
                if masked {
                    lanes = lanes.max(u64::from(data.ty.lanes()));
                    vector += PER_LANE * u64::from(data.ty.lanes());
                } else {
                    vector += 1;
                }
                // Masks are the vectors' own.
                scalar += u64::from(masked || data.ty.scalar() != ir::Type::I1 && !data.op.is_terminator());
            }
        }
    }
    lanes > 0 && vector * UNEVEN > scalar * lanes
}
