//! Loops that count twice: a counter that nothing asks for but the loop's own test, beside another variable that goes
//! as far in each iteration. The other one's distance from its end is tested then, `(i + k) != 0` with `k` computed before
//! the loop, and the counter is gone.
//!
//! The unroller makes such counters. One register less lives through the loop. ptxas does not recognise the count any more, and
//! does not unroll a second time what was unrolled already. nvcc's code tests the same way.
//!
//! Loops of one block keep theirs: what ptxas makes of them is faster, since it has the loads of all copies under way at once. Where
//! copies branch it gained nothing (`conv1d` of HeCBench: three times the instructions, 1.01 of the time) (docs/gpu.md).
//!
//! Only equality: sums wrap. What the other variable's step promised of overflow was about iterations that go on, and is
//! dropped; its first value must be one that a branch may depend on. What must hold: dead code is gone, so that what is
//! there is used. Cost: linear in instructions, and in the loops' variables.

use super::exit_test::{Exit, promise_nothing, step};
use analysis::{Loop, LoopInfo};
use cranelift_entity::SecondaryMap;
use ir::{Block, Builder, Function, Inst, Opcode, Value};

/// How deep the search for what a first value is computed of goes.
const MAX_DEPTH: u32 = 6;

pub(super) fn run(func: &mut Function, info: &LoopInfo) -> bool {
    let found: Vec<Plan> = info.loops.iter().filter_map(|l| plan(func, info, l)).collect();
    if found.is_empty() {
        return false;
    }
    let uses = uses(func);
    let mut changed = false;
    // The step; the test, and the way back.
    for p in found.iter().filter(|p| uses[p.counter] == 1 && uses[p.exit.tested] == 2) {
        apply(func, p);
        changed = true;
    }
    changed
}

/// A counter, and the variable that can do its work.
struct Plan {
    exit: Exit,
    preheader: Block,
    counter: Value,
    /// The other variable after its step, and the step.
    next: Value,
    step: Inst,
    /// First values of the counter and of the other.
    starts: [Value; 2],
    /// Whether the two go in opposite directions.
    opposite: bool,
}

fn plan(func: &Function, info: &LoopInfo, l: Loop) -> Option<Plan> {
    let (header, latch) = (info.loops.header(l), info.loops.latch(l)?);
    if header == latch {
        return None;
    }
    let exit = Exit::of(func, header, latch)?;
    let dfg = &func.dfg;
    let (params, nexts) = (dfg.params(header), dfg.branch_args(exit.branch, exit.back));
    let n = nexts.iter().position(|&v| dfg.resolve(v) == exit.tested)?;
    let counter = params[n];
    let (_, by) = step(func, counter, exit.tested)?;
    let preheader = info.loops.preheader(func, &info.cfg, l)?;
    let entry = info.loops.entry_edge(&info.cfg, l)?;
    let starts = dfg.branch_args(entry.inst, entry.index as usize);
    let (k, next, step, other) = params.iter().zip(nexts).enumerate().find_map(|(k, (&p, &next))| {
        let next = dfg.resolve(next);
        let (step, other) = step(func, p, next)?;
        let fits = k != n && dfg.ty(p) == dfg.ty(counter) && (other == by || other == by.wrapping_neg());
        (fits && is_settled(func, starts[k], MAX_DEPTH)).then_some((k, next, step, other))
    })?;
    let (starts, opposite) = ([dfg.resolve(starts[n]), dfg.resolve(starts[k])], other != by);
    Some(Plan { exit, preheader, counter, next, step, starts, opposite })
}

/// Whether a value is certainly no undefined one.
fn is_settled(func: &Function, v: Value, depth: u32) -> bool {
    let dfg = &func.dfg;
    let Some(i) = dfg.def_inst(v) else { return dfg.as_int(v).is_some() };
    let sum = matches!(dfg.op(i), Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor);
    dfg.op(i) == Opcode::Special
        || sum
            && depth > 0
            && dfg.insts[i].flags.is_empty()
            && dfg.args(i).iter().all(|&a| is_settled(func, a, depth - 1))
}

fn uses(func: &Function) -> SecondaryMap<Value, u32> {
    let mut uses = ir::side_table(func.dfg.values.len());
    for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        func.dfg.for_each_use(i, |v| uses[func.dfg.resolve(v)] += 1);
    }
    uses
}

/// Iterations leave the sum of what goes in opposite directions as it is, and the difference of what does not.
fn apply(func: &mut Function, p: &Plan) {
    let [counter, other] = p.starts;
    let before = func.layout.terminator(p.preheader);
    let bound = func.dfg.iconst(func.dfg.ty(counter), p.exit.bound);
    // What the other one lacks at the end, negated.
    let distance = if p.opposite {
        let end = plus(func, before, counter, other);
        minus(func, before, bound, end)
    } else {
        let end = plus(func, before, bound, other);
        minus(func, before, counter, end)
    };
    let ty = func.dfg.ty(counter);
    let (tested, bound) = match func.dfg.as_int(distance) {
        Some(d) => (p.next, func.dfg.iconst(ty, d.wrapping_neg())),
        None => (Builder::before(func, p.exit.branch).add(p.next, distance), func.dfg.iconst(ty, 0)),
    };
    let cond = Builder::before(func, p.exit.branch).icmp(p.exit.cc, tested, bound);
    func.dfg.args_mut(p.exit.branch)[0] = cond;
    promise_nothing(func, p.step);
}

/// `a + b`.
fn plus(func: &mut Function, before: Inst, a: Value, b: Value) -> Value {
    let dfg = &mut func.dfg;
    match (dfg.as_int(a), dfg.as_int(b)) {
        (Some(x), Some(y)) => dfg.iconst(dfg.ty(a), x.wrapping_add(y)),
        (Some(0), None) => b,
        (None, Some(0)) => a,
        _ => Builder::before(func, before).add(a, b),
    }
}

/// `a - b`.
fn minus(func: &mut Function, before: Inst, a: Value, b: Value) -> Value {
    let dfg = &mut func.dfg;
    match (dfg.as_int(a), dfg.as_int(b)) {
        (Some(x), Some(y)) => dfg.iconst(dfg.ty(a), x.wrapping_sub(y)),
        (None, Some(0)) => a,
        (Some(0), None) if let Some(i) = dfg.def_op(b, Opcode::Sub) => {
            let (x, y) = (dfg.arg(i, 0), dfg.arg(i, 1));
            Builder::before(func, before).binary(Opcode::Sub, y, x)
        }
        _ => Builder::before(func, before).binary(Opcode::Sub, a, b),
    }
}
