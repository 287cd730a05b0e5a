//! Loads of what the iteration before has loaded: `a[i]` in a loop that has loaded `a[i + 1]` becomes a register.
//!
//! What NVIDIA's compilers have of LLVM's partial redundancy elimination once loops are unrolled (measured on nests whose copies
//! load places of the next round): a load in the first block of a loop, of a place that the iteration before surely loaded,
//! is done once before the loop; from then on the value comes along. Only where nothing in the loop may write there, and where every
//! entry into the loop executes the load.
//!
//! Limits: [`MAX_BLOCKS`] blocks and [`MAX_WRITES`] writes of a loop, [`MAX_CARRIED`] values that it carries so, [`MAX_CHAIN`] instructions
//! of an address. Cost: one scalar evolution, and each load that is taken compared with each write.

use crate::PassContext;
use crate::licm::may_stop;
use crate::loop_util::with_preheaders;
use analysis::{Alias, AliasQuery, Clobber, Expr, Location, Loop, LoopInfo, Node, Place, Scev};
use ir::{Block, Flags, Function, Inst, Opcode, Type, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Most blocks of a loop that is looked at.
const MAX_BLOCKS: usize = 64;
/// Most instructions of a loop that may write.
const MAX_WRITES: usize = 64;
/// Most values that a loop carries so.
const MAX_CARRIED: usize = 32;
/// Most instructions that compute an address from what the loop begins with.
const MAX_CHAIN: usize = 24;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let before = func.layout.blocks().count();
    let info = with_preheaders(func, cx);
    let changed = func.layout.blocks().count() != before;
    if info.loops.is_empty() {
        return changed;
    }
    let mut found = Vec::new();
    {
        let alias = Alias::new(func, &info.cfg);
        let q = AliasQuery { alias: &alias, func, globals: &cx.module.globals };
        let mut scev = Scev::new(func, &info, cx.options.target);
        for l in info.loops.iter() {
            carried(&q, &mut scev, l, &mut found);
        }
    }
    for c in &found {
        carry(func, &info, c);
    }
    if !found.is_empty() {
        func.resolve_aliases();
    }
    changed || !found.is_empty()
}

/// A load of what another load of the loop had an iteration before.
struct Carried {
    l: Loop,
    load: Inst,
    from: Inst,
}

/// The loads of loop `l` that need not be done in each iteration.
fn carried(q: &AliasQuery<'_>, scev: &mut Scev<'_>, l: Loop, found: &mut Vec<Carried>) {
    let (func, info) = (scev.func, scev.info);
    let data = info.loops.data(l);
    let header = info.loops.header(l);
    let [latch] = data.latches[..] else { return };
    if data.blocks.len() > MAX_BLOCKS || info.loops.preheader(func, &info.cfg, l).is_none() {
        return;
    }
    let surely = data.blocks.iter().filter(|&&b| info.loops.innermost(b) == Some(l) && info.dom.dominates(b, latch));
    let mut at: FxHashMap<(Expr, Type), Inst> = FxHashMap::default();
    for i in surely.flat_map(|&b| func.layout.insts(b)).filter(|&i| is_plain_load(func, i)) {
        at.entry((scev.expr(func.dfg.arg(i, 0)), func.dfg.insts[i].ty)).or_insert(i);
    }
    if at.len() < 2 || !func.layout.insts(header).any(|i| is_plain_load(func, i)) {
        return;
    }
    let insts = data.blocks.iter().flat_map(|&b| func.layout.insts(b));
    let writes: Vec<Clobber> = insts.map(|i| q.clobber(i)).filter(|c| !matches!(c, Clobber::None)).collect();
    if writes.len() > MAX_WRITES {
        return;
    }
    let before = found.len();
    for load in func.layout.insts(header).take_while(|&i| !may_stop(func, i)) {
        if found.len() - before == MAX_CARRIED || !is_plain_load(func, load) {
            continue;
        }
        let ptr = func.dfg.arg(load, 0);
        let here = scev.expr(ptr);
        let Node::AddRec { step, l: of, .. } = scev.exprs.node(here) else { continue };
        let next = scev.add(here, step);
        let from = at.get(&(next, func.dfg.insts[load].ty)).filter(|_| of == l && next != here);
        let place = Location::accessed(func, load).map(|x| q.place(x));
        let (Some(&from), Some(place)) = (from, place) else { continue };
        let stays = place.is_invariant() || !writes.iter().any(|w| may_write_to_object(q, w, &place));
        if stays && chain(func, info, l, ptr).is_some() {
            found.push(Carried { l, load, from });
        }
    }
}

