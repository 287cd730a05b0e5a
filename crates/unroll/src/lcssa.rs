//! Loop-closed SSA form: what a loop computes leaves it through parameters of exit blocks that only the loop branches
//! to, so that copies of the loop can be added without looking at the rest of the function.
//!
//! What must hold: [`LoopInfo`] is up to date for the loops worked on, which do not lie inside each other. New blocks
//! are unknown to the info. Cost: one walk over the function for all loops together, and one more for each loop that
//! what leaves another one passes.

use crate::ssa::Repair;
use analysis::{Edge, Loop, LoopInfo};
use cranelift_entity::SecondaryMap;
use ir::edit::{Passing, insert_in_front};
use ir::{Block, Function, Inst, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

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
            let fresh = insert_in_front(func, *to, edges, Passing::Params);
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
