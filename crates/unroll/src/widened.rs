//! Counters that a loop's exit compares in a wider type: `for (int i = a; i < n; i += s)` with a 64-bit `n`.
//!
//! That such a counter does not overflow is known from its addition, and still cicc for sm_90 can count few of these loops:
//! its scalar evolution does not carry the addition's promise into the wider type. cicc for sm_100 counts them all, some with a
//! maximum. What they count was measured, form by form (`docs/unrolling.md`, `tests/unroll_widths.rs`).

use crate::plain;
use analysis::scev::Wrap;
use analysis::{Expr, Loop, Node, Scev};
use ir::{Edge, IntCC, Opcode, Type, Value};

/// Most additions between a comparison and the extension.
const MAX_SUMS: u32 = 4;

/// The narrow counter of a comparison.
struct Counter {
    /// What it is one step before it is first compared, and the step.
    before: Expr,
    step: Expr,
    /// Whether more than the extension of the counter or of the counter plus its step is compared.
    is_part: bool,
}

/// Whether an exit compares a narrow counter in a wider type in a way that cicc for sm_90 does not count. `scev` is one that
/// knows no ids.
pub(crate) fn is_lost(scev: &mut Scev<'_>, l: Loop, exit: &Edge) -> bool {
    compared(scev, l, exit).is_some_and(|(counter, cc, _)| !is_counted(scev, &counter, cc))
}

/// Whether a counter that an exit compares starts from an extended number and steps by one, both of which ids and sizes keep
/// small: `for (long i = threadIdx.x; i < n; i += blockDim.x)`. InstCombine makes the counter narrow there, which is
/// [lost](is_lost). `scev` is one that knows ids.
pub(crate) fn is_narrowed(scev: &mut Scev<'_>, l: Loop, exit: &Edge) -> bool {
    let func = scev.func;
    let Some(test) = plain::comparison(func, exit.from) else { return false };
    func.dfg.args(test).iter().any(|&v| {
        if func.dfg.ty(v) != Type::I64 {
            return false;
        }
        let e = scev.expr(v);
        let Node::AddRec { start, step, l: of, .. } = scev.exprs.node(e) else { return false };
        // It is the counter after its step that is compared, but where the test comes first.
        let is_stepped = func.dfg.def_inst(v).is_some();
        let first = if is_stepped { scev.sub(start, step) } else { start };
        of == l && is_small(scev, step) && is_small(scev, first)
    })
}

/// Whether an expression is an extension, perhaps divided, of what is no negative 32-bit number.
fn is_small(scev: &mut Scev<'_>, e: Expr) -> bool {
    let extended = match scev.exprs.node(e) {
        Node::UDiv(a, _) => a,
        _ => e,
    };
    matches!(scev.exprs.node(extended), Node::ZExt(_)) && scev.range(e).umax <= i32::MAX as u64
}

/// Whether cicc for sm_100 counts a loop that compares a narrow counter in a wider type without a maximum: it does where a
/// constant, from which is counted, is tested before the loop. `None` if something else is compared, or what is never negative.
pub(crate) fn is_plain(scev: &mut Scev<'_>, l: Loop, exit: &Edge) -> Option<bool> {
    let (counter, cc, bound) = compared(scev, l, exit)?;
    let Some(start) = scev.exprs.as_int(counter.before) else {
        return (scev.range(counter.before).smin < 0).then_some(false);
    };
    let bound = scev.expr(bound);
    let start = scev.exprs.constant(start.cast_unsigned(), scev.exprs.bits(bound));
    Some(!counter.is_part && scev.is_known_at_entry(cc, start, bound, l))
}

/// The counter that an exit compares in a wider type, and how: the loop goes on while that holds of the counter and the bound.
fn compared(scev: &mut Scev<'_>, l: Loop, exit: &Edge) -> Option<(Counter, IntCC, Value)> {
    let func = scev.func;
    let test = plain::comparison(func, exit.from)?;
    let cc = func.dfg.insts[test].int_cc()?;
    // The first successor is that of a comparison that holds.
    let cc = if exit.index == 0 { cc.inverse() } else { cc };
    let (a, b) = (func.dfg.arg(test, 0), func.dfg.arg(test, 1));
    if !func.dfg.ty(a).is_int() || func.dfg.ty(a).is_vector() {
        return None;
    }
    match (counter(scev, l, a), counter(scev, l, b)) {
        (Some(c), None) => Some((c, cc, b)),
        (None, Some(c)) => Some((c, cc.swapped(), a)),
        _ => None,
    }
}

/// Whether the loop that goes on while `counter cc bound` holds has a count.
fn is_counted(scev: &mut Scev<'_>, counter: &Counter, cc: IntCC) -> bool {
    let step = scev.exprs.as_int(counter.step);
    let before = scev.exprs.as_int(counter.before);
    let first = before.zip(step).map(|(before, step)| before.saturating_add(step));
    // Then the extension is a recurrence of its own.
    let crosses_zero = before.is_some_and(|n| n < 0) && first.is_some_and(|n| n >= 0);
    let mut is_natural = || first.map_or_else(|| scev.range(counter.before).smin >= 0, |n| n >= 0);
    match cc {
        IntCC::Ne | IntCC::Eq => before.is_some(),
        IntCC::Slt if !counter.is_part => crosses_zero || step == Some(1) && is_natural(),
        IntCC::Ult if !counter.is_part => step.is_some_and(|s| s > 0) && is_natural(),
        IntCC::Ule => true,
        IntCC::Slt | IntCC::Sle => crosses_zero,
        _ => false,
    }
}

/// The counter of `l` that `v` extends, perhaps with something added.
fn counter(scev: &mut Scev<'_>, l: Loop, v: Value) -> Option<Counter> {
    let dfg = &scev.func.dfg;
    let (mut v, mut added) = (dfg.resolve(v), 0_i64);
    for _ in 0..MAX_SUMS {
        let i = dfg.def_inst(v)?;
        let arg = |n| dfg.resolve(dfg.arg(i, n));
        match dfg.op(i) {
            op @ (Opcode::Add | Opcode::Sub) => {
                let constant = dfg.as_bits(arg(1))?.cast_signed();
                added = added.wrapping_add(if op == Opcode::Add { constant } else { constant.wrapping_neg() });
                v = arg(0);
            }
            // What is known not to be negative is extended by zeros here.
            op @ (Opcode::SExt | Opcode::ZExt) => {
                let e = scev.expr(arg(0));
                let Node::AddRec { start, step, l: of, wrap } = scev.exprs.node(e) else { return None };
                if of != l || op == Opcode::ZExt && !wrap.has(Wrap::NSW) {
                    return None;
                }
                let by = scev.exprs.as_int(step);
                let stepped = added != 0 && by == Some(added);
                let before = if stepped { start } else { scev.sub(start, step) };
                return Some(Counter { before, step, is_part: added != 0 && !stepped });
            }
            _ => return None,
        }
    }
    None
}
