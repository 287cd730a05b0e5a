//! Loops with a branch that goes the same way in every iteration become two, one for each way, and the branch stands before
//! them: `for (…) { … if (n > 0) …}`.
//!
//! Most such branches nobody has written: they stand before the loops of a nest, and ask whether the loop inside runs at all.
//! Where it does not, what is left is a loop of its own, which may be unrolled.
//!
//! As measured (nvcc 13.5): a condition is one that all work-items agree on; loops with barriers stay whole, as do loops of
//! which one way leaves nothing but counting. For sm_100 and later a condition is made of arguments: what is computed from
//! the sizes of groups and their places is taken to differ. For older GPUs it is not what large structures among a kernel's arguments
//! hold, or such as an index chooses from. Loops without effects may be counting only there: they go.
//!
//! What must hold: verified IR of rotated loops, from which invariants have been moved. A condition that is not computed in
//! each first iteration must have a value of its own ([`may_settle`], [`settled`]): where the branch is not reached nobody asks what it
//! is. Hints of a loop hold for both of its versions.
//!
//! Limits: loops of [`MAX_INSTS`] instructions, functions of [`MAX_FUNCTION`], [`MAX_ROUNDS`] loops of a function, inner ones
//! first; for GPUs before sm_100 as many copies of a loop as [`Quotas`] leave. Cost: for each of them the analyses of the function, and what is copied.

use crate::PassContext;
use crate::loop_delete::is_quiet;
use analysis::address::Address;
use analysis::fold::fold_inst;
use analysis::uniformity::{Among, Uniformity};
use analysis::{Cfg, Loop, LoopInfo, PostDomTree, loop_simplify};
use ir::edit::{self, replace_by_jump};
use ir::{Block, Builder, ConstKind, Flags, FnKind, Function, Inst, Opcode, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use unroll::cost::{Users, inst_cost};
use unroll::lcssa;

/// Most instructions of a loop that is copied (measured: 147 and 151 are, 151 and 154 are not).
const MAX_INSTS: usize = 150;
/// Most instructions of a function.
const MAX_FUNCTION: usize = 3000;
/// Most loops of a function that are copied, with those that get a block in front of them.
const MAX_ROUNDS: usize = 8;
/// Most tests that are one with another.
const MAX_JOINED: usize = 4;
/// Most operations between a condition and what has a value of its own.
const MAX_DEPTH: u32 = 6;

/// Most bytes of a structure that the older compiler makes values of when it is an argument (measured: 128 are, 132 are not).
const MAX_SPLIT: u32 = 128;

/// What the copies of a loop may come to for GPUs before sm_100, the first one among them (measured: 147 and 150 are made, 153 and
/// 156 are not).
const MAX_COPIES: u32 = 150;

/// How often loops may still be copied for GPUs before sm_100, by their headers.
///
/// Measured with one to five branches in a loop, and loops of all sizes: a loop of size s begins with `150 / s`, each copy takes one, and
/// what is left is shared by the two versions. Where a branch only goes around something, the version that has it is not looked at again.
#[derive(Default)]
struct Quotas(FxHashMap<Block, u32>);

impl Quotas {
    /// Of a loop that may not have been looked at yet.
    fn of(&mut self, func: &Function, info: &LoopInfo, l: Loop) -> u32 {
        let header = info.loops.header(l);
        *self.0.entry(header).or_insert_with(|| MAX_COPIES / size(func, info, l).max(1))
    }

    /// After a split of a loop with these blocks: of the versions where the condition holds and where it does not, with what was copied for the second one.
    fn share(&mut self, blocks: &[Block], header: Block, around: Option<usize>, copies: &FxHashMap<Block, Block>) {
        let left = self.0.get(&header).copied().unwrap_or(0).saturating_sub(1);
        let mut each = [left / 2, left - left / 2];
        if let Some(way) = around {
            each.swap(1, way);
            each[1 - way] = 0;
        }
        for b in blocks {
            if let (Some(&quota), Some(&to)) = (self.0.get(b), copies.get(b)) {
                self.0.insert(to, quota);
            }
        }
        self.0.insert(header, each[0]);
        if let Some(&second) = copies.get(&header) {
            self.0.insert(second, each[1]);
        }
    }
}

/// The size of a loop as the unroller counts it.
fn size(func: &Function, info: &LoopInfo, l: Loop) -> u32 {
    let blocks = &info.loops.data(l).blocks;
    let mut users = Users::default();
    users.look_at(func, blocks);
    let costs = blocks.iter().flat_map(|&b| func.layout.insts(b));
    costs.map(|i| inst_cost(func, &users, i, |b| info.cfg.preds(b).len())).sum()
}

/// The way of a branch that goes around what the other one does first, if one does.
fn goes_around(func: &Function, info: &LoopInfo, branch: Inst) -> Option<usize> {
    let joins = |n| info.cfg.preds(func.dfg.successor(branch, n)).len() > 1;
    (0..2).find(|&n| joins(n) && !joins(1 - n))
}

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let mut changed = false;
    let mut quotas = Quotas::default();
    for _ in 0..MAX_ROUNDS {
        if func.inst_count() > MAX_FUNCTION {
            break;
        }
        let info = if changed { LoopInfo::new(func) } else { cx.loops(func) };
        let of_arguments = cx.options.knobs.profile == Some(unroll::Profile::Cicc23);
        let Some((l, branch)) = choose(func, &info, of_arguments, &mut quotas) else { break };
        if loop_simplify::insert_preheader(func, &info, l) {
            // The loops are found again with it.
            cx.drop_graph();
            changed = true;
            continue;
        }
        let around = goes_around(func, &info, branch);
        let copies = split(func, &info, l, branch);
        quotas.share(&info.loops.data(l).blocks, info.loops.header(l), around, &copies);
        changed = true;
    }
    if changed {
        func.resolve_aliases();
    } else {
        cx.keep_graph();
    }
    changed
}

