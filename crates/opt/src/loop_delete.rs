//! Removes loops that nothing needs: those whose results nobody asks for ([`dead`]), and those whose results can be computed
//! before the loop begins ([`run`]).
//!
//! A loop may go if it has no effects and is known to end, or must by the language's rules. What it leaves behind then is, for `s += c` and the loop's
//! counter, a linear function of the number of iterations, and for sums of such values a quadratic one; the expressions
//! are put in front of the loop (LLVM's `LoopDeletion`, and `rewriteLoopExitValues` of its `IndVarSimplify` for loops
//! that can be deleted afterwards). Inner loops go first, so that whole nests do.
//!
//! What must hold: verified IR. Questions and assumptions in a loop keep it. Limits: one way out, if anything is asked for
//! behind the loop; numbers of iterations that are exact, without a division by a variable; integers; [`MAX_RESULTS`]
//! results, [`MAX_ROUNDS`] loops of a nest. Cost: linear in instructions times nesting depth, and scalar evolution for loops
//! without effects.

use crate::PassContext;
use crate::loop_util::with_preheaders;
use analysis::scev::{Expr, Exprs, Node, Scev};
use analysis::{Cfg, Loop, LoopInfo};
use cranelift_entity::SecondaryMap;
use ir::{Block, ConstKind, Edge, Function, Inst, Opcode, Value, ValueDef, edit};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use source::{Answer, Fate, HintId, Span};
use target::Target;

/// Most values of a loop that are asked for behind it.
const MAX_RESULTS: usize = 8;
/// Most loops of a nest that are removed.
const MAX_ROUNDS: u32 = 8;

/// Removes loops whose results nothing uses, or can be computed without them.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    delete(func, cx, Results::Compute)
}

/// Removes loops whose results nothing uses: NVIDIA's compiler for GPUs before sm_100 keeps the others.
pub fn dead(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    delete(func, cx, Results::Refuse)
}

/// What becomes of loops that compute something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    Compute,
    Refuse,
}

fn delete(func: &mut Function, cx: &mut PassContext<'_>, results: Results) -> bool {
    let mut info = with_preheaders(func, cx);
    let mut changed = false;
    for _ in 0..MAX_ROUNDS {
        let mut found = Found::new(func, &info, cx.options.target);
        let plans = plans(&mut found, results);
        if plans.is_empty() {
            break;
        }
        let exprs: FxHashMap<Option<Loop>, Exprs> = found.into_exprs();
        for plan in &plans {
            tell(func, cx, plan);
            apply(func, plan, &exprs);
        }
        func.resolve_aliases();
        edit::remove_unreachable(func, Cfg::new(func).order());
        cx.drop_graph();
        info = LoopInfo::new(func);
        changed = true;
    }
    changed
}

/// A loop that goes.
struct Deletion {
    /// What enters it, a jump.
    entry: Inst,
    /// The edge that leaves it.
    exit: Edge,
    /// Its values that are used behind it, with what they are then.
    results: SmallVec<[(Value, Expr); 4]>,
    /// The loop around it, by which its expressions are kept.
    parent: Option<Loop>,
    hints: SmallVec<[HintId; 2]>,
    span: Span,
}

/// What is found out about a function's loops. Loops that stand in the same one share it: each asks what the loops before it
/// count, and all would be asked again for each.
struct Found<'a> {
    func: &'a Function,
    info: &'a LoopInfo,
    target: Target,
    within: FxHashMap<Option<Loop>, Scev<'a>>,
}

impl<'a> Found<'a> {
    fn new(func: &'a Function, info: &'a LoopInfo, target: Target) -> Self {
        Self { func, info, target, within: FxHashMap::default() }
    }

    /// Scalar evolution for a loop: what the loops around it count is opaque.
    fn scev(&mut self, l: Loop) -> &mut Scev<'a> {
        let (func, info, target) = (self.func, self.info, self.target);
        self.within.entry(info.loops.parent(l)).or_insert_with(|| Scev::within(func, info, target, l))
    }

    /// The expressions alone, by the loop around those for which they were found.
    fn into_exprs(self) -> FxHashMap<Option<Loop>, Exprs> {
        self.within.into_iter().map(|(parent, scev)| (parent, scev.into_exprs())).collect()
    }
}

