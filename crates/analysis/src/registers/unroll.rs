//! The assembler's own unrolling: small counted loops of one region run four rounds at once, or all.

use super::machine::{MEMORY, Machine, Op, Reg, Regs};
use super::regions::{Numbers, Region};
use crate::{Cfg, fold};
use ir::{Block, ConstKind, Function, Inst, Opcode, Value};

/// Rounds in one.
const ROUNDS: usize = 4;
/// The most instructions of a loop that is unrolled.
const LARGEST: usize = 60;

/// The same of one that counts in steps, as what is unrolled does, as seen in public programs; none that leaves device memory alone.
const LARGEST_UNROLLED: usize = 30;
/// The same if it is known how often it runs.
const LARGEST_KNOWN: usize = 70;
/// Rounds of a loop that are counted.
const MOST: usize = 256;

/// Unrolls a region that is a loop, if the assembler would.
pub(super) fn unroll(m: &Machine<'_>, cfg: &Cfg, region: &mut Region, numbers: &mut Numbers) {
    let func = m.func;
    let (Some(&head), Some(end)) = (region.blocks.first(), region.end) else { return };
    let Some(n) = func.dfg.successors(end).position(|s| s == head) else { return };
    let Some((counter, next)) = counter(func, head, end, n) else { return };
    let step = func.dfg.def_inst(next).and_then(|i| func.dfg.as_int(func.dfg.arg(i, 1)));
    let trips = trips(func, cfg, (head, end, n), counter, next);
    let unrolled = step.is_some_and(|s| s.unsigned_abs() > 1);
    if unrolled && trips.is_none() && region.ops.iter().all(|op| op.latency < MEMORY) {
        return;
    }
    let rounds = rounds(region.ops.len(), trips, unrolled);
    if rounds < 2 {
        return;
    }
    let changes = |i: Inst| func.dfg.insts[i].special().is_some_and(|r| !r.is_invariant());
    let held = |i: Inst| func.dfg.insts[i].is_convergent() || m.is_call(i) || changes(i);
    if region.blocks.iter().flat_map(|&b| func.layout.insts(b)).any(held) {
        return;
    }
    let carried: Vec<(Reg, Option<Reg>)> = func
        .dfg
        .params(head)
        .iter()
        .zip(func.dfg.branch_args(end, n))
        .flat_map(|(&p, &a)| {
            let to = numbers.local(m, region, m.regs(p));
            let from = numbers.local(m, region, m.regs(a));
            to.into_iter().zip(from.into_iter().map(Some).chain(std::iter::repeat(None))).collect::<Vec<_>>()
        })
        .collect();
    repeat(region, &carried, rounds);
}

/// The value that the loop changes by a constant and that decides when it ends: its number among the parameters, and what
/// it is next; none if unrolling is forbidden.
fn counter(func: &Function, head: Block, end: Inst, n: usize) -> Option<(usize, Value)> {
    let dfg = &func.dfg;
    if dfg.op(end) != Opcode::Br || dfg.insts[end].loop_md().is_some_and(|md| func.loops[md].nounroll) {
        return None;
    }
    let test = dfg.def_op(dfg.arg(end, 0), Opcode::Icmp)?;
    let steps = |&(_, (&p, &next)): &(usize, (&Value, &Value))| {
        let next = dfg.resolve(next);
        let add = dfg.def_op(next, Opcode::Add);
        add.is_some_and(|i| dfg.resolve(dfg.arg(i, 0)) == p && dfg.as_int(dfg.arg(i, 1)).is_some())
            && dfg.args(test).iter().any(|&x| [p, next].contains(&dfg.resolve(x)))
    };
    let (at, (_, &next)) = dfg.params(head).iter().zip(dfg.branch_args(end, n)).enumerate().find(steps)?;
    Some((at, dfg.resolve(next)))
}