/// The next loop to be copied, with its branch.
fn choose(func: &Function, info: &LoopInfo, of_arguments: bool, quotas: &mut Quotas) -> Option<(Loop, Inst)> {
    let mut candidates: Vec<Loop> = info.loops.inner_first().filter(|&l| may_be_copied(func, info, l)).collect();
    if !of_arguments {
        candidates.retain(|&l| quotas.of(func, info, l) > 0);
    }
    if candidates.is_empty() || info.loops.has_irreducible() {
        return None;
    }
    let mut uniform = None;
    for l in candidates {
        for &b in &info.loops.data(l).blocks {
            let t = func.layout.terminator(b);
            if func.dfg.op(t) != Opcode::Br || !is_invariant(func, info, l, func.dfg.arg(t, 0)) {
                continue;
            }
            // The way back of a loop inside is no such branch.
            let inside = func.dfg.insts[t].loop_md().is_none()
                && (0..2).all(|n| info.loops.contains(l, func.dfg.successor(t, n)));
            if !inside
                || func.dfg.successor(t, 0) == func.dfg.successor(t, 1)
                || !(leaves_work(func, info, l, func.dfg.arg(t, 0)) || of_arguments && is_quiet(func, info, l))
            {
                continue;
            }
            let joined = if of_arguments { tests_before(func, info, l, b) } else { SmallVec::new() };
            let places = joined.iter().chain(&[func.dfg.arg(t, 0)]).any(|&c| asks_place(func, c, MAX_DEPTH));
            if of_arguments && places || !of_arguments && asks_large_argument(func, func.dfg.arg(t, 0), MAX_DEPTH) {
                continue;
            }
            if !in_first_iteration(func, info, l, b) && !may_settle(func, func.dfg.arg(t, 0), MAX_DEPTH) {
                continue;
            }
            let uniform = uniform.get_or_insert_with(|| {
                let post = PostDomTree::new(func, &info.cfg, &info.loops);
                Uniformity::new(func, info, &post, Among::Group, func.kind == FnKind::Kernel)
            });
            if uniform.is_uniform(func.dfg.arg(t, 0)) {
                return Some((l, t));
            }
        }
    }
    None
}

/// Whether a loop has the shape for it, and nothing that is to stay unique.
fn may_be_copied(func: &Function, info: &LoopInfo, l: Loop) -> bool {
    let blocks = &info.loops.data(l).blocks;
    let insts = || blocks.iter().flat_map(|&b| func.layout.insts(b));
    info.loops.latch(l).is_some()
        && insts().take(MAX_INSTS + 1).count() <= MAX_INSTS
        && insts().all(|i| !stays_unique(func, i))
        && blocks.iter().all(|&b| matches!(func.dfg.op(func.layout.terminator(b)), Opcode::Br | Opcode::Jump))
}

/// Operations that work-items reach together, and those that answer a hint.
fn stays_unique(func: &Function, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    data.is_convergent() || matches!(data.op, Opcode::InlineAsm | Opcode::Provable | Opcode::Call)
}

