//! Puts loops into the shape that the transformations demand: the entry guards.
//!
//! * [`simplify`]: a preheader (one block outside that jumps to the header and nowhere else) and one latch.
//! * [`rotate`]: the exit test at the bottom. A loop that tests in its header is entered through a copy of the test.
//! * [`close`]: what a loop computes leaves it through parameters of exit blocks that only the loop branches to, so
//!   that copies of the loop can be added without looking at the rest of the function.
//!
//! What must hold: [`LoopInfo`] is up to date for the loops worked on; loops worked on with the same info do not lie
//! inside each other. New blocks are unknown to the info. Limits: [`MAX_ROTATED`] instructions in a copied test.
//! Cost: linear in the loops, and for [`close`] one walk over the function for all loops together.

use crate::ssa::Repair;
use analysis::{Edge, Loop, LoopInfo};
use cranelift_entity::SecondaryMap;
use ir::{Block, Builder, Function, Inst, LoopMd, Opcode, Payload, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Instructions of a header that is copied in front of its loop.
pub const MAX_ROTATED: usize = 48;

/// Gives a loop a preheader and a single latch. Whether anything changed; then the info is out of date.
pub fn simplify(func: &mut Function, info: &LoopInfo, l: Loop) -> bool {
    let header = info.loops.header(l);
    let (inside, outside): (Vec<Edge>, Vec<Edge>) =
        info.cfg.preds(header).iter().partition(|e| info.loops.contains(l, e.from));
    let mut changed = false;
    let has_preheader = outside.len() == 1 && func.dfg.successor_count(outside[0].inst) == 1;
    if !has_preheader && !outside.is_empty() {
        let ph = block_in_front(func, header, &outside, false);
        func.layout.insert_block_before(ph, header);
        changed = true;
    }
    if inside.len() > 1 {
        let md = info.loops.md(func, l);
        let latch = block_in_front(func, header, &inside, true);
        let after = inside.iter().map(|e| e.from).max_by_key(|&b| info.cfg.rpo_number(b)).unwrap_or(header);
        func.layout.insert_block_after(latch, after);
        for e in &inside {
            func.dfg.set_loop_md(e.inst, None);
        }
        let jump = func.layout.terminator(latch);
        func.dfg.set_loop_md(jump, md);
        changed = true;
    }
    changed | (inside.len() == 1 && fold_empty_latch(func, info, l, inside[0]))
}

/// Takes an empty latch out, so that the test before it (`do … while`) is seen to stand at the bottom.
fn fold_empty_latch(func: &mut Function, info: &LoopInfo, l: Loop, back: Edge) -> bool {
    let latch = back.from;
    let [into] = *info.cfg.preds(latch) else { return false };
    let empty = func.layout.first_inst(latch) == Some(back.inst) && func.dfg.op(back.inst) == Opcode::Jump;
    let header = info.loops.header(l);
    let tested = func.dfg.op(into.inst) == Opcode::Br
        && info.loops.innermost(into.from) == Some(l)
        && func.dfg.insts[into.inst].loop_md().is_none()
        && func.succs(into.from).all(|s| s == latch || !info.loops.contains(l, s));
    if !empty || !tested || latch == header {
        return false;
    }
    let params: SmallVec<[Value; 8]> = func.dfg.params(latch).into();
    let given: SmallVec<[Value; 8]> = func.dfg.branch_args(into.inst, into.index as usize).into();
    let args: SmallVec<[Value; 8]> = func
        .dfg
        .branch_args(back.inst, 0)
        .iter()
        .map(|v| params.iter().position(|p| p == v).map_or(*v, |n| given[n]))
        .collect();
    let md = func.dfg.insts[back.inst].loop_md();
    func.dfg.set_successor(into.inst, into.index as usize, header);
    func.dfg.set_branch_args(into.inst, into.index as usize, &args);
    func.dfg.set_loop_md(into.inst, md);
    func.layout.remove_block(latch);
    true
}

/// A block, placed by the caller, that takes over `edges` to `target` and jumps there. A single edge that enters a
/// loop hands its values over directly; what leaves a loop leaves through parameters.
fn block_in_front(func: &mut Function, target: Block, edges: &[Edge], leaves: bool) -> Block {
    let block = func.dfg.make_block();
    let span = func.dfg.span(edges[0].inst);
    let mut passed: SmallVec<[Value; 8]> = SmallVec::new();
    if let ([only], false) = (edges, leaves) {
        passed.extend_from_slice(func.dfg.branch_args(only.inst, only.index as usize));
        func.dfg.set_branch_args(only.inst, only.index as usize, &[]);
    } else {
        let types: SmallVec<[ir::Type; 8]> = func.dfg.params(target).iter().map(|&p| func.dfg.ty(p)).collect();
        passed.extend(types.iter().map(|&t| func.dfg.add_param(block, t)));
    }
    for e in edges {
        func.dfg.set_successor(e.inst, e.index as usize, block);
    }
    let call = func.dfg.block_call(target, &passed);
    let payload = Payload::Jump(call, None.into());
    let jump = func.dfg.make_inst(Opcode::Jump, ir::Type::VOID, ir::Flags::NONE, &[], payload);
    func.dfg.set_span(jump, span);
    func.layout.append_inst(jump, block);
    block
}

/// Puts a new block into one edge, places it after `place` and returns it. An edge that leaves a loop hands its values
/// to parameters of the block.
pub fn split_edge(func: &mut Function, edge: Edge, place: Block, leaves: bool) -> Block {
    let target = func.dfg.successor(edge.inst, edge.index as usize);
    let block = block_in_front(func, target, &[edge], leaves);
    func.layout.insert_block_after(block, place);
    block
}

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
/// What must hold: the loop is simplified and closed, and [`wants_rotation`]. The header is gone afterwards, merged
/// into the latch; the block after it heads the loop.
pub fn rotate(func: &mut Function, info: &LoopInfo, l: Loop) {
    let header = info.loops.header(l);
    let (Some(latch), Some(entry)) = (info.loops.latch(l), info.loops.entry_edge(&info.cfg, l)) else { return };
    let test = func.layout.terminator(header);
    let stay = func.dfg.successors(test).position(|s| info.loops.contains(l, s)).unwrap_or(0);
    let mut body = func.dfg.successor(test, stay);
    if info.cfg.preds(body).len() > 1 {
        body = split_edge(func, Edge { from: header, inst: test, index: stay as u32 }, header, false);
    }
    let test = func.layout.terminator(header);
    pass_header_values(func, info, l, header, body, test, stay);
    guard(func, header, entry.from, test, stay);
    // The guard leaves to the same block, and the exit stands after the loop.
    split_edge(func, Edge { from: header, inst: test, index: 1 - stay as u32 }, latch, true);
    merge_into_latch(func, header, latch, body);
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
            split_edge(func, Edge { from: preheader, inst: br, index: stay as u32 }, preheader, false);
        }
    }
}

