//! Trip counts that cicc for sm_100 computes without a maximum.
//!
//! Where the count is `max(1, n)` because nothing shows that a loop which begins runs once, nvcc takes smaller factors. The
//! test in front of the loop shows it, but not after InstCombine has made another test of it: `(n + 15) / 16 > 0` becomes
//! `n > 0`, `n * 3 > 0` becomes `n > 0`, of which nothing is concluded for the count. What is found here was measured, form by
//! form (`docs/unrolling.md`, `tests/unroll_counts.rs`).

use crate::lanes::Lanes;
use analysis::{Expr, Exprs, Loop, Node, Scev};
use ir::{Block, Function, Inst, IntCC, Opcode, Value};

/// Whether a number of back edges is one that cicc for sm_100 computes without a maximum: as measured, no identity or size of
/// work-items and no minimum takes part, and what is counted to from a constant is no sum with a constant and no multiple.
pub(crate) fn is_plain_count(scev: &mut Scev<'_>, l: Loop, latch: Block, backedges: Expr, lanes: &mut Lanes) -> bool {
    let bits = scev.exprs.bits(backedges);
    let one = scev.exprs.constant(1, bits);
    let count = scev.add(backedges, one);
    let count = without_guard(scev, l, count);
    let (constant, terms) = scev.exprs.terms(count);
    if terms.iter().any(|&(atom, _)| lanes.take_part(scev, atom)) {
        return false;
    }
    if let Some(dist) = rounded_up(scev, &terms) {
        let dist = without_guard(scev, l, dist);
        return constant <= 1 && !chooses(&scev.exprs, dist, 0);
    }
    let test = Test::of(scev, l, latch);
    // `u + 3 > 0` stays what it is.
    let is_unsigned = test.as_ref().is_some_and(|t| t.is_unsigned);
    let quotient = test.and_then(|t| t.quotient);
    let negative = constant > u64::MAX >> (65 - bits.clamp(2, 64));
    match terms[..] {
        [(_, 1)] if quotient == Some(Dividend::Moved) || quotient.is_some() && constant > 1 => false,
        [(atom, 1)] if let Node::UDiv(dist, _) = scev.exprs.node(atom) => {
            let dist = without_guard(scev, l, dist);
            (constant <= 1 || is_unsigned) && !chooses(&scev.exprs, dist, 0)
        }
        [(atom, coef)] => {
            let sum = coef == 1 && (constant <= 1 || negative) || is_unsigned && coef.is_power_of_two();
            (sum || falls_to_a_constant(scev, l, latch)) && !chooses(&scev.exprs, atom, 0)
        }
        _ => !terms.iter().any(|&(atom, _)| chooses(&scev.exprs, atom, 0)),
    }
}

/// Whether a loop counts down by one to a constant: the test in front of it is of the start as it is, whatever that is made of.
fn falls_to_a_constant(scev: &mut Scev<'_>, l: Loop, latch: Block) -> bool {
    let func = scev.func;
    let Some(test) = comparison(func, latch) else { return false };
    let mut falls = |counter: usize, bound: usize| {
        let (counter, bound) = (scev.expr(func.dfg.arg(test, counter)), scev.expr(func.dfg.arg(test, bound)));
        let falling = matches!(scev.exprs.node(counter), Node::AddRec { step, l: of, .. }
            if of == l && scev.exprs.as_int(step) == Some(-1));
        falling && scev.exprs.as_const(bound).is_some()
    };
    falls(0, 1) || falls(1, 0)
}

/// Whether a loop ends where a pointer comes to another one: cicc for sm_100 never gives these more copies than for sm_90.
pub(crate) fn compares_pointers(func: &Function, latch: Block) -> bool {
    comparison(func, latch).is_some_and(|i| func.dfg.ty(func.dfg.arg(i, 0)).is_ptr())
}

/// The comparison that a latch branches on.
pub(crate) fn comparison(func: &Function, latch: Block) -> Option<Inst> {
    let condition = *func.dfg.args(func.layout.terminator(latch)).first()?;
    func.dfg.def_inst(condition).filter(|&i| func.dfg.op(i) == Opcode::Icmp)
}

