//! Loop rotation: the exit test at the bottom. A loop that tests in its header is entered through a copy of the test.
//!
//! What must hold: [`LoopInfo`] is up to date for the loops worked on; loops worked on with the same info do not lie
//! inside each other. New blocks are unknown to the info. Limits: [`MAX_ROTATED`] instructions in a copied test.
//! Cost: linear in the loops.

use analysis::{Edge, Loop, LoopInfo};
use ir::edit::{Passing, merge_successor, split_edge};
use ir::{Block, Builder, Function, Inst, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Instructions of a header that is copied in front of its loop.
pub const MAX_ROTATED: usize = 48;

/// Whether [`rotate`] would change the loop: its header leaves it and its latch does not. A loop that an unroller made
/// may leave after its first copy; it stays as it is.
pub fn wants_rotation(func: &Function, info: &LoopInfo, l: Loop) -> bool {
    let header = info.loops.header(l);
    let Some(latch) = info.loops.latch(l) else { return false };
    let exits = |b: Block| func.succs(b).any(|s| !info.loops.contains(l, s));
    let done = info.loops.meta(func, l).is_some_and(|m| m.done);
    !done
        && latch != header
        && exits(header)
        && !exits(latch)
        && func.dfg.op(func.layout.terminator(header)) == Opcode::Br
        && func.dfg.op(func.layout.terminator(latch)) == Opcode::Jump
        && func.layout.insts(header).take(MAX_ROTATED + 1).count() <= MAX_ROTATED
        && func.succs(header).any(|s| s != header && info.loops.contains(l, s))
}

/// Moves the exit test of the header to the bottom and a copy of it in front of the loop.
///
/// What must hold: the loop is simplified ([`analysis::loop_simplify`]) and closed ([`crate::lcssa`]), and
/// [`wants_rotation`]. The header is gone afterwards, merged
/// into the latch; the block after it heads the loop.
pub fn rotate(func: &mut Function, info: &LoopInfo, l: Loop) {
    let header = info.loops.header(l);
    let (Some(latch), Some(entry)) = (info.loops.latch(l), info.loops.entry_edge(&info.cfg, l)) else { return };
    move_invariants(func, info, l, header, entry.from);
    let test = func.layout.terminator(header);
    let stay = func.dfg.successors(test).position(|s| info.loops.contains(l, s)).unwrap_or(0);
    let mut body = func.dfg.successor(test, stay);
    if info.cfg.preds(body).len() > 1 {
        body = split_edge(func, Edge { from: header, inst: test, index: stay as u32 }, header, Passing::Direct);
    }
    let test = func.layout.terminator(header);
    pass_header_values(func, info, l, header, body, test, stay);
    guard(func, header, entry.from, test, stay);
    // The guard leaves to the same block, and the exit stands after the loop.
    split_edge(func, Edge { from: header, inst: test, index: 1 - stay as u32 }, latch, Passing::Params);
    merge_into_latch(func, header, latch, body);
}

/// Computes what the header computes of values from outside of the loop in front of it: a copy for each way would make a variable of
/// the loop of it, of which nothing is known to stay the same.
fn move_invariants(func: &mut Function, info: &LoopInfo, l: Loop, header: Block, preheader: Block) {
    let jump = func.layout.terminator(preheader);
    let mut next = func.layout.first_inst(header);
    while let Some(i) = next {
        next = func.layout.next_inst(i);
        let data = &func.dfg.insts[i];
        let plain = data.is_pure() && !data.reads_memory() && !data.is_convergent() && data.op != Opcode::Load;
        let stays = |&v: &Value| info.loops.defined_outside(func, l, v);
        if plain && !data.op.is_terminator() && func.dfg.result(i).is_some() && func.dfg.args(i).iter().all(stays) {
            func.layout.remove_inst(i);
            func.layout.insert_inst_before(i, jump);
        }
    }
}

/// Hands what the header defines to the body as parameters, so that the body may be entered from elsewhere.
fn pass_header_values(
    func: &mut Function,
    info: &LoopInfo,
    l: Loop,
    header: Block,
    body: Block,
    test: Inst,
    stay: usize,
) {
    let mut own: Vec<Value> = func.dfg.params(header).to_vec();
    own.extend(func.layout.insts(header).filter_map(|i| func.dfg.result(i)));
    let own: FxHashSet<Value> = own.into_iter().collect();
    let mut new: FxHashMap<Value, Value> = FxHashMap::default();
    let mut blocks: Vec<Block> = info.loops.data(l).blocks.iter().copied().filter(|&b| b != header).collect();
    if !blocks.contains(&body) {
        blocks.push(body);
    }
    for &b in &blocks {
        let mut at = func.layout.first_inst(b);
        while let Some(i) = at {
            at = func.layout.next_inst(i);
            let mut used: SmallVec<[Value; 8]> = SmallVec::new();
            func.dfg.for_each_use(i, |v| {
                if own.contains(&v) {
                    used.push(v);
                }
            });
            for v in used {
                new.entry(v).or_insert_with(|| {
                    let ty = func.dfg.ty(v);
                    func.dfg.push_branch_arg(test, stay, v);
                    func.dfg.add_param(body, ty)
                });
            }
            func.dfg.for_each_use_mut(i, |v| {
                if let Some(&p) = new.get(v) {
                    *v = p;
                }
            });
        }
    }
}

/// Copies the header's instructions to the end of the preheader, where they decide whether the loop is entered.
fn guard(func: &mut Function, header: Block, preheader: Block, test: Inst, stay: usize) {
    let jump = func.layout.terminator(preheader);
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    for (n, &p) in func.dfg.params(header).to_vec().iter().enumerate() {
        map.insert(p, func.dfg.branch_args(jump, 0)[n]);
    }
    let mut at = func.layout.first_inst(header);
    let span = func.dfg.span(jump);
    func.layout.remove_inst(jump);
    while let Some(i) = at {
        at = func.layout.next_inst(i);
        if i == test {
            break;
        }
        let constant = |v: Value| func.dfg.as_const(*map.get(&v).unwrap_or(&v));
        let folded = analysis::fold::fold_inst(&func.dfg, i, constant);
        if let (Some(c), Some(v)) = (folded, func.dfg.result(i)) {
            let ty = func.dfg.ty(v);
            let c = func.dfg.constant(ty, c);
            map.insert(v, c);
            continue;
        }
        let copy = func.dfg.clone_inst(i);
        func.dfg.for_each_use_mut(copy, |v| *v = *map.get(v).unwrap_or(v));
        func.layout.append_inst(copy, preheader);
        if let (Some(old), Some(new)) = (func.dfg.result(i), func.dfg.result(copy)) {
            map.insert(old, new);
        }
    }
    let mapped = |func: &Function, n: usize| -> SmallVec<[Value; 8]> {
        func.dfg.branch_args(test, n).iter().map(|v| *map.get(v).unwrap_or(v)).collect()
    };
    let cond = func.dfg.arg(test, 0);
    let cond = *map.get(&cond).unwrap_or(&cond);
    let (stay_args, exit_args) = (mapped(func, stay), mapped(func, 1 - stay));
    let (body, exit) = (func.dfg.successor(test, stay), func.dfg.successor(test, 1 - stay));
    let known = func.dfg.as_bits(cond).map(|b| usize::from(b & 1 == 0));
    let mut b = Builder::at_end(func, preheader);
    b.set_span(span);
    match known {
        Some(way) if way == stay => {
            b.jump(body, &stay_args);
        }
        Some(_) => {
            b.jump(exit, &exit_args);
        }
        None => {
            let (yes, no) = if stay == 0 {
                ((body, &stay_args[..]), (exit, &exit_args[..]))
            } else {
                ((exit, &exit_args[..]), (body, &stay_args[..]))
            };
            let br = b.br(cond, yes, no);
            // The new preheader.
            split_edge(func, Edge { from: preheader, inst: br, index: stay as u32 }, preheader, Passing::Direct);
        }
    }
}

/// Appends the header, which only the latch branches to now, to the latch. Nothing else uses the header's values.
fn merge_into_latch(func: &mut Function, header: Block, latch: Block, body: Block) {
    let jump = func.layout.terminator(latch);
    let md = func.dfg.insts[jump].loop_md();
    let mut next = func.layout.first_inst(header);
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    merge_successor(func, latch, |_, param, value| {
        map.insert(param, value);
    });
    while let Some(i) = next {
        next = func.layout.next_inst(i);
        func.dfg.for_each_use_mut(i, |v| *v = *map.get(v).unwrap_or(v));
    }
    let term = func.layout.terminator(latch);
    debug_assert!(func.dfg.successors(term).any(|s| s == body));
    func.dfg.set_loop_md(term, md);
}