/// Loops that can go, none inside another one.
fn plans(found: &mut Found<'_>, results: Results) -> Vec<Deletion> {
    let (func, info) = (found.func, found.info);
    if info.loops.is_empty() || info.loops.has_irreducible() {
        return Vec::new();
    }
    let quiet: Vec<Loop> = info.loops.inner_first().filter(|&l| is_quiet(func, info, l)).collect();
    if quiet.is_empty() {
        return Vec::new();
    }
    let used = used_behind(func, info);
    let mut plans = Vec::new();
    // Loops that go, and those around them.
    let mut gone: SecondaryMap<Loop, bool> = SecondaryMap::new();
    for l in quiet {
        if !gone[l]
            && (results == Results::Compute || used[l].is_empty())
            && let Some(plan) = plan(found, l, &used[l], results)
        {
            plans.push(plan);
            let mut around = Some(l);
            while let Some(x) = around.filter(|&x| !gone[x]) {
                gone[x] = true;
                around = info.loops.parent(x);
            }
        }
    }
    plans
}

/// Whether executing the loop changes nothing but its values.
pub(crate) fn is_quiet(func: &Function, info: &LoopInfo, l: Loop) -> bool {
    info.loops.data(l).blocks.iter().all(|&b| {
        func.layout.insts(b).all(|i| {
            let data = &func.dfg.insts[i];
            match data.op {
                Opcode::Jump | Opcode::Br | Opcode::Switch => true,
                op => {
                    !op.is_terminator() && !data.has_side_effects() && op != Opcode::Provable && !data.is_convergent()
                }
            }
        })
    })
}

/// The values of each loop that are used outside of it.
fn used_behind(func: &Function, info: &LoopInfo) -> SecondaryMap<Loop, SmallVec<[Value; 4]>> {
    let mut used: SecondaryMap<Loop, SmallVec<[Value; 4]>> = SecondaryMap::new();
    for &b in info.cfg.rpo() {
        for i in func.layout.insts(b) {
            let mut note = |v: Value, to: Block| {
                let v = func.dfg.resolve(v);
                let mut at = home(func, v).and_then(|home| info.loops.innermost(home));
                while let Some(l) = at.filter(|&l| !info.loops.contains(l, to)) {
                    if !used[l].contains(&v) {
                        used[l].push(v);
                    }
                    at = info.loops.parent(l);
                }
            };
            func.dfg.args(i).iter().for_each(|&v| note(v, b));
            // What is passed along an edge is used where that ends.
            for (n, to) in func.dfg.successors(i).enumerate() {
                func.dfg.branch_args(i, n).iter().for_each(|&v| note(v, to));
            }
        }
    }
    used
}

/// The block that a value is computed in.
fn home(func: &Function, v: Value) -> Option<Block> {
    match func.dfg.def(v) {
        ValueDef::Inst(i) => func.layout.inst_block(i),
        ValueDef::Param(b, _) => Some(b),
        ValueDef::Const(ConstKind::Undef | ConstKind::Bits(_) | ConstKind::Global(_) | ConstKind::Slot(_))
        | ValueDef::Alias(_) => None,
    }
}

fn plan(found: &mut Found<'_>, l: Loop, used: &[Value], results: Results) -> Option<Deletion> {
    let (func, info) = (found.func, found.info);
    let entry = info.loops.entry_edge(&info.cfg, l)?.inst;
    let exits = info.loops.exit_edges(func, l);
    let &exit = exits.first()?;
    if func.dfg.op(entry) != Opcode::Jump || used.len() > MAX_RESULTS {
        return None;
    }
    let ints = used.iter().all(|&v| func.dfg.ty(v).is_int() && Scev::has_expr(func.dfg.ty(v)));
    if !ints || (exits.len() > 1 && !(used.is_empty() && leave_alike(func, &exits))) {
        return None;
    }
    let scev = found.scev(l);
    let promised = |x| results == Results::Compute && must_end(func, info, x);
    // Down the loops inside: a look at all loops for each would be the square of a kernel of a thousand.
    let mut inside: SmallVec<[Loop; 4]> = SmallVec::from_slice(&[l]);
    while let Some(x) = inside.pop() {
        if !promised(x) && !ends(func, info, scev, x) {
            return None;
        }
        inside.extend_from_slice(&info.loops.data(x).children);
    }
    let mut known = SmallVec::new();
    if !used.is_empty() {
        let backedges = backedges(scev, l, exit.from)?;
        for &v in used {
            let e = after(func, info, scev, l, v, backedges)?;
            known.push((v, e));
        }
    }
    let meta = info.loops.meta(func, l);
    let span = meta.map_or(func.dfg.span(func.layout.terminator(exit.from)), |m| m.span);
    let hints = meta.map(|m| m.hints.clone()).unwrap_or_default();
    Some(Deletion { entry, exit, results: known, parent: info.loops.parent(l), hints, span })
}

