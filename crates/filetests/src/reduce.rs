//! Makes a failing program small: greedy removals, each kept if the program still fails.
//!
//! Branches become jumps, instructions go away and their results become constants, block parameters become constants,
//! unused functions and slots' contents go. The predicate must answer no for programs that do not verify.

use ir::{Block, Builder, FuncId, Inst, Module, Opcode, Type, Value};
use std::time::{Duration, Instant};

/// Longest time spent on one program.
const TIME: Duration = Duration::from_secs(20);

/// The smallest program found that still `fails`.
pub fn reduce(module: Module, mut fails: impl FnMut(&Module) -> bool) -> Module {
    let start = Instant::now();
    let mut best = module;
    loop {
        let mut progress = false;
        for step in [branches, parameters, instructions, operands] {
            progress |= step(&mut best, &mut fails, &start);
        }
        clean(&mut best, &mut fails);
        if !progress || start.elapsed() > TIME {
            return best;
        }
    }
}

type Fails<'a> = &'a mut dyn FnMut(&Module) -> bool;

/// Keeps a change if the program still fails.
fn attempt(best: &mut Module, fails: Fails<'_>, change: impl FnOnce(&mut Module) -> bool) -> bool {
    let mut candidate = best.clone();
    let keep = change(&mut candidate) && ir::verify::verify_module(&candidate).is_ok() && fails(&candidate);
    if keep {
        *best = candidate;
    }
    keep
}

fn places(module: &Module) -> Vec<(FuncId, Block, Inst)> {
    let mut out = Vec::new();
    for (id, f) in module.functions.iter() {
        for b in f.layout.blocks() {
            out.extend(f.layout.insts(b).map(|i| (id, b, i)));
        }
    }
    out
}

/// Conditional branches become jumps.
fn branches(best: &mut Module, fails: Fails<'_>, start: &Instant) -> bool {
    let mut progress = false;
    for (id, _, i) in places(best) {
        let f = &best.functions[id];
        if f.layout.inst_block(i).is_none() || f.dfg.successor_count(i) < 2 || start.elapsed() > TIME {
            continue;
        }
        for n in 0..f.dfg.successor_count(i).min(4) {
            let done = attempt(best, fails, |m| {
                let f = &mut m.functions[id];
                let (to, args) = (f.dfg.successor(i, n), f.dfg.branch_args(i, n).to_vec());
                Builder::before(f, i).jump(to, &args);
                f.layout.remove_inst(i);
                remove_unreachable(m, id);
                true
            });
            if done {
                progress = true;
                break;
            }
        }
    }
    progress
}

fn remove_unreachable(module: &mut Module, id: FuncId) {
    let f = &mut module.functions[id];
    let cfg = analysis::Cfg::new(f);
    ir::edit::remove_unreachable(f, cfg.order());
    // Metadata of loops that are none any more.
    let blocks: Vec<Block> = f.layout.blocks().collect();
    let dominators = analysis::DomTree::new(&analysis::Cfg::new(f));
    for b in blocks {
        let term = f.layout.terminator(b);
        let back = f.dfg.successors(term).any(|s| dominators.dominates(s, b));
        if !back {
            f.dfg.set_loop_md(term, None);
        }
    }
}

fn zero(f: &mut ir::Function, ty: Type) -> Value {
    f.dfg.bits(ty, 0)
}

/// Block parameters become constants.
fn parameters(best: &mut Module, fails: Fails<'_>, start: &Instant) -> bool {
    let mut progress = false;
    let ids: Vec<FuncId> = best.functions.keys().collect();
    for id in ids {
        let blocks: Vec<Block> = best.functions[id].layout.blocks().skip(1).collect();
        for b in blocks {
            for n in (0..best.functions[id].dfg.params(b).len()).rev() {
                if start.elapsed() > TIME {
                    return progress;
                }
                progress |= attempt(best, fails, |m| {
                    let f = &mut m.functions[id];
                    let v = f.dfg.params(b)[n];
                    let ty = f.dfg.ty(v);
                    let z = zero(f, ty);
                    let mut keep = vec![true; f.dfg.params(b).len()];
                    keep[n] = false;
                    let cfg = analysis::Cfg::new(f);
                    ir::edit::retain_params(f, b, cfg.preds(b), &keep);
                    f.dfg.replace_value(v, z);
                    f.resolve_aliases();
                    true
                });
            }
        }
    }
    progress
}

/// Instructions go; what used their results uses an operand or a constant.
fn instructions(best: &mut Module, fails: Fails<'_>, start: &Instant) -> bool {
    let mut progress = false;
    for (id, _, i) in places(best).into_iter().rev() {
        let f = &best.functions[id];
        if start.elapsed() > TIME || f.layout.inst_block(i).is_none() || f.dfg.op(i).is_terminator() {
            continue;
        }
        let mut replacements = vec![None];
        if let Some(v) = f.dfg.result(i) {
            let ty = f.dfg.ty(v);
            replacements = f.dfg.args(i).iter().copied().filter(|&a| f.dfg.ty(a) == ty).map(Some).collect();
            replacements.insert(0, None);
        }
        for r in replacements {
            let done = attempt(best, fails, |m| {
                let f = &mut m.functions[id];
                if let Some(v) = f.dfg.result(i) {
                    let ty = f.dfg.ty(v);
                    let to = r.unwrap_or_else(|| zero(f, ty));
                    f.dfg.replace_value(v, to);
                }
                f.layout.remove_inst(i);
                f.resolve_aliases();
                true
            });
            if done {
                progress = true;
                break;
            }
        }
    }
    progress
}

/// Operands become 0 or 1.
fn operands(best: &mut Module, fails: Fails<'_>, start: &Instant) -> bool {
    let mut progress = false;
    for (id, _, i) in places(best) {
        for n in 0..best.functions[id].dfg.args(i).len() {
            let f = &best.functions[id];
            let v = f.dfg.arg(i, n);
            let ty = f.dfg.ty(v);
            if start.elapsed() > TIME || ty.is_ptr() || f.dfg.as_const(v).is_some() {
                continue;
            }
            for bits in [0, 1] {
                let done = attempt(best, fails, |m| {
                    let f = &mut m.functions[id];
                    let one = if ty.is_float() { 1.0f64 } else { 0.0 };
                    let c = match bits {
                        0 => f.dfg.bits(ty, 0),
                        _ if ty.is_float() => f.dfg.fconst(ty, one),
                        _ => f.dfg.bits(ty, 1),
                    };
                    f.dfg.args_mut(i)[n] = c;
                    true
                });
                if done {
                    progress = true;
                    break;
                }
            }
        }
    }
    progress
}

/// Device functions that nobody calls go; so do stack slots' numbers stay. Straight-line blocks are joined.
fn clean(best: &mut Module, fails: Fails<'_>) {
    let called: Vec<FuncId> = places(best)
        .into_iter()
        .filter(|&(id, _, i)| best.functions[id].dfg.op(i) == Opcode::Call)
        .filter_map(|(id, _, i)| best.functions[id].dfg.insts[i].callee())
        .collect();
    let ids: Vec<FuncId> = best.functions.keys().collect();
    for id in ids {
        let f = &best.functions[id];
        if f.kind == ir::FnKind::Device && !called.contains(&id) && !f.is_declaration() {
            attempt(best, fails, |m| {
                let f = &mut m.functions[id];
                let blocks: Vec<Block> = f.layout.blocks().collect();
                blocks.into_iter().for_each(|b| f.layout.remove_block(b));
                true
            });
        }
    }
}
