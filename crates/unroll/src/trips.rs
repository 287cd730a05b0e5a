//! How often a loop runs: what its exits tell, and a count that can be computed in front of it.

use crate::expansion;
use crate::facts::{LoopFacts, Memory};
use crate::lanes::Lanes;
use crate::measure::CountedExit;
use crate::nested_conditions;
use crate::params::{Profile, UnrollParams};
use crate::plain;
use crate::strides;
use crate::widened;
use analysis::headers::is_assembly;
use analysis::scev::Wrap;
use analysis::{Edge, Expr, Exprs, Loop, LoopInfo, Node, Scev};
use ir::{AddrSpace, Block, Function, IntCC, Opcode, Value};
use smallvec::SmallVec;

/// Trip counts, and the expression of a latch that can be counted when the loop starts. As nvcc for sm_100 does, also where it
/// would go on for ever otherwise, which the language does not allow.
pub(crate) fn trips(
    scev: &mut Scev<'_>,
    l: Loop,
    exits: &[Edge],
    counted: &mut SmallVec<[CountedExit; 2]>,
    facts: &mut LoopFacts,
    params: &UnrollParams,
    lanes: &mut Lanes,
) -> Option<Expr> {
    let (func, info) = (scev.func, scev.info);
    let must_end = params.cheap_count > 0;
    let small = |n: u64| u32::try_from(n).unwrap_or(0);
    let whole = scev.trip_count(l);
    facts.max_trip = whole.max.map_or(0, small);
    facts.trip_multiple = small(whole.multiple).max(1);
    for e in exits {
        let c = scev.exit_count(l, e.from);
        if let Some(backedges) = c.constant
            && counted.iter().all(|x: &CountedExit| x.block != e.from)
        {
            counted.push(CountedExit { block: e.from, backedges });
        }
    }
    let least = counted.iter().map(|c| c.backedges).min();
    facts.counted_trip = least.and_then(|n| n.checked_add(1)).map_or(0, small);
    // What keeps a latch's test, and what keeps a header's.
    let falls = !must_end && info.loops.latch(l).is_some_and(|latch| falls(scev, l, latch));
    let settled = must_end && is_settled_at_first(scev, l, exits);
    let apart = exits_stay_apart(func, info, l, exits, [falls, settled]);
    facts.trip_count = if apart { facts.counted_trip } else { 0 };
    facts.runtime_trip = false;
    let latch = info.loops.latch(l)?;
    let [exit] = exits else { return None };
    if exit.from != latch || func.dfg.op(exit.inst) != Opcode::Br {
        return None;
    }
    let loses = params.profile == Profile::Cicc && scev.target.ptx_arch().is_some();
    let target = scev.target;
    let bare = || Scev::bare(func, info, target, true);
    if loses
        && (widened::is_lost(&mut bare(), l, exit)
            || widened::is_narrowed(scev, l, exit)
            || strides::is_inclusive(scev, &mut bare(), l, exit))
    {
        return None;
    }
    facts.hidden_bound = must_end && plain::hides_bound(scev, l, latch);
    let count = scev.exit_count(l, latch);
    let told = count.exact.or(count.if_it_ends.filter(|_| must_end))?;
    if loses && count.strided && strides::is_lost(scev, l, exit) {
        return None;
    }
    // Divisions by variables are too much to compute a count with, but for one that a variable step needs.
    let divides = divides_by_variable(&scev.exprs, told);
    let done = if divides { quotients_before(scev, info.loops.header(l)) } else { Quotients::new() };
    let exact = ground(scev, told, &done, 0)?;
    let strided = count.strided || must_end && divides;
    let cheap = !divides || strided || !divides_by_variable(&scev.exprs, exact);
    facts.runtime_trip = scev.exprs.is_expandable(exact) && cheap;
    facts.memory = memory(func, info, l);
    let both = facts.memory.stores && (facts.memory.loads || facts.memory.fast_loads > 0);
    facts.cheap_trip = !strided
        && !plain::compares_pointers(func, latch)
        && !nested_conditions::found(func, info, l)
        && match widened::is_plain(scev, l, exit) {
            Some(is_plain) => is_plain || !facts.memory.loads && !facts.memory.stores,
            None => !both || plain::is_plain_count(scev, l, latch, exact, lanes),
        };
    facts.dear_trip = must_end && facts.runtime_trip && count.constant.is_none() && expansion::is_dear(scev, l, told);
    // A count that bounds of the step show needs no more than others (`i >= 0; i -= blockDim.x`).
    facts.variable_step = count.assumes_sign || must_end && divides && !count.strided && count.exact.is_none();
    if facts.runtime_trip && count.constant.is_none() && (count.by_bounds || facts.depth == 1) {
        let bare = Scev::bare(func, info, scev.target, !must_end).exit_count(l, latch);
        facts.apparent_max_trip = bare.max.and_then(|n| u32::try_from(n.checked_add(1)?).ok()).unwrap_or(0);
        facts.counted_by_ids = count.by_bounds && bare.exact.is_none() && !must_end;
    }
    Some(exact)
}