/// The distance of a quotient that is rounded up, `min(1, dist) + (dist - min(1, dist)) / step`: that of a loop which would else
/// be counted wrongly where it does not run.
fn rounded_up(scev: &mut Scev<'_>, terms: &[(Expr, u64)]) -> Option<Expr> {
    let &[(x, 1), (y, 1)] = terms else { return None };
    for (least, quotient) in [(x, y), (y, x)] {
        let (Node::UMin(a, b), Node::UDiv(rest, _)) = (scev.exprs.node(least), scev.exprs.node(quotient)) else {
            continue;
        };
        let dist = scev.add(rest, least);
        if (dist == b && scev.exprs.as_const(a) == Some(1)) || (dist == a && scev.exprs.as_const(b) == Some(1)) {
            return Some(dist);
        }
    }
    None
}

/// A distance without the maximum that stands for a bound below the start: the test in front of the loop excludes that. From a
/// start that is a constant, there is a maximum only where nothing does, but for differences.
fn without_guard(scev: &mut Scev<'_>, l: Loop, dist: Expr) -> Expr {
    let bits = scev.exprs.bits(dist);
    let minus_one = u64::MAX >> (64 - bits.clamp(1, 64));
    for (atom, coef) in scev.exprs.terms(dist).1 {
        // Of a loop that counts down, the bound is the smaller one, and it is subtracted.
        let (a, b, down) = match scev.exprs.node(atom) {
            Node::UMax(a, b) | Node::SMax(a, b) if coef == 1 => (a, b, false),
            Node::UMin(a, b) | Node::SMin(a, b) if coef == minus_one => (a, b, true),
            _ => continue,
        };
        let rest = if down { scev.add(dist, atom) } else { scev.sub(dist, atom) };
        for (start, bound) in [(a, b), (b, a)] {
            let left = if down { scev.sub(rest, start) } else { scev.add(rest, start) };
            let guarded = scev.exprs.as_const(start).is_none()
                || !down && is_guarded_difference(scev, l, bound)
                || matches!(scev.exprs.node(atom), Node::UMax(..)) && is_one_to_one(&scev.exprs, bound);
            if scev.exprs.as_const(left).is_some() && guarded {
                return if down { scev.sub(rest, bound) } else { scev.add(rest, bound) };
            }
        }
    }
    dist
}

/// Whether a bound is what one value is more than another, and more it is where the loop begins: `0 < a - b`, tested as `b < a`.
fn is_guarded_difference(scev: &mut Scev<'_>, l: Loop, bound: Expr) -> bool {
    let minus_one = u64::MAX >> (64 - scev.exprs.bits(bound).clamp(1, 64));
    let (constant, terms) = scev.exprs.terms(bound);
    match terms[..] {
        [(a, 1), (b, n)] | [(b, n), (a, 1)] if n == minus_one && constant == 0 => {
            scev.is_known_at_entry(IntCC::Slt, b, a, l)
        }
        _ => false,
    }
}

/// Whether a bound is one value plus a constant, perhaps shifted: that it is not zero still is what the test in front asks.
fn is_one_to_one(exprs: &Exprs, bound: Expr) -> bool {
    matches!(exprs.terms(bound).1[..], [(_, coef)] if coef.is_power_of_two())
}

/// Whether a loop counts to a minimum of which cicc for sm_100 knows no bound: of `min(n - 1, 64)` InstCombine makes `min(n, 65) - 1`,
/// which might wrap. (`min(n + 1, 64)` cannot, nor can unsigned ones.)
pub(crate) fn hides_bound(scev: &mut Scev<'_>, l: Loop, latch: Block) -> bool {
    let func = scev.func;
    let Some(test) = comparison(func, latch) else { return false };
    let bound = func.dfg.args(test).iter().copied().find(|&v| scev.info.loops.defined_outside(func, l, v));
    let minimum = bound.filter(|&v| func.dfg.def_op(v, Opcode::SMin).is_some());
    minimum.is_some_and(|v| is_hidden(scev, l, v, 0))
}

/// Of minima of minima, the constant becomes the last one first where they stand in the function's first block.
fn is_hidden(scev: &mut Scev<'_>, l: Loop, v: Value, depth: u32) -> bool {
    let func = scev.func;
    let Some(i) = func.dfg.def_op(v, Opcode::SMin).filter(|_| depth < MAX_DEPTH) else { return false };
    let (x, y) = (func.dfg.arg(i, 0), func.dfg.arg(i, 1));
    if func.dfg.as_bits(y).is_some() && is_moved_down(scev, x) {
        let x = scev.expr(x);
        let zero = scev.exprs.constant(0, scev.exprs.bits(x));
        let first = func.layout.inst_block(i) == Some(func.layout.entry());
        return !(depth > 0 && first || scev.is_known_at_entry(IntCC::Sge, x, zero, l));
    }
    is_hidden(scev, l, x, depth + 1) || is_hidden(scev, l, y, depth + 1)
}