/// Appends the header, which only the latch branches to now, to the latch.
fn merge_into_latch(func: &mut Function, header: Block, latch: Block, body: Block) {
    let jump = func.layout.terminator(latch);
    let md: Option<LoopMd> = func.dfg.insts[jump].loop_md();
    let params: SmallVec<[Value; 8]> = func.dfg.params(header).into();
    let args: SmallVec<[Value; 8]> = func.dfg.branch_args(jump, 0).into();
    let map: FxHashMap<Value, Value> = params.into_iter().zip(args).collect();
    func.layout.remove_inst(jump);
    while let Some(i) = func.layout.first_inst(header) {
        func.layout.remove_inst(i);
        func.dfg.for_each_use_mut(i, |v| *v = *map.get(v).unwrap_or(v));
        func.layout.append_inst(i, latch);
    }
    func.layout.remove_block(header);
    let term = func.layout.terminator(latch);
    debug_assert!(func.dfg.successors(term).any(|s| s == body));
    func.dfg.set_loop_md(term, md);
}

/// Closes loops: each exit edge leads to a block that only its loop branches to, and values leave through those
/// blocks' parameters.
pub fn close(func: &mut Function, info: &LoopInfo, loops: &[Loop]) {
    if loops.is_empty() {
        return;
    }
    let exits: Vec<Vec<(Block, Vec<Edge>)>> = loops.iter().map(|&l| dedicated_exits(func, info, l)).collect();
    // Which of the loops a block is in; they are disjoint.
    let mut owner: Owner = ir::side_table(func.dfg.blocks.len());
    for (n, &l) in loops.iter().enumerate() {
        for &b in &info.loops.data(l).blocks {
            owner[b] = Some(n as u32);
        }
    }
    let mut home: Home = ir::side_table(func.dfg.values.len());
    // A value on its way from one loop may pass another as a parameter of its header, and leaves that one too.
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    for _ in loops {
        note_homes(func, info, loops, &mut home);
        let mut escaping = escaping_uses(func, &owner, &home);
        escaping.retain(|((_, v), _)| seen.insert(*v));
        if escaping.is_empty() {
            break;
        }
        for ((n, v), uses) in escaping {
            leave_through(func, info, &exits[n as usize], v, &uses);
        }
    }
}