/// Deepest expression that [`ground`] rebuilds.
const MAX_GROUND_DEPTH: u32 = 32;

/// The same expression with the recurrences of loops around written as the values that they are there, so that it can
/// be computed in front of the loop.
fn ground(scev: &mut Scev<'_>, e: Expr, done: &Quotients, depth: u32) -> Option<Expr> {
    if depth > MAX_GROUND_DEPTH {
        return None;
    }
    if let Some((_, v)) = done.iter().find(|(quotient, _)| *quotient == e) {
        return Some(scev.exprs.unknown(*v, scev.exprs.bits(e)));
    }
    let bits = scev.exprs.bits(e);
    let node = scev.exprs.node(e);
    let mut of = |x| ground(scev, x, done, depth + 1);
    Some(match node {
        Node::Const(_) | Node::Unknown(_) => e,
        Node::Sum { .. } => {
            let (constant, terms) = scev.exprs.terms(e);
            let mut sum = scev.exprs.constant(constant, bits);
            for (atom, coef) in terms {
                let atom = ground(scev, atom, done, depth + 1)?;
                let scaled = scev.scale(atom, coef);
                sum = scev.add(sum, scaled);
            }
            sum
        }
        Node::AddRec { start, step, l, .. } => ground_recurrence(scev, (start, step, l), bits, done, depth)?,
        Node::Mul(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            scev.mul(a, b)
        }
        Node::UDiv(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            scev.udiv(a, b)
        }
        Node::ZExt(a) => {
            let a = of(a)?;
            scev.zext(a, bits)
        }
        Node::SExt(a) => {
            let a = of(a)?;
            scev.sext(a, bits)
        }
        Node::Trunc(a) => {
            let a = of(a)?;
            scev.trunc(a, bits)
        }
        Node::UMin(a, b) | Node::UMax(a, b) | Node::SMin(a, b) | Node::SMax(a, b) => {
            let op = match node {
                Node::UMin(..) => Opcode::UMin,
                Node::UMax(..) => Opcode::UMax,
                Node::SMin(..) => Opcode::SMin,
                _ => Opcode::SMax,
            };
            let (a, b) = (of(a)?, of(b)?);
            scev.min_max(op, a, b)
        }
    })
}

