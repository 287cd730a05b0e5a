//! Scalar promotion: `*p += x` in a loop becomes `r += x`, with `*p` read before and written behind the loop.
//!
//! Only where that is plain: the place does not move; the loop touches it by one store and by loads of the same
//! address and type; nothing else in the loop, barriers and atomics included, may touch it; the store is executed in
//! every iteration, before every exit. Then each exit edge stores the value last stored, and no store is executed
//! that was not before.
//!
//! For sm_100 and later, where loads of moving addresses may read the place in between, the store stays and only the
//! loads of the same address become a register: what the last iteration stored is not read again (LLVM's LICM,
//! promotion of loads alone, as nvcc does it there).

use super::runs_before_exits;
use crate::loop_util::{dedicate_exits, shared_exit};
use analysis::{Alias, AliasQuery, AliasResult, Clobber, Location, Loop, LoopInfo};
use cranelift_entity::PrimaryMap;
use ir::{Block, Builder, Flags, Function, Global, GlobalData, Inst, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

/// Most blocks of a loop that is looked at.
const MAX_BLOCKS: usize = 64;
/// Most loops that get exits of their own.
const MAX_ROOM: u32 = 16;
/// Most places promoted per loop.
const MAX_PROMOTED: usize = 32;
/// Most questions per loop and promoted place, whether an access may touch what a store writes: a private array that is filled in
/// a row has as many stores as accesses.
const MAX_QUESTIONS: usize = 50_000;

/// Promotes what it can in one loop; with `partly` loads also where the store has to stay.
pub(super) fn run(
    func: &mut Function,
    info: &LoopInfo,
    alias: &Alias,
    globals: &PrimaryMap<Global, GlobalData>,
    l: Loop,
    partly: bool,
) -> bool {
    let mut done = 0;
    if info.loops.data(l).blocks.len() > MAX_BLOCKS {
        return false;
    }
    while done < MAX_PROMOTED {
        let q = AliasQuery { alias, func, globals };
        let accesses = accesses(&q, info, l);
        let asked = MAX_QUESTIONS / accesses.len().max(1);
        let mut stores = candidates(func, info, l).into_iter().take(asked.max(1));
        let Some(plan) = stores.find_map(|s| plan(&q, info, l, s, &accesses, partly)) else {
            break;
        };
        apply(func, info, l, plan);
        done += 1;
    }
    done > 0
}

/// Gives loops with stores that may be moved behind them exits of their own. Whether that changed the control flow; then the
/// info is that of the new one.
pub(super) fn make_room(func: &mut Function, info: &mut LoopInfo) -> bool {
    for done in 0..MAX_ROOM {
        let wants = |l: Loop| info.loops.data(l).blocks.len() <= MAX_BLOCKS && !candidates(func, info, l).is_empty();
        let shares = |l: &Loop| wants(*l) && shared_exit(func, info, *l).is_some();
        let Some(l) = info.loops.iter().find(shares) else { return done > 0 };
        dedicate_exits(func, info, l);
        *info = LoopInfo::new(func);
    }
    true
}

/// A store to be moved behind the loop, with the loads of the same address.
struct Promotion {
    store: Inst,
    loads: SmallVec<[Inst; 4]>,
    /// Other loads may read there: the store stays.
    stays: bool,
}

/// Plain stores of the loop itself to addresses from outside.
fn candidates(func: &Function, info: &LoopInfo, l: Loop) -> Vec<Inst> {
    let blocks = info.loops.data(l).blocks.iter().filter(|&&b| info.loops.innermost(b) == Some(l));
    blocks
        .flat_map(|&b| func.layout.insts(b))
        .filter(|&i| {
            let data = &func.dfg.insts[i];
            data.op == Opcode::Store
                && !data.flags.has(Flags::VOLATILE)
                && info.loops.defined_outside(func, l, func.dfg.arg(i, 0))
        })
        .collect()
}

/// An instruction that may touch memory: what it reads, what it writes.
type Access = (Inst, [Clobber; 2]);

/// What a loop has that may touch memory that changes.
fn accesses(q: &AliasQuery<'_>, info: &LoopInfo, l: Loop) -> Vec<Access> {
    let insts = info.loops.data(l).blocks.iter().flat_map(|&b| q.func.layout.insts(b));
    // What nobody writes while the kernel runs is in no place that is written: tables of `exp`, whatever its space might alias.
    let lasts = |i: Inst| q.func.dfg.op(i) == Opcode::Load && q.func.dfg.insts[i].flags.has(Flags::INVARIANT);
    let insts = insts.filter(|&i| !q.func.dfg.op(i).is_terminator() && !lasts(i));
    insts
        .map(|i| (i, [q.reads(i), q.clobber(i)]))
        .filter(|(_, touched)| touched.iter().any(|c| !matches!(c, Clobber::None)))
        .collect()
}

fn plan(
    q: &AliasQuery<'_>,
    info: &LoopInfo,
    l: Loop,
    store: Inst,
    accesses: &[Access],
    partly: bool,
) -> Option<Promotion> {
    let func = q.func;
    let loops = &info.loops;
    let home = func.layout.inst_block(store)?;
    let exiting = loops.exiting_blocks(func, l);
    let dominates_latches = loops.data(l).latches.iter().all(|&x| info.dom.dominates(home, x));
    if exiting.is_empty() || !dominates_latches || !runs_before_exits(info, &exiting, home) {
        return None;
    }
    // Each exit block is reached from the loop alone, so that the store behind it is executed for the loop alone.
    if shared_exit(func, info, l).is_some() {
        return None;
    }
    let ty = func.dfg.ty(func.dfg.arg(store, 1));
    let place = q.place(Location::accessed(func, store)?);
    let mut loads: SmallVec<[Inst; 4]> = SmallVec::new();
    let mut stays = false;
    for &(i, ref touched) in accesses {
        if i == store || !touched.iter().any(|c| q.touches(c, &place)) {
            continue;
        }
        let same = func.dfg.op(i) == Opcode::Load
            && func.dfg.insts[i].ty == ty
            && !func.dfg.insts[i].flags.has(Flags::VOLATILE)
            && Location::accessed(func, i).is_some_and(|x| q.alias(x, place.at) == AliasResult::Must);
        // The load stands before the store in the iteration, or behind it.
        let before = || info.dom.dominates_inst(func, i, store);
        let behind = || info.dom.dominates_inst(func, store, i);
        if same && (before() || behind()) {
            loads.push(i);
        } else if partly && func.dfg.op(i) == Opcode::Load && !loops.defined_outside(func, l, func.dfg.arg(i, 0)) {
            stays = true;
        } else {
            return None;
        }
    }
    (!stays || !loads.is_empty()).then_some(Promotion { store, loads, stays })
}

fn apply(func: &mut Function, info: &LoopInfo, l: Loop, plan: Promotion) {
    let loops = &info.loops;
    let header = loops.header(l);
    let (ptr, value) = (func.dfg.arg(plan.store, 0), func.dfg.arg(plan.store, 1));
    let ty = func.dfg.ty(value);
    let (flags, payload) = (func.dfg.insts[plan.store].flags, func.dfg.insts[plan.store].payload.clone());
    // A parameter holds what the place held when the iteration began, if anybody asks.
    let early: SmallVec<[Inst; 4]> =
        plan.loads.iter().copied().filter(|&i| info.dom.dominates_inst(func, i, plan.store)).collect();
    let param = (!early.is_empty()).then(|| func.dfg.add_param(header, ty));
    if let Some(p) = param {
        let edges: SmallVec<[_; 4]> = info.cfg.preds(header).iter().copied().collect();
        for e in edges {
            let v = if loops.contains(l, e.from) {
                value
            } else {
                Builder::before(func, e.inst).value(Opcode::Load, ty, flags, &[ptr], payload.clone())
            };
            func.dfg.push_branch_arg(e.inst, e.index as usize, v);
        }
        for &i in &early {
            replace(func, i, p);
        }
    }
    for &i in plan.loads.iter().filter(|i| !early.contains(i)) {
        replace(func, i, value);
    }
    if plan.stays {
        return;
    }
    for x in loops.exit_blocks(func, l) {
        store_at_start(func, x, flags, ptr, value, payload.clone(), plan.store);
    }
    func.layout.remove_inst(plan.store);
}

fn replace(func: &mut Function, load: Inst, by: Value) {
    let old = func.dfg.res(load);
    func.dfg.replace_value(old, by);
    func.layout.remove_inst(load);
}

fn store_at_start(func: &mut Function, b: Block, flags: Flags, ptr: Value, v: Value, payload: Payload, like: Inst) {
    let i = func.dfg.make_inst(Opcode::Store, Type::VOID, flags, &[ptr, v], payload);
    func.dfg.set_span(i, func.dfg.span(like));
    func.layout.prepend_inst(i, b);
}