/// Whether a write may be to the object of a place: where in it does not matter, since it moves between iterations as the place does.
fn may_write_to_object(q: &AliasQuery<'_>, write: &Clobber, place: &Place) -> bool {
    match write {
        Clobber::Place(p) => q.may_share_object(p, place),
        Clobber::VisibleAnd(p) => q.may_share_object(p, place) || q.is_clobbered(write, place),
        _ => q.is_clobbered(write, place),
    }
}

fn is_plain_load(func: &Function, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    data.op == Opcode::Load && !data.flags.has(Flags::VOLATILE)
}

/// What computes an address of the loop's first block from what comes into it, in order; nothing if that cannot be repeated before
/// the loop.
fn chain(func: &Function, info: &LoopInfo, l: Loop, ptr: Value) -> Option<Vec<Inst>> {
    let header = info.loops.header(l);
    let (mut out, mut todo) = (Vec::new(), vec![ptr]);
    while let Some(v) = todo.pop() {
        let i = match func.dfg.def(v) {
            ValueDef::Param(b, _) if info.loops.contains(l, b) && b != header => return None,
            ValueDef::Inst(i) if !info.loops.defined_outside(func, l, v) => i,
            ValueDef::Alias(_) => return None,
            _ => continue,
        };
        let repeats = func.dfg.insts[i].is_pure() && func.layout.inst_block(i) == Some(header);
        if !repeats || out.len() == MAX_CHAIN {
            return None;
        }
        if !out.contains(&i) {
            out.push(i);
            todo.extend(func.dfg.args(i).iter().map(|&a| func.dfg.resolve(a)));
        }
    }
    out.sort_by(|&a, &b| {
        if info.dom.dominates_inst(func, a, b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
    });
    Some(out)
}

/// Loads once before the loop, and takes what the iteration before loaded from then on.
fn carry(func: &mut Function, info: &LoopInfo, c: &Carried) {
    let l = c.l;
    let header = info.loops.header(l);
    let Some(pre) = info.loops.preheader(func, &info.cfg, l) else { return };
    let ptr = func.dfg.resolve(func.dfg.arg(c.load, 0));
    let Some(chain) = chain(func, info, l, ptr) else { return };
    let first = first_load(func, header, pre, c.load, &chain);
    let ty = func.dfg.insts[c.load].ty;
    let param = func.dfg.add_param(header, ty);
    let again = func.dfg.res(c.from);
    for e in info.cfg.preds(header).to_vec() {
        let v = if info.loops.contains(l, e.from) { again } else { first };
        func.dfg.push_branch_arg(e.inst, e.index as usize, v);
    }
    let old = func.dfg.res(c.load);
    func.dfg.replace_value(old, param);
    func.layout.remove_inst(c.load);
}

/// The load in front of the loop, with what the loop begins with.
fn first_load(func: &mut Function, header: Block, pre: Block, load: Inst, chain: &[Inst]) -> Value {
    let enter = func.layout.terminator(pre);
    let params = func.dfg.params(header).to_vec();
    let start = func.dfg.branch_args(enter, 0).to_vec();
    let mut known: FxHashMap<Value, Value> = params.into_iter().zip(start).collect();
    for &i in chain.iter().chain([&load]) {
        let args: Vec<Value> = func.dfg.args(i).iter().map(|&a| func.dfg.resolve(a)).collect();
        let args: Vec<Value> = args.iter().map(|a| known.get(a).copied().unwrap_or(*a)).collect();
        let copy = func.dfg.clone_with(i, &args);
        func.layout.insert_inst_before(copy, enter);
        let (old, new) = (func.dfg.res(i), func.dfg.res(copy));
        known.insert(old, new);
    }
    let old = func.dfg.res(load);
    known[&old]
}
