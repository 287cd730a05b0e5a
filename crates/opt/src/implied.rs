//! Drops a test that the next one makes needless: `i < 4096 && i < e` is `i < e` where `e` is at most 4096.
//!
//! Two tests in a row go to the same place with the same values when they fail, and where the second one succeeds the
//! first one must have: then the first need not be asked. A loop with such a condition has one exit instead of two, and
//! with it a trip count.
//!
//! What must hold: verified IR. Only the first test's condition changes, to a constant; the branch is left to others.
//!
//! Limits: comparisons of the same value in the same sense, the first with a constant, the second with a value whose
//! range shows it; nothing but [`MAX_BETWEEN`] instructions that may run needlessly in the second one's block.
//!
//! Cost: linear in the blocks, with one look at a range where two tests fit together.

use crate::PassContext;
use crate::known::Known;
use ir::{Block, Function, Inst, IntCC, Opcode, Payload, Value};

/// Instructions besides the comparison that the second test may compute.
const MAX_BETWEEN: usize = 3;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.cfg(func);
    cx.keep_graph();
    let mut changed = false;
    for &b in cfg.rpo() {
        let first = func.layout.terminator(b);
        if func.dfg.op(first) != Opcode::Br || !matches!(func.dfg.insts[first].payload, Payload::Br(..)) {
            continue;
        }
        for goes_on in 0..2 {
            let next = func.dfg.successor(first, goes_on);
            let alone = cfg.single_pred(next).is_some_and(|e| e.from == b);
            if alone && is_implied(func, cx, first, goes_on, next) {
                let always = func.dfg.bits(ir::Type::I1, u64::from(goes_on == 0));
                func.dfg.args_mut(first)[0] = always;
                changed = true;
                break;
            }
        }
    }
    changed
}

/// Whether the test that ends `next`, which is reached by edge `goes_on` of `first`, makes that one needless.
fn is_implied(func: &Function, cx: &PassContext<'_>, first: Inst, goes_on: usize, next: Block) -> bool {
    let second = func.layout.terminator(next);
    if func.dfg.op(second) != Opcode::Br || !func.dfg.params(next).is_empty() || !is_bare(func, next, second) {
        return false;
    }
    let fails = 1 - goes_on;
    let end = func.dfg.successor(first, fails);
    (0..2).any(|stays| {
        func.dfg.successor(second, 1 - stays) == end
            && func.dfg.successor(second, stays) != end
            && same_values(func, func.dfg.branch_args(first, fails), func.dfg.branch_args(second, 1 - stays))
            && decides(func, cx, (second, stays == 0), (first, goes_on == 0))
    })
}

fn same_values(func: &Function, a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&x, &y)| func.dfg.resolve(x) == func.dfg.resolve(y))
}

/// Whether a block computes little besides its test, and nothing that may not run needlessly.
fn is_bare(func: &Function, b: Block, term: Inst) -> bool {
    let others = || func.layout.insts(b).filter(|&i| i != term);
    others().count() <= MAX_BETWEEN + 1 && others().all(|i| func.dfg.op(i).is_cheap())
}

/// Whether the condition of one branch having a truth value gives that of another the named one.
fn decides(func: &Function, cx: &PassContext<'_>, known: (Inst, bool), asked: (Inst, bool)) -> bool {
    let Some((cc, x, bound)) = comparison(func, known) else { return false };
    let Some((wanted, y, limit)) = comparison(func, asked) else { return false };
    let ty = func.dfg.ty(x);
    if x != y || ty.is_vector() || !ty.is_int() {
        return false;
    }
    let facts = Known::new(func, cx.options.target);
    if cc.is_signed() && wanted.is_signed() {
        let Some(limit) = func.dfg.as_int(limit) else { return false };
        let bound = facts.signed_range(bound);
        reaches(cc, (bound.lo.into(), bound.hi.into()), wanted, limit.into())
    } else if cc.is_unsigned() && wanted.is_unsigned() {
        let Some(limit) = func.dfg.as_bits(limit) else { return false };
        let bound = facts.range(bound);
        reaches(cc, (bound.lo.into(), bound.hi.into()), wanted, limit.into())
    } else {
        false
    }
}

/// Whether `x cc bound`, for a bound between two numbers, makes `x wanted limit` true.
fn reaches(cc: IntCC, bound: (i128, i128), wanted: IntCC, limit: i128) -> bool {
    use IntCC::*;
    // The largest or smallest value that the known comparison leaves, against the one that the other allows.
    let most = match cc {
        Slt | Ult => bound.1 - 1,
        Sle | Ule => bound.1,
        _ => i128::MAX,
    };
    let least = match cc {
        Sgt | Ugt => bound.0 + 1,
        Sge | Uge => bound.0,
        _ => i128::MIN,
    };
    match wanted {
        Slt | Ult => most < limit,
        Sle | Ule => most <= limit,
        Sgt | Ugt => least > limit,
        Sge | Uge => least >= limit,
        Eq | Ne => false,
    }
}

/// What a branch with a known truth value compares: the second side is a constant where one is.
fn comparison(func: &Function, (branch, truth): (Inst, bool)) -> Option<(IntCC, Value, Value)> {
    let i = func.dfg.def_op(func.dfg.arg(branch, 0), Opcode::Icmp)?;
    let cc = func.dfg.insts[i].int_cc()?;
    let cc = if truth { cc } else { cc.inverse() };
    let (x, y) = (func.dfg.resolve(func.dfg.arg(i, 0)), func.dfg.resolve(func.dfg.arg(i, 1)));
    Some(if func.dfg.as_const(x).is_some() { (cc.swapped(), y, x) } else { (cc, x, y) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_may_be_larger_decides_nothing() {
        for limit in -3..=3i128 {
            for lo in -3..=3 {
                for hi in lo..=3 {
                    for (cc, wanted) in [(IntCC::Slt, IntCC::Sle), (IntCC::Slt, IntCC::Slt), (IntCC::Sge, IntCC::Sgt)] {
                        let holds = |cc: IntCC, x: i128, y: i128| match cc {
                            IntCC::Slt => x < y,
                            IntCC::Sle => x <= y,
                            IntCC::Sgt => x > y,
                            _ => x >= y,
                        };
                        let all = (-6..=6).all(|x| (lo..=hi).all(|b| !holds(cc, x, b) || holds(wanted, x, limit)));
                        assert_eq!(reaches(cc, (lo, hi), wanted, limit), all, "{cc:?} {lo}..={hi} {wanted:?} {limit}");
                    }
                }
            }
        }
    }
}
