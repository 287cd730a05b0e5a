//! The assembler's own unrolling: small counted loops of one region run four rounds at once.

use super::machine::{Machine, Op, Reg, Regs};
use super::regions::{Numbers, Region};
use ir::{Block, Function, Inst, Opcode};

/// Rounds in one.
const ROUNDS: usize = 4;
/// The most instructions of a loop that is unrolled.
const LARGEST: usize = 60;

/// Unrolls a region that is a loop, if the assembler would.
pub(super) fn unroll(m: &Machine<'_>, region: &mut Region, numbers: &mut Numbers) {
    let func = m.func;
    let (Some(&head), Some(end)) = (region.blocks.first(), region.end) else { return };
    let Some(n) = func.dfg.successors(end).position(|s| s == head) else { return };
    if region.ops.len() > LARGEST || !is_counted(func, head, end, n) {
        return;
    }
    let held = |i: Inst| func.dfg.insts[i].is_convergent() || m.is_call(i);
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
    repeat(region, &carried);
}

/// Whether a value that the loop changes by a constant decides when it ends, and nothing forbids unrolling.
fn is_counted(func: &Function, head: Block, end: Inst, n: usize) -> bool {
    let dfg = &func.dfg;
    if dfg.op(end) != Opcode::Br || dfg.insts[end].loop_md().is_some_and(|md| func.loops[md].nounroll) {
        return false;
    }
    let Some(test) = dfg.def_op(dfg.arg(end, 0), Opcode::Icmp) else { return false };
    dfg.params(head).iter().zip(dfg.branch_args(end, n)).any(|(&p, &next)| {
        let next = dfg.resolve(next);
        let steps = dfg
            .def_op(next, Opcode::Add)
            .is_some_and(|i| dfg.resolve(dfg.arg(i, 0)) == p && dfg.as_int(dfg.arg(i, 1)).is_some());
        steps && dfg.args(test).iter().any(|&x| [p, next].contains(&dfg.resolve(x)))
    })
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
fn repeat(region: &mut Region, carried: &[(Reg, Option<Reg>)]) {
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
    for _ in 1..ROUNDS {
        let mut next: Vec<Reg> = (0..now.len() as Reg).collect();
        for &(to, from) in carried.iter().filter(|c| !linear[c.0 as usize]) {
            next[to as usize] = from.map_or(to, |f| now[f as usize]);
        }
        for op in &body {
            let mut op = op.clone();
            renamed(&mut op.uses, &next);
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
