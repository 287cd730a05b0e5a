//! Steps that are variables: `for (int i = a; i < n; i += s)`.
//!
//! cicc for sm_90 counts such loops, but makes no remainder of them where the count would be computed in each iteration of a loop
//! around, as `a`, `n` or `s` changes there, nor where `a` and `s` are alike: where its scalar evolution, which sorts the parts of
//! sums by their kind, sees no difference between them (two loads, `threadIdx.x / 16` and `blockDim.x / 16`), so that `a + s` is
//! not always the same sum. Measured with 64 combinations of kinds and some fifty forms (`tests/unroll_steps.rs`).

use crate::plain;
use analysis::{Expr, Loop, Node, Scev};
use ir::{Edge, Function, IntCC, Opcode, Value, ValueDef};

/// How deep values are compared.
const MAX_VALUE_DEPTH: u32 = 2;
/// How deep expressions are.
const MAX_DEPTH: u32 = 16;

/// Whether an exit that compares a counter with a variable step is one for which cicc for sm_90 makes no remainder.
pub(crate) fn is_lost(scev: &mut Scev<'_>, l: Loop, exit: &Edge) -> bool {
    let func = scev.func;
    let Some(test) = plain::comparison(func, exit.from) else { return false };
    let sides = [(0, 1), (1, 0)].map(|(a, b)| (func.dfg.arg(test, a), func.dfg.arg(test, b)));
    for (counter, bound) in sides {
        let e = scev.expr(counter);
        let Node::AddRec { start, step, l: of, .. } = scev.exprs.node(e) else { continue };
        if of != l || scev.exprs.as_const(step).is_some() {
            continue;
        }
        // It is the counter after its step that is compared.
        let first = scev.sub(start, step);
        let bound = scev.expr(bound);
        let around = scev.info.loops.parent(l);
        return around.is_some_and(|p| [first, step, bound].iter().any(|&e| !scev.is_invariant(e, p)))
            || first != step && alike(scev, first, step, 0);
    }
    false
}

/// Whether a loop goes on while a counter that moves by two or more is not beyond a bound (`i <= n`, `i >= m`), and what is left of both
/// may be the last number that there is: cicc for sm_90 makes no `i < n + 1` or `i - 1 < n` of it then, and no count. Measured with
/// 540 loops of one statement; `bare` is a scalar evolution that knows no ids.
pub(crate) fn is_inclusive<'a>(scev: &mut Scev<'a>, bare: &mut Scev<'a>, l: Loop, exit: &Edge) -> bool {
    let func = scev.func;
    let Some(test) = plain::comparison(func, exit.from) else { return false };
    let Some(cc) = func.dfg.insts[test].int_cc() else { return false };
    // The first successor is that of a comparison that holds.
    let stays = if exit.index == 0 { cc.inverse() } else { cc };
    [(0, 1, stays), (1, 0, stays.swapped())].into_iter().any(|(a, b, cc)| {
        let (counter, bound) = (func.dfg.arg(test, a), func.dfg.arg(test, b));
        let known = if cc == IntCC::Sle { &mut *bare } else { &mut *scev };
        let e = known.expr(counter);
        let Node::AddRec { start, step, l: of, .. } = known.exprs.node(e) else { return false };
        let Some(by) = known.exprs.as_int(step).filter(|_| of == l) else { return false };
        let first = known.sub(start, step);
        if known.exprs.as_const(first).is_some() {
            return false;
        }
        let bound = known.expr(bound);
        let greatest = i64::MAX >> (64 - known.exprs.bits(bound));
        let varies = matches!(known.exprs.node(first), Node::AddRec { .. });
        let (first, bound) = (known.range(first), known.range(bound));
        match cc {
            IntCC::Sle => by > 1 && bound.smax == greatest && (varies || first.smin == !greatest),
            IntCC::Sge => by < -1 && bound.smin == !greatest && (varies || first.smax == greatest),
            _ => false,
        }
    })
}

/// Whether LLVM's order of expressions by complexity puts neither of two before the other.
fn alike(scev: &Scev<'_>, a: Expr, b: Expr, depth: u32) -> bool {
    let exprs = &scev.exprs;
    if a == b || depth > MAX_DEPTH {
        return true;
    }
    let both = |x, y, below| alike(scev, x, y, depth + below);
    match (exprs.node(a), exprs.node(b)) {
        (Node::Unknown(v), Node::Unknown(w)) => values_alike(scev.func, v, w, depth + 1),
        (Node::ZExt(x), Node::ZExt(y)) | (Node::SExt(x), Node::SExt(y)) | (Node::Trunc(x), Node::Trunc(y)) => {
            both(x, y, 1)
        }
        (Node::Mul(x, p), Node::Mul(y, q)) | (Node::UDiv(x, p), Node::UDiv(y, q)) => both(x, y, 1) && both(p, q, 1),
        (Node::SMax(x, p), Node::SMax(y, q)) | (Node::UMax(x, p), Node::UMax(y, q)) => both(x, y, 1) && both(p, q, 1),
        // A minimum is the complement of the maximum of the complements there.
        (Node::SMin(x, p), Node::SMin(y, q)) | (Node::UMin(x, p), Node::UMin(y, q)) => both(x, y, 4) && both(p, q, 4),
        // A multiple; the parts of other sums are sorted one by one.
        (Node::Sum { .. }, Node::Sum { .. }) => {
            let ((c, s), (d, t)) = (exprs.terms(a), exprs.terms(b));
            matches!((&s[..], &t[..]), (&[(x, n)], &[(y, m)]) if (c, d, n) == (0, 0, m) && both(x, y, 1))
        }
        _ => false,
    }
}

/// The same of values: they are compared by what they are, and what that is made of, to a depth of two.
fn values_alike(func: &Function, a: Value, b: Value, depth: u32) -> bool {
    if a == b || depth > MAX_VALUE_DEPTH {
        return true;
    }
    match (func.dfg.def(a), func.dfg.def(b)) {
        (ValueDef::Const(_), ValueDef::Const(_)) => true,
        (ValueDef::Inst(i), ValueDef::Inst(j)) => {
            let (x, y) = (&func.dfg.insts[i], &func.dfg.insts[j]);
            if x.op != y.op || func.dfg.args(i).len() != func.dfg.args(j).len() {
                return false;
            }
            let below = match x.op {
                // A register is the result of a call there, of which the function is an operand.
                Opcode::Special => return depth == MAX_VALUE_DEPTH,
                // The rest of a division by a power of two is a number of fewer bits, extended.
                Opcode::And if func.dfg.as_bits(func.dfg.arg(i, 1)) == func.dfg.as_bits(func.dfg.arg(j, 1)) => 2,
                _ => 1,
            };
            let pairs = func.dfg.args(i).iter().zip(func.dfg.args(j));
            pairs.into_iter().all(|(&p, &q)| values_alike(func, p, q, depth + below))
        }
        _ => false,
    }
}