/// Whether all edges go to the same block with the same arguments.
fn leave_alike(func: &Function, exits: &[Edge]) -> bool {
    let of = |e: &Edge| {
        let args = func.dfg.branch_args(e.inst, e.index as usize).iter();
        let args: SmallVec<[Value; 4]> = args.map(|&v| func.dfg.resolve(v)).collect();
        (func.dfg.successor(e.inst, e.index as usize), args)
    };
    exits.split_first().is_some_and(|(first, rest)| rest.iter().all(|e| of(e) == of(first)))
}

/// Whether the language promises that a loop ends. One that waits for memory to change is left to itself: programs that forget
/// to say that somebody else writes there shall find out.
fn must_end(func: &Function, info: &LoopInfo, l: Loop) -> bool {
    let reads =
        |&b: &Block| func.layout.insts(b).any(|i| !func.dfg.insts[i].is_pure() && !func.dfg.op(i).is_terminator());
    info.loops.meta(func, l).is_some_and(|m| m.must_progress) && !info.loops.data(l).blocks.iter().any(reads)
}

/// Whether some test is known to end the loop.
fn ends(func: &Function, info: &LoopInfo, scev: &mut Scev<'_>, l: Loop) -> bool {
    info.loops.exiting_blocks(func, l).into_iter().any(|b| {
        let count = scev.exit_count(l, b);
        !count.assumes_sign && !count.strided && (count.exact.is_some() || count.max.is_some())
    })
}

/// How often the loop goes on before the test at the end of `block`, its only exit, ends it.
fn backedges(scev: &mut Scev<'_>, l: Loop, block: Block) -> Option<Expr> {
    let count = scev.exit_count(l, block);
    if let Some(n) = count.constant {
        return Some(scev.exprs.constant(n, 64));
    }
    count.exact.filter(|&e| !count.assumes_sign && !count.strided && is_computable(scev, e, l))
}

/// Whether an expression can be computed in front of the loop, and never traps there.
fn is_computable(scev: &Scev<'_>, e: Expr, l: Loop) -> bool {
    scev.is_invariant(e, l) && scev.exprs.is_expandable(e) && scev.exprs.divides_by_constants(e)
}

/// What `v` is when the loop has gone on `backedges` times.
fn after(func: &Function, info: &LoopInfo, scev: &mut Scev<'_>, l: Loop, v: Value, backedges: Expr) -> Option<Expr> {
    let e = scev.expr(v);
    let bits = scev.exprs.bits(e);
    let count = resized(scev, backedges, bits);
    let known = match scev.at_iteration(e, l, count) {
        Some(at) => at,
        None => sum_after(func, info, scev, l, v, backedges)?,
    };
    is_computable(scev, known, l).then_some(known)
}

/// An unsigned number in another width; what does not fit is cut off.
fn resized(scev: &mut Scev<'_>, e: Expr, bits: u32) -> Expr {
    if scev.exprs.bits(e) > bits { scev.trunc(e, bits) } else { scev.zext(e, bits) }
}

