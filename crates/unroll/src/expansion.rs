//! What the count of a loop in a nest costs where that loop begins, as the newer of the compilers that are followed has it.
//!
//! A count is computed again for each run of a loop that stands in others. For sm_100 the default factor is worth that only where
//! the count is cheap: [`BUDGET`] operations that the program has not done already, or a single loop around in which the count
//! does not change. Costs are those of LLVM's `SCEVExpander::isHighCostExpansion`: one for an operation, two where it has 64 bits
//! or chooses, nothing for what is known there. Measured, `docs/unrolling.md`.
//!
//! Cost: linear in the count; if that is dear without them, one walk over the values that dominate the loop.

use analysis::{Expr, Loop, Node, Scev};
use ir::{IntCC, Opcode};
use rustc_hash::FxHashSet;

/// Operations that a count may need.
const BUDGET: u32 = 4;

/// Deepest expression that is looked through; deeper ones are dear.
const MAX_DEPTH: u32 = 32;

type Known = FxHashSet<Expr>;

/// Whether a number of back edges of `l` is dear to compute.
pub(crate) fn is_dear(scev: &mut Scev<'_>, l: Loop, backedges: Expr) -> bool {
    let backedges = match guard(scev, l) {
        Guard::Unproven(compared) if !compared.iter().all(|&e| is_computed_once(scev, l, e)) => return true,
        Guard::Difference(count) => count,
        _ => backedges,
    };
    if is_computed_once(scev, l, backedges) {
        return false;
    }
    let one = scev.exprs.constant(1, scev.exprs.bits(backedges));
    let trips = scev.add(backedges, one);
    if cost(scev, trips, &Known::default(), 0) <= BUDGET {
        return false;
    }
    let known = known_before(scev, l);
    cost(scev, trips, &known, 0) > BUDGET
}

/// Whether a loop stands alone, or in one other in which a count does not change.
fn is_computed_once(scev: &Scev<'_>, l: Loop, count: Expr) -> bool {
    let loops = &scev.info.loops;
    let Some(around) = loops.parent(l) else { return true };
    loops.parent(around).is_none() && scev.is_invariant(count, around)
}

fn cost(scev: &mut Scev<'_>, e: Expr, known: &Known, depth: u32) -> u32 {
    if depth > MAX_DEPTH {
        return BUDGET + 1;
    }
    if known.contains(&e) {
        return 0;
    }
    let depth = depth + 1;
    let each = if scev.exprs.bits(e) > 32 { 2 } else { 1 };
    match scev.exprs.node(e) {
        Node::Const(_) | Node::Unknown(_) => 0,
        Node::Sum { .. } | Node::AddRec { .. } => sum(scev, e, known, depth, each),
        Node::Trunc(a) => cost(scev, a, known, depth),
        Node::ZExt(a) | Node::SExt(a) => 1 + cost(scev, a, known, depth),
        Node::UDiv(a, b) => {
            let one = scev.exprs.constant(1, scev.exprs.bits(e));
            let next = scev.add(e, one);
            if known.contains(&next) {
                return 0;
            }
            1 + cost(scev, a, known, depth) + cost(scev, b, known, depth)
        }
        Node::Mul(a, b) => each + cost(scev, a, known, depth) + cost(scev, b, known, depth),
        Node::UMin(a, b) | Node::UMax(a, b) | Node::SMin(a, b) | Node::SMax(a, b) => {
            2 + cost(scev, a, known, depth) + cost(scev, b, known, depth)
        }
    }
}

/// A sum in which a counter of a loop around takes part is `{start, +, step}` of that loop, with all the rest in its start: an
/// addition, and multiplications for a start and a step that are not one.
fn sum(scev: &mut Scev<'_>, e: Expr, known: &Known, depth: u32, each: u32) -> u32 {
    let (constant, terms) = scev.exprs.terms(e);
    for &(atom, coef) in &terms {
        if let Node::AddRec { start, step, l, .. } = scev.exprs.node(atom) {
            // What changes in that loop is added each time.
            let changes = |t: &&(Expr, u64)| t.0 != atom && !scev.is_invariant(t.0, l);
            if let Some(&(other, coef)) = terms.iter().find(changes) {
                let added = scev.scale(other, coef);
                let rest = scev.sub(e, added);
                let own = each + if coef == 1 { 0 } else { each };
                return own + cost(scev, other, known, depth) + cost(scev, rest, known, depth);
            }
            let (mut start, step) = (scev.scale(start, coef), scev.scale(step, coef));
            for &(other, coef) in terms.iter().filter(|t| t.0 != atom) {
                let other = scev.scale(other, coef);
                start = scev.add(start, other);
            }
            let constant = scev.exprs.constant(constant, scev.exprs.bits(e));
            let start = scev.add(start, constant);
            let multiplies = |x: Expr| u32::from(scev.exprs.as_const(x).is_none_or(|n| n > 1));
            let adds = u32::from(scev.exprs.as_const(start) != Some(0));
            let own = each * (adds + multiplies(start) + multiplies(step));
            return own + cost(scev, start, known, depth) + cost(scev, step, known, depth);
        }
    }
    let operands = terms.len() as u32 + u32::from(constant != 0);
    let mut all = each * operands.saturating_sub(1);
    for &(atom, coef) in &terms {
        all += cost(scev, atom, known, depth) + if coef == 1 { 0 } else { each };
    }
    all
}

