//! Branches that go one way in the first iterations and the other way in all that follow: peeled off, these iterations
//! leave a loop without the branch.
//!
//! As measured (nvcc 13.5): what counts is a branch on `<`, `<=`, `>` or `>=` of a counter, or of it and a constant
//! added, and a constant, where start and step are constants; not a choice of values, not `==` and `!=`, and not
//! what comes to these (`i > 0` of a counter from 0), no multiples of the counter, and not a test that clean-up joins
//! with the one before it.

use analysis::{Loop, Node, Scev};
use ir::{Block, Function, IntCC, Opcode, Value, ValueDef};

/// Bit `k` is set if a branch of loop `l` flips after `k` iterations, for `k` up to `most`. `blocks` are the loop's.
pub(crate) fn flips(scev: &mut Scev<'_>, l: Loop, blocks: &[Block], most: u32) -> u32 {
    let (func, info) = (scev.func, scev.info);
    let latch = info.loops.latch(l);
    let mut found = 0;
    for &b in blocks {
        let term = func.layout.terminator(b);
        let is_branch = func.dfg.op(term) == Opcode::Br && Some(b) != latch;
        if !is_branch || joined(scev, b) || func.dfg.successors(term).any(|s| joined(scev, s)) {
            continue;
        }
        if let Some(k) = flip(scev, l, func.dfg.arg(term, 0), most.min(31)) {
            found |= 1 << k;
        }
    }
    found
}

/// After how many iterations a condition is no longer what it was in the first one.
fn flip(scev: &mut Scev<'_>, l: Loop, condition: Value, most: u32) -> Option<u32> {
    let func = scev.func;
    let test = func.dfg.def_inst(condition).filter(|&i| func.dfg.op(i) == Opcode::Icmp)?;
    let mut cc = func.dfg.insts[test].int_cc()?;
    let (mut left, mut right) = (func.dfg.arg(test, 0), func.dfg.arg(test, 1));
    if func.dfg.as_bits(left).is_some() {
        (left, right, cc) = (right, left, cc.swapped());
    }
    if matches!(cc, IntCC::Eq | IntCC::Ne) || func.dfg.ty(left).is_vector() || !is_counter(func, left) {
        return None;
    }
    let bound = func.dfg.as_bits(right)?;
    let e = scev.expr(left);
    let Node::AddRec { start, step, l: own, .. } = scev.exprs.node(e) else { return None };
    let (start, step) = (scev.exprs.as_int(start)?, scev.exprs.as_int(step)?);
    let bits = scev.exprs.bits(e);
    let signed = matches!(cc, IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge);
    // Wide enough that nothing wraps.
    let widen = |v: i64| if signed || bits >= 64 { i128::from(v) } else { i128::from(v as u64 & ((1 << bits) - 1)) };
    let bound = if signed { i128::from((bound << (64 - bits)) as i64 >> (64 - bits)) } else { i128::from(bound) };
    let (first, step) = (widen(start), i128::from(step));
    let holds = |k: u32| {
        let v = first + step * i128::from(k);
        match cc {
            IntCC::Slt | IntCC::Ult => v < bound,
            IntCC::Sle | IntCC::Ule => v <= bound,
            IntCC::Sgt | IntCC::Ugt => v > bound,
            _ => v >= bound,
        }
    };
    let now = holds(0);
    let after = (own == l).then(|| (1..=most).find(|&k| holds(k) != now)).flatten()?;
    // Of a counter from 0 that is the test for 0.
    (after > 1 || first != 0).then_some(after)
}

/// Whether a value is a parameter of a block, perhaps with a constant added, perhaps extended.
fn is_counter(func: &Function, mut v: Value) -> bool {
    for _ in 0..4 {
        match func.dfg.def(v) {
            ValueDef::Param(..) => return true,
            ValueDef::Inst(i) => match func.dfg.op(i) {
                Opcode::SExt | Opcode::ZExt => v = func.dfg.arg(i, 0),
                Opcode::Add if func.dfg.as_bits(func.dfg.arg(i, 1)).is_some() => v = func.dfg.arg(i, 0),
                _ => return false,
            },
            _ => return false,
        }
    }
    false
}

/// Whether a block only tests, and its test becomes one with that of the only block before it, as both have an outcome
/// in common.
fn joined(scev: &Scev<'_>, b: Block) -> bool {
    let (func, cfg) = (scev.func, &scev.info.cfg);
    let Some(before) = cfg.single_pred(b) else { return false };
    let (test, first) = (func.layout.terminator(b), before.inst);
    if func.dfg.op(first) != Opcode::Br || !crate::trips::is_bare_test(func, b) {
        return false;
    }
    func.dfg.successors(test).any(|s| func.dfg.successors(first).any(|t| s == t && s != b))
}
