//! Counters that are tested after they were stepped: `i != 1` beside `i - 1` becomes `(i - 1) != 0`.
//!
//! Simplification asks for the variable itself, since that needs no sum. At the end of an iteration the next value is
//! computed anyway, and if nothing asks for the old one, both share a register and the copy between them is gone.
//!
//! Only equality: other comparisons depend on whether the sum wraps. That it does not wrap was a promise for iterations
//! that go on; now every iteration asks for the sum, so the promise goes. Cost: linear in loops.

use analysis::LoopInfo;
use ir::{Block, Builder, Flags, Function, Inst, IntCC, Opcode, Value, ValueDef};

pub(super) fn run(func: &mut Function, info: &LoopInfo) -> bool {
    let mut changed = false;
    for l in info.loops.iter() {
        changed |= info.loops.latch(l).is_some_and(|latch| retest(func, info.loops.header(l), latch).is_some());
    }
    changed
}

fn retest(func: &mut Function, header: Block, latch: Block) -> Option<()> {
    let exit = Exit::of(func, header, latch)?;
    let dfg = &func.dfg;
    let ValueDef::Param(b, n) = dfg.def(exit.tested) else { return None };
    let next = dfg.resolve(*dfg.branch_args(exit.branch, exit.back).get(n as usize).filter(|_| b == header)?);
    let (step, by) = step(func, exit.tested, next).filter(|&(i, _)| func.layout.inst_block(i) == Some(latch))?;
    let ty = dfg.ty(exit.tested);
    let stepped = func.dfg.bits(ty, exit.bound.wrapping_add(by) as u64 & ty.mask());
    let cond = Builder::before(func, exit.branch).icmp(exit.cc, next, stepped);
    func.dfg.args_mut(exit.branch)[0] = cond;
    promise_nothing(func, step);
    Some(())
}

/// The branch at the end of a loop's iterations that asks whether a value is a constant.
pub(super) struct Exit {
    pub branch: Inst,
    /// Which of its ways goes on.
    pub back: usize,
    pub cc: IntCC,
    pub tested: Value,
    pub bound: i64,
}

impl Exit {
    pub(super) fn of(func: &Function, header: Block, latch: Block) -> Option<Self> {
        let dfg = &func.dfg;
        let branch = func.layout.last_inst(latch).filter(|&t| dfg.op(t) == Opcode::Br)?;
        let test = dfg.def_op(dfg.arg(branch, 0), Opcode::Icmp)?;
        let cc = dfg.insts[test].int_cc().filter(|cc| matches!(cc, IntCC::Eq | IntCC::Ne))?;
        let (tested, bound) = (dfg.resolve(dfg.arg(test, 0)), dfg.as_int(dfg.arg(test, 1))?);
        let back = (0..2).find(|&k| dfg.successor(branch, k) == header)?;
        Some(Self { branch, back, cc, tested, bound })
    }
}

/// The sum of `variable` and a constant that `next` is, and the constant.
pub(super) fn step(func: &Function, variable: Value, next: Value) -> Option<(Inst, i64)> {
    let dfg = &func.dfg;
    let i = dfg.def_op(next, Opcode::Add).filter(|&i| dfg.resolve(dfg.arg(i, 0)) == variable)?;
    Some((i, dfg.as_int(dfg.arg(i, 1))?))
}

/// A sum may wrap from now on.
pub(super) fn promise_nothing(func: &mut Function, sum: Inst) {
    let flags = &mut func.dfg.insts[sum].flags;
    *flags = flags.without(Flags::NSW.with(Flags::NUW));
}