/// The same for `p` and `p + x`, where the header's parameter `p` becomes `p + x` and `x` is linear in the number of
/// iterations.
fn sum_after(
    func: &Function,
    info: &LoopInfo,
    scev: &mut Scev<'_>,
    l: Loop,
    v: Value,
    backedges: Expr,
) -> Option<Expr> {
    let params = func.dfg.params(info.loops.header(l)).iter().enumerate();
    let (param, sum) =
        params.filter_map(|(n, &p)| Some((p, sum(func, info, l, p, n)?))).find(|(p, sum)| *p == v || sum.next == v)?;
    let (start, added) = (scev.expr(sum.start), scev.expr(sum.added));
    let Node::AddRec { start: first, step, l: of, .. } = scev.exprs.node(added) else { return None };
    if of != l || !scev.is_invariant(step, l) {
        return None;
    }
    let bits = scev.exprs.bits(added);
    // Added up: `first` once and `step` as often as there are pairs of iterations.
    let wide = scev.exprs.bits(backedges).max(bits);
    let backedges = resized(scev, backedges, wide);
    let (times, pairs) = (resized(scev, backedges, bits), pairs(scev, backedges));
    let pairs = resized(scev, pairs, bits);
    let (once, often) = (scev.mul(first, times), scev.mul(step, pairs));
    let before = scev.add(once, often);
    let at_param = scev.add(start, before);
    if param == v {
        return Some(at_param);
    }
    let last = scev.at_iteration(added, l, times)?;
    Some(scev.add(at_param, last))
}

/// `n * (n - 1) / 2` of an unsigned number, in its width: the half of `n` times an odd number, neither of which is cut off
/// before it is halved.
fn pairs(scev: &mut Scev<'_>, n: Expr) -> Expr {
    let bits = scev.exprs.bits(n);
    let (one, two) = (scev.exprs.constant(1, bits), scev.exprs.constant(2, bits));
    let half = scev.udiv(n, two);
    let rest = scev.sub(n, half);
    let twice = scev.scale(rest, 2);
    let odd = scev.sub(twice, one);
    scev.mul(half, odd)
}

/// A parameter of a header that something is added to in each iteration.
struct Sum {
    start: Value,
    next: Value,
    added: Value,
}

fn sum(func: &Function, info: &LoopInfo, l: Loop, param: Value, n: usize) -> Option<Sum> {
    let header = info.loops.header(l);
    let (mut start, mut next) = (None, None);
    for e in info.cfg.preds(header) {
        let arg = func.dfg.resolve(func.dfg.branch_args(e.inst, e.index as usize)[n]);
        let place = if info.loops.contains(l, e.from) { &mut next } else { &mut start };
        if place.is_some_and(|v| v != arg) {
            return None;
        }
        *place = Some(arg);
    }
    let (start, next) = (start?, next?);
    let add = func.dfg.def_inst(next).filter(|&i| func.dfg.op(i) == Opcode::Add)?;
    let (a, b) = (func.dfg.resolve(func.dfg.arg(add, 0)), func.dfg.resolve(func.dfg.arg(add, 1)));
    let added = if a == param { b } else { a };
    (a == param || b == param).then_some(Sum { start, next, added })
}

fn apply(func: &mut Function, plan: &Deletion, exprs: &FxHashMap<Option<Loop>, Exprs>) {
    for &(v, e) in &plan.results {
        if let Some(known) = exprs[&plan.parent].expand(func, e, plan.entry) {
            func.dfg.replace_value(v, known);
        }
    }
    let to = func.dfg.successor(plan.exit.inst, plan.exit.index as usize);
    let args = func.dfg.branch_args(plan.exit.inst, plan.exit.index as usize).iter();
    let args: SmallVec<[Value; 8]> = args.map(|&v| func.dfg.resolve(v)).collect();
    edit::replace_by_jump(func, plan.entry, to, &args, None);
}

/// Hints on the loop are answered: there is nothing left to follow them on.
fn tell(func: &Function, cx: &mut PassContext<'_>, plan: &Deletion) {
    let known = cx.session.ledger.len();
    let reason = if plan.results.is_empty() {
        "nothing uses what the loop computes"
    } else {
        "what the loop computes is known before it begins"
    };
    // Text IR may name hints that do not exist.
    for &hint in plan.hints.iter().filter(|h| (h.0 as usize) < known) {
        let answer = Answer {
            fate: Fate::Unused,
            done: "the loop was removed".to_owned(),
            reason: reason.to_owned(),
            function: func.display.clone(),
            place: plan.span,
            trail: Vec::new(),
        };
        cx.session.ledger.answer(hint, answer);
    }
}