/// The value that `{start, +, step}` of a loop around has there, by a header parameter of that loop which steps by
/// one, or by what divides `step`.
fn ground_recurrence(
    scev: &mut Scev<'_>,
    (start, step, l): (Expr, Expr, Loop),
    bits: u32,
    done: &Quotients,
    depth: u32,
) -> Option<Expr> {
    let header = scev.info.loops.header(l);
    let params: SmallVec<[Value; 8]> = scev.func.dfg.params(header).into();
    for p in params {
        let ty = scev.func.dfg.ty(p);
        if !ty.is_int() || ty.is_vector() || ty.bits() != bits {
            continue;
        }
        let own = scev.expr(p);
        let Node::AddRec { start: from, step: by, l: same, .. } = scev.exprs.node(own) else { continue };
        if same != l {
            continue;
        }
        // The recurrence is `start + times * (p - from)`, modulo 2 to the width, where `step = times * by`.
        let times = match (scev.exprs.as_int(step), scev.exprs.as_int(by)) {
            _ if by == step => scev.exprs.constant(1, bits),
            (_, Some(1)) => step,
            (Some(s), Some(b)) if s.checked_rem(b) == Some(0) => scev.exprs.constant((s / b) as u64, bits),
            _ => match times_of(scev, step, by) {
                Some(times) => scev.exprs.constant(times, bits),
                None => continue,
            },
        };
        let of = |scev: &mut Scev<'_>, e| ground(scev, e, done, depth + 1);
        let (times, start, from) = (of(scev, times)?, of(scev, start)?, of(scev, from)?);
        let value = scev.exprs.unknown(p, bits);
        let moved = scev.sub(value, from);
        let moved = scev.mul(times, moved);
        return Some(scev.add(start, moved));
    }
    None
}

/// The constant with which `by`, which is no constant, gives `step`: `m - i` moves by `-s` where `i` does by `s`.
fn times_of(scev: &mut Scev<'_>, step: Expr, by: Expr) -> Option<u64> {
    let (_, of_step) = scev.exprs.terms(step);
    let (_, of_by) = scev.exprs.terms(by);
    let (&(atom, coef), &(same, one)) = (of_step.first()?, of_by.first()?);
    let spare = 64 - scev.exprs.bits(step).min(64);
    let signed = |n: u64| (n << spare) as i64 >> spare;
    let times = signed(coef).checked_div(signed(one))? as u64;
    (atom == same && scev.scale(by, times) == step).then_some(times)
}

fn divides_by_variable(exprs: &Exprs, e: Expr) -> bool {
    match exprs.node(e) {
        Node::UDiv(a, d) => exprs.as_const(d).is_none() || divides_by_variable(exprs, a),
        Node::Const(_) | Node::Unknown(_) => false,
        Node::ZExt(a) | Node::SExt(a) | Node::Trunc(a) => divides_by_variable(exprs, a),
        Node::Sum { rest: a, atom: b, .. }
        | Node::AddRec { start: a, step: b, .. }
        | Node::Mul(a, b)
        | Node::UMin(a, b)
        | Node::UMax(a, b)
        | Node::SMin(a, b)
        | Node::SMax(a, b) => divides_by_variable(exprs, a) || divides_by_variable(exprs, b),
    }
}

/// Divisions that the program has done when a loop starts, with their values: a count may use them.
type Quotients = SmallVec<[(Expr, Value); 4]>;

fn quotients_before(scev: &mut Scev<'_>, header: Block) -> Quotients {
    let (func, dom) = (scev.func, scev.info.dom.clone());
    let mut done = Quotients::new();
    for b in func.layout.blocks().filter(|&b| b != header && dom.dominates(b, header)) {
        for i in func.layout.insts(b).filter(|&i| matches!(func.dfg.op(i), Opcode::UDiv | Opcode::SDiv)) {
            if let Some(v) = func.dfg.result(i).filter(|&v| Scev::has_expr(func.dfg.ty(v))) {
                done.push((scev.expr(v), v));
            }
        }
    }
    done
}