/// The integers that are known where a loop begins, with the counts that loops before it were unrolled by.
fn known_before(scev: &mut Scev<'_>, l: Loop) -> Known {
    let (func, info) = (scev.func, scev.info);
    let header = info.loops.header(l);
    let mut known = Known::default();
    for b in func.layout.blocks().filter(|&b| b != header && info.dom.dominates(b, header)) {
        let left = info.loops.innermost(b).is_some_and(|home| !info.loops.contains(home, header));
        if left {
            continue;
        }
        let results = func.layout.insts(b).filter_map(|i| func.dfg.result(i));
        for v in func.dfg.params(b).iter().copied().chain(results) {
            if Scev::has_expr(func.dfg.ty(v)) {
                known.insert(scev.expr(v));
            }
        }
    }
    // The tests in front of loops with one count are one test, which is made before all of them.
    let before = |&x: &Loop| {
        let mut test = info.dom.idom(info.loops.header(x));
        if let Some(b) = test.filter(|&b| func.dfg.op(func.layout.terminator(b)) == Opcode::Jump) {
            test = info.dom.idom(b);
        }
        x != l && !info.loops.encloses(x, l) && test.is_some_and(|b| info.dom.dominates(b, header))
    };
    for x in info.loops.iter().filter(before) {
        let counted = info.loops.latch(x).and_then(|latch| scev.exit_count(x, latch).exact);
        if let Some(backedges) = counted.filter(|&e| is_computed_once(scev, x, e)) {
            let one = scev.exprs.constant(1, scev.exprs.bits(backedges));
            known.insert(scev.add(backedges, one));
        }
    }
    known
}

/// What the test in front of a loop, as LLVM leaves it, shows of its start and bound.
enum Guard {
    /// That the one is below the other, or it does not matter.
    Proven,
    /// Not that, so that the count is that to a maximum.
    Unproven([Expr; 2]),
    /// Nothing, but the count of a loop that goes down by one is that difference all the same.
    Difference(Expr),
}

fn guard(scev: &mut Scev<'_>, l: Loop) -> Guard {
    compared(scev, l).unwrap_or(Guard::Proven)
}

/// A test is of what is left where start and bound have something in common: `x < x + n` is `0 < n`. None is of use where the
/// bound itself still counts or the loop goes down, in steps.
fn compared(scev: &mut Scev<'_>, l: Loop) -> Option<Guard> {
    let (func, info) = (scev.func, scev.info);
    let latch = func.layout.terminator(info.loops.latch(l)?);
    if func.dfg.op(latch) != Opcode::Br {
        return None;
    }
    let test = func.dfg.def_op(func.dfg.arg(latch, 0), Opcode::Icmp)?;
    let stays = func.dfg.successor(latch, 0) == info.loops.header(l);
    let cc = func.dfg.insts[test].int_cc()?;
    let mut cc = if stays { cc } else { cc.inverse() };
    let (mut a, mut b) = (scev.expr(func.dfg.arg(test, 0)), scev.expr(func.dfg.arg(test, 1)));
    let counts = |scev: &Scev<'_>, e: Expr| match scev.exprs.node(e) {
        Node::AddRec { start, step, l: of, .. } if of == l => Some((start, step)),
        _ => None,
    };
    if counts(scev, a).is_none() {
        (a, b, cc) = (b, a, cc.swapped());
    }
    let (start, step) = counts(scev, a)?;
    let by_one = matches!(scev.exprs.as_int(step), Some(1 | -1));
    let late = matches!(cc, IntCC::Sle | IntCC::Ule | IntCC::Sgt | IntCC::Sge | IntCC::Ugt | IntCC::Uge);
    let before = scev.sub(start, step);
    if late && !by_one && scev.exprs.as_const(before).is_none() {
        return Some(Guard::Unproven([before, b]));
    }
    let left = scev.sub(b, before);
    if scev.exprs.as_const(left).is_some() {
        return None;
    }
    // Counters of one loop that step alike are that counter, and what was added to it.
    let shares = |x: &(Expr, u64), y: &(Expr, u64)| match (scev.exprs.node(x.0), scev.exprs.node(y.0)) {
        _ if x == y => true,
        (Node::AddRec { step, l, .. }, Node::AddRec { step: other, l: same, .. }) => {
            x.1 == y.1 && step == other && l == same
        }
        _ => false,
    };
    let (of_bound, of_start) = (scev.exprs.terms(b).1, scev.exprs.terms(before).1);
    let common = of_bound.iter().any(|x| of_start.iter().any(|y| shares(x, y)));
    if !common {
        None
    } else if scev.exprs.as_int(step) == Some(-1) {
        Some(Guard::Difference(scev.sub(before, b)))
    } else {
        Some(Guard::Unproven([before, b]))
    }
}