fn is_invariant(func: &Function, info: &LoopInfo, l: Loop, v: Value) -> bool {
    func.dfg.as_const(v).is_none() && info.loops.defined_outside(func, l, v)
}

/// Whether each entry into the loop reaches a block.
fn in_first_iteration(func: &Function, info: &LoopInfo, l: Loop, b: Block) -> bool {
    let above = |other: Block| info.dom.dominates(b, other);
    info.loops.latch(l).is_some_and(above) && info.loops.exiting_blocks(func, l).into_iter().all(above)
}

/// Whether a condition has a value wherever it is asked, but for what has been promised not to happen ([`settled`]): it is not
/// made of what comes from memory that may not have been written.
fn may_settle(func: &Function, v: Value, depth: u32) -> bool {
    use Opcode::*;
    match func.dfg.def(v) {
        ValueDef::Const(c) => !matches!(c, ConstKind::Undef),
        ValueDef::Param(b, _) => b == func.layout.entry(),
        ValueDef::Inst(i) => {
            let op = func.dfg.op(i);
            let sound =
                op.is_cast() || matches!(op, Icmp | Add | Sub | Mul | And | Or | Xor | SMin | SMax | UMin | UMax);
            op == Special || sound && depth > 0 && func.dfg.args(i).iter().all(|&a| may_settle(func, a, depth - 1))
        }
        _ => false,
    }
}

/// A condition that [may settle](may_settle), without the promises: computed again in front of `before` where it has any. Where
/// they hold it is the same, and where they do not nobody asks which of two equal ways is taken.
fn settled(func: &mut Function, before: Inst, v: Value) -> Value {
    let Some(i) = func.dfg.def_inst(v).filter(|&i| func.dfg.op(i) != Opcode::Special) else { return v };
    let args: SmallVec<[Value; 4]> = func.dfg.args(i).into();
    let own: SmallVec<[Value; 4]> = args.iter().map(|&a| settled(func, before, a)).collect();
    if own == args && func.dfg.insts[i].flags.is_empty() {
        return v;
    }
    let copy = func.dfg.clone_inst(i);
    func.dfg.insts[copy].flags = Flags::default();
    let mut own = own.iter();
    func.dfg.for_each_use_mut(copy, |v| *v = own.next().copied().unwrap_or(*v));
    func.layout.insert_inst_before(copy, before);
    func.dfg.result(copy).unwrap_or(v)
}

/// The invariant conditions that are one with that at the end of a block: tests right before it that skip the same code.
fn tests_before(func: &Function, info: &LoopInfo, l: Loop, mut b: Block) -> SmallVec<[Value; 2]> {
    let mut tests = SmallVec::new();
    while let (Some(_), &[before]) = (edit::only_inst(func, b), info.cfg.preds(b)) {
        let (t, above) = (func.layout.terminator(b), before.inst);
        let skips = |n| func.dfg.successors(t).any(|s| s == func.dfg.successor(above, n));
        if func.dfg.op(above) != Opcode::Br
            || !info.loops.contains(l, before.from)
            || !skips(1 - before.index as usize)
            || !is_invariant(func, info, l, func.dfg.arg(above, 0))
            || tests.len() >= MAX_JOINED
        {
            break;
        }
        tests.push(func.dfg.arg(above, 0));
        b = before.from;
    }
    tests
}

/// Whether a value is computed from where a work-item is, or how many there are.
fn asks_place(func: &Function, v: Value, depth: u32) -> bool {
    let Some(i) = func.dfg.def_inst(v) else { return false };
    func.dfg.op(i) == Opcode::Special || depth > 0 && func.dfg.args(i).iter().any(|&a| asks_place(func, a, depth - 1))
}

/// Whether a value is computed from what is in memory for the compiler for GPUs before sm_100: a structure of more than
/// [`MAX_SPLIT`] bytes that is an argument, or one of which an index chooses something, so that it has a slot.
fn asks_large_argument(func: &Function, v: Value, depth: u32) -> bool {
    let Some(i) = func.dfg.def_inst(v) else { return false };
    if func.dfg.op(i) != Opcode::Load {
        return depth > 0 && func.dfg.args(i).iter().any(|&a| asks_large_argument(func, a, depth - 1));
    }
    match func.dfg.def(Address::of(func, func.dfg.arg(i, 0)).base) {
        ValueDef::Param(b, n) if b == func.layout.entry() => {
            let param = func.params.get(n as usize);
            param.is_some_and(|p| p.attrs.byval.is_some_and(|bytes| bytes > MAX_SPLIT))
        }
        ValueDef::Const(ConstKind::Slot(_)) => func.dfg.insts[i].flags.has(Flags::INVARIANT),
        _ => false,
    }
}