/// Whether the exits of a loop are left as they are before cicc looks at it. Its clean-up makes one exit of two tests
/// in a row that lead to the same place with the same values, if next to nothing stands between them; then the count
/// of neither is that of the loop.
///
/// Where one of them computes something that another block uses they stay (`t = n - i; if (t < 0) break; a[t] = …`), and so they do
/// if the latch `falls`, or the header's is `settled` at first.
fn exits_stay_apart(func: &Function, info: &LoopInfo, l: Loop, exits: &[Edge], [falls, settled]: [bool; 2]) -> bool {
    let Some(latch) = info.loops.latch(l) else { return exits.len() == 1 };
    let Some(own) = exits.iter().find(|e| e.from == latch) else { return true };
    let end = landing(func, *own);
    let header = info.loops.header(l);
    // The test of the header comes after that of the latch, with the values of the next iteration.
    if let Some(next) = exits.iter().find(|e| e.from == header && header != latch)
        && let Some(back) = func.dfg.successors(own.inst).position(|b| b == header)
        && is_bare_test(func, header)
        && !is_used_behind(func, info, header)
        && !settled
    {
        let params = func.dfg.params(header);
        let mut after = landing(func, *next);
        for v in &mut after.args {
            *v = params
                .iter()
                .position(|p| p == v)
                .map_or(*v, |n| func.dfg.resolve(func.dfg.branch_args(own.inst, back)[n]));
        }
        if same_end(func, &end, &after) {
            return false;
        }
    }
    let Some(before) = info.cfg.single_pred(latch) else { return true };
    let Some(first) = exits.iter().find(|e| e.from == before.from && e.from != latch) else { return true };
    let bare = is_bare_test(func, latch) && !is_used_behind(func, info, latch) && !falls;
    !(bare && same_end(func, &end, &landing(func, *first)))
}

fn node_of(scev: &mut Scev<'_>, v: Value) -> Node {
    let e = scev.expr(v);
    scev.exprs.node(e)
}

/// The step of a comparison's operand that a loop counts by a constant, as signed numbers if it is compared so, with that one on the
/// left; the other one does not change.
fn counted_comparison(scev: &mut Scev<'_>, l: Loop, block: Block) -> Option<(IntCC, i64)> {
    use IntCC::{Sge, Sgt, Sle, Slt};
    let func = scev.func;
    let test = plain::comparison(func, block)?;
    let cc = func.dfg.insts[test].int_cc()?;
    let (x, y) = (func.dfg.arg(test, 0), func.dfg.arg(test, 1));
    let signed = matches!(cc, Sge | Sgt | Sle | Slt);
    [(x, y, cc), (y, x, cc.swapped())].into_iter().find_map(|(x, y, cc)| {
        let step = match node_of(scev, x) {
            Node::AddRec { step, l: of, wrap, .. } if of == l && (!signed || wrap.has(Wrap::NSW)) => {
                scev.exprs.as_int(step)?
            }
            _ => return None,
        };
        scev.info.loops.defined_outside(func, l, y).then_some((cc, step))
    })
}

/// Whether a latch counts down, as signed numbers: cicc for sm_90 does not join its test with the one before.
fn falls(scev: &mut Scev<'_>, l: Loop, latch: Block) -> bool {
    use IntCC::{Sge, Sgt, Sle, Slt};
    counted_comparison(scev, l, latch).is_some_and(|(cc, step)| step < 0 && matches!(cc, Sge | Sgt | Sle | Slt))
}

