//! `x >= 0 && x < n` is one comparison of unsigned numbers: `x < max(n, 0)`.
//!
//! Code that looks at neighbours in a grid asks so for each of them and along each axis. Where `n` cannot be negative the
//! greater of the two is `n` itself. Otherwise it has to be computed, which pays where it is done once for several
//! comparisons: before a loop that does not change `n`, or for two and more in the function. `x < 0 || x >= n` is the
//! opposite, in the same way. Both comparisons are looked for among the operands of a conjunction (of a disjunction), as
//! [`crate::join_branches`] makes them of branches in a row; with two constants `simplify` does it.
//!
//! What must hold: verified IR, equal values are one ([`crate::gvn`]), which merges and [`crate::licm`] which hoists the
//! maxima afterwards. Runs late: what is known of `x` alone is not to be read from this form. Limits: [`MAX_LEAVES`]
//! operands. Cost: linear.

use crate::PassContext;
use crate::known::Known;
use analysis::LoopInfo;
use ir::{Builder, Function, Inst, IntCC, Opcode, Payload, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Most operands of one conjunction.
const MAX_LEAVES: usize = 16;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let info = cx.loops(func);
    let uses = uses(func, &info);
    let mut found = Vec::new();
    for &b in info.cfg.rpo() {
        for root in func.layout.insts(b).filter(|&i| is_root(func, &uses, i)) {
            let mut leaves = SmallVec::new();
            gather(func, &uses, root, func.dfg.op(root), &mut leaves);
            let pairs = pairs(func, func.dfg.op(root), &leaves);
            if !pairs.is_empty() {
                found.push(Row { root, leaves, pairs });
            }
        }
    }
    let mut asked: FxHashMap<Value, u32> = FxHashMap::default();
    for pair in found.iter().flat_map(|r| &r.pairs) {
        *asked.entry(pair.n).or_default() += 1;
    }
    let known = Known::new(func, cx.options.target);
    let mut plans = Vec::new();
    for Row { root, leaves, pairs } in found {
        let inner = func.layout.inst_block(root).and_then(|b| info.loops.innermost(b));
        let with = |p: Pair| {
            let limit = if known.signed_range(p.n).lo >= 0 { Limit::Itself } else { Limit::Greatest };
            let once = inner.is_some_and(|l| info.loops.defined_outside(func, l, p.n));
            (limit == Limit::Itself || once || asked[&p.n] > 1).then_some((p, limit))
        };
        let pairs: SmallVec<[(Pair, Limit); 4]> = pairs.into_iter().filter_map(with).collect();
        if !pairs.is_empty() {
            plans.push((root, leaves, pairs));
        }
    }
    for (root, leaves, pairs) in &plans {
        rewrite(func, *root, leaves, pairs);
    }
    if !plans.is_empty() {
        func.resolve_aliases();
    }
    !plans.is_empty()
}

type Leaves = SmallVec<[Value; 8]>;

/// A conjunction or disjunction, its operands, and which of those are one comparison.
struct Row {
    root: Inst,
    leaves: Leaves,
    pairs: SmallVec<[Pair; 4]>,
}

/// Two operands of a conjunction, by their places, that ask whether `x` is one of the `n` numbers from 0.
#[derive(Clone, Copy)]
struct Pair {
    x: Value,
    n: Value,
    first: usize,
    second: usize,
}

/// What `x` is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    Itself,
    Greatest,
}

/// Who uses each conjunction or disjunction: how many instructions, and the operation of the last.
fn uses(func: &Function, info: &LoopInfo) -> FxHashMap<Value, (u32, Opcode)> {
    let mut out = FxHashMap::default();
    for i in info.cfg.rpo().iter().flat_map(|&b| func.layout.insts(b)) {
        func.dfg.for_each_use(i, |v| {
            let v = func.dfg.resolve(v);
            if func.dfg.def_inst(v).is_some_and(|d| is_join(func, d)) {
                let entry = out.entry(v).or_insert((0, func.dfg.op(i)));
                *entry = (entry.0 + 1, func.dfg.op(i));
            }
        });
    }
    out
}

fn is_join(func: &Function, i: Inst) -> bool {
    matches!(func.dfg.op(i), Opcode::And | Opcode::Or) && func.dfg.insts[i].ty == Type::I1
}

/// Whether an instruction is the last of its row.
fn is_root(func: &Function, uses: &FxHashMap<Value, (u32, Opcode)>, i: Inst) -> bool {
    is_join(func, i) && uses.get(&func.dfg.res(i)) != Some(&(1, func.dfg.op(i)))
}

