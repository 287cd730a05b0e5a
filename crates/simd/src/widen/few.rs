//! What is left of a row: where it is few work-items, they run one after another, in the loop as it was.
//!
//! A vector under a mask costs as much for one lane as for all, and more where machines have no masks (bytes) or take lanes one by
//! one. A picture one pixel wide has nothing else. What must hold: nothing of the body is used after it, rows do not run
//! together, and there are no private arrays. Cost: one look at the region; the code of the loop stays.

use super::emit::Emitter;
use super::limit::SMALL;
use super::region::Region;
use crate::regions::RegionLoop;
use ir::{Builder, Function, IntCC, Value};

/// Most instructions of a body that stays beside its vectors.
const MOST: usize = 600;

/// One lane of so many, or fewer, are few.
const OF: u32 = 4;

/// How many work-items at most run in the loop as it was, if any may: of small bodies few, which are there under a mask, too; of others
/// all that fill no vector, if there is a limit to them.
pub(super) fn most(r: &Region<'_>, l: &RegionLoop, lanes: u32, rows: u8, limited: bool) -> Option<u32> {
    let insts = || r.blocks.iter().flat_map(|&b| r.func.layout.insts(b));
    let t = r.func.layout.terminator(l.latch);
    let out = usize::from(r.func.dfg.successor(t, 0) == l.header);
    let closed = r.live_out().is_empty() && r.func.dfg.branch_args(t, 1 - out).len() == 1;
    // A private array would be there twice.
    let alone = rows == 1 && r.func.slots.is_empty() && !insts().any(|i| r.func.dfg.insts[i].is_convergent());
    let most = match insts().count() {
        size if !closed || !alone || size > MOST => return None,
        size if size <= SMALL => lanes / OF,
        _ if limited => lanes - 1,
        _ => return None,
    };
    Some(most).filter(|&n| n > 0)
}

/// Ends the current block: from `base` on work-items run one after another.
pub(super) fn one_after_another(e: &mut Emitter<'_>, l: &RegionLoop, base: Value) {
    e.jump(l.header, &[base]);
}

/// Has the loop as it was end with this work-item.
pub(super) fn end_with(func: &mut Function, l: &RegionLoop, end: Value) {
    let t = func.layout.terminator(l.latch);
    let back = usize::from(func.dfg.successor(t, 0) != l.header);
    let next = func.dfg.branch_args(t, back)[0];
    let goes_on = if back == 0 { IntCC::Ult } else { IntCC::Uge };
    let cond = Builder::before(func, t).icmp(goes_on, next, end);
    func.dfg.args_mut(t)[0] = cond;
}
