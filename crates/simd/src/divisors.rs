//! Loops that try divisors of a number until one fits: `for (d = 2; d * d <= n; d++) if (n % d == 0) break;`.
//!
//! Each work-item has a number of its own, most find a divisor at once, and the lanes of a vector wait for the one that tries
//! longest. An integer division in vectors is a sequence, too, where the processor's own divider is about as fast for one number. So
//! work-items go one after another: with 200,000 numbers that takes half of the time of vectors of 16 (Xeon, AVX-512).
//!
//! Looked at are the innermost loops of the finished function: a vector of remainders, of a number that stays as it is by one
//! that does not, decides which lanes go on. Loops that only count divisors keep all lanes busy, and those of Euclid's algorithm
//! take about as long in each lane: neither is meant. Linear in the function.

use analysis::{Loop, LoopInfo};
use ir::{Function, Inst, Opcode, Type, Value, ValueDef};
use rustc_hash::FxHashSet;

/// Most values between what lanes go on by and a division.
const MAX_VALUES: usize = 64;

/// Whether the function's vectors mostly wait for divisors to be found.
pub(crate) fn are_searched_for(func: &Function) -> bool {
    let info = LoopInfo::new(func);
    crate::hot_loops(func, &info).any(|l| is_search(func, &info, l))
}

fn is_search(func: &Function, info: &LoopInfo, l: Loop) -> bool {
    let is_inside = |v: Value| match func.dfg.def(v) {
        ValueDef::Inst(i) => func.layout.inst_block(i).is_some_and(|b| info.loops.contains(l, b)),
        ValueDef::Param(b, _) => info.loops.contains(l, b),
        _ => false,
    };
    let is_trial = |&i: &Inst| {
        let data = &func.dfg.insts[i];
        let [number, divisor] = match func.dfg.args(i) {
            &[a, b] => [a, b].map(|v| func.dfg.resolve(v)),
            _ => return false,
        };
        matches!(data.op, Opcode::SRem | Opcode::URem)
            && data.ty.is_vector()
            && !is_inside(number)
            && is_inside(divisor)
    };
    let blocks = &info.loops.data(l).blocks;
    let trials: Vec<Value> =
        blocks.iter().flat_map(|&b| func.layout.insts(b)).filter(is_trial).filter_map(|i| func.dfg.result(i)).collect();
    if trials.is_empty() {
        return false;
    }
    // The lanes that go on are a parameter of the header.
    let header = info.loops.header(l);
    let masks = func.dfg.params(header).iter().enumerate().filter(|(_, p)| {
        let ty = func.dfg.ty(**p);
        ty.is_vector() && ty.scalar() == Type::I1
    });
    let mut next: Vec<Value> = Vec::new();
    for (n, _) in masks {
        let backs = info.cfg.preds(header).iter().filter(|e| info.loops.contains(l, e.from));
        next.extend(backs.map(|e| func.dfg.branch_args(e.inst, e.index as usize)[n]));
    }
    reaches(func, info, l, next, &trials)
}

/// Whether values of a loop's iteration come from some of the given ones, of this iteration or of one before.
fn reaches(func: &Function, info: &LoopInfo, l: Loop, mut todo: Vec<Value>, from: &[Value]) -> bool {
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    while let Some(v) = todo.pop().map(|v| func.dfg.resolve(v)) {
        if from.contains(&v) {
            return true;
        }
        if seen.len() >= MAX_VALUES || !seen.insert(v) {
            continue;
        }
        match func.dfg.def(v) {
            ValueDef::Inst(i) if func.layout.inst_block(i).is_some_and(|b| info.loops.contains(l, b)) => {
                todo.extend(func.dfg.args(i));
            }
            ValueDef::Param(b, n) if info.loops.contains(l, b) => {
                let within = info.cfg.preds(b).iter().filter(|e| info.loops.contains(l, e.from));
                todo.extend(within.map(|e| func.dfg.branch_args(e.inst, e.index as usize)[n as usize]));
            }
            _ => {}
        }
    }
    false
}