/// How often the loop runs, if that is a constant up to [`MOST`].
fn trips(func: &Function, cfg: &Cfg, (head, end, n): (Block, Inst, usize), at: usize, next: Value) -> Option<usize> {
    let dfg = &func.dfg;
    let mut starts = cfg.preds(head).iter().filter(|e| e.inst != end);
    let entry = starts.next().filter(|_| starts.next().is_none())?;
    let p = dfg.params(head)[at];
    let (test, step) = (dfg.def_op(dfg.arg(end, 0), Opcode::Icmp)?, dfg.def_inst(next)?);
    let mut now = dfg.as_const(dfg.branch_args(entry.inst, entry.index as usize)[at])?;
    for round in 1..=MOST {
        let known = |v: Value| if dfg.resolve(v) == p { Some(now) } else { dfg.as_const(v) };
        let then = fold::fold_inst(dfg, step, known)?;
        let known = |v: Value| if dfg.resolve(v) == next { Some(then) } else { known(v) };
        if fold::fold_inst(dfg, test, known)? != ConstKind::Bits(u64::from(n == 0)) {
            return Some(round);
        }
        now = then;
    }
    None
}

/// Rounds that run at once, of a loop of so many instructions, `unrolled` if it counts in steps: as measured on generated loops.
fn rounds(ops: usize, trips: Option<usize>, unrolled: bool) -> usize {
    let most = match ops {
        ..=17 => 900,
        18..=34 => 660,
        _ => 400,
    };
    match trips {
        Some(t) if t * ops <= most => t,
        Some(_) if ops <= LARGEST_KNOWN => ROUNDS,
        None if ops <= if unrolled { LARGEST_UNROLLED } else { LARGEST } => ROUNDS,
        _ => 1,
    }
}

/// Integers that change by the same in each round, so that later rounds reach them by a constant distance.
fn linear(region: &Region, carried: &[(Reg, Option<Reg>)]) -> Vec<bool> {
    let mut made = vec![false; region.sizes.len()];
    for &d in region.ops.iter().flat_map(|op| &op.defs) {
        made[d as usize] = true;
    }
    let mut changes = made.clone();
    let mut start = vec![false; region.sizes.len()];
    for &(to, _) in carried {
        start[to as usize] = true;
        changes[to as usize] = true;
    }
    // Each round takes away one carried value at least.
    loop {
        let mut is = start.clone();
        for op in region.ops.iter().filter(|op| op.linear) {
            let known = op.uses.iter().all(|&u| is[u as usize] || !changes[u as usize]);
            if known && op.uses.iter().any(|&u| is[u as usize]) {
                for &d in &op.defs {
                    is[d as usize] = true;
                }
            }
        }
        let stays = |&&(to, from): &&(Reg, Option<Reg>)| {
            start[to as usize] && !from.is_some_and(|f| made[f as usize] && is[f as usize])
        };
        let gone: Vec<Reg> = carried.iter().filter(stays).map(|c| c.0).collect();
        if gone.is_empty() {
            return is;
        }
        for r in gone {
            start[r as usize] = false;
        }
    }
}

/// Appends the later rounds.
fn repeat(region: &mut Region, carried: &[(Reg, Option<Reg>)], rounds: usize) {
    let linear = linear(region, carried);
    let Some(end) = region.ops.pop() else { return };
    let body: Vec<Op> = region
        .ops
        .iter()
        .filter(|op| op.defs.is_empty() || !op.defs.iter().all(|&d| linear[d as usize]))
        .cloned()
        .collect();
    // What each register of the first round is in the current one.
    let mut now: Vec<Reg> = (0..region.sizes.len() as Reg).collect();
    for _ in 1..rounds {
        let mut next: Vec<Reg> = (0..now.len() as Reg).collect();
        for &(to, from) in carried.iter().filter(|c| !linear[c.0 as usize]) {
            next[to as usize] = from.map_or(to, |f| now[f as usize]);
        }
        for op in &body {
            let mut op = op.clone();
            renamed(&mut op.uses, &next);
            renamed(&mut op.stored, &next);
            for d in &mut op.defs {
                let fresh = region.new_reg(region.sizes[*d as usize]);
                next[*d as usize] = fresh;
                *d = fresh;
            }
            region.ops.push(op);
        }
        now = next;
    }
    let mut end = end;
    renamed(&mut end.uses, &now);
    region.ops.push(end);
    let mut out: Regs = region.out.iter().copied().collect();
    renamed(&mut out, &now);
    region.out = out.to_vec();
}

/// Registers of the first round in another.
fn renamed(regs: &mut Regs, now: &[Reg]) {
    for r in regs.iter_mut() {
        *r = now[*r as usize];
    }
    regs.sort_unstable();
    regs.dedup();
}