/// Whether a value is something that may be any number, less a constant.
fn is_moved_down(scev: &mut Scev<'_>, v: Value) -> bool {
    let func = scev.func;
    let Some(i) = func.dfg.def_inst(v) else { return false };
    let less = match func.dfg.op(i) {
        Opcode::Add => func.dfg.as_int(func.dfg.arg(i, 1)).and_then(i64::checked_neg),
        Opcode::Sub => func.dfg.as_int(func.dfg.arg(i, 1)),
        _ => None,
    };
    let Some(less) = less.filter(|&n| n > 0) else { return false };
    let whole = scev.expr(func.dfg.arg(i, 0));
    let lowest = -1i64 << (scev.exprs.bits(whole).clamp(1, 64) - 1);
    scev.range(whole).smin.checked_sub(less).is_none_or(|n| n < lowest)
}

/// Whether an expression is a minimum or maximum, perhaps over something, perhaps extended.
fn chooses(exprs: &Exprs, e: Expr, depth: u32) -> bool {
    match exprs.node(e) {
        _ if depth > MAX_DEPTH => true,
        Node::UMin(..) | Node::UMax(..) | Node::SMin(..) | Node::SMax(..) => true,
        Node::ZExt(a) | Node::SExt(a) | Node::Trunc(a) | Node::UDiv(a, _) => chooses(exprs, a, depth + 1),
        Node::Sum { .. } => exprs.terms(e).1.iter().any(|&(atom, _)| chooses(exprs, atom, depth + 1)),
        _ => false,
    }
}

/// Deepest expression that [`chooses`] looks into.
const MAX_DEPTH: u32 = 32;

/// What is divided, of a signed quotient by a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dividend {
    /// One value plus a constant, or times one: what stands in front of the loop asks about the value.
    Moved,
    /// Anything else.
    Other,
}

/// The test at the end of a loop of a counter.
struct Test {
    is_unsigned: bool,
    /// The bound is a signed quotient by a constant, perhaps plus a constant, to which is counted by one.
    quotient: Option<Dividend>,
}

impl Test {
    fn of(scev: &mut Scev<'_>, l: Loop, latch: Block) -> Option<Self> {
        let func = scev.func;
        let test = comparison(func, latch)?;
        let (cc, args) = (func.dfg.insts[test].int_cc()?, func.dfg.args(test));
        let is_outside = |v: &Value| scev.info.loops.defined_outside(func, l, *v);
        let bound = args.iter().copied().find(is_outside)?;
        let counter = args.iter().copied().find(|v| !is_outside(v))?;
        let counter = scev.expr(counter);
        let by_one =
            matches!(scev.exprs.node(counter), Node::AddRec { step, .. } if scev.exprs.as_int(step) == Some(1));
        let is_unsigned = matches!(cc, IntCC::Ult | IntCC::Ule | IntCC::Ugt | IntCC::Uge);
        Some(Self { is_unsigned, quotient: quotient(scev, bound).filter(|_| by_one) })
    }
}

/// What is divided to get a bound.
fn quotient(scev: &Scev<'_>, bound: Value) -> Option<Dividend> {
    let func = scev.func;
    let constant = |v: Value| func.dfg.as_bits(v);
    let parts = |v: Value| {
        let i = func.dfg.def_inst(v)?;
        Some((func.dfg.op(i), func.dfg.args(i)))
    };
    let mut v = bound;
    // Extensions and sums with constants.
    let (dividend, divisor) = loop {
        match parts(v)? {
            (Opcode::SExt | Opcode::ZExt, a) => v = a[0],
            (Opcode::Add | Opcode::Sub, a) if constant(a[1]).is_some() => v = a[0],
            (Opcode::SDiv, a) => break (a[0], constant(a[1])?),
            _ => return None,
        }
    };
    let is_sum = |v: Value| parts(v).is_some_and(|(op, _)| matches!(op, Opcode::Add | Opcode::Sub));
    let moved = match parts(dividend) {
        Some((Opcode::Add | Opcode::Sub, a)) if constant(a[1]).is_some() => !is_sum(a[0]),
        Some((Opcode::Sub, a)) => constant(a[0]).is_some(),
        Some((Opcode::Mul, a)) => constant(a[1]).is_some_and(|n| n == 0 || divisor % n != 0),
        Some((Opcode::Shl, a)) => constant(a[1]).is_some_and(|n| n > 63 || divisor % (1 << n) != 0),
        _ => false,
    };
    Some(if moved { Dividend::Moved } else { Dividend::Other })
}