/// Whether each version of the loop, in which branches on `condition` are jumps, does more than to count.
fn leaves_work(func: &Function, info: &LoopInfo, l: Loop, condition: Value) -> bool {
    (0..2).all(|way| works(func, info, l, &Version::of(func, info, l, condition, way)))
}

/// What is left of a loop where a condition is known.
struct Version {
    /// Blocks that are reached.
    reached: Vec<Block>,
    /// The branches of them whose way is known.
    ways: FxHashMap<Inst, usize>,
}

impl Version {
    fn of(func: &Function, info: &LoopInfo, l: Loop, condition: Value, way: usize) -> Self {
        let header = info.loops.header(l);
        let mut this = Self { reached: Vec::new(), ways: FxHashMap::default() };
        // What parameters are that get the same constant from everywhere; of headers nothing is known.
        let mut known: FxHashMap<Value, ConstKind> = FxHashMap::default();
        let mut incoming: FxHashMap<Value, Option<ConstKind>> = FxHashMap::default();
        let mut entered: FxHashSet<Block> = FxHashSet::default();
        entered.insert(header);
        for &b in &info.loops.data(l).blocks {
            if !entered.contains(&b) {
                continue;
            }
            if info.loops.header_loop(b).is_none() {
                for &p in func.dfg.params(b) {
                    known.extend(incoming.get(&p).copied().flatten().map(|c| (p, c)));
                }
            }
            let value =
                |known: &FxHashMap<Value, ConstKind>, v| func.dfg.as_const(v).or_else(|| known.get(&v).copied());
            for i in func.layout.insts(b) {
                if let Some(v) = func.dfg.result(i)
                    && func.dfg.insts[i].is_pure()
                    && let Some(c) = fold_inst(&func.dfg, i, |v| value(&known, v))
                {
                    known.insert(v, c);
                }
            }
            let t = func.layout.terminator(b);
            if func.dfg.op(t) == Opcode::Br && func.dfg.insts[t].loop_md().is_none() {
                let test = func.dfg.arg(t, 0);
                let folded = value(&known, test).and_then(|c| match c {
                    ConstKind::Bits(bits) => Some(usize::from(bits & 1 == 0)),
                    _ => None,
                });
                this.ways.extend((test == condition).then_some(way).or(folded).map(|n| (t, n)));
            }
            this.reached.push(b);
            for n in this.ways_of(func, t) {
                let to = func.dfg.successor(t, n);
                entered.insert(to);
                for (&p, &v) in func.dfg.params(to).iter().zip(func.dfg.branch_args(t, n)) {
                    let c = value(&known, v);
                    incoming.entry(p).and_modify(|old| *old = old.filter(|&o| Some(o) == c)).or_insert(c);
                }
            }
        }
        this
    }

    /// The ways that a terminator may take.
    fn ways_of(&self, func: &Function, t: Inst) -> std::ops::Range<usize> {
        self.ways.get(&t).map_or(0..func.dfg.successor_count(t), |&n| n..n + 1)
    }
}

/// Whether a version of a loop has an effect, or computes something that is used after it and is no counter.
fn works(func: &Function, info: &LoopInfo, l: Loop, version: &Version) -> bool {
    let reached = &version.reached;
    let ways = |t| version.ways_of(func, t);
    let insts = || reached.iter().flat_map(|&b| func.layout.insts(b));
    let inert = |i: Inst| {
        let data = &func.dfg.insts[i];
        data.is_pure() || data.op.is_terminator() || data.op == Opcode::Load && !data.flags.has(Flags::VOLATILE)
    };
    if insts().any(|i| !inert(i)) {
        return true;
    }
    let mut wanted: Vec<Value> = Vec::new();
    for t in reached.iter().map(|&b| func.layout.terminator(b)) {
        for n in ways(t).filter(|&n| !info.loops.contains(l, func.dfg.successor(t, n))) {
            wanted.extend_from_slice(func.dfg.branch_args(t, n));
        }
    }
    let here: FxHashSet<Value> = insts().filter_map(|i| func.dfg.result(i)).collect();
    for b in func.layout.blocks().filter(|&b| !info.loops.contains(l, b)) {
        for i in func.layout.insts(b) {
            func.dfg.for_each_use(i, |v| wanted.extend(here.contains(&v).then_some(v)));
        }
    }
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    while let Some(v) = wanted.pop() {
        if !seen.insert(v) {
            continue;
        }
        match func.dfg.def(v) {
            ValueDef::Inst(i) if here.contains(&v) => {
                let counts = func.dfg.op(i) == Opcode::Add && func.dfg.as_const(func.dfg.arg(i, 1)).is_some();
                if !counts {
                    return true;
                }
                wanted.extend_from_slice(func.dfg.args(i));
            }
            ValueDef::Param(b, n) if reached.contains(&b) => {
                for t in reached.iter().map(|&b| func.layout.terminator(b)) {
                    for k in ways(t).filter(|&k| func.dfg.successor(t, k) == b) {
                        wanted.push(func.dfg.branch_args(t, k)[n as usize]);
                    }
                }
            }
            _ => {}
        }
    }
    false
}

