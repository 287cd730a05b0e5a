//! Loops in two versions: `*p += a[i] * b[i]` with the sum in a register where `*p` is none of what the loop loads. Likewise
//! `x[i] = x[i - 1] * a[i]` with what an iteration stores in a register for the next one ([`moving`]).
//!
//! Pointers of kernels may point to the same memory, so that a loop which adds up in memory must store in each iteration,
//! and read again, though hardly any program needs that. A test before the loop finds out: the loads' addresses change by
//! the same in each iteration, hence lie between the first and the last of them. If no store hits them, a copy of the loop
//! runs that keeps what it stores in registers until its end ([`crate::licm`] does so where the pointers themselves say
//! that they differ). Else the loop runs as it is written.
//!
//! What must hold: verified IR; the loop is one block, ends after a number of iterations that is known when it begins, and
//! accesses memory by plain loads and stores only. Then all of its accesses are done in each iteration, so that addresses
//! between the first and the last have been seen not to wrap. Limits: [`MAX_INSTS`] instructions, [`MAX_STORES`] stores,
//! [`MAX_TESTS`] pairs to be told apart, [`MAX_LOOPS`] loops of a function of [`MAX_FUNCTION`] instructions; loops with
//! hints and those known to be short ([`MIN_TRIPS`]) stay as they are. Cost: linear but for the pairs.

mod moving;

use crate::PassContext;
use crate::loop_util::with_preheaders;
use analysis::scev::{Expr, Exprs, Node, Scev, Wrap};
use analysis::{Address, Alias, AliasQuery, AliasResult, Location, Loop, LoopInfo};
use cranelift_entity::SecondaryMap;
use ir::{
    AddrSpace, Block, Builder, ConstKind, Flags, Function, Inst, IntCC, LoopMd, LoopMeta, Opcode, Payload, Type,
    UnrollRequest, Value, ValueDef,
};
use smallvec::SmallVec;
use target::Target;

/// Most instructions of a loop that is copied.
const MAX_INSTS: usize = 80;
/// Most stores of it.
const MAX_STORES: usize = 4;
/// Most pairs of a store and another access that are compared when it begins.
const MAX_TESTS: usize = 8;
/// Most loops of a function.
const MAX_LOOPS: usize = 8;
/// Most instructions of a function: copies must not make it too large for vectors.
const MAX_FUNCTION: usize = 1500;
/// Most instructions between an address and what counts.
const MAX_DEPTH: u32 = 12;
/// Fewest iterations, where their number is a constant, for which the tests pay.
const MIN_TRIPS: u64 = 16;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    if func.inst_count() > MAX_FUNCTION || func.attrs.minsize {
        return false;
    }
    let info = with_preheaders(func, cx);
    if info.loops.is_empty() {
        return false;
    }
    let alias = Alias::new(func, &info.cfg);
    let mut plans = Vec::new();
    for l in info.loops.iter() {
        let query = AliasQuery { alias: &alias, func, globals: &cx.module.globals };
        if plans.len() < MAX_LOOPS
            && let Some(plan) = plan(&query, &info, cx.options.target, l)
            && !plans.iter().any(|p| speaks_of(func, &plan, p))
        {
            plans.push(plan);
        }
    }
    for plan in &plans {
        apply(func, plan);
    }
    if !plans.is_empty() {
        cx.drop_graph();
        func.resolve_aliases();
    }
    !plans.is_empty()
}

/// Whether a plan is about values of a loop that is to be copied before: what follows that has others in their place.
fn speaks_of(func: &Function, plan: &Plan, before: &Plan) -> bool {
    let inside = |v: Value| match func.dfg.def(v) {
        ValueDef::Inst(i) => func.layout.inst_block(i) == Some(before.block),
        ValueDef::Param(b, _) => b == before.block,
        _ => false,
    };
    let mut found = plan.places.iter().any(|p| inside(p.ptr));
    let sides = plan.tests.iter().flat_map(|t| [&t.one, &t.other]);
    for side in sides {
        match side.at {
            At::Place(ptr) => found |= inside(ptr),
            At::Way { first, last } => {
                plan.exprs.for_each_value(first, &mut |v| found |= inside(v));
                plan.exprs.for_each_value(last, &mut |v| found |= inside(v));
            }
        }
    }
    found
}