/// Whether the test in a loop's header ends it in its first iteration or never, since what is counted goes away from the bound: cicc
/// for sm_100 asks it of the first value, and in front of the loop then.
fn is_settled_at_first(scev: &mut Scev<'_>, l: Loop, exits: &[Edge]) -> bool {
    use IntCC::{Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let (func, header) = (scev.func, scev.info.loops.header(l));
    let Some(exit) = exits.iter().find(|e| e.from == header && func.dfg.op(e.inst) == Opcode::Br) else { return false };
    let Some((cc, step)) = counted_comparison(scev, l, header) else { return false };
    let leaves = if exit.index == 0 { cc } else { cc.inverse() };
    match leaves {
        Sge | Sgt | Uge | Ugt => step < 0,
        Sle | Slt | Ule | Ult => step > 0,
        _ => false,
    }
}

/// Instructions behind a block among which users of its values are looked for.
const MOST_SEARCHED: usize = 1 << 10;

/// Whether instructions of a block are used by those of another one, which come behind it; by the next ones, for functions may be long.
fn is_used_behind(func: &Function, info: &LoopInfo, block: Block) -> bool {
    let own: SmallVec<[Value; 4]> = func.layout.insts(block).filter_map(|i| func.dfg.result(i)).collect();
    let behind = info.cfg.rpo().iter().skip_while(|&&b| b != block).skip(1);
    behind.flat_map(|&b| func.layout.insts(b)).take(MOST_SEARCHED).any(|i| {
        let mut used = false;
        func.dfg.for_each_use(i, |v| used |= own.contains(&func.dfg.resolve(v)));
        used
    })
}

/// Instructions besides the comparison that a test may compute to be merged with the one before it.
const MAX_BETWEEN: usize = 1;

/// Whether a block does little more than to test.
pub(crate) fn is_bare_test(func: &Function, block: Block) -> bool {
    let term = func.layout.terminator(block);
    let mut between = 0;
    for i in func.layout.insts(block).filter(|&i| i != term) {
        let data = &func.dfg.insts[i];
        let is_test = func.dfg.op(term) == Opcode::Br && func.dfg.result(i) == func.dfg.args(term).first().copied();
        if !data.is_pure() {
            return false;
        }
        between += usize::from(!is_test);
    }
    between <= MAX_BETWEEN
}

/// Where an exit leads, and with what, once blocks that do nothing are passed.
struct Landing {
    block: Block,
    args: SmallVec<[Value; 8]>,
}

/// Most blocks that do nothing on the way.
const MAX_PASSED: usize = 4;

fn landing(func: &Function, e: Edge) -> Landing {
    let resolve = |v: Value| func.dfg.resolve(v);
    let args = func.dfg.branch_args(e.inst, e.index as usize).iter().map(|&v| resolve(v)).collect();
    let mut at = Landing { block: func.dfg.successor(e.inst, e.index as usize), args };
    for _ in 0..MAX_PASSED {
        let term = func.layout.terminator(at.block);
        if func.layout.first_inst(at.block) != Some(term) || func.dfg.op(term) != Opcode::Jump {
            break;
        }
        let params = func.dfg.params(at.block);
        let through = |v: Value| params.iter().position(|&p| p == v).map_or(v, |n| at.args[n]);
        let args = func.dfg.branch_args(term, 0).iter().map(|&v| through(resolve(v))).collect();
        at = Landing { block: func.dfg.successor(term, 0), args };
    }
    at
}

fn same_end(func: &Function, a: &Landing, b: &Landing) -> bool {
    let returns = |x: &Landing| {
        let term = func.layout.terminator(x.block);
        func.layout.first_inst(x.block) == Some(term)
            && func.dfg.op(term) == Opcode::Return
            && func.dfg.args(term).is_empty()
    };
    a.block == b.block && a.args == b.args || returns(a) && returns(b)
}

/// What a loop does to memory, but for what is assembly in nvcc's headers (`__stcs`). Memory that is read fast counts by the objects
/// that are read, of which two are as good as many.
fn memory(func: &Function, info: &LoopInfo, l: Loop) -> Memory {
    let mut found = Memory::default();
    let loads = |found: &mut Memory, from: Value| {
        if matches!(func.dfg.ty(from).space(), Some(AddrSpace::Shared | AddrSpace::Constant)) {
            found.fast_loads += 1;
        } else {
            found.loads = true;
        }
    };
    let insts = info.loops.data(l).blocks.iter().flat_map(|&b| func.layout.insts(b));
    for i in insts.filter(|&i| !is_assembly(func, i)) {
        match func.dfg.op(i) {
            Opcode::Store => found.stores = true,
            Opcode::Load => loads(&mut found, func.dfg.arg(i, 0)),
            Opcode::MemCpy => {
                found.stores = true;
                loads(&mut found, func.dfg.arg(i, 1));
            }
            _ => {}
        }
    }
    found
}
