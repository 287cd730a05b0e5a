//! Counters that are tested after they were stepped: `i != 1` beside `i - 1` becomes `(i - 1) != 0`.
//!
//! Simplification asks for the variable itself, since that needs no sum. At the end of an iteration the next value is
//! computed anyway, and if nothing asks for the old one, both share a register and the copy between them is gone.
//!
//! Only equality: other comparisons depend on whether the sum wraps. That it does not wrap was a promise for iterations
//! that go on; now every iteration asks for the sum, so the promise goes. Cost: linear in loops.

use analysis::LoopInfo;
use ir::{Builder, Flags, Function, IntCC, Opcode, ValueDef};

pub(super) fn run(func: &mut Function, info: &LoopInfo) -> bool {
    let mut changed = false;
    for l in info.loops.iter() {
        changed |= info.loops.latch(l).is_some_and(|latch| retest(func, info.loops.header(l), latch).is_some());
    }
    changed
}

fn retest(func: &mut Function, header: ir::Block, latch: ir::Block) -> Option<()> {
    let dfg = &func.dfg;
    let t = func.layout.last_inst(latch).filter(|&t| dfg.op(t) == Opcode::Br)?;
    let test = dfg.def_op(dfg.arg(t, 0), Opcode::Icmp)?;
    let cc = dfg.insts[test].int_cc().filter(|cc| matches!(cc, IntCC::Eq | IntCC::Ne))?;
    let (p, bound) = (dfg.resolve(dfg.arg(test, 0)), dfg.as_int(dfg.arg(test, 1))?);
    let ValueDef::Param(b, n) = dfg.def(p) else { return None };
    let back = (0..2).find(|&k| dfg.successor(t, k) == header && b == header)?;
    let next = dfg.resolve(dfg.branch_args(t, back)[n as usize]);
    let step = dfg.def_op(next, Opcode::Add).filter(|&i| dfg.resolve(dfg.arg(i, 0)) == p)?;
    let by = dfg.as_int(dfg.arg(step, 1)).filter(|_| func.layout.inst_block(step) == Some(latch))?;
    let ty = dfg.ty(p);
    let stepped = func.dfg.bits(ty, bound.wrapping_add(by) as u64 & ty.mask());
    let cond = Builder::before(func, t).icmp(cc, next, stepped);
    func.dfg.args_mut(t)[0] = cond;
    func.dfg.insts[step].flags = func.dfg.insts[step].flags.without(Flags::NSW.with(Flags::NUW));
    Some(())
}