/// A loop to be copied.
struct Plan {
    block: Block,
    /// What enters it, a jump.
    entry: Inst,
    /// Which successor of its branch leaves it.
    out: usize,
    /// Places that it stores to, each with the loads and stores of the block that access it.
    places: SmallVec<[Stored; 2]>,
    /// Places that move, of which an iteration loads what the one before stored.
    handed_on: SmallVec<[moving::HandedOn; 2]>,
    /// What the copy needs; without any, the loop itself is changed.
    tests: SmallVec<[Test; 4]>,
    /// What the tests are written in.
    exprs: Exprs,
    span: source::Span,
    must_progress: bool,
}

/// A place that stays in a register.
struct Stored {
    /// Its address.
    ptr: Value,
    ty: Type,
    /// One of the stores.
    like: Inst,
    accesses: SmallVec<[Inst; 4]>,
}

/// What must be found apart.
struct Test {
    one: Reach,
    other: Reach,
}

/// Memory that a loop accesses.
#[derive(Clone, Copy)]
struct Reach {
    at: At,
    /// Bytes from there where it begins and ends.
    from: i64,
    to: i64,
}

#[derive(Clone, Copy)]
enum At {
    /// An address.
    Place(Value),
    /// All between two addresses, whichever is the lower one.
    Way { first: Expr, last: Expr },
}

fn plan(q: &AliasQuery<'_>, info: &LoopInfo, target: Target, l: Loop) -> Option<Plan> {
    let func = q.func;
    let &[block] = &info.loops.data(l).blocks[..] else { return None };
    let t = func.layout.terminator(block);
    if func.dfg.op(t) != Opcode::Br {
        return None;
    }
    let out = (0..2).find(|&n| func.dfg.successor(t, n) != block)?;
    let meta = info.loops.meta(func, l);
    if meta.is_some_and(|m| !m.hints.is_empty() || m.unroll != UnrollRequest::None || m.done) {
        return None;
    }
    let entry = info.loops.entry_edge(&info.cfg, l)?.inst;
    if func.dfg.op(entry) != Opcode::Jump {
        return None;
    }
    let accesses = accesses(func, block)?;
    let places = places(q, info, l, &accesses);
    let pairs = if places.is_none() { moving::pairs(q, info, l, &accesses)? } else { Vec::new() };
    let mut scev = Scev::within(func, info, target, l);
    let span = meta.map_or(func.dfg.span(t), |m| m.span);
    let must_progress = meta.is_some_and(|m| m.must_progress);
    let handed_on = moving::handed_on(&mut scev, l, &pairs);
    if places.is_none() && handed_on.is_empty() {
        return None;
    }
    let places = places.unwrap_or_default();
    let mut plan = Plan {
        block,
        entry,
        out,
        places,
        handed_on,
        tests: SmallVec::new(),
        exprs: Exprs::default(),
        span,
        must_progress,
    };
    if moving::is_alone(func, &plan, &accesses) {
        return Some(plan);
    }
    let trips = scev.trip_count(l);
    if trips.exact.is_some_and(|n| n < MIN_TRIPS) {
        return None;
    }
    let last = trips.backedges.filter(|&e| scev.exprs.is_expandable(e) && scev.exprs.is_cheap(e))?;
    let last = scev.zext(last, 64);
    plan.tests = match plan.handed_on.is_empty() {
        true => tests(q, &mut scev, l, last, &accesses, &plan.places)?,
        false => moving::tests(q, &mut scev, l, last, &accesses)?,
    };
    plan.exprs = scev.into_exprs();
    Some(plan)
}

/// Loads and stores of a block that does nothing else to memory and is not too long.
fn accesses(func: &Function, block: Block) -> Option<SmallVec<[Inst; 8]>> {
    let mut out = SmallVec::new();
    for (n, i) in func.layout.insts(block).enumerate() {
        let data = &func.dfg.insts[i];
        match data.op {
            _ if n > MAX_INSTS => return None,
            Opcode::Load | Opcode::Store if !data.flags.has(Flags::VOLATILE) => out.push(i),
            _ if data.is_pure() || data.op.is_terminator() => {}
            _ => return None,
        }
    }
    Some(out)
}