/// Exit blocks of a loop with the edges that lead to each.
fn dedicated_exits(func: &mut Function, info: &LoopInfo, l: Loop) -> Vec<(Block, Vec<Edge>)> {
    let mut groups: Vec<(Block, Vec<Edge>)> = Vec::new();
    for e in info.loops.exit_edges(func, l) {
        let to = func.dfg.successor(e.inst, e.index as usize);
        match groups.iter_mut().find(|(b, _)| *b == to) {
            Some((_, edges)) => edges.push(e),
            None => groups.push((to, vec![e])),
        }
    }
    for (to, edges) in &mut groups {
        // A block that the info does not know was made for somebody else.
        let known = info.cfg.is_reachable(*to);
        let own = known && info.cfg.preds(*to).iter().all(|e| info.loops.contains(l, e.from));
        if !own {
            let fresh = block_in_front(func, *to, edges, true);
            func.layout.insert_block_after(fresh, info.loops.latch(l).unwrap_or(edges[0].from));
            *to = fresh;
        }
    }
    groups
}

/// Uses grouped by the loop's number and the value, in a deterministic order.
type Escaping = Vec<((u32, Value), Vec<(Inst, Block)>)>;

/// The number of the loop that a block is in.
type Owner = SecondaryMap<Block, Option<u32>>;
/// The number of the loop that a value is defined in: most uses are of values of no loop, or of their own.
type Home = SecondaryMap<Value, Option<u32>>;

/// Enters the values that loops define.
fn note_homes(func: &Function, info: &LoopInfo, loops: &[Loop], home: &mut Home) {
    for (n, &l) in loops.iter().enumerate() {
        for &b in &info.loops.data(l).blocks {
            let results = func.layout.insts(b).filter_map(|i| func.dfg.result(i));
            for v in func.dfg.params(b).iter().copied().chain(results) {
                home[v] = Some(n as u32);
            }
        }
    }
}

/// Uses outside of a loop of values defined in it, grouped, in the order of the layout.
fn escaping_uses(func: &Function, owner: &Owner, home: &Home) -> Escaping {
    let mut found: Vec<(u32, Value, Inst, Block)> = Vec::new();
    for b in func.layout.blocks() {
        let here = owner[b];
        for i in func.layout.insts(b) {
            func.dfg.for_each_use(i, |v| {
                // Next to none escapes.
                if let Some(n) = home[v]
                    && here != Some(n)
                {
                    found.push((n, v, i, b));
                }
            });
        }
    }
    let mut groups: Escaping = Vec::new();
    let mut index: FxHashMap<Value, usize> = FxHashMap::default();
    for (n, v, i, b) in found {
        let k = *index.entry(v).or_insert_with(|| {
            groups.push(((n, v), Vec::new()));
            groups.len() - 1
        });
        if groups[k].1.last() != Some(&(i, b)) {
            groups[k].1.push((i, b));
        }
    }
    groups
}

fn leave_through(func: &mut Function, info: &LoopInfo, exits: &[(Block, Vec<Edge>)], v: Value, uses: &[(Inst, Block)]) {
    let home = match func.dfg.def(v) {
        ValueDef::Inst(d) => func.layout.inst_block(d),
        ValueDef::Param(p, _) => Some(p),
        _ => None,
    };
    let Some(home) = home else { return };
    let ty = func.dfg.ty(v);
    let mut ways: SmallVec<[(Block, Value); 4]> = SmallVec::new();
    for (block, edges) in exits {
        if edges.iter().all(|e| info.dom.dominates(home, e.from)) {
            let p = func.dfg.add_param(*block, ty);
            for e in edges {
                func.dfg.push_branch_arg(e.inst, e.index as usize, v);
            }
            ways.push((*block, p));
        }
    }
    match ways[..] {
        [] => {}
        // The only way to the uses.
        [(_, p)] => {
            for &(i, _) in uses {
                func.dfg.for_each_use_mut(i, |u| {
                    if *u == v {
                        *u = p;
                    }
                });
            }
        }
        _ => Repair::new(func, ty, &ways).rewrite(func, v, uses),
    }
}
