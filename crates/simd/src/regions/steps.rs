//! What all work-items move by the same steps around a loop with barriers is taken apart: where each one starts, and how
//! far they have come.
//!
//! `p += stride` in a loop that is cut makes `p` live across the cuts, with a value of its own for each work-item. It would be
//! stored and loaded in each iteration, and nothing would be known of what is loaded: accesses through it would be
//! gathered though neighbours access neighbours. As `start + way` only `way` goes around, which is one number for the whole
//! group; `start` is computed again or stays where it is, and how it differs from work-item to work-item is seen.
//!
//! What must hold: verified IR in which each cut ends its block. A parameter of a loop's header is taken apart if the loop has a
//! cut, one entry and one latch, is run and left by all work-items alike, and what comes around is the parameter plus steps
//! that are the same for the group. Sums wrap as they did; what was promised of them is not promised of their parts, so that
//! of indices of 32 bits a test before the access asks whether neighbours are accessed. Limits: [`MAX_STEPS`] for each
//! parameter. Cost: linear but for those.

use super::plan::Analyses;
use super::prepare::Prepared;
use analysis::{Loop, LoopInfo};
use cranelift_entity::EntitySet;
use ir::{Builder, Flags, Function, Inst, Opcode, Payload, Type, Value, ValueDef, edit};

/// Most steps of one iteration.
const MAX_STEPS: usize = 32;

/// A parameter, and what comes around to it.
struct Moved {
    /// Which of the header's.
    index: usize,
    /// What it is at first.
    start: Value,
    /// From the parameter to what comes around: the sums and differences, and their steps.
    steps: Vec<(Inst, Value)>,
    /// Type of the way.
    way: Type,
}

/// Takes apart what can be; whether something was.
pub(super) fn take_apart(p: &mut Prepared) -> bool {
    if p.yields || !p.func.layout.blocks().any(|b| p.cut[b].is_some()) {
        return false;
    }
    let facts = Analyses::new(&p.func);
    let info = &facts.info;
    // Work-items' own, which the analysis has not seen.
    let mut own = EntitySet::new();
    let loops: Vec<Loop> = info.loops.inner_first().collect();
    let mut changed = false;
    for l in loops {
        let header = info.loops.header(l);
        let is_cut = info.loops.data(l).blocks.iter().any(|&b| p.cut[b].is_some());
        let alike = !facts.uniform.has_divergent_exit(l) && !facts.uniform.is_partially_executed(header);
        if !is_cut || !alike {
            continue;
        }
        let is_uniform = |own: &EntitySet<Value>, v: Value| !own.contains(v) && facts.uniform.is_uniform(v);
        let count = p.func.dfg.params(header).len();
        let moved = (0..count).filter_map(|n| find(&p.func, info, l, n, |v| is_uniform(&own, v)));
        let moved: Vec<Moved> = moved.collect();
        for m in &moved {
            apply(&mut p.func, info, l, m, &mut own);
        }
        if !moved.is_empty() {
            let keep: Vec<bool> =
                (0..p.func.dfg.params(header).len()).map(|n| moved.iter().all(|m| m.index != n)).collect();
            edit::retain_params(&mut p.func, header, info.cfg.preds(header), &keep);
            changed = true;
        }
    }
    if changed {
        p.func.dfg.resolve_aliases(&p.func.layout);
    }
    changed
}

/// What a parameter of a loop's header is, if it can be taken apart.
fn find(func: &Function, info: &LoopInfo, l: Loop, index: usize, is_uniform: impl Fn(Value) -> bool) -> Option<Moved> {
    let dfg = &func.dfg;
    let header = info.loops.header(l);
    let param = dfg.params(header)[index];
    let ty = dfg.ty(param);
    let way = if ty.is_ptr() { Type::I64 } else { ty };
    if !matches!(way, Type::I64 | Type::I32) || is_uniform(param) {
        return None;
    }
    let latch = info.loops.latch(l)?;
    let entry = info.loops.entry_edge(&info.cfg, l)?;
    let start = dfg.resolve(dfg.branch_args(entry.inst, entry.index as usize)[index]);
    let mut back = info.cfg.preds(header).iter().filter(|e| e.from == latch);
    let (edge, None) = (back.next()?, back.next()) else { return None };
    let mut steps = Vec::new();
    let mut at = dfg.resolve(dfg.branch_args(edge.inst, edge.index as usize)[index]);
    while at != param {
        let ValueDef::Inst(i) = dfg.def(at) else { return None };
        let in_loop = func.layout.inst_block(i).is_some_and(|b| info.loops.contains(l, b));
        let op = dfg.op(i);
        if !in_loop || steps.len() == MAX_STEPS || !matches!(op, Opcode::PtrAdd | Opcode::Add | Opcode::Sub) {
            return None;
        }
        let (a, b) = (dfg.resolve(dfg.arg(i, 0)), dfg.resolve(dfg.arg(i, 1)));
        let (from, step) = if op == Opcode::Add && is_uniform(a) { (b, a) } else { (a, b) };
        if !is_uniform(step) || dfg.ty(step) != way || dfg.ty(from) != ty {
            return None;
        }
        steps.push((i, step));
        at = from;
    }
    steps.reverse();
    (!steps.is_empty()).then_some(Moved { index, start, steps, way })
}

/// Writes a parameter as its start and the way from there.
fn apply(func: &mut Function, info: &LoopInfo, l: Loop, m: &Moved, own: &mut EntitySet<Value>) {
    let header = info.loops.header(l);
    let param = func.dfg.params(header)[m.index];
    let ty = func.dfg.ty(param);
    let way = func.dfg.add_param(header, m.way);
    let sum = if ty.is_ptr() { Opcode::PtrAdd } else { Opcode::Add };
    // Where each step stays inside of the object, so does the way.
    let stays = m.steps.iter().all(|(i, _)| func.dfg.insts[*i].flags.has(Flags::INBOUNDS));
    let flags = if ty.is_ptr() && stays { Flags::INBOUNDS } else { Flags::NONE };
    let add = |func: &mut Function, before: Inst, op, ty, flags, a, b| {
        let span = func.dfg.span(before);
        let mut builder = Builder::before(func, before);
        builder.set_span(span);
        builder.value(op, ty, flags, &[a, b], Payload::None)
    };
    let mut far = way;
    for &(i, step) in &m.steps {
        let step = func.dfg.resolve(step);
        let on = if func.dfg.op(i) == Opcode::Sub { Opcode::Sub } else { Opcode::Add };
        far = add(func, i, on, m.way, Flags::NONE, far, step);
        func.dfg.rewrite(i, sum, flags, &[m.start, far], Payload::None);
        own.insert(func.dfg.res(i));
    }
    if let Some(first) = func.layout.first_inst(header) {
        let now = add(func, first, sum, ty, flags, m.start, way);
        own.insert(now);
        func.dfg.replace_value(param, now);
    }
    let zero = func.dfg.iconst(m.way, 0);
    for e in info.cfg.preds(header) {
        let v = if info.loops.contains(l, e.from) { far } else { zero };
        func.dfg.push_branch_arg(e.inst, e.index as usize, v);
    }
}
