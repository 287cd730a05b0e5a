//! Places that move with a loop: what an iteration stores to them is what the next one loads.
//!
//! `x[i] = x[i - 1] * a[i]` waits in each iteration until the store of the one before has come back from memory. Where nothing
//! else that the loop stores can be there, the number stays in a register and is only stored. With one such place alone the
//! loop itself is changed; with others it is copied, behind a test whether all that it accesses lies apart. The copy does an
//! iteration's loads before its stores, so that none of them waits for a store to the same place of another page.

use super::{MAX_STORES, MAX_TESTS, Plan, Reach, Test, is_plain, way};
use analysis::address::Ext;
use analysis::scev::{Expr, Node, Scev, Wrap};
use analysis::{Address, AliasQuery, Location, Loop, LoopInfo, Place};
use ir::{Function, Inst, Opcode, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Most instructions that compute an address.
const MAX_CHAIN: usize = 24;
/// Most sets of places a constant apart.
const MAX_GROUPS: usize = 8;

/// A place that an iteration stores to and the next one loads.
pub(super) struct HandedOn {
    pub loads: SmallVec<[Inst; 2]>,
    /// The last store to it.
    pub store: Inst,
}

/// Loads and the last store, a constant number of bytes behind them.
pub(super) struct Pair {
    load: Inst,
    store: Inst,
    distance: i64,
}

/// Accesses a constant apart.
struct Group {
    place: Place,
    /// Each with its distance from the first one.
    accesses: SmallVec<[(Inst, i64); 4]>,
}

fn groups(q: &AliasQuery<'_>, accesses: &[Inst]) -> Option<Vec<Group>> {
    let mut out: Vec<Group> = Vec::new();
    for &i in accesses {
        let place = q.place(Location::accessed(q.func, i)?);
        let found = out.iter().enumerate().find_map(|(n, g)| place.minus(&g.place).map(|d| (n, d)));
        match found {
            Some((n, d)) => out[n].accesses.push((i, d)),
            None if out.len() == MAX_GROUPS => return None,
            None => out.push(Group { place, accesses: SmallVec::from_slice(&[(i, 0)]) }),
        }
    }
    Some(out)
}

fn is_store(func: &Function, i: Inst) -> bool {
    func.dfg.op(i) == Opcode::Store
}

fn accessed_type(func: &Function, i: Inst) -> Type {
    if is_store(func, i) { func.dfg.ty(func.dfg.arg(i, 1)) } else { func.dfg.insts[i].ty }
}

/// Loads that may be of what an iteration before has stored; nothing where an iteration stores to several places a
/// constant apart, or loads again what it has stored.
pub(super) fn pairs(q: &AliasQuery<'_>, info: &LoopInfo, l: Loop, accesses: &[Inst]) -> Option<Vec<Pair>> {
    let func = q.func;
    let stores = accesses.iter().filter(|&&i| is_store(func, i)).count();
    if stores == 0 || stores > MAX_STORES {
        return None;
    }
    let mut out = Vec::new();
    for g in groups(q, accesses)? {
        let of_stores = g.accesses.iter().filter(|&&(i, _)| is_store(func, i));
        let Some(&(store, at)) = of_stores.clone().next_back() else { continue };
        let ty = accessed_type(func, store);
        if of_stores.clone().any(|&(i, d)| d != at || accessed_type(func, i) != ty) {
            return None;
        }
        let first = of_stores.clone().next()?.0;
        for &(load, d) in g.accesses.iter().filter(|&&(i, _)| !is_store(func, i)) {
            let is_behind = accesses.iter().position(|&i| i == load) > accesses.iter().position(|&i| i == first);
            let size = i64::from(accessed_type(func, load).bytes().max(ty.bytes()));
            if is_behind && at.abs_diff(d) < size as u64 {
                return None;
            }
            let is_one = at != d && accessed_type(func, load) == ty && can_begin(func, info, l, func.dfg.arg(load, 0));
            if is_one {
                out.push(Pair { load, store, distance: at.wrapping_sub(d) });
            }
        }
    }
    Some(out)
}

/// Which of the loads are of what the iteration before has stored.
pub(super) fn handed_on(scev: &mut Scev<'_>, l: Loop, pairs: &[Pair]) -> SmallVec<[HandedOn; 2]> {
    let func = scev.func;
    let mut out: SmallVec<[HandedOn; 2]> = SmallVec::new();
    for p in pairs {
        let step = step(scev, l, func.dfg.arg(p.store, 0));
        let size = u64::from(accessed_type(func, p.store).bytes());
        if step != Some(p.distance) || p.distance.unsigned_abs() < size {
            continue;
        }
        match out.iter_mut().find(|h| h.store == p.store) {
            Some(h) => h.loads.push(p.load),
            None => out.push(HandedOn { loads: SmallVec::from_slice(&[p.load]), store: p.store }),
        }
    }
    out
}

/// Bytes by which an address changes from each iteration to the next, if that is a constant.
fn step(scev: &mut Scev<'_>, l: Loop, ptr: Value) -> Option<i64> {
    let (func, info) = (scev.func, scev.info);
    let address = Address::across_spaces(func, ptr);
    let base = (address.base, Ext::None, 1);
    let mut sum = 0_i64;
    for (v, ext, coef) in address.terms.iter().map(|t| (t.value, t.ext, t.coef)).chain([base]) {
        if info.loops.defined_outside(func, l, v) {
            continue;
        }
        let e = scev.expr(v);
        let Node::AddRec { step, l: of, wrap, .. } = scev.exprs.node(e) else { return None };
        let keeps = match ext {
            Ext::None => true,
            Ext::Sign => wrap.has(Wrap::NSW),
            Ext::Zero => wrap.has(Wrap::NUW),
        };
        let step = match ext {
            Ext::Zero => i64::try_from(scev.exprs.as_const(step)?).ok()?,
            _ => scev.exprs.as_int(step)?,
        };
        if of != l || !keeps {
            return None;
        }
        sum = sum.checked_add(step.checked_mul(coef)?)?;
    }
    Some(sum)
}

/// Whether the loop stores to no other place than the one that it hands on.
pub(super) fn is_alone(func: &Function, plan: &Plan, accesses: &[Inst]) -> bool {
    let [h] = &plan.handed_on[..] else { return false };
    let ptr = |i| func.dfg.resolve(func.dfg.arg(i, 0));
    accesses.iter().all(|&i| !is_store(func, i) || ptr(i) == ptr(h.store))
}

/// What must be apart: all that is stored to from all else.
pub(super) fn tests(
    q: &AliasQuery<'_>,
    scev: &mut Scev<'_>,
    l: Loop,
    last: Expr,
    accesses: &[Inst],
) -> Option<SmallVec<[Test; 4]>> {
    let func = q.func;
    let groups = groups(q, accesses)?;
    let stores = |g: &Group| g.accesses.iter().any(|&(i, _)| is_store(func, i));
    let mut ways: Vec<Option<Reach>> = vec![None; groups.len()];
    let mut out = SmallVec::new();
    for (n, one) in groups.iter().enumerate() {
        for (m, other) in groups.iter().enumerate().skip(n + 1) {
            let can_meet = (stores(one) || stores(other)) && q.may_share_object(&one.place, &other.place);
            if !can_meet {
                continue;
            }
            for (k, g) in [(n, one), (m, other)] {
                if ways[k].is_none() {
                    ways[k] = Some(reach(func, scev, l, last, g)?);
                }
            }
            if out.len() == MAX_TESTS {
                return None;
            }
            out.push(Test { one: ways[n]?, other: ways[m]? });
        }
    }
    Some(out)
}

/// All that the accesses of a group reach while the loop runs.
fn reach(func: &Function, scev: &mut Scev<'_>, l: Loop, last: Expr, g: &Group) -> Option<Reach> {
    let ptr = g.place.at.ptr;
    if !is_plain(func, ptr) {
        return None;
    }
    let end = |&(i, d): &(Inst, i64)| d.checked_add(i64::from(accessed_type(func, i).bytes()));
    let from = g.accesses.iter().map(|&(_, d)| d).min()?;
    let to = g.accesses.iter().map(end).max()??;
    Some(Reach { at: way(scev, l, ptr, last)?, from, to })
}

/// What computes an address in the loop's block, in no order; nothing if that cannot be repeated before the loop.
fn chain(func: &Function, is_inside: impl Fn(Value) -> bool, ptr: Value) -> Option<Vec<Inst>> {
    let (mut out, mut todo) = (Vec::new(), vec![func.dfg.resolve(ptr)]);
    while let Some(v) = todo.pop() {
        let ValueDef::Inst(i) = func.dfg.def(v) else { continue };
        if !is_inside(v) || out.contains(&i) {
            continue;
        }
        if !func.dfg.insts[i].is_pure() || out.len() == MAX_CHAIN {
            return None;
        }
        out.push(i);
        todo.extend(func.dfg.args(i).iter().map(|&a| func.dfg.resolve(a)));
    }
    Some(out)
}

fn can_begin(func: &Function, info: &LoopInfo, l: Loop, ptr: Value) -> bool {
    chain(func, |v| !info.loops.defined_outside(func, l, v), ptr).is_some()
}

/// What the first iteration loads, loaded before an instruction in front of the loop.
pub(super) fn first_load(func: &mut Function, plan: &Plan, h: &HandedOn, before: Inst) -> Value {
    let load = h.loads[0];
    let inside = |v: Value| func.dfg.def_inst(v).is_some_and(|i| func.layout.inst_block(i) == Some(plan.block));
    let chain = chain(func, inside, func.dfg.arg(load, 0)).unwrap_or_default();
    let order: Vec<Inst> = func.layout.insts(plan.block).filter(|i| chain.contains(i) || *i == load).collect();
    let params = func.dfg.params(plan.block).to_vec();
    let begin = func.dfg.branch_args(plan.entry, 0).to_vec();
    let mut known: FxHashMap<Value, Value> = params.into_iter().zip(begin).collect();
    let mut first = func.dfg.res(load);
    for i in order {
        let args: SmallVec<[Value; 4]> = func.dfg.args(i).iter().map(|&a| func.dfg.resolve(a)).collect();
        let args: SmallVec<[Value; 4]> = args.iter().map(|a| known.get(a).copied().unwrap_or(*a)).collect();
        let copy = func.dfg.clone_with(i, &args);
        func.layout.insert_inst_before(copy, before);
        first = func.dfg.res(copy);
        known.insert(func.dfg.res(i), first);
    }
    first
}

/// Hands values on in the loop itself.
pub(super) fn hand_on(func: &mut Function, plan: &Plan) {
    let back = func.layout.terminator(plan.block);
    for h in &plan.handed_on {
        let first = first_load(func, plan, h, plan.entry);
        let param = func.dfg.add_param(plan.block, func.dfg.ty(first));
        func.dfg.push_branch_arg(plan.entry, 0, first);
        let stored = func.dfg.arg(h.store, 1);
        func.dfg.push_branch_arg(back, 1 - plan.out, stored);
        for &i in &h.loads {
            let old = func.dfg.res(i);
            func.dfg.replace_value(old, param);
            func.layout.remove_inst(i);
        }
    }
}