/// Makes two loops of one: in the first `branch`, with all others on its condition, takes its first way, in the second its
/// other one. The blocks of the second, by those that they were copied from.
fn split(func: &mut Function, info: &LoopInfo, l: Loop, branch: Inst) -> FxHashMap<Block, Block> {
    lcssa::close(func, info, &[l]);
    func.resolve_aliases();
    let header = info.loops.header(l);
    let order: Vec<Block> =
        func.layout.blocks().filter(|&b| info.cfg.is_reachable(b) && info.loops.contains(l, b)).collect();
    let condition = func.dfg.arg(branch, 0);
    let decided = |t: &Inst| {
        let d = &func.dfg;
        d.op(*t) == Opcode::Br && d.arg(*t, 0) == condition && d.insts[*t].loop_md().is_none()
    };
    let branches: Vec<Inst> = order.iter().map(|&b| func.layout.terminator(b)).filter(decided).collect();
    let copy = Copy::of(func, &order);
    let entry = info.loops.entry_edge(&info.cfg, l).map(|e| e.inst);
    let (Some(entry), Some(&second)) = (entry, copy.blocks.get(&header)) else { return copy.blocks };
    let args = func.dfg.branch_args(entry, 0).to_vec();
    let home = func.layout.inst_block(branch);
    let asked = home.is_some_and(|b| in_first_iteration(func, info, l, b));
    let first = if asked { condition } else { settled(func, entry, condition) };
    Builder::before(func, entry).br(first, (header, &args), (second, &args));
    func.layout.remove_inst(entry);
    for &t in &branches {
        for (t, way) in [(t, 0), (copy.insts[&t], 1)] {
            let (to, args) = (func.dfg.successor(t, way), func.dfg.branch_args(t, way).to_vec());
            replace_by_jump(func, t, to, &args, None);
        }
    }
    edit::remove_unreachable(func, Cfg::new(func).order());
    keep_apart(func, order.iter().chain(copy.blocks.values()));
    copy.blocks
}

/// Blocks of a version between which there is no choice any more are not merged before loops were decided (measured): their
/// jumps count.
fn keep_apart<'a>(func: &mut Function, blocks: impl Iterator<Item = &'a Block> + Clone) {
    let cfg = Cfg::new(func);
    let own: FxHashSet<Block> = blocks.clone().copied().collect();
    for &b in blocks.filter(|&&b| cfg.is_reachable(b)) {
        let t = func.layout.terminator(b);
        let follows = |s: Block| own.contains(&s) && cfg.preds(s).len() == 1;
        if func.dfg.op(t) == Opcode::Jump && follows(func.dfg.successor(t, 0)) {
            func.dfg.insts[t].flags = func.dfg.insts[t].flags.with(Flags::APART);
        }
    }
}

/// A copy of the blocks of a loop.
struct Copy {
    blocks: FxHashMap<Block, Block>,
    insts: FxHashMap<Inst, Inst>,
}