/// The places that are stored to, if none of them moves and all are known apart or the same.
fn places(q: &AliasQuery<'_>, info: &LoopInfo, l: Loop, accesses: &[Inst]) -> Option<SmallVec<[Stored; 2]>> {
    let func = q.func;
    let mut out: SmallVec<[Stored; 2]> = SmallVec::new();
    let stores = || accesses.iter().copied().filter(|&i| func.dfg.op(i) == Opcode::Store);
    if stores().count() > MAX_STORES {
        return None;
    }
    for i in stores() {
        let (ptr, ty) = (func.dfg.arg(i, 0), func.dfg.ty(func.dfg.arg(i, 1)));
        if !info.loops.defined_outside(func, l, ptr) {
            return None;
        }
        let at = Location::of(ptr, ty);
        if out.iter().any(|s| s.ty == ty && q.alias(Location::of(s.ptr, s.ty), at) == AliasResult::Must) {
            continue;
        }
        let is_it = |&&a: &&Inst| {
            let same = match func.dfg.op(a) {
                Opcode::Load => func.dfg.insts[a].ty == ty,
                _ => func.dfg.ty(func.dfg.arg(a, 1)) == ty,
            };
            same && Location::accessed(func, a).is_some_and(|b| q.alias(b, at) == AliasResult::Must)
        };
        out.push(Stored { ptr, ty, like: i, accesses: accesses.iter().filter(is_it).copied().collect() });
    }
    (!out.is_empty()).then_some(out)
}