/// The operands of a row, from the left.
fn gather(func: &Function, uses: &FxHashMap<Value, (u32, Opcode)>, i: Inst, op: Opcode, out: &mut Leaves) {
    let mut waiting: SmallVec<[Value; 8]> = func.dfg.args(i).iter().rev().copied().collect();
    while let Some(v) = waiting.pop() {
        let v = func.dfg.resolve(v);
        match func.dfg.def_inst(v) {
            Some(d) if is_join(func, d) && func.dfg.op(d) == op && uses.get(&v) == Some(&(1, op)) => {
                waiting.extend(func.dfg.args(d).iter().rev().copied());
            }
            _ => out.push(v),
        }
        if out.len() + waiting.len() > MAX_LEAVES {
            out.clear();
            return;
        }
    }
}

/// Which operands ask for the two ends of a range.
fn pairs(func: &Function, op: Opcode, leaves: &Leaves) -> SmallVec<[Pair; 4]> {
    let (mut out, mut taken) = (SmallVec::<[Pair; 4]>::new(), [false; MAX_LEAVES]);
    for (second, &v) in leaves.iter().enumerate() {
        let Some((x, n)) = upper_end(func, op, v) else { continue };
        let lower = |&first: &usize| !taken[first] && first != second && lower_end(func, op, leaves[first]) == Some(x);
        let Some(first) = (0..leaves.len()).find(lower).filter(|_| !taken[second]) else { continue };
        (taken[first], taken[second]) = (true, true);
        out.push(Pair { x, n, first, second });
    }
    out
}

/// A comparison, with the constant on the right.
fn comparison(func: &Function, v: Value) -> Option<(IntCC, Value, Value)> {
    let i = func.dfg.def_inst(v)?;
    let Payload::IntCC(cc) = func.dfg.insts[i].payload else { return None };
    let ty = func.dfg.ty(func.dfg.arg(i, 0));
    if func.dfg.op(i) != Opcode::Icmp || !ty.is_int() || ty.is_vector() {
        return None;
    }
    let (a, b) = (func.dfg.resolve(func.dfg.arg(i, 0)), func.dfg.resolve(func.dfg.arg(i, 1)));
    Some(if func.dfg.as_int(a).is_some() { (cc.swapped(), b, a) } else { (cc, a, b) })
}

/// The `x` of `x >= 0`, or for a disjunction of `x < 0`.
fn lower_end(func: &Function, op: Opcode, v: Value) -> Option<Value> {
    let (cc, x, bound) = comparison(func, v)?;
    let bound = func.dfg.as_int(bound)?;
    let (zero, minus_one) = (bound == 0, bound == -1);
    let asks = match (op, cc) {
        (Opcode::And, IntCC::Sgt) | (Opcode::Or, IntCC::Sle) => minus_one,
        (Opcode::And, IntCC::Sge) | (Opcode::Or, IntCC::Slt) => zero,
        _ => false,
    };
    asks.then_some(x)
}

/// The `x` and `n` of `x < n`, or for a disjunction of `x >= n`.
fn upper_end(func: &Function, op: Opcode, v: Value) -> Option<(Value, Value)> {
    let (cc, x, n) = comparison(func, v)?;
    match (op, cc) {
        (Opcode::And, IntCC::Slt) | (Opcode::Or, IntCC::Sge) => Some((x, n)),
        (Opcode::And, IntCC::Sgt) | (Opcode::Or, IntCC::Sle) if func.dfg.as_int(n).is_none() => Some((n, x)),
        _ => None,
    }
}

fn rewrite(func: &mut Function, root: Inst, leaves: &Leaves, pairs: &[(Pair, Limit)]) {
    let op = func.dfg.op(root);
    let span = func.dfg.span(root);
    let result = func.dfg.res(root);
    let mut build = Builder::before(func, root);
    build.set_span(span);
    let mut left: SmallVec<[Option<Value>; 8]> = leaves.iter().map(|&v| Some(v)).collect();
    for &(pair, limit) in pairs {
        let limit = match limit {
            Limit::Itself => pair.n,
            Limit::Greatest => {
                let ty = build.ty(pair.n);
                let zero = build.iconst(ty, 0);
                build.binary(Opcode::SMax, pair.n, zero)
            }
        };
        let cc = if op == Opcode::And { IntCC::Ult } else { IntCC::Uge };
        left[pair.first.min(pair.second)] = None;
        left[pair.first.max(pair.second)] = Some(build.icmp(cc, pair.x, limit));
    }
    let mut rest = left.into_iter().flatten();
    let Some(mut joined) = rest.next() else { return };
    for v in rest {
        joined = build.binary(op, joined, v);
    }
    func.dfg.replace_value(result, joined);
    func.layout.remove_inst(root);
}