impl Copy {
    /// Copies blocks, behind the last of them. What leaves them goes where it went.
    fn of(func: &mut Function, order: &[Block]) -> Self {
        let mut this = Self { blocks: FxHashMap::default(), insts: FxHashMap::default() };
        let mut values: FxHashMap<Value, Value> = FxHashMap::default();
        let mut place = order.last().copied();
        let mut made = Vec::new();
        for &b in order {
            let new = func.dfg.make_block();
            if let Some(after) = place {
                func.layout.insert_block_after(new, after);
            }
            place = Some(new);
            this.blocks.insert(b, new);
            for p in func.dfg.params(b).to_vec() {
                let ty = func.dfg.ty(p);
                values.insert(p, func.dfg.add_param(new, ty));
            }
            for i in func.layout.insts(b).collect::<Vec<_>>() {
                let copy = func.dfg.clone_inst(i);
                func.layout.append_inst(copy, new);
                if let (Some(from), Some(to)) = (func.dfg.result(i), func.dfg.result(copy)) {
                    values.insert(from, to);
                }
                this.insts.insert(i, copy);
                made.push(copy);
            }
        }
        for i in made {
            func.dfg.for_each_use_mut(i, |v| *v = values.get(v).copied().unwrap_or(*v));
            for n in 0..func.dfg.successor_count(i) {
                if let Some(&to) = this.blocks.get(&func.dfg.successor(i, n)) {
                    func.dfg.set_successor(i, n, to);
                }
            }
            if let Some(md) = func.dfg.insts[i].loop_md() {
                let meta = func.loops[md].clone();
                let md = func.loops.push(meta);
                func.dfg.set_loop_md(i, Some(md));
            }
        }
        this
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_pass;
    use ir::{AddrSpace, FuncId, IntCC, MemInfo, Module, SpecialReg, Type};

    /// What the branch in the loop asks.
    #[derive(Clone, Copy, PartialEq)]
    enum Asks {
        /// Whether a parameter is positive.
        Parameter,
        /// Whether the counter is.
        Counter,
        /// Whether the work-item's number is.
        Item,
    }

    /// `do { if (…) p[i] = 1; [barrier;] [p[i] = 2;] } while (++i < n)`
    fn looped(asks: Asks, barrier: bool, rest: bool) -> (Module, FuncId) {
        let mut module = Module::default();
        let global = Type::ptr(AddrSpace::Global);
        let id = run_pass(&mut module, Type::VOID, &[global, Type::I32, Type::I32], run, |f, entry, v| {
            f.kind = FnKind::Kernel;
            let [p, n, m] = [v[0], v[1], v[2]];
            let (header, yes, latch, done) = (f.new_block(), f.new_block(), f.new_block(), f.new_block());
            let i = f.dfg.add_param(header, Type::I32);
            let mut b = Builder::at_end(f, entry);
            let zero = b.iconst(Type::I32, 0);
            let item = b.special(SpecialReg::TidX);
            let asked = match asks {
                Asks::Parameter => m,
                Asks::Item => item,
                Asks::Counter => zero,
            };
            let condition = b.icmp(IntCC::Sgt, asked, zero);
            b.jump(header, &[zero]);
            b.switch_to(header);
            let condition = if asks == Asks::Counter { b.icmp(IntCC::Sgt, i, m) } else { condition };
            let wide = b.cast(Opcode::SExt, i, Type::I64);
            let at = b.ptradd(p, wide, Flags::NONE);
            b.br(condition, (yes, &[]), (latch, &[]));
            b.switch_to(yes);
            let one = b.iconst(Type::I32, 1);
            b.store(at, one, MemInfo::aligned(4), Flags::NONE);
            b.jump(latch, &[]);
            b.switch_to(latch);
            if barrier {
                b.intrinsic(ir::Intrinsic::Barrier, Type::VOID, &[zero]);
            }
            if rest {
                let two = b.iconst(Type::I32, 2);
                b.store(at, two, MemInfo::aligned(4), Flags::NONE);
            }
            let next = b.add(i, one);
            let more = b.icmp(IntCC::Slt, next, n);
            b.br(more, (header, &[next]), (done, &[]));
            b.switch_to(done);
            b.ret(None);
        });
        (module, id)
    }

    fn loops(asks: Asks, barrier: bool, rest: bool) -> usize {
        let (module, id) = looped(asks, barrier, rest);
        LoopInfo::new(&module.functions[id]).loops.len()
    }

    #[test]
    fn a_loop_with_a_branch_on_a_parameter_becomes_two() {
        assert_eq!(loops(Asks::Parameter, false, true), 2);
    }

    #[test]
    fn loops_stay_whole_where_work_items_or_iterations_differ() {
        assert_eq!(loops(Asks::Item, false, true), 1);
        assert_eq!(loops(Asks::Counter, false, true), 1);
    }

    #[test]
    fn loops_with_barriers_stay_whole() {
        assert_eq!(loops(Asks::Parameter, true, true), 1);
    }

    #[test]
    fn a_loop_of_which_nothing_would_be_left_stays_whole() {
        assert_eq!(loops(Asks::Parameter, false, false), 1);
    }
}