/// What must be compared when the loop begins; nothing if that cannot be told, or need not be.
fn tests(
    q: &AliasQuery<'_>,
    scev: &mut Scev<'_>,
    l: Loop,
    last: Expr,
    accesses: &[Inst],
    places: &[Stored],
) -> Option<SmallVec<[Test; 4]>> {
    let func = q.func;
    let mut out: SmallVec<[Test; 4]> = SmallVec::new();
    for (n, place) in places.iter().enumerate() {
        let at = Location::of(place.ptr, place.ty);
        let mut seen: SmallVec<[Value; 8]> = SmallVec::new();
        // Two places need one test.
        let known = |i: &Inst| places[..=n].iter().any(|p| p.accesses.contains(i));
        for &i in accesses.iter().filter(|&i| !known(i)) {
            let (other, ptr) = (Location::accessed(func, i)?, func.dfg.arg(i, 0));
            match q.alias(at, other) {
                AliasResult::No => continue,
                AliasResult::May if is_plain(func, ptr) && is_plain(func, place.ptr) => {}
                _ => return None,
            }
            if seen.contains(&ptr) {
                continue;
            }
            seen.push(ptr);
            let way = way(scev, l, ptr, last)?;
            let (bytes, other_bytes) = (i64::from(place.ty.bytes()), i64::try_from(other.size?).ok()?);
            if out.len() >= MAX_TESTS {
                return None;
            }
            let one = Reach { at: At::Place(place.ptr), from: 0, to: bytes };
            out.push(Test { one, other: Reach { at: way, from: 0, to: other_bytes } });
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Where an address is in the first and in the last iteration, if it changes by the same in each and that can be computed before.
fn way(scev: &mut Scev<'_>, l: Loop, ptr: Value, last: Expr) -> Option<At> {
    let zero = scev.exprs.constant(0, 64);
    let e = scev.expr(ptr);
    if !is_linear(scev, e, l) && !steps_evenly(scev, l, ptr, false, MAX_DEPTH) {
        return None;
    }
    let (first, last) = (scev.at_iteration(e, l, zero)?, scev.at_iteration(e, l, last)?);
    let fits = |e| scev.exprs.is_expandable(e) && scev.exprs.is_cheap(e) && scev.is_invariant(e, l);
    (fits(first) && fits(last)).then_some(At::Way { first, last })
}

/// Whether a pointer is of 64 bits, into memory that a kernel was given: the variables of work-items have other addresses
/// once several of them run at a time.
fn is_plain(func: &Function, ptr: Value) -> bool {
    let base = Address::across_spaces(func, ptr).base;
    let given = match func.dfg.def(base) {
        ValueDef::Param(b, _) => b == func.layout.entry(),
        ValueDef::Const(c) => matches!(c, ConstKind::Global(_)),
        ValueDef::Inst(i) => func.dfg.op(i) == Opcode::Load,
        ValueDef::Alias(_) => false,
    };
    let ty = func.dfg.ty(ptr);
    given && ty.bits() == 64 && !ty.is_vector() && ty.space() != Some(AddrSpace::Private)
}

/// Whether an address changes by the same from each iteration to the next.
fn is_linear(scev: &Scev<'_>, e: Expr, l: Loop) -> bool {
    if scev.is_invariant(e, l) {
        return true;
    }
    match scev.exprs.node(e) {
        Node::AddRec { l: of, .. } => of == l,
        Node::Sum { rest, atom, .. } => is_linear(scev, rest, l) && is_linear(scev, atom, l),
        _ => false,
    }
}

/// The same of a value, by the instructions that compute it: what is promised not to wrap is as linear when it is widened. For
/// `exact`, this is such a promise.
fn steps_evenly(scev: &mut Scev<'_>, l: Loop, v: Value, exact: bool, depth: u32) -> bool {
    let (func, info) = (scev.func, scev.info);
    let v = func.dfg.resolve(v);
    if info.loops.defined_outside(func, l, v) {
        return true;
    }
    let Some(i) = func.dfg.def_inst(v).filter(|_| depth > 0) else {
        let e = scev.expr(v);
        return matches!(scev.exprs.node(e), Node::AddRec { l: of, wrap, .. } if of == l && (!exact || wrap.has(Wrap::NSW)));
    };
    let args: SmallVec<[Value; 2]> = func.dfg.args(i).into();
    let kept = !exact || func.dfg.insts[i].flags.has(Flags::NSW);
    let outside = |n: usize| info.loops.defined_outside(func, l, args[n]);
    let both = |scev: &mut Scev<'_>, exact| args.iter().all(|&a| steps_evenly(scev, l, a, exact, depth - 1));
    match func.dfg.op(i) {
        Opcode::PtrAdd if !exact => both(scev, false),
        Opcode::Add | Opcode::Sub => kept && both(scev, exact),
        Opcode::Mul => kept && (outside(0) || outside(1)) && both(scev, exact),
        Opcode::Shl => kept && outside(1) && both(scev, exact),
        Opcode::SExt => both(scev, true),
        _ => false,
    }
}

fn apply(func: &mut Function, plan: &Plan) {
    if plan.tests.is_empty() {
        return moving::hand_on(func, plan);
    }
    let Some(apart) = condition(func, plan) else { return };
    let t = func.layout.terminator(plan.block);
    let leaves_to = func.dfg.successor(t, plan.out);
    let live = live_out(func, plan.block);
    // Where both versions meet: what the exit takes, and what is used behind it.
    let meet = func.new_block();
    let handed = func.dfg.branch_args(t, plan.out).to_vec();
    let types: Vec<Type> = handed.iter().chain(&live).map(|&v| func.dfg.ty(v)).collect();
    let params: Vec<Value> = types.into_iter().map(|ty| func.dfg.add_param(meet, ty)).collect();
    Builder::at_end(func, meet).jump(leaves_to, &params[..handed.len()]);
    let blocks: Vec<Block> = func.layout.blocks().filter(|&b| b != plan.block && b != meet).collect();
    for b in blocks {
        let insts: Vec<Inst> = func.layout.insts(b).collect();
        for i in insts {
            func.dfg.for_each_use_mut(i, |v| {
                if let Some(n) = live.iter().position(|x| x == v) {
                    *v = params[handed.len() + n];
                }
            });
        }
    }
    let all: Vec<Value> = handed.iter().chain(&live).copied().collect();
    let enter = copy(func, plan, meet, &all);
    func.dfg.set_successor(t, plan.out, meet);
    func.dfg.set_branch_args(t, plan.out, &all);
    // The slow version is left as it is, also by who unrolls.
    let (span, must_progress) = (plan.span, plan.must_progress);
    let meta = LoopMeta { span, done: true, overlaps: true, must_progress, ..LoopMeta::default() };
    let md = func.loops.push(meta);
    func.dfg.set_loop_md(t, Some(md));
    let args = func.dfg.branch_args(plan.entry, 0).to_vec();
    let mut b = Builder::before(func, plan.entry);
    b.br(apart, (enter, &[]), (plan.block, &args));
    func.layout.remove_inst(plan.entry);
}

/// Whether what the loop stores to is apart from what else it accesses, computed before it begins.
fn condition(func: &mut Function, plan: &Plan) -> Option<Value> {
    let before = plan.entry;
    let mut all: Option<Value> = None;
    for test in &plan.tests {
        let (at, end) = ends(func, plan, &test.one)?;
        let (low, other_end) = ends(func, plan, &test.other)?;
        let mut b = Builder::before(func, before);
        b.set_span(plan.span);
        let (below, above) = (b.icmp(IntCC::Ule, end, low), b.icmp(IntCC::Ule, other_end, at));
        let apart = b.binary(Opcode::Or, below, above);
        all = Some(match all {
            Some(all) => b.binary(Opcode::And, all, apart),
            None => apart,
        });
    }
    all
}

/// Where memory begins and ends, as numbers.
fn ends(func: &mut Function, plan: &Plan, reach: &Reach) -> Option<(Value, Value)> {
    let before = plan.entry;
    let (low, high) = match reach.at {
        At::Place(ptr) => {
            let mut b = Builder::before(func, before);
            b.set_span(plan.span);
            let at = b.cast(Opcode::PtrToInt, ptr, Type::I64);
            (at, at)
        }
        At::Way { first, last } => {
            let first = plan.exprs.expand(func, first, before)?;
            let last = plan.exprs.expand(func, last, before)?;
            let mut b = Builder::before(func, before);
            b.set_span(plan.span);
            (b.binary(Opcode::UMin, first, last), b.binary(Opcode::UMax, first, last))
        }
    };
    let mut b = Builder::before(func, before);
    b.set_span(plan.span);
    let mut moved = |v, by| match by {
        0 => v,
        _ => {
            let by = b.iconst(Type::I64, by);
            b.add(v, by)
        }
    };
    Some((moved(low, reach.from), moved(high, reach.to)))
}

/// Values of a block that are used elsewhere.
fn live_out(func: &Function, block: Block) -> Vec<Value> {
    let mut own: SecondaryMap<Value, bool> = SecondaryMap::new();
    func.dfg.params(block).iter().for_each(|&v| own[v] = true);
    func.layout.insts(block).filter_map(|i| func.dfg.result(i)).for_each(|v| own[v] = true);
    let mut out = Vec::new();
    for b in func.layout.blocks().filter(|&b| b != block) {
        for i in func.layout.insts(b) {
            func.dfg.for_each_use(i, |v| {
                if own[v] && !out.contains(&v) {
                    out.push(v);
                }
            });
        }
    }
    out
}

/// Copies the loop, with what it stores in registers; the block that enters the copy. It leaves to `meet` with the values
/// that stand for `handed`.
fn copy(func: &mut Function, plan: &Plan, meet: Block, handed: &[Value]) -> Block {
    let (enter, fast, leave) = (func.new_block(), func.new_block(), func.new_block());
    let mut new: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    for v in func.dfg.params(plan.block).to_vec() {
        new[v] = Some(func.dfg.add_param(fast, func.dfg.ty(v)));
    }
    let mut begin = func.dfg.branch_args(plan.entry, 0).to_vec();
    let mut now: SmallVec<[Value; 2]> = SmallVec::new();
    for place in &plan.places {
        now.push(func.dfg.add_param(fast, place.ty));
        if func.dfg.op(place.accesses[0]) == Opcode::Store {
            begin.push(func.dfg.undef(place.ty));
            continue;
        }
        let payload = func.dfg.insts[place.like].payload.clone();
        let load = func.dfg.make_inst(Opcode::Load, place.ty, Flags::NONE, &[place.ptr], payload);
        func.dfg.set_span(load, func.dfg.span(place.like));
        func.layout.append_inst(load, enter);
        begin.push(func.dfg.res(load));
    }
    let jump = Builder::at_end(func, enter).jump(fast, &begin);
    for h in &plan.handed_on {
        let first = moving::first_load(func, plan, h, jump);
        func.dfg.push_branch_arg(jump, 0, first);
        let param = func.dfg.add_param(fast, func.dfg.ty(first));
        h.loads.iter().for_each(|&i| new[func.dfg.res(i)] = Some(param));
    }
    let t = func.layout.terminator(plan.block);
    let mut insts: Vec<Inst> = func.layout.insts(plan.block).filter(|&i| i != t).collect();
    if !plan.handed_on.is_empty() {
        // All is known apart: what is loaded was there when the iteration began.
        insts.retain(|i| !plan.handed_on.iter().any(|h| h.loads.contains(i)));
        insts.sort_by_key(|&i| func.dfg.op(i) == Opcode::Store);
    }
    for i in insts {
        if let Some(n) = plan.places.iter().position(|p| p.accesses.contains(&i)) {
            match func.dfg.op(i) {
                Opcode::Load => new[func.dfg.res(i)] = Some(now[n]),
                _ => now[n] = renamed(&new, func.dfg.arg(i, 1)),
            }
            continue;
        }
        let args: SmallVec<[Value; 4]> = func.dfg.args(i).iter().map(|&v| renamed(&new, v)).collect();
        let data = &func.dfg.insts[i];
        let (op, ty, flags, payload) = (data.op, data.ty, data.flags, data.payload.clone());
        debug_assert!(!matches!(payload, Payload::Jump(..) | Payload::Br(..) | Payload::Switch(_)));
        let made = func.dfg.make_inst(op, ty, flags, &args, payload);
        func.dfg.set_span(made, func.dfg.span(i));
        func.layout.append_inst(made, fast);
        if let Some(v) = func.dfg.result(i) {
            new[v] = Some(func.dfg.res(made));
        }
    }
    let cond = renamed(&new, func.dfg.arg(t, 0));
    let on = plan.handed_on.iter().map(|h| renamed(&new, func.dfg.arg(h.store, 1)));
    let back: Vec<Value> = func
        .dfg
        .branch_args(t, 1 - plan.out)
        .iter()
        .map(|&v| renamed(&new, v))
        .chain(now.iter().copied())
        .chain(on)
        .collect();
    let md: Option<LoopMd> = func.dfg.insts[t].loop_md();
    let (again, end) = ((fast, back.as_slice()), (leave, [].as_slice()));
    let (yes, no) = if plan.out == 1 { (again, end) } else { (end, again) };
    Builder::at_end(func, fast).br_md(cond, yes, no, md);
    for (place, &v) in plan.places.iter().zip(&now) {
        let payload = func.dfg.insts[place.like].payload.clone();
        let store = func.dfg.make_inst(Opcode::Store, Type::VOID, Flags::NONE, &[place.ptr, v], payload);
        func.dfg.set_span(store, func.dfg.span(place.like));
        func.layout.append_inst(store, leave);
    }
    let handed: Vec<Value> = handed.iter().map(|&v| renamed(&new, v)).collect();
    Builder::at_end(func, leave).jump(meet, &handed);
    enter
}

fn renamed(new: &SecondaryMap<Value, Option<Value>>, v: Value) -> Value {
    new[v].unwrap_or(v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_pass;
    use ir::{FuncId, MemInfo, Module};

    /// `for (i = 0; i < n; i++) *p = *p + a[i * stride + shift]` over `float`s, all pointers from outside.
    fn sum(stride: i64, hinted: bool) -> (Module, FuncId) {
        let mut module = Module::default();
        let global = Type::ptr(AddrSpace::Global);
        let id = run_pass(&mut module, Type::VOID, &[global, global, Type::I64], run, |f, entry, v| {
            let [p, a, n] = [v[0], v[1], v[2]];
            let (body, done) = (f.new_block(), f.new_block());
            let i = f.dfg.add_param(body, Type::I64);
            let unroll = if hinted { UnrollRequest::Full } else { UnrollRequest::None };
            let md = f.loops.push(LoopMeta { unroll, must_progress: true, ..LoopMeta::default() });
            let mut b = Builder::at_end(f, entry);
            let zero = b.iconst(Type::I64, 0);
            b.jump(body, &[zero]);
            b.switch_to(body);
            let bytes = b.iconst(Type::I64, 4 * stride);
            let offset = b.mul(i, bytes);
            let at = b.ptradd(a, offset, Flags::INBOUNDS);
            let x = b.load(Type::F32, at, MemInfo::aligned(4), Flags::NONE);
            let old = b.load(Type::F32, p, MemInfo::aligned(4), Flags::NONE);
            let new = b.binary(Opcode::FAdd, old, x);
            b.store(p, new, MemInfo::aligned(4), Flags::NONE);
            let one = b.iconst(Type::I64, 1);
            let next = b.add(i, one);
            let more = b.icmp(IntCC::Slt, next, n);
            b.br_md(more, (body, &[next]), (done, &[]), Some(md));
            b.switch_to(done);
            b.ret(None);
        });
        (module, id)
    }

    /// Stores of each loop of a function.
    fn stores_in_loops(f: &Function) -> Vec<usize> {
        let info = LoopInfo::new(f);
        let stores = |b: &Block| f.layout.insts(*b).filter(|&i| f.dfg.op(i) == Opcode::Store).count();
        let mut all: Vec<usize> =
            info.loops.iter().map(|l| info.loops.data(l).blocks.iter().map(stores).sum()).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn a_sum_in_memory_is_a_sum_in_a_register_where_that_is_apart() {
        for stride in [1, 100, -3, 0] {
            let (module, id) = sum(stride, false);
            let text = ir::print::function_to_text(&module, &module.functions[id]);
            assert_eq!(stores_in_loops(&module.functions[id]), [0, 1], "{text}");
        }
    }

    /// `*p += a[i * m + j]` with indices of 32 bits, whose products are promised not to overflow, or not.
    fn column(flags: Flags) -> Vec<usize> {
        let mut module = Module::default();
        let global = Type::ptr(AddrSpace::Global);
        let params = [global, global, Type::I32, Type::I32, Type::I32];
        let id = run_pass(&mut module, Type::VOID, &params, run, |f, entry, v| {
            let [p, a, n, m, j] = [v[0], v[1], v[2], v[3], v[4]];
            let (body, done) = (f.new_block(), f.new_block());
            let i = f.dfg.add_param(body, Type::I32);
            let mut b = Builder::at_end(f, entry);
            let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
            let two = b.iconst(Type::I64, 2);
            b.jump(body, &[zero]);
            b.switch_to(body);
            let row = b.op(Opcode::Mul, flags, &[i, m]);
            let index = b.op(Opcode::Add, flags, &[row, j]);
            let wide = b.cast(Opcode::SExt, index, Type::I64);
            let offset = b.binary(Opcode::Shl, wide, two);
            let at = b.ptradd(a, offset, Flags::INBOUNDS);
            let x = b.load(Type::F32, at, MemInfo::aligned(4), Flags::NONE);
            let old = b.load(Type::F32, p, MemInfo::aligned(4), Flags::NONE);
            let new = b.binary(Opcode::FAdd, old, x);
            b.store(p, new, MemInfo::aligned(4), Flags::NONE);
            let next = b.op(Opcode::Add, Flags::NSW, &[i, one]);
            let more = b.icmp(IntCC::Slt, next, n);
            b.br(more, (body, &[next]), (done, &[]));
            b.switch_to(done);
            b.ret(None);
        });
        stores_in_loops(&module.functions[id])
    }

    #[test]
    fn columns_of_matrices_are_told_apart_where_their_indices_do_not_wrap() {
        assert_eq!(column(Flags::NSW), [0, 1]);
        assert_eq!(column(Flags::NONE), [1]);
    }

    #[test]
    fn loops_with_hints_stay_one() {
        let (module, id) = sum(1, true);
        assert_eq!(stores_in_loops(&module.functions[id]), [1]);
    }
}
